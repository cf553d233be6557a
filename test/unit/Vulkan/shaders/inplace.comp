#version 450
// Updates in place: a second run on the same contents gives another result.
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
void main() { data[gl_GlobalInvocationID.x] = data[gl_GlobalInvocationID.x] * 2u + 1u; }
