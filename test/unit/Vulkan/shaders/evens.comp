#version 450
// Leaves every odd element unwritten.
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) writeonly buffer Out { uint data[]; };
void main() { data[2 * gl_GlobalInvocationID.x] = gl_GlobalInvocationID.x; }
