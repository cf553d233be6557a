//===- differential/TechniqueMeetings.cpp - A workgroup together -----------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TechniqueWriter.h"

#include <numeric>

namespace tailor::differential {

static std::string text(uint64_t value) { return std::to_string(value) + "u"; }

std::string TechniqueWriter::barrier() {
  static const char *const kinds[] = {"barrier(); ", "memoryBarrierShared(); barrier(); ",
                                      "groupMemoryBarrier(); barrier(); ", "barrier(); "};
  return kinds[random.below(4)];
}

std::string TechniqueWriter::assignGroup(const std::string &value) {
  return "u" + std::to_string(random.below(4)) + " = " + value + "; ";
}

/// What branches and loops around barriers hang on.
std::string TechniqueWriter::control(unsigned depth) {
  if (!style.groupControl || random.chance(40))
    return sameForDispatch(depth);
  return random.chance(40) ? std::string("G.") + kAxisName[random.below(3)] : sameForGroup(depth);
}

std::string TechniqueWriter::meetings(unsigned depth, unsigned length) {
  std::string all;
  for (unsigned at = 0; at < length; ++at)
    all += numbered([&] { return meeting(depth); });
  return all;
}

std::string TechniqueWriter::meeting(unsigned depth) {
  switch (random.below(depth == 0 ? 13 : 21)) {
  case 0:
    return assignGroup(sameForGroup(2));
  case 1:
  case 2:
    return exchange();
  case 3:
    return broadcast();
  case 4:
    return tickets();
  case 5:
    return throughBuffer();
  case 6:
    return style.table ? throughTable() : exchange();
  case 7:
    return style.records ? throughRecords() : exchange();
  case 8:
    return sharedAtomics();
  case 9:
    return reduction();
  case 10:
    return meetingFunction();
  case 11:
    return statement(2);
  case 12:
    return random.chance(30) ? unproven() : statement(2);
  case 13:
  case 14:
    return "if (" + condition(control(2)) + ") {\n" + meetings(depth - 1, 2) + "}" +
           (random.chance(50) ? " else {\n" + meetings(depth - 1, 1) + "} " : " ");
  case 15:
  case 16:
    return meetingLoop(depth);
  case 17:
    return meetingDoWhile(depth);
  case 18:
    return meetingSwitch(depth);
  case 19:
    return "if (" + condition(control(1)) + " && " + condition(control(1)) + ") { a[" + self() +
           " * 4u + 2u] = " + any(1) + "; return; } ";
  default:
    return fromLocalId(depth);
  }
}

/// Barriers that nobody reaches where invocations part, or that all reach by what is in memory:
/// coarsen must refuse the kernel, unless what is random here happens to be the same for all.
std::string TechniqueWriter::unproven() {
  if (random.chance(60))
    return "if (" + condition(any(1)) + ") { if (p.zero > 0u) barrier(); " + ownSlot() + "} ";
  return "if (b[(" + any(1) + ") & 63u] < 1000u) { " + exchange() + "} ";
}

/// A slot of its own for each invocation.
std::string TechniqueWriter::bijection() {
  uint32_t factor = 1 + random.below(9);
  while (std::gcd(factor, count) != 1)
    ++factor;
  switch (random.below(3)) {
  case 0:
    return "I";
  case 1:
    return "(" + text(count - 1) + " - " + lid() + ")";
  default:
    return "((" + lid() + " * " + text(factor) + " + " + literal(20) + ") % " + text(count) + ")";
  }
}

std::string TechniqueWriter::exchange() {
  const std::string v = fresh("v");
  // Others may just have read the slot, as their own.
  std::string all = "uint " + v + " = " + any(2) + "; " + barrier() + "tile[" + bijection() +
                    "] = " + v + "; " + barrier();
  if (random.chance(80))
    all += assign("tile[" + any(1) + " % " + text(count) + "]");
  if (random.chance(40))
    all += "if (" + condition(any(1)) + ") " + assign("tile[" + bijection() + "]");
  if (random.chance(60))
    all += assignGroup("tile[" + sameForGroup(1) + " % " + text(count) + "]");
  return all + barrier();
}

std::string TechniqueWriter::broadcast() {
  return "if (" + lid() + " == " + sameForGroup(1) + " % " + text(count) + ") flag = " + any(2) +
         "; " + barrier() + assignGroup("flag") + barrier();
}

/// Who gets which ticket is nobody's business: all are taken, and what is put there is added up.
std::string TechniqueWriter::tickets() {
  const std::string t = fresh("t"), k = fresh("k"), sum = fresh("sum"), v = fresh("v"),
                    w = fresh("w");
  return "if (I == 0u) total = 0u; uint " + v + " = " + any(1) + "; bool " + w + " = " +
         (random.chance(40) ? condition(any(1)) : "true") + "; tile[I] = 0u; " + barrier() +
         "if (" + w + ") { uint " + t + " = atomicAdd(total, 1u); tile[" + t + "] = " + v + "; } " +
         barrier() + "uint " + sum + " = total; for (uint " + k + " = 0u; " + k + " < " +
         text(count) + "; ++" + k + ") " + sum + (random.chance(50) ? " += " : " ^= ") + "tile[" +
         k + "]; " + assignGroup(sum) + barrier() + "tile[I] = " + v + "; ";
}

std::string TechniqueWriter::sharedAtomics() {
  static const char *const kinds[] = {"Add", "Max", "Or", "Xor"};
  const std::string zero = "0u";
  std::string all = "if (" + lid() + " == " + literal(1) + ") total = " + zero + "; " + barrier();
  if (random.chance(30))
    all += "if (" + condition(any(1)) + ") ";
  return all + "atomic" + kinds[random.below(4)] + "(total, " + any(1) + "); " + barrier() +
         assignGroup("total") + barrier();
}

/// A tree, by halves of the next power of two.
std::string TechniqueWriter::reduction() {
  const std::string step = fresh("step");
  uint32_t top = 1;
  while (top < count)
    top *= 2;
  return "tile[I] = " + any(1) + "; for (uint " + step + " = " + text(top / 2) + "; " + step +
         " > 0u; " + step + (random.chance(50) ? " >>= 1" : " /= 2u") + ") { " + barrier() +
         "if (I < " + step + " && I + " + step + " < " + text(count) + ") tile[I] " +
         (random.chance(50) ? "+=" : "^=") + " tile[I + " + step + "]; } " + barrier() +
         assignGroup("tile[0]") + barrier();
}

/// Through elements of the workgroup's own.
std::string TechniqueWriter::throughBuffer() {
  auto element = [&](const std::string &index) {
    return "meet[group * " + text(count) + " + " + index + " % " + text(count) + "]";
  };
  std::string all =
      "meet[group * " + text(count) + " + I] = " + any(2) + "; memoryBarrierBuffer(); barrier(); ";
  if (random.chance(70))
    all += assignGroup(element(sameForGroup(1)));
  return all + assign(element(any(1))) + "memoryBarrierBuffer(); barrier(); ";
}

std::string TechniqueWriter::throughTable() {
  return "table[L.y + L.z * " + text(size.y) + "][L.x] = " + any(2) + "; " + barrier() +
         assign("table[" + any(1) + " % " + text(uint64_t{size.y} * size.z) + "][" + any(1) +
                " % " + text(size.x) + "]") +
         barrier();
}

std::string TechniqueWriter::throughRecords() {
  const std::string at = any(1) + " % " + text(count);
  static const char *const members[] = {".x", ".y.x", ".y.y", ".z[1]"};
  std::string all = barrier() + "records[" + bijection() + "].x = " + any(1) + "; ";
  if (random.chance(50))
    all += "records[I].z[1] = " + any(1) + "; ";
  return all + "records[I].y = uvec2(" + any(1) + ", I); " + barrier() +
         assign("records[" + at + "]" + members[random.below(4)]) + barrier();
}

std::string TechniqueWriter::meetingFunction() {
  const std::string f = fresh("g");
  functions += "uint " + f + "(uint value, uint by, uint how) { tile[I] = value; " + barrier() +
               "uint got = tile[(I + by) % " + text(count) + "]; " + barrier() +
               (random.chance(60) ? "if ((how & 1u) == " + literal(2) + ") return got; " : "") +
               (random.chance(40) ? "tile[I] = got * 3u; barrier(); got ^= tile[" +
                                        text(count - 1) + " - I]; barrier(); "
                                  : "") +
               "return got + value; }\n";
  return assign(f + "(" + any(1) + ", " + any(0) + " & 31u, " + control(1) + ")");
}

/// Behind the last barrier of an iteration: some go on with the next one early. Now and then there
/// was no barrier for what follows, so that it is not theirs alone: coarsen must refuse the kernel.
std::string TechniqueWriter::goOn() {
  if (!random.chance(40))
    return "";
  return numbered([&]() -> std::string {
    const std::string leave = "if (" + condition(any(1)) + ") continue; ";
    if (random.chance(10))
      return "if (" + condition(control(1)) + ") { " + exchange() + leave + "} " + assign(any(1));
    switch (random.below(4)) {
    case 0:
      return "switch (" + any(1) + " & 3u) {\ncase 0u: " + assign(any(1)) +
             "continue;\ncase 1u: " + leave + assign(any(1)) + (random.chance(50) ? "break;" : "") +
             "\ndefault: " + assign(any(1)) + "break; } " + statement(1);
    case 1:
      return "if (" + condition(any(1)) + ") { " + assign(any(1)) + leave + statement(1) +
             (random.chance(50) ? "continue; } " : "} ") + assign(any(1));
    case 2:
      return "if (" + condition(control(1)) + ") { " + leave + assign(any(1)) + "continue; } " +
             (random.chance(50) ? leave : "") + assign(any(1));
    default:
      return leave + statement(1) + (random.chance(40) ? leave + ownSlot() : "");
    }
  });
}

std::string TechniqueWriter::meetingLoop(unsigned depth) {
  const std::string i = fresh("i");
  std::string all =
      "for (uint " + i + " = 0u; " + i + " < (" + control(1) + " & 3u); ++" + i + ") {\n";
  dispatchValues.push_back(i); // as far as the bound is one
  if (random.chance(30))
    all += "if (" + condition(control(1)) + ") continue; ";
  all += meetings(depth - 1, 2);
  if (random.chance(30))
    all += "if (" + condition(control(1)) + ") break; ";
  all += goOn();
  dispatchValues.pop_back();
  return all + "} ";
}

std::string TechniqueWriter::meetingDoWhile(unsigned depth) {
  const std::string i = fresh("i");
  std::string all = "uint " + i + " = 0u; do { if (p.zero > 0u) break;\n" + meetings(depth - 1, 2);
  if (random.chance(30))
    all += "if (" + condition(control(1)) + ") break; ";
  all += goOn();
  return all + "} while (++" + i + " < (" + control(1) + " & 3u)); ";
}

std::string TechniqueWriter::meetingSwitch(unsigned depth) {
  return "switch (" + control(1) + " & 3u) {\ncase 0u: {\n" + meetings(depth - 1, 1) + "}" +
         (random.chance(60) ? "break;\n" : "") + "case 1u: case 2u: {\n" + meetings(depth - 1, 1) +
         "} break;\ndefault: break; } ";
}

/// From the local index to a multiple of the step, or to it plus something: equally often for all.
std::string TechniqueWriter::fromLocalId(unsigned depth) {
  const std::string j = fresh("j");
  const uint32_t step = count * (1 + random.below(2));
  const std::string end = random.chance(50) ? text(2 * step) : text(2 * count) + " + I";
  std::string all =
      "for (uint " + j + " = I; " + j + " < " + end + "; " + j + " += " + text(step) + ") {\n";
  values.push_back(j);
  all += meetings(depth - 1, 1) + goOn();
  values.pop_back();
  return all + "} ";
}

} // namespace tailor::differential
