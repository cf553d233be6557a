//===- Backends/MslRules.cpp -----------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#define SPV_ENABLE_UTILITY_CODE // SpvHasResultAndType
#include "Backends/MslRules.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <vector>

namespace tailor {
namespace {

constexpr uint32_t kVersions[] = {20000, 20100, 20200, 20300, 20400, 30000, 30100};

// Of SPIR-V extensions that the headers may not name by their promoted name.
constexpr uint32_t kAtomicFAdd = 6035, kAtomicFMin = 5614, kAtomicFMax = 5615;
constexpr uint32_t kMaxReadWriteTextures = 8;
constexpr uint32_t kOrdered = SpvMemorySemanticsAcquireMask | SpvMemorySemanticsReleaseMask |
                              SpvMemorySemanticsAcquireReleaseMask |
                              SpvMemorySemanticsSequentiallyConsistentMask;
constexpr uint32_t kDeviceMemory = SpvMemorySemanticsUniformMemoryMask |
                                   SpvMemorySemanticsCrossWorkgroupMemoryMask |
                                   SpvMemorySemanticsImageMemoryMask;

/// The operands of an instruction that say where an atomic is and how it is ordered.
struct AtomicOperands {
  uint32_t pointer, semantics; ///< words behind the first; 0: no atomic
};
AtomicOperands atomicOperands(uint32_t op) {
  if (op == SpvOpAtomicStore)
    return {1, 3};
  if ((op >= SpvOpAtomicLoad && op <= SpvOpAtomicXor) || op == kAtomicFAdd || op == kAtomicFMin ||
      op == kAtomicFMax)
    return {3, 5};
  return {0, 0};
}

class Rules {
public:
  Rules(const EmitRequest &request, const ModuleFacts &facts)
      : words(request.spirv), options(request.options), facts(facts) {}

  Result<std::set<std::string>> run() {
    defineAll();
    for (Status (Rules::*rule)() :
         {&Rules::checkTypes, &Rules::checkBarriers, &Rules::checkAtomics, &Rules::checkImages,
          &Rules::checkSubgroups, &Rules::checkBooleanComponents, &Rules::checkRowMajor})
      if (Status fine = (this->*rule)(); !fine)
        return fine.takeFailure();
    findFloatFeatures();
    return std::move(features);
  }

private:
  /// Calls `visit(op, at)` for each instruction until it returns a failure.
  template <typename Visit> Status each(Visit visit) const {
    for (size_t at = 5; at < words.size() && words[at] >> 16 != 0; at += words[at] >> 16)
      if (Status fine = visit(words[at] & 0xffff, static_cast<uint32_t>(at)); !fine)
        return fine;
    return success();
  }

  void defineAll() {
    definitions.assign(words[3], 0);
    (void)each([&](uint32_t op, uint32_t at) -> Status {
      bool hasResult = false, hasType = false;
      SpvHasResultAndType(static_cast<SpvOp>(op), &hasResult, &hasType);
      const uint32_t length = words[at] >> 16, place = hasType ? 2 : 1;
      if (hasResult && place < length && words[at + place] < definitions.size())
        definitions[words[at + place]] = at;
      return success();
    });
  }

  uint32_t definition(uint32_t id) const { return id < definitions.size() ? definitions[id] : 0; }
  uint32_t opOf(uint32_t id) const {
    return definition(id) == 0 ? uint32_t{SpvOpNop} : words[definition(id)] & 0xffff;
  }
  uint32_t operand(uint32_t id, uint32_t index) const {
    const uint32_t at = definition(id);
    return at != 0 && index < words[at] >> 16 ? words[at + index] : 0;
  }
  std::optional<uint32_t> constant(uint32_t id) const {
    if (opOf(id) == SpvOpConstantNull)
      return 0;
    return opOf(id) == SpvOpConstant ? std::optional(operand(id, 3)) : std::nullopt;
  }
  /// The storage class of a pointer value.
  uint32_t storageOf(uint32_t pointer) const { return operand(operand(pointer, 1), 2); }

  Failure refuse(uint32_t at, std::string what) const {
    return failure(facts.at(at), "msl cannot express " + std::move(what));
  }

  Status checkTypes() {
    if (facts.hasCapability(SpvCapabilityPhysicalStorageBufferAddresses))
      return failure(facts.location(), "msl cannot express addresses of buffers");
    return each([&](uint32_t op, uint32_t at) -> Status {
      if (op != SpvOpTypeArray)
        return success();
      // Written as a macro of the text, which no value of the host reaches.
      const uint32_t length = opOf(words[at + 3]);
      if (length == SpvOpConstant)
        return success();
      return refuse(at, "an array whose length is a specialization constant");
    });
  }

