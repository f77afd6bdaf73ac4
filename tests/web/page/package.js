// SPDX-License-Identifier: MIT
//
// What the package promises, as programs of pages. Each function returns what tests/web/package.mjs compares.

import {create, deviceDescriptor, load, openCache} from 'aerogpu';
import {PacketWriter, constants as abi, packets, readPackets, semanticHash} from 'aerogpu/abi';
import {showRed} from './dozen.js';
import {Guest} from './guest.js';

const WIDTH = 64, HEIGHT = 32, SCANOUT = 0xA0000, CURSOR = 0xC0000;

async function gpuDevice() {
    const adapter = await navigator.gpu.requestAdapter();
    return adapter.requestDevice(deviceDescriptor(adapter));
}

async function machine(options = {}) {
    const guest = new Guest();
    guest.diagnostics = [];
    guest.interrupts = 0;
    guest.pictures = [];
    guest.device = await create({
        device: await gpuDevice(),
        memory: guest.memory,
        irq: (asserted) => guest.interrupts += asserted ? 1 : 0,
        present: (image) => guest.pictures.push(image),
        diagnostic: (diagnostic) => guest.diagnostics.push(diagnostic.code),
        ...options,
    });
    guest.start();
    return guest;
}

const target = {texture_handle: 1, width: WIDTH, height: HEIGHT, mip_levels: 1, array_layers: 1,
    format: abi.AEROGPU_FORMAT_R8G8B8A8_UNORM, usage_flags: abi.AEROGPU_RESOURCE_USAGE_RENDER_TARGET};

const setUp = (writer) => writer.add('CREATE_TEXTURE2D', target)
    .add('SET_RENDER_TARGETS', {color_count: 1, colors: [1]});

const frame = (writer, color) =>
    writer.add('CLEAR', {flags: abi.AEROGPU_CLEAR_COLOR, color_rgba_f32: color}).add('PRESENT');

const firstPixel = (image) => [...image.data.subarray(0, 4)];

const handlesOfDevice = 3; // what an idle device holds: instance, device, queue

