/* SPDX-License-Identifier: MIT */
#include "pipeline_draw.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../support/no_ram.h"
#include "aerogpu/abi/pci.h"
#include "aerogpu/executor.h"
#include "aerogpu/stream_writer.h"
#include "base/strbuf.h"
#include "format/formats.h"
#include "pipeline_bind.h"

#define EDGE 16
#define LOOP_BUDGET 4096 /* constants are zero, but a loop may still have no end */
#define MOST_ELEMENTS 16
enum { VERTEX_BYTES = MOST_ELEMENTS * 16 };

enum { TARGET = 1, DEPTH, VERTEX_SHADER, PIXEL_SHADER, COMPUTE_SHADER, LAYOUT, VERTICES, WRITTEN };

struct drawing {
    struct agpu_writer writer;
    struct agpu_executor *executor;
    const struct agpu_shader *shader;
    bool completed;
    uint32_t error;
    char *why;
    size_t why_size;
};

const char *pipeline_result_name(enum pipeline_result result)
{
    static const char *const names[] = {
        [PIPELINE_DRAWN] = "drawn", [PIPELINE_REFUSED] = "refused", [PIPELINE_FAILED] = "failed"};
    return names[result];
}

bool pipeline_takes(enum agpu_stage stage)
{
    return stage == AGPU_STAGE_VERTEX || stage == AGPU_STAGE_PIXEL || stage == AGPU_STAGE_COMPUTE;
}

/* ---- Partners ----------------------------------------------------------------------------------------- */

static const char *mask_text(uint8_t mask, char text[5])
{
    size_t length = 0;
    for (uint32_t c = 0; c < 4; c++) {
        if (mask >> c & 1)
            text[length++] = "xyzw"[c];
    }
    text[length] = '\0';
    return text;
}

static const char *type_text(uint32_t component_type)
{
    return component_type == AGPU_COMPONENT_UINT   ? "uint"
           : component_type == AGPU_COMPONENT_SINT ? "int"
                                                   : "float";
}

static bool is_plain(const struct agpu_signature_element *element)
{
    return element->system_value == AGPU_SV_NONE && element->register_index < 32 && element->mask != 0 &&
           element->stream == 0;
}

/* A pixel shader that reads what a vertex shader writes. */
static void write_pixel_partner(struct ag_strbuf *text, const struct agpu_signature *output)
{
    struct ag_strbuf code = {0};
    char mask[5];
    ag_strbuf_append(text, "ps_5_0\n");
    for (uint32_t i = 0; i < output->count; i++) {
        const struct agpu_signature_element *e = &output->elements[i];
        if (!is_plain(e))
            continue;
        const bool is_float = e->component_type == AGPU_COMPONENT_FLOAT;
        mask_text(e->mask, mask);
        ag_strbuf_printf(text, ".in \"%s\"%" PRIu32 " v%" PRIu32 ".%s %s\n", e->semantic_name,
                         e->semantic_index, e->register_index, mask, type_text(e->component_type));
        ag_strbuf_printf(&code, "dcl_input_ps %s v%" PRIu32 ".%s\n", is_float ? "linear" : "constant",
                         e->register_index, mask);
    }
    ag_strbuf_append(&code, "dcl_output o0.xyzw\ndcl_temps 1\nmov r0.xyzw, l(0.0, 0.0, 0.0, 0.0)\n");
    for (uint32_t i = 0; i < output->count; i++) {
        const struct agpu_signature_element *e = &output->elements[i];
        if (is_plain(e))
            ag_strbuf_printf(&code, "add r0.%s, r0.xyzw, v%" PRIu32 ".xyzw\n", mask_text(e->mask, mask),
                             e->register_index);
    }
    ag_strbuf_append(text, ".out SV_Target0 o0.xyzw float\n");
    ag_strbuf_append(&code, "mov o0.xyzw, r0.xyzw\nret\n");
    ag_strbuf_append_bytes(text, ag_strbuf_text(&code), code.length);
    ag_strbuf_fini(&code);
}

