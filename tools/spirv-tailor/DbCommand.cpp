//===- tools/spirv-tailor/DbCommand.cpp - db list, show, export, ... ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Commands.h"
#include "DbArguments.h"

#include "Support/Files.h"
#include "Tuning/DatabaseText.h"
#include "Tuning/T4.h"
#include "Tuning/Tuner.h"
#include "Tuning/WinnersJson.h"

#include "llvm/Support/raw_ostream.h"

#include "CLI/CLI.hpp"

#include <charconv>
#include <chrono>
#include <ctime>
#include <memory>
#include <tuple>

namespace tailor {

namespace {

// Results -------------------------------------------------------------------------------------

Status list(const DbArguments &arguments) {
  Result<DbContents> contents = readDatabase(arguments.database);
  if (!contents)
    return contents.takeFailure();
  CurrentDrivers drivers(deviceKeysHere(), contents->outcomes);
  std::vector<StoredWinner> picked;
  for (StoredWinner &outcome : contents->outcomes)
    if (!arguments.bad && arguments.picks(outcome) &&
        (!arguments.stale || drivers.standingOf(outcome, toolName()).isStale()))
      picked.push_back(std::move(outcome));
  if (Status nearest = arguments.pickNearest(picked); !nearest)
    return nearest;
  std::vector<ListedWinner> winners;
  for (StoredWinner &outcome : picked) {
    Standing standing = drivers.standingOf(outcome, toolName());
    winners.push_back({std::move(outcome), std::move(standing)});
  }
  std::vector<ListedBad> bad;
  for (KnownBad &each : contents->bad) {
    Standing standing = drivers.standingOf(each, toolName());
    if (arguments.picks(each) && (!arguments.stale || standing.isStale()))
      bad.push_back({std::move(each), std::move(standing)});
  }
  if (arguments.format == "json")
    writeWinnersList(llvm::outs(), toolName(), winners, bad);
  else if (arguments.bad)
    printBad(llvm::outs(), bad);
  else
    printWinners(llvm::outs(), winners);
  return success();
}

Status show(const DbArguments &arguments) {
  Result<DbContents> contents = readDatabase(arguments.database);
  if (!contents)
    return contents.takeFailure();
  CurrentDrivers drivers(deviceKeysHere(), contents->outcomes);
  Result<std::vector<StoredWinner>> picked = pickOutcomes(arguments, std::move(contents->outcomes));
  if (!picked)
    return picked.takeFailure();
  if (arguments.format == "json") {
    writeWinnersJson(llvm::outs(), {toolName(), std::move(*picked), {}});
    return success();
  }
  bool first = true;
  for (StoredWinner &outcome : *picked) {
    llvm::outs() << (first ? "" : "\n");
    first = false;
    Standing standing = drivers.standingOf(outcome, toolName());
    printWinner(llvm::outs(), {std::move(outcome), std::move(standing)});
  }
  return success();
}

Status exportT4(const DbArguments &arguments, const std::vector<StoredWinner> &outcomes) {
  auto textOf = [](const StoredWinner &outcome) {
    std::string text;
    llvm::raw_string_ostream os(text);
    writeT4(os, outcome);
    return text;
  };
  const std::string &output = arguments.output;
  if (output == "-" || output.ends_with(".json")) {
    if (outcomes.size() != 1)
      return failure({},
                     "a T4 file holds one outcome, and these are " +
                         std::to_string(outcomes.size()) +
                         ": give a folder to -o, or choose by --kernel, --device and --size",
                     ErrorKind::Usage);
    return writeFileAtomically(output, textOf(outcomes.front()));
  }
  if (Status made = makeFolder(output); !made)
    return made;
  std::vector<std::string> names = t4FileNames(outcomes);
  for (size_t i = 0; i < outcomes.size(); ++i)
    if (Status written = writeFileAtomically(output + "/" + names[i], textOf(outcomes[i]));
        !written)
      return written;
  return success();
}

Status exportWinners(const DbArguments &arguments) {
  if (Status apart = checkOutput(arguments.output, {arguments.database}); !apart)
    return apart;
  Result<DbContents> contents = readDatabase(arguments.database);
  if (!contents)
    return contents.takeFailure();
  Result<std::vector<StoredWinner>> picked = pickOutcomes(arguments, std::move(contents->outcomes));
  if (!picked)
    return picked.takeFailure();
  if (arguments.format == "t4")
    return exportT4(arguments, *picked);
  WinnersFile file{toolName(), std::move(*picked), {}};
  for (KnownBad &bad : contents->bad)
    if (arguments.picks(bad))
      file.knownBad.push_back(std::move(bad));
  std::string text;
  llvm::raw_string_ostream os(text);
  writeWinnersJson(os, file);
  return writeFileAtomically(arguments.output, text);
}

// Changes -------------------------------------------------------------------------------------

Status takeIn(const DbArguments &arguments, const DbContents &theirs) {
  using What = MergeReport::What;
  Result<std::unique_ptr<Database>> database =
      Database::open(arguments.database, Database::Mode::Create);
  if (!database)
    return database.takeFailure();
  Result<MergeReport> report = (*database)->merge(theirs.outcomes, theirs.bad, arguments.replace);
  if (!report)
    return report.takeFailure();
  for (size_t i = 0; i < theirs.outcomes.size(); ++i) {
    const StoredWinner &outcome = theirs.outcomes[i];
    if (report->outcomes[i] == What::Replaced)
      llvm::outs() << "replaced " << placeText(outcome) << ": " << outcome.winnerId << ", "
                   << outcome.date << '\n';
    else if (report->outcomes[i] == What::Kept)
      llvm::outs() << "kept ours of " << placeText(outcome) << ": theirs is not better evidenced\n";
  }
  llvm::outs() << report->count(What::Added) << " added, " << report->count(What::Replaced)
               << " replaced, " << report->count(What::Kept) << " of ours kept, "
               << report->count(What::Same) << " the same; " << report->badAdded
               << (report->badAdded == 1 ? " bad variant\n" : " bad variants\n");
  return success();
}

void importWinners(const DbArguments &arguments, Diagnostics &diagnostics) {
  DbContents theirs;
  for (const std::string &path : arguments.files) {
    Result<std::string> text = readFile(path);
    if (!text) {
      diagnostics.emit(text.takeFailure().diagnostic);
      continue;
    }
    std::optional<WinnersFile> file = readWinnersJson(*text, path, diagnostics);
    if (!file)
      continue;
    std::move(file->outcomes.begin(), file->outcomes.end(), std::back_inserter(theirs.outcomes));
    std::move(file->knownBad.begin(), file->knownBad.end(), std::back_inserter(theirs.bad));
  }
  if (diagnostics.hasErrors())
    return; // all or none
  if (Status done = takeIn(arguments, theirs); !done)
    diagnostics.emit(done.takeFailure().diagnostic);
}

Status mergeDatabases(const DbArguments &arguments) {
  DbContents theirs;
  for (const std::string &path : arguments.files) {
    Result<DbContents> contents = readDatabase(path);
    if (!contents)
      return contents.takeFailure();
    std::move(contents->outcomes.begin(), contents->outcomes.end(),
              std::back_inserter(theirs.outcomes));
    std::move(contents->bad.begin(), contents->bad.end(), std::back_inserter(theirs.bad));
  }
  return takeIn(arguments, theirs);
}

/// A day that there is: `2026-01-31`.
bool isDate(std::string_view text) {
  auto number = [&](size_t at, size_t digits) {
    unsigned value = 0;
    const char *begin = text.data() + at;
    auto [end, error] = std::from_chars(begin, begin + digits, value);
    return error == std::errc() && end == begin + digits ? value : 0;
  };
  const std::chrono::year_month_day day{std::chrono::year(static_cast<int>(number(0, 4))),
                                        std::chrono::month(number(5, 2)),
                                        std::chrono::day(number(8, 2))};
  return number(0, 4) != 0 && day.ok();
}

/// `90d`, `12h`, or a date, as the ISO 8601 text of that moment.
std::optional<std::string> momentOf(const std::string &text) {
  if (text.size() >= 10 && text[4] == '-' && text[7] == '-')
    return isDate(std::string_view(text).substr(0, 10)) ? std::optional(text) : std::nullopt;
  uint32_t count = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  std::string_view unit(end, static_cast<size_t>(text.data() + text.size() - end));
  if (error != std::errc() || (unit != "d" && unit != "h") || count > 1000000)
    return std::nullopt;
  std::time_t then = std::time(nullptr) - std::time_t{count} * (unit == "d" ? 86400 : 3600);
  std::tm utc{};
  gmtime_r(&then, &utc);
  char date[32];
  return std::string(date, std::strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &utc));
}

Status prune(const DbArguments &arguments) {
  if (!arguments.hasFilter() && !arguments.stale && arguments.olderThan.empty())
    return failure({},
                   "say what to remove: --stale, --older-than, --kernel, --device or --size "
                   "(together, what all of them pick)",
                   ErrorKind::Usage);
  std::string before;
  if (!arguments.olderThan.empty()) {
    std::optional<std::string> moment = momentOf(arguments.olderThan);
    if (!moment)
      return failure({},
                     "--older-than: '" + arguments.olderThan +
                         "' is no age: write 90d, 12h or a date such as 2026-01-31",
                     ErrorKind::Usage);
    before = *moment;
  }
  Result<DbContents> contents = readDatabase(arguments.database);
  if (!contents)
    return contents.takeFailure();
  CurrentDrivers drivers(deviceKeysHere(), contents->outcomes);
  // An outcome without a date has no age.
  auto unwanted = [&](const auto &each) {
    return arguments.picks(each) &&
           (before.empty() || (!each.date.empty() && each.date < before)) &&
           (!arguments.stale || drivers.standingOf(each, toolName()).isStale());
  };
  std::vector<std::string> removed;
  auto addOutcome = [&](const StoredWinner &each) {
    removed.push_back(placeText(each) + ": " + each.winnerId + ", " + each.date);
  };
  auto addBad = [&](const KnownBad &each) {
    removed.push_back(each.kernel + " on " + deviceText(each.deviceKey) + ": " + each.variantId +
                      " (" + std::string(nameOf(each.fault)) + ")");
  };
  if (arguments.dryRun) {
    for (const StoredWinner &each : contents->outcomes)
      if (!arguments.bad && unwanted(each))
        addOutcome(each);
    for (const KnownBad &each : contents->bad)
      if (arguments.bad && unwanted(each))
        addBad(each);
  } else {
    Result<std::unique_ptr<Database>> database =
        Database::open(arguments.database, Database::Mode::Existing);
    if (!database)
      return database.takeFailure();
    if (arguments.bad) {
      Result<std::vector<KnownBad>> gone = (*database)->forget(unwanted);
      if (!gone)
        return gone.takeFailure();
      std::for_each(gone->begin(), gone->end(), addBad);
    } else {
      Result<std::vector<StoredWinner>> gone = (*database)->prune(unwanted);
      if (!gone)
        return gone.takeFailure();
      std::for_each(gone->begin(), gone->end(), addOutcome);
    }
    if (!removed.empty())
      (*database)->compact();
  }
  const char *verb = arguments.dryRun ? "would remove " : "removed ";
  for (const std::string &each : removed)
    llvm::outs() << verb << each << '\n';
  llvm::outs() << verb << removed.size() << (arguments.bad ? " bad variant" : " outcome")
               << (removed.size() == 1 ? "" : "s") << '\n';
  return success();
}

// Options -------------------------------------------------------------------------------------

using Arguments = std::shared_ptr<DbArguments>;

/// A subcommand of `db`, run by `action`, which gives a Status or writes to the diagnostics.
template <typename Action>
std::pair<CLI::App *, Arguments> addSub(CLI::App &db, Invocation &invocation, const char *name,
                                        const char *what, Action action) {
  auto arguments = std::make_shared<DbArguments>();
  CLI::App *command = db.add_subcommand(name, what);
  arguments->addDatabase(*command);
  command->callback([&invocation, arguments, action] {
    invocation.run = [arguments, action](Diagnostics &diagnostics) {
      if constexpr (std::is_invocable_v<Action, const DbArguments &, Diagnostics &>)
        action(*arguments, diagnostics);
      else if (Status done = action(*arguments); !done)
        diagnostics.emit(done.takeFailure().diagnostic);
    };
  });
  return {command, arguments};
}

void addReading(CLI::App &db, Invocation &invocation) {
  auto [lists, listed] =
      addSub(db, invocation, "list", "A line for each outcome, and whether it still stands", list);
  listed->addFilters(*lists);
  listed->addGroups(*lists);
  lists->add_flag("--stale", listed->stale, "Only what a new driver or tool has overtaken");
  lists->add_flag("--bad", listed->bad,
                  "The variants that are not tried again: they crashed, hung or were wrong");
  listed->addFormat(*lists);
  lists->footer("Examples:\n  spirv-tailor db list --db winners.db\n"
                "  spirv-tailor db list --db winners.db --kernel blur --device h200 --stale");

  auto [shows, shown] = addSub(
      db, invocation, "show", "Everything of outcomes: the key, the search, every candidate", show);
  shown->addFilters(*shows);
  shown->addGroups(*shows);
  shown->addFormat(*shows);
  shows->footer("Example: spirv-tailor db show --db winners.db --kernel blur --size 1080p");

  auto [exports, exported] =
      addSub(db, invocation, "export", "Writes outcomes with all samples to JSON", exportWinners);
  exported->addFilters(*exports);
  exported->addGroups(*exports);
  exported->format = "json";
  exports
      ->add_option("--format", exported->format,
                   "json (for db import), or t4 (results for other auto-tuners' tools)")
      ->check(CLI::IsMember({"json", "t4"}));
  exports
      ->add_option("-o,--output", exported->output,
                   "The file (default stdout); for t4 a folder, or NAME.json for one outcome")
      ->type_name("FILE");
  exports->footer("Examples:\n  spirv-tailor db export --db winners.db -o winners.json\n"
                  "  spirv-tailor db export --db winners.db --format t4 -o t4/");
}

void addChanging(CLI::App &db, Invocation &invocation) {
  auto [imports, imported] =
      addSub(db, invocation, "import", "Takes in what db export wrote: all of it or nothing",
             importWinners);
  auto [merges, merged] = addSub(
      db, invocation, "merge",
      "Takes in other databases; of two outcomes the better evidenced one stays", mergeDatabases);
  for (const auto &[command, arguments, type] :
       {std::tuple(imports, imported, "WINNERS.json"), std::tuple(merges, merged, "OTHER.db")}) {
    command->add_option("FILE", arguments->files, "Files to take in; they stay as they are")
        ->type_name(type)
        ->required();
    command->add_flag("--replace", arguments->replace,
                      "Take theirs wherever both have an outcome, whatever the evidence");
  }
  imports->footer("Example: spirv-tailor db import winners.json --db winners.db");
  merges->footer("Example: spirv-tailor db merge desk.db laptop.db --db all.db");

  auto [prunes, pruned] =
      addSub(db, invocation, "prune", "Removes outcomes, and says which", prune);
  pruned->addFilters(*prunes);
  prunes->add_flag("--stale", pruned->stale, "What a new driver or tool has overtaken");
  prunes
      ->add_option("--older-than", pruned->olderThan,
                   "What was measured before: 90d, 12h or a date")
      ->type_name("AGE");
  prunes->add_flag("--bad", pruned->bad,
                   "Forget bad variants, so that they are tried again; outcomes stay");
  prunes->add_flag("--dry-run", pruned->dryRun, "Only say what would be removed");
  prunes->footer("Examples:\n  spirv-tailor db prune --db winners.db --stale --dry-run\n"
                 "  spirv-tailor db prune --db winners.db --older-than 90d --kernel blur");
}

} // namespace

void addDbCommand(CLI::App &app, Invocation &invocation) {
  CLI::App *db = app.add_subcommand(
      "db", "Looks into winners databases, moves outcomes between them, and removes some");
  db->require_subcommand(1);
  addReading(*db, invocation);
  addChanging(*db, invocation);
  db->footer("`spirv-tailor db COMMAND --help` tells more.\n"
             "Examples:\n  spirv-tailor db list --db winners.db\n"
             "  spirv-tailor db merge desk.db laptop.db --db all.db");
}

} // namespace tailor
