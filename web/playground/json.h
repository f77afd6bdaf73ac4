/* SPDX-License-Identifier: MIT
 *
 * Answers for JavaScript, written into a string builder.
 */
#ifndef AG_PLAYGROUND_JSON_H
#define AG_PLAYGROUND_JSON_H

#include <stdint.h>

#include "aerogpu/diag.h"
#include "base/strbuf.h"

/* Objects and arrays open with '{' and '[' and close with '}' and ']'; a comma goes before every part that
 * needs one. */
void json_open(struct ag_strbuf *json, char bracket);
void json_close(struct ag_strbuf *json, char bracket);
void json_key(struct ag_strbuf *json, const char *key);
void json_text(struct ag_strbuf *json, const char *text, size_t length);
void json_word(struct ag_strbuf *json, const char *text);
void json_number(struct ag_strbuf *json, uint64_t number);

/* For sinks, whose user is a string builder: lines of text with what was reported, but for notes. An answer
 * ends with them. */
void json_note(void *log, const struct agpu_diag *diag);

#endif
