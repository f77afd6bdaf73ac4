/* SPDX-License-Identifier: MIT */
#include "cli/cache.h"

#include <stdlib.h>

#include "base/diag.h"
#include "base/strbuf.h"

static const char *variable(const char *name)
{
    const char *const value = getenv(name);
    return value != NULL && value[0] != '\0' ? value : NULL;
}

/* The folder that somebody named: empty for none, null where nobody says anything. */
static const char *named_folder(const struct cli_options *options)
{
    return options->cache != NULL ? options->cache : getenv("AEROGPU_CACHE");
}

enum agpu_status cli_cache_folder(const struct cli_options *options, const struct agpu_diag_sink *sink,
                                  char **folder)
{
    const char *const named = named_folder(options), *const home = variable("HOME");
    const char *const cache_home = variable("XDG_CACHE_HOME");
    struct ag_strbuf path = {0};
    *folder = NULL;
    if (options->no_cache || (named != NULL && named[0] == '\0'))
        return AGPU_OK;
    if (named != NULL)
        ag_strbuf_append(&path, named);
    else if (cache_home != NULL)
        ag_strbuf_printf(&path, "%s/aerogpu", cache_home);
    else if (home != NULL)
        ag_strbuf_printf(&path, "%s/.cache/aerogpu", home);
    if (path.failed) {
        ag_strbuf_fini(&path);
        return ag_report_no_memory(sink);
    }
    *folder = path.data;
    return AGPU_OK;
}

enum agpu_status cli_cache_open(const struct cli_options *options, const struct agpu_diag_sink *sink,
                                struct agpu_cache **cache)
{
    char *folder;
    *cache = NULL;
    enum agpu_status status = cli_cache_folder(options, sink, &folder);
    if (status == AGPU_OK && folder != NULL) {
        const bool is_named = named_folder(options) != NULL;
        status = agpu_cache_create_folder(folder, 0, is_named ? sink : NULL, cache);
        if (status == AGPU_REFUSED && !is_named)
            status = AGPU_OK;
    }
    free(folder);
    return status;
}
