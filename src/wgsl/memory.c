/* SPDX-License-Identifier: MIT
 *
 * Buffers, group shared memory and atomics; storage textures that are buffers.
 *
 * A buffer is an array<u32>. Addresses are bytes from the start of the view, without the low two bits. Bounds
 * are those of the view, read from the draw block or the overflow block: reads out of range return 0, writes
 * out of range do nothing (sheet 7.2, section 14). A typed buffer has four words for each element.
 */
#include <assert.h>

#include "wgsl/draw_block.h"
#include "wgsl/emit.h"

bool ag_wgsl_is_texture(const struct ag_ir_resource *resource)
{
    return resource->dimension >= AGPU_DIMENSION_TEXTURE1D &&
           resource->dimension <= AGPU_DIMENSION_TEXTURECUBEARRAY;
}

bool ag_wgsl_is_buffered_texture(const struct ag_ir_resource *resource)
{
    return ag_wgsl_is_texture(resource) && resource->space == AGPU_SPACE_UAV &&
           (resource->atomic || resource->wide);
}

const char *ag_wgsl_resource_name(struct ag_wgsl_emitter *emitter, uint32_t resource)
{
    emitter->resources[resource].bound = true;
    return emitter->resources[resource].name;
}

static_assert(AG_WGSL_RESOURCE_HELPER_COUNT <= 64, "a helper has no bit");

bool ag_wgsl_need(struct ag_wgsl_emitter *emitter, uint32_t resource, uint32_t helper)
{
    const uint64_t bit = UINT64_C(1) << helper;
    bool had = emitter->resources[resource].helpers & bit;
    emitter->resources[resource].helpers |= bit;
    return !had;
}

const char *ag_wgsl_view(struct ag_wgsl_emitter *emitter, uint32_t resource)
{
    struct ag_wgsl_resource *r = &emitter->resources[resource];
    uint32_t base = emitter->options->view_base;
    if (emitter->program->resources.data[resource].overflows)
        return ag_wgsl_overflow_row(emitter, resource, AG_OVERFLOW_ROW_VIEW);
    if (r->view == AG_IR_NONE) {
        const bool is_full = emitter->options->overflow != NULL
                                 ? emitter->view_count >= AG_WGSL_MAX_VIEWS
                                 : base + emitter->view_count >= AG_DRAW_BLOCK_VIEW_COUNT;
        if (is_full) {
            ag_ir_refuse(emitter->program, AGPU_DIAG_TRANSLATE_LIMIT,
                         emitter->program->resources.data[resource].offset,
                         "more than %d bindings need the draw block", AG_DRAW_BLOCK_VIEW_COUNT);
            return "draw.views[0]";
        }
        emitter->uses_draw_block = true;
        emitter->views[emitter->view_count] =
            (uint16_t)ag_wgsl_binding(&emitter->program->resources.data[resource]);
        r->view = base + emitter->view_count++;
    }
    return ag_wgsl_text(emitter, "draw.views[%u]", r->view);
}

/* ---- Words -------------------------------------------------------------------------------------------- */

static bool is_shared(const struct ag_ir_resource *resource)
{
    return resource->space == AGPU_SPACE_INTERNAL;
}

static uint32_t shared_bytes(const struct ag_ir_resource *resource)
{
    return resource->dimension == AGPU_DIMENSION_STRUCTURED_BUFFER ? resource->stride * resource->count
                                                                   : resource->count;
}

uint32_t ag_wgsl_shared_words(const struct ag_ir_resource *resource)
{
    return shared_bytes(resource) / 4;
}

static const char *bytes_text(struct ag_wgsl_emitter *emitter, uint32_t id)
{
    const struct ag_ir_resource *resource = &emitter->program->resources.data[id];
    const char *text = is_shared(resource) ? ag_wgsl_text(emitter, "%uu", shared_bytes(resource))
                                           : ag_wgsl_text(emitter, "%s.%c", ag_wgsl_view(emitter, id),
                                                          ag_wgsl_is_buffered_texture(resource) ? 'w' : 'y');
    if (!is_shared(resource) && ag_wgsl_is_buffered_texture(resource) && resource->wide)
        text = ag_wgsl_text(emitter, "(%s & 0xfffffff0u)", text);
    return text;
}

