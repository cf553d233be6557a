//===- Bundle/Validate.cpp -----------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Bundle/Validate.h"

#include <set>

namespace tailor {
namespace {

class Validator {
public:
  Validator(const Bundle &bundle, const std::string &fileName, ErrorKind kind)
      : bundle(bundle), fileName(fileName), kind(kind) {}

  Status run() const {
    std::set<std::string_view> names;
    for (const KernelInfo &kernel : bundle.kernels) {
      if (kernel.name.empty())
        return refuse("a kernel has no name");
      if (!names.insert(kernel.name).second)
        return refuse("two kernels are named '" + kernel.name + "'");
      if (Status status = checkKernel(kernel); !status)
        return status;
    }
    return success();
  }

private:
  const Bundle &bundle;
  const std::string &fileName;
  ErrorKind kind;

  Failure refuse(std::string text) const {
    return failure(Location::inFile(fileName), std::move(text), kind);
  }
  Failure refuse(const KernelInfo &kernel, std::string text) const {
    return refuse("kernel '" + kernel.name + "': " + std::move(text));
  }
  Failure refuse(const KernelInfo &kernel, const VariantInfo &variant, std::string text) const {
    return refuse(kernel, "variant '" + variant.id + "' " + std::move(text));
  }

  Status checkKernel(const KernelInfo &kernel) const {
    if (kernel.variants.empty() || kernel.variants.front().id != "authored")
      return refuse(kernel, "the authored variant is not the first");
    const VariantInfo &authored = kernel.variants.front();
    if (authored.localSize != kernel.authoredSize)
      return refuse(kernel, authored,
                    "has the size " + authored.localSize.str() + " where the kernel has " +
                        kernel.authoredSize.str());
    if (authored.dispatch.rule != DispatchRule::Same)
      return refuse(kernel, authored, "does not have the dispatch rule 'same'");
    std::set<std::string_view> ids;
    for (const VariantInfo &variant : kernel.variants) {
      if (variant.id.empty())
        return refuse(kernel, "a variant has no id");
      if (!ids.insert(variant.id).second)
        return refuse(kernel, "two variants have the id '" + variant.id + "'");
      if (Status status = checkVariant(kernel, variant); !status)
        return status;
    }
    return success();
  }

  Status checkCode(const KernelInfo &kernel, const VariantInfo &variant, const std::string &target,
                   const CodeInfo &code) const {
    if (code.blob >= bundle.blobs.size())
      return refuse(kernel, variant,
                    "names code " + std::to_string(code.blob) + " of " +
                        std::to_string(bundle.blobs.size()));
    if (code.interface && *code.interface >= bundle.interfaces.size())
      return refuse(kernel, variant,
                    "names interface " + std::to_string(*code.interface) + " of " +
                        std::to_string(bundle.interfaces.size()));
    if (!bundle.has(code))
      return refuse(kernel, variant,
                    "replaces bytes " + std::to_string(code.at) + " to " +
                        std::to_string(uint64_t{code.at} + code.count) + " of code with " +
                        std::to_string(bundle.blobs[code.blob].size()));
    const uint64_t bytes = bundle.blobs[code.blob].size() - code.count + code.bytes.size();
    if (target == "spirv" && bytes % 4 != 0)
      return refuse(kernel, variant,
                    "has SPIR-V of " + std::to_string(bytes) +
                        " bytes, which is not a number of words");
    return success();
  }

  Status checkVariant(const KernelInfo &kernel, const VariantInfo &variant) const {
    if (variant.localSize.product() == 0)
      return refuse(kernel, variant, "has the size " + variant.localSize.str());
    for (const auto &[target, code] : variant.code)
      if (Status status = checkCode(kernel, variant, target, code); !status)
        return status;
    return checkDispatch(kernel, variant);
  }

  Status checkGuard(const KernelInfo &kernel, const VariantInfo &variant) const {
    if (variant.dispatch.rule == DispatchRule::Guarded && !variant.guard)
      return refuse(kernel, variant, "is guarded but does not say where the guard is");
    if (!variant.guard)
      return success();
    const GuardInfo &guard = *variant.guard;
    if (guard.kind == kGuardPushConstant) {
      constexpr uint32_t kLastOffset = 1U << 16; // no device has a larger block
      if (guard.bytes != kGuardBytes || guard.offset % 4 != 0 || guard.offset > kLastOffset)
        return refuse(kernel, variant,
                      "has its guard in " + std::to_string(guard.bytes) + " bytes at offset " +
                          std::to_string(guard.offset) + " of the push constants");
      return success();
    }
    if (guard.kind != kGuardSpecConstant)
      return refuse(kernel, variant, "has a guard of the unknown kind '" + guard.kind + "'");
    std::set<uint32_t> ids(guard.specIds.begin(), guard.specIds.end());
    if (ids.size() != 3 || guard.specIds.size() != 3)
      return refuse(kernel, variant,
                    "does not have three specialization constants for its guard, one an axis");
    return success();
  }

  Status checkDispatch(const KernelInfo &kernel, const VariantInfo &variant) const {
    const Dispatch &dispatch = variant.dispatch;
    if (dispatch.mul.product() == 0 || dispatch.div.product() == 0)
      return refuse(kernel, variant, "has a dispatch rule with a zero factor");
    if (Status guarded = checkGuard(kernel, variant); !guarded)
      return guarded;
    bool isBounded[3] = {};
    for (const DispatchBound &bound : dispatch.bounds) {
      if (bound.axis > 2)
        return refuse(kernel, variant, "has a bound on axis " + std::to_string(bound.axis));
      if (!isWellFormed(bound.bound))
        return refuse(kernel, variant, "has a bound that is not a well-formed expression");
      bool growsWithAxis = bound.terms.empty();
      for (const BoundTerm &term : bound.terms) {
        if (term.axis > 2)
          return refuse(kernel, variant, "has a bound on axis " + std::to_string(term.axis));
        if (!isWellFormed(term.factor))
          return refuse(kernel, variant, "has a bound that is not a well-formed expression");
        growsWithAxis |= term.axis == bound.axis;
      }
      if (!isWellFormed(bound.offset) || (bound.divisor && !isWellFormed(*bound.divisor)))
        return refuse(kernel, variant, "has a bound that is not a well-formed expression");
      if (!growsWithAxis)
        return refuse(kernel, variant, "has a bound that does not grow with its axis");
      isBounded[bound.axis] = true;
    }
    if (dispatch.rule == DispatchRule::Cover)
      for (unsigned axis = 0; axis < 3; ++axis)
        if (dispatch.mul[axis] % dispatch.div[axis] != 0 && !isBounded[axis])
          return refuse(kernel, variant,
                        std::string("covers a grid without a bound on ") + kAxisName[axis]);
    return success();
  }
};

} // namespace

Status validateBundle(const Bundle &bundle, const std::string &fileName, ErrorKind kind) {
  return Validator(bundle, fileName, kind).run();
}

} // namespace tailor
