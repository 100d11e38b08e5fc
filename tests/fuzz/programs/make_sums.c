/* make_sums - reductions, products of matrices, convolutions and pooling. */

#include "programs.h"

#include <math.h>

pod_node *make_reduction(maker *m, pod_op op)
{
    const bool logical = op == POD_OP_REDUCE_AND || op == POD_OP_REDUCE_OR;
    pod_node *x = logical ? any_node(m) : any_number(m);
    if (!x || (m->whole && op == POD_OP_REDUCE_PRODUCT))
        return NULL;
    const pod_dtype dtype = pod_node_dtype(x, 0);
    if (logical && pod_dtype_is_float(dtype))
        return NULL;
    pod_attributes a = {0};
    for (int32_t i = 0; i < pod_node_shape(x, 0)->rank; i++)
        if (chance(&m->dice, 50))
            a.axes.axes[a.axes.count++] = i;
    if (op == POD_OP_REDUCE_SUM && pod_dtype_size(dtype) == 2 && pod_dtype_is_float(dtype) && chance(&m->dice, 50))
        a.dtype = POD_F32;
    return add_op(m, op, &x, 1, &a);
}

pod_node *make_along_axis(maker *m, pod_op op)
{
    pod_node *x = any_number(m);
    if (!x || pod_node_shape(x, 0)->rank == 0)
        return NULL;
    pod_attributes a = {.axis = (int32_t)below(&m->dice, pod_node_shape(x, 0)->rank)};
    if (op == POD_OP_CUMULATIVE_SUM) {
        a.flag = chance(&m->dice, 40);
        a.count = chance(&m->dice, 40);
    } else if (op != POD_OP_DIMENSION_SIZE) {
        a.dtype = chance(&m->dice, 80) ? POD_DTYPE_NONE : POD_S64;
    }
    return add_op(m, op, &x, 1, &a);
}

/* The other operand has batch axes, contracted ones and up to two of its own, in some order. */
pod_node *make_dot(maker *m, pod_op op)
{
    pod_node *x = any_number(m);
    if (!x)
        return NULL;
    const pod_shape *shape = pod_node_shape(x, 0);
    dice *d = &m->dice;
    pod_attributes a = {.precision = POD_PRECISION_HIGHEST};
    pod_shape other = {0};
    int32_t own = (int32_t)below(d, 3);
    double made = 1; /* elements of the result */
    for (int32_t i = 0; i < shape->rank; i++) {
        const int64_t way = i == shape->rank - 1 && chance(d, 50) ? 1 : below(d, 4);
        pod_axes *left = way == 0 ? &a.lhs_batch : &a.lhs_contract, *right = way == 0 ? &a.rhs_batch : &a.rhs_contract;
        for (; own > 0 && chance(d, 40); own--)
            made *= fmax(1, (double)(other.dims[other.rank++] = m->sizes[below(d, MOST_SIZES)]));
        if (way != 1)
            made *= fmax(1, (double)shape->dims[i]);
        if (way > 1)
            continue;
        left->axes[left->count++] = i;
        right->axes[right->count++] = other.rank;
        other.dims[other.rank++] = shape->dims[i];
    }
    for (; own > 0; own--)
        made *= fmax(1, (double)(other.dims[other.rank++] = m->sizes[below(d, MOST_SIZES)]));
    if (other.rank > 5 || bulk_of(&other) > m->most)
        return NULL;
    if (pod_dtype_size(pod_node_dtype(x, 0)) == 2 && pod_dtype_is_float(pod_node_dtype(x, 0)) && chance(d, 50))
        a.dtype = POD_F32;
    pod_node *inputs[2] = {x, like(m, pod_node_dtype(x, 0), &other)};
    const double work = (double)pod_shape_elements(shape) * (double)pod_shape_elements(&other);
    return work > 4e6 || made > (double)m->most * 4 ? NULL : add_op(m, op, inputs, 2, &a);
}

/* An image of one to three spatial axes, one there is or a new one. */
static pod_node *any_image(maker *m, bool number)
{
    for (int i = 0; i < 10; i++) {
        pod_node *x = number ? any_number(m) : any_float(m);
        if (x && pod_node_shape(x, 0)->rank >= 3 && pod_node_shape(x, 0)->rank <= 5)
            return x;
    }
    dice *d = &m->dice;
    pod_shape shape = {3 + (int32_t)below(d, 3), {1 + below(d, 4)}};
    for (int32_t i = 1; i < shape.rank - 1; i++)
        shape.dims[i] = 1 + below(d, shape.rank > 4 ? 4 : 9);
    static const int64_t channels[] = {1, 2, 3, 4, 6, 8, 16, 17, 32};
    shape.dims[shape.rank - 1] = channels[below(d, m->most > 1000 ? 9 : 5)];
    pod_dtype dtype = any_type(m);
    return like(m, pod_dtype_is_float(dtype) ? dtype : POD_F32, &shape);
}

