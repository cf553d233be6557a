//===- differential/SoakWorker.cpp - One device, one kernel after another --===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Soak.h"

#include "Support/Files.h"
#include "TechniqueCampaign.h"

#include "llvm/ADT/STLExtras.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <numeric>

namespace tailor::differential {

namespace json = llvm::json;

std::string logOf(const SoakOptions &options, const std::string &name) {
  return options.folder + "/" + name + ".log";
}

namespace {

volatile std::sig_atomic_t stopping = 0;
void stop(int) { stopping = 1; }

/// Kernels that a worker takes the time to reduce: a fault in a pass shows in many of them.
constexpr unsigned kMostReduced = 8;

/// Appends whole lines, each with one call, so that nothing is lost with the process.
class Log {
public:
  explicit Log(const std::string &path)
      : file(open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644)) {}
  ~Log() { close(file); }
  Log(const Log &) = delete;
  Log &operator=(const Log &) = delete;

  void add(json::Object line) {
    std::string text;
    llvm::raw_string_ostream(text) << json::Value(std::move(line)) << "\n";
    if (write(file, text.data(), text.size()) != static_cast<ssize_t>(text.size()))
      failed = true;
  }
  bool hasFailed() const { return file < 0 || failed; }

private:
  int file;
  bool failed = false;
};

json::Array textsOf(const std::vector<std::string> &lines) {
  json::Array array;
  for (const std::string &line : lines)
    array.push_back(json::fixUTF8(line));
  return array;
}

json::Object countsOf(const std::map<std::string, size_t> &counts) {
  json::Object object;
  for (const auto &[name, count] : counts)
    object[json::fixUTF8(name)] = static_cast<int64_t>(count);
  return object;
}

class Worker {
public:
  Worker(const SoakJob &job, const SoakOptions &options)
      : job(job), options(options), log(logOf(options, job.name)) {
    campaign.interprets = job.device == kInterpreter;
    campaign.runs = !campaign.interprets;
    campaign.mayLack = true; // integers of other widths
    if (options.mostVariants != 0)
      campaign.mostVariants = options.mostVariants;
    if (options.without >= 0)
      campaign.relaxed = {static_cast<LegalityCondition>(options.without)};
  }

  int run() {
    if (campaign.runs)
      setenv("TAILOR_DIFFERENTIAL_DEVICE", job.device.c_str(), 1);
    if (campaign.runs && noDevices()) {
      log.add(json::Object{{"worker", job.name}, {"device", job.device}, {"missing", true}});
      return 3;
    }
    introduce();
    uint64_t seed = job.first;
    for (; !isOver() && (options.kernels == 0 || seed < job.first + options.kernels); ++seed) {
      log.add(json::Object{{"begin", seed}});
      check(seed);
      if (log.hasFailed())
        return 3;
      if (campaign.runs && devices().front()->lost())
        return kDeviceLost;
    }
    log.add(json::Object{{"end", true}, {"seconds", seconds()}, {"spent", spent()}});
    return 0;
  }

private:
  double seconds() const { return std::chrono::duration<double>(SoakClock::now() - start).count(); }
  bool isOver() const { return stopping || seconds() >= options.seconds; }

  void introduce() {
    std::string name = kInterpreter, driver;
    if (campaign.runs) {
      const vulkan::DeviceInfo &info = devices().front()->info();
      name = info.name;
      driver = info.driverName + " " + info.driverInfo;
    }
    log.add(json::Object{{"worker", job.name},
                         {"device", json::fixUTF8(name)},
                         {"driver", json::fixUTF8(driver)},
                         {"first", job.first}});
  }

  void check(uint64_t seed) {
    const auto began = SoakClock::now();
    const TechniqueKernel kernel = generateTechniqueKernel(seed);
    const CampaignReport found = checkTechniques(kernel, seed, campaign);
    json::Object line = lineOf(found);
    line["seed"] = seed;
    line["ms"] = static_cast<int64_t>(
        std::chrono::duration_cast<std::chrono::milliseconds>(SoakClock::now() - began).count());
    log.add(std::move(line));
    if (!found.wrong.empty() || !found.broken.empty() || !found.deviceFaults.empty())
      keep(seed, kernel, found);
  }

