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
 * of indices, are gathered in one output; bodies of calls stand in the place of the calls. Checks in regions of cond
 * and while stay, and are refused. */
POD_CHECKED pod_status pod_exchange_make_portable(const pod_graph *graph, pod_arena *arena, pod_graph **portable,
                                                  pod_exchange_checks *checks, pod_error *error);

/* Returns what gives a node's result by other ops, where StableHLO has not the node's or compilers do it otherwise
 * (portable_ops.c); NULL: the node itself gives it. */
pod_node *pod_exchange_say_otherwise(pod_graph *graph, const pod_node *node, pod_node *const *inputs);

#endif
