// SPDX-License-Identifier: MIT
//
// playground.wasm for the page: shaders as text, scenes, and runs of them that stop before any packet.

import {cacheImports, openCache} from './cache.js';
import {createWASIWithFiles} from './wasi_files.js';
import {createWebGPU} from './webgpu.js';
import {createZstd} from './zstd.js';

const STACK_BYTES = 65536; // of what a waiting module unwinds
const RUNNING = 0, UNWINDING = 1, REWINDING = 2;
const TURNS = 32, REST_MS = 4; // what a waiting module asks at once, and how long it rests when that was not enough

// The next turn of the page's events, without the delay of nested timers.
const channel = new MessageChannel();
const turns = [];
channel.port1.onmessage = () => turns.shift()();
const nextTurn = () => new Promise((resolve) => {
    turns.push(resolve);
    channel.port2.postMessage(null);
});

export class Engine {
    constructor() {
        this.files = {};
        this.webgpu = createWebGPU({wake: () => this.woken()});
        this.woken = () => {};
        this.last = Promise.resolve();
        this.onwait = () => {};
    }

    async open() {
        const sleep = () => {
            if (this.exports.asyncify_get_state() === REWINDING)
                this.exports.asyncify_stop_rewind();
            else
                this.exports.asyncify_start_unwind(this.stack);
            return 0;
        };
        const compiled = WebAssembly.compileStreaming(fetch(new URL('./playground.wasm', import.meta.url)));
        const [module, cache] = await Promise.all([compiled, openCache('aerogpu-playground')]);
        this.cache = cache;
        const instance = await WebAssembly.instantiate(module, {
            env: {...this.webgpu.functions, ...createZstd(this.webgpu.memory)},
            wasi_snapshot_preview1: createWASIWithFiles(this.webgpu.memory, this.files, sleep),
            aerogpu: cacheImports(this.webgpu.memory, this.cache),
        });
        this.exports = instance.exports;
        this.webgpu.attach(this.exports);
        this.exports._initialize();
        const {memory} = this.webgpu;
        this.stack = memory.allocate(8 + STACK_BYTES);
        memory.words.set([this.stack + 8, this.stack + 8 + STACK_BYTES], this.stack >> 2);
    }

    useDevice(device) {
        const instance = this.webgpu.addInstance(), handle = this.webgpu.addDevice(device);
        const isOpen = this.exports.playground_open(instance, handle) !== 0;
        this.webgpu.releaseInstance(instance);
        this.webgpu.releaseDevice(handle);
        return isOpen;
    }

    // One call after the other: a module that waits cannot be called.
    whenFree(work) {
        const result = this.last.then(work);
        this.last = result.catch(() => {});
        return result;
    }

    // Until WebGPU answers, or for a moment: what compiles for the GPU has use for the processor.
    rest() {
        return new Promise((resolve) => {
            this.woken = resolve;
            setTimeout(resolve, REST_MS);
        });
    }

    async waiting(name, ...values) {
        const {exports, webgpu} = this;
        let result = exports[name](...values), turns = 0;
        while (exports.asyncify_get_state() === UNWINDING) {
            exports.asyncify_stop_unwind();
            this.onwait();
            await (++turns % TURNS !== 0 || webgpu.pending === 0 ? nextTurn() : this.rest());
            exports.asyncify_start_rewind(this.stack);
            result = exports[name](...values);
        }
        if (exports.asyncify_get_state() !== RUNNING)
            throw new Error('the module lost its stack');
        webgpu.memory.refresh();
        return result;
    }

    copied(bytes, use) {
        const {memory} = this.webgpu;
        const at = memory.allocate(bytes.length + 1);
        memory.refresh();
        memory.bytes.set(bytes, at);
        memory.bytes[at + bytes.length] = 0;
        const result = use(at, bytes.length);
        memory.free(at);
        return result;
    }

    text(at) {
        this.webgpu.memory.refresh();
        return this.webgpu.memory.text(at >>> 0);
    }

    bytes(at, size) {
        this.webgpu.memory.refresh();
        return this.webgpu.memory.bytes.slice(at >>> 0, (at >>> 0) + size);
    }

    picture(at, width, height) {
        return new ImageData(new Uint8ClampedArray(this.bytes(at, width * height * 4).buffer), width, height);
    }

    // {stage, listing, wgsl, inputs, outputs, patch, bindings, log, container}
    shader(bytes, isListing) {
        return this.whenFree(() => this.copied(bytes, (at, size) => {
            const answer = JSON.parse(this.text(this.exports.shader_read(at, size, isListing)));
            return {...answer, container: answer.size > 0 ? this.bytes(answer.at, answer.size) : null};
        }));
    }

    // {title, steps: [{line, packets}], log}
    load(path, bytes) {
        return this.whenFree(() => this.copied(new TextEncoder().encode(path), (name) =>
            this.copied(bytes, (at, size) => JSON.parse(this.text(this.exports.playground_load(name, at, size))))));
    }

    shaderOf(step, packet) {
        return this.whenFree(() => {
            const size = this.exports.playground_shader_size(step, packet);
            return size > 0 ? this.bytes(this.exports.playground_shader(step, packet), size) : null;
        });
    }

    replaceShader(step, packet, container) {
        return this.whenFree(() => this.copied(container, (at, size) =>
            this.exports.playground_replace(step, packet, at, size) !== 0));
    }

    // Runs until before a packet; {isAlive, log}.
    advance(step, packet) {
        return this.whenFree(async () => {
            const isAlive = await this.waiting('playground_advance', step, packet) !== 0;
            return {isAlive, log: this.text(this.exports.playground_log())};
        });
    }

    state() {
        return this.whenFree(() => JSON.parse(this.text(this.exports.playground_state())));
    }

    // Of the run: translations that were needed, and how many the cache had.
    get shaderCounts() {
        const at = this.exports.playground_shader_counts() >>> 2;
        this.webgpu.memory.refresh();
        const [translated, cached] = this.webgpu.memory.words.subarray(at, at + 2);
        return {translated, cached};
    }

    get presents() {
        return this.exports.playground_presents();
    }

    // Not while a run waits: its stack is unwound, and these functions only read.
    present(number) {
        const {exports} = this;
        return this.picture(exports.playground_pixels(number), exports.playground_width(number),
            exports.playground_height(number));
    }

    // {image} or {texels, texelBytes}, and {log}.
    texture({handle, width, height}) {
        return this.whenFree(async () => {
            const at = await this.waiting('playground_texture', handle);
            const log = this.text(this.exports.playground_log());
            if (at !== 0)
                return {image: this.picture(at, width, height), log};
            const texelBytes = this.exports.playground_texel_bytes();
            const size = texelBytes * this.exports.playground_texel_count();
            return {texels: size > 0 ? this.bytes(this.exports.playground_texels(), size) : null, texelBytes, log};
        });
    }

    buffer(handle, size) {
        return this.whenFree(async () => {
            const at = await this.waiting('playground_buffer', handle, size);
            return {bytes: at !== 0 ? this.bytes(at, size) : null, log: this.text(this.exports.playground_log())};
        });
    }
}
