// SPDX-License-Identifier: MIT
//
// The guest's side for JavaScript: the ABI's constants, and a writer and a reader of command streams, which the
// library's own table of packets tells what packets are.

import {constants, packets} from './abi_tables.js';

export {constants, packets};

const HEADER_BYTES = 8; // of a packet: opcode, size
const STREAM_HEADER_BYTES = 24;
const sizes = {u8: 1, u32: 4, i32: 4, u64: 8, f32: 4};
const byName = new Map(packets.map((packet) => [packet.name, packet]));
const byOpcode = new Map(packets.map((packet) => [packet.opcode, packet]));
const encoder = new TextEncoder(), decoder = new TextDecoder();
const padded = (size) => (size + 3) & ~3;

const setters = {
    u8: (view, at, value) => view.setUint8(at, value),
    u32: (view, at, value) => view.setUint32(at, value, true),
    i32: (view, at, value) => view.setInt32(at, value, true),
    u64: (view, at, value) => view.setBigUint64(at, BigInt(value), true),
    f32: (view, at, value) => view.setFloat32(at, value, true),
};
const getters = {
    u8: (view, at) => view.getUint8(at),
    u32: (view, at) => view.getUint32(at, true),
    i32: (view, at) => view.getInt32(at, true),
    u64: (view, at) => view.getBigUint64(at, true),
    f32: (view, at) => view.getFloat32(at, true),
};

function writeField(view, at, field, value) {
    if (field.type === 'struct')
        writeStruct(view, at, field.nested, value);
    else
        setters[field.type](view, at, value);
}

function writeStruct(view, base, info, values) {
    for (const field of info.fields) {
        const value = values[field.name];
        if (value === undefined)
            continue;
        if (field.count === 1) {
            writeField(view, base + field.offset, field, value);
            continue;
        }
        if (value.length > field.count)
            throw new RangeError(`${field.name} has ${field.count} elements`);
        for (let i = 0; i < value.length; i++)
            writeField(view, base + field.offset + i * (sizes[field.type] ?? field.nested.size), field, value[i]);
    }
}

function readField(view, at, field) {
    return field.type === 'struct' ? readStruct(view, at, field.nested) : getters[field.type](view, at);
}

function readStruct(view, base, info) {
    const values = {};
    for (const field of info.fields) {
        const size = sizes[field.type] ?? field.nested.size;
        const at = (i) => base + field.offset + i * size;
        values[field.name] = field.count === 1 ? readField(view, at(0), field) :
            Array.from({length: field.count}, (_, i) => readField(view, at(i), field));
    }
    return values;
}

// What follows the fixed structure: [bytes, count].
function payloadBytes(payload, value) {
    if (payload.kind === 'bytes' || payload.kind === 'any')
        return [value, value.length];
    if (payload.kind === 'text')
        return [encoder.encode(value), 0];
    const size = payload.kind === 'words' ? 4 : payload.element.size;
    const bytes = new Uint8Array(value.length * size), view = new DataView(bytes.buffer);
    for (let i = 0; i < value.length; i++) {
        if (payload.kind === 'words')
            setters[payload.word](view, i * 4, value[i]);
        else
            writeStruct(view, i * size, payload.element, value[i]);
    }
    const count = payload.kind === 'words' ? value.length / payload.wordsPerCount : value.length;
    if (!Number.isInteger(count))
        throw new RangeError(`${payload.name} has ${payload.wordsPerCount} words an element`);
    return [bytes, count];
}

export class PacketWriter {
    constructor(minor = constants.AEROGPU_ABI_MINOR) {
        this.minor = minor;
        this.parts = [];
    }

