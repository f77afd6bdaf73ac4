/* SPDX-License-Identifier: MIT
 *
 * Trace files: a header with a JSON text, records, a table of contents and a footer. Only the records matter
 * here; everything else is checked for its place.
 */
#include <stdarg.h>

#include "scene/trace.h"

#include <string.h>

#include "aerogpu/abi/ring.h"
#include "aerogpu/stream_writer.h"
#include "base/bytes.h"

#define HEADER_BYTES 32u
#define RECORD_BYTES 8u
#define BLOB_BYTES 16u
#define SUBMISSION_BYTES 56u
#define RANGE_BYTES 32u
/* Blobs and ranges are searched one after the other, so their number has a limit. */
#define MAX_SUBMISSIONS 16384u
#define MAX_BLOBS 16384u
#define MAX_RANGES 16384u

enum record_type {
    RECORD_BEGIN_FRAME = 1,
    RECORD_PRESENT = 2,
    RECORD_COMMANDS = 3,
    RECORD_BLOB = 4,
    RECORD_SUBMISSION = 5,
};

struct trace_blob {
    uint64_t id;
    struct scene_bytes bytes;
};

/* Guest memory that some submission reads. */
struct trace_range {
    uint64_t gpa, end;
};

struct trace_reader {
    struct ag_scene *scene;
    const uint8_t *data;
    size_t size;
    const struct agpu_diag_sink *sink;
    bool dialect;
    enum agpu_status status;
    size_t at;                   /* offset of the record that is being read */
    bool has_target, has_shader; /* whether the streams so far bound a target, and shaders */
    uint32_t submissions, range_count;
    AG_VEC(struct trace_blob) blobs;
    AG_VEC(struct trace_range) ranges;
};

/* Reports a problem at the record that is being read. Returns false. */
static bool AG_PRINTF(3, 4)
    refuse(struct trace_reader *reader, enum agpu_diag_code code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (reader->status == AGPU_OK)
        ag_report_va(reader->sink, code, AGPU_ERROR, ag_place_offset(reader->at), format, arguments);
    va_end(arguments);
    reader->status = AGPU_REFUSED;
    return false;
}

static bool no_memory(struct trace_reader *reader)
{
    if (reader->status == AGPU_OK)
        reader->status = ag_report_no_memory(reader->sink);
    return false;
}

static bool add_step(struct trace_reader *reader, const struct scene_step *step)
{
    return ag_vec_push(&reader->scene->steps, *step) || no_memory(reader);
}

/* ---- Streams ------------------------------------------------------------------------------------------- */

static enum agpu_status transcode_packet(const struct agpu_packet *packet, struct agpu_writer *writer,
                                         const struct agpu_diag_sink *sink)
{
    if (packet->opcode != AEROGPU_CMD_CREATE_SHADER_DXBC || packet->info == NULL) {
        agpu_write_raw(writer, packet->opcode, packet->data + sizeof(struct aerogpu_cmd_hdr),
                       packet->size - sizeof(struct aerogpu_cmd_hdr));
        return writer->status;
    }
    uint8_t *bytes = NULL;
    size_t size = 0;
    const enum agpu_status status =
        scene_transcode_shader(packet->payload, packet->payload_size, sink, &bytes, &size);
    if (status == AGPU_OK)
        agpu_write_create_shader_dxbc(writer, AGPU_PACKET(packet, create_shader_dxbc)->shader_handle,
                                      packet->stage, bytes, (uint32_t)size);
    agpu_free(bytes);
    return status != AGPU_OK ? status : writer->status;
}

enum agpu_status scene_transcode_stream(struct ag_scene *scene, struct scene_bytes *stream,
                                        const struct agpu_diag_sink *sink)
{
    struct agpu_stream_reader reader;
    struct agpu_writer writer;
    struct agpu_packet packet;
    if (agpu_stream_reader_init(&reader, stream->data, stream->size, sink) != AGPU_OK)
        return AGPU_REFUSED;
    agpu_writer_init_growing(&writer, sink);
    agpu_writer_set_minor(&writer, reader.minor);
    enum agpu_status status = AGPU_OK;
    while (status == AGPU_OK && agpu_stream_next(&reader, &packet))
        status = transcode_packet(&packet, &writer, sink);
    if (status == AGPU_OK)
        status = reader.status;
    if (status == AGPU_OK)
        status = agpu_writer_finish(&writer);
    if (status == AGPU_OK) {
        stream->data = ag_arena_memdup(&scene->arena, writer.data, writer.size, 16);
        stream->size = writer.size;
        if (stream->data == NULL)
            status = ag_report_no_memory(sink);
    }
    agpu_writer_fini(&writer);
    return status;
}

