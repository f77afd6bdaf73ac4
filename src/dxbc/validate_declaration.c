/* SPDX-License-Identifier: MIT
 *
 * Checks declarations and adds them to the validator's state.
 */
#include <inttypes.h>

#include "base/bytes.h"
#include "dxbc/declaration.h"
#include "dxbc/operand_info.h"
#include "dxbc/validate.h"

#define MOST_TEMPS 4096
#define MOST_CONSTANTS 4096 /* vectors of a constant buffer */
#define LARGEST_STRIDE 2048
#define MOST_VERTICES 1024
#define MOST_SHARED_BYTES 32768
#define MOST_SHARED_BYTES_4 16384

static void declaration_error(struct ag_validator *validator, const struct agpu_instruction *declaration,
                              const char *what, uint64_t value)
{
    ag_invalid(validator, declaration, AGPU_DIAG_DXBC_DECLARATION, "%s: %s %" PRIu64 " is out of range",
               agpu_opcode_info(declaration->opcode)->mnemonic, what, value);
}

static void check_range(struct ag_validator *validator, const struct agpu_instruction *declaration,
                        const char *what, uint64_t value, uint64_t least, uint64_t most)
{
    if (value < least || value > most)
        declaration_error(validator, declaration, what, value);
}

/* ---- Registers of constant buffers, resources, samplers, UAVs and shared memory ----------------------- */

/* How many registers of a kind there are; in 5.1 only the root signature limits them. */
static uint64_t register_limit(const struct agpu_program *program, uint8_t type)
{
    switch (type) {
    case AGPU_OPERAND_CONSTANT_BUFFER:
        return 14;
    case AGPU_OPERAND_SAMPLER:
        return 16;
    case AGPU_OPERAND_RESOURCE:
        return 128;
    case AGPU_OPERAND_UNORDERED_ACCESS_VIEW:
        return program->major < 5 ? 1 : 64;
    default:
        return UINT64_MAX;
    }
}

static bool check_number(struct ag_validator *validator, const struct agpu_instruction *declaration,
                         const struct agpu_operand *operand)
{
    const uint64_t number = operand->index[0].immediate;
    if (ag_program_is_5_1(validator->program)) {
        const bool ranged = operand->index_count == 3;
        if (ranged && operand->index[2].immediate < operand->index[1].immediate)
            declaration_error(validator, declaration, "the end of the register range",
                              operand->index[2].immediate);
        return true;
    }
    const uint64_t limit = register_limit(validator->program, operand->type);
    if (number < limit)
        return true;
    ag_invalid(validator, declaration, AGPU_DIAG_DXBC_REGISTER_RANGE,
               "%s%" PRIu64 " is beyond the %" PRIu64 " registers of this model",
               ag_operand_info(operand->type)->text, number, limit);
    return false;
}

static void declare_resource(struct ag_validator *validator, const struct agpu_instruction *declaration)
{
    const struct agpu_operand *operand = &declaration->operands[0];
    if (!ag_validate_operand_stage(validator, declaration, operand->type) ||
        !check_number(validator, declaration, operand))
        return;
    const uint64_t key = ag_validate_key(operand->type, operand->index[0].immediate) + 1;
    if (ag_map_get(&validator->resources, key) != NULL)
        ag_invalid(validator, declaration, AGPU_DIAG_DXBC_REDECLARED, "%s%" PRIu64 " is declared twice",
                   ag_operand_info(operand->type)->text, operand->index[0].immediate);
    else if (!ag_map_put(&validator->resources, key, (void *)(uintptr_t)declaration))
        validator->out_of_memory = true;
}

static void check_return_types(struct ag_validator *validator, const struct agpu_instruction *declaration)
{
    const uint32_t types = declaration->data[0];
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t type = types >> (4 * i) & 0xf;
        if (type < AGPU_RETURN_UNORM || type > AGPU_RETURN_UNUSED)
            declaration_error(validator, declaration, "return type", type);
    }
}

