/* SPDX-License-Identifier: MIT
 *
 * Loads, stores and atomics on buffers, unordered access views and group shared memory; barriers.
 */
#include "ir/build.h"

static bool is_texture(const struct ag_ir_resource *resource)
{
    return resource->dimension != AGPU_DIMENSION_BUFFER && resource->dimension != AGPU_DIMENSION_RAW_BUFFER &&
           resource->dimension != AGPU_DIMENSION_STRUCTURED_BUFFER;
}

static uint32_t coordinate_mask(const struct ag_ir_resource *resource)
{
    switch ((enum agpu_resource_dimension)resource->dimension) {
    case AGPU_DIMENSION_TEXTURE2D:
    case AGPU_DIMENSION_TEXTURE1DARRAY:
        return 3;
    case AGPU_DIMENSION_TEXTURE3D:
    case AGPU_DIMENSION_TEXTURE2DARRAY:
        return 7;
    default:
        return 1;
    }
}

/* Instructions for structured buffers need a resource declared so, and others must not have one: their
 * addresses mean different things. */
static struct ag_ir_resource *memory_of(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                                        uint32_t operand, bool structured, struct ag_ir_access **access)
{
    uint32_t id = ag_ir_resource_of(builder, insn, operand);
    *access = ag_ir_access_new(builder, id);
    if (id == AG_IR_NONE || *access == NULL)
        return NULL;
    struct ag_ir_resource *resource = &builder->program->resources.data[id];
    if (structured != (resource->dimension == AGPU_DIMENSION_STRUCTURED_BUFFER)) {
        ag_ir_refuse(builder->program, AGPU_DIAG_TRANSLATE_RESOURCE, insn->offset,
                     "%s does not fit a resource of dimension %u", agpu_opcode_info(insn->opcode)->mnemonic,
                     resource->dimension);
        return NULL;
    }
    return resource;
}

static void write_words(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                        uint32_t resource_operand, struct ag_ir_expr *value)
{
    uint32_t mask = ag_ir_destination_mask(&insn->operands[0]);
    uint8_t components[4] = {0};
    uint32_t lane = 0;
    for (uint32_t c = 0; c < 4; c++)
        if (mask >> c & 1)
            components[lane++] = insn->operands[resource_operand].swizzle[c];
    if (lane != 0)
        ag_ir_write(builder, insn, 0, ag_ir_swizzle(builder->program, value, lane, components));
}

/* One past the largest component that the destination reads. */
static uint32_t words_needed(const struct agpu_instruction *insn, uint32_t resource_operand)
{
    uint32_t mask = ag_ir_destination_mask(&insn->operands[0]), words = 1;
    for (uint32_t c = 0; c < 4; c++)
        if ((mask >> c & 1) && insn->operands[resource_operand].swizzle[c] + 1u > words)
            words = insn->operands[resource_operand].swizzle[c] + 1u;
    return words;
}

/* row->detail: 0 typed view, 1 raw buffer, 2 structured buffer. */
void ag_ir_build_load(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                      const struct ag_ir_row *row)
{
    uint32_t resource_operand = row->detail == 2 ? 3 : 2;
    struct ag_ir_access *access;
    struct ag_ir_resource *resource = memory_of(builder, insn, resource_operand, row->detail == 2, &access);
    if (resource == NULL)
        return;
    resource->loaded = true;
    struct ag_ir_expr *load;
    if (row->detail == 0 && is_texture(resource)) {
        load = ag_ir_expr_new(builder->program, AG_IR_LOAD_TEXEL, 4, 1);
        load->args[0] = ag_ir_source(builder, insn, 1, 'i', coordinate_mask(resource));
    } else {
        uint32_t words = row->detail == 0 ? 4 : words_needed(insn, resource_operand);
        load = ag_ir_expr_new(builder->program, AG_IR_LOAD, words, row->detail == 2 ? 2 : 1);
        for (uint32_t i = 0; i < load->arg_count; i++)
            load->args[i] = ag_ir_source(builder, insn, 1 + i, 'i', 1);
    }
    load->access = access;
    write_words(builder, insn, resource_operand, load);
}

static void emit_effect(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                        struct ag_ir_expr *value)
{
    struct ag_ir_stmt *stmt = ag_ir_emit(builder, AG_IR_EVALUATE, insn->offset);
    if (stmt != NULL)
        stmt->value = value;
}

