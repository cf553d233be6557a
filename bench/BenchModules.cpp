//===- bench/BenchModules.cpp ----------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "BenchModules.h"

#include "spirv/unified1/spirv.hpp11"

#include <algorithm>
#include <initializer_list>

namespace tailor::bench {
namespace {

class KernelWriter {
public:
  std::vector<uint32_t> write(size_t wanted);

private:
  /// Ids that the whole module uses; what a function makes comes after them.
  enum Known : uint32_t {
    Main = 1,
    Void,
    VoidFn,
    Bool,
    Uint,
    UintFn,
    Uint3,
    GidPtr,
    Gid,
    Zero,
    Numbers,
    Runtime = Numbers + 16,
    Buffer,
    BufferPtr,
    Data,
    UintPtr,
    Params,
    ParamsPtr,
    Push,
    PushUintPtr,
    FirstFree
  };

  void put(spv::Op op, std::initializer_list<uint32_t> operands) {
    out.push_back(static_cast<uint32_t>(operands.size() + 1) << 16 | static_cast<uint32_t>(op));
    out.insert(out.end(), operands);
  }
  template <typename Enum> static uint32_t u(Enum value) { return static_cast<uint32_t>(value); }
  void globals();
  uint32_t helper(unsigned steps);
  void mainFunction(const std::vector<uint32_t> &helpers);

  std::vector<uint32_t> out;
  uint32_t next = FirstFree;
};

constexpr unsigned kStepWords = 33, kStepsAFunction = 48;

void KernelWriter::globals() {
  using enum spv::Op;
  constexpr uint32_t kMainText = 0x6e69616d; // "main"
  put(OpCapability, {u(spv::Capability::Shader)});
  put(OpMemoryModel, {u(spv::AddressingModel::Logical), u(spv::MemoryModel::GLSL450)});
  put(OpEntryPoint, {u(spv::ExecutionModel::GLCompute), Main, kMainText, 0, Gid});
  put(OpExecutionMode, {Main, u(spv::ExecutionMode::LocalSize), 64, 1, 1});
  put(OpDecorate, {Gid, u(spv::Decoration::BuiltIn), u(spv::BuiltIn::GlobalInvocationId)});
  put(OpDecorate, {Runtime, u(spv::Decoration::ArrayStride), 4});
  put(OpMemberDecorate, {Buffer, 0, u(spv::Decoration::Offset), 0});
  put(OpDecorate, {Buffer, u(spv::Decoration::BufferBlock)});
  put(OpDecorate, {Data, u(spv::Decoration::DescriptorSet), 0});
  put(OpDecorate, {Data, u(spv::Decoration::Binding), 0});
  put(OpMemberDecorate, {Params, 0, u(spv::Decoration::Offset), 0});
  put(OpDecorate, {Params, u(spv::Decoration::Block)});
  put(OpTypeVoid, {Void});
  put(OpTypeFunction, {VoidFn, Void});
  put(OpTypeBool, {Bool});
  put(OpTypeInt, {Uint, 32, 0});
  put(OpTypeFunction, {UintFn, Uint, Uint});
  put(OpTypeVector, {Uint3, Uint, 3});
  put(OpTypePointer, {GidPtr, u(spv::StorageClass::Input), Uint3});
  put(OpVariable, {GidPtr, Gid, u(spv::StorageClass::Input)});
  put(OpConstant, {Uint, Zero, 0});
  for (uint32_t number = 0; number < 16; ++number)
    put(OpConstant, {Uint, Numbers + number, 3 + 37 * number});
  put(OpTypeRuntimeArray, {Runtime, Uint});
  put(OpTypeStruct, {Buffer, Runtime});
  put(OpTypePointer, {BufferPtr, u(spv::StorageClass::Uniform), Buffer});
  put(OpVariable, {BufferPtr, Data, u(spv::StorageClass::Uniform)});
  put(OpTypePointer, {UintPtr, u(spv::StorageClass::Uniform), Uint});
  put(OpTypeStruct, {Params, Uint});
  put(OpTypePointer, {ParamsPtr, u(spv::StorageClass::PushConstant), Params});
  put(OpVariable, {ParamsPtr, Push, u(spv::StorageClass::PushConstant)});
  put(OpTypePointer, {PushUintPtr, u(spv::StorageClass::PushConstant), Uint});
}

/// uint f(uint value): `steps` times, if (value < k) value += k; then value = value * k.
uint32_t KernelWriter::helper(unsigned steps) {
  using enum spv::Op;
  uint32_t function = next++, value = next++, block = next++;
  put(OpFunction, {Uint, function, 0, UintFn});
  put(OpFunctionParameter, {Uint, value});
  put(OpLabel, {block});
  for (unsigned step = 0; step < steps; ++step) {
    uint32_t number = Numbers + step % 16;
    uint32_t less = next++, sum = next++, then = next++, merge = next++, phi = next++,
             product = next++;
    put(OpULessThan, {Bool, less, value, number});
    put(OpSelectionMerge, {merge, 0});
    put(OpBranchConditional, {less, then, merge});
    put(OpLabel, {then});
    put(OpIAdd, {Uint, sum, value, number});
    put(OpBranch, {merge});
    put(OpLabel, {merge});
    put(OpPhi, {Uint, phi, value, block, sum, then});
    put(OpIMul, {Uint, product, phi, number});
    value = product;
    block = merge;
  }
  put(OpReturnValue, {value});
  put(OpFunctionEnd, {});
  return function;
}

void KernelWriter::mainFunction(const std::vector<uint32_t> &helpers) {
  using enum spv::Op;
  uint32_t entry = next++, gid = next++, x = next++, boundPtr = next++, bound = next++,
           inside = next++;
  uint32_t then = next++, merge = next++;
  put(OpFunction, {Void, Main, 0, VoidFn});
  put(OpLabel, {entry});
  put(OpLoad, {Uint3, gid, Gid});
  put(OpCompositeExtract, {Uint, x, gid, 0});
  put(OpAccessChain, {PushUintPtr, boundPtr, Push, Zero});
  put(OpLoad, {Uint, bound, boundPtr});
  put(OpULessThan, {Bool, inside, x, bound});
  put(OpSelectionMerge, {merge, 0});
  put(OpBranchConditional, {inside, then, merge});
  put(OpLabel, {then});
  uint32_t value = x;
  for (uint32_t helperId : helpers) {
    uint32_t result = next++;
    put(OpFunctionCall, {Uint, result, helperId, value});
    value = result;
  }
  uint32_t place = next++;
  put(OpAccessChain, {UintPtr, place, Data, Zero, x});
  put(OpStore, {place, value});
  put(OpBranch, {merge});
  put(OpLabel, {merge});
  put(OpReturn, {});
  put(OpFunctionEnd, {});
}

std::vector<uint32_t> KernelWriter::write(size_t wanted) {
  out = {spv::MagicNumber, 0x00010000, 0, 0, 0};
  globals();
  constexpr size_t kMainWords = 60;
  size_t used = out.size() + kMainWords;
  size_t steps = std::max<size_t>(wanted > used ? (wanted - used) / kStepWords : 0, 1);
  std::vector<uint32_t> helpers;
  for (; steps > 0; steps -= std::min<size_t>(steps, kStepsAFunction))
    helpers.push_back(helper(static_cast<unsigned>(std::min<size_t>(steps, kStepsAFunction))));
  mainFunction(helpers);
  out[3] = next;
  return out;
}

} // namespace

std::vector<uint32_t> makeKernel(size_t words) { return KernelWriter().write(words); }

} // namespace tailor::bench
