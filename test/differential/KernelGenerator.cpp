//===- differential/KernelGenerator.cpp - Kernels by the seed -------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "KernelGenerator.h"

#include <algorithm>
#include <cstring>

namespace tailor::differential {

namespace {

constexpr uint32_t kSpecFirst = 10; ///< SpecIds of the size: 10, 11, 12

/// One statement that others can see, under no check of its own.
class EffectWriter {
public:
  explicit EffectWriter(KernelContext &context) : context(context), random(context.random) {}

  std::string effect(unsigned depth) {
    switch (random.below(depth == 0 ? 6 : 14)) {
    case 0:
    case 1:
      return "a[index] = " + value() + ";";
    case 2:
      return "a[index + p.count] = a[index] + " + value() + ";";
    case 3:
      return "imageStore(image, ivec2(gx, gz * p.rows + gy), uvec4(" + value() + "));";
    case 4:
      return atomic();
    case 5:
      return "a[index + p.count] ^= " + value() + ";";
    case 6:
      return "if ((" + value() + " & 3u) != 0u) { " + effect(depth - 1) + " }";
    case 7: {
      std::string first = effect(depth - 1);
      return "if (" + value() + " < " + value() + ") { " + first + " } else { " +
             effect(depth - 1) + " }";
    }
    case 8:
      return loop();
    case 9:
      return "switch (" + value() + " & 3u) { case 0u: " + effect(depth - 1) +
             " break; case 1u: case 2u: " + effect(depth - 1) + " break; default: break; }";
    case 10:
      return localArray();
    case 11:
      return function();
    case 12: {
      std::string name = context.fresh("global");
      context.preamble += "uint " + name + (random.chance(50) ? " = 5u;\n" : ";\n");
      return name + " = " + value() + "; a[index] = " + name + " + 1u;";
    }
    default:
      return effect(depth - 1) + " " + effect(depth - 1);
    }
  }

private:
  std::string value() { return valueExpr(context, 1 + random.below(3)); }

  /// One kind of operation for each counter, so that their order does not matter.
  std::string atomic() {
    static const char *const kinds[] = {"Add", "Max", "Xor", "Or"};
    uint32_t kind = random.below(4);
    std::string where = value();
    return std::string("atomic") + kinds[kind] + "(h[(" + where + " & 15u) + " +
           std::to_string(kind * 16) + "u], " + value() + ");";
  }

  std::string loop() {
    std::string sum = context.fresh("sum"), i = context.fresh("i");
    std::string text = "uint " + sum + " = " + value() + "; for (uint " + i + " = 0u; " + i +
                       " < (" + value() + " & 7u); ++" + i + ") { ";
    if (random.chance(40))
      text += "if ((" + value() + " & 7u) == " + i + ") continue; ";
    text += sum + " = " + sum + " * 3u + " + value() + "; ";
    if (random.chance(40))
      text += "if ((" + sum + " & 31u) == 3u) break; ";
    if (random.chance(25))
      text += "a[index + p.count] += " + i + " + 1u; ";
    return text + "} a[index] = " + sum + ";";
  }

  std::string localArray() {
    std::string t = context.fresh("t");
    std::string text =
        "uint " + t + "[8]; for (int k = 0; k < 8; ++k) " + t + "[k] = " + value() + " + uint(k); ";
    text += t + "[" + value() + " & 7u] = " + value() + "; ";
    return text + "a[index] = " + t + "[" + value() + " & 7u];";
  }

  std::string function() {
    std::string f = context.fresh("f");
    std::string text = "uint " + f + "(uint gx, uint gy, uint gz, uint index) { ";
    text += "if ((" + value() + " & 1u) == 0u) return " + value() + "; ";
    if (random.chance(50))
      text += "for (uint k = 0u; k < 5u; ++k) if (k * 2u > (gx & 7u)) return k; ";
    context.preamble += text + "return " + value() + "; }\n";
    return "a[index] = " + f + "(gx, gy, gz, index);";
  }

