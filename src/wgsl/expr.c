/* SPDX-License-Identifier: MIT
 *
 * Writes expressions. A table says how each operation is written; ag_wgsl_expr() converts between types.
 */

#include "wgsl/emit.h"

enum form {
    FORM_SPECIAL, /* append_special() */
    FORM_INFIX,
    FORM_PREFIX,
    FORM_CALL,    /* a builtin function of WGSL */
    FORM_HELPER,  /* a function of helpers.c */
    FORM_CONVERT, /* a conversion: the name of the result's type */
    FORM_SHIFT,   /* infix; only the low five bits of the count are used */
};

struct op_text {
    uint8_t form;
    uint8_t helper;
    const char *text;
};

/* clang-format off */
static const struct op_text op_texts[AG_IR_OP_COUNT] = {
    [AG_IR_ADD] = {FORM_INFIX, 0, "+"},
    [AG_IR_MUL] = {FORM_INFIX, 0, "*"},
    [AG_IR_MAD] = {FORM_CALL, 0, "fma"},
    [AG_IR_DIV] = {FORM_INFIX, 0, "/"},
    [AG_IR_MIN] = {FORM_HELPER, AG_WGSL_MIN, NULL},
    [AG_IR_MAX] = {FORM_HELPER, AG_WGSL_MAX, NULL},
    [AG_IR_NEG] = {FORM_PREFIX, 0, "-"},
    [AG_IR_ABS] = {FORM_CALL, 0, "abs"},
    [AG_IR_SATURATE] = {FORM_HELPER, AG_WGSL_SATURATE, NULL},
    [AG_IR_FRC] = {FORM_HELPER, AG_WGSL_FRC, NULL},
    [AG_IR_ROUND_NE] = {FORM_CALL, 0, "round"},
    [AG_IR_ROUND_NI] = {FORM_HELPER, AG_WGSL_ROUND_NI, NULL},
    [AG_IR_ROUND_PI] = {FORM_HELPER, AG_WGSL_ROUND_PI, NULL},
    [AG_IR_ROUND_Z] = {FORM_CALL, 0, "trunc"},
    [AG_IR_RCP] = {FORM_HELPER, AG_WGSL_RCP, NULL},
    [AG_IR_RSQ] = {FORM_HELPER, AG_WGSL_RSQ, NULL},
    [AG_IR_SQRT] = {FORM_HELPER, AG_WGSL_SQRT, NULL},
    [AG_IR_EXP] = {FORM_HELPER, AG_WGSL_EXP, NULL},
    [AG_IR_LOG] = {FORM_HELPER, AG_WGSL_LOG, NULL},
    [AG_IR_SIN] = {FORM_HELPER, AG_WGSL_SIN, NULL},
    [AG_IR_COS] = {FORM_HELPER, AG_WGSL_COS, NULL},
    [AG_IR_DDX] = {FORM_CALL, 0, "dpdx"},
    [AG_IR_DDY] = {FORM_CALL, 0, "dpdy"},
    [AG_IR_DDX_COARSE] = {FORM_CALL, 0, "dpdxCoarse"},
    [AG_IR_DDY_COARSE] = {FORM_CALL, 0, "dpdyCoarse"},
    [AG_IR_DDX_FINE] = {FORM_CALL, 0, "dpdxFine"},
    [AG_IR_DDY_FINE] = {FORM_CALL, 0, "dpdyFine"},
    [AG_IR_KEEP] = {FORM_HELPER, AG_WGSL_KEEP, NULL},
    [AG_IR_DOT] = {FORM_SPECIAL, 0, NULL},
    [AG_IR_LT] = {FORM_HELPER, AG_WGSL_LT, NULL},
    [AG_IR_GE] = {FORM_HELPER, AG_WGSL_GE, NULL},
    [AG_IR_EQ] = {FORM_HELPER, AG_WGSL_EQ, NULL},
    [AG_IR_NE] = {FORM_HELPER, AG_WGSL_NE, NULL},
    [AG_IR_IADD] = {FORM_INFIX, 0, "+"},
    [AG_IR_ISUB] = {FORM_INFIX, 0, "-"},
    [AG_IR_IMUL] = {FORM_INFIX, 0, "*"},
    [AG_IR_IMAD] = {FORM_SPECIAL, 0, NULL},
    [AG_IR_INEG] = {FORM_SPECIAL, 0, NULL},
    [AG_IR_NOT] = {FORM_PREFIX, 0, "~"},
    [AG_IR_AND] = {FORM_INFIX, 0, "&"},
    [AG_IR_OR] = {FORM_INFIX, 0, "|"},
    [AG_IR_XOR] = {FORM_INFIX, 0, "^"},
    [AG_IR_SHL] = {FORM_SHIFT, 0, "<<"},
    [AG_IR_ISHR] = {FORM_SHIFT, 0, ">>"},
    [AG_IR_USHR] = {FORM_SHIFT, 0, ">>"},
    [AG_IR_IMIN] = {FORM_CALL, 0, "min"},
    [AG_IR_IMAX] = {FORM_CALL, 0, "max"},
    [AG_IR_UMIN] = {FORM_CALL, 0, "min"},
    [AG_IR_UMAX] = {FORM_CALL, 0, "max"},
    [AG_IR_UDIV] = {FORM_HELPER, AG_WGSL_UDIV, NULL},
    [AG_IR_UMOD] = {FORM_HELPER, AG_WGSL_UMOD, NULL},
    [AG_IR_UMULHI] = {FORM_HELPER, AG_WGSL_UMULHI, NULL},
    [AG_IR_IMULHI] = {FORM_HELPER, AG_WGSL_IMULHI, NULL},
    [AG_IR_CARRY] = {FORM_HELPER, AG_WGSL_CARRY, NULL},
    [AG_IR_BORROW] = {FORM_HELPER, AG_WGSL_BORROW, NULL},
    [AG_IR_IEQ] = {FORM_INFIX, 0, "=="},
    [AG_IR_INE] = {FORM_INFIX, 0, "!="},
    [AG_IR_ILT] = {FORM_INFIX, 0, "<"},
    [AG_IR_IGE] = {FORM_INFIX, 0, ">="},
    [AG_IR_ULT] = {FORM_INFIX, 0, "<"},
    [AG_IR_UGE] = {FORM_INFIX, 0, ">="},
    [AG_IR_COUNTBITS] = {FORM_CALL, 0, "countOneBits"},
    [AG_IR_FIRSTBIT_HI] = {FORM_HELPER, AG_WGSL_FIRSTBIT_HI, NULL},
    [AG_IR_FIRSTBIT_LO] = {FORM_CALL, 0, "firstTrailingBit"},
    [AG_IR_FIRSTBIT_SHI] = {FORM_HELPER, AG_WGSL_FIRSTBIT_SHI, NULL},
    [AG_IR_UBFE] = {FORM_HELPER, AG_WGSL_UBFE, NULL},
    [AG_IR_IBFE] = {FORM_HELPER, AG_WGSL_IBFE, NULL},
    [AG_IR_BFI] = {FORM_HELPER, AG_WGSL_BFI, NULL},
    [AG_IR_BFREV] = {FORM_CALL, 0, "reverseBits"},
    [AG_IR_MSAD] = {FORM_HELPER, AG_WGSL_MSAD, NULL},
    [AG_IR_FTOI] = {FORM_HELPER, AG_WGSL_FTOI, NULL},
    [AG_IR_FTOU] = {FORM_HELPER, AG_WGSL_FTOU, NULL},
    [AG_IR_ITOF] = {FORM_CONVERT, 0, NULL},
    [AG_IR_UTOF] = {FORM_CONVERT, 0, NULL},
    [AG_IR_F32TOF16] = {FORM_HELPER, AG_WGSL_F32TOF16, NULL},
    [AG_IR_F16TOF32] = {FORM_HELPER, AG_WGSL_F16TOF32, NULL},
    [AG_IR_DADD] = {FORM_HELPER, AG_WGSL_DADD, NULL},
    [AG_IR_DMUL] = {FORM_HELPER, AG_WGSL_DMUL, NULL},
    [AG_IR_DFMA] = {FORM_HELPER, AG_WGSL_DFMA, NULL},
    [AG_IR_DDIV] = {FORM_HELPER, AG_WGSL_DDIV, NULL},
    [AG_IR_DRCP] = {FORM_HELPER, AG_WGSL_DRCP, NULL},
    [AG_IR_DMIN] = {FORM_HELPER, AG_WGSL_DMIN, NULL},
    [AG_IR_DMAX] = {FORM_HELPER, AG_WGSL_DMAX, NULL},
    [AG_IR_DSATURATE] = {FORM_HELPER, AG_WGSL_DSATURATE, NULL},
    [AG_IR_DLT] = {FORM_HELPER, AG_WGSL_DLT, NULL},
    [AG_IR_DGE] = {FORM_HELPER, AG_WGSL_DGE, NULL},
    [AG_IR_DEQ] = {FORM_HELPER, AG_WGSL_DEQ, NULL},
    [AG_IR_DNE] = {FORM_HELPER, AG_WGSL_DNE, NULL},
    [AG_IR_DTOF] = {FORM_HELPER, AG_WGSL_DTOF, NULL},
    [AG_IR_FTOD] = {FORM_HELPER, AG_WGSL_FTOD, NULL},
    [AG_IR_DTOI] = {FORM_HELPER, AG_WGSL_DTOI, NULL},
    [AG_IR_DTOU] = {FORM_HELPER, AG_WGSL_DTOU, NULL},
    [AG_IR_ITOD] = {FORM_HELPER, AG_WGSL_ITOD, NULL},
    [AG_IR_UTOD] = {FORM_HELPER, AG_WGSL_UTOD, NULL},
    [AG_IR_SPEND] = {FORM_SPECIAL, 0, NULL},
    [AG_IR_RECIPROCAL_W] = {FORM_SPECIAL, 0, NULL},
    [AG_IR_BOOL_NOT] = {FORM_PREFIX, 0, "!"},
    [AG_IR_BOOL_AND] = {FORM_INFIX, 0, "&"},
    [AG_IR_BOOL_OR] = {FORM_INFIX, 0, "|"},
};
/* clang-format on */

