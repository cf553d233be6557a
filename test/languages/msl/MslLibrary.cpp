//===- languages/msl/MslLibrary.cpp ----------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "msl/MslLibrary.h"

#include <dlfcn.h>
#include <stdlib.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace tailor::languages {
namespace {

constexpr const char *kShim = TAILOR_SOURCE_DIR "/test/languages/msl";
/// As Metal reads a text: literals are single, vectors convert by name alone. Sums are not
/// contracted, as the device that the outputs are compared with does not.
constexpr const char *kLanguage =
    " -Xclang -cl-single-precision-constant -fno-lax-vector-conversions -Wno-unknown-attributes "
    "-Wno-duplicate-decl-specifier -ferror-limit=5 ";
constexpr const char *kCode = " -std=c++17 -O1 -fPIC -ffp-contract=off -fno-math-errno "
                              "-fno-strict-aliasing -fwrapv ";

bool writeFile(const std::string &path, const std::string &text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  return file.good();
}
std::string readFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

} // namespace

std::string MslCompiler::clang(const std::string &arguments) {
  const std::string log = folder + "/log";
  const std::string command = "clang++-19 " + arguments + " >" + log + " 2>&1";
  return std::system(command.c_str()) == 0 ? "" : "clang++-19: " + readFile(log);
}

Result<std::unique_ptr<MslCompiler>> MslCompiler::create() {
  std::string pattern = (std::filesystem::temp_directory_path() / "tailor-msl-XXXXXX").string();
  if (!mkdtemp(pattern.data()))
    return failure({}, "no temporary folder", ErrorKind::Environment);
  std::unique_ptr<MslCompiler> compiler(new MslCompiler(pattern));
  if (std::string log = compiler->clang("--version"); !log.empty())
    return failure({}, "there is no clang++-19", ErrorKind::Environment);
  const std::string log = compiler->clang(std::string("-x c++-header") + kLanguage + kCode + kShim +
                                          "/metal_stdlib -o " + pattern + "/shim.pch");
  if (!log.empty())
    return failure({}, log, ErrorKind::Internal);
  return compiler;
}

MslCompiler::~MslCompiler() {
  for (void *library : libraries)
    dlclose(library);
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
}

std::string MslCompiler::checkAddressSpaces(std::span<const MslSource> sources) {
  std::string code = "#include \"metal_stdlib\"\n";
  for (unsigned i = 0; i < sources.size(); ++i) {
    Result<std::string> each = openClOf(sources[i], i);
    if (!each)
      return each.diagnostic().text;
    code += *each;
  }
  const std::string path = folder + "/texts.clcpp";
  if (!writeFile(path, code))
    return "cannot write " + path;
  return clang(
      std::string("-x clcpp -cl-std=clc++2021 -cl-no-stdinc -target spir64 -fsyntax-only -I") +
      kShim + kLanguage + path);
}

Result<std::vector<MslKernel>> MslCompiler::compile(std::span<const MslSource> sources) {
  std::string code = "extern \"C\" { void (*mslBarrier)(unsigned) = nullptr; }\n";
  for (unsigned i = 0; i < sources.size(); ++i) {
    Result<std::string> each = cppOf(sources[i], i);
    if (!each)
      return each.takeFailure();
    code += *each;
  }
  const std::string stem = folder + "/texts" + std::to_string(made++);
  if (!writeFile(stem + ".cpp", code))
    return failure({}, "cannot write " + stem + ".cpp", ErrorKind::Environment);
  std::string log = clang(std::string(kLanguage) + kCode + "-shared -Wl,-Bsymbolic -include-pch " +
                          folder + "/shim.pch " + stem + ".cpp -o " + stem + ".so");
  if (!log.empty())
    return failure({}, log);
  void *library = dlopen((stem + ".so").c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return failure({}, dlerror(), ErrorKind::Internal);
  libraries.push_back(library);

  std::vector<MslKernel> kernels;
  for (unsigned i = 0; i < sources.size(); ++i) {
    const std::string n = std::to_string(i);
    MslKernel kernel;
    kernel.run =
        reinterpret_cast<void (*)(const MslInvocation *)>(dlsym(library, ("mslRun" + n).c_str()));
    kernel.barrier = static_cast<void (**)(unsigned)>(dlsym(library, "mslBarrier"));
    kernel.waits = hasBarriers(sources[i].text);
    if (hasThreadgroupMemory(sources[i].text)) {
      auto **ends = static_cast<std::byte **>(dlsym(library, ("mslShared" + n).c_str()));
      if (!ends)
        return failure({}, "the library lacks its threadgroup memory", ErrorKind::Internal);
      kernel.shared = {ends[0], ends[1]};
    }
    if (!kernel.run || !kernel.barrier)
      return failure({}, "the library lacks its kernel " + n, ErrorKind::Internal);
    kernels.push_back(kernel);
  }
  return kernels;
}

} // namespace tailor::languages
