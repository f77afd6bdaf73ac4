/* SPDX-License-Identifier: MIT
 *
 * A program that is started as a GPU process and is none: it does what its argument names, of what a guest
 * could make of a real one.
 *
 *     hostile_process BEHAVIOUR
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "aerogpu/abi/ring.h"
#include "aerogpu/executor.h"
#include "base/bytes.h"
#include "cache/cache.h"
#include "exec/snapshot/sections.h"
#include "process/channel.h"
#include "process/descriptors.h"
#include "process/start.h"

static struct ag_channel channel;

/* ---- Messages ------------------------------------------------------------------------------------------ */

static void say(const void *bytes, size_t size)
{
    while (send(AG_SOCKET_DESCRIPTOR, bytes, size, MSG_NOSIGNAL) < 0)
        continue;
}

static void say_message(const struct ag_message *message)
{
    say(message, sizeof *message);
}

static void say_with(struct ag_message message, const void *bytes, uint32_t size)
{
    uint8_t *const to = ag_channel_reserve(&channel, &message, size);
    if (size > 0)
        memcpy(to, bytes, size);
    channel.written = message.position + size;
    say_message(&message);
}

static void say_ready(void)
{
    const struct agpu_adapter_info info = {
        .name = "hostile\033[2J", .driver = "none", .backend = "none", .library = "none"};
    struct ag_strbuf bytes = {0};
    ag_adapter_pack(&bytes, &info);
    say_with(ag_message_of(AG_MESSAGE_READY, 0), bytes.data, (uint32_t)bytes.length);
    ag_strbuf_fini(&bytes);
}

static struct ag_message wait_for_message(void)
{
    struct ag_message message;
    for (;;) {
        ag_channel_wait(&channel, UINT64_MAX);
        const enum ag_channel_result result = ag_channel_receive(&channel, &message);
        if (result == AG_CHANNEL_CLOSED || result == AG_CHANNEL_BROKEN)
            _exit(3);
        if (result == AG_CHANNEL_DONE)
            return message;
    }
}

static struct ag_message wait_for_kind(enum ag_message_kind kind)
{
    struct ag_message message = wait_for_message();
    while (message.kind != kind)
        message = wait_for_message();
    return message;
}

/* The number of the first submission, for which it waits. */
static uint32_t wait_for_submission(void)
{
    return wait_for_kind(AG_MESSAGE_SUBMIT).as.submit.number;
}

static void sleep_for_ever(void)
{
    for (;;)
        pause();
}

static uint32_t next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33);
}

/* ---- Behaviours ---------------------------------------------------------------------------------------- */

static void die(void)
{
    wait_for_submission();
    signal(SIGSEGV, SIG_DFL); /* not the sanitizer's */
    raise(SIGSEGV);
}

static void leave(void)
{
    wait_for_submission();
    _exit(5);
}

static void garbage(void)
{
    uint8_t bytes[AG_MESSAGE_BYTES];
    uint64_t state = 7;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)next_random(&state);
    say(bytes, sizeof bytes);
}

static void short_message(void)
{
    const struct ag_message message = ag_message_of(AG_MESSAGE_ACK, 0);
    say(&message, 17);
}

static void long_message(void)
{
    uint8_t bytes[AG_MESSAGE_BYTES + 8] = {0};
    const struct ag_message message = ag_message_of(AG_MESSAGE_ACK, 0);
    memcpy(bytes, &message, sizeof message);
    say(bytes, sizeof bytes);
}

static void other_version(void)
{
    struct ag_message message = ag_message_of(AG_MESSAGE_ACK, 0);
    message.version++;
    say_message(&message);
}

static void past_the_ring(void)
{
    struct ag_message message = ag_message_of(AG_MESSAGE_DIAG, 0);
    message.position = AG_RING_BYTES - 1;
    message.size = 1000;
    say_message(&message);
}

static void too_many_bytes(void)
{
    struct ag_message message = ag_message_of(AG_MESSAGE_PRESENT_DATA, 0);
    message.size = AG_PIECE_BYTES + 1;
    say_message(&message);
}

static void acknowledge_too_much(void)
{
    struct ag_message message = ag_message_of(AG_MESSAGE_ACK, 0);
    message.acknowledged = UINT64_MAX;
    say_message(&message);
}

static void kind_of_the_owner(void)
{
    const struct ag_message message = ag_message_of(AG_MESSAGE_SUBMIT, 0);
    say_message(&message);
}