/* The variable of an arena that holds the resource. */
static const char *arena_text(struct ag_wgsl_emitter *emitter, const struct ag_ir_resource *resource)
{
    const bool written = resource->space == AGPU_SPACE_UAV;
    *(written ? &emitter->uses_uav_arena : &emitter->uses_arena) = true;
    return written ? "uav_arena" : "arena";
}

/* The variable that holds the resource's words. */
static const char *words_text(struct ag_wgsl_emitter *emitter, uint32_t id)
{
    const struct ag_ir_resource *resource = &emitter->program->resources.data[id];
    const char *name = ag_wgsl_resource_name(emitter, emitter->resources[id].variable);
    return resource->overflows ? arena_text(emitter, resource) : name;
}

/* The index in that variable of the word at the address `byte`. */
static const char *place_text(struct ag_wgsl_emitter *emitter, uint32_t id)
{
    const struct ag_ir_resource *resource = &emitter->program->resources.data[id];
    const bool is_texture = ag_wgsl_is_buffered_texture(resource);
    if (resource->overflows)
        return ag_wgsl_text(
            emitter, "(byte + %s.x) >> 2u",
            ag_wgsl_overflow_row(emitter, id, is_texture ? AG_OVERFLOW_ROW_TEXELS : AG_OVERFLOW_ROW_VIEW));
    if (is_shared(resource) || is_texture)
        return "byte >> 2u";
    return ag_wgsl_text(emitter, "(byte + %s.x) >> 2u", ag_wgsl_view(emitter, id));
}

/* The word at the address `byte`. */
static const char *word_text(struct ag_wgsl_emitter *emitter, uint32_t id)
{
    return ag_wgsl_text(emitter, "%s[%s]", words_text(emitter, id), place_text(emitter, id));
}

/* A typed buffer, or a writable texture that is a buffer of four words a texel. */
static bool is_typed(const struct ag_ir_resource *resource)
{
    return resource->dimension == AGPU_DIMENSION_BUFFER ||
           (ag_wgsl_is_buffered_texture(resource) && resource->wide);
}

/* Elements out of range are 0 in the components that the format has, and 0, 0, 0, 1 in others (D3D11.3
 * 22.4.6). */
static const char *absent_text(struct ag_wgsl_emitter *emitter, uint32_t id)
{
    const struct ag_ir_resource *resource = &emitter->program->resources.data[id];
    return ag_wgsl_text(emitter, "vec4u(0u, 0u, 0u, (%s.w & 1u) * %s)", ag_wgsl_view(emitter, id),
                        ag_ir_resource_type(resource) == AG_IR_F32 ? "0x3f800000u" : "1u");
}

/* Begins a declaration or a call of the function that loads or stores so many words. */
static void append_name(struct ag_wgsl_emitter *emitter, struct ag_strbuf *out, uint32_t id,
                        const char *access, uint32_t width)
{
    ag_strbuf_printf(out, "%s_%s", ag_wgsl_resource_name(emitter, id), access);
    if (width > 1)
        ag_strbuf_append_unsigned(out, width);
    ag_strbuf_append_char(out, '(');
}

/* Loads never branch, since branches cost drivers' compilers far more than loads do: WebGPU confines each
 * index to the buffer, and what is out of the view's bounds is not chosen. */
