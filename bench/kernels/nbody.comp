#version 450
// One step of n bodies under gravity, all pairs. The host chooses the size through constant 0.
layout(local_size_x = 64, local_size_x_id = 0) in;
layout(constant_id = 1) const float kSoftening = 0.05;

layout(push_constant) uniform Params {
  uint count;
  float dt;
} params;

layout(std430, set = 0, binding = 0) readonly buffer Src { vec4 bodies[]; }; // w: mass
layout(std430, set = 0, binding = 1) buffer Velocities { vec4 velocities[]; };
layout(std430, set = 0, binding = 2) writeonly buffer Dst { vec4 moved[]; };

void main() {
  uint id = gl_GlobalInvocationID.x;
  if (id >= params.count)
    return;
  vec4 body = bodies[id];
  vec3 acceleration = vec3(0.0);
  for (uint i = 0; i < params.count; ++i) {
    vec4 other = bodies[i];
    vec3 d = other.xyz - body.xyz;
    float inverse = inversesqrt(dot(d, d) + kSoftening * kSoftening);
    acceleration += d * (other.w * inverse * inverse * inverse);
  }
  vec3 velocity = velocities[id].xyz + acceleration * params.dt;
  velocities[id] = vec4(velocity, 0.0);
  moved[id] = vec4(body.xyz + velocity * params.dt, body.w);
}
