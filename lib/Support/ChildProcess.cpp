//===- Support/ChildProcess.cpp ----------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Support/ChildProcess.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tailor {

namespace {

using Clock = std::chrono::steady_clock;

/// Messages are preceded by their length in this type.
using Length = uint64_t;

bool sendAll(int descriptor, const char *data, size_t size) {
  while (size != 0) {
    // MSG_NOSIGNAL: a parent that is gone is an answer, not a signal.
    const ssize_t sent = ::send(descriptor, data, size, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR)
      continue;
    if (sent <= 0)
      return false;
    data += sent;
    size -= static_cast<size_t>(sent);
  }
  return true;
}

} // namespace

Result<std::unique_ptr<ChildProcess>> ChildProcess::start(const Body &body) {
  auto failed = [](const char *what) {
    return failure({}, std::string(what) + " failed: " + std::strerror(errno),
                   ErrorKind::Environment);
  };
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return failed("making a pair of sockets");
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid < 0) {
    Failure why = failed("starting a process");
    close(ends[0]);
    close(ends[1]);
    return why;
  }
  if (pid != 0) {
    close(ends[1]);
    return std::unique_ptr<ChildProcess>(new ChildProcess(pid, ends[0]));
  }
  close(ends[0]);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) // it ended before the line above
    _exit(1);
  body([&](const std::string &message) {
    const Length length = message.size();
    char head[sizeof length];
    std::memcpy(head, &length, sizeof length);
    return sendAll(ends[1], head, sizeof head) && sendAll(ends[1], message.data(), message.size());
  });
  _exit(0);
}

ChildProcess::~ChildProcess() {
  kill();
  close(descriptor);
}

ChildProcess::Got ChildProcess::receive(std::string &message, double seconds) {
  const Clock::time_point end =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(
                         std::chrono::duration<double>(std::clamp(seconds, 0.0, 1e7)));
  while (true) {
    Length length = 0;
    if (pending.size() >= sizeof length) {
      std::memcpy(&length, pending.data(), sizeof length);
      if (pending.size() - sizeof length >= length) {
        message = pending.substr(sizeof length, length);
        pending.erase(0, sizeof length + length);
        return Got::Message;
      }
    }
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
    pollfd waited{descriptor, POLLIN, 0};
    const int ready = poll(&waited, 1, static_cast<int>(std::max<int64_t>(left, 0)));
    if (ready < 0 && errno == EINTR)
      continue;
    if (ready == 0)
      return Got::TimedOut;
    char bytes[65536];
    const ssize_t got = ready < 0 ? -1 : read(descriptor, bytes, sizeof bytes);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0) {
      reap();
      return Got::Ended;
    }
    pending.append(bytes, static_cast<size_t>(got));
  }
}

void ChildProcess::reap() {
  while (!reaped && waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  reaped = true;
}

void ChildProcess::kill() {
  if (!reaped)
    ::kill(pid, SIGKILL);
  reap();
}

std::string ChildProcess::ending() {
  reap();
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    return "ended by signal " + std::to_string(signal) + " (" + strsignal(signal) + ")";
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) != 0)
    return "ended with exit code " + std::to_string(WEXITSTATUS(status));
  return "";
}

} // namespace tailor
