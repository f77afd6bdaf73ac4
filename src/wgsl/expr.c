/* SPDX-License-Identifier: MIT
 *
 * Expressions. One table says how each operation is written; types meet in agpu_wgsl_expr().
 */
#include <string.h>

#include "wgsl/emit.h"

enum form {
    FORM_SPECIAL, /* code of its own */
    FORM_INFIX,
    FORM_PREFIX,
    FORM_CALL,    /* a function of WGSL */
    FORM_HELPER,  /* a function of ours */
    FORM_CONVERT, /* the name of the result's type */
    FORM_SHIFT,   /* infix; the count keeps its low five bits */
    FORM_RESOURCE,
};

struct op_text {
    uint8_t form;
    uint8_t helper;
    const char *text;
};

/* clang-format off */
static const struct op_text op_texts[AGPU_IR_OP_COUNT] = {
    [AGPU_IR_ADD] = {FORM_INFIX, 0, "+"},
    [AGPU_IR_MUL] = {FORM_INFIX, 0, "*"},
    [AGPU_IR_MAD] = {FORM_CALL, 0, "fma"},
    [AGPU_IR_DIV] = {FORM_INFIX, 0, "/"},
    [AGPU_IR_MIN] = {FORM_HELPER, AGPU_WGSL_MIN, NULL},
    [AGPU_IR_MAX] = {FORM_HELPER, AGPU_WGSL_MAX, NULL},
    [AGPU_IR_NEG] = {FORM_PREFIX, 0, "-"},
    [AGPU_IR_ABS] = {FORM_CALL, 0, "abs"},
    [AGPU_IR_SATURATE] = {FORM_HELPER, AGPU_WGSL_SATURATE, NULL},
    [AGPU_IR_FRC] = {FORM_HELPER, AGPU_WGSL_FRC, NULL},
    [AGPU_IR_ROUND_NE] = {FORM_CALL, 0, "round"},
    [AGPU_IR_ROUND_NI] = {FORM_HELPER, AGPU_WGSL_ROUND_NI, NULL},
    [AGPU_IR_ROUND_PI] = {FORM_HELPER, AGPU_WGSL_ROUND_PI, NULL},
    [AGPU_IR_ROUND_Z] = {FORM_CALL, 0, "trunc"},
    [AGPU_IR_RCP] = {FORM_HELPER, AGPU_WGSL_RCP, NULL},
    [AGPU_IR_RSQ] = {FORM_HELPER, AGPU_WGSL_RSQ, NULL},
    [AGPU_IR_SQRT] = {FORM_HELPER, AGPU_WGSL_SQRT, NULL},
    [AGPU_IR_EXP] = {FORM_HELPER, AGPU_WGSL_EXP, NULL},
    [AGPU_IR_LOG] = {FORM_HELPER, AGPU_WGSL_LOG, NULL},
    [AGPU_IR_SIN] = {FORM_HELPER, AGPU_WGSL_SIN, NULL},
    [AGPU_IR_COS] = {FORM_HELPER, AGPU_WGSL_COS, NULL},
    [AGPU_IR_DDX] = {FORM_CALL, 0, "dpdx"},
    [AGPU_IR_DDY] = {FORM_CALL, 0, "dpdy"},
    [AGPU_IR_DDX_COARSE] = {FORM_CALL, 0, "dpdxCoarse"},
    [AGPU_IR_DDY_COARSE] = {FORM_CALL, 0, "dpdyCoarse"},
    [AGPU_IR_DDX_FINE] = {FORM_CALL, 0, "dpdxFine"},
    [AGPU_IR_DDY_FINE] = {FORM_CALL, 0, "dpdyFine"},
    [AGPU_IR_KEEP] = {FORM_HELPER, AGPU_WGSL_KEEP, NULL},
    [AGPU_IR_DOT] = {FORM_SPECIAL, 0, NULL},
    [AGPU_IR_LT] = {FORM_HELPER, AGPU_WGSL_LT, NULL},
    [AGPU_IR_GE] = {FORM_HELPER, AGPU_WGSL_GE, NULL},
    [AGPU_IR_EQ] = {FORM_HELPER, AGPU_WGSL_EQ, NULL},
    [AGPU_IR_NE] = {FORM_HELPER, AGPU_WGSL_NE, NULL},
    [AGPU_IR_IADD] = {FORM_INFIX, 0, "+"},
    [AGPU_IR_ISUB] = {FORM_INFIX, 0, "-"},
    [AGPU_IR_IMUL] = {FORM_INFIX, 0, "*"},
    [AGPU_IR_IMAD] = {FORM_SPECIAL, 0, NULL},
    [AGPU_IR_INEG] = {FORM_SPECIAL, 0, NULL},
    [AGPU_IR_NOT] = {FORM_PREFIX, 0, "~"},
    [AGPU_IR_AND] = {FORM_INFIX, 0, "&"},
    [AGPU_IR_OR] = {FORM_INFIX, 0, "|"},
    [AGPU_IR_XOR] = {FORM_INFIX, 0, "^"},
    [AGPU_IR_SHL] = {FORM_SHIFT, 0, "<<"},
    [AGPU_IR_ISHR] = {FORM_SHIFT, 0, ">>"},
    [AGPU_IR_USHR] = {FORM_SHIFT, 0, ">>"},
    [AGPU_IR_IMIN] = {FORM_CALL, 0, "min"},
    [AGPU_IR_IMAX] = {FORM_CALL, 0, "max"},
    [AGPU_IR_UMIN] = {FORM_CALL, 0, "min"},
    [AGPU_IR_UMAX] = {FORM_CALL, 0, "max"},
    [AGPU_IR_UDIV] = {FORM_HELPER, AGPU_WGSL_UDIV, NULL},
    [AGPU_IR_UMOD] = {FORM_HELPER, AGPU_WGSL_UMOD, NULL},
    [AGPU_IR_UMULHI] = {FORM_HELPER, AGPU_WGSL_UMULHI, NULL},
    [AGPU_IR_IMULHI] = {FORM_HELPER, AGPU_WGSL_IMULHI, NULL},
    [AGPU_IR_CARRY] = {FORM_HELPER, AGPU_WGSL_CARRY, NULL},
    [AGPU_IR_BORROW] = {FORM_HELPER, AGPU_WGSL_BORROW, NULL},
    [AGPU_IR_IEQ] = {FORM_INFIX, 0, "=="},
    [AGPU_IR_INE] = {FORM_INFIX, 0, "!="},
    [AGPU_IR_ILT] = {FORM_INFIX, 0, "<"},
    [AGPU_IR_IGE] = {FORM_INFIX, 0, ">="},
    [AGPU_IR_ULT] = {FORM_INFIX, 0, "<"},
    [AGPU_IR_UGE] = {FORM_INFIX, 0, ">="},
    [AGPU_IR_COUNTBITS] = {FORM_CALL, 0, "countOneBits"},
    [AGPU_IR_FIRSTBIT_HI] = {FORM_HELPER, AGPU_WGSL_FIRSTBIT_HI, NULL},
    [AGPU_IR_FIRSTBIT_LO] = {FORM_CALL, 0, "firstTrailingBit"},
    [AGPU_IR_FIRSTBIT_SHI] = {FORM_HELPER, AGPU_WGSL_FIRSTBIT_SHI, NULL},
    [AGPU_IR_UBFE] = {FORM_HELPER, AGPU_WGSL_UBFE, NULL},
    [AGPU_IR_IBFE] = {FORM_HELPER, AGPU_WGSL_IBFE, NULL},
    [AGPU_IR_BFI] = {FORM_HELPER, AGPU_WGSL_BFI, NULL},
    [AGPU_IR_BFREV] = {FORM_CALL, 0, "reverseBits"},
    [AGPU_IR_MSAD] = {FORM_HELPER, AGPU_WGSL_MSAD, NULL},
    [AGPU_IR_FTOI] = {FORM_HELPER, AGPU_WGSL_FTOI, NULL},
    [AGPU_IR_FTOU] = {FORM_HELPER, AGPU_WGSL_FTOU, NULL},
    [AGPU_IR_ITOF] = {FORM_CONVERT, 0, NULL},
    [AGPU_IR_UTOF] = {FORM_CONVERT, 0, NULL},
    [AGPU_IR_F32TOF16] = {FORM_HELPER, AGPU_WGSL_F32TOF16, NULL},
    [AGPU_IR_F16TOF32] = {FORM_HELPER, AGPU_WGSL_F16TOF32, NULL},
    [AGPU_IR_DADD] = {FORM_HELPER, AGPU_WGSL_DADD, NULL},
    [AGPU_IR_DMUL] = {FORM_HELPER, AGPU_WGSL_DMUL, NULL},
    [AGPU_IR_DFMA] = {FORM_HELPER, AGPU_WGSL_DFMA, NULL},
    [AGPU_IR_DDIV] = {FORM_HELPER, AGPU_WGSL_DDIV, NULL},
    [AGPU_IR_DRCP] = {FORM_HELPER, AGPU_WGSL_DRCP, NULL},
    [AGPU_IR_DMIN] = {FORM_HELPER, AGPU_WGSL_DMIN, NULL},
    [AGPU_IR_DMAX] = {FORM_HELPER, AGPU_WGSL_DMAX, NULL},
    [AGPU_IR_DSATURATE] = {FORM_HELPER, AGPU_WGSL_DSATURATE, NULL},
    [AGPU_IR_DLT] = {FORM_HELPER, AGPU_WGSL_DLT, NULL},
    [AGPU_IR_DGE] = {FORM_HELPER, AGPU_WGSL_DGE, NULL},
    [AGPU_IR_DEQ] = {FORM_HELPER, AGPU_WGSL_DEQ, NULL},
    [AGPU_IR_DNE] = {FORM_HELPER, AGPU_WGSL_DNE, NULL},
    [AGPU_IR_DTOF] = {FORM_HELPER, AGPU_WGSL_DTOF, NULL},
    [AGPU_IR_FTOD] = {FORM_HELPER, AGPU_WGSL_FTOD, NULL},
    [AGPU_IR_DTOI] = {FORM_HELPER, AGPU_WGSL_DTOI, NULL},
    [AGPU_IR_DTOU] = {FORM_HELPER, AGPU_WGSL_DTOU, NULL},
    [AGPU_IR_ITOD] = {FORM_HELPER, AGPU_WGSL_ITOD, NULL},
    [AGPU_IR_UTOD] = {FORM_HELPER, AGPU_WGSL_UTOD, NULL},
    [AGPU_IR_SPEND] = {FORM_SPECIAL, 0, NULL},
    [AGPU_IR_BOOL_NOT] = {FORM_PREFIX, 0, "!"},
    [AGPU_IR_BOOL_AND] = {FORM_INFIX, 0, "&"},
    [AGPU_IR_BOOL_OR] = {FORM_INFIX, 0, "|"},
    [AGPU_IR_SAMPLE] = {FORM_RESOURCE, 0, NULL},
    [AGPU_IR_LOAD] = {FORM_RESOURCE, 0, NULL},
};
/* clang-format on */

