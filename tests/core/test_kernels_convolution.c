/* Convolutions of the family that MOONPOD_ISA names: see convolution_cases.h. */

#include "convolution_cases.h"
#include "finish_variants.h"

static const pod_kernels *chosen(void)
{
    const pod_kernels *kernels;
    pod_error error;
    ASSERT_OK(pod_kernel_choose_family(NULL, &kernels, &error));
    return kernels;
}

/* A call with all kernels of the family. */
static pod_convolution_call call_of(pod_dtype dtype)
{
    return (pod_convolution_call){.dtype = dtype,
                                  .dot = dtype == POD_F32 ? &chosen()->dot_f32 : &chosen()->dot_bf16,
                                  .direct = chosen()->direct,
                                  .depthwise = chosen()->depthwise_way,
                                  .winograd = chosen()->winograd};
}

TEST(bf16_convolutions_are_those_of_the_reference)
{
    check_convolutions(call_of(POD_BF16));
}

TEST(f32_convolutions_are_those_of_the_reference)
{
    check_convolutions(call_of(POD_F32));
}

TEST(what_is_not_finite_stays_where_it_is_met)
{
    check_not_finite(call_of(POD_BF16), 33);
    check_not_finite(call_of(POD_F32), 33);
    check_not_finite(call_of(POD_F32), 48);
}

/* The square root of the mean square of what a call gives less `expected`. */
static double error_of(pod_convolution_call call, const pod_array *expected)
{
    const int64_t count = pod_shape_elements(&expected->shape);
    pod_array got = new_array(POD_F32, &expected->shape);
    double sum = 0;
    call.result = got.data;
    call.result_stride = expected->shape.dims[expected->shape.rank - 1];
    run_units(&call, 1000);
    for (int64_t i = 0; i < count; i++) {
        const double error = (double)call.result[i] - (double)((const float *)expected->data)[i];
        sum += error * error;
    }
    system_aligned_free(got.data);
    return sqrt(sum / (double)count);
}

/* Against the reference's sums in f64, of numbers around 0 and of numbers that are not negative. */
TEST(fewer_products_are_no_less_exact)
{
    int tried = 0;
    for (size_t i = 0; i < sizeof trials / sizeof trials[0]; i++) {
        pod_convolution_call call = call_of(POD_F32);
        setup made = new_setup(&trials[i], POD_F32);
        call.sizes = pod_kernel_window_sizes(&made.attributes.window, &made.x.shape, &made.kernel.shape, &made.g.shape);
        for (int variant = 0; variant < 4; variant++) {
            call.kind = variant % 2 ? POD_CONVOLVE_INPUT_GRADIENT : POD_CONVOLVE;
            if (!pod_kernel_winograd_fits(&call))
                continue;
            const pod_array *left = call.kind == POD_CONVOLVE ? &made.x : &made.g;
            const pod_array *wanted = call.kind == POD_CONVOLVE ? &made.g : &made.x;
            for (int64_t j = 0; variant > 1 && j < pod_shape_elements(&left->shape); j++)
                ((float *)left->data)[j] = fabsf(((float *)left->data)[j]);
            pod_array expected = new_array(POD_F32, &wanted->shape);
            made.attributes.dtype = POD_F32;
            made.attributes.shape = wanted->shape;
            run_reference(call.kind == POD_CONVOLVE ? "convolution" : "convolution_input_gradient", &made, left,
                          &made.kernel, &expected);
            call.left = left->data;
            call.right = made.kernel.data;
            pod_convolution_call plain = call;
            plain.winograd = NULL;
            const double fewer = error_of(call, &expected), all = error_of(plain, &expected);
            ASSERT(fewer > 0 && fewer < all);
            tried++;
            system_aligned_free(expected.data);
        }
        free_setup(&made);
    }
    ASSERT(!pod_kernel_dot_finishes(&chosen()->dot_f32) || tried >= 20);
}

