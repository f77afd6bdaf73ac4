/* SPDX-License-Identifier: MIT */
#include "dxbc/asm.h"

#include <ctype.h>
#include <string.h>

#include "base/bytes.h"
#include "dxbc/program.h"

#define LARGEST_TEXT ((size_t)256 * 1024 * 1024)

/* ---- Directives --------------------------------------------------------------------------------------- */

/* Two digits, or false without a report when there are none. */
static bool read_byte(struct agpu_asm *assembler, uint8_t *byte)
{
    agpu_asm_skip_blanks(assembler);
    if (assembler->length - assembler->at < 2)
        return false;
    const int high = agpu_asm_hex_digit(assembler->text[assembler->at]);
    const int low = agpu_asm_hex_digit(assembler->text[assembler->at + 1]);
    if (high < 0 || low < 0)
        return false;
    *byte = (uint8_t)(high * 16 + low);
    assembler->at += 2;
    return true;
}

/* `.chunk RDEF 120` or `.chunk ISGN`; a fourcc that is no word is written as a number. */
static bool read_chunk(struct agpu_asm *assembler)
{
    struct agpu_asm_chunk chunk = {.first = assembler->hex.count};
    const char *word;
    const size_t length = agpu_asm_word(assembler, &word);
    if (length == 4) {
        memcpy(&chunk.fourcc, word, 4);
    } else {
        assembler->at -= length;
        if (!isdigit((unsigned char)agpu_asm_peek(assembler)))
            return agpu_asm_expected(assembler, "the four letters of a chunk");
        if (!agpu_asm_number(assembler, &chunk.fourcc))
            return false;
    }
    if (!agpu_asm_at_line_end(assembler)) {
        chunk.verbatim = true;
        if (!agpu_asm_number(assembler, &chunk.size))
            return false;
    }
    return agpu_vec_push(&assembler->chunks, chunk) || agpu_asm_no_memory(assembler);
}

static bool read_hex(struct agpu_asm *assembler)
{
    if (assembler->chunks.count == 0 || !agpu_vec_last(&assembler->chunks).verbatim)
        return agpu_asm_error(assembler, AGPU_DIAG_DXBC_SYNTAX, ".hex follows a .chunk with a size only");
    uint8_t byte;
    while (read_byte(assembler, &byte))
        if (!agpu_vec_push(&assembler->hex, byte))
            return agpu_asm_no_memory(assembler);
    return true;
}

static bool read_digest(struct agpu_asm *assembler)
{
    for (size_t i = 0; i < sizeof assembler->digest; i++)
        if (!read_byte(assembler, &assembler->digest[i]))
            return agpu_asm_expected(assembler, "sixteen bytes in hexadecimal digits");
    assembler->has_digest = true;
    return true;
}

static bool check_chunks(struct agpu_asm *assembler)
{
    for (size_t i = 0; i < assembler->chunks.count; i++) {
        const struct agpu_asm_chunk *chunk = &assembler->chunks.data[i];
        const size_t end =
            i + 1 < assembler->chunks.count ? assembler->chunks.data[i + 1].first : assembler->hex.count;
        if (chunk->verbatim && end - chunk->first != chunk->size)
            return agpu_asm_error(assembler, AGPU_DIAG_DXBC_CHUNK, "chunk %zu states %u bytes and lists %zu",
                                  i, chunk->size, end - chunk->first);
    }
    return true;
}

static bool read_input(struct agpu_asm *assembler)
{
    return agpu_asm_signature_element(assembler, &assembler->input, false);
}

static bool read_output(struct agpu_asm *assembler)
{
    return agpu_asm_signature_element(assembler, &assembler->output, true);
}

static bool read_patch(struct agpu_asm *assembler)
{
    return agpu_asm_signature_element(assembler, &assembler->patch,
                                      assembler->program.stage == AGPU_STAGE_HULL);
}

