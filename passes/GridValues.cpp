//===- passes/GridValues.cpp -----------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/GridValues.h"

#include "IR/Constants.h"
#include "IR/Types.h"
#include "passes/ModuleEdits.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <tuple>

namespace tailor {

namespace {

void decorate(Module &module, Id target, spv::Decoration decoration,
              std::optional<uint32_t> literal = std::nullopt) {
  Instruction inst(spv::Op::OpDecorate);
  inst.addId(target).addLiteral(static_cast<uint32_t>(decoration));
  if (literal)
    inst.addLiteral(*literal);
  module.append(Section::Annotations, inst);
}

/// A push-constant block with three more members, in the place of the one that a kernel has.
class BlockGrowth {
public:
  BlockGrowth(Module &module, const EntryPoint &entry)
      : module(module), entry(entry), uses(module),
        functions(reachableFunctions(module, entry.function())) {
    findBlock();
  }

  /// Where the members would go; nullopt: there is no room, or its place is not known.
  std::optional<uint32_t> offset() const;
  Status check() const;
  /// The new variable, and the number of the first new member.
  std::pair<Id, uint32_t> grow(uint32_t offset);

private:
  void findBlock();
  bool reaches(const Instruction &inst) const {
    return inst.parent() && llvm::is_contained(functions, inst.parent()->getParent());
  }
  Id cloneStruct(uint32_t offset);
  void cloneNames(Id from, Id to);
  void cloneAnnotations(Id from, Id to);
  void redirect(Id to, Id structType);
  void describe(Instruction &debug, Id from, Id to);
  void rebuildLoad(Instruction &load, Id from, Id structType);
  void eraseIfUnused(Id id);

