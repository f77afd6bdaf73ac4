/* SPDX-License-Identifier: MIT
 *
 * Builds the container around assembled tokens: header, chunk table, chunks and digest.
 */
#include <string.h>

#include "base/bytes.h"
#include "dxbc/asm.h"
#include "dxbc/container.h"
#include "dxbc/feature_bits.h"
#include "dxbc/rdef.h"
#include "dxbc/signature_write.h"

#define MAX_DEFAULT_CHUNKS 8

struct build {
    struct ag_asm *assembler;
    struct ag_strbuf out;
    uint32_t first_offset; /* where the table of chunk offsets is */
    uint32_t chunk;        /* the index of the chunk being written */
};

/* ---- The program -------------------------------------------------------------------------------------- */

/* Decodes what the assembler wrote, because an assembled program must pass the decoder's checks. */
static enum agpu_status decode_back(struct ag_asm *assembler, uint64_t *features)
{
    struct agpu_shader *shader;
    const size_t bytes = assembler->writer.tokens.count * 4;
    const enum agpu_status status =
        agpu_shader_parse(assembler->writer.tokens.data, bytes, AGPU_PARSE_TOKENS, assembler->sink, &shader);
    if (status != AGPU_OK)
        return status;
    *features = ag_program_feature_bits(&shader->program);
    assembler->program.global_flags = shader->program.global_flags;
    agpu_shader_destroy(shader);
    return AGPU_OK;
}

/* ---- The chunks of a container that names none -------------------------------------------------------- */

static bool uses_min_precision(const ag_element_vec *elements)
{
    for (size_t i = 0; i < elements->count; i++)
        if (elements->data[i].min_precision != 0)
            return true;
    return false;
}

static uint32_t program_fourcc(const struct agpu_program *program)
{
    const bool old = program->major == 4 && program->stage != AGPU_STAGE_COMPUTE &&
                     !(program->global_flags & AGPU_GLOBAL_ENABLE_RAW_AND_STRUCTURED_BUFFERS);
    return old ? AG_CHUNK_SHDR : AG_CHUNK_SHEX;
}

static uint32_t default_chunks(const struct ag_asm *assembler, uint64_t features,
                               struct ag_asm_chunk chunks[MAX_DEFAULT_CHUNKS])
{
    const struct agpu_program *program = &assembler->program;
    const bool precise = uses_min_precision(&assembler->input) || uses_min_precision(&assembler->output) ||
                         uses_min_precision(&assembler->patch);
    const bool streams = program->stage == AGPU_STAGE_GEOMETRY && program->major >= 5;
    const bool domain = program->stage == AGPU_STAGE_DOMAIN;
    const bool patch = domain || program->stage == AGPU_STAGE_HULL || assembler->patch.count != 0;
    const struct ag_asm_chunk patch_chunk = {.fourcc = precise ? AG_CHUNK_PSG1 : AG_CHUNK_PCSG};
    uint32_t count = 0;
    if (assembler->rdef.present)
        chunks[count++].fourcc = AG_CHUNK_RDEF;
    chunks[count++].fourcc = precise ? AG_CHUNK_ISG1 : AG_CHUNK_ISGN;
    if (patch && domain)
        chunks[count++] = patch_chunk;
    chunks[count++].fourcc = precise ? AG_CHUNK_OSG1 : streams ? AG_CHUNK_OSG5 : AG_CHUNK_OSGN;
    if (patch && !domain)
        chunks[count++] = patch_chunk;
    if (assembler->has_linkage)
        chunks[count++].fourcc = AG_CHUNK_IFCE;
    chunks[count++].fourcc = program_fourcc(program);
    if (assembler->has_features ? assembler->features != 0 : features != 0)
        chunks[count++].fourcc = AG_CHUNK_SFI0;
    if (assembler->has_statistics)
        chunks[count++].fourcc = AG_CHUNK_STAT;
    return count;
}

/* ---- Writing ------------------------------------------------------------------------------------------ */

static void put_u32(struct ag_strbuf *out, uint32_t value)
{
    ag_strbuf_append_bytes(out, &value, sizeof value);
}

static const ag_element_vec *signature_of(const struct ag_asm *assembler, uint32_t fourcc)
{
    switch (fourcc) {
    case AG_CHUNK_ISGN:
    case AG_CHUNK_ISG1:
        return &assembler->input;
    case AG_CHUNK_OSGN:
    case AG_CHUNK_OSG5:
    case AG_CHUNK_OSG1:
        return &assembler->output;
    case AG_CHUNK_PCSG:
    case AG_CHUNK_PSG1:
        return &assembler->patch;
    default:
        return NULL;
    }
}

