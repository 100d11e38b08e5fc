#ifndef POD_TESTS_TRAINED_MODELS_H
#define POD_TESTS_TRAINED_MODELS_H

/*
 * trained_models - training steps of small models, and numbers to begin with.
 */

#include "graph/build.h"
#include "graph/composites.h"
#include "graph/node.h"
#include "program_run.h"

typedef struct model {
    pod_graph *graph;
    pod_node *weights[16];
    int count;
} model;

static pod_node *weight(model *m, const pod_shape *shape)
{
    return m->weights[m->count++] = pod_graph_parameter(m->graph, POD_F32, shape, "w");
}

#define SHAPE(...) (&(pod_shape){sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t), {__VA_ARGS__}})

static pod_node *dense(model *m, pod_node *x, int64_t in, int64_t out, pod_dtype compute)
{
    pod_graph *g = m->graph;
    pod_node *w = weight(m, SHAPE(in, out)), *b = weight(m, SHAPE(out));
    pod_node *y = pod_graph_matmul(g, pod_graph_convert(g, x, compute), pod_graph_convert(g, w, compute));
    return pod_graph_add(g, y, pod_graph_convert(g, b, compute));
}

static pod_node *class_loss(pod_graph *g, pod_node *logits, pod_node *labels)
{
    pod_node *both[2] = {logits, labels};
    pod_node *losses = pod_graph_composite(g, "sparse_softmax_cross_entropy", both, 2, NULL);
    return pod_graph_mean(g, losses, NULL, false);
}

static pod_node *dense_model(model *m, pod_dtype compute)
{
    pod_graph *g = m->graph;
    pod_node *x = pod_graph_parameter(g, POD_F32, SHAPE(200, 40), "x");
    pod_node *y = pod_graph_parameter(g, POD_S32, SHAPE(200), "y");
    x = dense(m, x, 40, 70, compute);
    x = pod_graph_composite(g, "relu", &x, 1, NULL);
    x = dense(m, x, 70, 70, compute);
    x = pod_graph_composite(g, "gelu", &x, 1, NULL);
    return class_loss(g, dense(m, x, 70, 10, compute), y);
}

static pod_node *convolve(model *m, pod_node *x, int64_t in, int64_t out, int64_t stride)
{
    pod_attributes attributes = {.window = {.rank = 2,
                                            .size = {3, 3},
                                            .stride = {stride, stride},
                                            .pad_low = {1, 1},
                                            .pad_high = {1, 1},
                                            .dilation = {1, 1},
                                            .groups = 1}};
    pod_node *both[2] = {x, weight(m, SHAPE(3, 3, in, out))};
    pod_node *y = pod_graph_apply(m->graph, POD_OP_CONVOLUTION, both, 2, &attributes, NULL, 0);
    y = pod_graph_add(m->graph, y, weight(m, SHAPE(out)));
    return pod_graph_composite(m->graph, "relu", &y, 1, NULL);
}

static pod_node *image_model(model *m, pod_dtype compute)
{
    (void)compute;
    pod_graph *g = m->graph;
    pod_node *x = pod_graph_parameter(g, POD_F32, SHAPE(12, 10, 9, 3), "x");
    pod_node *y = pod_graph_parameter(g, POD_S32, SHAPE(12), "y");
    x = convolve(m, x, 3, 8, 1);
    pod_attributes pool = {.window = {.rank = 2, .size = {2, 2}, .stride = {2, 2}}};
    x = pod_graph_apply(g, POD_OP_POOL_MAX, &x, 1, &pool, NULL, 0);
    x = convolve(m, x, 8, 16, 2);
    x = pod_graph_reshape(g, x, SHAPE(12, -1));
    return class_loss(g, dense(m, x, pod_node_shape(x, 0)->dims[1], 10, POD_F32), y);
}

static pod_node *heads(pod_graph *g, pod_node *x)
{
    x = pod_graph_reshape(g, x, SHAPE(6, 20, 4, 8));
    return pod_graph_transpose(g, x, &(pod_axes){4, {0, 2, 1, 3}});
}

