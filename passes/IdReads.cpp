//===- passes/IdReads.cpp --------------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/IdReads.h"

#include "IR/Types.h"
#include "passes/ModuleEdits.h"

#include "llvm/ADT/STLExtras.h"

namespace tailor {

namespace {

class Finder {
public:
  Finder(Module &module, const EntryPoint &entry, llvm::function_ref<bool(spv::BuiltIn)> wanted)
      : module(module), entry(entry), wanted(wanted), uses(module),
        functions(reachableFunctions(module, entry.function())) {}

  Result<IdReads> find();

private:
  Status variable(Id variable, spv::BuiltIn builtIn);
  Status checkShared() const;
  bool isWanted(std::optional<uint32_t> builtIn) const {
    return builtIn && wanted(static_cast<spv::BuiltIn>(*builtIn));
  }
  bool reaches(const Instruction &inst) const {
    return inst.parent() && llvm::is_contained(functions, inst.parent()->getParent());
  }
  bool hasExpectedType(const IdRead &read) const {
    Id type = read.load->typeId();
    bool isWhole = !isValid(read.index) && read.builtIn != spv::BuiltIn::LocalInvocationIndex;
    return componentCount(module, type) == (isWhole ? 3u : 1u) &&
           isIntType(module, scalarTypeOf(module, type), 32);
  }
  Failure refuse(const Instruction &where, std::string text) const {
    return failure(module.locationOf(where), std::move(text));
  }
  Failure refuseUse(const Instruction &user, Id variable) const {
    return failure(
        Diagnostic::error(module.locationOf(user), "'" + module.name(variable) + "' is used by " +
                                                       nameOf(user.opcode()) +
                                                       ", so its reads cannot be rewritten")
            .withNote(module.rawLocationOf(*module.def(variable)),
                      "only loads of it and of its components can be"));
  }

  Module &module;
  EntryPoint entry;
  llvm::function_ref<bool(spv::BuiltIn)> wanted;
  UseMap uses;
  std::vector<Function *> functions;
  IdReads found;
};

Result<IdReads> Finder::find() {
  for (const Instruction &inst : module.section(Section::Annotations)) {
    bool inStruct = inst.opcode() == spv::Op::OpMemberDecorate && inst.numOperands() > 3 &&
                    inst.literal(2) == static_cast<uint32_t>(spv::Decoration::BuiltIn);
    if (inStruct && isWanted(inst.literal(3)))
      return refuse(inst, "an id that is a member of a structure cannot be rewritten");
  }
  for (const Instruction &inst : module.section(Section::Globals)) {
    if (inst.opcode() != spv::Op::OpVariable)
      continue;
    std::optional<uint32_t> builtIn = module.decoration(inst.result(), spv::Decoration::BuiltIn);
    if (!isWanted(builtIn))
      continue;
    found.variables.push_back(inst.result());
    if (Status seen = variable(inst.result(), static_cast<spv::BuiltIn>(*builtIn)); !seen)
      return seen.takeFailure();
  }
  for (const IdRead &read : found.reads)
    if (!hasExpectedType(read))
      return refuse(*read.load, "this read of an id is not of 32-bit integers");
  if (Status alone = checkShared(); !alone)
    return alone.takeFailure();
  return std::move(found);
}

Status Finder::variable(Id variable, spv::BuiltIn builtIn) {
  for (const UseMap::Use &use : uses.uses(variable)) {
    Instruction &user = *use.user;
    if (!user.parent() && user.opcode() == spv::Op::OpVariable)
      return refuse(user, "the address of '" + module.name(variable) +
                              "' is stored in another variable, so its reads cannot be rewritten");
    if (!reaches(user) || user.opcode() == spv::Op::OpExtInst)
      continue; // names, decorations, other kernels, and debug information
    if (user.opcode() == spv::Op::OpLoad) {
      found.reads.push_back({&user, builtIn});
      continue;
    }
    bool isChain =
        user.opcode() == spv::Op::OpAccessChain || user.opcode() == spv::Op::OpInBoundsAccessChain;
    if (!isChain || user.numOperands() != 2)
      return refuseUse(user, variable);
    found.chains.push_back(&user);
    for (const UseMap::Use &chainUse : uses.uses(user.result())) {
      if (!chainUse.user->parent() || chainUse.user->opcode() == spv::Op::OpExtInst)
        continue;
      if (chainUse.user->opcode() != spv::Op::OpLoad)
        return refuseUse(*chainUse.user, variable);
      found.reads.push_back({chainUse.user, builtIn, user.id(1)});
    }
  }
  return success();
}

/// The kernels of other entry points keep their ids.
Status Finder::checkShared() const {
  for (const EntryPoint &other : module.entryPoints()) {
    if (other.inst == entry.inst)
      continue;
    std::vector<Function *> theirs = reachableFunctions(module, other.function());
    for (const IdRead &read : found.reads)
      if (llvm::is_contained(theirs, read.load->parent()->getParent()))
        return failure(Diagnostic::error(module.locationOf(*read.load),
                                         "this read of an id is shared with entry point '" +
                                             other.name() + "', so it cannot be rewritten for '" +
                                             entry.name() + "' alone")
                           .withNote({}, "run 'select-entry-point' first"));
  }
  return success();
}

} // namespace

Result<IdReads> findIdReads(Module &module, const EntryPoint &entry,
                            llvm::function_ref<bool(spv::BuiltIn)> wanted) {
  return Finder(module, entry, wanted).find();
}

void dropUnusedIds(Module &module, const EntryPoint &entry, const IdReads &ids) {
  llvm::DenseSet<uint32_t> gone;
  UseMap before(module);
  for (Instruction *chain : ids.chains) {
    bool used = llvm::any_of(before.uses(chain->result()),
                             [](const UseMap::Use &use) { return use.user->parent() != nullptr; });
    if (used)
      continue;
    gone.insert(raw(chain->result()));
    module.erase(*chain->parent(), *chain);
  }
  if (!gone.empty())
    removeNamesAndDecorations(module, gone);

  UseMap uses(module);
  std::vector<Function *> functions = reachableFunctions(module, entry.function());
  for (Id variable : ids.variables) {
    bool used = llvm::any_of(uses.uses(variable), [&](const UseMap::Use &use) {
      return use.user->parent() && llvm::is_contained(functions, use.user->parent()->getParent());
    });
    for (unsigned at = entry.numInterfaceIds(); at-- > 0;)
      if (!used && entry.interfaceId(at) == variable)
        entry.inst->removeOperands(3 + at, 1);
  }
}

} // namespace tailor
