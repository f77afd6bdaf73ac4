/* SPDX-License-Identifier: MIT
 *
 * A scene, a raw stream, a trace or a capture for the page: its packets, and a run of it that stops before
 * any of them. Functions that wait unwind the stack, and the page calls them again when there is something
 * new.
 */
#include <stdlib.h>
#include <string.h>

#include "../cache_store.h"
#include "abi/packet.h"
#include "aerogpu/abi/ext.h"
#include "aerogpu/executor.h"
#include "aerogpu/gpu.h"
#include "aerogpu/stream.h"
#include "aerogpu/text.h"
#include "base/bytes.h"
#include "capture/capture.h"
#include "format/format.h"
#include "json.h"
#include "replay/captured_scene.h"
#include "scene/run.h"

#define EXPORT(name) __attribute__((export_name(#name)))
#define TIMEOUT_MS 120000
#define LONGEST_LINE 240 /* of a packet's text */
#define HEADER_BYTES sizeof(struct aerogpu_cmd_stream_header)
#define BUFFER_BYTES 4096 /* the most that is shown of a buffer */

/* The page has one of each in a module. */
static struct {
    struct agpu_gpu *gpu;
    struct agpu_cache *cache;
    struct ag_scene *scene;
    struct agpu_executor *executor;
    struct scene_run run;
    struct ag_scene_options options;
    struct ag_scene_report report;
    struct agpu_adapter_info adapter;
    bool is_running;
    size_t step;     /* the next one */
    uint32_t packet; /* the next one of its stream */
    struct ag_strbuf json, log;
    struct scene_texels texels;
    uint8_t *pixels;
    struct web_shader_counts shaders;
} page;

static const struct agpu_diag_sink sink = {json_note, &page.log};

/* ---- Loading ------------------------------------------------------------------------------------------- */

static const struct scene_submit *submit_of(size_t step)
{
    const struct scene_step *const found = &page.scene->steps.data[step];
    return found->kind == SCENE_STEP_SUBMIT && found->as.submit.stream.size > HEADER_BYTES ? &found->as.submit
                                                                                           : NULL;
}

/* Finds a packet of a stream; false when there are fewer. */
static bool find_packet(const struct scene_submit *submit, uint32_t number, struct agpu_packet *packet)
{
    struct agpu_stream_reader reader;
    if (submit == NULL ||
        agpu_stream_reader_init(&reader, submit->stream.data, submit->stream.size, NULL) != AGPU_OK)
        return false;
    while (agpu_stream_next(&reader, packet)) {
        if (packet->index == number)
            return true;
    }
    return false;
}

static bool is_packet_line(const char *line, size_t length)
{
    static const char *const others[] = {"stream ", "raw ", "trailing "};
    for (size_t i = 0; i < AG_COUNT_OF(others); i++) {
        if (length > strlen(others[i]) && memcmp(line, others[i], strlen(others[i])) == 0)
            return false;
    }
    return length > 0;
}

/* A text for each packet; lists of packets have lines of their own inside, which are left out. */
static void add_packets(const struct scene_submit *submit)
{
    char *text;
    size_t length;
    json_key(&page.json, "packets");
    json_open(&page.json, '[');
    if (agpu_text_dump(submit->stream.data, submit->stream.size, NULL, NULL, &text, &length) == AGPU_OK) {
        for (const char *line = text; *line != '\0';) {
            const size_t size = strcspn(line, "\n");
            if (is_packet_line(line, size) && line[0] != ' ' && line[0] != '}')
                json_text(&page.json, line, size < LONGEST_LINE ? size : LONGEST_LINE);
            line += size + (line[size] != '\0');
        }
        agpu_free(text);
    }
    json_close(&page.json, ']');
}

static const char *answer(void)
{
    json_key(&page.json, "log");
    json_text(&page.json, ag_strbuf_text(&page.log), page.log.length);
    json_close(&page.json, '}');
    return ag_strbuf_text(&page.json);
}

static void ask(void)
{
    ag_strbuf_clear(&page.json);
    ag_strbuf_clear(&page.log);
    json_open(&page.json, '{');
}

static void end_run(void)
{
    if (page.is_running) {
        scene_run_end(&page.run);
        ag_scene_report_fini(&page.report);
    }
    agpu_executor_destroy(page.executor);
    page.executor = NULL;
    page.is_running = false;
    free(page.texels.bytes);
    free(page.pixels);
    page.texels = (struct scene_texels){0};
    page.pixels = NULL;
}

