/* SPDX-License-Identifier: MIT
 *
 * Device files that drivers of GPUs open again behind the filter of system calls: NVIDIA's opens its files
 * anew for what it allocates. A broker, a process of its own without a filter, opens the files that were open
 * when the filter came, and nothing else.
 */
#ifndef AG_PROCESS_DEVICE_FILES_H
#define AG_PROCESS_DEVICE_FILES_H

#include <stdbool.h>
#include <sys/types.h>

/* Starts the broker, before the driver has threads; it ends with this process. Negative when it cannot start.
 */
pid_t ag_device_files_begin(void);

/* Once the driver is open, before the filter: names the broker the device files that this process has open,
 * and takes the signal (SIGSYS) by which the filter hands over calls that open files or look at them. */
bool ag_device_files_end(void);

/* Ends a broker that nobody needs. */
void ag_device_files_forget(pid_t broker);

#endif
