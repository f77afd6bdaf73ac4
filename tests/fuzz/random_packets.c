/* SPDX-License-Identifier: MIT
 *
 * A guest that sends random valid packets in random order through the ring of a device on a software driver.
 *
 *     random_packets DRIVER SHADER_FOLDER SECONDS [FIRST_SEED]
 *
 * Seed after seed gets a new device and executor; streams are submitted while others run, some contain
 * malformed packets or hostile values, too. Fences complete in order, once, all of them, and registers, fence
 * page and interrupt line agree; the device reports no error that is a fault of the host; bind groups and
 * memory do not add up. Crashes, leaks and reads out of bounds are the sanitizers' to find. The first failure
 * ends the run with its seed, which says the same again in every run of the program.
 */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "abi/packet.h"
#include "aerogpu/device.h"
#include "base/bytes.h"
#include "packet_world.h"
#include "unit/gpu/fixture.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_ADDRESS_SANITIZER
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define HAS_ADDRESS_SANITIZER
#endif
#ifdef HAS_ADDRESS_SANITIZER
#include <sanitizer/common_interface_defs.h>
#endif

enum {
    RAM_BYTES = 4 << 20,
    FENCE_GPA = 0x8000,
    RING_GPA = 0x10000,
    RING_ENTRIES = 8,
    TABLE_GPA = 0x20000,
    FRAME_GPA = 0x40000,
    STREAMS_GPA = 0x100000,
    STREAM_BYTES = 0x40000, /* room for each slot's stream */
    BACKING_GPA = 0x300000,
    BACKING_BYTES = 0x20000,
    ALLOCATIONS = 3,
    SUBMISSIONS = 40,
    MOST_PACKETS = 24,
    SECONDS_TO_COMPLETE = 100,
    SECONDS_OF_A_SEED = 200,
    WARM_SEEDS = 120, /* until then llvmpipe fills its cache of compiled variants, some hundred MiB */
    MOST_GROWTH_MIB = 512,
    KEPT_MIB =
        6, /* of every seed: lavapipe keeps small objects of devices that are gone, with sanitizers 4 MiB */
    LOOP_BUDGET = 1 << 12, /* loops whose end is in a random buffer are frequent */
    WORK_BUDGET = 1 << 16, /* and so are counts */
};

struct guest {
    uint8_t *ram;
    struct agpu_executor *executor;
    struct agpu_device *device;
    struct packet_world world;
    struct agpu_writer writer;
    uint64_t seed, now_ns;
    struct random_source acknowledge; /* drawn from as often as it takes, which differs from run to run */
    uint64_t submitted, completed;    /* fences */
    bool irq;
    bool refused; /* some packet since the guest last waited for everything */
    bool begin;   /* the world begins (again) with the next stream */
    uint64_t packets, presents, errors;
};

/* Says the seed when a host never returns and when a sanitizer ends the program. */
static char seed_line[64];

static void name_seed(uint64_t seed)
{
    snprintf(seed_line, sizeof seed_line, "seed %" PRIu64 " ended the run\n", seed);
}

static void print_seed(void)
{
    if (write(STDOUT_FILENO, seed_line, strlen(seed_line)) < 0)
        _exit(EXIT_FAILURE);
}

static void stop_at_alarm(int number)
{
    (void)number;
    print_seed();
    abort();
}

static void fail(const struct guest *guest, const char *what)
{
    printf("seed %" PRIu64 ", fence %" PRIu64 " of %" PRIu64 ": %s\n", guest->seed, guest->completed,
           guest->submitted, what);
    fflush(stdout);
    abort();
}

/* ---- What the device calls ---------------------------------------------------------------------------- */

static bool read_ram(void *user, uint64_t gpa, void *to, size_t size)
{
    const struct guest *guest = user;
    if (!ag_range_fits(gpa, size, RAM_BYTES))
        return false;
    memcpy(to, guest->ram + gpa, size);
    return true;
}

