/* SPDX-License-Identifier: MIT
 *
 * Stands in front of SDL's automatic tests when they are compiled: a renderer by anything but Direct3D 11 is
 * none.
 */
#ifndef CLIENTS_SDL_AUTOMATION_H
#define CLIENTS_SDL_AUTOMATION_H

#include "client_frame.h"

#include <SDL.h>
#include <string.h>

static inline SDL_Renderer *client_create_renderer(SDL_Window *window, int index, Uint32 flags)
{
    static int is_first = 1;
    SDL_RendererInfo info = {0};
    SDL_Renderer *const renderer = SDL_CreateRenderer(window, index, flags);
    if (is_first)
        atexit(client_say_done);
    is_first = 0;
    SDL_GetRendererInfo(renderer, &info);
    if (info.name != NULL && strcmp(info.name, "direct3d11") == 0)
        return renderer;
    SDL_SetError("the renderer is %s", info.name);
    return NULL;
}

#define SDL_CreateRenderer client_create_renderer

#endif
