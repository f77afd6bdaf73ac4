/* SPDX-License-Identifier: MIT
 *
 * Captures whose chunks are made by hand: resets of the ring, handles, limits.
 */
#include "support/test.h"

#include <string.h>

#include "aerogpu/abi/ext.h"
#include "aerogpu/abi/pci.h"
#include "aerogpu/stream_writer.h"
#include "base/bytes.h"
#include "base/strbuf.h"
#include "capture/dependencies.h"
#include "capture/writer.h"
#include "replay/captured_scene.h"
#include "replay/textures.h"
#include "scene/model.h"
#include "support/notes.h"

static bool append(void *user, const void *data, size_t size)
{
    ag_strbuf_append_bytes(user, data, size);
    return !((struct ag_strbuf *)user)->failed;
}

/* A capture and the stream that its next submission reads. */
struct made {
    struct ag_strbuf bytes;
    struct ag_capture_writer writer;
    struct agpu_writer stream;
};

static void begin(struct made *made)
{
    const struct ag_capture_info info = {.abi_version = AEROGPU_ABI_VERSION_U32};
    made->bytes = (struct ag_strbuf){0};
    ag_capture_writer_init(&made->writer, append, &made->bytes);
    ag_capture_write_chunk(&made->writer, AG_CAPTURE_INFO, &info, sizeof info);
    agpu_writer_init_growing(&made->stream, NULL);
}

/* ---- Submissions made by hand -------------------------------------------------------------------------- */

#define HEADER_BYTES sizeof(struct aerogpu_cmd_stream_header)

/* As a device records it: the stream's header and the rest are read, then it tells of the submission. The
 * allocation may be null. */
static void put_stream(struct ag_capture_writer *writer, uint32_t number, const uint8_t *stream, size_t size,
                       const struct aerogpu_alloc_entry *allocation)
{
    struct ag_capture_access header = {.gpa = 0x10000, .size = HEADER_BYTES};
    struct ag_capture_access rest = {.gpa = 0x10000 + HEADER_BYTES, .size = size - HEADER_BYTES};
    const struct ag_capture_submission head = {.number = number,
                                               .stream_gpa = header.gpa,
                                               .stream_size = (uint32_t)size,
                                               .fence = number,
                                               .allocation_count = allocation != NULL,
                                               .has_allocation_table = allocation != NULL};
    ag_capture_write_access(writer, AG_CAPTURE_PAGE, &header, stream);
    if (size != HEADER_BYTES)
        ag_capture_write_access(writer, AG_CAPTURE_PAGE, &rest, stream + HEADER_BYTES);
    ag_capture_write_parts(writer, AG_CAPTURE_SUBM, &head, sizeof head, allocation,
                           allocation != NULL ? sizeof *allocation : 0);
}

static void put_submission_with(struct made *made, uint32_t number,
                                const struct aerogpu_alloc_entry *allocation)
{
    assert_int_equal(agpu_writer_finish(&made->stream), AGPU_OK);
    put_stream(&made->writer, number, made->stream.data, made->stream.size, allocation);
    agpu_writer_reset(&made->stream);
}

static void put_submission(struct made *made, uint32_t number)
{
    put_submission_with(made, number, NULL);
}

static struct ag_capture *finish(struct made *made)
{
    struct ag_capture *capture;
    assert_int_equal(ag_capture_writer_finish(&made->writer, NULL), AGPU_OK);
    ag_capture_writer_fini(&made->writer);
    agpu_writer_fini(&made->stream);
    assert_int_equal(ag_capture_read(made->bytes.data, made->bytes.length, NULL, &capture), AGPU_OK);
    ag_strbuf_fini(&made->bytes);
    return capture;
}

/* Resources that a copy reads and writes when its buffer was made before the write to BAR0. */
static size_t uses_after(const struct ag_capture_mmio *mmio)
{
    struct made made;
    struct ag_capture_summary summary;
    struct ag_dependencies list;
    begin(&made);
    agpu_write_create_buffer(&made.stream, 1, AEROGPU_RESOURCE_USAGE_VERTEX_BUFFER, 16, 0, 0);
    put_submission(&made, 1);
    ag_capture_write_chunk(&made.writer, AG_CAPTURE_MMIO, mmio, sizeof *mmio);
    agpu_write_copy_buffer(&made.stream, 1, 0, 1, 8, 8, 0);
    put_submission(&made, 2);
    struct ag_capture *capture = finish(&made);
    assert_int_equal(ag_capture_summarise(capture, NULL, &summary), AGPU_OK);
    assert_true(ag_dependencies_list(capture, &summary, 1, &list));
    const size_t uses = list.uses.count;
    ag_dependencies_fini(&list);
    ag_capture_summary_fini(&summary);
    ag_capture_destroy(capture);
    return uses;
}

