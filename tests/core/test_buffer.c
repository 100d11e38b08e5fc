/* test_buffer - dtypes, shapes, buffers, views and conversions. */

#include "test.h"

TEST(dtypes_have_two_names_a_size_and_a_kind)
{
    ASSERT_TEXT("float32", pod_dtype_name(POD_F32));
    ASSERT_TEXT("f32", pod_dtype_xla_name(POD_F32));
    ASSERT_EQ(4, pod_dtype_size(POD_F32));
    for (int i = POD_DTYPE_NONE + 1; i < POD_DTYPE_END; i++) {
        const pod_dtype dtype = (pod_dtype)i;
        ASSERT_EQ(dtype, pod_dtype_from_name(pod_dtype_name(dtype)));
        ASSERT_EQ(dtype, pod_dtype_from_name(pod_dtype_xla_name(dtype)));
        const char kind = pod_dtype_xla_name(dtype)[0];
        ASSERT_EQ(kind == 'f' || kind == 'b', pod_dtype_is_float(dtype));
        ASSERT_EQ(kind == 's' || kind == 'u', pod_dtype_is_integer(dtype));
    }
    ASSERT_EQ(POD_DTYPE_NONE, pod_dtype_from_name("float31"));
    ASSERT_EQ(POD_DTYPE_NONE, pod_dtype_from_name("none"));
    ASSERT_EQ(POD_DTYPE_NONE, pod_dtype_from_name(NULL));
    ASSERT_EQ(0, pod_dtype_size(POD_DTYPE_NONE));
    ASSERT_EQ(0, pod_dtype_size(POD_DTYPE_END));
}

TEST(shapes_count_compare_and_print)
{
    char text[POD_SHAPE_TEXT_SIZE];
    const pod_shape scalar = {0}, vector = {1, {7}}, matrix = {2, {1024, 784}};
    ASSERT_EQ(1, pod_shape_elements(&scalar));
    ASSERT_EQ(802816, pod_shape_elements(&matrix));
    ASSERT_TEXT("()", pod_shape_format(&scalar, text));
    ASSERT_TEXT("(7,)", pod_shape_format(&vector, text));
    ASSERT_TEXT("(1024, 784)", pod_shape_format(&matrix, text));
    ASSERT(pod_shape_equal(&matrix, &(pod_shape){2, {1024, 784, 5}}));
    ASSERT(!pod_shape_equal(&matrix, &(pod_shape){2, {1024, 783}}));
    ASSERT(!pod_shape_equal(&vector, &scalar));

    const int64_t huge = INT64_MAX;
    ASSERT_EQ(-1, pod_shape_elements(&(pod_shape){2, {huge, 2}}));
    ASSERT_EQ(-1, pod_shape_elements(&(pod_shape){1, {-1}}));
    ASSERT_EQ(-1, pod_shape_elements(&(pod_shape){2, {0, -1}}));
    ASSERT_EQ(-1, pod_shape_elements(&(pod_shape){9, {1}}));
    ASSERT_EQ(0, pod_shape_elements(&(pod_shape){2, {huge, 0}}));
    ASSERT_EQ(-1, pod_shape_elements(&(pod_shape){3, {huge, huge, 0}})); /* its strides */
    pod_shape longest = {POD_MAX_RANK, {0}};
    for (int i = 0; i < POD_MAX_RANK; i++)
        longest.dims[i] = INT64_MIN;
    ASSERT_EQ(8 * 20 + 7 * 2 + 2, strlen(pod_shape_format(&longest, text)));
}

TEST(a_buffer_is_zeroed_aligned_and_padded)
{
    pod_error error;
    pod_buffer *buffer;
    pod_context *context = test_context(NULL);
    const pod_shape shape = {2, {3, 5}};
    ASSERT_OK(pod_buffer_new(context, POD_F32, &shape, &buffer, &error));
    ASSERT_EQ(POD_F32, pod_buffer_dtype(buffer));
    ASSERT(pod_shape_equal(&shape, pod_buffer_shape(buffer)));
    ASSERT_EQ(60, pod_buffer_bytes(buffer));
    const unsigned char *data = pod_buffer_data(buffer);
    ASSERT_EQ(0, (uintptr_t)data % 64);
    for (int i = 0; i < 64; i++)
        ASSERT_EQ(0, data[i]);
    ASSERT(pod_buffer_is_unique(buffer));
    ASSERT(pod_buffer_retain(buffer) == buffer);
    ASSERT(!pod_buffer_is_unique(buffer));
    pod_buffer_release(buffer);
    ASSERT(pod_buffer_is_unique(buffer));
    pod_context_release(context); /* the buffer keeps it */
    pod_buffer_release(buffer);
    pod_buffer_release(NULL);
}

