// SPDX-License-Identifier: MIT
//
// Clicks through the playground. Prints a line of JSON for each part: {name, result, log, picture}; pictures of the page are
// in a folder.
//
// usage: node playground.mjs BUILD_FOLDER PICTURE_FOLDER

import fs from 'node:fs';
import path from 'node:path';

import {Browser, serve} from './browser.mjs';
import {decodePicture} from '../../web/playground/png.js';

const READY_MS = 180000, POLL_MS = 100, WORKER_FRAMES = 20;
const PICTURE_HEADER = 12; // bytes in front of a decoded picture's rows
const root = path.resolve(import.meta.dirname, '../..');

// A red target, on which a triangle over the left half and more of it is green.
const SCENE = `aerogpu-scene 1
title "half green"
shader @vs asm {
  vs_4_0
  .in POSITION0 v0.xy float
  .out SV_Position0 o0.xyzw float position
  dcl_input v0.xy
  dcl_output_siv o0.xyzw, position
  mov o0.xy, v0.xyxx
  mov o0.zw, l(0.0, 0.0, 0.5, 1.0)
  ret
}
shader @ps asm {
  ps_4_0
  .out SV_Target0 o0.xyzw float
  dcl_output o0.xyzw
  mov o0.xyzw, l(0.0, 1.0, 0.0, 1.0)
  ret
}
submit {
  CREATE_TEXTURE2D texture_handle=$1 usage_flags=RENDER_TARGET format=R8G8B8A8_UNORM width=64 height=32 mip_levels=1 array_layers=1
  CREATE_BUFFER buffer_handle=$2 usage_flags=VERTEX_BUFFER size_bytes=24
  UPLOAD_RESOURCE resource_handle=$2 : f32 -1 -3  -1 1  1 1
  CREATE_INPUT_LAYOUT input_layout_handle=$3 : layout POSITION0 R32G32_FLOAT slot=0 offset=0
  CREATE_SHADER_DXBC shader_handle=$4 stage=VERTEX : @vs
  CREATE_SHADER_DXBC shader_handle=$5 stage=PIXEL : @ps
  SET_RENDER_TARGETS colors=[$1]
  SET_VIEWPORT width_f32=64 height_f32=32 max_depth_f32=1
  SET_RASTERIZER_STATE state={cull_mode=NONE}
  CLEAR flags=COLOR color_rgba_f32=[1 0 0 1]
  BIND_SHADERS vs=$4 ps=$5
  SET_INPUT_LAYOUT input_layout_handle=$3
  SET_VERTEX_BUFFERS bindings=[{buffer=$2 stride_bytes=8}]
  SET_PRIMITIVE_TOPOLOGY topology=TRIANGLELIST
  DRAW vertex_count=3 instance_count=1
  PRESENT
}
`;
const LISTING = 'ps_4_0\n.out SV_Target0 o0.xyzw float\ndcl_output o0.xyzw\nmov o0.xyzw, l(0.0, 0.0, 1.0, 1.0)\nret\n';
const RED = [255, 0, 0, 255], GREEN = [0, 255, 0, 255], BLUE = [0, 0, 255, 255];
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

class Playground {
    constructor(page) {
        this.page = page;
    }

    // When nothing runs any more.
    async settled() {
        const late = Date.now() + READY_MS;
        for (let quiet = 0; quiet < 3;) {
            const state = await this.page.call('() => document.body?.dataset.state');
            quiet = ['ready', 'ended', 'failed'].includes(state) ? quiet + 1 : 0;
            if (Date.now() > late)
                throw new Error(`still ${state}`);
            await new Promise((resolve) => setTimeout(resolve, POLL_MS));
        }
    }

    async does(body, ...values) {
        const result = await this.page.call(body, ...values);
        await this.settled();
        return result;
    }

    click(id) {
        return this.does('(id) => { document.getElementById(id).click(); }', id);
    }

    drop(name, base64) {
        return this.does(`(name, base64) => {
            const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
            const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File([bytes], name));
            document.dispatchEvent(new DragEvent('drop', {dataTransfer, cancelable: true}));
        }`, name, Buffer.from(base64).toString('base64'));
    }

