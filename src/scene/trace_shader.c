/* SPDX-License-Identifier: MIT
 *
 * Transcodes shaders of traces, which have a token encoding of their own: lengths and controls have changed
 * places, so have types and components, opcodes have other numbers, and declarations carry no information.
 * The declarations are derived from what a shader uses, and the listing assembler makes the container.
 */
#include <stdarg.h>
#include <stdlib.h>

#include "aerogpu/dxbc.h"
#include "base/bytes.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "scene/trace.h"

#define CONTAINER_HEADER_BYTES 32u
#define ELEMENT_BYTES 24u
#define MAX_REGISTERS 32u
#define MAX_TEMPS 4096u
#define MAX_CBUFFERS 14u
#define MAX_CBUFFER_REGISTERS 4096u
#define FIRST_DECLARATION 256u
#define ALL_COMPONENTS 15u

/* The operands of an opcode, one letter each: D destination, S source, C condition, T texture, P sampler. */
struct dialect_opcode {
    uint16_t number;
    const char *mnemonic, *operands;
};

static const struct dialect_opcode opcodes[] = {
    {1,  "mov",    "DS"  },
    {2,  "add",    "DSS" },
    {4,  "mad",    "DSSS"},
    {5,  "mul",    "DSS" },
    {9,  "dp4",    "DSS" },
    {12, "lt",     "DSS" },
    {28, "movc",   "DSSS"},
    {40, "if",     "C"   },
    {41, "else",   ""    },
    {42, "endif",  ""    },
    {62, "ret",    ""    },
    {69, "sample", "DSTP"},
    {76, "ld",     "DST" },
};

/* System values by the names of their semantics. */
static const struct system_name {
    const char *semantic, *word;
    bool is_integer;
} system_names[] = {
    {"SV_Position",    "position",      false},
    {"SV_PrimitiveID", "primitive_id",  true },
    {"SV_VertexID",    "vertex_id",     true },
    {"SV_InstanceID",  "instance_id",   true },
    {"SV_IsFrontFace", "is_front_face", true },
};

struct element {
    const char *name; /* of the semantic, NUL-terminated in the container; null: there is no element */
    uint32_t index, mask;
};

struct transcoder {
    const uint8_t *data;
    size_t size;
    const struct agpu_diag_sink *sink;
    bool refused;

    enum agpu_stage stage;
    uint32_t model;
    const uint8_t *tokens; /* the tokens behind version and length */
    uint32_t token_count, at;
    struct element inputs[MAX_REGISTERS], outputs[MAX_REGISTERS];

    uint32_t inputs_read[MAX_REGISTERS], outputs_written[MAX_REGISTERS]; /* components */
    uint32_t temps, cbuffer_registers[MAX_CBUFFERS];
    uint32_t textures, samplers; /* bits */
    struct ag_strbuf body;
};

static uint32_t AG_PRINTF(2, 3) refuse(struct transcoder *transcoder, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (!transcoder->refused)
        ag_report_va(transcoder->sink, AGPU_DIAG_SCENE_TRACE_SHADER, AGPU_ERROR, ag_place_none(), format,
                     arguments);
    va_end(arguments);
    transcoder->refused = true;
    return 0;
}

/* ---- The container ------------------------------------------------------------------------------------- */

/* Finds the data of a chunk. Chunks of this dialect may begin at any byte. */
static const uint8_t *find_chunk(const struct transcoder *transcoder, uint32_t fourcc, uint32_t *size)
{
    if (transcoder->size < CONTAINER_HEADER_BYTES)
        return NULL;
    const uint32_t count = ag_load_u32(transcoder->data + 28);
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t entry = CONTAINER_HEADER_BYTES + (uint64_t)i * 4;
        if (!ag_range_fits(entry, 4, transcoder->size))
            return NULL;
        const uint32_t offset = ag_load_u32(transcoder->data + entry);
        if (!ag_range_fits(offset, 8, transcoder->size) || ag_load_u32(transcoder->data + offset) != fourcc)
            continue;
        *size = ag_load_u32(transcoder->data + offset + 4);
        return ag_range_fits((uint64_t)offset + 8, *size, transcoder->size) ? transcoder->data + offset + 8
                                                                            : NULL;
    }
    return NULL;
}

