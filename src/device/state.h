/* SPDX-License-Identifier: MIT
 *
 * The state of one device, and the functions that the files of this folder offer one another, a section for
 * each file.
 */
#ifndef AG_DEVICE_STATE_H
#define AG_DEVICE_STATE_H

#include "aerogpu/device.h"

#include "aerogpu/abi/ext.h"
#include "base/diag_limiter.h"
#include "base/table.h"

struct ag_archive;
struct ag_submission_load;

/* Whether an executor's table, which may be of a program with older headers, has a member. */
#define AG_EXECUTOR_HAS(executor, member)                                                                    \
    AG_TABLE_HAS(struct agpu_executor, executor, AG_MEMBER_END(struct agpu_executor, extension), member)

#define AG_CONFIG_WORDS 16 /* the other 48 configuration words read 0 */

/* ABI section 14; the stream's own limit is AGPU_STREAM_MAX_BYTES. */
#define AG_ALLOC_TABLE_LIMIT_BYTES (UINT32_C(16) << 20)
#define AG_QUEUE_LIMIT 256
#define AG_QUEUE_LIMIT_BYTES (UINT64_C(128) << 20)
#define AG_SCANOUT_LIMIT_BYTES (UINT64_C(64) << 20)
#define AG_CURSOR_LIMIT_BYTES (UINT64_C(4) << 20)
#define AG_VBLANK_CATCH_UP 1024

/* The most submissions with an outstanding fence; further descriptors stay in the ring until some
 * complete. */
#define AG_OUTSTANDING_LIMIT 1024

/* The most that one doorbell or poll takes from the ring, so that no call lasts long; the next poll
 * continues. */
#define AG_DOORBELL_LIMIT 1024
#define AG_DOORBELL_LIMIT_BYTES (UINT64_C(4) << 20)

/* A 64-bit address whose LO half takes effect only with the HI half (ABI 13, M8). */
struct held_address {
    uint64_t gpa;
    uint32_t low; /* what the LO register reads */
};

struct picture_registers {
    uint32_t enable;
    uint32_t width;
    uint32_t height;
    uint32_t format;
    uint32_t pitch_bytes;
    struct held_address address;
};

struct ring_registers {
    uint64_t gpa;
    uint32_t size_bytes;
    uint32_t control;
    bool doorbell_pending; /* rung while DMA was off, or descriptors were left in the ring */
    bool reset_pending;    /* DMA was off during a reset; the part that writes guest memory is still due */
};

struct irq_registers {
    uint32_t status;
    uint32_t enable;
    bool line; /* the level that the embedder was told */
};

struct error_registers {
    uint32_t code;
    uint32_t count;
    uint64_t fence;
};

struct vblank_registers {
    uint64_t sequence;
    uint64_t time_ns;      /* since device boot */
    uint32_t period_ns;    /* 0: no vblank */
    uint64_t next_tick_ns; /* on the embedder's clock; valid while ag_vblank_running() */
};

enum submission_state {
    SUBMISSION_QUEUED,  /* waits for the executor to be ready */
    SUBMISSION_RUNNING, /* handed to the executor */
    SUBMISSION_DONE,    /* executed, rejected or dropped; waits for the fences before it */
};

/* A descriptor that was taken from the ring, until its fence has completed. */
struct pending_submission {
    struct pending_submission *next;
    struct agpu_submission submission; /* its pointers are `stream` and `allocations`; null once running */
    uint8_t *stream;
    struct aerogpu_alloc_entry *allocations;
    uint64_t size_bytes; /* bytes of `stream` and `allocations` */
    enum submission_state state;
    uint32_t error; /* enum aerogpu_error_code */
    bool wants_irq;
    uint32_t vblanks; /* how many more the fence waits for */
    bool paced;       /* it waits for the display's period, whether scanout 0 is on or not */
    bool merged;      /* a later submission with the same fence completes it */
};

struct submission_queue {
    struct pending_submission *oldest;
    struct pending_submission *newest;
    struct pending_submission *newest_signal; /* the newest submission with a fence other than 0 */
    struct pending_submission *oldest_queued;
    uint32_t count;
    uint32_t queued_count;
    uint64_t queued_bytes;
    uint64_t running_bytes;
    uint32_t paced_count;            /* how many are `paced` and wait */
    struct ag_submission_load *load; /* the next one, which is being copied out of guest memory; or null */
    uint64_t completed;
    uint64_t page_gpa;
    bool page_stale; /* the fence page does not yet show `completed` */
};