/* Several images are cut into blocks with all columns, which are multiplied in groups, and one into pieces of columns.
 */
TEST(an_image_has_the_same_bits_among_others)
{
    const window_trial trial = {2, 9, 32, 304, 1, {16, 16}, {3, 3}, {1, 1}, {1, 1}, {1, 1}, {1, 1}};
    setup made = new_setup(&trial, POD_F32);
    pod_array got = new_array(POD_F32, &made.g.shape), alone = new_array(POD_F32, &made.g.shape);
    pod_convolution_call call = call_of(POD_F32);
    call.sizes = pod_kernel_window_sizes(&made.attributes.window, &made.x.shape, &made.kernel.shape, &made.g.shape);
    call.left = made.x.data;
    call.right = made.kernel.data;
    call.result = got.data;
    call.result_stride = trial.filters;
    ASSERT_EQ(pod_kernel_dot_finishes(call.dot), pod_kernel_winograd_fits(&call));
    run_units(&call, 1000);
    const int64_t count = pod_shape_elements(&made.g.shape) / trial.batch;
    for (int64_t i = 0; i < trial.batch; i++) {
        pod_convolution_call one = call;
        one.sizes.batch = 1;
        one.left = (float *)made.x.data + i * pod_shape_elements(&made.x.shape) / trial.batch;
        one.result = (float *)alone.data + i * count;
        run_units(&one, 1);
    }
    if (pod_kernel_dot_finishes(call.dot))
        ASSERT(memcmp(got.data, alone.data, (size_t)(count * trial.batch) * sizeof(float)) == 0);
    system_aligned_free(got.data);
    system_aligned_free(alone.data);
    free_setup(&made);
}

static void check_finish(const pod_convolution_call *call, int64_t columns, int64_t count, pod_dtype dtype)
{
    finish_operands operands;
    const size_t bytes = (size_t)count * 4 + 1;
    float *sums = system_aligned_new(bytes), *got = system_aligned_new(bytes), *add = system_aligned_new(bytes);
    finish_fill(&operands);
    for (int64_t i = 0; i < count; i++)
        add[i] = (float)(i % 11) * 0.2f - 1;
    pod_convolution_call plain = *call;
    plain.result = sums;
    plain.result_stride = columns;
    run_units(&plain, 1000);
    for (int variant = 0; variant < FINISH_VARIANTS; variant++) {
        const pod_sums_finish finish = finish_variant(variant, &operands, add, dtype, got, columns);
        pod_convolution_call other = *call;
        other.finish = &finish;
        run_units(&other, 2);
        for (int64_t i = 0; i < count; i++) {
            const float want = finish_one(sums[i], &finish, i / columns, i % columns);
            if (dtype == POD_BF16)
                ASSERT_EQ(((uint16_t *)got)[i], pod_bf16_from_f32(want));
            else
                ASSERT(memcmp(&got[i], &want, sizeof want) == 0);
        }
    }
    system_aligned_free(sums);
    system_aligned_free(got);
    system_aligned_free(add);
}

static const window_trial depthwise_trials[] = {
    {2, 2, 48, 48, 48, {9, 35}, {3, 3}, {1, 1}, {1, 1}, {1, 1}, {1, 1}},
    {2, 1, 80, 80, 80, {12, 7}, {3, 3}, {2, 2}, {0, 0}, {1, 1}, {1, 1}},
    {1, 2, 16, 16, 16, {40}, {5}, {1}, {4}, {0}, {1}},
    {2, 1, 32, 32, 32, {7, 7}, {3, 3}, {1, 1}, {1, 1}, {1, 1}, {1, 1}},
    {2, 1, 144, 144, 144, {4, 3}, {5, 5}, {1, 1}, {2, 2}, {2, 2}, {1, 1}},
    {3, 1, 16, 16, 16, {3, 4, 9}, {3, 3, 3}, {1, 1, 2}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}},
};

