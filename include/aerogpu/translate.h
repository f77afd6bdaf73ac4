/* SPDX-License-Identifier: MIT
 *
 * DXBC to WGSL.
 *
 * A shader is translated for one use ("flavour") at a time. The result is a WGSL module with one entry point
 * and the reflection data that whoever builds pipelines needs: bindings, stage inputs and outputs. Nothing
 * here needs a GPU or a WebGPU library. Translation is pure: any thread, no shared state.
 */
#ifndef AEROGPU_TRANSLATE_H
#define AEROGPU_TRANSLATE_H

#include "aerogpu/api.h"
#include "aerogpu/dxbc.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Binding model: shared with the executor, fixed --------------------------------------------------- */

/* @group of each stage's resources. */
enum agpu_bind_group {
    AGPU_GROUP_VERTEX = 0,
    AGPU_GROUP_PIXEL = 1,
    AGPU_GROUP_COMPUTE = 2,
    AGPU_GROUP_INTERNAL = 3, /* geometry, hull and domain shaders, and whatever the host adds */
};

/* @binding = base + D3D slot. */
enum agpu_binding_base {
    AGPU_BINDING_CBUFFER = 0,          /* 14 slots */
    AGPU_BINDING_TEXTURE = 32,         /* 128 slots */
    AGPU_BINDING_SAMPLER = 160,        /* 16 slots */
    AGPU_BINDING_UAV = 176,            /* 64 slots */
    AGPU_BINDING_STAGE_INTERNAL = 240, /* immediate constant buffer, UAV counters, gathered SRVs */
    AGPU_BINDING_ICB = 240,
    AGPU_BINDING_UAV_COUNTERS = 241,
    AGPU_BINDING_CLASS_INSTANCES = 242, /* what the interface slots hold: see below */
    AGPU_BINDING_POINT_SAMPLERS = 243,  /* + slot, 13 slots: non-filtering twin of a sampler that needs one */
    AGPU_BINDING_INTERNAL = 256,        /* expansion kernels, in group 3 */
    AGPU_BINDING_DESTINATIONS = 370,    /* + target, 8: what unsigned targets held, for logic operations */
    AGPU_BINDING_SAMPLER_STATES = 380,  /* what emulated samplers are: see below. Dynamic offsets go by number, and
                                         * the draw block comes last in its group */
    AGPU_BINDING_DRAW_BLOCK = 386,      /* in group 3: struct agpu_draw_block */
    AGPU_BINDING_PLAIN_TEXTURES = 400,  /* + slot, 128 slots: the same texture as floats, for plain sampling where
                                         * the shader also compares with it */
};

enum agpu_binding_kind {
    AGPU_BIND_UNIFORM_BUFFER,           /* array<vec4<f32>, N> or array<vec4<u32>, N>: bytes is the least the binding must hold */
    AGPU_BIND_STORAGE_BUFFER_READ,
    AGPU_BIND_STORAGE_BUFFER_READ_WRITE,
    AGPU_BIND_SAMPLED_TEXTURE,
    AGPU_BIND_STORAGE_TEXTURE,
    AGPU_BIND_SAMPLER,
    AGPU_BIND_COMPARISON_SAMPLER,
};

/* The D3D register space a binding stands for. */
enum agpu_binding_space {
    AGPU_SPACE_CBUFFER,  /* b */
    AGPU_SPACE_RESOURCE, /* t */
    AGPU_SPACE_SAMPLER,  /* s */
    AGPU_SPACE_UAV,      /* u */
    AGPU_SPACE_INTERNAL, /* the host's own data; `slot` is unused */
};

enum agpu_sample_type {
    AGPU_SAMPLE_FLOAT,
    AGPU_SAMPLE_UNFILTERABLE_FLOAT, /* only loaded, never filtered */
    AGPU_SAMPLE_DEPTH,
    AGPU_SAMPLE_SINT,
    AGPU_SAMPLE_UINT,
};