void agpu_wgsl_swizzle(struct agpu_strbuf *out, const uint8_t *components, uint32_t width,
                       uint32_t source_width)
{
    bool identity = width == source_width;
    for (uint32_t i = 0; i < width; i++)
        identity = identity && components[i] == i;
    if (identity)
        return;
    agpu_strbuf_append_char(out, '.');
    for (uint32_t i = 0; i < width; i++)
        agpu_strbuf_append_char(out, "xyzw"[components[i] & 3]);
}

/* ---- Conversions of bits ------------------------------------------------------------------------------ */

/* Text in front of a value of type `from` that is wanted as `to`, and behind it. */
static void open_cast(struct agpu_strbuf *out, enum agpu_ir_type from, enum agpu_ir_type to, uint32_t width)
{
    if (from == to)
        return;
    if (to == AGPU_IR_BOOL) {
        agpu_strbuf_append_char(out, '(');
        if (from == AGPU_IR_F32)
            agpu_strbuf_printf(out, "bitcast<%s>(", agpu_wgsl_type(AGPU_IR_U32, width));
        return;
    }
    if (from != AGPU_IR_BOOL || to == AGPU_IR_F32)
        agpu_strbuf_printf(out, "bitcast<%s>(", agpu_wgsl_type(to, width));
    if (from == AGPU_IR_BOOL) {
        bool is_signed = to == AGPU_IR_I32;
        const char *type = agpu_wgsl_type(is_signed ? AGPU_IR_I32 : AGPU_IR_U32, width);
        agpu_strbuf_printf(out, "select(%s(0), %s(%s), ", type, type, is_signed ? "-1" : "0xffffffffu");
    }
}

