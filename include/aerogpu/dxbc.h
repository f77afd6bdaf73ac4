/* SPDX-License-Identifier: MIT
 *
 * DXBC: containers, signatures, reflection data and SM4/SM5 programs in decoded form.
 *
 * Everything decoded lives in one `struct agpu_shader`, made by agpu_shader_parse() and freed by
 * agpu_shader_destroy(). It owns a copy of what it needs: the input bytes may be freed or changed at once.
 * A parsed shader is immutable, so any number of threads may read it.
 */
#ifndef AEROGPU_DXBC_H
#define AEROGPU_DXBC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "aerogpu/api.h"
#include "aerogpu/diag.h"
#include "aerogpu/dxbc_opcodes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Stages and opcodes ------------------------------------------------------------------------------- */

/* Numbers are the program types of the version token. */
enum agpu_stage {
    AGPU_STAGE_PIXEL = 0,
    AGPU_STAGE_VERTEX = 1,
    AGPU_STAGE_GEOMETRY = 2,
    AGPU_STAGE_HULL = 3,
    AGPU_STAGE_DOMAIN = 4,
    AGPU_STAGE_COMPUTE = 5,
    AGPU_STAGE_COUNT
};

enum agpu_stage_mask {
    AGPU_STAGES_PS = 1 << AGPU_STAGE_PIXEL,
    AGPU_STAGES_VS = 1 << AGPU_STAGE_VERTEX,
    AGPU_STAGES_GS = 1 << AGPU_STAGE_GEOMETRY,
    AGPU_STAGES_HS = 1 << AGPU_STAGE_HULL,
    AGPU_STAGES_DS = 1 << AGPU_STAGE_DOMAIN,
    AGPU_STAGES_CS = 1 << AGPU_STAGE_COMPUTE,
    AGPU_STAGES_ALL = (1 << AGPU_STAGE_COUNT) - 1,
};

/* "ps", "vs", "gs", "hs", "ds", "cs". */
AGPU_API const char *agpu_stage_name(enum agpu_stage stage);

/* clang-format off */
enum agpu_opcode {
#define AGPU_OPCODE_ENUM(number, name, mnemonic, model, operands, flags, stages) AGPU_OP_##name = number,
    AGPU_OPCODES(AGPU_OPCODE_ENUM)
#undef AGPU_OPCODE_ENUM
    AGPU_OPCODE_LIMIT /* one past the largest number; the numbers have holes */
};
/* clang-format on */

struct agpu_opcode_info {
    const char *mnemonic; /* null in a hole of the numbering */
    const char *operands; /* see dxbc_opcodes.h */
    uint16_t flags;       /* enum agpu_opcode_flag */
    uint8_t model;        /* 40, 41, 50 */
    uint8_t stages;       /* enum agpu_stage_mask */
    uint8_t operand_count;
    uint8_t destination_count; /* leading operands whose letter is D */
};

/* The row of an opcode, or null for a number that is not in the table. */
AGPU_API const struct agpu_opcode_info *agpu_opcode_info(uint32_t opcode);

/* ---- Containers --------------------------------------------------------------------------------------- */

#define AGPU_FOURCC(a, b, c, d)                                                                              \
    ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)

struct agpu_dxbc_chunk {
    uint32_t fourcc;
    uint32_t size;       /* bytes of data, without the 8-byte chunk header */
    uint64_t offset;     /* of the data, from the start of the container */
    const uint8_t *data; /* no particular alignment */
};

/* The 16 checksum bytes of a container of `size` bytes (at least 20) whose own digest field is ignored. */
AGPU_API void agpu_dxbc_checksum(const void *container, size_t size, uint8_t digest[16]);

/* ---- Signatures --------------------------------------------------------------------------------------- */

enum agpu_component_type {
    AGPU_COMPONENT_UNKNOWN = 0,
    AGPU_COMPONENT_UINT = 1,
    AGPU_COMPONENT_SINT = 2,
    AGPU_COMPONENT_FLOAT = 3,
};

