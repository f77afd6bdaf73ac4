/* SPDX-License-Identifier: MIT
 *
 * Makes signatures for a bare token stream from what a driver gets beside the stream (dxbc-format 7).
 */
#include "dxbc/driver_signature.h"

#include <inttypes.h>

#include "base/bytes.h"
#include "dxbc/operand_info.h"
#include "dxbc/signature.h"
#include "dxbc/signature_text.h"

#define ENTRY_BYTES_10 12
#define ENTRY_BYTES_11_1 20
#define REGISTERS 32 /* in a register file */

bool agpu_driver_elements_read(const void *data, uint32_t count, uint32_t entry_bytes,
                               struct agpu_driver_element *elements)
{
    if (entry_bytes != ENTRY_BYTES_10 && entry_bytes != ENTRY_BYTES_11_1)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *entry = (const uint8_t *)data + (size_t)i * entry_bytes;
        elements[i] = (struct agpu_driver_element){
            .system_value = ag_load_u32(entry),
            .register_index = ag_load_u32(entry + 4),
            .mask = entry[8],
        };
        if (entry_bytes == ENTRY_BYTES_10)
            continue;
        elements[i].stream = entry[9];
        elements[i].component_type = ag_load_u32(entry + 12);
        elements[i].min_precision = ag_load_u32(entry + 16);
    }
    return true;
}

/* ---- Sets --------------------------------------------------------------------------------------------- */

static bool copy_signature(struct ag_arena *arena, const struct agpu_signature *from,
                           struct agpu_signature *to)
{
    struct agpu_signature_element *elements =
        AG_ARENA_ARRAY(arena, struct agpu_signature_element, from->count);
    if (elements == NULL)
        return false;
    for (uint32_t i = 0; i < from->count; i++) {
        elements[i] = from->elements[i];
        elements[i].semantic_name = ag_arena_strdup(arena, from->elements[i].semantic_name);
        if (elements[i].semantic_name == NULL)
            return false;
    }
    *to = (struct agpu_signature){elements, from->count};
    return true;
}

bool ag_signature_set_copy(struct ag_arena *arena, const struct agpu_signature_set *set,
                           struct agpu_shader *shader)
{
    return copy_signature(arena, &set->input, &shader->input) &&
           copy_signature(arena, &set->output, &shader->output) &&
           copy_signature(arena, &set->patch_constant, &shader->patch_constant);
}

/* ---- What driver signatures leave out ----------------------------------------------------------------- */

