/* SPDX-License-Identifier: MIT
 *
 * The sections of an executor's part of a snapshot, in their order (docs/snapshots.md).
 */
#ifndef AG_EXEC_SNAPSHOT_SECTIONS_H
#define AG_EXEC_SNAPSHOT_SECTIONS_H

#include "base/archive.h"

#define AG_SECTION_EXECUTOR AG_ARCHIVE_TAG('E', 'X', 'E', 'C')
#define AG_SECTION_OBJECT AG_ARCHIVE_TAG('O', 'B', 'J', 'T')
#define AG_SECTION_NAMES AG_ARCHIVE_TAG('N', 'A', 'M', 'E')
#define AG_SECTION_SHADER AG_ARCHIVE_TAG('S', 'H', 'D', 'R')
#define AG_SECTION_QUERY AG_ARCHIVE_TAG('Q', 'U', 'R', 'Y')
#define AG_SECTION_CONTEXT AG_ARCHIVE_TAG('C', 'T', 'X', 'T')
#define AG_SECTION_CONTENTS AG_ARCHIVE_TAG('D', 'A', 'T', 'A')
#define AG_SECTION_SUBMISSION AG_ARCHIVE_TAG('E', 'S', 'U', 'B')
#define AG_SECTION_END AG_ARCHIVE_TAG('E', 'E', 'N', 'D')

#endif
