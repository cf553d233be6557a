#version 450
// nbody_shared by hand with four bodies an invocation, 32 apart.
#define TILE 128
#define LANES 32
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
  uint i = gl_WorkGroupID.x * TILE + lane;
  uint last = params.count - 1;
  vec4 body0 = bodies[min(i, last)];
  vec4 body1 = bodies[min(i + LANES, last)];
  vec4 body2 = bodies[min(i + 2 * LANES, last)];
  vec4 body3 = bodies[min(i + 3 * LANES, last)];
  vec3 acceleration0 = vec3(0.0);
  vec3 acceleration1 = vec3(0.0);
  vec3 acceleration2 = vec3(0.0);
  vec3 acceleration3 = vec3(0.0);
  for (uint first = 0; first < params.count; first += TILE) {
    vec4 other0 = bodyOrNone(first + lane);
    vec4 other1 = bodyOrNone(first + lane + LANES);
    vec4 other2 = bodyOrNone(first + lane + 2 * LANES);
    vec4 other3 = bodyOrNone(first + lane + 3 * LANES);
    tile[lane] = other0;
    tile[lane + LANES] = other1;
    tile[lane + 2 * LANES] = other2;
    tile[lane + 3 * LANES] = other3;
    barrier();
    for (uint at = 0; at < TILE; ++at) {
      vec4 other = tile[at];
      acceleration0 += pull(body0.xyz, other);
      acceleration1 += pull(body1.xyz, other);
      acceleration2 += pull(body2.xyz, other);
      acceleration3 += pull(body3.xyz, other);
    }
    barrier();
  }
  step(i, body0, acceleration0);
  step(i + LANES, body1, acceleration1);
  step(i + 2 * LANES, body2, acceleration2);
  step(i + 3 * LANES, body3, acceleration3);
}
