//===- languages/msl/MslFibres.cpp -----------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "msl/MslFibres.h"

#include <sys/mman.h>
#if !defined(__x86_64__)
#include <ucontext.h>
#endif

#include <cstdint>
#include <cstring>
#include <vector>

#if defined(__x86_64__)
extern "C" void tailorMslSwitch(void **from, void *to);
// Saves what a call keeps, and goes on on the other stack.
asm(R"(
.text
.globl tailorMslSwitch
.type tailorMslSwitch, @function
tailorMslSwitch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size tailorMslSwitch, .-tailorMslSwitch
)");
#endif

namespace tailor::languages {
namespace {

constexpr size_t kStackBytes = 256 << 10, kGuardBytes = 4096;
constexpr uint32_t kPoison = 0x7fbadbadu; // a NaN, and a large integer
constexpr unsigned kEnded = UINT32_MAX;

/// Stacks for the invocations of one workgroup, kept for the next, each with a page in front of it
/// that may not be written.
class Stacks {
public:
  explicit Stacks(size_t count) : count(count) {
    base = mmap(nullptr, count * kStackBytes, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED)
      return;
    for (size_t i = 0; i < count; ++i)
      mprotect(bottom(i), kGuardBytes, PROT_NONE);
  }
  ~Stacks() {
    if (valid())
      munmap(base, count * kStackBytes);
  }
  Stacks(const Stacks &) = delete;
  Stacks &operator=(const Stacks &) = delete;
  bool valid() const { return base != MAP_FAILED; }
  char *bottom(size_t i) const { return static_cast<char *>(base) + i * kStackBytes; }
  char *top(size_t i) const { return bottom(i) + kStackBytes; }

private:
  size_t count;
  void *base;
};

class Workgroup;
Workgroup *current = nullptr; ///< fibres have no arguments of their own

class Workgroup {
public:
  Workgroup(const MslKernel &kernel, size_t size)
      : kernel(kernel), stacks(size), invocations(size), contexts(size), waitsAt(size) {}

  bool valid() const { return stacks.valid(); }
  std::vector<MslInvocation> &all() { return invocations; }

  /// The invocations from the first to the last, or the other way round.
  std::string run(bool backwards) {
    for (size_t i = 0; i < invocations.size(); ++i)
      begin(i);
    current = this;
    for (;;) {
      for (size_t i = 0; i < invocations.size(); ++i)
        resume(backwards ? invocations.size() - 1 - i : i);
      for (size_t i = 1; i < invocations.size(); ++i)
        if (waitsAt[i] != waitsAt[0])
          return "invocation " + std::to_string(i) + state(waitsAt[i]) + ", invocation 0" +
                 state(waitsAt[0]);
      if (waitsAt[0] == kEnded)
        return "";
    }
  }

  static void wait(unsigned line) {
    current->waitsAt[current->running] = line;
    current->leave();
  }

private:
  static std::string state(unsigned line) {
    return line == kEnded ? " has ended" : " waits at line " + std::to_string(line);
  }
  static void body() {
    Workgroup *self = current;
    self->kernel.run(&self->invocations[self->running]);
    wait(kEnded);
    __builtin_trap(); // nobody resumes an invocation that has ended
  }

#if defined(__x86_64__)
  using Context = void *;
  void begin(size_t i) {
    // Six registers, the address to return to, and the alignment of a call.
    auto **top = reinterpret_cast<void **>(stacks.top(i));
    *--top = nullptr;
    *--top = reinterpret_cast<void *>(&Workgroup::body);
    for (int n = 0; n < 6; ++n)
      *--top = nullptr;
    contexts[i] = top;
  }
  void resume(size_t i) {
    running = i;
    tailorMslSwitch(&host, contexts[i]);
  }
  void leave() { tailorMslSwitch(&contexts[running], host); }
#else
  using Context = ucontext_t;
  void begin(size_t i) {
    getcontext(&contexts[i]);
    contexts[i].uc_stack.ss_sp = stacks.bottom(i) + kGuardBytes;
    contexts[i].uc_stack.ss_size = kStackBytes - kGuardBytes;
    contexts[i].uc_link = nullptr;
    makecontext(&contexts[i], &Workgroup::body, 0);
  }
  void resume(size_t i) {
    running = i;
    swapcontext(&host, &contexts[i]);
  }
  void leave() { swapcontext(&contexts[running], &host); }
#endif

  const MslKernel &kernel;
  Stacks stacks;
  std::vector<MslInvocation> invocations;
  std::vector<Context> contexts;
  std::vector<unsigned> waitsAt;
  Context host{};
  size_t running = 0;
};

void poison(std::span<std::byte> memory) {
  for (size_t i = 0; i + sizeof kPoison <= memory.size(); i += sizeof kPoison)
    std::memcpy(memory.data() + i, &kPoison, sizeof kPoison);
}

void place(MslInvocation &invocation, uint32_t index, const Dim3 &group, const Dim3 &localSize) {
  const uint32_t local[3] = {index % localSize.x, index / localSize.x % localSize.y,
                             index / (localSize.x * localSize.y)};
  invocation.indexInThreadgroup = index;
  for (unsigned axis = 0; axis < 3; ++axis) {
    invocation.positionInThreadgroup[axis] = local[axis];
    invocation.threadgroupPosition[axis] = group[axis];
    invocation.positionInGrid[axis] = group[axis] * localSize[axis] + local[axis];
  }
}

} // namespace

std::string dispatch(const MslKernel &kernel, const MslInvocation &bound, const Dim3 &groups,
                     const Dim3 &localSize) {
  const auto size = static_cast<size_t>(localSize.product());
  Workgroup workgroup(kernel, size);
  if (!workgroup.valid())
    return "no memory for the stacks of " + std::to_string(size) + " invocations";
  *kernel.barrier = &Workgroup::wait;
  for (MslInvocation &each : workgroup.all()) {
    each = bound;
    for (unsigned axis = 0; axis < 3; ++axis) {
      each.threadsPerThreadgroup[axis] = localSize[axis];
      each.threadgroupsPerGrid[axis] = groups[axis];
    }
  }
  bool backwards = false;
  Dim3 group;
  for (group.z = 0; group.z < groups.z; ++group.z)
    for (group.y = 0; group.y < groups.y; ++group.y)
      for (group.x = 0; group.x < groups.x; ++group.x) {
        poison(kernel.shared);
        for (uint32_t i = 0; i < size; ++i)
          place(workgroup.all()[i], i, group, localSize);
        if (!kernel.waits) {
          for (size_t i = 0; i < size; ++i)
            kernel.run(&workgroup.all()[backwards ? size - 1 - i : i]);
        } else if (std::string fault = workgroup.run(backwards); !fault.empty()) {
          return "workgroup (" + std::to_string(group.x) + ", " + std::to_string(group.y) + ", " +
                 std::to_string(group.z) + "): " + fault;
        }
        backwards = !backwards;
      }
  return "";
}

} // namespace tailor::languages
