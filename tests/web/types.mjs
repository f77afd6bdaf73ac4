// SPDX-License-Identifier: MIT
//
// Compares the words and members that webgpu_abi.js gives JavaScript's WebGPU with npm's @webgpu/types. Prints a line
// of JSON for each enumeration and structure: {name, result, log}.
//
// usage: node types.mjs BUILD_FOLDER

import fs from 'node:fs';
import path from 'node:path';
import {pathToFileURL} from 'node:url';

const TYPES = path.resolve(import.meta.dirname, '../../node_modules/@webgpu/types/dist/index.d.ts');
// Features that only Dawn has: a device with one has it by this word, or never has it.
const BEYOND_THE_STANDARD = /^(chromium-|dawn-|unorm16-|snorm16-|norm16-|r8-unorm|shader-module-compilation|multi-draw|flexible-texture|implicit-|transient-|msaa-|host-|framebuffer-|buffer-map-|adapter-|static-samplers|texture-compression-)/;
const OTHER_NAMES = {Color: 'GPUColorDict', Extent3D: 'GPUExtent3DDict', Origin3D: 'GPUOrigin3DDict',
    ComputeState: 'GPUProgrammableStage', PassTimestampWrites: 'GPURenderPassTimestampWrites'};
const NOT_STANDARD = {FeatureName: BEYOND_THE_STANDARD, LoadOp: /^expand-resolve-texture$/,
    TextureFormat: /^(r|rg|rgba)16[us]norm$/};
const NO_INTERFACE = ['ConstantEntry']; // an entry of a record

const text = fs.readFileSync(TYPES, 'utf8').replace(/\/\*[\s\S]*?\*\//g, '').replace(/\/\/.*$/gm, '');

const words = (type) => {
    const match = new RegExp(`\\btype ${type} =([^;]*);`).exec(text);
    return match && [...match[1].matchAll(/"([^"]+)"/g)].map((word) => word[1]);
};

const members = (name) => {
    const match = new RegExp(`\\binterface ${name}\\s*(?:extends ([\\w,\\s]+?))?\\s*\\{([^}]*)\\}`).exec(text);
    if (match === null) {
        const other = new RegExp(`\\btype ${name} =\\s*(\\w+);`).exec(text);
        return other && members(other[1]);
    }
    const own = [...match[2].matchAll(/^\s*(?:readonly )?(\w+)\??:/gm)].map((member) => member[1]);
    return [...own, ...(match[1] ?? '').split(',').flatMap((base) => base.trim() ? members(base.trim()) ?? [] : [])];
};

const say = (name, wrong) => process.stdout.write(JSON.stringify({name: `types/${name}`,
    result: wrong.length === 0 ? 'passed' : 'failed', log: wrong.join(', ')}) + '\n');

const abi = await import(pathToFileURL(path.resolve(process.argv[2], 'web/package/webgpu_abi.js')));
for (const [name, value] of Object.entries(abi)) {
    const [, enumeration] = /^(\w+)Words$/.exec(name) ?? [];
    const [, structure] = /^read(\w+)$/.exec(name) ?? [];
    if (enumeration !== undefined) {
        const known = words(`GPU${enumeration}`);
        say(enumeration, known === null ? [`there is no GPU${enumeration}`] : Object.values(value).filter(
            (word) => !known.includes(word) && !NOT_STANDARD[enumeration]?.test(word)));
    } else if (structure !== undefined && !NO_INTERFACE.includes(structure)) {
        const type = OTHER_NAMES[structure] ?? `GPU${structure}`;
        const known = members(type);
        const used = [...String(value).matchAll(/[{ ](\w+): /g)].map((member) => member[1]);
        say(structure, known === null ? [`there is no ${type}`] : used.filter((member) => !known.includes(member)));
    }
}
