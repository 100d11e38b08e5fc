#ifndef CONVOLUTION_CASES_H
#define CONVOLUTION_CASES_H

/*
 * convolution_cases - convolutions and their gradients by any kernels of products against the
 * reference kernels, which sum in f64. The tolerance is that of an f32 sum over sizes near 1: k *
 * 2^-20 where k products are added.
 */

#include "kernels/convolution.h"
#include "kernels/convolution_direct.h"
#include "kernels/convolution_taps.h"
#include "kernels/convolution_winograd.h"
#include "kernels/reference.h"
#include "test.h"
#include "test_system.h"
#include "window_trial.h"

static const window_trial trials[] = {
    /* first layer: one channel, padded as "same" */
    {2, 3, 1, 32, 1, {28, 28}, {3, 3}, {1, 1}, {1, 1}, {1, 1}, {1, 1}},
    {2, 5, 32, 64, 1, {14, 14}, {3, 3}, {1, 1}, {1, 1}, {1, 1}, {1, 1}},
    {2, 2, 7, 10, 1, {9, 11}, {3, 2}, {2, 3}, {0, 1}, {2, 0}, {1, 1}},
    {2, 2, 6, 5, 1, {12, 10}, {3, 3}, {1, 2}, {2, 1}, {2, 3}, {2, 3}},
    {2, 2, 16, 24, 2, {8, 8}, {3, 3}, {2, 2}, {0, 0}, {1, 1}, {1, 1}},
    {2, 1, 12, 8, 4, {5, 6}, {1, 1}, {1, 1}, {0, 0}, {0, 0}, {1, 1}},
    {1, 4, 9, 40, 1, {33}, {5}, {1}, {4}, {0}, {1}},
    {1, 3, 4, 17, 1, {20}, {4}, {3}, {1}, {2}, {2}},
    {3, 2, 3, 18, 1, {5, 6, 7}, {2, 3, 3}, {1, 2, 1}, {0, 1, 1}, {1, 1, 1}, {1, 1, 2}},
    /* strides against sizes and dilations: common factors, places that no tap reads, patches side
     * by side, an axis shorter than the stride */
    {2, 2, 6, 11, 1, {13, 14}, {2, 3}, {3, 4}, {1, 2}, {0, 1}, {2, 2}},
    {2, 2, 5, 9, 1, {16, 12}, {1, 2}, {3, 3}, {0, 0}, {0, 2}, {1, 1}},
    {2, 2, 3, 20, 1, {12, 12}, {4, 4}, {4, 4}, {0, 0}, {0, 0}, {1, 1}},
    {2, 2, 8, 8, 2, {9, 3}, {3, 3}, {2, 5}, {1, 1}, {1, 3}, {1, 1}},
    {1, 2, 6, 7, 1, {24}, {5}, {6}, {3}, {9}, {4}},
    /* padding wider than the window; one place; a pointwise convolution; a wide patch */
    {2, 1, 2, 3, 1, {3, 3}, {2, 2}, {1, 1}, {3, 3}, {3, 3}, {1, 1}},
    {2, 2, 8, 50, 1, {4, 4}, {4, 4}, {1, 1}, {0, 0}, {0, 0}, {1, 1}},
    {2, 3, 100, 49, 1, {6, 5}, {1, 1}, {1, 1}, {0, 0}, {0, 0}, {1, 1}},
    /* few channels: lines in several runs, patches of every length, lines that meet padding alone
     */
    {2, 2, 3, 17, 1, {6, 150}, {3, 3}, {1, 1}, {1, 1}, {1, 1}, {1, 1}},
    {1, 2, 2, 40, 1, {300}, {7}, {2}, {3}, {4}, {3}},
    {3, 2, 1, 50, 1, {4, 5, 6}, {2, 3, 3}, {1, 2, 1}, {3, 1, 1}, {2, 1, 1}, {1, 1, 2}},
    {2, 3, 2, 33, 1, {7, 9}, {1, 3}, {2, 3}, {0, 2}, {1, 2}, {1, 1}},
    /* neighbours whose patches overlap: padding of lines shared or not, groups, long lines, three
     * axes, a part of x cut off, more padding than x */
    {2, 3, 8, 9, 1, {6, 7}, {2, 4}, {2, 1}, {1, 3}, {0, 1}, {2, 1}},
    {2, 2, 12, 6, 2, {5, 9}, {3, 3}, {1, 1}, {1, 2}, {1, 0}, {1, 1}},
    {2, 2, 5, 33, 1, {3, 170}, {3, 5}, {1, 1}, {1, 2}, {1, 2}, {1, 1}},
    {3, 2, 6, 10, 1, {4, 5, 6}, {2, 3, 3}, {1, 1, 1}, {0, 1, 1}, {1, 1, 1}, {1, 1, 1}},
    {2, 2, 9, 8, 1, {6, 8}, {3, 3}, {1, 1}, {1, -2}, {1, -1}, {1, 1}},
    {1, 2, 16, 32, 1, {2}, {4}, {1}, {3}, {3}, {1}},
    {2, 1, 600, 16, 1, {5, 5}, {3, 3}, {1, 1}, {1, 1}, {1, 1}, {1, 1}},
    /* images in bands, along each axis; with a border and without; groups with strides and
     * dilation; several images together, the last ones fewer */
    {2, 1, 48, 2, 1, {30, 110}, {3, 3}, {1, 1}, {1, 1}, {1, 1}, {1, 1}},
    {2, 1, 48, 3, 1, {40, 90}, {3, 2}, {2, 1}, {0, 0}, {0, 0}, {1, 1}},
    {1, 1, 20, 4, 1, {7000}, {3}, {1}, {2}, {0}, {1}},
    {3, 1, 24, 2, 1, {9, 26, 30}, {3, 1, 3}, {1, 1, 1}, {1, 0, 1}, {1, 0, 1}, {1, 1, 1}},
    {2, 2, 16, 8, 2, {9, 10}, {3, 3}, {1, 2}, {1, 1}, {1, 2}, {2, 3}},
    {2, 7, 32, 40, 1, {7, 7}, {3, 3}, {1, 1}, {1, 1}, {1, 1}, {1, 1}},
    /* few places and many filters, in pieces of columns: copied, in bands, gathered, in lines */
    {2, 1, 16, 400, 1, {5, 9}, {3, 3}, {1, 1}, {1, 1}, {1, 1}, {1, 1}},
    {2, 1, 24, 200, 1, {20, 30}, {1, 1}, {1, 1}, {0, 0}, {0, 0}, {1, 1}},
    {2, 2, 3, 300, 1, {7, 8}, {3, 3}, {2, 2}, {1, 1}, {1, 1}, {1, 1}},
    {2, 1, 7, 290, 1, {4, 6}, {2, 3}, {1, 1}, {1, 1}, {0, 1}, {1, 1}},
    /* kernels of 3 x 3 by fewer products: images in several blocks and in pieces, sides that are odd, borders of every
     * kind, long lines, many channels, planes of a volume */
    {2, 3, 48, 80, 1, {13, 10}, {3, 3}, {1, 1}, {1, 1}, {1, 1}, {1, 1}},
    {2, 2, 32, 48, 1, {9, 12}, {3, 3}, {1, 1}, {0, 2}, {2, 0}, {1, 1}},
    {2, 1, 48, 32, 1, {11, 130}, {3, 3}, {1, 1}, {2, -1}, {0, 1}, {1, 1}},
    {2, 1, 208, 64, 1, {10, 13}, {3, 3}, {1, 1}, {1, 1}, {1, 1}, {1, 1}},
    {3, 2, 32, 64, 1, {3, 8, 7}, {1, 3, 3}, {1, 1, 1}, {0, 1, 1}, {0, 1, 1}, {1, 1, 1}},
};

