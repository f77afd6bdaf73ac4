/* SPDX-License-Identifier: MIT
 *
 * Any messages between a GPU process and its owner, from either side, with any bytes in the ring. The owner
 * completes in order what was submitted, reads what it is told to read and nothing beside it, and ends with
 * nothing in flight once the process is lost. The process ends when its owner breaks a rule or leaves.
 *
 * The seeds have every kind of message take effect: fuzz_seeds_are_whole() says which do not.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../support/snapshot_bytes.h"
#include "base/bytes.h"
#include "cache/cache.h"
#include "exec/snapshot/sections.h"
#include "process/gpu_process.h"
#include "process/owner.h"
#include "process_input.h"

#define RAM_BYTES 65536u
#define MOST_MESSAGES 200
#define STREAM_BYTES 64u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
bool fuzz_seeds_are_whole(void);

/* Kinds of messages that have had their effect, by who takes them. */
static bool had_effect[PROCESS_SIDE_BYTES][AG_MESSAGE_KINDS];

static void note(enum process_side side, enum ag_message_kind kind)
{
    had_effect[side][kind] = true;
}

bool fuzz_seeds_are_whole(void)
{
    bool is_whole = true;
    for (enum process_side side = PROCESS_SIDE_OWNER; side <= PROCESS_SIDE_PROCESS; side++) {
        for (uint32_t kind = AG_MESSAGE_NONE + 1; kind < AG_MESSAGE_KINDS; kind++) {
            if (!process_takes_kind(side, kind) || had_effect[side][kind])
                continue;
            fprintf(stderr, "no seed has an effect of message %u on %s\n", (unsigned)kind,
                    side == PROCESS_SIDE_OWNER ? "the owner" : "the process");
            is_whole = false;
        }
    }
    return is_whole;
}

struct input {
    const uint8_t *data;
    size_t left;
};

static uint64_t take(struct input *input, size_t bytes)
{
    uint64_t value = 0;
    if (bytes > input->left)
        bytes = input->left;
    memcpy(&value, input->data, bytes);
    input->data += bytes;
    input->left -= bytes;
    return value;
}

static volatile uint8_t sink;

static void look_at(const void *bytes, size_t size)
{
    const uint8_t *const all = bytes;
    uint8_t sum = 0;
    for (size_t i = 0; i < size; i++)
        sum = (uint8_t)(sum + all[i]);
    sink = sum;
}

/* ---- The attacker ------------------------------------------------------------------------------------ */

struct attacker {
    int socket;
    uint8_t *ring;
    uint32_t messages;
    bool is_owner;
    struct input *input;
};

/* False: it is not on its way. */
static bool send_bytes(struct attacker *attacker, const void *bytes, size_t size)
{
    return attacker->messages++ < MOST_MESSAGES &&
           send(attacker->socket, bytes, size, MSG_DONTWAIT | MSG_NOSIGNAL) >= 0;
}

/* A message whose head is mostly right: a kind, numbers of its fields, bytes in the ring. */
static bool send_message(struct attacker *attacker)
{
    struct input *const input = attacker->input;
    const uint32_t first = process_first_kind(attacker->is_owner);
    const uint64_t kind = first + take(input, 1) % (AG_MESSAGE_KINDS - first);
    struct ag_message message = ag_message_of((enum ag_message_kind)kind, (uint32_t)take(input, 1));
    const uint64_t shape = take(input, 1);
    const size_t numbers = shape & PROCESS_SHAPE_NUMBERS;
    for (size_t i = 0; i < numbers; i++)
        ag_store_u32(message.as.bytes + i * 4, (uint32_t)take(input, shape & PROCESS_SHAPE_DWORDS ? 4 : 1));
    if (shape & PROCESS_SHAPE_SIZE)
        message.size = (uint32_t)take(input, 3);
    if (shape & PROCESS_SHAPE_POSITION)
        message.position = take(input, 8);
    if (shape & PROCESS_SHAPE_ACKNOWLEDGED)
        message.acknowledged = take(input, 3);
    const size_t scribbled = take(input, 1) % PROCESS_RING_BYTES;
    for (size_t i = 0; i < scribbled; i++)
        attacker->ring[(message.position + i) % AG_RING_BYTES] = (uint8_t)take(input, 1);
    return send_bytes(attacker, &message, sizeof message);
}

