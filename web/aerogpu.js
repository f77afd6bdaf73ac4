// SPDX-License-Identifier: MIT
//
// The AeroGPU device for a machine emulator in a page or a worker; aerogpu.d.ts is its manual.

import {cacheImports, openCache} from './cache.js';
import {CanvasPresenter} from './canvas.js';
import {createWASI} from './wasi.js';
import {createWebGPU} from './webgpu.js';

const severities = ['note', 'warning', 'error'];
const PICTURE_FIELDS = 5; // words of the module's struct picture
const MAX_DELAY_MS = 0x7FFFFFFF;

let compiled; // the module, for all devices

async function compile(module) {
    if (module instanceof WebAssembly.Module)
        return module;
    const response = fetch(module ?? new URL('./aerogpu.wasm', import.meta.url));
    return WebAssembly.compileStreaming(response);
}

function wordsOf(bytes) {
    const {buffer, byteOffset, length} = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
    return new Uint32Array(buffer, byteOffset, length / 4);
}

// Guest memory as a view of bytes.
function memoryOfView(view) {
    const fits = (gpa, size) => gpa + size <= view.length;
    const words = view.byteOffset % 4 === 0 ? new Uint32Array(view.buffer, view.byteOffset, view.length >>> 2) : null;
    return {
        read: (gpa, to) => {
            if (!fits(gpa, to.length))
                return false;
            to.set(view.subarray(gpa, gpa + to.length));
            return true;
        },
        write: (gpa, from) => {
            if (!fits(gpa, from.length))
                return false;
            // Guests may poll words that are being written: words are stored whole.
            if (words !== null && gpa % 4 === 0 && from.length % 4 === 0 && gpa + from.length <= words.byteLength)
                words.set(wordsOf(from), gpa / 4);
            else
                view.set(from, gpa);
            return true;
        },
    };
}

// A module that cannot be had is asked for again.
function loaded(module) {
    compiled ??= compile(module).catch((error) => {
        compiled = undefined;
        throw error;
    });
    return compiled;
}

export function load(module) {
    loaded(module).catch(() => {}); // create() tells
}

class Device {
    constructor(options) {
        const memory = options.memory;
        this.memory = typeof memory.read === 'function' ? memory : memoryOfView(memory);
        this.options = options;
        this.timer = undefined; // of the next poll, which is due at this time
        this.due = 0;
        this.isWaking = false;
        this.at = 0;
        this.webgpu = createWebGPU({wake: () => this.wake()});
    }

    async open(compiled) {
        const {webgpu, options} = this;
        this.presentOn(options.device);
        const [module, cache] = await Promise.all([compiled,
            typeof options.cache === 'string' ? openCache(options.cache) : options.cache ?? null]);
        this.cache = cache;
        const instance = await WebAssembly.instantiate(module, {
            env: webgpu.functions,
            wasi_snapshot_preview1: createWASI(webgpu.memory),
            aerogpu: {
                memory_read: (gpa, to, size) => this.memory.read(gpa, this.bytes(to, size)) ? 1 : 0,
                memory_write: (gpa, from, size) => this.memory.write(gpa, this.bytes(from, size)) ? 1 : 0,
                set_irq: (asserted) => options.irq?.(asserted !== 0),
                presented: (width, height, pixels, scanout) =>
                    options.present?.(this.picture(width, height, pixels), scanout >>> 0),
                shown: (texture, ...picture) => {
                    this.presenter.show(webgpu.handles.object(texture), ...picture);
                    return options.present !== undefined ? 1 : 0;
                },
                diagnostic: (severity, code, message) => options.diagnostic?.({severity: severities[severity],
                    code: this.text(code), message: this.text(message)}),
                now: () => options.now?.() ?? performance.now(),
                ...cacheImports(webgpu.memory, this.cache),
            },
        });
        this.exports = instance.exports;
        webgpu.attach(this.exports);
        this.exports._initialize();
        const instanceHandle = webgpu.addInstance(), deviceHandle = webgpu.addDevice(options.device);
        this.at = this.exports.device_create(instanceHandle, deviceHandle, options.refreshMillihertz ?? 0,
            options.decodeOff ?? false, options.canvas !== undefined, this.cache !== null);
        webgpu.releaseInstance(instanceHandle);
        webgpu.releaseDevice(deviceHandle);
        if (this.at === 0) {
            this.closeCache();
            throw new Error('the AeroGPU device cannot be made; the diagnostic callback says why');
        }
    }

    presentOn(device) {
        if (this.options.canvas !== undefined)
            this.presenter = new CanvasPresenter(device, this.options.canvas);
    }

    bytes(at, size) {
        this.webgpu.memory.refresh();
        return this.webgpu.memory.bytes.subarray(at >>> 0, (at >>> 0) + (size >>> 0));
    }

    text(at) {
        this.webgpu.memory.refresh();
        return this.webgpu.memory.text(at >>> 0);
    }

    picture(width, height, at) {
        return new ImageData(Uint8ClampedArray.from(this.bytes(at, width * height * 4)), width, height);
    }

    // WebGPU has answered: what waits for the answer goes on, but not inside whatever called. Answers that come together
    // are one reason to poll.
    wake() {
        if (this.at === 0 || this.isWaking)
            return;
        if (this.options.wake === undefined) {
            this.schedule(0);
            return;
        }
        this.isWaking = true;
        queueMicrotask(() => {
            this.isWaking = false;
            if (this.at !== 0)
                this.options.wake();
        });
    }

