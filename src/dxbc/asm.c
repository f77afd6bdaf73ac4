/* SPDX-License-Identifier: MIT
 *
 * Assembles a whole listing: reads line after line and dispatches directives and statements.
 */
#include "dxbc/asm.h"

#include <ctype.h>
#include <string.h>

#include "base/bytes.h"
#include "dxbc/program.h"

#define LARGEST_TEXT ((size_t)256 * 1024 * 1024)

/* ---- Directives --------------------------------------------------------------------------------------- */

/* Reads two hexadecimal digits; false, without a report, when there are none. */
static bool read_byte(struct ag_asm *assembler, uint8_t *byte)
{
    ag_asm_skip_blanks(assembler);
    if (assembler->length - assembler->at < 2)
        return false;
    const int high = ag_asm_hex_digit(assembler->text[assembler->at]);
    const int low = ag_asm_hex_digit(assembler->text[assembler->at + 1]);
    if (high < 0 || low < 0)
        return false;
    *byte = (uint8_t)(high * 16 + low);
    assembler->at += 2;
    return true;
}

/* Reads `.chunk RDEF 120` or `.chunk ISGN`. A fourcc that is not a word of letters is written as a number. */
static bool read_chunk(struct ag_asm *assembler)
{
    struct ag_asm_chunk chunk = {.first = assembler->hex.count};
    const char *word;
    const size_t length = ag_asm_word(assembler, &word);
    if (length == 4) {
        memcpy(&chunk.fourcc, word, 4);
    } else {
        assembler->at -= length;
        if (!isdigit((unsigned char)ag_asm_peek(assembler)))
            return ag_asm_expected(assembler, "the four letters of a chunk");
        if (!ag_asm_number(assembler, &chunk.fourcc))
            return false;
    }
    if (!ag_asm_at_line_end(assembler)) {
        chunk.verbatim = true;
        if (!ag_asm_number(assembler, &chunk.size))
            return false;
    }
    return ag_vec_push(&assembler->chunks, chunk) || ag_asm_no_memory(assembler);
}

static bool read_hex(struct ag_asm *assembler)
{
    if (assembler->chunks.count == 0 || !ag_vec_last(&assembler->chunks).verbatim)
        return ag_asm_error(assembler, AGPU_DIAG_DXBC_SYNTAX, ".hex follows a .chunk with a size only");
    uint8_t byte;
    while (read_byte(assembler, &byte))
        if (!ag_vec_push(&assembler->hex, byte))
            return ag_asm_no_memory(assembler);
    return true;
}

static bool read_digest(struct ag_asm *assembler)
{
    for (size_t i = 0; i < sizeof assembler->digest; i++)
        if (!read_byte(assembler, &assembler->digest[i]))
            return ag_asm_expected(assembler, "sixteen bytes in hexadecimal digits");
    assembler->has_digest = true;
    return true;
}

static bool check_chunks(struct ag_asm *assembler)
{
    for (size_t i = 0; i < assembler->chunks.count; i++) {
        const struct ag_asm_chunk *chunk = &assembler->chunks.data[i];
        const size_t end =
            i + 1 < assembler->chunks.count ? assembler->chunks.data[i + 1].first : assembler->hex.count;
        if (chunk->verbatim && end - chunk->first != chunk->size)
            return ag_asm_error(assembler, AGPU_DIAG_DXBC_CHUNK, "chunk %zu states %u bytes and lists %zu", i,
                                chunk->size, end - chunk->first);
    }
    return true;
}

static bool read_input(struct ag_asm *assembler)
{
    return ag_asm_signature_element(assembler, &assembler->input, false);
}

static bool read_output(struct ag_asm *assembler)
{
    return ag_asm_signature_element(assembler, &assembler->output, true);
}

static bool read_patch(struct ag_asm *assembler)
{
    return ag_asm_signature_element(assembler, &assembler->patch,
                                    assembler->program.stage == AGPU_STAGE_HULL);
}

