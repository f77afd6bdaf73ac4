/* SPDX-License-Identifier: MIT
 *
 * Shaders of scenes, made from listings.
 */
#ifndef AG_SCENE_SHADER_H
#define AG_SCENE_SHADER_H

#include "scene/model.h"

/* Assembles a listing into a DXBC container that lives as long as the scene, or, with `bare`, into its tokens
 * alone. The first line of the listing is `line` of the scene; of a listing of the library, which has no
 * error, the line that names it. Errors are reported with the lines of the scene. */
bool scene_assemble_shader(struct scene_parser *parser, const char *text, size_t size, uint32_t line,
                           bool bare, struct scene_bytes *bytes);

#endif
