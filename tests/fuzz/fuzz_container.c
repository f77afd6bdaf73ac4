/* SPDX-License-Identifier: MIT
 *
 * Any bytes as a shader: parsing and checking it must neither crash nor hang, every chunk lies inside the
 * bytes, and what the parser says about the program is about these bytes.
 */
#include <stdlib.h>
#include <string.h>

#include "aerogpu/dxbc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_chunks(const struct agpu_shader *shader, const uint8_t *data, size_t size)
{
    if (shader->container_size > size)
        abort();
    for (uint32_t i = 0; i < shader->chunk_count; i++) {
        const struct agpu_dxbc_chunk *chunk = &shader->chunks[i];
        if (chunk->offset > size || chunk->size > size - chunk->offset ||
            (chunk->size != 0 && memcmp(chunk->data, data + chunk->offset, chunk->size) != 0))
            abort();
    }
}

/* Instructions lie one behind the other, and fill the stream. */
static void check_program(const struct agpu_program *program)
{
    uint64_t end = 2;
    for (uint32_t i = 0; i < program->instruction_count; i++) {
        const struct agpu_instruction *instruction = &program->instructions[i];
        if (instruction->offset != end || agpu_opcode_info(instruction->opcode) == NULL)
            abort();
        end += instruction->length;
    }
    if (end != program->token_count)
        abort();
}

static void check_facts(const struct agpu_shader *shader)
{
    struct agpu_shader_facts facts;
    uint64_t sum = 0;
    agpu_shader_facts(shader, &facts);
    for (size_t i = 0; i < AGPU_INSTRUCTION_COUNT; i++)
        sum += facts.classes[i];
    if (sum != facts.instructions)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct agpu_shader *shader = NULL;
    if (agpu_shader_parse(data, size, AGPU_PARSE_IGNORE_CHECKSUM, NULL, &shader) == AGPU_OK) {
        check_chunks(shader, data, size);
        check_program(&shader->program);
        check_facts(shader);
        (void)agpu_validate(shader, NULL);
    } else if (shader != NULL)
        abort();
    agpu_shader_destroy(shader);
    return 0;
}
