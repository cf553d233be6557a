//===- Frontend/Includer.h - #include for glslang --------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_FRONTEND_INCLUDER_H
#define TAILOR_FRONTEND_INCLUDER_H

#include "Support/Result.h"

#include "glslang/Public/ShaderLang.h"

#include <list>
#include <map>
#include <string>
#include <vector>

namespace tailor {

/// Finds included files: `"x"` in the folder of the including file, then, as
/// `<x>`, in the include directories in order, and with `/` in place of the `\` that
/// other systems write. Keeps every text until its own
/// end, remembers what was read, and stops where includes nest too deep.
class Includer final : public glslang::TShader::Includer {
public:
  Includer(std::vector<std::string> includeDirs, std::string mainFile);

  IncludeResult *includeLocal(const char *header, const char *includer, size_t depth) override;
  IncludeResult *includeSystem(const char *header, const char *includer, size_t depth) override;
  void releaseInclude(IncludeResult *result) override;

  /// Every included file, each once, in the order of their first reading.
  const std::vector<std::string> &filesRead() const { return files; }

private:
  /// The file with the text, or nothing when there is no such file.
  IncludeResult *open(const std::string &path);
  /// The same, and notes that it is what stands `depth` deep.
  IncludeResult *enter(const std::string &path, size_t depth);
  IncludeResult *refuse(const std::string &message);

  std::vector<std::string> includeDirs;
  std::string mainFile;
  std::map<std::string, std::string> texts; ///< by path
  std::vector<std::string> files;
  std::vector<std::string> chain; ///< the files that include each other at present, outermost first
  /// std::list: glslang keeps pointers into them.
  std::list<std::string> messages; ///< owned texts of refusals
  size_t bytesIncluded = 0;
  bool stopped = false; ///< includes nest too deep or hold too much: nothing is included any more
};

} // namespace tailor

#endif
