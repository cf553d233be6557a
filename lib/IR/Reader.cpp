//===- IR/Reader.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "IR/Reader.h"

#include "Support/UnknownSpirv.h"

#include "spirv-tools/libspirv.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"

#include <map>
#include <optional>
#include <tuple>

namespace tailor {

namespace {

constexpr uint32_t kHeaderWords = 5;
/// The last SourceLanguage that SPIRV-Tools 2023.1 knows (CPP_for_OpenCL).
constexpr uint32_t kLastKnownSourceLanguage = 6;
// NonSemantic.Shader.DebugInfo.100, instruction numbers.
constexpr uint32_t kDebugSource = 35, kDebugLine = 103, kDebugNoLine = 104;

OperandKind kindOf(spv_operand_type_t type) {
  switch (type) {
  case SPV_OPERAND_TYPE_ID:
  case SPV_OPERAND_TYPE_TYPE_ID:
  case SPV_OPERAND_TYPE_RESULT_ID:
  case SPV_OPERAND_TYPE_MEMORY_SEMANTICS_ID:
  case SPV_OPERAND_TYPE_SCOPE_ID:
    return OperandKind::Id;
  case SPV_OPERAND_TYPE_LITERAL_STRING:
    return OperandKind::String;
  default:
    return OperandKind::Literal;
  }
}

/// The section of a module-scope instruction; nullopt for what belongs to a function.
std::optional<Section> sectionOf(spv::Op op) {
  using enum spv::Op;
  switch (op) {
  case OpCapability:
    return Section::Capabilities;
  case OpExtension:
    return Section::Extensions;
  case OpExtInstImport:
    return Section::ExtInstImports;
  case OpMemoryModel:
  case OpSamplerImageAddressingModeNV:
    return Section::MemoryModel;
  case OpEntryPoint:
    return Section::EntryPoints;
  case OpExecutionMode:
  case OpExecutionModeId:
    return Section::ExecutionModes;
  case OpString:
  case OpSource:
  case OpSourceContinued:
  case OpSourceExtension:
  case OpName:
  case OpMemberName:
  case OpModuleProcessed:
    return Section::Debug;
  case OpDecorate:
  case OpDecorateId:
  case OpDecorateString:
  case OpMemberDecorate:
  case OpMemberDecorateString:
  case OpDecorationGroup:
  case OpGroupDecorate:
  case OpGroupMemberDecorate:
    return Section::Annotations;
  case OpUndef:
  case OpVariable:
  case OpExtInst:
  case OpConstantPipeStorage:
  case OpTypeStructContinuedINTEL:
  case OpConstantCompositeContinuedINTEL:
  case OpSpecConstantCompositeContinuedINTEL:
    return Section::Globals; // outside a function; inside, the caller does not ask
  default:
    if (isType(op) || isConstant(op))
      return Section::Globals;
    return std::nullopt;
  }
}

/// The universal limit on ids of SPIR-V 1.6, section 2.17. Tables here are indexed by id.
constexpr uint32_t kMaxIdBound = 0x3fffff;

} // namespace

/// Receives the parser's callbacks and puts each instruction in its place.
class ModuleBuilder {
public:
  explicit ModuleBuilder(ModuleSource source) { module.source = std::move(source); }

  Result<Module> build(std::span<const uint32_t> words);

private:
  static spv_result_t onHeader(void *self, spv_endianness_t endian, uint32_t magic,
                               uint32_t version, uint32_t generator, uint32_t idBound,
                               uint32_t schema);
  static spv_result_t onInstruction(void *self, const spv_parsed_instruction_t *parsed) {
    return static_cast<ModuleBuilder *>(self)->add(*parsed);
  }
  spv_result_t add(const spv_parsed_instruction_t &parsed);
  spv_result_t place(Instruction *inst);
  spv_result_t placeInFunction(Instruction *inst);
  spv_result_t refuse(const Instruction &inst, const std::string &text);
  /// The first id of the instruction that is not below the bound; None when all are.
  Id idOutOfBound(const Instruction &inst) const;
  void trackLines(Instruction &inst);
  uint32_t internLine(const std::string &file, uint32_t line, uint32_t column);
  uint32_t constantWord(Id id) const;
  std::string stringOf(Id id) const;