/* A presented picture on its way into the guest's frame buffer. */
struct stored_picture {
    const uint8_t *pixels; /* null: there is none */
    uint32_t submission;
    uint32_t rows; /* that are stored */
    bool is_done;
    struct picture_registers scanout; /* as they were when the first row was stored */
};

struct agpu_device {
    struct agpu_device_callbacks callbacks;
    struct agpu_executor *executor;
    struct agpu_device_tap tap; /* all functions are null if there is no tap */
    bool tap_paused;            /* accesses by the embedder itself are not reported to the tap */
    bool in_guest_memory;       /* a callback of guest memory is at work, and may not come back here */
    bool pci_decode_off;        /* the option of that name */
    uint64_t features;
    uint32_t extension;  /* version of the extension, or 0 */
    uint32_t gpu_losses; /* how often the executor lost its GPU device */
    uint64_t boot_ns;
    uint64_t now_ns;
    uint32_t next_submission;
    uint32_t config[AG_CONFIG_WORDS];
    struct ring_registers ring;
    struct irq_registers irq;
    struct error_registers error;
    struct vblank_registers vblank;
    struct picture_registers scanout;
    struct picture_registers cursor;
    uint32_t cursor_x, cursor_y; /* two's complement */
    uint32_t cursor_hot_x, cursor_hot_y;
    struct submission_queue queue;
    struct stored_picture stored;
    struct ag_diag_limiter limiter; /* of what goes to the embedder */
    uint8_t *vram;                  /* null until something is written to VRAM */
    struct ag_archive *save;        /* while a snapshot is being saved: the executor is given no work */
};

/* ---- pci.c --------------------------------------------------------------------------------------------- */

void ag_pci_init(struct agpu_device *device, bool decode_off);
/* Sets the bits of configuration space that no guest writes, after its words were loaded. */
void ag_pci_restore(struct agpu_device *device);
bool ag_pci_memory_enabled(const struct agpu_device *device);
bool ag_pci_dma_enabled(const struct agpu_device *device);
bool ag_pci_irq_disabled(const struct agpu_device *device);
/* The address at which the guest has mapped BAR1; false while it is not mapped. */
bool ag_pci_vram_base(const struct agpu_device *device, uint64_t *base);
/* The same for BAR0. */
bool ag_pci_registers_base(const struct agpu_device *device, uint64_t *base);

/* ---- memory.c ------------------------------------------------------------------------------------------ */

/* Access guest memory for the device: the VRAM aperture where it is mapped (M11), otherwise the embedder's
 * callbacks. An access succeeds or fails as a whole; it fails when the range wraps. `user` is the device. */
bool ag_dma_read(void *user, uint64_t gpa, void *to, size_t size);
bool ag_dma_write(void *user, uint64_t gpa, const void *from, size_t size);
/* Access guest memory for the executor; a tap distinguishes these accesses from those of the device. */
bool ag_executor_dma_read(void *user, uint64_t gpa, void *to, size_t size);
bool ag_executor_dma_write(void *user, uint64_t gpa, const void *from, size_t size);
const void *ag_executor_dma_map(void *user, uint64_t gpa, size_t size);

/* ---- irq.c --------------------------------------------------------------------------------------------- */

/* Latches an interrupt cause (M5); ag_irq_update() tells the embedder. */
void ag_irq_raise(struct agpu_device *device, uint32_t cause);
void ag_irq_clear(struct agpu_device *device, uint32_t causes);
void ag_irq_set_enable(struct agpu_device *device, uint32_t enable);
/* Sets the interrupt line to the level that the registers ask for (M6). */
void ag_irq_update(struct agpu_device *device);

/* Fills the error registers and latches IRQ_ERROR. */
void ag_record_error(struct agpu_device *device, uint32_t code, uint64_t fence);

/* ---- ring.c -------------------------------------------------------------------------------------------- */

/* Serves a doorbell, or remembers the doorbell while DMA is off. */
void ag_ring_doorbell(struct agpu_device *device);
/* Sets head = tail, after a reset. A ring that passes the end of memory is an error (R3). */
void ag_ring_discard(struct agpu_device *device);
/* Forgets what was copied for a descriptor, which is copied anew if it is still in the ring. */
void ag_ring_forget_load(struct agpu_device *device);

/* ---- submission.c -------------------------------------------------------------------------------------- */

/* A descriptor whose stream and table are copied out of guest memory, and checked, in parts. */
struct ag_submission_load;

