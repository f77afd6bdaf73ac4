/* SPDX-License-Identifier: MIT
 *
 * Presents: the texture of a swap chain to its window, on the other side or by a picture for this one.
 */
#include "guest/core/memory.h"
#include "guest/umd/context.h"

/* A picture and its memory. */
struct kept_picture {
    struct umd_picture picture; /* first: what the caller has */
    struct guest_block block;
};

/* What can be shown of a texture: of one with samples their resolve. Null: no memory. */
static struct umd_resource *shown_texture(struct umd_context *context, const struct umd_present *present)
{
    struct umd_resource *texture = present->texture;
    if (texture->desc.sample_count <= 1)
        return texture;
    if (texture->resolved == NULL) {
        struct umd_resource_desc desc = texture->desc;
        desc.sample_count = 1;
        desc.sample_quality = 0;
        desc.cpu_access = 0;
        desc.bind_flags |= AEROGPU_EXT_BIND_SCANOUT;
        if (umd_create_resource(context->device, &desc, NULL, &texture->resolved) != UMD_OK)
            return NULL;
    }
    umd_suspend_predication(context);
    umd_resource_resolve_subresource(context, texture->resolved, present->subresource, texture,
                                     present->subresource, texture->desc.format);
    umd_resume_predication(context);
    return texture->resolved;
}

/* Null: no room for it. */
static struct kept_picture *make_picture(struct umd_context *context, const struct umd_present *present)
{
    struct umd_extent extent;
    struct kept_picture *kept = umd_allocate(context->device, sizeof *kept);
    if (kept == NULL)
        return NULL;
    umd_resource_extent(present->texture, present->subresource, &extent);
    if (umd_context_block(context, (uint64_t)extent.width * extent.height * 4, &kept->block) != UMD_OK) {
        umd_release(context->device, kept);
        return NULL;
    }
    kept->picture =
        (struct umd_picture){.pixels = kept->block.bytes, .width = extent.width, .height = extent.height};
    return kept;
}

static void show(struct umd_context *context, const struct umd_present *present,
                 const struct umd_resource *shown, const struct kept_picture *kept)
{
    const uint32_t most = AEROGPU_EXT_MOST_SYNC_INTERVAL;
    struct aerogpu_cmd_ext_present *packet = umd_packet(context, AEROGPU_CMD_EXT_PRESENT, sizeof *packet);
    *packet = (struct aerogpu_cmd_ext_present){
        .hdr = UMD_HEADER(AEROGPU_CMD_EXT_PRESENT, packet),
        .texture_handle = umd_handle(shown),
        .subresource = present->subresource,
        .swap_chain = present->swap_chain,
        .sync_interval = present->sync_interval < most ? present->sync_interval : most,
        .target_alloc_id = kept != NULL ? GUEST_HEAP_ALLOC_ID : 0,
        .target_offset_bytes = kept != NULL ? kept->block.offset : 0,
    };
}

enum umd_status umd_present(struct umd_context *context, const struct umd_present *present, uint64_t *fence)
{
    struct umd_device *device = context->device;
    struct kept_picture *kept = NULL;
    enum umd_status status = UMD_NO_MEMORY;
    const struct umd_resource *shown = shown_texture(context, present);
    if (shown != NULL) {
        if (present->picture != NULL)
            kept = make_picture(context, present);
        const enum guest_status closed = umd_context_close(context);
        show(context, present, shown, kept);
        status = umd_context_hand_over(context, closed, AEROGPU_SUBMIT_FLAG_PRESENT);
    }
    const uint64_t submitted = guest_device_submitted_fence(device->guest);
    if (kept != NULL)
        kept->picture.fence = submitted;
    if (present->picture != NULL)
        *present->picture = kept != NULL ? &kept->picture : NULL;
    if (fence != NULL)
        *fence = submitted;
    return status;
}

void umd_release_picture(struct umd_device *device, struct umd_picture *picture)
{
    if (picture == NULL)
        return;
    struct kept_picture *kept = (struct kept_picture *)(void *)picture;
    guest_block_free_after(device->guest, &kept->block, picture->fence);
    umd_release(device, kept);
}

void umd_rotate_resources(struct umd_context *context, struct umd_resource *const *textures, uint32_t count,
                          struct umd_resource *spare)
{
    umd_suspend_predication(context);
    umd_resource_copy(context, spare, textures[0]);
    for (uint32_t i = 1; i < count; i++)
        umd_resource_copy(context, textures[i - 1], textures[i]);
    umd_resource_copy(context, textures[count - 1], spare);
    umd_resume_predication(context);
}
