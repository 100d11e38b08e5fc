#ifndef GRAPH_SETUP_H
#define GRAPH_SETUP_H

/* graph_setup - a graph with values for its parameters, to be compiled and run. */

#include "program_run.h"

#define MOST_ARGUMENTS 8

static pod_error error;

/* A graph and values for its parameters. */
typedef struct setup {
    pod_context *context;
    pod_graph *graph;
    pod_node *nodes[MOST_ARGUMENTS];
    pod_array arguments[MOST_ARGUMENTS];
    size_t count;
} setup;

static setup setup_new(const char *name)
{
    setup s = {.context = test_context(NULL)};
    ASSERT_OK(pod_graph_new(s.context, name, &s.graph, &error));
    return s;
}

static void setup_free(setup *s)
{
    evaluate_free(s->arguments, s->count);
    pod_graph_free(s->graph);
    pod_context_release(s->context);
}

/* Adds a parameter; its elements lie between -1 and 1. */
static pod_node *parameter(setup *s, pod_dtype dtype, const pod_shape *shape)
{
    uint32_t state = (uint32_t)s->count * 977 + 5;
    pod_array *array = &s->arguments[s->count];
    *array = evaluate_allocate(dtype, shape);
    for (int64_t i = 0; i < pod_shape_elements(shape); i++) {
        state = state * 1664525u + 1013904223u;
        const float value = (float)(int32_t)state / 2147483648.0f;
        pod_convert(POD_F32, &value, dtype, (char *)array->data + (size_t)i * pod_dtype_size(dtype), 1);
    }
    s->nodes[s->count] = pod_graph_parameter(s->graph, dtype, shape, "p");
    return s->nodes[s->count++];
}

#endif
