//===- tools/spirv-tailor/PortfolioCommand.cpp - portfolio ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Commands.h"
#include "DbArguments.h"

#include "Tuning/PortfolioText.h"
#include "Tuning/Tuner.h"

#include "llvm/Support/raw_ostream.h"

#include "CLI/CLI.hpp"

#include <charconv>
#include <memory>

namespace tailor {

namespace {

struct PortfolioArguments : DbArguments {
  uint32_t variants = 4;
  std::string maxLoss;
};

/// `5%` or `5`: percent, as a loss of 1.05.
std::optional<double> parseLoss(std::string_view text) {
  if (text.ends_with("%"))
    text.remove_suffix(1);
  double percent = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), percent);
  if (error != std::errc() || end != text.data() + text.size() || !(percent >= 0) || percent > 1e6)
    return std::nullopt;
  return 1 + percent / 100;
}

Status choose(const PortfolioArguments &arguments) {
  PortfolioOptions options;
  options.variants = arguments.variants;
  if (!arguments.maxLoss.empty()) {
    std::optional<double> loss = parseLoss(arguments.maxLoss);
    if (!loss)
      return failure({}, "--max-loss: '" + arguments.maxLoss + "' is no percentage: write 5%",
                     ErrorKind::Usage);
    options.worstLoss = *loss;
  }
  Result<DbContents> contents = readDatabase(arguments.database);
  if (!contents)
    return contents.takeFailure();
  Result<std::vector<StoredWinner>> picked = pickOutcomes(arguments, std::move(contents->outcomes));
  if (!picked)
    return picked.takeFailure();
  std::vector<KernelPortfolio> kernels;
  for (PortfolioTable &table : portfolioTables(*picked)) {
    Portfolio portfolio = choosePortfolio(table, options);
    kernels.push_back({std::move(table), std::move(portfolio)});
  }
  if (kernels.empty())
    return failure(Location::inFile(arguments.database),
                   "no outcome has the time of a verified variant");
  if (arguments.format == "json")
    writePortfolios(llvm::outs(), toolName(), kernels);
  else
    printPortfolios(llvm::outs(), kernels);
  return success();
}

} // namespace

void addPortfolioCommand(CLI::App &app, Invocation &invocation) {
  auto arguments = std::make_shared<PortfolioArguments>();
  CLI::App *command = app.add_subcommand(
      "portfolio", "Chooses few variants of each kernel that serve all measured devices and sizes");
  arguments->addDatabase(*command);
  command
      ->add_option("--variants", arguments->variants, "At most so many for each kernel (default 4)")
      ->type_name("K")
      ->check(CLI::Range(1U, 1000U));
  command
      ->add_option("--max-loss", arguments->maxLoss,
                   "Take the first set, from one variant up, that loses no more than this anywhere")
      ->type_name("PERCENT");
  arguments->addFilters(*command);
  arguments->addFormat(*command);
  command->footer("Example: spirv-tailor portfolio --db winners.db --variants 3 --max-loss 5%");
  command->callback([&invocation, arguments] {
    invocation.run = [arguments](Diagnostics &diagnostics) {
      if (Status done = choose(*arguments); !done)
        diagnostics.emit(done.takeFailure().diagnostic);
    };
  });
}

} // namespace tailor
