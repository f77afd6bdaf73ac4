/* SPDX-License-Identifier: MIT
 *
 * Any bytes as a capture, once as they are and once with the hashes of their chunks put right, which a fuzzer
 * cannot guess: what reads is listed, cut, and played on an executor without a GPU; what cutting writes reads
 * again.
 */
#include <stdlib.h>
#include <string.h>

#include "../support/fake_executor.h"
#include "base/bytes.h"
#include "base/strbuf.h"
#include "capture/capture.h"
#include "capture/hash.h"
#include "replay/captured_scene.h"
#include "replay/replay.h"

#define PICTURE_EDGE 4
#define MOST_SUBMISSIONS 64

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void replay(const struct ag_capture *capture)
{
    static const uint8_t pixels[PICTURE_EDGE * PICTURE_EDGE * 4];
    const struct fake_executor_options fake = {
        .polls = 1, .width = PICTURE_EDGE, .height = PICTURE_EDGE, .pixels = pixels, .plain = true};
    struct agpu_executor *executor = fake_executor_create(&fake);
    const struct ag_scene_options options = {.executor = executor, .timeout_ms = 200, .max_presents = 4};
    struct ag_scene_report report;
    if (executor == NULL)
        return;
    (void)ag_replay_run(capture, &options, NULL, &report);
    ag_scene_report_fini(&report);
    agpu_executor_destroy(executor);
}

static bool append(void *user, const void *data, size_t size)
{
    ag_strbuf_append_bytes(user, data, size);
    return !((struct ag_strbuf *)user)->failed;
}

static void cut(const struct ag_capture *capture, uint32_t from, uint32_t to)
{
    struct ag_strbuf out = {0};
    struct ag_capture *again = NULL;
    if (ag_capture_trim(capture, from, to, append, &out, NULL) == AGPU_OK &&
        ag_capture_read(ag_strbuf_text(&out), out.length, NULL, &again) != AGPU_OK)
        abort();
    ag_capture_destroy(again);
    ag_strbuf_fini(&out);
}

static void convert(const struct ag_capture *capture)
{
    struct ag_scene *scene = NULL;
    if ((ag_captured_scene_create(capture, "fuzz.agpucap", NULL, &scene) == AGPU_OK) != (scene != NULL))
        abort();
    ag_scene_destroy(scene);
}

static void use(const uint8_t *data, size_t size)
{
    struct ag_capture *capture = NULL;
    if (ag_capture_read(data, size, NULL, &capture) != AGPU_OK) {
        if (capture != NULL)
            abort();
        return;
    }
    struct ag_capture_summary summary;
    if (ag_capture_summarise(capture, NULL, &summary) == AGPU_OK && summary.submissions.count != 0 &&
        summary.submissions.count <= MOST_SUBMISSIONS) {
        const uint32_t last = (uint32_t)summary.submissions.count - 1;
        cut(capture, last / 2, last);
        cut(capture, 0, last);
    }
    ag_capture_summary_fini(&summary);
    convert(capture);
    replay(capture);
    ag_capture_destroy(capture);
}

/* As many chunks as the bytes are. */
static void put_hashes_right(uint8_t *data, size_t size)
{
    struct ag_capture_end end = {0};
    size_t at = AG_CAPTURE_HEADER_BYTES;
    while (at <= size && size - at >= sizeof(struct ag_capture_chunk)) {
        struct ag_capture_chunk chunk;
        memcpy(&chunk, data + at, sizeof chunk);
        uint8_t *const stored = data + at + sizeof chunk;
        if (!ag_range_fits(at + sizeof chunk, chunk.stored_bytes, size))
            return;
        if (chunk.fourcc == AG_CAPTURE_END && chunk.stored_bytes == sizeof end)
            memcpy(stored, &end, sizeof end);
        chunk.hash = ag_capture_chunk_hash(&chunk, stored);
        memcpy(data + at, &chunk, sizeof chunk);
        end.hash = ag_capture_join_hash(end.hash, chunk.hash);
        end.chunks++;
        at += sizeof chunk + (size_t)chunk.stored_bytes;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    use(data, size);
    uint8_t *copy = malloc(size + 1);
    if (copy == NULL)
        return 0;
    memcpy(copy, data, size);
    put_hashes_right(copy, size);
    if (memcmp(copy, data, size) != 0)
        use(copy, size);
    free(copy);
    return 0;
}
