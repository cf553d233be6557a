//===- Bundle/Manifest.cpp -----------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Bundle/Manifest.h"

#include "Support/Hash.h"

#include <algorithm>

namespace tailor {

std::string_view nameOf(Evidence evidence) {
  return evidence == Evidence::Proven ? "proven" : "declared";
}

uint32_t Bundle::addBlob(std::string bytes) {
  if (blobOfHash.size() != blobs.size()) { // blobs came in by another way
    blobOfHash.clear();
    for (uint32_t i = 0; i < blobs.size(); ++i)
      blobOfHash.emplace(sha256Hex(blobs[i]), i);
  }
  auto [entry, isNew] = blobOfHash.emplace(sha256Hex(bytes), static_cast<uint32_t>(blobs.size()));
  if (isNew)
    blobs.push_back(std::move(bytes));
  return entry->second;
}

/// One part of a file name. File systems allow 255 bytes; three parts share them.
uint32_t Bundle::addInterface(LanguageInterface interface) {
  auto known = std::find(interfaces.begin(), interfaces.end(), interface);
  if (known == interfaces.end())
    known = interfaces.insert(known, std::move(interface));
  return static_cast<uint32_t>(known - interfaces.begin());
}

bool Bundle::has(const CodeInfo &code) const {
  if (code.blob >= blobs.size() || (code.interface && *code.interface >= interfaces.size()))
    return false;
  return uint64_t{code.at} + code.count <= blobs[code.blob].size();
}

std::string Bundle::bytesOf(const CodeInfo &code) const {
  std::string bytes = blobs[code.blob];
  if (code.isPatched())
    bytes.replace(code.at, code.count, code.bytes);
  return bytes;
}

static std::string fileNamePart(std::string_view text) {
  constexpr size_t kMaxLength = 96, kHashLength = 12;
  std::string part;
  for (char c : text) {
    bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                 c == '.' || c == '-' || c == '_';
    part.push_back(plain ? c : '_');
  }
  if (part.empty())
    return "_";
  if (part.front() == '.')
    part.front() = '_';
  if (part.size() > kMaxLength) {
    part.resize(kMaxLength - kHashLength - 1);
    part += "-" + sha256Hex(text).substr(0, kHashLength);
  }
  return part;
}

static std::string suffixOf(std::string_view target) {
  static constexpr std::pair<std::string_view, std::string_view> kSuffixes[] = {
      {"spirv", "spv"}, {"glsl", "comp.glsl"}, {"essl", "comp.essl"},
      {"hlsl", "hlsl"}, {"msl", "metal"},      {"wgsl", "wgsl"}};
  for (auto [name, suffix] : kSuffixes)
    if (name == target)
      return std::string(suffix);
  return fileNamePart(target);
}

std::string fileNameOf(const KernelInfo &kernel, const VariantInfo &variant,
                       std::string_view target) {
  return fileNamePart(kernel.name) + "." + fileNamePart(variant.id) + "." + suffixOf(target);
}

} // namespace tailor
