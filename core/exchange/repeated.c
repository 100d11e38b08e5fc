/* repeated - a graph that does steps of another one in a loop: see portable.h. */

#include "exchange/portable.h"

#include <string.h>

#include "base/arena.h"
#include "base/context.h"
#include "moonpod/builders.h"

/* What the loop carries from step to step: how many were done, what the graph's parameters are, how many are asked for,
 * and the outputs that update no parameter. */
typedef struct step_loop {
    const pod_graph *step;
    const pod_exchange_repeats *repeats;
    pod_node **state; /* of what is being built: operands, or parameters of a region */
    uint32_t count;
} step_loop;

static bool is_infed(const step_loop *loop, uint32_t parameter)
{
    return parameter >= loop->repeats->first && parameter - loop->repeats->first < loop->repeats->count;
}

/* The type of element `index` of the state. */
static pod_type type_of(const step_loop *loop, uint32_t index)
{
    const pod_graph *step = loop->step;
    if (index == 0 || index == step->parameter_count + 1)
        return (pod_type){.dtype = POD_S32};
    if (index <= step->parameter_count) {
        pod_type type = step->parameters[index - 1]->results[0];
        if (is_infed(loop, index - 1)) {
            memmove(type.shape.dims + 1, type.shape.dims, (size_t)type.shape.rank * sizeof *type.shape.dims);
            type.shape.dims[0] = loop->repeats->most;
            type.shape.rank++;
        }
        return type;
    }
    index -= step->parameter_count + 2;
    for (uint32_t i = 0;; i++)
        if (step->aliases[i] < 0 && index-- == 0)
            return step->outputs[i]->results[0];
}

/* A region with the state as parameters, which loop->state has from here on. */
static pod_graph *begin_region(step_loop *loop, const char *name, pod_error *error)
{
    pod_graph *region;
    if (pod_graph_new(loop->step->context, name, &region, error) != POD_OK)
        return NULL;
    for (uint32_t i = 0; i < loop->count; i++) {
        const pod_type type = type_of(loop, i);
        loop->state[i] = pod_graph_parameter(region, type.dtype, &type.shape, NULL);
    }
    return region;
}

/* More steps are asked for, and all checks have held so far. */
static pod_graph *make_condition(step_loop *loop, pod_error *error)
{
    pod_graph *region = begin_region(loop, "condition", error);
    if (!region)
        return NULL;
    pod_node *more =
        pod_graph_compare(region, POD_COMPARE_LT, loop->state[0], loop->state[loop->step->parameter_count + 1]);
    if (loop->repeats->has_checks)
        more = pod_graph_and(region, more,
                             pod_graph_reduce(region, "reduce_and", loop->state[loop->count - 1], NULL, false));
    pod_graph_add_output(region, more);
    return region;
}

/* What a step reads of a parameter that is given anew for each. */
static pod_node *element_of_step(const step_loop *loop, pod_graph *region, uint32_t parameter)
{
    const pod_shape *shape = &loop->step->parameters[parameter]->results[0].shape;
    pod_node *inputs[POD_MAX_RANK + 1] = {loop->state[parameter + 1], loop->state[0]};
    pod_attributes slice = {.shape = {.rank = shape->rank + 1, .dims = {1}}};
    memcpy(slice.shape.dims + 1, shape->dims, (size_t)shape->rank * sizeof *shape->dims);
    for (int32_t i = 0; i < shape->rank; i++)
        inputs[i + 2] = pod_graph_scalar(region, POD_S32, 0, NULL);
    pod_node *one = pod_graph_apply(region, POD_OP_DYNAMIC_SLICE, inputs, (size_t)shape->rank + 2, &slice, NULL, 0);
    return pod_graph_reshape(region, one, shape);
}

static pod_graph *make_body(step_loop *loop, pod_node **scratch, pod_error *error)
{
    const pod_graph *step = loop->step;
    pod_node **arguments = scratch, **results = scratch + step->parameter_count;
    pod_graph *region = begin_region(loop, "step", error);
    if (!region)
        return NULL;
    for (uint32_t i = 0; i < step->parameter_count; i++)
        arguments[i] = is_infed(loop, i) ? element_of_step(loop, region, i) : loop->state[i + 1];
    pod_graph_inline(region, step, arguments, results);
    loop->state[0] = pod_graph_add(region, loop->state[0], pod_graph_scalar(region, POD_S32, 1, NULL));
    uint32_t at = step->parameter_count + 2;
    for (uint32_t i = 0; i < step->output_count; i++)
        loop->state[step->aliases[i] >= 0 ? step->aliases[i] + 1 : at++] = results[i];
    for (uint32_t i = 0; i < loop->count; i++)
        pod_graph_add_output(region, loop->state[i]);
    return region;
}

/* The loop's operands: parameters of the graph; checks are begun with what holds, other outputs with 0. */
static void make_operands(step_loop *loop, pod_graph *graph)
{
    const uint32_t parameters = loop->step->parameter_count;
    loop->state[0] = pod_graph_scalar(graph, POD_S32, 0, NULL);
    for (uint32_t i = 1; i < loop->count; i++) {
        const pod_type type = type_of(loop, i);
        const bool is_check = loop->repeats->has_checks && i == loop->count - 1;
        const char *name = i <= parameters ? loop->step->parameters[i - 1]->attributes->name : "steps";
        loop->state[i] = i <= parameters + 1 ? pod_graph_parameter(graph, type.dtype, &type.shape, name)
                                             : pod_graph_scalar(graph, type.dtype, is_check, &type.shape);
    }
}

static void add_outputs(const step_loop *loop, pod_graph *graph, pod_node *node)
{
    const pod_graph *step = loop->step;
    uint32_t at = step->parameter_count + 2;
    for (uint32_t i = 0; i < step->output_count; i++) {
        const int64_t alias = step->aliases[i];
        pod_graph_add_output(graph, pod_graph_result(graph, node, alias >= 0 ? (size_t)alias + 1 : at++));
        if (alias >= 0)
            pod_graph_set_alias(graph, i, (size_t)alias);
    }
}

pod_status pod_exchange_repeat(const pod_graph *step, const pod_exchange_repeats *repeats, pod_graph **repeated,
                               pod_error *error)
{
    step_loop loop = {.step = step, .repeats = repeats, .count = step->parameter_count + 2};
    const uint32_t scratch = step->parameter_count + step->output_count;
    for (uint32_t i = 0; i < step->output_count; i++)
        loop.count += step->aliases[i] < 0;
    pod_graph *graph = NULL, *regions[2] = {NULL, NULL};
    loop.state = pod_allocate_zeroed(step->context, loop.count + scratch, sizeof *loop.state);
    pod_status status = loop.state ? POD_OK : pod_error_memory(error, "a loop of steps", loop.count);
    if (status == POD_OK)
        status = pod_graph_new(step->context, step->name, &graph, error);
    if (status == POD_OK)
        regions[0] = make_condition(&loop, error);
    if (regions[0])
        regions[1] = make_body(&loop, loop.state + loop.count, error);
    if (regions[1]) {
        make_operands(&loop, graph);
        add_outputs(&loop, graph, pod_graph_apply(graph, POD_OP_WHILE, loop.state, loop.count, NULL, regions, 2));
        status = pod_graph_check(graph, error);
    } else {
        pod_graph_free(regions[0]);
        status = status == POD_OK ? POD_ERROR_MEMORY : status;
    }
    if (status != POD_OK) {
        pod_graph_free(graph);
        graph = NULL;
    }
    pod_free(step->context, loop.state);
    *repeated = graph;
    return status;
}