/* By name token: the system value that signatures use, and the semantic name. */
static const struct {
    uint8_t system_value; /* enum agpu_system_value */
    const char *semantic;
} name_tokens[AGPU_NAME_COUNT] = {
    [AGPU_NAME_UNDEFINED] = {AGPU_SV_NONE,                      NULL                       },
    [AGPU_NAME_POSITION] = {AGPU_SV_POSITION,                  "SV_Position"              },
    [AGPU_NAME_CLIP_DISTANCE] = {AGPU_SV_CLIP_DISTANCE,             "SV_ClipDistance"          },
    [AGPU_NAME_CULL_DISTANCE] = {AGPU_SV_CULL_DISTANCE,             "SV_CullDistance"          },
    [AGPU_NAME_RENDER_TARGET_ARRAY_INDEX] = {AGPU_SV_RENDER_TARGET_ARRAY_INDEX, "SV_RenderTargetArrayIndex"},
    [AGPU_NAME_VIEWPORT_ARRAY_INDEX] = {AGPU_SV_VIEWPORT_ARRAY_INDEX,      "SV_ViewportArrayIndex"    },
    [AGPU_NAME_VERTEX_ID] = {AGPU_SV_VERTEX_ID,                 "SV_VertexID"              },
    [AGPU_NAME_PRIMITIVE_ID] = {AGPU_SV_PRIMITIVE_ID,              "SV_PrimitiveID"           },
    [AGPU_NAME_INSTANCE_ID] = {AGPU_SV_INSTANCE_ID,               "SV_InstanceID"            },
    [AGPU_NAME_IS_FRONT_FACE] = {AGPU_SV_IS_FRONT_FACE,             "SV_IsFrontFace"           },
    [AGPU_NAME_SAMPLE_INDEX] = {AGPU_SV_SAMPLE_INDEX,              "SV_SampleIndex"           },
    [11] = {AGPU_SV_QUAD_EDGE_TESS_FACTOR,     "SV_TessFactor"            },
    [12] = {AGPU_SV_QUAD_EDGE_TESS_FACTOR,     "SV_TessFactor"            },
    [13] = {AGPU_SV_QUAD_EDGE_TESS_FACTOR,     "SV_TessFactor"            },
    [14] = {AGPU_SV_QUAD_EDGE_TESS_FACTOR,     "SV_TessFactor"            },
    [15] = {AGPU_SV_QUAD_INSIDE_TESS_FACTOR,   "SV_InsideTessFactor"      },
    [16] = {AGPU_SV_QUAD_INSIDE_TESS_FACTOR,   "SV_InsideTessFactor"      },
    [17] = {AGPU_SV_TRI_EDGE_TESS_FACTOR,      "SV_TessFactor"            },
    [18] = {AGPU_SV_TRI_EDGE_TESS_FACTOR,      "SV_TessFactor"            },
    [19] = {AGPU_SV_TRI_EDGE_TESS_FACTOR,      "SV_TessFactor"            },
    [20] = {AGPU_SV_TRI_INSIDE_TESS_FACTOR,    "SV_InsideTessFactor"      },
    [21] = {AGPU_SV_LINE_DETAIL_TESS_FACTOR,   "SV_TessFactor"            },
    [22] = {AGPU_SV_LINE_DENSITY_TESS_FACTOR,  "SV_TessFactor"            },
};

uint32_t ag_system_value_of_name(uint32_t name)
{
    return name_tokens[name].system_value;
}

static const struct {
    uint8_t type;
    const char *semantic;
    uint8_t component_type;
} special_outputs[] = {
    {AGPU_OPERAND_OUTPUT_DEPTH,               "SV_Depth",             AGPU_COMPONENT_FLOAT},
    {AGPU_OPERAND_OUTPUT_DEPTH_GREATER_EQUAL, "SV_DepthGreaterEqual", AGPU_COMPONENT_FLOAT},
    {AGPU_OPERAND_OUTPUT_DEPTH_LESS_EQUAL,    "SV_DepthLessEqual",    AGPU_COMPONENT_FLOAT},
    {AGPU_OPERAND_OUTPUT_COVERAGE_MASK,       "SV_Coverage",          AGPU_COMPONENT_UINT },
    {AGPU_OPERAND_OUTPUT_STENCIL_REF,         "SV_StencilRef",        AGPU_COMPONENT_UINT },
};

struct converter {
    struct agpu_shader *shader;
    const struct agpu_diag_sink *sink;
    bool outputs, patch;
    uint32_t specials; /* outputs without a register, counted so far */
    uint8_t types[REGISTERS];
};

/* Counts the outputs without a register in the order of their declarations. */
static size_t special_output(const struct agpu_program *program, uint32_t number)
{
    if (number >= AG_COUNT_OF(special_outputs))
        return AG_COUNT_OF(special_outputs);
    for (uint32_t i = 0; i < program->instruction_count; i++) {
        if (program->instructions[i].opcode != AGPU_OP_DCL_OUTPUT)
            continue;
        for (size_t j = 0; j < AG_COUNT_OF(special_outputs); j++)
            if (special_outputs[j].type == program->instructions[i].operands[0].type && number-- == 0)
                return j;
    }
    return AG_COUNT_OF(special_outputs);
}

static uint32_t first_component(uint8_t mask)
{
    uint32_t component = 0;
    while (component < 3 && (mask >> component & 1) == 0)
        component++;
    return component;
}

/* A register may hold several elements, so an element that does not begin at x gets a name with its
 * component. */
