//===- Bundle/Inspect.cpp ------------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Bundle/Inspect.h"

#include "llvm/Support/raw_ostream.h"

#include <algorithm>

namespace tailor {
namespace {

/// Names can hold control characters, which a terminal would obey.
std::string printable(std::string_view text) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  for (char c : text) {
    auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      out += "\\x";
      out += kDigits[byte >> 4];
      out += kDigits[byte & 15];
    } else {
      out += c;
    }
  }
  return out;
}

std::string join(const std::vector<std::string> &texts) {
  std::string out;
  for (const std::string &text : texts)
    out += (out.empty() ? "" : ", ") + printable(text);
  return out;
}

std::string targetsOf(const VariantInfo &variant) {
  std::vector<std::string> names;
  names.reserve(variant.code.size());
  for (const auto &[target, code] : variant.code)
    names.push_back(target);
  return join(names);
}

/// `cover x*16/64 y*16`: the factors of the axes on which something changes.
std::string ruleText(const Dispatch &dispatch) {
  std::string out(nameOf(dispatch.rule));
  if (dispatch.rule == DispatchRule::Same)
    return out;
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (dispatch.mul[axis] == dispatch.div[axis])
      continue;
    out += std::string(" ") + kAxisName[axis];
    if (dispatch.mul[axis] != 1)
      out += "*" + std::to_string(dispatch.mul[axis]);
    if (dispatch.div[axis] != 1)
      out += "/" + std::to_string(dispatch.div[axis]);
  }
  return out;
}

/// `push_constant[16..27]`, `spec_constant 7, 8, 9`: where the logical grid goes.
std::string guardText(const GuardInfo &guard) {
  std::string text = printable(guard.kind);
  if (guard.kind == kGuardPushConstant)
    return text + "[" + std::to_string(guard.offset) + ".." +
           std::to_string(uint64_t{guard.offset} + guard.bytes - 1) + "]";
  for (size_t axis = 0; axis < guard.specIds.size(); ++axis)
    text += (axis == 0 ? " " : ", ") + std::to_string(guard.specIds[axis]);
  return text;
}

/// Lines of at most `columns` (0: of any length), cut at blanks; those after the first are indented
/// by `indent + 4`.
void printWrapped(llvm::raw_ostream &os, unsigned indent, const std::string &text,
                  unsigned columns) {
  constexpr unsigned kHanging = 4, kLeast = 20; ///< of text beside the indent
  os.indent(indent);
  size_t width = 0, room = columns == 0 ? text.size() : std::max(columns, indent + kLeast) - indent;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(' ', at), text.size());
    const size_t length = end - at;
    if (width != 0 && width + 1 + length > room) {
      os << "\n";
      os.indent(indent + kHanging);
      width = kHanging;
    } else if (at != 0) {
      os << " ";
      ++width;
    }
    os << std::string_view(text).substr(at, length);
    width += length;
    at = end + 1;
  }
  os << "\n";
}

using Row = std::vector<std::string>;

/// Left-aligned columns, two spaces apart; the last one is not padded.
void printTable(llvm::raw_ostream &os, const std::vector<Row> &rows) {
  std::vector<size_t> widths;
  for (const Row &row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], row[i].size());
  }
  for (const Row &row : rows) {
    os << "  ";
    for (size_t i = 0; i < row.size(); ++i) {
      os << row[i];
      if (i + 1 < row.size())
        os.indent(static_cast<unsigned>(widths[i] - row[i].size()) + 2);
    }
    os << "\n";
  }
}

void printHeader(llvm::raw_ostream &os, const KernelInfo &kernel) {
  const KernelFacts &facts = kernel.facts;
  os << printable(kernel.name) << ": entry point " << printable(kernel.entryPoint)
     << ", authored size " << kernel.authoredSize.str() << " (" << printable(kernel.spelling)
     << ")\n";
  os << "  class: " << printable(facts.kernelClass);
  if (!facts.ids.empty())
    os << "; uses " << join(facts.ids);
  os << "\n";
  if (facts.sharedBytes != 0 || facts.controlBarriers != 0 || facts.atomics != 0)
    os << "  workgroup memory: " << facts.sharedBytes
       << " bytes; control barriers: " << facts.controlBarriers << " (" << facts.barriersInLoops
       << " in loops); atomics: " << facts.atomics << "\n";
  if (!facts.subgroupOps.empty())
    os << "  subgroup operations: " << join(facts.subgroupOps) << "\n";
}

