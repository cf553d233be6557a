//===- Frontend/WgslClear.cpp -----------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Frontend/WgslClear.h"

#include "IR/Builder.h"
#include "IR/Types.h"
#include "IR/WorkgroupSize.h"

namespace tailor {
namespace {

/// More stores than these an invocation stay with the first one.
constexpr uint64_t kMaxStores = 64;

/// naga's: `if (LocalInvocationIndex == 0) { store...; }`, then a barrier.
struct Prologue {
  Block *header = nullptr, *stores = nullptr, *merge = nullptr;
  Id index = Id::None;
};

/// An array of arrays of ... of an element.
struct Shape {
  llvm::SmallVector<uint32_t, 3> lengths;
  Id element = Id::None;
  uint64_t total = 1;
};

class Clearing {
public:
  Clearing(Module &module, Function &function, uint64_t invocations)
      : module(module), function(function), builder(module), invocations(invocations) {}

  void run() {
    if (!find())
      return;
    std::vector<Instruction *> stores;
    for (Instruction &inst : at.stores->instructions())
      if (inst.opcode() == spv::Op::OpStore)
        stores.push_back(&inst);
    for (Instruction *store : stores) {
      std::optional<Shape> shape = shapeOf(*store);
      if (!shape || (shape->total + invocations - 1) / invocations > kMaxStores)
        continue;
      spread(store->id(0), *shape);
      module.erase(*at.stores, *store);
    }
    function.rebuildCfg();
  }

private:
  bool find() {
    for (Block &block : function.blocks()) {
      const Instruction *end = block.terminator();
      if (end->opcode() != spv::Op::OpBranchConditional || !isFirst(end->id(0)))
        continue;
      const Instruction *merge = block.merge();
      Block *stores = function.block(end->id(1)), *after = function.block(end->id(2));
      if (!merge || !stores || !after || merge->id(0) != after->id() || !storesNulls(*stores) ||
          after->instructions().front().opcode() != spv::Op::OpControlBarrier)
        continue;
      at.header = &block;
      at.stores = stores;
      at.merge = after;
      return true;
    }
    return false;
  }

  /// `LocalInvocationIndex == 0`; remembers the index.
  bool isFirst(Id condition) {
    const Instruction *compare = module.def(condition);
    if (!compare || compare->opcode() != spv::Op::OpIEqual)
      return false;
    const Instruction *load = module.def(compare->id(0)), *zero = module.def(compare->id(1));
    if (!load || load->opcode() != spv::Op::OpLoad || !zero ||
        zero->opcode() != spv::Op::OpConstant || zero->literal(0) != 0)
      return false;
    at.index = load->result();
    return module.decoration(load->id(0), spv::Decoration::BuiltIn) ==
           static_cast<uint32_t>(spv::BuiltIn::LocalInvocationIndex);
  }

  bool storesNulls(const Block &block) const {
    for (const Instruction &inst : block.instructions()) {
      if (inst.opcode() == spv::Op::OpBranch)
        continue;
      const Instruction *value =
          inst.opcode() == spv::Op::OpStore ? module.def(inst.id(1)) : nullptr;
      const Instruction *variable = value ? module.def(inst.id(0)) : nullptr;
      if (!variable || variable->opcode() != spv::Op::OpVariable ||
          value->opcode() != spv::Op::OpConstantNull ||
          static_cast<spv::StorageClass>(variable->literal(0)) != spv::StorageClass::Workgroup)
        return false;
    }
    return true;
  }

  std::optional<Shape> shapeOf(const Instruction &store) const {
    Shape shape;
    shape.element = pointerTypeOfValue(module, store.id(0))->pointee;
    while (true) {
      const Instruction *def = module.def(shape.element);
      if (!def || def->opcode() != spv::Op::OpTypeArray)
        break;
      const Instruction *length = module.def(def->id(1));
      if (!length || length->opcode() != spv::Op::OpConstant)
        return std::nullopt;
      shape.lengths.push_back(length->literal(0));
      shape.total *= length->literal(0);
      shape.element = def->id(0);
      if (shape.total > UINT32_MAX)
        return std::nullopt;
    }
    return shape.lengths.empty() ? std::nullopt : std::optional(shape);
  }