EXPORT(playground_open) bool playground_open(void *instance, void *device)
{
    const struct agpu_gpu_options options = {.size = sizeof options, .instance = instance, .device = device};
    ag_strbuf_clear(&page.log);
    if (page.cache == NULL)
        page.cache = web_cache_create(&sink);
    return agpu_gpu_create(&options, &sink, &page.gpu) == AGPU_OK;
}

static enum agpu_status load(const char *path, const void *data, size_t size)
{
    struct ag_capture *capture;
    if (!ag_capture_probe(data, size))
        return ag_scene_load(path, data, size, 0, &sink, &page.scene);
    enum agpu_status status = ag_capture_read(data, size, &sink, &capture);
    if (status == AGPU_OK)
        status = ag_captured_scene_create(capture, path, &sink, &page.scene);
    ag_capture_destroy(capture);
    return status;
}

EXPORT(playground_load) const char *playground_load(const char *path, const void *data, size_t size)
{
    end_run();
    ag_scene_destroy(page.scene);
    page.scene = NULL;
    ask();
    if (load(path, data, size) != AGPU_OK)
        return answer();
    json_key(&page.json, "title");
    json_word(&page.json, ag_scene_title(page.scene));
    json_key(&page.json, "steps");
    json_open(&page.json, '[');
    for (size_t i = 0; i < page.scene->steps.count; i++) {
        json_open(&page.json, '{');
        json_key(&page.json, "line");
        json_number(&page.json, page.scene->steps.data[i].line);
        if (submit_of(i) != NULL)
            add_packets(submit_of(i));
        json_close(&page.json, '}');
    }
    json_close(&page.json, ']');
    return answer();
}

/* ---- Shaders ------------------------------------------------------------------------------------------- */

static bool makes_shader(const struct agpu_packet *packet)
{
    return packet->opcode == AEROGPU_CMD_CREATE_SHADER_DXBC && packet->payload_size != 0;
}

/* The bytes of the shader that a packet creates. */
EXPORT(playground_shader) const uint8_t *playground_shader(uint32_t step, uint32_t number)
{
    struct agpu_packet packet;
    return find_packet(submit_of(step), number, &packet) && makes_shader(&packet) ? packet.payload : NULL;
}

EXPORT(playground_shader_size) uint32_t playground_shader_size(uint32_t step, uint32_t number)
{
    struct agpu_packet packet;
    return find_packet(submit_of(step), number, &packet) && makes_shader(&packet) ? packet.payload_size : 0;
}

/* The next run creates another shader there. */
EXPORT(playground_replace)
bool playground_replace(uint32_t step, uint32_t number, const void *container, uint32_t size)
{
    struct agpu_packet packet;
    struct scene_submit *const submit = (struct scene_submit *)submit_of(step);
    if (!find_packet(submit, number, &packet) || !makes_shader(&packet))
        return false;
    struct aerogpu_cmd_create_shader_dxbc create;
    const uint32_t padded = (uint32_t)ag_align_up(size, 4);
    memcpy(&create, packet.data, sizeof create);
    create.dxbc_size_bytes = size;
    create.hdr.size_bytes = (uint32_t)sizeof create + padded;
    const size_t after = packet.offset + packet.size, rest = submit->stream.size - after;
    const size_t bytes = packet.offset + create.hdr.size_bytes + rest;
    uint8_t *const stream = ag_arena_alloc(&page.scene->arena, bytes, 4);
    if (stream == NULL)
        return false;
    uint8_t *to = stream;
    memcpy(to, submit->stream.data, packet.offset);
    memcpy(to += packet.offset, &create, sizeof create);
    memset(to + sizeof create, 0, padded);
    memcpy(to + sizeof create, container, size);
    memcpy(to + create.hdr.size_bytes, submit->stream.data + after, rest);
    struct aerogpu_cmd_stream_header header;
    memcpy(&header, stream, sizeof header);
    header.size_bytes += create.hdr.size_bytes - packet.size;
    memcpy(stream, &header, sizeof header);
    submit->stream = (struct scene_bytes){stream, bytes};
    submit->line_count = 0;
    return true;
}

/* Of the run; zeros when there is none. */
EXPORT(playground_shader_counts) const struct web_shader_counts *playground_shader_counts(void)
{
    page.shaders =
        page.executor != NULL ? web_shader_counts_of(page.executor) : (struct web_shader_counts){0};
    return &page.shaders;
}

/* ---- Running ------------------------------------------------------------------------------------------- */