struct agpu_binding {
    uint8_t group;
    uint16_t binding;
    uint8_t kind;  /* enum agpu_binding_kind */
    uint8_t space; /* enum agpu_binding_space */
    uint16_t slot; /* D3D register */
    uint64_t bytes; /* buffers: the least size of the binding in bytes (the WGSL type's size); else 0 */
    uint32_t structure_stride; /* structured buffers; else 0 */
    uint8_t dimension;   /* enum agpu_resource_dimension as declared by the shader; WGSL maps 1D onto 2D */
    uint8_t sample_type; /* enum agpu_sample_type of textures */
    uint8_t return_type; /* enum agpu_return_type as declared */
    bool multisampled;
    bool filtered;       /* textures: some filtering instruction uses it with a sampler. Samplers of kind
                          * AGPU_BIND_SAMPLER: false when every texture it is used with must not be filtered
                          * (integers, depth): bind a non-filtering one. A sampler used both ways has two
                          * bindings, the second of them in AGPU_BINDING_POINT_SAMPLERS */
    uint32_t storage_format; /* storage textures: enum agpu_storage_format the module was written for */
};

/* One draw block for every stage, group 3 binding 386, uniform. The executor fills it for each draw whose
 * shaders ask for it (module->uses_draw_block). Offsets are part of the contract; the WGSL struct is emitted
 * by the translator from the same numbers. */
#define AGPU_DRAW_BLOCK_BASE_VERTEX 0    /* u32: subtract from vertex_index */
#define AGPU_DRAW_BLOCK_BASE_INSTANCE 4  /* u32: subtract from instance_index */
#define AGPU_DRAW_BLOCK_DEPTH_BIAS 8     /* f32: what options.depth_bias adds to a position's z, times its w */
#define AGPU_DRAW_BLOCK_SAMPLE_MASK 12   /* u32: the D3D sample mask */
#define AGPU_DRAW_BLOCK_DEPTH_RANGE 16   /* f32 min, f32 max of viewport 0 */
#define AGPU_DRAW_BLOCK_ZERO 24          /* u32: always 0, an opaque zero that no compiler can fold */
#define AGPU_DRAW_BLOCK_SAMPLE_COUNT 28  /* u32: samples of the render target */
#define AGPU_DRAW_BLOCK_VIEWS 32         /* vec4<u32>[AGPU_DRAW_BLOCK_VIEW_COUNT]: see below */
/* One vec4<u32> for each binding that module->views names, in that order: buffers {first byte (added to every
 * address), size in bytes, element count, 0}; textures {mip count, array size, AGPU_VIEW_UNORM or 0, sample count}.
 * Arrays of multisampled textures are bound as plain 2D arrays with layer slice * samples + sample. Texture
 * views that have atomics (a binding of kind STORAGE_BUFFER_READ_WRITE with a texture's dimension) are buffers
 * of one word a texel (four with options.wide_uavs, which concerns all writable textures), row after row, slice
 * after slice: {width, height, slices, size in bytes}. Samplers {bits of the bias of levels, of the least and of the
 * greatest level, 0}. A stage's entries start at module->view_base, which the caller chose in the options. */
/* The fourth word of other textures is what a border colour is clipped to, for emulated samplers, and what there
 * is of a level that does not exist: AGPU_VIEW_BORDER_*. */
#define AGPU_VIEW_BORDER_COMPONENTS 15 /* those that the format has, red 1 to alpha 8 */
#define AGPU_VIEW_BORDER_UNORM 16      /* clamped to [0, 1] */
#define AGPU_VIEW_BORDER_SNORM 32      /* clamped to [-1, 1] */
/* Bits 8 to 31 of the third word, with options.level_floors: the level that nothing more detailed is read than, from the
 * view's first, in 1/256. */
#define AGPU_VIEW_FLOOR_SHIFT 8
#define AGPU_VIEW_UNORM 1 /* a UNORM depth format: what it is compared with is clamped to [0, 1] (D3D11.3 22.4.18) */
#define AGPU_DRAW_BLOCK_VIEW_COUNT 126
#define AGPU_DRAW_BLOCK_BYTES (32 + 16 * AGPU_DRAW_BLOCK_VIEW_COUNT)

/* Uniform of shaders with interfaces, in the stage's own group: for each interface slot, in order of slots,
 * vec4<u32> {slot of the constant buffer that holds the instance's data, its first register there, first
 * texture slot, first sampler slot} and vec4<u32> {function table (ft#) of the instance's class, 0, 0, 0}. The
 * binding's `bytes` tell how many slots there are. A slot whose table is none that the interface lists calls
 * nothing. */
#define AGPU_CLASS_INSTANCE_BYTES 32

