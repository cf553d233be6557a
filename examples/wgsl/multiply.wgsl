// A product of square matrices in tiles of 16x16.
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;

const kTile = 16u;
const kSide = 128u;
var<workgroup> tile_a: array<array<f32, kTile>, kTile>;
var<workgroup> tile_b: array<array<f32, kTile>, kTile>;

@compute @workgroup_size(kTile, kTile)
fn multiply(@builtin(local_invocation_id) local: vec3<u32>,
            @builtin(global_invocation_id) id: vec3<u32>) {
  var sum = 0.0;
  for (var tile = 0u; tile < kSide / kTile; tile++) {
    tile_a[local.y][local.x] = a[id.y * kSide + tile * kTile + local.x];
    tile_b[local.y][local.x] = b[(tile * kTile + local.y) * kSide + id.x];
    workgroupBarrier();
    for (var k = 0u; k < kTile; k++) {
      sum += tile_a[local.y][k] * tile_b[k][local.x];
    }
    workgroupBarrier();
  }
  c[id.y * kSide + id.x] = sum;
}
