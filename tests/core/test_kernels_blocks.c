/* The block kernels of the family in use against the reference kernels and against themselves:
 * every entry, all short counts, any place of an element, results in place of operands, nothing
 * written outside. */

#include "drawn_number.h"
#include "kernels/blocks.h"
#include "kernels/reference.h"
#include "test.h"

#include <math.h>

static const pod_kernels *kernels; /* of the family in use */

typedef struct element_row {
    const char *name;
    int operands;
    const char *op; /* the primitive op that means the same; NULL: none */
} element_row;

static const element_row rows[POD_BLOCK_OP_COUNT] = {
#define X(op, operands, classes, name) [POD_BLOCK_OP_##op] = {#op, operands, NULL},
    POD_BLOCK_OP_LIST(X)
#undef X
};

static const pod_dtype class_dtypes[POD_CLASS_COUNT] = {
    [POD_CLASS_F32] = POD_F32, [POD_CLASS_F64] = POD_F64, [POD_CLASS_S32] = POD_S32,
    [POD_CLASS_U32] = POD_U32, [POD_CLASS_S64] = POD_S64, [POD_CLASS_U64] = POD_U64,
};

/* ---- operands
 * --------------------------------------------------------------------------------------------- */

/* Room for a block with space on both sides. */
typedef union block {
    unsigned char bytes[(POD_BLOCK + 64) * 8];
    float f[1];
    double d[1];
    uint32_t u[1];
    uint64_t w[1];
    int32_t s[1];
} block;

static const double edges[] = {
    0.0,           -0.0, 1,     -1,     0.5,      -0.5,    2,        -2,           3,
    1.5,           -2.5, 1e-45, -1e-40, 1e-38,    3.4e38,  -3.4e38,  INFINITY,     -INFINITY,
    NAN,           88.8, -104,  710,    16777217, 8388609, -8388607, 2147483648.0, 4294967295.0,
    -2147483648.0, 1e19, 0.7,   31,     32,       64,      100,      0.9999999,    1048577};

/* Fills a block with a mixture of edges, small numbers and random bits. */
static void fill_block(pod_class class_, void *data, size_t count, pod_random_stream *random)
{
    for (size_t i = 0; i < count; i++) {
        double edge = edges[pod_random_below(random, sizeof edges / sizeof *edges)];
        double small = (pod_random_unit(random) - 0.5) * 16;
        uint64_t bits = (uint64_t)pod_random_next(random) << 32 | pod_random_next(random);
        uint32_t kind = (uint32_t)pod_random_below(random, 4);
        double value = kind == 0 ? edge : small;
        if (kind == 1)
            memcpy((char *)data + i * pod_kernel_class_size(class_), &bits, pod_kernel_class_size(class_));
        else
            pod_convert(POD_F64, &value, class_dtypes[class_], (char *)data + i * pod_kernel_class_size(class_), 1);
    }
}

/* ---- what an element must be
 * -------------------------------------------------------------------------------- */

/* Returns the op of a table row and sets the comparison where it is one. */
static const char *find_op(pod_block_op element, pod_comparison *comparison)
{
    static char name[64];
    static const pod_block_op comparisons[] = {
        [POD_COMPARE_EQ] = POD_BLOCK_OP_EQ, [POD_COMPARE_NE] = POD_BLOCK_OP_NE, [POD_COMPARE_LT] = POD_BLOCK_OP_LT,
        [POD_COMPARE_LE] = POD_BLOCK_OP_LE, [POD_COMPARE_GT] = POD_BLOCK_OP_GT, [POD_COMPARE_GE] = POD_BLOCK_OP_GE,
    };
    size_t length = 0;
    for (size_t i = POD_COMPARE_EQ; i < sizeof comparisons / sizeof *comparisons; i++)
        if (element == comparisons[i]) {
            *comparison = (pod_comparison)i;
            return "compare";
        }
    for (const char *c = rows[element].name; *c != 0; c++)
        name[length++] = (char)(*c >= 'A' && *c <= 'Z' ? *c + 32 : *c);
    name[length] = 0;
    return pod_kernel_reference_kernel(name) != NULL ? name : NULL;
}

/* Computes a block by the reference kernel; false when no op means the same. */
static bool expect(pod_block_op element, pod_class class_, void *const operands[3], size_t count, void *result)
{
    pod_attributes attributes = {0};
    const char *op = find_op(element, &attributes.comparison);
    if (op == NULL)
        return false;
    pod_dtype dtype = class_dtypes[class_];
    bool makes_bool = element == POD_BLOCK_OP_IS_FINITE || strcmp(op, "compare") == 0;
    pod_shape shape = {1, {(int64_t)count}};
    unsigned char flags[POD_BLOCK], predicate[POD_BLOCK];
    pod_array inputs[3], output = {makes_bool ? POD_BOOL : dtype, shape, makes_bool ? flags : result};
    for (int i = 0; i < rows[element].operands; i++)
        inputs[i] = (pod_array){dtype, shape, operands[i]};
    if (element == POD_BLOCK_OP_SELECT) {
        pod_convert(POD_S32, operands[0], POD_BOOL, predicate, count);
        inputs[0] = (pod_array){POD_BOOL, shape, predicate};
    }
    pod_kernel_call call = {&attributes, inputs, (size_t)rows[element].operands, &output, 1, NULL, .kernels = NULL};
    const pod_kernel *kernel = pod_kernel_reference_kernel(op);
    if (pod_kernel_run(kernel, &call, 0, pod_kernel_units(kernel, &call), NULL) != POD_OK)
        return false;
    if (makes_bool)
        pod_convert(POD_BOOL, flags, POD_S32, result, count);
    return true;
}

