//===- Analysis/UniformityRun.cpp ------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/UniformityRun.h"

#include "Analysis/UniformityAffine.h"
#include "Analysis/UniformityJoins.h"

namespace llvm {

// Ours, below: LLVM's templates must not make their own of them.
using NodeRunBase = GenericUniformityAnalysisImpl<tailor::NodeContext>;
template <> bool NodeRunBase::hasDivergentDefs(const tailor::ValueNode &) const;
template <> bool NodeRunBase::markDefsDivergent(const tailor::ValueNode &);
template <>
bool NodeRunBase::usesValueFromCycle(const tailor::ValueNode &, const tailor::NodeCycle &) const;
template <>
void NodeRunBase::propagateTemporalDivergence(const tailor::ValueNode &, const tailor::NodeCycle &);
template <> bool NodeRunBase::isDivergentUse(const tailor::NodeUse &) const;

} // namespace llvm

namespace tailor {

// --- sources ---

bool groupsDiffer(InvocationSet set, unsigned axis) {
  switch (set) {
  case InvocationSet::Dispatch:
    return true;
  case InvocationSet::PackX:
    return axis == 0;
  case InvocationSet::PackY:
    return axis == 1;
  case InvocationSet::PackZ:
    return axis == 2;
  default:
    return false;
  }
}

static bool isInsideGroup(InvocationSet set) {
  return set == InvocationSet::Subgroup || set == InvocationSet::Workgroup;
}

static bool builtInDiffers(spv::BuiltIn builtIn, unsigned axis, InvocationSet set,
                           const Dim3 &size) {
  if (axis == ValueNode::kAnyAxis)
    return builtInDiffers(builtIn, 0, set, size) || builtInDiffers(builtIn, 1, set, size) ||
           builtInDiffers(builtIn, 2, set, size);
  switch (builtIn) {
  case spv::BuiltIn::LocalInvocationId:
    return size[axis] != 1;
  case spv::BuiltIn::LocalInvocationIndex:
    return size.product() != 1;
  case spv::BuiltIn::WorkgroupId:
    return groupsDiffer(set, axis);
  case spv::BuiltIn::GlobalInvocationId:
    return size[axis] != 1 || groupsDiffer(set, axis);
  case spv::BuiltIn::NumWorkgroups:
  case spv::BuiltIn::WorkgroupSize:
    return false;
  case spv::BuiltIn::NumSubgroups: // of one workgroup
    return !isInsideGroup(set);
  case spv::BuiltIn::SubgroupId:
  case spv::BuiltIn::SubgroupSize: // subgroups of one dispatch may have several sizes
    return set != InvocationSet::Subgroup;
  default:
    return true;
  }
}

bool sourceDiffers(const ValueNode &node, InvocationSet set, const Dim3 &size) {
  switch (node.source) {
  case ValueSource::None:
    return false;
  case ValueSource::BuiltIn:
    return builtInDiffers(node.builtIn, node.axis, set, size);
  case ValueSource::GroupMemory:
    return !isInsideGroup(set);
  case ValueSource::SubgroupUniform:
    return set != InvocationSet::Subgroup;
  default:
    return true;
  }
}

// --- LLVM's analysis, and what it does not know ---

class NodeRun : public llvm::NodeRunBase {
public:
  NodeRun(const ValueGraph &graph, const NodeFlow &flow, const AffineSupport &support,
          InvocationSet set)
      : llvm::NodeRunBase(flow.dominators, flow.cycles, nullptr), graph(graph), support(support),
        spares(graph.nodes().size()), hasSpared(graph.nodes().size()),
        controls(graph.blocks().size()), partedBy(graph.nodes().size()) {
    for (const ValueNode &node : graph.nodes())
      spares[node.index] = support.isFunctionOfUniform(node, set);
  }

  void settle();
  bool mark(const ValueNode &node);
  /// What reads the value outside of the loop reads what it was at the time when it left.
  bool isInvariant(const ValueNode &node) const {
    return spares[node.index] && support.isInvariant(node);
  }
  bool controlDiffers(const NodeBlock &block) const { return controls[block.index]; }
  const ValueNode *parting(const ValueNode &node) const { return partedBy[node.index]; }

private:
  void markControlledBy(const NodeBlock &branchBlock);

