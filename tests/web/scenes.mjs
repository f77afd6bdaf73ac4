// SPDX-License-Identifier: MIT
//
// Runs scenes in a browser and prints a line of JSON for each, like `aerogpu run --json`.
//
// usage: node scenes.mjs BUILD_FOLDER SCENE...

import fs from 'node:fs';
import path from 'node:path';

import {Browser, serve} from './browser.mjs';
import {decodePicture} from '../../web/playground/png.js';

const SCENE_MS = 180000;

function packageFolders(build) {
    const root = path.resolve(import.meta.dirname, '../..');
    return {'/files/': '/', '/module/': path.join(build, 'web'), '/package/': path.join(build, 'web/playground/site'),
        '/': path.join(root, 'tests/web/page')};
}

// The pictures that a scene names, decoded: browsers would change their colours.
async function addPictures(page, scene) {
    const text = fs.readFileSync(scene, 'utf8');
    const names = [...text.matchAll(/\bpng "([^"]+)"/g)].map((match) => path.resolve(path.dirname(scene), match[1]));
    const others = [...text.matchAll(/\bfile="([^"]+)"/g)].map((match) => path.resolve(path.dirname(scene), match[1]));
    for (const name of new Set(names.filter((name) => fs.existsSync(name))))
        await page.call('addFile', name, Buffer.from(await decodePicture(fs.readFileSync(name))).toString('base64'));
    for (const name of new Set(others.filter((name) => fs.existsSync(name))))
        await page.call('addFile', name, fs.readFileSync(name).toString('base64'));
}

function withinTime(promise, milliseconds, what) {
    let timer;
    const late = new Promise((_, reject) => {
        timer = setTimeout(() => reject(new Error(`${what} took longer than ${milliseconds / 1000} s`)), milliseconds);
    });
    return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

async function openPage(browser, origin) {
    const page = await browser.open(`${origin}/scenes.html`);
    const opened = await page.call('openRunner');
    if (!opened.created)
        throw new Error('the page has no device');
    return page;
}

async function main(build, scenes) {
    const {origin, close} = await serve(packageFolders(build));
    let browser = new Browser();
    let page = await openPage(browser, origin);
    for (const scene of scenes.map((name) => path.resolve(name))) {
        let report;
        try {
            await addPictures(page, scene);
            report = await withinTime(page.call('runScene', scene, false), SCENE_MS, scene);
        } catch (error) {
            report = {path: scene, result: 'failed', log: String(error), hashes: []};
        }
        report.problems = page.problems.splice(0);
        process.stdout.write(JSON.stringify(report) + '\n');
        // The module is in no state to go on, or its device is gone, which is the fault of this scene alone.
        if (report.live === undefined || report.log.includes('gpu.lost')) {
            browser.close();
            browser = new Browser();
            page = await openPage(browser, origin);
        }
    }
    const left = await page.call('closeRunner');
    process.stdout.write(JSON.stringify({left}) + '\n');
    browser.close();
    close();
}

await main(process.argv[2], process.argv.slice(3));
process.exit(0);
