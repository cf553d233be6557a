//===- languages/fxc/CompileHlsl.cpp - Microsoft's compilers, many files ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A Windows program, for wine too: compiles many files in one process, since it
// is the start of a process that costs.
//
//   CompileHlsl FOLDER LIST
//
//   FOLDER  has d3dcompiler_47.dll (FXC) and dxcompiler.dll (DXC); one may be missing
//   LIST    a line a file, fields separated by tabs: fxc or dxc, the profile
//           (cs_5_0), the input, the output, arguments for DXC
//
// The entry point is main. Beside an output OUT lies OUT.log where there were
// messages; an output that did not compile is not there. Prints a line an input,
// `ok` or `failed` and the input. Exits with 0 when every line was dealt with,
// 1 where a DLL cannot be used, 2 for a LIST that cannot be read.
//
//===----------------------------------------------------------------------===//
#include <windows.h>

#include <d3dcompiler.h>

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace {

// What of DXC's COM interfaces is used; the order of the functions is their binary interface.
struct DxcBlob : IUnknown {
  virtual void *STDMETHODCALLTYPE getBufferPointer() = 0;
  virtual SIZE_T STDMETHODCALLTYPE getBufferSize() = 0;
};
struct DxcOperationResult : IUnknown {
  virtual HRESULT STDMETHODCALLTYPE getStatus(HRESULT *status) = 0;
  virtual HRESULT STDMETHODCALLTYPE getResult(DxcBlob **result) = 0;
  virtual HRESULT STDMETHODCALLTYPE getErrorBuffer(DxcBlob **errors) = 0;
};
struct DxcBuffer {
  const void *bytes;
  SIZE_T count;
  UINT encoding;
};
struct DxcCompiler : IUnknown {
  virtual HRESULT STDMETHODCALLTYPE compile(const DxcBuffer *source, const wchar_t **arguments,
                                            UINT32 numArguments, IUnknown *includes, REFIID wanted,
                                            void **result) = 0;
};
constexpr GUID kCompilerClass = {
    0x73e22d93, 0xe6ce, 0x47f3, {0xb5, 0xbf, 0xf0, 0x66, 0x4f, 0x39, 0xc1, 0xb0}};
constexpr GUID kCompilerInterface = {
    0x228b4687, 0x5a6a, 0x4730, {0x90, 0x0c, 0x97, 0x02, 0xb2, 0x20, 0x3f, 0x54}};
constexpr GUID kResultInterface = {
    0xcedb484a, 0xd4e9, 0x445a, {0xb9, 0x91, 0xca, 0x21, 0xca, 0x15, 0x7d, 0xc2}};
constexpr UINT kUtf8 = 65001;

using CreateInstance = HRESULT(STDMETHODCALLTYPE *)(REFCLSID, REFIID, void **);
using Compile = HRESULT(STDMETHODCALLTYPE *)(LPCVOID, SIZE_T, LPCSTR, const D3D_SHADER_MACRO *,
                                             ID3DInclude *, LPCSTR, LPCSTR, UINT, UINT, ID3DBlob **,
                                             ID3DBlob **);

struct Released {
  void operator()(IUnknown *object) const { object->Release(); }
};
template <typename T> using Owned = std::unique_ptr<T, Released>;

struct Job {
  std::string compiler, profile, input, output;
  std::vector<std::string> arguments;
};

std::string read(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

bool write(const std::string &path, const void *bytes, size_t count) {
  std::ofstream file(path, std::ios::binary);
  file.write(static_cast<const char *>(bytes), static_cast<std::streamsize>(count));
  return file.good();
}

/// The function `name` of a DLL; null where there is none.
template <typename Function> Function load(const std::string &path, const char *name) {
  HMODULE library = LoadLibraryA(path.c_str());
  if (!library)
    return nullptr;
  // Through an integer: the two kinds of pointers have no cast of their own.
  return reinterpret_cast<Function>(
      reinterpret_cast<std::uintptr_t>(GetProcAddress(library, name)));
}

class Compilers {
public:
  explicit Compilers(const std::string &folder)
      : fxc(load<Compile>(folder + "\\d3dcompiler_47.dll", "D3DCompile")),
        create(load<CreateInstance>(folder + "\\dxcompiler.dll", "DxcCreateInstance")) {}

  bool has(const std::string &compiler) const {
    return compiler == "fxc" ? fxc != nullptr : compiler == "dxc" && create != nullptr;
  }
  bool run(const Job &job) const { return job.compiler == "fxc" ? runFxc(job) : runDxc(job); }

private:
  bool runFxc(const Job &job) const {
    const std::string source = read(job.input);
    ID3DBlob *code = nullptr, *messages = nullptr;
    const HRESULT status =
        fxc(source.data(), source.size(), job.input.c_str(), nullptr, nullptr, "main",
            job.profile.c_str(), D3DCOMPILE_OPTIMIZATION_LEVEL1, 0, &code, &messages);
    Owned<ID3DBlob> ownedCode(code), ownedMessages(messages);
    if (messages)
      write(job.output + ".log", messages->GetBufferPointer(), messages->GetBufferSize());
    return SUCCEEDED(status) && code &&
           write(job.output, code->GetBufferPointer(), code->GetBufferSize());
  }

  bool runDxc(const Job &job) const {
    void *made = nullptr;
    if (FAILED(create(kCompilerClass, kCompilerInterface, &made)))
      return false;
    Owned<DxcCompiler> compiler(static_cast<DxcCompiler *>(made));
    const std::string source = read(job.input);
    const DxcBuffer buffer = {source.data(), source.size(), kUtf8};
    std::vector<std::wstring> words = {L"-E", L"main", L"-T"};
    words.emplace_back(job.profile.begin(), job.profile.end());
    for (const std::string &argument : job.arguments)
      words.emplace_back(argument.begin(), argument.end());
    std::vector<const wchar_t *> arguments;
    for (const std::wstring &word : words)
      arguments.push_back(word.c_str());
    if (FAILED(compiler->compile(&buffer, arguments.data(), static_cast<UINT32>(arguments.size()),
                                 nullptr, kResultInterface, &made)))
      return false;
    Owned<DxcOperationResult> result(static_cast<DxcOperationResult *>(made));
    HRESULT status = E_FAIL;
    DxcBlob *code = nullptr, *messages = nullptr;
    result->getStatus(&status);
    result->getErrorBuffer(&messages);
    result->getResult(&code);
    Owned<DxcBlob> ownedCode(code), ownedMessages(messages);
    if (messages && messages->getBufferSize() > 0)
      write(job.output + ".log", messages->getBufferPointer(), messages->getBufferSize());
    return SUCCEEDED(status) && code &&
           write(job.output, code->getBufferPointer(), code->getBufferSize());
  }

  Compile fxc;
  CreateInstance create;
};

bool readJobs(const char *path, std::vector<Job> &jobs) {
  std::ifstream file(path);
  if (!file)
    return false;
  for (std::string line; std::getline(file, line);) {
    std::istringstream fields(line);
    std::vector<std::string> list;
    for (std::string field; std::getline(fields, field, '\t');)
      list.push_back(field);
    if (list.size() < 4)
      return false;
    jobs.push_back({list[0], list[1], list[2], list[3], {list.begin() + 4, list.end()}});
  }
  return true;
}

} // namespace

int main(int count, char **arguments) {
  std::vector<Job> jobs;
  if (count != 3 || !readJobs(arguments[2], jobs)) {
    std::fprintf(stderr, "usage: CompileHlsl FOLDER LIST\n");
    return 2;
  }
  const Compilers compilers(arguments[1]);
  for (const Job &job : jobs) {
    if (!compilers.has(job.compiler)) {
      std::fprintf(stderr, "%s cannot be loaded from %s\n", job.compiler.c_str(), arguments[1]);
      return 1;
    }
    std::printf("%s\t%s\n", compilers.run(job) ? "ok" : "failed", job.input.c_str());
    std::fflush(stdout);
  }
  return 0;
}
