// SPDX-License-Identifier: MIT
//
// What wasi-libc asks of its host in the library: the time, and streams for a formatting library that writes to none.

const SUCCESS = 0, BAD_DESCRIPTOR = 8, NOT_SUPPORTED = 58;

export function createWASI(memory) {
    return {
        clock_time_get: (clock, precision, at) => {
            memory.refresh();
            const nanoseconds = performance.now() * 1e6;
            memory.words[at >>> 2] = nanoseconds; // as much of it as 32 bits hold
            memory.words[(at >>> 2) + 1] = nanoseconds / 0x100000000;
            return SUCCESS;
        },
        fd_close: () => BAD_DESCRIPTOR,
        fd_seek: () => NOT_SUPPORTED,
        fd_write: () => BAD_DESCRIPTOR,
    };
}
