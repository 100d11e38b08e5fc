#ifndef POD_TESTS_BATCHING_CASES_H
#define POD_TESTS_BATCHING_CASES_H

/*
 * Builders of small graphs of every op, for any number of rows. Variants differ in which axes are
 * rows.
 */

#include "replica_cases.h"

static inline pod_node *build_unary(replica_case *c)
{
    bool logical = c->op == POD_OP_NOT, small = c->op == POD_OP_ERF_INV;
    bool positive = c->op == POD_OP_LOG || c->op == POD_OP_SQRT || c->op == POD_OP_RSQRT || c->op == POD_OP_LOG1P;
    pod_attributes attributes = {.dtype = c->op == POD_OP_BITCAST ? POD_S32 : POD_F64, .name = "shown"};
    if (c->variant > 0)
        return NULL;
    pod_node *x = case_parameter(c, true, logical ? POD_BOOL : POD_F32, positive ? 0.1 : -0.9, small ? 0.9 : 2,
                                 SHAPE(c->rows, 3));
    return apply(c, c->op, &attributes, x, NULL, NULL);
}

/* Numbers that are the same in each core, with the rows of what is not. */
static inline pod_node *build_with_rows(replica_case *c)
{
    if (c->variant > 2)
        return NULL;
    pod_node *like = case_parameter(c, true, POD_F32, -1, 1, SHAPE(c->rows, 3));
    pod_node *x = c->variant == 0 ? pod_graph_scalar(c->graph, POD_F32, 2.5, SHAPE(c->rows, 3))
                                  : case_parameter(c, c->variant == 1, POD_F32, -1, 1, SHAPE(c->rows, 3));
    return apply(c, c->op, &(pod_attributes){0}, x, like, NULL);
}

static inline bool is_integer_op(pod_op op)
{
    const pod_kinds kinds = pod_op_get(op)->kinds;
    return kinds == POD_KIND_BITS || kinds == POD_KIND_INTEGER;
}

static inline pod_node *build_binary(replica_case *c)
{
    pod_attributes attributes = {.comparison = POD_COMPARE_LT};
    pod_dtype dtype = is_integer_op(c->op) ? POD_S32 : POD_F32;
    if (c->variant > 1)
        return NULL;
    if (c->variant == 1) {
        pod_node *a = case_parameter(c, false, dtype, 0, 4, SHAPE(2, 3));
        pod_node *b = case_parameter(c, false, dtype, 1, 4, SHAPE(2, 3));
        return apply(c, c->op, &attributes, a, b, NULL);
    }
    pod_node *a = case_parameter(c, true, dtype, 0, 4, SHAPE(c->rows, 3));
    pod_node *b = case_parameter(c, true, dtype, 1, 4, SHAPE(c->rows, 3));
    return apply(c, c->op, &attributes, a, b, NULL);
}

static inline pod_node *build_ternary(replica_case *c)
{
    if (c->variant > 0)
        return NULL;
    pod_node *a = rows_of(c, c->op == POD_OP_SELECT ? POD_BOOL : POD_F32, SHAPE(2));
    pod_node *b = rows_of(c, POD_F32, SHAPE(2));
    return apply(c, c->op, NULL, a, b, rows_of(c, POD_F32, SHAPE(2)));
}

static inline pod_node *build_check(replica_case *c)
{
    if (c->variant > 1)
        return NULL;
    pod_node *x = rows_of(c, POD_F32, SHAPE(2));
    pod_node *y = case_parameter(c, true, POD_F32, 1, 2, SHAPE(c->rows, 2));
    pod_node *holds = pod_graph_compare(c->graph, POD_COMPARE_GT, y, pod_graph_scalar(c->graph, POD_F32, 0, NULL));
    if (c->variant == 1)
        holds = pod_graph_compare(c->graph, POD_COMPARE_GT, pod_graph_reduce(c->graph, "reduce_min", y, NULL, false),
                                  pod_graph_scalar(c->graph, POD_F32, 0, NULL));
    return apply(c, POD_OP_CHECK, &(pod_attributes){.name = "positive"}, x, holds, NULL);
}

