/*
 * Which axis of a program's arguments its batch is. Candidates are the axes of those arguments that no output is the
 * new value of. Each is followed through the graph: the batch's reaches most of what is computed, and stands at one
 * place in all of them that have it; sizes of layers stand at several, tables and windows have no rule. Another axis
 * is not taken for a batch that has no rule, unless its size is said: so axis 1 is the batch where axis 0 of the same
 * argument could be it, too.
 */

#include "moonpod/replicate.h"

#include "base/error.h"
#include "replicate/axis_marks.h"

typedef struct pod_axis_search {
    const pod_graph *graph;
    int64_t size;        /* that it must have; 0: any */
    bool *tried;         /* POD_MAX_RANK a parameter */
    bool *updated;       /* parameters that an output is the new value of */
    bool *failed;        /* parameters whose axis 0 has no rule, and is not that over which a loop goes */
    bool uniform;        /* of the best so far */
    double bytes;        /* of the best so far */
    pod_batch_axis best; /* its size is 0 where there is none */
    pod_error *error;    /* why the first candidate is none */
} pod_axis_search;

static bool *tried_at(const pod_axis_search *search, uint32_t parameter, int32_t axis)
{
    return &search->tried[(size_t)parameter * POD_MAX_RANK + (size_t)axis];
}

/* Less than this share of what is computed is along no batch. */
#define LEAST_SHARE 0.1

/* A batch is divided so often: over devices, then into parts whose gradients are added up. */
#define MOST_DIVISIONS 3

/* Bytes that are computed: all, or those along the axis. */
static double bytes_of(const pod_marked_graph *marked, bool all)
{
    double bytes = 0;
    for (uint32_t i = 0; i < marked->graph->node_count; i++) {
        const pod_node *node = marked->graph->nodes[i];
        for (uint32_t k = 0; k < node->region_count; k++)
            bytes += bytes_of(marked->regions[2 * (size_t)i + k], all);
        const bool leaf = node->op == POD_OP_PARAMETER || node->op == POD_OP_CONSTANT || node->op == POD_OP_RESULT;
        for (uint32_t j = 0; j < node->result_count && !leaf; j++)
            if (all || pod_replicate_mark_of(marked, node, j)->before > 0)
                bytes += (double)pod_shape_elements(&node->results[j].shape) *
                         (double)pod_dtype_size(node->results[j].dtype);
    }
    return bytes;
}

/* Whether the program can be made for a part of a candidate. */
static bool is_changeable(const pod_axis_search *search, const pod_batch_axis *candidate, pod_error *error)
{
    pod_graph *graph = NULL;
    const pod_status status = pod_graph_rescale(search->graph, candidate, candidate->parts, &graph, error);
    pod_graph_free(graph);
    return status == POD_OK;
}

/* Keeps a candidate that is better than those before; the error says why it cannot be. */
static void keep(pod_axis_search *search, const pod_marked_graph *marked, pod_batch_axis candidate, pod_error *error)
{
    bool uniform = true;
    for (uint32_t i = 0; i < search->graph->parameter_count; i++) {
        const pod_axis_mark *mark = pod_replicate_mark_of(marked, search->graph->parameters[i], 0);
        if (mark->before == 0)
            continue;
        *tried_at(search, i, mark->axis) |= mark->before == 1 && mark->after == 1;
        uniform &= mark->axis == candidate.axis || search->updated[i]; /* a cache has it wherever it likes */
        candidate.arguments++;
        candidate.updated += search->updated[i];
    }
    const double bytes = bytes_of(marked, false);
    if (search->size == 0 && (!uniform || bytes < LEAST_SHARE * bytes_of(marked, true)))
        return;
    const bool first = search->best.size == 0;
    if (!first && (uniform != search->uniform ? search->uniform : bytes <= search->bytes))
        return;
    if (!is_changeable(search, &candidate, error))
        return;
    search->best = candidate;
    search->uniform = uniform;
    search->bytes = bytes;
}

