//===- Analysis/AdviceBanks.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/AdviceImpl.h"
#include "IR/Types.h"

#include <algorithm>
#include <set>

namespace tailor {
namespace {

constexpr uint64_t kWordBytes = 4, kBanks = 32;

/// Words of the innermost array of a workgroup variable that is an array of arrays.
std::optional<uint64_t> rowWords(const KernelAnalysis &kernel, const Instruction &variable) {
  const Module &module = kernel.module();
  std::optional<PointerType> pointer = pointerType(module, variable.typeId());
  const Instruction *type = pointer ? module.def(pointer->pointee) : nullptr;
  unsigned depth = 0;
  const Instruction *row = nullptr;
  while (type && type->opcode() == spv::Op::OpTypeArray) {
    row = type;
    ++depth;
    type = module.def(type->id(0));
  }
  if (depth < 2)
    return std::nullopt;
  std::optional<uint64_t> length = kernel.constants().evaluateInt(row->id(1));
  std::optional<uint64_t> stride = arrayStride(module, *row, kernel.constants());
  if (!length || !stride || *length * *stride % kWordBytes != 0)
    return std::nullopt;
  return *length * *stride / kWordBytes;
}

/// Words that the busiest bank gives, one for each lane.
unsigned conflictOf(const std::vector<uint64_t> &addresses) {
  std::set<uint64_t> words;
  for (uint64_t address : addresses)
    words.insert(address / kWordBytes);
  std::array<unsigned, kBanks> answers{};
  for (uint64_t word : words)
    ++answers[word % kBanks];
  return *std::max_element(answers.begin(), answers.end());
}

/// Where the lanes are that run the access; empty where one is not known.
std::vector<uint64_t> addressesOf(LaneGroup &lanes, const MemoryAccess &access) {
  std::vector<uint64_t> addresses;
  for (size_t lane = 0; lane < lanes.lanes().size(); ++lane) {
    LaneGroup::At at = lanes.at(access, lane);
    if (at.activity == Activity::No)
      continue;
    if (at.activity == Activity::Unknown || !at.address)
      return {};
    addresses.push_back(*at.address);
  }
  return addresses;
}

/// The addresses with `pad` words left free behind every `words` words.
std::vector<uint64_t> padded(std::vector<uint64_t> addresses, uint64_t words, uint64_t pad) {
  for (uint64_t &address : addresses)
    address += address / (words * kWordBytes) * pad * kWordBytes;
  return addresses;
}

class BankAdviser {
public:
  explicit BankAdviser(const Findings &findings) : findings(findings), model(findings.kernel) {}

  /// About all accesses of one variable.
  void advise(const Instruction &variable, AdviceList &list);

private:
  struct Remedy {
    uint64_t pad = 0;   ///< words left free behind each row; 0: nothing helps
    unsigned worst = 0; ///< over the accesses of the variable
  };
  /// The padding of rows of `words` with which the worst access is best; none where that is not
  /// half as bad as now, or an access could not be computed.
  Remedy remedyFor(const AccessGroup &accesses, uint64_t words, unsigned now);

  const Findings &findings;
  LaneModel model;
};

BankAdviser::Remedy BankAdviser::remedyFor(const AccessGroup &accesses, uint64_t words,
                                           unsigned now) {
  const Dim3 &size = findings.kernel.size();
  std::vector<std::vector<uint64_t>> addresses;
  for (size_t at : accesses) {
    const AccessFinding &finding = findings.accesses[at];
    if (finding.access.bytes != kWordBytes)
      return {};
    LaneGroup lanes(model, subgroupLanes(size, size, finding.at.group, 0, findings.subgroupWidth),
                    {});
    addresses.push_back(addressesOf(lanes, finding.access));
    if (addresses.back().empty())
      return {};
  }
  constexpr uint64_t kMostPad = 4;
  Remedy best{0, now};
  for (uint64_t pad = 1; pad <= kMostPad; ++pad) {
    unsigned worst = 0;
    for (const std::vector<uint64_t> &each : addresses)
      worst = std::max(worst, conflictOf(padded(each, words, pad)));
    if (worst < best.worst)
      best = {pad, worst};
  }
  return 2 * best.worst <= now ? best : Remedy();
}

void BankAdviser::advise(const Instruction &variable, AdviceList &list) {
  AccessGroup all, conflicts;
  unsigned now = 1;
  for (size_t at = 0; at < findings.accesses.size(); ++at) {
    const AccessFinding &finding = findings.accesses[at];
    if (finding.access.variable != &variable || finding.at.bankConflict == 0u)
      continue;
    all.push_back(at);
    if (finding.at.bankConflict.value_or(0) > 1)
      conflicts.push_back(at);
    now = std::max(now, finding.at.bankConflict.value_or(0));
  }
  if (conflicts.empty())
    return;
  const MemoryAccess &worst =
      findings
          .accesses[*std::max_element(conflicts.begin(), conflicts.end(),
                                      [&](size_t a, size_t b) {
                                        return findings.accesses[a].at.bankConflict <
                                               findings.accesses[b].at.bankConflict;
                                      })]
          .access;
  std::optional<uint64_t> row = rowWords(findings.kernel, variable);
  const uint64_t words = row.value_or(kBanks);
  const Remedy remedy = words == 0 ? Remedy() : remedyFor(all, words, now);
  constexpr unsigned kMinor = 2; // not worth a word where nothing is known to help
  if (remedy.pad == 0 && now <= kMinor)
    return;
  std::string text = conflictText(now) + " bank conflict on `" + worst.name + "` (" +
                     placesOf(findings, conflicts) + ")";
  unsigned axis = fastestAxis(findings.kernel.size());
  const std::string &stride = worst.strides[axis].text;
  if (!stride.empty() && stride != "0")
    text += ", where lanes are " + stride + " bytes apart along " + kAxisName[axis];
  if (remedy.pad != 0) {
    text += row ? ": with rows of " + std::to_string(words + remedy.pad) + " words instead of " +
                      std::to_string(words)
                : ": with " + std::to_string(remedy.pad) + (remedy.pad == 1 ? " word" : " words") +
                      " left free behind every " + std::to_string(words);
    text += remedy.worst == 1 ? " there is none" : " it is " + conflictText(remedy.worst);
  }
  list.push_back({AdviceKind::BankConflict, std::move(text), worst.location});
}

} // namespace

void adviseBanks(const Findings &findings, AdviceList &list) {
  BankAdviser adviser(findings);
  for (const SharedVariable &variable : findings.shared.variables)
    adviser.advise(*variable.variable, list);
}

} // namespace tailor
