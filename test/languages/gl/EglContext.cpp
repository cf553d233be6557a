//===- languages/gl/EglContext.cpp -----------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "EglContext.h"

#include <EGL/eglext.h>

namespace tailor::languages {
namespace {

Failure noContext(const std::string &what) {
  return failure({}, "EGL: " + what + " (error " + std::to_string(eglGetError()) + ")",
                 ErrorKind::Environment);
}

} // namespace

Result<std::unique_ptr<EglContext>> EglContext::create(GlApi api, int major, int minor) {
  EGLDisplay display =
      eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
  if (display == EGL_NO_DISPLAY || !eglInitialize(display, nullptr, nullptr))
    return noContext("no surfaceless display");
  if (!eglBindAPI(api == GlApi::Es ? EGL_OPENGL_ES_API : EGL_OPENGL_API))
    return noContext("no such API");
  const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION,
                               major,
                               EGL_CONTEXT_MINOR_VERSION,
                               minor,
                               EGL_CONTEXT_OPENGL_DEBUG,
                               EGL_TRUE,
                               EGL_NONE};
  EGLContext context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
  if (context == EGL_NO_CONTEXT)
    return noContext("no context");
  std::unique_ptr<EglContext> made(new EglContext(display, context, api));
  if (Status current = made->makeCurrent(); !current)
    return current.takeFailure();
  if (Status loaded = made->load(); !loaded)
    return loaded.takeFailure();
  made->functions.Enable(GL_DEBUG_OUTPUT);
  made->functions.Enable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
  made->functions.DebugMessageCallback(report, made.get());
  return made;
}

EglContext::~EglContext() {
  eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  eglDestroyContext(display, context);
}

Status EglContext::load() {
  const char *missing = nullptr;
#define TAILOR_GL_LOAD(TYPE, NAME)                                                                 \
  functions.NAME = reinterpret_cast<PFNGL##TYPE##PROC>(eglGetProcAddress("gl" #NAME));             \
  if (!functions.NAME)                                                                             \
    missing = "gl" #NAME;
  TAILOR_GL_FUNCTIONS(TAILOR_GL_LOAD)
#undef TAILOR_GL_LOAD
  return missing ? noContext(std::string("no function ") + missing) : success();
}

Status EglContext::makeCurrent() {
  if (!eglBindAPI(which == GlApi::Es ? EGL_OPENGL_ES_API : EGL_OPENGL_API) ||
      !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
    return noContext("the context cannot be made current");
  return success();
}

std::string EglContext::version() const {
  return reinterpret_cast<const char *>(functions.GetString(GL_VERSION));
}

std::string EglContext::takeErrors() {
  for (GLenum code; (code = functions.GetError()) != GL_NO_ERROR;)
    errors += "error " + std::to_string(code) + "\n";
  return std::exchange(errors, {});
}

void GL_APIENTRY EglContext::report(GLenum, GLenum type, GLuint, GLenum, GLsizei,
                                    const GLchar *message, const void *self) {
  if (type == GL_DEBUG_TYPE_ERROR || type == GL_DEBUG_TYPE_UNDEFINED_BEHAVIOR)
    const_cast<EglContext *>(static_cast<const EglContext *>(self))->errors +=
        std::string(message) + "\n";
}

} // namespace tailor::languages
