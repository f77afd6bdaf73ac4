/* SPDX-License-Identifier: MIT
 *
 * Flow and memory of random programs.
 */
#include "generate.h"

#include <stdio.h>
#include <string.h>

#define RAW "_indexable(raw_buffer)(mixed,mixed,mixed,mixed)"
#define STRUCTURED "_indexable(structured_buffer, stride=16)(mixed,mixed,mixed,mixed)"
#define TYPED "_indexable(buffer)(uint,uint,uint,uint)"

const char *const form_names[FORM_COUNT] = {
    [FORM_UNIFORM_IF] = "uniform if",
    [FORM_UNIFORM_LOOP] = "uniform loop",
    [FORM_BOUND_FROM_REGISTER] = "loop bound from a register",
    [FORM_FALL_THROUGH] = "fall through",
    [FORM_SHARED_LABEL] = "shared label",
    [FORM_DEFAULT_FIRST] = "default first",
    [FORM_CONTINUE_IN_SWITCH] = "continue in a switch",
    [FORM_NESTED_LOOP] = "nested loop",
    [FORM_EARLY_RETURN] = "early return",
    [FORM_BARRIER_IN_FLOW] = "barrier in flow",
    [FORM_NESTED_CALL] = "nested call",
    [FORM_ALIASED] = "destination that is a source",
    [FORM_PRECISE] = "precise",
    [FORM_STRICT] = "no refactoring",
    [FORM_MIN_PRECISION] = "minimum precision",
    [FORM_DOUBLES] = "doubles",
    [FORM_TYPED_BUFFER] = "typed buffer",
    [FORM_TEXTURE] = "texture",
};

static const char *test(struct generator *g)
{
    return generate_chance(g, 50) ? "nz" : "z";
}

/* ---- Memory ------------------------------------------------------------------------------------------- */

/* A byte address in r8.x: one word anywhere in `span` bytes, or 16 bytes for more components; r14.`own` is
 * added when given. The mask of the access comes back. */
static const char *pick_address(struct generator *g, uint32_t span, char own)
{
    char scalar[OPERAND_TEXT];
    const bool one = generate_chance(g, 50);
    static const char *const lanes[] = {"x", "xy", "xyz", "xyzw"};
    generate_line(g, "and r8.x, %s, l(%u)", generate_scalar(g, scalar), one ? span - 4 : span - 16);
    if (own != '\0')
        generate_line(g, "iadd r8.x, r8.x, r14.%c", own);
    return one ? "x" : lanes[generate_pick(g, 4)];
}

static void read_buffer(struct generator *g)
{
    char scalar[OPERAND_TEXT];
    const uint32_t to = generate_pick(g, 4);
    const char *mask = generate_mask(g);
    switch (generate_pick(g, 7)) {
    case 0: /* half of it beyond the end, and at any byte */
        generate_line(g, "and r8.x, %s, l(0x1fff)", generate_scalar(g, scalar));
        generate_line(g, "ld_raw" RAW " r%u.%s, r8.x, t0.wxzy", to, mask);
        break;
    case 1:
        generate_line(g, "and r8.x, %s, l(127)", generate_scalar(g, scalar));
        generate_line(g, "ld_structured" STRUCTURED " r%u.%s, r8.x, l(0), t1.zwxy", 4 + to, mask);
        break;
    case 2:
        generate_line(g, "and r8.x, %s, l(60)", generate_scalar(g, scalar));
        generate_line(g, "iadd r8.x, r8.x, r14.x");
        generate_line(g, "ld_raw" RAW " r%u.%c, r8.x, u0.xxxx", to, "xyzw"[generate_pick(g, 4)]);
        break;
    case 3:
        generate_line(g, "bfi r8.x, l(2), l(0), %s, r13.y", generate_scalar(g, scalar));
        generate_line(g, "ld_structured" STRUCTURED " r%u.%s, r8.x, l(0), u1.yxwz", 4 + to, mask);
        break;
    case 4:
        generate_line(g, "ld_uav_typed" TYPED " r%u.%s, r14.zzzz, u2.wzyx", to, mask);
        g->forms[FORM_TYPED_BUFFER]++;
        break;
    case 5: /* half of it beyond the end */
        generate_line(g, "and r8.x, %s, l(511)", generate_scalar(g, scalar));
        generate_line(g, "ld" TYPED " r%u.%s, r8.xxxx, t2.yxwz", to, mask);
        g->forms[FORM_TYPED_BUFFER]++;
        break;
    default:
        generate_line(g, "and r8.x, %s, l(12)", generate_scalar(g, scalar));
        generate_line(g, "ld_structured r%u.%s, vThreadIDInGroupFlattened.x, r8.x, g1.xxxx", to, mask);
        break;
    }
}