  Module &module;
  EntryPoint entry;
  UseMap uses;
  std::vector<Function *> functions;
  Instruction *block = nullptr; ///< the OpVariable; null: none
};

/// The block that the kernel uses, else one that the module has for others: its bytes are taken.
void BlockGrowth::findBlock() {
  for (Instruction &inst : module.section(Section::Globals)) {
    if (inst.opcode() != spv::Op::OpVariable ||
        inst.literal(0) != static_cast<uint32_t>(spv::StorageClass::PushConstant))
      continue;
    bool used = llvm::any_of(uses.uses(inst.result()),
                             [&](const UseMap::Use &use) { return reaches(*use.user); });
    if (used || !block)
      block = &inst;
    if (used)
      return;
  }
}

std::optional<uint32_t> BlockGrowth::offset() const {
  if (!block)
    return 0;
  std::optional<PointerType> pointer = pointerTypeOfValue(module, block->result());
  const Instruction *type = pointer ? module.def(pointer->pointee) : nullptr;
  if (!type || type->opcode() != spv::Op::OpTypeStruct)
    return std::nullopt;
  ConstantEvaluator constants(module, {}, false); // lengths that the host sets are not known
  std::optional<TypeLayout> layout = layoutOf(module, type->result(), constants);
  constexpr uint32_t kLast = kPushConstantFloor - kGridBytes; // a multiple of 4
  if (!layout || layout->size.count > kLast)
    return std::nullopt;
  return (static_cast<uint32_t>(layout->size.count) + 3) / 4 * 4;
}

Status BlockGrowth::check() const {
  if (!block)
    return success();
  const std::string name = "'" + module.name(block->result()) + "'";
  for (const UseMap::Use &use : uses.uses(block->result())) {
    const Instruction &user = *use.user;
    if (!reaches(user) || user.opcode() == spv::Op::OpExtInst)
      continue;
    bool isChain =
        user.opcode() == spv::Op::OpAccessChain || user.opcode() == spv::Op::OpInBoundsAccessChain;
    if (user.opcode() != spv::Op::OpLoad && !(isChain && user.numOperands() > 1))
      return failure(
          Diagnostic::error(module.locationOf(user), "the push constants " + name +
                                                         " are used by " + nameOf(user.opcode()) +
                                                         ", so their block cannot be extended")
              .withNote(module.rawLocationOf(*block), "only loads and access chains of it can be")
              .withNote({}, "source=spec-constants needs no push constants"));
    for (const EntryPoint &other : module.entryPoints())
      if (other.inst != entry.inst &&
          llvm::is_contained(reachableFunctions(module, other.function()),
                             user.parent()->getParent()))
        return failure(Diagnostic::error(module.locationOf(user),
                                         "this use of the push constants " + name +
                                             " is shared with entry point '" + other.name() + "'")
                           .withNote({}, "run 'select-entry-point' first"));
  }
  return success();
}

void BlockGrowth::cloneNames(Id from, Id to) {
  InstructionList &debug = module.section(Section::Debug);
  for (Instruction &inst : debug)
    if ((inst.opcode() == spv::Op::OpName || inst.opcode() == spv::Op::OpMemberName) &&
        inst.id(0) == from) {
      Instruction copy(inst);
      copy.setId(0, to);
      module.insertBefore(inst, copy); // names stand together
    }
}

void BlockGrowth::cloneAnnotations(Id from, Id to) {
  std::vector<Instruction> copies;
  for (Instruction &inst : module.section(Section::Annotations)) {
    if (inst.opcode() == spv::Op::OpGroupDecorate ||
        inst.opcode() == spv::Op::OpGroupMemberDecorate) {
      const bool ofMembers = inst.opcode() == spv::Op::OpGroupMemberDecorate;
      for (unsigned at = 1, count = inst.numOperands(); at < count; at += ofMembers ? 2 : 1)
        if (inst.id(at) == from) {
          inst.addId(to);
          if (ofMembers)
            inst.addLiteral(inst.literal(at + 1));
        }
    } else if (inst.numOperands() != 0 && inst.isId(0) && inst.id(0) == from) {
      copies.emplace_back(inst).setId(0, to);
    }
  }
  for (const Instruction &copy : copies)
    module.append(Section::Annotations, copy);
}

Id BlockGrowth::cloneStruct(uint32_t offset) {
  static constexpr const char *kNames[] = {"gridX", "gridY", "gridZ"};
  Builder builder(module);
  Id uintType = builder.intType(32, false);
  const Instruction *old =
      block ? module.def(pointerTypeOfValue(module, block->result())->pointee) : nullptr;
  Instruction type(spv::Op::OpTypeStruct, Id::None, module.freshId());
  uint32_t first = old ? old->numOperands() : 0;
  for (uint32_t at = 0; at < first; ++at)
    type.addId(old->id(at));
  for (unsigned axis = 0; axis < 3; ++axis)
    type.addId(uintType);
  module.append(Section::Globals, type);
  if (old) {
    cloneNames(old->result(), type.result());
    cloneAnnotations(old->result(), type.result());
  } else {
    decorate(module, type.result(), spv::Decoration::Block);
  }
  InstructionList &debug = module.section(Section::Debug);
  auto name = llvm::find_if(
      debug, [](const Instruction &inst) { return inst.opcode() == spv::Op::OpName; });
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (name != debug.end()) {
      Instruction made(spv::Op::OpMemberName);
      made.addId(type.result()).addLiteral(first + axis).addString(kNames[axis]);
      module.insertBefore(*name, made);
    }
    Instruction place(spv::Op::OpMemberDecorate);
    place.addId(type.result())
        .addLiteral(first + axis)
        .addLiteral(static_cast<uint32_t>(spv::Decoration::Offset))
        .addLiteral(offset + 4 * axis);
    module.append(Section::Annotations, place);
  }
  return type.result();
}

std::pair<Id, uint32_t> BlockGrowth::grow(uint32_t offset) {
  Id structType = cloneStruct(offset);
  Builder builder(module);
  Id variable = module.freshId();
  Instruction made(spv::Op::OpVariable,
                   builder.pointerType(spv::StorageClass::PushConstant, structType), variable);
  made.addLiteral(static_cast<uint32_t>(spv::StorageClass::PushConstant));
  module.append(Section::Globals, made);
  if (block) {
    cloneNames(block->result(), variable);
    cloneAnnotations(block->result(), variable);
    redirect(variable, structType);
  }
  bool listed = false;
  for (unsigned at = 0; at < entry.numInterfaceIds(); ++at)
    listed |= entry.interfaceId(at) == variable;
  if (!listed && module.version() >= 0x00010400)
    entry.inst->addId(variable);
  return {variable, module.def(structType)->numOperands() - 3};
}

/// The value of the old type that the kernel loads, from the members of the new block.
void BlockGrowth::rebuildLoad(Instruction &load, Id from, Id structType) {
  Builder builder(module);
  Id whole = builder.insertBefore(load, spv::Op::OpLoad, structType, {from});
  const Instruction &old = *module.def(load.typeId());
  Instruction made(spv::Op::OpCompositeConstruct, load.typeId(), load.result());
  for (unsigned at = 0; at < old.numOperands(); ++at)
    made.addId(builder.insertBefore(load, spv::Op::OpCompositeExtract, old.id(at), {whole}, {at}));
  made.wordOffset = load.wordOffset;
  made.lineIndex = load.lineIndex;
  module.insertBefore(load, made);
  module.erase(load);
}

/// A description of the old block, which stands in front of the new one, goes behind it.
void BlockGrowth::describe(Instruction &debug, Id from, Id to) {
  if (!uses.uses(debug.result()).empty())
    return; // others of its kind stand behind it: it keeps describing the old one
  Instruction copy(debug);
  for (unsigned at = 0; at < copy.numOperands(); ++at)
    if (copy.isId(at) && copy.id(at) == from)
      copy.setId(at, to);
  module.append(Section::Globals, copy);
  module.erase(Section::Globals, debug);
}

/// Everything that the kernel does with the old block, with the new one.
void BlockGrowth::redirect(Id to, Id structType) {
  const Id from = block->result(), oldPointer = block->typeId();
  const Id oldStruct = pointerType(module, oldPointer)->pointee;
  for (const UseMap::Use &use : uses.uses(from)) {
    Instruction &user = *use.user;
    if (!user.parent() && user.opcode() == spv::Op::OpExtInst)
      describe(user, from, to);
    else if (reaches(user) && user.opcode() == spv::Op::OpLoad)
      rebuildLoad(user, to, structType);
    else if (reaches(user) || &user == entry.inst)
      user.setId(use.operand, to);
  }
  for (Id old : {from, oldPointer, oldStruct})
    eraseIfUnused(old);
}

/// Names and decorations are no uses.
void BlockGrowth::eraseIfUnused(Id id) {
  UseMap now(module);
  for (const UseMap::Use &use : now.uses(id)) {
    spv::Op op = use.user->opcode();
    bool describes = op == spv::Op::OpName || op == spv::Op::OpMemberName ||
                     op == spv::Op::OpGroupDecorate || op == spv::Op::OpGroupMemberDecorate ||
                     op == spv::Op::OpMemberDecorate || op == spv::Op::OpMemberDecorateString ||
                     op == spv::Op::OpDecorate || op == spv::Op::OpDecorateString;
    if (!describes)
      return;
  }
  for (const UseMap::Use &use : now.uses(id))
    if (use.user->opcode() == spv::Op::OpGroupMemberDecorate)
      return; // its pairs are shared with others
  InstructionList &debug = module.section(Section::Debug);
  for (auto at = debug.begin(); at != debug.end();) {
    Instruction &inst = *at++;
    if (inst.opcode() == spv::Op::OpMemberName && inst.id(0) == id)
      module.erase(Section::Debug, inst);
  }
  removeNamesAndDecorations(module, {raw(id)});
  module.erase(Section::Globals, *module.def(id));
}

uint32_t freshSpecId(const Module &module) {
  uint32_t next = 0;
  for (const Instruction &inst : module.section(Section::Annotations))
    if (inst.opcode() == spv::Op::OpDecorate &&
        inst.literal(1) == static_cast<uint32_t>(spv::Decoration::SpecId))
      next = std::max(next, inst.literal(2) + 1);
  return next;
}

} // namespace

