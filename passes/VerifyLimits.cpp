//===- passes/VerifyLimits.cpp - A workgroup against a device's limits ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/VerifyLimits.h"

#include "IR/Types.h"
#include "passes/ModuleEdits.h"

#include <algorithm>

namespace tailor {

// What every Vulkan device allows (Vulkan 1.3, section "Required Limits").
static constexpr uint64_t kLeastInvocations = 128;
static constexpr Dim3 kLeastSize{128, 128, 64};
static constexpr uint64_t kLeastSharedBytes = 16384;
/// Variables that a message names, the largest first.
static constexpr size_t kMaxNamed = 3;

Result<std::unique_ptr<Pass>> VerifyLimits::create(PassArguments &arguments) {
  Options options;
  options.entry = arguments.string("entry").value_or("");
  options.maxInvocations = arguments.integer("max-invocations", 1, UINT32_MAX);
  options.maxSharedBytes = arguments.integer("max-shared-bytes", 0, UINT64_MAX);
  options.maxSize = arguments.dim3("max-size");
  if (Status read = arguments.finish(); !read)
    return read.takeFailure();
  return std::unique_ptr<Pass>(std::make_unique<VerifyLimits>(std::move(options)));
}

namespace {

struct SharedVariable {
  Id id;
  uint64_t bytes;
};

class LimitChecker {
public:
  LimitChecker(const Module &module, const VerifyLimits::Options &limits, const SpecMap &spec)
      : module(module), limits(limits), spec(spec) {}

  void check(const EntryPoint &entry) {
    Result<WorkgroupSize> size = readWorkgroupSize(module, entry, spec);
    if (!size) {
      problems.push_back(size.takeFailure().diagnostic);
      return;
    }
    checkSize(entry, size->size);
    if (limits.maxSharedBytes)
      checkMemory(entry);
  }
  std::vector<Diagnostic> problems;

private:
  Location sizeLocation(const EntryPoint &entry) const {
    if (const Instruction *decorated = workgroupSizeConstant(module))
      return module.rawLocationOf(*decorated);
    for (const Instruction &mode : module.section(Section::ExecutionModes)) {
      auto which = static_cast<spv::ExecutionMode>(mode.literal(1));
      if (mode.id(0) == entry.function() &&
          (which == spv::ExecutionMode::LocalSize || which == spv::ExecutionMode::LocalSizeId))
        return module.rawLocationOf(mode);
    }
    return module.rawLocationOf(*entry.inst);
  }

  void checkSize(const EntryPoint &entry, const Dim3 &size) {
    if (limits.maxInvocations && size.product() > *limits.maxInvocations)
      problems.push_back(Diagnostic::error(
          sizeLocation(entry), "the workgroup of '" + entry.name() + "' has " +
                                   std::to_string(size.product()) + " invocations (" + size.str() +
                                   "), the limit is " + std::to_string(*limits.maxInvocations)));
    for (unsigned axis = 0; axis < 3; ++axis)
      if (limits.maxSize && size[axis] > (*limits.maxSize)[axis])
        problems.push_back(Diagnostic::error(
            sizeLocation(entry), "the workgroup of '" + entry.name() + "' has " +
                                     std::to_string(size[axis]) + " invocations on the " +
                                     kAxisName[axis] + " axis, the limit is " +
                                     std::to_string((*limits.maxSize)[axis])));
  }

  void checkMemory(const EntryPoint &entry) {
    std::vector<SharedVariable> variables;
    uint64_t total = 0;
    ConstantEvaluator constants(module, spec);
    for (const Instruction *variable : sharedVariables(entry)) {
      std::optional<PointerType> pointer = pointerTypeOfValue(module, variable->result());
      std::optional<TypeLayout> layout;
      if (pointer)
        layout = layoutOf(module, pointer->pointee, constants);
      if (!layout) {
        problems.push_back(Diagnostic::error(
            module.locationOf(*variable),
            "the size of workgroup variable '" + module.name(variable->result()) +
                "' is not known, so the limit of " + std::to_string(*limits.maxSharedBytes) +
                " bytes cannot be checked"));
        return;
      }
      variables.push_back({variable->result(), layout->size.count});
      total += layout->size.count;
    }
    if (total <= *limits.maxSharedBytes)
      return;
    std::sort(variables.begin(), variables.end(), [](const auto &a, const auto &b) {
      return a.bytes != b.bytes ? a.bytes > b.bytes : raw(a.id) < raw(b.id);
    });
    Diagnostic problem = Diagnostic::error(
        module.locationOf(*entry.inst),
        "the workgroup of '" + entry.name() + "' has " + std::to_string(total) +
            " bytes of workgroup memory, the limit is " + std::to_string(*limits.maxSharedBytes) +
            ": " + std::to_string(total - *limits.maxSharedBytes) + " bytes too many");
    for (size_t at = 0; at < std::min(kMaxNamed, variables.size()); ++at)
      problem.addNote(module.locationOf(variables[at].id),
                      "'" + module.name(variables[at].id) + "' takes " +
                          std::to_string(variables[at].bytes) + " bytes");
    problems.push_back(std::move(problem));
  }

  /// Workgroup variables that the entry point's functions mention, in the order of the module.
  std::vector<const Instruction *> sharedVariables(const EntryPoint &entry) const {
    llvm::DenseSet<uint32_t> mentioned;
    for (const Function *function : reachableFunctions(module, entry.function()))
      for (const Block &block : function->blocks())
        for (const Instruction &inst : block.instructions())
          for (unsigned index = 0; index < inst.numOperands(); ++index)
            if (inst.isId(index))
              mentioned.insert(raw(inst.id(index)));
    std::vector<const Instruction *> list;
    for (const Instruction &inst : module.section(Section::Globals))
      if (inst.opcode() == spv::Op::OpVariable && mentioned.contains(raw(inst.result())) &&
          static_cast<spv::StorageClass>(inst.literal(0)) == spv::StorageClass::Workgroup)
        list.push_back(&inst);
    return list;
  }

  const Module &module;
  const VerifyLimits::Options &limits;
  const SpecMap &spec;
};

} // namespace

Result<Change> VerifyLimits::run(Module &module, PassContext &context) {
  Options limits = options;
  if (!limits.maxInvocations && !limits.maxSize && !limits.maxSharedBytes) {
    limits.maxInvocations = kLeastInvocations;
    limits.maxSize = kLeastSize;
    limits.maxSharedBytes = kLeastSharedBytes;
  }
  std::string name = limits.entry.empty() ? context.entryPoint : limits.entry;
  LimitChecker checker(module, limits, context.spec);
  if (name.empty()) {
    for (const EntryPoint &entry : module.entryPoints())
      if (entry.model() == spv::ExecutionModel::GLCompute)
        checker.check(entry);
  } else {
    Result<EntryPoint> entry = findComputeEntryPoint(module, name);
    if (!entry)
      return entry.takeFailure();
    checker.check(*entry);
  }
  if (checker.problems.empty())
    return Change::Unchanged;
  Diagnostic last = std::move(checker.problems.back());
  checker.problems.pop_back();
  for (Diagnostic &problem : checker.problems)
    context.diagnostics.emit(std::move(problem));
  return failure(std::move(last));
}

} // namespace tailor
