/* SPDX-License-Identifier: MIT
 *
 * The AeroGPU PCI device: configuration space, BAR0 registers, VRAM, ring, fences, interrupts, vblank,
 * scanout and cursor. (Spec: ABI sections 1-4, 10 and 13.) An emulator embeds it like this:
 *
 *   - make an executor (aerogpu/executor.h), then the device on it with callbacks into guest RAM and the
 *     interrupt controller;
 *   - forward accesses to the function's configuration space to agpu_device_config_read() and _write(); they
 *     answer BAR sizing, so the guest (or your firmware) assigns the BARs as for any PCI device;
 *   - forward accesses that hit BAR0, 64 KiB, to agpu_device_mmio_read() and _write(), and those that hit
 *     BAR1, 64 MiB, to agpu_device_vram_read() and _write(); route them by the BARs as your PCI bus decodes
 *     them. A machine without a PCI bus model leaves the BARs alone and forwards from wherever it likes;
 *   - drive INTA# of the function with set_irq, level-triggered;
 *   - tell the device the time of the guest's writes with now_ns();
 *   - call agpu_device_poll() from the event loop: at agpu_device_next_event_ns() at the latest, and every
 *     millisecond or so while it returns true;
 *   - once a frame, show agpu_device_read_scanout() with agpu_device_read_cursor() on top, or take the
 *     pictures of the `presented` callback.
 *
 * examples/embed_null.c is such a machine with nothing to show, examples/present.c one with a picture.
 *
 * Threads: all calls for one device and its executor come from one thread, one at a time; several devices can
 * live in one process, on different threads. Callbacks run on the calling thread, inside the call, and must
 * not call into the device. Guest processors may run meanwhile: the device copies before it checks.
 *
 * The guest is not trusted: nothing it writes makes a call fail, block or touch memory outside the callbacks.
 * What it does wrong is in its error registers, and in words at the diagnostics sink (codes device.* and
 * abi.*). The memory it can make a device hold is bounded (spec: ABI 14): 64 MiB for VRAM, 128 MiB for
 * submissions that wait for the executor, and what the executor keeps of up to 1024 outstanding ones, which
 * are at most 128 MiB and one more. Past that, descriptors stay in the ring until some complete. What the
 * guest's objects and its work in flight may take is the executor's options (aerogpu/executor.h).
 *
 * The time of a call is bounded, too: the executor works for a slice (2 ms unless its options say otherwise)
 * and what was begun by then: one packet, or a part of a packet that means much work, of about 4 MiB or 1,024
 * draws. A packet that makes a shader or needs a pipeline takes what its compiler takes. agpu_device_poll()
 * goes on.
 */
#ifndef AEROGPU_DEVICE_H
#define AEROGPU_DEVICE_H

#include "aerogpu/api.h"
#include "aerogpu/executor.h"