static void declare_typed(struct ag_validator *validator, const struct agpu_instruction *declaration)
{
    const uint32_t dimension = agpu_dcl_dimension(declaration);
    check_range(validator, declaration, "dimension", dimension, AGPU_DIMENSION_BUFFER,
                AGPU_DIMENSION_TEXTURECUBEARRAY);
    const bool multisampled =
        dimension == AGPU_DIMENSION_TEXTURE2DMS || dimension == AGPU_DIMENSION_TEXTURE2DMSARRAY;
    const bool cube = dimension == AGPU_DIMENSION_TEXTURECUBE || dimension == AGPU_DIMENSION_TEXTURECUBEARRAY;
    if (declaration->opcode == AGPU_OP_DCL_UAV_TYPED && (multisampled || cube))
        declaration_error(validator, declaration, "dimension of an unordered access view", dimension);
    if (declaration->opcode == AGPU_OP_DCL_RESOURCE && multisampled)
        check_range(validator, declaration, "sample count", agpu_dcl_sample_count(declaration), 0, 32);
    const bool is_4_0 = validator->program->major == 4 && validator->program->minor == 0;
    if (is_4_0 && dimension == AGPU_DIMENSION_TEXTURECUBEARRAY)
        declaration_error(validator, declaration, "dimension of a 4.0 resource", dimension);
    check_return_types(validator, declaration);
    declare_resource(validator, declaration);
}

static void declare_structured(struct ag_validator *validator, const struct agpu_instruction *declaration)
{
    const uint32_t stride = declaration->data[0];
    check_range(validator, declaration, "stride", stride, 4, LARGEST_STRIDE);
    if (stride % 4 != 0)
        declaration_error(validator, declaration, "stride", stride);
    declare_resource(validator, declaration);
}

static void declare_constant_buffer(struct ag_validator *validator,
                                    const struct agpu_instruction *declaration)
{
    const uint64_t size = ag_program_is_5_1(validator->program) ? declaration->data[0]
                                                                : declaration->operands[0].index[1].immediate;
    check_range(validator, declaration, "size", size, 0, MOST_CONSTANTS);
    declare_resource(validator, declaration);
}

static void declare_shared_memory(struct ag_validator *validator, const struct agpu_instruction *declaration)
{
    const bool raw = declaration->opcode == AGPU_OP_DCL_TGSM_RAW;
    const uint64_t bytes = raw ? declaration->data[0] : (uint64_t)declaration->data[0] * declaration->data[1];
    const uint32_t most = validator->program->major < 5 ? MOST_SHARED_BYTES_4 : MOST_SHARED_BYTES;
    if (declaration->data[0] % 4 != 0)
        declaration_error(validator, declaration, raw ? "size" : "stride", declaration->data[0]);
    const bool fits = bytes <= most - validator->shared_bytes;
    if (!fits || bytes == 0)
        ag_invalid(validator, declaration, AGPU_DIAG_DXBC_LIMIT,
                   "%" PRIu64 " more bytes of shared memory do not fit the %" PRIu32 " of a thread group",
                   bytes, most);
    validator->shared_bytes = fits ? validator->shared_bytes + (uint32_t)bytes : most;
    declare_resource(validator, declaration);
}

/* ---- Inputs and outputs ------------------------------------------------------------------------------- */

static uint32_t file_limit(const struct agpu_program *program, enum ag_register_file file)
{
    const bool is_4_0 = program->major == 4 && program->minor == 0;
    if (file == AG_FILE_OUTPUT && program->stage == AGPU_STAGE_PIXEL)
        return 8;
    if (is_4_0 && (program->stage == AGPU_STAGE_VERTEX ||
                   (file == AG_FILE_INPUT && program->stage == AGPU_STAGE_GEOMETRY)))
        return 16;
    return AG_VALIDATE_REGISTERS;
}

/* The components of a register that are declared already, and that the new declaration must not repeat. */
static uint8_t declared_components(const struct ag_validator *validator, enum ag_register_file file,
                                   uint64_t number)
{
    if (file == AG_FILE_OUTPUT && validator->program->stage == AGPU_STAGE_GEOMETRY)
        return validator->stream_mask[validator->stream][number];
    return validator->files[file].mask[number];
}