  json::Object lineOf(const CampaignReport &found) const {
    std::map<std::string, size_t> interpreted;
    for (const auto &[id, technique] : found.interpreted)
      ++interpreted[technique];
    const size_t made =
        std::accumulate(found.made.begin(), found.made.end(), size_t{0},
                        [](size_t sum, const auto &each) { return sum + each.second; });
    json::Object line{{"variants", static_cast<int64_t>(made)}, {"ran", countsOf(found.ran)}};
    // Where a device differs the interpreter is asked for an opinion: that is no comparison more.
    if (campaign.interprets)
      line["interpreted"] = countsOf(interpreted);
    if (found.lacking != 0)
      line["lacking"] = static_cast<int64_t>(found.lacking);
    if (found.leftOut != 0)
      line["left_out"] = static_cast<int64_t>(found.leftOut);
    if (!found.rejected.empty())
      line["rejected"] = countsOf(found.rejected);
    for (const auto &[name, lines] : {std::pair{"wrong", &found.wrong},
                                      {"broken", &found.broken},
                                      {"device_faults", &found.deviceFaults}})
      if (!lines->empty())
        line[name] = textsOf(*lines);
    if (campaign.runs && !found.wrong.empty())
      line["interpreter_agrees"] = rightInInterpreter(found);
    if (!found.uninterpreted.empty())
      line["uninterpreted"] = json::fixUTF8(found.uninterpreted);
    return line;
  }

  /// Variants that are wrong on the device, and have the authored result in the interpreter.
  static json::Array rightInInterpreter(const CampaignReport &found) {
    json::Array ids;
    for (const auto &[id, technique] : found.interpreted) {
      const std::string named = ": " + id + " (";
      if (llvm::any_of(found.wrong, [&](const std::string &line) {
            return line.find(named) != std::string::npos;
          }))
        ids.push_back(id);
    }
    return ids;
  }

  /// The kernel and its modules as files, and a smaller kernel with the same fault.
  void keep(uint64_t seed, const TechniqueKernel &kernel, const CampaignReport &found) {
    const std::string stem = options.folder + "/" + std::to_string(seed);
    std::string title = "// seed " + std::to_string(seed) + ", groups " + kernel.groups.str() +
                        "\n/*\n" + found.text();
    for (const std::string &line : found.deviceFaults)
      title += "the device's fault: " + line + "\n";
    for (const std::string &line : found.interpretedWrong)
      title += "interpreter: " + line + "\n";
    title += "*/\n";
    write(stem + ".comp", kernel.glsl + title);
    for (const auto &[id, words] : found.modules)
      if (id == "authored" || title.find(id) != std::string::npos)
        write(stem + "." + id + ".spv", bytesOfWords(words));
    if (found.wrong.empty() || reduced++ >= kMostReduced)
      return;
    const TechniqueKernel small =
        reduceKernel(seed, Hazard::None, [&](const TechniqueKernel &less) {
          if (isOver())
            return false;
          const CampaignReport now = checkTechniques(less, seed, campaign);
          return !now.wrong.empty() && now.broken.empty();
        });
    write(stem + ".reduced.comp", small.glsl + title + "/* reduced:\n" +
                                      checkTechniques(small, seed, campaign).text() + "*/\n");
  }

  void write(const std::string &path, const std::string &bytes) {
    if (Status written = writeFileAtomically(path, bytes); !written)
      log.add(json::Object{{"unwritten", json::fixUTF8(path)}});
  }

  static json::Object spent() {
    const CampaignTimes &times = campaignTimes();
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    auto secondsOf = [](const timeval &time) {
      return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
    };
    return json::Object{{"processor", secondsOf(used.ru_utime) + secondsOf(used.ru_stime)},
                        {"compile", times.compile},
                        {"certify", times.certify},
                        {"make", times.make},
                        {"validate", times.validate},
                        {"run", times.run}};
  }

  const SoakJob &job;
  const SoakOptions &options;
  const SoakClock::time_point start = SoakClock::now();
  CampaignOptions campaign;
  Log log;
  unsigned reduced = 0;
};

} // namespace

int soakWorker(const SoakJob &job, const SoakOptions &options) {
  std::signal(SIGTERM, stop);
  std::signal(SIGINT, stop);
  return Worker(job, options).run();
}

} // namespace tailor::differential
