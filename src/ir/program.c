/* SPDX-License-Identifier: MIT
 *
 * Constructors of IR nodes, and queries about single nodes.
 */
#include <string.h>

#include "base/diag.h"
#include "ir/ir.h"

#define POISON_ARGS 8

const struct ag_ir_op_info ag_ir_op_infos[AG_IR_OP_COUNT] = {
#define LETTER(text, i) ((text)[(i) < sizeof(text) ? (i) : sizeof(text) - 1])
#define TYPE(text, i)                                                                                        \
    (LETTER(text, i) == 'f'   ? AG_IR_F32                                                                    \
     : LETTER(text, i) == 'i' ? AG_IR_I32                                                                    \
     : LETTER(text, i) == 'u' ? AG_IR_U32                                                                    \
     : LETTER(text, i) == 'b' ? AG_IR_BOOL                                                                   \
     : LETTER(text, i) == 'n' ? AG_IR_INT                                                                    \
                              : AG_IR_ANY)
#define TYPES(text)                                                                                          \
    {                                                                                                        \
        TYPE(text, 0), TYPE(text, 2), TYPE(text, 3), TYPE(text, 4), TYPE(text, 5), TYPE(text, 6),            \
            TYPE(text, 7)                                                                                    \
    }
#define AG_IR_OP_ROW(name, signature, flags) [AG_IR_##name] = {#name, signature, flags, TYPES(signature)},
    AG_IR_OPS(AG_IR_OP_ROW)
#undef AG_IR_OP_ROW
};

static struct agpu_place place_of(uint32_t offset)
{
    return offset == AG_IR_NONE ? ag_place_none() : ag_place_offset((uint64_t)offset * 4);
}

void ag_ir_refuse(struct ag_ir_program *program, enum agpu_diag_code code, uint32_t offset,
                  const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    ag_report_va(program->sink, code, AGPU_ERROR, place_of(offset), format, arguments);
    va_end(arguments);
    if (program->status == AGPU_OK)
        program->status = AGPU_REFUSED;
}

void ag_ir_warn(struct ag_ir_program *program, enum agpu_diag_code code, uint32_t offset, const char *format,
                ...)
{
    va_list arguments;
    va_start(arguments, format);
    ag_report_va(program->sink, code, AGPU_WARNING, place_of(offset), format, arguments);
    va_end(arguments);
}

/* Distinguishes two causes: an arena that reached its limit means that the shader is too large for us;
 * otherwise the host is out of memory. */
void ag_ir_no_memory(struct ag_ir_program *program)
{
    if (program->status == AGPU_NO_MEMORY)
        return;
    if (program->arena->reached_limit) {
        if (program->status == AGPU_OK)
            ag_ir_refuse(program, AGPU_DIAG_TRANSLATE_LIMIT, AG_IR_NONE,
                         "the program needs more than %zu bytes to translate", program->arena->limit_bytes);
        return;
    }
    program->status = ag_report_no_memory(program->sink);
}

struct ag_ir_expr *ag_ir_expr_new(struct ag_ir_program *program, enum ag_ir_op op, uint32_t width,
                                  uint32_t arg_count)
{
    struct ag_ir_expr *expr = ag_arena_alloc_raw(
        program->arena, sizeof *expr + arg_count * sizeof expr->args[0], alignof(struct ag_ir_expr));
    if (expr == NULL) {
        ag_ir_no_memory(program);
        return program->poison;
    }
    *expr = (struct ag_ir_expr){
        .op = (uint8_t)op,
        .type = ag_ir_op_infos[op].types[0],
        .width = (uint8_t)width,
        .arg_count = (uint8_t)arg_count,
    };
    for (uint32_t i = 0; i < arg_count; i++)
        expr->args[i] = program->poison;
    program->expr_count++;
    program->makes_booleans = program->makes_booleans || expr->type == AG_IR_BOOL;
    if (op == AG_IR_READ && program->lists_reads && !ag_vec_push(&program->reads, expr))
        ag_ir_no_memory(program);
    return expr;
}

static bool make_poison(struct ag_ir_program *program)
{
    program->poison =
        ag_arena_alloc(program->arena, sizeof *program->poison + POISON_ARGS * sizeof program->poison,
                       alignof(struct ag_ir_expr));
    if (program->poison == NULL)
        return false;
    program->poison->op = AG_IR_CONST;
    program->poison->width = 4;
    return true;
}

