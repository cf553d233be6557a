//===- Analysis/InstructionRules.cpp ---------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/InstructionRules.h"

#include "Analysis/Memory.h"
#include "Analysis/Opcodes.h"

#include "spirv/unified1/GLSL.std.450.h"

#include <algorithm>

namespace tailor {

Diagnostic refusalAt(const CanonicalForm &form, const Instruction &inst, std::string text) {
  return Diagnostic::error(form.locationOf(inst), std::move(text));
}

std::optional<Diagnostic> refuseExecutionModes(const CanonicalForm &form) {
  for (const Instruction &mode : form.module().section(Section::ExecutionModes)) {
    uint32_t number = mode.literal(1);
    switch (static_cast<spv::ExecutionMode>(number)) {
    case spv::ExecutionMode::LocalSize:
    case spv::ExecutionMode::LocalSizeId:
    case spv::ExecutionMode::DenormPreserve:
    case spv::ExecutionMode::DenormFlushToZero:
    case spv::ExecutionMode::SignedZeroInfNanPreserve:
    case spv::ExecutionMode::RoundingModeRTE:
    case spv::ExecutionMode::RoundingModeRTZ:
      continue;
    default:
      return refusalAt(form, mode,
                       "execution mode " + std::to_string(number) +
                           " may depend on the workgroup size");
    }
  }
  return std::nullopt;
}

std::optional<Diagnostic> refuseUniformDecorations(const CanonicalForm &form,
                                                   llvm::function_ref<bool(Id)> staysUniform) {
  const Module &authored = form.authoredModule();
  for (const Instruction &inst : authored.section(Section::Annotations)) {
    bool isDecoration =
        inst.opcode() == spv::Op::OpDecorate || inst.opcode() == spv::Op::OpDecorateId;
    if (!isDecoration || inst.numOperands() < 2)
      continue;
    auto decoration = static_cast<spv::Decoration>(inst.literal(1));
    if (decoration != spv::Decoration::Uniform && decoration != spv::Decoration::UniformId)
      continue;
    const Instruction *target = authored.def(inst.id(0));
    const Instruction *here = form.module().def(inst.id(0));
    bool holds = (target && isConstant(target->opcode())) ||
                 (here && here->parent() && staysUniform(inst.id(0)));
    if (!holds)
      return Diagnostic::error(authored.locationOf(target ? *target : inst),
                               "a value is decorated Uniform, which another workgroup size could "
                               "make untrue");
  }
  return std::nullopt;
}

static std::optional<Diagnostic> refuseExtInst(const CanonicalForm &form, const Instruction &inst) {
  const Module &module = form.module();
  std::string set = module.extInstSet(inst.id(0));
  if (set.rfind("NonSemantic.", 0) == 0)
    return std::nullopt;
  if (set != "GLSL.std.450")
    return refusalAt(form, inst, "the extended instruction set '" + set + "' is not understood");
  uint32_t number = inst.literal(1);
  if (number >= GLSLstd450InterpolateAtCentroid && number <= GLSLstd450InterpolateAtOffset)
    return refusalAt(form, inst, "an interpolation has no meaning in a compute shader");
  if (number == GLSLstd450Modf || number == GLSLstd450Frexp) {
    std::optional<PointerPath> path = tracePointer(module, inst.id(3));
    if (!path || path->space != MemorySpace::Private)
      return refusalAt(form, inst, "an extended instruction writes to memory that is not private");
  }
  return std::nullopt;
}

std::optional<Diagnostic> refuseOpcode(const CanonicalForm &form, const Instruction &inst) {
  std::string name = nameOf(inst.opcode());
  switch (classOf(inst.opcode())) {
  case OpcodeClass::Subgroup:
    return refusalAt(form, inst, name + " exchanges values inside a subgroup");
  case OpcodeClass::Derivative:
    return refusalAt(form, inst, name + " takes derivatives across a quad");
  case OpcodeClass::Call:
    return refusalAt(form, inst, "a function call could not be inlined");
  case OpcodeClass::ExtInst:
    return refuseExtInst(form, inst);
  case OpcodeClass::Unknown:
    return refusalAt(form, inst, name + " is not understood by this analysis");
  default:
    return std::nullopt;
  }
}

static OrderingReach reachOf(Id scopeId, ConstantEvaluator &constants) {
  std::optional<uint64_t> value = constants.evaluateInt(scopeId);
  if (!value)
    return OrderingReach::Unknown;
  switch (static_cast<spv::Scope>(*value)) {
  case spv::Scope::CrossDevice:
  case spv::Scope::Device:
  case spv::Scope::QueueFamily:
    return OrderingReach::Device;
  case spv::Scope::Workgroup:
    return OrderingReach::Workgroup;
  case spv::Scope::Subgroup:
    return OrderingReach::Subgroup;
  case spv::Scope::Invocation:
    return OrderingReach::None;
  default:
    return OrderingReach::Unknown;
  }
}

OrderingReach orderingReach(const Instruction &inst, ConstantEvaluator &constants) {
  spv::Op op = inst.opcode();
  switch (classOf(op)) {
  case OpcodeClass::MemoryBarrier:
    return reachOf(inst.id(0), constants);
  case OpcodeClass::Atomic:
    return reachOf(inst.id(1), constants);
  case OpcodeClass::Memory: {
    if (op != spv::Op::OpLoad && op != spv::Op::OpStore && op != spv::Op::OpCopyMemory)
      return OrderingReach::None;
    // Ids behind the memory operand mask are scopes (SPIR-V 1.6, section 3.26); a mask may hold
    // MakePointerAvailable and MakePointerVisible.
    OrderingReach reach = OrderingReach::None;
    for (unsigned at = op == spv::Op::OpLoad ? 1 : 2; at < inst.numOperands(); ++at)
      if (inst.isId(at)) {
        OrderingReach each = reachOf(inst.id(at), constants);
        // The narrowest that orders anything is what a technique has to keep.
        if (reach == OrderingReach::None || each == OrderingReach::Unknown ||
            (each != OrderingReach::None && each < reach && reach != OrderingReach::Unknown))
          reach = each;
      }
    return reach;
  }
  case OpcodeClass::ImageAccess: {
    constexpr uint32_t kMakeTexel = 0x100 | 0x200; // MakeTexelAvailable, MakeTexelVisible
    unsigned operands = op == spv::Op::OpImageWrite ? 3 : 2;
    bool orders = (op == spv::Op::OpImageRead || op == spv::Op::OpImageWrite) &&
                  inst.numOperands() > operands && (inst.literal(operands) & kMakeTexel);
    return orders ? OrderingReach::Unknown : OrderingReach::None;
  }
  default:
    return OrderingReach::None;
  }
}

const char *orderingName(const Instruction &inst) {
  switch (classOf(inst.opcode())) {
  case OpcodeClass::MemoryBarrier:
    return "a memory barrier";
  case OpcodeClass::Atomic:
    return "an atomic";
  case OpcodeClass::ImageAccess:
    return "an image access";
  default:
    return "a memory access";
  }
}

bool isForeignBuiltIn(spv::BuiltIn builtIn) {
  switch (builtIn) {
  case spv::BuiltIn::NumWorkgroups:
  case spv::BuiltIn::WorkgroupSize:
  case spv::BuiltIn::WorkgroupId:
  case spv::BuiltIn::LocalInvocationId:
  case spv::BuiltIn::GlobalInvocationId:
  case spv::BuiltIn::LocalInvocationIndex:
    return false;
  default:
    return true;
  }
}

} // namespace tailor
