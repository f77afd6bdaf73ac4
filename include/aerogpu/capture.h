/* SPDX-License-Identifier: MIT
 *
 * Captures: recordings of everything that reaches a device, with what came of it, so that the run can be
 * replayed elsewhere and compared. An embedder records like this:
 *
 *     const struct agpu_capture_options options = {.write = append_to_file, .user = file};
 *     struct agpu_capture_recorder *recorder;
 *     agpu_capture_recorder_create(&options, sink, &recorder);
 *     const struct agpu_device_options device_options = {.tap = agpu_capture_recorder_tap(recorder)};
 *     agpu_device_create(&device_options, ...);
 *     ...
 *     agpu_device_destroy(device);
 *     agpu_capture_recorder_finish(recorder, sink);
 *     agpu_capture_recorder_destroy(recorder);
 *
 * `aerogpu run` replays the file, `aerogpu capture` lists and cuts it; docs/captures.md has the format. A
 * capture starts with its device: there is no way to begin in the middle of a run, but `aerogpu capture trim`
 * takes out what a range of submissions does not need.
 */
#ifndef AEROGPU_CAPTURE_H
#define AEROGPU_CAPTURE_H

#include "aerogpu/api.h"
#include "aerogpu/device.h"

#ifdef __cplusplus
extern "C" {
#endif

struct agpu_capture_recorder;

/* Zero is the default of every field but `write`. */
struct agpu_capture_options {
    uint32_t size; /* sizeof of this structure, or 0 (see aerogpu/diag.h). Since 0.2 */
    /* Appends bytes to the capture; false when that failed. Called from inside the device's functions. After
     * a failure nothing more is written, and finish says so. What was written until then can be read.
     * Everything is handed on before the device goes on, up to the last read of guest memory: a `write` that
     * does not buffer leaves a capture of all that led to the death of its process. */
    bool (*write)(void *user, const void *data, size_t size);
    void *user;
    const char *text; /* who recorded what on what, UTF-8, for people; default "" */
    bool no_pictures; /* only hashes of presents: smaller, but replays can only be compared exactly */
};

/* Makes a recorder and writes the head of the capture. `options` is copied, its text too. AGPU_REFUSED
 * (capture.unwritable), AGPU_NO_MEMORY; then *recorder is null. */
AGPU_API enum agpu_status agpu_capture_recorder_create(const struct agpu_capture_options *options,
                                                       const struct agpu_diag_sink *sink,
                                                       struct agpu_capture_recorder **recorder);

/* For the options of the one device that is recorded. The recorder must outlive that device. It keeps a hash
 * of every piece of guest memory that it stored, and nothing else, so its own memory grows by some 30 bytes
 * for each. */
AGPU_API const struct agpu_device_tap *agpu_capture_recorder_tap(struct agpu_capture_recorder *recorder);

/* Writes the end of the capture, after the device is gone. AGPU_REFUSED (capture.unwritable) when any write
 * failed, AGPU_NO_MEMORY when something could not be recorded for want of memory: the capture then ends
 * before it. */
AGPU_API enum agpu_status agpu_capture_recorder_finish(struct agpu_capture_recorder *recorder,
                                                       const struct agpu_diag_sink *sink);

/* Accepts null. */
AGPU_API void agpu_capture_recorder_destroy(struct agpu_capture_recorder *recorder);

#ifdef __cplusplus
}
#endif

#endif
