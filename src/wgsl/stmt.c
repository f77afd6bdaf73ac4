/* SPDX-License-Identifier: MIT
 *
 * Writes statements.
 */
#include "wgsl/emit.h"

#define NESTING_LIMIT 118

/* ---- Assignments -------------------------------------------------------------------------------------- */

/* Whether the statement writes all components of the variable in order, so that one assignment is enough. */
static bool covers(const struct ag_ir_stmt *stmt, const struct ag_ir_variable *variable, uint32_t id)
{
    uint32_t next = 0;
    for (uint32_t i = 0; i < stmt->value->width; i++)
        if (stmt->target[i] == id && stmt->target_component[i] != next++)
            return false;
    return next == variable->width;
}

static bool declared_by(const struct ag_wgsl_emitter *emitter, const struct ag_ir_stmt *stmt,
                        const struct ag_ir_variable *variable, uint32_t id)
{
    return !emitter->private_variables && !variable->by_thread && stmt->kind == AG_IR_ASSIGN &&
           variable->first_write == stmt && variable->home == stmt->block && !variable->needs_zero &&
           covers(stmt, variable, id);
}

static void declare_by_thread(struct ag_wgsl_emitter *emitter, const struct ag_ir_variable *variable)
{
    ag_wgsl_line(emitter, "var %s: array<%s, %u>;", variable->name,
                 ag_wgsl_type((enum ag_ir_type)variable->type, variable->width), emitter->program->turns);
}

/* WGSL zero-initialises every variable, but SwiftShader leaves variables undefined whose initialiser is a
 * null constant (docs/translator.md). The initialiser is therefore a variable that is zero. */
static void declare_zero(struct ag_wgsl_emitter *emitter, const struct ag_ir_variable *variable)
{
    enum ag_ir_type type = (enum ag_ir_type)variable->type;
    const char *bits = ag_wgsl_type(AG_IR_U32, variable->width);
    const char *keyword = emitter->private_variables || variable->by_thread ? "" : "var ";
    const char *turn = variable->by_thread ? "[turn]" : "";
    emitter->uses_opaque_zero = true;
    if (variable->by_thread) {
        declare_by_thread(emitter, variable);
        ag_wgsl_open(emitter, "for (var turn = 0u; turn < %uu; turn++)", emitter->program->turns);
    }
    if (type == AG_IR_BOOL)
        ag_wgsl_line(emitter, "%s%s%s = %s(opaque_zero != 0u);", keyword, variable->name, turn,
                     ag_wgsl_type(type, variable->width));
    else if (type == AG_IR_U32)
        ag_wgsl_line(emitter, "%s%s%s = %s(opaque_zero);", keyword, variable->name, turn, bits);
    else
        ag_wgsl_line(emitter, "%s%s%s = bitcast<%s>(%s(opaque_zero));", keyword, variable->name, turn,
                     ag_wgsl_type(type, variable->width), bits);
    if (variable->by_thread)
        ag_wgsl_close(emitter);
}

static void declare_variables(struct ag_wgsl_emitter *emitter, const struct ag_ir_stmt *stmt)
{
    uint32_t id = stmt->first_declared;
    while (id != AG_IR_NONE) {
        const struct ag_ir_variable *variable = &emitter->program->variables.data[id];
        const char *type = ag_wgsl_type((enum ag_ir_type)variable->type, variable->width);
        if (emitter->private_variables && !variable->is_constant)
            ag_strbuf_printf(&emitter->functions, "var<private> %s: %s;\n", variable->name, type);
        if (variable->needs_zero)
            declare_zero(emitter, variable);
        else if (variable->by_thread)
            declare_by_thread(emitter, variable);
        else if (!emitter->private_variables && !declared_by(emitter, stmt, variable, id))
            ag_wgsl_line(emitter, "var %s: %s;", variable->name, type);
        id = variable->next_declared;
    }
}