static bool write_ram(void *user, uint64_t gpa, const void *from, size_t size)
{
    struct guest *guest = user;
    if (!ag_range_fits(gpa, size, RAM_BYTES))
        return false;
    memcpy(guest->ram + gpa, from, size);
    return true;
}

static void set_irq(void *user, bool asserted)
{
    struct guest *guest = user;
    if (guest->irq == asserted)
        fail(guest, "the interrupt line was told what it knew");
    guest->irq = asserted;
}

static void presented(void *user, const struct agpu_present *present)
{
    struct guest *guest = user;
    volatile uint8_t last = present->pixels[(size_t)present->width * present->height * 4 - 1];
    (void)last;
    guest->presents++;
}

static void report(void *user, const struct agpu_diag *diag)
{
    struct guest *guest = user;
    if (diag->severity != AGPU_ERROR)
        return;
    guest->errors++;
    if (agpu_diag_error_register(diag->code) != AEROGPU_ERROR_BACKEND)
        guest->refused = true;
    if (agpu_diag_error_register(diag->code) == AEROGPU_ERROR_INTERNAL) {
        printf("%s, packet %u: %s\n", agpu_diag_slug(diag->code), diag->place.packet, diag->message);
        fail(guest, "an error of the host's own");
    }
}

/* ---- The driver --------------------------------------------------------------------------------------- */

static uint32_t get(const struct guest *guest, uint32_t offset)
{
    return (uint32_t)agpu_device_mmio_read(guest->device, offset, 4);
}

static void set(const struct guest *guest, uint32_t offset, uint64_t value, uint32_t size)
{
    agpu_device_mmio_write(guest->device, offset, size, value);
}

static uint32_t ram_u32(const struct guest *guest, uint32_t gpa)
{
    return ag_load_u32(guest->ram + gpa);
}

static void set_up_scanout(const struct guest *guest)
{
    const uint32_t edge = 32;
    set(guest, AEROGPU_MMIO_REG_SCANOUT0_WIDTH, edge, 4);
    set(guest, AEROGPU_MMIO_REG_SCANOUT0_HEIGHT, edge, 4);
    set(guest, AEROGPU_MMIO_REG_SCANOUT0_FORMAT, AEROGPU_FORMAT_B8G8R8X8_UNORM, 4);
    set(guest, AEROGPU_MMIO_REG_SCANOUT0_PITCH_BYTES, edge * 4, 4);
    set(guest, AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_LO, FRAME_GPA, 8);
    set(guest, AEROGPU_MMIO_REG_SCANOUT0_ENABLE, 1, 4);
}

static void set_up_ring(struct guest *guest)
{
    const struct aerogpu_ring_header header = {.magic = AEROGPU_RING_MAGIC,
                                               .abi_version = AEROGPU_ABI_VERSION_U32,
                                               .size_bytes = 64 + RING_ENTRIES * 64,
                                               .entry_count = RING_ENTRIES,
                                               .entry_stride_bytes = 64};
    const struct aerogpu_alloc_table_header table = {.magic = AEROGPU_ALLOC_TABLE_MAGIC,
                                                     .abi_version = AEROGPU_ABI_VERSION_U32,
                                                     .size_bytes = 24 + 32 * ALLOCATIONS,
                                                     .entry_count = ALLOCATIONS,
                                                     .entry_stride_bytes = 32};
    memcpy(guest->ram + RING_GPA, &header, sizeof header);
    memcpy(guest->ram + TABLE_GPA, &table, sizeof table);
    for (uint32_t i = 0; i < ALLOCATIONS; i++) {
        const struct aerogpu_alloc_entry entry = {
            .alloc_id = i + 1,
            .flags = i == 2 ? AEROGPU_ALLOC_FLAG_READONLY : 0,
            .gpa = BACKING_GPA + (uint64_t)i * BACKING_BYTES,
            .size_bytes = BACKING_BYTES,
        };
        memcpy(guest->ram + TABLE_GPA + 24 + (size_t)i * 32, &entry, sizeof entry);
    }
    set(guest, AEROGPU_MMIO_REG_RING_GPA_LO, RING_GPA, 8);
    set(guest, AEROGPU_MMIO_REG_RING_SIZE_BYTES, header.size_bytes, 4);
    set(guest, AEROGPU_MMIO_REG_FENCE_GPA_LO, FENCE_GPA, 8);
    set(guest, AEROGPU_MMIO_REG_IRQ_ENABLE, AEROGPU_IRQ_FENCE | AEROGPU_IRQ_ERROR, 4);
    set(guest, AEROGPU_MMIO_REG_RING_CONTROL, AEROGPU_RING_CONTROL_ENABLE, 4);
}