static bool send_raw(struct attacker *attacker)
{
    struct input *const input = attacker->input;
    uint8_t bytes[AG_MESSAGE_BYTES + 1];
    const size_t size = take(input, 1) % sizeof bytes;
    for (size_t i = 0; i < size; i++)
        bytes[i] = (uint8_t)take(input, 1);
    return send_bytes(attacker, bytes, size);
}

static void drain(int from)
{
    struct ag_message message;
    while (recv(from, &message, sizeof message, MSG_DONTWAIT) > 0)
        if (message.kind == AG_MESSAGE_PONG)
            note(PROCESS_SIDE_PROCESS, AG_MESSAGE_PING);
}

/* Socket and memory for both sides. */
struct connection {
    int sockets[2];
    uint8_t *shared[2];
};

static void connect_both(struct connection *connection)
{
    const int descriptor = ag_shared_memory_create();
    connection->shared[0] = ag_shared_memory_map(descriptor);
    connection->shared[1] = ag_shared_memory_map(descriptor);
    if (connection->shared[0] == NULL || connection->shared[1] == NULL ||
        socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, connection->sockets) != 0)
        abort();
    close(descriptor);
}

/* ---- The owner under attack -------------------------------------------------------------------------- */

struct machine {
    struct agpu_executor *executor;
    uint8_t ram[RAM_BYTES];
    uint32_t submitted, completed;
    uint32_t parts;     /* of the picture that is prepared */
    uint8_t entry[128]; /* of the cache, for every name */
    size_t entry_size;
};

static bool read_ram(void *user, uint64_t gpa, void *to, size_t size)
{
    const struct machine *const machine = user;
    if (!ag_range_fits(gpa, size, RAM_BYTES))
        return false;
    memcpy(to, machine->ram + gpa, size);
    note(PROCESS_SIDE_OWNER, AG_MESSAGE_READ);
    return true;
}

static bool write_ram(void *user, uint64_t gpa, const void *from, size_t size)
{
    struct machine *const machine = user;
    if (!ag_range_fits(gpa, size, RAM_BYTES))
        return false;
    memcpy(machine->ram + gpa, from, size);
    note(PROCESS_SIDE_OWNER, AG_MESSAGE_WRITE);
    return true;
}

static void load_entry(void *user, const uint8_t name[AGPU_CACHE_NAME_BYTES],
                       void (*take_entry)(void *taker, const void *bytes, size_t size), void *taker)
{
    const struct machine *const machine = user;
    (void)name;
    note(PROCESS_SIDE_OWNER, AG_MESSAGE_CACHE_LOAD);
    if (machine->entry_size != 0)
        take_entry(taker, machine->entry, machine->entry_size);
}

static void store_entry(void *user, const uint8_t name[AGPU_CACHE_NAME_BYTES], const void *bytes, size_t size)
{
    struct machine *const machine = user;
    look_at(name, AGPU_CACHE_NAME_BYTES);
    look_at(bytes, size);
    note(PROCESS_SIDE_OWNER, AG_MESSAGE_CACHE_STORE);
    machine->entry_size = size < sizeof machine->entry ? size : sizeof machine->entry;
    memcpy(machine->entry, bytes, machine->entry_size);
}

static bool is_in_flight(const struct machine *machine, uint32_t submission)
{
    return submission >= machine->completed && submission < machine->submitted;
}

/* In three parts. */
static bool prepare(void *user, const struct agpu_present *present)
{
    struct machine *const machine = user;
    if (!is_in_flight(machine, present->submission) || present->pixels == NULL)
        abort();
    return ++machine->parts == 3;
}

