/* SPDX-License-Identifier: MIT
 *
 * The AeroGPU extension, version 2: the rest of Direct3D 11 beside ABI 1.4 (docs/abi-extension.md).
 *
 * The ABI minor stays 4. A host that has the extension sets feature bit 63 and tells its version in a
 * register; one that has not skips the opcodes as it skips every unknown opcode. Extension objects live in
 * the ABI's handle namespaces and mix with its packets: UPLOAD_RESOURCE fills a texture of
 * EXT_CREATE_TEXTURE, SET_SAMPLERS binds what EXT_CREATE_SAMPLER made. Where an extension packet and an ABI
 * packet set the same state, the last one counts.
 *
 * Enumerations are Direct3D 11's own numbers, so that a guest driver passes them through. Structures follow
 * the rules of cmd.h: byte-packed, little-endian, a multiple of 4 bytes, growing at their end only.
 * Freestanding C99 and C++.
 */
#ifndef AEROGPU_ABI_EXT_H
#define AEROGPU_ABI_EXT_H

#include <stddef.h>
#include <stdint.h>

#include "aerogpu/abi/cmd.h"

/* Feature bit 63: the host executes extension opcodes and formats. */
#define AEROGPU_EXT_FEATURE (UINT64_C(1) << 63)

#define AEROGPU_EXT_VERSION 2u /* 2 added EXT_PRESENT */
/* read only; AEROGPU_EXT_VERSION of the device (feature bit 63) */
#define AEROGPU_MMIO_REG_EXT_VERSION 0x0600u
/* read only; how often the host's GPU device was lost, or hung and was replaced, since the device was made.
 * All objects and contexts were gone each time. Reads 0 on hosts that do not count */
#define AEROGPU_MMIO_REG_EXT_GPU_LOSSES 0x0604u

/* Extension opcodes are AEROGPU_EXT_OPCODE(n), n from 0. */
#define AEROGPU_EXT_OPCODE_BASE UINT32_C(0x80000000)
#define AEROGPU_EXT_OPCODE(n) (AEROGPU_EXT_OPCODE_BASE | (n))
#define AEROGPU_EXT_IS_OPCODE(opcode) (((opcode)&AEROGPU_EXT_OPCODE_BASE) != 0)

/* A format word with the high bit set holds a DXGI_FORMAT number in the others, wherever a format stands. */
#define AEROGPU_EXT_FORMAT_BASE UINT32_C(0x80000000)
#define AEROGPU_EXT_FORMAT(dxgi) (AEROGPU_EXT_FORMAT_BASE | (dxgi))
#define AEROGPU_EXT_IS_FORMAT(format) (((format)&AEROGPU_EXT_FORMAT_BASE) != 0)
#define AEROGPU_EXT_FORMAT_DXGI(format) ((format) & ~AEROGPU_EXT_FORMAT_BASE)

/* ---- Opcodes ------------------------------------------------------------------------------------------- */

/* Resources and views */
#define AEROGPU_CMD_EXT_CREATE_BUFFER AEROGPU_EXT_OPCODE(0x100)
#define AEROGPU_CMD_EXT_CREATE_TEXTURE AEROGPU_EXT_OPCODE(0x101)
#define AEROGPU_CMD_EXT_UPDATE_SUBRESOURCE AEROGPU_EXT_OPCODE(0x102)
#define AEROGPU_CMD_EXT_READ_SUBRESOURCE AEROGPU_EXT_OPCODE(0x103)
#define AEROGPU_CMD_EXT_COPY_RESOURCE AEROGPU_EXT_OPCODE(0x104)
#define AEROGPU_CMD_EXT_COPY_SUBRESOURCE_REGION AEROGPU_EXT_OPCODE(0x105)
#define AEROGPU_CMD_EXT_COPY_STRUCTURE_COUNT AEROGPU_EXT_OPCODE(0x106)
#define AEROGPU_CMD_EXT_RESOLVE_SUBRESOURCE AEROGPU_EXT_OPCODE(0x107)
#define AEROGPU_CMD_EXT_GENERATE_MIPS AEROGPU_EXT_OPCODE(0x108)
#define AEROGPU_CMD_EXT_SET_RESOURCE_MIN_LOD AEROGPU_EXT_OPCODE(0x109)
#define AEROGPU_CMD_EXT_DISCARD_RESOURCE AEROGPU_EXT_OPCODE(0x10A)
#define AEROGPU_CMD_EXT_DISCARD_VIEW AEROGPU_EXT_OPCODE(0x10B)
#define AEROGPU_CMD_EXT_CREATE_VIEW AEROGPU_EXT_OPCODE(0x110)
#define AEROGPU_CMD_EXT_DESTROY_VIEW AEROGPU_EXT_OPCODE(0x111)
#define AEROGPU_CMD_EXT_DESTROY_OBJECT AEROGPU_EXT_OPCODE(0x112)

/* Shaders */
#define AEROGPU_CMD_EXT_CREATE_SIGNATURE AEROGPU_EXT_OPCODE(0x200)
#define AEROGPU_CMD_EXT_CREATE_STREAM_OUTPUT AEROGPU_EXT_OPCODE(0x201)
#define AEROGPU_CMD_EXT_CREATE_SHADER AEROGPU_EXT_OPCODE(0x202)
#define AEROGPU_CMD_EXT_CREATE_INPUT_LAYOUT AEROGPU_EXT_OPCODE(0x203)
#define AEROGPU_CMD_EXT_SET_CLASS_INSTANCES AEROGPU_EXT_OPCODE(0x204)
#define AEROGPU_CMD_EXT_SET_STREAM_OUTPUT_TARGETS AEROGPU_EXT_OPCODE(0x205)

/* State */
#define AEROGPU_CMD_EXT_CREATE_BLEND_STATE AEROGPU_EXT_OPCODE(0x300)
#define AEROGPU_CMD_EXT_CREATE_DEPTH_STENCIL_STATE AEROGPU_EXT_OPCODE(0x301)
#define AEROGPU_CMD_EXT_CREATE_RASTERIZER_STATE AEROGPU_EXT_OPCODE(0x302)
#define AEROGPU_CMD_EXT_CREATE_SAMPLER AEROGPU_EXT_OPCODE(0x303)
#define AEROGPU_CMD_EXT_SET_BLEND_STATE AEROGPU_EXT_OPCODE(0x304)
#define AEROGPU_CMD_EXT_SET_DEPTH_STENCIL_STATE AEROGPU_EXT_OPCODE(0x305)
#define AEROGPU_CMD_EXT_SET_RASTERIZER_STATE AEROGPU_EXT_OPCODE(0x306)
#define AEROGPU_CMD_EXT_SET_VIEWPORTS AEROGPU_EXT_OPCODE(0x307)
#define AEROGPU_CMD_EXT_SET_SCISSORS AEROGPU_EXT_OPCODE(0x308)
#define AEROGPU_CMD_EXT_CLEAR_STATE AEROGPU_EXT_OPCODE(0x309)

/* Bindings */
#define AEROGPU_CMD_EXT_SET_RENDER_TARGETS AEROGPU_EXT_OPCODE(0x400)
#define AEROGPU_CMD_EXT_SET_SHADER_RESOURCES AEROGPU_EXT_OPCODE(0x401)
#define AEROGPU_CMD_EXT_SET_UNORDERED_ACCESS_VIEWS AEROGPU_EXT_OPCODE(0x402)

