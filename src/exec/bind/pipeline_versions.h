/* SPDX-License-Identifier: MIT
 *
 * Versions of what pipelines are made of, and the memo's tables (pipeline_memo.h).
 */
#ifndef AG_EXEC_BIND_PIPELINE_VERSIONS_H
#define AG_EXEC_BIND_PIPELINE_VERSIONS_H

#include <stdint.h>

struct ag_pipeline;

/* What a plain draw's pipeline depends on apart from its programs. Zeroed before it is filled, so that its
 * bytes can be compared. */
struct ag_state_versions {
    uint64_t layout_id; /* of the input layout; 0: there is none */
    uint64_t vertices;  /* which slots have buffers, strides, alignment of offsets */
    uint64_t targets, blend, depth_stencil, rasterizer;
    uint64_t sampling[2]; /* of the vertex and the pixel stage */
    uint32_t topology;
    uint32_t strip_format; /* as in struct ag_pipeline_key */
    uint32_t sample_mask;
    uint32_t is_pulled; /* vertices are pulled, since draws read past a buffer's end or for other reasons */
};

#define AG_VERSIONED_BYTES 192
#define AG_VERSION_SETS 64
#define AG_PIPELINE_SETS 1024
#define AG_MEMO_WAYS 4

struct ag_versioned_contents {
    uint64_t version; /* 0: the entry is empty */
    uint32_t size;
    uint8_t bytes[AG_VERSIONED_BYTES];
};

struct ag_remembered_pipeline {
    uint64_t programs[2]; /* the ids of the vertex and the pixel stage's; 0: there is none */
    uint64_t state;       /* the version of struct ag_state_versions */
    uint64_t generation;  /* the entry is empty unless it is the memo's */
    struct ag_pipeline *pipeline;
};

/* Both tables are sets by hash; a new entry takes the place of any other in its set, in turn. */
struct ag_pipeline_memo {
    uint64_t last_version;
    uint64_t generation; /* counts pipelines that were destroyed, each of which empties the second table */
    uint32_t turn;
    struct ag_versioned_contents contents[AG_VERSION_SETS][AG_MEMO_WAYS];
    struct ag_remembered_pipeline pipelines[AG_PIPELINE_SETS][AG_MEMO_WAYS];
};

#endif
