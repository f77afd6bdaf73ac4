/* SPDX-License-Identifier: MIT
 *
 * Translation with all that the executor has to say; agpu_translate() is the part that others need.
 */
#ifndef AG_WGSL_OPTIONS_H
#define AG_WGSL_OPTIONS_H

#include "aerogpu/translate.h"
#include "wgsl/linkage.h"
#include "wgsl/overflow.h"

#define AG_LOGIC 16 /* see the option `logic` */

/* Whether what a target holds counts. */
static inline bool ag_logic_reads(uint32_t logic)
{
    return ((logic ^ logic >> 1) & 5) != 0;
}

/* The location of a colour target, of those in `mask`, where `planes` says in how many planes the samples of
 * each one are (0: in none): its number, or, where some target has planes, the next one that is free. Behind
 * the last target: how many locations there are. */
static inline uint32_t ag_target_location(const uint8_t planes[AGPU_MAX_RENDER_TARGETS], uint32_t mask,
                                          uint32_t target)
{
    uint32_t location = 0, all = 0;
    for (uint32_t i = 0; i < AGPU_MAX_RENDER_TARGETS; i++) {
        all |= planes[i];
        if (i < target && (mask >> i & 1))
            location += planes[i] ? planes[i] : 1u;
    }
    return all ? location : target;
}

#define AG_MAX_TEXTURES 128

/* How a bound view of a texture differs from what the shader declares. */
enum ag_texture_fact {
    /* The class of the view's format, whose bits the shader gets where it declares another class; 0: the
     * declared class. */
    AG_TEXTURE_FLOAT = 1,
    AG_TEXTURE_SINT = 2,
    AG_TEXTURE_UINT = 3,
    AG_TEXTURE_CLASS = 3, /* the bits that hold it */
    /* A texture that is compared with has a colour format, so that WebGPU does not compare. */
    AG_TEXTURE_COLOR = 4,
    AG_TEXTURE_ONE_SAMPLE = 8, /* samples are declared and the texture has one */
    /* The device does not filter the view's floats. The binding is AGPU_SAMPLE_UNFILTERABLE_FLOAT, and what
     * samples the texture is emulated, whatever the sampler is. Not with a texture of depth that is compared
     * with, which has to be AG_TEXTURE_COLOR. */
    AG_TEXTURE_UNFILTERABLE = 16,
    /* The samples of a Texture2DMS, which nothing compares with, are the layers of a plain array, as L6 has
     * them. */
    AG_TEXTURE_LAYERS = AG_TEXTURE_COLOR,
};
/* Bits 5 to 7: 0, or the number of the array that the texture, which is of one or two dimensions and not
 * compared with, shares with others (overflow.h). */
#define AG_TEXTURE_ARRAY_SHIFT 5
#define AG_TEXTURE_ARRAYS 7

/* What vertex shaders add to the position's depth. What was not outside of the depth range stays within it.
 */
enum ag_depth_bias {
    AG_DEPTH_BIAS_NONE,
    AG_DEPTH_BIAS_CONSTANT, /* AG_DRAW_BLOCK_DEPTH_BIAS */
    AG_DEPTH_BIAS_EDGES,    /* AG_DRAW_BLOCK_BIAS of the triangle whose edge is drawn */
};

/* What pixel shaders do to the rasterizer's depth, or to the depth that they write. */
enum ag_pixel_depth {
    AG_PIXEL_DEPTH_ROUND = 1, /* to the nearest value that 24 bits have */
    AG_PIXEL_DEPTH_BIAS = 2,  /* AG_DRAW_BLOCK_BIAS is added before, not to what the shader writes */
};

/* Factors of a blended target whose components are attachments of their own: D3D11_BLEND, 0 for those that
 * depend on the target's contents, which are left to WebGPU. */
struct ag_target_factors {
    uint8_t source, destination, source_alpha, destination_alpha;
};

/* Depth and stencil tests in front of the pixel shader, against AG_BINDING_EARLY_DEPTH and
 * AG_BINDING_EARLY_STENCIL; what fails is discarded before anything else. All zero: none. */
struct ag_early_test {
    uint8_t depth;                       /* D3D11_COMPARISON_FUNC; 0: no depth test */
    uint8_t depth_bits;                  /* 16: what is compared are 16-bit numbers; else 0 */
    uint8_t stencil_front, stencil_back; /* D3D11_COMPARISON_FUNC; 0: no stencil test */
    uint8_t stencil_mask;
};

