// One step of n bodies under gravity, all pairs. The bodies are read in tiles of a workgroup's
// size, each of which the workgroup keeps in shared memory while it sums their pull.
#define TILE 128

[[vk::binding(0, 0)]] cbuffer Params {
  uint count;
  float dt;
  float softening;
};
[[vk::binding(1, 0)]] StructuredBuffer<float4> bodies; // w: mass
[[vk::binding(2, 0)]] RWStructuredBuffer<float4> velocities;
[[vk::binding(3, 0)]] RWStructuredBuffer<float4> moved;

groupshared float4 tile[TILE];

float3 pull(float3 position, float4 other) {
  float3 d = other.xyz - position;
  float inverse = rsqrt(dot(d, d) + softening * softening);
  return d * (other.w * inverse * inverse * inverse);
}

[numthreads(TILE, 1, 1)]
void main(uint3 id : SV_DispatchThreadID, uint lane : SV_GroupIndex) {
  float4 body = bodies[min(id.x, count - 1)];
  float3 acceleration = float3(0.0, 0.0, 0.0);
  for (uint first = 0; first < count; first += TILE) {
    float4 other = float4(0.0, 0.0, 0.0, 0.0); // pulls nothing
    if (first + lane < count)
      other = bodies[first + lane];
    tile[lane] = other;
    GroupMemoryBarrierWithGroupSync();
    for (uint i = 0; i < TILE; ++i)
      acceleration += pull(body.xyz, tile[i]);
    GroupMemoryBarrierWithGroupSync();
  }
  if (id.x >= count)
    return;
  float3 velocity = velocities[id.x].xyz + acceleration * dt;
  velocities[id.x] = float4(velocity, 0.0);
  moved[id.x] = float4(body.xyz + velocity * dt, body.w);
}