TEST(an_empty_buffer_has_no_bytes)
{
    pod_error error;
    pod_buffer *buffer;
    pod_context *context = test_context(NULL);
    ASSERT_OK(pod_buffer_new(context, POD_S64, &(pod_shape){2, {0, 4}}, &buffer, &error));
    ASSERT_EQ(0, pod_buffer_bytes(buffer));
    ASSERT(pod_buffer_data(buffer) != NULL);
    pod_buffer_release(buffer);
    pod_context_release(context);
}

TEST(impossible_buffers_are_refused)
{
    pod_error error;
    pod_context *context = test_context(NULL);
    pod_buffer *buffer = (pod_buffer *)context;
    ASSERT_FAILS(POD_ERROR_SHAPE, "(9223372036854775807, 2)",
                 pod_buffer_new(context, POD_F32, &(pod_shape){2, {INT64_MAX, 2}}, &buffer, &error));
    ASSERT(buffer == NULL);
    ASSERT_FAILS(POD_ERROR_SHAPE, "(4611686018427387904,)",
                 pod_buffer_new(context, POD_U8, &(pod_shape){1, {INT64_C(1) << 62}}, &buffer, &error));
    ASSERT_FAILS(POD_ERROR_SHAPE, "must not be negative",
                 pod_buffer_new(context, POD_F32, &(pod_shape){1, {-2}}, &buffer, &error));
    ASSERT_FAILS(POD_ERROR_SHAPE, "rank 9; it must be 0 to 8",
                 pod_buffer_new(context, POD_F32, &(pod_shape){9, {1}}, &buffer, &error));
    ASSERT_FAILS(POD_ERROR_DTYPE, "needs an element type",
                 pod_buffer_new(context, POD_DTYPE_NONE, &(pod_shape){0}, &buffer, &error));
    pod_context_release(context);
}

TEST(a_view_shares_its_parents_elements)
{
    pod_error error;
    pod_buffer *buffer, *rows, *element, *kept;
    pod_context *context = test_context(NULL);
    ASSERT_OK(pod_buffer_new(context, POD_F32, &(pod_shape){2, {4, 3}}, &buffer, &error));
    float *values = pod_buffer_data(buffer);
    for (int i = 0; i < 12; i++)
        values[i] = (float)i;
    ASSERT_OK(pod_buffer_view(buffer, 24, POD_F32, &(pod_shape){2, {2, 3}}, &rows, &error));
    ASSERT_OK(pod_buffer_view(rows, 12, POD_F32, &(pod_shape){0}, &kept, &error));
    ASSERT(!pod_buffer_is_unique(kept));
    ASSERT_NUMBER(6, *(float *)pod_buffer_data(rows));
    ASSERT_NUMBER(9, *(float *)pod_buffer_data(kept));
    ASSERT_FAILS(POD_ERROR_SHAPE, "does not lie within the buffer float32 (2, 3) of 24 bytes",
                 pod_buffer_view(rows, 16, POD_F32, &(pod_shape){1, {3}}, &element, &error));
    ASSERT(element == NULL);
    ASSERT_FAILS(POD_ERROR_SHAPE, "does not lie within",
                 pod_buffer_view(rows, SIZE_MAX - 3, POD_F32, &(pod_shape){0}, &element, &error));
    ASSERT_FAILS(POD_ERROR_ARGUMENT, "starts at byte 2; it must start at a multiple of 4",
                 pod_buffer_view(rows, 2, POD_F32, &(pod_shape){0}, &element, &error));
    pod_context_release(context);
    pod_buffer_release(buffer); /* the views keep it */
    pod_buffer_release(rows);
    ASSERT_NUMBER(9, *(float *)pod_buffer_data(kept));
    ASSERT(pod_buffer_is_unique(kept));
    pod_buffer_release(kept);
}

static pod_status make_buffers(pod_context *context, pod_error *error)
{
    pod_buffer *buffer, *view = NULL;
    pod_status status = pod_buffer_new(context, POD_U8, &(pod_shape){1, {100}}, &buffer, error);
    if (status == POD_OK)
        status = pod_buffer_view(buffer, 1, POD_U8, &(pod_shape){1, {9}}, &view, error);
    if (status != POD_OK) {
        ASSERT(view == NULL);
        ASSERT_CONTAINS("needs", error->message);
    }
    pod_buffer_release(view);
    pod_buffer_release(buffer);
    return status;
}

TEST(buffers_survive_the_failure_of_every_allocation)
{
    every_allocation_may_fail(make_buffers);
}

TEST(a_buffer_without_memory_says_its_shape_and_bytes)
{
    pod_error error;
    pod_buffer *buffer;
    test_allocator allocator = {.granted = -1};
    pod_context *context = test_context(&(pod_context_options){.allocator = {test_resize, &allocator}});
    allocator.granted = 0;
    ASSERT_FAILS(POD_ERROR_MEMORY, "float32 (1024, 784) needs 3211264 bytes",
                 pod_buffer_new(context, POD_F32, &(pod_shape){2, {1024, 784}}, &buffer, &error));
    pod_context_release(context);
}