/* Assigns the lanes of `value` whose target is the variable `id`. */
static void assign_part(struct ag_wgsl_emitter *emitter, const struct ag_ir_stmt *stmt,
                        struct ag_ir_expr *value, uint32_t id)
{
    struct ag_strbuf *out = &emitter->body;
    uint8_t lanes[4];
    uint32_t count = 0;
    for (uint32_t i = 0; i < value->width; i++)
        if (stmt->target[i] == id)
            lanes[count++] = (uint8_t)i;
    struct ag_ir_variable variable = emitter->program->variables.data[id];
    if (!covers(stmt, &variable, id)) {
        for (uint32_t i = 0; i < count; i++) {
            ag_wgsl_line_start(emitter);
            ag_wgsl_variable(emitter, out, &variable);
            ag_wgsl_swizzle(out, &stmt->target_component[lanes[i]], 1, variable.width);
            ag_wgsl_equals(emitter);
            ag_wgsl_expr(emitter, ag_ir_narrow(emitter->program, value, 1, &lanes[i]),
                         (enum ag_ir_type)variable.type, false);
            ag_strbuf_append_char(out, ';');
            ag_wgsl_line_end(emitter);
        }
        return;
    }
    ag_wgsl_line_start(emitter);
    if (variable.is_constant)
        ag_strbuf_append(out, "let ");
    else if (declared_by(emitter, stmt, &variable, id))
        ag_strbuf_append(out, "var ");
    ag_wgsl_variable(emitter, out, &variable);
    ag_wgsl_equals(emitter);
    ag_wgsl_expr(emitter, ag_ir_narrow(emitter->program, value, count, lanes), (enum ag_ir_type)variable.type,
                 false);
    ag_strbuf_append_char(out, ';');
    ag_wgsl_line_end(emitter);
}

/* Evaluates a value into a `let`, before any of several variables that receive lanes of the value changes. */
static struct ag_ir_expr *compute_once(struct ag_wgsl_emitter *emitter, struct ag_ir_expr *value)
{
    struct ag_ir_program *program = emitter->program;
    enum ag_ir_type type = ag_ir_natural_type(program, value);
    if (type == AG_IR_ANY || type == AG_IR_INT)
        type = AG_IR_U32;
    uint32_t id = ag_ir_add_variable(program, type, value->width);
    const char *name = emitter->is_terse ? ag_wgsl_short_name(emitter)
                                         : ag_wgsl_text(emitter, "all%u", emitter->temporaries++);
    if (program->status != AGPU_OK)
        return value;
    program->variables.data[id].name = name;
    ag_wgsl_line_start(emitter);
    ag_strbuf_append(&emitter->body, "let ");
    ag_strbuf_append(&emitter->body, name);
    ag_wgsl_equals(emitter);
    ag_wgsl_expr(emitter, value, type, false);
    ag_strbuf_append_char(&emitter->body, ';');
    ag_wgsl_line_end(emitter);
    return ag_ir_read(program, id, value->width);
}

/* A copy of a value that never changes is the value by another name. Whoever can read the copy can read the
 * original, since the scope of a `let` lies within that of the block that reads its source. */
static bool takes_name(struct ag_wgsl_emitter *emitter, const struct ag_ir_stmt *stmt)
{
    struct ag_ir_variable *const variables = emitter->program->variables.data;
    const struct ag_ir_expr *const value = stmt->value;
    const uint32_t to = stmt->target[0], from = value->op == AG_IR_READ ? value->u.id[0] : AG_IR_NONE;
    if (to == AG_IR_NONE || from == AG_IR_NONE || !variables[to].is_constant ||
        !variables[from].is_constant || variables[to].by_thread || variables[from].by_thread ||
        variables[to].type != variables[from].type || variables[to].width != value->width ||
        variables[from].width != value->width)
        return false;
    for (uint32_t i = 0; i < value->width; i++)
        if (stmt->target[i] != to || value->u.id[i] != from || stmt->target_component[i] != i ||
            value->component[i] != i)
            return false;
    variables[to].name = variables[from].name;
    return true;
}

