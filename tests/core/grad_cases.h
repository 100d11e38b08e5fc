#ifndef POD_TESTS_GRAD_CASES_H
#define POD_TESTS_GRAD_CASES_H

/*
 * grad_cases - a differentiable function for each op that has a gradient. `p` are f64 parameters,
 * of shapes and ranges as the table at the end says; ranges keep away from where a function has no
 * slope.
 */

#include "graph/build.h"
#include "graph/composites.h"

typedef struct grad_case {
    pod_op op;
    const char *name;
    pod_node *(*build)(pod_graph *graph, pod_node **p);
    int count;           /* of parameters */
    pod_shape shapes[3]; /* of the parameters */
    double low, high;    /* of their elements */
    bool first_order;    /* the second derivative is not tested: there is none, or it is zero */
} grad_case;

/* ---- elementwise ----------------------------------------------------------------------------- */

#define UNARY(name, builder)                                                                                           \
    static pod_node *grad_##name(pod_graph *graph, pod_node **p)                                                       \
    {                                                                                                                  \
        return builder(graph, p[0]);                                                                                   \
    }
#define BINARY(name, builder)                                                                                          \
    static pod_node *grad_##name(pod_graph *graph, pod_node **p)                                                       \
    {                                                                                                                  \
        return builder(graph, p[0], p[1]);                                                                             \
    }
UNARY(negate, pod_graph_negate)
UNARY(abs, pod_graph_abs)
UNARY(exp, pod_graph_exp)
UNARY(expm1, pod_graph_expm1)
UNARY(log, pod_graph_log)
UNARY(log1p, pod_graph_log1p)
UNARY(sqrt, pod_graph_sqrt)
UNARY(rsqrt, pod_graph_rsqrt)
UNARY(sin, pod_graph_sin)
UNARY(cos, pod_graph_cos)
UNARY(tan, pod_graph_tan)
UNARY(tanh, pod_graph_tanh)
UNARY(logistic, pod_graph_logistic)
UNARY(erf, pod_graph_erf)
UNARY(erf_inv, pod_graph_erf_inv)
BINARY(add, pod_graph_add)
BINARY(subtract, pod_graph_subtract)
BINARY(multiply, pod_graph_multiply)
BINARY(divide, pod_graph_divide)
BINARY(remainder, pod_graph_remainder)
BINARY(power, pod_graph_power)
BINARY(maximum, pod_graph_maximum)
BINARY(minimum, pod_graph_minimum)
BINARY(atan2, pod_graph_atan2)
BINARY(matmul, pod_graph_matmul)

static pod_node *grad_power_of_two(pod_graph *graph, pod_node **p)
{
    return pod_graph_power(graph, p[0], pod_graph_number_like(graph, p[0], 2));
}

/* Through f32 and back: of higher order than one it would be rounding that is measured. */
static pod_node *grad_convert(pod_graph *graph, pod_node **p)
{
    pod_node *narrow = pod_graph_convert(graph, pod_graph_scale(graph, p[0], 3), POD_F32);
    return pod_graph_convert(graph, narrow, POD_F64);
}

static pod_node *grad_barrier(pod_graph *graph, pod_node **p)
{
    return pod_graph_exp(graph, pod_graph_unary(graph, POD_OP_BARRIER, p[0]));
}

static pod_node *grad_with_rows(pod_graph *graph, pod_node **p)
{
    return pod_graph_exp(graph, pod_graph_with_rows(graph, p[0], pod_graph_scale(graph, p[0], 2)));
}

static pod_node *grad_check(pod_graph *graph, pod_node **p)
{
    pod_attributes attributes = {.name = "must be finite"};
    pod_node *inputs[] = {p[0], pod_graph_is_finite(graph, p[0])};
    return pod_graph_exp(graph, pod_graph_apply(graph, POD_OP_CHECK, inputs, 2, &attributes, NULL, 0));
}

static pod_node *grad_print(pod_graph *graph, pod_node **p)
{
    pod_attributes attributes = {.name = "x"};
    return pod_graph_exp(graph, pod_graph_apply(graph, POD_OP_PRINT, p, 1, &attributes, NULL, 0));
}

static pod_node *grad_select(pod_graph *graph, pod_node **p)
{
    pod_node *more = pod_graph_compare(graph, POD_COMPARE_GT, p[0], p[1]);
    return pod_graph_select(graph, more, pod_graph_exp(graph, p[0]), pod_graph_sin(graph, p[1]));
}

