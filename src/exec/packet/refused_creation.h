/* SPDX-License-Identifier: MIT
 *
 * What packets mean for the handles whose creation was refused.
 */
#ifndef AG_EXEC_PACKET_REFUSED_CREATION_H
#define AG_EXEC_PACKET_REFUSED_CREATION_H

#include "aerogpu/diag.h"

struct ag_host;
struct agpu_packet;

/* Called after each packet with the status of its handler. The handles that a failed packet was to create are
 * refused until another packet creates or destroys them. */
void ag_note_refused_creation(struct ag_host *host, const struct agpu_packet *packet,
                              enum agpu_status status);

#endif