/* Counters of a context in this place of a list of so many. */
static void count_for(uint32_t place, uint32_t count)
{
    const struct agpu_context_counters counters = {.size = place};
    struct ag_message message = ag_message_of(AG_MESSAGE_CONTEXTS, 0);
    message.as.contexts.count = count;
    say_ready();
    wait_for_submission();
    say_with(message, &counters, sizeof counters);
}

static void count_for_nobody(void)
{
    count_for(3, 3);
}

static void count_for_too_many(void)
{
    count_for(0, AG_TOLD_CONTEXTS + 1);
}

static void ready_twice(void)
{
    say_ready();
    say_ready();
}

static void no_adapter(void)
{
    const uint32_t head[2] = {UINT32_MAX, UINT32_MAX};
    say_with(ag_message_of(AG_MESSAGE_READY, 0), head, sizeof head);
}

static void adapter_without_end(void)
{
    const uint32_t head[4] = {1, 0, 0x41414141, 0x41414141};
    say_with(ag_message_of(AG_MESSAGE_READY, 0), head, sizeof head);
}

static void complete_nothing(void)
{
    struct ag_message message = ag_message_of(AG_MESSAGE_COMPLETED, 0);
    say_ready();
    message.as.completed.submission = wait_for_submission() + 1;
    say_message(&message);
}

static void complete_twice(void)
{
    struct ag_message message = ag_message_of(AG_MESSAGE_COMPLETED, 0);
    say_ready();
    message.as.completed.submission = wait_for_submission();
    message.as.completed.error = 12345;
    say_message(&message);
    say_message(&message);
}

static struct ag_message present_of(uint32_t submission, uint32_t width, uint32_t height)
{
    struct ag_message message = ag_message_of(AG_MESSAGE_PRESENT, 0);
    message.as.present = (struct ag_present_message){
        .submission = submission, .width = width, .height = height, .has_pixels = true};
    return message;
}

static void picture_too_large(void)
{
    say_ready();
    const struct ag_message message = present_of(wait_for_submission(), UINT32_MAX, UINT32_MAX);
    say_message(&message);
}

static void picture_too_wide(void)
{
    say_ready();
    const struct ag_message message = present_of(wait_for_submission(), 16385, 1);
    say_message(&message);
}

static void picture_of_nothing(void)
{
    say_ready();
    struct ag_message message = present_of(wait_for_submission(), 4, 4);
    message.as.present.has_pixels = false;
    say_message(&message);
}

static void window_of_nothing(void)
{
    say_ready();
    struct ag_message message = present_of(wait_for_submission(), 4, 4);
    message.as.present.scanout_id = AGPU_NO_SCANOUT;
    message.as.present.has_pixels = false;
    say_message(&message);
}

static void pictures_nested(void)
{
    say_ready();
    const struct ag_message message = present_of(wait_for_submission(), 16384, 16384);
    say_message(&message);
    say_message(&message);
}

static void picture_overflows(void)
{
    const uint8_t bytes[16] = {0};
    say_ready();
    const struct ag_message message = present_of(wait_for_submission(), 2, 1);
    say_message(&message);
    say_with(ag_message_of(AG_MESSAGE_PRESENT_DATA, 0), bytes, sizeof bytes);
}

static void pixels_of_nothing(void)
{
    const uint8_t bytes[16] = {0};
    say_ready();
    wait_for_submission();
    say_with(ag_message_of(AG_MESSAGE_PRESENT_DATA, 0), bytes, sizeof bytes);
}

static void picture_without_end(void)
{
    struct ag_message message = ag_message_of(AG_MESSAGE_COMPLETED, 0);
    say_ready();
    message.as.completed.submission = wait_for_submission();
    const struct ag_message present = present_of(message.as.completed.submission, 64, 64);
    say_message(&present);
    say_message(&message);
}

/* Asks for guest memory without taking what it gets. */
static void ask_without_end(void)
{
    struct ag_message message = ag_message_of(AG_MESSAGE_READ, 0);
    message.as.read = (struct ag_read_message){0x10000, AG_PIECE_BYTES};
    say_ready();
    wait_for_submission();
    for (;;)
        if (send(AG_SOCKET_DESCRIPTOR, &message, sizeof message, MSG_NOSIGNAL) < 0)
            return;
}

