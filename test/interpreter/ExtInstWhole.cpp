//===- interpreter/ExtInstWhole.cpp - GLSL.std.450 on whole values ---------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "interpreter/Scalars.h"

#include "spirv/unified1/GLSL.std.450.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tailor::interp {

namespace {

/// A vector or matrix of floats as doubles: at most 4 x 4.
struct Numbers {
  std::array<double, 16> at{};
  uint32_t count = 0;
  unsigned width = 32;
  explicit Numbers(const Operand64 &value)
      : count(std::min<uint32_t>(value.shape->words, 16)), width(value.shape->width) {
    for (uint32_t i = 0; i < count; ++i)
      at[i] = readFloat(width, value.words[i]);
  }
  double operator[](uint32_t i) const { return at[i]; }
};
double dot(const Numbers &a, const Numbers &b) {
  double sum = 0;
  for (uint32_t i = 0; i < a.count; ++i)
    sum += a[i] * b[i];
  return sum;
}
template <typename Fn> void writeEach(const WholeArgs &args, Fn fn) {
  for (uint32_t i = 0; i < args.shape->words; ++i)
    args.out[i] = writeFloat(args.shape->width, fn(i));
}

// --- geometry ---

void length(const WholeArgs &args) {
  Numbers a(args.in[0]);
  writeEach(args, [&](uint32_t) { return std::sqrt(dot(a, a)); });
}
void distance(const WholeArgs &args) {
  Numbers a(args.in[0]), b(args.in[1]);
  for (uint32_t i = 0; i < a.count; ++i)
    a.at[i] -= b[i];
  writeEach(args, [&](uint32_t) { return std::sqrt(dot(a, a)); });
}
void normalize(const WholeArgs &args) {
  Numbers a(args.in[0]);
  double norm = std::sqrt(dot(a, a));
  writeEach(args, [&](uint32_t i) { return a[i] / norm; });
}
void cross(const WholeArgs &args) {
  Numbers a(args.in[0]), b(args.in[1]);
  writeEach(args, [&](uint32_t i) {
    uint32_t j = (i + 1) % 3, k = (i + 2) % 3;
    return a[j] * b[k] - b[j] * a[k];
  });
}
void faceForward(const WholeArgs &args) {
  Numbers n(args.in[0]), incident(args.in[1]), reference(args.in[2]);
  double sign = dot(reference, incident) < 0 ? 1 : -1;
  writeEach(args, [&](uint32_t i) { return sign * n[i]; });
}
void reflect(const WholeArgs &args) {
  Numbers incident(args.in[0]), n(args.in[1]);
  double twice = 2 * dot(n, incident);
  writeEach(args, [&](uint32_t i) { return incident[i] - twice * n[i]; });
}
void refract(const WholeArgs &args) {
  Numbers incident(args.in[0]), n(args.in[1]), eta(args.in[2]);
  double cosine = dot(n, incident), k = 1 - eta[0] * eta[0] * (1 - cosine * cosine);
  writeEach(args, [&](uint32_t i) {
    return k < 0 ? 0.0 : eta[0] * incident[i] - (eta[0] * cosine + std::sqrt(k)) * n[i];
  });
}

// --- matrices ---

/// Gauss-Jordan elimination of a square matrix beside the identity; the determinant.
double invert(std::array<double, 16> a, uint32_t n, std::array<double, 16> &inverse) {
  double determinant = 1;
  inverse.fill(0);
  for (uint32_t i = 0; i < n; ++i)
    inverse[i * n + i] = 1;
  for (uint32_t step = 0; step < n; ++step) {
    uint32_t pivot = step;
    for (uint32_t row = step; row < n; ++row)
      if (std::fabs(a[row * n + step]) > std::fabs(a[pivot * n + step]))
        pivot = row;
    if (a[pivot * n + step] == 0)
      return 0;
    if (pivot != step)
      determinant = -determinant;
    for (uint32_t k = 0; k < n; ++k) {
      std::swap(a[pivot * n + k], a[step * n + k]);
      std::swap(inverse[pivot * n + k], inverse[step * n + k]);
    }
    double by = a[step * n + step];
    determinant *= by;
    for (uint32_t k = 0; k < n; ++k) {
      a[step * n + k] /= by;
      inverse[step * n + k] /= by;
    }
    for (uint32_t row = 0; row < n; ++row) {
      double factor = a[row * n + step];
      for (uint32_t k = 0; row != step && k < n; ++k) {
        a[row * n + k] -= factor * a[step * n + k];
        inverse[row * n + k] -= factor * inverse[step * n + k];
      }
    }
  }
  return determinant;
}
// Rows and columns may change places: so do those of the inverse.
void determinant(const WholeArgs &args) {
  std::array<double, 16> inverse{};
  args.out[0] = writeFloat(args.shape->width,
                           invert(Numbers(args.in[0]).at, args.in[0].shape->rows, inverse));
}
void matrixInverse(const WholeArgs &args) {
  std::array<double, 16> inverse{};
  if (invert(Numbers(args.in[0]).at, args.in[0].shape->rows, inverse) == 0)
    (*args.undefined)();
  writeEach(args, [&](uint32_t i) { return inverse[i]; });
}

// --- two results in a structure ---

void modfStruct(const WholeArgs &args) {
  Numbers a(args.in[0]);
  for (uint32_t i = 0; i < a.count; ++i) {
    double whole = 0, part = std::modf(a[i], &whole);
    args.out[i] = writeFloat(a.width, part);
    args.out[a.count + i] = writeFloat(a.width, whole);
  }
}
void frexpStruct(const WholeArgs &args) {
  Numbers a(args.in[0]);
  for (uint32_t i = 0; i < a.count; ++i) {
    int exponent = 0;
    args.out[i] = writeFloat(a.width, std::frexp(a[i], &exponent));
    args.out[a.count + i] = static_cast<uint32_t>(std::isfinite(a[i]) ? exponent : 0);
  }
}

// --- packing ---

template <unsigned Width, bool Signed> void packNorm(const WholeArgs &args) {
  Numbers a(args.in[0]);
  const double scale = std::ldexp(1.0, Signed ? Width - 1 : Width) - 1;
  args.out[0] = 0;
  for (uint32_t i = 0; i < 32 / Width; ++i) {
    double value = std::nearbyint(std::clamp(a[i], Signed ? -1.0 : 0.0, 1.0) * scale);
    args.out[0] |= truncateTo(Width, static_cast<uint64_t>(static_cast<int64_t>(value)))
                   << (i * Width);
  }
}
template <unsigned Width, bool Signed> void unpackNorm(const WholeArgs &args) {
  const double scale = std::ldexp(1.0, Signed ? Width - 1 : Width) - 1;
  writeEach(args, [&](uint32_t i) {
    uint64_t bits = truncateTo(Width, args.in[0].words[0] >> (i * Width));
    double value =
        Signed ? static_cast<double>(signExtend(Width, bits)) : static_cast<double>(bits);
    return std::max(value / scale, -1.0);
  });
}
void packHalf(const WholeArgs &args) {
  Numbers a(args.in[0]);
  args.out[0] = halfFromDouble(a[0]) | uint64_t{halfFromDouble(a[1])} << 16;
}
void unpackHalf(const WholeArgs &args) {
  writeEach(args, [&](uint32_t i) {
    return vulkan::halfToDouble(static_cast<uint16_t>(args.in[0].words[0] >> (16 * i)));
  });
}

} // namespace

