//===- Analysis/AffineText.cpp - Expressions for people --------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/AffineImpl.h"

#include "Analysis/CompositeParts.h"
#include "IR/Types.h"

#include <algorithm>
#include <tuple>

namespace tailor {

static std::string suffix(unsigned component) {
  static constexpr char kNames[] = {'x', 'y', 'z', 'w'};
  return component < 4 ? std::string(".") + kNames[component]
                       : "[" + std::to_string(component) + "]";
}

/// `params.width`: the variable and the members on the way, and on to a part of what is loaded.
static std::string pathName(const Module &module, ConstantEvaluator &constants,
                            const PointerPath &path, llvm::ArrayRef<uint32_t> inside = {}) {
  std::string name = module.name(path.variable->result());
  std::optional<PointerType> pointer = pointerType(module, path.variable->typeId());
  const Instruction *type = pointer ? module.def(pointer->pointee) : nullptr;
  bool isAnonymous = name.front() == '%';
  if (isAnonymous && type)
    name = "";
  llvm::SmallVector<std::optional<uint64_t>, 8> indices;
  for (Id id : path.indices)
    indices.push_back(constants.evaluateInt(id));
  indices.append(inside.begin(), inside.end());
  for (std::optional<uint64_t> index : indices) {
    std::string part = index ? "[" + std::to_string(*index) + "]" : "[]";
    if (type && index && type->opcode() == spv::Op::OpTypeStruct && *index < type->numOperands()) {
      for (const Instruction &debug : module.section(Section::Debug))
        if (debug.opcode() == spv::Op::OpMemberName && debug.id(0) == type->result() &&
            debug.literal(1) == *index)
          part = (name.empty() ? "" : ".") + debug.string(2);
      type = module.def(type->id(static_cast<unsigned>(*index)));
    } else {
      if (index && type && type->opcode() == spv::Op::OpTypeVector)
        part = suffix(static_cast<unsigned>(*index));
      type = type && type->numOperands() > 0 && type->isId(0) ? module.def(type->id(0)) : nullptr;
    }
    name += part;
  }
  if (!name.empty())
    return name;
  std::string block = pointer ? module.name(pointer->pointee) : "%";
  return block.front() == '%' ? module.name(path.variable->result()) : block;
}

static std::string hostName(const Module &module, ConstantEvaluator &constants,
                            const Symbol &symbol) {
  const Instruction &def = *symbol.def;
  bool isVector = componentCount(module, def.typeId()) > 1;
  std::string component = isVector ? suffix(symbol.component) : "";
  switch (def.opcode()) {
  case spv::Op::OpLoad:
    if (auto path = tracePointer(module, def.id(0)))
      return pathName(module, constants, *path) + component;
    break;
  case spv::Op::OpCompositeExtract: {
    ValuePart part = sourceOfExtract(module, def, symbol.component);
    const Instruction *from = module.def(part.id);
    if (from && from->opcode() == spv::Op::OpLoad)
      if (auto path = tracePointer(module, from->id(0)))
        return pathName(module, constants, *path, part.path);
    break;
  }
  case spv::Op::OpArrayLength:
    if (auto path = tracePointer(module, def.id(0)))
      return "length(" + pathName(module, constants, *path) + ")";
    break;
  case spv::Op::OpImageQuerySize:
  case spv::Op::OpImageQuerySizeLod:
    if (auto path = traceResource(module, def.id(0)))
      return "size(" + pathName(module, constants, *path) + ")" + component;
    break;
  default:
    if (auto specId = module.decoration(def.result(), spv::Decoration::SpecId);
        specId && module.name(def.result()).front() == '%')
      return "spec(" + std::to_string(*specId) + ")";
    break;
  }
  return module.name(def.result()) + component;
}

std::string AffineSolver::nameOf(SymbolIndex index) const {
  const Symbol &symbol = symbols[index];
  switch (symbol.kind) {
  case Symbol::Kind::LocalId:
    return std::string("lid") + suffix(symbol.component);
  case Symbol::Kind::WorkgroupId:
    return std::string("wg") + suffix(symbol.component);
  case Symbol::Kind::NumWorkgroups:
    return std::string("groups") + suffix(symbol.component);
  case Symbol::Kind::Iteration:
    return "i" + std::to_string(loopOfHeader.lookup(symbol.header));
  case Symbol::Kind::Uniform:
    return hostName(module, ids.constants(), symbol);
  case Symbol::Kind::Value: {
    bool isVector = componentCount(module, symbol.def->typeId()) > 1;
    return module.name(symbol.def->result()) + (isVector ? suffix(symbol.component) : "");
  }
  }
  return "?";
}

std::string AffineSolver::str(const AffineExpr &expr) const {
  // S·wg + lid is the global id.
  std::vector<std::pair<std::string, int64_t>> parts;
  std::vector<bool> used(expr.terms.size());
  auto nameWithout = [&](const AffineTerm &term, SymbolIndex left, const std::string &inItsPlace) {
    std::string name;
    for (unsigned at = 0; at < term.degree(); ++at) {
      std::string factor = term.symbols[at] == left ? inItsPlace : nameOf(term.symbols[at]);
      name += (name.empty() ? "" : "*") + factor;
    }
    return name;
  };
  auto restOf = [&](const AffineTerm &term, SymbolIndex left) {
    std::vector<SymbolIndex> rest;
    for (unsigned at = 0; at < term.degree(); ++at)
      if (term.symbols[at] != left)
        rest.push_back(term.symbols[at]);
    return rest;
  };
  for (size_t at = 0; at < expr.terms.size(); ++at) {
    if (used[at])
      continue;
    const AffineTerm &term = expr.terms[at];
    for (unsigned axis = 0; axis < 3 && !used[at]; ++axis) {
      std::optional<SymbolIndex> local = localSymbols[axis], group = workgroupSymbols[axis];
      if (!group)
        continue;
      std::string global = std::string("gid") + suffix(axis);
      if (size[axis] == 1 && term.contains(*group)) {
        parts.emplace_back(nameWithout(term, *group, global), term.coefficient);
        used[at] = true;
        continue;
      }
      if (!local || !(term.contains(*local) || term.contains(*group)))
        continue;
      bool isLocal = term.contains(*local);
      for (size_t other = 0; other < expr.terms.size() && !used[at]; ++other) {
        const AffineTerm &mate = expr.terms[other];
        if (other == at || used[other] || !mate.contains(isLocal ? *group : *local) ||
            restOf(term, isLocal ? *local : *group) != restOf(mate, isLocal ? *group : *local))
          continue;
        int64_t ofLocal = (isLocal ? term : mate).coefficient;
        int64_t ofGroup = (isLocal ? mate : term).coefficient;
        if (ofGroup != ofLocal * int64_t{size[axis]})
          continue;
        parts.emplace_back(nameWithout(term, isLocal ? *local : *group, global), ofLocal);
        used[at] = used[other] = true;
      }
    }
    if (!used[at])
      parts.emplace_back(nameWithout(term, AffineTerm::kNone, ""), term.coefficient);
  }
  // What is subtracted comes last: "n - lid.x".
  std::sort(parts.begin(), parts.end(), [](const auto &a, const auto &b) {
    return std::tuple(a.second < 0, a.first, a.second) <
           std::tuple(b.second < 0, b.first, b.second);
  });
  std::string text;
  auto append = [&](int64_t coefficient, const std::string &name) {
    bool isNegative = coefficient < 0;
    uint64_t size = isNegative ? uint64_t{0} - static_cast<uint64_t>(coefficient)
                               : static_cast<uint64_t>(coefficient);
    std::string sign = text.empty() ? (isNegative ? "-" : "") : (isNegative ? " - " : " + ");
    std::string number = name.empty() || size != 1 ? std::to_string(size) : "";
    text += sign + number + (!number.empty() && !name.empty() ? "*" : "") + name;
  };
  for (const auto &[name, coefficient] : parts)
    append(coefficient, name);
  if (expr.constant != 0 || text.empty())
    append(expr.constant, "");
  return text;
}

} // namespace tailor
