/* SPDX-License-Identifier: MIT
 *
 * Statements.
 */
#include "wgsl/emit.h"

#define NESTING_LIMIT 118

/* ---- Assignments -------------------------------------------------------------------------------------- */

/* True when the statement gives each component of the variable in order, so that one expression does. */
static bool covers(const struct agpu_ir_stmt *stmt, const struct agpu_ir_variable *variable, uint32_t id)
{
    uint32_t next = 0;
    for (uint32_t i = 0; i < stmt->value->width; i++)
        if (stmt->target[i] == id && stmt->target_component[i] != next++)
            return false;
    return next == variable->width;
}

static bool declared_by(const struct agpu_wgsl_emitter *emitter, const struct agpu_ir_stmt *stmt,
                        const struct agpu_ir_variable *variable, uint32_t id)
{
    return !emitter->private_variables && stmt->kind == AGPU_IR_ASSIGN && variable->first_write == stmt &&
           variable->home == stmt->block && !variable->needs_zero && covers(stmt, variable, id);
}

/* WGSL starts every variable at zero, but SwiftShader must see a zero that is no null constant
 * (docs/translator.md). */
static void declare_zero(struct agpu_wgsl_emitter *emitter, const struct agpu_ir_variable *variable)
{
    enum agpu_ir_type type = (enum agpu_ir_type)variable->type;
    const char *bits = agpu_wgsl_type(AGPU_IR_U32, variable->width);
    const char *keyword = emitter->private_variables ? "" : "var ";
    emitter->uses_opaque_zero = true;
    if (type == AGPU_IR_BOOL)
        agpu_wgsl_line(emitter, "%s%s = %s(opaque_zero != 0u);", keyword, variable->name,
                       agpu_wgsl_type(type, variable->width));
    else if (type == AGPU_IR_U32)
        agpu_wgsl_line(emitter, "%s%s = %s(opaque_zero);", keyword, variable->name, bits);
    else
        agpu_wgsl_line(emitter, "%s%s = bitcast<%s>(%s(opaque_zero));", keyword, variable->name,
                       agpu_wgsl_type(type, variable->width), bits);
}

static void declare_variables(struct agpu_wgsl_emitter *emitter, const struct agpu_ir_stmt *stmt)
{
    uint32_t id = stmt->first_declared;
    while (id != AGPU_IR_NONE) {
        const struct agpu_ir_variable *variable = &emitter->program->variables.data[id];
        const char *type = agpu_wgsl_type((enum agpu_ir_type)variable->type, variable->width);
        if (emitter->private_variables && !variable->is_constant)
            agpu_strbuf_printf(&emitter->functions, "var<private> %s: %s;\n", variable->name, type);
        if (variable->needs_zero)
            declare_zero(emitter, variable);
        else if (!emitter->private_variables && !declared_by(emitter, stmt, variable, id))
            agpu_wgsl_line(emitter, "var %s: %s;", variable->name, type);
        id = variable->next_declared;
    }
}

/* The lanes of `value` that go to `id`, into that variable. */
static void assign_part(struct agpu_wgsl_emitter *emitter, const struct agpu_ir_stmt *stmt,
                        struct agpu_ir_expr *value, uint32_t id)
{
    struct agpu_strbuf *out = &emitter->body;
    uint8_t lanes[4];
    uint32_t count = 0;
    for (uint32_t i = 0; i < value->width; i++)
        if (stmt->target[i] == id)
            lanes[count++] = (uint8_t)i;
    struct agpu_ir_variable variable = emitter->program->variables.data[id];
    if (!covers(stmt, &variable, id)) {
        for (uint32_t i = 0; i < count; i++) {
            agpu_wgsl_line_start(emitter);
            agpu_strbuf_append(out, variable.name);
            agpu_wgsl_swizzle(out, &stmt->target_component[lanes[i]], 1, variable.width);
            agpu_strbuf_append(out, " = ");
            agpu_wgsl_expr(emitter, agpu_ir_narrow(emitter->program, value, 1, &lanes[i]),
                           (enum agpu_ir_type)variable.type, false);
            agpu_strbuf_append_char(out, ';');
            agpu_wgsl_line_end(emitter);
        }
        return;
    }
    agpu_wgsl_line_start(emitter);
    if (variable.is_constant)
        agpu_strbuf_append(out, "let ");
    else if (declared_by(emitter, stmt, &variable, id))
        agpu_strbuf_append(out, "var ");
    agpu_strbuf_append(out, variable.name);
    agpu_strbuf_append(out, " = ");
    agpu_wgsl_expr(emitter, agpu_ir_narrow(emitter->program, value, count, lanes),
                   (enum agpu_ir_type)variable.type, false);
    agpu_strbuf_append_char(out, ';');
    agpu_wgsl_line_end(emitter);
}

