/* SPDX-License-Identifier: MIT
 *
 * The assembler's parts: reading listings back to tokens.
 *
 * Functions that read text return false after they have reported what was expected; the first error ends the
 * assembly.
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

/* A `.chunk` directive: a place in the container, and its bytes where it has no listing form. */
struct ag_asm_chunk {
    uint32_t fourcc;
    bool verbatim; /* the size was stated, the bytes follow as `.hex` lines */
    uint32_t size; /* the stated size */
    size_t first;  /* of its bytes in ag_asm.hex */
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
    /* Where reading stands. */
    const char *text;
    size_t length;
    size_t at;
    uint32_t line; /* from 1 */
    size_t line_start;
    const struct agpu_diag_sink *sink;
    bool open_comment; /* reported; a text that ends in one is refused */
    bool out_of_memory;

    struct ag_arena names;   /* names, types and values that stay to the end */
    struct ag_arena scratch; /* operands nested in indices, of the current instruction */
    struct agpu_program program;
    struct ag_token_writer writer;
    AG_VEC(uint32_t) data; /* dwords of the current declaration or custom data */

    ag_element_vec input, output, patch;
    struct ag_asm_rdef rdef;
    bool has_linkage;
    struct ag_class_linkage linkage;
    AG_VEC(uint32_t) statistics; /* of `.stat` */
    bool has_statistics, has_features;
    uint64_t features; /* of `.features` */
    AG_VEC(struct ag_asm_chunk) chunks;
    AG_VEC(uint8_t) hex;
    bool has_digest;
    uint8_t digest[16];
};

/* ---- Lexer -------------------------------------------------------------------------------------------- */

void ag_asm_init(struct ag_asm *assembler, const char *text, size_t length,
                 const struct agpu_diag_sink *sink);
void ag_asm_fini(struct ag_asm *assembler);

/* Reports an error at the current place, or at `at` of the current line. Returns false. */
bool ag_asm_error(const struct ag_asm *assembler, enum agpu_diag_code code, const char *format, ...)
    AG_PRINTF(3, 4);
bool ag_asm_error_at(const struct ag_asm *assembler, size_t at, enum agpu_diag_code code, const char *format,
                     ...) AG_PRINTF(4, 5);

/* "expected `what`", quoting what stands there instead. Returns false. */
bool ag_asm_expected(const struct ag_asm *assembler, const char *what);
bool ag_asm_no_memory(struct ag_asm *assembler);

/* The next character without moving, or '\0' at the end. */
char ag_asm_peek(const struct ag_asm *assembler);

/* Blanks and comments inside a line; with `lines` also line ends. */
void ag_asm_skip_blanks(struct ag_asm *assembler);
void ag_asm_skip_lines(struct ag_asm *assembler);
bool ag_asm_at_line_end(struct ag_asm *assembler);
bool ag_asm_expect_line_end(struct ag_asm *assembler);

/* Punctuation, blanks in front of it skipped. A blank in `text` stands for any number of blanks. After a
 * comma the text may go on in the next line. */
bool ag_asm_accept(struct ag_asm *assembler, const char *text);
bool ag_asm_expect(struct ag_asm *assembler, const char *text);

/* Letters, digits and '_', as they stand; 0 when there are none. */
size_t ag_asm_word(struct ag_asm *assembler, const char **word);

/* Decimal or hexadecimal digits. */
bool ag_asm_number(struct ag_asm *assembler, uint32_t *value);

/* Decimal digits, whatever follows them: "v12.xyz". */
bool ag_asm_register_number(struct ag_asm *assembler, uint32_t *value);

bool ag_asm_signed(struct ag_asm *assembler, int32_t least, int32_t most, int32_t *value);

/* A literal of any type as 32 or 64 bits. `*is_integer` tells decimal integers from the other forms. */
bool ag_asm_bits(struct ag_asm *assembler, uint32_t *bits, bool *is_integer);
bool ag_asm_double_bits(struct ag_asm *assembler, uint64_t *bits);

/* The value of a digit in upper or lower case, or -1. */
int ag_asm_hex_digit(char c);

/* Text in quotes, in memory of the assembler; "\x41" is the escape of a character. */
bool ag_asm_string(struct ag_asm *assembler, const char **text);