void ag_wgsl_swizzle(struct ag_strbuf *out, const uint8_t *components, uint32_t width, uint32_t source_width)
{
    bool identity = width == source_width;
    for (uint32_t i = 0; i < width; i++)
        identity = identity && components[i] == i;
    if (identity)
        return;
    ag_strbuf_append_char(out, '.');
    for (uint32_t i = 0; i < width; i++)
        ag_strbuf_append_char(out, "xyzw"[components[i] & 3]);
}

/* ---- Conversions of bits ------------------------------------------------------------------------------ */

static void open_bitcast(struct ag_strbuf *out, enum ag_ir_type type, uint32_t width)
{
    ag_strbuf_append(out, "bitcast<");
    ag_strbuf_append(out, ag_wgsl_type(type, width));
    ag_strbuf_append(out, ">(");
}

/* The text before a value of type `from` that is needed as type `to`; close_cast() is the text behind it. */
static void open_cast(struct ag_strbuf *out, enum ag_ir_type from, enum ag_ir_type to, uint32_t width)
{
    if (from == to)
        return;
    if (to == AG_IR_BOOL) {
        ag_strbuf_append_char(out, '(');
        if (from == AG_IR_F32)
            open_bitcast(out, AG_IR_U32, width);
        return;
    }
    if (from != AG_IR_BOOL || to == AG_IR_F32)
        open_bitcast(out, to, width);
    if (from == AG_IR_BOOL) {
        bool is_signed = to == AG_IR_I32;
        const char *type = ag_wgsl_type(is_signed ? AG_IR_I32 : AG_IR_U32, width);
        ag_strbuf_printf(out, "select(%s(0), %s(%s), ", type, type, is_signed ? "-1" : "0xffffffffu");
    }
}

