//===- Analysis/Guards.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/Guards.h"

#include "Analysis/Opcodes.h"
#include "Analysis/UniformExpression.h"
#include "IR/Types.h"

#include "spirv/unified1/GLSL.std.450.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <algorithm>

namespace tailor {

namespace {

/// A boolean component that is known to be true or false.
struct Atom {
  const Instruction *inst;
  unsigned component;
  bool truth;
};

/// What is known where control stands; `infeasible`: control cannot stand there.
class Facts {
public:
  bool infeasible = false;

  const std::vector<Atom> &atoms() const { return list; }
  bool has(const Atom &atom) const { return known.contains(keyOf(atom)); }
  void add(const Atom &atom) {
    if (known.insert(keyOf(atom)).second)
      list.push_back(atom);
  }
  void keepCommon(const Facts &other) {
    std::erase_if(list, [&](const Atom &atom) {
      bool drop = !other.has(atom);
      if (drop)
        known.erase(keyOf(atom));
      return drop;
    });
  }

private:
  using Key = std::pair<const Instruction *, unsigned>;
  static Key keyOf(const Atom &atom) { return {atom.inst, atom.component * 2 + atom.truth}; }
  std::vector<Atom> list; ///< in the order they came to be known
  llvm::DenseSet<Key> known;
};

class FactFinder {
public:
  FactFinder(const CanonicalForm &form, const ControlFlow &flow)
      : module(form.module()), flow(flow), ofBlock(form.function().size()) {}

  const Facts &at(const Block &block);

private:
  void add(Facts &facts, const Atom &atom) const;
  void addAll(Facts &facts, const Facts &more) const;
  void assume(Facts &facts, Id condition, unsigned component, bool truth, unsigned depth);
  void assumeEdge(Facts &facts, const Block &from, const Block &to, unsigned depth);
  void assumePhi(Facts &facts, const Instruction &phi, bool truth, unsigned depth);
  void assumeComponents(Facts &facts, Id vector, bool truth, unsigned depth);
  bool isTimeless(const Instruction &inst) const;

