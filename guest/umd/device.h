/* SPDX-License-Identifier: MIT
 *
 * Adapters and devices: what all contexts share. Creations go into a stream of their own, which may be
 * written by any thread and is submitted before the immediate context's; that context therefore never waits
 * for one. Objects are destroyed behind the packets that the immediate context has recorded by then.
 */
#ifndef GUEST_UMD_DEVICE_H
#define GUEST_UMD_DEVICE_H

#include <stdatomic.h>

#include "guest/core/core.h"
#include "guest/umd/umd.h"

#define UMD_FORMATS 133u     /* DXGI_FORMAT numbers below this may be formats */
#define UMD_SAMPLE_COUNTS 4u /* 1, 2, 4, 8 */

struct umd_format_caps {
    uint32_t support, support2;
    uint32_t levels[UMD_SAMPLE_COUNTS];
};

struct umd_adapter {
    struct guest_device *guest;
    struct aerogpu_ext_features features;
    struct umd_format_caps formats[UMD_FORMATS];
};

/* An object whose end is still to be told to the host, with what goes with it. */
struct umd_ending {
    uint32_t opcode;
    aerogpu_handle_t handle;
    struct guest_block block;
    struct umd_resource *resource; /* null: another object, whose private memory is gone already */
};

struct umd_device {
    struct umd_adapter *adapter;
    struct guest_device *guest;
    struct umd_context *immediate;
    _Atomic uint32_t removed;           /* enum umd_removed_reason */
    _Atomic bool immediate_has_packets; /* so that ends of objects have to wait for its submission */

    /* Under the user's lock. */
    struct guest_stream creations;
    struct umd_ending *endings;
    uint32_t ending_count, ending_capacity;
    uint32_t object_count; /* there is always room for the ends of so many */
    struct umd_removal {
        uint32_t gpu_losses;        /* when the device was made */
        uint32_t errors;            /* after so many its contexts were asked whether they live */
        struct guest_block answers; /* of those that are being asked; nothing: none is */
        uint64_t fence;             /* after which they have answered */
    } removal;

    /* The immediate context's. */
    void (*before_submission)(void *user); /* null: nobody asks for it */
    void *user_of_before;
    struct umd_resource *pending; /* whose mapped bytes are not all with the host: see map.h */
};

enum umd_status umd_status_from(enum guest_status status);

/* Memory of the adapter's allocator; zeroed. */
void *umd_allocate(struct umd_device *device, uint64_t size);
void umd_release(struct umd_device *device, void *memory);

/* Other memory of `size` bytes in place of this one, whose first `used` bytes it has. Null: none left, and
 * this one stays. */
void *umd_grow(struct umd_device *device, void *memory, size_t used, uint64_t size);

/* A handle for an object that umd_end_object() will end. 0: no memory. */
aerogpu_handle_t umd_new_object_handle(struct umd_device *device);

/* A zeroed object of so many bytes, which begins with struct umd_object, and with such a handle. Null: no
 * memory. Objects that the host never had are given up, others are ended by a packet `opcode`; destroying
 * accepts null. */
void *umd_make_object(struct umd_device *device, size_t size);
void umd_give_up_object(struct umd_device *device, void *object);
void umd_destroy_object(struct umd_device *device, void *object, uint32_t opcode);

/* A packet of the stream of creations, between lock and unlock. The long one may be null. */
void *umd_begin_creation(struct umd_device *device, uint32_t opcode, uint32_t size);
void *umd_begin_long_creation(struct umd_device *device, uint32_t opcode, uint64_t size);
void umd_end_creation(struct umd_device *device);

/* Submits what was created. */
enum guest_status umd_submit_creations(struct umd_device *device);

/* Ends a host object, and frees what goes with it, once all packets that are recorded are done. Only the
 * immediate context's thread ends what stands in that context's lists: `by_immediate`. */
void umd_end_object(struct umd_device *device, const struct umd_ending *ending, bool by_immediate);

/* Under the user's lock: writes what has ended into a stream. */
void umd_write_endings(struct umd_device *device, struct guest_stream *stream);

/* ---- removal.c ----------------------------------------------------------------------------------------- */

void umd_removal_init(struct umd_device *device);
void umd_removal_fini(struct umd_device *device);
void umd_device_fails(struct umd_device *device, enum guest_status status);
bool umd_device_is_removed(struct umd_device *device);

/* What stands between a fence that was waited for and its bytes: whether the device is there, contexts that
 * failed having been asked. */
enum umd_status umd_device_check(struct umd_device *device);

/* A question about the host's capabilities into a stream, whose answer goes to an offset of the heap. */
void umd_ask_caps(struct guest_stream *stream, enum aerogpu_ext_caps kind, uint32_t parameter0,
                  uint32_t parameter1, uint64_t offset);

#endif