static void write_load_helper(struct ag_wgsl_emitter *emitter, uint32_t id, uint32_t width)
{
    static const char *const places[5] = {
        [2] = "vec2u(0u, 4u)", [3] = "vec3u(0u, 4u, 8u)", [4] = "vec4u(0u, 4u, 8u, 12u)"};
    struct ag_strbuf *out = &emitter->functions;
    const struct ag_ir_resource *resource = &emitter->program->resources.data[id];
    const char *type = ag_wgsl_type(AG_IR_U32, width), *words = words_text(emitter, id);
    const char *before = resource->atomic ? "atomicLoad(&" : "", *after = resource->atomic ? ")" : "";
    const char *end = bytes_text(emitter, id);
    ag_strbuf_append(out, "fn ");
    append_name(emitter, out, id, "load", width);
    ag_strbuf_printf(out, "byte: u32) -> %s {\n", type);
    if (width == 1) {
        ag_strbuf_printf(out, "\treturn select(0u, %s%s%s, byte < %s);\n}\n\n", before,
                         word_text(emitter, id), after, end);
        return;
    }
    ag_strbuf_printf(out,
                     "\tlet first = %s;\n"
                     "\tlet words = %s(",
                     place_text(emitter, id), type);
    for (uint32_t i = 0; i < width; i++)
        if (i == 0)
            ag_strbuf_printf(out, "%s%s[first]%s", before, words, after);
        else
            ag_strbuf_printf(out, ", %s%s[first + %uu]%s", before, words, i, after);
    ag_strbuf_append(out, ");\n");
    if (width == 4 && is_typed(resource))
        ag_strbuf_printf(out, "\treturn select(%s, words, byte < %s);\n}\n\n", absent_text(emitter, id), end);
    else
        ag_strbuf_printf(out,
                         "\tlet room = select(0u, %s - byte, byte < %s);\n"
                         "\treturn select(%s(), words, %s < %s(room));\n"
                         "}\n\n",
                         end, end, type, places[width], type);
}

/* The function that loads so many words, written if the module lacks it. */
static void append_load_name(struct ag_wgsl_emitter *emitter, uint32_t id, uint32_t width)
{
    if (ag_wgsl_need(emitter, id, AG_WGSL_LOAD_1 + width - 1))
        write_load_helper(emitter, id, width);
    append_name(emitter, &emitter->body, id, "load", width);
}

static void write_address_helper(struct ag_wgsl_emitter *emitter, uint32_t id)
{
    struct ag_strbuf *out = &emitter->functions;
    const struct ag_ir_resource *resource = &emitter->program->resources.data[id];
    bool structured = resource->dimension == AGPU_DIMENSION_STRUCTURED_BUFFER;
    ag_strbuf_printf(out, "fn %s_address(index: u32%s) -> u32 {\n", emitter->resources[id].name,
                     structured ? ", offset: u32" : "");
    const char *const place =
        structured ? ag_wgsl_text(emitter, "index * %uu + offset", resource->stride) : "index * 16u";
    if (is_shared(resource))
        ag_strbuf_printf(out, "\tlet inside = (index < %uu) & (offset < %uu);\n", resource->count,
                         shared_bytes(resource));
    else
        ag_strbuf_printf(out, "\tlet view = %s;\n\tlet inside = %s;\n", ag_wgsl_view(emitter, id),
                         structured ? "(index < view.z) & (offset < view.y)" : "index < view.z");
    ag_strbuf_printf(out, "\treturn select(0xffffffffu, %s, inside);\n}\n\n", place);
}

/* Texels have one word, or four if `wide`, in rows and slices without gaps. The view's entry is width,
 * height, slices, bytes. */
static void write_texel_address_helper(struct ag_wgsl_emitter *emitter, uint32_t id)
{
    static const struct {
        const char *type, *inside, *texel;
    } forms[AGPU_DIMENSION_COUNT] = {
        [AGPU_DIMENSION_TEXTURE1D] = {"u32",   "p < view.x",        "p"                                  },
        [AGPU_DIMENSION_TEXTURE1DARRAY] = {"vec2u", "all(p < view.xz)",  "p.y * view.x + p.x"                 },
        [AGPU_DIMENSION_TEXTURE2D] = {"vec2u", "all(p < view.xy)",  "p.y * view.x + p.x"                 },
        [AGPU_DIMENSION_TEXTURE2DARRAY] = {"vec3u", "all(p < view.xyz)",
                                      "(p.z * view.y + p.y) * view.x + p.x"                              },
        [AGPU_DIMENSION_TEXTURE3D] = {"vec3u", "all(p < view.xyz)", "(p.z * view.y + p.y) * view.x + p.x"},
    };
    uint8_t dimension = emitter->program->resources.data[id].dimension;
    ag_strbuf_printf(&emitter->functions,
                     "fn %s_address(p: %s) -> u32 {\n"
                     "\tlet view = %s;\n"
                     "\treturn select(0xffffffffu, (%s) * %uu, %s);\n"
                     "}\n\n",
                     emitter->resources[id].name, forms[dimension].type, ag_wgsl_view(emitter, id),
                     forms[dimension].texel, emitter->program->resources.data[id].wide ? 16 : 4,
                     forms[dimension].inside);
}

