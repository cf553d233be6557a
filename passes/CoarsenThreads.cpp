//===- passes/CoarsenThreads.cpp -------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/CoarsenThreads.h"

#include "Analysis/KernelAnalysis.h"
#include "Analysis/Memory.h"
#include "Analysis/Opcodes.h"
#include "Analysis/OptimizerSteps.h"
#include "Analysis/RegionRules.h"
#include "Support/SpirvTools.h"
#include "passes/AuthoredIds.h"
#include "passes/DeadCode.h"
#include "passes/ModuleEdits.h"
#include "passes/PropagateRanges.h"
#include "passes/RegionEdits.h"
#include "passes/Replication.h"
#include "passes/VariantProof.h"

#include "spirv-tools/optimizer.hpp"
#include "llvm/ADT/DenseMap.h"

namespace tailor {

std::string_view nameOf(CoarsenForm form) {
  return form == CoarsenForm::Cyclic ? "cyclic" : "blocked";
}

std::optional<CoarsenForm> parseCoarsenForm(std::string_view name) {
  for (CoarsenForm form : {CoarsenForm::Cyclic, CoarsenForm::Blocked})
    if (nameOf(form) == name)
      return form;
  return std::nullopt;
}

Result<std::unique_ptr<Pass>> CoarsenThreads::create(PassArguments &arguments) {
  Options options;
  if (!arguments.has("size"))
    arguments.complain("the pass 'coarsen-threads' needs its option size=AxBxC");
  options.size = arguments.dim3("size").value_or(Dim3{});
  options.entry = arguments.string("entry").value_or("");
  if (std::optional<std::string> form = arguments.string("form")) {
    std::optional<CoarsenForm> parsed = parseCoarsenForm(*form);
    if (!parsed)
      arguments.complain("the form is 'cyclic' or 'blocked', not '" + *form + "'");
    options.form = parsed.value_or(CoarsenForm::Cyclic);
  }
  if (Status read = arguments.finish(); !read)
    return read.takeFailure();
  return std::unique_ptr<Pass>(std::make_unique<CoarsenThreads>(std::move(options)));
}

namespace {

/// Every placement follows from the local id, which the copies then differ in.
class LocalModel final : public PlacementModel {
public:
  using PlacementModel::PlacementModel;

protected:
  Id local(IdEmitter &emit, unsigned axis) const override {
    return emit.physical(spv::BuiltIn::LocalInvocationId, axis);
  }
  Id group(IdEmitter &emit, unsigned axis) const override {
    return emit.physical(spv::BuiltIn::WorkgroupId, axis);
  }
  Id groupCount(IdEmitter &emit, unsigned axis) const override {
    return emit.physical(spv::BuiltIn::NumWorkgroups, axis);
  }
};

class Coarsener {
public:
  /// `kernel`: whose form becomes the variant. `locations`: the form of the module as it came, by
  /// whose marks refusals are located.
  Coarsener(const KernelAnalysis &kernel, const CanonicalForm &locations, const Dim3 &size,
            CoarsenForm form, bool checksRegions)
      : kernel(kernel), locations(locations), size(size), form(form), checksRegions(checksRegions) {
    for (Block &block : kernel.form().function().blocks())
      formBlocks[raw(block.id())] = &block;
    for (unsigned axis = 0; axis < 3; ++axis)
      factor[axis] = kernel.size()[axis] / size[axis];
  }

  Result<Module> run();

private:
  bool leavesTogether(const Block &block) const;
  bool isUniform(const Instruction &inst) const;
  bool followsData(Id condition) const;
  std::optional<std::vector<Id>> placement(const Instruction &inst, ReplicationPlan::Emit emit);
  Status checkRegions(const std::vector<DivergentRegion> &regions) const;
  Status checkGrowth(const Function &function) const;
  Location entryLocation() const {
    return locations.authoredModule().locationOf(
        *locations.authoredModule().entryPoints().front().inst);
  }

