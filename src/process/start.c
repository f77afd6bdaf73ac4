/* SPDX-License-Identifier: MIT */
#include "process/start.h"

#include <stdlib.h>
#include <string.h>

#include "aerogpu/version.h"
#include "base/bytes.h"
#include "base/table.h"
#include "base/text.h"

/* The most features, limits or names of either option. */
#define MOST_NAMES 4096

static void append_text(struct ag_strbuf *bytes, const char *text)
{
    ag_strbuf_append_bytes(bytes, text, strlen(text) + 1);
}

/* ---- Texts -------------------------------------------------------------------------------------------- */

/* Texts, one behind the other. */
struct text_reader {
    char *next, *end;
    bool failed;
};

static const char *read_text(struct text_reader *reader)
{
    char *const text = reader->next;
    char *const end = reader->failed ? NULL : memchr(text, '\0', (size_t)(reader->end - text));
    if (end == NULL) {
        reader->failed = true;
        return "";
    }
    reader->next = end + 1;
    return text;
}

/* A copy of bytes that both sides can reach. */
static char *copy_of(const uint8_t *bytes, size_t size)
{
    char *const copy = malloc(size != 0 ? size : 1);
    if (copy != NULL && size != 0)
        memcpy(copy, bytes, size);
    return copy;
}

/* ---- START -------------------------------------------------------------------------------------------- */

void ag_start_pack(struct ag_strbuf *bytes, const struct agpu_process_executor_options *options)
{
    struct ag_start start;
    memset(&start, 0, sizeof start);
    start.version = agpu_version();
    start.gpu_options_bytes = sizeof start.gpu;
    start.executor_options_bytes = sizeof start.executor;
    start.counters_bytes = sizeof(struct agpu_counters);
    start.context_counters_bytes = sizeof(struct agpu_context_counters);
    start.sandbox = options->sandbox;
    start.processor_seconds = options->processor_seconds;
    start.address_space_bytes = options->address_space_bytes;
    start.region_count = options->region_count;
    for (uint32_t i = 0; i < options->region_count; i++)
        start.regions[i] = (struct ag_start_region){options->regions[i].gpa, options->regions[i].size,
                                                    options->regions[i].offset};
    ag_table_read(&start.gpu, sizeof start.gpu, AG_MEMBER_END(struct agpu_gpu_options, without_count),
                  options->gpu);
    ag_table_read(&start.executor, sizeof start.executor,
                  AG_MEMBER_END(struct agpu_executor_options, without_count), options->executor);
    const struct agpu_gpu_options gpu = start.gpu;
    const struct agpu_executor_options executor = start.executor;
    start.has_library = gpu.library != NULL;
    start.has_cache = executor.cache != NULL;
    start.gpu.library = NULL;
    start.gpu.without = NULL;
    start.executor.without = NULL;
    start.gpu.cache = NULL;
    start.executor.cache = NULL;
    ag_strbuf_append_bytes(bytes, &start, sizeof start);
    if (gpu.library != NULL)
        append_text(bytes, gpu.library);
    for (uint32_t i = 0; i < gpu.without_count; i++)
        append_text(bytes, gpu.without[i]);
    for (uint32_t i = 0; i < executor.without_count; i++)
        append_text(bytes, executor.without[i]);
}

static bool is_start(const struct ag_start *start)
{
    return start->version == agpu_version() && start->gpu_options_bytes == sizeof start->gpu &&
           start->executor_options_bytes == sizeof start->executor &&
           start->counters_bytes == sizeof(struct agpu_counters) &&
           start->context_counters_bytes == sizeof(struct agpu_context_counters) &&
           start->sandbox <= AGPU_SANDBOX_NONE && start->region_count <= AG_GUEST_REGIONS &&
           start->gpu.without_count <= MOST_NAMES && start->executor.without_count <= MOST_NAMES;
}

