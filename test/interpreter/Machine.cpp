//===- interpreter/Machine.cpp - Invocations, control flow, barriers --------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "interpreter/Machine.h"

#include <algorithm>

namespace tailor::interp {

Machine::Machine(Program &program, Observer &observer, const Limits &limits, Locate locate)
    : program(program), observer(observer), limits(limits), locate(std::move(locate)),
      interest(observer.interest()) {}

bool Machine::fail(const Instruction &inst, std::string text) {
  fault = failure(locate(inst), std::move(text));
  if (now) {
    const Dim3 &id = now->id;
    fault->diagnostic.addNote({}, "in workgroup (" + std::to_string(group.x) + ", " +
                                      std::to_string(group.y) + ", " + std::to_string(group.z) +
                                      "), invocation (" + std::to_string(id.x) + ", " +
                                      std::to_string(id.y) + ", " + std::to_string(id.z) + ")");
  }
  return false;
}

Result<RunResult> Machine::run(llvm::ArrayRef<Dim3> groups) {
  for (const Dim3 &each : groups)
    if (!runGroup(each))
      return std::move(*fault);
  result.undefined = undefined.count;
  return result;
}

// --- a workgroup ---

void Machine::start(Invocation &invocation, uint32_t index) {
  const Dim3 &size = program.size;
  // Invocations that stop at barriers need their values kept; others use the same place.
  const size_t place = program.keepsInvocations ? index : 0;
  const size_t numCounters = size_t{program.numCycles} + program.numAccesses;
  invocation.index = index;
  invocation.id = {index % size.x, index / size.x % size.y, index / size.x / size.y};
  invocation.pc = program.entryCode;
  invocation.registers = registers.data() + place * program.registers;
  invocation.memory = invocationMemory.data() + place * program.invocationMemory.size();
  invocation.iterations = counters.data() + place * numCounters;
  invocation.instances = invocation.iterations + program.numCycles;
  std::copy(program.invocationMemory.begin(), program.invocationMemory.end(), invocation.memory);
  std::fill_n(invocation.iterations, numCounters, 0);
  setBuiltIns(invocation);
}

bool Machine::builtIn(spv::BuiltIn which, const Invocation &invocation,
                      uint64_t (&words)[4]) const {
  const uint32_t total = static_cast<uint32_t>(program.size.product());
  const uint32_t subgroup = std::max<uint32_t>(program.inputs.subgroupSize, 1);
  auto vector = [&](auto component) {
    for (unsigned axis = 0; axis < 3; ++axis)
      words[axis] = static_cast<uint32_t>(component(axis));
    return true;
  };
  auto scalar = [&](uint64_t value) {
    words[0] = value;
    return true;
  };
  switch (which) {
  case spv::BuiltIn::NumWorkgroups:
    return vector([&](unsigned axis) { return program.inputs.numWorkgroups[axis]; });
  case spv::BuiltIn::WorkgroupSize:
    return vector([&](unsigned axis) { return program.size[axis]; });
  case spv::BuiltIn::WorkgroupId:
    return vector([&](unsigned axis) { return group[axis]; });
  case spv::BuiltIn::LocalInvocationId:
    return vector([&](unsigned axis) { return invocation.id[axis]; });
  case spv::BuiltIn::GlobalInvocationId:
    return vector(
        [&](unsigned axis) { return group[axis] * program.size[axis] + invocation.id[axis]; });
  case spv::BuiltIn::LocalInvocationIndex:
    return scalar(invocation.index);
  case spv::BuiltIn::SubgroupSize:
    return scalar(subgroup);
  case spv::BuiltIn::NumSubgroups:
    return scalar((total + subgroup - 1) / subgroup);
  case spv::BuiltIn::SubgroupId:
    return scalar(invocation.index / subgroup);
  case spv::BuiltIn::SubgroupLocalInvocationId:
    return scalar(invocation.index % subgroup);
  case spv::BuiltIn::SubgroupEqMask:
  case spv::BuiltIn::SubgroupGeMask:
  case spv::BuiltIn::SubgroupGtMask:
  case spv::BuiltIn::SubgroupLeMask:
  case spv::BuiltIn::SubgroupLtMask: {
    const uint32_t own = invocation.index % subgroup;
    for (uint32_t lane = 0; lane < std::min(subgroup, 128U); ++lane) {
      const bool in = which == spv::BuiltIn::SubgroupEqMask   ? lane == own
                      : which == spv::BuiltIn::SubgroupGeMask ? lane >= own
                      : which == spv::BuiltIn::SubgroupGtMask ? lane > own
                      : which == spv::BuiltIn::SubgroupLeMask ? lane <= own
                                                              : lane < own;
      words[lane / 32] |= uint64_t{in} << (lane % 32);
    }
    return true;
  }
  case spv::BuiltIn::DeviceIndex:
    return scalar(0);
  default:
    return false;
  }
}

void Machine::setBuiltIns(const Invocation &invocation) {
  for (const BuiltInVariable &variable : program.builtIns) {
    uint64_t words[4] = {};
    const Layout &layout = program.layouts.withLeaves(variable.layout);
    if (layout.leaves.size() <= 4 && builtIn(variable.builtIn, invocation, words))
      storeWords(layout, words, invocation.memory + program.objects[variable.object].offset);
  }
}

void Machine::select(Invocation &invocation) {
  now = &invocation;
  bases[0] = invocation.registers;
  bases[1] = program.constants.data();
}

bool Machine::runGroup(const Dim3 &which) {
  group = which;
  const auto total = static_cast<size_t>(program.size.product());
  const size_t places = program.keepsInvocations ? total : 1;
  registers.resize(places * program.registers);
  invocationMemory.resize(places * program.invocationMemory.size());
  counters.resize(places * (size_t{program.numCycles} + program.numAccesses));
  workgroupMemory = program.workgroupMemory;
  std::vector<Invocation> all(total);
  auto turn = [&](size_t at) { return limits.backwards ? total - 1 - at : at; };
  for (size_t at = 0; at < total; ++at) {
    const size_t index = turn(at);
    start(all[index], static_cast<uint32_t>(index));
    select(all[index]);
    if (!resume())
      return false;
  }
  while (std::any_of(all.begin(), all.end(),
                     [](const Invocation &each) { return each.state != State::Ended; })) {
    bool anySubgroup = false;
    if (!openSubgroups(all, anySubgroup) || (!anySubgroup && !openBarrier(all)))
      return false;
    for (size_t at = 0; at < total; ++at) {
      select(all[turn(at)]);
      if (!resume())
        return false;
    }
  }
  return true;
}

/// Lets everyone go on from the barrier where all wait, in the same iterations of the same calls.
bool Machine::openBarrier(std::vector<Invocation> &all) {
  Invocation &first = *std::find_if(
      all.begin(), all.end(), [](const Invocation &each) { return each.state == State::Waiting; });
  const Code &code = *first.barrier;
  auto pathOf = [&](const Invocation &each) {
    llvm::ArrayRef<uint32_t> path = iterationsAt(each, each.barrier->chain);
    std::vector<uint32_t> whole(path.begin(), path.end());
    for (const Frame &frame : each.frames)
      whole.push_back(frame.returnTo);
    return whole;
  };
  const std::vector<uint32_t> path = pathOf(first);
  for (Invocation &each : all) {
    const char *why = each.state != State::Waiting ? "has ended"
                      : each.barrier != &code      ? "waits at another barrier"
                      : pathOf(each) != path       ? "waits in another iteration or call"
                                                   : nullptr;
    if (!why)
      continue;
    select(first);
    fail(*code.inst, "divergent barrier: invocation " + std::to_string(first.index) +
                         " waits, and invocation " + std::to_string(each.index) + " " + why);
    if (each.state == State::Waiting && each.barrier != &code)
      fault->diagnostic.addNote(locate(*each.barrier->inst), "the other barrier");
    return false;
  }
  ++result.barriers;
  if (interest.barriers) {
    select(first);
    observer.onBarrier(where(code), static_cast<uint32_t>(all.size()));
  }
  for (Invocation &each : all)
    each.state = State::Running;
  return true;
}

// --- an invocation ---

llvm::ArrayRef<uint32_t> Machine::iterationsAt(const Invocation &invocation, uint32_t chain) {
  iterations.clear();
  auto append = [&](uint32_t which) {
    for (uint32_t cycle : program.chains[which])
      iterations.push_back(invocation.iterations[cycle]);
  };
  for (const Frame &frame : invocation.frames)
    append(frame.chain);
  append(chain);
  return iterations;
}

Where Machine::where(const Code &code) {
  return {code.inst, group, now->index, iterationsAt(*now, code.chain)};
}

void Machine::reportValue(const Code &code) {
  // Of a pointer, the layout is our own matter.
  const bool isPointer =
      code.shape->scalar == Shape::Scalar::Other && code.words == kPointerWords &&
      program.module.def(code.inst->typeId())->opcode() == spv::Op::OpTypePointer;
  observer.onValue(where(code), {out(code), isPointer ? 2 : code.words});
}

/// Runs until the end or a barrier; false at a fault.
bool Machine::resume() {
  bool stopped = now->state != State::Running;
  while (!stopped) {
    const Code &code = program.codes[now->pc];
    if (++result.steps > limits.maxSteps)
      return fail(*code.inst,
                  "more than " + std::to_string(limits.maxSteps) + " instructions were executed");
    ++now->pc;
    if (code.kind >= Code::Kind::Jump) {
      if (!control(code, stopped))
        return false;
      continue;
    }
    if (!data(code))
      return false;
    if (interest.accesses && code.access != kNoIndex)
      ++now->instances[code.access];
    if (interest.values && code.words != 0)
      reportValue(code);
  }
  return true;
}

bool Machine::control(const Code &code, bool &stopped) {
  switch (code.kind) {
  case Code::Kind::Jump:
    take(code, program.edges[code.a]);
    return true;
  case Code::Kind::Branch:
    take(code, program.edges[*in(code, 0) != 0 ? code.a : code.b]);
    return true;
  case Code::Kind::Switch: {
    uint32_t edge = code.a;
    for (const auto &[literal, to] : program.switches[code.b].cases)
      if (literal == *in(code, 0)) {
        edge = to;
        break;
      }
    take(code, program.edges[edge]);
    return true;
  }
  case Code::Kind::Call:
    call(code);
    return true;
  case Code::Kind::Return:
    stopped = !giveBack(code);
    return true;
  case Code::Kind::Barrier:
  case Code::Kind::Subgroup:
    now->state = code.kind == Code::Kind::Barrier ? State::Waiting : State::AtSubgroup;
    now->barrier = &code;
    stopped = true;
    return true;
  case Code::Kind::Stop:
    return fail(*code.inst, "OpUnreachable was reached");
  default:
    return fail(*code.inst, "unsupported " + tailor::nameOf(code.inst->opcode()));
  }
}

bool Machine::data(const Code &code) {
  switch (code.kind) {
  case Code::Kind::Scalar:
    scalar(code);
    return true;
  case Code::Kind::Whole:
    whole(code);
    return true;
  case Code::Kind::Copies:
    copy(code);
    return true;
  case Code::Kind::AccessChain:
  case Code::Kind::PtrAccessChain:
    accessChain(code, code.kind == Code::Kind::AccessChain ? 1 : 2);
    return true;
  case Code::Kind::Load:
    return load(code);
  case Code::Kind::Store:
    return store(code);
  case Code::Kind::CopyMemory:
    return copyMemory(code);
  case Code::Kind::ArrayLength:
    return arrayLength(code);
  case Code::Kind::Atomic:
    return atomic(code);
  case Code::Kind::PointerEqual: {
    const bool same = std::equal(in(code, 0), in(code, 0) + 2, in(code, 1));
    *out(code) = same == (code.inst->opcode() == spv::Op::OpPtrEqual);
    return true;
  }
  case Code::Kind::InitVariable:
    initVariable(code);
    return true;
  case Code::Kind::Undefined:
    std::fill_n(out(code), code.words, undefined());
    return true;
  default:
    return image(code);
  }
}

void Machine::take(const Code &code, const Edge &edge) {
  if (interest.branches)
    observer.onBranch(where(code), *edge.to);
  // Phis take their values all at once: one may be another's operand.
  const Copy *first = program.copies.data() + edge.firstCopy, *last = first + edge.numCopies;
  if (edge.numCopies == 1) {
    std::copy_n(in(first->from), first->words, now->registers + first->to);
  } else if (edge.numCopies != 0) {
    scratch.clear();
    for (const Copy *copy = first; copy != last; ++copy)
      scratch.insert(scratch.end(), in(copy->from), in(copy->from) + copy->words);
    const uint64_t *from = scratch.data();
    for (const Copy *copy = first; copy != last; from += copy->words, ++copy)
      std::copy_n(from, copy->words, now->registers + copy->to);
  }
  for (uint32_t cycle : edge.resets)
    now->iterations[cycle] = 0;
  if (edge.increment != kNoIndex)
    ++now->iterations[edge.increment];
  now->pc = edge.target;
  if (interest.values && !edge.phis.empty()) {
    const uint32_t chain = program.codes[edge.target].chain;
    for (size_t at = 0; at < edge.phis.size(); ++at)
      observer.onValue({edge.phis[at], group, now->index, iterationsAt(*now, chain)},
                       {now->registers + first[at].to, first[at].words});
  }
}

void Machine::call(const Code &code) {
  for (uint32_t at = code.first; at < code.first + code.count; ++at) {
    const Copy &argument = program.copies[at];
    std::copy_n(in(argument.from), argument.words, now->registers + argument.to);
  }
  now->frames.push_back({now->pc, code.result, code.words, code.chain, &code});
  now->pc = code.a;
}

/// False where the entry point itself ends.
bool Machine::giveBack(const Code &code) {
  if (now->frames.empty()) {
    now->state = State::Ended;
    return false;
  }
  const Frame frame = now->frames.pop_back_val();
  if (code.count != 0)
    std::copy_n(in(code, 0), frame.words, now->registers + frame.result);
  now->pc = frame.returnTo;
  if (interest.values && code.count != 0)
    reportValue(*frame.call);
  return true;
}

void Machine::scalar(const Code &code) {
  static constexpr uint64_t none = 0;
  const uint64_t *arguments[4] = {&none, &none, &none, &none};
  uint32_t steps[4] = {};
  for (uint32_t at = 0; at < code.count && at < 4; ++at) {
    const Operand &each = operand(code, at);
    arguments[at] = in(each.ref);
    steps[at] = each.words == 1 ? 0 : 1;
  }
  uint64_t *to = out(code);
  for (uint32_t at = 0; at < code.words; ++at)
    to[at] = code.scalar(arguments[0][at * steps[0]], arguments[1][at * steps[1]],
                         arguments[2][at * steps[2]], arguments[3][at * steps[3]], undefined);
}

void Machine::whole(const Code &code) {
  llvm::SmallVector<Operand64, 4> arguments;
  for (uint32_t at = 0; at < code.count; ++at)
    arguments.push_back({in(code, at), operand(code, at).shape});
  code.whole({arguments, out(code), code.shape, &undefined});
}

void Machine::copy(const Code &code) {
  for (uint32_t at = code.first; at < code.first + code.count; ++at) {
    const Copy &each = program.copies[at];
    std::copy_n(in(each.from), each.words, now->registers + each.to);
  }
}

} // namespace tailor::interp
