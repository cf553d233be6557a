//===- interpreter/SharedKernelGenerator.cpp --------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "SharedKernelGenerator.h"

#include "../differential/KernelGenerator.h"

#include <cstring>

namespace tailor::interp {

namespace {

using differential::Random;

constexpr const char *kSubgroupExtensions =
    "#extension GL_KHR_shader_subgroup_arithmetic : require\n"
    "#extension GL_KHR_shader_subgroup_ballot : require\n"
    "#extension GL_KHR_shader_subgroup_vote : require\n"
    "#extension GL_KHR_shader_subgroup_shuffle : require\n";

class Writer {
public:
  Writer(Random &random, const Dim3 &size)
      : random(random), count(static_cast<uint32_t>(size.product())), size(size),
        atomics(random.chance(40)), subgroups(random.chance(30)) {}

  std::string kernel() {
    const std::string body = uniformBlock(3, 6 + random.below(4));
    const std::string dims = "local_size_x = " + number(size.x) +
                             ", local_size_y = " + number(size.y) +
                             ", local_size_z = " + number(size.z);
    return std::string("#version 450\n") + (subgroups ? kSubgroupExtensions : "") + "layout(" +
           dims + R"() in;
layout(push_constant) uniform P { uint p0, p1, p2, p3; } p;
layout(set = 0, binding = 0) buffer A { uint a[]; };
layout(set = 0, binding = 1) readonly buffer B { uint b[]; };
layout(set = 0, binding = 2) buffer C { uint counters[]; };
shared uint tile[)" +
           number(count) + R"(];
shared uint flag, total;
)" + functions +
           R"(void main() {
  const uint lid = gl_LocalInvocationIndex;
  const uint group = (gl_WorkGroupID.z * gl_NumWorkGroups.y + gl_WorkGroupID.y) * gl_NumWorkGroups.x
                     + gl_WorkGroupID.x;
  const uint first = group * )" +
           number(count) + R"(u;
  const uint self = first + lid;
  uint s0 = lid, s1 = p.p0, s2 = gl_GlobalInvocationID.x, s3 = 0u;
  uint u0 = p.p1, u1 = gl_WorkGroupID.x, u2 = 3u, u3 = p.p2;
  tile[lid] = 0u;
)" + body + R"(
  a[self * 4u + 3u] = s0 + 3u * s1 + 5u * s2 + 7u * s3 + u0 + u1 + u2 + u3;
}
)";
  }