static void close_cast(struct ag_strbuf *out, enum ag_ir_type from, enum ag_ir_type to, uint32_t width)
{
    if (from == to)
        return;
    if (to == AG_IR_BOOL && width == 1)
        ag_strbuf_append(out, from == AG_IR_F32 ? ") != 0)" : " != 0)");
    else if (to == AG_IR_BOOL)
        ag_strbuf_printf(out, "%s != %s(0))", from == AG_IR_F32 ? ")" : "",
                         ag_wgsl_type(from == AG_IR_F32 ? AG_IR_U32 : from, width));
    else
        ag_strbuf_append(out, from == AG_IR_BOOL && to == AG_IR_F32 ? "))" : ")");
}

/* ---- Reads -------------------------------------------------------------------------------------------- */

static void append_part(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr, uint32_t first,
                        uint32_t count, enum ag_ir_type want)
{
    struct ag_strbuf *out = &emitter->body;
    uint32_t id = expr->u.id[first];
    if (id == AG_IR_NONE) {
        ag_strbuf_printf(out, "%s()", ag_wgsl_type(want, count));
        return;
    }
    const struct ag_ir_variable *variable = &emitter->program->variables.data[id];
    enum ag_ir_type type = (enum ag_ir_type)variable->type;
    open_cast(out, type, want, count);
    bool repeated = variable->width == 1 && count > 1;
    if (repeated)
        ag_wgsl_open_type(out, type, count);
    ag_wgsl_variable(emitter, out, variable);
    if (repeated)
        ag_strbuf_append_char(out, ')');
    else if (variable->width > 1)
        ag_wgsl_swizzle(out, &expr->component[first], count, variable->width);
    close_cast(out, type, want, count);
}

