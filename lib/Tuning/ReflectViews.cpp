//===- Tuning/ReflectViews.cpp ---------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tuning/ReflectViews.h"

#include <algorithm>
#include <tuple>

namespace tailor {

using vulkan::ResourceKind;

namespace {

std::string textOf(vulkan::ComponentType texel) {
  return texel == vulkan::ComponentType::Float  ? "float"
         : texel == vulkan::ComponentType::Sint ? "int"
                                                : "uint";
}

class Joiner {
public:
  Joiner(ReflectedBinding &into, const ReflectedBinding &view, const std::string &file)
      : into(into), view(view), file(file) {}

  Status join() {
    if (Status kind = joinKinds(); !kind)
      return kind;
    if (into.arraySize == 0 || view.arraySize == 0)
      into.arraySize = 0;
    else
      into.arraySize = std::max(into.arraySize, view.arraySize);
    into.readOnly &= view.readOnly;
    into.writeOnly &= view.writeOnly;
    into.fixedBytes = std::max(into.fixedBytes, view.fixedBytes);
    into.runtimeStride = std::max(into.runtimeStride, view.runtimeStride);
    joinMembers();
    return success();
  }

private:
  Status differ(const std::string &first, const std::string &second) const {
    return failure(Location::inFile(file), into.str() + " is " + first + ", and by the name '" +
                                               view.name + "' " + second +
                                               ": no descriptor is both");
  }

  /// An image and a sampler are together what a combined one holds.
  Status joinKinds() {
    auto samples = [](ResourceKind kind) {
      return kind == ResourceKind::SampledImage || kind == ResourceKind::Sampler ||
             kind == ResourceKind::CombinedImageSampler;
    };
    const ResourceKind first = into.kind;
    if (first != view.kind && !(samples(first) && samples(view.kind)))
      return differ("a " + std::string(nameOf(first)), "a " + std::string(nameOf(view.kind)));
    if (first != view.kind)
      into.kind = ResourceKind::CombinedImageSampler;
    if (!vulkan::isImage(view.kind))
      return success();
    if (!vulkan::isImage(first)) {
      into.dim = view.dim;
      into.format = view.format;
      into.texel = view.texel;
      return success();
    }
    if (into.dim != view.dim)
      return differ(std::string(nameOf(into.dim)), std::string(nameOf(view.dim)));
    if (into.texel != view.texel)
      return differ("of type " + textOf(into.texel), "of type " + textOf(view.texel));
    if (into.format.empty())
      into.format = view.format;
    if (!view.format.empty() && into.format != view.format)
      return differ(into.format, view.format);
    return success();
  }

  /// Those of the first view, and where it has none the next one's.
  void joinMembers() {
    for (const ReflectedMember &member : view.members) {
      const bool overlaps =
          std::any_of(into.members.begin(), into.members.end(), [&](const ReflectedMember &m) {
            return m.offset < member.offset + member.bytes && member.offset < m.offset + m.bytes;
          });
      if (!overlaps)
        into.members.push_back(member);
    }
  }

  ReflectedBinding &into;
  const ReflectedBinding &view;
  const std::string &file;
};

} // namespace

Result<std::vector<ReflectedBinding>> joinViews(std::vector<ReflectedBinding> views,
                                                const std::string &file) {
  std::sort(views.begin(), views.end(), [](const auto &a, const auto &b) {
    return std::tie(a.set, a.binding, a.name, a.kind) < std::tie(b.set, b.binding, b.name, b.kind);
  });
  std::vector<ReflectedBinding> joined;
  for (ReflectedBinding &view : views) {
    const bool isNext =
        joined.empty() || joined.back().set != view.set || joined.back().binding != view.binding;
    if (isNext)
      joined.push_back(std::move(view));
    else if (Status suits = Joiner(joined.back(), view, file).join(); !suits)
      return suits.takeFailure();
  }
  return joined;
}

} // namespace tailor
