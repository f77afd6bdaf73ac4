/* SPDX-License-Identifier: MIT
 *
 * Operands of random programs, and instructions that compute. The opcode table says what there is.
 */
#include "generate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const masks[] = {"x",  "y",  "z",   "w",   "xy",  "xz",   "yz",   "xw",
                                    "yw", "zw", "xyz", "xyw", "yzw", "xyzw", "xyzw", "xyzw"};

/* ---- Lines -------------------------------------------------------------------------------------------- */

void listing_fini(struct listing *listing)
{
    for (size_t i = 0; i < listing->lines.count; i++)
        free(listing->lines.data[i].text);
    ag_vec_fini(&listing->lines);
}

void generate_line(struct generator *g, const char *format, ...)
{
    struct ag_strbuf text = {0};
    va_list arguments;
    va_start(arguments, format);
    ag_strbuf_vprintf(&text, format, arguments);
    va_end(arguments);
    const struct line line = {
        .text = ag_strbuf_steal(&text), .program = (uint8_t)g->program, .unit = g->unit};
    if (line.text == NULL || !ag_vec_push(&g->listing->lines, line)) {
        free(line.text);
        g->failed = true;
    }
}

uint32_t generate_unit(struct generator *g)
{
    const uint32_t before = g->unit;
    if (before == 0)
        g->unit = ++g->units;
    return before;
}

void generate_unit_end(struct generator *g, uint32_t before)
{
    g->unit = before;
}

uint32_t generate_pick(struct generator *g, uint32_t limit)
{
    return oracle_below(&g->random, limit);
}

bool generate_chance(struct generator *g, uint32_t percent)
{
    return oracle_chance(&g->random, percent);
}

/* ---- Operands ----------------------------------------------------------------------------------------- */

const char *generate_mask(struct generator *g)
{
    return masks[generate_pick(g, AG_COUNT_OF(masks))];
}

static void pick_swizzle(struct generator *g, char swizzle[5])
{
    for (uint32_t i = 0; i < 4; i++)
        swizzle[i] = "xyzw"[generate_chance(g, 40) ? i : generate_pick(g, 4)];
    swizzle[4] = '\0';
}

const char *generate_scalar(struct generator *g, char text[OPERAND_TEXT])
{
    snprintf(text, OPERAND_TEXT, "r%u.%c", generate_pick(g, 4), "xyzw"[generate_pick(g, 4)]);
    return text;
}

/* "3" or "r8.y + 1", the lane made right before. Up to one beyond what the arrays have. */
static void pick_index(struct generator *g, char text[OPERAND_TEXT])
{
    char scalar[OPERAND_TEXT];
    if (generate_chance(g, 40)) {
        snprintf(text, OPERAND_TEXT, "%u", generate_pick(g, 4));
        return;
    }
    const char lane = "xyzw"[g->index_lane++ & 3];
    generate_line(g, "and r8.%c, %s, l(%u)", lane, generate_scalar(g, scalar),
                  generate_chance(g, 80) ? 3 : 7);
    snprintf(text, OPERAND_TEXT, "r8.%c + %u", lane, generate_pick(g, 3));
}

static void decorate(struct generator *g, char modifiers, const char *name, char text[OPERAND_TEXT])
{
    char swizzle[5];
    pick_swizzle(g, swizzle);
    const bool minus = modifiers != 0 && generate_chance(g, 20);
    const bool absolute = modifiers == 'f' && generate_chance(g, 20);
    snprintf(text, OPERAND_TEXT, "%s%s%s.%s%s", minus ? "-" : "", absolute ? "|" : "", name, swizzle,
             absolute ? "|" : "");
}

static const char *const thread_values[] = {"vThreadID.xyzx", "vThreadIDInGroup.xxyz", "vThreadGroupID.xyzz",
                                            "vThreadIDInGroupFlattened.xxxx"};