static void write_assign(struct ag_wgsl_emitter *emitter, const struct ag_ir_stmt *stmt)
{
    if (takes_name(emitter, stmt))
        return;
    struct ag_ir_expr *value = stmt->value;
    uint32_t ids[4], count = 0;
    bool whole = true;
    for (uint32_t i = 0; i < value->width; i++) {
        bool known = stmt->target[i] == AG_IR_NONE;
        for (uint32_t k = 0; k < count; k++)
            known = known || ids[k] == stmt->target[i];
        if (!known)
            ids[count++] = stmt->target[i];
        whole = whole && stmt->target[i] != AG_IR_NONE;
    }
    if (count == 0)
        return;
    const struct ag_ir_variable *first = &emitter->program->variables.data[ids[0]];
    bool direct = count == 1 && whole && covers(stmt, first, ids[0]);
    if (!direct && value->op != AG_IR_CONST)
        value = compute_once(emitter, value);
    for (uint32_t i = 0; i < count; i++)
        assign_part(emitter, stmt, value, ids[i]);
}

static void write_element(struct ag_wgsl_emitter *emitter, const struct ag_ir_stmt *stmt)
{
    struct ag_strbuf *out = &emitter->body;
    const struct ag_ir_array *array = &emitter->program->arrays.data[stmt->array];
    const char *prefix = array->kind == AG_IR_REGISTER_TEMP ? "x" : "orange";
    bool fixed = stmt->index->op == AG_IR_CONST;
    if (fixed && stmt->index->u.bits[0] >= array->length)
        return;
    uint32_t t = emitter->temporaries++;
    if (!fixed) {
        ag_wgsl_line_start(emitter);
        ag_strbuf_printf(out, "let at%u = ", t);
        ag_wgsl_expr(emitter, stmt->index, AG_IR_U32, false);
        ag_strbuf_append_char(out, ';');
        ag_wgsl_line_end(emitter);
    }
    bool whole = stmt->value->width == 4;
    if (!whole) {
        ag_wgsl_line_start(emitter);
        ag_strbuf_printf(out, "let bits%u = ", t);
        ag_wgsl_expr(emitter, stmt->value, AG_IR_U32, false);
        ag_strbuf_append_char(out, ';');
        ag_wgsl_line_end(emitter);
    }
    if (!fixed)
        ag_wgsl_open(emitter, "if (at%u < %uu)", t, array->length);
    for (uint32_t i = 0; i < (whole ? 1u : stmt->value->width); i++) {
        ag_wgsl_line_start(emitter);
        ag_strbuf_printf(out, "%s%u%s[", prefix, array->number, ag_wgsl_turn(emitter));
        if (fixed)
            ag_strbuf_printf(out, "%u]", stmt->index->u.bits[0]);
        else
            ag_strbuf_printf(out, "at%u]", t);
        if (whole) {
            ag_wgsl_equals(emitter);
            ag_wgsl_expr(emitter, stmt->value, AG_IR_U32, false);
        } else {
            ag_strbuf_printf(out, ".%c = bits%u", "xyzw"[stmt->target_component[i]], t);
            if (stmt->value->width > 1)
                ag_strbuf_printf(out, ".%c", "xyzw"[i]);
        }
        ag_strbuf_append_char(out, ';');
        ag_wgsl_line_end(emitter);
    }
    if (!fixed)
        ag_wgsl_close(emitter);
}

/* ---- Flow --------------------------------------------------------------------------------------------- */

/* Whether some statement leaves the loop that contains `block`: WGSL refuses a loop without an exit. */
static bool has_exit(const struct ag_ir_block *block, bool breaks_count)
{
    for (const struct ag_ir_stmt *stmt = block->first; stmt != NULL; stmt = stmt->next) {
        if (stmt->kind == AG_IR_RETURN || stmt->kind == AG_IR_EMIT ||
            (stmt->kind == AG_IR_BREAK && breaks_count))
            return true;
        bool inside = breaks_count && stmt->kind == AG_IR_IF;
        if ((stmt->body != NULL && has_exit(stmt->body, inside)) ||
            (stmt->otherwise != NULL && has_exit(stmt->otherwise, inside)))
            return true;
        for (const struct ag_ir_case *c = stmt->cases; c != NULL; c = c->next)
            if (has_exit(c->body, false))
                return true;
    }
    return false;
}

