#ifndef POD_EXCHANGE_PORTABLE_H
#define POD_EXCHANGE_PORTABLE_H

/* portable - a graph of ops that StableHLO has: what it has not is said by others, or handed to the host. */

#include "graph/node.h"

/* What a program looks at itself and cannot raise: the message of each check, with its place. The graph's last output
 * says of each whether it held (bool[count]); without checks there is no such output. */
typedef struct pod_exchange_checks {
    uint32_t count;
    const char **messages; /* in the arena */
} pod_exchange_checks;

/* Makes the graph, the caller's: random bits are drawn by plain arithmetic, the same as this host's; checks, and those
 * of indices, are gathered in one output; bodies of calls stand in the place of the calls. What stands in regions of
 * cond and while stays as it is. */
POD_CHECKED pod_status pod_exchange_make_portable(const pod_graph *graph, pod_arena *arena, pod_graph **portable,
                                                  pod_exchange_checks *checks, pod_error *error);

#endif
