//===- passes/RegionVersions.cpp -------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/RegionVersions.h"

#include "Analysis/Memory.h"
#include "Analysis/Opcodes.h"
#include "IR/Builder.h"
#include "passes/ModuleEdits.h"
#include "passes/Replication.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <array>

namespace tailor {

namespace {

constexpr uint64_t kMostInstructions = 16'000; ///< of the function, over all copies
constexpr unsigned kMostVersions = 32;         ///< of stretches in a function
constexpr unsigned kDeepest = 4;               ///< versions within versions

class Versioner {
public:
  Versioner(Module &module, Function &function, const VersionRequest &request,
            RegionVersions &versions)
      : module(module), function(function), request(request), versions(versions), builder(module) {}

  Result<std::vector<DivergentRegion>> run();

private:
  using IdMap = llvm::DenseMap<uint32_t, Id>;
  using BlockSet = llvm::SmallPtrSet<const Block *, 16>;

  /// How all copies ask whether they go the same way.
  struct Question {
    Agreement agreement;
    bool expected; ///< with Agreement::All: the value of the condition
  };

  bool version(const DivergentRegion &region, const ControlFlow &flow);
  bool fits(const DivergentRegion &region) const;
  bool readsMemory(const Block &block) const;
  bool isClosedToUses(const DivergentRegion &region) const;
  std::optional<Question> questionOf(const DivergentRegion &region, const ControlFlow &flow) const;
  bool isLook(const Instruction &inst, const WrittenVariables &written) const;
  Block *exitTestOf(const DivergentRegion &loop) const;

  struct Version;
  Version newVersion(const DivergentRegion &region, IdMap ids);
  void begin(const Version &made);
  void takeBlocks(const DivergentRegion &region, const Version &made);
  void meet(const DivergentRegion &region, llvm::ArrayRef<Version> both, Block &join);
  void versionBranch(const DivergentRegion &region, const Question &question);
  void versionLoop(const DivergentRegion &loop, Block &test);
  Id ask(Block &block, Id condition, const Question &question);

  IdMap freshIds(const DivergentRegion &region);
  void copyBlocks(const DivergentRegion &region, const IdMap &ids, Id end);
  static Id mapped(Id id, const IdMap &ids) {
    auto found = ids.find(raw(id));
    return found == ids.end() ? id : found->second;
  }
  static Instruction copyOf(const Instruction &inst, const IdMap &ids) {
    return withIds(inst, mapped(inst.result(), ids), [&](Id id) { return mapped(id, ids); });
  }
  void copyEnd(const Block &block, Block &into, const IdMap &ids, Id end);
  void placeBehind(const DivergentRegion &region);
  Block &newBlock(Id label);
  Instruction &put(Block &block, const Instruction &inst) {
    return module.insert(block, block.instructions().end(), inst);
  }
  void branch(Block &from, Id to) { put(from, Instruction(spv::Op::OpBranch).addId(to)); }
  unsigned depthOf(const Block &block) const { return depths.lookup(raw(block.id())); }