static void declare_register(struct ag_validator *validator, const struct agpu_instruction *declaration,
                             enum ag_register_file file)
{
    const struct agpu_operand *operand = &declaration->operands[0];
    const char *text = ag_operand_info(operand->type)->text;
    const uint64_t number = operand->index[operand->index_count - 1].immediate;
    const uint32_t limit = file_limit(validator->program, file);
    struct ag_register_state *state = &validator->files[file];
    if (number >= limit) {
        ag_invalid(validator, declaration, AGPU_DIAG_DXBC_REGISTER_RANGE,
                   "%s%" PRIu64 " is beyond the %" PRIu32 " registers of this model and stage", text, number,
                   limit);
        return;
    }
    if (operand->component_count != 4 || operand->selection != AGPU_SELECT_MASK || operand->mask == 0) {
        ag_invalid(validator, declaration, AGPU_DIAG_DXBC_COMPONENTS,
                   "the declaration of %s%" PRIu64 " names no components", text, number);
        return;
    }
    if (declared_components(validator, file, number) & operand->mask)
        ag_invalid(validator, declaration, AGPU_DIAG_DXBC_REDECLARED,
                   "components of %s%" PRIu64 " are declared twice", text, number);
    if (operand->index_count == 2)
        state->vertices = (uint32_t)operand->index[0].immediate;
    state->mask[number] |= operand->mask;
    if (file == AG_FILE_OUTPUT)
        validator->stream_mask[validator->stream][number] |= operand->mask;
}

/* The system values that `*_siv` and `*_sgv` declarations accept; patch constants also accept tessellation
 * factors. */
static void check_name(struct ag_validator *validator, const struct agpu_instruction *declaration)
{
    if (ag_declares_system_value(declaration->opcode))
        check_range(validator, declaration, "system value", declaration->data[0], AGPU_NAME_POSITION,
                    AGPU_NAME_COUNT - 1);
    const bool pixel =
        declaration->opcode == AGPU_OP_DCL_INPUT_PS || declaration->opcode == AGPU_OP_DCL_INPUT_PS_SIV;
    if (pixel)
        check_range(validator, declaration, "interpolation mode", agpu_dcl_interpolation(declaration),
                    AGPU_INTERPOLATE_CONSTANT, AGPU_INTERPOLATE_LINEAR_NOPERSPECTIVE_SAMPLE);
}

static bool is_output_type(uint8_t type)
{
    return type == AGPU_OPERAND_OUTPUT || type == AGPU_OPERAND_OUTPUT_DEPTH ||
           type == AGPU_OPERAND_OUTPUT_DEPTH_GREATER_EQUAL || type == AGPU_OPERAND_OUTPUT_DEPTH_LESS_EQUAL ||
           type == AGPU_OPERAND_OUTPUT_COVERAGE_MASK || type == AGPU_OPERAND_OUTPUT_STENCIL_REF;
}

/* The operand types of input declarations: the register files and the special inputs. */
static bool is_input_type(uint8_t type)
{
    static const bool is_special[AGPU_OPERAND_TYPE_COUNT] = {
        [AGPU_OPERAND_INPUT_PRIMITIVE_ID] = true,
        [AGPU_OPERAND_OUTPUT_CONTROL_POINT_ID] = true,
        [AGPU_OPERAND_INPUT_FORK_INSTANCE_ID] = true,
        [AGPU_OPERAND_INPUT_JOIN_INSTANCE_ID] = true,
        [AGPU_OPERAND_INPUT_DOMAIN_POINT] = true,
        [AGPU_OPERAND_INPUT_THREAD_ID] = true,
        [AGPU_OPERAND_INPUT_THREAD_GROUP_ID] = true,
        [AGPU_OPERAND_INPUT_THREAD_ID_IN_GROUP] = true,
        [AGPU_OPERAND_INPUT_THREAD_ID_IN_GROUP_FLATTENED] = true,
        [AGPU_OPERAND_INPUT_COVERAGE_MASK] = true,
        [AGPU_OPERAND_INPUT_INNER_COVERAGE] = true,
        [AGPU_OPERAND_INPUT_GS_INSTANCE_ID] = true,
        [AGPU_OPERAND_CYCLE_COUNTER] = true,
    };
    return is_special[type] || (type != AGPU_OPERAND_OUTPUT && ag_validate_file(type) != AG_FILE_COUNT);
}

