/* SPDX-License-Identifier: MIT
 *
 * AeroGPU ABI 1.4: the command stream ("ACMD"): its header, enumerations, packets and input-layout blobs.
 *
 * Freestanding C99 and C++. All structures are byte-packed and little-endian; offsets count from the first
 * byte of the packet. Streams are aligned to 4 bytes only, so 64-bit fields may lie on any multiple of 4.
 * Producers write 0 to every `reserved*` field, consumers ignore them unless a comment says otherwise.
 *
 * Packets grow at their end only: a reader takes a longer packet of a known opcode and ignores the surplus,
 * and skips an unknown opcode by its size. Byte payloads are padded with zeros to a multiple of 4; the
 * padding is part of the packet. (Spec: ABI sections 5-7 and 9.)
 */
#ifndef AEROGPU_ABI_CMD_H
#define AEROGPU_ABI_CMD_H

#include <stddef.h>
#include <stdint.h>

#include "aerogpu/abi/assert.h"

/* Chosen by the guest; one namespace for all kinds of object and all processes. 0 names nothing. */
typedef uint32_t aerogpu_handle_t;

#define AEROGPU_CMD_STREAM_MAGIC 0x444D4341u /* "ACMD" */

enum aerogpu_cmd_stream_flags {
    AEROGPU_CMD_STREAM_FLAG_NONE = 0,
};

enum aerogpu_cmd_opcode {
    AEROGPU_CMD_NOP = 0x000,
    AEROGPU_CMD_DEBUG_MARKER = 0x001,
    AEROGPU_CMD_CREATE_BUFFER = 0x100,
    AEROGPU_CMD_CREATE_TEXTURE2D = 0x101,
    AEROGPU_CMD_DESTROY_RESOURCE = 0x102,
    AEROGPU_CMD_RESOURCE_DIRTY_RANGE = 0x103,
    AEROGPU_CMD_UPLOAD_RESOURCE = 0x104,
    AEROGPU_CMD_COPY_BUFFER = 0x105,
    AEROGPU_CMD_COPY_TEXTURE2D = 0x106,
    AEROGPU_CMD_CREATE_TEXTURE_VIEW = 0x107,
    AEROGPU_CMD_DESTROY_TEXTURE_VIEW = 0x108,
    AEROGPU_CMD_CREATE_SHADER_DXBC = 0x200,
    AEROGPU_CMD_DESTROY_SHADER = 0x201,
    AEROGPU_CMD_BIND_SHADERS = 0x202,
    AEROGPU_CMD_SET_SHADER_CONSTANTS_F = 0x203,
    AEROGPU_CMD_CREATE_INPUT_LAYOUT = 0x204,
    AEROGPU_CMD_DESTROY_INPUT_LAYOUT = 0x205,
    AEROGPU_CMD_SET_INPUT_LAYOUT = 0x206,
    AEROGPU_CMD_SET_SHADER_CONSTANTS_I = 0x207,
    AEROGPU_CMD_SET_SHADER_CONSTANTS_B = 0x208,
    AEROGPU_CMD_SET_BLEND_STATE = 0x300,
    AEROGPU_CMD_SET_DEPTH_STENCIL_STATE = 0x301,
    AEROGPU_CMD_SET_RASTERIZER_STATE = 0x302,
    AEROGPU_CMD_SET_RENDER_TARGETS = 0x400,
    AEROGPU_CMD_SET_VIEWPORT = 0x401,
    AEROGPU_CMD_SET_SCISSOR = 0x402,
    AEROGPU_CMD_SET_VERTEX_BUFFERS = 0x500,
    AEROGPU_CMD_SET_INDEX_BUFFER = 0x501,
    AEROGPU_CMD_SET_PRIMITIVE_TOPOLOGY = 0x502,
    AEROGPU_CMD_SET_TEXTURE = 0x510,
    AEROGPU_CMD_SET_SAMPLER_STATE = 0x511,
    AEROGPU_CMD_SET_RENDER_STATE = 0x512,
    AEROGPU_CMD_CREATE_SAMPLER = 0x520,
    AEROGPU_CMD_DESTROY_SAMPLER = 0x521,
    AEROGPU_CMD_SET_SAMPLERS = 0x522,
    AEROGPU_CMD_SET_CONSTANT_BUFFERS = 0x523,
    AEROGPU_CMD_SET_SHADER_RESOURCE_BUFFERS = 0x524,
    AEROGPU_CMD_SET_UNORDERED_ACCESS_BUFFERS = 0x525,
    AEROGPU_CMD_CLEAR = 0x600,
    AEROGPU_CMD_DRAW = 0x601,
    AEROGPU_CMD_DRAW_INDEXED = 0x602,
    AEROGPU_CMD_DISPATCH = 0x603,
    AEROGPU_CMD_PRESENT = 0x700,
    AEROGPU_CMD_PRESENT_EX = 0x701,
    AEROGPU_CMD_EXPORT_SHARED_SURFACE = 0x710,
    AEROGPU_CMD_IMPORT_SHARED_SURFACE = 0x711,
    AEROGPU_CMD_RELEASE_SHARED_SURFACE = 0x712,
    AEROGPU_CMD_FLUSH = 0x720,
};