static void on_presented(void *user, const struct agpu_present *present)
{
    struct machine *const machine = user;
    const bool is_window = present->pixels == NULL; /* that is not looked at */
    if (!is_in_flight(machine, present->submission) || present->width == 0 || present->height == 0 ||
        machine->parts != (is_window ? 0 : 3) || (is_window && present->scanout_id != AGPU_NO_SCANOUT))
        abort();
    machine->parts = 0;
    note(PROCESS_SIDE_OWNER, is_window ? AG_MESSAGE_PRESENT : AG_MESSAGE_PRESENT_DATA);
    if (!is_window)
        look_at(present->pixels, (size_t)present->width * present->height * 4);
}

static bool looks(void *user)
{
    const struct machine *const machine = user;
    return machine->submitted % 2 == 1;
}

static void on_device_lost(void *user)
{
    const struct machine *const machine = user;
    if (ag_owner_has_process(ag_owner_of(machine->executor)))
        note(PROCESS_SIDE_OWNER, AG_MESSAGE_LOST);
}

static void on_completed(void *user, uint32_t submission, uint32_t error)
{
    struct machine *const machine = user;
    if (submission != machine->completed++ || submission >= machine->submitted)
        abort();
    if (error > AEROGPU_ERROR_BACKEND && error != AEROGPU_ERROR_INTERNAL)
        abort();
    if (error == AEROGPU_ERROR_NONE)
        note(PROCESS_SIDE_OWNER, AG_MESSAGE_COMPLETED);
}

static void on_diag(void *user, const struct agpu_diag *diag)
{
    (void)user;
    for (const char *c = diag->message; *c != '\0'; c++)
        if ((unsigned char)*c < ' ')
            abort();
    look_at(agpu_diag_slug(diag->code), 1);
    if (diag->code == AGPU_DIAG_EXEC_ARGUMENT) /* which the owner does not say itself */
        note(PROCESS_SIDE_OWNER, AG_MESSAGE_DIAG);
    if (diag->severity > AGPU_ERROR || (diag->packet_name != NULL && diag->packet_name[0] == '\0'))
        abort();
}

static void submit(struct machine *machine)
{
    static const uint8_t stream[STREAM_BYTES];
    static const struct aerogpu_alloc_entry allocation = {.alloc_id = 1, .size_bytes = RAM_BYTES};
    const struct agpu_submission submission = {
        .number = machine->submitted++,
        .stream = stream,
        .stream_size = sizeof stream,
        .allocations = &allocation,
        .allocation_count = 1,
        .has_allocation_table = true,
    };
    if (machine->executor->ready(machine->executor))
        machine->executor->submit(machine->executor, &submission);
    else
        machine->submitted--;
}

static void reset(struct machine *machine)
{
    machine->executor->reset(machine->executor);
    machine->submitted = machine->completed = machine->parts = 0;
}

static bool take_snapshot(void *user, const void *bytes, size_t size)
{
    (void)user;
    look_at(bytes, size);
    note(PROCESS_SIDE_OWNER, AG_MESSAGE_SAVE_DATA);
    return size != 13;
}

static void save(struct machine *machine)
{
    const struct agpu_snapshot_writer writer = {sizeof writer, take_snapshot, NULL};
    machine->executor->save_begin(machine->executor, &writer);
}

static void add_section(struct snapshot_bytes *snapshot, uint32_t tag, const void *bytes, uint64_t size)
{
    const uint32_t head[4] = {AG_ARCHIVE_TAG('A', 'G', 'S', 'S'), tag, 1, 0};
    const uint64_t sizes[2] = {size, 0};
    snapshot_bytes_write(snapshot, head, sizeof head);
    snapshot_bytes_write(snapshot, sizes, sizeof sizes);
    snapshot_bytes_write(snapshot, bytes, (size_t)size);
}

