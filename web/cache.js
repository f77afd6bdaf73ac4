// SPDX-License-Identifier: MIT
//
// Translations of shaders that outlive the page, in IndexedDB. All entries are read before the device starts, since the
// library asks for them inside calls; what is new is written later.

const STORE = 'entries';
const WRITE_DELAY_MS = 200;
const DAY_MS = 86400000;
export const DEFAULT_CACHE_BYTES = 64 << 20;

const done = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
});

const finished = (transaction) => new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = transaction.onerror = () => reject(transaction.error);
});

class Cache {
    constructor(database, mostBytes) {
        this.database = database;
        this.mostBytes = mostBytes;
        this.entries = new Map(); // {name, bytes, used} by name
        this.bytes = 0; // of all entries
        this.changed = new Set(); // names, also of entries that are gone
        this.writing = Promise.resolve();
    }

    async read() {
        const objects = this.database.transaction(STORE).objectStore(STORE);
        for (const entry of await done(objects.getAll()))
            if (entry.bytes instanceof Uint8Array)
                this.add(entry);
        this.shrink();
    }

    add(entry) {
        this.bytes += entry.bytes.length - (this.entries.get(entry.name)?.bytes.length ?? 0);
        this.entries.set(entry.name, entry);
    }

    // When there is too much, drops what was not used for the longest time.
    shrink() {
        if (this.bytes <= this.mostBytes)
            return;
        for (const {name, bytes} of [...this.entries.values()].sort((a, b) => a.used - b.used)) {
            if (this.bytes <= this.mostBytes * 3 / 4)
                break;
            this.bytes -= bytes.length;
            this.entries.delete(name);
            this.change(name);
        }
    }

    load(name) {
        const entry = this.entries.get(name);
        if (entry !== undefined && Date.now() - entry.used > DAY_MS) {
            entry.used = Date.now();
            this.change(name);
        }
        return entry?.bytes;
    }

    store(name, bytes) {
        this.add({name, bytes: bytes.slice(), used: Date.now()});
        this.change(name);
        this.shrink();
    }

    change(name) {
        this.changed.add(name);
        this.timer ??= setTimeout(() => this.flush(), WRITE_DELAY_MS);
    }

    // Writes what has changed. A full or closed database keeps what it has.
    flush() {
        clearTimeout(this.timer);
        this.timer = undefined;
        this.writing = this.writing.then(async () => {
            const names = [...this.changed];
            this.changed.clear();
            if (names.length === 0 || this.isClosed)
                return;
            const transaction = this.database.transaction(STORE, 'readwrite');
            const objects = transaction.objectStore(STORE);
            for (const name of names)
                this.entries.has(name) ? objects.put(this.entries.get(name)) : objects.delete(name);
            await finished(transaction);
        }).catch(() => {});
        return this.writing;
    }

    async clear() {
        this.entries.clear();
        this.bytes = 0;
        this.changed.clear();
        const transaction = this.database.transaction(STORE, 'readwrite');
        transaction.objectStore(STORE).clear();
        await finished(transaction);
    }

    async close() {
        await this.flush();
        this.isClosed = true;
        this.database.close();
    }
}

// The cache of this origin with this name; null where the browser keeps none.
export async function openCache(name = 'aerogpu', mostBytes = DEFAULT_CACHE_BYTES) {
    try {
        const request = indexedDB.open(`${name}-shaders`, 1);
        request.onupgradeneeded = () => request.result.createObjectStore(STORE, {keyPath: 'name'});
        const cache = new Cache(await done(request), mostBytes);
        await cache.read();
        return cache;
    } catch {
        return null;
    }
}

const NAME_BYTES = 16;

// What the module imports; `store` is a Cache, or anything with its load() and store().
export function cacheImports(memory, store) {
    const bytes = (at, size) => {
        memory.refresh();
        return memory.bytes.subarray(at >>> 0, (at >>> 0) + (size >>> 0));
    };
    const text = (at) => Array.from(bytes(at, NAME_BYTES), (byte) => byte.toString(16).padStart(2, '0')).join('');
    return {
        cache_load: (name, sizeAt) => {
            const found = store?.load(text(name));
            const at = found !== undefined ? memory.allocate(Math.max(found.length, 1)) : 0;
            if (at === 0)
                return 0;
            bytes(at, found.length).set(found);
            memory.words[sizeAt >>> 2] = found.length;
            return at;
        },
        cache_store: (name, at, size) => store?.store(text(name), bytes(at, size)),
    };
}
