/*
 * divided - programs whose values are divided among the devices of a mesh.
 *
 * Parameters and outputs are divided at random. What one device runs of that is replicated for all of them and run, and
 * the outputs put together again: they must be those of the whole program.
 */

#include "programs.h"

#include <string.h>

#include "evaluate.h"
#include "moonpod/divide.h"

#define MOST_DEVICES 8

typedef struct divided {
    int64_t devices;
    pod_division division;
    pod_sharding parameters[MOST_PARAMETERS], outputs[MOST_OUTPUTS];
    pod_placement placed[MOST_PARAMETERS + MOST_OUTPUTS];
    bool any;
} divided;

static pod_sharding any_sharding(divided *s, dice *d, const pod_shape *shape)
{
    pod_sharding made = {.given = true};
    pod_shape left = *shape;
    for (int32_t m = 0; m < POD_MESH_AXES; m++) {
        const int64_t size = s->division.mesh.sizes[m];
        const int32_t axis = shape->rank > 0 ? (int32_t)below(d, shape->rank) : 0;
        const bool divides = m < s->division.mesh.rank && shape->rank > 0 && left.dims[axis] > 0 &&
                             left.dims[axis] % size == 0 && chance(d, 70);
        made.axes[m] = (int8_t)(divides ? axis : -1);
        if (divides)
            left.dims[axis] /= size;
        s->any = s->any || divides;
    }
    return made;
}

static void choose(const program *p, dice *d, divided *s)
{
    const pod_graph *g = p->graph;
    pod_mesh *mesh = &s->division.mesh;
    *s = (divided){.devices = 1};
    mesh->rank = 1 + (int32_t)below(d, 3);
    for (int32_t m = 0; m < mesh->rank; m++) {
        const int64_t most = MOST_DEVICES / s->devices;
        mesh->sizes[m] = most < 2 ? 1 : 2 + below(d, chance(d, 70) ? 1 : most - 1);
        s->devices *= mesh->sizes[m];
    }
    for (uint32_t i = 0; i < g->parameter_count; i++) {
        s->parameters[i] = any_sharding(s, d, pod_node_shape(g->parameters[i], 0));
        s->parameters[i].stored = chance(d, 20);
    }
    for (uint32_t i = 0; i < g->output_count; i++)
        s->outputs[i] =
            g->aliases[i] >= 0 ? s->parameters[g->aliases[i]] : any_sharding(s, d, pod_node_shape(g->outputs[i], 0));
    for (int i = 0; i < MOST_PARAMETERS + MOST_OUTPUTS; i++)
        s->placed[i] = POD_PER_REPLICA;
    s->division.parameters = s->parameters;
    s->division.outputs = s->outputs;
    s->division.runs = true;
}

/* Programs in which bounds know all sums: those of 16 bits round each device's part. */
static bool is_wide(const pod_graph *g)
{
    for (uint32_t i = 0; i < g->node_count; i++) {
        const pod_node *node = g->nodes[i];
        for (uint32_t r = 0; r < node->result_count; r++)
            if (pod_dtype_is_float(node->results[r].dtype) && pod_dtype_size(node->results[r].dtype) < 4)
                return false;
        for (uint32_t j = 0; j < node->region_count; j++)
            if (!is_wide(node->regions[j]))
                return false;
    }
    return true;
}

/* ---- parts ------------------------------------------------------------------------------------------------- */

/* Copies between a value and the parts that devices have of it, which lie one behind the other. */
static void copy_parts(const divided *s, const pod_sharding *sharding, const pod_array *whole, const pod_array *parts,
                       bool join)
{
    const pod_mesh *mesh = &s->division.mesh;
    const size_t size = pod_dtype_size(whole->dtype);
    pod_shape part = whole->shape;
    for (int32_t m = 0; m < mesh->rank; m++)
        if (sharding->axes[m] >= 0)
            part.dims[sharding->axes[m]] /= mesh->sizes[m];
    const int64_t count = pod_shape_elements(&part);
    for (int64_t device = 0; device < s->devices; device++) {
        int64_t start[POD_MAX_RANK] = {0}, left[POD_MAX_RANK], stride = s->devices;
        memcpy(left, whole->shape.dims, sizeof left);
        for (int32_t m = 0; m < mesh->rank; m++) {
            stride /= mesh->sizes[m];
            const int32_t axis = sharding->axes[m];
            if (axis < 0)
                continue;
            left[axis] /= mesh->sizes[m];
            start[axis] += device / stride % mesh->sizes[m] * left[axis];
        }
        for (int64_t i = 0; i < count; i++) {
            int64_t at = 0, scale = 1, rest = i;
            for (int32_t k = part.rank - 1; k >= 0; k--) {
                at += (start[k] + rest % part.dims[k]) * scale;
                rest /= part.dims[k];
                scale *= whole->shape.dims[k];
            }
            char *one = (char *)whole->data + (size_t)at * size;
            char *own = (char *)parts->data + (size_t)(device * count + i) * size;
            if (join)
                memcpy(one, own, size);
            else
                memcpy(own, one, size);
        }
    }
}

