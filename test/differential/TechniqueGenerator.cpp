//===- differential/TechniqueGenerator.cpp - Kernels for techniques --------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TechniqueGenerator.h"

#include "TechniqueWriter.h"

#include <algorithm>
#include <cstring>

namespace tailor::differential {

using Kind = KernelStyle::Kind;

namespace {

std::string text(uint64_t value) { return std::to_string(value) + "u"; }

bool hasExchange(Hazard hazard) {
  return hazard == Hazard::BufferMeeting || hazard == Hazard::SharedMeeting ||
         hazard == Hazard::GroupBarriers || hazard == Hazard::OpaqueBarriers ||
         hazard == Hazard::HiddenBarriers;
}

Kind kindOf(Random &random, Hazard hazard) {
  if (hazard == Hazard::None)
    return static_cast<Kind>(std::min(2u, random.below(5)));
  if (hazard == Hazard::Unguarded)
    return Kind::Global;
  return hasExchange(hazard) && hazard != Hazard::BufferMeeting ? Kind::Meeting : Kind::Local;
}

KernelStyle styleOf(Random &random, Hazard hazard) {
  KernelStyle style;
  style.kind = kindOf(random, hazard);
  style.guarded = style.kind != Kind::Meeting && random.chance(50);
  style.counts = random.chance(style.guarded ? 20 : 50);
  style.groupControl = random.chance(35);
  style.images = random.chance(25);
  style.atomics = random.chance(40);
  style.privates = random.chance(25);
  style.wide = random.chance(4);
  style.floats = random.chance(40);
  style.table = random.chance(35);
  style.records = random.chance(35);
  if (hazard == Hazard::None)
    return style;
  style.wide = style.images = style.atomics = style.groupControl = false;
  style.guarded = hazard == Hazard::GroupCount;
  style.counts = false;
  return style;
}

/// The kernel around what a writer writes.
class Kernel {
public:
  Kernel(Random &random, const Dim3 &size, const Dim3 &groups, const KernelStyle &style,
         Hazard hazard, const std::set<unsigned> &dropped)
      : random(random), size(size), groups(groups), style(style), hazard(hazard),
        count(static_cast<uint32_t>(size.product())), writer(random, size, groups, style, dropped) {
  }

  std::string glsl() {
    const std::string body = this->body();
    return head() + writer.functions + "void main() {\n" + prologue() + body + "a[" +
           writer.self() +
           " * 4u + 3u] = s0 + 3u * s1 + 5u * s2 + 7u * s3 + u0 + u1 + u2 + u3 + d0 + d1;\n}\n";
  }
  unsigned statements() const { return writer.statements; }

private:
  std::string body();
  std::string hazardText();
  std::string head() const;
  std::string prologue();