static uint32_t run_length(const struct ag_ir_expr *expr, uint32_t first)
{
    uint32_t end = first + 1;
    while (end < expr->width && expr->u.id[end] == expr->u.id[first])
        end++;
    return end - first;
}

static void append_read(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr, enum ag_ir_type want)
{
    struct ag_strbuf *out = &emitter->body;
    bool whole = run_length(expr, 0) == expr->width;
    if (!whole)
        ag_wgsl_open_type(out, want, expr->width);
    for (uint32_t i = 0, count; i < expr->width; i += count) {
        count = run_length(expr, i);
        if (i > 0)
            ag_wgsl_comma(emitter);
        append_part(emitter, expr, i, count, want);
    }
    if (!whole)
        ag_strbuf_append_char(out, ')');
}

/* ---- Operations --------------------------------------------------------------------------------------- */

/* The integer type of an operation: arithmetic takes the type that its reader wants, a comparison the type of
 * its operands. */
static enum ag_ir_type integer_type(const struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr,
                                    enum ag_ir_type want)
{
    const char *const signature = ag_ir_op_infos[expr->op].signature;
    if (signature[0] == 'n' || signature[2] != 'n')
        return want == AG_IR_I32 ? AG_IR_I32 : AG_IR_U32;
    for (uint32_t i = 0; i < expr->arg_count; i++)
        if (ag_ir_natural_type(emitter->program, expr->args[i]) == AG_IR_I32)
            return AG_IR_I32;
    return AG_IR_U32;
}

