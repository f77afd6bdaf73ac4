/* SPDX-License-Identifier: MIT */
#include "host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../support/corpus.h"
#include "../../support/test.h"
#include "../gpu/fixture.h"
#include "aerogpu/abi/ext.h"
#include "aerogpu/dxbc.h"
#include "aerogpu/text.h"

static bool read_guest(void *user, uint64_t gpa, void *to, size_t size)
{
    struct host *host = user;
    if (host->is_endless) {
        memset(to, 0, size);
        return size == 0 || size - 1 <= UINT64_MAX - gpa;
    }
    if (gpa < GUEST_BASE || gpa - GUEST_BASE > GUEST_BYTES || size > GUEST_BYTES - (gpa - GUEST_BASE))
        return false;
    memcpy(to, host->guest + (gpa - GUEST_BASE), size);
    host->read_count++;
    return true;
}

static const void *map_guest(void *user, uint64_t gpa, size_t size)
{
    const struct host *host = user;
    if (!host->maps || gpa < GUEST_BASE || gpa - GUEST_BASE > GUEST_BYTES ||
        size > GUEST_BYTES - (gpa - GUEST_BASE))
        return NULL;
    return host->guest + (gpa - GUEST_BASE);
}

static bool write_guest(void *user, uint64_t gpa, const void *from, size_t size)
{
    struct host *host = user;
    const uint64_t limit = host->writable_bytes ? host->writable_bytes : GUEST_BYTES;
    if (gpa < GUEST_BASE || gpa - GUEST_BASE > limit || size > limit - (gpa - GUEST_BASE))
        return false;
    memcpy(host->guest + (gpa - GUEST_BASE), from, size);
    return true;
}

static void on_presented(void *user, const struct agpu_present *present)
{
    struct host *host = user;
    size_t size = (size_t)present->width * present->height * 4;
    host->present_count++;
    host->present_width = present->width;
    host->present_height = present->height;
    free(host->pixels);
    host->pixels = present->pixels && (!host->most_kept || size <= host->most_kept) ? malloc(size) : NULL;
    host->pixel_order = present->order;
    for (uint32_t y = 0; y < present->height && host->pixels; y++)
        memcpy(host->pixels + (size_t)y * present->width * 4,
               present->pixels + (size_t)y * present->pitch_bytes, (size_t)present->width * 4);
    if (host->presented)
        host->presented(host);
}

static bool looks(void *user)
{
    return !((const struct host *)user)->is_blind;
}

static void on_completed(void *user, uint32_t submission, uint32_t error)
{
    struct host *host = user;
    host->completed_count++;
    host->last_completed = submission;
    host->last_error = error;
}

static void on_device_lost(void *user)
{
    const struct host *host = user;
    if (host->device_lost)
        host->device_lost(user);
}

static void on_diag(void *user, const struct agpu_diag *diag)
{
    struct host *host = user;
    if (host->diag_count++ == 0) {
        host->first_diag = diag->code;
        host->first_packet = diag->place.packet;
        snprintf(host->first_packet_name, sizeof host->first_packet_name, "%s",
                 diag->packet_name ? diag->packet_name : "");
        snprintf(host->first_message, sizeof host->first_message, "%s", diag->message);
    }
    if (agpu_diag_error_register(diag->code) == AEROGPU_ERROR_INTERNAL)
        snprintf(host->error_message, sizeof host->error_message, "packet %u: %s", diag->place.packet,
                 diag->message);
    if (getenv("AG_TEST_VERBOSE"))
        fprintf(stderr, "%s (packet %u): %s\n", agpu_diag_slug(diag->code), diag->place.packet,
                diag->message);
}

int host_open(struct host *host, const char *driver_name, const char *shader_directory)
{
    const struct agpu_executor_options options = {
        .size = sizeof options,
        .check_packets = getenv("AG_TEST_CHECK_PACKETS") != NULL,
        .slice_us = AGPU_NO_SLICE,
        .gpu_timeout_ms = AGPU_NO_GPU_TIMEOUT,
        .pipeline_timeout_ms = AGPU_NO_PIPELINE_TIMEOUT,
    };
    return host_open_with(host, driver_name, shader_directory, &options);
}

