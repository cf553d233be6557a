//===- Frontend/KnobExpression.cpp ----------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Frontend/KnobExpression.h"

#include "llvm/ADT/StringRef.h"

#include <array>
#include <cctype>

namespace tailor {

namespace {

constexpr uint64_t kMostNegative = uint64_t{1} << 63; ///< magnitude

bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isBlank(char c) { return c == ' ' || c == '\t'; }

KnobInteger truth(bool holds) { return {false, holds ? 1u : 0u}; }
std::optional<KnobInteger> fitting(bool negative, uint64_t magnitude) {
  if (negative && magnitude > kMostNegative)
    return std::nullopt;
  return KnobInteger{negative && magnitude != 0, magnitude};
}

} // namespace

std::optional<KnobInteger> KnobInteger::parse(std::string_view text) {
  bool negative = !text.empty() && text.front() == '-';
  if (negative || (!text.empty() && text.front() == '+'))
    text.remove_prefix(1);
  if (!text.empty() && (text.back() == 'u' || text.back() == 'U'))
    text.remove_suffix(1);
  if (text.empty() || !isDigit(text.front()))
    return std::nullopt;
  unsigned radix = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    radix = 16;
    text.remove_prefix(2);
  } else if (text.front() == '0') {
    radix = 8;
  }
  uint64_t magnitude = 0;
  if (llvm::StringRef(text).getAsInteger(radix, magnitude))
    return std::nullopt;
  return fitting(negative, magnitude);
}

std::string KnobInteger::str() const { return (negative ? "-" : "") + std::to_string(magnitude); }

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

class KnobExpressionParser {
  using Op = KnobExpression::Op;
  using Node = KnobExpression::Node;

public:
  explicit KnobExpressionParser(KnobExpression &result) : result(result), text(result.text.str()) {}

  Status parse() {
    if (std::optional<size_t> whole = operators(0); whole && !problem) {
      skipBlanks();
      if (at != text.size())
        fail(at, text[at] == ')' ? std::string("this ')' has no '('")
                                 : "expected an operator, found " + quoted(at));
    }
    if (problem)
      return failure(std::move(*problem));
    return success();
  }

private:
  /// Levels of parentheses and signs, and nodes, that an expression may have.
  static constexpr unsigned kMaxDepth = 64;
  static constexpr size_t kMaxNodes = 1024;

  struct Binary {
    std::string_view spelling;
    Op op;
    unsigned level; ///< higher binds tighter
  };
  /// Longer spellings before those that they begin with.
  static constexpr std::array<Binary, 15> kBinary = {{{"||", Op::Or, 1},
                                                      {"&&", Op::And, 2},
                                                      {"==", Op::Equal, 3},
                                                      {"!=", Op::NotEqual, 3},
                                                      {"<<", Op::ShiftLeft, 5},
                                                      {">>", Op::ShiftRight, 5},
                                                      {"<=", Op::LessEqual, 4},
                                                      {">=", Op::GreaterEqual, 4},
                                                      {"<", Op::Less, 4},
                                                      {">", Op::Greater, 4},
                                                      {"+", Op::Add, 6},
                                                      {"-", Op::Subtract, 6},
                                                      {"*", Op::Multiply, 7},
                                                      {"/", Op::Divide, 7},
                                                      {"%", Op::Remainder, 7}}};

  void skipBlanks() {
    while (at < text.size() && isBlank(text[at]))
      ++at;
  }
  std::string quoted(size_t where) const {
    return where < text.size() ? "'" + text.substr(where, 1) + "'" : std::string("the end");
  }
  std::nullopt_t fail(size_t where, std::string message) {
    if (!problem)
      problem = Diagnostic::error(result.text.at(where), std::move(message), result.kind);
    return std::nullopt;
  }
  std::optional<size_t> add(Node node) {
    if (result.nodes.size() == kMaxNodes)
      return fail(node.offset, "the expression is too long");
    result.nodes.push_back(std::move(node));
    return result.nodes.size() - 1;
  }

  const Binary *binaryHere() const {
    for (const Binary &each : kBinary)
      if (std::string_view(text).substr(at, each.spelling.size()) == each.spelling)
        return &each;
    return nullptr;
  }