/* ---- Enumerations -------------------------------------------------------------------------------------- */

enum aerogpu_shader_stage {
    AEROGPU_SHADER_STAGE_VERTEX = 0,
    AEROGPU_SHADER_STAGE_PIXEL = 1,
    AEROGPU_SHADER_STAGE_COMPUTE = 2, /* also the carrier for stage_ex */
    AEROGPU_SHADER_STAGE_GEOMETRY = 3,
};

/* The smallest minor of the stream header with which stage_ex is read. */
#define AEROGPU_STAGE_EX_MIN_ABI_MINOR 3u

/* The `stage_ex` word of a packet whose stage word is COMPUTE: geometry, hull and domain shaders travel as
 * compute with this override. Numbers are DXBC program types. (Spec: ABI 6.1.) */
enum aerogpu_shader_stage_ex {
    AEROGPU_SHADER_STAGE_EX_NONE = 0, /* no override: plain compute */
    AEROGPU_SHADER_STAGE_EX_GEOMETRY = 2,
    AEROGPU_SHADER_STAGE_EX_HULL = 3,
    AEROGPU_SHADER_STAGE_EX_DOMAIN = 4,
    AEROGPU_SHADER_STAGE_EX_COMPUTE = 5, /* alias of plain compute */
};

enum aerogpu_index_format {
    AEROGPU_INDEX_FORMAT_UINT16 = 0,
    AEROGPU_INDEX_FORMAT_UINT32 = 1,
};

enum aerogpu_sampler_filter {
    AEROGPU_SAMPLER_FILTER_NEAREST = 0, /* min, mag and mip */
    AEROGPU_SAMPLER_FILTER_LINEAR = 1,  /* min, mag and mip */
};

enum aerogpu_sampler_address_mode {
    AEROGPU_SAMPLER_ADDRESS_CLAMP_TO_EDGE = 0,
    AEROGPU_SAMPLER_ADDRESS_REPEAT = 1,
    AEROGPU_SAMPLER_ADDRESS_MIRROR_REPEAT = 2,
};

/* The numbers of D3D_PRIMITIVE_TOPOLOGY, and the triangle fan of Direct3D 9. */
enum aerogpu_primitive_topology {
    AEROGPU_TOPOLOGY_POINTLIST = 1,
    AEROGPU_TOPOLOGY_LINELIST = 2,
    AEROGPU_TOPOLOGY_LINESTRIP = 3,
    AEROGPU_TOPOLOGY_TRIANGLELIST = 4,
    AEROGPU_TOPOLOGY_TRIANGLESTRIP = 5,
    AEROGPU_TOPOLOGY_TRIANGLEFAN = 6, /* D3D9 only */
    AEROGPU_TOPOLOGY_LINELIST_ADJ = 10,
    AEROGPU_TOPOLOGY_LINESTRIP_ADJ = 11,
    AEROGPU_TOPOLOGY_TRIANGLELIST_ADJ = 12,
    AEROGPU_TOPOLOGY_TRIANGLESTRIP_ADJ = 13,
    AEROGPU_TOPOLOGY_PATCHLIST_1 = 33,
    AEROGPU_TOPOLOGY_PATCHLIST_2 = 34,
    AEROGPU_TOPOLOGY_PATCHLIST_3 = 35,
    AEROGPU_TOPOLOGY_PATCHLIST_4 = 36,
    AEROGPU_TOPOLOGY_PATCHLIST_5 = 37,
    AEROGPU_TOPOLOGY_PATCHLIST_6 = 38,
    AEROGPU_TOPOLOGY_PATCHLIST_7 = 39,
    AEROGPU_TOPOLOGY_PATCHLIST_8 = 40,
    AEROGPU_TOPOLOGY_PATCHLIST_9 = 41,
    AEROGPU_TOPOLOGY_PATCHLIST_10 = 42,
    AEROGPU_TOPOLOGY_PATCHLIST_11 = 43,
    AEROGPU_TOPOLOGY_PATCHLIST_12 = 44,
    AEROGPU_TOPOLOGY_PATCHLIST_13 = 45,
    AEROGPU_TOPOLOGY_PATCHLIST_14 = 46,
    AEROGPU_TOPOLOGY_PATCHLIST_15 = 47,
    AEROGPU_TOPOLOGY_PATCHLIST_16 = 48,
    AEROGPU_TOPOLOGY_PATCHLIST_17 = 49,
    AEROGPU_TOPOLOGY_PATCHLIST_18 = 50,
    AEROGPU_TOPOLOGY_PATCHLIST_19 = 51,
    AEROGPU_TOPOLOGY_PATCHLIST_20 = 52,
    AEROGPU_TOPOLOGY_PATCHLIST_21 = 53,
    AEROGPU_TOPOLOGY_PATCHLIST_22 = 54,
    AEROGPU_TOPOLOGY_PATCHLIST_23 = 55,
    AEROGPU_TOPOLOGY_PATCHLIST_24 = 56,
    AEROGPU_TOPOLOGY_PATCHLIST_25 = 57,
    AEROGPU_TOPOLOGY_PATCHLIST_26 = 58,
    AEROGPU_TOPOLOGY_PATCHLIST_27 = 59,
    AEROGPU_TOPOLOGY_PATCHLIST_28 = 60,
    AEROGPU_TOPOLOGY_PATCHLIST_29 = 61,
    AEROGPU_TOPOLOGY_PATCHLIST_30 = 62,
    AEROGPU_TOPOLOGY_PATCHLIST_31 = 63,
    AEROGPU_TOPOLOGY_PATCHLIST_32 = 64,
};

