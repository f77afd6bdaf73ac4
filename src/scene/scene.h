/* SPDX-License-Identifier: MIT
 *
 * Scenes: a guest's whole run as text, with what is expected of it. Loading reads and checks the text and
 * makes every command stream; running builds guest memory, a device on the caller's executor and a ring in
 * guest memory, submits as a guest driver would, and compares.
 *
 *     struct ag_scene *scene;
 *     struct ag_scene_report report;
 *     if (ag_scene_load(path, data, size, sink, &scene) == AGPU_OK) {
 *         ag_scene_run(scene, &options, sink, &report);
 *         ...
 *         ag_scene_report_fini(&report);
 *         ag_scene_destroy(scene);
 *     }
 */
#ifndef AG_SCENE_SCENE_H
#define AG_SCENE_SCENE_H

#include "aerogpu/device.h"
#include "base/arena.h"
#include "base/vec.h"

struct ag_scene;
struct agpu_adapter_info;

enum ag_scene_load_flag {
    AG_SCENE_LOAD_DEFAULT = 0,
    AG_SCENE_LOAD_AERO_DIALECT = 1 << 0, /* shaders have the token encoding of the reference project's
                                              traces; they are transcoded. For traces and raw streams */
};

/* Reads an input from memory; its first bytes tell what it is: a scene, a raw ACMD stream, which becomes a
 * scene of one submission without expectations, or a trace of the reference project (docs/captures.md).
 * Captures are AGPU_REFUSED with scene.unsupported-input: replay/replay.h plays them. `path` names the input;
 * files that a scene mentions are looked for beside it. Errors in the text are AGPU_REFUSED with scene.* and
 * abi.text-* codes, each with line and column. `flags` is enum ag_scene_load_flag. `path` and `data` may go
 * after the call. */
enum agpu_status ag_scene_load(const char *path, const void *data, size_t size, uint32_t flags,
                               const struct agpu_diag_sink *sink, struct ag_scene **scene);
/* Frees a scene. Accepts null. */
void ag_scene_destroy(struct ag_scene *scene);

/* Returns the title of the scene, "" when it has none. */
const char *ag_scene_title(const struct ag_scene *scene);
/* Returns the features that the scene's `without` names. Whoever creates the executor for the scene passes
 * them on. */
const char *const *ag_scene_without(const struct ag_scene *scene, uint32_t *count);

enum ag_scene_result {
    AG_SCENE_PASSED,
    AG_SCENE_FAILED,
    AG_SCENE_SKIPPED,
};

/* Returns "passed", "failed" or "skipped". */
const char *ag_scene_result_name(enum ag_scene_result result);

struct ag_scene_options {
    struct agpu_executor *executor; /* fresh: nothing was submitted to it. Borrowed; the device that used it
                                       is gone when the run returns, and the executor can only be destroyed */
    const struct agpu_adapter_info *adapter; /* answers `requires`; null: there is no adapter */
    const struct agpu_device_tap *tap;       /* hears of the run, for a recorder; default none */
    uint32_t timeout_ms;                     /* longest wait for one submission; default 30000 */
    bool strict;                             /* a warning that no expect names fails the scene, too */
    bool keep_expected;                      /* for a report: expected pictures beside the presents */
    uint32_t max_presents; /* presents kept in the report; default all. Later ones are still checked */
    /* After every so many submissions of a scene, before they are waited for, the device is saved and goes on
     * as another one, on an executor that renew() gives in place of `executor`; renew() destroys that one.
     * Null: there is none (reported). 0: never. */
    uint32_t snapshot_period;
    uint32_t snapshot_first; /* the submission, from 1, after which this is done first; default: the period */
    uint32_t snapshot_ahead; /* so many submissions before snapshot_first are not waited for either */
    uint32_t snapshot_polls; /* how often the device is polled before each save */
    struct agpu_executor *(*renew)(void *user);
    void (*saved)(void *user, const uint8_t *snapshot, size_t size); /* each snapshot; may be null */
    void *user;
};

/* A check of the scene, or a problem that no check expected. The strings belong to the report. */
struct ag_scene_check {
    uint32_t line;
    const char *kind; /* the word behind `expect`; "error" or "warning" for one that nobody expected */
    enum ag_scene_result result;
    const char *want, *got;
    const char *todo; /* the reason of a `todo`, or null */
};

struct ag_scene_present {
    uint32_t number; /* from 0 */
    uint32_t submission;
    uint32_t width, height;
    uint8_t *pixels; /* RGBA8: scanout 0 when it is enabled, else the presented target */
    uint64_t hash;   /* XXH3 of the pixels */
    /* With keep_expected: the picture that the checks describe, of the same size, and which of its pixels
     * they describe. Both are null when no check named colours. */
    uint8_t *expected;
    bool *known;
};

/* A diagnostic that came up during the run. The report owns the copy of its message. */
struct ag_scene_diag {
    struct agpu_diag diag;
};

struct ag_scene_report {
    enum ag_scene_result result;
    const char *skip_reason; /* why a skipped scene was skipped, else null */
    enum agpu_status status; /* AGPU_INTERNAL: a failure of our own, such as a time limit */
    AG_VEC(struct ag_scene_check) checks;
    AG_VEC(struct ag_scene_present) presents;
    AG_VEC(struct ag_scene_diag) diags;
    struct agpu_counters counters;
    AG_VEC(struct agpu_context_counters) contexts;
    uint32_t submissions; /* made by the scene, without those that read resources back for checks */
    double total_ms;      /* wall clock of the run */
    double wait_ms;       /* of that, waiting for the executor */
    struct ag_arena arena;
};

/* Runs a scene once. *report is always valid afterwards and finished by the caller, with its own memory:
 * the scene may go. Diagnostics of the device and the executor go into the report and to `sink`, with the
 * line of the packet that caused them; errors and warnings that an `expect` names reach the sink as notes.
 * Failed checks are reported with scene.expect. Returns report->status, or AGPU_REFUSED when the result is a
 * failure. Blocks, polling; all calls of one run come from one thread. */
enum agpu_status ag_scene_run(const struct ag_scene *scene, const struct ag_scene_options *options,
                              const struct agpu_diag_sink *sink, struct ag_scene_report *report);
void ag_scene_report_fini(struct ag_scene_report *report);

/* Makes room for the expected picture of a present and for which of its pixels are known, where there is none
 * yet; false when out of memory. */
bool ag_scene_reserve_expected(struct ag_scene_present *present);

/* Calls `visit` for every counter, with the names of `expect counter`. */
void ag_counters_visit(const struct agpu_counters *counters,
                       void (*visit)(void *user, const char *name, uint64_t value), void *user);

#endif
