/* SPDX-License-Identifier: MIT
 *
 * Submissions of a capture become submissions of a scene, and what was read of guest memory is stored there
 * before the submission that was executed at the time. The allocations and the memory lie at other addresses,
 * below those that the runner of scenes keeps for itself.
 */
#include "replay/captured_scene.h"

#include <stdlib.h>
#include <string.h>

#include "aerogpu/abi/pci.h"
#include "aerogpu/abi/ring.h"
#include "base/bytes.h"
#include "base/diag.h"
#include "base/map.h"
#include "capture/capture.h"
#include "scene/model.h"

#define FIRST_GPA UINT64_C(0x10000)
#define PAGE_BYTES 4096u
#define MOST_MEMORY_BYTES (UINT64_C(1) << 30)

/* A range of the captured guest's addresses, and where the range begins in the scene. */
struct span {
    uint64_t gpa, end;
    uint64_t to;
};

struct spans {
    struct span *data;
    size_t count, capacity;
};

struct conversion {
    const struct ag_capture *capture;
    const struct agpu_diag_sink *sink;
    struct ag_scene *scene;
    struct ag_capture_summary summary;
    struct spans places; /* allocations and memory */
    struct spans memory;
    struct ag_map copies; /* of bytes, by their address in the capture, which has equal bytes once */
    size_t first, told;   /* submissions that are not executed yet: from `first` on and before `told` */
    enum agpu_status status;
};

static bool no_memory(struct conversion *conversion)
{
    conversion->status = ag_report_no_memory(conversion->sink);
    return false;
}

static bool refuse(struct conversion *conversion, enum agpu_diag_code code, uint64_t offset,
                   const char *message)
{
    ag_report(conversion->sink, code, AGPU_ERROR, ag_place_offset(offset), "%s", message);
    conversion->status = AGPU_REFUSED;
    return false;
}

/* ---- Guest memory -------------------------------------------------------------------------------------- */

static bool is_by_executor(const struct ag_capture_record *record)
{
    return (record->fourcc == AG_CAPTURE_PAGE || record->fourcc == AG_CAPTURE_WRIT) &&
           (record->access.flags & AG_CAPTURE_ACCESS_EXECUTOR) != 0 &&
           (record->access.flags & AG_CAPTURE_ACCESS_FAILED) == 0 && record->access.size != 0;
}

static struct aerogpu_alloc_entry entry_at(const struct ag_capture_record *record, uint32_t i)
{
    struct aerogpu_alloc_entry entry;
    memcpy(&entry, record->payload + sizeof(struct ag_capture_submission) + i * sizeof entry, sizeof entry);
    return entry;
}

static bool note_span(struct conversion *conversion, struct spans *spans,
                      const struct ag_capture_record *record, uint64_t gpa, uint64_t size)
{
    struct span span = {.gpa = gpa};
    if (!ag_add_u64(gpa, size, &span.end))
        return refuse(conversion, AGPU_DIAG_CAPTURE_LIMIT, record->offset, "guest memory ends past 64 bits");
    return ag_vec_push(spans, span) || no_memory(conversion);
}

static bool note_spans(struct conversion *conversion, const struct ag_capture_record *record)
{
    const uint64_t gpa = record->access.gpa, size = record->access.size;
    if (is_by_executor(record))
        return note_span(conversion, &conversion->places, record, gpa, size) &&
               note_span(conversion, &conversion->memory, record, gpa, size);
    if (record->fourcc != AG_CAPTURE_SUBM)
        return true;
    for (uint32_t i = 0; i < AG_CAPTURE_AS(record, submission)->allocation_count; i++) {
        const struct aerogpu_alloc_entry entry = entry_at(record, i);
        if (!note_span(conversion, &conversion->places, record, entry.gpa, entry.size_bytes))
            return false;
    }
    return true;
}

static int compare_spans(const void *a, const void *b)
{
    const uint64_t left = ((const struct span *)a)->gpa, right = ((const struct span *)b)->gpa;
    return (left > right) - (left < right);
}

