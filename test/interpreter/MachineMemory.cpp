//===- interpreter/MachineMemory.cpp - Pointers, loads and stores -----------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "interpreter/Machine.h"

#include <algorithm>
#include <cstring>

namespace tailor::interp {

static_assert(std::endian::native == std::endian::little, "words are copied as they are");

void storeWords(const Layout &layout, const uint64_t *words, std::byte *bytes) {
  for (const Leaf &leaf : layout.leaves)
    std::memcpy(bytes + leaf.offset, words + leaf.word, leaf.bytes);
}
void loadWords(const Layout &layout, const std::byte *bytes, uint64_t *words) {
  for (const Leaf &leaf : layout.leaves) {
    uint64_t word = 0;
    std::memcpy(&word, bytes + leaf.offset, leaf.bytes);
    words[leaf.word] = leaf.isBool ? word != 0 : word;
  }
}

std::pair<std::byte *, uint64_t> Machine::memoryOf(const Object &object) {
  switch (object.home) {
  case Object::Home::Invocation:
    return {now->memory + object.offset, object.size};
  case Object::Home::Workgroup:
    return {workgroupMemory.data() + object.offset, object.size};
  case Object::Home::PushConstant:
    return {program.inputs.pushConstants.data(), program.inputs.pushConstants.size()};
  case Object::Home::Resource:
    break;
  }
  return {object.resource->data.data(), object.resource->data.size()};
}

std::string Machine::nameOf(const Object &object) const {
  const Id variable = object.variable->result();
  std::string name = "'" + program.module.name(variable) + "'";
  if (object.home != Object::Home::Resource)
    return name;
  auto number = [&](spv::Decoration decoration) {
    return std::to_string(program.module.decoration(variable, decoration).value_or(0));
  };
  name += " (set " + number(spv::Decoration::DescriptorSet) + " binding " +
          number(spv::Decoration::Binding);
  return name + (object.element == 0 ? ")" : " element " + std::to_string(object.element) + ")");
}

/// The first of `bytes` bytes behind a pointer; null after a fault, and without one where an access
/// outside of a buffer is let pass.
std::byte *Machine::bytesAt(const Code &code, const uint64_t *pointer, uint64_t bytes,
                            const char *what) {
  if (pointer[kPointerObject] >= program.objects.size()) {
    fail(*code.inst, std::string(what) + " through a pointer to nothing");
    return nullptr;
  }
  const Object &object = program.objects[pointer[kPointerObject]];
  auto [memory, size] = memoryOf(object);
  const uint64_t offset = pointer[kPointerOffset];
  if (offset >= kBadOffset && limits.robustImages && object.resource && object.resource->format)
    return nullptr; // a pointer to a texel outside, counted when it was made
  if (offset >= kBadOffset) {
    fail(*code.inst,
         std::string(what) + " of " + nameOf(object) + " with an index outside of its array");
    return nullptr;
  }
  if (bytes > size || offset > size - bytes) {
    if (limits.robustBuffers && object.home == Object::Home::Resource) {
      ++result.outside;
      return nullptr;
    }
    fail(*code.inst, std::string(what) + " of " + std::to_string(bytes) + " bytes at byte " +
                         std::to_string(offset) + " of " + nameOf(object) + ", which has " +
                         std::to_string(size));
    return nullptr;
  }
  return memory + offset;
}

bool Machine::isReported(const Object &object) const {
  const bool isOwn = object.space == MemorySpace::Private || object.space == MemorySpace::Input;
  return interest.accesses && (!isOwn || interest.privateAccesses);
}

void Machine::reportRun(const Code &code, AccessKind kind, const Object &object, const ByteRun &run,
                        uint32_t part) {
  Access access;
  static_cast<Where &>(access) = where(code);
  access.instance = now->instances[code.access];
  access.part = part;
  access.kind = kind;
  access.space = object.space;
  access.variable = object.variable;
  access.element = object.element;
  access.byteAddress = run.offset;
  access.bytes = static_cast<uint32_t>(run.bytes);
  observer.onAccess(access);
}

void Machine::report(const Code &code, AccessKind kind, const uint64_t *pointer,
                     const Layout &layout) {
  const Object &object = program.objects[pointer[kPointerObject]];
  if (!isReported(object))
    return;
  uint32_t part = 0;
  for (const ByteRun &run : layout.runs)
    reportRun(code, kind, object, {pointer[kPointerOffset] + run.offset, run.bytes}, part++);
}

void Machine::accessChain(const Code &code, unsigned first) {
  const uint64_t *base = in(code, 0);
  uint64_t object = base[kPointerObject], offset = base[kPointerOffset];
  auto number = static_cast<uint32_t>(base[kPointerLayout]);
  auto indexAt = [&](uint32_t at) {
    const uint64_t bits = *in(code, at);
    const Shape &shape = *operand(code, at).shape;
    return shape.isSigned ? static_cast<uint64_t>(signExtend(shape.width, bits)) : bits;
  };
  if (first == 2) // OpPtrAccessChain's Element; addresses wrap
    offset += indexAt(1) * (code.a != 0 ? code.a : program.layouts.at(number).size);
  for (uint32_t at = first; at < code.count; ++at) {
    const Layout &layout = program.layouts.at(number);
    const uint64_t index = indexAt(at);
    const bool inside = index < layout.count || (layout.count == 0 && index < kBadOffset >> 20);
    if (layout.kind == Layout::Kind::Struct) {
      number = inside ? layout.members[index].second : number;
      offset += inside ? layout.members[index].first : kBadOffset;
    } else if (layout.kind == Layout::Kind::Descriptors) {
      const bool exists =
          inside && object + index < program.objects.size() &&
          program.objects[object + index].variable == program.objects[object].variable;
      object += exists ? index : 0;
      offset += exists ? 0 : kBadOffset;
      number = layout.element;
    } else {
      offset += inside ? index * layout.stride : kBadOffset;
      number = layout.element;
    }
    if (offset >= kBadOffset)
      offset = kBadOffset;
  }
  uint64_t *to = out(code);
  to[kPointerObject] = object;
  to[kPointerOffset] = offset;
  to[kPointerLayout] = number;
}

bool Machine::load(const Code &code) {
  const uint64_t *pointer = in(code, 0);
  const Layout &layout = program.layouts.withLeaves(static_cast<uint32_t>(pointer[kPointerLayout]));
  if (layout.kind == Layout::Kind::Opaque) { // an image or sampler: the number of its object
    if (pointer[kPointerOffset] >= kBadOffset || pointer[kPointerObject] >= program.objects.size())
      return fail(*code.inst, "load of a descriptor outside of its array");
    std::fill_n(out(code), code.words, pointer[kPointerObject]);
    return true;
  }
  if (layout.leaves.size() != code.words)
    return fail(*code.inst, "unsupported load through a pointer to another type");
  const std::byte *bytes = bytesAt(code, pointer, layout.extent, "load");
  if (!bytes) {
    std::fill_n(out(code), code.words, 0);
    return !fault;
  }
  report(code, AccessKind::Load, pointer, layout);
  loadWords(layout, bytes, out(code));
  return true;
}

bool Machine::store(const Code &code) {
  const uint64_t *pointer = in(code, 0);
  const Layout &layout = program.layouts.withLeaves(static_cast<uint32_t>(pointer[kPointerLayout]));
  if (layout.leaves.size() != operand(code, 1).words)
    return fail(*code.inst, "unsupported store through a pointer to another type");
  std::byte *bytes = bytesAt(code, pointer, layout.extent, "store");
  if (!bytes)
    return !fault;
  report(code, AccessKind::Store, pointer, layout);
  storeWords(layout, in(code, 1), bytes);
  return true;
}

bool Machine::copyMemory(const Code &code) {
  const uint64_t *target = in(code, 0), *source = in(code, 1);
  const Layout &to = program.layouts.withLeaves(static_cast<uint32_t>(target[kPointerLayout]));
  const Layout &from = program.layouts.withLeaves(static_cast<uint32_t>(source[kPointerLayout]));
  if (to.leaves.size() != from.leaves.size())
    return fail(*code.inst, "unsupported copy between pointers to different types");
  const std::byte *read = bytesAt(code, source, from.extent, "load");
  std::byte *written = fault ? nullptr : bytesAt(code, target, to.extent, "store");
  if (fault)
    return false;
  scratch.assign(from.leaves.size(), 0);
  if (read) {
    report(code, AccessKind::Load, source, from);
    loadWords(from, read, scratch.data());
  }
  if (written) {
    report(code, AccessKind::Store, target, to);
    storeWords(to, scratch.data(), written);
  }
  return true;
}

bool Machine::arrayLength(const Code &code) {
  const uint64_t *pointer = in(code, 0);
  const Layout &block = program.layouts.at(static_cast<uint32_t>(pointer[kPointerLayout]));
  if (!bytesAt(code, pointer, 0, "length") || code.a >= block.members.size())
    return fault ? false : fail(*code.inst, "unsupported length of what is no block");
  const auto [offset, array] = block.members[code.a];
  const uint64_t size = memoryOf(program.objects[pointer[kPointerObject]]).second;
  const uint64_t stride = program.layouts.at(array).stride;
  *out(code) = size < offset || stride == 0 ? 0 : (size - offset) / stride;
  return true;
}

void Machine::initVariable(const Code &code) {
  const Object &object = program.objects[code.a];
  std::byte *bytes = memoryOf(object).first;
  if (code.b == kNoIndex)
    std::fill_n(bytes, object.size, std::byte{0});
  else
    std::copy_n(program.initial.data() + code.b, object.size, bytes);
}

} // namespace tailor::interp