struct ag_ir_block *ag_ir_block_new(struct ag_ir_program *program, struct ag_ir_block *parent)
{
    if (program->poison == NULL && !make_poison(program)) {
        ag_ir_no_memory(program);
        return NULL;
    }
    struct ag_ir_block *block = AG_ARENA_NEW(program->arena, struct ag_ir_block);
    if (block == NULL) {
        ag_ir_no_memory(program);
        return parent; /* any block will do: the program is never used */
    }
    block->id = program->block_count++;
    block->parent = parent;
    block->depth = parent == NULL ? 0 : parent->depth + 1;
    return block;
}

struct ag_ir_stmt *ag_ir_append(struct ag_ir_program *program, struct ag_ir_block *block,
                                enum ag_ir_stmt_kind kind, uint32_t offset)
{
    struct ag_ir_stmt *stmt = AG_ARENA_NEW(program->arena, struct ag_ir_stmt);
    if (stmt == NULL) {
        ag_ir_no_memory(program);
        return NULL;
    }
    program->has_loops = program->has_loops || kind == AG_IR_LOOP;
    stmt->kind = (uint8_t)kind;
    stmt->offset = offset;
    stmt->block = block;
    stmt->first_declared = AG_IR_NONE;
    for (uint32_t i = 0; i < 4; i++)
        stmt->target[i] = AG_IR_NONE;
    if (block->last == NULL)
        block->first = stmt;
    else
        block->last->next = stmt;
    block->last = stmt;
    return stmt;
}

struct ag_ir_expr *ag_ir_const(struct ag_ir_program *program, uint32_t width, uint32_t bits)
{
    struct ag_ir_expr *expr = ag_ir_expr_new(program, AG_IR_CONST, width, 0);
    for (uint32_t i = 0; i < width; i++)
        expr->u.bits[i] = bits;
    return expr;
}

struct ag_ir_expr *ag_ir_read(struct ag_ir_program *program, uint32_t id, uint32_t width)
{
    struct ag_ir_expr *read = ag_ir_expr_new(program, AG_IR_READ, width, 0);
    for (uint32_t i = 0; i < read->width; i++) {
        read->u.id[i] = id;
        read->component[i] = (uint8_t)i;
    }
    return read;
}

bool ag_ir_all_constant(const struct ag_ir_expr *expr)
{
    for (uint32_t i = 0; i < expr->arg_count; i++)
        if (expr->args[i]->op != AG_IR_CONST)
            return false;
    return expr->arg_count > 0;
}

bool ag_ir_same(const struct ag_ir_expr *a, const struct ag_ir_expr *b)
{
    if (a->op != b->op || a->width != b->width || a->arg_count != b->arg_count || a->access || b->access)
        return false;
    bool leaf = a->op == AG_IR_READ || a->op == AG_IR_CONST;
    if ((a->arg_count == 0 && !leaf) || memcmp(a->component, b->component, sizeof a->component) != 0)
        return false;
    for (uint32_t i = 0; leaf && i < a->width; i++)
        if (a->u.bits[i] != b->u.bits[i])
            return false;
    for (uint32_t i = 0; i < a->arg_count; i++)
        if (!ag_ir_same(a->args[i], b->args[i]))
            return false;
    return true;
}

struct ag_ir_expr *ag_ir_unary(struct ag_ir_program *program, enum ag_ir_op op, struct ag_ir_expr *a)
{
    struct ag_ir_expr *expr = ag_ir_expr_new(program, op, a->width, 1);
    expr->args[0] = a;
    return expr;
}

struct ag_ir_expr *ag_ir_binary(struct ag_ir_program *program, enum ag_ir_op op, struct ag_ir_expr *a,
                                struct ag_ir_expr *b)
{
    struct ag_ir_expr *expr = ag_ir_expr_new(program, op,
                                             op == AG_IR_DOT       ? 1
                                             : a->width > b->width ? a->width
                                                                   : b->width,
                                             2);
    expr->args[0] = a;
    expr->args[1] = b;
    return expr;
}

/* Selects lanes of a JOIN by taking its arguments. Refuses to use one argument twice, because expressions are
 * trees. */
static bool pick_joined(struct ag_ir_program *program, struct ag_ir_expr **value, uint32_t width,
                        const uint8_t *components)
{
    uint32_t seen = 0;
    for (uint32_t i = 0; i < width; i++) {
        if (seen >> components[i] & 1)
            return false;
        seen |= 1u << components[i];
    }
    struct ag_ir_expr *joined = *value;
    if (width == 1) {
        *value = joined->args[components[0]];
        return true;
    }
    *value = ag_ir_expr_new(program, AG_IR_JOIN, width, width);
    for (uint32_t i = 0; i < width; i++)
        (*value)->args[i] = joined->args[components[i]];
    return true;
}