static inline pod_node *build_leaf(replica_case *c)
{
    static const float elements[] = {1, 2, 3, 4, 5, 6};
    pod_attributes attributes = {.dtype = POD_F32, .shape = *SHAPE(2, 3), .axis = 1};
    if (c->variant > 0)
        return NULL;
    if (c->op == POD_OP_PARAMETER)
        return rows_of(c, POD_F32, SHAPE(3));
    pod_node *leaf = c->op == POD_OP_IOTA ? apply(c, POD_OP_IOTA, &attributes, NULL, NULL, NULL)
                                          : pod_graph_constant(c->graph, POD_F32, SHAPE(2, 3), elements);
    return pod_graph_add(c->graph, leaf, value_of(c, POD_F32, SHAPE(2, 3)));
}

static inline pod_node *build_reshape(replica_case *c)
{
    int64_t r = c->rows;
    switch (c->variant) {
    case 0:
        return apply(c, POD_OP_RESHAPE, &(pod_attributes){.shape = *SHAPE(r, 6)}, rows_of(c, POD_F32, SHAPE(2, 3)),
                     NULL, NULL);
    case 1: {
        pod_node *flat = apply(c, POD_OP_RESHAPE, &(pod_attributes){.shape = *SHAPE(r * 2, 3)},
                               rows_of(c, POD_F32, SHAPE(2, 3)), NULL, NULL);
        flat = pod_graph_tanh(c->graph, flat);
        return apply(c, POD_OP_RESHAPE, &(pod_attributes){.shape = *SHAPE(r, 3, 2)}, flat, NULL, NULL);
    }
    case 2:
        return apply(c, POD_OP_RESHAPE, &(pod_attributes){.shape = *SHAPE(1, r, 1, 6, 1)},
                     rows_of(c, POD_F32, SHAPE(2, 3)), NULL, NULL);
    case 3: {
        pod_node *x = pod_graph_transpose(c->graph, rows_of(c, POD_F32, SHAPE(2)), NULL);
        return apply(c, POD_OP_RESHAPE, &(pod_attributes){.shape = *SHAPE(2 * r)}, x, NULL, NULL);
    }
    default:
        return NULL;
    }
}

static inline pod_node *build_transpose(replica_case *c)
{
    if (c->variant > 0)
        return NULL;
    pod_attributes attributes = {.axes = {3, {1, 2, 0}}};
    return apply(c, POD_OP_TRANSPOSE, &attributes, rows_of(c, POD_F32, SHAPE(2, 3)), NULL, NULL);
}

static inline pod_node *build_broadcast(replica_case *c)
{
    pod_attributes attributes = {.shape = *SHAPE(2, c->rows, 3), .axes = {2, {1, 2}}};
    if (c->variant > 1)
        return NULL;
    if (c->variant == 0)
        return apply(c, POD_OP_BROADCAST, &attributes, rows_of(c, POD_F32, SHAPE(1)), NULL, NULL);
    attributes = (pod_attributes){.shape = *SHAPE(2, 3), .axes = {1, {0}}};
    return apply(c, POD_OP_BROADCAST, &attributes, value_of(c, POD_F32, SHAPE(2)), NULL, NULL);
}

static inline pod_node *build_slice(replica_case *c)
{
    pod_attributes attributes = {.low = {0, 1}, .high = {c->rows, 4}, .step = {1, 2}};
    if (c->variant > 1)
        return NULL;
    if (c->variant == 1) {
        attributes = (pod_attributes){.low = {0, 0}, .high = {1, 2}, .step = {1, 1}};
        if (c->rows == 0)
            attributes.high[0] = 0;
    }
    return apply(c, POD_OP_SLICE, &attributes, rows_of(c, POD_F32, SHAPE(5)), NULL, NULL);
}

static inline pod_node *start_of(replica_case *c, double low, double high)
{
    return case_parameter(c, false, POD_S32, low, high, SCALAR);
}