/* Several variables take lanes of one value: it is computed once, before any of them changes. */
static struct agpu_ir_expr *compute_once(struct agpu_wgsl_emitter *emitter, struct agpu_ir_expr *value)
{
    struct agpu_ir_program *program = emitter->program;
    enum agpu_ir_type type = agpu_ir_natural_type(program, value);
    if (type == AGPU_IR_ANY || type == AGPU_IR_INT)
        type = AGPU_IR_U32;
    uint32_t id = agpu_ir_add_variable(program, type, value->width);
    const char *name = agpu_arena_printf(program->arena, "all%u", emitter->temporaries++);
    if (name == NULL || program->status != AGPU_OK) {
        agpu_ir_no_memory(program);
        return value;
    }
    program->variables.data[id].name = name;
    agpu_wgsl_line_start(emitter);
    agpu_strbuf_printf(&emitter->body, "let %s = ", name);
    agpu_wgsl_expr(emitter, value, type, false);
    agpu_strbuf_append_char(&emitter->body, ';');
    agpu_wgsl_line_end(emitter);
    struct agpu_ir_expr *read = agpu_ir_expr_new(program, AGPU_IR_READ, value->width, 0);
    for (uint32_t i = 0; i < read->width; i++) {
        read->u.id[i] = id;
        read->component[i] = (uint8_t)i;
    }
    return read;
}

static void write_assign(struct agpu_wgsl_emitter *emitter, const struct agpu_ir_stmt *stmt)
{
    struct agpu_ir_expr *value = stmt->value;
    uint32_t ids[4], count = 0;
    bool whole = true;
    for (uint32_t i = 0; i < value->width; i++) {
        bool known = stmt->target[i] == AGPU_IR_NONE;
        for (uint32_t k = 0; k < count; k++)
            known = known || ids[k] == stmt->target[i];
        if (!known)
            ids[count++] = stmt->target[i];
        whole = whole && stmt->target[i] != AGPU_IR_NONE;
    }
    if (count == 0)
        return;
    const struct agpu_ir_variable *first = &emitter->program->variables.data[ids[0]];
    bool direct = count == 1 && whole && covers(stmt, first, ids[0]);
    if (!direct && value->op != AGPU_IR_CONST)
        value = compute_once(emitter, value);
    for (uint32_t i = 0; i < count; i++)
        assign_part(emitter, stmt, value, ids[i]);
}

static void write_element(struct agpu_wgsl_emitter *emitter, const struct agpu_ir_stmt *stmt)
{
    struct agpu_strbuf *out = &emitter->body;
    const struct agpu_ir_array *array = &emitter->program->arrays.data[stmt->array];
    const char *prefix = array->kind == AGPU_IR_REGISTER_TEMP ? "x" : "orange";
    bool fixed = stmt->index->op == AGPU_IR_CONST;
    if (fixed && stmt->index->u.bits[0] >= array->length)
        return;
    uint32_t t = emitter->temporaries++;
    if (!fixed) {
        agpu_wgsl_line_start(emitter);
        agpu_strbuf_printf(out, "let at%u = ", t);
        agpu_wgsl_expr(emitter, stmt->index, AGPU_IR_U32, false);
        agpu_strbuf_append_char(out, ';');
        agpu_wgsl_line_end(emitter);
    }
    bool whole = stmt->value->width == 4;
    if (!whole) {
        agpu_wgsl_line_start(emitter);
        agpu_strbuf_printf(out, "let bits%u = ", t);
        agpu_wgsl_expr(emitter, stmt->value, AGPU_IR_U32, false);
        agpu_strbuf_append_char(out, ';');
        agpu_wgsl_line_end(emitter);
    }
    if (!fixed)
        agpu_wgsl_open(emitter, "if (at%u < %uu)", t, array->length);
    for (uint32_t i = 0; i < (whole ? 1u : stmt->value->width); i++) {
        agpu_wgsl_line_start(emitter);
        agpu_strbuf_printf(out, "%s%u[", prefix, array->number);
        if (fixed)
            agpu_strbuf_printf(out, "%u]", stmt->index->u.bits[0]);
        else
            agpu_strbuf_printf(out, "at%u]", t);
        if (whole) {
            agpu_strbuf_append(out, " = ");
            agpu_wgsl_expr(emitter, stmt->value, AGPU_IR_U32, false);
        } else {
            agpu_strbuf_printf(out, ".%c = bits%u", "xyzw"[stmt->target_component[i]], t);
            if (stmt->value->width > 1)
                agpu_strbuf_printf(out, ".%c", "xyzw"[i]);
        }
        agpu_strbuf_append_char(out, ';');
        agpu_wgsl_line_end(emitter);
    }
    if (!fixed)
        agpu_wgsl_close(emitter);
}

