/* SPDX-License-Identifier: MIT
 *
 * Statements on doubles, all of whose instructions are exact but for the reciprocal. Operands are any bits,
 * or numbers made from integers or floats; of results that are no numbers nothing but that is kept.
 */
#include "generate.h"

#include <stdio.h>
#include <string.h>

static const char *const wide_swizzles[] = {"xyzw", "zwxy", "xyxy", "zwzw"};

static const struct agpu_opcode_info *pick_opcode(struct generator *g, uint32_t *opcode)
{
    for (;;) {
        *opcode = AGPU_OP_DADD + generate_pick(g, AGPU_OP_UTOD - AGPU_OP_DADD + 1);
        const struct agpu_opcode_info *info = agpu_opcode_info(*opcode);
        if (info != NULL && info->flags & (AGPU_OPF_DOUBLE | AGPU_OPF_DOUBLE_11_1) && *opcode != AGPU_OP_DRCP)
            return info;
    }
}

/* Fills r19 with two numbers. Multiples of a quarter or integers, so that floats made of them are no
 * denormals. */
static void make_numbers(struct generator *g)
{
    char text[OPERAND_TEXT];
    if (generate_chance(g, 40)) {
        generate_tame(g, true, text);
        generate_line(g, "ftod r19.xyzw, %s", text);
    } else {
        generate_bits(g, '\0', text);
        generate_line(g, "%s r19.xyzw, %s", generate_chance(g, 50) ? "itod" : "utod", text);
    }
}

static void append_double(struct generator *g, bool numbers, char text[OPERAND_TEXT])
{
    const bool minus = generate_chance(g, 20), absolute = generate_chance(g, 20);
    const uint32_t source = numbers || generate_chance(g, 50) ? 19 : generate_pick(g, 4);
    if (generate_chance(g, 15)) {
        snprintf(text, OPERAND_TEXT, "d(%s)", generate_chance(g, 50) ? "1.5l, -3.0l" : "0.1l, 1048576.25l");
        return;
    }
    snprintf(text, OPERAND_TEXT, "%s%sr%u.%s%s", minus ? "-" : "", absolute ? "|" : "", source,
             wide_swizzles[generate_pick(g, 4)], absolute ? "|" : "");
}

static void append_sources(struct generator *g, const struct agpu_opcode_info *info,
                           struct ag_strbuf *sources)
{
    char text[OPERAND_TEXT];
    for (uint32_t i = info->destination_count; i < info->operand_count; i++) {
        const char kind = info->operands[3 * i + 1];
        if (kind == 'd')
            append_double(g, info->operands[1] == 'f', text);
        else if (kind == 'f')
            generate_tame(g, true, text);
        else
            generate_bits(g, '\0', text);
        ag_strbuf_printf(sources, ", %s", text);
    }
}

void generate_double(struct generator *g)
{
    static const char *const narrow_masks[] = {"x", "y", "xy", "zw", "xw"};
    static const char *const wide_masks[] = {"xy", "zw", "xyzw", "xyzw"};
    uint32_t opcode;
    const struct agpu_opcode_info *info = pick_opcode(g, &opcode);
    struct ag_strbuf sources = {0};
    const bool saturates = info->flags & AGPU_OPF_SATURATE && generate_chance(g, 20);
    const char kind = info->operands[1];
    const uint32_t to = generate_pick(g, 4);
    make_numbers(g);
    append_sources(g, info, &sources);
    g->forms[FORM_DOUBLES]++;
    const char *mask = kind == 'd' ? wide_masks[generate_pick(g, 4)] : narrow_masks[generate_pick(g, 5)];
    generate_line(g, "%s%s r%u.%s%s", info->mnemonic, saturates ? "_sat" : "", kind == 'd' ? 18 : to, mask,
                  ag_strbuf_text(&sources));
    ag_strbuf_fini(&sources);
    if (kind == 'd') {
        generate_line(g, "deq r17.xy, r18.xyzw, r18.xyzw");
        generate_line(g, "and r%u.xyzw, r18.xyzw, r17.xxyy", to);
    }
}