static bool read_element(struct transcoder *transcoder, const uint8_t *chunk, uint32_t size,
                         const uint8_t *record, struct element *elements)
{
    const uint32_t name = ag_load_u32(record), reg = ag_load_u32(record + 16);
    if (name >= size || memchr(chunk + name, 0, size - name) == NULL || reg >= MAX_REGISTERS)
        return refuse(transcoder, "a signature names register %u, or has no name", reg);
    elements[reg] = (struct element){
        .name = (const char *)chunk + name,
        .index = ag_load_u32(record + 4),
        .mask = ag_load_u32(record + 20) & ALL_COMPONENTS,
    };
    /* The name becomes a word of a listing, so it must look like one. */
    for (const char *c = elements[reg].name; *c != '\0'; c++) {
        const bool letter = (*c >= 'A' && *c <= 'Z') || (*c >= 'a' && *c <= 'z') || *c == '_';
        if (!letter)
            return refuse(transcoder, "a semantic's name has other characters than letters");
    }
    return elements[reg].name[0] != '\0' || refuse(transcoder, "a semantic has no name");
}

static void read_signature(struct transcoder *transcoder, uint32_t fourcc, struct element *elements)
{
    uint32_t size;
    const uint8_t *chunk = find_chunk(transcoder, fourcc, &size);
    if (chunk == NULL)
        return;
    const uint32_t count = size >= 8 ? ag_load_u32(chunk) : 0;
    if (count > MAX_REGISTERS || !ag_range_fits(8, (uint64_t)count * ELEMENT_BYTES, size)) {
        refuse(transcoder, "a signature of %u elements does not fit its chunk", count);
        return;
    }
    for (uint32_t i = 0; i < count && !transcoder->refused; i++)
        read_element(transcoder, chunk, size, chunk + 8 + (size_t)i * ELEMENT_BYTES, elements);
}

static void read_program(struct transcoder *transcoder)
{
    uint32_t size;
    const uint8_t *chunk = find_chunk(transcoder, AGPU_FOURCC('S', 'H', 'D', 'R'), &size);
    if (chunk == NULL)
        chunk = find_chunk(transcoder, AGPU_FOURCC('S', 'H', 'E', 'X'), &size);
    if (chunk == NULL || size < 8) {
        refuse(transcoder, "the container has no program");
        return;
    }
    const uint32_t version = ag_load_u32(chunk), length = ag_load_u32(chunk + 4);
    transcoder->stage = (enum agpu_stage)(version >> 16);
    transcoder->model = version & 0xff;
    if (version >> 16 > AGPU_STAGE_VERTEX || (transcoder->model != 0x40 && transcoder->model != 0x50)) {
        refuse(transcoder, "version token 0x%08x is no vertex or pixel shader of model 4.0 or 5.0", version);
        return;
    }
    if (length < 2 || length > size / 4) {
        refuse(transcoder, "a program of %u tokens does not fit its chunk of %u bytes", length, size);
        return;
    }
    transcoder->tokens = chunk + 8;
    transcoder->token_count = length - 2;
}

/* ---- Operands ------------------------------------------------------------------------------------------ */

static uint32_t next_token(struct transcoder *transcoder)
{
    if (transcoder->at >= transcoder->token_count)
        return refuse(transcoder, "an instruction passes the end of the program");
    return ag_load_u32(transcoder->tokens + (size_t)transcoder->at++ * 4);
}

static void print_components(struct ag_strbuf *out, uint32_t mask)
{
    ag_strbuf_append_char(out, '.');
    for (uint32_t c = 0; c < 4; c++) {
        if ((mask >> c & 1) != 0)
            ag_strbuf_append_char(out, "xyzw"[c]);
    }
}

/* Reads the swizzle of a source. In the dialect, a mask stands for the swizzle xyzw. */
static uint32_t swizzle_of(uint32_t token)
{
    const uint32_t mode = token >> 2 & 3, bits = token >> 12 & 0xff;
    if (mode == AGPU_SELECT_SWIZZLE)
        return bits;
    return mode == AGPU_SELECT_ONE ? (bits & 3) * 0x55 : 0xe4;
}

static void print_swizzle(struct transcoder *transcoder, uint32_t swizzle, uint32_t present, uint32_t *read)
{
    uint32_t first = 0;
    while (first < 3 && (present >> first & 1) == 0)
        first++;
    ag_strbuf_append_char(&transcoder->body, '.');
    for (uint32_t lane = 0; lane < 4; lane++) {
        uint32_t component = swizzle >> (lane * 2) & 3;
        if ((present >> component & 1) == 0)
            component = first;
        *read |= 1u << component;
        ag_strbuf_append_char(&transcoder->body, "xyzw"[component]);
    }
}

