//===- languages/gl/GlProgram.cpp ------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "GlRunner.h"

namespace tailor::languages {
namespace {

std::string shaderLog(const GlFunctions &gl, GLuint shader) {
  GLint length = 0;
  gl.GetShaderiv(shader, GL_INFO_LOG_LENGTH, &length);
  std::string log(static_cast<size_t>(length), '\0');
  gl.GetShaderInfoLog(shader, length, nullptr, log.data());
  return log;
}

std::string programLog(const GlFunctions &gl, GLuint program) {
  GLint length = 0;
  gl.GetProgramiv(program, GL_INFO_LOG_LENGTH, &length);
  std::string log(static_cast<size_t>(length), '\0');
  gl.GetProgramInfoLog(program, length, nullptr, log.data());
  return log;
}

uint32_t placeOf(const std::vector<PlaceNumber> &place) {
  return place.empty() ? UINT32_MAX : place.front().number;
}

} // namespace

Result<GlProgram> GlProgram::make(EglContext &context, const std::string &text) {
  const GlFunctions &gl = context.gl();
  const GLuint shader = gl.CreateShader(GL_COMPUTE_SHADER);
  GlProgram program(gl, gl.CreateProgram());
  const GLchar *source = text.data();
  const GLint length = static_cast<GLint>(text.size());
  gl.ShaderSource(shader, 1, &source, &length);
  gl.CompileShader(shader);
  GLint fine = 0;
  gl.GetShaderiv(shader, GL_COMPILE_STATUS, &fine);
  const std::string log = fine ? std::string() : shaderLog(gl, shader);
  gl.AttachShader(program.name, shader);
  gl.DeleteShader(shader);
  if (!fine)
    return failure({}, "the text does not compile: " + log);
  gl.LinkProgram(program.name);
  gl.GetProgramiv(program.name, GL_LINK_STATUS, &fine);
  if (!fine)
    return failure({}, "the program does not link: " + programLog(gl, program.name));
  return program;
}

GlProgram::~GlProgram() {
  if (name != 0)
    gl->DeleteProgram(name);
}

Dim3 GlProgram::workgroupSize() const {
  GLint size[3] = {};
  gl->GetProgramiv(name, GL_COMPUTE_WORK_GROUP_SIZE, size);
  return {static_cast<uint32_t>(size[0]), static_cast<uint32_t>(size[1]),
          static_cast<uint32_t>(size[2])};
}

GLint GlProgram::property(GLenum programInterface, GLuint index, GLenum what) const {
  GLint value = -1;
  gl->GetProgramResourceiv(name, programInterface, index, 1, &what, 1, nullptr, &value);
  return value;
}

Status GlProgram::checkBlock(GLenum programInterface, const std::string &blockName, uint32_t place,
                             uint32_t bytes) const {
  const GLuint index = gl->GetProgramResourceIndex(name, programInterface, blockName.c_str());
  if (index == GL_INVALID_INDEX)
    return failure({}, "the program has no block " + blockName);
  const GLint binding = property(programInterface, index, GL_BUFFER_BINDING);
  if (binding != static_cast<GLint>(place))
    return failure({}, "the block " + blockName + " is at " + std::to_string(binding) +
                           ", the interface says " + std::to_string(place));
  const GLint least = property(programInterface, index, GL_BUFFER_DATA_SIZE);
  if (bytes != 0 && least > static_cast<GLint>(bytes))
    return failure({}, "the block " + blockName + " takes " + std::to_string(least) +
                           " bytes, the interface says " + std::to_string(bytes));
  return success();
}

Status GlProgram::checkUniform(const std::string &uniformName, uint32_t place) const {
  const GLint location = gl->GetUniformLocation(name, uniformName.c_str());
  if (location < 0)
    return failure({}, "the program has no uniform " + uniformName);
  GLint unit = -1;
  gl->GetUniformiv(name, location, &unit);
  if (unit != static_cast<GLint>(place))
    return failure({}, "the uniform " + uniformName + " has unit " + std::to_string(unit) +
                           ", the interface says " + std::to_string(place));
  return success();
}

Status GlProgram::checkInterface(const LanguageInterface &interface) const {
  GLint storage = 0, uniform = 0;
  gl->GetProgramInterfaceiv(name, GL_SHADER_STORAGE_BLOCK, GL_ACTIVE_RESOURCES, &storage);
  gl->GetProgramInterfaceiv(name, GL_UNIFORM_BLOCK, GL_ACTIVE_RESOURCES, &uniform);
  for (const PlacedResource &resource : interface.resources) {
    const bool isStorage = resource.kind == "storage_buffer";
    const bool isUniform = resource.kind == "uniform_buffer";
    for (uint32_t element = 0; element < resource.count; ++element) {
      const std::string each =
          resource.name +
          (resource.count > 1 ? "[" + std::to_string(element) + "]" : std::string());
      const uint32_t place = placeOf(resource.place) + element;
      Status fine = isStorage   ? checkBlock(GL_SHADER_STORAGE_BLOCK, each, place, 0)
                    : isUniform ? checkBlock(GL_UNIFORM_BLOCK, each, place, 0)
                                : checkUniform(each, place);
      if (!fine)
        return fine;
    }
    storage -= isStorage ? static_cast<GLint>(resource.count) : 0;
    uniform -= isUniform ? static_cast<GLint>(resource.count) : 0;
  }
  for (const PlacedValues &values : interface.values) {
    const bool isStorage = values.kind == "storage_buffer";
    if (Status fine = checkBlock(isStorage ? GL_SHADER_STORAGE_BLOCK : GL_UNIFORM_BLOCK,
                                 values.name, placeOf(values.place), values.bytes);
        !fine)
      return fine;
    --(isStorage ? storage : uniform);
  }
  if (storage != 0 || uniform != 0)
    return failure({}, "the program and the interface have not as many blocks");
  return success();
}

} // namespace tailor::languages