/* What a device takes as a workgroup; 0: whatever Direct3D allows. */
struct ag_workgroup_limits {
    uint32_t invocations;
    uint32_t size[3];
    uint32_t storage_bytes; /* of variables that the group shares */
};

/* Which constant buffers of a stage share a uniform buffer, so that one upload and one dynamic offset change
 * all of them: the smallest first, while they have `few_bytes` together, or `most_bytes` and more than
 * `few_buffers` are left. Those with more registers than are declared, which are storage buffers, have
 * bindings of their own, as have those of `apart` (bit n: b# n). All zero: none are packed. */
struct ag_constant_packing {
    uint32_t few_bytes, most_bytes;
    uint16_t few_buffers, apart;
};

struct ag_arena;

/* Zero is the default of every field. */
struct ag_translate_options {
    enum agpu_flavour flavour;
    bool annotate; /* comments with token offsets and the instruction listing */
    /* For compilers alone: short names, spaces only where they separate words, and of the draw block what is
     * read. The module means the same. Not heeded with `annotate`. */
    bool is_terse;

    /* Iterations that one invocation may make in loops that may never end, all of them together; 0: any
     * number. When they are spent, every such loop is left at the start of its next iteration and the program
     * runs on to its end; what it computes from there on is not specified. Loops that count between constants
     * are free, but an iteration of a loop around them costs as much as they do. Where threads of a group
     * meet at barriers inside a loop, all of them leave it together. */
    uint32_t loop_budget;

    /* How deep blocks nest, in units of Dawn's parser, two a block and three a switch; 0: as deep as
     * implementations of WebGPU take. If, loop and switch that are deeper inside become states of a machine,
     * a loop around a switch, and so do subroutines that hold deeper ones. 1 spares none that can be one. For
     * tests. In programs with barriers it is only heeded for what holds one, since states are for all
     * threads. */
    uint8_t most_nesting;

    /* See aerogpu/translate.h. */
    uint32_t most_compile_ms, most_private_bytes;

    /* States of machines that the driver's compiler takes; 0: any number. */
    uint32_t most_states;

    /* What sines, cosines and arithmetic of doubles may cost a driver's compiler, in tenths of a millisecond,
     * before all operations of one kind share one state of a machine; 0: AG_IR_MAX_COST. For tests. Programs
     * with barriers have no states. */
    uint32_t most_operation_cost;

    /* Compute: the invocations of a workgroup stand for several threads each where a thread group is larger
     * than that. */
    struct ag_workgroup_limits workgroup;

    /* Bit n: constant buffer n is a read-only storage buffer, whose range tells how many registers there are.
     * Else it is a uniform buffer of the registers that the shader declares, if indices are computed, or of
     * those that it reads. */
    uint16_t storage_cbuffers;
    struct ag_constant_packing packing;

    /* Null: none. */
    const struct ag_overflow *overflow;

    /* Null: none. Indexed by UAV slot: the slot whose variable this one uses; its own number, or one that is
     * no buffer of the shader, changes nothing. WebGPU refuses to bind a buffer twice where it can be
     * written, so views of one buffer share the variable of one of them and differ in their entries of the
     * draw block. */
    const uint8_t *uav_aliases; /* uint8_t[AGPU_MAX_UAVS] */

    uint8_t depth_bias;              /* vertex: enum ag_depth_bias */
    uint8_t pixel_depth;             /* pixel: bits of enum ag_pixel_depth */
    struct ag_early_test early_test; /* pixel */

    /* Vertex and pixel: null translates the stage alone, every register at the location of its number. */
    const struct ag_linkage *linkage;

    /* Vertex: null takes the types of the input signature. Indexed by input register. */
    const uint8_t *attribute_classes; /* enum agpu_attribute_class[AGPU_MAX_REGISTERS] */

