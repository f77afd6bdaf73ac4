/* SPDX-License-Identifier: MIT
 *
 * Every component-wise opcode of the table, one instruction at a time, on every pair of interesting operand
 * values: a thread a case, operands from a buffer. An opcode's program has the instruction in many shapes:
 * swizzles, masks, modifiers, saturation, destinations that are sources, literals, null destinations.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "oracle.h"

#define THREADS_PER_GROUP 64
#define MAX_THREADS 1024u
#define MAX_SHAPES 24
#define SOURCES 4
#define SOURCE_WORDS (SOURCES * 4)
#define SHAPE_WORDS 8
#define RESULT_WORDS (MAX_SHAPES * SHAPE_WORDS)
#define UNWRITTEN 0x0badf00du
#define MAX_REPORTS 3

enum literal_use { NO_LITERAL = 0, FIRST_LITERAL = 1, SECOND_LITERAL = 2, ALL_LITERALS = 0xf };

/* One way to write the instruction. Swizzles and modifiers are those of the first, second ... source. */
struct shape {
    const char *name;
    const char *swizzle[SOURCES], *wide_swizzle[SOURCES]; /* wide: instructions with doubles */
    const char *modifier[SOURCES];                        /* "-", "|", "-|" or null */
    const char *mask, *wide_mask;
    bool saturate;
    uint8_t alias;    /* 1 + the source that is also the first destination */
    uint8_t literals; /* bits: sources that are literals */
    uint8_t null;     /* 1 + the destination that is null */
    bool is_scalar;   /* one component for all */
    bool one_source;  /* every source is the first one's register */
};

/* clang-format off */
static const struct shape shapes[] = {
    {.name = "plain"},
    {.name = "swizzled", .swizzle = {"wzyx", "yxwz", "zzxy", "xwyz"}, .wide_swizzle = {"zwxy", "zwzw", "xyxy", "zwxy"}},
    {.name = "masked", .mask = "yw", .swizzle = {"wzyx", "xyzw", "yzwx", "zxwy"}, .wide_mask = "zw"},
    {.name = "one component", .is_scalar = true, .mask = "z", .swizzle = {"wwww", "yyyy", "xxxx", "zzzz"}, .wide_mask = "xy",
        .wide_swizzle = {"zwzw", "xyxy", "zwzw", "xyxy"}},
    {.name = "negated", .modifier = {"-", "|", "-|", "-"}},
    {.name = "absolute", .modifier = {"|", "-|", "-", "|"}},
    {.name = "negated absolute", .modifier = {"-|", "-", "|", "-|"}, .swizzle = {"ywxz", "wxyz", "xyxy", "wwzz"},
        .wide_swizzle = {"zwxy", "zwxy", "xyzw", "xyzw"}},
    {.name = "last negated", .modifier = {"", "-", "-", "-"}},
    {.name = "saturated", .saturate = true},
    {.name = "saturated negated", .saturate = true, .modifier = {"-", "-|", "-", "-"}},
    {.name = "first source overwritten", .alias = 1, .swizzle = {"yzwx", "xyzw", "wzyx", "xyzw"},
        .wide_swizzle = {"zwxy", "xyzw", "zwxy", "xyzw"}},
    {.name = "second source overwritten", .alias = 2, .swizzle = {"xyzw", "wxyz", "yyxx", "zwxy"},
        .wide_swizzle = {"xyzw", "zwxy", "zwzw", "xyzw"}},
    {.name = "third source overwritten", .alias = 3, .swizzle = {"zwxy", "xxyy", "wxyz", "zwxy"}, .mask = "xyw",
        .wide_mask = "xyzw", .wide_swizzle = {"xyzw", "zwxy", "zwxy", "xyzw"}},
    {.name = "first literal", .literals = FIRST_LITERAL},
    {.name = "second literal", .literals = SECOND_LITERAL},
    {.name = "first and third literal", .literals = FIRST_LITERAL | 4},
    {.name = "literals", .literals = ALL_LITERALS},
    {.name = "equal sources", .one_source = true},
    {.name = "first null", .null = 1},
    {.name = "second null", .null = 2},
};
/* clang-format on */
_Static_assert(AG_COUNT_OF(shapes) <= MAX_SHAPES, "results have room for every shape");