/* Uniform of shaders with emulated samplers, in the stage's own group: for each of the 16 slots vec4<f32>
 * border colour and vec4<u32> {D3D11_FILTER | address u << 12 | v << 15 | w << 18 | comparison << 24, bits of
 * the bias of levels, of the least and of the greatest level}. */
#define AGPU_SAMPLER_STATES_BYTES 512

/* ---- Expansion ---------------------------------------------------------------------------------------- */

/* Stages that WebGPU does not have run as compute passes in front of a draw; so does a vertex shader before
 * them. They hand values on as records: one vec4<u32> for each register number, from register 0 to the highest
 * that the producing shader declares (module->record_registers tells how many). Register r of record n is
 * element n * record_registers + r; components that nobody wrote are 0.
 *
 * Besides records there are lists. A list is array<u32>: four words of header, of which the first is the count
 * of entries, then the entries. Every kernel ends at once where its number is not below what the count asks for,
 * so that counts may be made on the GPU and a dispatch may be larger than the work.
 *
 * All bindings are in group 3; the resources of a geometry, hull or domain shader are in group 3 too, at the
 * usual bases, those of a vertex shader stay in group 0. A module's bindings name those it uses. The number of an
 * invocation is x + y * (64 * workgroups in x), the workgroup 64 by 1 by 1. */
enum agpu_expand_binding {
    AGPU_EXPAND_VERTICES = AGPU_BINDING_INTERNAL, /* list, read: {SV_VertexID, SV_InstanceID} of each vertex */
    AGPU_EXPAND_PRIMITIVES, /* list, read: {SV_PrimitiveID, record number of each vertex or control point} */
    AGPU_EXPAND_POINTS,     /* list, read: {u, v as float bits, patch number, SV_PrimitiveID} of each domain point */
    AGPU_EXPAND_INPUTS,     /* records, read: see the flavours */
    AGPU_EXPAND_OUTPUTS,    /* records, written */
    AGPU_EXPAND_PATCHES,    /* records of patch constants: written by the hull shader, read by both phases and domain */
    AGPU_EXPAND_FACTORS,    /* written: 8 words a patch: four edge factors, two inside factors (0 where the domain
                             * has none) as float bits in the order of D3D's SV_TessFactor, and two unused */
    AGPU_EXPAND_EMITS,      /* written by geometry shaders: one word for each output record: see below */
};

#define AGPU_EXPAND_BINDING_COUNT (AGPU_EXPAND_EMITS - AGPU_BINDING_INTERNAL + 1)
#define AGPU_LIST_HEADER_WORDS 4
#define AGPU_EXPAND_WORKGROUP 64

/* A word of EMITS: 0 ends what the invocation emitted (absent when it emitted its full count). */
#define AGPU_EMIT_VERTEX 1u      /* the record holds a vertex */
#define AGPU_EMIT_STRIP 2u       /* it begins a strip */
#define AGPU_EMIT_STREAM_SHIFT 2 /* two bits: the stream */

/* ---- Options ------------------------------------------------------------------------------------------ */

enum agpu_flavour {
    AGPU_FLAVOUR_DEFAULT = 0,       /* the natural entry point of the stage */
    AGPU_FLAVOUR_VERTEX,            /* @vertex */
    AGPU_FLAVOUR_PIXEL,             /* @fragment */
    AGPU_FLAVOUR_COMPUTE,           /* @compute */
    /* Expansion, all @compute: */
    AGPU_FLAVOUR_VERTEX_AS_COMPUTE, /* entry n of VERTICES: INPUTS record n holds the attributes by input register,
                                     * already converted as the input assembler does; writes OUTPUTS record n */
    AGPU_FLAVOUR_GEOMETRY,          /* invocation n: primitive n / instances, SV_GSInstanceID n % instances. Vertices
                                     * go to OUTPUTS records and EMITS words from n * max_vertices on */
    AGPU_FLAVOUR_HULL_POINTS,       /* invocation n: patch n / output points, point n % output points; INPUTS by
                                     * PRIMITIVES; writes OUTPUTS record n. A hull shader without such a phase
                                     * copies its inputs, its output records are then as long as those of INPUTS */
    AGPU_FLAVOUR_HULL_PATCH,        /* the default of hull shaders. Invocation n: patch n. All fork phases, then all join phases. INPUTS by
                                     * PRIMITIVES, OUTPUTS read; writes PATCHES record n and FACTORS */
    AGPU_FLAVOUR_DOMAIN,            /* entry n of POINTS: INPUTS are the hull shader's points (patch * points + point),
                                     * PATCHES its constants; writes OUTPUTS record n */
    AGPU_FLAVOUR_COUNT
};

