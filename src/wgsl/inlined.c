/* SPDX-License-Identifier: MIT */
#include "wgsl/inlined.h"

#include <string.h>

#include "base/strbuf.h"
#include "base/vec.h"
#include "wgsl/binding.h"
#include "wgsl/expansion.h"

/* What is appended to the names that the parts in front of the producer declare. No other name has two
 * underscores. */
#define SUFFIX "__v"
#define HULL_SUFFIX "__h"

/* ---- Names of a part ---------------------------------------------------------------------------------- */

struct word {
    const char *text;
    size_t length;
};

/* The names that a part declares for the whole module. */
struct names {
    AG_VEC(struct word) words;
};

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_word(const struct word *word, const char *text)
{
    return word->length == strlen(text) && memcmp(word->text, text, word->length) == 0;
}

/* Takes the next word or single character. A number is one word, with its letters. */
static bool next_word(const char **at, struct word *word)
{
    const char *const text = *at;
    size_t length = *text != '\0';
    if (is_letter(*text) || (*text >= '0' && *text <= '9'))
        while (is_letter(text[length]) || (text[length] >= '0' && text[length] <= '9'))
            length++;
    *word = (struct word){text, length};
    *at += length;
    return length > 0;
}

static void skip_template(const char **at)
{
    if (**at == '<')
        *at = strchr(*at, '>') + 1;
    while (**at == ' ')
        ++*at;
}

static bool has_name(const struct names *names, const struct word *word)
{
    for (size_t i = 0; i < names->words.count; i++)
        if (names->words.data[i].length == word->length &&
            memcmp(names->words.data[i].text, word->text, word->length) == 0)
            return true;
    return false;
}

/* Finds the names of functions, variables, constants and structures at module scope. False when memory runs
 * out. */
static bool find_names(struct names *names, const char *text)
{
    uint32_t depth = 0;
    struct word word;
    for (const char *at = text; next_word(&at, &word);) {
        depth += *word.text == '{';
        depth -= *word.text == '}';
        if (depth > 0 || !(is_word(&word, "fn") || is_word(&word, "var") || is_word(&word, "const") ||
                           is_word(&word, "struct")))
            continue;
        skip_template(&at);
        if (next_word(&at, &word) && !ag_vec_push(&names->words, word))
            return false;
    }
    return true;
}

/* Appends a part's text with a suffix on its own names. Members, which follow a dot or are declared in a
 * structure, and attributes keep theirs. */
static void append_part(const char *text, const char *suffix, struct ag_strbuf *out)
{
    struct names names = {0};
    struct word word;
    char before = '\n';
    bool in_struct = false;
    if (!find_names(&names, text))
        out->failed = true;
    for (const char *at = text; next_word(&at, &word);) {
        const bool is_member = in_struct && *at == ':';
        ag_strbuf_append_bytes(out, word.text, word.length);
        if (is_letter(*word.text) && before != '.' && before != '@' && !is_member && has_name(&names, &word))
            ag_strbuf_append(out, suffix);
        in_struct = (in_struct || is_word(&word, "struct")) && *word.text != '}';
        before = word.text[word.length - 1];
    }
    ag_vec_fini(&names.words);
}

/* ---- Fetch -------------------------------------------------------------------------------------------- */

static uint32_t stream_count(const struct ag_inlined_options *options)
{
    uint32_t count = 0;
    for (uint32_t r = 0; r < AGPU_MAX_REGISTERS; r++)
        if (options->registers[r].bytes && options->registers[r].stream >= count)
            count = options->registers[r].stream + 1u;
    return count;
}