/* Finishes the forward form and the gradient of x where they can; counts those for results of f32. */
static void finish_trial(window_trial trial, int *forward, int *backward)
{
    random_state = 11;
    setup made = new_setup(&trial, POD_F32);
    float *x = made.x.data, *g = made.g.data;
    x[0] = g[0] = INFINITY;
    x[pod_shape_elements(&made.x.shape) - 1] = g[pod_shape_elements(&made.g.shape) - 1] = NAN;
    pod_convolution_call call = call_of(POD_F32);
    call.left = made.x.data;
    call.right = made.kernel.data;
    call.sizes = pod_kernel_window_sizes(&made.attributes.window, &made.x.shape, &made.kernel.shape, &made.g.shape);
    for (int i = 0; i < 2; i++)
        if (pod_kernel_convolution_finishes(&call, i ? POD_BF16 : POD_F32)) {
            check_finish(&call, trial.filters, pod_shape_elements(&made.g.shape), i ? POD_BF16 : POD_F32);
            *forward += i == 0;
        }
    call.kind = POD_CONVOLVE_INPUT_GRADIENT;
    call.left = made.g.data;
    if (pod_kernel_convolution_finishes(&call, POD_F32)) {
        check_finish(&call, trial.channels, pod_shape_elements(&made.x.shape), POD_F32);
        ++*backward;
    }
    free_setup(&made);
}

/* What is done in registers gives the bits of the steps one by one, also of NaN and infinities. */
TEST(what_is_finished_in_registers_is_the_same)
{
    int few = 0, many = 0, backward = 0, depthwise = 0;
    for (size_t i = 0; i < sizeof trials / sizeof trials[0]; i++) {
        window_trial trial = trials[i];
        trial.filters = trial.filters < 32 ? 16 : trial.filters < 48 ? 32 : 48;
        finish_trial(trial, trial.channels > 4 ? &many : &few, &backward);
    }
    for (size_t i = 0; i < sizeof depthwise_trials / sizeof depthwise_trials[0]; i++)
        finish_trial(depthwise_trials[i], &depthwise, &backward);
    ASSERT(few >= 5 && depthwise == 6);
    ASSERT(!pod_kernel_dot_finishes(&chosen()->dot_f32) || (many >= 5 && backward >= 2));
}

/* A convolution without strides and the max pooling behind it. */
typedef struct pooled_trial {
    window_trial convolution;
    int64_t size[3], stride[3];
} pooled_trial;

static const pooled_trial pooled_trials[] = {
    {{2, 5, 1, 32, 1, {28, 28}, {3, 3}, {1, 1}, {1, 1}, {1, 1}, {1, 1}}, {2, 2}, {2, 2}},
    {{2, 3, 1, 16, 1, {9, 13}, {3, 3}, {1, 1}, {0, 1}, {0, 0}, {1, 1}}, {2, 2}, {3, 2}},
    {{2, 3, 1, 48, 1, {7, 300}, {2, 2}, {1, 1}, {1, 0}, {0, 1}, {1, 1}}, {3, 3}, {3, 3}},
    {{2, 4, 4, 16, 1, {6, 5}, {1, 1}, {1, 1}, {0, 0}, {0, 0}, {1, 1}}, {2, 2}, {2, 2}},
    {{1, 3, 2, 32, 1, {31}, {5}, {1}, {2}, {2}, {1}}, {4}, {5}},
    {{3, 2, 1, 16, 1, {4, 5, 6}, {2, 1, 2}, {1, 1, 1}, {0, 0, 1}, {1, 0, 0}, {1, 1, 1}}, {1, 2, 2}, {2, 2, 2}},
};