#define AGPU_MAX_REGISTERS 32
#define AGPU_MAX_RENDER_TARGETS 8

/* How the outputs of one stage meet the inputs of the next, by D3D register number. Made by agpu_link(). */
struct agpu_linkage {
    struct {
        uint8_t mask;          /* components that cross */
        uint8_t interpolation; /* enum agpu_interpolation, from the reader; 0: register does not cross */
        uint8_t location;      /* WGSL @location */
        bool flat_uint;        /* crosses as vec4<u32> with @interpolate(flat) */
        uint8_t primitive_id;  /* components of `mask` that are the id of the primitive, not the producer's output */
    } registers[AGPU_MAX_REGISTERS];
    uint8_t location_count;
    /* Made by agpu_link_clip_distances(): not 0, that many clip distances cross as floats, four to a
     * location. */
    uint8_t clip_count, clip_location;
    uint8_t stream; /* of the producer, a geometry shader, that crosses */
    bool expanded; /* made by agpu_link_expanded(): the pixel shader takes SV_PrimitiveID from its register */
};

/* What a pixel shader's render target is, for the type of its output (D3D: register bits meet the format). */
enum agpu_target_class {
    AGPU_TARGET_FLOAT = 0,
    AGPU_TARGET_UINT,
    AGPU_TARGET_SINT,
};

/* What a vertex attribute delivers (D3D: the format decides, not the shader). */
enum agpu_attribute_class {
    AGPU_ATTRIBUTE_FLOAT = 0,
    AGPU_ATTRIBUTE_UINT,
    AGPU_ATTRIBUTE_SINT,
    AGPU_ATTRIBUTE_ABSENT, /* no such element: the input reads 0 */
};

/* Texel formats of storage textures: WGSL has them in the type, D3D in the view. */
enum agpu_storage_format {
    AGPU_STORAGE_BY_TYPE = 0, /* what the declared type suggests: R32_* when loaded from, else RGBA32_* or RGBA8_*NORM */
    AGPU_STORAGE_RGBA8_UNORM,
    AGPU_STORAGE_RGBA8_SNORM,
    AGPU_STORAGE_RGBA8_UINT,
    AGPU_STORAGE_RGBA8_SINT,
    AGPU_STORAGE_BGRA8_UNORM,
    AGPU_STORAGE_RGBA16_UINT,
    AGPU_STORAGE_RGBA16_SINT,
    AGPU_STORAGE_RGBA16_FLOAT,
    AGPU_STORAGE_R32_UINT,
    AGPU_STORAGE_R32_SINT,
    AGPU_STORAGE_R32_FLOAT,
    AGPU_STORAGE_RG32_UINT,
    AGPU_STORAGE_RG32_SINT,
    AGPU_STORAGE_RG32_FLOAT,
    AGPU_STORAGE_RGBA32_UINT,
    AGPU_STORAGE_RGBA32_SINT,
    AGPU_STORAGE_RGBA32_FLOAT,
    AGPU_STORAGE_FORMAT_COUNT
};

#define AGPU_MAX_UAVS 64

#define AGPU_LOGIC 16 /* see the option `logic` */

/* Whether what a target holds counts. */
static inline bool agpu_logic_reads(uint32_t logic)
{
    return ((logic ^ logic >> 1) & 5) != 0;
}

/* Zero is the default of every field. */
struct agpu_translate_options {
    enum agpu_flavour flavour;
    bool annotate; /* comments with token offsets and the instruction listing */

    /* Iterations that one invocation may make in loops that may never end, all of them together; 0: any number.
     * When they are spent, every such loop is left at the start of its next iteration and the program runs on to its
     * end; what it computes from there on is not specified. Loops that count between constants are free, but an
     * iteration of a loop around them costs as much as they do. Where threads of a group meet at barriers inside a
     * loop, all of them leave it together. */
    uint32_t loop_budget;

    /* How deep blocks nest, in units of Dawn's parser, two a block and three a switch; 0: as deep as
     * implementations of WebGPU take. If, loop and switch that are deeper inside become states of a machine, a
     * loop around a switch, and so do subroutines that hold deeper ones. 1 spares none that can be one. For
     * tests. In programs with barriers it is only heeded for what holds one, since states are for all threads. */
    uint8_t most_nesting;

