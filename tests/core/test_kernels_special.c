/* The kernels of single ops that the family in use has of its own, against the reference kernels:
 * random shapes, many channels, units in any order, nothing written outside. */

#include "base/random.h"
#include "kernels/kernels.h"
#include "test.h"

static const pod_kernels *kernels; /* of the family in use */
static pod_random_stream stream;

#define MOST  (1 << 17) /* elements of an array */
#define GUARD 16

typedef struct room {
    unsigned char bytes[MOST * 4 + 2 * GUARD];
} room;

static room rooms[7];

static int64_t pick(int64_t low, int64_t high)
{
    return low + (int64_t)pod_random_below(&stream, (uint64_t)(high - low + 1));
}

/* Makes an array in room `number`, of small whole numbers (so that sums are exact) and, if wanted,
 * NaN. */
static pod_array make(int number, pod_dtype dtype, pod_shape shape, bool with_nan)
{
    pod_array array = {dtype, shape, rooms[number].bytes + GUARD};
    int64_t count = pod_shape_elements(&shape);
    ASSERT(count <= MOST);
    memset(rooms[number].bytes, 0xA5, sizeof rooms[number].bytes);
    for (int64_t i = 0; i < count; i++) {
        double value = with_nan && pick(0, 50) == 0 ? NAN : (double)pick(-3, 3);
        pod_convert(POD_F64, &value, dtype, (char *)array.data + (size_t)i * pod_dtype_size(dtype), 1);
    }
    return array;
}

static bool guards_hold(int number, const pod_array *array)
{
    size_t bytes = (size_t)pod_shape_elements(&array->shape) * pod_dtype_size(array->dtype);
    for (size_t i = 0; i < GUARD; i++) {
        if (rooms[number].bytes[i] != 0xA5 || rooms[number].bytes[GUARD + bytes + i] != 0xA5)
            return false;
    }
    return true;
}

/* Runs units of a kernel, from the last to the first if wanted. */
static void run(const pod_kernel *kernel, const pod_kernel_call *call, bool backwards)
{
    int64_t units = pod_kernel_units(kernel, call);
    void *scratch = malloc(pod_kernel_scratch_bytes(kernel, call) + 1);
    pod_status status = POD_OK;
    for (int64_t i = 0; i < units && status == POD_OK; i++) {
        int64_t unit = backwards ? units - 1 - i : i;
        status = pod_kernel_run(kernel, call, unit, unit + 1, scratch);
    }
    free(scratch);
    ASSERT_EQ(POD_OK, status);
}

/* Compares the family's kernel with the reference kernel; there must be one. */
static void compare(const char *op, const pod_attributes *attributes, const pod_array *inputs, size_t input_count,
                    pod_dtype dtype, pod_shape shape)
{
    pod_array expected = make(3, dtype, shape, false), result = make(4, dtype, shape, false);
    pod_error error;
    pod_kernel_call call = {attributes, inputs, input_count, &expected, 1, &error, .kernels = NULL};
    const pod_kernel *special = pod_kernel_find(kernels, op, &call);
    if (special == pod_kernel_reference_kernel(op))
        FAIL("%s falls back to the reference kernel", op);
    run(pod_kernel_reference_kernel(op), &call, false);
    call.outputs = &result;
    run(special, &call, true);
    ASSERT(guards_hold(4, &result));
    int64_t count = pod_shape_elements(&shape);
    for (int64_t i = 0; i < count; i++) {
        double want, got;
        size_t offset = (size_t)i * pod_dtype_size(dtype);
        pod_convert(dtype, (char *)expected.data + offset, POD_F64, &want, 1);
        pod_convert(dtype, (char *)result.data + offset, POD_F64, &got, 1);
        if (got != want && !(isnan(got) && isnan(want)))
            FAIL("%s: element %lld of %lld is %g, expected %g", op, (long long)i, (long long)count, got, want);
    }
}

/* ---- windows
 * -------------------------------------------------------------------------------------------- */

/* A random window, the shape of x and of the result. */
static void pick_window(pod_window *window, pod_shape *x, pod_shape *result)
{
    const int64_t channels[] = {1, 3, 16, 64, 70, 130};
    *window = (pod_window){.rank = (int32_t)pick(1, 3), .groups = 1};
    *x = (pod_shape){window->rank + 2, {pick(1, 3)}};
    *result = *x;
    for (int i = 0; i < window->rank; i++) {
        window->size[i] = pick(1, 3);
        window->stride[i] = pick(1, 3);
        window->dilation[i] = pick(1, 2);
        window->pad_low[i] = pick(-1, 3);
        window->pad_high[i] = pick(-1, 3);
        int64_t reach = (window->size[i] - 1) * window->dilation[i] + 1;
        x->dims[i + 1] = reach + pick(2, window->rank == 3 ? 4 : 9);
        int64_t padded = x->dims[i + 1] + window->pad_low[i] + window->pad_high[i];
        result->dims[i + 1] = (padded - reach) / window->stride[i] + 1;
    }
    x->dims[x->rank - 1] = channels[pick(0, window->rank == 3 ? 3 : 5)];
    result->dims[x->rank - 1] = x->dims[x->rank - 1];
}

