//===- languages/hlsl/RegisterBinding.cpp ----------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RegisterBinding.h"

#include "ConsumerRepairs.h"

#include "../../differential/Harness.h"

#include "IR/Builder.h"
#include "IR/Types.h"

#include <cstring>

namespace tailor::languages {
namespace {

using vulkan::ResourceDesc;
using vulkan::ResourceKind;

struct Register {
  std::string letters; ///< that it may be: glslang does not say whether t or u
  uint32_t number = 0, space = 0;
};

/// Frontend.h: t registers from 32 on, u from 64, s from 96.
constexpr uint32_t kShift = 32;

std::string nameOf(const Register &place) {
  return place.letters + std::to_string(place.number) + " space " + std::to_string(place.space);
}

uint32_t numberIn(const std::vector<PlaceNumber> &place, const std::string &word) {
  for (const PlaceNumber &each : place)
    if (each.word == word)
      return each.number;
  return 0;
}

bool isAt(const std::vector<PlaceNumber> &place, const Register &wanted) {
  return !place.empty() && wanted.letters.find(place[0].word) != std::string::npos &&
         place[0].number == wanted.number && numberIn(place, "space") == wanted.space;
}

class Binder {
public:
  Binder(Module module, RegisterSource source, const LanguageCase &made)
      : module(std::move(module)), source(source), made(made), instance(made.problem->instance) {}

  Result<BoundModule> bind() {
    instance.pushConstants.clear();
    for (ResourceDesc &desc : instance.resources) {
      next = std::max(next, desc.binding + 1);
      if (desc.kind == ResourceKind::UniformBuffer)
        roundUp(desc);
    }
    std::vector<Instruction *> variables;
    for (Instruction &inst : module.section(Section::Globals))
      if (inst.opcode() == spv::Op::OpVariable && isResource(inst))
        variables.push_back(&inst);
    for (Instruction *variable : variables)
      if (Status placed = place(*variable); !placed)
        return placed.takeFailure();
    return BoundModule{module.words(), std::move(instance)};
  }

private:
  /// Constant buffers are made of vectors of four.
  static void roundUp(ResourceDesc &desc) {
    desc.bytes = (desc.bytes + 15) / 16 * 16;
    if (desc.fill == vulkan::InitialFill::Bytes)
      desc.initial.resize(desc.bytes);
  }
  bool isResource(const Instruction &variable) const {
    const auto storage = static_cast<spv::StorageClass>(variable.literal(0));
    return storage == spv::StorageClass::UniformConstant || storage == spv::StorageClass::Uniform ||
           storage == spv::StorageClass::StorageBuffer;
  }
  std::optional<Register> registerOf(const Instruction &variable) const;
  std::string lettersOf(const Instruction &variable) const;
  Status place(const Instruction &variable);
  Status placeResource(const Instruction &variable, const PlacedResource &resource);
  Status placeValues(const Instruction &variable, const PlacedValues &values);
  void setBinding(Id variable, uint32_t set, uint32_t binding);

