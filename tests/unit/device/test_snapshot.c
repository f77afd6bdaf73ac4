/* SPDX-License-Identifier: MIT */
#include "machine.h"

#include "../../support/snapshot_bytes.h"

/* ---- The executor's part of a snapshot --------------------------------------------------------------- */

static unsigned polls_until_done;
static bool lost;
static bool under_way;

static enum agpu_status save_begin(struct agpu_executor *executor, const struct agpu_snapshot_writer *writer)
{
    (void)executor;
    under_way = true;
    return writer->write(writer->user, "executor", 8) ? AGPU_OK : AGPU_REFUSED;
}

static enum agpu_save_state save_poll(struct agpu_executor *executor)
{
    (void)executor;
    if (polls_until_done != 0) {
        polls_until_done--;
        return AGPU_SAVE_BUSY;
    }
    under_way = false;
    return lost ? AGPU_SAVE_FAILED : AGPU_SAVE_DONE;
}

static void save_cancel(struct agpu_executor *executor)
{
    (void)executor;
    under_way = false;
}

static enum agpu_status load(struct agpu_executor *executor, const struct agpu_snapshot_reader *reader)
{
    char word[8];
    (void)executor;
    return reader->read(reader->user, word, 8) && memcmp(word, "executor", 8) == 0 ? AGPU_OK : AGPU_REFUSED;
}

static void give_snapshots(struct machine *machine)
{
    machine->executor.size = sizeof machine->executor;
    machine->executor.save_begin = save_begin;
    machine->executor.save_poll = save_poll;
    machine->executor.save_cancel = save_cancel;
    machine->executor.load = load;
    lost = under_way = false;
    polls_until_done = 0;
}

static void start_fresh(struct machine *machine)
{
    machine_start_bare(machine, NULL);
    give_snapshots(machine);
}

/* ---- A device with something in every part ----------------------------------------------------------- */

static void program(struct machine *machine)
{
    const uint32_t present[] = {AEROGPU_CMD_PRESENT, 16, 0, AEROGPU_PRESENT_FLAG_VSYNC};
    struct aerogpu_submit_desc desc;
    give_snapshots(machine);
    set_reg(machine, AEROGPU_MMIO_REG_IRQ_ENABLE, AEROGPU_IRQ_FENCE);
    set_reg(machine, AEROGPU_MMIO_REG_SCANOUT0_WIDTH, 2);
    set_reg(machine, AEROGPU_MMIO_REG_SCANOUT0_HEIGHT, 3);
    set_reg(machine, AEROGPU_MMIO_REG_SCANOUT0_FORMAT, AEROGPU_FORMAT_B8G8R8X8_UNORM);
    set_reg(machine, AEROGPU_MMIO_REG_SCANOUT0_PITCH_BYTES, 8);
    set_reg(machine, AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_LO, FRAME_BUFFER);
    set_reg(machine, AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_HI, 0);
    set_reg(machine, AEROGPU_MMIO_REG_SCANOUT0_ENABLE, 1);
    set_reg(machine, AEROGPU_MMIO_REG_CURSOR_X, 77);
    set_reg(machine, AEROGPU_MMIO_REG_CURSOR_HOT_Y, 5);
    agpu_device_config_write(machine->device, 0x3C, 1, 11);
    machine_poll(machine, PERIOD_NS / 2);
    machine->manual = true;
    desc = stream_desc(machine, 1, present, 4); /* executed, and waits for a vblank */
    enqueue(machine, &desc);
    ring_doorbell(machine);
    machine_finish(machine, 0, AEROGPU_ERROR_NONE);
    submit_fence(machine, 2, 0); /* with the executor */
    machine->busy = true;
    desc = stream_desc(machine, 3, present, 4); /* waits for the executor */
    enqueue(machine, &desc);
    ring_doorbell(machine);
}

static void save(struct machine *machine, struct snapshot_bytes *snapshot)
{
    const struct agpu_snapshot_writer writer = snapshot_bytes_writer(snapshot);
    assert_int_equal(agpu_device_save_begin(machine->device, &writer), AGPU_OK);
    assert_int_equal(agpu_device_save_poll(machine->device), AGPU_SAVE_DONE);
}

