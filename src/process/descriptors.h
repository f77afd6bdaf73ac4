/* SPDX-License-Identifier: MIT
 *
 * The file descriptors that a GPU process is given.
 */
#ifndef AG_PROCESS_DESCRIPTORS_H
#define AG_PROCESS_DESCRIPTORS_H

/* The socket, which the process is started with. Standard input and output are /dev/null, standard error is a
 * pipe to the owner (process/error_relay.h). */
#define AG_SOCKET_DESCRIPTOR 3

/* The socket to the broker of device files, where the driver may need one (process/device_files.h). */
#define AG_DEVICE_FILES_DESCRIPTOR 4

/* The most regions of guest memory that it maps. */
#define AG_GUEST_REGIONS 16

/* Descriptors that come with the first message: the shared memory, then one for each region. */
#define AG_DESCRIPTORS (1 + AG_GUEST_REGIONS)

#endif
