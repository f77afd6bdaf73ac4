/* SPDX-License-Identifier: MIT
 *
 * A GPU process that a guest has taken over: whatever it sends, the owner lives on, its guest sees a lost
 * device, and nothing of the owner's leaks. Argument: the program of hostile_process.c.
 */
#include "../../support/test.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "../../support/snapshot_bytes.h"
#include "aerogpu/process_executor.h"
#include "base/bytes.h"
#include "cache/cache.h"
#include "exec/snapshot/sections.h"
#include "process/child.h"
#include "process/owner.h"
#include "process/snapshot_walk.h"

#define GUEST_BASE UINT64_C(0x10000)
#define GUEST_BYTES 0x200000

static const char *program;

struct owner {
    struct agpu_executor *executor;
    uint8_t *guest;
    uint32_t completed, error, presents;
    char lost[256], said[256];
    enum agpu_diag_code code;
    uint32_t gpu_diags, losses;
};

static bool read_guest(void *user, uint64_t gpa, void *to, size_t size)
{
    const struct owner *const owner = user;
    if (gpa < GUEST_BASE || !ag_range_fits(gpa - GUEST_BASE, size, GUEST_BYTES))
        return false;
    memcpy(to, owner->guest + (gpa - GUEST_BASE), size);
    return true;
}

static bool write_guest(void *user, uint64_t gpa, const void *from, size_t size)
{
    const struct owner *const owner = user;
    if (gpa < GUEST_BASE || !ag_range_fits(gpa - GUEST_BASE, size, GUEST_BYTES))
        return false;
    memcpy(owner->guest + (gpa - GUEST_BASE), from, size);
    return true;
}

static void on_presented(void *user, const struct agpu_present *present)
{
    (void)present;
    ((struct owner *)user)->presents++;
}

static void on_completed(void *user, uint32_t submission, uint32_t error)
{
    struct owner *const owner = user;
    assert_int_equal(submission, owner->completed);
    owner->completed++;
    owner->error = error;
}

static void on_diag(void *user, const struct agpu_diag *diag)
{
    struct owner *const owner = user;
    snprintf(owner->said, sizeof owner->said, "%s", diag->message);
}

static void on_gpu_diag(void *user, const struct agpu_diag *diag)
{
    struct owner *const owner = user;
    snprintf(owner->lost, sizeof owner->lost, "%s", diag->message);
    owner->code = diag->code;
    owner->gpu_diags++;
}

static void on_device_lost(void *user)
{
    ((struct owner *)user)->losses++;
}

/* Until the end of a process tells how it ended. */
#define END_WAIT_NS UINT64_C(60000000000)

/* The limits of time in ms that a test is about; there are no others, since machines are busy. 0: none. */
struct limits {
    uint32_t start, hang, submission;
};

static uint32_t timeout_of(uint32_t limit_ms)
{
    return limit_ms != 0 ? limit_ms : AGPU_NO_TIMEOUT;
}

static void open_owner_with(struct owner *owner, const char *behaviour, struct limits limits,
                            struct agpu_cache *cache)
{
    const char *const arguments[] = {program, behaviour, NULL};
    const struct agpu_executor_options executor = {.size = sizeof executor, .cache = cache};
    const struct agpu_process_executor_options options = {
        .size = sizeof options,
        .program = program,
        .arguments = arguments,
        .executor = &executor,
        .start_timeout_ms = timeout_of(limits.start),
        .hang_timeout_ms = timeout_of(limits.hang),
        .submission_timeout_ms = timeout_of(limits.submission),
    };
    *owner = (struct owner){.guest = calloc(1, GUEST_BYTES)};
    const struct agpu_diag_sink sink = {on_gpu_diag, owner};
    assert_non_null(owner->guest);
    assert_int_equal(agpu_process_executor_create(&options, &sink, &owner->executor), AGPU_OK);
    const struct agpu_executor_events events = {
        .size = sizeof events,
        .presented = on_presented,
        .completed = on_completed,
        .diagnostics = {on_diag, owner},
        .user = owner,
        .device_lost = on_device_lost,
    };
    const struct agpu_guest_memory memory = {.read = read_guest, .write = write_guest, .user = owner};
    owner->executor->attach(owner->executor, &events, &memory);
    ag_owner_of(owner->executor)->end_wait_ns = END_WAIT_NS;
}

static void open_owner(struct owner *owner, const char *behaviour)
{
    open_owner_with(owner, behaviour, (struct limits){0}, NULL);
}

