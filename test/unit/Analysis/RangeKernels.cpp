//===- unit/Analysis/RangeKernels.cpp --------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RangeKernels.h"

#include <iterator>
#include <vector>

namespace tailor {

uint64_t rangeNumber(std::mt19937_64 &random) {
  static constexpr uint64_t kNumbers[] = {
      0,   1,    2,     3,          7,          8,          31,         32,
      63,  64,   127,   128,        129,        255,        256,        300,
      511, 1023, 65535, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFFFE, 0xFFFFFFFF};
  return kNumbers[random() % std::size(kNumbers)];
}

namespace {

using Numbers = std::mt19937_64;

class Writer {
public:
  Writer(Numbers &random, const RangeKernelStyle &style) : random(random), style(style) {}

  std::string kernel() {
    std::string text;
    if (style.narrow)
      text += "#extension GL_EXT_shader_explicit_arithmetic_types : require\n";
    text += "layout(local_size_x = 24, local_size_y = 3) in;\n"
            "layout(set = 0, binding = 0) buffer A { uint a[]; };\n"
            "layout(set = 0, binding = 1) readonly buffer B { uint b[]; };\n"
            "layout(constant_id = 1) const uint kSpec = 5;\n"
            "void main() {\n"
            "uint x = gl_LocalInvocationID.x, y = gl_LocalInvocationID.y, "
            "z = gl_LocalInvocationIndex, fuel = 0, u" +
            std::string(style.defined ? " = b[z]" : "") + ";\nint i = int(x), j = -7;\n";
    if (style.narrow)
      text += "uint8_t c = uint8_t(y); int16_t h = int16_t(x);\n";
    block(text, 7, 0);
    text += "uvec3 extent = gl_NumWorkGroups * gl_WorkGroupSize, at = gl_GlobalInvocationID;\n"
            "a[(at.z * extent.y + at.y) * extent.x + at.x] = x + y * 3 + z * 5 + u + uint(i ^ j)";
    return text + (style.narrow ? " + uint(c) + uint(int(h));\n}\n" : ";\n}\n");
  }

private:
  uint64_t below(uint64_t limit) { return random() % limit; }
  using Words = std::vector<const char *>;
  std::string pick(const Words &list) { return list[below(list.size())]; }
  std::string divisor(const std::string &by) { return style.defined ? "(" + by + " | 1u)" : by; }
  std::string fuel() { return style.defined ? "if (++fuel > 200u) break;\n" : ""; }
  std::string variable() { return pick({"x", "y", "z", "x", "y", "z", "u"}); }
  std::string literal() {
    uint64_t value = below(3) == 0 ? below(40) : rangeNumber(random);
    return std::to_string(value) + "u";
  }

  std::string number(unsigned depth) { // uint
    if (depth == 0)
      return below(3) == 0 ? literal() : below(6) == 0 ? "gl_LocalInvocationID.x" : variable();
    auto sub = [&] { return number(depth - 1); };
    auto bits = [&] { return std::to_string(below(6)); };
    switch (below(14)) {
    case 0:
      return "(" + sub() + " + " + (below(2) ? literal() : sub()) + ")";
    case 1:
      return "(" + sub() + " - " + (below(2) ? literal() : sub()) + ")";
    case 2:
      return "(" + sub() + " * " + (below(2) ? bits() + "u" : sub()) + ")";
    case 3:
      return "(" + sub() + pick({" / ", " % "}) + divisor(below(3) ? literal() : sub()) + ")";
    case 4:
      return "(" + sub() + pick({" & ", " & ", " | ", " ^ "}) + (below(2) ? literal() : sub()) +
             ")";
    case 5:
      return "(" + sub() + pick({" << ", " >> ", " >> "}) +
             (below(4)        ? bits()
              : style.defined ? "(" + sub() + " & 31u)"
                              : sub()) +
             ")";
    case 6:
      return pick({"min", "max"}) + "(" + sub() + ", " + sub() + ")";
    case 7:
      return "clamp(" + sub() + ", " + bits() + "u, " + literal() + ")";
    case 8:
      return "uint(" + signedNumber(depth - 1) + ")";
    case 9:
      return "(" + condition(1) + " ? " + sub() + " : " + sub() + ")";
    case 10:
      return "b[" + sub() + " & 511u]";
    case 11:
      return pick({"uint(bitCount(", "uint(findMSB(", "uint(findLSB("}) + sub() + "))";
    case 12:
      return "bitfieldExtract(" + sub() + ", " + bits() + ", " + bits() + ")";
    default:
      return pick(style.narrow ? Words{"uint(uint8_t(", "uint(uint16_t(", "uint(c + uint8_t(",
                                       "uint(7ul * uint64_t(", "(kSpec + uint("}
                               : Words{"(kSpec + uint("}) +
             sub() + "))";
    }
  }

  std::string signedNumber(unsigned depth) { // int
    if (depth == 0)
      return pick({"i", "j", "3", "-1", "100", "-128", style.narrow ? "int(h)" : "j", "int(x)"});
    auto sub = [&] { return signedNumber(depth - 1); };
    switch (below(8)) {
    case 0:
      return "(" + sub() + pick({" + ", " - ", " * "}) + sub() + ")";
    case 1:
      return "(" + sub() + (style.defined ? " / " : pick({" / ", " % "})) +
             pick({"3", "-3", "16", style.defined ? "5" : "i"}) + ")";
    case 2:
      return "(" + sub() + pick({" >> ", " << "}) + std::to_string(below(5)) + ")";
    case 3:
      return pick({"min", "max"}) + "(" + sub() + ", " + sub() + ")";
    case 4:
      return pick({"abs(", "sign(", "-(", "~("}) + sub() + ")";
    case 5:
      return "clamp(" + sub() + ", -20, " + pick({"5", "100", style.defined ? "7" : "j"}) + ")";
    case 6:
      return pick(style.narrow ? Words{"int(int8_t(", "int(int16_t(", "int(h * int16_t("}
                               : Words{"(~(", "(-("}) +
             sub() + "))";
    default:
      return "int(" + number(depth - 1) + ")";
    }
  }

