// SPDX-License-Identifier: MIT
import {create, deviceDescriptor} from 'aerogpu';
import {PacketWriter, constants as abi} from 'aerogpu/abi';
import {Guest} from './guest.js';

export async function showRed(canvas) {
    const guest = new Guest(), adapter = await navigator.gpu.requestAdapter();
    const picture = new Promise((resolve) => guest.present = resolve);
    guest.device = await create({memory: guest.memory, present: guest.present,
        device: await adapter.requestDevice(deviceDescriptor(adapter))});
    guest.start();
    guest.submit(new PacketWriter().add('CREATE_TEXTURE2D', {texture_handle: 1, width: 64, height: 32, mip_levels: 1,
        array_layers: 1, format: abi.AEROGPU_FORMAT_R8G8B8A8_UNORM, usage_flags: abi.AEROGPU_RESOURCE_USAGE_RENDER_TARGET})
        .add('SET_RENDER_TARGETS', {color_count: 1, colors: [1]})
        .add('CLEAR', {flags: abi.AEROGPU_CLEAR_COLOR, color_rgba_f32: [1, 0, 0, 1]}).add('PRESENT').finish());
    canvas.getContext('2d').putImageData(await picture, 0, 0);
    guest.device.destroy();
}
