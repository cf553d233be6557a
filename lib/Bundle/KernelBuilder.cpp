//===- Bundle/KernelBuilder.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Bundle/KernelBuilder.h"

#include "Backends/Backend.h"
#include "Support/Files.h"
#include "Support/Hash.h"
#include "Support/SpirvTools.h"
#include "passes/CanonicalizeWorkgroupSize.h"
#include "passes/PassManager.h"
#include "passes/Resize.h"
#include "passes/SelectEntryPoint.h"

#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <map>

namespace tailor {

void dropSourceLines(Module &module) {
  module.forEachInstruction([](Instruction &inst) { inst.clearLineMarks(); });
  InstructionList &debug = module.section(Section::Debug);
  for (auto at = debug.begin(); at != debug.end();) {
    Instruction &inst = *at++;
    switch (inst.opcode()) {
    case spv::Op::OpSource:
    case spv::Op::OpSourceContinued:
    case spv::Op::OpSourceExtension:
    case spv::Op::OpModuleProcessed:
      module.erase(Section::Debug, inst);
      break;
    default:
      break;
    }
  }
  UseMap uses(module); // after what named the strings is gone
  for (auto at = debug.begin(); at != debug.end();) {
    Instruction &inst = *at++;
    bool used = false; // by non-semantic debug information, which stays whole
    for (const UseMap::Use &use : uses.uses(inst.result()))
      used |= use.user->opcode() == spv::Op::OpExtInst;
    if (inst.opcode() == spv::Op::OpString && !used)
      module.erase(Section::Debug, inst);
  }
}

namespace {

Refusal refusalOf(std::string technique, const Diagnostic &diagnostic) {
  Refusal refusal{std::move(technique), diagnostic.text, diagnostic.location.str(), {}};
  for (const Note &note : diagnostic.notes) {
    std::string place = note.location.str();
    refusal.causes.push_back(place.empty() ? note.text : place + ": " + note.text);
  }
  return refusal;
}

std::string whyOf(const Certificate &certificate, const Dispatch &dispatch) {
  std::string why = "behaviour depends on the global id alone";
  switch (dispatch.rule) {
  case DispatchRule::Cover:
    return why + ", and every side effect stands under a bounds check on each axis whose size "
                 "does not divide the authored one";
  case DispatchRule::Exact: {
    bool divides = true;
    for (unsigned axis = 0; axis < 3; ++axis)
      divides &= certificate.authored.size[axis] % dispatch.div[axis] == 0;
    return why + (divides ? ", and the size divides the authored size, so every grid comes out even"
                          : "; the size must divide the grid of the dispatch");
  }
  default:
    return why;
  }
}

std::vector<uint32_t> nativeWords(const Module &module) {
  if (!module.isBigEndian())
    return module.words();
  Module copy = module.clone();
  copy.useNativeByteOrder();
  return copy.words();
}

class KernelBuilder {
public:
  KernelBuilder(const Module &input, const EntryPoint &entry, const KernelBuildOptions &options,
                Bundle &bundle, Diagnostics &diagnostics)
      : input(input), entry(entry), options(options), bundle(bundle), diagnostics(diagnostics) {}

  Result<KernelInfo> build(const std::string &name);

private:
  Status prepareBase();
  Status addAuthored();
  Status addResized(const Dim3 &size);
  void collectHostConstants();
  void emitTargets(VariantInfo &variant, const std::vector<uint32_t> &words,
                   const std::vector<uint32_t> &spirv);
  Result<std::string> emitText(const std::string &target, const Dim3 &size,
                               const std::vector<uint32_t> &words);
  bool differsInSizeAlone(const std::vector<uint32_t> &words) const;

  const Module &input;
  const EntryPoint &entry;
  const KernelBuildOptions &options;
  Bundle &bundle;
  Diagnostics &diagnostics;
  Certificate certificate;
  Module module; ///< the authored module as it goes into the bundle
  /// Of options.spec: what `base` still leaves to the host.
  std::map<uint32_t, uint64_t> hostConstants;
  Module base; ///< this entry point alone, with one literal LocalSize: what variants are made from
  KernelInfo kernel;

