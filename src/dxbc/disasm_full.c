/* SPDX-License-Identifier: MIT
 *
 * Lists what rebuilds a container byte for byte: chunks, digest, and tokens without an exact text.
 */
#include "dxbc/disasm_full.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "base/bytes.h"
#include "dxbc/asm.h"
#include "dxbc/class_linkage.h"
#include "dxbc/container.h"
#include "dxbc/feature_bits.h"
#include "dxbc/signature_write.h"

#define BYTES_PER_LINE 32
#define BYTES_PER_GROUP 4
#define TEXT_BYTES_PER_BYTE 16 /* the limit for the text of reflection data */

/* ---- Chunks ------------------------------------------------------------------------------------------- */

/* Comparisons that find no memory leave `out` failed: what they say does not matter then. */
static bool signature_is_exact(struct ag_strbuf *out, const struct agpu_dxbc_chunk *chunk,
                               const struct agpu_signature *signature)
{
    struct ag_strbuf built = {0};
    ag_signature_write(&built, chunk->fourcc, signature);
    const bool same =
        !built.failed && built.length == chunk->size && memcmp(built.data, chunk->data, built.length) == 0;
    out->failed |= built.failed;
    ag_strbuf_fini(&built);
    return same;
}

/* Whether the assembler makes the same chunk from the instructions and signatures of the listing. */
static bool is_implied(struct ag_strbuf *out, const struct agpu_shader *shader,
                       const struct agpu_dxbc_chunk *chunk)
{
    const uint64_t features = ag_program_feature_bits(&shader->program);
    switch (chunk->fourcc) {
    case AG_CHUNK_SHDR:
    case AG_CHUNK_SHEX:
        return chunk->size == (uint64_t)shader->program.token_count * 4 &&
               memcmp(chunk->data, shader->program.tokens, chunk->size) == 0;
    case AG_CHUNK_ISGN:
    case AG_CHUNK_ISG1:
        return signature_is_exact(out, chunk, &shader->input);
    case AG_CHUNK_OSGN:
    case AG_CHUNK_OSG5:
    case AG_CHUNK_OSG1:
        return signature_is_exact(out, chunk, &shader->output);
    case AG_CHUNK_PCSG:
    case AG_CHUNK_PSG1:
        return signature_is_exact(out, chunk, &shader->patch_constant);
    case AG_CHUNK_SFI0:
        return chunk->size == sizeof features && memcmp(chunk->data, &features, sizeof features) == 0;
    default:
        return false;
    }
}

/* ---- Chunks with directives of their own -------------------------------------------------------------- */

static void list_statistics(struct ag_strbuf *out, const struct agpu_dxbc_chunk *chunk)
{
    const uint32_t count = chunk->size / 4;
    ag_strbuf_printf(out, ".stat %" PRIu32, count);
    for (uint32_t i = 0; i < count && i < ag_names_statistic.count; i++) {
        const uint32_t value = ag_load_u32(chunk->data + (size_t)i * 4);
        if (value != 0)
            ag_strbuf_printf(out, " %s=%" PRIu32, ag_names_statistic.names[i], value);
    }
    ag_strbuf_append_char(out, '\n');
}

/* Lists the names of feature bits, each after a blank. */
static void list_features(struct ag_strbuf *out, uint64_t bits)
{
    uint64_t unnamed = bits;
    for (uint32_t i = 0; i < ag_names_feature.count; i++) {
        if ((bits >> i & 1) == 0)
            continue;
        ag_strbuf_printf(out, " %s", ag_names_feature.names[i]);
        unnamed &= ~(UINT64_C(1) << i);
    }
    if (unnamed != 0)
        ag_strbuf_printf(out, " 0x%" PRIx64, unnamed);
}

/* Lists the directives of a chunk; false when there are none for its kind. */
static bool list_directives(struct ag_strbuf *out, const struct agpu_shader *shader,
                            const struct agpu_dxbc_chunk *chunk)
{
    switch (chunk->fourcc) {
    case AG_CHUNK_RDEF:
        return shader->rdef != NULL &&
               ag_list_rdef(out, &shader->program, shader->rdef, (size_t)chunk->size * TEXT_BYTES_PER_BYTE);
    case AG_CHUNK_IFCE:
        return ag_list_class_linkage(out, chunk);
    case AG_CHUNK_STAT:
        list_statistics(out, chunk);
        return true;
    case AG_CHUNK_SFI0:
        ag_strbuf_append(out, ".features");
        list_features(out, chunk->size < 8 ? 0 : ag_load_u64(chunk->data));
        ag_strbuf_append_char(out, '\n');
        return true;
    default:
        return false;
    }
}

/* Whether assembling the directives gives the chunk. */
static bool rebuilds(struct ag_strbuf *text, const struct agpu_program *program,
                     const struct agpu_dxbc_chunk *chunk)
{
    struct ag_strbuf built = {0};
    struct ag_asm assembler;
    ag_asm_init(&assembler, ag_strbuf_text(text), text->length, NULL);
    assembler.program = *program;
    bool good = true;
    for (ag_asm_skip_lines(&assembler); good && assembler.at < assembler.length;
         ag_asm_skip_lines(&assembler))
        good = ag_asm_directive(&assembler) && ag_asm_at_line_end(&assembler);
    good = good && ag_asm_chunk_content(&assembler, chunk->fourcc, 0, &built) && !built.failed &&
           built.length == chunk->size &&
           (built.length == 0 || memcmp(built.data, chunk->data, built.length) == 0);
    text->failed |= assembler.out_of_memory || built.failed;
    ag_asm_fini(&assembler);
    ag_strbuf_fini(&built);
    return good;
}