/* Tries an axis in equal parts; *split: in how many else, 0: that is no remedy. False: there is no memory. */
static bool try_parts(pod_axis_search *search, uint32_t parameter, int32_t axis, int64_t parts, int64_t *split)
{
    const int64_t size = search->graph->parameters[parameter]->results[0].shape.dims[axis];
    pod_error error = {0};
    pod_axis_walk walk = {.error = &error};
    pod_arena_init(&walk.arena, search->graph->context);
    const pod_marked_graph *marked = pod_replicate_mark_axis(&walk, search->graph, parameter, axis, parts);
    *split = marked == NULL ? walk.split : 0;
    if (marked != NULL)
        keep(search, marked, (pod_batch_axis){.parameter = parameter, .axis = axis, .size = size, .parts = parts},
             &error);
    if (error.status != POD_OK && (search->error->status == POD_OK || error.status == POD_ERROR_MEMORY))
        *search->error = error;
    const bool walked = walk.refused == POD_OP_DYNAMIC_SLICE || walk.refused == POD_OP_DYNAMIC_UPDATE_SLICE;
    if (axis == 0)
        search->failed[parameter] = marked == NULL && !walked;
    pod_arena_clear(&walk.arena);
    return error.status != POD_ERROR_MEMORY;
}

static bool try_axis(pod_axis_search *search, uint32_t parameter, int32_t axis)
{
    const pod_shape *shape = &search->graph->parameters[parameter]->results[0].shape;
    bool *tried = tried_at(search, parameter, axis);
    if (*tried || shape->dims[axis] < 2 || (search->size != 0 && shape->dims[axis] != search->size))
        return true;
    *tried = true;
    int64_t parts = 1, split;
    for (int divisions = 0; divisions < MOST_DIVISIONS; divisions++, parts *= split) {
        if (!try_parts(search, parameter, axis, parts, &split))
            return false;
        if (split == 0)
            break;
    }
    return true;
}

/* Tries axis 0 of all arguments, then axis 1, and so on: of two that are alike the first is taken. */
static void try_all(pod_axis_search *search)
{
    for (int32_t axis = 0; axis < POD_MAX_RANK; axis++)
        for (uint32_t i = search->graph->parameter_count; i-- > 0;)
            if (!search->updated[i] && axis < search->graph->parameters[i]->results[0].shape.rank &&
                !try_axis(search, i, axis))
                return;
}

pod_status pod_graph_find_batch(const pod_graph *graph, int64_t size, pod_batch_axis *found, pod_error *error)
{
    *found = (pod_batch_axis){0};
    pod_status status = pod_graph_check(graph, error);
    if (status != POD_OK)
        return status;
    pod_arena arena;
    pod_error why = {0};
    pod_axis_search search = {.graph = graph, .size = size, .error = &why};
    pod_arena_init(&arena, graph->context);
    search.tried = pod_arena_array(&arena, (size_t)graph->parameter_count + 1, POD_MAX_RANK * sizeof *search.tried);
    search.updated = pod_arena_array(&arena, (size_t)graph->parameter_count + 1, sizeof *search.updated);
    search.failed = pod_arena_array(&arena, (size_t)graph->parameter_count + 1, sizeof *search.failed);
    if (search.tried == NULL || search.updated == NULL || search.failed == NULL) {
        pod_arena_clear(&arena);
        return pod_error_memory(error, "finding a batch", sizeof search);
    }
    for (uint32_t i = 0; i < graph->output_count; i++)
        if (graph->aliases[i] >= 0)
            search.updated[graph->aliases[i]] = true;
    try_all(&search);
    if (size == 0 && search.best.axis > 0 && search.failed[search.best.parameter])
        search.best.size = 0;
    pod_arena_clear(&arena);
    if (search.best.size != 0 && why.status != POD_ERROR_MEMORY) {
        *found = search.best;
        return POD_OK;
    }
    if (why.status != POD_OK)
        return pod_error_set(error, why.status, "%.900s", why.message);
    if (size == 0)
        return pod_error_set(error, POD_ERROR_ARGUMENT, "no axis of the arguments that are only read is a batch");
    return pod_error_set(error, POD_ERROR_ARGUMENT, "no argument that is only read has an axis of %lld entries",
                         (long long)size);
}
