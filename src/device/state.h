/* SPDX-License-Identifier: MIT
 *
 * The state of one device, and what its parts offer each other. One section per file of this folder.
 */
#ifndef AG_DEVICE_STATE_H
#define AG_DEVICE_STATE_H

#include "aerogpu/device.h"

#include "aerogpu/abi/ext.h"
#include "base/diag.h"
#include "base/table.h"

/* Whether an executor's table, which may be of a program with older headers, has a member. */
#define AG_EXECUTOR_HAS(executor, member)                                                                    \
    AG_TABLE_HAS(struct agpu_executor, executor, AG_MEMBER_END(struct agpu_executor, extension), member)

#define AG_CONFIG_WORDS 16 /* of the 64 configuration words the others read 0 */

/* ABI section 14; the stream's own limit is AGPU_STREAM_MAX_BYTES. */
#define AG_ALLOC_TABLE_LIMIT_BYTES (UINT32_C(16) << 20)
#define AG_QUEUE_LIMIT 256
#define AG_QUEUE_LIMIT_BYTES (UINT64_C(128) << 20)
#define AG_SCANOUT_LIMIT_BYTES (UINT64_C(64) << 20)
#define AG_CURSOR_LIMIT_BYTES (UINT64_C(4) << 20)
#define AG_VBLANK_CATCH_UP 1024

/* Submissions whose fence is outstanding; past it descriptors stay in the ring until some complete. */
#define AG_OUTSTANDING_LIMIT 1024

/* What one doorbell or poll takes from the ring, so that neither lasts long; the next poll goes on. */
#define AG_DOORBELL_LIMIT 1024
#define AG_DOORBELL_LIMIT_BYTES (UINT64_C(64) << 20)

/* A 64-bit address whose LO half takes effect only with the HI half (ABI 13, M8). */
struct held_address {
    uint64_t gpa;
    uint32_t low; /* what LO reads */
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
    bool reset_pending;    /* the guest-memory half of a reset that came while DMA was off */
};

struct irq_registers {
    uint32_t status;
    uint32_t enable;
    bool line; /* as the embedder last heard */
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
    uint64_t next_tick_ns; /* embedder's clock; meaningful while scanout 0 is enabled */
};

enum submission_state {
    SUBMISSION_QUEUED,  /* waits for the executor to be ready */
    SUBMISSION_RUNNING, /* handed over */
    SUBMISSION_DONE,    /* executed, rejected or dropped: only its place in the order is missing */
};

/* A consumed descriptor until its fence has completed. */
struct pending_submission {
    struct pending_submission *next;
    struct agpu_submission submission; /* its pointers are the two below; null once handed over */
    uint8_t *stream;
    struct aerogpu_alloc_entry *allocations;
    uint64_t size_bytes; /* of both */
    enum submission_state state;
    uint32_t error; /* enum aerogpu_error_code */
    bool wants_irq;
    bool waits_for_vblank;
    bool merged; /* a later submission with the same fence completes it */
};

struct fence_state {
    struct pending_submission *oldest;
    struct pending_submission *newest;
    struct pending_submission *newest_signal; /* the newest with a fence other than 0 */
    struct pending_submission *oldest_queued;
    uint32_t count;
    uint32_t queued_count;
    uint64_t queued_bytes;
    uint64_t running_bytes;
    uint64_t completed;
    uint64_t page_gpa;
    bool page_stale; /* the page lacks `completed` */
};

struct agpu_device {
    struct agpu_device_callbacks callbacks;
    struct agpu_executor *executor;
    struct agpu_device_tap tap; /* without one its functions are null */
    bool tap_paused;            /* what the embedder looks at is not reported */
    uint64_t features;
    uint32_t extension; /* version, or 0 */
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
    struct fence_state fences;
    uint8_t *vram; /* null until something is written to it */
};

/* ---- pci.c --------------------------------------------------------------------------------------------- */

void ag_pci_init(struct agpu_device *device, bool decode_off);
bool ag_pci_memory_enabled(const struct agpu_device *device);
bool ag_pci_dma_enabled(const struct agpu_device *device);
bool ag_pci_irq_disabled(const struct agpu_device *device);
/* Where the guest mapped BAR1; false while it is not mapped. */
bool ag_pci_vram_base(const struct agpu_device *device, uint64_t *base);

/* ---- memory.c ------------------------------------------------------------------------------------------ */

