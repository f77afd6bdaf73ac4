/* SPDX-License-Identifier: MIT
 *
 * Declarations of temporaries, inputs, outputs, index ranges and arrays; build_resource.c handles resources.
 */
#include <string.h>

#include "dxbc/declaration.h"
#include "dxbc/opcode.h"
#include "dxbc/operand_info.h"
#include "ir/build.h"
#include "wgsl/linkage.h"

static const struct agpu_signature_element *element_of(const struct agpu_signature *signature,
                                                       uint32_t number, uint32_t mask)
{
    for (uint32_t i = 0; i < signature->count; i++)
        if (signature->elements[i].register_index == number && (signature->elements[i].mask & mask))
            return &signature->elements[i];
    return NULL;
}

/* ---- Inputs ------------------------------------------------------------------------------------------- */

static struct ag_ir_input *add_input(struct ag_ir_builder *builder, enum ag_ir_input_kind kind,
                                     uint32_t number, uint32_t width, enum ag_ir_type type)
{
    struct ag_ir_program *program = builder->program;
    struct ag_ir_input input = {
        .kind = (uint8_t)kind, .number = number, .variable = ag_ir_add_variable(program, type, width)};
    if (!ag_vec_push(&program->inputs, input)) {
        ag_ir_no_memory(program);
        return NULL;
    }
    if (program->status == AGPU_OK)
        program->variables.data[input.variable].is_input = true;
    return &ag_vec_last(&program->inputs);
}

static struct ag_ir_input *find_input(struct ag_ir_program *program, enum ag_ir_input_kind kind,
                                      uint32_t number)
{
    for (size_t i = 0; i < program->inputs.count; i++)
        if (program->inputs.data[i].kind == kind && program->inputs.data[i].number == number)
            return &program->inputs.data[i];
    return NULL;
}

static enum ag_ir_input_kind input_kind(const struct ag_ir_builder *builder, uint32_t name)
{
    enum agpu_stage stage = builder->program->stage;
    const struct ag_linkage *linkage = builder->options->linkage;
    switch (name) {
    case AGPU_NAME_VERTEX_ID:
        return stage == AGPU_STAGE_VERTEX ? AG_IR_INPUT_VERTEX_ID : AG_IR_INPUT_REGISTER;
    case AGPU_NAME_INSTANCE_ID:
        return stage == AGPU_STAGE_VERTEX ? AG_IR_INPUT_INSTANCE_ID : AG_IR_INPUT_REGISTER;
    case AGPU_NAME_POSITION:
        return stage == AGPU_STAGE_PIXEL ? AG_IR_INPUT_POSITION : AG_IR_INPUT_REGISTER;
    case AGPU_NAME_IS_FRONT_FACE:
        return AG_IR_INPUT_FRONT_FACE;
    case AGPU_NAME_SAMPLE_INDEX:
        return AG_IR_INPUT_SAMPLE_INDEX;
    case AGPU_NAME_PRIMITIVE_ID:
        return linkage != NULL && linkage->expanded ? AG_IR_INPUT_REGISTER : AG_IR_INPUT_PRIMITIVE_ID;
    default:
        return AG_IR_INPUT_REGISTER;
    }
}

static const struct {
    uint8_t width, type;
} input_shapes[AG_IR_INPUT_KIND_COUNT] = {
    [AG_IR_INPUT_REGISTER] = {4, AG_IR_F32 },
      [AG_IR_INPUT_VERTEX_ID] = {1, AG_IR_U32 },
    [AG_IR_INPUT_INSTANCE_ID] = {1, AG_IR_U32 },
      [AG_IR_INPUT_POSITION] = {4, AG_IR_F32 },
    [AG_IR_INPUT_FRONT_FACE] = {1, AG_IR_BOOL},
      [AG_IR_INPUT_SAMPLE_INDEX] = {1, AG_IR_U32 },
    [AG_IR_INPUT_PRIMITIVE_ID] = {1, AG_IR_U32 },
      [AG_IR_INPUT_COVERAGE] = {1, AG_IR_U32 },
    [AG_IR_INPUT_THREAD_ID] = {3, AG_IR_U32 },
      [AG_IR_INPUT_GROUP_ID] = {3, AG_IR_U32 },
    [AG_IR_INPUT_THREAD_ID_IN_GROUP] = {3, AG_IR_U32 },
      [AG_IR_INPUT_THREAD_INDEX] = {1, AG_IR_U32 },
    [AG_IR_INPUT_GS_INSTANCE_ID] = {1, AG_IR_U32 },
      [AG_IR_INPUT_CONTROL_POINT_ID] = {1, AG_IR_U32 },
    [AG_IR_INPUT_DOMAIN_POINT] = {3, AG_IR_F32 },
};