static void choose_window(maker *m, const pod_shape *image, bool pads_less, pod_window *w)
{
    dice *d = &m->dice;
    w->rank = image->rank - 2;
    for (int32_t i = 0; i < w->rank; i++) {
        w->size[i] = 1 + below(d, 4);
        w->stride[i] = 1 + (chance(d, 40) ? below(d, 3) : 0);
        w->dilation[i] = 1 + (chance(d, 20) ? below(d, 2) : 0);
        const int64_t most = pads_less ? (w->size[i] - 1) * w->dilation[i] : 3;
        w->pad_low[i] = chance(d, 50) ? 0 : below(d, most + 1);
        w->pad_high[i] = chance(d, 50) ? w->pad_low[i] : below(d, most + 1);
    }
}

/* The size of what a window makes of an axis; 0 when it does not fit. */
static int64_t windowed(const pod_window *w, int32_t i, int64_t size)
{
    const int64_t reach = (w->size[i] - 1) * w->dilation[i] + 1, padded = size + w->pad_low[i] + w->pad_high[i];
    return padded < reach ? 0 : (padded - reach) / w->stride[i] + 1;
}

static bool result_shape(const pod_window *w, const pod_shape *x, int64_t channels, pod_shape *made)
{
    *made = *x;
    for (int32_t i = 0; i < w->rank; i++)
        if ((made->dims[1 + i] = windowed(w, i, x->dims[1 + i])) == 0)
            return false;
    made->dims[x->rank - 1] = channels;
    return true;
}

pod_node *make_convolution(maker *m, pod_op op)
{
    pod_node *x = any_image(m, false);
    const pod_shape *shape = pod_node_shape(x, 0);
    const pod_dtype dtype = pod_node_dtype(x, 0);
    if (!pod_dtype_is_float(dtype))
        return NULL;
    dice *d = &m->dice;
    pod_attributes a = {.precision = POD_PRECISION_HIGHEST};
    pod_window *w = &a.window;
    choose_window(m, shape, false, w);
    const int64_t channels = shape->dims[shape->rank - 1];
    w->groups = channels > 0 && chance(d, 25) ? (channels % 2 == 0 && chance(d, 50) ? 2 : channels) : 1;
    const int64_t filters = w->groups * (1 + below(d, m->most > 1000 ? 20 : 4));
    pod_shape kernel = {.rank = shape->rank}, result;
    for (int32_t i = 0; i < w->rank; i++)
        kernel.dims[i] = w->size[i];
    kernel.dims[w->rank] = channels / w->groups;
    kernel.dims[w->rank + 1] = filters;
    if (!result_shape(w, shape, filters, &result) || bulk_of(&result) > m->most * 2 ||
        bulk_of(&result) * bulk_of(&kernel) > 4000000)
        return NULL;
    if (op == POD_OP_CONVOLUTION)
        return add_op(m, op, (pod_node *[]){x, like(m, dtype, &kernel)}, 2, &a);
    pod_node *g = like(m, dtype, &result);
    if (op == POD_OP_CONVOLUTION_INPUT_GRADIENT) {
        a.shape = *shape;
        return add_op(m, op, (pod_node *[]){g, like(m, dtype, &kernel)}, 2, &a);
    }
    a.shape = kernel;
    return add_op(m, op, (pod_node *[]){x, g}, 2, &a);
}

pod_node *make_pooling(maker *m, pod_op op)
{
    pod_node *x = any_image(m, true);
    if (!x)
        return NULL;
    const pod_shape *shape = pod_node_shape(x, 0);
    const pod_dtype dtype = pod_node_dtype(x, 0);
    pod_attributes a = {0};
    pod_shape result;
    choose_window(m, shape, true, &a.window);
    if (!result_shape(&a.window, shape, shape->dims[shape->rank - 1], &result))
        return NULL;
    switch (op) {
    case POD_OP_POOL_MAX_GRADIENT:
        return add_op(m, op, (pod_node *[]){x, like(m, dtype, &result)}, 2, &a);
    case POD_OP_POOL_MAX_SELECT:
        return add_op(m, op, (pod_node *[]){x, like(m, dtype, shape)}, 2, &a);
    case POD_OP_POOL_SUM_GRADIENT:
        a.shape = *shape;
        return add_op(m, op, (pod_node *[]){like(m, dtype, &result)}, 1, &a);
    default:
        return add_op(m, op, &x, 1, &a);
    }
}
