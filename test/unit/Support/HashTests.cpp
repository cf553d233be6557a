//===- Support/HashTests.cpp ---------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The vectors are those of FIPS 180-4 and its published examples.
//
//===----------------------------------------------------------------------===//
#include "Support/Files.h"
#include "Support/Hash.h"

#include "gtest/gtest.h"

#include <vector>

using namespace tailor;

TEST(Hash, KnownVectors) {
  EXPECT_EQ(sha256Hex(std::string_view("")),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256Hex(std::string_view("abc")),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256Hex(std::string_view("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256Hex(std::string_view(std::string(1000000, 'a'))),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Hash, WordsAreHashedInLittleEndianOrder) {
  const std::vector<uint32_t> words = {0x64636261, 0x07230203, 0};
  const std::string bytes("abcd\x03\x02\x23\x07\0\0\0\0", 12);
  EXPECT_EQ(bytesOfWords(words), bytes);
  EXPECT_EQ(sha256Hex(std::span<const uint32_t>(words)), sha256Hex(std::string_view(bytes)));
}
