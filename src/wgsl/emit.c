/* SPDX-License-Identifier: MIT
 *
 * Writes lines of the entry function, and records for each the instruction that it came from.
 */
#include <string.h>

#include "wgsl/binding.h"
#include "wgsl/emit.h"

const char *ag_wgsl_text(struct ag_wgsl_emitter *emitter, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *const text = ag_arena_vprintf(emitter->program->arena, format, arguments);
    va_end(arguments);
    if (text == NULL)
        ag_ir_no_memory(emitter->program);
    return text == NULL ? "" : text;
}

void ag_wgsl_line_start(struct ag_wgsl_emitter *emitter)
{
    if (!emitter->is_terse)
        ag_strbuf_append_repeat(&emitter->body, '\t', emitter->indent);
}

void ag_wgsl_line_end(struct ag_wgsl_emitter *emitter)
{
    ag_strbuf_append_char(&emitter->body, '\n');
    if (!ag_vec_push(&emitter->body_lines, emitter->offset))
        ag_ir_no_memory(emitter->program);
}

void ag_wgsl_line(struct ag_wgsl_emitter *emitter, const char *format, ...)
{
    va_list arguments;
    ag_wgsl_line_start(emitter);
    va_start(arguments, format);
    ag_strbuf_vprintf(&emitter->body, format, arguments);
    va_end(arguments);
    ag_wgsl_line_end(emitter);
}

void ag_wgsl_open(struct ag_wgsl_emitter *emitter, const char *format, ...)
{
    va_list arguments;
    ag_wgsl_line_start(emitter);
    va_start(arguments, format);
    ag_strbuf_vprintf(&emitter->body, format, arguments);
    va_end(arguments);
    ag_strbuf_append(&emitter->body, " {");
    ag_wgsl_line_end(emitter);
    emitter->indent++;
}

void ag_wgsl_close(struct ag_wgsl_emitter *emitter)
{
    emitter->indent--;
    ag_wgsl_line(emitter, "}");
}

static bool is_of_word(char c)
{
    return ((c | 32) >= 'a' && (c | 32) <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

/* Whether the characters would be read as one token, or as the end of one and the begin of another. */
static bool would_join(char before, char after)
{
    return (is_of_word(before) && is_of_word(after)) ||
           (before == after && strchr("+-&|<>=", before) != NULL) || (before == '>' && after == '=');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Whether the text begins with a zero that a number can do without: of 1.0 the last one, of 0.5 the first. */
static bool is_superfluous(char before, const char *text)
{
    if (text[0] != '0' || (before != '.' && text[1] != '.'))
        return false;
    if (before == '.')
        return !is_of_word(text[1]);
    return !is_of_word(before) && is_digit(text[2]) && (text[2] != '0' || is_of_word(text[3]));
}

char *ag_wgsl_append_terse(char *to, const struct ag_strbuf *text, bool drops_empty_lines)
{
    static const bool specials[256] = {[0] = true, [' '] = true, ['\t'] = true, ['\n'] = true, ['0'] = true};
    const char *at = ag_strbuf_text(text), *const end = at + text->length;
    char before = '\n';
    for (;; at++) {
        while (!specials[(uint8_t)*at])
            *to++ = before = *at++;
        if (at >= end)
            return to;
        const bool is_dropped = *at == '\n'  ? before == '\n' && drops_empty_lines
                                : *at == '0' ? is_superfluous(before, at)
                                             : !would_join(before, at[1]);
        if (!is_dropped)
            *to++ = before = *at;
    }
}

uint32_t ag_wgsl_group(const struct ag_wgsl_emitter *emitter)
{
    switch (emitter->program->stage) {
    case AGPU_STAGE_VERTEX:
        return AG_GROUP_VERTEX;
    case AGPU_STAGE_PIXEL:
        return AG_GROUP_PIXEL;
    case AGPU_STAGE_COMPUTE:
        return AG_GROUP_COMPUTE;
    default:
        return AG_GROUP_INTERNAL;
    }
}

uint32_t ag_wgsl_binding(const struct ag_ir_resource *resource)
{
    switch ((enum agpu_binding_space)resource->space) {
    case AGPU_SPACE_CBUFFER:
        return AG_BINDING_CBUFFER + resource->slot;
    case AGPU_SPACE_RESOURCE:
        return AG_BINDING_TEXTURE + resource->slot;
    case AGPU_SPACE_SAMPLER:
        return AG_BINDING_SAMPLER + resource->slot;
    case AGPU_SPACE_UAV:
        return AG_BINDING_UAV + resource->slot;
    case AGPU_SPACE_INTERNAL:
        break;
    }
    return AG_BINDING_STAGE_INTERNAL;
}
