/* SPDX-License-Identifier: MIT
 *
 * Making IR and asking simple questions about it.
 */
#include <string.h>

#include "base/diag.h"
#include "ir/ir.h"

#define POISON_ARGS 8

const struct agpu_ir_op_info agpu_ir_op_infos[AGPU_IR_OP_COUNT] = {
#define AGPU_IR_OP_ROW(name, signature, flags) [AGPU_IR_##name] = {#name, signature, flags},
    AGPU_IR_OPS(AGPU_IR_OP_ROW)
#undef AGPU_IR_OP_ROW
};

static struct agpu_place place_of(uint32_t offset)
{
    return offset == AGPU_IR_NONE ? agpu_place_none() : agpu_place_offset((uint64_t)offset * 4);
}

void agpu_ir_refuse(struct agpu_ir_program *program, enum agpu_diag_code code, uint32_t offset,
                    const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    agpu_report_va(program->sink, code, AGPU_ERROR, place_of(offset), format, arguments);
    va_end(arguments);
    if (program->status == AGPU_OK)
        program->status = AGPU_REFUSED;
}

void agpu_ir_warn(struct agpu_ir_program *program, enum agpu_diag_code code, uint32_t offset,
                  const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    agpu_report_va(program->sink, code, AGPU_WARNING, place_of(offset), format, arguments);
    va_end(arguments);
}

/* The arena's limit is a limit of ours; an arena below it that gives nothing means the host has no memory. */
void agpu_ir_no_memory(struct agpu_ir_program *program)
{
    if (program->status == AGPU_NO_MEMORY)
        return;
    size_t limit = program->arena->limit_bytes;
    if (limit != 0 && program->arena->used_bytes > limit / 2) {
        if (program->status == AGPU_OK)
            agpu_ir_refuse(program, AGPU_DIAG_TRANSLATE_LIMIT, AGPU_IR_NONE,
                           "the program needs more than %zu bytes to translate", limit);
        return;
    }
    program->status = agpu_report_no_memory(program->sink);
}

/* The other letters, and the end of a signature, are any type. */
static enum agpu_ir_type type_of_letter(char letter)
{
    static const uint8_t types[128] = {
        ['f'] = AGPU_IR_F32,  ['i'] = AGPU_IR_I32, ['u'] = AGPU_IR_U32,
        ['b'] = AGPU_IR_BOOL, ['n'] = AGPU_IR_INT,
    };
    return (enum agpu_ir_type)types[letter & 127];
}

struct agpu_ir_expr *agpu_ir_expr_new(struct agpu_ir_program *program, enum agpu_ir_op op, uint32_t width,
                                      uint32_t arg_count)
{
    struct agpu_ir_expr *expr = agpu_arena_alloc_raw(
        program->arena, sizeof *expr + arg_count * sizeof expr->args[0], alignof(struct agpu_ir_expr));
    if (expr == NULL) {
        agpu_ir_no_memory(program);
        return program->poison;
    }
    *expr = (struct agpu_ir_expr){
        .op = (uint8_t)op,
        .type = (uint8_t)type_of_letter(agpu_ir_op_infos[op].signature[0]),
        .width = (uint8_t)width,
        .arg_count = (uint8_t)arg_count,
    };
    for (uint32_t i = 0; i < arg_count; i++)
        expr->args[i] = program->poison;
    program->expr_count++;
    return expr;
}

static bool make_poison(struct agpu_ir_program *program)
{
    program->poison =
        agpu_arena_alloc(program->arena, sizeof *program->poison + POISON_ARGS * sizeof program->poison,
                         alignof(struct agpu_ir_expr));
    if (program->poison == NULL)
        return false;
    program->poison->op = AGPU_IR_CONST;
    program->poison->width = 4;
    return true;
}

