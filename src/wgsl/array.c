/* SPDX-License-Identifier: MIT
 *
 * Arrays: of registers, of the immediate constant buffer, and of the class instances of interface slots.
 * Reads out of range return 0.
 */
#include "wgsl/emit.h"

static const char *const prefixes[] = {
    [AG_IR_REGISTER_TEMP] = "x",
    [AG_IR_REGISTER_OUTPUT] = "orange",
    [AG_IR_REGISTER_INPUT] = "vrange",
};

void ag_wgsl_icb(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr)
{
    struct ag_strbuf *out = &emitter->body;
    if (!emitter->uses_icb)
        ag_strbuf_printf(&emitter->functions,
                         "fn icb_load(index: u32) -> vec4u {\n"
                         "\treturn select(vec4u(), icb[index], index < %uu);\n"
                         "}\n\n",
                         emitter->program->icb_rows);
    emitter->uses_icb = true;
    ag_strbuf_append(out, "icb_load(");
    ag_wgsl_expr(emitter, expr->args[0], AG_IR_U32, false);
    ag_strbuf_append_char(out, ')');
    ag_wgsl_swizzle(out, expr->component, expr->width, 4);
}

/* The data and the function table of an interface slot's class instance: two registers for each slot
 * (decision L4). */
void ag_wgsl_instance(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr)
{
    struct ag_strbuf *out = &emitter->body;
    bool is_table = expr->op == AG_IR_INSTANCE_TABLE;
    bool *written = is_table ? &emitter->uses_instance_tables : &emitter->uses_instances;
    if (!*written)
        ag_strbuf_printf(&emitter->functions,
                         "fn instance_%s(slot: u32) -> %s {\n"
                         "\treturn select(%s, instances[slot * 2u%s, slot < %uu);\n"
                         "}\n\n",
                         is_table ? "table" : "data", is_table ? "u32" : "vec4u",
                         is_table ? "0xffffffffu" : "vec4u()", is_table ? " + 1u].x" : "]",
                         emitter->program->instance_slots);
    *written = true;
    ag_strbuf_printf(out, "instance_%s(", is_table ? "table" : "data");
    ag_wgsl_expr(emitter, expr->args[0], AG_IR_U32, false);
    ag_strbuf_append_char(out, ')');
    if (!is_table)
        ag_wgsl_swizzle(out, expr->component, expr->width, 4);
}

/* x#, vrange# and orange#: module-scope arrays of vec4u. */
void ag_wgsl_array(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr)
{
    struct ag_strbuf *out = &emitter->body;
    const struct ag_ir_array *array = &emitter->program->arrays.data[expr->u.id[0]];
    const struct ag_ir_expr *index = expr->args[0];
    const char *prefix = prefixes[array->kind];
    const bool by_turn = emitter->program->has_turn_loops;
    if (index->op == AG_IR_CONST) {
        if (index->u.bits[0] >= array->length)
            ag_strbuf_append(out, "vec4u()");
        else
            ag_strbuf_printf(out, "%s%u%s[%u]", prefix, array->number, ag_wgsl_turn(emitter),
                             index->u.bits[0]);
    } else {
        if (!emitter->arrays_written[expr->u.id[0]])
            ag_strbuf_printf(&emitter->functions,
                             "fn %s%u_load(index: u32%s) -> vec4u {\n"
                             "\treturn select(vec4u(), %s%u%s[index], index < %uu);\n"
                             "}\n\n",
                             prefix, array->number, by_turn ? ", turn: u32" : "", prefix, array->number,
                             by_turn ? "[turn]" : "", array->length);
        emitter->arrays_written[expr->u.id[0]] = true;
        ag_strbuf_printf(out, "%s%u_load(", prefix, array->number);
        ag_wgsl_expr(emitter, index, AG_IR_U32, false);
        if (by_turn)
            ag_strbuf_append(out, emitter->in_threads ? ", turn" : ", 0u");
        ag_strbuf_append_char(out, ')');
    }
    ag_wgsl_swizzle(out, expr->component, expr->width, 4);
}

void ag_wgsl_declare_arrays(const struct ag_wgsl_emitter *emitter, struct ag_strbuf *out)
{
    const struct ag_ir_program *program = emitter->program;
    for (size_t i = 0; i < program->arrays.count; i++) {
        const struct ag_ir_array *array = &program->arrays.data[i];
        if (program->has_turn_loops && array->used)
            ag_strbuf_printf(out, "var<private> %s%u: array<array<vec4u, %u>, %u>;\n", prefixes[array->kind],
                             array->number, array->length, program->turns);
        else if (array->used || array->kind == AG_IR_REGISTER_OUTPUT)
            ag_strbuf_printf(out, "var<private> %s%u: array<vec4u, %u>;\n", prefixes[array->kind],
                             array->number, array->length);
    }
    if (!emitter->uses_icb)
        return;
    ag_strbuf_printf(out, "const icb = array<vec4u, %u>(\n", program->icb_rows);
    for (size_t i = 0; i < program->icb_rows; i++)
        ag_strbuf_printf(out, "\tvec4u(0x%08xu, 0x%08xu, 0x%08xu, 0x%08xu),\n", program->icb[i * 4],
                         program->icb[i * 4 + 1], program->icb[i * 4 + 2], program->icb[i * 4 + 3]);
    ag_strbuf_append(out, ");\n");
}
