/* SPDX-License-Identifier: MIT
 *
 * Makes seeds for the target `process`: conversations in which every kind of message has its effect.
 *
 *     process_seeds OUT
 *
 * The replay of the seeds fails for kinds that it does not find (fuzz_process.c).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aerogpu/abi/ring.h"
#include "aerogpu/executor.h"
#include "base/bytes.h"
#include "cache/cache.h"
#include "exec/snapshot/sections.h"
#include "process/channel.h"
#include "process/start.h"
#include "process_input.h"

#define MOST_BYTES 16384

struct seed {
    uint8_t bytes[MOST_BYTES];
    size_t size;
    uint64_t position; /* of the next bytes in the ring */
    bool of_owner, failed;
};

/* ---- Records ------------------------------------------------------------------------------------------- */

static void put(struct seed *seed, const void *bytes, size_t size)
{
    if (size > sizeof seed->bytes - seed->size) {
        seed->failed = true;
        return;
    }
    if (size > 0)
        memcpy(seed->bytes + seed->size, bytes, size);
    seed->size += size;
}

static void put_byte(struct seed *seed, uint32_t byte)
{
    const uint8_t narrow = (uint8_t)byte;
    put(seed, &narrow, 1);
}

static void begin(struct seed *seed, enum process_side side)
{
    seed->of_owner = side == PROCESS_SIDE_PROCESS;
    put_byte(seed, side);
}

/* How many dwords of a message are there, up to the last that is not 0. */
static uint32_t count_numbers(const struct ag_message *message)
{
    uint32_t count = sizeof message->as.bytes / 4;
    while (count > 0 && ag_load_u32(message->as.bytes + (count - 1) * 4) == 0)
        count--;
    return count;
}

/* A message with bytes in the ring, the first of which are given, and the rest zeros. */
static void say_with(struct seed *seed, const struct ag_message *message, const void *bytes, size_t given,
                     uint32_t size)
{
    const uint32_t numbers = count_numbers(message);
    if (numbers > PROCESS_SHAPE_NUMBERS || given >= PROCESS_RING_BYTES || given > size)
        seed->failed = true;
    put_byte(seed, seed->of_owner ? PROCESS_GETS_MESSAGE : OWNER_GETS_MESSAGE);
    put_byte(seed, message->kind - process_first_kind(seed->of_owner));
    put_byte(seed, message->epoch);
    put_byte(seed, numbers | PROCESS_SHAPE_DWORDS | PROCESS_SHAPE_SIZE | PROCESS_SHAPE_POSITION |
                       PROCESS_SHAPE_ACKNOWLEDGED);
    put(seed, message->as.bytes, (size_t)numbers * 4);
    put(seed, &size, 3);
    put(seed, &seed->position, 8);
    put(seed, &message->acknowledged, 3);
    put_byte(seed, (uint32_t)given);
    put(seed, bytes, given);
    seed->position += size;
}

static void say(struct seed *seed, const struct ag_message *message)
{
    say_with(seed, message, NULL, 0, 0);
}

static void say_all(struct seed *seed, enum ag_message_kind kind, const void *bytes, uint32_t size)
{
    const struct ag_message message = ag_message_of(kind, 0);
    say_with(seed, &message, bytes, size, size);
}

static void say_kind(struct seed *seed, enum ag_message_kind kind)
{
    say_all(seed, kind, NULL, 0);
}

/* ---- Of the process -------------------------------------------------------------------------------------
 */

static void begin_ready(struct seed *seed, enum owner_step first)
{
    const struct agpu_adapter_info info = {.name = "a", .driver = "b", .backend = "c", .library = "d"};
    struct ag_strbuf bytes = {0};
    ag_adapter_pack(&bytes, &info);
    begin(seed, PROCESS_SIDE_OWNER);
    put_byte(seed, first);
    say_all(seed, AG_MESSAGE_READY, bytes.data, (uint32_t)bytes.length);
    put_byte(seed, OWNER_POLLS);
    seed->failed |= bytes.failed;
    ag_strbuf_fini(&bytes);
}