static void print_immediate(struct transcoder *transcoder, uint32_t token)
{
    const uint32_t count = (token & 3) == 1 ? 1 : 4;
    ag_strbuf_append(&transcoder->body, "l(");
    for (uint32_t i = 0; i < count; i++)
        ag_strbuf_printf(&transcoder->body, "%s0x%08x", i != 0 ? ", " : "", next_token(transcoder));
    ag_strbuf_append(&transcoder->body, ")");
}

/* Reads the index of an operand, which must be below `limit`. */
static uint32_t read_index(struct transcoder *transcoder, uint32_t limit)
{
    const uint32_t index = next_token(transcoder);
    if (index >= limit)
        return refuse(transcoder, "register %u is past the last one, %u", index, limit - 1);
    return index;
}

static void print_constant(struct transcoder *transcoder, uint32_t token)
{
    uint32_t read = 0;
    const uint32_t slot = read_index(transcoder, MAX_CBUFFERS);
    const uint32_t reg = read_index(transcoder, MAX_CBUFFER_REGISTERS);
    if (transcoder->cbuffer_registers[slot] <= reg)
        transcoder->cbuffer_registers[slot] = reg + 1;
    ag_strbuf_printf(&transcoder->body, "cb%u[%u]", slot, reg);
    print_swizzle(transcoder, swizzle_of(token), ALL_COMPONENTS, &read);
}

static uint32_t input_mask(const struct transcoder *transcoder, uint32_t reg)
{
    /* A vertex shader may read components that the layout does not have: the input assembler fills them up.
     */
    return transcoder->stage == AGPU_STAGE_VERTEX ? ALL_COMPONENTS : transcoder->inputs[reg].mask;
}

static void print_source(struct transcoder *transcoder, uint32_t token)
{
    uint32_t read = 0, reg;
    switch (token >> 4 & 0xff) {
    case AGPU_OPERAND_IMMEDIATE32:
        print_immediate(transcoder, token);
        break;
    case AGPU_OPERAND_CONSTANT_BUFFER:
        print_constant(transcoder, token);
        break;
    case AGPU_OPERAND_TEMP:
        reg = read_index(transcoder, MAX_TEMPS);
        transcoder->temps = transcoder->temps > reg ? transcoder->temps : reg + 1;
        ag_strbuf_printf(&transcoder->body, "r%u", reg);
        print_swizzle(transcoder, swizzle_of(token), ALL_COMPONENTS, &read);
        break;
    case AGPU_OPERAND_INPUT:
        reg = read_index(transcoder, MAX_REGISTERS);
        if (transcoder->inputs[reg].name == NULL) {
            refuse(transcoder, "input v%u is not in the signature", reg);
            break;
        }
        ag_strbuf_printf(&transcoder->body, "v%u", reg);
        print_swizzle(transcoder, swizzle_of(token), input_mask(transcoder, reg),
                      &transcoder->inputs_read[reg]);
        break;
    default:
        refuse(transcoder, "operands of type %u are not known as sources", token >> 4 & 0xff);
        break;
    }
}

static void print_destination(struct transcoder *transcoder, uint32_t token)
{
    const uint32_t type = token >> 4 & 0xff;
    uint32_t mask = token >> 12 & ALL_COMPONENTS, reg;
    if (type == AGPU_OPERAND_TEMP) {
        reg = read_index(transcoder, MAX_TEMPS);
        transcoder->temps = transcoder->temps > reg ? transcoder->temps : reg + 1;
    } else if (type == AGPU_OPERAND_OUTPUT) {
        reg = read_index(transcoder, MAX_REGISTERS);
        mask &= transcoder->outputs[reg].mask;
        transcoder->outputs_written[reg] |= mask;
    } else {
        refuse(transcoder, "operands of type %u are not known as destinations", type);
        return;
    }
    if ((token >> 2 & 3) != AGPU_SELECT_MASK || mask == 0)
        refuse(transcoder, "a destination writes no component that is there");
    ag_strbuf_printf(&transcoder->body, "%c%u", type == AGPU_OPERAND_TEMP ? 'r' : 'o', reg);
    print_components(&transcoder->body, mask);
}