static void declare_operand(struct ag_validator *validator, const struct agpu_instruction *declaration,
                            bool output)
{
    const struct agpu_operand *operand = &declaration->operands[0];
    if (output ? !is_output_type(operand->type) : !is_input_type(operand->type)) {
        const char *text = ag_operand_info(operand->type)->text;
        ag_invalid(validator, declaration, AGPU_DIAG_DXBC_DECLARATION, "%s does not declare a %s register",
                   agpu_opcode_info(declaration->opcode)->mnemonic, text != NULL ? text : "register");
        return;
    }
    check_name(validator, declaration);
    if (!ag_validate_operand_stage(validator, declaration, operand->type))
        return;
    const enum ag_register_file file = ag_validate_file(operand->type);
    if (file != AG_FILE_COUNT) {
        declare_register(validator, declaration, file);
    } else {
        if (validator->specials >> operand->type & 1)
            ag_invalid(validator, declaration, AGPU_DIAG_DXBC_REDECLARED, "%s is declared twice",
                       ag_operand_info(operand->type)->text);
        validator->specials |= UINT64_C(1) << operand->type;
        validator->special_mask[operand->type] = operand->component_count == 4 ? operand->mask : 0xf;
    }
    ag_validate_signature_use(validator, declaration);
}

static void declare_input(struct ag_validator *validator, const struct agpu_instruction *declaration)
{
    declare_operand(validator, declaration, false);
}

static void declare_output(struct ag_validator *validator, const struct agpu_instruction *declaration)
{
    declare_operand(validator, declaration, true);
}

static void declare_index_range(struct ag_validator *validator, const struct agpu_instruction *declaration)
{
    const struct agpu_operand *operand = &declaration->operands[0];
    const enum ag_register_file file = ag_validate_file(operand->type);
    if (file == AG_FILE_COUNT) {
        ag_invalid(validator, declaration, AGPU_DIAG_DXBC_DECLARATION,
                   "an index range is one of inputs or outputs");
        return;
    }
    const uint64_t first = operand->index[operand->index_count - 1].immediate;
    const uint32_t count = declaration->data[0];
    if (first >= AG_VALIDATE_REGISTERS || count < 2 || count > AG_VALIDATE_REGISTERS - first) {
        declaration_error(validator, declaration, "a range of registers whose number is", count);
        return;
    }
    /* The compiler does not declare a register inside a range that no index reaches, but always declares the
     * ends. */
    struct ag_register_state *state = &validator->files[file];
    const uint64_t ends[] = {first, first + count - 1};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        if ((state->mask[ends[i]] & operand->mask) != operand->mask) {
            ag_invalid(validator, declaration, AGPU_DIAG_DXBC_UNDECLARED,
                       "register %" PRIu64 " of an index range is not declared", ends[i]);
            return;
        }
    }
    for (uint64_t i = first; i < first + count; i++)
        state->indexed[i] |= operand->mask;
}

/* ---- Temporaries -------------------------------------------------------------------------------------- */

static void check_temps(struct ag_validator *validator, const struct agpu_instruction *declaration)
{
    if ((uint64_t)validator->temps + validator->array_temps > MOST_TEMPS)
        ag_invalid(validator, declaration, AGPU_DIAG_DXBC_LIMIT,
                   "more than %d temporary registers are declared", MOST_TEMPS);
}

static void declare_array(struct ag_validator *validator, const struct agpu_instruction *declaration)
{
    const uint32_t number = declaration->data[0];
    check_range(validator, declaration, "size", declaration->data[1], 1, MOST_TEMPS);
    check_range(validator, declaration, "component count", declaration->data[2], 1, 4);
    if (ag_map_get(&validator->arrays, (uint64_t)number + 1) != NULL)
        ag_invalid(validator, declaration, AGPU_DIAG_DXBC_REDECLARED, "x%" PRIu32 " is declared twice",
                   number);
    else if (!ag_map_put(&validator->arrays, (uint64_t)number + 1, (void *)(uintptr_t)declaration))
        validator->out_of_memory = true;
    const uint32_t size = declaration->data[1] > MOST_TEMPS ? MOST_TEMPS : declaration->data[1];
    validator->array_temps = validator->array_temps > MOST_TEMPS ? MOST_TEMPS : validator->array_temps + size;
    check_temps(validator, declaration);
}

