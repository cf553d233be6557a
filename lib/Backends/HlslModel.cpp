//===- Backends/HlslModel.cpp ----------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Backends/HlslModel.h"

#include "Backends/HlslScan.h"

#include <algorithm>
#include <set>

namespace tailor {
namespace {

using spirv_cross::SPIRType;

// Shader model 5.0: Direct3D 11.3 functional specification, slots of a compute shader; 64 UAVs
// since 11.1. FXC: X4567, X4509.
constexpr uint32_t kConstantBuffers = 14, kTextures = 128, kSamplers = 16, kWritables = 64;
constexpr uint32_t kFirstModel = 50;
/// Of feature level 11.0.
constexpr uint32_t kFewWritables = 8;

uint32_t slotsOf(char letter) {
  return letter == 'b'   ? kConstantBuffers
         : letter == 't' ? kTextures
         : letter == 's' ? kSamplers
                         : kWritables;
}

std::string placeOf(const BoundResource &resource) {
  return "'" + resource.name + "' (set " + std::to_string(resource.set) + ", binding " +
         std::to_string(resource.binding) + ")";
}

class Chooser {
public:
  Chooser(const ModuleFacts &facts, const spirv_cross::CompilerHLSL &compiler,
          const std::vector<BoundResource> &bound,
          const spirv_cross::SmallVector<spirv_cross::Resource> &pushConstants)
      : facts(facts), compiler(compiler), bound(bound), pushConstants(pushConstants) {}

  Result<HlslModel> choose(uint32_t asked) {
    HlslScan scan = scanForHlsl(facts);
    needs = std::move(scan.needs);
    features = std::move(scan.features);
    needWideBuffers();
    needSpaces();
    for (const BoundResource &resource : bound)
      if (resource.kind == BindingKind::UniformBuffer)
        needWideMatrices(compiler.get_type_from_variable(spirv_cross::VariableID(resource.id)));
    for (const spirv_cross::Resource &block : pushConstants)
      needWideMatrices(compiler.get_type(block.base_type_id));
    auto highest = std::max_element(
        needs.begin(), needs.end(),
        [](const HlslNeed &first, const HlslNeed &second) { return first.model < second.model; });
    const uint32_t lowest = highest == needs.end() ? kFirstModel : highest->model;
    if (lowest == kNoModel || (asked != 0 && lowest > asked)) {
      const std::string below =
          lowest == kNoModel ? "" : " below shader model " + modelName(lowest);
      return failure(highest->where, "hlsl cannot express " + highest->what + below);
    }
    needWritables();
    HlslModel chosen;
    chosen.model = asked == 0 ? lowest : asked;
    chosen.nativeTypes = isNative;
    chosen.features.assign(features.begin(), features.end());
    return chosen;
  }

private:
  void need(uint32_t model, std::string what) {
    needs.push_back({model, std::move(what), facts.location()});
  }
  void needWideBuffers();
  void needSpaces();
  void needWritables();
  void needWideMatrices(const SPIRType &block);
  bool isWide(const SPIRType &type) const;