/* Units in the last place that a function may be off; those not here must be exact. */
static double allowed(pod_block_op element)
{
    switch (element) {
    case POD_BLOCK_OP_EXP:
    case POD_BLOCK_OP_EXPM1:
    case POD_BLOCK_OP_LOG:
    case POD_BLOCK_OP_LOG1P:
    case POD_BLOCK_OP_RSQRT:
    case POD_BLOCK_OP_SIN:
    case POD_BLOCK_OP_COS:
    case POD_BLOCK_OP_ERF:
        return 2;
    case POD_BLOCK_OP_TANH:
    case POD_BLOCK_OP_LOGISTIC:
    case POD_BLOCK_OP_TAN:
        return 4;
    case POD_BLOCK_OP_POWER:
    case POD_BLOCK_OP_ERF_INV:
    case POD_BLOCK_OP_ATAN2:
        return 1;
    default:
        return 0;
    }
}

static bool near_enough(pod_block_op element, pod_class class_, const void *got, const void *want)
{
    size_t size = pod_kernel_block_op_tests(element) ? 4 : pod_kernel_class_size(class_);
    if (memcmp(got, want, size) == 0)
        return true;
    if (pod_kernel_block_op_tests(element) || (class_ != POD_CLASS_F32 && class_ != POD_CLASS_F64))
        return false;
    double g, w;
    pod_convert(class_dtypes[class_], got, POD_F64, &g, 1);
    pod_convert(class_dtypes[class_], want, POD_F64, &w, 1);
    if (isnan(w) || isnan(g))
        return isnan(w) && isnan(g);
    if (class_ == POD_CLASS_F64 || isinf(w) || isinf(g))
        return g == w;
    int exponent;
    frexp(w, &exponent);
    exponent = exponent < -125 ? -125 : exponent;
    return fabs(g - w) <= allowed(element) * ldexp(1, exponent - 24);
}

/* Whether two results are the same bits, or both NaN: which NaN is left open. */
static bool same_bits(pod_block_op element, pod_class class_, const void *a, const void *b)
{
    if (memcmp(a, b, pod_kernel_block_op_tests(element) ? 4 : pod_kernel_class_size(class_)) == 0)
        return true;
    if (pod_kernel_block_op_tests(element) || (class_ != POD_CLASS_F32 && class_ != POD_CLASS_F64))
        return false;
    double x, y;
    pod_convert(class_dtypes[class_], a, POD_F64, &x, 1);
    pod_convert(class_dtypes[class_], b, POD_F64, &y, 1);
    return isnan(x) && isnan(y);
}

/* ---- elements
 * -------------------------------------------------------------------------------------------------
 */

#define GUARD_BYTE 0xC3

static void check_guards(const block *result, size_t offset, size_t bytes, const char *name)
{
    for (size_t i = 0; i < sizeof result->bytes; i++) {
        if ((i < offset || i >= offset + bytes) && result->bytes[i] != GUARD_BYTE)
            FAIL("%s writes byte %td of a result of %zu bytes", name, (ptrdiff_t)(i - offset), bytes);
    }
}

