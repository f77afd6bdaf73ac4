/* SPDX-License-Identifier: MIT */
#include "cli/recording.h"

#include "aerogpu/version.h"

/* The file is not buffered, so that what was recorded outlives this process. */
static bool append_to_file(void *user, const void *data, size_t size)
{
    return fwrite(data, 1, size, user) == size;
}

static enum agpu_status unwritable(const char *path, const struct agpu_diag_sink *sink)
{
    ag_report(sink, AGPU_DIAG_FILE_UNWRITABLE, AGPU_ERROR, ag_place_none(), "cannot write %s", path);
    return AGPU_REFUSED;
}

enum agpu_status cli_recording_begin(struct cli_recording *recording, const char *path,
                                     const struct agpu_adapter_info *adapter,
                                     const struct agpu_diag_sink *sink)
{
    char text[512];
    snprintf(text, sizeof text, "aerogpu %s, %s, %s", agpu_version_string(), adapter->name, adapter->driver);
    *recording = (struct cli_recording){.path = path, .file = fopen(path, "wb")};
    if (recording->file == NULL)
        return unwritable(path, sink);
    const struct agpu_capture_options options = {
        .size = sizeof options, .write = append_to_file, .user = recording->file, .text = text};
    const enum agpu_status status = setvbuf(recording->file, NULL, _IONBF, 0) != 0
                                        ? unwritable(path, sink)
                                        : agpu_capture_recorder_create(&options, sink, &recording->recorder);
    if (status != AGPU_OK) {
        fclose(recording->file);
        *recording = (struct cli_recording){0};
    }
    return status;
}

const struct agpu_device_tap *cli_recording_tap(struct cli_recording *recording)
{
    return agpu_capture_recorder_tap(recording->recorder);
}

enum agpu_status cli_recording_end(struct cli_recording *recording, const struct agpu_diag_sink *sink)
{
    enum agpu_status status = agpu_capture_recorder_finish(recording->recorder, sink);
    agpu_capture_recorder_destroy(recording->recorder);
    if (fclose(recording->file) != 0 && status == AGPU_OK)
        status = unwritable(recording->path, sink);
    *recording = (struct cli_recording){0};
    return status;
}