static void close_cast(struct agpu_strbuf *out, enum agpu_ir_type from, enum agpu_ir_type to, uint32_t width)
{
    if (from == to)
        return;
    if (to == AGPU_IR_BOOL)
        agpu_strbuf_printf(out, "%s != %s(0))", from == AGPU_IR_F32 ? ")" : "",
                           agpu_wgsl_type(from == AGPU_IR_F32 ? AGPU_IR_U32 : from, width));
    else
        agpu_strbuf_append(out, from == AGPU_IR_BOOL && to == AGPU_IR_F32 ? "))" : ")");
}

/* ---- Reads -------------------------------------------------------------------------------------------- */

static void append_part(struct agpu_wgsl_emitter *emitter, const struct agpu_ir_expr *expr, uint32_t first,
                        uint32_t count, enum agpu_ir_type want)
{
    struct agpu_strbuf *out = &emitter->body;
    uint32_t id = expr->u.id[first];
    if (id == AGPU_IR_NONE) {
        agpu_strbuf_printf(out, "%s()", agpu_wgsl_type(want, count));
        return;
    }
    const struct agpu_ir_variable *variable = &emitter->program->variables.data[id];
    enum agpu_ir_type type = (enum agpu_ir_type)variable->type;
    open_cast(out, type, want, count);
    bool repeated = variable->width == 1 && count > 1;
    if (repeated)
        agpu_wgsl_open_type(out, type, count);
    agpu_strbuf_append(out, variable->name == NULL ? "unnamed" : variable->name);
    if (repeated)
        agpu_strbuf_append_char(out, ')');
    else if (variable->width > 1)
        agpu_wgsl_swizzle(out, &expr->component[first], count, variable->width);
    close_cast(out, type, want, count);
}