enum aerogpu_resource_usage_flags {
    AEROGPU_RESOURCE_USAGE_NONE = 0,
    AEROGPU_RESOURCE_USAGE_VERTEX_BUFFER = 1 << 0,
    AEROGPU_RESOURCE_USAGE_INDEX_BUFFER = 1 << 1,
    AEROGPU_RESOURCE_USAGE_CONSTANT_BUFFER = 1 << 2,
    AEROGPU_RESOURCE_USAGE_TEXTURE = 1 << 3, /* sampled texture */
    AEROGPU_RESOURCE_USAGE_RENDER_TARGET = 1 << 4,
    AEROGPU_RESOURCE_USAGE_DEPTH_STENCIL = 1 << 5,
    AEROGPU_RESOURCE_USAGE_SCANOUT = 1 << 6, /* may be displayed */
    AEROGPU_RESOURCE_USAGE_STORAGE = 1 << 7, /* SRV/UAV buffer or storage texture */
};

enum aerogpu_copy_flags {
    AEROGPU_COPY_FLAG_NONE = 0,
    AEROGPU_COPY_FLAG_WRITEBACK_DST = 1 << 0, /* also store the result into the destination's guest backing */
};

enum aerogpu_blend_factor {
    AEROGPU_BLEND_ZERO = 0,
    AEROGPU_BLEND_ONE = 1,
    AEROGPU_BLEND_SRC_ALPHA = 2,
    AEROGPU_BLEND_INV_SRC_ALPHA = 3, /* 1 - source alpha */
    AEROGPU_BLEND_DEST_ALPHA = 4,
    AEROGPU_BLEND_INV_DEST_ALPHA = 5, /* 1 - destination alpha */
    AEROGPU_BLEND_CONSTANT = 6,       /* blend constant */
    AEROGPU_BLEND_INV_CONSTANT = 7,   /* 1 - blend constant */
};

enum aerogpu_blend_op {
    AEROGPU_BLEND_OP_ADD = 0,
    AEROGPU_BLEND_OP_SUBTRACT = 1,     /* source - destination */
    AEROGPU_BLEND_OP_REV_SUBTRACT = 2, /* destination - source */
    AEROGPU_BLEND_OP_MIN = 3,
    AEROGPU_BLEND_OP_MAX = 4,
};

enum aerogpu_compare_func {
    AEROGPU_COMPARE_NEVER = 0,
    AEROGPU_COMPARE_LESS = 1,
    AEROGPU_COMPARE_EQUAL = 2,
    AEROGPU_COMPARE_LESS_EQUAL = 3,
    AEROGPU_COMPARE_GREATER = 4,
    AEROGPU_COMPARE_NOT_EQUAL = 5,
    AEROGPU_COMPARE_GREATER_EQUAL = 6,
    AEROGPU_COMPARE_ALWAYS = 7,
};

enum aerogpu_fill_mode {
    AEROGPU_FILL_SOLID = 0,
    AEROGPU_FILL_WIREFRAME = 1,
};

enum aerogpu_cull_mode {
    AEROGPU_CULL_NONE = 0,
    AEROGPU_CULL_FRONT = 1,
    AEROGPU_CULL_BACK = 2,
};

enum aerogpu_rasterizer_flags {
    AEROGPU_RASTERIZER_FLAG_NONE = 0,
    AEROGPU_RASTERIZER_FLAG_DEPTH_CLIP_DISABLE = 1 << 0, /* depth is clamped instead of clipped */
};