/* The positions that a max pooling gives must lead to the gradient that x leads to. */
static void compare_positions(const pod_attributes *attributes, const pod_array *x, const pod_array *g)
{
    pod_error error;
    pod_array given[2] = {make(5, x->dtype, g->shape, false), make(6, POD_U8, g->shape, false)};
    pod_array expected = make(3, x->dtype, x->shape, false);
    pod_array result = make(4, x->dtype, x->shape, false);
    pod_kernel_call pooling = {attributes, x, 1, given, 2, &error, .kernels = NULL};
    pod_kernel_call wanted = {attributes, (pod_array[]){*x, *g}, 2, &expected, 1, &error, .kernels = NULL};
    pod_kernel_call gradient = {attributes, (pod_array[]){given[1], *g}, 2, &result, 1, &error, .kernels = NULL};
    const pod_kernel *forward = pod_kernel_find(kernels, "pool_max", &pooling);
    const pod_kernel *back = pod_kernel_find(kernels, "pool_max_gradient", &gradient);
    const pod_kernel *reference = pod_kernel_reference_kernel("pool_max_gradient");
    ASSERT(forward != pod_kernel_reference_kernel("pool_max") && back != reference);
    run(forward, &pooling, true);
    ASSERT(guards_hold(5, &given[0]) && guards_hold(6, &given[1]));
    run(reference, &wanted, false);
    run(back, &gradient, true);
    ASSERT(guards_hold(4, &result));
    for (int64_t i = 0; i < pod_shape_elements(&x->shape); i++) {
        double want, got;
        size_t offset = (size_t)i * pod_dtype_size(x->dtype);
        pod_convert(x->dtype, (char *)expected.data + offset, POD_F64, &want, 1);
        pod_convert(x->dtype, (char *)result.data + offset, POD_F64, &got, 1);
        if (want != got)
            FAIL("element %lld is %g, expected %g", (long long)i, got, want);
    }
}

static const pod_dtype floats[] = {POD_F32, POD_BF16, POD_F16};

TEST(pooling_agrees_with_the_reference)
{
    for (int round = 0; round < 200; round++) {
        pod_attributes attributes = {0};
        pod_shape x_shape, y_shape;
        pod_dtype dtype = floats[round % 3];
        pick_window(&attributes.window, &x_shape, &y_shape);
        pod_array x = make(0, dtype, x_shape, round & 1), g = make(1, dtype, y_shape, false);
        pod_array u = make(2, dtype, x_shape, false);
        compare("pool_max", &attributes, &x, 1, dtype, y_shape);
        compare("pool_max_gradient", &attributes, (pod_array[]){x, g}, 2, dtype, x_shape);
        compare_positions(&attributes, &x, &g);
        compare("pool_max_select", &attributes, (pod_array[]){x, u}, 2, dtype, y_shape);
        compare("pool_sum", &attributes, &x, 1, dtype, y_shape);
        attributes.shape = x_shape;
        compare("pool_sum_gradient", &attributes, &g, 1, dtype, x_shape);
    }
}

/* As after a relu: what is negative, a negative zero or NaN here and there. */
static pod_array make_positive(int number, pod_dtype dtype, pod_shape shape)
{
    pod_array array = make(number, dtype, shape, false);
    for (int64_t i = 0; i < pod_shape_elements(&shape); i++) {
        const double rare[] = {NAN, -0.0, -2, -INFINITY};
        double value = pick(0, 200) == 0 ? rare[pick(0, 3)] : (double)pick(0, 4);
        pod_convert(POD_F64, &value, dtype, (char *)array.data + (size_t)i * pod_dtype_size(dtype), 1);
    }
    return array;
}

TEST(pooling_of_what_is_positive_agrees_with_the_reference)
{
    for (int round = 0; round < 60; round++) {
        const int64_t pads[2] = {pick(-1, 1), pick(-1, 1)}, strides[2] = {pick(1, 3), pick(1, 3)};
        pod_attributes attributes = {
            .window = {2, {2, 2}, {strides[0], strides[1]}, {pads[0], pads[1]}, {pads[1], pads[0]}, {1, 1}, 1}};
        pod_shape x_shape = {4, {2, pick(4, 9), pick(4, 9), pick(1, 3) * 32 + pick(0, 1) * 5}};
        pod_shape y_shape = x_shape;
        for (int i = 0; i < 2; i++)
            y_shape.dims[i + 1] = (x_shape.dims[i + 1] + pads[0] + pads[1] - 2) / strides[i] + 1;
        pod_dtype dtype = floats[round % 3];
        pod_array x = make_positive(0, dtype, x_shape), g = make(1, dtype, y_shape, false);
        compare("pool_max", &attributes, &x, 1, dtype, y_shape);
        if (strides[0] > 1 && strides[1] > 1)
            compare_positions(&attributes, &x, &g);
    }
}