static void append_arg(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr, uint32_t index,
                       enum ag_ir_type integer, bool primary)
{
    const struct ag_ir_expr *arg = expr->args[index];
    enum ag_ir_type type = ag_ir_arg_type(emitter->program, expr, index);
    if (type == AG_IR_INT)
        type = integer;
    if (index == 0 && ag_ir_all_constant(expr)) {
        ag_wgsl_literal(emitter, arg, type, true);
        return;
    }
    bool by_lanes = ag_ir_op_infos[expr->op].flags & AG_IR_LANES;
    ag_wgsl_expr_wide(emitter, arg, type, by_lanes ? expr->width : arg->width, primary);
}

static void append_args(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr,
                        enum ag_ir_type integer)
{
    ag_strbuf_append_char(&emitter->body, '(');
    for (uint32_t i = 0; i < expr->arg_count; i++) {
        if (i > 0)
            ag_wgsl_comma(emitter);
        append_arg(emitter, expr, i, integer, false);
    }
    ag_strbuf_append_char(&emitter->body, ')');
}

static void append_shift_count(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr)
{
    const struct ag_ir_expr *count = expr->args[1];
    if (count->op == AG_IR_CONST) {
        struct ag_ir_expr *masked = ag_ir_const(emitter->program, count->width, 0);
        for (uint32_t i = 0; i < count->width; i++)
            masked->u.bits[i] = count->u.bits[i] & 31;
        ag_wgsl_expr_wide(emitter, masked, AG_IR_U32, expr->width, true);
        return;
    }
    ag_strbuf_append_char(&emitter->body, '(');
    ag_wgsl_expr_wide(emitter, count, AG_IR_U32, expr->width, true);
    if (expr->width == 1)
        ag_strbuf_append(&emitter->body, " & 31u)");
    else
        ag_strbuf_printf(&emitter->body, " & %s(31u))", ag_wgsl_type(AG_IR_U32, expr->width));
}

/* `x + -y` and `-y + x` are written as `x - y`: which argument is negated, or AG_IR_NONE. */
static uint32_t negated_argument(const struct ag_ir_expr *expr)
{
    const enum ag_ir_op negation = expr->op == AG_IR_ADD    ? AG_IR_NEG
                                   : expr->op == AG_IR_IADD ? AG_IR_INEG
                                                            : AG_IR_OP_COUNT;
    for (uint32_t i = expr->arg_count; i-- > 0;)
        if (expr->args[i]->op == negation)
            return i;
    return AG_IR_NONE;
}

/* Hides a divisor that drivers would fold wrongly: a constant whose reciprocal is denormal, which some flush
 * to zero, and x / x, which is not 1 for zero, infinity and NaN. */
static bool append_divisor(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr)
{
    const struct ag_ir_expr *divisor = expr->args[1];
    if (expr->op != AG_IR_DIV)
        return false;
    bool folded = ag_ir_same(expr->args[0], divisor);
    for (uint32_t i = 0; divisor->op == AG_IR_CONST && i < divisor->width; i++)
        folded = folded || (divisor->u.bits[i] >> 23 & 0xff) >= 253;
    if (!folded)
        return false;
    if (divisor->op == AG_IR_CONST && divisor->width == expr->width) {
        ag_wgsl_literal_exact(emitter, divisor);
        return true;
    }
    ag_wgsl_call(emitter, AG_WGSL_KEEP, expr->width);
    ag_strbuf_append_char(&emitter->body, '(');
    ag_wgsl_expr_wide(emitter, divisor, AG_IR_F32, expr->width, false);
    ag_strbuf_append_char(&emitter->body, ')');
    return true;
}

/* Operators that WGSL has between a vector and a scalar. */
static bool mixes(enum ag_ir_op op)
{
    return op == AG_IR_ADD || op == AG_IR_MUL || op == AG_IR_DIV || op == AG_IR_IADD || op == AG_IR_ISUB ||
           op == AG_IR_IMUL;
}

