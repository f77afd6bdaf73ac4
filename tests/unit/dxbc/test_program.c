/* SPDX-License-Identifier: MIT */
#include "support.h"

#include "base/bytes.h"
#include "dxbc/encode.h"

/* ---- The worked encodings of dxbc-format 4.7 ---------------------------------------------------------- */

struct worked {
    uint32_t version;
    const char *text;
    uint32_t count;
    uint32_t tokens[18];
};

static const struct worked worked[] = {
    {PS_5_0, "if_nz r0.x",                                                                                  3,  {0x0304001f, 0x0010000a, 0}        },
    {PS_5_0,
     "mov r0.xyzw, cb0[r1.x + 4].xyzw",                                                                     8,
     {0x08000036, 0x001000f2, 0, 0x06208e46, 0, 4, 0x0010000a, 1}                                                                                  },
    {PS_5_0,
     "add [precise(xy)] r2.xy, |r0.xyxx|, -|r1.zwzz|",                                                      9,
     {0x09180000, 0x00100032, 2, 0x80100046, 0x81, 0, 0x80100ae6, 0xc1, 1}                                                                         },
    {PS_5_0, "dcl_resource_texture2d (float,float,float,float) t0",                                         4,  {0x04001858, 0x00107000, 0, 0x5555}},
    {PS_5_0, "dcl_constantbuffer CB0[4], dynamicIndexed",                                                   4,  {0x04000859, 0x00208e46, 0, 4}     },
    {PS_5_0,
     "sample_aoffimmi_indexable(-1,2,0)(texture2d)(float,float,float,float) r0.xyzw, v0.xyxx, t1.xyzw, s2", 12,
     {0x8c000045, 0x80005e01, 0x800000c2, 0x00155543, 0x001000f2, 0, 0x00101046, 0, 0x00107e46, 1, 0x00106000,
      2}                                                                                                                                           },
    {PS_5_1,
     "dcl_constantbuffer CB0[2:2][4], immediateIndexed, space=1",                                           7,
     {0x07000059, 0x00308e46, 0, 2, 2, 4, 1}                                                                                                       },
    {PS_5_1,
     "sample r0.xyzw, v1.xyxx, T0[0].xyzw, S0[0]",                                                          11,
     {0x0b000045, 0x001000f2, 0, 0x00101046, 1, 0x00207e46, 0, 0, 0x00206000, 0, 0}                                                                },
};

static void worked_encodings_list_as_their_text(void **state)
{
    (void)state;
    for (size_t i = 0; i < AG_COUNT_OF(worked); i++) {
        struct agpu_shader *shader;
        assert_int_equal(parse_tokens(worked[i].version, worked[i].tokens, worked[i].count, NULL, &shader),
                         AGPU_OK);
        assert_int_equal(shader->program.instruction_count, 1);
        char *text;
        size_t length;
        assert_int_equal(agpu_disassemble(shader, AGPU_DISASM_DEFAULT, NULL, &text, &length), AGPU_OK);
        char *line = strchr(text, '\n') + 1;
        *strchr(line, '\n') = '\0';
        assert_string_equal(line, worked[i].text);
        agpu_free(text);
        agpu_shader_destroy(shader);
    }
}

static void worked_encodings_assemble(void **state)
{
    (void)state;
    for (size_t i = 0; i < AG_COUNT_OF(worked); i++) {
        char text[256];
        snprintf(text, sizeof text, "ps_5_%u\n%s\n", worked[i].version & 0xf, worked[i].text);
        uint8_t *bytes;
        size_t size;
        assert_int_equal(agpu_assemble(text, strlen(text), NULL, &bytes, &size), AGPU_OK);
        struct agpu_shader *shader;
        assert_int_equal(agpu_shader_parse(bytes, size, AGPU_PARSE_DEFAULT, NULL, &shader), AGPU_OK);
        assert_int_equal(shader->program.token_count, worked[i].count + 2);
        assert_memory_equal(shader->program.tokens + 2, worked[i].tokens, worked[i].count * 4);
        agpu_shader_destroy(shader);
        agpu_free(bytes);
    }
}

