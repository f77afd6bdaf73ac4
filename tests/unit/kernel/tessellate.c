/* SPDX-License-Identifier: MIT */
#include "tessellate.h"

#include "../../support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../support/submit.h"
#include "aerogpu/translate.h"
#include "base/bytes.h"
#include "gpu/readback.h"
#include "gpu/wait.h"

#include "wgsl/expansion.h"

#define TIMEOUT (60 * SECOND_NS)
#define UNTOUCHED 0xA5A5A5A5u
#define POINT_WORDS 4
#define FACTOR_WORDS 8

int driver_open(int argc, char **argv, struct driver *driver)
{
    enum agpu_driver name;
    *driver = (struct driver){0};
    if (argc != 2 || !agpu_driver_from_name(argv[1], &name)) {
        printf("usage: %s driver\n", argv[0]);
        return 2;
    }
    const int opened = fixture_open(name, &driver->log, &driver->gpu);
    if (opened != 0)
        return opened;
    ag_gpu_set_sink(driver->gpu, &driver->log.sink);
    ag_tessellator_init(&driver->tessellator, driver->gpu);
    return 0;
}

void driver_close(struct driver *driver)
{
    ag_tessellator_fini(&driver->tessellator);
    agpu_gpu_destroy(driver->gpu);
}

struct memory {
    WGPUBuffer buffer;
    uint64_t bytes;
};

static struct memory make_memory(struct agpu_gpu *gpu, WGPUBufferUsage usage, const void *data,
                                 uint64_t bytes)
{
    const WGPUBufferDescriptor descriptor = {.usage = usage | WGPUBufferUsage_CopyDst, .size = bytes};
    struct memory memory = {wgpuDeviceCreateBuffer(ag_gpu_device(gpu), &descriptor), bytes};
    wgpuQueueWriteBuffer(ag_gpu_queue(gpu), memory.buffer, 0, data, (size_t)bytes);
    return memory;
}

static struct memory make_untouched(struct agpu_gpu *gpu, uint64_t words)
{
    uint32_t *fill = malloc((size_t)words * 4);
    assert_non_null(fill);
    for (uint64_t i = 0; i < words; i++)
        fill[i] = UNTOUCHED;
    struct memory memory =
        make_memory(gpu, WGPUBufferUsage_Storage | WGPUBufferUsage_CopySrc, fill, words * 4);
    free(fill);
    return memory;
}

static struct memory make_patches(struct agpu_gpu *gpu, uint32_t control_points, uint32_t patches)
{
    const size_t words = control_points + 1;
    uint32_t *list = calloc(AG_LIST_HEADER_WORDS + words * patches, 4);
    assert_non_null(list);
    list[0] = patches + 1;
    for (uint32_t i = 0; i < patches; i++)
        list[AG_LIST_HEADER_WORDS + words * i] = 100 + i;
    struct memory memory =
        make_memory(gpu, WGPUBufferUsage_Storage, list, (AG_LIST_HEADER_WORDS + words * patches) * 4);
    free(list);
    return memory;
}

static struct memory make_factors(struct agpu_gpu *gpu, const struct patch_factors *factors, uint32_t patches)
{
    float *words = calloc((size_t)patches * FACTOR_WORDS, 4);
    assert_non_null(words);
    for (uint32_t i = 0; i < patches; i++) {
        memcpy(words + (size_t)i * FACTOR_WORDS, factors[i].edges, sizeof factors[i].edges);
        memcpy(words + (size_t)i * FACTOR_WORDS + 4, factors[i].inside, sizeof factors[i].inside);
    }
    struct memory memory =
        make_memory(gpu, WGPUBufferUsage_Storage, words, (uint64_t)patches * FACTOR_WORDS * 4);
    free(words);
    return memory;
}

static struct ag_buffer_range whole(struct memory memory)
{
    return (struct ag_buffer_range){memory.buffer, 0, memory.bytes};
}

/* The list's words; checks that what is past its end is as it was. */
static uint32_t *take_list(const uint8_t *data, uint64_t bytes, uint32_t words, uint32_t header[4])
{
    memcpy(header, data, AG_LIST_HEADER_WORDS * 4);
    const uint64_t used = ((uint64_t)AG_LIST_HEADER_WORDS + (uint64_t)header[0] * words) * 4;
    assert_true(used <= bytes);
    for (uint64_t at = used; at < bytes; at += 4)
        assert_int_equal(ag_load_u32(data + at), UNTOUCHED);
    uint32_t *list = malloc((size_t)(used - AG_LIST_HEADER_WORDS * 4) + 4);
    assert_non_null(list);
    memcpy(list, data + AG_LIST_HEADER_WORDS * 4, (size_t)used - AG_LIST_HEADER_WORDS * 4);
    return list;
}

/* What is written shares one buffer. */
struct written {
    struct memory memory;
    struct ag_buffer_range starts, points, primitives, arguments;
};

