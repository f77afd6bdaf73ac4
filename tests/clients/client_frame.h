/* SPDX-License-Identifier: MIT
 *
 * What programs of others do when they present, if they are compiled as clients: of their last frame they
 * write the picture and say `pass CLIENT_CASE`, or why not. Their clocks and their random numbers are the
 * same in each run.
 */
#ifndef CLIENTS_CLIENT_FRAME_H
#define CLIENTS_CLIENT_FRAME_H

#include <stdio.h>
#include <stdlib.h>

#ifndef CLIENT_FRAMES
#define CLIENT_FRAMES 8
#endif

/* Writes rows of RGBA8, and tells of the case. */
static inline void client_write_picture(const char *name, const unsigned char *pixels, int width, int height,
                                        size_t pitch)
{
    char path[500];
    const char *const folder = getenv("CLIENT_FOLDER");
    snprintf(path, sizeof path, "%s/%s.pam", folder != NULL ? folder : ".", name);
    FILE *const file = fopen(path, "wb");
    if (file == NULL) {
        printf("fail %s: %s cannot be written\n", name, path);
        return;
    }
    fprintf(file, "P7\nWIDTH %d\nHEIGHT %d\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n", width,
            height);
    for (int y = 0; y < height; y++)
        fwrite(pixels + (size_t)y * pitch, 4, (size_t)width, file);
    fclose(file);
    printf("pass %s\n", name);
    fflush(stdout);
}

static inline void client_say_done(void)
{
    printf("done\n");
    fflush(stdout);
}

#endif
