// SPDX-License-Identifier: MIT
//
// A guest driver in JavaScript: a ring in guest memory, submissions, fences.

import {constants as abi} from 'aerogpu/abi';

const RING = 0x1000, ENTRIES = 64, STRIDE = 64, RING_HEADER = 64;
const FENCE_PAGE = 0x8000, STREAMS = 0x10000;
export const MEMORY_BYTES = 1 << 20;

export class Guest {
    // Two streams of `streamRoom` bytes fit behind the ring.
    constructor(memory = new Uint8Array(MEMORY_BYTES), streamRoom = 0x40000) {
        this.memory = memory;
        this.streamRoom = streamRoom;
        this.words = new Uint32Array(memory.buffer);
        this.device = null;
    }

    // Writes the ring and tells the device where it is; also what a driver does to reset the device.
    start() {
        const ring = RING >> 2;
        this.words.fill(0, ring, ring + RING_HEADER / 4);
        this.words.set([abi.AEROGPU_RING_MAGIC, abi.AEROGPU_ABI_VERSION_U32, RING_HEADER + ENTRIES * STRIDE, ENTRIES,
            STRIDE], ring);
        this.tail = 0;
        this.fence = 0;
        this.stream = 0;
        this.write('RING_CONTROL', abi.AEROGPU_RING_CONTROL_RESET);
        this.write('RING_GPA_LO', RING);
        this.write('RING_SIZE_BYTES', RING_HEADER + ENTRIES * STRIDE);
        this.write('FENCE_GPA_LO', FENCE_PAGE);
        this.write('IRQ_ENABLE', abi.AEROGPU_IRQ_FENCE);
        this.write('RING_CONTROL', abi.AEROGPU_RING_CONTROL_ENABLE);
    }

    write(register, value) {
        this.device.mmioWrite(abi[`AEROGPU_MMIO_REG_${register}`], 4, value);
    }

    read(register) {
        return this.device.mmioRead(abi[`AEROGPU_MMIO_REG_${register}`]);
    }

    submit(stream) {
        if (stream.length > this.streamRoom)
            throw new RangeError('the stream is longer than its place');
        const at = STREAMS + (this.stream++ % 2) * this.streamRoom;
        this.memory.set(stream, at);
        const slot = (RING + RING_HEADER + (this.tail % ENTRIES) * STRIDE) >> 2;
        this.words.fill(0, slot, slot + STRIDE / 4);
        this.words.set([STRIDE, abi.AEROGPU_SUBMIT_FLAG_PRESENT, 1, 0, at, 0, stream.length], slot);
        this.words[slot + 12] = ++this.fence;
        this.words[(RING + 28) >> 2] = ++this.tail;
        this.device.mmioWrite(abi.AEROGPU_MMIO_REG_DOORBELL, 4, 1);
        return this.fence;
    }

    get completed() {
        return this.words[(FENCE_PAGE + 8) >> 2];
    }

    // Waits as a guest does: the device does its work meanwhile without being asked.
    async wait(fence, milliseconds = 20000) {
        const end = performance.now() + milliseconds;
        while (this.completed < fence) {
            if (performance.now() > end)
                throw new Error(`fence ${fence} was not reached`);
            await new Promise((resolve) => setTimeout(resolve, 1));
        }
    }
}
