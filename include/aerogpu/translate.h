/* SPDX-License-Identifier: MIT
 *
 * DXBC to WGSL.
 *
 * A shader is translated for one use ("flavour") at a time. The result is a WGSL module with one entry point
 * and the reflection data that whoever builds pipelines needs: bindings, stage inputs and outputs. Nothing
 * here needs a GPU or a WebGPU library. Translation is pure: any thread, no shared state.
 * examples/translate.c is a program that translates the two shaders of a pipeline.
 *
 * Vertex, pixel and compute shaders become entry points of their own stage, which any program may use with
 * buffers, textures and samplers of its own. Geometry, hull and domain shaders, which WebGPU does not have,
 * become compute shaders that read and write data of this library's own executor (aerogpu/executor.h), as do
 * all bindings of AGPU_SPACE_INTERNAL; how such data are laid out changes from version to version.
 */
#ifndef AEROGPU_TRANSLATE_H
#define AEROGPU_TRANSLATE_H

#include "aerogpu/api.h"
#include "aerogpu/dxbc.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Bindings ------------------------------------------------------------------------------------------ */

enum agpu_binding_kind {
    /* array<vec4<f32>, N> or array<vec4<u32>, N>: bytes is the least the binding must hold */
    AGPU_BIND_UNIFORM_BUFFER,
    AGPU_BIND_STORAGE_BUFFER_READ,
    AGPU_BIND_STORAGE_BUFFER_READ_WRITE,
    AGPU_BIND_SAMPLED_TEXTURE,
    AGPU_BIND_STORAGE_TEXTURE,
    AGPU_BIND_SAMPLER,
    AGPU_BIND_COMPARISON_SAMPLER,
};

/* How the shader accesses a storage texture. */
enum agpu_storage_access { AGPU_STORAGE_WRITE, AGPU_STORAGE_READ, AGPU_STORAGE_READ_WRITE };

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
    /* @group: 0 in vertex, 1 in pixel, 2 in compute shaders, 3 in what the library's own executor takes, so
     * that modules of one pipeline share none. A pipeline layout has empty groups before the last one. */
    uint8_t group;
    uint16_t binding; /* @binding: the same for a register in every module of the stage */
    uint8_t kind;     /* enum agpu_binding_kind */
    uint8_t space;    /* enum agpu_binding_space */
    uint16_t slot;    /* D3D register */
    uint64_t bytes;   /* buffers: the least size of the binding in bytes (the WGSL type's size); else 0 */
    uint32_t structure_stride; /* structured buffers; else 0 */
    uint8_t dimension;   /* enum agpu_resource_dimension as declared by the shader; WGSL maps 1D onto 2D */
    uint8_t sample_type; /* enum agpu_sample_type of textures */
    uint8_t return_type; /* enum agpu_return_type as declared */
    bool multisampled;
    bool faces; /* cubes: the binding is an array of faces, a 2D array view */
    /* textures: some filtering instruction uses it with a sampler. Samplers of kind AGPU_BIND_SAMPLER: false
     * when every texture it is used with must not be filtered (integers, depth): bind a non-filtering one. A
     * sampler used both ways has two bindings, each named by its register */
    bool filtered;
    /* storage textures, and buffers of one word a texel in their place: enum agpu_storage_format the module
     * was written for */
    uint32_t storage_format;
    uint16_t overflow_row;  /* in agpu_module.overflow: the first row of its record */
    uint8_t texture_array;  /* there, too: the array that the texture is a layer of; 0: none */
    uint8_t storage_access; /* storage textures: enum agpu_storage_access */
    uint32_t pack_offset;   /* in agpu_module.packed: its first byte in the uniform buffer */
};

/* ---- Options ------------------------------------------------------------------------------------------- */