struct trial {
    uint32_t opcode;
    const struct agpu_opcode_info *info;
    bool wide; /* an operand is a double */
    struct ag_strbuf text;
    const struct shape *used[MAX_SHAPES];
    uint32_t literals[MAX_SHAPES][SOURCES][4];
    uint32_t used_count;
    uint32_t thread_count;
    uint32_t *input;
    uint32_t *want[8]; /* results of the interpreter, one for each choice that D3D11 leaves open */
    uint32_t want_count;
};

static char kind_of(const struct agpu_opcode_info *info, uint32_t operand)
{
    return info->operands[3 * operand + 1];
}

static char source_kind(const struct trial *trial, uint32_t source)
{
    return kind_of(trial->info, trial->info->destination_count + source);
}

static uint32_t source_count(const struct trial *trial)
{
    return (uint32_t)(trial->info->operand_count - trial->info->destination_count);
}

/* Instructions that compute components from components. */
static bool is_computation(const struct agpu_opcode_info *info)
{
    if (info->mnemonic == NULL || info->destination_count == 0 || info->flags & AGPU_OPF_DECLARATION ||
        !(info->stages & AGPU_STAGES_CS) || info->operand_count - info->destination_count > SOURCES)
        return false;
    for (uint32_t i = 0; i < info->operand_count; i++)
        if (strchr("fiubcBd", kind_of(info, i)) == NULL)
            return false;
    return true;
}

/* ---- The program -------------------------------------------------------------------------------------- */

/* Modifiers mean something on floats and doubles, and a minus on signed integers. */
static const char *modifier_of(const struct trial *trial, const struct shape *shape, uint32_t source)
{
    const char *modifier = shape->modifier[source] != NULL ? shape->modifier[source] : "";
    const char kind = source_kind(trial, source);
    const bool moves_floats = kind == 'b' && trial->info->flags & AGPU_OPF_MODIFIERS;
    if (kind == 'f' || kind == 'd' || moves_floats)
        return modifier;
    return kind == 'i' && strcmp(modifier, "-") == 0 ? modifier : "";
}

static bool is_dot(const struct trial *trial)
{
    return trial->opcode == AGPU_OP_DP2 || trial->opcode == AGPU_OP_DP3 || trial->opcode == AGPU_OP_DP4;
}

/* Refactoring makes a * (b + c) of a dot product whose vector has one component twice, and something else of
 * INF: no shape for those. */
static bool applies(const struct trial *trial, const struct shape *shape)
{
    const uint32_t count = source_count(trial);
    bool modified = false, wants = false;
    for (uint32_t i = 0; i < count; i++) {
        wants = wants || shape->modifier[i] != NULL;
        modified = modified || *modifier_of(trial, shape, i) != '\0';
    }
    if ((wants && !modified) || (shape->saturate && !(trial->info->flags & AGPU_OPF_SATURATE)))
        return false;
    if ((shape->literals != 0 && trial->wide) || (shape->is_scalar && is_dot(trial)))
        return false;
    return shape->alias <= count && (shape->literals == ALL_LITERALS || shape->literals >> count == 0) &&
           (shape->null == 0 || (trial->info->destination_count == 2 && shape->null <= 2)) &&
           (!shape->one_source || count > 1);
}

static void append_literal(struct trial *trial, struct oracle_random *random, uint32_t source)
{
    const struct oracle_values values = oracle_values_of_kind(source_kind(trial, source));
    uint32_t *literal = trial->literals[trial->used_count][source];
    const bool is_float = source_kind(trial, source) == 'f';
    for (uint32_t i = 0; i < 4; i++) {
        do /* compilers take x * 0 for 0, HLSL's as well as drivers' */
            literal[i] = values.words[oracle_below(random, values.count)];
        while (is_float && (literal[i] & 0x7fffffff) == 0);
    }
    ag_strbuf_printf(&trial->text, ", l(0x%08x, 0x%08x, 0x%08x, 0x%08x)", literal[0], literal[1], literal[2],
                     literal[3]);
}

