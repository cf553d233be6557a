//===- passes/PrintCertificate.cpp - What is proven of a kernel ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/PrintCertificate.h"

#include "Analysis/Certificate.h"

#include "llvm/Support/raw_ostream.h"

namespace tailor {

Result<std::unique_ptr<Pass>> PrintCertificate::create(PassArguments &arguments) {
  Options options{arguments.string("entry").value_or("")};
  if (Status read = arguments.finish(); !read)
    return read.takeFailure();
  return std::unique_ptr<Pass>(std::make_unique<PrintCertificate>(std::move(options)));
}

static void printRefusal(llvm::raw_ostream &os, const Diagnostic &why) {
  auto line = [&](const Location &where, const std::string &text) {
    std::string place = where.str();
    os << "    " << place << (place.empty() ? "" : ": ") << text << "\n";
  };
  line(why.location, why.text);
  for (const Note &note : why.notes)
    line(note.location, "note: " + note.text);
}

/// The techniques after resize, a line or more each.
static void printVerdict(llvm::raw_ostream &os, const Certificate &certificate,
                         Technique technique) {
  const TechniqueVerdict &verdict = certificate.verdict(technique);
  os << "  " << nameOf(technique) << ": "
     << sizesText(technique, verdict, certificate.authored.size) << "\n";
  if (verdict.refusal) {
    printRefusal(os, *verdict.refusal);
    return;
  }
  for (unsigned axis = 0; axis < 3; ++axis)
    if (verdict.axisRefusal[axis]) {
      os << "    not along " << kAxisName[axis] << ":\n";
      printRefusal(os, *verdict.axisRefusal[axis]);
    }
}

Result<Change> PrintCertificate::run(Module &module, PassContext &context) {
  Result<EntryPoint> entry =
      findComputeEntryPoint(module, options.entry.empty() ? context.entryPoint : options.entry);
  if (!entry)
    return entry.takeFailure();
  Result<Certificate> certificate = certify(module, *entry, context.spec);
  if (!certificate)
    return certificate.takeFailure();
  llvm::raw_ostream &os = context.out;
  os << "certificate of '" << certificate->entryPoint << "'\n";
  os << "  authored size: " << certificate->authored.size.str() << "\n";
  os << "  resize: " << (certificate->resizeLegal() ? "legal" : "refused") << "\n";
  if (!certificate->resizeLegal())
    printRefusal(os, *certificate->resizeRefusal());
  else
    os << "  ids to rewrite: " << (certificate->rewrite.needed ? "yes" : "no") << "\n";
  for (unsigned axis = 0; axis < 3; ++axis) {
    os << "  axis " << kAxisName[axis] << ": " << (certificate->usesAxis[axis] ? "used" : "unused");
    os << (certificate->bounds[axis].empty() ? ", not guarded" : ", guarded") << "\n";
    for (const DispatchBound &bound : certificate->bounds[axis]) {
      std::string place = bound.location.str();
      os << "    " << place << (place.empty() ? "" : ": ") << bound.str() << "\n";
    }
    if (certificate->coverRefusal[axis])
      printRefusal(os, *certificate->coverRefusal[axis]);
  }
  for (Technique technique : kTechniques)
    if (technique != Technique::Resize)
      printVerdict(os, *certificate, technique);
  return Change::Unchanged;
}

} // namespace tailor
