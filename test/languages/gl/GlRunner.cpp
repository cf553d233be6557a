//===- languages/gl/GlRunner.cpp -------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "GlRunner.h"

#include "GlImages.h"

#include <algorithm>
#include <cstring>
#include <map>

namespace tailor::languages {
namespace {

using vulkan::ResourceDesc;
using vulkan::ResourceKind;

/// A block of std140 ends at a multiple of this, and is read to its end.
constexpr size_t kUniformAlignment = 16;

std::vector<std::byte> contentsOf(const ResourceDesc &desc) {
  std::vector<std::byte> bytes(desc.dataBytes());
  if (desc.fill == vulkan::InitialFill::Bytes)
    std::copy(desc.initial.begin(), desc.initial.end(), bytes.begin());
  if (desc.fill == vulkan::InitialFill::Poison)
    for (size_t at = 0; at < bytes.size(); ++at)
      bytes[at] = vulkan::poisonByte(at);
  return bytes;
}

class CaseRun {
public:
  CaseRun(EglContext &context, const LanguageCase &made)
      : context(context), gl(context.gl()), made(made), instance(made.problem->instance) {}
  ~CaseRun() {
    gl.UseProgram(0);
    gl.DeleteBuffers(static_cast<GLsizei>(owned.size()), owned.data());
    gl.DeleteSamplers(static_cast<GLsizei>(samplers.size()), samplers.data());
    for (const auto &[index, texture] : textures)
      gl.DeleteTextures(1, &texture.name);
  }

  Result<std::vector<std::vector<std::byte>>> run() {
    Result<GlProgram> program = GlProgram::make(context, made.text);
    if (!program)
      return program.takeFailure();
    if (program->workgroupSize() != made.variant.localSize)
      return failure({}, "the program has the workgroup size " + program->workgroupSize().str() +
                             ", the variant " + made.variant.localSize.str());
    if (Status same = program->checkInterface(made.interface); !same)
      return same.takeFailure();
    gl.UseProgram(program->id());
    if (Status bound = bindAll(); !bound)
      return bound.takeFailure();
    gl.DispatchCompute(made.groups.x, made.groups.y, made.groups.z);
    gl.MemoryBarrier(GL_ALL_BARRIER_BITS);
    gl.Finish();
    Result<std::vector<std::vector<std::byte>>> outputs = readAll();
    if (std::string errors = context.takeErrors(); !errors.empty())
      return failure({}, "the implementation reports: " + errors);
    return outputs;
  }

private:
  /// The resource of that place and kind in the module.
  const ResourceDesc *find(uint32_t set, uint32_t binding, uint32_t element, size_t &index) const {
    for (index = 0; index < instance.resources.size(); ++index) {
      const ResourceDesc &desc = instance.resources[index];
      if (desc.set == set && desc.binding == binding && desc.element == element)
        return &desc;
    }
    return nullptr;
  }

  Status bindAll() {
    for (const PlacedResource &placed : made.interface.resources)
      for (uint32_t element = 0; element < placed.count; ++element)
        if (Status bound = bind(placed, element); !bound)
          return bound;
    for (const PlacedValues &values : made.interface.values) {
      std::vector<std::byte> bytes = made.pushConstants;
      bytes.resize(std::max<size_t>(values.bytes, bytes.size()));
      bindBuffer(values.kind == "storage_buffer" ? GL_SHADER_STORAGE_BUFFER : GL_UNIFORM_BUFFER,
                 values.place.front().number, makeBuffer(bytes), bytes.size());
    }
    return success();
  }

  Status bind(const PlacedResource &placed, uint32_t element) {
    size_t index = 0;
    const ResourceDesc *desc = find(placed.set, placed.binding, element, index);
    if (!desc)
      return failure({}, "the problem has nothing for " + placed.name);
    const GLuint place = placed.place.front().number + element;
    if (placed.kind == "storage_buffer") {
      bindBuffer(GL_SHADER_STORAGE_BUFFER, place, bufferOf(index), desc->bytes);
      return success();
    }
    if (placed.kind == "uniform_buffer") {
      bindBuffer(GL_UNIFORM_BUFFER, place, bufferOf(index),
                 (desc->bytes + kUniformAlignment - 1) / kUniformAlignment * kUniformAlignment);
      return success();
    }
    return bindTexture(placed, *desc, index, element, place);
  }

