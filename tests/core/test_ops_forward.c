/* The reference kernels against results computed elsewhere: every op of the table that has one must
 * have a case. */

#include "drawn_number.h"
#include "golden_rows.h"
#include "kernels/kernels.h"
#include "kernels/reference.h"
#include "moonpod/tensor.h"
#include "test.h"

#define GUARD 64

/* ---- running a kernel
 * ------------------------------------------------------------------------------- */

static size_t array_bytes(const pod_array *array)
{
    return (size_t)pod_shape_elements(&array->shape) * pod_dtype_size(array->dtype);
}

/* Makes room for an array, with a guard on both sides. */
static pod_array make_array(pod_dtype dtype, const pod_shape *shape)
{
    pod_array array = {.dtype = dtype, .shape = *shape};
    size_t bytes = array_bytes(&array) + 2 * GUARD;
    char *block = malloc(bytes);
    ASSERT(block != NULL);
    memset(block, 0xA5, bytes);
    array.data = block + GUARD;
    return array;
}

static pod_array make_filled(const golden_array *from)
{
    pod_array array = make_array(from->dtype, &from->shape);
    pod_convert(POD_F64, from->elements, array.dtype, array.data, (size_t)pod_shape_elements(&array.shape));
    return array;
}

static void free_array(pod_array *array)
{
    if (array->data != NULL)
        free((char *)array->data - GUARD);
}

/* Whether nothing was written around the array. */
static bool guards_hold(const pod_array *array)
{
    const unsigned char *data = array->data;
    for (size_t i = 0; i < GUARD; i++) {
        if (data[array_bytes(array) + i] != 0xA5 || *(data - 1 - i) != 0xA5)
            return false;
    }
    return true;
}

/* Runs a kernel: all units at once, or one by one from the last to the first. */
static pod_status run_kernel(const pod_kernel *kernel, const pod_kernel_call *call, bool backwards)
{
    int64_t units = pod_kernel_units(kernel, call);
    size_t bytes = pod_kernel_scratch_bytes(kernel, call);
    char *scratch = malloc(bytes + GUARD);
    pod_status status = POD_OK;
    memset(scratch, 0x5A, bytes + GUARD);
    if (!backwards)
        status = pod_kernel_run(kernel, call, 0, units, scratch);
    for (int64_t unit = units - 1; backwards && unit >= 0 && status == POD_OK; unit--)
        status = pod_kernel_run(kernel, call, unit, unit + 1, scratch);
    bool held = true;
    for (size_t i = 0; i < GUARD; i++)
        held = held && scratch[bytes + i] == 0x5A;
    free(scratch);
    ASSERT(held);
    return status;
}

/* ---- goldens
 * ------------------------------------------------------------------------------------------ */

/* What a result may be off, in relation to its size: a unit in the last place. */
static double tolerance(pod_dtype dtype)
{
    switch (dtype) {
    case POD_F16:
        return 0x1p-10;
    case POD_BF16:
        return 0x1p-7;
    case POD_F32:
        return 0x1p-23;
    case POD_F64:
        return 0x1p-50;
    default:
        return 0;
    }
}

static void check_output(const golden *row, const golden_array *expected, const pod_array *actual)
{
    size_t count = (size_t)pod_shape_elements(&expected->shape);
    for (size_t i = 0; i < count; i++) {
        double got, want, rounded[2];
        pod_convert(POD_F64, expected->elements + i, expected->dtype, rounded, 1);
        pod_convert(expected->dtype, rounded, POD_F64, &want, 1);
        pod_convert(actual->dtype, (char *)actual->data + i * pod_dtype_size(actual->dtype), POD_F64, &got, 1);
        if (got == want || (isnan(got) && isnan(want)) || fabs(got - want) <= tolerance(actual->dtype) * fabs(want))
            continue;
        FAIL("%s (%s): element %zu is %.17g, expected %.17g", row->op, row->what, i, got, want);
    }
}

/* Runs a case by the reference kernel or, where `kernels` is given, by what that family has for it.
 */