int host_open_with(struct host *host, const char *driver_name, const char *shader_directory,
                   const struct agpu_executor_options *options)
{
    enum agpu_driver driver;
    struct diag_log log;
    memset(host, 0, sizeof *host);
    host->shader_directory = shader_directory;
    if (!agpu_driver_from_name(driver_name, &driver))
        return 1;
    int result = fixture_open(driver, &log, &host->gpu);
    if (result != 0)
        return result;
    struct agpu_executor *executor = NULL;
    if (agpu_webgpu_executor_create(host->gpu, options, &log.sink, &executor) != AGPU_OK)
        return 1;
    return host_open_on(host, executor) ? 0 : 1;
}

void host_attach(struct host *host)
{
    const struct agpu_executor_events events = {
        .size = sizeof events,
        .presented = on_presented,
        .completed = on_completed,
        .diagnostics = {.report = on_diag, .user = host},
        .user = host,
        .device_lost = on_device_lost,
        .looks = looks,
        .shown = host->shown,
        .takes_any_layout = host->takes_any_layout,
    };
    const struct agpu_guest_memory memory = {
        .read = read_guest, .write = write_guest, .user = host, .map = map_guest};
    host->executor->attach(host->executor, &events, &memory);
}

bool host_open_on(struct host *host, struct agpu_executor *executor)
{
    host->executor = executor;
    host->guest = calloc(1, GUEST_BYTES);
    if (!host->guest)
        return false;
    host_attach(host);
    return true;
}

void host_close(struct host *host)
{
    if (host->executor)
        host->executor->destroy(host->executor);
    agpu_gpu_destroy(host->gpu);
    free(host->guest);
    free(host->pixels);
}

_Noreturn void host_leave(int status)
{
    fflush(NULL);
    _Exit(status);
}

void host_reset(struct host *host)
{
    host->executor->reset(host->executor);
    host->completed_count = host->present_count = host->diag_count = 0;
    host->next_submission = 0;
    host->context_id = 1;
    memset(host->guest, 0, GUEST_BYTES);
}

struct agpu_writer host_begin_storing(struct host *host, uint32_t buffer)
{
    const struct aerogpu_unordered_access_buffer_binding binding = {.buffer = buffer};
    const uint32_t one = 1;
    struct agpu_writer writer;
    host_reset(host);
    agpu_writer_init_growing(&writer, NULL);
    agpu_write_create_buffer(&writer, buffer, AEROGPU_RESOURCE_USAGE_STORAGE, 16, 1, 0);
    agpu_write_upload_resource(&writer, buffer, 0, &one, sizeof one);
    agpu_write_set_unordered_access_buffers(&writer, AGPU_STREAM_STAGE_COMPUTE, 0, 1, &binding);
    return writer;
}

struct agpu_submission host_prepare(struct host *host, struct agpu_writer *writer,
                                    const struct aerogpu_alloc_entry *allocations, uint32_t allocation_count)
{
    assert_int_equal(agpu_writer_finish(writer), AGPU_OK);
    host->diag_count = 0;
    host->first_message[0] = 0;
    return (struct agpu_submission){
        .number = host->next_submission++,
        .context_id = host->context_id,
        .fence = host->next_submission,
        .stream = host->raw_stream ? host->raw_stream : writer->data,
        .stream_size = host->raw_stream ? host->raw_size : (uint32_t)writer->size,
        .allocations = allocations,
        .allocation_count = allocation_count,
        .has_allocation_table = allocations != NULL,
    };
}

void host_submit(struct host *host, struct agpu_writer *writer, const struct aerogpu_alloc_entry *allocations,
                 uint32_t allocation_count)
{
    const struct agpu_submission submission = host_prepare(host, writer, allocations, allocation_count);
    host->executor->submit(host->executor, &submission);
    agpu_writer_reset(writer);
    host->raw_stream = NULL;
}

void host_wait(struct host *host)
{
    const struct timespec nap = {.tv_nsec = 200000};
    while (host->executor->poll(host->executor))
        nanosleep(&nap, NULL);
}

uint32_t host_run(struct host *host, struct agpu_writer *writer,
                  const struct aerogpu_alloc_entry *allocations, uint32_t allocation_count)
{
    host->last_error = UINT32_MAX;
    host_submit(host, writer, allocations, allocation_count);
    host_wait(host);
    return host->last_error;
}

