#define _GNU_SOURCE /* memmem() */
#include "editor/history.h"

#include <stdlib.h>
#include <string.h>

#include "editor/byte_string.h"

static void drop(line_history *of, size_t at)
{
    of->held -= of->entries[at].size;
    free(of->entries[at].text);
    memmove(of->entries + at, of->entries + at + 1, (of->count - at - 1) * sizeof *of->entries);
    of->count--;
}

/* Drops the entries before the last one that are equal to it, and the oldest ones beyond what is kept. */
static void drop_old(line_history *of)
{
    const history_entry *last = &of->entries[of->count - 1];
    for (size_t i = of->count - 1; i-- > 0;)
        if (of->entries[i].size == last->size && memcmp(of->entries[i].text, last->text, last->size) == 0) {
            drop(of, i);
            return;
        }
    while (of->count > 1 && (of->count > HISTORY_ENTRIES || of->held > HISTORY_BYTES))
        drop(of, 0);
}

static bool is_blank(const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (text[i] != ' ' && text[i] != '\t' && text[i] != '\n')
            return false;
    return true;
}

bool history_append(line_history *to, const char *text, size_t size)
{
    if (is_blank(text, size) || size > HISTORY_BYTES)
        return false;
    char *copy = malloc(size + 1);
    if (copy == NULL || !byte_string_grow(&to->entries, &to->capacity, to->count, sizeof *to->entries)) {
        free(copy);
        return false;
    }
    memcpy(copy, text, size);
    copy[size] = '\0';
    to->entries[to->count++] = (history_entry){copy, size};
    to->held += size;
    return true;
}

bool history_add(line_history *to, const char *text, size_t size)
{
    if (!history_append(to, text, size))
        return false;
    drop_old(to);
    return true;
}

static bool matches(const history_entry *entry, const char *text, size_t size, bool at_start)
{
    if (size == 0 || size > entry->size)
        return size == 0;
    return at_start ? memcmp(entry->text, text, size) == 0 : memmem(entry->text, entry->size, text, size) != NULL;
}

size_t history_find(const line_history *in, size_t from, int step, const char *text, size_t size, bool at_start)
{
    for (size_t i = from; step < 0 ? i-- > 0 : ++i < in->count;)
        if (matches(&in->entries[i], text, size, at_start))
            return i;
    return in->count;
}

void history_free(line_history *ended)
{
    for (size_t i = 0; i < ended->count; i++)
        free(ended->entries[i].text);
    free(ended->entries);
    *ended = (line_history){0};
}
