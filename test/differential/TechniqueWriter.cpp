//===- differential/TechniqueWriter.cpp - Invocations on their own ---------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TechniqueWriter.h"

namespace tailor::differential {

using Kind = KernelStyle::Kind;

static std::string text(uint64_t value) { return std::to_string(value) + "u"; }

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

std::string TechniqueWriter::lid() {
  const std::string sx = random.chance(70) ? text(size.x) : "gl_WorkGroupSize.x";
  switch (random.below(4)) {
  case 0:
    return "(L.x + " + sx + " * (L.y + " + text(size.y) + " * L.z))";
  case 1:
    return "((Q.x - G.x * " + sx + ") + L.y * " + sx + " + L.z * " +
           text(uint64_t{size.x} * size.y) + ")";
  default:
    return "I";
  }
}

std::string TechniqueWriter::self() {
  const std::string width = text(uint64_t{size.x} * groups.x);
  const std::string plane = text(uint64_t{size.x} * groups.x * size.y * groups.y);
  if (style.kind == Kind::Global || random.chance(20))
    return "(Q.x + Q.y * " + width + " + Q.z * " + plane + ")";
  if (random.chance(20))
    return "((G.x * " + text(size.x) + " + L.x) + (G.y * " + text(size.y) + " + L.y) * " + width +
           " + (L.z + G.z * " + text(size.z) + ") * " + plane + ")";
  return "place";
}

std::string TechniqueWriter::operation(const std::string &x, const std::string &y) {
  static const char *const kinds[] = {"+", "-", "*", "^", "&", "|"};
  switch (random.below(12)) {
  case 0:
    return "(" + x + " >> " + literal(8) + ")";
  case 1:
    return "(" + x + " % " + text(1 + random.below(20)) + ")";
  case 2:
    return "(" + x + " / " + text(1 + random.below(20)) + ")";
  case 3:
    return std::string(random.chance(50) ? "min(" : "max(") + x + ", " + y + ")";
  case 4:
    return "uint(int(" + x + ") " + (random.chance(50) ? ">> " + literal(9) : "* 3") + ")";
  case 5:
    return "(" + condition(x) + " ? " + y + " : " + x + ")";
  default:
    return "(" + x + " " + kinds[random.below(6)] + " " + y + ")";
  }
}

std::string TechniqueWriter::sameForDispatch(unsigned depth) {
  if (depth != 0 && random.chance(50))
    return operation(sameForDispatch(depth - 1), sameForDispatch(depth - 1));
  switch (random.below(7)) {
  case 0:
    return literal(64);
  case 1:
    return style.counts ? std::string("C.") + kAxisName[random.below(3)] : literal(9);
  case 2:
    return depth != 0 ? "b[" + sameForDispatch(depth - 1) + " & 63u]" : "p.p3";
  case 3:
    return random.pick(dispatchValues);
  default:
    return "p.p" + std::to_string(random.below(4));
  }
}

std::string TechniqueWriter::sameForGroup(unsigned depth) {
  if (style.kind == Kind::Global)
    return sameForDispatch(depth);
  if (depth != 0 && random.chance(55))
    return operation(sameForGroup(depth - 1), sameForGroup(depth - 1));
  switch (random.below(10)) {
  case 0:
  case 1:
    return std::string("G.") + kAxisName[random.below(3)];
  case 2:
    return sameForDispatch(depth);
  case 3:
    return "group";
  case 4:
    return depth != 0 ? "b[" + sameForGroup(depth - 1) + " & 63u]" : literal(30);
  case 5:
    return "(Q.x / " + text(size.x) + ")";
  case 6:
    return "((I + " + sameForGroup(0) + ") - I)";
  default:
    return random.pick(groupValues);
  }
}

std::string TechniqueWriter::any(unsigned depth) {
  if (depth != 0 && random.chance(60))
    return operation(any(depth - 1), any(depth - 1));
  const std::string axis(1, kAxisName[random.below(3)]);
  const bool local = style.kind != Kind::Global;
  switch (random.below(11)) {
  case 0:
    return local ? lid() : "Q." + axis;
  case 1:
    return (local ? "L." : "Q.") + axis;
  case 2:
    return "Q." + axis;
  case 3:
    return depth != 0 ? "b[" + any(depth - 1) + " & 63u]" : self();
  case 4:
    return style.kind == Kind::Meeting ? "tile[I]" : random.pick(values);
  case 5:
    return sameForGroup(depth);
  case 6:
    return local
               ? "(" + lid() + (random.chance(50) ? " / " : " % ") + text(1 + random.below(9)) + ")"
               : "(Q." + axis + " / " + text(1 + random.below(9)) + ")";
  default:
    return random.pick(values);
  }
}

std::string TechniqueWriter::condition(const std::string &value) {
  switch (random.below(4)) {
  case 0:
    return value + " < " + literal(40);
  case 1:
    return "int(" + value + ") > " + std::to_string(random.below(20));
  default:
    return "(" + value + " & " + text(1 + random.below(3)) + ") == " + literal(3);
  }
}

std::string TechniqueWriter::assign(const std::string &value) {
  return "s" + std::to_string(random.below(4)) + " = " + value + "; ";
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

std::string TechniqueWriter::numbered(const std::function<std::string()> &write) {
  if (budget == 0)
    return "";
  --budget;
  const unsigned number = statements++;
  std::string written = write();
  return dropped.contains(number) ? "" : written + "\n";
}

std::string TechniqueWriter::block(unsigned depth, unsigned length) {
  std::string all;
  for (unsigned at = 0; at < length; ++at)
    all += numbered([&] { return statement(depth); });
  return all;
}

std::string TechniqueWriter::statement(unsigned depth) {
  return depth == 0 || random.chance(45) ? simple() : structured(depth);
}

std::string TechniqueWriter::simple() {
  switch (random.below(12)) {
  case 0:
    return ownSlot();
  case 1:
    return style.atomics ? atomic() : assign(any(2));
  case 2:
    return vector();
  case 3:
    return cancelled();
  case 4:
    return style.images ? image() : assign(any(2));
  case 5:
    return array();
  case 6:
    return widths();
  case 7:
    return style.privates ? "counter += " + any(1) + "; bank[" + any(1) + " % 5u] ^= counter; " +
                                assign("bank[" + any(0) + " % 5u]")
                          : assign(any(1));
  case 8:
    return call();
  case 9:
    return "if (" + condition(any(1)) + (random.chance(50) ? " && " : " || ") + condition(any(1)) +
           ") " + assign(any(1));
  default:
    return assign(any(2));
  }
}

std::string TechniqueWriter::structured(unsigned depth) {
  switch (random.below(returns || inLoops != 0 ? 7 : 5)) {
  case 0:
  case 1:
    return "if (" + condition(any(2)) + ") {\n" + block(depth - 1, 2) + "}" +
           (random.chance(50) ? " else {\n" + block(depth - 1, 1) + "} " : " ");
  case 2:
  case 3:
    return loop(depth);
  case 4:
    return choice(depth);
  default:
    if (inLoops != 0 && random.chance(50))
      return "if (" + condition(any(1)) + ") " + (random.chance(50) ? "break; " : "continue; ");
    return returns ? earlyReturn() : assign(any(1));
  }
}

std::string TechniqueWriter::earlyReturn() {
  return "if (" + condition(any(2)) + ") { a[" + self() + " * 4u + " + literal(3) +
         "] = " + any(1) + "; return; } ";
}

std::string TechniqueWriter::loop(unsigned depth) {
  const std::string i = fresh("i");
  const std::string bound = "(" + (random.chance(70) ? any(1) : sameForGroup(1)) + " & 3u)";
  const bool isDo = random.chance(25);
  // Values of the last turn that are used behind the loop: both devices here were seen to take
  // those of other invocations' later turns where the end of the body is the only way out. So there
  // is another.
  std::string all = isDo ? "uint " + i + " = 0u; do { if (p.zero > 0u) break;\n"
                         : "for (uint " + i + " = 0u; " + i + " < " + bound + "; ++" + i + ") {\n";
  values.push_back(i);
  ++inLoops;
  all += block(depth - 1, 2);
  --inLoops;
  values.pop_back();
  return all + (isDo ? "} while (++" + i + " < " + bound + "); " : "} ");
}

std::string TechniqueWriter::choice(unsigned depth) {
  const unsigned outer = inLoops;
  inLoops = 0; // a `continue` would do, a `break` leaves the switch
  std::string all = "switch (" + any(1) + " & 3u) {\ncase 0u: {\n" + block(depth - 1, 1) + "}" +
                    (random.chance(70) ? "break;\n" : "") + "case 1u: case 2u: {\n" +
                    block(depth - 1, 1) + "} break;\ndefault: " + assign(any(1)) + "break; } ";
  inLoops = outer;
  return all;
}

std::string TechniqueWriter::vector() {
  const std::string q = fresh("q");
  static const char *const swizzles[] = {".wzyx", ".xxyy", ".yxwz", ".yyww"};
  std::string all = "uvec4 " + q + " = uvec4(" + any(1) + ", " + sameForGroup(1) + ", " + any(0) +
                    ", " + sameForGroup(1) + "); " + q + " = " + q + swizzles[random.below(4)] +
                    " * 3u + " + q + "; ";
  if (random.chance(50))
    all += q + "[" + any(0) + " & 3u] = " + any(1) + "; ";
  return all + assign(q + "." + std::string(1, "xyzw"[random.below(4)]));
}

/// What a loop that invocations leave at different times left behind, with ids that cancel out.
std::string TechniqueWriter::cancelled() {
  const std::string w = fresh("w"), i = fresh("i");
  const std::string ids = (style.kind == Kind::Global ? "Q.x" : "I") + (" * " + literal(5));
  return "uint " + w + " = " + sameForGroup(1) + "; for (uint " + i + " = 0u; " + i + " < (" +
         any(1) + " & 3u); ++" + i + ") " + w + " = " + w + " * " + w + " + " + sameForGroup(1) +
         "; " + assign("(" + w + " + " + ids + ") - " + ids);
}

std::string TechniqueWriter::array() {
  const std::string t = fresh("t");
  std::string all = "uint " + t + "[4]; for (int k = 0; k < 4; ++k) " + t +
                    "[k] = " + sameForGroup(1) + " + uint(k); " + t + "[" + any(1) +
                    " & 3u] = " + any(1) + "; ";
  if (random.chance(50))
    all +=
        "if (" + condition(any(1)) + ") " + t + "[" + sameForGroup(0) + " & 3u] = " + any(1) + "; ";
  return all + assign(t + "[" + any(1) + " & 3u]");
}

std::string TechniqueWriter::call() {
  const std::string f = fresh("f");
  functions +=
      "uint " + f + "(uint x, uint y) { if ((x & 3u) == " + literal(4) +
      ") return y; for (uint k = 0u; k < 3u; ++k) { if (k * 2u > (y & 7u)) return x + k; " +
      (random.chance(40) ? "if ((x >> k & 1u) == 0u) continue; " : "") +
      "y = y * 3u + k; } return x * y; }\n";
  return assign(f + "(" + any(1) + ", " + sameForGroup(1) + ")");
}

std::string TechniqueWriter::ownSlot() {
  if (style.kind == Kind::Meeting && random.chance(60)) {
    if (style.records && random.chance(40))
      return "records[I].y" + std::string(random.chance(50) ? ".x" : ".y") + " = " + any(1) + "; " +
             assign("records[I].x");
    return "tile[I] = " + any(2) + "; ";
  }
  return "a[" + self() + " * 4u + " + literal(3) + "] = " + any(2) + "; ";
}

/// On elements of its own kind each: then no order shows.
std::string TechniqueWriter::atomic() {
  static const char *const kinds[] = {"Add", "Max", "Or", "Xor", "Min"};
  const unsigned kind = random.below(5);
  return std::string("atomic") + kinds[kind] + "(counters[" + text(4 * kind) + " + (" + any(1) +
         " & 3u)], " + any(1) + "); ";
}

std::string TechniqueWriter::image() {
  const std::string at = fresh("at");
  if (style.atomics && random.chance(40))
    return "imageAtomicAdd(hits, ivec2(" + any(1) + " & 3u, " + any(0) + " & 3u), " + any(1) +
           "); ";
  std::string all = "uint " + at + " = " + self() + "; ";
  if (random.chance(60))
    all += "imageStore(picture, ivec2(" + at + " & 15u, " + at + " >> 4), uvec4(" + any(1) + ")); ";
  return all + (random.chance(60)
                    ? assign("imageLoad(picture, ivec2(" + at + " & 15u, " + at + " >> 4)).x")
                    : "");
}

std::string TechniqueWriter::widths() {
  const std::string x = any(1), y = any(1);
  switch (random.below(style.wide ? 6 : 4)) {
  case 0:
    return assign("bitfieldExtract(" + x + ", " + std::to_string(random.below(9)) + ", 8)");
  case 1:
    return assign("uint(bitCount(" + x + ") + findMSB(" + y + "))");
  case 2:
    return assign("uint(bool(" + x + " & 1u)) + uint(" + y + " > 7u)");
  case 3: // exact in 24 bits
    return style.floats ? assign("uint(float(" + x + " & 255u) * 0.5 + float(" + y + " & 15u))")
                        : assign("(" + x + " << " + literal(31) + ") | (" + y + " & 0xffffu)");
  case 4:
    return assign("uint((uint64_t(" + x + ") * " + y + ") >> 7)");
  default:
    return assign("uint(uint16_t(" + x + ") + uint16_t(" + y + ")) + uint(int(int8_t(" + y + ")))");
  }
}

} // namespace tailor::differential