struct agpu_ir_block *agpu_ir_block_new(struct agpu_ir_program *program, struct agpu_ir_block *parent)
{
    if (program->poison == NULL && !make_poison(program)) {
        agpu_ir_no_memory(program);
        return NULL;
    }
    struct agpu_ir_block *block = AGPU_ARENA_NEW(program->arena, struct agpu_ir_block);
    if (block == NULL) {
        agpu_ir_no_memory(program);
        return parent; /* the program is refused: what it says no longer matters */
    }
    block->id = program->block_count++;
    block->parent = parent;
    block->depth = parent == NULL ? 0 : parent->depth + 1;
    return block;
}

struct agpu_ir_stmt *agpu_ir_append(struct agpu_ir_program *program, struct agpu_ir_block *block,
                                    enum agpu_ir_stmt_kind kind, uint32_t offset)
{
    struct agpu_ir_stmt *stmt = AGPU_ARENA_NEW(program->arena, struct agpu_ir_stmt);
    if (stmt == NULL) {
        agpu_ir_no_memory(program);
        return NULL;
    }
    stmt->kind = (uint8_t)kind;
    stmt->offset = offset;
    stmt->block = block;
    stmt->first_declared = AGPU_IR_NONE;
    for (uint32_t i = 0; i < 4; i++)
        stmt->target[i] = AGPU_IR_NONE;
    if (block->last == NULL)
        block->first = stmt;
    else
        block->last->next = stmt;
    block->last = stmt;
    return stmt;
}

struct agpu_ir_expr *agpu_ir_const(struct agpu_ir_program *program, uint32_t width, uint32_t bits)
{
    struct agpu_ir_expr *expr = agpu_ir_expr_new(program, AGPU_IR_CONST, width, 0);
    for (uint32_t i = 0; i < width; i++)
        expr->u.bits[i] = bits;
    return expr;
}

bool agpu_ir_all_constant(const struct agpu_ir_expr *expr)
{
    for (uint32_t i = 0; i < expr->arg_count; i++)
        if (expr->args[i]->op != AGPU_IR_CONST)
            return false;
    return expr->arg_count > 0;
}

bool agpu_ir_same(const struct agpu_ir_expr *a, const struct agpu_ir_expr *b)
{
    if (a->op != b->op || a->width != b->width || a->arg_count != b->arg_count || a->access || b->access)
        return false;
    bool leaf = a->op == AGPU_IR_READ || a->op == AGPU_IR_CONST;
    if ((a->arg_count == 0 && !leaf) || memcmp(a->component, b->component, sizeof a->component) != 0)
        return false;
    for (uint32_t i = 0; leaf && i < a->width; i++)
        if (a->u.bits[i] != b->u.bits[i])
            return false;
    for (uint32_t i = 0; i < a->arg_count; i++)
        if (!agpu_ir_same(a->args[i], b->args[i]))
            return false;
    return true;
}

struct agpu_ir_expr *agpu_ir_unary(struct agpu_ir_program *program, enum agpu_ir_op op,
                                   struct agpu_ir_expr *a)
{
    struct agpu_ir_expr *expr = agpu_ir_expr_new(program, op, a->width, 1);
    expr->args[0] = a;
    return expr;
}

struct agpu_ir_expr *agpu_ir_binary(struct agpu_ir_program *program, enum agpu_ir_op op,
                                    struct agpu_ir_expr *a, struct agpu_ir_expr *b)
{
    struct agpu_ir_expr *expr = agpu_ir_expr_new(program, op,
                                                 op == AGPU_IR_DOT     ? 1
                                                 : a->width > b->width ? a->width
                                                                       : b->width,
                                                 2);
    expr->args[0] = a;
    expr->args[1] = b;
    return expr;
}

/* A joined vector gives up its arguments, unless one would be used twice: expressions are trees. */
static bool pick_joined(struct agpu_ir_program *program, struct agpu_ir_expr **value, uint32_t width,
                        const uint8_t *components)
{
    uint32_t seen = 0;
    for (uint32_t i = 0; i < width; i++) {
        if (seen >> components[i] & 1)
            return false;
        seen |= 1u << components[i];
    }
    struct agpu_ir_expr *joined = *value;
    if (width == 1) {
        *value = joined->args[components[0]];
        return true;
    }
    *value = agpu_ir_expr_new(program, AGPU_IR_JOIN, width, width);
    for (uint32_t i = 0; i < width; i++)
        (*value)->args[i] = joined->args[components[i]];
    return true;
}