bool ag_asm_directive(struct ag_asm *assembler)
{
    static const struct {
        const char *word;
        bool (*read)(struct ag_asm *assembler);
    } directives[] = {
        {"in",         read_input             },
        {"out",        read_output            },
        {"patch",      read_patch             },
        {"rdef",       ag_asm_rdef            },
        {"binding",    ag_asm_rdef_binding    },
        {"type",       ag_asm_rdef_type       },
        {"implements", ag_asm_rdef_implements },
        {"member",     ag_asm_rdef_member     },
        {"buffer",     ag_asm_rdef_buffer     },
        {"variable",   ag_asm_rdef_variable   },
        {"linkage",    ag_asm_linkage         },
        {"slots",      ag_asm_linkage_slots   },
        {"class",      ag_asm_linkage_class   },
        {"instance",   ag_asm_linkage_instance},
        {"stat",       ag_asm_statistics      },
        {"features",   ag_asm_features        },
        {"chunk",      read_chunk             },
        {"hex",        read_hex               },
        {"digest",     read_digest            },
        {"customdata", ag_asm_custom_data     },
        {"tokens",     ag_asm_tokens          },
    };
    const char *word;
    const size_t start = assembler->at++;
    const size_t length = ag_asm_word(assembler, &word);
    for (size_t i = 0; i < AG_COUNT_OF(directives); i++)
        if (strlen(directives[i].word) == length && memcmp(directives[i].word, word, length) == 0)
            return directives[i].read(assembler);
    assembler->at = start;
    return ag_asm_expected(assembler, "a directive such as .in or .out");
}

/* ---- Whole texts -------------------------------------------------------------------------------------- */

/* Reads a version such as "vs_4_0". */
static bool read_version(struct ag_asm *assembler)
{
    ag_asm_skip_lines(assembler);
    const char *word;
    const size_t length = ag_asm_word(assembler, &word);
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
        good = ag_is_version_token(stage << 16 | (uint32_t)program->major << 4 | program->minor);
    }
    if (!good) {
        assembler->at -= length;
        return ag_asm_expected(assembler, "a version such as vs_4_0 or ps_5_0");
    }
    const bool tessellates = program->stage == AGPU_STAGE_HULL || program->stage == AGPU_STAGE_DOMAIN;
    return program->major >= 5 || !tessellates ||
           ag_asm_error_at(assembler, assembler->at - length, AGPU_DIAG_DXBC_MODEL, "there is no %.6s", word);
}

static bool read_text(struct ag_asm *assembler)
{
    if (!read_version(assembler) || !ag_asm_expect_line_end(assembler))
        return false;
    ag_program_encode_begin(&assembler->writer, &assembler->program);
    for (ag_asm_skip_lines(assembler); assembler->at < assembler->length; ag_asm_skip_lines(assembler)) {
        const bool directive = ag_asm_peek(assembler) == '.';
        if (!(directive ? ag_asm_directive(assembler) : ag_asm_statement(assembler)) ||
            !ag_asm_expect_line_end(assembler))
            return false;
    }
    if (assembler->open_comment)
        return false;
    ag_program_encode_end(&assembler->writer);
    if (assembler->writer.failed)
        return ag_asm_no_memory(assembler);
    return check_chunks(assembler);
}

enum agpu_status agpu_assemble(const char *text, size_t length, const struct agpu_diag_sink *sink,
                               uint8_t **bytes, size_t *size)
{
    *bytes = NULL;
    *size = 0;
    struct ag_asm assembler;
    ag_asm_init(&assembler, text, length, sink);
    enum agpu_status status = AGPU_REFUSED;
    if (length > LARGEST_TEXT)
        ag_asm_error(&assembler, AGPU_DIAG_DXBC_LIMIT, "a text of %zu bytes is too long", length);
    else if (read_text(&assembler))
        status = ag_asm_build(&assembler, bytes, size);
    else if (assembler.out_of_memory)
        status = AGPU_NO_MEMORY;
    ag_asm_fini(&assembler);
    return status;
}
