//===- languages/msl/MslText.cpp -------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "msl/MslText.h"

#include <functional>
#include <regex>
#include <set>
#include <sstream>
#include <vector>

namespace tailor::languages {
namespace {

const std::regex kThreadgroup(R"(    threadgroup ([A-Za-z_][^*=;&]*);)");
const std::regex kFunctionConstant(R"(constant (\w+) (\w+) \[\[function_constant\((\d+)\)\]\];)");
const std::regex kInclude(R"(#include <(metal_stdlib|simd/simd\.h|metal_atomic)>)");

Failure bad(const MslSource &source, const std::string &what) {
  return failure(Location::inFile(source.name), what);
}

/// Passes every line through `change`.
std::string mapLines(const std::string &text,
                     const std::function<std::string(const std::string &)> &change) {
  std::istringstream lines(text);
  std::string result;
  for (std::string line; std::getline(lines, line);)
    result += change(line) + "\n";
  return result;
}

/// What both routes change: includes, which the caller gives once, and function constants.
Result<std::string> commonForm(const MslSource &source) {
  std::string fault;
  std::string text = mapLines(source.text, [&](const std::string &line) -> std::string {
    std::smatch match;
    if (std::regex_match(line, kInclude) || line.rfind("#pragma clang diagnostic", 0) == 0)
      return "";
    if (line.rfind("#include", 0) == 0)
      fault = "the text includes something else: " + line;
    if (!std::regex_match(line, match, kFunctionConstant))
      return line;
    const std::string type = match[1], name = match[2];
    const auto given = source.functionConstants.find(static_cast<uint32_t>(std::stoul(match[3])));
    const bool is = given != source.functionConstants.end();
    return "constant " + type + " " + name + " = ::metal::fromBits<" + type + ">(" +
           std::to_string(is ? given->second : 0) + "); constant bool " + name +
           "_given = " + (is ? "true;" : "false;");
  });
  if (!fault.empty())
    return bad(source, fault);
  return text;
}

std::string withoutArrayBlock(std::string text) {
  const std::string start = "template<typename T, size_t Num>\nstruct spvUnsafeArray\n{\n";
  const size_t begin = text.find(start), end = text.find("\n};\n", begin);
  if (begin == std::string::npos || end == std::string::npos)
    return text;
  // As many lines as before, so that the compiler's messages name the text's.
  const std::string block = text.substr(begin, end + 4 - begin);
  std::string blank;
  for (char c : block)
    if (c == '\n')
      blank += c;
  return text.replace(begin, block.size(), blank);
}

/// The value of an argument by its attribute; empty: unknown.
std::string valueOf(const std::string &attribute) {
  static const std::map<std::string, std::string> builtIns = {
      {"thread_position_in_grid", "::metal::three(i->positionInGrid)"},
      {"thread_position_in_threadgroup", "::metal::three(i->positionInThreadgroup)"},
      {"threadgroup_position_in_grid", "::metal::three(i->threadgroupPosition)"},
      {"threadgroups_per_grid", "::metal::three(i->threadgroupsPerGrid)"},
      {"threads_per_threadgroup", "::metal::three(i->threadsPerThreadgroup)"},
      {"thread_index_in_threadgroup", "i->indexInThreadgroup"},
      // A subgroup is one invocation.
      {"thread_index_in_simdgroup", "0u"},
      {"threads_per_simdgroup", "1u"},
      {"thread_execution_width", "1u"},
      {"simdgroup_index_in_threadgroup", "i->indexInThreadgroup"},
  };
  if (const auto found = builtIns.find(attribute); found != builtIns.end())
    return found->second;
  static const std::regex place(R"((buffer|texture|sampler)\((\d+)\))");
  std::smatch match;
  if (!std::regex_match(attribute, match, place))
    return "";
  const std::string number = match[2];
  if (match[1] == "buffer")
    return "::metal::BufferArgument{i->buffers[" + number + "]}";
  if (match[1] == "texture")
    return "::metal::TextureArgument{i->textures + " + number + "}";
  return "::metal::SamplerArgument{i->samplers + " + number + "}";
}

/// The call of the kernel with what the attributes of its arguments ask for.
Result<std::string> callOf(const MslSource &source) {
  const std::string start = "kernel void " + source.entryPoint + "(";
  const size_t at = source.text.find(start);
  const size_t end = source.text.find("\n{", at);
  if (at == std::string::npos || end == std::string::npos)
    return bad(source, "there is no kernel '" + source.entryPoint + "'");
  const std::string signature = source.text.substr(at + start.size(), end - at - start.size());
  std::string call;
  unsigned arguments = 0;
  static const std::regex attribute(R"(\[\[([^\]]*)\]\])");
  for (std::sregex_iterator each(signature.begin(), signature.end(), attribute), last; each != last;
       ++each, ++arguments) {
    const std::string value = valueOf((*each)[1]);
    if (value.empty())
      return bad(source, "an argument has the attribute " + (*each)[1].str());
    call += (call.empty() ? "" : ", ") + value;
  }
  // An argument without an attribute would be missing, and clang says so.
  return source.entryPoint + "(" + call + ")";
}

} // namespace

bool hasBarriers(const std::string &text) {
  return text.find("threadgroup_barrier(") != std::string::npos;
}

bool hasThreadgroupMemory(const std::string &text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (std::regex_match(line, kThreadgroup))
      return true;
  return false;
}

Result<std::string> cppOf(const MslSource &source, unsigned number) {
  Result<std::string> common = commonForm(source);
  if (!common)
    return common.takeFailure();
  Result<std::string> call = callOf(source);
  if (!call)
    return call.takeFailure();
  const std::string n = std::to_string(number);
  const std::string text =
      mapLines(withoutArrayBlock(*common), [&](const std::string &line) -> std::string {
        std::smatch match;
        if (!std::regex_match(line, match, kThreadgroup))
          return line;
        // `used`: the host writes it too.
        return "    static __attribute__((used, section(\"msl_shared_" + n + "\"))) " +
               match[1].str() + ";";
      });
  std::string code = "namespace k" + n + " {\n# 1 \"" + source.name + "\"\n" + text + "\n}\n" +
                     "extern \"C\" void mslRun" + n + "(const MslInvocation *i) { k" + n +
                     "::" + *call + "; }\n";
  if (hasThreadgroupMemory(source.text))
    code += "extern \"C\" { extern char __start_msl_shared_" + n + "[], __stop_msl_shared_" + n +
            "[];\nchar *mslShared" + n + "[2] = {__start_msl_shared_" + n + ", __stop_msl_shared_" +
            n + "}; }\n";
  return code;
}

Result<std::string> openClOf(const MslSource &source, unsigned number) {
  Result<std::string> common = commonForm(source);
  if (!common)
    return common.takeFailure();
  // Metal copies a structure out of any address space; OpenCL's implicit members do not.
  std::string types = "spvUnsafeArray<.*>";
  static const std::regex structure(R"(struct (\w+))");
  std::istringstream lines(*common);
  for (std::string line; std::getline(lines, line);)
    if (std::smatch match; std::regex_match(line, match, structure))
      types += "|" + match[1].str();
  const std::regex declared("(\\s+)(" + types + R"() (\w+)(?: = (.*))?;)"),
      assigned(R"((\s+)(\w+) = (.*);)");
  std::set<std::string> names;
  const std::string text = mapLines(*common, [&](const std::string &line) -> std::string {
    std::smatch match;
    if (std::regex_match(line, match, declared)) {
      names.insert(match[3]);
      return match[4].matched
                 ? match[1].str() + match[2].str() + " " + match[3].str() + "; ::metal::assign(" +
                       match[3].str() + ", " + match[4].str() + ");"
                 : line;
    }
    if (std::regex_match(line, match, assigned) && names.count(match[2]) != 0)
      return match[1].str() + "::metal::assign(" + match[2].str() + ", " + match[3].str() + ");";
    return line;
  });
  // An argument of a kernel needs a complete type.
  static const std::regex arrayArgument(R"((array<[^;{}\[]*>, \d+>|array<sampler, \d+>) \w+ \[\[)");
  std::string complete;
  for (std::sregex_iterator each(text.begin(), text.end(), arrayArgument), last; each != last;
       ++each)
    complete +=
        "static_assert(sizeof(::metal::" +
        std::regex_replace((*each)[1].str(), std::regex("texture|access|sampler"), "::metal::$&") +
        ") != 0); ";
  // Kernels of OpenCL have C linkage whatever namespace they are in.
  const std::string n = std::to_string(number);
  return "#define " + source.entryPoint + " " + source.entryPoint + "_" + n + "\nnamespace k" + n +
         " {\n" + complete + "\n# 1 \"" + source.name + "\"\n" + text + "\n}\n#undef " +
         source.entryPoint + "\n";
}

} // namespace tailor::languages