static pod_node *grad_clamp(pod_graph *graph, pod_node **p)
{
    pod_node *low = pod_graph_offset(graph, p[1], -2), *high = pod_graph_offset(graph, p[2], 1);
    return pod_graph_exp(graph, pod_graph_clamp(graph, low, p[0], high));
}

/* The lower limit is above the upper one, which wins. */
static pod_node *grad_clamp_crossed(pod_graph *graph, pod_node **p)
{
    pod_node *low = pod_graph_offset(graph, p[1], 4), *high = pod_graph_offset(graph, p[2], -3);
    return pod_graph_exp(graph, pod_graph_clamp(graph, low, p[0], high));
}

/* ---- moving data ----------------------------------------------------------------------------- */

static pod_node *grad_reshape(pod_graph *graph, pod_node **p)
{
    return pod_graph_exp(graph, pod_graph_reshape(graph, p[0], &(pod_shape){2, {3, -1}}));
}

static pod_node *grad_transpose(pod_graph *graph, pod_node **p)
{
    return pod_graph_exp(graph, pod_graph_transpose(graph, p[0], &(pod_axes){3, {2, 0, 1}}));
}

static pod_node *grad_broadcast(pod_graph *graph, pod_node **p)
{
    pod_axes axes = {2, {0, 2}};
    return pod_graph_exp(graph, pod_graph_broadcast_axes(graph, p[0], &(pod_shape){4, {2, 2, 3, 2}}, &axes));
}

static pod_node *grad_slice(pod_graph *graph, pod_node **p)
{
    pod_attributes cut = {.low = {1, 0}, .high = {5, 4}, .step = {3, 2}};
    return pod_graph_exp(graph, pod_graph_apply(graph, POD_OP_SLICE, p, 1, &cut, NULL, 0));
}

static pod_node *grad_dynamic_slice(pod_graph *graph, pod_node **p)
{
    pod_attributes sizes = {.shape = {2, {2, 3}}};
    /* 9 is clamped to 3 */
    pod_node *inputs[] = {p[0], pod_graph_scalar(graph, POD_S32, 9, NULL), pod_graph_scalar(graph, POD_S32, 1, NULL)};
    return pod_graph_exp(graph, pod_graph_apply(graph, POD_OP_DYNAMIC_SLICE, inputs, 3, &sizes, NULL, 0));
}

static pod_node *grad_dynamic_update_slice(pod_graph *graph, pod_node **p)
{
    pod_node *inputs[] = {p[0], p[1], pod_graph_scalar(graph, POD_S32, 1, NULL),
                          pod_graph_scalar(graph, POD_S32, 1, NULL)};
    return pod_graph_exp(graph, pod_graph_apply(graph, POD_OP_DYNAMIC_UPDATE_SLICE, inputs, 4, NULL, NULL, 0));
}

static pod_node *grad_pad(pod_graph *graph, pod_node **p)
{
    pod_attributes padding = {.low = {1, -1}, .high = {2, 3}, .step = {2, 1}};
    pod_node *value = pod_graph_reduce(graph, "reduce_sum", p[1], NULL, false);
    return pod_graph_exp(graph, pod_graph_apply(graph, POD_OP_PAD, (pod_node *[]){p[0], value}, 2, &padding, NULL, 0));
}

static pod_node *grad_concatenate(pod_graph *graph, pod_node **p)
{
    pod_attributes attributes = {.axis = 1};
    pod_node *inputs[] = {p[0], p[1], p[0]};
    return pod_graph_exp(graph, pod_graph_apply(graph, POD_OP_CONCATENATE, inputs, 3, &attributes, NULL, 0));
}

static pod_node *grad_reverse(pod_graph *graph, pod_node **p)
{
    pod_attributes attributes = {.axes = {2, {0, 2}}};
    return pod_graph_exp(graph, pod_graph_apply(graph, POD_OP_REVERSE, p, 1, &attributes, NULL, 0));
}

/* ---- indices and orders ---------------------------------------------------------------------- */

static pod_node *grad_gather(pod_graph *graph, pod_node **p)
{
    static const int32_t rows[2][2] = {{2, 0}, {2, 2}};
    pod_attributes attributes = {.axis = 1, .count = 1};
    pod_node *inputs[] = {p[0], pod_graph_constant(graph, POD_S32, &(pod_shape){2, {2, 2}}, rows)};
    return pod_graph_exp(graph, pod_graph_apply(graph, POD_OP_GATHER, inputs, 2, &attributes, NULL, 0));
}

