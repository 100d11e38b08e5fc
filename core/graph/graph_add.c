/* graph_add - what is added to graphs: nodes, parameters, outputs and aliases. */

#include "graph/node.h"

#include <assert.h>
#include <string.h>

#include "base/growth.h"
#include "graph/infer.h"

/* Makes room for one more pointer. */
static bool reserve(pod_context *context, pod_node ***items, uint32_t count, size_t *room)
{
    return count < UINT32_MAX &&
           pod_grow(context, items, room, (size_t)count + 1, (pod_growth){sizeof **items, .first = 16}, NULL) == POD_OK;
}

static bool is_zero(const pod_attributes *attributes)
{
    static const pod_attributes zero;
    return memcmp(attributes, &zero, sizeof(zero)) == 0;
}

/* Keeps the attributes of a node: those that are all zero are one for all. */
static bool keep_attributes(pod_graph *graph, pod_node *node, pod_attributes *attributes)
{
    static const pod_attributes none;
    node->attributes = &none;
    if (attributes->name) {
        attributes->name = pod_graph_intern(graph, attributes->name);
        if (!attributes->name)
            return false;
    }
    if (is_zero(attributes))
        return true;
    node->attributes = pod_arena_copy(&graph->arena, attributes, sizeof(*attributes));
    return node->attributes != NULL;
}

/* Copies the types of an opaque node's results, with nothing but zeros where they say nothing, so that
 * equal lists are equal bytes. */
static bool keep_types(pod_graph *graph, pod_attributes *attributes)
{
    const pod_value_type *from = attributes->data;
    pod_value_type *to = pod_arena_array(&graph->arena, (size_t)attributes->count, sizeof(*to));
    for (int64_t i = 0; to && i < attributes->count; i++) {
        to[i].dtype = from[i].dtype;
        to[i].element = from[i].element;
        to[i].shape.rank = from[i].shape.rank;
        for (int32_t k = 0; k < from[i].shape.rank && k < POD_MAX_RANK; k++)
            to[i].shape.dims[k] = from[i].shape.dims[k];
    }
    attributes->data = to;
    return to != NULL;
}

/* Keeps what attributes.data points to: one element or a few pairs in the arena, the elements of a
 * large constant in a buffer that copies of the graph share. */
static bool keep_data(pod_graph *graph, pod_node *node, pod_attributes *attributes, pod_buffer *shared)
{
    pod_error error = {0};
    size_t bytes = 0;
    if (shared) {
        node->constant = pod_buffer_retain(shared);
        attributes->data = pod_buffer_data(shared);
        return true;
    }
    if (node->op == POD_OP_OPAQUE)
        return keep_types(graph, attributes);
    if (!attributes->data)
        return true;
    if (node->op == POD_OP_COLLECTIVE_PERMUTE)
        bytes = (size_t)attributes->count * 2 * sizeof(int32_t);
    else if (attributes->flag)
        bytes = pod_dtype_size(attributes->dtype);
    if (bytes > 0) {
        attributes->data = pod_arena_copy(&graph->arena, attributes->data, bytes);
        return attributes->data != NULL;
    }
    if (node->op == POD_OP_COLLECTIVE_PERMUTE) {
        attributes->data = NULL;
        return true;
    }
    if (pod_buffer_new(graph->context, attributes->dtype, &attributes->shape, &node->constant, &error) != POD_OK) {
        pod_graph_fail_with(graph, &error);
        return false;
    }
    memcpy(pod_buffer_data(node->constant), attributes->data, pod_buffer_bytes(node->constant));
    attributes->data = pod_buffer_data(node->constant);
    return true;
}

/* Allocates a node with its arrays. */
static pod_node *make_node(pod_graph *graph, const pod_infer *call, const pod_type *results)
{
    pod_arena *arena = &graph->arena;
    pod_node *node = pod_arena_allocate(arena, sizeof(*node));
    if (!node)
        return NULL;
    node->graph = graph;
    node->op = call->op;
    node->id = graph->node_count;
    node->location = graph->location;
    node->scope = graph->scope;
    node->input_count = (uint32_t)call->input_count;
    node->result_count = (uint32_t)call->result_count;
    node->results = pod_arena_copy(arena, results, call->result_count * sizeof(*results));
    if (call->input_count > 0)
        node->inputs = pod_arena_copy(arena, call->inputs, call->input_count * sizeof(pod_node *));
    if (call->region_count > 0)
        node->regions = pod_arena_copy(arena, call->regions, call->region_count * sizeof(pod_graph *));
    bool made = node->results && (node->inputs || call->input_count == 0) && (node->regions || call->region_count == 0);
    return made ? node : NULL;
}