static void append_component(const struct ag_inlined_register *fetched, uint32_t c, struct ag_strbuf *out)
{
    const uint32_t shift = fetched->shift[c] & 31u, bits = fetched->bits[c];
    const uint32_t whole = bits < 32 ? (UINT32_C(1) << bits) - 1 : UINT32_MAX;
    char word[8] = "word0";
    word[4] = (char)('0' + fetched->shift[c] / 32);
    switch (bits ? (enum ag_inlined_number)fetched->number : AG_INLINED_NOTHING) {
    case AG_INLINED_NOTHING:
        ag_strbuf_append(out, c < 3 ? "0u" : fetched->is_float ? "0x3f800000u" : "1u");
        break;
    case AG_INLINED_BITS:
        ag_strbuf_append(out, word);
        break;
    case AG_INLINED_UINT:
        ag_strbuf_printf(out, "extractBits(%s, %uu, %uu)", word, shift, bits);
        break;
    case AG_INLINED_SINT:
        ag_strbuf_printf(out, "bitcast<u32>(extractBits(bitcast<i32>(%s), %uu, %uu))", word, shift, bits);
        break;
    case AG_INLINED_UNORM:
        ag_strbuf_printf(out, "normalized_bits(i32(extractBits(%s, %uu, %uu)), %u)", word, shift, bits,
                         whole);
        break;
    case AG_INLINED_SNORM:
        ag_strbuf_printf(out, "normalized_bits(extractBits(bitcast<i32>(%s), %uu, %uu), %u)", word, shift,
                         bits, whole >> 1);
        break;
    case AG_INLINED_HALF:
        ag_strbuf_printf(out, "bitcast<u32>(unpack2x16float(%s).%c)", word, shift ? 'y' : 'x');
        break;
    }
}

/* An element outside of its buffer, or in front of where the slot begins, is 0 in the components that its
 * format has (D3D11.3 8.19.2). */
static void write_fetch(const struct ag_inlined_options *options, uint32_t r, struct ag_strbuf *out)
{
    const struct ag_inlined_register *fetched = &options->registers[r];
    ag_strbuf_printf(out, "fn " AG_INLINED_FETCH "%u(number: u32) -> vec4<u32> {\n", r);
    if (!fetched->bytes) {
        ag_strbuf_append(out, "    return vec4<u32>();\n}\n\n");
        return;
    }
    ag_strbuf_printf(out,
                     "    let stream = assembly.streams[%u];\n"
                     "    let address = stream.x + stream.y * number;\n"
                     "    let inside = stream.z >= %uu && address - stream.w <= stream.z - %uu;\n",
                     r, fetched->bytes, fetched->bytes);
    for (uint32_t word = 0; word < (fetched->bytes + 3u) / 4; word++)
        ag_strbuf_printf(out, "    let word%u = select(0u, word_of_stream%u(address + %uu), inside);\n", word,
                         fetched->stream, 4 * word);
    ag_strbuf_append(out, "    return vec4<u32>(");
    for (uint32_t c = 0; c < 4; c++) {
        ag_strbuf_append(out, c > 0 ? ", " : "");
        append_component(fetched, c, out);
    }
    ag_strbuf_append(out, ");\n}\n\n");
}

static void write_word(const char *function, const char *buffer, bool is_aligned, struct ag_strbuf *out)
{
    ag_strbuf_printf(out, "fn %s(address: u32) -> u32 {\n", function);
    if (is_aligned)
        ag_strbuf_printf(out, "    return %s[address >> 2u];\n}\n\n", buffer);
    else
        ag_strbuf_printf(out,
                         "    let shift = (address & 3u) * 8u;\n"
                         "    let low = %s[address >> 2u];\n"
                         "    if (shift == 0u) { return low; }\n"
                         "    return (low >> shift) | (%s[(address >> 2u) + 1u] << (32u - shift));\n"
                         "}\n\n",
                         buffer, buffer);
}