    /* Bit n: constant buffer n is a read-only storage buffer, as those with computed indices always are. For shaders
     * with more of them than the device has uniform buffers. */
    uint16_t storage_cbuffers;

    /* Null: none. Indexed by UAV slot: the slot whose variable this one uses; its own number, or one that is no
     * buffer of the shader, changes nothing. WebGPU refuses to bind a buffer twice where it can be written, so views
     * of one buffer share the variable of one of them and differ in their entries of the draw block. */
    const uint8_t *uav_aliases; /* uint8_t[AGPU_MAX_UAVS] */

    /* Vertex: adds the draw block's depth bias. What was not outside of the depth range stays within it. */
    bool depth_bias;

    /* Vertex and pixel: null translates the stage alone, every register at the location of its number. */
    const struct agpu_linkage *linkage;

    /* Vertex: null takes the types of the input signature. Indexed by input register. */
    const uint8_t *attribute_classes; /* enum agpu_attribute_class[AGPU_MAX_REGISTERS] */

    /* Pixel. */
    uint8_t target_classes[AGPU_MAX_RENDER_TARGETS]; /* enum agpu_target_class */
    uint8_t target_bits[AGPU_MAX_RENDER_TARGETS];    /* integer targets: bits of a component, to whose range values
                                                      * are clamped (D3D11.3 3.2.3.7); 0: 32. Float targets that stand
                                                      * for UNORM or SNORM ones: their bits, to whose values they are
                                                      * clamped and rounded, at most 24; 0: they are floats */
    uint8_t target_alpha_bits[AGPU_MAX_RENDER_TARGETS]; /* of w, where it has others; else 0 */
    uint8_t target_snorm;   /* bit n: target n stands for an SNORM target */
    uint8_t target_mask;    /* bit n: target n exists; 0 stands for all. Other outputs are dropped */
    /* 0, or AGPU_LOGIC and the truth table of a logic operation on the bits of all unsigned targets: bit 2 *
     * s + d is what the output's bit s makes of the target's d. Where d counts, the module reads
     * AGPU_BINDING_DESTINATIONS at its pixel; the caller sees to it that no other primitive came between. */
    uint8_t logic;
    bool dual_source;       /* o0 and o1 are the two blend sources of target 0 */
    bool no_depth_target;   /* what is written to SV_Depth goes nowhere */

    /* Null: AGPU_STORAGE_BY_TYPE for all. Indexed by UAV slot. */
    const uint8_t *uav_formats; /* enum agpu_storage_format[AGPU_MAX_UAVS] */

    /* Texture views that are written or loaded as such are buffers of four words a texel, whatever their format is:
     * each component as the shader's type has it. The caller converts texels before and behind. */
    bool wide_uavs;

    /* Bit n: sampler n has a mip LOD bias, which WebGPU's samplers lack. The module then reads it, as a float, from
     * the first word of the view entry for binding AGPU_BINDING_SAMPLER + n. Where WGSL has no bias (comparisons)
     * it is left out. */
    uint16_t biased_samplers;

    /* Bit n: sampler n is none that WebGPU has (a border colour, MIRROR_ONCE, a bias of comparisons). What
     * samples with it loads and weighs texels, as AGPU_BINDING_SAMPLER_STATES says; its bias needs no other
     * bit. Cubes, which have no address modes, are sampled as ever. Anisotropy counts as linear filtering. */
    uint16_t emulated_samplers;

    /* Textures have levels that nothing more detailed is read than: AGPU_VIEW_FLOOR_SHIFT. Samples compute their level,
     * without anisotropy; samplers that compare have to be emulated; loads of whole levels before it give 0. */
    bool level_floors;

    uint8_t view_base; /* first entry of this stage in the draw block's views */

    /* Expansion: how many registers the producer's records have (its record_registers, and for a domain shader
     * the hull shader's patch_registers). 0 takes what the shader itself declares. Inputs past them read 0. */
    uint8_t input_registers, patch_registers;
};

/* ---- Modules ------------------------------------------------------------------------------------------ */

