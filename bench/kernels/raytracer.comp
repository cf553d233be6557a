#version 450
// Spheres on a checker floor: reflections, hard shadows, fog into a sky, gamma. Rays diverge.
layout(local_size_x = 8, local_size_y = 8) in;

layout(push_constant) uniform Params {
  float time;       // turns the camera, in seconds
  int bounces;      // reflections followed
  int samplesPerAxis; // antialiasing: its square rays a pixel
} params;

layout(set = 0, binding = 0, rgba8) writeonly uniform image2D target;

struct Sphere {
  vec3 centre;
  float radius;
  vec3 color;
  float mirror; // 0 matt .. 1 mirror
};

const int kSphereCount = 7;
const Sphere kSpheres[kSphereCount] = Sphere[](
    Sphere(vec3(0.0, 1.0, 0.0), 1.0, vec3(0.95, 0.95, 0.97), 0.75),
    Sphere(vec3(2.1, 0.7, 0.6), 0.7, vec3(0.90, 0.22, 0.16), 0.18),
    Sphere(vec3(-2.0, 0.8, 0.3), 0.8, vec3(0.13, 0.45, 0.85), 0.25),
    Sphere(vec3(0.9, 0.4, 1.9), 0.4, vec3(0.98, 0.73, 0.10), 0.12),
    Sphere(vec3(-0.9, 0.45, 1.8), 0.45, vec3(0.20, 0.70, 0.35), 0.20),
    Sphere(vec3(-0.2, 0.25, 2.6), 0.25, vec3(0.85, 0.30, 0.75), 0.30),
    Sphere(vec3(0.3, 1.5, -2.8), 1.5, vec3(0.93, 0.80, 0.55), 0.45));

const vec3 kLight = normalize(vec3(-0.55, 0.80, 0.45));
const float kFar = 1e9;

float hitSphere(vec3 origin, vec3 direction, Sphere sphere) {
  vec3 oc = origin - sphere.centre;
  float b = dot(oc, direction);
  float h = b * b - (dot(oc, oc) - sphere.radius * sphere.radius);
  if (h < 0.0)
    return kFar;
  float root = sqrt(h);
  float t = -b - root;
  if (t < 1e-3)
    t = -b + root;
  return t < 1e-3 ? kFar : t;
}

vec3 sky(vec3 direction) {
  float up = max(direction.y, 0.0);
  vec3 color = mix(vec3(0.80, 0.87, 0.95), vec3(0.20, 0.42, 0.80), pow(up, 0.6));
  float sun = max(dot(direction, kLight), 0.0);
  return color + vec3(1.0, 0.85, 0.6) * (pow(sun, 400.0) + 0.15 * pow(sun, 12.0));
}

bool inShadow(vec3 point) {
  for (int i = 0; i < kSphereCount; ++i)
    if (hitSphere(point, kLight, kSpheres[i]) < kFar)
      return true;
  return false;
}

// How much of the sky the floor sees past the spheres that stand on it.
float floorOcclusion(vec3 point) {
  float open = 1.0;
  for (int i = 0; i < kSphereCount; ++i) {
    vec3 d = kSpheres[i].centre - point;
    float ratio = kSpheres[i].radius * kSpheres[i].radius / dot(d, d);
    open *= 1.0 - 0.55 * clamp(ratio * max(normalize(d).y, 0.0), 0.0, 1.0);
  }
  return open;
}

vec3 trace(vec3 origin, vec3 direction) {
  vec3 color = vec3(0.0);
  vec3 weight = vec3(1.0);
  for (int bounce = 0; bounce <= params.bounces; ++bounce) {
    float nearest = kFar;
    int hit = -1;
    for (int i = 0; i < kSphereCount; ++i) {
      float t = hitSphere(origin, direction, kSpheres[i]);
      if (t < nearest) {
        nearest = t;
        hit = i;
      }
    }
    if (direction.y < -1e-4) {
      float t = -origin.y / direction.y;
      if (t > 1e-3 && t < nearest) {
        nearest = t;
        hit = kSphereCount;
      }
    }
    if (hit < 0)
      return color + weight * sky(direction);

    vec3 point = origin + nearest * direction;
    vec3 normal, albedo;
    float mirror, ambient;
    if (hit == kSphereCount) {
      ivec2 cell = ivec2(floor(point.xz));
      normal = vec3(0.0, 1.0, 0.0);
      albedo = ((cell.x + cell.y) & 1) == 0 ? vec3(0.80, 0.79, 0.76) : vec3(0.16, 0.17, 0.20);
      mirror = 0.12;
      ambient = floorOcclusion(point);
    } else {
      normal = (point - kSpheres[hit].centre) / kSpheres[hit].radius;
      albedo = kSpheres[hit].color;
      mirror = kSpheres[hit].mirror;
      ambient = 0.5 + 0.5 * normal.y;
    }

    vec3 start = point + 1e-3 * normal;
    float diffuse = max(dot(normal, kLight), 0.0);
    if (diffuse > 0.0 && inShadow(start))
      diffuse = 0.0;
    vec3 lit = albedo * (diffuse * vec3(1.15, 1.05, 0.90) + ambient * vec3(0.22, 0.27, 0.35));
    if (hit < kSphereCount && diffuse > 0.0) {
      vec3 halfway = normalize(kLight - direction);
      lit += 0.6 * pow(max(dot(normal, halfway), 0.0), 90.0);
    }
    float facing = 1.0 - max(dot(normal, -direction), 0.0);
    float fresnel = mirror + (1.0 - mirror) * 0.6 * facing * facing * facing * facing * facing;
    float fog = 1.0 - exp(-0.0008 * nearest * nearest);
    color += weight * mix((1.0 - fresnel) * lit, sky(direction), fog);
    weight *= (1.0 - fog) * fresnel * mix(vec3(1.0), albedo, mirror);
    if (max(weight.x, max(weight.y, weight.z)) < 0.01)
      return color;
    origin = start;
    direction = reflect(direction, normal);
  }
  return color;
}

void main() {
  ivec2 size = imageSize(target);
  ivec2 p = ivec2(gl_GlobalInvocationID.xy);
  if (p.x >= size.x || p.y >= size.y)
    return;

  float angle = 0.35 + 0.4 * params.time;
  vec3 eye = vec3(6.2 * sin(angle), 2.3, 6.2 * cos(angle));
  vec3 forward = normalize(vec3(0.0, 0.75, 0.0) - eye);
  vec3 right = normalize(cross(forward, vec3(0.0, 1.0, 0.0)));
  vec3 up = cross(right, forward);

  vec3 sum = vec3(0.0);
  for (int sy = 0; sy < params.samplesPerAxis; ++sy) {
    for (int sx = 0; sx < params.samplesPerAxis; ++sx) {
      vec2 offset = (vec2(sx, sy) + 0.5) / float(params.samplesPerAxis);
      vec2 view = (2.0 * (vec2(p) + offset) - vec2(size)) / float(size.y);
      vec3 direction = normalize(forward * 1.9 + right * view.x - up * view.y);
      sum += trace(eye, direction);
    }
  }
  vec3 color = sum / float(params.samplesPerAxis * params.samplesPerAxis);
  color = color / (1.0 + 0.25 * color);
  imageStore(target, p, vec4(pow(clamp(color, 0.0, 1.0), vec3(1.0 / 2.2)), 1.0));
}
