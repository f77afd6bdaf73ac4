/* SPDX-License-Identifier: MIT
 *
 * Shaders, with the signatures and the stream-output declaration that bare tokens need beside them.
 */
#include "guest/core/memory.h"
#include "guest/umd/context.h"

/* Objects that the host reads when the shader is created, and that end right after. */
struct helpers {
    aerogpu_handle_t input, output, patch_constant, stream_output;
};

static bool create_signature(struct umd_device *device, const struct umd_signature *signature,
                             aerogpu_handle_t *handle)
{
    if (signature->count == 0)
        return true;
    struct aerogpu_cmd_ext_create_signature *packet;
    const uint64_t bytes = (uint64_t)signature->count * sizeof *signature->elements;
    *handle = guest_device_new_handle(device->guest);
    packet = umd_begin_long_creation(device, AEROGPU_CMD_EXT_CREATE_SIGNATURE, sizeof *packet + bytes);
    if (packet != NULL) {
        packet->object_handle = *handle;
        packet->element_count = signature->count;
        memcpy(packet + 1, signature->elements, (size_t)bytes);
    }
    umd_end_creation(device);
    return packet != NULL;
}

static bool create_stream_output(struct umd_device *device, const struct umd_stream_output *declaration,
                                 aerogpu_handle_t *handle)
{
    if (declaration == NULL)
        return true;
    struct aerogpu_cmd_ext_create_stream_output *packet;
    const uint64_t bytes = (uint64_t)declaration->count * sizeof *declaration->elements;
    *handle = guest_device_new_handle(device->guest);
    packet = umd_begin_long_creation(device, AEROGPU_CMD_EXT_CREATE_STREAM_OUTPUT, sizeof *packet + bytes);
    if (packet != NULL) {
        packet->object_handle = *handle;
        packet->rasterized_stream = declaration->rasterized_stream;
        memcpy(packet->stride_bytes, declaration->stride_bytes, sizeof packet->stride_bytes);
        packet->element_count = declaration->count;
        if (bytes != 0)
            memcpy(packet + 1, declaration->elements, (size_t)bytes);
    }
    umd_end_creation(device);
    return packet != NULL;
}

static bool create_helpers(struct umd_device *device, const struct umd_shader_desc *desc,
                           struct helpers *helpers)
{
    return create_signature(device, &desc->input, &helpers->input) &&
           create_signature(device, &desc->output, &helpers->output) &&
           create_signature(device, &desc->patch_constant, &helpers->patch_constant) &&
           create_stream_output(device, desc->stream_output, &helpers->stream_output);
}

static void end_helper(struct umd_device *device, aerogpu_handle_t handle)
{
    if (handle == 0)
        return;
    struct aerogpu_cmd_ext_destroy_object *packet =
        umd_begin_creation(device, AEROGPU_CMD_EXT_DESTROY_OBJECT, sizeof *packet);
    packet->object_handle = handle;
    packet->reserved0 = 0;
    umd_end_creation(device);
}

static void end_helpers(struct umd_device *device, const struct helpers *helpers)
{
    end_helper(device, helpers->input);
    end_helper(device, helpers->output);
    end_helper(device, helpers->patch_constant);
    end_helper(device, helpers->stream_output);
}

static bool write_shader(struct umd_device *device, const struct umd_shader_desc *desc,
                         const struct helpers *helpers, aerogpu_handle_t handle)
{
    struct aerogpu_cmd_ext_create_shader *packet;
    const uint64_t padded = ((uint64_t)desc->size_bytes + 3) & ~UINT64_C(3);
    packet = umd_begin_long_creation(device, AEROGPU_CMD_EXT_CREATE_SHADER, sizeof *packet + padded);
    if (packet != NULL) {
        packet->shader_handle = handle;
        packet->program = desc->stage;
        packet->input_signature = helpers->input;
        packet->output_signature = helpers->output;
        packet->patch_constant_signature = helpers->patch_constant;
        packet->stream_output = helpers->stream_output;
        packet->size_bytes = desc->size_bytes;
        packet->reserved0 = 0;
        uint8_t *bytes = (uint8_t *)(packet + 1);
        if (desc->size_bytes != 0)
            memcpy(bytes, desc->code, desc->size_bytes);
        memset(bytes + desc->size_bytes, 0, (size_t)padded - desc->size_bytes);
    }
    umd_end_creation(device);
    return packet != NULL;
}

enum umd_status umd_create_shader(struct umd_device *device, const struct umd_shader_desc *desc,
                                  struct umd_shader **result)
{
    struct helpers helpers = {0};
    *result = NULL;
    struct umd_shader *shader = umd_make_object(device, sizeof *shader);
    if (shader == NULL)
        return UMD_NO_MEMORY;
    const bool made =
        create_helpers(device, desc, &helpers) && write_shader(device, desc, &helpers, shader->object.handle);
    end_helpers(device, &helpers);
    if (!made) {
        umd_give_up_object(device, shader);
        return UMD_NO_MEMORY;
    }
    *result = shader;
    return UMD_OK;
}

void umd_destroy_shader(struct umd_device *device, struct umd_shader *shader)
{
    umd_destroy_object(device, shader, AEROGPU_CMD_DESTROY_SHADER);
}