/* Guest memory as the device and its executor see it: the VRAM aperture where it is mapped (M11), else the
 * embedder's callbacks. All or nothing; false when the range wraps. `user` is the device. */
bool ag_dma_read(void *user, uint64_t gpa, void *to, size_t size);
bool ag_dma_write(void *user, uint64_t gpa, const void *from, size_t size);
/* The same for the executor: a tap tells the two apart. */
bool ag_executor_dma_read(void *user, uint64_t gpa, void *to, size_t size);
bool ag_executor_dma_write(void *user, uint64_t gpa, const void *from, size_t size);

/* ---- irq.c --------------------------------------------------------------------------------------------- */

/* Latches a cause (M5); ag_irq_update tells the embedder. */
void ag_irq_raise(struct agpu_device *device, uint32_t cause);
void ag_irq_clear(struct agpu_device *device, uint32_t causes);
void ag_irq_set_enable(struct agpu_device *device, uint32_t enable);
/* Brings the line to the level that the registers ask for (M6). */
void ag_irq_update(struct agpu_device *device);

/* Fills the error registers and latches IRQ_ERROR. */
void ag_record_error(struct agpu_device *device, uint32_t code, uint64_t fence);

/* ---- ring.c -------------------------------------------------------------------------------------------- */

/* Serves a doorbell now, or remembers it while DMA is off. */
void ag_ring_doorbell(struct agpu_device *device);
/* head = tail, after a reset. */
void ag_ring_discard(struct agpu_device *device);

/* ---- submission.c -------------------------------------------------------------------------------------- */

/* Copies what a descriptor names out of guest memory and checks it (D, T and S of ABI 4.4). Always fills
 * `pending`, which is zeroed: a rejected submission is SUBMISSION_DONE with its error. Returns the bytes that
 * were read for it. */
uint64_t ag_submission_load(struct agpu_device *device, const struct aerogpu_submit_desc *desc,
                            uint32_t stride_bytes, struct pending_submission *pending);

/* ---- fence.c ------------------------------------------------------------------------------------------- */

/* Takes over `pending` as the newest outstanding submission. */
void ag_fences_push(struct agpu_device *device, struct pending_submission *pending);
/* Hands queued submissions to the executor while it is ready. */
void ag_fences_run(struct agpu_device *device);
/* The executor finished a submission. */
void ag_fences_finish(struct agpu_device *device, uint32_t number, uint32_t error);
/* Completes in order everything that is done, up to one fence that waits for a vblank. */
void ag_fences_advance(struct agpu_device *device);
/* A vblank tick: lets one waiting fence go. */
void ag_fences_vblank(struct agpu_device *device);
/* No vblank will come: nothing waits for it any more. */
void ag_fences_release(struct agpu_device *device);
/* Forgets everything outstanding; completed_fence = 0. */
void ag_fences_reset(struct agpu_device *device);
/* True while another submission may be taken from the ring. */
bool ag_fences_have_room(const struct agpu_device *device);
/* Writes the fence page, or remembers to while DMA is off. */
void ag_fence_page_write(struct agpu_device *device);
/* Writes it if it is behind. */
void ag_fence_page_flush(struct agpu_device *device);

/* ---- vblank.c ------------------------------------------------------------------------------------------ */

void ag_vblank_init(struct agpu_device *device, uint32_t refresh_millihertz);
/* The scanout was switched on: the first tick is one period away. */
void ag_vblank_start(struct agpu_device *device);
/* Delivers the ticks up to now. */
void ag_vblank_advance(struct agpu_device *device);
bool ag_vblank_running(const struct agpu_device *device);

/* ---- scanout.c ----------------------------------------------------------------------------------------- */

void ag_scanout_set_enable(struct agpu_device *device, uint32_t enable);
/* Copies a presented picture into the frame buffer that the registers name (P2). */
void ag_scanout_store(struct agpu_device *device, const struct agpu_present *present);

/* ---- cursor.c ------------------------------------------------------------------------------------------ */

void ag_cursor_set_enable(struct agpu_device *device, uint32_t enable);

/* ---- device.c ------------------------------------------------------------------------------------------ */

/* The whole reset of M4. */
void ag_device_reset(struct agpu_device *device);
/* Does what had to wait for DMA; called when bus mastering comes on. */
void ag_device_resume_dma(struct agpu_device *device);

#endif