static double convert_one(pod_dtype from, double value, pod_dtype to)
{
    double in, middle, out = 0;
    pod_convert(POD_F64, &value, from, &in, 1);
    pod_convert(from, &in, to, &middle, 1);
    pod_convert(to, &middle, POD_F64, &out, 1);
    return out;
}

TEST(floats_truncate_and_saturate_into_integers)
{
    static const pod_dtype floats[] = {POD_F16, POD_BF16, POD_F32, POD_F64};
    for (int i = 0; i < 4; i++) {
        ASSERT_NUMBER(-1, convert_one(floats[i], -1.75, POD_S32));
        ASSERT_NUMBER(1, convert_one(floats[i], 1.75, POD_U8));
        ASSERT_NUMBER(0, convert_one(floats[i], -0.75, POD_U8));
        ASSERT_NUMBER(0, convert_one(floats[i], -5, POD_U16));
        ASSERT_NUMBER(255, convert_one(floats[i], 300, POD_U8));
        ASSERT_NUMBER(127, convert_one(floats[i], 1000, POD_S8));
        ASSERT_NUMBER(-128, convert_one(floats[i], -1000, POD_S8));
        for (int to = POD_S8; to <= POD_U64; to++)
            ASSERT_NUMBER(0, convert_one(floats[i], NAN, (pod_dtype)to));
        ASSERT_NUMBER(1, convert_one(floats[i], NAN, POD_BOOL));
        ASSERT_NUMBER(1, convert_one(floats[i], 0.25, POD_BOOL));
        ASSERT_NUMBER(0, convert_one(floats[i], -0.0, POD_BOOL));
    }
}

TEST(infinities_saturate_to_the_limits_of_every_integer)
{
    static const struct {
        pod_dtype dtype;
        int64_t low;
        uint64_t high;
    } rows[] = {{POD_S8, INT8_MIN, INT8_MAX},    {POD_S16, INT16_MIN, INT16_MAX}, {POD_S32, INT32_MIN, INT32_MAX},
                {POD_S64, INT64_MIN, INT64_MAX}, {POD_U8, 0, UINT8_MAX},          {POD_U16, 0, UINT16_MAX},
                {POD_U32, 0, UINT32_MAX},        {POD_U64, 0, UINT64_MAX}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        static const double highs[] = {INFINITY, 1e30}, lows[] = {-INFINITY, -1e30};
        for (int j = 0; j < 2; j++) {
            const float high = (float)highs[j];
            uint64_t wide = 0;
            int64_t low = 0;
            pod_convert(POD_F32, &high, rows[i].dtype, &wide, 1);
            ASSERT_EQ(rows[i].high, wide);
            pod_convert(POD_F64, &highs[j], rows[i].dtype, &wide, 1);
            ASSERT_EQ(rows[i].high, wide);
            pod_convert(POD_F64, &lows[j], rows[i].dtype, &wide, 1);
            pod_convert(rows[i].dtype, &wide, POD_S64, &low, 1);
            ASSERT_EQ(rows[i].low, low);
        }
    }
    /* The largest f64 below 2^31, and the limits themselves, are kept. */
    ASSERT_NUMBER(2147483647, convert_one(POD_F64, 2147483647.9, POD_S32));
    ASSERT_NUMBER(-2147483648.0, convert_one(POD_F64, -2147483648.9, POD_S32));
}

TEST(integers_keep_their_low_bits_and_bools_become_one)
{
    const int32_t wide = 0x12345681;
    int8_t narrow;
    uint16_t half;
    pod_convert(POD_S32, &wide, POD_S8, &narrow, 1);
    ASSERT_EQ(-127, narrow);
    pod_convert(POD_S32, &wide, POD_U16, &half, 1);
    ASSERT_EQ(0x5681, half);
    const int16_t negative = -2;
    uint64_t extended;
    pod_convert(POD_S16, &negative, POD_U64, &extended, 1);
    ASSERT_EQ(-2, extended);
    const uint8_t truth[3] = {0, 1, 200};
    float floats[3];
    uint8_t again[3];
    pod_convert(POD_BOOL, truth, POD_F32, floats, 3);
    pod_convert(POD_BOOL, truth, POD_BOOL, again, 3);
    ASSERT_NUMBER(1, floats[2]);
    ASSERT_EQ(0, again[0]);
    ASSERT_EQ(1, again[2]);
    const int64_t zero_low = INT64_C(1) << 40;
    pod_convert(POD_S64, &zero_low, POD_BOOL, again, 1);
    ASSERT_EQ(1, again[0]);
}

