// SPDX-License-Identifier: MIT
//
// A headless Chromium with WebGPU on SwiftShader, spoken to through pipes in its DevTools protocol, and a server of
// files for its pages.

import {spawn} from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';

const PROGRAM = process.env.AEROGPU_CHROMIUM ?? 'chromium-headless-shell';
const FLAGS = ['--headless', '--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync', '--disable-default-apps', '--enable-unsafe-webgpu',
    '--use-webgpu-adapter=swiftshader', '--use-angle=swiftshader', '--use-vulkan=swiftshader',
    '--enable-features=Vulkan', '--ignore-gpu-blocklist', '--disable-dev-shm-usage', '--remote-debugging-pipe'];
const TYPES = {'.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.json': 'application/json',
    '.wasm': 'application/wasm', '.css': 'text/css'};

// Serves files of folders: {'/prefix/': folder}. Pages may share memory between threads.
export function serve(folders) {
    const server = http.createServer((request, response) => {
        const name = decodeURIComponent(new URL(request.url, 'http://localhost').pathname);
        const prefix = Object.keys(folders).filter((candidate) => name.startsWith(candidate)).sort().pop();
        const file = prefix && path.join(folders[prefix], path.normalize('/' + name.slice(prefix.length)),
            name.endsWith('/') ? 'index.html' : '');
        fs.readFile(file ?? '', (error, data) => {
            response.writeHead(error ? 404 : 200, {
                'content-type': TYPES[path.extname(file ?? '')] ?? 'application/octet-stream',
                'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp'});
            response.end(error ? '' : data);
        });
    });
    return new Promise((resolve) => server.listen(0, '127.0.0.1', () =>
        resolve({origin: `http://127.0.0.1:${server.address().port}`, close: () => server.close()})));
}

export class Browser {
    constructor() {
        this.folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aerogpu-chromium-'));
        const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VK_')));
        this.process = spawn(PROGRAM, [...FLAGS, `--user-data-dir=${this.folder}`, 'about:blank'],
            {stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'], env: environment, detached: true});
        this.waiting = new Map();
        this.pages = new Map();
        this.last = 0;
        let text = '';
        this.process.stdio[4].setEncoding('utf8').on('data', (part) => {
            const messages = (text + part).split('\0');
            text = messages.pop();
            messages.forEach((message) => this.receive(JSON.parse(message)));
        });
        const ended = (why) => {
            this.waiting.forEach(({reject}) => reject(new Error(why)));
            this.waiting.clear();
        };
        this.process.stdio[3].on('error', () => {});
        this.process.on('error', (error) => ended(String(error)));
        this.process.on('exit', (status) => ended(`the browser ended with ${status}`));
        process.on('exit', () => this.close());
    }

    send(method, params = {}, sessionId = undefined) {
        const id = ++this.last;
        return new Promise((resolve, reject) => {
            this.waiting.set(id, {resolve, reject});
            this.process.stdio[3].write(JSON.stringify({id, method, params, sessionId}) + '\0');
        });
    }

    receive(message) {
        if (message.id === undefined) {
            this.pages.get(message.sessionId)?.hear(message);
            return;
        }
        const {resolve, reject} = this.waiting.get(message.id) ?? {};
        this.waiting.delete(message.id);
        if (message.error)
            reject?.(new Error(message.error.message));
        else
            resolve?.(message.result);
    }

    async open(url) {
        const {targetId} = await this.send('Target.createTarget', {url: 'about:blank'});
        const {sessionId} = await this.send('Target.attachToTarget', {targetId, flatten: true});
        const page = new Page(this, targetId, sessionId);
        this.pages.set(sessionId, page);
        await page.send('Runtime.enable');
        await page.send('Log.enable');
        await page.send('Page.enable');
        const loaded = new Promise((resolve) => page.loaded = resolve);
        await page.send('Page.navigate', {url});
        await loaded;
        return page;
    }

    // The number of the process that runs a page, which is the number of its main thread.
    async rendererOf(page) {
        const taken = async () => new Map((await this.send('SystemInfo.getProcessInfo')).processInfo.filter(
            ({type}) => type === 'renderer').map(({id, cpuTime}) => [id, cpuTime]));
        const before = await taken();
        await page.call('() => { for (const end = performance.now() + 300; performance.now() < end;); }');
        const after = await taken();
        const used = ([id, time]) => time - (before.get(id) ?? 0);
        return [...after].sort((a, b) => used(b) - used(a))[0][0];
    }

    close() {
        if (this.process.exitCode === null && this.process.pid !== undefined) {
            try {
                process.kill(-this.process.pid, 'SIGKILL');
            } catch {
                // it has just ended
            }
        }
        fs.rmSync(this.folder, {recursive: true, force: true, maxRetries: 5});
    }
}

class Page {
    constructor(browser, targetId, sessionId) {
        this.browser = browser;
        this.targetId = targetId;
        this.sessionId = sessionId;
        this.problems = []; // exceptions that nobody caught and errors in the console
    }

    send(method, params) {
        return this.browser.send(method, params, this.sessionId);
    }

    hear({method, params}) {
        if (method === 'Page.loadEventFired')
            this.loaded();
        else if (method === 'Runtime.exceptionThrown')
            this.problems.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
        else if (method === 'Runtime.consoleAPICalled' && params.type === 'error')
            this.problems.push(params.args.map((value) => value.value ?? value.description).join(' '));
        else if (method === 'Log.entryAdded' && params.entry.level === 'error')
            this.problems.push(`${params.entry.text} ${params.entry.url ?? ''}`);
    }

    // Calls a function in the page and waits for what it promises.
    async call(body, ...values) {
        const {result, exceptionDetails} = await this.send('Runtime.evaluate', {awaitPromise: true,
            returnByValue: true, expression: `(${body})(...${JSON.stringify(values)})`});
        if (exceptionDetails)
            throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
        return result.value;
    }

    async screenshot(file) {
        const {data} = await this.send('Page.captureScreenshot', {format: 'png'});
        fs.writeFileSync(file, Buffer.from(data, 'base64'));
    }

    async close() {
        await this.browser.send('Target.closeTarget', {targetId: this.targetId});
        this.browser.pages.delete(this.sessionId);
    }
}
