//===- Bundle/KernelBuilder.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Bundle/KernelBuilder.h"

#include "Analysis/KernelAnalysis.h"
#include "Analysis/SharedMemory.h"
#include "Bundle/LaneFetch.h"
#include "Bundle/ProfileRank.h"
#include "Bundle/VariantEmitter.h"
#include "Bundle/VariantMaker.h"
#include "Support/Hash.h"
#include "passes/CanonicalizeWorkgroupSize.h"
#include "passes/SelectEntryPoint.h"

#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <map>
#include <set>

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
  Status prepareModules();
  /// A variant that is made, and not yet in the bundle.
  struct Prepared {
    VariantInfo info;
    std::vector<uint32_t> words;
    std::pair<std::string, Dispatch> identity;
    size_t place = 0;     ///< in the order of the bundle
    RankedVariant rank{}; ///< where profiles choose
  };

  VariantPlan plan(const KernelAnalysis &analysis);
  std::optional<ProfileRank> rankFor(const VariantPlan &plan, const KernelAnalysis &analysis) const;
  Status makeVariants(const VariantPlan &plan, const ProfileRank *rank, VariantMaker &maker,
                      VariantEmitter &emitter);
  Status makeAll(const VariantPlan &plan, const ProfileRank *rank, VariantMaker &maker,
                 std::vector<Prepared> &made);
  void choose(const ProfileRank &rank, size_t most, std::vector<Prepared> &made);
  std::optional<Prepared> prepare(const PlannedVariant &planned, MadeVariant made);
  Status add(Prepared prepared, VariantEmitter &emitter);
  size_t mostKnobs() const;
  Status addKnobs(VariantEmitter &emitter);
  void addRefusals();
  void warn(const std::string &text) {
    diagnostics.warning(Location::inFile(module.source.file),
                        "kernel '" + kernel.name + "': " + text);
  }

  const Module &input;
  const EntryPoint &entry;
  const KernelBuildOptions &options;
  Bundle &bundle;
  Diagnostics &diagnostics;
  Certificate certificate;
  Module module; ///< the authored module as it goes into the bundle
  Module open;   ///< this entry point alone
  Module base;   ///< the same with one literal LocalSize: what most variants are made from
  KernelInfo kernel;
  /// What was made, by module and rule: the same is not made twice.
  std::vector<std::pair<std::string, Dispatch>> known;
  size_t leftOut = 0; ///< by maxVariants; knobs are not counted
  std::vector<std::pair<PlannedVariant, Diagnostic>> refusedPlans; ///< that could not be made
};

/// Of the host's values those that the module still leaves to it.
std::map<uint32_t, uint64_t> hostConstants(const Module &module, const SpecMap &spec) {
  std::map<uint32_t, uint64_t> constants;
  for (const Instruction &inst : module.section(Section::Globals))
    if (isSpecConstant(inst.opcode()))
      if (std::optional<uint32_t> id = module.decoration(inst.result(), spv::Decoration::SpecId))
        if (auto given = spec.find(*id); given != spec.end())
          constants.insert(*given);
  return constants;
}

Status KernelBuilder::prepareModules() {
  open = module.clone();
  open.useNativeByteOrder();
  PassContext context{diagnostics, llvm::nulls(), options.spec, entry.name()};
  SelectEntryPoint select({entry.name()});
  if (Result<Change> ran = select.run(open, context); !ran)
    return ran.takeFailure();
  base = open.clone();
  CanonicalizeWorkgroupSize canonicalize({});
  Result<Change> ran = canonicalize.run(base, context);
  return ran ? success() : Status(ran.takeFailure());
}