static inline pod_node *build_dynamic_slice(replica_case *c)
{
    pod_attributes attributes = {.shape = *SHAPE(c->rows, 2, 3)};
    if (c->variant > 1)
        return NULL;
    pod_node *inputs[4] = {NULL, start_of(c, 0, 3), start_of(c, -3, 6), start_of(c, -3, 6)};
    if (c->variant == 0) {
        inputs[0] = rows_of(c, POD_F32, SHAPE(4, 5));
    } else {
        inputs[0] = value_of(c, POD_F32, SHAPE(3, 4, 5));
        attributes.shape.dims[0] = 2;
    }
    return pod_graph_apply(c->graph, POD_OP_DYNAMIC_SLICE, inputs, 4, &attributes, NULL, 0);
}

static inline pod_node *build_dynamic_update(replica_case *c)
{
    static const pod_attributes none = {0};
    if (c->variant > 1)
        return NULL;
    pod_node *inputs[5] = {NULL, NULL, start_of(c, 0, 3), start_of(c, -3, 6), start_of(c, -3, 6)};
    if (c->variant == 0) {
        inputs[0] = rows_of(c, POD_F32, SHAPE(4, 5));
        inputs[1] = rows_of(c, POD_F32, SHAPE(2, 5));
    } else {
        inputs[0] = value_of(c, POD_F32, SHAPE(3, 4, 5));
        inputs[1] = value_of(c, POD_F32, SHAPE(2, 3, 5));
    }
    return pod_graph_apply(c->graph, POD_OP_DYNAMIC_UPDATE_SLICE, inputs, 5, &none, NULL, 0);
}

static inline pod_node *build_pad(replica_case *c)
{
    pod_attributes attributes = {.low = {0, 1}, .high = {0, -1}, .step = {0, 1}};
    if (c->variant > 1)
        return NULL;
    if (c->variant == 1)
        attributes.low[0] = 1;
    pod_node *x = rows_of(c, POD_F32, SHAPE(3));
    return apply(c, POD_OP_PAD, &attributes, x, value_of(c, POD_F32, SCALAR), NULL);
}

static inline pod_node *build_concatenate(replica_case *c)
{
    if (c->variant > 1)
        return NULL;
    pod_node *a = rows_of(c, POD_F32, SHAPE(3)), *b = rows_of(c, POD_F32, SHAPE(3));
    return apply(c, POD_OP_CONCATENATE, &(pod_attributes){.axis = 1 - (int)c->variant}, a, b, NULL);
}

static inline pod_node *build_reverse(replica_case *c)
{
    if (c->variant > 1)
        return NULL;
    pod_attributes attributes = {.axes = {1, {1 - (int)c->variant}}};
    return apply(c, POD_OP_REVERSE, &attributes, rows_of(c, POD_F32, SHAPE(3)), NULL, NULL);
}

static inline pod_node *indices_of(replica_case *c, const pod_shape *rest, int64_t limit)
{
    pod_shape shape = {.rank = rest->rank + 1, .dims = {c->rows}};
    memcpy(shape.dims + 1, rest->dims, (size_t)rest->rank * sizeof(int64_t));
    return case_parameter(c, true, POD_S32, 0, (double)limit, &shape);
}

static inline pod_node *build_gather(replica_case *c)
{
    pod_attributes attributes = {.axis = (int)(c->variant % 3), .count = c->variant == 3};
    switch (c->variant) {
    case 0:
        return apply(c, POD_OP_GATHER, &attributes, value_of(c, POD_F32, SHAPE(4, 3)), indices_of(c, SHAPE(2), 4),
                     NULL);
    case 1:
        return apply(c, POD_OP_GATHER, &attributes, rows_of(c, POD_F32, SHAPE(4, 3)),
                     case_parameter(c, false, POD_S32, 0, 4, SHAPE(2)), NULL);
    case 2:
        attributes.axis = 1;
        return apply(c, POD_OP_GATHER, &attributes, value_of(c, POD_F32, SHAPE(3, 4)), indices_of(c, SHAPE(2), 4),
                     NULL);
    case 3:
        attributes.axis = 2;
        return apply(c, POD_OP_GATHER, &attributes, rows_of(c, POD_F32, SHAPE(2, 4, 3)), indices_of(c, SHAPE(2), 4),
                     NULL);
    default:
        return NULL;
    }
}

