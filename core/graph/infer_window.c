#include "graph/op_rules.h"

#include "base/checked.h"

/* Convolutions and pooling over [batch, spatial..., channels]. */

static bool in_range(int64_t value, int64_t least)
{
    return value >= least && value <= INT32_MAX;
}

static bool check_window_axis(pod_infer *call, int32_t axis)
{
    const pod_window *window = &call->attributes->window;
    if (in_range(window->size[axis], 1) && in_range(window->stride[axis], 1) && in_range(window->dilation[axis], 1) &&
        in_range(window->pad_low[axis], 0) && in_range(window->pad_high[axis], 0))
        return true;
    return pod_infer_fail(call, POD_ERROR_ARGUMENT,
                          "on spatial axis %d the window has size %lld, stride %lld, dilation %lld "
                          "and padding %lld, %lld; sizes, strides and dilations are 1 or more, "
                          "padding is 0 or more, and all are below 2^31",
                          axis, (long long)window->size[axis], (long long)window->stride[axis],
                          (long long)window->dilation[axis], (long long)window->pad_low[axis],
                          (long long)window->pad_high[axis]);
}

/* Writes the defaults into the window and checks every number of it. */
static bool complete_window(pod_infer *call)
{
    pod_window *window = &call->attributes->window;
    if (window->rank < 1 || window->rank > POD_MAX_SPATIAL)
        return pod_infer_fail(call, POD_ERROR_ARGUMENT, "the window has %d spatial axes; 1 to %d are possible",
                              window->rank, POD_MAX_SPATIAL);
    if (window->groups == 0)
        window->groups = 1;
    for (int32_t i = 0; i < POD_MAX_SPATIAL; i++) {
        if (i >= window->rank) { /* not read: cleared, so that equal nodes are equal */
            window->size[i] = window->stride[i] = window->dilation[i] = 0;
            window->pad_low[i] = window->pad_high[i] = 0;
            continue;
        }
        if (window->stride[i] == 0)
            window->stride[i] = 1;
        if (window->dilation[i] == 0)
            window->dilation[i] = 1;
        if (!check_window_axis(call, i))
            return false;
    }
    return true;
}

/* Fails unless x is [batch, spatial..., channels] of the window's rank. */
static bool check_image(pod_infer *call, const char *what, const pod_shape *x)
{
    char text[POD_SHAPE_TEXT_SIZE];
    int32_t spatial = call->attributes->window.rank;
    if (x->rank == spatial + 2)
        return true;
    return pod_infer_fail(call, POD_ERROR_SHAPE,
                          "%s is %s; a window of %d spatial axes needs %d axes: batch, spatial, "
                          "channels",
                          what, pod_shape_format(x, text), spatial, spatial + 2);
}

/* The size of a spatial axis after the window went over it; -1 when the window does not fit. */
static int64_t windowed(const pod_window *window, int32_t axis, int64_t size)
{
    int64_t reach, padded;
    bool overflow = pod_multiply_overflows(window->size[axis] - 1, window->dilation[axis], &reach);
    overflow |= pod_add_overflows(size, window->pad_low[axis], &padded);
    overflow |= pod_add_overflows(padded, window->pad_high[axis], &padded);
    if (overflow || padded - 1 < reach)
        return -1;
    return (padded - 1 - reach) / window->stride[axis] + 1;
}

/* Makes [batch, windowed spatial..., channels]. */
static bool window_shape(pod_infer *call, const pod_shape *x, int64_t channels, pod_shape *shape)
{
    char text[POD_SHAPE_TEXT_SIZE];
    const pod_window *window = &call->attributes->window;
    *shape = (pod_shape){.rank = x->rank};
    shape->dims[0] = x->dims[0];
    for (int32_t i = 0; i < window->rank; i++) {
        int64_t size = x->dims[1 + i];
        shape->dims[1 + i] = windowed(window, i, size);
        if (shape->dims[1 + i] < 0)
            return pod_infer_fail(call, POD_ERROR_SHAPE,
                                  "a window of %lld (dilation %lld) does not fit spatial axis %d of "
                                  "%s with padding %lld, %lld; pad more (\"same\") or make it "
                                  "smaller",
                                  (long long)window->size[i], (long long)window->dilation[i], i,
                                  pod_shape_format(x, text), (long long)window->pad_low[i],
                                  (long long)window->pad_high[i]);
    }
    shape->dims[x->rank - 1] = channels;
    return true;
}

/* Fails unless the kernel is [spatial..., channels / groups, filters] for x's channels. */
static bool check_kernel(pod_infer *call, const pod_shape *x, const pod_shape *kernel)
{
    char first[POD_SHAPE_TEXT_SIZE], second[POD_SHAPE_TEXT_SIZE];
    const pod_window *window = &call->attributes->window;
    if (!check_image(call, "the kernel", kernel))
        return false;
    for (int32_t i = 0; i < window->rank; i++) {
        if (kernel->dims[i] != window->size[i])
            return pod_infer_fail(
                call, POD_ERROR_SHAPE, "the kernel %s has size %lld on spatial axis %d, the window %lld",
                pod_shape_format(kernel, first), (long long)kernel->dims[i], i, (long long)window->size[i]);
    }
    int64_t channels = x->dims[x->rank - 1], inner = kernel->dims[kernel->rank - 2];
    int64_t filters = kernel->dims[kernel->rank - 1], groups = window->groups;
    if (groups < 1 || channels % groups != 0 || filters % groups != 0 || inner != channels / groups)
        return pod_infer_fail(call, POD_ERROR_SHAPE,
                              "%s has %lld channels and the kernel %s takes %lld with %lld groups; "
                              "channels must be groups times the kernel's, and filters a multiple "
                              "of groups",
                              pod_shape_format(x, first), (long long)channels, pod_shape_format(kernel, second),
                              (long long)inner, (long long)groups);
    return true;
}

