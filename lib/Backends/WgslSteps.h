//===- Backends/WgslSteps.h - The steps from SPIR-V to WGSL  -===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inside lib/Backends alone. Wgsl.cpp runs them in order.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_BACKENDS_WGSLSTEPS_H
#define TAILOR_BACKENDS_WGSLSTEPS_H

#include "Backends/Emitters.h"
#include "IR/Builder.h"
#include "IR/Module.h"

#include <string>
#include <vector>

namespace tailor::wgsl {

/// The function of the one entry point.
Function &entryFunction(Module &module);

/// Makes of the module what naga can read and WGSL can say, without a change of its meaning:
/// one entry point; no variables that nobody uses; functions written out where they stand in the
/// way of what WGSL proves about barriers; OpSMod, atomic increments and memory barriers in other
/// words. Fails where SPIRV-Tools cannot write functions out.
Result<Module> legalize(std::span<const uint32_t> words, const std::string &entryPoint,
                        const std::string &fileName);

/// Drops what no function uses. Resources keep their bindings taken for as long as they are there.
void dropUnusedVariables(Module &module, bool resourcesToo);

/// What naga (wgpu 30) reads otherwise than it is meant, or not at all, in words that it reads:
/// decorations of HLSL, initial values of workgroup memory, undefined values, minima and maxima
/// over subgroups of numbers of the other sign, exponents without a sign, coordinates of
/// arrayed images.
void rewriteForNaga(Module &module, Builder &builder);

/// Constants that WGSL would look at ahead of time, and refuse the text for them, go through
/// variables: operands of instructions that have constants alone, and divisors, shifts, bits,
/// indices and the like that are not what an instruction takes.
void hideConstants(Module &module, Builder &builder);
/// Refuses, at the instruction, one that has an infinite constant, or makes one of an integer.
Status checkConstants(const Module &module, const Instruction &inst);
/// Also those that WGSL does not have.
void dropUnusedConstants(Module &module);

/// Refuses what naga (wgpu 30) writes and does not take itself, at the instruction: OpSelect of
/// structures and arrays, the layers of an arrayed image among its sizes, structures and arrays
/// read or written as a whole of which a part is atomic.
Status checkUse(const Module &module, const Instruction &inst);
/// Refuses, at the second variable, two that share one binding.
Status refuseSharedBindings(const Module &module);

/// Refuses an OpExtInst that naga does not bring into WGSL.
Status checkExtended(const Module &module, const Instruction &inst);

/// Refuses what WGSL cannot express, at the instruction or the variable. To be asked after the
/// resources are as the text has them.
Status refuseInexpressible(const Module &module);
/// The limits that WebGPU guarantees, of what one stage binds. `localSize`'s are Backend.cpp's.
Status refuseOverLimits(const Module &module, const LanguageLimits &limits);

/// Values that reach a barrier's condition through workgroup memory, as Wgsl.cpp names them.
inline constexpr std::string_view kUniformLoadName = "tailor_uniform_load";

/// WGSL takes a barrier only where its own rules show that all invocations come to it (WGSL
/// specification, "Uniformity"). Checks each barrier by rules that are no weaker than those. Where
/// a condition comes out of workgroup memory, the load becomes one that the group does together:
/// its result goes through a call of a function whose name starts with kUniformLoadName, for
/// finishText() to turn into workgroupUniformLoad. A barrier that stays unproven is refused, with
/// the branch and the value that it hangs on.
struct UniformLoads {
  unsigned count = 0;              ///< calls
  std::vector<uint32_t> functions; ///< the functions called, as words to follow the module's
};
Result<UniformLoads> proveBarriers(Module &module);

/// What of the module the finished text is to have.
struct TextNeeds {
  unsigned uniformLoads = 0; ///< calls of proveBarriers()
  bool subgroups = false;    ///< operations or built-in values of theirs
};

/// What naga wrote, with what its reader of SPIR-V cannot bring over: ids as parameters, not as
/// private variables (which WGSL takes for different in each invocation); the loads of
/// proveBarriers; compare-and-exchange that does not fail for no reason; the directives; the
/// largest float.
Result<std::string> finishText(const std::string &text, const TextNeeds &needs,
                               const std::string &fileName);

/// The directives of a text with subgroup operations. Subgroups meet wherever Vulkan lets them,
/// which is more than WGSL's own proof shows.
inline constexpr std::string_view kEnableSubgroups = "enable subgroups;";
inline constexpr std::string_view kSubgroupsMeetAnywhere = "diagnostic(off, subgroup_uniformity);";

/// A resource as the text declares it.
struct Declaration {
  uint32_t group = 0, binding = 0;
  std::string space; ///< `uniform`, `storage, read_write`, empty for textures and samplers
  std::string name, type;
};
std::vector<Declaration> declarations(std::string_view text);
/// The name behind `@compute @workgroup_size(...)\nfn `; empty unless there is exactly one.
std::string entryPointIn(std::string_view text);
/// `enable f16;` and the like, by name.
std::vector<std::string> enabled(std::string_view text);

/// Refuses, at the branch, loops that are left from inside a switch.
Status refuseBreaksThroughSwitches(const Module &module);
/// Structures that naga (wgpu 30) would take for one, since their names and offsets are the same,
/// and that need other words in the text, get other names. Refuses, at the variable, buffers with a
/// layout that WGSL has no words for.
Status separateLayouts(Module &module);
/// Refuses, at the variable, uniform buffers with a layout that WGSL has for storage buffers alone.
Status checkUniformLayout(const Module &module);
/// The text with its buffers' members where the module has them, by attributes. `module` is what
/// the text was made from.
Result<std::string> spellOutLayout(const std::string &text, const Module &module);
/// The member that spellOutLayout() puts ahead of a first one that is not at byte 0.
inline constexpr std::string_view kPaddingName = "tailor_padding";
/// Refuses, at the variable, a buffer of which the finished text has a member, an element or a
/// column where the module has it not; found out from the text alone.
Status checkWrittenLayout(std::string_view text, const Module &module);

} // namespace tailor::wgsl

#endif
