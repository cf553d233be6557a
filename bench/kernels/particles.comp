#version 450
// One step of particles that fall towards an attractor and bounce inside a box.
layout(local_size_x = 256) in;

struct Particle {
  vec4 position; // w: age in seconds
  vec4 velocity; // w: mass
};

layout(std140, set = 0, binding = 0) uniform Params {
  vec4 attractor; // w: strength
  vec4 halfExtent; // w: restitution
  uint count;
  float dt;
} params;

layout(std430, set = 0, binding = 1) buffer Particles { Particle particles[]; };

void main() {
  uint id = gl_GlobalInvocationID.x;
  if (id >= params.count)
    return;

  Particle p = particles[id];
  vec3 toCentre = params.attractor.xyz - p.position.xyz;
  float distance2 = dot(toCentre, toCentre) + 0.01;
  vec3 acceleration = toCentre * (params.attractor.w / (distance2 * sqrt(distance2)));
  p.velocity.xyz += acceleration * params.dt;
  p.position.xyz += p.velocity.xyz * params.dt;
  p.position.w += params.dt;

  for (int axis = 0; axis < 3; ++axis) {
    float limit = params.halfExtent[axis];
    if (abs(p.position[axis]) > limit) {
      p.position[axis] = clamp(p.position[axis], -limit, limit);
      p.velocity[axis] *= -params.halfExtent.w;
    }
  }
  particles[id] = p;
}