/* System values as signatures number them (D3D_NAME); each tessellation factor kind is one value. */
enum agpu_system_value {
    AGPU_SV_NONE = 0,
    AGPU_SV_POSITION = 1,
    AGPU_SV_CLIP_DISTANCE = 2,
    AGPU_SV_CULL_DISTANCE = 3,
    AGPU_SV_RENDER_TARGET_ARRAY_INDEX = 4,
    AGPU_SV_VIEWPORT_ARRAY_INDEX = 5,
    AGPU_SV_VERTEX_ID = 6,
    AGPU_SV_PRIMITIVE_ID = 7,
    AGPU_SV_INSTANCE_ID = 8,
    AGPU_SV_IS_FRONT_FACE = 9,
    AGPU_SV_SAMPLE_INDEX = 10,
    AGPU_SV_QUAD_EDGE_TESS_FACTOR = 11,
    AGPU_SV_QUAD_INSIDE_TESS_FACTOR = 12,
    AGPU_SV_TRI_EDGE_TESS_FACTOR = 13,
    AGPU_SV_TRI_INSIDE_TESS_FACTOR = 14,
    AGPU_SV_LINE_DETAIL_TESS_FACTOR = 15,
    AGPU_SV_LINE_DENSITY_TESS_FACTOR = 16,
    AGPU_SV_TARGET = 64,
    AGPU_SV_DEPTH = 65,
    AGPU_SV_COVERAGE = 66,
    AGPU_SV_DEPTH_GREATER_EQUAL = 67,
    AGPU_SV_DEPTH_LESS_EQUAL = 68,
};

#define AGPU_REGISTER_NONE UINT32_MAX /* oDepth, oMask, vPrim ... are not in the v or o file */

struct agpu_signature_element {
    const char *semantic_name; /* the author's case; compare without case */
    uint32_t semantic_index;
    uint32_t stream;         /* geometry shader stream, else 0 */
    uint32_t system_value;   /* enum agpu_system_value as stored; pixel outputs store 0 */
    uint32_t component_type; /* enum agpu_component_type */
    uint32_t register_index; /* or AGPU_REGISTER_NONE */
    uint32_t min_precision;  /* 0, or 1 float16, 2 float 2.8, 4 sint16, 5 uint16 */
    uint8_t mask;            /* x 1, y 2, z 4, w 8 */
    uint8_t rw_mask;         /* inputs: components read; outputs: components never written */
};

struct agpu_signature {
    const struct agpu_signature_element *elements;
    uint32_t count;
};

/* The element with this name (compared without case) and index, or null. */
AGPU_API const struct agpu_signature_element *agpu_signature_find(const struct agpu_signature *signature,
                                                                  const char *semantic_name,
                                                                  uint32_t semantic_index);

/* ---- Reflection (RDEF) -------------------------------------------------------------------------------- */

/* Types and member arrays are shared: equal pointers are one record, equal contents may be two. */
struct agpu_rdef_type {
    uint16_t type_class, base_type; /* dxbc-format 3.3 */
    uint16_t rows, columns;
    uint16_t element_count; /* 0: not an array */
    uint16_t member_count;
    const struct agpu_rdef_member *members;
    const char *name;                               /* 5.x only, else null */
    const struct agpu_rdef_type *interface_class;   /* of an interface pointer (class 7), else null */
    const struct agpu_rdef_type *base_class;        /* or null */
    const struct agpu_rdef_type *const *interfaces; /* that a class implements */
    uint32_t interface_count;
};

struct agpu_rdef_member {
    const char *name;
    const struct agpu_rdef_type *type;
    uint32_t offset;
};

struct agpu_rdef_variable {
    const char *name;
    uint32_t offset, size, flags; /* bytes; flags: 2 used */
    const struct agpu_rdef_type *type;
    const uint8_t *default_value;          /* size bytes, or null */
    uint32_t first_texture, texture_count; /* objects inside a variable, 5.x; else AGPU_REGISTER_NONE, 0 */
    uint32_t first_sampler, sampler_count;
};

struct agpu_rdef_cbuffer {
    const char *name;
    uint32_t size, flags, kind; /* kind: 0 cbuffer, 1 tbuffer, 2 interface pointers, 3 structured element */
    const struct agpu_rdef_variable *variables;
    uint32_t variable_count;
};

