// SPDX-License-Identifier: MIT
/// <reference types="@webgpu/types" />

/** The guest's RAM: `read` and `write` copy all of the bytes and return true, or copy nothing and return false where
 *  the range is not RAM. They must not call into the device. */
export interface GuestMemory {
    read(gpa: number, to: Uint8Array): boolean;
    write(gpa: number, from: Uint8Array): boolean;
}

export interface Diagnostic {
    severity: 'note' | 'warning' | 'error';
    /** A stable code, such as `abi.size`. */
    code: string;
    message: string;
}

export interface Options {
    /** A device of the page's own. Ask for it with deviceDescriptor(). */
    device: GPUDevice;
    /** The guest's RAM from address 0 on, shared or not, or functions. */
    memory: Uint8Array | GuestMemory;
    /** The level of INTA#, at every change. */
    irq?: (asserted: boolean) => void;
    /** Presents are drawn there by the GPU, without a way through memory, as soon as they are executed. Scanouts that the
     *  guest has enabled are read back nevertheless: their frame buffer is guest memory. */
    canvas?: HTMLCanvasElement | OffscreenCanvas;
    /** Every present, read back, before its fence completes. */
    present?: (image: ImageData, scanout: number) => void;
    /** What the guest did wrong, and what the GPU did. */
    diagnostic?: (diagnostic: Diagnostic) => void;
    /** The page polls itself: called when a poll() has something to do, which is when WebGPU has answered, after writes of
     *  the guest, at vblanks, and while streams are executed in turns; never inside a call. Without it the device polls
     *  from timers. */
    wake?: () => void;
    /** The time in milliseconds; performance.now() by default. */
    now?: () => number;
    /** The rate of vblanks; 60000 by default. */
    refreshMillihertz?: number;
    /** Start with memory decoding and bus mastering off, as after a PCI reset, for machines with firmware. */
    decodeOff?: boolean;
    /** Where translations of shaders are kept for later visits: the name of a database of this origin, which create()
     *  reads as a whole, or a store of the page's own. Without it, or with null, nothing is kept. */
    cache?: string | CacheStore | null;
    /** Where aerogpu.wasm is, or the compiled module; beside this file by default. The first call of load() or create()
     *  decides. */
    module?: string | URL | WebAssembly.Module;
}

/** Bytes by names. Called inside calls. Entries are checked when they are used: one that is damaged is stored anew. */
export interface CacheStore {
    load(name: string): Uint8Array | undefined;
    /** The bytes are valid during the call. */
    store(name: string, bytes: Uint8Array): void;
}

/** A store in IndexedDB. */
export interface Cache extends CacheStore {
    /** Writes what is new, which otherwise happens soon. */
    flush(): Promise<void>;
    clear(): Promise<void>;
    close(): Promise<void>;
}

/** For several devices, one after the other; `name` is 'aerogpu' by default, `mostBytes` 64 MiB. Null where the browser keeps
 *  none. */
export declare function openCache(name?: string, mostBytes?: number): Promise<Cache | null>;

export interface Cursor {
    image: ImageData;
    /** Where the image's corner is on the scanout. */
    x: number;
    y: number;
}

/** One PCI function. Callbacks run inside calls and must not call into the device. */
export interface Device {
    /** PCI configuration space: 1, 2 or 4 bytes. */
    configRead(offset: number, size: number): number;
    configWrite(offset: number, size: number, value: number): void;
    /** BAR0: 1, 2 or 4 bytes. */
    mmioRead(offset: number, size?: number): number;
    mmioWrite(offset: number, size: number, value: number): void;
    /** BAR1; false past its end. */
    vramRead(offset: number, to: Uint8Array): boolean;
    vramWrite(offset: number, from: Uint8Array): boolean;
    /** Lets finished work complete and vblanks happen; true while submissions are outstanding. */
    poll(): boolean;
    /** Scanout 0, null while it is off or cannot be read. */
    readScanout(): ImageData | null;
    readCursor(): Cursor | null;
    /** Draws scanout and cursor; false while there is no scanout. */
    draw(canvas: HTMLCanvasElement | OffscreenCanvas): boolean;
    /** After the loss of its GPUDevice (its promise `lost`): the guest's next reset makes it work again. */
    replaceDevice(device: GPUDevice): boolean;
    /** What is held: objects of WebGPU, answers that have not come, bytes of the module's memory; translations of shaders
     *  that were needed, and how many of them the cache had. */
    readonly statistics: {handles: number, pending: number, memoryBytes: number,
        shaders: {translated: number, cached: number}};
    /** At any time, with work in flight, too. The GPUDevice stays the page's. */
    destroy(): void;
}

/** Fails with an Error where there is no WebGPU (Node, pages that are not secure) or the device cannot be made, with a
 *  TypeError when an option is no device or no memory. */
export declare function create(options: Options): Promise<Device>;

/** Begins to fetch and compile the module, which create() does otherwise: a page that calls it before it asks for an
 *  adapter waits for both at the same time. What goes wrong create() tells, and a later one tries again. */
export declare function load(module?: Options['module']): void;

/** What to ask an adapter for: all of its limits and features. */
export declare function deviceDescriptor(adapter: GPUAdapter): GPUDeviceDescriptor;
