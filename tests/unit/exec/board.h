/* SPDX-License-Identifier: MIT
 *
 * A machine around a device whose executor is that of an attack (attack.h): RAM, BARs, a ring. A guest there
 * may write whatever it likes; each call of the embedder is timed as attacks are.
 */
#ifndef AG_TESTS_EXEC_BOARD_H
#define AG_TESTS_EXEC_BOARD_H

#include <stdbool.h>
#include <stdint.h>

#include "aerogpu/device.h"
#include "aerogpu/stream_writer.h"
#include "attack.h"

/* The guest-physical addresses. */
#define BOARD_RAM_BYTES (UINT32_C(64) << 20)
#define BOARD_FENCE_PAGE UINT32_C(0x1000)
#define BOARD_RING UINT32_C(0x10000)
#define BOARD_TABLE UINT32_C(0x40000)    /* the allocation table of board_submit() */
#define BOARD_STREAMS UINT32_C(0x100000) /* from here on, streams follow one another */
#define BOARD_TARGET UINT32_C(0x3000000) /* BOARD_TARGET_BYTES that streams may write, allocation 1 */
#define BOARD_TARGET_BYTES (UINT32_C(16) << 20)
#define BOARD_REGISTERS UINT32_C(0xC0000000) /* BAR0 */
#define BOARD_VRAM UINT32_C(0xD0000000)      /* BAR1 */
#define BOARD_RING_ENTRIES 1024u

struct board {
    uint8_t *ram;
    struct agpu_device *device;
    struct agpu_executor *executor; /* of the attack at hand, or of the caller */
    struct attack_times times;
    uint64_t fence;          /* the last one that was submitted */
    uint32_t tail, stream;   /* of the ring; where the next stream goes */
    uint32_t context_id;     /* of the submissions to come */
    uint32_t presents;       /* that had pixels */
    uint32_t last_pixel;     /* the first of the last one, as its bytes are */
    uint32_t accesses;       /* of guest memory */
    uint32_t own_accesses;   /* of these, to the device's own BARs */
    uint64_t allocation_gpa; /* of allocation 2 */
    uint64_t allocation_bytes;
    enum agpu_diag_code first_diag;
    char first_message[256];
    bool is_deaf; /* guest memory is not there */
};

/* On the executor of the attack at hand, which belongs to the board until board_close(). */
void board_open(struct board *board);
/* On another one, which stays the caller's. */
void board_open_on(struct board *board, struct agpu_executor *executor);
void board_close(struct board *board);
/* Ring and fence page as a driver sets them, with nothing in the ring. */
void board_program(struct board *board);

void board_write(struct board *board, uint32_t offset, uint32_t value); /* of a register */
void board_write_64(struct board *board, uint32_t offset, uint64_t value);
uint64_t board_completed(struct board *board);

/* Puts a stream into guest memory, and starts the writer over; returns its address. */
uint32_t board_place(struct board *board, struct agpu_writer *writer, uint32_t *size);
/* A descriptor for it, with a table of both allocations. */
struct aerogpu_submit_desc board_desc(struct board *board, uint32_t stream, uint32_t size);
void board_enqueue(struct board *board, const struct aerogpu_submit_desc *desc);
void board_ring(struct board *board);
/* All of this for one stream. */
void board_submit(struct board *board, struct agpu_writer *writer);
void board_submit_text(struct board *board, const char *text);

/* One poll; returns whether work is outstanding. */
bool board_poll(struct board *board);
/* Waits a little, unless the next poll has something to do. */
void board_rest(struct board *board);
/* Polls until nothing is outstanding, or for `most_ns` at most. */
void board_work(struct board *board, uint64_t most_ns);

/* The guest resets the device, if it wants to, and a frame of another context is shown. */
void board_show(struct board *board, bool resets);

#endif