struct agpu_rdef_binding {
    const char *name;
    uint32_t input_type;  /* 0 cbuffer, 2 texture, 3 sampler, 4 rw typed, 5 structured, 6 rw structured ... */
    uint32_t return_type; /* 0 none, 1 unorm, 2 snorm, 3 sint, 4 uint, 5 float, 6 mixed */
    uint32_t dimension;   /* RDEF's own numbers, not those of the instructions */
    uint32_t sample_count;
    uint32_t bind_point, bind_count;
    uint32_t flags;
    uint32_t space, id; /* 5.1 only */
};

struct agpu_rdef {
    uint8_t major, minor;     /* shader model */
    uint16_t program_type;    /* 0xffff ps, 0xfffe vs, 0x4753 gs, 0x4853 hs, 0x4453 ds, 0x4353 cs */
    uint32_t interface_slots; /* 5.x */
    const char *creator;
    uint32_t compile_flags;
    const struct agpu_rdef_cbuffer *cbuffers;
    uint32_t cbuffer_count;
    const struct agpu_rdef_binding *bindings;
    uint32_t binding_count;
};

/* ---- Programs ----------------------------------------------------------------------------------------- */

enum agpu_operand_type {
    AGPU_OPERAND_TEMP = 0,
    AGPU_OPERAND_INPUT = 1,
    AGPU_OPERAND_OUTPUT = 2,
    AGPU_OPERAND_INDEXABLE_TEMP = 3,
    AGPU_OPERAND_IMMEDIATE32 = 4,
    AGPU_OPERAND_IMMEDIATE64 = 5,
    AGPU_OPERAND_SAMPLER = 6,
    AGPU_OPERAND_RESOURCE = 7,
    AGPU_OPERAND_CONSTANT_BUFFER = 8,
    AGPU_OPERAND_IMMEDIATE_CONSTANT_BUFFER = 9,
    AGPU_OPERAND_LABEL = 10,
    AGPU_OPERAND_INPUT_PRIMITIVE_ID = 11,
    AGPU_OPERAND_OUTPUT_DEPTH = 12,
    AGPU_OPERAND_NULL = 13,
    AGPU_OPERAND_RASTERIZER = 14,
    AGPU_OPERAND_OUTPUT_COVERAGE_MASK = 15,
    AGPU_OPERAND_STREAM = 16,
    AGPU_OPERAND_FUNCTION_BODY = 17,
    AGPU_OPERAND_FUNCTION_TABLE = 18,
    AGPU_OPERAND_INTERFACE = 19,
    AGPU_OPERAND_FUNCTION_INPUT = 20,
    AGPU_OPERAND_FUNCTION_OUTPUT = 21,
    AGPU_OPERAND_OUTPUT_CONTROL_POINT_ID = 22,
    AGPU_OPERAND_INPUT_FORK_INSTANCE_ID = 23,
    AGPU_OPERAND_INPUT_JOIN_INSTANCE_ID = 24,
    AGPU_OPERAND_INPUT_CONTROL_POINT = 25,
    AGPU_OPERAND_OUTPUT_CONTROL_POINT = 26,
    AGPU_OPERAND_INPUT_PATCH_CONSTANT = 27,
    AGPU_OPERAND_INPUT_DOMAIN_POINT = 28,
    AGPU_OPERAND_THIS_POINTER = 29,
    AGPU_OPERAND_UNORDERED_ACCESS_VIEW = 30,
    AGPU_OPERAND_THREAD_GROUP_SHARED_MEMORY = 31,
    AGPU_OPERAND_INPUT_THREAD_ID = 32,
    AGPU_OPERAND_INPUT_THREAD_GROUP_ID = 33,
    AGPU_OPERAND_INPUT_THREAD_ID_IN_GROUP = 34,
    AGPU_OPERAND_INPUT_COVERAGE_MASK = 35,
    AGPU_OPERAND_INPUT_THREAD_ID_IN_GROUP_FLATTENED = 36,
    AGPU_OPERAND_INPUT_GS_INSTANCE_ID = 37,
    AGPU_OPERAND_OUTPUT_DEPTH_GREATER_EQUAL = 38,
    AGPU_OPERAND_OUTPUT_DEPTH_LESS_EQUAL = 39,
    AGPU_OPERAND_CYCLE_COUNTER = 40,
    AGPU_OPERAND_OUTPUT_STENCIL_REF = 41,
    AGPU_OPERAND_INPUT_INNER_COVERAGE = 42,
    AGPU_OPERAND_TYPE_COUNT
};