void ag_ir_build_store(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                       const struct ag_ir_row *row)
{
    struct ag_ir_access *access;
    struct ag_ir_resource *resource = memory_of(builder, insn, 0, row->detail == 2, &access);
    if (resource == NULL)
        return;
    resource->stored = true;
    uint32_t addresses = row->detail == 2 ? 2 : 1;
    bool texture = row->detail == 0 && is_texture(resource);
    uint32_t mask = row->detail == 0 ? 15 : insn->operands[0].mask & 15u;
    struct ag_ir_expr *store =
        ag_ir_expr_new(builder->program, texture ? AG_IR_STORE_TEXEL : AG_IR_STORE, 1, addresses + 1);
    store->access = access;
    access->word_mask = (uint8_t)mask;
    for (uint32_t i = 0; i < addresses; i++)
        store->args[i] = ag_ir_source(builder, insn, 1 + i, 'i', texture ? coordinate_mask(resource) : 1);
    store->args[addresses] = ag_ir_source(builder, insn, 1 + addresses, 'b', mask);
    if (mask != 0)
        emit_effect(builder, insn, store);
}

void ag_ir_build_bufinfo(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                         const struct ag_ir_row *row)
{
    (void)row;
    uint32_t id = ag_ir_resource_of(builder, insn, 1);
    struct ag_ir_access *access = ag_ir_access_new(builder, id);
    if (id == AG_IR_NONE || access == NULL)
        return;
    struct ag_ir_resource *resource = &builder->program->resources.data[id];
    if (is_texture(resource)) {
        ag_ir_refuse(builder->program, AGPU_DIAG_TRANSLATE_RESOURCE, insn->offset,
                     "bufinfo does not know textures");
        return;
    }
    resource->queried = true;
    struct ag_ir_expr *joined = ag_ir_expr_new(builder->program, AG_IR_JOIN, 4, 4);
    for (uint32_t i = 0; i < 4; i++) { /* D3D11.3 22.4.1: every component is the count */
        joined->args[i] = ag_ir_expr_new(builder->program, AG_IR_BUFFER_INFO, 1, 0);
        joined->args[i]->access = access;
    }
    write_words(builder, insn, 1, joined);
}

/* row->detail: enum ag_ir_atomic. row->op2: CONST when the instruction does not return the old value. */
void ag_ir_build_atomic(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                        const struct ag_ir_row *row)
{
    bool wants_old = row->op2 != AG_IR_CONST;
    uint32_t at = wants_old ? 1 : 0;
    uint32_t id = ag_ir_resource_of(builder, insn, at);
    struct ag_ir_access *access = ag_ir_access_new(builder, id);
    if (id == AG_IR_NONE || access == NULL)
        return;
    struct ag_ir_resource *resource = &builder->program->resources.data[id];
    resource->atomic = true;
    access->atomic = row->detail;
    uint32_t addresses = resource->dimension == AGPU_DIMENSION_STRUCTURED_BUFFER ? 2 : 1;
    uint32_t operands = row->detail == AG_IR_ATOMIC_COMPARE_EXCHANGE ? 2 : 1;
    struct ag_ir_expr *expr = ag_ir_expr_new(builder->program, AG_IR_ATOMIC, 1, addresses + operands);
    expr->access = access;
    if (is_texture(resource))
        expr->args[0] = ag_ir_source(builder, insn, at + 1, 'i', coordinate_mask(resource));
    for (uint32_t i = 0; i < addresses && !is_texture(resource); i++) {
        const uint8_t lane = (uint8_t)i;
        struct ag_ir_expr *both = ag_ir_source(builder, insn, at + 1, 'i', (1u << addresses) - 1);
        expr->args[i] = ag_ir_narrow(builder->program, both, 1, &lane);
    }
    for (uint32_t i = 0; i < operands; i++)
        expr->args[addresses + i] = ag_ir_source(builder, insn, at + 2 + i, 'u', 1);
    if (wants_old && ag_ir_destination_mask(&insn->operands[0]) != 0)
        ag_ir_write(builder, insn, 0, ag_ir_scratch(builder, insn, expr));
    else
        emit_effect(builder, insn, expr);
}

/* row->detail: 1 for consume, which counts down. */
void ag_ir_build_counter(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                         const struct ag_ir_row *row)
{
    uint32_t id = ag_ir_resource_of(builder, insn, 1);
    struct ag_ir_access *access = ag_ir_access_new(builder, id);
    if (id == AG_IR_NONE || access == NULL)
        return;
    builder->program->resources.data[id].counted = true;
    access->decrement = row->detail == 1;
    struct ag_ir_expr *expr = ag_ir_expr_new(builder->program, AG_IR_COUNTER, 1, 0);
    expr->access = access;
    if (ag_ir_destination_mask(&insn->operands[0]) != 0)
        ag_ir_write(builder, insn, 0, ag_ir_scratch(builder, insn, expr));
    else
        emit_effect(builder, insn, expr);
}

void ag_ir_build_sync(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                      const struct ag_ir_row *row)
{
    (void)row;
    struct ag_ir_stmt *stmt = ag_ir_emit(builder, AG_IR_BARRIER, insn->offset);
    if (stmt != NULL)
        stmt->sync = insn->controls & 15;
}
