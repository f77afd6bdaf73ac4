/* SPDX-License-Identifier: MIT
 *
 * Constant buffers.
 *
 * Those whose every use is float arithmetic are declared as floats. All others are declared as u32 words, so
 * that an integer never passes through a float, which could change its bits.
 */
#include "wgsl/emit.h"

#include <assert.h>

/* ---- Types -------------------------------------------------------------------------------------------- */

/* The function that chooses among the buffers of a range has one type. */
static void make_range_words(struct ag_ir_program *program, const struct ag_ir_resource *first)
{
    for (size_t i = 0; i < program->resources.count; i++)
        if (ag_ir_share_range(program, first, &program->resources.data[i]))
            program->resources.data[i].holds_floats = false;
}

static void visit_expr(struct ag_ir_program *program, const struct ag_ir_expr *expr, enum ag_ir_type want)
{
    struct ag_ir_resource *buffer =
        expr->op == AG_IR_CBUFFER ? &program->resources.data[expr->access->resource] : NULL;
    if (buffer != NULL && want != AG_IR_F32)
        buffer->holds_floats = false;
    if (ag_ir_is_chosen_cbuffer(expr))
        make_range_words(program, buffer);
    for (uint32_t i = 0; i < expr->arg_count; i++) {
        const struct ag_ir_expr *const arg = expr->args[i];
        if (arg->arg_count == 0 && arg->op != AG_IR_CBUFFER)
            continue;
        enum ag_ir_type type = ag_ir_arg_type(program, expr, i);
        bool passes = type == AG_IR_ANY && expr->op != AG_IR_STORE;
        visit_expr(program, arg, passes ? want : type);
    }
}

/* Float if every variable that the assignment writes is a float. */
static enum ag_ir_type type_of_targets(const struct ag_ir_program *program, const struct ag_ir_stmt *stmt)
{
    assert(stmt->value != NULL); /* of an assignment */
    for (uint32_t i = 0; i < stmt->value->width; i++)
        if (stmt->target[i] != AG_IR_NONE && program->variables.data[stmt->target[i]].type != AG_IR_F32)
            return AG_IR_U32;
    return AG_IR_F32;
}

static void visit_root(void *user, struct ag_ir_stmt *stmt, struct ag_ir_expr **expr)
{
    struct ag_ir_program *program = user;
    enum ag_ir_type want = AG_IR_U32;
    if (stmt->kind == AG_IR_ASSIGN)
        want = type_of_targets(program, stmt);
    else if (stmt->kind == AG_IR_RETURN || stmt->kind == AG_IR_EMIT)
        want = (enum ag_ir_type)program->outputs.data[(size_t)(expr - stmt->outputs)].type;
    visit_expr(program, *expr, want);
}

static void visit_statement(void *user, struct ag_ir_stmt *stmt)
{
    ag_ir_visit_roots(user, stmt, visit_root, user);
}

void ag_wgsl_find_float_constants(struct ag_ir_program *program)
{
    bool any = false;
    for (size_t i = 0; i < program->resources.count; i++) {
        struct ag_ir_resource *resource = &program->resources.data[i];
        resource->holds_floats = resource->space == AGPU_SPACE_CBUFFER && !resource->overflows;
        any = any || resource->holds_floats;
    }
    if (any)
        ag_ir_walk(program->body, visit_statement, program);
}

/* ---- Reads -------------------------------------------------------------------------------------------- */

/* Whether registers are read by a function that checks their number. */
static bool is_checked(const struct ag_ir_resource *resource)
{
    return resource->dynamic || resource->in_storage || resource->overflows;
}

static void write_load(struct ag_wgsl_emitter *emitter, uint32_t id)
{
    const struct ag_ir_resource *resource = &emitter->program->resources.data[id];
    const char *name = ag_wgsl_resource_name(emitter, id);
    const char *type = ag_wgsl_type(resource->holds_floats ? AG_IR_F32 : AG_IR_U32, 4);
    if (resource->packed) { /* behind what is bound, the pack has zeros */
        ag_strbuf_printf(&emitter->functions,
                         "fn %s_load(index: u32) -> %s {\n"
                         "\treturn select(%s(), %s%s[index], index < %uu);\n"
                         "}\n\n",
                         name, type, type, ag_wgsl_pack_of(emitter, resource), name,
                         resource->registers_used);
        return;
    }
    const char *view = ag_wgsl_view(emitter, id);
    ag_strbuf_printf(&emitter->functions,
                     "fn %s_load(index: u32) -> %s {\n"
                     "    let view = %s;\n"
                     "    return select(%s(), %s[index + view.x / 16u], index < min(view.y / 16u, %uu));\n"
                     "}\n\n",
                     name, type, view, type, resource->overflows ? "overflow" : name,
                     resource->in_storage ? 4096u : resource->registers_used);
}