static void complete(struct seed *seed, uint32_t submission, uint32_t error)
{
    struct ag_message message = ag_message_of(AG_MESSAGE_COMPLETED, 0);
    message.as.completed = (struct ag_completed_message){submission, error};
    say(seed, &message);
    put_byte(seed, OWNER_POLLS);
}

static void completed_in_order(struct seed *seed)
{
    begin_ready(seed, OWNER_SUBMITS);
    put_byte(seed, OWNER_SUBMITS);
    complete(seed, 0, AEROGPU_ERROR_NONE);
    complete(seed, 1, AEROGPU_ERROR_BACKEND);
    complete(seed, 1, AEROGPU_ERROR_NONE);
}

static void failed(struct seed *seed)
{
    struct ag_message message = ag_message_of(AG_MESSAGE_FAILED, 0);
    message.as.failed.status = AGPU_MISSING;
    begin(seed, PROCESS_SIDE_OWNER);
    put_byte(seed, OWNER_SUBMITS);
    say(seed, &message);
    put_byte(seed, OWNER_POLLS);
}

static void diags(struct seed *seed)
{
    struct ag_message message = ag_message_of(AG_MESSAGE_DIAG, 0);
    begin_ready(seed, OWNER_SUBMITS);
    for (uint32_t of_gpu = 0; of_gpu < 2; of_gpu++) {
        message.as.diag = (struct ag_diag_message){.place = AGPU_NO_PLACE,
                                                   .code = AGPU_DIAG_EXEC_ARGUMENT,
                                                   .severity = AGPU_ERROR,
                                                   .opcode = of_gpu ? AG_NO_OPCODE : 0x400,
                                                   .of_gpu = of_gpu};
        say_with(seed, &message, "text\033\xC2\x9B", 7, 7);
    }
    put_byte(seed, OWNER_POLLS);
}

static void reads(struct seed *seed)
{
    struct ag_message message = ag_message_of(AG_MESSAGE_READ, 0);
    begin_ready(seed, OWNER_SUBMITS);
    for (uint32_t i = 0; i < 2; i++) {
        message.as.read = (struct ag_read_message){.gpa = i == 0 ? 64 : UINT64_MAX - 3, .size = 32};
        say(seed, &message);
        put_byte(seed, OWNER_POLLS);
        put_byte(seed, OWNER_IS_READ);
    }
    message = ag_message_of(AG_MESSAGE_ACK, 0);
    message.acknowledged = 32;
    say(seed, &message);
    put_byte(seed, OWNER_POLLS);
}

static void writes(struct seed *seed)
{
    static const uint8_t rows[16] = {1, 2, 3};
    struct ag_message message = ag_message_of(AG_MESSAGE_WRITE, 0);
    begin_ready(seed, OWNER_SUBMITS);
    for (uint32_t i = 0; i < 4; i++) {
        message.as.write = (struct ag_write_message){.gpa = i < 2 ? 64 : UINT64_C(1) << 40,
                                                     .pitch = 16,
                                                     .row_bytes = 8,
                                                     .rows = 2,
                                                     .place = AGPU_NO_PLACE,
                                                     .opcode = 0x400,
                                                     .is_waited_for = i % 2};
        say_with(seed, &message, rows, sizeof rows, sizeof rows);
        put_byte(seed, OWNER_POLLS);
        put_byte(seed, OWNER_IS_READ);
    }
    complete(seed, 0, AEROGPU_ERROR_NONE);
}

static void entries(struct seed *seed)
{
    static const uint8_t entry[AG_CACHE_HEADER_BYTES] = {1};
    begin_ready(seed, OWNER_SUBMITS);
    say_kind(seed, AG_MESSAGE_CACHE_LOAD);
    say_all(seed, AG_MESSAGE_CACHE_STORE, entry, sizeof entry);
    say_kind(seed, AG_MESSAGE_CACHE_LOAD);
    put_byte(seed, OWNER_POLLS);
    put_byte(seed, OWNER_IS_READ);
    complete(seed, 0, AEROGPU_ERROR_NONE);
}

