//===- Frontend/GlslangHints.cpp -------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Frontend/GlslangHints.h"

#include "Frontend/SourceText.h"

#include "glslang/Public/ShaderLang.h"

namespace tailor {
namespace {

constexpr std::string_view kOtherCompiler =
    "; SPIR-V from another compiler can be given in place of the source";

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// The stage in a name such as `x.mesh` and `x.frag.hlsl`; empty for compute and where none is.
std::string_view otherStageOf(std::string_view fileName) {
  struct Stage {
    std::string_view suffix, name;
  };
  constexpr Stage stages[] = {
      {"vert", "vertex"},       {"frag", "fragment"},     {"geom", "geometry"},
      {"tesc", "tessellation"}, {"tese", "tessellation"}, {"mesh", "mesh"},
      {"task", "task"},         {"rgen", "ray tracing"},  {"rchit", "ray tracing"},
      {"rahit", "ray tracing"}, {"rmiss", "ray tracing"}, {"rint", "ray tracing"},
      {"rcall", "ray tracing"},
  };
  std::string_view name = fileName.substr(fileName.rfind('/') + 1);
  for (int part = 0; part < 2; ++part) {
    size_t dot = name.rfind('.');
    if (dot == std::string_view::npos)
      break;
    for (const Stage &stage : stages)
      if (name.substr(dot + 1) == stage.suffix)
        return stage.name;
    name = name.substr(0, dot);
  }
  return {};
}

/// Faults by which features show that glslang's HLSL front end does not know.
bool mayBeNewHlsl(std::string_view text) {
  for (std::string_view sign :
       {"no matching overloaded function found", "could not create assignment",
        "block instance name redefinition", "HLSL parsing failed", "unimplemented"})
    if (contains(text, sign))
      return true;
  return text.substr(0, 9) == "expected ";
}

void nameMissingEntry(Diagnostic &error, const CompiledSource &source) {
  error.text = noEntryPoint(source.entryPoint);
  for (const SourceFunction &function : numthreadsFunctions(withoutComments(source.text))) {
    if (function.name.empty())
      continue;
    const Location where = Location::at(source.fileName, function.line);
    error.addNote(where,
                  function.name == source.entryPoint
                      ? "'" + function.name + "' stands here, where the preprocessor leaves it out"
                      : "there is '" + function.name + "'");
    // What is asked for is not there, and something else is.
    if (source.entryIsAsked)
      error.kind = ErrorKind::Usage;
  }
}

} // namespace

std::string glslangVersion() {
  const glslang::Version version = glslang::GetVersion();
  return "glslang " + std::to_string(version.major) + "." + std::to_string(version.minor) + "." +
         std::to_string(version.patch);
}

std::string noEntryPoint(std::string_view name) {
  return "the module has no compute entry point '" + std::string(name) + "'";
}

void addHints(Diagnostic &error, const CompiledSource &source) {
  const std::string text = error.text;
  const Location where = error.location;
  if (contains(text, "ntry point not found"))
    nameMissingEntry(error, source);
  const std::string_view stage = otherStageOf(source.fileName);
  if (!stage.empty())
    error.addNote(Location::inFile(source.fileName),
                  "the file's name is that of a " + std::string(stage) +
                      " shader, and only compute shaders are read");
  else if (contains(text, "not supported in this stage"))
    error.addNote(where, "every shader is taken for a compute shader");
  if (contains(text, "extension not supported"))
    error.addNote(where, "this build's compiler, " + glslangVersion() + ", does not know it" +
                             std::string(kOtherCompiler));
  if (contains(text, "not supported for current targeted SPIR-V version") ||
      contains(text, "requires at least SPIR-V"))
    error.addNote(where, source.kind == InputKind::Hlsl
                             ? std::string("HLSL is compiled for at most vulkan1.1, SPIR-V 1.3") +
                                   std::string(kOtherCompiler)
                             : "the target environment is " + source.targetEnv +
                                   "; --target-env vulkan1.2 stands for SPIR-V 1.5, --target-env "
                                   "vulkan1.3 for 1.6");
  if (source.kind == InputKind::Hlsl && stage.empty() && mayBeNewHlsl(text))
    error.addNote(where, "HLSL is compiled by " + glslangVersion() +
                             ", which lacks parts of HLSL 2021 and of shader model 6" +
                             std::string(kOtherCompiler));
}

} // namespace tailor
