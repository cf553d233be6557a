//===- Analysis/ArithmeticCost.cpp -----------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/ArithmeticCost.h"

#include "IR/Types.h"

#include "spirv/unified1/GLSL.std.450.h"

#include <algorithm>

namespace tailor {

namespace {

/// Scalars of a scalar, vector or matrix.
unsigned scalarsOf(const Module &module, Id typeId) {
  const Instruction *type = module.def(typeId);
  if (type && type->opcode() == spv::Op::OpTypeMatrix)
    return type->literal(1) * std::max(1u, componentCount(module, type->id(0)));
  return std::max(1u, componentCount(module, typeId));
}

Id typeOf(const Module &module, Id value) {
  const Instruction *inst = module.def(value);
  return inst ? inst->typeId() : Id::None;
}

unsigned scalarsOfValue(const Module &module, Id value) {
  return scalarsOf(module, typeOf(module, value));
}

unsigned columnsOf(const Module &module, Id value) {
  const Instruction *type = module.def(typeOf(module, value));
  return type && type->opcode() == spv::Op::OpTypeMatrix ? type->literal(1) : 1;
}

/// n products and n-1 sums.
double dot(double n) { return 2 * n - 1; }

/// Also of a vector that is put together from constants: `v % 3u` of a vector.
bool isConstantValue(const Module &module, Id value) {
  const Instruction *inst = module.def(value);
  if (!inst || isConstant(inst->opcode()))
    return inst != nullptr;
  if (inst->opcode() != spv::Op::OpCompositeConstruct)
    return false;
  for (unsigned at = 0; at < inst->numOperands(); ++at) {
    const Instruction *part = module.def(inst->id(at));
    if (!part || !isConstant(part->opcode()))
      return false;
  }
  return true;
}

/// Products of vectors and matrices: a dot product for each scalar of the result.
ArithmeticCost product(const Module &module, const Instruction &inst) {
  double result = scalarsOf(module, inst.typeId());
  switch (inst.opcode()) {
  case spv::Op::OpVectorTimesMatrix: // as long as the vector
    return {.floats = result * dot(scalarsOfValue(module, inst.id(0)))};
  case spv::Op::OpMatrixTimesVector: // as many as the matrix has columns
  case spv::Op::OpMatrixTimesMatrix:
    return {.floats = result * dot(columnsOf(module, inst.id(0)))};
  case spv::Op::OpDot:
    return {.floats = dot(scalarsOfValue(module, inst.id(0)))};
  default: // by a scalar, OpOuterProduct
    return {.floats = result};
  }
}

/// Sums over the first column: 2x2 has 2 products and a difference.
double determinant(unsigned size) { return size == 2 ? 3 : size == 3 ? 14 : 63; }

ArithmeticCost geometric(const Module &module, const Instruction &inst) {
  double n = scalarsOfValue(module, inst.id(2));
  unsigned columns = columnsOf(module, inst.id(2));
  switch (inst.literal(1)) {
  case GLSLstd450Length:
    return {.floats = n == 1 ? 0 : dot(n), .specials = n == 1 ? 0.0 : 1.0};
  case GLSLstd450Distance:
    return {.floats = n + (n == 1 ? 0 : dot(n)), .specials = n == 1 ? 0.0 : 1.0};
  case GLSLstd450Normalize: // by the inverse root
    return {.floats = dot(n) + n, .specials = 1};
  case GLSLstd450Cross:
    return {.floats = 9};
  case GLSLstd450Reflect: // I - 2 * dot(N, I) * N
    return {.floats = dot(n) + 1 + 2 * n};
  case GLSLstd450Refract: // eta * I - (eta * dot + sqrt(k)) * N
    return {.floats = dot(n) + 7 + 3 * n, .specials = 1};
  case GLSLstd450FaceForward:
    return {.floats = dot(n) + 1, .integers = n};
  case GLSLstd450Determinant:
    return {.floats = determinant(columns)};
  case GLSLstd450MatrixInverse: { // the adjugate by one over the determinant
    double minors = columns == 2 ? 0 : n * determinant(columns - 1);
    return {.floats = determinant(columns) + minors + n, .specials = 1};
  }
  default:
    return {};
  }
}

// A table of instructions, as a switch.
// NOLINTNEXTLINE(readability-function-size)
ArithmeticCost extended(const Module &module, const Instruction &inst) {
  if (module.extInstSet(inst.id(0)) != "GLSL.std.450")
    return {};
  double n = scalarsOf(module, inst.typeId());
  switch (inst.literal(1)) {
  case GLSLstd450FAbs:
    return {};
  case GLSLstd450Round:
  case GLSLstd450RoundEven:
  case GLSLstd450Trunc:
  case GLSLstd450FSign:
  case GLSLstd450Floor:
  case GLSLstd450Ceil:
  case GLSLstd450Fract:
  case GLSLstd450Radians:
  case GLSLstd450Degrees:
  case GLSLstd450FMin:
  case GLSLstd450FMax:
  case GLSLstd450NMin:
  case GLSLstd450NMax:
  case GLSLstd450Step:
    return {.floats = n};
  case GLSLstd450Fma:
  case GLSLstd450FClamp:
  case GLSLstd450NClamp:
  case GLSLstd450Modf:
  case GLSLstd450ModfStruct:
    return {.floats = 2 * scalarsOfValue(module, inst.id(2)) * 1.0};
  case GLSLstd450FMix: // x + (y - x) * a
    return {.floats = 3 * n};
  case GLSLstd450SmoothStep: // a clamped quotient, then t * t * (3 - 2 * t)
    return {.floats = 8 * n, .specials = n};
  case GLSLstd450SAbs:
  case GLSLstd450SSign:
  case GLSLstd450UMin:
  case GLSLstd450SMin:
  case GLSLstd450UMax:
  case GLSLstd450SMax:
  case GLSLstd450FindILsb:
  case GLSLstd450FindSMsb:
  case GLSLstd450FindUMsb:
    return {.integers = n};
  case GLSLstd450UClamp:
  case GLSLstd450SClamp:
    return {.integers = 2 * n};
  case GLSLstd450Sin:
  case GLSLstd450Cos:
  case GLSLstd450Tan:
  case GLSLstd450Asin:
  case GLSLstd450Acos:
  case GLSLstd450Atan:
  case GLSLstd450Sinh:
  case GLSLstd450Cosh:
  case GLSLstd450Tanh:
  case GLSLstd450Asinh:
  case GLSLstd450Acosh:
  case GLSLstd450Atanh:
  case GLSLstd450Atan2:
  case GLSLstd450Pow:
  case GLSLstd450Exp:
  case GLSLstd450Log:
  case GLSLstd450Exp2:
  case GLSLstd450Log2:
  case GLSLstd450Sqrt:
  case GLSLstd450InverseSqrt:
  case GLSLstd450Frexp:
  case GLSLstd450FrexpStruct:
  case GLSLstd450Ldexp:
    return {.specials = double(scalarsOfValue(module, inst.id(2)))};
  case GLSLstd450PackSnorm4x8:
  case GLSLstd450PackUnorm4x8:
  case GLSLstd450PackSnorm2x16:
  case GLSLstd450PackUnorm2x16:
  case GLSLstd450PackHalf2x16:
  case GLSLstd450PackDouble2x32:
    return {.conversions = double(scalarsOfValue(module, inst.id(2)))};
  case GLSLstd450UnpackSnorm2x16:
  case GLSLstd450UnpackUnorm2x16:
  case GLSLstd450UnpackHalf2x16:
  case GLSLstd450UnpackSnorm4x8:
  case GLSLstd450UnpackUnorm4x8:
  case GLSLstd450UnpackDouble2x32:
    return {.conversions = n};
  default:
    return geometric(module, inst);
  }
}

bool between(spv::Op op, spv::Op first, spv::Op last) { return op >= first && op <= last; }

} // namespace

// A table of opcodes, as a switch.
// NOLINTNEXTLINE(readability-function-size)
ArithmeticCost arithmeticCost(const Module &module, const Instruction &inst) {
  using enum spv::Op;
  spv::Op op = inst.opcode();
  if (!isValid(inst.result()) || !isValid(inst.typeId()))
    return {};
  double n = scalarsOf(module, inst.typeId());
  switch (op) {
  case OpExtInst:
    return extended(module, inst);
  case OpFNegate:
    return {};
  case OpFAdd:
  case OpFSub:
  case OpFMul:
  case OpIsNan:
  case OpIsInf:
    return {.floats = n};
  case OpFDiv:
    return {.specials = n};
  case OpFRem:
  case OpFMod: // x - y * floor(x / y)
    return {.floats = 3 * n, .specials = n};
  case OpVectorTimesScalar:
  case OpMatrixTimesScalar:
  case OpVectorTimesMatrix:
  case OpMatrixTimesVector:
  case OpMatrixTimesMatrix:
  case OpOuterProduct:
  case OpDot:
    return product(module, inst);
  case OpUDiv:
  case OpSDiv:
  case OpUMod:
  case OpSRem:
  case OpSMod:
    return isConstantValue(module, inst.id(1)) ? ArithmeticCost{.integers = n}
                                               : ArithmeticCost{.specials = n};
  case OpUMulExtended:
  case OpSMulExtended:
  case OpIAddCarry:
  case OpISubBorrow:
    return {.integers = 2.0 * scalarsOfValue(module, inst.id(0))};
  case OpAny:
  case OpAll:
    return {.integers = scalarsOfValue(module, inst.id(0)) - 1.0};
  case OpConvertFToU:
  case OpConvertFToS:
  case OpConvertSToF:
  case OpConvertUToF:
  case OpUConvert:
  case OpSConvert:
  case OpFConvert:
  case OpQuantizeToF16:
    return {.conversions = n};
  default:
    break;
  }
  if (between(op, OpFOrdEqual, OpFUnordGreaterThanEqual))
    return {.floats = n};
  if (between(op, OpSDotKHR, OpSUDotKHR) || between(op, OpSDotAccSatKHR, OpSUDotAccSatKHR)) {
    double parts = std::max(4u, scalarsOfValue(module, inst.id(0))); // packed: four of 8 bits
    return {.integers = dot(parts) + (between(op, OpSDotAccSatKHR, OpSUDotAccSatKHR) ? 1 : 0)};
  }
  if (op == OpSNegate || op == OpIAdd || op == OpISub || op == OpIMul ||
      between(op, OpLogicalEqual, OpSLessThanEqual) || between(op, OpShiftRightLogical, OpBitCount))
    return {.integers = n};
  return {};
}

} // namespace tailor
