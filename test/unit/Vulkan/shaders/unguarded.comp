#version 450
// No bounds check: a grid that is rounded up overruns the buffer.
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) writeonly buffer Out { uint data[]; };
void main() { data[gl_GlobalInvocationID.x] = gl_GlobalInvocationID.x; }
