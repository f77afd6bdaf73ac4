/* SPDX-License-Identifier: MIT */
#include "process/message.h"

#include <string.h>

#include "abi/packet.h"
#include "aerogpu/abi/ring.h"
#include "aerogpu/executor.h"
#include "aerogpu/stream.h"
#include "cache/cache.h"

/* ABI section 14: the most bytes of an allocation table. */
#define ALLOCATION_BYTES (UINT64_C(16) << 20)

static bool is_submit(const struct ag_message *message)
{
    const struct ag_submit_message *submit = &message->as.submit;
    return submit->stream_size <= AGPU_STREAM_MAX_BYTES &&
           submit->allocation_count <= ALLOCATION_BYTES / sizeof(struct aerogpu_alloc_entry);
}

static bool is_diag(const struct ag_message *message)
{
    return message->as.diag.severity <= AGPU_ERROR;
}

static bool is_read(const struct ag_message *message)
{
    return message->as.read.size != 0 && message->as.read.size <= AG_PIECE_BYTES;
}

static bool is_read_done(const struct ag_message *message)
{
    return message->as.read_done.is_good != 0 || message->size == 0;
}

static bool is_write(const struct ag_message *message)
{
    const struct ag_write_message *write = &message->as.write;
    return write->rows != 0 && write->rows <= AG_WRITE_ROWS && write->row_bytes != 0 &&
           (uint64_t)write->rows * write->row_bytes == message->size;
}

static bool is_present(const struct ag_message *message)
{
    const struct ag_present_message *present = &message->as.present;
    return present->width != 0 && present->height != 0 && present->width <= AG_PICTURE_SIDE &&
           present->height <= AG_PICTURE_SIDE &&
           (present->has_pixels != 0 || present->scanout_id == AGPU_NO_SCANOUT);
}

static bool is_failed(const struct ag_message *message)
{
    return message->as.failed.status != AGPU_OK && message->as.failed.status <= AGPU_INTERNAL;
}

static bool is_contexts(const struct ag_message *message)
{
    const uint32_t count = message->as.contexts.count;
    return count <= AG_TOLD_CONTEXTS && message->size % sizeof(struct agpu_context_counters) == 0 &&
           message->size / sizeof(struct agpu_context_counters) <= count;
}

static bool is_snapshot(const struct ag_message *message)
{
    return message->as.snapshot.status <= AGPU_INTERNAL;
}

/* Who sends a kind, how many bytes the kind has in the ring, and what else is checked. */
static const struct {
    bool of_owner, of_gpu_process;
    uint32_t least, most;
    bool (*is_valid)(const struct ag_message *message);
} kinds[AG_MESSAGE_KINDS] = {
    [AG_MESSAGE_START] = {.of_owner = true,                      .least = 1,                .most = AG_PIECE_BYTES},
    [AG_MESSAGE_SUBMIT] = {.of_owner = true,                                     .is_valid = is_submit                                              },
    [AG_MESSAGE_SUBMIT_DATA] = {.of_owner = true,                                     .least = 1, .most = AG_PIECE_BYTES},
    [AG_MESSAGE_READ_DONE] = {.of_owner = true,               .most = AG_PIECE_BYTES,                                        .is_valid = is_read_done},
    [AG_MESSAGE_WRITE_DONE] = {.of_owner = true},
    [AG_MESSAGE_CACHE_ENTRY] = {.of_owner = true,                      .most = AG_PIECE_BYTES},
    [AG_MESSAGE_CACHE_LOAD] = {.of_gpu_process = true},
    [AG_MESSAGE_CACHE_STORE] = {.of_gpu_process = true,
                          .least = AG_CACHE_HEADER_BYTES,
                          .most = AG_PIECE_BYTES},
    [AG_MESSAGE_RESET] = {.of_owner = true               },
    [AG_MESSAGE_PING] = {.of_owner = true                     },
    [AG_MESSAGE_SAVE] = {.of_owner = true                     },
    [AG_MESSAGE_SAVE_OVER] = {.of_owner = true                                    },
    [AG_MESSAGE_LOAD] = {.of_owner = true                     },
    [AG_MESSAGE_LOAD_DATA] = {.of_owner = true,                                     .least = 1,                                                         .most = AG_PIECE_BYTES},
    [AG_MESSAGE_READY] = {.of_gpu_process = true,               .least = 1,                                                .most = AG_PIECE_BYTES},
    [AG_MESSAGE_FAILED] = {.of_gpu_process = true,                .is_valid = is_failed                                        },
    [AG_MESSAGE_DIAG] = {.of_gpu_process = true,                .most = AG_TEXT_BYTES,                                .is_valid = is_diag},
    [AG_MESSAGE_READ] = {.of_gpu_process = true,                .is_valid = is_read                         },
    [AG_MESSAGE_WRITE] = {.of_gpu_process = true,                .most = AG_PIECE_BYTES,           .is_valid = is_write},
    [AG_MESSAGE_PRESENT] = {.of_gpu_process = true,                                     .is_valid = is_present},
    [AG_MESSAGE_PRESENT_DATA] = {.of_gpu_process = true,                                     .least = 1,                                         .most = AG_PIECE_BYTES},
    [AG_MESSAGE_COUNTERS] = {.of_gpu_process = true,
                          .least = sizeof(struct agpu_counters),
                          .most = sizeof(struct agpu_counters)},
    [AG_MESSAGE_CONTEXTS] = {.of_gpu_process = true,
                          .most = AG_TOLD_CONTEXTS * sizeof(struct agpu_context_counters),
                          .is_valid = is_contexts},
    [AG_MESSAGE_COMPLETED] = {.of_gpu_process = true               },
    [AG_MESSAGE_LOST] = {.of_gpu_process = true                                    },
    [AG_MESSAGE_PONG] = {.of_gpu_process = true               },
    [AG_MESSAGE_SAVE_DATA] = {.of_gpu_process = true,                      .least = 1,.most = AG_PIECE_BYTES},
    [AG_MESSAGE_SAVED] = {.of_gpu_process = true,               .is_valid = is_snapshot      },
    [AG_MESSAGE_LOADED] = {.of_gpu_process = true,.is_valid = is_snapshot   },
    [AG_MESSAGE_ACK] = {.of_owner = true,               .of_gpu_process = true                                        },
};

struct ag_message ag_message_of(enum ag_message_kind kind, uint32_t epoch)
{
    struct ag_message message;
    memset(&message, 0, sizeof message);
    message.magic = AG_MESSAGE_MAGIC;
    message.version = AG_MESSAGE_VERSION;
    message.kind = (uint16_t)kind;
    message.epoch = epoch;
    return message;
}

bool ag_message_is_valid(const struct ag_message *message, bool of_gpu_process)
{
    if (message->magic != AG_MESSAGE_MAGIC || message->version != AG_MESSAGE_VERSION ||
        message->kind >= AG_MESSAGE_KINDS)
        return false;
    if (of_gpu_process ? !kinds[message->kind].of_gpu_process : !kinds[message->kind].of_owner)
        return false;
    return message->size >= kinds[message->kind].least && message->size <= kinds[message->kind].most &&
           (kinds[message->kind].is_valid == NULL || kinds[message->kind].is_valid(message));
}

uint32_t ag_message_opcode(const char *packet_name)
{
    const struct agpu_packet_info *info =
        packet_name != NULL ? ag_packet_info_by_name(packet_name, strlen(packet_name)) : NULL;
    return info != NULL ? info->opcode : AG_NO_OPCODE;
}

const char *ag_message_packet_name(uint32_t opcode)
{
    return opcode != AG_NO_OPCODE ? agpu_packet_name(opcode) : NULL;
}