enum aerogpu_clear_flags {
    AEROGPU_CLEAR_COLOR = 1 << 0, /* all bound colour targets */
    AEROGPU_CLEAR_DEPTH = 1 << 1,
    AEROGPU_CLEAR_STENCIL = 1 << 2,
};

enum aerogpu_present_flags {
    AEROGPU_PRESENT_FLAG_NONE = 0,
    AEROGPU_PRESENT_FLAG_VSYNC = 1 << 0, /* hold the submission's fence until a vblank */
};

#define AEROGPU_MAX_RENDER_TARGETS 8u

/* ---- Structures ---------------------------------------------------------------------------------------- */

#pragma pack(push, 1)

/* The first bytes of a stream; packets follow back to back from byte 24. */
struct aerogpu_cmd_stream_header {
    uint32_t magic;       /* AEROGPU_CMD_STREAM_MAGIC */
    uint32_t abi_version; /* version the stream was written for; its minor gates stage_ex */
    uint32_t size_bytes;  /* whole stream including this header */
    uint32_t flags;       /* 0 */
    uint32_t reserved0;
    uint32_t reserved1;
};

/* The first bytes of every packet. NOP and DEBUG_MARKER have no more structure: a NOP's other bytes mean
 * nothing, a marker's are UTF-8 text whose trailing zeros are padding. */
struct aerogpu_cmd_hdr {
    uint32_t opcode;     /* enum aerogpu_cmd_opcode */
    uint32_t size_bytes; /* whole packet including this header */
};

/* AEROGPU_CMD_CREATE_BUFFER */
struct aerogpu_cmd_create_buffer {
    struct aerogpu_cmd_hdr hdr;
    aerogpu_handle_t buffer_handle; /* new handle */
    uint32_t usage_flags;           /* enum aerogpu_resource_usage_flags */
    uint64_t size_bytes;            /* multiple of 4, not 0 */
    uint32_t backing_alloc_id;      /* 0 = host owned */
    uint32_t backing_offset_bytes;  /* offset into the allocation */
    uint64_t reserved0;
};

/* AEROGPU_CMD_CREATE_TEXTURE2D */
struct aerogpu_cmd_create_texture2d {
    struct aerogpu_cmd_hdr hdr;
    aerogpu_handle_t texture_handle; /* new handle */
    uint32_t usage_flags;            /* enum aerogpu_resource_usage_flags */
    uint32_t format;                 /* enum aerogpu_format */
    uint32_t width;                  /* not 0 */
    uint32_t height;                 /* not 0 */
    uint32_t mip_levels;             /* at least 1 */
    uint32_t array_layers;           /* at least 1 */
    uint32_t row_pitch_bytes;        /* pitch of mip 0; required when guest backed */
    uint32_t backing_alloc_id;       /* 0 = host owned */
    uint32_t backing_offset_bytes;   /* offset into the allocation */
    uint64_t reserved0;
};

/* AEROGPU_CMD_CREATE_TEXTURE_VIEW */
struct aerogpu_cmd_create_texture_view {
    struct aerogpu_cmd_hdr hdr;
    aerogpu_handle_t view_handle;    /* new handle, same namespace as resources */
    aerogpu_handle_t texture_handle; /* existing texture */
    uint32_t format;                 /* format to see it as; must be compatible with the texture */
    uint32_t base_mip_level;
    uint32_t mip_level_count; /* range is [base, base + count) */
    uint32_t base_array_layer;
    uint32_t array_layer_count; /* range is [base, base + count) */
    uint64_t reserved0;
};

/* AEROGPU_CMD_DESTROY_RESOURCE */
struct aerogpu_cmd_destroy_resource {
    struct aerogpu_cmd_hdr hdr;
    aerogpu_handle_t resource_handle; /* buffer, texture or imported alias */
    uint32_t reserved0;
};

/* AEROGPU_CMD_DESTROY_TEXTURE_VIEW */
struct aerogpu_cmd_destroy_texture_view {
    struct aerogpu_cmd_hdr hdr;
    aerogpu_handle_t view_handle; /* unknown or already destroyed is a no-op */
    uint32_t reserved0;
};

/* AEROGPU_CMD_RESOURCE_DIRTY_RANGE */
struct aerogpu_cmd_resource_dirty_range {
    struct aerogpu_cmd_hdr hdr;
    aerogpu_handle_t resource_handle;
    uint32_t reserved0;
    uint64_t offset_bytes; /* relative to the resource's first backing byte */
    uint64_t size_bytes;
};

/* AEROGPU_CMD_UPLOAD_RESOURCE; size_bytes data bytes follow */
struct aerogpu_cmd_upload_resource {
    struct aerogpu_cmd_hdr hdr;
    aerogpu_handle_t resource_handle;
    uint32_t reserved0;
    uint64_t offset_bytes; /* buffer: multiple of 4. Texture: byte offset in the packed layout */
    uint64_t size_bytes;   /* buffer: multiple of 4 */
};

