#ifndef MOONPOD_REPLICATE_H
#define MOONPOD_REPLICATE_H

/*
 * replicate - pod_graph_replicate() for hosts that take results apart by replicas.
 */

#include "moonpod/graph.h"

/* As pod_graph_replicate(), and fills output_rows (one an output): how many entries along axis 0 of a
 * core's value belong to one row of its shard. 0 says that axis does not run over rows, so that no
 * entry of it is padding. */
POD_API POD_CHECKED pod_status pod_graph_replicate_rows(const pod_graph *graph, const pod_replicate_options *options,
                                                        int64_t *output_rows, pod_graph **replicated, pod_error *error);

#endif
