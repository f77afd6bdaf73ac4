/* SPDX-License-Identifier: MIT
 *
 * What a shader needs bound so that it is drawn at all.
 */
#ifndef AGPU_CORPUS_PIPELINE_BIND_H
#define AGPU_CORPUS_PIPELINE_BIND_H

#include "aerogpu/dxbc.h"
#include "aerogpu/stream_writer.h"

/* Every interface slot holds an instance of the first class that the interface lists. */
void pipeline_bind_instances(struct agpu_writer *writer, const struct agpu_program *program);

#endif
