//===- Analysis/ValueRanges.cpp --------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sets start out empty and grow, over the blocks and edges that can be reached by
// what is known so far (Wegman and Zadeck, 1991), until a sweep over the function
// changes nothing: then they hold whatever an execution computes, step by step.
// What keeps growing is widened; two more sweeps take back what that was too much.
//
//===----------------------------------------------------------------------===//
#include "Analysis/ValueRanges.h"

#include "Analysis/CompositeParts.h"
#include "Analysis/IntegerTransfer.h"
#include "Analysis/Opcodes.h"
#include "IR/Types.h"
#include "IR/WorkgroupSize.h"

#include "spirv/unified1/GLSL.std.450.h"
#include "llvm/ADT/PostOrderIterator.h"

namespace tailor {

namespace {

constexpr unsigned kDepth = 3;       ///< of operands and conditions that are looked through
constexpr unsigned kMaxSweeps = 200; ///< then nothing is known
/// Sweeps before what grows is widened: counters that go up or down in equal steps, and others,
/// which may be lists that end, such as strides that halve.
constexpr unsigned kEvenPatience = 4, kPatience = IntegerSet::kMaxListed + 8;
constexpr unsigned kNarrowings = 4;
constexpr size_t kLargeFunction = 8000;

/// Equal steps from each to the next, three or more.
bool isEven(const IntegerSet &set) {
  llvm::ArrayRef<uint64_t> list = set.patterns();
  for (size_t at = 2; at < list.size(); ++at)
    if (list[at] - list[at - 1] != list[1] - list[0])
      return false;
  return list.size() > 3;
}

uint64_t keyOf(Id id, unsigned component) { return uint64_t{raw(id)} << 8 | component; }

} // namespace

std::optional<Dim3> knownWorkgroupSize(const Module &module) {
  std::optional<Dim3> common;
  for (const EntryPoint &entry : module.entryPoints()) {
    if (entry.model() != spv::ExecutionModel::GLCompute)
      return std::nullopt;
    Result<WorkgroupSize> size = readWorkgroupSize(module, entry);
    if (!size || size->specialized || (common && *common != size->size))
      return std::nullopt;
    common = size->size;
  }
  return common;
}

ValueRanges::ValueRanges(const Module &of, Function &body, std::optional<Dim3> workgroup)
    : module(of), function(body), size(workgroup), flow(body), constants(of, {}, false),
      reached(body.size(), false) {
  if (function.isDeclaration())
    return;
  for (const Block &block : function.blocks())
    byLabel[raw(block.id())] = &block;
  for (Block *block : llvm::ReversePostOrderTraversal<Function *>(&function))
    order.push_back(block);
  findConditions();
  solve();
}

IntegerSet ValueRanges::of(Id id, unsigned component) const {
  return widthOf(id) == 0 ? IntegerSet() : base(resolve(id, component));
}

IntegerSet ValueRanges::at(Id id, const Block &block, unsigned component) const {
  return operand(id, component, block, kDepth);
}

//===----------------------------------------------------------------------===//
// The sweeps
//===----------------------------------------------------------------------===//

void ValueRanges::solve() {
  size_t instructions = 0;
  for (const Block *block : order)
    instructions += block->instructions().size();
  const unsigned patience = instructions > kLargeFunction ? kEvenPatience : kPatience;
  reached[function.front().index()] = true;
  for (unsigned sweeps = 0; sweep({sweeps >= kEvenPatience, sweeps >= patience, false}); ++sweeps)
    if (sweeps == kMaxSweeps)
      return giveUp();
  for (unsigned again = 0; again < kNarrowings && sweep({false, false, true}); ++again) {
  }
}

/// Whether anything has changed.
bool ValueRanges::sweep(const Sweep &how) {
  bool changed = false;
  for (const Block *block : order) {
    if (!reached[block->index()] && !how.narrows)
      for (const Block *from : block->predecessors())
        if (isTaken(*from, *block))
          changed = reached[block->index()] = true;
    if (!reached[block->index()])
      continue;
    for (const Instruction &inst : block->instructions()) {
      if (!isValid(inst.result()) || widthOf(inst.result()) == 0)
        continue;
      const unsigned count = componentCount(module, inst.typeId());
      for (unsigned at = 0; at < count; ++at)
        if (resolve(inst.result(), at) == Slot{inst.result(), at})
          changed |= update(inst, at, how);
    }
  }
  return changed;
}

bool ValueRanges::update(const Instruction &inst, unsigned component, const Sweep &how) {
  const unsigned width = widthOf(inst.result());
  IntegerSet next = compute(inst, component, *inst.parent(), kDepth);
  auto [slot, isNew] = sets.try_emplace(keyOf(inst.result(), component), IntegerSet::none(width));
  IntegerSet &old = slot->second;
  if (how.narrows) {
    next = old.intersect(next);
  } else {
    next = old.unite(next);
    const bool widens = how.widens || (how.widensEven && (!next.isListed() || isEven(next)));
    if (widens && inst.opcode() == spv::Op::OpPhi)
      next = old.widen(next);
  }
  if (next == old)
    return false;
  old = std::move(next);
  return true;
}

void ValueRanges::giveUp() {
  for (auto &[key, set] : sets)
    set = IntegerSet::all(set.width());
  for (const Block *block : order)
    reached[block->index()] = true;
  innermost.assign(function.size(), nullptr);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// Bits of an integer or a boolean, or of a vector's component; 0 for other values.
unsigned ValueRanges::widthOf(Id value) const {
  const Instruction *inst = module.def(value);
  if (!inst || componentCount(module, inst->typeId()) == 0)
    return 0;
  const Instruction *type = module.def(scalarTypeOf(module, inst->typeId()));
  if (type->opcode() == spv::Op::OpTypeBool)
    return 1;
  const bool isInt = type->opcode() == spv::Op::OpTypeInt;
  return isInt && type->literal(0) > 1 && type->literal(0) <= 64 ? type->literal(0) : 0;
}

ValueRanges::Slot ValueRanges::resolve(Id id, unsigned component) const {
  auto [found, isNew] = resolved.try_emplace(keyOf(id, component), Slot{id, component});
  const Instruction *inst = module.def(id);
  if (!isNew || !inst || widthOf(id) == 0)
    return found->second;
  auto isVector = [&](Id value) { return componentCount(module, module.def(value)->typeId()) > 1; };
  ValuePart part{id, {}};
  if (isVector(id))
    part.path.push_back(component);
  Slot slot{id, component};
  constexpr unsigned kMaxBitcasts = 16;
  for (unsigned casts = 0; casts < kMaxBitcasts; ++casts) {
    part = sourceOf(module, std::move(part));
    if (widthOf(part.id) == 0) // a part of a structure
      break;
    slot = {part.id, part.path.empty() ? 0 : part.path.front()};
    const Instruction &cast = *module.def(part.id);
    if (cast.opcode() != spv::Op::OpBitcast || !isSteady(slot) ||
        widthOf(cast.id(0)) != widthOf(part.id) || isVector(cast.id(0)) != isVector(part.id))
      break;
    part.id = cast.id(0);
    slot.id = part.id;
  }
  return resolved[keyOf(id, component)] = slot;
}

bool ValueRanges::isSteady(const Slot &slot) const {
  const Instruction *inst = module.def(slot.id);
  return inst && inst->opcode() != spv::Op::OpUndef &&
         !module.hasDecoration(slot.id, spv::Decoration::RelaxedPrecision);
}

IntegerSet ValueRanges::constant(const Instruction &inst, unsigned component) const {
  const uint64_t key = keyOf(inst.result(), component);
  if (auto known = constantSets.find(key); known != constantSets.end())
    return known->second;
  const unsigned width = widthOf(inst.result());
  IntegerSet set = IntegerSet::all(width);
  std::optional<ConstantValue> value =
      isSteady({inst.result(), component}) ? constants.evaluate(inst.result()) : std::nullopt;
  if (value && !value->isComposite())
    set = IntegerSet::of(width, value->bits);
  else if (value && component < value->elements.size() && !value->elements[component].isComposite())
    set = IntegerSet::of(width, value->elements[component].bits);
  constantSets[key] = set;
  return set;
}

/// Wherever the value is there.
IntegerSet ValueRanges::base(const Slot &slot) const {
  const Instruction *inst = module.def(slot.id);
  const unsigned width = widthOf(slot.id);
  if (!inst || width == 0)
    return IntegerSet();
  if (isConstant(inst->opcode()))
    return constant(*inst, slot.component);
  if (!inst->parent()) // parameters, OpUndef of the module
    return IntegerSet::all(width);
  auto known = sets.find(keyOf(slot.id, slot.component));
  return known == sets.end() ? IntegerSet::none(width) : known->second;
}

IntegerSet ValueRanges::operand(Id id, unsigned component, const Block &where,
                                unsigned depth) const {
  return widthOf(id) == 0 ? IntegerSet() : evaluate(resolve(id, component), &where, depth);
}

IntegerSet ValueRanges::evaluate(const Slot &slot, const Block *where, unsigned depth) const {
  IntegerSet set = base(slot);
  const Instruction *inst = module.def(slot.id);
  if (!set.isTracked() || set.isEmpty() || set.single() || !where || !inst->parent() ||
      !isSteady(slot) || innermost[where->index()] == innermost[inst->parent()->index()])
    return set;
  set = underConditions(slot, std::move(set), *where, inst->parent(), depth);
  const OpcodeClass kind = classOf(inst->opcode());
  if (depth != 0 && (kind == OpcodeClass::Componentwise || kind == OpcodeClass::ExtInst))
    set = set.intersect(compute(*inst, slot.component, *where, depth - 1));
  return set;
}

bool ValueRanges::isTaken(const Block &from, const Block &to) const {
  if (!reached[from.index()])
    return false;
  const Instruction *last = from.terminator();
  if (last->opcode() == spv::Op::OpBranchConditional) {
    IntegerSet truths = operand(last->id(0), 0, from, kDepth);
    return (last->id(1) == to.id() && truths.contains(1)) ||
           (last->id(2) == to.id() && truths.contains(0));
  }
  if (last->opcode() != spv::Op::OpSwitch)
    return true;
  IntegerSet selectors = operand(last->id(0), 0, from, kDepth);
  if (!selectors.single())
    return !selectors.isEmpty();
  Id target = last->id(1);
  for (unsigned at = 2; at + 1 < last->numOperands(); at += 2)
    if (IntegerSet::of(selectors.width(), last->literal64(at)) == selectors)
      target = last->id(at + 1);
  return target == to.id();
}

IntegerSet ValueRanges::evaluateOnEdge(const Slot &slot, const Block &from, const Block &to,
                                       unsigned depth) const {
  IntegerSet set = evaluate(slot, &from, depth);
  return set.isTracked() && isSteady(slot) ? onEdge(slot, std::move(set), from, to, depth) : set;
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

IntegerSet ValueRanges::compute(const Instruction &inst, unsigned component, const Block &where,
                                unsigned depth) const {
  const unsigned width = widthOf(inst.result());
  IntegerSet all = IntegerSet::all(width);
  if (!isSteady({inst.result(), component}))
    return all;
  auto componentOf = [&](Id id) {
    return componentCount(module, module.def(id)->typeId()) > 1 ? component : 0;
  };
  switch (inst.opcode()) {
  case spv::Op::OpPhi:
    return computePhi(inst, component, depth);
  case spv::Op::OpSelect:
    return computeSelect(inst, component, where, depth);
  case spv::Op::OpLoad:
    return computeLoad(inst, component);
  case spv::Op::OpAny:
  case spv::Op::OpAll:
  case spv::Op::OpVectorExtractDynamic: {
    const bool isExtract = inst.opcode() == spv::Op::OpVectorExtractDynamic;
    const unsigned count = componentCount(module, module.def(inst.id(0))->typeId());
    IntegerSet result = operand(inst.id(0), 0, where, depth);
    for (unsigned at = 1; at < count; ++at) {
      IntegerSet next = operand(inst.id(0), at, where, depth);
      result = isExtract ? result.unite(next)
                         : transfer(inst.opcode() == spv::Op::OpAny ? spv::Op::OpLogicalOr
                                                                    : spv::Op::OpLogicalAnd,
                                    {result, next}, 1);
    }
    return result;
  }
  default:
    break;
  }
  const bool isExtended = inst.opcode() == spv::Op::OpExtInst;
  if (isExtended ? module.extInstSet(inst.id(0)) != "GLSL.std.450"
                 : classOf(inst.opcode()) != OpcodeClass::Componentwise)
    return all;
  llvm::SmallVector<IntegerSet, 3> operands;
  for (unsigned at = isExtended ? 2 : 0; at < inst.numOperands(); ++at) {
    if (!inst.isId(at) || !module.def(inst.id(at)))
      return all;
    operands.push_back(operand(inst.id(at), componentOf(inst.id(at)), where, depth));
  }
  return isExtended ? transferExtended(inst.literal(1), operands, width)
                    : transfer(inst.opcode(), operands, width);
}

IntegerSet ValueRanges::computePhi(const Instruction &inst, unsigned component,
                                   unsigned depth) const {
  const Block &block = *inst.parent();
  IntegerSet result = IntegerSet::none(widthOf(inst.result()));
  for (unsigned at = 0; at + 1 < inst.numOperands(); at += 2) {
    const Block *from = byLabel.lookup(raw(inst.id(at + 1)));
    if (from && flow.isReachable(*from) && isTaken(*from, block))
      result = result.unite(evaluateOnEdge(resolve(inst.id(at), component), *from, block, depth));
  }
  return result;
}

IntegerSet ValueRanges::computeSelect(const Instruction &inst, unsigned component,
                                      const Block &where, unsigned depth) const {
  const bool isVector = componentCount(module, module.def(inst.id(0))->typeId()) > 1;
  const Slot condition = resolve(inst.id(0), isVector ? component : 0);
  const IntegerSet truths = evaluate(condition, &where, depth);
  IntegerSet result = IntegerSet::none(widthOf(inst.result()));
  for (uint64_t truth : {0, 1}) {
    if (!truths.contains(truth))
      continue;
    const Slot value = resolve(inst.id(truth == 1 ? 1 : 2), component);
    IntegerSet set = evaluate(value, &where, depth);
    if (isSteady(value))
      set = given(condition, truth, value, std::move(set), where, depth);
    result = result.unite(set);
  }
  return result;
}

/// Of the local ids; anything else may be in memory.
IntegerSet ValueRanges::computeLoad(const Instruction &inst, unsigned component) const {
  IntegerSet all = IntegerSet::all(widthOf(inst.result()));
  const Instruction *pointer = module.def(inst.id(0)), *variable = pointer;
  std::optional<uint64_t> axis = component;
  if (pointer && (pointer->opcode() == spv::Op::OpAccessChain ||
                  pointer->opcode() == spv::Op::OpInBoundsAccessChain)) {
    variable = module.def(pointer->id(0));
    if (pointer->numOperands() != 2)
      return all;
    axis = constants.evaluateInt(pointer->id(1));
  }
  if (!size || !variable || variable->opcode() != spv::Op::OpVariable || inst.numOperands() > 1 ||
      static_cast<spv::StorageClass>(variable->literal(0)) != spv::StorageClass::Input ||
      !isSteady({variable->result(), 0}))
    return all;
  std::optional<uint32_t> builtIn = module.decoration(variable->result(), spv::Decoration::BuiltIn);
  if (!builtIn)
    return all;
  switch (static_cast<spv::BuiltIn>(*builtIn)) {
  case spv::BuiltIn::LocalInvocationId: {
    uint32_t extent = std::max({size->x, size->y, size->z});
    if (axis && *axis < 3)
      extent = (*size)[static_cast<unsigned>(*axis)];
    return IntegerSet::ofUnsigned(all.width(), 0, extent - 1);
  }
  case spv::BuiltIn::LocalInvocationIndex:
    return size->product() <= UINT32_MAX
               ? IntegerSet::ofUnsigned(all.width(), 0, size->product() - 1)
               : all;
  default:
    return all;
  }
}

} // namespace tailor
