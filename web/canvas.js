// SPDX-License-Identifier: MIT
//
// Draws presented textures on a canvas.

// The encodings are enum agpu_shown_encoding.
const CODE = `
override encoding: u32;
@group(0) @binding(0) var source: texture_2d<f32>;
@vertex fn corner(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
    return vec4f(f32(i & 1u) * 4 - 1, f32(i >> 1u) * 4 - 1, 0, 1);
}
@fragment fn pixel(@builtin(position) at: vec4f) -> @location(0) vec4f {
    let texel = textureLoad(source, vec2u(at.xy), 0).rgb;
    if (encoding == 1u) {
        let linear = saturate(texel);
        return vec4f(select(1.055 * pow(linear, vec3f(1 / 2.4)) - 0.055, 12.92 * linear, linear <= vec3f(0.0031308)), 1);
    }
    return vec4f(select(texel, (texel * 1023 - 384) / 510, encoding == 2u), 1);
}`;

export class CanvasPresenter {
    constructor(device, canvas) {
        this.device = device;
        this.canvas = canvas;
        this.context = canvas.getContext('webgpu');
        if (this.context === null)
            throw new TypeError('options.canvas has another context than webgpu');
        this.format = navigator.gpu.getPreferredCanvasFormat();
        this.context.configure({device, format: this.format, alphaMode: 'opaque'});
        this.pipelines = [];
    }

    pipeline(encoding) {
        const {device, format} = this;
        this.module ??= device.createShaderModule({label: 'canvas', code: CODE});
        this.layout ??= device.createBindGroupLayout({label: 'canvas',
            entries: [{binding: 0, visibility: GPUShaderStage.FRAGMENT, texture: {sampleType: 'unfilterable-float'}}]});
        this.pipelines[encoding] ??= device.createRenderPipeline({label: 'canvas',
            layout: device.createPipelineLayout({bindGroupLayouts: [this.layout]}), vertex: {module: this.module},
            fragment: {module: this.module, constants: {encoding}, targets: [{format}]}});
        return this.pipelines[encoding];
    }

    show(texture, mip, layer, width, height, encoding) {
        if (this.canvas.width !== width || this.canvas.height !== height)
            Object.assign(this.canvas, {width, height});
        const pipeline = this.pipeline(encoding);
        const encoder = this.device.createCommandEncoder({label: 'canvas'});
        const view = texture.createView({dimension: '2d', baseMipLevel: mip, mipLevelCount: 1, baseArrayLayer: layer,
            arrayLayerCount: 1});
        const pass = encoder.beginRenderPass({colorAttachments: [{view: this.context.getCurrentTexture().createView(),
            loadOp: 'clear', storeOp: 'store'}]});
        pass.setPipeline(pipeline);
        pass.setBindGroup(0, this.device.createBindGroup({layout: this.layout, entries: [{binding: 0, resource: view}]}));
        pass.draw(3);
        pass.end();
        this.device.queue.submit([encoder.finish()]);
    }
}
