//===- tools/spirv-tailor/TargetArguments.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TargetArguments.h"

#include "CLI/CLI.hpp"

#include <algorithm>
#include <charconv>

namespace tailor {
namespace {

/// `there are spirv, glsl, ...`
std::string languageNames() {
  std::string text;
  for (const Backend &backend : backends())
    text.append(text.empty() ? "" : ",").append(backend.name);
  return text;
}

/// `2.1` as major * 100 + minor; the command line has let nothing else through.
uint32_t versionOf(const std::string &text) {
  const size_t point = text.find('.');
  uint32_t major = 0, minor = 0;
  std::from_chars(text.data(), text.data() + point, major);
  std::from_chars(text.data() + point + 1, text.data() + text.size(), minor);
  return major * 100 + minor;
}

uint32_t numberOf(const std::string &text) {
  uint32_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

} // namespace

void TargetArguments::addTo(CLI::App &command) {
  command.add_option("--targets", targets, "Languages: " + languageNames() + " (default spirv)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("LIST");
  command
      .add_option("--glsl-version", glslVersion,
                  "GLSL: 430, 440, 450 (default) or 460 for OpenGL, vulkan for Vulkan's")
      ->check(CLI::IsMember({"430", "440", "450", "460", "vulkan"}))
      ->type_name("VERSION");
  command.add_option("--essl-version", esslVersion, "OpenGL ES: 310 (default) or 320")
      ->check(CLI::IsMember({"310", "320"}))
      ->type_name("VERSION");
  command
      .add_option("--hlsl-model", hlslModel,
                  "Shader model: 5.0, 5.1, 6.0 to 6.6, or auto (default): the lowest that has "
                  "what the kernel uses")
      ->check(
          CLI::IsMember({"auto", "5.0", "5.1", "6.0", "6.1", "6.2", "6.3", "6.4", "6.5", "6.6"}))
      ->type_name("MODEL");
  command.add_option("--msl-version", mslVersion, "Metal: 2.0 to 2.4, 3.0 or 3.1 (default 2.1)")
      ->check(CLI::IsMember({"2.0", "2.1", "2.2", "2.3", "2.4", "3.0", "3.1"}))
      ->type_name("VERSION");
  command.add_option("--msl-platform", mslPlatform, "Metal for macos (default) or ios")
      ->check(CLI::IsMember({"macos", "ios"}))
      ->type_name("PLATFORM");
  command
      .add_option("--limit", limits,
                  "What the devices of a language take, where it promises less: "
                  "essl.invocations=1024, wgsl.size=1024x1024x64, wgsl.shared-bytes=32768")
      ->allow_extra_args(false)
      ->type_name("LANGUAGE.LIMIT=N");
}

Result<std::vector<std::string>> TargetArguments::languages() const {
  std::vector<std::string> chosen;
  for (const std::string &target : targets) {
    if (!findBackend(target)) {
      std::string text = "--targets: there is no language '" + target + "'; there are ";
      for (const Backend &backend : backends())
        text.append(&backend == backends().data() ? "" : ", ").append(backend.name);
      return failure({}, std::move(text), ErrorKind::Usage);
    }
    if (std::find(chosen.begin(), chosen.end(), target) == chosen.end())
      chosen.push_back(target);
  }
  return chosen;
}

Result<EmitOptions> TargetArguments::options() const {
  EmitOptions options;
  options.vulkanGlsl = glslVersion == "vulkan";
  if (!options.vulkanGlsl)
    options.glslVersion = numberOf(glslVersion);
  options.esslVersion = numberOf(esslVersion);
  options.hlslShaderModel =
      hlslModel == "auto" ? 0 : versionOf(hlslModel) / 100 * 10 + versionOf(hlslModel) % 100;
  options.mslVersion = versionOf(mslVersion) * 100;
  options.mslPlatform = mslPlatform == "ios" ? MslPlatform::Ios : MslPlatform::MacOs;
  for (const std::string &text : limits)
    if (Status raised = raiseLimit(options, text); !raised)
      return raised.takeFailure();
  return options;
}

} // namespace tailor
