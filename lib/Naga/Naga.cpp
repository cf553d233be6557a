//===- Naga/Naga.cpp --------------------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Naga/Naga.h"

#include "Naga/Host.h"
#include "Naga/Runtime.h"

#include <cstring>
#include <memory>
#include <mutex>
#include <optional>

namespace tailor::naga {
namespace {

using Js = struct Z_Z2EZ2Fnaga_bgZ2Ejs_instance_t;

/// An instance whose memory grew beyond this is not kept for the next text: it never shrinks.
constexpr uint32_t kKeptBytes = 64u << 20;
constexpr size_t kKeptValues = 1024;

struct InstanceDeleter {
  void operator()(Js *instance) const {
    Z_naga_free(&instance->module);
    delete instance;
  }
};
using Instance = std::unique_ptr<Js, InstanceDeleter>;

Failure trapped(Trap trap, const Js *instance, const std::string &fileName) {
  const Location where = Location::inFile(fileName);
  switch (trap) {
  case Trap::Memory:
    return failure(where, "out of memory while naga translates", ErrorKind::Environment);
  case Trap::Stack:
    return failure(where, "the text nests too deeply for naga");
  case Trap::Thrown:
    if (instance && !instance->thrown.empty())
      return failure(where, "naga failed: " + instance->thrown, ErrorKind::Internal);
    break;
  case Trap::Fault:
  case Trap::None:
    break;
  }
  return failure(where, "naga failed inside (" + std::string(version()) + ")", ErrorKind::Internal);
}

Result<Instance> makeInstance(const std::string &fileName) {
  static std::once_flag once;
  std::call_once(once, [] { Z_naga_init_module(); });
  Instance instance(new Js);
  Js *host = instance.get();
  auto start = [host] {
    Z_naga_instantiate(&host->module, host);
    Z_nagaZ___wbindgen_start(&host->module);
  };
  if (Trap trap = enter(start); trap != Trap::None)
    return trapped(trap, host, fileName);
  return instance;
}

thread_local Instance kept;

/// An error value of the module, or its result.
struct Outcome {
  uint32_t value = 0, length = 0;
  uint32_t error = 0;
  bool failed = false;
};

class Translation {
public:
  Translation(Js &host, const std::string &fileName) : host(host), fileName(fileName) {}

  bool sound() const { return trap == Trap::None; }

  /// The input's address, as a block of the module's own that the reader takes over.
  uint32_t give(std::string_view bytes) {
    uint32_t address = 0;
    call([&] {
      address = Z_nagaZ___wbindgen_malloc(&host.module, static_cast<uint32_t>(bytes.size()), 1);
      static_cast<void>(host.bytes(address, static_cast<uint32_t>(bytes.size())));
      std::memcpy(host.module.w2c_memory.data + address, bytes.data(), bytes.size());
    });
    return address;
  }

  void read(wasm_multi_iii (*reader)(Z_naga_instance_t *, u32, u32), std::string_view bytes) {
    const uint32_t address = give(bytes);
    call([&] {
      const wasm_multi_iii made =
          reader(&host.module, address, static_cast<uint32_t>(bytes.size()));
      note({made.i0, 0, made.i1, made.i2 != 0});
    });
    module = outcome.value;
  }

  void validate() {
    call([&] {
      const wasm_multi_iii made = Z_nagaZ_validate(&host.module, module);
      note({made.i0, 0, made.i1, made.i2 != 0});
    });
    info = outcome.value;
  }

  void write(wasm_multi_iiii (*writer)(Z_naga_instance_t *, u32, u32, wasm_rt_externref_t),
             uint32_t options) {
    call([&] {
      const wasm_multi_iiii made = writer(&host.module, module, info, Host::reference(options));
      note({made.i0, made.i1, made.i2, made.i3 != 0});
    });
  }

  /// The written bytes, whose elements are `size` bytes each.
  std::string take(uint32_t size) {
    std::string result;
    std::string_view bytes;
    call([&] { bytes = host.bytes(outcome.value, outcome.length * size); });
    if (sound())
      result = bytes;
    call(
        [&] { Z_nagaZ___wbindgen_free(&host.module, outcome.value, outcome.length * size, size); });
    return result;
  }

