//===- Backends/ModuleFacts.cpp --------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Backends/ModuleFacts.h"

#include <algorithm>

namespace tailor {
namespace {

constexpr uint32_t kHeaderWords = 5;
constexpr uint32_t kMaxIdBound = 0x3fffff + 1; // SPIR-V specification, universal limits
constexpr unsigned kMaxTypeDepth = 256;        // the same: structure nesting is 255

/// A literal string operand of at most `count` words.
std::string_view stringAt(std::span<const uint32_t> words, uint32_t word, uint32_t count) {
  const char *bytes = reinterpret_cast<const char *>(words.data() + word);
  size_t size = size_t{count} * 4;
  return {bytes, static_cast<size_t>(std::find(bytes, bytes + size, '\0') - bytes)};
}

/// Where the operands of an instruction in a function body that may be ids of
/// variables end: what follows are literals. 0: it has none at all.
uint32_t idOperandsEnd(SpvOp op, uint32_t length) {
  switch (op) {
  case SpvOpLine:
  case SpvOpNoLine:
  case SpvOpLabel:
  case SpvOpBranch:
  case SpvOpBranchConditional:
  case SpvOpSwitch:
  case SpvOpLoopMerge:
  case SpvOpSelectionMerge:
  case SpvOpCompositeExtract:
  case SpvOpCompositeInsert:
  case SpvOpVectorShuffle:
    return 0; // none of their operands is a pointer
  case SpvOpLoad:
    return std::min(length, 4u);
  case SpvOpStore:
  case SpvOpCopyMemory:
    return std::min(length, 3u);
  default:
    return length;
  }
}

} // namespace

Result<ModuleFacts> ModuleFacts::read(std::span<const uint32_t> words,
                                      const std::string &entryPoint, const std::string &fileName) {
  ModuleFacts facts;
  facts.words = words;
  facts.fileName = fileName;
  if (words.size() < kHeaderWords || words[0] != SpvMagicNumber)
    return failure(facts.location(), "not a SPIR-V module in this machine's byte order");
  if (words[3] > kMaxIdBound)
    return failure(facts.at(3), "the id bound " + std::to_string(words[3]) +
                                    " is over SPIR-V's limit of " + std::to_string(kMaxIdBound));
  facts.definitions.assign(words[3], 0);
  if (Status scanned = facts.scan(entryPoint); !scanned)
    return scanned.takeFailure();
  return facts;
}

Status ModuleFacts::scan(const std::string &entryPoint) {
  bool inFunction = false;
  for (uint32_t at = kHeaderWords; at < words.size();) {
    const uint32_t length = lengthAt(at);
    if (length == 0 || length > words.size() - at)
      return failure(this->at(at), "the module ends inside an instruction");
    const SpvOp op = opAt(at);
    if (op == SpvOpFunction && length >= 5) {
      inFunction = true;
      functions.push_back({words[at + 2], at, 0});
    } else if (op == SpvOpFunctionEnd && inFunction) {
      inFunction = false;
      functions.back().end = at + length;
    } else if (op == SpvOpEntryPoint && length >= 4) {
      if (static_cast<SpvExecutionModel>(words[at + 1]) == SpvExecutionModelGLCompute &&
          stringAt(words, at + 3, length - 3) == entryPoint)
        entryFunction = words[at + 2], entryWord = at;
    } else if (!inFunction) {
      if (Status global = scanGlobal(at, length); !global)
        return global;
    }
    at += length;
  }
  if (inFunction)
    return failure(location(), "the module ends inside a function");
  if (entryFunction == 0)
    return failure(location(), "there is no compute entry point '" + entryPoint + "'",
                   ErrorKind::Usage);

  unsigned spellings = decoratedSize ? 1 : 0;
  for (uint32_t mode : sizeModes) {
    if (words[mode + 1] != entryFunction)
      continue;
    ++spellings;
    if (opAt(mode) == SpvOpExecutionMode)
      size = Dim3{words[mode + 3], words[mode + 4], words[mode + 5]};
  }
  if (spellings != 1)
    size.reset();
  scanReachable();
  return success();
}

Status ModuleFacts::scanGlobal(uint32_t at, uint32_t length) {
  auto define = [&](uint32_t id) {
    if (id < definitions.size())
      definitions[id] = at;
  };
  switch (opAt(at)) {
  case SpvOpCapability:
    if (length >= 2)
      capabilities.push_back(static_cast<SpvCapability>(words[at + 1]));
    break;
  case SpvOpExecutionMode:
    if (length >= 6 && static_cast<SpvExecutionMode>(words[at + 2]) == SpvExecutionModeLocalSize)
      sizeModes.push_back(at);
    break;
  case SpvOpExecutionModeId:
    if (length >= 6 && static_cast<SpvExecutionMode>(words[at + 2]) == SpvExecutionModeLocalSizeId)
      sizeModes.push_back(at);
    break;
  case SpvOpDecorate:
    if (length >= 4 && static_cast<SpvDecoration>(words[at + 2]) == SpvDecorationBuiltIn &&
        static_cast<SpvBuiltIn>(words[at + 3]) == SpvBuiltInWorkgroupSize)
      decoratedSize = true;
    break;
  case SpvOpVariable:
    if (length < 4)
      return failure(this->at(at), "the module ends inside an instruction");
    define(words[at + 2]);
    if (static_cast<SpvStorageClass>(words[at + 3]) == SpvStorageClassWorkgroup)
      sharedVariables.push_back(words[at + 2]);
    break;
  case SpvOpConstant:
  case SpvOpSpecConstant:
  case SpvOpSpecConstantOp:
    if (length >= 4)
      define(words[at + 2]);
    break;
  case SpvOpTypeBool:
  case SpvOpTypeInt:
  case SpvOpTypeFloat:
  case SpvOpTypeVector:
  case SpvOpTypeMatrix:
  case SpvOpTypeArray:
  case SpvOpTypeStruct:
  case SpvOpTypePointer:
    if (length >= 2)
      define(words[at + 1]);
    break;
  default:
    break;
  }
  return success();
}

void ModuleFacts::scanReachable() {
  sharedUsed.assign(sharedVariables.size(), false);
  reached.assign(functions.size(), false);
  // SPIR-V 1.4 and later list them at the entry point: those stay declared.
  const uint32_t nameWords =
      static_cast<uint32_t>(stringAt(words, entryWord + 3, lengthAt(entryWord) - 3).size() / 4 + 1);
  for (uint32_t operand = 3 + nameWords; operand < lengthAt(entryWord); ++operand)
    for (size_t i = 0; i < sharedVariables.size(); ++i)
      if (words[entryWord + operand] == sharedVariables[i])
        sharedUsed[i] = true;
  std::vector<uint32_t> pending{entryFunction};
  while (!pending.empty()) {
    uint32_t id = pending.back();
    pending.pop_back();
    for (size_t i = 0; i < functions.size(); ++i) {
      if (functions[i].id != id || reached[i])
        continue;
      reached[i] = true;
      scanBody(functions[i], pending);
    }
  }
}

void ModuleFacts::scanBody(const Function &function, std::vector<uint32_t> &pending) {
  for (uint32_t at = function.begin; at < function.end; at += lengthAt(at)) {
    const SpvOp op = opAt(at);
    const uint32_t length = lengthAt(at);
    if (std::none_of(uses.begin(), uses.end(), [&](const OpRef &use) { return use.op == op; }))
      uses.push_back({op, at});
    if (op == SpvOpFunctionCall && length >= 4)
      pending.push_back(words[at + 3]);
    if (sharedVariables.empty())
      continue;
    for (uint32_t operand = 1, end = idOperandsEnd(op, length); operand < end; ++operand)
      for (size_t i = 0; i < sharedVariables.size(); ++i)
        if (words[at + operand] == sharedVariables[i])
          sharedUsed[i] = true;
  }
}

/// Input variables that the entry point does not name: those of others.
std::vector<uint32_t> ModuleFacts::foreignInputs() const {
  uint32_t name = entryWord + 3; // behind model and function: the first word of the name
  const uint32_t entryEnd = entryWord + lengthAt(entryWord);
  while (name < entryEnd && (words[name] >> 24) != 0)
    ++name;
  const auto named =
      words.subspan(std::min(name + 1, entryEnd), entryEnd - std::min(name + 1, entryEnd));
  std::vector<uint32_t> foreign;
  for (uint32_t at = kHeaderWords; at < words.size() && opAt(at) != SpvOpFunction;
       at += lengthAt(at))
    if (opAt(at) == SpvOpVariable && words[at + 3] == SpvStorageClassInput &&
        std::find(named.begin(), named.end(), words[at + 2]) == named.end())
      foreign.push_back(words[at + 2]);
  return foreign;
}

std::optional<std::vector<uint32_t>> ModuleFacts::isolated() const {
  auto all = [](const std::vector<bool> &list) {
    return std::find(list.begin(), list.end(), false) == list.end();
  };
  std::vector<uint32_t> dropped = foreignInputs();
  if (all(reached) && all(sharedUsed) && dropped.empty())
    return std::nullopt;
  for (size_t i = 0; i < sharedVariables.size(); ++i)
    if (!sharedUsed[i])
      dropped.push_back(sharedVariables[i]);
  auto drops = [&](uint32_t id) {
    return std::find(dropped.begin(), dropped.end(), id) != dropped.end();
  };

  std::vector<uint32_t> result(words.begin(), words.begin() + kHeaderWords);
  result.reserve(words.size());
  size_t function = 0;
  for (uint32_t at = kHeaderWords; at < words.size();) {
    uint32_t end = at + lengthAt(at);
    bool keep = true;
    switch (opAt(at)) {
    case SpvOpFunction:
      keep = reached[function];
      end = functions[function++].end;
      break;
    case SpvOpEntryPoint:
      keep = at == entryWord;
      break;
    case SpvOpExecutionMode:
    case SpvOpExecutionModeId:
      keep = words[at + 1] == entryFunction;
      break;
    case SpvOpName:
    case SpvOpDecorate:
      keep = !drops(words[at + 1]);
      break;
    case SpvOpVariable:
      keep = !drops(words[at + 2]);
      break;
    default:
      break;
    }
    if (keep)
      result.insert(result.end(), words.begin() + at, words.begin() + end);
    at = end;
  }
  return result;
}

bool ModuleFacts::hasCapability(SpvCapability capability) const {
  return std::find(capabilities.begin(), capabilities.end(), capability) != capabilities.end();
}

std::optional<OpRef> ModuleFacts::firstUse(SpvOp op) const {
  for (const OpRef &use : uses)
    if (use.op == op)
      return use;
  return std::nullopt;
}

std::optional<uint64_t> ModuleFacts::sharedBytes(SharedLayout layout) const {
  uint64_t total = 0;
  for (size_t i = 0; i < sharedVariables.size(); ++i) {
    if (!sharedUsed[i])
      continue;
    uint32_t variable = definition(sharedVariables[i]);
    uint32_t pointer = definition(words[variable + 1]);
    if (pointer == 0 || opAt(pointer) != SpvOpTypePointer)
      return std::nullopt;
    std::optional<Extent> extent = extentOf(words[pointer + 3], layout, 0);
    if (!extent)
      return std::nullopt;
    total = (total + extent->align - 1) / extent->align * extent->align + extent->bytes;
  }
  return total;
}

std::optional<ModuleFacts::Extent> ModuleFacts::extentOf(uint32_t type, SharedLayout layout,
                                                         unsigned depth) const {
  constexpr uint64_t kLimit = uint64_t{1} << 40; // keeps every product below 64 bits
  const uint32_t at = definition(type);
  if (at == 0 || depth > kMaxTypeDepth)
    return std::nullopt;
  switch (opAt(at)) {
  case SpvOpTypeBool:
    return Extent{4, 4};
  case SpvOpTypeInt:
  case SpvOpTypeFloat: {
    uint64_t bytes = std::max<uint64_t>(words[at + 2] / 8, 1);
    return Extent{bytes, bytes};
  }
  case SpvOpTypeVector:
  case SpvOpTypeMatrix: {
    std::optional<Extent> element = extentOf(words[at + 2], layout, depth + 1);
    if (!element)
      return std::nullopt;
    const bool vector = opAt(at) == SpvOpTypeVector;
    uint64_t count = words[at + 3];
    if (layout == SharedLayout::Scalar || !vector)
      return Extent{element->bytes * count, element->align};
    count += count == 3 ? 1 : 0;
    return Extent{element->bytes * count, element->bytes * count};
  }
  case SpvOpTypeArray: {
    std::optional<Extent> element = extentOf(words[at + 2], layout, depth + 1);
    uint32_t length = definition(words[at + 3]);
    if (!element || length == 0 || opAt(length) != SpvOpConstant)
      return std::nullopt;
    if (element->bytes > kLimit)
      return element;
    uint64_t stride = (element->bytes + element->align - 1) / element->align * element->align;
    uint64_t count = words[length + 3];
    return Extent{stride * std::min(count, kLimit), element->align};
  }
  case SpvOpTypeStruct: {
    Extent whole{0, 1};
    for (uint32_t member = 2; member < lengthAt(at); ++member) {
      std::optional<Extent> extent = extentOf(words[at + member], layout, depth + 1);
      if (!extent)
        return std::nullopt;
      whole.align = std::max(whole.align, extent->align);
      whole.bytes = (whole.bytes + extent->align - 1) / extent->align * extent->align;
      whole.bytes = std::min(whole.bytes + extent->bytes, UINT64_MAX / 4);
    }
    whole.bytes = (whole.bytes + whole.align - 1) / whole.align * whole.align;
    return whole;
  }
  default:
    return std::nullopt;
  }
}

} // namespace tailor
