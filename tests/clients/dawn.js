// SPDX-License-Identifier: MIT
//
// WebGPU programs, by the dawn.node that lies beside this file, on the back end that CLIENT_BACKEND names. Each case has a
// picture of 64 by 64 pixels or numbers; values come from the WebGPU specification.
'use strict';
const fs = require('fs');
const dawn = require('./dawn.node');

Object.assign(globalThis, dawn.globals);
const EDGE = 64;
const RED = 0xff0000ff, GREEN = 0x00ff00ff, BLUE = 0x0000ffff, NOTHING = 0;
const WHOLE = `@vertex fn vs(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
  return vec4f(f32(i32(i & 1u) * 4 - 1), f32(i32(i >> 1u) * 4 - 1), 0, 1); }`;
let device, failures, current;

function fail(why) {
  console.log(`fail ${current}: ${why.split('\n')[0]}`);
  failures++;
}

function same(what, value, wanted, tolerance = 0) {
  const values = [...value], wanteds = [...wanted];
  if (values.length !== wanteds.length || !values.every((v, i) => Math.abs(v - wanteds[i]) <= tolerance))
    fail(`${what} is ${values.slice(0, 16)} instead of ${wanteds.slice(0, 16)}`);
}

// ---- Objects ---------------------------------------------------------------------------------------------------

function bufferOf(data, usage) {
  const buffer = device.createBuffer({ size: data.byteLength, usage: usage | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC });
  device.queue.writeBuffer(buffer, 0, data);
  return buffer;
}

function emptyBuffer(size, usage) {
  return device.createBuffer({ size, usage: usage | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST });
}

function target(format = 'rgba8unorm', options = {}) {
  return device.createTexture({ size: [EDGE, EDGE], format, usage: GPUTextureUsage.RENDER_ATTACHMENT | GPUTextureUsage.COPY_SRC |
    GPUTextureUsage.TEXTURE_BINDING, ...options });
}

function textureOf(texels, size, format, options = {}, rows = size[1]) {
  const texture = device.createTexture({ size, format, usage: GPUTextureUsage.TEXTURE_BINDING | GPUTextureUsage.COPY_DST |
    GPUTextureUsage.COPY_SRC, ...options });
  device.queue.writeTexture({ texture }, texels, { bytesPerRow: texels.byteLength / (rows * (size[2] ?? 1)),
    rowsPerImage: rows }, size);
  return texture;
}

function pipeline(code, options = {}, formats = ['rgba8unorm']) {
  const { fragment, vertex, ...rest } = options;
  const module = device.createShaderModule({ code });
  return device.createRenderPipeline({ layout: 'auto', vertex: { module, entryPoint: 'vs', ...vertex },
    fragment: { module, entryPoint: 'fs', targets: formats.map((format) => ({ format })), ...fragment }, ...rest });
}

function bindings(of, resources, group = 0) {
  return device.createBindGroup({ layout: of.getBindGroupLayout(group),
    entries: resources.map((resource, binding) => ({ binding, resource })).filter((entry) => entry.resource) });
}

function colour(texture, clearValue = [0, 0, 0, 0], more = {}) {
  return { view: texture.createView ? texture.createView() : texture, loadOp: 'clear', storeOp: 'store', clearValue, ...more };
}

function draw(descriptor, record) {
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginRenderPass(descriptor);
  record(pass);
  pass.end();
  device.queue.submit([encoder.finish()]);
}

function compute(of, group, ...groups) {
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(of);
  pass.setBindGroup(0, group);
  pass.dispatchWorkgroups(...groups);
  pass.end();
  device.queue.submit([encoder.finish()]);
}

function computePipeline(code, constants) {
  return device.createComputePipeline({ layout: 'auto', compute: { module: device.createShaderModule({ code }), entryPoint: 'cs', constants } });
}

// ---- Reading ---------------------------------------------------------------------------------------------------

