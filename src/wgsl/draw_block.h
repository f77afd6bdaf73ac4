/* SPDX-License-Identifier: MIT
 *
 * What modules read beside the guest's resources and the executor writes for each draw: the draw block, class
 * instances and the states of emulated samplers, byte by byte.
 */
#ifndef AG_WGSL_DRAW_BLOCK_H
#define AG_WGSL_DRAW_BLOCK_H

#include "wgsl/binding.h"

/* One draw block for every stage, group 3 binding 386, uniform. The executor fills it for each draw whose
 * shaders ask for it (module->uses_draw_block). Offsets are part of the contract; the WGSL struct is emitted
 * by the translator from the same numbers. */
#define AG_DRAW_BLOCK_BASE_VERTEX 0   /* u32: subtract from vertex_index */
#define AG_DRAW_BLOCK_BASE_INSTANCE 4 /* u32: subtract from instance_index */
/* f32: what AG_DEPTH_BIAS_CONSTANT adds to a position's z, times its w */
#define AG_DRAW_BLOCK_DEPTH_BIAS 8
#define AG_DRAW_BLOCK_SAMPLE_MASK 12  /* u32: the D3D sample mask */
#define AG_DRAW_BLOCK_DEPTH_RANGE 16  /* f32 min, f32 max of viewport 0 */
#define AG_DRAW_BLOCK_ZERO 24         /* u32: always 0, an opaque zero that no compiler can fold */
#define AG_DRAW_BLOCK_SAMPLE_COUNT 28 /* u32: samples of the render target */
/* vec4f: the whole depth bias, for what adds it by itself: the constant part, in units of depth, or the
 * guest's number where depth is float; the factor of the slope; the clamp; 1 where depth is float */
#define AG_DRAW_BLOCK_BIAS 32
#define AG_DRAW_BLOCK_EXTENT 48 /* vec4f: width and height of the viewport, the stencil reference, 0 */
/* vec4f: the blend factor, for targets that pixel shaders blend in part (options.target_factors) */
#define AG_DRAW_BLOCK_BLEND 64
#define AG_DRAW_BLOCK_VIEWS 80 /* vec4u[AG_DRAW_BLOCK_VIEW_COUNT]: see below */
/* One vec4u for each binding that module->views names, in that order: buffers {first byte (added to every
 * address), size in bytes, element count, 1 if the format has no alpha}; textures {mip count, array size,
 * AG_VIEW_UNORM and AG_VIEW_OPAQUE, sample count}. Arrays of multisampled textures are bound as plain 2D
 * arrays with layer slice * samples + sample. Texture views that have atomics (a binding of kind
 * STORAGE_BUFFER_READ_WRITE with a texture's dimension) are buffers of one word a texel (four with
 * options.wide_uavs, which concerns all writable textures), row after row, slice after slice: {width, height,
 * slices, size in bytes; of four words: plus 1 if the format has no alpha}. Samplers {bits of the bias of
 * levels, of the least and of the greatest level, 0}. A stage's entries start at module->view_base, which the
 * caller chose in the options. */
/* The fourth word of other textures is what a border colour is clipped to, for emulated samplers, and what
 * there is of a level that does not exist: AG_VIEW_BORDER_*. */
#define AG_VIEW_BORDER_COMPONENTS 15 /* those that the format has, red 1 to alpha 8 */
#define AG_VIEW_BORDER_ALPHA 8
#define AG_VIEW_BORDER_UNORM 16 /* clamped to [0, 1] */
#define AG_VIEW_BORDER_SNORM 32 /* clamped to [-1, 1] */
/* Bits 8 to 31 of the third word, with options.level_floors: the level that nothing more detailed is read
 * than, from the view's first, in 1/256. */
#define AG_VIEW_FLOOR_SHIFT 8
/* a UNORM depth format: what it is compared with is clamped to [0, 1] (D3D11.3 22.4.18) */
#define AG_VIEW_UNORM 1
/* a format without alpha: texels that do not exist have alpha 1 (D3D11.3 22.4.6) */
#define AG_VIEW_OPAQUE 2
#define AG_DRAW_BLOCK_VIEW_COUNT 123
#define AG_DRAW_BLOCK_BYTES (80 + 16 * AG_DRAW_BLOCK_VIEW_COUNT)

/* Uniform of shaders with interfaces, in the stage's own group: for each interface slot, in order of slots,
 * vec4u {slot of the constant buffer that holds the instance's data, its first register there, first
 * texture slot, first sampler slot} and vec4u {function table (ft#) of the instance's class, 0, 0, 0}.
 * The binding's `bytes` tell how many slots there are. A slot whose table is none that the interface lists
 * calls nothing. */
#define AG_CLASS_INSTANCE_BYTES 32

/* Uniform of shaders with emulated samplers, in the stage's own group: for each of the 16 slots vec4f
 * border colour and vec4u {D3D11_FILTER | address u << 12 | v << 15 | w << 18 | comparison << 24, bits of
 * the bias of levels, of the least and of the greatest level}. */
#define AG_SAMPLER_STATES_BYTES 512

#endif
