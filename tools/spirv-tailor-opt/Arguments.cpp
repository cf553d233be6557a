//===- tools/spirv-tailor-opt/Arguments.cpp - The command line of spirv-tailor-opt ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Arguments.h"

#include "passes/PassRegistry.h"

namespace tailor {

const char *const kHelpText =
    R"(spirv-tailor-opt: runs passes over one module

usage: spirv-tailor-opt --passes=PIPELINE INPUT [-o OUT] [options]

  INPUT                 GLSL, HLSL, WGSL, SPIR-V binary or SPIR-V text
  --passes=PIPELINE     passes and named pipelines, in order: NAME[<OPTION=VALUE,...>],...
  -o OUT                where the module goes (- is standard output); without it only what the
                        passes print and refuse is seen
  -S                    writes SPIR-V text; without -o, to standard output
  --entry NAME          the kernel, for passes that work on one
  --spec ID=VALUE       the host's value of a specialization constant (repeatable)
  --verify-each         validates the module after each pass too, and checks what the passes
                        promise
  --load-pass-plugin L  passes from a shared library (repeatable)
  --target-env NAME     vulkan1.0 to vulkan1.3, for compiling and validating
  -I DIR, -D NAME=V     for GLSL and HLSL
  --list-passes         lists passes and pipelines
  --print-pass-docs     writes docs/passes.md
  --help, --version

examples:
  spirv-tailor-opt --passes=print-workgroup-size blur.comp
  spirv-tailor-opt --passes='canonicalize-workgroup-size,resize<size=64x1x1>' blur.comp -o blur.spv
  spirv-tailor-opt --passes=canonicalize-workgroup-size --spec 0=256 sum.spv -S
  spirv-tailor-opt --passes='verify-limits<max-invocations=256>' blur.comp
  spirv-tailor-opt --load-pass-plugin ./libMine.so --passes=my-pass in.spv -o out.spv

exit codes: 0 done, 1 the input was refused, 2 usage, 3 environment, 4 a fault of this program
)";

namespace {

Failure usage(std::string text) {
  return failure(
      Diagnostic::error(Location::inFile("spirv-tailor-opt"), std::move(text), ErrorKind::Usage));
}

class ArgumentParser {
public:
  explicit ArgumentParser(const std::vector<std::string> &words) : words(words) {}

  Result<OptArguments> parse() {
    bool onlyInputs = false;
    for (; at < words.size(); ++at) {
      const std::string &word = words[at];
      if (word == "--" && !onlyInputs) {
        onlyInputs = true;
      } else if (!onlyInputs && word.size() > 1 && word[0] == '-') {
        if (Status taken = option(word); !taken)
          return taken.takeFailure();
      } else if (!result.input.empty()) {
        return usage("one input at a time: '" + result.input + "' and '" + word + "' are given");
      } else {
        result.input = word;
      }
    }
    if (result.action != OptArguments::Action::Run)
      return result;
    if (!hasPasses)
      return usage("no passes are named: give --passes=PIPELINE (see --help)");
    if (result.input.empty())
      return usage("no input is named (see --help)");
    if (result.asText && !result.output)
      result.output = "-";
    return result;
  }

private:
  Status option(const std::string &word) {
    using Action = OptArguments::Action;
    if (word == "--help" || word == "-h")
      return act(Action::Help);
    if (word == "--version")
      return act(Action::Version);
    if (word == "--list-passes")
      return act(Action::ListPasses);
    if (word == "--print-pass-docs")
      return act(Action::PrintPassDocs);
    if (word == "-S")
      return result.asText = true, success();
    if (word == "--verify-each")
      return result.verifyEach = true, success();
    return valued(word);
  }

  Status act(OptArguments::Action action) {
    if (result.action == OptArguments::Action::Run)
      result.action = action;
    return success();
  }

  /// Options with a value: `--name VALUE`, `--name=VALUE`, `-xVALUE`, `-x VALUE`.
  Status valued(const std::string &word) {
    std::string name = word, value;
    bool hasValue = false;
    bool isLong = word.starts_with("--");
    if (size_t equals = word.find('='); isLong && equals != std::string::npos) {
      name = word.substr(0, equals);
      value = word.substr(equals + 1);
      hasValue = true;
    } else if (!isLong && word.size() > 2) {
      name = word.substr(0, 2);
      value = word.substr(2);
      hasValue = true;
    }
    static const std::vector<std::string_view> kNames = {
        "--passes", "--entry", "--spec", "--load-pass-plugin", "--target-env", "-o", "-I", "-D"};
    if (std::find(kNames.begin(), kNames.end(), name) == kNames.end()) {
      std::vector<std::string_view> all = kNames;
      all.insert(all.end(),
                 {"--help", "--version", "--list-passes", "--print-pass-docs", "--verify-each"});
      std::string near = isLong ? nearestName(name, all) : "";
      return usage("there is no option '" + name + "'" +
                   (near.empty() ? " (see --help)" : "; did you mean '" + near + "'?"));
    }
    if (!hasValue) {
      if (at + 1 == words.size())
        return usage("the option '" + name + "' needs a value");
      value = words[++at];
    }
    return set(name, std::move(value));
  }

  Status set(const std::string &name, std::string value) {
    if (name == "--passes") {
      if (hasPasses)
        return usage("--passes is given twice");
      hasPasses = true;
      result.passes = std::move(value);
    } else if (name == "--entry") {
      result.entryPoint = result.frontend.entryPoint = std::move(value);
    } else if (name == "--spec") {
      Result<SpecAssignment> assignment = parseSpecAssignment(value, Location::inFile("--spec"));
      if (!assignment)
        return assignment.takeFailure();
      result.spec.push_back(std::move(*assignment));
    } else if (name == "--load-pass-plugin") {
      result.plugins.push_back(std::move(value));
    } else if (name == "--target-env") {
      result.frontend.targetEnv = std::move(value);
      result.hasTargetEnv = true;
    } else if (name == "-o") {
      result.output = std::move(value);
    } else if (name == "-I") {
      result.frontend.includeDirs.push_back(std::move(value));
    } else {
      size_t equals = value.find('=');
      bool bare = equals == std::string::npos;
      result.frontend.defines.emplace_back(value.substr(0, equals),
                                           bare ? "" : value.substr(equals + 1));
    }
    return success();
  }

  const std::vector<std::string> &words;
  OptArguments result;
  size_t at = 0;
  bool hasPasses = false;
};

} // namespace

Result<OptArguments> parseArguments(const std::vector<std::string> &words) {
  return ArgumentParser(words).parse();
}

} // namespace tailor
