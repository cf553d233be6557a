//===- Bundle/VariantMaker.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Bundle/VariantMaker.h"

#include "Backends/ModuleFacts.h"
#include "IR/WorkgroupSize.h"
#include "passes/CoarsenThreads.h"
#include "passes/GuardGrid.h"
#include "passes/PackGroups.h"
#include "passes/PassManager.h"
#include "passes/RemapIds.h"
#include "passes/Resize.h"
#include "passes/Respecialize.h"
#include "passes/SwizzleGroups.h"
#include "passes/SwizzleLanes.h"
#include "passes/WorkgroupCopies.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

namespace tailor {

std::optional<Dispatch> composed(const Dispatch &first, const Dispatch &second) {
  if (second.rule == DispatchRule::Same)
    return first;
  if (first.rule == DispatchRule::Same)
    return second;
  // D2 = G·m1/d1·m2/d2. That it is whole says that G·m1/d1 is only where d1 divides m1, or m2
  // divides d2 and is what d1 is.
  if (first.rule != DispatchRule::Exact || second.rule != DispatchRule::Exact)
    return std::nullopt;
  Dispatch whole{DispatchRule::Exact, {}, {}, {}};
  for (unsigned axis = 0; axis < 3; ++axis) {
    const uint64_t mul = uint64_t{first.mul[axis]} * second.mul[axis];
    const uint64_t div = uint64_t{first.div[axis]} * second.div[axis];
    const bool evenBefore =
        first.mul[axis] % first.div[axis] == 0 ||
        (second.mul[axis] == first.div[axis] && second.div[axis] % second.mul[axis] == 0);
    if (!evenBefore || mul > UINT32_MAX || div > UINT32_MAX)
      return std::nullopt;
    whole.mul[axis] = static_cast<uint32_t>(mul);
    whole.div[axis] = static_cast<uint32_t>(div);
  }
  return whole;
}

namespace {

bool dividesOnEveryAxis(const Dim3 &size, const Dim3 &authored) {
  return authored.x % size.x == 0 && authored.y % size.y == 0 && authored.z % size.z == 0;
}

std::string ruleWords(const Dispatch &dispatch, const Dim3 &authored, const Dim3 &size) {
  switch (dispatch.rule) {
  case DispatchRule::Cover:
    return ", and every side effect stands under a bounds check on each axis whose size does not "
           "divide the authored one";
  case DispatchRule::Exact:
    return dividesOnEveryAxis(size, authored)
               ? ", and the size divides the authored size, so every grid comes out even"
               : "; the size must divide the grid of the dispatch";
  case DispatchRule::Guarded:
    return "; invocations outside of the grid that the host hands over do nothing";
  case DispatchRule::Same:
    break;
  }
  return "";
}

/// The proof of a step in one sentence.
std::string whyOf(const PlannedStep &step, const Dispatch &dispatch, const Dim3 &before) {
  switch (step.technique) {
  case Technique::Resize:
    return "behaviour depends on the global id alone" + ruleWords(dispatch, before, step.size);
  case Technique::Remap:
    return "invocations of a group exchange nothing, and each reads the ids that it was authored "
           "for" +
           ruleWords(dispatch, before, step.size);
  case Technique::Pack:
    return "groups that are put together reach every control barrier alike, and each keeps its own "
           "ids and workgroup memory; their number must come out even along the packed axes";
  case Technique::Coarsen:
    return "no invocation waits for another one of its group but at control barriers, which all "
           "of them reach alike, so one can do the work of several in turn";
  case Technique::Swizzle:
    return step.parameters.contains("rows")
               ? "no group waits for another one, so they may start in another order"
               : "no operation looks at the lanes of a subgroup, so an invocation may run in any";
  case Technique::Respecialize:
    return "its author made the size a specialization constant, and lengths and loops follow it";
  }
  return "";
}

} // namespace

static std::string parameterOf(const PlannedStep &step, const char *name) {
  auto at = step.parameters.find(name);
  return at == step.parameters.end() ? "" : at->second;
}

static std::unique_ptr<Pass> swizzleOf(const Certificate &certificate, const PlannedStep &step,
                                       const std::string &entry) {
  if (std::string rows = parameterOf(step, "rows"); !rows.empty()) {
    SwizzleGroups::Options options{1, entry, &certificate};
    if (llvm::StringRef(rows).getAsInteger(10, options.rows))
      options.rows = 1; // changes nothing
    return std::make_unique<SwizzleGroups>(std::move(options));
  }
  SwizzleLanes::Options options;
  options.swizzle.order = parseLaneOrder(parameterOf(step, "order")).value_or(LaneOrder::Row);
  options.swizzle.tile = parseDim3(parameterOf(step, "tile")).value_or(Dim3{});
  options.size = step.size;
  options.entry = entry;
  options.certificate = &certificate;
  return std::make_unique<SwizzleLanes>(std::move(options));
}

/// The pass that makes the step, with the proof that is there already.
static std::unique_ptr<Pass> passOf(const Certificate &certificate, const PlannedStep &step,
                                    const std::string &entry) {
  switch (step.technique) {
  case Technique::Resize:
    return std::make_unique<Resize>(Resize::Options{step.size, entry, &certificate});
  case Technique::Remap:
    return std::make_unique<RemapIds>(RemapIds::Options{step.size, entry, &certificate});
  case Technique::Pack:
    return std::make_unique<PackGroups>(PackGroups::Options{step.size, entry, &certificate});
  case Technique::Coarsen: {
    CoarsenForm form = parseCoarsenForm(parameterOf(step, "form")).value_or(CoarsenForm::Cyclic);
    return std::make_unique<CoarsenThreads>(
        CoarsenThreads::Options{step.size, form, entry, &certificate});
  }
  case Technique::Swizzle:
    return swizzleOf(certificate, step, entry);
  case Technique::Respecialize:
    break;
  }
  Respecialize::Options options;
  options.size = step.size;
  options.entry = entry;
  options.verdict = &certificate.verdict(step.technique);
  options.insist = !options.verdict->legal(); // only planned where it was asked for by name
  return std::make_unique<Respecialize>(std::move(options));
}

Status VariantMaker::runPass(Ground &ground, const PlannedStep &step) {
  PassContext context{diagnostics, llvm::nulls(), kernel.spec, kernel.entry};
  PassManager manager;
  manager.add(passOf(ground.certificate, step, kernel.entry));
  Result<Change> ran = manager.run(ground.module, context);
  return ran ? success() : Status(ran.takeFailure());
}

Result<Certificate> VariantMaker::certifyModule(const Module &module) const {
  Result<EntryPoint> entry = findComputeEntryPoint(module, kernel.entry);
  if (!entry)
    return entry.takeFailure();
  return certify(module, *entry, kernel.spec);
}

Result<Dispatch> VariantMaker::ruleOf(const Ground &ground, const PlannedStep &step) const {
  const Dim3 &before = ground.certificate.authored.size;
  if (step.technique == Technique::Respecialize) // as declared, also where it is insisted on
    return Dispatch{DispatchRule::Exact, before, step.size, {}};
  Result<Dispatch> rule =
      dispatchOf(ground.certificate, step.technique, step.size, kernel.allowCover && !step.guarded);
  if (!rule)
    return rule;
  if (step.guarded)
    return Dispatch{DispatchRule::Guarded, before, step.size, {}};
  return rule;
}

/// Takes the step: the module is changed, the rest of the ground but its certificate follows.
Status VariantMaker::take(Ground &ground, const PlannedStep &step) {
  Result<Dispatch> rule = ruleOf(ground, step);
  if (!rule)
    return rule.takeFailure();
  std::optional<Dispatch> whole = composed(ground.dispatch, *rule);
  if (!whole)
    return failure(Location::inFile(ground.module.source.file),
                   std::string(nameOf(step.technique)) + " cannot follow a rule that is '" +
                       std::string(nameOf(ground.dispatch.rule)) + "'");
  const Dim3 &before = ground.certificate.authored.size;
  if (step.technique == Technique::Pack) { // copies are padded to their alignment
    const auto copies = static_cast<uint32_t>(step.size.product() / before.product());
    Result<EntryPoint> entry = findComputeEntryPoint(ground.module, kernel.entry);
    std::optional<uint64_t> bytes =
        entry ? bytesOfWorkgroupCopies(ground.module, *entry, copies, kernel.spec) : std::nullopt;
    ground.sharedBytes = std::max(bytes.value_or(0), ground.sharedBytes * copies);
  }
  if (Status ran = runPass(ground, step); !ran)
    return ran;
  if (step.technique == Technique::Respecialize) {
    ground.evidence = Evidence::Declared;
    if (std::optional<uint64_t> bytes =
            kernel.respecializedBytes ? kernel.respecializedBytes(step.size) : std::nullopt)
      ground.sharedBytes = *bytes;
  }
  ground.why += (ground.why.empty() ? "" : "; then, ") + whyOf(step, *rule, before);
  ground.dispatch = std::move(*whole);
  return success();
}

VariantMaker::Ground VariantMaker::Ground::copy() const {
  return {module.clone(), certificate, guard, dispatch, sharedBytes, evidence, why};
}

Result<const VariantMaker::Ground *> VariantMaker::firstGround(const PlannedStep &step) {
  const bool isOpen = step.technique == Technique::Respecialize;
  std::string key = isOpen ? "open" : "base";
  std::array<bool, 3> axes{};
  for (unsigned axis = 0; axis < 3 && step.guarded; ++axis)
    if (axes[axis] = kernel.certificate.authored.size[axis] % step.size[axis] != 0; axes[axis])
      key += kAxisName[axis];
  if (auto known = grounds.find(key); known != grounds.end())
    return &known->second;
  Ground ground;
  ground.module = (isOpen ? kernel.open : kernel.base).clone();
  ground.certificate = kernel.certificate;
  ground.sharedBytes = kernel.certificate.facts.sharedBytes;
  if (step.guarded) {
    Result<EntryPoint> entry = findComputeEntryPoint(ground.module, kernel.entry);
    if (!entry)
      return entry.takeFailure();
    Result<GridGuard> guard = guardGrid(ground.module, *entry, GridSource::PushConstants, axes);
    if (!guard)
      return guard.takeFailure();
    if (guard->source == GridSource::PushConstants)
      ground.guard = GuardInfo{std::string(kGuardPushConstant), guard->offset, kGuardBytes, {}};
    else
      ground.guard = GuardInfo{
          std::string(kGuardSpecConstant), 0, 0, {guard->specIds.begin(), guard->specIds.end()}};
    Result<Certificate> certificate = certifyModule(ground.module);
    if (!certificate)
      return certificate.takeFailure();
    ground.certificate = std::move(*certificate);
  }
  return &grounds.emplace(key, std::move(ground)).first->second;
}

Result<const VariantMaker::Ground *> VariantMaker::groundOf(const PlannedVariant &variant,
                                                            size_t steps) {
  if (steps == 0)
    return firstGround(variant.steps.front());
  std::string key;
  for (size_t at = 0; at < steps; ++at)
    key += idOf(variant.steps[at]) + "+";
  if (auto known = grounds.find(key); known != grounds.end())
    return &known->second;
  Result<const Ground *> before = groundOf(variant, steps - 1);
  if (!before)
    return before;
  Ground ground = (*before)->copy();
  if (Status taken = take(ground, variant.steps[steps - 1]); !taken)
    return taken.takeFailure();
  Result<Certificate> certificate = certifyModule(ground.module);
  if (!certificate)
    return certificate.takeFailure();
  ground.certificate = std::move(*certificate);
  return &grounds.emplace(key, std::move(ground)).first->second;
}

Result<MadeVariant> VariantMaker::make(const PlannedVariant &variant) {
  Result<const Ground *> before = groundOf(variant, variant.steps.size() - 1);
  if (!before)
    return before.takeFailure();
  Ground ground = (*before)->copy();
  if (Status taken = take(ground, variant.steps.back()); !taken)
    return taken.takeFailure();
  // What the passes made of the workgroup memory counts, where it is more than was reckoned.
  const std::vector<uint32_t> words = ground.module.words(); // the facts refer to them
  Result<ModuleFacts> facts = ModuleFacts::read(words, kernel.entry, ground.module.source.file);
  if (facts)
    if (std::optional<uint64_t> bytes = facts->sharedBytes(SharedLayout::Scalar))
      ground.sharedBytes = std::max(ground.sharedBytes, *bytes);
  return MadeVariant{std::move(ground.module), std::move(ground.dispatch),
                     ground.sharedBytes,       std::move(ground.guard),
                     ground.evidence,          std::move(ground.why)};
}

} // namespace tailor
