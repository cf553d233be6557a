//===- tools/spirv-tailor/AnalyzeLegality.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AnalyzeText.h"
#include "IR/Types.h"

namespace tailor {

// --- names ---

/// The variable of that storage class, or of that descriptor.
static const Instruction *variableOf(const Module &module, const UniformExpr &leaf) {
  for (const Instruction &inst : module.section(Section::Globals)) {
    if (inst.opcode() != spv::Op::OpVariable)
      continue;
    if (leaf.op == UniformExpr::Op::PushConstant) {
      if (static_cast<spv::StorageClass>(inst.literal(0)) == spv::StorageClass::PushConstant)
        return &inst;
    } else if (module.decoration(inst.result(), spv::Decoration::DescriptorSet).value_or(0) ==
                   leaf.params[0] &&
               module.decoration(inst.result(), spv::Decoration::Binding) == leaf.params[1]) {
      return &inst;
    }
  }
  return nullptr;
}

static std::string memberName(const Module &module, Id structType, uint32_t member) {
  for (const Instruction &inst : module.section(Section::Debug))
    if (inst.opcode() == spv::Op::OpMemberName && inst.id(0) == structType &&
        inst.literal(1) == member)
      return inst.string(2);
  return "";
}

/// The member at that offset, `rows` or `size.x`; "" where it cannot be told.
static std::string pathAt(const Module &module, ConstantEvaluator &constants, Id typeId,
                          uint64_t offset) {
  std::string path;
  for (const Instruction *type = module.def(typeId); type;) {
    if (type->opcode() == spv::Op::OpTypeStruct) {
      uint32_t found = UINT32_MAX;
      uint64_t start = 0;
      for (uint32_t member = 0; member < type->numOperands(); ++member)
        if (auto at = memberOffset(module, *type, member, constants);
            at && *at <= offset && (found == UINT32_MAX || *at >= start)) {
          found = member;
          start = *at;
        }
      std::string name = found == UINT32_MAX ? "" : memberName(module, type->result(), found);
      if (name.empty())
        return "";
      path += (path.empty() ? "" : ".") + name;
      offset -= start;
      type = module.def(type->id(found));
    } else if (type->opcode() == spv::Op::OpTypeVector) {
      return offset % 4 == 0 && offset < 16 ? path + "." + "xyzw"[offset / 4] : "";
    } else {
      return offset == 0 && type->numOperands() > 0 && type->opcode() == spv::Op::OpTypeInt ? path
                                                                                            : "";
    }
  }
  return "";
}

/// The member of a block at whose offset an array starts.
static std::string arrayAt(const Module &module, ConstantEvaluator &constants, Id block,
                           uint64_t offset) {
  const Instruction *type = module.def(block);
  if (!type || type->opcode() != spv::Op::OpTypeStruct)
    return "";
  for (uint32_t member = 0; member < type->numOperands(); ++member)
    if (memberOffset(module, *type, member, constants) == offset)
      return memberName(module, block, member);
  return "";
}

/// What the kernel calls a value of the host; "" where it has no name for it.
static std::string leafName(const Module &module, ConstantEvaluator &constants,
                            const UniformExpr &leaf) {
  if (leaf.op == UniformExpr::Op::SpecConstant) {
    for (const Instruction &inst : module.section(Section::Globals))
      if (module.decoration(inst.result(), spv::Decoration::SpecId) == leaf.params[0] &&
          module.name(inst.result()).front() != '%')
        return module.name(inst.result());
    return "";
  }
  const Instruction *variable = variableOf(module, leaf);
  std::optional<PointerType> pointer =
      variable ? pointerType(module, variable->typeId()) : std::nullopt;
  if (!pointer)
    return "";
  std::string name = module.name(variable->result());
  if (leaf.op == UniformExpr::Op::ImageSize && name.front() != '%')
    return "size(" + name + ")." + "xyz"[leaf.params[2] % 3];
  if (leaf.op == UniformExpr::Op::ArrayLength) {
    std::string path = arrayAt(module, constants, pointer->pointee, leaf.params[2]);
    return path.empty() ? "" : "length(" + (name.front() == '%' ? "" : name + ".") + path + ")";
  }
  if (leaf.op != UniformExpr::Op::PushConstant && leaf.op != UniformExpr::Op::BufferValue)
    return "";
  std::string path =
      pathAt(module, constants, pointer->pointee,
             leaf.op == UniformExpr::Op::PushConstant ? leaf.params[0] : leaf.params[2]);
  return path.empty() || name.front() == '%' ? path : name + "." + path;
}

static void replaceLeaves(std::string &text, const Module &module, ConstantEvaluator &constants,
                          const UniformExpr &expr) {
  for (const UniformExpr &operand : expr.operands)
    replaceLeaves(text, module, constants, operand);
  if (!expr.isLeaf() || expr.op == UniformExpr::Op::Constant)
    return;
  std::string plain = expr.str(), name = leafName(module, constants, expr);
  if (name.empty())
    return;
  for (size_t at = text.find(plain); at != std::string::npos;
       at = text.find(plain, at + name.size()))
    text.replace(at, plain.size(), name);
}

std::string boundText(const Module &module, ConstantEvaluator &constants,
                      const DispatchBound &bound) {
  std::string text = bound.str();
  replaceLeaves(text, module, constants, bound.bound);
  replaceLeaves(text, module, constants, bound.offset);
  if (bound.divisor)
    replaceLeaves(text, module, constants, *bound.divisor);
  for (const BoundTerm &term : bound.terms)
    replaceLeaves(text, module, constants, term.factor);
  return text;
}

// --- rules ---

std::vector<AxisRule> axisRules(const Findings &findings, Technique technique) {
  const Certificate &certificate = findings.certificate;
  const TechniqueVerdict &verdict = certificate.verdict(technique);
  std::vector<AxisRule> rules;
  if (!verdict.legal())
    return rules;
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (!certificate.usesAxis[axis] && certificate.authored.size[axis] == 1)
      continue;
    // A size that does not divide the authored one, where there may be one.
    Dim3 size = certificate.authored.size;
    bool isFree =
        (technique == Technique::Resize || technique == Technique::Remap) && !verdict.dividesOnly;
    if (isFree || technique == Technique::Pack)
      size[axis] *= 2;
    else if (technique != Technique::Swizzle && technique != Technique::Respecialize &&
             size[axis] == 1)
      continue; // nothing divides 1
    Result<Dispatch> dispatch = dispatchOf(certificate, technique, size);
    if (!dispatch)
      continue;
    AxisRule rule{axis, dispatch->rule, {}, "", {}};
    for (const DispatchBound &bound : dispatch->bounds) {
      std::string text = boundText(findings.kernel.module(), findings.kernel.constants(), bound);
      if (std::find(rule.bounds.begin(), rule.bounds.end(), text) == rule.bounds.end())
        rule.bounds.push_back(std::move(text));
    }
    if (const auto &why = certificate.coverRefusal[axis]; isFree && why && rule.bounds.empty()) {
      rule.reason = why->text;
      rule.location = why->location;
    }
    rules.push_back(std::move(rule));
  }
  return rules;
}

