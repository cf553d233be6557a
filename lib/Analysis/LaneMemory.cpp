//===- Analysis/LaneMemory.cpp - Ids, and what the host supplies ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/LaneEvaluator.h"

#include "IR/Folding.h"
#include "IR/Types.h"

#include <algorithm>

namespace tailor {

static ConstantValue compositeOf(std::vector<ConstantValue> elements) {
  return {ConstantValue::Kind::Composite, 0, false, 0, std::move(elements)};
}

ConstantValue LaneEvaluator::computeLoad(Request &request) {
  const Instruction &load = request.inst;
  const IdDependence &ids = model.analysis().ids();
  std::optional<PointerPath> path = tracePointer(module, load.id(0));
  if (!path)
    return unknown();
  if (path->space == MemorySpace::Input)
    return loadBuiltIn(request, *path);
  if (path->space == MemorySpace::Private) {
    Id content = model.constantContent(*path->variable, load);
    if (!isValid(content))
      return unknown();
    ConstantValue value = read(request, content);
    for (Id indexId : path->indices) {
      std::optional<uint64_t> index = readInteger(request, indexId);
      if (!index || *index >= value.elements.size())
        return unknown();
      ConstantValue part = value.elements[*index];
      value = std::move(part);
    }
    return value;
  }
  const std::optional<PointerLayout> &layout = model.layoutOf(load);
  if (!layout || !ids.isConstantMemory(*path->variable, path->space) || ids.readsSharedState(load))
    return unknown();
  return loadHost(request, *layout);
}

ConstantValue LaneEvaluator::loadBuiltIn(Request &request, const PointerPath &path) {
  std::optional<spv::BuiltIn> builtIn = builtInOf(module, *path.variable);
  Id scalarType = scalarTypeOf(module, request.inst.typeId());
  const Dim3 &size = model.analysis().size();
  if (!builtIn)
    return unknown();
  auto scalar = [&](uint32_t number) {
    return scalarValue(module, scalarType, number).value_or(unknown());
  };
  std::array<uint32_t, 3> vector{};
  switch (*builtIn) {
  case spv::BuiltIn::LocalInvocationIndex:
    return scalar((lane.localId[2] * size.y + lane.localId[1]) * size.x + lane.localId[0]);
  case spv::BuiltIn::LocalInvocationId:
    vector = lane.localId;
    break;
  case spv::BuiltIn::WorkgroupId:
    vector = lane.group;
    break;
  case spv::BuiltIn::GlobalInvocationId:
    for (unsigned axis = 0; axis < 3; ++axis)
      vector[axis] = lane.group[axis] * size[axis] + lane.localId[axis];
    break;
  case spv::BuiltIn::NumWorkgroups:
    request.assumed |= !host.numWorkgroups;
    vector = host.numWorkgroups.value_or(std::array{
        HostValues::kAssumedGroups, HostValues::kAssumedGroups, HostValues::kAssumedGroups});
    break;
  default: // subgroups are cut by the device
    return unknown();
  }
  if (path.indices.empty())
    return compositeOf({scalar(vector[0]), scalar(vector[1]), scalar(vector[2])});
  std::optional<uint64_t> index = readInteger(request, path.indices[0]);
  return index && *index < 3 ? scalar(vector[*index]) : unknown();
}

// --- addresses ---

std::optional<uint64_t> LaneEvaluator::addressOf(Request &request, const PointerLayout &layout) {
  uint64_t address = layout.offset;
  bool isKnown = true;
  for (const PointerStep &step : layout.steps) {
    ConstantValue index = read(request, step.index);
    isKnown &= !index.isComposite() && index.width != 0;
    address += step.stride * static_cast<uint64_t>(index.asSigned());
  }
  return isKnown ? std::optional(address) : std::nullopt;
}

bool LaneEvaluator::isSameForDispatch(const PointerLayout &layout) const {
  const IdDependence &ids = model.analysis().ids();
  auto isSame = [&](Id index) { return ids.summary(index).variation() <= Variation::Dispatch; };
  return std::all_of(layout.steps.begin(), layout.steps.end(),
                     [&](const PointerStep &step) { return isSame(step.index); }) &&
         std::all_of(layout.descriptors.begin(), layout.descriptors.end(), isSame);
}

// --- values of the host ---

std::optional<uint32_t> LaneEvaluator::askLeaf(const UniformExpr &leaf) {
  return host.leaf ? host.leaf(leaf) : std::nullopt;
}

static std::optional<std::array<uint32_t, 2>> descriptorOf(const Module &module,
                                                           const Instruction &variable) {
  auto set = module.decoration(variable.result(), spv::Decoration::DescriptorSet);
  auto binding = module.decoration(variable.result(), spv::Decoration::Binding);
  if (!set || !binding)
    return std::nullopt;
  return std::array{*set, *binding};
}

ConstantValue LaneEvaluator::loadHost(Request &request, const PointerLayout &layout) {
  std::optional<uint64_t> offset = addressOf(request, layout);
  if (!offset)
    return unknown();
  return readHost(request, request.inst.typeId(), layout, *offset, layout.componentStride,
                  isSameForDispatch(layout), 0);
}

/// A value of `type` at a byte offset. `stride`: between the components of a vector, 0 for
/// adjacent.
ConstantValue LaneEvaluator::readHost(Request &request, Id typeId, const PointerLayout &layout,
                                      uint64_t offset, uint64_t stride, bool mayAssume,
                                      unsigned depth) {
  constexpr uint64_t kMaxElements = 64;
  const Instruction *type = module.def(typeId);
  ConstantEvaluator &constants = model.analysis().constants();
  if (!type || depth > 8)
    return unknown();
  std::vector<ConstantValue> elements;
  switch (type->opcode()) {
  case spv::Op::OpTypeInt:
  case spv::Op::OpTypeFloat:
    return hostScalar(request, typeId, layout, offset, mayAssume);
  case spv::Op::OpTypeVector: {
    uint64_t step = stride != 0 ? stride : module.def(type->id(0))->literal(0) / 8;
    for (uint32_t at = 0; at < type->literal(1); ++at)
      elements.push_back(hostScalar(request, type->id(0), layout, offset + at * step, mayAssume));
    return compositeOf(std::move(elements));
  }
  case spv::Op::OpTypeStruct:
    for (uint32_t member = 0; member < type->numOperands(); ++member) {
      std::optional<uint64_t> at = memberOffset(module, *type, member, constants);
      elements.push_back(
          at ? readHost(request, type->id(member), layout, offset + *at, 0, mayAssume, depth + 1)
             : unknown());
    }
    return compositeOf(std::move(elements));
  case spv::Op::OpTypeArray: {
    std::optional<uint64_t> length = constants.evaluateInt(type->id(1));
    std::optional<uint64_t> step = arrayStride(module, *type, constants);
    if (!length || !step || *length > kMaxElements)
      return unknown();
    for (uint64_t at = 0; at < *length; ++at)
      elements.push_back(
          readHost(request, type->id(0), layout, offset + at * *step, 0, mayAssume, depth + 1));
    return compositeOf(std::move(elements));
  }
  default: // a matrix's layout is its member's
    return unknown();
  }
}

ConstantValue LaneEvaluator::hostScalar(Request &request, Id typeId, const PointerLayout &layout,
                                        uint64_t offset, bool mayAssume) {
  std::optional<ConstantValue> value = scalarValue(module, typeId, 0);
  auto descriptor = descriptorOf(module, *layout.path.variable);
  bool isPush = layout.path.space == MemorySpace::PushConstant;
  if (!value)
    return unknown();
  auto word = [&](uint64_t at) -> std::optional<uint32_t> {
    if (at > UINT32_MAX || !layout.descriptors.empty())
      return std::nullopt;
    auto byte = static_cast<uint32_t>(at);
    if (isPush)
      return askLeaf({UniformExpr::Op::PushConstant, {byte, 0, 0, 0}, {}});
    if (!descriptor)
      return std::nullopt;
    return askLeaf(
        {UniformExpr::Op::BufferValue, {(*descriptor)[0], (*descriptor)[1], byte, 0}, {}});
  };
  std::optional<uint32_t> low = word(offset / 4 * 4), high;
  if (value->width == 64)
    high = word(offset / 4 * 4 + 4);
  if (low && (value->width != 64 || high))
    return scalarValue(module, typeId,
                       ((uint64_t{high.value_or(0)} << 32) | *low) >>
                           (value->width < 32 ? offset % 4 * 8 : 0))
        .value_or(unknown());
  if (!mayAssume)
    return unknown();
  request.assumed = true;
  if (value->kind == ConstantValue::Kind::Float)
    value->bits = value->width == 64   ? 0x3FF0000000000000 // 1.0
                  : value->width == 32 ? 0x3F800000
                                       : 0x3C00;
  else
    value->bits = value->width == 8 ? 64 : HostValues::kAssumedInteger;
  return *value;
}

ConstantValue LaneEvaluator::queryLength(Request &request) {
  const Instruction &inst = request.inst;
  std::optional<PointerPath> path = tracePointer(module, inst.id(0));
  std::optional<PointerType> pointer = pointerTypeOfValue(module, inst.id(0));
  const Instruction *block = pointer ? module.def(pointer->pointee) : nullptr;
  uint32_t member = inst.literal(1);
  if (!path || !block || member >= block->numOperands())
    return unknown();
  auto offset = module.memberDecoration(block->result(), member, spv::Decoration::Offset);
  auto stride = module.decoration(block->id(member), spv::Decoration::ArrayStride);
  auto descriptor = descriptorOf(module, *path->variable);
  std::optional<uint32_t> length;
  if (path->indices.empty() && offset && stride && descriptor)
    length = askLeaf(
        {UniformExpr::Op::ArrayLength, {(*descriptor)[0], (*descriptor)[1], *offset, *stride}, {}});
  request.assumed |= !length;
  return scalarValue(module, inst.typeId(), length.value_or(HostValues::kAssumedInteger))
      .value_or(unknown());
}

ConstantValue LaneEvaluator::queryImage(Request &request) {
  const Instruction &inst = request.inst;
  std::optional<PointerPath> path = traceResource(module, inst.id(0));
  Id scalarType = scalarTypeOf(module, inst.typeId());
  bool hasLevel = inst.opcode() == spv::Op::OpImageQuerySizeLod;
  if (!hasLevel && inst.opcode() != spv::Op::OpImageQuerySize) { // levels, samples
    request.assumed = true;
    return scalarValue(module, inst.typeId(), 1).value_or(unknown());
  }
  std::optional<uint64_t> level = hasLevel ? readInteger(request, inst.id(1)) : uint64_t{0};
  if (!path || !level || *level > 31)
    return unknown();
  auto descriptor = descriptorOf(module, *path->variable);
  const Instruction *image = module.def(inst.id(0));
  const Instruction *type = image ? module.def(image->typeId()) : nullptr;
  bool isArrayed = type && type->opcode() == spv::Op::OpTypeImage && type->literal(3) != 0;
  unsigned count = componentCount(module, inst.typeId());
  std::vector<ConstantValue> parts;
  for (unsigned at = 0; at < count; ++at) {
    std::optional<uint32_t> extent;
    if (descriptor && path->indices.empty())
      extent =
          askLeaf({UniformExpr::Op::ImageSize, {(*descriptor)[0], (*descriptor)[1], at, 0}, {}});
    request.assumed |= !extent;
    bool isLayer = isArrayed && at + 1 == count;
    uint32_t atLevel = extent.value_or(HostValues::kAssumedInteger);
    if (!isLayer)
      atLevel = std::max<uint32_t>(1, atLevel >> *level);
    parts.push_back(scalarValue(module, scalarType, atLevel).value_or(unknown()));
  }
  return count == 1 ? parts.front() : compositeOf(std::move(parts));
}

} // namespace tailor