static uint32_t run_length(const struct agpu_ir_expr *expr, uint32_t first)
{
    uint32_t end = first + 1;
    while (end < expr->width && expr->u.id[end] == expr->u.id[first])
        end++;
    return end - first;
}

static void append_read(struct agpu_wgsl_emitter *emitter, const struct agpu_ir_expr *expr,
                        enum agpu_ir_type want)
{
    struct agpu_strbuf *out = &emitter->body;
    bool whole = run_length(expr, 0) == expr->width;
    if (!whole)
        agpu_wgsl_open_type(out, want, expr->width);
    for (uint32_t i = 0, count; i < expr->width; i += count) {
        count = run_length(expr, i);
        if (i > 0)
            agpu_strbuf_append(out, ", ");
        append_part(emitter, expr, i, count, want);
    }
    if (!whole)
        agpu_strbuf_append_char(out, ')');
}

/* ---- Operations --------------------------------------------------------------------------------------- */

/* Integer operations take the type that their reader wants; comparisons the one their operands have. */
static enum agpu_ir_type integer_type(const struct agpu_wgsl_emitter *emitter,
                                      const struct agpu_ir_expr *expr, enum agpu_ir_type want)
{
    if (agpu_ir_op_infos[expr->op].signature[0] == 'n')
        return want == AGPU_IR_I32 ? AGPU_IR_I32 : AGPU_IR_U32;
    for (uint32_t i = 0; i < expr->arg_count; i++)
        if (agpu_ir_natural_type(emitter->program, expr->args[i]) == AGPU_IR_I32)
            return AGPU_IR_I32;
    return AGPU_IR_U32;
}

static void append_arg(struct agpu_wgsl_emitter *emitter, const struct agpu_ir_expr *expr, uint32_t index,
                       enum agpu_ir_type integer, bool primary)
{
    const struct agpu_ir_expr *arg = expr->args[index];
    enum agpu_ir_type type = agpu_ir_arg_type(emitter->program, expr, index);
    if (type == AGPU_IR_INT)
        type = integer;
    if (index == 0 && agpu_ir_all_constant(expr)) {
        agpu_wgsl_literal(emitter, arg, type, true);
        return;
    }
    bool by_lanes = agpu_ir_op_infos[expr->op].flags & AGPU_IR_LANES;
    agpu_wgsl_expr_wide(emitter, arg, type, by_lanes ? expr->width : arg->width, primary);
}

static void append_args(struct agpu_wgsl_emitter *emitter, const struct agpu_ir_expr *expr,
                        enum agpu_ir_type integer)
{
    agpu_strbuf_append_char(&emitter->body, '(');
    for (uint32_t i = 0; i < expr->arg_count; i++) {
        if (i > 0)
            agpu_strbuf_append(&emitter->body, ", ");
        append_arg(emitter, expr, i, integer, false);
    }
    agpu_strbuf_append_char(&emitter->body, ')');
}