/* The same for entries of the cache, which the owner does not have. */
static void ask_for_entries_without_end(void)
{
    const struct ag_message message = ag_message_of(AG_MESSAGE_CACHE_LOAD, 0);
    say_ready();
    wait_for_submission();
    for (;;)
        if (send(AG_SOCKET_DESCRIPTOR, &message, sizeof message, MSG_NOSIGNAL) < 0)
            return;
}

/* Names as the owner has them are undone here, so that they are those of its own entries. */
static struct ag_message about_entry(enum ag_message_kind kind, const uint8_t name[AGPU_CACHE_NAME_BYTES])
{
    struct ag_message message = ag_message_of(kind, 0);
    for (size_t i = 0; i < AGPU_CACHE_NAME_BYTES; i++)
        message.as.cache.name[i] = name[i] ^ 0xa5;
    return message;
}

static void forge_entry(void *user, const uint8_t name[AGPU_CACHE_NAME_BYTES], const void *bytes, size_t size)
{
    (void)user;
    say_with(about_entry(AG_MESSAGE_CACHE_STORE, name), bytes, (uint32_t)size);
}

static uint32_t entries_seen;

static void get_entry(void *user, const uint8_t name[AGPU_CACHE_NAME_BYTES],
                      void (*take)(void *taker, const void *bytes, size_t size), void *taker)
{
    (void)user;
    struct ag_message message = about_entry(AG_MESSAGE_CACHE_LOAD, name);
    say_message(&message);
    message = wait_for_kind(AG_MESSAGE_CACHE_ENTRY);
    entries_seen += message.size != 0;
    if (message.size != 0)
        take(taker, ag_channel_bytes(&channel, &message), message.size);
}

/* Makes up code for a driver. Gets its own entries back, and none of the owner's. */
static void forge_entries(void)
{
    struct ag_message completed = ag_message_of(AG_MESSAGE_COMPLETED, 0);
    const struct agpu_cache_store store = {.size = sizeof store, .load = get_entry, .store = forge_entry};
    struct agpu_cache *cache;
    struct ag_cache_value value;
    say_ready();
    completed.as.completed.submission = wait_for_submission();
    if (agpu_cache_create(&store, NULL, &cache) != AGPU_OK)
        _exit(4);
    if (ag_cache_load(cache, AG_CACHE_BLOBS, "own", 3, &value) || entries_seen != 0)
        _exit(5);
    ag_cache_store(cache, AG_CACHE_BLOBS, "key", 3, "code", 4);
    if (!ag_cache_load(cache, AG_CACHE_BLOBS, "key", 3, &value) || value.size != 4)
        _exit(6);
    say_message(&completed);
}

static void entry_too_small(void)
{
    static const uint8_t bytes[AG_CACHE_HEADER_BYTES - 1];
    say_ready();
    wait_for_submission();
    say_with(ag_message_of(AG_MESSAGE_CACHE_STORE, 0), bytes, sizeof bytes);
}

static void entry_of_nothing(void)
{
    const struct ag_message message = ag_message_of(AG_MESSAGE_CACHE_STORE, 0);
    say_ready();
    wait_for_submission();
    say_message(&message);
}

static void rows_do_not_fit(void)
{
    struct ag_message message = ag_message_of(AG_MESSAGE_WRITE, 0);
    const uint8_t bytes[8] = {0};
    message.as.write = (struct ag_write_message){.row_bytes = UINT32_MAX, .rows = AG_WRITE_ROWS};
    say_ready();
    wait_for_submission();
    say_with(message, bytes, sizeof bytes);
}

static void row_of_nothing(void)
{
    struct ag_message message = ag_message_of(AG_MESSAGE_WRITE, 0);
    message.as.write = (struct ag_write_message){.gpa = 0x10000, .rows = 1, .place = AGPU_NO_PLACE};
    say_ready();
    wait_for_submission();
    say_message(&message);
}

/* A row of one packet that cannot be stored, another one of it that could, and one of the packet behind it.
 */