/* A directive stands for the first chunk of its kind, the one that was parsed. */
static bool is_first(const struct agpu_shader *shader, const struct agpu_dxbc_chunk *chunk)
{
    const struct agpu_dxbc_chunk *first = shader->chunks;
    while (first->fourcc != chunk->fourcc)
        first++;
    return first == chunk;
}

static void list_bytes(struct ag_strbuf *out, const uint8_t *bytes, uint32_t size)
{
    for (uint32_t i = 0; i < size; i++) {
        if (i % BYTES_PER_LINE == 0)
            ag_strbuf_append(out, i == 0 ? ".hex " : "\n.hex ");
        else if (i % BYTES_PER_GROUP == 0)
            ag_strbuf_append_char(out, ' ');
        ag_strbuf_append_char(out, "0123456789abcdef"[bytes[i] >> 4]);
        ag_strbuf_append_char(out, "0123456789abcdef"[bytes[i] & 15]);
    }
    if (size != 0)
        ag_strbuf_append_char(out, '\n');
}

static void list_chunk(struct ag_strbuf *out, const struct agpu_shader *shader,
                       const struct agpu_dxbc_chunk *chunk)
{
    char name[5];
    ag_dxbc_fourcc_text(chunk->fourcc, name);
    bool is_word = true;
    for (int i = 0; i < 4; i++)
        is_word = is_word && (isalnum((unsigned char)name[i]) || name[i] == '_');
    if (is_word)
        ag_strbuf_printf(out, ".chunk %s", name);
    else
        ag_strbuf_printf(out, ".chunk 0x%08" PRIx32, chunk->fourcc);
    if (is_implied(out, shader, chunk)) {
        ag_strbuf_append_char(out, '\n');
        return;
    }
    struct ag_strbuf text = {0};
    if (is_first(shader, chunk) && list_directives(&text, shader, chunk) && !text.failed &&
        rebuilds(&text, &shader->program, chunk)) {
        ag_strbuf_append_char(out, '\n');
        ag_strbuf_append_bytes(out, ag_strbuf_text(&text), text.length);
    } else {
        ag_strbuf_printf(out, " %" PRIu32 "\n", chunk->size);
        list_bytes(out, chunk->data, chunk->size);
    }
    out->failed |= text.failed;
    ag_strbuf_fini(&text);
}

void ag_list_chunks(struct ag_strbuf *out, const struct agpu_shader *shader)
{
    if (shader->chunk_count == 0)
        return;
    /* Chunks point into a copy of the whole container. */
    const uint8_t *container = shader->chunks[0].data - shader->chunks[0].offset;
    const uint32_t size = shader->container_size;
    uint8_t digest[AG_DXBC_DIGEST_BYTES];
    agpu_dxbc_checksum(container, size, digest);
    if (memcmp(digest, container + AG_DXBC_DIGEST_OFFSET, sizeof digest) != 0) {
        ag_strbuf_append(out, ".digest ");
        for (size_t i = 0; i < sizeof digest; i++)
            ag_strbuf_printf(out, "%02x", container[AG_DXBC_DIGEST_OFFSET + i]);
        ag_strbuf_append_char(out, '\n');
    }
    for (uint32_t i = 0; i < shader->chunk_count; i++)
        list_chunk(out, shader, &shader->chunks[i]);
}

/* ---- Instructions ------------------------------------------------------------------------------------- */

static bool assemble_line(struct ag_asm *assembler)
{
    static const char custom_data[] = ".customdata";
    if (ag_asm_accept(assembler, custom_data))
        return ag_asm_custom_data(assembler);
    return ag_asm_statement(assembler);
}

bool ag_list_is_exact(struct ag_strbuf *out, const struct agpu_program *program,
                      const struct agpu_instruction *instruction)
{
    struct ag_strbuf text = {0};
    struct ag_asm assembler;
    ag_list_instruction(&text, program, instruction);
    ag_asm_init(&assembler, ag_strbuf_text(&text), text.length, NULL);
    assembler.program = *program;
    const bool good = assemble_line(&assembler) && ag_asm_at_line_end(&assembler);
    const struct ag_token_writer *writer = &assembler.writer;
    const bool same = good && writer->tokens.count == instruction->length &&
                      memcmp(writer->tokens.data, program->tokens + instruction->offset,
                             (size_t)instruction->length * 4) == 0;
    out->failed |= text.failed || assembler.out_of_memory || writer->failed;
    ag_asm_fini(&assembler);
    ag_strbuf_fini(&text);
    return same;
}

void ag_list_tokens(struct ag_strbuf *out, const struct agpu_program *program,
                    const struct agpu_instruction *instruction)
{
    ag_strbuf_append(out, ".tokens");
    for (uint32_t i = 0; i < instruction->length; i++)
        ag_strbuf_printf(out, "%s 0x%08" PRIx32, i == 0 ? "" : ",", program->tokens[instruction->offset + i]);
    if (instruction->opcode == AGPU_OP_CUSTOMDATA)
        return;
    ag_strbuf_append(out, " // ");
    ag_list_instruction(out, program, instruction);
}
