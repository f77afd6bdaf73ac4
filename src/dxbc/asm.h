/* SPDX-License-Identifier: MIT
 *
 * What the assembler's files share. The assembler reads listings back to tokens.
 *
 * A function that reads text reports what was expected and returns false when the text is something else; the
 * first error ends the assembly.
 */
#ifndef AG_DXBC_ASM_H
#define AG_DXBC_ASM_H

#include "aerogpu/dxbc.h"
#include "base/arena.h"
#include "base/map.h"
#include "base/strbuf.h"
#include "dxbc/class_linkage.h"
#include "dxbc/encode.h"
#include "dxbc/names.h"

/* A `.chunk` directive: the chunk's place in the container, and its bytes if no directive describes them. */
struct ag_asm_chunk {
    uint32_t fourcc;
    bool verbatim; /* the size was given, and the bytes follow as `.hex` lines */
    uint32_t size; /* the given size */
    size_t first;  /* the index of the first byte in ag_asm.hex */
};

typedef AG_VEC(struct agpu_signature_element) ag_element_vec;

/* Reflection data while its directives are read. Arrays move as they grow, so records hold indices. */
struct ag_asm_type {
    struct agpu_rdef_type *type;
    size_t first_member, first_interface;
    uint32_t depth;
    bool shares_members;
};

struct ag_asm_buffer {
    struct agpu_rdef_cbuffer buffer;
    size_t first_variable;
};

struct ag_asm_rdef {
    bool present;
    struct agpu_rdef rdef;
    AG_VEC(struct agpu_rdef_binding) bindings;
    AG_VEC(struct ag_asm_type) types;
    struct ag_map type_numbers; /* number + 1 -> index + 1 */
    AG_VEC(struct agpu_rdef_member) members;
    AG_VEC(const struct agpu_rdef_type *) interfaces;
    AG_VEC(struct ag_asm_buffer) buffers;
    AG_VEC(struct agpu_rdef_cbuffer) cbuffers; /* of the finished data */
    AG_VEC(struct agpu_rdef_variable) variables;
};

struct ag_asm {
    /* The position in the text. */
    const char *text;
    size_t length;
    size_t at;
    uint32_t line; /* counted from 1 */
    size_t line_start;
    const struct agpu_diag_sink *sink;
    bool open_comment; /* an unterminated comment was reported; the text is refused */
    bool out_of_memory;

    struct ag_arena names;   /* strings that stay until the end */
    struct ag_arena scratch; /* operands nested in indices of the current instruction */
    struct agpu_program program;
    struct ag_token_writer writer;
    AG_VEC(uint32_t) data; /* dwords of the current declaration or custom data */

    ag_element_vec input, output, patch;
    struct ag_asm_rdef rdef;
    bool has_linkage;
    struct ag_class_linkage linkage;
    AG_VEC(uint32_t) statistics; /* dwords of `.stat` */
    bool has_statistics, has_features;
    uint64_t features; /* bits of `.features` */
    AG_VEC(struct ag_asm_chunk) chunks;
    AG_VEC(uint8_t) hex;
    bool has_digest;
    uint8_t digest[16];
};

/* ---- Lexer -------------------------------------------------------------------------------------------- */

void ag_asm_init(struct ag_asm *assembler, const char *text, size_t length,
                 const struct agpu_diag_sink *sink);
void ag_asm_fini(struct ag_asm *assembler);

/* Reports an error at the current position; ag_asm_error_at() reports one at offset `at` of the current line.
 * Both return false. */
bool ag_asm_error(const struct ag_asm *assembler, enum agpu_diag_code code, const char *format, ...)
    AG_PRINTF(3, 4);
bool ag_asm_error_at(const struct ag_asm *assembler, size_t at, enum agpu_diag_code code, const char *format,
                     ...) AG_PRINTF(4, 5);

/* Reports "expected `what`" and quotes the text that was found instead. Returns false. */
bool ag_asm_expected(const struct ag_asm *assembler, const char *what);
bool ag_asm_no_memory(struct ag_asm *assembler);

/* The next character, which is not consumed; '\0' at the end. */
char ag_asm_peek(const struct ag_asm *assembler);

/* Skips blanks and comments within a line; ag_asm_skip_lines() skips ends of lines, too. */
void ag_asm_skip_blanks(struct ag_asm *assembler);
void ag_asm_skip_lines(struct ag_asm *assembler);
bool ag_asm_at_line_end(struct ag_asm *assembler);
bool ag_asm_expect_line_end(struct ag_asm *assembler);

/* Accepts punctuation after optional blanks. A blank in `text` stands for any number of blanks. After a comma
 * the text may continue in the next line. */
bool ag_asm_accept(struct ag_asm *assembler, const char *text);
bool ag_asm_expect(struct ag_asm *assembler, const char *text);

/* Reads letters, digits and '_'; returns how many, which may be 0. */
size_t ag_asm_word(struct ag_asm *assembler, const char **word);

