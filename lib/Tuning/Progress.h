//===- Tuning/Progress.h - What long work says meanwhile ------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TUNING_PROGRESS_H
#define TAILOR_TUNING_PROGRESS_H

#include <string>
#include <string_view>

namespace llvm {
class raw_ostream;
}

namespace tailor {

/// On a terminal the present state is one line that rewrites itself; elsewhere
/// (a log) each stage is one plain line, and details are left out.
class Progress {
public:
  Progress(llvm::raw_ostream &os, bool terminal, unsigned columns = 80)
      : os(os), terminal(terminal), columns(columns) {}
  ~Progress() { finish(); }
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  /// What is being done, and how far it is: "blur_image on llvmpipe (small)",
  /// "measuring 3 of 12".
  void update(const std::string &stage, const std::string &detail);
  /// A line that stays.
  void line(std::string_view text);
  /// Clears the present state.
  void finish();

private:
  void clear();
  llvm::raw_ostream &os;
  bool terminal;
  unsigned columns;
  bool shown = false; ///< a state line is on the terminal
  std::string lastStage;
};

/// True when the descriptor (2: stderr) is a terminal that can rewrite a line.
bool isTerminal(int descriptor);
/// Its width in columns; 80 when it does not say.
unsigned terminalColumns(int descriptor);

} // namespace tailor

#endif
