//===- passes/IdRewrite.cpp - Authored ids from the global id ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/IdRewrite.h"

#include "IR/Builder.h"
#include "IR/Constants.h"
#include "IR/Types.h"
#include "passes/ModuleEdits.h"

#include "llvm/ADT/STLExtras.h"

namespace tailor {

namespace {

/// One load to replace.
struct Site {
  Instruction *load;
  spv::BuiltIn builtIn;
  Id index = Id::None; ///< of the access chain; None: the whole variable
};

/// New instructions in front of a load; the last one takes over its result id.
class Sequence {
public:
  Sequence(Module &module, Instruction &load) : module(module), load(load) {}

  Id emit(spv::Op op, Id type, llvm::ArrayRef<Id> ids, llvm::ArrayRef<uint32_t> literals = {}) {
    Instruction inst(op, type, module.freshId());
    for (Id id : ids)
      inst.addId(id);
    for (uint32_t literal : literals)
      inst.addLiteral(literal);
    inst.lineIndex = load.lineIndex;
    inst.wordOffset = load.wordOffset;
    list.push_back(inst);
    return inst.result();
  }

  /// Makes `value` (of type `from`) the value of the load and removes the load.
  void finish(Id value, Id from) {
    if (from != load.typeId())
      value = emit(spv::Op::OpBitcast, load.typeId(), {value});
    if (list.empty() || list.back().result() != value)
      emit(spv::Op::OpCopyObject, load.typeId(), {value});
    Id result = load.result();
    for (const LineMark &mark : load.lineMarks())
      list.front().addLineMark(mark);
    for (const Instruction &inst : llvm::drop_end(list))
      module.insertBefore(load, inst);
    const Instruction &last = list.back();
    Instruction final(last.opcode(), last.typeId(), result);
    for (unsigned index = 0; index < last.numOperands(); ++index) {
      const Operand &operand = last.operand(index);
      final.addWords(operand.kind, last.operandWords().slice(operand.firstWord, operand.numWords));
    }
    for (const LineMark &mark : last.lineMarks())
      final.addLineMark(mark);
    final.lineIndex = last.lineIndex;
    final.wordOffset = last.wordOffset;
    module.insertBefore(load, final);
    load.clearLineMarks(); // the first instruction of the sequence has them
    module.erase(*load.parent(), load);
  }

private:
  Module &module;
  Instruction &load;
  std::vector<Instruction> list;
};

class IdRewriter {
public:
  IdRewriter(Module &module, const EntryPoint &entry, const Dim3 &authored)
      : module(module), entry(entry), authored(authored),
        functions(reachableFunctions(module, entry.function())) {}

  Status run() {
    if (Status planned = plan(); !planned)
      return planned;
    if (sites.empty())
      return success();
    if (Status declared = findGlobalId(); !declared)
      return declared;
    Builder builder(module);
    declareGlobalId(builder);
    for (const Site &site : sites)
      rewrite(site, builder);
    eraseChains();
    updateInterface();
    return success();
  }

private:
  static bool isRewritten(std::optional<uint32_t> builtIn) {
    return builtIn == static_cast<uint32_t>(spv::BuiltIn::WorkgroupId) ||
           builtIn == static_cast<uint32_t>(spv::BuiltIn::LocalInvocationId) ||
           builtIn == static_cast<uint32_t>(spv::BuiltIn::LocalInvocationIndex);
  }
  bool reaches(const Instruction &inst) const {
    return inst.parent() && llvm::is_contained(functions, inst.parent()->getParent());
  }
  Failure refuse(const Instruction &where, std::string text) const {
    return failure(module.locationOf(where), std::move(text));
  }

  Status plan() {
    for (const Instruction &inst : module.section(Section::Annotations)) {
      bool inStruct = inst.opcode() == spv::Op::OpMemberDecorate && inst.numOperands() > 3 &&
                      inst.literal(2) == static_cast<uint32_t>(spv::Decoration::BuiltIn);
      if (inStruct && isRewritten(inst.literal(3)))
        return refuse(inst, "an id that is a member of a structure cannot be rewritten");
    }
    UseMap uses(module);
    for (const Instruction &inst : module.section(Section::Globals)) {
      if (inst.opcode() != spv::Op::OpVariable)
        continue;
      std::optional<uint32_t> builtIn = module.decoration(inst.result(), spv::Decoration::BuiltIn);
      if (!isRewritten(builtIn))
        continue;
      variables.push_back(inst.result());
      if (Status seen = planVariable(inst.result(), static_cast<spv::BuiltIn>(*builtIn), uses);
          !seen)
        return seen;
    }
    for (const Site &site : sites)
      if (!hasExpectedType(site))
        return refuse(*site.load, "this read of an id is not of 32-bit integers");
    return checkShared();
  }

  bool hasExpectedType(const Site &site) const {
    Id type = site.load->typeId();
    bool isWhole = !isValid(site.index) && site.builtIn != spv::BuiltIn::LocalInvocationIndex;
    return componentCount(module, type) == (isWhole ? 3u : 1u) &&
           isIntType(module, scalarTypeOf(module, type), 32);
  }

