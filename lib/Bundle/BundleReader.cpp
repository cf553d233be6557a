//===- Bundle/BundleReader.cpp -------------------------------------------===//
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
#include <cstring>
#include <memory>

namespace tailor {
namespace {

Dim3 dimOf(const fb::Extent *extent) { return {extent->x(), extent->y(), extent->z()}; }

/// Turns verified tables into a Bundle. Hostile tables can share what they point to, so that a
/// small file would unfold to any size: the decoder copies no more bytes of text and code than the
/// file has, which no file of the writer exceeds.
class Decoder {
public:
  explicit Decoder(uint64_t fileBytes) : bytesLeft(fileBytes) {}

  /// What is wrong with the tables; empty when nothing is.
  const std::string &fault() const { return faultText; }

  Bundle bundle(const fb::Bundle &table) {
    Bundle bundle;
    bundle.tool = text(table.tool());
    for (const fb::Blob *blob : *table.blobs()) {
      uint32_t expected = static_cast<uint32_t>(bundle.blobs.size());
      if (reinterpret_cast<uintptr_t>(blob->data()->data()) % 4 != 0)
        setFault("code " + std::to_string(expected) + " is not aligned to 4 bytes");
      if (bundle.addBlob(bytes(blob->data()->data(), blob->data()->size())) != expected)
        setFault("code " + std::to_string(expected) + " is stored twice");
      if (!faultText.empty())
        return bundle;
    }
    list(table.interfaces(), bundle.interfaces,
         [&](const fb::Interface &each) { return interfaceOf(each); });
    list(table.kernels(), bundle.kernels, [&](const fb::Kernel &k) { return kernel(k); });
    return bundle;
  }

private:
  uint64_t bytesLeft;
  std::string faultText;

  void setFault(std::string text) {
    if (faultText.empty())
      faultText = std::move(text);
  }

  std::string bytes(const void *data, size_t count) {
    if (count > bytesLeft) {
      setFault("its tables name more text and code than the file holds");
      bytesLeft = 0;
      return {};
    }
    bytesLeft -= count;
    return std::string(static_cast<const char *>(data), count);
  }
  std::string text(const flatbuffers::String *string) {
    return string ? bytes(string->data(), string->size()) : std::string();
  }

  template <typename Table, typename Out, typename Read>
  void list(const flatbuffers::Vector<flatbuffers::Offset<Table>> *tables, Out &out, Read read) {
    if (!tables)
      return;
    out.reserve(tables->size());
    for (const Table *table : *tables)
      out.push_back(read(*table));
  }
  void texts(const flatbuffers::Vector<flatbuffers::Offset<fb::Text>> *tables,
             std::vector<std::string> &out) {
    list(tables, out, [&](const fb::Text &table) { return text(table.text()); });
  }

  AccessFact access(const fb::Access &table) {
    AccessFact fact;
    fact.variable = text(table.variable());
    fact.set = table.set();
    fact.binding = table.binding();
    fact.op = text(table.op());
    fact.space = text(table.space());
    fact.bytes = table.bytes();
    fact.pattern = text(table.pattern());
    fact.strideBytes = {table.stride_x(), table.stride_y(), table.stride_z()};
    fact.location = text(table.location());
    return fact;
  }

  KernelFacts facts(const fb::Facts &table) {
    KernelFacts facts;
    facts.kernelClass = text(table.kernel_class());
    facts.sharedBytes = table.shared_bytes();
    facts.controlBarriers = table.control_barriers();
    facts.barriersInLoops = table.barriers_in_loops();
    facts.atomics = table.atomics();
    texts(table.subgroup_ops(), facts.subgroupOps);
    texts(table.ids(), facts.ids);
    list(table.accesses(), facts.accesses, [&](const fb::Access &a) { return access(a); });
    return facts;
  }

