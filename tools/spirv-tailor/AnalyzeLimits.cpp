//===- tools/spirv-tailor/AnalyzeLimits.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AnalyzeText.h"
#include "Devices/Fit.h"
#include "Devices/Occupancy.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

#include <map>

namespace tailor {
namespace {

std::string percent(double share) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << llvm::format("%.0f %%", 100 * share);
  return os.str();
}

const char *limitText(OccupancyLimit limit) {
  switch (limit) {
  case OccupancyLimit::Invocations:
    return "the invocations it can hold";
  case OccupancyLimit::Groups:
    return "the groups it can hold";
  case OccupancyLimit::SharedMemory:
    return "its workgroup memory";
  case OccupancyLimit::Registers:
    return "its registers";
  }
  return "";
}

/// The least that specifications promise: where the kernel runs as it is.
void printMinima(TextWriter &out, const Findings &findings) {
  std::vector<std::string> fits;
  std::map<std::string, std::vector<std::string>> over; // by what is too much
  for (const DeviceProfile &profile : deviceProfiles()) {
    if (!profile.isMinimum)
      continue;
    std::string why;
    for (const LimitBreach &breach :
         breachesOf(profile, findings.kernel.size(), findings.shared.totalBytes)) {
      std::string what = breach.limit == "invocations"    ? "invocations"
                         : breach.limit == "shared_bytes" ? "bytes of workgroup memory"
                                                          : "along " + breach.limit.substr(5);
      why += (why.empty() ? "" : ", ") + numberText(breach.wanted) + " " + what + " (" +
             numberText(breach.allowed) + " allowed)";
    }
    if (why.empty())
      fits.emplace_back(profile.key);
    else
      over[why].emplace_back(profile.key);
  }
  const char *unchecked =
      findings.shared.totalBytes ? "" : "; workgroup memory, which is not known, is not counted";
  if (!fits.empty())
    out.line("fits", listText(fits) + unchecked, *unchecked ? Colour::Warning : Colour::Good);
  for (const auto &[why, keys] : over)
    out.line("too large for", listText(keys) + ": " + why, Colour::Warning);
}

void printOccupancy(TextWriter &out, const Findings &findings, const DeviceProfile &profile) {
  const Dim3 &size = findings.kernel.size();
  if (!findings.shared.totalBytes) {
    out.line("", "occupancy: not known, as the workgroup memory is not");
    return;
  }
  const uint64_t sharedBytes = *findings.shared.totalBytes;
  std::optional<Occupancy> occupancy = occupancyOf(profile, size, sharedBytes);
  if (!occupancy) {
    out.line("", "occupancy: not known for this profile");
    return;
  }
  out.line("", "occupancy: " + counted(occupancy->groups, "group") + " a unit, " +
                   numberText(uint64_t{occupancy->invocations}) + " of " +
                   numberText(uint64_t{*profile.unit.invocations}) + " invocations (" +
                   percent(occupancy->share) + "), limited by " + limitText(occupancy->limit));
  const std::optional<LivePressure> &pressure = findings.work.pressure;
  if (!occupancy->registersLeft || !pressure || !pressure->at)
    return;
  std::string text =
      "registers, an estimate from live values: " + numberText(uint64_t{pressure->components}) +
      " of the " + numberText(uint64_t{*occupancy->registersLeft}) +
      " that each invocation can have so";
  if (pressure->components > *occupancy->registersLeft)
    if (auto fewer = occupancyOf(profile, size, sharedBytes, pressure->components))
      text += "; they would leave " + counted(fewer->groups, "group") + " a unit (" +
              percent(fewer->share) + ")";
  out.line("", text);
}

/// Which variable of workgroup memory takes most of it.
std::string largestText(const SharedMemory &shared) {
  const SharedVariable *largest = nullptr;
  for (const SharedVariable &variable : shared.variables)
    if (variable.bytes && (!largest || *variable.bytes > *largest->bytes))
      largest = &variable;
  return largest ? "; the largest is `" + largest->name + "` with " + numberText(*largest->bytes)
                 : "";
}

void printProfile(TextWriter &out, const Findings &findings, const DeviceProfile &profile) {
  const Dim3 &size = findings.kernel.size();
  std::vector<LimitBreach> breaches = breachesOf(profile, size, findings.shared.totalBytes);
  std::string key(profile.key);
  out.line(key,
           std::string(profile.name) +
               (profile.architecture.empty() ? "" : ", " + std::string(profile.architecture)) +
               (breaches.empty() ? ": the size fits" : ": the size does not fit"),
           breaches.empty() ? Colour::Good : Colour::Bad);
  for (const LimitBreach &breach : breaches) {
    std::string text =
        breach.text + ": " + numberText(breach.wanted - breach.allowed) + " too many";
    if (breach.limit == "shared_bytes")
      text += largestText(findings.shared);
    out.line("", text, Colour::Bad);
  }
  if (std::optional<uint32_t> width = profile.subgroupWidth()) {
    double idle = idleLaneShare(size.product(), *width);
    out.line("",
             "subgroups of " + std::to_string(*width) + ": " +
                 (idle == 0 ? "all full" : percent(idle) + " of the lanes idle"),
             idle == 0 ? Colour::Plain : Colour::Warning);
  }
  if (breaches.empty() && !profile.isMinimum)
    printOccupancy(out, findings, profile);
}

std::string sizeText(const std::optional<std::array<uint32_t, 3>> &size) {
  if (!size)
    return "-";
  return std::to_string((*size)[0]) + "x" + std::to_string((*size)[1]) + "x" +
         std::to_string((*size)[2]);
}

template <typename T> std::string cell(const std::optional<T> &value) {
  return value ? numberText(uint64_t{*value}) : "-";
}

} // namespace

void printLimits(TextWriter &out, const KernelReport &report) {
  out.title("Limits", "the authored size against what is allowed");
  printMinima(out, report.findings);
  for (const DeviceProfile *profile : report.profiles)
    printProfile(out, report.findings, *profile);
}

void printProfiles(llvm::raw_ostream &os) {
  ReportStyle style;
  TextWriter out(os, style);
  std::vector<std::vector<std::string>> rows = {
      {"profile", "subgroup", "invocations", "size", "memory", "units", "name"}};
  for (const DeviceProfile &profile : deviceProfiles())
    rows.push_back({std::string(profile.key), cell(profile.subgroupMax),
                    cell(profile.maxInvocations), sizeText(profile.maxSize),
                    cell(profile.maxSharedBytes), cell(profile.unit.units),
                    std::string(profile.name)});
  out.table(rows);
  out.blank();
  out.paragraph(2, "",
                "invocations, size and bytes of memory are the most that a workgroup may "
                "have; - is not known. `--format json` has every figure and its source.");
}

} // namespace tailor
