/* SPDX-License-Identifier: MIT
 *
 * Other processes of the session that run this runtime, of the same user: which of them live, how they wake
 * each other, and memory that several have. Nothing of it has a name in a file system; all of it ends with
 * the last process that has it, however that ends.
 *
 * What a neighbour writes into that memory is not trusted.
 */
#ifndef RT_D3D11_NEIGHBOUR_H
#define RT_D3D11_NEIGHBOUR_H

#include <stdbool.h>
#include <stdint.h>

/* ---- Processes ----------------------------------------------------------------------------------------- */

#define RT_PROCESS_BITS 12

/* A number below `count` that the process has for as long as it lives, and no other process of its session
 * has meanwhile. The lock of the process is held. False: all have theirs. */
bool rt_process_number(uint32_t count, uint32_t *number);

/* This process for others: its number in the low RT_PROCESS_BITS, and bits that no process after it has. 0:
 * there is no number left. The lock of the process is held. */
uint64_t rt_process_id(void);

/* Whether the process of an id is there. */
bool rt_process_lives(uint64_t id);

/* Begins to listen, once, by a thread of the process that calls `told` whenever another process has called
 * rt_process_tell() with this one's id; several calls of it may become one. The lock of the process is held.
 * False: no memory for a thread. */
bool rt_process_listen(void (*told)(void));
void rt_process_tell(uint64_t id);

/* ---- Sections of memory -------------------------------------------------------------------------------- */

struct rt_section_system; /* what the operating system has of it */

/* Memory that does not change its size, zeros at first. */
struct rt_section {
    uint8_t *bytes;
    uint64_t size;
    struct rt_section_system *system;
};

/* `name` has 30 bits, of which those from RT_SECTION_COUNT_BITS on are the maker's number. Whoever makes or
 * opens a section listens. False: there is such a section, or there is none, or no memory; nothing is to be
 * closed then. On POSIX a section is opened as long as its maker has it, on Windows as long as anybody has.
 */
#define RT_SECTION_COUNT_BITS 18
bool rt_section_create(struct rt_section *section, uint32_t name, uint64_t size);
bool rt_section_open(struct rt_section *section, uint32_t name);
void rt_section_close(struct rt_section *section);

/* Excludes other processes and other threads. False: somebody has had it for two seconds. Who ends while it
 * has the section gives it back. */
bool rt_section_lock(struct rt_section *section);
void rt_section_unlock(struct rt_section *section);

#endif