static void a_reset_is_known_in_every_write(void **state)
{
    (void)state;
    const uint64_t reset = AEROGPU_RING_CONTROL_RESET;
    /* RING_CONTROL is at 0x10C; RING_SIZE_BYTES is before it. */
    const struct {
        struct ag_capture_mmio mmio;
        bool resets;
    } cases[] = {
        {{.offset = 0x10C, .size = 4, .value = reset | 1},   true },
        {{.offset = 0x10C, .size = 1, .value = reset},       true },
        {{.offset = 0x10C, .size = 2, .value = reset},       true },
        {{.offset = 0x10C, .size = 8, .value = reset},       true },
        {{.offset = 0x108, .size = 8, .value = reset << 32}, true },
        {{.offset = 0x109, .size = 4, .value = reset << 24}, true },
        {{.offset = 0x10B, .size = 2, .value = reset << 8},  true },
        {{.offset = 0x105, .size = 8, .value = reset << 56}, true },
        {{.offset = 0x10C, .size = 4, .value = 1},           false},
        {{.offset = 0x10D, .size = 1, .value = reset},       false},
        {{.offset = 0x108, .size = 8, .value = reset},       false},
        {{.offset = 0x108, .size = 4, .value = reset},       false},
        {{.offset = 0x104, .size = 8, .value = reset << 56}, false},
        {{.offset = 0x10C, .size = 3, .value = reset},       false}, /* no device takes it */
    };
    for (size_t i = 0; i < AG_COUNT_OF(cases); i++)
        assert_int_equal(uses_after(&cases[i].mmio), cases[i].resets ? 0 : 2);
}

/* Stored once, but every submission would get a copy of 16 MiB. */
static void streams_have_a_limit(void **state)
{
    (void)state;
    const size_t size = 16u << 20;
    uint8_t *const stream = calloc(1, size);
    struct ag_strbuf trimmed = {0};
    struct made made;
    struct ag_capture_summary summary;
    struct notes notes = {0};
    const struct agpu_diag_sink sink = {note, &notes};
    assert_non_null(stream);
    begin(&made);
    for (uint32_t i = 0; i < 65; i++)
        put_stream(&made.writer, i, stream, size, NULL);
    free(stream);
    struct ag_capture *capture = finish(&made);
    assert_int_equal(ag_capture_summarise(capture, &sink, &summary), AGPU_REFUSED);
    assert_int_equal(notes.code, AGPU_DIAG_CAPTURE_LIMIT);
    assert_int_equal(summary.submissions.count, 0);
    ag_capture_summary_fini(&summary);
    notes = (struct notes){0};
    assert_int_equal(ag_capture_trim(capture, 0, 1, append, &trimmed, &sink), AGPU_REFUSED);
    assert_int_equal(notes.code, AGPU_DIAG_CAPTURE_LIMIT);
    assert_int_equal(notes.count, 1);
    ag_strbuf_fini(&trimmed);
    ag_capture_destroy(capture);
}

/* ---- Textures ------------------------------------------------------------------------------------------ */