/* AEROGPU_CMD_COPY_BUFFER */
struct aerogpu_cmd_copy_buffer {
    struct aerogpu_cmd_hdr hdr;
    aerogpu_handle_t dst_buffer;
    aerogpu_handle_t src_buffer;
    uint64_t dst_offset_bytes; /* multiple of 4 */
    uint64_t src_offset_bytes; /* multiple of 4 */
    uint64_t size_bytes;       /* multiple of 4 */
    uint32_t flags;            /* enum aerogpu_copy_flags */
    uint32_t reserved0;
};

/* AEROGPU_CMD_COPY_TEXTURE2D */
struct aerogpu_cmd_copy_texture2d {
    struct aerogpu_cmd_hdr hdr;
    aerogpu_handle_t dst_texture;
    aerogpu_handle_t src_texture;
    uint32_t dst_mip_level;
    uint32_t dst_array_layer;
    uint32_t src_mip_level;
    uint32_t src_array_layer;
    uint32_t dst_x; /* texels */
    uint32_t dst_y;
    uint32_t src_x;
    uint32_t src_y;
    uint32_t width; /* texels */
    uint32_t height;
    uint32_t flags; /* enum aerogpu_copy_flags */
    uint32_t reserved0;
};

/* AEROGPU_CMD_CREATE_SHADER_DXBC; dxbc_size_bytes bytes of a DXBC container follow */
struct aerogpu_cmd_create_shader_dxbc {
    struct aerogpu_cmd_hdr hdr;
    aerogpu_handle_t shader_handle; /* new handle */
    uint32_t stage;                 /* enum aerogpu_shader_stage */
    uint32_t dxbc_size_bytes;
    uint32_t reserved0; /* stage_ex */
};

/* AEROGPU_CMD_DESTROY_SHADER */
struct aerogpu_cmd_destroy_shader {
    struct aerogpu_cmd_hdr hdr;
    aerogpu_handle_t shader_handle;
    uint32_t reserved0;
};

/* AEROGPU_CMD_BIND_SHADERS, short form: hull and domain shaders are unbound. Always replaces all bindings. */
struct aerogpu_cmd_bind_shaders {
    struct aerogpu_cmd_hdr hdr;
    aerogpu_handle_t vs; /* 0 = unbound */
    aerogpu_handle_t ps; /* 0 = unbound */
    aerogpu_handle_t cs; /* 0 = unbound */
    uint32_t reserved0;  /* old way to pass the geometry shader */
};

/* AEROGPU_CMD_BIND_SHADERS, extended form: size_bytes is at least 36. */
struct aerogpu_cmd_bind_shaders_ex {
    struct aerogpu_cmd_hdr hdr;
    aerogpu_handle_t vs;
    aerogpu_handle_t ps;
    aerogpu_handle_t cs;
    uint32_t reserved0; /* ignored; writers may mirror gs here for old hosts */
    aerogpu_handle_t gs;
    aerogpu_handle_t hs;
    aerogpu_handle_t ds;
};

/* AEROGPU_CMD_SET_SHADER_CONSTANTS_F; vec4_count * 4 IEEE singles follow */
struct aerogpu_cmd_set_shader_constants_f {
    struct aerogpu_cmd_hdr hdr;
    uint32_t stage;          /* enum aerogpu_shader_stage */
    uint32_t start_register; /* first float4 register */
    uint32_t vec4_count;     /* registers */
    uint32_t reserved0;      /* stage_ex */
};

/* AEROGPU_CMD_SET_SHADER_CONSTANTS_I; vec4_count * 4 signed words follow */
struct aerogpu_cmd_set_shader_constants_i {
    struct aerogpu_cmd_hdr hdr;
    uint32_t stage;          /* enum aerogpu_shader_stage */
    uint32_t start_register; /* first int4 register */
    uint32_t vec4_count;     /* registers */
    uint32_t reserved0;      /* stage_ex */
};

/* AEROGPU_CMD_SET_SHADER_CONSTANTS_B; bool_count * 4 words follow: writers repeat 0 or 1, any non-zero word
 * is true */
struct aerogpu_cmd_set_shader_constants_b {
    struct aerogpu_cmd_hdr hdr;
    uint32_t stage;          /* enum aerogpu_shader_stage */
    uint32_t start_register; /* first bool register */
    uint32_t bool_count;     /* registers, not words */
    uint32_t reserved0;      /* stage_ex */
};

/* AEROGPU_CMD_CREATE_INPUT_LAYOUT; blob_size_bytes bytes of an input-layout blob follow */
struct aerogpu_cmd_create_input_layout {
    struct aerogpu_cmd_hdr hdr;
    aerogpu_handle_t input_layout_handle; /* new handle */
    uint32_t blob_size_bytes;
    uint32_t reserved0;
};