/* x [4, 2] with updates [3, 2] at rows 3, 1, 3: row 3 comes twice. */
static pod_node *scatter_rows(pod_graph *graph, pod_node **p, pod_reduction reduction)
{
    static const int32_t rows[] = {3, 1, 3};
    pod_attributes attributes = {.reduction = reduction};
    pod_node *inputs[] = {p[0], pod_graph_constant(graph, POD_S32, &(pod_shape){1, {3}}, rows), p[1]};
    return pod_graph_exp(graph, pod_graph_apply(graph, POD_OP_SCATTER, inputs, 3, &attributes, NULL, 0));
}

static pod_node *grad_scatter_sum(pod_graph *graph, pod_node **p)
{
    return scatter_rows(graph, p, POD_REDUCE_SUM);
}

static pod_node *grad_scatter_max(pod_graph *graph, pod_node **p)
{
    return scatter_rows(graph, p, POD_REDUCE_MAX);
}

static pod_node *grad_scatter_assign(pod_graph *graph, pod_node **p)
{
    return scatter_rows(graph, p, POD_REDUCE_ASSIGN);
}

/* Sorted by the first, both results used. */
static pod_node *grad_sort(pod_graph *graph, pod_node **p)
{
    pod_attributes attributes = {.axis = 1, .flag = true};
    pod_node *sorted = pod_graph_apply(graph, POD_OP_SORT, p, 2, &attributes, NULL, 0);
    return pod_graph_multiply(graph, pod_graph_exp(graph, pod_graph_result(graph, sorted, 0)),
                              pod_graph_result(graph, sorted, 1));
}

static pod_node *grad_top_k(pod_graph *graph, pod_node **p)
{
    pod_attributes attributes = {.count = 2};
    pod_node *top = pod_graph_apply(graph, POD_OP_TOP_K, p, 1, &attributes, NULL, 0);
    return pod_graph_exp(graph, pod_graph_result(graph, top, 0));
}

/* The value alone of several results: `result` itself. */
static pod_node *grad_result(pod_graph *graph, pod_node **p)
{
    pod_attributes attributes = {.axis = 0};
    pod_node *sorted = pod_graph_apply(graph, POD_OP_SORT, p, 2, &attributes, NULL, 0);
    return pod_graph_exp(graph, pod_graph_result(graph, sorted, 1));
}

/* ---- reductions ------------------------------------------------------------------------------ */

