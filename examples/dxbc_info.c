/* SPDX-License-Identifier: MIT
 *
 * Reads a shader and tells what it is: inputs, outputs, resources, instructions, and whether Direct3D would
 * take it. Without a file it assembles one first.
 *
 *     dxbc_info [FILE]
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aerogpu/dxbc.h"

static const char sample[] = "ps_4_0\n"
                             ".in SV_Position0 v0.xyzw float position read=0x0\n"
                             ".in TEXCOORD0 v1.xy float\n"
                             ".out SV_Target0 o0.xyzw float\n"
                             "dcl_constantbuffer CB0[1], immediateIndexed\n"
                             "dcl_sampler s0, mode_default\n"
                             "dcl_resource_texture2d (float,float,float,float) t0\n"
                             "dcl_input_ps linear v1.xy\n"
                             "dcl_output o0.xyzw\n"
                             "dcl_temps 1\n"
                             "sample r0.xyzw, v1.xyxx, t0.xyzw, s0\n"
                             "mul o0.xyzw, r0.xyzw, cb0[0].xyzw\n"
                             "ret\n";

static void print_diag(void *user, const struct agpu_diag *diag)
{
    const char *name = user;
    if (diag->place.line != 0)
        fprintf(stderr, "%s:%" PRIu32 ":%" PRIu32 ": %s: %s\n", name, diag->place.line, diag->place.column,
                agpu_diag_slug(diag->code), diag->message);
    else
        fprintf(stderr, "%s:+%" PRIu64 ": %s: %s\n", name, diag->place.offset, agpu_diag_slug(diag->code),
                diag->message);
}

/* The bytes of a file; the caller frees them. */
static uint8_t *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return NULL;
    uint8_t *bytes = NULL;
    *size = 0;
    size_t got = 1;
    while (got != 0) {
        uint8_t *more = realloc(bytes, *size + 65536);
        if (more == NULL)
            break;
        bytes = more;
        got = fread(bytes + *size, 1, 65536, file);
        *size += got;
    }
    fclose(file);
    return bytes;
}

static void print_signature(const char *title, const struct agpu_signature *signature)
{
    for (uint32_t i = 0; i < signature->count; i++) {
        const struct agpu_signature_element *element = &signature->elements[i];
        printf("%s %s%" PRIu32, title, element->semantic_name, element->semantic_index);
        if (element->register_index != AGPU_REGISTER_NONE)
            printf(" in register %" PRIu32, element->register_index);
        putchar('\n');
    }
}

/* Declarations are instructions: the opcode tells what the operand is. */
static void print_declarations(const struct agpu_program *program)
{
    for (uint32_t i = 0; i < program->instruction_count; i++) {
        const struct agpu_instruction *instruction = &program->instructions[i];
        switch (instruction->opcode) {
        case AGPU_OP_DCL_CONSTANTBUFFER:
        case AGPU_OP_DCL_SAMPLER:
        case AGPU_OP_DCL_RESOURCE:
        case AGPU_OP_DCL_UAV_TYPED:
            printf("%s, register %" PRIu64 "\n", agpu_opcode_info(instruction->opcode)->mnemonic,
                   instruction->operands[0].index[0].immediate);
            break;
        default: /* of no interest here */
            break;
        }
    }
}

static void print_shader(const struct agpu_shader *shader)
{
    struct agpu_shader_facts facts;
    agpu_shader_facts(shader, &facts);
    printf("%s %u.%u, %" PRIu32 " instructions, %" PRIu32 " temporaries\n",
           agpu_stage_name(shader->program.stage), shader->program.major, shader->program.minor,
           facts.instructions, facts.temps);
    print_signature("input", &shader->input);
    print_signature("output", &shader->output);
    print_declarations(&shader->program);
    for (int i = 0; i < AGPU_INSTRUCTION_COUNT; i++)
        if (facts.classes[i] != 0)
            printf("%s: %" PRIu32 "\n", agpu_instruction_class_name((enum agpu_instruction_class)i),
                   facts.classes[i]);
}

int main(int argc, char **argv)
{
    char name[] = "sample";
    const struct agpu_diag_sink sink = {print_diag, argc > 1 ? argv[1] : name};
    uint8_t *bytes = NULL;
    size_t size = 0;
    if (argc > 1)
        bytes = read_file(argv[1], &size);
    else if (agpu_assemble(sample, strlen(sample), &sink, &bytes, &size) != AGPU_OK)
        bytes = NULL;
    if (bytes == NULL)
        return EXIT_FAILURE;

    struct agpu_shader *shader = NULL;
    bool good = agpu_shader_parse(bytes, size, AGPU_PARSE_DEFAULT, &sink, &shader) == AGPU_OK;
    if (argc > 1)
        free(bytes);
    else
        agpu_free(bytes);
    if (good) {
        print_shader(shader);
        good = agpu_validate(shader, &sink) == AGPU_OK;
        printf("%s\n", good ? "valid" : "not valid");
    }
    agpu_shader_destroy(shader);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
