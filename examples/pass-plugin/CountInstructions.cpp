//===- examples/pass-plugin/CountInstructions.cpp - A pass from outside the tree ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two passes in one plug-in: one prints how often each instruction stands in the
// module, one renames a function. Try them:
//
//   spirv-tailor-opt --load-pass-plugin ./libTailorExamplePass.so a.comp -o a.spv
//       --passes='count-instructions<at-least=2>,rename-function<to=kernel>'
//
//===----------------------------------------------------------------------===//
#include "passes/PassArguments.h"
#include "passes/PassPlugin.h"

#include "llvm/Support/raw_ostream.h"

using namespace tailor;

namespace {

class CountInstructions final : public Pass {
public:
  explicit CountInstructions(uint64_t atLeast) : atLeast(atLeast) {}

  static Result<std::unique_ptr<Pass>> create(PassArguments &arguments) {
    uint64_t atLeast = arguments.integer("at-least", 1, UINT32_MAX).value_or(1);
    if (Status read = arguments.finish(); !read)
      return read.takeFailure();
    return std::unique_ptr<Pass>(std::make_unique<CountInstructions>(atLeast));
  }

  static const PassInfo &passInfo() {
    static constexpr OptionInfo kOptions[] = {
        {"at-least", "N", "leaves out what stands there less often"},
    };
    static const PassInfo info{"count-instructions",
                               "prints how often each instruction occurs",
                               PassKind::Print,
                               {},
                               {},
                               PropertySet::all(),
                               kOptions,
                               create,
                               "Counts the instructions of a module by name."};
    return info;
  }
  const PassInfo &info() const override { return passInfo(); }

  Result<Change> run(Module &module, PassContext &context) override {
    std::map<std::string, uint64_t> counts;
    module.forEachInstruction([&](Instruction &inst) { ++counts[nameOf(inst.opcode())]; });
    for (const auto &[name, count] : counts)
      if (count >= atLeast)
        context.out << name << " " << count << "\n";
    return Change::Unchanged;
  }

private:
  uint64_t atLeast;
};

class RenameFunction final : public Pass {
public:
  explicit RenameFunction(std::string to) : to(std::move(to)) {}

  static Result<std::unique_ptr<Pass>> create(PassArguments &arguments) {
    std::optional<std::string> to = arguments.string("to");
    if (!to)
      arguments.complain("the pass 'rename-function' needs its option to=NAME");
    if (Status read = arguments.finish(); !read)
      return read.takeFailure();
    return std::unique_ptr<Pass>(std::make_unique<RenameFunction>(*to));
  }

  static const PassInfo &passInfo() {
    static constexpr OptionInfo kOptions[] = {{"to", "NAME", "the new name (needed)"}};
    static const PassInfo info{"rename-function",
                               "renames the first function",
                               PassKind::Transform,
                               {},
                               {},
                               PropertySet::all(),
                               kOptions,
                               create,
                               "Changes the OpName of the first function, if it has one."};
    return info;
  }
  const PassInfo &info() const override { return passInfo(); }

  Result<Change> run(Module &module, PassContext &) override {
    if (module.functions().empty())
      return Change::Unchanged;
    Id function = module.functions().front()->id();
    if (module.name(function) == to)
      return Change::Unchanged;
    for (Instruction &inst : module.section(Section::Debug)) {
      if (inst.opcode() != spv::Op::OpName || inst.id(0) != function)
        continue;
      inst.truncate(1);
      inst.addString(to);
      return Change::Changed;
    }
    return Change::Unchanged; // it has no name to change
  }

private:
  std::string to;
};

Status registerPasses(PassRegistry &registry) {
  if (Status added = registry.add(CountInstructions::passInfo()); !added)
    return added;
  return registry.add(RenameFunction::passInfo());
}

} // namespace

extern "C" PassPluginInfo tailorPassPluginInfo() {
  return {kPassPluginVersion, "example", "1.0", registerPasses};
}