static bool is_identity(const struct ag_ir_expr *value, uint32_t width, const uint8_t *components)
{
    for (uint32_t i = 0; i < width; i++)
        if (components[i] != i)
            return false;
    return width == value->width;
}

struct ag_ir_expr *ag_ir_swizzle(struct ag_ir_program *program, struct ag_ir_expr *value, uint32_t width,
                                 const uint8_t *components)
{
    if (is_identity(value, width, components))
        return value;
    enum ag_ir_op op = value->op;
    if (op == AG_IR_JOIN && value->arg_count == value->width &&
        pick_joined(program, &value, width, components))
        return value;
    bool leaf = op == AG_IR_CONST || op == AG_IR_READ || op == AG_IR_CBUFFER || op == AG_IR_ICB ||
                op == AG_IR_INSTANCE || op == AG_IR_ARRAY || op == AG_IR_RECORD || op == AG_IR_SWIZZLE;
    struct ag_ir_expr *expr =
        ag_ir_expr_new(program, leaf ? op : AG_IR_SWIZZLE, width, leaf ? value->arg_count : 1);
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
        if (op == AG_IR_CONST || op == AG_IR_READ)
            expr->u.id[i] = value->u.id[components[i]];
    }
    return expr;
}

struct ag_ir_expr *ag_ir_splat(struct ag_ir_program *program, struct ag_ir_expr *value, uint32_t width)
{
    static const uint8_t zeros[4];
    return ag_ir_swizzle(program, value, width, zeros);
}

struct ag_ir_expr *ag_ir_narrow(struct ag_ir_program *program, struct ag_ir_expr *value, uint32_t width,
                                const uint8_t *lanes)
{
    if (is_identity(value, width, lanes))
        return value;
    bool by_lanes = (ag_ir_op_infos[value->op].flags & AG_IR_LANES) != 0 && value->arg_count > 0;
    if (!by_lanes)
        return ag_ir_swizzle(program, value, width, lanes);
    struct ag_ir_expr *expr = ag_ir_expr_new(program, value->op, width, value->arg_count);
    expr->type = value->type;
    for (uint32_t i = 0; i < value->arg_count; i++)
        expr->args[i] = value->args[i]->width == 1 && value->width > 1
                            ? value->args[i]
                            : ag_ir_narrow(program, value->args[i], width, lanes);
    return expr;
}

uint32_t ag_ir_add_register(struct ag_ir_program *program, enum ag_ir_register_kind kind, uint32_t number)
{
    struct ag_ir_register reg = {.kind = (uint8_t)kind, .number = number};
    for (uint32_t i = 0; i < 4; i++)
        reg.variable[i] = AG_IR_NONE;
    if (!ag_vec_push(&program->registers, reg)) {
        ag_ir_no_memory(program);
        return 0;
    }
    return (uint32_t)program->registers.count - 1;
}

uint32_t ag_ir_add_variable(struct ag_ir_program *program, enum ag_ir_type type, uint32_t width)
{
    struct ag_ir_variable variable = {
        .type = (uint8_t)type, .width = (uint8_t)width, .register_id = AG_IR_NONE};
    if (!ag_vec_push(&program->variables, variable)) {
        ag_ir_no_memory(program);
        return 0;
    }
    return (uint32_t)program->variables.count - 1;
}

enum ag_ir_type ag_ir_resource_type(const struct ag_ir_resource *resource)
{
    switch (resource->return_type) {
    case AGPU_RETURN_UNORM:
    case AGPU_RETURN_SNORM:
    case AGPU_RETURN_FLOAT:
        return AG_IR_F32;
    case AGPU_RETURN_SINT:
        return AG_IR_I32;
    default:
        return AG_IR_U32;
    }
}

static enum ag_ir_type read_type(const struct ag_ir_program *program, const struct ag_ir_expr *expr)
{
    if (!program->has_variables)
        return AG_IR_ANY;
    enum ag_ir_type type = AG_IR_ANY;
    for (uint32_t i = 0; i < expr->width; i++) {
        if (expr->u.id[i] == AG_IR_NONE)
            continue;
        enum ag_ir_type lane = program->variables.data[expr->u.id[i]].type;
        if (type == AG_IR_ANY)
            type = lane;
        else if (type != lane)
            return AG_IR_U32;
    }
    return type;
}
/* Constants have no opinion, so that `select(x, 0, c)` is what x is. */
static enum ag_ir_type join_types(enum ag_ir_type a, enum ag_ir_type b)
{
    if (a == AG_IR_ANY || a == b)
        return b;
    if (b == AG_IR_ANY)
        return a;
    if (a == AG_IR_INT && (b == AG_IR_I32 || b == AG_IR_U32))
        return b;
    if (b == AG_IR_INT && (a == AG_IR_I32 || a == AG_IR_U32))
        return a;
    return AG_IR_U32;
}

