//===- Bundle/TestBundle.h - A bundle that uses every field --------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TEST_UNIT_BUNDLE_TESTBUNDLE_H
#define TAILOR_TEST_UNIT_BUNDLE_TESTBUNDLE_H

#include "Bundle/BundleIO.h"
#include "Support/Hash.h"

#include <string>

namespace tailor::test {

inline UniformExpr leaf(UniformExpr::Op op, std::array<uint32_t, 4> params) {
  return {op, params, {}};
}
inline UniformExpr binary(UniformExpr::Op op, UniformExpr a, UniformExpr b) {
  return {op, {}, {std::move(a), std::move(b)}};
}

/// Two kernels that share code; between them every field has a value that is not its default.
inline Bundle sampleBundle() {
  Bundle bundle;
  bundle.tool = "spirv-tailor 0.1.0";
  uint32_t shared = bundle.addBlob(std::string("\x03\x02\x23\x07", 4) + std::string(16, '\1'));
  uint32_t other = bundle.addBlob(std::string("\x03\x02\x23\x07", 4) + std::string(20, '\2'));
  uint32_t text = bundle.addBlob("#version 430\nvoid main() {}\n");

  KernelInfo blur;
  blur.name = "blur";
  blur.entryPoint = "main";
  blur.sourceHash = sha256Hex(std::string_view("blur"));
  blur.authoredSize = {16, 16, 1};
  blur.spelling = "LocalSizeId";
  blur.facts = {"global-id", 1296, 2, 1, 3, {"OpGroupNonUniformFAdd"}, {"GlobalInvocationId"}, {}};
  blur.facts.accesses.push_back(
      {"a", 1, 2, "load", "buffer", 4, "b:3:4", "strided", {4, 7680, {}}});
  blur.facts.accesses.push_back({"tile", {}, {}, "store", "workgroup", 16, "", "", {}});

  VariantInfo authored;
  authored.id = authored.technique = "authored";
  authored.localSize = {16, 16, 1};
  authored.sharedBytes = 1296;
  authored.specConstants = {{3, 64}, {7, UINT64_MAX}};
  authored.why = "the module as it came";
  authored.code = {{"spirv", shared}, {"glsl", text}};

  VariantInfo resized;
  resized.id = "resize-64x1x1";
  resized.technique = "resize";
  resized.localSize = {64, 1, 1};
  resized.dispatch = {DispatchRule::Cover, {16, 16, 1}, {64, 1, 1}, {}};
  UniformExpr width =
      binary(UniformExpr::Op::Add, leaf(UniformExpr::Op::PushConstant, {4, 0, 0, 0}),
             UniformExpr::constant(UINT32_MAX));
  resized.dispatch.bounds.push_back({0, width, true, true, Location::at("blur.comp", 12, 7)});
  resized.dispatch.bounds.push_back(
      {1, leaf(UniformExpr::Op::ImageSize, {0, 1, 1, 0}), false, false, Location::atWord("", 77)});
  DispatchBound linear{1, UniformExpr::constant(4096), false, true, {}};
  linear.terms = {{0, UniformExpr::constant(1)}, {1, width}};
  linear.offset = UniformExpr::constant(3);
  linear.divisor = UniformExpr::constant(5);
  resized.dispatch.bounds.push_back(linear);
  resized.assumes = {"grid-covers-bound"};
  resized.why = "every side effect is under a bounds check";
  resized.skipped = {{"essl", "the format r32f needs an extension"}};
  resized.code = {{"spirv", other}, {"glsl", text}};
  LanguageInterface interface{"main", "430", {}, {}, {"GL_KHR_shader_subgroup_basic"}};
  interface.resources = {
      {"storage_buffer", "a", 1, 2, 1, true, {{"binding", 2}}, {}},
      {"combined", "image_sampler", 0, 1, 0, false, {{"binding", 1}}, std::pair(0U, 4U)}};
  interface.values = {{"push_constants", "uniform_buffer", "PushConstants", 20, {{"binding", 0}}}};
  resized.code["glsl"].interface = bundle.addInterface(std::move(interface));
  resized.code["glsl"].at = 9;
  resized.code["glsl"].count = 3;
  resized.code["glsl"].bytes = "310 es";
  resized.steps = {{"resize", {64, 1, 1}, {}}};
  resized.chosenFor = "nvidia-h200";

  VariantInfo guarded;
  guarded.id = "remap-8x8x1";
  guarded.technique = "remap";
  guarded.localSize = {8, 8, 1};
  guarded.dispatch = {DispatchRule::Guarded, {16, 16, 1}, {8, 8, 1}, {}};
  guarded.guard = GuardInfo{"push_constant", 16, 12};
  guarded.evidence = Evidence::Declared;
  guarded.code = {{"spirv", shared}};
  guarded.steps = {{"remap", {8, 8, 1}, {}}};

  VariantInfo composed;
  composed.id = "remap-8x16x1-guarded+swizzle-8x16x1-tile4x4";
  composed.technique = "remap+swizzle";
  composed.localSize = {8, 16, 1};
  composed.dispatch = {DispatchRule::Guarded, {16, 16, 1}, {8, 16, 1}, {}};
  composed.guard = GuardInfo{"spec_constant", 0, 0, {7, 8, 9}};
  composed.code = {{"spirv", other}};
  composed.steps = {{"remap", {8, 16, 1}, {}},
                    {"swizzle", {8, 16, 1}, {{"order", "tile"}, {"tile", "4x4"}}}};

  blur.variants = {authored, resized, guarded, composed};
  blur.refused = {{"pack",
                   "a control barrier is in divergent flow",
                   "blur.comp:9:3",
                   {"blur.comp:8:5: the branch", "blur.comp:7:1: its condition"}},
                  {"coarsen", "too many values live across the barrier", "", {}, "coarsen-4x4x1"}};

  blur.assumedGroups = Dim3{256, 128, 1};

  KernelInfo copy;
  copy.name = "copy";
  copy.entryPoint = "copyMain";
  copy.sourceHash = sha256Hex(std::string_view("copy"));
  copy.authoredSize = {16, 16, 1};
  copy.spelling = "LocalSize";
  copy.facts.kernelClass = "local-ids";
  copy.variants = {authored};
  bundle.kernels = {blur, copy};
  return bundle;
}

/// The file of a bundle that is known to be well formed.
inline std::string sampleFile() {
  Result<std::string> file = writeBundle(sampleBundle());
  return file ? *file : std::string();
}

/// Replaces the checksum at the end by that of the bytes before it, as docs/formats.md defines it.
inline std::string resealed(std::string file) {
  size_t bodyBytes = file.size() - kBundleChecksumBytes;
  std::string digits = sha256Hex(std::string_view(file).substr(0, bodyBytes));
  for (size_t i = 0; i < kBundleChecksumBytes; ++i)
    file[bodyBytes + i] = static_cast<char>(std::stoi(digits.substr(2 * i, 2), nullptr, 16));
  return file;
}

/// The message of a failed read, `file: error: text` without notes; empty when it succeeds.
inline std::string readFailure(const std::string &bytes) {
  Result<Bundle> bundle = readBundle(bytes, "b.tailor");
  return bundle ? std::string()
                : bundle.diagnostic().location.str() + ": " + bundle.diagnostic().text;
}

} // namespace tailor::test

#endif
