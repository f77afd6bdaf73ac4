/* SPDX-License-Identifier: MIT */
#include "cli/driver.h"

#include <stdlib.h>

#include "base/diag.h"
#include "cli/output.h"

bool cli_driver_wanted(const struct cli_options *options, const struct agpu_diag_sink *sink,
                       enum agpu_driver *driver)
{
    const char *const name = getenv("AEROGPU_DRIVER");
    *driver = options->driver;
    if (options->driver != AGPU_DRIVER_DEFAULT || name == NULL || *name == '\0')
        return true;
    if (agpu_driver_from_name(name, driver))
        return true;
    ag_report(sink, AGPU_DIAG_CLI_USAGE, AGPU_ERROR, ag_place_none(), "AEROGPU_DRIVER is '%s', no driver",
              name);
    return false;
}

void cli_driver_select(enum agpu_driver driver)
{
    char manifest[1024];
    if (agpu_driver_icd_path(driver, manifest, sizeof manifest))
        setenv("VK_DRIVER_FILES", manifest, 1);
}

struct agpu_gpu_options cli_gpu_options(const struct cli_options *options, enum agpu_driver driver)
{
    return (struct agpu_gpu_options){
        .size = sizeof(struct agpu_gpu_options),
        .driver = driver,
        .library = options->library,
        .limits = options->limits,
        .without = options->without.texts,
        .without_count = options->without.count,
    };
}

enum agpu_status cli_driver_open(const struct agpu_gpu_options *options, const struct agpu_diag_sink *sink,
                                 struct agpu_gpu **gpu)
{
    cli_driver_select(options->driver);
    return agpu_gpu_create(options, sink, gpu);
}

static void report_session(void *user, const struct agpu_diag *diag)
{
    const struct cli_session *const session = user;
    if (session->current != NULL)
        session->current->report(session->current->user, diag);
    else
        cli_print_diag(NULL, diag);
}

enum agpu_status cli_session_open(struct cli_session *session, const struct agpu_gpu_options *options)
{
    if (session->gpu != NULL)
        return AGPU_OK;
    const struct agpu_diag_sink sink = {report_session, session};
    return cli_driver_open(options, &sink, &session->gpu);
}

void cli_session_close(struct cli_session *session)
{
    session->current = NULL;
    agpu_gpu_destroy(session->gpu);
    session->gpu = NULL;
}
