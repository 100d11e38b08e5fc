#ifndef MOONPOD_REPLICATE_H
#define MOONPOD_REPLICATE_H

/*
 * replicate - pod_graph_replicate() for hosts that take results apart by replicas, and for those that fill batches up.
 */

#include "moonpod/graph.h"

/* How the value that one core would give of all rows is made of those that the replicas give of theirs. */
typedef enum pod_row_total {
    POD_TOTAL_OTHER, /* not at all, or not in a way that is known; or it has rows itself */
    POD_TOTAL_SAME,  /* it is the same on each */
    POD_TOTAL_SUM,   /* their sum */
    POD_TOTAL_MEAN,  /* their mean, weighed by the replicas' rows */
    POD_TOTAL_MAX,
    POD_TOTAL_MIN
} pod_row_total;

/* Holds what is known of an output of one core. */
typedef struct pod_output_rows {
    int64_t entries[POD_MAX_RANK]; /* how many entries along each axis belong to one row of the core's shard; 0 says
                                    * that the axis does not run over rows, so that no entry of it is padding */
    pod_row_total total;
} pod_output_rows;

/* One of the processes that run a step together, each with as many of the replicas, in order. */
typedef struct pod_rank_share {
    int64_t count, rank; /* how many processes there are, and which this is, from 0; of 1 it has all replicas */
    bool own;            /* what is POD_PER_REPLICA has the values of this rank's replicas alone, not of all */
} pod_rank_share;

/* As pod_graph_replicate(), and fills output_rows, one an output (NULL: it does not). The graph is that of one rank.
 * Parameters and outputs are those of pod_graph_replicate(), whole on each rank, but for what is a rank's own. In
 * between a rank computes what its replicas do, and meets the others for collectives; its program runs where the
 * context has that many ranks. */
POD_API POD_CHECKED pod_status pod_graph_replicate_on_rank(const pod_graph *graph, const pod_replicate_options *options,
                                                           const pod_rank_share *share, pod_output_rows *output_rows,
                                                           pod_graph **replicated, pod_error *error);

/* Tells whether the program of one function for many rows computes it for fewer, too: `few` and `many` are the
 * function traced for `few_rows` and, more, `many_rows` rows. Parameters whose sizes differ between the two are those
 * that have rows, each along one axis. The other parameters are the caller's to give alike. When it is so, a run of
 * `many` whose further rows are copies of true ones gives first what `few` gives, along output_axes[i] of output i.
 * That is the axis that runs over rows; -1: none, the output is the same. Where it is not, since rows are mixed or the
 * function looks at their number, it fails with POD_ERROR_UNSUPPORTED, and the error names the op and its place. */
POD_API POD_CHECKED pod_status pod_graph_check_row_padding(const pod_graph *few, int64_t few_rows,
                                                           const pod_graph *many, int64_t many_rows,
                                                           int32_t *output_axes, pod_error *error);

/* An axis of a parameter that runs over a program's batch. */
typedef struct pod_batch_axis {
    uint32_t parameter;
    int32_t axis;
    int64_t size;       /* its entries */
    int64_t parts;      /* equal parts into which the program divides it, each of which is resized; 0 or 1: none */
    bool counts;        /* numbers that the program counts out to a multiple of the size follow it, such as the places
                         * of experts, where nothing contradicts that: set by the caller of pod_graph_rescale() */
    uint32_t arguments; /* parameters that have it */
    uint32_t updated;   /* those of them that an output is the new value of: caches, states */
} pod_batch_axis;

/* Finds the batch of a program that was made for one: the axis of parameters that no output is the new value of
 * (pod_graph_set_alias) along which most is computed, and which pod_graph_rescale() can change. `size`: that it has so
 * many entries, 0: any number of 2 and up.
 * Where there is none the error says why the first candidate is none. */
POD_API POD_CHECKED pod_status pod_graph_find_batch(const pod_graph *graph, int64_t size, pod_batch_axis *found,
                                                    pod_error *error);

/* Makes the graph of a program for another size of an axis of its parameters, as if it had been traced for that.
 * Numbers that a program computed from the size, such as the divisor of a mean, stay: it is for plans, not for
 * training. An op for which it is not known where the axis goes is refused with its name and place. On success *result
 * is the caller's. */
POD_API POD_CHECKED pod_status pod_graph_rescale(const pod_graph *graph, const pod_batch_axis *axis, int64_t size,
                                                 pod_graph **result, pod_error *error);

/* Makes the graph of a step whose forward pass is in `groups` groups, from 2 to the number of nodes, each of which
 * keeps only what the next one reads. What else the backward pass reads it computes again, but for the last group, as
 * with jax.checkpoint around groups of layers. The forward pass ends where the most bytes are there. Results are the
 * same numbers. On success *result is the caller's. */
POD_API POD_CHECKED pod_status pod_graph_rematerialize(const pod_graph *graph, uint32_t groups, pod_graph **result,
                                                       pod_error *error);

#endif
