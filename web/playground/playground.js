// SPDX-License-Identifier: MIT
//
// The page: what is open, how far it has run, and what is shown of it.

import {inputOfLink, linkOfInput} from './link.js';
import {openFiles, openLinked, openURL} from './input.js';
import {Engine} from './engine.js';
import {deviceDescriptor} from './aerogpu.js';

const DEMOS = ['mesh', 'hills', 'instances', 'post', 'ui'];
const STOPS = /^(EXT_)?(DRAW|DISPATCH|CLEAR|PRESENT|RESOLVE|COPY|GENERATE|EXECUTE)/;
const BUFFER_BYTES = 512, BYTES_IN_ROW = 16;

const $ = (id) => document.getElementById(id);
const engine = new Engine();
const encoder = new TextEncoder(), decoder = new TextDecoder();
let input = null;     // {name, kind, bytes}
let packets = [];     // {step, packet, text, isStop, shader}
let position = 0;     // how many of them have run
let shaders = [];     // {name, step, packet, bytes}
let messages = [];
let hasDevice = false;
let shownPresents = 0;
let turn = 0;         // of the runs: a later one makes an earlier one give up

// ---- What is missing --------------------------------------------------------------------------------

function missing(text) {
    $('missing').textContent = text;
    $('missing').hidden = text === '';
    document.body.dataset.webgpu = text === '' ? 'yes' : 'no';
}

// {device}, or why there is none.
async function requestDevice() {
    if (navigator.gpu === undefined)
        return {problem: `This browser has no WebGPU${globalThis.isSecureContext ? '' : ' on pages that are not secure (use ' +
            'https or 127.0.0.1)'}: nothing can be drawn here. Listings, WGSL, signatures and packets work without it. ` +
            'Chrome and Edge have it from version 113 on, Safari from 26, Firefox from 141 on Windows.'};
    const adapter = await navigator.gpu.requestAdapter().catch(() => null);
    if (adapter === null)
        return {problem: 'This browser has WebGPU, but no adapter for it: the graphics driver is blocked or too old. ' +
            'Listings, WGSL, signatures and packets work without it.'};
    return {device: await adapter.requestDevice(deviceDescriptor(adapter))};
}

function useDevice({device, problem}) {
    if (device === undefined)
        return missing(problem);
    device.lost.then(({message}) => {
        hasDevice = false;
        missing(`The GPU was lost (${message}). Reload the page.`);
    });
    device.onuncapturederror = ({error}) => say(`webgpu: ${error.message}`);
    hasDevice = engine.useDevice(device);
    return missing(hasDevice ? '' : 'The device of this browser cannot be used.');
}

// ---- Small things -----------------------------------------------------------------------------------

function status(text) {
    $('status').textContent = text;
}

function say(text) {
    if (text.trim() === '')
        return;
    messages.push(text.trim());
    $('messages').textContent = messages.join('\n');
}

function element(tag, properties = {}, ...children) {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
}

function drawOn(canvas, image, label) {
    canvas.width = image.width;
    canvas.height = image.height;
    const opaque = new ImageData(new Uint8ClampedArray(image.data), image.width, image.height);
    for (let i = 3; i < opaque.data.length; i += 4)
        opaque.data[i] = 255; // displays show what is stored
    canvas.getContext('2d').putImageData(opaque, 0, 0);
    canvas.setAttribute('aria-label', label);
}

const hexadecimal = (bytes) => Array.from({length: Math.ceil(bytes.length / BYTES_IN_ROW)}, (_, row) => {
    const part = bytes.subarray(row * BYTES_IN_ROW, (row + 1) * BYTES_IN_ROW);
    const words = [...part].map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
    const view = new DataView(part.buffer, part.byteOffset, part.length);
    const floats = Array.from({length: part.length >> 2}, (_, i) => view.getFloat32(4 * i, true).toPrecision(5));
    return `${(row * BYTES_IN_ROW).toString(16).padStart(4, '0')}  ${words.padEnd(48)}${floats.join('  ')}`;
}).join('\n');

// ---- Tabs -------------------------------------------------------------------------------------------