/* Sorts spans and joins those that overlap or touch. */
static void merge(struct spans *spans)
{
    size_t kept = 0;
    if (spans->count != 0)
        qsort(spans->data, spans->count, sizeof spans->data[0], compare_spans);
    for (size_t i = 0; i < spans->count; i++) {
        struct span *const last = kept != 0 ? &spans->data[kept - 1] : NULL;
        if (last == NULL || spans->data[i].gpa > last->end)
            spans->data[kept++] = spans->data[i];
        else if (spans->data[i].end > last->end)
            last->end = spans->data[i].end;
    }
    spans->count = kept;
}

/* Gives each place an address in the scene that lies in its page as before. */
static bool lay_out(struct conversion *conversion)
{
    uint64_t next = FIRST_GPA;
    for (size_t i = 0; i < conversion->places.count; i++) {
        struct span *const place = &conversion->places.data[i];
        place->to = ag_align_up(next, PAGE_BYTES) + place->gpa % PAGE_BYTES;
        if (!ag_add_u64(place->to, place->end - place->gpa, &next) || next > SCENE_RUNNER_GPA)
            return refuse(conversion, AGPU_DIAG_CAPTURE_LIMIT, 0,
                          "the guest's allocations are larger than 28 GiB");
    }
    return true;
}

/* The address in the scene; the address lies in a place. */
static uint64_t moved(const struct conversion *conversion, uint64_t gpa)
{
    size_t low = 0, high = conversion->places.count;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (conversion->places.data[middle].gpa <= gpa)
            low = middle;
        else
            high = middle;
    }
    return conversion->places.data[low].to + (gpa - conversion->places.data[low].gpa);
}

static bool add_step(struct conversion *conversion, const struct scene_step *step)
{
    return ag_vec_push(&conversion->scene->steps, *step) || no_memory(conversion);
}

static bool add_memory(struct conversion *conversion)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < conversion->memory.count; i++) {
        const struct span *const span = &conversion->memory.data[i];
        struct scene_object *const object = AG_ARENA_NEW(&conversion->scene->arena, struct scene_object);
        const struct scene_step step = {.kind = SCENE_STEP_MEMORY, .as.object = object};
        if (!ag_add_u64(bytes, span->end - span->gpa, &bytes) || bytes > MOST_MEMORY_BYTES)
            return refuse(conversion, AGPU_DIAG_CAPTURE_LIMIT, 0,
                          "the submissions use more than 1 GiB of guest memory");
        if (object == NULL)
            return no_memory(conversion);
        *object = (struct scene_object){.name = "",
                                        .is_memory = true,
                                        .gpa = moved(conversion, span->gpa),
                                        .memory_size = (size_t)(span->end - span->gpa)};
        if (!add_step(conversion, &step))
            return false;
    }
    return true;
}

static const uint8_t *copy_of(struct conversion *conversion, const struct ag_capture_record *record)
{
    const uint64_t key = (uint64_t)(uintptr_t)record->bytes;
    uint8_t *copy = ag_map_get(&conversion->copies, key);
    if (copy != NULL)
        return copy;
    copy = ag_arena_memdup(&conversion->scene->arena, record->bytes, (size_t)record->access.size, 16);
    return copy != NULL && ag_map_put(&conversion->copies, key, copy) ? copy : NULL;
}

static bool add_store(struct conversion *conversion, const struct ag_capture_record *record)
{
    struct scene_step step = {.kind = SCENE_STEP_STORE};
    step.as.store.gpa = moved(conversion, record->access.gpa);
    step.as.store.bytes.size = (size_t)record->access.size;
    step.as.store.bytes.data = copy_of(conversion, record);
    return step.as.store.bytes.data != NULL ? add_step(conversion, &step) : no_memory(conversion);
}

/* ---- Submissions --------------------------------------------------------------------------------------- */

static bool add_allocations(struct conversion *conversion, const struct ag_capture_record *record,
                            enum scene_step_kind kind)
{
    for (uint32_t i = 0; i < AG_CAPTURE_AS(record, submission)->allocation_count; i++) {
        const struct aerogpu_alloc_entry entry = entry_at(record, i);
        struct scene_step step = {.kind = kind};
        step.as.allocation = (struct scene_allocation){
            .id = entry.alloc_id,
            .readonly = (entry.flags & AEROGPU_ALLOC_FLAG_READONLY) != 0,
            .gpa = moved(conversion, entry.gpa),
            .size = entry.size_bytes,
        };
        if (!add_step(conversion, &step))
            return false;
    }
    return true;
}

