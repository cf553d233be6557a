#version 450
// nbody_shared by hand with two bodies an invocation, 64 apart.
#define TILE 128
#define LANES 64
layout(local_size_x = LANES) in;

layout(std140, set = 0, binding = 0) uniform Params {
  uint count;
  float dt;
  float softening;
} params;

layout(std430, set = 0, binding = 1) readonly buffer Bodies { vec4 bodies[]; };
layout(std430, set = 0, binding = 2) buffer Velocities { vec4 velocities[]; };
layout(std430, set = 0, binding = 3) writeonly buffer Moved { vec4 moved[]; };

shared vec4 tile[TILE];

vec3 pull(vec3 position, vec4 other) {
  vec3 d = other.xyz - position;
  float inverse = inversesqrt(fma(params.softening, params.softening, dot(d, d)));
  return d * (other.w * inverse * inverse * inverse);
}

void step(uint i, vec4 body, vec3 acceleration) {
  if (i >= params.count)
    return;
  vec3 velocity = velocities[i].xyz + acceleration * params.dt;
  velocities[i] = vec4(velocity, 0.0);
  moved[i] = vec4(body.xyz + velocity * params.dt, body.w);
}

vec4 bodyOrNone(uint i) { return i < params.count ? bodies[i] : vec4(0.0); }

void main() {
  uint lane = gl_LocalInvocationID.x;
  uint i0 = gl_WorkGroupID.x * TILE + lane;
  uint i1 = i0 + LANES;
  vec4 body0 = bodies[min(i0, params.count - 1)];
  vec4 body1 = bodies[min(i1, params.count - 1)];
  vec3 acceleration0 = vec3(0.0);
  vec3 acceleration1 = vec3(0.0);
  for (uint first = 0; first < params.count; first += TILE) {
    tile[lane] = bodyOrNone(first + lane);
    tile[lane + LANES] = bodyOrNone(first + lane + LANES);
    barrier();
    for (uint i = 0; i < TILE; ++i) {
      vec4 other = tile[i];
      acceleration0 += pull(body0.xyz, other);
      acceleration1 += pull(body1.xyz, other);
    }
    barrier();
  }
  step(i0, body0, acceleration0);
  step(i1, body1, acceleration1);
}