static void print_slot(struct transcoder *transcoder, uint32_t token, bool is_sampler)
{
    const uint32_t type = is_sampler ? AGPU_OPERAND_SAMPLER : AGPU_OPERAND_RESOURCE;
    if ((token >> 4 & 0xff) != type)
        refuse(transcoder, "operands of type %u are no %s", token >> 4 & 0xff,
               is_sampler ? "sampler" : "resource");
    const uint32_t slot = read_index(transcoder, is_sampler ? 16 : 32);
    if (is_sampler)
        transcoder->samplers |= 1u << slot;
    else
        transcoder->textures |= 1u << slot;
    ag_strbuf_printf(&transcoder->body, is_sampler ? "s%u" : "t%u.xyzw", slot);
}

static void print_operand(struct transcoder *transcoder, char kind)
{
    const uint32_t token = next_token(transcoder);
    if (token >> 31 != 0)
        refuse(transcoder, "an operand has an extended token");
    else if (kind == 'D')
        print_destination(transcoder, token);
    else if (kind == 'S' || kind == 'C')
        print_source(transcoder, token);
    else
        print_slot(transcoder, token, kind == 'P');
}

/* ---- Instructions -------------------------------------------------------------------------------------- */

static const struct dialect_opcode *find_opcode(uint32_t number)
{
    for (size_t i = 0; i < AG_COUNT_OF(opcodes); i++) {
        if (opcodes[i].number == number)
            return &opcodes[i];
    }
    return NULL;
}

/* A condition reads one component; the dialect writes it as a swizzle of four equal components. */
static void narrow_condition(struct transcoder *transcoder)
{
    struct ag_strbuf *body = &transcoder->body;
    if (body->length > 5 && body->data[body->length - 5] == '.') {
        body->length -= 3;
        body->data[body->length] = '\0';
    }
}

static void print_instruction(struct transcoder *transcoder)
{
    const uint32_t start = transcoder->at, token = next_token(transcoder);
    const uint32_t number = token & 0x7ff, length = token >> 11 & 0x1fff;
    const struct dialect_opcode *opcode = find_opcode(number);
    if (length == 0 || length > transcoder->token_count - start) {
        refuse(transcoder, "an instruction of %u tokens does not fit the program", length);
        return;
    }
    if (number >= FIRST_DECLARATION) {
        transcoder->at = start + length;
        return;
    }
    if (opcode == NULL) {
        refuse(transcoder, "opcode %u of the trace dialect is not known", number);
        return;
    }
    const bool saturate = token >> 31 != 0 && (next_token(transcoder) >> 13 & 1) != 0;
    ag_strbuf_append(&transcoder->body, opcode->mnemonic);
    if (opcode->operands[0] == 'C')
        ag_strbuf_append(&transcoder->body, (token >> 24 & 1) != 0 ? "_nz" : "_z");
    if (saturate)
        ag_strbuf_append(&transcoder->body, "_sat");
    for (const char *kind = opcode->operands; *kind != '\0' && !transcoder->refused; kind++) {
        ag_strbuf_append(&transcoder->body, kind == opcode->operands ? " " : ", ");
        print_operand(transcoder, *kind);
        if (*kind == 'C')
            narrow_condition(transcoder);
    }
    ag_strbuf_append_char(&transcoder->body, '\n');
    if (transcoder->at != start + length)
        refuse(transcoder, "%s has %u tokens instead of %u", opcode->mnemonic, length,
               transcoder->at - start);
}

/* ---- Declarations -------------------------------------------------------------------------------------- */

static const struct system_name *find_system_name(const char *semantic)
{
    for (size_t i = 0; i < AG_COUNT_OF(system_names); i++) {
        if (ag_same_word(system_names[i].semantic, semantic))
            return &system_names[i];
    }
    return NULL;
}

static void print_element(struct ag_strbuf *out, const char *directive, char file, uint32_t reg,
                          const struct element *element, uint32_t mask)
{
    const struct system_name *system = find_system_name(element->name);
    ag_strbuf_printf(out, "%s %s%u %c%u", directive, element->name, element->index, file, reg);
    print_components(out, mask);
    ag_strbuf_printf(out, " %s", system != NULL && system->is_integer ? "uint" : "float");
    if (system != NULL)
        ag_strbuf_printf(out, " %s", system->word);
    ag_strbuf_append_char(out, '\n');
}

