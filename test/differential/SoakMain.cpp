//===- differential/SoakMain.cpp - The parent of a soak --------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// scripts/soak says what it does, docs/testing.md why. Drivers are loaded in
// workers alone, one each: `--list` asks one which devices it has.
//
//===----------------------------------------------------------------------===//
#include "Soak.h"
#include "SoakParent.h"

#include "Analysis/LegalityRelaxation.h"
#include "Support/Files.h"
#include "Vulkan/Device.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <filesystem>
#include <thread>

using namespace tailor;
using namespace tailor::differential;

namespace cl = llvm::cl;

static cl::opt<double> seconds("seconds", cl::desc("begin no kernel after so many"),
                               cl::init(3600));
static cl::opt<uint64_t> kernels("kernels", cl::desc("kernels of each worker; 0: no limit"));
static cl::opt<unsigned> jobs("jobs", cl::desc("workers, where --workers does not say"));
static cl::opt<uint64_t> first("first-seed", cl::desc("of the first worker"), cl::init(1));
static cl::opt<unsigned> variants("variants", cl::desc("of a kernel, at most"));
static cl::opt<std::string>
    workers("workers",
            cl::desc("NAME=COUNT,...: part of a device's name, cpu or gpu (each such device) or "
                     "interpreter"));
static cl::opt<std::string> folder("o", cl::desc("folder for logs and what failed"),
                                   cl::init("soak"));
static cl::list<std::string> merged("merge", cl::desc("only the summary of this folder's logs"));
static cl::opt<bool> lists("list", cl::desc("the devices of the drivers, in this process"));
static cl::opt<int> without("without", cl::init(-1),
                            cl::desc("leave out this LegalityCondition: a planted fault"));
static cl::opt<std::string> worker("worker", cl::Hidden), device("device", cl::Hidden);

static int listDevices() {
  Result<std::shared_ptr<vulkan::Instance>> instance = vulkan::Instance::create();
  if (!instance)
    return 3;
  for (const vulkan::DeviceInfo &info : (*instance)->devices())
    llvm::outs() << (info.isCpu() ? "cpu " : "gpu ") << info.name << "\n";
  return 0;
}

static int finish(const std::vector<std::string> &folders, double took) {
  const SoakSummary summary = summarize(folders);
  if (Status written = summary.write(folder, took); !written) {
    llvm::errs() << "error: " << written.diagnostic().text << "\n";
    return 3;
  }
  llvm::outs() << summary.line() << ", " << static_cast<uint64_t>(took) << " s\n";
  return summary.mismatches == 0 ? 0 : 1;
}

int main(int count, char **arguments) {
  cl::ParseCommandLineOptions(count, arguments, "long differential campaigns\n");
  if (lists)
    return listDevices();
  // What a worker is told is where it is from now on.
  folder = std::filesystem::absolute(folder.getValue()).string();
  if (without >= static_cast<int>(kNumLegalityConditions)) {
    llvm::errs() << "error: there is no condition " << without << "\n";
    return 2;
  }
  const SoakOptions options{seconds, kernels, folder, variants, without};
  if (!worker.empty())
    return soakWorker({worker, device, first}, options);
  if (Status made = makeFolder(folder); !made) {
    llvm::errs() << "error: " << made.diagnostic().text << "\n";
    return 3;
  }
  if (!merged.empty())
    return finish(merged, 0);
  const auto start = SoakClock::now();
  Result<std::vector<SoakProcess>> planned = planWorkers(
      workers, jobs != 0 ? unsigned(jobs) : std::max(1u, std::thread::hardware_concurrency()),
      first);
  if (!planned) {
    llvm::errs() << "error: " << planned.diagnostic().text << "\n";
    return planned.diagnostic().kind == ErrorKind::Usage ? 2 : 3;
  }
  const bool well = SoakParent(std::move(*planned), options).run();
  const int status =
      finish({folder}, std::chrono::duration<double>(SoakClock::now() - start).count());
  return well ? status : std::max(status, 1);
}
