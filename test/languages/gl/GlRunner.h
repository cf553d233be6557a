//===- languages/gl/GlRunner.h - Runs a text on OpenGL or ES --------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an application does: compiles and links the text, binds every resource
// where the LanguageInterface says, dispatches, reads the outputs back. On the
// way the linked program is asked for its workgroup size and for the place of
// every resource, which must be what the variant and the interface say.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_LANGUAGES_GL_GLRUNNER_H
#define TAILOR_LANGUAGES_GL_GLRUNNER_H

#include "EglContext.h"
#include "LanguageCases.h"

#include <cstddef>
#include <vector>

namespace tailor::languages {

/// A linked program, deleted with the object. Failures hold the implementation's log.
class GlProgram {
public:
  static Result<GlProgram> make(EglContext &context, const std::string &text);
  GlProgram(GlProgram &&other) noexcept : gl(other.gl), name(std::exchange(other.name, 0)) {}
  GlProgram &operator=(GlProgram &&) = delete;
  ~GlProgram();

  GLuint id() const { return name; }
  Dim3 workgroupSize() const;
  /// The place of each resource and of the push constants as the program has it, against what
  /// `interface` says; and that the interface leaves none out.
  Status checkInterface(const LanguageInterface &interface) const;

private:
  GlProgram(const GlFunctions &gl, GLuint name) : gl(&gl), name(name) {}
  GLint property(GLenum programInterface, GLuint index, GLenum what) const;
  Status checkBlock(GLenum programInterface, const std::string &blockName, uint32_t place,
                    uint32_t bytes) const;
  Status checkUniform(const std::string &uniformName, uint32_t place) const;

  const GlFunctions *gl;
  GLuint name;
};

/// Runs a case that has a text: outputs in the order of expected.outputs. Fails for whatever the
/// implementation finds fault with.
Result<std::vector<std::vector<std::byte>>> runCase(EglContext &context, const LanguageCase &made);

/// What `check` would say, without an entry in the table: for kernels that are none of the suite's.
std::string differences(const LanguageCase &made,
                        const std::vector<std::vector<std::byte>> &outputs);

} // namespace tailor::languages

#endif