VariantPlan KernelBuilder::plan(const KernelAnalysis &analysis) {
  PlanRequest request = options.plan;
  if (certificate.authored.specialized)
    request.respecializedBytes = [&](const Dim3 &size) { return sharedBytesAt(analysis, size); };
  for (unsigned axis = 0; axis < 3; ++axis)
    request.hasGroups[axis] = analysis.affine().workgroupId(axis).has_value();
  LaneFetch fetch(analysis);
  std::map<std::string, std::optional<double>> fetched;
  request.fetchedBytes = [&](const PlannedVariant &variant) {
    auto [at, isNew] = fetched.try_emplace(idOf(variant));
    if (isNew)
      at->second = fetch.bytes(variant);
    return at->second;
  };
  const size_t rest = request.maxVariants - std::min(request.maxVariants, mostKnobs());
  if (request.maxVariants != 0)
    request.maxVariants = std::max<size_t>(rest, 1); // 0 would be no limit
  VariantPlan plan = planVariants(certificate, request);
  if (options.plan.maxVariants != 0 && rest == 0) {
    // Knobs take all there is: nothing is made, and nothing takes the places of what is not.
    leftOut = plan.variants.size() + plan.reserve.size();
    plan.variants.clear();
    plan.reserve.clear();
  }
  for (const auto &[technique, why] : plan.idle)
    kernel.refused.push_back({std::string(nameOf(technique)), why, "", {}});
  if (!plan.unmade.empty()) {
    std::string sizes;
    for (const Dim3 &size : plan.unmade)
      sizes += (sizes.empty() ? "" : ", ") + size.str();
    warn("no technique that is legal and chosen makes " + sizes + " of " +
         certificate.authored.size.str());
  }
  return plan;
}

/// nullopt where another variant is the same.
std::optional<KernelBuilder::Prepared> KernelBuilder::prepare(const PlannedVariant &planned,
                                                              MadeVariant made) {
  std::vector<uint32_t> words = made.module.words();
  std::pair<std::string, Dispatch> identity{sha256Hex(std::span<const uint32_t>(words)),
                                            made.dispatch};
  if (auto same = std::find(known.begin(), known.end(), identity); same != known.end()) {
    // What was asked for by name and is not there must be said; of knobs, one value is the
    // author's.
    if (same != known.begin() && options.plan.named &&
        planned.steps.back().technique != Technique::Respecialize)
      kernel.refused.push_back({techniqueOf(planned),
                                "it would be the same code as another variant",
                                "",
                                {},
                                idOf(planned)});
    return std::nullopt;
  }
  known.push_back(identity);
  Prepared prepared;
  prepared.identity = std::move(identity);
  VariantInfo &variant = prepared.info;
  variant.id = idOf(planned);
  variant.technique = techniqueOf(planned);
  for (const PlannedStep &step : planned.steps)
    variant.steps.push_back({std::string(nameOf(step.technique)), step.size, step.parameters});
  variant.localSize = planned.size();
  variant.sharedBytes = made.sharedBytes;
  variant.specConstants = hostConstants(made.module, options.spec);
  variant.why = std::move(made.why);
  variant.evidence = made.evidence;
  variant.guard = std::move(made.guard);
  if (made.dispatch.rule == DispatchRule::Cover)
    variant.assumes.emplace_back("grid-covers-bound");
  variant.dispatch = std::move(made.dispatch);
  prepared.words = std::move(words);
  return prepared;
}

Status KernelBuilder::add(Prepared prepared, VariantEmitter &emitter) {
  if (Status emitted = emitter.emitVariant(prepared.info, prepared.words); !emitted)
    return emitted;
  kernel.variants.push_back(std::move(prepared.info));
  return success();
}

/// How many knob variants are made.
size_t KernelBuilder::mostKnobs() const {
  const PlanRequest &request = options.plan;
  if (request.maxVariants == 0)
    return options.knobs.size();
  const bool isAlone = request.techniques.size() == 1;
  return std::min(options.knobs.size(), isAlone ? request.maxVariants : request.maxVariants / 2);
}