const tabs = [...document.querySelectorAll('[role=tab]')];

function chooseTab(tab) {
    for (const each of tabs) {
        const isChosen = each === tab;
        each.setAttribute('aria-selected', isChosen);
        each.tabIndex = isChosen ? 0 : -1;
        $(each.getAttribute('aria-controls')).hidden = !isChosen;
    }
}

for (const [i, tab] of tabs.entries()) {
    tab.onclick = () => chooseTab(tab);
    tab.onkeydown = ({key}) => {
        const step = {ArrowRight: 1, ArrowLeft: -1}[key];
        if (step === undefined)
            return;
        const other = tabs[(i + step + tabs.length) % tabs.length];
        chooseTab(other);
        other.focus();
    };
}

// ---- Packets ----------------------------------------------------------------------------------------

function listPackets(steps) {
    packets = [];
    const rows = [];
    let stream = 0;
    for (const [step, {line, packets: texts}] of steps.entries()) {
        if (texts === undefined)
            continue;
        rows.push(element('li', {className: 'stream', role: 'presentation',
            textContent: `Stream ${stream++}${line > 0 ? `, line ${line}` : ''}`}));
        for (const [packet, text] of texts.entries()) {
            const index = packets.length, isStop = STOPS.test(text);
            packets.push({step, packet, text, isStop});
            rows.push(element('li', {id: `packet-${index}`, className: isStop ? 'draw' : '', textContent: text, title: text,
                role: 'option', onclick: () => goTo(index + 1)}));
        }
    }
    $('packets').replaceChildren(...rows);
    for (const id of ['restart', 'back', 'next', 'end', 'play'])
        $(id).disabled = !hasDevice || packets.length === 0;
}

function markPosition() {
    for (const [i] of packets.entries()) {
        const row = $(`packet-${i}`);
        row.classList.toggle('done', i < position);
        row.setAttribute('aria-selected', i === position - 1);
    }
    const row = $(`packet-${position - 1}`);
    $('packets').setAttribute('aria-activedescendant', row?.id ?? '');
    if (row !== null)
        $('packets').scrollTop += row.getBoundingClientRect().top - $('packets').getBoundingClientRect().top - 120;
}

const stopAfter = (from) => {
    const found = packets.findIndex(({isStop}, i) => i >= from && isStop);
    return found < 0 ? packets.length : found + 1;
};

const stopBefore = (from) => packets.findLastIndex(({isStop}, i) => i < from - 1 && isStop) + 1;