/* Work */
#define AEROGPU_CMD_EXT_CLEAR_RENDER_TARGET_VIEW AEROGPU_EXT_OPCODE(0x600)
#define AEROGPU_CMD_EXT_CLEAR_DEPTH_STENCIL_VIEW AEROGPU_EXT_OPCODE(0x601)
#define AEROGPU_CMD_EXT_CLEAR_UNORDERED_ACCESS_VIEW AEROGPU_EXT_OPCODE(0x602)
#define AEROGPU_CMD_EXT_DRAW_INSTANCED_INDIRECT AEROGPU_EXT_OPCODE(0x603)
#define AEROGPU_CMD_EXT_DRAW_INDEXED_INSTANCED_INDIRECT AEROGPU_EXT_OPCODE(0x604)
#define AEROGPU_CMD_EXT_DISPATCH_INDIRECT AEROGPU_EXT_OPCODE(0x605)
#define AEROGPU_CMD_EXT_DRAW_AUTO AEROGPU_EXT_OPCODE(0x606)

/* Queries, command lists, capabilities */
#define AEROGPU_CMD_EXT_CREATE_QUERY AEROGPU_EXT_OPCODE(0x700)
#define AEROGPU_CMD_EXT_BEGIN_QUERY AEROGPU_EXT_OPCODE(0x701)
#define AEROGPU_CMD_EXT_END_QUERY AEROGPU_EXT_OPCODE(0x702)
#define AEROGPU_CMD_EXT_SET_PREDICATION AEROGPU_EXT_OPCODE(0x703)
#define AEROGPU_CMD_EXT_CREATE_COMMAND_LIST AEROGPU_EXT_OPCODE(0x710)
#define AEROGPU_CMD_EXT_EXECUTE_COMMAND_LIST AEROGPU_EXT_OPCODE(0x711)
#define AEROGPU_CMD_EXT_READ_CAPS AEROGPU_EXT_OPCODE(0x720)
#define AEROGPU_CMD_EXT_DESTROY_CONTEXT AEROGPU_EXT_OPCODE(0x730)
#define AEROGPU_CMD_EXT_PRESENT AEROGPU_EXT_OPCODE(0x740)

/* ---- Enumerations (Direct3D 11's numbers) -------------------------------------------------------------- */

/* D3D11_BIND_FLAG */
enum aerogpu_ext_bind_flags {
    AEROGPU_EXT_BIND_VERTEX_BUFFER = 0x1,
    AEROGPU_EXT_BIND_INDEX_BUFFER = 0x2,
    AEROGPU_EXT_BIND_CONSTANT_BUFFER = 0x4,
    AEROGPU_EXT_BIND_SHADER_RESOURCE = 0x8,
    AEROGPU_EXT_BIND_STREAM_OUTPUT = 0x10,
    AEROGPU_EXT_BIND_RENDER_TARGET = 0x20,
    AEROGPU_EXT_BIND_DEPTH_STENCIL = 0x40,
    AEROGPU_EXT_BIND_UNORDERED_ACCESS = 0x80,
    AEROGPU_EXT_BIND_SCANOUT = 0x10000, /* not Direct3D's: may be displayed */
};

/* D3D11_RESOURCE_MISC_FLAG; others mean nothing here and are ignored */
enum aerogpu_ext_misc_flags {
    AEROGPU_EXT_MISC_GENERATE_MIPS = 0x1,
    AEROGPU_EXT_MISC_SHARED = 0x2,
    AEROGPU_EXT_MISC_TEXTURECUBE = 0x4,
    AEROGPU_EXT_MISC_DRAWINDIRECT_ARGS = 0x10,
    AEROGPU_EXT_MISC_BUFFER_ALLOW_RAW_VIEWS = 0x20,
    AEROGPU_EXT_MISC_BUFFER_STRUCTURED = 0x40,
    AEROGPU_EXT_MISC_RESOURCE_CLAMP = 0x80,
};

/* D3D11_RESOURCE_DIMENSION */
enum aerogpu_ext_resource_dimension {
    AEROGPU_EXT_RESOURCE_TEXTURE1D = 2,
    AEROGPU_EXT_RESOURCE_TEXTURE2D = 3,
    AEROGPU_EXT_RESOURCE_TEXTURE3D = 4,
};

enum aerogpu_ext_view_kind {
    AEROGPU_EXT_VIEW_SHADER_RESOURCE = 0,
    AEROGPU_EXT_VIEW_RENDER_TARGET = 1,
    AEROGPU_EXT_VIEW_DEPTH_STENCIL = 2,
    AEROGPU_EXT_VIEW_UNORDERED_ACCESS = 3,
};

/* D3D_SRV_DIMENSION, for every kind of view */
enum aerogpu_ext_view_dimension {
    AEROGPU_EXT_DIMENSION_BUFFER = 1,
    AEROGPU_EXT_DIMENSION_TEXTURE1D = 2,
    AEROGPU_EXT_DIMENSION_TEXTURE1DARRAY = 3,
    AEROGPU_EXT_DIMENSION_TEXTURE2D = 4,
    AEROGPU_EXT_DIMENSION_TEXTURE2DARRAY = 5,
    AEROGPU_EXT_DIMENSION_TEXTURE2DMS = 6,
    AEROGPU_EXT_DIMENSION_TEXTURE2DMSARRAY = 7,
    AEROGPU_EXT_DIMENSION_TEXTURE3D = 8,
    AEROGPU_EXT_DIMENSION_TEXTURECUBE = 9,
    AEROGPU_EXT_DIMENSION_TEXTURECUBEARRAY = 10,
};

enum aerogpu_ext_view_flags {
    AEROGPU_EXT_VIEW_FLAG_RAW = 1 << 0,             /* buffers: bytes, format R32_TYPELESS */
    AEROGPU_EXT_VIEW_FLAG_APPEND = 1 << 1,          /* structured UAV with an append/consume counter */
    AEROGPU_EXT_VIEW_FLAG_COUNTER = 1 << 2,         /* structured UAV with a counter */
    AEROGPU_EXT_VIEW_FLAG_READ_ONLY_DEPTH = 1 << 3, /* depth-stencil views */
    AEROGPU_EXT_VIEW_FLAG_READ_ONLY_STENCIL = 1 << 4,
};

/* To the last mip, slice or element: a count that says "all the rest". */
#define AEROGPU_EXT_ALL 0xFFFFFFFFu

enum aerogpu_ext_update_flags {
    AEROGPU_EXT_UPDATE_BOX = 1 << 0,          /* `box` holds; else the whole subresource */
    AEROGPU_EXT_UPDATE_DISCARD = 1 << 1,      /* the rest of the resource becomes undefined */
    AEROGPU_EXT_UPDATE_NO_OVERWRITE = 1 << 2, /* nothing in flight reads these bytes */
    AEROGPU_EXT_UPDATE_INITIAL = 1 << 3,      /* what the resource is created with: of depth targets, too */
};

