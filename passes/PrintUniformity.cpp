//===- passes/PrintUniformity.cpp - Over which invocations values are equal ===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/PrintUniformity.h"

#include "passes/EntryAnalysis.h"

#include "IR/Types.h"

#include "llvm/Support/raw_ostream.h"

#include <algorithm>

namespace tailor {

Result<std::unique_ptr<Pass>> PrintUniformity::create(PassArguments &arguments) {
  Options options;
  options.causes = arguments.has("causes");
  options.entry = arguments.string("entry").value_or("");
  if (Status read = arguments.finish(); !read)
    return read.takeFailure();
  return std::unique_ptr<Pass>(std::make_unique<PrintUniformity>(std::move(options)));
}

namespace {

class Printer {
public:
  Printer(const KernelAnalysis &kernel, llvm::raw_ostream &os, bool causes)
      : kernel(kernel), uniformity(kernel.uniformity()), os(os), causes(causes) {}

  void print() {
    if (uniformity.synchronizesByAtomics())
      os << "  the kernel synchronises by atomics: memory that it writes is not trusted\n";
    for (const Block &block : kernel.form().function().blocks())
      if (kernel.flow().isReachable(block))
        printBlock(block);
  }

private:
  /// `workgroup`, `workgroup, pack y z`
  template <typename IsPackUniform>
  std::string text(UniformityScope scope, IsPackUniform isPackUniform) {
    std::string axes;
    for (unsigned axis = 0; scope != UniformityScope::Dispatch && axis < 3; ++axis)
      if (isPackUniform(axis))
        axes += std::string(" ") + kAxisName[axis];
    return std::string(nameOf(scope)) + (axes.empty() ? "" : ", pack" + axes);
  }

  void printBlock(const Block &block) {
    UniformityScope scope = uniformity.control(block);
    os << "  block %" << raw(block.id()) << ": "
       << text(scope, [&](unsigned axis) { return uniformity.isPackUniformControl(block, axis); })
       << "\n";
    if (causes && scope < UniformityScope::Workgroup)
      for (const CauseStep &step : uniformity.causeOfControl(block, UniformityScope::Workgroup))
        os << "    because " << kernel.locationOf(*step.inst).str() << ": " << step.text << "\n";
    for (const Instruction &inst : block.instructions())
      if (isValid(inst.result()) && inst.opcode() != spv::Op::OpVariable &&
          kernel.module().def(inst.typeId()) &&
          kernel.module().def(inst.typeId())->opcode() != spv::Op::OpTypeVoid)
        printValue(inst);
  }

  std::string componentText(const Instruction &inst, unsigned component) {
    return text(uniformity.of(inst.result(), component), [&](unsigned axis) {
      return uniformity.isPackUniform(inst.result(), axis, component);
    });
  }

  void printValue(const Instruction &inst) {
    std::string name = kernel.module().name(inst.result());
    std::string number = "%" + std::to_string(raw(inst.result()));
    os << "    " << number << (name == number ? "" : " '" + name + "'") << " "
       << nameOf(inst.opcode());
    std::string where = kernel.locationOf(inst).str();
    os << " (" << where << "): ";
    unsigned count = componentCount(kernel.module(), inst.typeId());
    std::vector<std::string> texts;
    texts.reserve(count);
    for (unsigned at = 0; at < count; ++at)
      texts.push_back(componentText(inst, at));
    bool isOne = count < 2 || std::all_of(
                                  texts.begin(), texts.end(),
                                  [&](const std::string &each) { return each == texts[0]; });
    if (isOne) {
      os << componentText(inst, Uniformity::kAll) << "\n";
      return;
    }
    for (unsigned at = 0; at < count; ++at)
      os << (at == 0 ? "" : "; ") << "xyzw"[at & 3] << " " << texts[at];
    os << "\n";
  }

  const KernelAnalysis &kernel;
  const Uniformity &uniformity;
  llvm::raw_ostream &os;
  bool causes;
};

} // namespace

Result<Change> PrintUniformity::run(Module &module, PassContext &context) {
  Result<KernelAnalysis> kernel = analyzeEntry(module, options.entry, context);
  if (!kernel)
    return kernel.takeFailure();
  context.out << "uniformity of '" << kernel->entryName() << "' at " << kernel->size().str()
              << "\n";
  Printer(*kernel, context.out, options.causes).print();
  return Change::Unchanged;
}

} // namespace tailor