/* Adds the oldest submission that is not executed yet. */
static bool add_submission(struct conversion *conversion)
{
    const struct ag_capture_submission_info *const info =
        &conversion->summary.submissions.data[conversion->first++];
    const struct ag_capture_record *const record = &conversion->capture->records.data[info->record];
    struct scene_step step = {.kind = SCENE_STEP_SUBMIT};
    if (info->head.stream_size == 0)
        return true; /* only a fence */
    if (info->stream == NULL)
        return refuse(conversion, AGPU_DIAG_CAPTURE_CHUNK, record->offset,
                      "the stream of a submission is not there");
    step.as.submit = (struct scene_submit){
        .context_id = info->head.context_id,
        .flags = info->head.flags,
        .no_allocations = info->head.has_allocation_table == 0,
        .stream = {ag_arena_memdup(&conversion->scene->arena, info->stream, info->head.stream_size, 16),
                   info->head.stream_size},
    };
    if (step.as.submit.stream.data == NULL)
        return no_memory(conversion);
    return add_allocations(conversion, record, SCENE_STEP_ALLOC) && add_step(conversion, &step) &&
           add_allocations(conversion, record, SCENE_STEP_UNALLOC);
}

/* Adds the submissions up to and with this number. */
static bool add_executed(struct conversion *conversion, uint32_t number)
{
    const size_t at = ag_capture_find_submission(&conversion->summary, conversion->told, number);
    while (at != SIZE_MAX && conversion->first <= at) {
        if (!add_submission(conversion))
            return false;
    }
    return true;
}

/* What was not executed is dropped, and all objects of the guest are gone. */
static bool add_reset(struct conversion *conversion)
{
    static const struct scene_register_write reset = {
        AEROGPU_MMIO_REG_RING_CONTROL, AEROGPU_RING_CONTROL_RESET | AEROGPU_RING_CONTROL_ENABLE};
    const struct scene_step step = {
        .kind = SCENE_STEP_REGISTERS, .as.registers = {&reset, 1}
    };
    conversion->first = conversion->told;
    return add_step(conversion, &step);
}

static bool convert(struct conversion *conversion, const struct ag_capture_record *record)
{
    if (record->fourcc == AG_CAPTURE_SUBM)
        conversion->told++;
    if (record->fourcc == AG_CAPTURE_PAGE && is_by_executor(record) && record->bytes != NULL)
        return add_store(conversion, record);
    if (record->fourcc == AG_CAPTURE_DONE)
        return add_executed(conversion, AG_CAPTURE_AS(record, done)->submission);
    return !ag_capture_is_reset(record) || add_reset(conversion);
}

static bool convert_all(struct conversion *conversion)
{
    const struct ag_capture *const capture = conversion->capture;
    conversion->scene->title = ag_arena_strdup(&conversion->scene->arena, capture->text);
    if (conversion->scene->title == NULL)
        return no_memory(conversion);
    for (size_t i = 0; i < capture->records.count; i++) {
        if (!note_spans(conversion, &capture->records.data[i]))
            return false;
    }
    merge(&conversion->places);
    merge(&conversion->memory);
    if (!lay_out(conversion) || !add_memory(conversion))
        return false;
    for (size_t i = 0; i < capture->records.count; i++) {
        if (!convert(conversion, &capture->records.data[i]))
            return false;
    }
    while (conversion->first < conversion->told) {
        if (!add_submission(conversion))
            return false;
    }
    return true;
}

enum agpu_status ag_captured_scene_create(const struct ag_capture *capture, const char *path,
                                          const struct agpu_diag_sink *sink, struct ag_scene **scene)
{
    struct conversion conversion = {.capture = capture, .sink = sink};
    *scene = NULL;
    conversion.scene = scene_create(path);
    if (conversion.scene == NULL)
        return ag_report_no_memory(sink);
    conversion.status = ag_capture_summarise(capture, sink, &conversion.summary);
    if (conversion.status == AGPU_OK)
        convert_all(&conversion);
    ag_capture_summary_fini(&conversion.summary);
    ag_vec_fini(&conversion.places);
    ag_vec_fini(&conversion.memory);
    ag_map_fini(&conversion.copies);
    if (conversion.status != AGPU_OK)
        ag_scene_destroy(conversion.scene);
    else
        *scene = conversion.scene;
    return conversion.status;
}
