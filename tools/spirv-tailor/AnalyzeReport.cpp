//===- tools/spirv-tailor/AnalyzeReport.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AnalyzeReport.h"

#include "AnalyzeText.h"

#include "llvm/Support/Format.h"

namespace tailor {
namespace {

class Reporter {
public:
  Reporter(llvm::raw_ostream &os, const KernelReport &report, const ReportStyle &style)
      : out(os, style), report(report), findings(report.findings) {}
  void print();

private:
  void header();
  void work();
  void assumptions();
  void memory();
  void barriers();
  void barrier(const BarrierFact &fact);
  void atomics();
  void advice();
  std::string sumText(const TripSum &sum) const;
  std::string timesText(const LoopPlace &place) const;
  std::string bytesText(WorkSpace space) const;
  std::string causesText(const std::vector<CauseStep> &steps) const;
  std::string placeOf(const Instruction &inst) const { return findings.place(findings.at(inst)); }

  TextWriter out;
  const KernelReport &report;
  const Findings &findings;
};

const char *classText(const std::string &name) {
  if (name == "global-id")
    return "what an invocation does depends on its global id alone";
  if (name == "local-ids")
    return "local or group ids are used; invocations of a workgroup exchange nothing";
  if (name == "workgroup-memory")
    return "the invocations of a workgroup work together";
  return "the invocations of a subgroup work together";
}

void Reporter::header() {
  const Certificate &certificate = findings.certificate;
  const Dim3 &size = certificate.authored.size;
  out.title(report.name, "entry point " + certificate.entryPoint);
  out.line("input", findings.kernel.module().source.file);
  std::string spelling = counted(size.product(), "invocation") + ", spelled " +
                         std::string(nameOf(certificate.authored.spelling));
  if (certificate.authored.specialized)
    spelling += findings.kernel.spec().empty()
                    ? ", the defaults of specialization constants (--spec ID=V gives others)"
                    : ", from specialization constants";
  out.line("size", size.str() + ": " + spelling);
  out.line("class",
           certificate.facts.kernelClass + ": " + classText(certificate.facts.kernelClass));
  out.line("ids", certificate.facts.ids.empty() ? "none" : listText(certificate.facts.ids));
  if (!certificate.facts.subgroupOps.empty())
    out.line("subgroup", listText(certificate.facts.subgroupOps));
}

/// Whether people can look up the names in it: no id of the module, no unnamed count.
bool isNamed(const std::string &sum) {
  return sum.find('%') == std::string::npos && sum.find("n(") == std::string::npos;
}

/// A number, the sum where it is short, else what it comes to.
std::string Reporter::sumText(const TripSum &sum) const {
  if (std::optional<double> number = sum.constant())
    return numberText(*number);
  constexpr size_t kShort = 44;
  std::string text = sum.str();
  if (out.isFull() || (text.size() <= kShort && isNamed(text)))
    return text;
  return "about " + numberText(sum.evaluate([&](const std::string &name) {
           for (const TripName &each : findings.work.names)
             if (each.name == name)
               return each.assumed;
           return TripCounts::kAssumed;
         }));
}

std::string Reporter::bytesText(WorkSpace space) const {
  const WorkCounts<TripSum> &counts = findings.work.counts;
  return sumText(counts.read(space)) +
         (counts.read(space).constant() == 1.0 ? " byte read, " : " bytes read, ") +
         sumText(counts.written(space)) + " written";
}

void Reporter::work() {
  const WorkFacts &work = findings.work;
  out.title("Work of one invocation", "at most: every branch is taken");
  std::vector<std::string> operations;
  for (auto [kind, name] : {std::pair(WorkKind::Float, "floating-point"),
                            {WorkKind::Integer, "integer"},
                            {WorkKind::Special, "special"},
                            {WorkKind::Conversion, "conversion"},
                            {WorkKind::Subgroup, "subgroup"},
                            {WorkKind::Image, "image"}})
    if (!work.counts[kind].isZero())
      operations.push_back(sumText(work.counts[kind]) + " " + name);
  out.line("operations", operations.empty() ? "none" : listText(operations));
  for (WorkSpace space : {WorkSpace::Buffer, WorkSpace::Image, WorkSpace::Workgroup})
    if (!work.counts.read(space).isZero() || !work.counts.written(space).isZero())
      out.line(std::string(nameOf(space)), bytesText(space));
  std::string text;
  llvm::raw_string_ostream figures(text);
  if (work.intensity)
    figures << llvm::format("%.2f", *work.intensity)
            << " flops for each byte of buffers and images";
  else
    figures << "no bytes of buffers and images to speak of";
  if (!work.counts.unsized.isZero())
    figures << ", not counting " << sumText(work.counts.unsized)
            << (work.counts.unsized.constant() == 1.0 ? " access to an image of no format"
                                                      : " accesses to images of no format");
  out.line("intensity", figures.str());
  text.clear();
  figures << llvm::format("%.0f %%", 100 * work.divergentInSubgroup)
          << " of the operations stand behind branches on which lanes may part";
  out.line("divergence", figures.str());
  std::string live = "too many to say";
  if (work.pressure)
    live = !work.pressure->at ? "none"
                              : counted(work.pressure->components, "value") +
                                    " of 32 bits at once, at " + placeOf(*work.pressure->at);
  if (work.privateBytes != 0)
    live += "; " + counted(work.privateBytes, "byte") + " of private arrays";
  out.line("live values", live);
  assumptions();
}

/// What the figures take the names in them as.
void Reporter::assumptions() {
  std::vector<std::string> usual, texts; // those taken as kAssumed, and the others
  size_t unnamed = 0;
  constexpr size_t kNames = 4;
  for (const TripName &name : findings.work.names) {
    if (name.assumed != TripCounts::kAssumed)
      texts.push_back((isNamed(name.name) || out.isFull() ? name.name : "an unnamed count") +
                      " as " + numberText(name.assumed));
    else if (out.isFull() || (isNamed(name.name) && usual.size() < kNames))
      usual.push_back(name.name);
    else
      ++unnamed;
  }
  if (unnamed != 0)
    usual.push_back(counted(unnamed, usual.empty() ? "unknown count" : "other"));
  if (!usual.empty())
    texts.insert(texts.begin(), listText(usual) + " as " + numberText(TripCounts::kAssumed));
  if (!texts.empty())
    out.line("", "figures take " + listText(texts), Colour::Faint);
}

void Reporter::memory() {
  const SharedMemory &shared = findings.shared;
  if (shared.variables.empty())
    return;
  out.title("Workgroup memory", shared.totalBytes
                                    ? counted(*shared.totalBytes, "byte") + " at this size"
                                    : "its size is not known");
  for (const SharedVariable &variable : shared.variables) {
    std::string text = variable.bytes ? counted(*variable.bytes, "byte") : "bytes not known";
    bool isNumber = variable.bytes && variable.expression == std::to_string(*variable.bytes);
    text += isNumber ? ", " + variable.type
                     : ": " + variable.expression + ", of " + variable.elementType;
    if (variable.aliased)
      text += ", in the same place as the other blocks";
    if (variable.usedAsPrivate)
      text += ", used as each invocation's own";
    out.line(cutText(variable.name, TextWriter::kLabel - 1), text);
  }
}

std::string Reporter::timesText(const LoopPlace &place) const {
  if (place.depth == 0)
    return "once";
  if (place.trips.constant() == 1.0)
    return "once, in a loop";
  return sumText(place.trips) + " times" + (place.depth > 1 ? ", in nested loops" : ", in a loop");
}

std::string Reporter::causesText(const std::vector<CauseStep> &steps) const {
  std::string text;
  for (const CauseStep &step : steps)
    text += (text.empty() ? "" : "; ") + step.text + " (" + placeOf(*step.inst) + ")";
  return text;
}

void Reporter::barrier(const BarrierFact &fact) {
  std::string reach =
      fact.isDivergent ? "may not be reached by all invocations alike"
      : fact.control == UniformityScope::Invocation
          ? "reached as each invocation comes"
          : "all invocations of a " + std::string(nameOf(fact.control)) + " reach it alike";
  if (fact.execution != "Workgroup")
    reach += ", over the " + fact.execution;
  out.line(placeOf(*fact.inst), timesText(fact.loops) + "; " + reach,
           fact.isDivergent ? Colour::Bad : Colour::Plain);
  if (!fact.cause.empty())
    out.line("", causesText(fact.cause), Colour::Faint);
}

void Reporter::barriers() {
  const BarrierFacts &facts = findings.barriers;
  if (facts.barriers.empty() && facts.memoryBarriers.empty())
    return;
  std::string remark = counted(findings.certificate.facts.controlBarriers, "control barrier") +
                       ", " + numberText(uint64_t{findings.certificate.facts.barriersInLoops}) +
                       " in loops";
  if (!facts.memoryBarriers.empty())
    remark += "; " + counted(facts.memoryBarriers.size(), "memory barrier");
  out.title("Barriers", remark);
  const size_t most = shownOf(facts.barriers.size(), 4);
  size_t shown = 0;
  // Those that are at fault first.
  for (bool isDivergent : {true, false})
    for (const BarrierFact &fact : facts.barriers)
      if (fact.isDivergent == isDivergent && (out.isFull() || shown < most)) {
        barrier(fact);
        ++shown;
      }
  if (shown < facts.barriers.size())
    out.line("", "... and " + std::to_string(facts.barriers.size() - shown) +
                     " more (--full shows all)");
  if (out.isFull())
    for (const MemoryBarrierFact &fact : facts.memoryBarriers)
      out.line(placeOf(*fact.inst),
               "memory barrier over the " + fact.scope + ", " + timesText(fact.loops));
}

static std::string contentionText(const AtomicFact &fact) {
  switch (fact.contention) {
  case Contention::OneAddress:
    return "one address for each " + std::string(nameOf(fact.contentionScope));
  case Contention::PerLane:
    return std::string("another address for each invocation of a ") +
           (fact.distinctInWorkgroup ? "workgroup" : "row");
  case Contention::ByIds:
    return "an address that some invocations share";
  case Contention::DataDependent:
    return "an address that comes from data";
  }
  return "";
}

void Reporter::atomics() {
  const std::vector<AtomicFact> &atomics = findings.barriers.atomics;
  if (atomics.empty())
    return;
  out.title("Atomics", counted(atomics.size(), "instruction"));
  const size_t shown = shownOf(atomics.size(), 4);
  for (size_t at = 0; at < atomics.size(); ++at) {
    const AtomicFact &fact = atomics[at];
    if (at == shown && !out.isFull()) {
      out.line("", "... and " + std::to_string(atomics.size() - at) + " more (--full shows all)");
      break;
    }
    out.line(placeOf(*fact.inst), fact.operation + " on " + fact.space + " `" + fact.name + "` " +
                                      timesText(fact.loops) + ", by " + fact.executors.str() +
                                      ": " + contentionText(fact));
  }
}

void Reporter::advice() {
  out.title("Advice");
  if (report.advice.empty())
    out.paragraph(2, "", "nothing stands out");
  const size_t shown = shownOf(report.advice.size(), 8);
  for (size_t at = 0; at < report.advice.size(); ++at) {
    if (at == shown && !out.isFull()) {
      out.paragraph(2, "",
                    "... and " + std::to_string(report.advice.size() - at) +
                        " more (--full shows all)");
      break;
    }
    out.paragraph(2, std::to_string(at + 1) + ". ", report.advice[at].text);
  }
}

void Reporter::print() {
  header();
  printLegality(out, report);
  work();
  memory();
  barriers();
  atomics();
  printAccesses(out, report);
  printLimits(out, report);
  advice();
}

} // namespace

void printReport(llvm::raw_ostream &os, const KernelReport &report, const ReportStyle &style) {
  Reporter(os, report, style).print();
}

} // namespace tailor