/* A snapshot with submission 0, or any bytes of the input. */
static void fill_snapshot(struct snapshot_bytes *snapshot, struct input *input)
{
    static const uint32_t number;
    uint8_t bytes[64];
    const size_t size = take(input, 1) % (sizeof bytes + 1);
    for (size_t i = 0; i < size; i++)
        bytes[i] = (uint8_t)take(input, 1);
    if (size % 2 == 1)
        snapshot_bytes_write(snapshot, bytes, size);
    add_section(snapshot, AG_SECTION_EXECUTOR, bytes, size % 8);
    add_section(snapshot, AG_SECTION_SUBMISSION, &number, sizeof number);
    add_section(snapshot, AG_SECTION_END, bytes, 0);
    snapshot_bytes_seal(snapshot->data, snapshot->size);
}

struct loading {
    struct snapshot_bytes snapshot;
    struct attacker *attacker;
    bool is_begun;
};

/* Says the last that it says: a load waits for its answer. */
static bool read_while_attacked(void *user, void *bytes, size_t size)
{
    struct loading *const loading = user;
    struct attacker *const attacker = loading->attacker;
    if (!loading->is_begun) {
        for (uint64_t count = take(attacker->input, 1) % 8; count > 0; count--) {
            take(attacker->input, 1);
            send_message(attacker);
        }
        shutdown(attacker->socket, SHUT_WR);
    }
    loading->is_begun = true;
    return snapshot_bytes_read(&loading->snapshot, bytes, size);
}

/* What the owner has to say goes, or has nobody who hears it: no load waits for room until time is up. */
static void make_room(struct machine *machine, struct attacker *attacker)
{
    struct ag_owner *const owner = ag_owner_of(machine->executor);
    do
        machine->executor->poll(machine->executor);
    while (machine->executor->has_more(machine->executor));
    drain(attacker->socket);
    ag_owner_pump(owner);
    if (owner->waiting != NULL)
        shutdown(attacker->socket, SHUT_WR);
}

static void load(struct machine *machine, struct attacker *attacker)
{
    struct loading loading = {.attacker = attacker};
    make_room(machine, attacker);
    if (ag_owner_of(machine->executor)->state != AG_OWNER_READY)
        return;
    fill_snapshot(&loading.snapshot, attacker->input);
    const struct agpu_snapshot_reader reader = {sizeof reader, read_while_attacked, &loading};
    const uint32_t before = machine->submitted;
    if (machine->executor->load(machine->executor, &reader) != AGPU_OK) {
        reset(machine);
    } else if (before != 0) {
        abort();
    } else {
        note(PROCESS_SIDE_OWNER, AG_MESSAGE_LOADED);
        machine->submitted = 1;
    }
    free(loading.snapshot.data);
}

/* As if nobody had polled for a while. */
static void let_time_pass(struct machine *machine)
{
    struct ag_owner *const owner = ag_owner_of(machine->executor);
    owner->heard_ns -= owner->hang_timeout_ns / 4;
    owner->ping_ns -= owner->hang_timeout_ns / 4;
    owner->progress_ns -= owner->hang_timeout_ns / 4;
}

static void save_poll(struct machine *machine)
{
    if (machine->executor->save_poll(machine->executor) == AGPU_SAVE_DONE)
        note(PROCESS_SIDE_OWNER, AG_MESSAGE_SAVED);
}

/* Effects that no callback hears of. */
static void look_at_owner(const struct machine *machine)
{
    const struct ag_owner *const owner = ag_owner_of(machine->executor);
    if (owner->state == AG_OWNER_READY)
        note(PROCESS_SIDE_OWNER, AG_MESSAGE_READY);
    if (owner->failure == AGPU_MISSING)
        note(PROCESS_SIDE_OWNER, AG_MESSAGE_FAILED);
    if (owner->counters.submissions != 0)
        note(PROCESS_SIDE_OWNER, AG_MESSAGE_COUNTERS);
    if (owner->context_count != 0)
        note(PROCESS_SIDE_OWNER, AG_MESSAGE_CONTEXTS);
    if (owner->pongs != 0)
        note(PROCESS_SIDE_OWNER, AG_MESSAGE_PONG);
    if (owner->channel.released != 0)
        note(PROCESS_SIDE_OWNER, AG_MESSAGE_ACK);
}

