// SPDX-License-Identifier: MIT
//
// A guest without an operating system: it writes command streams, rings the doorbell and sleeps until the interrupt.

import {PacketWriter, constants as abi, semanticHash} from '../abi.js';
import {Engine} from '../engine.js';
import {ENTRY_BYTES, FENCE, INTERRUPTS_WORD, RING, RING_ENTRIES, RING_HEADER_BYTES, STREAM, TAIL} from './layout.js';

const WIDTH = 320, HEIGHT = 240;
const TARGET = 1, VERTICES = 2, LAYOUT = 3, VERTEX_SHADER = 4, PIXEL_SHADER = 5;
const VERTEX_BYTES = 20, DXGI_R32G32B32_FLOAT = 6, DXGI_R32G32_FLOAT = 16;
const FRAMES_BETWEEN_REPORTS = 10;

const VERTEX_LISTING = `vs_4_0
.in POSITION0 v0.xy float
.in COLOR0 v1.xyz float
.out SV_Position0 o0.xyzw float position
.out COLOR0 o1.xyz float
dcl_input v0.xy
dcl_input v1.xyz
dcl_output_siv o0.xyzw, position
dcl_output o1.xyz
mov o0.xy, v0.xyxx
mov o0.zw, l(0.0, 0.0, 0.5, 1.0)
mov o1.xyz, v1.xyzx
ret
`;
const PIXEL_LISTING = `ps_4_0
.in SV_Position0 v0.xyzw float position read=0x0
.in COLOR0 v1.xyz float
.out SV_Target0 o0.xyzw float
dcl_input_ps linear v1.xyz
dcl_output o0.xyzw
mov o0.xyz, v1.xyzx
mov o0.w, l(1.0)
ret
`;

// A guest brings its shaders as DXBC; this one has them assembled first.
async function assemble(...listings) {
    const engine = new Engine();
    await engine.open();
    return Promise.all(listings.map(async (text) => (await engine.shader(new TextEncoder().encode(text), true)).container));
}

class Guest {
    constructor(memory, registers) {
        this.bytes = new Uint8Array(memory);
        this.words = new Int32Array(memory);
        this.registers = registers;
        this.submitted = 0;
    }

    write(register, value) {
        this.registers.postMessage([abi[`AEROGPU_MMIO_REG_${register}`], value]);
    }

    start() {
        this.words.set([abi.AEROGPU_RING_MAGIC, abi.AEROGPU_ABI_VERSION_U32, RING_HEADER_BYTES + RING_ENTRIES * ENTRY_BYTES,
            RING_ENTRIES, ENTRY_BYTES, 0, 0, 0], RING / 4);
        this.write('RING_GPA_LO', RING);
        this.write('RING_SIZE_BYTES', RING_HEADER_BYTES + RING_ENTRIES * ENTRY_BYTES);
        this.write('FENCE_GPA_LO', FENCE);
        this.write('IRQ_ENABLE', abi.AEROGPU_IRQ_FENCE);
        this.write('RING_CONTROL', abi.AEROGPU_RING_CONTROL_ENABLE);
    }

    get completed() {
        return Atomics.load(this.words, (FENCE + 8) / 4);
    }

    // Submits one stream and sleeps until its fence. What is left of an earlier interrupt goes first, so that the next one
    // is a new one.
    run(stream) {
        const fence = ++this.submitted;
        this.bytes.set(stream, STREAM);
        const entry = RING + RING_HEADER_BYTES + ((fence - 1) % RING_ENTRIES) * ENTRY_BYTES;
        this.words.set([ENTRY_BYTES, abi.AEROGPU_SUBMIT_FLAG_PRESENT, 1, 0, STREAM, 0, stream.length, 0, 0, 0, 0, 0, fence, 0, 0,
            0], entry / 4);
        Atomics.store(this.words, (RING + TAIL) / 4, fence);
        let seen = Atomics.load(this.words, INTERRUPTS_WORD);
        this.write('IRQ_ACK', abi.AEROGPU_IRQ_FENCE);
        this.write('DOORBELL', 1);
        while (this.completed < fence) {
            Atomics.wait(this.words, INTERRUPTS_WORD, seen);
            seen = Atomics.load(this.words, INTERRUPTS_WORD);
            this.write('IRQ_ACK', abi.AEROGPU_IRQ_FENCE);
        }
    }
}