#define REDUCTION(name)                                                                                                \
    static pod_node *grad_##name(pod_graph *graph, pod_node **p)                                                       \
    {                                                                                                                  \
        pod_axes axes = {2, {0, 2}};                                                                                   \
        return pod_graph_exp(graph, pod_graph_reduce(graph, #name, p[0], &axes, false));                               \
    }
REDUCTION(reduce_sum)
REDUCTION(reduce_product)
REDUCTION(reduce_max)
REDUCTION(reduce_min)

static pod_node *grad_cumulative_sum(pod_graph *graph, pod_node **p)
{
    pod_attributes attributes = {.axis = 1, .count = 1, .flag = true};
    return pod_graph_exp(graph, pod_graph_apply(graph, POD_OP_CUMULATIVE_SUM, p, 1, &attributes, NULL, 0));
}

/* ---- products -------------------------------------------------------------------------------- */

/* a [k, b, m, l], b [l, n, b, k]: two contracted axes in different orders, a batch axis in between.
 */
static pod_node *grad_dot(pod_graph *graph, pod_node **p)
{
    pod_attributes lists = {
        .lhs_batch = {1, {1}},
        .rhs_batch = {1, {2}},
        .lhs_contract = {2, {3, 0}},
        .rhs_contract = {2, {0, 3}},
    };
    return pod_graph_exp(graph, pod_graph_dot(graph, p[0], p[1], &lists));
}

static const pod_window conv_window = {
    .rank = 2,
    .size = {3, 2},
    .stride = {2, 1},
    .pad_low = {1, 0},
    .pad_high = {1, 1},
    .dilation = {1, 2},
    .groups = 2,
};

static pod_node *convolve(pod_graph *graph, pod_op op, pod_node **p, pod_shape shape)
{
    pod_attributes attributes = {.window = conv_window, .shape = shape};
    return pod_graph_sin(graph, pod_graph_apply(graph, op, p, 2, &attributes, NULL, 0));
}

/* x [1, 5, 4, 2], kernel [3, 2, 1, 4], result [1, 3, 3, 4] */
static pod_node *grad_convolution(pod_graph *graph, pod_node **p)
{
    return convolve(graph, POD_OP_CONVOLUTION, p, (pod_shape){0});
}

static pod_node *grad_convolution_input_gradient(pod_graph *graph, pod_node **p)
{
    return convolve(graph, POD_OP_CONVOLUTION_INPUT_GRADIENT, p, (pod_shape){4, {1, 5, 4, 2}});
}

static pod_node *grad_convolution_kernel_gradient(pod_graph *graph, pod_node **p)
{
    return convolve(graph, POD_OP_CONVOLUTION_KERNEL_GRADIENT, p, (pod_shape){4, {3, 2, 1, 4}});
}

/* ---- pooling: x [1, 5, 4, 2], result [1, 3, 3, 2] -------------------------------------------- */

static pod_node *pool(pod_graph *graph, pod_op op, pod_node **p, size_t count, pod_shape shape)
{
    static const pod_window window = {
        .rank = 2, .size = {3, 2}, .stride = {2, 1}, .pad_low = {1, 0}, .pad_high = {1, 0}};
    pod_attributes attributes = {.window = window, .shape = shape};
    return pod_graph_exp(graph, pod_graph_apply(graph, op, p, count, &attributes, NULL, 0));
}

static pod_node *grad_pool_max(pod_graph *graph, pod_node **p)
{
    return pool(graph, POD_OP_POOL_MAX, p, 1, (pod_shape){0});
}

static pod_node *grad_pool_max_gradient(pod_graph *graph, pod_node **p)
{
    return pool(graph, POD_OP_POOL_MAX_GRADIENT, p, 2, (pod_shape){0});
}

static pod_node *grad_pool_max_select(pod_graph *graph, pod_node **p)
{
    return pool(graph, POD_OP_POOL_MAX_SELECT, p, 2, (pod_shape){0});
}

static pod_node *grad_pool_sum(pod_graph *graph, pod_node **p)
{
    return pool(graph, POD_OP_POOL_SUM, p, 1, (pod_shape){0});
}

static pod_node *grad_pool_sum_gradient(pod_graph *graph, pod_node **p)
{
    return pool(graph, POD_OP_POOL_SUM_GRADIENT, p, 1, (pod_shape){4, {1, 5, 4, 2}});
}

/* ---- control --------------------------------------------------------------------------------- */

/* A graph of the given number of f64 parameters of a shape. */
static pod_graph *new_region(pod_graph *graph, pod_node **p, int count, pod_shape shape)
{
    pod_graph *region;
    pod_error error;
    if (pod_graph_new(graph->context, "region", &region, &error) != POD_OK)
        return NULL;
    for (int i = 0; i < count; i++)
        p[i] = pod_graph_parameter(region, POD_F64, &shape, NULL);
    return region;
}

/* (exp(a) b, a + b), the second result unused: its cotangent is zero. */
static pod_graph *call_body(pod_graph *graph)
{
    pod_node *q[2] = {NULL, NULL};
    pod_graph *body = new_region(graph, q, 2, (pod_shape){1, {4}});
    pod_graph_add_output(body, pod_graph_multiply(body, pod_graph_exp(body, q[0]), q[1]));
    pod_graph_add_output(body, pod_graph_add(body, q[0], q[1]));
    return body;
}

static pod_node *call_with(pod_graph *graph, pod_node *a, pod_node *b, const char *name)
{
    pod_graph *body = call_body(graph);
    pod_attributes attributes = {.name = name};
    pod_node *call = pod_graph_apply(graph, POD_OP_CALL, (pod_node *[]){a, b}, 2, &attributes, &body, 1);
    return pod_graph_sin(graph, pod_graph_result(graph, call, 0));
}

static pod_node *grad_call(pod_graph *graph, pod_node **p)
{
    return call_with(graph, p[0], p[1], "product");
}

/* Both operands are one node: its parts must not be counted twice. */
static pod_node *grad_call_twice(pod_graph *graph, pod_node **p)
{
    return call_with(graph, p[0], p[0], "square");
}

static pod_node *grad_remat(pod_graph *graph, pod_node **p)
{
    return call_with(graph, p[0], p[1], "remat");
}

static pod_node *grad_cond(pod_graph *graph, pod_node **p)
{
    pod_node *q[2] = {NULL, NULL};
    pod_graph *regions[2] = {call_body(graph), new_region(graph, q, 2, (pod_shape){1, {4}})};
    pod_graph_add_output(regions[1], pod_graph_tanh(regions[1], q[1]));
    pod_graph_add_output(regions[1], q[0]);
    pod_node *sum = pod_graph_reduce(graph, "reduce_sum", p[2], NULL, false);
    pod_node *first = pod_graph_compare(graph, POD_COMPARE_GT, sum, pod_graph_number_like(graph, sum, 0));
    pod_node *inputs[] = {first, p[0], p[1]};
    pod_node *cond = pod_graph_apply(graph, POD_OP_COND, inputs, 3, NULL, regions, 2);
    return pod_graph_multiply(graph, pod_graph_result(graph, cond, 0), pod_graph_result(graph, cond, 1));
}

/* A recurrence: state (i, h, w), h = tanh(h w), three times; `count` allows five. */
static pod_node *grad_while(pod_graph *graph, pod_node **p)
{
    pod_graph *regions[2];
    pod_node *q[2], *i[2];
    for (int r = 0; r < 2; r++) {
        regions[r] = new_region(graph, q, 0, (pod_shape){0});
        i[r] = pod_graph_parameter(regions[r], POD_S32, &(pod_shape){0}, NULL);
        for (int j = 0; j < 2; j++)
            q[j] = pod_graph_parameter(regions[r], POD_F64, &(pod_shape){1, {4}}, NULL);
    }
    pod_graph_add_output(regions[0], pod_graph_compare(regions[0], POD_COMPARE_LT, i[0],
                                                       pod_graph_scalar(regions[0], POD_S32, 3, NULL)));
    pod_graph_add_output(regions[1], pod_graph_offset(regions[1], i[1], 1));
    pod_graph_add_output(regions[1], pod_graph_tanh(regions[1], pod_graph_multiply(regions[1], q[0], q[1])));
    pod_graph_add_output(regions[1], q[1]);
    pod_attributes attributes = {.count = 5};
    pod_node *inputs[] = {pod_graph_scalar(graph, POD_S32, 0, NULL), p[0], p[1]};
    pod_node *loop = pod_graph_apply(graph, POD_OP_WHILE, inputs, 3, &attributes, regions, 2);
    return pod_graph_exp(graph, pod_graph_result(graph, loop, 1));
}

/* ---- the table ------------------------------------------------------------------------------- */

#define VECTOR                                                                                                         \
    {                                                                                                                  \
        1,                                                                                                             \
        {                                                                                                              \
            4                                                                                                          \
        }                                                                                                              \
    }
#define CUBE                                                                                                           \
    {                                                                                                                  \
        3,                                                                                                             \
        {                                                                                                              \
            2, 3, 2                                                                                                    \
        }                                                                                                              \
    }
#define IMAGE                                                                                                          \
    {                                                                                                                  \
        4,                                                                                                             \
        {                                                                                                              \
            1, 5, 4, 2                                                                                                 \
        }                                                                                                              \
    }

static const grad_case grad_cases[] = {
    {POD_OP_RESULT, "result", grad_result, 2, {VECTOR, VECTOR}, -2, 2, false},
    {POD_OP_NEGATE, "negate", grad_negate, 1, {VECTOR}, -2, 2, true},
    {POD_OP_ABS, "abs", grad_abs, 1, {VECTOR}, -2, 2, true},
    {POD_OP_EXP, "exp", grad_exp, 1, {VECTOR}, -2, 2, false},
    {POD_OP_EXPM1, "expm1", grad_expm1, 1, {VECTOR}, -2, 2, false},
    {POD_OP_LOG, "log", grad_log, 1, {VECTOR}, 0.5, 3, false},
    {POD_OP_LOG1P, "log1p", grad_log1p, 1, {VECTOR}, -0.5, 3, false},
    {POD_OP_SQRT, "sqrt", grad_sqrt, 1, {VECTOR}, 0.5, 3, false},
    {POD_OP_RSQRT, "rsqrt", grad_rsqrt, 1, {VECTOR}, 0.5, 3, false},
    {POD_OP_SIN, "sin", grad_sin, 1, {VECTOR}, -2, 2, false},
    {POD_OP_COS, "cos", grad_cos, 1, {VECTOR}, -2, 2, false},
    {POD_OP_TAN, "tan", grad_tan, 1, {VECTOR}, -1, 1, false},
    {POD_OP_TANH, "tanh", grad_tanh, 1, {VECTOR}, -2, 2, false},
    {POD_OP_LOGISTIC, "logistic", grad_logistic, 1, {VECTOR}, -2, 2, false},
    {POD_OP_ERF, "erf", grad_erf, 1, {VECTOR}, -2, 2, false},
    {POD_OP_ERF_INV, "erf_inv", grad_erf_inv, 1, {VECTOR}, -0.8, 0.8, false},
    {POD_OP_CONVERT, "convert", grad_convert, 1, {VECTOR}, -2, 2, true},
    {POD_OP_BARRIER, "barrier", grad_barrier, 1, {VECTOR}, -2, 2, false},
    {POD_OP_WITH_ROWS, "with_rows", grad_with_rows, 1, {VECTOR}, -2, 2, false},
    {POD_OP_CHECK, "check", grad_check, 1, {VECTOR}, -2, 2, false},
    {POD_OP_PRINT, "print", grad_print, 1, {VECTOR}, -2, 2, false},
    {POD_OP_ADD, "add", grad_add, 2, {CUBE, {1, {2}}}, -2, 2, true},
    {POD_OP_SUBTRACT, "subtract", grad_subtract, 2, {{2, {3, 1}}, {2, {1, 2}}}, -2, 2, true},
    {POD_OP_MULTIPLY, "multiply", grad_multiply, 2, {CUBE, {2, {3, 1}}}, -2, 2, false},
    {POD_OP_DIVIDE, "divide", grad_divide, 2, {VECTOR, VECTOR}, 0.5, 2, false},
    {POD_OP_REMAINDER, "remainder", grad_remainder, 2, {VECTOR, VECTOR}, 1, 4, true},
    {POD_OP_POWER, "power", grad_power, 2, {VECTOR, VECTOR}, 0.5, 2, false},
    {POD_OP_POWER, "power of two", grad_power_of_two, 1, {VECTOR}, -2, 2, false},
    {POD_OP_MAXIMUM, "maximum", grad_maximum, 2, {VECTOR, VECTOR}, -2, 2, true},
    {POD_OP_MINIMUM, "minimum", grad_minimum, 2, {VECTOR, VECTOR}, -2, 2, true},
    {POD_OP_ATAN2, "atan2", grad_atan2, 2, {VECTOR, VECTOR}, 0.5, 2, false},
    {POD_OP_SELECT, "select", grad_select, 2, {VECTOR, VECTOR}, -2, 2, false},
    {POD_OP_CLAMP, "clamp", grad_clamp, 3, {CUBE, {1, {2}}, {0}}, -2, 2, false},
    {POD_OP_CLAMP, "clamp between crossed limits", grad_clamp_crossed, 3, {CUBE, {1, {2}}, {0}}, -2, 2, false},
    {POD_OP_RESHAPE, "reshape", grad_reshape, 1, {CUBE}, -1, 1, false},
    {POD_OP_TRANSPOSE, "transpose", grad_transpose, 1, {CUBE}, -1, 1, false},
    {POD_OP_BROADCAST, "broadcast", grad_broadcast, 1, {{2, {2, 1}}}, -1, 1, false},
    {POD_OP_SLICE, "slice", grad_slice, 1, {{2, {6, 4}}}, -1, 1, false},
    {POD_OP_DYNAMIC_SLICE, "dynamic_slice", grad_dynamic_slice, 1, {{2, {5, 4}}}, -1, 1, false},
    {POD_OP_DYNAMIC_UPDATE_SLICE,
     "dynamic_update_slice",
     grad_dynamic_update_slice,
     2,
     {{2, {4, 4}}, {2, {2, 3}}},
     -1,
     1,
     false},
    {POD_OP_PAD, "pad", grad_pad, 2, {{2, {2, 3}}, {1, {2}}}, -1, 1, false},
    {POD_OP_CONCATENATE, "concatenate", grad_concatenate, 2, {{2, {2, 3}}, {2, {2, 1}}}, -1, 1, false},
    {POD_OP_REVERSE, "reverse", grad_reverse, 1, {CUBE}, -1, 1, false},
    {POD_OP_GATHER, "gather", grad_gather, 1, {{3, {2, 3, 2}}}, -1, 1, false},
    {POD_OP_SCATTER, "scatter sum", grad_scatter_sum, 2, {{2, {4, 2}}, {2, {3, 2}}}, -1, 1, false},
    {POD_OP_SCATTER, "scatter max", grad_scatter_max, 2, {{2, {4, 2}}, {2, {3, 2}}}, -1, 1, false},
    {POD_OP_SCATTER, "scatter assign", grad_scatter_assign, 2, {{2, {4, 2}}, {2, {3, 2}}}, -1, 1, false},
    {POD_OP_SORT, "sort", grad_sort, 2, {{3, {2, 4, 2}}, {3, {2, 4, 2}}}, -1, 1, false},
    {POD_OP_TOP_K, "top_k", grad_top_k, 1, {{3, {2, 2, 4}}}, -1, 1, false},
    {POD_OP_REDUCE_SUM, "reduce_sum", grad_reduce_sum, 1, {CUBE}, -1, 1, false},
    {POD_OP_REDUCE_PRODUCT, "reduce_product", grad_reduce_product, 1, {CUBE}, 0.5, 1.5, false},
    {POD_OP_REDUCE_MAX, "reduce_max", grad_reduce_max, 1, {CUBE}, -1, 1, false},
    {POD_OP_REDUCE_MIN, "reduce_min", grad_reduce_min, 1, {CUBE}, -1, 1, false},
    {POD_OP_CUMULATIVE_SUM, "cumulative_sum", grad_cumulative_sum, 1, {CUBE}, -1, 1, false},
    {POD_OP_DOT, "dot", grad_dot, 2, {{4, {2, 2, 3, 2}}, {4, {2, 2, 2, 2}}}, -1, 1, false},
    {POD_OP_DOT, "matmul", grad_matmul, 2, {{3, {2, 2, 3}}, {2, {3, 2}}}, -1, 1, false},
    {POD_OP_CONVOLUTION, "convolution", grad_convolution, 2, {IMAGE, {4, {3, 2, 1, 4}}}, -1, 1, false},
    {POD_OP_CONVOLUTION_INPUT_GRADIENT,
     "convolution_input_gradient",
     grad_convolution_input_gradient,
     2,
     {{4, {1, 3, 3, 4}}, {4, {3, 2, 1, 4}}},
     -1,
     1,
     false},
    {POD_OP_CONVOLUTION_KERNEL_GRADIENT,
     "convolution_kernel_gradient",
     grad_convolution_kernel_gradient,
     2,
     {IMAGE, {4, {1, 3, 3, 4}}},
     -1,
     1,
     false},
    {POD_OP_POOL_MAX, "pool_max", grad_pool_max, 1, {IMAGE}, -1, 1, false},
    {POD_OP_POOL_MAX_GRADIENT,
     "pool_max_gradient",
     grad_pool_max_gradient,
     2,
     {IMAGE, {4, {1, 3, 3, 2}}},
     -1,
     1,
     false},
    {POD_OP_POOL_MAX_SELECT, "pool_max_select", grad_pool_max_select, 2, {IMAGE, IMAGE}, -1, 1, false},
    {POD_OP_POOL_SUM, "pool_sum", grad_pool_sum, 1, {IMAGE}, -1, 1, false},
    {POD_OP_POOL_SUM_GRADIENT, "pool_sum_gradient", grad_pool_sum_gradient, 1, {{4, {1, 3, 3, 2}}}, -1, 1, false},
    {POD_OP_CALL, "call", grad_call, 2, {VECTOR, VECTOR}, -1, 1, false},
    {POD_OP_CALL, "call of one value twice", grad_call_twice, 1, {VECTOR}, -1, 1, false},
    {POD_OP_CALL, "remat", grad_remat, 2, {VECTOR, VECTOR}, -1, 1, false},
    {POD_OP_COND, "cond", grad_cond, 3, {VECTOR, VECTOR, {1, {1}}}, -1, 1, false},
    {POD_OP_WHILE, "while", grad_while, 2, {VECTOR, VECTOR}, -1, 1, false},
};

#define GRAD_CASE_COUNT (sizeof(grad_cases) / sizeof(grad_cases[0]))

#endif