  Status bindTexture(const PlacedResource &placed, const ResourceDesc &desc, size_t index,
                     uint32_t element, GLuint place) {
    if (!textures.contains(index)) {
      Result<GlTexture> texture = makeTexture(gl, desc, contentsOf(desc));
      if (!texture)
        return texture.takeFailure();
      textures.emplace(index, *texture);
    }
    const GlTexture &texture = textures.at(index);
    if (placed.kind == "image") {
      gl.BindImageTexture(place, texture.name, 0, texture.isLayered, 0,
                          placed.writes ? GL_READ_WRITE : GL_READ_ONLY, texture.internalFormat);
      return success();
    }
    gl.ActiveTexture(GL_TEXTURE0 + place);
    gl.BindTexture(texture.target, texture.name);
    if (placed.kind != "combined") {
      gl.BindSampler(place, 0);
      return success();
    }
    const ResourceDesc *sampler = &desc;
    size_t samplerIndex = 0;
    if (placed.sampler)
      sampler = find(placed.sampler->first, placed.sampler->second, element, samplerIndex);
    if (!sampler)
      return failure({}, "the problem has no sampler for " + placed.name);
    Result<GLuint> name = makeSampler(gl, sampler->sampler);
    if (!name)
      return name.takeFailure();
    samplers.push_back(*name);
    gl.BindSampler(place, *name);
    return success();
  }

  GLuint makeBuffer(const std::vector<std::byte> &bytes) {
    GLuint name = 0;
    gl.GenBuffers(1, &name);
    owned.push_back(name);
    gl.BindBuffer(GL_SHADER_STORAGE_BUFFER, name);
    gl.BufferData(GL_SHADER_STORAGE_BUFFER, static_cast<GLsizeiptr>(bytes.size()), bytes.data(),
                  GL_DYNAMIC_COPY);
    return name;
  }

  GLuint bufferOf(size_t index) {
    if (!buffers.contains(index)) {
      std::vector<std::byte> bytes = contentsOf(instance.resources[index]);
      if (instance.resources[index].kind == ResourceKind::UniformBuffer)
        bytes.resize((bytes.size() + kUniformAlignment - 1) / kUniformAlignment *
                     kUniformAlignment);
      buffers.emplace(index, makeBuffer(bytes));
    }
    return buffers.at(index);
  }

  void bindBuffer(GLenum target, GLuint place, GLuint buffer, size_t bytes) {
    gl.BindBufferRange(target, place, buffer, 0, static_cast<GLsizeiptr>(bytes));
  }

  Result<std::vector<std::vector<std::byte>>> readAll() {
    std::vector<std::vector<std::byte>> outputs;
    for (const vulkan::OutputData &output : made.problem->expected.outputs) {
      Result<std::vector<std::byte>> bytes = read(output.resource);
      if (!bytes)
        return bytes.takeFailure();
      outputs.push_back(std::move(*bytes));
    }
    return outputs;
  }

  Result<std::vector<std::byte>> read(size_t index) {
    const ResourceDesc &desc = instance.resources[index];
    if (auto texture = textures.find(index); texture != textures.end())
      return readTexture(gl, texture->second, desc);
    auto buffer = buffers.find(index);
    if (buffer == buffers.end())
      return failure({}, desc.str() + " is an output that the text does not have");
    std::vector<std::byte> bytes(desc.bytes);
    gl.BindBuffer(GL_SHADER_STORAGE_BUFFER, buffer->second);
    const void *mapped = gl.MapBufferRange(GL_SHADER_STORAGE_BUFFER, 0,
                                           static_cast<GLsizeiptr>(bytes.size()), GL_MAP_READ_BIT);
    if (!mapped)
      return failure({}, desc.str() + " cannot be read: " + context.takeErrors());
    std::memcpy(bytes.data(), mapped, bytes.size());
    gl.UnmapBuffer(GL_SHADER_STORAGE_BUFFER);
    return bytes;
  }

  EglContext &context;
  const GlFunctions &gl;
  const LanguageCase &made;
  const vulkan::KernelInstance &instance;
  std::map<size_t, GLuint> buffers;     ///< by index into the instance's resources
  std::map<size_t, GlTexture> textures; ///< the same
  std::vector<GLuint> owned, samplers;
};

} // namespace

Result<std::vector<std::vector<std::byte>>> runCase(EglContext &context, const LanguageCase &made) {
  if (Status current = context.makeCurrent(); !current)
    return current.takeFailure();
  context.takeErrors();
  return CaseRun(context, made).run();
}

std::string differences(const LanguageCase &made,
                        const std::vector<std::vector<std::byte>> &outputs) {
  const KernelProblem &problem = *made.problem;
  for (size_t at = 0; at < problem.expected.outputs.size(); ++at) {
    const vulkan::OutputData &expected = problem.expected.outputs[at];
    Result<vulkan::Comparison> compared =
        vulkan::compare(expected.bytes, outputs[at], problem.rules[at]);
    if (!compared || !compared->equal())
      return problem.instance.resources[expected.resource].str() + ": " +
             (compared ? compared->str() : compared.diagnostic().text);
  }
  return {};
}

} // namespace tailor::languages
