/* SPDX-License-Identifier: MIT
 *
 * The kinds of `expect`: how each is read, and how it is answered during a run.
 */
#ifndef AG_SCENE_CHECK_H
#define AG_SCENE_CHECK_H

#include "base/strbuf.h"
#include "scene/model.h"

struct scene_run;

/* The outcome of a check. Both texts are filled in, whether the check passed or not. */
struct scene_finding {
    bool passed;
    struct ag_strbuf want, got;
};

struct scene_check_kind {
    const char *word;
    bool (*parse)(struct scene_cursor *cursor, struct scene_expectation *expectation);
    void (*check)(struct scene_run *run, const struct scene_expectation *expectation,
                  struct scene_finding *finding);
};

/* The checks of pictures, in check_picture.c. */
void scene_check_pixel(struct scene_run *run, const struct scene_expectation *expectation,
                       struct scene_finding *finding);
void scene_check_rect(struct scene_run *run, const struct scene_expectation *expectation,
                      struct scene_finding *finding);
void scene_check_count(struct scene_run *run, const struct scene_expectation *expectation,
                       struct scene_finding *finding);
void scene_check_image(struct scene_run *run, const struct scene_expectation *expectation,
                       struct scene_finding *finding);
void scene_check_psnr(struct scene_run *run, const struct scene_expectation *expectation,
                      struct scene_finding *finding);
void scene_check_ssim(struct scene_run *run, const struct scene_expectation *expectation,
                      struct scene_finding *finding);

/* The checks of numbers in resources and in guest memory, in check_values.c. */
void scene_check_texel(struct scene_run *run, const struct scene_expectation *expectation,
                       struct scene_finding *finding);
void scene_check_texels(struct scene_run *run, const struct scene_expectation *expectation,
                        struct scene_finding *finding);
void scene_check_buffer(struct scene_run *run, const struct scene_expectation *expectation,
                        struct scene_finding *finding);
void scene_check_mem(struct scene_run *run, const struct scene_expectation *expectation,
                     struct scene_finding *finding);

/* The checks of the device, in check_device.c. */
void scene_check_fence(struct scene_run *run, const struct scene_expectation *expectation,
                       struct scene_finding *finding);
void scene_check_irq(struct scene_run *run, const struct scene_expectation *expectation,
                     struct scene_finding *finding);
void scene_check_reg(struct scene_run *run, const struct scene_expectation *expectation,
                     struct scene_finding *finding);
void scene_check_error(struct scene_run *run, const struct scene_expectation *expectation,
                       struct scene_finding *finding);
void scene_check_warning(struct scene_run *run, const struct scene_expectation *expectation,
                         struct scene_finding *finding);
void scene_check_counter(struct scene_run *run, const struct scene_expectation *expectation,
                         struct scene_finding *finding);

/* The text of an operator, and what the operator says of two numbers. */
const char *scene_operator_text(enum scene_operator comparison);
bool scene_compare(enum scene_operator comparison, uint64_t left, uint64_t right);

#endif