Result<GridValues> GridValues::add(Module &module, const EntryPoint &entry, GridSource source) {
  GridValues values;
  if (source == GridSource::PushConstants) {
    BlockGrowth growth(module, entry);
    if (std::optional<uint32_t> offset = growth.offset()) {
      if (Status allowed = growth.check(); !allowed)
        return allowed.takeFailure();
      values.byteOffset = *offset;
      std::tie(values.variable, values.firstMember) = growth.grow(*offset);
      return values;
    }
  }
  values.kind = GridSource::SpecConstants;
  Builder builder(module);
  uint32_t next = freshSpecId(module);
  for (unsigned axis = 0; axis < 3; ++axis) {
    Instruction constant(spv::Op::OpSpecConstant, builder.intType(32, false), module.freshId());
    constant.addLiteral(0); // nothing runs until the host gives the grid
    values.constants[axis] = module.append(Section::Globals, constant).result();
    values.specialized[axis] = next + axis;
    decorate(module, values.constants[axis], spv::Decoration::SpecId, next + axis);
  }
  return values;
}

Id GridValues::read(IdEmitter &emit, unsigned axis) const {
  if (kind == GridSource::SpecConstants)
    return constants[axis];
  Builder &globals = emit.globals();
  Id pointer = globals.pointerType(spv::StorageClass::PushConstant, globals.intType(32, false));
  Id place =
      emit.emit(spv::Op::OpAccessChain, {variable, emit.constant(firstMember + axis)}, {}, pointer);
  return emit.emit(spv::Op::OpLoad, {place});
}

} // namespace tailor