/* The replayer of the reference project supplies a target and a program where a trace binds none. A picture
 * made without them would be a guess, so such traces are refused. */
static bool check_packet(struct trace_reader *reader, const struct agpu_packet *packet)
{
    aerogpu_handle_t shaders[AGPU_STREAM_STAGE_COUNT];
    switch (packet->opcode) {
    case AEROGPU_CMD_SET_RENDER_TARGETS:
        reader->has_target = true;
        break;
    case AEROGPU_CMD_BIND_SHADERS:
        agpu_packet_shaders(packet, shaders);
        reader->has_shader = shaders[AGPU_STREAM_STAGE_VERTEX] != 0;
        break;
    case AEROGPU_CMD_CLEAR:
        return reader->has_target || refuse(reader, AGPU_DIAG_SCENE_TRACE_NO_TARGET,
                                            "packet %u %s needs a render target, and none was ever bound: "
                                            "the trace does not say what its picture is",
                                            packet->index, packet->info->name);
    case AEROGPU_CMD_DRAW:
    case AEROGPU_CMD_DRAW_INDEXED:
        return reader->has_shader ||
               refuse(reader, AGPU_DIAG_SCENE_TRACE_NO_SHADERS,
                      "packet %u %s needs shaders, and none are bound: the trace was made for a host with a "
                      "program of its own",
                      packet->index, packet->info->name);
    default:
        break;
    }
    return true;
}

static bool check_stream(struct trace_reader *reader, const struct scene_bytes *stream)
{
    struct agpu_stream_reader packets;
    struct agpu_packet packet;
    if (agpu_stream_reader_init(&packets, stream->data, stream->size, reader->sink) != AGPU_OK)
        return refuse(reader, AGPU_DIAG_SCENE_TRACE_ABI, "the commands are no ACMD stream");
    while (agpu_stream_next(&packets, &packet)) {
        if (!check_packet(reader, &packet))
            return false;
    }
    return true;
}

static bool add_stream(struct trace_reader *reader, const struct scene_submit *submit)
{
    struct scene_step step = {.kind = SCENE_STEP_SUBMIT};
    step.as.submit = *submit;
    struct scene_bytes *stream = &step.as.submit.stream;
    if (reader->submissions++ == MAX_SUBMISSIONS)
        return refuse(reader, AGPU_DIAG_SCENE_TRACE, "the trace has more than %u submissions",
                      MAX_SUBMISSIONS);
    if (!check_stream(reader, stream))
        return false;
    stream->data = ag_arena_memdup(&reader->scene->arena, stream->data, stream->size, 16);
    if (stream->data == NULL)
        return no_memory(reader);
    if (reader->dialect) {
        const enum agpu_status status = scene_transcode_stream(reader->scene, stream, reader->sink);
        if (status != AGPU_OK) {
            reader->status = status;
            return false;
        }
    }
    return add_step(reader, &step);
}

/* ---- Records ------------------------------------------------------------------------------------------- */

static bool add_blob(struct trace_reader *reader, const uint8_t *payload, uint32_t size)
{
    if (size < BLOB_BYTES)
        return refuse(reader, AGPU_DIAG_SCENE_TRACE, "a blob of %u bytes has no header", size);
    if (reader->blobs.count == MAX_BLOBS)
        return refuse(reader, AGPU_DIAG_SCENE_TRACE, "the trace has more than %u blobs", MAX_BLOBS);
    const struct trace_blob blob = {
        ag_load_u64(payload), {payload + BLOB_BYTES, size - BLOB_BYTES}
    };
    return ag_vec_push(&reader->blobs, blob) || no_memory(reader);
}

static bool find_blob(struct trace_reader *reader, uint64_t id, const char *what, struct scene_bytes *bytes)
{
    for (size_t i = 0; i < reader->blobs.count; i++) {
        if (reader->blobs.data[i].id == id) {
            *bytes = reader->blobs.data[i].bytes;
            return true;
        }
    }
    return refuse(reader, AGPU_DIAG_SCENE_TRACE, "there is no blob %llu for the %s", (unsigned long long)id,
                  what);
}

