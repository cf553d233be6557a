//===- interpreter/ConstantPool.cpp - Constants and variables as operands ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "IR/Types.h"
#include "interpreter/Decoder.h"

#include <algorithm>
#include <cstring>

namespace tailor::interp {

uint32_t Decoder::ref(Id id) {
  const Instruction *inst = module.def(id);
  if (!inst || raw(id) >= refs.size()) {
    fault = {id, "an operand is not defined"};
    return kConstantBit;
  }
  uint32_t &known = refs[raw(id)];
  if (known != kNoIndex)
    return known;
  if (inst->opcode() == spv::Op::OpVariable)
    return known = variableRef(*inst);
  if (isConstant(inst->opcode()) || inst->opcode() == spv::Op::OpUndef)
    return known = constant(*inst);
  fault = {id, "unsupported operand " + nameOf(inst->opcode())};
  return kConstantBit;
}

bool Decoder::flatten(const ConstantValue &value, std::vector<uint64_t> &words) const {
  if (!value.isComposite()) {
    words.push_back(value.bits);
    return true;
  }
  return std::all_of(value.elements.begin(), value.elements.end(),
                     [&](const ConstantValue &element) { return flatten(element, words); });
}

/// Folds an operation with the machine's own functions, so that it follows the size of the run.
static bool foldSpecOp(spv::Op op, llvm::ArrayRef<Operand64> in, const Shape &shape,
                       std::vector<uint64_t> &words) {
  if (in.empty() || in.size() > 3)
    return false;
  const Shape &operand = *in[op == spv::Op::OpSelect && in.size() == 3 ? 1 : 0].shape;
  ScalarFn fn = scalarFunction(op, operand, shape);
  if (!fn)
    return false;
  Undefined undefined;
  for (uint32_t at = 0; at < shape.words; ++at) {
    uint64_t args[3] = {};
    for (size_t i = 0; i < in.size(); ++i)
      args[i] = in[i].words[in[i].shape->words == 1 ? 0 : at];
    words.push_back(fn(args[0], args[1], args[2], 0, undefined));
  }
  return true;
}

uint32_t Decoder::constant(const Instruction &inst) {
  const Shape &shape = program.layouts.shapeOf(inst.typeId());
  std::vector<uint64_t> words;
  auto append = [&](Id id, uint32_t from, uint32_t count) {
    const uint32_t part = ref(id) & ~kConstantBit;
    if (!fault)
      words.insert(words.end(), program.constants.begin() + part + from,
                   program.constants.begin() + part + from + count);
  };
  const bool isOperation = inst.opcode() == spv::Op::OpSpecConstantOp;
  const auto op = isOperation ? static_cast<spv::Op>(inst.literal(0)) : inst.opcode();
  if (module.decoration(inst.result(), spv::Decoration::BuiltIn) ==
      static_cast<uint32_t>(spv::BuiltIn::WorkgroupSize)) {
    for (unsigned axis = 0; axis < 3; ++axis)
      words.push_back(program.size[axis]);
  } else if (op == spv::Op::OpConstantNull || op == spv::Op::OpUndef) {
    words.assign(std::min(shape.words, Layouts::kMaxWords), 0);
  } else if (op == spv::Op::OpConstantComposite || op == spv::Op::OpSpecConstantComposite) {
    for (unsigned at = 0; at < inst.numOperands(); ++at)
      append(inst.id(at), 0, wordsOfId(inst.id(at)));
  } else if (isOperation && op == spv::Op::OpCompositeExtract) {
    std::vector<uint32_t> indices;
    for (unsigned at = 2; at < inst.numOperands(); ++at)
      indices.push_back(inst.literal(at));
    const Instruction *composite = module.def(inst.id(1));
    append(inst.id(1), program.layouts.wordOffset(composite->typeId(), indices), shape.words);
  } else if (isOperation) {
    llvm::SmallVector<Operand64, 4> in;
    llvm::SmallVector<uint32_t, 4> places;
    for (unsigned at = 1; at < inst.numOperands() && inst.isId(at); ++at)
      places.push_back(ref(inst.id(at)) & ~kConstantBit); // moves the constants
    for (unsigned at = 0; at < places.size(); ++at)
      in.push_back({&program.constants[fault ? 0 : places[at]], &shapeOfId(inst.id(at + 1))});
    if (!fault && !foldSpecOp(op, in, shape, words))
      words.clear();
  }
  if (words.empty() && !fault) {
    std::optional<ConstantValue> value = program.evaluator.evaluate(inst.result());
    if (!value || !flatten(*value, words) || words.size() != shape.words)
      fault = {inst.result(), "the constant cannot be evaluated"};
  }
  if (fault)
    return kConstantBit;
  const auto at = static_cast<uint32_t>(program.constants.size());
  program.constants.insert(program.constants.end(), words.begin(), words.end());
  return at | kConstantBit;
}

uint32_t Decoder::pointerTo(uint32_t object, uint32_t layout) {
  const auto at = static_cast<uint32_t>(program.constants.size());
  program.constants.insert(program.constants.end(), {object, 0, layout});
  return at | kConstantBit;
}

/// Space for a variable in `memory`, as it starts.
static uint64_t reserve(std::vector<std::byte> &memory, const Layout &layout) {
  const uint64_t alignment = std::max<uint64_t>(layout.alignment, 8);
  const uint64_t offset = (memory.size() + alignment - 1) / alignment * alignment;
  memory.resize(offset + layout.size);
  return offset;
}

void Decoder::addInitial(const Instruction &inst, uint32_t layout, std::byte *bytes) {
  if (inst.numOperands() < 2)
    return;
  const uint32_t value = ref(inst.id(1));
  if (!fault)
    storeWords(program.layouts.withLeaves(layout), &program.constants[value & ~kConstantBit],
               bytes);
}

uint32_t Decoder::variableRef(const Instruction &inst) {
  std::optional<PointerType> pointer = pointerType(module, inst.typeId());
  if (!pointer) {
    fault = {inst.result(), "the variable's type is no pointer"};
    return kConstantBit;
  }
  const uint32_t layout = program.layouts.of(pointer->pointee);
  const Layout &shape = program.layouts.at(layout);
  constexpr uint64_t maxBytes = uint64_t{1} << 28;
  if (shape.size > maxBytes) {
    fault = {inst.result(), "the variable is too large to be interpreted"};
    return kConstantBit;
  }
  Object object;
  object.space = spaceOf(module, inst);
  object.variable = &inst;
  object.size = shape.size;
  const auto number = static_cast<uint32_t>(program.objects.size());
  switch (pointer->storageClass) {
  case spv::StorageClass::Input:
    if (auto builtIn = module.decoration(inst.result(), spv::Decoration::BuiltIn))
      program.builtIns.push_back({static_cast<spv::BuiltIn>(*builtIn), number, layout});
    [[fallthrough]];
  case spv::StorageClass::Function:
  case spv::StorageClass::Private:
    object.offset = reserve(program.invocationMemory, shape);
    if (pointer->storageClass == spv::StorageClass::Private)
      addInitial(inst, layout, program.invocationMemory.data() + object.offset);
    break;
  case spv::StorageClass::Workgroup:
    object.home = Object::Home::Workgroup;
    // Blocks with explicit offsets share their memory.
    if (module.hasDecoration(pointer->pointee, spv::Decoration::Block))
      program.workgroupMemory.resize(std::max(program.workgroupMemory.size(), shape.size));
    else
      object.offset = reserve(program.workgroupMemory, shape);
    addInitial(inst, layout, program.workgroupMemory.data() + object.offset);
    break;
  case spv::StorageClass::PushConstant: {
    object.home = Object::Home::PushConstant;
    std::vector<std::byte> &bytes = program.inputs.pushConstants;
    bytes.resize(std::max<size_t>(bytes.size(), shape.size));
    break;
  }
  case spv::StorageClass::Uniform:
  case spv::StorageClass::StorageBuffer:
  case spv::StorageClass::UniformConstant:
    return resourceObjects(inst, pointer->pointee);
  default:
    fault = {inst.result(), "unsupported storage class of a variable"};
    return kConstantBit;
  }
  program.objects.push_back(object);
  return pointerTo(number, layout);
}

/// Of an image whose format the module leaves open: four components of its type.
static const vulkan::ImageFormat *formatOf(const Module &module, const Instruction &image) {
  for (const vulkan::ImageFormat &format : vulkan::imageFormats())
    if (format.spirvFormat == image.literal(6) && image.literal(6) != 0)
      return &format;
  const Instruction *texel = module.def(image.id(0));
  if (!texel || texel->opcode() != spv::Op::OpTypeInt)
    return vulkan::findImageFormat("rgba32f");
  return vulkan::findImageFormat(texel->literal(1) != 0 ? "rgba32i" : "rgba32ui");
}

/// An object for each descriptor of the variable; resources that nobody gave are made.
uint32_t Decoder::resourceObjects(const Instruction &inst, Id pointee) {
  const Instruction *type = module.def(pointee);
  const bool isArray =
      type->opcode() == spv::Op::OpTypeArray || type->opcode() == spv::Op::OpTypeRuntimeArray;
  const uint32_t layout =
      isArray ? program.layouts.ofDescriptors(pointee) : program.layouts.of(pointee);
  const uint32_t set = module.decoration(inst.result(), spv::Decoration::DescriptorSet).value_or(0);
  const uint32_t binding = module.decoration(inst.result(), spv::Decoration::Binding).value_or(0);
  auto &resources = program.inputs.resources;
  uint64_t count = 1;
  if (isArray) {
    count = program.layouts.at(layout).count;
    while (count == 0 || resources.contains({set, binding, static_cast<uint32_t>(count)}))
      ++count; // an array without a length has as many as were given
    type = module.def(type->id(0));
  }
  const Instruction *image =
      type->opcode() == spv::Op::OpTypeSampledImage ? module.def(type->id(0)) : type;
  const auto first = static_cast<uint32_t>(program.objects.size());
  for (uint32_t element = 0; element < count; ++element) {
    auto [at, isNew] = resources.try_emplace({set, binding, element});
    Resource &resource = at->second;
    const bool isImage = image->opcode() == spv::Op::OpTypeImage;
    if (isNew && isImage) {
      resource.format = formatOf(module, *image);
      resource.extent = program.inputs.defaultExtent;
      resource.data.resize(resource.extent.product() * resource.format->texelBytes);
    } else if (isNew && type->opcode() == spv::Op::OpTypeStruct) {
      resource.data.resize(
          std::max<uint64_t>(program.inputs.defaultBufferBytes,
                             program.layouts.at(program.layouts.of(type->result())).size));
    }
    if (isImage && (!resource.format || resource.data.size() < resource.extent.product() *
                                                                   resource.format->texelBytes)) {
      fault = {inst.result(), "the resource of that binding is no image with all its texels"};
      return kConstantBit;
    }
    Object object;
    object.home = Object::Home::Resource;
    object.space = spaceOf(module, inst);
    object.variable = &inst;
    object.element = element;
    object.resource = &resource;
    program.objects.push_back(object);
  }
  return pointerTo(first, layout);
}

} // namespace tailor::interp
