/* SPDX-License-Identifier: MIT
 *
 * Creating a pipeline from one translated module on a real driver, in a child process with a time limit.
 */
#ifndef AG_CLI_PIPELINE_H
#define AG_CLI_PIPELINE_H

#include "aerogpu/translate.h"
#include "cli/command.h"

/* Vertex modules are drawn to depth alone, pixel modules get a vertex stage that feeds their inputs. Reports
 * what went wrong; a crash, a hang or an error of the pipeline is CLI_EXIT_FAULT, no driver or a feature that
 * the driver lacks CLI_EXIT_MISSING. */
enum cli_exit cli_pipeline_check(const struct agpu_module *module, enum agpu_driver driver,
                                 const struct cli_options *options, const struct agpu_diag_sink *sink);

#endif
