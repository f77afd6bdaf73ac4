/* SPDX-License-Identifier: MIT
 *
 * agpu_shader: parses containers and bare token streams, and owns the memory of what was parsed.
 */
#include <stdlib.h>

#include "base/bytes.h"
#include "base/map.h"
#include "dxbc/container.h"
#include "dxbc/driver_signature.h"
#include "dxbc/program.h"
#include "dxbc/rdef.h"
#include "dxbc/signature.h"

#define LARGEST_INPUT ((size_t)16 * 1024 * 1024)

/* Limits the arena of decoded instructions and operands. The densest program needs about thirty bytes for
 * each byte of its tokens. */
#define DECODED_BYTES_PER_BYTE 64
#define DECODED_BYTES_AT_LEAST ((size_t)64 * 1024)

struct agpu_shader_memory {
    struct agpu_shader shader;
    struct ag_arena arena;
    struct ag_arena reflection; /* a separate arena, so that a hostile RDEF chunk cannot starve the program */
    struct ag_arena signatures; /* signatures of a bare token stream */
};

static size_t memory_limit(size_t input_bytes)
{
    const uint64_t limit = (uint64_t)input_bytes * DECODED_BYTES_PER_BYTE + DECODED_BYTES_AT_LEAST;
    return limit < SIZE_MAX ? (size_t)limit : SIZE_MAX;
}

/* ---- Parts of a container ----------------------------------------------------------------------------- */

static enum agpu_status read_signature(struct agpu_shader_memory *memory,
                                       const struct ag_dxbc_container *container, const uint32_t *fourccs,
                                       const struct agpu_diag_sink *sink, struct agpu_signature *signature)
{
    for (; *fourccs != 0; fourccs++) {
        const struct agpu_dxbc_chunk *chunk = ag_dxbc_container_find(container, *fourccs);
        if (chunk != NULL)
            return ag_signature_read(&memory->arena, chunk, sink, signature);
    }
    return AGPU_OK;
}

static enum agpu_status read_signatures(struct agpu_shader_memory *memory,
                                        const struct ag_dxbc_container *container,
                                        const struct agpu_diag_sink *sink)
{
    static const uint32_t inputs[] = {AG_CHUNK_ISGN, AG_CHUNK_ISG1, 0};
    static const uint32_t outputs[] = {AG_CHUNK_OSGN, AG_CHUNK_OSG5, AG_CHUNK_OSG1, 0};
    static const uint32_t patches[] = {AG_CHUNK_PCSG, AG_CHUNK_PSG1, 0};
    struct agpu_shader *shader = &memory->shader;
    enum agpu_status status = read_signature(memory, container, inputs, sink, &shader->input);
    if (status == AGPU_OK)
        status = read_signature(memory, container, outputs, sink, &shader->output);
    if (status == AGPU_OK)
        status = read_signature(memory, container, patches, sink, &shader->patch_constant);
    return status;
}

static enum agpu_status find_program(const struct ag_dxbc_container *container,
                                     const struct agpu_diag_sink *sink, const struct agpu_dxbc_chunk **found)
{
    const struct agpu_dxbc_chunk *chunk = ag_dxbc_container_find(container, AG_CHUNK_SHEX);
    if (chunk == NULL)
        chunk = ag_dxbc_container_find(container, AG_CHUNK_SHDR);
    if (chunk != NULL) {
        *found = chunk;
        return AGPU_OK;
    }
    const struct agpu_dxbc_chunk *later = ag_dxbc_container_find(container, AG_CHUNK_DXIL);
    if (later == NULL)
        later = ag_dxbc_container_find(container, AG_CHUNK_ILDB);
    const struct agpu_dxbc_chunk *earlier = ag_dxbc_container_find(container, AG_CHUNK_AON9);
    if (later != NULL)
        ag_report(sink, AGPU_DIAG_DXBC_MODEL, AGPU_ERROR, ag_place_offset(later->offset),
                  "the container holds a shader model 6 program, 4.0 to 5.1 are supported");
    else if (earlier != NULL)
        ag_report(sink, AGPU_DIAG_DXBC_MODEL, AGPU_ERROR, ag_place_offset(earlier->offset),
                  "the container holds a Direct3D 9 program only");
    else
        ag_report(sink, AGPU_DIAG_DXBC_NO_PROGRAM, AGPU_ERROR, ag_place_offset(0),
                  "the container has no SHDR or SHEX chunk");
    return AGPU_REFUSED;
}