static void assert_same_registers(struct machine *a, struct machine *b)
{
    for (uint32_t offset = 0; offset < 0x600; offset += 4)
        assert_int_equal(reg(a, offset), reg(b, offset));
    for (uint32_t offset = 0; offset < 0x100; offset += 4)
        assert_int_equal(agpu_device_config_read(a->device, offset, 4),
                         agpu_device_config_read(b->device, offset, 4));
}

static enum agpu_status load_into(struct machine *machine, struct snapshot_bytes *snapshot)
{
    const struct agpu_snapshot_reader reader = snapshot_bytes_reader(snapshot);
    return agpu_device_load(machine->device, &reader, machine->now_ns);
}

/* ---- Tests ------------------------------------------------------------------------------------------- */

static void goes_on_as_before(void **state)
{
    struct machine *machine = *state, other;
    struct snapshot_bytes snapshot = {0};
    uint8_t pixels[3];
    program(machine);
    agpu_device_vram_write(machine->device, 3 << 20, "\1\2\3", 3);
    save(machine, &snapshot);

    start_fresh(&other);
    memcpy(other.ram, machine->ram, RAM_SIZE);
    other.now_ns = machine->now_ns + 12345; /* another clock */
    const uint64_t due = agpu_device_next_event_ns(machine->device) - machine->now_ns;
    assert_int_equal(load_into(&other, &snapshot), AGPU_OK);
    assert_int_equal(snapshot.at, snapshot.size);
    assert_same_registers(machine, &other);
    assert_int_equal(agpu_device_next_event_ns(other.device) - other.now_ns, due);
    assert_true(agpu_device_vram_read(other.device, 3 << 20, pixels, 3));
    assert_memory_equal(pixels, "\1\2\3", 3);
    assert_int_equal(other.received_count, 0);

    other.manual = true; /* the executor of the snapshot finishes what it had */
    machine->busy = false;
    struct machine *both[] = {machine, &other};
    for (uint32_t i = 0; i < 2; i++) {
        struct machine *one = both[i];
        machine_finish(one, 1, AEROGPU_ERROR_NONE);
        machine_poll(one, 0);
        assert_int_equal(completed_fence(one), 0); /* fence 1 waits for its vblank */
        assert_int_equal(one->received[one->received_count - 1].submission.number, 2);
        assert_int_equal(one->received[one->received_count - 1].submission.stream_size, 40);
        machine_poll(one, due);
        assert_int_equal(completed_fence(one), 2);
        assert_true(one->irq);
        machine_finish(one, 2, AEROGPU_ERROR_BACKEND);
        machine_poll(one, PERIOD_NS);
        machine_poll(one, 0);
        assert_int_equal(completed_fence(one), 3);
        assert_int_equal(reg(one, AEROGPU_MMIO_REG_ERROR_CODE), AEROGPU_ERROR_BACKEND);
        submit_fence(one, 4, 0);
        assert_int_equal(one->received[one->received_count - 1].submission.number, 3);
    }
    assert_same_registers(machine, &other);
    machine_stop(&other);
    free(snapshot.data);
}

static void the_executor_rests_while_it_is_saved(void **state)
{
    struct machine *machine = *state;
    struct snapshot_bytes snapshot = {0};
    const struct agpu_snapshot_writer writer = snapshot_bytes_writer(&snapshot);
    give_snapshots(machine);
    polls_until_done = 2;
    assert_int_equal(agpu_device_save_begin(machine->device, &writer), AGPU_OK);
    submit_fence(machine, 1, 0);
    assert_int_equal(machine->received_count, 0);
    assert_int_equal(ring_head(machine), 0);
    assert_int_equal(agpu_device_save_poll(machine->device), AGPU_SAVE_BUSY);
    assert_int_equal(agpu_device_save_begin(machine->device, &writer), AGPU_REFUSED);
    assert_int_equal(machine->diag, AGPU_DIAG_SNAPSHOT_STATE);
    assert_int_equal(agpu_device_save_poll(machine->device), AGPU_SAVE_BUSY);
    assert_int_equal(agpu_device_save_poll(machine->device), AGPU_SAVE_DONE);
    assert_int_equal(machine->received_count, 0);
    machine_poll(machine, 0);
    assert_int_equal(machine->received_count, 1);
    assert_int_equal(completed_fence(machine), 1);
    assert_int_equal(agpu_device_save_poll(machine->device), AGPU_SAVE_FAILED); /* none is under way */
    free(snapshot.data);
}

