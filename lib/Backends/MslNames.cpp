//===- Backends/MslNames.cpp -----------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Backends/MslNames.h"

#include "spirv/unified1/spirv.h"

#include <set>
#include <string_view>

namespace tailor {
namespace {

/// Words of C++14 and of Metal, and Metal's scalar types: their vectors are found by form.
const std::set<std::string_view> &words() {
  static const std::set<std::string_view> all = {
      "alignas",
      "alignof",
      "and",
      "and_eq",
      "asm",
      "auto",
      "bitand",
      "bitor",
      "bool",
      "break",
      "case",
      "catch",
      "char",
      "char16_t",
      "char32_t",
      "class",
      "compl",
      "const",
      "const_cast",
      "constant",
      "constexpr",
      "continue",
      "decltype",
      "default",
      "delete",
      "device",
      "do",
      "double",
      "dynamic_cast",
      "else",
      "enum",
      "explicit",
      "export",
      "extern",
      "false",
      "float",
      "for",
      "fragment",
      "friend",
      "goto",
      "half",
      "if",
      "inline",
      "int",
      "kernel",
      "long",
      "metal",
      "mutable",
      "namespace",
      "new",
      "noexcept",
      "not",
      "not_eq",
      "nullptr",
      "operator",
      "or",
      "or_eq",
      "private",
      "protected",
      "public",
      "ray_data",
      "register",
      "reinterpret_cast",
      "return",
      "short",
      "signed",
      "sizeof",
      "static",
      "static_assert",
      "static_cast",
      "struct",
      "switch",
      "template",
      "this",
      "thread",
      "thread_local",
      "threadgroup",
      "threadgroup_barrier",
      "simdgroup_barrier",
      "threadgroup_imageblock",
      "throw",
      "true",
      "try",
      "typedef",
      "typeid",
      "typename",
      "uchar",
      "uint",
      "ulong",
      "union",
      "unsigned",
      "ushort",
      "using",
      "vertex",
      "virtual",
      "void",
      "volatile",
      "wchar_t",
      "while",
      "xor",
      "xor_eq",
      "object_data",
      "visible",
  };
  return all;
}

bool isTaken(std::string_view name) {
  if (words().count(name) != 0)
    return true;
  // `float4`, `uint2`, `bool3`, `float4x4`
  const size_t digit = name.find_first_of("234");
  if (digit == std::string_view::npos || digit == 0 || words().count(name.substr(0, digit)) == 0)
    return false;
  const std::string_view rest = name.substr(digit);
  return rest.size() == 1 || (rest.size() == 3 && rest[1] == 'x');
}

} // namespace

std::string renameTakenInMsl(spirv_cross::CompilerMSL &compiler, std::span<const uint32_t> module,
                             const std::string &entryPoint) {
  for (size_t at = 5; at < module.size() && module[at] >> 16 != 0; at += module[at] >> 16) {
    const uint32_t op = module[at] & 0xffff, id = module[at + 1];
    if (op == SpvOpFunction)
      break;
    if (op == SpvOpName) {
      // glslang names a function with its parameters, `blend(vf4;`, of which the text has the first
      // part.
      const std::string name = compiler.get_name(id), first = name.substr(0, name.find('('));
      if (isTaken(first))
        compiler.set_name(id, first + "_" + name.substr(first.size()));
    }
    if (op != SpvOpMemberName)
      continue;
    const std::string member = compiler.get_member_name(id, module[at + 2]);
    if (isTaken(member))
      compiler.set_member_name(id, module[at + 2], member + "_");
  }
  if (!isTaken(entryPoint))
    return entryPoint;
  compiler.rename_entry_point(entryPoint, entryPoint + "_", spv::ExecutionModelGLCompute);
  return entryPoint + "_";
}

} // namespace tailor