static void close_owner(struct owner *owner)
{
    owner->executor->destroy(owner->executor);
    free(owner->guest);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

static void submit_bytes(struct owner *owner, const uint8_t *stream, uint32_t size)
{
    const struct agpu_submission submission = {
        .number = owner->completed, .fence = 1, .stream = stream, .stream_size = size};
    owner->executor->submit(owner->executor, &submission);
}

static void submit(struct owner *owner)
{
    static const uint8_t stream[16];
    submit_bytes(owner, stream, sizeof stream);
}

static void poll_to_the_end(struct owner *owner)
{
    const struct timespec nap = {0, 200000};
    while (owner->executor->poll(owner->executor))
        nanosleep(&nap, NULL);
}

static uint32_t count_descriptors(void)
{
    uint32_t count = 0;
    DIR *const folder = opendir("/proc/self/fd");
    while (readdir(folder) != NULL)
        count++;
    closedir(folder);
    return count;
}

/* ---- Tests --------------------------------------------------------------------------------------------- */

/* What the owner says of each behaviour that breaks a rule. */
static const struct {
    const char *behaviour, *said;
} breaks[] = {
    {"die",                  "the GPU device was lost: the GPU process was killed by signal 11"                },
    {"leave",                "the GPU device was lost: the GPU process ended with status 5"                    },
    {"garbage",              "the GPU device was lost: the GPU process sent what is no message"                },
    {"short-message",        "the GPU device was lost: the GPU process sent what is no message"                },
    {"long-message",         "the GPU device was lost: the GPU process sent what is no message"                },
    {"other-version",        "the GPU device was lost: the GPU process sent what is no message"                },
    {"past-the-ring",        "the GPU device was lost: the GPU process sent what is no message"                },
    {"too-many-bytes",       "the GPU device was lost: the GPU process sent what is no message"                },
    {"acknowledge-too-much", "the GPU device was lost: the GPU process sent what is no message"                },
    {"kind-of-the-owner",    "the GPU device was lost: the GPU process sent what is no message"                },
    {"count-for-too-many",   "the GPU device was lost: the GPU process sent what is no message"                },
    {"count-for-nobody",     "the GPU device was lost: the GPU process counted for a context that is not there"},
    {"rows-do-not-fit",      "the GPU device was lost: the GPU process sent what is no message"                },
    {"row-of-nothing",       "the GPU device was lost: the GPU process sent what is no message"                },
    {"picture-too-large",    "the GPU device was lost: the GPU process sent what is no message"                },
    {"picture-too-wide",     "the GPU device was lost: the GPU process sent what is no message"                },
    {"picture-of-nothing",   "the GPU device was lost: the GPU process sent what is no message"                },
    {"window-of-nothing",    "the GPU device was lost: the GPU process showed no picture"                      },
    {"ready-twice",          "the GPU device was lost: the GPU process was ready twice"                        },
    {"no-adapter",           "the GPU device was lost: the GPU process described no adapter"                   },
    {"adapter-without-end",  "the GPU device was lost: the GPU process described no adapter"                   },
    {"complete-nothing",     "the GPU device was lost: the GPU process completed a submission out of turn"     },
    {"picture-without-end",  "the GPU device was lost: the GPU process completed a submission out of turn"     },
    {"pictures-nested",      "the GPU device was lost: the GPU process showed a picture out of turn"           },
    {"picture-overflows",    "the GPU device was lost: the GPU process sent pixels of no picture"              },
    {"pixels-of-nothing",    "the GPU device was lost: the GPU process sent pixels of no picture"              },
    {"saved-nothing",        "the GPU device was lost: the GPU process ended a save that was not begun"        },
    {"bytes-of-no-snapshot", "the GPU device was lost: the GPU process sent bytes of no snapshot"              },
    {"loaded-nothing",       "the GPU device was lost: the GPU process loaded a snapshot that it was not given"},
    {"entry-of-nothing",     "the GPU device was lost: the GPU process sent what is no message"                },
    {"entry-too-small",      "the GPU device was lost: the GPU process sent what is no message"                },
    {"ask-for-entries",
     "the GPU device was lost: the GPU process asked again before it took the last answer"                     },
    {"ask-without-end",
     "the GPU device was lost: the GPU process asked again before it took the last answer"                     },
};

static void breaks_of_rules_lose_the_device(void **state)
{
    (void)state;
    const uint32_t descriptors = count_descriptors();
    for (size_t i = 0; i < AG_COUNT_OF(breaks); i++) {
        struct owner owner;
        open_owner(&owner, breaks[i].behaviour);
        submit(&owner);
        poll_to_the_end(&owner);
        assert_int_equal(owner.completed, 1);
        assert_int_equal(owner.error, AEROGPU_ERROR_BACKEND);
        assert_int_equal(owner.presents, 0);
        assert_string_equal(owner.lost, breaks[i].said);
        assert_int_equal(owner.code, AGPU_DIAG_GPU_LOST);
        assert_int_equal(agpu_process_executor_pid(owner.executor), 0);
        submit(&owner); /* and the device stays lost */
        assert_int_equal(owner.completed, 2);
        assert_int_equal(owner.error, AEROGPU_ERROR_BACKEND);
        close_owner(&owner);
    }
    assert_int_equal(count_descriptors(), descriptors);
}

/* An answer that had to wait behind a submission was taken all the same: the process may ask again. */
static void answers_may_wait(void **state)
{
    (void)state;
    static const char *const behaviours[] = {"ask-early", "ask-early-entries"};
    uint8_t *const stream = calloc(1, AG_RING_BYTES * 3 / 2);
    assert_non_null(stream);
    for (size_t i = 0; i < AG_COUNT_OF(behaviours); i++) {
        struct owner owner;
        open_owner(&owner, behaviours[i]);
        submit_bytes(&owner, stream, AG_RING_BYTES * 3 / 2);
        poll_to_the_end(&owner);
        assert_string_equal(owner.lost, "");
        assert_int_equal(owner.completed, 1);
        assert_int_equal(owner.error, AEROGPU_ERROR_NONE);
        close_owner(&owner);
    }
    free(stream);
}

/* ---- The cache ----------------------------------------------------------------------------------------- */

struct kept_entry {
    uint8_t name[AGPU_CACHE_NAME_BYTES], bytes[256];
    size_t size;
};

struct kept_entries {
    struct kept_entry entries[4];
    uint32_t count;
};

static struct kept_entry *find_entry(struct kept_entries *kept, const uint8_t name[AGPU_CACHE_NAME_BYTES])
{
    for (uint32_t i = 0; i < kept->count; i++)
        if (memcmp(kept->entries[i].name, name, AGPU_CACHE_NAME_BYTES) == 0)
            return &kept->entries[i];
    return NULL;
}

static void load_entry(void *user, const uint8_t name[AGPU_CACHE_NAME_BYTES],
                       void (*take)(void *taker, const void *bytes, size_t size), void *taker)
{
    const struct kept_entry *const entry = find_entry(user, name);
    if (entry != NULL)
        take(taker, entry->bytes, entry->size);
}

static void store_entry(void *user, const uint8_t name[AGPU_CACHE_NAME_BYTES], const void *bytes, size_t size)
{
    struct kept_entries *const kept = user;
    struct kept_entry *entry = find_entry(kept, name);
    if (entry == NULL)
        entry = &kept->entries[kept->count++];
    assert_true(kept->count <= AG_COUNT_OF(kept->entries) && size <= sizeof entry->bytes);
    memcpy(entry->name, name, AGPU_CACHE_NAME_BYTES);
    memcpy(entry->bytes, bytes, size);
    entry->size = size;
}

/* What a process has stored is nothing to runs without processes, even under the name that they look for, and
 * the other way round. */
static void forged_entries_are_not_found(void **state)
{
    (void)state;
    struct kept_entries kept = {0};
    const struct agpu_cache_store store = {
        .size = sizeof store, .load = load_entry, .store = store_entry, .user = &kept};
    struct agpu_cache *cache;
    struct ag_cache_value value;
    struct owner owner;
    assert_int_equal(agpu_cache_create(&store, NULL, &cache), AGPU_OK);
    ag_cache_store(cache, AG_CACHE_BLOBS, "own", 3, "code", 4);
    open_owner_with(&owner, "forge-entries", (struct limits){0}, cache);
    submit(&owner);
    poll_to_the_end(&owner);
    assert_string_equal(owner.lost, "");
    assert_int_equal(owner.completed, 1);
    assert_int_equal(kept.count, 2);
    assert_true(ag_cache_load(cache, AG_CACHE_BLOBS, "own", 3, &value));
    ag_cache_value_fini(&value);
    assert_false(ag_cache_load(cache, AG_CACHE_BLOBS, "key", 3, &value));
    ag_cache_store(cache, AG_CACHE_BLOBS, "key", 3, "code", 4);
    assert_int_equal(kept.count, 2); /* the name was that of the forged one */
    assert_true(ag_cache_load(cache, AG_CACHE_BLOBS, "key", 3, &value));
    ag_cache_value_fini(&value);
    close_owner(&owner);
    agpu_cache_destroy(cache);
}

/* ---- Snapshots ----------------------------------------------------------------------------------------- */

static enum agpu_save_state save(struct owner *owner, struct snapshot_bytes *snapshot)
{
    const struct agpu_snapshot_writer writer = snapshot_bytes_writer(snapshot);
    const struct timespec nap = {0, 200000};
    enum agpu_save_state state;
    assert_int_equal(owner->executor->save_begin(owner->executor, &writer), AGPU_OK);
    while ((state = owner->executor->save_poll(owner->executor)) == AGPU_SAVE_BUSY)
        nanosleep(&nap, NULL);
    return state;
}

static void saves_that_break_rules_lose_the_device(void **state)
{
    static const struct {
        const char *behaviour, *said;
        size_t written; /* bytes that the embedder got before */
    } saves[] = {
        {"save-of-the-future",  "the GPU device was lost: the GPU process ended a save that was not begun", 0},
        {"save-garbage",        "the GPU device was lost: the GPU process saved what is no snapshot",       0},
        {"save-without-begin",  "the GPU device was lost: the GPU process saved what is no snapshot",       0},
        {"save-without-end",    "the GPU device was lost: the GPU process saved a part of a snapshot",
         AG_ARCHIVE_HEADER_BYTES                                                                             },
        {"save-behind-the-end", "the GPU device was lost: the GPU process saved what is no snapshot",
         2 * AG_ARCHIVE_HEADER_BYTES                                                                         },
        {"leave-while-saving",  "the GPU device was lost: the GPU process ended with status 5",
         AG_ARCHIVE_HEADER_BYTES                                                                             },
    };
    (void)state;
    for (size_t i = 0; i < AG_COUNT_OF(saves); i++) {
        struct owner owner;
        struct snapshot_bytes snapshot = {0};
        open_owner(&owner, saves[i].behaviour);
        assert_int_equal(save(&owner, &snapshot), AGPU_SAVE_FAILED);
        assert_string_equal(owner.lost, saves[i].said);
        assert_string_equal(owner.said, "the GPU process was lost while the device was saved");
        assert_int_equal(snapshot.size, saves[i].written);
        submit(&owner);
        assert_int_equal(owner.error, AEROGPU_ERROR_BACKEND);
        const struct agpu_snapshot_writer writer = snapshot_bytes_writer(&snapshot);
        assert_int_equal(owner.executor->save_begin(owner.executor, &writer), AGPU_REFUSED);
        assert_string_equal(owner.said, "the GPU device is lost");
        close_owner(&owner);
        free(snapshot.data);
    }
}

/* An embedder that asks for no byte of a snapshot hears of the end by its polls, behind bytes that wait. */
static void polls_hear_of_an_end_during_a_save(void **state)
{
    struct owner owner;
    struct snapshot_bytes snapshot = {0};
    const struct agpu_snapshot_writer writer = snapshot_bytes_writer(&snapshot);
    (void)state;
    open_owner(&owner, "leave-while-saving");
    submit(&owner); /* which the process takes, so that nothing it leaves unread tells of its end */
    assert_int_equal(owner.executor->save_begin(owner.executor, &writer), AGPU_OK);
    poll_to_the_end(&owner);
    assert_string_equal(owner.lost, "the GPU device was lost: the GPU process ended with status 5");
    assert_string_equal(owner.said, "the GPU process was lost while the device was saved");
    assert_int_equal(owner.completed, 1);
    assert_int_equal(owner.error, AEROGPU_ERROR_BACKEND);
    assert_int_equal(owner.executor->save_poll(owner.executor), AGPU_SAVE_FAILED);
    assert_int_equal(snapshot.size, 0);
    close_owner(&owner);
}

/* More than the ring has room for, so that the owner has to listen before all of it is sent. */
#define SECTION_BYTES (UINT32_C(12) << 20)

/* An executor's part of a snapshot, as far as an owner looks at it. */
static void write_sections(struct snapshot_bytes *snapshot)
{
    uint8_t *const bytes = calloc(1, SECTION_BYTES);
    assert_non_null(bytes);
    static const uint32_t tags[] = {AG_SECTION_EXECUTOR, AG_SECTION_OBJECT, AG_SECTION_END};
    for (size_t i = 0; i < AG_COUNT_OF(tags); i++) {
        const uint32_t size = tags[i] == AG_SECTION_OBJECT ? SECTION_BYTES : 0;
        const uint32_t head[8] = {AG_ARCHIVE_TAG('A', 'G', 'S', 'S'), tags[i], 1, 0, size};
        snapshot_bytes_write(snapshot, head, sizeof head);
        snapshot_bytes_write(snapshot, bytes, size);
    }
    free(bytes);
}

static enum agpu_status load(struct owner *owner, struct snapshot_bytes *snapshot)
{
    const struct agpu_snapshot_reader reader = snapshot_bytes_reader(snapshot);
    return owner->executor->load(owner->executor, &reader);
}

static void loads_that_break_rules_lose_the_device(void **state)
{
    static const struct {
        const char *behaviour, *said;
        struct limits limits;
    } loads[] = {
        {"load-a-part",   "the GPU device was lost: the GPU process loaded a part of a snapshot", {0}          },
        {"load-twice",
         "the GPU device was lost: the GPU process loaded a snapshot that it was not given",      {0}          },
        {"never-answers",
         "the GPU device was lost: the GPU process did not answer within 300 ms",                 {.hang = 300}},
    };
    struct snapshot_bytes snapshot = {0};
    (void)state;
    write_sections(&snapshot);
    for (size_t i = 0; i < AG_COUNT_OF(loads); i++) {
        struct owner owner;
        open_owner_with(&owner, loads[i].behaviour, loads[i].limits, NULL);
        load(&owner, &snapshot);
        while (owner.lost[0] == '\0')
            owner.executor->poll(owner.executor);
        assert_string_equal(owner.lost, loads[i].said);
        owner.executor->reset(owner.executor);
        close_owner(&owner);
    }
    free(snapshot.data);
}

/* A load is one call, which ends whatever the process says. */
static void loads_end(void **state)
{
    static const char *const behaviours[] = {"load-and-chatter", "load-all-and-chatter"};
    static const char late[] =
        "the GPU device was lost: the GPU process did not load a snapshot within 300 ms";
    static const char silent[] = "the GPU device was lost: the GPU process made no progress within 50 ms";
    struct snapshot_bytes snapshot = {0};
    (void)state;
    write_sections(&snapshot);
    for (size_t i = 0; i < AG_COUNT_OF(behaviours); i++) {
        struct owner owner;
        open_owner(&owner, behaviours[i]);
        ag_owner_of(owner.executor)->submission_timeout_ns = UINT64_C(50000000);
        ag_owner_of(owner.executor)->slice_ns = UINT64_MAX;
        assert_int_equal(load(&owner, &snapshot), AGPU_REFUSED);
        if (strcmp(owner.lost, silent) != 0) /* a busy machine let it say nothing for so long */
            assert_string_equal(owner.lost, late);
        close_owner(&owner);
    }
    free(snapshot.data);
}

/* A save that is begun, or begun and cancelled, before the next process is there. */
static void saves_wait_for_a_process(void **state)
{
    (void)state;
    for (uint32_t cancels = 0; cancels < 2; cancels++) {
        struct owner owner;
        struct snapshot_bytes snapshot = {0};
        const struct agpu_snapshot_writer writer = snapshot_bytes_writer(&snapshot);
        open_owner(&owner, "save-or-die");
        submit(&owner);
        poll_to_the_end(&owner);
        assert_string_equal(owner.lost, "the GPU device was lost: the GPU process ended with status 5");
        owner.lost[0] = '\0';
        owner.executor->reset(owner.executor);
        if (cancels) {
            assert_int_equal(owner.executor->save_begin(owner.executor, &writer), AGPU_OK);
            owner.executor->save_cancel(owner.executor);
        } else {
            assert_int_equal(save(&owner, &snapshot), AGPU_SAVE_DONE);
        }
        owner.executor->poll(owner.executor); /* says that the save is over */
        submit(&owner);
        poll_to_the_end(&owner);
        assert_string_equal(owner.lost, "");
        assert_int_equal(owner.completed, 2);
        assert_int_equal(owner.error, AEROGPU_ERROR_NONE);
        close_owner(&owner);
        free(snapshot.data);
    }
}

/* A process that saves or loads nothing, and says so, lives on. */
static void refusals_break_no_rule(void **state)
{
    struct owner owner;
    struct snapshot_bytes snapshot = {0};
    (void)state;
    open_owner(&owner, "save-fails");
    assert_int_equal(save(&owner, &snapshot), AGPU_SAVE_FAILED);
    owner.executor->poll(owner.executor);
    assert_true(agpu_process_executor_pid(owner.executor) != 0);
    close_owner(&owner);
    write_sections(&snapshot);
    open_owner(&owner, "load-fails");
    assert_int_equal(load(&owner, &snapshot), AGPU_REFUSED);
    assert_true(agpu_process_executor_pid(owner.executor) != 0);
    close_owner(&owner);
    free(snapshot.data);
}

static void bytes_of_earlier_saves_are_left_out(void **state)
{
    struct owner owner;
    struct snapshot_bytes snapshot = {0};
    (void)state;
    open_owner(&owner, "save-again");
    assert_int_equal(save(&owner, &snapshot), AGPU_SAVE_FAILED);
    assert_int_equal(save(&owner, &snapshot), AGPU_SAVE_DONE);
    assert_int_equal(snapshot.size, 2 * AG_ARCHIVE_HEADER_BYTES);
    assert_string_equal(owner.lost, "");
    close_owner(&owner);
    free(snapshot.data);
}

/* Whatever the process makes of it. */
static void snapshots_that_end_early_are_not_loaded(void **state)
{
    struct owner owner;
    struct snapshot_bytes snapshot = {0};
    (void)state;
    write_sections(&snapshot);
    snapshot.size = AG_ARCHIVE_HEADER_BYTES;
    open_owner(&owner, "load-anything");
    assert_int_equal(load(&owner, &snapshot), AGPU_REFUSED);
    assert_string_equal(owner.said, "the snapshot ends too early");
    close_owner(&owner);
    free(snapshot.data);
}

/* What is passed on has a limit. */
static void snapshots_are_bounded(void **state)
{
    struct snapshot_bytes snapshot = {0};
    struct ag_snapshot_walk walk;
    (void)state;
    write_sections(&snapshot);
    ag_snapshot_walk_init(&walk, snapshot.size, NULL);
    assert_true(ag_snapshot_walk_pass(&walk, snapshot.data, snapshot.size));
    assert_true(walk.ended);
    ag_snapshot_walk_fini(&walk);
    ag_snapshot_walk_init(&walk, snapshot.size - 1, NULL);
    assert_true(ag_snapshot_walk_pass(&walk, snapshot.data, snapshot.size - 32));
    assert_false(ag_snapshot_walk_pass(&walk, snapshot.data + snapshot.size - 32, 32));
    ag_snapshot_walk_fini(&walk);
    free(snapshot.data);
}

/* ---- Life ---------------------------------------------------------------------------------------------- */

static void a_reset_starts_another_process(void **state)
{
    (void)state;
    struct owner owner;
    open_owner(&owner, "die");
    for (uint32_t i = 0; i < 3; i++) {
        owner.completed = 0;
        submit(&owner);
        poll_to_the_end(&owner);
        assert_int_equal(owner.completed, 1);
        assert_int_equal(owner.error, AEROGPU_ERROR_BACKEND);
        owner.executor->reset(owner.executor);
    }
    close_owner(&owner);
}

static void a_second_completion_is_a_break(void **state)
{
    (void)state;
    struct owner owner;
    open_owner(&owner, "complete-twice");
    submit(&owner);
    poll_to_the_end(&owner);
    assert_int_equal(owner.completed, 1);
    assert_int_equal(owner.error, AEROGPU_ERROR_INTERNAL); /* 12345 is no error of the ABI */
    while (owner.lost[0] == '\0')
        owner.executor->poll(owner.executor);
    assert_string_equal(owner.lost,
                        "the GPU device was lost: the GPU process completed a submission out of turn");
    close_owner(&owner);
}

static void silence_loses_the_device(void **state)
{
    (void)state;
    static const struct {
        const char *behaviour, *said;
        struct limits limits;
    } silences[] = {
        {"never-ready",
         "the GPU device was lost: the GPU process opened no GPU within 300 ms",    {.start = 300}     },
        {"never-answers",
         "the GPU device was lost: the GPU process did not answer within 300 ms",   {.hang = 300}      },
        {"never-completes",
         "the GPU device was lost: the GPU process made no progress within 600 ms", {.submission = 600}},
    };
    for (size_t i = 0; i < AG_COUNT_OF(silences); i++) {
        struct owner owner;
        open_owner_with(&owner, silences[i].behaviour, silences[i].limits, NULL);
        submit(&owner);
        poll_to_the_end(&owner);
        assert_int_equal(owner.completed, 1);
        assert_int_equal(owner.error, AEROGPU_ERROR_BACKEND);
        assert_string_equal(owner.lost, silences[i].said);
        close_owner(&owner);
    }
}

static void writes_reach_guest_memory_alone(void **state)
{
    (void)state;
    static const uint8_t written[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    struct owner owner;
    open_owner(&owner, "write-anywhere");
    submit(&owner);
    poll_to_the_end(&owner);
    assert_int_equal(owner.completed, 1);
    assert_int_equal(owner.error, AEROGPU_ERROR_OOB);
    assert_string_equal(owner.said, "guest memory at 0xfffffffffffffffc (4 bytes) is not writable");
    assert_memory_equal(owner.guest, written, sizeof written);
    close_owner(&owner);
}

/* A row that cannot be stored is the last of its packet, and of no other. */
static void a_failed_row_is_the_last_of_its_packet(void **state)
{
    (void)state;
    static const uint8_t nothing[8], written[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    struct owner owner;
    open_owner(&owner, "write-in-parts");
    submit(&owner);
    poll_to_the_end(&owner);
    assert_int_equal(owner.completed, 1);
    assert_int_equal(owner.error, AEROGPU_ERROR_OOB);
    assert_string_equal(owner.said, "guest memory at 0x100 (8 bytes) is not writable");
    assert_memory_equal(owner.guest, nothing, sizeof nothing);
    assert_memory_equal(owner.guest + 16, written, sizeof written);
    close_owner(&owner);
}

static void late_pictures_are_not_shown(void **state)
{
    (void)state;
    struct owner owner;
    open_owner(&owner, "picture-too-late");
    submit(&owner);
    poll_to_the_end(&owner);
    assert_string_equal(owner.lost, "");
    assert_int_equal(owner.completed, 1);
    assert_int_equal(owner.error, AEROGPU_ERROR_NONE);
    assert_int_equal(owner.presents, 0);
    close_owner(&owner);
}

/* Of submissions that wait for room each is sent whole before the next one, with all of its table. */
static void submissions_wait_in_order(void **state)
{
    enum { ENTRIES = 4 };
    (void)state;
    struct aerogpu_alloc_entry table[ENTRIES] = {0};
    /* The first entry of the first table ends a piece; the second submission is more than there is room for.
     */
    const uint32_t sizes[3] = {AG_PIECE_BYTES - sizeof table[0], AG_RING_BYTES * 3 / 2, 16};
    uint8_t *const stream = calloc(1, AG_RING_BYTES * 3 / 2);
    struct owner owner;
    assert_non_null(stream);
    for (uint32_t i = 0; i < ENTRIES; i++)
        table[i] = (struct aerogpu_alloc_entry){.alloc_id = i + 1, .gpa = GUEST_BASE, .size_bytes = 4096};
    open_owner(&owner, "take-three");
    for (uint32_t i = 0; i < 3; i++) {
        const struct agpu_submission submission = {.number = i,
                                                   .fence = 1,
                                                   .stream = stream,
                                                   .stream_size = sizes[i],
                                                   .has_allocation_table = true,
                                                   .allocations = table,
                                                   .allocation_count = ENTRIES};
        owner.executor->submit(owner.executor, &submission);
    }
    poll_to_the_end(&owner);
    assert_string_equal(owner.lost, "");
    assert_int_equal(owner.completed, 3);
    assert_int_equal(owner.error, AEROGPU_ERROR_NONE);
    close_owner(&owner);
    free(stream);
}

static void texts_are_plain(void **state)
{
    (void)state;
    struct owner owner;
    struct agpu_adapter_info info = {.size = sizeof info};
    open_owner(&owner, "terminal-codes");
    submit(&owner);
    while (owner.said[0] == '\0')
        owner.executor->poll(owner.executor);
    assert_string_equal(owner.said, "?]0;taken over? and?more???");
    assert_true(agpu_process_executor_info(owner.executor, &info));
    assert_string_equal(info.name, "hostile?[2J");
    close_owner(&owner);
}

static void a_device_is_lost_once(void **state)
{
    (void)state;
    struct owner owner;
    open_owner(&owner, "lose-again-and-again");
    submit(&owner);
    poll_to_the_end(&owner);
    assert_int_equal(owner.completed, 1);
    assert_int_equal(owner.losses, 1);
    close_owner(&owner);
}

/* A log has a size. How many were left out is said once the rate allows it. */
static void talk_of_the_gpu_is_limited(void **state)
{
    (void)state;
    struct owner owner;
    open_owner(&owner, "talk-of-the-gpu");
    submit(&owner);
    poll_to_the_end(&owner);
    assert_int_equal(owner.completed, 1);
    assert_in_range(owner.gpu_diags, 1, 10000);
    while (owner.code != AGPU_DIAG_DEVICE_DIAGNOSTICS)
        owner.executor->poll(owner.executor);
    close_owner(&owner);
}

static void scribbles_end_somehow(void **state)
{
    (void)state;
    struct owner owner;
    open_owner(&owner, "scribble");
    submit(&owner);
    while (owner.lost[0] == '\0')
        owner.executor->poll(owner.executor);
    poll_to_the_end(&owner);
    assert_int_equal(owner.completed, 1);
    close_owner(&owner);
}

static void descriptors_are_not_taken(void **state)
{
    (void)state;
    struct owner owner;
    open_owner(&owner, "send-descriptors");
    assert_int_equal(agpu_process_executor_wait(owner.executor, AGPU_NO_TIMEOUT), AGPU_OK);
    const uint32_t descriptors = count_descriptors();
    submit(&owner);
    poll_to_the_end(&owner);
    assert_string_equal(owner.lost, "");
    assert_int_equal(owner.completed, 1);
    assert_int_equal(count_descriptors(), descriptors);
    close_owner(&owner);
}

static void options_that_cannot_be(void **state)
{
    (void)state;
    struct owner owner = {0};
    const struct agpu_diag_sink sink = {on_gpu_diag, &owner};
    struct agpu_executor *executor;
    struct agpu_process_executor_options options = {.size = sizeof options};
    assert_int_equal(agpu_process_executor_create(&options, &sink, &executor), AGPU_REFUSED);
    assert_null(executor);
    assert_int_equal(owner.code, AGPU_DIAG_GPU_PROCESS);
    options.program = "/there/is/no/such/program";
    assert_int_equal(agpu_process_executor_create(&options, &sink, &executor), AGPU_MISSING);
    assert_null(executor);
    assert_string_equal(owner.lost, "the GPU process /there/is/no/such/program cannot be started: No such "
                                    "file or directory");
}

/* A killed process whose end takes longer than its owner waits, as one with very much memory. */
static void a_process_that_ends_late_leaves_nothing(void **state)
{
    (void)state;
    const char *const arguments[] = {program, "die", NULL};
    const struct timespec nap = {0, 1000000};
    const uint32_t descriptors = count_descriptors();
    char problem[128];
    struct ag_child child;
    int left = 0;
    assert_true(ag_child_start(&child, program, arguments, NULL, problem, sizeof problem));
    ag_child_kill(&child);
    ag_child_leave(&child, 0);
    assert_int_equal(child.pid, 0);
    for (uint32_t i = 0; i < 10000 && left >= 0; i++) {
        siginfo_t info;
        left = waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT); /* takes nothing from the thread */
        nanosleep(&nap, NULL);
    }
    assert_int_equal(left, -1);
    assert_int_equal(errno, ECHILD);
    assert_int_equal(count_descriptors(), descriptors);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(breaks_of_rules_lose_the_device),
        cmocka_unit_test(answers_may_wait),
        cmocka_unit_test(forged_entries_are_not_found),
        cmocka_unit_test(a_reset_starts_another_process),
        cmocka_unit_test(a_second_completion_is_a_break),
        cmocka_unit_test(silence_loses_the_device),
        cmocka_unit_test(writes_reach_guest_memory_alone),
        cmocka_unit_test(a_failed_row_is_the_last_of_its_packet),
        cmocka_unit_test(late_pictures_are_not_shown),
        cmocka_unit_test(submissions_wait_in_order),
        cmocka_unit_test(texts_are_plain),
        cmocka_unit_test(talk_of_the_gpu_is_limited),
        cmocka_unit_test(a_device_is_lost_once),
        cmocka_unit_test(scribbles_end_somehow),
        cmocka_unit_test(descriptors_are_not_taken),
        cmocka_unit_test(options_that_cannot_be),
        cmocka_unit_test(saves_that_break_rules_lose_the_device),
        cmocka_unit_test(polls_hear_of_an_end_during_a_save),
        cmocka_unit_test(loads_that_break_rules_lose_the_device),
        cmocka_unit_test(loads_end),
        cmocka_unit_test(saves_wait_for_a_process),
        cmocka_unit_test(refusals_break_no_rule),
        cmocka_unit_test(bytes_of_earlier_saves_are_left_out),
        cmocka_unit_test(snapshots_that_end_early_are_not_loaded),
        cmocka_unit_test(snapshots_are_bounded),
        cmocka_unit_test(a_process_that_ends_late_leaves_nothing),
    };
    if (argc != 2)
        return 1;
    program = argv[1];
    return cmocka_run_group_tests_name("process/hostile", tests, NULL, NULL);
}