  /// Operands joined by operators that bind at least as tightly as `level`.
  std::optional<size_t> operators(unsigned level) {
    std::optional<size_t> left = operand();
    while (left) {
      skipBlanks();
      const Binary *binary = binaryHere();
      if (!binary || binary->level < level)
        return left;
      size_t offset = at;
      at += binary->spelling.size();
      std::optional<size_t> right = operators(binary->level + 1);
      if (!right)
        return std::nullopt;
      left = add({binary->op, offset, *left, *right, {}, {}});
    }
    return left;
  }

  std::optional<size_t> operand() {
    skipBlanks();
    if (depth == kMaxDepth)
      return fail(at, "the expression nests too deep");
    ++depth;
    std::optional<size_t> node = operandHere();
    --depth;
    return node;
  }

  std::optional<size_t> operandHere() {
    const size_t start = at;
    const char c = at < text.size() ? text[at] : '\0';
    if (isDigit(c) || isWord(c)) {
      while (at < text.size() && isWord(text[at]))
        ++at;
      std::string word = text.substr(start, at - start);
      if (!isDigit(c))
        return add({Op::Name, start, 0, 0, {}, word});
      std::optional<KnobInteger> value = KnobInteger::parse(word);
      if (!value)
        return fail(start, "'" + word + "' is no integer of 64 bits");
      return add({Op::Number, start, 0, 0, *value, {}});
    }
    if (c == '!' || c == '-' || c == '+') {
      ++at;
      std::optional<size_t> inner = operand();
      if (!inner || c == '+')
        return inner;
      return add({c == '!' ? Op::Not : Op::Negate, start, *inner, *inner, {}, {}});
    }
    if (c == '(') {
      ++at;
      std::optional<size_t> inner = operators(0);
      skipBlanks();
      if (inner && (at == text.size() || text[at] != ')'))
        return at == text.size() ? fail(start, "this '(' has no ')'")
                                 : fail(at, "expected ')' or an operator, found " + quoted(at));
      at += inner ? 1 : 0;
      return inner;
    }
    return fail(at, "expected an integer, the name of a knob or '(', found " + quoted(at));
  }

  KnobExpression &result;
  const std::string &text;
  size_t at = 0;
  unsigned depth = 0;
  std::optional<Diagnostic> problem;
};

Result<KnobExpression> KnobExpression::parse(LocatedText text, ErrorKind kind) {
  KnobExpression result;
  result.text = std::move(text);
  result.kind = kind;
  if (Status parsed = KnobExpressionParser(result).parse(); !parsed)
    return parsed.takeFailure();
  return result;
}

std::vector<KnobExpression::Name> KnobExpression::names() const {
  std::vector<Name> list;
  for (const Node &node : nodes)
    if (node.op == Op::Name)
      list.push_back({node.name, text.at(node.offset)});
  return list;
}

//===----------------------------------------------------------------------===//
// Evaluating
//===----------------------------------------------------------------------===//

namespace {

std::strong_ordering compare(const KnobInteger &a, const KnobInteger &b) {
  if (a.negative != b.negative)
    return a.negative ? std::strong_ordering::less : std::strong_ordering::greater;
  return a.negative ? b.magnitude <=> a.magnitude : a.magnitude <=> b.magnitude;
}

std::optional<KnobInteger> sum(const KnobInteger &a, const KnobInteger &b) {
  if (a.negative != b.negative) {
    bool isLarger = a.magnitude >= b.magnitude;
    return isLarger ? fitting(a.negative, a.magnitude - b.magnitude)
                    : fitting(b.negative, b.magnitude - a.magnitude);
  }
  uint64_t magnitude = a.magnitude + b.magnitude;
  if (magnitude < a.magnitude)
    return std::nullopt;
  return fitting(a.negative, magnitude);
}

std::optional<KnobInteger> product(const KnobInteger &a, const KnobInteger &b) {
  if (a.magnitude != 0 && b.magnitude > UINT64_MAX / a.magnitude)
    return std::nullopt;
  return fitting(a.negative != b.negative, a.magnitude * b.magnitude);
}

/// Rounds down.
KnobInteger shiftedRight(const KnobInteger &value, unsigned count) {
  uint64_t magnitude = value.magnitude >> count;
  bool leavesRest = (magnitude << count) != value.magnitude;
  magnitude += value.negative && leavesRest ? 1 : 0;
  return {value.negative && magnitude != 0, magnitude};
}

} // namespace