static void a_save_may_fail_or_end(void **state)
{
    struct machine *machine = *state;
    struct snapshot_bytes snapshot = {.limit = 4};
    struct agpu_snapshot_writer writer = snapshot_bytes_writer(&snapshot);
    assert_int_equal(agpu_device_save_begin(machine->device, &writer), AGPU_REFUSED);
    assert_int_equal(machine->diag, AGPU_DIAG_SNAPSHOT_UNSUPPORTED);
    give_snapshots(machine);
    assert_int_equal(agpu_device_save_begin(machine->device, &writer), AGPU_REFUSED);
    assert_int_equal(machine->diag, AGPU_DIAG_SNAPSHOT_UNWRITABLE);
    snapshot.limit = 0;
    lost = true;
    assert_int_equal(agpu_device_save_begin(machine->device, &writer), AGPU_OK);
    assert_int_equal(agpu_device_save_poll(machine->device), AGPU_SAVE_FAILED);
    lost = false;
    assert_int_equal(agpu_device_save_begin(machine->device, &writer), AGPU_OK);
    set_reg(machine, AEROGPU_MMIO_REG_RING_CONTROL, AEROGPU_RING_CONTROL_RESET | AEROGPU_RING_CONTROL_ENABLE);
    assert_false(under_way);
    assert_int_equal(agpu_device_save_poll(machine->device), AGPU_SAVE_FAILED);
    assert_int_equal(agpu_device_save_begin(machine->device, &writer), AGPU_OK);
    agpu_device_save_cancel(machine->device);
    assert_false(under_way);
    submit_fence(machine, 1, 0);
    assert_int_equal(completed_fence(machine), 1);
    machine->manual = true;
    submit_fence(machine, 2, 0);
    agpu_device_config_write(machine->device, 4, 2, 0);
    assert_int_equal(agpu_device_save_begin(machine->device, &writer), AGPU_REFUSED);
    assert_int_equal(machine->diag, AGPU_DIAG_SNAPSHOT_STATE);
    free(snapshot.data);
}

/* A device that refused a snapshot is as new, and takes the right one. */
static void assert_as_new(struct machine *machine)
{
    struct machine fresh;
    machine_start_bare(&fresh, NULL);
    assert_same_registers(machine, &fresh);
    assert_false(machine->irq);
    assert_int_equal(agpu_device_next_event_ns(machine->device), UINT64_MAX);
    machine_stop(&fresh);
}

static void damage_is_refused(void **state)
{
    struct machine *machine = *state, other;
    struct snapshot_bytes snapshot = {0}, cut;
    program(machine);
    save(machine, &snapshot);
    start_fresh(&other);
    for (size_t i = 0; i<snapshot.size; i += i> 4096 && i < snapshot.size - 4096 ? 65521 : 1) {
        snapshot.data[i] ^= 0x10;
        assert_int_equal(load_into(&other, &snapshot), AGPU_REFUSED);
        snapshot.data[i] ^= 0x10;
        cut = snapshot;
        cut.size = i;
        assert_int_equal(load_into(&other, &cut), AGPU_REFUSED);
    }
    assert_as_new(&other);
    assert_int_equal(load_into(&other, &snapshot), AGPU_OK);
    assert_int_equal(load_into(&other, &snapshot), AGPU_REFUSED);
    assert_int_equal(other.diag, AGPU_DIAG_SNAPSHOT_STATE);
    machine_stop(&other);
    free(snapshot.data);
}

