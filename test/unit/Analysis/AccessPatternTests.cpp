//===- unit/Analysis/AccessPatternTests.cpp - Strides, sectors, banks ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/AccessPatterns.h"
#include "Analysis/Traffic.h"

#include "KernelSupport.h"

#include "gmock/gmock.h"

using namespace tailor;

namespace {

const std::string kBuffers = R"(
layout(push_constant) uniform P { uint n; uint columns; } p;
layout(std430, set = 0, binding = 0) readonly buffer Src { float src[]; };
layout(std430, set = 0, binding = 1) buffer Dst { float dst[]; };
uvec3 g = gl_GlobalInvocationID;
uvec3 l = gl_LocalInvocationID;
)";

std::string sized(unsigned x, unsigned y = 1) {
  return "layout(local_size_x = " + std::to_string(x) + ", local_size_y = " + std::to_string(y) +
         ") in;\n";
}

/// A kernel and its accesses.
struct Accesses {
  AnalysedKernel kernel;
  std::vector<MemoryAccess> list;
  explicit Accesses(const std::string &source, const SpecMap &spec = {})
      : kernel(analyse(source, spec)) {
    if (kernel)
      list = findAccesses(*kernel);
  }
  /// The n-th access of that kind.
  const MemoryAccess &get(const std::string &name, AccessOp op, unsigned number = 0) const {
    static const MemoryAccess kNone;
    for (const MemoryAccess &access : list)
      if (access.name == name && access.op == op && number-- == 0)
        return access;
    ADD_FAILURE() << "no " << nameOf(op) << " of " << name;
    return kNone;
  }
};

/// `dst[INDEX] = 1.0` at a size: the store's facts.
struct Store : Accesses {
  Store(const std::string &index, unsigned x = 64, unsigned y = 1)
      : Accesses(sized(x, y) + kBuffers + "void main() { dst[" + index + "] = 1.0; }") {}
  const MemoryAccess &operator*() const { return get("Dst", AccessOp::Store); }
  std::string pattern() const { return std::string(nameOf((**this).pattern)); }
  std::string strides() const {
    std::string text;
    for (const AccessStride &stride : (**this).strides)
      text += (text.empty() ? "" : " | ") + (stride.text.empty() ? "none" : stride.text);
    return text;
  }
  std::string traffic(const Dim3 &size, uint32_t width = 32, const HostValues &host = {}) const {
    return trafficAt(*kernel, **this, size, width, host)->str();
  }
};

/// The degree of the first access of workgroup memory: `ACCESS` in a body, lanes of the authored
/// workgroup.
std::optional<unsigned> banks(const std::string &declaration, const std::string &statement,
                              unsigned x, unsigned y, uint32_t width = 32) {
  Accesses kernel(sized(x, y) + kBuffers + "shared " + declaration + ";\nvoid main() { " +
                  statement + " }");
  for (const MemoryAccess &access : kernel.list)
    if (access.space == MemorySpace::Workgroup) {
      LaneModel model(*kernel.kernel);
      return VariantTraffic(model, {x, y, 1}, width, {}).of(access).bankConflict;
    }
  ADD_FAILURE() << "no access";
  return std::nullopt;
}

const char *const kLayerNorm = R"(
layout(local_size_x = 64) in;
layout(push_constant) uniform P { uint rows; uint columns; } p;
layout(std430, set = 0, binding = 0) readonly buffer Src { float src[]; };
layout(std430, set = 0, binding = 1) writeonly buffer Dst { float dst[]; };
void main() {
  uint row = gl_GlobalInvocationID.x;
  if (row >= p.rows) return;
  float sum = 0.0;
  for (uint i = 0; i < p.columns; ++i) sum += src[INDEX];
  dst[row] = sum;
}
)";

std::string layerNorm(const std::string &index) {
  std::string source = kLayerNorm;
  return source.replace(source.find("INDEX"), 5, index);
}

} // namespace