  const ModuleFacts &facts;
  const spirv_cross::CompilerHLSL &compiler;
  const std::vector<BoundResource> &bound;
  const spirv_cross::SmallVector<spirv_cross::Resource> &pushConstants;
  std::vector<HlslNeed> needs;
  std::set<std::string> features;
  bool isNative = false;
};

/// Whether a type holds numbers of other than 32 bits.
bool Chooser::isWide(const SPIRType &type) const {
  for (spirv_cross::TypeID member : type.member_types)
    if (isWide(compiler.get_type(member)))
      return true;
  return type.basetype != SPIRType::Struct && type.basetype != SPIRType::Boolean &&
         type.width != 32;
}

/// Byte-address buffers load and store other than 32 bits as templates, since 6.2.
void Chooser::needWideBuffers() {
  isNative = features.contains("-enable-16bit-types");
  for (const BoundResource &resource : bound)
    if (resource.kind == BindingKind::StorageBuffer &&
        isWide(compiler.get_type_from_variable(spirv_cross::VariableID(resource.id)))) {
      need(62, "numbers of other than 32 bits in the buffer '" + resource.name + "'");
      isNative = true;
    }
}

/// Shader model 5.0 has no sets, few slots, and arrays of resources that only literals index.
void Chooser::needSpaces() {
  struct Taken {
    char letter;
    const BoundResource *by;
  };
  std::vector<Taken> taken;
  for (const BoundResource &resource : bound) {
    const uint32_t count = elementsOf(compiler, resource);
    if (count != 1)
      need(51, "the array of resources " + placeOf(resource));
    for (char letter : registerLetters(compiler, resource)) {
      const std::string name = std::string(1, letter) + std::to_string(resource.binding);
      if (resource.binding + std::max(count, 1u) > slotsOf(letter))
        need(51, "the register " + name + " of " + placeOf(resource));
      for (const auto &[other, by] : taken)
        if (other == letter && by->binding == resource.binding) {
          const bool isView = by->set == resource.set;
          need(isView ? kNoModel : 51,
               "that " + placeOf(*by) + " and " + placeOf(resource) +
                   (isView ? " are views of one binding" : " have one register, " + name + ","));
        }
      taken.push_back({letter, &resource});
    }
  }
}

/// The rows, or columns, of a matrix in a constant buffer start every 16 bytes. SPIRV-Cross 1.3.239
/// compares the offsets of members with that, but not the strides of matrices, and would let the
/// kernel read something else.
void Chooser::needWideMatrices(const SPIRType &block) {
  for (uint32_t at = 0; at < block.member_types.size(); ++at) {
    const SPIRType &member = compiler.get_type(block.member_types[at]);
    needWideMatrices(member);
    if (member.columns < 2)
      continue;
    const bool isRowMajor = compiler.has_member_decoration(block.self, at, spv::DecorationRowMajor);
    const uint32_t bytes = (isRowMajor ? member.columns : member.vecsize) * member.width / 8;
    const uint32_t stride = compiler.type_struct_member_matrix_stride(block, at);
    if (stride != (bytes + 15) / 16 * 16)
      need(kNoModel, "the matrix '" + compiler.get_member_name(block.self, at) +
                         "' in a constant buffer, where it has a stride of " +
                         std::to_string(stride) + " bytes");
  }
}

/// What the device must offer beyond Direct3D 11.0.
void Chooser::needWritables() {
  for (const BoundResource &resource : bound) {
    const bool writes = registerLetters(compiler, resource) == "u";
    if (writes && resource.binding >= kFewWritables)
      features.insert("D3D11_1_UAV_SLOTS");
    const SPIRType &type = compiler.get_type_from_variable(spirv_cross::VariableID(resource.id));
    // Loads of other formats than these three are an option of Direct3D 11.3.
    if (resource.kind == BindingKind::Image && writes &&
        !compiler.has_decoration(spirv_cross::VariableID(resource.id),
                                 spv::DecorationNonReadable) &&
        type.image.format != spv::ImageFormatR32f && type.image.format != spv::ImageFormatR32i &&
        type.image.format != spv::ImageFormatR32ui)
      features.insert("TypedUAVLoadAdditionalFormats");
  }
}

} // namespace

std::string modelName(uint32_t model) {
  return std::to_string(model / 10) + "." + std::to_string(model % 10);
}

Result<HlslModel>
chooseModel(uint32_t asked, const ModuleFacts &facts, const spirv_cross::CompilerHLSL &compiler,
            const std::vector<BoundResource> &bound,
            const spirv_cross::SmallVector<spirv_cross::Resource> &pushConstants) {
  return Chooser(facts, compiler, bound, pushConstants).choose(asked);
}

} // namespace tailor