/* A snapshot that somebody made up is loaded or refused, and nothing else happens. */
static void made_up_snapshots_do_no_harm(void **state)
{
    struct machine *machine = *state, other;
    struct snapshot_bytes snapshot = {0}, changed = {0};
    unsigned loaded = 0, refused = 0;
    program(machine);
    save(machine, &snapshot);
    changed = snapshot;
    changed.data = malloc(snapshot.size);
    for (size_t i = 0; i<snapshot.size; i += i> 4096 && i < snapshot.size - 4096 ? 65521 : 1) {
        memcpy(changed.data, snapshot.data, snapshot.size);
        changed.data[i] ^= (uint8_t)(i % 3 == 0 ? 0xFF : 1 << i % 8);
        /* The header, the executor's word and the sections behind it. */
        snapshot_bytes_seal(changed.data, 44);
        snapshot_bytes_seal(changed.data + 52, changed.size - 52);
        start_fresh(&other);
        memcpy(other.ram, machine->ram, RAM_SIZE);
        if (load_into(&other, &changed) == AGPU_OK) {
            loaded++;
            machine_poll(&other, PERIOD_NS);
            ring_doorbell(&other);
        } else {
            refused++;
            assert_as_new(&other);
        }
        machine_stop(&other);
    }
    assert_true(loaded > 100);
    assert_true(refused > 100);
    free(changed.data);
    free(snapshot.data);
}

static void other_devices_are_told_apart(void **state)
{
    struct machine *machine = *state, other;
    struct snapshot_bytes snapshot = {0};
    const struct agpu_device_options options = {.refresh_millihertz = 50000};
    program(machine);
    save(machine, &snapshot);
    machine_start_bare(&other, &options);
    give_snapshots(&other);
    assert_int_equal(load_into(&other, &snapshot), AGPU_REFUSED);
    assert_int_equal(other.diag, AGPU_DIAG_SNAPSHOT_DIFFERS);
    snapshot.data[40] = 1; /* a later version of the header's section, and then of the extension */
    snapshot_bytes_seal(snapshot.data, 44);
    assert_int_equal(load_into(&other, &snapshot), AGPU_REFUSED);
    snapshot.data[8] = 2;
    snapshot_bytes_seal(snapshot.data, 44);
    assert_int_equal(load_into(&other, &snapshot), AGPU_REFUSED);
    assert_int_equal(other.diag, AGPU_DIAG_SNAPSHOT_VERSION);
    machine_stop(&other);
    free(snapshot.data);
}

/* A reset of the machine makes a device that is as new, in the middle of work too. */
static void a_reset_makes_a_new_device(void **state)
{
    struct machine *machine = *state;
    uint8_t byte = 0xFF;
    program(machine);
    agpu_device_vram_write(machine->device, 7, "x", 1);
    machine_poll(machine, 0);
    machine->busy = false;
    machine_finish(machine, 1, AEROGPU_ERROR_BACKEND);
    const unsigned resets = machine->resets;
    assert_int_equal(agpu_device_reset(machine->device), AGPU_OK);
    assert_int_equal(machine->resets, resets + 1);
    assert_as_new(machine);
    assert_true(agpu_device_vram_read(machine->device, 7, &byte, 1));
    assert_int_equal(byte, 0);
    machine_poll(machine, 10 * PERIOD_NS);
    assert_as_new(machine);
    machine->manual = false;
    write_ring_header(machine, RING_ENTRIES, RING_STRIDE);
    set_reg(machine, AEROGPU_MMIO_REG_RING_GPA_LO, RING);
    set_reg(machine, AEROGPU_MMIO_REG_RING_SIZE_BYTES, RING_SIZE);
    set_reg(machine, AEROGPU_MMIO_REG_RING_CONTROL, AEROGPU_RING_CONTROL_ENABLE);
    submit_fence(machine, 1, 0);
    assert_int_equal(completed_fence(machine), 1);
    assert_int_equal(machine->received[machine->received_count - 1].submission.number, 0);
    const unsigned said = machine->diag_count; /* who listens is the same */
    struct aerogpu_submit_desc desc = empty_desc(2);
    desc.desc_size_bytes = 63;
    enqueue(machine, &desc);
    ring_doorbell(machine);
    assert_int_equal(machine->diag_count, said + 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_MACHINE(goes_on_as_before),
        WITH_MACHINE(the_executor_rests_while_it_is_saved),
        WITH_MACHINE(a_save_may_fail_or_end),
        WITH_MACHINE(damage_is_refused),
        WITH_MACHINE(made_up_snapshots_do_no_harm),
        WITH_MACHINE(other_devices_are_told_apart),
        WITH_MACHINE(a_reset_makes_a_new_device),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