TEST(AccessPattern, TellsStridesByAxis) {
  EXPECT_EQ(Store("g.x").pattern(), "unit");
  EXPECT_EQ(Store("g.x").strides(), "4 | 0 | 0");
  EXPECT_EQ(Store("g.x * 3u + 5u").strides(), "12 | 0 | 0");
  EXPECT_EQ(Store("g.x * 3u + 5u").pattern(), "strided");
  EXPECT_EQ(Store("g.x * p.columns").strides(), "4*p.columns | 0 | 0");
  EXPECT_EQ(Store("g.x * p.columns").pattern(), "strided");
  EXPECT_EQ(Store("g.y * p.columns + g.x", 8, 8).strides(), "4 | 4*p.columns | 0");
  EXPECT_EQ(Store("g.y * p.columns + g.x", 8, 8).pattern(), "unit");
  EXPECT_EQ(Store("g.x * p.columns + g.y", 8, 8).pattern(), "strided");
  EXPECT_EQ(Store("100u - l.x").strides(), "-4 | 0 | 0");
}

TEST(AccessPattern, IsUniformOnlyWhereNoAxisOfTheGroupMatters) {
  EXPECT_EQ(Store("p.n").pattern(), "uniform");
  EXPECT_EQ(Store("gl_WorkGroupID.x").pattern(), "uniform");
  EXPECT_EQ(Store("g.y", 64, 1).pattern(), "uniform");
  EXPECT_EQ(Store("g.y", 16, 4).pattern(), "strided") << "y is walked too";
  EXPECT_EQ(Store("g.x", 1, 32).pattern(), "uniform") << "x has one invocation";
  EXPECT_EQ(Store("g.y", 1, 32).pattern(), "unit") << "y is the fastest";
}

TEST(AccessPattern, CallsAGatherWhatFollowsNoRule) {
  EXPECT_EQ(Store("floatBitsToUint(src[g.x])").pattern(), "gather");
  EXPECT_EQ(Store("floatBitsToUint(src[g.x])").strides(), "none | none | none");
  EXPECT_EQ(Store("(g.x * g.x) >> 3").pattern(), "gather");
  EXPECT_EQ(Store("g.x ^ (g.x >> 1)").pattern(), "gather");
  // Data that all invocations share is no reason.
  EXPECT_EQ(Store("floatBitsToUint(src[p.n]) + g.x").pattern(), "unit");
}

TEST(AccessPattern, SeesThroughBounds) {
  Store clamped("uint(clamp(int(g.x) - 2, 0, int(p.columns) - 1))");
  EXPECT_EQ(clamped.pattern(), "unit");
  EXPECT_TRUE((*clamped).insideBounds);
  EXPECT_EQ(clamped.strides(), "4 | 0 | 0");
  EXPECT_EQ(factOf(*clamped).strideBytes[0], std::nullopt) << "not of every invocation";
  EXPECT_EQ(Store("min(g.x * 2u, p.n - 1u)").pattern(), "strided");
  EXPECT_EQ(Store("min(g.x, g.y)", 8, 8).pattern(), "gather") << "which of them is not known";
  EXPECT_EQ(Store("g.x - min(g.x, p.n)").pattern(), "gather") << "uniform inside, not outside";
}

TEST(AccessPattern, DoesNotCallUniformWhatALoopLeft) {
  // Each invocation leaves the loop at its own i.
  Store after("0u]; uint i = 0u; while (src[g.x + i] > 0.0) ++i; dst[i");
  EXPECT_EQ(nameOf(after.get("Dst", AccessOp::Store).pattern), "gather");
}

TEST(AccessPattern, CountsBytes) {
  Accesses kernel(sized(64) + R"(
struct S { vec4 a; vec3 b; float c; };
layout(std430, set = 0, binding = 0) buffer V { vec4 v[]; };
layout(std430, set = 0, binding = 1) buffer W { S s[]; };
layout(std430, set = 0, binding = 2) buffer M { mat4 m[]; };
layout(std430, set = 0, binding = 3) buffer T { vec3 t[]; };
void main() { uint i = gl_GlobalInvocationID.x; v[i] = vec4(1); s[i] = S(vec4(1), vec3(1), 1.0);
              m[i] = mat4(1.0); t[i] = vec3(1); s[i].b.y = 2.0; })");
  auto store = [&](const char *name, unsigned number = 0) {
    const MemoryAccess &access = kernel.get(name, AccessOp::Store, number);
    return std::to_string(access.bytes) + " " + access.strides[0].text + " " +
           std::string(nameOf(access.pattern));
  };
  EXPECT_EQ(store("V"), "16 16 unit");
  EXPECT_EQ(store("M"), "64 64 unit");
  EXPECT_EQ(store("T"), "12 16 strided");
  EXPECT_EQ(kernel.list.back().bytes, 4u);
  EXPECT_EQ(kernel.list.back().strides[0].text, "32");
}

