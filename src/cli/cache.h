/* SPDX-License-Identifier: MIT
 *
 * The tool's persistent cache. Its folder is that of --cache, of AEROGPU_CACHE, or aerogpu in XDG_CACHE_HOME
 * or ~/.cache; there is none with --no-cache, or where --cache or AEROGPU_CACHE is empty.
 */
#ifndef AG_CLI_CACHE_H
#define AG_CLI_CACHE_H

#include "aerogpu/cache.h"
#include "cli/options.h"

/* The folder, which the caller frees; null for none. AGPU_NO_MEMORY is reported. */
enum agpu_status cli_cache_folder(const struct cli_options *options, const struct agpu_diag_sink *sink,
                                  char **folder);

/* Null for none, and where the folder that nobody has named cannot be had. AGPU_REFUSED is reported. */
enum agpu_status cli_cache_open(const struct cli_options *options, const struct agpu_diag_sink *sink,
                                struct agpu_cache **cache);

#endif