TEST(small_integers_survive_every_pair_of_types)
{
    enum { COUNT = 600 }; /* more than one chunk */
    double values[COUNT], middle[COUNT], wide[COUNT], back[COUNT];
    for (int i = 0; i < COUNT; i++)
        values[i] = i % 100;
    for (int from = POD_S8; from < POD_DTYPE_END; from++) {
        for (int to = POD_S8; to < POD_DTYPE_END; to++) {
            pod_convert(POD_F64, values, (pod_dtype)from, middle, COUNT);
            pod_convert((pod_dtype)from, middle, (pod_dtype)to, wide, COUNT);
            pod_convert((pod_dtype)to, wide, POD_F64, back, COUNT);
            for (int i = 0; i < COUNT; i++)
                if (values[i] != back[i])
                    FAIL("%s to %s: element %d is %g, expected %g", pod_dtype_name((pod_dtype)from),
                         pod_dtype_name((pod_dtype)to), i, back[i], values[i]);
        }
    }
    pod_convert(POD_F32, NULL, POD_F32, NULL, 0);
    pod_convert(POD_F32, NULL, POD_S8, NULL, 0);
}

TEST(an_element_takes_what_its_type_holds)
{
    static const struct {
        pod_dtype dtype;
        double value;
        bool fits;
    } reals[] = {
        {POD_S8, -128, true},      {POD_S8, 128, false},       {POD_U8, 255, true},          {POD_U8, -1, false},
        {POD_S32, 0.5, false},     {POD_S32, NAN, false},      {POD_S64, -0x1p63, true},     {POD_S64, 0x1p63, false},
        {POD_U64, 0x1p63, true},   {POD_U64, 0x1p64, false},   {POD_U64, -0x1p70, false},    {POD_BOOL, 1, true},
        {POD_BOOL, 2, false},      {POD_F16, 65519, true},     {POD_F16, 65520, false},      {POD_F16, INFINITY, true},
        {POD_BF16, 3.4e38, false}, {POD_F32, 1e300, false},    {POD_F32, INFINITY, true},    {POD_F32, NAN, true},
        {POD_F64, 1e300, true},    {POD_S32, INFINITY, false}, {POD_U8, -0x1p63 * 2, false}, {POD_F32, 1e-300, true}};
    pod_error error;
    for (size_t i = 0; i < sizeof reals / sizeof reals[0]; i++) {
        double element = 0, back;
        const pod_status status = pod_element_from_real(reals[i].dtype, reals[i].value, &element, &error);
        if ((status == POD_OK) != reals[i].fits)
            FAIL("%g as %s: %d", reals[i].value, pod_dtype_name(reals[i].dtype), (int)status);
        if (status != POD_OK || !pod_dtype_is_integer(reals[i].dtype))
            continue;
        pod_convert(reals[i].dtype, &element, POD_F64, &back, 1);
        ASSERT_NUMBER(reals[i].value, back);
    }
    int64_t whole;
    ASSERT_OK(pod_element_from_integer(POD_S64, INT64_MIN, &whole, &error));
    ASSERT_EQ(INT64_MIN, whole);
    ASSERT_OK(pod_element_from_integer(POD_U64, INT64_MAX, &whole, &error));
    ASSERT_FAILS(POD_ERROR_VALUE, "3000000000 is no int32, which is an integer from -2147483648 to 2147483647",
                 pod_element_from_integer(POD_S32, 3000000000, &whole, &error));
    ASSERT_FAILS(POD_ERROR_VALUE, "-1 is no uint64", pod_element_from_integer(POD_U64, -1, &whole, &error));
    ASSERT_FAILS(POD_ERROR_VALUE, "70000 is too large for float16",
                 pod_element_from_integer(POD_F16, 70000, &whole, &error));
    ASSERT_FAILS(POD_ERROR_VALUE, "0.5 is no bool, which is false (0) or true (1)",
                 pod_element_from_real(POD_BOOL, 0.5, &whole, &error));
    ASSERT_EQ(POD_ERROR_VALUE, pod_element_from_real(POD_F32, 1e300, &whole, NULL));
}

TEST_MAIN(RUN(dtypes_have_two_names_a_size_and_a_kind); RUN(shapes_count_compare_and_print);
          RUN(a_buffer_is_zeroed_aligned_and_padded); RUN(an_empty_buffer_has_no_bytes);
          RUN(impossible_buffers_are_refused); RUN(a_view_shares_its_parents_elements);
          RUN(buffers_survive_the_failure_of_every_allocation); RUN(a_buffer_without_memory_says_its_shape_and_bytes);
          RUN(floats_truncate_and_saturate_into_integers); RUN(infinities_saturate_to_the_limits_of_every_integer);
          RUN(integers_keep_their_low_bits_and_bools_become_one); RUN(small_integers_survive_every_pair_of_types);
          RUN(an_element_takes_what_its_type_holds))
