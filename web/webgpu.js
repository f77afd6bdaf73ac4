// SPDX-License-Identifier: MIT
//
// src/gpu/webgpu.h on the browser's WebGPU. tools/generate_webgpu_web.py writes webgpu_abi.js, which knows the layout
// of the structures, and makes a list of the functions below for the linker: each begins a line of its own.

import * as abi from './webgpu_abi.js';
import {COMMAND_DRAW, COMMAND_DRAW_INDEXED, COMMAND_RELEASE_BIND_GROUP, COMMAND_RETAIN_BIND_GROUP, COMMAND_SET_BIND_GROUP,
    COMMAND_SET_INDEX_BUFFER, COMMAND_SET_PIPELINE, COMMAND_SET_SCISSOR_RECT, COMMAND_SET_STENCIL_REFERENCE,
    COMMAND_SET_VERTEX_BUFFER, COMMAND_SET_VIEWPORT} from './webgpu_abi.js';
import {Handles} from './handles.js';
import {Memory} from './memory.js';

const WHOLE_SIZE = 0xFFFFFFFFFFFFFFFFn;
const WHOLE_MAP_SIZE = 0xFFFFFFFF;
const WHOLE_WORD = 0xFFFFFFFF;
const MESSAGE_BYTES = 1024; // longer messages are cut, as the library would do

const encoder = new TextEncoder();

const unsigned = (value) => Number(BigInt.asUintN(64, value));
const sizeOrRest = (value) => BigInt.asUintN(64, value) === WHOLE_SIZE ? undefined : unsigned(value);

const errorTypes = [['GPUValidationError', abi.ErrorType.Validation], ['GPUOutOfMemoryError',
    abi.ErrorType.OutOfMemory], ['GPUInternalError', abi.ErrorType.Internal]];

function errorType(error) {
    if (error === null)
        return abi.ErrorType.NoError;
    const row = errorTypes.find(([name]) => error instanceof globalThis[name]);
    return row !== undefined ? row[1] : abi.ErrorType.Unknown;
}

// Answers that WebGPU gives later. Their callbacks run when the library asks for them.
class Futures {
    constructor(wake) {
        this.pending = new Map();
        this.next = 1n;
        this.wake = wake;
    }

    // `answer` is called with (succeeded, value) and `cancel` when the instance goes first. An answer of null may wait for
    // an unanswered future `before`, which wakes then.
    add(promise, answer, cancel, before = null) {
        const id = this.next++;
        const future = {settle: null, cancel};
        this.pending.set(id, future);
        const settled = (succeeded) => (value) => {
            if (!this.pending.has(id))
                return;
            future.settle = () => answer(succeeded, value);
            if (!succeeded || value !== null || !this.isAwaited(before))
                this.wake();
        };
        promise.then(settled(true), settled(false));
        return id;
    }

    isAwaited(id) {
        const future = this.pending.get(id);
        return future !== undefined && future.settle === null;
    }

    take(id) {
        const future = this.pending.get(id);
        if (future !== undefined && future.settle === null)
            return false;
        this.pending.delete(id);
        future?.settle();
        return true;
    }

    // In the order in which they were asked for.
    process() {
        const end = this.next;
        for (const [id, future] of this.pending) {
            if (id >= end) // what is asked for meanwhile is answered later
                break;
            if (future.settle !== null && this.pending.delete(id))
                future.settle();
        }
    }

    cancel() {
        const all = [...this.pending.values()];
        this.pending.clear();
        for (const future of all)
            future.cancel();
    }
}