/* A vertex shader that writes what a pixel shader reads, from a vertex attribute so that nothing is known. */
static void write_vertex_partner(struct ag_strbuf *text, const struct agpu_signature *input)
{
    struct ag_strbuf code = {0};
    char mask[5];
    uint32_t position = AGPU_REGISTER_NONE, used = 0;
    ag_strbuf_append(text, "vs_5_0\n.in POSITION0 v0.xyzw float\n");
    ag_strbuf_append(&code, "dcl_input v0.xyzw\n");
    for (uint32_t i = 0; i < input->count; i++) {
        const struct agpu_signature_element *e = &input->elements[i];
        if (e->register_index < 32)
            used |= 1u << e->register_index;
        if (e->system_value == AGPU_SV_POSITION)
            position = e->register_index;
        if (!is_plain(e))
            continue;
        ag_strbuf_printf(text, ".out \"%s\"%" PRIu32 " o%" PRIu32 ".%s %s\n", e->semantic_name,
                         e->semantic_index, e->register_index, mask_text(e->mask, mask),
                         type_text(e->component_type));
        ag_strbuf_printf(&code, "dcl_output o%" PRIu32 ".%s\n", e->register_index, mask);
    }
    if (position == AGPU_REGISTER_NONE)
        for (position = 0; position < 31 && (used >> position & 1) != 0;)
            position++;
    ag_strbuf_printf(text, ".out SV_Position0 o%" PRIu32 ".xyzw float position\n", position);
    ag_strbuf_printf(&code, "dcl_output_siv o%" PRIu32 ".xyzw, position\nmov o%" PRIu32 ".xyzw, v0.xyzw\n",
                     position, position);
    for (uint32_t i = 0; i < input->count; i++) {
        const struct agpu_signature_element *e = &input->elements[i];
        if (is_plain(e))
            ag_strbuf_printf(&code, "mov o%" PRIu32 ".%s, v0.xyzw\n", e->register_index,
                             mask_text(e->mask, mask));
    }
    ag_strbuf_append(&code, "ret\n");
    ag_strbuf_append_bytes(text, ag_strbuf_text(&code), code.length);
    ag_strbuf_fini(&code);
}

static void report(void *user, const struct agpu_diag *diag)
{
    struct drawing *drawing = user;
    if (diag->severity != AGPU_ERROR || drawing->why[0] != '\0')
        return;
    snprintf(drawing->why, drawing->why_size, "%s: %s", agpu_diag_slug(diag->code), diag->message);
    for (char *c = drawing->why; *c != '\0'; c++)
        *c = *c == '\n' ? ' ' : *c;
}

static bool create_partner(struct drawing *drawing, struct ag_strbuf *text, uint32_t handle,
                           enum agpu_stream_stage stage)
{
    const struct agpu_diag_sink sink = {report, drawing};
    uint8_t *bytes = NULL;
    size_t size = 0;
    const bool good = agpu_assemble(ag_strbuf_text(text), text->length, &sink, &bytes, &size) == AGPU_OK;
    if (good)
        agpu_write_create_shader_dxbc(&drawing->writer, handle, stage, bytes, (uint32_t)size);
    agpu_free(bytes);
    ag_strbuf_fini(text);
    return good;
}

/* ---- Streams ------------------------------------------------------------------------------------------ */

static void write_targets(struct agpu_writer *writer)
{
    const struct aerogpu_cmd_create_texture2d target = {
        .texture_handle = TARGET,
        .usage_flags = AEROGPU_RESOURCE_USAGE_RENDER_TARGET,
        .format = AEROGPU_FORMAT_R8G8B8A8_UNORM,
        .width = EDGE,
        .height = EDGE,
        .mip_levels = 1,
        .array_layers = 1,
    };
    struct aerogpu_cmd_create_texture2d depth = target;
    depth.texture_handle = DEPTH;
    depth.usage_flags = AEROGPU_RESOURCE_USAGE_DEPTH_STENCIL;
    depth.format = AEROGPU_FORMAT_D32_FLOAT;
    agpu_write_create_texture2d(writer, &target);
    agpu_write_create_texture2d(writer, &depth);
    agpu_write_set_render_targets(writer, 1, &(aerogpu_handle_t){TARGET}, DEPTH);
    agpu_write_set_viewport(writer, 0, 0, EDGE, EDGE, 0, 1);
}

