//===- Analysis/FactGathering.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/FactGathering.h"

#include "Analysis/IdDependence.h"
#include "Analysis/Memory.h"
#include "Analysis/Opcodes.h"
#include "IR/Types.h"

#include <algorithm>
#include <set>

namespace tailor {

namespace {

class Gatherer {
public:
  Gatherer(const CanonicalForm &form, const ControlFlow &flow, ConstantEvaluator &constants)
      : form(form), module(form.module()), flow(flow), constants(constants) {}

  KernelFacts run();

private:
  void visit(const Instruction &inst);
  void noteVariable(const Instruction &variable);
  void access(const Instruction &inst, const std::optional<PointerPath> &path, const char *op,
              Id valueType);
  uint64_t sharedBytes();

  const CanonicalForm &form;
  const Module &module;
  const ControlFlow &flow;
  ConstantEvaluator &constants;
  KernelFacts facts;
  std::set<std::string> builtIns, subgroupOps;
  std::vector<const Instruction *> workgroupVariables;
};

const char *spaceName(MemorySpace space) {
  switch (space) {
  case MemorySpace::StorageBuffer:
    return "buffer";
  case MemorySpace::Resource:
    return "image";
  case MemorySpace::UniformBuffer:
  case MemorySpace::PushConstant:
    return "uniform";
  case MemorySpace::Workgroup:
    return "workgroup";
  default:
    return nullptr;
  }
}

void Gatherer::access(const Instruction &inst, const std::optional<PointerPath> &path,
                      const char *op, Id valueType) {
  const char *space = path ? spaceName(path->space) : nullptr;
  if (!space)
    return;
  Id variable = path->variable->result();
  AccessFact fact;
  fact.variable = module.name(variable);
  if (fact.variable.front() == '%') // a block without an instance name: the block's own name
    if (auto type = pointerType(module, path->variable->typeId()))
      if (std::string block = module.name(type->pointee); block.front() != '%')
        fact.variable = block;
  fact.set = module.decoration(variable, spv::Decoration::DescriptorSet);
  fact.binding = module.decoration(variable, spv::Decoration::Binding);
  fact.op = op;
  fact.space = space;
  if (std::optional<TypeLayout> layout = layoutOf(module, valueType, constants);
      layout && path->space != MemorySpace::Resource)
    fact.bytes = static_cast<uint32_t>(std::min<uint64_t>(layout->size.count, UINT32_MAX));
  fact.location = form.locationOf(inst).str();
  facts.accesses.push_back(std::move(fact));
}

void Gatherer::noteVariable(const Instruction &variable) {
  switch (spaceOf(module, variable)) {
  case MemorySpace::Input:
    if (std::optional<spv::BuiltIn> builtIn = builtInOf(module, variable))
      builtIns.insert(nameOf(*builtIn));
    break;
  case MemorySpace::Workgroup:
    if (!llvm::is_contained(workgroupVariables, &variable))
      workgroupVariables.push_back(&variable);
    break;
  default:
    break;
  }
}

void Gatherer::visit(const Instruction &inst) {
  for (unsigned at = 0; at < inst.numOperands(); ++at)
    if (inst.isId(at))
      if (const Instruction *used = module.def(inst.id(at));
          used && used->opcode() == spv::Op::OpVariable)
        noteVariable(*used);
  auto typeOf = [&](Id id) {
    const Instruction *def = module.def(id);
    return def ? def->typeId() : Id::None;
  };
  spv::Op op = inst.opcode();
  switch (classOf(op)) {
  case OpcodeClass::ControlBarrier:
    ++facts.controlBarriers;
    facts.barriersInLoops += flow.inCycle(*inst.parent());
    break;
  case OpcodeClass::Subgroup:
  case OpcodeClass::Derivative:
    subgroupOps.insert(nameOf(op));
    break;
  case OpcodeClass::Atomic: {
    ++facts.atomics;
    const Instruction *pointer = module.def(inst.id(0));
    bool isTexel = pointer && pointer->opcode() == spv::Op::OpImageTexelPointer;
    access(inst, tracePointer(module, isTexel ? pointer->id(0) : inst.id(0)), "atomic",
           isValid(inst.typeId()) ? inst.typeId() : Id::None);
    break;
  }
  case OpcodeClass::Memory: {
    std::optional<PointerPath> path =
        op == spv::Op::OpAccessChain || op == spv::Op::OpInBoundsAccessChain
            ? std::nullopt
            : tracePointer(module, inst.id(0));
    bool isHandle = path && path->space == MemorySpace::Resource;
    if (op == spv::Op::OpLoad && !isHandle)
      access(inst, path, "load", inst.typeId());
    else if (op == spv::Op::OpStore)
      access(inst, path, "store", typeOf(inst.id(1)));
    break;
  }
  case OpcodeClass::ImageAccess:
  case OpcodeClass::ImageSample:
    if (op != spv::Op::OpImageTexelPointer)
      access(inst, traceResource(module, inst.id(0)),
             op == spv::Op::OpImageWrite ? "store" : "load", Id::None);
    break;
  default:
    break;
  }
}

/// In declaration order, each at its alignment; with an explicit layout all blocks start at 0
/// and share the memory (SPV_KHR_workgroup_memory_explicit_layout).
uint64_t Gatherer::sharedBytes() {
  uint64_t end = 0, aliased = 0;
  for (const Instruction &variable : module.section(Section::Globals)) {
    if (!llvm::is_contained(workgroupVariables, &variable))
      continue;
    std::optional<PointerType> type = pointerType(module, variable.typeId());
    std::optional<TypeLayout> layout =
        type ? layoutOf(module, type->pointee, constants) : std::nullopt;
    if (!layout)
      continue;
    if (module.hasDecoration(type->pointee, spv::Decoration::Block)) {
      aliased = std::max(aliased, layout->size.count);
      continue;
    }
    uint64_t alignment = std::max<uint64_t>(1, layout->alignment.count);
    end = (end + alignment - 1) / alignment * alignment + layout->size.count;
  }
  return std::max(end, aliased);
}

KernelFacts Gatherer::run() {
  for (const Block &block : form.function().blocks())
    if (flow.isReachable(block))
      for (const Instruction &inst : block.instructions())
        visit(inst);
  facts.ids.assign(builtIns.begin(), builtIns.end());
  facts.subgroupOps.assign(subgroupOps.begin(), subgroupOps.end());
  facts.sharedBytes = sharedBytes();
  return std::move(facts);
}

} // namespace

KernelFacts gatherFacts(const CanonicalForm &form, const ControlFlow &flow,
                        ConstantEvaluator &constants) {
  return Gatherer(form, flow, constants).run();
}

} // namespace tailor