TEST(depthwise_convolutions_agree_with_the_reference)
{
    for (int round = 0; round < 200; round++) {
        pod_attributes attributes = {0};
        pod_shape x_shape, y_shape, kernel_shape;
        pod_dtype dtype = floats[round % 3];
        pick_window(&attributes.window, &x_shape, &y_shape);
        int64_t channels = x_shape.dims[x_shape.rank - 1];
        attributes.window.groups = channels;
        kernel_shape = (pod_shape){x_shape.rank, {0}};
        for (int i = 0; i < attributes.window.rank; i++)
            kernel_shape.dims[i] = attributes.window.size[i];
        kernel_shape.dims[x_shape.rank - 2] = 1;
        kernel_shape.dims[x_shape.rank - 1] = channels;
        pod_array x = make(0, dtype, x_shape, false), g = make(1, dtype, y_shape, false);
        pod_array kernel = make(2, dtype, kernel_shape, false);
        compare("convolution", &attributes, (pod_array[]){x, kernel}, 2, dtype, y_shape);
        attributes.shape = x_shape;
        compare("convolution_input_gradient", &attributes, (pod_array[]){g, kernel}, 2, dtype, x_shape);
        attributes.shape = kernel_shape;
        compare("convolution_kernel_gradient", &attributes, (pod_array[]){x, g}, 2, POD_F32, kernel_shape);
    }
}

/* More places, lines, taps and channels than are taken at once, and taps that reach over every border. */
TEST(large_depthwise_convolutions_agree_with_the_reference)
{
    static const struct {
        int64_t height, width, channels, size, stride, pad;
    } cases[] = {{45, 41, 70, 3, 1, 1},  {45, 41, 70, 5, 2, 2}, {70, 75, 24, 3, 2, 0}, {1, 2000, 64, 7, 1, 3},
                 {7, 7, 96, 3, 1, 1},    {14, 15, 48, 3, 2, 1}, {3, 2, 16, 5, 1, 2},   {21, 37, 96, 5, 1, 2},
                 {33, 33, 100, 4, 3, 1}, {9, 35, 144, 3, 1, 1}};
    for (size_t i = 0; i < 3 * sizeof cases / sizeof *cases; i++) {
        const int64_t height = cases[i / 3].height, width = cases[i / 3].width, channels = cases[i / 3].channels;
        const int64_t tall = height == 1 ? 1 : cases[i / 3].size, wide = cases[i / 3].size,
                      stride = cases[i / 3].stride;
        const int64_t pad = cases[i / 3].pad, pad_tall = height == 1 ? 0 : pad;
        const pod_dtype dtype = floats[i % 3];
        pod_attributes attributes = {.window = {.rank = 2,
                                                .size = {tall, wide},
                                                .stride = {stride, stride},
                                                .dilation = {1, 1},
                                                .pad_low = {pad_tall, pad},
                                                .pad_high = {pad_tall, pad},
                                                .groups = channels}};
        const pod_shape x_shape = {4, {1, height, width, channels}}, kernel_shape = {4, {tall, wide, 1, channels}};
        const pod_shape y_shape = {
            4, {1, (height + 2 * pad_tall - tall) / stride + 1, (width + 2 * pad - wide) / stride + 1, channels}};
        pod_array x = make(0, dtype, x_shape, false), g = make(1, dtype, y_shape, false);
        pod_array kernel = make(2, dtype, kernel_shape, false);
        compare("convolution", &attributes, (pod_array[]){x, kernel}, 2, dtype, y_shape);
        attributes.shape = x_shape;
        compare("convolution_input_gradient", &attributes, (pod_array[]){g, kernel}, 2, dtype, x_shape);
        attributes.shape = kernel_shape;
        compare("convolution_kernel_gradient", &attributes, (pod_array[]){x, g}, 2, POD_F32, kernel_shape);
    }
}