static bool is_identity(const struct agpu_ir_expr *value, uint32_t width, const uint8_t *components)
{
    for (uint32_t i = 0; i < width; i++)
        if (components[i] != i)
            return false;
    return width == value->width;
}

struct agpu_ir_expr *agpu_ir_swizzle(struct agpu_ir_program *program, struct agpu_ir_expr *value,
                                     uint32_t width, const uint8_t *components)
{
    if (is_identity(value, width, components))
        return value;
    enum agpu_ir_op op = value->op;
    if (op == AGPU_IR_JOIN && pick_joined(program, &value, width, components))
        return value;
    bool leaf = op == AGPU_IR_CONST || op == AGPU_IR_READ || op == AGPU_IR_CBUFFER || op == AGPU_IR_ICB ||
                op == AGPU_IR_INSTANCE || op == AGPU_IR_ARRAY || op == AGPU_IR_RECORD ||
                op == AGPU_IR_SWIZZLE;
    struct agpu_ir_expr *expr =
        agpu_ir_expr_new(program, leaf ? op : AGPU_IR_SWIZZLE, width, leaf ? value->arg_count : 1);
    if (!leaf) {
        expr->args[0] = value;
        memcpy(expr->component, components, width);
        return expr;
    }
    expr->type = value->type;
    expr->access = value->access;
    expr->u = value->u;
    for (uint32_t i = 0; i < value->arg_count; i++)
        expr->args[i] = value->args[i];
    for (uint32_t i = 0; i < width; i++) {
        expr->component[i] = value->component[components[i]];
        if (op == AGPU_IR_CONST || op == AGPU_IR_READ)
            expr->u.id[i] = value->u.id[components[i]];
    }
    return expr;
}

struct agpu_ir_expr *agpu_ir_splat(struct agpu_ir_program *program, struct agpu_ir_expr *value,
                                   uint32_t width)
{
    static const uint8_t zeros[4];
    return agpu_ir_swizzle(program, value, width, zeros);
}

struct agpu_ir_expr *agpu_ir_narrow(struct agpu_ir_program *program, struct agpu_ir_expr *value,
                                    uint32_t width, const uint8_t *lanes)
{
    if (is_identity(value, width, lanes))
        return value;
    bool by_lanes = (agpu_ir_op_infos[value->op].flags & AGPU_IR_LANES) != 0 && value->arg_count > 0;
    if (!by_lanes)
        return agpu_ir_swizzle(program, value, width, lanes);
    struct agpu_ir_expr *expr = agpu_ir_expr_new(program, value->op, width, value->arg_count);
    expr->type = value->type;
    for (uint32_t i = 0; i < value->arg_count; i++)
        expr->args[i] = value->args[i]->width == 1 && value->width > 1
                            ? value->args[i]
                            : agpu_ir_narrow(program, value->args[i], width, lanes);
    return expr;
}

uint32_t agpu_ir_add_register(struct agpu_ir_program *program, enum agpu_ir_register_kind kind,
                              uint32_t number)
{
    struct agpu_ir_register reg = {.kind = (uint8_t)kind, .number = number};
    for (uint32_t i = 0; i < 4; i++)
        reg.variable[i] = AGPU_IR_NONE;
    if (!agpu_vec_push(&program->registers, reg)) {
        agpu_ir_no_memory(program);
        return 0;
    }
    return (uint32_t)program->registers.count - 1;
}

uint32_t agpu_ir_add_variable(struct agpu_ir_program *program, enum agpu_ir_type type, uint32_t width)
{
    struct agpu_ir_variable variable = {
        .type = (uint8_t)type, .width = (uint8_t)width, .register_id = AGPU_IR_NONE};
    if (!agpu_vec_push(&program->variables, variable)) {
        agpu_ir_no_memory(program);
        return 0;
    }
    return (uint32_t)program->variables.count - 1;
}

