//===- tools/spirv-tailor/AnalyzeJson.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The fields, their meaning and their units: docs/formats.md.
//
//===----------------------------------------------------------------------===//
#include "AnalyzeJsonParts.h"
#include "AnalyzeText.h"

namespace tailor {

using llvm::json::OStream;

namespace {

class AnalysisWriter {
public:
  AnalysisWriter(OStream &json, const KernelReport &report)
      : json(json), findings(report.findings), report(report) {}

  void certificate();
  void analysis();

private:
  void verdict(Technique technique);
  void work();
  void sum(llvm::StringRef name, const TripSum &sum);
  void place(llvm::StringRef name, const Instruction &inst) {
    writeText(json, name, findings.at(inst).str());
  }
  void causes(llvm::StringRef name, const std::vector<CauseStep> &steps);
  void loopPlace(const LoopPlace &place);
  void sharedMemory();
  void barriers();
  void atomics();
  void waiting();
  void loops();
  void accesses();
  void traffic(const AccessFinding &finding);
  void advice();

  OStream &json;
  const Findings &findings;
  const KernelReport &report;
};

void AnalysisWriter::verdict(Technique technique) {
  const Certificate &certificate = findings.certificate;
  const TechniqueVerdict &verdict = certificate.verdict(technique);
  writeText(json, "technique", nameOf(technique));
  json.attribute("legal", verdict.legal());
  writeText(json, "sizes", sizesText(technique, verdict, certificate.authored.size));
  json.attributeArray("axes", [&] {
    for (unsigned axis = 0; axis < 3 && verdict.legal() && technique != Technique::Swizzle; ++axis)
      if (!verdict.axisRefusal[axis])
        json.value(llvm::StringRef(&kAxisName[axis], 1));
  });
  json.attributeArray("rules", [&] {
    for (const AxisRule &rule : axisRules(findings, technique))
      json.object([&] {
        json.attribute("axis", llvm::StringRef(&kAxisName[rule.axis], 1));
        writeText(json, "rule", nameOf(rule.rule));
        writeTexts(json, "bounds", rule.bounds);
        writeText(json, "reason", rule.reason);
        writeText(json, "location", rule.location.str());
      });
  });
  // Of the technique, or of the first axis that pack refuses.
  const Diagnostic *why = verdict.refusal ? &*verdict.refusal : nullptr;
  for (const std::optional<Diagnostic> &axis : verdict.axisRefusal)
    if (!why && axis)
      why = &*axis;
  writeText(json, "reason", why ? why->text : "");
  writeText(json, "location", why ? why->location.str() : "");
  json.attributeArray("causes", [&] {
    if (why)
      for (const Note &note : why->notes)
        json.value(causeText(note.location, note.text));
  });
}

void AnalysisWriter::certificate() {
  json.attributeArray("certificate", [&] {
    for (Technique technique : kTechniques)
      json.object([&] { verdict(technique); });
  });
}

void AnalysisWriter::sum(llvm::StringRef name, const TripSum &sum) {
  json.attributeObject(name, [&] {
    writeText(json, "text", sum.str());
    json.attribute("value", sum.evaluate([&](const std::string &each) {
      for (const TripName &known : findings.work.names)
        if (known.name == each)
          return known.assumed;
      return TripCounts::kAssumed;
    }));
  });
}

void AnalysisWriter::work() {
  const WorkFacts &work = findings.work;
  json.attributeObject("work", [&] {
    for (auto [kind, name] :
         {std::pair(WorkKind::Float, "float"), std::pair(WorkKind::Integer, "integer"),
          std::pair(WorkKind::Special, "special"), std::pair(WorkKind::Conversion, "conversion"),
          std::pair(WorkKind::Load, "loads"), std::pair(WorkKind::Store, "stores"),
          std::pair(WorkKind::Atomic, "atomics"), std::pair(WorkKind::Image, "images"),
          std::pair(WorkKind::ControlBarrier, "control_barriers"),
          std::pair(WorkKind::MemoryBarrier, "memory_barriers"),
          std::pair(WorkKind::Subgroup, "subgroup")})
      sum(name, work.counts[kind]);
    json.attributeObject("bytes", [&] {
      for (unsigned at = 0; at < kNumWorkSpaces; ++at) {
        auto space = static_cast<WorkSpace>(at);
        json.attributeObject(llvm::StringRef(nameOf(space)), [&] {
          sum("read", work.counts.read(space));
          sum("written", work.counts.written(space));
        });
      }
    });
    sum("unsized", work.counts.unsized);
    json.attributeArray("names", [&] {
      for (const TripName &name : work.names)
        json.object([&] {
          writeText(json, "name", name.name);
          json.attribute("assumed", name.assumed);
          writeText(json, "meaning", name.meaning);
        });
    });
    writeOptional(json, "intensity", work.intensity);
    json.attribute("divergent_in_subgroup", work.divergentInSubgroup);
    json.attribute("divergent_in_workgroup", work.divergentInWorkgroup);
    json.attribute("private_bytes", work.privateBytes);
  });
  if (!work.pressure) {
    json.attribute("live_values", nullptr);
    return;
  }
  json.attributeObject("live_values", [&] {
    json.attribute("components", work.pressure->components);
    writeText(json, "location", work.pressure->at ? findings.at(*work.pressure->at).str() : "");
  });
}

void AnalysisWriter::causes(llvm::StringRef name, const std::vector<CauseStep> &steps) {
  json.attributeArray(name, [&] {
    for (const CauseStep &step : steps)
      json.value(causeText(findings.at(*step.inst), step.text));
  });
}

void AnalysisWriter::loopPlace(const LoopPlace &place) {
  json.attribute("loop_depth", place.depth);
  sum("runs", place.trips);
}

void AnalysisWriter::sharedMemory() {
  json.attributeObject("shared_memory", [&] {
    writeOptional(json, "total_bytes", findings.shared.totalBytes);
    json.attribute("depends_on_size", findings.shared.dependsOnSize);
    json.attributeArray("variables", [&] {
      for (const SharedVariable &variable : findings.shared.variables)
        json.object([&] {
          writeText(json, "name", variable.name);
          writeText(json, "type", variable.type);
          writeOptional(json, "bytes", variable.bytes);
          writeText(json, "expression", variable.expression);
          json.attributeArray("spec_ids", [&] {
            for (uint32_t id : variable.specIds)
              json.value(id);
          });
          json.attribute("depends_on_size", variable.dependsOnSize);
          json.attribute("aliased", variable.aliased);
          json.attribute("used_as_private", variable.usedAsPrivate);
          place("location", *variable.variable);
        });
    });
  });
}

void AnalysisWriter::barriers() {
  json.attributeArray("barriers", [&] {
    for (const BarrierFact &fact : findings.barriers.barriers)
      json.object([&] {
        place("location", *fact.inst);
        writeText(json, "execution", fact.execution);
        writeText(json, "memory", fact.memory);
        writeText(json, "semantics", fact.semantics);
        loopPlace(fact.loops);
        writeText(json, "control", nameOf(fact.control));
        json.attribute("divergent", fact.isDivergent);
        causes("causes", fact.cause);
        json.attributeArray("pack_uniform", [&] {
          for (bool uniform : fact.packUniform)
            json.value(uniform);
        });
      });
  });
  json.attributeArray("memory_barriers", [&] {
    for (const MemoryBarrierFact &fact : findings.barriers.memoryBarriers)
      json.object([&] {
        place("location", *fact.inst);
        writeText(json, "scope", fact.scope);
        writeText(json, "semantics", fact.semantics);
        loopPlace(fact.loops);
      });
  });
}

void AnalysisWriter::atomics() {
  json.attributeArray("atomics", [&] {
    for (const AtomicFact &fact : findings.barriers.atomics)
      json.object([&] {
        place("location", *fact.inst);
        writeText(json, "variable", fact.name);
        writeText(json, "space", fact.space);
        writeText(json, "operation", fact.operation);
        json.attribute("result_used", fact.resultUsed);
        writeText(json, "scope", fact.scope);
        writeText(json, "semantics", fact.semantics);
        writeText(json, "contention", nameOf(fact.contention));
        writeText(json, "contention_scope", nameOf(fact.contentionScope));
        writeText(json, "executors", fact.executors.str());
        loopPlace(fact.loops);
      });
  });
}

void AnalysisWriter::waiting() {
  const BarrierFacts &facts = findings.barriers;
  if (!facts.waiting) {
    json.attribute("waiting_loop", nullptr);
  } else {
    json.attributeObject("waiting_loop", [&] {
      place("location", *facts.waiting->branch);
      place("read", *facts.waiting->read);
    });
  }
  json.attributeArray("last_group_counters", [&] {
    for (const LastGroupCounter &counter : facts.lastGroupCounters)
      json.object([&] {
        place("location", *counter.comparison);
        place("atomic", *counter.atomic);
        json.attribute("by_group_count", counter.byNumWorkgroups);
      });
  });
}

void AnalysisWriter::loops() {
  json.attributeArray("loops", [&] {
    for (const std::unique_ptr<LoopInfo> &loop : findings.kernel.affine().loops())
      json.object([&] {
        writeText(json, "location",
                  loop->header->instructions().empty()
                      ? ""
                      : findings.at(loop->header->instructions().front()).str());
        json.attribute("depth", loop->depth);
        writeOptional(json, "trip_count", loop->tripCount);
        writeText(json, "trips", loop->tripText);
      });
  });
}

void writeBounds(OStream &json, llvm::StringRef name, const Bounds &bounds) {
  json.attributeArray(name, [&] {
    json.value(bounds.least);
    json.value(bounds.most);
  });
}

void AnalysisWriter::traffic(const AccessFinding &finding) {
  if (!finding.at.traffic) {
    json.attribute("traffic", nullptr);
    return;
  }
  const Traffic &traffic = *finding.at.traffic;
  json.attributeObject("traffic", [&] {
    json.attribute("exact", traffic.exact);
    json.attribute("assumed", traffic.assumed);
    json.attributeArray("group", [&] {
      for (uint32_t id : finding.at.group)
        json.value(id);
    });
    writeBounds(json, "active", traffic.active);
    writeBounds(json, "sectors", traffic.sectors);
    writeBounds(json, "lines", traffic.lines);
    json.attribute("used_bytes", traffic.usedBytes);
    json.attribute("min_sectors", traffic.minSectors);
    json.attribute("min_lines", traffic.minLines);
  });
}

void AnalysisWriter::accesses() {
  json.attributeArray("accesses", [&] {
    for (const AccessFinding &finding : findings.accesses) {
      const MemoryAccess &access = finding.access;
      json.object([&] {
        writeText(json, "location", access.location.str());
        writeText(json, "variable", access.name);
        writeText(json, "op", nameOf(access.op));
        const char *space = spaceName(access.space);
        writeText(json, "space", space ? space : "");
        json.attribute("bytes", access.bytes);
        writeText(json, "pattern", nameOf(access.pattern));
        json.attribute("inside_bounds", access.insideBounds);
        json.attributeArray("strides", [&] {
          for (unsigned axis = 0; axis < 3; ++axis)
            json.value(
                utf8(access.isImage() ? access.texelStrides[axis] : access.strides[axis].text));
        });
        sum("runs", finding.runs);
        traffic(finding);
        writeOptional(json, "bank_conflict", finding.at.bankConflict);
      });
    }
  });
}

void AnalysisWriter::advice() {
  json.attributeArray("advice", [&] {
    for (const Advice &advice : report.advice)
      json.object([&] {
        writeText(json, "kind", nameOf(advice.kind));
        writeText(json, "text", advice.text);
        writeText(json, "location", advice.location.str());
      });
  });
}

void AnalysisWriter::analysis() {
  json.attributeObject("analysis", [&] {
    json.attribute("subgroup_width", findings.subgroupWidth);
    work();
    sharedMemory();
    barriers();
    atomics();
    waiting();
    loops();
    accesses();
    advice();
    json.attributeArray("profiles", [&] {
      for (const DeviceProfile *profile : report.profiles)
        json.object([&] { writeFit(json, *profile, findings); });
    });
  });
}

} // namespace

void writeAnalysis(OStream &json, const KernelReport &report) {
  AnalysisWriter writer(json, report);
  writer.certificate();
  writer.analysis();
}

} // namespace tailor
