//===- differential/SoakParent.cpp - Starts workers, and starts them again -===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "SoakParent.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <thread>

namespace tailor::differential {

namespace {

constexpr double kGrace = 20;    ///< seconds for the last kernel of a worker
constexpr double kSilence = 240; ///< seconds after which a worker counts as hung
constexpr unsigned kMostVainStarts = 4;
constexpr unsigned kWorkersOfGpu = 4;

volatile std::sig_atomic_t interrupted = 0;
void interrupt(int) { interrupted = 1; }

/// This program, with arguments; in a child.
[[noreturn]] void become(const std::vector<std::string> &arguments) {
  static const char *const self = "/proc/self/exe";
  std::vector<char *> list = {const_cast<char *>("soak")};
  for (const std::string &argument : arguments)
    list.push_back(const_cast<char *>(argument.c_str()));
  list.push_back(nullptr);
  execv(self, list.data());
  _exit(127);
}

struct FoundDevice {
  std::string name, driver;
  bool isCpu = false;
};

/// What this program prints with --list under that driver alone.
std::vector<FoundDevice> devicesOf(const std::string &driver) {
  int ends[2];
  if (pipe(ends) != 0)
    return {};
  const pid_t pid = fork();
  if (pid == 0) {
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    if (!driver.empty())
      setenv("VK_DRIVER_FILES", driver.c_str(), 1);
    become({"--list"});
  }
  close(ends[1]);
  std::string text;
  char part[4096];
  for (ssize_t got = 0; (got = read(ends[0], part, sizeof part)) > 0;)
    text.append(part, static_cast<size_t>(got));
  close(ends[0]);
  int status = 0;
  waitpid(pid, &status, 0);
  std::vector<FoundDevice> found;
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(text).split(lines, '\n', -1, false);
  for (llvm::StringRef line : lines)
    if (line.starts_with("cpu ") || line.starts_with("gpu "))
      found.push_back({line.drop_front(4).str(), driver, line.starts_with("cpu ")});
  if (status != 0 || found.empty())
    llvm::errs() << "warning: the driver '" << driver << "' has no device here\n";
  return found;
}

std::vector<FoundDevice> allDevices() {
  const char *files = std::getenv("VK_DRIVER_FILES");
  if (!files || !*files)
    return devicesOf("");
  std::vector<FoundDevice> all;
  llvm::SmallVector<llvm::StringRef> list;
  llvm::StringRef(files).split(list, ':', -1, false);
  for (llvm::StringRef file : list)
    for (FoundDevice &found : devicesOf(file.str()))
      all.push_back(std::move(found));
  return all;
}

/// Hands out names and seeds.
class Planner {
public:
  explicit Planner(uint64_t first) : first(first), found(allDevices()) {}

  Status take(llvm::StringRef name, unsigned count) {
    if (name == kInterpreter) {
      for (unsigned at = 0; at < count; ++at)
        add(kInterpreter, "", kInterpreter);
      return success();
    }
    bool any = false;
    for (const FoundDevice &device : found) {
      const bool isKind = name == (device.isCpu ? "cpu" : "gpu");
      if (!isKind && !llvm::StringRef(device.name).contains_insensitive(name))
        continue;
      any = true;
      for (unsigned at = 0; at < count; ++at)
        add(device.name, device.driver, isKind ? name : device.name);
    }
    if (any || name == "cpu" || name == "gpu")
      return success();
    return failure({}, "no device is named '" + name.str() + "'", ErrorKind::Usage);
  }
  /// All CPU devices and the interpreter in turn, and the GPUs besides.
  Status spread(unsigned jobs) {
    std::vector<std::string> turns;
    for (const FoundDevice &device : found)
      if (device.isCpu)
        turns.push_back(device.name);
    turns.emplace_back(kInterpreter);
    for (unsigned at = 0; at < jobs; ++at)
      if (Status taken = take(turns[at % turns.size()], 1); !taken)
        return taken;
    return take("gpu", kWorkersOfGpu);
  }
  std::vector<SoakProcess> processes;

private:
  void add(const std::string &device, const std::string &driver, llvm::StringRef label) {
    SoakProcess process;
    const size_t number = processes.size();
    std::string short_;
    for (char each : label.take_front(16))
      short_ += llvm::isAlnum(each) ? each : '-';
    process.job = {(number < 10 ? "0" : "") + std::to_string(number) + "-" + short_, device,
                   first + number * kSeedsOfWorker};
    process.driver = driver;
    processes.push_back(std::move(process));
  }