/* One function chooses among the buffers of a range, whatever the number of instructions that do. */
static void write_choice(struct ag_wgsl_emitter *emitter, uint32_t first)
{
    const struct ag_ir_program *program = emitter->program;
    struct ag_strbuf cases = {0};
    for (uint32_t i = first; i < program->resources.count; i++) {
        const struct ag_ir_resource *resource = &program->resources.data[i];
        if (!ag_ir_share_range(program, &program->resources.data[first], resource))
            continue;
        const char *name = ag_wgsl_resource_name(emitter, i);
        if (is_checked(resource) && ag_wgsl_need(emitter, i, AG_WGSL_CBUFFER_LOAD))
            write_load(emitter, i);
        if (is_checked(resource))
            ag_strbuf_printf(&cases, "        case %uu: { return %s_load(index); }\n", resource->slot, name);
        else
            ag_strbuf_printf(&cases, "        case %uu: { if (index < %uu) { return %s%s[index]; } }\n",
                             resource->slot, resource->registers_used, ag_wgsl_pack_of(emitter, resource),
                             name);
    }
    ag_strbuf_printf(&emitter->functions,
                     "fn cb_load_%u(buffer: u32, index: u32) -> vec4<u32> {\n"
                     "    switch (buffer) {\n"
                     "%s"
                     "        default: {}\n"
                     "    }\n"
                     "    return vec4<u32>();\n"
                     "}\n\n",
                     first, ag_strbuf_text(&cases));
    if (cases.failed)
        ag_ir_no_memory(emitter->program);
    ag_strbuf_fini(&cases);
}

static void append_register(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr)
{
    struct ag_strbuf *out = &emitter->body;
    const uint32_t fixed = expr->access->index;
    const struct ag_ir_expr *relative = expr->arg_count == 0 ? NULL : expr->args[0];
    if (relative == NULL || (relative->op == AG_IR_CONST && relative->u.bits[0] == 0)) {
        ag_strbuf_append_unsigned(out, fixed);
        ag_strbuf_append_char(out, 'u');
        return;
    }
    ag_wgsl_expr(emitter, relative, AG_IR_U32, true);
    if (fixed != 0)
        ag_strbuf_printf(out, " + %uu", fixed);
}

void ag_wgsl_cbuffer(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr)
{
    struct ag_strbuf *out = &emitter->body;
    const uint32_t id = expr->access->resource;
    if (ag_ir_is_chosen_cbuffer(expr)) {
        if (ag_wgsl_need(emitter, id, AG_WGSL_CBUFFER_CHOICE))
            write_choice(emitter, id);
        ag_strbuf_printf(out, "cb_load_%u(", id);
        ag_wgsl_expr(emitter, expr->args[1], AG_IR_U32, false);
        ag_strbuf_append(out, ", ");
        append_register(emitter, expr);
        ag_strbuf_append_char(out, ')');
    } else if (is_checked(&emitter->program->resources.data[id])) {
        if (ag_wgsl_need(emitter, id, AG_WGSL_CBUFFER_LOAD))
            write_load(emitter, id);
        ag_strbuf_printf(out, "%s_load(", ag_wgsl_resource_name(emitter, id));
        append_register(emitter, expr);
        ag_strbuf_append_char(out, ')');
    } else {
        ag_strbuf_append(out, ag_wgsl_pack_of(emitter, &emitter->program->resources.data[id]));
        ag_strbuf_append(out, ag_wgsl_resource_name(emitter, id));
        ag_strbuf_append_char(out, '[');
        ag_strbuf_append_unsigned(out, expr->access->index);
        ag_strbuf_append_char(out, ']');
    }
    ag_wgsl_swizzle(out, expr->component, expr->width, 4);
}
