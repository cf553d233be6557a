//===- Tuning/WorkloadCheck.cpp - Does a workload fit a kernel? -----------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tuning/Reflect.h"

#include <algorithm>

namespace tailor {

using vulkan::ComponentType;
using vulkan::ResourceKind;

namespace {

/// What a shader sees of a format: normalized ones as floats.
ComponentType texelOf(const vulkan::ImageFormat &format) {
  const bool isInteger = format.type == ComponentType::Uint || format.type == ComponentType::Sint;
  return isInteger ? format.type : ComponentType::Float;
}

std::string describe(ComponentType texel) {
  return texel == ComponentType::Float  ? "floating-point texels"
         : texel == ComponentType::Sint ? "signed integers"
                                        : "unsigned integers";
}

void checkBinding(const WorkloadBinding &given, const ReflectedBinding &wanted,
                  std::string_view kernel, Diagnostics &diags) {
  const vulkan::ResourceDesc &desc = given.desc;
  std::string what = wanted.str();
  if (!vulkan::serves(desc.kind, wanted.kind)) {
    diags.error(given.location, what + " is a " + std::string(nameOf(wanted.kind)) +
                                    " in kernel '" + std::string(kernel) + "', not a " +
                                    std::string(nameOf(desc.kind)));
    return;
  }
  if (vulkan::isBuffer(desc.kind)) {
    uint64_t least = wanted.fixedBytes + wanted.runtimeStride;
    if (desc.bytes < least)
      diags.error(given.location, what + " needs at least " + std::to_string(least) +
                                      " bytes, the workload gives " + std::to_string(desc.bytes));
    return;
  }
  if (!vulkan::isImage(wanted.kind))
    return;
  if (desc.dim != wanted.dim)
    diags.error(given.location, what + " has the dimension " + std::string(nameOf(wanted.dim)) +
                                    ", the workload gives " + std::string(nameOf(desc.dim)));
  const vulkan::ImageFormat *format = vulkan::findImageFormat(desc.format);
  if (desc.kind == ResourceKind::StorageImage && !wanted.format.empty() &&
      desc.format != wanted.format)
    diags.error(given.location,
                what + " has the format " + wanted.format + ", the workload gives " + desc.format);
  else if (format && texelOf(*format) != wanted.texel)
    diags.error(given.location, what + " wants " + describe(wanted.texel) + ", the format " +
                                    desc.format + " gives " + describe(texelOf(*format)));
}

bool covers(const ProblemSize &size, const ReflectedMember &member) {
  uint64_t covered = 0;
  for (const PushConstantValue &value : size.pushConstants) {
    uint64_t begin = std::max<uint64_t>(value.offset, member.offset);
    uint64_t end = std::min<uint64_t>(value.offset + value.data.size(),
                                      uint64_t{member.offset} + member.bytes);
    covered += end > begin ? end - begin : 0;
  }
  return covered == member.bytes;
}

void checkPushConstants(const ProblemSize &size, const Reflection &reflection,
                        std::string_view kernel, Diagnostics &diags) {
  for (const ReflectedMember &member : reflection.pushConstants)
    if (!member.inArray && !covers(size, member))
      diags.error(size.location, "the workload gives no value to the push constant '" +
                                     member.name + "' of kernel '" + std::string(kernel) +
                                     "' (offset " + std::to_string(member.offset) + ", type " +
                                     std::string(nameOf(member.type)) + ")");
  for (const PushConstantValue &value : size.pushConstants)
    if (value.offset + value.data.size() > reflection.pushConstantBytes)
      diags.error(value.location, "the push constants of kernel '" + std::string(kernel) +
                                      "' have " + std::to_string(reflection.pushConstantBytes) +
                                      " bytes, this one ends at " +
                                      std::to_string(value.offset + value.data.size()));
}

} // namespace

void checkWorkload(const ProblemSize &size, const Reflection &reflection,
                   std::string_view kernelName, Diagnostics &diags) {
  for (const ReflectedBinding &wanted : reflection.bindings) {
    uint32_t given = 0;
    for (const WorkloadBinding &binding : size.bindings) {
      if (binding.desc.set != wanted.set || binding.desc.binding != wanted.binding)
        continue;
      ++given;
      checkBinding(binding, wanted, kernelName, diags);
    }
    if (given == 0)
      diags.error(size.location, "the workload lacks " + wanted.str() + ", a " +
                                     std::string(nameOf(wanted.kind)) + " of kernel '" +
                                     std::string(kernelName) + "'");
    else if (given < wanted.arraySize)
      diags.error(size.location, wanted.str() + " is an array of " +
                                     std::to_string(wanted.arraySize) +
                                     " descriptors, the workload gives " + std::to_string(given));
  }
  for (const WorkloadBinding &binding : size.bindings) {
    bool used = std::any_of(reflection.bindings.begin(), reflection.bindings.end(),
                            [&](const ReflectedBinding &wanted) {
                              return wanted.set == binding.desc.set &&
                                     wanted.binding == binding.desc.binding;
                            });
    if (!used)
      diags.warning(binding.location,
                    "kernel '" + std::string(kernelName) + "' does not use " + binding.desc.str());
  }
  checkPushConstants(size, reflection, kernelName, diags);
  for (const auto &entry : size.specConstants) {
    uint32_t id = entry.first;
    const SpecConstantValue &value = entry.second;
    auto known = std::find_if(reflection.specConstants.begin(), reflection.specConstants.end(),
                              [id](const auto &c) { return c.id == id; });
    if (known == reflection.specConstants.end())
      diags.error(value.location, "kernel '" + std::string(kernelName) +
                                      "' has no specialization constant " + std::to_string(id));
    else if (value.bytes != vulkan::bytesOf(known->type))
      diags.error(value.location, "specialization constant " + std::to_string(id) +
                                      " has the type " + std::string(nameOf(known->type)));
  }
}

} // namespace tailor
