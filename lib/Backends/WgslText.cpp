//===- Backends/WgslText.cpp - What naga cannot bring over into WGSL -------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// naga (wgpu 30) writes a statement a line, indented by four blanks a level, and
// every name of the module's scope once. What is changed here is found by names
// that we chose, or in the entry point's wrapper, whose form is naga's own; where
// that form is not found, the emission fails rather than guess.
//
//===----------------------------------------------------------------------===//
#include "Backends/WgslSteps.h"
#include "Support/TextScan.h"

#include <algorithm>

namespace tailor::wgsl {
namespace {

using Lines = std::vector<std::string>;

Lines linesOf(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

std::string joined(const Lines &lines) {
  std::string text;
  for (const std::string &line : lines)
    text += line + "\n";
  return text;
}

size_t indentOf(std::string_view line) {
  const size_t at = line.find_first_not_of(' ');
  return at == std::string_view::npos ? line.size() : at;
}

bool isWord(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' ||
           (static_cast<unsigned char>(c) & 0x80) != 0;
  });
}

/// `let NAME = VALUE;` behind the blanks.
struct Binding {
  std::string name, value;
};
std::optional<Binding> bindingIn(std::string_view line) {
  line.remove_prefix(indentOf(line));
  if (line.substr(0, 4) != "let " || line.back() != ';')
    return std::nullopt;
  const size_t equals = line.find(" = ");
  if (equals == std::string_view::npos || !isWord(line.substr(4, equals - 4)))
    return std::nullopt;
  return Binding{std::string(line.substr(4, equals - 4)),
                 std::string(line.substr(equals + 3, line.size() - equals - 4))};
}

/// `NAME(ARGUMENT)` where the name starts with `prefix`: the argument.
std::optional<std::string> argumentOf(std::string_view call, std::string_view prefix) {
  if (call.substr(0, prefix.size()) != prefix || call.back() != ')')
    return std::nullopt;
  const size_t open = call.find('(');
  if (open == std::string_view::npos || !isWord(call.substr(0, open)))
    return std::nullopt;
  return std::string(call.substr(open + 1, call.size() - open - 2));
}

Failure unexpected(const std::string &fileName, const std::string &what) {
  return failure(Location::inFile(fileName), "the WGSL text has not the form expected: " + what,
                 ErrorKind::Internal);
}

/// The functions of proveBarriers go, and each call with the load before it becomes one load that
/// the workgroup does together.
Status loadTogether(Lines &lines, unsigned expected, const std::string &fileName) {
  Lines made;
  unsigned loads = 0;
  const std::string head = "fn " + std::string(kUniformLoadName);
  for (size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].substr(0, head.size()) == head) {
      while (i < lines.size() && lines[i] != "}")
        ++i;
      if (i + 1 < lines.size() && lines[i + 1].empty())
        ++i;
      continue;
    }
    std::optional<Binding> call = bindingIn(lines[i]);
    std::optional<std::string> argument =
        call ? argumentOf(call->value, kUniformLoadName) : std::nullopt;
    if (!argument) {
      made.push_back(lines[i]);
      continue;
    }
    std::optional<Binding> load = made.empty() ? std::nullopt : bindingIn(made.back());
    if (!load || load->name != *argument)
      return unexpected(fileName, "a load that the workgroup does together");
    std::string pointer = "(&" + load->value + ")";
    if (std::optional<std::string> atomic = argumentOf(load->value, "atomicLoad"))
      pointer = *atomic;
    made.back() = std::string(indentOf(lines[i]), ' ') + "let " + call->name +
                  " = workgroupUniformLoad(" + pointer + ");";
    ++loads;
  }
  if (loads != expected)
    return unexpected(fileName, std::to_string(loads) +
                                    " loads that the workgroup does together, "
                                    "of " +
                                    std::to_string(expected));
  lines = std::move(made);
  return success();
}