/* What a family has no kernel of its own for goes to the reference kernel. */
TEST(other_calls_go_to_the_reference_kernel)
{
    pod_attributes attributes = {.window = {.rank = 1, .size = {2}, .groups = 2}};
    pod_shape shape = {3, {1, 4, 4}}, kernel_shape = {3, {2, 2, 4}};
    pod_array inputs[2] = {{POD_F32, shape, NULL}, {POD_F32, kernel_shape, NULL}};
    pod_array output = {POD_F32, shape, NULL};
    pod_kernel_call call = {&attributes, inputs, 2, &output, 1, NULL, .kernels = NULL};
    ASSERT(pod_kernel_find(kernels, "convolution", &call) == pod_kernel_reference_kernel("convolution"));
    inputs[0].dtype = POD_S32;
    ASSERT(pod_kernel_find(kernels, "pool_max", &call) == pod_kernel_reference_kernel("pool_max"));
    ASSERT(pod_kernel_find(kernels, "argmax", &call) == pod_kernel_reference_kernel("argmax"));
    ASSERT(pod_kernel_find(kernels, "no_such_op", &call) == NULL);
}

/* ---- lines
 * ------------------------------------------------------------------------------------------------
 */

TEST(arguments_of_lines_agree_with_the_reference)
{
    for (int round = 0; round < 400; round++) {
        pod_attributes attributes = {.axis = 1};
        pod_shape shape = {2, {pick(1, 40), pick(1, 100)}};
        pod_array x = make(0, POD_F32, shape, round & 1);
        pod_dtype dtype = round & 2 ? POD_S32 : POD_S64;
        if (dtype == POD_S64)
            shape.dims[0] = pick(1, 40) % (shape.dims[0] + 1);
        x.shape.dims[0] = shape.dims[0];
        compare("argmax", &attributes, &x, 1, dtype, (pod_shape){1, {shape.dims[0]}});
        compare("argmin", &attributes, &x, 1, dtype, (pod_shape){1, {shape.dims[0]}});
    }
}

TEST(sums_along_lines_agree_with_the_reference)
{
    for (int round = 0; round < 200; round++) {
        pod_attributes attributes = {.axis = 1, .flag = (round & 1) != 0, .count = round >> 1 & 1};
        pod_shape shape = {3, {pick(1, 40), pick(1, 300), 1}};
        pod_array x = make(0, POD_F32, shape, false);
        compare("cumulative_sum", &attributes, &x, 1, POD_F32, shape);
    }
}

TEST(scatters_agree_with_the_reference)
{
    for (int round = 0; round < 200; round++) {
        int64_t batch = pick(1, 3), middle = pick(1, 3), size = pick(1, 300);
        int64_t inner = pick(0, 9), places = pick(0, 40), wide = round == 0 ? 20 : inner;
        size = round == 0 ? 700 : size; /* more than one part */
        pod_attributes attributes = {.axis = 2, .count = 1, .reduction = POD_REDUCE_SUM};
        pod_shape x_shape = {4, {batch, middle, size, wide}};
        pod_array inputs[3] = {make(0, POD_F32, x_shape, false),
                               make(1, POD_S32, (pod_shape){2, {batch, places}}, false),
                               make(2, POD_F32, (pod_shape){4, {batch, middle, places, wide}}, false)};
        for (int64_t i = 0; i < batch * places; i++)
            ((int32_t *)inputs[1].data)[i] = (int32_t)pick(0, size - 1);
        compare("scatter", &attributes, inputs, 3, POD_F32, x_shape);
    }
}

TEST(a_scatter_names_an_index_out_of_range)
{
    float x[4] = {0}, updates[2] = {1, 2}, result[4];
    int32_t indices[2] = {0, 4};
    pod_array inputs[3] = {{POD_F32, {1, {4}}, x}, {POD_S32, {1, {2}}, indices}, {POD_F32, {1, {2}}, updates}};
    pod_array output = {POD_F32, {1, {4}}, result};
    pod_attributes attributes = {0};
    pod_error error;
    pod_kernel_call call = {&attributes, inputs, 3, &output, 1, &error, .kernels = NULL};
    const pod_kernel *kernel = pod_kernel_find(kernels, "scatter", &call);
    ASSERT_FAILS(POD_ERROR_VALUE, "index 4 (element 1", pod_kernel_run(kernel, &call, 0, 1, NULL));
}

static void choose(void)
{
    pod_error error;
    if (pod_kernel_choose_family(NULL, &kernels, &error) != POD_OK) {
        printf("Bail out! %s\n", error.message);
        exit(1);
    }
    pod_random_stream_init(&stream, 11, 1);
}

TEST_MAIN(choose(); RUN(pooling_agrees_with_the_reference); RUN(pooling_of_what_is_positive_agrees_with_the_reference);
          RUN(depthwise_convolutions_agree_with_the_reference);
          RUN(large_depthwise_convolutions_agree_with_the_reference); RUN(other_calls_go_to_the_reference_kernel);
          RUN(arguments_of_lines_agree_with_the_reference); RUN(sums_along_lines_agree_with_the_reference);
          RUN(scatters_agree_with_the_reference); RUN(a_scatter_names_an_index_out_of_range))