static bool begin_run(void)
{
    struct agpu_executor_options options = {.size = sizeof options, .cache = page.cache};
    options.without = ag_scene_without(page.scene, &options.without_count);
    if (agpu_webgpu_executor_create(page.gpu, &options, &sink, &page.executor) != AGPU_OK)
        return false;
    page.adapter = (struct agpu_adapter_info){.size = sizeof page.adapter};
    agpu_gpu_info(page.gpu, &page.adapter);
    page.options = (struct ag_scene_options){
        .executor = page.executor, .adapter = &page.adapter, .timeout_ms = TIMEOUT_MS};
    page.step = page.packet = 0;
    page.is_running = true;
    return scene_run_begin(&page.run, page.scene, &page.options, &sink, &page.report);
}

/* The packets of a stream from `first` on and before `end` as a stream of their own. */
static bool submit_part(const struct scene_step *step, uint32_t first, uint32_t end)
{
    const struct scene_submit *const submit = &step->as.submit;
    struct agpu_packet packet;
    const size_t from = find_packet(submit, first, &packet) ? packet.offset : submit->stream.size;
    const size_t to = find_packet(submit, end, &packet) ? packet.offset : submit->stream.size;
    struct scene_step part = *step;
    if (from == HEADER_BYTES && to == submit->stream.size) {
        scene_run_step(&page.run, step);
        return true;
    }
    struct aerogpu_cmd_stream_header header;
    uint8_t *const stream = malloc(HEADER_BYTES + to - from);
    if (stream == NULL)
        return false;
    memcpy(&header, submit->stream.data, sizeof header);
    header.size_bytes = (uint32_t)(HEADER_BYTES + to - from);
    memcpy(stream, &header, sizeof header);
    memcpy(stream + HEADER_BYTES, submit->stream.data + from, to - from);
    part.as.submit.stream = (struct scene_bytes){stream, header.size_bytes};
    part.as.submit.line_count = 0;
    part.as.submit.has_fence = submit->has_fence && to == submit->stream.size;
    part.as.submit.no_wait = false;
    scene_run_step(&page.run, &part);
    free(stream);
    return true;
}

/* Goes on before packet `packet` of step `step`, from the begin if that lies behind; waits. False: the run
 * ended. */
EXPORT(playground_advance) bool playground_advance(uint32_t step, uint32_t packet)
{
    ask();
    if (page.scene == NULL)
        return false;
    if (!page.is_running || step < page.step || (step == page.step && packet < page.packet)) {
        end_run();
        if (!begin_run())
            return false;
    }
    for (; page.step < page.scene->steps.count && !page.run.aborted; page.step++, page.packet = 0) {
        const struct scene_step *const next = &page.scene->steps.data[page.step];
        const bool is_last = page.step == step;
        if (page.step > step || (is_last && packet <= page.packet))
            break;
        if (next->kind == SCENE_STEP_EXPECT)
            continue;
        if (submit_of(page.step) == NULL) {
            scene_run_step(&page.run, next);
        } else {
            if (!submit_part(next, page.packet, is_last ? packet : UINT32_MAX))
                return false;
            struct agpu_packet found;
            if (is_last && find_packet(&next->as.submit, packet, &found)) {
                page.packet = packet;
                return true;
            }
        }
    }
    return !page.run.aborted && scene_guest_settle(&page.run);
}

static void add_count(void *user, const char *name, uint64_t value)
{
    (void)user;
    if (value == 0)
        return;
    json_open(&page.json, '[');
    json_word(&page.json, name);
    json_number(&page.json, value);
    json_close(&page.json, ']');
}

static void add_resources(void)
{
    size_t cursor = 0;
    uint64_t handle;
    void *value;
    while (ag_map_next(&page.run.resources, &cursor, &handle, &value)) {
        const struct scene_resource *const resource = value;
        struct ag_format_name name;
        json_open(&page.json, '{');
        json_key(&page.json, "handle");
        json_number(&page.json, handle);
        json_key(&page.json, "bytes");
        json_number(&page.json, resource->size_bytes);
        if (resource->is_texture) {
            json_key(&page.json, "format");
            json_word(&page.json, ag_format_name_of_abi(resource->format, &name));
            json_key(&page.json, "width");
            json_number(&page.json, resource->width);
            json_key(&page.json, "height");
            json_number(&page.json, resource->height);
        }
        json_close(&page.json, '}');
    }
}