static void append_shift_count(struct agpu_wgsl_emitter *emitter, const struct agpu_ir_expr *expr)
{
    const struct agpu_ir_expr *count = expr->args[1];
    if (count->op == AGPU_IR_CONST) {
        struct agpu_ir_expr *masked = agpu_ir_const(emitter->program, count->width, 0);
        for (uint32_t i = 0; i < count->width; i++)
            masked->u.bits[i] = count->u.bits[i] & 31;
        agpu_wgsl_expr_wide(emitter, masked, AGPU_IR_U32, expr->width, true);
        return;
    }
    agpu_strbuf_append_char(&emitter->body, '(');
    agpu_wgsl_expr_wide(emitter, count, AGPU_IR_U32, expr->width, true);
    agpu_strbuf_printf(&emitter->body, " & %s(31u))", agpu_wgsl_type(AGPU_IR_U32, expr->width));
}

/* x + -y is x - y. */
static bool is_difference(const struct agpu_ir_expr *expr)
{
    return (expr->op == AGPU_IR_ADD && expr->args[1]->op == AGPU_IR_NEG) ||
           (expr->op == AGPU_IR_IADD && expr->args[1]->op == AGPU_IR_INEG);
}

/* A divisor that drivers fold with what they should not: where the reciprocal is a denormal, which some take
 * for zero, and x / x, which is no 1 for zero, infinity and NaN. */
static bool append_divisor(struct agpu_wgsl_emitter *emitter, const struct agpu_ir_expr *expr)
{
    const struct agpu_ir_expr *divisor = expr->args[1];
    if (expr->op != AGPU_IR_DIV)
        return false;
    bool folded = agpu_ir_same(expr->args[0], divisor);
    for (uint32_t i = 0; divisor->op == AGPU_IR_CONST && i < divisor->width; i++)
        folded = folded || (divisor->u.bits[i] >> 23 & 0xff) >= 253;
    if (!folded)
        return false;
    if (divisor->op == AGPU_IR_CONST && divisor->width == expr->width) {
        agpu_wgsl_literal_exact(emitter, divisor);
        return true;
    }
    agpu_wgsl_call(emitter, AGPU_WGSL_KEEP, expr->width);
    agpu_strbuf_append_char(&emitter->body, '(');
    agpu_wgsl_expr_wide(emitter, divisor, AGPU_IR_F32, expr->width, false);
    agpu_strbuf_append_char(&emitter->body, ')');
    return true;
}

static void append_infix(struct agpu_wgsl_emitter *emitter, const struct agpu_ir_expr *expr, const char *text,
                         enum agpu_ir_type integer, bool primary)
{
    struct agpu_strbuf *out = &emitter->body;
    bool difference = is_difference(expr);
    if (primary)
        agpu_strbuf_append_char(out, '(');
    append_arg(emitter, expr, 0, integer, true);
    agpu_strbuf_append_char(out, ' ');
    agpu_strbuf_append(out, difference ? "-" : text);
    agpu_strbuf_append_char(out, ' ');
    if (op_texts[expr->op].form == FORM_SHIFT)
        append_shift_count(emitter, expr);
    else if (difference)
        agpu_wgsl_expr_wide(emitter, expr->args[1]->args[0], expr->op == AGPU_IR_ADD ? AGPU_IR_F32 : integer,
                            expr->width, true);
    else if (!append_divisor(emitter, expr))
        append_arg(emitter, expr, 1, integer, true);
    if (primary)
        agpu_strbuf_append_char(out, ')');
}

static bool divisor_is_safe(const struct agpu_ir_expr *expr)
{
    if ((expr->op != AGPU_IR_UDIV && expr->op != AGPU_IR_UMOD) || expr->args[1]->op != AGPU_IR_CONST)
        return false;
    for (uint32_t i = 0; i < expr->args[1]->width; i++)
        if (expr->args[1]->u.bits[i] == 0)
            return false;
    return true;
}