    async key(key, modifiers = 0) {
        const code = {F10: 121, Enter: 13, ArrowDown: 40, ArrowUp: 38, Home: 36, End: 35, ArrowRight: 39}[key];
        for (const type of ['rawKeyDown', 'keyUp'])
            await this.page.send('Input.dispatchKeyEvent', {type, key, code: key, windowsVirtualKeyCode: code, modifiers});
        await this.settled();
    }

    text(id) {
        return this.page.call('(id) => document.getElementById(id).value ?? document.getElementById(id).textContent', id);
    }

    pixel(x, y, id = 'picture') {
        return this.page.call(`(x, y, id) => [...document.getElementById(id).getContext('2d').getImageData(x, y, 1, 1).data]`,
            x, y, id);
    }
}

const parts = {
    async demo(is, part) {
        is(await part.text('missing'), '', 'nothing is missing');
        const colours = await part.page.call(`() => {
            const canvas = document.getElementById('picture');
            const words = new Uint32Array(canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.buffer);
            return [canvas.width, canvas.height, new Set(words).size > 100];
        }`);
        is(colours, [480, 270, true], 'the picture of the demo');
        is(await part.page.call(`() => document.getElementById('present').max`), '29', 'thirty frames');
        is(await part.text('messages'), '', 'messages');
    },

    // The third visit finds what the second one kept, which had found an empty cache.
    async visits(is, part) {
        const shaders = () => part.page.call('() => document.body.dataset.shaders');
        const visit = async () => {
            const loaded = new Promise((resolve) => part.page.loaded = resolve);
            await part.page.send('Page.reload');
            await loaded;
            await part.settled();
            return part.page.call(`async () => {
                const {openCache} = await import('./cache.js');
                await new Promise((resolve) => setTimeout(resolve, 1000)); // what is new is written
                const cache = await openCache('aerogpu-playground'), {size} = cache.entries;
                await cache.close();
                return size > 0;
            }`);
        };
        await part.page.call(`async () => {
            const {openCache} = await import('./cache.js');
            await (await openCache('aerogpu-playground')).clear();
        }`);
        is(await visit(), true, 'something is kept');
        const cold = await shaders(), [, needed] = cold.split(' of ');
        is([cold, Number(needed) > 0], [`0 of ${needed}`, true], 'a first visit');
        await visit();
        is(await shaders(), `${needed} of ${needed}`, 'a later visit');
    },

    async steps(is, part) {
        await part.drop('half.scene', SCENE);
        is(await part.pixel(4, 4), GREEN, 'the present');
        await part.click('restart');
        await part.click('next');
        is(await part.pixel(4, 4), RED, 'the target after the clear');
        await part.click('next');
        is(await part.pixel(4, 4), GREEN, 'the target after the draw');
        is(await part.pixel(62, 30), RED, 'beside the triangle');
        await part.click('back');
        is(await part.pixel(4, 4), RED, 'the target, one draw back');
    },

    async resources(is, part) {
        await part.drop('half.scene', SCENE);
        await part.click('restart');
        await part.click('next');
        await part.click('tab-resources');
        await part.does(`() => [...document.querySelectorAll('#resource-list button')][0].click()`);
        await part.page.call('() => new Promise((resolve) => setTimeout(resolve, 500))');
        is(await part.pixel(4, 4, 'resource-picture'), RED, 'the texture');
        await part.does(`() => [...document.querySelectorAll('#resource-list button')][1].click()`);
        await part.page.call('() => new Promise((resolve) => setTimeout(resolve, 500))');
        is((await part.text('resource-bytes')).slice(0, 53), '0000  00 00 80 bf 00 00 40 c0 00 00 80 bf 00 00 80 3f', 'the buffer');
    },

    async editing(is, part) {
        await part.drop('half.scene', SCENE);
        await part.does(`() => {
            const shader = document.getElementById('shader');
            shader.value = 1;
            shader.dispatchEvent(new Event('change'));
        }`);
        is((await part.text('listing')).includes('ps_4_0'), true, 'the listing of the pixel shader');
        await part.does('(text) => { document.getElementById("listing").value = text; }', LISTING.replace('ret', 'wrong'));
        await part.click('apply');
        is((await part.text('shader-log')).startsWith('line 5: '), true, 'an error has its line');
        is(await part.pixel(4, 4), GREEN, 'the picture stays');
        await part.does('(text) => { document.getElementById("listing").value = text; document.getElementById("listing").focus(); }',
            LISTING);
        await part.key('Enter', 2);
        is(await part.pixel(4, 4), BLUE, 'another shader draws');
    },

    async links(is, part) {
        await part.drop('half.scene', SCENE);
        await part.click('restart');
        await part.click('next');
        await part.click('link');
        const address = await part.page.call('() => location.href');
        await part.page.send('Page.navigate', {url: 'about:blank'});
        const loaded = new Promise((resolve) => part.page.loaded = resolve);
        await part.page.send('Page.navigate', {url: address});
        await loaded;
        await part.settled();
        is(await part.pixel(4, 4), RED, 'the linked place');
        await part.click('end');
        is(await part.pixel(4, 4), GREEN, 'the linked scene');
    },

    async shaderFile(is, part) {
        await part.drop('mesh.dxbc', fs.readFileSync(path.join(root, 'demo/shaders/demo_mesh.vs_4_0.dxbc')));
        is((await part.text('listing')).includes('vs_4_0'), true, 'the listing');
        is((await part.text('wgsl')).includes('@vertex'), true, 'the translation');
        is((await part.text('signatures')).includes('POSITION0v0.xyz'), true, 'the signature');
        await part.drop('blue.asm', LISTING);
        is((await part.text('wgsl')).includes('@fragment'), true, 'the translation of a listing');
    },

    async captures(is, part) {
        const read = (name) => fs.readFileSync(path.join(root, `tests/fuzz/seeds/capture/${name}.agpucap`));
        await part.drop('triangle.agpucap', read('p0_triangle'));
        is(await part.text('messages'), '', 'messages');
        is(await part.pixel(30, 32), [255, 128, 64, 255], 'the present');
        await part.click('restart');
        await part.click('next');
        is(await part.pixel(30, 32), BLUE, 'the target after the clear');
        await part.click('next');
        is(await part.pixel(30, 32), [255, 128, 64, 255], 'the target after the draw');
        is(await part.pixel(63, 63), BLUE, 'beside the triangle');

        // Constants in guest memory, which changes between the submissions.
        await part.drop('constants.agpucap', read('dirty_range_between_draws'));
        await part.click('tab-resources');
        await part.does(`() => [...document.querySelectorAll('#resource-list button')].find(
            ({textContent}) => textContent.includes('texture')).click()`);
        await part.page.call('() => new Promise((resolve) => setTimeout(resolve, 500))');
        is(await part.pixel(0, 0, 'resource-picture'), [51, 0, 0, 255], 'the texel of the first draw');
        is(await part.pixel(1, 0, 'resource-picture'), [102, 0, 0, 255], 'the texel of the second draw');

        const damaged = read('p0_triangle');
        damaged[damaged.length >> 1] ^= 1;
        await part.drop('damaged.agpucap', damaged);
        is(await part.text('status'), 'Not loaded: capture.checksum: the checksum of a chunk is wrong', 'a damaged capture');
        is((await part.text('messages')).includes('checksum'), true, 'why');
        is([await part.text('counters'), await part.text('resource-list')], ['', ''], 'nothing is left of the capture before');
        is(await part.page.call('() => document.getElementById("next").disabled'), true, 'there is no next packet');
    },

    async keyboard(is, part) {
        await part.drop('half.scene', SCENE);
        await part.does('() => document.getElementById("packets").focus()');
        await part.key('Home');
        await part.key('F10');
        is(await part.pixel(4, 4), RED, 'F10 goes to the clear');
        await part.key('F10');
        is(await part.pixel(4, 4), GREEN, 'F10 goes to the draw');
        await part.key('F10', 8);
        is(await part.pixel(4, 4), RED, 'Shift+F10 goes back');
        await part.key('ArrowDown');
        is(await part.text('status'), 'Stopped after packet 11 of 16', 'an arrow is one packet');
        await part.does('() => document.getElementById("tab-shaders").focus()');
        await part.key('ArrowRight');
        is(await part.page.call('() => document.activeElement.id'), 'tab-resources', 'an arrow chooses a tab');
    },

    async phone(is, part) {
        is(await part.page.call('() => document.documentElement.scrollWidth'), 390, 'nothing is wider than the page');
        is(await part.page.call(`() => new Set([...document.querySelectorAll('[role=tab]')].map(
            (tab) => tab.getBoundingClientRect().top)).size`), 1, 'the tabs are in one row');
    },

    async withoutWebGPU(is, part) {
        is((await part.text('missing')).startsWith('This browser has no WebGPU'), true, 'what is missing');
        is((await part.text('wgsl')).includes('@vertex'), true, 'shaders are translated without it');
        is(await part.page.call('() => document.getElementById("next").disabled'), true, 'nothing can be run');
    },
};