/* One vertex, all of it 0: a layout for what the vertex shader reads. */
static void write_vertices(struct agpu_writer *writer, const struct agpu_signature *input)
{
    struct aerogpu_input_layout_element_dxgi elements[MOST_ELEMENTS];
    const struct aerogpu_vertex_buffer_binding binding = {.buffer = VERTICES, .stride_bytes = VERTEX_BYTES};
    uint32_t count = 0;
    for (uint32_t i = 0; i < input->count && count < MOST_ELEMENTS; i++) {
        const struct agpu_signature_element *e = &input->elements[i];
        if (e->system_value != AGPU_SV_NONE)
            continue;
        const uint32_t format = e->component_type == AGPU_COMPONENT_UINT   ? AG_DXGI_R32G32B32A32_UINT
                                : e->component_type == AGPU_COMPONENT_SINT ? AG_DXGI_R32G32B32A32_SINT
                                                                           : AG_DXGI_R32G32B32A32_FLOAT;
        elements[count++] = (struct aerogpu_input_layout_element_dxgi){
            .semantic_name_hash = agpu_semantic_hash(e->semantic_name, strlen(e->semantic_name)),
            .semantic_index = e->semantic_index,
            .dxgi_format = format,
            .aligned_byte_offset = UINT32_MAX,
        };
    }
    agpu_write_create_buffer(writer, VERTICES, AEROGPU_RESOURCE_USAGE_VERTEX_BUFFER, VERTEX_BYTES, 0, 0);
    agpu_write_create_input_layout_dxgi(writer, LAYOUT, elements, count);
    agpu_write_set_input_layout(writer, LAYOUT);
    agpu_write_set_vertex_buffers(writer, 0, 1, &binding);
}

static bool write_draw(struct drawing *drawing, const uint8_t *bytes, uint32_t size)
{
    static const struct agpu_signature_element attribute = {
        .semantic_name = "POSITION", .component_type = AGPU_COMPONENT_FLOAT, .mask = 15};
    static const struct agpu_signature attributes = {&attribute, 1};
    struct agpu_writer *writer = &drawing->writer;
    struct ag_strbuf text = {0};
    const bool is_vertex = drawing->shader->program.stage == AGPU_STAGE_VERTEX;
    write_targets(writer);
    write_vertices(writer, is_vertex ? &drawing->shader->input : &attributes);
    if (is_vertex) {
        agpu_write_create_shader_dxbc(writer, VERTEX_SHADER, AGPU_STREAM_STAGE_VERTEX, bytes, size);
        write_pixel_partner(&text, &drawing->shader->output);
    } else {
        agpu_write_create_shader_dxbc(writer, PIXEL_SHADER, AGPU_STREAM_STAGE_PIXEL, bytes, size);
        write_vertex_partner(&text, &drawing->shader->input);
    }
    if (!create_partner(drawing, &text, is_vertex ? PIXEL_SHADER : VERTEX_SHADER,
                        is_vertex ? AGPU_STREAM_STAGE_PIXEL : AGPU_STREAM_STAGE_VERTEX))
        return false;
    agpu_write_bind_shaders(writer, VERTEX_SHADER, PIXEL_SHADER, 0, 0);
    agpu_write_set_primitive_topology(writer, AEROGPU_TOPOLOGY_POINTLIST);
    pipeline_bind_instances(writer, &drawing->shader->program);
    pipeline_bind_written(writer, &drawing->shader->program, WRITTEN, TARGET, DEPTH);
    agpu_write_draw(writer, 1, 1, 0, 0);
    return true;
}

