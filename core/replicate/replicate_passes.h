#ifndef POD_REPLICATE_PASSES_H
#define POD_REPLICATE_PASSES_H

/*
 * The three passes over one graph: pod_graph_replicate() and pod_graph_map() in common.
 */

#include "moonpod/replicate.h"
#include "replicate/replicate_emit.h"

typedef struct pod_graph_batch_options {
    pod_shards shards;
    const pod_placement *parameters; /* one a parameter */
    const pod_placement *outputs;    /* one an output */
    pod_output_rows *output_rows;    /* filled, one an output; or NULL */
    bool own;                        /* see pod_rank_share */
} pod_graph_batch_options;

/* Fills in how the values of the replicas make that of all rows, of each output of a plan that is settled forwards. */
void pod_replicate_totals(const pod_plan *plan, pod_output_rows *output_rows);

/* Makes the graph of all replicas. On success *result is the caller's; on failure it is NULL. */
pod_status pod_replicate_batch(const pod_graph *graph, const pod_graph_batch_options *options, pod_graph **result,
                               pod_error *error);

#endif
