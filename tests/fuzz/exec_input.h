/* SPDX-License-Identifier: MIT
 *
 * Inputs of the target `exec`: records, one behind the other, of what happens to an executor. Seeds are made
 * of scenes (exec_seeds.c), mutate_exec.c changes them, fuzz_exec.c plays them.
 */
#ifndef AG_TESTS_FUZZ_EXEC_INPUT_H
#define AG_TESTS_FUZZ_EXEC_INPUT_H

#include <stdint.h>

#include "base/bytes.h"

enum exec_record_kind {
    EXEC_RECORD_SUBMISSION, /* allocations, then a stream */
    EXEC_RECORD_MEMORY,     /* an address, then what guest memory holds from there on */
    EXEC_RECORD_RESET,
    EXEC_RECORD_WAIT,     /* until nothing is outstanding */
    EXEC_RECORD_REPEAT,   /* the last submission, in as many contexts as the context says */
    EXEC_RECORD_LOSS,     /* of the device */
    EXEC_RECORD_EXECUTOR, /* another one; the context has its enum exec_variant */
    EXEC_RECORD_COUNTERS, /* are asked for */
    EXEC_RECORD_SAVE,     /* the context has an enum exec_save, and 4 times a number */
    EXEC_RECORD_KINDS,
};

/* What executors differ by. */
enum exec_variant {
    EXEC_VARIANT_DEFAULT_LIMITS = 1 << 0, /* those of WebGPU, and no feature */
    EXEC_VARIANT_CHECK_PACKETS = 1 << 1,
    EXEC_VARIANT_SMALL_GROUPS = 1 << 2,
    EXEC_VARIANT_WITHOUT_FEATURES = 1 << 3, /* that the device has */
    EXEC_VARIANT_LITTLE_MEMORY = 1 << 4,
    EXEC_VARIANT_CACHE = 1 << 5, /* that of all executors of an input */
    EXEC_VARIANT_SHOWN = 1 << 6, /* pictures are shown on the GPU, and not all of them are looked at */
    EXEC_VARIANT_LITTLE_SLICES = 1 << 7,
};

/* What becomes of a snapshot. */
enum exec_save {
    EXEC_SAVE_LOADED,     /* into another executor of the kind, which takes the place of the first */
    EXEC_SAVE_CUT,        /* after so many parts of 256, and refused by another executor */
    EXEC_SAVE_UNWRITABLE, /* after the number's square in bytes */
    EXEC_SAVE_CANCELLED,  /* after so many polls */
    EXEC_SAVES,
};

/* Every kind has all the fields, which are bytes and dwords:
 *
 *     kind, context, flag "has a table", count of allocations, size of what follows */
enum {
    EXEC_RECORD_BYTES = 8,
    EXEC_ALLOCATION_BYTES = 12, /* number, address and size, a dword each */
    EXEC_MOST_ALLOCATIONS = 16,
    EXEC_RAM_BYTES = 1 << 18, /* all addresses are taken modulo this */
    EXEC_INPUT_BYTES = 65536, /* of seeds at most */
};

struct exec_record {
    uint32_t kind, context, has_table, allocation_count;
    const uint8_t *body;
    uint32_t size; /* of the body, allocations included */
};

/* The record at `*at`, which moves behind the record. False at the end. A record that is cut off is shorter.
 */
static inline bool exec_record_next(const uint8_t *data, size_t size, size_t *at, struct exec_record *record)
{
    if (size - *at < EXEC_RECORD_BYTES)
        return false;
    const uint8_t *const head = data + *at;
    const size_t left = size - *at - EXEC_RECORD_BYTES;
    const uint32_t told = ag_load_u32(head + 4);
    *record = (struct exec_record){
        .kind = head[0] % EXEC_RECORD_KINDS,
        .context = head[1],
        .has_table = head[2] & 1u,
        .allocation_count = head[3] % (EXEC_MOST_ALLOCATIONS + 1),
        .body = head + EXEC_RECORD_BYTES,
        .size = told < left ? told : (uint32_t)left,
    };
    *at += EXEC_RECORD_BYTES + (size_t)record->size;
    return true;
}

#endif