  Module &module;
  Function &function;
  const VersionRequest &request;
  RegionVersions &versions;
  Builder builder;
  BlockList::iterator at;                    ///< where new blocks go
  llvm::DenseMap<uint32_t, unsigned> depths; ///< of versions around a block, by label
  llvm::DenseSet<uint32_t> settled;          ///< heads of regions that stay as they are
  std::vector<ValueCopies> copied;           ///< what the second versions compute
  unsigned numVersions = 0;                  ///< second ones
};

//===----------------------------------------------------------------------===//
// What is worth it
//===----------------------------------------------------------------------===//

/// From memory whose latency other work can hide.
bool Versioner::readsMemory(const Block &block) const {
  return llvm::any_of(block.instructions(), [&](const Instruction &inst) {
    switch (classOf(inst.opcode())) {
    case OpcodeClass::ImageSample:
      return true;
    case OpcodeClass::ImageAccess:
      return isValid(inst.result()) && inst.opcode() != spv::Op::OpImageTexelPointer;
    case OpcodeClass::Memory: {
      if (inst.opcode() != spv::Op::OpLoad)
        return false;
      std::optional<PointerPath> path = tracePointer(module, inst.id(0));
      return path &&
             (path->space == MemorySpace::StorageBuffer ||
              path->space == MemorySpace::UniformBuffer || path->space == MemorySpace::Workgroup);
    }
    default:
      return false;
    }
  });
}

bool Versioner::fits(const DivergentRegion &region) const {
  uint64_t all = 0, more = 0;
  for (const Block &block : function.blocks())
    all += block.instructions().size();
  for (const Block *block : region.blocks)
    more += block->instructions().size();
  return (all + more) * request.copies <= kMostInstructions && numVersions < kMostVersions &&
         depthOf(*region.head) < kDeepest;
}

/// What is computed inside is used outside by nothing but the phis at the exit.
bool Versioner::isClosedToUses(const DivergentRegion &region) const {
  BlockSet inside(region.blocks.begin(), region.blocks.end());
  llvm::DenseSet<uint32_t> defined;
  for (const Block *block : region.blocks)
    for (const Instruction &inst : block->instructions())
      if (isValid(inst.result()))
        defined.insert(raw(inst.result()));
  for (const Block &block : function.blocks()) {
    if (inside.contains(&block))
      continue;
    for (const Instruction &inst : block.instructions()) {
      if (&block == region.exit && inst.opcode() == spv::Op::OpPhi)
        continue;
      for (unsigned operand = 0; operand < inst.numOperands(); ++operand)
        if (inst.isId(operand) && defined.contains(raw(inst.id(operand))))
          return false;
    }
  }
  return true;
}

/// Nothing where there is no memory to be read, or where the branch follows data.
std::optional<Versioner::Question> Versioner::questionOf(const DivergentRegion &region,
                                                         const ControlFlow &flow) const {
  const Instruction &end = *region.head->terminator();
  if (region.needsLoop || end.opcode() != spv::Op::OpBranchConditional || end.id(1) == end.id(2) ||
      request.isUniform(*region.head) || request.followsData(end.id(0)) || !isClosedToUses(region))
    return std::nullopt;
  // The ways out of a tail become breaks out of a switch around it, which another would catch.
  if (region.isTail && llvm::any_of(region.blocks, [](const Block *block) {
        return block->terminator()->opcode() == spv::Op::OpSwitch;
      }))
    return std::nullopt;
  std::array<bool, 2> reads{};
  bool behind = false;
  for (const Block *block : region.blocks) {
    if (!flow.isReachable(*block) || !readsMemory(*block))
      continue;
    bool onSide = false;
    for (unsigned side = 0; side < 2; ++side)
      if (flow.edgeDominates(*region.head, *function.block(end.id(1 + side)), *block))
        onSide = reads[side] = true;
    behind |= !onSide;
  }
  if (behind || (reads[0] && reads[1]))
    return Question{Agreement::Alike, true};
  if (!reads[0] && !reads[1])
    return std::nullopt;
  return Question{Agreement::All, reads[0]};
}

/// It computes a value, and the same one again when the loop goes on: what the loop writes it does
/// not read.
bool Versioner::isLook(const Instruction &inst, const WrittenVariables &written) const {
  if (!isValueAlone(module, inst))
    return false;
  if (inst.opcode() != spv::Op::OpLoad)
    return true;
  std::optional<PointerPath> path = tracePointer(module, inst.id(0));
  return path && !written.contains(*path->variable);
}

/// The only block from which the loop is left; null where there is another, where the loop does
/// more on the way there than look, and where it reads no memory.
Block *Versioner::exitTestOf(const DivergentRegion &loop) const {
  const Instruction &entry = *loop.head->terminator();
  if (loop.isTail || entry.opcode() != spv::Op::OpBranch)
    return nullptr;
  Block *header = function.block(entry.id(0));
  const Instruction *merge = header->merge();
  if (!merge || merge->opcode() != spv::Op::OpLoopMerge || merge->id(0) != loop.exit->id())
    return nullptr;
  BlockSet inside(loop.blocks.begin(), loop.blocks.end());
  Block *test = nullptr;
  for (Block *block : loop.blocks)
    for (const Block *next : block->successors())
      if (!inside.contains(next)) {
        if (test || next != loop.exit)
          return nullptr;
        test = block;
      }
  if (!test || test->terminator()->opcode() != spv::Op::OpBranchConditional ||
      request.isUniform(*test) ||
      llvm::none_of(loop.blocks, [&](const Block *block) { return readsMemory(*block); }))
    return nullptr;
  // From the header to the test, which both versions run.
  const WrittenVariables written(module, loop.blocks);
  std::vector<Block *> open = {header};
  BlockSet seen = {header};
  while (!open.empty()) {
    Block *block = open.back();
    open.pop_back();
    if (block->id() == merge->id(1) || block->successors().empty() ||
        (block != header && block->merge() && block->merge()->opcode() == spv::Op::OpLoopMerge))
      return nullptr;
    for (const Instruction &inst : block->instructions())
      if (inst.opcode() != spv::Op::OpPhi && !isMerge(inst.opcode()) &&
          !isTerminator(inst.opcode()) && !isLook(inst, written))
        return nullptr;
    if (block != test)
      for (Block *next : block->successors())
        if (seen.insert(next).second)
          open.push_back(next);
  }
  return seen.contains(test) ? test : nullptr;
}

//===----------------------------------------------------------------------===//
// Second versions
//===----------------------------------------------------------------------===//

/// New blocks go in front of the first one behind the head that is not the region's.
void Versioner::placeBehind(const DivergentRegion &region) {
  for (at = std::next(region.head->getIterator());
       at != function.blocks().end() && llvm::is_contained(region.blocks, &*at);)
    ++at;
}

Block &Versioner::newBlock(Id label) {
  Block &block = module.appendBlock(function, label);
  function.blocks().splice(at, function.blocks(), block.getIterator());
  return block;
}

Versioner::IdMap Versioner::freshIds(const DivergentRegion &region) {
  IdMap ids;
  auto add = [&](Id id) {
    const Id fresh = ids[raw(id)] = module.freshId();
    versions.origins[raw(fresh)] = versions.originOf(id);
  };
  for (const Block *block : region.blocks) {
    add(block->id());
    depths[raw(ids[raw(block->id())])] = depthOf(*region.head) + 1;
    if (versions.together.contains(raw(block->id())))
      versions.together.insert(raw(ids[raw(block->id())]));
    for (const Instruction &inst : block->instructions())
      if (isValid(inst.result())) {
        add(inst.result());
        copied.push_back({versions.originOf(inst.result()), {ids.lookup(raw(inst.result()))}});
      }
  }
  return ids;
}

/// The merge instruction and the terminator; `end`: where the function would return to its caller.
void Versioner::copyEnd(const Block &block, Block &into, const IdMap &ids, Id end) {
  if (const Instruction *merge = block.merge())
    put(into, copyOf(*merge, ids));
  if (isValid(end) && block.terminator()->opcode() == spv::Op::OpReturn)
    branch(into, end);
  else
    put(into, copyOf(*block.terminator(), ids));
}

void Versioner::copyBlocks(const DivergentRegion &region, const IdMap &ids, Id end) {
  for (const Block *block : region.blocks) {
    Block &into = newBlock(ids.lookup(raw(block->id())));
    for (const Instruction &inst : block->instructions())
      if (!isMerge(inst.opcode()) && !isTerminator(inst.opcode()))
        put(into, copyOf(inst, ids));
    copyEnd(*block, into, ids, end);
  }
}

Id Versioner::ask(Block &block, Id condition, const Question &question) {
  const Id type = builder.boolType();
  if (question.agreement == Agreement::All && !question.expected) {
    Instruction opposite(spv::Op::OpLogicalNot, type, module.freshId());
    condition = put(block, opposite.addId(condition)).result();
  }
  const bool all = question.agreement == Agreement::All;
  Instruction joint(all ? spv::Op::OpCopyObject : spv::Op::OpLogicalEqual, type, module.freshId());
  joint.addId(condition);
  if (!all)
    joint.addId(condition);
  versions.agreements[raw(joint.result())] = question.agreement;
  versions.together.insert(raw(block.id()));
  return put(block, joint).result();
}

static void eraseEnd(Module &module, Block &block) {
  while (!block.instructions().empty() && (isTerminator(block.instructions().back().opcode()) ||
                                           isMerge(block.instructions().back().opcode())))
    module.erase(block, block.instructions().back());
}

static void redirect(Instruction &inst, Id from, Id to) {
  for (unsigned at = 0; at < inst.numOperands(); ++at)
    if (inst.isId(at) && inst.id(at) == from)
      inst.setId(at, to);
}

/// One of the two that come behind a branch.
struct Versioner::Version {
  IdMap ids;                       ///< what blocks and values of the region are here
  Id start = Id::None;             ///< where the head goes
  Id first = Id::None;             ///< in place of the head's end
  Id end = Id::None;               ///< in place of the exit, or of returns
  std::vector<Instruction> branch; ///< the head's merge instruction and terminator
};

Versioner::Version Versioner::newVersion(const DivergentRegion &region, IdMap ids) {
  Version made{std::move(ids), Id::None, module.freshId(), module.freshId(), {}};
  made.start = region.isTail ? module.freshId() : made.first;
  made.ids[raw(region.head->id())] = made.first;
  if (region.exit)
    made.ids[raw(region.exit->id())] = made.end;
  depths[raw(made.first)] = depthOf(*region.head) + 1;
  if (const Instruction *merge = region.head->merge())
    made.branch.push_back(copyOf(*merge, made.ids));
  made.branch.push_back(copyOf(*region.head->terminator(), made.ids));
  return made;
}

/// A tail stands in a switch of one case, out of which its ways to the exit are breaks.
void Versioner::begin(const Version &made) {
  if (made.start != made.first) {
    Block &start = newBlock(made.start);
    put(start, Instruction(spv::Op::OpSelectionMerge).addId(made.end).addLiteral(0));
    put(start, Instruction(spv::Op::OpSwitch).addId(builder.uintConstant(0)).addId(made.first));
  }
  Block &first = newBlock(made.first);
  for (const Instruction &inst : made.branch)
    put(first, inst);
}

/// The region's own blocks become those of the version in which invocations part.
void Versioner::takeBlocks(const DivergentRegion &region, const Version &made) {
  for (Block *block : region.blocks) {
    function.blocks().splice(at, function.blocks(), block->getIterator());
    for (Instruction &inst : block->instructions()) {
      if (inst.opcode() == spv::Op::OpPhi)
        redirect(inst, region.head->id(), made.first);
      else if (region.exit && (isMerge(inst.opcode()) || isTerminator(inst.opcode())))
        redirect(inst, region.exit->id(), made.end);
    }
    if (!region.exit && block->terminator()->opcode() == spv::Op::OpReturn) {
      eraseEnd(module, *block);
      branch(*block, made.end);
    }
  }
}

/// Every value that the exit chose from is chosen at the end of each version, and then between
/// them.
void Versioner::meet(const DivergentRegion &region, llvm::ArrayRef<Version> both, Block &join) {
  auto isInside = [&](Id label) {
    return label == region.head->id() ||
           llvm::any_of(region.blocks, [&](const Block *block) { return block->id() == label; });
  };
  for (Instruction &phi : region.exit->instructions()) {
    if (phi.opcode() != spv::Op::OpPhi)
      break;
    Instruction meeting(spv::Op::OpPhi, phi.typeId(), module.freshId());
    for (const Version &made : both) {
      Instruction own(spv::Op::OpPhi, phi.typeId(), module.freshId());
      for (unsigned entry = 0; entry + 1 < phi.numOperands(); entry += 2)
        if (isInside(phi.id(entry + 1)))
          own.addId(mapped(phi.id(entry), made.ids)).addId(mapped(phi.id(entry + 1), made.ids));
      meeting.addId(put(*function.block(made.end), own).result()).addId(made.end);
    }
    for (unsigned entry = phi.numOperands(); entry >= 2; entry -= 2)
      if (isInside(phi.id(entry - 1)))
        phi.removeOperands(entry - 2, 2);
    phi.addId(put(join, meeting).result()).addId(join.id());
  }
}

/// The head asks; both versions of what comes behind it; one block in which they meet, and which
/// goes on to the exit.
void Versioner::versionBranch(const DivergentRegion &region, const Question &question) {
  Block &head = *region.head;
  placeBehind(region);
  const Version together = newVersion(region, freshIds(region));
  const Version apart = newVersion(region, IdMap());
  const Id join = module.freshId();
  settled.insert(raw(head.id()));
  settled.insert(raw(apart.first));
  versions.origins[raw(apart.first)] = versions.originOf(head.id());
  versions.together.insert(raw(together.first));

  const Id condition = head.terminator()->id(0);
  eraseEnd(module, head);
  const Id agreed = ask(head, condition, question);
  put(head, Instruction(spv::Op::OpSelectionMerge).addId(join).addLiteral(0));
  put(head, Instruction(spv::Op::OpBranchConditional)
                .addId(agreed)
                .addId(together.start)
                .addId(apart.start));

  begin(together);
  if (question.agreement == Agreement::All)
    function.block(together.first)->terminator()->setId(0, builder.boolConstant(question.expected));
  copyBlocks(region, together.ids, region.exit ? Id::None : together.end);
  newBlock(together.end);
  begin(apart);
  takeBlocks(region, apart);
  newBlock(apart.end);
  Block &joined = newBlock(join);
  if (region.exit)
    meet(region, {together, apart}, joined);
  for (const Version &made : {together, apart})
    branch(*function.block(made.end), join);
  if (region.exit)
    branch(joined, region.exit->id());
  else
    put(joined, Instruction(spv::Op::OpReturn));
}

/// The loop that all go round together comes first; what it ends with is what the other starts
/// with, which goes on with the same test.
void Versioner::versionLoop(const DivergentRegion &loop, Block &test) {
  Block &preheader = *loop.head;
  Block &header = *function.block(preheader.terminator()->id(0));
  at = std::next(preheader.getIterator()); // in front of the loop
  IdMap ids = freshIds(loop);
  const Id between = module.freshId();
  ids[raw(loop.exit->id())] = between;
  copyBlocks(loop, ids, Id::None);
  redirect(*preheader.terminator(), header.id(), ids.lookup(raw(header.id())));

  Block &copy = *function.block(ids.lookup(raw(test.id())));
  const bool stays = copy.terminator()->id(2) == between;
  std::vector<Instruction> end;
  if (const Instruction *merge = copy.merge())
    end.push_back(*merge);
  end.push_back(*copy.terminator());
  eraseEnd(module, copy);
  const Id agreed = ask(copy, end.back().id(0), {Agreement::All, stays});
  const Id body = end.back().id(stays ? 1 : 2);
  end.back().setId(0, agreed);
  end.back().setId(1, body);
  end.back().setId(2, between);
  for (const Instruction &inst : end)
    put(copy, inst);

  branch(newBlock(between), header.id());
  settled.insert(raw(between));
  for (Instruction &phi : header.instructions()) {
    if (phi.opcode() != spv::Op::OpPhi)
      break;
    for (unsigned entry = 0; entry + 1 < phi.numOperands(); entry += 2)
      if (phi.id(entry + 1) == preheader.id()) {
        phi.setId(entry, ids.lookup(raw(phi.result())));
        phi.setId(entry + 1, between);
      }
  }
}

bool Versioner::version(const DivergentRegion &region, const ControlFlow &flow) {
  if (!region.head || settled.contains(raw(region.head->id())) || !fits(region))
    return false;
  if (Block *test = exitTestOf(region)) {
    versionLoop(region, *test);
    return ++numVersions;
  }
  if (std::optional<Question> question = questionOf(region, flow)) {
    versionBranch(region, *question);
    return ++numVersions;
  }
  return false;
}

Result<std::vector<DivergentRegion>> Versioner::run() {
  while (true) {
    ControlFlow flow(function);
    Result<std::vector<DivergentRegion>> regions =
        findDivergentRegions(function, flow, request.isUniform);
    if (!regions)
      return regions;
    const bool changed = llvm::any_of(
        *regions, [&](const DivergentRegion &region) { return version(region, flow); });
    if (!changed) {
      copyDecorations(module, copied);
      return regions;
    }
    function.rebuildCfg();
  }
}

} // namespace

Result<std::vector<DivergentRegion>> versionRegions(Module &module, Function &function,
                                                    const VersionRequest &request,
                                                    RegionVersions &versions) {
  return Versioner(module, function, request, versions).run();
}

} // namespace tailor