static void append_source(struct trial *trial, struct oracle_random *random, const struct shape *shape,
                          uint32_t source)
{
    const char *swizzle = trial->wide ? shape->wide_swizzle[source] : shape->swizzle[source];
    const char *modifier = modifier_of(trial, shape, source);
    if (shape->literals >> source & 1) {
        append_literal(trial, random, source);
        return;
    }
    const uint32_t name = shape->alias == source + 1 ? 8 : shape->one_source ? 0 : source;
    const char *bar = strchr(modifier, '|') != NULL ? "|" : "";
    ag_strbuf_printf(&trial->text, ", %s%sr%u.%s%s", *modifier == '-' ? "-" : "", bar, name,
                     swizzle != NULL ? swizzle : "xyzw", bar);
}

static const char *mask_of(const struct trial *trial, const struct shape *shape)
{
    const char *mask = trial->wide ? shape->wide_mask : shape->mask;
    if (trial->wide && kind_of(trial->info, 0) != 'd')
        return shape->mask != NULL && strlen(shape->mask) == 1 ? shape->mask : "xy";
    return mask != NULL ? mask : "xyzw";
}

static void append_shape(struct trial *trial, struct oracle_random *random, const struct shape *shape)
{
    struct ag_strbuf *text = &trial->text;
    for (uint32_t i = 0; i < 2; i++)
        ag_strbuf_printf(text, "mov r%u.xyzw, l(0x%x, 0x%x, 0x%x, 0x%x)\n", 8 + i, UNWRITTEN, UNWRITTEN,
                         UNWRITTEN, UNWRITTEN);
    if (shape->alias != 0)
        ag_strbuf_printf(text, "mov r8.xyzw, r%u.xyzw\n", shape->alias - 1);
    ag_strbuf_printf(text, "%s%s ", trial->info->mnemonic, shape->saturate ? "_sat" : "");
    for (uint32_t i = 0; i < trial->info->destination_count; i++) {
        if (shape->null == i + 1)
            ag_strbuf_printf(text, "%snull", i != 0 ? ", " : "");
        else
            ag_strbuf_printf(text, "%sr%u.%s", i != 0 ? ", " : "", 8 + i, mask_of(trial, shape));
    }
    for (uint32_t i = 0; i < source_count(trial); i++)
        append_source(trial, random, shape, i);
    const uint32_t at = trial->used_count * SHAPE_WORDS * 4;
    ag_strbuf_printf(text,
                     "\niadd r6.y, r6.x, l(%u)\nstore_raw u0.xyzw, r6.y, r8.xyzw\n"
                     "iadd r6.y, r6.x, l(%u)\nstore_raw u0.xyzw, r6.y, r9.xyzw\n",
                     at, at + 16);
    trial->used[trial->used_count++] = shape;
}

static void write_program(struct trial *trial, struct oracle_random *random)
{
    struct ag_strbuf *text = &trial->text;
    const uint32_t flags = trial->info->flags;
    ag_strbuf_append(text, "cs_5_0\ndcl_globalFlags refactoringAllowed");
    ag_strbuf_append(text, flags & AGPU_OPF_DOUBLE ? " | enableDoublePrecisionFloatOps" : "");
    ag_strbuf_append(text, flags & AGPU_OPF_DOUBLE_11_1
                               ? " | enableDoublePrecisionFloatOps | enable11_1DoubleExtensions"
                               : "");
    ag_strbuf_append(text, flags & AGPU_OPF_SHADER_11_1 ? " | enable11_1ShaderExtensions" : "");
    ag_strbuf_printf(text,
                     "\ndcl_resource_raw t0\ndcl_uav_raw u0\ndcl_input vThreadID.x\ndcl_temps 10\n"
                     "dcl_thread_group %d, 1, 1\nishl r6.x, vThreadID.x, l(6)\n",
                     THREADS_PER_GROUP);
    for (uint32_t i = 0; i < SOURCES; i++)
        ag_strbuf_printf(text,
                         "iadd r6.y, r6.x, l(%u)\n"
                         "ld_raw_indexable(raw_buffer)(mixed,mixed,mixed,mixed) r%u.xyzw, r6.y, t0.xyzw\n",
                         16 * i, i);
    ag_strbuf_printf(text, "imul null, r6.x, vThreadID.x, l(%u)\n", RESULT_WORDS * 4);
    for (uint32_t i = 0; i < AG_COUNT_OF(shapes); i++)
        if (applies(trial, &shapes[i]))
            append_shape(trial, random, &shapes[i]);
    ag_strbuf_append(text, "ret\n");
}