/* Whether a leaf or swizzle certainly has one value in all lanes. */
static bool repeats_a_lane(const struct ag_ir_expr *expr)
{
    const bool names_lanes = expr->op == AG_IR_CONST || expr->op == AG_IR_READ;
    if (!names_lanes && expr->op != AG_IR_SWIZZLE && expr->op != AG_IR_CBUFFER)
        return false;
    for (uint32_t i = 1; i < expr->width; i++)
        if ((names_lanes && expr->u.id[i] != expr->u.id[0]) ||
            (expr->op != AG_IR_CONST && expr->component[i] != expr->component[0]))
            return false;
    return true;
}

/* The one value of all lanes of an operand whose other operand is a vector; else null. */
static const struct ag_ir_expr *scalar_of(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr,
                                          uint32_t index)
{
    static const uint8_t first[1] = {0};
    struct ag_ir_expr *const arg = expr->args[index];
    const struct ag_ir_expr *const other = expr->args[1 - index];
    if (expr->width == 1 || !mixes((enum ag_ir_op)expr->op) || other->width == 1 ||
        ag_ir_all_constant(expr) || repeats_a_lane(other))
        return NULL;
    return arg->width == 1 || repeats_a_lane(arg) ? ag_ir_swizzle(emitter->program, arg, 1, first) : NULL;
}

static void append_operand(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr, uint32_t index,
                           enum ag_ir_type integer)
{
    const struct ag_ir_expr *const scalar = scalar_of(emitter, expr, index);
    enum ag_ir_type type = ag_ir_arg_type(emitter->program, expr, index);
    if (scalar == NULL)
        append_arg(emitter, expr, index, integer, true);
    else
        ag_wgsl_expr(emitter, scalar, type == AG_IR_INT ? integer : type, true);
}

static void append_infix(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr, const char *text,
                         enum ag_ir_type integer, bool primary)
{
    struct ag_strbuf *out = &emitter->body;
    const uint32_t negated = negated_argument(expr);
    if (negated != AG_IR_NONE)
        text = "-";
    /* Between two arguments `a < b, c >= d` would begin a list of template arguments. */
    primary = primary || (text[0] == '<' && text[1] != '<');
    if (primary)
        ag_strbuf_append_char(out, '(');
    append_operand(emitter, expr, negated == 0 ? 1 : 0, integer);
    if (!emitter->is_terse)
        ag_strbuf_append_char(out, ' ');
    ag_strbuf_append(out, text);
    if (!emitter->is_terse || *text == '-') /* what follows may begin with another minus */
        ag_strbuf_append_char(out, ' ');
    if (op_texts[expr->op].form == FORM_SHIFT)
        append_shift_count(emitter, expr);
    else if (negated != AG_IR_NONE)
        ag_wgsl_expr_wide(emitter, expr->args[negated]->args[0], expr->op == AG_IR_ADD ? AG_IR_F32 : integer,
                          expr->width, true);
    else if (!append_divisor(emitter, expr))
        append_operand(emitter, expr, 1, integer);
    if (primary)
        ag_strbuf_append_char(out, ')');
}

static bool divisor_is_safe(const struct ag_ir_expr *expr)
{
    if ((expr->op != AG_IR_UDIV && expr->op != AG_IR_UMOD) || expr->args[1]->op != AG_IR_CONST)
        return false;
    for (uint32_t i = 0; i < expr->args[1]->width; i++)
        if (expr->args[1]->u.bits[i] == 0)
            return false;
    return true;
}

