//===- test/unit/Backends/GlslSupport.h --------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TEST_BACKENDS_GLSLSUPPORT_H
#define TAILOR_TEST_BACKENDS_GLSLSUPPORT_H

#include "Shaders.h"
#include "Support/SpirvTools.h"

namespace tailor::test {

/// A kernel with `declarations` ahead of main and `body` in it, of 8 invocations.
inline std::vector<uint32_t> kernel(const std::string &declarations, const std::string &body,
                                    const std::string &more = "") {
  return module("#version 450\n"
                "#extension GL_EXT_shader_explicit_arithmetic_types : require\n"
                "#extension GL_EXT_shader_16bit_storage : require\n"
                "#extension GL_EXT_samplerless_texture_functions : require\n" +
                more +
                "layout(local_size_x = 8) in;\n"
                "layout(binding = 0) buffer A { uint n; uint a[]; };\n" +
                declarations + "\nvoid main() {\n  uint i = gl_GlobalInvocationID.x;\n" + body +
                "\n}\n");
}

inline EmitOptions options450() {
  EmitOptions options;
  options.glslVersion = 450;
  return options;
}

inline EmitOptions esOptions(uint32_t version) {
  EmitOptions options;
  options.esslVersion = version;
  return options;
}

/// The text and what it asks of its host; the text also goes through a compiler, and what comes of
/// it through the validator. A refusal is a test failure.
inline Emitted glslOf(const std::vector<uint32_t> &words, const EmitOptions &options = {},
                      std::string_view target = "glsl", Dim3 size = {8, 1, 1}) {
  Result<Emitted> made = emit(target, {words, "main", size, "k.comp", options});
  if (!made) {
    ADD_FAILURE() << target << ": " << made.diagnostic().text;
    return {};
  }
  EXPECT_TRUE(validateSpirv(compile(made->code, "out.comp"), "out")) << made->code;
  return std::move(*made);
}

} // namespace tailor::test

#endif
