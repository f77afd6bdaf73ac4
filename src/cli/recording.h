/* SPDX-License-Identifier: MIT
 *
 * Captures in files.
 */
#ifndef AG_CLI_RECORDING_H
#define AG_CLI_RECORDING_H

#include <stdio.h>

#include "aerogpu/capture.h"
#include "aerogpu/gpu.h"
#include "base/diag.h"

struct cli_recording {
    const char *path; /* borrowed */
    FILE *file;
    struct agpu_capture_recorder *recorder;
};

/* Begins a capture, which names the adapter. Reports base.file-unwritable, and is AGPU_REFUSED then. */
enum agpu_status cli_recording_begin(struct cli_recording *recording, const char *path,
                                     const struct agpu_adapter_info *adapter,
                                     const struct agpu_diag_sink *sink);
const struct agpu_device_tap *cli_recording_tap(struct cli_recording *recording);

/* Ends it, the device being gone. Reports what could not be written. */
enum agpu_status cli_recording_end(struct cli_recording *recording, const struct agpu_diag_sink *sink);

#endif
