//===- passes/PassManager.cpp - Runs passes and checks what they promise ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/PassManager.h"

#include "Support/Files.h"
#include "Support/SpirvTools.h"

namespace tailor {

/// The words in this machine's byte order.
static std::vector<uint32_t> nativeWords(const Module &module) {
  std::vector<uint32_t> words = module.words();
  if (module.isBigEndian())
    for (uint32_t &word : words)
      word = __builtin_bswap32(word);
  return words;
}

static std::string quoted(const PassInfo &info) { return "'" + std::string(info.flag) + "'"; }

Result<Change> PassManager::run(Module &module, PassContext &context) {
  if (options.verifyInput || options.verifyEach)
    if (Status valid = validateSpirv(nativeWords(module), module.source.file, options.targetEnv);
        !valid)
      return valid.takeFailure();
  Change total = Change::Unchanged;
  for (const std::unique_ptr<Pass> &pass : passes) {
    Result<Change> change = runOne(*pass, module, context);
    if (!change)
      return change;
    if (*change == Change::Changed)
      total = Change::Changed;
  }
  return total;
}

Result<Change> PassManager::runOne(Pass &pass, Module &module, PassContext &context) {
  const PassInfo &info = pass.info();
  if (Status met = checkRequirements(info, module); !met)
    return met.takeFailure();
  std::optional<Module> before;
  if (options.verifyEach)
    before = module.clone();
  Result<Change> change = pass.run(module, context);
  if (!change)
    return change;
  if (*change == Change::Changed && info.kind != PassKind::Transform)
    return blame(info,
                 "says that it changed the module, which no " + std::string(nameOf(info.kind)) +
                     " pass may",
                 before ? &*before : nullptr, &module);
  if (before)
    if (Status kept = checkPromises(info, *before, module, *change); !kept)
      return kept.takeFailure();
  return change;
}

Status PassManager::checkRequirements(const PassInfo &info, const Module &module) const {
  for (Property property : kAllProperties) {
    if (!info.required.has(property) || holds(module, property))
      continue;
    Diagnostic problem =
        Diagnostic::error(Location::inFile(module.source.file),
                          "the pass " + quoted(info) + " requires the property '" +
                              std::string(nameOf(property)) + "', which the module lacks",
                          ErrorKind::Usage);
    static const PassRegistry catalogue;
    for (const PassInfo &other : catalogue.all())
      if (other.established.has(property))
        problem.addNote({}, "run " + quoted(other) + " before it");
    return failure(std::move(problem));
  }
  return success();
}

Status PassManager::checkPromises(const PassInfo &info, const Module &before, const Module &after,
                                  Change change) const {
  std::vector<uint32_t> old = nativeWords(before), now = nativeWords(after);
  if ((old != now) != (change == Change::Changed))
    return blame(info,
                 change == Change::Changed ? "says 'changed' and left every byte as it was"
                                           : "says 'unchanged' and changed the module",
                 &before, &after);
  if (Status valid = validateSpirv(now, after.source.file, options.targetEnv); !valid) {
    Failure failed =
        blame(info, "left an invalid module: " + valid.diagnostic().text, &before, &after);
    for (const Note &note : valid.diagnostic().notes)
      failed.diagnostic.notes.push_back(note);
    return failed;
  }
  for (Property property : kAllProperties) {
    bool expected =
        info.established.has(property) || (info.preserved.has(property) && holds(before, property));
    if (expected && !holds(after, property))
      return blame(info,
                   "left a module without the property '" + std::string(nameOf(property)) +
                       "', which it " +
                       (info.established.has(property) ? "establishes" : "preserves"),
                   &before, &after);
  }
  return success();
}

Failure PassManager::blame(const PassInfo &info, const std::string &text, const Module *before,
                           const Module *after) const {
  Location where = after ? Location::inFile(after->source.file) : Location{};
  Diagnostic problem =
      Diagnostic::error(where, "the pass " + quoted(info) + " " + text, ErrorKind::Internal);
  if (options.dumpPrefix.empty())
    return failure(std::move(problem));
  auto dump = [&](const Module *module, const char *suffix, const char *which) {
    if (!module)
      return;
    std::string path = options.dumpPrefix + std::string(info.flag) + suffix;
    Status written = writeFileAtomically(path, bytesOfWords(nativeWords(*module)));
    problem.addNote(written ? Location::inFile(path) : Location{},
                    written ? std::string("the module ") + which + " the pass was written here"
                            : written.diagnostic().text);
  };
  dump(before, ".before.spv", "before");
  dump(after, ".after.spv", "after");
  return failure(std::move(problem));
}

} // namespace tailor