static struct ag_buffer_range next_range(struct written *written, uint64_t words)
{
    const struct ag_buffer_range range = {.offset = written->memory.bytes, .size = words * 4};
    written->memory.bytes += ag_align_up(range.size, 256);
    return range;
}

static struct written make_written(struct agpu_gpu *gpu, const struct tessellate_result *result,
                                   uint32_t patches)
{
    const struct ag_tessellation_capacity *capacity = &result->capacity;
    struct written written = {0};
    written.starts = next_range(
        &written, ((uint64_t)patches * AG_TESSELLATOR_START_BYTES + AG_TESSELLATOR_START_HEADER_BYTES) / 4);
    written.points =
        next_range(&written, AG_LIST_HEADER_WORDS + (capacity->points * patches + 1) * POINT_WORDS);
    written.primitives =
        next_range(&written, AG_LIST_HEADER_WORDS + (capacity->primitives * patches + 1) * result->words);
    written.arguments = next_range(&written, ARGUMENT_WORDS);
    written.memory = make_untouched(gpu, written.memory.bytes / 4);
    written.starts.buffer = written.points.buffer = written.primitives.buffer = written.arguments.buffer =
        written.memory.buffer;
    return written;
}

static void bring_back(struct agpu_gpu *gpu, WGPUCommandEncoder encoder, const struct written *written,
                       struct tessellate_result *result)
{
    const uint64_t bytes = written->memory.bytes;
    struct ag_readback_pool *pool = ag_readback_pool_create(gpu, 1 << 16);
    struct ag_readback *readback = ag_readback_take(pool, bytes);
    assert_non_null(readback);
    wgpuCommandEncoderCopyBufferToBuffer(encoder, written->memory.buffer, 0, ag_readback_buffer(readback), 0,
                                         bytes);
    submit_encoder(gpu, encoder);
    ag_readback_begin(readback);
    assert_true(ag_gpu_wait_idle(gpu, TIMEOUT));
    const uint8_t *data = ag_readback_data(readback);
    assert_non_null(data);
    result->points = (void *)take_list(data + written->points.offset, written->points.size, POINT_WORDS,
                                       result->point_header);
    result->primitives = take_list(data + written->primitives.offset, written->primitives.size, result->words,
                                   result->primitive_header);
    for (size_t i = 0; i < ARGUMENT_WORDS; i++)
        result->arguments[i] = ag_load_u32(data + written->arguments.offset + 4 * i);
    result->point_count = result->point_header[0];
    result->primitive_count = result->primitive_header[0];
    ag_readback_release(pool, readback);
    ag_readback_pool_destroy(pool);
}

void tessellate(struct driver *driver, const struct ag_tessellation *tessellation,
                const struct patch_factors *factors, uint32_t patches, struct tessellate_result *result)
{
    struct agpu_gpu *gpu = driver->gpu;
    uint8_t block[AG_TESSELLATION_BLOCK_BYTES];
    ag_tessellation_capacity(tessellation, &result->capacity);
    const struct ag_tessellator_part part = {
        .patches = patches,
        .steps = 1,
        .points = (uint32_t)(result->capacity.points * patches),
        .primitives = (uint32_t)(result->capacity.primitives * patches),
    };
    ag_tessellation_block(tessellation, &part, 0, DRAWN_VERTICES, block);
    result->words = result->capacity.vertices + 1;
    const struct memory read[] = {
        make_memory(gpu, WGPUBufferUsage_Uniform, block, sizeof block),
        make_patches(gpu, tessellation->control_points, patches),
        make_factors(gpu, factors, patches),
    };
    const struct written written = make_written(gpu, result, patches);
    const struct ag_tessellator_buffers buffers = {
        whole(read[0]), whole(read[1]),     whole(read[2]),    written.starts,
        written.points, written.primitives, written.arguments,
    };
    const WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(ag_gpu_device(gpu), NULL);
    const WGPUComputePassEncoder pass = wgpuCommandEncoderBeginComputePass(encoder, NULL);
    assert_true(ag_tessellator_record_counts(&driver->tessellator, pass, &buffers, tessellation, &part));
    assert_true(ag_tessellator_record_step(&driver->tessellator, pass, &buffers, tessellation, &part));
    wgpuComputePassEncoderEnd(pass);
    wgpuComputePassEncoderRelease(pass);
    bring_back(gpu, encoder, &written, result);
    for (size_t i = 0; i < AG_COUNT_OF(read); i++)
        wgpuBufferRelease(read[i].buffer);
    wgpuBufferRelease(written.memory.buffer);
    if (driver->log.count != 0)
        print_error("%s\n", driver->log.message);
    assert_int_equal(driver->log.count, 0);
}

void tessellate_free(struct tessellate_result *result)
{
    free(result->points);
    free(result->primitives);
    *result = (struct tessellate_result){0};
}
