/* SPDX-License-Identifier: MIT
 *
 * The `asm` blocks of scenes.
 */
#ifndef AG_SCENE_SHADER_H
#define AG_SCENE_SHADER_H

#include "scene/model.h"

/* Assembles a listing whose first line is line `line` of the scene into a DXBC container that lives as long
 * as the scene, or, `bare`, into its tokens alone. Errors are reported with the scene's lines. */
bool scene_assemble_shader(struct scene_parser *parser, const char *text, size_t size, uint32_t line,
                           bool bare, struct scene_bytes *bytes);

#endif
