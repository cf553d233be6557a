//===- passes/PrintFacts.cpp - What a kernel does ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/PrintFacts.h"

#include "Analysis/Certificate.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace tailor {

Result<std::unique_ptr<Pass>> PrintFacts::create(PassArguments &arguments) {
  Options options{arguments.string("entry").value_or("")};
  if (Status read = arguments.finish(); !read)
    return read.takeFailure();
  return std::unique_ptr<Pass>(std::make_unique<PrintFacts>(std::move(options)));
}

static std::string listOf(const std::vector<std::string> &names) {
  return names.empty() ? "none" : llvm::join(names, ", ");
}

Result<Change> PrintFacts::run(Module &module, PassContext &context) {
  Result<EntryPoint> entry =
      findComputeEntryPoint(module, options.entry.empty() ? context.entryPoint : options.entry);
  if (!entry)
    return entry.takeFailure();
  Result<Certificate> certificate = certify(module, *entry, context.spec);
  if (!certificate)
    return certificate.takeFailure();
  const KernelFacts &facts = certificate->facts;
  llvm::raw_ostream &os = context.out;
  os << "facts of '" << certificate->entryPoint << "'\n";
  os << "  size: " << certificate->authored.size.str() << " ("
     << nameOf(certificate->authored.spelling) << ")\n";
  os << "  class: " << facts.kernelClass << "\n";
  os << "  workgroup memory: " << facts.sharedBytes << " bytes\n";
  os << "  control barriers: " << facts.controlBarriers << ", in loops: " << facts.barriersInLoops
     << "\n";
  os << "  atomics: " << facts.atomics << "\n";
  os << "  subgroup operations: " << listOf(facts.subgroupOps) << "\n";
  os << "  ids: " << listOf(facts.ids) << "\n";
  for (const AccessFact &access : facts.accesses) {
    os << "  " << access.op << " " << access.space << " '" << access.variable << "'";
    if (access.set && access.binding)
      os << " (set " << *access.set << ", binding " << *access.binding << ")";
    if (access.bytes != 0)
      os << " " << access.bytes << " bytes";
    os << " at " << access.location << "\n";
  }
  return Change::Unchanged;
}

} // namespace tailor
