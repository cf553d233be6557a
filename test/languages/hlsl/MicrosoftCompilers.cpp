//===- languages/hlsl/MicrosoftCompilers.cpp -------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "MicrosoftCompilers.h"

#include "spirv/unified1/spirv.hpp11"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <unistd.h>

namespace tailor::languages {
namespace {

namespace fs = std::filesystem;

std::string compilerFolder() {
  const char *given = std::getenv("TAILOR_HLSL_COMPILERS");
  return given ? given : TAILOR_SOURCE_DIR "/build/npm/node_modules/webgpu/dist/win32-x64";
}

std::string contentsOf(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// As a Windows program under wine reads it.
std::string windowsPath(const fs::path &path) {
  std::string text = "Z:" + fs::absolute(path).string();
  for (char &each : text)
    each = each == '/' ? '\\' : each;
  return text;
}

/// A folder of this process, removed at its end.
class Scratch {
public:
  Scratch() : folder(fs::temp_directory_path() / ("tailor-hlsl-" + std::to_string(getpid()))) {
    fs::create_directories(folder);
  }
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  }
  fs::path operator/(const std::string &name) const { return folder / name; }

private:
  fs::path folder;
};

const Scratch &scratch() {
  static const Scratch made;
  return made;
}

/// The registry and settings of wine, kept in the build since making them takes seconds.
std::string wineCommand() {
  return "WINEPREFIX='" TAILOR_BINARY_DIR "/wine' WINEDEBUG=-all DISPLAY= "
         "WINEDLLOVERRIDES='d3dcompiler_47=n;mscoree=;mshtml=' '" TAILOR_WINE "'";
}

} // namespace

std::string missingCompilers() {
  const std::pair<const char *, std::string> needed[] = {
      {"wine (package wine64)", TAILOR_WINE},
      {"the program CompileHlsl (package g++-mingw-w64-x86-64-posix)", TAILOR_COMPILE_HLSL},
      {"vkd3d-compiler", TAILOR_VKD3D},
      {"FXC (d3dcompiler_47.dll)", compilerFolder() + "/d3dcompiler_47.dll"},
      {"DXC (dxcompiler.dll)", compilerFolder() + "/dxcompiler.dll"}};
  for (const auto &[what, path] : needed)
    if (!fs::exists(path))
      return what;
  return "";
}

Result<std::vector<HlslOutcome>> compileAll(const std::vector<HlslJob> &jobs) {
  const fs::path list = scratch() / "list.txt", log = scratch() / "log.txt";
  std::ofstream lines(list);
  for (size_t at = 0; at < jobs.size(); ++at) {
    const fs::path input = scratch() / (std::to_string(at) + ".hlsl");
    const fs::path output = scratch() / (std::to_string(at) + ".bin");
    fs::remove(output);
    fs::remove(output.string() + ".log");
    std::ofstream(input, std::ios::binary) << jobs[at].text;
    lines << jobs[at].compiler << '\t' << jobs[at].profile << '\t' << windowsPath(input) << '\t'
          << windowsPath(output);
    for (const std::string &argument : jobs[at].arguments)
      lines << '\t' << argument;
    lines << '\n';
  }
  lines.close();
  const std::string command = wineCommand() + " '" TAILOR_COMPILE_HLSL "' '" +
                              windowsPath(compilerFolder()) + "' '" + windowsPath(list) + "' > '" +
                              log.string() + "' 2>&1";
  if (std::system(command.c_str()) != 0)
    return failure({}, "CompileHlsl failed: " + contentsOf(log), ErrorKind::Environment);
  std::vector<HlslOutcome> outcomes(jobs.size());
  for (size_t at = 0; at < jobs.size(); ++at) {
    const fs::path output = scratch() / (std::to_string(at) + ".bin");
    outcomes[at].compiled = fs::exists(output);
    outcomes[at].code = contentsOf(output);
    outcomes[at].messages = contentsOf(output.string() + ".log");
  }
  return outcomes;
}

namespace {

bool endsBlock(spv::Op op) {
  return op == spv::Op::OpBranch || op == spv::Op::OpBranchConditional || op == spv::Op::OpSwitch ||
         op == spv::Op::OpReturn || op == spv::Op::OpKill || op == spv::Op::OpUnreachable;
}

/// Without what stands behind the end of a block, and without decorations that stand there twice.
std::vector<uint32_t> repaired(const std::vector<uint32_t> &words) {
  constexpr size_t header = 5;
  std::vector<uint32_t> out(words.begin(), words.begin() + header);
  std::set<std::vector<uint32_t>> decorations;
  bool isEnded = false;
  for (size_t at = header; at < words.size();) {
    const auto op = static_cast<spv::Op>(words[at] & 0xffff);
    const size_t length = std::min<size_t>(std::max(words[at] >> 16, 1u), words.size() - at);
    const std::vector<uint32_t> inst(words.begin() + static_cast<long>(at),
                                     words.begin() + static_cast<long>(at + length));
    at += length;
    if (op == spv::Op::OpLabel || op == spv::Op::OpFunctionEnd)
      isEnded = false;
    const bool isAgain = op == spv::Op::OpDecorate && !decorations.insert(inst).second;
    if (!isEnded && !isAgain)
      out.insert(out.end(), inst.begin(), inst.end());
    isEnded |= endsBlock(op);
  }
  return out;
}

} // namespace

Result<std::vector<uint32_t>> spirvOfDxbc(const std::string &dxbc) {
  const fs::path input = scratch() / "code.dxbc", output = scratch() / "code.spv",
                 log = scratch() / "vkd3d.txt";
  std::ofstream(input, std::ios::binary) << dxbc;
  fs::remove(output);
  const std::string command = "'" TAILOR_VKD3D "' -x dxbc-tpf -b spirv-binary "
                              "--buffer-uav=storage-buffer -o '" +
                              output.string() + "' '" + input.string() + "' > '" + log.string() +
                              "' 2>&1";
  const int status = std::system(command.c_str());
  const std::string code = contentsOf(output);
  if (status != 0 || code.size() < 20 || code.size() % 4 != 0)
    return failure({}, "vkd3d-compiler failed: " + contentsOf(log), ErrorKind::Environment);
  std::vector<uint32_t> words(code.size() / 4);
  std::memcpy(words.data(), code.data(), code.size());
  return repaired(words);
}

} // namespace tailor::languages
