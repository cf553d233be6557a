//===- unit/IR/IRTestSupport.cpp -------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "IRTestSupport.h"

#include "spirv-tools/libspirv.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <unistd.h>

namespace tailor::test {

Words assemble(const std::string &text) {
  spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
  spv_binary binary = nullptr;
  spv_diagnostic diagnostic = nullptr;
  spv_result_t result = spvTextToBinaryWithOptions(context, text.data(), text.size(),
                                                   SPV_TEXT_TO_BINARY_OPTION_PRESERVE_NUMERIC_IDS,
                                                   &binary, &diagnostic);
  EXPECT_EQ(result, SPV_SUCCESS) << (diagnostic ? diagnostic->error : "") << "\n" << text;
  Words words;
  if (binary)
    words.assign(binary->code, binary->code + binary->wordCount);
  spvBinaryDestroy(binary);
  spvDiagnosticDestroy(diagnostic);
  spvContextDestroy(context);
  return words;
}

Module read(const Words &words, const std::string &file) {
  Result<Module> module = readModule(words, file);
  if (module)
    return std::move(*module);
  ADD_FAILURE() << "refused: " << module.diagnostic().location.str() << ": "
                << module.diagnostic().text;
  return Module();
}

Words byteSwapped(const Words &words) {
  Words swapped = words;
  for (uint32_t &word : swapped)
    word = __builtin_bswap32(word);
  return swapped;
}

std::vector<size_t> instructionStarts(const Words &words) {
  std::vector<size_t> starts;
  size_t at = 5;
  for (; at < words.size(); at += std::max<size_t>(words[at] >> 16, 1))
    starts.push_back(at);
  starts.push_back(at);
  return starts;
}

Words instruction(spv::Op op, std::vector<uint32_t> operands) {
  operands.insert(operands.begin(),
                  static_cast<uint32_t>(operands.size() + 1) << 16 | static_cast<uint32_t>(op));
  return operands;
}

Words withInserted(const Words &words, size_t at, const Words &inserted) {
  Words longer(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(at));
  longer.insert(longer.end(), inserted.begin(), inserted.end());
  longer.insert(longer.end(), words.begin() + static_cast<std::ptrdiff_t>(at), words.end());
  return longer;
}

const std::string &scratchFolder() {
  struct Scratch {
    std::string path =
        (std::filesystem::temp_directory_path() / ("tailor-ir-" + std::to_string(getpid())))
            .string();
    Scratch() { std::filesystem::create_directories(path); }
    ~Scratch() {
      std::error_code ignored;
      std::filesystem::remove_all(path, ignored);
    }
  };
  static const Scratch scratch;
  return scratch.path;
}

int runQuietly(const std::string &command) {
  return std::system((command + " >/dev/null 2>&1").c_str());
}

Words readWords(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  Words words(bytes.size() / 4);
  if (!words.empty())
    std::memcpy(words.data(), bytes.data(), words.size() * 4);
  return words;
}

std::vector<std::string> benchKernels(const std::string &ending) {
  std::vector<std::string> paths;
  for (const auto &entry :
       std::filesystem::directory_iterator(std::string(TAILOR_SOURCE_DIR) + "/bench/kernels"))
    if (entry.path().extension() == ending)
      paths.push_back(entry.path().string());
  std::sort(paths.begin(), paths.end());
  return paths;
}

Words compileKernel(const std::string &path, const std::string &options) {
  std::string out = scratchFolder() + "/kernel.spv";
  std::string command =
      std::string(TAILOR_GLSLANG) + " -V " + options + " '" + path + "' -o '" + out + "'";
  EXPECT_EQ(runQuietly(command), 0) << command;
  Words words = readWords(out);
  std::filesystem::remove(out);
  return words;
}

std::string shaderText(const std::string &annotations, const std::string &globals,
                       const std::string &functions) {
  return "OpCapability Shader\n"
         "OpMemoryModel Logical GLSL450\n"
         "OpEntryPoint GLCompute %main \"main\"\n"
         "OpExecutionMode %main LocalSize 4 2 1\n" +
         annotations +
         "\n%void = OpTypeVoid\n"
         "%bool = OpTypeBool\n"
         "%uint = OpTypeInt 32 0\n"
         "%int = OpTypeInt 32 1\n"
         "%v3uint = OpTypeVector %uint 3\n"
         "%fn = OpTypeFunction %void\n" +
         globals + "\n" + functions;
}

std::string emptyMain() {
  return "%main = OpFunction %void None %fn\n"
         "%entry = OpLabel\n"
         "OpReturn\n"
         "OpFunctionEnd\n";
}

} // namespace tailor::test
