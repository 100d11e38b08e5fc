#ifndef POD_BASE_GROWTH_H
#define POD_BASE_GROWTH_H

/*
 * growth - arrays that grow as things are added.
 *
 *     status = pod_grow(context, &list->rows, &list->room, list->count + 1,
 *                       (pod_growth){sizeof *list->rows, .first = 64, .what = "a list"}, error);
 *     if (status == POD_OK)
 *         list->rows[list->count++] = row;
 *
 * The owner keeps the pointer and how many items there is room for, NULL and 0 at first. Where that is not enough, the
 * room doubles. On failure nothing has changed.
 */

#include "base/arena.h"

typedef struct pod_growth {
    size_t item;      /* bytes of one */
    size_t first;     /* items to begin with */
    size_t most;      /* items beyond which there is room for those that are needed only; 0: no such bound */
    const char *what; /* what needs the memory, for the message */
} pod_growth;

/* Makes room for `needed` items in a block of the heap, the caller's to pod_free(). `items` is the address of the
 * pointer to them, of whatever type; what is new is not cleared. `error` may be NULL, then also growth.what. */
pod_status pod_grow(pod_context *context, void *items, size_t *room, size_t needed, pod_growth growth,
                    pod_error *error);

/* The same in an arena, for fewer than 2^32 - 1 items; what is new is zero, and the old block stays until the arena is
 * cleared. False when there is no memory. */
bool pod_arena_grow(pod_arena *arena, void *items, uint32_t *room, size_t needed, pod_growth growth);

#endif
