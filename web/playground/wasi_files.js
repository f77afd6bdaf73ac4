// SPDX-License-Identifier: MIT
//
// For modules that run scenes: files that the page has loaded, and sleeping, during which the page does something else.

import {createWASI} from './wasi.js';

const SUCCESS = 0, BAD_DESCRIPTOR = 8, NO_ENTRY = 44;
const ROOT = 3; // the folder that paths begin at
const REGULAR_FILE = 4, FOLDER = 3;
const FILESTAT_BYTES = 64;
const encoder = new TextEncoder();

// `files` are Uint8Arrays by absolute path. `sleep` is called when the module sleeps, and returns an error number or, if
// modules can be suspended, a promise of one.
export function createWASIWithFiles(memory, files, sleep) {
    const open = new Map();
    let next = ROOT + 1;

    const read = (descriptor, at, count, sizeAt) => {
        const file = open.get(descriptor);
        if (file === undefined)
            return BAD_DESCRIPTOR;
        memory.refresh();
        let total = 0;
        for (let i = 0; i < count; i++) {
            const to = memory.words[(at >> 2) + 2 * i], size = memory.words[(at >> 2) + 2 * i + 1];
            const part = file.bytes.subarray(file.position, file.position + size);
            memory.bytes.set(part, to);
            file.position += part.length;
            total += part.length;
        }
        memory.words[sizeAt >> 2] = total;
        return SUCCESS;
    };

    return {
        ...createWASI(memory),
        fd_close: (descriptor) => open.delete(descriptor) ? SUCCESS : BAD_DESCRIPTOR,
        fd_fdstat_get: (descriptor, at) => {
            memory.refresh();
            memory.bytes.fill(0, at, at + 24);
            memory.bytes[at] = descriptor === ROOT ? FOLDER : REGULAR_FILE;
            memory.view.setBigUint64(at + 8, 0xFFFFFFFFn, true);
            memory.view.setBigUint64(at + 16, 0xFFFFFFFFn, true);
            return SUCCESS;
        },
        fd_fdstat_set_flags: () => SUCCESS,
        fd_prestat_get: (descriptor, at) => {
            if (descriptor !== ROOT)
                return BAD_DESCRIPTOR;
            memory.refresh();
            memory.words[at >> 2] = 0;
            memory.words[(at >> 2) + 1] = 1;
            return SUCCESS;
        },
        fd_prestat_dir_name: (descriptor, at) => {
            memory.refresh();
            memory.bytes.set(encoder.encode('/'), at);
            return SUCCESS;
        },
        fd_read: read,
        // Of a file, for which only its kind is asked.
        path_filestat_get: (folder, flags, at, length, resultAt) => {
            memory.refresh();
            const bytes = files[normalize('/' + memory.text(at, length))];
            if (bytes === undefined)
                return NO_ENTRY;
            memory.bytes.fill(0, resultAt, resultAt + FILESTAT_BYTES);
            memory.bytes[resultAt + 16] = REGULAR_FILE;
            memory.view.setBigUint64(resultAt + 32, BigInt(bytes.length), true);
            return SUCCESS;
        },
        path_open: (folder, flags, at, length, openFlags, rights, inherited, fdFlags, resultAt) => {
            memory.refresh();
            const bytes = files[normalize('/' + memory.text(at, length))];
            if (bytes === undefined)
                return NO_ENTRY;
            open.set(next, {bytes, position: 0});
            memory.words[resultAt >> 2] = next++;
            return SUCCESS;
        },
        poll_oneoff: (from, to, count, resultAt) => {
            memory.refresh();
            memory.bytes.fill(0, to, to + 32);
            memory.words[resultAt >> 2] = count;
            return sleep();
        },
        proc_exit: (status) => {
            throw new Error(`the module ended with ${status}`);
        },
    };
}

function normalize(path) {
    const parts = [];
    for (const part of path.split('/')) {
        if (part === '..')
            parts.pop();
        else if (part !== '' && part !== '.')
            parts.push(part);
    }
    return '/' + parts.join('/');
}
