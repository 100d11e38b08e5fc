#ifndef POD_INPUT_LENGTHS_H
#define POD_INPUT_LENGTHS_H

/*
 * lengths - an integer of each element, which says where it belongs: by a graph of its components, of which those that
 * are not all of one size are given as their sizes; or the last component itself.
 */

#include "input/runner.h"

/* How a dataset's elements are asked. */
typedef struct pod_lengths_plan {
    const pod_dataset *input;                /* borrowed */
    const pod_graph *graph;                  /* borrowed; NULL: the last component, int64 () */
    pod_component asked[POD_MAX_COMPONENTS]; /* what the graph takes */
    pod_runner_mode mode;
    int64_t block; /* elements at once */
} pod_lengths_plan;

/* Checks that a graph, or the last component, says how long elements are; `stage` is for messages. */
pod_status pod_input_lengths_plan(pod_lengths_plan *plan, const pod_dataset *input, const pod_graph *graph,
                                  const char *stage, pod_error *error);

/* What asks them; for one thread at a time. */
typedef struct pod_lengths {
    const pod_lengths_plan *plan; /* borrowed */
    pod_runner runner;
    pod_spares *sizes; /* of what the graph takes: one a component */
    pod_part *asked;
} pod_lengths;

/* Makes one for a stage, among its holdings. On failure it is still to be closed. */
pod_status pod_input_lengths_open(pod_lengths *lengths, const pod_lengths_plan *plan, pod_stage *stage,
                                  pod_error *error);
void pod_input_lengths_close(pod_lengths *lengths);

/* Finds the lengths of `count` elements, at most plan.block; *found receives how many: fewer where it fails, those
 * before the one that made it fail. Elements stay the caller's; a last component that is their length is taken away,
 * and the others move together. */
pod_status pod_input_lengths_find(pod_lengths *lengths, pod_part *elements, size_t count, int64_t *into, size_t *found,
                                  pod_error *error);

#endif
