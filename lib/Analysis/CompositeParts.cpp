//===- Analysis/CompositeParts.cpp -----------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/CompositeParts.h"

#include "IR/Types.h"

#include <algorithm>

namespace tailor {

static bool isVector(const Module &module, Id value) {
  const Instruction *inst = module.def(value);
  return inst && componentCount(module, inst->typeId()) > 1;
}

static bool constructs(spv::Op op) {
  return op == spv::Op::OpCompositeConstruct || op == spv::Op::OpConstantComposite ||
         op == spv::Op::OpSpecConstantComposite;
}

/// One step towards the source; false where there is none. `part.path` is not empty for a value
/// that is put together.
static bool stepThroughConstruct(const Module &module, const Instruction &inst, ValuePart &part) {
  uint32_t index = part.path.front();
  if (!isVector(module, inst.result())) {
    if (index >= inst.numOperands())
      return false;
    part.id = inst.id(index);
    part.path.erase(part.path.begin());
    return true;
  }
  for (unsigned at = 0; at < inst.numOperands(); ++at) { // scalars and vectors side by side
    const Instruction *operand = module.def(inst.id(at));
    uint32_t count = operand ? componentCount(module, operand->typeId()) : 0;
    if (count == 0)
      return false;
    if (index < count) {
      part.id = inst.id(at);
      part.path.clear();
      if (count > 1)
        part.path.push_back(index);
      return true;
    }
    index -= count;
  }
  return false;
}

static ValuePart stepThroughExtract(const Instruction &inst, unsigned first,
                                    llvm::ArrayRef<uint32_t> inside) {
  ValuePart part{inst.id(first), {}};
  for (unsigned at = first + 1; at < inst.numOperands(); ++at)
    part.path.push_back(inst.literal(at));
  part.path.append(inside.begin(), inside.end());
  return part;
}

/// `first`: the operand of the object; the literals follow the composite.
static bool stepThroughInsert(const Instruction &inst, unsigned first, ValuePart &part) {
  unsigned depth = inst.numOperands() - first - 2;
  for (unsigned at = 0; at < depth; ++at) {
    if (at == part.path.size())
      return false; // a part of the part is replaced
    if (part.path[at] != inst.literal(first + 2 + at)) {
      part.id = inst.id(first + 1);
      return true;
    }
  }
  part.id = inst.id(first);
  part.path.erase(part.path.begin(), part.path.begin() + depth);
  return true;
}

static bool stepThroughShuffle(const Module &module, const Instruction &inst, unsigned first,
                               ValuePart &part) {
  const Instruction *a = module.def(inst.id(first));
  uint32_t count = a ? componentCount(module, a->typeId()) : 0;
  if (part.path.size() != 1 || count == 0 || first + 2 + part.path[0] >= inst.numOperands())
    return false;
  uint32_t from = inst.literal(first + 2 + part.path[0]);
  if (from == UINT32_MAX) // undefined
    return false;
  part.id = inst.id(from < count ? first : first + 1);
  part.path[0] = from < count ? from : from - count;
  return true;
}

static bool step(const Module &module, ValuePart &part) {
  const Instruction *inst = module.def(part.id);
  if (!inst || module.hasDecoration(part.id, spv::Decoration::RelaxedPrecision))
    return false;
  spv::Op op = inst->opcode();
  unsigned first = 0;
  if (op == spv::Op::OpSpecConstantOp) {
    op = static_cast<spv::Op>(inst->literal(0));
    first = 1;
  }
  if (constructs(op))
    return !part.path.empty() && stepThroughConstruct(module, *inst, part);
  switch (op) {
  case spv::Op::OpCopyObject:
  case spv::Op::OpCopyLogical:
    part.id = inst->id(first);
    return true;
  case spv::Op::OpCompositeExtract:
    part = stepThroughExtract(*inst, first, part.path);
    return true;
  case spv::Op::OpCompositeInsert:
    return stepThroughInsert(*inst, first, part);
  case spv::Op::OpVectorShuffle:
    return stepThroughShuffle(module, *inst, first, part);
  default:
    return false;
  }
}

ValuePart sourceOf(const Module &module, ValuePart part) {
  // Unreachable code may be defined by itself; a long chain of insertions is not worth its time.
  constexpr unsigned kMaxSteps = 256;
  for (unsigned steps = 0; steps < kMaxSteps && step(module, part); ++steps) {
  }
  return part;
}

ValuePart sourceOfExtract(const Module &module, const Instruction &extract, unsigned component) {
  llvm::SmallVector<uint32_t, 1> inside;
  if (isVector(module, extract.result()))
    inside.push_back(component);
  return sourceOf(module, stepThroughExtract(extract, 0, inside));
}

Id typeOfPart(const Module &module, Id type, llvm::ArrayRef<uint32_t> path) {
  for (uint32_t index : path) {
    const Instruction *inst = module.def(type);
    if (!inst)
      return Id::None;
    switch (inst->opcode()) {
    case spv::Op::OpTypeStruct:
      if (index >= inst->numOperands())
        return Id::None;
      type = inst->id(index);
      break;
    case spv::Op::OpTypeVector:
    case spv::Op::OpTypeMatrix:
      if (index >= inst->literal(1))
        return Id::None;
      type = inst->id(0);
      break;
    case spv::Op::OpTypeArray:
      type = inst->id(0);
      break;
    default:
      return Id::None;
    }
  }
  return type;
}

} // namespace tailor
