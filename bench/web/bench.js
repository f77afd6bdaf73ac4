// SPDX-License-Identifier: MIT
//
// Draws each row both ways on one device, in turn, and compares the time that the page's thread takes.

import {create, deviceDescriptor} from 'aerogpu';
import {Guest} from 'aerogpu/guest';
import {DirectFrames} from './direct.js';
import {ROWS} from './frame.js';
import {frameStream, presentStream, setUpStream} from './streams.js';

const WARM_UP = 3;
const GUEST_BYTES = 8 << 20, STREAM_ROOM = 2 << 20;

function timed(work) {
    const start = performance.now();
    work();
    return performance.now() - start;
}

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

class StreamFrames {
    async open(device) {
        this.guest = new Guest(new Uint8Array(GUEST_BYTES), STREAM_ROOM);
        this.guest.device = await create({device, memory: this.guest.memory, wake: () => this.wake(),
            present: (image) => this.image = image,
            diagnostic: ({code, message}) => {
                throw new Error(`${code}: ${message}`);
            }});
        this.guest.start();
        await this.run(await setUpStream());
    }

    wake() {
        this.woken?.();
    }

    // The milliseconds that the device took of this thread, which polls when it is woken.
    async run(stream) {
        let fence, taken = timed(() => fence = this.guest.submit(stream));
        while (this.guest.completed < fence) {
            await new Promise((resolve) => this.woken = resolve);
            taken += timed(() => this.guest.device.poll());
        }
        return taken;
    }

    async picture() {
        await this.run(presentStream());
        return this.image.data;
    }
}

globalThis.runBench = async (frames) => {
    const adapter = await navigator.gpu.requestAdapter();
    const device = await adapter.requestDevice(deviceDescriptor(adapter));
    const streams = new StreamFrames(), direct = new DirectFrames(device);
    await streams.open(device);
    const rows = [];
    for (const row of ROWS) {
        const stream = frameStream(row), ours = [], raw = [];
        for (let i = 0; i < frames + WARM_UP; i++) {
            ours.push(await streams.run(stream));
            raw.push(timed(() => direct.draw(row)));
            await device.queue.onSubmittedWorkDone();
        }
        const [a, b] = [await streams.picture(), await direct.picture()];
        rows.push({row: row.name, what: row.what, ours_ms: median(ours.slice(WARM_UP)), raw_ms: median(raw.slice(WARM_UP)),
            same: a.length === b.length && a.every((value, i) => value === b[i])});
    }
    return rows;
};
