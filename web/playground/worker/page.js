// SPDX-License-Identifier: MIT
//
// Starts both workers and gives them what they share.

const MEMORY_BYTES = 4 << 20;
const $ = (id) => document.getElementById(id);

function missing(text) {
    $('missing').hidden = false;
    $('missing').textContent = text;
    $('status').textContent = 'Not started';
}

function start() {
    const memory = new SharedArrayBuffer(MEMORY_BYTES);
    const device = new Worker(new URL('device.js', import.meta.url), {type: 'module'});
    const guest = new Worker(new URL('guest.js', import.meta.url), {type: 'module'});
    const {port1, port2} = new MessageChannel();
    const canvas = $('picture').transferControlToOffscreen();
    for (const worker of [device, guest])
        worker.onerror = ({message}) => missing(message);
    device.onmessage = ({data}) => {
        if (data.isReady)
            guest.postMessage({memory, registers: port2}, [port2]);
        else
            missing(data.problem);
    };
    guest.onmessage = ({data: {frames, seconds}}) => {
        document.body.dataset.frames = frames;
        $('status').textContent = `${frames} frames, ${(frames / seconds).toFixed(0)} a second`;
    };
    device.postMessage({memory, canvas, registers: port1}, [canvas, port1]);
    $('stop').onclick = () => {
        guest.terminate();
        device.terminate();
        $('stop').disabled = true;
    };
}

if (!globalThis.crossOriginIsolated)
    missing('Workers may share memory only where the server sends Cross-Origin-Opener-Policy: same-origin and ' +
        'Cross-Origin-Embedder-Policy: require-corp, as script/demo --web does.');
else if (navigator.gpu === undefined)
    missing('This browser has no WebGPU.');
else
    start();