  /// Calls `visit(type, index, isRowMajor)` for each index of an access chain with the type that it
  /// chooses from, and whether that is (in) a row-major matrix.
  template <typename Visit> void eachStep(uint32_t at, Visit visit) const {
    const uint32_t length = words[at] >> 16;
    uint32_t type = operand(operand(words[at + 3], 1), 3); // what the base points to
    bool isRowMajor = false;
    for (uint32_t index = 4; index < length; ++index) {
      const uint32_t chosen = words[at + index];
      visit(type, chosen, isRowMajor);
      if (opOf(type) != SpvOpTypeStruct) {
        type = operand(type, 2); // of an array, vector or matrix
        continue;
      }
      const uint32_t member = constant(chosen).value_or(0);
      isRowMajor = rowMajor.contains({type, member});
      type = operand(type, 2 + member);
    }
  }

  /// SPIRV-Cross 1.3.239 ends the process (an assertion) where an element of a row-major matrix is
  /// taken out of a column that no constant names.
  Status checkRowMajor() {
    (void)each([&](uint32_t op, uint32_t at) -> Status {
      if (op == SpvOpMemberDecorate && words[at + 3] == SpvDecorationRowMajor)
        rowMajor.insert({words[at + 1], words[at + 2]});
      return success();
    });
    return each([&](uint32_t op, uint32_t at) -> Status {
      if (op != SpvOpAccessChain && op != SpvOpInBoundsAccessChain)
        return success();
      bool isOpen = false, isElement = false;
      eachStep(at, [&](uint32_t type, uint32_t index, bool isRowMajor) {
        isElement = isElement || isOpen;
        isOpen = isOpen || (isRowMajor && opOf(type) == SpvOpTypeMatrix && !constant(index));
      });
      return isElement ? refuse(at, "an element of a row-major matrix by the number of a column "
                                    "that is no constant")
                       : Status(success());
    });
  }

  /// SPIRV-Cross keeps booleans in workgroup memory as shorts, and takes a component that no
  /// constant names out of them as out of booleans, which are half as wide.
  Status checkBooleanComponents() {
    return each([&](uint32_t op, uint32_t at) -> Status {
      if ((op != SpvOpAccessChain && op != SpvOpInBoundsAccessChain) || words[at] >> 16 < 5)
        return success();
      const uint32_t pointer = words[at + 1], last = words[at + (words[at] >> 16) - 1];
      if (operand(pointer, 2) != SpvStorageClassWorkgroup || constant(last) ||
          opOf(operand(pointer, 3)) != SpvOpTypeBool)
        return success();
      uint32_t container = 0; // of the last index
      eachStep(at, [&](uint32_t type, uint32_t, bool) { container = type; });
      if (opOf(container) != SpvOpTypeVector)
        return success();
      return refuse(at, "a component of a vector of booleans in workgroup memory by a number that "
                        "is no constant");
    });
  }

  /// SPIRV-Cross writes a memory barrier as threadgroup_barrier, at which the invocations also
  /// wait for each other: right only where all of them come by, which a control barrier in the same
  /// block shows. Metal up to 3.1 has no fence for that.
  Status checkBarriers() {
    std::optional<uint32_t> lone;
    bool meets = false;
    return each([&](uint32_t op, uint32_t at) -> Status {
      if (op == SpvOpLabel || op == SpvOpFunctionEnd) {
        if (lone && !meets)
          return refuse(*lone, "a memory barrier without a control barrier in the same block: "
                               "Metal has none at which invocations do not wait");
        lone.reset();
        meets = false;
      } else if (op == SpvOpMemoryBarrier) {
        lone = lone.value_or(at);
        return checkScope(at, 1, 2);
      } else if (op == SpvOpControlBarrier) {
        // A barrier of a subgroup makes no statement about the workgroup.
        meets = meets || constant(words[at + 1]) == SpvScopeWorkgroup;
        if (constant(words[at + 1]).value_or(0) < SpvScopeWorkgroup)
          return refuse(at, "a control barrier of more than a workgroup");
        return checkScope(at, 2, 3);
      }
      return success();
    });
  }

  /// threadgroup_barrier orders device memory for the threadgroup alone.
  Status checkScope(uint32_t at, uint32_t scopeWord, uint32_t semanticsWord) {
    const std::optional<uint32_t> scope = constant(words[at + scopeWord]),
                                  semantics = constant(words[at + semanticsWord]);
    if (!scope || !semantics)
      return refuse(at, "a barrier whose scope is not a constant");
    const bool wide = *scope < SpvScopeWorkgroup || *scope == SpvScopeQueueFamily;
    if (wide && (*semantics & kDeviceMemory) != 0 && deviceAtomic())
      return refuse(at, "a memory barrier of the device in a kernel with atomics in buffers: "
                        "Metal 3.1 orders memory within a threadgroup alone");
    return success();
  }