private:
  static std::string number(uint32_t value) { return std::to_string(value); }
  std::string literal(uint32_t limit) { return number(random.below(limit)) + "u"; }
  std::string fresh(const char *stem) { return stem + number(names++); }

  // --- expressions ---

  std::string operation(const std::string &x, const std::string &y) {
    static const char *const kinds[] = {"+", "-", "*", "^", "&", "|"};
    switch (random.below(10)) {
    case 0:
      return "(" + x + " >> " + literal(8) + ")";
    case 1:
      return "(" + x + " % " + number(1 + random.below(20)) + "u)";
    case 2:
      return "(" + x + " / " + number(1 + random.below(20)) + "u)";
    case 3:
      return std::string(random.chance(50) ? "min(" : "max(") + x + ", " + y + ")";
    default:
      return "(" + x + " " + kinds[random.below(6)] + " " + y + ")";
    }
  }

  /// The same for a workgroup.
  std::string uniform(unsigned depth) {
    if (depth != 0 && random.chance(60))
      return operation(uniform(depth - 1), uniform(depth - 1));
    const std::string axis(1, kAxisName[random.below(3)]);
    switch (random.below(12)) {
    case 0:
      return literal(64);
    case 1:
    case 2:
      return "p.p" + number(random.below(4));
    case 3:
      return "gl_WorkGroupID." + axis;
    case 4:
      return "gl_NumWorkGroups." + axis;
    case 5:
      return depth != 0 ? "b[" + uniform(depth - 1) + " & 63u]" : "group";
    case 6: // these take a proof
      return "(gl_GlobalInvocationID.x / " + number(size.x) + "u)";
    case 7:
      return "((lid + " + (depth != 0 ? uniform(depth - 1) : literal(9)) + ") - lid)";
    default:
      return random.pick(uniforms);
    }
  }

  std::string any(unsigned depth) {
    if (depth != 0 && random.chance(60))
      return operation(any(depth - 1), any(depth - 1));
    const std::string axis(1, kAxisName[random.below(3)]);
    switch (random.below(10)) {
    case 0:
      return "lid";
    case 1:
      return "gl_LocalInvocationID." + axis;
    case 2:
      return "gl_GlobalInvocationID." + axis;
    case 3:
      return depth != 0 ? "b[" + any(depth - 1) + " & 63u]" : "self";
    case 4:
      return "tile[lid]";
    case 5:
    case 6:
      return uniform(depth);
    default:
      return random.pick(values);
    }
  }

  std::string condition(const std::string &expr) {
    return random.chance(50)
               ? "(" + expr + " & " + number(1 + random.below(3)) + "u) == " + literal(3)
               : expr + " < " + literal(40);
  }

  std::string mostlyUniform(unsigned depth) {
    return random.chance(75) ? uniform(depth) : any(depth);
  }

  std::string assignValue(const std::string &expr) {
    return "s" + number(random.below(4)) + " = " + expr + "; ";
  }
  std::string assignUniform(const std::string &expr) {
    return "u" + number(random.below(4)) + " = " + expr + "; ";
  }

  // --- statements of invocations on their own ---

  std::string block(unsigned depth, unsigned statements) {
    std::string text;
    for (unsigned at = 0; at < statements; ++at)
      text += statement(depth);
    return text;
  }

  std::string subgroupOperation() {
    static const char *const kinds[] = {"subgroupAdd",          "subgroupMax",
                                        "subgroupInclusiveAdd", "subgroupExclusiveXor",
                                        "subgroupOr",           "subgroupBroadcastFirst"};
    const std::string value = random.chance(70) ? any(1) : uniform(1);
    switch (random.below(6)) {
    case 0:
      return "subgroupBallot(" + condition(value) + ").x";
    case 1:
      return "(subgroupAny(" + condition(value) + ") ? 1u : 2u)";
    case 2:
      return "(subgroupElect() ? 1u : gl_SubgroupID)";
    case 3:
      return "(gl_SubgroupSize + gl_SubgroupInvocationID * " + literal(2) + ")";
    default:
      return std::string(kinds[random.below(6)]) + "(" + value + ")";
    }
  }

  std::string statement(unsigned depth) {
    if (subgroups && random.chance(25))
      return assignValue(subgroupOperation());
    switch (random.below(depth == 0 ? 7 : 12)) {
    case 0:
    case 1:
      return assignValue(any(2));
    case 2:
      return "tile[lid] = " + any(2) + "; ";
    case 3:
      return assignValue(atomics ? "atomicAdd(counters[" + any(1) + " & 3u], " + any(0) + " & 7u)"
                                 : any(1));
    case 4:
      return vector();
    case 5:
      return cancelled();
    case 6:
      return assignValue(comparison());
    case 7:
    case 8:
      return "if (" + condition(any(2)) + ") { " + block(depth - 1, 2) + "}" +
             (random.chance(50) ? " else { " + block(depth - 1, 1) + "} " : " ");
    case 9:
      return loop(depth);
    case 10:
      return array(mostlyUniform(1), mostlyUniform(1));
    default:
      return call();
    }
  }

  /// Of two sums that have the local id in them, and may wrap.
  std::string comparison() {
    static const char *const kinds[] = {" < ", " <= ", " == ", " != ", " > "};
    const std::string large = random.chance(50) ? "4294967290u + " : "";
    return "((lid + (" + large + uniform(1) + ")" + kinds[random.below(5)] + "lid + " +
           (random.chance(50) ? "(" + uniform(1) + " & 15u)" : literal(20)) +
           ") ? 1u : " + literal(9) + ")";
  }

  /// What a loop that invocations leave at different times left behind, with ids that cancel out.
  std::string cancelled() {
    const std::string w = fresh("w"), i = fresh("i"), ids = "lid * " + literal(5);
    return "uint " + w + " = " + uniform(1) + "; for (uint " + i + " = 0u; " + i + " < (" + any(1) +
           " & 3u); ++" + i + ") " + w + " = " + w + " * " + w + " + " + uniform(1) + "; " +
           assignValue("(" + w + " + " + ids + ") - " + ids);
  }

  std::string loop(unsigned depth) {
    const std::string i = fresh("i");
    std::string text =
        "for (uint " + i + " = 0u; " + i + " < (" + any(1) + " & 3u); ++" + i + ") { ";
    values.push_back(i);
    if (random.chance(40))
      text += "if (" + condition(any(1)) + ") continue; ";
    text += block(depth - 1, 2);
    if (random.chance(40))
      text += "if (" + condition(any(1)) + ") break; ";
    values.pop_back();
    return text + "} ";
  }

  std::string vector() {
    const std::string q = fresh("q");
    std::string text = "uvec4 " + q + " = uvec4(" + any(1) + ", " + uniform(1) + ", " + any(0) +
                       ", " + uniform(1) + "); ";
    static const char *const swizzles[] = {".wzyx", ".xxyy", ".yxwz", ".yyww"};
    text += q + " = " + q + swizzles[random.below(4)] + " * 3u + " + q + "; ";
    if (random.chance(50))
      text += q + ".y = " + uniform(1) + "; ";
    return text + assignValue(q + "." + std::string(1, "xyzw"[random.below(4)]));
  }

  std::string array(const std::string &index, const std::string &value) {
    const std::string t = fresh("t");
    std::string text = "uint " + t + "[4]; for (int k = 0; k < 4; ++k) " + t +
                       "[k] = " + uniform(1) + "; " + t + "[" + index + " & 3u] = " + value + "; ";
    if (random.chance(50))
      text += "if (" + condition(random.chance(50) ? any(1) : uniform(1)) + ") " + t + "[" +
              uniform(0) + " & 3u] = " + uniform(1) + "; ";
    return text + assignValue(t + "[" + mostlyUniform(1) + " & 3u]");
  }

  std::string call() {
    const std::string f = fresh("f");
    functions += "uint " + f + "(uint x, uint y) { if ((x & 3u) == " + literal(4) +
                 ") return y; for (uint k = 0u; k < 3u; ++k) if (k * 2u > (y & 7u)) return x + k; "
                 "return x * y; }\n";
    return assignValue(f + "(" + (random.chance(50) ? any(1) : uniform(1)) + ", " + uniform(1) +
                       ")");
  }

  // --- statements of a workgroup together ---

  std::string uniformBlock(unsigned depth, unsigned statements) {
    std::string text;
    for (unsigned at = 0; at < statements; ++at)
      text += "  " + uniformStatement(depth) + "\n";
    return text;
  }

  std::string uniformStatement(unsigned depth) {
    switch (random.below(depth == 0 ? 8 : 14)) {
    case 0:
      return assignUniform(uniform(2));
    case 1:
    case 2:
      return exchange();
    case 3:
      return "if (lid == " + uniform(1) + " % " + number(count) + "u) flag = " + leaderValue() +
             "; barrier(); " + assignUniform("flag") + "barrier(); ";
    case 4:
      return "if (lid == 0u) total = 0u; barrier(); atomicAdd(total, " + any(1) + "); barrier(); " +
             assignUniform("total") + "barrier(); ";
    case 5:
      return exchangeThroughBuffer();
    case 6:
    case 7:
      return statement(2);
    case 8:
    case 9:
      return "if (" + condition(uniform(2)) + ") {\n" + uniformBlock(depth - 1, 2) + "}" +
             (random.chance(50) ? " else {\n" + uniformBlock(depth - 1, 1) + "} " : " ");
    case 10:
    case 11:
      return uniformLoop(depth);
    case 12:
      return "switch (" + uniform(1) + " & 3u) { case 0u:\n" + uniformBlock(depth - 1, 1) +
             "break; case 1u: case 2u:\n" + uniformBlock(depth - 1, 1) + "break; default: break; }";
    default:
      return loopFromLocalId(depth);
    }
  }

  std::string leaderValue() {
    return random.chance(40) ? "atomicAdd(counters[" + literal(4) + "], 1u)" : any(2);
  }

  std::string exchange() {
    std::string text = "tile[lid] = " + any(2) + "; barrier(); ";
    if (random.chance(70))
      text += assignValue("tile[" + any(1) + " % " + number(count) + "u]");
    if (random.chance(70))
      text += assignUniform("tile[" + uniform(1) + " % " + number(count) + "u]");
    return text + "barrier(); ";
  }

  /// Through elements of the workgroup's own.
  std::string exchangeThroughBuffer() {
    const std::string slot = literal(3);
    auto element = [&](const std::string &index) {
      return "a[(first + " + index + " % " + number(count) + "u) * 4u + " + slot + "]";
    };
    std::string text = "a[self * 4u + " + slot + "] = " + any(2) +
                       "; memoryBarrierBuffer(); barrier(); " + assignUniform(element(uniform(1)));
    if (random.chance(50))
      text += assignValue(element(any(1)));
    return text + "barrier(); ";
  }

  std::string uniformLoop(unsigned depth) {
    const std::string i = fresh("i");
    std::string text =
        "for (uint " + i + " = 0u; " + i + " < (" + uniform(1) + " & 3u); ++" + i + ") {\n";
    // What a turn changes must not lengthen the loop for ever: the bound is under 4.
    uniforms.push_back(i);
    if (random.chance(30))
      text += "if (" + condition(uniform(1)) + ") continue; ";
    text += uniformBlock(depth - 1, 2);
    if (random.chance(30))
      text += "if (" + condition(uniform(1)) + ") break; ";
    uniforms.pop_back();
    return text + "} ";
  }

  std::string loopFromLocalId(unsigned depth) {
    const std::string j = fresh("j");
    const uint32_t step = count * (1 + random.below(2));
    const std::string end =
        random.chance(50) ? number(3 * step) + "u" : number(3 * count) + "u + lid";
    std::string text = "for (uint " + j + " = lid; " + j + " < " + end + "; " + j +
                       " += " + number(step) + "u) {\n";
    // From lid to a multiple of the step, or to lid plus something: equally often for all.
    values.push_back(j);
    text += uniformBlock(depth - 1, 2);
    values.pop_back();
    return text + "} ";
  }

  Random &random;
  const uint32_t count; ///< invocations of a workgroup
  const Dim3 size;
  /// Invocations choose by what atomics tell them: then an analysis trusts no memory in kernels
  /// that have fences, so most do not.
  const bool atomics;
  const bool subgroups;
  std::vector<std::string> uniforms = {"u0", "u1", "u2", "u3", "group"};
  std::vector<std::string> values = {"s0", "s1", "s2", "s3", "self"};
  std::string functions;
  unsigned names = 0;
};

