/* SPDX-License-Identifier: MIT
 *
 * Reads and writes operands.
 */
#include "ref/machine.h"
#include "ref/number.h"

char ag_ref_operand_kind(const struct agpu_opcode_info *info, uint32_t index)
{
    return index < info->operand_count ? info->operands[3 * index + 1] : 'b';
}

uint64_t ag_ref_operand_index(const struct ag_ref_thread *thread, const struct agpu_operand *operand,
                              uint32_t i)
{
    if (i >= operand->index_count)
        return 0;
    const struct agpu_operand_index *index = &operand->index[i];
    if (index->relative == NULL)
        return index->immediate;
    return (uint32_t)index->immediate + ag_ref_read_scalar(thread, index->relative, 'u');
}

uint64_t ag_ref_slot(const struct ag_ref_thread *thread, const struct agpu_operand *operand)
{
    const struct agpu_program *program = &thread->run->program->shader->program;
    const bool by_id = program->major == 5 && program->minor == 1;
    return ag_ref_operand_index(thread, operand, by_id ? 1 : 0);
}

/* ---- Register files ----------------------------------------------------------------------------------- */

/* A register of an indexable array; null out of range. */
static uint32_t *find_indexable(const struct ag_ref_thread *thread, const struct agpu_operand *operand,
                                uint32_t *components)
{
    const struct ag_ref_program *program = thread->run->program;
    const uint64_t array = ag_ref_operand_index(thread, operand, 0);
    const uint64_t element = ag_ref_operand_index(thread, operand, 1);
    if (array >= program->indexable_count || element >= program->indexables[array].count)
        return NULL;
    *components = program->indexables[array].components;
    return thread->indexables[program->indexables[array].first + element];
}

static void read_indexable(const struct ag_ref_thread *thread, const struct agpu_operand *operand,
                           uint32_t value[4])
{
    uint32_t components;
    const uint32_t *element = find_indexable(thread, operand, &components);
    if (element != NULL)
        memcpy(value, element, components * sizeof *value);
}

static void read_constant(const struct ag_ref_thread *thread, const struct agpu_operand *operand,
                          uint32_t value[4])
{
    const struct ag_ref_bindings *bindings = thread->run->bindings;
    const uint64_t slot = ag_ref_slot(thread, operand);
    const uint64_t index = ag_ref_operand_index(thread, operand, operand->index_count - 1u);
    if (slot >= bindings->constant_buffer_count || index > UINT32_MAX)
        return;
    const struct ag_ref_constant_buffer *buffer = &bindings->constant_buffers[slot];
    for (uint32_t i = 0; i < 4 && buffer->data != NULL; i++) {
        const uint64_t offset = index * 16 + (uint64_t)i * 4;
        if (ag_range_fits(offset, 4, buffer->size))
            value[i] = ag_load_u32((const uint8_t *)buffer->data + offset);
    }
}

static void read_immediate_constant(const struct ag_ref_thread *thread, const struct agpu_operand *operand,
                                    uint32_t value[4])
{
    const struct agpu_instruction *buffer = thread->run->program->immediate_buffer;
    const uint64_t index = ag_ref_operand_index(thread, operand, 0);
    if (buffer != NULL && index < buffer->data_count / 4)
        memcpy(value, buffer->data + 4 * index, 4 * sizeof *value);
}

static void read_instance(const struct ag_ref_thread *thread, const struct agpu_operand *operand,
                          uint32_t value[4])
{
    const struct ag_ref_bindings *bindings = thread->run->bindings;
    const uint64_t index = ag_ref_operand_index(thread, operand, 0);
    if (index < bindings->instance_count)
        memcpy(value, bindings->instances[index].data, 4 * sizeof *value);
}

static void read_numbered(const struct ag_ref_thread *thread, const struct agpu_operand *operand,
                          uint32_t value[4])
{
    const uint64_t index = ag_ref_operand_index(thread, operand, 0);
    const struct ag_ref_invocation *invocation = thread->invocation;
    const uint32_t *from = NULL;
    if (operand->type == AGPU_OPERAND_TEMP)
        from = index < thread->run->program->temp_count ? thread->temps[index] : NULL;
    else if (index < AG_REF_REGISTERS && invocation != NULL)
        from = operand->type == AGPU_OPERAND_INPUT ? invocation->input[index] : invocation->output[index];
    if (from != NULL)
        memcpy(value, from, 4 * sizeof *value);
}