static void append_special(struct agpu_wgsl_emitter *emitter, const struct agpu_ir_expr *expr,
                           enum agpu_ir_type integer, bool primary)
{
    struct agpu_strbuf *out = &emitter->body;
    switch (expr->op) {
    case AGPU_IR_DOT: {
        uint32_t width = expr->args[0]->width;
        agpu_wgsl_call(emitter,
                       width == 2   ? AGPU_WGSL_DOT2
                       : width == 3 ? AGPU_WGSL_DOT3
                                    : AGPU_WGSL_DOT4,
                       1);
        append_args(emitter, expr, integer);
        break;
    }
    case AGPU_IR_SPEND:
        agpu_wgsl_call(emitter, AGPU_WGSL_SPEND, 1);
        agpu_strbuf_printf(out, "(%uu)", expr->u.bits[0]);
        break;
    case AGPU_IR_IMAD:
        if (primary)
            agpu_strbuf_append_char(out, '(');
        append_arg(emitter, expr, 0, integer, true);
        agpu_strbuf_append(out, " * ");
        append_arg(emitter, expr, 1, integer, true);
        agpu_strbuf_append(out, " + ");
        append_arg(emitter, expr, 2, integer, true);
        if (primary)
            agpu_strbuf_append_char(out, ')');
        break;
    case AGPU_IR_INEG:
        if (integer == AGPU_IR_I32) {
            agpu_strbuf_append(out, "(-");
            append_arg(emitter, expr, 0, integer, true);
        } else {
            agpu_strbuf_printf(out, "(%s(0u) - ", agpu_wgsl_type(AGPU_IR_U32, expr->width));
            append_arg(emitter, expr, 0, integer, true);
        }
        agpu_strbuf_append_char(out, ')');
        break;
    default:
        agpu_ir_refuse(emitter->program, AGPU_DIAG_TRANSLATE_INVALID_IR, emitter->offset,
                       "nobody can write %s", agpu_ir_op_infos[expr->op].name);
        break;
    }
}

static void append_operation(struct agpu_wgsl_emitter *emitter, const struct agpu_ir_expr *expr,
                             enum agpu_ir_type integer, bool primary)
{
    struct agpu_strbuf *out = &emitter->body;
    const struct op_text *text = &op_texts[expr->op];
    if (divisor_is_safe(expr)) {
        append_infix(emitter, expr, expr->op == AGPU_IR_UDIV ? "/" : "%", integer, primary);
        return;
    }
    switch ((enum form)text->form) {
    case FORM_INFIX:
    case FORM_SHIFT:
        append_infix(emitter, expr, text->text, integer, primary);
        break;
    case FORM_PREFIX:
        agpu_strbuf_append(out, primary ? "(" : "");
        agpu_strbuf_append(out, text->text);
        append_arg(emitter, expr, 0, integer, true);
        agpu_strbuf_append(out, primary ? ")" : "");
        break;
    case FORM_CALL:
        agpu_strbuf_append(out, text->text);
        append_args(emitter, expr, integer);
        break;
    case FORM_HELPER:
        agpu_wgsl_call(emitter, (enum agpu_wgsl_helper)text->helper, expr->width);
        append_args(emitter, expr, integer);
        break;
    case FORM_CONVERT:
        agpu_strbuf_append(out, agpu_wgsl_type((enum agpu_ir_type)expr->type, expr->width));
        append_args(emitter, expr, integer);
        break;
    case FORM_RESOURCE:
        break;
    case FORM_SPECIAL:
        append_special(emitter, expr, integer, primary);
        break;
    }
}

static void append_resource(struct agpu_wgsl_emitter *emitter, const struct agpu_ir_expr *expr)
{
    switch (expr->op) {
    case AGPU_IR_CBUFFER:
        agpu_wgsl_cbuffer(emitter, expr);
        break;
    case AGPU_IR_LOAD:
    case AGPU_IR_LOAD_TEXEL:
    case AGPU_IR_BUFFER_INFO:
    case AGPU_IR_ATOMIC:
    case AGPU_IR_COUNTER:
        agpu_wgsl_memory(emitter, expr);
        break;
    default:
        agpu_wgsl_texture(emitter, expr);
        break;
    }
}

static void append_select(struct agpu_wgsl_emitter *emitter, const struct agpu_ir_expr *expr,
                          enum agpu_ir_type want)
{
    struct agpu_strbuf *out = &emitter->body;
    agpu_strbuf_append(out, "select(");
    agpu_wgsl_expr_wide(emitter, expr->args[2], want, expr->width, false);
    agpu_strbuf_append(out, ", ");
    agpu_wgsl_expr_wide(emitter, expr->args[1], want, expr->width, false);
    agpu_strbuf_append(out, ", ");
    agpu_wgsl_expr_wide(emitter, expr->args[0], AGPU_IR_BOOL, expr->width, false);
    agpu_strbuf_append_char(out, ')');
}