static void map_input(struct ag_ir_program *program, uint32_t register_id, uint32_t mask,
                      const struct ag_ir_input *input)
{
    struct ag_ir_register *reg = &program->registers.data[register_id];
    uint32_t width = input_shapes[input->kind].width;
    for (uint32_t c = 0; c < 4; c++) {
        if (!(mask >> c & 1))
            continue;
        reg->variable[c] = input->variable;
        reg->component[c] = (uint8_t)(width == 1 ? 0 : c < width ? c : width - 1);
    }
}

static void declare_register_input(struct ag_ir_builder *builder, const struct agpu_instruction *dcl,
                                   uint32_t name)
{
    struct ag_ir_program *program = builder->program;
    const struct agpu_operand *o = &dcl->operands[0];
    uint64_t number = o->index[0].immediate;
    bool has_file = program->stage == AGPU_STAGE_VERTEX || program->stage == AGPU_STAGE_PIXEL;
    if (!has_file || o->index_count != 1 || number >= AGPU_MAX_REGISTERS) {
        ag_ir_refuse_declaration(builder, dcl, AGPU_DIAG_TRANSLATE_OPERAND, "no such input register");
        return;
    }
    uint32_t r = (uint32_t)number, mask = o->mask & 15u;
    if (builder->input_register[r] == AG_IR_NONE)
        builder->input_register[r] = ag_ir_add_register(program, AG_IR_REGISTER_INPUT, r);
    enum ag_ir_input_kind kind = input_kind(builder, name);
    struct ag_ir_input *input = find_input(program, kind, r);
    if (input == NULL)
        input =
            add_input(builder, kind, r, input_shapes[kind].width, (enum ag_ir_type)input_shapes[kind].type);
    if (input == NULL || program->status != AGPU_OK)
        return;
    const struct agpu_signature_element *element = element_of(&builder->shader->input, r, mask);
    bool is_ps_form = dcl->opcode == AGPU_OP_DCL_INPUT_PS || dcl->opcode == AGPU_OP_DCL_INPUT_PS_SIV ||
                      dcl->opcode == AGPU_OP_DCL_INPUT_PS_SGV;
    if (is_ps_form && input->mask != 0 && input->interpolation != (uint8_t)agpu_dcl_interpolation(dcl))
        ag_ir_refuse_declaration(builder, dcl, AGPU_DIAG_TRANSLATE_OPERAND,
                                 "one register with two interpolations");
    input->mask |= (uint8_t)mask;
    input->interpolation = (uint8_t)(is_ps_form ? agpu_dcl_interpolation(dcl) : AGPU_INTERPOLATE_UNDEFINED);
    input->system_value = (uint8_t)name;
    input->offset = dcl->offset;
    if (element != NULL)
        input->component_type = (uint8_t)element->component_type;
    if (kind == AG_IR_INPUT_SAMPLE_INDEX)
        program->reads_sample_index = true;
    map_input(program, builder->input_register[r], mask, input);
}

/* What a listing calls an operand outside of the register files. */
static const char *operand_name(uint32_t type)
{
    const struct ag_operand_info *info = ag_operand_info(type);
    return info != NULL && info->text != NULL ? info->text : "an operand without a name";
}

