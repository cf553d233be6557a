//===- Analysis/Contention.cpp ---------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/Contention.h"

#include "IR/Types.h"

#include "llvm/ADT/DenseSet.h"

#include <algorithm>

namespace tailor {

namespace {

/// What a value is computed from, as operands lead; not into memory.
struct Origins {
  bool memory = false;        ///< a load from memory that is written to, an atomic, an image
  bool numWorkgroups = false; ///< the built-in
  bool host = false;          ///< push constants, uniform buffers, specialization constants
  bool ids = false;           ///< other built-ins
  bool unknown = false;
  const Instruction *atomic = nullptr; ///< the first atomic on a buffer or image
};

class OriginSearch {
public:
  explicit OriginSearch(const KernelAnalysis &kernel) : kernel(kernel), module(kernel.module()) {}
  /// `throughMemory`: what is read from workgroup or private memory is what was stored there.
  Origins of(llvm::ArrayRef<Id> values, bool throughMemory);

private:
  void load(const Instruction &inst, bool throughMemory);
  void visit(const Instruction &inst, bool throughMemory);
  const std::vector<Id> &storedTo(const Instruction &variable);

  const KernelAnalysis &kernel;
  const Module &module;
  Origins found;
  std::vector<Id> work;
  std::optional<llvm::DenseMap<uint32_t, std::vector<Id>>> stores; ///< values, by variable
};

const std::vector<Id> &OriginSearch::storedTo(const Instruction &variable) {
  if (!stores) {
    stores.emplace();
    for (const Block &block : kernel.form().function().blocks())
      for (const Instruction &inst : block.instructions())
        if (inst.opcode() == spv::Op::OpStore)
          if (std::optional<PointerPath> path = tracePointer(module, inst.id(0)))
            (*stores)[raw(path->variable->result())].push_back(inst.id(1));
  }
  return (*stores)[raw(variable.result())];
}

void OriginSearch::load(const Instruction &inst, bool throughMemory) {
  std::optional<PointerPath> path = tracePointer(module, inst.id(0));
  if (!path) {
    found.unknown = true;
    return;
  }
  switch (path->space) {
  case MemorySpace::Input:
    if (builtInOf(module, *path->variable) == spv::BuiltIn::NumWorkgroups)
      found.numWorkgroups = true;
    else
      found.ids = true;
    break;
  case MemorySpace::Private:
  case MemorySpace::Workgroup:
    if (throughMemory || path->space == MemorySpace::Private)
      for (Id value : storedTo(*path->variable))
        work.push_back(value);
    found.memory |= path->space == MemorySpace::Workgroup;
    break;
  default:
    if (kernel.ids().isConstantMemory(*path->variable, path->space) &&
        kernel.uniformity().of(inst.result()) == UniformityScope::Dispatch)
      found.host = true;
    else
      found.memory = true;
    return;
  }
  if (path->space != MemorySpace::Input) // which component of an id it is does not matter
    for (Id index : path->indices)
      work.push_back(index);
}

void OriginSearch::visit(const Instruction &inst, bool throughMemory) {
  if (isAtomic(inst.opcode())) {
    found.memory = true;
    const Instruction *pointer = module.def(inst.id(0));
    bool isTexel = pointer && pointer->opcode() == spv::Op::OpImageTexelPointer;
    std::optional<PointerPath> path = tracePointer(module, inst.id(0));
    bool isGroup = path && path->space == MemorySpace::Workgroup;
    bool isUpdate =
        inst.opcode() != spv::Op::OpAtomicLoad && inst.opcode() != spv::Op::OpAtomicStore;
    if ((isTexel || !isGroup) && isUpdate && !found.atomic)
      found.atomic = &inst;
    return;
  }
  switch (inst.opcode()) {
  case spv::Op::OpLoad:
    return load(inst, throughMemory);
  case spv::Op::OpImageRead:
  case spv::Op::OpImageFetch:
  case spv::Op::OpImageSampleExplicitLod:
    found.memory = true;
    return;
  case spv::Op::OpFunctionCall:
    found.unknown = true;
    return;
  case spv::Op::OpImageQuerySize:
  case spv::Op::OpImageQuerySizeLod:
  case spv::Op::OpArrayLength:
    found.host = true;
    return;
  default:
    for (unsigned at = 0; at < inst.numOperands(); ++at)
      if (inst.isId(at))
        work.push_back(inst.id(at));
  }
}

Origins OriginSearch::of(llvm::ArrayRef<Id> values, bool throughMemory) {
  found = {};
  work.assign(values.begin(), values.end());
  llvm::DenseSet<uint32_t> seen;
  while (!work.empty()) {
    Id id = work.back();
    work.pop_back();
    const Instruction *inst = module.def(id);
    if (!inst || inst->opcode() == spv::Op::OpLabel || !seen.insert(raw(id)).second)
      continue;
    if (isConstant(inst->opcode()))
      found.host |= isSpecConstant(inst->opcode());
    else if (inst->parent())
      visit(*inst, throughMemory);
    else if (inst->opcode() == spv::Op::OpFunctionParameter)
      found.unknown = true;
  }
  return found;
}

/// Whether equal addresses mean equal invocations, as the polynomial of the address tells.
class LaneAddress {
public:
  LaneAddress(const KernelAnalysis &kernel) : kernel(kernel), affine(kernel.affine()) {}
  /// Distinct for invocations that differ on the first axis longer than 1 alone.
  bool distinctAlongRow(const AffineExpr &bytes) const;
  bool distinctInWorkgroup(const AffineExpr &bytes) const;

private:
  /// The constant coefficient of each local id; nullopt where one has another, or where something
  /// else in the sum can vary inside a workgroup.
  std::optional<std::array<int64_t, 3>> coefficients(const AffineExpr &bytes, bool rowsOnly) const;
  unsigned firstAxis() const;