typedef struct setup {
    pod_attributes attributes;
    pod_array x, kernel, g;
} setup;

static uint32_t random_state;

static pod_array new_array(pod_dtype dtype, const pod_shape *shape)
{
    pod_array array = {dtype, *shape, NULL};
    int64_t count = pod_shape_elements(shape);
    array.data = system_aligned_new((size_t)count * 4 + 64);
    for (int64_t i = 0; i < count; i++) {
        random_state = random_state * 1664525u + 1013904223u;
        float value = (float)(int32_t)random_state / 2147483648.0f;
        if (dtype == POD_BF16)
            ((uint16_t *)array.data)[i] = pod_bf16_from_f32(value);
        else
            ((float *)array.data)[i] = value;
    }
    return array;
}

static setup new_setup(const window_trial *trial, pod_dtype dtype)
{
    setup made = {0};
    pod_window *window = &made.attributes.window;
    pod_shape x = {trial->rank + 2, {trial->batch}}, kernel = {trial->rank + 2, {0}}, g = x;
    window->rank = trial->rank;
    window->groups = trial->groups;
    for (int i = 0; i < trial->rank; i++) {
        window->size[i] = trial->size[i];
        window->stride[i] = trial->stride[i];
        window->pad_low[i] = trial->low[i];
        window->pad_high[i] = trial->high[i];
        window->dilation[i] = trial->dilation[i];
        x.dims[i + 1] = trial->in[i];
        kernel.dims[i] = trial->size[i];
        int64_t reach = (trial->size[i] - 1) * trial->dilation[i] + 1;
        g.dims[i + 1] = (trial->in[i] + trial->low[i] + trial->high[i] - reach) / trial->stride[i] + 1;
    }
    x.dims[trial->rank + 1] = trial->channels;
    kernel.dims[trial->rank] = trial->channels / trial->groups;
    kernel.dims[trial->rank + 1] = g.dims[trial->rank + 1] = trial->filters;
    made.x = new_array(dtype, &x);
    made.kernel = new_array(dtype, &kernel);
    made.g = new_array(dtype, &g);
    return made;
}

