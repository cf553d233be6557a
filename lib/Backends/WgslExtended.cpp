//===- Backends/WgslExtended.cpp  -===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of the instructions of GLSL.std.450, those that naga 30 does not read (Modf,
// Frexp) or reads and does not know again (the others: what it writes of them
// fails its own validation, and says no more than 'main' is invalid).
//
//===----------------------------------------------------------------------===//
#include "Backends/WgslSteps.h"

#include "IR/Types.h"

#include "spirv/unified1/GLSL.std.450.h"

namespace tailor::wgsl {
namespace {

bool isScalar(const Module &module, Id type) {
  const Instruction *def = module.def(type);
  return def && def->opcode() == spv::Op::OpTypeFloat;
}

} // namespace

Status checkExtended(const Module &module, const Instruction &inst) {
  const Instruction *set = module.def(inst.id(0));
  if (!set || set->opcode() != spv::Op::OpExtInstImport || set->string(0) != "GLSL.std.450")
    return success();
  auto refused = [&](const std::string &name) -> Status {
    return failure(module.locationOf(inst), "wgsl cannot express " + name + " of GLSL.std.450");
  };
  const bool scalar = isScalar(module, inst.typeId());
  switch (inst.literal(1)) {
  case GLSLstd450Modf:
    return refused("Modf");
  case GLSLstd450ModfStruct:
    return refused("ModfStruct");
  case GLSLstd450Frexp:
    return refused("Frexp");
  case GLSLstd450FrexpStruct:
    return refused("FrexpStruct");
  case GLSLstd450Normalize:
    return scalar ? refused("Normalize of a scalar") : success();
  case GLSLstd450FaceForward:
    return scalar ? refused("FaceForward of a scalar") : success();
  case GLSLstd450Reflect:
    return scalar ? refused("Reflect of a scalar") : success();
  case GLSLstd450Refract:
    return scalar ? refused("Refract of a scalar") : success();
  default:
    return success();
  }
}

} // namespace tailor::wgsl