void generate_bits(struct generator *g, char modifiers, char text[OPERAND_TEXT])
{
    char name[OPERAND_TEXT], index[OPERAND_TEXT];
    const uint32_t kind = generate_pick(g, 100);
    if (kind < 50) {
        snprintf(name, sizeof name, "r%u", generate_pick(g, kind < 42 ? 4 : 8));
        decorate(g, modifiers, name, text);
    } else if (kind < 66) {
        const struct oracle_values values = oracle_values_of_kind('i');
        uint32_t word[4];
        for (uint32_t i = 0; i < 4; i++)
            word[i] = values.words[generate_pick(g, values.count)];
        snprintf(text, OPERAND_TEXT, "l(%u, 0x%x, %u, 0x%x)", word[0], word[1], word[2], word[3]);
    } else if (kind < 92) {
        pick_index(g, index);
        snprintf(name, sizeof name, "%s[%.80s]", kind < 76 ? "cb0" : kind < 88 ? "x0" : "icb", index);
        decorate(g, modifiers, name, text);
    } else {
        snprintf(text, OPERAND_TEXT, "%s", thread_values[generate_pick(g, AG_COUNT_OF(thread_values))]);
    }
}

void generate_tame(struct generator *g, bool modifiers, char text[OPERAND_TEXT])
{
    char name[OPERAND_TEXT], index[OPERAND_TEXT];
    const uint32_t kind = generate_pick(g, 100);
    if (kind < 55) {
        snprintf(name, sizeof name, "r%u", 4 + generate_pick(g, 4));
    } else if (kind < 65) {
        double value[4];
        /* Not 0: x * 0 is 0 to compilers, and there are -0 about. Not 1, nor 4, whose bits negated are those
         * of -1: Mesa makes -0 of a constant 0 that is chosen where -1 is the other choice
         * (docs/decisions.md, D26). */
        for (uint32_t i = 0; i < 4; i++) {
            const uint32_t quarters = generate_pick(g, 32) + 1;
            value[i] = (quarters == 4 || quarters == 16 ? quarters + 1 : quarters) *
                       (generate_chance(g, 50) ? 0.25 : -0.25);
        }
        snprintf(text, OPERAND_TEXT, "l(%.2f, %.2f, %.2f, %.2f)", value[0], value[1], value[2], value[3]);
        return;
    } else {
        pick_index(g, index);
        snprintf(name, sizeof name, "%s[%.80s]", kind < 78 ? "cb1" : kind < 90 ? "x1" : "icb", index);
    }
    decorate(g, modifiers ? 'f' : '\0', name, text);
}

/* A destination in `first` .. `first` + 3, or in the indexable registers. */
static void pick_destination(struct generator *g, uint32_t first, const char *array, const char *mask,
                             char text[OPERAND_TEXT])
{
    char index[OPERAND_TEXT];
    if (generate_chance(g, 85)) {
        snprintf(text, OPERAND_TEXT, "r%u.%s", first + generate_pick(g, 4), mask);
        return;
    }
    pick_index(g, index);
    snprintf(text, OPERAND_TEXT, "%s[%.80s].%s", array, index, mask);
}

/* ---- Instructions that compute ------------------------------------------------------------------------ */

static char kind_of(const struct agpu_opcode_info *info, uint32_t operand)
{
    return info->operands[3 * operand + 1];
}

/* How the argument of a function that is not exact is made from a number k from 0 to 2: k, 2^k or 4^k. */
enum steepness { EXACT, STEEP_K, STEEP_2K, STEEP_4K };
static const uint8_t steepness[AGPU_OPCODE_LIMIT] = {
    [AGPU_OP_EXP] = STEEP_K,  [AGPU_OP_SINCOS] = STEEP_K, [AGPU_OP_RCP] = STEEP_2K,
    [AGPU_OP_LOG] = STEEP_2K, [AGPU_OP_RSQ] = STEEP_4K,   [AGPU_OP_SQRT] = STEEP_4K,
};

/* Doubles have statements of their own. */
static const struct agpu_opcode_info *computes(uint32_t opcode)
{
    const struct agpu_opcode_info *info = agpu_opcode_info(opcode);
    if (info == NULL || info->destination_count == 0 ||
        info->flags & (AGPU_OPF_DECLARATION | AGPU_OPF_TILED) || !(info->stages & AGPU_STAGES_CS) ||
        strpbrk(info->operands, "dRPLMI") != NULL)
        return NULL;
    return info;
}

/* Folds a result back into tame floats: quarters, from -8 up to 8. They are counted by the low bits of their
 * sum with 1.5 * 2^23, which is exact, so that drivers may move it. */