  const KernelAnalysis &kernel;
  const AffineAnalysis &affine;
};

unsigned LaneAddress::firstAxis() const {
  for (unsigned axis = 0; axis < 3; ++axis)
    if (kernel.size()[axis] > 1)
      return axis;
  return 0;
}

std::optional<std::array<int64_t, 3>> LaneAddress::coefficients(const AffineExpr &bytes,
                                                                bool rowsOnly) const {
  std::array<int64_t, 3> result{};
  // Before any symbol is looked at: when it is first asked for, it adds to their table.
  const Uniformity &uniformity = kernel.uniformity();
  for (const AffineTerm &term : bytes.terms) {
    for (unsigned at = 0; at < term.degree(); ++at) {
      const Symbol &symbol = affine.symbols()[term.symbols[at]];
      if (symbol.kind == Symbol::Kind::LocalId) {
        if (term.degree() == 1)
          result[symbol.component] = term.coefficient;
        else if (!rowsOnly || symbol.component == firstAxis())
          return std::nullopt;
      } else if (symbol.kind == Symbol::Kind::Value &&
                 uniformity.of(symbol.def->result(), symbol.component) <
                     UniformityScope::Workgroup) {
        return std::nullopt;
      }
    }
  }
  return result;
}

bool LaneAddress::distinctAlongRow(const AffineExpr &bytes) const {
  auto all = coefficients(bytes, true);
  return all && (*all)[firstAxis()] != 0;
}

bool LaneAddress::distinctInWorkgroup(const AffineExpr &bytes) const {
  auto all = coefficients(bytes, false);
  if (!all)
    return false;
  std::vector<std::pair<uint64_t, uint64_t>> parts; // size of the coefficient, extent
  for (unsigned axis = 0; axis < 3; ++axis)
    if (uint64_t extent = kernel.size()[axis] - 1; extent > 0)
      parts.emplace_back(static_cast<uint64_t>(std::abs((*all)[axis])), extent);
  std::sort(parts.begin(), parts.end());
  uint64_t reach = 0;
  for (const auto &[coefficient, extent] : parts) {
    if (coefficient <= reach || coefficient > UINT32_MAX)
      return false;
    reach += coefficient * extent;
  }
  return reach <= UINT32_MAX; // else the sum could come round
}

} // namespace

static UniformityScope uniformOver(const KernelAnalysis &kernel, llvm::ArrayRef<Id> indices) {
  UniformityScope scope = UniformityScope::Dispatch;
  for (Id index : indices)
    scope = std::min(scope, kernel.uniformity().of(index));
  return scope;
}

void judgeContention(const KernelAnalysis &kernel, AtomicFact &fact) {
  const Module &module = kernel.module();
  Id pointer = fact.inst->id(0);
  const Instruction *texel = module.def(pointer);
  bool isTexel = texel && texel->opcode() == spv::Op::OpImageTexelPointer;
  std::optional<PointerPath> path = tracePointer(module, isTexel ? texel->id(0) : pointer);
  fact.space = "other";
  if (!path)
    return;
  fact.variable = path->variable;
  fact.name = module.name(path->variable->result());
  if (fact.name.front() == '%') // a block without an instance name
    if (std::optional<PointerType> type = pointerType(module, path->variable->typeId()))
      if (std::string block = module.name(type->pointee); block.front() != '%')
        fact.name = block;
  fact.space = isTexel                                     ? "image"
               : path->space == MemorySpace::Workgroup     ? "workgroup"
               : path->space == MemorySpace::StorageBuffer ? "buffer"
                                                           : "other";
  llvm::SmallVector<Id, 4> indices = path->indices;
  if (isTexel)
    indices.append({texel->id(1), texel->id(2)});
  UniformityScope scope = uniformOver(kernel, indices);
  if (path->space == MemorySpace::Workgroup) // each workgroup has its own
    scope = std::min(scope, UniformityScope::Workgroup);
  if (scope > UniformityScope::Invocation) {
    fact.contention = Contention::OneAddress;
    fact.contentionScope = scope;
    return;
  }
  if (!isTexel)
    if (std::optional<AffineAddress> address = kernel.affine().address(pointer)) {
      LaneAddress lanes(kernel);
      fact.distinctInWorkgroup = lanes.distinctInWorkgroup(address->bytes);
      if (fact.distinctInWorkgroup || lanes.distinctAlongRow(address->bytes)) {
        fact.contention = Contention::PerLane;
        return;
      }
    }
  Origins origins = OriginSearch(kernel).of(indices, false);
  fact.contention =
      origins.memory || origins.unknown ? Contention::DataDependent : Contention::ByIds;
}

std::vector<LastGroupCounter> findLastGroupCounters(const KernelAnalysis &kernel) {
  std::vector<LastGroupCounter> result;
  OriginSearch search(kernel);
  for (const Block &block : kernel.form().function().blocks()) {
    if (!kernel.flow().isReachable(block))
      continue;
    for (const Instruction &inst : block.instructions()) {
      spv::Op op = inst.opcode();
      bool isEquality = op == spv::Op::OpIEqual || op == spv::Op::OpINotEqual;
      bool isOrder = op >= spv::Op::OpUGreaterThan && op <= spv::Op::OpSLessThanEqual;
      if (!isEquality && !isOrder)
        continue;
      for (unsigned side = 0; side < 2; ++side) {
        Origins count = search.of({inst.id(1 - side)}, false);
        bool isCount = !count.memory && !count.unknown && !count.ids &&
                       (count.numWorkgroups || (count.host && isEquality));
        if (!isCount)
          continue;
        if (const Instruction *atomic = search.of({inst.id(side)}, true).atomic)
          result.push_back({&inst, atomic, count.numWorkgroups});
      }
    }
  }
  return result;
}

} // namespace tailor
