// SPDX-License-Identifier: MIT
//
// Runs scenes on a device with the limits that natively are called `browser`.

import * as abi from '/package/webgpu_abi.js';
import {createWebGPU} from '/package/webgpu.js';
import {createWASIWithFiles} from '/package/wasi_files.js';

const files = {};
let module, webgpu, exports, runner, run, device;
const uncaptured = [];

async function start() {
    module ??= await WebAssembly.compileStreaming(fetch('/module/scene_runner.wasm'));
    webgpu = createWebGPU();
    const wasi = createWASIWithFiles(webgpu.memory, files, () => 0);
    // The module is suspended while it sleeps.
    const {poll_oneoff} = wasi;
    wasi.poll_oneoff = new WebAssembly.Suspending(async (...values) => {
        await new Promise((resolve) => setTimeout(resolve, 0));
        return poll_oneoff(...values);
    });
    const instance = await WebAssembly.instantiate(module, {env: webgpu.functions, wasi_snapshot_preview1: wasi});
    exports = instance.exports;
    webgpu.attach(exports);
    exports._initialize();
    run = WebAssembly.promising(exports.runner_run);
}

// The limits and features of the adapter, lowered by the library's own table.
function lowered(adapter) {
    const {memory} = webgpu;
    const at = memory.allocate(abi.Limits.bytes);
    memory.bytes.fill(0, at, at + abi.Limits.bytes);
    for (const [member, offset, isWide] of abi.limitMembers) {
        const value = adapter.limits[member] ?? 0;
        memory.words[(at + offset) >> 2] = value % 0x100000000;
        if (isWide)
            memory.words[(at + offset + 4) >> 2] = value / 0x100000000;
    }
    exports.runner_lower_limits(at);
    const limits = {};
    for (const [member, offset, isWide] of abi.limitMembers) {
        if (adapter.limits[member] !== undefined)
            limits[member] = isWide ? memory.u64(at + offset) : memory.size(at + offset);
    }
    memory.free(at);
    const features = memory.text(exports.runner_features()).trim().split(' ');
    return {requiredLimits: limits, requiredFeatures: features.filter((feature) => adapter.features.has(feature))};
}

globalThis.openRunner = async () => {
    await start();
    const adapter = await navigator.gpu.requestAdapter();
    device = await adapter.requestDevice(lowered(adapter));
    device.onuncapturederror = (event) => uncaptured.push(event.error.message);
    const instanceHandle = webgpu.addInstance(), deviceHandle = webgpu.addDevice(device);
    runner = exports.runner_create(instanceHandle, deviceHandle);
    webgpu.releaseInstance(instanceHandle);
    webgpu.releaseDevice(deviceHandle);
    return {created: runner !== 0, adapter: `${device.adapterInfo.vendor} ${device.adapterInfo.architecture}`,
        live: webgpu.handles.live};
};

async function bytesOf(path) {
    files[path] ??= new Uint8Array(await (await fetch('/files' + path)).arrayBuffer());
    return files[path];
}

function copyBytes(bytes) {
    const at = webgpu.memory.allocate(bytes.length + 1);
    webgpu.memory.bytes.set(bytes, at);
    webgpu.memory.bytes[at + bytes.length] = 0;
    return at;
}

// {result, log, hashes, pictures}; pictures only where they are asked for.
globalThis.runScene = async (path, withPictures) => {
    const {memory} = webgpu;
    const text = await bytesOf(path);
    const name = copyBytes(new TextEncoder().encode(path)), data = copyBytes(text);
    const result = memory.text(await run(runner, name, data, text.length));
    memory.refresh();
    memory.free(name);
    memory.free(data);
    const presents = [...Array(exports.runner_presents(runner)).keys()];
    const hashes = presents.map(
        (i) => BigInt.asUintN(64, exports.runner_hash(runner, i)).toString(16).padStart(16, '0'));
    const pictures = withPictures ? presents.map((i) => picture(i)) : [];
    return {path, result, log: memory.text(exports.runner_log(runner)), hashes, pictures, live: webgpu.handles.live,
        uncaptured: uncaptured.splice(0)};
};

function picture(present) {
    const width = exports.runner_width(runner, present), height = exports.runner_height(runner, present);
    const at = exports.runner_pixels(runner, present);
    let text = '';
    for (const byte of webgpu.memory.bytes.subarray(at, at + width * height * 4))
        text += String.fromCharCode(byte);
    return {width, height, rgba: btoa(text)};
}

// Pictures and other binary files that scenes name.
globalThis.addFile = (path, base64) => {
    files[path] = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
};

globalThis.closeRunner = () => {
    exports.runner_destroy(runner);
    return {live: webgpu.handles.live, pending: webgpu.pending};
};
