//===- passes/FreezeSpecConstants.cpp - Specialization constants to plain ones ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/FreezeSpecConstants.h"

#include "passes/Freezing.h"

#include <set>

namespace tailor {

Result<std::unique_ptr<Pass>> FreezeSpecConstants::create(PassArguments &arguments) {
  Options options{arguments.has("all"), arguments.ids("ids"), arguments.specValues("values")};
  if (!options.all && options.ids.empty() && options.values.empty())
    arguments.complain(
        "the pass 'freeze-spec-constants' needs one of its options: all, ids=ID;..., "
        "values=ID:VALUE;...");
  if (options.all && !options.ids.empty())
    arguments.complain("the options 'all' and 'ids' exclude each other");
  if (Status read = arguments.finish(); !read)
    return read.takeFailure();
  return std::unique_ptr<Pass>(std::make_unique<FreezeSpecConstants>(std::move(options)));
}

Result<Change> FreezeSpecConstants::run(Module &module, PassContext &context) {
  Result<SpecMap> values = resolveSpecValues(module, options.values, context.spec);
  if (!values)
    return values.takeFailure();
  std::map<uint32_t, const Instruction *> known = specIdsOf(module);
  std::set<uint32_t> wanted(options.ids.begin(), options.ids.end());
  for (uint32_t id : wanted)
    if (!known.contains(id)) {
      Diagnostic problem = Diagnostic::error(
          Location::inFile(module.source.file),
          "the module has no specialization constant with SpecId " + std::to_string(id),
          ErrorKind::Usage);
      for (const auto &[specId, inst] : known)
        problem.addNote(module.locationOf(*inst), "there is SpecId " + std::to_string(specId) +
                                                      ", '" + module.name(inst->result()) + "'");
      return failure(std::move(problem));
    }
  for (const SpecAssignment &assignment : options.values)
    wanted.insert(assignment.specId);
  return freezeConstants(
      module,
      [&](const Instruction &inst) {
        std::optional<uint32_t> id = module.decoration(inst.result(), spv::Decoration::SpecId);
        return options.all || (id && wanted.contains(*id));
      },
      *values, context);
}

} // namespace tailor
