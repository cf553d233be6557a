#version 450
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) buffer Data { double data[]; };
void main() { data[gl_GlobalInvocationID.x] *= 1.5lf; }
