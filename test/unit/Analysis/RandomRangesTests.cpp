//===- unit/Analysis/RandomRangesTests.cpp - Ranges against executions -----===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random kernels are run step by step for every local id of a workgroup, with
// whatever comes out of memory made up on the spot. Each value that is computed
// must be in its set, and in each block so must every value that reaches it.
//
//===----------------------------------------------------------------------===//
#include "Analysis/LaneArithmetic.h"
#include "Analysis/ValueRanges.h"
#include "IR/Folding.h"
#include "IR/Types.h"

#include "KernelSupport.h"
#include "RangeKernels.h"

#include <cstdlib>
#include <random>
#include <unordered_map>

using namespace tailor;

namespace {

using Numbers = std::mt19937_64;

//===----------------------------------------------------------------------===//
// Executions
//===----------------------------------------------------------------------===//

/// One invocation, step by step.
class Stepper {
public:
  Stepper(const AnalysedKernel &kernel, const ValueRanges &ranges, Numbers &random)
      : kernel(*kernel), module(kernel->module()), ranges(ranges), random(random),
        constants(module, {{1, random()}}) {}

  void run(const std::array<uint32_t, 3> &localId);
  std::string fault; ///< of the first value that is not in its set
  size_t checks = 0;

private:
  using Value = std::vector<ConstantValue>; ///< by component; empty: not an integer

  ConstantValue typed(Id type, uint64_t bits) const {
    Id scalar = scalarTypeOf(module, type);
    return scalarValue(module, scalar, bits).value_or(ConstantValue{});
  }
  bool isTracked(Id type) const {
    ConstantValue value = typed(type, 0);
    return componentCount(module, type) != 0 &&
           (value.kind == ConstantValue::Kind::Bool || (value.kind == ConstantValue::Kind::Int));
  }
  uint64_t anything() {
    switch (random() % 3) {
    case 0:
      return rangeNumber(random);
    case 1:
      return random() % 70;
    default:
      return random();
    }
  }
  Value made(Id type) {
    Value value;
    for (unsigned at = 0; at < componentCount(module, type); ++at)
      value.push_back(
          typed(type, module.def(scalarTypeOf(module, type))->opcode() == spv::Op::OpTypeBool
                          ? random() & 1
                          : anything()));
    return value;
  }
  Value read(Id id);
  Value load(const Instruction &inst, const std::array<uint32_t, 3> &localId);
  Value step(const Instruction &inst, const std::array<uint32_t, 3> &localId);
  Value componentwise(const Instruction &inst);
  void check(const Instruction &inst, const Value &value, const Block *at);
  void checkAll(const Block &block);
  const Block *next(const Block &block);

