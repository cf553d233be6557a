//===- passes/GuardGrid.cpp - Nothing happens outside of the grid ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/GuardGrid.h"

#include "Analysis/Opcodes.h"
#include "passes/AuthoredIds.h"
#include "passes/ModuleEdits.h"

#include "llvm/ADT/STLExtras.h"

namespace tailor {

Result<std::unique_ptr<Pass>> GuardGrid::create(PassArguments &arguments) {
  Options options;
  options.entry = arguments.string("entry").value_or("");
  std::string source = arguments.string("source").value_or("push-constants");
  if (source == "spec-constants")
    options.source = GridSource::SpecConstants;
  else if (source != "push-constants")
    arguments.complainOf("source", "'" + source + "' is neither push-constants nor spec-constants");
  std::string axes = arguments.string("axes").value_or("xyz");
  for (unsigned axis = 0; axis < 3; ++axis)
    options.axes[axis] = axes.find(kAxisName[axis]) != std::string::npos;
  if (axes.empty() || axes.find_first_not_of("xyz") != std::string::npos)
    arguments.complainOf("axes", "'" + axes + "' is not made of x, y and z");
  if (Status read = arguments.finish(); !read)
    return read.takeFailure();
  return std::unique_ptr<Pass>(std::make_unique<GuardGrid>(std::move(options)));
}

namespace {

/// The number of groups that the authored dispatch has.
class GridCountModel final : public IdModel {
public:
  GridCountModel(const GridValues &grid, const Dim3 &authored, std::array<bool, 3> axes)
      : grid(grid), authored(authored), axes(axes) {}
  bool replaces(spv::BuiltIn builtIn) const override {
    return builtIn == spv::BuiltIn::NumWorkgroups;
  }
  Id component(IdEmitter &emit, spv::BuiltIn builtIn, unsigned axis) const override {
    if (!axes[axis])
      return emit.physical(builtIn, axis);
    return emit.udiv(grid.read(emit, axis), emit.constant(authored[axis]));
  }

private:
  const GridValues &grid;
  Dim3 authored;
  std::array<bool, 3> axes;
};

Status checkKernel(const Module &module, const EntryPoint &entry) {
  std::vector<Function *> functions = reachableFunctions(module, entry.function());
  for (const EntryPoint &other : module.entryPoints()) {
    std::vector<Function *> theirs = reachableFunctions(module, other.function());
    bool shares = other.inst != entry.inst && llvm::any_of(functions, [&](Function *function) {
                    return llvm::is_contained(theirs, function);
                  });
    if (shares)
      return failure(Diagnostic::error(module.locationOf(*entry.inst),
                                       "'" + entry.name() +
                                           "' shares functions with entry point '" + other.name() +
                                           "', so it cannot be guarded alone")
                         .withNote({}, "run 'select-entry-point' first"));
  }
  for (const Function *function : functions)
    for (const Block &block : function->blocks())
      for (const Instruction &inst : block.instructions())
        switch (classOf(inst.opcode())) {
        case OpcodeClass::ControlBarrier:
        case OpcodeClass::Subgroup:
        case OpcodeClass::Derivative:
          return failure(module.locationOf(inst),
                         nameOf(inst.opcode()) + " takes the whole of a workgroup or subgroup, so "
                                                 "no part of it can be made to do nothing");
        default:
          break;
        }
  return success();
}

/// Puts a block in front of the body, with its variables, that leaves unless all axes are inside.
void leaveOutside(Module &module, const EntryPoint &entry, const GridValues &grid,
                  std::array<bool, 3> axes) {
  Function &function = *module.function(entry.function());
  Block &body = function.front();
  Block &head = module.appendBlock(function, module.freshId());
  Block &outside = module.appendBlock(function, module.freshId());
  BlockList &blocks = function.blocks();
  blocks.splice(blocks.begin(), blocks, outside.getIterator());
  blocks.splice(blocks.begin(), blocks, head.getIterator());
  InstructionList &list = body.instructions();
  for (auto at = list.begin(); at != list.end();) {
    Instruction &inst = *at++;
    if (inst.opcode() != spv::Op::OpVariable)
      continue;
    module.insert(head, head.instructions().end(), inst);
    module.erase(body, inst);
  }

  Builder builder(module);
  IdEmitter emit(builder, entry, function);
  const Id boolType = builder.boolType();
  Id inside = Id::None;
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (!axes[axis])
      continue;
    Id each =
        emit.emit(spv::Op::OpULessThan,
                  {emit.physical(spv::BuiltIn::GlobalInvocationId, axis), grid.read(emit, axis)},
                  {}, boolType);
    inside =
        isValid(inside) ? emit.emit(spv::Op::OpLogicalAnd, {inside, each}, {}, boolType) : each;
  }
  emit.finish();
  Instruction merge(spv::Op::OpSelectionMerge), branch(spv::Op::OpBranchConditional);
  merge.addId(body.id()).addLiteral(static_cast<uint32_t>(spv::SelectionControlMask::MaskNone));
  branch.addId(inside).addId(body.id()).addId(outside.id());
  module.insert(head, head.instructions().end(), merge);
  module.insert(head, head.instructions().end(), branch);
  module.insert(outside, outside.instructions().end(), Instruction(spv::Op::OpReturn));
  function.rebuildCfg();
}

} // namespace

Result<GridGuard> guardGrid(Module &module, const EntryPoint &entry, GridSource source,
                            std::array<bool, 3> axes) {
  Result<WorkgroupSize> authored = readWorkgroupSize(module, entry);
  if (!authored)
    return authored.takeFailure();
  if (!axes[0] && !axes[1] && !axes[2])
    return failure({}, "no axis is named to guard", ErrorKind::Usage);
  if (Status allowed = checkKernel(module, entry); !allowed)
    return allowed.takeFailure();
  Result<GridValues> grid = GridValues::add(module, entry, source);
  if (!grid)
    return grid.takeFailure();
  if (Status counted = replaceIds(module, entry, GridCountModel(*grid, authored->size, axes));
      !counted)
    return counted.takeFailure();
  leaveOutside(module, entry, *grid, axes);
  return GridGuard{grid->source(), grid->offset(), grid->specIds(), axes};
}

Result<Change> GuardGrid::run(Module &module, PassContext &context) {
  Result<EntryPoint> entry =
      findComputeEntryPoint(module, options.entry.empty() ? context.entryPoint : options.entry);
  if (!entry)
    return entry.takeFailure();
  Result<GridGuard> guard = guardGrid(module, *entry, options.source, options.axes);
  if (!guard)
    return guard.takeFailure();
  std::string place = "push constants, " + std::to_string(kGridBytes) + " bytes at offset " +
                      std::to_string(guard->offset);
  if (guard->source == GridSource::SpecConstants) {
    place = "specialization constants";
    for (unsigned axis = 0; axis < 3; ++axis)
      place += (axis == 0 ? " " : ", ") + std::to_string(guard->specIds[axis]);
  }
  emitNote(context, Location::inFile(module.source.file),
           "the grid of '" + entry->name() + "' goes into " + place);
  return Change::Changed;
}

} // namespace tailor
