#version 450
// Stream compaction in blocks of 256: the elements above a threshold move to the front of their
// block and keep their order. Each block tells how many it has, and adds them to the total.
layout(local_size_x = 256) in;

layout(push_constant) uniform Params {
  uint n;
  float threshold;
} params;

layout(std430, set = 0, binding = 0) readonly buffer Src { float src[]; };
layout(std430, set = 0, binding = 1) writeonly buffer Dst { float dst[]; };
layout(std430, set = 0, binding = 2) writeonly buffer Counts { uint counts[]; };
layout(std430, set = 0, binding = 3) buffer Total { uint total; };

shared uint kept[256]; // up to and with a lane

void main() {
  uint lane = gl_LocalInvocationID.x;
  uint i = gl_GlobalInvocationID.x;
  float value = i < params.n ? src[i] : 0.0;
  bool keep = i < params.n && value > params.threshold;
  kept[lane] = keep ? 1 : 0;
  barrier();
  for (uint distance = 1; distance < gl_WorkGroupSize.x; distance *= 2) {
    uint before = lane >= distance ? kept[lane - distance] : 0;
    barrier();
    kept[lane] += before;
    barrier();
  }
  if (keep)
    dst[gl_WorkGroupID.x * gl_WorkGroupSize.x + kept[lane] - 1] = value;
  if (lane == gl_WorkGroupSize.x - 1) {
    counts[gl_WorkGroupID.x] = kept[lane];
    atomicAdd(total, kept[lane]);
  }
}
