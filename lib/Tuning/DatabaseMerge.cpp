//===- Tuning/DatabaseMerge.cpp - Many outcomes at once --------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tuning/Database.h"

#include "Tuning/DatabaseSql.h"

#include <algorithm>
#include <tuple>

namespace tailor {

using namespace sql;

namespace {

/// What an outcome rests on, the most important first.
auto evidenceOf(const StoredWinner &outcome) {
  size_t timed = 0, samples = 0;
  for (const StoredCandidate &candidate : outcome.candidates) {
    timed += candidate.isTimed();
    // Outcomes of schema 1 have their number alone.
    samples += std::max<size_t>(candidate.samples, candidate.times.size());
  }
  return std::tuple(outcome.verified, timed, samples, std::string_view(outcome.date));
}

} // namespace

size_t MergeReport::count(What what) const {
  return static_cast<size_t>(std::count(outcomes.begin(), outcomes.end(), what));
}

bool isBetterEvidenced(const StoredWinner &theirs, const StoredWinner &ours) {
  return evidenceOf(theirs) > evidenceOf(ours);
}

Result<MergeReport> Database::merge(std::span<const StoredWinner> outcomes,
                                    std::span<const KnownBad> bad, bool replace) {
  using What = MergeReport::What;
  Transaction transaction(db);
  if (!transaction)
    return failed("the winners cannot be stored");
  MergeReport report;
  Result<std::vector<KnownBad>> known = badRows();
  if (!known)
    return known.takeFailure();
  for (const StoredWinner &theirs : outcomes) {
    Result<std::vector<StoredWinner>> ours = rows(kWhereKey, &theirs.key, 4);
    if (!ours)
      return ours.takeFailure();
    What what = What::Added;
    if (!ours->empty()) {
      const StoredWinner &mine = ours->front();
      what = theirs == mine                               ? What::Same
             : replace || isBetterEvidenced(theirs, mine) ? What::Replaced
                                                          : What::Kept;
    }
    report.outcomes.push_back(what);
    if (what != What::Added && what != What::Replaced)
      continue;
    if (Status stored = put(theirs); !stored)
      return stored.takeFailure();
  }
  for (const KnownBad &theirs : bad) {
    auto same = [&](const KnownBad &ours) {
      return ours.moduleHash == theirs.moduleHash && ours.deviceKey == theirs.deviceKey &&
             ours.subgroupSize == theirs.subgroupSize;
    };
    auto ours = std::find_if(known->begin(), known->end(), same);
    if (ours != known->end() && !(theirs.date > ours->date))
      continue;
    if (Status stored = put(theirs); !stored)
      return stored.takeFailure();
    ++report.badAdded;
    if (ours != known->end())
      *ours = theirs;
    else
      known->push_back(theirs);
  }
  if (!transaction.commit())
    return failed("the winners cannot be stored");
  return report;
}

Result<std::vector<StoredWinner>>
Database::prune(const std::function<bool(const StoredWinner &)> &unwanted) {
  Transaction transaction(db);
  if (!transaction)
    return failed("the winners cannot be removed");
  Result<std::vector<StoredWinner>> found =
      rows(" ORDER BY kernel, size_name, device_name, device_key", nullptr, 0);
  if (!found)
    return found;
  std::erase_if(*found, [&](const StoredWinner &each) { return !unwanted(each); });
  for (const StoredWinner &each : *found)
    if (Status removed = remove(each.key); !removed)
      return removed.takeFailure();
  if (!run(db, "DELETE FROM devices WHERE device_key NOT IN (SELECT device_key FROM winners)") ||
      !transaction.commit())
    return failed("the winners cannot be removed");
  return found;
}

Result<std::vector<KnownBad>>
Database::forget(const std::function<bool(const KnownBad &)> &unwanted) {
  Transaction transaction(db);
  if (!transaction)
    return failed("what is known bad cannot be removed");
  Result<std::vector<KnownBad>> found = badRows();
  if (!found)
    return found;
  std::erase_if(*found, [&](const KnownBad &each) { return !unwanted(each); });
  Statement remove(db, "DELETE FROM known_bad WHERE module_hash = ? AND device_key = ?"
                       " AND subgroup_size = ?");
  for (const KnownBad &each : *found) {
    remove.bind(each.moduleHash);
    remove.bind(each.deviceKey);
    remove.bind(each.subgroupSize);
    if (!remove.done())
      return failed("what is known bad cannot be removed");
  }
  if (!transaction.commit())
    return failed("what is known bad cannot be removed");
  return found;
}

} // namespace tailor
