/* SPDX-License-Identifier: MIT
 *
 * What the programs share that write documents from tables.
 */
#ifndef AG_DOCS_DOCUMENT_H
#define AG_DOCS_DOCUMENT_H

#include "base/strbuf.h"

/* Writes the document to standard output; with --check FILE, fails when FILE has another text. Frees it, and
 * returns what main() returns. */
int document_finish(struct ag_strbuf *document, int argc, char **argv);

#endif