static void write_fetches(const struct ag_inlined_options *options, struct ag_strbuf *out)
{
    static const char *const buffers[AG_INLINED_STREAMS][2] = {
        {"word_of_stream0", "stream0"},
        {"word_of_stream1", "stream1"},
        {"word_of_stream2", "stream2"},
        {"word_of_stream3", "stream3"},
    };
    for (uint32_t i = 0; i < stream_count(options); i++)
        write_word(buffers[i][0], buffers[i][1], options->is_aligned, out);
    ag_strbuf_append(out, "fn normalized_bits(value: i32, whole: i32) -> u32 {\n"
                          "    let quotient = f32(value) / f32(whole);\n"
                          "    return bitcast<u32>(select(select(quotient, 1.0, value == whole), -1.0, value "
                          "<= -whole));\n}\n\n");
    for (uint32_t r = 0; r < options->vertex->expansion.input_registers; r++)
        write_fetch(options, r, out);
    if (!options->index_bytes)
        return;
    write_word("word_of_index", "indices", false, out);
    ag_strbuf_printf(
        out,
        "fn index_at(position: u32) -> u32 {\n"
        "    let address = assembly.index_base + position * %uu;\n"
        "    let inside = assembly.index_limit >= %uu && address <= assembly.index_limit - %uu;\n"
        "    return select(0u, word_of_index(address)%s, inside);\n}\n\n",
        options->index_bytes, options->index_bytes, options->index_bytes,
        options->index_bytes == 2 ? " & 0xffffu" : "");
}

/* ---- Declarations ------------------------------------------------------------------------------------- */

uint32_t ag_inlined_primitives(const struct agpu_module *geometry, uint32_t vertices)
{
    const uint32_t most = geometry->expansion.max_vertices;
    return most < vertices ? 0 : most - (vertices - 1);
}

uint32_t ag_inlined_vertices(const struct ag_inlined_options *options)
{
    return options->hull ? options->hull->expansion.vertices : options->producer->expansion.vertices;
}

/* How many primitives an input primitive becomes, for each of its instances, and those. */
static uint32_t primitives_made(const struct ag_inlined_options *options, uint32_t vertices)
{
    return options->hull ? options->sides - 2u : ag_inlined_primitives(options->producer, vertices);
}

static uint32_t instances_of(const struct ag_inlined_options *options)
{
    return options->hull ? 1 : options->producer->expansion.instances;
}

static uint32_t at_least_1(uint32_t count)
{
    return count > 0 ? count : 1;
}

static void write_declarations(const struct ag_inlined_options *options, uint32_t vertices,
                               struct ag_strbuf *out)
{
    const struct agpu_expansion *vertex = &options->vertex->expansion;
    const struct agpu_expansion *producer = &options->producer->expansion;
    ag_strbuf_printf(out,
                     "struct Assembly {\n"
                     "    first: u32,\n"
                     "    is_instanced: u32,\n"
                     "    base_vertex: u32,\n"
                     "    index_base: u32,\n"
                     "    index_limit: u32,\n"
                     "    streams: array<vec4<u32>, %d>,\n"
                     "}\n"
                     "@group(%d) @binding(%d) var<uniform> assembly: Assembly;\n",
                     AGPU_MAX_REGISTERS, AG_GROUP_INTERNAL, AG_EXPAND_ASSEMBLY);
    if (options->index_bytes)
        ag_strbuf_printf(out, "@group(%d) @binding(%d) var<storage, read> indices: array<u32>;\n",
                         AG_GROUP_INTERNAL, AG_EXPAND_INDICES);
    for (uint32_t i = 0; i < stream_count(options); i++)
        ag_strbuf_printf(out, "@group(%d) @binding(%u) var<storage, read> stream%u: array<u32>;\n",
                         AG_GROUP_INTERNAL, AG_EXPAND_STREAM + i, i);
    ag_strbuf_printf(out,
                     "const " AG_INLINED_CORNERS " = %uu;\n"
                     "var<private> inputs: array<vec4<u32>, %u>;\n"
                     "var<private> " AG_INLINED_MADE ": array<vec4<u32>, %u>;\n"
                     "var<private> " AG_INLINED_EXISTS ": bool;\n\n",
                     vertices, at_least_1(ag_inlined_vertices(options) * vertex->record_registers),
                     at_least_1(producer->record_registers));
    if (options->hull)
        ag_strbuf_printf(out,
                         "var<private> patches: array<vec4<u32>, %u>;\n"
                         "var<private> factors: array<vec4<u32>, 2>;\n\n",
                         at_least_1(options->hull->expansion.patch_registers));
}

