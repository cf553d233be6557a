// Edge strength of a picture by Sobel's operator, from a texture to a texture.
[[vk::binding(0, 0)]] cbuffer Params {
  uint width;
  uint height;
  float gain;
};
[[vk::binding(1, 0)]] Texture2D<float4> src;
[[vk::binding(2, 0)]] RWTexture2D<float4> dst;

float luma(int2 p) {
  int2 q = clamp(p, int2(0, 0), int2(width, height) - 1);
  return dot(src.Load(int3(q, 0)).rgb, float3(0.2126, 0.7152, 0.0722));
}

[numthreads(8, 8, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  if (id.x >= width || id.y >= height)
    return;
  int2 p = int2(id.xy);
  float nw = luma(p + int2(-1, -1)), n = luma(p + int2(0, -1)), ne = luma(p + int2(1, -1));
  float w = luma(p + int2(-1, 0)), e = luma(p + int2(1, 0));
  float sw = luma(p + int2(-1, 1)), s = luma(p + int2(0, 1)), se = luma(p + int2(1, 1));
  float gx = (ne + 2.0 * e + se) - (nw + 2.0 * w + sw);
  float gy = (sw + 2.0 * s + se) - (nw + 2.0 * n + ne);
  float edge = saturate(gain * sqrt(gx * gx + gy * gy));
  dst[id.xy] = float4(edge, edge, edge, 1.0);
}