TEST(AccessPattern, TellsImagesByTexel) {
  Accesses kernel(sized(8, 8) + R"(
layout(set = 0, binding = 0, rgba8) uniform readonly image2D a;
layout(set = 0, binding = 1, r32f) uniform writeonly image2D b;
layout(set = 0, binding = 2) uniform sampler2D c;
layout(set = 0, binding = 3, r32ui) uniform uimageBuffer d;
void main() {
  ivec2 p = ivec2(gl_GlobalInvocationID.xy);
  vec4 v = imageLoad(a, p.yx) + imageLoad(a, ivec2(3)) + textureLod(c, vec2(p), 0.0)
         + texelFetch(c, clamp(p + 1, ivec2(0), ivec2(9)), 0);
  imageStore(b, p, v);
  imageAtomicAdd(d, p.x * 2, 1u);
})");
  std::vector<std::string> texts;
  for (const MemoryAccess &access : kernel.list)
    texts.push_back(std::string(nameOf(access.op)) + " " + access.name + " " +
                    std::to_string(access.bytes) + " " + std::string(nameOf(access.pattern)) + " " +
                    access.texelStrides[0] + access.texelStrides[1]);
  EXPECT_THAT(texts, testing::UnorderedElementsAre(
                         "load a 4 strided (0, 1)(1, 0)", "load a 4 uniform (0, 0)(0, 0)",
                         "load c 0  ", "load c 0 unit (1, 0)(0, 1)", "store b 4 unit (1, 0)(0, 1)",
                         "atomic d 4 strided 20"));
  for (const MemoryAccess &access : kernel.list)
    EXPECT_EQ(trafficAt(*kernel.kernel, access, {8, 8, 1}, 32), std::nullopt);
}

TEST(AccessPattern, FillsTheManifestsFact) {
  Store store("g.y * 16u + g.x", 16, 4);
  AccessFact fact = factOf(*store);
  EXPECT_EQ(fact.variable, "Dst");
  EXPECT_EQ(fact.set, 0u);
  EXPECT_EQ(fact.binding, 1u);
  EXPECT_EQ(fact.op, "store");
  EXPECT_EQ(fact.space, "buffer");
  EXPECT_EQ(fact.bytes, 4u);
  EXPECT_EQ(fact.pattern, "unit");
  EXPECT_THAT(fact.strideBytes, testing::ElementsAre(4, 64, 0));
  EXPECT_EQ(factOf(*Store("g.x * p.columns")).strideBytes[0], std::nullopt) << "symbolic";
}

// --- sectors and lines ---

TEST(Traffic, CountsSectorsAndLines) {
  EXPECT_EQ(Store("g.x").traffic({64, 1, 1}), "sectors 4 of at least 4; lines 1");
  EXPECT_EQ(
      Store("g.x + 1u").traffic({64, 1, 1}),
      "sectors 5 of at least 4; lines 2; each fetched line is used to 62 % (2.5 of 4 sectors)");
  EXPECT_EQ(
      Store("g.x * 2u").traffic({64, 1, 1}),
      "sectors 8 of at least 4; lines 2; each fetched sector is used to a half (16 of 32 bytes)");
  EXPECT_EQ(Store("g.x * 32u").traffic({64, 1, 1}),
            "sectors 32 of at least 4; lines 32; each fetched line is used to a quarter (1 of 4 "
            "sectors)");
  EXPECT_EQ(Store("3u").traffic({64, 1, 1}), "sectors 1 of at least 1; lines 1");
}

