/* SPDX-License-Identifier: MIT
 *
 * Lines of the entry function, each with the instruction it came from.
 */
#include "wgsl/emit.h"

void agpu_wgsl_line_start(struct agpu_wgsl_emitter *emitter)
{
    agpu_strbuf_append_repeat(&emitter->body, ' ', (size_t)emitter->indent * 4);
}

void agpu_wgsl_line_end(struct agpu_wgsl_emitter *emitter)
{
    agpu_strbuf_append_char(&emitter->body, '\n');
    if (!agpu_vec_push(&emitter->body_lines, emitter->offset))
        agpu_ir_no_memory(emitter->program);
}

void agpu_wgsl_line(struct agpu_wgsl_emitter *emitter, const char *format, ...)
{
    va_list arguments;
    agpu_wgsl_line_start(emitter);
    va_start(arguments, format);
    agpu_strbuf_vprintf(&emitter->body, format, arguments);
    va_end(arguments);
    agpu_wgsl_line_end(emitter);
}

void agpu_wgsl_open(struct agpu_wgsl_emitter *emitter, const char *format, ...)
{
    va_list arguments;
    agpu_wgsl_line_start(emitter);
    va_start(arguments, format);
    agpu_strbuf_vprintf(&emitter->body, format, arguments);
    va_end(arguments);
    agpu_strbuf_append(&emitter->body, " {");
    agpu_wgsl_line_end(emitter);
    emitter->indent++;
}

void agpu_wgsl_close(struct agpu_wgsl_emitter *emitter)
{
    emitter->indent--;
    agpu_wgsl_line(emitter, "}");
}

uint32_t agpu_wgsl_group(const struct agpu_wgsl_emitter *emitter)
{
    switch (emitter->program->stage) {
    case AGPU_STAGE_VERTEX:
        return AGPU_GROUP_VERTEX;
    case AGPU_STAGE_PIXEL:
        return AGPU_GROUP_PIXEL;
    case AGPU_STAGE_COMPUTE:
        return AGPU_GROUP_COMPUTE;
    default:
        return AGPU_GROUP_INTERNAL;
    }
}

uint32_t agpu_wgsl_binding(const struct agpu_ir_resource *resource)
{
    switch ((enum agpu_binding_space)resource->space) {
    case AGPU_SPACE_CBUFFER:
        return AGPU_BINDING_CBUFFER + resource->slot;
    case AGPU_SPACE_RESOURCE:
        return AGPU_BINDING_TEXTURE + resource->slot;
    case AGPU_SPACE_SAMPLER:
        return AGPU_BINDING_SAMPLER + resource->slot;
    case AGPU_SPACE_UAV:
        return AGPU_BINDING_UAV + resource->slot;
    case AGPU_SPACE_INTERNAL:
        break;
    }
    return AGPU_BINDING_STAGE_INTERNAL;
}