  Status planVariable(Id variable, spv::BuiltIn builtIn, const UseMap &uses) {
    for (const UseMap::Use &use : uses.uses(variable)) {
      Instruction &user = *use.user;
      if (!user.parent() && user.opcode() == spv::Op::OpVariable)
        return refuse(user,
                      "the address of '" + module.name(variable) +
                          "' is stored in another variable, so its reads cannot be rewritten");
      if (!reaches(user) || user.opcode() == spv::Op::OpExtInst)
        continue; // names, decorations, other kernels, and debug information
      if (user.opcode() == spv::Op::OpLoad) {
        sites.push_back({&user, builtIn});
        continue;
      }
      bool isChain = user.opcode() == spv::Op::OpAccessChain ||
                     user.opcode() == spv::Op::OpInBoundsAccessChain;
      if (!isChain || user.numOperands() != 2)
        return refuseUse(user, variable);
      chains.push_back(&user);
      for (const UseMap::Use &chainUse : uses.uses(user.result())) {
        if (!chainUse.user->parent() || chainUse.user->opcode() == spv::Op::OpExtInst)
          continue;
        if (chainUse.user->opcode() != spv::Op::OpLoad)
          return refuseUse(*chainUse.user, variable);
        sites.push_back({chainUse.user, builtIn, user.id(1)});
      }
    }
    return success();
  }

  Failure refuseUse(const Instruction &user, Id variable) const {
    return failure(
        Diagnostic::error(module.locationOf(user), "'" + module.name(variable) + "' is used by " +
                                                       nameOf(user.opcode()) +
                                                       ", so its reads cannot be rewritten")
            .withNote(module.rawLocationOf(*module.def(variable)),
                      "only loads of it and of its components can be"));
  }

  /// The kernels of other entry points keep their ids.
  Status checkShared() const {
    for (const EntryPoint &other : module.entryPoints()) {
      if (other.inst == entry.inst)
        continue;
      std::vector<Function *> theirs = reachableFunctions(module, other.function());
      for (const Site &site : sites)
        if (llvm::is_contained(theirs, site.load->parent()->getParent()))
          return failure(Diagnostic::error(module.locationOf(*site.load),
                                           "this read of an id is shared with entry point '" +
                                               other.name() + "', so it cannot be rewritten for '" +
                                               entry.name() + "' alone")
                             .withNote({}, "run 'select-entry-point' first"));
    }
    return success();
  }

  /// The GlobalInvocationId variable, one of this entry point's interface first.
  Status findGlobalId() {
    for (const Instruction &inst : module.section(Section::Globals)) {
      if (inst.opcode() != spv::Op::OpVariable ||
          module.decoration(inst.result(), spv::Decoration::BuiltIn) !=
              static_cast<uint32_t>(spv::BuiltIn::GlobalInvocationId))
        continue;
      if (!isValid(globalId) || (!inInterface(globalId) && inInterface(inst.result())))
        globalId = inst.result();
    }
    if (!isValid(globalId))
      return success();
    std::optional<PointerType> pointer = pointerTypeOfValue(module, globalId);
    if (!pointer || componentCount(module, pointer->pointee) != 3 ||
        !isIntType(module, scalarTypeOf(module, pointer->pointee), 32))
      return refuse(*module.def(globalId), "GlobalInvocationId is not three 32-bit integers");
    globalType = pointer->pointee;
    return success();
  }

  void declareGlobalId(Builder &builder) {
    if (!isValid(globalId)) {
      globalType = builder.vectorType(builder.intType(32, false), 3);
      Id pointer = builder.pointerType(spv::StorageClass::Input, globalType);
      globalId = module.freshId();
      Instruction variable(spv::Op::OpVariable, pointer, globalId);
      variable.addLiteral(static_cast<uint32_t>(spv::StorageClass::Input));
      module.append(Section::Globals, variable);
      Instruction decorate(spv::Op::OpDecorate);
      decorate.addId(globalId)
          .addLiteral(static_cast<uint32_t>(spv::Decoration::BuiltIn))
          .addLiteral(static_cast<uint32_t>(spv::BuiltIn::GlobalInvocationId));
      module.append(Section::Annotations, decorate);
    }
    globalScalar = scalarTypeOf(module, globalType);
    if (!inInterface(globalId))
      entry.inst->addId(globalId);
  }

  bool inInterface(Id id) const {
    for (unsigned at = 0; at < entry.numInterfaceIds(); ++at)
      if (entry.interfaceId(at) == id)
        return true;
    return false;
  }

  /// Whether component `axis` of the id is now the global id; else it is 0.
  bool isGlobal(spv::BuiltIn builtIn, unsigned axis) const {
    return (builtIn == spv::BuiltIn::WorkgroupId) == (authored[axis] == 1);
  }