/* The place, from 1 on, of a corner of a strip's primitive `left`. Every second triangle has two vertices
 * swapped; the first vertex stays (D3D11.3 8.10). */
static void write_place(uint32_t vertices, struct ag_strbuf *out)
{
    ag_strbuf_append(out, "fn " AG_INLINED_PLACE "(left: u32, corner: u32) -> u32 {\n");
    if (vertices == 3)
        ag_strbuf_append(out,
                         "    return left + 1u + select(corner, 3u - corner, (left & 1u) != 0u && corner "
                         "!= 0u);\n}\n\n");
    else
        ag_strbuf_append(out, "    return left + 1u + corner;\n}\n\n");
}

/* Whether the tessellator has primitives of the patch: edge factors that are not above 0, or are no numbers,
 * cull it (D3D11.3 11.7). Bits of numbers above 0 compare like integers. */
static void write_patch_exists(const struct ag_inlined_options *options, struct ag_strbuf *out)
{
    ag_strbuf_printf(out,
                     "fn patch_exists() -> bool {\n"
                     "    let edges = bitcast<vec4<i32>>(factors[0]);\n"
                     "    let kept = (edges > vec4<i32>()) & (edges <= vec4<i32>(0x7f800000));\n"
                     "    return all(kept%s);\n}\n\n",
                     options->sides == 3 ? ".xyz" : "");
}

void ag_wgsl_write_inlined(const struct ag_inlined_options *options, uint32_t vertices, struct ag_strbuf *out)
{
    write_declarations(options, vertices, out);
    write_fetches(options, out);
    if (options->hull)
        write_patch_exists(options, out);
    else
        write_place(vertices, out);
    append_part(options->vertex->wgsl, SUFFIX, out);
    ag_strbuf_append_char(out, '\n');
    if (options->hull) {
        append_part(options->hull->wgsl, HULL_SUFFIX, out);
        ag_strbuf_append_char(out, '\n');
    }
    ag_strbuf_append(out, options->producer->wgsl);
    ag_strbuf_append_char(out, '\n');
}

/* ---- The call ----------------------------------------------------------------------------------------- */

/* The position in the draw of a corner of the input primitive. */
static void append_position(const struct ag_inlined_options *options, uint32_t corner, struct ag_strbuf *out)
{
    if (options->list_vertices)
        ag_strbuf_printf(out, "primitive * %uu + %uu", options->list_vertices, corner);
    else if (ag_inlined_vertices(options) == 3 && corner != 0)
        ag_strbuf_printf(out, "primitive + select(%uu, %uu, (primitive & 1u) != 0u)", corner, 3 - corner);
    else
        ag_strbuf_printf(out, "primitive + %uu", corner);
}

/* The corners of the triangles of a patch that is not divided, as points of its domain. */
static void append_domain_points(const struct ag_inlined_options *options, struct ag_strbuf *out)
{
    static const char *const quad[4] = {"0.0, 0.0", "1.0, 0.0", "1.0, 1.0", "0.0, 1.0"};
    static const char *const tri[3] = {"0.0, 1.0", "0.0, 0.0", "1.0, 0.0"};
    const uint32_t count = 3 * (options->sides - 2u);
    ag_strbuf_printf(out, "    var domain_points = array<vec2<f32>, %u>(", count);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t corner = options->is_counter_clockwise && i % 3 != 0 ? 3 - i % 3 : i % 3;
        const uint32_t point = options->sides == 3 || corner < 2 ? i / 3 + corner : 3;
        ag_strbuf_printf(out, "%svec2<f32>(%s)", i > 0 ? ", " : "",
                         options->sides == 3 ? tri[point] : quad[point]);
    }
    ag_strbuf_append(out, ");\n");
}

static void call_domain(const struct ag_inlined_options *options, struct ag_strbuf *out)
{
    append_domain_points(options, out);
    ag_strbuf_printf(out,
                     "    " AG_INLINED_FUNCTION HULL_SUFFIX "(primitive);\n"
                     "    " AG_INLINED_EXISTS " = patch_exists();\n"
                     "    if (" AG_INLINED_EXISTS ") {\n"
                     "        " AG_INLINED_FUNCTION "(primitive, domain_points[vertex_index %% %uu]);\n"
                     "    }\n",
                     3 * (options->sides - 2u));
}