/* One function at one count: against the reference, element by element, and in place. */
static void check_element(pod_block_op element, pod_class class_, size_t count, size_t shift, pod_random_stream *random)
{
    static block operands[3], result, wanted, again;
    pod_block_function function = kernels->element[element][class_];
    size_t size = pod_kernel_class_size(class_), result_size = pod_kernel_block_op_tests(element) ? 4 : size;
    void *pointers[3] = {operands[0].bytes + shift * size, operands[1].bytes + shift * size,
                         operands[2].bytes + shift * size};
    for (int i = 0; i < 3; i++)
        fill_block(class_, pointers[i], count, random);
    if (element == POD_BLOCK_OP_SELECT) {
        for (size_t i = 0; i < count; i++)
            ((int32_t *)pointers[0])[i] = (int32_t)(pod_random_next(random) & 1);
    }
    memset(&result, GUARD_BYTE, sizeof result);
    size_t offset = 64 + shift * size;
    function(result.bytes + offset, pointers[0], pointers[1], pointers[2], count);
    check_guards(&result, offset, count * result_size, rows[element].name);
    bool known = expect(element, class_, pointers, count, wanted.bytes);
    for (size_t i = 0; i < count; i++) {
        const unsigned char *got = result.bytes + offset + i * result_size;
        size_t first_size = element == POD_BLOCK_OP_SELECT ? 4 : size;
        if (known && !near_enough(element, class_, got, wanted.bytes + i * result_size))
            FAIL("%s of class %d: element %zu of %zu is wrong (operands %g, %g as f32)", rows[element].name, class_, i,
                 count, (double)((float *)pointers[0])[i], (double)((float *)pointers[1])[i]);
        function(again.bytes, (char *)pointers[0] + i * first_size, (char *)pointers[1] + i * size,
                 (char *)pointers[2] + i * size, 1);
        if (!same_bits(element, class_, again.bytes, got))
            FAIL("%s of class %d: element %zu of %zu has other bits alone", rows[element].name, class_, i, count);
    }
    for (int i = 0; i < rows[element].operands; i++) {
        size_t operand_size = i == 0 && element == POD_BLOCK_OP_SELECT ? 4 : size;
        if (operand_size != result_size)
            continue;
        void *in_place[3] = {pointers[0], pointers[1], pointers[2]};
        memcpy(again.bytes + offset, pointers[i], count * size);
        in_place[i] = again.bytes + offset;
        function(in_place[i], in_place[0], in_place[1], in_place[2], count);
        for (size_t at = offset; at < offset + count * result_size; at += result_size) {
            if (!same_bits(element, class_, again.bytes + at, result.bytes + at))
                FAIL("%s of class %d: in place of operand %d the result differs", rows[element].name, class_, i);
        }
    }
}

TEST(element_functions_are_right_at_any_place)
{
    pod_random_stream random;
    pod_random_stream_init(&random, 5, 1);
    for (int element = 0; element < POD_BLOCK_OP_COUNT; element++) {
        for (int class_ = 0; class_ < POD_CLASS_COUNT; class_++) {
            if (kernels->element[element][class_] == NULL)
                continue;
            for (size_t count = 0; count <= 70; count++)
                check_element((pod_block_op)element, (pod_class)class_, count, count % 3, &random);
            for (size_t shift = 0; shift < 4; shift++)
                check_element((pod_block_op)element, (pod_class)class_, POD_BLOCK, shift, &random);
        }
    }
}

/* Functions that are no op of their own. */
TEST(functions_without_an_op_are_right)
{
    float x[5] = {1.00390625f, 70000.0f, NAN, -0.0f, 1e-10f}, y[5];
    kernels->element[POD_BLOCK_OP_ROUND_BF16][POD_CLASS_F32](y, x, NULL, NULL, 5);
    for (int i = 0; i < 5; i++)
        ASSERT_NUMBER(pod_bf16_to_f32(pod_bf16_from_f32(x[i])), y[i]);
    kernels->element[POD_BLOCK_OP_ROUND_F16][POD_CLASS_F32](y, x, NULL, NULL, 5);
    for (int i = 0; i < 5; i++)
        ASSERT_NUMBER(pod_f16_to_f32(pod_f16_from_f32(x[i])), y[i]);
    int32_t s[4] = {128, -129, 65536, -1}, narrow[4];
    kernels->element[POD_BLOCK_OP_WRAP_8][POD_CLASS_S32](narrow, s, NULL, NULL, 4);
    for (int i = 0; i < 4; i++)
        ASSERT_EQ((int8_t)s[i], narrow[i]);
    kernels->element[POD_BLOCK_OP_WRAP_16][POD_CLASS_S32](narrow, s, NULL, NULL, 4);
    for (int i = 0; i < 4; i++)
        ASSERT_EQ((int16_t)s[i], narrow[i]);
    uint32_t u[3] = {256, 255, 65537}, wide[3];
    kernels->element[POD_BLOCK_OP_WRAP_8][POD_CLASS_U32](wide, u, NULL, NULL, 3);
    for (int i = 0; i < 3; i++)
        ASSERT_EQ((uint8_t)u[i], wide[i]);
    kernels->element[POD_BLOCK_OP_WRAP_16][POD_CLASS_U32](wide, u, NULL, NULL, 3);
    for (int i = 0; i < 3; i++)
        ASSERT_EQ((uint16_t)u[i], wide[i]);
    int32_t flags[3] = {0, 1, 0}, negated[3];
    kernels->element[POD_BLOCK_OP_LOGICAL_NOT][POD_CLASS_S32](negated, flags, NULL, NULL, 3);
    for (int i = 0; i < 3; i++)
        ASSERT_EQ(!flags[i], negated[i]);
    float a[2] = {3, INFINITY}, b[2] = {5, 0}, c[2] = {-15, 1}, d[2];
    kernels->element[POD_BLOCK_OP_MULTIPLY_ADD][POD_CLASS_F32](d, a, b, c, 2);
    ASSERT_NUMBER(0, d[0]);
    ASSERT_NUMBER(NAN, d[1]);
}

