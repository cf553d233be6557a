//===- Support/Files.h - Whole-file reading, atomic writing ----------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_SUPPORT_FILES_H
#define TAILOR_SUPPORT_FILES_H

#include "Support/Result.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tailor {

/// Reads a whole file. Fails with ErrorKind::Refused, located at the file.
Result<std::string> readFile(const std::string &path);

/// Writes a file whole or not at all: to a temporary beside it, fsync, rename,
/// fsync of the folder. On failure (a full disk, a folder that may not be
/// written) the old file stays and the temporary is removed; the failure is
/// ErrorKind::Environment. `path` "-" is standard output.
Status writeFileAtomically(const std::string &path, std::string_view bytes);

/// Refuses an output that is one of the files read, under whatever name: it would be lost.
/// ErrorKind::Usage, located at the output. A file that is not there yet counts by its name.
Status checkOutput(const std::string &output, const std::vector<std::string> &filesRead);

/// The words as bytes in little-endian order, for writing a SPIR-V binary.
std::string bytesOfWords(std::span<const uint32_t> words);

/// Makes the folder and its parents. Fails with ErrorKind::Environment.
Status makeFolder(const std::string &path);

} // namespace tailor

#endif
