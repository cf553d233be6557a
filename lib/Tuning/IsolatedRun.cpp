//===- Tuning/IsolatedRun.cpp ----------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tuning/IsolatedRun.h"

#include "Support/ChildProcess.h"
#include "Tuning/TuneArchive.h"

#include <chrono>
#include <cstdio>

namespace tailor {

namespace {

using Clock = std::chrono::steady_clock;

/// A site that ends its process more often is given up: a driver that fails for
/// every candidate says nothing about any.
constexpr unsigned kMaxRestarts = 64;
/// When all is done, drivers have so long to tidy up.
constexpr double kFarewellSeconds = 20;

enum class Event : uint8_t { Stage, Line, Emit, Devices, Begin, Out, Spent, Result, Done };

template <typename... T> std::string messageOf(Event event, const T &...values) {
  ArchiveWriter writer;
  writer(event);
  writer(values...);
  return writer.take();
}

/// In the child: every event is a message.
class SendingSink : public TuneSink {
public:
  explicit SendingSink(const ChildProcess::Send &to) : send(to) {}
  void stage(const std::string &stage, const std::string &detail) override {
    send(messageOf(Event::Stage, stage, detail));
  }
  void line(const std::string &text) override { send(messageOf(Event::Line, text)); }
  void emit(const Diagnostic &diagnostic) override { send(messageOf(Event::Emit, diagnostic)); }
  void devices(const std::vector<vulkan::DeviceInfo> &list) override {
    send(messageOf(Event::Devices, list));
  }
  void begin(const TuneStep &step) override { send(messageOf(Event::Begin, step)); }
  void out(size_t candidate, const StoredCandidate &what) override {
    send(messageOf(Event::Out, candidate, what));
  }
  void spent(double seconds) override { send(messageOf(Event::Spent, seconds)); }
  void result(TuneResult result) override { send(messageOf(Event::Result, result)); }
  void done(const Status &status) {
    if (status)
      send(messageOf(Event::Done, false));
    else
      send(messageOf(Event::Done, true, status.diagnostic()));
  }

private:
  const ChildProcess::Send &send;
};

/// In the parent: one child after another.
class Supervisor {
public:
  Supervisor(const IsolatedRun &what, TuneSink &to) : isolated(what), sink(to) {}
  Status run();

private:
  enum class Next : uint8_t { Listen, Restart, End };
  Next listen(ChildProcess &child);
  Next take(const std::string &message);
  Next lose(ChildProcess &child, bool hung);
  Next giveUpSite(const std::string &why);
  void endSite();
  bool isDone() const {
    return !devices.empty() && resume.site >= isolated.sitesPerDevice * devices.size();
  }