static void declare_temps(struct ag_validator *validator, const struct agpu_instruction *declaration)
{
    if (validator->temps != 0)
        ag_invalid(validator, declaration, AGPU_DIAG_DXBC_REDECLARED,
                   "temporary registers are declared twice");
    validator->temps = declaration->data[0];
    check_temps(validator, declaration);
}

/* ---- Stages ------------------------------------------------------------------------------------------- */

/* Vertices of an input primitive; 0 for an invalid value. */
static uint32_t primitive_vertices(uint32_t primitive)
{
    static const uint8_t vertices[8] = {0, 1, 2, 3, 0, 0, 4, 6};
    if (primitive < AG_COUNT_OF(vertices))
        return vertices[primitive];
    return primitive < 40 ? primitive - 7 : 0;
}

static void declare_primitive(struct ag_validator *validator, const struct agpu_instruction *declaration)
{
    validator->vertices = primitive_vertices(declaration->controls & 0x3f);
    if (validator->vertices == 0)
        declaration_error(validator, declaration, "input primitive", declaration->controls & 0x3f);
}

static void declare_thread_group(struct ag_validator *validator, const struct agpu_instruction *declaration)
{
    const uint32_t *size = declaration->data;
    const bool is_4 = validator->program->major < 5;
    const uint32_t most_xy = is_4 ? 768 : 1024, most_z = is_4 ? 1 : 64;
    const bool fits = size[0] >= 1 && size[0] <= most_xy && size[1] >= 1 && size[1] <= most_xy &&
                      size[2] >= 1 && size[2] <= most_z && (uint64_t)size[0] * size[1] * size[2] <= most_xy;
    if (!fits)
        ag_invalid(validator, declaration, AGPU_DIAG_DXBC_THREAD_GROUP,
                   "a thread group of %" PRIu32 " x %" PRIu32 " x %" PRIu32 " is empty or exceeds %" PRIu32
                   " x %" PRIu32 " x %" PRIu32 " or %" PRIu32 " threads",
                   size[0], size[1], size[2], most_xy, most_xy, most_z, most_xy);
}

static void declare_stream(struct ag_validator *validator, const struct agpu_instruction *declaration)
{
    const uint64_t stream = declaration->operands[0].index[0].immediate;
    if (stream >= AG_VALIDATE_STREAMS) {
        declaration_error(validator, declaration, "stream", stream);
        return;
    }
    validator->stream = (uint32_t)stream;
    validator->streams |= 1u << stream;
}

static void declare_custom_data(struct ag_validator *validator, const struct agpu_instruction *declaration)
{
    if (declaration->controls != AGPU_CUSTOM_IMMEDIATE_CONSTANT_BUFFER)
        return;
    if (validator->has_constant_buffer)
        ag_invalid(validator, declaration, AGPU_DIAG_DXBC_REDECLARED,
                   "there are two immediate constant buffers");
    validator->has_constant_buffer = true;
    if (declaration->data_count % 4 != 0 || declaration->data_count > MOST_CONSTANTS * 4)
        declaration_error(validator, declaration, "number of dwords", declaration->data_count);
}

/* A domain shader that reads no control points declares 0 of them; a hull shader takes at least one. */
static bool takes_none(const struct ag_validator *validator, const struct agpu_instruction *declaration)
{
    return declaration->opcode == AGPU_OP_DCL_INPUT_CONTROL_POINT_COUNT &&
           validator->program->stage == AGPU_STAGE_DOMAIN;
}