static void write_buffer(struct generator *g)
{
    char bits[OPERAND_TEXT], scalar[OPERAND_TEXT];
    const char *mask;
    switch (generate_pick(g, 5)) {
    case 0:
        generate_bits(g, '\0', bits);
        mask = pick_address(g, 64, 'x');
        if (strstr(bits, "r8") == NULL)
            generate_line(g, "store_raw u0.%s, r8.x, %s", mask, bits);
        break;
    case 1:
        generate_line(g, "bfi r8.x, l(2), l(0), %s, r13.y", generate_scalar(g, scalar));
        generate_line(g, "store_structured u1.%s, r8.x, l(0), r%u.zxyw", generate_mask(g),
                      4 + generate_pick(g, 4));
        break;
    case 2: /* now and then beyond the end, where it vanishes */
        generate_line(g, "iadd r8.x, r14.z, l(%u)", generate_chance(g, 20) ? GENERATED_ALL : 0);
        generate_line(g, "store_uav_typed u2.xyzw, r8.xxxx, r%u.xwzy", generate_pick(g, 8));
        break;
    case 3:
        mask = pick_address(g, 16, 'y');
        generate_line(g, "store_raw g0.%s, r8.x, r%u.xyzw", mask, generate_pick(g, 8));
        break;
    default:
        generate_line(g, "store_structured g1.%s, vThreadIDInGroupFlattened.x, l(0), r%u.yzwx",
                      generate_mask(g), generate_pick(g, 4));
        break;
    }
}

/* An atomic opcode of the table; `immediate` ones return what was there. */
static const struct agpu_opcode_info *pick_atomic(struct generator *g, uint32_t *opcode, bool immediate)
{
    for (;;) {
        *opcode = AGPU_OP_ATOMIC_AND +
                  g->atomic_cursor[immediate]++ % (AGPU_OP_IMM_ATOMIC_UMIN - AGPU_OP_ATOMIC_AND + 1);
        const struct agpu_opcode_info *info = agpu_opcode_info(*opcode);
        if (info != NULL &&
            strncmp(info->mnemonic, immediate ? "imm_atomic_" : "atomic_", immediate ? 11 : 7) == 0 &&
            !(info->flags & AGPU_OPF_DECLARATION) && info->operand_count >= 3)
            return info;
    }
}

/* Atomics on a word of its own, whose result is then known; or on a word that all threads touch with the same
 * commutative operation, whose final value is. */
static void atomic(struct generator *g)
{
    char value[OPERAND_TEXT], scalar[OPERAND_TEXT];
    uint32_t opcode;
    const bool own = generate_chance(g, 60);
    const struct agpu_opcode_info *info = pick_atomic(g, &opcode, own);
    const bool compares = opcode == AGPU_OP_ATOMIC_CMP_STORE || opcode == AGPU_OP_IMM_ATOMIC_CMP_EXCH;
    generate_scalar(g, value);
    if (own || compares) {
        char result[OPERAND_TEXT] = "";
        const bool shared = generate_chance(g, 40);
        if (own)
            snprintf(result, sizeof result, "r%u.%c, ", generate_pick(g, 4), "xyzw"[generate_pick(g, 4)]);
        generate_line(g, "and r8.x, %s, l(%u)", generate_scalar(g, scalar), shared ? 12 : 60);
        generate_line(g, "iadd r8.x, r8.x, r14.%c", shared ? 'y' : 'x');
        generate_line(g, "%s %s%s, r8.x, %s%s", info->mnemonic, result, shared ? "g0" : "u0",
                      compares ? "l(7), " : "", value);
        return;
    }
    const uint32_t cell = (opcode - AGPU_OP_ATOMIC_AND) * 4;
    if (generate_chance(g, 50)) {
        generate_line(g, "%s g2, l(%u), %s", info->mnemonic, cell, value);
        return;
    }
    generate_line(g, "iadd r8.x, r13.x, l(%u)", cell);
    generate_line(g, "%s u3, r8.x, %s", info->mnemonic, value);
}