enum agpu_selection {
    AGPU_SELECT_MASK = 0,    /* `mask` holds the components (destinations, declarations) */
    AGPU_SELECT_SWIZZLE = 1, /* `swizzle` holds one component number for each lane */
    AGPU_SELECT_ONE = 2,     /* swizzle[0] is the one component; the other three repeat it */
};

enum agpu_modifier {
    AGPU_MODIFIER_NONE = 0,
    AGPU_MODIFIER_NEGATE = 1,
    AGPU_MODIFIER_ABSOLUTE = 2,
    AGPU_MODIFIER_NEGATE_ABSOLUTE = 3,
};

/* One index of an operand: immediate + (relative ? the component it names : 0), unsigned 32-bit. */
struct agpu_operand_index {
    uint64_t immediate;
    const struct agpu_operand *relative; /* null when there is none */
};

struct agpu_operand {
    uint8_t type;            /* enum agpu_operand_type */
    uint8_t component_count; /* 0, 1 or 4 */
    uint8_t selection;       /* enum agpu_selection; meaningful when component_count is 4 */
    uint8_t mask;            /* x 1, y 2, z 4, w 8 */
    uint8_t swizzle[4];      /* always usable as lanes: masks leave 0 1 2 3, one-component operands 0 0 0 0 */
    uint8_t modifier;        /* enum agpu_modifier */
    uint8_t min_precision;
    bool non_uniform;
    bool has_extended; /* an extended operand token was present, even an empty one */
    uint32_t extended; /* that token verbatim; the three fields above are decoded from it */
    uint8_t index_count;
    uint8_t index_representation[3]; /* as encoded: 0 imm32, 1 imm64, 2 relative, 3 imm32 + relative, 4 */
    struct agpu_operand_index index[3];
    uint32_t immediate[4]; /* bits of an immediate: 1 or 4 values; 64-bit ones are low, high, low, high */
};

/* Numbers of a resource's dimension as instructions and declarations encode it. */
enum agpu_resource_dimension {
    AGPU_DIMENSION_UNKNOWN = 0,
    AGPU_DIMENSION_BUFFER = 1,
    AGPU_DIMENSION_TEXTURE1D = 2,
    AGPU_DIMENSION_TEXTURE2D = 3,
    AGPU_DIMENSION_TEXTURE2DMS = 4,
    AGPU_DIMENSION_TEXTURE3D = 5,
    AGPU_DIMENSION_TEXTURECUBE = 6,
    AGPU_DIMENSION_TEXTURE1DARRAY = 7,
    AGPU_DIMENSION_TEXTURE2DARRAY = 8,
    AGPU_DIMENSION_TEXTURE2DMSARRAY = 9,
    AGPU_DIMENSION_TEXTURECUBEARRAY = 10,
    AGPU_DIMENSION_RAW_BUFFER = 11,
    AGPU_DIMENSION_STRUCTURED_BUFFER = 12,
    AGPU_DIMENSION_COUNT
};

enum agpu_return_type {
    AGPU_RETURN_UNORM = 1,
    AGPU_RETURN_SNORM = 2,
    AGPU_RETURN_SINT = 3,
    AGPU_RETURN_UINT = 4,
    AGPU_RETURN_FLOAT = 5,
    AGPU_RETURN_MIXED = 6,
    AGPU_RETURN_DOUBLE = 7,
    AGPU_RETURN_CONTINUED = 8,
    AGPU_RETURN_UNUSED = 9,
};

enum agpu_interpolation {
    AGPU_INTERPOLATE_UNDEFINED = 0,
    AGPU_INTERPOLATE_CONSTANT = 1,
    AGPU_INTERPOLATE_LINEAR = 2,
    AGPU_INTERPOLATE_LINEAR_CENTROID = 3,
    AGPU_INTERPOLATE_LINEAR_NOPERSPECTIVE = 4,
    AGPU_INTERPOLATE_LINEAR_NOPERSPECTIVE_CENTROID = 5,
    AGPU_INTERPOLATE_LINEAR_SAMPLE = 6,
    AGPU_INTERPOLATE_LINEAR_NOPERSPECTIVE_SAMPLE = 7,
};

