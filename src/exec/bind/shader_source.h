/* SPDX-License-Identifier: MIT
 *
 * What a shader is made from: a container, or bare tokens with the signatures that a driver gets. One block
 * of bytes holds it all, so that equal sources are equal bytes.
 */
#ifndef AG_EXEC_BIND_SHADER_SOURCE_H
#define AG_EXEC_BIND_SHADER_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "aerogpu/diag.h"
#include "aerogpu/dxbc.h"
#include "exec/object/ext_object.h"

struct ag_stream_output_declaration;
struct ag_stream_output_object;

/* The elements of an EXT_CREATE_SIGNATURE. */
struct ag_signature_object {
    struct ag_ext_object object; /* first */
    uint32_t count;
    struct agpu_driver_element elements[];
};

struct ag_shader_source {
    const uint8_t *bytes;
    size_t size;
};

enum ag_source_signature {
    AG_SOURCE_INPUT,
    AG_SOURCE_OUTPUT,
    AG_SOURCE_PATCH_CONSTANT,
    AG_SOURCE_SIGNATURES
};

struct ag_shader_parts {
    const struct ag_signature_object *signatures[AG_SOURCE_SIGNATURES]; /* null: empty */
    const struct ag_stream_output_object *stream_output;                /* or null */
    const uint8_t *program;                                             /* a container, or tokens */
    size_t size; /* 0: a geometry stage that hands on what comes */
};

/* The parts as one block, which the caller frees. Null when memory is exhausted. */
uint8_t *ag_shader_source_pack(const struct ag_shader_parts *parts, size_t *packed_size);
/* What a block says besides; null, false for containers. The declaration is inside the block. */
const struct ag_stream_output_declaration *
ag_shader_source_stream_output(const struct ag_shader_source *source);
bool ag_shader_source_passes_through(const struct ag_shader_source *source);
/* Parses a container or such a block, without verifying the checksum. */
enum agpu_status ag_shader_source_parse(const struct ag_shader_source *source,
                                        const struct agpu_diag_sink *sink, struct agpu_shader **shader);

#endif
