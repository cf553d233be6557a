//===- languages/gl/EglContext.h - OpenGL and ES without a window ---------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A context on EGL's surfaceless platform, with debug output: whatever the
// implementation calls an error is kept until it is taken.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_LANGUAGES_GL_EGLCONTEXT_H
#define TAILOR_LANGUAGES_GL_EGLCONTEXT_H

#include "Support/Result.h"

#include <EGL/egl.h>
#define GL_GLES_PROTOTYPES 0
#include <GLES3/gl32.h>

#include <cstdint>
#include <memory>
#include <string>

namespace tailor::languages {

enum class GlApi : uint8_t { Desktop, Es };

// Everything that OpenGL 4.3 and OpenGL ES 3.1 with debug output have in common and that is used:
// X(TYPE, NAME), the function glNAME of the type PFNGLTYPEPROC.
#define TAILOR_GL_FUNCTIONS(X)                                                                     \
  X(ACTIVETEXTURE, ActiveTexture)                                                                  \
  X(ATTACHSHADER, AttachShader)                                                                    \
  X(BINDBUFFER, BindBuffer)                                                                        \
  X(BINDBUFFERRANGE, BindBufferRange)                                                              \
  X(BINDFRAMEBUFFER, BindFramebuffer)                                                              \
  X(BINDIMAGETEXTURE, BindImageTexture)                                                            \
  X(BINDSAMPLER, BindSampler)                                                                      \
  X(BINDTEXTURE, BindTexture)                                                                      \
  X(BUFFERDATA, BufferData)                                                                        \
  X(CHECKFRAMEBUFFERSTATUS, CheckFramebufferStatus)                                                \
  X(COMPILESHADER, CompileShader)                                                                  \
  X(CREATEPROGRAM, CreateProgram)                                                                  \
  X(CREATESHADER, CreateShader)                                                                    \
  X(DEBUGMESSAGECALLBACK, DebugMessageCallback)                                                    \
  X(DELETEBUFFERS, DeleteBuffers)                                                                  \
  X(DELETEFRAMEBUFFERS, DeleteFramebuffers)                                                        \
  X(DELETEPROGRAM, DeleteProgram)                                                                  \
  X(DELETESAMPLERS, DeleteSamplers)                                                                \
  X(DELETESHADER, DeleteShader)                                                                    \
  X(DELETETEXTURES, DeleteTextures)                                                                \
  X(DISPATCHCOMPUTE, DispatchCompute)                                                              \
  X(ENABLE, Enable)                                                                                \
  X(FINISH, Finish)                                                                                \
  X(FRAMEBUFFERTEXTURE2D, FramebufferTexture2D)                                                    \
  X(FRAMEBUFFERTEXTURELAYER, FramebufferTextureLayer)                                              \
  X(GENBUFFERS, GenBuffers)                                                                        \
  X(GENFRAMEBUFFERS, GenFramebuffers)                                                              \
  X(GENSAMPLERS, GenSamplers)                                                                      \
  X(GENTEXTURES, GenTextures)                                                                      \
  X(GETERROR, GetError)                                                                            \
  X(GETINTEGERV, GetIntegerv)                                                                      \
  X(GETPROGRAMINFOLOG, GetProgramInfoLog)                                                          \
  X(GETPROGRAMINTERFACEIV, GetProgramInterfaceiv)                                                  \
  X(GETPROGRAMIV, GetProgramiv)                                                                    \
  X(GETPROGRAMRESOURCEINDEX, GetProgramResourceIndex)                                              \
  X(GETPROGRAMRESOURCEIV, GetProgramResourceiv)                                                    \
  X(GETSHADERINFOLOG, GetShaderInfoLog)                                                            \
  X(GETSHADERIV, GetShaderiv)                                                                      \
  X(GETSTRING, GetString)                                                                          \
  X(GETUNIFORMIV, GetUniformiv)                                                                    \
  X(GETUNIFORMLOCATION, GetUniformLocation)                                                        \
  X(LINKPROGRAM, LinkProgram)                                                                      \
  X(MAPBUFFERRANGE, MapBufferRange)                                                                \
  X(MEMORYBARRIER, MemoryBarrier)                                                                  \
  X(PIXELSTOREI, PixelStorei)                                                                      \
  X(READPIXELS, ReadPixels)                                                                        \
  X(SAMPLERPARAMETERI, SamplerParameteri)                                                          \
  X(SHADERSOURCE, ShaderSource)                                                                    \
  X(TEXPARAMETERI, TexParameteri)                                                                  \
  X(TEXSTORAGE2D, TexStorage2D)                                                                    \
  X(TEXSTORAGE3D, TexStorage3D)                                                                    \
  X(TEXSUBIMAGE2D, TexSubImage2D)                                                                  \
  X(TEXSUBIMAGE3D, TexSubImage3D)                                                                  \
  X(UNMAPBUFFER, UnmapBuffer)                                                                      \
  X(USEPROGRAM, UseProgram)

/// The functions of one API.
struct GlFunctions {
#define TAILOR_GL_MEMBER(TYPE, NAME) PFNGL##TYPE##PROC NAME = nullptr;
  TAILOR_GL_FUNCTIONS(TAILOR_GL_MEMBER)
#undef TAILOR_GL_MEMBER
};

class EglContext {
public:
  /// Desktop: a core profile. ErrorKind::Environment where there is no such context.
  static Result<std::unique_ptr<EglContext>> create(GlApi api, int major, int minor);
  ~EglContext();
  EglContext(const EglContext &) = delete;
  EglContext &operator=(const EglContext &) = delete;

  /// Every call of a function is to the context that is current.
  Status makeCurrent();
  const GlFunctions &gl() const { return functions; }
  GlApi api() const { return which; }
  std::string version() const; ///< GL_VERSION
  /// What debug output and glGetError reported as errors since the last call; empty: nothing.
  std::string takeErrors();

private:
  EglContext(EGLDisplay display, EGLContext context, GlApi api)
      : display(display), context(context), which(api) {}
  Status load();
  static void GL_APIENTRY report(GLenum source, GLenum type, GLuint id, GLenum severity,
                                 GLsizei length, const GLchar *message, const void *self);

  EGLDisplay display;
  EGLContext context;
  GlApi which;
  GlFunctions functions;
  std::string errors;
};

} // namespace tailor::languages

#endif
