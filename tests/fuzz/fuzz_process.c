/* SPDX-License-Identifier: MIT
 *
 * Any messages between a GPU process and its owner, from either side, with any bytes in the ring. The owner
 * completes in order what was submitted, reads what it is told to read and nothing beside it, and ends with
 * nothing in flight once the process is lost. The process ends when its owner breaks a rule or leaves.
 *
 * The first byte says who is attacked; then come records: a byte that says what happens, and what belongs to
 * it.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../support/snapshot_bytes.h"
#include "base/bytes.h"
#include "exec/snapshot/sections.h"
#include "process/gpu_process.h"
#include "process/owner.h"

#define RAM_BYTES 65536u
#define MOST_MESSAGES 200
#define STREAM_BYTES 64u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

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
};

/* A message whose head is mostly right: a kind, numbers of its fields, bytes in the ring. */
static void send_message(struct attacker *attacker, struct input *input)
{
    const uint32_t first = attacker->is_owner ? AG_MESSAGE_START : AG_MESSAGE_READY;
    struct ag_message message =
        ag_message_of((enum ag_message_kind)(first + take(input, 1) % (AG_MESSAGE_KINDS - first)),
                      (uint32_t)take(input, 1));
    const uint64_t shape = take(input, 1);
    const size_t fields = shape % 16;
    for (size_t i = 0; i < fields; i++)
        ag_store_u32(message.as.bytes + i * 4, (uint32_t)take(input, shape & 16 ? 4 : 1));
    if (shape & 32)
        message.size = (uint32_t)take(input, 3);
    if (shape & 64)
        message.position = take(input, 8);
    if (shape & 128)
        message.acknowledged = take(input, 3);
    const size_t scribbled = take(input, 1) % 64;
    for (size_t i = 0; i < scribbled; i++)
        attacker->ring[(message.position + i) % AG_RING_BYTES] = (uint8_t)take(input, 1);
    if (attacker->messages++ < MOST_MESSAGES)
        send(attacker->socket, &message, sizeof message, MSG_DONTWAIT | MSG_NOSIGNAL);
}

static void send_raw(struct attacker *attacker, struct input *input)
{
    uint8_t bytes[AG_MESSAGE_BYTES + 1];
    const size_t size = take(input, 1) % sizeof bytes;
    for (size_t i = 0; i < size; i++)
        bytes[i] = (uint8_t)take(input, 1);
    if (attacker->messages++ < MOST_MESSAGES)
        send(attacker->socket, bytes, size, MSG_DONTWAIT | MSG_NOSIGNAL);
}

static void drain(int from)
{
    uint8_t bytes[AG_MESSAGE_BYTES];
    while (recv(from, bytes, sizeof bytes, MSG_DONTWAIT) > 0)
        continue;
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
    uint32_t parts; /* of the picture that is prepared */
};

static bool read_ram(void *user, uint64_t gpa, void *to, size_t size)
{
    const struct machine *const machine = user;
    if (!ag_range_fits(gpa, size, RAM_BYTES))
        return false;
    memcpy(to, machine->ram + gpa, size);
    return true;
}

static bool write_ram(void *user, uint64_t gpa, const void *from, size_t size)
{
    struct machine *const machine = user;
    if (!ag_range_fits(gpa, size, RAM_BYTES))
        return false;
    memcpy(machine->ram + gpa, from, size);
    return true;
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
    if (!is_in_flight(machine, present->submission) || present->width == 0 || present->height == 0 ||
        present->pixels == NULL || machine->parts != 3)
        abort();
    machine->parts = 0;
    look_at(present->pixels, (size_t)present->width * present->height * 4);
}

static void on_completed(void *user, uint32_t submission, uint32_t error)
{
    struct machine *const machine = user;
    if (submission != machine->completed++ || submission >= machine->submitted)
        abort();
    if (error > AEROGPU_ERROR_BACKEND && error != AEROGPU_ERROR_INTERNAL)
        abort();
}