  // The verifier bounds the depth.
  UniformExpr expr(const fb::Expr &table) {
    UniformExpr expression;
    if (table.op() > fb::ExprOp::MAX)
      setFault("a bound has the unknown operator " + std::to_string(static_cast<int>(table.op())));
    else
      expression.op = static_cast<UniformExpr::Op>(table.op());
    const fb::ExprParams &p = *table.params();
    expression.params = {p.p0(), p.p1(), p.p2(), p.p3()};
    list(table.operands(), expression.operands, [&](const fb::Expr &e) { return expr(e); });
    return expression;
  }

  DispatchBound bound(const fb::Bound &table) {
    DispatchBound bound;
    bound.axis = table.axis();
    bound.bound = expr(*table.expr());
    bound.isSigned = table.is_signed();
    bound.inclusive = table.inclusive();
    const fb::Place &place = *table.place();
    bound.location = {text(place.file()), place.line(), place.column(), place.word()};
    list(table.terms(), bound.terms,
         [&](const fb::BoundTerm &term) { return BoundTerm{term.axis(), expr(*term.factor())}; });
    if (table.offset())
      bound.offset = expr(*table.offset());
    if (table.divisor())
      bound.divisor = expr(*table.divisor());
    return bound;
  }

  Dispatch dispatch(const fb::Dispatch &table) {
    Dispatch dispatch;
    if (table.rule() > fb::DispatchRule::MAX)
      setFault("a variant has the unknown dispatch rule " +
               std::to_string(static_cast<int>(table.rule())));
    else
      dispatch.rule = static_cast<DispatchRule>(table.rule());
    dispatch.mul = dimOf(table.mul());
    dispatch.div = dimOf(table.div());
    list(table.bounds(), dispatch.bounds, [&](const fb::Bound &b) { return bound(b); });
    return dispatch;
  }

  template <typename Key, typename Value>
  void insert(std::map<Key, Value> &map, Key key, Value value, std::string_view what) {
    if (!map.emplace(std::move(key), std::move(value)).second)
      setFault("a variant names one " + std::string(what) + " twice");
  }

  GuardInfo guardOf(const fb::Guard &table) {
    GuardInfo guard{text(table.kind()), table.offset(), table.bytes()};
    if (!table.spec_ids())
      return guard;
    if (table.spec_ids()->size() > 3)
      setFault("a guard names more than three specialization constants");
    else
      guard.specIds.assign(table.spec_ids()->begin(), table.spec_ids()->end());
    return guard;
  }

  StepInfo step(const fb::Step &table) {
    StepInfo info;
    info.technique = text(table.technique());
    info.localSize = dimOf(table.local_size());
    if (table.parameters())
      for (const fb::Parameter *entry : *table.parameters())
        insert(info.parameters, text(entry->name()), text(entry->value()), "parameter of a step");
    return info;
  }

  CodeInfo codeOf(const fb::Code &table) {
    CodeInfo code(table.blob());
    if (flatbuffers::Optional<uint32_t> interface = table.interface())
      code.interface.emplace(interface.value());
    code.at = table.at();
    code.count = table.count();
    if (table.bytes())
      code.bytes = bytes(table.bytes()->data(), table.bytes()->size());
    return code;
  }

  void place(const flatbuffers::Vector<flatbuffers::Offset<fb::PlaceNumber>> *tables,
             std::vector<PlaceNumber> &out) {
    list(tables, out, [&](const fb::PlaceNumber &each) {
      return PlaceNumber{text(each.word()), each.number()};
    });
  }

  PlacedResource placed(const fb::PlacedResource &table) {
    PlacedResource resource;
    resource.kind = text(table.kind());
    resource.name = text(table.name());
    resource.set = table.set();
    resource.binding = table.binding();
    resource.count = table.count();
    resource.writes = table.writes();
    place(table.place(), resource.place);
    if (table.sampler_set() && table.sampler_binding())
      resource.sampler = {*table.sampler_set(), *table.sampler_binding()};
    return resource;
  }

  PlacedValues placed(const fb::PlacedValues &table) {
    PlacedValues values{
        text(table.what()), text(table.kind()), text(table.name()), table.bytes(), {}};
    place(table.place(), values.place);
    return values;
  }

