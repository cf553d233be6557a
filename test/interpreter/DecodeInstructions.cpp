//===- interpreter/DecodeInstructions.cpp - Codes from instructions ---------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "interpreter/Decoder.h"

#include "spirv/unified1/GLSL.std.450.h"

namespace tailor::interp {

using enum spv::Op;

Code &Decoder::withOperands(Code::Kind kind, const Instruction &inst, unsigned first,
                            unsigned count) {
  Code &code = add(kind, inst);
  for (unsigned at = first; at < first + count && at < inst.numOperands(); ++at)
    if (inst.isId(at))
      addOperand(code, inst.id(at));
  return code;
}

Code &Decoder::accessing(Code &code) {
  code.access = program.numAccesses++;
  return code;
}

void Decoder::variable(const Instruction &inst) {
  const uint32_t pointer = ref(inst.result());
  if (fault)
    return;
  Code &code = add(Code::Kind::InitVariable, inst);
  code.words = 0; // the pointer is a constant
  code.a = static_cast<uint32_t>(program.constants[(pointer & ~kConstantBit) + kPointerObject]);
  code.b = kNoIndex;
  if (inst.numOperands() < 2)
    return;
  const auto layout =
      static_cast<uint32_t>(program.constants[(pointer & ~kConstantBit) + kPointerLayout]);
  code.b = static_cast<uint32_t>(program.initial.size());
  std::vector<std::byte> bytes(program.layouts.at(layout).size);
  addInitial(inst, layout, bytes.data());
  program.initial.insert(program.initial.end(), bytes.begin(), bytes.end());
}

bool Decoder::memoryInstruction(const Instruction &inst) {
  switch (inst.opcode()) {
  case OpVariable:
    variable(inst);
    return true;
  case OpAccessChain:
  case OpInBoundsAccessChain:
    withOperands(Code::Kind::AccessChain, inst, 0, inst.numOperands());
    return true;
  case OpPtrAccessChain:
  case OpInBoundsPtrAccessChain:
    withOperands(Code::Kind::PtrAccessChain, inst, 0, inst.numOperands()).a =
        module.decoration(inst.typeId(), spv::Decoration::ArrayStride).value_or(0);
    return true;
  case OpLoad:
    accessing(withOperands(Code::Kind::Load, inst, 0, 1));
    return true;
  case OpStore:
    accessing(withOperands(Code::Kind::Store, inst, 0, 2));
    return true;
  case OpCopyMemory:
    accessing(withOperands(Code::Kind::CopyMemory, inst, 0, 2));
    return true;
  case OpArrayLength:
    withOperands(Code::Kind::ArrayLength, inst, 0, 1).a = inst.literal(1);
    return true;
  case OpPtrEqual:
  case OpPtrNotEqual:
    withOperands(Code::Kind::PointerEqual, inst, 0, 2);
    return true;
  case OpAtomicFlagTestAndSet:
  case OpAtomicFlagClear:
    return false;
  default:
    if (!isAtomic(inst.opcode()))
      return false;
    accessing(withOperands(Code::Kind::Atomic, inst, 0, inst.numOperands()));
    return true;
  }
}

/// The operands that the mask at operand `mask` announces.
void Decoder::addImageOperands(Code &code, unsigned mask) {
  code.a = code.b = kNoIndex;
  const Instruction &inst = *code.inst;
  if (inst.numOperands() <= mask)
    return;
  const uint32_t bits = inst.literal(mask);
  unsigned next = mask + 1;
  for (uint32_t bit = 1; bit != 0x400 && next < inst.numOperands(); bit <<= 1) {
    if ((bits & bit) == 0)
      continue;
    const auto which = static_cast<spv::ImageOperandsMask>(bit);
    if (which == spv::ImageOperandsMask::ConstOffset || which == spv::ImageOperandsMask::Offset)
      code.a = code.count;
    if (which == spv::ImageOperandsMask::Sample)
      code.b = code.count;
    if (which == spv::ImageOperandsMask::ConstOffsets)
      code.kind = Code::Kind::Unsupported;
    addOperand(code, inst.id(next++));
    if (which == spv::ImageOperandsMask::Grad)
      addOperand(code, inst.id(next++));
  }
}

bool Decoder::imageInstruction(const Instruction &inst) {
  auto made = [&](Code::Kind kind, unsigned operands) -> Code & {
    Code &code = withOperands(kind, inst, 0, operands);
    const Instruction *image = module.def(inst.id(0));
    const Instruction *type = image ? module.def(image->typeId()) : nullptr;
    while (type && (type->opcode() == OpTypeSampledImage || type->opcode() == OpTypePointer))
      type = module.def(type->id(type->opcode() == OpTypePointer ? 1 : 0));
    code.imageType = type;
    if (!type || type->opcode() != OpTypeImage || type->literal(4) != 0)
      code.kind = Code::Kind::Unsupported; // multisampled
    return code;
  };
  switch (inst.opcode()) {
  case OpImageRead:
  case OpImageFetch:
    addImageOperands(accessing(made(Code::Kind::ImageRead, 2)), 2);
    return true;
  case OpImageWrite:
    addImageOperands(accessing(made(Code::Kind::ImageWrite, 3)), 3);
    return true;
  case OpImageSampleExplicitLod:
    addImageOperands(accessing(made(Code::Kind::ImageSample, 2)), 2);
    return true;
  case OpImageGather:
    addImageOperands(accessing(made(Code::Kind::ImageGather, 3)), 3);
    return true;
  case OpImageQuerySize:
  case OpImageQuerySizeLod:
  case OpImageQueryLevels:
  case OpImageQuerySamples:
    made(Code::Kind::ImageSize, 1);
    return true;
  case OpImageTexelPointer:
    if (Code &code = made(Code::Kind::TexelPointer, 3); code.kind == Code::Kind::TexelPointer) {
      code.a = kNoIndex; // no offset
      code.b = program.layouts.of(module.def(inst.typeId())->id(1));
    }
    return true;
  default:
    return false;
  }
}

bool Decoder::copyingInstruction(const Instruction &inst) {
  std::vector<Copy> list;
  uint32_t to = refs[isValid(inst.result()) ? raw(inst.result()) : 0];
  auto copy = [&](uint32_t from, uint32_t words) {
    list.push_back({from, to, words});
    to += words;
  };
  auto literals = [&](unsigned first) {
    std::vector<uint32_t> all;
    for (unsigned at = first; at < inst.numOperands(); ++at)
      all.push_back(inst.literal(at));
    return all;
  };
  auto typeOf = [&](Id id) { return module.def(id) ? module.def(id)->typeId() : Id::None; };
  switch (inst.opcode()) {
  case OpCompositeConstruct:
  case OpCopyObject:
  case OpCopyLogical:
  case OpSampledImage:
    for (unsigned at = 0; at < inst.numOperands(); ++at)
      copy(ref(inst.id(at)), wordsOfId(inst.id(at)));
    break;
  case OpImage:
    copy(ref(inst.id(0)), 1);
    break;
  case OpCompositeExtract:
    copy(ref(inst.id(0)) + program.layouts.wordOffset(typeOf(inst.id(0)), literals(1)),
         program.layouts.wordsOf(inst.typeId()));
    break;
  case OpCompositeInsert: {
    const uint32_t start = to;
    copy(ref(inst.id(1)), wordsOfId(inst.id(1)));
    to = start + program.layouts.wordOffset(inst.typeId(), literals(2));
    copy(ref(inst.id(0)), wordsOfId(inst.id(0)));
    break;
  }
  case OpVectorShuffle: {
    const uint32_t first = ref(inst.id(0)), second = ref(inst.id(1));
    const uint32_t count = wordsOfId(inst.id(0));
    for (uint32_t index : literals(2)) // one that is undefined may be anything
      copy(index < count ? first + index : index == UINT32_MAX ? first : second + index - count, 1);
    break;
  }
  default:
    return false;
  }
  Code &code = add(Code::Kind::Copies, inst);
  code.first = static_cast<uint32_t>(program.copies.size());
  code.count = static_cast<uint32_t>(list.size());
  program.copies.insert(program.copies.end(), list.begin(), list.end());
  return true;
}

bool Decoder::pureInstruction(const Instruction &inst) {
  if (!isValid(inst.typeId()) || inst.numOperands() == 0 || !inst.isId(0))
    return false;
  const unsigned shaped = inst.opcode() == OpSelect ? 1 : 0;
  WholeFn whole = wholeFunction(inst.opcode());
  ScalarFn scalar = whole ? nullptr
                          : scalarFunction(inst.opcode(), shapeOfId(inst.id(shaped)),
                                           program.layouts.shapeOf(inst.typeId()));
  if (!whole && !scalar)
    return false;
  Code &code =
      withOperands(whole ? Code::Kind::Whole : Code::Kind::Scalar, inst, 0, inst.numOperands());
  code.whole = whole;
  code.scalar = scalar;
  // A bit cast of a pointer has no bits.
  if (inst.opcode() == OpBitcast && (code.shape->width == 0 || shapeOfId(inst.id(0)).width == 0))
    code.kind = Code::Kind::Unsupported;
  return true;
}

/// Modf and Frexp: both halves go to registers of their own, then the second through the pointer.
void Decoder::storedHalf(const Instruction &inst, WholeFn whole) {
  const uint32_t scratch = program.registers;
  Code &both = withOperands(Code::Kind::Whole, inst, 2, 1);
  const uint32_t words = both.words, result = both.result;
  const Shape *shape = both.shape;
  both.whole = whole;
  both.result = scratch;
  both.words = 0; // no value of its own
  program.registers += 2 * words;
  Code &store = add(Code::Kind::Store, inst);
  store.words = 0;
  store.result = kNoIndex;
  addOperand(store, inst.id(3));
  program.operands.push_back({scratch + words, words, shape});
  ++store.count;
  accessing(store);
  Code &code = add(Code::Kind::Copies, inst);
  code.result = result;
  code.first = static_cast<uint32_t>(program.copies.size());
  code.count = 1;
  program.copies.push_back({scratch, result, words});
}

bool Decoder::extInst(const Instruction &inst) {
  const std::string set = module.extInstSet(inst.id(0));
  if (set.rfind("NonSemantic.", 0) == 0 || set.find("DebugInfo") != std::string::npos)
    return true;
  if (set != "GLSL.std.450" || inst.numOperands() < 3)
    return false;
  const uint32_t number = inst.literal(1);
  WholeFn whole = extWholeFunction(number);
  if (number == GLSLstd450Modf || number == GLSLstd450Frexp) {
    storedHalf(inst, whole);
    return true;
  }
  ScalarFn scalar = whole ? nullptr : extScalarFunction(number, shapeOfId(inst.id(2)));
  if (!whole && !scalar)
    return false;
  Code &code =
      withOperands(whole ? Code::Kind::Whole : Code::Kind::Scalar, inst, 2, inst.numOperands() - 2);
  code.whole = whole;
  code.scalar = scalar;
  return true;
}

/// The function that combines two lanes' values; null where the operation does not combine.
static ScalarFn combining(spv::Op op, const Shape &shape) {
  switch (op) {
  case OpGroupNonUniformIAdd:
    return scalarFunction(OpIAdd, shape, shape);
  case OpGroupNonUniformFAdd:
    return scalarFunction(OpFAdd, shape, shape);
  case OpGroupNonUniformIMul:
    return scalarFunction(OpIMul, shape, shape);
  case OpGroupNonUniformFMul:
    return scalarFunction(OpFMul, shape, shape);
  case OpGroupNonUniformSMin:
    return extScalarFunction(GLSLstd450SMin, shape);
  case OpGroupNonUniformUMin:
    return extScalarFunction(GLSLstd450UMin, shape);
  case OpGroupNonUniformFMin:
    return extScalarFunction(GLSLstd450NMin, shape);
  case OpGroupNonUniformSMax:
    return extScalarFunction(GLSLstd450SMax, shape);
  case OpGroupNonUniformUMax:
    return extScalarFunction(GLSLstd450UMax, shape);
  case OpGroupNonUniformFMax:
    return extScalarFunction(GLSLstd450NMax, shape);
  case OpGroupNonUniformBitwiseAnd:
    return scalarFunction(OpBitwiseAnd, shape, shape);
  case OpGroupNonUniformBitwiseOr:
    return scalarFunction(OpBitwiseOr, shape, shape);
  case OpGroupNonUniformBitwiseXor:
    return scalarFunction(OpBitwiseXor, shape, shape);
  case OpGroupNonUniformLogicalAnd:
    return scalarFunction(OpLogicalAnd, shape, shape);
  case OpGroupNonUniformLogicalOr:
    return scalarFunction(OpLogicalOr, shape, shape);
  case OpGroupNonUniformLogicalXor:
    return scalarFunction(OpLogicalNotEqual, shape, shape);
  default:
    return nullptr;
  }
}

bool Decoder::subgroupInstruction(const Instruction &inst) {
  if (inst.opcode() < OpGroupNonUniformElect || inst.opcode() > OpGroupNonUniformQuadSwap)
    return false;
  std::optional<uint64_t> scope = program.evaluator.evaluateInt(inst.id(0));
  if (scope != static_cast<uint64_t>(spv::Scope::Subgroup))
    return false;
  Code &code = withOperands(Code::Kind::Subgroup, inst, 0, inst.numOperands());
  code.scalar = combining(inst.opcode(), *code.shape);
  if (inst.numOperands() > 1 && !inst.isId(1))
    code.b = inst.literal(1);
  program.keepsInvocations = true;
  return true;
}

Status Decoder::instruction(const Instruction &inst) {
  switch (inst.opcode()) {
  case OpNop:
  case OpPhi:
  case OpSelectionMerge:
  case OpLoopMerge:
  case OpMemoryBarrier:
  case OpLifetimeStart:
  case OpLifetimeStop:
    return success();
  case OpUndef:
    add(Code::Kind::Undefined, inst);
    return success();
  case OpControlBarrier: {
    std::optional<uint64_t> scope = program.evaluator.evaluateInt(inst.id(0));
    const bool isGroup = scope == static_cast<uint64_t>(spv::Scope::Workgroup);
    const bool isSubgroup = scope == static_cast<uint64_t>(spv::Scope::Subgroup);
    add(isGroup      ? Code::Kind::Barrier
        : isSubgroup ? Code::Kind::Subgroup
                     : Code::Kind::Unsupported,
        inst);
    program.keepsInvocations = true;
    return success();
  }
  case OpFunctionCall: {
    const Function *callee = module.function(inst.id(0));
    Code &code = add(Code::Kind::Call, inst);
    code.first = static_cast<uint32_t>(program.copies.size());
    code.a = entries[raw(callee->id())];
    unsigned argument = 1;
    for (const Instruction &parameter : callee->parameters())
      if (parameter.opcode() == OpFunctionParameter && argument < inst.numOperands()) {
        const Id value = inst.id(argument++);
        program.copies.push_back({ref(value), refs[raw(parameter.result())], wordsOfId(value)});
        ++code.count;
      }
    return success();
  }
  case OpExtInst:
    if (!extInst(inst))
      add(Code::Kind::Unsupported, inst);
    return success();
  default:
    if (!subgroupInstruction(inst) && !memoryInstruction(inst) && !imageInstruction(inst) &&
        !copyingInstruction(inst) && !pureInstruction(inst))
      add(Code::Kind::Unsupported, inst);
    return success();
  }
}

} // namespace tailor::interp