static void write_in_parts(void)
{
    static const struct {
        uint64_t gpa;
        uint32_t packet;
    } rows[] = {
        {0x100,   3},
        {0x10000, 3},
        {0x10010, 4}
    };
    static const uint8_t bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    struct ag_message message = ag_message_of(AG_MESSAGE_WRITE, 0);
    struct ag_message completed = ag_message_of(AG_MESSAGE_COMPLETED, 0);
    say_ready();
    completed.as.completed.submission = wait_for_submission();
    for (size_t i = 0; i < AG_COUNT_OF(rows); i++) {
        message.as.write = (struct ag_write_message){.gpa = rows[i].gpa,
                                                     .pitch = sizeof bytes,
                                                     .row_bytes = sizeof bytes,
                                                     .rows = 1,
                                                     .place = AGPU_NO_PLACE,
                                                     .opcode = AG_NO_OPCODE};
        message.as.write.place.packet = rows[i].packet;
        say_with(message, bytes, sizeof bytes);
    }
    say_message(&completed);
    sleep_for_ever();
}

/* A picture of a device that there was before a reset. */
static void picture_too_late(void)
{
    static const uint8_t bytes[16] = {0};
    struct ag_message completed = ag_message_of(AG_MESSAGE_COMPLETED, 0);
    say_ready();
    completed.as.completed.submission = wait_for_submission();
    struct ag_message message = present_of(completed.as.completed.submission, 2, 2);
    message.epoch = 7;
    say_message(&message);
    say_with(ag_message_of(AG_MESSAGE_PRESENT_DATA, 7), bytes, sizeof bytes);
    say_message(&completed);
    sleep_for_ever();
}

/* Writes that leave guest memory on both sides, and one that does not: these are no break of rules. */
static void write_anywhere(void)
{
    struct ag_message message = ag_message_of(AG_MESSAGE_WRITE, 0);
    struct ag_message completed = ag_message_of(AG_MESSAGE_COMPLETED, 0);
    const uint8_t bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    say_ready();
    completed.as.completed.submission = wait_for_submission();
    message.as.write = (struct ag_write_message){.gpa = UINT64_MAX - 3,
                                                 .pitch = UINT64_MAX / 2,
                                                 .row_bytes = 4,
                                                 .rows = 2,
                                                 .place = AGPU_NO_PLACE,
                                                 .opcode = 0xFFFF};
    say_with(message, bytes, sizeof bytes);
    message.as.write.gpa = 0x10000;
    message.as.write.pitch = 4;
    message.as.write.place.packet = 9;
    say_with(message, bytes, sizeof bytes);
    say_message(&completed);
    sleep_for_ever();
}

/* Takes all that comes up to a message of this kind. */
static struct ag_message take_up_to(enum ag_message_kind kind)
{
    struct ag_message message = {.kind = AG_MESSAGE_NONE};
    while (message.kind != kind) {
        message = wait_for_message();
        ag_channel_consume(&channel, &message);
        if (ag_channel_owes_acknowledgement(&channel)) {
            struct ag_message acknowledgement = ag_message_of(AG_MESSAGE_ACK, 0);
            ag_channel_send(&channel, &acknowledgement);
        }
    }
    return message;
}

/* Asks while the owner still has bytes of the submission to send, and asks again after it got the answer. */
static void ask_early_with(struct ag_message question, enum ag_message_kind answer)
{
    struct ag_message completed = ag_message_of(AG_MESSAGE_COMPLETED, 0);
    say_ready();
    completed.as.completed.submission = wait_for_submission();
    say_message(&question);
    for (uint32_t i = 0; i < 3; i++) {
        take_up_to(answer);
        question.acknowledged = channel.consumed;
        say_message(&question);
    }
    take_up_to(answer);
    completed.acknowledged = channel.consumed;
    say_message(&completed);
}

/* Takes the bytes of three submissions, none of which may begin before all bytes of the one before are there:
 * zeros, and behind them a table whose entries are numbered. */
static void take_three(void)
{
    static uint8_t bytes[AG_RING_BYTES * 2];
    struct ag_message completed = ag_message_of(AG_MESSAGE_COMPLETED, 0);
    say_ready();
    for (uint32_t i = 0; i < 3; i++) {
        const struct ag_message head = take_up_to(AG_MESSAGE_SUBMIT);
        const struct ag_submit_message *const submit = &head.as.submit;
        const size_t table = submit->allocation_count * sizeof(struct aerogpu_alloc_entry);
        const size_t size = submit->stream_size + table;
        for (size_t done = 0; done < size;) {
            const struct ag_message message = wait_for_message();
            if (message.kind == AG_MESSAGE_SUBMIT || message.size > size - done)
                _exit(7);
            if (message.kind == AG_MESSAGE_SUBMIT_DATA) {
                memcpy(bytes + done, ag_channel_bytes(&channel, &message), message.size);
                done += message.size;
            }
            ag_channel_consume(&channel, &message);
            if (ag_channel_owes_acknowledgement(&channel)) {
                struct ag_message acknowledgement = ag_message_of(AG_MESSAGE_ACK, 0);
                ag_channel_send(&channel, &acknowledgement);
            }
        }
        for (uint32_t entry = 0; entry < submit->allocation_count; entry++)
            if (ag_load_u32(bytes + submit->stream_size + entry * sizeof(struct aerogpu_alloc_entry)) !=
                entry + 1)
                _exit(8);
        completed.as.completed.submission = submit->number;
        completed.acknowledged = channel.consumed;
        say_message(&completed);
    }
    sleep_for_ever();
}

