//===- passes/PrintCanonicalForm.cpp - The form that analyses read ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/PrintCanonicalForm.h"

#include "Analysis/CanonicalForm.h"
#include "IR/WorkgroupSize.h"
#include "Support/SpirvTools.h"

#include "spirv-tools/libspirv.hpp"
#include "llvm/Support/raw_ostream.h"

namespace tailor {

Result<std::unique_ptr<Pass>> PrintCanonicalForm::create(PassArguments &arguments) {
  Options options{arguments.string("entry").value_or("")};
  if (Status read = arguments.finish(); !read)
    return read.takeFailure();
  return std::unique_ptr<Pass>(std::make_unique<PrintCanonicalForm>(std::move(options)));
}

/// What says where a module came from, and not what it does.
static bool isSource(spv::Op op) {
  return op == spv::Op::OpString || op == spv::Op::OpSource || op == spv::Op::OpSourceContinued ||
         op == spv::Op::OpSourceExtension || op == spv::Op::OpModuleProcessed;
}

/// Splits a disassembly into one text per instruction; a string literal may hold a line break.
static std::vector<std::string> instructionTexts(llvm::StringRef text) {
  std::vector<std::string> result(1);
  bool inString = false;
  for (size_t at = 0; at < text.size(); ++at) {
    char c = text[at];
    if (inString && c == '\\' && at + 1 < text.size()) {
      result.back() += {c, text[++at]};
      continue;
    }
    inString ^= c == '"';
    if (c == '\n' && !inString)
      result.emplace_back();
    else
      result.back() += c;
  }
  if (result.back().empty())
    result.pop_back();
  return result;
}

/// Where each instruction that is printed came from; empty for what stands in no block.
static std::vector<std::string> originsOf(const CanonicalForm &form) {
  std::vector<std::string> origins;
  form.module().forEachInstruction([&](const Instruction &inst) {
    if (isSource(inst.opcode()))
      return;
    bool inBody = inst.parent() && inst.opcode() != spv::Op::OpLabel;
    origins.push_back(inBody ? form.locationOf(inst).str() : "");
  });
  return origins;
}

Result<Change> PrintCanonicalForm::run(Module &module, PassContext &context) {
  Result<EntryPoint> entry =
      findComputeEntryPoint(module, options.entry.empty() ? context.entryPoint : options.entry);
  if (!entry)
    return entry.takeFailure();
  Result<CanonicalForm> form = CanonicalForm::create(module, *entry);
  if (!form)
    return form.takeFailure();

  Module printed = form->module().clone();
  printed.clearLineMarks();
  printed.forEachInstruction([&](Instruction &inst) {
    if (isSource(inst.opcode()))
      printed.erase(Section::Debug, inst);
  });
  std::vector<uint32_t> words = printed.words();
  spvtools::SpirvTools tools(targetEnvOf(words));
  std::string text;
  if (!tools.Disassemble(words, &text, SPV_BINARY_TO_TEXT_OPTION_NO_HEADER))
    return failure(Location::inFile(module.source.file),
                   "the canonical form cannot be disassembled", ErrorKind::Internal);

  llvm::raw_ostream &os = context.out;
  os << "; canonical form of '" << entry->name() << "'\n";
  os << "; steps undone: " << (form->incomplete().empty() ? "none" : "") << "\n";
  for (const std::string &step : form->incomplete())
    os << ";   " << step << "\n";
  std::vector<std::string> lines = instructionTexts(text);
  std::vector<std::string> origins = originsOf(*form);
  for (size_t at = 0; at < lines.size(); ++at) {
    os << lines[at];
    if (at < origins.size() && !origins[at].empty())
      os << " ; " << origins[at];
    os << "\n";
  }
  return Change::Unchanged;
}

} // namespace tailor
