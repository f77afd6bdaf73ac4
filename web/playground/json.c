/* SPDX-License-Identifier: MIT */
#include "json.h"

#include <string.h>

static void separate(struct ag_strbuf *json)
{
    if (json->length > 0 && strchr("{[:", json->data[json->length - 1]) == NULL)
        ag_strbuf_append_char(json, ',');
}

void json_open(struct ag_strbuf *json, char bracket)
{
    separate(json);
    ag_strbuf_append_char(json, bracket);
}

void json_close(struct ag_strbuf *json, char bracket)
{
    ag_strbuf_append_char(json, bracket);
}

void json_text(struct ag_strbuf *json, const char *text, size_t length)
{
    separate(json);
    ag_strbuf_append_char(json, '"');
    for (size_t i = 0; i < length; i++) {
        const char c = text[i];
        if (c == '"' || c == '\\')
            ag_strbuf_append_char(json, '\\');
        if ((unsigned char)c < ' ')
            ag_strbuf_printf(json, "\\u%04x", (unsigned)c);
        else
            ag_strbuf_append_char(json, c);
    }
    ag_strbuf_append_char(json, '"');
}

void json_word(struct ag_strbuf *json, const char *text)
{
    json_text(json, text, strlen(text));
}

void json_key(struct ag_strbuf *json, const char *key)
{
    json_word(json, key);
    ag_strbuf_append_char(json, ':');
}

void json_number(struct ag_strbuf *json, uint64_t number)
{
    separate(json);
    ag_strbuf_printf(json, "%llu", (unsigned long long)number);
}

void json_note(void *log, const struct agpu_diag *diag)
{
    if (diag->severity == AGPU_NOTE)
        return;
    if (diag->place.line != 0)
        ag_strbuf_printf(log, "line %u: ", (unsigned)diag->place.line);
    ag_strbuf_printf(log, "%s: %s\n", agpu_diag_slug(diag->code), diag->message);
}
