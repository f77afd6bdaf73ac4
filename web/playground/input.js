// SPDX-License-Identifier: MIT
//
// What is opened: its kind by its first bytes, and the files that a scene names.

import {decodePicture} from './png.js';

const PNG_FIRST_BYTE = 0x89;
const decoder = new TextDecoder();

const startsWith = (bytes, text) => decoder.decode(bytes.subarray(0, text.length)) === text;
const isText = (bytes) => !bytes.subarray(0, 4096).includes(0);

function kindOf(name, bytes) {
    if (startsWith(bytes, 'DXBC'))
        return 'shader';
    if (startsWith(bytes, 'aerogpu-scene'))
        return 'scene';
    if (startsWith(bytes, 'AGCAP'))
        return 'capture';
    return isText(bytes) ? 'listing' : 'stream';
}

// The files that a scene names, as the module reads them: {path: bytes}.
async function filesOf(text, folder, read) {
    const named = new Map([...text.matchAll(/\b(png |file=)"([^"]+)"/g)].map(([, what, name]) => [name, what]));
    const files = await Promise.all([...named].map(async ([name, what]) => {
        const bytes = await read(name);
        return [new URL(name, `file:///${folder}`).pathname,
            what === 'png ' && bytes?.[0] === PNG_FIRST_BYTE ? await decodePicture(bytes) : bytes];
    }));
    return Object.fromEntries(files.filter(([, bytes]) => bytes !== null));
}

async function complete(name, bytes, folder, read) {
    const kind = kindOf(name, bytes);
    return {name: folder + name, kind, bytes,
        files: kind === 'scene' ? await filesOf(decoder.decode(bytes), folder, read) : {}};
}

async function fetched(address) {
    const response = await fetch(address);
    if (!response.ok)
        throw new Error(`${address}: ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
}

const folderOf = (path) => path.slice(0, path.lastIndexOf('/') + 1);

export async function openURL(url) {
    const folder = folderOf(url);
    const opened = await complete(url.slice(folder.length), await fetched(url), folder, (name) => fetched(folder + name));
    return {...opened, isDemo: true};
}

// What a link holds; the files beside a changed demo are still the demo's.
export async function openLinked({name, kind, bytes}) {
    const read = (file) => fetched(folderOf(name) + file).catch(() => null);
    return {name, kind, bytes, files: kind === 'scene' ? await filesOf(decoder.decode(bytes), folderOf(name), read) : {}};
}

// A scene stands before the files that it names; they are found by their last part.
export async function openFiles(list) {
    const all = await Promise.all(list.map(async (file) =>
        ({name: file.name, bytes: new Uint8Array(await file.arrayBuffer())})));
    const main = all.find(({bytes}) => startsWith(bytes, 'aerogpu-scene')) ?? all[0];
    if (main === undefined)
        throw new Error('There is no file');
    return complete(main.name, main.bytes, '', (name) =>
        all.find((file) => file.name === name.split('/').pop())?.bytes ?? null);
}