/* AEROGPU_CMD_DESTROY_INPUT_LAYOUT */
struct aerogpu_cmd_destroy_input_layout {
    struct aerogpu_cmd_hdr hdr;
    aerogpu_handle_t input_layout_handle;
    uint32_t reserved0;
};

/* AEROGPU_CMD_SET_INPUT_LAYOUT */
struct aerogpu_cmd_set_input_layout {
    struct aerogpu_cmd_hdr hdr;
    aerogpu_handle_t input_layout_handle; /* 0 = unbind */
    uint32_t reserved0;
};

struct aerogpu_blend_state {
    uint32_t enable;          /* 0 or 1 */
    uint32_t src_factor;      /* enum aerogpu_blend_factor */
    uint32_t dst_factor;      /* enum aerogpu_blend_factor */
    uint32_t blend_op;        /* enum aerogpu_blend_op */
    uint8_t color_write_mask; /* 1 R, 2 G, 4 B, 8 A */
    uint8_t reserved0[3];
    uint32_t src_factor_alpha;
    uint32_t dst_factor_alpha;
    uint32_t blend_op_alpha;
    uint32_t blend_constant_rgba_f32[4]; /* float bits, order R G B A */
    uint32_t sample_mask;                /* D3D11 sample mask; bit 0 matters for single-sample targets */
};

/* AEROGPU_CMD_SET_BLEND_STATE */
struct aerogpu_cmd_set_blend_state {
    struct aerogpu_cmd_hdr hdr;
    struct aerogpu_blend_state state;
};

struct aerogpu_depth_stencil_state {
    uint32_t depth_enable;       /* 0 or 1 */
    uint32_t depth_write_enable; /* 0 or 1 */
    uint32_t depth_func;         /* enum aerogpu_compare_func */
    uint32_t stencil_enable;     /* 0 or 1 */
    uint8_t stencil_read_mask;
    uint8_t stencil_write_mask;
    uint8_t reserved0[2];
};

/* AEROGPU_CMD_SET_DEPTH_STENCIL_STATE */
struct aerogpu_cmd_set_depth_stencil_state {
    struct aerogpu_cmd_hdr hdr;
    struct aerogpu_depth_stencil_state state;
};

struct aerogpu_rasterizer_state {
    uint32_t fill_mode;      /* enum aerogpu_fill_mode */
    uint32_t cull_mode;      /* enum aerogpu_cull_mode */
    uint32_t front_ccw;      /* 1 = counter-clockwise is front */
    uint32_t scissor_enable; /* 0 or 1 */
    int32_t depth_bias;      /* constant bias */
    uint32_t flags;          /* enum aerogpu_rasterizer_flags; 0 is the D3D11 default */
};

/* AEROGPU_CMD_SET_RASTERIZER_STATE */
struct aerogpu_cmd_set_rasterizer_state {
    struct aerogpu_cmd_hdr hdr;
    struct aerogpu_rasterizer_state state;
};

/* AEROGPU_CMD_SET_RENDER_TARGETS; colors from color_count on are ignored and should be 0 */
struct aerogpu_cmd_set_render_targets {
    struct aerogpu_cmd_hdr hdr;
    uint32_t color_count;                                /* 0 to 8 */
    aerogpu_handle_t depth_stencil;                      /* 0 = none */
    aerogpu_handle_t colors[AEROGPU_MAX_RENDER_TARGETS]; /* 0 leaves a gap */
};

/* AEROGPU_CMD_SET_VIEWPORT */
struct aerogpu_cmd_set_viewport {
    struct aerogpu_cmd_hdr hdr;
    uint32_t x_f32;
    uint32_t y_f32;
    uint32_t width_f32;
    uint32_t height_f32;
    uint32_t min_depth_f32;
    uint32_t max_depth_f32;
};

/* AEROGPU_CMD_SET_SCISSOR */
struct aerogpu_cmd_set_scissor {
    struct aerogpu_cmd_hdr hdr;
    int32_t x;
    int32_t y;
    int32_t width;
    int32_t height;
};

struct aerogpu_vertex_buffer_binding {
    aerogpu_handle_t buffer; /* 0 = unbind */
    uint32_t stride_bytes;
    uint32_t offset_bytes;
    uint32_t reserved0;
};

/* AEROGPU_CMD_SET_VERTEX_BUFFERS; buffer_count aerogpu_vertex_buffer_binding follow */
struct aerogpu_cmd_set_vertex_buffers {
    struct aerogpu_cmd_hdr hdr;
    uint32_t start_slot;
    uint32_t buffer_count; /* bindings that follow */
};