static void write_dispatch(struct drawing *drawing, const uint8_t *bytes, uint32_t size)
{
    agpu_write_create_shader_dxbc(&drawing->writer, COMPUTE_SHADER, AGPU_STREAM_STAGE_COMPUTE, bytes, size);
    agpu_write_bind_shaders(&drawing->writer, 0, 0, COMPUTE_SHADER, 0);
    pipeline_bind_instances(&drawing->writer, &drawing->shader->program);
    pipeline_bind_written(&drawing->writer, &drawing->shader->program, WRITTEN, 0, 0);
    agpu_write_dispatch(&drawing->writer, AGPU_STREAM_STAGE_COMPUTE, 1, 1, 1);
}

/* ---- Running ------------------------------------------------------------------------------------------ */

static void on_presented(void *user, const struct agpu_present *present)
{
    (void)user;
    (void)present;
}

static void on_completed(void *user, uint32_t submission, uint32_t error)
{
    struct drawing *drawing = user;
    (void)submission;
    drawing->completed = true;
    drawing->error = error;
}

static enum pipeline_result run(struct drawing *drawing, struct agpu_gpu *gpu)
{
    const struct timespec nap = {.tv_nsec = 200000};
    const struct agpu_executor_options options = {.size = sizeof options,
                                                  .loop_budget = LOOP_BUDGET,
                                                  .gpu_timeout_ms = AGPU_NO_GPU_TIMEOUT,
                                                  .pipeline_timeout_ms = AGPU_NO_PIPELINE_TIMEOUT};
    const struct agpu_executor_events events = {
        .presented = on_presented,
        .completed = on_completed,
        .diagnostics = {report, drawing},
        .user = drawing
    };
    const struct agpu_guest_memory memory = no_ram();
    if (agpu_writer_finish(&drawing->writer) != AGPU_OK ||
        agpu_webgpu_executor_create(gpu, &options, &events.diagnostics, &drawing->executor) != AGPU_OK)
        return PIPELINE_FAILED;
    const struct agpu_submission submission = {
        .fence = 1, .stream = drawing->writer.data, .stream_size = (uint32_t)drawing->writer.size};
    drawing->executor->attach(drawing->executor, &events, &memory);
    drawing->executor->submit(drawing->executor, &submission);
    while (!drawing->completed && drawing->executor->poll(drawing->executor))
        nanosleep(&nap, NULL);
    drawing->executor->destroy(drawing->executor);
    return !drawing->completed                       ? PIPELINE_FAILED
           : drawing->error == AEROGPU_ERROR_NONE    ? PIPELINE_DRAWN
           : drawing->error == AEROGPU_ERROR_BACKEND ? PIPELINE_REFUSED
                                                     : PIPELINE_FAILED;
}

enum pipeline_result pipeline_draw(struct agpu_gpu *gpu, const uint8_t *bytes, size_t size, char *why,
                                   size_t why_size)
{
    struct drawing drawing = {.why = why, .why_size = why_size};
    struct agpu_shader *shader;
    enum pipeline_result result = PIPELINE_FAILED;
    const struct agpu_diag_sink sink = {report, &drawing};
    why[0] = '\0';
    if (agpu_shader_parse(bytes, size, AGPU_PARSE_DEFAULT, &sink, &shader) != AGPU_OK)
        return PIPELINE_FAILED;
    drawing.shader = shader;
    agpu_writer_init_growing(&drawing.writer, &sink);
    bool good = true;
    if (shader->program.stage == AGPU_STAGE_COMPUTE)
        write_dispatch(&drawing, bytes, (uint32_t)size);
    else
        good = write_draw(&drawing, bytes, (uint32_t)size);
    if (good)
        result = run(&drawing, gpu);
    agpu_writer_fini(&drawing.writer);
    agpu_shader_destroy(shader);
    return result;
}
