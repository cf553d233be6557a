#version 450
// The bound range shows in the result.
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Out { uint data[]; };
void main() { data[gl_GlobalInvocationID.x] = data.length(); }