/* ---- Flow --------------------------------------------------------------------------------------------- */

/* Whether control can leave the loop that `block` is part of: WGSL refuses loops without an exit. */
static bool has_exit(const struct agpu_ir_block *block, bool breaks_count)
{
    for (const struct agpu_ir_stmt *stmt = block->first; stmt != NULL; stmt = stmt->next) {
        if (stmt->kind == AGPU_IR_RETURN || stmt->kind == AGPU_IR_EMIT ||
            (stmt->kind == AGPU_IR_BREAK && breaks_count))
            return true;
        bool inside = breaks_count && stmt->kind == AGPU_IR_IF;
        if ((stmt->body != NULL && has_exit(stmt->body, inside)) ||
            (stmt->otherwise != NULL && has_exit(stmt->otherwise, inside)))
            return true;
        for (const struct agpu_ir_case *c = stmt->cases; c != NULL; c = c->next)
            if (has_exit(c->body, false))
                return true;
    }
    return false;
}

/* The condition or selector; of one thread for the whole group where barriers depend on it. */
static void append_decision(struct agpu_wgsl_emitter *emitter, const struct agpu_ir_stmt *stmt,
                            enum agpu_ir_type type)
{
    if (!stmt->is_uniform) {
        agpu_wgsl_expr(emitter, stmt->value, type, false);
        return;
    }
    agpu_wgsl_require(emitter, AGPU_WGSL_SHARED_DECISION, 1);
    agpu_strbuf_append(&emitter->body,
                       type == AGPU_IR_BOOL ? "shared_decision(select(0u, 1u, " : "shared_decision(");
    agpu_wgsl_expr(emitter, stmt->value, type, false);
    agpu_strbuf_printf(&emitter->body, type == AGPU_IR_BOOL ? "), %s) != 0u" : ", %s)", emitter->invocation);
}

static void write_if(struct agpu_wgsl_emitter *emitter, const struct agpu_ir_stmt *stmt)
{
    struct agpu_strbuf *out = &emitter->body;
    agpu_wgsl_line_start(emitter);
    if (agpu_ir_is_always(stmt)) {
        agpu_strbuf_append_char(out, '{');
    } else {
        agpu_strbuf_append(out, "if (");
        append_decision(emitter, stmt, AGPU_IR_BOOL);
        agpu_strbuf_append(out, ") {");
    }
    agpu_wgsl_line_end(emitter);
    emitter->indent++;
    agpu_wgsl_block(emitter, stmt->body);
    emitter->indent--;
    if (stmt->otherwise != NULL && stmt->otherwise->first != NULL) {
        agpu_wgsl_line(emitter, "} else {");
        emitter->indent++;
        agpu_wgsl_block(emitter, stmt->otherwise);
        emitter->indent--;
    }
    agpu_wgsl_line(emitter, "}");
}

static void write_loop(struct agpu_wgsl_emitter *emitter, const struct agpu_ir_stmt *stmt)
{
    agpu_wgsl_open(emitter, "loop");
    if (!has_exit(stmt->body, true)) {
        emitter->uses_opaque_zero = true;
        agpu_wgsl_line(emitter, "if (opaque_zero != 0u) { break; }");
    }
    agpu_wgsl_block(emitter, stmt->body);
    agpu_wgsl_close(emitter);
}

static void write_switch(struct agpu_wgsl_emitter *emitter, const struct agpu_ir_stmt *stmt)
{
    struct agpu_strbuf *out = &emitter->body;
    agpu_wgsl_line_start(emitter);
    agpu_strbuf_append(out, "switch (");
    append_decision(emitter, stmt, AGPU_IR_U32);
    agpu_strbuf_append(out, ") {");
    agpu_wgsl_line_end(emitter);
    emitter->indent++;
    for (const struct agpu_ir_case *c = stmt->cases; c != NULL; c = c->next) {
        agpu_wgsl_line_start(emitter);
        agpu_strbuf_append(out, c->label_count > 0 ? "case " : "default");
        for (uint32_t i = 0; i < c->label_count; i++)
            agpu_strbuf_printf(out, "%s%uu", i > 0 ? ", " : "", c->labels[i]);
        agpu_strbuf_append(out, c->label_count > 0 && c->is_default ? ", default: {" : ": {");
        agpu_wgsl_line_end(emitter);
        emitter->indent++;
        agpu_wgsl_block(emitter, c->body);
        agpu_wgsl_close(emitter);
    }
    agpu_wgsl_close(emitter);
}