/* Numbers that rise from row to row, or fall: what a replica has behind its last row, once they are stacked, is
 * beyond all of
 * them and not 0. Rising ones are below 0 where the type has that, falling ones above. */
static inline pod_node *steep_rows_of(replica_case *c, pod_dtype dtype, bool rises, const pod_shape *rest)
{
    pod_shape shape = {.rank = rest->rank + 1, .dims = {c->rows}};
    memcpy(shape.dims + 1, rest->dims, (size_t)rest->rank * sizeof(int64_t));
    pod_node *rows = case_parameter(c, true, dtype, 1, 3, &shape);
    pod_node *sums = apply(c, POD_OP_CUMULATIVE_SUM, &(pod_attributes){.count = 1}, rows, NULL, NULL);
    pod_node *far = pod_graph_scalar(c->graph, dtype, 40, NULL);
    if (rises)
        return dtype == POD_U32 ? sums : pod_graph_subtract(c->graph, sums, far);
    return pod_graph_subtract(c->graph, far, sums);
}

static inline pod_node *build_scatter(replica_case *c)
{
    static const pod_reduction reductions[] = {POD_REDUCE_SUM, POD_REDUCE_MAX, POD_REDUCE_MIN};
    pod_attributes attributes = {.reduction = reductions[c->variant % 3], .axis = 0};
    if (c->variant > 5)
        return NULL;
    if (c->variant < 3) {
        pod_node *x = value_of(c, POD_F32, SHAPE(4, 3));
        pod_node *indices = indices_of(c, SHAPE(2), 4);
        pod_node *updates = steep_rows_of(c, POD_F32, attributes.reduction != POD_REDUCE_MIN, SHAPE(2, 3));
        return apply(c, POD_OP_SCATTER, &attributes, x, indices, updates);
    }
    attributes.axis = 2;
    attributes.count = 1;
    if (c->variant == 5)
        attributes.reduction = POD_REDUCE_ASSIGN;
    pod_node *x = rows_of(c, POD_F32, SHAPE(2, 4, 3));
    pod_node *indices = indices_of(c, SHAPE(2), 4);
    return apply(c, POD_OP_SCATTER, &attributes, x, indices, rows_of(c, POD_F32, SHAPE(2, 2, 3)));
}

static inline pod_node *build_sort(replica_case *c)
{
    if (c->variant > 1)
        return NULL;
    pod_attributes attributes = {.axis = 1 - (int)c->variant, .flag = true};
    pod_node *keys = rows_of(c, POD_F32, SHAPE(4)), *others = rows_of(c, POD_F32, SHAPE(4));
    pod_node *sorted = apply(c, POD_OP_SORT, &attributes, keys, others, NULL);
    return pod_graph_subtract(c->graph, pod_graph_result(c->graph, sorted, 0), pod_graph_result(c->graph, sorted, 1));
}

static inline pod_node *build_top_k(replica_case *c)
{
    if (c->variant > 2)
        return NULL;
    pod_node *x = rows_of(c, POD_F32, SHAPE(4));
    if (c->variant == 2)
        x = pod_graph_transpose(c->graph, x, NULL);
    pod_attributes attributes = {.count = c->variant == 2 ? 1 : 2};
    return pod_graph_result(c->graph, apply(c, POD_OP_TOP_K, &attributes, x, NULL, NULL), c->variant % 2);
}

static inline pod_node *build_result(replica_case *c)
{
    if (c->variant > 0)
        return NULL;
    pod_node *x = rows_of(c, POD_F32, SHAPE(4));
    pod_node *best = apply(c, POD_OP_TOP_K, &(pod_attributes){.count = 3}, x, NULL, NULL);
    return apply(c, POD_OP_RESULT, &(pod_attributes){.axis = 0}, best, NULL, NULL);
}

