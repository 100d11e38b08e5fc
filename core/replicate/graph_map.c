/* From a function of one element to the function of many: the elements are replicas whose values
 * are all stacked. */

#include "base/context.h"
#include "base/error.h"
#include "replicate/replicate_passes.h"

static pod_placement *make_placements(const pod_graph *graph, const bool *mapped)
{
    size_t count = (size_t)graph->parameter_count + graph->output_count;
    pod_placement *placements = pod_allocate_zeroed(graph->context, count, sizeof *placements);
    if (placements == NULL)
        return NULL;
    for (uint32_t i = 0; i < graph->parameter_count; i++)
        placements[i] = mapped == NULL || mapped[i] ? POD_PER_REPLICA : POD_MIRRORED;
    for (uint32_t i = 0; i < graph->output_count; i++)
        placements[graph->parameter_count + i] = POD_PER_REPLICA;
    return placements;
}

pod_status pod_graph_map(const pod_graph *graph, int64_t rows, const bool *mapped, pod_graph **result, pod_error *error)
{
    *result = NULL;
    pod_status status = pod_graph_check(graph, error);
    if (status != POD_OK)
        return status;
    if (rows < 1)
        return pod_error_set(error, POD_ERROR_ARGUMENT,
                             "a function is mapped over %lld elements; there must be at least one", (long long)rows);
    pod_placement *placements = make_placements(graph, mapped);
    if (placements == NULL)
        return pod_error_memory(error, "mapping a function", sizeof *placements);
    pod_graph_batch_options batch = {
        .shards = {.replicas = rows, .even = true, .mapping = true, .ranks = 1, .all_replicas = rows},
        .parameters = placements,
        .outputs = placements + graph->parameter_count,
    };
    status = pod_replicate_batch(graph, &batch, result, error);
    pod_free(graph->context, placements);
    return status;
}