/* Only a sync of threads is a barrier; a bare fence has no counterpart, and must not become one. */
static void write_barrier(struct agpu_wgsl_emitter *emitter, const struct agpu_ir_stmt *stmt)
{
    if (emitter->program->stage != AGPU_STAGE_COMPUTE || !(stmt->sync & AGPU_SYNC_THREADS_IN_GROUP))
        return;
    if (stmt->sync & (AGPU_SYNC_UAV_MEMORY_GROUP | AGPU_SYNC_UAV_MEMORY_GLOBAL))
        agpu_wgsl_line(emitter, "storageBarrier();");
    if ((stmt->sync & AGPU_SYNC_GROUP_SHARED_MEMORY) || stmt->sync == AGPU_SYNC_THREADS_IN_GROUP)
        agpu_wgsl_line(emitter, "workgroupBarrier();");
}

static void write_effect(struct agpu_wgsl_emitter *emitter, const struct agpu_ir_expr *expr)
{
    if (expr->op == AGPU_IR_STORE || expr->op == AGPU_IR_STORE_TEXEL) {
        agpu_wgsl_store(emitter, expr);
        return;
    }
    agpu_wgsl_line_start(emitter);
    agpu_strbuf_append(&emitter->body, "_ = ");
    agpu_wgsl_expr(emitter, expr, AGPU_IR_ANY, false);
    agpu_strbuf_append_char(&emitter->body, ';');
    agpu_wgsl_line_end(emitter);
}

static void annotate(struct agpu_wgsl_emitter *emitter, const struct agpu_ir_stmt *stmt)
{
    const struct agpu_program *source = &emitter->shader->program;
    if (stmt->offset == AGPU_IR_NONE || stmt->offset >= source->token_count)
        return;
    const struct agpu_opcode_info *info = agpu_opcode_info(source->tokens[stmt->offset] & 0x7ff);
    agpu_wgsl_line(emitter, "// token %u: %s", stmt->offset, info == NULL ? "?" : info->mnemonic);
}

/* How much nesting a statement adds; Dawn's parser gives up at 62 blocks or 41 switches. */
static uint32_t nesting_of(const struct agpu_ir_stmt *stmt)
{
    if (stmt->kind == AGPU_IR_SWITCH)
        return 3;
    return stmt->kind == AGPU_IR_IF || stmt->kind == AGPU_IR_LOOP ? 2 : 0;
}

static void write_statement(struct agpu_wgsl_emitter *emitter, const struct agpu_ir_stmt *stmt)
{
    emitter->offset = stmt->offset;
    emitter->nesting += nesting_of(stmt);
    if (emitter->nesting > NESTING_LIMIT) {
        agpu_ir_refuse(emitter->program, AGPU_DIAG_TRANSLATE_LIMIT, stmt->offset,
                       "blocks nest deeper than WebGPU implementations take");
        return;
    }
    if (emitter->options->annotate)
        annotate(emitter, stmt);
    declare_variables(emitter, stmt);
    switch ((enum agpu_ir_stmt_kind)stmt->kind) {
    case AGPU_IR_ASSIGN:
        write_assign(emitter, stmt);
        break;
    case AGPU_IR_EVALUATE:
        write_effect(emitter, stmt->value);
        break;
    case AGPU_IR_SET_ELEMENT:
        write_element(emitter, stmt);
        break;
    case AGPU_IR_IF:
        write_if(emitter, stmt);
        break;
    case AGPU_IR_LOOP:
        write_loop(emitter, stmt);
        break;
    case AGPU_IR_SWITCH:
        write_switch(emitter, stmt);
        break;
    case AGPU_IR_BREAK:
        agpu_wgsl_line(emitter, "break;");
        break;
    case AGPU_IR_CONTINUE:
        agpu_wgsl_line(emitter, "continue;");
        break;
    case AGPU_IR_RETURN:
        agpu_wgsl_return(emitter, stmt);
        break;
    case AGPU_IR_EMIT:
        agpu_wgsl_emit_vertex(emitter, stmt);
        break;
    case AGPU_IR_CUT:
        agpu_wgsl_cut_strip(emitter, stmt);
        break;
    case AGPU_IR_DISCARD:
        agpu_wgsl_line(emitter, "discard;");
        break;
    case AGPU_IR_BARRIER:
        write_barrier(emitter, stmt);
        break;
    }
    emitter->nesting -= nesting_of(stmt);
}

void agpu_wgsl_block(struct agpu_wgsl_emitter *emitter, const struct agpu_ir_block *block)
{
    for (const struct agpu_ir_stmt *stmt = block->first; stmt != NULL && emitter->program->status == AGPU_OK;
         stmt = stmt->next)
        write_statement(emitter, stmt);
}