/* Checks a declaration that consists of a number, in a dword or in the controls of the opcode token. */
static void check_number_declaration(struct ag_validator *validator,
                                     const struct agpu_instruction *declaration)
{
    static const struct {
        uint16_t opcode;
        bool in_controls;
        uint16_t least, most;
        const char *what;
    } rules[] = {
        {AGPU_OP_DCL_MAXOUT,                       false, 1, MOST_VERTICES, "vertex count"  },
        {AGPU_OP_DCL_GSINSTANCES,                  false, 1, 32,            "instance count"},
        {AGPU_OP_DCL_INPUT_CONTROL_POINT_COUNT,    true,  1, 32,            "count"         },
        {AGPU_OP_DCL_OUTPUT_CONTROL_POINT_COUNT,   true,  0, 32,            "count"         },
        {AGPU_OP_DCL_TESSELLATOR_DOMAIN,           true,  1, 3,             "domain"        },
        {AGPU_OP_DCL_TESSELLATOR_PARTITIONING,     true,  1, 4,             "partitioning"  },
        {AGPU_OP_DCL_TESSELLATOR_OUTPUT_PRIMITIVE, true,  1, 4,             "primitive"     },
        {AGPU_OP_DCL_SAMPLER,                      true,  0, 2,             "mode"          },
    };
    for (size_t i = 0; i < AG_COUNT_OF(rules); i++)
        if (rules[i].opcode == declaration->opcode)
            check_range(validator, declaration, rules[i].what,
                        rules[i].in_controls ? declaration->controls & 0x3f : declaration->data[0],
                        takes_none(validator, declaration) ? 0 : rules[i].least, rules[i].most);
    if (declaration->opcode == AGPU_OP_DCL_HS_MAX_TESSFACTOR) {
        const float factor = ag_float_from_bits(declaration->data[0]);
        if (!(factor >= 1 && factor <= 64))
            ag_invalid(validator, declaration, AGPU_DIAG_DXBC_DECLARATION,
                       "a largest tessellation factor lies between 1 and 64");
    }
}

static void check_topology(struct ag_validator *validator, const struct agpu_instruction *declaration)
{
    const uint32_t topology = declaration->controls & 0x7f;
    if (topology != 1 && topology != 3 && topology != 5)
        declaration_error(validator, declaration, "output topology (point list, line strip, triangle strip)",
                          topology);
}

/* ---- Order -------------------------------------------------------------------------------------------- */

static const bool is_single[AGPU_OPCODE_LIMIT] = {
    [AGPU_OP_DCL_GLOBALFLAGS] = true,
    [AGPU_OP_DCL_INPUTPRIMITIVE] = true,
    [AGPU_OP_DCL_MAXOUT] = true,
    [AGPU_OP_DCL_GSINSTANCES] = true,
    [AGPU_OP_DCL_THREAD_GROUP] = true,
    [AGPU_OP_DCL_INPUT_CONTROL_POINT_COUNT] = true,
    [AGPU_OP_DCL_OUTPUT_CONTROL_POINT_COUNT] = true,
    [AGPU_OP_DCL_TESSELLATOR_DOMAIN] = true,
    [AGPU_OP_DCL_TESSELLATOR_PARTITIONING] = true,
    [AGPU_OP_DCL_TESSELLATOR_OUTPUT_PRIMITIVE] = true,
    [AGPU_OP_DCL_HS_MAX_TESSFACTOR] = true,
};

static void check_order(struct ag_validator *validator, const struct agpu_instruction *declaration)
{
    const char *name = agpu_opcode_info(declaration->opcode)->mnemonic;
    if (declaration->opcode == AGPU_OP_HS_DECLS)
        return;
    if (declaration->opcode == AGPU_OP_CUSTOMDATA &&
        declaration->controls != AGPU_CUSTOM_IMMEDIATE_CONSTANT_BUFFER)
        return;
    if (validator->seen_code)
        ag_invalid(validator, declaration, AGPU_DIAG_DXBC_DECLARATION_ORDER,
                   "%s stands behind the first instruction", name);
    if (is_single[declaration->opcode] && validator->declared[declaration->opcode]++ != 0)
        ag_invalid(validator, declaration, AGPU_DIAG_DXBC_REDECLARED, "there is a second %s", name);
    /* In hull and domain shaders the declarations of tessellation precede the global flags. */
    const bool tessellation =
        validator->program->stage == AGPU_STAGE_HULL || validator->program->stage == AGPU_STAGE_DOMAIN;
    if (declaration->opcode == AGPU_OP_DCL_GLOBALFLAGS && validator->previous != NULL && !tessellation)
        ag_invalid(validator, declaration, AGPU_DIAG_DXBC_DECLARATION_ORDER,
                   "global flags stand before all other declarations");
}

