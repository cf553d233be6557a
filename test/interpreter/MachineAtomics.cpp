//===- interpreter/MachineAtomics.cpp ---------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "interpreter/Machine.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace tailor::interp {

namespace {

/// What memory holds after an atomic instruction, from what it held; `value` is the instruction's.
std::optional<uint64_t> combined(spv::Op op, unsigned width, uint64_t old, uint64_t value) {
  using enum spv::Op;
  const int64_t a = signExtend(width, old), b = signExtend(width, value);
  switch (op) {
  case OpAtomicLoad:
    return old;
  case OpAtomicStore:
  case OpAtomicExchange:
    return value;
  case OpAtomicIIncrement:
    return old + 1;
  case OpAtomicIDecrement:
    return old - 1;
  case OpAtomicIAdd:
    return old + value;
  case OpAtomicISub:
    return old - value;
  case OpAtomicSMin:
    return a < b ? old : value;
  case OpAtomicUMin:
    return std::min(old, value);
  case OpAtomicSMax:
    return a > b ? old : value;
  case OpAtomicUMax:
    return std::max(old, value);
  case OpAtomicAnd:
    return old & value;
  case OpAtomicOr:
    return old | value;
  case OpAtomicXor:
    return old ^ value;
  case OpAtomicFAddEXT:
    return withFloatType(width, [&](auto number) {
      using T = decltype(number);
      return toBits(static_cast<T>(static_cast<Compute<T>>(fromBits<T>(old)) +
                                   static_cast<Compute<T>>(fromBits<T>(value))));
    });
  case OpAtomicFMinEXT:
    return writeFloat(width, std::fmin(readFloat(width, old), readFloat(width, value)));
  case OpAtomicFMaxEXT:
    return writeFloat(width, std::fmax(readFloat(width, old), readFloat(width, value)));
  default:
    return std::nullopt;
  }
}

} // namespace

bool Machine::atomic(const Code &code) {
  const uint64_t *pointer = in(code, 0);
  const Layout &layout = program.layouts.withLeaves(static_cast<uint32_t>(pointer[kPointerLayout]));
  if (layout.kind != Layout::Kind::Scalar)
    return fail(*code.inst, "unsupported atomic on what is no scalar");
  std::byte *bytes = bytesAt(code, pointer, layout.size, "atomic");
  if (!bytes) {
    if (code.words != 0)
      *out(code) = 0;
    return !fault;
  }
  const Object &object = program.objects[pointer[kPointerObject]];
  if (object.home == Object::Home::Resource && object.resource->format) {
    const uint32_t texelBytes = object.resource->format->texelBytes;
    if (isReported(object))
      reportRun(code, AccessKind::ImageAtomic, object,
                {pointer[kPointerOffset] / texelBytes, texelBytes}, 0);
  } else {
    report(code, AccessKind::Atomic, pointer, layout);
  }

  const auto width = static_cast<unsigned>(layout.size * 8);
  uint64_t old = 0;
  std::memcpy(&old, bytes, layout.size);
  std::optional<uint64_t> stored;
  // Operands: pointer, scope, semantics, value; or two semantics, value and comparator.
  if (code.inst->opcode() == spv::Op::OpAtomicCompareExchange)
    stored = old == *in(code, 5) ? *in(code, 4) : old;
  else
    stored = combined(code.inst->opcode(), width, old, code.count > 3 ? *in(code, 3) : 0);
  if (!stored)
    return fail(*code.inst, "unsupported " + tailor::nameOf(code.inst->opcode()));
  if (code.words != 0)
    *out(code) = old;
  std::memcpy(bytes, &*stored, layout.size);
  return true;
}

} // namespace tailor::interp
