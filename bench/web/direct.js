// SPDX-License-Identifier: MIT
//
// The frames as WebGPU that is called by hand, as one would write a program for that frame alone.

import {BYTES_IN_PIXEL, CONSTANT_BYTES, CORNERS, DRAWS, HEIGHT, TEXTURES, WIDTH, constantsOf, texelsOf} from './frame.js';

const WGSL = `
struct Constants { place: vec4f, color: vec4f }
@group(0) @binding(0) var<uniform> constants: Constants;
@group(1) @binding(0) var picture: texture_2d<f32>;
@group(1) @binding(1) var filtered: sampler;
@vertex fn vertex(@location(0) corner: vec2f) -> @builtin(position) vec4f {
    return vec4f(corner + constants.place.xy, 0.5, 1.0);
}
@fragment fn plain() -> @location(0) vec4f { return constants.color; }
@fragment fn textured() -> @location(0) vec4f {
    return constants.color * textureSampleLevel(picture, filtered, constants.place.xy, 0.0);
}
`;
const ALIGNMENT = 256; // of dynamic offsets

export class DirectFrames {
    constructor(device) {
        this.device = device;
        const {VERTEX, UNIFORM, COPY_DST} = GPUBufferUsage;
        this.target = device.createTexture({size: [WIDTH, HEIGHT], format: 'rgba8unorm',
            usage: GPUTextureUsage.RENDER_ATTACHMENT | GPUTextureUsage.COPY_SRC});
        this.vertices = device.createBuffer({size: CORNERS.byteLength, usage: VERTEX | COPY_DST});
        device.queue.writeBuffer(this.vertices, 0, CORNERS);
        this.uniforms = device.createBuffer({size: DRAWS * ALIGNMENT, usage: UNIFORM | COPY_DST});
        this.bytes = new Uint8Array(DRAWS * ALIGNMENT);
        const constants = device.createBindGroupLayout({entries: [{binding: 0, visibility: GPUShaderStage.VERTEX | GPUShaderStage.FRAGMENT,
            buffer: {hasDynamicOffset: true, minBindingSize: 32}}]});
        const picture = device.createBindGroupLayout({entries: [
            {binding: 0, visibility: GPUShaderStage.FRAGMENT, texture: {}},
            {binding: 1, visibility: GPUShaderStage.FRAGMENT, sampler: {}}]});
        this.constants = device.createBindGroup({layout: constants,
            entries: [{binding: 0, resource: {buffer: this.uniforms, size: CONSTANT_BYTES}}]});
        const sampler = device.createSampler();
        this.pictures = Array.from({length: TEXTURES}, (_, i) => {
            const texture = device.createTexture({size: [1, 1], format: 'rgba8unorm',
                usage: GPUTextureUsage.TEXTURE_BINDING | GPUTextureUsage.COPY_DST});
            device.queue.writeTexture({texture}, texelsOf(i), {}, [1, 1]);
            return device.createBindGroup({layout: picture,
                entries: [{binding: 0, resource: texture.createView()}, {binding: 1, resource: sampler}]});
        });
        const module = device.createShaderModule({code: WGSL});
        const pipeline = (entryPoint, ...bindGroupLayouts) => device.createRenderPipeline({
            layout: device.createPipelineLayout({bindGroupLayouts}),
            vertex: {module, buffers: [{arrayStride: 8, attributes: [{shaderLocation: 0, offset: 0, format: 'float32x2'}]}]},
            fragment: {module, entryPoint, targets: [{format: 'rgba8unorm'}]},
        });
        this.pipelines = {plain: pipeline('plain', constants), textured: pipeline('textured', constants, picture)};
    }

    // Records and submits a frame, and waits until the GPU has drawn it.
    draw({hasConstants, hasTextures, draws = DRAWS}) {
        const {device} = this, count = hasConstants ? draws : 1;
        for (let i = 0; i < count; i++)
            this.bytes.set(constantsOf(i), i * ALIGNMENT);
        device.queue.writeBuffer(this.uniforms, 0, this.bytes, 0, count * ALIGNMENT);
        const encoder = device.createCommandEncoder();
        const pass = encoder.beginRenderPass({colorAttachments: [{view: this.target.createView(), loadOp: 'clear',
            clearValue: [0, 0, 0, 1], storeOp: 'store'}]});
        pass.setPipeline(hasTextures ? this.pipelines.textured : this.pipelines.plain);
        pass.setVertexBuffer(0, this.vertices);
        pass.setBindGroup(0, this.constants, [0]);
        for (let i = 0; i < draws; i++) {
            if (hasConstants)
                pass.setBindGroup(0, this.constants, [i * ALIGNMENT]);
            if (hasTextures)
                pass.setBindGroup(1, this.pictures[i % TEXTURES]);
            pass.draw(3);
        }
        pass.end();
        device.queue.submit([encoder.finish()]);
        return device.queue.onSubmittedWorkDone();
    }

    async picture() {
        const rowBytes = WIDTH * BYTES_IN_PIXEL; // a multiple of 256
        const buffer = this.device.createBuffer({size: rowBytes * HEIGHT, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST});
        const encoder = this.device.createCommandEncoder();
        encoder.copyTextureToBuffer({texture: this.target}, {buffer, bytesPerRow: rowBytes}, [WIDTH, HEIGHT]);
        this.device.queue.submit([encoder.finish()]);
        await buffer.mapAsync(GPUMapMode.READ);
        return new Uint8Array(buffer.getMappedRange());
    }
}