/* Names as *_siv and *_sgv declarations number them; each tessellation factor is its own value. */
enum agpu_name_token {
    AGPU_NAME_UNDEFINED = 0,
    AGPU_NAME_POSITION = 1,
    AGPU_NAME_CLIP_DISTANCE = 2,
    AGPU_NAME_CULL_DISTANCE = 3,
    AGPU_NAME_RENDER_TARGET_ARRAY_INDEX = 4,
    AGPU_NAME_VIEWPORT_ARRAY_INDEX = 5,
    AGPU_NAME_VERTEX_ID = 6,
    AGPU_NAME_PRIMITIVE_ID = 7,
    AGPU_NAME_INSTANCE_ID = 8,
    AGPU_NAME_IS_FRONT_FACE = 9,
    AGPU_NAME_SAMPLE_INDEX = 10,
    AGPU_NAME_FINAL_QUAD_U_EQ_0_EDGE_TESS_FACTOR = 11,
    AGPU_NAME_FINAL_LINE_DENSITY_TESS_FACTOR = 22,
    AGPU_NAME_COUNT = 23
};

enum agpu_global_flag {
    AGPU_GLOBAL_REFACTORING_ALLOWED = 1 << 0,
    AGPU_GLOBAL_ENABLE_DOUBLE_PRECISION = 1 << 1,
    AGPU_GLOBAL_FORCE_EARLY_DEPTH_STENCIL = 1 << 2,
    AGPU_GLOBAL_ENABLE_RAW_AND_STRUCTURED_BUFFERS = 1 << 3,
    AGPU_GLOBAL_SKIP_OPTIMIZATION = 1 << 4,
    AGPU_GLOBAL_ENABLE_MINIMUM_PRECISION = 1 << 5,
    AGPU_GLOBAL_ENABLE_11_1_DOUBLE_EXTENSIONS = 1 << 6,
    AGPU_GLOBAL_ENABLE_11_1_SHADER_EXTENSIONS = 1 << 7,
    AGPU_GLOBAL_ALL_RESOURCES_BOUND = 1 << 8,
};

enum agpu_sync_flag {
    AGPU_SYNC_THREADS_IN_GROUP = 1 << 0,
    AGPU_SYNC_GROUP_SHARED_MEMORY = 1 << 1,
    AGPU_SYNC_UAV_MEMORY_GROUP = 1 << 2,
    AGPU_SYNC_UAV_MEMORY_GLOBAL = 1 << 3,
};

enum agpu_custom_data {
    AGPU_CUSTOM_COMMENT = 0,
    AGPU_CUSTOM_DEBUG_INFO = 1,
    AGPU_CUSTOM_OPAQUE = 2,
    AGPU_CUSTOM_IMMEDIATE_CONSTANT_BUFFER = 3,
    AGPU_CUSTOM_SHADER_MESSAGE = 4,
    AGPU_CUSTOM_CLIP_PLANE_MAPPINGS = 5,
};

#define AGPU_MAX_OPERANDS 8

/* One instruction or declaration. */
struct agpu_instruction {
    uint16_t opcode; /* enum agpu_opcode */
    uint32_t offset; /* of the opcode token, in dwords from the version token */
    uint32_t length; /* in dwords */
    bool saturate;
    bool test_nonzero; /* _nz rather than _z */
    uint8_t precise;   /* component mask */
    uint32_t controls; /* bits [23:11] of the opcode token, shifted down to bit 0, as encoded */

    /* Extended opcode tokens. `extended_count` tokens are kept verbatim; the decoded values stand below.
     * In the long form of function table and interface declarations extended[0] is the length. */
    uint8_t extended_count;
    uint32_t extended[4];
    bool has_offsets;          /* a sample-controls token is present, even with all offsets 0 */
    int8_t offsets[3];         /* u, v, w in texels */
    bool has_dimension;        /* tokens 2 and 3 are present */
    uint8_t dimension;         /* enum agpu_resource_dimension */
    uint16_t structure_stride; /* bytes, with a structured buffer */
    uint8_t return_type[4];    /* enum agpu_return_type */