/* Sizes of resources and of work stay: the former fill this machine, the latter never end. */
static bool may_be_hostile(const struct agpu_packet *packet)
{
    static const uint32_t sizes[] = {
        AEROGPU_CMD_EXT_CREATE_BUFFER,
        AEROGPU_CMD_EXT_CREATE_TEXTURE,
    };
    for (size_t i = 0; i < AG_COUNT_OF(sizes); i++) {
        if (packet->opcode == sizes[i])
            return false;
    }
    return packet->info != NULL && AEROGPU_EXT_IS_OPCODE(packet->opcode);
}

/* One word of some packet of the extension is what no guest means: a handle, a number, an enumeration. */
static void make_hostile(struct guest *guest, uint8_t *stream, size_t size)
{
    struct agpu_stream_reader reader;
    struct agpu_packet packet;
    uint32_t at = 0;
    if (agpu_stream_reader_init(&reader, stream, size, NULL) != AGPU_OK)
        return;
    for (uint32_t seen = 1; agpu_stream_next(&reader, &packet); seen++) {
        const bool is_data = packet.info != NULL && packet.info->payload.kind == AG_PAYLOAD_BYTES;
        const uint32_t words = (is_data ? packet.info->fixed.size : packet.size) / 4 - 2;
        if (may_be_hostile(&packet) && random_chance(&guest->world.random, seen))
            at = packet.offset + 8 + 4 * random_below(&guest->world.random, words);
    }
    const uint32_t values[] = {0,  1,          2,          7,
                               31, 0x7fffffff, UINT32_MAX, (uint32_t)random_bits(&guest->world.random)};
    if (at != 0)
        ag_store_u32(stream + at, values[random_below(&guest->world.random, AG_COUNT_OF(values))]);
}

/* A stream of random packets in the slot's memory; its size. */
static uint32_t write_stream(struct guest *guest, uint8_t *to)
{
    size_t size;
    if (random_chance(&guest->world.random, 20)) { /* anything that can be framed */
        const struct stream_generator_options options = {.max_packets = MOST_PACKETS, .no_trailing = true};
        uint8_t *stream = generate_stream(random_bits(&guest->world.random), &options, &size);
        if (stream == NULL || size > STREAM_BYTES)
            fail(guest, "a stream that is too large");
        memcpy(to, stream, size);
        free(stream);
        return (uint32_t)size;
    }
    agpu_writer_reset(&guest->writer);
    if (guest->begin)
        packet_world_begin(&guest->world, &guest->writer);
    guest->begin = false;
    for (uint32_t i = random_below(&guest->world.random, MOST_PACKETS); i > 0; i--) {
        packet_world_write(&guest->world, &guest->writer);
        guest->packets++;
    }
    if (agpu_writer_finish(&guest->writer) != AGPU_OK || guest->writer.size > STREAM_BYTES)
        fail(guest, "a stream that cannot be written");
    memcpy(to, guest->writer.data, guest->writer.size);
    if (random_chance(&guest->world.random, 6))
        make_hostile(guest, to, guest->writer.size);
    return (uint32_t)guest->writer.size;
}