static const char *register_name(uint8_t mask)
{
    static const char *const names[] = {"ATTRIBUTE", "ATTRIBUTE_Y", "ATTRIBUTE_Z", "ATTRIBUTE_W"};
    return names[first_component(mask)];
}

/* Whether the operand is in the register file that the signature describes. */
static bool is_register(const struct converter *converter, const struct agpu_operand *operand,
                        bool destination)
{
    if (destination)
        return converter->outputs && operand->type == AGPU_OPERAND_OUTPUT;
    if (converter->outputs)
        return false;
    if (converter->patch)
        return operand->type == AGPU_OPERAND_INPUT_PATCH_CONSTANT;
    return operand->type == AGPU_OPERAND_INPUT || operand->type == AGPU_OPERAND_INPUT_CONTROL_POINT;
}

/* The type by use: float if any use is a float, otherwise that of the first integer use. A move has no
 * type. */
static uint32_t find_type(const struct converter *converter, uint32_t register_index)
{
    const struct agpu_program *program = &converter->shader->program;
    uint32_t type = AGPU_COMPONENT_UNKNOWN;
    for (uint32_t i = 0; i < program->instruction_count; i++) {
        const struct agpu_instruction *instruction = &program->instructions[i];
        const struct agpu_opcode_info *info = agpu_opcode_info(instruction->opcode);
        if (info->flags & AGPU_OPF_DECLARATION)
            continue;
        for (uint32_t j = 0; j < instruction->operand_count; j++) {
            const struct agpu_operand *operand = &instruction->operands[j];
            const char kind = info->operands[3 * j + 1];
            if (!is_register(converter, operand, j < info->destination_count) ||
                operand->index[operand->index_count - 1].immediate != register_index)
                continue;
            if (kind == 'f')
                return AGPU_COMPONENT_FLOAT;
            if (type == AGPU_COMPONENT_UNKNOWN && kind == 'i')
                type = AGPU_COMPONENT_SINT;
            if (type == AGPU_COMPONENT_UNKNOWN && (kind == 'u' || kind == 'B'))
                type = AGPU_COMPONENT_UINT;
        }
    }
    return type == AGPU_COMPONENT_UNKNOWN ? AGPU_COMPONENT_FLOAT : type;
}

/* Caches the type of each register. */
static uint32_t type_from_use(struct converter *converter, uint32_t register_index)
{
    if (register_index >= REGISTERS)
        return AGPU_COMPONENT_FLOAT;
    if (converter->types[register_index] == AGPU_COMPONENT_UNKNOWN)
        converter->types[register_index] = (uint8_t)find_type(converter, register_index);
    return converter->types[register_index];
}

static uint32_t type_of_system_value(uint32_t system_value)
{
    const bool integer =
        system_value >= AGPU_SV_RENDER_TARGET_ARRAY_INDEX && system_value <= AGPU_SV_SAMPLE_INDEX;
    return integer ? AGPU_COMPONENT_UINT : AGPU_COMPONENT_FLOAT;
}

/* ---- Conversion --------------------------------------------------------------------------------------- */

static bool check_element(const struct converter *converter, uint32_t number,
                          const struct agpu_driver_element *from)
{
    const char *problem = NULL;
    if (from->system_value >= AGPU_NAME_COUNT)
        problem = "an unknown system value";
    else if (from->mask > 0xf)
        problem = "a mask of more than four components";
    else if (from->component_type > AGPU_COMPONENT_FLOAT)
        problem = "an unknown component type";
    if (problem != NULL)
        ag_report(converter->sink, AGPU_DIAG_DXBC_SIGNATURE, AGPU_ERROR, ag_place_none(),
                  "entry %" PRIu32 " of the %s signature has %s", number,
                  converter->patch     ? "patch constant"
                  : converter->outputs ? "output"
                                       : "input",
                  problem);
    return problem == NULL;
}