const programs = {
    async dozenLines() {
        const canvas = document.getElementById('canvas');
        await showRed(canvas);
        return [...canvas.getContext('2d').getImageData(63, 31, 1, 1).data];
    },

    async presents() {
        const guest = await machine();
        await guest.wait(guest.submit(frame(setUp(new PacketWriter()), [0, 1, 0, 1]).finish()));
        const {width, height} = guest.pictures[0];
        guest.device.destroy();
        return {pixel: firstPixel(guest.pictures[0]), width, height, interrupts: guest.interrupts,
            diagnostics: guest.diagnostics};
    },

    async memoryByFunctions() {
        const guest = new Guest();
        let reads = 0, writes = 0;
        const fits = (gpa, bytes) => gpa + bytes.length <= guest.memory.length;
        guest.device = await create({device: await gpuDevice(), memory: {
            read(gpa, to) {
                reads++;
                if (fits(gpa, to))
                    to.set(guest.memory.subarray(gpa, gpa + to.length));
                return fits(gpa, to);
            },
            write(gpa, from) {
                writes++;
                if (fits(gpa, from))
                    guest.memory.set(from, gpa);
                return fits(gpa, from);
            },
        }});
        guest.start();
        await guest.wait(guest.submit(frame(setUp(new PacketWriter()), [0, 1, 0, 1]).finish()));
        guest.device.destroy();
        return {read: reads > 0, written: writes > 0};
    },

    async scanoutAndCursor() {
        const guest = await machine();
        const set = (register, value) => guest.write(register, value);
        set('SCANOUT0_WIDTH', WIDTH);
        set('SCANOUT0_HEIGHT', HEIGHT);
        set('SCANOUT0_FORMAT', abi.AEROGPU_FORMAT_R8G8B8A8_UNORM);
        set('SCANOUT0_PITCH_BYTES', WIDTH * 4);
        set('SCANOUT0_FB_GPA_LO', SCANOUT);
        set('SCANOUT0_FB_GPA_HI', 0); // makes the address whole
        set('SCANOUT0_ENABLE', 1);
        await guest.wait(guest.submit(frame(setUp(new PacketWriter()), [0, 0, 1, 1]).finish()));
        guest.words.fill(0xFF00FFFF, CURSOR >> 2, (CURSOR >> 2) + 4); // R8G8B8A8: yellow
        for (const [register, value] of [['X', 10], ['Y', 5], ['HOT_X', 0], ['HOT_Y', 0], ['WIDTH', 2], ['HEIGHT', 2],
            ['FORMAT', abi.AEROGPU_FORMAT_R8G8B8A8_UNORM], ['FB_GPA_LO', CURSOR], ['FB_GPA_HI', 0], ['PITCH_BYTES', 8], ['ENABLE', 1]])
            set(`CURSOR_${register}`, value);
        const canvas = new OffscreenCanvas(1, 1);
        const drawn = guest.device.draw(canvas);
        const context = canvas.getContext('2d');
        const result = {drawn, size: [canvas.width, canvas.height],
            background: [...context.getImageData(0, 0, 1, 1).data], cursor: [...context.getImageData(11, 6, 1, 1).data],
            beside: [...context.getImageData(12, 6, 1, 1).data],
            diagnostics: guest.diagnostics};
        guest.device.destroy();
        return result;
    },

    async registersAndVRAM() {
        const guest = await machine({decodeOff: true});
        const vendor = guest.device.configRead(0, 4);
        const off = guest.read('MAGIC');
        guest.device.configWrite(4, 2, 6);
        const bytes = Uint8Array.of(1, 2, 3, 4), back = new Uint8Array(4);
        const written = guest.device.vramWrite(8, bytes), read = guest.device.vramRead(8, back);
        const past = guest.device.vramRead(abi.AEROGPU_PCI_BAR1_SIZE_BYTES, new Uint8Array(4));
        const result = {vendor, off, on: guest.read('MAGIC') === abi.AEROGPU_MMIO_MAGIC, written, read,
            past, kept: [...back]};
        guest.device.destroy();
        return result;
    },

    // A page that polls itself hears when there is something to poll for.
    async wakesThePage() {
        let wakes = 0;
        const guest = await machine({wake: () => wakes++});
        const fence = guest.submit(frame(setUp(new PacketWriter()), [1, 1, 1, 1]).finish());
        let polls = 0;
        for (let seen = 0; guest.completed < fence && polls < 1000; polls++) {
            while (wakes === seen)
                await new Promise((resolve) => setTimeout(resolve, 1));
            seen = wakes;
            guest.device.poll();
        }
        guest.device.destroy();
        return {completed: guest.completed === fence, woken: wakes > 0};
    },

    // Timers are late, as browsers make them in nested turns and in pages that nobody sees. The guest's turns, which
    // are those of a channel, come more often.
    async servesABusyGuest() {
        const guest = await machine(), channel = new MessageChannel(), end = performance.now() + 20000;
        const setTimer = globalThis.setTimeout;
        globalThis.setTimeout = (call, delay) => setTimer(call, Math.max(delay, 20));
        const fence = guest.submit(frame(setUp(new PacketWriter()), [1, 1, 1, 1]).finish());
        while (guest.completed < fence && performance.now() < end) {
            guest.write('IRQ_ACK', 0);
            await new Promise((resolve) => {
                channel.port1.onmessage = resolve;
                channel.port2.postMessage(0);
            });
        }
        globalThis.setTimeout = setTimer;
        channel.port1.close();
        const result = guest.completed === fence;
        guest.device.destroy();
        return result;
    },

    // Nothing waits for the GPU: the page goes on, and the answers that come later find nobody.
    async destroysWithWorkInFlight() {
        const results = [];
        for (let times = 0; times < 3; times++) {
            const guest = await machine();
            for (let i = 0; i < 10; i++)
                guest.submit(i === 0 ? frame(setUp(new PacketWriter()), [1, 0, 0, 1]).finish() :
                    frame(new PacketWriter(), [i / 10, 0, 0, 1]).finish());
            const before = performance.now();
            guest.device.destroy();
            results.push({handles: guest.device.statistics.handles, pending: guest.device.statistics.pending,
                quick: performance.now() - before < 5000});
        }
        await new Promise((resolve) => setTimeout(resolve, 500));
        return results;
    },

    async losesItsDevice() {
        const device = await gpuDevice();
        const guest = await machine({device});
        const first = frame(setUp(new PacketWriter()), [1, 0, 0, 1]).finish();
        await guest.wait(guest.submit(first));
        device.destroy();
        await device.lost;
        await guest.wait(guest.submit(frame(new PacketWriter(), [0, 1, 0, 1]).finish()));
        const lost = guest.read('ERROR_CODE') === abi.AEROGPU_ERROR_BACKEND;
        const taken = guest.device.replaceDevice(await gpuDevice());
        guest.start();
        guest.pictures.length = 0;
        guest.diagnostics.length = 0;
        await guest.wait(guest.submit(frame(setUp(new PacketWriter()), [0, 0, 1, 1]).finish()));
        const result = {lost, taken, pixel: firstPixel(guest.pictures[0]), diagnostics: guest.diagnostics};
        guest.device.destroy();
        result.handles = guest.device.statistics.handles;
        return result;
    },

    async thousandFrames() {
        const guest = await machine({present: undefined});
        const numbers = [];
        await guest.wait(guest.submit(setUp(new PacketWriter()).finish()));
        for (let i = 1; i <= 1000; i++) {
            const writer = new PacketWriter();
            writer.add('CREATE_BUFFER', {buffer_handle: 7, size_bytes: 4096,
                usage_flags: abi.AEROGPU_RESOURCE_USAGE_VERTEX_BUFFER});
            writer.add('UPLOAD_RESOURCE', {resource_handle: 7, data: new Uint8Array(4096).fill(i)});
            writer.add('DESTROY_RESOURCE', {resource_handle: 7});
            await guest.wait(guest.submit(frame(writer, [i / 1000, 0, 0, 1]).finish()));
            if (i === 200 || i === 1000)
                numbers.push(guest.device.statistics);
        }
        guest.device.destroy();
        const [early, late] = numbers;
        return {handles: late.handles - early.handles, bytes: late.memoryBytes - early.memoryBytes,
            left: guest.device.statistics.handles, diagnostics: guest.diagnostics};
    },

    // What a frame of clears asks WebGPU for: each answer is a message from another process.
    async asksForLittle() {
        const device = await gpuDevice(), asked = {scopes: 0, signals: 0};
        const count = (object, name, of) => {
            const call = object[name].bind(object);
            object[name] = (...values) => {
                asked[of]++;
                return call(...values);
            };
        };
        count(device, 'popErrorScope', 'scopes');
        count(device.queue, 'onSubmittedWorkDone', 'signals');
        const guest = await machine({device});
        const clear = (color) => guest.wait(guest.submit(new PacketWriter().add('CLEAR',
            {flags: abi.AEROGPU_CLEAR_COLOR, color_rgba_f32: color}).finish()));
        await guest.wait(guest.submit(setUp(new PacketWriter()).finish()));
        await clear([0, 0, 0, 1]);
        Object.assign(asked, {scopes: 0, signals: 0});
        for (let i = 0; i < 8; i++)
            await clear([i / 8, 0, 0, 1]);
        const steady = {...asked};
        asked.scopes = 0;
        await guest.wait(guest.submit(new PacketWriter().add('CREATE_BUFFER', {buffer_handle: 7, size_bytes: 4096,
            usage_flags: abi.AEROGPU_RESOURCE_USAGE_VERTEX_BUFFER}).finish()));
        guest.device.destroy();
        return {steady, making: asked.scopes, diagnostics: guest.diagnostics};
    },

    // Whether a page is woken before the GPU is done: not for the answer that a frame which makes nothing had no errors.
    async wakesForNews() {
        const device = await gpuDevice(), gates = [], answers = [];
        const ask = device.queue.onSubmittedWorkDone.bind(device.queue), pop = device.popErrorScope.bind(device);
        device.queue.onSubmittedWorkDone = () => Promise.all([ask(), new Promise((open) => gates.push(open))]);
        device.popErrorScope = () => {
            answers.push(pop());
            return answers.at(-1);
        };
        let wakes = 0, texture;
        const createTexture = device.createTexture.bind(device);
        device.createTexture = (descriptor) => texture = createTexture(descriptor);
        const guest = await machine({device, wake: () => wakes++});
        const isWokenEarly = async (writer) => {
            wakes = answers.length = 0;
            const fence = guest.submit(writer.finish());
            await Promise.all(answers);
            await new Promise((resolve) => setTimeout(resolve, 20));
            const isWoken = wakes > 0;
            for (; guest.completed < fence; guest.device.poll()) {
                gates.splice(0).forEach((open) => open());
                await new Promise((resolve) => setTimeout(resolve, 1));
            }
            return isWoken;
        };
        const clear = () => new PacketWriter().add('CLEAR', {flags: abi.AEROGPU_CLEAR_COLOR, color_rgba_f32: [0, 0, 0, 1]});
        const made = await isWokenEarly(setUp(new PacketWriter()).add('CLEAR', {flags: abi.AEROGPU_CLEAR_COLOR}));
        const quiet = await isWokenEarly(clear());
        texture.destroy();
        const mistaken = await isWokenEarly(clear());
        guest.device.destroy();
        return {made, quiet, mistaken, diagnostics: guest.diagnostics};
    },

    // What WebGPU finds wrong with a frame that makes nothing belongs to its submission.
    async tellsMistakesOfItsFrames() {
        const device = await gpuDevice(), made = [];
        const createTexture = device.createTexture.bind(device);
        device.createTexture = (descriptor) => {
            made.push(createTexture(descriptor));
            return made.at(-1);
        };
        const guest = await machine({device});
        const clear = () => guest.wait(guest.submit(new PacketWriter().add('CLEAR',
            {flags: abi.AEROGPU_CLEAR_COLOR, color_rgba_f32: [0, 0, 0, 1]}).finish()));
        await guest.wait(guest.submit(setUp(new PacketWriter()).finish()));
        await clear();
        const before = guest.diagnostics.length;
        made.forEach((texture) => texture.destroy());
        await clear();
        const told = [...guest.diagnostics], internal = guest.read('ERROR_CODE') === abi.AEROGPU_ERROR_INTERNAL;
        await guest.wait(guest.submit(new PacketWriter().add('CREATE_BUFFER', {buffer_handle: 7, size_bytes: 4096,
            usage_flags: abi.AEROGPU_RESOURCE_USAGE_VERTEX_BUFFER}).finish()));
        guest.device.destroy();
        return {before, told, internal, after: guest.diagnostics.length};
    },

    async worker() {
        const canvas = document.createElement('canvas');
        document.body.append(canvas);
        const worker = new Worker('worker.js', {type: 'module'});
        const offscreen = canvas.transferControlToOffscreen();
        const answer = new Promise((resolve, reject) => {
            worker.onmessage = ({data}) => resolve(data);
            worker.onerror = (event) => reject(new Error(event.message));
        });
        worker.postMessage({canvas: offscreen}, [offscreen]);
        const result = await answer;
        worker.terminate();
        return result;
    },

    // Every packet of the table comes back as it was written.
    packetsRoundTrip() {
        const wrong = [];
        const number = (field, i) => field.type === 'f32' ? 0.5 + i : field.type === 'u64' ? BigInt(i + 1) : i % 100 + 1;
        const valuesOf = (info, but, from = 0) => Object.fromEntries(info.fields.filter(({name, offset}) =>
            !name.startsWith('reserved') && offset !== but).map((field, i) => [field.name, field.count > 1 ?
            Array.from({length: field.count}, (_, k) => field.nested ? valuesOf(field.nested, -1, k) :
                number(field, from + i + k)) :
            field.nested ? valuesOf(field.nested, -1) : number(field, from + i)]));
        const payloadOf = (payload) => ({bytes: Uint8Array.of(1, 2, 3, 4), any: Uint8Array.of(1, 2, 3, 4),
            text: 'marker', words: [1, 2, 3, 4, 5, 6, 7, 8]})[payload.kind] ??
            [valuesOf(payload.element, -1), valuesOf(payload.element, -1, 3)];
        const plain = (value) => JSON.stringify(value, (name, part) => name.startsWith('reserved') ? undefined :
            typeof part === 'bigint' ? `${part}n` : part instanceof Uint8Array ? [...part] : part);
        for (const packet of packets) {
            const fields = valuesOf(packet.fixed, packet.payload.countOffset ?? -1);
            if (packet.extended !== undefined)
                Object.assign(fields, valuesOf(packet.extended, -1));
            if (packet.payload.kind !== 'none')
                fields[packet.payload.name] = payloadOf(packet.payload);
            const [found] = readPackets(new PacketWriter().add(packet.name, fields).finish());
            for (const [name, value] of Object.entries(fields)) {
                if (found.name !== packet.name || plain(found.fields[name]) !== plain(value))
                    wrong.push(`${packet.name}.${name}: ${plain(value)}, ${plain(found.fields?.[name])}`);
            }
        }
        return {count: packets.length > 60, wrong, hash: semanticHash('a')};
    },

    // Without a way through memory, and encoded as sRGB where the texture is.
    async presentsOnACanvas() {
        const canvas = new OffscreenCanvas(1, 1);
        const guest = await machine({present: undefined, canvas});
        const pixels = [];
        for (const [i, format] of [abi.AEROGPU_FORMAT_R8G8B8A8_UNORM, abi.AEROGPU_FORMAT_B8G8R8X8_UNORM_SRGB,
            abi.AEROGPU_FORMAT_R8G8B8A8_UNORM_SRGB].entries()) {
            const writer = new PacketWriter().add('CREATE_TEXTURE2D', {texture_handle: 10 + i, width: 48, height: 24,
                mip_levels: 1, array_layers: 1, format, usage_flags: abi.AEROGPU_RESOURCE_USAGE_RENDER_TARGET})
                .add('SET_RENDER_TARGETS', {color_count: 1, colors: [10 + i]})
                .add('CLEAR', {flags: abi.AEROGPU_CLEAR_COLOR, color_rgba_f32: [1, 0.5, 0.2, 0]}).add('PRESENT');
            await guest.wait(guest.submit(writer.finish()));
            const copy = new OffscreenCanvas(48, 24).getContext('2d');
            copy.drawImage(canvas.transferToImageBitmap(), 0, 0);
            pixels.push([...copy.getImageData(47, 23, 1, 1).data]);
        }
        guest.device.destroy();
        return {size: [canvas.width, canvas.height], pixels, diagnostics: guest.diagnostics};
    },

    // Translations outlive the device, also when an entry is damaged meanwhile, and where the page keeps them itself.
    async keepsTranslations() {
        const shaders = await Promise.all(['vs_ids.vs_4_0', 'ps_depth_le.ps_5_0'].map(async (name) =>
            new Uint8Array(await (await fetch(`/shaders/${name}.dxbc`)).arrayBuffer())));
        const visit = async (cache) => {
            const guest = await machine({cache});
            const writer = new PacketWriter();
            shaders.forEach((data, stage) => writer.add('CREATE_SHADER_DXBC', {shader_handle: 1 + stage, stage, data}));
            await guest.wait(guest.submit(writer.finish()));
            const {translated, cached} = guest.device.statistics.shaders;
            const written = guest.device.cache?.flush?.();
            guest.device.destroy();
            await written;
            return [translated, cached, ...guest.diagnostics];
        };
        const name = `test-${Math.random()}`;
        const visits = [await visit(undefined), await visit(name), await visit(name)];
        const cache = await openCache(name);
        for (const [key, {bytes}] of [...cache.entries]) {
            bytes[bytes.length >> 1] ^= 1;
            cache.store(key, bytes);
        }
        await cache.close();
        visits.push(await visit(name), await visit(name));
        const small = await openCache(name, 1000);
        const entries = small.entries.size;
        await small.clear();
        await small.close();
        visits.push(await visit(name));
        const own = new Map();
        const store = {load: (key) => own.get(key), store: (key, bytes) => own.set(key, bytes.slice())};
        visits.push(await visit(store), await visit(store));
        return {visits, entries, own: own.size};
    },

    // The module is fetched ahead, and once; what could not be compiled is asked for again.
    async loadsAhead() {
        const fetched = () => performance.getEntriesByType('resource').filter(({name}) => name.endsWith('/aerogpu.wasm')).length;
        const device = await gpuDevice(), memory = new Uint8Array(16);
        load('data:application/wasm,none');
        const failed = await create({device, memory}).catch((error) => error.constructor.name);
        const before = fetched();
        load();
        while (fetched() === before)
            await new Promise((resolve) => setTimeout(resolve, 1));
        const gpu = await create({device, memory});
        gpu.destroy();
        return {failed, before, after: fetched()};
    },

    async refusesWhatIsNoDevice() {
        const messages = [];
        for (const options of [{memory: new Uint8Array(16)}, {device: await gpuDevice()}])
            await create(options).catch((error) => messages.push(error.constructor.name));
        return messages;
    },
};

globalThis.runProgram = (name) => programs[name]();
globalThis.programNames = () => Object.keys(programs);
globalThis.idleHandles = handlesOfDevice;