// The functions for one instance of the module. `wake` is called when there is something to do for a poll.
export function createWebGPU({wake = () => {}} = {}) {
    const handles = new Handles();
    const memory = new Memory((handle) => handles.object(handle));
    const futures = new Futures(wake);
    const object = (handle) => handles.object(handle);
    const losses = new Map(); // the entries of devices by the futures of their losses
    let table, message, commands;
    let workDone = null; // the future of the last question whether the GPU is done

    const read = (reader, at) => {
        memory.refresh();
        return at !== 0 ? reader(memory, at >>> 0) : undefined;
    };

    // A WGPUStringView in memory that holds one message at a time.
    const writeMessage = (text) => {
        if (message === undefined)
            message = memory.allocate(8 + MESSAGE_BYTES);
        memory.refresh();
        const {written} = text === '' ? {written: 0} : encoder.encodeInto(text, memory.bytes.subarray(message + 8, message + 8 + MESSAGE_BYTES));
        memory.words[message >> 2] = message + 8;
        memory.words[(message >> 2) + 1] = written;
        return message;
    };

    // The future of a promise; `layout` is that of the callback's structure, `call` calls the callback.
    const future = (layout, at, promise, call, cancelled, before) => {
        memory.refresh();
        const word = (member) => memory.words[(at + member) >> 2];
        const callback = table.get(word(layout.callback));
        const first = word(layout.userdata1), second = word(layout.userdata2);
        const answer = (succeeded, value) => call(callback, succeeded, value, first, second);
        return futures.add(promise, answer, () => cancelled(callback, first, second), before);
    };

    const pipelineFuture = (layout, at, promise) => {
        const status = abi.CreatePipelineAsyncStatus;
        const failure = (error) => error?.reason === 'internal' ? status.InternalError : status.ValidationError;
        return future(layout, at, promise, (callback, succeeded, value, first, second) => {
            const handle = succeeded ? handles.add(value) : 0;
            callback(succeeded ? status.Success : failure(value), handle,
                writeMessage(succeeded ? '' : String(value.message)), first, second);
        }, (callback, first, second) => callback(status.CallbackCancelled, 0, writeMessage(''), first, second));
    };

    const releaseRecording = (handle) => {
        const entry = handles.release(handle);
        if (entry !== null && entry.recording)
            handles.endRecording();
    };

    const unmapped = (entry) => {
        if (entry.mapped !== null)
            memory.free(entry.mapped.at);
        entry.mapped = null;
    };

    // A mapped range is a copy in the module's memory, which unmapping writes back.
    const mappedRange = (handle, offset, size, isWritten) => {
        const entry = handles.entry(handle);
        const from = offset >>> 0;
        const bytes = (size >>> 0) === WHOLE_MAP_SIZE ? entry.object.size - from : size >>> 0;
        const range = new Uint8Array(entry.object.getMappedRange(from, bytes));
        unmapped(entry);
        const at = memory.allocate(Math.max(bytes, 1));
        if (at === 0)
            return 0;
        memory.bytes.set(range, at);
        entry.mapped = {at, range, isWritten};
        return at;
    };

    const unmap = (handle) => {
        const entry = handles.entry(handle);
        if (entry.mapped !== null && entry.mapped.isWritten) {
            memory.refresh();
            const {at, range} = entry.mapped;
            range.set(memory.bytes.subarray(at, at + range.length));
        }
        unmapped(entry);
        entry.object.unmap();
    };

    const readBindGroup = (at) => {
        const entry = abi.BindGroupEntry, words = memory.words;
        const count = words[(at + abi.BindGroupDescriptor.entryCount) >> 2];
        const first = words[(at + abi.BindGroupDescriptor.entries) >> 2];
        const entries = [], parts = [];
        for (let i = 0; i < count; i++) {
            const from = first + i * entry.bytes;
            const part = handles.entry(words[(from + entry.buffer) >> 2] || words[(from + entry.sampler) >> 2] ||
                words[(from + entry.textureView) >> 2]);
            const isBuffer = words[(from + entry.buffer) >> 2] !== 0;
            const resource = isBuffer ? {buffer: part.object, offset: memory.u64(from + entry.offset),
                size: memory.u64(from + entry.size)} : part.object;
            entries.push({binding: words[(from + entry.binding) >> 2], resource});
            parts.push(part);
        }
        return [{label: memory.string(at + abi.BindGroupDescriptor.label),
            layout: object(words[(at + abi.BindGroupDescriptor.layout) >> 2]), entries}, parts];
    };

    const readShader = (at) => {
        let code = '';
        for (let link = memory.words[at >> 2]; link !== 0; link = memory.words[link >> 2]) {
            if (memory.words[(link + abi.ChainedStruct.sType) >> 2] === abi.SType.ShaderSourceWGSL)
                code = memory.string(link + abi.ShaderSourceWGSL.code);
        }
        return {label: memory.string(at + abi.ShaderModuleDescriptor.label), code};
    };

    const writeLimits = (device, at) => {
        memory.refresh();
        for (const [member, offset, isWide] of abi.limitMembers) {
            const value = device.limits[member] ?? 0;
            memory.words[(at + offset) >> 2] = isWide ? value % 0x100000000 : Math.min(value, 0xFFFFFFFF);
            if (isWide)
                memory.words[(at + offset + 4) >> 2] = value / 0x100000000;
        }
        return abi.Status.Success;
    };

    const writeInfo = (info, at) => {
        const strings = ['vendor', 'architecture', 'device', 'description'].map(
            (member) => [abi.AdapterInfo[member], ...memory.copyText(info?.[member] ?? '')]);
        memory.refresh();
        memory.bytes.fill(0, at, at + abi.AdapterInfo.bytes);
        for (const [offset, text, length] of strings) {
            memory.words[(at + offset) >> 2] = text;
            memory.words[(at + offset + 4) >> 2] = length;
        }
        memory.words[(at + abi.AdapterInfo.backendType) >> 2] = abi.BackendType.WebGPU;
        memory.words[(at + abi.AdapterInfo.adapterType) >> 2] = abi.AdapterType.Unknown;
        memory.words[(at + abi.AdapterInfo.subgroupMinSize) >> 2] = info?.subgroupMinSize ?? 0;
        memory.words[(at + abi.AdapterInfo.subgroupMaxSize) >> 2] = info?.subgroupMaxSize ?? 0;
        return abi.Status.Success;
    };

    const setBindGroup = (pass, index, group, count, offsets) => {
        if (count === 0) {
            object(pass).setBindGroup(index, object(group) ?? null);
            return;
        }
        memory.refresh();
        object(pass).setBindGroup(index, object(group) ?? null, memory.words, offsets >>> 2, count);
    };

    const pushScope = (device, filter) => {
        const entry = handles.entry(device);
        entry.scopes.push({hasMade: false});
        entry.object.pushErrorScope(filter);
    };

    // The promise of the scope, and the future behind which the answer is early enough, or null: submissions complete when
    // the GPU is done, and nothing else waits for a scope in which nothing was made.
    const popScope = (device) => {
        const entry = handles.entry(device), scope = entry.scopes.pop();
        return [entry.object.popErrorScope(), scope?.hasMade ?? true ? null : workDone];
    };

    // The device, for a call that makes something.
    const maker = (device) => {
        const entry = handles.entry(device);
        for (const scope of entry.scopes)
            scope.hasMade = true;
        return entry.object;
    };

    const addDevice = (device) => {
        const handle = handles.add(device);
        const entry = handles.entry(handle);
        entry.isLost = false;
        entry.scopes = [];
        entry.lostFuture = futures.next++;
        losses.set(entry.lostFuture, entry);
        device.lost.then(() => {
            entry.isLost = true;
            wake();
        });
        return handle;
    };

    const releaseDevice = (handle) => {
        const entry = handles.release(handle);
        if (entry !== null)
            losses.delete(entry.lostFuture);
    };

    // src/gpu/web/commands.c writes down the commands of render passes, with the number of their words before them.
    // Each has its number, the pass, and the arguments, of which 64 bits are two words.
    const wide = (low, high) => high * 0x100000000 + low;
    const wideOrRest = (low, high) => low === WHOLE_WORD && high === WHOLE_WORD ? undefined : wide(low, high);

    const replayCommands = () => {
        memory.refresh();
        const {words, floats} = memory, end = commands + 1 + words[commands];
        let pass, passHandle = 0;
        words[commands] = 0;
        for (let at = commands + 1; at < end;) {
            const command = words[at];
            if (command === COMMAND_RETAIN_BIND_GROUP || command === COMMAND_RELEASE_BIND_GROUP) {
                if (command === COMMAND_RETAIN_BIND_GROUP)
                    handles.retain(words[at + 1]);
                else
                    handles.release(words[at + 1]);
                at += 2;
                continue;
            }
            if (words[at + 1] !== passHandle) {
                passHandle = words[at + 1];
                pass = object(passHandle);
            }
            switch (command) {
            case COMMAND_DRAW:
                for (let count = words[at + 6]; count > 0; count--)
                    pass.draw(words[at + 2], words[at + 3], words[at + 4], words[at + 5]);
                at += 7;
                break;
            case COMMAND_DRAW_INDEXED:
                pass.drawIndexed(words[at + 2], words[at + 3], words[at + 4], words[at + 5] | 0, words[at + 6]);
                at += 7;
                break;
            case COMMAND_SET_BIND_GROUP: {
                const group = object(words[at + 3]) ?? null, count = words[at + 4];
                if (count === 0)
                    pass.setBindGroup(words[at + 2], group);
                else
                    pass.setBindGroup(words[at + 2], group, words, at + 5, count);
                at += 5 + count;
                break;
            }
            case COMMAND_SET_PIPELINE:
                pass.setPipeline(object(words[at + 2]));
                at += 3;
                break;
            case COMMAND_SET_VERTEX_BUFFER:
                pass.setVertexBuffer(words[at + 2], object(words[at + 3]) ?? null, wide(words[at + 4], words[at + 5]),
                    wideOrRest(words[at + 6], words[at + 7]));
                at += 8;
                break;
            case COMMAND_SET_INDEX_BUFFER:
                pass.setIndexBuffer(object(words[at + 2]), abi.IndexFormatWords[words[at + 3]],
                    wide(words[at + 4], words[at + 5]), wideOrRest(words[at + 6], words[at + 7]));
                at += 8;
                break;
            case COMMAND_SET_VIEWPORT:
                pass.setViewport(floats[at + 2], floats[at + 3], floats[at + 4], floats[at + 5], floats[at + 6], floats[at + 7]);
                at += 8;
                break;
            case COMMAND_SET_SCISSOR_RECT:
                pass.setScissorRect(words[at + 2], words[at + 3], words[at + 4], words[at + 5]);
                at += 6;
                break;
            case COMMAND_SET_STENCIL_REFERENCE:
                pass.setStencilReference(words[at + 2]);
                at += 3;
                break;
            default:
                throw new Error(`there is no command ${command}`);
            }
        }
    };

    const functions = {
    wgpuInstanceAddRef: (instance) => handles.retain(instance),
    wgpuInstanceRelease: (instance) => {
        if (handles.release(instance) !== null)
            futures.cancel();
    },
    wgpuInstanceProcessEvents: () => futures.process(),
    // Does not wait: the library asks with a time limit of 0.
    wgpuInstanceWaitAny: (instance, count, at) => {
        memory.refresh();
        let completed = false;
        for (let i = 0; i < count; i++) {
            const from = at + i * abi.FutureWaitInfo.bytes;
            const id = memory.view.getBigUint64(from + abi.FutureWaitInfo.future, true);
            const loss = losses.get(id);
            if (!(loss !== undefined ? loss.isLost : futures.take(id)))
                continue;
            memory.refresh();
            memory.words[(from + abi.FutureWaitInfo.completed) >> 2] = 1;
            completed = true;
        }
        return completed ? abi.WaitStatus.Success : abi.WaitStatus.TimedOut;
    },
    wgpuAdapterInfoFreeMembers: (at) => {
        for (const member of ['vendor', 'architecture', 'device', 'description']) {
            memory.refresh();
            memory.free(memory.words[(at + abi.AdapterInfo[member]) >> 2]);
        }
    },

    wgpuDeviceAddRef: (device) => handles.retain(device),
    wgpuDeviceRelease: (device) => releaseDevice(device),
    wgpuDeviceDestroy: (device) => object(device).destroy(),
    wgpuDeviceGetAdapterInfo: (device, at) => writeInfo(object(device).adapterInfo, at >>> 0),
    wgpuDeviceGetLimits: (device, at) => writeLimits(object(device), at >>> 0),
    wgpuDeviceHasFeature: (device, feature) => object(device).features.has(abi.FeatureNameWords[feature]) ? 1 : 0,
    wgpuDeviceGetLostFuture: (device) => handles.entry(device).lostFuture,
    wgpuDeviceGetQueue: (device) => handles.add(object(device).queue),
    wgpuDevicePushErrorScope: (device, filter) => pushScope(device, abi.ErrorFilterWords[filter]),
    wgpuDevicePopErrorScope: (device, at) => {
        const status = abi.PopErrorScopeStatus, [promise, before] = popScope(device);
        return future(abi.PopErrorScopeCallbackInfo, at, promise,
            (callback, succeeded, error, first, second) => callback(succeeded ? status.Success : status.Error,
                succeeded ? errorType(error) : abi.ErrorType.Unknown,
                writeMessage(succeeded ? error?.message ?? '' : String(error)), first, second),
            (callback, first, second) => callback(status.CallbackCancelled, abi.ErrorType.Unknown, writeMessage(''),
                first, second), before);
    },
    wgpuDeviceCreateBindGroup: (device, at) => {
        memory.refresh();
        const [descriptor, parts] = readBindGroup(at >>> 0);
        return handles.add(object(device).createBindGroup(descriptor), parts);
    },
    wgpuDeviceCreateBindGroupLayout: (device, at) =>
        handles.add(object(device).createBindGroupLayout(read(abi.readBindGroupLayoutDescriptor, at))),
    wgpuDeviceCreateBuffer: (device, at) => {
        try {
            return handles.add(maker(device).createBuffer(read(abi.readBufferDescriptor, at)));
        } catch (error) {
            if (error instanceof RangeError) // no memory for a buffer that is mapped at its creation
                return 0;
            throw error;
        }
    },
    wgpuDeviceCreateCommandEncoder: (device, at) => {
        const handle = handles.addPassing(
            object(device).createCommandEncoder(read(abi.readCommandEncoderDescriptor, at)));
        handles.entry(handle).recording = true;
        handles.startRecording();
        return handle;
    },
    wgpuDeviceCreateComputePipeline: (device, at) =>
        handles.add(maker(device).createComputePipeline(read(abi.readComputePipelineDescriptor, at))),
    wgpuDeviceCreateComputePipelineAsync: (device, at, info) =>
        pipelineFuture(abi.CreateComputePipelineAsyncCallbackInfo, info,
            maker(device).createComputePipelineAsync(read(abi.readComputePipelineDescriptor, at))),
    wgpuDeviceCreatePipelineLayout: (device, at) =>
        handles.add(object(device).createPipelineLayout(read(abi.readPipelineLayoutDescriptor, at))),
    wgpuDeviceCreateQuerySet: (device, at) =>
        handles.add(maker(device).createQuerySet(read(abi.readQuerySetDescriptor, at))),
    wgpuDeviceCreateRenderPipeline: (device, at) =>
        handles.add(maker(device).createRenderPipeline(read(abi.readRenderPipelineDescriptor, at))),
    wgpuDeviceCreateRenderPipelineAsync: (device, at, info) =>
        pipelineFuture(abi.CreateRenderPipelineAsyncCallbackInfo, info,
            maker(device).createRenderPipelineAsync(read(abi.readRenderPipelineDescriptor, at))),
    wgpuDeviceCreateSampler: (device, at) =>
        handles.add(object(device).createSampler(read(abi.readSamplerDescriptor, at))),
    wgpuDeviceCreateShaderModule: (device, at) => {
        memory.refresh();
        return handles.add(maker(device).createShaderModule(readShader(at >>> 0)));
    },
    wgpuDeviceCreateTexture: (device, at) =>
        handles.add(maker(device).createTexture(read(abi.readTextureDescriptor, at))),

    wgpuQueueRelease: (queue) => handles.release(queue),
    wgpuQueueSubmit: (queue, count, at) => {
        memory.refresh();
        const buffers = [];
        for (let i = 0; i < count; i++)
            buffers.push(handles.entry(memory.words[(at >>> 2) + i]));
        object(queue).submit(buffers.map((entry) => entry.object));
        for (const entry of buffers) {
            if (entry.recording)
                handles.endRecording();
            entry.recording = false;
        }
    },
    wgpuQueueOnSubmittedWorkDone: (queue, at) => {
        const status = abi.QueueWorkDoneStatus;
        workDone = future(abi.QueueWorkDoneCallbackInfo, at, object(queue).onSubmittedWorkDone(),
            (callback, succeeded, _, first, second) =>
                callback(succeeded ? status.Success : status.Error, writeMessage(''), first, second),
            (callback, first, second) => callback(status.CallbackCancelled, writeMessage(''), first, second));
        return workDone;
    },
    wgpuQueueWriteBuffer: (queue, buffer, offset, at, size) => {
        memory.refresh();
        object(queue).writeBuffer(object(buffer), unsigned(offset), memory.bytes, at >>> 0, size >>> 0);
    },
    wgpuQueueWriteTexture: (queue, to, at, size, layout, extent) => {
        memory.refresh();
        object(queue).writeTexture(read(abi.readTexelCopyTextureInfo, to),
            memory.bytes.subarray(at >>> 0, (at >>> 0) + (size >>> 0)), read(abi.readTexelCopyBufferLayout, layout),
            read(abi.readExtent3D, extent));
    },

    wgpuBufferGetConstMappedRange: (buffer, offset, size) => mappedRange(buffer, offset, size, false),
    wgpuBufferGetMappedRange: (buffer, offset, size) => mappedRange(buffer, offset, size, true),
    wgpuBufferGetSize: (buffer) => BigInt(object(buffer).size),
    wgpuBufferMapAsync: (buffer, mode, offset, size, at) => {
        const status = abi.MapAsyncStatus;
        const promise = object(buffer).mapAsync(unsigned(mode), offset >>> 0,
            (size >>> 0) === WHOLE_MAP_SIZE ? undefined : size >>> 0);
        return future(abi.BufferMapCallbackInfo, at, promise,
            (callback, succeeded, error, first, second) => callback(succeeded ? status.Success : status.Aborted,
                writeMessage(succeeded ? '' : String(error)), first, second),
            (callback, first, second) => callback(status.CallbackCancelled, writeMessage(''), first, second));
    },
    wgpuBufferUnmap: (buffer) => unmap(buffer),
    wgpuBufferAddRef: (buffer) => handles.retain(buffer),
    wgpuBufferRelease: (buffer) => {
        const entry = handles.release(buffer);
        if (entry !== null)
            unmapped(entry);
    },

    wgpuTextureCreateView: (texture, at) => {
        const entry = handles.entry(texture);
        return handles.add(entry.object.createView(read(abi.readTextureViewDescriptor, at)), [entry]);
    },
    wgpuTextureRelease: (texture) => handles.release(texture),
    wgpuTextureViewRelease: (view) => handles.release(view),
    wgpuSamplerRelease: (sampler) => handles.release(sampler),
    wgpuQuerySetRelease: (set) => handles.release(set),
    wgpuBindGroupLayoutRelease: (layout) => handles.release(layout),
    wgpuPipelineLayoutRelease: (layout) => handles.release(layout),
    wgpuShaderModuleRelease: (module) => handles.release(module),
    wgpuComputePipelineGetBindGroupLayout: (pipeline, index) =>
        handles.add(object(pipeline).getBindGroupLayout(index)),
    wgpuComputePipelineRelease: (pipeline) => handles.release(pipeline),
    wgpuRenderPipelineGetBindGroupLayout: (pipeline, index) =>
        handles.add(object(pipeline).getBindGroupLayout(index)),
    wgpuRenderPipelineRelease: (pipeline) => handles.release(pipeline),

    wgpuCommandEncoderBeginComputePass: (encoder, at) =>
        handles.addPassing(object(encoder).beginComputePass(read(abi.readComputePassDescriptor, at))),
    wgpuCommandEncoderBeginRenderPass: (encoder, at) =>
        handles.addPassing(object(encoder).beginRenderPass(read(abi.readRenderPassDescriptor, at))),
    wgpuCommandEncoderClearBuffer: (encoder, buffer, offset, size) =>
        object(encoder).clearBuffer(object(buffer), unsigned(offset), sizeOrRest(size)),
    wgpuCommandEncoderCopyBufferToBuffer: (encoder, from, fromOffset, to, toOffset, size) =>
        object(encoder).copyBufferToBuffer(object(from), unsigned(fromOffset), object(to), unsigned(toOffset),
            sizeOrRest(size)),
    wgpuCommandEncoderCopyBufferToTexture: (encoder, from, to, size) =>
        object(encoder).copyBufferToTexture(read(abi.readTexelCopyBufferInfo, from),
            read(abi.readTexelCopyTextureInfo, to), read(abi.readExtent3D, size)),
    wgpuCommandEncoderCopyTextureToBuffer: (encoder, from, to, size) =>
        object(encoder).copyTextureToBuffer(read(abi.readTexelCopyTextureInfo, from),
            read(abi.readTexelCopyBufferInfo, to), read(abi.readExtent3D, size)),
    wgpuCommandEncoderCopyTextureToTexture: (encoder, from, to, size) =>
        object(encoder).copyTextureToTexture(read(abi.readTexelCopyTextureInfo, from),
            read(abi.readTexelCopyTextureInfo, to), read(abi.readExtent3D, size)),
    // The command buffer is being recorded until it is submitted, as the encoder was.
    wgpuCommandEncoderFinish: (encoder, at) => {
        const handle = handles.addPassing(object(encoder).finish(read(abi.readCommandBufferDescriptor, at)));
        handles.entry(handle).recording = true;
        handles.entry(encoder).recording = false;
        return handle;
    },
    wgpuCommandEncoderInsertDebugMarker: (encoder, at) => {
        memory.refresh();
        object(encoder).insertDebugMarker(memory.string(at >>> 0) ?? '');
    },
    wgpuCommandEncoderResolveQuerySet: (encoder, set, first, count, buffer, offset) =>
        object(encoder).resolveQuerySet(object(set), first, count, object(buffer), unsigned(offset)),
    wgpuCommandEncoderRelease: (encoder) => releaseRecording(encoder),
    wgpuCommandBufferRelease: (buffer) => releaseRecording(buffer),

    wgpuComputePassEncoderDispatchWorkgroups: (pass, x, y, z) =>
        object(pass).dispatchWorkgroups(x >>> 0, y >>> 0, z >>> 0),
    wgpuComputePassEncoderDispatchWorkgroupsIndirect: (pass, buffer, offset) =>
        object(pass).dispatchWorkgroupsIndirect(object(buffer), unsigned(offset)),
    wgpuComputePassEncoderEnd: (pass) => object(pass).end(),
    wgpuComputePassEncoderSetBindGroup: (pass, index, group, count, offsets) =>
        setBindGroup(pass, index, group, count, offsets),
    wgpuComputePassEncoderSetPipeline: (pass, pipeline) => object(pass).setPipeline(object(pipeline)),
    wgpuComputePassEncoderRelease: (pass) => handles.release(pass),

    wgpuRenderPassEncoderBeginOcclusionQuery: (pass, index) => object(pass).beginOcclusionQuery(index),
    wgpuRenderPassEncoderEndOcclusionQuery: (pass) => object(pass).endOcclusionQuery(),
    wgpuRenderPassEncoderDrawIndexedIndirect: (pass, buffer, offset) =>
        object(pass).drawIndexedIndirect(object(buffer), unsigned(offset)),
    wgpuRenderPassEncoderDrawIndirect: (pass, buffer, offset) =>
        object(pass).drawIndirect(object(buffer), unsigned(offset)),
    wgpuRenderPassEncoderEnd: (pass) => object(pass).end(),
    wgpuRenderPassEncoderSetBlendConstant: (pass, at) => object(pass).setBlendConstant(read(abi.readColor, at)),
    wgpuRenderPassEncoderRelease: (pass) => handles.release(pass),
    };

    // In the order of the library's calls. None has more values; an array of them would be made for each call.
    for (const [name, call] of Object.entries(functions)) {
        functions[name] = (a, b, c, d, e, f) => {
            if (memory.words[commands] !== 0)
                replayCommands();
            return call(a, b, c, d, e, f);
        };
    }

    return {
        functions: {...functions, replayCommands},
        memory,
        handles,
        addDevice,
        addInstance: () => handles.add({}),
        releaseInstance: (handle) => handles.release(handle),
        releaseDevice,
        attach(exports) {
            memory.attach(exports);
            table = exports.__indirect_function_table;
            commands = exports.gpu_commands() >>> 2;
        },
        get pending() {
            return futures.pending.size;
        },
    };
}
