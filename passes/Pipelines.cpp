//===- passes/Pipelines.cpp - Every named pipeline, and the textual form ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/Pipelines.h"

#include "passes/PassArguments.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

namespace tailor {

// Each pipeline is one list; why a pass stands where it does is said beside it.
static constexpr NamedPipeline kPipelines[] = {
    {"describe", "everything the tool knows of a kernel, as text",
     "print-workgroup-size," // under the three spellings, before anything else is asked
     "print-facts,"
     "print-certificate"},
    {"literal", "for languages without specialization constants: HLSL, MSL, WGSL",
     "canonicalize-workgroup-size," // first: it must see the host's values of the size's SpecIds
     "freeze-spec-constants<all>"}, // then whatever the size did not depend on
    {"release", "the literal pipeline, without names and lines",
     "canonicalize-workgroup-size,"
     "freeze-spec-constants<all>,"
     "strip-debug"}, // last, so that the messages of the passes before it have lines
};

llvm::ArrayRef<NamedPipeline> namedPipelines() { return kPipelines; }

namespace {

class PipelineParser {
public:
  PipelineParser(llvm::StringRef text, const std::string &where, const PassRegistry &registry)
      : text(text), where(where), registry(registry) {}

  Status parse(PassManager &manager) {
    if (text.trim().empty())
      return fail(0, "the pipeline is empty");
    while (true) {
      if (Status element = parseElement(manager); !element)
        return element;
      if (position == text.size())
        return success();
      if (text[position] != ',')
        return fail(position,
                    std::string("expected ',' between passes, found '") + text[position] + "'");
      ++position;
    }
  }

private:
  Failure fail(size_t at, std::string message) const {
    return failure(locate(at), std::move(message), ErrorKind::Usage);
  }
  Location locate(size_t at) const { return Location::at(where, 1, static_cast<uint32_t>(at) + 1); }
  void skipBlanks() {
    while (position < text.size() && text[position] == ' ')
      ++position;
  }

  Status parseElement(PassManager &manager) {
    skipBlanks();
    size_t start = position;
    position = std::min(text.find_first_of(",<>", position), text.size());
    llvm::StringRef name = text.slice(start, position).rtrim();
    if (name.empty())
      return fail(start, "expected the name of a pass");
    std::vector<PassArgument> arguments;
    bool hasArguments = position < text.size() && text[position] == '<';
    if (hasArguments)
      if (Status parsed = parseArguments(arguments); !parsed)
        return parsed;
    skipBlanks();

    for (const NamedPipeline &pipeline : kPipelines)
      if (std::string_view(name) == pipeline.name) {
        if (hasArguments)
          return fail(start, "the pipeline '" + name.str() + "' takes no options");
        return PipelineParser(pipeline.passes, where, registry).parse(manager);
      }
    const PassInfo *info = registry.find(name);
    if (!info)
      return unknown(start, name);
    PassArguments options(info->flag, locate(start), std::move(arguments));
    options.check(info->options);
    if (Status checked = options.finish(); !checked)
      return checked;
    Result<std::unique_ptr<Pass>> pass = info->create(options);
    if (!pass)
      return pass.takeFailure();
    manager.add(std::move(*pass));
    return success();
  }

  Failure unknown(size_t at, llvm::StringRef name) const {
    std::vector<std::string_view> names;
    for (const PassInfo &info : registry.all())
      names.push_back(info.flag);
    for (const NamedPipeline &pipeline : kPipelines)
      names.push_back(pipeline.name);
    std::string near = nearestName(name, names);
    return fail(
        at, "there is no pass '" + name.str() + "'" +
                (near.empty() ? "; --list-passes lists them" : "; did you mean '" + near + "'?"));
  }

  /// From the '<' to past its '>'.
  Status parseArguments(std::vector<PassArgument> &arguments) {
    size_t open = position++;
    size_t start = position;
    unsigned depth = 1;
    for (; position < text.size(); ++position) {
      char c = text[position];
      depth += c == '<' ? 1 : 0;
      depth -= c == '>' ? 1 : 0;
      if (depth == 0 || (depth == 1 && c == ',')) {
        if (Status added = addArgument(start, position, arguments); !added)
          return added;
        start = position + 1;
      }
      if (depth == 0) {
        ++position;
        return success();
      }
    }
    return fail(open, "this '<' has no '>'");
  }

  Status addArgument(size_t start, size_t end, std::vector<PassArgument> &arguments) const {
    while (start < end && text[start] == ' ')
      ++start;
    llvm::StringRef whole = text.slice(start, end).rtrim();
    size_t equals = whole.find('=');
    PassArgument argument;
    argument.name = whole.substr(0, equals).rtrim();
    argument.nameAt = locate(start);
    argument.valueAt = locate(start + whole.size());
    if (argument.name.empty())
      return fail(start, "expected the name of an option");
    if (equals != llvm::StringRef::npos) {
      llvm::StringRef value = whole.substr(equals + 1);
      argument.hasValue = true;
      argument.value = value.ltrim();
      argument.valueAt = locate(start + equals + 1 + (value.size() - value.ltrim().size()));
    }
    arguments.push_back(std::move(argument));
    return success();
  }

  llvm::StringRef text;
  const std::string &where;
  const PassRegistry &registry;
  size_t position = 0;
};

} // namespace

Status parsePipeline(std::string_view text, const std::string &where, const PassRegistry &registry,
                     PassManager &manager) {
  return PipelineParser(text, where, registry).parse(manager);
}

} // namespace tailor