  Random &random;
  const Dim3 size, groups;
  const KernelStyle style;
  const Hazard hazard;
  const uint32_t count;
  TechniqueWriter writer;
};

std::string Kernel::body() {
  if (hazard != Hazard::None) {
    const bool together = style.kind == Kind::Meeting;
    auto some = [&](unsigned length) {
      return together ? writer.meetings(1, length) : writer.block(1, length);
    };
    const std::string before = some(random.below(3)), middle = hazardText();
    return before + middle + some(random.below(3));
  }
  std::string all;
  writer.budget = random.chance(70) ? 2 + random.below(5) : 6 + random.below(7);
  if (style.kind == Kind::Meeting) {
    all = writer.meetings(3, 3 + random.below(4));
    writer.budget += 2;
    writer.returns = random.chance(40);
    return all + writer.block(2, random.below(3));
  }
  writer.returns = random.chance(60);
  return writer.block(3, 3 + random.below(4));
}

std::string Kernel::hazardText() {
  switch (hazard) {
  case Hazard::None:
  case Hazard::Unguarded:
    break;
  case Hazard::LocalIds:
    return "s0 += I * 7u + G.x;\n";
  case Hazard::SubgroupSum:
    return "s0 += subgroupAdd(b[place & 63u] + 1u) + subgroupMax(I);\n";
  case Hazard::SubgroupLane:
    return "s0 += gl_SubgroupInvocationID * 3u;\n";
  case Hazard::BufferMeeting:
    return writer.throughBuffer() + writer.throughBuffer() + "\n";
  case Hazard::SharedMeeting:
    return writer.exchange() + "tile[I] = s1 + I * 5u; barrier(); s0 += tile[" + text(count - 1) +
           " - I]; barrier();\n";
  case Hazard::SharedPrivate:
    return "stack[I] = s0 + Q.x * 9u + Q.y * 5u; stack[I] += " + writer.any(1) +
           "; s1 = stack[I] * 3u; s0 += stack[I];\n";
  case Hazard::GroupCount:
    return "s0 += C.x * 3u + C.y * 5u + C.z * 7u;\n";
  case Hazard::GroupBarriers: {
    const std::string trips = "(G.x + G.y + G.z + p.zero)";
    return random.chance(50)
               ? "for (uint h = 0u; h < " + trips + "; ++h) {\n" + writer.exchange() + "}\n"
               : "if ((" + trips + " & 1u) == 1u) {\n" + writer.exchange() + "}\n";
  }
  case Hazard::OpaqueBarriers:
    return "if (b[(" + writer.any(1) +
           ") & 63u] < 1000u) { tile[I] = s1 + I * 5u; barrier(); "
           "s0 += tile[" +
           text(count - 1) + " - I]; barrier(); }\n";
  case Hazard::HiddenBarriers:
    return "if (I < " + text(count / 2) +
           ") { if (p.zero > 0u) barrier(); tile[I] = " + writer.any(1) + "; } s0 += tile[I];\n" +
           writer.exchange();
  case Hazard::VolatileLanes:
    return "quick[I] = s0 + I * 3u; s1 += quick[I ^ " + text(1 + random.below(3)) +
           "]; quick[I] = s1; s0 += quick[I ^ " + text(1 + random.below(3)) + "];\n";
  case Hazard::Waiting:
    return "if (I != 0u) { while (atomicAdd(meet[place - 1u], 0u) == 0u) {} } "
           "atomicExchange(meet[place], 1u);\n";
  case Hazard::DescriptorIndex:
    return "s0 += many[G.x & 1u].d[I & 15u] * 3u;\n";
  }
  return "\n";
}

std::string Kernel::head() const {
  std::string all = "#version 460\n";
  if (hazard == Hazard::SubgroupSum || hazard == Hazard::SubgroupLane)
    all += "#extension GL_KHR_shader_subgroup_arithmetic : require\n";
  if (style.wide)
    all += "#extension GL_EXT_shader_explicit_arithmetic_types : require\n";
  auto dim = [](uint32_t n) { return std::to_string(n); };
  all += "layout(local_size_x = " + dim(size.x) + ", local_size_y = " + dim(size.y) +
         ", local_size_z = " + dim(size.z) + R"() in;
layout(push_constant) uniform P { uint p0, p1, p2, p3, nx, ny, nz, zero; } p;
layout(set = 0, binding = 0) buffer A { uint a[]; };
layout(set = 0, binding = 1) readonly buffer B { uint b[]; };
layout(set = 0, binding = 2) buffer N { uint counters[]; };
layout(set = 0, binding = 3, r32ui) uniform uimage2D picture;
layout(set = 0, binding = 4, r32ui) uniform uimage2D hits;
layout(set = 0, binding = 5) buffer M { uint meet[]; };
#define G gl_WorkGroupID
#define L gl_LocalInvocationID
#define I gl_LocalInvocationIndex
#define C gl_NumWorkGroups
#define Q gl_GlobalInvocationID
)";
  if (hazard == Hazard::DescriptorIndex)
    all += "layout(set = 0, binding = 6) readonly buffer D { uint d[]; } many[2];\n";
  if (style.kind == Kind::Meeting)
    all += "shared uint tile[" + text(count) + "]; shared uint flag, total;\n";
  if (style.kind == Kind::Meeting && style.table)
    all += "shared uint table[" + text(uint64_t{size.y} * size.z) + "][" + text(size.x) + "];\n";
  if (style.kind == Kind::Meeting && style.records)
    all += "struct Record { uint x; uvec2 y; uint z[2]; }; shared Record records[" + text(count) +
           "];\n";
  if (hazard == Hazard::SharedPrivate)
    all += "shared uint stack[" + text(count) + "];\n";
  if (hazard == Hazard::VolatileLanes)
    all += "shared uint quick[" + text(count) + "];\n";
  if (style.privates)
    all += "uint counter = 3u; uint bank[5] = uint[](1u, 2u, 3u, 4u, 5u);\n";
  return all;
}

std::string Kernel::prologue() {
  std::string all;
  if (style.guarded) {
    all = "if (Q.x >= p.nx";
    if (size.y != 1 || groups.y != 1)
      all += " || Q.y >= p.ny";
    if (size.z != 1 || groups.z != 1)
      all += " || Q.z >= p.nz";
    all += ") return;\n";
  }
  const std::string width = text(uint64_t{size.x} * groups.x);
  const std::string plane = text(uint64_t{size.x} * groups.x * size.y * groups.y);
  const std::string first = "uint d0 = p.p0 + 1u, d1 = p.p2; uint s1 = p.p0, s2 = Q.x, s3 = 0u;\n";
  if (style.kind == Kind::Global)
    return all + first + "uint s0 = Q.y, u0 = p.p1, u1 = p.p3, u2 = 3u, u3 = p.p2;\n";
  all += first + "uint s0 = I, u0 = p.p1, u1 = G.x, u2 = 3u, u3 = p.p2;\n" +
         "const uint place = Q.x + Q.y * " + width + " + Q.z * " + plane + ";\n" +
         "const uint group = G.x + G.y * " + text(groups.x) + " + G.z * " +
         text(uint64_t{groups.x} * groups.y) + ";\n";
  if (style.kind != Kind::Meeting)
    return all;
  all += "tile[I] = 0u; if (I == 0u) { flag = 0u; total = 0u; } ";
  if (style.records)
    all += "records[I].x = I; records[I].y = uvec2(3u, I); records[I].z[0] = 1u; "
           "records[I].z[1] = 2u;";
  return all + "barrier();\n";
}

WorkloadBinding buffer(uint32_t binding, uint64_t words, Fill::Kind kind, bool output) {
  WorkloadBinding made;
  made.desc.binding = binding;
  made.desc.bytes = 4 * words;
  made.desc.output = output;
  made.fill.kind = kind;
  if (kind == Fill::Kind::Random) {
    made.fill.seed = 11 + binding;
    made.fill.min = 0;
    made.fill.max = 99;
  }
  return made;
}

WorkloadBinding image(uint32_t binding, const Dim3 &extent, Fill::Kind kind) {
  WorkloadBinding made;
  made.desc.kind = vulkan::ResourceKind::StorageImage;
  made.desc.binding = binding;
  made.desc.format = "r32ui";
  made.desc.extent = extent;
  made.desc.output = true;
  made.fill.kind = kind;
  return made;
}

ProblemSize problem(Random &random, const Dim3 &size, const Dim3 &groups, const std::string &glsl) {
  ProblemSize made;
  made.name = "default";
  made.groups = groups;
  const uint64_t total = size.product() * groups.product();
  auto uses = [&](const std::string &name) {
    return glsl.find(name, glsl.find("#define Q")) != std::string::npos;
  };
  made.bindings.push_back(buffer(0, 4 * total, Fill::Kind::Poison, true));
  if (uses("b["))
    made.bindings.push_back(buffer(1, 64, Fill::Kind::Random, false));
  if (uses("counters["))
    made.bindings.push_back(buffer(2, 20, Fill::Kind::Random, true));
  if (uses("picture"))
    made.bindings.push_back(
        image(3, {16, static_cast<uint32_t>((total + 15) / 16), 1}, Fill::Kind::Poison));
  if (uses("hits"))
    made.bindings.push_back(image(4, {4, 4, 1}, Fill::Kind::Zero));
  if (uses("meet["))
    made.bindings.push_back(buffer(5, total, Fill::Kind::Zero, true));
  if (uses("many["))
    for (uint32_t element = 0; element < 2; ++element) {
      made.bindings.push_back(buffer(6, 16, Fill::Kind::Random, false));
      made.bindings.back().desc.element = element;
      made.bindings.back().fill.seed += element;
    }
  uint32_t values[8] = {random.below(9), random.below(70), random.below(4), random.below(1000)};
  for (unsigned axis = 0; axis < 3; ++axis) {
    const uint32_t grid = size[axis] * groups[axis];
    values[4 + axis] = random.chance(60) ? grid : grid - random.below(std::min(grid, 3u));
  }
  std::vector<std::byte> bytes(sizeof values);
  std::memcpy(bytes.data(), values, sizeof values);
  made.pushConstants.push_back({0, std::move(bytes), {}});
  return made;
}

} // namespace