/* Whether an op of the table of ops of two operands or more, or a comparison, must be there for a class. */
static bool is_legal(pod_block_op element, pod_class class_)
{
    const bool floats = class_ == POD_CLASS_F32 || class_ == POD_CLASS_F64;
    switch (element) {
    case POD_BLOCK_OP_AND:
    case POD_BLOCK_OP_OR:
    case POD_BLOCK_OP_XOR:
    case POD_BLOCK_OP_SHIFT_LEFT:
    case POD_BLOCK_OP_SHIFT_RIGHT:
    case POD_BLOCK_OP_SHIFT_RIGHT_ARITHMETIC:
        return !floats;
    case POD_BLOCK_OP_ADD:
    case POD_BLOCK_OP_SUBTRACT:
    case POD_BLOCK_OP_MULTIPLY:
    case POD_BLOCK_OP_DIVIDE:
    case POD_BLOCK_OP_REMAINDER:
    case POD_BLOCK_OP_POWER:
    case POD_BLOCK_OP_MAXIMUM:
    case POD_BLOCK_OP_MINIMUM:
    case POD_BLOCK_OP_SELECT:
    case POD_BLOCK_OP_CLAMP:
    case POD_BLOCK_OP_MULTIPLY_ADD:
        return true;
    default:
        return pod_kernel_block_op_tests(element) && element != POD_BLOCK_OP_IS_FINITE;
    }
}

/* An entry that one family has, all have; and where an op is legal for a class, there is one. */
TEST(all_families_have_the_same_entries)
{
    for (int element = 0; element < POD_BLOCK_OP_COUNT; element++) {
        for (int class_ = 0; class_ < POD_CLASS_COUNT; class_++) {
            bool there = pod_blocks_portable.element[element][class_] != NULL;
            ASSERT_EQ(there, kernels->element[element][class_] != NULL);
            if (is_legal((pod_block_op)element, (pod_class)class_))
                ASSERT(there);
        }
    }
    for (int fold = 0; fold < POD_FOLD_COUNT; fold++) {
        for (int class_ = 0; class_ < POD_CLASS_COUNT; class_++) {
            bool floats = class_ == POD_CLASS_F32 || class_ == POD_CLASS_F64;
            bool there = kernels->fold[fold][class_] != NULL;
            ASSERT_EQ(!floats || fold < POD_FOLD_AND, there);
        }
    }
    for (int from = 0; from < POD_CLASS_COUNT; from++) {
        for (int to = 0; to < POD_CLASS_COUNT; to++)
            ASSERT(kernels->convert[from][to] != NULL);
    }
    for (int dtype = POD_DTYPE_NONE + 1; dtype < POD_DTYPE_END; dtype++)
        ASSERT(kernels->load[dtype] != NULL && kernels->store[dtype] != NULL);
}

/* ---- converts, loads, stores
 * ------------------------------------------------------------------------------------ */

TEST(look_ups_give_the_entries)
{
    uint16_t table[POD_LOOKUP_ENTRIES], to[POD_BLOCK + 2];
    uint8_t from[POD_BLOCK];
    for (int i = 0; i < POD_LOOKUP_ENTRIES; i++)
        table[i] = (uint16_t)(i * 40503 + 11);
    for (int i = 0; i < POD_BLOCK; i++)
        from[i] = (uint8_t)(i * 7 + i / 256);
    for (size_t count = 0; count <= POD_BLOCK; count += count < 130 ? 1 : 149) {
        memset(to, 0xa5, sizeof to);
        kernels->look_up_16(to + 1, table, from, count);
        for (size_t i = 0; i < count; i++)
            ASSERT_EQ(table[from[i]], to[i + 1]);
        ASSERT(to[0] == 0xa5a5 && to[count + 1] == 0xa5a5);
    }
}

TEST(converts_saturate_and_agree_with_the_op)
{
    static block source, result, wanted;
    pod_random_stream random;
    pod_random_stream_init(&random, 5, 2);
    for (int from = 0; from < POD_CLASS_COUNT; from++) {
        for (int to = 0; to < POD_CLASS_COUNT; to++) {
            for (size_t count = 0; count <= POD_BLOCK; count += count < 70 ? 1 : POD_BLOCK - 70) {
                size_t size = pod_kernel_class_size((pod_class)to);
                memset(&result, GUARD_BYTE, sizeof result);
                fill_block((pod_class)from, source.bytes, count, &random);
                kernels->convert[from][to](result.bytes + size, source.bytes, NULL, NULL, count);
                check_guards(&result, size, count * size, "convert");
                pod_convert(class_dtypes[from], source.bytes, class_dtypes[to], wanted.bytes, count);
                for (size_t i = 0; i < count; i++) {
                    if (!near_enough(POD_BLOCK_OP_COPY, (pod_class)to, result.bytes + size + i * size,
                                     wanted.bytes + i * size))
                        FAIL("convert of class %d to class %d: element %zu of %zu", from, to, i, count);
                }
            }
        }
    }
}