static void check_golden(const golden *row, const pod_kernels *kernels)
{
    const pod_kernel *kernel = pod_kernel_reference_kernel(row->op);
    pod_array inputs[MOST_ARRAYS] = {0}, outputs[MOST_ARRAYS] = {0}, again[MOST_ARRAYS] = {0};
    pod_error error = {POD_OK, ""};
    pod_kernel_call call = {&row->attributes, inputs, 0, outputs, 0, &error, .kernels = NULL};
    if (kernel == NULL)
        FAIL("%s has no reference kernel", row->op);
    for (; call.input_count < MOST_ARRAYS && row->inputs[call.input_count].dtype; call.input_count++)
        inputs[call.input_count] = make_filled(&row->inputs[call.input_count]);
    for (; call.output_count < MOST_ARRAYS && row->outputs[call.output_count].dtype; call.output_count++) {
        const golden_array *expected = &row->outputs[call.output_count];
        outputs[call.output_count] = make_array(expected->dtype, &expected->shape);
        again[call.output_count] = make_array(expected->dtype, &expected->shape);
    }
    if (kernels != NULL)
        kernel = pod_kernel_find(kernels, row->op, &call);
    ASSERT_OK(run_kernel(kernel, &call, false));
    for (size_t i = 0; i < call.output_count; i++)
        check_output(row, &row->outputs[i], &outputs[i]);
    call.outputs = again;
    ASSERT_OK(run_kernel(kernel, &call, true));
    for (size_t i = 0; i < call.output_count; i++) {
        if (memcmp(outputs[i].data, again[i].data, array_bytes(&again[i])) != 0)
            FAIL("%s (%s): units one by one give other bits", row->op, row->what);
        if (!guards_hold(&outputs[i]) || !guards_hold(&again[i]))
            FAIL("%s (%s) writes outside its result", row->op, row->what);
        free_array(&outputs[i]);
        free_array(&again[i]);
    }
    for (size_t i = 0; i < call.input_count; i++)
        free_array(&inputs[i]);
}

TEST(results_agree_with_numpy)
{
    for (size_t i = 0; i < GOLDEN_COUNT; i++)
        check_golden(&goldens[i], NULL);
}

TEST(results_of_the_family_in_use_agree_with_numpy)
{
    const pod_kernels *kernels;
    pod_error error;
    ASSERT_OK(pod_kernel_choose_family(NULL, &kernels, &error));
    for (size_t i = 0; i < GOLDEN_COUNT; i++)
        check_golden(&goldens[i], kernels);
}

/* ---- ops whose results doubles cannot tell
 * ------------------------------------------------------------ */

TEST(constants_are_copied_or_repeated)
{
    const uint16_t elements[6] = {1, 2, 3, 4, 5, 6};
    for (int flag = 0; flag < 2; flag++) {
        pod_attributes attributes = {.data = elements, .flag = flag != 0};
        pod_array result = make_array(POD_U16, &(pod_shape){2, {2, 3}});
        pod_error error;
        pod_kernel_call call = {&attributes, NULL, 0, &result, 1, &error, .kernels = NULL};
        ASSERT_OK(run_kernel(pod_kernel_reference_kernel("constant"), &call, false));
        for (int i = 0; i < 6; i++)
            ASSERT_EQ(flag ? 1 : i + 1, ((uint16_t *)result.data)[i]);
        ASSERT(guards_hold(&result));
        free_array(&result);
    }
}

TEST(random_bits_are_those_of_their_places)
{
    uint64_t state[2] = {77, 5};
    pod_array input = {POD_U64, {1, {2}}, state};
    pod_attributes attributes = {.seed = 3};
    pod_array words = make_array(POD_U32, &(pod_shape){3, {4, 3, 5}});
    pod_array pairs = make_array(POD_U64, &(pod_shape){2, {4, 7}});
    pod_array scalar = make_array(POD_U32, &(pod_shape){0, {0}});
    pod_error error;
    pod_kernel_call call = {&attributes, &input, 1, &words, 1, &error, .kernels = NULL};
    ASSERT_OK(run_kernel(pod_kernel_reference_kernel("random_bits"), &call, true));
    for (uint64_t i = 0; i < 60; i++)
        ASSERT_EQ(drawn_number(77, 3, 5, i / 15, i % 15), ((uint32_t *)words.data)[i]);
    call.outputs = &pairs;
    ASSERT_OK(run_kernel(pod_kernel_reference_kernel("random_bits"), &call, false));
    for (uint64_t i = 0; i < 28; i++) {
        uint64_t low = drawn_number(77, 3, 5, i / 7, i % 7 * 2);
        uint64_t high = drawn_number(77, 3, 5, i / 7, i % 7 * 2 + 1);
        ASSERT_EQ(low | high << 32, ((uint64_t *)pairs.data)[i]);
    }
    call.outputs = &scalar;
    ASSERT_OK(run_kernel(pod_kernel_reference_kernel("random_bits"), &call, false));
    ASSERT_EQ(drawn_number(77, 3, 5, 0, 0), *(uint32_t *)scalar.data);
    ASSERT(guards_hold(&words) && guards_hold(&pairs) && guards_hold(&scalar));
    free_array(&words);
    free_array(&pairs);
    free_array(&scalar);
}