class KnobExpressionRun {
  using Op = KnobExpression::Op;
  using Node = KnobExpression::Node;

public:
  KnobExpressionRun(const KnobExpression &expression, const KnobExpression::Lookup &lookup)
      : expression(expression), lookup(lookup) {}

  Result<KnobInteger> run(size_t index) const {
    const Node &node = expression.nodes[index];
    switch (node.op) {
    case Op::Number:
      return node.value;
    case Op::Name:
      return valueOf(node);
    default:
      break;
    }
    Result<KnobInteger> left = run(node.left);
    if (!left || (node.op == Op::And && left->magnitude == 0))
      return left;
    if (node.op == Op::Not)
      return truth(left->magnitude == 0);
    if (node.op == Op::Or && left->magnitude != 0)
      return truth(true);
    if (node.op == Op::Negate)
      return checked(node, fitting(!left->negative, left->magnitude));
    Result<KnobInteger> right = run(node.right);
    return right ? binary(node, *left, *right) : right;
  }

private:
  Failure fail(const Node &node, std::string text) const {
    return failure(expression.text.at(node.offset), std::move(text), expression.kind);
  }
  Result<KnobInteger> checked(const Node &node, std::optional<KnobInteger> value) const {
    if (!value)
      return fail(node, "the result does not fit 64 bits");
    return *value;
  }

  Result<KnobInteger> valueOf(const Node &node) const {
    std::optional<std::string> text = lookup(node.name);
    if (!text)
      return fail(node, "there is no knob '" + node.name + "'");
    std::optional<KnobInteger> value = KnobInteger::parse(*text);
    if (!value)
      return fail(node, "the knob '" + node.name + "' has the value '" + *text +
                            "', which is no integer of 64 bits");
    return *value;
  }

  Result<KnobInteger> shift(const Node &node, const KnobInteger &a, const KnobInteger &b) const {
    if (b.negative || b.magnitude > 63)
      return fail(node, "a shift by " + b.str() + " is not one of 0 to 63");
    auto count = static_cast<unsigned>(b.magnitude);
    if (node.op == Op::ShiftRight)
      return shiftedRight(a, count);
    return checked(node, product(a, {false, uint64_t{1} << count}));
  }

  Result<KnobInteger> divide(const Node &node, const KnobInteger &a, const KnobInteger &b) const {
    if (b.magnitude == 0)
      return fail(node, node.op == Op::Divide ? "a division by zero" : "a remainder by zero");
    if (node.op == Op::Divide)
      return checked(node, fitting(a.negative != b.negative, a.magnitude / b.magnitude));
    return checked(node, fitting(a.negative, a.magnitude % b.magnitude));
  }

  Result<KnobInteger> binary(const Node &node, const KnobInteger &a, const KnobInteger &b) const {
    const std::strong_ordering order = compare(a, b);
    switch (node.op) {
    case Op::And:
    case Op::Or: // the left side did not decide
      return truth(b.magnitude != 0);
    case Op::Equal:
      return truth(order == 0);
    case Op::NotEqual:
      return truth(order != 0);
    case Op::Less:
      return truth(order < 0);
    case Op::LessEqual:
      return truth(order <= 0);
    case Op::Greater:
      return truth(order > 0);
    case Op::GreaterEqual:
      return truth(order >= 0);
    case Op::ShiftLeft:
    case Op::ShiftRight:
      return shift(node, a, b);
    case Op::Add:
      return checked(node, sum(a, b));
    case Op::Subtract:
      return checked(node, sum(a, {!b.negative && b.magnitude != 0, b.magnitude}));
    case Op::Multiply:
      return checked(node, product(a, b));
    default:
      return divide(node, a, b);
    }
  }

  const KnobExpression &expression;
  const KnobExpression::Lookup &lookup;
};

Result<KnobInteger> KnobExpression::evaluate(const Lookup &lookup) const {
  return KnobExpressionRun(*this, lookup).run(nodes.size() - 1);
}

} // namespace tailor
