//===- passes/PrintAccesses.cpp - What lanes fetch together ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/PrintAccesses.h"

#include "passes/EntryAnalysis.h"

#include "Analysis/Traffic.h"

#include "llvm/Support/raw_ostream.h"

namespace tailor {

Result<std::unique_ptr<Pass>> PrintAccesses::create(PassArguments &arguments) {
  Options options;
  options.entry = arguments.string("entry").value_or("");
  options.size = arguments.dim3("size");
  options.subgroup =
      static_cast<uint32_t>(arguments.integer("subgroup", 1, 128).value_or(options.subgroup));
  if (Status read = arguments.finish(); !read)
    return read.takeFailure();
  return std::unique_ptr<Pass>(std::make_unique<PrintAccesses>(std::move(options)));
}

namespace {

class Printer {
public:
  Printer(const KernelAnalysis &analysis, VariantTraffic &traffic, llvm::raw_ostream &os)
      : analysis(analysis), variant(traffic), os(os) {}

  void print(const MemoryAccess &access) {
    os << "  " << nameOf(access.op) << " " << spaceName(access.space) << " '" << access.name << "'";
    if (access.set && access.binding)
      os << " (set " << *access.set << ", binding " << *access.binding << ")";
    if (access.bytes != 0)
      os << " " << access.bytes << " bytes";
    os << " at " << access.location.str() << "\n";
    if (access.address)
      os << "    address: " << analysis.affine().str(access.address->bytes) << "\n";
    printPattern(access);
    printTraffic(access);
  }

private:
  void printPattern(const MemoryAccess &access) {
    if (access.pattern == AccessPattern::Unknown)
      return;
    os << "    pattern: " << nameOf(access.pattern)
       << (access.insideBounds && access.pattern != AccessPattern::Gather ? " inside of its bounds"
                                                                          : "");
    const char *separator = "; next invocation: ";
    for (unsigned axis = 0; axis < 3; ++axis) {
      const std::string &text =
          access.isImage() ? access.texelStrides[axis] : access.strides[axis].text;
      if (text.empty())
        continue;
      os << separator << kAxisName[axis] << " " << text;
      separator = ", ";
    }
    os << "\n";
  }

  void printTraffic(const MemoryAccess &access) {
    VariantTraffic::Result result = variant.of(access);
    if (!result.traffic)
      return;
    os << "    workgroup (" << result.group[0] << ", " << result.group[1] << ", " << result.group[2]
       << "): ";
    if (access.space != MemorySpace::Workgroup)
      os << result.traffic->str();
    else if (result.bankConflict)
      os << "banks " << conflictText(*result.bankConflict);
    else
      os << "banks not known (data-dependent)";
    os << (result.traffic->assumed ? ", with assumed values of the host\n" : "\n");
  }

  const KernelAnalysis &analysis;
  VariantTraffic &variant;
  llvm::raw_ostream &os;
};

} // namespace

Result<Change> PrintAccesses::run(Module &module, PassContext &context) {
  Result<KernelAnalysis> analysis = analyzeEntry(module, options.entry, context);
  if (!analysis)
    return analysis.takeFailure();
  Dim3 size = options.size.value_or(analysis->size());
  context.out << "accesses of '" << analysis->entryName() << "'\n"
              << "  size: " << size.str() << ", subgroups of " << options.subgroup << "\n";
  LaneModel model(*analysis);
  VariantTraffic traffic(model, size, options.subgroup, {});
  Printer printer(*analysis, traffic, context.out);
  for (const MemoryAccess &access : findAccesses(*analysis))
    printer.print(access);
  return Change::Unchanged;
}

} // namespace tailor