Status KernelBuilder::addKnobs(VariantEmitter &emitter) {
  const size_t most = mostKnobs();
  if (most < options.knobs.size())
    warn(std::to_string(options.knobs.size() - most) + " of " +
         std::to_string(options.knobs.size()) +
         " combinations of knobs are left out by --max-variants");
  for (const KnobBuild &build : options.knobs.first(most)) {
    Result<KnobVariant> variant =
        makeKnobVariant(build, entry.name(), options.spec, certificate.authored.size, diagnostics);
    if (!variant) {
      Failure failed = variant.takeFailure();
      failed.diagnostic.text = "with " + textOf(build.values) + ": " + failed.diagnostic.text;
      return failed;
    }
    const uint64_t invocations = variant->planned.size().product();
    if (invocations > kMaxCandidateInvocations) {
      warn(textOf(build.values) + " is left out: a workgroup of " + std::to_string(invocations) +
           " invocations is more than the " + std::to_string(kMaxCandidateInvocations) +
           " that devices allow");
      continue;
    }
    if (options.stripSourceLines)
      dropSourceLines(variant->made.module);
    if (auto prepared = prepare(variant->planned, std::move(variant->made)))
      if (Status added = add(std::move(*prepared), emitter); !added)
        return added;
  }
  // The size may be a literal: the author declared that it varies all the same.
  auto isDeclared = [](const VariantInfo &variant) {
    return variant.technique == nameOf(Technique::Respecialize);
  };
  if (std::any_of(kernel.variants.begin(), kernel.variants.end(), isDeclared))
    std::erase_if(kernel.refused, [](const Refusal &refusal) {
      return refusal.technique == nameOf(Technique::Respecialize) && refusal.variant.empty();
    });
  return success();
}

/// A technique of which nothing could be made is refused as a whole, else the variant; one reason
/// is said once.
void KernelBuilder::addRefusals() {
  auto isMade = [&](const std::string &technique) {
    return std::any_of(kernel.variants.begin(), kernel.variants.end(),
                       [&](const VariantInfo &variant) { return variant.technique == technique; });
  };
  std::set<std::tuple<std::string, std::string, std::string>> said;
  for (const Refusal &refusal : kernel.refused)
    said.insert({refusal.technique, refusal.reason, refusal.location});
  for (const auto &[planned, why] : refusedPlans) {
    Refusal refusal = refusalOf(techniqueOf(planned), why);
    if (!said.insert({refusal.technique, refusal.reason, refusal.location}).second)
      continue;
    if (isMade(refusal.technique))
      refusal.variant = idOf(planned);
    kernel.refused.push_back(std::move(refusal));
  }
}

/// Nothing where all have room, or no profile is a device.
std::optional<ProfileRank> KernelBuilder::rankFor(const VariantPlan &plan,
                                                  const KernelAnalysis &analysis) const {
  if (plan.reserve.empty())
    return std::nullopt;
  ProfileRank rank({base, entry.name(), certificate.authored.size, options.spec},
                   AssumedDispatch(analysis, certificate, options.dispatch), options.plan.profiles);
  return rank.profiles().empty() ? std::nullopt : std::optional(std::move(rank));
}

/// Makes what was planned, and of the reserve so much as is needed for as many that differ; with
/// `rank` more, for a choice.
Status KernelBuilder::makeAll(const VariantPlan &plan, const ProfileRank *rank, VariantMaker &maker,
                              std::vector<Prepared> &made) {
  const size_t planned = plan.variants.size(), all = planned + plan.reserve.size();
  const size_t most = rank ? rankedFor(planned) : planned;
  size_t at = 0;
  for (; at < all && made.size() < most; ++at) {
    const PlannedVariant &next = at < planned ? plan.variants[at] : plan.reserve[at - planned];
    Result<MadeVariant> variant = maker.make(next);
    if (variant) {
      std::vector<std::optional<double>> expected;
      if (rank)
        expected = rank->expect(*variant);
      if (std::optional<Prepared> prepared = prepare(next, std::move(*variant))) {
        prepared->place = plan.places.at(prepared->info.id);
        prepared->rank = {prepared->info.technique, std::move(expected)};
        made.push_back(std::move(*prepared));
      }
    } else if (variant.diagnostic().kind == ErrorKind::Internal) {
      return variant.takeFailure();
    } else {
      // The certificate allowed it, but the module does not let itself be rewritten.
      refusedPlans.emplace_back(next, variant.diagnostic());
    }
    if (options.progress)
      options.progress(at + 1, std::max(std::min(most, all), at + 1));
  }
  leftOut += all - at;
  return success();
}