/* A call of the owner's, or something that the process says. */
static void use_owner(struct machine *machine, struct attacker *attacker)
{
    struct agpu_executor *const executor = machine->executor;
    switch (take(attacker->input, 1) % OWNER_STEPS) {
    case OWNER_SUBMITS:
        submit(machine);
        break;
    case OWNER_POLLS:
        executor->poll(executor);
        break;
    case OWNER_IS_READ:
        drain(attacker->socket);
        break;
    case OWNER_GETS_BYTES:
        send_raw(attacker);
        break;
    case OWNER_RESETS:
        reset(machine);
        break;
    case OWNER_SAVES:
        save(machine);
        break;
    case OWNER_POLLS_SAVE:
        save_poll(machine);
        break;
    case OWNER_CANCELS_SAVE:
        executor->save_cancel(executor);
        break;
    case OWNER_LOADS:
        load(machine, attacker);
        break;
    case OWNER_WAITS:
        let_time_pass(machine);
        break;
    default:
        send_message(attacker);
        break;
    }
    look_at_owner(machine);
}

static void attack_owner(struct input *input)
{
    static struct machine machine;
    const struct agpu_cache_store store = {
        .size = sizeof store, .load = load_entry, .store = store_entry, .user = &machine};
    struct agpu_executor_options executor = {.size = sizeof executor};
    const struct agpu_process_executor_options options = {
        .size = sizeof options, .program = "/there/is/no/such/program", .executor = &executor};
    struct connection connection;
    machine = (struct machine){.submitted = 0};
    if (agpu_cache_create(&store, NULL, &executor.cache) != AGPU_OK)
        abort();
    const struct agpu_diag_sink gpu_sink = {on_diag, NULL};
    struct ag_owner *const owner = ag_owner_create(&options, &gpu_sink);
    if (owner == NULL)
        abort();
    machine.executor = &owner->table;
    const struct agpu_executor_events events = {
        .size = sizeof events,
        .presented = on_presented,
        .completed = on_completed,
        .diagnostics = {on_diag, NULL},
        .user = &machine,
        .prepare = prepare,
        .looks = looks,
        .device_lost = on_device_lost,
    };
    const struct agpu_guest_memory memory = {
        .size = sizeof memory, .read = read_ram, .write = write_ram, .user = &machine};
    owner->table.attach(&owner->table, &events, &memory);
    connect_both(&connection);
    const struct ag_child child = {.handle = -1,
                                   .socket = connection.sockets[0],
                                   .error = -1,
                                   .shared = connection.shared[0],
                                   .shared_descriptor = -1};
    ag_owner_connect(owner, &child);
    struct attacker attacker = {
        .socket = connection.sockets[1], .ring = connection.shared[1] + AG_RING_BYTES, .input = input};
    while (input->left != 0)
        use_owner(&machine, &attacker);
    close(connection.sockets[1]);
    owner->started_ns = 0;                   /* what waits for a process learns at once that there is none */
    while (owner->table.poll(&owner->table)) /* in a save that nobody asks for, too */
        continue;
    while (owner->table.save_poll(&owner->table) == AGPU_SAVE_BUSY)
        continue;
    if (machine.completed != machine.submitted)
        abort();
    owner->table.destroy(&owner->table);
    agpu_cache_destroy(executor.cache);
    ag_shared_memory_unmap(connection.shared[1]);
}

/* ---- The process under attack ------------------------------------------------------------------------ */

/* An executor that does with each submission what there is to do. */
struct busy_executor {
    struct agpu_executor table;
    struct ag_gpu_process *process;
    struct agpu_executor_events events;
    struct agpu_guest_memory memory;
    uint64_t submissions;
    struct attacker attacker;
    struct agpu_snapshot_writer writer;
    bool saves;
    uint32_t polls;
};

/* What the attacker says before the process works on: something, or its last word, since the process may wait
 * for it. All: the process may wait for any. */
