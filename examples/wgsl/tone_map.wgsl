// Brings bright colours into the range of a screen (Reinhard), a pixel an invocation.
struct Params {
  count: u32,
  exposure: f32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> source: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> target_colors: array<vec4<f32>>;

override group_size: u32 = 64u;

@compute @workgroup_size(group_size)
fn tone_map(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x >= params.count) {
    return;
  }
  let color = source[id.x] * params.exposure;
  let mapped = color.rgb / (vec3<f32>(1.0) + color.rgb);
  target_colors[id.x] = vec4<f32>(mapped, source[id.x].a);
}