static void free_setup(setup *made)
{
    system_aligned_free(made->x.data);
    system_aligned_free(made->kernel.data);
    system_aligned_free(made->g.data);
}

static void run_reference(const char *op, const setup *made, const pod_array *left, const pod_array *right,
                          pod_array *result)
{
    const pod_array inputs[2] = {*left, *right};
    pod_kernel_call call = {&made->attributes, inputs, 2, result, 1, NULL, .kernels = NULL};
    const pod_kernel *kernel = pod_kernel_reference_kernel(op);
    ASSERT(pod_kernel_run(kernel, &call, 0, pod_kernel_units(kernel, &call), NULL) == POD_OK);
}

/* Runs units in another order and in other pieces for each `step`. */
static void run_units(const pod_convolution_call *call, int64_t step)
{
    void *shared = system_aligned_new(pod_kernel_convolution_shared_bytes(call) + 64);
    void *scratch = system_aligned_new(pod_kernel_convolution_scratch_bytes(call) + 64);
    for (int phase = 0; phase < POD_CONVOLUTION_PHASES; phase++) {
        int64_t units = pod_kernel_convolution_units(call, phase);
        for (int64_t end = units; end > 0; end -= step)
            pod_kernel_convolution_run(call, phase, end > step ? end - step : 0, end, shared, scratch);
    }
    system_aligned_free(shared);
    system_aligned_free(scratch);
}

static void compare(const window_trial *trial, const pod_array *expected, const float *got, int64_t terms)
{
    int64_t count = pod_shape_elements(&expected->shape);
    for (int64_t i = 0; i < count; i++) {
        double want = ((const float *)expected->data)[i];
        if (!(fabs(got[i] - want) <= (double)terms * 0x1p-20))
            FAIL("trial %d, element %lld: %.9g, not %.9g", (int)(trial - trials), (long long)i, got[i], want);
    }
}

static void add_one(void *context, float *tile, int64_t stride, int64_t row, int64_t column, int64_t rows,
                    int64_t columns)
{
    (void)context, (void)row, (void)column;
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++)
            tile[i * stride + j] += 1;
}

/* Gradients of kernels that are added image by image have the same bits however many images a call
 * has. */
static void check_images(const pod_convolution_call *call, const float *expected, int64_t count)
{
    int64_t images = call->sizes.batch;
    if (pod_kernel_convolution_part_images(call) == 0 || pod_kernel_direct_fits(call) || !pod_kernel_taps_fit(call))
        return;
    char *shared = system_aligned_new(pod_kernel_convolution_shared_bytes(call) + 64);
    void *scratch = system_aligned_new(pod_kernel_convolution_scratch_bytes(call) + 64);
    for (int64_t at = 0, step = 1; at < images; at += step, step = step % 3 + 1)
        pod_kernel_convolution_add_images(call, at, at + step < images ? at + step : images, shared, scratch);
    pod_kernel_convolution_run(call, 3, 0, pod_kernel_convolution_units(call, 3), shared, scratch);
    ASSERT(memcmp(expected, call->result, (size_t)count * sizeof *expected) == 0);
    system_aligned_free(shared);
    system_aligned_free(scratch);
}