async function bytes(buffer, size) {
  const copy = device.createBuffer({ size, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
  const encoder = device.createCommandEncoder();
  encoder.copyBufferToBuffer(buffer, 0, copy, 0, size);
  device.queue.submit([encoder.finish()]);
  await copy.mapAsync(GPUMapMode.READ);
  return copy.getMappedRange().slice(0);
}

async function texels(texture, width, height, size, origin = {}, more = {}) {
  const pitch = Math.ceil(width * size / 256) * 256;
  const buffer = emptyBuffer(pitch * height, 0);
  const encoder = device.createCommandEncoder();
  encoder.copyTextureToBuffer({ texture, ...origin }, { buffer, bytesPerRow: pitch, ...more }, [width, height]);
  device.queue.submit([encoder.finish()]);
  const all = new Uint8Array(await bytes(buffer, pitch * height));
  const rows = new Uint8Array(width * size * height);
  for (let y = 0; y < height; y++) rows.set(all.subarray(y * pitch, y * pitch + width * size), y * width * size);
  return rows;
}

// The picture of a case, and a function that expects pixels of it.
async function picture(texture, origin) {
  const pixels = await texels(texture, EDGE, EDGE, 4, origin);
  fs.writeFileSync(`${process.env.CLIENT_FOLDER}/${current}.pam`, Buffer.concat([
    Buffer.from(`P7\nWIDTH ${EDGE}\nHEIGHT ${EDGE}\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n`), pixels]));
  return (x, y, wanted, tolerance = 0) => same(`pixel ${x},${y}`, pixels.subarray(4 * (y * EDGE + x), 4 * (y * EDGE + x) + 4),
    [wanted >>> 24, wanted >>> 16 & 255, wanted >>> 8 & 255, wanted & 255], tolerance);
}

// ---- Cases -----------------------------------------------------------------------------------------------------

const cases = {
  async compute_squares() {
    const of = computePipeline(`@group(0) @binding(0) var<storage, read_write> o: array<u32>;
      @compute @workgroup_size(64) fn cs(@builtin(global_invocation_id) i: vec3u) { o[i.x] = i.x * i.x + 7u; }`);
    const buffer = emptyBuffer(1024, GPUBufferUsage.STORAGE);
    compute(of, bindings(of, [{ buffer }]), 4);
    same('the squares', new Uint32Array(await bytes(buffer, 1024)), Array.from({ length: 256 }, (_, i) => i * i + 7));
  },

  async workgroups_share() {
    const of = computePipeline(`@group(0) @binding(0) var<storage, read_write> o: array<atomic<u32>>;
      var<workgroup> part: array<u32, 64>;
      @compute @workgroup_size(64) fn cs(@builtin(local_invocation_index) i: u32, @builtin(workgroup_id) g: vec3u) {
        part[63u - i] = (i + g.x) * (i + 1u); workgroupBarrier(); atomicAdd(&o[g.x], part[i] / (64u - i)); atomicMax(&o[4], part[i]); }`);
    const buffer = emptyBuffer(20, GPUBufferUsage.STORAGE);
    compute(of, bindings(of, [{ buffer }]), 4);
    same('the sums', new Uint32Array(await bytes(buffer, 20)), [2016, 2080, 2144, 2208, 66 * 64]);
  },

  async workgroup_atomics() {
    const of = computePipeline(`@group(0) @binding(0) var<storage, read_write> o: array<u32>; var<workgroup> most: atomic<u32>;
      @compute @workgroup_size(64) fn cs(@builtin(local_invocation_index) i: u32) { atomicMax(&most, i * 3u); workgroupBarrier(); o[i] = atomicLoad(&most); }`);
    const buffer = emptyBuffer(256, GPUBufferUsage.STORAGE);
    compute(of, bindings(of, [{ buffer }]), 1);
    same('the largest', new Uint32Array(await bytes(buffer, 256)), Array(64).fill(189));
  },

  async constants_and_offsets() {
    const module = device.createShaderModule({ code: `override factor: u32 = 1u; struct U { x: u32, y: u32 };
      @group(0) @binding(0) var<uniform> u: U; @group(0) @binding(1) var<storage, read_write> o: array<u32>;
      @compute @workgroup_size(1) fn cs() { o[0] = o[0] * 100u + u.x * factor + u.y; }` });
    const layout = device.createBindGroupLayout({ entries: [
      { binding: 0, visibility: GPUShaderStage.COMPUTE, buffer: { type: 'uniform', hasDynamicOffset: true } },
      { binding: 1, visibility: GPUShaderStage.COMPUTE, buffer: { type: 'storage' } }] });
    const of = device.createComputePipeline({ layout: device.createPipelineLayout({ bindGroupLayouts: [layout] }),
      compute: { module, entryPoint: 'cs', constants: { factor: 5 } } });
    const values = new Uint32Array(192);
    values.set([1, 2], 0); values.set([3, 4], 64); values.set([5, 6], 128);
    const uniforms = bufferOf(values, GPUBufferUsage.UNIFORM), buffer = emptyBuffer(4, GPUBufferUsage.STORAGE);
    const group = device.createBindGroup({ layout, entries: [{ binding: 0, resource: { buffer: uniforms, size: 8 } }, { binding: 1, resource: { buffer } }] });
    const encoder = device.createCommandEncoder(), pass = encoder.beginComputePass();
    pass.setPipeline(of);
    for (const offset of [512, 0, 256]) { pass.setBindGroup(0, group, [offset]); pass.dispatchWorkgroups(1); }
    pass.end();
    device.queue.submit([encoder.finish()]);
    same('the number', new Uint32Array(await bytes(buffer, 4)), [310719]);
  },

  async indirect() {
    const make = computePipeline(`@group(0) @binding(0) var<storage, read_write> a: array<u32>;
      @compute @workgroup_size(1) fn cs() { a[0] = 3u; a[1] = 2u; a[2] = 1u; a[4] = 3u; a[5] = 2u; a[6] = 0u; a[7] = 0u; }`);
    const count = computePipeline(`@group(0) @binding(0) var<storage, read_write> n: atomic<u32>;
      @compute @workgroup_size(1) fn cs() { atomicAdd(&n, 1u); }`);
    const args = emptyBuffer(32, GPUBufferUsage.STORAGE | GPUBufferUsage.INDIRECT), number = emptyBuffer(4, GPUBufferUsage.STORAGE);
    compute(make, bindings(make, [{ buffer: args }]), 1);
    const encoder = device.createCommandEncoder(), pass = encoder.beginComputePass();
    pass.setPipeline(count);
    pass.setBindGroup(0, bindings(count, [{ buffer: number }]));
    pass.dispatchWorkgroupsIndirect(args, 0);
    pass.end();
    device.queue.submit([encoder.finish()]);
    same('the groups', new Uint32Array(await bytes(number, 4)), [6]);
    const to = target(), of = pipeline(`@vertex fn vs(@builtin(vertex_index) i: u32, @builtin(instance_index) n: u32) -> @builtin(position) vec4f {
      return vec4f(f32(i & 1u) - 1.0 + f32(n), f32(i >> 1u) - 1.0 + f32(n), 0, 1); } @fragment fn fs() -> @location(0) vec4f { return vec4f(1, 0, 0, 1); }`);
    draw({ colorAttachments: [colour(to)] }, (render) => { render.setPipeline(of); render.drawIndirect(args, 16); });
    const expect = await picture(to);
    expect(3, 60, RED); expect(40, 28, RED); expect(40, 60, NOTHING); expect(28, 36, NOTHING);
  },

  async triangle() {
    const to = target(), of = pipeline(`${WHOLE} @fragment fn fs(@builtin(position) p: vec4f) -> @location(0) vec4f { return vec4f(p.xy / 64.0, 0.5, 1); }`);
    draw({ colorAttachments: [colour(to)] }, (pass) => { pass.setPipeline(of); pass.draw(3); });
    const expect = await picture(to);
    expect(0, 0, 0x020280ff, 1); expect(63, 0, 0xfd0280ff, 1); expect(0, 63, 0x02fd80ff, 1); expect(40, 20, 0xa15280ff, 1);
  },

  async vertices_indices_instances() {
    const to = target();
    const of = pipeline(`struct V { @builtin(position) p: vec4f, @location(0) @interpolate(flat) tone: vec4f };
      @vertex fn vs(@location(0) p: vec2f, @location(1) o: vec2f, @location(2) tone: vec4f) -> V { return V(vec4f(p + o, 0, 1), tone); }
      @fragment fn fs(v: V) -> @location(0) vec4f { return v.tone; }`, { vertex: { buffers: [
      { arrayStride: 8, attributes: [{ shaderLocation: 0, offset: 0, format: 'float32x2' }] },
      { arrayStride: 12, stepMode: 'instance', attributes: [{ shaderLocation: 1, offset: 0, format: 'float16x2' },
        { shaderLocation: 2, offset: 4, format: 'unorm8x4' }] }] } });
    const corners = bufferOf(new Float32Array([9, 9, -1, -1, 0, -1, -1, 0, 0, 0]), GPUBufferUsage.VERTEX);
    const instances = new Uint8Array(24);
    new Uint16Array(instances.buffer).set([0, 0], 0); instances.set([255, 0, 0, 255], 4);
    new Uint16Array(instances.buffer).set([0x3c00, 0x3c00], 6); instances.set([0, 0, 255, 255], 16);
    draw({ colorAttachments: [colour(to)] }, (pass) => {
      pass.setPipeline(of);
      pass.setVertexBuffer(0, corners);
      pass.setVertexBuffer(1, bufferOf(instances, GPUBufferUsage.VERTEX));
      pass.setIndexBuffer(bufferOf(new Uint16Array([0, 0, 0, 0, 1, 2, 2, 1, 3, 0]), GPUBufferUsage.INDEX), 'uint16', 4);
      pass.drawIndexed(6, 2, 1, 1);
    });
    const expect = await picture(to);
    expect(3, 60, RED); expect(30, 34, RED); expect(34, 3, BLUE); expect(60, 30, BLUE); expect(3, 3, NOTHING); expect(60, 60, NOTHING);
  },

  async strips_restart() {
    const to = target();
    const of = pipeline(`@vertex fn vs(@location(0) p: vec2f) -> @builtin(position) vec4f { return vec4f(p, 0, 1); }
      @fragment fn fs() -> @location(0) vec4f { return vec4f(0, 1, 0, 1); }`, { primitive: { topology: 'triangle-strip', stripIndexFormat: 'uint32' },
      vertex: { buffers: [{ arrayStride: 8, attributes: [{ shaderLocation: 0, offset: 0, format: 'float32x2' }] }] } });
    draw({ colorAttachments: [colour(to)] }, (pass) => {
      pass.setPipeline(of);
      pass.setVertexBuffer(0, bufferOf(new Float32Array([-1, -1, -0.5, -1, -1, 1, -0.5, 1, 0.5, -1, 1, -1, 0.5, 1, 1, 1]), GPUBufferUsage.VERTEX));
      pass.setIndexBuffer(bufferOf(new Uint32Array([0, 1, 2, 3, 0xffffffff, 4, 5, 6, 7]), GPUBufferUsage.INDEX), 'uint32');
      pass.drawIndexed(9);
    });
    const expect = await picture(to);
    expect(8, 30, GREEN); expect(56, 30, GREEN); expect(32, 30, NOTHING);
  },

  async depth_and_stencil() {
    const to = target(), depth = target('depth24plus-stencil8', { usage: GPUTextureUsage.RENDER_ATTACHMENT });
    const code = `struct U { tone: vec4f, box: vec4f, z: f32 }; @group(0) @binding(0) var<uniform> u: U;
      @vertex fn vs(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f { return vec4f(mix(u.box.xy, u.box.zw, vec2f(f32(i & 1u), f32(i >> 1u))), u.z, 1); }
      @fragment fn fs() -> @location(0) vec4f { return u.tone; }`;
    const make = (compare, face) => pipeline(code, { primitive: { topology: 'triangle-strip' },
      depthStencil: { format: 'depth24plus-stencil8', depthWriteEnabled: true, depthCompare: compare, stencilFront: face, stencilBack: face } });
    const near = make('less', { compare: 'always', passOp: 'increment-clamp', depthFailOp: 'invert' });
    const equal = make('always', { compare: 'equal' });
    const uniform = (of, tone, box, z) => bindings(of, [{ buffer: bufferOf(new Float32Array([...tone, ...box, z, 0, 0, 0]), GPUBufferUsage.UNIFORM) }]);
    draw({ colorAttachments: [colour(to)], depthStencilAttachment: { view: depth.createView(), depthClearValue: 1, depthLoadOp: 'clear',
      depthStoreOp: 'store', stencilClearValue: 3, stencilLoadOp: 'clear', stencilStoreOp: 'store' } }, (pass) => {
      pass.setPipeline(near);
      pass.setBindGroup(0, uniform(near, [1, 0, 0, 1], [-1, -1, 0, 1], 0.25)); pass.draw(4); // 4
      pass.setBindGroup(0, uniform(near, [0, 1, 0, 1], [-1, -1, 1, 0], 0.5)); pass.draw(4); // left below: 0xfb, right below: 4
      pass.setPipeline(equal);
      pass.setStencilReference(0xfb);
      pass.setBindGroup(0, uniform(equal, [0, 0, 1, 1], [-1, -1, 1, 1], 0)); pass.draw(4);
    });
    const expect = await picture(to);
    expect(10, 10, RED); expect(10, 50, BLUE); expect(50, 50, GREEN); expect(50, 10, NOTHING);
  },

  async multisamples() {
    const to = target(), many = target('rgba8unorm', { sampleCount: 4, usage: GPUTextureUsage.RENDER_ATTACHMENT });
    const of = pipeline(`@vertex fn vs(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
      return vec4f(f32(i & 1u) * 2.0 - 1.0, f32(i >> 1u) * 2.0 - 1.0, 0, 1); } @fragment fn fs() -> @location(0) vec4f { return vec4f(1, 0, 0, 1); }`,
    { multisample: { count: 4 } });
    draw({ colorAttachments: [colour(many, [0, 0, 1, 1], { resolveTarget: to.createView(), storeOp: 'discard' })] },
      (pass) => { pass.setPipeline(of); pass.draw(3); });
    const expect = await picture(to);
    expect(5, 58, RED); expect(58, 5, BLUE); expect(31, 31, 0x800080ff, 70);
  },

  async targets_of_many_formats() {
    const formats = ['rgba8unorm', 'bgra8unorm', 'rgba16float', 'r32uint'];
    const all = formats.map((format) => target(format));
    const of = pipeline(`struct O { @location(0) a: vec4f, @location(1) b: vec4f, @location(2) c: vec4f, @location(3) d: u32 };
      ${WHOLE} @fragment fn fs() -> O { return O(vec4f(1, 0, 0, 1), vec4f(1, 0.5, 0, 1), vec4f(-2, 0.5, 8, 1), 4000000000u); }`, {}, formats);
    draw({ colorAttachments: all.map((texture) => colour(texture)) }, (pass) => { pass.setPipeline(of); pass.draw(3); });
    const expect = await picture(all[0]);
    expect(20, 20, RED);
    same('blue first', await texels(all[1], 1, 1, 4), [0, 128, 255, 255], 1);
    same('halves', new Uint16Array((await texels(all[2], 1, 1, 8)).buffer), [0xc000, 0x3800, 0x4800, 0x3c00]);
    same('integers', new Uint32Array((await texels(all[3], 1, 1, 4)).buffer), [4000000000]);
  },

  async blending() {
    const to = target();
    const make = (blend, writeMask = 15) => pipeline(`${WHOLE} @fragment fn fs() -> @location(0) vec4f { return vec4f(0, 1, 0.5, 0.5); }`,
      { fragment: { targets: [{ format: 'rgba8unorm', blend, writeMask }] } });
    const over = make({ color: { srcFactor: 'src-alpha', dstFactor: 'one-minus-src-alpha' }, alpha: { srcFactor: 'one', dstFactor: 'zero' } });
    const constant = make({ color: { srcFactor: 'constant', dstFactor: 'one', operation: 'reverse-subtract' }, alpha: {} }, 1 | 2 | 4);
    const most = make({ color: { operation: 'max', srcFactor: 'one', dstFactor: 'one' }, alpha: { operation: 'min', srcFactor: 'one', dstFactor: 'one' } });
    draw({ colorAttachments: [colour(to, [1, 0, 0, 1])] }, (pass) => {
      pass.setScissorRect(0, 0, 32, 32); pass.setPipeline(over); pass.draw(3);
      pass.setScissorRect(32, 0, 32, 32); pass.setBlendConstant([1, 0, 0, 0]); pass.setPipeline(constant); pass.draw(3);
      pass.setScissorRect(0, 32, 32, 32); pass.setPipeline(most); pass.draw(3);
    });
    const expect = await picture(to);
    expect(5, 5, 0x80804080, 1); expect(40, 5, RED); expect(5, 40, 0xffff8080, 1); expect(40, 40, RED);
  },

  async textures_and_samplers() {
    const to = target();
    const four = textureOf(new Uint8Array([255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255, 255, 255, 255]), [2, 2], 'rgba8unorm');
    const of = pipeline(`@group(0) @binding(0) var t: texture_2d<f32>; @group(0) @binding(1) var a: sampler; @group(0) @binding(2) var b: sampler;
      ${WHOLE} @fragment fn fs(@builtin(position) p: vec4f) -> @location(0) vec4f { let uv = p.xy / 32.0; let x = textureSample(t, a, uv); let y = textureSample(t, b, uv);
      let g = textureGather(1, t, a, vec2f(0.5)); if (p.y > 48.0) { return g; } return select(x, y, p.y > 32.0); }`);
    draw({ colorAttachments: [colour(to)] }, (pass) => {
      pass.setPipeline(of);
      pass.setBindGroup(0, bindings(of, [four.createView(), device.createSampler({ addressModeU: 'mirror-repeat', addressModeV: 'repeat' }),
        device.createSampler({ addressModeU: 'clamp-to-edge', minFilter: 'linear', magFilter: 'linear' })]));
      pass.draw(3);
    });
    const expect = await picture(to);
    expect(5, 5, RED); expect(20, 5, GREEN); expect(40, 5, GREEN); expect(60, 5, RED); expect(5, 20, BLUE);
    expect(5, 60, 0x00ffff00); // the greens of blue, white, green and red, counter-clockwise from below left
    expect(60, 47, 0xffffffff, 8);
  },

  async levels_and_views() {
    const to = target();
    const texture = device.createTexture({ size: [4, 4], mipLevelCount: 3, format: 'rgba8unorm', usage: GPUTextureUsage.TEXTURE_BINDING | GPUTextureUsage.RENDER_ATTACHMENT });
    for (let level = 0; level < 3; level++)
      draw({ colorAttachments: [colour(texture.createView({ baseMipLevel: level, mipLevelCount: 1 }), [level / 2, 0, 1, 1])] }, () => {});
    const of = pipeline(`@group(0) @binding(0) var t: texture_2d<f32>; @group(0) @binding(1) var s: sampler; @group(0) @binding(2) var last: texture_2d<f32>;
      ${WHOLE} @fragment fn fs(@builtin(position) p: vec4f) -> @location(0) vec4f { if (p.x < 16.0) { return textureSampleLevel(t, s, vec2f(0.5), 1.0); }
      if (p.x < 32.0) { return textureSampleLevel(t, s, vec2f(0.5), 0.5); } if (p.x < 48.0) { return textureLoad(last, vec2i(0, 0), 1); }
      return vec4f(f32(textureNumLevels(last)) / 255.0, f32(textureDimensions(last).x) / 255.0, 0, 1); }`);
    draw({ colorAttachments: [colour(to)] }, (pass) => {
      pass.setPipeline(of);
      pass.setBindGroup(0, bindings(of, [texture.createView(), device.createSampler({ mipmapFilter: 'linear' }), texture.createView({ baseMipLevel: 1 })]));
      pass.draw(3);
    });
    const expect = await picture(to);
    expect(5, 5, 0x8000ffff, 1); expect(20, 5, 0x4000ffff, 2); expect(40, 5, 0xff00ffff); expect(60, 5, 0x020200ff);
  },

  async arrays_cubes_volumes() {
    const to = target();
    const layers = new Uint8Array(24).map((_, i) => (i % 4 === 0 ? i / 4 * 40 : i % 4 === 3 ? 255 : 0));
    const cube = textureOf(layers, [1, 1, 6], 'rgba8unorm');
    const volume = textureOf(layers.slice(0, 16), [1, 1, 4], 'rgba8unorm', { dimension: '3d' });
    const of = pipeline(`@group(0) @binding(0) var c: texture_cube<f32>; @group(0) @binding(1) var a: texture_2d_array<f32>;
      @group(0) @binding(2) var v: texture_3d<f32>; @group(0) @binding(3) var s: sampler; ${WHOLE}
      @fragment fn fs(@builtin(position) p: vec4f) -> @location(0) vec4f { let n = i32(p.x) / 8; if (p.y < 16.0) { return textureSampleLevel(a, s, vec2f(0.5), n, 0.0); }
      if (p.y < 32.0) { return textureSampleLevel(v, s, vec3f(0.5, 0.5, p.x / 64.0), 0.0); } var d = array<vec3f, 8>(vec3f(1, 0, 0), vec3f(-1, 0, 0), vec3f(0, 1, 0),
      vec3f(0, -1, 0), vec3f(0, 0, 1), vec3f(0, 0, -1), vec3f(1, 0, 0), vec3f(1, 0, 0)); return textureSampleLevel(c, s, d[n], 0.0); }`);
    draw({ colorAttachments: [colour(to)] }, (pass) => {
      pass.setPipeline(of);
      pass.setBindGroup(0, bindings(of, [cube.createView({ dimension: 'cube' }), cube.createView({ dimension: '2d-array', baseArrayLayer: 1, arrayLayerCount: 5 }),
        volume.createView(), device.createSampler()]));
      pass.draw(3);
    });
    const expect = await picture(to), tone = (n) => (n * 40 << 24 | 255) >>> 0;
    for (let n = 0; n < 6; n++) { expect(8 * n + 4, 5, tone(Math.min(n + 1, 5))); expect(8 * n + 4, 40, tone(n)); }
    for (let n = 0; n < 4; n++) expect(16 * n + 8, 20, tone(n));
  },

  async storage_textures() {
    const to = target('rgba8unorm', { usage: GPUTextureUsage.STORAGE_BINDING | GPUTextureUsage.COPY_SRC });
    const of = computePipeline(`@group(0) @binding(0) var t: texture_storage_2d<rgba8unorm, write>;
      @compute @workgroup_size(8, 8) fn cs(@builtin(global_invocation_id) i: vec3u) { textureStore(t, i.xy, vec4f(vec2f(i.xy) / 63.0, 0, 1)); }`);
    compute(of, bindings(of, [to.createView()]), 8, 8);
    const expect = await picture(to);
    expect(0, 0, 0x000000ff); expect(63, 0, 0xff0000ff); expect(0, 63, 0x00ff00ff); expect(21, 42, 0x55aa00ff, 1);
    const number = device.createTexture({ size: [2, 2], format: 'r32uint', usage: GPUTextureUsage.STORAGE_BINDING | GPUTextureUsage.COPY_SRC });
    const twice = computePipeline(`@group(0) @binding(0) var t: texture_storage_2d<r32uint, read_write>;
      @compute @workgroup_size(2, 2) fn cs(@builtin(local_invocation_id) i: vec3u) { textureStore(t, i.xy, textureLoad(t, i.xy) * 2u + vec4u(i.x + 10u * i.y + 1u)); }`);
    for (let n = 0; n < 2; n++) compute(twice, bindings(twice, [number.createView()]), 1);
    same('the numbers', new Uint32Array((await texels(number, 2, 2, 4)).buffer), [3, 6, 33, 36]);
  },

  async comparisons() {
    const to = target(), depth = target('depth32float');
    const fill = pipeline(`@vertex fn vs(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f { return vec4f(f32(i & 1u) - 1.0, f32(i >> 1u) * 2.0 - 1.0, 0.25, 1); }
      @fragment fn fs() {}`, { primitive: { topology: 'triangle-strip' }, depthStencil: { format: 'depth32float', depthWriteEnabled: true, depthCompare: 'always' } }, []);
    draw({ colorAttachments: [], depthStencilAttachment: { view: depth.createView(), depthClearValue: 0.75, depthLoadOp: 'clear', depthStoreOp: 'store' } },
      (pass) => { pass.setPipeline(fill); pass.draw(4); });
    const of = pipeline(`@group(0) @binding(0) var t: texture_depth_2d; @group(0) @binding(1) var s: sampler_comparison; ${WHOLE}
      @fragment fn fs(@builtin(position) p: vec4f) -> @location(0) vec4f { return vec4f(textureSampleCompareLevel(t, s, p.xy / 64.0, 0.5),
      textureLoad(t, vec2i(p.xy), 0), 0, 1); }`);
    draw({ colorAttachments: [colour(to)] }, (pass) => {
      pass.setPipeline(of); pass.setBindGroup(0, bindings(of, [depth.createView(), device.createSampler({ compare: 'less' })])); pass.draw(3);
    });
    const expect = await picture(to);
    expect(5, 5, 0x004000ff, 1); expect(60, 5, 0xffbf00ff, 1);
    same('the depth', new Float32Array((await texels(depth, 64, 64, 4)).buffer).filter((_, i) => i === 3 || i === 60), [0.25, 0.75]);
  },

  async copies() {
    const source = new Uint8Array(8 * 8 * 4).map((_, i) => i);
    const a = textureOf(source, [8, 8], 'rgba8unorm'), b = textureOf(new Uint8Array(256).fill(255), [8, 8], 'rgba8unorm');
    const buffer = emptyBuffer(256 * 8, 0), encoder = device.createCommandEncoder();
    encoder.copyTextureToTexture({ texture: a, origin: [2, 1] }, { texture: b, origin: [4, 5] }, [3, 2]);
    encoder.copyTextureToBuffer({ texture: b }, { buffer, bytesPerRow: 256 }, [8, 8]);
    encoder.copyBufferToTexture({ buffer, offset: 5 * 256 + 16, bytesPerRow: 256 }, { texture: b }, [2, 2]);
    encoder.clearBuffer(buffer, 0, 256);
    device.queue.submit([encoder.finish()]);
    const got = await texels(b, 8, 8, 4), at = (x, y) => [...got.subarray(4 * (8 * y + x), 4 * (8 * y + x) + 4)];
    const from = (x, y) => [0, 1, 2, 3].map((c) => 4 * (8 * y + x) + c & 255);
    same('a copied texel', at(4, 5), from(2, 1)); same('the last one', at(6, 6), from(4, 2)); same('one beside', at(7, 6), [255, 255, 255, 255]);
    same('a texel of the buffer', at(0, 0), from(2, 1)); same('the last one of the buffer', at(1, 1), from(3, 2));
    same('the cleared bytes', new Uint8Array(await bytes(buffer, 4)), [0, 0, 0, 0]);
  },

  async compressed_textures() {
    const to = target(); // BC1: two colours, red and blue, one block each
    const blocks = new Uint8Array([0x00, 0xf8, 0x1f, 0x00, 0, 0, 0, 0, 0x1f, 0x00, 0x00, 0xf8, 0, 0, 0, 0]);
    const texture = textureOf(blocks, [8, 4], 'bc1-rgba-unorm', {}, 1), of = pipeline(`@group(0) @binding(0) var t: texture_2d<f32>; ${WHOLE}
      @fragment fn fs(@builtin(position) p: vec4f) -> @location(0) vec4f { return textureLoad(t, vec2i(i32(p.x) / 8, 1), 0); }`);
    draw({ colorAttachments: [colour(to)] }, (pass) => { pass.setPipeline(of); pass.setBindGroup(0, bindings(of, [texture.createView()])); pass.draw(3); });
    const expect = await picture(to);
    expect(10, 10, RED); expect(50, 10, BLUE);
  },

  async occlusion() {
    const to = target(), set = device.createQuerySet({ type: 'occlusion', count: 2 }), buffer = emptyBuffer(16, GPUBufferUsage.QUERY_RESOLVE);
    const of = pipeline(`${WHOLE} @fragment fn fs() -> @location(0) vec4f { return vec4f(1); }`);
    const encoder = device.createCommandEncoder(), pass = encoder.beginRenderPass({ colorAttachments: [colour(to)], occlusionQuerySet: set });
    pass.setPipeline(of);
    pass.beginOcclusionQuery(0); pass.setScissorRect(0, 0, 0, 0); pass.draw(3); pass.endOcclusionQuery();
    pass.beginOcclusionQuery(1); pass.setScissorRect(0, 0, 4, 4); pass.draw(3); pass.endOcclusionQuery();
    pass.end();
    encoder.resolveQuerySet(set, 0, 2, buffer, 0);
    device.queue.submit([encoder.finish()]);
    same('what is seen', [...new BigUint64Array(await bytes(buffer, 16))].map((n) => Number(n !== 0n)), [0, 1]);
  },

  async bundles_and_viewports() {
    const to = target(), of = pipeline(`${WHOLE} @fragment fn fs(@builtin(position) p: vec4f) -> @location(0) vec4f { return vec4f(0, 1, p.z, 1); }`);
    const recorder = device.createRenderBundleEncoder({ colorFormats: ['rgba8unorm'] });
    recorder.setPipeline(of); recorder.draw(3);
    const bundle = recorder.finish();
    draw({ colorAttachments: [colour(to)] }, (pass) => {
      pass.setViewport(8, 16, 24, 8, 0.5, 1); pass.executeBundles([bundle]);
      pass.setViewport(40, 40, 8, 8, 0, 1); pass.executeBundles([bundle]);
    });
    const expect = await picture(to);
    expect(8, 16, 0x00ff80ff, 1); expect(31, 23, 0x00ff80ff, 1); expect(32, 23, NOTHING); expect(44, 44, GREEN); expect(7, 20, NOTHING);
  },

  async two_sources() {
    if (!device.features.has('dual-source-blending')) { fail('no feature'); return; }
    const to = target(), of = pipeline(`enable dual_source_blending; struct O { @location(0) @blend_src(0) a: vec4f, @location(0) @blend_src(1) b: vec4f };
      ${WHOLE} @fragment fn fs() -> O { return O(vec4f(0.25), vec4f(0.5, 1, 0, 1)); }`, { fragment: { targets: [{ format: 'rgba8unorm',
      blend: { color: { srcFactor: 'one', dstFactor: 'src1' }, alpha: { srcFactor: 'zero', dstFactor: 'one' } } }] } });
    draw({ colorAttachments: [colour(to, [1, 0.5, 1, 1])] }, (pass) => { pass.setPipeline(of); pass.draw(3); });
    (await picture(to))(20, 20, 0xbfbf40ff, 1);
  },

  async clip_distances() {
    if (!device.features.has('clip-distances')) { fail('no feature'); return; }
    const to = target(), of = pipeline(`enable clip_distances; struct V { @builtin(position) p: vec4f, @builtin(clip_distances) d: array<f32, 2> };
      @vertex fn vs(@builtin(vertex_index) i: u32) -> V { let p = vec2f(f32(i32(i & 1u) * 4 - 1), f32(i32(i >> 1u) * 4 - 1)); return V(vec4f(p, 0, 1), array(p.x, 0.5 - p.y)); }
      @fragment fn fs() -> @location(0) vec4f { return vec4f(1, 0, 0, 1); }`);
    draw({ colorAttachments: [colour(to)] }, (pass) => { pass.setPipeline(of); pass.draw(3); });
    const expect = await picture(to);
    expect(31, 40, NOTHING); expect(33, 40, RED); expect(40, 17, RED); expect(40, 14, NOTHING);
  },

  async errors_are_caught() {
    device.pushErrorScope('validation');
    device.createBuffer({ size: 4, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.STORAGE });
    const error = await device.popErrorScope();
    if (!(error instanceof GPUValidationError)) fail('no validation error');
    device.pushErrorScope('validation');
    const module = device.createShaderModule({ code: '@compute fn cs() { let x: u32 = 1.5; }' });
    if (!(await module.getCompilationInfo()).messages.some((message) => message.type === 'error')) fail('no message');
    await device.popErrorScope();
  },
};

async function main() {
  const gpu = dawn.create([`backend=${process.env.CLIENT_BACKEND}`]);
  const adapter = await gpu.requestAdapter();
  if (!adapter) { console.log('fail adapter: there is none'); return; }
  console.log(`adapter: ${adapter.info.device} ${adapter.info.description}`);
  device = await adapter.requestDevice({ requiredFeatures: ['dual-source-blending', 'clip-distances', 'texture-compression-bc']
    .filter((feature) => adapter.features.has(feature)) });
  device.addEventListener('uncapturederror', (event) => fail(event.error.message));
  for (current of Object.keys(cases).filter((name) => process.argv.length < 3 || process.argv.includes(name))) {
    failures = 0;
    try {
      await cases[current]();
    } catch (error) {
      fail(String(error?.message ?? error));
    }
    await device.queue.onSubmittedWorkDone();
    if (failures === 0) console.log(`pass ${current}`);
  }
  device.destroy();
  console.log('done');
}

main();
