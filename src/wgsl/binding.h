/* SPDX-License-Identifier: MIT
 *
 * Where the bindings of translated modules are: fixed numbers that translator and executor share.
 */
#ifndef AG_WGSL_BINDING_H
#define AG_WGSL_BINDING_H

#include <stdbool.h>

#include "aerogpu/translate.h"

/* @group of each stage's resources. */
enum ag_bind_group {
    AG_GROUP_VERTEX = 0,
    AG_GROUP_PIXEL = 1,
    AG_GROUP_COMPUTE = 2,
    AG_GROUP_INTERNAL = 3, /* geometry, hull and domain shaders, and whatever the host adds */
};

/* @binding = base + D3D slot. */
enum ag_binding_base {
    AG_BINDING_CBUFFER = 0,          /* 14 slots */
    AG_BINDING_CONSTANT_PACK = 30,   /* constant buffers that share a uniform buffer: constant_pack.c */
    AG_BINDING_TEXTURE = 32,         /* 128 slots */
    AG_BINDING_SAMPLER = 160,        /* 16 slots */
    AG_BINDING_UAV = 176,            /* 64 slots */
    AG_BINDING_STAGE_INTERNAL = 240, /* immediate constant buffer, UAV counters, gathered SRVs */
    AG_BINDING_ICB = 240,
    AG_BINDING_UAV_COUNTERS = 241,
    AG_BINDING_CLASS_INSTANCES = 242, /* what the interface slots hold: see below */
    AG_BINDING_INTERNAL = 256,        /* expansion kernels, in group 3 */
    AG_BINDING_DESTINATIONS = 370,    /* + target, 8: what unsigned targets held, for logic operations */
    AG_BINDING_EARLY_DEPTH = 378,     /* the depth target, for tests in front of the pixel shader */
    AG_BINDING_EARLY_STENCIL = 379,
    /* what emulated samplers are: see below. Dynamic offsets go by number, and the draw block comes last in
     * its group */
    AG_BINDING_SAMPLER_STATES = 380,
    AG_BINDING_OVERFLOW = 381,       /* resources without a binding of their own: see overflow.h */
    AG_BINDING_ARENA = 382,          /* their bytes and texels */
    AG_BINDING_UAV_ARENA = 383,      /* those that the shader writes */
    AG_BINDING_DRAW_BLOCK = 386,     /* in group 3: struct ag_draw_block */
    AG_BINDING_TEXTURE_ARRAYS = 387, /* + array, 1 to 7: textures that share a binding, as layers */
    /* + slot, 128 slots: the same texture as floats, for plain sampling where the shader also compares with
     * it */
    AG_BINDING_PLAIN_TEXTURES = 400,
    AG_BINDING_POINT_SAMPLERS = 528, /* + slot, 16 slots: a point sampler beside a filtering one */
};

#define AG_PACK_PARTS 16 /* constant buffers that a pack may have */

/* A pack with sets of constants (agpu_module.constant_sets of them): what they are for, then the sets. The
 * first is for what is numbered from 0 on, and each further one for what is numbered from its u32 on, in
 * ascending order; UINT32_MAX where there is none. The numbers are those of patches, and in a vertex shader
 * of vertices. */
#define AG_CONSTANT_SET_BYTES 16384u /* of all sets, at most */
#define AG_MOST_CONSTANT_SETS 256u

static inline uint32_t ag_constant_sets_offset(uint32_t sets)
{
    return (sets + 3) / 4 * 16;
}

/* Bytes of a pack whose buffers have `bytes` together; `sets` may be 0. */
static inline uint64_t ag_constant_pack_bytes(uint32_t sets, uint64_t bytes)
{
    return sets ? ag_constant_sets_offset(sets) + sets * bytes : bytes;
}

static inline bool ag_is_constant_pack(const struct agpu_binding *binding)
{
    return binding->space == AGPU_SPACE_INTERNAL && binding->binding == AG_BINDING_CONSTANT_PACK;
}

/* Slots of internal textures (struct agpu_binding), behind those of the eight targets. */
#define AG_SLOT_EARLY_DEPTH 8
#define AG_SLOT_EARLY_STENCIL 9

#endif
