//===- IR/Constants.h - Evaluating constants under specialization values ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_IR_CONSTANTS_H
#define TAILOR_IR_CONSTANTS_H

#include "IR/Module.h"

#include "llvm/ADT/DenseMap.h"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace tailor {

/// The host's specialization values: SpecId -> bits. Booleans are 0 or 1, integers and floats
/// their bit pattern, zero-extended. Two constants under one SpecId both follow it.
using SpecMap = std::map<uint32_t, uint64_t>;

/// The value of a constant.
struct ConstantValue {
  enum class Kind : uint8_t { Bool, Int, Float, Composite };
  Kind kind = Kind::Int;
  uint8_t width = 32;                  ///< bits of a scalar; 1 for Bool
  bool isSigned = false;               ///< of an Int's type
  uint64_t bits = 0;                   ///< scalar bit pattern, zero-extended to 64
  std::vector<ConstantValue> elements; ///< of a Composite

  uint64_t asUnsigned() const { return bits; }
  int64_t asSigned() const;
  bool isComposite() const { return kind == Kind::Composite; }
  friend bool operator==(const ConstantValue &, const ConstantValue &) = default;
};

/// Evaluates OpConstant*, OpSpecConstant* and OpSpecConstantOp: a value, or nullopt for "unknown",
/// never a guess. Unknown are: what is no constant, the operations of OpenCL kernels,
/// floating-point arithmetic (its rounding is the implementation's), what SPIR-V leaves undefined
/// (division by zero, the one signed division that overflows, shifts by at least the width), arrays
/// without a positive length, composites of over 65,536 scalars, and what depends on itself.
class ConstantEvaluator {
public:
  /// `spec` values override the defaults; with `useDefaults` false a specialization constant that
  /// `spec` does not name is unknown.
  explicit ConstantEvaluator(const Module &module, SpecMap spec = {}, bool useDefaults = true)
      : module(module), spec(std::move(spec)), useDefaults(useDefaults) {}

  std::optional<ConstantValue> evaluate(Id id);
  /// An integer constant of at most 64 bits, zero-extended.
  std::optional<uint64_t> evaluateInt(Id id);
  const SpecMap &specMap() const { return spec; }

private:
  std::optional<ConstantValue> compute(const Instruction &inst, unsigned depth);
  std::optional<ConstantValue> at(Id id, unsigned depth);
  std::optional<ConstantValue> nullOf(Id type, unsigned depth);
  std::optional<ConstantValue> operation(const Instruction &inst, unsigned depth);

  const Module &module;
  SpecMap spec;
  bool useDefaults;
  llvm::DenseMap<uint32_t, std::optional<ConstantValue>> known;
};

/// Whether a (specialization) constant's value can depend on a SpecId.
bool dependsOnSpecConstant(const Module &module, Id constant);

} // namespace tailor

#endif
