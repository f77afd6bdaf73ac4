/* SPDX-License-Identifier: MIT
 *
 * The source of a shader: a container, or a packed block of bare tokens with the signatures and the
 * stream-output declaration that a driver gets beside them. Equal sources are equal bytes, which shader.h
 * compares.
 */
#ifndef AG_EXEC_BIND_SHADER_SOURCE_H
#define AG_EXEC_BIND_SHADER_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "aerogpu/diag.h"
#include "aerogpu/dxbc.h"
#include "exec/object/ext_object.h"

struct ag_stream_output_declaration;
struct ag_stream_output_object;

/* The elements of an EXT_CREATE_SIGNATURE. */
struct ag_signature_object {
    struct ag_ext_object object; /* the first member */
    uint32_t count;
    struct agpu_driver_element elements[];
};

struct ag_shader_source {
    const uint8_t *bytes;
    size_t size;
};

static inline bool ag_shader_sources_are_equal(const struct ag_shader_source *a,
                                               const struct ag_shader_source *b)
{
    return a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0;
}

enum ag_source_signature {
    AG_SOURCE_INPUT,
    AG_SOURCE_OUTPUT,
    AG_SOURCE_PATCH_CONSTANT,
    AG_SOURCE_SIGNATURES
};

/* The parts of a packed block. */
struct ag_shader_parts {
    const struct ag_signature_object *signatures[AG_SOURCE_SIGNATURES]; /* null: an empty signature */
    const struct ag_stream_output_object *stream_output;                /* null: no stream output */
    const uint8_t *program;                                             /* a container or tokens */
    size_t size; /* bytes of the program; 0: a geometry stage with stream output and no geometry shader */
};

/* Packs the parts into a block, which the caller frees. Null when memory is exhausted (not reported). */
uint8_t *ag_shader_source_pack(const struct ag_shader_parts *parts, size_t *packed_size);

/* The parts again, inside the bytes of a packed block. */
struct ag_shader_source_parts {
    const struct agpu_driver_element *signatures[AG_SOURCE_SIGNATURES];
    uint32_t counts[AG_SOURCE_SIGNATURES];
    const struct ag_stream_output_declaration *stream_output; /* or null */
    const uint8_t *program;
    size_t size;
};

/* False for a container. */
bool ag_shader_source_unpack(const struct ag_shader_source *source, struct ag_shader_source_parts *parts);

/* The stream-output declaration inside a packed block. Null when there is none, and for containers. */
const struct ag_stream_output_declaration *
ag_shader_source_stream_output(const struct ag_shader_source *source);

/* Whether the source is a packed block without a program. */
bool ag_shader_source_passes_through(const struct ag_shader_source *source);

/* Parses a container or a packed block. Checksums are not verified. Problems go to the sink. */
enum agpu_status ag_shader_source_parse(const struct ag_shader_source *source,
                                        const struct agpu_diag_sink *sink, struct agpu_shader **shader);

#endif
