#include "graph/names.h"

#include <assert.h>
#include <string.h>

#include "base/context.h"

/* FNV-1a. */
static uint32_t hash_text(const char *text)
{
    uint32_t hash = 2166136261u;
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 16777619u;
    return hash;
}

/* Returns the slot that holds the text, or the empty one where it belongs. */
static const char **find_slot(const char **slots, uint32_t capacity, const char *text)
{
    assert(capacity > 0 && (capacity & (capacity - 1)) == 0);
    uint32_t at = hash_text(text) & (capacity - 1);
    while (slots[at] && strcmp(slots[at], text) != 0)
        at = (at + 1) & (capacity - 1);
    return &slots[at];
}

static bool grow(pod_names *names, pod_context *context)
{
    uint32_t capacity = names->capacity ? 2 * names->capacity : 16;
    const char **slots = pod_allocate_zeroed(context, capacity, sizeof(*slots));
    if (!slots)
        return false;
    for (uint32_t i = 0; i < names->capacity; i++) {
        if (names->slots[i])
            *find_slot(slots, capacity, names->slots[i]) = names->slots[i];
    }
    pod_free(context, names->slots);
    names->slots = slots;
    names->capacity = capacity;
    return true;
}

const char *pod_graph_names_keep(pod_names *names, pod_arena *arena, const char *text)
{
    if (2 * names->count >= names->capacity && !grow(names, arena->context))
        return NULL;
    assert(2 * names->count < names->capacity); /* a free slot ends each search */
    const char **slot = find_slot(names->slots, names->capacity, text);
    if (!*slot) {
        *slot = pod_arena_string(arena, text);
        names->count += *slot != NULL;
    }
    return *slot;
}

void pod_graph_names_clear(pod_names *names, pod_context *context)
{
    pod_free(context, names->slots);
    *names = (pod_names){0};
}