static inline pod_node *build_dimension(replica_case *c)
{
    if (c->variant > 2)
        return NULL;
    pod_node *x = rows_of(c, POD_F32, SHAPE(4));
    if (c->variant == 2) {
        pod_attributes attributes = {.shape = *SHAPE(4 * c->rows)};
        x = apply(c, POD_OP_RESHAPE, &attributes, x, NULL, NULL);
    }
    return apply(c, POD_OP_DIMENSION_SIZE, &(pod_attributes){.axis = c->variant == 1}, x, NULL, NULL);
}

static inline pod_node *build_reduction(replica_case *c)
{
    bool logical = c->op == POD_OP_REDUCE_AND || c->op == POD_OP_REDUCE_OR;
    static const pod_axes axes[] = {{1, {1}}, {1, {0}}, {2, {0, 1}}, {0}};
    static const pod_dtype types[] = {POD_F32, POD_S32, POD_S64, POD_U32};
    const uint32_t type = c->variant / 4;
    if (type > 3 || (logical && type > 0))
        return NULL;
    pod_node *x =
        logical ? rows_of(c, POD_BOOL, SHAPE(4)) : steep_rows_of(c, types[type], c->op != POD_OP_REDUCE_MIN, SHAPE(4));
    if (c->op == POD_OP_REDUCE_PRODUCT) /* of small numbers, from 1 on */
        x = pod_graph_add(c->graph, x, pod_graph_scalar(c->graph, types[type], types[type] == POD_U32 ? 1 : 41, NULL));
    return apply(c, c->op, &(pod_attributes){.axes = axes[c->variant % 4]}, x, NULL, NULL);
}

static inline pod_node *build_arg_reduction(replica_case *c)
{
    if (c->variant > 1)
        return NULL;
    pod_node *x = steep_rows_of(c, POD_F32, c->op == POD_OP_ARGMAX, SHAPE(4));
    return apply(c, c->op, &(pod_attributes){.axis = (int)c->variant}, x, NULL, NULL);
}

static inline pod_node *build_reduce(replica_case *c)
{
    pod_graph *region;
    pod_error error;
    if (c->variant > 1)
        return NULL;
    ASSERT_OK(pod_graph_new(c->graph->context, "fold", &region, &error));
    pod_node *a = pod_graph_parameter(region, POD_F32, SCALAR, "a");
    pod_node *b = pod_graph_parameter(region, POD_F32, SCALAR, "b");
    pod_graph_add_output(region, pod_graph_subtract(region, a, b));
    pod_node *inputs[2] = {rows_of(c, POD_F32, SHAPE(4)), value_of(c, POD_F32, SCALAR)};
    pod_attributes attributes = {.axes = {1, {1 - (int)c->variant}}};
    return pod_graph_apply(c->graph, POD_OP_REDUCE, inputs, 2, &attributes, &region, 1);
}

static inline pod_node *build_cumulative(replica_case *c)
{
    if (c->variant > 4)
        return NULL;
    pod_attributes attributes = {.axis = c->variant == 4, .flag = c->variant & 1, .count = c->variant >> 1 & 1};
    pod_node *x = steep_rows_of(c, POD_F32, true, SHAPE(4));
    return apply(c, POD_OP_CUMULATIVE_SUM, &attributes, x, NULL, NULL);
}