/* Null: the number was checked by check_number_declaration(), or there is nothing to check. */
static void (*const checks[AGPU_OPCODE_LIMIT])(struct ag_validator *, const struct agpu_instruction *) = {
    [AGPU_OP_CUSTOMDATA] = declare_custom_data,
    [AGPU_OP_DCL_RESOURCE] = declare_typed,
    [AGPU_OP_DCL_RESOURCE_STRUCTURED] = declare_structured,
    [AGPU_OP_DCL_RESOURCE_RAW] = declare_resource,
    [AGPU_OP_DCL_UAV_TYPED] = declare_typed,
    [AGPU_OP_DCL_UAV_STRUCTURED] = declare_structured,
    [AGPU_OP_DCL_UAV_RAW] = declare_resource,
    [AGPU_OP_DCL_SAMPLER] = declare_resource,
    [AGPU_OP_DCL_CONSTANTBUFFER] = declare_constant_buffer,
    [AGPU_OP_DCL_TGSM_RAW] = declare_shared_memory,
    [AGPU_OP_DCL_TGSM_STRUCTURED] = declare_shared_memory,
    [AGPU_OP_DCL_INPUT] = declare_input,
    [AGPU_OP_DCL_INPUT_SGV] = declare_input,
    [AGPU_OP_DCL_INPUT_SIV] = declare_input,
    [AGPU_OP_DCL_INPUT_PS] = declare_input,
    [AGPU_OP_DCL_INPUT_PS_SGV] = declare_input,
    [AGPU_OP_DCL_INPUT_PS_SIV] = declare_input,
    [AGPU_OP_DCL_OUTPUT] = declare_output,
    [AGPU_OP_DCL_OUTPUT_SGV] = declare_output,
    [AGPU_OP_DCL_OUTPUT_SIV] = declare_output,
    [AGPU_OP_DCL_INDEXRANGE] = declare_index_range,
    [AGPU_OP_DCL_TEMPS] = declare_temps,
    [AGPU_OP_DCL_INDEXABLETEMP] = declare_array,
    [AGPU_OP_DCL_INPUTPRIMITIVE] = declare_primitive,
    [AGPU_OP_DCL_OUTPUTTOPOLOGY] = check_topology,
    [AGPU_OP_DCL_STREAM] = declare_stream,
    [AGPU_OP_DCL_THREAD_GROUP] = declare_thread_group,
};

void ag_validate_declaration(struct ag_validator *validator, const struct agpu_instruction *declaration)
{
    check_order(validator, declaration);
    check_number_declaration(validator, declaration);
    if (checks[declaration->opcode] != NULL)
        checks[declaration->opcode](validator, declaration);
}

void ag_validate_required(struct ag_validator *validator)
{
    static const struct {
        uint16_t opcode;
        uint8_t stages;
    } required[] = {
        {AGPU_OP_DCL_INPUTPRIMITIVE,               AGPU_STAGES_GS                 },
        {AGPU_OP_DCL_MAXOUT,                       AGPU_STAGES_GS                 },
        {AGPU_OP_DCL_THREAD_GROUP,                 AGPU_STAGES_CS                 },
        {AGPU_OP_DCL_INPUT_CONTROL_POINT_COUNT,    AGPU_STAGES_HS | AGPU_STAGES_DS},
        {AGPU_OP_DCL_OUTPUT_CONTROL_POINT_COUNT,   AGPU_STAGES_HS                 },
        {AGPU_OP_DCL_TESSELLATOR_DOMAIN,           AGPU_STAGES_HS | AGPU_STAGES_DS},
        {AGPU_OP_DCL_TESSELLATOR_PARTITIONING,     AGPU_STAGES_HS                 },
        {AGPU_OP_DCL_TESSELLATOR_OUTPUT_PRIMITIVE, AGPU_STAGES_HS                 },
    };
    for (size_t i = 0; i < AG_COUNT_OF(required); i++)
        if ((required[i].stages >> validator->program->stage & 1) != 0 &&
            validator->declared[required[i].opcode] == 0)
            ag_invalid(validator, NULL, AGPU_DIAG_DXBC_MISSING_DECLARATION, "%s has no %s",
                       agpu_stage_name(validator->program->stage),
                       agpu_opcode_info(required[i].opcode)->mnemonic);
}
