/* SPDX-License-Identifier: MIT
 *
 * Submissions, many of them in flight: a clear, and behind it submissions that only set state. By hand, each
 * of these is an empty submission to the queue with a callback for its end.
 */
#include <stdlib.h>

#include "aerogpu/abi/cmd.h"
#include "base/bytes.h"
#include "bench/compare/row.h"
#include "gpu/gpu.h"

#define SUBMISSIONS 4096u

enum handle { HANDLE_TARGET = 1 };

struct submissions {
    uint32_t outstanding;
    struct agpu_writer work, state; /* finished streams */
    WGPUTexture target;
    WGPUTextureView view;
};

static void *open_submissions(struct rig *rig, const struct row *row)
{
    struct submissions *const submissions = calloc(1, sizeof *submissions);
    const uint32_t target = HANDLE_TARGET;
    const float black[4] = {0, 0, 0, 1};
    if (submissions == NULL)
        return NULL;
    submissions->outstanding = row->variant;
    struct agpu_writer *const work = &submissions->work;
    agpu_writer_init_growing(work, NULL);
    rig_write_texture(work, HANDLE_TARGET, AEROGPU_RESOURCE_USAGE_RENDER_TARGET,
                      AEROGPU_FORMAT_R8G8B8A8_UNORM, TARGET_WIDTH, TARGET_WIDTH);
    agpu_write_set_render_targets(work, 1, &target, 0);
    rig_run(rig, work);
    agpu_write_clear(work, AEROGPU_CLEAR_COLOR, black, 1, 0);
    agpu_writer_init_growing(&submissions->state, NULL);
    agpu_write_set_viewport(&submissions->state, 0, 0, TARGET_WIDTH, TARGET_WIDTH, 0, 1);
    if (agpu_writer_finish(work) != AGPU_OK || agpu_writer_finish(&submissions->state) != AGPU_OK)
        rig->errors++;
    submissions->target = raw_texture(rig, TARGET_WIDTH, TARGET_WIDTH, WGPUTextureFormat_RGBA8Unorm,
                                      WGPUTextureUsage_RenderAttachment | WGPUTextureUsage_CopySrc);
    submissions->view = wgpuTextureCreateView(submissions->target, NULL);
    return submissions;
}

static void close_submissions(struct rig *rig, void *state)
{
    struct submissions *const submissions = state;
    (void)rig;
    wgpuTextureViewRelease(submissions->view);
    wgpuTextureRelease(submissions->target);
    agpu_writer_fini(&submissions->work);
    agpu_writer_fini(&submissions->state);
    free(submissions);
}

static void run_submissions(struct rig *rig, void *state)
{
    struct submissions *const submissions = state;
    for (uint32_t done = 0; done < SUBMISSIONS; done += submissions->outstanding) {
        if (submissions->outstanding > 1)
            rig_submit(rig, &submissions->work);
        for (uint32_t i = submissions->outstanding > 1; i < submissions->outstanding; i++)
            rig_submit(rig, &submissions->state);
        rig_wait(rig);
    }
}

static void record_submissions(struct rig *rig, void *state, uint32_t frame)
{
    struct submissions *const submissions = state;
    (void)frame;
    for (uint32_t done = 0; done < SUBMISSIONS; done += submissions->outstanding) {
        if (submissions->outstanding > 1) {
            const WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(rig->device, NULL);
            const WGPURenderPassEncoder pass = raw_pass(encoder, submissions->view);
            raw_pass_end(pass);
            raw_submit(rig, encoder);
        }
        for (uint32_t i = submissions->outstanding > 1; i < submissions->outstanding; i++) {
            wgpuQueueSubmit(rig->queue, 0, NULL);
            ag_gpu_signal(rig->gpu);
        }
        raw_wait(rig);
    }
}

/* The target: zeros until a clear makes its alpha one. */
static bool show_submissions(struct rig *rig, void *state, struct row_pictures *pictures)
{
    const struct submissions *const submissions = state;
    return row_show_textures(rig, HANDLE_TARGET, submissions->target, TARGET_WIDTH, TARGET_WIDTH, pictures);
}

#define SUBMISSION_ROW(row_name, text, count)                                                                \
    {                                                                                                        \
        .name = (row_name), .what = (text), .items = SUBMISSIONS, .variant = (count), .with_polls = true,    \
        .open = open_submissions, .close = close_submissions, .run = run_submissions,                        \
        .record = record_submissions, .show = show_submissions                                               \
    }

const struct row submission_rows[] = {
    SUBMISSION_ROW("submission", "submissions that set state, one at a time", 1),
    SUBMISSION_ROW("submissions", "the same behind a clear, 16 in flight", 16),
    SUBMISSION_ROW("many submissions", "the same behind a clear, 1,024 in flight", 1024),
};
const uint32_t submission_row_count = AG_COUNT_OF(submission_rows);