    uint8_t operand_count;
    const struct agpu_operand *operands;

    /* Dwords of their own: what follows the operand of a declaration, the one before the operand of fcall,
     * the class and content of customdata (without its two header dwords: `controls` is then the class). */
    uint32_t data_count;
    const uint32_t *data;

    /* Dwords between the last operand and the end of the instruction: the compiler leaves some. */
    uint32_t stray_count;
    const uint32_t *stray;
};

struct agpu_program {
    enum agpu_stage stage;
    uint8_t major, minor;                        /* shader model */
    uint32_t global_flags;                       /* enum agpu_global_flag */
    const struct agpu_instruction *instructions; /* declarations included, in stream order */
    uint32_t instruction_count;
    const uint32_t *tokens; /* the whole stream, aligned */
    uint32_t token_count;
};

/* ---- Accessors for declaration fields (bits of `controls`; see dxbc-format 5.3) ------------------------ */

static inline enum agpu_resource_dimension agpu_dcl_dimension(const struct agpu_instruction *dcl)
{
    return (enum agpu_resource_dimension)(dcl->controls & 0x1f);
}
static inline uint32_t agpu_dcl_sample_count(const struct agpu_instruction *dcl)
{
    return dcl->controls >> 5 & 0x7f;
}
static inline enum agpu_interpolation agpu_dcl_interpolation(const struct agpu_instruction *dcl)
{
    return (enum agpu_interpolation)(dcl->controls & 0xf);
}

/* ---- Whole shaders ------------------------------------------------------------------------------------ */

enum agpu_parse_flag {
    AGPU_PARSE_DEFAULT = 0,
    AGPU_PARSE_IGNORE_CHECKSUM = 1 << 0, /* a wrong digest is a warning instead of an error */
    AGPU_PARSE_TOKENS = 1 << 1,          /* the bytes are a bare token stream, as drivers receive it */
};

struct agpu_shader {
    struct agpu_program program;
    struct agpu_signature input, output, patch_constant;
    const struct agpu_rdef *rdef;         /* null when stripped */
    uint64_t feature_bits;                /* SFI0, or 0 */
    const struct agpu_dxbc_chunk *chunks; /* all chunks in container order; none for a bare stream */
    uint32_t chunk_count;
    uint32_t container_size;           /* bytes; 0 for a bare stream */
    uint64_t hash;                     /* XXH3 of the bytes parsed */
    struct agpu_shader_memory *memory; /* private */
};

/* Parses a container (or a bare token stream: its first dword decides, whatever the flags say about
 * AGPU_PARSE_TOKENS). Every count, offset and size is checked; the program is decoded to its last token.
 * On AGPU_OK the caller owns *shader. On AGPU_REFUSED at least one error was reported with the byte offset
 * inside `data`, and *shader is null. Limits: 16 MiB of input, 1024 elements a signature,
 * names of 1024 bytes in it. Any thread.
 *
 * What later layers may rely on: opcodes exist in the program's stage and model (UAV opcodes in every stage);
 * operand counts are those of the opcode table; operands of kind R, P, L, M and I are of a fitting register
 * file; every operand has the number of indices its type and the model ask for; destinations have a mask;
 * relative indices name one component and nest at most four deep; declarations have the dwords of dxbc-format
 * 5.3. Register numbers, component masks and enumerated values are as encoded.
 *
 * Digests: a wrong or all-zero digest is an error, with AGPU_PARSE_IGNORE_CHECKSUM a warning. Programs with
 * shader messages or `abort` carry a digest nobody can verify: always a warning. The compiler's side chunks
 * never refuse a shader: malformed reflection data is a warning and leaves `rdef` null. */
AGPU_API enum agpu_status agpu_shader_parse(const void *data, size_t size, uint32_t flags,
                                            const struct agpu_diag_sink *sink, struct agpu_shader **shader);

/* Accepts null. */
AGPU_API void agpu_shader_destroy(struct agpu_shader *shader);

/* ---- Bare token streams with signatures beside them ---------------------------------------------------- */

/* Signatures on their own, as text or from a container; names and elements live as long as the set. */
struct agpu_signature_set {
    struct agpu_signature input, output, patch_constant;
    struct agpu_signature_memory *memory; /* private; null in a set that the caller filled in himself */
};

