// SPDX-License-Identifier: MIT
//
// The device: registers are written by messages, memory is shared, and interrupts are counted in a word of it.

import {create, deviceDescriptor, load} from '../aerogpu.js';
import {INTERRUPTS_WORD} from './layout.js';

load();

onmessage = async ({data: {memory, canvas, registers}}) => {
    const adapter = await navigator.gpu.requestAdapter();
    if (adapter === null) {
        postMessage({problem: 'WebGPU has no adapter here.'});
        return;
    }
    const words = new Int32Array(memory);
    const gpu = await create({
        device: await adapter.requestDevice(deviceDescriptor(adapter)),
        memory: new Uint8Array(memory),
        irq: (asserted) => {
            if (!asserted)
                return;
            Atomics.add(words, INTERRUPTS_WORD, 1);
            Atomics.notify(words, INTERRUPTS_WORD);
        },
        canvas,
        diagnostic: ({severity, message}) => severity === 'error' && postMessage({problem: message}),
    });
    registers.onmessage = ({data: [offset, value]}) => gpu.mmioWrite(offset, 4, value);
    postMessage({isReady: true});
};
