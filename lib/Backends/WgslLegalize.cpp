//===- Backends/WgslLegalize.cpp  -===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Backends/WgslSteps.h"

#include "IR/Builder.h"
#include "IR/Capabilities.h"
#include "IR/Reader.h"
#include "IR/Types.h"
#include "Support/SpirvTools.h"
#include "passes/LegalizeExtendedArithmetic.h"
#include "passes/ModuleEdits.h"

#include "spirv-tools/optimizer.hpp"

namespace tailor::wgsl {

Function &entryFunction(Module &module) {
  return *module.function(module.entryPoints().front().function());
}

namespace {

template <typename Visit> void forEachInBodies(Module &module, Visit visit) {
  for (auto &function : module.functions())
    for (Block &block : function->blocks())
      for (auto at = block.instructions().begin(); at != block.instructions().end();) {
        Instruction &inst = *at++;
        visit(inst, block);
      }
}

/// Another definition of the same result, at the same place.
void replace(Module &module, Block &block, Instruction &old, Instruction &made) {
  made.lineIndex = old.lineIndex;
  auto next = std::next(old.getIterator());
  module.erase(block, old);
  module.insert(block, next, made);
}

/// Other entry points, and what no function reaches.
void dropOthers(Module &module, const std::string &entryPoint) {
  llvm::DenseSet<uint32_t> gone;
  for (const EntryPoint &entry : module.entryPoints())
    if (entry.name() != entryPoint || entry.model() != spv::ExecutionModel::GLCompute)
      module.erase(*entry.inst);
  const Id root = module.entryPoints().front().function();
  std::vector<Function *> kept = reachableFunctions(module, root);
  std::vector<Function *> dropped;
  for (auto &function : module.functions())
    if (std::find(kept.begin(), kept.end(), function.get()) == kept.end())
      dropped.push_back(function.get());
  for (Function *function : dropped) {
    gone.insert(raw(function->id()));
    for (const Instruction &parameter : function->parameters())
      gone.insert(raw(parameter.result()));
    for (const Block &block : function->blocks()) {
      gone.insert(raw(block.id()));
      for (const Instruction &inst : block.instructions())
        gone.insert(raw(inst.result()));
    }
  }
  gone.erase(0);
  removeNamesAndDecorations(module, gone);
  for (Function *function : dropped)
    module.eraseFunction(*function);
  InstructionList &modes = module.section(Section::ExecutionModes);
  for (auto at = modes.begin(); at != modes.end();) {
    Instruction &mode = *at++;
    if (mode.id(0) != root)
      module.erase(mode);
  }
}

} // namespace

void dropUnusedVariables(Module &module, bool resourcesToo) {
  llvm::DenseSet<uint32_t> used, gone;
  forEachInBodies(module, [&](Instruction &inst, Block &) {
    for (unsigned i = 0; i < inst.numOperands(); ++i)
      if (inst.isId(i))
        used.insert(raw(inst.id(i)));
  });
  std::vector<Instruction *> dropped;
  for (Instruction &inst : module.section(Section::Globals))
    if (inst.opcode() == spv::Op::OpVariable && !used.contains(raw(inst.result())) &&
        (resourcesToo || !module.decoration(inst.result(), spv::Decoration::Binding))) {
      dropped.push_back(&inst);
      gone.insert(raw(inst.result()));
    }
  for (const EntryPoint &entry : module.entryPoints())
    for (unsigned i = entry.numInterfaceIds(); i-- > 0;)
      if (gone.contains(raw(entry.interfaceId(i))))
        entry.inst->removeOperands(3 + i, 1);
  removeNamesAndDecorations(module, gone);
  for (Instruction *inst : dropped)
    module.erase(*inst);
}

namespace {

/// Instructions without meaning (debug information, reflection), which naga does not read, and the
/// sets that they come from. What they named stays.
void dropNonSemantic(Module &module) {
  llvm::DenseSet<uint32_t> sets, gone;
  for (const Instruction &inst : module.section(Section::ExtInstImports))
    if (llvm::StringRef(inst.string(0)).starts_with("NonSemantic."))
      sets.insert(raw(inst.result()));
  if (sets.empty())
    return;
  std::vector<Instruction *> dropped;
  module.forEachInstruction([&](Instruction &inst) {
    if ((inst.opcode() == spv::Op::OpExtInst && sets.contains(raw(inst.id(0)))) ||
        (inst.opcode() == spv::Op::OpExtInstImport && sets.contains(raw(inst.result()))) ||
        (inst.opcode() == spv::Op::OpExtension && inst.string(0) == "SPV_KHR_non_semantic_info")) {
      dropped.push_back(&inst);
      if (isValid(inst.result()))
        gone.insert(raw(inst.result()));
    }
  });
  removeNamesAndDecorations(module, gone);
  for (Instruction *inst : dropped)
    module.erase(*inst);
}

/// Whether something stands in the way that is gone once calls are written out: a barrier beside
/// any call (WGSL's proof would need ours to follow calls), a private variable or an input in a
/// function that is called (naga hands neither over), a resource as an argument.
bool wantsInlining(Module &module) {
  const Id root = module.entryPoints().front().function();
  bool calls = false, barriers = false, globals = false, arguments = false;
  llvm::DenseSet<uint32_t> own;
  bool privates = false;
  for (const Instruction &inst : module.section(Section::Globals)) {
    if (inst.opcode() != spv::Op::OpVariable)
      continue;
    const auto storage = static_cast<spv::StorageClass>(inst.literal(0));
    privates |= storage == spv::StorageClass::Private;
    if (storage == spv::StorageClass::Input || storage == spv::StorageClass::Private)
      own.insert(raw(inst.result()));
  }
  for (auto &function : module.functions())
    for (Block &block : function->blocks())
      for (Instruction &inst : block.instructions()) {
        calls |= inst.opcode() == spv::Op::OpFunctionCall;
        barriers |= inst.opcode() == spv::Op::OpControlBarrier;
        for (unsigned i = 0; i < inst.numOperands(); ++i) {
          if (!inst.isId(i))
            continue;
          globals |= function->id() != root && own.contains(raw(inst.id(i)));
          if (inst.opcode() == spv::Op::OpFunctionCall && i > 0)
            if (std::optional<PointerType> pointer = pointerTypeOfValue(module, inst.id(i)))
              arguments |= pointer->storageClass != spv::StorageClass::Function;
        }
      }
  return (calls && (barriers || arguments)) || globals || (privates && barriers);
}

/// All calls written out; private variables of the entry point become its own.
Result<std::vector<uint32_t>> inlined(const Module &module, const std::string &fileName) {
  const std::vector<uint32_t> words = module.words();
  spvtools::Optimizer optimizer(targetEnvOf(words));
  std::string said;
  optimizer.SetMessageConsumer(
      [&](spv_message_level_t level, const char *, const spv_position_t &, const char *text) {
        if (level <= SPV_MSG_ERROR)
          said = text;
      });
  // Merging returns asks for reachable blocks alone.
  optimizer.RegisterPass(spvtools::CreateDeadBranchElimPass())
      .RegisterPass(spvtools::CreateMergeReturnPass())
      .RegisterPass(spvtools::CreateInlineExhaustivePass())
      .RegisterPass(spvtools::CreateEliminateDeadFunctionsPass())
      .RegisterPass(spvtools::CreatePrivateToLocalPass());
  spvtools::OptimizerOptions options;
  options.set_run_validator(false);
  std::vector<uint32_t> result;
  if (!optimizer.Run(words.data(), words.size(), &result, options))
    return failure(Location::inFile(fileName),
                   "wgsl cannot express this kernel: its functions cannot be written out" +
                       (said.empty() ? std::string() : ": " + said));
  return result;
}

/// naga (wgpu 30) writes `&&` and `||` for OpLogicalAnd and OpLogicalOr, which take no vectors.
void rewriteVectorLogic(Module &module, Builder &builder) {
  forEachInBodies(module, [&](Instruction &inst, Block &block) {
    const bool isAnd = inst.opcode() == spv::Op::OpLogicalAnd;
    if ((!isAnd && inst.opcode() != spv::Op::OpLogicalOr) ||
        componentCount(module, inst.typeId()) < 2)
      return;
    const llvm::SmallVector<Id, 4> elements(componentCount(module, inst.typeId()),
                                            builder.boolConstant(!isAnd));
    const Id decided = builder.compositeConstant(inst.typeId(), elements);
    Instruction made(spv::Op::OpSelect, inst.typeId(), inst.result());
    made.addId(inst.id(0));
    made.addId(isAnd ? inst.id(1) : decided).addId(isAnd ? decided : inst.id(1));
    replace(module, block, inst, made);
  });
}

/// OpAtomicIIncrement and OpAtomicIDecrement, which naga does not read.
void rewriteIncrements(Module &module, Builder &builder) {
  forEachInBodies(module, [&](Instruction &inst, Block &block) {
    const bool up = inst.opcode() == spv::Op::OpAtomicIIncrement;
    if (!up && inst.opcode() != spv::Op::OpAtomicIDecrement)
      return;
    Instruction made(up ? spv::Op::OpAtomicIAdd : spv::Op::OpAtomicISub, inst.typeId(),
                     inst.result());
    made.addId(inst.id(0)).addId(inst.id(1)).addId(inst.id(2));
    made.addId(builder.intConstant(inst.typeId(), 1));
    replace(module, block, inst, made);
  });
}

std::optional<uint32_t> constantOf(const Module &module, Id id) {
  const Instruction *def = module.def(id);
  if (!def || def->opcode() != spv::Op::OpConstant)
    return std::nullopt;
  return def->literal(0);
}

/// Of two scopes the wider one.
Id wider(const Module &module, Id a, Id b) {
  auto width = [&](Id scope) {
    switch (static_cast<spv::Scope>(constantOf(module, scope).value_or(UINT32_MAX))) {
    case spv::Scope::Invocation:
      return 0;
    case spv::Scope::Subgroup:
      return 1;
    case spv::Scope::Workgroup:
      return 2;
    default:
      return 3;
    }
  };
  return width(a) >= width(b) ? a : b;
}

/// A memory barrier right in front of another barrier lends it its memories and its scope; between
/// the two nothing happens. WGSL has no memory barriers that stand alone (refuseInexpressible).
void mergeMemoryBarriers(Module &module, Builder &builder) {
  forEachInBodies(module, [&](Instruction &inst, Block &block) {
    if (inst.opcode() != spv::Op::OpMemoryBarrier)
      return;
    auto next = std::next(inst.getIterator());
    const bool isMemory = next->opcode() == spv::Op::OpMemoryBarrier;
    if (!isMemory && next->opcode() != spv::Op::OpControlBarrier)
      return;
    const unsigned scope = isMemory ? 0 : 1, semantics = isMemory ? 1 : 2;
    const std::optional<uint32_t> own = constantOf(module, inst.id(1)),
                                  other = constantOf(module, next->id(semantics));
    if (!own || !other)
      return;
    next->setId(scope, wider(module, inst.id(0), next->id(scope)));
    next->setId(semantics, builder.uintConstant(*own | *other));
    module.erase(block, inst);
  });
}

/// naga calls the result of its compare-and-exchange, which WGSL has a type for, by a name of this
/// form. A structure of the module that is called so and looks like it is taken for that type, and
/// not declared: one that came from WGSL does, since naga made it. No name of WGSL starts so.
void dropReservedNames(Module &module) {
  std::vector<Instruction *> gone;
  for (Instruction &inst : module.section(Section::Debug))
    if (inst.opcode() == spv::Op::OpName && inst.string(1).starts_with("__"))
      if (const Instruction *named = module.def(inst.id(0));
          named && named->opcode() == spv::Op::OpTypeStruct)
        gone.push_back(&inst);
  for (Instruction *inst : gone)
    module.erase(*inst);
}

} // namespace

Result<Module> legalize(std::span<const uint32_t> words, const std::string &entryPoint,
                        const std::string &fileName) {
  Result<Module> read = readModule(words, fileName);
  if (!read)
    return read.takeFailure();
  Module module = std::move(*read);
  dropOthers(module, entryPoint);
  dropNonSemantic(module);
  dropReservedNames(module);
  dropUnusedVariables(module, /*resourcesToo=*/false);
  if (wantsInlining(module)) {
    Result<std::vector<uint32_t>> flat = inlined(module, fileName);
    if (!flat)
      return flat.takeFailure();
    Result<Module> again = readModule(*flat, fileName);
    if (!again)
      return again.takeFailure();
    module = std::move(*again);
    dropUnusedVariables(module, /*resourcesToo=*/false);
  }
  Result<Change> extended = legalizeExtendedArithmetic(module);
  if (!extended)
    return extended.takeFailure();
  // naga refuses a module for the mere name of one that it lacks.
  dropUnusedStorage16(module);
  Builder builder(module);
  rewriteVectorLogic(module, builder);
  rewriteIncrements(module, builder);
  mergeMemoryBarriers(module, builder);
  rewriteForNaga(module, builder);
  return module;
}

} // namespace tailor::wgsl
