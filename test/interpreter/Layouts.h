//===- interpreter/Layouts.h - Types as words and as bytes -----------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value is a row of words, a word a scalar. In memory the same value has the
// layout that Offset, ArrayStride, MatrixStride and RowMajor give it, and
// elsewhere the one of tailor::layoutOf. A matrix's layout depends on the
// member that holds it, so a pointer carries the number of its layout.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_INTERPRETER_LAYOUTS_H
#define TAILOR_INTERPRETER_LAYOUTS_H

#include "interpreter/Scalars.h"

#include "IR/Constants.h"
#include "IR/Module.h"

#include <map>
#include <memory>
#include <vector>

namespace tailor::interp {

/// A pointer value's words.
inline constexpr uint32_t kPointerObject = 0, kPointerOffset = 1, kPointerLayout = 2;
inline constexpr uint32_t kPointerWords = 3;
/// Offsets from here on come from an index outside of its array: no access may use them.
inline constexpr uint64_t kBadOffset = uint64_t{1} << 60;

/// A scalar's place in memory and in the value.
struct Leaf {
  uint64_t offset;
  uint32_t word;
  uint8_t bytes;
  bool isBool;
};
struct ByteRun {
  uint64_t offset, bytes;
};

struct Layout {
  enum class Kind : uint8_t {
    Scalar,
    Pointer,
    Vector,
    Matrix,
    Array,
    Struct,
    Opaque,
    Descriptors, ///< an array of buffers, images or samplers: each element is an object of its own
  };
  Kind kind = Kind::Opaque;
  Id type = Id::None;
  uint64_t size = 0, alignment = 1; ///< bytes; a runtime array has size 0
  uint64_t stride = 0;              ///< between components, columns (rows if row-major), elements
  uint64_t count = 0;               ///< of those; 0: a runtime array
  bool rowMajor = false;            ///< Matrix: components of a column are `stride` apart
  bool isBool = false;
  uint32_t element = 0;                               ///< layout of a component, column, element
  std::vector<std::pair<uint64_t, uint32_t>> members; ///< offset and layout

  bool leavesKnown = false;
  std::vector<Leaf> leaves;  ///< of the whole value
  uint64_t extent = 0;       ///< bytes up to the end of the last
  std::vector<ByteRun> runs; ///< the bytes it covers, contiguous ones together
};

/// Tables of a module's types; a layout or shape keeps its number and address.
class Layouts {
public:
  Layouts(const Module &module, ConstantEvaluator &constants)
      : module(module), constants(constants) {}

  /// The layout of a type by itself.
  uint32_t of(Id type) { return of(type, 0, false); }
  /// The layout of an array of descriptors.
  uint32_t ofDescriptors(Id arrayType);
  const Layout &at(uint32_t number) const { return *layouts[number]; }
  /// With leaves and runs.
  const Layout &withLeaves(uint32_t number);

  const Shape &shapeOf(Id type);
  /// Words of a value of that type; 0 for void and for what has no values. More than kMaxWords:
  /// too many to handle.
  uint32_t wordsOf(Id type) { return shapeOf(type).words; }
  /// Words in front of the part that `indices` name.
  uint32_t wordOffset(Id type, llvm::ArrayRef<uint32_t> indices);
  static constexpr uint32_t kMaxWords = 1 << 20;

private:
  uint32_t of(Id type, uint32_t matrixStride, bool rowMajor);
  uint64_t lengthOf(const Instruction &array);
  void vector(Layout &layout, const Instruction &type, uint32_t stride);
  void matrix(Layout &layout, const Instruction &type, uint32_t stride, bool rowMajor);
  void array(Layout &layout, const Instruction &type, uint32_t matrixStride, bool rowMajor);
  void structure(Layout &layout, const Instruction &type);
  void addLeaves(std::vector<Leaf> &leaves, uint32_t number, uint64_t offset, uint32_t &word);
  Shape computeShape(Id type);

  const Module &module;
  ConstantEvaluator &constants;
  std::map<std::tuple<uint32_t, uint32_t, bool>, uint32_t> known;
  std::vector<std::unique_ptr<Layout>> layouts;
  std::map<uint32_t, Shape> shapes;
};

} // namespace tailor::interp

#endif