static void go_on(struct busy_executor *busy, bool with_all)
{
    struct attacker *const attacker = &busy->attacker;
    bool has_sent = false;
    drain(attacker->socket);
    while (attacker->input->left != 0) {
        const uint64_t step = take(attacker->input, 1) % PROCESS_STEPS;
        if (step == PROCESS_WORKS && has_sent && !with_all)
            return;
        if (step != PROCESS_WORKS)
            has_sent |= step == PROCESS_GETS_BYTES ? send_raw(attacker) : send_message(attacker);
    }
    shutdown(attacker->socket, SHUT_WR);
}

static void take_entry(void *taker, const void *bytes, size_t size)
{
    (void)taker;
    look_at(bytes, size);
    note(PROCESS_SIDE_PROCESS, AG_MESSAGE_CACHE_ENTRY);
}

static void busy_submit(struct agpu_executor *executor, const struct agpu_submission *submission)
{
    struct busy_executor *const busy = (struct busy_executor *)executor;
    static const uint8_t pixels[16];
    const struct agpu_place place = {.submission = submission->number};
    const struct agpu_present present = {
        .submission = submission->number, .width = 2, .height = 2, .pixels = pixels};
    const struct agpu_diag diag = {
        .code = AGPU_DIAG_EXEC_ARGUMENT, .place = place, .message = "said", .packet_name = "DRAW"};
    const struct agpu_cache_store cache = ag_remote_cache(busy->process);
    const uint8_t name[AGPU_CACHE_NAME_BYTES] = {1};
    uint8_t bytes[AG_CACHE_HEADER_BYTES] = {0};
    go_on(busy, true);
    note(PROCESS_SIDE_PROCESS, AG_MESSAGE_SUBMIT);
    if (submission->stream != NULL) {
        look_at(submission->stream, submission->stream_size);
        note(PROCESS_SIDE_PROCESS, AG_MESSAGE_SUBMIT_DATA);
    }
    if (submission->allocations != NULL)
        look_at(submission->allocations, submission->allocation_count * sizeof *submission->allocations);
    busy->submissions++;
    if (busy->memory.read(busy->memory.user, 64, bytes, 32)) {
        note(PROCESS_SIDE_PROCESS, AG_MESSAGE_READ_DONE);
        if (busy->memory.write(busy->memory.user, 128, bytes, 32))
            note(PROCESS_SIDE_PROCESS, AG_MESSAGE_WRITE_DONE);
    }
    cache.load(cache.user, name, take_entry, NULL);
    cache.store(cache.user, name, bytes, sizeof bytes);
    for (uint64_t row = 0; row < 4; row++)
        ag_remote_memory_post(busy->process, row * 100, bytes, 32, &place, "DRAW");
    busy->events.diagnostics.report(busy->events.diagnostics.user, &diag);
    busy->events.presented(busy->events.user, &present);
    busy->events.completed(busy->events.user, submission->number, AEROGPU_ERROR_NONE);
}

static bool busy_poll(struct agpu_executor *executor)
{
    go_on((struct busy_executor *)executor, false);
    return false;
}

static void busy_reset(struct agpu_executor *executor)
{
    note(PROCESS_SIDE_PROCESS, AG_MESSAGE_RESET);
    ((struct busy_executor *)executor)->submissions = 0;
}

static void busy_counters(struct agpu_executor *executor, struct agpu_counters *counters)
{
    counters->submissions = ((struct busy_executor *)executor)->submissions;
}

/* Reads of guest memory, and bytes of a snapshot, come from an owner that says what it likes meanwhile. */
static enum agpu_status busy_save_begin(struct agpu_executor *executor,
                                        const struct agpu_snapshot_writer *writer)
{
    struct busy_executor *const busy = (struct busy_executor *)executor;
    if (busy->saves)
        abort();
    note(PROCESS_SIDE_PROCESS, AG_MESSAGE_SAVE);
    busy->saves = true;
    busy->writer = *writer;
    return AGPU_OK;
}

static void busy_save_cancel(struct agpu_executor *executor)
{
    note(PROCESS_SIDE_PROCESS, AG_MESSAGE_SAVE_OVER);
    ((struct busy_executor *)executor)->saves = false;
}

