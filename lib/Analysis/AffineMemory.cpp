//===- Analysis/AffineMemory.cpp - Ids, host values and addresses ----------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/AffineImpl.h"

#include "IR/Types.h"

#include <algorithm>

namespace tailor {

AffineExpr AffineSolver::localIdOf(unsigned axis) {
  if (size[axis] == 1)
    return affine::constant(0);
  if (!localSymbols[axis]) {
    Symbol symbol;
    symbol.kind = Symbol::Kind::LocalId;
    symbol.component = static_cast<uint8_t>(axis);
    symbol.range = {0, int64_t{size[axis]} - 1};
    localSymbols[axis] = addSymbol(symbol);
  }
  return affine::symbol(*localSymbols[axis]);
}

/// Global ids have 32 bits: so many groups fit.
static int64_t lastGroup(uint32_t size) { return (int64_t{1} << 32) / size - 1; }

AffineExpr AffineSolver::workgroupIdOf(unsigned axis) {
  if (!workgroupSymbols[axis]) {
    Symbol symbol;
    symbol.kind = Symbol::Kind::WorkgroupId;
    symbol.component = static_cast<uint8_t>(axis);
    symbol.range = {0, lastGroup(size[axis])};
    workgroupSymbols[axis] = addSymbol(symbol);
  }
  return affine::symbol(*workgroupSymbols[axis]);
}

/// Two reads of one value of the dispatch, by one key, are one symbol.
AffineExpr AffineSolver::hostValue(const Instruction &inst, unsigned component, std::string key) {
  auto [at, isNew] = hostSymbols.try_emplace(std::move(key), SymbolIndex{0});
  if (isNew) {
    Symbol symbol;
    symbol.kind = Symbol::Kind::Uniform;
    symbol.component = static_cast<uint8_t>(component);
    symbol.width = static_cast<uint8_t>(widthOf(inst.typeId()));
    symbol.def = &inst;
    symbol.range = affine::fullRange(symbol.width, isSignedInt(inst.typeId()));
    at->second = addSymbol(symbol);
  }
  return affine::symbol(at->second);
}

/// The variable and its indices, where all of those are constants: a name for the place.
std::optional<std::string> AffineSolver::constantPath(const PointerPath &path) {
  std::string key = std::to_string(raw(path.variable->result()));
  for (Id index : path.indices) {
    std::optional<uint64_t> value = ids.constants().evaluateInt(index);
    if (!value)
      return std::nullopt;
    key += "." + std::to_string(*value);
  }
  return key;
}

AffineSolver::Maybe AffineSolver::builtIn(const Instruction &inst, spv::BuiltIn builtIn,
                                          llvm::ArrayRef<Id> indices, unsigned component) {
  if (widthOf(inst.typeId()) != 32)
    return std::nullopt;
  unsigned axis = component;
  if (!indices.empty()) {
    std::optional<uint64_t> index = ids.constants().evaluateInt(indices[0]);
    if (!index || *index > 2)
      return std::nullopt;
    axis = static_cast<unsigned>(*index);
  }
  if (axis > 2)
    return std::nullopt;
  switch (builtIn) {
  case spv::BuiltIn::LocalInvocationId:
    return localIdOf(axis);
  case spv::BuiltIn::WorkgroupId:
    return workgroupIdOf(axis);
  case spv::BuiltIn::GlobalInvocationId:
    return affine::add(affine::scale(workgroupIdOf(axis), size[axis], 32), localIdOf(axis), 32);
  case spv::BuiltIn::WorkgroupSize:
    return affine::constant(size[axis]);
  case spv::BuiltIn::LocalInvocationIndex: {
    Maybe index = affine::constant(0);
    int64_t stride = 1;
    for (unsigned at = 0; at < 3 && index; ++at) {
      index = affine::add(*index, affine::scale(localIdOf(at), stride, 32), 32);
      stride *= size[at];
    }
    return index;
  }
  case spv::BuiltIn::NumWorkgroups:
    if (!numSymbols[axis]) {
      Symbol symbol;
      symbol.kind = Symbol::Kind::NumWorkgroups;
      symbol.component = static_cast<uint8_t>(axis);
      symbol.range = {1, lastGroup(size[axis]) + 1};
      if (size[axis] == 1)
        symbol.range.hi = lastGroup(1);
      numSymbols[axis] = addSymbol(symbol);
    }
    return affine::symbol(*numSymbols[axis]);
  default:
    return std::nullopt;
  }
}

AffineSolver::Maybe AffineSolver::load(const Instruction &inst, unsigned component) {
  std::optional<PointerPath> path = tracePointer(module, inst.id(0));
  if (!path)
    return std::nullopt;
  if (path->space == MemorySpace::Input) {
    std::optional<spv::BuiltIn> number = builtInOf(module, *path->variable);
    return number ? builtIn(inst, *number, path->indices, component) : std::nullopt;
  }
  bool isVector = componentCount(module, inst.typeId()) > 1;
  return loadedPart(inst, component, inst,
                    isVector ? llvm::ArrayRef(component) : llvm::ArrayRef<uint32_t>());
}

/// A scalar of what `load` reads, which is component `component` of `inst`: the same symbol whether
/// the scalar is loaded alone, with its vector or with a whole structure.
AffineSolver::Maybe AffineSolver::loadedPart(const Instruction &inst, unsigned component,
                                             const Instruction &load,
                                             llvm::ArrayRef<uint32_t> part) {
  std::optional<PointerPath> path = tracePointer(module, load.id(0));
  if (!path || !ids.isConstantMemory(*path->variable, path->space) || ids.readsSharedState(load))
    return std::nullopt;
  std::optional<std::string> key = constantPath(*path);
  if (!key)
    return std::nullopt;
  for (uint32_t index : part)
    *key += "." + std::to_string(index);
  return hostValue(inst, component, "load " + *key);
}

AffineSolver::Maybe AffineSolver::query(const Instruction &inst, unsigned component) {
  bool isLength = inst.opcode() == spv::Op::OpArrayLength;
  std::optional<PointerPath> path =
      isLength ? tracePointer(module, inst.id(0)) : traceResource(module, inst.id(0));
  std::optional<std::string> key = path ? constantPath(*path) : std::nullopt;
  if (!key)
    return std::nullopt;
  if (isLength) {
    *key += " member " + std::to_string(inst.literal(1));
  } else if (inst.numOperands() > 1) {
    std::optional<uint64_t> level = ids.constants().evaluateInt(inst.id(1));
    if (!level)
      return std::nullopt;
    *key += " level " + std::to_string(*level);
  }
  AffineExpr value =
      hostValue(inst, component, "query " + *key + " component " + std::to_string(component));
  symbols[value.terms.front().symbols[0]].range = {0, (int64_t{1} << 31) - 1};
  return value;
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

namespace {

uint64_t roundUp(uint64_t value, uint64_t alignment) {
  return alignment < 2 ? value : (value + alignment - 1) / alignment * alignment;
}

/// Offsets inside a type: as decorated, else as layoutOf counts them.
class TypeWalk {
public:
  TypeWalk(const Module &module, ConstantEvaluator &constants, Id type)
      : module(module), constants(constants), type(type) {}

  const Instruction *current() const { return module.def(type); }
  /// The member at a constant index; its offset.
  std::optional<uint64_t> enterMember(uint64_t member);
  /// An element; the stride between elements.
  std::optional<uint64_t> enterElement();

private:
  std::optional<TypeLayout> layout(Id id) const { return layoutOf(module, id, constants); }
  const Module &module;
  ConstantEvaluator &constants;
  Id type;
  std::optional<uint32_t> matrixStride;
  bool rowMajor = false;
};

std::optional<uint64_t> TypeWalk::enterMember(uint64_t member) {
  const Instruction *inst = current();
  if (member >= inst->numOperands())
    return std::nullopt;
  uint32_t index = static_cast<uint32_t>(member);
  Id parent = type;
  std::optional<uint64_t> offset;
  if (auto decorated = module.memberDecoration(parent, index, spv::Decoration::Offset)) {
    offset = *decorated;
  } else {
    uint64_t end = 0;
    for (unsigned at = 0; at <= index; ++at) {
      std::optional<TypeLayout> part = layout(inst->id(at));
      if (!part)
        return std::nullopt;
      end = roundUp(end, part->alignment.count);
      offset = end;
      end += part->size.count;
    }
  }
  matrixStride = module.memberDecoration(parent, index, spv::Decoration::MatrixStride);
  rowMajor = module.hasMemberDecoration(parent, index, spv::Decoration::RowMajor);
  type = inst->id(index);
  return offset;
}

std::optional<uint64_t> TypeWalk::enterElement() {
  const Instruction *inst = current();
  Id element = inst->id(0);
  std::optional<TypeLayout> part = layout(element);
  Id whole = type;
  type = element;
  switch (inst->opcode()) {
  case spv::Op::OpTypeArray:
  case spv::Op::OpTypeRuntimeArray:
    if (auto stride = module.decoration(whole, spv::Decoration::ArrayStride))
      return *stride;
    return part ? std::optional(roundUp(part->size.count, part->alignment.count)) : std::nullopt;
  case spv::Op::OpTypeMatrix:
    if (rowMajor) // a column's components lie a row apart: left to whoever needs it
      return std::nullopt;
    if (matrixStride)
      return *matrixStride;
    return part ? std::optional(roundUp(part->size.count, part->alignment.count)) : std::nullopt;
  case spv::Op::OpTypeVector:
    return part ? std::optional(part->size.count) : std::nullopt;
  default:
    return std::nullopt;
  }
}

} // namespace

std::optional<AffineAddress> AffineSolver::address(Id pointer) const {
  std::optional<PointerPath> path = tracePointer(module, pointer);
  std::optional<PointerType> pointerTo =
      path ? pointerType(module, path->variable->typeId()) : std::nullopt;
  if (!pointerTo || path->space == MemorySpace::Resource)
    return std::nullopt;
  AffineAddress address{path->variable, path->space, {}};
  Id type = pointerTo->pointee;
  size_t at = 0;
  bool isDescriptor =
      path->space == MemorySpace::UniformBuffer || path->space == MemorySpace::StorageBuffer;
  const Instruction *inst = module.def(type);
  while (
      isDescriptor && inst &&
      (inst->opcode() == spv::Op::OpTypeArray || inst->opcode() == spv::Op::OpTypeRuntimeArray) &&
      at < path->indices.size()) {
    type = inst->id(0);
    inst = module.def(type);
    ++at;
  }
  TypeWalk walk(module, ids.constants(), type);
  for (; at < path->indices.size(); ++at) {
    const Instruction *now = walk.current();
    if (!now)
      return std::nullopt;
    if (now->opcode() == spv::Op::OpTypeStruct) {
      std::optional<uint64_t> member = ids.constants().evaluateInt(path->indices[at]);
      std::optional<uint64_t> offset = member ? walk.enterMember(*member) : std::nullopt;
      if (!offset)
        return std::nullopt;
      address.bytes.constant += static_cast<int64_t>(*offset);
      continue;
    }
    std::optional<uint64_t> stride = walk.enterElement();
    const Instruction *indexInst = module.def(path->indices[at]);
    if (!stride || !indexInst || widthOf(indexInst->typeId()) == 0)
      return std::nullopt;
    AffineExpr index = const_cast<AffineSolver *>(this)->exprOf(path->indices[at], 0);
    std::optional<AffineExpr> sum =
        affine::add(address.bytes, affine::scale(index, static_cast<int64_t>(*stride), 64), 64);
    if (!sum)
      return std::nullopt;
    address.bytes = std::move(*sum);
  }
  return address;
}

} // namespace tailor
