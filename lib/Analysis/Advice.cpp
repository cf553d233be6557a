//===- Analysis/Advice.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/Advice.h"

#include "Analysis/AdviceImpl.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <iterator>

namespace tailor {

static constexpr std::string_view kKindNames[] = {
    "default-size", "divergent-barrier", "waiting",        "idle-lanes",
    "unused-axis",  "strided",           "bank-conflict",  "contention",
    "memory-bound", "live-values",       "few-techniques", "guard",
    "axis-of-one"};
static_assert(std::size(kKindNames) == kNumAdviceKinds);

std::string_view nameOf(AdviceKind kind) { return kKindNames[static_cast<size_t>(kind)]; }

std::string grouped(uint64_t number) {
  std::string text = std::to_string(number);
  for (size_t at = text.size(); at > 3;) {
    at -= 3;
    text.insert(at, ",");
  }
  return text;
}

std::string counted(uint64_t count, std::string_view noun) {
  return grouped(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

namespace {

class Adviser {
public:
  explicit Adviser(const Findings &findings)
      : findings(findings), certificate(findings.certificate),
        size(findings.certificate.authored.size) {}

  std::vector<Advice> run();

private:
  void add(AdviceKind kind, std::string text, Location location = {}) {
    list.push_back({kind, std::move(text), std::move(location)});
  }
  void barriers();
  bool isPlaceholder() const;
  void lanes();
  void constantBounds();
  void axes();
  void atomics();
  void intensity();
  void liveValues();
  void techniques();
  void guards();
  std::optional<double> streamedBytes() const;
  double assumedSum(const TripSum &sum) const;

  const Findings &findings;
  const Certificate &certificate;
  const Dim3 &size;
  AdviceList list;
};

void Adviser::barriers() {
  for (const BarrierFact &fact : findings.barriers.barriers) {
    if (!fact.isDivergent)
      continue;
    Location where = findings.at(*fact.inst);
    std::string text = "the barrier at " + findings.place(where) +
                       " may not be reached by all invocations of a workgroup alike, which would "
                       "be undefined";
    const char *separator = ": ";
    for (const CauseStep &step : fact.cause) {
      text += separator + step.text + " (" + findings.place(findings.at(*step.inst)) + ")";
      separator = "; ";
    }
    add(AdviceKind::DivergentBarrier, std::move(text), where);
  }
  if (const std::optional<WaitingLoop> &waiting = findings.barriers.waiting) {
    Location where = findings.at(*waiting->branch);
    add(AdviceKind::Waiting,
        "the loop that " + findings.place(where) +
            " decides about waits for what other "
            "invocations write (read at " +
            findings.place(findings.at(*waiting->read)) +
            "): it ends only where these are scheduled too, and no technique may change the "
            "schedule",
        where);
  }
}

/// `3/4`, else in percent.
static std::string shareOf(uint64_t part, uint64_t whole) {
  if (4 * part % whole == 0)
    return 4 * part / whole == 2 ? "half" : std::to_string(4 * part / whole) + "/4";
  return std::to_string((100 * part + whole / 2) / whole) + " %";
}

/// A size of one invocation that only stands for what the host will set.
bool Adviser::isPlaceholder() const {
  return certificate.authored.specialized && size.product() == 1 && findings.kernel.spec().empty();
}

void Adviser::lanes() {
  if (isPlaceholder()) {
    add(AdviceKind::DefaultSize,
        "the size " + size.str() +
            " is the default of specialization constants, which hosts seldom leave alone: with "
            "--spec ID=V for the host's values the figures are about the size that runs");
    return;
  }
  const uint64_t width = findings.subgroupWidth, invocations = size.product();
  const uint64_t idle = (width - invocations % width) % width;
  if (idle == 0)
    return;
  if (invocations < width) {
    add(AdviceKind::IdleLanes, "the workgroup of " + std::to_string(invocations) +
                                   " is smaller than a subgroup of " + std::to_string(width) +
                                   ": " + shareOf(idle, width) +
                                   " of the lanes idle on such a device");
  } else {
    add(AdviceKind::IdleLanes,
        std::to_string(invocations) + " invocations are no multiple of " + std::to_string(width) +
            ": the last subgroup of each workgroup has " + counted(idle, "idle lane") + ", " +
            shareOf(idle, invocations + idle) + " of all");
  }
}

/// Axes along which the kernel itself lets fewer invocations do anything than the size has.
void Adviser::constantBounds() {
  for (unsigned axis = 0; axis < 3; ++axis) {
    const std::vector<DispatchBound> &bounds = certificate.bounds[axis];
    uint64_t most = 0;
    bool isKnown = !bounds.empty();
    for (const DispatchBound &bound : bounds) {
      isKnown &=
          bound.bound.op == UniformExpr::Op::Constant && bound.terms.empty() && !bound.divisor;
      most = std::max<uint64_t>(most, uint64_t{bound.bound.params[0]} + bound.inclusive);
    }
    if (!isKnown || most == 0 || most >= size[axis])
      continue;
    const Location &where = bounds.front().location;
    add(AdviceKind::IdleLanes,
        std::string("along ") + kAxisName[axis] + " the kernel lets " + std::to_string(most) +
            " of the " + std::to_string(size[axis]) + " invocations do anything (" +
            bounds.front().str() + (where.known() ? ", " + findings.place(where) : "") +
            "): the others idle",
        where);
  }
}

void Adviser::axes() {
  if (!certificate.resizeLegal())
    return; // invocations may differ by more than their global ids
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (certificate.usesAxis[axis] || size[axis] == 1)
      continue;
    add(AdviceKind::UnusedAxis, std::string("nothing depends on the id along ") + kAxisName[axis] +
                                    ", where the size is " + std::to_string(size[axis]) + ": " +
                                    std::to_string(size[axis]) + " invocations do the same work");
  }
}

void Adviser::atomics() {
  for (const AtomicFact &fact : findings.barriers.atomics) {
    if (fact.space == "workgroup" || fact.operation == "load" || fact.operation == "store")
      continue;
    Location where = findings.at(*fact.inst);
    std::string what =
        "atomic " + fact.operation + " on `" + fact.name + "` (" + findings.place(where) + ")";
    bool byAll = !fact.executors.oneOfSubgroup && !fact.executors.oneOfWorkgroup;
    if (!byAll)
      continue;
    if (fact.contention == Contention::OneAddress &&
        fact.contentionScope >= UniformityScope::Workgroup)
      add(AdviceKind::Contention,
          what + ": all invocations of a " + std::string(nameOf(fact.contentionScope)) +
              " that get there meet at one address; combine in the subgroup or in workgroup "
              "memory, and let one invocation go on",
          where);
    else if (fact.contention == Contention::DataDependent && !fact.resultUsed)
      add(AdviceKind::Contention,
          what + ": the address comes from data; where many invocations fall on few addresses, "
                 "collect in workgroup memory first",
          where);
  }
}

double Adviser::assumedSum(const TripSum &sum) const {
  return sum.evaluate([&](const std::string &name) {
    for (const TripName &each : findings.work.names)
      if (each.name == name)
        return each.assumed;
    return TripCounts::kAssumed;
  });
}

/// The bytes of global memory that an invocation asks for, where it asks once for each, asks for no
/// place that its neighbours ask for too, so that caches change nothing about what is fetched, and
/// does nothing else that takes time. nullopt elsewhere.
std::optional<double> Adviser::streamedBytes() const {
  if (!findings.barriers.atomics.empty() || certificate.facts.barriersInLoops != 0)
    return std::nullopt;
  double bytes = 0;
  std::vector<const Instruction *> read;
  for (const AccessFinding &finding : findings.accesses) {
    const MemoryAccess &access = finding.access;
    if (access.isImage())
      return std::nullopt; // a filter, or a stencil: where texels lie is the device's
    if (access.space != MemorySpace::StorageBuffer)
      continue;
    if (finding.runs.constant() != 1.0 || access.pattern == AccessPattern::Gather)
      return std::nullopt;
    if (access.pattern == AccessPattern::Uniform)
      continue; // the same for all: nothing beside the rest
    bytes += double(access.bytes);
    if (access.op != AccessOp::Load)
      continue;
    if (std::find(read.begin(), read.end(), access.variable) != read.end())
      return std::nullopt;
    read.push_back(access.variable);
  }
  return bytes;
}

void Adviser::intensity() {
  if (size.product() < findings.subgroupWidth)
    return; // lanes idle, which is another matter
  const WorkCounts<TripSum> &counts = findings.work.counts;
  double bytes = streamedBytes().value_or(0);
  double operations = assumedSum(counts[WorkKind::Float]) + assumedSum(counts[WorkKind::Integer]) +
                      4 * assumedSum(counts[WorkKind::Special]);
  // The device with the least arithmetic for its memory that anybody tunes for has more.
  constexpr double kBalance = 3;
  if (bytes <= 0 || operations >= kBalance * bytes)
    return;
  std::string text;
  llvm::raw_string_ostream os(text);
  std::string all;
  llvm::raw_string_ostream(all) << llvm::format("%.2g", operations / bytes);
  os << llvm::format("%.2g", assumedSum(counts[WorkKind::Float]) / bytes) << " floating-point and "
     << all << (all == "1" ? " operation" : " operations")
     << " in all for each byte of global memory, none of which is asked for twice: "
        "memory bound on every GPU, so that only what is fetched matters";
  add(AdviceKind::MemoryBound, std::move(os.str()));
}

void Adviser::liveValues() {
  constexpr unsigned kMany = 96;
  const std::optional<LivePressure> &pressure = findings.work.pressure;
  if (!pressure || !pressure->at || pressure->components < kMany)
    return;
  Location where = findings.at(*pressure->at);
  add(AdviceKind::LiveValues,
      grouped(pressure->components) + " values of 32 bits are live at " + findings.place(where) +
          ": so many registers leave room for few invocations at once, or spill to memory",
      where);
}

/// `a`, `a and b`, `a, b and c`.
static std::string listed(const std::vector<std::string> &words) {
  std::string text;
  for (size_t at = 0; at < words.size(); ++at)
    text += (at == 0 ? "" : at + 1 == words.size() ? " and " : ", ") + words[at];
  return text;
}

void Adviser::techniques() {
  std::vector<std::string> legal;
  for (Technique technique : kTechniques)
    if (certificate.verdict(technique).legal())
      legal.emplace_back(nameOf(technique));
  // respecialize asks nothing of the kernel but how its size is spelled.
  const size_t others = legal.size() - certificate.verdict(Technique::Respecialize).legal();
  if (others > 2 || findings.barriers.waiting || isPlaceholder())
    return; // or it has been said
  // The refusal of the technique that asks least of a kernel says most about it.
  for (Technique technique : {Technique::Swizzle, Technique::Coarsen, Technique::Pack}) {
    const std::optional<Diagnostic> &refusal = certificate.verdict(technique).refusal;
    if (!refusal)
      continue;
    std::string text = legal.empty() ? "no technique is proven"
                                     : "only " + listed(legal) + " " +
                                           (legal.size() == 1 ? "is" : "are") + " proven";
    text += ": " + refusal->text;
    if (refusal->location.known())
      text += " (" + findings.place(refusal->location) + ")";
    add(AdviceKind::FewTechniques, std::move(text), refusal->location);
    return;
  }
}

void Adviser::guards() {
  if (!certificate.resizeLegal() && !certificate.verdict(Technique::Remap).legal())
    return;
  // Axes with one reason between them are named together.
  std::vector<std::pair<std::string, std::vector<std::string>>> reasons;
  std::vector<Location> places;
  for (unsigned axis = 0; axis < 3; ++axis) {
    const std::optional<Diagnostic> &why = certificate.coverRefusal[axis];
    if (!certificate.usesAxis[axis] || !certificate.bounds[axis].empty() || !why)
      continue;
    std::string name(1, kAxisName[axis]), text = why->text;
    if (size_t at = text.find(" on the " + name + " axis"); at != std::string::npos)
      text.erase(at, std::string(" on the x axis").size());
    if (why->location.known())
      text += " (" + findings.place(why->location) + ")";
    auto known = std::find_if(reasons.begin(), reasons.end(),
                              [&](const auto &reason) { return reason.first == text; });
    if (known == reasons.end()) {
      reasons.emplace_back(std::move(text), std::vector<std::string>{name});
      places.push_back(why->location);
    } else {
      known->second.push_back(name);
    }
  }
  for (size_t at = 0; at < reasons.size(); ++at) {
    const auto &[why, names] = reasons[at];
    std::string text = "sizes along " + listed(names) + " must divide the grid: " + why;
    if (why.find("without a bounds check") != std::string::npos)
      text += "; returning early where gl_GlobalInvocationID." + names.front() +
              " is past the end would lift that";
    add(AdviceKind::Guard, std::move(text), places[at]);
  }
}

std::vector<Advice> Adviser::run() {
  barriers();
  lanes();
  constantBounds();
  axes();
  adviseTraffic(findings, list);
  adviseBanks(findings, list);
  atomics();
  intensity();
  liveValues();
  techniques();
  guards();
  AdviceList sorted;
  for (unsigned kind = 0; kind < kNumAdviceKinds; ++kind)
    std::copy_if(list.begin(), list.end(), std::back_inserter(sorted),
                 [kind](const Advice &each) { return each.kind == static_cast<AdviceKind>(kind); });
  return sorted;
}

} // namespace

std::vector<Advice> advise(const Findings &findings) { return Adviser(findings).run(); }

} // namespace tailor
