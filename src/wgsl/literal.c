/* SPDX-License-Identifier: MIT
 *
 * Writes constants.
 *
 * WGSL evaluates constant expressions when it compiles, and refuses any that overflows or yields NaN or
 * infinity. If all operands of an operation are constants, the first is therefore wrapped in opaque(), which
 * combines it with a variable that is always zero: to WGSL, the operation is then one at run time.
 *
 * A float pattern that is NaN, infinite or denormal is wrapped in exact(), which takes its zero from a
 * uniform, so that drivers cannot fold it either. Drivers that flush denormals would otherwise fold x *
 * denormal to 0 even if x is infinite.
 */
#include <string.h>

#include "base/bytes.h"
#include "base/number.h"
#include "wgsl/emit.h"

static bool is_ordinary_float(uint32_t bits)
{
    uint32_t exponent = bits >> 23 & 0xff;
    return exponent != 0xff && (exponent != 0 || bits == 0);
}

static void append_unsigned(struct ag_strbuf *out, uint32_t bits)
{
    if (bits > 0xffff) {
        char text[] = "0x00000000u";
        for (uint32_t i = 0; i < 8; i++)
            text[2 + i] = "0123456789abcdef"[bits >> (28 - i * 4) & 15];
        ag_strbuf_append_bytes(out, text, sizeof text - 1);
        return;
    }
    ag_strbuf_append_unsigned(out, bits);
    ag_strbuf_append_char(out, 'u');
}

/* Where compilers alone read it, 0.5 is .5 and 1.0 is 1. */
static void append_float(struct ag_wgsl_emitter *emitter, uint32_t bits)
{
    char room[AG_NUMBER_TEXT_BYTES], *text = room;
    size_t length = ag_float_text(ag_float_from_bits(bits), text);
    if (emitter->is_terse && length > 2 && text[length - 2] == '.' && text[length - 1] == '0')
        length--;
    const size_t sign = *text == '-';
    if (emitter->is_terse && text[sign] == '0' && text[sign + 1] == '.' && length > sign + 2) {
        memmove(text + 1, text, sign);
        text++;
        length--;
    }
    ag_strbuf_append_bytes(&emitter->body, text, length);
}

static void append_one(struct ag_wgsl_emitter *emitter, uint32_t bits, enum ag_ir_type type)
{
    struct ag_strbuf *const out = &emitter->body;
    switch (type) {
    /* The shortest decimal that identifies the largest float lies above that float, and WGSL refuses it. */
    case AG_IR_F32:
        if ((bits & 0x7fffffff) == 0x7f7fffff)
            ag_strbuf_append(out, bits >> 31 != 0 ? "-0x1.fffffep+127" : "0x1.fffffep+127");
        else
            append_float(emitter, bits);
        break;
    case AG_IR_I32:
        if (bits == 0x80000000)
            ag_strbuf_append(out, "i32(-2147483648)");
        else
            ag_strbuf_printf(out, "%di", (int32_t)bits);
        break;
    case AG_IR_BOOL:
        ag_strbuf_append(out, bits != 0 ? "true" : "false");
        break;
    case AG_IR_U32:
    case AG_IR_ANY:
    case AG_IR_INT:
        append_unsigned(out, bits);
        break;
    }
}

static void append_vector(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr,
                          enum ag_ir_type type)
{
    struct ag_strbuf *const out = &emitter->body;
    bool same = true;
    for (uint32_t i = 1; i < expr->width; i++)
        same = same && expr->u.bits[i] == expr->u.bits[0];
    if (expr->width > 1)
        ag_wgsl_open_type(out, type, expr->width);
    for (uint32_t i = 0; i < (same ? 1u : expr->width); i++) {
        if (i > 0)
            ag_wgsl_comma(emitter);
        append_one(emitter, expr->u.bits[i], type);
    }
    if (expr->width > 1)
        ag_strbuf_append_char(out, ')');
}

void ag_wgsl_literal_exact(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr)
{
    ag_wgsl_call(emitter, AG_WGSL_EXACT, expr->width);
    ag_strbuf_append_char(&emitter->body, '(');
    append_vector(emitter, expr, AG_IR_U32);
    ag_strbuf_append_char(&emitter->body, ')');
}

void ag_wgsl_literal(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr, enum ag_ir_type type,
                     bool opaque)
{
    struct ag_strbuf *out = &emitter->body;
    bool ordinary = true;
    for (uint32_t i = 0; type == AG_IR_F32 && i < expr->width; i++)
        ordinary = ordinary && is_ordinary_float(expr->u.bits[i]);
    if ((ordinary && !opaque) || type == AG_IR_BOOL) {
        append_vector(emitter, expr, type);
        return;
    }
    if (!ordinary) {
        ag_wgsl_literal_exact(emitter, expr);
        return;
    }
    bool cast = type == AG_IR_F32 || type == AG_IR_I32;
    if (cast)
        ag_strbuf_printf(out, "bitcast<%s>(", ag_wgsl_type(type, expr->width));
    ag_wgsl_call(emitter, AG_WGSL_OPAQUE, expr->width);
    ag_strbuf_append_char(out, '(');
    append_vector(emitter, expr, AG_IR_U32);
    ag_strbuf_append(out, cast ? "))" : ")");
}