/* Loading widens as a convert does, storing narrows, for all bits of the small types. */
TEST(loads_and_stores_keep_every_value)
{
    static block stored, wide, back, wanted;
    pod_random_stream random;
    pod_random_stream_init(&random, 5, 3);
    for (int dtype = POD_DTYPE_NONE + 1; dtype < POD_DTYPE_END; dtype++) {
        pod_class class_ = pod_kernel_class_of((pod_dtype)dtype);
        size_t size = pod_dtype_size((pod_dtype)dtype), wide_size = pod_kernel_class_size(class_);
        for (uint32_t first = 0; first < 0x10000; first += 1000) {
            size_t count = first < 71000 ? first / 1000 + 1000 : 1000;
            for (size_t i = 0; i < count; i++) {
                uint64_t bits = size < 4 ? first + i : (uint64_t)pod_random_next(&random) * 0x100000001u;
                bits = dtype == POD_BOOL ? bits & 1 : bits;
                memcpy(stored.bytes + i * size, &bits, size);
            }
            memset(&wide, GUARD_BYTE, sizeof wide);
            memset(&back, GUARD_BYTE, sizeof back);
            kernels->load[dtype](wide.bytes + wide_size, stored.bytes, count);
            check_guards(&wide, wide_size, count * wide_size, "load");
            pod_convert((pod_dtype)dtype, stored.bytes, class_dtypes[class_], wanted.bytes, count);
            for (size_t i = 0; i < count; i++)
                ASSERT(near_enough(POD_BLOCK_OP_COPY, class_, wide.bytes + (i + 1) * wide_size,
                                   wanted.bytes + i * wide_size));
            kernels->store[dtype](back.bytes + size, wide.bytes + wide_size, count);
            check_guards(&back, size, count * size, "store");
            pod_convert(class_dtypes[class_], wanted.bytes, (pod_dtype)dtype, stored.bytes, count);
            ASSERT_EQ(0, memcmp(back.bytes + size, stored.bytes, count * size));
        }
    }
}

TEST(stores_round_to_even_and_keep_the_low_bits)
{
    static float x[POD_BLOCK];
    static uint16_t got[POD_BLOCK];
    pod_random_stream random;
    pod_random_stream_init(&random, 5, 4);
    for (int round = 0; round < 400; round++) {
        fill_block(POD_CLASS_F32, x, POD_BLOCK, &random);
        for (size_t i = 0; i < POD_BLOCK; i += 2) { /* halves of both types */
            uint32_t bits = pod_random_next(&random);
            bits = i % 4 == 0 ? (bits & 0xFFFF0000u) | 0x8000u : (bits & 0xFFFFE000u) | 0x1000u;
            bits = i % 8 == 2 ? (bits & 0x87FFFFFFu) | 0x38000000u : bits;
            memcpy(&x[i], &bits, sizeof bits);
        }
        kernels->store[POD_BF16](got, x, POD_BLOCK);
        for (size_t i = 0; i < POD_BLOCK; i++)
            ASSERT_EQ(pod_bf16_from_f32(x[i]), got[i]);
        kernels->store[POD_F16](got, x, POD_BLOCK);
        for (size_t i = 0; i < POD_BLOCK; i++)
            ASSERT_EQ(pod_f16_from_f32(x[i]), got[i]);
    }
    uint32_t wide[3] = {0x12345678u, 0xFFFFFF80u, 0};
    uint8_t bytes[3];
    kernels->store[POD_U8](bytes, wide, 3);
    ASSERT_EQ(0x78, bytes[0]);
    ASSERT_EQ(0x80, bytes[1]);
    kernels->store[POD_BOOL](bytes, wide, 3);
    ASSERT_EQ(1, bytes[1]);
    ASSERT_EQ(0, bytes[2]);
}

/* ---- folds
 * --------------------------------------------------------------------------------------------------------
 */

/* Returns a fold of doubles, one by one. */
static double fold_plain(pod_fold fold, const double *x, size_t count, double start)
{
    double result = start;
    for (size_t i = 0; i < count; i++) {
        double a = result, b = x[i];
        if (fold == POD_FOLD_SUM)
            result = a + b;
        else if (fold == POD_FOLD_PRODUCT)
            result = a * b;
        else if (isnan(a) || isnan(b))
            result = NAN;
        else if (fold == POD_FOLD_MAX)
            result = a > b ? a : b;
        else if (fold == POD_FOLD_MIN)
            result = a < b ? a : b;
        else if (fold == POD_FOLD_AND)
            result = (double)((uint64_t)a & (uint64_t)b);
        else
            result = (double)((uint64_t)a | (uint64_t)b);
    }
    return result;
}