static void on_diag(void *user, const struct agpu_diag *diag)
{
    (void)user;
    for (const char *c = diag->message; *c != '\0'; c++)
        if ((unsigned char)*c < ' ')
            abort();
    look_at(agpu_diag_slug(diag->code), 1);
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

/* The attacker has said all that it says, since a load waits for its answer. */
static void load(struct machine *machine, struct attacker *attacker, struct input *input)
{
    struct snapshot_bytes snapshot = {0};
    if (((const struct ag_owner *)machine->executor)->state != AG_OWNER_READY)
        return;
    fill_snapshot(&snapshot, input);
    const struct agpu_snapshot_reader reader = snapshot_bytes_reader(&snapshot);
    const uint32_t before = machine->submitted;
    shutdown(attacker->socket, SHUT_WR);
    if (machine->executor->load(machine->executor, &reader) != AGPU_OK)
        reset(machine);
    else if (before != 0)
        abort();
    else
        machine->submitted = 1;
    free(snapshot.data);
}

/* A call of the owner's, or something that the process says. */
static void use_owner(struct machine *machine, struct attacker *attacker, struct input *input)
{
    struct agpu_executor *const executor = machine->executor;
    switch (take(input, 1) % 12) {
    case 0:
        submit(machine);
        break;
    case 1:
        executor->poll(executor);
        break;
    case 2:
        drain(attacker->socket);
        break;
    case 3:
        send_raw(attacker, input);
        break;
    case 4:
        reset(machine);
        break;
    case 8:
        save(machine);
        break;
    case 9:
        executor->save_poll(executor);
        break;
    case 10:
        executor->save_cancel(executor);
        break;
    case 11:
        load(machine, attacker, input);
        break;
    default:
        send_message(attacker, input);
        break;
    }
}

static void attack_owner(struct input *input)
{
    static struct machine machine;
    const struct agpu_process_executor_options options = {.size = sizeof options,
                                                          .program = "/there/is/no/such/program"};
    struct connection connection;
    machine = (struct machine){.submitted = 0};
    const struct agpu_diag_sink gpu_sink = {on_diag, NULL};
    struct ag_owner *const owner = ag_owner_create(&options, &gpu_sink);
    if (owner == NULL)
        abort();
    machine.executor = &owner->table;
    const struct agpu_executor_events events = {
        .presented = on_presented,
        .completed = on_completed,
        .diagnostics = {on_diag, NULL},
        .user = &machine,
        .prepare = prepare,
    };
    const struct agpu_guest_memory memory = {.read = read_ram, .write = write_ram, .user = &machine};
    owner->table.attach(&owner->table, &events, &memory);
    connect_both(&connection);
    const struct ag_child child = {.handle = -1,
                                   .socket = connection.sockets[0],
                                   .error = -1,
                                   .shared = connection.shared[0],
                                   .shared_descriptor = -1};
    ag_owner_connect(owner, &child);
    struct attacker attacker = {.socket = connection.sockets[1],
                                .ring = connection.shared[1] + AG_RING_BYTES};
    while (input->left != 0)
        use_owner(&machine, &attacker, input);
    close(connection.sockets[1]);
    while (owner->table.poll(&owner->table)) /* in a save that nobody asks for, too */
        continue;
    while (owner->table.save_poll(&owner->table) == AGPU_SAVE_BUSY)
        continue;
    if (machine.completed != machine.submitted)
        abort();
    owner->table.destroy(&owner->table);
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
    int owner_socket;
    struct agpu_snapshot_writer writer;
    bool saves;
    uint32_t polls;
};

static void busy_submit(struct agpu_executor *executor, const struct agpu_submission *submission)
{
    struct busy_executor *const busy = (struct busy_executor *)executor;
    static const uint8_t pixels[16];
    const struct agpu_place place = {.submission = submission->number};
    const struct agpu_present present = {
        .submission = submission->number, .width = 2, .height = 2, .pixels = pixels};
    const struct agpu_diag diag = {
        .code = AGPU_DIAG_EXEC_ARGUMENT, .place = place, .message = "said", .packet_name = "DRAW"};
    uint8_t bytes[32] = {0};
    drain(busy->owner_socket);
    if (submission->stream != NULL)
        look_at(submission->stream, submission->stream_size);
    if (submission->allocations != NULL)
        look_at(submission->allocations, submission->allocation_count * sizeof *submission->allocations);
    busy->submissions++;
    if (busy->memory.read(busy->memory.user, 64, bytes, sizeof bytes))
        busy->memory.write(busy->memory.user, 128, bytes, sizeof bytes);
    for (uint64_t row = 0; row < 4; row++)
        ag_remote_memory_post(busy->process, row * 100, bytes, sizeof bytes, &place, "DRAW");
    busy->events.diagnostics.report(busy->events.diagnostics.user, &diag);
    busy->events.presented(busy->events.user, &present);
    busy->events.completed(busy->events.user, submission->number, AEROGPU_ERROR_NONE);
}

static bool busy_poll(struct agpu_executor *executor)
{
    drain(((struct busy_executor *)executor)->owner_socket);
    return false;
}

static void busy_reset(struct agpu_executor *executor)
{
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
    busy->saves = true;
    busy->writer = *writer;
    return AGPU_OK;
}

static void busy_save_cancel(struct agpu_executor *executor)
{
    ((struct busy_executor *)executor)->saves = false;
}

static enum agpu_save_state busy_save_poll(struct agpu_executor *executor)
{
    struct busy_executor *const busy = (struct busy_executor *)executor;
    static const uint8_t bytes[100000];
    if (!busy->saves)
        abort();
    drain(busy->owner_socket);
    if (busy->polls++ % 2 == 0)
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
    drain(busy->owner_socket);
    for (uint32_t i = 0; i < 3; i++) {
        if (!reader->read(reader->user, bytes, sizeof bytes))
            return AGPU_REFUSED;
        look_at(bytes, sizeof bytes);
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
        .owner_socket = connection.sockets[0],
    };
    process.executor = &busy.table;
    struct attacker attacker = {
        .socket = connection.sockets[0], .ring = connection.shared[0], .is_owner = true};
    while (input->left != 0) {
        if (take(input, 1) % 8 == 0)
            send_raw(&attacker, input);
        else
            send_message(&attacker, input);
    }
    shutdown(connection.sockets[0], SHUT_WR);
    ag_gpu_process_run(&process);
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
    switch (take(&input, 1) % 3) {
    case 0:
        attack_owner(&input);
        break;
    case 1:
        attack_process(&input);
        break;
    case 2:
        unpack(&input);
        break;
    }
    return 0;
}
