//===- Analysis/Uniformity.cpp ---------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/Uniformity.h"

#include "Analysis/UniformityAffine.h"
#include "Analysis/UniformityCause.h"
#include "Analysis/UniformityContext.h"
#include "Analysis/UniformityGraph.h"
#include "Analysis/UniformityRun.h"

#include <deque>

namespace tailor {

std::string_view nameOf(UniformityScope scope) {
  switch (scope) {
  case UniformityScope::Invocation:
    return "invocation";
  case UniformityScope::Subgroup:
    return "subgroup";
  case UniformityScope::Workgroup:
    return "workgroup";
  case UniformityScope::Dispatch:
    return "dispatch";
  }
  return "invocation";
}

namespace {

InvocationSet setOf(UniformityScope scope) {
  switch (scope) {
  case UniformityScope::Subgroup:
    return InvocationSet::Subgroup;
  case UniformityScope::Workgroup:
    return InvocationSet::Workgroup;
  default:
    return InvocationSet::Dispatch;
  }
}

InvocationSet packSet(unsigned axis) {
  return static_cast<InvocationSet>(static_cast<unsigned>(InvocationSet::PackX) + axis);
}

} // namespace

struct Uniformity::Impl {
  Impl(const CanonicalForm &form, const ControlFlow &flow, const IdDependence &ids,
       const AffineAnalysis &affine)
      : module(form.module()), flow(flow), size(affine.size()), graph(form, flow, ids),
        nodeFlow(graph), support(graph, nodeFlow, form.module(), affine) {}

  /// Whether the kernel synchronises by atomics is settled first, as every other set rests on it.
  UniformityRun &run(InvocationSet set) {
    if (!isSettled) {
      isSettled = true;
      UniformityRun &workgroup = start(InvocationSet::Workgroup);
      synchronizes = tailor::synchronizesByAtomics(graph, module, workgroup);
      if (synchronizes) {
        graph.distrustGroupMemory();
        runs[static_cast<unsigned>(InvocationSet::Workgroup)].reset();
      }
    }
    std::optional<UniformityRun> &known = runs[static_cast<unsigned>(set)];
    return known ? *known : start(set);
  }

  UniformityRun &start(InvocationSet set) {
    return runs[static_cast<unsigned>(set)].emplace(graph, nodeFlow, support, set, size);
  }

  /// Whether no component (that is asked for) differs in the set. `block`: where it is used.
  bool isSame(InvocationSet set, Id id, unsigned component, const Block *block) {
    llvm::ArrayRef<ValueNode> components = graph.components(id);
    if (components.empty())
      return isSameConstant(id);
    const NodeBlock *use = block ? graph.blockOf(*block) : nullptr;
    UniformityRun &known = run(set);
    for (const ValueNode &node : components)
      if (component == kAll || components.size() == 1 || node.component == component)
        if (use ? known.differsAt(node, *use) : known.differs(node))
          return false;
    return component == kAll || component < components.size() || components.size() == 1;
  }

  /// Of what is no node. Values of blocks that cannot be reached, and undefined ones, differ.
  bool isSameConstant(Id id) const { return graph.isFixed(id) && !graph.hasUndefinedPart(id); }

  bool isSameControl(InvocationSet set, const Block &block) {
    const NodeBlock *node = graph.blockOf(block);
    return node && !run(set).controlDiffers(*node);
  }

  template <typename IsSame> UniformityScope largest(IsSame isSame) {
    for (UniformityScope scope :
         {UniformityScope::Dispatch, UniformityScope::Workgroup, UniformityScope::Subgroup})
      if (isSame(setOf(scope)))
        return scope;
    return UniformityScope::Invocation;
  }

  /// The nearest branch that differs, of those that decide about the block.
  const NodeBlock *decider(const UniformityRun &known, const Block &block) const {
    std::vector<bool> seen(flow.controllers(block).empty() ? 0 : graph.blocks().size());
    std::deque<const Block *> work = {&block};
    while (!work.empty()) {
      const Block *at = work.front();
      work.pop_front();
      for (const Block *controller : flow.controllers(*at)) {
        const NodeBlock *node = graph.blockOf(*controller);
        if (!node || seen[node->index])
          continue;
        seen[node->index] = true;
        if (known.branchDiffers(*node))
          return node;
        work.push_back(controller);
      }
    }
    return nullptr;
  }

  std::vector<CauseStep> causeOfControl(InvocationSet set, const Block &block) {
    if (isSameControl(set, block) || !graph.blockOf(block))
      return {};
    const UniformityRun &known = run(set);
    const NodeBlock *branch = decider(known, block);
    return branch ? causeOfNode(module, graph, known, size, branch->terminator())
                  : std::vector<CauseStep>();
  }

  const Module &module;
  const ControlFlow &flow;
  Dim3 size;
  ValueGraph graph;
  NodeFlow nodeFlow;
  AffineSupport support;
  std::array<std::optional<UniformityRun>, kNumInvocationSets> runs;
  bool isSettled = false, synchronizes = false;
};

Uniformity::Uniformity(const CanonicalForm &form, const ControlFlow &flow, const IdDependence &ids,
                       const AffineAnalysis &affine)
    : impl(std::make_unique<Impl>(form, flow, ids, affine)) {}
Uniformity::~Uniformity() = default;
Uniformity::Uniformity(Uniformity &&) noexcept = default;

UniformityScope Uniformity::of(Id id, unsigned component) const {
  return impl->largest(
      [&](InvocationSet set) { return impl->isSame(set, id, component, nullptr); });
}

UniformityScope Uniformity::at(Id id, const Block &block, unsigned component) const {
  return impl->largest([&](InvocationSet set) { return impl->isSame(set, id, component, &block); });
}

UniformityScope Uniformity::control(const Block &block) const {
  return impl->largest([&](InvocationSet set) { return impl->isSameControl(set, block); });
}

bool Uniformity::isPackUniform(Id id, unsigned axis, unsigned component, const Block *use) const {
  return impl->isSame(packSet(axis), id, component, use);
}

bool Uniformity::isPackUniformControl(const Block &block, unsigned axis) const {
  return impl->isSameControl(packSet(axis), block);
}

std::vector<CauseStep> Uniformity::causeOfControl(const Block &block, UniformityScope scope) const {
  return scope == UniformityScope::Invocation ? std::vector<CauseStep>()
                                              : impl->causeOfControl(setOf(scope), block);
}

std::vector<CauseStep> Uniformity::causeOfPackControl(const Block &block, unsigned axis) const {
  return impl->causeOfControl(packSet(axis), block);
}

std::vector<CauseStep> Uniformity::causeOf(Id id, UniformityScope scope) const {
  if (scope == UniformityScope::Invocation)
    return {};
  const UniformityRun &known = impl->run(setOf(scope));
  for (const ValueNode &node : impl->graph.components(id))
    if (known.differs(node))
      return causeOfNode(impl->module, impl->graph, known, impl->size, node);
  return {};
}

bool Uniformity::synchronizesByAtomics() const {
  impl->run(InvocationSet::Workgroup);
  return impl->synchronizes;
}

} // namespace tailor