/// Keeps what the profiles choose.
void KernelBuilder::choose(const ProfileRank &rank, size_t most, std::vector<Prepared> &made) {
  if (made.size() <= most)
    return;
  std::vector<RankedVariant> ranked;
  ranked.reserve(made.size());
  for (Prepared &each : made)
    ranked.push_back(std::move(each.rank));
  std::vector<Prepared> kept;
  for (const ChosenVariant &chosen : chooseInTurns(ranked, rank.profiles().size(), most)) {
    kept.push_back(std::move(made[chosen.variant]));
    kept.back().info.chosenFor = rank.profiles()[chosen.profile]->key;
  }
  leftOut += made.size() - kept.size();
  made = std::move(kept);
  known.resize(1); // the authored module
  for (const Prepared &each : made)
    known.push_back(each.identity);
  kernel.assumedGroups = rank.groups();
}

Status KernelBuilder::makeVariants(const VariantPlan &plan, const ProfileRank *rank,
                                   VariantMaker &maker, VariantEmitter &emitter) {
  std::vector<Prepared> made;
  if (Status all = makeAll(plan, rank, maker, made); !all)
    return all;
  if (rank)
    choose(*rank, plan.variants.size(), made);
  std::sort(made.begin(), made.end(),
            [](const Prepared &a, const Prepared &b) { return a.place < b.place; });
  if (leftOut != 0)
    warn(std::to_string(leftOut) + " of " + std::to_string(leftOut + made.size()) +
         " variants are left out by --max-variants");
  for (Prepared &each : made)
    if (Status added = add(std::move(each), emitter); !added)
      return added;
  addRefusals();
  return success();
}

Result<KernelInfo> KernelBuilder::build(const std::string &name) {
  Result<KernelAnalysis> analysis = KernelAnalysis::create(input, entry, options.spec);
  if (!analysis)
    return analysis.takeFailure();
  certificate = certify(*analysis);
  module = input.clone();
  if (options.stripSourceLines)
    dropSourceLines(module);
  Result<KernelInfo> described = describeKernel(module, entry, name, certificate);
  if (!described)
    return described.takeFailure();
  kernel = std::move(*described);
  if (Status ready = prepareModules(); !ready)
    return ready.takeFailure();

  VariantEmitter emitter(options.targets, options.emit, entry.name(), module.source.file, bundle);
  VariantInfo &authored = kernel.variants.front();
  authored.specConstants = std::map<uint32_t, uint64_t>(options.spec.begin(), options.spec.end());
  if (!options.authoredKnobs.empty())
    authored.why += ", which is that with " + textOf(options.authoredKnobs);
  // Its SPIR-V is the module as it came, with its specialization constants.
  std::vector<uint32_t> baseWords = base.words();
  emitter.emitAuthored(authored, baseWords, nativeWords(module));
  known.emplace_back(sha256Hex(std::span<const uint32_t>(baseWords)), authored.dispatch);

  VariantMaker maker({open, base, entry.name(), certificate, options.spec, options.plan.allowCover,
                      [&](const Dim3 &size) { return sharedBytesAt(*analysis, size); }},
                     diagnostics);
  const VariantPlan planned = plan(*analysis);
  const std::optional<ProfileRank> rank = rankFor(planned, *analysis);
  if (Status made = makeVariants(planned, rank ? &*rank : nullptr, maker, emitter); !made)
    return made.takeFailure();
  if (Status added = addKnobs(emitter); !added)
    return added.takeFailure();
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