static void divide_arguments(const program *p, const divided *s, program *made)
{
    for (uint32_t i = 0; i < made->graph->parameter_count; i++) {
        made->arguments[i] = array_new(p->arguments[i].dtype, pod_node_shape(made->graph->parameters[i], 0));
        copy_parts(s, &s->parameters[i], &p->arguments[i], &made->arguments[i], false);
    }
}

static void join_outputs(const program *p, const divided *s, const outcome *got, outcome *joined)
{
    *joined =
        (outcome){.status = got->status, .output_count = got->output_count, .parameter_count = got->parameter_count};
    snprintf(joined->message, sizeof joined->message, "%s", got->message);
    for (uint32_t i = 0; i < got->parameter_count; i++) {
        joined->arguments[i] = evaluate_copy(&p->arguments[i]);
        copy_parts(s, &s->parameters[i], &joined->arguments[i], &got->arguments[i], true);
    }
    for (uint32_t i = 0; i < got->output_count && got->status == POD_OK; i++) {
        if (got->outputs[i].dtype == POD_DTYPE_NONE)
            continue; /* a variable: in its argument */
        joined->outputs[i] = array_new(got->outputs[i].dtype, pod_node_shape(p->graph->outputs[i], 0));
        copy_parts(s, &s->outputs[i], &joined->outputs[i], &got->outputs[i], true);
    }
}

/* ---- running ----------------------------------------------------------------------------------------------- */

/* Holds a run of all devices to the oracle of the whole. */
static const char *compare(const program *p, const divided *s, outcome *expected, const outcome *got)
{
    outcome joined;
    join_outputs(p, s, got, &joined);
    const char *wrong = oracle_compare(p, expected, &joined);
    outcome_free(&joined);
    return wrong;
}

/* How many ranks may have the devices: each as many; 1: no more than one. */
static int32_t any_ranks(const divided *s, dice *d)
{
    int32_t counts[MOST_DEVICES], found = 0;
    for (int32_t n = 2; n <= s->devices; n++)
        if (s->devices % n == 0)
            counts[found++] = n;
    return found > 0 ? counts[below(d, found)] : 1;
}

static const char *check_ranks(pod_context *context, const program *p, const divided *s, dice *d, const pod_graph *part,
                               const program *all, outcome *expected)
{
    outcome got;
    const pod_replicate_options options = {s->devices, s->placed, s->placed, 0};
    const int32_t count = any_ranks(s, d);
    if (count == 1)
        return NULL;
    const char *wrong = ranks_run(context, part, &options, all, count, &got);
    if (wrong)
        return wrong;
    wrong = compare(p, s, expected, &got);
    outcome_free(&got);
    if (wrong) {
        static char kept[2 * POD_ERROR_MESSAGE_SIZE];
        snprintf(kept, sizeof kept, "on %d ranks: %s", count, wrong);
        return kept;
    }
    return NULL;
}

static const char *check_all(pod_context *context, const program *p, const divided *s, dice *d, const pod_graph *part,
                             program *all)
{
    outcome got = {0}, expected;
    divide_arguments(p, s, all);
    const char *wrong = program_run_once(context, all, &got);
    if (wrong)
        return wrong;
    oracle_run(p, NULL, 0, &expected);
    wrong = compare(p, s, &expected, &got);
    if (!wrong && got.status == POD_OK)
        wrong = check_ranks(context, p, s, d, part, all, &expected);
    outcome_free(&expected);
    outcome_free(&got);
    return wrong;
}

const char *divided_check(pod_context *context, const program *p, long *runs)
{
    static char report[4 * POD_ERROR_MESSAGE_SIZE];
    dice d = {p->seed ^ 0xd1d1};
    divided s;
    pod_error error;
    pod_graph *part = NULL;
    program all = {.seed = p->seed, .steps = p->steps};
    if (!is_wide(p->graph))
        return NULL;
    choose(p, &d, &s);
    if (!s.any)
        return NULL;
    pod_status status = pod_graph_of_device(p->graph, &s.division, &part, &error);
    const pod_replicate_options options = {s.devices, s.placed, s.placed, 0};
    if (status == POD_OK)
        status = pod_graph_verify(part, &error);
    if (status == POD_OK)
        status = pod_graph_replicate(part, &options, &all.graph, &error);
    const char *wrong = status == POD_OK || status == POD_ERROR_UNSUPPORTED ? NULL : error.message;
    if (status == POD_OK) {
        ++*runs;
        wrong = check_all(context, p, &s, &d, part, &all);
        program_free(&all);
    }
    pod_graph_free(part);
    if (wrong) {
        char kept[3 * POD_ERROR_MESSAGE_SIZE];
        snprintf(kept, sizeof kept, "%s", wrong);
        snprintf(report, sizeof report, "divided among %lld devices: %s", (long long)s.devices, kept);
    }
    return wrong ? report : NULL;
}
