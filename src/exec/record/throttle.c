/* SPDX-License-Identifier: MIT */
#include "exec/record/throttle.h"

#include <string.h>

#include "exec/host/host.h"
#include "exec/record/recorder.h"
#include "gpu/gpu.h"

static bool is_software_driver(const struct ag_recorder *recorder)
{
    const enum agpu_driver driver = ag_gpu_driver(recorder->host->gpu);
    return driver == AGPU_DRIVER_LAVAPIPE || driver == AGPU_DRIVER_SWIFTSHADER;
}

/* What SwiftShader makes of patches and draws in a quarter of a second, on two processors. */
#define SOFTWARE_STEP_VERTICES (UINT64_C(1) << 20)

/* lavapipe maps memory for each bind group, and the process ends near 65,000 mappings. Bindings with
 * dynamic offsets cost mappings only while lavapipe executes their submission, one submission at a time,
 * and therefore have no limit in flight. Other drivers keep commands alone, and a frame of many draws is one
 * submission; but those of software drivers end soon, since other contexts wait for what is in flight. */
void ag_throttle_bound(struct ag_recorder *recorder, uint64_t in_flight_bytes)
{
    const bool is_lavapipe = ag_gpu_driver(recorder->host->gpu) == AGPU_DRIVER_LAVAPIPE;
    const bool is_software = is_software_driver(recorder);
    /* SwiftShader takes half a millisecond for each draw. */
    const uint64_t commands = is_lavapipe ? 8192 : is_software ? 1024 : 32768;
    recorder->throttle.bounds_bindings = is_lavapipe;
    recorder->throttle.vertices_shift = is_software ? 12 : 16;
    recorder->throttle.step_vertices = is_software ? SOFTWARE_STEP_VERTICES : 0;
    recorder->throttle.texels_shift = is_lavapipe ? 16 : is_software ? 18 : 22;
    recorder->throttle.most_open = (struct ag_throttle_load){
        .commands = commands,
        .groups = 4096,
        .dynamic_bindings = is_lavapipe ? 2048 : UINT64_MAX,
        .bytes = in_flight_bytes / 2,
        .uploads = in_flight_bytes / 16,
    };
    recorder->throttle.most_in_flight = (struct ag_throttle_load){
        .commands = commands * (is_software ? 2 : 4),
        .groups = 8192,
        .dynamic_bindings = UINT64_MAX,
        .bytes = in_flight_bytes,
        .uploads = in_flight_bytes / 8,
    };
}

static bool is_below(struct ag_throttle_load load, const struct ag_throttle_load *most)
{
    return load.commands < most->commands && load.groups < most->groups &&
           load.dynamic_bindings < most->dynamic_bindings && load.bytes < most->bytes &&
           load.uploads < most->uploads;
}

static struct ag_throttle_load sum(const struct ag_throttle_load *a, const struct ag_throttle_load *b)
{
    return (struct ag_throttle_load){
        .commands = a->commands + b->commands,
        .groups = a->groups + b->groups,
        .dynamic_bindings = a->dynamic_bindings + b->dynamic_bindings,
        .bytes = a->bytes + b->bytes,
        .uploads = a->uploads + b->uploads,
    };
}

static struct ag_throttle_load difference(const struct ag_throttle_load *a, const struct ag_throttle_load *b)
{
    return (struct ag_throttle_load){
        .commands = a->commands - b->commands,
        .groups = a->groups - b->groups,
        .dynamic_bindings = a->dynamic_bindings - b->dynamic_bindings,
        .bytes = a->bytes - b->bytes,
        .uploads = a->uploads - b->uploads,
    };
}

void ag_throttle_add_group(struct ag_recorder *recorder)
{
    struct ag_throttle *throttle = &recorder->throttle;
    throttle->grew = true;
    const uint64_t groups = ++throttle->open.groups + throttle->in_flight.groups;
    recorder->host->counts.bind_groups_created++;
    if (groups > recorder->host->counts.bind_groups_in_flight)
        recorder->host->counts.bind_groups_in_flight = groups;
}

void ag_throttle_add_bytes(struct ag_recorder *recorder, uint64_t bytes)
{
    struct ag_throttle *throttle = &recorder->throttle;
    throttle->open.bytes += bytes;
    throttle->grew = true;
    if (throttle->open.bytes + throttle->in_flight.bytes > recorder->host->counts.scratch_bytes_in_flight)
        recorder->host->counts.scratch_bytes_in_flight = throttle->open.bytes + throttle->in_flight.bytes;
}

