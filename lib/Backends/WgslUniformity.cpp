//===- Backends/WgslUniformity.cpp  -===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Backends/WgslSteps.h"
#include "Backends/WgslUniformityRules.h"

#include "IR/Builder.h"
#include "IR/Types.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace tailor::wgsl {
namespace {

/// From a branch back through what its condition is made of: `visit` sees each instruction.
class Slice {
public:
  Slice(Module &module, Function &function, const Rules &rules)
      : module(module), function(function), rules(rules) {}

  std::vector<const Instruction *> behind(const Instruction &branch) {
    list.clear();
    seen.clear();
    add(branch.id(0));
    for (size_t i = 0; i < list.size();) // grows meanwhile
      expand(*list[i++]);
    return list;
  }

private:
  void add(Id value) {
    const Instruction *def = module.def(value);
    if (def && rules.of(value) && seen.insert(def).second)
      list.push_back(def);
  }

  void expand(const Instruction &inst) {
    if (inst.opcode() == spv::Op::OpLoad) {
      const Id root = rules.rootOf(inst.id(0));
      if (isValid(root))
        stores(root);
    }
    for (unsigned i = 0; i < inst.numOperands(); ++i)
      if (inst.isId(i))
        add(inst.id(i));
    if (inst.opcode() == spv::Op::OpPhi)
      for (unsigned i = 1; i < inst.numOperands(); i += 2)
        if (const Block *from = function.block(inst.id(i)))
          addBranchOf(*from);
  }

  void addBranchOf(const Block &block) {
    Cause why = rules.of(block);
    if (why && isTerminator(why->opcode()))
      add(why->id(0));
  }

  void stores(Id variable) {
    const Instruction *def = module.def(variable);
    if (static_cast<spv::StorageClass>(def->literal(0)) != spv::StorageClass::Function)
      return;
    for (const Block &block : function.blocks())
      for (const Instruction &inst : block.instructions())
        if (inst.opcode() == spv::Op::OpStore && rules.rootOf(inst.id(0)) == variable) {
          add(inst.id(1));
          addBranchOf(block);
        }
  }

  Module &module;
  Function &function;
  const Rules &rules;
  std::vector<const Instruction *> list;
  llvm::DenseSet<const Instruction *> seen;
};

const Instruction *firstUnprovenBarrier(Function &function, const Rules &rules) {
  for (const Block &block : function.blocks())
    for (const Instruction &inst : block.instructions())
      if (inst.opcode() == spv::Op::OpControlBarrier && rules.of(block))
        return &inst;
  return nullptr;
}

/// Whether a load is of workgroup memory, and of a whole variable, element or member: WGSL points
/// to no component of a vector.
bool isWholeWorkgroupLoad(const Module &module, const Rules &rules, const Instruction &inst) {
  if (inst.opcode() != spv::Op::OpLoad && inst.opcode() != spv::Op::OpAtomicLoad)
    return false;
  const Instruction *variable = module.def(rules.rootOf(inst.id(0)));
  if (!variable ||
      static_cast<spv::StorageClass>(variable->literal(0)) != spv::StorageClass::Workgroup)
    return false;
  const Instruction *pointer = module.def(inst.id(0));
  while (pointer->opcode() == spv::Op::OpCopyObject)
    pointer = module.def(pointer->id(0));
  if (pointer->opcode() == spv::Op::OpVariable)
    return true;
  // All but the last index lead to the type that the last one goes into.
  Id type = pointerTypeOfValue(module, pointer->id(0))->pointee;
  for (unsigned i = 1; i + 1 < pointer->numOperands(); ++i) {
    const Instruction *def = module.def(type);
    if (!def || def->numOperands() == 0)
      return false;
    const Instruction *constant = module.def(pointer->id(i));
    type = def->opcode() == spv::Op::OpTypeStruct && constant &&
                   constant->opcode() == spv::Op::OpConstant &&
                   constant->literal(0) < def->numOperands()
               ? def->id(constant->literal(0))
               : def->id(0);
  }
  const Instruction *def = module.def(type);
  return def && def->opcode() != spv::Op::OpTypeVector;
}

/// Whether the group can do such a load together: all come by, and mean the same place.
bool canLoadTogether(const Rules &rules, const Instruction &inst) {
  Cause index = nullptr;
  rules.rootOf(inst.id(0), &index);
  return !index && !rules.of(*inst.parent());
}

/// Where a difference between invocations begins: memory or ids, an atomic, a subgroup.
std::optional<std::string> sourceOf(const Module &module, const Rules &rules,
                                    const Instruction &inst) {
  std::string name = nameOf(inst.opcode());
  if (llvm::StringRef(name).starts_with("OpAtomic") ||
      llvm::StringRef(name).starts_with("OpGroup") || inst.opcode() == spv::Op::OpImageRead)
    return name;
  if (inst.opcode() != spv::Op::OpLoad || rules.of(inst.result()) != &inst)
    return std::nullopt;
  const Instruction *variable = module.def(rules.rootOf(inst.id(0)));
  if (!variable ||
      static_cast<spv::StorageClass>(variable->literal(0)) == spv::StorageClass::Function)
    return std::nullopt;
  return "'" + module.name(variable->result()) + "'";
}

Failure unproven(const Module &module, const Rules &rules, const Instruction &barrier,
                 Slice &slice) {
  Diagnostic diagnostic = Diagnostic::error(
      module.locationOf(barrier),
      "wgsl cannot show that all invocations of a workgroup come to this barrier");
  Cause branch = rules.of(*barrier.parent());
  if (!isTerminator(branch->opcode()))
    return failure(std::move(diagnostic));
  diagnostic.addNote(module.locationOf(*branch), "it depends on this branch");
  for (const Instruction *inst : slice.behind(*branch))
    if (std::optional<std::string> source = sourceOf(module, rules, *inst)) {
      diagnostic.addNote(module.locationOf(*inst), "whose condition comes from " + *source +
                                                       ", which WGSL takes for different in each "
                                                       "invocation");
      break;
    }
  return failure(std::move(diagnostic));
}

/// `fn tailor_uniform_load_N(value: T) -> T`, which gives its argument back.
class UniformLoadFunctions {
public:
  UniformLoadFunctions(Module &module, Builder &builder) : module(module), builder(builder) {}

