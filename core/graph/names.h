#ifndef POD_GRAPH_NAMES_H
#define POD_GRAPH_NAMES_H

/* names - strings of which each is kept once, so that thousands of nodes of one source line share
 * it. */

#include "base/arena.h"

typedef struct pod_names {
    const char **slots;
    uint32_t count, capacity; /* capacity is 0 or a power of two */
} pod_names;

/* Returns the kept copy of a text, made in `arena` when it is new; NULL when there is no memory. */
const char *pod_graph_names_keep(pod_names *names, pod_arena *arena, const char *text);

/* Frees the table; the strings belong to the arena. */
void pod_graph_names_clear(pod_names *names, pod_context *context);

#endif