static void declare_special_input(struct ag_ir_builder *builder, const struct agpu_instruction *dcl)
{
    static const uint8_t kinds[AGPU_OPERAND_TYPE_COUNT] = {
        [AGPU_OPERAND_INPUT_PRIMITIVE_ID] = AG_IR_INPUT_PRIMITIVE_ID,
        [AGPU_OPERAND_INPUT_COVERAGE_MASK] = AG_IR_INPUT_COVERAGE,
        [AGPU_OPERAND_INPUT_THREAD_ID] = AG_IR_INPUT_THREAD_ID,
        [AGPU_OPERAND_INPUT_THREAD_GROUP_ID] = AG_IR_INPUT_GROUP_ID,
        [AGPU_OPERAND_INPUT_THREAD_ID_IN_GROUP] = AG_IR_INPUT_THREAD_ID_IN_GROUP,
        [AGPU_OPERAND_INPUT_THREAD_ID_IN_GROUP_FLATTENED] = AG_IR_INPUT_THREAD_INDEX,
        [AGPU_OPERAND_INPUT_GS_INSTANCE_ID] = AG_IR_INPUT_GS_INSTANCE_ID,
        [AGPU_OPERAND_OUTPUT_CONTROL_POINT_ID] = AG_IR_INPUT_CONTROL_POINT_ID,
        [AGPU_OPERAND_INPUT_DOMAIN_POINT] = AG_IR_INPUT_DOMAIN_POINT,
    };
    uint32_t type = dcl->operands[0].type;
    if (type == AGPU_OPERAND_INPUT_FORK_INSTANCE_ID || type == AGPU_OPERAND_INPUT_JOIN_INSTANCE_ID)
        return; /* declare_phase() of a hull shader provides it */
    if (type == AGPU_OPERAND_CYCLE_COUNTER) {
        builder->special_input[type] = ag_ir_add_register(builder->program, AG_IR_REGISTER_INPUT, AG_IR_NONE);
        ag_ir_warn(builder->program, AGPU_DIAG_TRANSLATE_IGNORED, dcl->offset,
                   "WebGPU has no cycle counter, it reads 0");
        return;
    }
    enum ag_ir_input_kind kind = (enum ag_ir_input_kind)(type < AGPU_OPERAND_TYPE_COUNT ? kinds[type] : 0);
    if (kind == AG_IR_INPUT_REGISTER) {
        ag_ir_refuse(builder->program, AGPU_DIAG_TRANSLATE_SYSTEM_VALUE, dcl->offset, "%s cannot be read: %s",
                     operand_name(type),
                     type == AGPU_OPERAND_INPUT_INNER_COVERAGE
                         ? "WebGPU has no conservative rasterisation that it tells of"
                         : "this stage has no such input");
        return;
    }
    if (builder->special_input[type] != AG_IR_NONE)
        return;
    struct ag_ir_input *input = add_input(builder, kind, AG_IR_NONE, input_shapes[kind].width,
                                          (enum ag_ir_type)input_shapes[kind].type);
    uint32_t id = ag_ir_add_register(builder->program, AG_IR_REGISTER_INPUT, AG_IR_NONE);
    builder->special_input[type] = id;
    if (input == NULL || builder->program->status != AGPU_OK)
        return;
    input->offset = dcl->offset;
    map_input(builder->program, id, input_shapes[kind].width == 1 ? 1 : 7, input);
}

struct ag_ir_expr *ag_ir_read_builtin(struct ag_ir_builder *builder, enum ag_ir_input_kind kind)
{
    struct ag_ir_program *program = builder->program;
    struct ag_ir_expr *read = ag_ir_expr_new(program, AG_IR_READ, 1, 0);
    struct ag_ir_input *input = NULL;
    for (size_t i = 0; i < program->inputs.count && input == NULL; i++)
        if (program->inputs.data[i].kind == kind)
            input = &program->inputs.data[i];
    if (input == NULL)
        input = add_input(builder, kind, AG_IR_NONE, 1, (enum ag_ir_type)input_shapes[kind].type);
    read->u.id[0] = ag_ir_add_register(program, AG_IR_REGISTER_INPUT, AG_IR_NONE);
    if (input != NULL && program->status == AGPU_OK)
        map_input(program, read->u.id[0], 1, input);
    return read;
}