static void append_join(struct agpu_wgsl_emitter *emitter, const struct agpu_ir_expr *expr,
                        enum agpu_ir_type want)
{
    agpu_wgsl_open_type(&emitter->body, want, expr->width);
    for (uint32_t i = 0; i < expr->arg_count; i++) {
        if (i > 0)
            agpu_strbuf_append(&emitter->body, ", ");
        agpu_wgsl_expr(emitter, expr->args[i], want, false);
    }
    agpu_strbuf_append_char(&emitter->body, ')');
}

static void append_swizzled(struct agpu_wgsl_emitter *emitter, const struct agpu_ir_expr *expr,
                            enum agpu_ir_type want)
{
    const struct agpu_ir_expr *source = expr->args[0];
    bool repeats = source->width == 1 && expr->width > 1;
    if (repeats)
        agpu_wgsl_open_type(&emitter->body, want, expr->width);
    agpu_wgsl_expr(emitter, source, want, !repeats);
    if (repeats)
        agpu_strbuf_append_char(&emitter->body, ')');
    else if (source->width > 1)
        agpu_wgsl_swizzle(&emitter->body, expr->component, expr->width, source->width);
}

/* ---- Entry points ------------------------------------------------------------------------------------- */

static enum agpu_ir_type concrete(const struct agpu_ir_program *program, enum agpu_ir_type want,
                                  const struct agpu_ir_expr *expr)
{
    if (want != AGPU_IR_ANY && want != AGPU_IR_INT)
        return want;
    enum agpu_ir_type natural = agpu_ir_natural_type(program, expr);
    if (natural == AGPU_IR_I32 ||
        (want == AGPU_IR_ANY && (natural == AGPU_IR_F32 || natural == AGPU_IR_BOOL)))
        return natural;
    return AGPU_IR_U32;
}

void agpu_wgsl_expr(struct agpu_wgsl_emitter *emitter, const struct agpu_ir_expr *expr,
                    enum agpu_ir_type want, bool primary)
{
    struct agpu_strbuf *out = &emitter->body;
    want = concrete(emitter->program, want, expr);
    switch (expr->op) {
    case AGPU_IR_CONST:
        agpu_wgsl_literal(emitter, expr, want, false);
        return;
    case AGPU_IR_READ:
        append_read(emitter, expr, want);
        return;
    case AGPU_IR_SELECT:
        append_select(emitter, expr, want);
        return;
    case AGPU_IR_JOIN:
        append_join(emitter, expr, want);
        return;
    case AGPU_IR_SWIZZLE:
        append_swizzled(emitter, expr, want);
        return;
    default:
        break;
    }
    enum agpu_ir_type type = agpu_ir_natural_type(emitter->program, expr);
    enum agpu_ir_type integer = integer_type(emitter, expr, want);
    if (type == AGPU_IR_INT)
        type = integer;
    open_cast(out, type, want, expr->width);
    if (expr->op == AGPU_IR_ARRAY)
        agpu_wgsl_array(emitter, expr);
    else if (expr->op == AGPU_IR_RECORD)
        agpu_wgsl_record(emitter, expr);
    else if (expr->op == AGPU_IR_ICB)
        agpu_wgsl_icb(emitter, expr);
    else if (expr->op == AGPU_IR_INSTANCE || expr->op == AGPU_IR_INSTANCE_TABLE)
        agpu_wgsl_instance(emitter, expr);
    else if (agpu_ir_op_infos[expr->op].flags & AGPU_IR_RESOURCE)
        append_resource(emitter, expr);
    else
        append_operation(emitter, expr, integer, primary || (want == AGPU_IR_BOOL && type != want));
    close_cast(out, type, want, expr->width);
}

void agpu_wgsl_expr_wide(struct agpu_wgsl_emitter *emitter, const struct agpu_ir_expr *expr,
                         enum agpu_ir_type want, uint32_t width, bool primary)
{
    if (expr->width == width) {
        agpu_wgsl_expr(emitter, expr, want, primary);
        return;
    }
    want = concrete(emitter->program, want, expr);
    agpu_wgsl_open_type(&emitter->body, want, width);
    agpu_wgsl_expr(emitter, expr, want, false);
    agpu_strbuf_append_char(&emitter->body, ')');
}
