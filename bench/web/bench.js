// SPDX-License-Identifier: MIT
//
// Draws each row both ways on one device. What draws takes the time of this page's thread, which run.mjs reads.

import {create, deviceDescriptor} from 'aerogpu';
import {Guest} from 'aerogpu/guest';
import {DirectFrames} from './direct.js';
import {ROWS} from './frame.js';
import {frameStream, presentStream, setUpStream} from './streams.js';

const GUEST_BYTES = 8 << 20, STREAM_ROOM = 2 << 20;

class StreamFrames {
    async open(device) {
        this.guest = new Guest(new Uint8Array(GUEST_BYTES), STREAM_ROOM);
        this.guest.device = await create({device, memory: this.guest.memory, wake: () => this.wake(),
            present: (image) => this.image = image,
            diagnostic: ({code, message}) => {
                throw new Error(`${code}: ${message}`);
            }});
        this.guest.start();
        this.streams = new Map(ROWS.map((row) => [row, frameStream(row)]));
        await this.run(await setUpStream());
    }

    wake() {
        this.woken?.();
    }

    // The device polls when it is woken. The fence is reached when the GPU has drawn.
    async run(stream) {
        const fence = this.guest.submit(stream);
        while (this.guest.completed < fence) {
            await new Promise((resolve) => this.woken = resolve);
            this.guest.device.poll();
        }
    }

    draw(row) {
        return this.run(this.streams.get(row));
    }

    async picture() {
        await this.run(presentStream());
        return this.image.data;
    }
}

const ways = {};

// Frames are submitted in one piece in both ways, as on a GPU: where the library knows that a device is software, it
// submits a few hundred draws at a time, so that others get their turn.
globalThis.openBench = async () => {
    const adapter = await navigator.gpu.requestAdapter();
    const device = await adapter.requestDevice(deviceDescriptor(adapter));
    Object.defineProperty(device, 'adapterInfo', {value: {vendor: '', architecture: '', device: '', description: ''}});
    Object.assign(ways, {ours: new StreamFrames(), raw: new DirectFrames(device)});
    await ways.ours.open(device);
    return ROWS.map(({name, what}) => ({row: name, what}));
};

globalThis.runFrames = async (way, number, frames) => {
    for (let i = 0; i < frames; i++)
        await ways[way].draw(ROWS[number]);
};

// Whether both ways drew the same.
globalThis.samePictures = async () => {
    const [a, b] = [await ways.ours.picture(), await ways.raw.picture()];
    return a.length === b.length && a.every((value, i) => value === b[i]);
};