static void append_special(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr,
                           enum ag_ir_type integer, bool primary)
{
    struct ag_strbuf *out = &emitter->body;
    switch (expr->op) {
    case AG_IR_DOT: {
        uint32_t width = expr->args[0]->width;
        ag_wgsl_call(emitter, width == 2 ? AG_WGSL_DOT2 : width == 3 ? AG_WGSL_DOT3 : AG_WGSL_DOT4, 1);
        append_args(emitter, expr, integer);
        break;
    }
    case AG_IR_RECIPROCAL_W:
        ag_strbuf_append(&emitter->body, "rasterized.w");
        break;
    case AG_IR_SPEND:
        ag_wgsl_call(emitter, AG_WGSL_SPEND, 1);
        ag_strbuf_printf(out, "(%uu)", expr->u.bits[0]);
        break;
    case AG_IR_IMAD:
        if (primary)
            ag_strbuf_append_char(out, '(');
        append_arg(emitter, expr, 0, integer, true);
        ag_strbuf_append(out, " * ");
        append_arg(emitter, expr, 1, integer, true);
        ag_strbuf_append(out, " + ");
        append_arg(emitter, expr, 2, integer, true);
        if (primary)
            ag_strbuf_append_char(out, ')');
        break;
    case AG_IR_INEG:
        if (integer == AG_IR_I32) {
            ag_strbuf_append(out, "(-");
            append_arg(emitter, expr, 0, integer, true);
        } else {
            ag_strbuf_printf(out, "(%s(0u) - ", ag_wgsl_type(AG_IR_U32, expr->width));
            append_arg(emitter, expr, 0, integer, true);
        }
        ag_strbuf_append_char(out, ')');
        break;
    default:
        ag_ir_refuse(emitter->program, AGPU_DIAG_TRANSLATE_INVALID_IR, emitter->offset, "nobody can write %s",
                     ag_ir_op_infos[expr->op].name);
        break;
    }
}

static void append_operation(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr,
                             enum ag_ir_type integer, bool primary)
{
    struct ag_strbuf *out = &emitter->body;
    const struct op_text *text = &op_texts[expr->op];
    if (expr->op == AG_IR_KEEP && expr->args[0]->op == AG_IR_CONST && expr->args[0]->width == expr->width) {
        ag_wgsl_literal_exact(emitter, expr->args[0]);
        return;
    }
    if (divisor_is_safe(expr)) {
        append_infix(emitter, expr, expr->op == AG_IR_UDIV ? "/" : "%", integer, primary);
        return;
    }
    switch ((enum form)text->form) {
    case FORM_INFIX:
    case FORM_SHIFT:
        append_infix(emitter, expr, text->text, integer, primary);
        break;
    case FORM_PREFIX:
        ag_strbuf_append(out, primary ? "(" : "");
        ag_strbuf_append(out, text->text);
        append_arg(emitter, expr, 0, integer, true);
        ag_strbuf_append(out, primary ? ")" : "");
        break;
    case FORM_CALL:
        ag_strbuf_append(out, text->text);
        append_args(emitter, expr, integer);
        break;
    case FORM_HELPER:
        ag_wgsl_call(emitter, (enum ag_wgsl_helper)text->helper, expr->width);
        append_args(emitter, expr, integer);
        break;
    case FORM_CONVERT:
        ag_strbuf_append(out, ag_wgsl_type((enum ag_ir_type)expr->type, expr->width));
        append_args(emitter, expr, integer);
        break;
    case FORM_SPECIAL:
        append_special(emitter, expr, integer, primary);
        break;
    }
}

static void append_resource(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr)
{
    switch (expr->op) {
    case AG_IR_CBUFFER:
        ag_wgsl_cbuffer(emitter, expr);
        break;
    case AG_IR_LOAD:
    case AG_IR_LOAD_TEXEL:
    case AG_IR_BUFFER_INFO:
    case AG_IR_ATOMIC:
    case AG_IR_COUNTER:
        ag_wgsl_memory(emitter, expr);
        break;
    default:
        ag_wgsl_texture(emitter, expr);
        break;
    }
}

static void append_select(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr,
                          enum ag_ir_type want)
{
    struct ag_strbuf *out = &emitter->body;
    ag_strbuf_append(out, "select(");
    ag_wgsl_expr_wide(emitter, expr->args[2], want, expr->width, false);
    ag_wgsl_comma(emitter);
    ag_wgsl_expr_wide(emitter, expr->args[1], want, expr->width, false);
    ag_wgsl_comma(emitter);
    ag_wgsl_expr_wide(emitter, expr->args[0], AG_IR_BOOL, expr->width, false);
    ag_strbuf_append_char(out, ')');
}

