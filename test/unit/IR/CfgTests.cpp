//===- unit/IR/CfgTests.cpp - Control flow against its definitions ---------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each fact is compared with its definition, computed by reachability in the
// graph with a block or an edge taken out, on 500 random graphs: several exits,
// loops without one, unreachable blocks, irreducible cycles.
//
//===----------------------------------------------------------------------===//
#include "IR/Cfg.h"
#include "IRTestSupport.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <random>
#include <set>

namespace tailor {
namespace {

using namespace test;

using Graph = std::vector<std::vector<unsigned>>; ///< targets of each block, duplicates allowed

Module moduleOf(const Graph &graph) {
  std::string body = "%main = OpFunction %void None %fn\n";
  for (size_t block = 0; block < graph.size(); ++block) {
    const std::vector<unsigned> &targets = graph[block];
    body += "%b" + std::to_string(block) + " = OpLabel\n";
    if (targets.empty())
      body += "OpReturn\n";
    else if (targets.size() == 1)
      body += "OpBranch %b" + std::to_string(targets[0]) + "\n";
    else if (targets.size() == 2)
      body += "OpBranchConditional %c %b" + std::to_string(targets[0]) + " %b" +
              std::to_string(targets[1]) + "\n";
    else {
      body += "OpSwitch %s";
      for (size_t index = 0; index < targets.size(); ++index)
        body += (index == 0 ? " %b" : " " + std::to_string(index) + " %b") +
                std::to_string(targets[index]);
      body += "\n";
    }
  }
  return readText(
      shaderText("", "%c = OpUndef %bool\n%s = OpUndef %uint\n", body + "OpFunctionEnd\n"));
}

constexpr unsigned kNone = UINT32_MAX;

/// Blocks reachable from `start` without entering `without` and without the edge from -> to.
std::vector<bool> reach(const Graph &graph, unsigned start, unsigned without, unsigned from = kNone,
                        unsigned to = kNone) {
  std::vector<bool> seen(graph.size());
  if (start == without)
    return seen;
  std::vector<unsigned> pending = {start};
  seen[start] = true;
  while (!pending.empty()) {
    unsigned block = pending.back();
    pending.pop_back();
    for (unsigned next : graph[block])
      if (next != without && !seen[next] && !(block == from && next == to)) {
        seen[next] = true;
        pending.push_back(next);
      }
  }
  return seen;
}

/// Whether a return is reachable.
bool reachesExit(const Graph &graph, unsigned start, unsigned without) {
  std::vector<bool> seen = reach(graph, start, without);
  for (unsigned block = 0; block < graph.size(); ++block)
    if (seen[block] && graph[block].empty())
      return true;
  return false;
}

Graph randomGraph(std::mt19937 &random) {
  Graph graph(1 + random() % 12);
  for (auto &targets : graph) {
    static constexpr unsigned counts[] = {0, 1, 1, 1, 2, 2, 2, 2, 3, 4};
    for (unsigned count = counts[random() % 10]; count > 0; --count)
      targets.push_back(random() % graph.size());
  }
  if (random() % 2) // half of the graphs as SPIR-V has them: nothing branches to the entry
    for (auto &targets : graph)
      for (unsigned &target : targets)
        if (target == 0)
          target = static_cast<unsigned>(graph.size()) - 1;
  return graph;
}

struct Analysed {
  explicit Analysed(const Graph &graph)
      : module(moduleOf(graph)), function(*module.functions()[0]), flow(function) {
    for (Block &block : function.blocks())
      blocks.push_back(&block);
  }
  Module module;
  Function &function;
  ControlFlow flow;
  std::vector<Block *> blocks;
};

template <typename Check> void onRandomGraphs(Check check) {
  std::mt19937 random(4711);
  for (unsigned round = 0; round < 500; ++round) {
    Graph graph = randomGraph(random);
    std::string text = "round " + std::to_string(round);
    for (size_t block = 0; block < graph.size(); ++block) {
      text += "; " + std::to_string(block) + " ->";
      for (unsigned target : graph[block])
        text += " " + std::to_string(target);
    }
    SCOPED_TRACE(text);
    Analysed analysed(graph);
    check(graph, analysed);
    if (testing::Test::HasFailure())
      return;
  }
}

TEST(Cfg, edges) {
  onRandomGraphs([](const Graph &graph, Analysed &analysed) {
    for (unsigned block = 0; block < graph.size(); ++block) {
      std::set<unsigned> successors, predecessors;
      for (Block *each : analysed.blocks[block]->successors())
        EXPECT_TRUE(successors.insert(each->index()).second);
      for (Block *each : analysed.blocks[block]->predecessors())
        EXPECT_TRUE(predecessors.insert(each->index()).second);
      EXPECT_EQ(successors, std::set<unsigned>(graph[block].begin(), graph[block].end()));
      for (unsigned other = 0; other < graph.size(); ++other)
        EXPECT_EQ(predecessors.count(other) != 0, std::ranges::count(graph[other], block) != 0);
    }
  });
}

TEST(Cfg, dominators) {
  onRandomGraphs([](const Graph &graph, Analysed &analysed) {
    std::vector<bool> reachable = reach(graph, 0, kNone);
    for (unsigned b = 0; b < graph.size(); ++b) {
      EXPECT_EQ(analysed.flow.isReachable(*analysed.blocks[b]), reachable[b]);
      std::vector<unsigned> strict;
      for (unsigned a = 0; a < graph.size(); ++a) {
        if (!reachable[a] || !reachable[b])
          continue;
        bool dominates = a == b || !reach(graph, 0, a)[b];
        EXPECT_EQ(analysed.flow.dominates(*analysed.blocks[a], *analysed.blocks[b]), dominates)
            << a << " over " << b;
        if (dominates && a != b)
          strict.push_back(a);
      }
      // The immediate dominator is the strict one that all the others dominate.
      Block *immediate = analysed.flow.immediateDominator(*analysed.blocks[b]);
      ASSERT_EQ(immediate != nullptr, !strict.empty());
      for (unsigned a : strict)
        EXPECT_TRUE(a == immediate->index() || !reach(graph, 0, a)[immediate->index()]);
    }
  });
}

TEST(Cfg, edgeDominance) {
  onRandomGraphs([](const Graph &graph, Analysed &analysed) {
    std::vector<bool> reachable = reach(graph, 0, kNone);
    for (unsigned from = 0; from < graph.size(); ++from)
      for (unsigned to = 0; to < graph.size(); ++to)
        for (unsigned b = 0; b < graph.size(); ++b) {
          bool expected = std::ranges::count(graph[from], to) == 1 && reachable[b] &&
                          !reach(graph, 0, kNone, from, to)[b];
          EXPECT_EQ(analysed.flow.edgeDominates(*analysed.blocks[from], *analysed.blocks[to],
                                                *analysed.blocks[b]),
                    expected)
              << from << "->" << to << " over " << b;
        }
  });
}

/// a post-dominates b: no path from b to a return avoids a. Where b reaches no return the
/// definition is empty, and LLVM chooses an exit for the endless loop.
bool postDominates(const Graph &graph, unsigned a, unsigned b) {
  return a == b || !reachesExit(graph, b, a);
}

TEST(Cfg, postDominators) {
  unsigned compared = 0;
  onRandomGraphs([&](const Graph &graph, Analysed &analysed) {
    bool endless = false;
    for (unsigned b = 0; b < graph.size(); ++b)
      endless |= !reachesExit(graph, b, kNone);
    for (unsigned a = 0; a < graph.size(); ++a)
      for (unsigned b = 0; b < graph.size(); ++b) {
        bool got = analysed.flow.postDominates(*analysed.blocks[a], *analysed.blocks[b]);
        if (!endless) {
          EXPECT_EQ(got, postDominates(graph, a, b)) << a << " over " << b;
          ++compared;
        } else if (got && reachesExit(graph, b, kNone)) {
          // With an endless loop somewhere, what is claimed must still hold on every path out.
          EXPECT_TRUE(postDominates(graph, a, b)) << a << " over " << b;
        }
      }
  });
  EXPECT_GT(compared, 5'000u);
}

TEST(Cfg, controlDependence) {
  unsigned dependences = 0;
  onRandomGraphs([&](const Graph &graph, Analysed &analysed) {
    for (unsigned b = 0; b < graph.size(); ++b)
      if (!reachesExit(graph, b, kNone))
        return;
    for (unsigned x = 0; x < graph.size(); ++x)
      for (unsigned branch = 0; branch < graph.size(); ++branch) {
        // Some way out of the branch leads to x for certain, another may avoid it.
        bool some = false, strictlyAll = x != branch && postDominates(graph, x, branch);
        for (unsigned successor : graph[branch])
          some |= postDominates(graph, x, successor);
        bool several = std::set<unsigned>(graph[branch].begin(), graph[branch].end()).size() > 1;
        bool expected = several && some && !strictlyAll;
        const auto &list = analysed.flow.controllers(*analysed.blocks[x]);
        EXPECT_EQ(std::ranges::count(list, analysed.blocks[branch]), expected)
            << x << " on " << branch;
        dependences += expected;
      }
  });
  EXPECT_GT(dependences, 500u);
}

TEST(Cfg, cycles) {
  unsigned irreducible = 0;
  onRandomGraphs([&](const Graph &graph, Analysed &analysed) {
    std::vector<bool> reachable = reach(graph, 0, kNone);
    auto reaches = [&](unsigned a, unsigned b) { // by at least one edge
      return std::ranges::any_of(
          graph[a], [&](unsigned next) -> bool { return reach(graph, next, kNone)[b]; });
    };
    std::set<std::set<unsigned>> expected, got;
    for (unsigned b = 0; b < graph.size(); ++b) {
      bool inCycle = reachable[b] && reaches(b, b);
      EXPECT_EQ(analysed.flow.inCycle(*analysed.blocks[b]), inCycle) << b;
      EXPECT_EQ(analysed.flow.cycleDepth(*analysed.blocks[b]) != 0, inCycle);
      if (!inCycle)
        continue;
      std::set<unsigned> component;
      for (unsigned other = 0; other < graph.size(); ++other)
        if (reachable[other] && reaches(b, other) && reaches(other, b))
          component.insert(other);
      expected.insert(component);
    }
    for (const auto &cycle : analysed.flow.topLevelCycles()) {
      std::set<unsigned> component;
      for (Block *block : cycle)
        component.insert(block->index());
      got.insert(component);
      unsigned entries = 0;
      for (unsigned block : component)
        entries += std::ranges::any_of(analysed.blocks[block]->predecessors(), [&](Block *from) {
          return !component.count(from->index()) && reachable[from->index()];
        });
      irreducible += entries > 1;
    }
    EXPECT_EQ(got, expected);
  });
  EXPECT_GT(irreducible, 20u);
}

TEST(Cfg, bothWaysToOneBlockTellNothing) {
  Analysed analysed({{1, 1}, {}});
  EXPECT_TRUE(analysed.flow.dominates(*analysed.blocks[0], *analysed.blocks[1]));
  EXPECT_FALSE(
      analysed.flow.edgeDominates(*analysed.blocks[0], *analysed.blocks[1], *analysed.blocks[1]));
  EXPECT_TRUE(analysed.flow.controllers(*analysed.blocks[1]).empty());
}

TEST(Cfg, nestedCyclesHaveDepths) {
  // 1 heads the outer loop, 2 the inner one.
  Analysed analysed({{1}, {2, 5}, {3, 4}, {2}, {1}, {}});
  EXPECT_EQ(analysed.flow.cycleDepth(*analysed.blocks[0]), 0u);
  EXPECT_EQ(analysed.flow.cycleDepth(*analysed.blocks[1]), 1u);
  EXPECT_EQ(analysed.flow.cycleDepth(*analysed.blocks[2]), 2u);
  EXPECT_EQ(analysed.flow.cycleDepth(*analysed.blocks[3]), 2u);
  EXPECT_EQ(analysed.flow.topLevelCycles().size(), 1u);
}

TEST(Cfg, aDeclarationHasNoControlFlow) {
  Module module =
      readText(shaderText("", "", "%f = OpFunction %void None %fn\nOpFunctionEnd\n" + emptyMain()));
  ControlFlow flow(*module.functions()[0]);
  EXPECT_TRUE(flow.topLevelCycles().empty());
}

TEST(Cfg, structuredConstructsOfEveryKernel) {
  for (const std::string &kernel : benchKernels(".comp")) {
    Module module = read(compileKernel(kernel, ""));
    for (auto &function : module.functions()) {
      ControlFlow flow(*function);
      std::vector<Construct> constructs = structuredConstructs(*function);
      auto next = constructs.begin();
      for (Block &block : function->blocks())
        for (Instruction &inst : block.instructions()) {
          if (!isMerge(inst.opcode()))
            continue;
          ASSERT_NE(next, constructs.end());
          bool isLoop = inst.opcode() == spv::Op::OpLoopMerge;
          EXPECT_EQ(next->kind == Construct::Kind::Loop, isLoop);
          EXPECT_EQ(next->header, &block);
          ASSERT_NE(next->mergeBlock, nullptr);
          EXPECT_EQ(next->mergeBlock->id(), inst.id(0));
          EXPECT_TRUE(!flow.isReachable(*next->mergeBlock) ||
                      flow.dominates(block, *next->mergeBlock));
          EXPECT_EQ(next->continueTarget != nullptr, isLoop);
          if (isLoop) {
            EXPECT_EQ(next->continueTarget->id(), inst.id(1));
            EXPECT_TRUE(flow.inCycle(block));
          }
          ++next;
        }
      EXPECT_EQ(next, constructs.end());
    }
  }
}

} // namespace
} // namespace tailor