bool ag_asm_chunk_content(struct ag_asm *assembler, uint32_t fourcc, uint64_t features, struct ag_strbuf *out)
{
    const ag_element_vec *elements = signature_of(assembler, fourcc);
    if (elements != NULL) {
        const struct agpu_signature signature = {elements->data, (uint32_t)elements->count};
        ag_signature_write(out, fourcc, &signature);
        return true;
    }
    switch (fourcc) {
    case AG_CHUNK_SHDR:
    case AG_CHUNK_SHEX:
        ag_strbuf_append_bytes(out, assembler->writer.tokens.data, assembler->writer.tokens.count * 4);
        return true;
    case AG_CHUNK_SFI0:
        ag_strbuf_append_bytes(out, assembler->has_features ? &assembler->features : &features,
                               sizeof features);
        return true;
    case AG_CHUNK_IFCE:
        ag_class_linkage_write(out, &assembler->linkage);
        return assembler->has_linkage;
    case AG_CHUNK_STAT:
        if (assembler->statistics.count != 0)
            ag_strbuf_append_bytes(out, assembler->statistics.data, assembler->statistics.count * 4);
        return assembler->has_statistics;
    case AG_CHUNK_RDEF: {
        const struct agpu_rdef *rdef = assembler->rdef.present ? ag_asm_rdef_finish(assembler) : NULL;
        return rdef != NULL && ag_rdef_write(out, rdef);
    }
    default:
        return false;
    }
}

static bool write_content(struct build *build, const struct ag_asm_chunk *chunk, uint64_t features)
{
    struct ag_asm *assembler = build->assembler;
    if (chunk->verbatim) {
        if (chunk->size != 0) /* an empty array may have no memory */
            ag_strbuf_append_bytes(&build->out, assembler->hex.data + chunk->first, chunk->size);
        return true;
    }
    if (ag_asm_chunk_content(assembler, chunk->fourcc, features, &build->out))
        return true;
    if (assembler->out_of_memory || build->out.failed)
        return ag_asm_no_memory(assembler);
    char name[5];
    ag_dxbc_fourcc_text(chunk->fourcc, name);
    return ag_asm_error(assembler, AGPU_DIAG_DXBC_CHUNK,
                        "nothing in the listing says what chunk %s holds; its size and bytes would", name);
}

static bool write_chunk(struct build *build, const struct ag_asm_chunk *chunk, uint64_t features)
{
    const size_t start = build->out.length;
    put_u32(&build->out, chunk->fourcc);
    put_u32(&build->out, 0);
    const size_t content = build->out.length;
    if (!write_content(build, chunk, features))
        return false;
    if (build->out.failed)
        return ag_asm_no_memory(build->assembler);
    ag_store_u32(build->out.data + start + 4, (uint32_t)(build->out.length - content));
    ag_store_u32(build->out.data + build->first_offset + (size_t)4 * build->chunk++, (uint32_t)start);
    return true;
}

static bool write_container(struct build *build, const struct ag_asm_chunk *chunks, uint32_t count,
                            uint64_t features)
{
    static const uint8_t no_digest[AG_DXBC_DIGEST_BYTES];
    struct ag_strbuf *out = &build->out;
    put_u32(out, AG_DXBC_MAGIC);
    ag_strbuf_append_bytes(out, no_digest, sizeof no_digest);
    put_u32(out, 1);
    const size_t total_at = out->length;
    put_u32(out, 0);
    put_u32(out, count);
    build->first_offset = (uint32_t)out->length;
    for (uint32_t i = 0; i < count; i++)
        put_u32(out, 0);
    for (uint32_t i = 0; i < count; i++)
        if (!write_chunk(build, &chunks[i], features))
            return false;
    if (out->failed)
        return ag_asm_no_memory(build->assembler);
    ag_store_u32(out->data + total_at, (uint32_t)out->length);
    uint8_t digest[AG_DXBC_DIGEST_BYTES];
    agpu_dxbc_checksum(out->data, out->length, digest);
    memcpy(out->data + AG_DXBC_DIGEST_OFFSET,
           build->assembler->has_digest ? build->assembler->digest : digest, sizeof digest);
    return true;
}

/* Chunks given as bytes can contain anything, so the finished container is parsed before it is handed out. */
static enum agpu_status check_container(const struct build *build)
{
    struct agpu_shader *shader;
    const enum agpu_status status =
        agpu_shader_parse(build->out.data, build->out.length, AGPU_PARSE_IGNORE_CHECKSUM, NULL, &shader);
    agpu_shader_destroy(shader);
    if (status == AGPU_REFUSED)
        ag_asm_error(build->assembler, AGPU_DIAG_DXBC_CHUNK,
                     "the chunks given as bytes do not make a shader");
    else if (status == AGPU_NO_MEMORY)
        ag_asm_no_memory(build->assembler);
    return status;
}

enum agpu_status ag_asm_build(struct ag_asm *assembler, uint8_t **bytes, size_t *size)
{
    uint64_t features;
    enum agpu_status status = decode_back(assembler, &features);
    if (status != AGPU_OK)
        return status;
    struct ag_asm_chunk defaults[MAX_DEFAULT_CHUNKS] = {0};
    const uint32_t default_count = default_chunks(assembler, features, defaults);
    const bool named = assembler->chunks.count != 0;
    struct build build = {.assembler = assembler};
    if (!write_container(&build, named ? assembler->chunks.data : defaults,
                         named ? (uint32_t)assembler->chunks.count : default_count, features)) {
        ag_strbuf_fini(&build.out);
        return assembler->out_of_memory ? AGPU_NO_MEMORY : AGPU_REFUSED;
    }
    status = named ? check_container(&build) : AGPU_OK;
    if (status != AGPU_OK) {
        ag_strbuf_fini(&build.out);
        return status;
    }
    *size = build.out.length;
    *bytes = (uint8_t *)ag_strbuf_steal(&build.out);
    return AGPU_OK;
}