struct agpu_stage_value {
    uint8_t register_index; /* D3D v# or o#; 0xFF for values outside the register file */
    uint8_t mask;
    uint8_t location;       /* WGSL @location, 0xFF for builtins */
    uint8_t component_type; /* enum agpu_component_type in WGSL */
    uint8_t system_value;   /* enum agpu_system_value */
    uint8_t interpolation;  /* enum agpu_interpolation */
};

/* Optional WebGPU features a module needs. */
enum agpu_module_need {
    AGPU_NEED_CLIP_DISTANCES = 1 << 0,
    AGPU_NEED_DUAL_SOURCE_BLENDING = 1 << 1,
    AGPU_NEED_PRIMITIVE_INDEX = 1 << 2,
    AGPU_NEED_DRAW_EXPANSION = 1 << 3, /* the draw must go through the compute path */
};

/* What the expansion flavours tell; 0 where it does not apply. */
struct agpu_expansion {
    uint32_t input_registers;   /* registers of an INPUTS record as the module reads it: see the options */
    uint32_t record_registers;  /* registers of an OUTPUTS record */
    uint32_t patch_registers;   /* registers of a PATCHES record */
    uint32_t vertices;          /* geometry: vertices of an input primitive; hull: control points of an input patch;
                                 * domain: control points of the patch it reads */
    uint32_t output_points;     /* hull: control points of an output patch */
    uint32_t instances;         /* geometry: instances for each primitive, at least 1 */
    uint32_t max_vertices;      /* geometry: most vertices that an invocation emits */
    /* SV_RenderTargetArrayIndex and SV_ViewportArrayIndex are among the outputs: bit n, those of stream n */
    uint8_t writes_layer, writes_viewport;
};

struct agpu_module {
    const char *wgsl; /* NUL-terminated */
    size_t wgsl_length;
    const char *entry_point;
    enum agpu_flavour flavour;
    enum agpu_stage stage;

    const struct agpu_binding *bindings; /* ascending by group and binding; only what instructions use */
    uint32_t binding_count;
    /* Slots of which the module knows no more than their entries in the draw block: only their size is asked for, or
     * they use another slot's variable (options.uav_aliases). Nothing is to be bound for them. */
    const struct agpu_binding *unbound;
    uint32_t unbound_count;
    const struct agpu_stage_value *inputs, *outputs;
    uint32_t input_count, output_count;

    bool uses_draw_block;
    const uint16_t *views; /* binding numbers whose metadata the module reads, in draw block order */
    uint32_t view_count;
    uint8_t view_base;

    uint32_t needs;            /* enum agpu_module_need */
    uint32_t workgroup_size[3]; /* compute */
    uint32_t workgroup_bytes;  /* thread-group shared memory */
    struct agpu_expansion expansion;
    bool writes_depth, discards, early_depth_stencil, per_sample, writes_sample_mask;
    bool writes_memory; /* has UAV stores or atomics */

    /* From WGSL line (index 0 is line 1) to the token offset of the instruction it came from, or UINT32_MAX;
     * so that a WGSL compiler's message can be traced back. */
    const uint32_t *line_offsets;
    uint32_t line_count;

    struct agpu_module_memory *memory; /* private */
};

/* Translates for one flavour. On AGPU_OK the caller owns *module. On AGPU_REFUSED at least one error names
 * what cannot be expressed and the byte offset of its instruction in the token stream. `options` may be
 * null. The module does not refer to the shader afterwards. */
AGPU_API enum agpu_status agpu_translate(const struct agpu_shader *shader, const struct agpu_translate_options *options,
                                const struct agpu_diag_sink *sink, struct agpu_module **module);

/* Triangles that are not drawn as edges, as they turn on the target (D3D11.3 15.3); with either of the latter two,
 * those without an area count as counter-clockwise. */
enum agpu_culled {
    AGPU_CULLED_NONE,
    AGPU_CULLED_CLOCKWISE,
    AGPU_CULLED_COUNTER_CLOCKWISE,
};

/* How agpu_translate_expanded_vertex() shall draw. Zero is the default of what is not said to be needed. */
struct agpu_expanded_options {
    const struct agpu_linkage *linkage; /* null: only position and clip distances leave */
    uint8_t vertices;                   /* of a primitive: 1, 2 or 3. Needed */
    bool edges;     /* of triangles, as lines: vertices 2 k and 2 k + 1 are the ends of edge k % 3 of triangle k / 3 */
    uint8_t culled; /* enum agpu_culled: which of those triangles are not drawn */
    uint8_t record_registers;           /* of the producer's records. Needed; 0: there are none, all is 0 */
    /* WebGPU cannot send primitives of one draw to several layers or viewports. So the draw is made once for each,
     * with one instance whose instance_index is layer | viewport << 16, and primitives that belong elsewhere end up
     * outside of every clip volume. What a primitive says is in the record of its first vertex (D3D11: the leading
     * one); a viewport beyond 15 is viewport 0, and so is what a producer does not write. */
    bool selects_layer, selects_viewport;
    bool depth_bias; /* as in agpu_translate_options */
};