/* Random positions; `spread` receives the gradient where they say, zeros elsewhere. */
static uint8_t *pick_positions(const pod_convolution_call *call, const pod_array *given, const pod_array *spread)
{
    const pod_convolution_pooling *p = &call->pooling;
    const int64_t *out = call->sizes.out, filters = call->sizes.filters;
    const int64_t windows = p->out[0] * p->out[1] * p->out[2];
    const int64_t count = call->sizes.batch * windows * filters;
    const size_t element = pod_dtype_size(call->dtype);
    uint8_t *positions = malloc((size_t)count);
    memset(spread->data, 0, (size_t)pod_shape_elements(&spread->shape) * element);
    for (int64_t i = 0; i < count; i++) {
        random_state = random_state * 1664525u + 1013904223u;
        positions[i] = (uint8_t)((random_state >> 16) % (p->size[0] * p->size[1] * p->size[2]));
        int64_t tap[3] = {positions[i] / p->size[2] / p->size[1], positions[i] / p->size[2] % p->size[1],
                          positions[i] % p->size[2]};
        int64_t window = i / filters % windows, place = i / filters / windows;
        int64_t at[3] = {window / p->out[2] / p->out[1], window / p->out[2] % p->out[1], window % p->out[2]};
        for (int axis = 0; axis < 3; axis++)
            place = place * out[axis] + at[axis] * p->stride[axis] + tap[axis];
        memcpy((char *)spread->data + (size_t)(place * filters + i % filters) * element,
               (const char *)given->data + (size_t)i * element, element);
    }
    return positions;
}

static void check_pooled(const pooled_trial *trial, pod_dtype dtype)
{
    random_state = 5;
    setup made = new_setup(&trial->convolution, dtype);
    pod_convolution_call call = call_of(dtype);
    call.kind = POD_CONVOLVE_KERNEL_GRADIENT;
    call.sizes = pod_kernel_window_sizes(&made.attributes.window, &made.x.shape, &made.kernel.shape, &made.g.shape);
    pod_shape pooled = {5, {call.sizes.batch, 0, 0, 0, call.sizes.filters}};
    for (int i = 0; i < 3; i++) {
        int given = i - (3 - trial->convolution.rank);
        call.pooling.size[i] = given >= 0 ? trial->size[given] : 1;
        call.pooling.stride[i] = given >= 0 ? trial->stride[given] : 1;
        pooled.dims[i + 1] = call.pooling.out[i] =
            (call.sizes.out[i] - call.pooling.size[i]) / call.pooling.stride[i] + 1;
    }
    ASSERT_EQ(call.direct->accumulate_windows != NULL, pod_kernel_convolution_pools(&call));
    if (pod_kernel_convolution_pools(&call)) {
        pod_array given = new_array(dtype, &pooled);
        uint8_t *positions = pick_positions(&call, &given, &made.g);
        pod_array expected = new_array(POD_F32, &made.kernel.shape);
        pod_array got = new_array(POD_F32, &made.kernel.shape);
        made.attributes.dtype = POD_F32;
        made.attributes.shape = made.kernel.shape;
        run_reference("convolution_kernel_gradient", &made, &made.x, &made.g, &expected);
        call.is_pooled = true;
        call.pooling.positions = positions;
        call.left = made.x.data;
        call.right = given.data;
        call.result = got.data;
        call.result_stride = call.sizes.filters;
        run_units(&call, 1);
        compare(&trial->convolution, &expected, got.data, 200);
        free(positions);
        system_aligned_free(given.data);
        system_aligned_free(expected.data);
        system_aligned_free(got.data);
    }
    free_setup(&made);
}

TEST(kernel_gradients_read_through_poolings)
{
    for (size_t i = 0; i < sizeof pooled_trials / sizeof *pooled_trials; i++) {
        check_pooled(&pooled_trials[i], POD_F32);
        check_pooled(&pooled_trials[i], POD_BF16);
    }
}

TEST_MAIN(RUN(an_image_has_the_same_bits_among_others); RUN(fewer_products_are_no_less_exact);
          RUN(kernel_gradients_read_through_poolings); RUN(what_is_finished_in_registers_is_the_same);
          RUN(what_is_not_finite_stays_where_it_is_met); RUN(bf16_convolutions_are_those_of_the_reference);
          RUN(f32_convolutions_are_those_of_the_reference))