TEST(folds_are_right_and_depend_on_the_count_alone)
{
    static block source, moved;
    static double plain[POD_BLOCK];
    pod_random_stream random;
    pod_random_stream_init(&random, 5, 5);
    for (int fold = 0; fold < POD_FOLD_COUNT; fold++) {
        for (int class_ = 0; class_ < POD_CLASS_COUNT; class_++) {
            if (kernels->fold[fold][class_] == NULL)
                continue;
            size_t size = pod_kernel_class_size((pod_class)class_);
            for (size_t count = 0; count <= POD_BLOCK; count += count < 200 ? 1 : 103) {
                bool product = fold == POD_FOLD_PRODUCT;
                for (size_t i = 0; i < count; i++)
                    plain[i] = product ? (i % 97 == 3 ? 2 : 1) : (double)pod_random_below(&random, 100);
                double start = 3, got;
                pod_convert(POD_F64, plain, class_dtypes[class_], source.bytes, count);
                memcpy(moved.bytes + size, source.bytes, count * size);
                unsigned char sum[8], again[8];
                pod_convert(POD_F64, &start, class_dtypes[class_], sum, 1);
                memcpy(again, sum, sizeof again);
                kernels->fold[fold][class_](sum, source.bytes, count);
                kernels->fold[fold][class_](again, moved.bytes + size, count);
                ASSERT_EQ(0, memcmp(sum, again, size));
                pod_convert(class_dtypes[class_], sum, POD_F64, &got, 1);
                ASSERT_NUMBER(fold_plain((pod_fold)fold, plain, count, start), got);
            }
        }
    }
}

/* The bits of spreading the rows' elements first, of multiplying first: also where the result is an operand. */
TEST(rows_and_sums_of_products_have_the_bits_of_their_steps)
{
    static const pod_block_op elements[POD_BY_ROW_COUNT] = {POD_BLOCK_OP_ADD, POD_BLOCK_OP_SUBTRACT,
                                                            POD_BLOCK_OP_MULTIPLY, POD_BLOCK_OP_DIVIDE};
    static const size_t shapes[][2] = {{1, 1}, {7, 3}, {4, 16}, {3, 65}, {1, 1000}, {2, 333}, {5, 200}};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        size_t height = shapes[s][0], width = shapes[s][1], count = height * width;
        float a[POD_BLOCK], b[POD_BLOCK], spread[POD_BLOCK], wanted[POD_BLOCK], got[POD_BLOCK];
        for (size_t i = 0; i < count; i++) {
            a[i] = sinf((float)(i * 7 + s)) * 3;
            b[i] = cosf((float)(i * 5 + s)) + 1.5f;
            spread[i] = cosf((float)(i / width * 5 + s)) + 1.5f;
        }
        float of_rows[8];
        for (size_t r = 0; r < height; r++)
            of_rows[r] = spread[r * width];
        for (int i = 0; i < POD_BY_ROW_COUNT; i++) {
            kernels->element[elements[i]][POD_CLASS_F32](wanted, a, spread, NULL, count);
            memcpy(got, a, sizeof got);
            kernels->by_row[i](got, got, of_rows, height, width);
            ASSERT_EQ(0, memcmp(wanted, got, count * sizeof(float)));
        }
        float sum = 0.25f, products = 0.25f;
        kernels->element[POD_BLOCK_OP_MULTIPLY][POD_CLASS_F32](wanted, a, b, NULL, count);
        kernels->fold[POD_FOLD_SUM][POD_CLASS_F32](&sum, wanted, count);
        kernels->fold_products(&products, a, b, count);
        ASSERT_EQ(0, memcmp(&sum, &products, sizeof sum));
    }
}

TEST(folds_pass_nan_and_signs_on)
{
    for (size_t place = 0; place < 130; place += 3) {
        float x[130], maximum = -INFINITY, minimum = INFINITY, sum = 0;
        for (int i = 0; i < 130; i++)
            x[i] = (float)i;
        x[place] = NAN;
        kernels->fold[POD_FOLD_MAX][POD_CLASS_F32](&maximum, x, 130);
        kernels->fold[POD_FOLD_MIN][POD_CLASS_F32](&minimum, x, 130);
        kernels->fold[POD_FOLD_SUM][POD_CLASS_F32](&sum, x, 130);
        ASSERT(isnan(maximum) && isnan(minimum) && isnan(sum));
    }
    int32_t s[3] = {-5, -7, -6}, most = INT32_MIN;
    kernels->fold[POD_FOLD_MAX][POD_CLASS_S32](&most, s, 3);
    ASSERT_EQ(-5, most);
    uint32_t u[3] = {0x80000000u, 1, 2}, top = 0;
    kernels->fold[POD_FOLD_MAX][POD_CLASS_U32](&top, u, 3);
    ASSERT_EQ(0x80000000u, top);
}

/* ---- random bits
 * ----------------------------------------------------------------------------------------------------
 */