  /// What the module made goes back to it.
  void release() {
    call([&] {
      if (info != 0)
        Z_nagaZ___wbg_moduleinfo_free(&host.module, info, 0);
      if (module != 0)
        Z_nagaZ___wbg_module_free(&host.module, module, 0);
    });
  }

  std::optional<Failure> fault() {
    if (!sound())
      return trapped(trap, &host, fileName);
    if (outcome.failed)
      return failure(diagnosticFrom(error, fileName));
    return std::nullopt;
  }

private:
  /// Nothing more is asked of an instance after a trap, nor of a text after an error.
  template <typename Body> void call(Body body) {
    if (sound())
      trap = enter(body);
  }
  void note(Outcome made) {
    outcome = made;
    if (made.failed)
      failedWith = made.error;
  }

public:
  /// Fetches the words of an error; outside of the module, since it makes a string.
  bool ok() {
    if (!sound())
      return false;
    if (!outcome.failed)
      return true;
    error = host.takeError(failedWith);
    call([&] { Z_nagaZ___externref_table_dealloc(&host.module, failedWith); });
    return false;
  }

private:
  Js &host;
  const std::string &fileName;
  Trap trap = Trap::None;
  Outcome outcome;
  std::string error;
  uint32_t failedWith = 0, module = 0, info = 0;
};

using Reader = wasm_multi_iii (*)(Z_naga_instance_t *, u32, u32);
using Writer = wasm_multi_iiii (*)(Z_naga_instance_t *, u32, u32, wasm_rt_externref_t);

/// { flags: { debug: true, ... } }: names in the module, and nothing for vertex or fragment stages.
uint32_t debugOptions(Host &host) {
  const uint32_t flags = host.add({Value::Kind::Object, false, {}, {{"debug", Host::kTrue}}});
  return host.add({Value::Kind::Object, false, {}, {{"flags", flags}}});
}

/// `writer` null: reads and validates, and gives nothing.
Result<std::string> translate(Reader reader, std::string_view bytes, Writer writer, bool debug,
                              uint32_t elementBytes, const std::string &fileName) {
  if (bytes.size() > (size_t{256} << 20))
    return failure(Location::inFile(fileName), "the module is too large for naga");
  Instance instance = std::move(kept);
  if (!instance) {
    Result<Instance> made = makeInstance(fileName);
    if (!made)
      return made.takeFailure();
    instance = std::move(*made);
  }
  Translation translation(*instance, fileName);
  std::string result;
  translation.read(reader, bytes);
  bool good = translation.ok();
  if (good) {
    translation.validate();
    good = translation.ok();
  }
  if (good && writer) {
    translation.write(writer, debug ? debugOptions(*instance) : Host::kUndefined);
    good = translation.ok();
  }
  if (good && writer)
    result = translation.take(elementBytes);
  translation.release();
  std::optional<Failure> fault = translation.fault();
  instance->clear();
  if (translation.sound() && instance->module.w2c_memory.size <= kKeptBytes &&
      instance->count() <= kKeptValues)
    kept = std::move(instance);
  if (fault)
    return *fault;
  return result;
}

} // namespace

bool isAvailable() { return true; }
std::string_view whyUnavailable() { return {}; }
std::string_view version() { return "naga-wasm " TAILOR_NAGA_VERSION; }

Result<std::string> wgslFromSpirv(std::span<const uint32_t> words, const std::string &fileName) {
  return translate(Z_nagaZ_parseSpirv,
                   {reinterpret_cast<const char *>(words.data()), words.size_bytes()},
                   Z_nagaZ_writeWgsl, false, 1, fileName);
}

Result<std::vector<uint32_t>> spirvFromWgsl(std::string_view text, const std::string &fileName) {
  Result<std::string> bytes =
      translate(Z_nagaZ_parseWgsl, text, Z_nagaZ_writeSpirv, true, 4, fileName);
  if (!bytes)
    return bytes.takeFailure();
  std::vector<uint32_t> words(bytes->size() / 4);
  std::memcpy(words.data(), bytes->data(), words.size() * 4);
  return words;
}

Status checkWgsl(std::string_view text, const std::string &fileName) {
  Result<std::string> nothing = translate(Z_nagaZ_parseWgsl, text, nullptr, false, 1, fileName);
  if (!nothing)
    return nothing.takeFailure();
  return success();
}

} // namespace tailor::naga
