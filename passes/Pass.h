//===- passes/Pass.h - What a pass is ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pass is a class with nested Options and one `run` over a module. What the
// manager, the command line and the documentation need to know of it is data:
// a PassInfo, which for the passes of this folder comes from Passes.def.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_PASSES_PASS_H
#define TAILOR_PASSES_PASS_H

#include "IR/Constants.h"
#include "IR/Module.h"
#include "Support/Result.h"

#include "llvm/ADT/ArrayRef.h"

#include <memory>
#include <string>
#include <string_view>

namespace llvm {
class raw_ostream;
}

namespace tailor {

class Pass;
class PassArguments;

/// What a pass did. The manager checks in debug runs that Changed means "the bytes differ".
enum class Change : uint8_t { Unchanged, Changed };

/// Print and verify passes never change the module.
enum class PassKind : uint8_t { Transform, Print, Verify };
std::string_view nameOf(PassKind kind);

/// Facts about a whole module that passes require, establish and preserve. Each can be looked up
/// in the module itself, so none is ever stale.
enum class Property : uint8_t {
  CanonicalSize,   ///< one literal LocalSize per compute entry point, and no other spelling
  OneEntryPoint,   ///< exactly one OpEntryPoint
  NoSpecConstants, ///< no SpecId
};
inline constexpr Property kAllProperties[] = {Property::CanonicalSize, Property::OneEntryPoint,
                                              Property::NoSpecConstants};
/// `canonical-size`
std::string_view nameOf(Property property);
bool holds(const Module &module, Property property);

class PropertySet {
public:
  constexpr PropertySet() = default;
  constexpr PropertySet(Property one) : bits(1u << static_cast<unsigned>(one)) {}
  static constexpr PropertySet all() { return PropertySet(~0u); }
  constexpr bool has(Property one) const { return (bits >> static_cast<unsigned>(one) & 1u) != 0; }
  friend constexpr PropertySet operator|(PropertySet a, PropertySet b) {
    return PropertySet(a.bits | b.bits);
  }

private:
  explicit constexpr PropertySet(uint32_t bits) : bits(bits) {}
  uint32_t bits = 0;
};

/// One option of a pass, for the parser and for the documentation.
struct OptionInfo {
  std::string_view name;  ///< `size`
  std::string_view value; ///< how its value is written, `AxBxC`; empty: takes none
  std::string_view help;  ///< one line
};

/// A pass as the manager, the parser and the documentation see it.
struct PassInfo {
  std::string_view flag;    ///< its name everywhere
  std::string_view summary; ///< one line
  PassKind kind = PassKind::Transform;
  PropertySet required, established, preserved;
  llvm::ArrayRef<OptionInfo> options;
  /// Makes the pass from its textual options.
  Result<std::unique_ptr<Pass>> (*create)(PassArguments &arguments) = nullptr;
  /// What it does and what it does not handle, in Markdown.
  std::string_view documentation;
};

/// What a run works with beside the module.
struct PassContext {
  Diagnostics &diagnostics; ///< for notes and warnings; an error is returned instead
  llvm::raw_ostream &out;   ///< of printing passes
  SpecMap spec;             ///< the host's specialization values
  std::string entryPoint;   ///< for passes over one kernel; empty: the only compute entry point
};

class Pass {
public:
  Pass() = default;
  Pass(const Pass &) = delete;
  Pass &operator=(const Pass &) = delete;
  virtual ~Pass();

  virtual const PassInfo &info() const = 0;
  /// After a failure the module may be half-changed: whoever wants the old one keeps a clone.
  virtual Result<Change> run(Module &module, PassContext &context) = 0;
};

/// Emits a note that stands alone: something a user should know, and no fault.
void emitNote(PassContext &context, Location where, std::string text);

} // namespace tailor

#endif
