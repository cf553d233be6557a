//===- Analysis/AccessPatterns.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/AccessPatterns.h"

#include "Analysis/BoundedIndex.h"
#include "Analysis/Opcodes.h"
#include "IR/Types.h"

#include <algorithm>

namespace tailor {

std::string_view nameOf(AccessOp op) {
  switch (op) {
  case AccessOp::Load:
    return "load";
  case AccessOp::Store:
    return "store";
  case AccessOp::Atomic:
    return "atomic";
  }
  return "";
}

std::string_view nameOf(AccessPattern pattern) {
  switch (pattern) {
  case AccessPattern::Unknown:
    return "";
  case AccessPattern::Uniform:
    return "uniform";
  case AccessPattern::Unit:
    return "unit";
  case AccessPattern::Strided:
    return "strided";
  case AccessPattern::Gather:
    return "gather";
  }
  return "";
}

const char *spaceName(MemorySpace space) {
  switch (space) {
  case MemorySpace::StorageBuffer:
    return "buffer";
  case MemorySpace::Resource:
    return "image";
  case MemorySpace::UniformBuffer:
  case MemorySpace::PushConstant:
    return "uniform";
  case MemorySpace::Workgroup:
    return "workgroup";
  default:
    return nullptr;
  }
}

unsigned fastestAxis(const Dim3 &size) {
  for (unsigned axis = 0; axis < 3; ++axis)
    if (size[axis] > 1)
      return axis;
  return 0;
}

namespace {

/// The space of a pointer that no variable is known for.
MemorySpace spaceOfPointer(spv::StorageClass storageClass) {
  switch (storageClass) {
  case spv::StorageClass::StorageBuffer:
  case spv::StorageClass::PhysicalStorageBuffer:
    return MemorySpace::StorageBuffer;
  case spv::StorageClass::Uniform:
    return MemorySpace::UniformBuffer;
  case spv::StorageClass::Workgroup:
    return MemorySpace::Workgroup;
  default:
    return MemorySpace::Other;
  }
}

class Finder {
public:
  explicit Finder(const KernelAnalysis &analysis)
      : analysis(analysis), module(analysis.module()), affine(analysis.affine()) {}

  std::vector<MemoryAccess> run() {
    for (const Block &block : analysis.form().function().blocks())
      if (analysis.flow().isReachable(block))
        for (const Instruction &inst : block.instructions())
          visit(inst);
    return std::move(found);
  }

private:
  void visit(const Instruction &inst);
  void memory(const Instruction &inst, Id pointer, AccessOp op, Id valueType);
  void image(const Instruction &inst, const std::optional<PointerPath> &path, AccessOp op,
             Id imageType, Id coordinate);
  void describe(MemoryAccess &access, const PointerPath &path);
  void judgeAddress(MemoryAccess &access);
  void judgeCoordinate(MemoryAccess &access);
  bool isRuleOfIds(const AffineExpr &expr, const Instruction &at) const;
  std::optional<AffineExpr> step(const AffineExpr &expr, unsigned axis) const;
  Id typeOf(Id value) const {
    const Instruction *def = module.def(value);
    return def ? def->typeId() : Id::None;
  }
  Id imageTypeOf(Id image) const;