// The colour target that is set when so many packets have run.
function targetAt(count) {
    for (let i = count - 1; i >= 0; i--) {
        const found = /SET_RENDER_TARGETS .*?colors=\[\{?(?:view=|texture=)?\$?(\d+)/.exec(packets[i].text);
        if (found !== null)
            return Number(found[1]);
    }
    return 0;
}

// ---- Runs -------------------------------------------------------------------------------------------

function showPresent(number) {
    const image = engine.present(number);
    $('present').max = Math.max(engine.presents - 1, 0);
    $('present').value = number;
    $('present').disabled = engine.presents < 2;
    $('caption').textContent = `${number + 1} of ${engine.presents}, ${image.width} × ${image.height}`;
    drawOn($('picture'), image, `Present ${number + 1}: ${image.width} by ${image.height} pixels`);
}

// Presents appear while the run goes on.
engine.onwait = () => {
    if (engine.presents > shownPresents) {
        performance.mark('picture'); // script/bench --web reads the first
        shownPresents = engine.presents;
        showPresent(shownPresents - 1);
    }
};

async function showNumbers() {
    const state = await engine.state();
    const rows = [['until here', `${state.total_ms} ms`], ['waiting for the GPU', `${state.wait_ms} ms`],
        ['translating shaders', `${state.translate_us / 1000} ms`],
        ['making pipelines', `${state.pipeline_us / 1000} ms`], ...state.counters];
    $('counters').replaceChildren(...rows.map(([name, value]) => element('tr', {},
        element('th', {scope: 'row', textContent: name.replaceAll('_', ' ')}),
        element('td', {className: 'number', textContent: value.toLocaleString()}))));
    const sorted = state.resources.sort((a, b) => a.handle - b.handle);
    $('resource-list').replaceChildren(...sorted.map((resource) => element('li', {}, element('button', {type: 'button',
        textContent: resource.format !== undefined ? `$${resource.handle}  texture ${resource.width} × ${resource.height} ` +
            resource.format : `$${resource.handle}  buffer, ${resource.bytes} bytes`,
        onclick: () => showResource(resource)}))));
    return state;
}

async function showResource(resource) {
    const isTexture = resource.format !== undefined;
    const {image, texels, bytes, log} = isTexture ? await engine.texture(resource) :
        await engine.buffer(resource.handle, Math.min(resource.bytes, BUFFER_BYTES));
    say(log);
    $('resource').hidden = false;
    $('resource-title').textContent = `${isTexture ? 'Texture' : 'Buffer'} $${resource.handle}` +
        (position < packets.length ? ` after packet ${position}` : ' at the end');
    $('resource-picture').hidden = image === undefined;
    if (image !== undefined)
        drawOn($('resource-picture'), image, `Texture ${resource.handle}, ${image.width} by ${image.height} texels`);
    const shown = bytes ?? texels;
    $('resource-bytes').hidden = image !== undefined;
    $('resource-bytes').textContent = shown ? hexadecimal(shown.subarray(0, BUFFER_BYTES)) : log || 'It cannot be read.';
}

async function showTarget(state) {
    const target = state.resources.find(({handle}) => handle === targetAt(position));
    if (target?.format === undefined || position === packets.length)
        return;
    const {image, log} = await engine.texture(target);
    say(log);
    if (image === undefined)
        return;
    drawOn($('picture'), image, `Render target ${target.handle} after packet ${position}`);
    $('caption').textContent = `target $${target.handle} after packet ${position}`;
}

// Runs so many packets.
async function goTo(count) {
    const mine = ++turn;
    if (!hasDevice || packets.length === 0)
        return;
    if (count < position)
        shownPresents = 0;
    position = Math.min(Math.max(count, 0), packets.length);
    markPosition();
    status('Running');
    document.body.dataset.state = 'running';
    const {step, packet} = packets[position] ?? {step: 0xFFFFFFFF, packet: 0};
    const {isAlive, log} = await engine.advance(step, packet);
    say(log);
    if (mine !== turn)
        return;
    engine.onwait();
    const state = await showNumbers(), {skipped} = state;
    await showTarget(state);
    if (messages.some((message) => message.includes('gpu.hang') || message.includes('gpu.lost'))) {
        hasDevice = false;
        missing('The GPU was lost: what ran was too much for it. Numbers has the messages; reload the page to go on.');
    }
    const {translated, cached} = engine.shaderCounts;
    document.body.dataset.shaders = `${cached} of ${translated}`;
    document.body.dataset.state = isAlive && skipped === '' ? 'ready' : 'ended';
    status(skipped !== '' ? `Not run: it ${skipped}` : !isAlive ? 'The run ended, see Numbers' :
        position === packets.length ? `Ran ${position} packets` : `Stopped after packet ${position} of ${packets.length}`);
}

async function runAgain() {
    turn++;
    position = 0;
    shownPresents = 0;
    if (hasDevice)
        await engine.advance(0, 0);
    await goTo(packets.length);
}

// ---- Shaders ----------------------------------------------------------------------------------------

async function findShaders() {
    const found = [];
    for (const {step, packet, text} of packets) {
        if (!text.startsWith('CREATE_SHADER_DXBC'))
            continue;
        const bytes = await engine.shaderOf(step, packet);
        if (bytes === null)
            continue;
        const {stage = 'unknown'} = await engine.shader(bytes, false);
        found.push({name: `${/\$\d+/.exec(text)?.[0] ?? '$?'} ${stage}`, step, packet, bytes});
    }
    return found;
}

function listShaders() {
    $('shader').replaceChildren(...shaders.map(({name}, i) => element('option', {value: i, textContent: name})));
    $('shader').disabled = shaders.length < 2;
    $('apply').disabled = shaders.length === 0;
}

function signatureTable(name, rows) {
    const cells = rows.map(([semantic, index, mask, register, type]) => element('tr', {},
        element('td', {textContent: `${semantic}${index}`}),
        element('td', {textContent: register === 0xFFFFFFFF ? 'special' : `${name === 'Inputs' ? 'v' : 'o'}${register}.${mask}`}),
        element('td', {textContent: type})));
    return rows.length === 0 ? '' : element('table', {}, element('caption', {textContent: name}),
        element('tbody', {}, ...cells));
}

function bindingTable(bindings) {
    const cells = bindings.map(([space, slot, kind, group, binding, bytes]) => element('tr', {},
        element('td', {textContent: space === 'i' ? 'internal' : `${space}${slot}`}),
        element('td', {textContent: kind + (bytes > 0 ? `, ${bytes} bytes` : '')}),
        element('td', {textContent: `@group(${group}) @binding(${binding})`})));
    return bindings.length === 0 ? '' : element('table', {}, element('caption', {textContent: 'Bindings'}),
        element('tbody', {}, ...cells));
}

function showFacts({wgsl, inputs = [], outputs = [], patch = [], bindings = [], log}) {
    $('wgsl').textContent = wgsl ?? 'There is no translation.';
    $('shader-log').textContent = log;
    $('signatures').replaceChildren(signatureTable('Inputs', inputs), signatureTable('Outputs', outputs),
        signatureTable('Patch constants', patch), bindingTable(bindings));
}

async function showShader(number) {
    if (shaders[number] === undefined) {
        $('listing').value = '';
        showFacts({wgsl: '', log: ''});
        return;
    }
    $('shader').value = number;
    const facts = await engine.shader(shaders[number].bytes, false);
    $('listing').value = facts.listing ?? '';
    showFacts(facts);
}

async function applyListing() {
    const shader = shaders[Number($('shader').value)];
    if (shader === undefined)
        return;
    const facts = await engine.shader(encoder.encode($('listing').value), true);
    showFacts(facts);
    if (facts.container === null) {
        status('The listing has an error');
        return;
    }
    shader.bytes = facts.container;
    if (shader.step === undefined) {
        status('Assembled');
        return;
    }
    if (await engine.replaceShader(shader.step, shader.packet, facts.container))
        await runAgain();
}

// ---- Inputs -----------------------------------------------------------------------------------------

async function openShader({name, kind, bytes}) {
    listPackets([]);
    const facts = await engine.shader(bytes, kind === 'listing');
    shaders = [{name, bytes: facts.container ?? bytes}];
    listShaders();
    $('listing').value = kind === 'listing' ? decoder.decode(bytes) : facts.listing ?? '';
    showFacts(facts);
    chooseTab($('tab-shaders'));
    status(facts.log === '' ? `${name}: ${facts.stage} shader` : 'The shader has an error');
}

async function openScene({name, kind, bytes}) {
    const {title, steps = [], log} = await engine.load(`/${name}`, bytes);
    say(log);
    listPackets(steps);
    $('scene').value = kind === 'scene' ? decoder.decode(bytes) : '';
    $('scene').disabled = $('run').disabled = kind !== 'scene';
    shaders = [];
    listShaders();
    await showShader(0);
    document.title = `${title || name} – AeroGPU playground`;
    status(packets.length > 0 ? title || name : `Not loaded: ${messages[0] ?? 'it has no packets'}`);
    if (packets.length === 0)
        chooseTab($('tab-numbers'));
}

// Lists the shaders of what is open; its picture comes first.
async function openShaders(opened) {
    const before = document.body.dataset.state;
    document.body.dataset.state = 'reading';
    const found = await findShaders();
    if (input !== opened)
        return;
    shaders = found;
    listShaders();
    await showShader(0);
    if (document.body.dataset.state === 'reading')
        document.body.dataset.state = before;
}

async function show(opened, at) {
    turn++;
    input = opened;
    messages = [];
    position = shownPresents = 0;
    $('messages').textContent = '';
    $('resource').hidden = true;
    $('resource-list').replaceChildren();
    $('counters').replaceChildren();
    $('caption').textContent = '';
    $('present').max = 0;
    $('present').disabled = true;
    $('picture').getContext('2d').clearRect(0, 0, $('picture').width, $('picture').height);
    document.body.dataset.state = 'loading';
    Object.assign(engine.files, opened.files ?? {});
    if (opened.kind === 'shader' || opened.kind === 'listing')
        await openShader(opened);
    else
        await openScene(opened);
    document.body.dataset.state = 'ready';
    if (opened.kind === 'shader' || opened.kind === 'listing')
        return;
    await goTo(at ?? packets.length);
    if (input === opened)
        await openShaders(opened);
}

async function attempt(work) {
    try {
        await work();
    } catch (error) {
        say(String(error));
        status(error.message);
        document.body.dataset.state = 'failed';
    }
}

// What the address of the page names, and the place in it.
async function readLink() {
    const linked = await inputOfLink(location.hash);
    const demo = linked?.bytes !== undefined ? '' : linked?.demo ?? DEMOS[0];
    $('demo').value = demo;
    return [demo === '' ? await openLinked(linked) : await openURL(`demo/${demo}.scene`), linked?.at];
}

async function copyLink() {
    const demo = $('demo').value;
    const isDemo = demo !== '' && input?.isDemo;
    location.hash = await linkOfInput(isDemo ? {demo} : input, position < packets.length ? position : undefined);
    await navigator.clipboard?.writeText(location.href).catch(() => {});
    status('The address of this page holds the input');
}

function runScene() {
    return show({...input, isDemo: false, bytes: encoder.encode($('scene').value)});
}

// ---- Events -----------------------------------------------------------------------------------------

const on = (id, event, work) => $(id).addEventListener(event, (...values) => attempt(() => work(...values)));

on('restart', 'click', () => goTo(0));
on('back', 'click', () => goTo(stopBefore(position)));
on('next', 'click', () => goTo(stopAfter(position)));
on('end', 'click', () => goTo(packets.length));
on('play', 'click', runAgain);
on('present', 'input', () => engine.presents > 0 && showPresent(Number($('present').value)));
on('shader', 'change', () => showShader(Number($('shader').value)));
on('apply', 'click', applyListing);
on('run', 'click', runScene);
on('link', 'click', copyLink);
on('demo', 'change', async () => {
    if ($('demo').value === '')
        return;
    history.replaceState(null, '', location.pathname);
    await show(await openURL(`demo/${$('demo').value}.scene`));
});
on('file', 'change', async () => {
    $('demo').value = '';
    await show(await openFiles([...$('file').files]));
});

$('packets').addEventListener('keydown', (event) => {
    const count = {ArrowDown: position + 1, ArrowUp: position - 1, Home: 0, End: packets.length}[event.key];
    if (count === undefined)
        return;
    event.preventDefault();
    attempt(() => goTo(count));
});

document.addEventListener('keydown', (event) => {
    if (event.key === 'F10') {
        event.preventDefault();
        attempt(() => goTo(event.shiftKey ? stopBefore(position) : stopAfter(position)));
    } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
        attempt(() => event.target === $('scene') ? runScene() : applyListing());
    }
});

document.addEventListener('dragover', (event) => {
    event.preventDefault();
    document.body.classList.add('dropping');
});
document.addEventListener('dragleave', () => document.body.classList.remove('dropping'));
document.addEventListener('drop', (event) => {
    event.preventDefault();
    document.body.classList.remove('dropping');
    $('demo').value = '';
    attempt(async () => show(await openFiles([...event.dataTransfer.files])));
});
addEventListener('hashchange', () => {
    if (location.hash !== '' && document.body.dataset.state !== 'running')
        attempt(async () => show(...await readLink()));
});

await attempt(async () => {
    $('demo').append(...DEMOS.map((name) => element('option', {value: name, textContent: name})));
    const all = [engine.open(), requestDevice(), readLink()]; // at once
    all.forEach((each) => each.catch(() => {})); // attempt() hears of the first
    await all[0];
    useDevice(await all[1]);
    await show(...await all[2]);
});
