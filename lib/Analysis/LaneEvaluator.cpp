//===- Analysis/LaneEvaluator.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The walk over operands, and operations on values. Phis and branches are in
// LanePhis.cpp, loads and what the host supplies in LaneMemory.cpp.
//
//===----------------------------------------------------------------------===//
#include "Analysis/LaneEvaluator.h"

#include "Analysis/LaneArithmetic.h"
#include "Analysis/Opcodes.h"
#include "IR/Folding.h"
#include "IR/Types.h"

namespace tailor {

/// Elements that an unknown composite is spelled out to.
static constexpr uint32_t kMaxElements = 64;

/// A vector, matrix or structure of parts that are not known; unknown() for other types.
static ConstantValue unknownOf(const Module &module, Id typeId, unsigned depth = 0) {
  const Instruction *type = module.def(typeId);
  ConstantValue result = LaneEvaluator::unknown();
  if (!type || depth > 8)
    return result;
  bool isStruct = type->opcode() == spv::Op::OpTypeStruct;
  bool isRow = type->opcode() == spv::Op::OpTypeVector || type->opcode() == spv::Op::OpTypeMatrix;
  uint32_t count = isStruct ? type->numOperands() : isRow ? type->literal(1) : 0;
  if (count == 0 || count > kMaxElements)
    return result;
  result.kind = ConstantValue::Kind::Composite;
  for (uint32_t at = 0; at < count; ++at)
    result.elements.push_back(unknownOf(module, type->id(isStruct ? at : 0), depth + 1));
  return result;
}

LaneEvaluator::LaneEvaluator(const LaneModel &model, const Lane &lane, const HostValues &host)
    : model(model), module(model.analysis().module()), lane(lane), host(host) {}

void LaneEvaluator::setIteration(const Block &header, uint64_t count) {
  iterations[&header] = count;
  known.clear();
  activities.clear();
}

// --- the walk ---

const LaneEvaluator::Known *LaneEvaluator::find(Id id) {
  auto found = known.find(raw(id));
  if (found != known.end())
    return &found->second;
  const Instruction *inst = module.def(id);
  if (inst && inst->parent() && !isConstant(inst->opcode()))
    return nullptr;
  Known entry{unknown()};
  if (inst && isConstant(inst->opcode()))
    entry.value = model.analysis().constants().evaluate(id).value_or(unknown());
  return &known.try_emplace(raw(id), std::move(entry)).first->second;
}

/// Operands first, on a stack of our own: chains may be as long as the kernel.
void LaneEvaluator::require(Id id) {
  llvm::SmallVector<Id, 16> pending = {id};
  llvm::DenseSet<uint32_t> waiting;
  while (!pending.empty()) {
    Id next = pending.back();
    if (find(next)) {
      pending.pop_back();
      continue;
    }
    const Instruction &inst = *module.def(next);
    Request request{inst, inst.parent()};
    ConstantValue value = compute(request);
    if (request.isComplete()) {
      known[raw(next)] = {std::move(value), request.loops, request.assumed};
      waiting.erase(raw(next));
      pending.pop_back();
      continue;
    }
    waiting.insert(raw(next));
    for (Id missing : request.missing)
      if (waiting.contains(raw(missing)))
        known[raw(missing)] = {unknown()}; // it hangs off itself: a cycle that is no loop
      else
        pending.push_back(missing);
  }
}

ConstantValue LaneEvaluator::read(Request &request, Id id) {
  const Known *entry = find(id);
  if (!entry) {
    request.missing.push_back(id);
    return unknown();
  }
  // Outside of a loop a value from inside it is that of an iteration that is not looked at.
  uint64_t around = request.where ? model.loopsAround(*request.where) : 0;
  if (entry->loops & ~around)
    return unknown();
  request.loops |= entry->loops;
  request.assumed |= entry->assumed;
  return entry->value;
}

std::optional<uint64_t> LaneEvaluator::readInteger(Request &request, Id id) {
  ConstantValue value = read(request, id);
  if (value.isComposite() || !isKnown(value) || value.kind == ConstantValue::Kind::Float)
    return std::nullopt;
  return value.bits;
}

ConstantValue LaneEvaluator::value(Id id, const Instruction &at) {
  require(id);
  Request request{at, at.parent()};
  ConstantValue result = read(request, id);
  assumed |= request.assumed;
  return result;
}

std::optional<uint64_t> LaneEvaluator::integer(Id id, const Instruction &at, unsigned component) {
  ConstantValue whole = value(id, at);
  if (whole.isComposite()) {
    if (component >= whole.elements.size())
      return std::nullopt;
    ConstantValue part = whole.elements[component];
    whole = std::move(part);
  }
  if (whole.isComposite() || !isKnown(whole) || whole.kind == ConstantValue::Kind::Float)
    return std::nullopt;
  return whole.bits;
}

std::optional<uint64_t> LaneEvaluator::address(const PointerLayout &layout, const Instruction &at) {
  for (const PointerStep &step : layout.steps)
    require(step.index);
  Request request{at, at.parent()};
  std::optional<uint64_t> result = addressOf(request, layout);
  assumed |= request.assumed;
  return result;
}

// --- operations ---

ConstantValue LaneEvaluator::compute(Request &request) {
  const Instruction &inst = request.inst;
  switch (inst.opcode()) {
  case spv::Op::OpPhi:
    return computePhi(request);
  case spv::Op::OpLoad:
    return computeLoad(request);
  case spv::Op::OpUndef:
    return unknownOf(module, inst.typeId());
  case spv::Op::OpCopyObject:
  case spv::Op::OpCopyLogical:
    return read(request, inst.id(0));
  case spv::Op::OpCompositeConstruct:
  case spv::Op::OpCompositeExtract:
  case spv::Op::OpCompositeInsert:
  case spv::Op::OpVectorShuffle:
    return computeComposite(request);
  case spv::Op::OpVectorExtractDynamic:
  case spv::Op::OpVectorInsertDynamic:
    return computeDynamic(request);
  case spv::Op::OpSelect:
    return computeSelect(request);
  case spv::Op::OpExtInst:
    return computeExtended(request);
  case spv::Op::OpArrayLength:
    return queryLength(request);
  case spv::Op::OpAny:
  case spv::Op::OpAll: {
    bool decisive = inst.opcode() == spv::Op::OpAny, isOpen = false;
    ConstantValue vector = read(request, inst.id(0));
    for (const ConstantValue &element : vector.elements) {
      if (isKnown(element) && (element.bits != 0) == decisive)
        return boolValue(decisive);
      isOpen |= !isKnown(element);
    }
    return isOpen || !vector.isComposite() ? unknown() : boolValue(!decisive);
  }
  default:
    break;
  }
  switch (classOf(inst.opcode())) {
  case OpcodeClass::ImageQuery:
    return queryImage(request);
  case OpcodeClass::Componentwise:
    return computeComponents(request);
  default:
    return inst.opcode() == spv::Op::OpVectorTimesScalar ? computeComponents(request) : unknown();
  }
}

/// Component `at` of a vector; a scalar stands for each component.
static ConstantValue componentOf(const ConstantValue &value, size_t at) {
  if (!value.isComposite())
    return value;
  return at < value.elements.size() ? value.elements[at] : LaneEvaluator::unknown();
}

/// What is known of a result although an operand is not.
static ConstantValue foldPartly(spv::Op op, llvm::ArrayRef<ConstantValue> operands) {
  bool isAnd = op == spv::Op::OpLogicalAnd;
  if (isAnd || op == spv::Op::OpLogicalOr)
    for (const ConstantValue &operand : operands)
      if (LaneEvaluator::isKnown(operand) && (operand.bits == 0) == isAnd)
        return boolValue(!isAnd);
  return LaneEvaluator::unknown();
}

ConstantValue LaneEvaluator::computeComponents(Request &request) {
  const Instruction &inst = request.inst;
  unsigned count = componentCount(module, inst.typeId());
  std::optional<ConstantValue> type = scalarValue(module, scalarTypeOf(module, inst.typeId()), 0);
  llvm::SmallVector<ConstantValue, 4> operands;
  for (unsigned at = 0; at < inst.numOperands(); ++at) {
    if (!inst.isId(at))
      return unknown();
    operands.push_back(read(request, inst.id(at)));
  }
  if (count == 0 || !type || !request.isComplete())
    return unknown();
  spv::Op op = inst.opcode() == spv::Op::OpVectorTimesScalar ? spv::Op::OpFMul : inst.opcode();
  ConstantValue result{ConstantValue::Kind::Composite, 0, false, 0, {}};
  for (unsigned at = 0; at < count; ++at) {
    llvm::SmallVector<ConstantValue, 4> parts;
    bool allKnown = true;
    for (const ConstantValue &operand : operands) {
      // A bit cast between vectors of other lengths.
      if (operand.isComposite() && operand.elements.size() != count)
        return unknown();
      parts.push_back(componentOf(operand, at));
      allKnown &= isKnown(parts.back()) && !parts.back().isComposite();
    }
    ConstantValue part =
        allKnown ? foldLane(op, parts, *type).value_or(unknown()) : foldPartly(op, parts);
    if (count == 1)
      return part;
    result.elements.push_back(std::move(part));
  }
  return result;
}

ConstantValue LaneEvaluator::computeExtended(Request &request) {
  const Instruction &inst = request.inst;
  if (module.extInstSet(inst.id(0)) != "GLSL.std.450")
    return unknown();
  unsigned count = componentCount(module, inst.typeId());
  std::optional<ConstantValue> type = scalarValue(module, scalarTypeOf(module, inst.typeId()), 0);
  llvm::SmallVector<ConstantValue, 3> operands;
  for (unsigned at = 2; at < inst.numOperands(); ++at)
    operands.push_back(read(request, inst.id(at)));
  if (count == 0 || !type || !request.isComplete())
    return unknown();
  ConstantValue result{ConstantValue::Kind::Composite, 0, false, 0, {}};
  for (unsigned at = 0; at < count; ++at) {
    llvm::SmallVector<ConstantValue, 3> parts;
    bool allKnown = true;
    for (const ConstantValue &operand : operands) {
      parts.push_back(componentOf(operand, at));
      allKnown &= isKnown(parts.back()) && !parts.back().isComposite();
    }
    ConstantValue part =
        allKnown ? foldLaneExtended(inst.literal(1), parts, *type).value_or(unknown()) : unknown();
    if (count == 1)
      return part;
    result.elements.push_back(std::move(part));
  }
  return result;
}

ConstantValue LaneEvaluator::computeComposite(Request &request) {
  const Instruction &inst = request.inst;
  auto spelledOut = [&](Id id) {
    ConstantValue value = read(request, id);
    const Instruction *def = module.def(id);
    return value.isComposite() || !def ? value : unknownOf(module, def->typeId());
  };
  switch (inst.opcode()) {
  case spv::Op::OpCompositeExtract:
    return extractPart(read(request, inst.id(0)), inst, 1).value_or(unknown());
  case spv::Op::OpCompositeInsert:
    return insertPart(read(request, inst.id(0)), spelledOut(inst.id(1)), inst, 2)
        .value_or(unknown());
  case spv::Op::OpCompositeConstruct: {
    ConstantValue result{ConstantValue::Kind::Composite, 0, false, 0, {}};
    bool isVector = componentCount(module, inst.typeId()) > 1;
    for (unsigned at = 0; at < inst.numOperands(); ++at) {
      const Instruction *part = module.def(inst.id(at));
      bool isSpread = isVector && part && componentCount(module, part->typeId()) > 1;
      ConstantValue value = isSpread ? spelledOut(inst.id(at)) : read(request, inst.id(at));
      if (isSpread)
        result.elements.insert(result.elements.end(), value.elements.begin(), value.elements.end());
      else
        result.elements.push_back(std::move(value));
    }
    return result;
  }
  default: { // OpVectorShuffle
    ConstantValue all = spelledOut(inst.id(0)), second = spelledOut(inst.id(1));
    ConstantValue result{ConstantValue::Kind::Composite, 0, false, 0, {}};
    all.elements.insert(all.elements.end(), second.elements.begin(), second.elements.end());
    for (unsigned at = 2; at < inst.numOperands(); ++at)
      result.elements.push_back(
          inst.literal(at) < all.elements.size() ? all.elements[inst.literal(at)] : unknown());
    return result;
  }
  }
}

ConstantValue LaneEvaluator::computeDynamic(Request &request) {
  const Instruction &inst = request.inst;
  bool isInsert = inst.opcode() == spv::Op::OpVectorInsertDynamic;
  ConstantValue vector = read(request, inst.id(0));
  ConstantValue part = isInsert ? read(request, inst.id(1)) : unknown();
  std::optional<uint64_t> index = readInteger(request, inst.id(isInsert ? 2 : 1));
  if (!index || *index >= vector.elements.size())
    return unknown();
  if (!isInsert)
    return vector.elements[*index];
  vector.elements[*index] = std::move(part);
  return vector;
}

/// The side that is not chosen may be anything.
ConstantValue LaneEvaluator::computeSelect(Request &request) {
  const Instruction &inst = request.inst;
  ConstantValue condition = read(request, inst.id(0));
  if (!request.isComplete())
    return unknown();
  if (!condition.isComposite() && isKnown(condition))
    return read(request, inst.id(condition.bits != 0 ? 1 : 2));
  ConstantValue a = read(request, inst.id(1)), b = read(request, inst.id(2));
  if (a == b)
    return a;
  if (!condition.isComposite() || a.elements.size() != condition.elements.size() ||
      b.elements.size() != condition.elements.size())
    return unknown();
  for (size_t at = 0; at < a.elements.size(); ++at) {
    const ConstantValue &choice = condition.elements[at];
    if (isKnown(choice) && choice.bits == 0)
      a.elements[at] = b.elements[at];
    else if (!isKnown(choice) && a.elements[at] != b.elements[at])
      a.elements[at] = unknown();
  }
  return a;
}

} // namespace tailor