/* The descriptor was in the slot at `slot_gpa`. Null when memory is exhausted (not reported). */
struct ag_submission_load *ag_submission_load_begin(struct agpu_device *device, uint64_t slot_gpa,
                                                    const struct aerogpu_submit_desc *desc,
                                                    uint32_t stride_bytes);
bool ag_submission_load_is_of(const struct ag_submission_load *load, uint64_t slot_gpa);
/* Goes on, and takes what that comes to off *room, a number of bytes. True when nothing is left to do. */
bool ag_submission_load_step(struct ag_submission_load *load, uint64_t *room);
/* Ends one that is done. The submission, which the caller owns, is SUBMISSION_DONE with its error if it was
 * rejected. */
struct pending_submission *ag_submission_load_end(struct ag_submission_load *load);
/* Accepts null. */
void ag_submission_load_drop(struct ag_submission_load *load);
/* The same checks of stream and allocation table for a submission out of a snapshot. Reported when false. */
bool ag_submission_check(struct agpu_device *device, struct pending_submission *pending);

/* ---- fence.c ------------------------------------------------------------------------------------------- */

/* Takes over `pending` as the newest outstanding submission. */
void ag_submission_queue_push(struct agpu_device *device, struct pending_submission *pending);
/* The same for a submission out of a snapshot, whatever its state is. */
void ag_submission_queue_restore(struct agpu_device *device, struct pending_submission *pending);
void ag_submission_free(struct pending_submission *pending);
/* Hands queued submissions to the executor while it is ready. */
void ag_submission_queue_run(struct agpu_device *device);
/* Notes that the executor has finished a submission. */
void ag_submission_queue_finish(struct agpu_device *device, uint32_t number, uint32_t error);
/* Completes in order all submissions that are done, up to a fence that waits for a vblank. */
void ag_submission_queue_advance(struct agpu_device *device);
/* At a vblank, completes one waiting fence. */
void ag_submission_queue_vblank(struct agpu_device *device);
/* Stops all waiting for vblanks of scanout 0, because none will come. */
void ag_submission_queue_release(struct agpu_device *device);
/* Forgets all outstanding submissions and sets completed_fence = 0. */
void ag_submission_queue_reset(struct agpu_device *device);
/* Whether another submission may be taken from the ring. */
bool ag_submission_queue_have_room(const struct agpu_device *device);
/* Writes the fence page, or remembers to write it while DMA is off. */
void ag_fence_page_write(struct agpu_device *device);
/* Writes the fence page if it is out of date. */
void ag_fence_page_flush(struct agpu_device *device);

/* ---- vblank.c ------------------------------------------------------------------------------------------ */

void ag_vblank_init(struct agpu_device *device, uint32_t refresh_millihertz);
/* Starts the vblank when the scanout is switched on: the first tick is one period away. */
void ag_vblank_start(struct agpu_device *device);
/* Delivers the ticks up to the present time. */
void ag_vblank_advance(struct agpu_device *device);
/* Scanout 0 is on, or a paced submission waits. */
bool ag_vblank_running(const struct agpu_device *device);
/* A paced submission comes: starts the periods unless they run, in step with those before. */
void ag_vblank_pace(struct agpu_device *device);
/* Whether a tick is due at the present time. */
bool ag_vblank_is_due(const struct agpu_device *device);

/* ---- scanout.c ----------------------------------------------------------------------------------------- */

void ag_scanout_set_enable(struct agpu_device *device, uint32_t enable);
void ag_scanout_set_format(struct agpu_device *device, uint32_t format);
/* Copies a part of a presented picture into the frame buffer that the scanout's registers name (P2). True
 * when nothing of it is left. */
bool ag_scanout_store(struct agpu_device *device, const struct agpu_present *present);
/* Whether presents to a scanout are copied there. */
bool ag_scanout_takes(const struct agpu_device *device, uint32_t scanout_id);

/* ---- cursor.c ------------------------------------------------------------------------------------------ */

void ag_cursor_set_enable(struct agpu_device *device, uint32_t enable);
void ag_cursor_set_format(struct agpu_device *device, uint32_t format);

/* ---- device.c ------------------------------------------------------------------------------------------ */

/* Goes on to the embedder's present time, where the embedder tells it; ticks that are due come now. */
void ag_device_take_time(struct agpu_device *device);
/* Lets the executor go on, and completes what it has finished. */
void ag_device_poll_executor(struct agpu_device *device);
/* Performs the reset of M4. */
void ag_device_reset(struct agpu_device *device);
/* Does what was remembered while DMA was off; called when bus mastering comes on. */
void ag_device_resume_dma(struct agpu_device *device);

#endif