/* ---- Operands ----------------------------------------------------------------------------------------- */

/* Every combination of the sources' values where there are few enough, else as many by chance. */
static bool make_input(struct trial *trial, struct oracle_random *random)
{
    const uint32_t words = trial->wide ? 2 : 1, lanes = 4 / words, count = source_count(trial);
    uint64_t combinations = 1;
    struct oracle_values values[SOURCES];
    for (uint32_t i = 0; i < count; i++) {
        values[i] = oracle_values_of_kind(source_kind(trial, i));
        combinations *= source_kind(trial, i) == 'd' ? values[i].count / 2 : values[i].count;
    }
    const bool all = combinations <= (uint64_t)MAX_THREADS * lanes;
    const uint64_t threads = all ? (combinations + lanes - 1) / lanes : MAX_THREADS;
    trial->thread_count = (uint32_t)ag_align_up(threads, THREADS_PER_GROUP);
    trial->input = calloc(trial->thread_count, SOURCE_WORDS * sizeof(uint32_t));
    for (uint32_t lane = 0; trial->input != NULL && lane < trial->thread_count * lanes; lane++) {
        uint64_t left = lane;
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t size = source_kind(trial, i) == 'd' ? 2 : 1, steps = values[i].count / size;
            const uint32_t pick =
                all && lane < combinations ? (uint32_t)(left % steps) : oracle_below(random, steps);
            uint32_t *to = &trial->input[lane / lanes * SOURCE_WORDS + 4 * i + lane % lanes * words];
            memcpy(size == 2 || words == 1 ? to : to - lane % lanes, &values[i].words[pick * size],
                   4u * size);
            left /= steps;
        }
    }
    return trial->input != NULL;
}

/* ---- Running and comparing ---------------------------------------------------------------------------- */

static struct ag_ref_view raw_view(void *data, uint64_t size)
{
    return (struct ag_ref_view){.dimension = AGPU_DIMENSION_RAW_BUFFER, .data = data, .size = size};
}

static bool interpret(struct trial *trial, const struct agpu_shader *shader, uint32_t flags,
                      const struct agpu_diag_sink *sink)
{
    struct ag_ref_program *program;
    const uint64_t size = (uint64_t)trial->thread_count * RESULT_WORDS * 4;
    uint32_t *want = calloc(1, (size_t)size);
    const struct ag_ref_view input = raw_view(trial->input, (uint64_t)trial->thread_count * SOURCE_WORDS * 4);
    struct ag_ref_view output = raw_view(want, size);
    const struct ag_ref_bindings bindings = {
        .resources = &input, .resource_count = 1, .unordered = &output, .unordered_count = 1};
    const struct ag_ref_options options = {.flags = flags};
    const uint32_t groups[3] = {trial->thread_count / THREADS_PER_GROUP, 1, 1};
    trial->want[trial->want_count++] = want;
    if (want == NULL || ag_ref_program_create(shader, sink, &program) != AGPU_OK)
        return false;
    const bool good = ag_ref_dispatch(program, &bindings, &options, sink, groups) == AGPU_OK;
    ag_ref_program_destroy(program);
    return good;
}

/* The interpreter once for each choice that D3D11 leaves open for this opcode. */
static bool interpret_choices(struct trial *trial, const struct agpu_shader *shader,
                              const struct agpu_diag_sink *sink)
{
    static const uint32_t choice_of[AGPU_OPCODE_LIMIT] = {
        [AGPU_OP_MAD] = AG_REF_FUSE_MAD,
        [AGPU_OP_DP2] = AG_REF_FUSE_DOT,
        [AGPU_OP_DP3] = AG_REF_FUSE_DOT,
        [AGPU_OP_DP4] = AG_REF_FUSE_DOT,
        [AGPU_OP_DIV] = AG_REF_DIVIDE_BY_RECIPROCAL,
    };
    const uint32_t choice = choice_of[trial->opcode];
    const bool is_float = strpbrk(trial->info->operands, "fb") != NULL;
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t flags = (i & 1 ? AG_REF_KEEP_DENORMALS : 0) | (i & 2 ? choice : 0);
        if ((i & 1 && !is_float) || (i & 2 && choice == 0))
            continue;
        if (!interpret(trial, shader, flags, sink))
            return false;
    }
    return true;
}

