/* SPDX-License-Identifier: MIT */
#include "cli/report.h"

#include <inttypes.h>

#include "cli/output.h"

/* ---- JSON --------------------------------------------------------------------------------------------- */

static json_t *checks_json(const struct ag_scene_report *report)
{
    json_t *const list = json_array();
    for (size_t i = 0; i < report->checks.count; i++) {
        const struct ag_scene_check *const check = &report->checks.data[i];
        json_array_append_new(list, json_pack("{s:I, s:o, s:s, s:o, s:o, s:o}", "line",
                                              (json_int_t)check->line, "kind", cli_json_text(check->kind),
                                              "result", ag_scene_result_name(check->result), "want",
                                              cli_json_text(check->want), "got", cli_json_text(check->got),
                                              "todo", cli_json_text(check->todo)));
    }
    return list;
}

static json_t *presents_json(const struct ag_scene_report *report, char *const *pngs)
{
    json_t *const list = json_array();
    for (size_t i = 0; i < report->presents.count; i++) {
        const struct ag_scene_present *const present = &report->presents.data[i];
        char hash[17];
        snprintf(hash, sizeof hash, "%016" PRIx64, present->hash);
        json_array_append_new(list,
                              json_pack("{s:I, s:o, s:s, s:I, s:I}", "n", (json_int_t)present->number, "png",
                                        cli_json_text(pngs != NULL ? pngs[i] : NULL), "xxh3", hash, "width",
                                        (json_int_t)present->width, "height", (json_int_t)present->height));
    }
    return list;
}

static void add_counter(void *user, const char *name, uint64_t value)
{
    json_object_set_new(user, name, json_integer((json_int_t)value));
}

static json_t *contexts_json(const struct ag_scene_report *report)
{
    json_t *const list = json_array();
    for (size_t i = 0; i < report->contexts.count; i++) {
        const struct agpu_context_counters *const counts = &report->contexts.data[i];
        json_array_append_new(
            list,
            json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "context_id",
                      (json_int_t)counts->context_id, "gpu_bytes", (json_int_t)counts->gpu_bytes,
                      "most_gpu_bytes", (json_int_t)counts->most_gpu_bytes, "host_bytes",
                      (json_int_t)counts->host_bytes, "most_host_bytes", (json_int_t)counts->most_host_bytes,
                      "refusals", (json_int_t)counts->refusals, "submissions",
                      (json_int_t)counts->submissions, "work_ns", (json_int_t)counts->work_ns,
                      "longest_turn_ns", (json_int_t)counts->longest_turn_ns, "latency_ns",
                      (json_int_t)counts->latency_ns, "longest_latency_ns",
                      (json_int_t)counts->longest_latency_ns, "hangs", (json_int_t)counts->hangs));
    }
    return list;
}

static json_t *cache_counts_json(const struct agpu_cache_counts *counts)
{
    return json_pack("{s:I, s:I, s:I}", "loads", (json_int_t)counts->loads, "hits", (json_int_t)counts->hits,
                     "stores", (json_int_t)counts->stores);
}

/* What the cache did since the tool began. */
static json_t *cache_json(const struct agpu_cache *cache)
{
    struct agpu_cache_statistics statistics = {.size = sizeof statistics};
    if (cache == NULL)
        return json_null();
    agpu_cache_statistics(cache, &statistics);
    return json_pack("{s:o, s:o, s:o, s:I}", "modules", cache_counts_json(&statistics.modules), "pipelines",
                     cache_counts_json(&statistics.pipelines), "blobs", cache_counts_json(&statistics.blobs),
                     "refused", (json_int_t)statistics.refused);
}

void cli_report_json(json_t *object, const struct ag_scene_report *report, char *const *pngs,
                     const struct agpu_cache *cache)
{
    const struct agpu_counters *const counters = &report->counters;
    json_t *const counters_json = json_object();
    ag_counters_visit(counters, add_counter, counters_json);
    json_object_set_new(object, "result", json_string(ag_scene_result_name(report->result)));
    json_object_set_new(object, "skip_reason", cli_json_text(report->skip_reason));
    json_object_set_new(object, "checks", checks_json(report));
    json_object_set_new(object, "presents", presents_json(report, pngs));
    json_object_set_new(object, "counters", counters_json);
    json_object_set_new(object, "contexts", contexts_json(report));
    json_object_set_new(object, "cache", cache_json(cache));
    json_object_set_new(object, "times_ms",
                        json_pack("{s:f, s:f, s:f, s:f}", "translate", (double)counters->translate_ns / 1e6,
                                  "pipeline", (double)counters->pipeline_ns / 1e6, "execute", report->wait_ms,
                                  "total", report->total_ms));
}

void cli_report_json_nothing(json_t *object)
{
    json_object_set_new(object, "result", json_string(ag_scene_result_name(AG_SCENE_FAILED)));
    json_object_set_new(object, "skip_reason", json_null());
    json_object_set_new(object, "checks", json_array());
    json_object_set_new(object, "presents", json_array());
    json_object_set_new(object, "counters", json_object());
    json_object_set_new(object, "contexts", json_array());
    json_object_set_new(object, "cache", json_null());
    json_object_set_new(object, "times_ms", json_object());
}

/* ---- Text --------------------------------------------------------------------------------------------- */

void cli_report_text(FILE *to, const char *file, const struct ag_scene_report *report)
{
    const struct agpu_counters *const counters = &report->counters;
    size_t passed = 0;
    for (size_t i = 0; i < report->checks.count; i++)
        passed += report->checks.data[i].result == AG_SCENE_PASSED ? 1 : 0;
    fprintf(to, "%s: %s", file, ag_scene_result_name(report->result));
    if (report->skip_reason != NULL)
        fprintf(to, ": %s", report->skip_reason);
    fprintf(to, "\n  %zu of %zu checks, %zu presents, %" PRIu64 " packets, %" PRIu64 " draws\n", passed,
            report->checks.count, report->presents.count, counters->packets, counters->draws);
    fprintf(to,
            "  %.1f ms: %" PRIu64 " shaders translated in %.1f ms, %" PRIu64 " of them in the cache, %" PRIu64
            " pipelines made in %.1f ms, waited %.1f ms\n",
            report->total_ms, counters->shaders_translated, (double)counters->translate_ns / 1e6,
            counters->shaders_cached, counters->pipelines, (double)counters->pipeline_ns / 1e6,
            report->wait_ms);
}