/* Reads the lines `.in`, `.out` and `.patch` of a listing (docs/listing.md); comments and empty lines may
 * stand between them, nothing else. `stage` tells whether patch constants are outputs. On AGPU_OK the
 * caller destroys *set. On AGPU_REFUSED the first problem was reported with line and column. Any thread. */
AGPU_API enum agpu_status agpu_signature_set_read(const char *text, size_t length, enum agpu_stage stage,
                                                  const struct agpu_diag_sink *sink,
                                                  struct agpu_signature_set **set);

/* Accepts null. */
AGPU_API void agpu_signature_set_destroy(struct agpu_signature_set *set);

/* The signatures of a shader as those lines. The caller frees *text with agpu_free(). */
AGPU_API enum agpu_status agpu_signatures_write(const struct agpu_shader *shader,
                                                const struct agpu_diag_sink *sink, char **text,
                                                size_t *length);

/* As agpu_shader_parse() for a bare token stream of `size` bytes. Signatures are copied from `set`, null for
 * none. */
AGPU_API enum agpu_status agpu_shader_parse_tokens(const void *tokens, size_t size,
                                                   const struct agpu_signature_set *set,
                                                   const struct agpu_diag_sink *sink,
                                                   struct agpu_shader **shader);

/* An entry of a signature as the driver interface of Direct3D 10 and 11 passes it (dxbc-format 7). */
struct agpu_driver_element {
    uint32_t system_value;   /* enum agpu_name_token: each tessellation factor is its own value */
    uint32_t register_index; /* or AGPU_REGISTER_NONE */
    uint8_t mask;
    uint8_t stream;
    uint32_t component_type; /* enum agpu_component_type; unknown before 11.1 */
    uint32_t min_precision;
};

struct agpu_driver_signatures {
    const struct agpu_driver_element *input, *output, *patch_constant;
    uint32_t input_count, output_count, patch_constant_count;
};

/* Entries as they lie in memory: 12 bytes each in Direct3D 10 and 11.0, 20 bytes since 11.1. `data` has
 * count * entry_bytes bytes at any alignment. False for any other size of entries. */
AGPU_API bool agpu_driver_elements_read(const void *data, uint32_t count, uint32_t entry_bytes,
                                        struct agpu_driver_element *elements);

/* As agpu_shader_parse_tokens() with the signatures that a driver gets. What they lack is made up: names
 * from the system value or the register (`SV_Position`, `ATTRIBUTE3`: equal registers have equal names in
 * all stages), component types from the instructions that use the register, else float. */
AGPU_API enum agpu_status agpu_shader_parse_driver(const void *tokens, size_t size,
                                                   const struct agpu_driver_signatures *signatures,
                                                   const struct agpu_diag_sink *sink,
                                                   struct agpu_shader **shader);

/* ---- Facts about a program ---------------------------------------------------------------------------- */

/* What an instruction is for; declarations, phase markers and labels have none. */
enum agpu_instruction_class {
    AGPU_INSTRUCTION_FLOAT,
    AGPU_INSTRUCTION_INT,
    AGPU_INSTRUCTION_UINT, /* and bits */
    AGPU_INSTRUCTION_DOUBLE,
    AGPU_INSTRUCTION_CONVERT,
    AGPU_INSTRUCTION_MOVE,
    AGPU_INSTRUCTION_FLOW, /* discard included */
    AGPU_INSTRUCTION_SAMPLE,
    AGPU_INSTRUCTION_LOAD, /* resources and shared memory, their sizes and sample positions */
    AGPU_INSTRUCTION_STORE,
    AGPU_INSTRUCTION_ATOMIC,
    AGPU_INSTRUCTION_BARRIER,
    AGPU_INSTRUCTION_EMIT, /* emit and cut */
    AGPU_INSTRUCTION_OTHER,
    AGPU_INSTRUCTION_COUNT
};

/* "float", "int", "uint", "double", "convert", "move", "flow", "sample", "load", "store" ... */
AGPU_API const char *agpu_instruction_class_name(enum agpu_instruction_class instruction_class);

