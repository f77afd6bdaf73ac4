/* SPDX-License-Identifier: MIT
 *
 * Presents: in a context of their own, so that what the program has bound stays bound.
 */
#include "guest/core/memory.h"
#include "guest/umd/context.h"

static void show(struct guest_stream *stream, aerogpu_handle_t shown, uint32_t sync_interval)
{
    struct aerogpu_cmd_set_render_targets *targets =
        guest_stream_packet(stream, AEROGPU_CMD_SET_RENDER_TARGETS, sizeof *targets);
    *targets = (struct aerogpu_cmd_set_render_targets){
        .hdr = UMD_HEADER(AEROGPU_CMD_SET_RENDER_TARGETS, targets), .color_count = 1, .colors = {shown}};
    struct aerogpu_cmd_present *present = guest_stream_packet(stream, AEROGPU_CMD_PRESENT, sizeof *present);
    present->scanout_id = 0;
    present->flags = sync_interval != 0 ? AEROGPU_PRESENT_FLAG_VSYNC : AEROGPU_PRESENT_FLAG_NONE;
    targets = guest_stream_packet(stream, AEROGPU_CMD_SET_RENDER_TARGETS, sizeof *targets);
    *targets =
        (struct aerogpu_cmd_set_render_targets){.hdr = UMD_HEADER(AEROGPU_CMD_SET_RENDER_TARGETS, targets)};
}

enum umd_status umd_present(struct umd_context *context, const struct umd_present *present, uint64_t *fence)
{
    struct umd_device *device = context->device;
    struct umd_view *view = NULL;
    enum umd_status status = UMD_OK;
    if (present->subresource != 0) {
        const struct umd_resource_desc *desc = umd_resource_get_desc(present->texture);
        const struct umd_view_desc shown = {
            .kind = AEROGPU_EXT_VIEW_RENDER_TARGET,
            .dimension = AEROGPU_EXT_DIMENSION_TEXTURE2DARRAY,
            .base_mip_level = present->subresource % desc->mip_levels,
            .base_array_layer = present->subresource / desc->mip_levels,
            .array_layer_count = 1,
        };
        status = umd_create_view(device, present->texture, &shown, &view);
    }
    if (status == UMD_OK)
        status = umd_context_submit(context);
    if (status == UMD_OK) {
        show(&device->presents, view != NULL ? umd_handle(view) : umd_handle(present->texture),
             present->sync_interval);
        const enum guest_status submitted =
            guest_stream_submit(&device->presents, AEROGPU_SUBMIT_FLAG_PRESENT, NULL);
        umd_device_fails(device, submitted);
        status = submitted == GUEST_OK ? UMD_OK : UMD_DEVICE_REMOVED;
    }
    umd_destroy_view(device, view);
    if (fence != NULL)
        *fence = guest_device_submitted_fence(device->guest);
    return status;
}
