/* SPDX-License-Identifier: MIT
 *
 * Errors and warnings of a run: where they belong in the scene's text, and whether the scene expects them.
 */
#ifndef AG_SCENE_PROBLEM_H
#define AG_SCENE_PROBLEM_H

#include "aerogpu/diag.h"

struct scene_run;

/* An error or a warning that the device or the executor reported since the last submission. The runner holds
 * a problem back until the scene had its chance to expect it. An expected problem reaches the caller's sink
 * as a note, any other with its own severity. */
struct scene_problem {
    struct agpu_diag diag;    /* with the place in the scene's text; the message lives in the report */
    enum agpu_diag_code code; /* AGPU_DIAG_NONE: only the error registers told */
    uint32_t error_register;  /* enum aerogpu_error_code */
    uint32_t submission, packet;
    uint64_t fence;
    bool expected;
};

/* Receives the diagnostics of the device and the executor; `user` is the run. */
void scene_note_diag(void *user, const struct agpu_diag *diag);

/* Notes an error when the error count grew although no diagnostic was reported. */
void scene_note_silent_error(struct scene_run *run);

/* Tells whether a problem of this severity came up since the last submission. */
bool scene_has_problem(const struct scene_run *run, enum agpu_severity severity);

/* Passes a problem on to the caller's sink with this severity. */
void scene_pass_on(const struct scene_run *run, const struct scene_problem *problem,
                   enum agpu_severity severity);

/* Marks the problem as expected, and all others of its submission with the same severity that its expectation
 * answers for: errors with the same register code, warnings with the same diagnostic code. A single mistake
 * of a guest may be reported by several parts. */
void scene_mark_expected(struct scene_run *run, const struct scene_problem *found);

/* Fails the scene for each error, and in strict runs for each warning, that no `expect` named; then forgets
 * all problems. */
void scene_report_unexpected(struct scene_run *run);

#endif