/* From declarations and instructions alone, so stripped shaders and bare token streams have them too. What
 * a stage does not have is 0. Enumerated values are as encoded (dxbc-format 5.4). */
struct agpu_shader_facts {
    uint32_t instructions; /* slots: all but declarations, custom data, phase markers and labels */
    uint32_t classes[AGPU_INSTRUCTION_COUNT]; /* they add up to `instructions` */
    uint32_t declarations;
    uint32_t temps;           /* the most of a phase */
    uint32_t array_temps;     /* registers in x arrays */
    uint32_t constants;       /* vectors of the immediate constant buffer */
    uint64_t feature_bits;    /* what the program needs, and what SFI0 states; agpu_feature_name() */
    uint32_t thread_group[3]; /* compute */
    uint64_t shared_bytes;
    uint32_t input_primitive, output_topology, max_vertices; /* geometry */
    uint32_t gs_instances, streams;                          /* streams: bits */
    uint32_t input_control_points, output_control_points;    /* hull and domain */
    uint32_t domain, partitioning, output_primitive;
    float max_tess_factor;
    uint32_t control_point_phases, fork_phases, join_phases;
};

AGPU_API void agpu_shader_facts(const struct agpu_shader *shader, struct agpu_shader_facts *facts);

/* The name of a feature bit, or null. */
AGPU_API const char *agpu_feature_name(uint32_t bit);

/* ---- Validation --------------------------------------------------------------------------------------- */

/* Checks what the Direct3D runtime refuses beyond what parsing refuses: registers that are not declared or
 * out of range for the model, values of declarations and their order, destinations, sources, component
 * counts and modifiers that an instruction does not take, resources of the wrong kind, flow that does not
 * nest, phases of hull shaders, limits of the stages, and signatures that disagree with the declarations.
 * Every problem is an error at the byte offset of its instruction in the parsed bytes; docs/validation.md
 * lists the codes. After AGPU_VALIDATE_MOST_ERRORS of them the rest of the program is not looked at.
 * AGPU_OK or AGPU_REFUSED. Any thread. */
#define AGPU_VALIDATE_MOST_ERRORS 64
AGPU_API enum agpu_status agpu_validate(const struct agpu_shader *shader, const struct agpu_diag_sink *sink);

/* ---- Listing ------------------------------------------------------------------------------------------ */

enum agpu_disasm_flag {
    AGPU_DISASM_DEFAULT = 0,
    AGPU_DISASM_OFFSETS = 1 << 0, /* token offsets in front of each line, as comments */
    AGPU_DISASM_RAW = 1 << 1,     /* the tokens of each line beside it, as comments */
    AGPU_DISASM_FULL = 1 << 2,    /* everything needed to rebuild the container byte for byte */
};

/* The listing of a shader as text (docs/listing.md). agpu_assemble() makes the same tokens from it, with
 * AGPU_DISASM_FULL the same container if its chunks are packed one behind the other. The caller frees
 * *text with agpu_free(); *length does not count the NUL behind it. Fails only when out of memory. Any
 * thread. */
AGPU_API enum agpu_status agpu_disassemble(const struct agpu_shader *shader, uint32_t flags,
                                           const struct agpu_diag_sink *sink, char **text, size_t *length);

/* ---- Assembly ----------------------------------------------------------------------------------------- */

/* Reads a listing back into a container: the version line (`vs_4_0`), signature directives (`.in`, `.out`,
 * `.patch`), then instructions one a line, as agpu_disassemble() writes them and as the listings of
 * Microsoft's compilers have them; docs/listing.md has the whole syntax. Without `.chunk` directives the
 * container gets the chunks its stage needs, in the compiler's order. The checksum is right unless the
 * text has a `.digest`. On AGPU_OK the caller frees *bytes with agpu_free(); they parse. On AGPU_REFUSED
 * the first problem was reported with its line and column, or with the byte offset into the tokens when
 * only the finished program shows it, and *bytes is null. Limits: 256 MiB of text, 16 MiB of container.
 * Any thread. */
AGPU_API enum agpu_status agpu_assemble(const char *text, size_t length, const struct agpu_diag_sink *sink,
                                        uint8_t **bytes, size_t *size);

#ifdef __cplusplus
}
#endif

#endif
