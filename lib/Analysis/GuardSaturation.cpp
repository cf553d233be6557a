//===- Analysis/GuardSaturation.cpp ----------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/GuardSaturation.h"

#include "Analysis/Opcodes.h"
#include "Analysis/UniformExpression.h"
#include "IR/Types.h"

#include "spirv/unified1/GLSL.std.450.h"

#include "llvm/ADT/DenseSet.h"

#include <algorithm>

namespace tailor {

static void append(Saturation::Bounds &to, const Saturation::Bounds &more) {
  for (const DispatchBound &bound : more)
    if (!llvm::is_contained(to, bound))
      to.push_back(bound);
}

/// Every component is a sum of ids of other axes, or the same for the whole dispatch.
bool Saturation::staysTheSame(Id value, unsigned axis) const {
  AbstractValue known = ids.value(value);
  return std::all_of(known.begin(), known.end(), [&](const AbstractScalar &component) {
    if (component.variation() == Variation::Dispatch)
      return true;
    return component.rest == Variation::None && !component.hasGroupPart() && component.g[axis] == 0;
  });
}

/// `min(value, limit)` for a value that is GlobalId[axis] plus a number: it is the limit from
/// `GlobalId[axis] + number >= limit` on.
std::optional<Saturation::Bounds> Saturation::ofLimit(Id value, Id limit, bool isSigned,
                                                      unsigned axis) {
  // min(max(value, low), limit) is the limit wherever value is past it.
  const Instruction *limited = module.def(value);
  if (limited && limited->opcode() == spv::Op::OpExtInst && !isReduced(*limited) &&
      module.extInstSet(limited->id(0)) == "GLSL.std.450" &&
      limited->literal(1) == static_cast<uint32_t>(isSigned ? GLSLstd450SMax : GLSLstd450UMax))
    for (unsigned at : {2u, 3u})
      if (staysTheSame(limited->id(5 - at), axis))
        value = limited->id(at);
  limited = module.def(value);
  if (!limited || !isIntType(module, scalarTypeOf(module, limited->typeId()), 32))
    return std::nullopt;
  AbstractValue known = ids.value(value), limits = ids.value(limit);
  Bounds bounds;
  for (unsigned at = 0; at < known.size(); ++at) {
    const AbstractScalar &component = known[at];
    const AbstractScalar &top = at < limits.size() ? limits[at] : limits[0];
    // A component that another axis clamps is not moved by this one.
    bool isStill =
        component.rest == Variation::None && !component.hasGroupPart() && component.g[axis] == 0;
    if ((isStill || component.variation() == Variation::Dispatch) &&
        (top.variation() == Variation::Dispatch))
      continue;
    AbstractScalar moving = component;
    moving.c = 0;
    const int32_t offset = static_cast<int32_t>(component.c);
    constexpr int32_t kLargest = 1 << 24;
    if (!moving.isGlobalId(axis) || top.variation() != Variation::Dispatch || offset > kLargest ||
        offset < -kLargest)
      return std::nullopt;
    std::optional<UniformExpr> bound =
        uniformExpression(module, ids, limit, limits.size() > 1 ? at : 0);
    if (!bound)
      return std::nullopt;
    DispatchBound result{axis, std::move(*bound), isSigned, true, form.locationOf(*limited)};
    if (offset > 0) {
      result.terms = {{axis, UniformExpr::constant(1)}};
      result.offset = UniformExpr::constant(component.c);
    } else if (offset < 0) {
      // limit - offset, or the limit itself where that wraps: a bound that no grid reaches.
      using Op = UniformExpr::Op;
      UniformExpr moved{Op::Sub, {}, {result.bound, UniformExpr::constant(component.c)}};
      result.bound = {isSigned ? Op::SMax : Op::UMax, {}, {result.bound, std::move(moved)}};
      if (!isWellFormed(result.bound))
        return std::nullopt;
    }
    bounds.push_back(std::move(result));
  }
  return bounds;
}

std::optional<Saturation::Bounds> Saturation::ofClamp(const Instruction &inst, unsigned axis,
                                                      unsigned depth) {
  // At 16 bits two ids past the limit may be two values below it.
  if (isReduced(inst))
    return ofOperands(inst, 2, axis, depth);
  uint32_t number = inst.literal(1);
  switch (number) {
  case GLSLstd450UMin:
  case GLSLstd450SMin:
    for (unsigned first : {2u, 3u})
      if (auto bounds = ofLimit(inst.id(first), inst.id(5 - first), number == GLSLstd450SMin, axis))
        return bounds;
    break;
  case GLSLstd450UClamp:
  case GLSLstd450SClamp: {
    // min(max(value, low), high): past the high end it is that, whatever the low one is.
    bool isSteady = staysTheSame(inst.id(3), axis);
    auto bounds = ofLimit(inst.id(2), inst.id(4), number == GLSLstd450SClamp, axis);
    if (isSteady && bounds)
      return bounds;
    break;
  }
  default:
    break;
  }
  return ofOperands(inst, 2, axis, depth);
}

std::optional<Saturation::Bounds> Saturation::ofOperands(const Instruction &inst, unsigned first,
                                                         unsigned axis, unsigned depth) {
  Bounds bounds;
  for (unsigned at = first; at < inst.numOperands(); ++at) {
    if (!inst.isId(at))
      continue;
    std::optional<Bounds> operand = ofValue(inst.id(at), axis, depth + 1);
    if (!operand)
      return std::nullopt;
    append(bounds, *operand);
  }
  return bounds;
}

/// `GlobalId[axis] < bound` is false from the bound on; the last invocation of the grid must be
/// past it as well, so one more is asked for.
std::optional<Saturation::Bounds> Saturation::ofComparison(const Instruction &inst, unsigned axis) {
  Bounds bounds;
  unsigned count = componentCount(module, inst.typeId());
  for (unsigned component = 0; component < count; ++component)
    for (bool truth : {true, false})
      if (auto bound = reader.read({&inst, component, truth}, axis)) {
        if (bound->inclusive || !bound->terms.empty())
          return std::nullopt;
        bound->inclusive = true;
        bounds.push_back(std::move(*bound));
        break;
      }
  return bounds.size() == count ? std::optional(std::move(bounds)) : std::nullopt;
}

std::optional<Saturation::Bounds> Saturation::ofValue(Id value, unsigned axis, unsigned depth) {
  constexpr unsigned kMaxDepth = 24;
  const Instruction *inst = module.def(value);
  if (!inst || depth > kMaxDepth)
    return std::nullopt;
  if (isConstant(inst->opcode()) || inst->opcode() == spv::Op::OpVariable ||
      staysTheSame(value, axis))
    return Bounds();
  if (!inst->parent())
    return std::nullopt;
  const uint64_t key = uint64_t{raw(value)} << 2 | axis;
  if (auto known = values.find(key); known != values.end())
    return known->second;
  std::optional<Bounds> result;
  OpcodeClass kind = classOf(inst->opcode());
  if (inst->opcode() == spv::Op::OpExtInst) {
    if (module.extInstSet(inst->id(0)) == "GLSL.std.450" && inst->literal(1) != GLSLstd450Modf &&
        inst->literal(1) != GLSLstd450Frexp)
      result = ofClamp(*inst, axis, depth);
  } else if (inst->opcode() == spv::Op::OpLoad) {
    std::optional<PointerPath> path = tracePointer(module, inst->id(0));
    if (path && ids.isConstantMemory(*path->variable, path->space) && !ids.readsSharedState(*inst))
      result = ofValue(inst->id(0), axis, depth + 1);
  } else if (inst->opcode() == spv::Op::OpUndef) {
    result = std::nullopt; // another value at each use
  } else if (kind == OpcodeClass::Componentwise || kind == OpcodeClass::Pure ||
             inst->opcode() == spv::Op::OpAccessChain ||
             inst->opcode() == spv::Op::OpInBoundsAccessChain) {
    result = ofOperands(*inst, 0, axis, depth);
    if (!result && kind == OpcodeClass::Componentwise)
      result = ofComparison(*inst, axis);
  }
  values[key] = result;
  return result;
}

/// All branches that decide about the block, directly or not.
std::optional<Saturation::Bounds> Saturation::ofControl(const Block &block, unsigned axis) {
  const uint64_t key = uint64_t{block.index()} << 2 | axis;
  if (auto known = controls.find(key); known != controls.end())
    return known->second;
  std::optional<Bounds> result = Bounds();
  std::vector<const Block *> work = {&block};
  llvm::DenseSet<const Block *> seen = {&block};
  while (!work.empty() && result) {
    const Block *now = work.back();
    work.pop_back();
    for (const Block *branch : flow.controllers(*now)) {
      std::optional<Bounds> condition = ofValue(branch->terminator()->id(0), axis, 0);
      if (!condition) {
        result = std::nullopt;
        break;
      }
      append(*result, *condition);
      if (seen.insert(branch).second)
        work.push_back(branch);
    }
  }
  controls[key] = result;
  return result;
}

/// Memory that no invocation writes, under any name; private memory is the invocation's own.
bool Saturation::neverWritten(const PointerPath &path) const {
  switch (path.space) {
  case MemorySpace::Private:
  case MemorySpace::Input:
    return true;
  case MemorySpace::Resource: {
    if (ids.written().contains(*path.variable) || ids.isWrittenByAnotherName(*path.variable) ||
        module.hasDecoration(path.variable->result(), spv::Decoration::Aliased))
      return false;
    return !isDeclaredShared(module, *path.variable);
  }
  default:
    return ids.isConstantMemory(*path.variable, path.space);
  }
}

std::optional<Saturation::Bounds> Saturation::of(const Instruction &inst, unsigned axis) {
  if (flow.inCycle(*inst.parent()))
    return std::nullopt; // what a loop's rounds see is not compared
  spv::Op op = inst.opcode();
  Bounds bounds;
  auto take = [&](const std::optional<Bounds> &more) {
    if (more)
      append(bounds, *more);
    return more.has_value();
  };
  auto takeMemory = [&](Id pointer, bool isImage) {
    std::optional<PointerPath> path =
        isImage ? traceResource(module, pointer) : tracePointer(module, pointer);
    return path && neverWritten(*path) && take(ofValue(pointer, axis, 0));
  };
  bool holds = false;
  switch (classOf(op)) {
  case OpcodeClass::Memory:
    if (op == spv::Op::OpAccessChain || op == spv::Op::OpInBoundsAccessChain)
      holds = take(ofValue(inst.result(), axis, 0));
    else if (op == spv::Op::OpLoad)
      holds = !ids.readsSharedState(inst) && takeMemory(inst.id(0), false);
    else if (op == spv::Op::OpStore) {
      std::optional<PointerPath> path = tracePointer(module, inst.id(0));
      holds = path && path->space == MemorySpace::Private && take(ofValue(inst.id(0), axis, 0));
    }
    break;
  case OpcodeClass::ImageAccess: {
    bool isRead = op == spv::Op::OpImageRead || op == spv::Op::OpImageFetch;
    std::optional<PointerPath> path = isRead ? traceResource(module, inst.id(0)) : std::nullopt;
    holds = path && neverWritten(*path) && path->indices.empty() && !ids.readsSharedState(inst);
    for (unsigned at = 1; holds && at < inst.numOperands(); ++at)
      if (inst.isId(at))
        holds = take(ofValue(inst.id(at), axis, 0));
    break;
  }
  case OpcodeClass::Componentwise:
  case OpcodeClass::Pure:
    holds = take(ofOperands(inst, 0, axis, 0));
    break;
  default:
    break;
  }
  if (!holds || !take(ofControl(*inst.parent(), axis)))
    return std::nullopt;
  return bounds;
}

} // namespace tailor
