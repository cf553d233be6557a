// How often each byte stands in a text of words: counted in workgroup memory, then added up.
@group(0) @binding(0) var<storage, read> words: array<u32>;
@group(0) @binding(1) var<storage, read_write> counts: array<atomic<u32>, 256>;

var<workgroup> local_counts: array<atomic<u32>, 256>;

@compute @workgroup_size(128)
fn histogram(@builtin(global_invocation_id) id: vec3<u32>,
             @builtin(local_invocation_index) lane: u32) {
  // Workgroup memory starts as zero in WGSL.
  if (id.x < arrayLength(&words)) {
    let word = words[id.x];
    for (var byte = 0u; byte < 4u; byte++) {
      atomicAdd(&local_counts[extractBits(word, byte * 8u, 8u)], 1u);
    }
  }
  workgroupBarrier();
  for (var bin = lane; bin < 256u; bin += 128u) {
    let count = atomicLoad(&local_counts[bin]);
    if (count != 0u) {
      atomicAdd(&counts[bin], count);
    }
  }
}
