// Runs compute shaders in Dawn, the WebGPU of Chromium, under node.
//
//   node run-wgsl.mjs WEBGPU_MODULE FOLDER [FIRST]
//
// FOLDER/cases.json: { "backend": "vulkan" | "opengles", "cases": [ {
//   "text": "0.wgsl", "entry": "main", "groups": [x, y, z], "features": ["shader-f16"],
//   "resources": [ { "kind": "storage_buffer" | "uniform_buffer" | "texture" | "image" | "sampler",
//     "group": 0, "binding": 0, "data": "0.0.bin", "bytes": 256, "output": "0.0.out",
//     "format": "rgba8unorm", "texelBytes": 4, "dimension": "2d", "extent": [x, y, z],
//     "filter": "nearest", "address": "clamp-to-edge" } ] } ] }
//
// Writes a line {"case": N, "error": ""} to FOLDER/results.jsonl for each case, from FIRST on, and
// before each the line {"started": N}: who finds that line last knows which case ended this
// process. A case has a device of its own, so that a lost one takes no other with it.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [webgpu, folder, first = '0'] = process.argv.slice(2);
const { create, globals } = await import(pathToFileURL(path.join(webgpu, 'index.js')).href);
Object.assign(globalThis, globals);

const job = JSON.parse(fs.readFileSync(path.join(folder, 'cases.json'), 'utf8'));
const options = job.backend === 'opengles' ? ['backend=opengles'] : [];
const gpu = create(options);
const record = (entry) =>
  fs.appendFileSync(path.join(folder, 'results.jsonl'), JSON.stringify(entry) + '\n');
const roundUp = (value, unit) => Math.ceil(value / unit) * unit;

async function openDevice(features) {
  const adapter = await gpu.requestAdapter(
    job.backend === 'opengles' ? { featureLevel: 'compatibility' } : {});
  if (!adapter) throw new Error('no adapter');
  const wanted = [...features];
  for (const optional of ['float32-filterable'])
    if (adapter.features.has(optional)) wanted.push(optional);
  // WebGPU's guarantees hold where they are above compatibility mode's own.
  const requiredLimits = {};
  if (job.backend === 'opengles')
    for (const limit of ['maxComputeInvocationsPerWorkgroup', 'maxComputeWorkgroupSizeX',
      'maxComputeWorkgroupSizeY', 'maxComputeWorkgroupSizeZ', 'maxStorageBuffersPerShaderStage',
      'maxStorageTexturesPerShaderStage'])
      requiredLimits[limit] = adapter.limits[limit];
  const device = await adapter.requestDevice({ requiredFeatures: wanted, requiredLimits });
  return { device, adapter };
}

/// Rows of blocks as textures have them: bytes a row, and rows of all layers.
function shapeOf(resource) {
  const [width, height, depth] = resource.extent;
  return { row: width * resource.texelBytes, height, depth, width };
}

function createResource(device, resource, base) {
  if (resource.kind === 'sampler') {
    return { ...resource, binds: device.createSampler({
      magFilter: resource.filter, minFilter: resource.filter,
      addressModeU: resource.address, addressModeV: resource.address, addressModeW: resource.address,
    }) };
  }
  const data = fs.readFileSync(path.join(base, resource.data));
  if (resource.kind.endsWith('_buffer')) {
    const usage = resource.kind === 'uniform_buffer' ? GPUBufferUsage.UNIFORM : GPUBufferUsage.STORAGE;
    const size = roundUp(Math.max(resource.bytes, 4), 4);
    const buffer = device.createBuffer({
      size, usage: usage | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC });
    const padded = new Uint8Array(size);
    padded.set(data);
    device.queue.writeBuffer(buffer, 0, padded);
    return { ...resource, buffer, size, binds: { buffer, size } };
  }
  const { row, height, depth, width } = shapeOf(resource);
  const usage = resource.kind === 'image' ? GPUTextureUsage.STORAGE_BINDING : GPUTextureUsage.TEXTURE_BINDING;
  const texture = device.createTexture({
    size: [width, height, depth], format: resource.format,
    dimension: resource.dimension.slice(0, 2),
    textureBindingViewDimension: resource.dimension,
    usage: usage | GPUTextureUsage.COPY_DST | GPUTextureUsage.COPY_SRC });
  device.queue.writeTexture({ texture }, data, { bytesPerRow: row, rowsPerImage: height },
    [width, height, depth]);
  return { ...resource, texture, binds: texture.createView({ dimension: resource.dimension }) };
}

