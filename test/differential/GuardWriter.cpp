//===- differential/GuardWriter.cpp - Bounds checks of kernels ------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "KernelGenerator.h"

namespace tailor::differential {

/// A bound that is chosen, or a member of a structure that is passed by value. Some choices vary:
/// no proof may take them.
static std::string chosenBound(KernelContext &context, unsigned axis) {
  Random &random = context.random;
  const std::string x(1, kAxisName[axis]), n = "p.n" + x;
  const std::string name = context.fresh("bound");
  const std::string condition = random.pick<std::string>(
      {"p.zero == 0u", "p.zero != 0u", "u.first.x > p.stride && p.zero == 0u",
       "p.ix > p.iy || p.count == 3u", "!(p.rows <= p.nx)", "gx > 3u"});
  const std::string signature = "uint " + name + "(uint gx, uint gy, uint gz) { ";
  const std::string call = name + "(gx, gy, gz)";
  const std::string literal = std::to_string(context.bound[axis]) + "u";
  switch (random.below(8)) {
  case 0:
    return "(" + condition + " ? " + n + " : u.first." + x + ")";
  case 1:
    return "mix(" + n + ", " + literal + ", " + condition + ")";
  case 2:
    context.preamble += signature + "uint n; if (" + condition + ") n = " + n +
                        "; else n = u.first." + x + "; return n; }\n";
    return call;
  case 3:
    context.preamble +=
        signature + "if (" + condition + ") return " + literal + "; return " + n + "; }\n";
    return call;
  case 4: // the other side differs
    context.preamble +=
        signature + "uint n = " + n + "; if (" + condition + ") n /= 2u; return n; }\n";
    return call;
  case 5:
  case 6: { // the whole structure, and one that is put together
    context.preamble += "struct S" + name + " { uvec4 other; uvec4 n[2]; };\nuint " + name +
                        "(const S" + name + " s) { return s.n[1]." + x + "; }\n";
    return name + "(S" + name + "(uvec4(gx), uvec4[2](uvec4(gy), " +
           random.pick<std::string>({"u.first", "uvec4(p.nx, p.ny, p.nz, gz)"}) + ")))";
  }
  default: // in a loop
    context.preamble += signature + "uint n = " + n +
                        "; for (int k = 0; k < 3; ++k) if (k == int(p.zero)) n = " + literal +
                        "; return n; }\n";
    return call;
  }
}

/// The bound of the axis as a uint, from one of the places that hold it.
static std::string boundOf(KernelContext &context, unsigned axis) {
  const std::string x(1, kAxisName[axis]);
  if (context.random.chance(25))
    return chosenBound(context, axis);
  switch (context.random.below(13)) {
  case 0:
    return "u.first." + x;
  case 1:
    return "uint(u.second." + x + ")";
  case 2:
    return "r[" + std::to_string(axis + 2) + "]";
  case 3:
    return std::to_string(context.bound[axis]) + "u";
  case 4:
    return axis == 0 ? "uint(l.length())" : "p.n" + x;
  case 5:
    return axis == 2 ? "p.nz" : "uint(imageSize(sized)." + x + ")";
  case 6:
    return "min(p.n" + x + ", u.first." + x + ")";
  case 7:
    return "(p.n" + x + " * 4u >> 2u)";
  case 8:
    return "(p.n" + x + " + p.zero)";
  case 9:
    return "(p.n" + x + " - (p.zero << 3u))";
  default:
    return "p.n" + x;
  }
}

std::string insideCondition(KernelContext &context, unsigned axis) {
  const std::string x(1, kAxisName[axis]);
  const std::string g = "g" + x, bound = boundOf(context, axis);
  switch (context.random.below(26)) {
  case 0:
    return "(" + bound + " > " + g + ")";
  case 1:
    return "!(" + g + " >= " + bound + ")";
  case 2:
    return "!(" + bound + " <= " + g + ")";
  case 3:
    return "(int(" + g + ") < p.i" + x + ")";
  case 4:
    return "(int(" + g + ") <= p.i" + x + " - 1)";
  case 5:
    return "(p.i" + x + " > int(" + g + "))";
  case 6:
    return "(" + g + " + 1u <= " + bound + ")";
  case 7:
    return "(" + g + " <= " + bound + " - 1u)";
  case 8:
    return "all(lessThan(uvec2(" + g + ", gx), uvec2(" + bound + ", p.nx)))";
  case 9:
    return "!any(greaterThanEqual(ivec3(gl_GlobalInvocationID), ivec3(p.ix, p.iy, p.iz)))";
  case 10: // off by one, inside the authored grid
    return "(" + g + " <= " + bound + ")";
  case 11: // wraps below
    return "(" + g + " - 1u < " + bound + ")";
  case 12:
    return "(" + g + " == " + std::to_string(context.bound[axis] / 2) + "u)";
  case 13: // a sum that grows with the id
    return "(" + g + " * 4u < " + bound + " * 4u)";
  case 14:
    return "(" + g + " * 3u + 2u < " + bound + " * 3u)";
  case 15:
    return "(" + g + " + p.zero < " + bound + ")";
  case 16:
    return "(int(" + g + ") * int(u.second.w - 8) < p.i" + x + ")";
  case 17: // the linear index
    return axis == 0   ? "(" + g + " + 5u < " + bound + " + 5u)"
           : axis == 1 ? "(gy * p.stride + gx < p.stride * p.ny)"
                       : "((gz * p.rows + gy) * p.stride + gx < p.rows * p.stride * p.nz)";
  case 19: // a quotient
    return "(" + g + " / (p.zero + 3u) < (" + bound + " + 2u) / 3u)";
  case 20:
    return axis == 0 ? "(" + g + " / p.stride < p.nx)" : "(" + g + " / 1u < " + bound + ")";
  case 18: // of another row, where the grid is wider than that
    return axis == 1 ? "(gy * p.nx + gx < p.nx * p.ny)" : "(gx + gy * 3u < p.nx * p.ny)";
  default:
    return "(" + g + " < " + bound + ")";
  }
}

std::string readBefore(KernelContext &context) {
  switch (context.random.below(9)) {
  case 0:
    return "b[min(gx, p.nx - 1u)]";
  case 1:
    return "b[clamp(int(gx) + 1, 0, max(p.ix, 1) - 1)]";
  case 2:
    return "b[min(uint(max(int(gx) - 2, 0)), p.count - 1u)]";
  case 3:
    return "(imageLoad(sized, clamp(ivec2(gx, gy), ivec2(0), imageSize(sized) - 1)).x + "
           "b[min(gy, p.ny - 1u)])";
  case 4:
    return "b[min(gy, max(p.ny, 1u) - 1u) * p.stride + min(gx, max(p.nx, 1u) - 1u)]";
  case 5: // not clamped, though it looks so
    return "b[min(gx, b[3])]";
  case 6:
    return "b[max(gx, 0u)]";
  case 7:
    return "b[gx < p.nx ? gx : 0u]";
  default:
    return "b[min(gx * 2u, p.nx - 1u) % p.count]";
  }
}

static std::string joined(const std::vector<std::string> &parts, const char *between) {
  std::string text;
  for (const std::string &part : parts)
    text += (text.empty() ? "" : between) + part;
  return text;
}

static std::string negated(const std::string &condition) { return "!(" + condition + ")"; }

std::string guarded(KernelContext &context, const std::vector<std::string> &effects) {
  Random &random = context.random;
  std::vector<std::string> inside; // of the axes that are checked
  for (unsigned axis = 0; axis < 3; ++axis)
    if (random.chance(context.grid[axis] == 1 ? 25 : 88))
      inside.push_back(insideCondition(context, axis));
  if (inside.empty())
    inside.push_back(insideCondition(context, 0));
  const std::string all = joined(inside, " && "), body = joined(effects, "\n  ");
  std::vector<std::string> outside;
  for (const std::string &condition : inside)
    outside.push_back(negated(condition));
  const std::string some = joined(outside, " || ");
  switch (random.below(22)) {
  case 0:
    return body;
  case 1:
  case 2:
    return "if (" + some + ") return;\n  " + body;
  case 3:
  case 4: {
    std::string text;
    for (const std::string &condition : outside)
      text += "if (" + condition + ") return;\n  ";
    return text + body;
  }
  case 5: {
    std::string open, close;
    for (const std::string &condition : inside) {
      open += "if (" + condition + ") { ";
      close += "}";
    }
    return open + "\n  " + body + "\n  " + close;
  }
  case 6: {
    std::string flag = context.fresh("ok"), text = "bool " + flag + " = true;\n  ";
    for (const std::string &condition : inside)
      text += flag + " = " + flag + " && " + condition + ";\n  ";
    return text + "if (!" + flag + ") return;\n  " + body;
  }
  case 7: {
    std::string name = context.fresh("inside"), text;
    for (const std::string &condition : outside)
      text += "if (" + condition + ") return false; ";
    context.preamble +=
        "bool " + name + "(uint gx, uint gy, uint gz) { " + text + "return true; }\n";
    return random.chance(50) ? "if (" + name + "(gx, gy, gz)) {\n  " + body + "\n  }"
                             : "if (!" + name + "(gx, gy, gz)) return;\n  " + body;
  }
  case 8:
    return "do { if (" + some + ") break;\n  " + body + "\n  } while (false);";
  case 9: { // in a function that returns early
    std::string name = context.fresh("work");
    context.preamble += "void " + name + "(uint gx, uint gy, uint gz, uint index) {\n  if (" +
                        some + ") return;\n  " + body + "\n}\n";
    return name + "(gx, gy, gz, index);";
  }
  case 10:
  case 19: { // the first effect before the check
    std::vector<std::string> later(effects.begin() + 1, effects.end());
    return effects.front() + "\n  if (" + all + ") {\n  " + joined(later, "\n  ") + "\n  }";
  }
  case 11:
    return "if (" + some + ") {} else {\n  " + body + "\n  }";
  case 12:
  case 20: { // each effect under checks of its own
    std::string text;
    for (const std::string &effect : effects) {
      std::vector<std::string> own;
      for (unsigned axis = 0; axis < 3; ++axis)
        if (random.chance(context.grid[axis] == 1 ? 20 : 90))
          own.push_back(insideCondition(context, axis));
      text += own.empty() ? effect : "if (" + joined(own, " && ") + ") { " + effect + " }";
      text += "\n  ";
    }
    return text;
  }
  case 13: { // a flag that a branch decides
    std::string flag = context.fresh("ok");
    return "bool " + flag + ";\n  if (" + inside.front() + ") " + flag + " = " + inside.back() +
           "; else " + flag + " = false;\n  if (" + flag + ") {\n  " + body + "\n  }";
  }
  case 14: // the check is not always asked
    return "if (" + all + " || p.zero " + random.pick<std::string>({"!=", "=="}) + " 0u) {\n  " +
           body + "\n  }";
  case 15:
    return "switch (" + all + " ? 1 : 0) { case 1:\n  " + body + "\n  break; default: break; }";
  case 16: // the check stands in a loop
    return "for (uint turn = 0u; turn < 3u; ++turn) { if (" + some +
           ") break; if (turn != p.zero)"
           " continue;\n  " +
           body + "\n  }";
  case 17: // a loop whose head is the check
    return "for (uint at = gx; at < p.nx; at += p.stride) {\n  " + body + "\n  }";
  case 18: { // contradictory paths
    std::string flag = context.fresh("late");
    return "bool " + flag + " = false;\n  if (" + all + ") { if (p.zero == 0u) " + flag +
           " = true; }\n  if (" + flag + ") {\n  " + body + "\n  }";
  }
  default:
    return "if (" + all + ") {\n  " + body + "\n  }";
  }
}

} // namespace tailor::differential