static void fields_are_decoded(void **state)
{
    (void)state;
    struct agpu_shader *shader;
    assert_int_equal(parse_tokens(PS_5_0, worked[2].tokens, worked[2].count, NULL, &shader), AGPU_OK);
    const struct agpu_instruction *add = &shader->program.instructions[0];
    assert_int_equal(add->opcode, AGPU_OP_ADD);
    assert_int_equal(add->offset, 2);
    assert_int_equal(add->length, 9);
    assert_int_equal(add->precise, 3);
    assert_false(add->saturate);
    assert_int_equal(add->operands[0].mask, 3);
    assert_int_equal(add->operands[0].index[0].immediate, 2);
    assert_int_equal(add->operands[1].modifier, AGPU_MODIFIER_ABSOLUTE);
    assert_int_equal(add->operands[2].modifier, AGPU_MODIFIER_NEGATE_ABSOLUTE);
    static const uint8_t zwzz[4] = {2, 3, 2, 2};
    assert_memory_equal(add->operands[2].swizzle, zwzz, 4);
    agpu_shader_destroy(shader);

    assert_int_equal(parse_tokens(PS_5_0, worked[5].tokens, worked[5].count, NULL, &shader), AGPU_OK);
    const struct agpu_instruction *sample = &shader->program.instructions[0];
    assert_true(sample->has_offsets);
    assert_int_equal(sample->offsets[0], -1);
    assert_int_equal(sample->offsets[1], 2);
    assert_int_equal(sample->offsets[2], 0);
    assert_true(sample->has_dimension);
    assert_int_equal(sample->dimension, AGPU_DIMENSION_TEXTURE2D);
    assert_int_equal(sample->return_type[3], AGPU_RETURN_FLOAT);
    agpu_shader_destroy(shader);

    assert_int_equal(parse_tokens(PS_5_0, worked[1].tokens, worked[1].count, NULL, &shader), AGPU_OK);
    const struct agpu_operand *cb = &shader->program.instructions[0].operands[1];
    assert_null(cb->index[0].relative);
    assert_int_equal(cb->index[1].immediate, 4);
    assert_int_equal(cb->index[1].relative->type, AGPU_OPERAND_TEMP);
    assert_int_equal(cb->index[1].relative->selection, AGPU_SELECT_ONE);
    assert_int_equal(cb->index[1].relative->index[0].immediate, 1);
    agpu_shader_destroy(shader);
}

/* ---- Odd but right ------------------------------------------------------------------------------------ */

static void stray_dwords_are_kept(void **state)
{
    (void)state;
    /* samplepos r0.x, rasterizer.x, l(0) with two dwords behind its operands */
    static const uint32_t tokens[] = {0x0800006e, 0x00100012, 0, 0x0000e00a, 0x00004001, 0, 0x2000, 7};
    struct agpu_shader *shader;
    assert_int_equal(parse_tokens(0x41, tokens, AG_COUNT_OF(tokens), NULL, &shader), AGPU_OK);
    const struct agpu_instruction *samplepos = &shader->program.instructions[0];
    assert_int_equal(samplepos->stray_count, 2);
    assert_int_equal(samplepos->stray[0], 0x2000);
    struct ag_token_writer writer = {0};
    ag_program_encode(&writer, &shader->program);
    assert_int_equal(writer.tokens.count, AG_COUNT_OF(tokens) + 2);
    assert_memory_equal(writer.tokens.data + 2, tokens, sizeof tokens);
    ag_token_writer_fini(&writer);
    agpu_shader_destroy(shader);
}