  std::string condition(unsigned depth) {
    if (depth != 0)
      switch (below(5)) {
      case 0:
        return "(" + condition(depth - 1) + " && " + condition(depth - 1) + ")";
      case 1:
        return "(" + condition(depth - 1) + " || " + condition(depth - 1) + ")";
      case 2:
        return "(!" + condition(depth - 1) + ")";
      case 3:
        return "(" + pick({"any", "all"}) + "(" + pick({"lessThan", "greaterThanEqual", "equal"}) +
               "(uvec2(" + number(1) + ", " + variable() + "), uvec2(" + literal() + ", " +
               literal() + "))))";
      default:
        break;
      }
    std::string op = pick({" < ", " <= ", " > ", " >= ", " == ", " != "});
    if (below(3) == 0)
      return "(" + signedNumber(1) + op + pick({"0", "5", "-3", "100", "j", "i"}) + ")";
    return "(" + (below(2) ? variable() : number(1)) + op + (below(2) ? literal() : number(1)) +
           ")";
  }

  void assign(std::string &text) {
    const uint64_t kind = below(9);
    switch (!style.narrow && (kind == 2 || kind == 3) ? 0 : kind) {
    case 0:
    case 1:
      text += pick({"i", "j"}) + " = " + signedNumber(2) + ";\n";
      break;
    case 2:
      text += "c = uint8_t(" + number(1) + ");\n";
      break;
    case 3:
      text += "h = int16_t(" + signedNumber(1) + ");\n";
      break;
    case 4:
      text += "if " + condition(2) + " " + variable() + " = " + number(1) + ";\n";
      break;
    default:
      text += variable() + " = " + number(2) + ";\n";
    }
  }

  void loop(std::string &text, unsigned budget, unsigned depth) {
    const std::string k = "k" + std::to_string(counters++);
    const unsigned kind = static_cast<unsigned>(below(6));
    auto counted = [&](const std::string &type, const std::string &from, const std::string &test,
                       const std::string &to, const std::string &step) {
      text += "for (" + type + " " + k + " = " + from + "; " + k + test + to + "; " + k + step +
              ") {\n" + fuel() + "z = uint(" + k + ") + " + std::to_string(below(3)) + "u;\n";
      if (below(3) == 0) // the counter changes twice
        text += "if " + condition(1) + " " + k + pick({" += 2", " -= 1", " = 3"}) + ";\n";
    };
    switch (kind) {
    case 0:
      counted("uint", pick({"0", "x", "y", "3", "200"}), pick({" < ", " <= ", " != "}), literal(),
              pick({" += 1", " += 1", " += 2", " += 3", " += 24", " += x"}));
      break;
    case 1:
      counted("uint", pick({"64", "100", "128", "x"}), pick({" > ", " >= ", " != "}),
              pick({"0", "1", "2"}), pick({" >>= 1", " /= 2", " -= 1", " -= 3"}));
      break;
    case 2:
      counted("uint", pick({"1", "2"}), " < ", literal(), pick({" <<= 1", " *= 2", " *= 3"}));
      break;
    case 3:
      counted("int", pick({"-5", "0", "int(x)", "100"}), pick({" < ", " > "}),
              pick({"10", "-3", "j", "40"}), pick({" += 1", " -= 1", " += 7", " >>= 1", " /= 3"}));
      break;
    default:
      text += (kind == 4 ? "while " + condition(1) : std::string("do")) + " {\n" + fuel();
      text += variable() + " = " + number(1) + ";\n";
    }
    block(text, budget, depth + 1);
    if (below(3) == 0)
      text += "if " + condition(1) + pick({" break", " continue"}) + ";\n";
    text += kind == 5 ? "} while " + condition(1) + ";\n" : "}\n";
  }

  void block(std::string &text, unsigned budget, unsigned depth) {
    for (unsigned count = 1 + below(3); count != 0 && budget != 0; --count, --budget) {
      if (depth >= 3 || below(2) == 0) {
        assign(text);
        continue;
      }
      switch (below(4)) {
      case 0:
        text += "if " + condition(2) + " {\n";
        block(text, budget / 2, depth + 1);
        text += "} else {\n";
        block(text, budget / 2, depth + 1);
        text += "}\n";
        break;
      case 1:
        text += "switch (" + (below(2) ? variable() : number(1)) + ") {\ncase 0u:\n";
        block(text, budget / 2, depth + 1);
        text += below(2) ? "break;\ncase 5u: case 7u:\n" : "case 5u: case 7u:\n";
        block(text, budget / 2, depth + 1);
        text += "break;\ndefault:\n";
        block(text, budget / 2, depth + 1);
        text += "break;\n}\n";
        break;
      default:
        loop(text, budget / 2, depth);
      }
    }
  }

  Numbers &random;
  const RangeKernelStyle style;
  unsigned counters = 0;
};

} // namespace

std::string rangeKernel(Numbers &random, const RangeKernelStyle &style) {
  return Writer(random, style).kernel();
}

} // namespace tailor
