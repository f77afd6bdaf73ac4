/* SPDX-License-Identifier: MIT
 *
 * Makes seeds for the target `exec` of scenes: what the executor of a scene is told, as records.
 *
 *     exec_seeds OUT FOLDER...
 *
 * Scenes whose records are larger than a seed may be are left out.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/corpus.h"
#include "aerogpu/abi/ext.h"
#include "aerogpu/gpu.h"
#include "base/vec.h"
#include "exec_input.h"
#include "scene/scene.h"

#define CONTENT_BYTES 2048u /* of each allocation, from its start */

typedef AG_VEC(uint8_t) byte_vec;

/* An executor that writes down what it is told and does nothing. */
struct recorder {
    struct agpu_executor base; /* first: the table is the object */
    struct agpu_executor_events events;
    struct agpu_guest_memory memory;
    byte_vec bytes;
    bool was_reset; /* which is written down when something follows: scenes end with one */
};

static void put(struct recorder *recorder, const void *bytes, size_t size)
{
    if (!ag_vec_reserve(&recorder->bytes, recorder->bytes.count + size))
        abort();
    if (size)
        memcpy(recorder->bytes.data + recorder->bytes.count, bytes, size);
    recorder->bytes.count += size;
}

static void put_dword(struct recorder *recorder, uint32_t value)
{
    uint8_t bytes[4];
    ag_store_u32(bytes, value);
    put(recorder, bytes, sizeof bytes);
}

static void put_head(struct recorder *recorder, enum exec_record_kind kind,
                     const struct agpu_submission *submission, uint32_t allocations, size_t size)
{
    if (recorder->was_reset) {
        static const uint8_t heads[][EXEC_RECORD_BYTES] = {{EXEC_RECORD_WAIT}, {EXEC_RECORD_RESET}};
        recorder->was_reset = false;
        put(recorder, heads, sizeof heads);
    }
    const uint8_t head[4] = {
        (uint8_t)kind,
        submission ? (uint8_t)submission->context_id : 0,
        submission ? submission->has_allocation_table : 0,
        (uint8_t)allocations,
    };
    put(recorder, head, sizeof head);
    put_dword(recorder, (uint32_t)size);
}

/* What an allocation holds, but for zeros at its end. */
static void put_content(struct recorder *recorder, const struct aerogpu_alloc_entry *allocation)
{
    uint8_t content[CONTENT_BYTES];
    size_t size = allocation->size_bytes < sizeof content ? (size_t)allocation->size_bytes : sizeof content;
    if (!recorder->memory.read(recorder->memory.user, allocation->gpa, content, size))
        return;
    while (size && content[size - 1] == 0)
        size--;
    if (!size)
        return;
    put_head(recorder, EXEC_RECORD_MEMORY, NULL, 0, 4 + size);
    put_dword(recorder, (uint32_t)allocation->gpa);
    put(recorder, content, size);
}

static void submit(struct agpu_executor *executor, const struct agpu_submission *submission)
{
    struct recorder *const recorder = (struct recorder *)executor;
    const uint32_t allocations = submission->allocation_count < EXEC_MOST_ALLOCATIONS
                                     ? submission->allocation_count
                                     : EXEC_MOST_ALLOCATIONS;
    const uint32_t stream_size = submission->stream ? submission->stream_size : 0;
    for (uint32_t i = 0; i < allocations; i++)
        put_content(recorder, &submission->allocations[i]);
    put_head(recorder, EXEC_RECORD_SUBMISSION, submission, allocations,
             (size_t)allocations * EXEC_ALLOCATION_BYTES + stream_size);
    for (uint32_t i = 0; i < allocations; i++) {
        const struct aerogpu_alloc_entry *allocation = &submission->allocations[i];
        put_dword(recorder, allocation->alloc_id);
        put_dword(recorder, (uint32_t)allocation->gpa);
        put_dword(recorder,
                  allocation->size_bytes < UINT32_MAX ? (uint32_t)allocation->size_bytes : UINT32_MAX);
    }
    put(recorder, submission->stream, stream_size);
    recorder->events.completed(recorder->events.user, submission->number, AEROGPU_ERROR_NONE);
}

static bool poll(struct agpu_executor *executor)
{
    (void)executor;
    return false;
}

/* Scenes wait before they reset a device. */
static void reset(struct agpu_executor *executor)
{
    struct recorder *const recorder = (struct recorder *)executor;
    recorder->was_reset = recorder->bytes.count != 0;
}