/* Writes the vertex shader that draws what an expansion made: vertex k is vertex k % vertices of entry
 * k / vertices in PRIMITIVES (group 3, as above), or an end of an edge (options->edges); its values are the record in
 * INPUTS that the entry names. They leave as those of `producer` (vertex, domain or geometry, of which the linkage's
 * stream is drawn, 0 without one) would: position, clip distances and what the linkage lets cross. For edges, too,
 * what does not vary over a triangle is its first vertex's. A primitive whose cull distances agree to be below 0 (or
 * NaN) in all its vertices is not drawn. A pixel shader's SV_PrimitiveID is the entry's, unless the producer is a
 * geometry shader, which hands on its own. The count of the list holds here too: past the list's end the position is
 * outside of every clip volume. module->expansion says whether the producer names layers and viewports. */
AGPU_API enum agpu_status agpu_translate_expanded_vertex(const struct agpu_shader *producer,
                                                const struct agpu_expanded_options *options,
                                                const struct agpu_diag_sink *sink,
                                                struct agpu_module **module);

/* How readable a module is. */
struct agpu_module_statistics {
    uint32_t instructions; /* of the shader, without declarations */
    uint32_t lines;        /* of the module that came from them */
    uint32_t bitcasts;     /* in those lines */
    size_t bytes;          /* of the whole module */
};

/* `shader` is what the module was translated from. */
AGPU_API void agpu_module_count(const struct agpu_module *module, const struct agpu_shader *shader,
                       struct agpu_module_statistics *statistics);

/* Accepts null. */
AGPU_API void agpu_module_destroy(struct agpu_module *module);

/* Links the outputs of a vertex (or domain, geometry) shader to the inputs of a pixel shader by register
 * number (D3D11 functional specification 4.4.3.2): outputs nobody reads are dropped, inputs nobody writes
 * read 0. `pixel` may be null: nothing but the position then leaves the vertex stage. Reports and returns
 * AGPU_REFUSED when the crossing registers cannot be packed into `max_locations`. What a domain or geometry shader
 * makes is always drawn by agpu_translate_expanded_vertex(), so their links are those of agpu_link_expanded(). */
AGPU_API enum agpu_status agpu_link(const struct agpu_shader *producer, const struct agpu_shader *pixel,
                           uint32_t max_locations, const struct agpu_diag_sink *sink,
                           struct agpu_linkage *linkage);

/* The same for draws whose vertex stage is agpu_translate_expanded_vertex(): SV_PrimitiveID crosses at a location
 * of its register as well, so the pixel shader needs no primitive_index. `stream` is which of a geometry shader's
 * is drawn; 0 for other producers. */
AGPU_API enum agpu_status agpu_link_expanded(const struct agpu_shader *producer, uint32_t stream,
                                    const struct agpu_shader *pixel, uint32_t max_locations, const struct agpu_diag_sink *sink,
                                    struct agpu_linkage *linkage);

/* For devices without clip-distances, behind either of them: what the producer declares as clip distances
 * crosses at locations of its own, and the pixel shader discards where any of them is below 0 or NaN, before
 * anything else it does. A module of the linkage then has no AGPU_NEED_CLIP_DISTANCES. At one sample a pixel
 * that is what clipping does; with more, a pixel goes or stays as a whole, by its centre. */
AGPU_API enum agpu_status agpu_link_clip_distances(const struct agpu_shader *producer, uint32_t max_locations,
                                          const struct agpu_diag_sink *sink, struct agpu_linkage *linkage);

/* The pixel shader of a draw that has none but such a linkage: it discards and has no outputs. */
AGPU_API enum agpu_status agpu_translate_clip_pixel(const struct agpu_linkage *linkage,
                                           const struct agpu_diag_sink *sink, struct agpu_module **module);

#ifdef __cplusplus
}
#endif

#endif