// Not of the playground's page, but in its folder.
async function workers(is, page) {
    const late = Date.now() + READY_MS;
    while (Date.now() < late && !(Number(await page.call('() => document.body?.dataset.frames')) >= WORKER_FRAMES))
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    is(await page.call('() => document.getElementById("missing").textContent'), '', 'nothing is missing');
    is(Number(await page.call('() => document.body?.dataset.frames')) >= WORKER_FRAMES, true, 'the guest goes on');
    await page.call('() => document.getElementById("stop").click()');
    const [x, y, width, height] = await page.call(`() => {
        const {x, y, width, height} = document.getElementById('picture').getBoundingClientRect();
        return [x, y, width, height].map(Math.round);
    }`);
    const {data} = await page.send('Page.captureScreenshot', {format: 'png', clip: {x, y, width, height, scale: 1}});
    const picture = await decodePicture(Buffer.from(data, 'base64'));
    const pixel = (at) => [...picture.subarray(at, at + 3)];
    is(pixel(PICTURE_HEADER + 4 * (width * 4 + 4)), [28, 33, 41], 'the background');
    const [red, green, blue] = pixel(PICTURE_HEADER + 4 * (width * (height >> 1) + (width >> 1)));
    is([red, green, blue].every((value) => value > 80 && value < 160), true, 'the middle of the triangle');
}