  /// The first resized variant: its words, where its LocalSize literals stand among them, and its
  /// texts (or why there is none). Every other one differs in those three words alone, which is
  /// checked, so that the texts serve for all and need the size put in.
  struct Pattern {
    std::vector<uint32_t> words;
    size_t sizeWord = 0;
    std::map<std::string, Result<std::string>> texts;
  };
  std::optional<Pattern> pattern;
};

Status KernelBuilder::prepareBase() {
  base = module.clone();
  base.useNativeByteOrder();
  PassContext context{diagnostics, llvm::nulls(), options.spec, entry.name()};
  PassManager manager;
  manager.add(std::make_unique<CanonicalizeWorkgroupSize>(CanonicalizeWorkgroupSize::Options{}));
  manager.add(std::make_unique<SelectEntryPoint>(SelectEntryPoint::Options{entry.name()}));
  if (Result<Change> ran = manager.run(base, context); !ran)
    return ran.takeFailure();
  collectHostConstants();
  return success();
}

void KernelBuilder::collectHostConstants() {
  for (const Instruction &inst : base.section(Section::Globals))
    if (isSpecConstant(inst.opcode()))
      if (std::optional<uint32_t> id = base.decoration(inst.result(), spv::Decoration::SpecId))
        if (auto given = options.spec.find(*id); given != options.spec.end())
          hostConstants.insert(*given);
}

/// Index of the first literal of the only LocalSize.
std::optional<size_t> sizeWordOf(const std::vector<uint32_t> &words) {
  constexpr uint32_t kInstruction =
      6u << 16 | static_cast<uint32_t>(spv::Op::OpExecutionMode); // entry, mode, x, y, z
  std::optional<size_t> found;
  for (size_t at = kSpirvHeaderWords; at < words.size();) {
    const uint32_t count = words[at] >> 16;
    if (count == 0 || (words[at] & 0xffff) == static_cast<uint32_t>(spv::Op::OpFunction))
      return found;
    if (words[at] == kInstruction && at + count <= words.size() &&
        words[at + 2] == static_cast<uint32_t>(spv::ExecutionMode::LocalSize)) {
      if (found)
        return std::nullopt;
      found = at + 3;
    }
    at += count;
  }
  return found;
}

bool KernelBuilder::differsInSizeAlone(const std::vector<uint32_t> &words) const {
  if (!pattern || words.size() != pattern->words.size())
    return false;
  auto size = static_cast<std::ptrdiff_t>(pattern->sizeWord);
  return std::equal(words.begin(), words.begin() + size, pattern->words.begin()) &&
         std::equal(words.begin() + size + 3, words.end(), pattern->words.begin() + size + 3);
}

Result<std::string> KernelBuilder::emitText(const std::string &target, const Dim3 &size,
                                            const std::vector<uint32_t> &words) {
  EmitRequest request{words, entry.name(), size, module.source.file, {}};
  if (!differsInSizeAlone(words))
    return emit(target, request);
  auto known = pattern->texts.find(target);
  if (known == pattern->texts.end())
    known = pattern->texts.emplace(target, emit(target, request)).first;
  if (!known->second)
    return Failure{known->second.diagnostic()};
  return withSize(target, *known->second, size);
}

/// `spirv` is what goes into the bundle as SPIR-V, `words` what the languages are made from.
void KernelBuilder::emitTargets(VariantInfo &variant, const std::vector<uint32_t> &words,
                                const std::vector<uint32_t> &spirv) {
  for (const std::string &target : options.targets) {
    const Backend *backend = findBackend(target);
    Status fits = backend ? checkLimits(*backend, variant.localSize, variant.sharedBytes)
                          : failure({}, "there is no such language");
    Result<std::string> code = !fits               ? Result<std::string>(fits.takeFailure())
                               : target == "spirv" ? bytesOfWords(spirv)
                                                   : emitText(target, variant.localSize, words);
    if (code)
      variant.code[target] = bundle.addBlob(std::move(*code));
    else
      variant.skipped[target] = code.diagnostic().text;
  }
}

Status KernelBuilder::addAuthored() {
  VariantInfo &authored = kernel.variants.front();
  authored.specConstants = std::map<uint32_t, uint64_t>(options.spec.begin(), options.spec.end());
  // Its SPIR-V is the module as it came, with its specialization constants.
  emitTargets(authored, base.words(), nativeWords(module));
  return success();
}

Status KernelBuilder::addResized(const Dim3 &size) {
  Result<Dispatch> dispatch = resizeDispatch(certificate, size, options.assumeCover);
  if (!dispatch)
    return dispatch.takeFailure();
  Module made = base.clone();
  PassContext context{diagnostics, llvm::nulls(), {}, entry.name()};
  Resize resize({size, entry.name(), &certificate});
  if (Result<Change> ran = resize.run(made, context); !ran)
    return ran.takeFailure();
  std::vector<uint32_t> words = made.words();
  // Literals other than zero have no part in validity: what holds for the first holds for all that
  // differ in them alone.
  if (!differsInSizeAlone(words)) {
    if (Status valid = validateSpirv(words, module.source.file); !valid) {
      Failure fault = valid.takeFailure();
      fault.diagnostic.kind = ErrorKind::Internal;
      fault.diagnostic.text =
          "the variant of size " + size.str() + " is not valid SPIR-V: " + fault.diagnostic.text;
      return fault;
    }
    if (std::optional<size_t> sizeWord = sizeWordOf(words))
      pattern = Pattern{words, *sizeWord, {}};
  }

  VariantInfo variant;
  variant.id = "resize-" + size.str();
  variant.technique = "resize";
  variant.localSize = size;
  variant.sharedBytes = certificate.facts.sharedBytes;
  variant.specConstants = hostConstants;
  variant.why = whyOf(certificate, *dispatch);
  if (dispatch->rule == DispatchRule::Cover)
    variant.assumes.emplace_back("grid-covers-bound");
  variant.dispatch = std::move(*dispatch);
  emitTargets(variant, words, words);
  kernel.variants.push_back(std::move(variant));
  return success();
}

Result<KernelInfo> KernelBuilder::build(const std::string &name) {
  Result<Certificate> proven = certify(input, entry, options.spec);
  if (!proven)
    return proven.takeFailure();
  certificate = std::move(*proven);
  module = input.clone();
  if (options.stripSourceLines)
    dropSourceLines(module);
  Result<KernelInfo> described = describeKernel(module, entry, name, certificate);
  if (!described)
    return described.takeFailure();
  kernel = std::move(*described);
  if (Status ready = prepareBase(); !ready)
    return ready.takeFailure();
  if (Status added = addAuthored(); !added)
    return added.takeFailure();
  if (!certificate.resizeLegal())
    return std::move(kernel);

  CandidateSizes candidates = candidateSizes(certificate, options.sizes, options.maxVariants);
  if (candidates.dropped != 0)
    diagnostics.warning(Location::inFile(module.source.file),
                        "kernel '" + name + "': " + std::to_string(candidates.dropped) + " of " +
                            std::to_string(candidates.dropped + candidates.sizes.size()) +
                            " sizes are left out by --max-variants");
  for (size_t at = 0; at < candidates.sizes.size(); ++at) {
    if (Status added = addResized(candidates.sizes[at]); !added) {
      if (added.diagnostic().kind == ErrorKind::Internal)
        return added.takeFailure();
      // The certificate allowed it, but the module does not let itself be rewritten.
      kernel.refused.push_back(refusalOf("resize", added.diagnostic()));
      break;
    }
    if (options.progress)
      options.progress(at + 1, candidates.sizes.size());
  }
  return std::move(kernel);
}

} // namespace

Result<KernelInfo> describeKernel(const Module &module, const EntryPoint &entry,
                                  const std::string &name, const Certificate &certificate) {
  KernelInfo kernel;
  kernel.name = name;
  kernel.entryPoint = entry.name();
  kernel.sourceHash = sha256Hex(std::span<const uint32_t>(nativeWords(module)));
  kernel.authoredSize = certificate.authored.size;
  kernel.spelling = nameOf(certificate.authored.spelling);
  kernel.facts = certificate.facts;
  for (Technique technique : kTechniques)
    if (const std::optional<Diagnostic> &why = certificate.verdict(technique).refusal)
      kernel.refused.push_back(refusalOf(std::string(nameOf(technique)), *why));
  VariantInfo authored;
  authored.id = authored.technique = "authored";
  authored.localSize = certificate.authored.size;
  authored.sharedBytes = certificate.facts.sharedBytes;
  authored.dispatch = {DispatchRule::Same, {1, 1, 1}, {1, 1, 1}, {}};
  authored.why = "the module as its author wrote it";
  kernel.variants.push_back(std::move(authored));
  return kernel;
}

Result<KernelInfo> buildKernel(const Module &module, const EntryPoint &entry,
                               const std::string &name, const KernelBuildOptions &options,
                               Bundle &bundle, Diagnostics &diagnostics) {
  return KernelBuilder(module, entry, options, bundle, diagnostics).build(name);
}

} // namespace tailor