/* What the run came to so far. */
EXPORT(playground_state) const char *playground_state(void)
{
    struct agpu_counters counters = {.size = sizeof counters};
    ag_strbuf_clear(&page.json);
    json_open(&page.json, '{');
    json_key(&page.json, "resources");
    json_open(&page.json, '[');
    if (page.is_running)
        add_resources();
    json_close(&page.json, ']');
    json_key(&page.json, "counters");
    json_open(&page.json, '[');
    if (page.executor != NULL && page.executor->counters != NULL) {
        page.executor->counters(page.executor, &counters);
        ag_counters_visit(&counters, add_count, NULL);
    }
    json_close(&page.json, ']');
    json_key(&page.json, "translate_us");
    json_number(&page.json, counters.translate_ns / 1000);
    json_key(&page.json, "pipeline_us");
    json_number(&page.json, counters.pipeline_ns / 1000);
    json_key(&page.json, "total_ms");
    json_number(&page.json, page.is_running ? (uint64_t)(scene_clock_ms() - page.run.start_ms) : 0);
    json_key(&page.json, "wait_ms");
    json_number(&page.json, (uint64_t)page.run.wait_ms);
    json_key(&page.json, "skipped");
    json_word(&page.json, page.is_running && page.report.skip_reason != NULL ? page.report.skip_reason : "");
    return answer();
}

/* ---- Pictures ------------------------------------------------------------------------------------------ */

EXPORT(playground_presents) uint32_t playground_presents(void)
{
    return page.is_running ? (uint32_t)page.report.presents.count : 0;
}

EXPORT(playground_width) uint32_t playground_width(uint32_t present)
{
    return page.report.presents.data[present].width;
}

EXPORT(playground_height) uint32_t playground_height(uint32_t present)
{
    return page.report.presents.data[present].height;
}

EXPORT(playground_pixels) const uint8_t *playground_pixels(uint32_t present)
{
    return page.report.presents.data[present].pixels;
}

/* Rows of a texture as a display shows them, or null; a texture of another kind is shown as its bytes. Waits.
 */
EXPORT(playground_texture) const uint8_t *playground_texture(uint32_t handle)
{
    const struct scene_resource *const texture =
        page.is_running ? scene_find_resource(&page.run, handle) : NULL;
    free(page.texels.bytes);
    free(page.pixels);
    page.texels = (struct scene_texels){0};
    page.pixels = NULL;
    ask();
    if (texture == NULL || !texture->is_texture)
        return NULL;
    const struct scene_texel_rect rect = {texture->base_mip, texture->base_layer, 0, 0,
                                          texture->width,    texture->height};
    struct ag_strbuf problem = {0};
    if (!scene_read_texels(&page.run, handle, &rect, &page.texels, &problem))
        ag_strbuf_append(&page.log, ag_strbuf_text(&problem));
    ag_strbuf_fini(&problem);
    const uint32_t dxgi = AEROGPU_EXT_IS_FORMAT(texture->format) ? AEROGPU_EXT_FORMAT_DXGI(texture->format)
                                                                 : ag_host_format_from_abi(texture->format);
    const struct ag_host_format *const format = ag_host_format(dxgi);
    if (page.texels.bytes == NULL || format == NULL || page.texels.columns != texture->width)
        return NULL;
    page.pixels = malloc((size_t)texture->width * texture->height * 4);
    uint8_t *const row = malloc((size_t)texture->width * format->host_bytes);
    bool is_shown = page.pixels != NULL && row != NULL;
    for (uint32_t y = 0; y < texture->height && is_shown; y++) {
        ag_host_format_expand_row(format, page.texels.bytes + (size_t)y * texture->width * page.texels.unit,
                                  row, texture->width);
        is_shown = ag_host_format_display_row(format, row, page.pixels + (size_t)y * texture->width * 4,
                                              texture->width);
    }
    free(row);
    return is_shown ? page.pixels : NULL;
}

/* After a texture that no display shows: the bytes of its texels, and of each. */
EXPORT(playground_texels) const uint8_t *playground_texels(void)
{
    return page.texels.bytes;
}

EXPORT(playground_texel_bytes) uint32_t playground_texel_bytes(void)
{
    return page.texels.unit;
}

EXPORT(playground_texel_count) uint32_t playground_texel_count(void)
{
    return page.texels.columns * page.texels.rows;
}

/* The first bytes of a buffer, `size` of them. Waits. */
EXPORT(playground_buffer) const uint8_t *playground_buffer(uint32_t handle, uint32_t size)
{
    static uint8_t bytes[BUFFER_BYTES];
    struct ag_strbuf problem = {0};
    ask();
    const bool good = page.is_running && size <= sizeof bytes &&
                      scene_read_buffer(&page.run, handle, 0, bytes, size, &problem);
    ag_strbuf_append(&page.log, ag_strbuf_text(&problem));
    ag_strbuf_fini(&problem);
    return good ? bytes : NULL;
}

EXPORT(playground_log) const char *playground_log(void)
{
    return ag_strbuf_text(&page.log);
}
