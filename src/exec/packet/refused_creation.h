/* SPDX-License-Identifier: MIT
 *
 * Creations that fail: the packet's handles become refused handles (host/refused_handle.h), and the stream
 * goes on.
 */
#ifndef AG_EXEC_PACKET_REFUSED_CREATION_H
#define AG_EXEC_PACKET_REFUSED_CREATION_H

#include <stdbool.h>

#include "aerogpu/diag.h"

struct ag_host;
struct agpu_packet;

/* Whether the packet makes an object of another object that was refused, such as a view of a refused texture.
 * Its handler is not called then, and the object is refused without a further report. */
bool ag_creation_is_of_refused(const struct ag_host *host, const struct agpu_packet *packet);

/* Called after each packet with the status of its handler. Returns whether the stream goes on (AGPU_OK): also
 * after a refused creation, unless the packet is malformed (ag_host_malformed()) or memory was exhausted. */
enum agpu_status ag_creation_settle(struct ag_host *host, const struct agpu_packet *packet,
                                    enum agpu_status status);

#endif