/* Appends the leading arguments as one byte address, and returns how many arguments that were. */
static uint32_t append_address(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr)
{
    uint32_t id = expr->access->resource;
    const struct ag_ir_resource *resource = &emitter->program->resources.data[id];
    if (resource->dimension == AGPU_DIMENSION_RAW_BUFFER) {
        ag_wgsl_expr(emitter, expr->args[0], AG_IR_U32, false);
        return 1;
    }
    if (ag_wgsl_need(emitter, id, AG_WGSL_ADDRESS)) {
        if (ag_wgsl_is_buffered_texture(resource))
            write_texel_address_helper(emitter, id);
        else
            write_address_helper(emitter, id);
    }
    uint32_t count = resource->dimension == AGPU_DIMENSION_STRUCTURED_BUFFER ? 2 : 1;
    ag_strbuf_printf(&emitter->body, "%s_address(", ag_wgsl_resource_name(emitter, id));
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0)
            ag_strbuf_append(&emitter->body, ", ");
        ag_wgsl_expr(emitter, expr->args[i], AG_IR_U32, false);
    }
    ag_strbuf_append_char(&emitter->body, ')');
    return count;
}

static void append_load(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr)
{
    append_load_name(emitter, expr->access->resource, expr->width);
    append_address(emitter, expr);
    ag_strbuf_append_char(&emitter->body, ')');
}

/* ---- Discarded invocations ---------------------------------------------------------------------------- */

/* SwiftShader forgets at the end of a loop what was discarded inside. */
void ag_wgsl_discard(struct ag_wgsl_emitter *emitter)
{
    if (emitter->guards_writes)
        ag_wgsl_line(emitter, "discarded = 1u;");
    ag_wgsl_line(emitter, "discard;");
}

/* ---- Stores ------------------------------------------------------------------------------------------- */

/* A function that stores so many words from an address on. */
static void write_store_helper(struct ag_wgsl_emitter *emitter, uint32_t id, uint32_t width)
{
    struct ag_strbuf *out = &emitter->functions;
    const struct ag_ir_resource *resource = &emitter->program->resources.data[id];
    const char *words = words_text(emitter, id), *end = bytes_text(emitter, id);
    const char *guard = emitter->guards_writes ? " & (discarded == 0u)" : "";
    ag_strbuf_append(out, "fn ");
    append_name(emitter, out, id, "store", width);
    ag_strbuf_printf(out,
                     "byte: u32, value: %s) {\n"
                     "\tlet room = select(0u, %s - byte, (byte < %s)%s);\n"
                     "\tlet first = %s;\n",
                     ag_wgsl_type(AG_IR_U32, width), end, end, guard, place_text(emitter, id));
    for (uint32_t i = 0; i < width; i++) {
        const char *index = i == 0 ? "first" : ag_wgsl_text(emitter, "first + %uu", i);
        const char *value = width == 1 ? "value" : ag_wgsl_text(emitter, "value.%c", "xyzw"[i]);
        ag_strbuf_printf(out, "\tif (room > %uu) {\n\t\t", i * 4);
        if (resource->atomic)
            ag_strbuf_printf(out, "atomicStore(&%s[%s], %s);\n\t}\n", words, index, value);
        else
            ag_strbuf_printf(out, "%s[%s] = %s;\n\t}\n", words, index, value);
    }
    ag_strbuf_append(out, "}\n\n");
}

/* The function that stores so many words, written if the module lacks it. */
static void append_store_name(struct ag_wgsl_emitter *emitter, uint32_t id, uint32_t width)
{
    if (ag_wgsl_need(emitter, id, AG_WGSL_STORE_1 + width - 1))
        write_store_helper(emitter, id, width);
    append_name(emitter, &emitter->body, id, "store", width);
}