/* D3D11_BLEND */
enum aerogpu_ext_blend {
    AEROGPU_EXT_BLEND_ZERO = 1,
    AEROGPU_EXT_BLEND_ONE = 2,
    AEROGPU_EXT_BLEND_SRC_COLOR = 3,
    AEROGPU_EXT_BLEND_INV_SRC_COLOR = 4,
    AEROGPU_EXT_BLEND_SRC_ALPHA = 5,
    AEROGPU_EXT_BLEND_INV_SRC_ALPHA = 6,
    AEROGPU_EXT_BLEND_DEST_ALPHA = 7,
    AEROGPU_EXT_BLEND_INV_DEST_ALPHA = 8,
    AEROGPU_EXT_BLEND_DEST_COLOR = 9,
    AEROGPU_EXT_BLEND_INV_DEST_COLOR = 10,
    AEROGPU_EXT_BLEND_SRC_ALPHA_SAT = 11,
    AEROGPU_EXT_BLEND_BLEND_FACTOR = 14,
    AEROGPU_EXT_BLEND_INV_BLEND_FACTOR = 15,
    AEROGPU_EXT_BLEND_SRC1_COLOR = 16,
    AEROGPU_EXT_BLEND_INV_SRC1_COLOR = 17,
    AEROGPU_EXT_BLEND_SRC1_ALPHA = 18,
    AEROGPU_EXT_BLEND_INV_SRC1_ALPHA = 19,
};

/* D3D11_BLEND_OP */
enum aerogpu_ext_blend_op {
    AEROGPU_EXT_BLEND_OP_ADD = 1,
    AEROGPU_EXT_BLEND_OP_SUBTRACT = 2,
    AEROGPU_EXT_BLEND_OP_REV_SUBTRACT = 3,
    AEROGPU_EXT_BLEND_OP_MIN = 4,
    AEROGPU_EXT_BLEND_OP_MAX = 5,
};

/* D3D11_LOGIC_OP */
enum aerogpu_ext_logic_op {
    AEROGPU_EXT_LOGIC_OP_CLEAR = 0,
    AEROGPU_EXT_LOGIC_OP_SET = 1,
    AEROGPU_EXT_LOGIC_OP_COPY = 2,
    AEROGPU_EXT_LOGIC_OP_COPY_INVERTED = 3,
    AEROGPU_EXT_LOGIC_OP_NOOP = 4,
    AEROGPU_EXT_LOGIC_OP_INVERT = 5,
    AEROGPU_EXT_LOGIC_OP_AND = 6,
    AEROGPU_EXT_LOGIC_OP_NAND = 7,
    AEROGPU_EXT_LOGIC_OP_OR = 8,
    AEROGPU_EXT_LOGIC_OP_NOR = 9,
    AEROGPU_EXT_LOGIC_OP_XOR = 10,
    AEROGPU_EXT_LOGIC_OP_EQUIV = 11,
    AEROGPU_EXT_LOGIC_OP_AND_REVERSE = 12,
    AEROGPU_EXT_LOGIC_OP_AND_INVERTED = 13,
    AEROGPU_EXT_LOGIC_OP_OR_REVERSE = 14,
    AEROGPU_EXT_LOGIC_OP_OR_INVERTED = 15,
};

/* D3D11_COMPARISON_FUNC */
enum aerogpu_ext_comparison {
    AEROGPU_EXT_COMPARISON_NEVER = 1,
    AEROGPU_EXT_COMPARISON_LESS = 2,
    AEROGPU_EXT_COMPARISON_EQUAL = 3,
    AEROGPU_EXT_COMPARISON_LESS_EQUAL = 4,
    AEROGPU_EXT_COMPARISON_GREATER = 5,
    AEROGPU_EXT_COMPARISON_NOT_EQUAL = 6,
    AEROGPU_EXT_COMPARISON_GREATER_EQUAL = 7,
    AEROGPU_EXT_COMPARISON_ALWAYS = 8,
};

/* D3D11_STENCIL_OP */
enum aerogpu_ext_stencil_op {
    AEROGPU_EXT_STENCIL_OP_KEEP = 1,
    AEROGPU_EXT_STENCIL_OP_ZERO = 2,
    AEROGPU_EXT_STENCIL_OP_REPLACE = 3,
    AEROGPU_EXT_STENCIL_OP_INCR_SAT = 4,
    AEROGPU_EXT_STENCIL_OP_DECR_SAT = 5,
    AEROGPU_EXT_STENCIL_OP_INVERT = 6,
    AEROGPU_EXT_STENCIL_OP_INCR = 7,
    AEROGPU_EXT_STENCIL_OP_DECR = 8,
};

/* D3D11_FILL_MODE */
enum aerogpu_ext_fill {
    AEROGPU_EXT_FILL_WIREFRAME = 2,
    AEROGPU_EXT_FILL_SOLID = 3,
};

/* D3D11_CULL_MODE */
enum aerogpu_ext_cull {
    AEROGPU_EXT_CULL_NONE = 1,
    AEROGPU_EXT_CULL_FRONT = 2,
    AEROGPU_EXT_CULL_BACK = 3,
};

/* D3D11_FILTER is a set of bits; none of them is point sampling. */
enum aerogpu_ext_filter {
    AEROGPU_EXT_FILTER_MIP_LINEAR = 0x1,
    AEROGPU_EXT_FILTER_MAG_LINEAR = 0x4,
    AEROGPU_EXT_FILTER_MIN_LINEAR = 0x10,
    AEROGPU_EXT_FILTER_ANISOTROPIC = 0x40,
    AEROGPU_EXT_FILTER_COMPARISON = 0x80,
    AEROGPU_EXT_FILTER_MINIMUM = 0x100, /* with COMPARISON's bit: maximum */
};

/* D3D11_TEXTURE_ADDRESS_MODE */
enum aerogpu_ext_address {
    AEROGPU_EXT_ADDRESS_WRAP = 1,
    AEROGPU_EXT_ADDRESS_MIRROR = 2,
    AEROGPU_EXT_ADDRESS_CLAMP = 3,
    AEROGPU_EXT_ADDRESS_BORDER = 4,
    AEROGPU_EXT_ADDRESS_MIRROR_ONCE = 5,
};

/* D3D11_CLEAR_FLAG */
enum aerogpu_ext_clear_flags {
    AEROGPU_EXT_CLEAR_DEPTH = 0x1,
    AEROGPU_EXT_CLEAR_STENCIL = 0x2,
};

enum aerogpu_ext_target_flags {
    AEROGPU_EXT_KEEP_RENDER_TARGETS = 1 << 0,         /* D3D11_KEEP_RENDER_TARGETS_AND_DEPTH_STENCIL */
    AEROGPU_EXT_KEEP_UNORDERED_ACCESS_VIEWS = 1 << 1, /* D3D11_KEEP_UNORDERED_ACCESS_VIEWS */
};

/* DXBC program types */
enum aerogpu_ext_program {
    AEROGPU_EXT_PROGRAM_PIXEL = 0,
    AEROGPU_EXT_PROGRAM_VERTEX = 1,
    AEROGPU_EXT_PROGRAM_GEOMETRY = 2,
    AEROGPU_EXT_PROGRAM_HULL = 3,
    AEROGPU_EXT_PROGRAM_DOMAIN = 4,
    AEROGPU_EXT_PROGRAM_COMPUTE = 5,
};

/* D3D11_QUERY */
enum aerogpu_ext_query {
    AEROGPU_EXT_QUERY_EVENT = 0,
    AEROGPU_EXT_QUERY_OCCLUSION = 1,
    AEROGPU_EXT_QUERY_TIMESTAMP = 2,
    AEROGPU_EXT_QUERY_TIMESTAMP_DISJOINT = 3,
    AEROGPU_EXT_QUERY_PIPELINE_STATISTICS = 4,
    AEROGPU_EXT_QUERY_OCCLUSION_PREDICATE = 5,
    AEROGPU_EXT_QUERY_SO_STATISTICS = 6,
    AEROGPU_EXT_QUERY_SO_OVERFLOW_PREDICATE = 7,
    AEROGPU_EXT_QUERY_SO_STATISTICS_STREAM0 = 8,
    AEROGPU_EXT_QUERY_SO_OVERFLOW_PREDICATE_STREAM0 = 9,
    AEROGPU_EXT_QUERY_SO_STATISTICS_STREAM1 = 10,
    AEROGPU_EXT_QUERY_SO_OVERFLOW_PREDICATE_STREAM1 = 11,
    AEROGPU_EXT_QUERY_SO_STATISTICS_STREAM2 = 12,
    AEROGPU_EXT_QUERY_SO_OVERFLOW_PREDICATE_STREAM2 = 13,
    AEROGPU_EXT_QUERY_SO_STATISTICS_STREAM3 = 14,
    AEROGPU_EXT_QUERY_SO_OVERFLOW_PREDICATE_STREAM3 = 15,
};