  LanguageInterface interfaceOf(const fb::Interface &table) {
    LanguageInterface info{text(table.entry_point()), text(table.version()), {}, {}, {}};
    list(table.resources(), info.resources,
         [&](const fb::PlacedResource &each) { return placed(each); });
    list(table.values(), info.values, [&](const fb::PlacedValues &each) { return placed(each); });
    texts(table.features(), info.features);
    return info;
  }

  VariantInfo variant(const fb::Variant &table) {
    VariantInfo info;
    info.id = text(table.id());
    info.technique = text(table.technique());
    info.localSize = dimOf(table.local_size());
    info.sharedBytes = table.shared_bytes();
    info.dispatch = dispatch(*table.dispatch());
    texts(table.assumes(), info.assumes);
    if (const fb::Guard *guard = table.guard())
      info.guard = guardOf(*guard);
    if (table.spec_constants())
      for (const fb::SpecValue *entry : *table.spec_constants())
        insert<uint32_t, uint64_t>(info.specConstants, entry->spec_id(), entry->bits(),
                                   "specialization constant");
    if (table.evidence() > fb::Evidence::MAX)
      setFault("a variant has the unknown evidence " +
               std::to_string(static_cast<int>(table.evidence())));
    else
      info.evidence = static_cast<Evidence>(table.evidence());
    info.why = text(table.why());
    if (table.skipped())
      for (const fb::Skip *skip : *table.skipped())
        insert(info.skipped, text(skip->target()), text(skip->reason()), "skipped language");
    if (table.code())
      for (const fb::Code *code : *table.code())
        insert(info.code, text(code->target()), codeOf(*code), "language");
    list(table.steps(), info.steps, [&](const fb::Step &each) { return step(each); });
    info.chosenFor = text(table.chosen_for());
    return info;
  }

  Refusal refusal(const fb::Refusal &table) {
    Refusal refusal;
    refusal.technique = text(table.technique());
    refusal.reason = text(table.reason());
    refusal.location = text(table.location());
    texts(table.causes(), refusal.causes);
    refusal.variant = text(table.variant());
    return refusal;
  }