/* AEROGPU_CMD_SET_INDEX_BUFFER */
struct aerogpu_cmd_set_index_buffer {
    struct aerogpu_cmd_hdr hdr;
    aerogpu_handle_t buffer; /* 0 = unbind */
    uint32_t format;         /* enum aerogpu_index_format */
    uint32_t offset_bytes;
    uint32_t reserved0;
};

/* AEROGPU_CMD_SET_PRIMITIVE_TOPOLOGY */
struct aerogpu_cmd_set_primitive_topology {
    struct aerogpu_cmd_hdr hdr;
    uint32_t topology; /* enum aerogpu_primitive_topology */
    uint32_t reserved0;
};

/* AEROGPU_CMD_SET_TEXTURE */
struct aerogpu_cmd_set_texture {
    struct aerogpu_cmd_hdr hdr;
    uint32_t shader_stage;    /* enum aerogpu_shader_stage */
    uint32_t slot;            /* t register */
    aerogpu_handle_t texture; /* texture or view, 0 = unbind */
    uint32_t reserved0;       /* stage_ex */
};

/* AEROGPU_CMD_CREATE_SAMPLER */
struct aerogpu_cmd_create_sampler {
    struct aerogpu_cmd_hdr hdr;
    aerogpu_handle_t sampler_handle; /* new handle */
    uint32_t filter;                 /* enum aerogpu_sampler_filter */
    uint32_t address_u;              /* enum aerogpu_sampler_address_mode */
    uint32_t address_v;              /* enum aerogpu_sampler_address_mode */
    uint32_t address_w;              /* enum aerogpu_sampler_address_mode */
};

/* AEROGPU_CMD_DESTROY_SAMPLER */
struct aerogpu_cmd_destroy_sampler {
    struct aerogpu_cmd_hdr hdr;
    aerogpu_handle_t sampler_handle;
    uint32_t reserved0;
};

/* AEROGPU_CMD_SET_SAMPLERS; sampler_count handles follow, 0 unbinds */
struct aerogpu_cmd_set_samplers {
    struct aerogpu_cmd_hdr hdr;
    uint32_t shader_stage;  /* enum aerogpu_shader_stage */
    uint32_t start_slot;    /* s register */
    uint32_t sampler_count; /* handles that follow, u32 each, 0 = unbind */
    uint32_t reserved0;     /* stage_ex */
};

struct aerogpu_constant_buffer_binding {
    aerogpu_handle_t buffer; /* 0 = unbind */
    uint32_t offset_bytes;
    uint32_t size_bytes;
    uint32_t reserved0;
};

/* AEROGPU_CMD_SET_CONSTANT_BUFFERS; buffer_count aerogpu_constant_buffer_binding follow */
struct aerogpu_cmd_set_constant_buffers {
    struct aerogpu_cmd_hdr hdr;
    uint32_t shader_stage; /* enum aerogpu_shader_stage */
    uint32_t start_slot;   /* b register */
    uint32_t buffer_count; /* bindings that follow */
    uint32_t reserved0;    /* stage_ex */
};

struct aerogpu_shader_resource_buffer_binding {
    aerogpu_handle_t buffer; /* 0 = unbind */
    uint32_t offset_bytes;
    uint32_t size_bytes; /* 0 = from the offset to the end */
    uint32_t reserved0;
};

/* AEROGPU_CMD_SET_SHADER_RESOURCE_BUFFERS; buffer_count aerogpu_shader_resource_buffer_binding follow */
struct aerogpu_cmd_set_shader_resource_buffers {
    struct aerogpu_cmd_hdr hdr;
    uint32_t shader_stage; /* enum aerogpu_shader_stage */
    uint32_t start_slot;   /* t register */
    uint32_t buffer_count; /* bindings that follow */
    uint32_t reserved0;    /* stage_ex */
};

struct aerogpu_unordered_access_buffer_binding {
    aerogpu_handle_t buffer; /* 0 = unbind */
    uint32_t offset_bytes;
    uint32_t size_bytes;
    uint32_t initial_count; /* append/consume counter; 0xFFFFFFFF keeps the present value */
};

/* AEROGPU_CMD_SET_UNORDERED_ACCESS_BUFFERS; uav_count aerogpu_unordered_access_buffer_binding follow */
struct aerogpu_cmd_set_unordered_access_buffers {
    struct aerogpu_cmd_hdr hdr;
    uint32_t shader_stage; /* enum aerogpu_shader_stage */
    uint32_t start_slot;   /* u register */
    uint32_t uav_count;    /* bindings that follow */
    uint32_t reserved0;    /* stage_ex */
};

