// SPDX-License-Identifier: MIT
//
// Numbers for JavaScript's objects, counted like the objects of WebGPU's C interface.
//
// The library finds bind groups by the numbers of what they bind, and may remember numbers of objects that are gone.
// So a number comes again only when all others of its kind have been given out. Encoders and passes, of which every
// frame makes many and which nothing remembers, have numbers of their own: negative ones, small enough for engines to
// keep them without an object.
//
// Memory of the GPU is given back with destroy() as soon as nothing can use it: the library has released the object,
// and so has all that was made of it, and every command that was being recorded then is submitted.

const LASTING_FIRST = 1, LASTING_LAST = 0x7FFFFFFF;
const PASSING_FIRST = -0x40000000, PASSING_LAST = -1;
const NONE = [];
const RECENT = 1024; // places of entries that were looked up, by the low bits of their numbers

export class Handles {
    constructor() {
        this.entries = new Map();
        this.recent = new Array(RECENT).fill(null); // looking into a map takes several times as long
        this.lasting = LASTING_FIRST;
        this.passing = PASSING_FIRST;
        this.recording = 0; // encoders and command buffers that are not submitted
        this.doomed = [];
    }

    get live() {
        return this.entries.size;
    }

    // The entry of an object that keeps the entries `parts` alive.
    add(object, parts = NONE) {
        while (this.entries.has(this.lasting))
            this.lasting = this.lasting === LASTING_LAST ? LASTING_FIRST : this.lasting + 1;
        const handle = this.lasting;
        this.lasting = handle === LASTING_LAST ? LASTING_FIRST : handle + 1;
        for (const part of parts)
            part.users++;
        this.entries.set(handle, {handle, object, references: 1, users: 1, parts, mapped: null});
        return handle;
    }

    // Encoders, passes, command buffers.
    addPassing(object) {
        while (this.entries.has(this.passing))
            this.passing = this.passing === PASSING_LAST ? PASSING_FIRST : this.passing + 1;
        const handle = this.passing;
        this.passing = handle === PASSING_LAST ? PASSING_FIRST : handle + 1;
        this.entries.set(handle, {handle, object, references: 1, users: 1, parts: NONE, mapped: null});
        return handle;
    }

    entry(handle) {
        const number = handle | 0, recent = this.recent[number & (RECENT - 1)];
        if (recent !== null && recent.handle === number)
            return recent;
        const entry = this.entries.get(number);
        if (entry !== undefined)
            this.recent[number & (RECENT - 1)] = entry;
        return entry;
    }

    object(handle) {
        return handle === 0 ? undefined : this.entry(handle).object;
    }

    retain(handle) {
        this.entry(handle).references++;
    }

    release(handle) {
        const entry = this.entry(handle);
        if (--entry.references > 0)
            return null;
        this.recent[entry.handle & (RECENT - 1)] = null;
        this.entries.delete(entry.handle);
        if (entry.handle > 0)
            this.unuse(entry);
        return entry;
    }

    unuse(entry) {
        if (--entry.users > 0)
            return;
        for (const part of entry.parts)
            this.unuse(part);
        if (!isDestroyable(entry.object))
            return;
        this.doomed.push(entry.object);
        if (this.recording === 0)
            this.destroyDoomed();
    }

    startRecording() {
        this.recording++;
    }

    endRecording() {
        if (--this.recording === 0)
            this.destroyDoomed();
    }

    destroyDoomed() {
        for (const object of this.doomed)
            object.destroy();
        this.doomed.length = 0;
    }
}

function isDestroyable(object) {
    return object instanceof GPUBuffer || object instanceof GPUTexture || object instanceof GPUQuerySet;
}