const bytesOf = (array) => new Uint8Array(array.buffer);

function setUp([vertex, pixel]) {
    const layout = Uint32Array.of(abi.AEROGPU_INPUT_LAYOUT_BLOB_MAGIC, 1, 2, 0,
        semanticHash('POSITION'), 0, DXGI_R32G32_FLOAT, 0, 0, 0, 0,
        semanticHash('COLOR'), 0, DXGI_R32G32B32_FLOAT, 0, 8, 0, 0);
    return new PacketWriter()
        .add('CREATE_TEXTURE2D', {texture_handle: TARGET, width: WIDTH, height: HEIGHT, mip_levels: 1, array_layers: 1,
            format: abi.AEROGPU_FORMAT_R8G8B8A8_UNORM, usage_flags: abi.AEROGPU_RESOURCE_USAGE_RENDER_TARGET})
        .add('CREATE_BUFFER', {buffer_handle: VERTICES, size_bytes: 3 * VERTEX_BYTES,
            usage_flags: abi.AEROGPU_RESOURCE_USAGE_VERTEX_BUFFER})
        .add('CREATE_INPUT_LAYOUT', {input_layout_handle: LAYOUT, data: bytesOf(layout)})
        .add('CREATE_SHADER_DXBC', {shader_handle: VERTEX_SHADER, stage: abi.AEROGPU_SHADER_STAGE_VERTEX, data: vertex})
        .add('CREATE_SHADER_DXBC', {shader_handle: PIXEL_SHADER, stage: abi.AEROGPU_SHADER_STAGE_PIXEL, data: pixel})
        .add('SET_RENDER_TARGETS', {color_count: 1, colors: [TARGET]})
        .add('SET_VIEWPORT', {width_f32: WIDTH, height_f32: HEIGHT, max_depth_f32: 1})
        .add('BIND_SHADERS', {vs: VERTEX_SHADER, ps: PIXEL_SHADER})
        .add('SET_INPUT_LAYOUT', {input_layout_handle: LAYOUT})
        .add('SET_VERTEX_BUFFERS', {bindings: [{buffer: VERTICES, stride_bytes: VERTEX_BYTES}]})
        .add('SET_RASTERIZER_STATE', {state: {cull_mode: abi.AEROGPU_CULL_NONE}})
        .add('SET_PRIMITIVE_TOPOLOGY', {topology: abi.AEROGPU_TOPOLOGY_TRIANGLELIST})
        .finish();
}

function frame(angle) {
    const corners = [0, 1, 2].flatMap((i) => {
        const at = angle + i * 2 * Math.PI / 3;
        return [0.6 * Math.cos(at), 0.8 * Math.sin(at), ...[0, 1, 2].map((c) => c === i ? 1 : 0.15)];
    });
    return new PacketWriter()
        .add('UPLOAD_RESOURCE', {resource_handle: VERTICES, data: bytesOf(Float32Array.from(corners))})
        .add('CLEAR', {flags: abi.AEROGPU_CLEAR_COLOR, color_rgba_f32: [0.11, 0.13, 0.16, 1]})
        .add('DRAW', {vertex_count: 3, instance_count: 1})
        .add('PRESENT')
        .finish();
}

onmessage = async ({data: {memory, registers}}) => {
    const shaders = await assemble(VERTEX_LISTING, PIXEL_LISTING);
    const guest = new Guest(memory, registers);
    guest.start();
    guest.run(setUp(shaders));
    const start = performance.now();
    for (let frames = 1; ; frames++) {
        guest.run(frame(performance.now() / 1000));
        if (frames % FRAMES_BETWEEN_REPORTS === 0)
            postMessage({frames, seconds: (performance.now() - start) / 1000});
    }
};