static pod_node *text_model(model *m, pod_dtype compute)
{
    pod_graph *g = m->graph;
    pod_node *x = pod_graph_parameter(g, POD_F32, SHAPE(6, 20, 32), "x");
    pod_node *y = pod_graph_parameter(g, POD_S32, SHAPE(6, 20), "y");
    pod_node *norm[3] = {x, weight(m, SHAPE(32)), weight(m, SHAPE(32))};
    pod_attributes epsilon = {.values = {1e-5}};
    pod_node *h = pod_graph_composite(g, "layer_normalization", norm, 3, &epsilon);
    pod_node *parts[3];
    for (int i = 0; i < 3; i++)
        parts[i] = heads(g, dense(m, h, 32, 32, compute));
    h = pod_graph_composite(g, "attention", parts, 3, &(pod_attributes){.flag = true});
    h = pod_graph_transpose(g, h, &(pod_axes){4, {0, 2, 1, 3}});
    h = pod_graph_reshape(g, h, SHAPE(6, 20, 32));
    x = pod_graph_add(g, x, pod_graph_convert(g, h, POD_F32));
    return class_loss(g, dense(m, x, 32, 10, compute), y);
}

static void add_update(pod_graph *g, pod_node *value, pod_node *parameter)
{
    pod_graph_add_output(g, value);
    pod_graph_set_alias(g, pod_graph_output_count(g) - 1, (size_t)parameter->attributes->axis);
}

static void update_by_adam(pod_graph *g, pod_node *w, pod_node *gradient)
{
    const pod_shape *shape = pod_node_shape(w, 0);
    pod_node *parts[5] = {w, pod_graph_parameter(g, POD_F32, shape, "m"), pod_graph_parameter(g, POD_F32, shape, "v"),
                          gradient, pod_graph_scalar(g, POD_F32, 0.01, NULL)};
    pod_attributes attributes = {.values = {0.9, 0.999, 1e-3}};
    pod_node *update = pod_graph_composite(g, "adam", parts, 5, &attributes);
    for (int i = 0; i < 3; i++)
        add_update(g, pod_graph_result(g, update, (size_t)i), parts[i]);
}

/* Adds gradients and an update of every weight. */
static pod_graph *build(pod_context *context, pod_node *(*make)(model *, pod_dtype), pod_dtype compute, bool adam)
{
    model m = {0};
    pod_error error;
    pod_node *gradients[16];
    ASSERT_OK(pod_graph_new(context, "model", &m.graph, &error));
    pod_node *loss = make(&m, compute);
    ASSERT_OK(pod_graph_check(m.graph, &error));
    ASSERT_OK(pod_graph_gradient(m.graph, loss, NULL, m.weights, (size_t)m.count, gradients, &error));
    pod_graph_add_output(m.graph, loss);
    for (int i = 0; i < m.count; i++)
        pod_graph_add_output(m.graph, gradients[i]);
    pod_node *rate = pod_graph_scalar(m.graph, POD_F32, 0.1, NULL);
    for (int i = 0; i < m.count; i++) {
        if (adam)
            update_by_adam(m.graph, m.weights[i], gradients[i]);
        else
            add_update(m.graph,
                       pod_graph_subtract(m.graph, m.weights[i], pod_graph_multiply(m.graph, gradients[i], rate)),
                       m.weights[i]);
    }
    ASSERT_OK(pod_graph_check(m.graph, &error));
    return m.graph;
}

static void fill(pod_array *array, uint64_t seed)
{
    const int64_t count = pod_shape_elements(&array->shape);
    const int64_t inner = array->shape.rank > 1 ? count / array->shape.dims[array->shape.rank - 1] : 16;
    for (int64_t i = 0; i < count; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        const double u = (double)(seed >> 11) * 0x1p-53;
        const double value = array->dtype == POD_S32 ? floor(u * 10) : (2 * u - 1) * 2 / sqrt((double)inner + 1);
        pod_convert(POD_F64, &value, array->dtype, (char *)array->data + (size_t)i * pod_dtype_size(array->dtype), 1);
    }
}

/* Arguments of a graph: random, those of the name "v" positive. */
static void make_arguments(const pod_graph *graph, pod_array *arguments)
{
    for (size_t i = 0; i < pod_graph_parameter_count(graph); i++) {
        const pod_node *p = pod_graph_get_parameter(graph, i);
        arguments[i] = evaluate_allocate(pod_node_dtype(p, 0), pod_node_shape(p, 0));
        fill(&arguments[i], i + 1);
        float *v = arguments[i].data;
        if (strcmp(p->attributes->name, "v") == 0)
            for (int64_t j = 0; j < pod_shape_elements(&arguments[i].shape); j++)
                v[j] = fabsf(v[j]);
    }
}

#endif