static void pictures(struct seed *seed)
{
    static const uint8_t pixels[16] = {1, 2, 3};
    struct ag_message message = ag_message_of(AG_MESSAGE_PRESENT, 0);
    begin_ready(seed, OWNER_SUBMITS);
    message.as.present = (struct ag_present_message){.width = 2, .height = 2, .format = 28, .has_pixels = 1};
    say(seed, &message);
    say_all(seed, AG_MESSAGE_PRESENT_DATA, pixels, 12);
    say_all(seed, AG_MESSAGE_PRESENT_DATA, pixels + 12, 4);
    put_byte(seed, OWNER_POLLS);
    message.as.present = (struct ag_present_message){
        .scanout_id = AGPU_NO_SCANOUT, .width = 2, .height = 2, .format = 28, .swap_chain = 5};
    say(seed, &message);
    put_byte(seed, OWNER_POLLS);
    complete(seed, 0, AEROGPU_ERROR_NONE);
}

static void counters(struct seed *seed)
{
    const struct agpu_counters told = {.submissions = 1};
    const struct agpu_context_counters context = {.size = 1};
    uint8_t bytes[PROCESS_RING_BYTES - 1];
    struct ag_message message = ag_message_of(AG_MESSAGE_COUNTERS, 0);
    begin_ready(seed, OWNER_SUBMITS);
    memcpy(bytes, &told, sizeof bytes);
    say_with(seed, &message, bytes, sizeof bytes, sizeof told);
    message = ag_message_of(AG_MESSAGE_CONTEXTS, 0);
    message.as.contexts.count = 2;
    memcpy(bytes, &context, sizeof context < sizeof bytes ? sizeof context : sizeof bytes);
    say_with(seed, &message, bytes, sizeof context < sizeof bytes ? sizeof context : sizeof bytes,
             sizeof context);
    put_byte(seed, OWNER_POLLS);
    put_byte(seed, OWNER_RESETS);
    complete(seed, 0, AEROGPU_ERROR_NONE); /* of the epoch before */
}

static void lost(struct seed *seed)
{
    begin_ready(seed, OWNER_SUBMITS);
    say_kind(seed, AG_MESSAGE_LOST);
    complete(seed, 0, AEROGPU_ERROR_BACKEND);
    put_byte(seed, OWNER_RESETS);
    put_byte(seed, OWNER_SUBMITS);
    put_byte(seed, OWNER_POLLS);
}

/* Asked once, it answers; asked again, it does not. */
static void pings(struct seed *seed)
{
    struct ag_message message = ag_message_of(AG_MESSAGE_PONG, 0);
    message.as.ping = 1;
    begin_ready(seed, OWNER_SUBMITS);
    put_byte(seed, OWNER_WAITS);
    put_byte(seed, OWNER_POLLS);
    say(seed, &message);
    for (uint32_t i = 0; i < 6; i++) {
        put_byte(seed, OWNER_POLLS);
        put_byte(seed, OWNER_WAITS);
    }
}

static void save_section(struct seed *seed, uint32_t tag)
{
    const uint32_t head[8] = {AG_ARCHIVE_TAG('A', 'G', 'S', 'S'), tag, 1};
    struct ag_message message = ag_message_of(AG_MESSAGE_SAVE_DATA, 0);
    message.as.snapshot.save = 1;
    say_with(seed, &message, head, sizeof head, sizeof head);
}

static void say_saved(struct seed *seed, uint32_t save, uint32_t status)
{
    struct ag_message message = ag_message_of(AG_MESSAGE_SAVED, 0);
    message.as.snapshot = (struct ag_snapshot_message){.save = save, .status = status};
    say(seed, &message);
}

/* What a process sends for a save, which the owner polls. */
static void finish_save(struct seed *seed)
{
    save_section(seed, AG_SECTION_EXECUTOR);
    put_byte(seed, OWNER_POLLS);
    put_byte(seed, OWNER_POLLS_SAVE);
    save_section(seed, AG_SECTION_END);
    say_saved(seed, 1, AGPU_OK);
    put_byte(seed, OWNER_POLLS_SAVE);
    put_byte(seed, OWNER_POLLS);
}