/* Copies the tokens, which need an alignment that the input does not guarantee. */
static enum agpu_status read_program(struct agpu_shader_memory *memory, const uint8_t *bytes, size_t size,
                                     uint64_t offset, const struct agpu_diag_sink *sink)
{
    const size_t count = size / 4;
    uint32_t *tokens = ag_arena_memdup(&memory->arena, bytes, count * 4, alignof(uint32_t));
    if (tokens == NULL)
        return ag_report_no_memory(sink);
    return ag_program_read(&memory->arena, tokens, (uint32_t)count, offset, sink, &memory->shader.program);
}

static enum agpu_status check_digest(const struct ag_dxbc_container *container, uint32_t flags,
                                     const struct agpu_program *program, const struct agpu_diag_sink *sink)
{
    static const uint8_t zeros[AG_DXBC_DIGEST_BYTES];
    const uint8_t *stored = container->bytes + AG_DXBC_DIGEST_OFFSET;
    uint8_t digest[AG_DXBC_DIGEST_BYTES];
    agpu_dxbc_checksum(container->bytes, container->size, digest);
    if (memcmp(digest, stored, sizeof digest) == 0)
        return AGPU_OK;
    const bool messages = ag_program_has_messages(program);
    const bool tolerated = messages || (flags & AGPU_PARSE_IGNORE_CHECKSUM) != 0;
    ag_report(sink, AGPU_DIAG_DXBC_CHECKSUM, tolerated ? AGPU_WARNING : AGPU_ERROR,
              ag_place_offset(AG_DXBC_DIGEST_OFFSET), "%s",
              messages ? "a program with shader messages carries a checksum that cannot be verified"
              : memcmp(stored, zeros, sizeof zeros) == 0
                  ? "the checksum is all zero, the container was never signed"
                  : "the checksum does not match the content");
    return tolerated ? AGPU_OK : AGPU_REFUSED;
}

static void read_features(struct agpu_shader *shader, const struct ag_dxbc_container *container)
{
    const struct agpu_dxbc_chunk *chunk = ag_dxbc_container_find(container, AG_CHUNK_SFI0);
    if (chunk != NULL && chunk->size >= 8)
        shader->feature_bits = ag_load_u64(chunk->data);
}

static enum agpu_status parse_container(struct agpu_shader_memory *memory, const uint8_t *bytes, size_t size,
                                        uint32_t flags, const struct agpu_diag_sink *sink)
{
    struct agpu_shader *shader = &memory->shader;
    struct ag_dxbc_container container;
    const struct agpu_dxbc_chunk *program;
    enum agpu_status status = ag_dxbc_container_read(&memory->arena, bytes, size, sink, &container);
    if (status == AGPU_OK)
        status = find_program(&container, sink, &program);
    if (status == AGPU_OK)
        status = read_program(memory, program->data, program->size, program->offset, sink);
    if (status == AGPU_OK)
        status = check_digest(&container, flags, &shader->program, sink);
    if (status == AGPU_OK)
        status = read_signatures(memory, &container, sink);
    if (status != AGPU_OK)
        return status;
    const struct agpu_dxbc_chunk *rdef = ag_dxbc_container_find(&container, AG_CHUNK_RDEF);
    if (rdef != NULL)
        status = ag_rdef_read(&memory->reflection, rdef, sink, &shader->rdef);
    read_features(shader, &container);
    shader->chunks = container.chunks;
    shader->chunk_count = container.chunk_count;
    shader->container_size = (uint32_t)container.size;
    shader->hash = ag_hash_bytes(bytes, container.size);
    return status;
}

static enum agpu_status parse_tokens(struct agpu_shader_memory *memory, const uint8_t *bytes, size_t size,
                                     const struct agpu_diag_sink *sink)
{
    const enum agpu_status status = read_program(memory, bytes, size, 0, sink);
    if (status == AGPU_OK)
        memory->shader.hash = ag_hash_bytes(bytes, (size_t)memory->shader.program.token_count * 4);
    return status;
}

