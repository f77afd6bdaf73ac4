/* SPDX-License-Identifier: MIT
 *
 * A loaded scene: steps in the order of the text, with every stream already made.
 */
#ifndef AG_SCENE_MODEL_H
#define AG_SCENE_MODEL_H

#include "abi/text_handles.h"
#include "abi/text_value.h"
#include "scene/scene.h"

/* Addresses of the runner's ring, fence page and buffers: not for `mem`. */
#define SCENE_RUNNER_GPA UINT64_C(0x700000000)
#define SCENE_RUNNER_BYTES UINT64_C(0x100000000)

struct scene_bytes {
    const uint8_t *data;
    size_t size;
};

/* @name: bytes, and an address when it is guest memory. */
struct scene_object {
    const char *name;
    struct scene_bytes bytes; /* of guest memory: its first content */
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
    const char *name; /* of the feature, limit or driver */
    enum scene_operator comparison;
    uint64_t value;
};

struct scene_check_kind;

/* What `expect` says. Which fields count depends on the kind. */
struct scene_expectation {
    const struct scene_check_kind *kind;
    const char *todo; /* or null */
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

/* Where the bytes of a packet come from in the scene's text. */
struct scene_packet_line {
    uint32_t offset; /* of the packet in its stream */
    uint32_t line, column;
};

struct scene_submit {
    uint32_t line, column; /* of the statement; 0 where no text made the submission */
    uint32_t context_id, flags;
    bool has_fence; /* else: one more than the one before */
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

/* What a guest processor writes. */
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
    const char *path, *folder; /* folder: with a final '/', or "" */
    const char *title;
    struct scene_object *objects;
    AG_VEC(struct scene_requirement) requirements;
    AG_VEC(const char *) without; /* names of features */
    AG_VEC(struct scene_step) steps;
    struct ag_text_handles handles; /* to find numbers for objects of the runner's own */
};

/* ---- Loading, in parts -------------------------------------------------------------------------------- */

struct scene_parser {
    struct ag_scene *scene;
    struct ag_text_reader *reader;
    struct ag_text_assembler *assembler;
    const struct agpu_diag_sink *sink;
};

/* Items of a statement, taken one after the other. */
struct scene_cursor {
    struct scene_parser *parser;
    const struct ag_text_statement *statement;
    size_t at;
};

/* Reports at an item; false. */
bool scene_refuse(struct scene_parser *parser, enum agpu_diag_code code, const struct ag_text_item *item,
                  const char *format, ...) AG_PRINTF(4, 5);

/* The next item, or null at the end. */
const struct ag_text_item *scene_peek(const struct scene_cursor *cursor);
/* Take what must come next; false after reporting `what` as missing. */
bool scene_take_item(struct scene_cursor *cursor, const char *what, const struct ag_text_item **item);
bool scene_take_number(struct scene_cursor *cursor, const char *what, uint64_t limit, uint64_t *number);
bool scene_take_u32(struct scene_cursor *cursor, const char *what, uint32_t *number);
bool scene_take_operator(struct scene_cursor *cursor, enum scene_operator *comparison);
/* A field's number. */
bool scene_field_number(struct scene_cursor *cursor, const struct ag_text_item *item, uint64_t limit,
                        uint64_t *number);
bool scene_take_end(struct scene_cursor *cursor);

char *scene_copy_text(struct scene_parser *parser, const struct ag_text_value *value);
struct scene_object *scene_find_object(const struct ag_scene *scene, const char *name, size_t length);
/* Reports an unknown name. */
const struct scene_object *scene_need_object(struct scene_cursor *cursor, const struct ag_text_item *item);

/* Reads a file beside the scene (picture: a PNG as RGBA8). The bytes live as long as the scene. */
bool scene_read_file(struct scene_parser *parser, const char *path, bool picture, struct agpu_place place,
                     struct scene_bytes *bytes, uint32_t *width, uint32_t *height);

/* Adds a step of that kind, placed at the statement; null when out of memory, which is reported. */
struct scene_step *scene_add_step(struct scene_cursor *cursor, enum scene_step_kind kind);

/* The statements `scanout` and `reg`: parse_registers.c. */
void scene_parse_scanout(struct scene_cursor *cursor);
void scene_parse_reg(struct scene_cursor *cursor);

/* Parses the check behind `expect`; the cursor stands on its first word. */
bool scene_parse_expectation(struct scene_cursor *cursor, struct scene_expectation *expectation);

/* Parses a whole scene text. */
enum agpu_status scene_parse(struct ag_scene *scene, const void *text, size_t size,
                             const struct agpu_diag_sink *sink);

#endif
