//===- Analysis/AffineMemory.cpp - Ids, host values and addresses ----------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/AffineImpl.h"

#include "Analysis/PointerLayout.h"
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

/// So many groups fit into a grid of 2^32 invocations, the largest that a variant is dispatched
/// for.
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

std::optional<AffineAddress> AffineSolver::address(Id pointer) const {
  std::optional<PointerPath> path = tracePointer(module, pointer);
  if (!path || path->space == MemorySpace::Resource)
    return std::nullopt;
  std::optional<PointerLayout> layout = layoutOfPointer(module, *path, ids.constants());
  if (!layout)
    return std::nullopt;
  AffineAddress address{path->variable, path->space, {}};
  address.bytes.constant = static_cast<int64_t>(layout->offset);
  for (const PointerStep &step : layout->steps) {
    const Instruction *index = module.def(step.index);
    if (!index || widthOf(index->typeId()) == 0)
      return std::nullopt;
    AffineExpr expr = const_cast<AffineSolver *>(this)->exprOf(step.index, 0);
    std::optional<AffineExpr> sum =
        affine::add(address.bytes, affine::scale(expr, static_cast<int64_t>(step.stride), 64), 64);
    if (!sum)
      return std::nullopt;
    address.bytes = std::move(*sum);
  }
  return address;
}

} // namespace tailor