/* Adds a node whose types are known; takes the regions on success. */
static pod_node *add_node(pod_graph *graph, const pod_infer *call, const pod_type *results, pod_buffer *shared)
{
    if (!reserve(graph->context, &graph->nodes, graph->node_count, &graph->node_room))
        return pod_graph_fail_memory(graph);
    pod_node *node = make_node(graph, call, results);
    if (!node)
        return pod_graph_fail_memory(graph);
    if (!keep_data(graph, node, call->attributes, shared) || !keep_attributes(graph, node, call->attributes)) {
        pod_buffer_release(node->constant);
        return pod_graph_fail_memory(graph);
    }
    node->region_count = (uint32_t)call->region_count;
    for (uint32_t i = 0; i < node->region_count; i++) {
        if (graph->depth < node->regions[i]->depth + 1)
            graph->depth = node->regions[i]->depth + 1;
    }
    assert(node->id == graph->node_count && graph->node_count < graph->node_room);
    for (uint32_t i = 0; i < node->input_count; i++)
        assert(node->inputs[i]->graph == graph && node->inputs[i]->id < node->id);
    graph->nodes[graph->node_count++] = node;
    return node;
}

/* Infers and adds a node. */
static pod_node *infer_and_add(pod_graph *graph, pod_infer *call, pod_buffer *shared)
{
    pod_type few[4], *results = few;
    pod_error error = {0};
    call->error = &error;
    if (!pod_infer_count(call))
        return pod_graph_fail_with(graph, &error);
    if (call->result_count > sizeof(few) / sizeof(few[0])) {
        results = pod_allocate_zeroed(graph->context, call->result_count, sizeof(*results));
        if (!results)
            return pod_graph_fail_memory(graph);
    }
    call->results = results;
    pod_node *node;
    if (!pod_infer_run(call))
        node = pod_graph_fail_with(graph, &error);
    else
        node = add_node(graph, call, results, shared);
    if (results != few)
        pod_free(graph->context, results);
    return node;
}

/* Returns whether an operand is this graph's invalid node. Its error has been kept; if it was cleared
 * since, this use is the next one. */
static bool any_invalid(pod_graph *graph, pod_op op, pod_node *const *inputs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (inputs[i] != &graph->invalid)
            continue;
        if (graph->error.status == POD_OK)
            pod_graph_fail(graph, POD_ERROR_STATE,
                           "%s: operand %zu could not be made (an earlier call failed); make it "
                           "again",
                           pod_op_name(op), i);
        return true;
    }
    return false;
}

/* What pod_graph_apply() does, apart from freeing the regions when there is no node. */
static pod_node *apply(pod_graph *graph, pod_op op, pod_node *const *inputs, size_t input_count,
                       const pod_attributes *attributes, pod_graph *const *regions, size_t region_count,
                       pod_buffer *shared)
{
    pod_attributes taken;
    if (op < 0 || op >= POD_OP_COUNT)
        return pod_graph_fail(graph, POD_ERROR_ARGUMENT, "%d is the number of no op", op);
    if (any_invalid(graph, op, inputs, input_count))
        return &graph->invalid;
    const uint32_t reads = pod_op_get(op)->reads;
    pod_graph_take_attributes(&taken, attributes, reads);
    if (reads & POD_FIELD_PRECISION && taken.precision == POD_PRECISION_DEFAULT)
        taken.precision = graph->precision;
    pod_infer call = {
        .graph = graph,
        .op = op,
        .inputs = inputs,
        .input_count = input_count,
        .attributes = &taken,
        .regions = regions,
        .region_count = region_count,
        .location = graph->location,
    };
    return infer_and_add(graph, &call, shared);
}

static pod_node *add_parameter(pod_graph *graph, const pod_attributes *attributes)
{
    if (!reserve(graph->context, &graph->parameters, graph->parameter_count, &graph->parameter_room))
        return pod_graph_fail_memory(graph);
    pod_attributes numbered = *attributes;
    numbered.axis = (int32_t)graph->parameter_count;
    pod_node *node = apply(graph, POD_OP_PARAMETER, NULL, 0, &numbered, NULL, 0, NULL);
    if (node->op >= 0) {
        assert(node->attributes->axis == (int32_t)graph->parameter_count);
        graph->parameters[graph->parameter_count++] = node;
    }
    return node;
}

/* Frees regions that found no node: each once, and never the graph itself. */
static void free_regions(const pod_graph *graph, pod_graph *const *regions, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bool freed = regions[i] == graph;
        for (size_t j = 0; j < i && !freed; j++)
            freed = regions[j] == regions[i];
        if (!freed)
            pod_graph_free(regions[i]);
    }
}