/* ---- Outputs ------------------------------------------------------------------------------------------ */

static void add_output(struct ag_ir_builder *builder, uint32_t offset, enum ag_ir_output_kind kind,
                       uint32_t number, uint32_t mask, uint32_t name, uint32_t register_id)
{
    struct ag_ir_program *program = builder->program;
    for (size_t i = 0; i < program->outputs.count; i++) {
        struct ag_ir_output *output = &program->outputs.data[i];
        if (output->kind == kind && output->number == number && number != AG_IR_NONE &&
            output->stream == builder->stream) {
            output->mask |= (uint8_t)mask;
            return;
        }
    }
    const struct agpu_signature_element *element =
        number == AG_IR_NONE ? NULL : element_of(&builder->shader->output, number, mask);
    struct ag_ir_output output = {
        .kind = (uint8_t)kind,
        .mask = (uint8_t)mask,
        .component_type = (uint8_t)(element == NULL ? AGPU_COMPONENT_UNKNOWN : element->component_type),
        .system_value = (uint8_t)name,
        .number = number,
        .register_id = register_id,
        .stream = (uint8_t)builder->stream,
        .used = true,
        .type = AG_IR_F32,
        .offset = offset,
    };
    if (!ag_vec_push(&program->outputs, output))
        ag_ir_no_memory(program);
}

/* Which word of the patch's factors has a system value: SV_TessFactor in D3D's order, then
 * SV_InsideTessFactor. */
static const uint8_t factor_words[AGPU_NAME_COUNT] = {
    [11] = 0, [12] = 1, [13] = 2, [14] = 3, [15] = 4, [16] = 5, /* quad */
    [17] = 0, [18] = 1, [19] = 2, [20] = 4,                     /* triangle */
    [21] = 1, [22] = 0,                                         /* isolines: detail, density */
};

/* A tessellation factor is one component of a patch constant register and also one word of the patch's
 * factors. */
static void add_factor(struct ag_ir_builder *builder, const struct agpu_instruction *dcl, uint32_t number,
                       uint32_t mask, uint32_t name, uint32_t register_id)
{
    struct ag_ir_program *program = builder->program;
    uint8_t word = factor_words[name];
    for (size_t i = 0; i < program->outputs.count; i++)
        if (program->outputs.data[i].kind == AG_IR_OUTPUT_TESS_FACTOR &&
            program->outputs.data[i].factor == word)
            return;
    struct ag_ir_output output = {
        .kind = AG_IR_OUTPUT_TESS_FACTOR,
        .mask = (uint8_t)(mask & (0u - mask)),
        .component_type = AGPU_COMPONENT_FLOAT,
        .number = number,
        .register_id = register_id,
        .factor = word,
        .used = true,
        .offset = dcl->offset,
    };
    if (!ag_vec_push(&program->outputs, output))
        ag_ir_no_memory(program);
}

void ag_ir_add_register_output(struct ag_ir_builder *builder, uint32_t number, uint32_t mask, uint32_t offset)
{
    if (builder->output_register[number] == AG_IR_NONE)
        builder->output_register[number] =
            ag_ir_add_register(builder->program, AG_IR_REGISTER_OUTPUT, number);
    add_output(builder, offset, AG_IR_OUTPUT_REGISTER, number, mask, AGPU_NAME_UNDEFINED,
               builder->output_register[number]);
}

