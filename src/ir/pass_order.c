/* SPDX-License-Identifier: MIT
 *
 * Keeps float operations in the order of the source, unless the shader allows refactoring
 * (refactoringAllowed) and the instruction is not `precise` (D3D11.3 3.1.3.1).
 *
 * Compilers behind WGSL contract a*b+c into a fused multiply-add, cancel (x+y)-y and reassociate (a*b+c)+d.
 * Each of these needs a sum with an operand that is a product or a sum itself. Such an operand is wrapped in
 * KEEP, which compilers cannot see through. Products of products give them nothing to rewrite.
 *
 * In every shader, what compilers would fold as if neither infinity nor NaN existed is wrapped as well: 0 *
 * x, 0 / x and x - x (D3D11.3 3.1.3.1).
 */
#include "ir/pass.h"

struct order {
    struct ag_ir_program *program;
    bool *holds_sum_or_product; /* by variable: the value is a sum or product */
    bool *holds_zero;           /* by variable: the value is a constant, in one of its places at least 0 */
};

static bool is_sum_or_product(const struct ag_ir_expr *expr)
{
    return expr->op == AG_IR_ADD || expr->op == AG_IR_MUL || expr->op == AG_IR_MAD || expr->op == AG_IR_DOT ||
           expr->op == AG_IR_KEEP;
}

static bool has_zero(const struct ag_ir_expr *expr)
{
    for (uint32_t i = 0; expr->op == AG_IR_CONST && i < expr->width; i++)
        if ((expr->u.bits[i] & 0x7fffffffu) == 0)
            return true;
    return false;
}

static void note_writes(struct order *order, const struct ag_ir_stmt *stmt)
{
    const bool computes = is_sum_or_product(stmt->value), zero = has_zero(stmt->value);
    for (uint32_t i = 0; (computes || zero) && i < stmt->value->width; i++) {
        if (stmt->target[i] == AG_IR_NONE)
            continue;
        order->holds_sum_or_product[stmt->target[i]] |= computes;
        order->holds_zero[stmt->target[i]] |= zero;
    }
}

static const struct ag_ir_expr *under_signs(const struct ag_ir_expr *expr)
{
    while (expr->op == AG_IR_NEG || expr->op == AG_IR_ABS)
        expr = expr->args[0];
    return expr;
}

/* Wraps the operands of an addition, or the addend of a MAD; the product of a MAD may stay as it is. */
static void keep_operands(struct order *order, struct ag_ir_expr *sum)
{
    for (uint32_t i = sum->op == AG_IR_MAD ? 2 : 0; i < sum->arg_count; i++) {
        const struct ag_ir_expr *read = under_signs(sum->args[i]);
        bool keep = false;
        for (uint32_t lane = 0; read->op == AG_IR_READ && lane < read->width; lane++)
            keep = keep || (read->u.id[lane] != AG_IR_NONE && order->holds_sum_or_product[read->u.id[lane]]);
        if (keep)
            sum->args[i] = ag_ir_unary(order->program, AG_IR_KEEP, sum->args[i]);
    }
}

static bool may_be_known_zero(const struct order *order, const struct ag_ir_expr *expr)
{
    const struct ag_ir_expr *read = under_signs(expr);
    for (uint32_t lane = 0; read->op == AG_IR_READ && lane < read->width; lane++)
        if (read->u.id[lane] != AG_IR_NONE && order->holds_zero[read->u.id[lane]])
            return true;
    return has_zero(read);
}

/* Wraps zeros that something is multiplied with or that are divided. */
static void keep_zeros(struct order *order, struct ag_ir_expr *expr)
{
    const bool multiplies = expr->op == AG_IR_MUL || expr->op == AG_IR_MAD || expr->op == AG_IR_DOT;
    const uint32_t count = multiplies ? 2 : expr->op == AG_IR_DIV ? 1 : 0;
    for (uint32_t i = 0; i < expr->arg_count; i++) {
        if (expr->args[i]->arg_count != 0)
            keep_zeros(order, expr->args[i]);
        if (i < count && may_be_known_zero(order, expr->args[i]))
            expr->args[i] = ag_ir_unary(order->program, AG_IR_KEEP, expr->args[i]);
    }
    const bool cancels =
        expr->op == AG_IR_ADD &&
        ((expr->args[1]->op == AG_IR_NEG && ag_ir_same(expr->args[0], expr->args[1]->args[0])) ||
         (expr->args[0]->op == AG_IR_NEG && ag_ir_same(expr->args[1], expr->args[0]->args[0])));
    if (cancels)
        expr->args[1] = ag_ir_unary(order->program, AG_IR_KEEP, expr->args[1]);
}

static void keep_in_assign(struct order *order, const struct ag_ir_stmt *stmt)
{
    struct ag_ir_expr *value = stmt->value;
    if (value->op == AG_IR_SATURATE)
        value = value->args[0];
    bool strict = !(order->program->global_flags & AGPU_GLOBAL_REFACTORING_ALLOWED) || stmt->precise != 0;
    if ((value->op == AG_IR_ADD || value->op == AG_IR_MAD) && strict)
        keep_operands(order, value);
}

static void keep_in_statement(void *user, struct ag_ir_stmt *stmt)
{
    if (stmt->kind == AG_IR_ASSIGN)
        keep_in_assign(user, stmt);
    if (stmt->value != NULL && stmt->value->arg_count != 0)
        keep_zeros(user, stmt->value);
}

void ag_ir_pass_order(struct ag_ir_program *program)
{
    struct order order = {.program = program};
    order.holds_sum_or_product = AG_ARENA_ARRAY(program->arena, bool, program->variables.count);
    order.holds_zero = AG_ARENA_ARRAY(program->arena, bool, program->variables.count);
    if (order.holds_sum_or_product == NULL || order.holds_zero == NULL) {
        ag_ir_no_memory(program);
        return;
    }
    for (size_t i = 0; i < program->assigns.count; i++)
        note_writes(&order, program->assigns.data[i]);
    ag_ir_walk(program->body, keep_in_statement, &order);
}