#ifdef __cplusplus
extern "C" {
#endif

struct agpu_device;

struct agpu_device_callbacks {
    uint32_t size; /* sizeof of this structure, or 0 (see aerogpu/diag.h). Since 0.2 */
    /* Guest RAM by guest-physical address; both functions are needed. Called from mmio_write (doorbell, ring
     * reset), config_write (bus mastering comes on), both also for vblanks that are due, poll, read_scanout
     * and read_cursor. Addresses inside BAR1, where the guest mapped it, never get here: the device resolves
     * them itself (spec: ABI 13, M11). Nor do those inside BAR0, which the device does not access: such
     * accesses fail. Where a machine routes an access to this device all the same, its BARs and configuration
     * space read as ones and ignore writes until the callback returns. */
    struct agpu_guest_memory memory;
    /* The level of INTA#; called on every change, after the fence page and write-backs are stored. The line
     * starts low. May be null: read IRQ_STATUS instead. */
    void (*set_irq)(void *user, bool asserted);
    /* Every present, after it was stored into the scanout's frame buffer and before its fence completes. May
     * be null. */
    void (*presented)(void *user, const struct agpu_present *present);
    /* What the guest did wrong, from the device and its executor. Copied into both. A guest can cause as many
     * as it likes: options->diagnostics_per_second limits the rate. */
    struct agpu_diag_sink diagnostics;
    void *user; /* for set_irq, presented and now_ns */
    /* The embedder's clock, the one of agpu_device_poll(). Asked at every write to BAR0 and to configuration
     * space: vblanks that are due by then come before the write, so that what the guest enables after a pause
     * sees nothing of the time before, and a vsync present that is rung after a vblank waits for the next
     * one. May be null: such writes then happen at the time of the last poll. Must not call into the device.
     * Since 0.2 */
    uint64_t (*now_ns)(void *user);
    /* Whether anybody looks at the windows of the guest (EXT_PRESENT). While nobody does, `presented` comes
     * without pixels, and the GPU does less. May be null: `presented` looks, where there is one. A tap that
     * hears of presents looks always. Since 0.2 */
    bool (*looks)(void *user);
    /* Every present that is looked at, as a texture on the GPU (struct agpu_shown), when the packet is
     * executed: to be drawn to a window without a way through memory. Returns whether `presented` wants its
     * pixels, too. They are read back in any case for an enabled scanout, whose frame buffer is guest memory,
     * and for a tap. May be null; is not called where the executor is in another process. Must not call into
     * the device. Since 0.2 */
    bool (*shown)(void *user, const struct agpu_shown *shown);
    /* Whether `presented` takes pixels as the GPU keeps them (agpu_executor_events); not where there is a tap
     * that hears of presents: those are RGBA8. Since 0.2 */
    bool takes_any_layout;
};

struct agpu_device_options;

/* One access of the device or its executor to guest RAM. */
struct agpu_device_access {
    uint64_t gpa;
    size_t size;
    const void *data; /* what was read or written; null: the embedder's callback refused */
    bool by_executor; /* false: by the device itself (ring, descriptors, fence page, frame buffer) */
};

/* Hears of everything that crosses a device's boundary, in the order in which it happens: what a recorder
 * (aerogpu/capture.h) needs. Functions may be null. They are called on the thread of the device's calls,
 * inside them, and must not call into the device; pointers are valid during the call. */
struct agpu_device_tap {
    uint32_t size; /* sizeof of this structure, or 0 (see aerogpu/diag.h). Since 0.2 */
    void (*created)(void *user, const struct agpu_device_options *options, uint64_t now_ns);
    /* Writes of the embedder, before the device acts on them. */
    void (*config_write)(void *user, uint32_t offset, uint32_t size, uint32_t value);
    void (*mmio_write)(void *user, uint64_t offset, uint32_t size, uint64_t value);
    void (*vram_write)(void *user, uint64_t offset, const void *from, size_t size);
    /* A poll or a write with a later time than before; `ticks`: a vblank is due by then. */
    void (*time)(void *user, uint64_t now_ns, bool ticks);
    /* Guest RAM, after the access; read_scanout and read_cursor are not reported. */
    void (*memory_read)(void *user, const struct agpu_device_access *access);
    void (*memory_write)(void *user, const struct agpu_device_access *access);
    /* A submission that passed the device's checks; its stream lies at `stream_gpa`, 0 when it has none. */
    void (*submitted)(void *user, const struct agpu_submission *submission, uint64_t stream_gpa);
    void (*presented)(void *user, const struct agpu_present *present);
    /* The executor finished a submission: its presents and write-backs came before. */
    void (*executed)(void *user, uint32_t submission, uint32_t error);
    /* A submission's turn to complete its fence; `error` is enum aerogpu_error_code. */
    void (*completed)(void *user, uint32_t submission, uint64_t fence, uint32_t error);
    void *user;
};

/* Zero is the default of every field. */
struct agpu_device_options {
    uint32_t size;               /* sizeof of this structure, or 0 (see aerogpu/diag.h). Since 0.2 */
    uint32_t refresh_millihertz; /* default 60000; UINT32_MAX: no vblank, the VBLANK feature bit is off */
    bool pci_decode_off;         /* start with memory decoding and bus mastering off, as after a PCI reset */
    const struct agpu_device_tap *tap; /* copied; default none */

    /* Diagnostics of a second that go to the sink of the callbacks, after a burst of four seconds' worth;
     * what comes above is left out, and said in one of them (device.diagnostics). Registers count all. 0:
     * AGPU_DEFAULT_DIAGNOSTICS_PER_SECOND; AGPU_NO_DIAGNOSTICS_LIMIT: any number. Since 0.2 */
    uint32_t diagnostics_per_second;
};

#define AGPU_DEFAULT_DIAGNOSTICS_PER_SECOND 1000
#define AGPU_NO_DIAGNOSTICS_LIMIT UINT32_MAX

/* Creates a device on an executor, which it borrows: destroy the device first. The executor serves this
 * device only. `options` may be null; `callbacks` is copied. `now_ns` is the time of the embedder's clock
 * that counts as device boot. AGPU_REFUSED (device.argument) without an executor or memory callbacks,
 * AGPU_NO_MEMORY. */
AGPU_API enum agpu_status agpu_device_create(const struct agpu_device_options *options,
                                             const struct agpu_device_callbacks *callbacks,
                                             struct agpu_executor *executor, uint64_t now_ns,
                                             struct agpu_device **device);

/* Drops outstanding work (the executor's too, by its reset) without completing fences. Accepts null. */
AGPU_API void agpu_device_destroy(struct agpu_device *device);

/* What a reset of the machine does: configuration space, registers, VRAM, ring and vblank are those of a
 * device that was just made, at the time of the last poll or write; outstanding work is dropped without
 * completing fences, the executor is reset, and a save ends. Guest memory is not touched. May call set_irq. A
 * recording of the device (its tap) does not hear of this and would be wrong from here on: with a tap,
 * AGPU_REFUSED (device.argument) and nothing happens. Since 0.2 */
AGPU_API enum agpu_status agpu_device_reset(struct agpu_device *device);

/* ---- PCI ----------------------------------------------------------------------------------------------- */

/* PCI configuration space, 256 bytes: accesses of 1, 2 or 4 bytes at any alignment. Bytes past the end read
 * 0xFF and ignore writes. There are no capabilities, no I/O BARs and no expansion ROM. Switching bus
 * mastering on does what waited for it: a reset's memory writes, the fence page, a doorbell. */
AGPU_API uint32_t agpu_device_config_read(struct agpu_device *device, uint32_t offset, uint32_t size);
AGPU_API void agpu_device_config_write(struct agpu_device *device, uint32_t offset, uint32_t size,
                                       uint32_t value);

/* BAR0: accesses of 1, 2, 4 or 8 bytes at any offset below AEROGPU_PCI_BAR0_SIZE_BYTES. Narrow writes keep
 * the other bytes of their register; wide and unaligned ones go register by register, lowest first. Unknown
 * registers read 0; with memory decoding off, past the end or at other sizes everything reads ones, and
 * writes are ignored.
 *
 * A doorbell write consumes descriptors before it returns and hands them to the executor, which works on them
 * for one slice; it does not wait for their execution. It takes what there is room for, up to 1024
 * descriptors and 4 MiB of what they name at a time, so that no guest makes a write last long;
 * agpu_device_poll() takes the rest. */
AGPU_API uint64_t agpu_device_mmio_read(struct agpu_device *device, uint64_t offset, uint32_t size);
AGPU_API void agpu_device_mmio_write(struct agpu_device *device, uint64_t offset, uint32_t size,
                                     uint64_t value);

/* BAR1: `size` bytes of VRAM at `offset`. All or nothing: false past AEROGPU_PCI_BAR1_SIZE_BYTES, with memory
 * decoding off, or (write) when the host has no memory left; reads then give ones. VRAM starts as zeros,
 * takes host memory from its first write on, and outlives ring resets. A legacy VGA or VBE device of the
 * embedder's may draw here too: the linear frame buffer is at AEROGPU_PCI_BAR1_VBE_LFB_OFFSET_BYTES. */
AGPU_API bool agpu_device_vram_read(struct agpu_device *device, uint64_t offset, void *to, size_t size);
AGPU_API bool agpu_device_vram_write(struct agpu_device *device, uint64_t offset, const void *from,
                                     size_t size);

/* ---- Time ---------------------------------------------------------------------------------------------- */

/* Advances the device to the embedder's time in ns; an earlier time than before counts as the time before.
 * First finished submissions complete their fences, then vblank ticks up to `now_ns` happen (at most the
 * newest 1024; each has the time at which it was due), each letting one VSYNC present go, then descriptors
 * are taken that a doorbell left in the ring. Never blocks. Returns true while submissions are outstanding:
 * work that the executor has not finished, a fence that waits for a vblank, or such descriptors. */
AGPU_API bool agpu_device_poll(struct agpu_device *device, uint64_t now_ns);

/* The next time at which poll has something to do of its own: the time of the last poll or write when the
 * executor has work left that needs no GPU (aerogpu/executor.h, has_more), else the next vblank, or
 * UINT64_MAX while scanout 0 is disabled or there is no vblank. */
AGPU_API uint64_t agpu_device_next_event_ns(const struct agpu_device *device);

/* ---- Snapshots -----------------------------------------------------------------------------------------
 *
 * A snapshot has everything that the device and its executor hold: registers, VRAM, submissions that wait,
 * objects and their contents, states and bindings of all contexts. Guest memory is the embedder's. To save a
 * guest, stop its processors, save the device, and save guest memory when the save is done; to load it, load
 * guest memory, make a device with the same options and an executor with the same options, and load the
 * device into it. The guest then goes on as it would have: the same pictures, the same fences. Another WebGPU
 * device may differ by how its arithmetic does. docs/snapshots.md has the format and what is kept. Since 0.2
 */

/* Begins to save. From here on the executor is given no submissions; descriptors stay in the ring. Contents
 * have to be read from the GPU, so that agpu_device_save_poll() goes on. The writer is copied. AGPU_REFUSED:
 * the executor has no snapshots (snapshot.unsupported), its GPU device is lost, a save is under way, or the
 * guest switched bus mastering off with work in flight (snapshot.state); AGPU_NO_MEMORY. Nothing is saved
 * then, and the device goes on. */
AGPU_API enum agpu_status agpu_device_save_begin(struct agpu_device *device,
                                                 const struct agpu_snapshot_writer *writer);

/* Goes on with a save; never blocks. Submissions that the executor has begun are finished meanwhile: fences,
 * write-backs and pictures may come. DONE: the snapshot is written; it has the state of this moment, and so
 * has guest memory that is saved before the next call. FAILED: the writer refused, the GPU was lost or the
 * guest reset the device (reported, and save_begin may be called again). The device goes on in both cases. */
AGPU_API enum agpu_save_state agpu_device_save_poll(struct agpu_device *device);

/* Ends a save that is under way; without one it does nothing. */
AGPU_API void agpu_device_save_cancel(struct agpu_device *device);

/* Loads a snapshot into a device and an executor that have done nothing, at the embedder's time. May call
 * set_irq. Takes as long as its bytes do; an executor in a process of its own is waited for. Every byte is
 * checked: a snapshot that was damaged or made up is AGPU_REFUSED with snapshot.* or what is wrong with an
 * object; the device and its executor are as new then. AGPU_NO_MEMORY. A device with a tap cannot be loaded.
 */
AGPU_API enum agpu_status agpu_device_load(struct agpu_device *device,
                                           const struct agpu_snapshot_reader *reader, uint64_t now_ns);

/* ---- Pictures ------------------------------------------------------------------------------------------ */

/* Scanout 0 as the guest programmed it, read from guest memory as RGBA8, rows top to bottom, 4 * width bytes
 * each: values as stored (sRGB formats are not decoded), alpha 255 for X8 and B5G6R5. Colour formats with 8,
 * 5 and 6 bits a channel can be read (1-10 of enum aerogpu_format), up to 64 MiB as RGBA8. Guest memory is
 * read as it is: while the executor writes a picture back in slices, between two calls of poll, a part of the
 * rows is of the frame before. Pictures of `presented` are whole.
 *
 * AGPU_REFUSED when it is disabled or its registers make no readable picture (spec: ABI 13, M9; a note
 * device.scanout says why) or its memory is none (device.guest-memory): go on showing the previous frame. The
 * outputs are set only on AGPU_OK; the caller frees *pixels with agpu_free(). */
AGPU_API enum agpu_status agpu_device_read_scanout(struct agpu_device *device, uint32_t *width,
                                                   uint32_t *height, uint8_t **pixels);

struct agpu_cursor {
    int32_t x, y;          /* of the hot spot on scanout 0, may lie outside */
    uint32_t hot_x, hot_y; /* of the hot spot in the bitmap, as programmed: not checked against its size */
    uint32_t width, height;
};

/* The cursor bitmap, likewise, and its place: the bitmap's corner is at (x - hot_x, y - hot_y). Only 32-bit
 * formats, up to 4 MiB. Hidden cursors are AGPU_REFUSED (a note device.cursor). */
AGPU_API enum agpu_status agpu_device_read_cursor(struct agpu_device *device, struct agpu_cursor *cursor,
                                                  uint8_t **pixels);

#ifdef __cplusplus
}
#endif

#endif
