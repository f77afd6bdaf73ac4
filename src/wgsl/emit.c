/* SPDX-License-Identifier: MIT
 *
 * Writes lines of the entry function, and records for each the instruction that it came from.
 */
#include "wgsl/emit.h"
#include "base/bytes.h"
#include "wgsl/binding.h"

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

/* What a character is to ag_wgsl_append_terse(). */
enum class {
    CLASS_SPECIAL = 1, /* that may be dropped, and the end of the text */
    CLASS_DIGIT = 2,
    CLASS_WORD = 4,
    CLASS_DOUBLED = 8, /* two of these are another operator */
};

static const uint8_t classes[256] = {
#define DIGIT (CLASS_DIGIT | CLASS_WORD)
    ['\0'] = CLASS_SPECIAL,
    [' '] = CLASS_SPECIAL,
    ['\t'] = CLASS_SPECIAL,
    ['\n'] = CLASS_SPECIAL,
    ['0'] = DIGIT | CLASS_SPECIAL,
    ['1'] = DIGIT,
    ['2'] = DIGIT,
    ['3'] = DIGIT,
    ['4'] = DIGIT,
    ['5'] = DIGIT,
    ['6'] = DIGIT,
    ['7'] = DIGIT,
    ['8'] = DIGIT,
    ['9'] = DIGIT,
    ['_'] = CLASS_WORD,
#undef DIGIT
#define LETTER(lower, upper) [lower] = CLASS_WORD, [upper] = CLASS_WORD
    LETTER('a', 'A'),
    LETTER('b', 'B'),
    LETTER('c', 'C'),
    LETTER('d', 'D'),
    LETTER('e', 'E'),
    LETTER('f', 'F'),
    LETTER('g', 'G'),
    LETTER('h', 'H'),
    LETTER('i', 'I'),
    LETTER('j', 'J'),
    LETTER('k', 'K'),
    LETTER('l', 'L'),
    LETTER('m', 'M'),
    LETTER('n', 'N'),
    LETTER('o', 'O'),
    LETTER('p', 'P'),
    LETTER('q', 'Q'),
    LETTER('r', 'R'),
    LETTER('s', 'S'),
    LETTER('t', 'T'),
    LETTER('u', 'U'),
    LETTER('v', 'V'),
    LETTER('w', 'W'),
    LETTER('x', 'X'),
    LETTER('y', 'Y'),
    LETTER('z', 'Z'),
#undef LETTER
    ['+'] = CLASS_DOUBLED,
    ['-'] = CLASS_DOUBLED,
    ['&'] = CLASS_DOUBLED,
    ['|'] = CLASS_DOUBLED,
    ['<'] = CLASS_DOUBLED,
    ['>'] = CLASS_DOUBLED,
    ['='] = CLASS_DOUBLED,
};

static bool has_class(char c, enum class class)
{
    return (classes[(uint8_t)c] & class) != 0;
}

/* Whether the characters would be read as one token, or as the end of one and the begin of another. */
static bool would_join(char before, char after)
{
    const uint8_t both = classes[(uint8_t)before] & classes[(uint8_t)after];
    return (both & CLASS_WORD) != 0 || (before == after && (both & CLASS_DOUBLED) != 0) ||
           (before == '>' && after == '=');
}

/* Whether the text begins with a zero that a number can do without: of 1.0 the last one, of 0.5 the first. */
static bool is_superfluous(char before, const char *text)
{
    if (before == '.')
        return !has_class(text[1], CLASS_WORD);
    return text[1] == '.' && !has_class(before, CLASS_WORD) && has_class(text[2], CLASS_DIGIT) &&
           (text[2] != '0' || has_class(text[3], CLASS_WORD));
}

char *ag_wgsl_append_terse(char *to, const struct ag_strbuf *text)
{
    const char *at = ag_strbuf_text(text), *const end = at + text->length;
    char before = '\n';
    for (;; at++) {
        size_t run = 0;
        for (; !has_class(at[run], CLASS_SPECIAL); run++)
            to[run] = at[run];
        to += run;
        at += run;
        if (run > 0)
            before = to[-1];
        if (at >= end)
            return to;
        const bool is_dropped = *at == '0'    ? is_superfluous(before, at)
                                : *at == '\n' ? before == '\n'
                                              : !would_join(before, at[1]);
        if (!is_dropped)
            *to++ = before = *at;
    }
}

/* Whether one of eight characters is a space. */
static bool has_space(uint64_t eight)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), zeros = eight ^ ' ' * ones;
    return ((zeros - ones) & ~zeros & ones << 7) != 0;
}

char *ag_wgsl_append_terse_body(char *to, const struct ag_strbuf *text)
{
    const char *at = ag_strbuf_text(text), *const end = at + text->length;
    for (char before = '\n'; at < end; at++) {
        for (uint64_t eight; (size_t)(end - at) >= sizeof eight; at += sizeof eight, to += sizeof eight) {
            eight = ag_load_u64(at);
            if (has_space(eight))
                break;
            ag_store_u64(to, eight);
            before = at[sizeof eight - 1];
        }
        for (; at < end && *at != ' '; at++)
            *to++ = before = *at;
        if (at < end && would_join(before, at[1]))
            *to++ = before = ' ';
    }
    return to;
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