    add(name, fields = {}) {
        const packet = byName.get(name);
        if (packet === undefined)
            throw new RangeError(`there is no packet ${name}`);
        const isExtended = packet.extended?.fields.some((field) => fields[field.name] !== undefined) ?? false;
        const fixed = isExtended ? packet.extendedSize : packet.fixed.size;
        const value = packet.payload.kind === 'none' ? undefined : fields[packet.payload.name];
        const [payload, count] = value === undefined ? [new Uint8Array(0), 0] : payloadBytes(packet.payload, value);
        const bytes = new Uint8Array(padded(fixed + payload.length)), view = new DataView(bytes.buffer);
        view.setUint32(0, packet.opcode, true);
        view.setUint32(4, bytes.length, true);
        writeStruct(view, 0, packet.fixed, fields);
        if (isExtended)
            writeStruct(view, 0, packet.extended, fields);
        if (packet.payload.countOffset !== undefined)
            setters[packet.payload.countType](view, packet.payload.countOffset, count);
        bytes.set(payload, fixed);
        this.parts.push(bytes);
        return this;
    }

    finish() {
        const size = this.parts.reduce((sum, part) => sum + part.length, STREAM_HEADER_BYTES);
        const stream = new Uint8Array(size), view = new DataView(stream.buffer);
        view.setUint32(0, constants.AEROGPU_CMD_STREAM_MAGIC, true);
        view.setUint32(4, constants.AEROGPU_ABI_MAJOR << 16 | this.minor, true);
        view.setUint32(8, size, true);
        let at = STREAM_HEADER_BYTES;
        for (const part of this.parts) {
            stream.set(part, at);
            at += part.length;
        }
        this.parts = [];
        return stream;
    }
}

function readPayload(view, at, end, packet) {
    const {payload} = packet;
    const count = payload.countOffset === undefined ? 0 :
        Number(getters[payload.countType](view, at + payload.countOffset));
    const from = at + packet.fixed.size;
    const bytes = new Uint8Array(view.buffer, view.byteOffset + from, end - from);
    const room = (size) => {
        if (count * size > bytes.length)
            throw new RangeError(`the payload of the packet at ${at} does not fit`);
    };
    if (payload.kind === 'any')
        return bytes;
    if (payload.kind === 'text')
        return decoder.decode(bytes).replace(/\0+$/, '');
    if (payload.kind === 'bytes') {
        room(1);
        return bytes.subarray(0, count);
    }
    if (payload.kind === 'words') {
        room(4 * payload.wordsPerCount);
        return Array.from({length: count * payload.wordsPerCount}, (_, i) => getters[payload.word](view, from + 4 * i));
    }
    room(payload.element.size);
    return Array.from({length: count}, (_, i) => readStruct(view, from + i * payload.element.size, payload.element));
}

function readFields(view, at, size, packet) {
    if (size < packet.fixed.size)
        throw new RangeError(`the packet at ${at} is shorter than a ${packet.name}`);
    const fields = readStruct(view, at, packet.fixed);
    if (packet.extended !== undefined && size >= packet.extendedSize)
        Object.assign(fields, readStruct(view, at, packet.extended));
    if (packet.payload.kind !== 'none')
        fields[packet.payload.name] = readPayload(view, at, at + size, packet);
    return fields;
}

export function readPackets(stream) {
    const view = new DataView(stream.buffer, stream.byteOffset, stream.byteLength);
    if (stream.length < STREAM_HEADER_BYTES || view.getUint32(0, true) !== constants.AEROGPU_CMD_STREAM_MAGIC)
        throw new RangeError('this is no command stream');
    const end = view.getUint32(8, true);
    if (end > stream.length)
        throw new RangeError('the stream is cut off');
    const found = [];
    for (let at = STREAM_HEADER_BYTES; at < end; at += found.at(-1).size) {
        const size = at + HEADER_BYTES <= end ? view.getUint32(at + 4, true) : 0;
        if (size < HEADER_BYTES || size % 4 !== 0 || size > end - at)
            throw new RangeError(`the packet at ${at} has no size that fits`);
        const opcode = view.getUint32(at, true), packet = byOpcode.get(opcode);
        found.push({opcode, offset: at, size, name: packet?.name,
            fields: packet !== undefined ? readFields(view, at, size, packet) : undefined});
    }
    return found;
}

// FNV-1a, by which elements of input layouts name semantics.
const HASH_START = 2166136261, HASH_PRIME = 16777619;

export function semanticHash(name) {
    return encoder.encode(name.toUpperCase()).reduce((hash, byte) => Math.imul(hash ^ byte, HASH_PRIME) >>> 0, HASH_START);
}
