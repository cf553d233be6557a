//===- Bundle/BundleWriter.cpp -------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Bundle/BundleIO.h"
#include "Bundle/Validate.h"
#include "bundle_generated.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/SHA256.h"

#include <algorithm>

namespace tailor {
namespace {

using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;
template <typename T> using Offsets = Offset<flatbuffers::Vector<Offset<T>>>;

fb::Extent extentOf(const Dim3 &dim) { return fb::Extent(dim.x, dim.y, dim.z); }

/// Tables are written children first, always in the order of the fields, so that the bytes
/// depend on the bundle alone.
class Encoder {
  FlatBufferBuilder &builder;

  template <typename Range, typename Write> auto list(const Range &range, Write write) {
    std::vector<decltype(write(*range.begin()))> offsets;
    offsets.reserve(range.size());
    for (const auto &element : range)
      offsets.push_back(write(element));
    return builder.CreateVector(offsets);
  }

public:
  explicit Encoder(FlatBufferBuilder &builder) : builder(builder) {}

  /// `body_bytes` holds 1 until the size is known.
  Offset<fb::Bundle> bundle(const Bundle &bundle) {
    auto tool = text(bundle.tool);
    auto kernels = list(bundle.kernels, [&](const KernelInfo &info) { return kernel(info); });
    auto blobs = list(bundle.blobs, [&](const std::string &bytes) { return blob(bytes); });
    auto interfaces =
        list(bundle.interfaces, [&](const LanguageInterface &each) { return interfaceOf(each); });
    return fb::CreateBundle(builder, kBundleSchema, 1, tool, kernels, blobs, interfaces);
  }

private:
  Offset<flatbuffers::String> text(const std::string &value) { return builder.CreateString(value); }

  Offsets<fb::Text> texts(const std::vector<std::string> &values) {
    return list(values, [&](const std::string &value) {
      auto string = text(value);
      return fb::CreateText(builder, string);
    });
  }

  Offset<fb::Place> place(const Location &location) {
    auto file = text(location.file);
    return fb::CreatePlace(builder, file, location.line, location.column, location.word);
  }

  Offset<fb::Access> access(const AccessFact &fact) {
    auto variable = text(fact.variable);
    auto op = text(fact.op);
    auto space = text(fact.space);
    auto pattern = text(fact.pattern);
    auto location = text(fact.location);
    fb::AccessBuilder table(builder);
    table.add_variable(variable);
    if (fact.set)
      table.add_set(*fact.set);
    if (fact.binding)
      table.add_binding(*fact.binding);
    table.add_op(op);
    table.add_space(space);
    table.add_bytes(fact.bytes);
    table.add_pattern(pattern);
    if (fact.strideBytes[0])
      table.add_stride_x(*fact.strideBytes[0]);
    if (fact.strideBytes[1])
      table.add_stride_y(*fact.strideBytes[1]);
    if (fact.strideBytes[2])
      table.add_stride_z(*fact.strideBytes[2]);
    table.add_location(location);
    return table.Finish();
  }

  Offset<fb::Facts> facts(const KernelFacts &facts) {
    auto kernelClass = text(facts.kernelClass);
    auto subgroupOps = texts(facts.subgroupOps);
    auto ids = texts(facts.ids);
    auto accesses = list(facts.accesses, [&](const AccessFact &fact) { return access(fact); });
    return fb::CreateFacts(builder, kernelClass, facts.sharedBytes, facts.controlBarriers,
                           facts.barriersInLoops, facts.atomics, subgroupOps, ids, accesses);
  }

  Offset<fb::Expr> expr(const UniformExpr &expression) {
    Offsets<fb::Expr> operands;
    if (!expression.operands.empty())
      operands = list(expression.operands, [&](const UniformExpr &e) { return expr(e); });
    const auto &p = expression.params;
    fb::ExprParams params(p[0], p[1], p[2], p[3]);
    return fb::CreateExpr(builder, static_cast<fb::ExprOp>(expression.op), &params, operands);
  }