static void store_in_texel_buffer(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr)
{
    static const uint8_t first = 0;
    ag_wgsl_line_start(emitter);
    append_store_name(emitter, expr->access->resource, 1);
    append_address(emitter, expr);
    ag_strbuf_append(&emitter->body, ", ");
    ag_wgsl_expr(emitter, ag_ir_narrow(emitter->program, expr->args[1], 1, &first), AG_IR_U32, false);
    ag_strbuf_append(&emitter->body, ");");
    ag_wgsl_line_end(emitter);
}

/* Words that follow one another from the first on, as all compilers write them. */
static void store_run(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr, uint32_t width)
{
    ag_wgsl_line_start(emitter);
    append_store_name(emitter, expr->access->resource, width);
    const uint32_t value = append_address(emitter, expr);
    ag_strbuf_append(&emitter->body, ", ");
    ag_wgsl_expr_wide(emitter, expr->args[value], AG_IR_U32, width, false);
    ag_strbuf_append(&emitter->body, ");");
    ag_wgsl_line_end(emitter);
}

static void store_words(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr)
{
    struct ag_strbuf *out = &emitter->body;
    const uint32_t mask = expr->access->word_mask;
    if ((mask & (mask + 1)) == 0) {
        store_run(emitter, expr, ag_wgsl_bits(mask));
        return;
    }
    uint32_t id = expr->access->resource, t = emitter->temporaries++;
    ag_wgsl_line_start(emitter);
    ag_strbuf_printf(out, "let at%u = ", t);
    uint32_t value = append_address(emitter, expr);
    ag_strbuf_append_char(out, ';');
    ag_wgsl_line_end(emitter);
    const struct ag_ir_expr *words = expr->args[value];
    ag_wgsl_line_start(emitter);
    ag_strbuf_printf(out, "let words%u = ", t);
    ag_wgsl_expr(emitter, words, AG_IR_U32, false);
    ag_strbuf_append_char(out, ';');
    ag_wgsl_line_end(emitter);
    uint32_t lane = 0;
    for (uint32_t c = 0; c < 4; c++) {
        if (!(mask >> c & 1))
            continue;
        ag_wgsl_line_start(emitter);
        append_store_name(emitter, id, 1);
        if (c == 0)
            ag_strbuf_printf(out, "at%u, words%u", t, t);
        /* An address near 2^32 must not wrap around: it stays as it is, which is out of range. */
        else
            ag_strbuf_printf(out, "select(at%u + %uu, at%u, at%u >= 0xfffffff0u), words%u", t, c * 4, t, t,
                             t);
        if (words->width > 1)
            ag_strbuf_printf(out, ".%c", "xyzw"[lane]);
        ag_strbuf_append(out, ");");
        ag_wgsl_line_end(emitter);
        lane++;
    }
}

/* A texture's texel is a texel of WGSL's, words of a buffer, or one word (ag_wgsl_is_buffered_texture()). */
static void store_texel(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr)
{
    const struct ag_ir_resource *resource = &emitter->program->resources.data[expr->access->resource];
    if (resource->wide)
        store_words(emitter, expr);
    else if (ag_wgsl_is_buffered_texture(resource))
        store_in_texel_buffer(emitter, expr);
    else
        ag_wgsl_store_storage_texel(emitter, expr);
}

void ag_wgsl_store(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr)
{
    ag_wgsl_count_stores(emitter, expr->op == AG_IR_STORE_TEXEL ? 4 : ag_wgsl_bits(expr->access->word_mask));
    if (expr->op == AG_IR_STORE_TEXEL)
        store_texel(emitter, expr);
    else
        store_words(emitter, expr);
}

/* ---- Atomics ------------------------------------------------------------------------------------------ */

static const char *const atomic_names[] = {
    [AG_IR_ATOMIC_AND] = "and",           [AG_IR_ATOMIC_OR] = "or",
    [AG_IR_ATOMIC_XOR] = "xor",           [AG_IR_ATOMIC_ADD] = "add",
    [AG_IR_ATOMIC_IMAX] = "imax",         [AG_IR_ATOMIC_IMIN] = "imin",
    [AG_IR_ATOMIC_UMAX] = "umax",         [AG_IR_ATOMIC_UMIN] = "umin",
    [AG_IR_ATOMIC_EXCHANGE] = "exchange", [AG_IR_ATOMIC_COMPARE_EXCHANGE] = "compare_exchange",
};