TEST(an_index_out_of_range_is_refused)
{
    int64_t x[4] = {1, 2, 3, 4}, updates[2] = {0, 0}, result[4];
    int32_t indices[2] = {3, 4};
    pod_array inputs[3] = {{POD_S64, {1, {4}}, x}, {POD_S32, {1, {2}}, indices}, {POD_S64, {1, {2}}, updates}};
    pod_array output = {POD_S64, {1, {2}}, result};
    pod_attributes attributes = {.axis = 0};
    pod_error error;
    pod_kernel_call call = {&attributes, inputs, 2, &output, 1, &error, .kernels = NULL};
    ASSERT_FAILS(POD_ERROR_VALUE, "index 4", run_kernel(pod_kernel_reference_kernel("gather"), &call, false));
    indices[1] = -1;
    ASSERT_FAILS(POD_ERROR_VALUE, "index -1", run_kernel(pod_kernel_reference_kernel("gather"), &call, true));
    output.shape.dims[0] = 4;
    call.input_count = 3;
    ASSERT_FAILS(POD_ERROR_VALUE, "index -1", run_kernel(pod_kernel_reference_kernel("scatter"), &call, false));
}

TEST(the_extremes_of_64_bits_are_exact)
{
    const int64_t a[] = {INT64_MIN, INT64_MAX, INT64_MIN, INT64_MIN, 5, INT64_MAX};
    const int64_t b[] = {-1, 2, 0, 1, 0, INT64_MIN};
    const int64_t quotients[] = {INT64_MIN, INT64_MAX / 2, -1, INT64_MIN, -1, 0};
    const int64_t remainders[] = {0, 1, INT64_MIN, 0, 5, INT64_MAX};
    int64_t result[6];
    pod_array inputs[2] = {{POD_S64, {1, {6}}, (void *)a}, {POD_S64, {1, {6}}, (void *)b}};
    pod_array output = {POD_S64, {1, {6}}, result};
    pod_attributes attributes = {0};
    pod_error error;
    pod_kernel_call call = {&attributes, inputs, 2, &output, 1, &error, .kernels = NULL};
    ASSERT_OK(run_kernel(pod_kernel_reference_kernel("divide"), &call, false));
    for (int i = 0; i < 6; i++)
        ASSERT_EQ(quotients[i], result[i]);
    ASSERT_OK(run_kernel(pod_kernel_reference_kernel("remainder"), &call, false));
    for (int i = 0; i < 6; i++)
        ASSERT_EQ(remainders[i], result[i]);
}