/* Reads the register of an operand, before swizzle; 0 if the register does not exist (D5, D6, D19). */
static void read_register(const struct ag_ref_thread *thread, const struct agpu_operand *operand,
                          uint32_t value[4])
{
    const struct ag_ref_invocation *invocation = thread->invocation;
    memset(value, 0, 4 * sizeof *value);
    switch (operand->type) {
    case AGPU_OPERAND_TEMP:
    case AGPU_OPERAND_INPUT:
    case AGPU_OPERAND_OUTPUT:
        read_numbered(thread, operand, value);
        break;
    case AGPU_OPERAND_INDEXABLE_TEMP:
        read_indexable(thread, operand, value);
        break;
    case AGPU_OPERAND_IMMEDIATE32:
    case AGPU_OPERAND_IMMEDIATE64:
        memcpy(value, operand->immediate, 4 * sizeof *value);
        break;
    case AGPU_OPERAND_CONSTANT_BUFFER:
        read_constant(thread, operand, value);
        break;
    case AGPU_OPERAND_IMMEDIATE_CONSTANT_BUFFER:
        read_immediate_constant(thread, operand, value);
        break;
    case AGPU_OPERAND_THIS_POINTER:
        read_instance(thread, operand, value);
        break;
    case AGPU_OPERAND_INPUT_PRIMITIVE_ID:
        value[0] = invocation != NULL ? invocation->primitive_id : 0;
        break;
    case AGPU_OPERAND_INPUT_COVERAGE_MASK:
        value[0] = invocation != NULL ? invocation->coverage : 0;
        break;
    case AGPU_OPERAND_INPUT_INNER_COVERAGE:
        value[0] = invocation != NULL ? invocation->inner_coverage : 0;
        break;
    case AGPU_OPERAND_INPUT_THREAD_ID:
        memcpy(value, thread->thread_id, sizeof thread->thread_id);
        break;
    case AGPU_OPERAND_INPUT_THREAD_GROUP_ID:
        memcpy(value, thread->group_id, sizeof thread->group_id);
        break;
    case AGPU_OPERAND_INPUT_THREAD_ID_IN_GROUP:
        memcpy(value, thread->id_in_group, sizeof thread->id_in_group);
        break;
    case AGPU_OPERAND_INPUT_THREAD_ID_IN_GROUP_FLATTENED:
        value[0] = thread->flattened_id;
        break;
    default: /* null, and the cycle counter, which reads 0; program.c refused all other types */
        break;
    }
}

/* ---- Sources ------------------------------------------------------------------------------------------ */

static uint32_t modify(uint32_t bits, uint32_t modifier)
{
    if (modifier & AGPU_MODIFIER_ABSOLUTE)
        bits &= ~AG_REF_SIGN;
    return modifier & AGPU_MODIFIER_NEGATE ? bits ^ AG_REF_SIGN : bits;
}

void ag_ref_read(const struct ag_ref_thread *thread, const struct agpu_operand *operand, char kind,
                 uint32_t value[4])
{
    uint32_t whole[4];
    read_register(thread, operand, whole);
    for (uint32_t i = 0; i < 4; i++)
        value[i] = whole[operand->swizzle[i] & 3];
    if (operand->modifier == AGPU_MODIFIER_NONE)
        return;
    for (uint32_t i = 0; i < 4; i++) {
        switch (kind) {
        case 'd': /* the sign is in the high word of each pair */
            value[i] = i & 1 ? modify(value[i], operand->modifier) : value[i];
            break;
        case 'f':
            value[i] = modify(value[i], operand->modifier);
            break;
        case 'b': /* a move with a modifier is float arithmetic */
            value[i] = ag_ref_flush_by(modify(value[i], operand->modifier), thread->run->flags);
            break;
        default:
            value[i] = operand->modifier & AGPU_MODIFIER_NEGATE ? 0 - value[i] : value[i];
            break;
        }
    }
}

uint32_t ag_ref_read_scalar(const struct ag_ref_thread *thread, const struct agpu_operand *operand, char kind)
{
    uint32_t value[4];
    ag_ref_read(thread, operand, kind, value);
    return value[0];
}

/* ---- Destinations ------------------------------------------------------------------------------------- */

static void write_masked(uint32_t *to, uint32_t mask, const uint32_t value[4])
{
    for (uint32_t i = 0; i < 4; i++) {
        if (mask >> i & 1)
            to[i] = value[i];
    }
}

