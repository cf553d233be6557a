//===- Analysis/Dispatch.cpp -----------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/Dispatch.h"

#include <algorithm>
#include <limits>

namespace tailor {

static constexpr uint64_t kMaxSignedGrid = uint64_t{1} << 31;
static constexpr uint64_t kMaxGlobalIds = uint64_t{1} << 32;

static constexpr std::string_view kRuleNames[] = {"same", "exact", "cover", "guarded"};

std::string_view nameOf(DispatchRule rule) { return kRuleNames[static_cast<size_t>(rule)]; }

std::optional<DispatchRule> parseDispatchRule(std::string_view name) {
  for (size_t i = 0; i < std::size(kRuleNames); ++i)
    if (kRuleNames[i] == name)
      return static_cast<DispatchRule>(i);
  return std::nullopt;
}

// In the order of UniformExpr::Op.
static constexpr std::string_view kOpNames[] = {
    "constant",     "spec_constant", "push_constant", "buffer_value", "image_size",
    "array_length", "add",           "sub",           "mul",          "udiv",
    "sdiv",         "umod",          "umin",          "umax",         "smin",
    "smax",         "shl",           "lshr",          "ashr",         "and",
    "or",           "xor",           "equal",         "not_equal",    "uless",
    "uless_equal",  "sless",         "sless_equal",   "select"};
static_assert(std::size(kOpNames) == static_cast<size_t>(UniformExpr::Op::Select) + 1);

std::string_view nameOf(UniformExpr::Op op) { return kOpNames[static_cast<size_t>(op)]; }

std::optional<UniformExpr::Op> parseUniformOp(std::string_view name) {
  for (size_t i = 0; i < std::size(kOpNames); ++i)
    if (kOpNames[i] == name)
      return static_cast<UniformExpr::Op>(i);
  return std::nullopt;
}

static size_t operandsOf(const UniformExpr &expr) {
  return expr.isLeaf() ? 0 : expr.op == UniformExpr::Op::Select ? 3 : 2;
}

static bool isWellFormed(const UniformExpr &expr, unsigned depthLeft) {
  if (depthLeft == 0 || expr.operands.size() != operandsOf(expr))
    return false;
  return std::all_of(expr.operands.begin(), expr.operands.end(), [&](const UniformExpr &operand) {
    return isWellFormed(operand, depthLeft - 1);
  });
}

bool isWellFormed(const UniformExpr &expr) { return isWellFormed(expr, kMaxUniformDepth); }

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

static std::string resource(std::string_view name, const UniformExpr &leaf) {
  return std::string(name) + "(" + std::to_string(leaf.params[0]) + "," +
         std::to_string(leaf.params[1]) + ")";
}

static std::string leafText(const UniformExpr &leaf) {
  switch (leaf.op) {
  case UniformExpr::Op::SpecConstant:
    return "spec_constant(" + std::to_string(leaf.params[0]) + ")";
  case UniformExpr::Op::PushConstant:
    return "push_constant[" + std::to_string(leaf.params[0]) + "]";
  case UniformExpr::Op::BufferValue:
    return resource("buffer", leaf) + "[" + std::to_string(leaf.params[2]) + "]";
  case UniformExpr::Op::ImageSize: {
    std::string text = resource("image_size", leaf) + ".";
    return leaf.params[2] < 3 ? text + kAxisName[leaf.params[2]]
                              : text + std::to_string(leaf.params[2]);
  }
  case UniformExpr::Op::ArrayLength:
    return resource("array_length", leaf) + "[" + std::to_string(leaf.params[2]) + "]";
  default:
    return std::to_string(leaf.params[0]);
  }
}

/// The sign between two operands; empty for operators that are written as a call.
static std::string_view infixOf(UniformExpr::Op op) {
  switch (op) {
  case UniformExpr::Op::Add:
    return "+";
  case UniformExpr::Op::Sub:
    return "-";
  case UniformExpr::Op::Mul:
    return "*";
  case UniformExpr::Op::UDiv:
    return "/";
  case UniformExpr::Op::UMod:
    return "%";
  case UniformExpr::Op::Shl:
    return "<<";
  case UniformExpr::Op::LShr:
    return ">>";
  case UniformExpr::Op::And:
    return "&";
  case UniformExpr::Op::Or:
    return "|";
  case UniformExpr::Op::Xor:
    return "^";
  case UniformExpr::Op::Equal:
    return "==";
  case UniformExpr::Op::NotEqual:
    return "!=";
  case UniformExpr::Op::ULess:
    return "<";
  case UniformExpr::Op::ULessEqual:
    return "<=";
  default:
    return {};
  }
}

static std::string text(const UniformExpr &expr, unsigned depthLeft) {
  if (expr.isLeaf())
    return leafText(expr);
  if (depthLeft <= 1 || expr.operands.size() != operandsOf(expr))
    return "...";
  const UniformExpr &right = expr.operands[1];
  std::string a = text(expr.operands[0], depthLeft - 1);
  // Compilers subtract by adding a negative constant.
  if (expr.op == UniformExpr::Op::Add && right.op == UniformExpr::Op::Constant &&
      right.params[0] >> 31 != 0)
    return "(" + a + " - " + std::to_string(0u - right.params[0]) + ")";
  std::string b = text(right, depthLeft - 1);
  if (expr.op == UniformExpr::Op::Select)
    return "(" + a + " ? " + b + " : " + text(expr.operands[2], depthLeft - 1) + ")";
  std::string_view infix = infixOf(expr.op);
  if (infix.empty())
    return std::string(nameOf(expr.op)) + "(" + a + ", " + b + ")";
  return "(" + a + " " + std::string(infix) + " " + b + ")";
}

std::string UniformExpr::str() const { return text(*this, kMaxUniformDepth); }

static std::string idText(unsigned axis) {
  return std::string("gid.") + (axis < 3 ? kAxisName[axis] : '?');
}

std::string DispatchBound::str() const {
  std::string sum;
  for (const BoundTerm &term : terms) {
    bool isOne = term.factor == UniformExpr::constant(1);
    sum += (sum.empty() ? "" : " + ") + (isOne ? "" : term.factor.str() + "*") + idText(term.axis);
  }
  if (!terms.empty() && offset != UniformExpr::constant(0))
    sum += " + " + offset.str();
  if (terms.empty())
    sum = idText(axis);
  if (divisor)
    sum = (sum.find(' ') != std::string::npos ? "(" + sum + ")" : sum) + " / " + divisor->str();
  return sum + (inclusive ? " <= " : " < ") + bound.str();
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

static std::optional<uint32_t> signedQuotient(uint32_t a, uint32_t b) {
  int32_t dividend = static_cast<int32_t>(a), divisor = static_cast<int32_t>(b);
  if (divisor == 0 || (dividend == std::numeric_limits<int32_t>::min() && divisor == -1))
    return std::nullopt;
  return static_cast<uint32_t>(dividend / divisor);
}

static std::optional<uint32_t> apply(UniformExpr::Op op, uint32_t a, uint32_t b) {
  const int32_t sa = static_cast<int32_t>(a), sb = static_cast<int32_t>(b);
  switch (op) {
  case UniformExpr::Op::Add:
    return a + b;
  case UniformExpr::Op::Sub:
    return a - b;
  case UniformExpr::Op::Mul:
    return a * b;
  case UniformExpr::Op::UDiv:
    return b == 0 ? std::nullopt : std::optional(a / b);
  case UniformExpr::Op::SDiv:
    return signedQuotient(a, b);
  case UniformExpr::Op::UMod:
    return b == 0 ? std::nullopt : std::optional(a % b);
  case UniformExpr::Op::UMin:
    return std::min(a, b);
  case UniformExpr::Op::UMax:
    return std::max(a, b);
  case UniformExpr::Op::SMin:
    return sa < sb ? a : b;
  case UniformExpr::Op::SMax:
    return sa > sb ? a : b;
  case UniformExpr::Op::Shl:
    return b > 31 ? std::nullopt : std::optional(a << b);
  case UniformExpr::Op::LShr:
    return b > 31 ? std::nullopt : std::optional(a >> b);
  case UniformExpr::Op::AShr:
    return b > 31 ? std::nullopt : std::optional(static_cast<uint32_t>(sa >> b));
  case UniformExpr::Op::And:
    return a & b;
  case UniformExpr::Op::Or:
    return a | b;
  case UniformExpr::Op::Xor:
    return a ^ b;
  case UniformExpr::Op::Equal:
    return a == b;
  case UniformExpr::Op::NotEqual:
    return a != b;
  case UniformExpr::Op::ULess:
    return a < b;
  case UniformExpr::Op::ULessEqual:
    return a <= b;
  case UniformExpr::Op::SLess:
    return sa < sb;
  case UniformExpr::Op::SLessEqual:
    return sa <= sb;
  default:
    return std::nullopt;
  }
}

static std::optional<uint32_t> evaluateChecked(const UniformExpr &expr,
                                               const UniformLeafValue &leafValue) {
  if (expr.op == UniformExpr::Op::Constant)
    return expr.params[0];
  if (expr.isLeaf())
    return leafValue ? leafValue(expr) : std::nullopt;
  std::optional<uint32_t> a = evaluateChecked(expr.operands[0], leafValue);
  if (expr.op == UniformExpr::Op::Select)
    return a ? evaluateChecked(expr.operands[*a != 0 ? 1 : 2], leafValue) : std::nullopt;
  std::optional<uint32_t> b = evaluateChecked(expr.operands[1], leafValue);
  return a && b ? apply(expr.op, *a, *b) : std::nullopt;
}

std::optional<uint32_t> evaluate(const UniformExpr &expr, const UniformLeafValue &leafValue) {
  return isWellFormed(expr) ? evaluateChecked(expr, leafValue) : std::nullopt;
}

std::optional<uint64_t> evaluateBound(const DispatchBound &bound,
                                      const UniformLeafValue &leafValue) {
  std::optional<uint32_t> value = evaluate(bound.bound, leafValue);
  if (!value)
    return std::nullopt;
  int64_t last = bound.isSigned ? int64_t{static_cast<int32_t>(*value)} : int64_t{*value};
  uint64_t count = static_cast<uint64_t>(std::max<int64_t>(last + (bound.inclusive ? 1 : 0), 0));
  if (bound.divisor) { // sum / divisor < count as soon as sum < count * divisor
    std::optional<uint32_t> by = evaluate(*bound.divisor, leafValue);
    if (!by || *by == 0 || *by >= uint32_t{1} << 31)
      return std::nullopt;
    count *= *by; // below 2^32 times below 2^31
  }
  if (bound.terms.empty())
    return count;
  // The smallest id whose term alone reaches the bound: the other terms are not negative.
  std::optional<uint32_t> offset = evaluate(bound.offset, leafValue), factor;
  for (const BoundTerm &term : bound.terms)
    if (term.axis == bound.axis)
      factor = evaluate(term.factor, leafValue);
  if (!offset || !factor || *factor == 0)
    return std::nullopt;
  return count <= *offset ? 0 : (count - *offset + *factor - 1) / *factor;
}

/// The largest sum that is compared in the grid that the variant runs, the invocations past the
/// authored grid too; nullopt where it is not known.
static std::optional<uint64_t> largestSum(const DispatchBound &bound, const Dispatch &dispatch,
                                          const Dim3 &groups, const UniformLeafValue &leafValue) {
  std::optional<uint32_t> offset = evaluate(bound.offset, leafValue);
  if (!offset)
    return std::nullopt;
  uint64_t sum = *offset;
  for (const BoundTerm &term : bound.terms) {
    std::optional<uint32_t> factor = evaluate(term.factor, leafValue);
    if (!factor || term.axis > 2)
      return std::nullopt;
    const uint64_t grid = uint64_t{groups[term.axis]} * dispatch.mul[term.axis];
    const uint64_t div = dispatch.div[term.axis];
    if (div == 0)
      return std::nullopt;
    // 32 bits each: no product of them wraps in 64.
    const uint64_t last = std::min<uint64_t>((grid + div - 1) / div * div - 1, UINT32_MAX);
    constexpr uint64_t kFarTooLarge = uint64_t{1} << 62;
    sum = std::min(sum + std::min(uint64_t{*factor} * last, kFarTooLarge), kFarTooLarge);
  }
  return sum;
}

//===----------------------------------------------------------------------===//
// Group counts
//===----------------------------------------------------------------------===//

static Failure refuse(std::string text) { return failure(Location{}, std::move(text)); }

static std::string onAxis(unsigned axis) { return std::string(" on ") + kAxisName[axis]; }

/// The count on one axis, before the device's limit.
static Result<uint64_t> groupsOnAxis(const Dispatch &dispatch, unsigned axis, uint32_t groups) {
  if (dispatch.rule == DispatchRule::Same)
    return uint64_t{groups};
  const uint64_t mul = dispatch.mul[axis], div = dispatch.div[axis];
  if (mul == 0 || div == 0)
    return refuse("the dispatch rule has a zero factor" + onAxis(axis));
  const uint64_t grid = groups * mul;
  if (dispatch.rule == DispatchRule::Exact) {
    if (grid % div != 0)
      return refuse("the variant's size does not divide the grid" + onAxis(axis) + ": " +
                    std::to_string(groups) + "*" + std::to_string(mul) + " is not a multiple of " +
                    std::to_string(div));
    return grid / div;
  }
  const uint64_t count = grid / div + (grid % div != 0 ? 1 : 0);
  if (grid > kMaxSignedGrid || count * div > kMaxSignedGrid)
    return refuse("the grid has " + std::to_string(std::max(grid, count * div)) + " invocations" +
                  onAxis(axis) + ", the " + std::string(nameOf(dispatch.rule)) +
                  " rule allows 2147483648");
  return count;
}

Result<Dim3> variantGroups(const Dispatch &dispatch, const Dim3 &authoredSize, const Dim3 &groups,
                           const Dim3 &maxGroups) {
  Dim3 counts;
  for (unsigned axis = 0; axis < 3; ++axis) {
    const uint64_t grid = uint64_t{groups[axis]} * authoredSize[axis];
    if (grid > kMaxGlobalIds)
      return refuse("the grid has " + std::to_string(grid) + " invocations" + onAxis(axis) +
                    ", proofs speak of 4294967296 at most");
    Result<uint64_t> count = groupsOnAxis(dispatch, axis, groups[axis]);
    if (!count)
      return count.takeFailure();
    if (*count > maxGroups[axis])
      return refuse("the dispatch has " + std::to_string(*count) + " workgroups" + onAxis(axis) +
                    ", the device allows " + std::to_string(maxGroups[axis]));
    counts[axis] = static_cast<uint32_t>(*count);
  }
  return counts;
}

Status checkCover(const Dispatch &dispatch, const Dim3 &groups, const Dim3 &authoredSize,
                  const UniformLeafValue &leafValue) {
  if (dispatch.rule != DispatchRule::Cover || groups.product() == 0)
    return success();
  for (const DispatchBound &bound : dispatch.bounds) {
    if (bound.axis > 2)
      return refuse("the dispatch rule has a bound on an axis that does not exist");
    const uint64_t grid = uint64_t{groups[bound.axis]} * authoredSize[bound.axis];
    std::optional<uint64_t> needed = evaluateBound(bound, leafValue);
    if (!needed)
      return failure(Diagnostic::error({}, "the bound " + bound.str() +
                                               " is not known from the values of this dispatch")
                         .withNote(bound.location, "the kernel compares with it here"));
    if (grid < *needed)
      return failure(Diagnostic::error({}, "the grid has " + std::to_string(grid) + " invocations" +
                                               onAxis(bound.axis) + ", the bound " + bound.str() +
                                               " lets " + std::to_string(*needed) + " take part")
                         .withNote(bound.location, "the kernel compares with it here"));
    if (bound.terms.empty())
      continue;
    std::optional<uint64_t> largest = largestSum(bound, dispatch, groups, leafValue);
    if (!largest || *largest >= (bound.isSigned ? uint64_t{1} << 31 : uint64_t{1} << 32))
      return failure(Diagnostic::error({}, "a sum that is compared in " + bound.str() +
                                               " could wrap in the grid of the variant")
                         .withNote(bound.location, "the kernel compares with it here"));
  }
  return success();
}

} // namespace tailor