static void long_function_tables_are_read(void **state)
{
    (void)state;
    uint32_t tokens[134] = {0x80000091, 134, 5, 130};
    for (uint32_t i = 0; i < 130; i++)
        tokens[4 + i] = i;
    struct agpu_shader *shader;
    assert_int_equal(parse_tokens(PS_5_0, tokens, AG_COUNT_OF(tokens), NULL, &shader), AGPU_OK);
    const struct agpu_instruction *table = &shader->program.instructions[0];
    assert_int_equal(table->opcode, AGPU_OP_DCL_FUNCTION_TABLE);
    assert_int_equal(table->length, 134);
    assert_int_equal(table->data_count, 132);
    assert_int_equal(table->data[0], 5);
    struct ag_token_writer writer = {0};
    ag_program_encode(&writer, &shader->program);
    assert_memory_equal(writer.tokens.data + 2, tokens, sizeof tokens);
    ag_token_writer_fini(&writer);
    agpu_shader_destroy(shader);
}

static void customdata_keeps_its_class_and_content(void **state)
{
    (void)state;
    static const uint32_t tokens[] = {53 | 3 << 11, 6, 1, 2, 3, 4, 53 | 2 << 11, 2, 0x0100003e};
    struct agpu_shader *shader;
    assert_int_equal(parse_tokens(PS_4_0, tokens, AG_COUNT_OF(tokens), NULL, &shader), AGPU_OK);
    assert_int_equal(shader->program.instruction_count, 3);
    assert_int_equal(shader->program.instructions[0].controls, AGPU_CUSTOM_IMMEDIATE_CONSTANT_BUFFER);
    assert_int_equal(shader->program.instructions[0].data_count, 4);
    assert_int_equal(shader->program.instructions[0].data[3], 4);
    assert_int_equal(shader->program.instructions[1].controls, AGPU_CUSTOM_OPAQUE);
    assert_int_equal(shader->program.instructions[1].data_count, 0);
    assert_int_equal(shader->program.instructions[2].opcode, AGPU_OP_RET);
    agpu_shader_destroy(shader);
}

static void global_flags_are_collected(void **state)
{
    (void)state;
    static const uint32_t tokens[] = {0x0100006a | 1u << 11 | 1u << 13, 0x0100003e};
    struct agpu_shader *shader;
    assert_int_equal(parse_tokens(PS_5_0, tokens, AG_COUNT_OF(tokens), NULL, &shader), AGPU_OK);
    assert_int_equal(shader->program.global_flags,
                     AGPU_GLOBAL_REFACTORING_ALLOWED | AGPU_GLOBAL_FORCE_EARLY_DEPTH_STENCIL);
    assert_int_equal(shader->program.stage, AGPU_STAGE_PIXEL);
    assert_int_equal(shader->program.major, 5);
    agpu_shader_destroy(shader);
}

/* ---- Malformed ---------------------------------------------------------------------------------------- */

static void malformed_programs_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *slug;
        uint32_t dword; /* where the problem is reported, from the version token */
        uint32_t count;
        uint32_t tokens[10];
    } cases[] = {
        {"dxbc.opcode",    2, 1, {0x0100006b}                              }, /* 107 is a hole */
        {"dxbc.opcode",    2, 1, {0x010000eb}                              }, /* 235 is past the table */
        {"dxbc.opcode",    3, 2, {0x0100003e, 0x0000003e}                  }, /* length 0 */
        {"dxbc.truncated", 2, 1, {0x0300001f}                              }, /* past the end */
        {"dxbc.truncated", 3, 1, {0x0100001f}                              }, /* no operand */
        {"dxbc.truncated", 4, 2, {0x0204001f, 0x0010000a}                  }, /* no index */
        {"dxbc.operand",   3, 3, {0x0304001f, 0x0010000b, 0}               }, /* component count 3 */
        {"dxbc.operand",   3, 3, {0x0304001f, 0x0010000e, 0}               }, /* selection mode 3 */
        {"dxbc.operand",   3, 3, {0x0304001f, 0x0012b00a, 0}               }, /* operand type 43 */
        {"dxbc.operand",   4, 3, {0x0304001f, 0x0150000a, 0}               }, /* representation 5 */
        {"dxbc.operand",   3, 2, {0x0204001f, 0x0000000a}                  }, /* r without a number */
        {"dxbc.operand",   3, 5, {0x05000036, 0x0010000a, 0, 0x0010000a, 0}}, /* destination without mask */
        {"dxbc.operand",   3, 3, {0x0300005a, 0x00100000, 0}               }, /* dcl_sampler r0 */
        {"dxbc.model",     2, 3, {0x03000075, 0x00110000, 0}               }, /* emit_stream outside gs */
        {"dxbc.opcode",    2, 2, {53, 1}                                   }, /* customdata shorter than its header */
        {"dxbc.truncated", 2, 2, {53, 3}                                   },
        {"dxbc.truncated", 3, 1, {0x01000068}                              }, /* dcl_temps without a count */
        {"dxbc.opcode",    2, 3, {0x03000091, 0, 2}                        }, /* table that lists too little */
    };
    for (size_t i = 0; i < AG_COUNT_OF(cases); i++) {
        struct last_diag last;
        const struct agpu_diag_sink sink = sink_of(&last);
        struct agpu_shader *shader;
        assert_int_equal(parse_tokens(PS_5_0, cases[i].tokens, cases[i].count, &sink, &shader), AGPU_REFUSED);
        assert_null(shader);
        assert_int_equal(last.errors, 1);
        assert_string_equal(agpu_diag_slug(last.diag.code), cases[i].slug);
        assert_int_equal(last.diag.place.offset, cases[i].dword * 4);
    }
}

