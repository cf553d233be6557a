#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform samplerCube faces;
layout(set = 0, binding = 1) writeonly buffer Out { float data[6]; };
void main() {
  const vec3 to[6] = vec3[](vec3(1, 0, 0), vec3(-1, 0, 0), vec3(0, 1, 0), vec3(0, -1, 0),
                            vec3(0, 0, 1), vec3(0, 0, -1));
  data[gl_GlobalInvocationID.x] = textureLod(faces, to[gl_GlobalInvocationID.x], 0).x;
}
