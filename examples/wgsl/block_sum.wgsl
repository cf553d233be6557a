// The sum of each block of 256 numbers, in workgroup memory.
@group(0) @binding(0) var<storage, read> numbers: array<u32>;
@group(0) @binding(1) var<storage, read_write> sums: array<u32>;

const kBlock = 256u;
var<workgroup> partial: array<u32, kBlock>;

@compute @workgroup_size(kBlock)
fn block_sum(@builtin(workgroup_id) group: vec3<u32>,
             @builtin(local_invocation_index) lane: u32) {
  partial[lane] = numbers[group.x * kBlock + lane];
  workgroupBarrier();
  for (var stride = kBlock / 2u; stride > 0u; stride /= 2u) {
    if (lane < stride) {
      partial[lane] += partial[lane + stride];
    }
    workgroupBarrier();
  }
  if (lane == 0u) {
    sums[group.x] = partial[0];
  }
}
