/* Names of values: a table of lists, from which a scope is taken off in the reverse order. */

#include "exchange/syntax_names.h"
#include "base/growth.h"

#include <assert.h>
#include <string.h>

static uint32_t hash_span(pod_span span)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < span.length; i++)
        hash = (hash ^ (unsigned char)span.text[i]) * 16777619u;
    return hash;
}

static bool same_span(pod_span a, pod_span b)
{
    return a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

static bool grow_slots(pod_syntax_names *names)
{
    if (names->count < names->slot_count)
        return true;
    uint32_t wanted = names->slot_count ? 4 * names->slot_count : 1024;
    uint32_t *slots = pod_allocate(names->context, (size_t)wanted * sizeof *slots);
    if (!slots)
        return false;
    memset(slots, 0xFF, (size_t)wanted * sizeof *slots);
    pod_free(names->context, names->slots);
    names->slots = slots;
    names->slot_count = wanted;
    for (uint32_t i = 0; i < names->count; i++) {
        uint32_t *slot = &slots[hash_span(names->entries[i].name) & (wanted - 1)];
        names->entries[i].next = *slot;
        *slot = i;
    }
    return true;
}

const pod_syntax_name *pod_exchange_names_find(const pod_syntax_names *names, pod_span name)
{
    if (names->slot_count == 0)
        return NULL;
    uint32_t at = names->slots[hash_span(name) & (names->slot_count - 1)];
    while (at != UINT32_MAX && !same_span(names->entries[at].name, name))
        at = names->entries[at].next;
    return at == UINT32_MAX ? NULL : &names->entries[at];
}

bool pod_exchange_names_add(pod_syntax_names *names, pod_syntax_name name)
{
    if (pod_grow(names->context, &names->entries, &names->room, (size_t)names->count + 1,
                 (pod_growth){sizeof *names->entries, .first = 256}, NULL) != POD_OK ||
        !grow_slots(names))
        return false;
    uint32_t *slot = &names->slots[hash_span(name.name) & (names->slot_count - 1)];
    assert(names->count < names->room && (names->slot_count & (names->slot_count - 1)) == 0);
    name.next = *slot;
    names->entries[names->count] = name;
    *slot = names->count++;
    return true;
}

void pod_exchange_names_release(pod_syntax_names *names, uint32_t mark)
{
    assert(mark <= names->count);
    while (names->count > mark) {
        const pod_syntax_name *last = &names->entries[--names->count];
        uint32_t *slot = &names->slots[hash_span(last->name) & (names->slot_count - 1)];
        assert(*slot == names->count); /* the last one came to the head of its list */
        *slot = last->next;
    }
}

void pod_exchange_names_clear(pod_syntax_names *names)
{
    pod_free(names->context, names->entries);
    pod_free(names->context, names->slots);
    *names = (pod_syntax_names){.context = names->context};
}
