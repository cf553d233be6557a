// One level of a depth pyramid: the least and the greatest depth of 2x2 texels of the level above.
// Where that level's size is odd, the last texel also takes in the row and column left over.
[[vk::binding(0, 0)]] Texture2D<float2> src;
[[vk::binding(1, 0)]] RWTexture2D<float2> dst;

[numthreads(8, 8, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  uint2 size, srcSize;
  dst.GetDimensions(size.x, size.y);
  src.GetDimensions(srcSize.x, srcSize.y);
  if (any(id.xy >= size))
    return;
  uint2 first = id.xy * 2;
  uint2 end = first + 2;
  if (id.x == size.x - 1)
    end.x = srcSize.x;
  if (id.y == size.y - 1)
    end.y = srcSize.y;
  float2 bounds = src.Load(int3(first, 0));
  for (uint y = first.y; y < end.y; ++y) {
    for (uint x = first.x; x < end.x; ++x) {
      float2 depths = src.Load(int3(x, y, 0));
      bounds = float2(min(bounds.x, depths.x), max(bounds.y, depths.y));
    }
  }
  dst[id.xy] = bounds;
}