/* ---- Whole shaders ------------------------------------------------------------------------------------ */

static enum agpu_status parse(struct agpu_shader_memory *memory, const void *data, size_t size,
                              uint32_t flags, const struct agpu_diag_sink *sink)
{
    const uint8_t *bytes = ag_arena_memdup(&memory->arena, data, size, 1);
    if (bytes == NULL)
        return ag_report_no_memory(sink);
    const uint32_t first = ag_load_u32(bytes);
    if (first != AG_DXBC_MAGIC && ((flags & AGPU_PARSE_TOKENS) || ag_is_version_token(first)))
        return parse_tokens(memory, bytes, size, sink);
    return parse_container(memory, bytes, size, flags, sink);
}

/* Creates memory for a shader of `size` bytes; null, with *status set, when the size is out of range. */
static struct agpu_shader_memory *create(size_t size, const struct agpu_diag_sink *sink,
                                         enum agpu_status *status)
{
    if (size < 4 || size > LARGEST_INPUT) {
        ag_report(sink, size < 4 ? AGPU_DIAG_DXBC_CONTAINER : AGPU_DIAG_DXBC_LIMIT, AGPU_ERROR,
                  ag_place_offset(0), "an input of %zu bytes is neither a container nor a token stream",
                  size);
        *status = AGPU_REFUSED;
        return NULL;
    }
    struct agpu_shader_memory *memory = calloc(1, sizeof *memory);
    if (memory == NULL) {
        *status = ag_report_no_memory(sink);
        return NULL;
    }
    ag_arena_init(&memory->arena, memory_limit(size));
    ag_arena_init(&memory->reflection, memory_limit(size));
    memory->shader.memory = memory;
    return memory;
}

static enum agpu_status finish(struct agpu_shader_memory *memory, enum agpu_status status,
                               struct agpu_shader **shader)
{
    if (status == AGPU_OK)
        *shader = &memory->shader;
    else
        agpu_shader_destroy(&memory->shader);
    return status;
}

enum agpu_status agpu_shader_parse(const void *data, size_t size, uint32_t flags,
                                   const struct agpu_diag_sink *sink, struct agpu_shader **shader)
{
    enum agpu_status status;
    *shader = NULL;
    struct agpu_shader_memory *memory = create(size, sink, &status);
    return memory == NULL ? status : finish(memory, parse(memory, data, size, flags, sink), shader);
}

enum agpu_status agpu_shader_parse_tokens(const void *tokens, size_t size,
                                          const struct agpu_signature_set *set,
                                          const struct agpu_diag_sink *sink, struct agpu_shader **shader)
{
    enum agpu_status status;
    *shader = NULL;
    struct agpu_shader_memory *memory = create(size, sink, &status);
    if (memory == NULL)
        return status;
    status = parse_tokens(memory, tokens, size, sink);
    if (status == AGPU_OK && set != NULL && !ag_signature_set_copy(&memory->signatures, set, &memory->shader))
        status = ag_report_no_memory(sink);
    return finish(memory, status, shader);
}

enum agpu_status agpu_shader_parse_driver(const void *tokens, size_t size,
                                          const struct agpu_driver_signatures *signatures,
                                          const struct agpu_diag_sink *sink, struct agpu_shader **shader)
{
    enum agpu_status status;
    *shader = NULL;
    struct agpu_shader_memory *memory = create(size, sink, &status);
    if (memory == NULL)
        return status;
    status = parse_tokens(memory, tokens, size, sink);
    if (status == AGPU_OK)
        status = ag_driver_signatures_convert(&memory->signatures, signatures, sink, &memory->shader);
    return finish(memory, status, shader);
}

void agpu_shader_destroy(struct agpu_shader *shader)
{
    if (shader == NULL)
        return;
    struct agpu_shader_memory *memory = shader->memory;
    ag_arena_fini(&memory->arena);
    ag_arena_fini(&memory->reflection);
    ag_arena_fini(&memory->signatures);
    free(memory);
}