TEST(random_bits_are_those_of_their_places)
{
    static uint32_t block_[POD_BLOCK + 2];
    const int64_t widths[] = {1, 3, 4, 7, 100, 1000, 5000};
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
        for (int64_t first = 0; first < 40; first += 1 + first / 6) {
            for (size_t count = 0; count <= POD_BLOCK; count += count < 20 ? 1 : 251) {
                memset(block_, GUARD_BYTE, sizeof block_);
                kernels->random_bits(block_ + 1, 9, 8, 7, first, widths[w], 11, count);
                for (size_t i = 0; i < count; i++) {
                    uint64_t at = (uint64_t)first + i, width = (uint64_t)widths[w];
                    ASSERT_EQ(drawn_number(9, 8, 7, 11 + at / width, at % width), block_[i + 1]);
                }
                ASSERT_EQ(0xC3C3C3C3u, block_[0]);
                ASSERT_EQ(0xC3C3C3C3u, block_[count + 1]);
            }
        }
    }
}

/* ---- composites
 * -------------------------------------------------------------------------------------------------------
 */

#define MOST_CLASSES 1000
#define LOSS_ROWS    37

static float logits[LOSS_ROWS * MOST_CLASSES], gradients[LOSS_ROWS * MOST_CLASSES + 1];
static uint16_t narrow_logits[LOSS_ROWS * MOST_CLASSES];
static uint16_t narrow_gradients[LOSS_ROWS * MOST_CLASSES + 1];
static int32_t labels[LOSS_ROWS];
static float losses[LOSS_ROWS], scales[LOSS_ROWS];

/* Compares one row with the definition in double precision. */
static void check_loss_row(const float *x, int32_t label, int64_t classes, float scale, float loss,
                           const float *gradient, double precision)
{
    double maximum = -INFINITY, sum = 0;
    for (int64_t c = 0; c < classes; c++)
        maximum = x[c] > maximum ? x[c] : maximum;
    for (int64_t c = 0; c < classes; c++)
        sum += exp(x[c] - maximum);
    ASSERT_NEAR(log(sum) + maximum - x[label], loss, 1e-6, 2e-6);
    for (int64_t c = 0; gradient != NULL && c < classes; c++)
        ASSERT_NEAR((exp(x[c] - maximum) / sum - (c == label)) * scale, gradient[c], precision, 1e-7);
}

static void fill_losses(int64_t classes, pod_random_stream *random)
{
    for (int64_t i = 0; i < LOSS_ROWS * classes; i++) {
        narrow_logits[i] = pod_bf16_from_f32((float)(pod_random_unit(random) * 20 - 10));
        logits[i] = pod_bf16_to_f32(narrow_logits[i]);
    }
    for (int i = 0; i < LOSS_ROWS; i++) {
        labels[i] = (int32_t)pod_random_below(random, (uint64_t)classes);
        scales[i] = (float)pod_random_unit(random);
    }
}

TEST(cross_entropy_and_its_gradient_are_right)
{
    const int64_t widths[] = {1, 2, 10, 16, 31, 32, 33, 100, 256, 257, MOST_CLASSES};
    pod_random_stream random;
    pod_random_stream_init(&random, 5, 6);
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
        int64_t n = widths[w];
        fill_losses(n, &random);
        memset(gradients, GUARD_BYTE, sizeof gradients);
        memset(narrow_gradients, GUARD_BYTE, sizeof narrow_gradients);
        ASSERT_EQ(-1, kernels->sparse_softmax_cross_entropy(POD_F32, logits, labels, losses, gradients, scales,
                                                            LOSS_ROWS, n));
        ASSERT_EQ(0xC3C3C3C3u, ((uint32_t *)gradients)[LOSS_ROWS * n]);
        for (int r = 0; r < LOSS_ROWS; r++)
            check_loss_row(logits + r * n, labels[r], n, scales[r], losses[r], gradients + r * n, 1e-6);
        ASSERT_EQ(-1, kernels->sparse_softmax_cross_entropy(POD_BF16, narrow_logits, labels, losses, narrow_gradients,
                                                            NULL, LOSS_ROWS, n));
        ASSERT_EQ(0xC3C3u, narrow_gradients[LOSS_ROWS * n]);
        for (int64_t i = 0; i < LOSS_ROWS * n; i++)
            gradients[i] = pod_bf16_to_f32(narrow_gradients[i]);
        for (int r = 0; r < LOSS_ROWS; r++)
            check_loss_row(logits + r * n, labels[r], n, 1, losses[r], gradients + r * n, 0x1p-8);
    }
}