/* `wanted` has the result's shape; `terms` products are added for an element. */
static void check(const window_trial *trial, setup *made, pod_convolution_call call, const char *op,
                  const pod_array *wanted, int64_t terms)
{
    const pod_array *left = call.kind == POD_CONVOLVE_INPUT_GRADIENT ? &made->g : &made->x;
    const pod_array *right = call.kind == POD_CONVOLVE_KERNEL_GRADIENT ? &made->g : &made->kernel;
    pod_array expected = new_array(POD_F32, &wanted->shape);
    pod_array got = new_array(POD_F32, &wanted->shape), again = new_array(POD_F32, &wanted->shape);
    made->attributes.dtype = POD_F32;
    made->attributes.shape = wanted->shape;
    run_reference(op, made, left, right, &expected);
    call.left = left->data;
    call.right = right->data;
    call.result = got.data;
    call.result_stride = wanted->shape.dims[wanted->shape.rank - 1];
    run_units(&call, 1000);
    compare(trial, &expected, got.data, terms);
    call.result = again.data;
    run_units(&call, 1);
    ASSERT(memcmp(got.data, again.data, (size_t)pod_shape_elements(&wanted->shape) * 4) == 0);
    check_images(&call, got.data, pod_shape_elements(&wanted->shape));
    call.epilogue = add_one;
    run_units(&call, 3);
    for (int64_t i = 0; i < pod_shape_elements(&wanted->shape); i++)
        ((float *)expected.data)[i] += 1;
    compare(trial, &expected, again.data, terms + 2);
    system_aligned_free(expected.data);
    system_aligned_free(got.data);
    system_aligned_free(again.data);
}

/* Each form with the type and the kernels of `call`. */
static void check_trial(const window_trial *trial, pod_convolution_call call)
{
    random_state = 7;
    setup made = new_setup(trial, call.dtype);
    call.sizes = pod_kernel_window_sizes(&made.attributes.window, &made.x.shape, &made.kernel.shape, &made.g.shape);
    int64_t taps = call.sizes.size[0] * call.sizes.size[1] * call.sizes.size[2];
    int64_t places = pod_shape_elements(&made.g.shape) / trial->filters;
    call.kind = POD_CONVOLVE;
    check(trial, &made, call, "convolution", &made.g, taps * trial->channels);
    call.kind = POD_CONVOLVE_INPUT_GRADIENT;
    check(trial, &made, call, "convolution_input_gradient", &made.x, taps * trial->filters);
    call.kind = POD_CONVOLVE_KERNEL_GRADIENT;
    check(trial, &made, call, "convolution_kernel_gradient", &made.kernel, places);
    free_setup(&made);
}

/* Infinities at the corners of x make exactly those sums infinite or NaN that meet them. */
static void check_not_finite(pod_convolution_call call, int64_t filters)
{
    const window_trial trial = {2, 2, 32, filters, 1, {6, 14}, {3, 3}, {1, 1}, {1, 1}, {1, 1}, {1, 1}};
    setup made = new_setup(&trial, call.dtype);
    call.sizes = pod_kernel_window_sizes(&made.attributes.window, &made.x.shape, &made.kernel.shape, &made.g.shape);
    int64_t last = pod_shape_elements(&made.x.shape) - 1;
    for (int i = 0; i < 2; i++)
        if (call.dtype == POD_BF16)
            ((uint16_t *)made.x.data)[i * last] = pod_bf16_from_f32(INFINITY);
        else
            ((float *)made.x.data)[i * last] = INFINITY;
    for (int kind = 0; kind < 2; kind++) {
        const pod_array *wanted = kind ? &made.kernel : &made.g, *right = kind ? &made.g : &made.kernel;
        pod_array expected = new_array(POD_F32, &wanted->shape), got = new_array(POD_F32, &wanted->shape);
        made.attributes.dtype = POD_F32;
        made.attributes.shape = wanted->shape;
        run_reference(kind ? "convolution_kernel_gradient" : "convolution", &made, &made.x, right, &expected);
        call.kind = kind ? POD_CONVOLVE_KERNEL_GRADIENT : POD_CONVOLVE;
        call.left = made.x.data;
        call.right = right->data;
        call.result = got.data;
        call.result_stride = filters;
        run_units(&call, 1000);
        int64_t finite = 0, count = pod_shape_elements(&wanted->shape);
        for (int64_t i = 0; i < count; i++) {
            bool is = isfinite(((float *)expected.data)[i]);
            ASSERT_EQ(is, isfinite(((float *)got.data)[i]) != 0);
            finite += is;
        }
        ASSERT(finite > 0 && finite < count);
        system_aligned_free(expected.data);
        system_aligned_free(got.data);
    }
    free_setup(&made);
}

/* All trials: by products alone, then by what else `call` has where that fits. */
static void check_convolutions(pod_convolution_call call)
{
    const pod_convolution_call plain = {.dtype = call.dtype, .dot = call.dot};
    for (size_t i = 0; i < sizeof trials / sizeof trials[0]; i++) {
        check_trial(&trials[i], plain);
        if (call.direct != NULL || call.winograd != NULL)
            check_trial(&trials[i], call);
    }
}

#endif