WholeFn extWholeFunction(uint32_t number) {
  switch (number) {
  case GLSLstd450Length:
    return length;
  case GLSLstd450Distance:
    return distance;
  case GLSLstd450Normalize:
    return normalize;
  case GLSLstd450Cross:
    return cross;
  case GLSLstd450FaceForward:
    return faceForward;
  case GLSLstd450Reflect:
    return reflect;
  case GLSLstd450Refract:
    return refract;
  case GLSLstd450Determinant:
    return determinant;
  case GLSLstd450MatrixInverse:
    return matrixInverse;
  // Their older forms store the second member through a pointer.
  case GLSLstd450Modf:
  case GLSLstd450ModfStruct:
    return modfStruct;
  case GLSLstd450Frexp:
  case GLSLstd450FrexpStruct:
    return frexpStruct;
  case GLSLstd450PackSnorm4x8:
    return packNorm<8, true>;
  case GLSLstd450PackUnorm4x8:
    return packNorm<8, false>;
  case GLSLstd450PackSnorm2x16:
    return packNorm<16, true>;
  case GLSLstd450PackUnorm2x16:
    return packNorm<16, false>;
  case GLSLstd450UnpackSnorm4x8:
    return unpackNorm<8, true>;
  case GLSLstd450UnpackUnorm4x8:
    return unpackNorm<8, false>;
  case GLSLstd450UnpackSnorm2x16:
    return unpackNorm<16, true>;
  case GLSLstd450UnpackUnorm2x16:
    return unpackNorm<16, false>;
  case GLSLstd450PackHalf2x16:
    return packHalf;
  case GLSLstd450UnpackHalf2x16:
    return unpackHalf;
  case GLSLstd450PackDouble2x32:
  case GLSLstd450UnpackDouble2x32:
    return wholeFunction(spv::Op::OpBitcast);
  default:
    return nullptr;
  }
}

} // namespace tailor::interp
