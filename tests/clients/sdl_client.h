/* SPDX-License-Identifier: MIT
 *
 * Stands in front of SDL's test programs when they are compiled: they draw by Direct3D 11 or fail, and end
 * after some frames.
 */
#ifndef CLIENTS_SDL_CLIENT_H
#define CLIENTS_SDL_CLIENT_H

#include "client_frame.h"

#include <SDL.h>
#include <string.h>
#include <time.h>

static inline void client_take_picture(SDL_Renderer *renderer)
{
    SDL_RendererInfo info = {0};
    SDL_Rect viewport;
    int width = 0, height = 0;
    SDL_GetRendererInfo(renderer, &info);
    if (info.name == NULL || strcmp(info.name, "direct3d11") != 0) {
        printf("fail %s: the renderer is %s\n", CLIENT_CASE, info.name);
        return;
    }
    SDL_GetRendererOutputSize(renderer, &width, &height);
    unsigned char *const pixels = calloc((size_t)width * (size_t)height, 4);
    SDL_RenderGetViewport(renderer, &viewport);
    SDL_RenderSetViewport(renderer, NULL);
    if (pixels == NULL ||
        SDL_RenderReadPixels(renderer, NULL, SDL_PIXELFORMAT_RGBA32, pixels, width * 4) != 0)
        printf("fail %s: %s\n", CLIENT_CASE, SDL_GetError());
    else
        client_write_picture(CLIENT_CASE, pixels, width, height, (size_t)width * 4);
    SDL_RenderSetViewport(renderer, &viewport);
    free(pixels);
}

static inline void client_present(SDL_Renderer *renderer)
{
    static int frames;
    SDL_Event quit = {.type = SDL_QUIT};
    if (frames == 0)
        atexit(client_say_done);
    if (++frames == CLIENT_FRAMES)
        client_take_picture(renderer);
    SDL_RenderPresent(renderer);
    if (frames >= CLIENT_FRAMES)
        SDL_PushEvent(&quit);
}

/* A sixtieth of a second has gone by whenever somebody looks. */
static inline Uint32 client_ticks(void)
{
    static Uint32 ticks;
    return ticks += 17;
}

#define SDL_RenderPresent client_present
#define SDL_GetTicks client_ticks
#define time(where) ((time_t)1)

#endif
