/* SPDX-License-Identifier: MIT
 *
 * Random programs on the interpreter and on a driver, and what they covered.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "world.h"

#define BATCH 4u /* modules at once */
/* From so many programs on, what was never covered is an error. */
#define ENOUGH 1000
#define ENOUGH_TEXTURES 200

/* ---- Coverage ----------------------------------------------------------------------------------------- */

struct coverage {
    uint64_t opcode[AGPU_OPCODE_LIMIT];
    uint64_t file[AGPU_OPERAND_TYPE_COUNT], indexed[AGPU_OPERAND_TYPE_COUNT];
    uint64_t modifier[4], saturated, test[2];
    uint64_t form[FORM_COUNT];
    uint64_t programs;
};

/* What random programs do not have: other stages, interfaces, messages; and the one operation on doubles that
 * is not exact. Programs have textures, or doubles and the rest. */
static bool is_expected(uint32_t opcode, bool textures)
{
    static const uint32_t others[] = {AGPU_OP_ABORT, AGPU_OP_FCALL, AGPU_OP_DEBUG_BREAK, AGPU_OP_DRCP};
    static const uint32_t of_textures[] = {AGPU_OP_LDMS, AGPU_OP_RESINFO, AGPU_OP_SAMPLEINFO,
                                           AGPU_OP_SAMPLEPOS};
    const struct agpu_opcode_info *info = agpu_opcode_info(opcode);
    if (info == NULL || !(info->stages & AGPU_STAGES_CS) || strpbrk(info->operands, "MI") != NULL ||
        info->flags & (AGPU_OPF_DECLARATION | AGPU_OPF_TILED))
        return false;
    for (uint32_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (others[i] == opcode)
            return false;
    bool is_texture = strchr(info->operands, 'P') != NULL;
    for (uint32_t i = 0; i < sizeof of_textures / sizeof of_textures[0]; i++)
        is_texture = is_texture || of_textures[i] == opcode;
    return is_texture == textures;
}

static const struct {
    uint8_t type;
    bool is_indexed;
    const char *name;
} expected_files[] = {
    {AGPU_OPERAND_TEMP,                               false, "r"                        },
    {AGPU_OPERAND_INDEXABLE_TEMP,                     false, "x"                        },
    {AGPU_OPERAND_INDEXABLE_TEMP,                     true,  "x, indexed"               },
    {AGPU_OPERAND_IMMEDIATE32,                        false, "literal"                  },
    {AGPU_OPERAND_CONSTANT_BUFFER,                    false, "cb"                       },
    {AGPU_OPERAND_CONSTANT_BUFFER,                    true,  "cb, indexed"              },
    {AGPU_OPERAND_IMMEDIATE_CONSTANT_BUFFER,          false, "icb"                      },
    {AGPU_OPERAND_IMMEDIATE_CONSTANT_BUFFER,          true,  "icb, indexed"             },
    {AGPU_OPERAND_RESOURCE,                           false, "t"                        },
    {AGPU_OPERAND_UNORDERED_ACCESS_VIEW,              false, "u"                        },
    {AGPU_OPERAND_THREAD_GROUP_SHARED_MEMORY,         false, "g"                        },
    {AGPU_OPERAND_NULL,                               false, "null"                     },
    {AGPU_OPERAND_INPUT_THREAD_ID,                    false, "vThreadID"                },
    {AGPU_OPERAND_INPUT_THREAD_GROUP_ID,              false, "vThreadGroupID"           },
    {AGPU_OPERAND_INPUT_THREAD_ID_IN_GROUP,           false, "vThreadIDInGroup"         },
    {AGPU_OPERAND_INPUT_THREAD_ID_IN_GROUP_FLATTENED, false, "vThreadIDInGroupFlattened"},
    {AGPU_OPERAND_LABEL,                              false, "label"                    },
};

static void cover(struct coverage *coverage, const struct agpu_program *program)
{
    coverage->programs += MODULE_PROGRAMS;
    for (uint32_t i = 0; i < program->instruction_count; i++) {
        const struct agpu_instruction *instruction = &program->instructions[i];
        const struct agpu_opcode_info *info = agpu_opcode_info(instruction->opcode);
        coverage->opcode[instruction->opcode]++;
        coverage->saturated += instruction->saturate;
        if (info->flags & AGPU_OPF_DECLARATION)
            continue;
        if (info->flags & AGPU_OPF_TEST)
            coverage->test[instruction->test_nonzero]++;
        for (uint32_t k = 0; k < instruction->operand_count; k++) {
            const struct agpu_operand *operand = &instruction->operands[k];
            bool is_indexed = false;
            for (uint32_t n = 0; n < operand->index_count; n++)
                is_indexed = is_indexed || operand->index[n].relative != NULL;
            coverage->modifier[operand->modifier & 3]++;
            (is_indexed ? coverage->indexed : coverage->file)[operand->type]++;
        }
    }
}

static uint32_t count_line(const char *kind, const char *name, uint64_t count)
{
    printf("%-9s %-28s %8llu\n", kind, name, (unsigned long long)count);
    return count == 0;
}

/* Prints all counts; returns how many are zero. */
static uint32_t print_coverage(const struct coverage *coverage, bool textures)
{
    static const char *const modifiers[] = {"none", "negate", "absolute", "negate absolute"};
    uint32_t zeros = 0;
    for (uint32_t i = 0; i < AGPU_OPCODE_LIMIT; i++)
        if (is_expected(i, textures))
            zeros += count_line("opcode", agpu_opcode_info(i)->mnemonic, coverage->opcode[i]);
    if (textures)
        return zeros + count_line("form", form_names[FORM_TEXTURE], coverage->form[FORM_TEXTURE]);
    for (size_t i = 0; i < sizeof expected_files / sizeof expected_files[0]; i++)
        zeros += count_line(
            "file", expected_files[i].name,
            (expected_files[i].is_indexed ? coverage->indexed : coverage->file)[expected_files[i].type]);
    for (uint32_t i = 0; i < 4; i++)
        zeros += count_line("modifier", modifiers[i], coverage->modifier[i]);
    zeros += count_line("modifier", "saturate", coverage->saturated);
    zeros += count_line("test", "zero", coverage->test[0]);
    zeros += count_line("test", "not zero", coverage->test[1]);
    for (uint32_t i = 0; i < FORM_COUNT; i++)
        zeros += i != FORM_TEXTURE ? count_line("form", form_names[i], coverage->form[i]) : 0;
    return zeros;
}

/* ---- Programs ----------------------------------------------------------------------------------------- */

static void print_attempt(FILE *file, const struct attempt *attempt, uint64_t first)
{
    fprintf(file, "// programs %llu to %llu: %s\n%s", (unsigned long long)first,
            (unsigned long long)(first + MODULE_PROGRAMS - 1), attempt->message,
            ag_strbuf_text(&attempt->text));
}

static void save(const struct oracle_options *options, const struct attempt *attempt, uint64_t module)
{
    char path[1024];
    const uint64_t first = module * MODULE_PROGRAMS;
    print_attempt(stdout, attempt, first);
    if (options->print && attempt->job.module != NULL)
        printf("%s\n", attempt->job.module->wgsl);
    if (options->save == NULL)
        return;
    snprintf(path, sizeof path, "%s/oracle-%llu.asm", options->save, (unsigned long long)first);
    FILE *file = fopen(path, "w");
    if (file == NULL)
        return;
    print_attempt(file, attempt, first);
    fclose(file);
    printf("// saved as %s\n", path);
}

static void explain(struct agpu_gpu *gpu, const struct oracle_options *options, const struct listing *listing,
                    uint64_t module, enum oracle_outcome outcome)
{
    bool *keep = calloc(listing->lines.count, sizeof(bool));
    struct attempt attempt;
    if (keep == NULL)
        return;
    shrink(gpu, listing, module, outcome, keep);
    attempt_prepare(&attempt, listing, keep, module);
    attempts_run(gpu, &attempt, 1);
    save(options, &attempt, module);
    attempt_fini(&attempt);
    free(keep);
}

/* One batch; returns how many modules failed. */
static uint32_t run_batch(struct agpu_gpu *gpu, const struct oracle_options *options, uint64_t module,
                          uint32_t count, struct coverage *coverage, bool *alive)
{
    struct listing listings[BATCH] = {0};
    struct attempt *attempts = calloc(BATCH, sizeof *attempts);
    uint32_t failed = 0;
    for (uint32_t i = 0; i < count && attempts != NULL; i++) {
        struct generator generator = {.textures = options->textures};
        generate_module(&generator, module + i, &listings[i]);
        listings[i].most_nesting = options->states;
        listings[i].most_invocations = options->invocations;
        for (uint32_t k = 0; k < FORM_COUNT; k++)
            coverage->form[k] += generator.forms[k];
        attempt_prepare(&attempts[i], &listings[i], NULL, module + i);
        if (attempts[i].shader != NULL)
            cover(coverage, &attempts[i].shader->program);
    }
    *alive = attempts != NULL && attempts_run(gpu, attempts, count);
    for (uint32_t i = 0; i < count && attempts != NULL; i++) {
        failed += attempts[i].verdict != VERDICT_AGREES;
        if (attempts[i].verdict == VERDICT_DIFFERS && *alive) {
            printf("module %llu: %s\n", (unsigned long long)(module + i), attempts[i].message);
            explain(gpu, options, &listings[i], module + i, attempts[i].job.outcome);
        } else if (attempts[i].verdict != VERDICT_AGREES) {
            save(options, &attempts[i], module + i);
        }
        attempt_fini(&attempts[i]);
        listing_fini(&listings[i]);
    }
    free(attempts);
    return failed;
}

int oracle_programs(struct agpu_gpu *gpu, const struct oracle_options *options)
{
    struct coverage coverage = {0};
    const time_t start = time(NULL);
    const uint64_t first = options->first / MODULE_PROGRAMS;
    const uint64_t modules = ((uint64_t)options->count + MODULE_PROGRAMS - 1) / MODULE_PROGRAMS;
    uint64_t done = 0;
    uint32_t failed = 0;
    bool alive = true;
    while (alive && failed < 10 && (modules == 0 || done < modules) &&
           (options->seconds == 0 || difftime(time(NULL), start) < options->seconds)) {
        const uint64_t left = modules == 0 ? BATCH : modules - done;
        const uint32_t count = left < BATCH ? (uint32_t)left : BATCH;
        failed += run_batch(gpu, options, first + done, count, &coverage, &alive);
        done += count;
    }
    const uint32_t zeros = print_coverage(&coverage, options->textures);
    printf("%llu programs, %u modules failed, %u kinds never covered\n",
           (unsigned long long)done * MODULE_PROGRAMS, failed, zeros);
    return !alive || failed != 0 ||
           (zeros != 0 && coverage.programs >= (options->textures ? ENOUGH_TEXTURES : ENOUGH));
}

/* The lines of a saved program; the first, a comment, names the module whose data it runs on. */
static bool read_listing(const char *path, struct listing *listing, uint64_t *module)
{
    FILE *file = fopen(path, "r");
    char text[1024];
    unsigned long long first;
    bool good = file != NULL && fgets(text, sizeof text, file) != NULL &&
                sscanf(text, "// programs %llu", &first) == 1;
    *module = good ? first / MODULE_PROGRAMS : 0;
    while (good && fgets(text, sizeof text, file) != NULL) {
        text[strcspn(text, "\r\n")] = '\0';
        const struct line line = {.text = strdup(text), .program = FRAME_LINE};
        good = line.text != NULL && ag_vec_push(&listing->lines, line);
        if (!good)
            free(line.text);
    }
    if (file != NULL)
        fclose(file);
    return good;
}

int oracle_replay(struct agpu_gpu *gpu, const struct oracle_options *options)
{
    struct listing listing = {0};
    struct attempt attempt = {0};
    uint64_t module;
    if (!read_listing(options->file, &listing, &module)) {
        printf("%s is no saved program\n", options->file);
        listing_fini(&listing);
        return 1;
    }
    listing.most_nesting = options->states;
    listing.most_invocations = options->invocations;
    attempt_prepare(&attempt, &listing, NULL, module);
    attempts_run(gpu, &attempt, 1);
    const bool agrees = attempt.verdict == VERDICT_AGREES;
    printf("%s\n", agrees ? "agrees" : attempt.message);
    if (options->print && attempt.job.module != NULL)
        printf("%s\n", attempt.job.module->wgsl);
    attempt_fini(&attempt);
    listing_fini(&listing);
    return !agrees;
}