static void tame(struct generator *g, const char *mask, uint32_t from, bool nearest)
{
    static const char *const rounds[] = {"round_ne", "round_ni", "round_pi", "round_z"};
    char destination[OPERAND_TEXT];
    const char *round = rounds[nearest ? 0 : generate_pick(g, 4)];
    pick_destination(g, 4, "x1", mask, destination);
    generate_line(g, "mul r%u.%s, r%u.xyzw, l(4.0, 4.0, 4.0, 4.0)", from, mask, from);
    generate_line(g, "%s r%u.%s, r%u.xyzw", round, from, mask, from);
    generate_line(g, "add r%u.%s, r%u.xyzw, l(12582912.0, 12582912.0, 12582912.0, 12582912.0)", from, mask,
                  from);
    generate_line(g, "and r%u.%s, r%u.xyzw, l(63, 63, 63, 63)", from, mask, from);
    generate_line(g, "utof r%u.%s, r%u.xyzw", from, mask, from);
    generate_line(g, "mad %s, r%u.xyzw, l(0.25, 0.25, 0.25, 0.25), l(-8.0, -8.0, -8.0, -8.0)", destination,
                  from);
}

static void steep_argument(struct generator *g, enum steepness how, char text[OPERAND_TEXT])
{
    char bits[OPERAND_TEXT];
    generate_bits(g, '\0', bits);
    generate_line(g, "and r17.xyzw, %s, l(3, 3, 3, 3)", bits);
    generate_line(g, "umin r17.xyzw, r17.xyzw, l(2, 2, 2, 2)");
    if (how == STEEP_4K)
        generate_line(g, "ishl r17.xyzw, r17.xyzw, l(1, 1, 1, 1)");
    if (how != STEEP_K)
        generate_line(g, "ishl r17.xyzw, l(1, 1, 1, 1), r17.xyzw");
    generate_line(g, "utof r17.xyzw, r17.xyzw");
    snprintf(text, OPERAND_TEXT, "r17.xyzw");
}

/* Source `operand` of an instruction whose floats are to be tame. */
static void pick_source(struct generator *g, uint32_t opcode, const struct agpu_opcode_info *info,
                        uint32_t operand, bool floats, char text[OPERAND_TEXT])
{
    const char kind = kind_of(info, operand);
    if (steepness[opcode] != EXACT) {
        steep_argument(g, (enum steepness)steepness[opcode], text);
    } else if (opcode == AGPU_OP_DIV && operand == 2) {
        snprintf(text, OPERAND_TEXT, "l(%s)",
                 generate_chance(g, 50) ? "0.5, -2.0, 4.0, 0.25" : "-0.25, 8.0, 2.0, -1.0");
    } else if (opcode == AGPU_OP_UTOF || opcode == AGPU_OP_ITOF) { /* not so great that sums are rounded */
        char bits[OPERAND_TEXT];
        generate_bits(g, '\0', bits);
        generate_line(g, "%s r17.xyzw, %s, l(16, 17, 18, 20)", opcode == AGPU_OP_UTOF ? "ushr" : "ishr",
                      bits);
        snprintf(text, OPERAND_TEXT, "%sr17.xyzw",
                 opcode == AGPU_OP_ITOF && generate_chance(g, 20) ? "-" : "");
    } else if (opcode == AGPU_OP_F16TOF32) { /* neither INF nor NaN */
        char bits[OPERAND_TEXT];
        generate_bits(g, '\0', bits);
        generate_line(g, "and r17.xyzw, %s, l(0xbbff, 0xbbff, 0xbbff, 0xbbff)", bits);
        snprintf(text, OPERAND_TEXT, "r17.xyzw");
    } else if (kind == 'f' || (kind == 'b' && floats)) {
        generate_tame(g, true, text);
    } else {
        generate_bits(g, kind == 'i' ? 'i' : '\0', text);
    }
}

static void append_sources(struct generator *g, uint32_t opcode, const struct agpu_opcode_info *info,
                           bool floats, struct ag_strbuf *sources)
{
    char text[OPERAND_TEXT];
    for (uint32_t i = info->destination_count; i < info->operand_count; i++) {
        pick_source(g, opcode, info, i, floats, text);
        ag_strbuf_printf(sources, ", %s", text);
    }
}

