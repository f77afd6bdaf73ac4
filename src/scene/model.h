/* SPDX-License-Identifier: MIT
 *
 * A loaded scene: its steps in the order of the text, with every command stream made already; and what the
 * parsers of statements share.
 */
#ifndef AG_SCENE_MODEL_H
#define AG_SCENE_MODEL_H

#include "abi/text_handles.h"
#include "abi/text_value.h"
#include "scene/scene.h"

/* The range of addresses that the runner keeps for its ring, fence page and buffers. A `mem` cannot be there.
 */
#define SCENE_RUNNER_GPA UINT64_C(0x700000000)
#define SCENE_RUNNER_BYTES UINT64_C(0x100000000)

struct scene_bytes {
    const uint8_t *data;
    size_t size;
};

/* What the text calls @name: bytes of a blob or a shader, or guest memory. */
struct scene_object {
    const char *name;
    struct scene_bytes bytes; /* guest memory starts with this content */
    bool is_memory;
    uint64_t gpa;
    size_t memory_size;
    struct scene_object *next;
};

enum scene_operator {
    SCENE_EQUAL,
    SCENE_NOT_EQUAL,
    SCENE_LESS,
    SCENE_LESS_EQUAL,
    SCENE_GREATER,
    SCENE_GREATER_EQUAL,
    SCENE_OPERATOR_COUNT
};

/* One condition of `requires`. */
struct scene_requirement {
    enum { SCENE_NEEDS_FEATURE, SCENE_NEEDS_LIMIT, SCENE_NEEDS_EXTENSION, SCENE_NEEDS_DRIVER } kind;
    const char *name; /* name of the feature, limit or driver */
    enum scene_operator comparison;
    uint64_t value;
};

struct scene_check_kind;

/* What an `expect` line says. The kind of the check decides which fields count. */
struct scene_expectation {
    const struct scene_check_kind *kind;
    const char *todo; /* the reason of a `todo`, or null */
    uint32_t x, y, width, height;
    uint8_t rgba[4];
    uint32_t tolerance; /* of channels, or units in the last place */
    enum scene_operator comparison;
    uint64_t number;
    double minimum;         /* of PSNR (dB) or SSIM */
    const char *name;       /* as written: register, counter, blob, handle, file, error */
    const uint8_t *picture; /* width * height RGBA8 */
    uint64_t gpa;           /* of `mem` */
    uint32_t handle, mip, layer;
    enum ag_text_scalar scalar;
    const uint32_t *values;
    uint32_t value_count;
    bool unordered; /* values in any order */
    bool equal;     /* floats compare as numbers: -0 is 0 */
    uint32_t word;  /* register offset, interrupts, error code */
    size_t offset;  /* of a counter */
    bool has_fence, has_packet, has_diag;
    uint64_t fence;
    uint32_t packet;
    enum agpu_diag_code diag;
};

/* The place in the scene's text that made a packet. */
struct scene_packet_line {
    uint32_t offset; /* first byte of the packet in its stream */
    uint32_t line, column;
};

struct scene_submit {
    uint32_t line, column; /* place of the statement; 0 when no text made the submission */
    uint32_t context_id, flags;
    bool has_fence; /* otherwise the fence is one more than the highest so far */
    uint64_t fence;
    bool no_allocations, no_wait;
    struct scene_bytes stream;             /* empty: the descriptor has no command buffer */
    const struct scene_packet_line *lines; /* ascending by offset */
    uint32_t line_count;
};

struct scene_allocation {
    uint32_t id;
    bool readonly;
    uint64_t gpa, size;
};

/* Bytes that the guest's processor writes into memory. */
struct scene_store {
    uint64_t gpa;
    struct scene_bytes bytes;
};

struct scene_register_write {
    uint32_t offset, value;
};

enum scene_step_kind {
    SCENE_STEP_MEMORY,    /* `object` appears */
    SCENE_STEP_STORE,     /* `store` goes into memory that is there */
    SCENE_STEP_ALLOC,     /* `allocation` joins the table */
    SCENE_STEP_UNALLOC,   /* allocation.id leaves it */
    SCENE_STEP_REGISTERS, /* `writes` in order */
    SCENE_STEP_TICK,      /* `ticks` vblank periods go by */
    SCENE_STEP_SUBMIT,
    SCENE_STEP_EXPECT,
};