TEST(Traffic, DependsOnTheSize) {
  Store rows("g.y * p.columns + g.x", 8, 8);
  EXPECT_EQ(rows.traffic({8, 8, 1}), "sectors 4 of at least 4; lines 4; each fetched line is used "
                                     "to a quarter (1 of 4 sectors)");
  EXPECT_EQ(rows.traffic({16, 4, 1}), "sectors 4 of at least 4; lines 2; each fetched line is "
                                      "used to a half (2 of 4 sectors)");
  EXPECT_EQ(rows.traffic({32, 1, 1}), "sectors 4 of at least 4; lines 1");
  EXPECT_EQ(rows.traffic({1, 32, 1}), "sectors 32 of at least 4; lines 32; each fetched line is "
                                      "used to a quarter (1 of 4 sectors)");
  EXPECT_EQ(rows.traffic({32, 1, 1}, 8), "sectors 1 of at least 1; lines 1") << "8 lanes";
}

TEST(Traffic, ALayerNormThatWalksDownColumnsWastesThreeQuartersOfEachLine) {
  Accesses walking(layerNorm("row * p.columns + i")), transposed(layerNorm("i * p.rows + row"));
  for (Dim3 size : {Dim3{64, 1, 1}, Dim3{32, 1, 1}, Dim3{256, 1, 1}}) {
    Traffic down = *trafficAt(*walking.kernel, walking.get("Src", AccessOp::Load), size, 32);
    EXPECT_TRUE(down.exact);
    EXPECT_EQ(down.wastedShare(), 0.75);
    Traffic along = *trafficAt(*transposed.kernel, transposed.get("Src", AccessOp::Load), size, 32);
    EXPECT_TRUE(along.exact);
    EXPECT_EQ(along.wastedShare(), 0.0);
    EXPECT_EQ(along.sectors.least, along.minSectors);
  }
}

TEST(Traffic, TakesTheHostsValues) {
  Store store("g.x * p.columns");
  HostValues host;
  host.leaf = [](const UniformExpr &leaf) -> std::optional<uint32_t> {
    return leaf.op == UniformExpr::Op::PushConstant ? std::optional(leaf.params[0] == 4 ? 2u : 9u)
                                                    : std::nullopt;
  };
  EXPECT_EQ(
      store.traffic({64, 1, 1}, 32, host),
      "sectors 8 of at least 4; lines 2; each fetched sector is used to a half (16 of 32 bytes)");
  EXPECT_FALSE(trafficAt(*store.kernel, *store, {64, 1, 1}, 32, host)->assumed);
  EXPECT_TRUE(trafficAt(*store.kernel, *store, {64, 1, 1}, 32)->assumed);
}

TEST(Traffic, LeavesOutLanesThatDoNotRun) {
  Store guarded("0u]; if (g.x < 40u) dst[g.x * 8u");
  const MemoryAccess &access = guarded.get("Dst", AccessOp::Store);
  auto inGroup = [&](uint32_t group) {
    return trafficOf(*guarded.kernel, access,
                     subgroupLanes({64, 1, 1}, {64, 1, 1}, {group, 0, 0}, 32, 32));
  };
  EXPECT_EQ(inGroup(0)->active, (Bounds{8, 8}));
  EXPECT_EQ(inGroup(0)->sectors, (Bounds{8, 8}));
  EXPECT_EQ(inGroup(1)->str(), "not run");
  // The group behind the first runs nothing: the first is looked at.
  LaneModel model(*guarded.kernel);
  VariantTraffic::Result result = VariantTraffic(model, {64, 1, 1}, 32, {}).of(access);
  EXPECT_EQ(result.group[0], 0u);
  EXPECT_EQ(result.traffic->active, (Bounds{32, 32}));
}

TEST(Traffic, GivesBoundsWhereDataDecides) {
  Store gather("floatBitsToUint(src[g.x])");
  Traffic traffic = *trafficAt(*gather.kernel, *gather, {64, 1, 1}, 32);
  EXPECT_FALSE(traffic.exact);
  EXPECT_EQ(traffic.sectors, (Bounds{1, 32}));
  EXPECT_EQ(traffic.str(), "sectors 1 to 32; lines 1 to 32 (data-dependent)");
  EXPECT_EQ(traffic.wastedShare(), 0.0);
  Store maybe("0u]; if (src[g.x] > 0.5) dst[g.x");
  traffic = *trafficAt(*maybe.kernel, maybe.get("Dst", AccessOp::Store), {64, 1, 1}, 32);
  EXPECT_EQ(traffic.active, (Bounds{0, 32}));
  EXPECT_EQ(traffic.sectors, (Bounds{0, 4}));
}