static void ask_early(void)
{
    struct ag_message message = ag_message_of(AG_MESSAGE_READ, 0);
    message.as.read = (struct ag_read_message){0x10000, 64};
    ask_early_with(message, AG_MESSAGE_READ_DONE);
}

static void ask_early_for_entries(void)
{
    ask_early_with(ag_message_of(AG_MESSAGE_CACHE_LOAD, 0), AG_MESSAGE_CACHE_ENTRY);
}

/* What a good process does with a submission: reads, writes, says something, shows a picture, completes. */
static void serve_one(void)
{
    static const uint8_t bytes[64] = {1};
    struct ag_message message = ag_message_of(AG_MESSAGE_READ, 0);
    say_ready();
    const uint32_t number = wait_for_submission();
    message.as.read = (struct ag_read_message){0x10000, 64};
    say_message(&message);
    wait_for_kind(AG_MESSAGE_READ_DONE);
    message = ag_message_of(AG_MESSAGE_WRITE, 0);
    message.as.write = (struct ag_write_message){
        .gpa = 0x10000, .row_bytes = 64, .rows = 1, .place = AGPU_NO_PLACE, .is_waited_for = true};
    say_with(message, bytes, sizeof bytes);
    wait_for_kind(AG_MESSAGE_WRITE_DONE);
    message = ag_message_of(AG_MESSAGE_DIAG, 0);
    message.as.diag.opcode = AG_NO_OPCODE;
    say_with(message, "said", 4);
    message = present_of(number, 4, 4);
    say_message(&message);
    say_with(ag_message_of(AG_MESSAGE_PRESENT_DATA, 0), bytes, sizeof bytes);
    message = ag_message_of(AG_MESSAGE_COMPLETED, 0);
    message.as.completed.submission = number;
    say_message(&message);
    sleep_for_ever();
}

/* Valid by itself and without sense: every kind, with any numbers. */
static void scribble(void)
{
    uint64_t state = 11;
    say_ready();
    wait_for_submission();
    for (uint32_t i = 0; i < 100000; i++) {
        struct ag_message message =
            ag_message_of(AG_MESSAGE_READY + next_random(&state) % (AG_MESSAGE_KINDS - AG_MESSAGE_READY), 0);
        for (size_t j = 0; j < sizeof message.as.bytes; j += 4)
            ag_store_u32(message.as.bytes + j, next_random(&state) % 7);
        message.size = next_random(&state) % 300;
        message.position = next_random(&state) % AG_RING_BYTES;
        if (send(AG_SOCKET_DESCRIPTOR, &message, sizeof message, MSG_NOSIGNAL) < 0)
            return;
    }
}

static void terminal_codes(void)
{
    struct ag_message message = ag_message_of(AG_MESSAGE_DIAG, 0);
    static const char text[] = "\033]0;taken over\007 and\nmore\302\233\177";
    say_ready();
    wait_for_submission();
    message.as.diag = (struct ag_diag_message){
        .place = AGPU_NO_PLACE, .code = 77777777, .severity = AGPU_ERROR, .opcode = 0xABCDEF};
    say_with(message, text, sizeof text - 1);
    sleep_for_ever();
}

/* A device is lost once. */
static void lose_again_and_again(void)
{
    struct ag_message message = ag_message_of(AG_MESSAGE_LOST, 0);
    say_ready();
    const uint32_t number = wait_for_submission();
    for (uint32_t i = 0; i < 100; i++)
        say_message(&message);
    message = ag_message_of(AG_MESSAGE_COMPLETED, 0);
    message.as.completed.submission = number;
    say_message(&message);
    sleep_for_ever();
}