static void declare_register_output(struct ag_ir_builder *builder, const struct agpu_instruction *dcl,
                                    uint32_t name)
{
    struct ag_ir_program *program = builder->program;
    const struct agpu_operand *o = &dcl->operands[0];
    uint64_t number = o->index[0].immediate;
    uint32_t limit = program->stage == AGPU_STAGE_PIXEL ? AGPU_MAX_RENDER_TARGETS : AGPU_MAX_REGISTERS;
    if (o->index_count != 1 || number >= limit) {
        ag_ir_refuse_declaration(builder, dcl, AGPU_DIAG_TRANSLATE_OPERAND, "no such output register");
        return;
    }
    uint32_t r = (uint32_t)number, mask = o->mask & 15u;
    if (builder->output_register[r] == AG_IR_NONE)
        builder->output_register[r] = ag_ir_add_register(program, AG_IR_REGISTER_OUTPUT, r);
    uint32_t id = builder->output_register[r];
    if (ag_ir_uses_records(program->flavour)) { /* a record holds every output in its register */
        add_output(builder, dcl->offset, AG_IR_OUTPUT_REGISTER, r, mask, name, id);
        if (program->stage == AGPU_STAGE_HULL && name >= AGPU_NAME_FINAL_QUAD_U_EQ_0_EDGE_TESS_FACTOR &&
            name < AGPU_NAME_COUNT)
            add_factor(builder, dcl, r, mask, name, id);
        return;
    }
    if (name == AGPU_NAME_POSITION) {
        add_output(builder, dcl->offset, AG_IR_OUTPUT_POSITION, r, mask, name, id);
        return;
    }
    if (name == AGPU_NAME_CLIP_DISTANCE)
        add_output(builder, dcl->offset, AG_IR_OUTPUT_CLIP_DISTANCE, r, mask, name, id);
    else if (name != AGPU_NAME_UNDEFINED)
        add_output(builder, dcl->offset, AG_IR_OUTPUT_DROPPED, r, mask, name, id);
    add_output(builder, dcl->offset, AG_IR_OUTPUT_REGISTER, r, mask, name, id);
}

static void declare_output(struct ag_ir_builder *builder, const struct agpu_instruction *dcl)
{
    const uint32_t name = ag_ir_data_at(dcl, 0);
    uint32_t which;
    switch ((enum agpu_operand_type)dcl->operands[0].type) {
    case AGPU_OPERAND_OUTPUT:
        declare_register_output(builder, dcl, name);
        return;
    case AGPU_OPERAND_OUTPUT_DEPTH:
    case AGPU_OPERAND_OUTPUT_DEPTH_GREATER_EQUAL:
    case AGPU_OPERAND_OUTPUT_DEPTH_LESS_EQUAL:
        which = AG_IR_SPECIAL_DEPTH;
        break;
    case AGPU_OPERAND_OUTPUT_COVERAGE_MASK:
        which = AG_IR_SPECIAL_COVERAGE;
        break;
    case AGPU_OPERAND_OUTPUT_STENCIL_REF:
        ag_ir_refuse(builder->program, AGPU_DIAG_TRANSLATE_SYSTEM_VALUE, dcl->offset,
                     "oStencilRef cannot be written: WebGPU has one stencil reference for a draw");
        return;
    default:
        ag_ir_refuse(builder->program, AGPU_DIAG_TRANSLATE_SYSTEM_VALUE, dcl->offset,
                     "%s cannot be written: this stage has no such output",
                     operand_name(dcl->operands[0].type));
        return;
    }
    if (builder->special_output[which] != AG_IR_NONE)
        return;
    uint32_t id = ag_ir_add_register(builder->program, AG_IR_REGISTER_OUTPUT, AG_IR_NONE);
    builder->special_output[which] = id;
    add_output(builder, dcl->offset,
               which == AG_IR_SPECIAL_DEPTH ? AG_IR_OUTPUT_DEPTH : AG_IR_OUTPUT_COVERAGE, AG_IR_NONE, 1,
               which == AG_IR_SPECIAL_DEPTH ? AGPU_SV_DEPTH : AGPU_SV_COVERAGE, id);
    if (builder->program->status == AGPU_OK)
        ag_vec_last(&builder->program->outputs).bound =
            dcl->operands[0].type == AGPU_OPERAND_OUTPUT_DEPTH_GREATER_EQUAL ? AG_IR_DEPTH_AT_LEAST
            : dcl->operands[0].type == AGPU_OPERAND_OUTPUT_DEPTH_LESS_EQUAL  ? AG_IR_DEPTH_AT_MOST
                                                                             : AG_IR_DEPTH_ANY;
}

/* ---- Arrays ------------------------------------------------------------------------------------------- */

