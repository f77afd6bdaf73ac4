// SPDX-License-Identifier: MIT
//
// Where things are in the memory that guest and device share, in bytes. The count of interrupts is no word of the guest's own:
// the emulator keeps it there, so that the guest's worker can sleep until it changes.

export const RING = 0x1000, FENCE = 0x2000, STREAM = 0x10000;
export const RING_HEADER_BYTES = 64, RING_ENTRIES = 8, ENTRY_BYTES = 64, TAIL = 28;
export const INTERRUPTS_WORD = 0x3000 / 4;
