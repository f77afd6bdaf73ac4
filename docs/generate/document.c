/* SPDX-License-Identifier: MIT */
#include "document.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_content(const char *path, const struct ag_strbuf *expected)
{
    FILE *file = fopen(path, "rb");
    char *found = malloc(expected->length + 1);
    const size_t size = file == NULL || found == NULL ? 0 : fread(found, 1, expected->length + 1, file);
    const bool same = found != NULL && size == expected->length && memcmp(found, expected->data, size) == 0;
    free(found);
    if (file != NULL)
        fclose(file);
    return same;
}

int document_finish(struct ag_strbuf *document, int argc, char **argv)
{
    bool good = !document->failed;
    if (good && argc == 3 && strcmp(argv[1], "--check") == 0) {
        good = is_content(argv[2], document);
        if (!good)
            fprintf(stderr, "%s is out of step with its table\n", argv[2]);
    } else {
        good = good && fwrite(document->data, 1, document->length, stdout) == document->length;
    }
    ag_strbuf_fini(document);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