  Offset<fb::Bound> bound(const DispatchBound &bound) {
    auto expression = expr(bound.bound);
    auto where = place(bound.location);
    Offsets<fb::BoundTerm> terms;
    Offset<fb::Expr> offset, divisor;
    if (bound.divisor)
      divisor = expr(*bound.divisor);
    if (!bound.terms.empty()) {
      terms = list(bound.terms, [&](const BoundTerm &term) {
        auto factor = expr(term.factor);
        return fb::CreateBoundTerm(builder, static_cast<uint8_t>(term.axis), factor);
      });
      offset = expr(bound.offset);
    }
    return fb::CreateBound(builder, static_cast<uint8_t>(bound.axis), expression, bound.isSigned,
                           bound.inclusive, where, terms, offset, divisor);
  }

  Offset<fb::Dispatch> dispatch(const Dispatch &rule) {
    auto bounds = list(rule.bounds, [&](const DispatchBound &b) { return bound(b); });
    fb::Extent mul = extentOf(rule.mul), div = extentOf(rule.div);
    return fb::CreateDispatch(builder, static_cast<fb::DispatchRule>(rule.rule), &mul, &div,
                              bounds);
  }

  Offset<fb::Guard> guard(const std::optional<GuardInfo> &guard) {
    if (!guard)
      return 0;
    auto kind = text(guard->kind);
    Offset<flatbuffers::Vector<uint32_t>> specIds;
    if (!guard->specIds.empty())
      specIds = builder.CreateVector(guard->specIds);
    return fb::CreateGuard(builder, kind, guard->offset, guard->bytes, specIds);
  }

  Offset<fb::Step> step(const StepInfo &info) {
    auto technique = text(info.technique);
    auto parameters = list(info.parameters, [&](const auto &entry) {
      auto name = text(entry.first);
      auto value = text(entry.second);
      return fb::CreateParameter(builder, name, value);
    });
    fb::Extent size = extentOf(info.localSize);
    return fb::CreateStep(builder, technique, &size, parameters);
  }

  Offset<fb::Variant> variant(const VariantInfo &info) {
    auto id = text(info.id);
    auto technique = text(info.technique);
    auto rule = dispatch(info.dispatch);
    auto assumes = texts(info.assumes);
    auto guarded = guard(info.guard);
    auto specConstants = list(info.specConstants, [&](const auto &entry) {
      return fb::CreateSpecValue(builder, entry.first, entry.second);
    });
    auto why = text(info.why);
    auto skipped = list(info.skipped, [&](const auto &entry) {
      auto target = text(entry.first);
      auto reason = text(entry.second);
      return fb::CreateSkip(builder, target, reason);
    });
    auto code = list(info.code, [&](const auto &entry) {
      auto target = text(entry.first);
      return codeOf(target, entry.second);
    });
    auto steps = list(info.steps, [&](const StepInfo &each) { return step(each); });
    Offset<flatbuffers::String> chosenFor;
    if (!info.chosenFor.empty())
      chosenFor = text(info.chosenFor);
    fb::Extent size = extentOf(info.localSize);
    return fb::CreateVariant(builder, id, technique, &size, info.sharedBytes, rule, assumes,
                             guarded, specConstants, static_cast<fb::Evidence>(info.evidence), why,
                             skipped, code, steps, chosenFor);
  }

  Offset<fb::Refusal> refusal(const Refusal &refusal) {
    auto technique = text(refusal.technique);
    auto reason = text(refusal.reason);
    auto location = text(refusal.location);
    auto causes = texts(refusal.causes);
    auto variant = text(refusal.variant);
    return fb::CreateRefusal(builder, technique, reason, location, causes, variant);
  }