void setWords(Inputs &inputs, uint32_t binding, const std::vector<uint32_t> &words) {
  std::vector<std::byte> &data = inputs.resources[{0, binding, 0}].data;
  data.resize(4 * words.size());
  std::memcpy(data.data(), words.data(), data.size());
}

} // namespace

SharedKernel generateSharedKernel(uint64_t seed) {
  Random random(seed ^ 0x5eed);
  static const Dim3 sizes[] = {{8, 1, 1}, {16, 1, 1}, {4, 4, 1}, {2, 2, 2}, {1, 8, 1},
                               {6, 1, 1}, {3, 1, 4},  {1, 1, 1}, {32, 1, 1}};
  static const Dim3 counts[] = {{2, 2, 1}, {3, 1, 1}, {1, 2, 2}, {2, 1, 2}, {2, 2, 2}};
  SharedKernel kernel;
  kernel.size = sizes[random.below(std::size(sizes))];
  kernel.groups = counts[random.below(std::size(counts))];
  kernel.glsl = Writer(random, kernel.size).kernel();

  const auto total = static_cast<uint32_t>(kernel.size.product() * kernel.groups.product());
  kernel.inputs.numWorkgroups = kernel.groups;
  kernel.inputs.subgroupSize = 1u << (1 + random.below(4));
  setWords(kernel.inputs, 0, std::vector<uint32_t>(size_t{4} * total));
  std::vector<uint32_t> constants(64);
  for (uint32_t &word : constants)
    word = random.below(100);
  setWords(kernel.inputs, 1, constants);
  setWords(kernel.inputs, 2, {5, 0, 9, 1});
  const uint32_t host[4] = {random.below(9), random.below(70), random.below(4), random.below(1000)};
  kernel.inputs.pushConstants.resize(sizeof host);
  std::memcpy(kernel.inputs.pushConstants.data(), host, sizeof host);
  return kernel;
}

} // namespace tailor::interp