TEST(Traffic, CountsWideAccesses) {
  Accesses kernel(sized(64) + R"(
struct S { vec4 a; vec4 b; };
layout(std430, set = 0, binding = 0) buffer V { vec4 v[]; };
layout(std430, set = 0, binding = 1) buffer W { S s[]; };
void main() { uint i = gl_GlobalInvocationID.x; v[i] = vec4(1); s[i].a = vec4(2); })");
  auto traffic = [&](const char *name) {
    return trafficAt(*kernel.kernel, kernel.get(name, AccessOp::Store), {64, 1, 1}, 32)->str();
  };
  EXPECT_EQ(traffic("V"), "sectors 16 of at least 16; lines 4");
  EXPECT_EQ(
      traffic("W"),
      "sectors 32 of at least 16; lines 8; each fetched sector is used to a half (16 of 32 bytes)");
}

TEST(Traffic, CountsRowMajorColumnsByTheirComponents) {
  Accesses kernel(sized(32) + R"(
layout(std430, row_major, set = 0, binding = 0) buffer M { mat4 m[]; };
layout(std430, set = 0, binding = 1) buffer D { vec4 d[]; };
void main() { d[gl_GlobalInvocationID.x] = m[0][gl_GlobalInvocationID.x & 3u]; })");
  const MemoryAccess &load = kernel.get("M", AccessOp::Load);
  Traffic traffic = *trafficAt(*kernel.kernel, load, {32, 1, 1}, 32);
  EXPECT_EQ(traffic.sectors, (Bounds{2, 2}));
  EXPECT_EQ(traffic.minSectors, 2u);
  traffic = *trafficAt(*kernel.kernel, load, {32, 1, 1}, 1);
  EXPECT_EQ(traffic.sectors, (Bounds{2, 2})) << "one column is in every row";
  EXPECT_EQ(traffic.minSectors, 1u);
}

TEST(Traffic, TellsBuffersOfAnArrayApart) {
  Accesses kernel(R"(
#extension GL_EXT_nonuniform_qualifier : enable
layout(local_size_x = 32) in;
layout(std430, set = 0, binding = 0) buffer B { uint b[]; } buffers[4];
void main() { buffers[nonuniformEXT(gl_LocalInvocationID.x & 3u)].b[gl_LocalInvocationID.x / 4u] = 1u; })");
  ASSERT_EQ(kernel.list.size(), 1u);
  Traffic traffic = *trafficAt(*kernel.kernel, kernel.list[0], {32, 1, 1}, 32);
  EXPECT_EQ(traffic.sectors, (Bounds{4, 4}));
  EXPECT_EQ(traffic.lines, (Bounds{4, 4}));
}

TEST(Traffic, MapsVariantLanesToTheAuthoredGrid) {
  std::vector<Lane> lanes = subgroupLanes({16, 4, 1}, {8, 8, 1}, {3, 1, 0}, 32, 4);
  ASSERT_EQ(lanes.size(), 4u);
  // Local (0..3, 4, 0) of group (3, 1): global (24.., 12).
  EXPECT_EQ(lanes[0], (Lane{{1, 3, 0}, {8, 0, 0}}));
  EXPECT_EQ(lanes[3], (Lane{{1, 3, 0}, {11, 0, 0}}));
  EXPECT_EQ(subgroupLanes({64, 1, 1}, {24, 1, 1}, {}, 0, 32).size(), 24u);
}

// --- banks ---

