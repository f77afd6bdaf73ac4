/* SPDX-License-Identifier: MIT
 *
 * Every genuine shader there is: decoded to its last token, encoded to the same tokens, listed and assembled
 * to the same tokens, rebuilt from its full listing to the same container, and found valid. Shaders in
 * private dialects must be refused.
 *
 *     corpus_dxbc [DIRECTORY...]
 *
 * Without directories: corpus/own, corpus/fxc and corpus/aero of the shared folder ($AGPU_SHARED); without
 * that folder the test is skipped.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aerogpu/dxbc.h"
#include "dxbc/encode.h"
#include "support/corpus.h"

#define EXIT_SKIPPED 77
#define FAILURES_SHOWN 20

struct counts {
    unsigned long files, instructions, dwords;
    unsigned long encoded, assembled, rebuilt, validated;
};

/* How a kind of chunk came through full listings. */
struct chunk_kind {
    char name[5];
    unsigned long as_text, as_hex;
};

#define CHUNK_KINDS 32

struct run {
    struct chunk_kind chunks[CHUNK_KINDS];
    struct counts stages[AGPU_STAGE_COUNT];
    unsigned long refused, unexpected, failures;
    bool expect_refusal;
    const char *path;
};

static void show(void *user, const struct agpu_diag *diag)
{
    const struct run *run = user;
    if (diag->severity == AGPU_ERROR && !run->expect_refusal && run->failures < FAILURES_SHOWN)
        fprintf(stderr, "%s: %s: %s\n", run->path, agpu_diag_slug(diag->code), diag->message);
}

static void fail(struct run *run, const char *what)
{
    if (run->failures++ < FAILURES_SHOWN)
        fprintf(stderr, "%s: %s\n", run->path, what);
}

static bool same_tokens(const struct agpu_program *program, const uint32_t *tokens, size_t count)
{
    return count == program->token_count && memcmp(tokens, program->tokens, count * 4) == 0;
}

static bool encodes(const struct agpu_program *program)
{
    struct ag_token_writer writer = {0};
    ag_program_encode(&writer, program);
    const bool same = !writer.failed && same_tokens(program, writer.tokens.data, writer.tokens.count);
    ag_token_writer_fini(&writer);
    return same;
}

static void count_chunk(struct run *run, const char name[4], bool as_text)
{
    size_t i = 0;
    while (i < CHUNK_KINDS - 1 && run->chunks[i].name[0] != '\0' && memcmp(run->chunks[i].name, name, 4) != 0)
        i++;
    memcpy(run->chunks[i].name, name, 4);
    if (as_text)
        run->chunks[i].as_text++;
    else
        run->chunks[i].as_hex++;
}

/* `.chunk RDEF` stands for its text, `.chunk RDEF 120` for bytes. */
static void count_chunks(struct run *run, const char *text)
{
    static const char directive[] = "\n.chunk ";
    for (const char *at = strstr(text, directive); at != NULL; at = strstr(at + 1, directive)) {
        const char *name = at + sizeof directive - 1;
        count_chunk(run, name, name[4] == '\n');
    }
}

/* Lists with `flags` and assembles; the caller frees the bytes, which are null when assembly failed. */
static uint8_t *reassemble(struct run *run, const struct agpu_shader *shader, uint32_t flags,
                           const struct agpu_diag_sink *sink, size_t *size)
{
    char *text;
    size_t length;
    uint8_t *bytes = NULL;
    if (agpu_disassemble(shader, flags, sink, &text, &length) != AGPU_OK)
        return NULL;
    if (flags & AGPU_DISASM_FULL)
        count_chunks(run, text);
    if (agpu_assemble(text, length, sink, &bytes, size) != AGPU_OK)
        bytes = NULL;
    agpu_free(text);
    return bytes;
}

static bool assembles(struct run *run, const struct agpu_shader *shader, const struct agpu_diag_sink *sink)
{
    size_t size;
    uint8_t *bytes = reassemble(run, shader, AGPU_DISASM_DEFAULT, sink, &size);
    struct agpu_shader *again = NULL;
    if (bytes == NULL || agpu_shader_parse(bytes, size, AGPU_PARSE_DEFAULT, sink, &again) != AGPU_OK) {
        agpu_free(bytes);
        return false;
    }
    const bool same = same_tokens(&shader->program, again->program.tokens, again->program.token_count);
    agpu_shader_destroy(again);
    agpu_free(bytes);
    return same;
}

static bool rebuilds(struct run *run, const struct agpu_shader *shader, const struct ag_corpus_file *file,
                     const struct agpu_diag_sink *sink)
{
    size_t size;
    uint8_t *bytes = reassemble(run, shader, AGPU_DISASM_FULL, sink, &size);
    const bool same = bytes != NULL && size == file->size && memcmp(bytes, file->data, size) == 0;
    agpu_free(bytes);
    return same;
}