struct scene_step {
    enum scene_step_kind kind;
    uint32_t line, column;
    union {
        const struct scene_object *object;
        struct scene_store store;
        struct scene_allocation allocation;
        struct {
            const struct scene_register_write *writes;
            uint32_t count;
        } registers;
        uint64_t ticks;
        struct scene_submit submit;
        struct scene_expectation expectation;
    } as;
};

struct ag_scene {
    struct ag_arena arena;
    const char *path, *folder; /* the folder ends in '/', or is "" */
    const char *title;
    struct scene_object *objects;
    AG_VEC(struct scene_requirement) requirements;
    AG_VEC(const char *) without; /* names of features that the executor must not use */
    AG_VEC(struct scene_step) steps;
    struct ag_text_handles handles; /* the handles of the text, so that the runner's own are others */
};

/* Creates a scene without a step. Returns null when out of memory. */
struct ag_scene *scene_create(const char *path);

/* ---- Loading, in parts -------------------------------------------------------------------------------- */

struct scene_parser {
    struct ag_scene *scene;
    struct ag_text_reader *reader;
    struct ag_text_assembler *assembler;
    const struct agpu_diag_sink *sink;
    uint64_t ticks; /* of all statements so far */
};

/* A position in the items of a statement. */
struct scene_cursor {
    struct scene_parser *parser;
    const struct ag_text_statement *statement;
    size_t at;
};

/* Reports a problem at an item. Returns false, so that parsers can return it. */
bool scene_refuse(struct scene_parser *parser, enum agpu_diag_code code, const struct ag_text_item *item,
                  const char *format, ...) AG_PRINTF(4, 5);

/* Returns the next item, or null at the end of the statement. */
const struct ag_text_item *scene_peek(const struct scene_cursor *cursor);
/* These functions take the next item, which must be there. They return false after reporting that `what` is
 * missing or wrong. */
bool scene_take_item(struct scene_cursor *cursor, const char *what, const struct ag_text_item **item);
bool scene_take_number(struct scene_cursor *cursor, const char *what, uint64_t limit, uint64_t *number);
bool scene_take_u32(struct scene_cursor *cursor, const char *what, uint32_t *number);
bool scene_take_operator(struct scene_cursor *cursor, enum scene_operator *comparison);
/* Reads the number of a field. */
bool scene_field_number(struct scene_cursor *cursor, const struct ag_text_item *item, uint64_t limit,
                        uint64_t *number);
bool scene_take_end(struct scene_cursor *cursor);

char *scene_copy_text(struct scene_parser *parser, const struct ag_text_value *value);
struct scene_object *scene_find_object(const struct ag_scene *scene, const char *name, size_t length);
/* Finds the object that an item names. Returns null after reporting an unknown name. */
const struct scene_object *scene_need_object(struct scene_cursor *cursor, const struct ag_text_item *item);

/* Reads a file beside the scene, and decodes a picture from PNG to RGBA8. The bytes live as long as the
 * scene. */
bool scene_read_file(struct scene_parser *parser, const char *path, bool picture, struct agpu_place place,
                     struct scene_bytes *bytes, uint32_t *width, uint32_t *height);

/* Adds a step of that kind with the place of the statement. Returns null when out of memory, which is
 * reported. */
struct scene_step *scene_add_step(struct scene_cursor *cursor, enum scene_step_kind kind);

/* The parsers of `scanout` and `reg`, in parse_registers.c, and of `submit`, in parse_submit.c. */
void scene_parse_scanout(struct scene_cursor *cursor);
void scene_parse_reg(struct scene_cursor *cursor);
void scene_parse_submit(struct scene_cursor *cursor);

/* Parses the check behind `expect`; the cursor stands on its first word. */
bool scene_parse_expectation(struct scene_cursor *cursor, struct scene_expectation *expectation);

/* Parses a whole scene text. */
enum agpu_status scene_parse(struct ag_scene *scene, const void *text, size_t size,
                             const struct agpu_diag_sink *sink);

#endif