  /// Sends what an instruction gives through the function of its type.
  void wrap(Instruction &load) {
    const UseMap uses(module);
    const Id function = of(load.typeId()), result = module.freshId();
    for (const UseMap::Use &use : uses.uses(load.result()))
      if (use.operand != UseMap::kTypeOperand && use.user->opcode() != spv::Op::OpName &&
          use.user->opcode() != spv::Op::OpDecorate)
        use.user->setId(use.operand, result);
    Instruction call(spv::Op::OpFunctionCall, load.typeId(), result);
    call.addId(function).addId(load.result());
    call.lineIndex = load.lineIndex;
    module.insert(*load.parent(), std::next(load.getIterator()), call);
    ++loads.count;
  }
  UniformLoads take() { return std::move(loads); }

private:
  Id of(Id type) {
    auto [at, isNew] = made.try_emplace(raw(type), Id::None);
    if (isNew)
      at->second = make(type);
    return at->second;
  }

  Id make(Id type) {
    const Id functionType = builder.functionType(type, {type});
    const Id function = module.freshId(), parameter = module.freshId(), label = module.freshId();
    Instruction name(spv::Op::OpName);
    name.addId(function);
    name.addString(std::string(kUniformLoadName) + "_" + std::to_string(made.size()));
    module.append(Section::Debug, name);
    auto add = [&](spv::Op op, std::initializer_list<uint32_t> operands) {
      loads.functions.push_back(static_cast<uint32_t>(operands.size() + 1) << 16 |
                                static_cast<uint32_t>(op));
      loads.functions.insert(loads.functions.end(), operands);
    };
    add(spv::Op::OpFunction, {raw(type), raw(function), 0, raw(functionType)});
    add(spv::Op::OpFunctionParameter, {raw(type), raw(parameter)});
    add(spv::Op::OpLabel, {raw(label)});
    add(spv::Op::OpReturnValue, {raw(parameter)});
    add(spv::Op::OpFunctionEnd, {});
    return function;
  }

  Module &module;
  Builder &builder;
  llvm::DenseMap<uint32_t, Id> made;
  UniformLoads loads;
};

bool hasBarrier(Function &function) {
  for (const Block &block : function.blocks())
    for (const Instruction &inst : block.instructions())
      if (inst.opcode() == spv::Op::OpControlBarrier)
        return true;
  return false;
}

} // namespace

Result<UniformLoads> proveBarriers(Module &module) {
  Function &function = entryFunction(module);
  if (!hasBarrier(function))
    return UniformLoads{};
  // Loads are first taken for common ones, since what they give may decide who comes to them (a
  // flag that ends a loop); those that turn out not to be are taken back, for good.
  llvm::DenseSet<const Instruction *> together, refused;
  std::vector<const Instruction *> order;
  while (true) {
    Rules rules(module, function, together);
    const size_t before = order.size();
    std::erase_if(order, [&](const Instruction *inst) {
      if (canLoadTogether(rules, *inst))
        return false;
      together.erase(inst);
      refused.insert(inst);
      return true;
    });
    if (order.size() != before)
      continue;
    const Instruction *barrier = firstUnprovenBarrier(function, rules);
    if (!barrier)
      break;
    Slice slice(module, function, rules);
    Cause branch = rules.of(*barrier->parent());
    if (isTerminator(branch->opcode()))
      for (const Instruction *inst : slice.behind(*branch))
        if (!refused.contains(inst) && isWholeWorkgroupLoad(module, rules, *inst) &&
            together.insert(inst).second)
          order.push_back(inst);
    if (order.size() == before)
      return unproven(module, rules, *barrier, slice);
  }
  Builder builder(module);
  UniformLoadFunctions functions(module, builder);
  for (const Instruction *load : order)
    functions.wrap(*module.def(load->result()));
  return functions.take();
}

} // namespace tailor::wgsl