static void append_join(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr, enum ag_ir_type want)
{
    ag_wgsl_open_type(&emitter->body, want, expr->width);
    for (uint32_t i = 0; i < expr->arg_count; i++) {
        if (i > 0)
            ag_wgsl_comma(emitter);
        ag_wgsl_expr(emitter, expr->args[i], want, false);
    }
    ag_strbuf_append_char(&emitter->body, ')');
}

static void append_swizzled(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr,
                            enum ag_ir_type want)
{
    const struct ag_ir_expr *source = expr->args[0];
    bool repeats = source->width == 1 && expr->width > 1;
    if (repeats)
        ag_wgsl_open_type(&emitter->body, want, expr->width);
    ag_wgsl_expr(emitter, source, want, !repeats);
    if (repeats)
        ag_strbuf_append_char(&emitter->body, ')');
    else if (source->width > 1)
        ag_wgsl_swizzle(&emitter->body, expr->component, expr->width, source->width);
}

/* ---- Entry points ------------------------------------------------------------------------------------- */

static enum ag_ir_type concrete_type(const struct ag_ir_program *program, enum ag_ir_type want,
                                     const struct ag_ir_expr *expr)
{
    if (want != AG_IR_ANY && want != AG_IR_INT)
        return want;
    enum ag_ir_type natural = ag_ir_natural_type(program, expr);
    if (natural == AG_IR_I32 || (want == AG_IR_ANY && (natural == AG_IR_F32 || natural == AG_IR_BOOL)))
        return natural;
    return AG_IR_U32;
}

void ag_wgsl_expr(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr, enum ag_ir_type want,
                  bool primary)
{
    struct ag_strbuf *out = &emitter->body;
    want = concrete_type(emitter->program, want, expr);
    switch (expr->op) {
    case AG_IR_CONST:
        ag_wgsl_literal(emitter, expr, want, false);
        return;
    case AG_IR_READ:
        append_read(emitter, expr, want);
        return;
    case AG_IR_SELECT:
        append_select(emitter, expr, want);
        return;
    case AG_IR_JOIN:
        append_join(emitter, expr, want);
        return;
    case AG_IR_SWIZZLE:
        append_swizzled(emitter, expr, want);
        return;
    default:
        break;
    }
    ag_wgsl_count_expr(emitter, expr);
    enum ag_ir_type type = ag_ir_natural_type(emitter->program, expr);
    enum ag_ir_type integer = integer_type(emitter, expr, want);
    if (type == AG_IR_INT)
        type = integer;
    open_cast(out, type, want, expr->width);
    if (expr->op == AG_IR_ARRAY)
        ag_wgsl_array(emitter, expr);
    else if (expr->op == AG_IR_RECORD)
        ag_wgsl_record(emitter, expr);
    else if (expr->op == AG_IR_ICB)
        ag_wgsl_icb(emitter, expr);
    else if (expr->op == AG_IR_INSTANCE || expr->op == AG_IR_INSTANCE_TABLE)
        ag_wgsl_instance(emitter, expr);
    else if (ag_ir_op_infos[expr->op].flags & AG_IR_RESOURCE)
        append_resource(emitter, expr);
    else
        append_operation(emitter, expr, integer, primary || (want == AG_IR_BOOL && type != want));
    close_cast(out, type, want, expr->width);
}

void ag_wgsl_expr_wide(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr, enum ag_ir_type want,
                       uint32_t width, bool primary)
{
    if (expr->width == width) {
        ag_wgsl_expr(emitter, expr, want, primary);
        return;
    }
    want = concrete_type(emitter->program, want, expr);
    ag_wgsl_open_type(&emitter->body, want, width);
    ag_wgsl_expr(emitter, expr, want, false);
    ag_strbuf_append_char(&emitter->body, ')');
}
