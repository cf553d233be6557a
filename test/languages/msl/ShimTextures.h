//===- languages/msl/ShimTextures.h -- Metal's textures and samplers ----------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TEST_LANGUAGES_MSL_SHIMTEXTURES_H
#define TAILOR_TEST_LANGUAGES_MSL_SHIMTEXTURES_H

namespace metal {

enum class access { sample, read, write, read_write };

struct level {
  float lod;
  constexpr level(float value) : lod(value) {}
};

struct sampler {
#if MSL_RUNS
  const MslSampler *state;
#else
  int state;
#endif
};

/// Texel coordinates and extents with three components, whatever the texture has.
inline uint padded(uint c, int i, uint rest) { return i == 0 ? c : rest; }
template <int N> uint padded(Ext<uint, N> c, int i, uint rest) { return i < N ? c[i] : rest; }
template <int N> float paddedFloat(Ext<float, N> c, int i) { return i < N ? c[i] : 0.0f; }
inline float paddedFloat(float c, int i) { return i == 0 ? c : 0.0f; }

/// N coordinates of texels; the last is the layer in an array.
template <class T, access A, int N, bool Layers> struct TextureBase {
  using Texel = Ext<T, 4>;
  using Coordinate = typename Choose<N == 1, uint, Ext<uint, N == 1 ? 2 : N>>::Type;
  static constexpr bool kReads = A != access::write,
                        kWrites = A == access::write || A == access::read_write;
  static_assert(sizeof(T) == 4 || sizeof(T) == 2, "components of a texture");
#if MSL_RUNS
  const MslImage *image;

  uint get_width(uint = 0) const { return image->width; }
  Texel fetch(uint x, uint y, uint z) const {
    uint bits[4] = {0, 0, 0, 0};
    if (x < image->width && y < image->height && z < image->depth)
      image->load(image, x, y, z, bits);
    const Ext<uint, 4> all = {bits[0], bits[1], bits[2], bits[3]};
    if constexpr (sizeof(T) == 4)
      return as_type<Texel>(all);
    else if constexpr (T(0.5) == T(0))
      return __builtin_convertvector(all, Texel);
    else
      return __builtin_convertvector(as_type<Ext<float, 4>>(all), Texel);
  }
  void put(Texel value, uint x, uint y, uint z) const {
    if (x >= image->width || y >= image->height || z >= image->depth)
      return;
    Ext<uint, 4> all;
    if constexpr (sizeof(T) == 4)
      all = as_type<Ext<uint, 4>>(value);
    else if constexpr (T(0.5) == T(0))
      all = __builtin_convertvector(value, Ext<uint, 4>);
    else
      all = as_type<Ext<uint, 4>>(__builtin_convertvector(value, Ext<float, 4>));
    const uint bits[4] = {all.x, all.y, all.z, all.w};
    image->store(image, x, y, z, bits);
  }
#else
  int image;
  uint get_width(uint = 0) const { return 1; }
  Texel fetch(uint, uint, uint) const { return Texel(0); }
  void put(Texel, uint, uint, uint) const {}
#endif

  Texel read(Coordinate c, uint = 0) const {
    static_assert(kReads, "read of a texture without access::read");
    return fetch(padded(c, 0, 0), padded(c, 1, 0), padded(c, 2, 0));
  }
  void write(Texel value, Coordinate c, uint = 0) const {
    static_assert(kWrites, "write to a texture without access::write");
    put(value, padded(c, 0, 0), padded(c, 1, 0), padded(c, 2, 0));
  }
  void fence() const { static_assert(A == access::read_write, "fence of a texture of one access"); }
};

#if MSL_RUNS
inline int wrapped(int i, int size, uint address, bool &border) {
  switch (address) {
  case 1:
    return ((i % size) + size) % size;
  case 2: {
    const int period = ((i % (2 * size)) + 2 * size) % (2 * size);
    return period < size ? period : 2 * size - 1 - period;
  }
  case 3:
    border |= i < 0 || i >= size;
    return i < 0 ? 0 : i >= size ? size - 1 : i;
  default:
    return i < 0 ? 0 : i >= size ? size - 1 : i;
  }
}
template <class T, access A, int N, bool L, class C>
Ext<T, 4> sampled(const TextureBase<T, A, N, L> &texture, sampler s, C coordinate) {
  const MslImage &image = *texture.image;
  const int size[3] = {int(image.width), int(image.height), int(image.depth)};
  int low[3] = {0, 0, 0};
  float part[3] = {0, 0, 0};
  for (int i = 0; i < N; ++i) {
    float at = paddedFloat(coordinate, i) * (s.state->unnormalized ? 1.0f : float(size[i]));
    if (s.state->linear)
      at -= 0.5f;
    low[i] = int(floor(at));
    part[i] = s.state->linear ? at - floor(at) : 0.0f;
  }
  Ext<T, 4> sum = Ext<T, 4>(0);
  for (int corner = 0; corner < (s.state->linear ? 1 << N : 1); ++corner) {
    float weight = 1;
    bool border = false;
    uint at[3] = {0, 0, 0};
    for (int i = 0; i < N; ++i) {
      const int up = corner >> i & 1;
      weight *= up ? part[i] : 1 - part[i];
      at[i] = uint(wrapped(low[i] + up, size[i], s.state->address, border));
    }
    if (weight != 0 && !border)
      sum += texture.fetch(at[0], at[1], at[2]) * T(weight);
  }
  return sum;
}
#else
template <class T, access A, int N, bool L, class C>
Ext<T, 4> sampled(TextureBase<T, A, N, L>, sampler, C) {
  return Ext<T, 4>(0);
}
#endif

#if MSL_RUNS
#define MSL_EXTENT(NAME, MEMBER)                                                                   \
  uint NAME(uint = 0) const { return this->image->MEMBER; }
#else
#define MSL_EXTENT(NAME, MEMBER)                                                                   \
  uint NAME(uint = 0) const { return 1; }
#endif
#define MSL_SAMPLE(TYPE)                                                                           \
  Ext<T, 4> sample(sampler s, TYPE c) const {                                                      \
    static_assert(A == access::sample, "sample of a texture without access::sample");              \
    return sampled(*this, s, c);                                                                   \
  }                                                                                                \
  Ext<T, 4> sample(sampler s, TYPE c, level) const { return sample(s, c); }

template <class T, access A = access::sample> struct texture1d : TextureBase<T, A, 1, false> {
  MSL_SAMPLE(float)
};
template <class T, access A = access::sample> struct texture2d : TextureBase<T, A, 2, false> {
  MSL_EXTENT(get_height, height)
  uint get_num_mip_levels() const { return 1; }
  using Point = Ext<float, 2>;
  MSL_SAMPLE(Point)
};
template <class T, access A = access::sample> struct texture3d : TextureBase<T, A, 3, false> {
  MSL_EXTENT(get_height, height)
  MSL_EXTENT(get_depth, depth)
  using Point = Ext<float, 3>;
  MSL_SAMPLE(Point)
};
template <class T, access A = access::sample> struct texture2d_array : TextureBase<T, A, 3, true> {
  using Base = TextureBase<T, A, 3, true>;
  MSL_EXTENT(get_height, height)
  MSL_EXTENT(get_array_size, depth)
  Ext<T, 4> read(Ext<uint, 2> c, uint layer, uint = 0) const {
    return Base::read(Ext<uint, 3>{c.x, c.y, layer});
  }
  void write(Ext<T, 4> value, Ext<uint, 2> c, uint layer, uint = 0) const {
    Base::write(value, Ext<uint, 3>{c.x, c.y, layer});
  }
};
template <class T, access A = access::read> struct texture_buffer : TextureBase<T, A, 1, false> {};

} // namespace metal

#endif
