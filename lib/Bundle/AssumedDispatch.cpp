//===- Bundle/AssumedDispatch.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Bundle/AssumedDispatch.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tailor {

/// Values stay well inside of what signed integers hold.
static constexpr uint64_t kLargestValue = uint64_t{1} << 30;

static uint32_t clamped(uint64_t value) {
  return static_cast<uint32_t>(std::clamp<uint64_t>(value, 1, kLargestValue));
}

AssumedDispatch::AssumedDispatch(const KernelAnalysis &kernel, const Certificate &certificate,
                                 const DispatchRequest &request)
    : authored(certificate.authored.size) {
  if (request.groups) {
    counts = *request.groups;
  } else {
    auto hasGroups = [&](unsigned axis) {
      return certificate.usesAxis[axis] && kernel.affine().workgroupId(axis);
    };
    unsigned axes = 0;
    for (unsigned axis = 0; axis < 3; ++axis)
      axes += hasGroups(axis) ? 1 : 0;
    const double each =
        axes == 0 ? 1 : std::pow(static_cast<double>(request.invocations), 1.0 / axes);
    for (unsigned axis = 0; axis < 3; ++axis)
      if (hasGroups(axis))
        // A hair more, so that a root that is whole does not fall short of itself.
        counts[axis] = static_cast<uint32_t>(std::bit_floor(
            std::max<uint64_t>(1, static_cast<uint64_t>(each * (1 + 1e-9)) / authored[axis])));
  }
  for (const std::vector<DispatchBound> &bounds : certificate.bounds)
    for (const DispatchBound &bound : bounds)
      take(bound);
}

std::optional<uint32_t> AssumedDispatch::known(const UniformExpr &leaf) const {
  for (const auto &[each, value] : values)
    if (each == leaf)
      return value;
  return std::nullopt;
}

/// Gives the leaves of `expr` that have no value yet one with which it is `wanted` at least: a leaf
/// alone `wanted` itself, several the least power of two. Specialization constants and contents of
/// buffers stay as they are.
void AssumedDispatch::reach(const UniformExpr &expr, uint64_t wanted) {
  std::vector<UniformExpr> open;
  auto collect = [&](auto &&self, const UniformExpr &node) -> void {
    const bool isOpen = node.op == UniformExpr::Op::PushConstant ||
                        node.op == UniformExpr::Op::ImageSize ||
                        node.op == UniformExpr::Op::ArrayLength;
    if (isOpen && !known(node))
      open.push_back(node);
    for (const UniformExpr &operand : node.operands)
      self(self, operand);
  };
  collect(collect, expr);
  if (open.empty())
    return;
  if (expr.isLeaf()) {
    values.emplace_back(expr, clamped(wanted));
    return;
  }
  for (uint32_t value = 1; value <= kLargestValue; value *= 2) {
    std::optional<uint32_t> sum =
        evaluate(expr, [&](const UniformExpr &leaf) -> std::optional<uint32_t> {
          if (std::find(open.begin(), open.end(), leaf) != open.end())
            return value;
          return known(leaf);
        });
    // A difference that went below zero is no large bound.
    if (!sum || *sum < wanted || *sum > kLargestValue)
      continue;
    for (const UniformExpr &leaf : open)
      if (!known(leaf))
        values.emplace_back(leaf, value);
    return;
  }
}

void AssumedDispatch::take(const DispatchBound &bound) {
  uint64_t wanted = grid(bound.axis);
  if (!bound.terms.empty()) {
    // A flattened id: each factor is what the axes before it make, in the order of the axes.
    std::vector<BoundTerm> terms = bound.terms;
    std::sort(terms.begin(), terms.end(),
              [](const BoundTerm &a, const BoundTerm &b) { return a.axis < b.axis; });
    uint64_t below = 1;
    for (const BoundTerm &term : terms) {
      reach(term.factor, below);
      below *= grid(term.axis);
    }
    wanted = below;
  }
  if (bound.divisor) {
    std::optional<uint32_t> by =
        evaluate(*bound.divisor, [&](const UniformExpr &leaf) { return known(leaf); });
    if (!by || *by == 0)
      return;
    wanted = (wanted + *by - 1) / *by;
  }
  reach(bound.bound, wanted);
}

std::optional<uint32_t> AssumedDispatch::value(const UniformExpr &leaf) const {
  if (std::optional<uint32_t> found = known(leaf))
    return found;
  switch (leaf.op) {
  case UniformExpr::Op::ImageSize:
    return clamped(leaf.params[2] < 3 ? grid(leaf.params[2]) : 1);
  case UniformExpr::Op::ArrayLength: {
    uint64_t all = 1;
    for (unsigned axis = 0; axis < 3; ++axis)
      all = std::min(all * clamped(grid(axis)), kLargestValue);
    return clamped(all);
  }
  case UniformExpr::Op::PushConstant:
    if (everything)
      return clamped(std::max({grid(0), grid(1), grid(2)}));
    break;
  default:
    break;
  }
  return std::nullopt;
}

} // namespace tailor
