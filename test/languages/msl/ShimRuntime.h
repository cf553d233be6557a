//===- languages/msl/ShimRuntime.h -- What the host hands to a kernel ---------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Read by the shim and by the host program alike: plain C types only.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TEST_LANGUAGES_MSL_SHIMRUNTIME_H
#define TAILOR_TEST_LANGUAGES_MSL_SHIMRUNTIME_H

extern "C" {

/// An image of the host. Coordinates are inside; layers are z.
struct MslImage {
  void *self;
  unsigned width, height, depth;
  /// Four components, as bits of float, int or uint.
  void (*load)(const MslImage *image, unsigned x, unsigned y, unsigned z, unsigned *bits);
  void (*store)(const MslImage *image, unsigned x, unsigned y, unsigned z, const unsigned *bits);
};

struct MslSampler {
  unsigned linear;       ///< else nearest
  unsigned address;      ///< 0 clamp to edge, 1 repeat, 2 mirrored repeat, 3 border of zeros
  unsigned unnormalized; ///< coordinates are texels
};

/// One invocation and what the host has bound, by the indices of Metal.
struct MslInvocation {
  unsigned positionInGrid[3], positionInThreadgroup[3], threadgroupPosition[3];
  unsigned threadsPerThreadgroup[3], threadgroupsPerGrid[3];
  unsigned indexInThreadgroup;
  void *const *buffers;
  const MslImage *const *textures;
  const MslSampler *const *samplers;
};

} // extern "C"

#endif