  const IsolatedRun &isolated;
  TuneSink &sink;
  TuneResume resume;
  TuneStep step;
  Clock::time_point begun;
  unsigned restarts = 0; ///< of the site in work
  std::vector<vulkan::DeviceInfo> devices;
  std::optional<Diagnostic> failed;
};

Status Supervisor::run() {
  while (true) {
    step = {};
    begun = Clock::now();
    Result<std::unique_ptr<ChildProcess>> child =
        ChildProcess::start([this](const ChildProcess::Send &send) {
          SendingSink sending(send);
          sending.done(isolated.work(resume, sending));
        });
    if (!child)
      return child.takeFailure();
    Next next = Next::Listen;
    while (next == Next::Listen)
      next = listen(**child);
    if (next == Next::End)
      return failed ? Status(failure(std::move(*failed))) : success();
  }
}

Supervisor::Next Supervisor::listen(ChildProcess &child) {
  const double left = step.seconds - std::chrono::duration<double>(Clock::now() - begun).count();
  std::string message;
  switch (child.receive(message, left)) {
  case ChildProcess::Got::Message:
    return take(message);
  case ChildProcess::Got::Ended:
    return lose(child, false);
  case ChildProcess::Got::TimedOut:
    break;
  }
  child.kill();
  return lose(child, true);
}

Supervisor::Next Supervisor::take(const std::string &message) {
  ArchiveReader read(message);
  Event event = Event::Done;
  std::string first, second;
  Diagnostic diagnostic;
  read(event);
  switch (event) {
  case Event::Stage:
    read(first, second);
    sink.stage(first, second);
    break;
  case Event::Line:
    read(first);
    sink.line(first);
    break;
  case Event::Emit:
    read(diagnostic);
    sink.emit(diagnostic);
    break;
  case Event::Devices:
    read(devices);
    sink.devices(devices);
    break;
  case Event::Begin:
    read(step);
    begun = Clock::now();
    break;
  case Event::Out: {
    size_t candidate = 0;
    StoredCandidate what;
    read(candidate, what);
    resume.out[candidate] = std::move(what);
    break;
  }
  case Event::Spent:
    read(resume.spentSeconds);
    break;
  case Event::Result: {
    TuneResult result;
    read(result);
    sink.result(std::move(result));
    endSite();
    break;
  }
  case Event::Done: {
    bool didFail = false;
    read(didFail);
    if (didFail) {
      read(diagnostic);
      failed = std::move(diagnostic);
    }
    return Next::End;
  }
  }
  return Next::Listen;
}

/// What comes now belongs to the next site, or to none.
void Supervisor::endSite() {
  resume = {resume.site + 1, {}, 0};
  restarts = 0;
  step = {};
  if (isDone())
    step.seconds = kFarewellSeconds;
  begun = Clock::now();
}

/// The child is gone: what it was at is to blame.
Supervisor::Next Supervisor::lose(ChildProcess &child, bool hung) {
  if (isDone()) // a driver that fails in its last words takes nothing along
    return Next::End;
  const double seconds = std::chrono::duration<double>(Clock::now() - begun).count();
  std::string why;
  if (hung) {
    char text[64];
    std::snprintf(text, sizeof text, "it did not come to an end within %.3g s", seconds);
    why = text;
  } else {
    why = child.ending();
    why = "the driver's process " + (why.empty() ? std::string("ended") : why);
  }
  if (step.phase == TuneStep::Phase::Prepare) {
    if (devices.empty()) {
      failed = Diagnostic::error({}, "looking for devices: " + why, ErrorKind::Environment);
      return Next::End;
    }
    return giveUpSite("while the device was being prepared, " + why);
  }
  why += " while it was being ";
  why += nameOf(step.phase);
  if (step.candidate == 0)
    return giveUpSite("the authored kernel: " + why);
  resume.spentSeconds += seconds;
  const TuneResult empty = isolated.failed(resume.site, devices, {});
  if (step.candidate >= empty.outcome.candidates.size())
    return giveUpSite(why);
  StoredCandidate what = empty.outcome.candidates[step.candidate];
  what.state = CandidateState::Failed;
  what.fault = hung ? CandidateFault::Hung : CandidateFault::Crashed;
  what.why = why;
  sink.line("variant '" + titleOf(what) + "' is given up: " + why);
  sink.out(step.candidate, what);
  resume.out[step.candidate] = std::move(what);
  if (++restarts > kMaxRestarts)
    return giveUpSite("too many variants end the driver's process");
  return Next::Restart;
}

Supervisor::Next Supervisor::giveUpSite(const std::string &why) {
  sink.result(
      isolated.failed(resume.site, devices, Diagnostic::error({}, why, ErrorKind::Environment)));
  endSite();
  return isDone() ? Next::End : Next::Restart;
}

} // namespace

std::string_view nameOf(TuneStep::Phase phase) {
  switch (phase) {
  case TuneStep::Phase::Prepare:
    return "prepared";
  case TuneStep::Phase::Compile:
    return "compiled";
  case TuneStep::Phase::Estimate:
    return "tried on a part of the grid";
  case TuneStep::Phase::Verify:
    return "verified";
  case TuneStep::Phase::Measure:
    return "measured";
  }
  return "";
}

Status IsolatedRun::run(TuneSink &sink) const { return Supervisor(*this, sink).run(); }

} // namespace tailor