  const Module &module;
  const ControlFlow &flow;
  std::vector<std::optional<Facts>> ofBlock; ///< by block index
};

/// Whether the value is computed at most once, so that what was true of it once stays true.
bool FactFinder::isTimeless(const Instruction &inst) const {
  if (inst.opcode() == spv::Op::OpUndef)
    return false; // another value at each use
  return !inst.parent() || !flow.inCycle(*inst.parent());
}

void FactFinder::add(Facts &facts, const Atom &atom) const {
  Atom opposite = atom;
  opposite.truth = !atom.truth;
  if (isTimeless(*atom.inst) && facts.has(opposite))
    facts.infeasible = true;
  facts.add(atom);
}

void FactFinder::addAll(Facts &facts, const Facts &more) const {
  facts.infeasible |= more.infeasible;
  for (const Atom &atom : more.atoms())
    add(facts, atom);
}

void FactFinder::assumeComponents(Facts &facts, Id vector, bool truth, unsigned depth) {
  const Instruction *inst = module.def(vector);
  unsigned count = inst ? componentCount(module, inst->typeId()) : 0;
  for (unsigned component = 0; component < count; ++component)
    assume(facts, vector, component, truth, depth);
}

void FactFinder::assume(Facts &facts, Id condition, unsigned component, bool truth,
                        unsigned depth) {
  constexpr unsigned kMaxDepth = 24;
  const Instruction *inst = module.def(condition);
  if (!inst || depth > kMaxDepth)
    return;
  if (inst->opcode() == spv::Op::OpConstantTrue || inst->opcode() == spv::Op::OpConstantFalse) {
    facts.infeasible |= (inst->opcode() == spv::Op::OpConstantTrue) != truth;
    return;
  }
  add(facts, {inst, component, truth});
  switch (inst->opcode()) {
  case spv::Op::OpLogicalNot:
    return assume(facts, inst->id(0), component, !truth, depth + 1);
  case spv::Op::OpCopyObject:
    return assume(facts, inst->id(0), component, truth, depth + 1);
  case spv::Op::OpLogicalAnd:
  case spv::Op::OpLogicalOr:
    if ((inst->opcode() == spv::Op::OpLogicalAnd) == truth) {
      assume(facts, inst->id(0), component, truth, depth + 1);
      assume(facts, inst->id(1), component, truth, depth + 1);
    }
    return;
  case spv::Op::OpAll:
    return truth ? assumeComponents(facts, inst->id(0), true, depth + 1) : void();
  case spv::Op::OpAny:
    return truth ? void() : assumeComponents(facts, inst->id(0), false, depth + 1);
  case spv::Op::OpCompositeExtract:
    if (inst->numOperands() == 2)
      assume(facts, inst->id(0), inst->literal(1), truth, depth + 1);
    return;
  case spv::Op::OpCompositeConstruct:
    if (component < inst->numOperands() &&
        inst->numOperands() == componentCount(module, inst->typeId()))
      assume(facts, inst->id(component), 0, truth, depth + 1);
    return;
  case spv::Op::OpPhi:
    return assumePhi(facts, *inst, truth, depth + 1);
  default:
    return;
  }
}

/// A phi is true: control came along an edge whose value can be true. What holds on all such
/// edges holds.
void FactFinder::assumePhi(Facts &facts, const Instruction &phi, bool truth, unsigned depth) {
  if (!isTimeless(phi) || componentCount(module, phi.typeId()) != 1)
    return;
  std::optional<Facts> common;
  for (unsigned at = 0; at + 1 < phi.numOperands(); at += 2) {
    const Instruction *label = module.def(phi.id(at + 1));
    if (!label || !label->parent() || !flow.isReachable(*label->parent()))
      continue;
    Facts way = this->at(*label->parent());
    assumeEdge(way, *label->parent(), *phi.parent(), depth);
    assume(way, phi.id(at), 0, truth, depth);
    if (way.infeasible)
      continue;
    if (!common)
      common = std::move(way);
    else
      common->keepCommon(way);
  }
  if (common)
    addAll(facts, *common);
  else
    facts.infeasible = true;
}

/// The condition under which control goes from -> to. Nothing where both ways lead there.
void FactFinder::assumeEdge(Facts &facts, const Block &from, const Block &to, unsigned depth) {
  const Instruction *last = from.terminator();
  if (!last || last->opcode() != spv::Op::OpBranchConditional || last->id(1) == last->id(2))
    return;
  assume(facts, last->id(0), 0, last->id(1) == to.id(), depth);
}

const Facts &FactFinder::at(const Block &block) {
  std::optional<Facts> &known = ofBlock[block.index()];
  if (known)
    return *known;
  known.emplace(); // for whoever comes round a loop to this block: nothing is known yet
  Facts facts;
  if (Block *dominator = flow.immediateDominator(block)) {
    facts = at(*dominator);
    for (Block *successor : dominator->successors())
      if (flow.edgeDominates(*dominator, *successor, block))
        assumeEdge(facts, *dominator, *successor, 0);
  }
  facts.infeasible = false; // only a way into a phi is judged infeasible, never a block
  ofBlock[block.index()] = std::move(facts);
  return *ofBlock[block.index()];
}

/// `GlobalId[axis] < bound`, from a comparison that is known to be true or false.
class BoundReader {
public:
  BoundReader(const CanonicalForm &form, const IdDependence &ids)
      : form(form), module(form.module()), ids(ids) {}