static const char *const atomic_functions[] = {
    [AG_IR_ATOMIC_AND] = "atomicAnd",           [AG_IR_ATOMIC_OR] = "atomicOr",
    [AG_IR_ATOMIC_XOR] = "atomicXor",           [AG_IR_ATOMIC_ADD] = "atomicAdd",
    [AG_IR_ATOMIC_UMAX] = "atomicMax",          [AG_IR_ATOMIC_UMIN] = "atomicMin",
    [AG_IR_ATOMIC_EXCHANGE] = "atomicExchange", [AG_IR_ATOMIC_COMPARE_EXCHANGE] = NULL,
};

/* A signed maximum or minimum of unsigned words: exchanged until nobody else has changed the word meanwhile.
 * What a helper pixel exchanges has no effect, so it stops once the word has been the same for long. */
static void write_signed_atomic(struct ag_wgsl_emitter *emitter, const char *word, const char *function)
{
    struct ag_strbuf *out = &emitter->functions;
    const bool is_pixel = emitter->program->stage == AGPU_STAGE_PIXEL;
    if (is_pixel)
        ag_strbuf_append(out, "\tvar last = 0u;\n\tvar same = 0u;\n");
    ag_strbuf_printf(out,
                     "\tloop {\n"
                     "\t\tlet old = atomicLoad(&%s);\n"
                     "\t\tlet next = bitcast<u32>(%s(bitcast<i32>(old), bitcast<i32>(value)));\n"
                     "\t\tif (atomicCompareExchangeWeak(&%s, old, next).exchanged) {\n"
                     "\t\t\treturn old;\n"
                     "\t\t}\n",
                     word, function, word);
    if (is_pixel)
        ag_strbuf_append(out, "\t\tsame = select(0u, same + 1u, old == last);\n"
                              "\t\tif (same == 256u) {\n"
                              "\t\t\treturn 0u;\n"
                              "\t\t}\n"
                              "\t\tlast = old;\n");
    ag_strbuf_append(out, "\t}\n}\n\n");
}

/* WGSL's exchange may fail for no reason. That of a helper pixel may do so each time. */
static void write_compare_exchange(struct ag_wgsl_emitter *emitter, const char *word)
{
    const bool is_pixel = emitter->program->stage == AGPU_STAGE_PIXEL;
    ag_strbuf_printf(&emitter->functions,
                     "\t%s {\n"
                     "\t\tlet r = atomicCompareExchangeWeak(&%s, compare, value);\n"
                     "\t\tif (r.exchanged || r.old_value != compare) {\n"
                     "\t\t\treturn r.old_value;\n"
                     "\t\t}\n"
                     "\t}\n"
                     "%s}\n\n",
                     is_pixel ? "for (var tries = 0u; tries < 256u; tries++)" : "loop", word,
                     is_pixel ? "\treturn 0u;\n" : "");
}

static void write_atomic_helper(struct ag_wgsl_emitter *emitter, uint32_t id, enum ag_ir_atomic kind)
{
    struct ag_strbuf *out = &emitter->functions;
    const char *word = word_text(emitter, id);
    bool compares = kind == AG_IR_ATOMIC_COMPARE_EXCHANGE;
    ag_strbuf_printf(out, "fn %s_%s(byte: u32, %svalue: u32) -> u32 {\n\tif (byte >= %s%s) {\n",
                     emitter->resources[id].name, atomic_names[kind], compares ? "compare: u32, " : "",
                     bytes_text(emitter, id), emitter->guards_writes ? " || discarded != 0u" : "");
    ag_strbuf_append(out, "\t\treturn 0u;\n\t}\n");
    if (atomic_functions[kind] != NULL) {
        ag_strbuf_printf(out, "\treturn %s(&%s, value);\n}\n\n", atomic_functions[kind], word);
        return;
    }
    if (compares) {
        write_compare_exchange(emitter, word);
        return;
    }
    write_signed_atomic(emitter, word, kind == AG_IR_ATOMIC_IMAX ? "max" : "min");
}