static inline pod_node *build_dot(replica_case *c)
{
    pod_attributes attributes = {0};
    pod_node *a, *b;
    switch (c->variant) {
    case 0: /* rows of the left side */
        a = rows_of(c, POD_F32, SHAPE(3));
        b = value_of(c, POD_F32, SHAPE(3, 2));
        attributes.lhs_contract = (pod_axes){1, {1}};
        attributes.rhs_contract = (pod_axes){1, {0}};
        break;
    case 1: /* folds over the rows */
        a = steep_rows_of(c, POD_F32, true, SHAPE(3));
        b = steep_rows_of(c, POD_F32, true, SHAPE(2));
        attributes.lhs_contract = attributes.rhs_contract = (pod_axes){1, {0}};
        break;
    case 2: /* rows are batches */
        a = rows_of(c, POD_F32, SHAPE(2, 3));
        b = rows_of(c, POD_F32, SHAPE(4, 3));
        attributes.lhs_batch = attributes.rhs_batch = (pod_axes){1, {0}};
        attributes.lhs_contract = attributes.rhs_contract = (pod_axes){1, {2}};
        break;
    case 3: /* every row with every row */
        a = rows_of(c, POD_F32, SHAPE(3));
        b = rows_of(c, POD_F32, SHAPE(3));
        attributes.lhs_contract = attributes.rhs_contract = (pod_axes){1, {1}};
        break;
    case 4: /* rows of the right side */
        a = value_of(c, POD_F32, SHAPE(2, 5, 3));
        b = rows_of(c, POD_F32, SHAPE(3, 2));
        attributes.lhs_batch = (pod_axes){1, {0}};
        attributes.rhs_batch = (pod_axes){1, {2}};
        attributes.lhs_contract = (pod_axes){1, {2}};
        attributes.rhs_contract = (pod_axes){1, {1}};
        break;
    default:
        return NULL;
    }
    return apply(c, POD_OP_DOT, &attributes, a, b, NULL);
}

static inline pod_window image_window(int64_t groups)
{
    return (pod_window){
        .rank = 2, .size = {2, 2}, .stride = {2, 1}, .pad_low = {1, 0}, .pad_high = {0, 1}, .groups = groups};
}

/* Images [r, 4, 3, 2] -> [r, 2, 3, 4]. */
static inline pod_node *build_convolution(replica_case *c)
{
    pod_attributes attributes = {.window = image_window(c->variant + 1)};
    if (c->variant > 1)
        return NULL;
    pod_node *x = steep_rows_of(c, POD_F32, true, SHAPE(4, 3, 2));
    pod_shape kernel = *SHAPE(2, 2, 2 / (c->variant + 1), 4);
    if (c->op == POD_OP_CONVOLUTION)
        return apply(c, c->op, &attributes, x, value_of(c, POD_F32, &kernel), NULL);
    pod_node *g = steep_rows_of(c, POD_F32, true, SHAPE(2, 3, 4));
    if (c->op == POD_OP_CONVOLUTION_INPUT_GRADIENT) {
        attributes.shape = *SHAPE(c->rows, 4, 3, 2);
        return apply(c, c->op, &attributes, g, value_of(c, POD_F32, &kernel), NULL);
    }
    attributes.shape = kernel;
    return apply(c, c->op, &attributes, x, g, NULL);
}

static inline pod_node *build_pool(replica_case *c)
{
    pod_attributes attributes = {.window = image_window(0)};
    if (c->variant > 0)
        return NULL;
    pod_node *x = rows_of(c, POD_F32, SHAPE(4, 3, 2));
    if (c->op == POD_OP_POOL_MAX || c->op == POD_OP_POOL_SUM)
        return apply(c, c->op, &attributes, x, NULL, NULL);
    if (c->op == POD_OP_POOL_MAX_SELECT)
        return apply(c, c->op, &attributes, x, rows_of(c, POD_F32, SHAPE(4, 3, 2)), NULL);
    pod_node *g = rows_of(c, POD_F32, SHAPE(2, 3, 2));
    if (c->op == POD_OP_POOL_MAX_GRADIENT)
        return apply(c, c->op, &attributes, x, g, NULL);
    attributes.shape = *SHAPE(c->rows, 4, 3, 2);
    return apply(c, c->op, &attributes, g, NULL, NULL);
}

/* ---- control ---- */

static inline pod_graph *region_of(replica_case *c, const char *name)
{
    pod_graph *region;
    pod_error error;
    ASSERT_OK(pod_graph_new(c->graph->context, name, &region, &error));
    return region;
}

