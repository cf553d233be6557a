//===- Tuning/Progress.cpp -------------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tuning/Progress.h"

#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <sys/ioctl.h>
#include <unistd.h>

namespace tailor {

void Progress::update(const std::string &stage, const std::string &detail) {
  if (!terminal) {
    if (stage != lastStage)
      os << stage << '\n';
    lastStage = stage;
    os.flush();
    return;
  }
  std::string text = detail.empty() ? stage : stage + ": " + detail;
  // A line that wraps could not be rewritten.
  if (text.size() >= columns)
    text.resize(columns - 1);
  os << "\r\x1b[K" << text;
  os.flush();
  shown = true;
}

void Progress::clear() {
  if (shown)
    os << "\r\x1b[K";
  shown = false;
}

void Progress::line(std::string_view text) {
  clear();
  os << llvm::StringRef(text.data(), text.size()) << '\n';
  os.flush();
}

void Progress::finish() {
  clear();
  os.flush();
}

bool isTerminal(int descriptor) {
  const char *kind = std::getenv("TERM");
  return isatty(descriptor) == 1 && kind && std::string_view(kind) != "dumb";
}

unsigned terminalColumns(int descriptor) {
  winsize size = {};
  if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 1)
    return size.ws_col;
  return 80;
}

} // namespace tailor
