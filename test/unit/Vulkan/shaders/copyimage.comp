#version 450
// FORMAT, IMAGE, COORD, SIZE: from one storage image to another, x mirrored.
layout(local_size_x = 4, local_size_y = 4) in;
layout(set = 0, binding = 0, FORMAT) readonly uniform IMAGE source;
layout(set = 0, binding = 1, FORMAT) writeonly uniform IMAGE sink;
void main() {
  ivec3 size = ivec3(imageSize(source) SIZE);
  ivec3 p = ivec3(gl_GlobalInvocationID);
  if (p.x < size.x && p.y < size.y)
    imageStore(sink, ivec3(size.x - 1 - p.x, p.yz) COORD, imageLoad(source, p COORD));
}