static void destroy(struct agpu_executor *executor)
{
    (void)executor;
}

static void attach(struct agpu_executor *executor, const struct agpu_executor_events *events,
                   const struct agpu_guest_memory *memory)
{
    struct recorder *const recorder = (struct recorder *)executor;
    recorder->events = *events;
    recorder->memory = *memory;
}

/* Runs a scene, whose checks fail for want of pictures. */
static void record(struct recorder *recorder, const struct ag_scene *scene)
{
    static const char *const features[] = {"dual-source-blending", "float32-blendable",
                                           "texture-compression-bc"};
    const struct agpu_adapter_info adapter = {.size = sizeof adapter,
                                              .driver = "none",
                                              .features = features,
                                              .feature_count = AG_COUNT_OF(features)};
    const struct ag_scene_options options = {
        .executor = &recorder->base, .adapter = &adapter, .timeout_ms = 1000, .max_presents = 1};
    struct ag_scene_report report;
    ag_scene_run(scene, &options, NULL, &report);
    ag_scene_report_fini(&report);
}

/* Writes the records of a scene between one that chooses the executor and some that look at what it holds:
 * all that is there, by way of a snapshot, and the last submission once more. */
static bool write_seed(const char *folder, const char *scene, uint32_t variant,
                       const struct recorder *recorder)
{
    char path[1024];
    const char *const slash = strrchr(scene, '/');
    const uint8_t head[EXEC_RECORD_BYTES] = {EXEC_RECORD_EXECUTOR, (uint8_t)variant};
    const uint8_t tail[][EXEC_RECORD_BYTES] = {
        {EXEC_RECORD_SAVE, EXEC_SAVE_LOADED},
        {EXEC_RECORD_REPEAT,                2},
        {EXEC_RECORD_WAIT},
        {EXEC_RECORD_COUNTERS},
    };
    snprintf(path, sizeof path, "%s/%s.%u", folder, slash ? slash + 1 : scene, variant);
    FILE *const file = fopen(path, "wb");
    if (!file)
        return false;
    const bool written =
        fwrite(head, 1, sizeof head, file) == sizeof head &&
        fwrite(recorder->bytes.data, 1, recorder->bytes.count, file) == recorder->bytes.count &&
        fwrite(tail, 1, sizeof tail, file) == sizeof tail;
    return fclose(file) == 0 && written;
}

/* Seeds of a scene: for a device with everything whose executor keeps what it can, and for a device with
 * little. */
static bool write_seeds(const char *folder, const char *scene, const struct recorder *recorder)
{
    static const uint32_t little =
        EXEC_VARIANT_DEFAULT_LIMITS | EXEC_VARIANT_SMALL_GROUPS | EXEC_VARIANT_WITHOUT_FEATURES;
    static const uint32_t all = EXEC_VARIANT_CACHE | EXEC_VARIANT_SHOWN | EXEC_VARIANT_LITTLE_SLICES;
    if (!recorder->bytes.count || recorder->bytes.count > EXEC_INPUT_BYTES - 8 * EXEC_RECORD_BYTES)
        return true;
    return write_seed(folder, scene, all, recorder) && write_seed(folder, scene, little, recorder);
}

static bool make_seed(void *user, const struct ag_corpus_file *file)
{
    const char *const out = user;
    struct ag_scene *scene = NULL;
    struct recorder recorder = {
        .base = {.size = sizeof recorder.base,
                 .submit = submit,
                 .poll = poll,
                 .reset = reset,
                 .destroy = destroy,
                 .attach = attach,
                 .extension = AEROGPU_EXT_VERSION},
    };
    if (ag_scene_load(file->path, file->data, file->size, AG_SCENE_LOAD_DEFAULT, NULL, &scene) == AGPU_OK)
        record(&recorder, scene);
    ag_scene_destroy(scene);
    const bool good = write_seeds(out, file->path, &recorder);
    ag_vec_fini(&recorder.bytes);
    return good;
}

int main(int argc, char **argv)
{
    for (int i = 2; i < argc; i++) {
        if (ag_corpus_walk(argv[i], ".scene", make_seed, argv[1]) < 0)
            return EXIT_FAILURE;
    }
    return argc > 2 ? EXIT_SUCCESS : EXIT_FAILURE;
}
