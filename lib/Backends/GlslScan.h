//===- Backends/GlslScan.h - A module as the GLSL rules read it -----------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_BACKENDS_GLSLSCAN_H
#define TAILOR_BACKENDS_GLSLSCAN_H

#include "Backends/ModuleFacts.h"

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tailor {

/// The instructions that concern one entry point, by place and by id.
class GlslScan {
public:
  struct Inst {
    SpvOp op = SpvOpNop;
    std::span<const uint32_t> operands; ///< result type and result among them
    uint32_t word = 0;
    /// 0 where there is none.
    uint32_t operand(size_t index) const { return index < operands.size() ? operands[index] : 0; }
  };
  /// A variable that the host binds something to: an image, a sampler, a buffer.
  struct Resource {
    uint32_t id, word;
    SpvStorageClass storage;
    uint32_t type; ///< of one element
    bool isArray, isRuntimeArray;
  };

  explicit GlslScan(const ModuleFacts &facts);

  const std::vector<Inst> &instructions() const { return list; }
  /// What defines an id; an OpNop where nothing does.
  const Inst &def(uint32_t id) const;
  /// Of a value.
  const Inst &typeOf(uint32_t id) const;
  const std::vector<Resource> &resources() const { return bound; }
  /// The resource that a pointer or a loaded image comes from; null where that is not plain.
  const Resource *resourceOf(uint32_t id) const;

  struct MemberOffset {
    uint32_t offset, word; ///< word: of the decoration
  };
  /// By structure and index.
  const std::map<std::pair<uint32_t, uint32_t>, MemberOffset> &allMemberOffsets() const {
    return memberOffsets;
  }
  /// The OpName in quotes, or `%12`.
  std::string name(uint32_t id) const;
  /// The variable's, or that of its block.
  std::string name(const Resource &resource) const;
  bool hasDecoration(uint32_t id, SpvDecoration decoration) const {
    return decorations.contains({id, decoration});
  }
  /// Of any member.
  bool hasMemberDecoration(uint32_t id, SpvDecoration decoration) const {
    return memberDecorations.contains({id, decoration});
  }
  /// The first literal of the decoration, or nothing.
  std::optional<uint32_t> decoration(uint32_t id, SpvDecoration decoration) const;
  /// The value of a 32-bit constant, or nothing.
  std::optional<uint32_t> constant(uint32_t id) const;
  bool isConstant(uint32_t id) const;

private:
  void index(const Inst &inst, size_t at);
  void addResource(const Inst &variable);

  std::vector<Inst> list;
  std::vector<uint32_t> byId; ///< index into `list`, plus 1
  std::map<uint32_t, std::string> names;
  std::map<std::pair<uint32_t, uint32_t>, MemberOffset> memberOffsets;
  std::map<std::pair<uint32_t, SpvDecoration>, uint32_t> decorations; ///< to the first literal
  std::set<std::pair<uint32_t, SpvDecoration>> memberDecorations;
  std::vector<Resource> bound;
};

} // namespace tailor

#endif
