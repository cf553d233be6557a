//===- Analysis/IdDependence.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/IdDependence.h"

#include "Analysis/CompositeParts.h"
#include "Analysis/Opcodes.h"
#include "Analysis/PhiChoice.h"
#include "IR/Types.h"
#include "IR/WorkgroupSize.h"

#include <algorithm>

namespace tailor {

std::optional<spv::BuiltIn> builtInOf(const Module &module, const Instruction &variable) {
  std::optional<uint32_t> builtIn = module.decoration(variable.result(), spv::Decoration::BuiltIn);
  return builtIn ? std::optional(static_cast<spv::BuiltIn>(*builtIn)) : std::nullopt;
}

std::string nameOf(spv::BuiltIn builtIn) {
  switch (builtIn) {
  case spv::BuiltIn::NumWorkgroups:
    return "NumWorkgroups";
  case spv::BuiltIn::WorkgroupSize:
    return "WorkgroupSize";
  case spv::BuiltIn::WorkgroupId:
    return "WorkgroupId";
  case spv::BuiltIn::LocalInvocationId:
    return "LocalInvocationId";
  case spv::BuiltIn::GlobalInvocationId:
    return "GlobalInvocationId";
  case spv::BuiltIn::LocalInvocationIndex:
    return "LocalInvocationIndex";
  case spv::BuiltIn::SubgroupSize:
    return "SubgroupSize";
  case spv::BuiltIn::NumSubgroups:
    return "NumSubgroups";
  case spv::BuiltIn::SubgroupId:
    return "SubgroupId";
  case spv::BuiltIn::SubgroupLocalInvocationId:
    return "SubgroupLocalInvocationId";
  default:
    return "BuiltIn#" + std::to_string(static_cast<uint32_t>(builtIn));
  }
}

// --- the fixed point ---

IdDependence::IdDependence(const CanonicalForm &canonical, const ControlFlow &controlFlow,
                           const Dim3 &authoredSize, const SpecMap &sizeSpec)
    : form(canonical), module(canonical.module()), flow(controlFlow), size(authoredSize),
      writtenVariables(module), evaluator(module, sizeSpec, /*useDefaults=*/false) {
  for (const Block &block : form.function().blocks())
    for (const Instruction &inst : block.instructions())
      communicates |= isAtomic(inst.opcode()) || inst.opcode() == spv::Op::OpMemoryBarrier;
  for (const Instruction &inst : module.section(Section::Globals)) {
    bool isUndefined = inst.opcode() == spv::Op::OpUndef;
    for (unsigned at = 0; isConstant(inst.opcode()) && at < inst.numOperands(); ++at)
      isUndefined |= inst.isId(at) && undefined.contains(raw(inst.id(at)));
    if (isUndefined)
      undefined.insert(raw(inst.result()));
  }
  std::vector<const Block *> order;
  for (const Block &block : form.function().blocks())
    if (flow.isReachable(block))
      order.push_back(&block);
  // Each pass can raise a value at least once, or ends it; a value rises at most a handful of
  // times.
  size_t limit = 8 * order.size() + 64;
  for (size_t pass = 0; pass < limit && !hasConverged; ++pass) {
    changed = false;
    for (const Block *block : order)
      for (const Instruction &inst : block->instructions()) {
        applyStores(inst);
        if (!isValid(inst.result()))
          continue;
        AbstractValue now = compute(inst);
        AbstractValue &known = values[raw(inst.result())];
        if (known != now) {
          known = std::move(now);
          changed = true;
        }
      }
    hasConverged = !changed;
  }
}

unsigned IdDependence::components(Id type) const {
  return std::max(1u, componentCount(module, type));
}

AbstractValue IdDependence::spread(const AbstractScalar &scalar, Id type) const {
  return AbstractValue(components(type), scalar);
}

/// As of now in the iteration: bottom for what has not been computed yet.
AbstractValue IdDependence::current(Id id) const {
  const Instruction *inst = module.def(id);
  if (!inst)
    return {AbstractScalar::group(nullptr)};
  if (isConstant(inst->opcode()) && !undefined.contains(raw(id)))
    return constantValue(*inst);
  if (inst->opcode() == spv::Op::OpUndef || isConstant(inst->opcode()))
    return spread(AbstractScalar::varying(Variation::Global), inst->typeId()); // any, at each use
  // An address as such: what is read through it is seen at the load, by its path.
  if (inst->opcode() == spv::Op::OpVariable)
    return {AbstractScalar::varying(Variation::Dispatch)};
  if (!inst->parent()) // function parameters: calls are gone, so this is a call that stayed
    return {AbstractScalar::group(inst)};
  auto found = values.find(raw(id));
  return found != values.end() ? found->second
                               : AbstractValue(components(inst->typeId()), AbstractScalar());
}

AbstractValue IdDependence::value(Id id) const {
  AbstractValue value = current(id);
  for (AbstractScalar &component : value)
    if (!component.reached || !hasConverged)
      component = AbstractScalar::group(module.def(id));
  return value;
}

AbstractValue IdDependence::constantValue(const Instruction &inst) const {
  AbstractValue result(components(inst.typeId()), AbstractScalar::varying(Variation::Dispatch));
  if (!isIntType(module, scalarTypeOf(module, inst.typeId()), 32) ||
      module.hasDecoration(inst.result(), spv::Decoration::RelaxedPrecision))
    return result;
  std::optional<ConstantValue> known = evaluator.evaluate(inst.result());
  if (!known)
    return result;
  for (unsigned at = 0; at < result.size(); ++at) {
    if (!known->isComposite())
      result[at] = AbstractScalar::constant(static_cast<uint32_t>(known->bits));
    else if (at < known->elements.size() && !known->elements[at].isComposite())
      result[at] = AbstractScalar::constant(static_cast<uint32_t>(known->elements[at].bits));
  }
  return result;
}

// --- transfer ---

/// Decorations under which a sum of rewritten ids may be another one: a term that fitted 16 bits,
/// or did not overflow, need not when the ids in it are other numbers.
static bool isExactModulo32(const Module &module, const Instruction &inst) {
  return !module.hasDecoration(inst.result(), spv::Decoration::RelaxedPrecision) &&
         !module.hasDecoration(inst.result(), spv::Decoration::NoSignedWrap) &&
         !module.hasDecoration(inst.result(), spv::Decoration::NoUnsignedWrap);
}

AbstractValue IdDependence::compute(const Instruction &inst) {
  AbstractValue value = computeExact(inst);
  if (isExactModulo32(module, inst))
    return value;
  if (classOf(inst.opcode()) == OpcodeClass::Componentwise)
    value = computeComponentwise(inst);
  for (AbstractScalar &component : value)
    component = opaque({component});
  return value;
}

AbstractValue IdDependence::computeExact(const Instruction &inst) {
  switch (inst.opcode()) {
  case spv::Op::OpVariable:
    return {AbstractScalar::varying(Variation::Dispatch)};
  case spv::Op::OpLoad:
    return computeLoad(inst);
  case spv::Op::OpPhi:
    return computePhi(inst);
  case spv::Op::OpIAdd:
  case spv::Op::OpISub:
  case spv::Op::OpIMul:
  case spv::Op::OpSNegate:
  case spv::Op::OpShiftLeftLogical:
    return computeLinear(inst);
  case spv::Op::OpBitcast:
  case spv::Op::OpUConvert:
  case spv::Op::OpSConvert:
  case spv::Op::OpCopyObject: {
    const Instruction *from = module.def(inst.id(0));
    bool sameWords = inst.opcode() == spv::Op::OpCopyObject ||
                     (from && isIntType(module, scalarTypeOf(module, inst.typeId()), 32) &&
                      isIntType(module, scalarTypeOf(module, from->typeId()), 32));
    return sameWords ? current(inst.id(0)) : computeComponentwise(inst);
  }
  case spv::Op::OpCompositeExtract:
  case spv::Op::OpCompositeConstruct:
  case spv::Op::OpCompositeInsert:
  case spv::Op::OpVectorShuffle:
    return computeComposite(inst);
  case spv::Op::OpFunctionCall:
    return spread(AbstractScalar::group(&inst), inst.typeId());
  default:
    break;
  }
  switch (classOf(inst.opcode())) {
  case OpcodeClass::Componentwise:
    return computeComponentwise(inst);
  case OpcodeClass::Pure:
  case OpcodeClass::ExtInst:
  case OpcodeClass::ImageQuery:
  case OpcodeClass::ArrayLength:
  case OpcodeClass::Memory: // access chains: the address
  case OpcodeClass::ImageSample:
  case OpcodeClass::ImageAccess:
  case OpcodeClass::Atomic: {
    llvm::SmallVector<AbstractScalar, 8> operands;
    for (unsigned at = 0; at < inst.numOperands(); ++at)
      if (inst.isId(at) && module.extInstSet(inst.id(at)).empty())
        operands.append(current(inst.id(at)));
    AbstractScalar result = opaque(operands);
    OpcodeClass kind = classOf(inst.opcode());
    bool readsMemory = kind == OpcodeClass::ImageSample || kind == OpcodeClass::ImageAccess ||
                       kind == OpcodeClass::Atomic;
    if (result.reached && readsMemory)
      result.rest = std::max(result.rest, Variation::Global);
    result.fromAtomic |= result.reached && readsSharedState(inst);
    return spread(result, inst.typeId());
  }
  default: // not understood: the scan of the kernel refuses it by name
    return spread(AbstractScalar::group(&inst), inst.typeId());
  }
}

AbstractValue IdDependence::computeLinear(const Instruction &inst) {
  if (!isIntType(module, scalarTypeOf(module, inst.typeId()), 32))
    return computeComponentwise(inst);
  AbstractValue a = current(inst.id(0)), result;
  AbstractValue b = inst.numOperands() > 1 ? current(inst.id(1)) : AbstractValue();
  for (unsigned at = 0; at < a.size(); ++at) {
    AbstractScalar other = at < b.size() ? b[at] : AbstractScalar();
    switch (inst.opcode()) {
    case spv::Op::OpIAdd:
      result.push_back(add(a[at], other));
      break;
    case spv::Op::OpISub:
      result.push_back(add(a[at], negate(other)));
      break;
    case spv::Op::OpSNegate:
      result.push_back(negate(a[at]));
      break;
    case spv::Op::OpShiftLeftLogical:
      if (a[at].reached && other.isConstant() && other.c < 32)
        result.push_back(scale(a[at], uint32_t{1} << other.c));
      else
        result.push_back(opaque({a[at], other}));
      break;
    default: // OpIMul
      if (a[at].reached && other.isConstant())
        result.push_back(scale(a[at], other.c));
      else if (a[at].isConstant() && other.reached)
        result.push_back(scale(other, a[at].c));
      else
        result.push_back(opaque({a[at], other}));
    }
  }
  return result;
}

/// How a value varies that a condition chooses, beside its two sides.
static Variation variationOfChoice(const AbstractScalar &condition) {
  if (!condition.reached) // the iteration comes back when it is
    return Variation::Dispatch;
  bool isUniform = condition.variation() == Variation::Dispatch && !condition.fromAtomic;
  return isUniform ? Variation::Dispatch : Variation::Global;
}

AbstractValue IdDependence::computeComponentwise(const Instruction &inst) {
  unsigned count = components(inst.typeId());
  AbstractValue result;
  for (unsigned at = 0; at < count; ++at) {
    llvm::SmallVector<AbstractScalar, 8> operands;
    for (unsigned index = 0; index < inst.numOperands(); ++index) {
      if (!inst.isId(index))
        continue;
      AbstractValue operand = current(inst.id(index));
      if (operand.size() == count)
        operands.push_back(operand[at]);
      else
        operands.append(operand);
    }
    AbstractScalar component = opaque(operands);
    // A choice: where both sides are one affine value, the choice does not matter.
    if (inst.opcode() == spv::Op::OpSelect && operands.size() == 3 && component.reached &&
        !operands[0].dependsOnGroups()) {
      component = meet(operands[1], operands[2], variationOfChoice(operands[0]));
      component.fromAtomic |= operands[0].fromAtomic;
      component.axes |= operands[0].axes;
    }
    result.push_back(component);
  }
  return result;
}

AbstractValue IdDependence::computePhi(const Instruction &inst) {
  // What it was before stays in it: else a coefficient that a loop changes could come and go for
  // ever.
  AbstractValue result = current(inst.result());
  // A branch on what depends on groups is refused where it stands.
  Variation choice = Variation::Global;
  if (std::optional<PhiChoice> branch = choiceOf(module, flow, inst))
    choice = variationOfChoice(current(branch->condition)[0]);
  for (unsigned at = 0; at + 1 < inst.numOperands(); at += 2) {
    const Instruction *label = module.def(inst.id(at + 1));
    if (!label || !label->parent() || !flow.isReachable(*label->parent()))
      continue;
    AbstractValue incoming = current(inst.id(at));
    for (unsigned component = 0; component < result.size(); ++component)
      result[component] =
          meet(result[component], component < incoming.size() ? incoming[component] : incoming[0],
               choice);
  }
  return result;
}

/// Of a scalar that was taken out of a composite: of the member alone that was put there.
AbstractScalar IdDependence::extracted(const Instruction &extract, unsigned component) const {
  ValuePart part = sourceOfExtract(module, extract, component);
  AbstractValue source = current(part.id);
  const Instruction *inst = module.def(part.id);
  unsigned count = inst ? componentCount(module, inst->typeId()) : 0;
  if (count == 1 && part.path.empty())
    return source[0];
  if (count > 1 && part.path.size() == 1 && part.path[0] < source.size())
    return source[part.path[0]];
  return opaque(source);
}

AbstractValue IdDependence::computeComposite(const Instruction &inst) {
  AbstractValue first = current(inst.id(0));
  unsigned count = components(inst.typeId());
  bool isVector = componentCount(module, inst.typeId()) > 1;
  switch (inst.opcode()) {
  case spv::Op::OpCompositeExtract: {
    if (componentCount(module, inst.typeId()) == 0)
      return AbstractValue(count, opaque(first));
    AbstractValue result;
    for (unsigned component = 0; component < count; ++component)
      result.push_back(extracted(inst, component));
    return result;
  }
  case spv::Op::OpCompositeConstruct: {
    AbstractValue all;
    for (unsigned at = 0; at < inst.numOperands(); ++at)
      all.append(current(inst.id(at)));
    return isVector && all.size() == count ? all : AbstractValue(count, opaque(all));
  }
  case spv::Op::OpCompositeInsert: {
    AbstractValue composite = current(inst.id(1));
    if (isVector && inst.numOperands() == 3 && inst.literal(2) < composite.size() &&
        first.size() == 1) {
      composite[inst.literal(2)] = first[0];
      return composite;
    }
    composite.append(first);
    return AbstractValue(count, opaque(composite));
  }
  default: { // OpVectorShuffle
    AbstractValue all = first, result;
    all.append(current(inst.id(1)));
    for (unsigned at = 2; at < inst.numOperands(); ++at)
      result.push_back(inst.literal(at) < all.size()
                           ? all[inst.literal(at)]
                           : AbstractScalar::varying(Variation::Dispatch));
    return result;
  }
  }
}

} // namespace tailor