  KernelContext &context;
  Random &random;
};

std::vector<std::byte> wordsAsBytes(const std::vector<uint32_t> &words) {
  std::vector<std::byte> bytes(words.size() * 4);
  std::memcpy(bytes.data(), words.data(), bytes.size());
  return bytes;
}

WorkloadBinding buffer(uint32_t binding, uint64_t words, Fill::Kind fill) {
  WorkloadBinding result;
  result.desc.binding = binding;
  result.desc.bytes = 4 * words;
  result.fill.kind = fill;
  result.fill.seed = binding;
  result.desc.output = fill == Fill::Kind::Poison || binding == 2;
  return result;
}

WorkloadBinding holding(uint32_t binding, const std::vector<uint32_t> &words) {
  WorkloadBinding result = buffer(binding, words.size(), Fill::Kind::Values);
  result.fill.values.push_back({0, wordsAsBytes(words)});
  return result;
}

WorkloadBinding image(uint32_t binding, Dim3 extent, bool output) {
  WorkloadBinding result;
  result.desc.binding = binding;
  result.desc.kind = vulkan::ResourceKind::StorageImage;
  result.desc.format = "r32ui";
  result.desc.extent = extent;
  result.desc.output = output;
  result.fill.kind = output ? Fill::Kind::Poison : Fill::Kind::Zero;
  return result;
}

Workload workloadOf(const KernelContext &context, const Dim3 &groups, const SpecMap &spec) {
  const Dim3 &grid = context.grid;
  const auto &n = context.bound;
  const uint32_t count = static_cast<uint32_t>(grid.product());
  ProblemSize size;
  size.name = "default";
  size.groups = groups;
  size.bindings.push_back(buffer(0, uint64_t{2} * count, Fill::Kind::Poison));
  size.bindings.push_back(buffer(1, count, Fill::Kind::Random));
  size.bindings.push_back(buffer(2, 64, Fill::Kind::Zero));
  WorkloadBinding uniform = holding(3, {n[0], n[1], n[2], 7, n[0], n[1], n[2], 9});
  uniform.desc.kind = vulkan::ResourceKind::UniformBuffer;
  size.bindings.push_back(uniform);
  size.bindings.push_back(holding(4, {11, 13, n[0], n[1], n[2]}));
  size.bindings.push_back(image(5, {grid[0], grid[1] * grid[2], 1}, true));
  size.bindings.push_back(buffer(6, std::max(n[0], 1u), Fill::Kind::Random));
  size.bindings.push_back(image(7, {std::max(n[0], 1u), std::max(n[1], 1u), 1}, false));
  size.pushConstants.push_back(
      {0, wordsAsBytes({n[0], n[1], n[2], grid[0], grid[1], count, n[0], n[1], n[2], 0}), {}});
  for (const auto &[id, value] : spec)
    size.specConstants[id] = {value, 4, {}};
  Workload workload;
  workload.file = "generated";
  workload.sizes.push_back(std::move(size));
  return workload;
}

const char *const kInterface = R"(
layout(push_constant) uniform P {
  uint nx, ny, nz, stride, rows, count; int ix, iy, iz; uint zero; } p;
layout(set = 0, binding = 0) buffer A { uint a[]; };
layout(set = 0, binding = 1) readonly buffer B { uint b[]; };
layout(set = 0, binding = 2) buffer H { uint h[]; };
layout(set = 0, binding = 3) uniform U { uvec4 first; ivec4 second; } u;
layout(set = 0, binding = 4) readonly buffer R { uint r[5]; };
layout(set = 0, binding = 5, r32ui) writeonly uniform uimage2D image;
layout(set = 0, binding = 6) readonly buffer L { uint l[]; };
layout(set = 0, binding = 7, r32ui) readonly uniform uimage2D sized;
)";

/// Six sizes: odd ones, some that divide the grid, powers of two.
std::vector<Dim3> chooseSizes(const KernelContext &context, uint32_t maxInvocations) {
  Random &random = context.random;
  static const std::vector<Dim3> odd = {{48, 1, 1}, {5, 3, 1},  {7, 1, 1},  {96, 2, 1}, {3, 1, 5},
                                        {1, 1, 1},  {33, 1, 1}, {1, 48, 1}, {2, 2, 7},  {13, 3, 2}};
  std::vector<Dim3> sizes;
  auto add = [&](const Dim3 &size) {
    if (size.product() <= maxInvocations && size != context.authored &&
        std::find(sizes.begin(), sizes.end(), size) == sizes.end())
      sizes.push_back(size);
  };
  for (unsigned tries = 0; tries < 40 && sizes.size() < 6; ++tries) {
    Dim3 size = random.pick(odd);
    if (tries % 3 == 1) // a divisor of the grid
      for (unsigned axis = 0; axis < 3; ++axis) {
        uint32_t n = context.grid[axis];
        do
          size[axis] = 1 + random.below(n);
        while (n % size[axis] != 0);
      }
    if (tries % 3 == 2)
      for (unsigned axis = 0; axis < 3; ++axis)
        size[axis] = 1u << random.below(axis == 0 ? 8 : axis == 1 ? 5 : 3);
    add(size);
  }
  return sizes;
}

Dim3 chooseGroups(Random &random, const Dim3 &authored) {
  Dim3 groups;
  for (unsigned axis = 0; axis < 3; ++axis)
    groups[axis] = 1 + random.below(authored[axis] > 1 ? 4 : 3);
  while (groups.product() * authored.product() > 4096) {
    unsigned largest = groups[0] >= groups[1] && groups[0] >= groups[2] ? 0
                       : groups[1] >= groups[2]                         ? 1
                                                                        : 2;
    if (groups[largest] == 1)
      break;
    groups[largest] /= 2;
  }
  return groups;
}

uint32_t chooseBound(Random &random, uint32_t grid, uint32_t size) {
  switch (random.below(10)) {
  case 0:
    return grid + 1 + random.below(2); // the grid stops short of it
  case 1:
    return grid / 2;
  case 2:
    return grid > 1 ? grid - 1 : 1;
  case 3:
    return random.below(grid + 1);
  case 4:
  case 5:
  case 6:
    return grid;
  default:
    return grid - random.below(size);
  }
}

} // namespace

