//===- passes/PassArguments.cpp - Reading the options of one pass ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/PassArguments.h"

#include "passes/PassRegistry.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

namespace tailor {

void PassArguments::check(llvm::ArrayRef<OptionInfo> options) {
  for (const PassArgument &argument : arguments) {
    auto known = llvm::find_if(
        options, [&](const OptionInfo &option) { return option.name == argument.name; });
    std::string quoted = "'" + argument.name + "'";
    if (known == options.end()) {
      std::vector<std::string_view> names;
      for (const OptionInfo &option : options)
        names.push_back(option.name);
      std::string near = nearestName(argument.name, names);
      complain(argument.nameAt, "the pass '" + flag + "' has no option " + quoted +
                                    (near.empty() ? "" : "; did you mean '" + near + "'?"));
    } else if (known->value.empty() && argument.hasValue) {
      complain(argument.nameAt, "the option " + quoted + " takes no value");
    } else if (!known->value.empty() && !argument.hasValue) {
      complain(argument.nameAt, "the option " + quoted + " needs a value: " + argument.name + "=" +
                                    std::string(known->value));
    } else if (find(argument.name) != &argument) {
      complain(argument.nameAt, "the option " + quoted + " is given twice");
    }
  }
}

const PassArgument *PassArguments::find(std::string_view name) const {
  auto at = llvm::find_if(arguments, [&](const PassArgument &each) { return each.name == name; });
  return at == arguments.end() ? nullptr : &*at;
}

std::optional<std::string> PassArguments::string(std::string_view name) const {
  const PassArgument *argument = find(name);
  return argument ? std::optional(argument->value) : std::nullopt;
}

std::optional<uint64_t> PassArguments::integer(std::string_view name, uint64_t min, uint64_t max) {
  const PassArgument *argument = find(name);
  if (!argument)
    return std::nullopt;
  uint64_t value = 0;
  if (llvm::StringRef(argument->value).getAsInteger(0, value) || value < min || value > max) {
    complain(argument->valueAt, "'" + argument->value + "' is not a number from " +
                                    std::to_string(min) + " to " + std::to_string(max));
    return std::nullopt;
  }
  return value;
}

std::optional<Dim3> PassArguments::dim3(std::string_view name) {
  const PassArgument *argument = find(name);
  if (!argument)
    return std::nullopt;
  std::optional<Dim3> size = parseDim3(argument->value);
  if (!size)
    complain(argument->valueAt,
             "'" + argument->value + "' is not a size: write AxBxC, none of them zero");
  return size;
}

std::vector<PassArguments::Item> PassArguments::items(std::string_view name) const {
  std::vector<Item> list;
  const PassArgument *argument = find(name);
  if (!argument)
    return list;
  size_t start = 0;
  while (start <= argument->value.size()) {
    size_t end = std::min(argument->value.find(';', start), argument->value.size());
    Location place = argument->valueAt;
    place.column += static_cast<uint32_t>(start);
    list.push_back({argument->value.substr(start, end - start), place});
    start = end + 1;
  }
  return list;
}

std::vector<uint32_t> PassArguments::ids(std::string_view name) {
  std::vector<uint32_t> list;
  for (const Item &item : items(name)) {
    uint32_t value = 0;
    if (llvm::StringRef(item.text).trim().getAsInteger(0, value))
      complain(item.at, "'" + item.text + "' is not a SpecId");
    list.push_back(value);
  }
  return list;
}

std::vector<SpecAssignment> PassArguments::specValues(std::string_view name) {
  std::vector<SpecAssignment> list;
  for (const Item &item : items(name)) {
    Result<SpecAssignment> assignment =
        parseSpecAssignment(llvm::StringRef(item.text).trim(), item.at);
    if (!assignment)
      complain(assignment.diagnostic().location, assignment.diagnostic().text);
    else
      list.push_back(std::move(*assignment));
  }
  return list;
}

void PassArguments::complain(const Location &at, std::string text) {
  if (!complaint)
    complaint = Diagnostic::error(at, std::move(text), ErrorKind::Usage);
}

void PassArguments::complainOf(std::string_view name, std::string text) {
  const PassArgument *argument = find(name);
  complain(argument ? argument->valueAt : where, std::move(text));
}

Status PassArguments::finish() {
  if (complaint)
    return failure(*complaint);
  return success();
}

} // namespace tailor