  const ValueGraph &graph;
  const AffineSupport &support;
  std::vector<bool> spares;    ///< by node: its affine expression says that it is the same
  std::vector<bool> hasSpared; ///< and without that it would differ
  std::vector<bool> controls;  ///< by block
  std::vector<const ValueNode *> partedBy;
  std::vector<uint32_t> toTakeBack;
  const ValueNode *branch = nullptr; ///< the one being looked at
};

/// Whether it was not known to differ before, and now is.
bool NodeRun::mark(const ValueNode &node) {
  if (branch && !partedBy[node.index])
    partedBy[node.index] = branch;
  if (spares[node.index]) {
    hasSpared[node.index] = true;
    return false;
  }
  if (!DivergentValues.insert(indexOf(node)).second)
    return false;
  for (uint32_t dependent : support.dependents(node))
    if (spares[dependent])
      toTakeBack.push_back(dependent);
  return true;
}

/// Blocks that the branch decides about, and those that these decide about.
void NodeRun::markControlledBy(const NodeBlock &branchBlock) {
  llvm::SmallVector<const NodeBlock *, 16> work = {&branchBlock};
  while (!work.empty())
    for (const NodeBlock *block : work.pop_back_val()->controlled) {
      if (controls[block->index])
        continue;
      controls[block->index] = true;
      work.push_back(block);
      for (const ValueNode &node : instrs(*block))
        if (node.kind == ValueNode::Kind::Store)
          markDivergent(node);
    }
}

/// LLVM's loop over its worklist (GenericUniformityAnalysisImpl::compute), with ours in it.
void NodeRun::settle() {
  while (!Worklist.empty() || !toTakeBack.empty()) {
    if (Worklist.empty()) {
      const ValueNode &node = graph.nodes()[toTakeBack.back()];
      toTakeBack.pop_back();
      spares[node.index] = false;
      if (hasSpared[node.index])
        markDivergent(node);
      continue;
    }
    const ValueNode *node = Worklist.back();
    Worklist.pop_back();
    if (!node->isTerminator()) {
      for (const ValueNode *user : node->users)
        markDivergent(*user);
      continue;
    }
    branch = node;
    analyzeControlDivergence(*node);
    markControlledBy(*node->block);
    branch = nullptr;
  }
}

struct UniformityRun::Impl {
  NodeRun run;
};

UniformityRun::UniformityRun(const ValueGraph &graph, const NodeFlow &flow,
                             const AffineSupport &support, InvocationSet set, const Dim3 &size)
    : impl(new Impl{NodeRun(graph, flow, support, set)}), which(set) {
  if (isInsideGroup(set) && size.product() == 1)
    return; // one invocation is the same as itself
  for (const ValueNode &node : graph.nodes())
    if (sourceDiffers(node, set, size))
      impl->run.markDivergent(node);
  impl->run.settle();
}
UniformityRun::~UniformityRun() = default;
UniformityRun::UniformityRun(UniformityRun &&) noexcept = default;

bool UniformityRun::differs(const ValueNode &node) const {
  return impl->run.isDivergent(indexOf(node));
}
bool UniformityRun::differsAt(const ValueNode &node, const NodeBlock &block) const {
  return impl->run.isDivergentUse({&node, &block});
}
bool UniformityRun::branchDiffers(const NodeBlock &block) const {
  return impl->run.hasDivergentTerminator(block);
}
bool UniformityRun::controlDiffers(const NodeBlock &block) const {
  return impl->run.controlDiffers(block);
}
const ValueNode *UniformityRun::parting(const ValueNode &node) const {
  return impl->run.parting(node);
}

} // namespace tailor

namespace llvm {

template <> bool NodeRunBase::hasDivergentDefs(const tailor::ValueNode &node) const {
  return isDivergent(tailor::indexOf(node));
}

template <> bool NodeRunBase::markDefsDivergent(const tailor::ValueNode &node) {
  return static_cast<tailor::NodeRun *>(this)->mark(node);
}

template <>
bool NodeRunBase::usesValueFromCycle(const tailor::ValueNode &node,
                                     const tailor::NodeCycle &cycle) const {
  return any_of(node.operands, [&](const tailor::ValueNode *operand) {
    return cycle.contains(operand->block) &&
           !static_cast<const tailor::NodeRun *>(this)->isInvariant(*operand);
  });
}

template <>
void NodeRunBase::propagateTemporalDivergence(const tailor::ValueNode &node,
                                              const tailor::NodeCycle &cycle) {
  if (static_cast<tailor::NodeRun *>(this)->isInvariant(node))
    return;
  for (const tailor::ValueNode *user : node.users)
    if (!cycle.contains(user->block))
      markDivergent(*user);
}

template <> bool NodeRunBase::isDivergentUse(const tailor::NodeUse &use) const {
  return isDivergent(tailor::indexOf(*use.value)) ||
         (!static_cast<const tailor::NodeRun *>(this)->isInvariant(*use.value) &&
          isTemporalDivergent(*use.block, *use.value));
}

} // namespace llvm