  const KernelAnalysis &kernel;
  const CanonicalForm &locations;
  Dim3 size, factor;
  CoarsenForm form;
  bool checksRegions;                           ///< all but tests do
  llvm::DenseMap<uint32_t, Block *> formBlocks; ///< of the analysis, by label
  std::unique_ptr<Builder> builder;
  Module made;
  RegionVersions versions;
};

/// As the analysis of the form has it: labels are the same here and there.
bool Coarsener::leavesTogether(const Block &block) const {
  if (versions.together.contains(raw(block.id())))
    return true;
  const Block *analysed = formBlocks.lookup(raw(versions.originOf(block.id())));
  if (!analysed || block.successors().size() < 2)
    return block.successors().size() < 2;
  return tailor::leavesTogether(kernel, *analysed);
}

bool Coarsener::isUniform(const Instruction &inst) const {
  OpcodeClass kind = classOf(inst.opcode());
  if (inst.opcode() != spv::Op::OpPhi && kind != OpcodeClass::Pure &&
      kind != OpcodeClass::Componentwise)
    return false;
  const Id origin = versions.originOf(inst.result());
  const Instruction *analysed = kernel.module().def(origin);
  return analysed && analysed->opcode() == inst.opcode() &&
         kernel.uniformity().of(origin) >= UniformityScope::Workgroup;
}

/// It is computed from memory that invocations do not read alike.
bool Coarsener::followsData(Id condition) const {
  std::vector<Id> open = {condition};
  llvm::DenseSet<uint32_t> seen;
  while (!open.empty()) {
    const Id id = open.back();
    open.pop_back();
    const Instruction *inst = made.def(id);
    if (!inst || !inst->parent() || !seen.insert(raw(id)).second || isUniform(*inst))
      continue;
    switch (classOf(inst->opcode())) {
    case OpcodeClass::Memory:
      if (inst->opcode() != spv::Op::OpLoad)
        break;
      if (std::optional<PointerPath> path = tracePointer(made, inst->id(0));
          path && path->space != MemorySpace::Input &&
          kernel.uniformity().of(versions.originOf(id)) < UniformityScope::Workgroup)
        return true;
      continue;
    case OpcodeClass::ImageSample:
    case OpcodeClass::ImageAccess:
    case OpcodeClass::Atomic:
      return true;
    default:
      break;
    }
    for (unsigned at = 0; at < inst->numOperands(); ++at)
      if (inst->isId(at) && !made.function(inst->id(at)))
        open.push_back(inst->id(at));
  }
  return false;
}

/// A component of LocalInvocationId: p + k·P or p·c + k for the copy k.
std::optional<std::vector<Id>> Coarsener::placement(const Instruction &inst,
                                                    ReplicationPlan::Emit emit) {
  if (inst.opcode() != spv::Op::OpCompositeExtract)
    return std::nullopt;
  const Instruction *load = made.def(inst.id(0));
  if (!load || load->opcode() != spv::Op::OpLoad ||
      made.decoration(load->id(0), spv::Decoration::BuiltIn) !=
          static_cast<uint32_t>(spv::BuiltIn::LocalInvocationId))
    return std::nullopt;
  const uint32_t axis = inst.literal(1);
  const Id type = inst.typeId();
  Id physical = emit(spv::Op::OpCompositeExtract, type, {inst.id(0)}, {axis});
  Id first = physical;
  const uint32_t step = form == CoarsenForm::Cyclic ? size[axis] : 1;
  if (form == CoarsenForm::Blocked && factor[axis] != 1)
    first = emit(spv::Op::OpIMul, type, {physical, builder->intConstant(type, factor[axis])}, {});
  std::vector<Id> along = {first};
  for (uint32_t at = 1; at < factor[axis]; ++at)
    along.push_back(
        emit(spv::Op::OpIAdd, type, {first, builder->intConstant(type, at * step)}, {}));
  std::vector<Id> byCopy;
  for (uint32_t z = 0; z < factor.z; ++z)
    for (uint32_t y = 0; y < factor.y; ++y)
      for (uint32_t x = 0; x < factor.x; ++x)
        byCopy.push_back(along[axis == 0 ? x : axis == 1 ? y : z]);
  return byCopy;
}

/// Again, as the certificate did of the analysed form.
Status Coarsener::checkRegions(const std::vector<DivergentRegion> &regions) const {
  for (const DivergentRegion &region : regions)
    for (const Block *block : region.blocks)
      for (const Instruction &inst : block->instructions()) {
        if (inst.opcode() != spv::Op::OpControlBarrier)
          continue;
        return failure(entryLocation(),
                       "a control barrier stands in a part of the kernel that invocations "
                       "of a workgroup may go through in different ways");
      }
  return success();
}

Status Coarsener::checkGrowth(const Function &function) const {
  constexpr uint64_t kMaxInstructions = 64'000;
  uint64_t count = 0;
  for (const Block &block : function.blocks())
    count += block.instructions().size();
  if (count * factor.product() <= kMaxInstructions)
    return success();
  return failure(entryLocation(), "to coarsen by " + factor.str() + " would make more than " +
                                      std::to_string(kMaxInstructions) + " instructions of " +
                                      std::to_string(count));
}

Result<Module> Coarsener::run() {
  made = kernel.module().clone();
  made.source = locations.authoredModule().source;
  made.clearLineMarks();
  EntryPoint entry = made.entryPoints().front();
  Function &function = *made.function(entry.function());
  if (Status fits = checkGrowth(function); !fits)
    return fits.takeFailure();
  tidyUnreachable(made, function);
  insertPreheaders(made, function);
  if (Status replaced = replaceIds(made, entry, LocalModel(kernel.size())); !replaced)
    return replaced.takeFailure();
  function.rebuildCfg();

  auto leaves = [this](const Block &block) { return leavesTogether(block); };
  auto follows = [this](Id condition) { return followsData(condition); };
  auto uniform = [this](const Instruction &inst) { return isUniform(inst); };
  auto place = [this](const Instruction &inst, ReplicationPlan::Emit emit) {
    return placement(inst, emit);
  };
  Result<std::vector<DivergentRegion>> regions = versionRegions(
      made, function, {static_cast<unsigned>(factor.product()), leaves, follows}, versions);
  if (!regions) {
    Failure fault = regions.takeFailure();
    fault.diagnostic.location = entryLocation();
    return fault;
  }
  if (Status free = checksRegions ? checkRegions(*regions) : success(); !free)
    return free.takeFailure();
  builder = std::make_unique<Builder>(made);
  replicate(made, function,
            {static_cast<unsigned>(factor.product()), std::move(*regions), uniform, place,
             versions.agreements});
  setLocalSize(made, entry, size);
  Result<Module> clean = withoutDeadCode(std::move(made), "coarsening");
  if (!clean)
    return clean;
  if (Result<Change> decided = propagateRanges(*clean); !decided)
    return decided.takeFailure();
  return clean;
}

} // namespace

Result<Change> CoarsenThreads::run(Module &module, PassContext &context) {
  Result<VariantKernel> found = findVariantKernel(module, options.entry, context);
  if (!found)
    return found.takeFailure();
  if (found->authored == options.size)
    return Change::Unchanged;
  auto certificate =
      proveVariant(module, *found, options.certificate, Technique::Coarsen, options.size, context);
  if (!certificate)
    return certificate.takeFailure();
  Result<KernelAnalysis> kernel = KernelAnalysis::create(module, found->entry, context.spec);
  if (!kernel)
    return kernel.takeFailure();

  std::optional<Module> oneReturn;
  std::optional<KernelAnalysis> merged;
  if (returnsFromInside(kernel->form().function(), kernel->flow())) {
    Result<Module> changed = withOneReturn(kernel->form());
    if (!changed)
      return changed.takeFailure();
    oneReturn = std::move(*changed);
    Result<KernelAnalysis> again =
        KernelAnalysis::create(*oneReturn, oneReturn->entryPoints().front(), context.spec);
    if (!again)
      return again.takeFailure();
    merged.emplace(std::move(*again));
  }
  Result<Module> made =
      Coarsener(merged ? *merged : *kernel, kernel->form(), options.size, options.form,
                (*certificate)->relaxed.checks(LegalityCondition::Regions))
          .run();
  if (!made)
    return made.takeFailure();
  module = std::move(*made);
  return Change::Changed;
}

} // namespace tailor