static void earlier_save(struct seed *seed)
{
    begin_ready(seed, OWNER_SAVES);
    put_byte(seed, OWNER_SAVES);
    finish_save(seed);
}

static void save(struct seed *seed)
{
    begin_ready(seed, OWNER_SAVES);
    finish_save(seed);
}

static void save_of_garbage(struct seed *seed)
{
    begin_ready(seed, OWNER_SAVES);
    save_section(seed, 0x12345678);
    save_section(seed, AG_SECTION_END);
    put_byte(seed, OWNER_POLLS_SAVE);
    put_byte(seed, OWNER_POLLS);
}

static void save_cancelled(struct seed *seed)
{
    begin_ready(seed, OWNER_SAVES);
    save_section(seed, AG_SECTION_EXECUTOR);
    put_byte(seed, OWNER_CANCELS_SAVE);
    put_byte(seed, OWNER_SAVES);
    say_saved(seed, 1, AGPU_OK);
    say_saved(seed, 2, AGPU_REFUSED);
    put_byte(seed, OWNER_POLLS_SAVE);
    put_byte(seed, OWNER_POLLS);
}

static void save_that_nobody_polls(struct seed *seed)
{
    begin_ready(seed, OWNER_SAVES);
    save_section(seed, AG_SECTION_EXECUTOR);
    put_byte(seed, OWNER_SUBMITS);
    complete(seed, 0, AEROGPU_ERROR_NONE);
    put_byte(seed, OWNER_POLLS);
}

/* The snapshot has no bytes of the input's. */
static void load_with(struct seed *seed, enum agpu_status status)
{
    struct ag_message message = ag_message_of(AG_MESSAGE_LOADED, 0);
    message.as.snapshot.status = status;
    begin_ready(seed, OWNER_POLLS);
    put_byte(seed, OWNER_LOADS);
    put_byte(seed, 0);
    put_byte(seed, 1); /* message, while it loads */
    say(seed, &message);
    put_byte(seed, OWNER_POLLS);
}

static void load(struct seed *seed)
{
    load_with(seed, AGPU_OK);
}

static void load_refused(struct seed *seed)
{
    load_with(seed, AGPU_REFUSED);
}

static void bytes_of_the_process(struct seed *seed)
{
    const struct ag_message message = ag_message_of(AG_MESSAGE_ACK, 0);
    begin_ready(seed, OWNER_SUBMITS);
    put_byte(seed, OWNER_GETS_BYTES);
    put_byte(seed, sizeof message);
    put(seed, &message, sizeof message);
    put_byte(seed, OWNER_POLLS);
    put_byte(seed, OWNER_GETS_BYTES);
    put_byte(seed, 17);
    put(seed, &message, 17);
    put_byte(seed, OWNER_POLLS);
}

/* ---- Of the owner ---------------------------------------------------------------------------------------
 */

static void submit(struct seed *seed, uint32_t number, uint32_t stream_size, uint32_t epoch)
{
    static const uint8_t stream[32];
    const struct aerogpu_alloc_entry allocation = {.alloc_id = 1, .size_bytes = 4096};
    struct ag_message message = ag_message_of(AG_MESSAGE_SUBMIT, epoch);
    message.as.submit = (struct ag_submit_message){.fence = 1,
                                                   .number = number,
                                                   .has_stream = stream_size != 0,
                                                   .stream_size = stream_size,
                                                   .has_allocation_table = 1,
                                                   .allocation_count = stream_size != 0,
                                                   .is_looked_at = 1};
    say(seed, &message);
    if (stream_size == 0)
        return;
    message = ag_message_of(AG_MESSAGE_SUBMIT_DATA, epoch);
    say_with(seed, &message, stream, stream_size, stream_size);
    say_with(seed, &message, &allocation, sizeof allocation, sizeof allocation);
}