  KernelInfo kernel(const fb::Kernel &table) {
    KernelInfo info;
    info.name = text(table.name());
    info.entryPoint = text(table.entry_point());
    info.sourceHash = text(table.source_hash());
    info.authoredSize = dimOf(table.authored_size());
    info.spelling = text(table.spelling());
    info.facts = facts(*table.facts());
    list(table.variants(), info.variants, [&](const fb::Variant &v) { return variant(v); });
    list(table.refused(), info.refused, [&](const fb::Refusal &r) { return refusal(r); });
    if (const fb::Extent *groups = table.assumed_groups())
      info.assumedGroups = dimOf(groups);
    return info;
  }
};

/// Bytes at an address that is aligned for every field: the caller's where they are, else a copy.
class AlignedBytes {
public:
  explicit AlignedBytes(std::string_view bytes) : start(bytes.data()), count(bytes.size()) {
    if (reinterpret_cast<uintptr_t>(start) % alignof(uint64_t) == 0)
      return;
    copy = std::make_unique<uint64_t[]>(count / sizeof(uint64_t) + 1);
    std::memcpy(copy.get(), start, count);
    start = copy.get();
  }
  const uint8_t *data() const { return static_cast<const uint8_t *>(start); }
  size_t size() const { return count; }

private:
  const void *start;
  size_t count;
  std::unique_ptr<uint64_t[]> copy;
};

/// Limits for bytes that anybody may have written: each table takes at least 8 bytes of the file.
flatbuffers::Verifier verifierOf(const uint8_t *data, size_t size) {
  flatbuffers::Verifier::Options options;
  options.max_depth = kMaxUniformDepth + 8; // bundle, kernel, variant, dispatch, bound, expression
  options.max_tables = static_cast<uint32_t>(std::min<size_t>(1 << 20, size / 8 + 1));
  return flatbuffers::Verifier(data, size, options);
}

Failure refuse(const std::string &fileName, std::string text) {
  return failure(Location::inFile(fileName), std::move(text));
}

Failure refuseForeign(std::string_view bytes, const std::string &fileName) {
  std::string text = "the file is not a bundle: ";
  if (bytes.empty())
    return refuse(fileName, text + "it is empty");
  text += "it does not begin as one";
  if (bytes.starts_with("\x03\x02\x23\x07") || bytes.starts_with("\x07\x23\x02\x03"))
    return failure(Diagnostic::error(Location::inFile(fileName), text)
                       .withNote(Location::inFile(fileName),
                                 "this is a SPIR-V module, from which 'build' makes a bundle"));
  return refuse(fileName, text);
}

/// Schema, length and checksum: what can be said before the tables are trusted.
Status checkEnvelope(const AlignedBytes &file, const std::string &fileName) {
  const char identifier[] = {'T', 'L', 'R', 'B', 0};
  flatbuffers::Verifier verifier = verifierOf(file.data(), file.size());
  if (!verifier.VerifyBuffer<fb::Preamble>(identifier))
    return refuse(fileName, "the bundle is damaged or cut short: its first table is not whole");
  const auto *preamble = flatbuffers::GetRoot<fb::Preamble>(file.data());
  if (preamble->schema() > kBundleSchema)
    return failure(
        Diagnostic::error(Location::inFile(fileName),
                          "the bundle has schema " + std::to_string(preamble->schema()) +
                              ", this version reads schema " + std::to_string(kBundleSchema))
            .withNote(Location::inFile(fileName), "a newer version of spirv-tailor wrote it"));
  if (preamble->schema() == 0)
    return refuse(fileName, "the bundle is damaged: it has schema 0");

  const uint64_t bodyBytes = preamble->body_bytes();
  const uint64_t present = file.size();
  if (bodyBytes > kMaxBundleBytes || bodyBytes + kBundleChecksumBytes > present)
    return refuse(fileName, "the bundle is cut short: " + std::to_string(present) + " bytes of " +
                                std::to_string(bodyBytes) + " and a checksum are there");
  if (bodyBytes + kBundleChecksumBytes < present)
    return refuse(fileName, "the bundle is damaged: " +
                                std::to_string(present - bodyBytes - kBundleChecksumBytes) +
                                " bytes follow its end");
  std::array<uint8_t, kBundleChecksumBytes> checksum =
      llvm::SHA256::hash(llvm::ArrayRef<uint8_t>(file.data(), bodyBytes));
  if (std::memcmp(checksum.data(), file.data() + bodyBytes, checksum.size()) != 0)
    return refuse(fileName, "the bundle is damaged: its checksum is not that of its bytes");
  return success();
}

} // namespace

Result<Bundle> readBundle(std::string_view bytes, const std::string &fileName) {
  if (bytes.size() < 8 || bytes.substr(4, 4) != kBundleIdentifier)
    return refuseForeign(bytes, fileName);
  if (bytes.size() > kMaxBundleBytes)
    return refuse(fileName, "the file has " + std::to_string(bytes.size()) +
                                " bytes, the format allows " + std::to_string(kMaxBundleBytes));
  AlignedBytes file(bytes);
  if (Status status = checkEnvelope(file, fileName); !status)
    return status.takeFailure();

  const size_t bodyBytes = file.size() - kBundleChecksumBytes;
  flatbuffers::Verifier verifier = verifierOf(file.data(), bodyBytes);
  if (!fb::VerifyBundleBuffer(verifier))
    return refuse(fileName, "the bundle is damaged: its tables do not hold together");
  Decoder decoder(bodyBytes);
  Bundle bundle = decoder.bundle(*fb::GetBundle(file.data()));
  if (!decoder.fault().empty())
    return refuse(fileName, "the bundle is damaged: " + decoder.fault());
  if (Status status = validateBundle(bundle, fileName, ErrorKind::Refused); !status)
    return status.takeFailure();
  return bundle;
}

} // namespace tailor
