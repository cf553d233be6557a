//===- Frontend/Frontend.cpp -----------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Frontend/Frontend.h"

#include "Frontend/Inputs.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <sys/stat.h>

namespace tailor {
namespace {

std::string tooLarge() {
  return "the file is larger than the " + std::to_string(kMaxInputBytes >> 20) +
         " MiB that a shader may have";
}

/// The first byte that no text holds, with its place; success for text.
Status refuseUnlessText(std::string_view bytes, const std::string &fileName, InputKind kind) {
  if (bytes.substr(0, 2) == "\xFF\xFE" || bytes.substr(0, 2) == "\xFE\xFF")
    return failure(Location::at(fileName, 1, 1),
                   "the file is text in UTF-16 or UTF-32, and shaders are read as UTF-8");
  uint32_t line = 1;
  size_t lineStart = 0;
  for (size_t i = 0; i < bytes.size(); ++i) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    if (byte == '\n') {
      ++line;
      lineStart = i + 1;
    } else if ((byte < 0x20 && (byte < '\t' || byte > '\r')) || byte == 0x7f) {
      char hex[8];
      std::snprintf(hex, sizeof hex, "0x%02x", static_cast<unsigned>(byte));
      return failure(Location::at(fileName, line, static_cast<uint32_t>(i - lineStart + 1)),
                     "the file is taken for " + std::string(nameOf(kind)) + ", but the byte " +
                         hex + " is not text");
    }
  }
  return success();
}

Failure unknownKind(const std::string &fileName) {
  return failure(
      Diagnostic::error(Location::inFile(fileName), "cannot tell what kind of shader this is")
          .withNote({}, "known by their suffix: .comp and .glsl (GLSL), .hlsl, .spv "
                        "(SPIR-V binary), .spvasm (SPIR-V text), .wgsl"));
}

bool isMacroName(std::string_view name) {
  size_t parameters = name.find('(');
  std::string_view word = name.substr(0, parameters);
  if (parameters != std::string_view::npos && name.back() != ')')
    return false;
  auto isLetter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  if (word.empty() || !isLetter(word.front()))
    return false;
  return std::all_of(word.begin(), word.end(),
                     [&](char c) { return isLetter(c) || (c >= '0' && c <= '9'); });
}

Status checkOptions(const FrontendOptions &options) {
  for (const auto &[name, value] : options.defines) {
    if (!isMacroName(name) || name.find('\n') != std::string::npos)
      return failure({}, "'" + name + "' is not the name of a macro", ErrorKind::Usage);
    if (value.find_first_of("\r\n") != std::string::npos)
      return failure({}, "the value of the macro '" + name + "' has more than one line",
                     ErrorKind::Usage);
  }
  const std::string_view known[] = {"vulkan1.0", "vulkan1.1", "vulkan1.2", "vulkan1.3"};
  if (std::find(std::begin(known), std::end(known), options.targetEnv) == std::end(known))
    return failure({},
                   "unknown target environment '" + options.targetEnv +
                       "' (there are vulkan1.0, vulkan1.1, vulkan1.2 and vulkan1.3)",
                   ErrorKind::Usage);
  return success();
}

Status readKind(std::string_view bytes, const FrontendOptions &options, FrontendResult &result,
                Diagnostics &diagnostics) {
  if (result.kind == InputKind::SpirvBinary)
    return readSpirvBinary(bytes, result);
  if (Status text = refuseUnlessText(bytes, result.fileName, result.kind); !text)
    return text;
  if (bytes.substr(0, 3) == "\xEF\xBB\xBF")
    bytes.remove_prefix(3);
  switch (result.kind) {
  case InputKind::Glsl:
  case InputKind::Hlsl:
    return compileWithGlslang(bytes, options, result, diagnostics);
  case InputKind::SpirvText:
    return readSpirvText(bytes, options, result);
  case InputKind::Wgsl:
    return compileWithNaga(bytes, options, result);
  case InputKind::Auto:
  case InputKind::SpirvBinary:
    break;
  }
  return unknownKind(result.fileName);
}

} // namespace

Result<std::string> readInput(const std::string &path) {
  auto cannot = [&](const char *verb, int error) {
    return failure(Location::inFile(path),
                   "cannot " + std::string(verb) + " the file: " + std::strerror(error));
  };
  struct Closer {
    void operator()(std::FILE *file) const { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Closer> file(std::fopen(path.c_str(), "rb"));
  if (!file)
    return cannot("open", errno);
  struct stat status;
  if (::fstat(::fileno(file.get()), &status) != 0)
    return cannot("read", errno);
  if (S_ISDIR(status.st_mode))
    return failure(Location::inFile(path), "this is a folder, not a shader");
  if (S_ISREG(status.st_mode) && static_cast<uint64_t>(status.st_size) > kMaxInputBytes)
    return failure(Location::inFile(path), tooLarge());

  std::string bytes;
  char buffer[1 << 16];
  while (size_t count = std::fread(buffer, 1, sizeof buffer, file.get())) {
    bytes.append(buffer, count);
    if (bytes.size() > kMaxInputBytes)
      return failure(Location::inFile(path), tooLarge());
  }
  if (std::ferror(file.get()) != 0)
    return cannot("read", errno);
  return bytes;
}

Result<FrontendResult> loadShader(const std::string &path, const FrontendOptions &options,
                                  Diagnostics &diagnostics) {
  Result<std::string> bytes = readInput(path);
  if (!bytes)
    return bytes.takeFailure();
  Result<FrontendResult> result = loadShaderFromMemory(*bytes, path, options, diagnostics);
  if (result) {
    std::vector<std::string> &files = result->dependencies;
    files.erase(std::remove(files.begin(), files.end(), path), files.end());
    files.insert(files.begin(), path);
  }
  return result;
}

Result<FrontendResult> loadShaderFromMemory(std::string_view bytes, const std::string &fileName,
                                            const FrontendOptions &options,
                                            Diagnostics &diagnostics) {
  if (Status valid = checkOptions(options); !valid)
    return valid.takeFailure();
  if (bytes.empty())
    return failure(Location::inFile(fileName), "the file is empty");
  if (bytes.size() > kMaxInputBytes)
    return failure(Location::inFile(fileName), tooLarge());
  FrontendResult result;
  result.fileName = fileName;
  result.kind = options.kind == InputKind::Auto ? detectInputKind(fileName, bytes) : options.kind;
  if (result.kind == InputKind::Auto)
    return unknownKind(fileName);
  if (Status read = readKind(bytes, options, result, diagnostics); !read)
    return read.takeFailure();
  if (isCompiled(result.kind))
    result.text = bytes;
  return result;
}

} // namespace tailor