/* A file of another assembler whose program the runtime refuses: it does not end in ret. */
static bool is_invalid(const char *path)
{
    static const char no_ret[] = "dxc/cyclecounter.ps_5_0.";
    return strstr(path, no_ret) != NULL;
}

static void count(struct run *run, const struct agpu_shader *shader, const struct ag_corpus_file *file,
                  const struct agpu_diag_sink *sink)
{
    struct counts *counts = &run->stages[shader->program.stage];
    counts->files++;
    counts->instructions += shader->program.instruction_count;
    counts->dwords += shader->program.token_count;
    if (encodes(&shader->program))
        counts->encoded++;
    else
        fail(run, "the encoder writes other tokens");
    if (assembles(run, shader, sink))
        counts->assembled++;
    else
        fail(run, "the listing does not assemble to the same tokens");
    if (rebuilds(run, shader, file, sink))
        counts->rebuilt++;
    else
        fail(run, "the full listing does not rebuild the container");
    const bool invalid = is_invalid(file->path);
    if (agpu_validate(shader, invalid ? NULL : sink) == (invalid ? AGPU_REFUSED : AGPU_OK))
        counts->validated++;
    else
        fail(run, "the validator is wrong about it");
}

static bool visit(void *user, const struct ag_corpus_file *file)
{
    struct run *run = user;
    run->path = file->path;
    const struct agpu_diag_sink sink = {show, run};
    struct agpu_shader *shader;
    /* A few files were signed by other assemblers. */
    const enum agpu_status status =
        agpu_shader_parse(file->data, file->size, AGPU_PARSE_IGNORE_CHECKSUM, &sink, &shader);
    if (run->expect_refusal) {
        if (status == AGPU_REFUSED)
            run->refused++;
        else
            fail(run, "a private dialect was accepted");
    } else if (status != AGPU_OK) {
        run->unexpected++;
        fail(run, "refused");
    } else {
        count(run, shader, file, &sink);
    }
    agpu_shader_destroy(shader);
    return true;
}

static bool walk(struct run *run, const char *directory, bool expect_refusal)
{
    run->expect_refusal = expect_refusal;
    const long files = ag_corpus_walk(directory, ".dxbc", visit, run);
    if (files <= 0)
        fprintf(stderr, "%s: %s\n", directory, files == 0 ? "no .dxbc file" : "cannot be read");
    return files > 0;
}

static bool walk_shared(struct run *run, const char *shared)
{
    static const struct {
        const char *directory;
        bool expect_refusal;
    } parts[] = {
        {"corpus/own",             false},
        {"corpus/fxc",             false},
        {"corpus/aero/dxbc-d3d11", true },
        {"corpus/aero/dxbc-d3d9",  true },
    };
    bool good = true;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        char path[4608];
        snprintf(path, sizeof path, "%s/%s", shared, parts[i].directory);
        good = walk(run, path, parts[i].expect_refusal) && good;
    }
    return good;
}

static void print_table(const struct run *run)
{
    struct counts all = {0};
    printf("stage  files  instructions   dwords  encoded  assembled  rebuilt  validated\n");
    for (int stage = 0; stage < AGPU_STAGE_COUNT; stage++) {
        const struct counts *c = &run->stages[stage];
        printf("%-5s %6lu %13lu %8lu %8lu %10lu %8lu %10lu\n", agpu_stage_name((enum agpu_stage)stage),
               c->files, c->instructions, c->dwords, c->encoded, c->assembled, c->rebuilt, c->validated);
        all.files += c->files;
        all.instructions += c->instructions;
        all.dwords += c->dwords;
        all.encoded += c->encoded;
        all.assembled += c->assembled;
        all.rebuilt += c->rebuilt;
        all.validated += c->validated;
    }
    printf("all   %6lu %13lu %8lu %8lu %10lu %8lu %10lu\n", all.files, all.instructions, all.dwords,
           all.encoded, all.assembled, all.rebuilt, all.validated);
    for (size_t i = 0; i < CHUNK_KINDS && run->chunks[i].name[0] != '\0'; i++)
        printf("chunk %s: %lu as text, %lu as bytes\n", run->chunks[i].name, run->chunks[i].as_text,
               run->chunks[i].as_hex);
    printf("refused as they should be: %lu; refused without cause: %lu; failures: %lu\n", run->refused,
           run->unexpected, run->failures);
}

int main(int argc, char **argv)
{
    struct run run = {0};
    bool good = true;
    if (argc > 1) {
        for (int i = 1; i < argc; i++)
            good = walk(&run, argv[i], false) && good;
    } else {
        const char *shared = ag_corpus_shared(SOURCE_ROOT);
        if (shared == NULL) {
            printf("skipped: there is no shared corpus (AGPU_SHARED names its folder)\n");
            return EXIT_SKIPPED;
        }
        good = walk_shared(&run, shared);
    }
    print_table(&run);
    return good && run.failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
