/* SPDX-License-Identifier: MIT
 *
 * What a shader needs bound so that it is drawn at all.
 */
#ifndef AG_CORPUS_PIPELINE_BIND_H
#define AG_CORPUS_PIPELINE_BIND_H

#include "aerogpu/dxbc.h"
#include "aerogpu/stream_writer.h"

/* Every interface slot holds an instance of the first class that the interface lists. */
void pipeline_bind_instances(struct agpu_writer *writer, const struct agpu_program *program);

/* A texture for each that a pixel or compute shader writes; handles from `first` on are theirs. A pixel
 * shader's come with the targets, textures that are one colour and one depth target. */
void pipeline_bind_written(struct agpu_writer *writer, const struct agpu_program *program, uint32_t first,
                           uint32_t color, uint32_t depth);

#endif