/* What the process asks for while it executes a submission. */
static void answer(struct seed *seed, uint32_t epoch)
{
    static const uint8_t bytes[32] = {1, 2, 3};
    struct ag_message message = ag_message_of(AG_MESSAGE_READ_DONE, epoch);
    message.as.read_done.is_good = 1;
    say_with(seed, &message, bytes, sizeof bytes, sizeof bytes);
    message = ag_message_of(AG_MESSAGE_WRITE_DONE, epoch);
    message.as.read_done.is_good = 1;
    say(seed, &message);
    message = ag_message_of(AG_MESSAGE_CACHE_ENTRY, epoch);
    say_with(seed, &message, bytes, sizeof bytes, sizeof bytes);
}

static void submissions(struct seed *seed)
{
    struct ag_message message = ag_message_of(AG_MESSAGE_ACK, 0);
    begin(seed, PROCESS_SIDE_PROCESS);
    submit(seed, 0, 24, 0);
    put_byte(seed, PROCESS_WORKS);
    answer(seed, 0);
    message.acknowledged = 16;
    say(seed, &message);
    submit(seed, 1, 0, 0);
    answer(seed, 0);
}

static void submissions_one_by_one(struct seed *seed)
{
    begin(seed, PROCESS_SIDE_PROCESS);
    for (uint32_t i = 0; i < 4; i++)
        submit(seed, i, 8, 0);
    put_byte(seed, PROCESS_WORKS);
    for (uint32_t i = 0; i < 4; i++)
        answer(seed, 0);
}

static void resets(struct seed *seed)
{
    const struct ag_message message = ag_message_of(AG_MESSAGE_RESET, 1);
    begin(seed, PROCESS_SIDE_PROCESS);
    submit(seed, 0, 24, 0);
    put_byte(seed, PROCESS_WORKS);
    say(seed, &message); /* while the process waits for an answer, which then comes too late */
    answer(seed, 0);
    submit(seed, 0, 24, 1);
    answer(seed, 1);
}

static void questions(struct seed *seed)
{
    struct ag_message message = ag_message_of(AG_MESSAGE_PING, 0);
    message.as.ping = 7;
    begin(seed, PROCESS_SIDE_PROCESS);
    say(seed, &message);
    put_byte(seed, PROCESS_WORKS);
    say(seed, &message);
    say_kind(seed, AG_MESSAGE_ACK);
}

static void say_save(struct seed *seed, enum ag_message_kind kind, uint32_t save)
{
    struct ag_message message = ag_message_of(kind, 0);
    message.as.snapshot.save = save;
    say(seed, &message);
}

/* The second goes on to its end. */
static void saves_of_the_owner(struct seed *seed)
{
    begin(seed, PROCESS_SIDE_PROCESS);
    say_save(seed, AG_MESSAGE_SAVE, 1);
    put_byte(seed, PROCESS_WORKS);
    say_save(seed, AG_MESSAGE_SAVE_OVER, 1);
    put_byte(seed, PROCESS_WORKS);
    say_save(seed, AG_MESSAGE_SAVE, 2);
    for (uint32_t i = 0; i < 4; i++) {
        put_byte(seed, PROCESS_WORKS);
        say_kind(seed, AG_MESSAGE_ACK);
    }
    say_save(seed, AG_MESSAGE_SAVE_OVER, 2);
}

static void loads_of_the_owner(struct seed *seed)
{
    static const uint8_t bytes[48] = {1};
    const struct ag_message reset = ag_message_of(AG_MESSAGE_RESET, 1);
    begin(seed, PROCESS_SIDE_PROCESS);
    say_kind(seed, AG_MESSAGE_LOAD);
    for (uint32_t i = 0; i < 3; i++)
        say_all(seed, AG_MESSAGE_LOAD_DATA, bytes, sizeof bytes);
    say(seed, &reset);
    say_kind(seed, AG_MESSAGE_LOAD);
}

/* The process ends, and waits for nothing more that its owner might say. */
static void bytes_of_nothing(struct seed *seed)
{
    begin(seed, PROCESS_SIDE_PROCESS);
    say_all(seed, AG_MESSAGE_SUBMIT_DATA, "bytes", 5);
    put_byte(seed, PROCESS_WORKS);
    say_kind(seed, AG_MESSAGE_ACK);
}