/// Which variants profiles had kept, where not all had room.
void printChoice(llvm::raw_ostream &os, const KernelInfo &kernel, unsigned columns) {
  std::vector<std::pair<std::string, std::vector<std::string>>> byProfile;
  for (const VariantInfo &variant : kernel.variants) {
    if (variant.chosenFor.empty())
      continue;
    auto at = std::find_if(byProfile.begin(), byProfile.end(),
                           [&](const auto &each) { return each.first == variant.chosenFor; });
    if (at == byProfile.end())
      at = byProfile.insert(byProfile.end(), {variant.chosenFor, {}});
    at->second.push_back(variant.id);
  }
  for (const auto &[profile, ids] : byProfile)
    printWrapped(os, 2,
                 "chosen for " + printable(profile) +
                     (kernel.assumedGroups
                          ? " at " + kernel.assumedGroups->str() + " authored groups"
                          : std::string()) +
                     ": " + join(ids),
                 columns);
}

void printVariants(llvm::raw_ostream &os, const KernelInfo &kernel, unsigned columns) {
  os << "  variants: " << kernel.variants.size() << "\n";
  std::vector<Row> rows = {{"id", "size", "shared", "dispatch", "evidence", "targets"}};
  for (const VariantInfo &variant : kernel.variants)
    rows.push_back({printable(variant.id), variant.localSize.str(),
                    std::to_string(variant.sharedBytes), ruleText(variant.dispatch),
                    std::string(nameOf(variant.evidence)), targetsOf(variant)});
  printTable(os, rows);
  // What cover rests on and what could not be written are mostly the same for many variants.
  std::vector<std::string> lines;
  auto addLine = [&](std::string line) {
    if (std::find(lines.begin(), lines.end(), line) == lines.end())
      lines.push_back(std::move(line));
  };
  for (const VariantInfo &variant : kernel.variants) {
    if (variant.id != "authored" && !variant.why.empty())
      addLine(printable(variant.technique) + ": " + printable(variant.why));
    if (variant.guard)
      addLine("grid in " + guardText(*variant.guard));
    for (const std::string &assumption : variant.assumes)
      addLine("assumes " + printable(assumption));
    for (const DispatchBound &bound : variant.dispatch.bounds)
      addLine("bound " + bound.str());
    for (const auto &[target, reason] : variant.skipped)
      addLine("no " + printable(target) + ": " + printable(reason));
  }
  for (const std::string &line : lines)
    printWrapped(os, 2, line, columns);
  printChoice(os, kernel, columns);
}

void printRefusals(llvm::raw_ostream &os, const KernelInfo &kernel, unsigned columns) {
  for (const Refusal &refusal : kernel.refused) {
    std::string text = "refused " +
                       printable(refusal.variant.empty() ? refusal.technique : refusal.variant) +
                       ": " + printable(refusal.reason);
    if (!refusal.location.empty())
      text += " (" + printable(refusal.location) + ")";
    printWrapped(os, 2, text, columns);
    for (const std::string &cause : refusal.causes)
      printWrapped(os, 4, printable(cause), columns);
  }
}

} // namespace

void printInspectText(llvm::raw_ostream &os, const Bundle &bundle, unsigned columns) {
  uint64_t codeBytes = 0;
  for (const std::string &blob : bundle.blobs)
    codeBytes += blob.size();
  os << "bundle by " << printable(bundle.tool) << ": " << bundle.kernels.size()
     << (bundle.kernels.size() == 1 ? " kernel, " : " kernels, ") << bundle.blobs.size()
     << " pieces of code, " << codeBytes << " bytes\n";
  for (const KernelInfo &kernel : bundle.kernels) {
    os << "\n";
    printHeader(os, kernel);
    printVariants(os, kernel, columns);
    printRefusals(os, kernel, columns);
  }
}

} // namespace tailor
