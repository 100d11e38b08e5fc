/* From the graph of one core to the graph of all replicas: checks what is asked for. */

#include "moonpod/replicate.h"

#include "base/error.h"
#include "replicate/replicate_passes.h"

#define MAX_REPLICAS 65536

static bool any_split(const pod_graph *graph, const pod_replicate_options *options)
{
    for (uint32_t i = 0; i < graph->parameter_count; i++)
        if (options->parameter_placements[i] == POD_SPLIT)
            return true;
    return false;
}

/* The rows of a core's shapes, where a full shard has `full`: see pod_shards. */
static int64_t rows_of_core(const pod_graph *graph, const pod_replicate_options *options, int64_t full)
{
    bool two = full == 1 && any_split(graph, options);
    for (uint32_t i = 0; i < graph->parameter_count; i++) {
        const pod_shape *shape = &pod_node_type(graph->parameters[i])->shape;
        if (options->parameter_placements[i] == POD_SPLIT)
            two = two && shape->rank > 0 && shape->dims[0] == 2;
    }
    return two ? 2 : full;
}

static pod_status check_options(const pod_graph *graph, const pod_replicate_options *options, pod_error *error)
{
    pod_status status = pod_graph_check(graph, error);
    if (status != POD_OK)
        return status;
    if (options->replicas < 1 || options->replicas > MAX_REPLICAS)
        return pod_error_set(error, POD_ERROR_ARGUMENT, "the number of replicas is %lld; it must be 1 to %d",
                             (long long)options->replicas, MAX_REPLICAS);
    if ((graph->parameter_count > 0 && options->parameter_placements == NULL) ||
        (graph->output_count > 0 && options->output_placements == NULL))
        return pod_error_set(error, POD_ERROR_ARGUMENT, "the placements of %u parameters and %u outputs are not given",
                             graph->parameter_count, graph->output_count);
    if (options->global_rows < 0 || (options->global_rows == 0 && any_split(graph, options)))
        return pod_error_set(error, POD_ERROR_ARGUMENT,
                             "the batch has %lld rows; with split parameters it must have at least "
                             "one",
                             (long long)options->global_rows);
    return POD_OK;
}

/* Ranks have consecutive replicas, and so consecutive rows: of the last ones some may have fewer, or none. */
static pod_shards shards_of(const pod_graph *graph, const pod_replicate_options *options, const pod_rank_share *share)
{
    const int64_t ranks = share->count, rank = share->rank;
    const int64_t all = options->replicas, rows = options->global_rows, replicas = all / ranks;
    const int64_t full = rows / all + (rows % all != 0), chunk = rows_of_core(graph, options, full);
    const int64_t begin = rank * replicas * full, end = begin + replicas * full;
    pod_shards shards = {
        .replicas = replicas,
        .chunk = chunk,
        .full = full,
        .even = rows == chunk * all,
        .ranks = ranks,
        .all_replicas = all,
        .all_rows = rows,
        .first_replica = rank * replicas,
        .first_row = begin < rows ? begin : rows,
    };
    shards.rows = (end < rows ? end : rows) - shards.first_row;
    return shards;
}

pod_status pod_graph_replicate_on_rank(const pod_graph *graph, const pod_replicate_options *options,
                                       const pod_rank_share *share, pod_output_rows *output_rows,
                                       pod_graph **replicated, pod_error *error)
{
    const int64_t ranks = share->count, rank = share->rank;
    *replicated = NULL;
    pod_status status = check_options(graph, options, error);
    if (status != POD_OK)
        return status;
    if (ranks < 1 || rank < 0 || rank >= ranks || options->replicas % ranks != 0)
        return pod_error_set(error, POD_ERROR_ARGUMENT,
                             "%lld replicas cannot be divided among %lld ranks, of which this is number %lld",
                             (long long)options->replicas, (long long)ranks, (long long)rank);
    pod_graph_batch_options batch = {
        .shards = shards_of(graph, options, share),
        .parameters = options->parameter_placements,
        .outputs = options->output_placements,
        .output_rows = output_rows,
        .own = share->own,
    };
    return pod_replicate_batch(graph, &batch, replicated, error);
}

pod_status pod_graph_replicate(const pod_graph *graph, const pod_replicate_options *options, pod_graph **replicated,
                               pod_error *error)
{
    return pod_graph_replicate_on_rank(graph, options, &(pod_rank_share){.count = 1}, NULL, replicated, error);
}