static void nesting_is_bounded(void **state)
{
    (void)state;
    /* mov r0.x, x0[x0[x0[...]]]: each level is an operand token and an index */
    uint32_t tokens[64] = {0, 0x00100012, 0};
    uint32_t count = 3;
    for (uint32_t level = 0; level < 8; level++) {
        tokens[count++] = 0x0020300a | 2u << 25; /* second index relative */
        tokens[count++] = 0;
    }
    tokens[count++] = 0x0010000a;
    tokens[count++] = 0;
    tokens[0] = 0x36 | count << 24;
    struct last_diag last;
    const struct agpu_diag_sink sink = sink_of(&last);
    struct agpu_shader *shader;
    assert_int_equal(parse_tokens(PS_5_0, tokens, count, &sink, &shader), AGPU_REFUSED);
    assert_string_equal(agpu_diag_slug(last.diag.code), "dxbc.operand");
}

/* ---- The opcode table --------------------------------------------------------------------------------- */

static void opcode_rows_are_what_the_format_says(void **state)
{
    (void)state;
    assert_null(agpu_opcode_info(107));
    assert_null(agpu_opcode_info(112));
    assert_null(agpu_opcode_info(209));
    assert_null(agpu_opcode_info(218));
    assert_null(agpu_opcode_info(235));
    const struct agpu_opcode_info *imul = agpu_opcode_info(38);
    assert_string_equal(imul->mnemonic, "imul");
    assert_int_equal(imul->operand_count, 4);
    assert_int_equal(imul->destination_count, 2);
    const struct agpu_opcode_info *store = agpu_opcode_info(168);
    assert_string_equal(store->mnemonic, "store_structured");
    assert_int_equal(store->destination_count, 1);
    const struct agpu_opcode_info *ret = agpu_opcode_info(62);
    assert_int_equal(ret->operand_count, 0);
    assert_int_equal(ret->destination_count, 0);
    const struct agpu_opcode_info *sample = agpu_opcode_info(232);
    assert_string_equal(sample->mnemonic, "sample_d_cl_s");
    assert_int_equal(sample->operand_count, 8);
    assert_int_equal(sample->destination_count, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worked_encodings_list_as_their_text),
        cmocka_unit_test(worked_encodings_assemble),
        cmocka_unit_test(fields_are_decoded),
        cmocka_unit_test(stray_dwords_are_kept),
        cmocka_unit_test(long_function_tables_are_read),
        cmocka_unit_test(customdata_keeps_its_class_and_content),
        cmocka_unit_test(global_flags_are_collected),
        cmocka_unit_test(malformed_programs_are_refused),
        cmocka_unit_test(nesting_is_bounded),
        cmocka_unit_test(opcode_rows_are_what_the_format_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
