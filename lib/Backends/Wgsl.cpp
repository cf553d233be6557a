//===- Backends/Wgsl.cpp - WGSL, through naga -------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Backends/WgslSteps.h"

#include "Naga/Naga.h"
#include "Support/TextScan.h"
#include "passes/DeclareAccess.h"
#include "passes/PushConstantsToBuffer.h"
#include "passes/SplitCombinedSamplers.h"

#include <algorithm>

namespace tailor {
namespace {

using wgsl::Declaration;

/// Where the module's own places went.
struct Places {
  std::optional<PushConstantBuffer> pushConstants;
  std::vector<SplitSampler> samplers;
};

std::string kindOf(const Declaration &declaration) {
  const std::string &type = declaration.type;
  if (declaration.space == "uniform")
    return "uniform_buffer";
  if (!declaration.space.empty())
    return "storage_buffer";
  if (type.starts_with("sampler"))
    return "sampler";
  return type.starts_with("texture_storage") ? "image" : "texture";
}

bool isWritten(const Declaration &declaration) {
  return declaration.space == "storage, read_write" || declaration.type.ends_with("write>");
}

Result<LanguageInterface> interfaceOf(const std::string &text, const Places &places,
                                      const std::string &fileName) {
  LanguageInterface interface;
  interface.entryPoint = wgsl::entryPointIn(text);
  if (interface.entryPoint.empty())
    return failure(Location::inFile(fileName), "the WGSL text has not one entry point",
                   ErrorKind::Internal);
  for (const std::string &extension : wgsl::enabled(text))
    interface.features.push_back(extension == "f16" ? "shader-f16" : extension);
  std::sort(interface.features.begin(), interface.features.end());

  for (const Declaration &declaration : wgsl::declarations(text)) {
    const std::vector<PlaceNumber> place{{"group", declaration.group},
                                         {"binding", declaration.binding}};
    if (places.pushConstants && places.pushConstants->set == declaration.group &&
        places.pushConstants->binding == declaration.binding) {
      interface.values.push_back({"push_constants", kindOf(declaration), declaration.name,
                                  places.pushConstants->bytes, place});
      continue;
    }
    PlacedResource resource;
    resource.kind = kindOf(declaration);
    resource.name = declaration.name;
    resource.set = declaration.group;
    resource.binding = declaration.binding;
    resource.writes = isWritten(declaration);
    resource.place = place;
    // A sampler that was joined to its image goes by the image's place in the module.
    for (const SplitSampler &split : places.samplers)
      if (isValid(split.sampler) && split.set == declaration.group &&
          split.samplerBinding == declaration.binding)
        resource.binding = split.imageBinding;
    interface.resources.push_back(std::move(resource));
  }
  std::sort(interface.resources.begin(), interface.resources.end(),
            [](const PlacedResource &a, const PlacedResource &b) {
              return std::tie(a.set, a.binding, a.kind) < std::tie(b.set, b.binding, b.kind);
            });
  return interface;
}

/// By what the module does, not by words of its text: a name of the author's may be one of them.
bool usesSubgroups(const Module &module) {
  for (const Instruction &inst : module.section(Section::Globals))
    if (auto builtIn = module.decoration(inst.result(), spv::Decoration::BuiltIn))
      switch (static_cast<spv::BuiltIn>(*builtIn)) {
      case spv::BuiltIn::SubgroupSize:
      case spv::BuiltIn::SubgroupLocalInvocationId:
        return true;
      default:
        break;
      }
  for (const auto &function : module.functions())
    for (const Block &block : function->blocks())
      for (const Instruction &inst : block.instructions())
        if (nameOf(inst.opcode()).starts_with("OpGroupNonUniform"))
          return true;
  return false;
}

/// The first instruction that is meant by `unsupportedInstruction(Function, CopyLogical)` or
/// `unsupportedExtInst(35)`; null where it is neither, or none is found.
const Instruction *namedIn(std::string_view reason, const Module &module) {
  const bool extended = take(reason, "unsupportedExtInst(");
  if (!extended && !take(reason, "unsupportedInstruction("))
    return nullptr;
  const size_t comma = reason.find(", ");
  const std::string_view word = reason.substr(0, reason.find(')'));
  const Instruction *found = nullptr;
  module.forEachInstruction([&](const Instruction &inst) {
    const bool same =
        extended ? inst.opcode() == spv::Op::OpExtInst && std::to_string(inst.literal(1)) == word
                 : comma != std::string_view::npos && comma < word.size() &&
                       nameOf(inst.opcode()).substr(2) == word.substr(comma + 2);
    if (same && !found)
      found = &inst;
  });
  return found;
}

/// naga's own reasons, as ours: its messages do not say where in SPIR-V. What naga was given has no
/// lines any more: they are those of the request.
Failure refusedByNaga(Failure refused, const EmitRequest &request) {
  Diagnostic &diagnostic = refused.diagnostic;
  if (diagnostic.kind != ErrorKind::Refused)
    return refused;
  if (Result<Module> module = wgsl::legalize(request.spirv, request.entryPoint, request.fileName))
    if (const Instruction *inst = namedIn(diagnostic.text, *module)) {
      const std::string number =
          inst->opcode() == spv::Op::OpExtInst ? " " + std::to_string(inst->literal(1)) : "";
      return failure(module->locationOf(*inst),
                     "wgsl cannot express " + nameOf(inst->opcode()) + number);
    }
  // "function [0] 'main' is invalid", then an expression by a number of naga's, and at last what is
  // the matter, which must be where a manifest has it: it takes no notes.
  if (!diagnostic.notes.empty() && diagnostic.text.ends_with("is invalid"))
    diagnostic.text += ": " + diagnostic.notes.back().text;
  diagnostic.text = "wgsl cannot express this kernel: " + diagnostic.text;
  return refused;
}

/// The text read back: what naga wrote and does not take itself must not leave the house. It knows
/// subgroups, and not (wgpu 30) the directives that they need.
Status checkText(const std::string &text, const std::string &fileName) {
  std::string known = text;
  for (std::string_view directive : {wgsl::kEnableSubgroups, wgsl::kSubgroupsMeetAnywhere})
    if (const size_t at = known.find(directive); at != std::string::npos)
      known.erase(at, directive.size());
  Status again = naga::checkWgsl(known, fileName);
  if (again)
    return success();
  Diagnostic fault = again.diagnostic();
  // Lines of the text mean nothing to who wrote the kernel.
  Diagnostic refused =
      Diagnostic::error(Location::inFile(fileName),
                        "wgsl cannot express this kernel: its text is not valid: " + fault.text);
  for (Note &note : fault.notes)
    refused.addNote({}, std::move(note.text));
  return failure(std::move(refused));
}

} // namespace

Result<Emitted> emitWgsl(const EmitRequest &request, const ModuleFacts &) {
  const std::string &file = request.fileName;
  if (!naga::isAvailable())
    return failure(Location::inFile(file), std::string(naga::whyUnavailable()),
                   ErrorKind::Environment);
  Result<Module> module = wgsl::legalize(request.spirv, request.entryPoint, file);
  if (!module)
    return module.takeFailure();

  // Resources as WGSL has them, then what it does not have, then its proof about barriers, which
  // asks who writes what.
  Places places;
  Result<std::vector<SplitSampler>> samplers = splitCombinedSamplers(*module);
  if (!samplers)
    return samplers.takeFailure();
  places.samplers = std::move(*samplers);
  Result<std::optional<PushConstantBuffer>> buffer = pushConstantsToBuffer(*module);
  if (!buffer)
    return buffer.takeFailure();
  places.pushConstants = *buffer;
  // Now that the bindings of what the kernel declares are kept clear of.
  wgsl::dropUnusedVariables(*module, /*resourcesToo=*/true);
  declareAccess(*module);
  const Backend *backend = findBackend("wgsl");
  auto given = request.options.limits.find("wgsl");
  const LanguageLimits &limits =
      given != request.options.limits.end() ? given->second : backend->limits;
  for (Status fine :
       {wgsl::refuseSharedBindings(*module), wgsl::refuseInexpressible(*module),
        wgsl::refuseOverLimits(*module, limits), wgsl::separateLayouts(*module),
        wgsl::checkUniformLayout(*module), wgsl::refuseBreaksThroughSwitches(*module)})
    if (!fine)
      return fine.takeFailure();
  // Ours have been found; what is left over from folding is nobody's.
  Builder builder(*module);
  wgsl::hideConstants(*module, builder);
  wgsl::dropUnusedConstants(*module);
  Result<wgsl::UniformLoads> loads = wgsl::proveBarriers(*module);
  if (!loads)
    return loads.takeFailure();

  // naga reads no OpLine among types and variables. Our own messages have their lines already.
  module->clearLineMarks();
  std::vector<uint32_t> words = module->words();
  words.insert(words.end(), loads->functions.begin(), loads->functions.end());
  Result<std::string> written = naga::wgslFromSpirv(words, file);
  if (!written)
    return refusedByNaga(written.takeFailure(), request);
  Result<std::string> text =
      wgsl::finishText(*written, {loads->count, usesSubgroups(*module)}, file);
  if (!text)
    return text.takeFailure();
  text = wgsl::spellOutLayout(*text, *module);
  if (!text)
    return text.takeFailure();
  if (Status same = wgsl::checkWrittenLayout(*text, *module); !same)
    return same.takeFailure();
  if (Status same = compareSize("wgsl", request, sizeInWgsl(*text)); !same)
    return same.takeFailure();
  if (Status valid = checkText(*text, file); !valid)
    return valid.takeFailure();
  Result<LanguageInterface> interface = interfaceOf(*text, places, file);
  if (!interface)
    return interface.takeFailure();
  return Emitted{std::move(*text), std::move(*interface)};
}

} // namespace tailor