uint32_t ag_ir_add_array(struct ag_ir_builder *builder, enum ag_ir_register_kind kind, uint32_t number,
                         uint32_t length)
{
    struct ag_ir_array array = {.length = length, .kind = (uint8_t)kind, .number = number};
    if (!ag_vec_push(&builder->program->arrays, array)) {
        ag_ir_no_memory(builder->program);
        return AG_IR_NONE;
    }
    return (uint32_t)builder->program->arrays.count - 1;
}

uint32_t ag_ir_indexable_array(const struct ag_ir_builder *builder, uint64_t number)
{
    return builder->indexable == NULL || number >= AG_IR_MAX_ARRAYS ? AG_IR_NONE : builder->indexable[number];
}

static void declare_indexable(struct ag_ir_builder *builder, const struct agpu_instruction *dcl)
{
    uint32_t number = ag_ir_data_at(dcl, 0), length = ag_ir_data_at(dcl, 1);
    if (number >= AG_IR_MAX_ARRAYS || length == 0 || length > AG_IR_MAX_TEMPS ||
        ag_ir_indexable_array(builder, number) != AG_IR_NONE) {
        ag_ir_refuse_declaration(builder, dcl, AGPU_DIAG_TRANSLATE_LIMIT, "no such indexable temporary");
        return;
    }
    if (builder->indexable == NULL) {
        builder->indexable = AG_ARENA_ARRAY(builder->program->arena, uint32_t, AG_IR_MAX_ARRAYS);
        if (builder->indexable == NULL) {
            ag_ir_no_memory(builder->program);
            return;
        }
        memset(builder->indexable, 0xff, AG_IR_MAX_ARRAYS * sizeof builder->indexable[0]);
    }
    /* The phases of a hull shader each number their arrays from 0, but the program needs distinct numbers. */
    uint32_t unique = number;
    if (builder->program->stage == AGPU_STAGE_HULL && unique < builder->next_indexable)
        unique = builder->next_indexable;
    builder->next_indexable = unique + 1;
    builder->indexable[number] = ag_ir_add_array(builder, AG_IR_REGISTER_TEMP, unique, length);
}

/* Index ranges of different components may overlap in registers; such ranges share one array. */
static void declare_range(struct ag_ir_builder *builder, const struct agpu_instruction *dcl)
{
    const struct agpu_operand *o = &dcl->operands[0];
    bool is_input = o->type == AGPU_OPERAND_INPUT;
    if (ag_ir_is_record_operand(o) || builder->constant_array != AG_IR_NONE)
        return; /* records are in memory, where any index works without a range */
    uint64_t number = o->index[0].immediate;
    uint32_t count = ag_ir_data_at(dcl, 0);
    if ((!is_input && o->type != AGPU_OPERAND_OUTPUT) || o->index_count != 1 ||
        number >= AGPU_MAX_REGISTERS || count == 0 || count > AGPU_MAX_REGISTERS - (uint32_t)number) {
        ag_ir_refuse_declaration(builder, dcl, AGPU_DIAG_TRANSLATE_OPERAND, "no such range of registers");
        return;
    }
    uint32_t *arrays = is_input ? builder->input_array : builder->output_array;
    uint32_t first = (uint32_t)number, end = first + count, found = AG_IR_NONE;
    for (uint32_t r = first; r < end; r++) {
        if (arrays[r] == AG_IR_NONE || arrays[r] == found)
            continue;
        if (found != AG_IR_NONE) {
            ag_ir_refuse_declaration(builder, dcl, AGPU_DIAG_TRANSLATE_OPERAND,
                                     "ranges that overlap in two places");
            return;
        }
        found = arrays[r];
    }
    if (found == AG_IR_NONE)
        found =
            ag_ir_add_array(builder, is_input ? AG_IR_REGISTER_INPUT : AG_IR_REGISTER_OUTPUT, first, count);
    if (found == AG_IR_NONE)
        return;
    struct ag_ir_array *array = &builder->program->arrays.data[found];
    uint32_t array_end = array->number + array->length > end ? array->number + array->length : end;
    if (first < array->number)
        array->number = first;
    array->length = array_end - array->number;
    for (uint32_t r = array->number; r < array_end; r++)
        arrays[r] = found;
}