enum aerogpu_ext_query_flags {
    AEROGPU_EXT_QUERY_FLAG_PREDICATE_HINT = 1 << 0, /* D3D11_QUERY_MISC_PREDICATEHINT */
};

enum aerogpu_ext_execute_flags {
    AEROGPU_EXT_EXECUTE_RESTORE_STATE = 1 << 0, /* the context's state is as before; else it is cleared */
};

enum aerogpu_ext_caps {
    /* parameter0: format; answer: D3D11_FORMAT_SUPPORT, ..._SUPPORT2 */
    AEROGPU_EXT_CAPS_FORMAT_SUPPORT = 0,
    AEROGPU_EXT_CAPS_MULTISAMPLE_QUALITY = 1, /* parameter0: format, parameter1: samples; answer: levels, 0 */
    AEROGPU_EXT_CAPS_FEATURES = 2,            /* answer: struct aerogpu_ext_features */
};

/* D3D11_FORMAT_SUPPORT */
enum aerogpu_ext_format_support {
    AEROGPU_EXT_FORMAT_SUPPORT_BUFFER = 0x1,
    AEROGPU_EXT_FORMAT_SUPPORT_IA_VERTEX_BUFFER = 0x2,
    AEROGPU_EXT_FORMAT_SUPPORT_IA_INDEX_BUFFER = 0x4,
    AEROGPU_EXT_FORMAT_SUPPORT_SO_BUFFER = 0x8,
    AEROGPU_EXT_FORMAT_SUPPORT_TEXTURE1D = 0x10,
    AEROGPU_EXT_FORMAT_SUPPORT_TEXTURE2D = 0x20,
    AEROGPU_EXT_FORMAT_SUPPORT_TEXTURE3D = 0x40,
    AEROGPU_EXT_FORMAT_SUPPORT_TEXTURECUBE = 0x80,
    AEROGPU_EXT_FORMAT_SUPPORT_SHADER_LOAD = 0x100,
    AEROGPU_EXT_FORMAT_SUPPORT_SHADER_SAMPLE = 0x200,
    AEROGPU_EXT_FORMAT_SUPPORT_SHADER_SAMPLE_COMPARISON = 0x400,
    AEROGPU_EXT_FORMAT_SUPPORT_MIP = 0x1000,
    AEROGPU_EXT_FORMAT_SUPPORT_MIP_AUTOGEN = 0x2000,
    AEROGPU_EXT_FORMAT_SUPPORT_RENDER_TARGET = 0x4000,
    AEROGPU_EXT_FORMAT_SUPPORT_BLENDABLE = 0x8000,
    AEROGPU_EXT_FORMAT_SUPPORT_DEPTH_STENCIL = 0x10000,
    AEROGPU_EXT_FORMAT_SUPPORT_CPU_LOCKABLE = 0x20000,
    AEROGPU_EXT_FORMAT_SUPPORT_MULTISAMPLE_RESOLVE = 0x40000,
    AEROGPU_EXT_FORMAT_SUPPORT_DISPLAY = 0x80000,
    AEROGPU_EXT_FORMAT_SUPPORT_CAST_WITHIN_BIT_LAYOUT = 0x100000,
    AEROGPU_EXT_FORMAT_SUPPORT_MULTISAMPLE_RENDERTARGET = 0x200000,
    AEROGPU_EXT_FORMAT_SUPPORT_MULTISAMPLE_LOAD = 0x400000,
    AEROGPU_EXT_FORMAT_SUPPORT_SHADER_GATHER = 0x800000,
    AEROGPU_EXT_FORMAT_SUPPORT_TYPED_UNORDERED_ACCESS_VIEW = 0x2000000,
    AEROGPU_EXT_FORMAT_SUPPORT_SHADER_GATHER_COMPARISON = 0x4000000,
};

/* D3D11_FORMAT_SUPPORT2 */
enum aerogpu_ext_format_support2 {
    AEROGPU_EXT_FORMAT_SUPPORT2_UAV_ATOMIC_ADD = 0x1,
    AEROGPU_EXT_FORMAT_SUPPORT2_UAV_ATOMIC_BITWISE_OPS = 0x2,
    AEROGPU_EXT_FORMAT_SUPPORT2_UAV_ATOMIC_COMPARE_STORE_OR_COMPARE_EXCHANGE = 0x4,
    AEROGPU_EXT_FORMAT_SUPPORT2_UAV_ATOMIC_EXCHANGE = 0x8,
    AEROGPU_EXT_FORMAT_SUPPORT2_UAV_ATOMIC_SIGNED_MIN_OR_MAX = 0x10,
    AEROGPU_EXT_FORMAT_SUPPORT2_UAV_ATOMIC_UNSIGNED_MIN_OR_MAX = 0x20,
    AEROGPU_EXT_FORMAT_SUPPORT2_UAV_TYPED_LOAD = 0x40,
    AEROGPU_EXT_FORMAT_SUPPORT2_UAV_TYPED_STORE = 0x80,
    AEROGPU_EXT_FORMAT_SUPPORT2_OUTPUT_MERGER_LOGIC_OP = 0x100,
};

#define AEROGPU_EXT_MAX_STREAM_OUTPUT_BUFFERS 4u
#define AEROGPU_EXT_STREAM_OUTPUT_APPEND 0xFFFFFFFFu /* an offset: go on where the last one stopped */
#define AEROGPU_EXT_STREAM_OUTPUT_GAP 0xFFFFFFFFu    /* a register: the components are skipped */
#define AEROGPU_EXT_STREAM_OUTPUT_NOT_RASTERIZED 0xFFFFFFFFu
#define AEROGPU_EXT_KEEP_COUNTER 0xFFFFFFFFu /* an initial count: the counter stays as it is */

/* ---- Structures ---------------------------------------------------------------------------------------- */

#pragma pack(push, 1)

/* D3D11_BOX: texels, for buffers bytes; right, bottom and back are exclusive. */
struct aerogpu_ext_box {
    uint32_t left, top, front, right, bottom, back;
};

/* D3D11_RECT; right and bottom are exclusive. */
struct aerogpu_ext_rect {
    int32_t left, top, right, bottom;
};

/* AEROGPU_CMD_EXT_CREATE_BUFFER (D3D11_BUFFER_DESC). Handle, backing and re-creation as CREATE_BUFFER. */
struct aerogpu_cmd_ext_create_buffer {
    struct aerogpu_cmd_hdr hdr;
    aerogpu_handle_t buffer_handle;
    uint32_t bind_flags;             /* enum aerogpu_ext_bind_flags */
    uint32_t misc_flags;             /* enum aerogpu_ext_misc_flags */
    uint32_t structure_stride_bytes; /* with BUFFER_STRUCTURED: a multiple of 4 up to 2048 */
    uint64_t size_bytes;             /* not 0 */
    uint32_t backing_alloc_id;       /* 0 = host owned */
    uint32_t backing_offset_bytes;
};