  const KernelAnalysis &kernel;
  const Module &module;
  const ValueRanges &ranges;
  Numbers &random;
  ConstantEvaluator constants;
  std::unordered_map<uint32_t, Value> values;
  std::unordered_map<uint64_t, IntegerSet> seen; ///< by block, id and component
};

Stepper::Value Stepper::read(Id id) {
  const Instruction *inst = module.def(id);
  if (inst->opcode() == spv::Op::OpUndef) // another number each time
    return isTracked(inst->typeId()) ? made(inst->typeId()) : Value();
  if (isConstant(inst->opcode())) {
    std::optional<ConstantValue> value = constants.evaluate(id);
    if (!value)
      return Value();
    return value->isComposite() ? value->elements : Value{*value};
  }
  return values[raw(id)];
}

Stepper::Value Stepper::load(const Instruction &inst, const std::array<uint32_t, 3> &localId) {
  Value value = made(inst.typeId());
  std::optional<PointerPath> path = tracePointer(module, inst.id(0));
  auto builtIn =
      path ? module.decoration(path->variable->result(), spv::Decoration::BuiltIn) : std::nullopt;
  if (!builtIn)
    return value;
  const Dim3 &size = kernel.size();
  std::optional<uint64_t> axis =
      path->indices.empty() ? std::nullopt : constants.evaluateInt(path->indices[0]);
  if (static_cast<spv::BuiltIn>(*builtIn) == spv::BuiltIn::LocalInvocationIndex)
    value[0].bits = (localId[2] * size.y + localId[1]) * size.x + localId[0];
  if (static_cast<spv::BuiltIn>(*builtIn) == spv::BuiltIn::LocalInvocationId)
    for (unsigned at = 0; at < value.size(); ++at)
      value[at].bits = localId[axis.value_or(at)];
  return value;
}

Stepper::Value Stepper::componentwise(const Instruction &inst) {
  const bool isExtended = inst.opcode() == spv::Op::OpExtInst;
  std::vector<Value> operands;
  for (unsigned at = isExtended ? 2 : 0; at < inst.numOperands(); ++at) {
    operands.push_back(read(inst.id(at)));
    if (operands.back().empty())
      return made(inst.typeId());
  }
  Value result = made(inst.typeId());
  for (unsigned at = 0; at < result.size(); ++at) {
    std::vector<ConstantValue> parts;
    for (const Value &operand : operands)
      parts.push_back(operand[operand.size() == 1 ? 0 : at]);
    ConstantValue type = result[at];
    type.bits = 0;
    bool isUndefined = (inst.opcode() == spv::Op::OpSRem || inst.opcode() == spv::Op::OpSMod) &&
                       (parts[0].asSigned() < 0 || parts[1].asSigned() < 0);
    std::optional<ConstantValue> value = isUndefined ? std::nullopt
                                         : isExtended
                                             ? foldLaneExtended(inst.literal(1), parts, type)
                                             : foldLane(inst.opcode(), parts, type);
    if (value)
      result[at].bits = value->bits;
  }
  return result;
}

Stepper::Value Stepper::step(const Instruction &inst, const std::array<uint32_t, 3> &localId) {
  switch (inst.opcode()) {
  case spv::Op::OpLoad:
    return load(inst, localId);
  case spv::Op::OpCompositeExtract: {
    Value whole = read(inst.id(0));
    if (inst.numOperands() != 2 || inst.literal(1) >= whole.size())
      return made(inst.typeId());
    return {whole[inst.literal(1)]};
  }
  case spv::Op::OpCompositeConstruct: {
    Value whole;
    for (unsigned at = 0; at < inst.numOperands(); ++at)
      for (const ConstantValue &part : read(inst.id(at)))
        whole.push_back(part);
    return whole;
  }
  case spv::Op::OpAny:
  case spv::Op::OpAll: {
    bool any = false, all = true;
    for (const ConstantValue &part : read(inst.id(0))) {
      any |= part.bits != 0;
      all &= part.bits != 0;
    }
    return {boolValue(inst.opcode() == spv::Op::OpAny ? any : all)};
  }
  default:
    return componentwise(inst);
  }
}

void Stepper::check(const Instruction &inst, const Value &value, const Block *at) {
  for (unsigned component = 0; component < value.size() && fault.empty(); ++component) {
    uint64_t key =
        uint64_t{at ? at->index() + 1 : 0} << 40 | uint64_t{raw(inst.result())} << 4 | component;
    auto [known, isNew] = seen.try_emplace(key);
    if (isNew)
      known->second =
          at ? ranges.at(inst.result(), *at, component) : ranges.of(inst.result(), component);
    ++checks;
    if (!known->second.contains(value[component].bits))
      fault = module.name(inst.result()) + " component " + std::to_string(component) + " is " +
              std::to_string(value[component].bits) + ", not in " + known->second.str() +
              (at ? " in the block %" + std::to_string(raw(at->id())) : "");
  }
}

/// Some of the values that reach the block.
void Stepper::checkAll(const Block &block) {
  if (!ranges.isReached(block))
    fault = "the block %" + std::to_string(raw(block.id())) + " is run";
  for (const auto &[id, value] : values) {
    const Instruction &inst = *module.def(static_cast<Id>(id));
    if (random() % 4 == 0 && kernel.flow().dominates(*inst.parent(), block))
      check(inst, value, &block);
  }
}

const Block *Stepper::next(const Block &block) {
  const Instruction &last = *block.terminator();
  Function &function = kernel.form().function();
  Value value = last.opcode() == spv::Op::OpBranchConditional || last.opcode() == spv::Op::OpSwitch
                    ? read(last.id(0))
                    : Value();
  if (last.opcode() == spv::Op::OpBranch)
    return function.block(last.id(0));
  if (last.opcode() == spv::Op::OpBranchConditional)
    return function.block(last.id(value[0].bits != 0 ? 1 : 2));
  if (last.opcode() != spv::Op::OpSwitch)
    return nullptr;
  for (unsigned at = 2; at + 1 < last.numOperands(); at += 2)
    if (last.literal64(at) == value[0].bits)
      return function.block(last.id(at + 1));
  return function.block(last.id(1));
}

void Stepper::run(const std::array<uint32_t, 3> &localId) {
  constexpr unsigned kMaxBlocks = 400;
  values.clear();
  const Block *block = &kernel.form().function().front(), *from = nullptr;
  for (unsigned count = 0; block && count < kMaxBlocks && fault.empty(); ++count) {
    std::vector<std::pair<const Instruction *, Value>> phis; // all at once
    for (const Instruction &inst : block->instructions())
      if (inst.opcode() == spv::Op::OpPhi && isTracked(inst.typeId()))
        for (unsigned at = 0; at + 1 < inst.numOperands(); at += 2)
          if (inst.id(at + 1) == from->id())
            phis.emplace_back(&inst, read(inst.id(at)));
    for (auto &[inst, value] : phis) {
      check(*inst, value, nullptr);
      values[raw(inst->result())] = std::move(value);
    }
    checkAll(*block);
    for (const Instruction &inst : block->instructions()) {
      if (!isValid(inst.result()) || inst.opcode() == spv::Op::OpPhi ||
          inst.opcode() == spv::Op::OpUndef || !isTracked(inst.typeId()))
        continue;
      Value value = step(inst, localId);
      check(inst, value, nullptr);
      values[raw(inst.result())] = std::move(value);
    }
    from = block;
    block = next(*block);
  }
}

} // namespace