/* Merges a range into the list of ranges, which are sorted and disjoint. */
static bool note_range(struct trace_reader *reader, uint64_t gpa, uint64_t size)
{
    struct trace_range range = {gpa, gpa + size};
    size_t kept = 0, at = 0;
    for (size_t i = 0; i < reader->ranges.count; i++) {
        const struct trace_range other = reader->ranges.data[i];
        if (other.end < range.gpa || other.gpa > range.end) {
            at += other.end < range.gpa;
            reader->ranges.data[kept++] = other;
        } else {
            range.gpa = other.gpa < range.gpa ? other.gpa : range.gpa;
            range.end = other.end > range.end ? other.end : range.end;
        }
    }
    reader->ranges.count = kept;
    if (!ag_vec_reserve(&reader->ranges, kept + 1))
        return no_memory(reader);
    memmove(&reader->ranges.data[at + 1], &reader->ranges.data[at], (kept - at) * sizeof range);
    reader->ranges.data[at] = range;
    reader->ranges.count++;
    return true;
}

static bool add_range(struct trace_reader *reader, const uint8_t *record)
{
    struct scene_bytes bytes = {0};
    uint64_t end;
    if (reader->range_count++ == MAX_RANGES)
        return refuse(reader, AGPU_DIAG_SCENE_TRACE, "the trace has more than %u memory ranges", MAX_RANGES);
    const struct scene_allocation allocation = {
        .id = ag_load_u32(record),
        .readonly = (ag_load_u32(record + 4) & AEROGPU_ALLOC_FLAG_READONLY) != 0,
        .gpa = ag_load_u64(record + 8),
        .size = ag_load_u64(record + 16),
    };
    if (!find_blob(reader, ag_load_u64(record + 24), "memory of an allocation", &bytes))
        return false;
    if (bytes.size != allocation.size || bytes.size == 0 || allocation.id == 0)
        return refuse(reader, AGPU_DIAG_SCENE_TRACE, "allocation %u of %llu bytes has a blob of %zu",
                      allocation.id, (unsigned long long)allocation.size, bytes.size);
    if (!ag_add_u64(allocation.gpa, allocation.size, &end) || end > SCENE_RUNNER_GPA)
        return refuse(reader, AGPU_DIAG_SCENE_TRACE, "allocation %u ends past 28 GiB", allocation.id);
    struct scene_step store = {.kind = SCENE_STEP_STORE}, alloc = {.kind = SCENE_STEP_ALLOC};
    store.as.store.gpa = allocation.gpa;
    store.as.store.bytes.size = bytes.size;
    store.as.store.bytes.data = ag_arena_memdup(&reader->scene->arena, bytes.data, bytes.size, 16);
    alloc.as.allocation = allocation;
    if (store.as.store.bytes.data == NULL)
        return no_memory(reader);
    return note_range(reader, allocation.gpa, allocation.size) && add_step(reader, &store) &&
           add_step(reader, &alloc);
}

static bool add_submission(struct trace_reader *reader, const uint8_t *payload, uint32_t size)
{
    if (size < SUBMISSION_BYTES || ag_load_u32(payload) != 1 || ag_load_u32(payload + 4) != SUBMISSION_BYTES)
        return refuse(reader, AGPU_DIAG_SCENE_TRACE, "a submission record is of another version");
    const uint32_t count = ag_load_u32(payload + 48);
    if (!ag_range_fits(SUBMISSION_BYTES, (uint64_t)count * RANGE_BYTES, size))
        return refuse(reader, AGPU_DIAG_SCENE_TRACE, "%u memory ranges do not fit a record of %u bytes",
                      count, size);
    struct scene_submit submit = {
        .flags = ag_load_u32(payload + 8),
        .context_id = ag_load_u32(payload + 12),
        .has_fence = true,
        .fence = ag_load_u64(payload + 24),
        .no_allocations = ag_load_u64(payload + 40) == 0,
    };
    if (!find_blob(reader, ag_load_u64(payload + 32), "commands", &submit.stream))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        if (!add_range(reader, payload + SUBMISSION_BYTES + (size_t)i * RANGE_BYTES))
            return false;
    }
    if (!add_stream(reader, &submit))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        struct scene_step step = {.kind = SCENE_STEP_UNALLOC};
        step.as.allocation.id = ag_load_u32(payload + SUBMISSION_BYTES + (size_t)i * RANGE_BYTES);
        if (!add_step(reader, &step))
            return false;
    }
    return true;
}

static bool add_commands(struct trace_reader *reader, const uint8_t *payload, uint32_t size)
{
    const struct scene_submit submit = {
        .flags = AEROGPU_SUBMIT_FLAG_PRESENT, .no_allocations = true, .stream = {payload, size}
    };
    return add_stream(reader, &submit);
}

