/* SPDX-License-Identifier: MIT
 *
 * Pictures in files: PNG, GIF and contact sheets.
 */
#ifndef AG_CLI_PICTURE_H
#define AG_CLI_PICTURE_H

#include "base/diag.h"
#include "base/vec.h"

/* RGBA8, rows top to bottom, 4 * width bytes each. */
struct cli_picture {
    uint32_t width, height;
    uint8_t *pixels; /* owned */
};

typedef AG_VEC(struct cli_picture) cli_pictures;

/* A copy of pixels; a picture without pixels when out of memory. */
struct cli_picture cli_picture_copy(const uint8_t *pixels, uint32_t width, uint32_t height);
void cli_picture_fini(struct cli_picture *picture);
void cli_pictures_fini(cli_pictures *pictures);

/* Decodes any PNG to RGBA8. Reports base.file-unreadable or scene.png. The caller finishes *picture. */
bool cli_read_png(const char *path, struct cli_picture *picture, const struct agpu_diag_sink *sink);

/* These report base.file-unwritable. */
bool cli_write_png(const char *path, const uint8_t *pixels, uint32_t width, uint32_t height,
                   const struct agpu_diag_sink *sink);

/* An endless animation, `delay_ms` per frame, as large as the largest picture. */
bool cli_write_gif(const char *path, const cli_pictures *pictures, uint32_t delay_ms,
                   const struct agpu_diag_sink *sink);

/* The pictures side by side in a grid, each scaled down to at most 320 by 240. */
struct cli_picture cli_contact_sheet(const cli_pictures *pictures);

#endif