static void bytes_of_the_owner(struct seed *seed)
{
    const struct ag_message message = ag_message_of(AG_MESSAGE_PING, 0);
    begin(seed, PROCESS_SIDE_PROCESS);
    put_byte(seed, PROCESS_GETS_BYTES);
    put_byte(seed, sizeof message);
    put(seed, &message, sizeof message);
    put_byte(seed, PROCESS_GETS_BYTES);
    put_byte(seed, 9);
    put(seed, &message, 9);
}

/* ---- Bytes ----------------------------------------------------------------------------------------------
 */

static void start(struct seed *seed)
{
    const char *const names[] = {"one", "two"};
    const struct agpu_gpu_options gpu = {
        .size = sizeof gpu, .library = "library", .without = names, .without_count = 2};
    const struct agpu_executor_options executor = {
        .size = sizeof executor, .without = names, .without_count = 1};
    const struct agpu_process_executor_options options = {
        .size = sizeof options, .gpu = &gpu, .executor = &executor};
    struct ag_strbuf bytes = {0};
    begin(seed, PROCESS_SIDE_BYTES);
    ag_start_pack(&bytes, &options);
    put(seed, bytes.data, bytes.length);
    seed->failed |= bytes.failed;
    ag_strbuf_fini(&bytes);
}

static void adapter(struct seed *seed)
{
    const char *const features[] = {"one", "two"};
    const struct agpu_adapter_limit limits[] = {
        {.name = "limit", .value = 5}
    };
    const struct agpu_adapter_info info = {.name = "a",
                                           .driver = "b",
                                           .backend = "c",
                                           .library = "d",
                                           .features = features,
                                           .feature_count = 2,
                                           .limits = limits,
                                           .limit_count = 1};
    struct ag_strbuf bytes = {0};
    begin(seed, PROCESS_SIDE_BYTES);
    ag_adapter_pack(&bytes, &info);
    put(seed, bytes.data, bytes.length);
    seed->failed |= bytes.failed;
    ag_strbuf_fini(&bytes);
}

static const struct {
    const char *name;
    void (*make)(struct seed *seed);
} seeds[] = {
    {"completed_in_order",     completed_in_order    },
    {"failed",                 failed                },
    {"diags",                  diags                 },
    {"reads",                  reads                 },
    {"writes",                 writes                },
    {"entries",                entries               },
    {"pictures",               pictures              },
    {"counters",               counters              },
    {"lost",                   lost                  },
    {"pings",                  pings                 },
    {"earlier_save",           earlier_save          },
    {"save",                   save                  },
    {"save_of_garbage",        save_of_garbage       },
    {"save_cancelled",         save_cancelled        },
    {"save_that_nobody_polls", save_that_nobody_polls},
    {"load",                   load                  },
    {"load_refused",           load_refused          },
    {"bytes_of_the_process",   bytes_of_the_process  },
    {"submissions",            submissions           },
    {"submissions_one_by_one", submissions_one_by_one},
    {"resets",                 resets                },
    {"questions",              questions             },
    {"saves_of_the_owner",     saves_of_the_owner    },
    {"loads_of_the_owner",     loads_of_the_owner    },
    {"bytes_of_nothing",       bytes_of_nothing      },
    {"bytes_of_the_owner",     bytes_of_the_owner    },
    {"start",                  start                 },
    {"adapter",                adapter               },
};

static bool write_seed(const char *folder, const char *name, const struct seed *seed)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *const file = seed->failed ? NULL : fopen(path, "wb");
    if (file == NULL)
        return false;
    const bool written = fwrite(seed->bytes, 1, seed->size, file) == seed->size;
    return fclose(file) == 0 && written;
}

int main(int argc, char **argv)
{
    static struct seed seed;
    for (size_t i = 0; argc > 1 && i < AG_COUNT_OF(seeds); i++) {
        seed = (struct seed){.size = 0};
        seeds[i].make(&seed);
        if (!write_seed(argv[1], seeds[i].name, &seed)) {
            fprintf(stderr, "process_seeds: %s cannot be made\n", seeds[i].name);
            return EXIT_FAILURE;
        }
    }
    return argc > 1 ? EXIT_SUCCESS : EXIT_FAILURE;
}
