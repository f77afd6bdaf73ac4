/* SPDX-License-Identifier: MIT
 *
 * Class linkage (IFCE): the classes and instances of a shader with interfaces, and which function table each
 * class means in each interface slot (dxbc-format 3.8). As text, one record a line:
 *
 *     .linkage stray0=0 stray1=96369482
 *     .slots 1 0:ft0, 1:ft1
 *     .class "Wrap" stride=1
 *     .class "Lambert" stride=1
 *     .instance "soft" class=0 offset=2
 *
 * .linkage: the two dwords of the header that nobody sets
 *
 * .slots: how many interface slots in a row, then the classes that may stand there with their function tables
 *
 * .class: name; stride=N vectors of constant buffer, textures=N samplers=N unknown=N
 *
 * .instance: name; class=N elements=N (1 when missing) buffer=N offset=N texture=N sampler=N (none when
 * missing)
 */
#ifndef AG_DXBC_CLASS_LINKAGE_H
#define AG_DXBC_CLASS_LINKAGE_H

#include "aerogpu/dxbc.h"
#include "base/strbuf.h"
#include "base/vec.h"

#define AG_LINKAGE_NONE UINT16_MAX /* the instance has no texture, or no sampler */

struct ag_linkage_class {
    const char *name;
    uint32_t unknown, stride, textures, samplers; /* 16 bits in the chunk */
};

struct ag_linkage_instance {
    const char *name;
    uint32_t class_number, elements, buffer, offset, texture, sampler; /* 16 bits in the chunk */
};

struct ag_linkage_choice {
    uint32_t class_number; /* 16 bits in the chunk */
    uint32_t table;
};

struct ag_linkage_slots {
    uint32_t count; /* consecutive slots */
    uint32_t choice_count;
    size_t first_choice;
};

struct ag_class_linkage {
    uint32_t stray[2];
    AG_VEC(struct ag_linkage_slots) slots;
    AG_VEC(struct ag_linkage_choice) choices;
    AG_VEC(struct ag_linkage_class) classes;
    AG_VEC(struct ag_linkage_instance) instances;
    bool out_of_memory; /* when reading failed: that is why */
};

void ag_class_linkage_fini(struct ag_class_linkage *linkage);

/* Reads a chunk; names point into the chunk. False when the chunk is malformed or memory runs out. The caller
 * calls ag_class_linkage_fini() in every case. */
bool ag_class_linkage_read(const struct agpu_dxbc_chunk *chunk, struct ag_class_linkage *linkage);

/* Appends the data of the chunk. */
void ag_class_linkage_write(struct ag_strbuf *out, const struct ag_class_linkage *linkage);

/* Lists a chunk as text; false when the chunk is malformed or memory runs out. */
bool ag_list_class_linkage(struct ag_strbuf *out, const struct agpu_dxbc_chunk *chunk);

#endif