/* Talks about its GPU without end, before it completes a submission. */
static void talk_of_the_gpu(void)
{
    struct ag_message message = ag_message_of(AG_MESSAGE_DIAG, 0);
    say_ready();
    const uint32_t number = wait_for_submission();
    message.as.diag = (struct ag_diag_message){
        .place = AGPU_NO_PLACE, .severity = AGPU_ERROR, .opcode = AG_NO_OPCODE, .of_gpu = 1};
    for (uint32_t i = 0; i < 20000; i++)
        say_message(&message);
    message = ag_message_of(AG_MESSAGE_COMPLETED, 0);
    message.as.completed.submission = number;
    say_message(&message);
    sleep_for_ever();
}

/* Sends descriptors along, which the owner did not ask for. */
static void send_descriptors(void)
{
    struct ag_message message = ag_message_of(AG_MESSAGE_ACK, 0);
    struct ag_message completed = ag_message_of(AG_MESSAGE_COMPLETED, 0);
    const int descriptors[3] = {0, 1, 2};
    say_ready();
    completed.as.completed.submission = wait_for_submission();
    for (uint32_t i = 0; i < 100; i++)
        while (ag_channel_send_descriptors(&channel, &message, descriptors, 3) == AG_CHANNEL_LATER)
            continue;
    say_message(&completed);
    sleep_for_ever();
}

/* ---- Snapshots ----------------------------------------------------------------------------------------- */

static void say_about_save(enum ag_message_kind kind, uint32_t save)
{
    struct ag_message message = ag_message_of(kind, 0);
    message.as.snapshot.save = save;
    message.acknowledged = channel.acknowledged;
    say_message(&message);
}

static void say_section(uint32_t save, uint32_t tag, uint64_t size)
{
    struct ag_message message = ag_message_of(AG_MESSAGE_SAVE_DATA, 0);
    uint8_t bytes[AG_ARCHIVE_HEADER_BYTES] = {0};
    ag_store_u32(bytes, AG_ARCHIVE_TAG('A', 'G', 'S', 'S'));
    ag_store_u32(bytes + 4, tag);
    ag_store_u32(bytes + 8, 1);
    ag_store_u64(bytes + 16, size);
    message.as.snapshot.save = save;
    say_with(message, bytes, sizeof bytes);
}

static uint32_t wait_for_save(void)
{
    say_ready();
    return wait_for_kind(AG_MESSAGE_SAVE).as.snapshot.save;
}

static void saved_nothing(void)
{
    say_ready();
    wait_for_submission();
    say_about_save(AG_MESSAGE_SAVED, 1);
}

static void bytes_of_no_snapshot(void)
{
    say_ready();
    wait_for_submission();
    say_section(1, AG_SECTION_EXECUTOR, 0);
}

static void loaded_nothing(void)
{
    say_ready();
    wait_for_submission();
    say_about_save(AG_MESSAGE_LOADED, 0);
}

static void save_of_the_future(void)
{
    say_about_save(AG_MESSAGE_SAVED, wait_for_save() + 1);
}

static void save_garbage(void)
{
    say_section(wait_for_save(), AG_SECTION_EXECUTOR, UINT64_MAX);
}

static void save_without_begin(void)
{
    say_section(wait_for_save(), AG_SECTION_OBJECT, 0);
}

static void save_without_end(void)
{
    const uint32_t save = wait_for_save();
    say_section(save, AG_SECTION_EXECUTOR, 0);
    say_about_save(AG_MESSAGE_SAVED, save);
}

static void save_behind_the_end(void)
{
    const uint32_t save = wait_for_save();
    say_section(save, AG_SECTION_EXECUTOR, 0);
    say_section(save, AG_SECTION_END, 0);
    say_section(save, AG_SECTION_OBJECT, 0);
}

static void leave_while_saving(void)
{
    say_section(wait_for_save(), AG_SECTION_EXECUTOR, 0);
    _exit(5);
}

/* Dies of a submission, but a save before it goes well, and the submission then, too. */
static void save_or_die(void)
{
    struct ag_message message, completed = ag_message_of(AG_MESSAGE_COMPLETED, 0);
    say_ready();
    do
        message = wait_for_message();
    while (message.kind != AG_MESSAGE_SAVE && message.kind != AG_MESSAGE_SUBMIT);
    if (message.kind == AG_MESSAGE_SUBMIT)
        _exit(5);
    const uint32_t save = message.as.snapshot.save;
    say_section(save, AG_SECTION_EXECUTOR, 0);
    say_section(save, AG_SECTION_END, 0);
    say_about_save(AG_MESSAGE_SAVED, save);
    if (wait_for_kind(AG_MESSAGE_SAVE_OVER).as.snapshot.save != save)
        _exit(6);
    completed.as.completed.submission = wait_for_submission();
    say_message(&completed);
}