const setUps = {
    demo: {address: 'index.html#demo=mesh'},
    phone: {width: 390, height: 1400},
    workers: {address: 'worker/', isPlayground: false},
    withoutWebGPU: {script: 'Object.defineProperty(navigator, "gpu", {value: undefined})'},
};

async function openPage(browser, origin, setUp = {}) {
    const {address = 'index.html#demo=ui', width = 1280, height = 900, script} = setUp;
    const page = await browser.open('about:blank');
    await page.send('Emulation.setDeviceMetricsOverride', {width, height, deviceScaleFactor: 1, mobile: width < 600});
    if (script !== undefined)
        await page.send('Page.addScriptToEvaluateOnNewDocument', {source: script});
    const loaded = new Promise((resolve) => page.loaded = resolve);
    await page.send('Page.navigate', {url: `${origin}/${address}`});
    await loaded;
    if (setUp.isPlayground === false)
        return page;
    const part = new Playground(page);
    await part.settled();
    return part;
}

async function main(build, pictures) {
    const {origin, close} = await serve({'/': path.join(build, 'web/playground/site')});
    const browser = new Browser();
    fs.mkdirSync(pictures, {recursive: true});
    for (const [name, run] of Object.entries({...parts, workers})) {
        const problems = [];
        const is = (got, want, what) => {
            if (!same(got, want))
                problems.push(`${what}: want ${JSON.stringify(want)}, got ${JSON.stringify(got)}`);
        };
        const picture = path.join(pictures, `${name}.png`);
        let page;
        try {
            const part = await openPage(browser, origin, setUps[name]);
            page = part.page ?? part;
            await run(is, part);
            await page.screenshot(picture);
        } catch (error) {
            problems.push(String(error));
        }
        problems.push(...page?.problems ?? []);
        process.stdout.write(JSON.stringify({name: `playground/${name}`, result: problems.length === 0 ? 'passed' : 'failed',
            log: problems.join('\n'), picture}) + '\n');
        await page?.close();
    }
    browser.close();
    close();
}

await main(path.resolve(process.argv[2]), process.argv[3]);
process.exit(0);
