//===- interpreter/Decoder.cpp - Functions, blocks and edges ----------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "interpreter/Decoder.h"

namespace tailor::interp {

const Shape &Decoder::shapeOfId(Id id) {
  const Instruction *inst = module.def(id);
  return program.layouts.shapeOf(inst ? inst->typeId() : Id::None);
}

Code &Decoder::add(Code::Kind kind, const Instruction &inst) {
  Code code;
  code.kind = kind;
  code.inst = &inst;
  code.block = block;
  code.chain = chain;
  code.first = static_cast<uint32_t>(program.operands.size());
  if (isValid(inst.result()) && isValid(inst.typeId())) {
    code.shape = &program.layouts.shapeOf(inst.typeId());
    code.words = code.shape->words;
    code.result = refs[raw(inst.result())];
  }
  program.codes.push_back(code);
  return program.codes.back();
}

void Decoder::addOperand(Code &code, Id id) {
  const Shape &shape = shapeOfId(id);
  program.operands.push_back({ref(id), shape.words, &shape});
  ++code.count;
}

/// Callees first; gives every result a place.
Status Decoder::collect(const Function &function, unsigned depth) {
  unsigned &mark = state[raw(function.id())];
  if (mark == 2)
    return success();
  if (mark == 1 || depth > 256)
    return fail(function.definition(), "the function calls itself");
  mark = 1;
  auto place = [&](const Instruction &inst) -> Status {
    if (!isValid(inst.result()) || !isValid(inst.typeId()) || inst.opcode() == spv::Op::OpVariable)
      return success();
    const uint32_t words = program.layouts.wordsOf(inst.typeId());
    if (words > Layouts::kMaxWords || program.registers > Layouts::kMaxWords)
      return fail(inst, "the value is too large to be interpreted");
    refs[raw(inst.result())] = program.registers;
    program.registers += words;
    return success();
  };
  for (const Instruction &parameter : function.parameters())
    if (Status placed = place(parameter); !placed)
      return placed;
  for (const Block &each : function.blocks()) {
    blocks[raw(each.id())] = &each;
    for (const Instruction &inst : each.instructions()) {
      if (Status placed = place(inst); !placed)
        return placed;
      if (inst.opcode() != spv::Op::OpFunctionCall)
        continue;
      const Function *callee = module.function(inst.id(0));
      if (!callee || callee->isDeclaration())
        return fail(inst, "the called function has no body");
      if (Status collected = collect(*callee, depth + 1); !collected)
        return collected;
    }
  }
  state[raw(function.id())] = 2;
  functions.push_back(&function);
  return success();
}

Result<uint32_t> Decoder::edge(const Block &from, Id toId) {
  const Block *to = blocks.lookup(raw(toId));
  if (!to)
    return fail(*from.terminator(), "the branch leads to no block of the function");
  Edge made{&from, to, 0, static_cast<uint32_t>(program.copies.size()), 0, {}, kNoIndex, {}};
  for (const Instruction &phi : to->instructions()) {
    if (phi.opcode() != spv::Op::OpPhi)
      break;
    for (unsigned at = 0; at + 1 < phi.numOperands(); at += 2)
      if (phi.id(at + 1) == from.id()) {
        program.copies.push_back({ref(phi.id(at)), refs[raw(phi.result())], wordsOfId(phi.id(at))});
        made.phis.push_back(&phi);
        break;
      }
  }
  made.numCopies = static_cast<uint32_t>(program.copies.size()) - made.firstCopy;
  for (uint32_t cycle : nest->around(*to)) {
    if (!nest->contains(cycle, from))
      made.resets.push_back(firstCycle + cycle);
    else if (nest->cycles()[cycle].header == to)
      made.increment = firstCycle + cycle;
  }
  program.edges.push_back(std::move(made));
  return static_cast<uint32_t>(program.edges.size()) - 1;
}

Status Decoder::terminator(const Block &from, const Instruction &inst) {
  using enum spv::Op;
  switch (inst.opcode()) {
  case OpBranch: {
    Result<uint32_t> to = edge(from, inst.id(0));
    if (!to)
      return to.takeFailure();
    add(Code::Kind::Jump, inst).a = *to;
    return success();
  }
  case OpBranchConditional: {
    Result<uint32_t> yes = edge(from, inst.id(1)), no = edge(from, inst.id(2));
    if (!yes || !no)
      return yes ? no.takeFailure() : yes.takeFailure();
    Code &code = add(Code::Kind::Branch, inst);
    addOperand(code, inst.id(0));
    code.a = *yes;
    code.b = *no;
    return success();
  }
  case OpSwitch: {
    SwitchTable table;
    Result<uint32_t> otherwise = edge(from, inst.id(1));
    if (!otherwise)
      return otherwise.takeFailure();
    const unsigned width = shapeOfId(inst.id(0)).width;
    for (unsigned at = 2; at + 1 < inst.numOperands(); at += 2) {
      Result<uint32_t> to = edge(from, inst.id(at + 1));
      if (!to)
        return to.takeFailure();
      table.cases.emplace_back(truncateTo(width, inst.literal64(at)), *to);
    }
    Code &code = add(Code::Kind::Switch, inst);
    addOperand(code, inst.id(0));
    code.a = *otherwise;
    code.b = static_cast<uint32_t>(program.switches.size());
    program.switches.push_back(std::move(table));
    return success();
  }
  case OpReturn:
    add(Code::Kind::Return, inst);
    return success();
  case OpReturnValue:
    addOperand(add(Code::Kind::Return, inst), inst.id(0));
    return success();
  case OpUnreachable:
    add(Code::Kind::Stop, inst);
    return success();
  default:
    add(Code::Kind::Unsupported, inst);
    return success();
  }
}

Status Decoder::emitBlock(const Block &each) {
  block = &each;
  std::vector<uint32_t> cycles;
  for (uint32_t cycle : nest->around(each))
    cycles.push_back(firstCycle + cycle);
  chain = static_cast<uint32_t>(program.chains.size());
  program.chains.push_back(std::move(cycles));
  starts[&each] = static_cast<uint32_t>(program.codes.size());
  for (const Instruction &inst : each.instructions()) {
    Status done = isTerminator(inst.opcode()) ? terminator(each, inst) : instruction(inst);
    if (!done)
      return done;
    if (fault)
      return fail(inst, fault->second);
  }
  return success();
}

Status Decoder::emit(const Function &function, const CycleNest &cycles, uint32_t first) {
  nest = &cycles;
  firstCycle = first;
  entries[raw(function.id())] = static_cast<uint32_t>(program.codes.size());
  for (const Block &each : function.blocks())
    if (Status done = emitBlock(each); !done)
      return done;
  return success();
}

Status Decoder::decode(const EntryPoint &entry) {
  const Function *function = module.function(entry.function());
  if (!function || function->isDeclaration())
    return fail(*entry.inst, "the entry point has no body");
  refs.assign(module.idBound(), kNoIndex);
  if (Status collected = collect(*function, 0); !collected)
    return collected;
  for (const Function *each : functions) {
    CycleNest cycles(*each);
    if (Status done = emit(*each, cycles, program.numCycles); !done)
      return done;
    program.numCycles += static_cast<uint32_t>(cycles.cycles().size());
    for (const CycleNest::Cycle &cycle : cycles.cycles())
      program.headers.push_back(starts[cycle.header]);
  }
  for (Edge &each : program.edges)
    each.target = starts[each.to];
  program.entryCode = entries[raw(function->id())];
  return success();
}

} // namespace tailor::interp
