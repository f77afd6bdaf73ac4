/* SPDX-License-Identifier: MIT
 *
 * What the package's JavaScript calls, and what it is called for: one device with its executor. Times are
 * milliseconds, guest-physical addresses are doubles: both are JavaScript's numbers.
 */
#include <stdlib.h>

#include "aerogpu/device.h"
#include "aerogpu/gpu.h"
#include "cache_store.h"

#define EXPORT(name) __attribute__((export_name(#name)))
#define IMPORT(name) __attribute__((import_module("aerogpu"), import_name(#name)))

IMPORT(memory_read) bool host_memory_read(double gpa, void *to, size_t size);
IMPORT(memory_write) bool host_memory_write(double gpa, const void *from, size_t size);
IMPORT(set_irq) void host_set_irq(bool asserted);
IMPORT(presented)
void host_presented(uint32_t width, uint32_t height, const uint8_t *pixels, uint32_t scanout, uint32_t flags);
/* A texture that is presented; whether its pixels are wanted, too. */
IMPORT(shown)
bool host_shown(const void *texture, uint32_t mip, uint32_t layer, uint32_t width, uint32_t height,
                uint32_t encoding, uint32_t scanout);
IMPORT(diagnostic) void host_diagnostic(uint32_t severity, const char *code, const char *message);
IMPORT(now) double host_now(void);

/* A picture for JavaScript; the pixels are freed with free(). */
struct picture {
    uint32_t width, height;
    uint8_t *pixels;
    int32_t x, y; /* of a cursor: where its corner is */
};

struct web_device {
    struct agpu_cache *cache; /* or null */
    struct agpu_gpu *gpu;
    struct agpu_executor *executor;
    struct agpu_device *device;
    struct picture picture;
    struct web_shader_counts shaders;
};

/* ---- Callbacks ---------------------------------------------------------------------------------------- */

static bool read_memory(void *user, uint64_t gpa, void *to, size_t size)
{
    (void)user;
    return host_memory_read((double)gpa, to, size);
}

static bool write_memory(void *user, uint64_t gpa, const void *from, size_t size)
{
    (void)user;
    return host_memory_write((double)gpa, from, size);
}

static void set_irq(void *user, bool asserted)
{
    (void)user;
    host_set_irq(asserted);
}

static void presented(void *user, const struct agpu_present *present)
{
    (void)user;
    host_presented(present->width, present->height, present->pixels, present->scanout_id, present->flags);
}

static bool shown(void *user, const struct agpu_shown *shown)
{
    (void)user;
    return host_shown(shown->texture, shown->mip, shown->layer, shown->width, shown->height, shown->encoding,
                      shown->scanout_id);
}

static void report(void *user, const struct agpu_diag *diag)
{
    (void)user;
    host_diagnostic((uint32_t)diag->severity, agpu_diag_slug(diag->code), diag->message);
}

static uint64_t nanoseconds(double milliseconds)
{
    return milliseconds > 0 ? (uint64_t)(milliseconds * 1e6) : 0;
}

static uint64_t now(void *user)
{
    (void)user;
    return nanoseconds(host_now());
}

/* ---- Life --------------------------------------------------------------------------------------------- */

EXPORT(device_destroy) void device_destroy(struct web_device *web)
{
    agpu_device_destroy(web->device);
    agpu_executor_destroy(web->executor);
    agpu_gpu_destroy(web->gpu);
    agpu_cache_destroy(web->cache);
    free(web);
}

static enum agpu_status open_device(struct web_device *web, const struct agpu_gpu_options *gpu_options,
                                    const struct agpu_device_options *options, bool shows, bool caches)
{
    const struct agpu_diag_sink sink = {.report = report};
    const struct agpu_device_callbacks callbacks = {
        .size = sizeof callbacks,
        .memory = {.read = read_memory, .write = write_memory},
        .set_irq = set_irq,
        .presented = presented,
        .diagnostics = sink,
        .now_ns = now,
        .shown = shows ? shown : NULL,
    };
    web->cache = caches ? web_cache_create(&sink) : NULL;
    const struct agpu_executor_options executor_options = {.size = sizeof executor_options,
                                                           .cache = web->cache};
    enum agpu_status status = agpu_gpu_create(gpu_options, &sink, &web->gpu);
    if (status == AGPU_OK)
        status = agpu_webgpu_executor_create(web->gpu, &executor_options, &sink, &web->executor);
    if (status == AGPU_OK)
        status = agpu_device_create(options, &callbacks, web->executor, now(NULL), &web->device);
    return status;
}