static void append_atomic(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr)
{
    struct ag_strbuf *out = &emitter->body;
    uint32_t id = expr->access->resource;
    enum ag_ir_atomic kind = (enum ag_ir_atomic)expr->access->atomic;
    if (ag_wgsl_need(emitter, id, AG_WGSL_ATOMIC_FIRST + (uint32_t)kind))
        write_atomic_helper(emitter, id, kind);
    ag_strbuf_printf(out, "%s_%s(", ag_wgsl_resource_name(emitter, id), atomic_names[kind]);
    uint32_t first = append_address(emitter, expr);
    for (uint32_t i = first; i < expr->arg_count; i++) {
        ag_strbuf_append(out, ", ");
        ag_wgsl_expr(emitter, expr->args[i], AG_IR_U32, false);
    }
    ag_strbuf_append_char(out, ')');
}

static void append_texel(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr)
{
    const struct ag_ir_resource *resource = &emitter->program->resources.data[expr->access->resource];
    const enum ag_ir_type type = ag_ir_resource_type(resource);
    if (!ag_wgsl_is_buffered_texture(resource)) {
        ag_wgsl_load_storage_texel(emitter, expr);
        return;
    }
    if (resource->wide)
        ag_strbuf_printf(&emitter->body, "bitcast<%s>(", ag_wgsl_type(type, 4));
    else /* the format has one component; the others are 0, 0, 1 */
        ag_strbuf_printf(&emitter->body, "%s(bitcast<%s>(", ag_wgsl_type(type, 4), ag_wgsl_type(type, 1));
    append_load_name(emitter, expr->access->resource, resource->wide ? 4 : 1);
    append_address(emitter, expr);
    ag_strbuf_append(&emitter->body, resource->wide ? "))" : ")), 0, 0, 1)");
}

/* A discarded invocation counts nothing; what it gets nobody sees. */
static void append_counter(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr)
{
    struct ag_strbuf *out = emitter->guards_writes ? &emitter->functions : &emitter->body;
    const uint32_t id = expr->access->resource, slot = emitter->program->resources.data[id].slot;
    const bool down = expr->access->decrement;
    const char *end = "";
    emitter->uses_counters = true;
    if (emitter->guards_writes) {
        ag_strbuf_printf(&emitter->body, "counter_%s_%u()", down ? "down" : "up", slot);
        if (!ag_wgsl_need(emitter, id, down ? AG_WGSL_COUNT_DOWN : AG_WGSL_COUNT_UP))
            return;
        ag_strbuf_printf(out,
                         "fn counter_%s_%u() -> u32 {\n"
                         "\tif (discarded != 0u) {\n"
                         "\t\treturn 0u;\n"
                         "\t}\n"
                         "\treturn ",
                         down ? "down" : "up", slot);
        end = ";\n}\n\n";
    }
    if (down)
        ag_strbuf_printf(out, "(atomicSub(&counters[%u], 1u) - 1u)%s", slot, end);
    else
        ag_strbuf_printf(out, "atomicAdd(&counters[%u], 1u)%s", slot, end);
}

void ag_wgsl_memory(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr)
{
    struct ag_strbuf *out = &emitter->body;
    const struct ag_ir_resource *resource = &emitter->program->resources.data[expr->access->resource];
    switch (expr->op) {
    case AG_IR_LOAD:
        append_load(emitter, expr);
        break;
    case AG_IR_LOAD_TEXEL:
        append_texel(emitter, expr);
        break;
    case AG_IR_ATOMIC:
        append_atomic(emitter, expr);
        break;
    case AG_IR_BUFFER_INFO:
        ag_strbuf_printf(out, "%s.%c", ag_wgsl_view(emitter, expr->access->resource),
                         resource->dimension == AGPU_DIMENSION_RAW_BUFFER ? 'y' : 'z');
        break;
    default:
        append_counter(emitter, expr);
        break;
    }
}