async function readBack(device, resource) {
  let size, encoder = device.createCommandEncoder(), row, padded;
  if (resource.buffer) {
    size = resource.size;
  } else {
    ({ row } = shapeOf(resource));
    padded = roundUp(row, 256);
    size = padded * resource.extent[1] * resource.extent[2];
  }
  const target = device.createBuffer({ size, usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ });
  if (resource.buffer)
    encoder.copyBufferToBuffer(resource.buffer, 0, target, 0, size);
  else
    encoder.copyTextureToBuffer({ texture: resource.texture },
      { buffer: target, bytesPerRow: padded, rowsPerImage: resource.extent[1] }, resource.extent);
  device.queue.submit([encoder.finish()]);
  await target.mapAsync(GPUMapMode.READ);
  const bytes = new Uint8Array(target.getMappedRange()).slice();
  target.unmap();
  if (resource.buffer) return bytes.subarray(0, resource.bytes);
  const rows = resource.extent[1] * resource.extent[2];
  const packed = new Uint8Array(row * rows);
  for (let i = 0; i < rows; ++i) packed.set(bytes.subarray(i * padded, i * padded + row), i * row);
  return packed;
}

async function run(each) {
  const { device, adapter } = await openDevice(each.features);
  let uncaptured = '';
  device.addEventListener?.('uncapturederror', (event) => { uncaptured ||= event.error.message; });
  device.pushErrorScope('validation');
  device.pushErrorScope('internal');
  device.pushErrorScope('out-of-memory');
  const module = device.createShaderModule({ code: fs.readFileSync(path.join(folder, each.text), 'utf8') });
  const { messages } = await module.getCompilationInfo();
  const faults = messages.filter((message) => message.type === 'error');
  if (faults.length)
    throw new Error(faults.map((f) => `${each.text}:${f.lineNum}:${f.linePos}: ${f.message}`).join('\n'));
  const pipeline = await device.createComputePipelineAsync({
    layout: 'auto', compute: { module, entryPoint: each.entry } });
  const resources = each.resources.map((resource) => createResource(device, resource, folder));
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  for (const group of new Set(resources.map((resource) => resource.group)))
    pass.setBindGroup(group, device.createBindGroup({
      layout: pipeline.getBindGroupLayout(group),
      entries: resources.filter((resource) => resource.group === group)
        .map((resource) => ({ binding: resource.binding, resource: resource.binds })) }));
  pass.dispatchWorkgroups(...each.groups);
  pass.end();
  device.queue.submit([encoder.finish()]);
  for (const resource of resources)
    if (resource.output)
      fs.writeFileSync(path.join(folder, resource.output), await readBack(device, resource));
  for (let i = 0; i < 3; ++i) {
    const error = await device.popErrorScope();
    if (error) throw new Error(error.message);
  }
  if (uncaptured) throw new Error(uncaptured);
  const name = adapter.info.description || adapter.info.device || adapter.info.vendor;
  device.destroy();
  return name;
}

for (let i = Number(first); i < job.cases.length; ++i) {
  record({ started: i });
  try {
    const device = await run(job.cases[i]);
    record({ case: i, error: '', device });
  } catch (error) {
    record({ case: i, error: String(error?.message ?? error) });
  }
}
process.exit(0);