static void submit(struct guest *guest)
{
    const uint32_t tail = ram_u32(guest, RING_GPA + 28);
    const uint32_t slot = tail % RING_ENTRIES;
    const uint32_t at = STREAMS_GPA + slot * STREAM_BYTES;
    struct aerogpu_submit_desc desc = {
        .desc_size_bytes = 64,
        .context_id =
            random_chance(&guest->world.random, 20) ? random_below(&guest->world.random, PACKET_CONTEXTS) : 0,
        .flags = random_chance(&guest->world.random, 4) ? AEROGPU_SUBMIT_FLAG_NO_IRQ : 0,
        .cmd_gpa = at,
        .cmd_size_bytes = write_stream(guest, guest->ram + at),
        .alloc_table_gpa = TABLE_GPA,
        .alloc_table_size_bytes = 24 + 32 * ALLOCATIONS,
        .signal_fence = guest->submitted + 1,
    };
    guest->submitted++;
    memcpy(guest->ram + RING_GPA + 64 + (size_t)slot * 64, &desc, sizeof desc);
    ag_store_u32(guest->ram + RING_GPA + 28, tail + 1);
    set(guest, AEROGPU_MMIO_REG_DOORBELL, 1, 4);
}

/* ---- What must hold ----------------------------------------------------------------------------------- */

static void check(struct guest *guest)
{
    const uint64_t fence = agpu_device_mmio_read(guest->device, AEROGPU_MMIO_REG_COMPLETED_FENCE_LO, 8);
    if (fence < guest->completed || fence > guest->submitted)
        fail(guest, "a fence went back or ahead");
    guest->completed = fence;
    if (fence != 0 && ag_load_u64(guest->ram + FENCE_GPA + 8) != fence)
        fail(guest, "the fence page says something else than the register");
    const uint32_t pending =
        get(guest, AEROGPU_MMIO_REG_IRQ_STATUS) & get(guest, AEROGPU_MMIO_REG_IRQ_ENABLE);
    if (guest->irq != (pending != 0))
        fail(guest, "the interrupt line says something else than the registers");
    if (random_chance(&guest->acknowledge, 2))
        set(guest, AEROGPU_MMIO_REG_IRQ_ACK, pending, 4);
    if (get(guest, AEROGPU_MMIO_REG_ERROR_CODE) == AEROGPU_ERROR_INTERNAL)
        fail(guest, "the error register shows an error of the host's own");
}

static void poll_once(struct guest *guest)
{
    guest->now_ns += UINT64_C(1000000);
    agpu_device_poll(guest->device, guest->now_ns);
    check(guest);
}

static void wait_for(struct guest *guest, uint64_t fence)
{
    const struct timespec nap = {.tv_nsec = 200000};
    const time_t start = time(NULL);
    while (guest->completed < fence) {
        poll_once(guest);
        nanosleep(&nap, NULL);
        if (time(NULL) - start > SECONDS_TO_COMPLETE)
            fail(guest, "a submission does not complete");
    }
}

/* What was refused is known for certain now, and the world begins again if anything was. */
static void wait_for_all(struct guest *guest)
{
    wait_for(guest, guest->submitted);
    guest->begin |= guest->refused;
    guest->refused = false;
}

/* ---- Runs --------------------------------------------------------------------------------------------- */

static void start(struct guest *guest, struct agpu_gpu *gpu, const struct packet_shaders *shaders,
                  uint64_t seed)
{
    struct diag_log log;
    diag_log_init(&log);
    guest->seed = seed;
    name_seed(seed);
    guest->submitted = guest->completed = 0;
    guest->irq = guest->refused = false;
    guest->begin = true;
    guest->acknowledge.state = seed;
    memset(guest->ram, 0, RAM_BYTES);
    packet_world_init(&guest->world, seed, shaders, ALLOCATIONS);
    const struct agpu_device_callbacks callbacks = {
        .memory = {.read = read_ram, .write = write_ram, .user = guest},
        .set_irq = set_irq,
        .presented = presented,
        .diagnostics = {report,                guest                            },
        .user = guest,
    };
    const struct agpu_executor_options options = {.size = sizeof options,
                                                  .loop_budget = LOOP_BUDGET,
                                                  .work_budget = WORK_BUDGET,
                                                  .gpu_timeout_ms = AGPU_NO_GPU_TIMEOUT,
                                                  .pipeline_timeout_ms = AGPU_NO_PIPELINE_TIMEOUT};
    if (agpu_webgpu_executor_create(gpu, &options, &log.sink, &guest->executor) != AGPU_OK ||
        agpu_device_create(NULL, &callbacks, guest->executor, guest->now_ns, &guest->device) != AGPU_OK)
        fail(guest, log.message);
    set_up_ring(guest);
    set_up_scanout(guest);
}