  bool deviceAtomic() const {
    return !each([&](uint32_t op, uint32_t at) -> Status {
      const AtomicOperands atomic = atomicOperands(op);
      if (atomic.pointer != 0 && storageOf(words[at + atomic.pointer]) != SpvStorageClassWorkgroup)
        return refuse(at, "");
      return success();
    });
  }

  Status checkAtomics() {
    return each([&](uint32_t op, uint32_t at) -> Status {
      const AtomicOperands atomic = atomicOperands(op);
      if (op == SpvOpImageTexelPointer)
        return refuse(at, "atomics on images");
      if (atomic.pointer == 0)
        return success();
      const uint32_t last = op == SpvOpAtomicCompareExchange ? 6 : atomic.semantics;
      for (uint32_t word = atomic.semantics; word <= last; ++word)
        if (constant(words[at + word]).value_or(kOrdered) & kOrdered)
          return refuse(at,
                        "an atomic that orders other accesses: Metal 3.1 has relaxed ones only");
      if (op == kAtomicFAdd || op == kAtomicFMin || op == kAtomicFMax)
        return refuse(at, "atomics on floats"); // SPIRV-Cross would write GLSL's names
      return success();
    });
  }

  Status checkImages();
  Status checkReadWrite(uint32_t variable, uint32_t image, bool reads, bool writes);

  Status checkSubgroups() {
    bool shuffles = false, reduces = false;
    std::optional<uint32_t> first;
    (void)each([&](uint32_t op, uint32_t at) -> Status {
      if (op < SpvOpGroupNonUniformElect || op > SpvOpGroupNonUniformQuadSwap)
        return success();
      first = first.value_or(at);
      const bool arithmetic =
          op >= SpvOpGroupNonUniformIAdd && op <= SpvOpGroupNonUniformLogicalXor;
      (arithmetic ? reduces : shuffles) = true;
      return success();
    });
    // SPIRV-Cross would take the quadgroup, of four, for the subgroup.
    if (first && options.mslPlatform == MslPlatform::Ios && options.mslVersion < 20300)
      return refuse(*first, "subgroup operations on iOS below Metal 2.3");
    if (shuffles)
      features.insert("simdgroup_permute");
    if (reduces)
      features.insert("simdgroup_reduction");
    return success();
  }

  /// By the highest word of a float: an exponent of ones is a NaN's or an infinity's.
  static bool isFinite(uint32_t width, uint32_t highest) {
    const uint32_t exponent = width == 16 ? 0x7c00 : width == 32 ? 0x7f800000 : 0x7ff00000;
    return (highest & exponent) != exponent;
  }

  /// Metal compilers assume by default that no float is a NaN or infinite, and reassociate.
  void findFloatFeatures() {
    (void)each([&](uint32_t op, uint32_t at) -> Status {
      bool strict = op == SpvOpIsNan || op == SpvOpIsInf ||
                    (op == SpvOpDecorate && words[at + 2] == SpvDecorationNoContraction);
      if (op == SpvOpExecutionMode)
        strict = words[at + 2] == SpvExecutionModeSignedZeroInfNanPreserve ||
                 words[at + 2] == SpvExecutionModeDenormPreserve;
      if (op == SpvOpConstant && opOf(words[at + 1]) == SpvOpTypeFloat)
        strict = !isFinite(operand(words[at + 1], 2), words[at + (words[at] >> 16) - 1]);
      if (strict)
        features.insert("-fno-fast-math");
      return success();
    });
  }