static void convert_element(struct converter *converter, const struct agpu_driver_element *from,
                            struct agpu_signature_element *to)
{
    const struct agpu_program *program = &converter->shader->program;
    *to = (struct agpu_signature_element){
        .semantic_name = name_tokens[from->system_value].semantic,
        .system_value = name_tokens[from->system_value].system_value,
        .stream = from->stream,
        .component_type = from->component_type,
        .register_index = from->register_index,
        .min_precision = from->min_precision,
        .mask = from->mask,
        .rw_mask = ag_signature_default_rw_mask(from->mask, converter->outputs),
    };
    const bool pixel_output = converter->outputs && program->stage == AGPU_STAGE_PIXEL;
    const bool named = to->semantic_name != NULL;
    uint32_t type = type_of_system_value(to->system_value);
    if (!named && pixel_output && from->register_index == AGPU_REGISTER_NONE) {
        const size_t special = special_output(program, converter->specials++);
        const bool known = special < AG_COUNT_OF(special_outputs);
        to->semantic_name = known ? special_outputs[special].semantic : "SV_Depth";
        type = known ? special_outputs[special].component_type : AGPU_COMPONENT_FLOAT;
    } else if (!named) {
        to->semantic_name = pixel_output ? "SV_Target" : register_name(from->mask);
        to->semantic_index = from->register_index == AGPU_REGISTER_NONE ? 0 : from->register_index;
        type = type_from_use(converter, from->register_index);
    }
    if (to->component_type == AGPU_COMPONENT_UNKNOWN)
        to->component_type = type;
}

/* Elements with equal names are numbered: clip distances, and tessellation factors of edges. */
static void number_elements(struct agpu_signature_element *elements, uint32_t count)
{
    /* An isoline's density has semantic index 0, its detail has 1. */
    uint32_t next[AGPU_SV_LINE_DENSITY_TESS_FACTOR + 1] = {[AGPU_SV_LINE_DETAIL_TESS_FACTOR] = 1};
    for (uint32_t i = 0; i < count; i++)
        if (elements[i].system_value != AGPU_SV_NONE && elements[i].stream == 0)
            elements[i].semantic_index = next[elements[i].system_value]++;
}

static enum agpu_status convert(struct ag_arena *arena, struct converter converter,
                                const struct agpu_driver_element *from, uint32_t count,
                                struct agpu_signature *to)
{
    if (count > AG_SIGNATURE_MAX_ELEMENTS) {
        ag_report(converter.sink, AGPU_DIAG_DXBC_SIGNATURE, AGPU_ERROR, ag_place_none(),
                  "%" PRIu32 " signature elements are more than %d", count, AG_SIGNATURE_MAX_ELEMENTS);
        return AGPU_REFUSED;
    }
    struct agpu_signature_element *elements = AG_ARENA_ARRAY(arena, struct agpu_signature_element, count);
    if (elements == NULL)
        return ag_report_no_memory(converter.sink);
    for (uint32_t i = 0; i < count; i++) {
        if (!check_element(&converter, i, &from[i]))
            return AGPU_REFUSED;
        convert_element(&converter, &from[i], &elements[i]);
    }
    number_elements(elements, count);
    *to = (struct agpu_signature){elements, count};
    return AGPU_OK;
}

enum agpu_status ag_driver_signatures_convert(struct ag_arena *arena,
                                              const struct agpu_driver_signatures *signatures,
                                              const struct agpu_diag_sink *sink, struct agpu_shader *shader)
{
    const bool hull = shader->program.stage == AGPU_STAGE_HULL;
    const struct converter inputs = {.shader = shader, .sink = sink, .outputs = false, .patch = false};
    const struct converter outputs = {.shader = shader, .sink = sink, .outputs = true, .patch = false};
    const struct converter patch = {.shader = shader, .sink = sink, .outputs = hull, .patch = true};
    enum agpu_status status =
        convert(arena, inputs, signatures->input, signatures->input_count, &shader->input);
    if (status == AGPU_OK)
        status = convert(arena, outputs, signatures->output, signatures->output_count, &shader->output);
    if (status == AGPU_OK)
        status = convert(arena, patch, signatures->patch_constant, signatures->patch_constant_count,
                         &shader->patch_constant);
    return status;
}