void ag_throttle_add_commands(struct ag_recorder *recorder, uint64_t count)
{
    struct ag_throttle *throttle = &recorder->throttle;
    throttle->open.commands += count;
    throttle->grew |= count >= AG_THROTTLE_FEW || throttle->open.commands % AG_THROTTLE_FEW < count;
}

/* For each pass, the library looks at what it knows of all subresources of its targets. */
#define SUBRESOURCES_OF_COMMAND 256

void ag_throttle_add_pass(struct ag_recorder *recorder, uint64_t subresources)
{
    ag_throttle_add_commands(recorder, AG_PASS_COMMANDS + subresources / SUBRESOURCES_OF_COMMAND);
}

/* A quarter of a second of lavapipe's. */
#define TEXELS_OF_PIECE (UINT64_C(8) << 20)

void ag_throttle_add_texels(struct ag_recorder *recorder, uint64_t texels)
{
    if (is_software_driver(recorder))
        ag_throttle_add_commands(recorder, texels * recorder->throttle.most_open.commands / TEXELS_OF_PIECE);
}

/* A thread takes as long as some texels of a copy. */
#define TEXELS_OF_THREAD 16

void ag_throttle_add_threads(struct ag_recorder *recorder, uint64_t threads)
{
    ag_throttle_add_texels(recorder, threads * TEXELS_OF_THREAD);
}

bool ag_throttle_holds(const struct ag_recorder *recorder)
{
    return recorder->throttle.open.bytes || recorder->throttle.open.uploads;
}

static void drop_finished(struct ag_recorder *recorder)
{
    struct ag_throttle *throttle = &recorder->throttle;
    const uint64_t completed = ag_gpu_completed_serial(recorder->host->gpu);
    uint32_t done = 0;
    while (done < throttle->submitted_count && throttle->submitted[done].serial <= completed) {
        throttle->in_flight = difference(&throttle->in_flight, &throttle->submitted[done].load);
        done++;
    }
    throttle->submitted_count -= done;
    memmove(throttle->submitted, throttle->submitted + done,
            throttle->submitted_count * sizeof throttle->submitted[0]);
}

bool ag_throttle_open_is_full(const struct ag_recorder *recorder)
{
    return !is_below(recorder->throttle.open, &recorder->throttle.most_open);
}

bool ag_throttle_has_room(struct ag_recorder *recorder)
{
    const struct ag_throttle *throttle = &recorder->throttle;
    if (is_below(sum(&throttle->open, &throttle->in_flight), &throttle->most_in_flight))
        return true;
    drop_finished(recorder);
    return is_below(sum(&throttle->open, &throttle->in_flight), &throttle->most_in_flight);
}

uint64_t ag_throttle_last(struct ag_recorder *recorder)
{
    const struct ag_throttle *throttle = &recorder->throttle;
    drop_finished(recorder);
    return throttle->submitted_count ? throttle->submitted[throttle->submitted_count - 1].serial : 0;
}

uint64_t ag_throttle_first(const struct ag_recorder *recorder)
{
    return recorder->throttle.submitted_count ? recorder->throttle.submitted[0].serial : 0;
}

void ag_throttle_submitted(struct ag_recorder *recorder, uint64_t serial)
{
    struct ag_throttle *throttle = &recorder->throttle;
    drop_finished(recorder);
    if (throttle->submitted_count < AG_THROTTLE_SUBMISSIONS) {
        throttle->submitted[throttle->submitted_count].load = (struct ag_throttle_load){0};
        throttle->submitted_count++;
    }
    struct ag_throttle_load *last = &throttle->submitted[throttle->submitted_count - 1].load;
    *last = sum(last, &throttle->open);
    throttle->submitted[throttle->submitted_count - 1].serial = serial;
    throttle->in_flight = sum(&throttle->in_flight, &throttle->open);
    throttle->grew = true;
    throttle->open = (struct ag_throttle_load){0};
}

void ag_throttle_dropped(struct ag_recorder *recorder)
{
    recorder->throttle.open = (struct ag_throttle_load){0};
}