void ag_wgsl_call_inlined(const struct ag_inlined_options *options, uint32_t vertices, struct ag_strbuf *out)
{
    const uint32_t each = primitives_made(options, vertices), instances = instances_of(options);
    ag_strbuf_printf(out,
                     "    " AG_INLINED_EXISTS " = false;\n"
                     "    let number = vertex_index / %uu;\n"
                     "    let invocation = number / %uu;\n"
                     "    let primitive = invocation / %uu;\n"
                     "    let is_instanced = assembly.is_instanced != 0u;\n"
                     "    let first = select(instance_index, assembly.first, is_instanced);\n"
                     "    let instance = select(0u, instance_index, is_instanced);\n",
                     vertices, each, instances);
    for (uint32_t v = 0; v < ag_inlined_vertices(options); v++) {
        ag_strbuf_printf(out, "    let position%u = ", v);
        append_position(options, v, out);
        ag_strbuf_append(out, ";\n    " AG_INLINED_REFILL SUFFIX "();\n");
        if (options->index_bytes)
            ag_strbuf_printf(out,
                             "    let vertex%u = index_at(first + position%u);\n"
                             "    " AG_INLINED_FUNCTION SUFFIX "(vertex%u, instance, vertex%u + "
                             "assembly.base_vertex, %uu);\n",
                             v, v, v, v, v * options->vertex->expansion.record_registers);
        else
            ag_strbuf_printf(out,
                             "    " AG_INLINED_FUNCTION SUFFIX "(position%u, instance, first + position%u, "
                             "%uu);\n",
                             v, v, v * options->vertex->expansion.record_registers);
    }
    if (options->hull)
        call_domain(options, out);
    else
        ag_strbuf_printf(out,
                         "    " AG_INLINED_FUNCTION
                         "(primitive, invocation %% %uu, number %% %uu, vertex_index "
                         "%% %uu);\n",
                         instances, each, vertices);
}

/* ---- Reflection --------------------------------------------------------------------------------------- */

static struct agpu_binding binding_of(uint32_t binding, enum agpu_binding_kind kind, uint64_t bytes)
{
    return (struct agpu_binding){
        .group = AG_GROUP_INTERNAL,
        .binding = (uint16_t)binding,
        .kind = (uint8_t)kind,
        .space = AGPU_SPACE_INTERNAL,
        .bytes = bytes,
    };
}

static uint32_t reflect_own(const struct ag_inlined_options *options, struct agpu_binding *bindings)
{
    uint32_t count = 0;
    bindings[count++] = binding_of(AG_EXPAND_ASSEMBLY, AGPU_BIND_UNIFORM_BUFFER, AG_INLINED_BLOCK_BYTES);
    if (options->index_bytes)
        bindings[count++] = binding_of(AG_EXPAND_INDICES, AGPU_BIND_STORAGE_BUFFER_READ, 4);
    for (uint32_t i = 0; i < stream_count(options); i++)
        bindings[count++] = binding_of(AG_EXPAND_STREAM + i, AGPU_BIND_STORAGE_BUFFER_READ, 4);
    return count;
}

/* Dynamic offsets go by the numbers of bindings. */
uint32_t ag_wgsl_reflect_inlined(const struct ag_inlined_options *options, struct agpu_binding *bindings)
{
    const struct agpu_module *producer = options->producer;
    uint32_t count = 0, i = 0;
    for (; i < producer->binding_count && producer->bindings[i].binding < AG_BINDING_INTERNAL; i++)
        bindings[count++] = producer->bindings[i];
    count += reflect_own(options, &bindings[count]);
    for (; i < producer->binding_count; i++)
        if (producer->bindings[i].binding != AG_BINDING_DRAW_BLOCK)
            bindings[count++] = producer->bindings[i];
    return count;
}