  uint64_t first;
  std::vector<FoundDevice> found;
};

} // namespace

Result<std::vector<SoakProcess>> planWorkers(const std::string &spec, unsigned jobs,
                                             uint64_t first) {
  Planner planner(first);
  if (spec.empty()) {
    if (Status spread = planner.spread(jobs); !spread)
      return spread.takeFailure();
    return std::move(planner.processes);
  }
  llvm::SmallVector<llvm::StringRef> parts;
  llvm::StringRef(spec).split(parts, ',', -1, false);
  for (llvm::StringRef part : parts) {
    auto [name, number] = part.rsplit('=');
    unsigned count = 0;
    if (number.getAsInteger(10, count))
      return failure({}, "'" + part.str() + "' is not NAME=COUNT", ErrorKind::Usage);
    if (Status taken = planner.take(name, count); !taken)
      return taken.takeFailure();
  }
  if (planner.processes.empty())
    return failure({}, "there is no device for any worker", ErrorKind::Environment);
  return std::move(planner.processes);
}

void SoakParent::launch(SoakProcess &process) {
  const SoakPlace place = placeOf(logOf(options, process.job.name));
  const uint64_t seed = place.any ? place.seed + 1 : process.job.first;
  const uint64_t done = seed - process.job.first;
  const double left = options.seconds - seconds();
  if (left <= 0 || (options.kernels != 0 && done >= options.kernels))
    return;
  process.begunAt = seed;
  process.grewAt = SoakClock::now();
  std::vector<std::string> arguments = {
      "--worker=" + process.job.name, "--device=" + process.job.device,
      "--first-seed=" + std::to_string(seed), "--seconds=" + std::to_string(left),
      "-o=" + options.folder};
  if (options.kernels != 0)
    arguments.push_back("--kernels=" + std::to_string(options.kernels - done));
  if (options.mostVariants != 0)
    arguments.push_back("--variants=" + std::to_string(options.mostVariants));
  if (options.without >= 0)
    arguments.push_back("--without=" + std::to_string(options.without));
  process.pid = fork();
  if (process.pid != 0)
    return;
  const std::string errors = options.folder + "/" + process.job.name + ".err";
  const int file = open(errors.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
  dup2(file, STDOUT_FILENO);
  dup2(file, STDERR_FILENO);
  if (!process.driver.empty())
    setenv("VK_DRIVER_FILES", process.driver.c_str(), 1);
  if (chdir(options.folder.c_str()) != 0) // where a driver's settings are
    _exit(127);
  become(arguments);
}

/// Starts it again behind the kernel that it was at, unless it is done or comes nowhere.
void SoakParent::ended(SoakProcess &process, int status) {
  process.pid = 0;
  if (status == 0 || interrupted)
    return;
  const SoakPlace place = placeOf(logOf(options, process.job.name));
  const bool cameFar = place.any && place.finished && place.seed >= process.begunAt;
  process.vainStarts = cameFar ? 0 : process.vainStarts + 1;
  llvm::errs() << "worker " << process.job.name << " ended with status " << status << " at seed "
               << place.seed << "\n";
  if (process.vainStarts < kMostVainStarts)
    return launch(process);
  llvm::errs() << "worker " << process.job.name << " is given up\n";
  gaveUp = true;
}

void SoakParent::reap() {
  int status = 0;
  for (pid_t pid = 0; (pid = waitpid(-1, &status, WNOHANG)) > 0;)
    for (SoakProcess &process : processes)
      if (process.pid == pid)
        ended(process, WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

/// Ends a worker whose log does not grow.
void SoakParent::watch(SoakProcess &process) {
  std::error_code error;
  const uint64_t bytes = std::filesystem::file_size(logOf(options, process.job.name), error);
  const auto now = SoakClock::now();
  if (!error && bytes != process.logBytes) {
    process.logBytes = bytes;
    process.grewAt = now;
  }
  if (process.pid != 0 && std::chrono::duration<double>(now - process.grewAt).count() > kSilence)
    kill(process.pid, SIGKILL);
}

void SoakParent::signalAll(int signal) {
  for (const SoakProcess &process : processes)
    if (process.pid != 0)
      kill(process.pid, signal);
}

bool SoakParent::run() {
  std::signal(SIGTERM, interrupt);
  std::signal(SIGINT, interrupt);
  std::error_code error;
  for (SoakProcess &process : processes) {
    std::filesystem::remove(logOf(options, process.job.name), error);
    launch(process);
  }
  double told = 0, stoppedAt = -1;
  auto alive = [&] {
    return std::any_of(processes.begin(), processes.end(),
                       [](const SoakProcess &process) { return process.pid != 0; });
  };
  while (alive()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    reap();
    if (stoppedAt < 0 && (interrupted || seconds() > options.seconds)) {
      stoppedAt = seconds();
      signalAll(SIGTERM);
    }
    if (stoppedAt >= 0 && seconds() > stoppedAt + kGrace)
      signalAll(SIGKILL);
    for (SoakProcess &process : processes)
      watch(process);
    if (seconds() - told < 60)
      continue;
    told = seconds();
    const SoakSummary summary = summarize({options.folder});
    (void)summary.write(options.folder, told); // the last one counts, and says so when it fails
    llvm::outs() << static_cast<uint64_t>(told) << " s: " << summary.line() << "\n";
    llvm::outs().flush();
  }
  return !gaveUp;
}

} // namespace tailor::differential