/* Null when there is no device, which is reported. Memory decoding is on where the machine has no firmware
 * that would switch it on. With `shows` presents come as textures, with `caches` translations are kept. */
EXPORT(device_create)
struct web_device *device_create(void *instance, void *device, uint32_t refresh_millihertz, bool decode_off,
                                 bool shows, bool caches)
{
    struct web_device *const web = calloc(1, sizeof *web);
    const struct agpu_gpu_options gpu_options = {
        .size = sizeof gpu_options, .instance = instance, .device = device};
    const struct agpu_device_options options = {
        .size = sizeof options, .refresh_millihertz = refresh_millihertz, .pci_decode_off = decode_off};
    if (web == NULL)
        return NULL;
    if (open_device(web, &gpu_options, &options, shows, caches) == AGPU_OK)
        return web;
    device_destroy(web);
    return NULL;
}

EXPORT(device_replace_gpu) bool device_replace_gpu(struct web_device *web, void *instance, void *device)
{
    return agpu_gpu_replace_device(web->gpu, instance, device) == AGPU_OK;
}

EXPORT(shader_counts) const struct web_shader_counts *shader_counts(struct web_device *web)
{
    web->shaders = web_shader_counts_of(web->executor);
    return &web->shaders;
}

/* ---- Accesses ----------------------------------------------------------------------------------------- */

EXPORT(config_read) uint32_t config_read(struct web_device *web, uint32_t offset, uint32_t size)
{
    return agpu_device_config_read(web->device, offset, size);
}

EXPORT(config_write)
void config_write(struct web_device *web, uint32_t offset, uint32_t size, uint32_t value)
{
    agpu_device_config_write(web->device, offset, size, value);
}

EXPORT(mmio_read) uint32_t mmio_read(struct web_device *web, uint32_t offset, uint32_t size)
{
    return (uint32_t)agpu_device_mmio_read(web->device, offset, size);
}

EXPORT(mmio_write) void mmio_write(struct web_device *web, uint32_t offset, uint32_t size, uint32_t value)
{
    agpu_device_mmio_write(web->device, offset, size, value);
}

EXPORT(vram_read) bool vram_read(struct web_device *web, uint32_t offset, void *to, size_t size)
{
    return agpu_device_vram_read(web->device, offset, to, size);
}

EXPORT(vram_write) bool vram_write(struct web_device *web, uint32_t offset, const void *from, size_t size)
{
    return agpu_device_vram_write(web->device, offset, from, size);
}

/* ---- Time and pictures -------------------------------------------------------------------------------- */

EXPORT(device_poll) bool device_poll(struct web_device *web)
{
    return agpu_device_poll(web->device, now(NULL));
}

/* Infinity when nothing is due. */
EXPORT(next_event) double next_event(const struct web_device *web)
{
    const uint64_t due = agpu_device_next_event_ns(web->device);
    return due == UINT64_MAX ? __builtin_inf() : (double)due / 1e6;
}

/* Null when there is no picture; the struct is good until the next call. */
EXPORT(read_scanout) const struct picture *read_scanout(struct web_device *web)
{
    struct picture *const picture = &web->picture;
    const enum agpu_status status =
        agpu_device_read_scanout(web->device, &picture->width, &picture->height, &picture->pixels);
    return status == AGPU_OK ? picture : NULL;
}

EXPORT(read_cursor) const struct picture *read_cursor(struct web_device *web)
{
    struct agpu_cursor cursor;
    struct picture *const picture = &web->picture;
    if (agpu_device_read_cursor(web->device, &cursor, &picture->pixels) != AGPU_OK)
        return NULL;
    picture->width = cursor.width;
    picture->height = cursor.height;
    picture->x = (int32_t)((uint32_t)cursor.x - cursor.hot_x);
    picture->y = (int32_t)((uint32_t)cursor.y - cursor.hot_y);
    return picture;
}