  std::optional<DispatchBound> read(const Atom &atom, unsigned axis) const;

private:
  const CanonicalForm &form;
  const Module &module;
  const IdDependence &ids;
};

std::optional<DispatchBound> BoundReader::read(const Atom &atom, unsigned axis) const {
  using enum spv::Op;
  // As `lower < upper` or `lower <= upper`.
  unsigned lower = 0, upper = 1;
  bool strict = true, isSigned = false;
  spv::Op op = atom.inst->opcode();
  switch (op) {
  case OpULessThan:
  case OpSLessThan:
    break;
  case OpULessThanEqual:
  case OpSLessThanEqual:
    strict = false;
    break;
  case OpUGreaterThan:
  case OpSGreaterThan:
    std::swap(lower, upper);
    break;
  case OpUGreaterThanEqual:
  case OpSGreaterThanEqual:
    std::swap(lower, upper);
    strict = false;
    break;
  case OpIEqual:
  case OpINotEqual:
    if ((op == OpIEqual) != atom.truth)
      return std::nullopt;
    strict = false;
    break;
  default:
    return std::nullopt;
  }
  isSigned = op == OpSLessThan || op == OpSLessThanEqual || op == OpSGreaterThan ||
             op == OpSGreaterThanEqual;
  bool isEquality = op == OpIEqual || op == OpINotEqual;
  if (!atom.truth && !isEquality) { // not (a < b) is b <= a
    std::swap(lower, upper);
    strict = !strict;
  }
  auto component = [&](unsigned operand) {
    AbstractValue value = ids.value(atom.inst->id(operand));
    return atom.component < value.size() ? value[atom.component] : AbstractScalar();
  };
  if (isEquality && component(upper).isGlobalId(axis))
    std::swap(lower, upper);
  const Instruction *compared = module.def(atom.inst->id(lower));
  if (!compared || !isIntType(module, scalarTypeOf(module, compared->typeId()), 32) ||
      !component(lower).isGlobalId(axis) || component(upper).variation() != Variation::Dispatch)
    return std::nullopt;
  std::optional<UniformExpr> bound =
      uniformExpression(module, ids, atom.inst->id(upper), atom.component);
  if (!bound)
    return std::nullopt;
  return DispatchBound{axis, std::move(*bound), isSigned, !strict, form.locationOf(*atom.inst)};
}

/// Every bound that is known to hold, per axis.
std::array<std::vector<DispatchBound>, 3> boundsAt(const Facts &facts, const BoundReader &reader) {
  std::array<std::vector<DispatchBound>, 3> bounds;
  for (unsigned axis = 0; axis < 3; ++axis)
    for (const Atom &atom : facts.atoms())
      if (std::optional<DispatchBound> bound = reader.read(atom, axis))
        bounds[axis].push_back(std::move(*bound));
  return bounds;
}

/// What invocations past the authored grid must not run.
class HazardFinder {
public:
  HazardFinder(const CanonicalForm &form, const ControlFlow &flow, const IdDependence &ids)
      : module(form.module()), flow(flow), ids(ids) {}

  /// Why the instruction is a hazard; null when it is none.
  const char *hazard(const Instruction &inst) const;

private:
  const char *memoryHazard(const Instruction &inst, Id pointer) const;
  const char *addressHazard(const Instruction &chain) const;
  bool staysInside(const PointerPath &path) const;
  bool alwaysExecuted(const Block &block) const;
  bool dividesSafely(const Instruction &inst) const;
  bool isUniformHere(const Instruction &inst, Id value) const {
    return isUniformIndex(value) && alwaysExecuted(*inst.parent());
  }
  bool isUniformIndex(Id index) const {
    return ids.summary(index).variation() == Variation::Dispatch;
  }