enum agpu_ir_type agpu_ir_resource_type(const struct agpu_ir_resource *resource)
{
    switch (resource->return_type) {
    case AGPU_RETURN_UNORM:
    case AGPU_RETURN_SNORM:
    case AGPU_RETURN_FLOAT:
        return AGPU_IR_F32;
    case AGPU_RETURN_SINT:
        return AGPU_IR_I32;
    default:
        return AGPU_IR_U32;
    }
}

enum agpu_ir_type agpu_ir_arg_type(const struct agpu_ir_program *program, const struct agpu_ir_expr *expr,
                                   uint32_t index)
{
    char letter = agpu_ir_op_infos[expr->op].signature[2 + index];
    if (letter == 't')
        return agpu_ir_resource_type(&program->resources.data[expr->access->resource]);
    return type_of_letter(letter);
}

static enum agpu_ir_type read_type(const struct agpu_ir_program *program, const struct agpu_ir_expr *expr)
{
    if (!program->has_variables)
        return AGPU_IR_ANY;
    enum agpu_ir_type type = AGPU_IR_ANY;
    for (uint32_t i = 0; i < expr->width; i++) {
        if (expr->u.id[i] == AGPU_IR_NONE)
            continue;
        enum agpu_ir_type lane = program->variables.data[expr->u.id[i]].type;
        if (type == AGPU_IR_ANY)
            type = lane;
        else if (type != lane)
            return AGPU_IR_U32;
    }
    return type;
}

/* Constants have no opinion, so that `select(x, 0, c)` is what x is. */
static enum agpu_ir_type join_types(enum agpu_ir_type a, enum agpu_ir_type b)
{
    if (a == AGPU_IR_ANY || a == b)
        return b;
    if (b == AGPU_IR_ANY)
        return a;
    if (a == AGPU_IR_INT && (b == AGPU_IR_I32 || b == AGPU_IR_U32))
        return b;
    if (b == AGPU_IR_INT && (a == AGPU_IR_I32 || a == AGPU_IR_U32))
        return a;
    return AGPU_IR_U32;
}

enum agpu_ir_type agpu_ir_natural_type(const struct agpu_ir_program *program, const struct agpu_ir_expr *expr)
{
    if (expr->op == AGPU_IR_READ)
        return read_type(program, expr);
    if (expr->op == AGPU_IR_CBUFFER && program->resources.data[expr->access->resource].holds_floats)
        return AGPU_IR_F32;
    if (expr->type != AGPU_IR_ANY)
        return (enum agpu_ir_type)expr->type;
    if (agpu_ir_op_infos[expr->op].signature[0] == 't')
        return agpu_ir_resource_type(&program->resources.data[expr->access->resource]);
    enum agpu_ir_type type = AGPU_IR_ANY;
    for (uint32_t i = expr->op == AGPU_IR_SELECT ? 1 : 0; i < expr->arg_count; i++)
        type = join_types(type, agpu_ir_natural_type(program, expr->args[i]));
    return type;
}

bool agpu_ir_is_always(const struct agpu_ir_stmt *stmt)
{
    return stmt->kind == AGPU_IR_IF && stmt->otherwise == NULL && stmt->value->op == AGPU_IR_CONST &&
           stmt->value->u.bits[0] != 0;
}

bool agpu_ir_has_effect(const struct agpu_ir_expr *expr)
{
    if (agpu_ir_op_infos[expr->op].flags & AGPU_IR_EFFECT)
        return true;
    for (uint32_t i = 0; i < expr->arg_count; i++)
        if (agpu_ir_has_effect(expr->args[i]))
            return true;
    return false;
}

void agpu_ir_fini(struct agpu_ir_program *program)
{
    agpu_vec_fini(&program->registers);
    agpu_vec_fini(&program->variables);
    agpu_vec_fini(&program->inputs);
    agpu_vec_fini(&program->outputs);
    agpu_vec_fini(&program->arrays);
    agpu_vec_fini(&program->resources);
}