static void stop(struct guest *guest)
{
    agpu_device_destroy(guest->device);
    agpu_executor_destroy(guest->executor);
}

static void run_seed(struct guest *guest, struct agpu_gpu *gpu, const struct packet_shaders *shaders,
                     uint64_t seed)
{
    alarm(SECONDS_OF_A_SEED);
    start(guest, gpu, shaders, seed);
    for (uint32_t i = 0; i < SUBMISSIONS; i++) {
        if (guest->submitted - guest->completed >= RING_ENTRIES - 1)
            wait_for(guest, guest->completed + 1);
        submit(guest);
        for (uint32_t polls = random_below(&guest->world.random, 4); polls > 0; polls--)
            poll_once(guest);
        if (random_chance(&guest->world.random, 3))
            wait_for_all(guest);
    }
    if (random_chance(&guest->world.random, 4)) { /* everything outstanding is dropped */
        set(guest, AEROGPU_MMIO_REG_RING_CONTROL, AEROGPU_RING_CONTROL_RESET, 4);
        guest->completed = 0;
        agpu_device_poll(guest->device, guest->now_ns);
    } else {
        wait_for(guest, guest->submitted);
    }
    stop(guest);
    alarm(0);
}

static long resident_mib(void)
{
    long pages = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file != NULL) {
        if (fscanf(file, "%ld %ld", &pages, &resident) != 2)
            resident = 0;
        fclose(file);
    }
    return resident * sysconf(_SC_PAGESIZE) >> 20;
}

int main(int argc, char **argv)
{
    static struct guest guest;
    enum agpu_driver driver;
    struct diag_log log;
    struct agpu_gpu *gpu;
    struct packet_shaders shaders;
    if (argc < 4 || !agpu_driver_from_name(argv[1], &driver) || !packet_shaders_load(&shaders, argv[2]))
        return EXIT_FAILURE;
    const int opened = fixture_open(driver, &log, &gpu);
    if (opened != 0) {
        packet_shaders_free(&shaders);
        return opened;
    }
    const uint64_t first = argc > 4 ? strtoull(argv[4], NULL, 0) : 1;
    const time_t end = time(NULL) + (time_t)strtoull(argv[3], NULL, 0);
    uint64_t seed = first;
    long warm = 0;
    signal(SIGALRM, stop_at_alarm);
#ifdef HAS_ADDRESS_SANITIZER
    __sanitizer_set_death_callback(print_seed);
#endif
    guest.ram = malloc(RAM_BYTES);
    agpu_writer_init_growing(&guest.writer, NULL);
    if (guest.ram == NULL)
        return EXIT_FAILURE;
    do {
        run_seed(&guest, gpu, &shaders, seed++);
        const long mib = resident_mib();
        if (seed - first == WARM_SEEDS)
            warm = mib;
        if (warm != 0 && mib > warm + MOST_GROWTH_MIB + KEPT_MIB * (long)(seed - first - WARM_SEEDS))
            fail(&guest, "memory adds up");
        if ((seed - first) % 50 == 0) {
            printf("%" PRIu64 " seeds, %" PRIu64 " packets, %" PRIu64 " presents, %" PRIu64
                   " errors, %ld MiB\n",
                   seed - first, guest.packets, guest.presents, guest.errors, mib);
            fflush(stdout);
        }
    } while (time(NULL) < end);
    printf("%" PRIu64 " seeds, %" PRIu64 " packets, %" PRIu64 " presents, %" PRIu64
           " errors, nothing wrong\n",
           seed - first, guest.packets, guest.presents, guest.errors);
    agpu_writer_fini(&guest.writer);
    free(guest.ram);
    agpu_gpu_destroy(gpu);
    packet_shaders_free(&shaders);
    return EXIT_SUCCESS;
}