  Module module;
  Function *function = nullptr;
  Block *block = nullptr;
  bool functionEnded = false;
  Section lastSection = Section::Capabilities;
  uint32_t offset = kHeaderWords;
  llvm::SmallVector<LineMark, 2> pendingMarks;
  uint32_t currentLine = 0; ///< index into sourceLines
  Id debugInfoSet = Id::None;
  std::map<std::tuple<std::string, uint32_t, uint32_t>, uint32_t> lineOf;
  std::optional<Diagnostic> refusal;
};

spv_result_t ModuleBuilder::onHeader(void *self, spv_endianness_t, uint32_t, uint32_t version,
                                     uint32_t generator, uint32_t idBound, uint32_t schema) {
  auto *builder = static_cast<ModuleBuilder *>(self);
  Module &module = builder->module;
  if (idBound > kMaxIdBound) {
    builder->refusal =
        Diagnostic::error(Location::atWord(module.source.file, 3),
                          "the id bound " + std::to_string(idBound) +
                              " is above the limit of SPIR-V, " + std::to_string(kMaxIdBound));
    return SPV_ERROR_INVALID_BINARY;
  }
  module.versionWord = version;
  module.generator = generator;
  module.bound = idBound;
  module.schema = schema;
  return SPV_SUCCESS;
}

Id ModuleBuilder::idOutOfBound(const Instruction &inst) const {
  for (Id id : {inst.typeId(), inst.result()})
    if (raw(id) >= module.bound && isValid(id))
      return id;
  for (unsigned index = 0; index < inst.numOperands(); ++index)
    if (inst.isId(index) && raw(inst.id(index)) >= module.bound)
      return inst.id(index);
  return Id::None;
}

spv_result_t ModuleBuilder::refuse(const Instruction &inst, const std::string &text) {
  refusal = Diagnostic::error(module.rawLocationOf(inst), text);
  return SPV_ERROR_INVALID_BINARY;
}

uint32_t ModuleBuilder::constantWord(Id id) const {
  const Instruction *def = module.def(id);
  return def && def->opcode() == spv::Op::OpConstant ? def->literal(0) : 0;
}

std::string ModuleBuilder::stringOf(Id id) const {
  const Instruction *def = module.def(id);
  return def && def->opcode() == spv::Op::OpString ? def->string(0) : std::string();
}

uint32_t ModuleBuilder::internLine(const std::string &file, uint32_t line, uint32_t column) {
  auto [at, isNew] = lineOf.try_emplace({file, line, column}, module.sourceLines.size());
  if (isNew)
    module.sourceLines.push_back({file, line, column});
  return at->second;
}

/// Keeps the current source line, from NonSemantic DebugLine (OpLine is seen in add()).
void ModuleBuilder::trackLines(Instruction &inst) {
  if (inst.opcode() == spv::Op::OpExtInstImport &&
      inst.string(0) == "NonSemantic.Shader.DebugInfo.100")
    debugInfoSet = inst.result();
  if (inst.opcode() != spv::Op::OpExtInst || !isValid(debugInfoSet) || inst.id(0) != debugInfoSet)
    return;
  if (inst.literal(1) == kDebugNoLine)
    currentLine = 0;
  if (inst.literal(1) != kDebugLine || inst.numOperands() < 6 || !inst.isId(2) || !inst.isId(3) ||
      !inst.isId(5))
    return;
  std::string file;
  const Instruction *debugSource = module.def(inst.id(2));
  if (debugSource && debugSource->opcode() == spv::Op::OpExtInst &&
      debugSource->id(0) == debugInfoSet && debugSource->literal(1) == kDebugSource &&
      debugSource->numOperands() > 2 && debugSource->isId(2))
    file = stringOf(debugSource->id(2));
  currentLine = internLine(file, constantWord(inst.id(3)), constantWord(inst.id(5)));
}

spv_result_t ModuleBuilder::add(const spv_parsed_instruction_t &parsed) {
  auto op = static_cast<spv::Op>(parsed.opcode);
  uint32_t at = offset;
  offset += parsed.num_words;
  if (op == spv::Op::OpLine) {
    LineMark mark{static_cast<Id>(parsed.words[1]), parsed.words[2], parsed.words[3]};
    pendingMarks.push_back(mark);
    currentLine = internLine(stringOf(mark.file), mark.line, mark.column);
    return SPV_SUCCESS;
  }
  if (op == spv::Op::OpNoLine) {
    pendingMarks.push_back({});
    currentLine = 0;
    return SPV_SUCCESS;
  }

  auto inst = std::make_unique<Instruction>(op, static_cast<Id>(parsed.type_id),
                                            static_cast<Id>(parsed.result_id));
  for (unsigned index = 0; index < parsed.num_operands; ++index) {
    const spv_parsed_operand_t &operand = parsed.operands[index];
    if (operand.type == SPV_OPERAND_TYPE_TYPE_ID || operand.type == SPV_OPERAND_TYPE_RESULT_ID)
      continue;
    inst->addWords(kindOf(operand.type),
                   llvm::ArrayRef(parsed.words + operand.offset, operand.num_words));
  }
  inst->wordOffset = at;
  // The parser takes any id, and tables here are indexed by id.
  if (Id id = idOutOfBound(*inst); isValid(id))
    return refuse(*inst, nameOf(op) + " names %" + std::to_string(raw(id)) +
                             ", which is not below the id bound " + std::to_string(module.bound));
  for (const LineMark &mark : pendingMarks)
    inst->addLineMark(mark);
  pendingMarks.clear();
  trackLines(*inst);
  inst->lineIndex = currentLine;
  return place(inst.release());
}

spv_result_t ModuleBuilder::place(Instruction *inst) {
  std::unique_ptr<Instruction> owner(inst);
  if (inst->opcode() == spv::Op::OpFunction) {
    if (function && !functionEnded)
      return refuse(*inst, "a function begins before the one before it has ended");
    auto made = std::unique_ptr<Function>(new Function(*inst));
    made->leading.splice(made->leading.end(), module.trailing);
    function = made.get();
    module.functionList.push_back(std::move(made));
    block = nullptr;
    functionEnded = false;
    module.define(function->defInst);
    return SPV_SUCCESS;
  }
  if (function && !functionEnded)
    return placeInFunction(owner.release());
  if (function) { // between or after functions only non-semantic instructions may stand
    if (inst->opcode() != spv::Op::OpExtInst)
      return refuse(*inst, nameOf(inst->opcode()) + " stands outside every function");
    module.trailing.push_back(owner.release());
    module.define(*inst);
    return SPV_SUCCESS;
  }
  std::optional<Section> section = sectionOf(inst->opcode());
  if (!section)
    return refuse(*inst, nameOf(inst->opcode()) + " stands outside every function");
  if (*section < lastSection)
    return refuse(*inst, nameOf(inst->opcode()) + " is out of the order that SPIR-V prescribes");
  lastSection = *section;
  module.section(*section).push_back(owner.release());
  module.define(*inst);
  return SPV_SUCCESS;
}

spv_result_t ModuleBuilder::placeInFunction(Instruction *inst) {
  std::unique_ptr<Instruction> owner(inst);
  if (inst->opcode() == spv::Op::OpFunctionEnd) {
    if (block)
      return refuse(*inst, "the function ends inside a block");
    for (const LineMark &mark : inst->lineMarks())
      function->endInst.addLineMark(mark);
    function->endInst.wordOffset = inst->wordOffset;
    function->endInst.lineIndex = inst->lineIndex;
    functionEnded = true;
    currentLine = 0;
    return SPV_SUCCESS;
  }
  if (inst->opcode() == spv::Op::OpLabel) {
    if (block)
      return refuse(*inst, "a block begins before the one before it has ended");
    block = new Block(*inst);
    block->function = function;
    function->blockList.push_back(block);
    block->labelInst.block = block;
    module.define(block->labelInst);
    return SPV_SUCCESS;
  }
  if (!block) {
    bool allowed =
        inst->opcode() == spv::Op::OpFunctionParameter || inst->opcode() == spv::Op::OpExtInst;
    if (!allowed || !function->blockList.empty())
      return refuse(*inst, nameOf(inst->opcode()) + " stands outside every block");
    function->params.push_back(owner.release());
    module.define(*inst);
    return SPV_SUCCESS;
  }
  std::optional<Section> section = sectionOf(inst->opcode());
  bool mayStandInBlock = inst->opcode() == spv::Op::OpUndef ||
                         inst->opcode() == spv::Op::OpVariable ||
                         inst->opcode() == spv::Op::OpExtInst;
  if ((section && !mayStandInBlock) || inst->opcode() == spv::Op::OpFunctionParameter)
    return refuse(*inst, nameOf(inst->opcode()) + " stands inside a block");
  block->body.push_back(owner.release());
  inst->block = block;
  module.define(*inst);
  if (isTerminator(inst->opcode())) {
    block = nullptr;
    currentLine = 0;
  }
  return SPV_SUCCESS;
}

/// Replaces source languages that the parser does not know by Unknown in `copy`; returns what
/// stood there, by word offset.
static llvm::DenseMap<uint32_t, uint32_t> neutraliseSourceLanguages(std::vector<uint32_t> &copy) {
  llvm::DenseMap<uint32_t, uint32_t> languages;
  for (size_t at = kHeaderWords; at < copy.size();) {
    uint32_t count = copy[at] >> 16;
    auto op = static_cast<spv::Op>(copy[at] & 0xffff);
    if (count == 0 || op == spv::Op::OpFunction)
      break;
    if (op == spv::Op::OpSource && count >= 3 && at + 1 < copy.size() &&
        copy[at + 1] > kLastKnownSourceLanguage) {
      languages[static_cast<uint32_t>(at)] = copy[at + 1];
      copy[at + 1] = 0;
    }
    at += count;
  }
  return languages;
}

/// 1.0 to 1.6: 0x00010000 to 0x00010600.
static bool isKnownVersion(uint32_t version) {
  return (version & 0xff) == 0 && version >= 0x10000 && version <= 0x10600;
}

static std::string versionText(uint32_t version) {
  std::string text =
      std::to_string(version >> 16 & 0xff) + "." + std::to_string(version >> 8 & 0xff);
  if ((version & 0xff0000ff) != 0) // not the form of a version at all
    text += " (word 0x" + llvm::utohexstr(version, true, 8) + ")";
  return text;
}

Result<Module> ModuleBuilder::build(std::span<const uint32_t> words) {
  Location whole = Location::inFile(module.source.file);
  if (words.empty())
    return failure(whole, "the file is empty, not a SPIR-V module");
  if (words[0] != spv::MagicNumber && words[0] != __builtin_bswap32(spv::MagicNumber))
    return failure(whole, "not a SPIR-V module: the magic number is missing");
  if (words.size() < kHeaderWords)
    return failure(whole, "the SPIR-V header is cut short");
  uint32_t version = words[0] == spv::MagicNumber ? words[1] : __builtin_bswap32(words[1]);
  if (!isKnownVersion(version))
    return failure(Location::atWord(module.source.file, 1),
                   "SPIR-V version " + versionText(version) + " is not known");

  std::vector<uint32_t> copy(words.begin(), words.end());
  // The parser would take the strings of the other byte order as they stand, and find no
  // extended instruction set by its name: it gets this machine's order.
  module.bigEndian = words[0] != spv::MagicNumber;
  if (module.bigEndian)
    for (uint32_t &word : copy)
      word = __builtin_bswap32(word);
  llvm::DenseMap<uint32_t, uint32_t> languages = neutraliseSourceLanguages(copy);
  module.sourceLines.emplace_back();

  spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
  spv_diagnostic diagnostic = nullptr;
  spv_result_t result =
      spvBinaryParse(context, this, copy.data(), copy.size(), onHeader, onInstruction, &diagnostic);
  std::optional<Failure> failed;
  if (result != SPV_SUCCESS && refusal)
    failed = failure(std::move(*refusal));
  else if (result != SPV_SUCCESS) {
    const char *text = diagnostic && diagnostic->error ? diagnostic->error : "invalid SPIR-V";
    Instruction here(spv::Op::OpNop);
    here.wordOffset = offset;
    failed = parserFailure(module.rawLocationOf(here), text, copy, "malformed SPIR-V");
  }
  spvDiagnosticDestroy(diagnostic);
  spvContextDestroy(context);
  if (failed)
    return std::move(*failed);

  if (function && !functionEnded)
    return failure(whole, "the module ends inside a function");
  for (const LineMark &mark : pendingMarks)
    module.trailingMarks.push_back(mark);
  for (Instruction &inst : module.section(Section::Debug))
    if (auto at = languages.find(inst.wordOffset); at != languages.end())
      inst.setLiteral(0, at->second);
  for (auto &made : module.functionList) {
    for (Block &each : made->blockList)
      if (!each.terminator() || !isTerminator(each.terminator()->opcode()))
        return failure(module.rawLocationOf(each.label()), "the block has no terminator");
    made->rebuildCfg();
  }
  module.decorationsOf(Id::None); // fills the index, so that threads may share what was read
  return std::move(module);
}

Result<Module> readModule(std::span<const uint32_t> words, ModuleSource source) {
  return ModuleBuilder(std::move(source)).build(words);
}

} // namespace tailor
