// SPDX-License-Identifier: MIT
//
// The module's memory as JavaScript sees it: typed arrays that are made again when the memory has grown, and the
// readers that the generated code calls. All ones is "left out" in WebGPU's C interface; where it is a value, it is
// WebGPU's default, too.

const ALL_ONES = 0xFFFFFFFF;
const SHORT = 32; // bytes of texts that are sooner read one by one than by a decoder
const decoder = new TextDecoder();
const encoder = new TextEncoder();

export class Memory {
    constructor(object) {
        this.object = object; // the JavaScript object of a handle
    }

    attach(exports) {
        this.exports = exports;
        this.bytes = new Uint8Array(0);
        this.refresh();
    }

    // Before anything is read: a buffer of a memory that has grown is empty.
    refresh() {
        if (this.bytes.length !== 0)
            return;
        const buffer = this.exports.memory.buffer;
        this.bytes = new Uint8Array(buffer);
        this.words = new Uint32Array(buffer);
        this.floats = new Float32Array(buffer);
        this.view = new DataView(buffer);
    }

    u32(at) {
        const value = this.words[at >> 2];
        return value === ALL_ONES ? undefined : value;
    }

    u16(at) {
        return this.view.getUint16(at, true);
    }

    i32(at) {
        return this.view.getInt32(at, true);
    }

    u64(at) {
        const low = this.words[at >> 2], high = this.words[(at >> 2) + 1];
        return low === ALL_ONES && high === ALL_ONES ? undefined : high * 0x100000000 + low;
    }

    size(at) {
        return this.words[at >> 2];
    }

    flags(at) {
        return this.words[at >> 2];
    }

    f32(at) {
        const value = this.view.getFloat32(at, true);
        return value !== value ? undefined : value;
    }

    f64(at) {
        return this.view.getFloat64(at, true);
    }

    bool(at) {
        return this.words[at >> 2] !== 0;
    }

    optional(at) {
        const value = this.words[at >> 2];
        return value > 1 ? undefined : value === 1;
    }

    // A WGPUStringView.
    string(at) {
        const data = this.words[at >> 2], length = this.words[(at >> 2) + 1];
        if (data === 0)
            return length === ALL_ONES ? undefined : '';
        return this.text(data, length);
    }

    // `length` bytes, or to the NUL.
    text(data, length = ALL_ONES) {
        const end = length === ALL_ONES ? this.bytes.indexOf(0, data) : data + length;
        if (end - data <= SHORT) {
            let text = '', at = data;
            while (at < end && this.bytes[at] < 0x80)
                text += String.fromCharCode(this.bytes[at++]);
            if (at === end)
                return text;
        }
        return decoder.decode(this.bytes.slice(data, end));
    }

    list(countAt, firstAt, size, read) {
        const count = this.words[countAt >> 2], first = this.words[firstAt >> 2];
        const elements = [];
        for (let i = 0; i < count; i++)
            elements.push(read(this, first + i * size));
        return elements;
    }

    // Allocates; the result is 0 when there is no memory.
    allocate(size) {
        const at = this.exports.malloc(size) >>> 0;
        this.refresh();
        return at;
    }

    free(at) {
        this.exports.free(at);
    }

    copyText(text) {
        const bytes = encoder.encode(text);
        const at = this.allocate(bytes.length + 1);
        if (at !== 0) {
            this.bytes.set(bytes, at);
            this.bytes[at + bytes.length] = 0;
        }
        return [at, at !== 0 ? bytes.length : 0];
    }
}