/* The condition or selector. If a barrier depends on it, one thread evaluates it for the whole group. */
static void append_decision(struct ag_wgsl_emitter *emitter, const struct ag_ir_stmt *stmt,
                            enum ag_ir_type type)
{
    if (!stmt->is_uniform) {
        ag_wgsl_expr(emitter, stmt->value, type, false);
        return;
    }
    ag_wgsl_require_decision(emitter);
    ag_strbuf_append(&emitter->body,
                     type == AG_IR_BOOL ? "shared_decision(select(0u, 1u, " : "shared_decision(");
    ag_wgsl_expr(emitter, stmt->value, type, false);
    ag_strbuf_printf(&emitter->body, type == AG_IR_BOOL ? "), %s) != 0u" : ", %s)", emitter->invocation);
}

static void write_if(struct ag_wgsl_emitter *emitter, const struct ag_ir_stmt *stmt)
{
    struct ag_strbuf *out = &emitter->body;
    ag_wgsl_line_start(emitter);
    if (ag_ir_is_always(stmt)) {
        ag_strbuf_append_char(out, '{');
    } else {
        ag_strbuf_append(out, "if (");
        append_decision(emitter, stmt, AG_IR_BOOL);
        ag_strbuf_append(out, ") {");
    }
    ag_wgsl_line_end(emitter);
    emitter->indent++;
    ag_wgsl_block(emitter, stmt->body);
    emitter->indent--;
    if (stmt->otherwise != NULL && stmt->otherwise->first != NULL) {
        ag_wgsl_line(emitter, "} else {");
        emitter->indent++;
        ag_wgsl_block(emitter, stmt->otherwise);
        emitter->indent--;
    }
    ag_wgsl_line(emitter, "}");
}

static void write_loop(struct ag_wgsl_emitter *emitter, const struct ag_ir_stmt *stmt)
{
    ag_wgsl_open(emitter, "loop");
    if (!has_exit(stmt->body, true)) {
        emitter->uses_opaque_zero = true;
        ag_wgsl_line(emitter, "if (opaque_zero != 0u) { break; }");
    }
    ag_wgsl_block(emitter, stmt->body);
    ag_wgsl_close(emitter);
}

static void write_switch(struct ag_wgsl_emitter *emitter, const struct ag_ir_stmt *stmt)
{
    struct ag_strbuf *out = &emitter->body;
    ag_wgsl_line_start(emitter);
    ag_strbuf_append(out, "switch (");
    append_decision(emitter, stmt, AG_IR_U32);
    ag_strbuf_append(out, ") {");
    ag_wgsl_line_end(emitter);
    emitter->indent++;
    for (const struct ag_ir_case *c = stmt->cases; c != NULL; c = c->next) {
        ag_wgsl_line_start(emitter);
        ag_strbuf_append(out, c->label_count > 0 ? "case " : "default");
        for (uint32_t i = 0; i < c->label_count; i++)
            ag_strbuf_printf(out, "%s%uu", i > 0 ? ", " : "", c->labels[i]);
        ag_strbuf_append(out, c->label_count > 0 && c->is_default ? ", default: {" : ": {");
        ag_wgsl_line_end(emitter);
        emitter->indent++;
        ag_wgsl_block(emitter, c->body);
        ag_wgsl_close(emitter);
    }
    ag_wgsl_close(emitter);
}

/* Whether threads may load what others stored in a storage texture. */
static bool has_texture_barrier(const struct ag_wgsl_emitter *emitter)
{
    const struct ag_ir_program *program = emitter->program;
    for (size_t i = 0; i < program->resources.count; i++) {
        const struct ag_ir_resource *resource = &program->resources.data[i];
        if (resource->space == AGPU_SPACE_UAV && resource->loaded && resource->stored &&
            ag_wgsl_is_texture(resource) && !ag_wgsl_is_buffered_texture(resource))
            return true;
    }
    return false;
}

/* Only a sync of threads becomes a barrier. WGSL has no fence without a barrier, and a barrier in its place
 * could stand in divergent control flow. */
static void write_barrier(struct ag_wgsl_emitter *emitter, const struct ag_ir_stmt *stmt)
{
    if (emitter->program->stage != AGPU_STAGE_COMPUTE || !(stmt->sync & AGPU_SYNC_THREADS_IN_GROUP))
        return;
    if (stmt->sync & (AGPU_SYNC_UAV_MEMORY_GROUP | AGPU_SYNC_UAV_MEMORY_GLOBAL))
        ag_wgsl_line(emitter, has_texture_barrier(emitter) ? "storageBarrier(); textureBarrier();"
                                                           : "storageBarrier();");
    if ((stmt->sync & AGPU_SYNC_GROUP_SHARED_MEMORY) || stmt->sync == AGPU_SYNC_THREADS_IN_GROUP)
        ag_wgsl_line(emitter, "workgroupBarrier();");
}

