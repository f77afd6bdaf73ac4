// SPDX-License-Identifier: MIT
//
// The bench in a headless Chromium: frames as streams beside WebGPU called by hand, then how long after a second visit to
// the playground the first picture of each demo is there. Prints text, or with --json an object a line. A figure is the
// processor time of the page's thread, so that what else the machine does does not count. With --profile FOLDER it leaves
// a CPU profile of each row there, for the developer tools of a browser.
//
// usage: node run.mjs BUILD_FOLDER [--json] [--frames N] [--profile FOLDER] [ROW...]

import fs from 'node:fs';
import path from 'node:path';
import {parseArgs} from 'node:util';

import {Browser, serve} from '../../tests/web/browser.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const {values, positionals: [build, ...wanted]} = parseArgs({allowPositionals: true, options: {json: {type: 'boolean'},
    frames: {type: 'string', default: '15'}, profile: {type: 'string'}}});
const FRAMES = 10, WARM_UP = 30; // of a measurement, and before the first
const WARM_UP_OF_FRAMES = 1000; // frames with one draw, for what runs once in a frame
const ROUNDS = Math.max(Math.ceil(Number(values.frames) / FRAMES), 3);
const DEMOS = ['mesh', 'hills', 'instances', 'post', 'ui'];
const PICTURE_MS = 60000;

const print = (object, text) => console.log(values.json ? JSON.stringify(object) : text);
const median = (numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1];

// Milliseconds of the processor that a page's thread has taken.
function threadTime(pid) {
    return Number(fs.readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
}

async function profiled(page, name, work) {
    if (values.profile === undefined)
        return;
    await page.send('Profiler.enable');
    await page.send('Profiler.setSamplingInterval', {interval: 100});
    await page.send('Profiler.start');
    await work();
    const {profile} = await page.send('Profiler.stop');
    fs.mkdirSync(values.profile, {recursive: true});
    fs.writeFileSync(path.join(values.profile, `${name}.cpuprofile`), JSON.stringify(profile));
}

// A frame's milliseconds in both ways, in turns.
async function compare(page, pid, number) {
    const run = (way, frames) => page.call('runFrames', way, number, frames);
    const taken = {ours: [], raw: []};
    for (const way of ['ours', 'raw'])
        await run(way, WARM_UP);
    for (let round = 0; round < ROUNDS; round++) {
        for (const way of ['ours', 'raw']) {
            const start = threadTime(pid);
            await run(way, FRAMES);
            taken[way].push((threadTime(pid) - start) / FRAMES);
        }
    }
    return [median(taken.ours), median(taken.raw), run];
}

async function frames(browser, origin) {
    const page = await browser.open(`${origin}/index.html`);
    const pid = await browser.rendererOf(page);
    let isGood = true;
    const rows = await page.call('openBench');
    for (const way of ['ours', 'raw'])
        await page.call('runFrames', way, 0, WARM_UP_OF_FRAMES);
    for (const [number, {row, what}] of rows.entries()) {
        if (wanted.length !== 0 && !wanted.includes(row))
            continue;
        const [ours, raw, run] = await compare(page, pid, number);
        const same = await page.call('samePictures'), ratio = ours / raw;
        print({row, what, ours_ms: ours, raw_ms: raw, ratio, same}, `${row.padEnd(12)} ${ours.toFixed(2).padStart(8)} ms, ` +
            `by hand ${raw.toFixed(2).padStart(8)} ms: ${ratio.toFixed(2)} times${same ? '' : ', the pictures differ'}`);
        isGood &&= same;
        for (const way of ['ours', 'raw'])
            await profiled(page, `${row}-${way}`, () => run(way, FRAMES * ROUNDS));
    }
    await page.close();
    return isGood && page.problems.length === 0;
}

const firstPictureTime = `() => new Promise((resolve) => {
    const look = () => {
        const [mark] = performance.getEntriesByName('picture');
        if (mark !== undefined)
            resolve(mark.startTime);
    };
    new PerformanceObserver(look).observe({type: 'mark', buffered: true});
    look();
})`;

// When the first picture is there after a navigation, and what all processes of the browser took of processors until then;
// null when none comes. The browser has been there before.
async function firstPicture(browser, address) {
    const used = async () => (await browser.send('SystemInfo.getProcessInfo')).processInfo.reduce(
        (sum, {cpuTime}) => sum + cpuTime * 1000, 0);
    let found = null;
    for (let visit = 0; visit < 2; visit++) {
        const before = await used();
        const page = await browser.open(address);
        let timer;
        const late = new Promise((resolve) => timer = setTimeout(() => resolve(null), PICTURE_MS));
        const ms = await Promise.race([page.call(firstPictureTime), late]);
        clearTimeout(timer);
        found = ms === null ? null : {ms, cpu_ms: await used() - before};
        await page.close();
    }
    return found;
}

async function firstPictures(browser, origin) {
    let isGood = true;
    for (const demo of DEMOS) {
        if (wanted.length !== 0 && !wanted.includes(demo))
            continue;
        const found = await firstPicture(browser, `${origin}/site/index.html#demo=${demo}`);
        isGood &&= found !== null;
        print({row: 'first picture', demo, ...found}, `${demo.padEnd(12)} ${found === null ? 'no picture' :
            `${found.ms.toFixed(0).padStart(8)} ms to the first picture, ${found.cpu_ms.toFixed(0)} ms of processors`}`);
    }
    return isGood;
}

const {origin, close} = await serve({'/': path.join(root, 'bench/web'), '/page/': path.join(root, 'tests/web/page'),
    '/site/': path.join(path.resolve(build), 'web/playground/site')});
const browser = new Browser();
const isGood = [await frames(browser, origin), await firstPictures(browser, origin)].every((good) => good);
browser.close();
close();
process.exit(isGood ? 0 : 1);
