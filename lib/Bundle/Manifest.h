//===- Bundle/Manifest.h - What a bundle says about its kernels ------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The facts, variants and refusals of a bundle's kernels: what manifest.json
// and `inspect --format json` print (docs/formats.md, schema 1), and what the
// tuner and the runtime read.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_BUNDLE_MANIFEST_H
#define TAILOR_BUNDLE_MANIFEST_H

#include "Analysis/Dispatch.h"
#include "Analysis/Facts.h"
#include "Backends/LanguageInterface.h"
#include "Support/Dim3.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace llvm::json {
class OStream;
}

namespace tailor {

inline constexpr unsigned kManifestSchema = 1;

struct Refusal {
  std::string technique;
  std::string reason;
  std::string location;            ///< Location::str(), may be empty
  std::vector<std::string> causes; ///< notes, `location: text`
  std::string variant{};           ///< the one variant that was not made; empty: the technique
  friend bool operator==(const Refusal &, const Refusal &) = default;
};

enum class Evidence : uint8_t { Proven, Declared };
std::string_view nameOf(Evidence evidence);

inline constexpr std::string_view kGuardPushConstant = "push_constant",
                                  kGuardSpecConstant = "spec_constant";
/// Bytes of the logical grid among the push constants: x, y, z, each an unsigned 32-bit integer.
inline constexpr uint32_t kGuardBytes = 12;

/// Where a guarded variant expects the logical grid N = G·S.
struct GuardInfo {
  std::string kind;                ///< push_constant, spec_constant
  uint32_t offset = 0, bytes = 0;  ///< push_constant: its place in the block
  std::vector<uint32_t> specIds{}; ///< spec_constant: the SpecIds of x, y, z
  friend bool operator==(const GuardInfo &, const GuardInfo &) = default;
};

/// One step of how a variant was made.
struct StepInfo {
  std::string technique;                         ///< resize, pack, ...
  Dim3 localSize;                                ///< the size that the step ends with
  std::map<std::string, std::string> parameters; ///< form: cyclic; order: tile, tile: 8x8
  friend bool operator==(const StepInfo &, const StepInfo &) = default;
};

/// Where a variant's code in a language is: in a blob that variants share which differ in their
/// size alone, with the bytes of the size replaced.
struct CodeInfo {
  uint32_t blob = 0;                   ///< index into Bundle::blobs
  std::optional<uint32_t> interface{}; ///< index into Bundle::interfaces
  uint32_t at = 0, count = 0;          ///< the bytes of the blob that `bytes` stands for
  std::string bytes{};

  CodeInfo() = default;
  CodeInfo(uint32_t blob) : blob(blob) {} ///< the blob as it is
  bool isPatched() const { return count != 0 || !bytes.empty(); }
  friend bool operator==(const CodeInfo &, const CodeInfo &) = default;
};

struct VariantInfo {
  std::string id;        ///< unique in the kernel: authored, resize-64x1x1
  std::string technique; ///< authored, resize, ..., pack+coarsen
  Dim3 localSize;
  uint64_t sharedBytes = 0;
  Dispatch dispatch;
  std::vector<std::string> assumes; ///< grid-covers-bound
  std::optional<GuardInfo> guard;
  /// SpecId -> bits: what the host must still set (authored alone).
  std::map<uint32_t, uint64_t> specConstants;
  Evidence evidence = Evidence::Proven;
  std::string why;                            ///< the proof in one sentence
  std::map<std::string, std::string> skipped; ///< target -> reason
  std::map<std::string, CodeInfo> code;       ///< by target (spirv, glsl, hlsl, msl, ...)
  std::vector<StepInfo> steps{};              ///< one after the other; none for the authored module
  std::string chosenFor{};                    ///< the profile that --max-variants kept it for
  friend bool operator==(const VariantInfo &, const VariantInfo &) = default;
};

struct KernelInfo {
  /// Unique in the bundle; the input's file stem, entry point appended where needed.
  std::string name;
  std::string entryPoint;
  std::string sourceHash; ///< sha256Hex of the SPIR-V that went in
  Dim3 authoredSize;
  std::string spelling; ///< LocalSize, LocalSizeId, WorkgroupSize
  KernelFacts facts;
  std::vector<VariantInfo> variants; ///< the authored module first
  std::vector<Refusal> refused;
  /// The dispatch that profiles chose variants at, in authored groups; nullopt: none did.
  std::optional<Dim3> assumedGroups{};
  friend bool operator==(const KernelInfo &, const KernelInfo &) = default;
};

/// A bundle in memory. Blobs are shared: equal code is stored once.
struct Bundle {
  std::string tool; ///< "spirv-tailor 0.1.0"
  std::vector<KernelInfo> kernels;
  std::vector<std::string> blobs; ///< bytes: SPIR-V words in little-endian order, or UTF-8 text
  std::vector<LanguageInterface> interfaces{}; ///< what texts ask of their hosts

  /// The index of an equal blob, or of the new one.
  uint32_t addBlob(std::string bytes);
  /// The same for an interface.
  uint32_t addInterface(LanguageInterface interface);
  /// Whether the blob is there, and has the bytes that are replaced.
  bool has(const CodeInfo &code) const;
  /// The bytes of a variant's file; `has(code)`.
  std::string bytesOf(const CodeInfo &code) const;
  friend bool operator==(const Bundle &a, const Bundle &b) {
    return a.tool == b.tool && a.kernels == b.kernels && a.blobs == b.blobs &&
           a.interfaces == b.interfaces;
  }

private:
  std::map<std::string, uint32_t> blobOfHash;
};

/// `blur.resize-64x1x1.spv`, `.comp.glsl`, `.comp.essl`, `.hlsl`, `.metal`, `.wgsl`: the name of a
/// variant's file. One path component whatever the names hold: anything but letters, digits, `.`,
/// `-` and `_` becomes `_`, as does a leading dot; long names are cut and told apart by a hash.
std::string fileNameOf(const KernelInfo &kernel, const VariantInfo &variant,
                       std::string_view target);

/// Writes further members of a kernel's object, behind those of the manifest.
using KernelMembers = std::function<void(llvm::json::OStream &json, const KernelInfo &kernel)>;
/// Writes manifest.json, schema 1 (docs/formats.md). `members` is asked for each kernel, in order.
void writeManifestJson(llvm::json::OStream &json, const Bundle &bundle,
                       const KernelMembers &members = {});

} // namespace tailor

#endif