/* AEROGPU_CMD_EXT_CREATE_TEXTURE (D3D11_TEXTURE1D_DESC to D3D11_TEXTURE3D_DESC). Guest memory,
 * UPLOAD_RESOURCE and dirty ranges see the packed layout of ABI 8.1: array slices outside, mips inside; the
 * slices of a mip of a volume follow each other at its depth pitch. Multisampled textures have no guest
 * memory. */
#define AEROGPU_EXT_QUALITY_STANDARD 0xFFFFFFFFu /* D3D11_STANDARD_MULTISAMPLE_PATTERN */
#define AEROGPU_EXT_QUALITY_CENTER 0xFFFFFFFEu   /* D3D11_CENTER_MULTISAMPLE_PATTERN */
struct aerogpu_cmd_ext_create_texture {
    struct aerogpu_cmd_hdr hdr;
    aerogpu_handle_t texture_handle;
    uint32_t dimension; /* enum aerogpu_ext_resource_dimension */
    uint32_t format;    /* ABI or extension format; may be typeless */
    uint32_t width;
    uint32_t height;            /* 1 for 1D */
    uint32_t depth;             /* 1 but for 3D */
    uint32_t mip_levels;        /* 0 = down to one texel */
    uint32_t array_size;        /* 1 for 3D; 6 or more with TEXTURECUBE */
    uint32_t sample_count;      /* 1, 2, 4 or 8 */
    uint32_t sample_quality;    /* below what READ_CAPS says, or AEROGPU_EXT_QUALITY_* */
    uint32_t bind_flags;        /* enum aerogpu_ext_bind_flags */
    uint32_t misc_flags;        /* enum aerogpu_ext_misc_flags */
    uint32_t row_pitch_bytes;   /* of mip 0; 0 = tight */
    uint32_t depth_pitch_bytes; /* of mip 0 of volumes; 0 = row pitch times rows */
    uint32_t backing_alloc_id;  /* 0 = host owned */
    uint32_t backing_offset_bytes;
};

/* AEROGPU_CMD_EXT_UPDATE_SUBRESOURCE: UpdateSubresource1, and Unmap of what was mapped for writing. The bytes
 * are the data_size_bytes behind the packet (source_alloc_id 0), or in guest memory, read when it runs. */
struct aerogpu_cmd_ext_update_subresource {
    struct aerogpu_cmd_hdr hdr;
    aerogpu_handle_t resource_handle;
    uint32_t subresource; /* mip + slice * mips; 0 for buffers */
    uint32_t flags;       /* enum aerogpu_ext_update_flags */
    struct aerogpu_ext_box box;
    uint32_t row_pitch_bytes;   /* of the bytes given; 0 = tight */
    uint32_t depth_pitch_bytes; /* 0 = tight */
    uint32_t source_alloc_id;
    uint64_t source_offset_bytes;
    uint32_t data_size_bytes; /* 0 with source_alloc_id */
};

/* AEROGPU_CMD_EXT_READ_SUBRESOURCE: what Map for reading needs: the bytes are in guest memory before the
 * fence. */
struct aerogpu_cmd_ext_read_subresource {
    struct aerogpu_cmd_hdr hdr;
    aerogpu_handle_t resource_handle;
    uint32_t subresource;
    uint32_t flags; /* AEROGPU_EXT_UPDATE_BOX or 0 */
    struct aerogpu_ext_box box;
    uint32_t row_pitch_bytes;   /* in guest memory; 0 = tight */
    uint32_t depth_pitch_bytes; /* 0 = tight */
    uint32_t target_alloc_id;   /* not 0, writable */
    uint64_t target_offset_bytes;
};

/* AEROGPU_CMD_EXT_COPY_RESOURCE */
struct aerogpu_cmd_ext_copy_resource {
    struct aerogpu_cmd_hdr hdr;
    aerogpu_handle_t dst_resource;
    aerogpu_handle_t src_resource;
    uint32_t flags; /* enum aerogpu_copy_flags */
    uint32_t reserved0;
};

/* AEROGPU_CMD_EXT_COPY_SUBRESOURCE_REGION */
struct aerogpu_cmd_ext_copy_subresource_region {
    struct aerogpu_cmd_hdr hdr;
    aerogpu_handle_t dst_resource;
    uint32_t dst_subresource;
    uint32_t dst_x; /* texels; bytes for buffers */
    uint32_t dst_y;
    uint32_t dst_z;
    aerogpu_handle_t src_resource;
    uint32_t src_subresource;
    uint32_t box_flags; /* AEROGPU_EXT_UPDATE_BOX or 0: the whole subresource */
    struct aerogpu_ext_box box;
    uint32_t flags; /* enum aerogpu_copy_flags */
};

/* AEROGPU_CMD_EXT_COPY_STRUCTURE_COUNT */
struct aerogpu_cmd_ext_copy_structure_count {
    struct aerogpu_cmd_hdr hdr;
    aerogpu_handle_t dst_buffer;
    uint32_t dst_offset_bytes; /* multiple of 4 */
    aerogpu_handle_t src_view; /* unordered access view with APPEND or COUNTER */
    uint32_t flags;            /* enum aerogpu_copy_flags */
};

/* AEROGPU_CMD_EXT_RESOLVE_SUBRESOURCE */
struct aerogpu_cmd_ext_resolve_subresource {
    struct aerogpu_cmd_hdr hdr;
    aerogpu_handle_t dst_texture;
    uint32_t dst_subresource;
    aerogpu_handle_t src_texture;
    uint32_t src_subresource;
    uint32_t format; /* what typeless textures are resolved as */
    uint32_t flags;  /* enum aerogpu_copy_flags */
};

/* AEROGPU_CMD_EXT_GENERATE_MIPS */
struct aerogpu_cmd_ext_generate_mips {
    struct aerogpu_cmd_hdr hdr;
    aerogpu_handle_t view_handle; /* shader resource view */
    uint32_t reserved0;
};

/* AEROGPU_CMD_EXT_SET_RESOURCE_MIN_LOD */
struct aerogpu_cmd_ext_set_resource_min_lod {
    struct aerogpu_cmd_hdr hdr;
    aerogpu_handle_t texture_handle;
    uint32_t min_lod_f32;
};

/* AEROGPU_CMD_EXT_DISCARD_RESOURCE */
struct aerogpu_cmd_ext_discard_resource {
    struct aerogpu_cmd_hdr hdr;
    aerogpu_handle_t resource_handle;
    uint32_t reserved0;
};

/* AEROGPU_CMD_EXT_DISCARD_VIEW; rect_count aerogpu_ext_rect follow, none = the whole view */
struct aerogpu_cmd_ext_discard_view {
    struct aerogpu_cmd_hdr hdr;
    aerogpu_handle_t view_handle;
    uint32_t rect_count;
};

/* AEROGPU_CMD_EXT_CREATE_VIEW. Views of the resource namespace: SET_TEXTURE and SET_RENDER_TARGETS take them,
 * too. */
