#include "graph/node.h"

#include <assert.h>
#include <stdio.h>

#include "base/context.h"

/* ---- life ------------------------------------------------------------------------------------ */

pod_status pod_graph_new(pod_context *context, const char *name, pod_graph **graph, pod_error *error)
{
    *graph = NULL;
    pod_graph *made = pod_allocate_zeroed(context, 1, sizeof(*made));
    if (!made)
        return pod_error_memory(error, "a graph", sizeof(*made));
    made->context = pod_context_retain(context);
    pod_arena_init(&made->arena, context);
    made->invalid.graph = made;
    made->invalid.op = -1;
    made->name = pod_arena_string(&made->arena, name ? name : "graph");
    if (!made->name) {
        pod_graph_free(made);
        return pod_error_memory(error, "a graph's name", 0);
    }
    *graph = made;
    return POD_OK;
}

void pod_graph_free(pod_graph *graph)
{
    if (!graph)
        return;
    pod_context *context = graph->context;
    for (uint32_t i = 0; i < graph->node_count; i++) {
        pod_node *node = graph->nodes[i];
        assert(node->graph == graph && node->id == i);
        for (uint32_t r = 0; r < node->region_count; r++)
            pod_graph_free(node->regions[r]);
        pod_buffer_release(node->constant);
    }
    pod_free(context, graph->nodes);
    pod_free(context, graph->parameters);
    pod_free(context, graph->outputs);
    pod_free(context, graph->aliases);
    pod_graph_names_clear(&graph->names, context);
    pod_arena_clear(&graph->arena);
    pod_free(context, graph);
    pod_context_release(context);
}

/* ---- errors ---------------------------------------------------------------------------------- */

pod_node *pod_graph_fail_with(pod_graph *graph, const pod_error *error)
{
    if (graph->error.status == POD_OK)
        graph->error = *error;
    return &graph->invalid;
}

pod_node *pod_graph_fail(pod_graph *graph, pod_status status, const char *format, ...)
{
    if (graph->error.status != POD_OK)
        return &graph->invalid;
    char text[POD_ERROR_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    if (graph->location)
        pod_error_set(&graph->error, status, "%s (%s)", text, graph->location);
    else
        pod_error_set(&graph->error, status, "%s", text);
    return &graph->invalid;
}

pod_node *pod_graph_fail_memory(pod_graph *graph)
{
    return pod_graph_fail(graph, POD_ERROR_MEMORY,
                          "graph '%s' cannot grow beyond %u nodes: there "
                          "is no memory",
                          graph->name, graph->node_count);
}

pod_status pod_graph_check(const pod_graph *graph, pod_error *error)
{
    if (graph->error.status != POD_OK && error)
        *error = graph->error;
    return graph->error.status;
}

void pod_graph_clear_error(pod_graph *graph)
{
    graph->error = (pod_error){0};
}

/* ---- places ---------------------------------------------------------------------------------- */

const char *pod_graph_intern(pod_graph *graph, const char *text)
{
    if (!text)
        return NULL;
    const char *kept = pod_graph_names_keep(&graph->names, &graph->arena, text);
    if (!kept)
        pod_graph_fail_memory(graph);
    return kept;
}

void pod_graph_set_location(pod_graph *graph, const char *location)
{
    if (location != graph->location)
        graph->location = pod_graph_intern(graph, location);
}

void pod_graph_set_scope(pod_graph *graph, const char *scope)
{
    if (scope != graph->scope)
        graph->scope = pod_graph_intern(graph, scope);
}

void pod_graph_set_precision(pod_graph *graph, pod_precision precision)
{
    graph->precision = precision;
}

/* ---- reading --------------------------------------------------------------------------------- */

size_t pod_graph_parameter_count(const pod_graph *graph)
{
    return graph->parameter_count;
}

size_t pod_graph_output_count(const pod_graph *graph)
{
    return graph->output_count;
}

pod_node *pod_graph_get_parameter(const pod_graph *graph, size_t index)
{
    return index < graph->parameter_count ? graph->parameters[index] : NULL;
}

pod_node *pod_graph_get_output(const pod_graph *graph, size_t index)
{
    return index < graph->output_count ? graph->outputs[index] : NULL;
}

size_t pod_graph_node_count(const pod_graph *graph)
{
    return graph->node_count;
}

pod_node *pod_graph_get_node(const pod_graph *graph, uint32_t id)
{
    return id < graph->node_count ? graph->nodes[id] : NULL;
}

pod_node_description pod_node_describe(const pod_node *node)
{
    static const pod_attributes none;
    return (pod_node_description){
        .op = node->op,
        .id = node->id,
        .input_count = node->input_count,
        .result_count = node->result_count,
        .region_count = node->region_count,
        .inputs = node->inputs,
        .regions = node->regions,
        .attributes = node->attributes ? node->attributes : &none,
        .location = node->location,
        .scope = node->scope,
    };
}

static const pod_type no_type;

const pod_type *pod_node_type(const pod_node *node)
{
    return node->result_count > 0 ? &node->results[0] : &no_type;
}

pod_dtype pod_node_dtype(const pod_node *node, size_t index)
{
    return index < node->result_count ? node->results[index].dtype : POD_DTYPE_NONE;
}

const pod_shape *pod_node_shape(const pod_node *node, size_t index)
{
    return index < node->result_count ? &node->results[index].shape : &no_type.shape;
}

bool pod_node_is_valid(const pod_node *node)
{
    return node && node->op >= 0;
}

const void *pod_node_constant_data(const pod_node *node)
{
    return node->attributes->data;
}

bool pod_node_has_effect(const pod_node *node)
{
    bool some = node->op == POD_OP_CHECK || node->op == POD_OP_PRINT;
    for (uint32_t r = 0; r < node->region_count && !some; r++)
        for (uint32_t i = 0; i < node->regions[r]->node_count && !some; i++)
            some = pod_node_has_effect(node->regions[r]->nodes[i]);
    return some;
}

bool pod_node_is_splat(const pod_node *node, double *value)
{
    if (node->op != POD_OP_CONSTANT)
        return false;
    if (!node->attributes->flag && pod_shape_elements(&node->results[0].shape) != 1)
        return false;
    pod_convert(node->results[0].dtype, node->attributes->data, POD_F64, value, 1);
    return true;
}