  /// Whole rounds stand in the header, what is left over behind a branch of its own.
  void spread(Id variable, const Shape &shape) {
    uint64_t done = 0;
    for (; done + invocations <= shape.total; done += invocations)
      clear(firstOfEnd(*at.header), variable, shape, done);
    if (done == shape.total)
      return;
    Block &next = makeBlock();
    Block &stores = makeBlock();
    Instruction jump(spv::Op::OpBranch);
    jump.addId(at.merge->id());
    module.insert(stores, stores.instructions().end(), jump);
    clear(stores.instructions().front(), variable, shape, done);
    // header -> (stores of the first) -> next -> (stores) -> merge.
    Instruction merge(spv::Op::OpSelectionMerge);
    merge.addId(at.merge->id());
    merge.addLiteral(0);
    Instruction branch(spv::Op::OpBranchConditional);
    const Id bound = builder.uintConstant(static_cast<uint32_t>(shape.total - done));
    Instruction compare(spv::Op::OpULessThan, builder.boolType(), module.freshId());
    compare.addId(at.index).addId(bound);
    branch.addId(compare.result()).addId(stores.id()).addId(at.merge->id());
    for (const Instruction *inst : {&compare, &merge, &branch})
      module.insert(next, next.instructions().end(), *inst);
    redirect(*at.header, at.merge->id(), next.id());
    redirect(*at.stores, at.merge->id(), next.id());
    // The next array's left-over goes in front of this one.
    at.merge = &next;
  }

  /// A new block in front of the merge block.
  Block &makeBlock() {
    Block &block = module.appendBlock(function, module.freshId());
    function.blocks().splice(at.merge->getIterator(), function.blocks(), block.getIterator());
    return block;
  }

  static void redirect(Block &block, Id from, Id to) {
    for (Instruction &inst : block.instructions())
      if (isMerge(inst.opcode()) || isTerminator(inst.opcode()))
        for (unsigned i = 0; i < inst.numOperands(); ++i)
          if (inst.isId(i) && inst.id(i) == from)
            inst.setId(i, to);
  }

  /// In front of the merge instruction.
  static Instruction &firstOfEnd(Block &block) {
    for (Instruction &inst : block.instructions())
      if (isMerge(inst.opcode()))
        return inst;
    return block.instructions().back();
  }

  /// variable[(first + index) of all elements] = 0
  void clear(Instruction &before, Id variable, const Shape &shape, uint64_t first) {
    const Id uint = builder.intType(32, false);
    Id flat = at.index;
    if (first != 0)
      flat = builder.insertBefore(before, spv::Op::OpIAdd, uint,
                                  {flat, builder.uintConstant(static_cast<uint32_t>(first))});
    llvm::SmallVector<Id, 4> path;
    for (size_t i = shape.lengths.size(); i-- > 1;) {
      const Id length = builder.uintConstant(shape.lengths[i]);
      path.insert(path.begin(),
                  builder.insertBefore(before, spv::Op::OpUMod, uint, {flat, length}));
      flat = builder.insertBefore(before, spv::Op::OpUDiv, uint, {flat, length});
    }
    path.insert(path.begin(), flat);
    path.insert(path.begin(), variable);
    const Id pointer = builder.insertBefore(
        before, spv::Op::OpAccessChain,
        builder.pointerType(spv::StorageClass::Workgroup, shape.element), path);
    Instruction store(spv::Op::OpStore);
    store.addId(pointer).addId(builder.nullConstant(shape.element));
    module.insertBefore(before, store);
  }

  Module &module;
  Function &function;
  Builder builder;
  uint64_t invocations;
  Prologue at;
};

} // namespace

void clearTogether(Module &module) {
  for (const EntryPoint &entry : module.entryPoints()) {
    Function *function = module.function(entry.function());
    if (entry.model() != spv::ExecutionModel::GLCompute || !function)
      continue;
    for (const Instruction &mode : module.section(Section::ExecutionModes))
      if (mode.id(0) == entry.function() && mode.opcode() == spv::Op::OpExecutionMode &&
          static_cast<spv::ExecutionMode>(mode.literal(1)) == spv::ExecutionMode::LocalSize)
        Clearing(module, *function,
                 Dim3{mode.literal(2), mode.literal(3), mode.literal(4)}.product())
            .run();
  }
}

} // namespace tailor