bool agpu_asm_directive(struct agpu_asm *assembler)
{
    static const struct {
        const char *word;
        bool (*read)(struct agpu_asm *assembler);
    } directives[] = {
        {"in",         read_input               },
        {"out",        read_output              },
        {"patch",      read_patch               },
        {"rdef",       agpu_asm_rdef            },
        {"binding",    agpu_asm_rdef_binding    },
        {"type",       agpu_asm_rdef_type       },
        {"implements", agpu_asm_rdef_implements },
        {"member",     agpu_asm_rdef_member     },
        {"buffer",     agpu_asm_rdef_buffer     },
        {"variable",   agpu_asm_rdef_variable   },
        {"linkage",    agpu_asm_linkage         },
        {"slots",      agpu_asm_linkage_slots   },
        {"class",      agpu_asm_linkage_class   },
        {"instance",   agpu_asm_linkage_instance},
        {"stat",       agpu_asm_statistics      },
        {"features",   agpu_asm_features        },
        {"chunk",      read_chunk               },
        {"hex",        read_hex                 },
        {"digest",     read_digest              },
        {"customdata", agpu_asm_custom_data     },
        {"tokens",     agpu_asm_tokens          },
    };
    const char *word;
    const size_t start = assembler->at++;
    const size_t length = agpu_asm_word(assembler, &word);
    for (size_t i = 0; i < AGPU_COUNT_OF(directives); i++)
        if (strlen(directives[i].word) == length && memcmp(directives[i].word, word, length) == 0)
            return directives[i].read(assembler);
    assembler->at = start;
    return agpu_asm_expected(assembler, "a directive such as .in or .out");
}

/* ---- Whole texts -------------------------------------------------------------------------------------- */

bool agpu_asm_version(struct agpu_asm *assembler)
{
    agpu_asm_skip_lines(assembler);
    const char *word;
    const size_t length = agpu_asm_word(assembler, &word);
    struct agpu_program *program = &assembler->program;
    bool good = length == 6 && word[2] == '_' && word[4] == '_' && isdigit((unsigned char)word[3]) &&
                isdigit((unsigned char)word[5]);
    if (good) {
        uint32_t stage = 0;
        while (stage < AGPU_STAGE_COUNT && memcmp(word, agpu_stage_name((enum agpu_stage)stage), 2) != 0)
            stage++;
        program->stage = (enum agpu_stage)stage;
        program->major = (uint8_t)(word[3] - '0');
        program->minor = (uint8_t)(word[5] - '0');
        good = agpu_is_version_token(stage << 16 | (uint32_t)program->major << 4 | program->minor);
    }
    if (!good) {
        assembler->at -= length;
        return agpu_asm_expected(assembler, "a version such as vs_4_0 or ps_5_0");
    }
    const bool tessellates = program->stage == AGPU_STAGE_HULL || program->stage == AGPU_STAGE_DOMAIN;
    return program->major >= 5 || !tessellates ||
           agpu_asm_error_at(assembler, assembler->at - length, AGPU_DIAG_DXBC_MODEL, "there is no %.6s",
                             word);
}

static bool read_text(struct agpu_asm *assembler)
{
    if (!agpu_asm_version(assembler) || !agpu_asm_expect_line_end(assembler))
        return false;
    agpu_program_encode_begin(&assembler->writer, &assembler->program);
    for (agpu_asm_skip_lines(assembler); assembler->at < assembler->length; agpu_asm_skip_lines(assembler)) {
        const bool directive = agpu_asm_peek(assembler) == '.';
        if (!(directive ? agpu_asm_directive(assembler) : agpu_asm_statement(assembler)) ||
            !agpu_asm_expect_line_end(assembler))
            return false;
    }
    if (assembler->open_comment)
        return false;
    agpu_program_encode_end(&assembler->writer);
    if (assembler->writer.failed)
        return agpu_asm_no_memory(assembler);
    return check_chunks(assembler);
}

enum agpu_status agpu_assemble(const char *text, size_t length, const struct agpu_diag_sink *sink,
                               uint8_t **bytes, size_t *size)
{
    *bytes = NULL;
    *size = 0;
    struct agpu_asm assembler;
    agpu_asm_init(&assembler, text, length, sink);
    enum agpu_status status = AGPU_REFUSED;
    if (length > LARGEST_TEXT)
        agpu_asm_error(&assembler, AGPU_DIAG_DXBC_LIMIT, "a text of %zu bytes is too long", length);
    else if (read_text(&assembler))
        status = agpu_asm_build(&assembler, bytes, size);
    else if (assembler.out_of_memory)
        status = AGPU_NO_MEMORY;
    agpu_asm_fini(&assembler);
    return status;
}
