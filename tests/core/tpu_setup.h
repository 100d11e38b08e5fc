#ifndef TPU_SETUP_H
#define TPU_SETUP_H

/* tpu_setup - a graph of which plans for TPUs are made. */

#include "test.h"

#include "moonpod/builders.h"
#include "moonpod/tpu.h"

static pod_context *context;
static pod_graph *graph;
static pod_tpu_plan *plan;
static pod_error error;

#define SHAPE(...) (&(pod_shape){__VA_ARGS__})

static void set_up(void)
{
    context = test_context(&(pod_context_options){.threads = 1});
    ASSERT_OK(pod_graph_new(context, "test", &graph, &error));
}

static void tear_down(void)
{
    pod_tpu_plan_free(plan);
    plan = NULL;
    pod_graph_free(graph);
    pod_context_release(context);
}

#endif