/* An option at the end of a directive: `word=number`, or the word alone when it stands for a bit. */
struct ag_asm_option {
    const char *word;
    uint32_t *value;
    uint32_t bit;
};

/* Options in any order, up to the end of the line or to a word that is none of them. */
bool ag_asm_options(struct ag_asm *assembler, const struct ag_asm_option *options, size_t count);

/* A word of a list, or a number. */
bool ag_asm_name(struct ag_asm *assembler, const struct ag_name_list *names, uint32_t *value);

/* Quotes the rest of a line for a message, at most 24 characters. */
void ag_asm_quote(const struct ag_asm *assembler, size_t at, char quote[32]);

/* ---- Directives --------------------------------------------------------------------------------------- */

/* A directive, its dot included. */
bool ag_asm_directive(struct ag_asm *assembler);

/* What follows `.rdef`, `.binding`, `.type`, `.implements`, `.member`, `.buffer` and `.variable`:
 * dxbc/rdef_text.h. */
bool ag_asm_rdef(struct ag_asm *assembler);
bool ag_asm_rdef_binding(struct ag_asm *assembler);
bool ag_asm_rdef_type(struct ag_asm *assembler);
bool ag_asm_rdef_implements(struct ag_asm *assembler);
bool ag_asm_rdef_member(struct ag_asm *assembler);
bool ag_asm_rdef_buffer(struct ag_asm *assembler);
bool ag_asm_rdef_variable(struct ag_asm *assembler);

/* The reflection data that was read; valid until the next directive or the end of the assembler. */
const struct agpu_rdef *ag_asm_rdef_finish(struct ag_asm *assembler);

/* What follows `.linkage`, `.slots`, `.class` and `.instance`: dxbc/class_linkage.h. */
bool ag_asm_linkage(struct ag_asm *assembler);
bool ag_asm_linkage_slots(struct ag_asm *assembler);
bool ag_asm_linkage_class(struct ag_asm *assembler);
bool ag_asm_linkage_instance(struct ag_asm *assembler);

/* What follows `.stat` and `.features`. */
bool ag_asm_statistics(struct ag_asm *assembler);
bool ag_asm_features(struct ag_asm *assembler);

/* ---- Statements --------------------------------------------------------------------------------------- */

enum ag_asm_role {
    AG_ASM_DESTINATION,
    AG_ASM_SOURCE,
    AG_ASM_DECLARED,
};

/* An operand. `kind` is the second letter of its entry in the opcode table. */
bool ag_asm_operand(struct ag_asm *assembler, enum ag_asm_role role, char kind, struct agpu_operand *operand);

/* One statement of the program: an instruction, a declaration, custom data. Appends its tokens. */
bool ag_asm_statement(struct ag_asm *assembler);

/* What follows the mnemonic of a declaration. `suffix` is what is glued to the mnemonic. */
bool ag_asm_declaration(struct ag_asm *assembler, const char *suffix, size_t suffix_length,
                        struct agpu_instruction *declaration, struct agpu_operand *operand);

/* "(float,float,float,float)". */
bool ag_asm_return_types(struct ag_asm *assembler, uint8_t types[4]);

/* The rows of an immediate constant buffer, or the content of `.customdata` and `.tokens`. */
bool ag_asm_constant_buffer(struct ag_asm *assembler);
bool ag_asm_custom_data(struct ag_asm *assembler);
bool ag_asm_tokens(struct ag_asm *assembler);

/* "vs_4_0". */
bool ag_asm_version(struct ag_asm *assembler);

/* `.in`, `.out`, `.patch`, after the directive itself. */
bool ag_asm_signature_element(struct ag_asm *assembler, ag_element_vec *elements, bool outputs);

/* ---- Containers --------------------------------------------------------------------------------------- */

/* Appends the data of a chunk that has a listing form and for which the text has what it needs. `features`
 * are those of the program. False, without a report, for other chunks. */
bool ag_asm_chunk_content(struct ag_asm *assembler, uint32_t fourcc, uint64_t features,
                          struct ag_strbuf *out);

/* Chunks, header and checksum around what was read. */
enum agpu_status ag_asm_build(struct ag_asm *assembler, uint8_t **bytes, size_t *size);

#endif