enum agpu_flavour {
    AGPU_FLAVOUR_DEFAULT = 0,       /* the natural entry point of the stage; of hull shaders HULL_PATCH */
    AGPU_FLAVOUR_VERTEX,            /* @vertex */
    AGPU_FLAVOUR_PIXEL,             /* @fragment */
    AGPU_FLAVOUR_COMPUTE,           /* @compute */
    AGPU_FLAVOUR_VERTEX_AS_COMPUTE, /* this and the following, all @compute: for the library's own executor */
    AGPU_FLAVOUR_GEOMETRY,
    AGPU_FLAVOUR_HULL_POINTS, /* control points */
    AGPU_FLAVOUR_HULL_PATCH,  /* fork and join phases */
    AGPU_FLAVOUR_DOMAIN,
    AGPU_FLAVOUR_COUNT
};

#define AGPU_MAX_REGISTERS 32
#define AGPU_MAX_RENDER_TARGETS 8

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
    /* what the declared type suggests: R32_* when loaded from, else RGBA32_* or RGBA8_*NORM */
    AGPU_STORAGE_BY_TYPE = 0,
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

/* Zero is the default of every field. What pointers name is only read during the call. */
struct agpu_translate_options {
    uint32_t size; /* sizeof of this structure, or 0 (see aerogpu/diag.h). Since 0.2 */
    enum agpu_flavour flavour;
    /* The module has a comment in front of the lines of each instruction, and each instruction keeps lines of
     * its own: else a value that is read once moves to its reader. */
    bool annotate;

    /* Iterations that one invocation may make in loops that may never end, all of them together; 0: any
     * number. When they are spent, every such loop is left at the start of its next iteration and the program
     * runs on to its end; what it computes from there on is not specified. Loops that count between constants
     * are free, but an iteration of a loop around them costs as much as they do. Where threads of a group
     * meet at barriers inside a loop, all of them leave it together. */
    uint32_t loop_budget;

    /* Vertex: the pixel shader that reads the outputs; pixel: the vertex shader that made the inputs.
     * Registers meet by their numbers (D3D11 functional specification 4.4.3.2): outputs nobody reads are
     * dropped, inputs nobody writes read 0. Translate both with each other. Null: the stage alone, every
     * register at the location of its number. Since 0.2. */
    const struct agpu_shader *linked;
    uint32_t max_locations; /* for `linked`: what the device has between the stages. 0: 16. Since 0.2 */

    /* Vertex: null takes the types of the input signature. Indexed by input register. */
    const uint8_t *attribute_classes; /* enum agpu_attribute_class[AGPU_MAX_REGISTERS] */

    /* Pixel. */
    uint8_t target_classes[AGPU_MAX_RENDER_TARGETS]; /* enum agpu_target_class */
    uint8_t target_mask; /* bit n: target n exists; 0 stands for all. Other outputs are dropped */
    bool dual_source;    /* o0 and o1 are the two blend sources of target 0 */

    /* Null: AGPU_STORAGE_BY_TYPE for all. Indexed by UAV slot. */
    const uint8_t *uav_formats; /* enum agpu_storage_format[AGPU_MAX_UAVS] */

    /* Bounds of what a module costs who makes pipelines of it; a program over them is refused with
     * translate.cost. The milliseconds that a software driver's compiler takes are estimated from operations,
     * branches and arrays: a program of a few hundred instructions comes to some hundred milliseconds, and
     * real compilers differ from the estimate by a factor of a few. The bytes are those of indexable
     * temporaries, and of what lives across barriers where an invocation runs several threads, of all
     * invocations of a workgroup together. 0: any number. Since 0.2 */
    uint32_t most_compile_ms;
    uint32_t most_private_bytes;
};

/* ---- Modules ------------------------------------------------------------------------------------------- */