/* A save that says no more than that it failed breaks no rule. */
static void save_fails(void)
{
    struct ag_message message = ag_message_of(AG_MESSAGE_SAVED, 0);
    message.as.snapshot.save = wait_for_save();
    message.as.snapshot.status = AGPU_REFUSED;
    say_message(&message);
}

/* Bytes of the first save come while the second one is under way. */
static void save_again(void)
{
    struct ag_message message = ag_message_of(AG_MESSAGE_SAVED, 0);
    const uint32_t first = wait_for_save();
    message.as.snapshot.save = first;
    message.as.snapshot.status = AGPU_REFUSED;
    say_message(&message);
    const uint32_t second = wait_for_kind(AG_MESSAGE_SAVE).as.snapshot.save;
    const struct {
        uint32_t save, tag;
    } sections[] = {
        {first,  AG_SECTION_EXECUTOR},
        {second, AG_SECTION_EXECUTOR},
        {second, AG_SECTION_END     }
    };
    channel.released = channel.written = AG_RING_BYTES; /* there is room for all of them */
    for (size_t i = 0; i < AG_COUNT_OF(sections); i++)
        say_section(sections[i].save, sections[i].tag, 0);
    say_about_save(AG_MESSAGE_SAVED, second);
    sleep_for_ever();
}

/* Takes what follows a first section for a snapshot. */
static void load_anything(void)
{
    say_ready();
    take_up_to(AG_MESSAGE_LOAD_DATA);
    take_up_to(AG_MESSAGE_LOAD_DATA);
    say_about_save(AG_MESSAGE_LOADED, 0);
    sleep_for_ever();
}

static void load_a_part(void)
{
    say_ready();
    wait_for_kind(AG_MESSAGE_LOAD);
    say_about_save(AG_MESSAGE_LOADED, 0);
}

/* Takes all that comes, and the empty section at the end. */
static void take_snapshot(void)
{
    struct ag_message message;
    do
        message = take_up_to(AG_MESSAGE_LOAD_DATA);
    while (message.size != AG_ARCHIVE_HEADER_BYTES ||
           ag_load_u32(ag_channel_bytes(&channel, &message) + 4) != AG_SECTION_END);
}

static void load_twice(void)
{
    say_ready();
    take_snapshot();
    say_about_save(AG_MESSAGE_LOADED, 0);
    say_about_save(AG_MESSAGE_LOADED, 0);
}

static void chatter(void)
{
    struct ag_message message = ag_message_of(AG_MESSAGE_COUNTERS, 0);
    message.size = sizeof(struct agpu_counters);
    message.acknowledged = channel.consumed;
    while (send(AG_SOCKET_DESCRIPTOR, &message, sizeof message, MSG_NOSIGNAL) >= 0)
        continue;
}

/* Talks for ever instead of loading. */
static void load_and_chatter(void)
{
    say_ready();
    wait_for_kind(AG_MESSAGE_LOAD);
    chatter();
}

/* The same after the last byte. */
static void load_all_and_chatter(void)
{
    say_ready();
    take_snapshot();
    chatter();
}

static void load_fails(void)
{
    struct ag_message message = ag_message_of(AG_MESSAGE_LOADED, 0);
    say_ready();
    wait_for_kind(AG_MESSAGE_LOAD);
    message.as.snapshot.status = AGPU_REFUSED;
    say_message(&message);
}

static void never_ready(void)
{
    sleep_for_ever();
}

static void never_answers(void)
{
    say_ready();
    sleep_for_ever();
}

/* Answers every ping and does nothing else. */
static void never_completes(void)
{
    struct ag_message message;
    say_ready();
    for (;;) {
        ag_channel_wait(&channel, UINT64_MAX);
        const enum ag_channel_result result = ag_channel_receive(&channel, &message);
        if (result == AG_CHANNEL_CLOSED || result == AG_CHANNEL_BROKEN)
            return;
        if (result != AG_CHANNEL_DONE || message.kind != AG_MESSAGE_PING)
            continue;
        message.kind = AG_MESSAGE_PONG;
        message.acknowledged = 0;
        say_message(&message);
    }
}