TechniqueKernel generateTechniqueKernel(uint64_t seed, Hazard hazard,
                                        const std::set<unsigned> &dropped) {
  Random random(seed ^ (uint64_t{0x7ec4} << 16 | static_cast<uint64_t>(hazard) << 8));
  static const Dim3 sizes[] = {{8, 1, 1}, {16, 1, 1}, {4, 4, 1}, {2, 2, 2},  {1, 8, 1},  {6, 1, 1},
                               {3, 1, 4}, {32, 1, 1}, {8, 4, 1}, {12, 2, 1}, {24, 1, 1}, {1, 1, 8},
                               {4, 2, 4}, {64, 1, 1}, {8, 8, 1}, {4, 1, 1}};
  static const Dim3 counts[] = {{2, 2, 1}, {4, 1, 1}, {6, 1, 1}, {2, 1, 2}, {3, 2, 1},
                                {2, 2, 2}, {1, 4, 1}, {4, 2, 1}, {1, 1, 4}};
  static const Dim3 squares[] = {{8, 8, 1}, {4, 4, 1}, {4, 8, 1}};
  TechniqueKernel kernel;
  kernel.size = sizes[random.below(std::size(sizes))];
  kernel.groups = counts[random.below(std::size(counts))];
  if (hazard == Hazard::VolatileLanes || hazard == Hazard::SubgroupLane ||
      hazard == Hazard::SubgroupSum)
    kernel.size = squares[random.below(std::size(squares))];
  if (hazard == Hazard::SharedPrivate || hazard == Hazard::DescriptorIndex) {
    kernel.size = {2u << random.below(2), 1, 1};
    kernel.groups = {8, 1, 1};
  }
  const KernelStyle style = styleOf(random, hazard);
  Kernel writer(random, kernel.size, kernel.groups, style, hazard, dropped);
  kernel.glsl = writer.glsl();
  kernel.statements = writer.statements();
  if (hazard == Hazard::VolatileLanes)
    kernel.volatileName = "quick";
  kernel.workload.file = "test";
  kernel.workload.sizes.push_back(problem(random, kernel.size, kernel.groups, kernel.glsl));
  return kernel;
}

} // namespace tailor::differential