pod_node *pod_graph_apply(pod_graph *graph, pod_op op, pod_node *const *inputs, size_t input_count,
                          const pod_attributes *attributes, pod_graph *const *regions, size_t region_count)
{
    static const pod_attributes none;
    pod_node *node;
    if (!attributes)
        attributes = &none;
    if (op == POD_OP_PARAMETER && input_count == 0 && region_count == 0)
        node = add_parameter(graph, attributes);
    else if (op == POD_OP_CONSTANT && !attributes->data)
        node = pod_graph_fail(graph, POD_ERROR_ARGUMENT, "constant: its elements are not given");
    else
        node = apply(graph, op, inputs, input_count, attributes, regions, region_count, NULL);
    if (node->op < 0)
        free_regions(graph, regions, region_count);
    return node;
}

pod_node *pod_graph_parameter(pod_graph *graph, pod_dtype dtype, const pod_shape *shape, const char *name)
{
    pod_attributes attributes = {.dtype = dtype, .shape = *shape, .name = name};
    return add_parameter(graph, &attributes);
}

pod_node *pod_graph_constant_buffer(pod_graph *graph, pod_buffer *buffer)
{
    pod_attributes attributes = {.dtype = pod_buffer_dtype(buffer), .shape = *pod_buffer_shape(buffer)};
    return apply(graph, POD_OP_CONSTANT, NULL, 0, &attributes, NULL, 0, buffer);
}

pod_node *pod_graph_result(pod_graph *graph, pod_node *node, size_t index)
{
    if (node && node->op >= 0 && node->result_count == 1 && index == 0)
        return node;
    pod_attributes attributes = {.axis = index > INT32_MAX ? INT32_MAX : (int32_t)index};
    return apply(graph, POD_OP_RESULT, &node, 1, &attributes, NULL, 0, NULL);
}

/* ---- outputs --------------------------------------------------------------------------------- */

/* Makes room for one more output. */
static bool reserve_output(pod_graph *graph)
{
    return reserve(graph->context, &graph->outputs, graph->output_count, &graph->output_room) &&
           pod_grow(graph->context, &graph->aliases, &graph->alias_room, (size_t)graph->output_count + 1,
                    (pod_growth){sizeof *graph->aliases, .first = 16}, NULL) == POD_OK;
}

void pod_graph_add_output(pod_graph *graph, pod_node *node)
{
    if (!node || node->graph != graph) {
        pod_graph_fail(graph, POD_ERROR_ARGUMENT, "an output of graph '%s' must be a node of it", graph->name);
    } else if (node->op < 0) {
        pod_graph_fail(graph, POD_ERROR_STATE, "output %u could not be made (an earlier call failed); make it again",
                       graph->output_count);
    } else if (node->result_count != 1) {
        pod_graph_fail(graph, POD_ERROR_ARGUMENT,
                       "output %u is a %s with %u results; take one of them (pod_graph_result)", graph->output_count,
                       pod_op_name(node->op), node->result_count);
    } else if (!reserve_output(graph)) {
        pod_graph_fail_memory(graph);
    } else {
        assert(graph->output_count < graph->output_room && graph->output_count < graph->alias_room);
        graph->aliases[graph->output_count] = -1;
        graph->outputs[graph->output_count++] = node;
    }
}

/* Returns the number of the output that is an alias of the parameter, or -1. */
static int64_t alias_of(const pod_graph *graph, size_t parameter)
{
    for (uint32_t i = 0; i < graph->output_count; i++) {
        if (graph->aliases[i] == (int64_t)parameter)
            return i;
    }
    return -1;
}

void pod_graph_set_alias(pod_graph *graph, size_t output, size_t parameter)
{
    char first[POD_TYPE_TEXT_SIZE], second[POD_TYPE_TEXT_SIZE];
    if (graph->error.status != POD_OK) /* outputs may be missing because of it */
        return;
    if (output >= graph->output_count || parameter >= graph->parameter_count) {
        pod_graph_fail(graph, POD_ERROR_ARGUMENT,
                       "output %zu cannot be the new parameter %zu: graph '%s' has %u outputs and "
                       "%u parameters",
                       output, parameter, graph->name, graph->output_count, graph->parameter_count);
        return;
    }
    const pod_type *from = &graph->outputs[output]->results[0];
    const pod_type *to = &graph->parameters[parameter]->results[0];
    if (!pod_graph_type_equal(from, to))
        pod_graph_fail(graph, POD_ERROR_SHAPE, "output %zu is %s and cannot be the new parameter %zu '%s', which is %s",
                       output, pod_graph_type_format(from, first), parameter,
                       graph->parameters[parameter]->attributes->name ? graph->parameters[parameter]->attributes->name
                                                                      : "",
                       pod_graph_type_format(to, second));
    else if (alias_of(graph, parameter) >= 0 && alias_of(graph, parameter) != (int64_t)output)
        pod_graph_fail(graph, POD_ERROR_ARGUMENT, "outputs %lld and %zu cannot both be the new parameter %zu",
                       (long long)alias_of(graph, parameter), output, parameter);
    else
        graph->aliases[output] = (int64_t)parameter;
}