/* The value that a lane of a source had: what its operand says, applied to the input. */
static uint32_t source_value(const struct trial *trial, uint32_t thread, uint32_t used, uint32_t source,
                             uint32_t lane)
{
    const struct shape *shape = trial->used[used];
    const char *swizzle = shape->swizzle[source] != NULL ? shape->swizzle[source] : "xyzw";
    const char *modifier = modifier_of(trial, shape, source);
    const uint32_t *registers = &trial->input[thread * SOURCE_WORDS + (shape->one_source ? 0 : 4 * source)];
    uint32_t bits = shape->literals >> source & 1 ? trial->literals[used][source][lane]
                                                  : registers[strchr("xyzw", swizzle[lane]) - "xyzw"];
    bits = strchr(modifier, '|') != NULL ? bits & 0x7fffffff : bits;
    return *modifier == '-' ? bits ^ 0x80000000 : bits;
}

static bool agrees(const struct trial *trial, const uint32_t *got, uint32_t thread, uint32_t used,
                   uint32_t word)
{
    const struct shape *shape = trial->used[used];
    const uint32_t at = thread * RESULT_WORDS + used * SHAPE_WORDS + word;
    const uint32_t destination = word / 4 < trial->info->destination_count ? word / 4 : 0;
    struct oracle_result result = {
        .opcode = trial->opcode, .kind = kind_of(trial->info, destination), .saturated = shape->saturate};
    bool modified = shape->saturate;
    for (uint32_t i = 0; i < source_count(trial); i++)
        modified = modified || *modifier_of(trial, shape, i) != '\0';
    const bool wide = result.kind == 'd';
    const bool moves = trial->opcode == AGPU_OP_DMOV || trial->opcode == AGPU_OP_DMOVC;
    if (result.kind == 'b' && modified)
        result.kind = 'f';
    if (moves && !modified)
        result.kind = 'b';
    for (uint32_t i = 0; i < 8 && i / 4 < source_count(trial); i++)
        result.source[i / 4][i % 4] =
            source_value(trial, thread, used, i / 4, is_dot(trial) ? i % 4 : (word + i) % 4);
    const uint32_t low = at & ~1u;
    for (uint32_t i = 0; i < trial->want_count; i++) {
        const uint32_t *want = trial->want[i];
        if (wide ? oracle_allows_double(&result, ag_load_u64(&got[low]), ag_load_u64(&want[low]))
                 : oracle_allows(&result, got[at], want[at]))
            return true;
    }
    return false;
}

static void report(const struct trial *trial, const uint32_t *got, uint32_t thread, uint32_t used,
                   uint32_t word)
{
    const uint32_t at = thread * RESULT_WORDS + used * SHAPE_WORDS + word;
    printf("%s, %s: r%u.%c is 0x%08x, should be", trial->info->mnemonic, trial->used[used]->name,
           8 + word / 4, "xyzw"[word & 3], got[at]);
    for (uint32_t i = 0; i < trial->want_count; i++)
        printf("%s 0x%08x", i != 0 ? " or" : "", trial->want[i][at]);
    for (uint32_t i = 0; i < source_count(trial); i++) {
        const uint32_t *value = trial->used[used]->literals >> i & 1
                                    ? trial->literals[used][i]
                                    : &trial->input[thread * SOURCE_WORDS + 4 * i];
        printf("%s 0x%08x 0x%08x 0x%08x 0x%08x", i != 0 ? "," : "\n    of", value[0], value[1], value[2],
               value[3]);
    }
    printf("\n");
}

static uint32_t compare(const struct trial *trial, const uint32_t *got)
{
    uint32_t wrong = 0;
    for (uint32_t used = 0; used < trial->used_count; used++) {
        uint32_t in_shape = 0;
        for (uint32_t i = 0; i < trial->thread_count * SHAPE_WORDS; i++) {
            if (agrees(trial, got, i / SHAPE_WORDS, used, i % SHAPE_WORDS))
                continue;
            if (in_shape++ < MAX_REPORTS)
                report(trial, got, i / SHAPE_WORDS, used, i % SHAPE_WORDS);
        }
        if (in_shape > MAX_REPORTS)
            printf("    and %u more\n", in_shape - MAX_REPORTS);
        wrong += in_shape;
    }
    return wrong;
}