struct agpu_stage_value {
    uint8_t register_index; /* D3D v# or o#; 0xFF for values outside the register file */
    uint8_t mask;           /* components: x 1, y 2, z 4, w 8 */
    uint8_t location;       /* WGSL @location, 0xFF for builtins. Attributes: the register's number, or, of
                             * shaders with registers from 16 on, how many attributes have lower ones */
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

/* What the flavours of the library's own executor tell; 0 where it does not apply. */
struct agpu_expansion {
    uint32_t input_registers;  /* registers of each vertex or control point that the module reads */
    uint32_t record_registers; /* ... that it writes */
    uint32_t patch_registers;  /* registers of a patch's constants */
    /* geometry: vertices of an input primitive; hull: control points of an input patch; domain: control
     * points of the patch it reads */
    uint32_t vertices;
    uint32_t output_points; /* hull: control points of an output patch */
    uint32_t instances;     /* geometry: instances for each primitive, at least 1 */
    uint32_t max_vertices;  /* geometry: most vertices that an invocation emits */
    /* SV_RenderTargetArrayIndex and SV_ViewportArrayIndex are among the outputs: bit n, those of stream n */
    uint8_t writes_layer, writes_viewport;
    bool copies_points; /* hull: the control points of an output patch are those of the input patch */
    /* hull: no tessellation factor that the phases write is above this, 1 to 64; 64 also where nothing is
     * known */
    uint8_t most_factor;
};

/* What a module points to lives as long as the module. */
struct agpu_module {
    const char *wgsl;   /* NUL-terminated */
    size_t wgsl_length; /* bytes without the NUL */
    const char *entry_point;
    enum agpu_flavour flavour;
    enum agpu_stage stage;

    const struct agpu_binding *bindings; /* ascending by group and binding; only what instructions use */
    uint32_t binding_count;
    /* Slots of which the module only wants to know the size. Nothing is to be bound for them. */
    const struct agpu_binding *unbound;
    uint32_t unbound_count;
    /* Resources that share bindings of the library's own executor, and how many rows their records have. */
    const struct agpu_binding *overflow;
    uint32_t overflow_count, overflow_rows;
    /* What the entry point takes and gives, built-in values among it. */
    const struct agpu_stage_value *inputs, *outputs;
    uint32_t input_count, output_count;

    /* The module reads a uniform buffer of the library's own executor, which is among the bindings. It has
     * what WebGPU does not tell shaders, among it facts about the bindings of these numbers, in this order.
     */
    bool uses_draw_block;
    const uint16_t *views;
    uint32_t view_count;
    uint8_t view_base;

    uint32_t needs;             /* enum agpu_module_need */
    uint32_t workgroup_size[3]; /* compute: invocations in x, y and z */
    uint32_t workgroup_bytes;   /* bytes of variables that a workgroup shares */
    struct agpu_expansion expansion;
    bool writes_depth, discards, early_depth_stencil, per_sample, writes_sample_mask;
    bool writes_memory; /* has UAV stores or atomics */
    /* Bit n: the module counts with the counter of u# n, whether or not u# n is among the bindings. */
    uint64_t counted;

    /* From WGSL line (index 0 is line 1) to the `offset` of the instruction it came from (struct
     * agpu_instruction; dwords, where messages of agpu_translate() have bytes), or UINT32_MAX; so that a WGSL
     * compiler's message can be traced back. A value that moved to its reader is on the reader's line. */
    const uint32_t *line_offsets;
    uint32_t line_count;

    struct agpu_module_memory *memory; /* private */

    /* What the options most_compile_ms and most_private_bytes bound. Since 0.2 */
    uint32_t compile_ms;
    uint64_t private_bytes;

    /* Constant buffers that share one uniform buffer of the library's own executor, which is among the
     * bindings. */
    const struct agpu_binding *packed;
    uint32_t packed_count;

    bool is_inlined;        /* private: a part of another module */
    uint32_t constant_sets; /* private: of the pack; 0: it is one of plain constants */
};

/* Translates for one flavour. On AGPU_OK the caller owns *module. On AGPU_REFUSED at least one error names
 * what cannot be expressed and the byte offset of its instruction in the token stream. `options` may be
 * null. The module does not refer to the shader afterwards. */
AGPU_API enum agpu_status agpu_translate(const struct agpu_shader *shader,
                                         const struct agpu_translate_options *options,
                                         const struct agpu_diag_sink *sink, struct agpu_module **module);

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

#ifdef __cplusplus
}
#endif

#endif
