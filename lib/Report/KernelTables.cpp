//===- Report/KernelTables.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/AccessRows.h"
#include "Report/Parts.h"
#include "Report/Words.h"

namespace tailor::report {

namespace {

std::string strideText(const AccessRow &row) {
  std::string text;
  for (const auto &[axis, stride] : row.strides)
    text += (text.empty() ? "" : ", ") + std::string(1, axis) + " " + stride;
  return !text.empty() ? text : row.isStill ? "the same" : "-";
}

std::string careStyle(AccessRow::Care care) {
  return care == AccessRow::Care::Costly    ? "costly"
         : care == AccessRow::Care::Notable ? "notable"
                                            : "";
}

} // namespace

void addAccesses(Html &html, const KernelPart &part) {
  html.add("h3", "Memory accesses");
  if (!part.findings) {
    html.add("p", "Left out: " + part.whyNoFindings + ".", {{"class", "hint"}});
    return;
  }
  const Findings &findings = *part.findings;
  const std::vector<AccessRow> rows = accessRows(findings);
  if (rows.empty()) {
    html.add("p", "The kernel accesses no memory that is counted.", {{"class", "hint"}});
    return;
  }
  html.add(
      "p",
      "What a subgroup of " + std::to_string(findings.subgroupWidth) +
          " fetches at the authored size " + size(findings.kernel.size()) +
          ", the worst first: sectors of 32 bytes (and how many would do), and how much of "
          "the 128-byte lines is used; for workgroup memory, how often its busiest bank answers.",
      {{"class", "hint"}});
  Table table(html, "memory accesses",
              {hasLines(findings) ? "#line" : "#word", "variable", "op", "#bytes", "pattern",
               "to the next invocation", "#sectors (least)", "#line use"});
  bool isAssumed = false;
  for (const AccessRow &row : rows) {
    const MemoryAccess &access = row.finding->access;
    const std::string pattern(nameOf(access.pattern));
    isAssumed |= row.isAssumed;
    table.row({row.place, access.name, std::string(nameOf(access.op)),
               access.bytes == 0 ? "?" : std::to_string(access.bytes),
               pattern.empty() ? "-" : pattern, strideText(row), row.sectors, row.lineUse},
              careStyle(row.care));
  }
  if (isAssumed)
    table.note("values of the host are taken as " + std::to_string(HostValues::kAssumedInteger));
}

void addRefused(Html &html, const KernelPart &part) {
  html.add("h3", "Refused techniques");
  if (!part.info) {
    html.add("p", "Left out: " + part.whyNoInfo + ".", {{"class", "hint"}});
    return;
  }
  if (part.info->refused.empty()) {
    html.add("p", "No technique was refused.", {{"class", "hint"}});
    return;
  }
  Table table(html, "refused techniques", {"technique", "why", "where", "because of"});
  for (const Refusal &refusal : part.info->refused) {
    std::string causes;
    for (const std::string &cause : refusal.causes)
      causes += (causes.empty() ? "" : "; ") + cause;
    table.row({refusal.variant.empty() ? refusal.technique : refusal.variant, refusal.reason,
               refusal.location, causes});
  }
}

} // namespace tailor::report