  std::span<const uint32_t> words;
  const EmitOptions &options;
  const ModuleFacts &facts;
  std::set<std::pair<uint32_t, uint32_t>> rowMajor; ///< structure and member
  std::vector<uint32_t> definitions;
  std::set<std::string> features;
  uint32_t readWriteTextures = 0;
};

/// Formats of which a texture can be read and written in one kernel, by tier (Metal feature set
/// tables, texture capabilities by pixel format; MTLReadWriteTextureTier).
int readWriteTier(uint32_t format) {
  switch (format) {
  case SpvImageFormatR32f:
  case SpvImageFormatR32i:
  case SpvImageFormatR32ui:
    return 1;
  case SpvImageFormatRgba32f:
  case SpvImageFormatRgba32i:
  case SpvImageFormatRgba32ui:
  case SpvImageFormatRgba16f:
  case SpvImageFormatRgba16i:
  case SpvImageFormatRgba16ui:
  case SpvImageFormatRgba8:
  case SpvImageFormatRgba8i:
  case SpvImageFormatRgba8ui:
  case SpvImageFormatR16f:
  case SpvImageFormatR16i:
  case SpvImageFormatR16ui:
  case SpvImageFormatR8:
  case SpvImageFormatR8i:
  case SpvImageFormatR8ui:
  case SpvImageFormatUnknown: // the host's choice
    return 2;
  default:
    return 0;
  }
}

Status Rules::checkReadWrite(uint32_t variable, uint32_t image, bool reads, bool writes) {
  if (!reads || !writes)
    return success();
  const int tier = readWriteTier(operand(image, 8));
  if (tier == 0)
    return refuse(definition(variable), "an image that is read and written in this format");
  features.insert("read_write_texture_tier" + std::to_string(tier));
  if (++readWriteTextures > kMaxReadWriteTextures)
    return refuse(definition(variable), "more than 8 images that are both read and written");
  return success();
}

Status Rules::checkImages() {
  struct Use {
    uint32_t variable, image;
    bool reads = false, writes = false;
  };
  std::vector<Use> uses;
  auto variableOf = [&](uint32_t id) {
    for (unsigned depth = 0; depth < 16; ++depth) {
      const uint32_t op = opOf(id);
      if (op != SpvOpLoad && op != SpvOpAccessChain && op != SpvOpInBoundsAccessChain &&
          op != SpvOpCopyObject)
        break;
      id = operand(id, 3);
    }
    return id;
  };
  Status fine = each([&](uint32_t op, uint32_t at) -> Status {
    if (op == SpvOpTypeImage && words[at + 3] == SpvDimBuffer && options.mslVersion < 20100)
      return refuse(at, "texel buffers below Metal 2.1");
    if (op != SpvOpImageRead && op != SpvOpImageWrite)
      return success();
    const uint32_t value = words[at + (op == SpvOpImageRead ? 3 : 1)];
    const uint32_t variable = variableOf(value);
    auto use = std::find_if(uses.begin(), uses.end(),
                            [&](const Use &known) { return known.variable == variable; });
    if (use == uses.end())
      use = uses.insert(use, Use{variable, operand(value, 1)});
    (op == SpvOpImageRead ? use->reads : use->writes) = true;
    return success();
  });
  if (!fine)
    return fine;
  for (const Use &use : uses)
    if (Status allowed = checkReadWrite(use.variable, use.image, use.reads, use.writes); !allowed)
      return allowed;
  return success();
}

bool isName(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

} // namespace

std::span<const uint32_t> mslVersions() { return kVersions; }

std::string mslVersionName(uint32_t version) {
  return std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100);
}

const LanguageLimits &mslIosLimits(uint32_t version) {
  // Up to 2.4 the language runs on Apple2 (A8), from 3.0 on on Apple3 (A9, A10) and later.
  static constexpr LanguageLimits kApple2 = {
      LimitStrength::Guaranteed, 512, {512, 512, 512}, 16352, "Metal feature set tables, Apple2"};
  static constexpr LanguageLimits kApple3 = {
      LimitStrength::Guaranteed, 512, {512, 512, 512}, 16384, "Metal feature set tables, Apple3"};
  return version < 30000 ? kApple2 : kApple3;
}

uint32_t mslTextures(MslPlatform platform) { return platform == MslPlatform::MacOs ? 128 : 31; }

Result<std::set<std::string>> checkMslRules(const EmitRequest &request, const ModuleFacts &facts) {
  return Rules(request, facts).run();
}

std::string withTextureFences(const std::string &text) {
  constexpr std::string_view access = "access::read_write>";
  std::set<std::string> names;
  for (size_t at = text.find(access); at != std::string::npos; at = text.find(access, at + 1)) {
    // `texture2d<float, access::read_write> name`, `array<texture2d<...>, 4> name`
    size_t begin = at + access.size();
    while (begin < text.size() && (text[begin] == ' ' || text[begin] == ',' || text[begin] == '>' ||
                                   std::isdigit(static_cast<unsigned char>(text[begin])) != 0))
      ++begin;
    size_t end = begin;
    while (end < text.size() && isName(text[end]))
      ++end;
    names.insert(text.substr(begin, end - begin));
  }
  if (names.empty())
    return text;

  std::string result;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    result += line;
    const size_t start = line.find_first_not_of(' '), write = line.find(".write(");
    if (start != std::string::npos && write != std::string::npos) {
      size_t stop = start;
      while (isName(line[stop]))
        ++stop;
      if (names.contains(line.substr(start, stop - start)) && line.ends_with(");"))
        result += "\n" + line.substr(0, write) + ".fence();";
    }
    if (end < text.size())
      result += '\n';
    at = end + 1;
  }
  return result;
}

} // namespace tailor
