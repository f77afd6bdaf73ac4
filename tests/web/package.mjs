// SPDX-License-Identifier: MIT
//
// Installs the package from its tarball and runs programs of pages on it. Prints a line of JSON for each:
// {name, result, log}.
//
// usage: node package.mjs BUILD_FOLDER

import {execFileSync} from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import {Browser, serve} from './browser.mjs';

const PROGRAM_MS = 120000;
const root = path.resolve(import.meta.dirname, '../..');

const right = {
    dozenLines: [255, 0, 0, 255],
    presents: {pixel: [0, 255, 0, 255], width: 64, height: 32, interrupts: 1, diagnostics: []},
    memoryByFunctions: {read: true, written: true},
    scanoutAndCursor: {drawn: true, size: [64, 32], background: [0, 0, 255, 255], cursor: [255, 255, 0, 255],
        beside: [0, 0, 255, 255], diagnostics: []},
    registersAndVRAM: {vendor: 0x0001A3A0, off: 0xFFFFFFFF, on: true, written: true, read: true, past: false,
        kept: [1, 2, 3, 4]},
    wakesThePage: {completed: true, woken: true},
    servesABusyGuest: true,
    destroysWithWorkInFlight: Array(3).fill({handles: 0, pending: 0, quick: true}),
    losesItsDevice: {lost: true, taken: true, pixel: [0, 0, 255, 255], diagnostics: [], handles: 0},
    thousandFrames: {handles: 0, bytes: 0, left: 0, diagnostics: []},
    asksForLittle: {steady: {scopes: 8, signals: 8}, making: 3, diagnostics: []},
    wakesForNews: {made: true, quiet: false, mistaken: true, diagnostics: ['gpu.validation']},
    tellsMistakesOfItsFrames: {before: 0, told: ['gpu.validation'], internal: true, after: 1},
    worker: [0, 255, 255, 255],
    presentsOnACanvas: {size: [48, 24], pixels: [[255, 128, 51, 255], [255, 188, 124, 255], [255, 188, 124, 255]],
        diagnostics: []},
    packetsRoundTrip: {count: true, wrong: [], hash: 0xC40BF6CC}, // FNV-1a of 'A'
    keepsTranslations: {visits: [[2, 0], [2, 0], [2, 2], [2, 0], [2, 2], [2, 0], [2, 0], [2, 2]], entries: 0, own: 2},
    loadsAhead: {failed: 'CompileError', before: 0, after: 1},
    refusesWhatIsNoDevice: ['TypeError', 'TypeError'],
};

const say = (name, problems) => process.stdout.write(JSON.stringify(
    {name, result: problems.length === 0 ? 'passed' : 'failed', log: problems.join('\n')}) + '\n');

function install(build) {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aerogpu-package-'));
    const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', folder,
        path.join(build, 'web/package')], {encoding: 'utf8'}).trim();
    const to = path.join(folder, 'node_modules/aerogpu');
    fs.mkdirSync(to, {recursive: true});
    execFileSync('tar', ['-xf', path.join(folder, packed), '-C', to, '--strip-components=1']);
    return folder;
}

const text = (value) => JSON.stringify(value);

async function runProgram(page, name) {
    const problems = [];
    try {
        const late = new Promise((_, reject) => setTimeout(() => reject(new Error('out of time')), PROGRAM_MS).unref());
        const got = await Promise.race([page.call('runProgram', name), late]);
        if (text(got) !== text(right[name]))
            problems.push(`want ${text(right[name])}, got ${text(got)}`);
    } catch (error) {
        problems.push(String(error));
    }
    say(`package/${name}`, [...problems, ...page.problems.splice(0)]);
}

// In Node the guest's side works, and the device says what is missing.
function runInNode(folder) {
    const program = `import {create} from 'aerogpu';
        import {PacketWriter, readPackets} from 'aerogpu/abi';
        const [packet] = readPackets(new PacketWriter().add('PRESENT').finish());
        const problem = await create({}).catch(({message}) => message);
        console.log(JSON.stringify([packet.name, problem]));`;
    const got = execFileSync('node', ['--input-type=module', '-e', program], {cwd: folder, encoding: 'utf8'}).trim();
    const want = text(['PRESENT', 'there is no WebGPU here']);
    say('package/inNode', got === want ? [] : [`want ${want}, got ${got}`]);
}

async function main(build) {
    const folder = install(build);
    runInNode(folder);
    const {origin, close} = await serve({'/node_modules/': path.join(folder, 'node_modules'),
        '/shaders/': path.join(root, 'tests/corpus/own/dxbc'), '/': path.join(root, 'tests/web/page')});
    const browser = new Browser();
    for (const name of Object.keys(right)) {
        const page = await browser.open(`${origin}/package.html`);
        await runProgram(page, name);
        await page.close();
    }
    browser.close();
    close();
    fs.rmSync(folder, {recursive: true});
}

await main(path.resolve(process.argv[2]));
process.exit(0);
