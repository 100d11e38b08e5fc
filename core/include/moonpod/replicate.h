#ifndef MOONPOD_REPLICATE_H
#define MOONPOD_REPLICATE_H

/*
 * replicate - pod_graph_replicate() for hosts that take results apart by replicas, and for those that fill batches up.
 */

#include "moonpod/graph.h"

/* As pod_graph_replicate(), and fills output_rows (one an output): how many entries along axis 0 of a
 * core's value belong to one row of its shard. 0 says that axis does not run over rows, so that no
 * entry of it is padding. */
POD_API POD_CHECKED pod_status pod_graph_replicate_rows(const pod_graph *graph, const pod_replicate_options *options,
                                                        int64_t *output_rows, pod_graph **replicated, pod_error *error);

/* Tells whether the program of one function for many rows computes it for fewer, too: `few` and `many` are the
 * function traced for `few_rows` and, more, `many_rows` rows. Parameters whose sizes differ between the two are those
 * that have rows, each along one axis. The other parameters are the caller's to give alike. When it is so, a run of
 * `many` whose further rows are copies of true ones gives first what `few` gives, along output_axes[i] of output i.
 * That is the axis that runs over rows; -1: none, the output is the same. Where it is not, since rows are mixed or the
 * function looks at their number, it fails with POD_ERROR_UNSUPPORTED, and the error names the op and its place. */
POD_API POD_CHECKED pod_status pod_graph_check_row_padding(const pod_graph *few, int64_t few_rows,
                                                           const pod_graph *many, int64_t many_rows,
                                                           int32_t *output_axes, pod_error *error);

#endif
