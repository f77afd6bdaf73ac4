// SPDX-License-Identifier: MIT
//
// The device in a worker, guest memory shared with whoever runs the guest, a canvas of the page. Workers have no
// import maps: the package is imported by its address, and through guest.js by that of the page's map.

import {create, deviceDescriptor} from '/node_modules/aerogpu/aerogpu.js';
import {PacketWriter, constants as abi} from '/node_modules/aerogpu/abi.js';

onmessage = async ({data: {canvas}}) => {
    const adapter = await navigator.gpu.requestAdapter();
    const memory = new Uint8Array(new SharedArrayBuffer(1 << 20)), words = new Uint32Array(memory.buffer);
    const device = await create({memory, device: await adapter.requestDevice(deviceDescriptor(adapter)),
        present: (image) => {
            canvas.width = image.width;
            canvas.height = image.height;
            canvas.getContext('2d').putImageData(image, 0, 0);
        }});
    const stream = new PacketWriter().add('CREATE_TEXTURE2D', {texture_handle: 1, width: 8, height: 8, mip_levels: 1,
        array_layers: 1, format: abi.AEROGPU_FORMAT_R8G8B8A8_UNORM,
        usage_flags: abi.AEROGPU_RESOURCE_USAGE_RENDER_TARGET})
        .add('SET_RENDER_TARGETS', {color_count: 1, colors: [1]})
        .add('CLEAR', {flags: abi.AEROGPU_CLEAR_COLOR, color_rgba_f32: [0, 1, 1, 1]}).add('PRESENT').finish();
    memory.set(stream, 0x10000);
    words.set([abi.AEROGPU_RING_MAGIC, abi.AEROGPU_ABI_VERSION_U32, 128, 1, 64, 0, 0, 1], 0x1000 / 4);
    words.set([64, abi.AEROGPU_SUBMIT_FLAG_PRESENT, 1, 0, 0x10000, 0, stream.length, 0, 0, 0, 0, 0, 1], 0x1040 / 4);
    for (const [register, value] of [['RING_GPA_LO', 0x1000], ['RING_SIZE_BYTES', 128], ['FENCE_GPA_LO', 0x8000],
        ['RING_CONTROL', abi.AEROGPU_RING_CONTROL_ENABLE], ['DOORBELL', 1]])
        device.mmioWrite(abi[`AEROGPU_MMIO_REG_${register}`], 4, value);
    while (Atomics.load(words, 0x8008 / 4) === 0)
        await new Promise((resolve) => setTimeout(resolve, 1));
    postMessage([...canvas.getContext('2d').getImageData(7, 7, 1, 1).data]);
    device.destroy();
};
