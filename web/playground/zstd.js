// SPDX-License-Identifier: MIT
//
// Unpacks the chunks of captures for the module.

import {decompress} from './fzstd.js';

const FAILED = 0xFFFFFFFF;

export function createZstd(memory) {
    return {
        ZSTD_decompress: (to, toSize, from, fromSize) => {
            memory.refresh();
            const [at, size, source, sourceSize] = [to, toSize, from, fromSize].map((value) => value >>> 0);
            try {
                return decompress(memory.bytes.subarray(source, source + sourceSize),
                    memory.bytes.subarray(at, at + size)).length;
            } catch {
                return FAILED; // damaged, or larger than the chunk says
            }
        },
    };
}