/* ---- All ---------------------------------------------------------------------------------------------- */

static void declare_custom_data(struct ag_ir_builder *builder, const struct agpu_instruction *dcl)
{
    if (dcl->controls == AGPU_CUSTOM_SHADER_MESSAGE)
        ag_ir_warn(builder->program, AGPU_DIAG_TRANSLATE_IGNORED, dcl->offset,
                   "nobody receives messages of shaders, this one is skipped");
    if (dcl->controls != AGPU_CUSTOM_IMMEDIATE_CONSTANT_BUFFER || dcl->data_count < 4)
        return;
    if (dcl->data_count / 4 > 4096 || builder->program->icb_rows != 0) {
        ag_ir_refuse_declaration(builder, dcl, AGPU_DIAG_TRANSLATE_LIMIT,
                                 "more than one immediate constant buffer");
        return;
    }
    builder->program->icb = dcl->data;
    builder->program->icb_rows = dcl->data_count / 4;
}

static void declare_temps(struct ag_ir_builder *builder, const struct agpu_instruction *dcl)
{
    uint32_t count = ag_ir_data_at(dcl, 0);
    if (count > AG_IR_MAX_TEMPS || builder->temp_count != 0) {
        ag_ir_refuse_declaration(builder, dcl, AGPU_DIAG_TRANSLATE_LIMIT, "too many temporaries");
        return;
    }
    builder->temp_base = (uint32_t)builder->program->registers.count;
    builder->temp_count = count;
    for (uint32_t i = 0; i < count && builder->program->status == AGPU_OK; i++)
        ag_ir_add_register(builder->program, AG_IR_REGISTER_TEMP, i);
}

void ag_ir_declare_stream(struct ag_ir_builder *builder, const struct agpu_instruction *dcl)
{
    uint64_t stream = dcl->operands[0].index[0].immediate;
    if (dcl->operands[0].index_count != 1 || stream >= AG_IR_MAX_STREAMS)
        ag_ir_refuse_declaration(builder, dcl, AGPU_DIAG_TRANSLATE_OPERAND, "no such stream");
    else
        builder->stream = (uint32_t)stream;
}

/* System values of inputs and outputs are kept in a byte, and tables have a row for each. */
static bool has_known_name(struct ag_ir_builder *builder, const struct agpu_instruction *dcl)
{
    if (!ag_declares_system_value(dcl->opcode) || ag_ir_data_at(dcl, 0) < AGPU_NAME_COUNT)
        return true;
    ag_ir_refuse(builder->program, AGPU_DIAG_TRANSLATE_SYSTEM_VALUE, dcl->offset,
                 "there is no system value %u", ag_ir_data_at(dcl, 0));
    return false;
}

static void declare_input(struct ag_ir_builder *builder, const struct agpu_instruction *dcl)
{
    if (ag_ir_is_record_operand(&dcl->operands[0]))
        return; /* records are read from memory where they are used */
    if (dcl->operands[0].type == AGPU_OPERAND_INPUT)
        declare_register_input(builder, dcl, ag_ir_data_at(dcl, 0));
    else
        declare_special_input(builder, dcl);
}

static void declare_thread_group(struct ag_ir_builder *builder, const struct agpu_instruction *dcl)
{
    for (uint32_t i = 0; i < 3; i++)
        builder->program->thread_group[i] = ag_ir_data_at(dcl, i);
}

static void declare_global_flags(struct ag_ir_builder *builder, const struct agpu_instruction *dcl)
{
    builder->program->global_flags = dcl->controls;
}

/* Those that fcall, ag_ir_measure_records() and next_phase() read, or the host alone. */
static void skip(struct ag_ir_builder *builder, const struct agpu_instruction *dcl)
{
    (void)builder;
    (void)dcl;
}

