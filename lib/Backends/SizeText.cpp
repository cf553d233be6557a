//===- Backends/SizeText.cpp - The size read back out of a text -----------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Backends/Emitters.h"
#include "Support/TextScan.h"

#include <algorithm>

namespace tailor {
namespace {

void skipBlanks(std::string_view &text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
    text.remove_prefix(1);
}

bool takeBehindBlanks(std::string_view &text, std::string_view token) {
  skipBlanks(text);
  return take(text, token);
}

std::optional<uint32_t> takeNumberBehindBlanks(std::string_view &text) {
  skipBlanks(text);
  return takeNumber(text);
}

/// What follows the only place in the text where `token` starts a line.
std::optional<std::string_view> afterLineStart(std::string_view text, std::string_view token) {
  std::optional<std::string_view> found;
  for (size_t at = text.find(token); at != std::string_view::npos; at = text.find(token, at + 1)) {
    if (at != 0 && text[at - 1] != '\n')
      continue;
    if (found)
      return std::nullopt;
    found = text.substr(at + token.size());
  }
  return found;
}

} // namespace

std::optional<Dim3> sizeInGlsl(std::string_view text) {
  std::optional<std::string_view> rest = afterLineStart(text, "layout(local_size_");
  if (!rest)
    return std::nullopt;
  Dim3 size;
  do {
    if (rest->empty())
      return std::nullopt;
    const int axis = rest->front() - 'x';
    rest->remove_prefix(1);
    if (axis < 0 || axis > 2 || !takeBehindBlanks(*rest, "="))
      return std::nullopt;
    std::optional<uint32_t> value = takeNumberBehindBlanks(*rest);
    if (!value)
      return std::nullopt;
    size[static_cast<unsigned>(axis)] = *value;
  } while (takeBehindBlanks(*rest, ",") && takeBehindBlanks(*rest, "local_size_"));
  if (!takeBehindBlanks(*rest, ")") || !takeBehindBlanks(*rest, "in;"))
    return std::nullopt;
  return size;
}

namespace {

/// Three literals behind `start`, the only place where that starts a line, up to `end`.
std::optional<Dim3> threeNumbers(std::string_view text, std::string_view start,
                                 std::string_view end) {
  std::optional<std::string_view> rest = afterLineStart(text, start);
  if (!rest)
    return std::nullopt;
  Dim3 size;
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (axis != 0 && !takeBehindBlanks(*rest, ","))
      return std::nullopt;
    std::optional<uint32_t> value = takeNumberBehindBlanks(*rest);
    if (!value)
      return std::nullopt;
    size[axis] = *value;
  }
  if (!takeBehindBlanks(*rest, end))
    return std::nullopt;
  return size;
}

} // namespace

std::optional<Dim3> sizeInHlsl(std::string_view text) {
  return threeNumbers(text, "[numthreads(", ")]");
}

std::optional<Dim3> sizeInWgsl(std::string_view text) {
  return threeNumbers(text, "@compute @workgroup_size(", ")");
}

std::optional<uint64_t> invocationsInMsl(std::string_view text) {
  std::optional<std::string_view> rest =
      afterLineStart(text, "[[max_total_threads_per_threadgroup(");
  if (!rest)
    return std::nullopt;
  std::optional<uint32_t> value = takeNumberBehindBlanks(*rest);
  if (!value || !takeBehindBlanks(*rest, ")]]"))
    return std::nullopt;
  return *value;
}

std::string statementOf(std::string_view target, const Dim3 &size) {
  const std::string x = std::to_string(size.x), y = std::to_string(size.y),
                    z = std::to_string(size.z);
  if (target == "glsl" || target == "essl")
    return x + ", local_size_y = " + y + ", local_size_z = " + z;
  if (target == "hlsl" || target == "wgsl")
    return x + ", " + y + ", " + z;
  if (target == "msl")
    return std::to_string(size.product());
  return {};
}

std::optional<TextRange> findSize(std::string_view target, std::string_view a, const Dim3 &sizeOfA,
                                  std::string_view b, const Dim3 &sizeOfB) {
  const std::string ofA = statementOf(target, sizeOfA), ofB = statementOf(target, sizeOfB);
  if (ofA.empty() || ofA == ofB || a.size() < ofA.size() ||
      a.size() - ofA.size() + ofB.size() != b.size())
    return std::nullopt;
  // What stands in front of the size is the same in both: it starts where they part or before.
  const size_t parted =
      static_cast<size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
  std::optional<TextRange> found;
  for (size_t at = 0; at <= parted; ++at) {
    if (a.substr(at, ofA.size()) != ofA || b.substr(at, ofB.size()) != ofB ||
        a.substr(at + ofA.size()) != b.substr(at + ofB.size()))
      continue;
    if (found)
      return std::nullopt; // which of them, two texts cannot tell
    found = TextRange{at, ofA.size()};
  }
  return found;
}

Status compareSize(std::string_view language, const EmitRequest &request,
                   const std::optional<Dim3> &found) {
  if (found && *found == request.localSize)
    return success();
  return failure(Location::inFile(request.fileName),
                 "the " + std::string(language) + " text has the workgroup size " +
                     (found ? found->str() : "(none)") + " where " + request.localSize.str() +
                     " was asked for",
                 ErrorKind::Internal);
}

} // namespace tailor