    /* Pixel. */
    uint8_t target_classes[AGPU_MAX_RENDER_TARGETS]; /* enum agpu_target_class */
    /* integer targets: bits of a component, to whose range values are clamped (D3D11.3 3.2.3.7); 0: 32. Float
     * targets that stand for UNORM or SNORM ones: their bits, to whose values they are clamped and rounded,
     * at most 24; 0: they are floats */
    uint8_t target_bits[AGPU_MAX_RENDER_TARGETS];
    uint8_t target_green_bits[AGPU_MAX_RENDER_TARGETS]; /* of y, where UNORM has others; else 0 */
    uint8_t target_alpha_bits[AGPU_MAX_RENDER_TARGETS]; /* of w, where it has others; else 0 */
    uint8_t target_snorm;                               /* bit n: target n stands for an SNORM target */
    uint8_t
        target_packed;   /* bit n: target n stands for floats of 11, 11 and 10 bits, and is rounded to them */
    uint8_t target_mask; /* bit n: target n exists; 0 stands for all. Other outputs are dropped */
    /* In how many planes the samples of a target are; 0: in none. Planes are outputs of their own, from
     * ag_target_location() on: floats have one component, integers, which are not blended, the halves of two.
     */
    uint8_t target_planes[AGPU_MAX_RENDER_TARGETS];
    /* Where they are not all 0, a plane of floats is multiplied by the factor of the source, if that is not
     * 0, and its alpha is the destination's factor. The second source, if a factor names it, is o1. */
    struct ag_target_factors target_factors[AGPU_MAX_RENDER_TARGETS];
    /* 0, or AG_LOGIC and the truth table of a logic operation on the bits of all unsigned targets: bit 2 *
     * s + d is what the output's bit s makes of the target's d. Where d counts, the module reads
     * AG_BINDING_DESTINATIONS at its pixel; the caller sees to it that no other primitive came between. */
    uint8_t logic;
    /* The alpha of o0 is coverage, unless the shader writes a mask: AG_DRAW_BLOCK_SAMPLE_COUNT. */
    bool alpha_to_coverage;
    bool dual_source;     /* o0 and o1 are the two blend sources of target 0 */
    bool no_depth_target; /* what is written to SV_Depth goes nowhere */

    /* Null: AGPU_STORAGE_BY_TYPE for all. Indexed by UAV slot. */
    const uint8_t *uav_formats; /* enum agpu_storage_format[AGPU_MAX_UAVS] */

    /* Texture views that are written or loaded as such are buffers of four words a texel, whatever their
     * format is: each component as the shader's type has it. The caller converts texels before and behind.
     * Those of `uav_formats` that have no place in the arena are storage textures, or with atomics buffers of
     * one word a texel, which is what `uav_formats` may only have of 32 bits. */
    bool wide_uavs;

    /* Bit n: sampler n has a mip LOD bias, which WebGPU's samplers lack. The module then reads it, as a
     * float, from the first word of the view entry for binding AG_BINDING_SAMPLER + n. Where WGSL has no
     * bias (comparisons) it is left out. */
    uint16_t biased_samplers;

    /* Bit n: sampler n is none that WebGPU has (a border colour, MIRROR_ONCE, a bias of comparisons). What
     * samples with it loads and weighs texels, as AG_BINDING_SAMPLER_STATES says; its bias needs no other
     * bit. Cubes, which have no address modes, are sampled as ever. Anisotropy counts as linear filtering. */
    uint16_t emulated_samplers;

    /* Textures have levels that nothing more detailed is read than: AG_VIEW_FLOOR_SHIFT. Samples compute
     * their level, without anisotropy; samplers that compare have to be emulated; loads of whole levels
     * before it give 0. */
    bool level_floors;

    /* Null: none. Indexed by texture slot. */
    const uint8_t *texture_facts; /* enum ag_texture_fact, uint8_t[AG_MAX_TEXTURES] */

    uint8_t view_base; /* first entry of this stage in the draw block's views */

    /* Expansion: how many registers the producer's records have (its record_registers, and for a domain
     * shader the hull shader's patch_registers). 0 takes what the shader itself declares. Inputs past them
     * read 0. */
    uint8_t input_registers, patch_registers;

    /* VERTEX_AS_COMPUTE, HULL_POINTS, HULL_PATCH and DOMAIN: the pack has several sets of constants, for
     * draws that share the pass (binding.h). As many buffers are packed as there is room for. */
    bool has_constant_sets;

    /* VERTEX_AS_COMPUTE, HULL_PATCH, DOMAIN and GEOMETRY: the module is a part of the vertex shader of a draw
     * (inlined.h). */
    bool is_inlined;
};

/* Translates for one flavour. On AGPU_OK the caller owns *module. On AGPU_REFUSED at least one error names
 * what cannot be expressed and the byte offset of its instruction in the token stream. `options` may be
 * null. The module does not refer to the shader afterwards. */
enum agpu_status ag_translate(const struct agpu_shader *shader, const struct ag_translate_options *options,
                              const struct agpu_diag_sink *sink, struct agpu_module **module);
/* Does the same with the caller's arena, which is empty again behind it. Who translates often spares the
 * kernel the pages that way, a tenth of all time. */
enum agpu_status ag_translate_in(struct ag_arena *arena, const struct agpu_shader *shader,
                                 const struct ag_translate_options *options,
                                 const struct agpu_diag_sink *sink, struct agpu_module **module);

#endif