GeneratedKernel generateKernel(uint64_t seed, uint32_t maxInvocations) {
  Random random(seed);
  static const std::vector<Dim3> authoredSizes = {{64, 1, 1}, {16, 16, 1}, {8, 8, 1},   {32, 4, 1},
                                                  {4, 4, 4},  {1, 1, 1},   {7, 3, 1},   {10, 1, 1},
                                                  {1, 64, 1}, {1, 1, 16},  {128, 1, 1}, {5, 5, 2},
                                                  {32, 1, 1}, {12, 1, 2},  {8, 4, 2}};
  GeneratedKernel kernel;
  kernel.authored = random.pick(authoredSizes);
  kernel.groups = chooseGroups(random, kernel.authored);
  KernelContext context{random, kernel.authored, {}, {}, false, 0, false, {}, false, 0};
  for (unsigned axis = 0; axis < 3; ++axis) {
    context.grid[axis] = kernel.authored[axis] * kernel.groups[axis];
    context.bound[axis] = chooseBound(random, context.grid[axis], kernel.authored[axis]);
  }
  context.specialized = random.chance(15);
  context.dirt = random.chance(40) ? 1 + random.below(2) : 0;
  context.pure = random.chance(40);

  std::string layout = "#version 450\nlayout(";
  for (unsigned axis = 0; axis < 3; ++axis) {
    std::string name = std::string("local_size_") + kAxisName[axis];
    layout += axis == 0 ? "" : ", ";
    if (context.specialized) {
      layout += name + "_id = " + std::to_string(kSpecFirst + axis);
      kernel.spec[kSpecFirst + axis] = kernel.authored[axis];
    } else {
      layout += name + " = " + std::to_string(kernel.authored[axis]);
    }
  }
  layout += ") in;";

  std::string ids;
  for (unsigned axis = 0; axis < 3; ++axis)
    ids += std::string("  uint g") + kAxisName[axis] + " = " + globalId(context, axis) + ";\n";
  if (random.chance(25)) {
    context.readsBefore = true;
    context.preamble = "uint before;\n" + context.preamble;
    ids += "  before = " + readBefore(context) + ";\n";
  }
  EffectWriter effects(context);
  std::vector<std::string> list;
  if (context.readsBefore)
    list.push_back("a[index] = before + 1u;");
  for (unsigned left = 1 + random.below(3); left != 0; --left)
    list.push_back(effects.effect(2));
  std::string body = guarded(context, list);
  if (context.dirt != 0 && random.chance(10))
    body = random.pick<std::string>({"barrier();", "groupMemoryBarrier();"}) + "\n  " + body;
  kernel.glsl = layout + kInterface + context.preamble + "void main() {\n" + ids +
                "  uint index = (gz * p.rows + gy) * p.stride + gx;\n  " + body + "\n}\n";
  kernel.sizes.policy = SizeRequest::Policy::List;
  kernel.sizes.list = chooseSizes(context, maxInvocations);
  kernel.workload = workloadOf(context, kernel.groups, kernel.spec);
  return kernel;
}

} // namespace tailor::differential