/* Null: declarations of resources, if any. */
static void (*const declarations[AGPU_OPCODE_LIMIT])(struct ag_ir_builder *,
                                                     const struct agpu_instruction *) = {
    [AGPU_OP_DCL_INPUT] = declare_input,
    [AGPU_OP_DCL_INPUT_SGV] = declare_input,
    [AGPU_OP_DCL_INPUT_SIV] = declare_input,
    [AGPU_OP_DCL_INPUT_PS] = declare_input,
    [AGPU_OP_DCL_INPUT_PS_SGV] = declare_input,
    [AGPU_OP_DCL_INPUT_PS_SIV] = declare_input,
    [AGPU_OP_DCL_OUTPUT] = declare_output,
    [AGPU_OP_DCL_OUTPUT_SGV] = declare_output,
    [AGPU_OP_DCL_OUTPUT_SIV] = declare_output,
    [AGPU_OP_CUSTOMDATA] = declare_custom_data,
    [AGPU_OP_DCL_TEMPS] = declare_temps,
    [AGPU_OP_DCL_INDEXABLETEMP] = declare_indexable,
    [AGPU_OP_DCL_INDEXRANGE] = declare_range,
    [AGPU_OP_DCL_THREAD_GROUP] = declare_thread_group,
    [AGPU_OP_DCL_GLOBALFLAGS] = declare_global_flags,
    [AGPU_OP_DCL_INTERFACE] = ag_ir_declare_interface,
    [AGPU_OP_DCL_STREAM] = ag_ir_declare_stream,
    [AGPU_OP_DCL_FUNCTION_BODY] = skip,
    [AGPU_OP_DCL_FUNCTION_TABLE] = skip,
    [AGPU_OP_DCL_INPUTPRIMITIVE] = skip,
    [AGPU_OP_DCL_OUTPUTTOPOLOGY] = skip,
    [AGPU_OP_DCL_MAXOUT] = skip,
    [AGPU_OP_DCL_GSINSTANCES] = skip,
    [AGPU_OP_DCL_INPUT_CONTROL_POINT_COUNT] = skip,
    [AGPU_OP_DCL_OUTPUT_CONTROL_POINT_COUNT] = skip,
    [AGPU_OP_DCL_TESSELLATOR_DOMAIN] = skip,
    [AGPU_OP_DCL_TESSELLATOR_PARTITIONING] = skip,
    [AGPU_OP_DCL_TESSELLATOR_OUTPUT_PRIMITIVE] = skip,
    [AGPU_OP_DCL_HS_MAX_TESSFACTOR] = skip,
    [AGPU_OP_DCL_HS_FORK_PHASE_INSTANCE_COUNT] = skip,
    [AGPU_OP_DCL_HS_JOIN_PHASE_INSTANCE_COUNT] = skip,
    [AGPU_OP_HS_DECLS] = skip,
    [AGPU_OP_HS_CONTROL_POINT_PHASE] = skip,
    [AGPU_OP_HS_FORK_PHASE] = skip,
    [AGPU_OP_HS_JOIN_PHASE] = skip,
};

static void declare_one(struct ag_ir_builder *builder, const struct agpu_instruction *dcl)
{
    if (!has_known_name(builder, dcl))
        return;
    if (declarations[dcl->opcode] != NULL)
        declarations[dcl->opcode](builder, dcl);
    else if (!ag_ir_declare_resource(builder, dcl))
        ag_ir_refuse(builder->program, AGPU_DIAG_TRANSLATE_OPCODE, dcl->offset, "%s is not supported",
                     ag_opcode_info(dcl->opcode)->mnemonic);
}

void ag_ir_declare(struct ag_ir_builder *builder, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end && builder->program->status == AGPU_OK; i++) {
        const struct agpu_instruction *insn = &builder->source->instructions[i];
        const struct agpu_opcode_info *info = ag_opcode_info(insn->opcode);
        if (!(info->flags & AGPU_OPF_DECLARATION))
            continue;
        if (insn->operand_count < info->operand_count)
            ag_ir_refuse_declaration(builder, insn, AGPU_DIAG_TRANSLATE_OPERAND, "operands are missing");
        else
            declare_one(builder, insn);
    }
}
