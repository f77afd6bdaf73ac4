// SPDX-License-Identifier: MIT
//
// The bench in a headless Chromium: frames as streams beside WebGPU called by hand, then how long after a second visit to
// the playground the first picture of each demo is there. Prints text, or with --json an object a line.
//
// usage: node run.mjs BUILD_FOLDER [--json] [--frames N]

import path from 'node:path';

import {Browser, serve} from '../../tests/web/browser.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const [build, ...options] = process.argv.slice(2);
const frames = options.includes('--frames') ? Number(options[options.indexOf('--frames') + 1]) : 15;

const isJSON = options.includes('--json');
const DEMOS = ['mesh', 'hills', 'instances', 'post', 'ui'];
const PICTURE_MS = 60000, POLL_MS = 50;

// The first picture's time after the navigation, when the browser has been there before; null when none comes.
async function firstPicture(browser, address) {
    let time = null;
    for (let visit = 0; visit < 2; visit++) {
        const page = await browser.open(address);
        const late = Date.now() + PICTURE_MS;
        do {
            await new Promise((resolve) => setTimeout(resolve, POLL_MS));
            time = await page.call("() => performance.getEntriesByName('picture')[0]?.startTime ?? null");
        } while (time === null && Date.now() < late);
        await page.close();
    }
    return time;
}

const {origin, close} = await serve({'/': path.join(root, 'bench/web'), '/page/': path.join(root, 'tests/web/page'),
    '/site/': path.join(path.resolve(build), 'web/playground/site')});
const browser = new Browser();
const page = await browser.open(`${origin}/index.html`);
const rows = await page.call('runBench', frames);
for (const row of rows) {
    const ratio = row.ours_ms / row.raw_ms;
    console.log(isJSON ? JSON.stringify({...row, ratio}) :
        `${row.row.padEnd(12)} ${row.ours_ms.toFixed(2).padStart(8)} ms, by hand ${row.raw_ms.toFixed(2).padStart(8)} ms: ` +
        `${ratio.toFixed(2)} times${row.same ? '' : ', the pictures differ'}`);
}
await page.close();
let isGood = page.problems.length === 0 && rows.every(({same}) => same);
for (const demo of DEMOS) {
    const ms = await firstPicture(browser, `${origin}/site/index.html#demo=${demo}`);
    isGood &&= ms !== null;
    console.log(isJSON ? JSON.stringify({row: 'first picture', demo, ms}) :
        `${demo.padEnd(12)} ${ms === null ? 'no picture' : `${ms.toFixed(0).padStart(8)} ms to the first picture`}`);
}
browser.close();
close();
process.exit(isGood ? 0 : 1);