enum trial_result { AGREED, DIFFERED, ABSENT };

static enum trial_result run_shader(struct agpu_gpu *gpu, struct trial *trial,
                                    const struct agpu_shader *shader, const struct oracle_options *options)
{
    const uint64_t size = (uint64_t)trial->thread_count * RESULT_WORDS * 4;
    const struct ag_ref_view input = raw_view(trial->input, (uint64_t)trial->thread_count * SOURCE_WORDS * 4);
    uint32_t *zeros = calloc(1, (size_t)size);
    struct ag_ref_view output = raw_view(zeros, size);
    const struct ag_ref_bindings bindings = {
        .resources = &input, .resource_count = 1, .unordered = &output, .unordered_count = 1};
    struct oracle_job job = {
        .shader = shader, .bindings = &bindings, .groups = {trial->thread_count / THREADS_PER_GROUP, 1, 1}
    };
    enum trial_result result = DIFFERED;
    if (zeros != NULL)
        oracle_gpu_run(gpu, &job, 1);
    if (job.outcome == ORACLE_NOT_TRANSLATED && job.code == AGPU_DIAG_TRANSLATE_OPCODE)
        result = ABSENT;
    else if (job.outcome != ORACLE_RAN || job.result[0] == NULL)
        printf("%s: %s\n%s\n", trial->info->mnemonic, job.message, ag_strbuf_text(&trial->text));
    else
        result = compare(trial, (const uint32_t *)(const void *)job.result[0]) == 0 ? AGREED : DIFFERED;
    if (options->print && job.module != NULL)
        printf("%s\n%s\n", ag_strbuf_text(&trial->text), job.module->wgsl);
    oracle_job_fini(&job);
    free(zeros);
    return result;
}

static enum trial_result try_opcode(struct agpu_gpu *gpu, uint32_t opcode,
                                    const struct oracle_options *options)
{
    struct oracle_random random = {options->seed + opcode};
    struct oracle_error error;
    struct trial trial = {.opcode = opcode, .info = agpu_opcode_info(opcode)};
    enum trial_result result = DIFFERED;
    trial.wide = strchr(trial.info->operands, 'd') != NULL;
    oracle_error_init(&error);
    write_program(&trial, &random);
    struct agpu_shader *shader = oracle_assemble(trial.text.data, trial.text.length, &error.sink);
    if (shader != NULL && make_input(&trial, &random) && interpret_choices(&trial, shader, &error.sink))
        result = run_shader(gpu, &trial, shader, options);
    else
        printf("%s: %s\n%s\n", trial.info->mnemonic, error.message, ag_strbuf_text(&trial.text));
    agpu_shader_destroy(shader);
    for (uint32_t i = 0; i < trial.want_count; i++)
        free(trial.want[i]);
    free(trial.input);
    ag_strbuf_fini(&trial.text);
    return result;
}

int oracle_opcodes(struct agpu_gpu *gpu, const struct oracle_options *options)
{
    uint32_t found = 0, tried = 0, wrong = 0, absent = 0;
    for (uint32_t opcode = 0; opcode < AGPU_OPCODE_LIMIT; opcode++) {
        const struct agpu_opcode_info *info = agpu_opcode_info(opcode);
        if (info == NULL || !is_computation(info) ||
            (options->only != NULL && strcmp(options->only, info->mnemonic) != 0))
            continue;
        if (found++ % options->parts != options->part)
            continue;
        const enum trial_result result = try_opcode(gpu, opcode, options);
        tried++;
        wrong += result == DIFFERED;
        absent += result == ABSENT;
        if (result == ABSENT && !(info->flags & (AGPU_OPF_DOUBLE | AGPU_OPF_DOUBLE_11_1 | AGPU_OPF_TILED))) {
            printf("%s is not translated\n", info->mnemonic);
            wrong++;
        }
    }
    printf("%u opcodes tried, %u not translated, %u differ\n", tried, absent, wrong);
    return tried == 0 || wrong != 0;
}