static bool add_record(struct trace_reader *reader, uint32_t type, const uint8_t *payload, uint32_t size)
{
    switch (type) {
    case RECORD_BEGIN_FRAME:
    case RECORD_PRESENT:
        return size == 4 || refuse(reader, AGPU_DIAG_SCENE_TRACE, "a frame record has %u bytes", size);
    case RECORD_COMMANDS:
        return add_commands(reader, payload, size);
    case RECORD_BLOB:
        return add_blob(reader, payload, size);
    case RECORD_SUBMISSION:
        return add_submission(reader, payload, size);
    default:
        return refuse(reader, AGPU_DIAG_SCENE_TRACE, "record type %u is not known", type);
    }
}

static bool is_end(const struct trace_reader *reader)
{
    return reader->size - reader->at >= RECORD_BYTES && memcmp(reader->data + reader->at, "AEROTOC", 8) == 0;
}

static bool read_header(struct trace_reader *reader)
{
    if (reader->size < HEADER_BYTES || ag_load_u32(reader->data + 8) != HEADER_BYTES)
        return refuse(reader, AGPU_DIAG_SCENE_TRACE, "the header is not whole");
    const uint32_t version = ag_load_u32(reader->data + 12), abi = ag_load_u32(reader->data + 16);
    if (version != 1 && version != 2)
        return refuse(reader, AGPU_DIAG_SCENE_TRACE, "version %u of the container is not known", version);
    if (abi >> 16 != AEROGPU_ABI_MAJOR)
        return refuse(reader, AGPU_DIAG_SCENE_TRACE_ABI,
                      "the commands are of ABI 0x%08x, which is not known; 1.x is", abi);
    const uint32_t json = ag_load_u32(reader->data + 24);
    if (!ag_range_fits(HEADER_BYTES, json, reader->size))
        return refuse(reader, AGPU_DIAG_SCENE_TRACE, "the header's text of %u bytes is not whole", json);
    reader->at = HEADER_BYTES + (size_t)json;
    return true;
}

static bool read_records(struct trace_reader *reader)
{
    while (!is_end(reader)) {
        if (reader->size - reader->at < RECORD_BYTES)
            return refuse(reader, AGPU_DIAG_SCENE_TRACE, "the trace ends without a table of contents");
        const uint8_t *record = reader->data + reader->at;
        const uint32_t size = ag_load_u32(record + 4);
        if (!ag_range_fits(reader->at + RECORD_BYTES, size, reader->size))
            return refuse(reader, AGPU_DIAG_SCENE_TRACE, "a record of %u bytes is not whole", size);
        if (!add_record(reader, record[0], record + RECORD_BYTES, size))
            return false;
        reader->at += RECORD_BYTES + (size_t)size;
    }
    return true;
}

/* Adds all guest memory before the first submission. */
static bool add_memory_steps(struct trace_reader *reader)
{
    const size_t count = reader->ranges.count, old = reader->scene->steps.count;
    if (count == 0)
        return true;
    if (!ag_vec_reserve(&reader->scene->steps, old + count))
        return no_memory(reader);
    memmove(reader->scene->steps.data + count, reader->scene->steps.data,
            old * sizeof reader->scene->steps.data[0]);
    reader->scene->steps.count = old + count;
    for (size_t i = 0; i < count; i++) {
        struct scene_object *object = AG_ARENA_NEW(&reader->scene->arena, struct scene_object);
        struct scene_step step = {.kind = SCENE_STEP_MEMORY, .as.object = object};
        if (object == NULL)
            return no_memory(reader);
        object->name = "";
        object->is_memory = true;
        object->gpa = reader->ranges.data[i].gpa;
        object->memory_size = (size_t)(reader->ranges.data[i].end - reader->ranges.data[i].gpa);
        reader->scene->steps.data[i] = step;
    }
    return true;
}

enum agpu_status scene_load_trace(struct ag_scene *scene, const void *data, size_t size, bool dialect,
                                  const struct agpu_diag_sink *sink)
{
    struct trace_reader reader = {
        .scene = scene, .data = data, .size = size, .sink = sink, .dialect = dialect};
    if (read_header(&reader) && read_records(&reader))
        add_memory_steps(&reader);
    ag_vec_fini(&reader.blobs);
    ag_vec_fini(&reader.ranges);
    return reader.status;
}