  void rewrite(const Site &site, Builder &builder) {
    Sequence sequence(module, *site.load);
    if (site.builtIn == spv::BuiltIn::LocalInvocationIndex)
      return rewriteIndex(site, sequence, builder);
    if (!isValid(site.index)) {
      auto [value, type] = vector(site.builtIn, site.load->typeId(), sequence, builder);
      return sequence.finish(value, type);
    }
    const Instruction *index = module.def(site.index);
    ConstantEvaluator constants(module);
    std::optional<uint64_t> axis;
    if (index && isConstant(index->opcode()) && !isSpecConstant(index->opcode()))
      axis = constants.evaluateInt(site.index);
    Id scalar = site.load->typeId();
    if (!axis || *axis > 2) {
      auto [value, type] = vector(site.builtIn, globalType, sequence, builder);
      Id component =
          sequence.emit(spv::Op::OpVectorExtractDynamic, globalScalar, {value, site.index});
      return sequence.finish(component, globalScalar);
    }
    if (!isGlobal(site.builtIn, static_cast<unsigned>(*axis)))
      return sequence.finish(builder.intConstant(scalar, 0), scalar);
    sequence.finish(component(static_cast<uint32_t>(*axis), sequence), globalScalar);
  }

  Id component(uint32_t axis, Sequence &sequence) {
    Id whole = sequence.emit(spv::Op::OpLoad, globalType, {globalId});
    return sequence.emit(spv::Op::OpCompositeExtract, globalScalar, {whole}, {axis});
  }

  /// The whole id, as `wanted` or as the type of GlobalInvocationId.
  std::pair<Id, Id> vector(spv::BuiltIn builtIn, Id wanted, Sequence &sequence, Builder &builder) {
    std::array<uint32_t, 3> from{};
    unsigned numGlobal = 0;
    for (unsigned axis = 0; axis < 3; ++axis) {
      bool global = isGlobal(builtIn, axis);
      from[axis] = global ? axis : 3;
      numGlobal += global;
    }
    if (numGlobal == 0)
      return {builder.nullConstant(wanted), wanted};
    Id whole = sequence.emit(spv::Op::OpLoad, globalType, {globalId});
    if (numGlobal == 3)
      return {whole, globalType};
    return {sequence.emit(spv::Op::OpVectorShuffle, globalType,
                          {whole, builder.nullConstant(globalType)}, from),
            globalType};
  }

  /// l.x + l.y·S.x + l.z·S.x·S.y of the rewritten local id, modulo 2^32.
  void rewriteIndex(const Site &site, Sequence &sequence, Builder &builder) {
    Id sum = Id::None, whole = Id::None;
    uint32_t stride = 1;
    for (unsigned axis = 0; axis < 3; ++axis) {
      if (isGlobal(spv::BuiltIn::LocalInvocationId, axis)) {
        if (!isValid(whole))
          whole = sequence.emit(spv::Op::OpLoad, globalType, {globalId});
        Id term = sequence.emit(spv::Op::OpCompositeExtract, globalScalar, {whole}, {axis});
        if (stride != 1)
          term = sequence.emit(spv::Op::OpIMul, globalScalar,
                               {term, builder.intConstant(globalScalar, stride)});
        sum = isValid(sum) ? sequence.emit(spv::Op::OpIAdd, globalScalar, {sum, term}) : term;
      }
      stride *= authored[axis];
    }
    if (!isValid(sum))
      return sequence.finish(builder.intConstant(site.load->typeId(), 0), site.load->typeId());
    sequence.finish(sum, globalScalar);
  }

  /// Access chains whose every load is gone.
  void eraseChains() {
    llvm::DenseSet<uint32_t> gone;
    UseMap uses(module);
    for (Instruction *chain : chains) {
      bool used = llvm::any_of(uses.uses(chain->result()), [](const UseMap::Use &use) {
        return use.user->parent() != nullptr;
      });
      if (used)
        continue;
      gone.insert(raw(chain->result()));
      module.erase(*chain->parent(), *chain);
    }
    if (!gone.empty())
      removeNamesAndDecorations(module, gone);
  }

  void updateInterface() {
    UseMap uses(module);
    for (Id variable : variables) {
      bool used = llvm::any_of(uses.uses(variable),
                               [&](const UseMap::Use &use) { return reaches(*use.user); });
      for (unsigned at = entry.numInterfaceIds(); at-- > 0;)
        if (!used && entry.interfaceId(at) == variable)
          entry.inst->removeOperands(3 + at, 1);
    }
  }

  Module &module;
  EntryPoint entry;
  Dim3 authored;
  std::vector<Function *> functions;
  std::vector<Site> sites;
  std::vector<Instruction *> chains;
  std::vector<Id> variables;
  Id globalId = Id::None, globalType = Id::None, globalScalar = Id::None;
};

} // namespace

Status rewriteIds(Module &module, const EntryPoint &entry, const Dim3 &authored) {
  return IdRewriter(module, entry, authored).run();
}

} // namespace tailor