/* Exact operations on tame floats whose results may be computed on once more. */
static bool is_bounded(uint32_t opcode)
{
    return opcode == AGPU_OP_ADD || opcode == AGPU_OP_MUL || opcode == AGPU_OP_MAD || opcode == AGPU_OP_MIN ||
           opcode == AGPU_OP_MAX || opcode == AGPU_OP_DP2 || opcode == AGPU_OP_DP3;
}

/* "[precise(xy)]" now and then. */
static const char *pick_precise(struct generator *g, char text[OPERAND_TEXT])
{
    text[0] = '\0';
    if (generate_chance(g, 12)) {
        snprintf(text, OPERAND_TEXT, " [precise(%s)]", generate_mask(g));
        g->forms[FORM_PRECISE]++;
    }
    return text;
}

/* A least precision of a destination; results are exact in all of them. */
static const char *pick_precision(struct generator *g)
{
    if (!g->min_precision || !generate_chance(g, 30))
        return "";
    g->forms[FORM_MIN_PRECISION]++;
    return " {min16f}";
}

static void float_statement(struct generator *g, uint32_t opcode, const struct agpu_opcode_info *info)
{
    struct ag_strbuf sources = {0};
    char a[OPERAND_TEXT], b[OPERAND_TEXT], precise[OPERAND_TEXT];
    const char *mask = generate_mask(g);
    append_sources(g, opcode, info, true, &sources);
    pick_precise(g, precise);
    const bool saturates = info->flags & AGPU_OPF_SATURATE && generate_chance(g, 15);
    const bool two = info->destination_count == 2;
    generate_line(g, "%s%s%s r16.%s%s%s%s%s", info->mnemonic, saturates ? "_sat" : "", precise, mask,
                  two ? "" : pick_precision(g), two ? ", r17." : "", two ? mask : "",
                  ag_strbuf_text(&sources));
    ag_strbuf_fini(&sources);
    if (is_bounded(opcode) && generate_chance(g, 40)) {
        generate_tame(g, true, a);
        generate_tame(g, true, b);
        if (generate_chance(g, 50))
            generate_line(g, "mad r16.%s, r16.xyzw, %s, %s", mask, a, b);
        else
            generate_line(g, "add r16.%s, %s, -r16.xyzw", mask, a);
    }
    tame(g, mask, 16, steepness[opcode] != EXACT);
    if (two)
        tame(g, mask, 17, steepness[opcode] != EXACT);
}

static void bits_statement(struct generator *g, uint32_t opcode, const struct agpu_opcode_info *info)
{
    struct ag_strbuf sources = {0};
    char first[OPERAND_TEXT], second[OPERAND_TEXT] = "";
    const char *mask = generate_mask(g);
    append_sources(g, opcode, info, false, &sources);
    pick_destination(g, 0, "x0", mask, first);
    if (info->destination_count == 2) { /* never the same components twice */
        const uint32_t null = generate_pick(g, 8);
        snprintf(first, sizeof first, "r%u.%s", generate_pick(g, 2), mask);
        snprintf(second, sizeof second, ", r%u.%s", 2 + generate_pick(g, 2), generate_mask(g));
        if (null < 2)
            snprintf(null == 0 ? first : second, sizeof first, "%s", null == 0 ? "null" : ", null");
    }
    const char start[] = {first[0], first[1], '.', '\0'};
    g->forms[FORM_ALIASED] += first[0] == 'r' && strstr(ag_strbuf_text(&sources), start) != NULL;
    generate_line(g, "%s %s%s%s", info->mnemonic, first, second, ag_strbuf_text(&sources));
    ag_strbuf_fini(&sources);
}

void generate_alu(struct generator *g)
{
    uint32_t opcode;
    const struct agpu_opcode_info *info;
    do
        opcode =
            generate_chance(g, 20) ? generate_pick(g, AGPU_OPCODE_LIMIT) : g->cursor++ % AGPU_OPCODE_LIMIT;
    while ((info = computes(opcode)) == NULL);
    const char kind = kind_of(info, 0);
    if (kind == 'f' || (kind == 'b' && generate_chance(g, 40)))
        float_statement(g, opcode, info);
    else
        bits_statement(g, opcode, info);
}
