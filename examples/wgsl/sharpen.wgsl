// Sharpens an image by its four neighbours; texels outside count as those at the edge.
@group(0) @binding(0) var source: texture_2d<f32>;
@group(0) @binding(1) var result: texture_storage_2d<rgba8unorm, write>;

fn texel(at: vec2<i32>) -> vec4<f32> {
  let last = vec2<i32>(textureDimensions(source)) - vec2<i32>(1);
  return textureLoad(source, clamp(at, vec2<i32>(0), last), 0);
}

@compute @workgroup_size(8, 8)
fn sharpen(@builtin(global_invocation_id) id: vec3<u32>) {
  let size = textureDimensions(source);
  if (any(id.xy >= size)) {
    return;
  }
  let at = vec2<i32>(id.xy);
  var around = vec4<f32>(0.0);
  around += texel(at + vec2<i32>(1, 0));
  around += texel(at - vec2<i32>(1, 0));
  around += texel(at + vec2<i32>(0, 1));
  around += texel(at - vec2<i32>(0, 1));
  textureStore(result, at, clamp(5.0 * texel(at) - around, vec4<f32>(0.0), vec4<f32>(1.0)));
}