static const struct {
    const char *name;
    void (*run)(void);
} behaviours[] = {
    {"die",                  die                        },
    {"leave",                leave                      },
    {"garbage",              garbage                    },
    {"short-message",        short_message              },
    {"long-message",         long_message               },
    {"other-version",        other_version              },
    {"past-the-ring",        past_the_ring              },
    {"too-many-bytes",       too_many_bytes             },
    {"acknowledge-too-much", acknowledge_too_much       },
    {"kind-of-the-owner",    kind_of_the_owner          },
    {"count-for-nobody",     count_for_nobody           },
    {"count-for-too-many",   count_for_too_many         },
    {"ready-twice",          ready_twice                },
    {"no-adapter",           no_adapter                 },
    {"adapter-without-end",  adapter_without_end        },
    {"complete-nothing",     complete_nothing           },
    {"complete-twice",       complete_twice             },
    {"picture-too-large",    picture_too_large          },
    {"pictures-nested",      pictures_nested            },
    {"picture-of-nothing",   picture_of_nothing         },
    {"window-of-nothing",    window_of_nothing          },
    {"picture-overflows",    picture_overflows          },
    {"pixels-of-nothing",    pixels_of_nothing          },
    {"picture-without-end",  picture_without_end        },
    {"ask-without-end",      ask_without_end            },
    {"ask-for-entries",      ask_for_entries_without_end},
    {"ask-early",            ask_early                  },
    {"ask-early-entries",    ask_early_for_entries      },
    {"forge-entries",        forge_entries              },
    {"entry-too-small",      entry_too_small            },
    {"entry-of-nothing",     entry_of_nothing           },
    {"rows-do-not-fit",      rows_do_not_fit            },
    {"write-anywhere",       write_anywhere             },
    {"serve-one",            serve_one                  },
    {"scribble",             scribble                   },
    {"terminal-codes",       terminal_codes             },
    {"talk-of-the-gpu",      talk_of_the_gpu            },
    {"lose-again-and-again", lose_again_and_again       },
    {"picture-too-wide",     picture_too_wide           },
    {"send-descriptors",     send_descriptors           },
    {"saved-nothing",        saved_nothing              },
    {"bytes-of-no-snapshot", bytes_of_no_snapshot       },
    {"loaded-nothing",       loaded_nothing             },
    {"save-of-the-future",   save_of_the_future         },
    {"save-garbage",         save_garbage               },
    {"save-without-begin",   save_without_begin         },
    {"save-without-end",     save_without_end           },
    {"save-behind-the-end",  save_behind_the_end        },
    {"leave-while-saving",   leave_while_saving         },
    {"save-or-die",          save_or_die                },
    {"save-fails",           save_fails                 },
    {"load-a-part",          load_a_part                },
    {"load-twice",           load_twice                 },
    {"load-and-chatter",     load_and_chatter           },
    {"load-all-and-chatter", load_all_and_chatter       },
    {"load-fails",           load_fails                 },
    {"row-of-nothing",       row_of_nothing             },
    {"write-in-parts",       write_in_parts             },
    {"picture-too-late",     picture_too_late           },
    {"take-three",           take_three                 },
    {"load-anything",        load_anything              },
    {"save-again",           save_again                 },
    {"never-ready",          never_ready                },
    {"never-answers",        never_answers              },
    {"never-completes",      never_completes            },
};

int main(int argc, char **argv)
{
    int descriptors[AG_DESCRIPTORS];
    uint32_t count = AG_DESCRIPTORS;
    struct ag_message message;
    const struct ag_channel socket = {.socket = AG_SOCKET_DESCRIPTOR};
    ag_channel_wait(&socket, UINT64_MAX);
    if (argc != 2 || ag_channel_receive_descriptors(AG_SOCKET_DESCRIPTOR, &message, descriptors, &count) !=
                         AG_CHANNEL_DONE)
        return 1;
    uint8_t *const shared = ag_shared_memory_map(descriptors[0]);
    if (shared == NULL)
        return 1;
    ag_channel_init(&channel, AG_SOCKET_DESCRIPTOR, shared, true);
    for (size_t i = 0; i < AG_COUNT_OF(behaviours); i++) {
        if (strcmp(behaviours[i].name, argv[1]) == 0) {
            behaviours[i].run();
            sleep_for_ever(); /* what comes of it is the owner's to say */
        }
    }
    return 1;
}