  Module module;
  RegisterSource source;
  const LanguageCase &made;
  vulkan::KernelInstance instance;
  uint32_t next = 0; ///< a binding of set 0 that nobody has
};

/// By the variable's type.
std::string Binder::lettersOf(const Instruction &variable) const {
  const std::optional<PointerType> pointer = pointerType(module, variable.typeId());
  Id type = pointer ? pointer->pointee : Id::None;
  const Instruction *definition = module.def(type);
  while (definition && (definition->opcode() == spv::Op::OpTypeArray ||
                        definition->opcode() == spv::Op::OpTypeRuntimeArray)) {
    type = definition->id(0);
    definition = module.def(type);
  }
  if (!definition)
    return "";
  if (definition->opcode() == spv::Op::OpTypeSampler)
    return "s";
  if (definition->opcode() == spv::Op::OpTypeImage)
    return "tu";
  const bool isConstant = pointer->storageClass == spv::StorageClass::Uniform &&
                          !module.hasDecoration(type, spv::Decoration::BufferBlock);
  return isConstant ? "b" : "tu";
}

std::optional<Register> Binder::registerOf(const Instruction &variable) const {
  const Id id = variable.result();
  if (source == RegisterSource::Glslang) {
    std::optional<uint32_t> binding = module.decoration(id, spv::Decoration::Binding);
    if (!binding)
      return std::nullopt;
    const uint32_t space = module.decoration(id, spv::Decoration::DescriptorSet).value_or(0);
    const std::string letters = lettersOf(variable);
    // Where registers of two letters would be one binding, the front end sets them apart.
    const uint32_t shift = letters == "b" ? 0 : *binding / kShift;
    return shift == 0 ? Register{letters, *binding, space}
                      : Register{shift == 1   ? "t"
                                 : shift == 2 ? "u"
                                              : "s",
                                 *binding % kShift, space};
  }
  // t0, u1, s2, cb3_0
  std::string name = module.name(id);
  const size_t digits = name.find_first_of("0123456789");
  if (digits == std::string::npos || digits == 0)
    return std::nullopt;
  return Register{name.substr(0, 1) == "c" ? "b" : name.substr(0, 1),
                  static_cast<uint32_t>(std::strtoul(name.c_str() + digits, nullptr, 10)), 0};
}

void Binder::setBinding(Id variable, uint32_t set, uint32_t binding) {
  for (Instruction &inst : module.section(Section::Annotations)) {
    if (inst.opcode() != spv::Op::OpDecorate || inst.id(0) != variable)
      continue;
    if (inst.literal(1) == static_cast<uint32_t>(spv::Decoration::DescriptorSet))
      inst.setLiteral(2, set);
    if (inst.literal(1) == static_cast<uint32_t>(spv::Decoration::Binding))
      inst.setLiteral(2, binding);
  }
}

Status Binder::place(const Instruction &variable) {
  const std::optional<Register> at = registerOf(variable);
  if (!at)
    return failure({}, "'" + module.name(variable.result()) + "' has no register");
  for (const PlacedResource &resource : made.interface.resources)
    if (isAt(resource.place, *at))
      return placeResource(variable, resource);
  for (const PlacedValues &values : made.interface.values)
    if (isAt(values.place, *at))
      return placeValues(variable, values);
  return failure({}, "the interface names nothing at " + nameOf(*at) + " ('" +
                         module.name(variable.result()) + "')");
}

Status Binder::placeResource(const Instruction &variable, const PlacedResource &resource) {
  uint32_t binding = resource.binding;
  for (size_t at = 0; at < instance.resources.size(); ++at) {
    ResourceDesc &desc = instance.resources[at];
    if (desc.set != resource.set || desc.binding != resource.binding)
      continue;
    if (resource.kind == "sampler" && desc.kind != ResourceKind::Sampler) {
      // The other half of a combined one, in a binding of its own.
      ResourceDesc sampler;
      sampler.set = desc.set;
      sampler.binding = binding = next++;
      sampler.kind = ResourceKind::Sampler;
      sampler.sampler = desc.sampler;
      instance.resources.push_back(std::move(sampler));
      break;
    }
    if (resource.place[0].word == "t" && vulkan::isImage(desc.kind))
      desc.kind = ResourceKind::SampledImage;
    if (const vulkan::ImageFormat *format = vulkan::findImageFormat(desc.format))
      if (Status set = setImageFormat(module, variable, format->spirvFormat); !set)
        return set;
  }
  setBinding(variable.result(), resource.set, binding);
  return success();
}

Status Binder::placeValues(const Instruction &variable, const PlacedValues &values) {
  ResourceDesc desc;
  desc.binding = next++;
  desc.kind = ResourceKind::UniformBuffer;
  desc.fill = vulkan::InitialFill::Bytes;
  if (values.what == "push_constants") {
    desc.initial = made.pushConstants;
    if (desc.initial.size() < values.bytes)
      return failure({}, "the block of push constants has " + std::to_string(values.bytes) +
                             " bytes in the text and " + std::to_string(desc.initial.size()) +
                             " in the problem");
  } else if (values.what == "workgroup_counts") {
    desc.initial.resize(12);
    std::memcpy(desc.initial.data(), made.groups.array().data(), 12);
  } else {
    return failure({}, "nobody knows the values '" + values.what + "'");
  }
  desc.bytes = desc.initial.size();
  roundUp(desc);
  setBinding(variable.result(), desc.set, desc.binding);
  instance.resources.push_back(std::move(desc));
  return success();
}

} // namespace

Result<BoundModule> bindRegisters(Module module, RegisterSource source, const LanguageCase &made) {
  return Binder(std::move(module), source, made).bind();
}

Result<std::vector<std::vector<std::byte>>> runBound(const BoundModule &bound,
                                                     const LanguageCase &made) {
  vulkan::Candidate candidate;
  candidate.name = made.name();
  candidate.words = bound.words;
  candidate.groups = made.groups;
  candidate.localSize = made.variant.localSize;
  for (const auto &device : differential::devices()) {
    if (device->info().name != made.problem->device)
      continue;
    Result<std::unique_ptr<vulkan::Runner>> runner = vulkan::Runner::create(device, bound.instance);
    if (!runner)
      return runner.takeFailure();
    Result<vulkan::PipelineId> pipeline = (*runner)->prepare(candidate);
    if (!pipeline)
      return pipeline.takeFailure();
    Result<vulkan::RunResult> ran = (*runner)->runOnce(*pipeline);
    if (!ran)
      return ran.takeFailure();
    std::vector<std::vector<std::byte>> outputs;
    for (vulkan::OutputData &output : ran->outputs)
      outputs.push_back(std::move(output.bytes));
    for (const vulkan::CanaryViolation &violation : ran->violations)
      return failure({}, violation.text);
    return outputs;
  }
  return failure({}, "there is no device '" + made.problem->device + "'", ErrorKind::Environment);
}

} // namespace tailor::languages