TEST(cross_entropy_does_not_depend_on_the_cut)
{
    pod_random_stream random;
    pod_random_stream_init(&random, 5, 7);
    for (int64_t n = 5; n < 400; n = n * 2 + 1) {
        static float alone[MOST_CLASSES];
        fill_losses(n, &random);
        ASSERT_EQ(-1, kernels->sparse_softmax_cross_entropy(POD_F32, logits, labels, losses, gradients, scales,
                                                            LOSS_ROWS, n));
        for (int r = 0; r < LOSS_ROWS; r++) {
            float loss;
            ASSERT_EQ(-1, kernels->sparse_softmax_cross_entropy(POD_F32, logits + r * n, labels + r, &loss, alone,
                                                                scales + r, 1, n));
            ASSERT_EQ(0, memcmp(&loss, &losses[r], sizeof loss));
            ASSERT_EQ(0, memcmp(alone, gradients + r * n, (size_t)n * sizeof *alone));
            ASSERT_EQ(-1, kernels->sparse_softmax_cross_entropy(POD_F32, logits + r * n, labels + r, &loss, NULL, NULL,
                                                                1, n));
            ASSERT_EQ(0, memcmp(&loss, &losses[r], sizeof loss));
        }
    }
}

TEST(cross_entropy_names_the_first_bad_label)
{
    float x[30] = {0}, loss[3];
    int32_t wrong[3] = {9, 10, -1};
    ASSERT_EQ(1, kernels->sparse_softmax_cross_entropy(POD_F32, x, wrong, loss, NULL, NULL, 3, 10));
    wrong[1] = 0;
    ASSERT_EQ(2, kernels->sparse_softmax_cross_entropy(POD_F32, x, wrong, loss, NULL, NULL, 3, 10));
    ASSERT_EQ(-1, kernels->sparse_softmax_cross_entropy(POD_F32, x, wrong, loss, NULL, NULL, 2, 10));
    x[3] = NAN;
    ASSERT_EQ(-1, kernels->sparse_softmax_cross_entropy(POD_F32, x, wrong, loss, NULL, NULL, 1, 10));
    ASSERT(isnan(loss[0]));
}

TEST(adam_is_the_formula_at_any_place)
{
    float weight[100], m[100], v[100], gradient[100];
    pod_random_stream random;
    pod_random_stream_init(&random, 5, 8);
    for (size_t count = 0; count < 100; count++) {
        float w_want[100], m_want[100], v_want[100];
        for (size_t i = 0; i < 100; i++) {
            weight[i] = (float)pod_random_unit(&random) - 0.5f;
            m[i] = (float)pod_random_unit(&random) - 0.5f;
            v[i] = (float)pod_random_unit(&random);
            gradient[i] = (float)pod_random_unit(&random) - 0.5f;
            bool inside = i < count;
            float g = gradient[i];
            m_want[i] = inside ? m[i] + (g - m[i]) * (1.0f - 0.9f) : m[i];
            v_want[i] = inside ? v[i] + (g * g - v[i]) * (1.0f - 0.999f) : v[i];
            w_want[i] = inside ? weight[i] - m_want[i] * 1e-3f / (sqrtf(v_want[i]) + 1e-7f) : weight[i];
        }
        const float *const operands[4] = {weight, m, v, gradient};
        float elsewhere[3][100], *const others[3] = {elsewhere[0], elsewhere[1], elsewhere[2]};
        float *const same[3] = {weight, m, v};
        kernels->adam(others, operands, 1e-3f, 1.0f - 0.9f, 1.0f - 0.999f, 1e-7f, count);
        kernels->adam(same, operands, 1e-3f, 1.0f - 0.9f, 1.0f - 0.999f, 1e-7f, count);
        ASSERT_EQ(0, memcmp(weight, w_want, sizeof weight));
        ASSERT_EQ(0, memcmp(m, m_want, sizeof m));
        ASSERT_EQ(0, memcmp(v, v_want, sizeof v));
        ASSERT_EQ(0, memcmp(elsewhere[0], w_want, count * sizeof(float)));
        ASSERT_EQ(0, memcmp(elsewhere[1], m_want, count * sizeof(float)));
        ASSERT_EQ(0, memcmp(elsewhere[2], v_want, count * sizeof(float)));
    }
}

static void choose(void)
{
    pod_error error;
    if (pod_kernel_choose_family(NULL, &kernels, &error) != POD_OK) {
        printf("Bail out! %s\n", error.message);
        exit(1);
    }
}

TEST_MAIN(choose(); RUN(all_families_have_the_same_entries); RUN(element_functions_are_right_at_any_place);
          RUN(functions_without_an_op_are_right); RUN(look_ups_give_the_entries);
          RUN(converts_saturate_and_agree_with_the_op); RUN(loads_and_stores_keep_every_value);
          RUN(stores_round_to_even_and_keep_the_low_bits); RUN(folds_are_right_and_depend_on_the_count_alone);
          RUN(folds_pass_nan_and_signs_on); RUN(rows_and_sums_of_products_have_the_bits_of_their_steps);
          RUN(random_bits_are_those_of_their_places); RUN(cross_entropy_and_its_gradient_are_right);
          RUN(cross_entropy_does_not_depend_on_the_cut); RUN(cross_entropy_names_the_first_bad_label);
          RUN(adam_is_the_formula_at_any_place))