enum ag_ir_type ag_ir_natural_type(const struct ag_ir_program *program, const struct ag_ir_expr *expr)
{
    if (expr->op == AG_IR_READ)
        return read_type(program, expr);
    if (expr->op == AG_IR_CBUFFER && program->resources.data[expr->access->resource].holds_floats)
        return AG_IR_F32;
    if (expr->type != AG_IR_ANY)
        return (enum ag_ir_type)expr->type;
    if (ag_ir_op_infos[expr->op].signature[0] == 't')
        return ag_ir_resource_type(&program->resources.data[expr->access->resource]);
    enum ag_ir_type type = AG_IR_ANY;
    for (uint32_t i = expr->op == AG_IR_SELECT ? 1 : 0; i < expr->arg_count; i++)
        type = join_types(type, ag_ir_natural_type(program, expr->args[i]));
    return type;
}

bool ag_ir_is_chosen_cbuffer(const struct ag_ir_expr *expr)
{
    return expr->op == AG_IR_CBUFFER && expr->arg_count == 2;
}

bool ag_ir_share_range(const struct ag_ir_program *program, const struct ag_ir_resource *a,
                       const struct ag_ir_resource *b)
{
    const bool ranged = program->major == 5 && program->minor >= 1;
    return a->space == AGPU_SPACE_CBUFFER && b->space == AGPU_SPACE_CBUFFER && (!ranged || a->id == b->id);
}

bool ag_ir_is_always(const struct ag_ir_stmt *stmt)
{
    return stmt->kind == AG_IR_IF && stmt->otherwise == NULL && stmt->value->op == AG_IR_CONST &&
           stmt->value->u.bits[0] != 0;
}

bool ag_ir_stmt_jumps(const struct ag_ir_stmt *stmt, struct ag_ir_jumps jumps)
{
    struct ag_ir_jumps inner = jumps;
    if (stmt->kind == AG_IR_LOOP)
        inner.breaks = inner.continues = false;
    if (stmt->body != NULL && ag_ir_block_jumps(stmt->body, inner))
        return true;
    if (stmt->otherwise != NULL && ag_ir_block_jumps(stmt->otherwise, inner))
        return true;
    inner.breaks = false;
    for (const struct ag_ir_case *c = stmt->cases; c != NULL; c = c->next)
        if (ag_ir_block_jumps(c->body, inner))
            return true;
    return false;
}

bool ag_ir_block_jumps(const struct ag_ir_block *block, struct ag_ir_jumps jumps)
{
    for (const struct ag_ir_stmt *stmt = block->first; stmt != NULL; stmt = stmt->next)
        if ((stmt->kind == AG_IR_RETURN && jumps.returns) || (stmt->kind == AG_IR_BREAK && jumps.breaks) ||
            (stmt->kind == AG_IR_CONTINUE && jumps.continues) || ag_ir_stmt_jumps(stmt, jumps))
            return true;
    return false;
}

bool ag_ir_has_effect(const struct ag_ir_expr *expr)
{
    if (ag_ir_op_infos[expr->op].flags & AG_IR_EFFECT)
        return true;
    for (uint32_t i = 0; i < expr->arg_count; i++)
        if (ag_ir_has_effect(expr->args[i]))
            return true;
    return false;
}

void ag_ir_fini(struct ag_ir_program *program)
{
    ag_vec_fini(&program->registers);
    ag_vec_fini(&program->variables);
    ag_vec_fini(&program->inputs);
    ag_vec_fini(&program->outputs);
    ag_vec_fini(&program->arrays);
    ag_vec_fini(&program->resources);
    ag_vec_fini(&program->reads);
    ag_vec_fini(&program->assigns);
}

/* For callers that are compiled to be small, which have no copies of their own. */
extern inline bool ag_ir_is_simple(const struct ag_ir_stmt *stmt);
extern inline void ag_ir_visit_roots(const struct ag_ir_program *program, struct ag_ir_stmt *stmt,
                                     ag_ir_visit *visit, void *user);
extern inline void ag_ir_walk(struct ag_ir_block *block, ag_ir_stmt_visit *visit, void *user);