/// Commas outside of brackets.
std::vector<std::string> argumentsIn(std::string_view list) {
  std::vector<std::string> arguments(1);
  int depth = 0;
  for (char c : list) {
    depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
    if (c == ',' && depth == 0)
      arguments.emplace_back();
    else if (!(c == ' ' && arguments.back().empty()))
      arguments.back() += c;
  }
  return arguments;
}

/// SPIR-V's compare-and-exchange fails only where the values differ, WGSL's for no reason too
/// (WGSL specification, atomicCompareExchangeWeak): it is tried again until it does not.
Status exchangeStrongly(Lines &lines, const std::string &fileName) {
  Lines made;
  for (const std::string &line : lines) {
    std::optional<Binding> binding = bindingIn(line);
    std::optional<std::string> list =
        binding ? argumentOf(binding->value, "atomicCompareExchangeWeak") : std::nullopt;
    if (!list) {
      if (line.find("atomicCompareExchangeWeak(") != std::string::npos)
        return unexpected(fileName, "a compare-and-exchange");
      made.push_back(line);
      continue;
    }
    const std::vector<std::string> arguments = argumentsIn(*list);
    if (arguments.size() != 3)
      return unexpected(fileName, "a compare-and-exchange");
    const std::string blanks(indentOf(line), ' ');
    made.push_back(blanks + "var " + binding->name + " = " + binding->value + ";");
    made.push_back(blanks + "loop {");
    made.push_back(blanks + "    if (" + binding->name + ".exchanged || " + binding->name +
                   ".old_value != " + arguments[1] + ") {");
    made.push_back(blanks + "        break;");
    made.push_back(blanks + "    }");
    made.push_back(blanks + "    " + binding->name + " = " + binding->value + ";");
    made.push_back(blanks + "}");
  }
  lines = std::move(made);
  return success();
}

/// Where the entry point's wrapper stands: the line of its head.
std::optional<size_t> wrapperIn(const Lines &lines) {
  for (size_t i = 0; i + 1 < lines.size(); ++i)
    if (lines[i].substr(0, 9) == "@compute ")
      return i + 1;
  return std::nullopt;
}

/// The wrapper copies each id into a private variable and calls the kernel. WGSL takes private
/// variables for different in each invocation, so that no barrier behind `WorkgroupId == 0` would
/// pass: the ids become parameters of the kernel under the same names.
Status passIds(Lines &lines, const std::string &fileName) {
  std::optional<size_t> head = wrapperIn(lines);
  if (!head)
    return unexpected(fileName, "the entry point");
  std::string parameters, arguments;
  size_t at = *head + 1;
  std::vector<size_t> gone;
  for (; at < lines.size() && lines[at] != "}"; ++at) {
    const std::string_view line = std::string_view(lines[at]).substr(indentOf(lines[at]));
    const size_t equals = line.find(" = ");
    if (equals == std::string_view::npos)
      break;
    const std::string variable(line.substr(0, equals));
    const std::string argument(line.substr(equals + 3, line.size() - equals - 4));
    const std::string declaration = "var<private> " + variable + ": ";
    auto declared = std::find_if(lines.begin(), lines.end(), [&](const std::string &each) {
      return each.substr(0, declaration.size()) == declaration;
    });
    if (declared == lines.end() || declared->find('=') != std::string::npos || !isWord(argument))
      return unexpected(fileName, "the ids of the entry point");
    std::string type = declared->substr(declaration.size());
    type.pop_back();
    const char *separator = parameters.empty() ? "" : ", ";
    parameters.append(separator).append(variable).append(": ").append(type);
    arguments.append(separator).append(argument);
    gone.push_back(static_cast<size_t>(declared - lines.begin()));
    gone.push_back(at);
  }
  if (gone.empty())
    return success();
  std::string call = at < lines.size() ? lines[at].substr(indentOf(lines[at])) : std::string();
  const size_t open = call.find("();");
  if (open == std::string::npos)
    return unexpected(fileName, "the call of the kernel");
  call.resize(open);
  auto kernel = std::find(lines.begin(), lines.end(), "fn " + call + "() {");
  if (kernel == lines.end())
    return unexpected(fileName, "the kernel");
  *kernel = "fn " + call + "(" + parameters + ") {";
  lines[at] = "    " + call + "(" + arguments + ");";
  std::sort(gone.begin(), gone.end());
  for (size_t i = gone.size(); i-- > 0;)
    lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(gone[i]));
  return success();
}