static void put_texture(struct agpu_writer *stream, uint32_t handle, uint32_t format, uint32_t edge)
{
    static const uint8_t texels[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    const struct aerogpu_cmd_create_texture2d texture = {
        .texture_handle = handle,
        .usage_flags = AEROGPU_RESOURCE_USAGE_TEXTURE,
        .format = format,
        .width = edge,
        .height = edge,
        .mip_levels = 1,
        .array_layers = 1,
    };
    agpu_write_create_texture2d(stream, &texture);
    agpu_write_upload_resource(stream, handle, 0, texels, sizeof texels);
}

struct visits {
    uint32_t count, handle;
    uint8_t last[4]; /* the picture's first pixel */
};

static void visit(void *user, const struct ag_capture_texture *texture)
{
    struct visits *const visits = user;
    visits->count++;
    visits->handle = texture->handle;
    memcpy(visits->last, texture->pixels, 4);
}

/* The textures that the last of the submissions made or filled. */
static struct visits visit_last(struct made *made, struct notes *notes)
{
    struct ag_capture *const capture = finish(made);
    const struct agpu_diag_sink sink = {note, notes};
    struct ag_capture_summary summary;
    struct visits visits = {0};
    *notes = (struct notes){.code = AGPU_DIAG_NONE};
    assert_int_equal(ag_capture_summarise(capture, &sink, &summary), AGPU_OK);
    const uint32_t last = (uint32_t)summary.submissions.count - 1;
    assert_int_equal(replay_visit_textures(capture, &summary, last, last, visit, &visits, &sink), AGPU_OK);
    ag_capture_summary_fini(&summary);
    ag_capture_destroy(capture);
    return visits;
}

static void large_textures_are_left_out_by_name(void **state)
{
    (void)state;
    /* Edges whose bytes are just inside and just outside of 256 MiB; BC1 is eight times as large a picture.
     */
    static const struct {
        uint32_t format, edge;
        bool left_out;
    } cases[] = {
        {AEROGPU_FORMAT_R8G8B8A8_UNORM, 4,     false},
        {AEROGPU_FORMAT_R8G8B8A8_UNORM, 8193,  true },
        {AEROGPU_FORMAT_R8G8B8A8_UNORM, 16384, true },
        {AEROGPU_FORMAT_BC1_RGBA_UNORM, 8196,  true },
    };
    for (size_t i = 0; i < AG_COUNT_OF(cases); i++) {
        struct made made;
        struct notes notes;
        begin(&made);
        put_texture(&made.stream, 1, cases[i].format, cases[i].edge);
        put_submission(&made, 1);
        const struct visits visits = visit_last(&made, &notes);
        assert_int_equal(visits.count, cases[i].left_out ? 0 : 1);
        assert_int_equal(notes.count, cases[i].left_out ? 1 : 0);
        assert_int_equal(notes.code, cases[i].left_out ? AGPU_DIAG_CAPTURE_LIMIT : AGPU_DIAG_NONE);
    }
}

/* Four of 256 MiB each leave nothing for a fifth. */
static void textures_have_a_limit_together(void **state)
{
    (void)state;
    struct made made;
    struct notes notes;
    begin(&made);
    for (uint32_t handle = 1; handle <= 4; handle++)
        put_texture(&made.stream, handle, AEROGPU_FORMAT_R8G8B8A8_UNORM, 8192);
    put_submission(&made, 1);
    put_texture(&made.stream, 5, AEROGPU_FORMAT_R8G8B8A8_UNORM, 4);
    put_submission(&made, 2);
    const struct visits visits = visit_last(&made, &notes);
    assert_int_equal(visits.count, 0);
    assert_int_equal(notes.count, 1);
    assert_int_equal(notes.code, AGPU_DIAG_CAPTURE_LIMIT);
}

static void too_many_textures_are_told_of_once(void **state)
{
    (void)state;
    struct made made;
    struct notes notes;
    begin(&made);
    for (uint32_t handle = 1; handle <= 16384 + 2; handle++)
        put_texture(&made.stream, handle, AEROGPU_FORMAT_R8G8B8A8_UNORM, 2);
    put_submission(&made, 1);
    const struct visits visits = visit_last(&made, &notes);
    assert_int_equal(visits.count, 16384);
    assert_int_equal(visits.handle, 16384);
    assert_int_equal(notes.count, 1);
    assert_int_equal(notes.code, AGPU_DIAG_CAPTURE_LIMIT);
}

/* An upload to what a handle named once is none to the texture. */
static void handles_name_new_resources(void **state)
{
    (void)state;
    static const uint8_t other[4] = {99, 99, 99, 99};
    const struct ag_capture_mmio reset = {.offset = 0x10C, .size = 4, .value = AEROGPU_RING_CONTROL_RESET};
    for (uint32_t resets = 0; resets < 2; resets++) {
        struct made made;
        struct notes notes;
        begin(&made);
        put_texture(&made.stream, 1, AEROGPU_FORMAT_R8G8B8A8_UNORM, 2);
        if (resets == 0)
            agpu_write_destroy_resource(&made.stream, 1);
        put_submission(&made, 1);
        if (resets != 0)
            ag_capture_write_chunk(&made.writer, AG_CAPTURE_MMIO, &reset, sizeof reset);
        agpu_write_create_buffer(&made.stream, 1, AEROGPU_RESOURCE_USAGE_VERTEX_BUFFER, 16, 0, 0);
        agpu_write_upload_resource(&made.stream, 1, 0, other, sizeof other);
        put_texture(&made.stream, 2, AEROGPU_FORMAT_R8G8B8A8_UNORM, 2);
        put_submission(&made, 2);
        const struct visits visits = visit_last(&made, &notes);
        assert_int_equal(notes.count, 0);
        assert_int_equal(visits.count, 1);
        assert_int_equal(visits.handle, 2);
        assert_int_equal(visits.last[0], 1);
    }
}

/* A dispatch reads what the extension's packet binds as words and what the ABI's packets bind as elements. */
static void dispatches_read_every_kind_of_binding(void **state)
{
    (void)state;
    const struct aerogpu_cmd_ext_create_view view = {.view_handle = 3, .resource_handle = 1};
    const struct aerogpu_cmd_ext_set_shader_resources set = {.shader_stage = AEROGPU_SHADER_STAGE_COMPUTE};
    const struct aerogpu_constant_buffer_binding constants = {.buffer = 2, .size_bytes = 16};
    const uint32_t views[] = {3};
    struct made made;
    struct ag_capture_summary summary;
    struct ag_dependencies list;
    begin(&made);
    agpu_write_create_buffer(&made.stream, 1, AEROGPU_RESOURCE_USAGE_STORAGE, 16, 0, 0);
    agpu_write_create_buffer(&made.stream, 2, AEROGPU_RESOURCE_USAGE_CONSTANT_BUFFER, 16, 0, 0);
    agpu_write_packet(&made.stream, AEROGPU_CMD_EXT_CREATE_VIEW, &view, sizeof view, NULL, 0);
    agpu_write_packet(&made.stream, AEROGPU_CMD_EXT_SET_SHADER_RESOURCES, &set, sizeof set, views,
                      sizeof views);
    agpu_write_set_constant_buffers(&made.stream, AGPU_STREAM_STAGE_COMPUTE, 0, 1, &constants);
    agpu_write_dispatch(&made.stream, AGPU_STREAM_STAGE_COMPUTE, 1, 1, 1);
    put_submission(&made, 1);
    struct ag_capture *capture = finish(&made);
    assert_int_equal(ag_capture_summarise(capture, NULL, &summary), AGPU_OK);
    assert_true(ag_dependencies_list(capture, &summary, 0, &list));
    assert_int_equal(list.packets.count, 1);
    assert_int_equal(list.packets.data[0].read_count, 2);
    assert_int_equal(list.uses.data[0].resource, 0);
    assert_int_equal(list.uses.data[1].resource, 1);
    ag_dependencies_fini(&list);
    ag_capture_summary_fini(&summary);
    ag_capture_destroy(capture);
}

/* ---- Scenes -------------------------------------------------------------------------------------------- */

#define BACKING_GPA UINT64_C(0x900001000) /* above what scenes have */
#define BACKING_BYTES 4096u

static void put_read(struct made *made, uint64_t gpa, const char *bytes)
{
    struct ag_capture_access access = {
        .gpa = gpa, .size = strlen(bytes), .flags = AG_CAPTURE_ACCESS_EXECUTOR};
    ag_capture_write_access(&made->writer, AG_CAPTURE_PAGE, &access, bytes);
}

static void put_done(struct made *made, uint32_t number)
{
    const struct ag_capture_done done = {.submission = number};
    ag_capture_write_chunk(&made->writer, AG_CAPTURE_DONE, &done, sizeof done);
}

static void put_backed_buffer(struct made *made, uint32_t number)
{
    const struct aerogpu_alloc_entry allocation = {
        .alloc_id = 7, .flags = AEROGPU_ALLOC_FLAG_READONLY, .gpa = BACKING_GPA, .size_bytes = BACKING_BYTES};
    agpu_write_create_buffer(&made->stream, number, AEROGPU_RESOURCE_USAGE_VERTEX_BUFFER, 16, 7, 32);
    put_submission_with(made, number, &allocation);
}

static void expect_steps(const struct ag_scene *scene, const enum scene_step_kind *kinds, size_t count)
{
    assert_int_equal(scene->steps.count, count);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(scene->steps.data[i].kind, kinds[i]);
}

/* Two submissions wait at the same time and find other bytes at one address; a third is lost by a reset; of
 * the fourth the capture has no end. */
static void a_capture_becomes_a_scene(void **state)
{
    (void)state;
    static const enum scene_step_kind kinds[] = {
        SCENE_STEP_MEMORY,  SCENE_STEP_STORE,     SCENE_STEP_ALLOC,  SCENE_STEP_SUBMIT,
        SCENE_STEP_UNALLOC, SCENE_STEP_STORE,     SCENE_STEP_ALLOC,  SCENE_STEP_SUBMIT,
        SCENE_STEP_UNALLOC, SCENE_STEP_REGISTERS, SCENE_STEP_SUBMIT,
    };
    const struct ag_capture_mmio reset = {.offset = 0x10C, .size = 4, .value = AEROGPU_RING_CONTROL_RESET};
    struct made made;
    struct ag_scene *scene;
    begin(&made);
    put_backed_buffer(&made, 1);
    put_backed_buffer(&made, 2);
    put_read(&made, BACKING_GPA + 32, "sixteen bytes, 1");
    put_done(&made, 1);
    put_read(&made, BACKING_GPA + 32, "sixteen bytes, 2");
    put_done(&made, 2);
    put_backed_buffer(&made, 3);
    ag_capture_write_chunk(&made.writer, AG_CAPTURE_MMIO, &reset, sizeof reset);
    agpu_write_create_buffer(&made.stream, 4, AEROGPU_RESOURCE_USAGE_VERTEX_BUFFER, 16, 0, 0);
    put_submission(&made, 1);
    struct ag_capture *const capture = finish(&made);
    assert_int_equal(ag_captured_scene_create(capture, "a.agpucap", NULL, &scene), AGPU_OK);
    ag_capture_destroy(capture);
    expect_steps(scene, kinds, AG_COUNT_OF(kinds));
    const struct scene_step *const steps = scene->steps.data;
    const struct scene_allocation *const allocation = &steps[2].as.allocation;
    assert_true(allocation->gpa + BACKING_BYTES <= SCENE_RUNNER_GPA);
    assert_int_equal(allocation->id, 7);
    assert_true(allocation->readonly);
    assert_int_equal(steps[0].as.object->gpa, allocation->gpa + 32);
    assert_int_equal(steps[0].as.object->memory_size, 16);
    assert_int_equal(steps[1].as.store.gpa, allocation->gpa + 32);
    assert_memory_equal(steps[1].as.store.bytes.data, "sixteen bytes, 1", 16);
    assert_memory_equal(steps[5].as.store.bytes.data, "sixteen bytes, 2", 16);
    assert_false(steps[7].as.submit.no_allocations);
    assert_true(steps[10].as.submit.no_allocations);
    ag_scene_destroy(scene);
}

static void too_much_guest_memory_is_refused(void **state)
{
    (void)state;
    /* Of an allocation; 0: memory of more than 1 GiB instead. */
    static const uint64_t sizes[] = {0, UINT64_C(29) << 30, UINT64_MAX - 1};
    for (size_t i = 0; i < AG_COUNT_OF(sizes); i++) {
        const struct aerogpu_alloc_entry allocation = {.alloc_id = 1, .gpa = 4096, .size_bytes = sizes[i]};
        struct ag_capture_access large = {.gpa = 4096,
                                          .size = (UINT64_C(1) << 30) + 1,
                                          .flags = AG_CAPTURE_ACCESS_EXECUTOR | AG_CAPTURE_ACCESS_NO_BYTES};
        struct made made;
        struct ag_scene *scene;
        struct notes notes = {0};
        const struct agpu_diag_sink sink = {note, &notes};
        begin(&made);
        if (sizes[i] == 0)
            ag_capture_write_access(&made.writer, AG_CAPTURE_WRIT, &large, NULL);
        else
            put_submission_with(&made, 1, &allocation);
        struct ag_capture *const capture = finish(&made);
        assert_int_equal(ag_captured_scene_create(capture, "a.agpucap", &sink, &scene), AGPU_REFUSED);
        assert_int_equal(notes.code, AGPU_DIAG_CAPTURE_LIMIT);
        assert_null(scene);
        ag_capture_destroy(capture);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_reset_is_known_in_every_write),
        cmocka_unit_test(streams_have_a_limit),
        cmocka_unit_test(large_textures_are_left_out_by_name),
        cmocka_unit_test(textures_have_a_limit_together),
        cmocka_unit_test(too_many_textures_are_told_of_once),
        cmocka_unit_test(handles_name_new_resources),
        cmocka_unit_test(dispatches_read_every_kind_of_binding),
        cmocka_unit_test(a_capture_becomes_a_scene),
        cmocka_unit_test(too_much_guest_memory_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
