//===- Frontend/Includer.cpp -----------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Frontend/Includer.h"

#include "Frontend/Inputs.h"

#include <algorithm>
#include <filesystem>
#include <set>

namespace tailor {
namespace {

/// `name` seen from the folder `dir`, spelled as a user would: no "./" ahead.
std::string joined(const std::string &dir, const std::string &name) {
  if (dir.empty() || (!name.empty() && name.front() == '/'))
    return name;
  return dir.back() == '/' ? dir + name : dir + "/" + name;
}

std::string folderOf(const std::string &file) {
  size_t slash = file.rfind('/');
  return slash == std::string::npos ? std::string() : file.substr(0, slash + 1);
}

/// How a header may be called here: as it stands, and with the separators of this system.
std::vector<std::string> spellings(const char *header) {
  std::vector<std::string> names{header};
  if (names.front().find('\\') != std::string::npos) {
    names.push_back(names.front());
    std::replace(names.back().begin(), names.back().end(), '\\', '/');
  }
  return names;
}

} // namespace

Includer::Includer(std::vector<std::string> dirs, std::string file)
    : includeDirs(std::move(dirs)), mainFile(std::move(file)) {}

Includer::IncludeResult *Includer::refuse(const std::string &message) {
  messages.push_back(message);
  return new IncludeResult("", messages.back().data(), messages.back().size(), nullptr);
}

Includer::IncludeResult *Includer::open(const std::string &path) {
  std::error_code ignored;
  auto known = texts.find(path);
  if (known == texts.end()) {
    if (!std::filesystem::exists(path, ignored) || std::filesystem::is_directory(path, ignored))
      return nullptr;
    Result<std::string> text = readInput(path);
    if (!text)
      return refuse(path + ": " + text.diagnostic().text);
    known = texts.emplace(path, std::move(*text)).first;
    files.push_back(path);
  }
  const std::string &text = known->second;
  bytesIncluded += text.size();
  if (bytesIncluded > kMaxInputBytes) {
    stopped = true;
    return refuse("the included texts are larger than the " + std::to_string(kMaxInputBytes >> 20) +
                  " MiB that a shader may have");
  }
  return new IncludeResult(path, text.data(), text.size(), nullptr);
}

Includer::IncludeResult *Includer::enter(const std::string &path, size_t depth) {
  IncludeResult *found = open(path);
  if (found) {
    chain.resize(std::min(chain.size(), depth - 1)); // depths count from 1
    chain.push_back(path);
  }
  return found;
}

Includer::IncludeResult *Includer::includeLocal(const char *header, const char *includer,
                                                size_t depth) {
  if (stopped) // the first error said it; an empty text adds none
    return new IncludeResult(header, nullptr, 0, nullptr);
  if (depth > kMaxIncludeDepth)
    return nullptr; // includeSystem, asked next, says so
  const std::string from = *includer != '\0' ? includer : mainFile;
  for (const std::string &name : spellings(header))
    if (IncludeResult *found = enter(joined(folderOf(from), name), depth))
      return found;
  return nullptr;
}

Includer::IncludeResult *Includer::includeSystem(const char *header, const char * /*includer*/,
                                                 size_t depth) {
  if (stopped)
    return new IncludeResult(header, nullptr, 0, nullptr);
  if (depth > kMaxIncludeDepth) {
    stopped = true;
    std::string text = "includes nest deeper than " + std::to_string(kMaxIncludeDepth);
    // The same file twice in the chain has not stopped including itself.
    std::set<std::string> seen;
    for (const std::string &file : chain)
      if (!seen.insert(file).second)
        return refuse(text.append(", which is a cycle through '").append(file).append("'"));
    return refuse(text);
  }
  for (const std::string &dir : includeDirs)
    for (const std::string &name : spellings(header))
      if (IncludeResult *found = enter(joined(dir, name), depth))
        return found;
  std::string searched;
  for (const std::string &dir : includeDirs)
    searched += (searched.empty() ? "" : ", ") + dir;
  return refuse(searched.empty() ? "cannot find the file (no include directory is given)"
                                 : "cannot find the file (include directories: " + searched + ")");
}

void Includer::releaseInclude(IncludeResult *result) { delete result; }

} // namespace tailor
