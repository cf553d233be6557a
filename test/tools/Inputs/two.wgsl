@group(0) @binding(0) var<storage, read_write> o : array<u32>;
@compute @workgroup_size(8)
fn one(@builtin(global_invocation_id) g : vec3u) { o[g.x] = 1u; }
@compute @workgroup_size(8)
fn two(@builtin(global_invocation_id) g : vec3u) { o[g.x] = 2u; }