    // At that time a poll has something to do.
    schedule(delay) {
        const due = performance.now() + Math.min(delay, MAX_DELAY_MS);
        if (this.timer !== undefined && this.due <= due)
            return; // a guest that never rests would postpone the poll again and again
        clearTimeout(this.timer);
        this.due = due;
        this.timer = setTimeout(() => {
            this.timer = undefined;
            if (this.options.wake !== undefined)
                this.wake();
            else
                this.poll();
        }, Math.min(delay, MAX_DELAY_MS));
    }

    poll() {
        if (this.at === 0)
            return false;
        const isBusy = this.exports.device_poll(this.at) !== 0;
        this.scheduleNext();
        return isBusy;
    }

    // When the device has something to do next by itself. False: never.
    scheduleNext() {
        const due = this.exports.next_event(this.at);
        if (due === Infinity)
            return false;
        this.schedule(Math.max(due - (this.options.now?.() ?? performance.now()), 0));
        return true;
    }

    // After what may have given the device work, or started its clock. An answer that it waits for wakes it, too.
    poke() {
        if (!this.scheduleNext() && this.webgpu.pending === 0)
            this.schedule(0);
    }

    configRead(offset, size) {
        return this.exports.config_read(this.at, offset, size) >>> 0;
    }

    configWrite(offset, size, value) {
        this.exports.config_write(this.at, offset, size, value);
        this.poke();
    }

    mmioRead(offset, size = 4) {
        return this.exports.mmio_read(this.at, offset, size) >>> 0;
    }

    mmioWrite(offset, size, value) {
        this.exports.mmio_write(this.at, offset, size, value);
        this.poke();
    }

    vramRead(offset, to) {
        return this.copied(to.length, (at) => {
            const succeeded = this.exports.vram_read(this.at, offset, at, to.length) !== 0;
            to.set(this.bytes(at, to.length));
            return succeeded;
        });
    }

    vramWrite(offset, from) {
        return this.copied(from.length, (at) => {
            this.bytes(at, from.length).set(from);
            return this.exports.vram_write(this.at, offset, at, from.length) !== 0;
        });
    }

    copied(size, use) {
        const at = this.webgpu.memory.allocate(Math.max(size, 1));
        if (at === 0)
            return false;
        const result = use(at);
        this.webgpu.memory.free(at);
        return result;
    }

    takePicture(at) {
        if (at === 0)
            return null;
        this.webgpu.memory.refresh();
        const [width, height, pixels, x, y] = this.webgpu.memory.words.subarray(at >>> 2, (at >>> 2) + PICTURE_FIELDS);
        const image = this.picture(width, height, pixels);
        this.webgpu.memory.free(pixels);
        return {image, x: x | 0, y: y | 0};
    }

    readScanout() {
        return this.takePicture(this.exports.read_scanout(this.at))?.image ?? null;
    }

    readCursor() {
        return this.takePicture(this.exports.read_cursor(this.at));
    }

    draw(canvas) {
        const scanout = this.readScanout();
        if (scanout === null)
            return false;
        if (canvas.width !== scanout.width || canvas.height !== scanout.height) {
            canvas.width = scanout.width;
            canvas.height = scanout.height;
        }
        const context = canvas.getContext('2d');
        // Displays show what is stored; its alpha means nothing to them.
        for (let i = 3; i < scanout.data.length; i += 4)
            scanout.data[i] = 255;
        context.putImageData(scanout, 0, 0);
        const cursor = this.readCursor();
        if (cursor !== null) {
            const layer = new OffscreenCanvas(cursor.image.width, cursor.image.height);
            layer.getContext('2d').putImageData(cursor.image, 0, 0);
            context.drawImage(layer, cursor.x, cursor.y);
        }
        return true;
    }

    replaceDevice(device) {
        const instanceHandle = this.webgpu.addInstance(), deviceHandle = this.webgpu.addDevice(device);
        const taken = this.exports.device_replace_gpu(this.at, instanceHandle, deviceHandle) !== 0;
        if (taken)
            this.presentOn(device);
        this.webgpu.releaseInstance(instanceHandle);
        this.webgpu.releaseDevice(deviceHandle);
        this.poke();
        return taken;
    }

    get statistics() {
        const at = this.at !== 0 ? this.exports.shader_counts(this.at) >>> 2 : 0;
        this.webgpu.memory.refresh();
        const [translated, cached] = at !== 0 ? this.webgpu.memory.words.subarray(at, at + 2) : [0, 0];
        return {handles: this.webgpu.handles.live, pending: this.webgpu.pending,
            memoryBytes: this.exports.memory.buffer.byteLength, shaders: {translated, cached}};
    }

    destroy() {
        if (this.at === 0)
            return;
        clearTimeout(this.timer);
        this.exports.device_destroy(this.at);
        this.at = 0;
        this.closeCache();
    }

    // A cache that was opened here is closed here, once it is written.
    closeCache() {
        if (typeof this.options.cache === 'string')
            this.cache?.close();
    }
}

export async function create(options) {
    if (typeof GPUDevice === 'undefined')
        throw new Error(`there is no WebGPU here${globalThis.isSecureContext === false ? ': the page is not secure' : ''}`);
    if (!(options.device instanceof GPUDevice))
        throw new TypeError('options.device is a GPUDevice');
    if (options.memory === undefined)
        throw new TypeError('options.memory is the guest\'s memory');
    const device = new Device(options);
    await device.open(loaded(options.module));
    return device;
}

export {openCache};

// Limits and features for requestDevice(): all that the adapter has and the device can use.
export function deviceDescriptor(adapter) {
    const requiredLimits = {};
    for (const name in adapter.limits)
        requiredLimits[name] = adapter.limits[name];
    return {requiredLimits, requiredFeatures: [...adapter.features]};
}