/* AEROGPU_CMD_SET_SAMPLER_STATE */
struct aerogpu_cmd_set_sampler_state {
    struct aerogpu_cmd_hdr hdr;
    uint32_t shader_stage; /* enum aerogpu_shader_stage */
    uint32_t slot;
    uint32_t state; /* D3DSAMPLERSTATETYPE number */
    uint32_t value; /* raw D3D9 value */
};

/* AEROGPU_CMD_SET_RENDER_STATE */
struct aerogpu_cmd_set_render_state {
    struct aerogpu_cmd_hdr hdr;
    uint32_t state; /* D3DRENDERSTATETYPE number */
    uint32_t value; /* raw D3D9 value */
};

/* AEROGPU_CMD_CLEAR */
struct aerogpu_cmd_clear {
    struct aerogpu_cmd_hdr hdr;
    uint32_t flags;             /* enum aerogpu_clear_flags */
    uint32_t color_rgba_f32[4]; /* float bits, order R G B A */
    uint32_t depth_f32;
    uint32_t stencil;
};

/* AEROGPU_CMD_DRAW */
struct aerogpu_cmd_draw {
    struct aerogpu_cmd_hdr hdr;
    uint32_t vertex_count;
    uint32_t instance_count;
    uint32_t first_vertex;
    uint32_t first_instance;
};

/* AEROGPU_CMD_DRAW_INDEXED */
struct aerogpu_cmd_draw_indexed {
    struct aerogpu_cmd_hdr hdr;
    uint32_t index_count;
    uint32_t instance_count;
    uint32_t first_index;
    int32_t base_vertex;
    uint32_t first_instance;
};

/* AEROGPU_CMD_DISPATCH */
struct aerogpu_cmd_dispatch {
    struct aerogpu_cmd_hdr hdr;
    uint32_t group_count_x;
    uint32_t group_count_y;
    uint32_t group_count_z;
    uint32_t reserved0; /* stage_ex, base stage is compute */
};

/* AEROGPU_CMD_PRESENT */
struct aerogpu_cmd_present {
    struct aerogpu_cmd_hdr hdr;
    uint32_t scanout_id; /* 0 */
    uint32_t flags;      /* enum aerogpu_present_flags */
};

/* AEROGPU_CMD_PRESENT_EX */
struct aerogpu_cmd_present_ex {
    struct aerogpu_cmd_hdr hdr;
    uint32_t scanout_id;         /* 0 */
    uint32_t flags;              /* enum aerogpu_present_flags */
    uint32_t d3d9_present_flags; /* the D3DPRESENT_* word of PresentEx, unknown bits ignored */
    uint32_t reserved0;
};

/* AEROGPU_CMD_EXPORT_SHARED_SURFACE */
struct aerogpu_cmd_export_shared_surface {
    struct aerogpu_cmd_hdr hdr;
    aerogpu_handle_t resource_handle; /* existing resource */
    uint32_t reserved0;
    uint64_t share_token; /* not 0 */
};

/* AEROGPU_CMD_IMPORT_SHARED_SURFACE */
struct aerogpu_cmd_import_shared_surface {
    struct aerogpu_cmd_hdr hdr;
    aerogpu_handle_t out_resource_handle; /* new alias handle */
    uint32_t reserved0;
    uint64_t share_token; /* not 0 */
};

/* AEROGPU_CMD_RELEASE_SHARED_SURFACE */
struct aerogpu_cmd_release_shared_surface {
    struct aerogpu_cmd_hdr hdr;
    uint64_t share_token;
    uint64_t reserved0;
};

/* AEROGPU_CMD_FLUSH */
struct aerogpu_cmd_flush {
    struct aerogpu_cmd_hdr hdr;
    uint32_t reserved0;
    uint32_t reserved1;
};

/* The DXGI form of an input-layout blob: the header and element_count elements. A blob whose first word is
 * not the magic is a Direct3D 9 vertex declaration. */
struct aerogpu_input_layout_blob_header {
    uint32_t magic;   /* AEROGPU_INPUT_LAYOUT_BLOB_MAGIC */
    uint32_t version; /* 1 */
    uint32_t element_count;
    uint32_t reserved0;
};

struct aerogpu_input_layout_element_dxgi {
    uint32_t semantic_name_hash; /* FNV-1a of the upper-case name, without its index */
    uint32_t semantic_index;
    uint32_t dxgi_format; /* DXGI_FORMAT number */
    uint32_t input_slot;
    uint32_t aligned_byte_offset; /* 0xFFFFFFFF = append */
    uint32_t input_slot_class;    /* 0 per vertex, 1 per instance */
    uint32_t instance_data_step_rate;
};

#pragma pack(pop)

#define AEROGPU_INPUT_LAYOUT_BLOB_MAGIC 0x59414C49u /* "ILAY" */
#define AEROGPU_INPUT_LAYOUT_BLOB_VERSION 1u

#include "aerogpu/abi/cmd_layout.h"

#endif