struct aerogpu_cmd_ext_create_view {
    struct aerogpu_cmd_hdr hdr;
    aerogpu_handle_t view_handle;     /* new handle, same namespace as resources */
    aerogpu_handle_t resource_handle; /* existing buffer or texture */
    uint32_t kind;                    /* enum aerogpu_ext_view_kind */
    uint32_t format;                  /* 0 = the resource's own (structured buffers always) */
    uint32_t dimension;               /* enum aerogpu_ext_view_dimension */
    uint32_t flags;                   /* enum aerogpu_ext_view_flags */
    uint32_t first_element;           /* buffers: in elements of the format, structures, or words with RAW */
    uint32_t element_count;           /* buffers; AEROGPU_EXT_ALL */
    uint32_t base_mip_level;
    uint32_t mip_level_count;   /* 1 unless a shader resource view; AEROGPU_EXT_ALL */
    uint32_t base_array_layer;  /* slice, cube face, or depth slice of a volume's target or UAV */
    uint32_t array_layer_count; /* AEROGPU_EXT_ALL */
};

/* AEROGPU_CMD_EXT_DESTROY_VIEW */
struct aerogpu_cmd_ext_destroy_view {
    struct aerogpu_cmd_hdr hdr;
    aerogpu_handle_t view_handle; /* unknown or already destroyed is a no-op */
    uint32_t reserved0;
};

/* AEROGPU_CMD_EXT_DESTROY_OBJECT: signatures, stream-output declarations, blend, depth-stencil and rasterizer
 * states, queries, command lists. They share one namespace of their own. */
struct aerogpu_cmd_ext_destroy_object {
    struct aerogpu_cmd_hdr hdr;
    aerogpu_handle_t object_handle; /* unknown or already destroyed is a no-op */
    uint32_t reserved0;
};

/* One element of a signature as the driver interface passes it. */
struct aerogpu_ext_signature_element {
    uint32_t system_value; /* D3D10_SB_NAME: 0 = none */
    uint32_t register_index;
    uint32_t mask;           /* 1 x, 2 y, 4 z, 8 w */
    uint32_t stream;         /* of geometry shader outputs */
    uint32_t component_type; /* D3D10_SB_REGISTER_COMPONENT_TYPE: 0 = unknown */
    uint32_t min_precision;  /* D3D11_SB_OPERAND_MIN_PRECISION */
};

/* AEROGPU_CMD_EXT_CREATE_SIGNATURE; element_count aerogpu_ext_signature_element follow */
struct aerogpu_cmd_ext_create_signature {
    struct aerogpu_cmd_hdr hdr;
    aerogpu_handle_t object_handle; /* new handle */
    uint32_t element_count;
};

/* Consecutive components of one register that go to one buffer, in the order of the declaration. */
struct aerogpu_ext_stream_output_element {
    uint32_t stream;
    uint32_t register_index; /* output register, or AEROGPU_EXT_STREAM_OUTPUT_GAP */
    uint32_t mask;           /* consecutive components; of a gap: how many */
    uint32_t output_slot;    /* 0 to 3 */
};

/* AEROGPU_CMD_EXT_CREATE_STREAM_OUTPUT; element_count aerogpu_ext_stream_output_element follow */
struct aerogpu_cmd_ext_create_stream_output {
    struct aerogpu_cmd_hdr hdr;
    aerogpu_handle_t object_handle; /* new handle */
    uint32_t rasterized_stream;     /* 0 to 3, or AEROGPU_EXT_STREAM_OUTPUT_NOT_RASTERIZED */
    uint32_t stride_bytes[AEROGPU_EXT_MAX_STREAM_OUTPUT_BUFFERS]; /* 0 = what the declaration needs */
    uint32_t element_count;
};

/* AEROGPU_CMD_EXT_CREATE_SHADER; size_bytes bytes follow: a DXBC container, or bare tokens, whose signatures
 * are the objects named here. Objects are read at creation and may go at once. A geometry program without
 * bytes hands on what the stage before it makes (CreateGeometryShaderWithStreamOutput of a vertex shader);
 * its input and output signature are that of `output_signature`. */
struct aerogpu_cmd_ext_create_shader {
    struct aerogpu_cmd_hdr hdr;
    aerogpu_handle_t shader_handle;   /* new handle, same namespace as CREATE_SHADER_DXBC */
    uint32_t program;                 /* enum aerogpu_ext_program */
    aerogpu_handle_t input_signature; /* 0 = empty; ignored with a container */
    aerogpu_handle_t output_signature;
    aerogpu_handle_t patch_constant_signature;
    aerogpu_handle_t stream_output; /* geometry programs; 0 = none */
    uint32_t size_bytes;
    uint32_t reserved0;
};

/* One element of an input layout that names the input register, as the driver interface does. */
struct aerogpu_ext_input_element {
    uint32_t input_register;
    uint32_t format; /* extension format, or a plain DXGI number */
    uint32_t input_slot;
    uint32_t aligned_byte_offset; /* 0xFFFFFFFF = append */
    uint32_t input_slot_class;    /* 0 per vertex, 1 per instance */
    uint32_t instance_data_step_rate;
};

/* AEROGPU_CMD_EXT_CREATE_INPUT_LAYOUT; element_count aerogpu_ext_input_element follow */
struct aerogpu_cmd_ext_create_input_layout {
    struct aerogpu_cmd_hdr hdr;
    aerogpu_handle_t input_layout_handle; /* new handle, same namespace as CREATE_INPUT_LAYOUT */
    uint32_t element_count;
};

/* What stands in an interface slot of a shader. */
struct aerogpu_ext_class_instance {
    uint32_t function_table;        /* ft# of the class; AEROGPU_EXT_ALL = nothing */
    uint32_t constant_buffer;       /* slot of its data */
    uint32_t constant_offset_bytes; /* first byte there, a multiple of 16 */
    uint32_t texture;               /* first texture slot */
    uint32_t sampler;               /* first sampler slot */
};

/* AEROGPU_CMD_EXT_SET_CLASS_INSTANCES: of the shader that is bound when a draw happens; instance_count
 * aerogpu_ext_class_instance follow, slots from instance_count on hold nothing */
struct aerogpu_cmd_ext_set_class_instances {
    struct aerogpu_cmd_hdr hdr;
    uint32_t shader_stage; /* enum aerogpu_shader_stage */
    uint32_t instance_count;
    uint32_t reserved0; /* stage_ex */
};

struct aerogpu_ext_stream_output_target {
    aerogpu_handle_t buffer; /* 0 = none */
    uint32_t offset_bytes;   /* multiple of 4, or AEROGPU_EXT_STREAM_OUTPUT_APPEND */
};

/* AEROGPU_CMD_EXT_SET_STREAM_OUTPUT_TARGETS; target_count aerogpu_ext_stream_output_target follow, other
 * slots are unbound */
struct aerogpu_cmd_ext_set_stream_output_targets {
    struct aerogpu_cmd_hdr hdr;
    uint32_t target_count; /* 0 to 4 */
    uint32_t reserved0;
};

struct aerogpu_ext_blend_target {
    uint32_t blend_enable;
    uint32_t logic_op_enable;
    uint32_t src_blend;  /* enum aerogpu_ext_blend */
    uint32_t dest_blend; /* enum aerogpu_ext_blend */
    uint32_t blend_op;   /* enum aerogpu_ext_blend_op */
    uint32_t src_blend_alpha;
    uint32_t dest_blend_alpha;
    uint32_t blend_op_alpha;
    uint32_t logic_op;   /* enum aerogpu_ext_logic_op */
    uint32_t write_mask; /* 1 R, 2 G, 4 B, 8 A */
};

/* AEROGPU_CMD_EXT_CREATE_BLEND_STATE (D3D11_BLEND_DESC1); target_count aerogpu_ext_blend_target follow, the
 * rest are Direct3D's defaults */
