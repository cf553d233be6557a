//===- passes/Freezing.cpp - Specialization constants to plain ones ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/Freezing.h"

#include "IR/Types.h"
#include "passes/ModuleEdits.h"

namespace tailor {

namespace {

class Freezer {
public:
  Freezer(Module &module, const SpecMap &values, PassContext &context)
      : module(module), constants(module, values), context(context) {}

  Result<Change> run(llvm::function_ref<bool(const Instruction &)> selected) {
    InstructionList &globals = module.section(Section::Globals);
    // Operands are defined before their users, so one walk reaches everything.
    for (auto at = globals.begin(); at != globals.end();) {
      Instruction &inst = *at++;
      Instruction *now = &inst;
      if (isSpecConstant(inst.opcode()) && (selected(inst) || usesFrozen(inst)))
        if (Instruction *frozenInst = freeze(inst))
          now = frozenInst;
      remember(*now);
      if (now->opcode() == spv::Op::OpTypeArray && frozen.contains(raw(now->id(1))))
        if (Status positive = checkLength(*now); !positive)
          return positive.takeFailure();
    }
    return frozen.empty() ? Change::Unchanged : Change::Changed;
  }

private:
  using Key = std::vector<uint32_t>;

  static Key keyOf(const Instruction &inst) {
    Key key = {static_cast<uint32_t>(inst.opcode()), raw(inst.typeId())};
    key.insert(key.end(), inst.operandWords().begin(), inst.operandWords().end());
    return key;
  }

  /// Constants that stand before the current place and may be shared: plain and undecorated.
  void remember(const Instruction &inst) {
    if (!isConstant(inst.opcode()) || isSpecConstant(inst.opcode()))
      return;
    bool decorated = false;
    module.forEachDecoration(inst.result(), [&](const Instruction &) { decorated = true; });
    if (!decorated)
      existing.try_emplace(keyOf(inst), inst.result());
  }

  bool usesFrozen(const Instruction &inst) const {
    for (unsigned index = 0; index < inst.numOperands(); ++index)
      if (inst.isId(index) && frozen.contains(raw(inst.id(index))))
        return true;
    return false;
  }

  bool hasPlainOperands(const Instruction &inst) const {
    for (unsigned index = 0; index < inst.numOperands(); ++index)
      if (inst.isId(index)) {
        const Instruction *operand = module.def(inst.id(index));
        if (operand && isSpecConstant(operand->opcode()))
          return false;
      }
    return true;
  }

  /// The plain constant that took the place of `inst`; null when it stays.
  Instruction *freeze(Instruction &inst) {
    if (!hasPlainOperands(inst))
      return nullptr;
    Id id = inst.result();
    if (inst.opcode() == spv::Op::OpSpecConstantComposite) {
      Instruction plain(spv::Op::OpConstantComposite, inst.typeId(), id);
      for (unsigned index = 0; index < inst.numOperands(); ++index)
        plain.addId(inst.id(index));
      return replace(inst, plain);
    }
    std::optional<ConstantValue> value = constants.evaluate(id);
    std::optional<Instruction> plain =
        value ? constantFor(*value, inst.typeId(), id, inst) : std::nullopt;
    if (!plain) {
      emitNote(context, module.locationOf(inst),
               "'" + module.name(id) + "' stays a specialization " +
                   (inst.opcode() == spv::Op::OpSpecConstantOp
                        ? "operation (" + nameOf(static_cast<spv::Op>(inst.literal(0))) + ")"
                        : std::string("constant")) +
                   ": its value cannot be computed here");
      return nullptr;
    }
    return replace(inst, *plain);
  }

  Instruction *replace(Instruction &inst, const Instruction &plain) {
    Id id = inst.result();
    Instruction &placed = replaceGlobal(module, inst, plain);
    removeDecoration(module, id, spv::Decoration::SpecId);
    frozen.insert(raw(id));
    return &placed;
  }

  /// An instruction `id` with that value; parts of a composite are found or placed before `before`.
  std::optional<Instruction> constantFor(const ConstantValue &value, Id typeId, Id id,
                                         Instruction &before) {
    const Instruction *type = module.def(typeId);
    if (!type)
      return std::nullopt;
    switch (value.kind) {
    case ConstantValue::Kind::Bool:
      return Instruction(value.bits != 0 ? spv::Op::OpConstantTrue : spv::Op::OpConstantFalse,
                         typeId, id);
    case ConstantValue::Kind::Int:
    case ConstantValue::Kind::Float: {
      Instruction plain(spv::Op::OpConstant, typeId, id);
      // Narrow signed literals are sign-extended (SPIR-V 1.6, section 2.2.1).
      uint64_t bits = value.isSigned ? static_cast<uint64_t>(value.asSigned()) : value.bits;
      if (value.width > 32)
        plain.addLiteralWords({static_cast<uint32_t>(bits), static_cast<uint32_t>(bits >> 32)});
      else
        plain.addLiteral(static_cast<uint32_t>(bits));
      return plain;
    }
    case ConstantValue::Kind::Composite:
      break;
    }
    bool hasElements =
        type->opcode() == spv::Op::OpTypeVector || type->opcode() == spv::Op::OpTypeMatrix ||
        type->opcode() == spv::Op::OpTypeArray ||
        (type->opcode() == spv::Op::OpTypeStruct && type->numOperands() == value.elements.size());
    if (!hasElements)
      return std::nullopt;
    Instruction plain(spv::Op::OpConstantComposite, typeId, id);
    for (size_t at = 0; at < value.elements.size(); ++at) {
      Id elementType = type->opcode() == spv::Op::OpTypeStruct ? type->id(static_cast<unsigned>(at))
                                                               : type->id(0);
      std::optional<Id> element = findOrPlace(value.elements[at], elementType, before);
      if (!element)
        return std::nullopt;
      plain.addId(*element);
    }
    return plain;
  }

  std::optional<Id> findOrPlace(const ConstantValue &value, Id typeId, Instruction &before) {
    std::optional<Instruction> wanted = constantFor(value, typeId, Id::None, before);
    if (!wanted)
      return std::nullopt;
    auto [at, isNew] = existing.try_emplace(keyOf(*wanted), Id::None);
    if (isNew) {
      Instruction made = withIds(*wanted, module.freshId(), [](Id id) { return id; });
      at->second = module.insertGlobal(&before, made).result();
    }
    return at->second;
  }

  Status checkLength(const Instruction &array) {
    std::optional<ConstantValue> length = constants.evaluate(array.id(1));
    if (!length || length->kind != ConstantValue::Kind::Int)
      return success();
    bool positive = length->isSigned ? length->asSigned() > 0 : length->bits != 0;
    if (positive)
      return success();
    return failure(
        Diagnostic::error(module.locationOf(array),
                          "with these specialization values an array would have length " +
                              std::to_string(length->asSigned()))
            .withNote(module.locationOf(array.id(1)), "its length is this constant"));
  }

  Module &module;
  ConstantEvaluator constants;
  PassContext &context;
  llvm::DenseSet<uint32_t> frozen;
  std::map<Key, Id> existing;
};

} // namespace

Result<Change> freezeConstants(Module &module,
                               llvm::function_ref<bool(const Instruction &)> selected,
                               const SpecMap &values, PassContext &context) {
  return Freezer(module, values, context).run(selected);
}

} // namespace tailor
