/* SPDX-License-Identifier: MIT
 *
 * A host for streams: guest memory, an executor on a software driver, and a record of what it said.
 */
#ifndef AG_TESTS_EXEC_HOST_H
#define AG_TESTS_EXEC_HOST_H

#include <stdbool.h>

#include "aerogpu/executor.h"
#include "aerogpu/stream_writer.h"

#define GUEST_BYTES (1 << 20)
#define HOST_SKIPPED 77

struct host {
    struct agpu_gpu *gpu;
    struct agpu_executor *executor;
    const char *shader_directory;
    uint8_t *guest;          /* GUEST_BYTES, at guest-physical 0x10000 */
    uint32_t writable_bytes; /* of these, from the start; 0: all */
    bool is_endless;         /* guest memory has no end and reads as zeros */
    bool maps;               /* shows where it has guest memory */
    uint32_t read_count;     /* of guest memory, by copy */
    uint32_t next_submission;
    uint32_t context_id; /* of the submissions to come; reset to 1 */

    uint32_t completed_count, last_completed, last_error;
    uint32_t present_count, present_width, present_height;
    uint8_t *pixels;               /* of the last present that was kept, without padding */
    size_t most_kept;              /* bytes of a present; 0: any number */
    uint32_t pixel_order;          /* theirs */
    bool takes_any_layout;         /* see host_attach() */
    void (*presented)(void *host); /* null, or called at each present */
    bool is_blind;                 /* nobody looks at windows */
    bool (*shown)(void *host, const struct agpu_shown *shown); /* takes textures, see host_attach() */

    uint32_t diag_count; /* errors and warnings since the last submit */
    enum agpu_diag_code first_diag;
    uint32_t first_packet;
    char first_packet_name[32]; /* "": none */
    char first_message[512];
    void (*device_lost)(void *user); /* null, or called when the executor says so */
    char error_message[512];         /* of the last error that is a bug of ours */

    const uint8_t *raw_stream; /* submitted instead of the writer's, once */
    uint32_t raw_size;
};

#define GUEST_BASE UINT64_C(0x10000)

/* 0, HOST_SKIPPED or 1. The directory is where host_create_shader() looks. Slices have no end, and the GPU
 * may take as long as it wants. */
int host_open(struct host *host, const char *driver_name, const char *shader_directory);
int host_open_with(struct host *host, const char *driver_name, const char *shader_directory,
                   const struct agpu_executor_options *options);
/* With an executor of the caller's, which host_close() destroys. False: no memory. */
/* Tells the executor again where its events go. */
void host_attach(struct host *host);
bool host_open_on(struct host *host, struct agpu_executor *executor);
void host_close(struct host *host);
/* Ends the process at once, for tests that abandon devices: the driver's threads may still work for one, and
 * are not to meet the destructors of their library. */
_Noreturn void host_leave(int status);

/* Drops all objects and the record. */
void host_reset(struct host *host);
/* The same, and begins a stream whose compute shaders store into a buffer of 16 bytes, which holds 1 at
 * first. */
struct agpu_writer host_begin_storing(struct host *host, uint32_t buffer);

/* Submits, waits for the completion, returns the error code. The writer is finished and started over. */
uint32_t host_run(struct host *host, struct agpu_writer *writer,
                  const struct aerogpu_alloc_entry *allocations, uint32_t allocation_count);

/* Submits without waiting. */
void host_submit(struct host *host, struct agpu_writer *writer, const struct aerogpu_alloc_entry *allocations,
                 uint32_t allocation_count);
void host_wait(struct host *host);
/* What host_submit() submits; the writer is finished, and the caller's to start over. */
struct agpu_submission host_prepare(struct host *host, struct agpu_writer *writer,
                                    const struct aerogpu_alloc_entry *allocations, uint32_t allocation_count);

struct agpu_counters host_counters(const struct host *host);

/* Bytes of host memory that all contexts are charged for. */
uint64_t host_charged_bytes(const struct host *host);

/* The pixel of the last present as 0xRRGGBBAA. */
uint32_t host_pixel(const struct host *host, uint32_t x, uint32_t y);

/* Writes the packet that creates a shader from a file of the shader directory. */
void host_create_shader(const struct host *host, struct agpu_writer *writer, uint32_t handle,
                        enum agpu_stream_stage stage, const char *name);

/* The same from a listing. */
void host_assemble_shader(struct agpu_writer *writer, uint32_t handle, enum agpu_stream_stage stage,
                          const char *listing);
/* One with one mip and layer. */
void host_write_texture(struct agpu_writer *writer, uint32_t handle, uint32_t usage, uint32_t format,
                        uint32_t width, uint32_t height);
/* The same by the extension's packet, two-dimensional, of one sample. */
void host_write_ext_texture(struct agpu_writer *writer, uint32_t handle, uint32_t format, uint32_t width,
                            uint32_t height, uint32_t bind_flags);
/* Writes a frame: a target of one pixel is made, cleared to red, presented and destroyed. */
void host_write_frame(struct agpu_writer *writer, uint32_t target);
/* Runs a stream in its text form; returns the error code. */
uint32_t host_run_text(struct host *host, const char *text);
/* Runs what must complete without an error. */
void host_run_ok(struct host *host, struct agpu_writer *writer);

#endif