struct aerogpu_cmd_ext_create_blend_state {
    struct aerogpu_cmd_hdr hdr;
    aerogpu_handle_t object_handle; /* new handle */
    uint32_t alpha_to_coverage_enable;
    uint32_t independent_blend_enable;
    uint32_t target_count; /* 0 to 8 */
};

struct aerogpu_ext_stencil_face {
    uint32_t fail_op; /* enum aerogpu_ext_stencil_op */
    uint32_t depth_fail_op;
    uint32_t pass_op;
    uint32_t func; /* enum aerogpu_ext_comparison */
};

/* AEROGPU_CMD_EXT_CREATE_DEPTH_STENCIL_STATE (D3D11_DEPTH_STENCIL_DESC) */
struct aerogpu_cmd_ext_create_depth_stencil_state {
    struct aerogpu_cmd_hdr hdr;
    aerogpu_handle_t object_handle; /* new handle */
    uint32_t depth_enable;
    uint32_t depth_write_enable;
    uint32_t depth_func; /* enum aerogpu_ext_comparison */
    uint32_t stencil_enable;
    uint32_t stencil_read_mask;
    uint32_t stencil_write_mask;
    struct aerogpu_ext_stencil_face front_face;
    struct aerogpu_ext_stencil_face back_face;
};

/* AEROGPU_CMD_EXT_CREATE_RASTERIZER_STATE (D3D11_RASTERIZER_DESC1) */
struct aerogpu_cmd_ext_create_rasterizer_state {
    struct aerogpu_cmd_hdr hdr;
    aerogpu_handle_t object_handle; /* new handle */
    uint32_t fill_mode;             /* enum aerogpu_ext_fill */
    uint32_t cull_mode;             /* enum aerogpu_ext_cull */
    uint32_t front_counter_clockwise;
    int32_t depth_bias;
    uint32_t depth_bias_clamp_f32;
    uint32_t slope_scaled_depth_bias_f32;
    uint32_t depth_clip_enable;
    uint32_t scissor_enable;
    uint32_t multisample_enable;
    uint32_t antialiased_line_enable;
    uint32_t forced_sample_count; /* 0 = that of the targets */
};

/* AEROGPU_CMD_EXT_CREATE_SAMPLER (D3D11_SAMPLER_DESC) */
struct aerogpu_cmd_ext_create_sampler {
    struct aerogpu_cmd_hdr hdr;
    aerogpu_handle_t sampler_handle; /* new handle, same namespace as CREATE_SAMPLER */
    uint32_t filter;                 /* enum aerogpu_ext_filter */
    uint32_t address_u;              /* enum aerogpu_ext_address */
    uint32_t address_v;
    uint32_t address_w;
    uint32_t mip_lod_bias_f32;
    uint32_t max_anisotropy;
    uint32_t comparison_func; /* enum aerogpu_ext_comparison */
    uint32_t border_color_f32[4];
    uint32_t min_lod_f32;
    uint32_t max_lod_f32;
};

/* AEROGPU_CMD_EXT_SET_BLEND_STATE */
struct aerogpu_cmd_ext_set_blend_state {
    struct aerogpu_cmd_hdr hdr;
    aerogpu_handle_t state_handle; /* 0 = Direct3D's default */
    uint32_t blend_factor_f32[4];
    uint32_t sample_mask;
};

/* AEROGPU_CMD_EXT_SET_DEPTH_STENCIL_STATE */
struct aerogpu_cmd_ext_set_depth_stencil_state {
    struct aerogpu_cmd_hdr hdr;
    aerogpu_handle_t state_handle; /* 0 = Direct3D's default */
    uint32_t stencil_ref;
};

/* AEROGPU_CMD_EXT_SET_RASTERIZER_STATE */
struct aerogpu_cmd_ext_set_rasterizer_state {
    struct aerogpu_cmd_hdr hdr;
    aerogpu_handle_t state_handle; /* 0 = Direct3D's default */
    uint32_t reserved0;
};

struct aerogpu_ext_viewport {
    uint32_t x_f32;
    uint32_t y_f32;
    uint32_t width_f32;
    uint32_t height_f32;
    uint32_t min_depth_f32;
    uint32_t max_depth_f32;
};

/* AEROGPU_CMD_EXT_SET_VIEWPORTS; viewport_count aerogpu_ext_viewport follow, other slots are unset */
struct aerogpu_cmd_ext_set_viewports {
    struct aerogpu_cmd_hdr hdr;
    uint32_t viewport_count; /* 0 to 16 */
    uint32_t reserved0;
};

/* AEROGPU_CMD_EXT_SET_SCISSORS; rect_count aerogpu_ext_rect follow, other slots are empty rectangles */
struct aerogpu_cmd_ext_set_scissors {
    struct aerogpu_cmd_hdr hdr;
    uint32_t rect_count; /* 0 to 16 */
    uint32_t reserved0;
};

/* AEROGPU_CMD_EXT_CLEAR_STATE: the context's bindings and state are Direct3D's defaults */
struct aerogpu_cmd_ext_clear_state {
    struct aerogpu_cmd_hdr hdr;
    uint32_t reserved0;
    uint32_t reserved1;
};

struct aerogpu_ext_unordered_access_binding {
    aerogpu_handle_t view;  /* unordered access view, 0 = unbind */
    uint32_t initial_count; /* of APPEND and COUNTER views; AEROGPU_EXT_KEEP_COUNTER */
};

/* AEROGPU_CMD_EXT_SET_RENDER_TARGETS (OMSetRenderTargetsAndUnorderedAccessViews); uav_count
 * aerogpu_ext_unordered_access_binding follow, other pixel shader UAVs are unbound */
struct aerogpu_cmd_ext_set_render_targets {
    struct aerogpu_cmd_hdr hdr;
    uint32_t flags;                                      /* enum aerogpu_ext_target_flags */
    uint32_t color_count;                                /* 0 to 8 */
    aerogpu_handle_t depth_stencil;                      /* depth-stencil view, 0 = none */
    aerogpu_handle_t colors[AEROGPU_MAX_RENDER_TARGETS]; /* render target views, 0 leaves a gap */
    uint32_t uav_start_slot;
    uint32_t uav_count;
};

/* AEROGPU_CMD_EXT_SET_SHADER_RESOURCES; view_count handles of shader resource views follow, 0 unbinds */
struct aerogpu_cmd_ext_set_shader_resources {
    struct aerogpu_cmd_hdr hdr;
    uint32_t shader_stage; /* enum aerogpu_shader_stage */
    uint32_t start_slot;   /* t register */
    uint32_t view_count;
    uint32_t reserved0; /* stage_ex */
};

/* AEROGPU_CMD_EXT_SET_UNORDERED_ACCESS_VIEWS (CSSetUnorderedAccessViews); uav_count
 * aerogpu_ext_unordered_access_binding follow */
struct aerogpu_cmd_ext_set_unordered_access_views {
    struct aerogpu_cmd_hdr hdr;
    uint32_t shader_stage; /* AEROGPU_SHADER_STAGE_COMPUTE */
    uint32_t start_slot;   /* u register */
    uint32_t uav_count;
    uint32_t reserved0; /* stage_ex: 0 */
};

/* AEROGPU_CMD_EXT_CLEAR_RENDER_TARGET_VIEW (and ClearView); rect_count aerogpu_ext_rect follow, none = all */
struct aerogpu_cmd_ext_clear_render_target_view {
    struct aerogpu_cmd_hdr hdr;
    aerogpu_handle_t view_handle; /* render target view */
    uint32_t color_rgba_f32[4];
    uint32_t rect_count;
};