struct agpu_counters host_counters(const struct host *host)
{
    struct agpu_counters counts = {.size = sizeof counts};
    host->executor->counters(host->executor, &counts);
    return counts;
}

static void add_host_bytes(void *user, const struct agpu_context_counters *counters)
{
    *(uint64_t *)user += counters->host_bytes;
}

uint64_t host_charged_bytes(const struct host *host)
{
    uint64_t bytes = 0;
    host->executor->visit_contexts(host->executor, add_host_bytes, &bytes);
    return bytes;
}

uint32_t host_pixel(const struct host *host, uint32_t x, uint32_t y)
{
    const uint8_t *p = host->pixels + ((size_t)y * host->present_width + x) * 4;
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

void host_create_shader(const struct host *host, struct agpu_writer *writer, uint32_t handle,
                        enum agpu_stream_stage stage, const char *name)
{
    char path[1024];
    size_t size = 0;
    snprintf(path, sizeof path, "%s/%s", host->shader_directory, name);
    uint8_t *bytes = ag_corpus_read_file(path, &size);
    assert_non_null(bytes);
    agpu_write_create_shader_dxbc(writer, handle, stage, bytes, (uint32_t)size);
    free(bytes);
}

void host_assemble_shader(struct agpu_writer *writer, uint32_t handle, enum agpu_stream_stage stage,
                          const char *listing)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    assert_int_equal(agpu_assemble(listing, strlen(listing), NULL, &bytes, &size), AGPU_OK);
    agpu_write_create_shader_dxbc(writer, handle, stage, bytes, (uint32_t)size);
    agpu_free(bytes);
}

void host_write_texture(struct agpu_writer *writer, uint32_t handle, uint32_t usage, uint32_t format,
                        uint32_t width, uint32_t height)
{
    const struct aerogpu_cmd_create_texture2d texture = {
        .texture_handle = handle,
        .usage_flags = usage,
        .format = format,
        .width = width,
        .height = height,
        .mip_levels = 1,
        .array_layers = 1,
    };
    agpu_write_create_texture2d(writer, &texture);
}

void host_write_ext_texture(struct agpu_writer *writer, uint32_t handle, uint32_t format, uint32_t width,
                            uint32_t height, uint32_t bind_flags)
{
    const struct aerogpu_cmd_ext_create_texture texture = {
        .texture_handle = handle,
        .dimension = AEROGPU_EXT_RESOURCE_TEXTURE2D,
        .format = format,
        .width = width,
        .height = height,
        .depth = 1,
        .mip_levels = 1,
        .array_size = 1,
        .sample_count = 1,
        .bind_flags = bind_flags,
    };
    agpu_write_packet(writer, AEROGPU_CMD_EXT_CREATE_TEXTURE, &texture, sizeof texture, NULL, 0);
}

void host_write_frame(struct agpu_writer *writer, uint32_t target)
{
    host_write_texture(writer, target, AEROGPU_RESOURCE_USAGE_RENDER_TARGET, AEROGPU_FORMAT_R8G8B8A8_UNORM, 1,
                       1);
    agpu_write_set_render_targets(writer, 1, &target, 0);
    agpu_write_clear(writer, AEROGPU_CLEAR_COLOR, (const float[4]){1, 0, 0, 1}, 1, 0);
    agpu_write_present(writer, 0, 0);
    agpu_write_destroy_resource(writer, target);
}

uint32_t host_run_text(struct host *host, const char *text)
{
    uint8_t *stream;
    size_t size;
    struct agpu_writer writer;
    assert_int_equal(agpu_text_assemble(text, strlen(text), NULL, NULL, &stream, &size), AGPU_OK);
    agpu_writer_init_growing(&writer, NULL);
    host->raw_stream = stream;
    host->raw_size = (uint32_t)size;
    const uint32_t error = host_run(host, &writer, NULL, 0);
    agpu_writer_fini(&writer);
    agpu_free(stream);
    return error;
}

void host_run_ok(struct host *host, struct agpu_writer *writer)
{
    uint32_t error = host_run(host, writer, NULL, 0);
    if (error)
        print_message("%s\n", host->first_message);
    assert_int_equal(error, AEROGPU_ERROR_NONE);
}