static inline pod_node *build_call(replica_case *c)
{
    static const pod_attributes attributes = {.name = "body"};
    if (c->variant > 1)
        return NULL;
    pod_graph *body = region_of(c, "body");
    pod_node *x = pod_graph_parameter(body, POD_F32, SHAPE(c->rows, 3), "x");
    pod_node *w = pod_graph_parameter(body, POD_F32, SHAPE(3, 2), "w");
    pod_node *y = pod_graph_tanh(body, pod_graph_matmul(body, x, w));
    if (c->variant == 1)
        y = pod_graph_reduce(body, "reduce_sum", y, &(pod_axes){1, {0}}, false);
    pod_graph_add_output(body, y);
    pod_node *inputs[2] = {rows_of(c, POD_F32, SHAPE(3)), value_of(c, POD_F32, SHAPE(3, 2))};
    return pod_graph_apply(c->graph, POD_OP_CALL, inputs, 2, &attributes, &body, 1);
}

static inline pod_node *build_cond(replica_case *c)
{
    static const pod_attributes none = {0};
    pod_graph *sides[2];
    if (c->variant > 1)
        return NULL;
    for (int k = 0; k < 2; k++) {
        sides[k] = region_of(c, "side");
        pod_node *x = pod_graph_parameter(sides[k], POD_F32, SHAPE(c->rows, 3), "x");
        pod_node *y = k == 0 ? pod_graph_tanh(sides[k], x) : x;
        if (c->variant == 1)
            y = pod_graph_reduce(sides[k], "reduce_sum", y, NULL, false);
        pod_graph_add_output(sides[k], y);
    }
    pod_node *inputs[2] = {value_of(c, POD_BOOL, SCALAR), rows_of(c, POD_F32, SHAPE(3))};
    return pod_graph_apply(c->graph, POD_OP_COND, inputs, 2, &none, sides, 2);
}

/* while (i < limit) { i++; x = x * 2 + w; sum += reduce_sum(x) } */
static inline pod_node *build_while(replica_case *c)
{
    static const pod_attributes none = {0};
    pod_graph *regions[2];
    if (c->variant > 1)
        return NULL;
    for (int k = 0; k < 2; k++) {
        pod_graph *g = regions[k] = region_of(c, "loop");
        pod_node *i = pod_graph_parameter(g, POD_S32, SCALAR, "i");
        pod_node *limit = pod_graph_parameter(g, POD_S32, SCALAR, "limit");
        pod_node *x = pod_graph_parameter(g, POD_F32, SHAPE(c->rows, 2), "x");
        pod_node *sum = pod_graph_parameter(g, POD_F32, SCALAR, "sum");
        if (k == 0) {
            pod_graph_add_output(g, pod_graph_compare(g, POD_COMPARE_LT, i, limit));
            continue;
        }
        pod_graph_add_output(g, pod_graph_add(g, i, pod_graph_scalar(g, POD_S32, 1, NULL)));
        pod_graph_add_output(g, limit);
        pod_node *next = pod_graph_add(g, pod_graph_add(g, x, x), pod_graph_scalar(g, POD_F32, 1, NULL));
        pod_graph_add_output(g, next);
        pod_node *more = pod_graph_reduce(g, "reduce_sum", next, NULL, false);
        pod_graph_add_output(g, pod_graph_add(g, sum, more));
    }
    pod_node *inputs[4] = {
        pod_graph_scalar(c->graph, POD_S32, 0, NULL),
        case_parameter(c, false, POD_S32, 0, 4, SCALAR),
        rows_of(c, POD_F32, SHAPE(2)),
        pod_graph_scalar(c->graph, POD_F32, 0, NULL),
    };
    pod_node *loop = pod_graph_apply(c->graph, POD_OP_WHILE, inputs, 4, &none, regions, 2);
    return pod_graph_result(c->graph, loop, c->variant == 0 ? 2 : 3);
}

#endif
