//===- Support/ChildProcess.h - Work that may hang or crash, apart --------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A forked copy of this process that runs a function and sends messages. It
// sees everything as it stood when it was started. The process that starts it
// must have no other threads that hold locks: in particular no graphics driver.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_SUPPORT_CHILDPROCESS_H
#define TAILOR_SUPPORT_CHILDPROCESS_H

#include "Support/Result.h"

#include <functional>
#include <memory>
#include <string>
#include <sys/types.h>

namespace tailor {

class ChildProcess {
public:
  /// Sends a message to the parent, whole; false when the parent is gone.
  using Send = std::function<bool(const std::string &)>;
  using Body = std::function<void(const Send &)>;

  /// Starts it. It ends with status 0 when `body` returns, without running what is
  /// registered for the end of a process, and is killed when its parent ends.
  static Result<std::unique_ptr<ChildProcess>> start(const Body &body);
  ~ChildProcess(); ///< kills it
  ChildProcess(const ChildProcess &) = delete;
  ChildProcess &operator=(const ChildProcess &) = delete;

  enum class Got : uint8_t {
    Message,
    Ended,    ///< it ended, or closed its side: see ending()
    TimedOut, ///< nothing whole came within the time
  };
  /// Waits `seconds` at most.
  Got receive(std::string &message, double seconds);
  void kill();
  /// After Ended or kill(): "ended by signal 11 (Segmentation fault)", "ended with exit code 3";
  /// empty where it ended well.
  std::string ending();

private:
  ChildProcess(pid_t child, int descriptor) : pid(child), descriptor(descriptor) {}
  void reap();

  pid_t pid;
  int descriptor;
  bool reaped = false;
  int status = 0;
  std::string pending; ///< bytes of a message that is not whole
};

} // namespace tailor

#endif