TEST(RandomRanges, HoldWhatExecutionsCompute) {
  const char *wanted = std::getenv("TAILOR_RANGES_COUNT"),
             *given = std::getenv("TAILOR_RANGES_FIRST");
  const unsigned count = wanted ? static_cast<unsigned>(std::atoi(wanted)) : 150;
  const unsigned first = given ? static_cast<unsigned>(std::atoi(given)) : 1;
  size_t checks = 0, decided = 0;
  for (unsigned seed = first; seed < first + count; ++seed) {
    Numbers random(seed);
    std::string text = rangeKernel(random);
    AnalysedKernel kernel = analyse(text);
    ASSERT_TRUE(bool(kernel)) << text;
    ValueRanges ranges(kernel->module(), kernel->form().function(),
                       knownWorkgroupSize(kernel->module()));
    for (const Block &block : kernel->form().function().blocks())
      for (const Instruction &inst : block.instructions())
        decided += isValid(inst.result()) && ranges.of(inst.result()).isTracked() &&
                   !ranges.of(inst.result()).isAll();
    Stepper stepper(kernel, ranges, random);
    for (uint32_t y = 0; y < 3; ++y)
      for (uint32_t x = 0; x < 24; ++x)
        stepper.run({x, y, 0});
    ASSERT_EQ(stepper.fault, "") << "seed " << seed << "\n" << text;
    checks += stepper.checks;
  }
  EXPECT_GT(checks, count * 1000u);
  EXPECT_GT(decided, count * 10u) << "the analysis knows nothing";
  std::cout << checks << " checks, " << decided << " values with a range\n";
}