static enum agpu_save_state busy_save_poll(struct agpu_executor *executor)
{
    struct busy_executor *const busy = (struct busy_executor *)executor;
    static const uint8_t bytes[100000];
    if (!busy->saves)
        abort();
    go_on(busy, busy->polls % 4 == 3);
    if (busy->polls++ % 4 != 3)
        return AGPU_SAVE_BUSY;
    busy->saves = false;
    return busy->writer.write(busy->writer.user, bytes, 32) &&
                   busy->writer.write(busy->writer.user, bytes, sizeof bytes)
               ? AGPU_SAVE_DONE
               : AGPU_SAVE_FAILED;
}

static enum agpu_status busy_load(struct agpu_executor *executor, const struct agpu_snapshot_reader *reader)
{
    struct busy_executor *const busy = (struct busy_executor *)executor;
    uint8_t bytes[48];
    go_on(busy, true);
    note(PROCESS_SIDE_PROCESS, AG_MESSAGE_LOAD);
    for (uint32_t i = 0; i < 3; i++) {
        if (!reader->read(reader->user, bytes, sizeof bytes))
            return AGPU_REFUSED;
        look_at(bytes, sizeof bytes);
        note(PROCESS_SIDE_PROCESS, AG_MESSAGE_LOAD_DATA);
    }
    return AGPU_OK;
}

static void attack_process(struct input *input)
{
    struct connection connection;
    static struct ag_gpu_process process;
    connect_both(&connection);
    ag_gpu_process_init(&process, connection.sockets[1], connection.shared[1]);
    struct busy_executor busy = {
        .table = {.submit = busy_submit,
                  .poll = busy_poll,
                  .reset = busy_reset,
                  .counters = busy_counters,
                  .save_begin = busy_save_begin,
                  .save_poll = busy_save_poll,
                  .save_cancel = busy_save_cancel,
                  .load = busy_load},
        .process = &process,
        .events = ag_remote_events(&process),
        .memory = ag_remote_memory(&process),
        .attacker = {.socket = connection.sockets[0],
                  .ring = connection.shared[0],
                  .is_owner = true,
                  .input = input      },
    };
    process.executor = &busy.table;
    go_on(&busy, false);
    ag_gpu_process_run(&process);
    drain(connection.sockets[0]);
    if (process.channel.released != 0)
        note(PROCESS_SIDE_PROCESS, AG_MESSAGE_ACK);
    ag_gpu_process_fini(&process);
    for (int i = 0; i < 2; i++) {
        close(connection.sockets[i]);
        ag_shared_memory_unmap(connection.shared[i]);
    }
}

/* ---- Messages and bytes by themselves ---------------------------------------------------------------- */

static void unpack(struct input *input)
{
    struct ag_started started;
    struct ag_adapter adapter;
    if (ag_start_unpack(&started, input->data, input->left)) {
        note(PROCESS_SIDE_PROCESS, AG_MESSAGE_START);
        for (uint32_t i = 0; i < started.start.gpu.without_count; i++)
            look_at(started.start.gpu.without[i], strlen(started.start.gpu.without[i]));
        if (started.start.gpu.library != NULL)
            look_at(started.start.gpu.library, strlen(started.start.gpu.library));
    }
    ag_started_fini(&started);
    if (ag_adapter_unpack(&adapter, input->data, input->left)) {
        look_at(adapter.info.name, strlen(adapter.info.name));
        for (uint32_t i = 0; i < adapter.info.feature_count; i++)
            look_at(adapter.info.features[i], strlen(adapter.info.features[i]));
        for (uint32_t i = 0; i < adapter.info.limit_count; i++)
            look_at(adapter.info.limits[i].name, strlen(adapter.info.limits[i].name));
    }
    ag_adapter_fini(&adapter);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = {data, size};
    switch (take(&input, 1) % PROCESS_SIDES) {
    case PROCESS_SIDE_OWNER:
        attack_owner(&input);
        break;
    case PROCESS_SIDE_PROCESS:
        attack_process(&input);
        break;
    default:
        unpack(&input);
        break;
    }
    return 0;
}