TEST(BankConflict, KnowsTheClassics) {
  EXPECT_EQ(banks("float t[1024]", "t[l.x] = 1.0;", 32, 1), 1u);
  EXPECT_EQ(banks("float t[32][32]", "t[l.x][p.n & 31u] = 1.0;", 32, 1), 32u);
  EXPECT_EQ(banks("float t[32][33]", "t[l.x][p.n & 31u] = 1.0;", 32, 1), 1u);
  EXPECT_EQ(banks("float t[1024]", "t[l.x * 2u] = 1.0;", 32, 1), 2u);
  EXPECT_EQ(banks("float t[1024]", "t[l.x * 3u] = 1.0;", 32, 1), 1u) << "odd strides are free";
  EXPECT_EQ(banks("float t[1024]", "t[l.x * 4u] = 1.0;", 32, 1), 4u);
  EXPECT_EQ(banks("float t[1024]", "t[5] = 1.0;", 32, 1), 1u) << "one word for all";
  EXPECT_EQ(banks("float t[1024]", "t[(l.x & 1u) * 32u] = 1.0;", 32, 1), 2u) << "two words";
}

TEST(BankConflict, KnowsTiles) {
  // 16 wide: 32 lanes are two rows.
  EXPECT_EQ(banks("float t[16][16]", "t[l.y][l.x] = 1.0;", 16, 16), 1u);
  EXPECT_EQ(banks("float t[16][16]", "t[l.x][l.y] = 1.0;", 16, 16), 8u);
  EXPECT_EQ(banks("float t[16][17]", "t[l.y][l.x] = 1.0;", 16, 16), 2u);
  EXPECT_EQ(banks("float t[16][17]", "t[l.x][l.y] = 1.0;", 16, 16), 2u);
  EXPECT_EQ(banks("float t[16][16]", "dst[0] = t[l.y][3];", 16, 16), 1u) << "two words, two banks";
  EXPECT_EQ(banks("float t[16][16]", "t[l.x][l.y] = 1.0;", 16, 16, 8), 4u) << "8 lanes";
}

TEST(BankConflict, TakesWideAccessesInParts) {
  EXPECT_EQ(banks("vec2 t[64]", "t[l.x] = vec2(1);", 32, 1), 1u) << "16 lanes, 32 words";
  EXPECT_EQ(banks("vec4 t[64]", "t[l.x] = vec4(1);", 32, 1), 1u) << "8 lanes, 32 words";
  EXPECT_EQ(banks("vec4 t[128]", "t[l.x * 2u] = vec4(1);", 32, 1), 2u);
  EXPECT_EQ(banks("vec2 t[32][16]", "t[l.x][0] = vec2(1);", 32, 1), 16u);
  EXPECT_EQ(banks("vec3 t[64]", "t[l.x] = vec3(1);", 32, 1), 4u) << "16 bytes apart, word by word";
}

TEST(BankConflict, LeavesOutLanesThatDoNotRun) {
  EXPECT_EQ(banks("float t[1024]", "if (l.x < 4u) t[l.x * 32u] = 1.0;", 32, 1), 4u);
  EXPECT_EQ(banks("float t[1024]", "if (l.x > 40u) t[l.x * 32u] = 1.0;", 32, 1), 0u);
}

TEST(BankConflict, IsUnknownWhereDataDecides) {
  EXPECT_EQ(banks("float t[1024]", "t[floatBitsToUint(src[g.x])] = 1.0;", 32, 1), std::nullopt);
  EXPECT_EQ(banks("float t[1024]", "if (src[g.x] > 0.0) t[l.x] = 1.0;", 32, 1), std::nullopt);
}

TEST(BankConflict, IsUnknownAcrossAuthoredGroups) {
  Accesses kernel(sized(16) + kBuffers + "shared float t[16]; void main() { t[l.x] = 1.0; }");
  LaneModel model(*kernel.kernel);
  const MemoryAccess &store = kernel.get("t", AccessOp::Store);
  EXPECT_EQ(VariantTraffic(model, {32, 1, 1}, 32, {}).of(store).bankConflict, std::nullopt);
  EXPECT_EQ(VariantTraffic(model, {16, 1, 1}, 32, {}).of(store).bankConflict, 1u);
}

TEST(BankConflict, HasWords) {
  EXPECT_EQ(conflictText(0), "not run");
  EXPECT_EQ(conflictText(1), "conflict-free");
  EXPECT_EQ(conflictText(32), "32-way");
}
