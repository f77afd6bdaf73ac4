/* SPDX-License-Identifier: MIT
 *
 * From --driver, --lib and the environment to a WebGPU device. The tool, not the library, changes the
 * environment so that the Vulkan loader sees only the driver that was asked for.
 */
#ifndef AG_CLI_DRIVER_H
#define AG_CLI_DRIVER_H

#include "aerogpu/gpu.h"
#include "cli/options.h"

/* The driver that the options or AEROGPU_DRIVER name. False when the variable holds an unknown word
 * (reported). */
bool cli_driver_wanted(const struct cli_options *options, const struct agpu_diag_sink *sink,
                       enum agpu_driver *driver);

/* Points VK_DRIVER_FILES at the manifest of a software driver, where there is one. */
void cli_driver_select(enum agpu_driver driver);

/* The options of a device on this driver. */
struct agpu_gpu_options cli_gpu_options(const struct cli_options *options, enum agpu_driver driver);

/* Selects the driver and makes a device on it, which keeps the sink. */
enum agpu_status cli_driver_open(const struct agpu_gpu_options *options, const struct agpu_diag_sink *sink,
                                 struct agpu_gpu **gpu);

/* A device that several inputs share. What it reports by itself goes to the input at hand. */
struct cli_session {
    struct agpu_gpu *gpu;                 /* null before cli_session_open() */
    const struct agpu_diag_sink *current; /* of the input at hand, or null */
};

/* Makes the device unless it is there. The session must stay where it is until it is closed. */
enum agpu_status cli_session_open(struct cli_session *session, const struct agpu_gpu_options *options);
void cli_session_close(struct cli_session *session);

#endif