  Offset<fb::Kernel> kernel(const KernelInfo &info) {
    auto name = text(info.name);
    auto entryPoint = text(info.entryPoint);
    auto sourceHash = text(info.sourceHash);
    auto spelling = text(info.spelling);
    auto kernelFacts = facts(info.facts);
    auto variants = list(info.variants, [&](const VariantInfo &v) { return variant(v); });
    auto refused = list(info.refused, [&](const Refusal &r) { return refusal(r); });
    fb::Extent size = extentOf(info.authoredSize);
    const fb::Extent groups = extentOf(info.assumedGroups.value_or(Dim3()));
    return fb::CreateKernel(builder, name, entryPoint, sourceHash, &size, spelling, kernelFacts,
                            variants, refused, info.assumedGroups ? &groups : nullptr);
  }

  Offset<fb::Code> codeOf(Offset<flatbuffers::String> target, const CodeInfo &info) {
    Offset<flatbuffers::Vector<uint8_t>> bytes;
    if (info.isPatched())
      bytes = builder.CreateVector(reinterpret_cast<const uint8_t *>(info.bytes.data()),
                                   info.bytes.size());
    const flatbuffers::Optional<uint32_t> interface = info.interface;
    return fb::CreateCode(builder, target, info.blob, interface, info.at, info.count, bytes);
  }

  Offsets<fb::PlaceNumber> place(const std::vector<PlaceNumber> &numbers) {
    return list(numbers, [&](const PlaceNumber &each) {
      auto word = text(each.word);
      return fb::CreatePlaceNumber(builder, word, each.number);
    });
  }

  Offset<fb::PlacedResource> placed(const PlacedResource &resource) {
    auto kind = text(resource.kind);
    auto name = text(resource.name);
    auto numbers = place(resource.place);
    flatbuffers::Optional<uint32_t> set, binding;
    if (resource.sampler) {
      set = resource.sampler->first;
      binding = resource.sampler->second;
    }
    return fb::CreatePlacedResource(builder, kind, name, resource.set, resource.binding,
                                    resource.count, resource.writes, numbers, set, binding);
  }

  Offset<fb::PlacedValues> placed(const PlacedValues &values) {
    auto what = text(values.what);
    auto kind = text(values.kind);
    auto name = text(values.name);
    auto numbers = place(values.place);
    return fb::CreatePlacedValues(builder, what, kind, name, values.bytes, numbers);
  }

  Offset<fb::Interface> interfaceOf(const LanguageInterface &info) {
    auto entryPoint = text(info.entryPoint);
    auto version = text(info.version);
    auto resources = list(info.resources, [&](const PlacedResource &each) { return placed(each); });
    auto values = list(info.values, [&](const PlacedValues &each) { return placed(each); });
    auto features = texts(info.features);
    return fb::CreateInterface(builder, entryPoint, version, resources, values, features);
  }

  Offset<fb::Blob> blob(const std::string &bytes) {
    builder.ForceVectorAlignment(bytes.size(), 1, 4);
    auto data = builder.CreateVector(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size());
    return fb::CreateBlob(builder, data);
  }
};

/// At least the bytes that the bundle's file takes. The builder itself stops the process when it
/// runs past its limit, so it is asked only when this says that it will not.
class SizeBound {
public:
  uint64_t of(const Bundle &bundle) {
    total = kBundleChecksumBytes + kTable;
    add(bundle.tool);
    for (const std::string &blob : bundle.blobs)
      add(blob);
    for (const LanguageInterface &interface : bundle.interfaces)
      add(interface);
    for (const KernelInfo &kernel : bundle.kernels)
      add(kernel);
    return total;
  }

private:
  // A table with its vtable, its offset in a vector and all padding: Access, the largest, takes
  // less than half of this. Text has a length, an end and padding.
  static constexpr uint64_t kTable = 256, kText = 32;
  uint64_t total = 0;