static void query(struct generator *g)
{
    const char *mask = &"xyzw"[generate_pick(g, 3)];
    const uint32_t to = generate_pick(g, 4);
    switch (generate_pick(g, 5)) {
    case 0:
        generate_line(g, "bufinfo" RAW " r%u.%s, t0.xxxx", to, mask);
        break;
    case 1:
        generate_line(g, "bufinfo" STRUCTURED " r%u.%s, u1.xyxy", to, mask);
        break;
    case 2:
        generate_line(g, "imm_atomic_alloc r9.w, u1");
        break;
    case 3:
        generate_line(g, "imm_atomic_consume r9.w, u1");
        break;
    default: /* fences without a meeting may stand anywhere */
        generate_line(g, "%s", generate_chance(g, 50) ? "sync_g" : "sync_uglobal");
        break;
    }
}

/* Other threads' words of g0 and g1 between two barriers. */
static void exchange(struct generator *g)
{
    char scalar[OPERAND_TEXT];
    g->forms[FORM_BARRIER_IN_FLOW] += g->depth > 1;
    generate_line(g, "%s", generate_chance(g, 70) ? "sync_g_t" : "sync_ugroup_g_t");
    generate_line(g, "and r8.x, %s, l(255)", generate_scalar(g, scalar));
    generate_line(g, "ld_raw r%u.%s, r8.x, g0.xyzw", generate_pick(g, 4), generate_mask(g));
    generate_line(g, "and r8.x, %s, l(15)", generate_scalar(g, scalar));
    generate_line(g, "ld_structured r%u.%s, r8.x, l(0), g1.wxyz", generate_pick(g, 4), generate_mask(g));
    generate_line(g, "sync_g_t");
}

void generate_memory(struct generator *g)
{
    const uint32_t kind = generate_pick(g, 100), before = generate_unit(g);
    if (g->uniform && kind < 15)
        exchange(g);
    else if (kind < 45)
        read_buffer(g);
    else if (kind < 75)
        write_buffer(g);
    else if (kind < 92)
        for (uint32_t i = 0; i < 3; i++)
            atomic(g);
    else
        query(g);
    generate_unit_end(g, before);
}

/* ---- Flow --------------------------------------------------------------------------------------------- */

/* A condition; uniform ones come from cb0. */
static const char *condition(struct generator *g, bool uniform, char text[OPERAND_TEXT])
{
    if (uniform)
        snprintf(text, OPERAND_TEXT, "cb0[%u].%c", generate_pick(g, 8), "xyzw"[generate_pick(g, 4)]);
    else if (generate_chance(g, 50))
        generate_scalar(g, text);
    else {
        char a[OPERAND_TEXT], b[OPERAND_TEXT];
        generate_tame(g, true, a);
        generate_tame(g, true, b);
        generate_line(g, "%s r9.z, %s, %s", generate_chance(g, 50) ? "lt" : "ge", a, b);
        snprintf(text, OPERAND_TEXT, "r9.z");
    }
    return text;
}

static void branch(struct generator *g)
{
    char text[OPERAND_TEXT];
    const bool was = g->uniform, uniform = was && generate_chance(g, 40);
    g->forms[FORM_UNIFORM_IF] += uniform;
    condition(g, uniform, text);
    generate_line(g, "if_%s %s", test(g), text);
    g->uniform = uniform;
    generate_block(g, 1 + generate_pick(g, 4));
    if (generate_chance(g, 50)) {
        generate_line(g, "else");
        generate_block(g, 1 + generate_pick(g, 3));
    }
    generate_line(g, "endif");
    g->uniform = was;
}

