//===- tools/fuzzers/fuzz_bundle.cpp - Any bytes as a bundle --------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The checksum is made right, so that the fuzzer gets past it. A bundle that
// the reader takes can be printed, and written and read back.
//
//===----------------------------------------------------------------------===//
#include "Bundle/BundleIO.h"
#include "Bundle/Inspect.h"
#include "Support/Hash.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace tailor;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string bytes(reinterpret_cast<const char *>(data), size);
  bytes += llvm::fromHex(sha256Hex(std::string_view(bytes)));
  Result<Bundle> bundle = readBundle(bytes, "input.tailor");
  if (!bundle)
    return 0;
  std::string text;
  llvm::raw_string_ostream os(text);
  printInspectText(os, *bundle);
  Result<std::string> written = writeBundle(*bundle);
  if (!written)
    __builtin_trap();
  Result<Bundle> again = readBundle(*written, "again.tailor");
  if (!again)
    __builtin_trap();
  Result<std::string> twice = writeBundle(*again);
  if (!twice || *twice != *written)
    __builtin_trap();
  return 0;
}