  const KernelAnalysis &analysis;
  const Module &module;
  const AffineAnalysis &affine;
  std::vector<MemoryAccess> found;
};

Id Finder::imageTypeOf(Id image) const {
  Id typeId = typeOf(image);
  const Instruction *type = module.def(typeId);
  return type && type->opcode() == spv::Op::OpTypeSampledImage ? type->id(0) : typeId;
}

void Finder::visit(const Instruction &inst) {
  spv::Op op = inst.opcode();
  switch (classOf(op)) {
  case OpcodeClass::Atomic: {
    const Instruction *pointer = module.def(inst.id(0));
    if (!pointer)
      return;
    if (pointer->opcode() != spv::Op::OpImageTexelPointer) {
      Id valueType = isValid(inst.typeId()) ? inst.typeId() : typeOf(inst.id(3)); // OpAtomicStore
      return memory(inst, inst.id(0), AccessOp::Atomic, valueType);
    }
    std::optional<PointerType> imageType = pointerTypeOfValue(module, pointer->id(0));
    return image(inst, tracePointer(module, pointer->id(0)), AccessOp::Atomic,
                 imageType ? imageType->pointee : Id::None, pointer->id(1));
  }
  case OpcodeClass::Memory:
    if (op == spv::Op::OpLoad)
      memory(inst, inst.id(0), AccessOp::Load, inst.typeId());
    else if (op == spv::Op::OpStore)
      memory(inst, inst.id(0), AccessOp::Store, typeOf(inst.id(1)));
    else if (op == spv::Op::OpCopyMemory)
      for (unsigned side : {1u, 0u})
        if (std::optional<PointerType> type = pointerTypeOfValue(module, inst.id(side)))
          memory(inst, inst.id(side), side == 1 ? AccessOp::Load : AccessOp::Store, type->pointee);
    return;
  case OpcodeClass::ImageAccess:
  case OpcodeClass::ImageSample:
  case OpcodeClass::Derivative:
    if (op == spv::Op::OpImageTexelPointer || op == spv::Op::OpImageQueryLod ||
        inst.numOperands() < 2 || !inst.isId(1))
      return; // derivatives have one operand
    return image(inst, traceResource(module, inst.id(0)),
                 op == spv::Op::OpImageWrite ? AccessOp::Store : AccessOp::Load,
                 imageTypeOf(inst.id(0)), inst.id(1));
  default:
    return;
  }
}

void Finder::describe(MemoryAccess &access, const PointerPath &path) {
  Id variable = path.variable->result();
  access.variable = path.variable;
  access.space = path.space;
  access.name = nameOfVariable(module, *path.variable);
  access.set = module.decoration(variable, spv::Decoration::DescriptorSet);
  access.binding = module.decoration(variable, spv::Decoration::Binding);
}

void Finder::memory(const Instruction &inst, Id pointer, AccessOp op, Id valueType) {
  MemoryAccess access;
  access.inst = &inst;
  access.op = op;
  if (std::optional<PointerPath> path = tracePointer(module, pointer)) {
    describe(access, *path);
    if (access.space == MemorySpace::Resource)
      return; // the handle
    access.layout = layoutOfPointer(module, *path, analysis.constants());
  } else if (std::optional<PointerType> type = pointerTypeOfValue(module, pointer)) {
    access.space = spaceOfPointer(type->storageClass);
    access.name = module.name(pointer);
  }
  if (!spaceName(access.space))
    return;
  if (std::optional<TypeLayout> layout = layoutOf(module, valueType, analysis.constants()))
    access.bytes = layout->size.count;
  access.location = analysis.locationOf(inst);
  if (access.variable)
    access.address = affine.address(pointer);
  judgeAddress(access);
  found.push_back(std::move(access));
}

void Finder::image(const Instruction &inst, const std::optional<PointerPath> &path, AccessOp op,
                   Id imageType, Id coordinate) {
  if (!path)
    return;
  MemoryAccess access;
  access.inst = &inst;
  access.op = op;
  describe(access, *path);
  if (access.space != MemorySpace::Resource)
    return;
  const Instruction *type = module.def(imageType);
  if (type && type->opcode() == spv::Op::OpTypeImage)
    access.bytes = texelBytes(static_cast<spv::ImageFormat>(type->literal(6))).value_or(0);
  access.location = analysis.locationOf(inst);
  if (isIntType(module, scalarTypeOf(module, typeOf(coordinate))))
    access.coordinate = coordinate;
  judgeCoordinate(access);
  found.push_back(std::move(access));
}

/// Whether ids, loops around the access and values that the workgroup shares are all that the
/// expression hangs off.
bool Finder::isRuleOfIds(const AffineExpr &expr, const Instruction &at) const {
  auto isInside = [&](const Block &header) {
    for (const LoopInfo *loop = affine.loopOf(*at.parent()); loop; loop = loop->parent)
      if (loop->header == &header)
        return true;
    return false;
  };
  // Before any symbol is looked at: when it is first asked for, it adds to their table.
  const Uniformity &uniformity = analysis.uniformity();
  auto isRule = [&](const Symbol &symbol) {
    switch (symbol.kind) {
    case Symbol::Kind::Iteration: // of a loop that has ended: each invocation left it on its own
      return isInside(*symbol.header);
    case Symbol::Kind::Value: {
      const Block *block = symbol.def->parent();
      const LoopInfo *loop = block ? affine.loopOf(*block) : nullptr;
      return (!loop || isInside(*loop->header)) &&
             uniformity.of(symbol.def->result(), symbol.component) >= UniformityScope::Workgroup;
    }
    default:
      return true;
    }
  };
  for (const AffineTerm &term : expr.terms)
    for (SymbolIndex symbol : term.symbols)
      if (symbol != AffineTerm::kNone && !isRule(affine.symbols()[symbol]))
        return false;
  return true;
}

/// What one step along the axis adds.
std::optional<AffineExpr> Finder::step(const AffineExpr &expr, unsigned axis) const {
  bool isAlone = analysis.size()[axis] == 1;
  std::optional<SymbolIndex> id = isAlone ? affine.workgroupId(axis) : affine.localId(axis);
  return id ? affine.coefficientOf(expr, *id) : AffineExpr{};
}

void Finder::judgeAddress(MemoryAccess &access) {
  access.pattern = AccessPattern::Gather;
  if (!access.address)
    return;
  AffineExpr bytes = access.address->bytes;
  if (!isRuleOfIds(bytes, *access.inst)) {
    std::optional<AffineExpr> inside = withoutBounds(affine, module, bytes);
    if (!inside || !isRuleOfIds(*inside, *access.inst))
      return;
    access.insideBounds = true;
    bytes = std::move(*inside);
  }
  bool allWalkedAreZero = true;
  unsigned fastestOne = fastestAxis(analysis.size());
  for (unsigned axis = 0; axis < 3; ++axis) {
    std::optional<AffineExpr> stride = step(bytes, axis);
    bool isWalked = analysis.size()[axis] > 1 || axis == fastestOne;
    if (!stride) {
      allWalkedAreZero &= !isWalked;
      continue;
    }
    access.strides[axis].text = affine.str(*stride);
    if (stride->isConstant())
      access.strides[axis].bytes = stride->constant;
    if (isWalked)
      allWalkedAreZero &= access.strides[axis].bytes == 0;
  }
  const AccessStride &fastest = access.strides[fastestOne];
  if (fastest.text.empty())
    return;
  access.pattern = AccessPattern::Strided;
  if (allWalkedAreZero) // of what a bound makes of it nothing is known
    access.pattern = access.insideBounds ? AccessPattern::Gather : AccessPattern::Uniform;
  else if (fastest.bytes && access.bytes != 0 &&
           *fastest.bytes == static_cast<int64_t>(access.bytes))
    access.pattern = AccessPattern::Unit;
}

void Finder::judgeCoordinate(MemoryAccess &access) {
  if (!isValid(access.coordinate))
    return;
  access.pattern = AccessPattern::Gather;
  unsigned count = componentCount(module, typeOf(access.coordinate));
  std::vector<AffineExpr> parts;
  for (unsigned at = 0; at < count; ++at) {
    const AffineExpr *expr = affine.expr(access.coordinate, at);
    if (!expr)
      return;
    parts.push_back(*expr);
    if (isRuleOfIds(*expr, *access.inst))
      continue;
    std::optional<AffineExpr> inside = withoutBounds(affine, module, *expr);
    if (!inside || !isRuleOfIds(*inside, *access.inst))
      return;
    access.insideBounds = true;
    parts.back() = std::move(*inside);
  }
  bool allWalkedAreZero = true, isUnit = true;
  unsigned fastest = fastestAxis(analysis.size());
  for (unsigned axis = 0; axis < 3; ++axis) {
    std::string text;
    bool isKnown = true;
    for (unsigned at = 0; at < count; ++at) {
      std::optional<AffineExpr> stride = step(parts[at], axis);
      isKnown &= stride.has_value();
      text += (at == 0 ? "" : ", ") + (stride ? affine.str(*stride) : "");
      auto is = [&](int64_t number) {
        return stride && stride->isConstant() && stride->constant == number;
      };
      if (analysis.size()[axis] > 1 || axis == fastest)
        allWalkedAreZero &= is(0);
      if (axis == fastest)
        isUnit &= is(at == 0 ? 1 : 0);
    }
    access.texelStrides[axis] = !isKnown ? "" : count == 1 ? text : "(" + text + ")";
  }
  if (access.texelStrides[fastest].empty())
    return;
  if (allWalkedAreZero && access.insideBounds)
    return;
  access.pattern = allWalkedAreZero ? AccessPattern::Uniform
                   : isUnit         ? AccessPattern::Unit
                                    : AccessPattern::Strided;
}

} // namespace

std::vector<MemoryAccess> findAccesses(const KernelAnalysis &analysis) {
  return Finder(analysis).run();
}

AccessFact factOf(const MemoryAccess &access) {
  AccessFact fact;
  fact.variable = access.name;
  fact.set = access.set;
  fact.binding = access.binding;
  fact.op = nameOf(access.op);
  fact.space = spaceName(access.space);
  fact.bytes = static_cast<uint32_t>(std::min<uint64_t>(access.bytes, UINT32_MAX));
  fact.location = access.location.str();
  fact.pattern = nameOf(access.pattern);
  for (unsigned axis = 0; axis < 3; ++axis)
    fact.strideBytes[axis] = access.insideBounds ? std::nullopt : access.strides[axis].bytes;
  return fact;
}

} // namespace tailor