  void add(const std::string &text) { total += kTable + kText + text.size(); }
  void add(const UniformExpr &expr) {
    total += kTable;
    for (const UniformExpr &operand : expr.operands)
      add(operand);
  }
  void add(const std::vector<PlaceNumber> &place) {
    for (const PlaceNumber &each : place)
      add(each.word);
  }
  void add(const LanguageInterface &interface) {
    add(interface.entryPoint);
    add(interface.version);
    for (const PlacedResource &resource : interface.resources) {
      total += kTable;
      add(resource.kind);
      add(resource.name);
      add(resource.place);
    }
    for (const PlacedValues &values : interface.values) {
      total += kTable;
      for (const std::string *text : {&values.what, &values.kind, &values.name})
        add(*text);
      add(values.place);
    }
    for (const std::string &feature : interface.features)
      add(feature);
  }
  void add(const VariantInfo &variant) {
    total += 3 * kTable + kTable * variant.specConstants.size();
    for (const std::string *text :
         {&variant.id, &variant.technique, &variant.why, &variant.chosenFor})
      add(*text);
    for (const std::string &assumption : variant.assumes)
      add(assumption);
    for (const DispatchBound &bound : variant.dispatch.bounds) {
      total += 2 * kTable;
      add(bound.location.file);
      add(bound.bound);
      add(bound.offset);
      if (bound.divisor)
        add(*bound.divisor);
      for (const BoundTerm &term : bound.terms) {
        total += kTable;
        add(term.factor);
      }
    }
    if (variant.guard)
      add(variant.guard->kind);
    for (const auto &[target, reason] : variant.skipped) {
      add(target);
      add(reason);
    }
    for (const auto &[target, code] : variant.code) {
      add(target);
      add(code.bytes);
    }
    for (const StepInfo &step : variant.steps) {
      total += kTable;
      add(step.technique);
      for (const auto &[name, value] : step.parameters) {
        add(name);
        add(value);
      }
    }
  }
  void add(const KernelInfo &kernel) {
    total += 3 * kTable;
    for (const std::string *text : {&kernel.name, &kernel.entryPoint, &kernel.sourceHash,
                                    &kernel.spelling, &kernel.facts.kernelClass})
      add(*text);
    for (const auto *texts : {&kernel.facts.subgroupOps, &kernel.facts.ids})
      for (const std::string &text : *texts)
        add(text);
    for (const AccessFact &access : kernel.facts.accesses)
      for (const std::string *text :
           {&access.variable, &access.op, &access.space, &access.pattern, &access.location})
        add(*text);
    for (const VariantInfo &variant : kernel.variants)
      add(variant);
    for (const Refusal &refusal : kernel.refused) {
      for (const std::string *text :
           {&refusal.technique, &refusal.reason, &refusal.location, &refusal.variant})
        add(*text);
      for (const std::string &cause : refusal.causes)
        add(cause);
    }
  }
};

} // namespace

Result<std::string> writeBundle(const Bundle &bundle, uint64_t maxBytes) {
  if (Status status = validateBundle(bundle, "", ErrorKind::Internal); !status)
    return status.takeFailure();
  maxBytes = std::min(maxBytes, kMaxBundleBytes);
  if (uint64_t bytes = SizeBound().of(bundle); bytes > maxBytes)
    return failure(Location{}, "the bundle needs up to " + std::to_string(bytes) +
                                   " bytes, the format allows " + std::to_string(maxBytes));

  FlatBufferBuilder builder(1 << 16);
  fb::FinishBundleBuffer(builder, Encoder(builder).bundle(bundle));
  const uint64_t bodyBytes = builder.GetSize();
  fb::GetMutableBundle(builder.GetBufferPointer())->mutate_body_bytes(bodyBytes);

  llvm::ArrayRef<uint8_t> body(builder.GetBufferPointer(), bodyBytes);
  std::string file(reinterpret_cast<const char *>(body.data()), body.size());
  std::array<uint8_t, kBundleChecksumBytes> checksum = llvm::SHA256::hash(body);
  file.append(reinterpret_cast<const char *>(checksum.data()), checksum.size());
  return file;
}

} // namespace tailor