/* Shape of the convolution of x with a kernel, after checking all. */
static bool convolved(pod_infer *call, const pod_shape *x, const pod_shape *kernel, pod_shape *shape)
{
    return check_image(call, "x", x) && check_kernel(call, x, kernel) &&
           window_shape(call, x, kernel->dims[kernel->rank - 1], shape);
}

/* A window whose sizes are not given has the kernel's. */
static void take_kernel_size(pod_infer *call)
{
    pod_window *window = &call->attributes->window;
    const pod_shape *kernel =
        call->op == POD_OP_CONVOLUTION_KERNEL_GRADIENT ? &call->attributes->shape : &pod_infer_operand(call, 1)->shape;
    for (int32_t i = 0; i < window->rank && i < POD_MAX_SPATIAL && i < kernel->rank; i++) {
        if (window->size[i] == 0)
            window->size[i] = kernel->dims[i];
    }
}

/* Operands are two of x, kernel and result of a convolution: checks what all three have in common.
 */
static bool begin_convolution(pod_infer *call, pod_dtype *dtype)
{
    take_kernel_size(call);
    return complete_window(call) && pod_infer_kind(call, 0, POD_KIND_NUMBER) && pod_infer_same_dtype(call, 0, 1) &&
           pod_infer_result_dtype(call, dtype);
}

static bool check_result_gradient(pod_infer *call, const pod_shape *g, const pod_shape *want)
{
    char first[POD_SHAPE_TEXT_SIZE], second[POD_SHAPE_TEXT_SIZE];
    if (pod_shape_equal(g, want))
        return true;
    return pod_infer_fail(call, POD_ERROR_SHAPE, "the gradient is %s, but the window makes a result of %s",
                          pod_shape_format(g, first), pod_shape_format(want, second));
}

bool pod_infer_convolution(pod_infer *call)
{
    pod_shape shape;
    pod_dtype dtype;
    return begin_convolution(call, &dtype) &&
           convolved(call, &pod_infer_operand(call, 0)->shape, &pod_infer_operand(call, 1)->shape, &shape) &&
           pod_infer_set(call, 0, dtype, &shape);
}

bool pod_infer_convolution_input_gradient(pod_infer *call)
{
    pod_shape shape;
    pod_dtype dtype;
    return begin_convolution(call, &dtype) && pod_infer_set(call, 0, dtype, &call->attributes->shape) &&
           convolved(call, &call->attributes->shape, &pod_infer_operand(call, 1)->shape, &shape) &&
           check_result_gradient(call, &pod_infer_operand(call, 0)->shape, &shape);
}

bool pod_infer_convolution_kernel_gradient(pod_infer *call)
{
    pod_shape shape;
    pod_dtype dtype;
    return begin_convolution(call, &dtype) && pod_infer_set(call, 0, dtype, &call->attributes->shape) &&
           convolved(call, &pod_infer_operand(call, 0)->shape, &call->attributes->shape, &shape) &&
           check_result_gradient(call, &pod_infer_operand(call, 1)->shape, &shape);
}

/* ---- pooling --------------------------------------------------------------------------------- */

/* Shape of pooling x, after checking it; a window that lies in padding alone has no maximum. */
static bool pooled(pod_infer *call, const pod_shape *x, pod_shape *shape)
{
    if (!complete_window(call) || !pod_infer_kind(call, 0, POD_KIND_NUMBER) || !check_image(call, "x", x))
        return false;
    const pod_window *window = &call->attributes->window;
    if (window->groups != 1)
        return pod_infer_fail(call, POD_ERROR_ARGUMENT, "pooling has no groups");
    for (int32_t i = 0; i < window->rank; i++) {
        int64_t reach = (window->size[i] - 1) * window->dilation[i];
        if (window->pad_low[i] > reach || window->pad_high[i] > reach)
            return pod_infer_fail(call, POD_ERROR_SHAPE,
                                  "padding %lld, %lld of spatial axis %d is not smaller than the "
                                  "window, so some windows would see nothing",
                                  (long long)window->pad_low[i], (long long)window->pad_high[i], i);
    }
    return window_shape(call, x, x->dims[x->rank - 1], shape);
}

bool pod_infer_pool(pod_infer *call)
{
    const pod_type *x = pod_infer_operand(call, 0);
    pod_shape shape;
    return pooled(call, &x->shape, &shape) && pod_infer_set(call, 0, x->dtype, &shape);
}

bool pod_infer_pool_max_gradient(pod_infer *call)
{
    const pod_type *x = pod_infer_operand(call, 0);
    pod_shape shape;
    return pooled(call, &x->shape, &shape) && pod_infer_same_dtype(call, 0, 1) &&
           check_result_gradient(call, &pod_infer_operand(call, 1)->shape, &shape) &&
           pod_infer_set(call, 0, x->dtype, &x->shape);
}

bool pod_infer_pool_max_select(pod_infer *call)
{
    const pod_type *x = pod_infer_operand(call, 0);
    pod_shape shape;
    return pooled(call, &x->shape, &shape) && pod_infer_same_dtype(call, 0, 1) && pod_infer_same_shape(call, 0, 1) &&
           pod_infer_set(call, 0, x->dtype, &shape);
}

bool pod_infer_pool_sum_gradient(pod_infer *call)
{
    const pod_type *g = pod_infer_operand(call, 0);
    pod_shape shape;
    return pod_infer_set(call, 0, g->dtype, &call->attributes->shape) &&
           pooled(call, &call->attributes->shape, &shape) && check_result_gradient(call, &g->shape, &shape);
}
