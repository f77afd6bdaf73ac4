// SPDX-License-Identifier: MIT
//
// The frames as command streams.

import {PacketWriter, constants as abi, semanticHash} from 'aerogpu/abi';
import {Engine} from 'aerogpu/engine';
import {CONSTANT_BYTES, CORNERS, DRAWS, HEIGHT, TEXTURES, WIDTH, constantsOf, texelsOf} from './frame.js';

const TARGET = 1, VERTICES = 2, CONSTANTS = 3, LAYOUT = 4, VERTEX_SHADER = 5, PLAIN = 6, TEXTURED = 7, SAMPLER = 8,
    FIRST_TEXTURE = 16;
const DXGI_R32G32_FLOAT = 16;

const LISTINGS = [`vs_4_0
.in POSITION0 v0.xy float
.out SV_Position0 o0.xyzw float position
dcl_constantbuffer cb0[4], immediateIndexed
dcl_input v0.xy
dcl_output_siv o0.xyzw, position
add o0.xy, v0.xyxx, cb0[0].xyxx
mov o0.zw, l(0.0, 0.0, 0.5, 1.0)
ret
`, `ps_4_0
.out SV_Target0 o0.xyzw float
dcl_constantbuffer cb0[4], immediateIndexed
dcl_output o0.xyzw
mov o0.xyzw, cb0[1].xyzw
ret
`, `ps_4_0
.out SV_Target0 o0.xyzw float
dcl_constantbuffer cb0[4], immediateIndexed
dcl_sampler s0, mode_default
dcl_resource_texture2d (float,float,float,float) t0
dcl_output o0.xyzw
dcl_temps 1
sample_l r0.xyzw, cb0[0].xyxx, t0.xyzw, s0, l(0.0)
mul o0.xyzw, r0.xyzw, cb0[1].xyzw
ret
`];

async function assemble(listing) {
    const engine = new Engine();
    await engine.open();
    const {container, log} = await engine.shader(new TextEncoder().encode(listing), true);
    if (container === null)
        throw new Error(log);
    return container;
}

const bytesOf = (array) => new Uint8Array(array.buffer);

export async function setUpStream() {
    const [vertex, plain, textured] = await Promise.all(LISTINGS.map(assemble));
    const layout = Uint32Array.of(abi.AEROGPU_INPUT_LAYOUT_BLOB_MAGIC, 1, 1, 0, semanticHash('POSITION'), 0, DXGI_R32G32_FLOAT, 0, 0, 0, 0);
    const texture = {width: 1, height: 1, mip_levels: 1, array_layers: 1, format: abi.AEROGPU_FORMAT_R8G8B8A8_UNORM};
    const writer = new PacketWriter()
        .add('CREATE_TEXTURE2D', {...texture, texture_handle: TARGET, width: WIDTH, height: HEIGHT,
            usage_flags: abi.AEROGPU_RESOURCE_USAGE_RENDER_TARGET})
        .add('CREATE_BUFFER', {buffer_handle: VERTICES, size_bytes: CORNERS.byteLength, usage_flags: abi.AEROGPU_RESOURCE_USAGE_VERTEX_BUFFER})
        .add('UPLOAD_RESOURCE', {resource_handle: VERTICES, data: bytesOf(CORNERS)})
        .add('CREATE_BUFFER', {buffer_handle: CONSTANTS, size_bytes: CONSTANT_BYTES, usage_flags: abi.AEROGPU_RESOURCE_USAGE_CONSTANT_BUFFER})
        .add('CREATE_INPUT_LAYOUT', {input_layout_handle: LAYOUT, data: bytesOf(layout)})
        .add('CREATE_SHADER_DXBC', {shader_handle: VERTEX_SHADER, stage: abi.AEROGPU_SHADER_STAGE_VERTEX, data: vertex})
        .add('CREATE_SHADER_DXBC', {shader_handle: PLAIN, stage: abi.AEROGPU_SHADER_STAGE_PIXEL, data: plain})
        .add('CREATE_SHADER_DXBC', {shader_handle: TEXTURED, stage: abi.AEROGPU_SHADER_STAGE_PIXEL, data: textured})
        .add('CREATE_SAMPLER', {sampler_handle: SAMPLER})
        .add('SET_RENDER_TARGETS', {color_count: 1, colors: [TARGET]})
        .add('SET_VIEWPORT', {width_f32: WIDTH, height_f32: HEIGHT, max_depth_f32: 1})
        .add('SET_INPUT_LAYOUT', {input_layout_handle: LAYOUT})
        .add('SET_VERTEX_BUFFERS', {bindings: [{buffer: VERTICES, stride_bytes: 8}]})
        .add('SET_RASTERIZER_STATE', {state: {cull_mode: abi.AEROGPU_CULL_NONE}})
        .add('SET_PRIMITIVE_TOPOLOGY', {topology: abi.AEROGPU_TOPOLOGY_TRIANGLELIST})
        .add('SET_SAMPLERS', {shader_stage: abi.AEROGPU_SHADER_STAGE_PIXEL, samplers: [SAMPLER]});
    for (const shader_stage of [abi.AEROGPU_SHADER_STAGE_VERTEX, abi.AEROGPU_SHADER_STAGE_PIXEL])
        writer.add('SET_CONSTANT_BUFFERS', {shader_stage, bindings: [{buffer: CONSTANTS, size_bytes: CONSTANT_BYTES}]});
    for (let i = 0; i < TEXTURES; i++) {
        writer.add('CREATE_TEXTURE2D', {...texture, texture_handle: FIRST_TEXTURE + i, usage_flags: abi.AEROGPU_RESOURCE_USAGE_TEXTURE})
            .add('UPLOAD_RESOURCE', {resource_handle: FIRST_TEXTURE + i, data: texelsOf(i)});
    }
    return writer.finish();
}

export function frameStream({hasConstants, hasTextures, draws = DRAWS}) {
    const writer = new PacketWriter()
        .add('CLEAR', {flags: abi.AEROGPU_CLEAR_COLOR, color_rgba_f32: [0, 0, 0, 1]})
        .add('BIND_SHADERS', {vs: VERTEX_SHADER, ps: hasTextures ? TEXTURED : PLAIN})
        .add('UPLOAD_RESOURCE', {resource_handle: CONSTANTS, data: constantsOf(0)});
    for (let i = 0; i < draws; i++) {
        if (hasConstants)
            writer.add('UPLOAD_RESOURCE', {resource_handle: CONSTANTS, data: constantsOf(i)});
        if (hasTextures)
            writer.add('SET_TEXTURE', {shader_stage: abi.AEROGPU_SHADER_STAGE_PIXEL, slot: 0, texture: FIRST_TEXTURE + i % TEXTURES});
        writer.add('DRAW', {vertex_count: 3, instance_count: 1});
    }
    return writer.finish();
}

export const presentStream = () => new PacketWriter().add('PRESENT').finish();