/* Three turns at most; the counter goes up before anything can continue. */
static void loop(struct generator *g)
{
    char scalar[OPERAND_TEXT];
    const uint32_t counter = 10 + g->counters;
    const bool was = g->uniform, uniform = was && generate_chance(g, 40);
    const uint32_t depth = g->loop_depth;
    const bool dynamic = !uniform && generate_chance(g, 50);
    g->forms[FORM_UNIFORM_LOOP] += uniform;
    g->forms[FORM_NESTED_LOOP] += g->counters > 0;
    g->forms[FORM_BOUND_FROM_REGISTER] += dynamic;
    generate_line(g, "mov r%u.x, l(0)", counter);
    if (dynamic)
        generate_line(g, "and r%u.y, %s, l(3)", counter, generate_scalar(g, scalar));
    else
        generate_line(g, "mov r%u.y, l(%u)", counter, 1 + generate_pick(g, 3));
    generate_line(g, "loop");
    generate_line(g, "%s r9.x, r%u.x, r%u.y", uniform || generate_chance(g, 50) ? "uge" : "ige", counter,
                  counter);
    generate_line(g, "breakc_nz r9.x");
    generate_line(g, "iadd r%u.x, r%u.x, l(1)", counter, counter);
    g->counters++;
    g->loop_depth = uniform ? 0 : depth + 1;
    g->uniform = uniform;
    generate_block(g, 2 + generate_pick(g, 4));
    generate_line(g, "endloop");
    g->counters--;
    g->loop_depth = depth;
    g->uniform = was;
}

static void one_case(struct generator *g, uint32_t number, bool is_default, bool last)
{
    if (is_default)
        generate_line(g, "default");
    else
        generate_line(g, "case l(%u)", number);
    if (!is_default && generate_chance(g, 25)) {
        generate_line(g, "case l(%u)", number + 10);
        g->forms[FORM_SHARED_LABEL]++;
    }
    generate_block(g, 1 + generate_pick(g, 2));
    if (g->loop_depth > 0 && generate_chance(g, 15)) {
        generate_line(g, "continue");
        g->forms[FORM_CONTINUE_IN_SWITCH]++;
    } else if (last || generate_chance(g, 70)) {
        generate_line(g, "break");
    } else {
        g->forms[FORM_FALL_THROUGH]++;
    }
}

static void choice(struct generator *g)
{
    char scalar[OPERAND_TEXT];
    const uint32_t cases = 2 + generate_pick(g, 3), at = generate_pick(g, cases + 2);
    const bool was = g->uniform;
    g->uniform = false;
    g->forms[FORM_DEFAULT_FIRST] += at == 0;
    generate_line(g, "and r9.y, %s, l(%u)", generate_scalar(g, scalar), generate_chance(g, 80) ? 3 : 15);
    generate_line(g, "switch r9.y");
    for (uint32_t i = 0; i < cases; i++)
        one_case(g, i, i == at, i + 1 == cases);
    generate_line(g, "endswitch");
    g->uniform = was;
}

/* Leaves a loop, goes on with its next turn, ends the thread, calls. */
static void jump(struct generator *g)
{
    char text[OPERAND_TEXT];
    const uint32_t kind = generate_pick(g, 4);
    if (g->loop_depth > 0 && kind < 2) {
        condition(g, false, text);
        if (generate_chance(g, 60)) {
            generate_line(g, "%s_%s %s", kind == 0 ? "breakc" : "continuec", test(g), text);
            return;
        }
        generate_line(g, "if_%s %s", test(g), text);
        generate_line(g, "%s", kind == 0 ? "break" : "continue");
        generate_line(g, "endif");
    } else if (g->returns && !g->in_subroutine && kind == 2 && generate_chance(g, 50)) {
        g->forms[FORM_EARLY_RETURN]++;
        condition(g, false, text);
        generate_line(g, "retc_%s %s", test(g), text);
    } else if (!g->in_subroutine) {
        condition(g, false, text);
        if (generate_chance(g, 50))
            generate_line(g, "call l%u", 2 * g->program + generate_pick(g, 2));
        else
            generate_line(g, "callc_%s %s, l%u", test(g), text, 2 * g->program + generate_pick(g, 2));
    } else {
        generate_line(g, "nop");
    }
}

static void statement(struct generator *g)
{
    const uint32_t kind = generate_pick(g, 100);
    const bool may_nest = g->depth < 5 && !g->in_subroutine;
    if (g->textures && kind < 30)
        generate_texture(g);
    else if (g->doubles && kind < 16)
        generate_double(g);
    else if (kind < 50)
        generate_alu(g);
    else if (kind < 75)
        generate_memory(g);
    else if (kind < 84)
        jump(g);
    else if (kind < 91 || !may_nest)
        branch(g);
    else if (kind < 96 && g->counters < 3)
        loop(g);
    else
        choice(g);
}

void generate_block(struct generator *g, uint32_t most)
{
    g->depth++;
    for (uint32_t i = 0; i < most && g->budget > 0 && !g->failed; i++) {
        g->budget--;
        statement(g);
    }
    g->depth--;
}
