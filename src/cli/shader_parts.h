/* SPDX-License-Identifier: MIT
 *
 * What the shader commands know about a parsed shader beyond the library's structures.
 */
#ifndef AG_CLI_SHADER_PARTS_H
#define AG_CLI_SHADER_PARTS_H

#include "aerogpu/dxbc.h"
#include "base/strbuf.h"
#include "cli/output.h"

/* One resource declaration of a program, with the name that reflection knows for it. */
struct cli_declaration {
    const char *kind; /* of JSON and text */
    char letter;      /* b, t, s, u */
    uint32_t slot, count;
    uint32_t bytes; /* constant buffers: size; structured ones: stride */
    const char *dimension;
    const char *return_types[4];     /* of typed resources and views; null for others */
    uint32_t samples;                /* of multisampled ones, 0 when unspecified */
    bool coherent, ordered, counter; /* of views */
    const char *name;                /* null when stripped */
    bool dynamic;                    /* a constant buffer that is indexed by registers */
};

/* False for an instruction that declares no resource, sampler or constant buffer. */
bool cli_read_declaration(const struct agpu_shader *shader, const struct agpu_instruction *instruction,
                          struct cli_declaration *declaration);

/* The reflection data of a constant buffer, or null. */
const struct agpu_rdef_cbuffer *cli_find_cbuffer(const struct agpu_shader *shader, const char *name);

/* "xyz". */
const char *cli_mask_text(uint32_t mask, char text[5]);

/* "float", "int", "uint", "unknown". */
const char *cli_component_name(uint32_t type);

/* The system value of a signature element by its name in listings. */
const char *cli_system_value_name(uint32_t value);

/* Facts: added to an object of JSON, and as lines of text. */
void cli_facts_json(json_t *object, const struct agpu_shader *shader);
void cli_facts_text(struct ag_strbuf *text, const struct agpu_shader *shader);

#endif
