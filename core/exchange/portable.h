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
 * of indices, are gathered in one output, also those in branches and loops: of a branch that is not taken they hold,
 * and a loop ends where one does not. Bodies of calls stand in the place of the calls. */
POD_CHECKED pod_status pod_exchange_make_portable(const pod_graph *graph, pod_arena *arena, pod_graph **portable,
                                                  pod_exchange_checks *checks, pod_error *error);

/* Returns what gives a node's result by other ops, where StableHLO has not the node's or compilers do it otherwise
 * (portable_ops.c); NULL: the node itself gives it. */
pod_node *pod_exchange_say_otherwise(pod_graph *graph, const pod_node *node, pod_node *const *inputs);

/* A graph that does steps of another one in a loop. */
typedef struct pod_exchange_repeats {
    int64_t most;          /* steps */
    uint32_t first, count; /* parameters that are given anew for each step: they have a first axis of `most` more */
    bool has_checks;       /* the last output of the graph is its checks: the loop ends where one does not hold */
} pod_exchange_repeats;

/* Makes the graph, the caller's. It has the parameters of `step` and behind them how many steps are to be done (s32, 1
 * and up), and its outputs, of the last step. */
POD_CHECKED pod_status pod_exchange_repeat(const pod_graph *step, const pod_exchange_repeats *repeats,
                                           pod_graph **repeated, pod_error *error);

#endif
