//===- differential/TechniqueWriter.h - Statements of generated kernels ----===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_DIFFERENTIAL_TECHNIQUEWRITER_H
#define TAILOR_DIFFERENTIAL_TECHNIQUEWRITER_H

#include "KernelGenerator.h"
#include "TechniqueGenerator.h"

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace tailor::differential {

/// What a kernel is made of.
struct KernelStyle {
  enum class Kind : uint8_t {
    Global,  ///< global ids alone: what `resize` takes
    Local,   ///< all ids, nothing exchanged
    Meeting, ///< barriers
  } kind = Kind::Meeting;
  bool guarded = false;      ///< everything stands under bounds checks
  bool counts = false;       ///< the number of groups is read
  bool groupControl = false; ///< control flow around barriers may differ between groups
  bool images = false, atomics = false, privates = false, wide = false, floats = false;
  bool table = false, records = false; ///< more workgroup memory: two dimensions, structures
};

/// Writes the parts of a kernel. Expressions are `uint`s.
class TechniqueWriter {
public:
  TechniqueWriter(Random &random, const Dim3 &size, const Dim3 &groups, const KernelStyle &style,
                  const std::set<unsigned> &dropped)
      : random(random), count(static_cast<uint32_t>(size.product())), size(size), groups(groups),
        style(style), dropped(dropped) {}

  /// Statements of invocations on their own, and of a workgroup together.
  std::string block(unsigned depth, unsigned statements);
  std::string meetings(unsigned depth, unsigned statements);
  /// A statement with a number, which leaves it out where it was dropped.
  std::string numbered(const std::function<std::string()> &write);

  std::string literal(uint32_t limit) { return std::to_string(random.below(limit)) + "u"; }
  /// Local index, number in the grid: some spelling of them.
  std::string lid();
  std::string self();
  std::string sameForDispatch(unsigned depth);
  std::string sameForGroup(unsigned depth);
  std::string any(unsigned depth);
  std::string condition(const std::string &value);
  std::string assign(const std::string &value);
  std::string throughBuffer();
  std::string exchange();
  std::string barrier();
  std::string fresh(const char *stem) { return stem + std::to_string(names++); }

  /// Statements that are still to be written; compilers take their time over each.
  unsigned budget = 12;
  bool returns = false; ///< statements of invocations on their own may return
  std::string functions;
  unsigned statements = 0;

private:
  // TechniqueWriter.cpp: expressions, and invocations on their own
  std::string operation(const std::string &x, const std::string &y);
  std::string statement(unsigned depth);
  std::string simple();
  std::string structured(unsigned depth);
  std::string loop(unsigned depth);
  std::string choice(unsigned depth);
  std::string vector();
  std::string cancelled();
  std::string array();
  std::string call();
  std::string ownSlot();
  std::string atomic();
  std::string image();
  std::string widths();
  std::string earlyReturn();

  // TechniqueMeetings.cpp: a workgroup together
  std::string meeting(unsigned depth);
  std::string control(unsigned depth);
  std::string broadcast();
  std::string tickets();
  std::string reduction();
  std::string sharedAtomics();
  std::string throughTable();
  std::string throughRecords();
  std::string meetingFunction();
  std::string meetingLoop(unsigned depth);
  std::string meetingDoWhile(unsigned depth);
  std::string meetingSwitch(unsigned depth);
  std::string fromLocalId(unsigned depth);
  std::string goOn();
  std::string unproven();
  std::string bijection();
  std::string assignGroup(const std::string &value);

  Random &random;
  const uint32_t count; ///< invocations of a workgroup
  const Dim3 size, groups;
  const KernelStyle style;
  const std::set<unsigned> &dropped;
  std::vector<std::string> dispatchValues = {"d0", "d1"};
  std::vector<std::string> groupValues = {"u0", "u1", "u2", "u3"};
  std::vector<std::string> values = {"s0", "s1", "s2", "s3"};
  unsigned inLoops = 0; ///< loops around that `break` and `continue` may leave
  unsigned names = 0;
};

} // namespace tailor::differential

#endif