static void write_special(struct ag_ref_thread *thread, enum ag_ref_special special, uint32_t value)
{
    if (thread->invocation == NULL)
        return;
    thread->invocation->special[special] = value;
    thread->invocation->special_written[special] = true;
}

static void write_output(struct ag_ref_thread *thread, const struct agpu_operand *operand,
                         const uint32_t value[4])
{
    const uint64_t index = ag_ref_operand_index(thread, operand, 0);
    if (index >= AG_REF_REGISTERS || thread->invocation == NULL)
        return;
    write_masked(thread->invocation->output[index], operand->mask, value);
    thread->invocation->written[index] |= operand->mask;
}

void ag_ref_write(struct ag_ref_thread *thread, const struct agpu_operand *operand, const uint32_t value[4])
{
    switch (operand->type) {
    case AGPU_OPERAND_TEMP: {
        const uint64_t index = ag_ref_operand_index(thread, operand, 0);
        if (index < thread->run->program->temp_count)
            write_masked(thread->temps[index], operand->mask, value);
        break;
    }
    case AGPU_OPERAND_INDEXABLE_TEMP: {
        uint32_t components;
        uint32_t *element = find_indexable(thread, operand, &components);
        if (element != NULL)
            write_masked(element, operand->mask & ((1u << components) - 1), value);
        break;
    }
    case AGPU_OPERAND_OUTPUT:
        write_output(thread, operand, value);
        break;
    case AGPU_OPERAND_OUTPUT_DEPTH:
    case AGPU_OPERAND_OUTPUT_DEPTH_GREATER_EQUAL:
    case AGPU_OPERAND_OUTPUT_DEPTH_LESS_EQUAL:
        write_special(thread, AG_REF_OUTPUT_DEPTH, value[0]);
        break;
    case AGPU_OPERAND_OUTPUT_COVERAGE_MASK:
        write_special(thread, AG_REF_OUTPUT_COVERAGE, value[0]);
        break;
    case AGPU_OPERAND_OUTPUT_STENCIL_REF:
        write_special(thread, AG_REF_OUTPUT_STENCIL, value[0]);
        break;
    default: /* null; program.c refused all other types */
        break;
    }
}

void ag_ref_write_result(struct ag_ref_thread *thread, const struct ag_ref_code *code, uint32_t index,
                         const uint32_t value[4])
{
    const struct agpu_operand *operand = &code->instruction->operands[index];
    if (!code->instruction->saturate || !(code->info->flags & AGPU_OPF_SATURATE)) {
        ag_ref_write(thread, operand, value);
        return;
    }
    uint32_t clamped[4];
    for (uint32_t i = 0; i < 4; i++)
        clamped[i] = ag_ref_flush_by(ag_ref_saturate(value[i]), thread->run->flags);
    if (ag_ref_operand_kind(code->info, index) == 'd') {
        for (uint32_t i = 0; i < 4; i += 2)
            ag_store_u64(&clamped[i], ag_ref_saturate64(ag_load_u64(&value[i])));
    }
    ag_ref_write(thread, operand, clamped);
}

/* ---- Views -------------------------------------------------------------------------------------------- */

const struct ag_ref_view *ag_ref_resource(const struct ag_ref_thread *thread,
                                          const struct agpu_operand *operand)
{
    static const struct ag_ref_view empty = {.dimension = AGPU_DIMENSION_UNKNOWN};
    const struct ag_ref_bindings *bindings = thread->run->bindings;
    const bool is_unordered = operand->type == AGPU_OPERAND_UNORDERED_ACCESS_VIEW;
    const struct ag_ref_view *views = is_unordered ? bindings->unordered : bindings->resources;
    const uint32_t count = is_unordered ? bindings->unordered_count : bindings->resource_count;
    const uint64_t slot = ag_ref_slot(thread, operand);
    return slot < count && views[slot].data != NULL ? &views[slot] : &empty;
}

const struct agpu_operand *ag_ref_after_status(const struct ag_ref_code *code, uint32_t index)
{
    const bool has_status = code->info->destination_count == 2;
    return &code->instruction->operands[index + (has_status && index > 0 ? 1 : 0)];
}

void ag_ref_write_status(struct ag_ref_thread *thread, const struct ag_ref_code *code)
{
    static const uint32_t resident[4] = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};
    if (code->info->destination_count == 2)
        ag_ref_write(thread, &code->instruction->operands[1], resident);
}