bool ag_start_unpack(struct ag_started *started, const uint8_t *bytes, size_t size)
{
    *started = (struct ag_started){0};
    struct ag_start *const start = &started->start;
    if (size < sizeof *start)
        return false;
    memcpy(start, bytes, sizeof *start);
    if (!is_start(start))
        return false;
    started->texts = copy_of(bytes + sizeof *start, size - sizeof *start);
    const size_t names = (size_t)start->gpu.without_count + start->executor.without_count;
    started->names = calloc(names + 1, sizeof *started->names);
    if (started->texts == NULL || started->names == NULL)
        return false;
    struct text_reader reader = {started->texts, started->texts + (size - sizeof *start), false};
    start->gpu.library = start->has_library ? read_text(&reader) : NULL;
    for (size_t i = 0; i < names; i++)
        started->names[i] = read_text(&reader);
    start->gpu.without = started->names;
    start->executor.without = started->names + start->gpu.without_count;
    start->gpu.size = sizeof start->gpu;
    start->gpu.instance = start->gpu.device = NULL;
    start->gpu.cache = start->executor.cache = NULL;
    start->executor.size = sizeof start->executor;
    return !reader.failed;
}

void ag_started_fini(struct ag_started *started)
{
    free(started->texts);
    free(started->names);
    *started = (struct ag_started){0};
}

/* ---- READY -------------------------------------------------------------------------------------------- */

/* The numbers of READY; behind them values of limits, then texts: four of the adapter, features, limits. */
struct adapter_head {
    uint32_t feature_count, limit_count;
};

void ag_adapter_pack(struct ag_strbuf *bytes, const struct agpu_adapter_info *info)
{
    const struct adapter_head head = {info->feature_count, info->limit_count};
    ag_strbuf_append_bytes(bytes, &head, sizeof head);
    for (uint32_t i = 0; i < info->limit_count; i++)
        ag_strbuf_append_bytes(bytes, &info->limits[i].value, sizeof info->limits[i].value);
    append_text(bytes, info->name);
    append_text(bytes, info->driver);
    append_text(bytes, info->backend);
    append_text(bytes, info->library);
    for (uint32_t i = 0; i < info->feature_count; i++)
        append_text(bytes, info->features[i]);
    for (uint32_t i = 0; i < info->limit_count; i++)
        append_text(bytes, info->limits[i].name);
}

static bool read_adapter(struct ag_adapter *adapter, const struct adapter_head *head, size_t size)
{
    const size_t values = head->limit_count * sizeof(uint64_t);
    struct text_reader reader = {adapter->texts + values, adapter->texts + size, false};
    struct agpu_adapter_info *const info = &adapter->info;
    ag_text_make_plain(adapter->texts + values, size - values);
    *info = (struct agpu_adapter_info){
        .size = sizeof *info,
        .features = adapter->features,
        .feature_count = head->feature_count,
        .limits = adapter->limits,
        .limit_count = head->limit_count,
    };
    info->name = read_text(&reader);
    info->driver = read_text(&reader);
    info->backend = read_text(&reader);
    info->library = read_text(&reader);
    for (uint32_t i = 0; i < head->feature_count; i++)
        adapter->features[i] = read_text(&reader);
    for (uint32_t i = 0; i < head->limit_count; i++) {
        adapter->limits[i].name = read_text(&reader);
        adapter->limits[i].value = ag_load_u64(adapter->texts + i * sizeof(uint64_t));
    }
    return !reader.failed;
}

bool ag_adapter_unpack(struct ag_adapter *adapter, const uint8_t *bytes, size_t size)
{
    struct adapter_head head;
    *adapter = (struct ag_adapter){0};
    if (size < sizeof head)
        return false;
    memcpy(&head, bytes, sizeof head);
    size -= sizeof head;
    if (head.feature_count > MOST_NAMES || head.limit_count > MOST_NAMES ||
        head.limit_count * sizeof(uint64_t) > size)
        return false;
    adapter->texts = copy_of(bytes + sizeof head, size);
    adapter->features = calloc(head.feature_count + 1, sizeof *adapter->features);
    adapter->limits = calloc(head.limit_count + 1, sizeof *adapter->limits);
    return adapter->texts != NULL && adapter->features != NULL && adapter->limits != NULL &&
           read_adapter(adapter, &head, size);
}

void ag_adapter_fini(struct ag_adapter *adapter)
{
    free(adapter->texts);
    free(adapter->features);
    free(adapter->limits);
    *adapter = (struct ag_adapter){0};
}