  const Module &module;
  const ControlFlow &flow;
  const IdDependence &ids;
  mutable llvm::DenseMap<unsigned, bool> executedByAll; ///< by block index
};

/// Every invocation runs the block alike: all branches that decide about it, directly or not, are
/// the same for the whole dispatch.
bool HazardFinder::alwaysExecuted(const Block &block) const {
  auto [known, isNew] = executedByAll.try_emplace(block.index(), true);
  if (!isNew)
    return known->second;
  std::vector<const Block *> work = {&block};
  llvm::DenseSet<const Block *> seen = {&block};
  while (!work.empty()) {
    const Block *now = work.back();
    work.pop_back();
    for (const Block *branch : flow.controllers(*now)) {
      if (ids.summary(branch->terminator()->id(0)).variation() != Variation::Dispatch)
        return executedByAll[block.index()] = false;
      if (seen.insert(branch).second)
        work.push_back(branch);
    }
  }
  return true;
}

/// All indices are constants inside their arrays and vectors.
bool HazardFinder::staysInside(const PointerPath &path) const {
  std::optional<PointerType> pointer = pointerType(module, path.variable->typeId());
  const Instruction *type = pointer ? module.def(pointer->pointee) : nullptr;
  for (Id indexId : path.indices) {
    std::optional<uint64_t> index = ids.constants().evaluateInt(indexId);
    if (!type || !index)
      return false;
    std::optional<uint64_t> count;
    bool isStruct = type->opcode() == spv::Op::OpTypeStruct;
    if (isStruct)
      count = type->numOperands();
    else if (type->opcode() == spv::Op::OpTypeVector || type->opcode() == spv::Op::OpTypeMatrix)
      count = type->literal(1);
    else if (type->opcode() == spv::Op::OpTypeArray)
      count = ids.constants().evaluateInt(type->id(1));
    if (!count || *index >= *count)
      return false;
    type = module.def(type->id(isStruct ? static_cast<unsigned>(*index) : 0));
  }
  return true;
}

const char *HazardFinder::memoryHazard(const Instruction &inst, Id pointer) const {
  std::optional<PointerPath> path = tracePointer(module, pointer);
  if (!path)
    return "memory is accessed through an unknown pointer";
  bool isBuffer =
      path->space == MemorySpace::UniformBuffer || path->space == MemorySpace::StorageBuffer;
  if (!isBuffer && staysInside(*path))
    return nullptr;
  bool uniform = std::all_of(path->indices.begin(), path->indices.end(),
                             [&](Id index) { return isUniformIndex(index); });
  // An authored invocation makes the very same access. Of memory that the kernel writes not even
  // that is safe: a kernel of one invocation may write what it read, a second one would race.
  bool isWritten = path->space == MemorySpace::StorageBuffer &&
                   !ids.isConstantMemory(*path->variable, path->space);
  if (uniform && !isWritten && alwaysExecuted(*inst.parent()))
    return nullptr;
  if (uniform && isWritten)
    return "memory that the kernel writes is read";
  return "memory is read at an address of the invocation's own";
}

/// An access chain that leaves its array is undefined in itself (SPIR-V 1.6, OpAccessChain).
const char *HazardFinder::addressHazard(const Instruction &chain) const {
  std::optional<PointerPath> path = tracePointer(module, chain.result());
  if (!path)
    return "memory is addressed through an unknown pointer";
  bool uniform = std::all_of(path->indices.begin(), path->indices.end(),
                             [&](Id index) { return isUniformIndex(index); });
  if (staysInside(*path) || (uniform && alwaysExecuted(*chain.parent())))
    return nullptr;
  return "memory is addressed by a value of the invocation's own";
}

/// No division by zero, and no overflow: the smallest integer over -1.
bool HazardFinder::dividesSafely(const Instruction &inst) const {
  bool isSigned = inst.opcode() != spv::Op::OpUDiv && inst.opcode() != spv::Op::OpUMod;
  AbstractValue divisor = ids.value(inst.id(1));
  bool known = std::all_of(divisor.begin(), divisor.end(), [&](const AbstractScalar &component) {
    return component.isConstant() && component.c != 0 && !(isSigned && component.c == UINT32_MAX);
  });
  if (known)
    return true;
  if (!isUniformHere(inst, inst.id(1)))
    return false;
  if (!isSigned || isUniformHere(inst, inst.id(0)))
    return true;
  // `cover` keeps every id below 2^31, so that the id is no negative number.
  AbstractValue dividend = ids.value(inst.id(0));
  return std::all_of(dividend.begin(), dividend.end(), [](const AbstractScalar &component) {
    return component.isGlobalId(0) || component.isGlobalId(1) || component.isGlobalId(2) ||
           (component.isConstant() && component.c != uint32_t{1} << 31);
  });
}

const char *HazardFinder::hazard(const Instruction &inst) const {
  if (flow.inCycle(*inst.parent()) && isTerminator(inst.opcode()))
    return "a loop runs";
  switch (classOf(inst.opcode())) {
  case OpcodeClass::Atomic:
    return "an atomic runs";
  case OpcodeClass::MemoryBarrier:
    return nullptr;
  case OpcodeClass::ImageAccess:
    return inst.opcode() == spv::Op::OpImageWrite          ? "an image is written"
           : inst.opcode() == spv::Op::OpImageTexelPointer ? "a texel is addressed"
                                                           : "an image is read";
  case OpcodeClass::Memory: {
    if (inst.opcode() == spv::Op::OpLoad)
      return memoryHazard(inst, inst.id(0));
    if (inst.opcode() != spv::Op::OpStore && inst.opcode() != spv::Op::OpCopyMemory)
      return addressHazard(inst);
    std::optional<PointerPath> path = tracePointer(module, inst.id(0));
    if (!path || path->space != MemorySpace::Private)
      return "memory is written";
    if (const char *reason = memoryHazard(inst, inst.id(0)))
      return reason;
    return inst.opcode() == spv::Op::OpCopyMemory ? memoryHazard(inst, inst.id(1)) : nullptr;
  }
  case OpcodeClass::ExtInst:
    return module.extInstSet(inst.id(0)) == "GLSL.std.450" &&
                   (inst.literal(1) == GLSLstd450Modf || inst.literal(1) == GLSLstd450Frexp)
               ? memoryHazard(inst, inst.id(3))
               : nullptr;
  default:
    break;
  }
  bool divides = inst.opcode() == spv::Op::OpUDiv || inst.opcode() == spv::Op::OpSDiv ||
                 inst.opcode() == spv::Op::OpUMod || inst.opcode() == spv::Op::OpSRem ||
                 inst.opcode() == spv::Op::OpSMod;
  bool mustNotWrap = module.hasDecoration(inst.result(), spv::Decoration::NoSignedWrap) ||
                     module.hasDecoration(inst.result(), spv::Decoration::NoUnsignedWrap);
  for (unsigned at = 0; mustNotWrap && at < inst.numOperands(); ++at)
    if (inst.isId(at) && !isUniformHere(inst, inst.id(at)))
      return "a sum that must not wrap is computed";
  if (divides && !dividesSafely(inst))
    return "an integer is divided by a value of the invocation's own";
  bool extracts = inst.opcode() == spv::Op::OpVectorExtractDynamic;
  if ((extracts || inst.opcode() == spv::Op::OpVectorInsertDynamic) &&
      !isUniformHere(inst, inst.id(extracts ? 1 : 2)))
    return "a component is chosen by a value of the invocation's own";
  if (inst.opcode() == spv::Op::OpUnreachable)
    return "control reaches OpUnreachable";
  return nullptr;
}

} // namespace

GuardResult findGuards(const CanonicalForm &form, const ControlFlow &flow,
                       const IdDependence &ids) {
  GuardResult result;
  FactFinder facts(form, flow);
  BoundReader bounds(form, ids);
  HazardFinder hazards(form, flow, ids);
  std::array<bool, 3> onlyAddress{}; ///< the refusal so far is of an access chain
  for (const Block &block : form.function().blocks()) {
    if (!flow.isReachable(block))
      continue;
    std::optional<std::array<std::vector<DispatchBound>, 3>> ofBlock;
    for (const Instruction &inst : block.instructions()) {
      const char *hazard = hazards.hazard(inst);
      if (!hazard)
        continue;
      if (!ofBlock)
        ofBlock = boundsAt(facts.at(block), bounds);
      for (unsigned axis = 0; axis < 3; ++axis) {
        const std::vector<DispatchBound> &under = (*ofBlock)[axis];
        if (under.empty()) {
          // What is done at an address says more than that the address is formed.
          bool isAddress = inst.opcode() == spv::Op::OpAccessChain ||
                           inst.opcode() == spv::Op::OpInBoundsAccessChain;
          if (!result.refusal[axis] || (onlyAddress[axis] && !isAddress)) {
            onlyAddress[axis] = isAddress;
            result.refusal[axis] = Diagnostic::error(
                form.locationOf(inst), std::string(hazard) + " without a bounds check on the " +
                                           kAxisName[axis] + " axis");
          }
          continue;
        }
        std::vector<DispatchBound> &list = result.bounds[axis];
        bool covered = std::any_of(under.begin(), under.end(), [&](const DispatchBound &bound) {
          return llvm::is_contained(list, bound);
        });
        if (!covered)
          list.push_back(under.front());
      }
    }
  }
  for (unsigned axis = 0; axis < 3; ++axis)
    if (result.refusal[axis])
      result.bounds[axis].clear();
  return result;
}

} // namespace tailor