bool mentions(const Lines &lines, std::string_view word) {
  return std::any_of(lines.begin(), lines.end(),
                     [&](const std::string &line) { return line.find(word) != std::string::npos; });
}

/// naga (wgpu 30) writes subgroup operations without the directives that they need.
void addDirectives(Lines &lines) {
  auto at = lines.begin();
  if (!mentions(lines, kEnableSubgroups))
    at = lines.insert(at, std::string(kEnableSubgroups)) + 1;
  while (at != lines.end() && at->substr(0, 7) == "enable ")
    ++at;
  lines.insert(at, std::string(kSubgroupsMeetAnywhere));
}

/// naga writes the largest float in its shortest decimal digits, which as a number are above it:
/// Dawn takes them for no f32 at all. As bits there is no doubt.
void spellLargestFloat(Lines &lines) {
  constexpr std::string_view decimal = "340282350000000000000000000000000000000f",
                             exact = "0x1.fffffep+127f";
  for (std::string &line : lines)
    for (size_t at = line.find(decimal); at != std::string::npos;
         at = line.find(decimal, at + exact.size()))
      if (at == 0 || !isWord(std::string_view(line).substr(at - 1, 1)))
        line.replace(at, decimal.size(), exact);
}

} // namespace

Result<std::string> finishText(const std::string &text, const TextNeeds &needs,
                               const std::string &fileName) {
  Lines lines = linesOf(text);
  if (Status done = loadTogether(lines, needs.uniformLoads, fileName); !done)
    return done.takeFailure();
  if (Status done = exchangeStrongly(lines, fileName); !done)
    return done.takeFailure();
  if (Status done = passIds(lines, fileName); !done)
    return done.takeFailure();
  spellLargestFloat(lines);
  if (needs.subgroups)
    addDirectives(lines);
  return joined(lines);
}

std::vector<Declaration> declarations(std::string_view text) {
  std::vector<Declaration> list;
  const Lines lines = linesOf(text);
  for (size_t i = 0; i + 1 < lines.size(); ++i) {
    std::string_view head = lines[i];
    Declaration made;
    if (!take(head, "@group("))
      continue;
    std::optional<uint32_t> group = takeNumber(head);
    if (!group || !take(head, ") @binding("))
      continue;
    std::optional<uint32_t> binding = takeNumber(head);
    std::string_view rest = lines[i + 1];
    if (!binding || !take(rest, "var"))
      continue;
    made.group = *group;
    made.binding = *binding;
    if (take(rest, "<")) {
      made.space = rest.substr(0, rest.find('>'));
      rest.remove_prefix(std::min(rest.size(), made.space.size() + 1));
    }
    take(rest, " ");
    const size_t colon = rest.find(": ");
    if (colon == std::string_view::npos)
      continue;
    made.name = rest.substr(0, colon);
    made.type = rest.substr(colon + 2);
    if (!made.type.empty() && made.type.back() == ';')
      made.type.pop_back();
    list.push_back(std::move(made));
  }
  return list;
}

std::string entryPointIn(std::string_view text) {
  const Lines lines = linesOf(text);
  std::optional<size_t> head = wrapperIn(lines);
  if (!head || lines[*head].substr(0, 3) != "fn ")
    return {};
  const size_t open = lines[*head].find('(');
  const bool another =
      wrapperIn(Lines(lines.begin() + static_cast<std::ptrdiff_t>(*head), lines.end())).has_value();
  return open == std::string::npos || another ? std::string() : lines[*head].substr(3, open - 3);
}

std::vector<std::string> enabled(std::string_view text) {
  std::vector<std::string> list;
  for (std::string_view line : linesOf(text))
    if (take(line, "enable ") && !line.empty())
      list.emplace_back(line.substr(0, line.size() - 1));
  return list;
}

} // namespace tailor::wgsl
