/* SPDX-License-Identifier: MIT
 *
 * Keeps float operations in the order of the source, unless the shader allows refactoring
 * (refactoringAllowed) and the instruction is not `precise` (D3D11.3 3.1.3.1).
 *
 * Compilers behind WGSL contract a*b+c into a fused multiply-add, cancel (x+y)-y and reassociate (a*b+c)+d.
 * Each of these needs a sum with an operand that is a product or a sum itself. Such an operand is wrapped in
 * KEEP, which compilers cannot see through. Products of products give them nothing to rewrite.
 */
#include "ir/pass.h"

struct order {
    struct ag_ir_program *program;
    bool *holds_sum_or_product; /* by variable: the value is a sum or product */
};

static bool is_sum_or_product(const struct ag_ir_expr *expr)
{
    return expr->op == AG_IR_ADD || expr->op == AG_IR_MUL || expr->op == AG_IR_MAD || expr->op == AG_IR_DOT ||
           expr->op == AG_IR_KEEP;
}

static void note_writes(void *user, struct ag_ir_stmt *stmt)
{
    struct order *order = user;
    for (uint32_t i = 0; stmt->kind == AG_IR_ASSIGN && i < stmt->value->width; i++)
        if (stmt->target[i] != AG_IR_NONE && is_sum_or_product(stmt->value))
            order->holds_sum_or_product[stmt->target[i]] = true;
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

static void keep_in_statement(void *user, struct ag_ir_stmt *stmt)
{
    struct order *order = user;
    if (stmt->kind != AG_IR_ASSIGN)
        return;
    struct ag_ir_expr *value = stmt->value;
    if (value->op == AG_IR_SATURATE)
        value = value->args[0];
    bool strict = !(order->program->global_flags & AGPU_GLOBAL_REFACTORING_ALLOWED) || stmt->precise != 0;
    if ((value->op == AG_IR_ADD || value->op == AG_IR_MAD) && strict)
        keep_operands(order, value);
}

void ag_ir_pass_order(struct ag_ir_program *program)
{
    struct order order = {.program = program};
    order.holds_sum_or_product = AG_ARENA_ARRAY(program->arena, bool, program->variables.count);
    if (order.holds_sum_or_product == NULL) {
        ag_ir_no_memory(program);
        return;
    }
    ag_ir_walk(program->body, note_writes, &order);
    ag_ir_walk(program->body, keep_in_statement, &order);
}