static void print_signatures(const struct transcoder *transcoder, struct ag_strbuf *out)
{
    for (uint32_t i = 0; i < MAX_REGISTERS; i++) {
        if (transcoder->inputs[i].name != NULL)
            print_element(out, ".in", 'v', i, &transcoder->inputs[i], input_mask(transcoder, i));
    }
    for (uint32_t i = 0; i < MAX_REGISTERS; i++) {
        if (transcoder->outputs[i].name != NULL)
            print_element(out, ".out", 'o', i, &transcoder->outputs[i], transcoder->outputs[i].mask);
    }
}

static void declare_input(const struct transcoder *transcoder, uint32_t reg, struct ag_strbuf *out)
{
    const struct system_name *system = find_system_name(transcoder->inputs[reg].name);
    const bool pixel = transcoder->stage == AGPU_STAGE_PIXEL;
    const bool position = system != NULL && !system->is_integer;
    ag_strbuf_append(out, pixel ? "dcl_input_ps" : "dcl_input");
    if (system != NULL)
        ag_strbuf_append(out, pixel && position ? "_siv" : "_sgv");
    if (pixel)
        ag_strbuf_append(out, position ? " linear noperspective" : system != NULL ? " constant" : " linear");
    ag_strbuf_printf(out, " v%u", reg);
    print_components(out, transcoder->inputs_read[reg]);
    if (system != NULL)
        ag_strbuf_printf(out, ", %s", system->word);
    ag_strbuf_append_char(out, '\n');
}

static void declare_output(const struct transcoder *transcoder, uint32_t reg, struct ag_strbuf *out)
{
    const struct system_name *system = find_system_name(transcoder->outputs[reg].name);
    ag_strbuf_printf(out, "dcl_output%s o%u", system != NULL ? "_siv" : "", reg);
    print_components(out, transcoder->outputs_written[reg]);
    if (system != NULL)
        ag_strbuf_printf(out, ", %s", system->word);
    ag_strbuf_append_char(out, '\n');
}

static void print_declarations(const struct transcoder *transcoder, struct ag_strbuf *out)
{
    for (uint32_t i = 0; i < MAX_CBUFFERS; i++) {
        if (transcoder->cbuffer_registers[i] != 0)
            ag_strbuf_printf(out, "dcl_constantbuffer cb%u[%u], immediateIndexed\n", i,
                             transcoder->cbuffer_registers[i]);
    }
    for (uint32_t i = 0; i < 16; i++) {
        if ((transcoder->samplers >> i & 1) != 0)
            ag_strbuf_printf(out, "dcl_sampler s%u, mode_default\n", i);
    }
    for (uint32_t i = 0; i < 32; i++) {
        if ((transcoder->textures >> i & 1) != 0)
            ag_strbuf_printf(out, "dcl_resource_texture2d (float,float,float,float) t%u\n", i);
    }
    for (uint32_t i = 0; i < MAX_REGISTERS; i++) {
        if (transcoder->inputs_read[i] != 0)
            declare_input(transcoder, i, out);
    }
    for (uint32_t i = 0; i < MAX_REGISTERS; i++) {
        if (transcoder->outputs_written[i] != 0)
            declare_output(transcoder, i, out);
    }
    if (transcoder->temps != 0)
        ag_strbuf_printf(out, "dcl_temps %u\n", transcoder->temps);
}

enum agpu_status scene_transcode_shader(const void *data, size_t size, const struct agpu_diag_sink *sink,
                                        uint8_t **bytes, size_t *byte_count)
{
    struct transcoder transcoder = {.data = data, .size = size, .sink = sink};
    struct ag_strbuf text = {0};
    read_program(&transcoder);
    read_signature(&transcoder, AGPU_FOURCC('I', 'S', 'G', 'N'), transcoder.inputs);
    read_signature(&transcoder, AGPU_FOURCC('O', 'S', 'G', 'N'), transcoder.outputs);
    while (!transcoder.refused && transcoder.at < transcoder.token_count)
        print_instruction(&transcoder);
    enum agpu_status status = AGPU_REFUSED;
    if (!transcoder.refused) {
        ag_strbuf_printf(&text, "%s_%u_0\n", agpu_stage_name(transcoder.stage), transcoder.model >> 4);
        print_signatures(&transcoder, &text);
        print_declarations(&transcoder, &text);
        ag_strbuf_append(&text, ag_strbuf_text(&transcoder.body));
        status = text.failed || transcoder.body.failed
                     ? ag_report_no_memory(sink)
                     : agpu_assemble(text.data, text.length, sink, bytes, byte_count);
    }
    ag_strbuf_fini(&text);
    ag_strbuf_fini(&transcoder.body);
    return status;
}
