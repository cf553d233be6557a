//===- differential/ExpressionWriter.cpp - Ids and values of kernels ------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "KernelGenerator.h"

namespace tailor::differential {

static std::string literal(uint32_t value) { return std::to_string(value) + "u"; }

/// Spellings that are the global id only by luck, or not at all.
static std::string wrongId(KernelContext &context, unsigned axis) {
  const std::string x(1, kAxisName[axis]), y(1, kAxisName[(axis + 1) % 3]);
  const std::string w = "gl_WorkGroupID." + x, l = "gl_LocalInvocationID." + x;
  const uint32_t size = context.authored[axis];
  // Where sizes are 1 these would be other ids, and a kernel of them would race: two invocations
  // with one address.
  const bool both = size > 1 && context.authored[(axis + 1) % 3] > 1;
  if (size == 1)
    return "(gl_GlobalInvocationID." + x + " % gl_NumWorkGroups." + x + ")";
  switch (context.random.below(both ? 8 : 6)) {
  case 0:
    return "(" + w + " * " + literal(size + 1) + " + " + l + ")";
  case 1:
    return "(" + w + " * " + literal(size == 1 ? 2 : size / 2) + " + " + l + ")";
  case 2:
    return l;
  case 3:
    return w;
  case 4:
    return "gl_LocalInvocationIndex";
  case 5:
    return "(gl_GlobalInvocationID." + x + " % gl_NumWorkGroups." + x + ")";
  case 6:
    return "(gl_WorkGroupID." + y + " * " + literal(size) + " + " + l + ")";
  default:
    return "(" + w + " * " + literal(size) + " + gl_LocalInvocationID." + y + ")";
  }
}

std::string globalId(KernelContext &context, unsigned axis) {
  const std::string x(1, kAxisName[axis]);
  const std::string w = "gl_WorkGroupID." + x, l = "gl_LocalInvocationID." + x;
  const uint32_t size = context.authored[axis];
  const std::string s =
      context.specialized || context.random.chance(40) ? "gl_WorkGroupSize." + x : literal(size);
  if (context.dirt != 0 && context.random.chance(30)) {
    --context.dirt;
    return wrongId(context, axis);
  }
  switch (context.random.below(15)) {
  case 0:
    return "(" + w + " * " + s + " + " + l + ")";
  case 1:
    return "(" + l + " + " + s + " * " + w + ")";
  case 2:
    if (!context.specialized && (size & (size - 1)) == 0) {
      unsigned shift = 0;
      while ((1u << shift) != size)
        ++shift;
      return "((" + w + " << " + literal(shift) + ") + " + l + ")";
    }
    break;
  case 3:
    return "(gl_WorkGroupID * gl_WorkGroupSize + gl_LocalInvocationID)." + x;
  case 4:
    return "uint(int(" + w + ") * int(" + s + ") + int(" + l + "))";
  case 5: // the index, where it is the local id
    if (axis == 0 && context.authored[1] == 1 && context.authored[2] == 1)
      return "(" + w + " * " + s + " + gl_LocalInvocationIndex)";
    break;
  case 6: {
    std::string name = context.fresh("id");
    context.preamble +=
        "uint " + name + "(uint group, uint lane) { return group * " + s + " + lane; }\n";
    return name + "(" + w + ", " + l + ")";
  }
  case 7:
    return "(" + w + " * " + s + " - (0u - " + l + "))";
  case 8:
    return "(" + w + " * " + literal(2) + " * " + s + " + " + l + " - " + w + " * " + s + ")";
  case 9:
    return "gl_GlobalInvocationID.zyx." + std::string(1, kAxisName[2 - axis]);
  case 10:
    return "uvec4(7u, gl_GlobalInvocationID)[" + std::to_string(axis + 1) + "]";
  case 11:
    if (size == 1)
      return context.random.chance(50) ? w : "(" + w + " + " + l + ")";
    break;
  default:
    break;
  }
  return "gl_GlobalInvocationID." + x;
}

static std::string leaf(KernelContext &context) {
  Random &random = context.random;
  if (context.dirt != 0 && random.chance(15)) {
    --context.dirt;
    return random.pick<std::string>({"gl_LocalInvocationIndex", "gl_LocalInvocationID.x",
                                     "gl_WorkGroupID.y", "gl_NumWorkGroups.x",
                                     "gl_LocalInvocationID.z"});
  }
  if (context.readsBefore && random.chance(20))
    return "before";
  if (context.pure)
    return random.pick<std::string>({"gx", "gy", "gz", "index", "p.stride", "u.first.z",
                                     literal(random.below(9)), literal(random.below(4096))});
  return random.pick<std::string>({"gx", "gy", "gz", "index", "p.stride", "p.rows", "u.first.z",
                                   "r[1]", "uint(u.second.y)", literal(random.below(9)),
                                   literal(random.below(4096)), "b[index]",
                                   "b[(gx + 3u) % p.count]"});
}

std::string valueExpr(KernelContext &context, unsigned depth) {
  Random &random = context.random;
  if (depth == 0 || random.chance(15))
    return leaf(context);
  auto sub = [&] { return valueExpr(context, depth - 1); };
  // The operands are written in this order, whatever order the compiler calls in.
  std::string a = sub(), c = sub();
  switch (random.below(14)) {
  case 0:
    return "(" + a + " - " + c + ")";
  case 1:
    return "(" + a + " * " + c + ")";
  case 2:
    return "(" + a + " ^ " + c + ")";
  case 3:
    return "(" + a + " / (" + c + " | 1u))";
  case 4:
    return "(" + a + " % " + literal(1 + random.below(17)) + ")";
  case 5:
    return "(" + a + " >> " + literal(random.below(7)) + ")";
  case 6:
    return "(" + a + " << " + literal(random.below(7)) + ")";
  case 7:
    return "(" + a + " < " + c + " ? " + sub() + " : " + a + ")";
  case 8:
    return "min(" + a + ", " + c + ")";
  case 9:
    return "uint(max(int(" + a + "), int(" + c + ")))";
  case 10:
    return "uvec3(" + a + ", " + c + ", gx).yzx." + std::string(1, kAxisName[random.below(3)]);
  case 11:
    return "bitfieldExtract(" + a + ", 3, 9)";
  case 12:
    return "(floatBitsToUint(float(" + a + " & 0xffffu)) + " + c + ")";
  default:
    return "(" + a + " + " + c + ")";
  }
}

} // namespace tailor::differential
