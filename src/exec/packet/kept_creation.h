/* SPDX-License-Identifier: MIT
 *
 * Creations that succeeded: objects keep the packet that made them (object/creation.h), for snapshots.
 */
#ifndef AG_EXEC_PACKET_KEPT_CREATION_H
#define AG_EXEC_PACKET_KEPT_CREATION_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/packet_walk.h"

struct ag_creation;
struct ag_objects;
struct agpu_packet;

/* Whether the packet creates an object that keeps its creation; *item gets the handle. Shaders keep their
 * source instead, and imported resources are the exporter's. */
bool ag_creation_is_kept(const struct agpu_packet *packet, struct ag_packet_item *item);

/* Where the object of the handle has its creation. Null when the handle names nothing. */
struct ag_creation **ag_creation_of(struct ag_objects *objects, const struct ag_packet_item *item);

/* Called after each packet whose handler has succeeded. */
void ag_creation_keep(struct ag_objects *objects, const struct agpu_packet *packet);

/* Destroys what the packet has made in part, whose creation is not kept: the rest will not be made. */
void ag_creation_take_back(struct ag_objects *objects, const struct agpu_packet *packet);

#endif