/// `cover on x (gid.x < params.n), exact on y; guarded: any`.
static std::string rulesText(const Findings &findings, Technique technique) {
  std::vector<AxisRule> rules = axisRules(findings, technique);
  if (technique == Technique::Coarsen || technique == Technique::Swizzle)
    return "same groups";
  if (technique == Technique::Pack || technique == Technique::Respecialize)
    return "exact";
  std::string text;
  for (size_t at = 0; at < rules.size(); ++at) {
    const AxisRule &rule = rules[at];
    bool isSame = at > 0 && rules[at - 1].rule == rule.rule;
    text += isSame ? " and " : (at > 0 ? ", " : "") + std::string(nameOf(rule.rule)) + " on ";
    text += kAxisName[rule.axis];
    if (!rule.bounds.empty())
      text += " (" + rule.bounds.front() +
              (rule.bounds.size() > 1 ? " and " + std::to_string(rule.bounds.size() - 1) + " more"
                                      : "") +
              ")";
  }
  return text.empty() ? "exact" : text + "; guarded: any";
}

/// The diagnostic and its notes, each with its place.
static std::string refusalText(const Findings &findings, const Diagnostic &why, bool full) {
  auto placed = [&](const std::string &text, const Location &location) {
    std::string place = findings.place(location);
    return place.empty() || place == findings.kernel.module().source.file
               ? text
               : text + " (" + place + ")";
  };
  constexpr size_t kNotes = 3;
  std::string text = placed(why.text, why.location);
  std::vector<const Note *> notes;
  for (const Note &note : why.notes) {
    bool isPlaced = note.location.line != 0 || note.location.word != Location::kUnknownWord;
    if (isPlaced || !note.text.ends_with("here"))
      notes.push_back(&note);
  }
  const size_t shown = full ? notes.size() : shownOf(notes.size(), kNotes);
  for (size_t at = 0; at < shown; ++at)
    text += "; " + placed(notes[at]->text, notes[at]->location);
  if (shown < notes.size())
    text += "; and more (--full)";
  return text;
}

static std::string sizesOf(const Findings &findings, Technique technique) {
  const Certificate &certificate = findings.certificate;
  std::string text =
      sizesText(technique, certificate.verdict(technique), certificate.authored.size);
  constexpr std::string_view kLegal = "legal, ";
  return text.starts_with(kLegal) ? text.substr(kLegal.size()) : text;
}

void printLegality(TextWriter &out, const KernelReport &report) {
  const Findings &findings = report.findings;
  const Certificate &certificate = findings.certificate;
  out.title("Techniques", "how other sizes may be made, and by which dispatch rule");
  std::string resizeRules;
  std::string_view refusedBefore;
  std::string refusalBefore;
  for (Technique technique : kTechniques) {
    const TechniqueVerdict &verdict = certificate.verdict(technique);
    std::string name(nameOf(technique));
    if (!verdict.legal()) {
      std::string refusal = refusalText(findings, *verdict.refusal, out.isFull());
      bool isSame = refusal == refusalBefore;
      out.line("- " + name, isSame ? "as " + std::string(refusedBefore) : refusal, Colour::Faint);
      if (!isSame) {
        refusedBefore = nameOf(technique);
        refusalBefore = std::move(refusal);
      }
      continue;
    }
    std::string rules = rulesText(findings, technique);
    if (technique == Technique::Resize)
      resizeRules = rules;
    else if (technique == Technique::Remap && rules == resizeRules)
      rules = "as resize";
    out.line("+ " + name, sizesOf(findings, technique) + "; " + rules, Colour::Good);
    for (unsigned axis = 0; axis < 3; ++axis)
      if (verdict.axisRefusal[axis])
        out.line("",
                 std::string("not along ") + kAxisName[axis] + ": " +
                     refusalText(findings, *verdict.axisRefusal[axis], out.isFull()),
                 Colour::Faint);
  }
}

} // namespace tailor