static void write_effect(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr)
{
    if (expr->op == AG_IR_STORE || expr->op == AG_IR_STORE_TEXEL) {
        ag_wgsl_store(emitter, expr);
        return;
    }
    ag_wgsl_line_start(emitter);
    ag_strbuf_append(&emitter->body, "_ = ");
    ag_wgsl_expr(emitter, expr, AG_IR_ANY, false);
    ag_strbuf_append_char(&emitter->body, ';');
    ag_wgsl_line_end(emitter);
}

static void annotate(struct ag_wgsl_emitter *emitter, const struct ag_ir_stmt *stmt)
{
    const struct agpu_program *source = &emitter->shader->program;
    if (stmt->offset == AG_IR_NONE || stmt->offset >= source->token_count)
        return;
    const struct agpu_opcode_info *info = agpu_opcode_info(source->tokens[stmt->offset] & 0x7ff);
    ag_wgsl_line(emitter, "// token %u: %s", stmt->offset, info == NULL ? "?" : info->mnemonic);
}

/* How much nesting a statement adds. Dawn's parser refuses more than 62 nested blocks or 41 nested
 * switches. */
static uint32_t nesting_of(const struct ag_ir_stmt *stmt)
{
    if (stmt->kind == AG_IR_SWITCH)
        return 3;
    return stmt->kind == AG_IR_IF || stmt->kind == AG_IR_LOOP || stmt->kind == AG_IR_THREADS ? 2 : 0;
}

static void write_statement(struct ag_wgsl_emitter *emitter, const struct ag_ir_stmt *stmt)
{
    emitter->offset = stmt->offset;
    emitter->nesting += nesting_of(stmt);
    if (emitter->nesting > NESTING_LIMIT) {
        ag_ir_refuse(emitter->program, AGPU_DIAG_TRANSLATE_LIMIT, stmt->offset,
                     "blocks nest deeper than WebGPU implementations take");
        return;
    }
    if (emitter->options->annotate)
        annotate(emitter, stmt);
    declare_variables(emitter, stmt);
    ag_wgsl_count_statement(emitter, stmt);
    switch ((enum ag_ir_stmt_kind)stmt->kind) {
    case AG_IR_ASSIGN:
        write_assign(emitter, stmt);
        break;
    case AG_IR_EVALUATE:
        write_effect(emitter, stmt->value);
        break;
    case AG_IR_SET_ELEMENT:
        write_element(emitter, stmt);
        break;
    case AG_IR_IF:
        write_if(emitter, stmt);
        break;
    case AG_IR_LOOP:
        write_loop(emitter, stmt);
        break;
    case AG_IR_SWITCH:
        write_switch(emitter, stmt);
        break;
    case AG_IR_BREAK:
        ag_wgsl_line(emitter, "break;");
        break;
    case AG_IR_CONTINUE:
        ag_wgsl_line(emitter, "continue;");
        break;
    case AG_IR_RETURN:
        ag_wgsl_return(emitter, stmt);
        break;
    case AG_IR_EMIT:
        ag_wgsl_emit_vertex(emitter, stmt);
        break;
    case AG_IR_CUT:
        ag_wgsl_cut_strip(emitter, stmt);
        break;
    case AG_IR_DISCARD:
        ag_wgsl_discard(emitter);
        break;
    case AG_IR_BARRIER:
        write_barrier(emitter, stmt);
        break;
    case AG_IR_THREADS:
        ag_wgsl_threads(emitter, stmt);
        break;
    }
    emitter->nesting -= nesting_of(stmt);
}

void ag_wgsl_block(struct ag_wgsl_emitter *emitter, const struct ag_ir_block *block)
{
    for (const struct ag_ir_stmt *stmt = block->first; stmt != NULL && emitter->program->status == AGPU_OK;
         stmt = stmt->next)
        write_statement(emitter, stmt);
}