/* Units that see no data: a program plans before there is any. */
/* As NumPy's: a sum of nothing is 0. */
TEST(a_sum_of_one_element_keeps_its_sign)
{
    static const struct {
        pod_shape shape;
        pod_axes axes;
        bool negative;
    } cases[] = {{{1, {3}}, {0}, true},
                 {{2, {1, 3}}, {1, {0}}, true},
                 {{2, {3, 1}}, {1, {1}}, true},
                 {{2, {0, 3}}, {1, {0}}, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const float zeros[3] = {-0.0f, -0.0f, -0.0f};
        float sums[3] = {1, 1, 1};
        pod_error error;
        pod_attributes attributes = {.axes = cases[i].axes};
        pod_array x = {POD_F32, cases[i].shape, (void *)zeros}, sum = {POD_F32, {1, {3}}, sums};
        pod_kernel_call call = {&attributes, &x, 1, &sum, 1, &error, .kernels = NULL};
        ASSERT_OK(run_kernel(pod_kernel_reference_kernel("reduce_sum"), &call, false));
        for (int j = 0; j < 3; j++)
            ASSERT(sums[j] == 0 && !signbit(sums[j]) == !cases[i].negative);
    }
}

TEST(units_are_counted_without_data)
{
    for (size_t row = 0; row < GOLDEN_COUNT; row++) {
        pod_array inputs[MOST_ARRAYS] = {0}, outputs[MOST_ARRAYS] = {0};
        pod_kernel_call call = {&goldens[row].attributes, inputs, 0, outputs, 0, NULL, .kernels = NULL};
        const pod_kernel *kernel = pod_kernel_reference_kernel(goldens[row].op);
        for (size_t i = 0; i < MOST_ARRAYS; i++) {
            inputs[i] = (pod_array){goldens[row].inputs[i].dtype, goldens[row].inputs[i].shape, NULL};
            outputs[i] = (pod_array){goldens[row].outputs[i].dtype, goldens[row].outputs[i].shape, NULL};
            call.input_count += inputs[i].dtype != POD_DTYPE_NONE;
            call.output_count += outputs[i].dtype != POD_DTYPE_NONE;
        }
        ASSERT(pod_kernel_units(kernel, &call) >= 0);
        (void)pod_kernel_scratch_bytes(kernel, &call);
    }
}

/* Transpositions, broadcasts and slices of random shapes, element by element. */
TEST(boxes_of_any_shape_are_copied_right)
{
    pod_random_stream random;
    pod_random_stream_init(&random, 1, 2);
    for (int round = 0; round < 300; round++) {
        static unsigned char source[1 << 18], result[1 << 18];
        const pod_dtype dtypes[] = {POD_U8, POD_BF16, POD_S32, POD_F64};
        pod_dtype dtype = dtypes[round % 4];
        size_t size = pod_dtype_size(dtype);
        int rank = 1 + (int)pod_random_below(&random, 5);
        pod_array input = {dtype, {rank, {0}}, source}, output = {dtype, {rank, {0}}, result};
        pod_attributes attributes = {.axes = {rank, {0}}};
        int64_t strides[POD_MAX_RANK], stride = 1;
        for (int axis = 0; axis < rank; axis++) {
            input.shape.dims[axis] = 1 + (int64_t)pod_random_below(&random, rank < 3 ? 90 : 7);
            int place = (int)pod_random_below(&random, (uint64_t)axis + 1);
            attributes.axes.axes[axis] = attributes.axes.axes[place];
            attributes.axes.axes[place] = axis;
        }
        for (int axis = rank - 1; axis >= 0; axis--) {
            strides[axis] = stride;
            stride *= input.shape.dims[axis];
            output.shape.dims[axis] = input.shape.dims[attributes.axes.axes[axis]];
        }
        for (size_t i = 0; i < (size_t)stride * size; i++)
            source[i] = (unsigned char)pod_random_next(&random);
        pod_error error;
        pod_kernel_call call = {&attributes, &input, 1, &output, 1, &error, .kernels = NULL};
        ASSERT_OK(run_kernel(pod_kernel_reference_kernel("transpose"), &call, round & 8));
        for (int64_t i = 0; i < stride; i++) {
            int64_t left = i, from = 0;
            for (int axis = rank - 1; axis >= 0; axis--) {
                from += left % output.shape.dims[axis] * strides[attributes.axes.axes[axis]];
                left /= output.shape.dims[axis];
            }
            ASSERT_EQ(0, memcmp(source + (size_t)from * size, result + (size_t)i * size, size));
        }
    }
}

/* ---- coverage
 * ------------------------------------------------------------------------------------------- */

/* Ops with a case of their own in this file. */
static const char *const own_cases[] = {"constant", "random_bits"};

/* Ops that are not computed from arrays alone (see reference.h). */
static const char *const without_kernel[] = {
    "parameter", "result",     "check",      "print",      "reduce",         "call",       "cond",
    "while",     "all_reduce", "all_gather", "all_to_all", "reduce_scatter", "replica_id", "collective_permute",
    "opaque",
};

#define LISTED(list, name) is_listed(list, sizeof(list) / sizeof *(list), name)

static bool is_listed(const char *const *list, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(list[i], name) == 0)
            return true;
    }
    return false;
}

static void check_covered(const char *name)
{
    bool found = LISTED(own_cases, name);
    for (size_t i = 0; i < GOLDEN_COUNT && !found; i++)
        found = strcmp(goldens[i].op, name) == 0;
    if (LISTED(without_kernel, name)) {
        ASSERT(pod_kernel_reference_kernel(name) == NULL);
        return;
    }
    if (pod_kernel_reference_kernel(name) == NULL)
        FAIL("%s has no reference kernel", name);
    if (!found)
        FAIL("%s has no case in this test", name);
}

TEST(every_op_of_the_table_is_covered)
{
#define POD_OP_ROW(NAME, name, ...) check_covered(name);
#include "graph/ops.def"
#undef POD_OP_ROW
    ASSERT(pod_kernel_reference_kernel("no_such_op") == NULL);
}

TEST_MAIN(RUN(results_agree_with_numpy); RUN(results_of_the_family_in_use_agree_with_numpy);
          RUN(constants_are_copied_or_repeated); RUN(random_bits_are_those_of_their_places);
          RUN(an_index_out_of_range_is_refused); RUN(the_extremes_of_64_bits_are_exact);
          RUN(a_sum_of_one_element_keeps_its_sign); RUN(units_are_counted_without_data);
          RUN(boxes_of_any_shape_are_copied_right); RUN(every_op_of_the_table_is_covered))