/* AEROGPU_CMD_EXT_CLEAR_DEPTH_STENCIL_VIEW; rect_count aerogpu_ext_rect follow, none = all */
struct aerogpu_cmd_ext_clear_depth_stencil_view {
    struct aerogpu_cmd_hdr hdr;
    aerogpu_handle_t view_handle; /* depth-stencil view */
    uint32_t flags;               /* enum aerogpu_ext_clear_flags */
    uint32_t depth_f32;
    uint32_t stencil;
    uint32_t rect_count;
};

/* AEROGPU_CMD_EXT_CLEAR_UNORDERED_ACCESS_VIEW (ClearUnorderedAccessViewUint and ...Float); rect_count
 * aerogpu_ext_rect follow, none = all */
struct aerogpu_cmd_ext_clear_unordered_access_view {
    struct aerogpu_cmd_hdr hdr;
    aerogpu_handle_t view_handle; /* unordered access view */
    /* 1: values are float bits, converted to the format; 0: stored as they are */
    uint32_t is_float;
    uint32_t values[4];
    uint32_t rect_count;
};

/* AEROGPU_CMD_EXT_DRAW_INSTANCED_INDIRECT: four words in the buffer, those of DRAW */
struct aerogpu_cmd_ext_draw_instanced_indirect {
    struct aerogpu_cmd_hdr hdr;
    aerogpu_handle_t buffer;
    uint32_t offset_bytes; /* multiple of 4 */
};

/* AEROGPU_CMD_EXT_DRAW_INDEXED_INSTANCED_INDIRECT: five words in the buffer, those of DRAW_INDEXED */
struct aerogpu_cmd_ext_draw_indexed_instanced_indirect {
    struct aerogpu_cmd_hdr hdr;
    aerogpu_handle_t buffer;
    uint32_t offset_bytes; /* multiple of 4 */
};

/* AEROGPU_CMD_EXT_DISPATCH_INDIRECT: three words in the buffer */
struct aerogpu_cmd_ext_dispatch_indirect {
    struct aerogpu_cmd_hdr hdr;
    aerogpu_handle_t buffer;
    uint32_t offset_bytes; /* multiple of 4 */
};

/* AEROGPU_CMD_EXT_DRAW_AUTO: as many vertices as stream output wrote into the buffer of slot 0 */
struct aerogpu_cmd_ext_draw_auto {
    struct aerogpu_cmd_hdr hdr;
    uint32_t reserved0;
    uint32_t reserved1;
};

/* AEROGPU_CMD_EXT_CREATE_QUERY (D3D11_QUERY_DESC) */
struct aerogpu_cmd_ext_create_query {
    struct aerogpu_cmd_hdr hdr;
    aerogpu_handle_t object_handle; /* new handle */
    uint32_t type;                  /* enum aerogpu_ext_query */
    uint32_t flags;                 /* enum aerogpu_ext_query_flags */
    uint32_t reserved0;
};

/* AEROGPU_CMD_EXT_BEGIN_QUERY; EVENT and TIMESTAMP have none */
struct aerogpu_cmd_ext_begin_query {
    struct aerogpu_cmd_hdr hdr;
    aerogpu_handle_t query_handle;
    uint32_t reserved0;
};

/* AEROGPU_CMD_EXT_END_QUERY: struct aerogpu_ext_query_result is in guest memory before the fence */
struct aerogpu_cmd_ext_end_query {
    struct aerogpu_cmd_hdr hdr;
    aerogpu_handle_t query_handle;
    uint32_t result_alloc_id; /* 0 = nobody wants to know (predicates) */
    uint64_t result_offset_bytes;
};

/* What a query found, D3D11_QUERY_DATA_* in its order. Words that the type does not have are not written. */
struct aerogpu_ext_query_result {
    uint32_t is_ready;   /* written last: 1 */
    uint32_t data_bytes; /* that are meaningful below */
    uint64_t data[11];   /* EVENT, predicates: data[0] is 0 or 1. TIMESTAMP_DISJOINT: frequency, disjoint */
};

/* AEROGPU_CMD_EXT_SET_PREDICATION */
struct aerogpu_cmd_ext_set_predication {
    struct aerogpu_cmd_hdr hdr;
    aerogpu_handle_t query_handle; /* 0 = draw always */
    uint32_t value;                /* nothing is drawn while the predicate's result is this */
};

/* AEROGPU_CMD_EXT_CREATE_COMMAND_LIST: what a deferred context recorded; size_bytes bytes of packets follow,
 * without a stream header */
struct aerogpu_cmd_ext_create_command_list {
    struct aerogpu_cmd_hdr hdr;
    aerogpu_handle_t object_handle; /* new handle */
    uint32_t size_bytes;            /* multiple of 4 */
};

/* AEROGPU_CMD_EXT_EXECUTE_COMMAND_LIST: the list starts from Direct3D's default state */
struct aerogpu_cmd_ext_execute_command_list {
    struct aerogpu_cmd_hdr hdr;
    aerogpu_handle_t list_handle;
    uint32_t flags; /* enum aerogpu_ext_execute_flags */
};

/* AEROGPU_CMD_EXT_READ_CAPS: the answer is in guest memory before the fence */
struct aerogpu_cmd_ext_read_caps {
    struct aerogpu_cmd_hdr hdr;
    uint32_t kind; /* enum aerogpu_ext_caps */
    uint32_t parameter0;
    uint32_t parameter1;
    uint32_t target_alloc_id; /* not 0, writable */
    uint64_t target_offset_bytes;
};

/* AEROGPU_CMD_EXT_DESTROY_CONTEXT: the bindings and state of a context of the submission descriptors end; a
 * later submission with the number begins anew. Any context may end any, itself included. */
struct aerogpu_cmd_ext_destroy_context {
    struct aerogpu_cmd_hdr hdr;
    uint32_t context_id;
    uint32_t reserved0;
};

/* AEROGPU_CMD_EXT_PRESENT (IDXGISwapChain::Present): a window of the guest's shows a subresource. With a sync
 * interval of n the fence completes n periods of the display after the submission before. The picture can
 * also be stored for the guest: bytes R, G, B, A, 4 * width bytes a row, top row first. */
struct aerogpu_cmd_ext_present {
    struct aerogpu_cmd_hdr hdr;
    aerogpu_handle_t texture_handle; /* without samples; a texture of the ABI's, too */
    uint32_t subresource;
    uint32_t swap_chain;      /* number of the driver's, from 1: presents of one number show one window */
    uint32_t sync_interval;   /* 0 to AEROGPU_EXT_MOST_SYNC_INTERVAL */
    uint32_t flags;           /* 0 */
    uint32_t target_alloc_id; /* writable; 0 = the guest needs no picture */
    uint64_t target_offset_bytes;
};
#define AEROGPU_EXT_MOST_SYNC_INTERVAL 4u

/* The answer to AEROGPU_EXT_CAPS_FEATURES; 1 = has it. */
struct aerogpu_ext_features {
    uint32_t feature_level; /* D3D_FEATURE_LEVEL */
    uint32_t double_precision_shaders;
    uint32_t logic_operations;
    uint32_t forced_sample_count;
    uint32_t clear_view;
    uint32_t typed_uav_load_additional_formats;
    uint32_t max_texture_dimension_2d;
    uint32_t max_texture_dimension_3d;
    uint32_t max_texture_array_layers;
    uint32_t max_buffer_bytes;
};

#pragma pack(pop)

#include "aerogpu/abi/ext_layout.h"

#endif