/* Reads a decimal or hexadecimal number. */
bool ag_asm_number(struct ag_asm *assembler, uint32_t *value);

/* Reads decimal digits, whatever follows: "v12.xyz". */
bool ag_asm_register_number(struct ag_asm *assembler, uint32_t *value);

bool ag_asm_signed(struct ag_asm *assembler, int32_t least, int32_t most, int32_t *value);

/* Reads a literal of any type as 32 or 64 bits. `*is_integer` says that the literal was a decimal integer. */
bool ag_asm_bits(struct ag_asm *assembler, uint32_t *bits, bool *is_integer);
bool ag_asm_double_bits(struct ag_asm *assembler, uint64_t *bits);

/* The value of a digit in upper or lower case, or -1. */
int ag_asm_hex_digit(char c);

/* Reads text in quotes into the assembler's memory; "\x41" is the escape for a character. */
bool ag_asm_string(struct ag_asm *assembler, const char **text);

/* An option at the end of a directive: `word=number`, or just the word if the option is a bit. */
struct ag_asm_option {
    const char *word;
    uint32_t *value;
    uint32_t bit;
};

/* Reads options in any order, up to the end of the line or a word that is not an option. */
bool ag_asm_options(struct ag_asm *assembler, const struct ag_asm_option *options, size_t count);

/* Reads a word of a list, or a number. */
bool ag_asm_name(struct ag_asm *assembler, const struct ag_name_list *names, uint32_t *value);

/* ---- Directives --------------------------------------------------------------------------------------- */

/* Reads a directive, dot included. */
bool ag_asm_directive(struct ag_asm *assembler);

/* Read what follows `.rdef`, `.binding`, `.type`, `.implements`, `.member`, `.buffer` and `.variable`; see
 * dxbc/rdef_text.h. */
bool ag_asm_rdef(struct ag_asm *assembler);
bool ag_asm_rdef_binding(struct ag_asm *assembler);
bool ag_asm_rdef_type(struct ag_asm *assembler);
bool ag_asm_rdef_implements(struct ag_asm *assembler);
bool ag_asm_rdef_member(struct ag_asm *assembler);
bool ag_asm_rdef_buffer(struct ag_asm *assembler);
bool ag_asm_rdef_variable(struct ag_asm *assembler);

/* The reflection data read so far; valid until the next directive or the end of the assembler. */
const struct agpu_rdef *ag_asm_rdef_finish(struct ag_asm *assembler);

/* Read what follows `.linkage`, `.slots`, `.class` and `.instance`; see dxbc/class_linkage.h. */
bool ag_asm_linkage(struct ag_asm *assembler);
bool ag_asm_linkage_slots(struct ag_asm *assembler);
bool ag_asm_linkage_class(struct ag_asm *assembler);
bool ag_asm_linkage_instance(struct ag_asm *assembler);

/* Read what follows `.stat` and `.features`. */
bool ag_asm_statistics(struct ag_asm *assembler);
bool ag_asm_features(struct ag_asm *assembler);

/* ---- Statements --------------------------------------------------------------------------------------- */

enum ag_asm_role {
    AG_ASM_DESTINATION,
    AG_ASM_SOURCE,
    AG_ASM_DECLARED,
};

/* Reads an operand. `kind` is the second letter of its entry in the opcode table. */
bool ag_asm_operand(struct ag_asm *assembler, enum ag_asm_role role, char kind, struct agpu_operand *operand);

/* Reads one statement (an instruction, a declaration or custom data) and appends its tokens. */
bool ag_asm_statement(struct ag_asm *assembler);

/* Reads what follows the mnemonic of a declaration. `suffix` is what is attached to the mnemonic. */
bool ag_asm_declaration(struct ag_asm *assembler, const char *suffix, size_t suffix_length,
                        struct agpu_instruction *declaration, struct agpu_operand *operand);

/* Reads "(float,float,float,float)". */
bool ag_asm_return_types(struct ag_asm *assembler, uint8_t types[4]);

/* Read the content of `.customdata` and `.tokens`. */
bool ag_asm_custom_data(struct ag_asm *assembler);
bool ag_asm_tokens(struct ag_asm *assembler);

/* Reads what follows `.in`, `.out` and `.patch`. */
bool ag_asm_signature_element(struct ag_asm *assembler, ag_element_vec *elements, bool outputs);

/* ---- Containers --------------------------------------------------------------------------------------- */

/* Appends the data of a chunk that directives describe, if the text has what the chunk needs. `features` are
 * the feature bits of the program. False, without a report, for any other chunk. */
bool ag_asm_chunk_content(struct ag_asm *assembler, uint32_t fourcc, uint64_t features,
                          struct ag_strbuf *out);

/* Builds the container: header, checksum and all chunks. */
enum agpu_status ag_asm_build(struct ag_asm *assembler, uint8_t **bytes, size_t *size);

#endif
