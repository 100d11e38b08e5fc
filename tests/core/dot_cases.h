#ifndef DOT_CASES_H
#define DOT_CASES_H

/*
 * dot_cases - checks of a pod_dot_kernels, shared by the tests of products. All operands and scratch end
 * at a page that may not be touched, so that a byte read or written behind them ends the test.
 *
 * Tolerance against a plain double-precision loop: |error| <= (k + 2) * 2^-23 * sum |a| |b|, the bound of any
 * order of an f32 sum; kernels that round operands first miss dot_operand_loss of each product besides.
 */

#include "kernels/kernels.h"
#include "finish_variants.h"
#include "test.h"
#include "test_system.h"

#define DOT_CHECK(condition, ...)                                                                                      \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            FAIL(__VA_ARGS__);                                                                                         \
    } while (0)

static double dot_operand_loss;

/* A block of memory that ends where a forbidden page begins. */
typedef struct guarded {
    char *base;
    size_t before; /* the page */
    void *data;
    size_t bytes;
} guarded;

#define GUARD_BYTE 0xa5

static guarded guarded_new(size_t bytes)
{
    guarded block = {.bytes = bytes, .before = bytes + 64};
    block.base = system_pages_new(&block.before);
    if (block.base == NULL)
        FAIL("no memory");
    memset(block.base, GUARD_BYTE, block.before);
    block.data = block.base + block.before - bytes;
    return block;
}

/* Checks that the bytes before the block are untouched, and frees it. */
static void guarded_free(guarded *block, const char *what)
{
    char *at = (char *)block->data - 64;
    for (int i = 0; i < 64; i++)
        DOT_CHECK((unsigned char)at[i] == GUARD_BYTE, "bytes before %s were written", what);
    system_pages_free(block->base, block->before);
}

typedef struct dot_case {
    int64_t m, n, k;
    bool transpose_a, transpose_b;
    int64_t gap; /* elements between rows beyond their length, in a, b and the result */
} dot_case;

static uint32_t dot_random_state = 12345;

static float dot_random(void)
{
    dot_random_state = dot_random_state * 1664525u + 1013904223u;
    return (float)(int32_t)dot_random_state / 2147483648.0f;
}

/* An operand: rows of `columns` elements, `stride` apart; the last row ends at the forbidden page. */
typedef struct operand {
    guarded memory;
    pod_dtype dtype;
    int64_t row_stride, column_stride;
} operand;

static void operand_set(const operand *matrix, int64_t row, int64_t column, float value)
{
    int64_t at = row * matrix->row_stride + column * matrix->column_stride;
    if (matrix->dtype == POD_BF16)
        ((uint16_t *)matrix->memory.data)[at] = pod_bf16_from_f32(value);
    else
        ((float *)matrix->memory.data)[at] = value;
}

static float operand_get(const operand *matrix, int64_t row, int64_t column)
{
    int64_t at = row * matrix->row_stride + column * matrix->column_stride;
    return matrix->dtype == POD_BF16 ? pod_bf16_to_f32(((uint16_t *)matrix->memory.data)[at])
                                     : ((float *)matrix->memory.data)[at];
}

static operand operand_new(pod_dtype dtype, int64_t rows, int64_t columns, bool transposed, int64_t gap)
{
    operand matrix = {.dtype = dtype, .row_stride = 1, .column_stride = 1};
    int64_t outer = transposed ? columns : rows, inner = transposed ? rows : columns;
    *(transposed ? &matrix.column_stride : &matrix.row_stride) = inner + gap;
    int64_t elements = outer > 0 && inner > 0 ? (outer - 1) * (inner + gap) + inner : 0;
    matrix.memory = guarded_new((size_t)elements * (dtype == POD_BF16 ? 2 : 4));
    for (int64_t i = 0; i < elements; i++) /* what lies between rows must not count */
        if (dtype == POD_F32)
            ((float *)matrix.memory.data)[i] = NAN;
        else
            ((uint16_t *)matrix.memory.data)[i] = 0x7fff;
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++)
            operand_set(&matrix, i, j, dot_random());
    return matrix;
}

/* A product with all that it needs. */
typedef struct dot_setup {
    const pod_dot_kernels *dot;
    operand a, b;
    guarded packed, scratch, result;
    pod_dot_call call;
} dot_setup;

static void dot_setup_pack(dot_setup *setup, pod_dtype dtype)
{
    const pod_dot_kernels *dot = setup->dot;
    pod_dot_call *call = &setup->call;
    size_t bytes = pod_kernel_dot_packed_b_bytes(dot, call->k, call->n);
    setup->packed = guarded_new(bytes);
    call->b = setup->b.memory.data;
    call->b_k_stride = setup->b.row_stride;
    call->b_column_stride = setup->b.column_stride;
    if (bytes == 0)
        return;
    int64_t panels = (call->n + dot->panel_columns - 1) / dot->panel_columns;
    /* One by one, from the last. */
    for (int64_t panel = panels - 1; panel >= 0; panel--)
        pod_kernel_dot_pack_b(dot, setup->packed.data, dtype, setup->b.memory.data, call->k, call->n,
                              setup->b.row_stride, setup->b.column_stride, panel, panel + 1);
    call->b = setup->packed.data;
}

static dot_setup dot_setup_new(const pod_dot_kernels *dot, pod_dtype dtype, pod_dtype b_dtype, const dot_case *shape)
{
    dot_setup setup = {.dot = dot};
    setup.a = operand_new(dtype, shape->m, shape->k, shape->transpose_a, shape->gap);
    setup.b = operand_new(b_dtype, shape->k, shape->n, shape->transpose_b, shape->gap);
    pod_dot_call *call = &setup.call;
    call->m = shape->m;
    call->n = shape->n;
    call->k = shape->k;
    call->a = setup.a.memory.data;
    call->a_row_stride = setup.a.row_stride;
    call->a_k_stride = setup.a.column_stride;
    call->result_stride = shape->n + shape->gap;
    setup.result = guarded_new((size_t)((shape->m - 1) * call->result_stride + shape->n) * 4);
    call->result = setup.result.data;
    dot_setup_pack(&setup, b_dtype);
    setup.scratch = guarded_new(0);
    return setup;
}

/* Runs in pieces of `rows` rows and `columns` columns; 0: all. */
static void dot_setup_run(dot_setup *setup, int64_t rows, int64_t columns)
{
    const pod_dot_call *call = &setup->call;
    guarded_free(&setup->scratch, "scratch");
    setup->scratch = guarded_new(setup->dot->scratch_bytes(setup->dot, call));
    rows = rows > 0 ? rows : call->m;
    columns = columns > 0 ? columns : call->n;
    for (int64_t row = 0; row < call->m; row += rows)
        for (int64_t column = 0; column < call->n; column += columns)
            setup->dot->run(setup->dot, call, row, row + rows < call->m ? row + rows : call->m, column,
                            column + columns < call->n ? column + columns : call->n, setup->scratch.data);
}

static void dot_setup_free(dot_setup *setup)
{
    guarded_free(&setup->a.memory, "a");
    guarded_free(&setup->b.memory, "b");
    guarded_free(&setup->packed, "packed b");
    guarded_free(&setup->scratch, "scratch");
    guarded_free(&setup->result, "the result");
}

/* Compares the result, each element changed by the epilogue to scale * sum + row. */
static void dot_setup_compare(const dot_setup *setup, const dot_case *shape, const char *what, float scale)
{
    const float *result = setup->result.data;
    for (int64_t i = 0; i < shape->m; i++)
        for (int64_t j = 0; j < shape->n; j++) {
            double sum = 0, size = 0;
            for (int64_t k = 0; k < shape->k; k++) {
                float b = operand_get(&setup->b, k, j);
                if (setup->a.dtype == POD_BF16)
                    b = pod_bf16_to_f32(pod_bf16_from_f32(b));
                double product = (double)operand_get(&setup->a, i, k) * b;
                sum += product;
                size += fabs(product);
            }
            double expected = scale * sum + (scale != 1 ? (double)i : 0);
            double bound = scale * ((double)(shape->k + 2) * 0x1p-23 + dot_operand_loss) * size +
                           (scale != 1 ? fabs(expected) * 0x1p-23 : 0);
            float got = result[i * setup->call.result_stride + j];
            if (!(fabs(got - expected) <= bound))
                FAIL("%s %lldx%lldx%lld%s%s gap %lld [%lld, %lld]: %.9g, not %.9g", what, (long long)shape->m,
                     (long long)shape->n, (long long)shape->k, shape->transpose_a ? " a^T" : "",
                     shape->transpose_b ? " b^T" : "", (long long)shape->gap, (long long)i, (long long)j, got,
                     expected);
        }
    /* What lies between rows of the result is not touched. */
    for (int64_t i = 0; i + 1 < shape->m; i++)
        for (int64_t j = 0; j < shape->gap; j++) {
            uint32_t word;
            memcpy(&word, &result[i * setup->call.result_stride + shape->n + j], 4);
            DOT_CHECK(word == GUARD_BYTE * 0x01010101u, "%s wrote between rows", what);
        }
}

/* Sizes around every edge of tiles, panels and chunks. */
static void dot_check_sizes(const pod_dot_kernels *dot, pod_dtype dtype, const char *what)
{
    static const int64_t sizes[][3] = {
        {1, 1, 1},       {1, 10, 3},    {3, 5, 0},     {2, 16, 2},     {4, 17, 7},    {5, 24, 8},     {7, 31, 9},
        {8, 32, 10},     {9, 33, 15},   {12, 47, 16},  {15, 48, 17},   {16, 49, 31},  {17, 64, 32},   {31, 65, 33},
        {32, 96, 63},    {33, 97, 64},  {48, 128, 65}, {63, 10, 784},  {64, 130, 10}, {65, 200, 100}, {129, 513, 50},
        {100, 49, 1601}, {513, 33, 40}, {1, 530, 70},  {20, 12, 3300},
    };
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (int variant = 0; variant < 8; variant++) {
            dot_case shape = {sizes[i][0], sizes[i][1], sizes[i][2], variant & 1, variant & 2, variant & 4 ? 3 : 0};
            dot_setup setup = dot_setup_new(dot, dtype, dtype, &shape);
            dot_setup_run(&setup, 0, 0);
            dot_setup_compare(&setup, &shape, what, 1);
            dot_setup_free(&setup);
        }
}

/* How work is cut must not change a bit. */
static void dot_check_cuts(const pod_dot_kernels *dot, pod_dtype dtype, const char *what)
{
    const dot_case shapes[] = {
        {270, 1100, 70, false, false, 0}, {270, 110, 1700, true, true, 1}, {200, 10, 300, false, false, 0}};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        const dot_case *shape = &shapes[i];
        dot_setup setup = dot_setup_new(dot, dtype, dtype, shape);
        size_t bytes = setup.result.bytes;
        float *whole = malloc(bytes);
        dot_setup_run(&setup, 0, 0);
        memcpy(whole, setup.result.data, bytes);
        for (int64_t rows = 1; rows <= 4; rows++)
            for (int64_t columns = 1; columns <= 3; columns += 2) {
                memset(setup.result.data, GUARD_BYTE, bytes);
                dot_setup_run(&setup, rows * dot->row_granularity, columns * dot->panel_columns);
                DOT_CHECK(memcmp(whole, setup.result.data, bytes) == 0, "%s shape %zu cut in %lld x %lld", what, i,
                          (long long)rows, (long long)columns);
            }
        free(whole);
        dot_setup_free(&setup);
    }
}

typedef struct epilogue_record {
    unsigned char *seen; /* how often each element came */
    int64_t m, n;
    float *result;
} epilogue_record;

static void record_epilogue(void *context, float *tile, int64_t stride, int64_t row, int64_t column, int64_t rows,
                            int64_t columns)
{
    epilogue_record *record = context;
    DOT_CHECK((uintptr_t)tile % 64 == 0 && stride % 16 == 0 && stride >= columns, "tile %p, stride %lld", (void *)tile,
              (long long)stride);
    DOT_CHECK(row >= 0 && column >= 0 && row + rows <= record->m && column + columns <= record->n, "part %lld, %lld",
              (long long)row, (long long)column);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++) {
            record->seen[(row + i) * record->n + column + j]++;
            tile[i * stride + j] = 2 * tile[i * stride + j] + (float)(row + i);
            if (record->result != NULL)
                record->result[(row + i) * record->n + column + j] = tile[i * stride + j];
        }
}

/* Epilogues see each element once, may change it, and may store it themselves. */
static void dot_check_epilogue(const pod_dot_kernels *dot, pod_dtype dtype, const char *what)
{
    const dot_case shapes[] = {{70, 600, 40, false, false, 0},
                               {33, 10, 1100, true, false, 0},
                               {520, 100, 10, false, true, 0},
                               {5, 7, 0, false, false, 0}};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        for (int own_store = 0; own_store < 2; own_store++) {
            const dot_case *shape = &shapes[i];
            dot_setup setup = dot_setup_new(dot, dtype, dtype, shape);
            size_t elements = (size_t)(shape->m * shape->n);
            epilogue_record record = {calloc(elements, 1), shape->m, shape->n, own_store ? setup.result.data : NULL};
            setup.call.epilogue = record_epilogue;
            setup.call.epilogue_context = &record;
            if (own_store)
                setup.call.result = NULL;
            dot_setup_run(&setup, 2 * dot->row_granularity, dot->panel_columns);
            bool once = true;
            for (size_t j = 0; j < elements; j++)
                once = once && record.seen[j] == 1;
            DOT_CHECK(once, "%s shape %zu: elements missed or repeated", what, i);
            dot_setup_compare(&setup, shape, what, 2);
            free(record.seen);
            dot_setup_free(&setup);
        }
}

/* Sums that are finished in registers have the bits of the steps one by one, however work is cut. */
static void dot_check_finish(const pod_dot_kernels *dot, const char *what)
{
    const dot_case shapes[] = {{70, 592, 40, false, false, 0}, {33, 16, 1100, true, false, 0},
                               {9, 48, 10, false, true, 0},    {1, 128, 784, false, false, 0},
                               {5, 32, 0, false, false, 0},    {13, 80, 900, false, false, 5}};
    finish_operands operands;
    finish_fill(&operands);
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        const dot_case *shape = &shapes[i];
        dot_setup setup = dot_setup_new(dot, POD_F32, POD_F32, shape);
        const size_t bytes = setup.result.bytes;
        float *sums = malloc(bytes), *add = malloc(bytes);
        dot_setup_run(&setup, 0, 0);
        memcpy(sums, setup.result.data, bytes);
        for (size_t j = 0; j < bytes / 4; j++)
            add[j] = (float)(j % 11) * 0.2f - 1;
        const int64_t stride = setup.call.result_stride;
        for (int variant = 0; variant < FINISH_VARIANTS; variant++) {
            const pod_sums_finish finish = finish_variant(variant, &operands, add, POD_F32, setup.result.data, stride);
            memset(setup.result.data, GUARD_BYTE, bytes);
            setup.call.result = NULL;
            setup.call.finish = &finish;
            dot_setup_run(&setup, variant & 1 ? dot->row_granularity : 0, variant & 2 ? dot->panel_columns : 0);
            const float *got = setup.result.data;
            for (int64_t row = 0; row < shape->m; row++)
                for (int64_t column = 0; column < stride && row * stride + column < (int64_t)(bytes / 4); column++) {
                    float want = finish_one(sums[row * stride + column], &finish, row, column);
                    if (column >= shape->n)
                        memset(&want, GUARD_BYTE, sizeof want);
                    DOT_CHECK(memcmp(&got[row * stride + column], &want, sizeof want) == 0,
                              "%s shape %zu, variant %d, [%lld, %lld]", what, i, variant, (long long)row,
                              (long long)column);
                }
        }
        free(sums);
        free(add);
        dot_setup_free(&setup);
    }
}

/* Packed part by part, b is the same as when it is packed at once. */
static void dot_check_parts(const pod_dot_kernels *dot, pod_dtype dtype, const char *what)
{
    static const int64_t sizes[][2] = {{1, 1}, {7, 33}, {64, 96}, {97, 130}, {130, 97}, {784, 10}, {50, 200}};
    static const int64_t cuts[][2] = {{32, 32}, {32, 32},   {64, 32},   {64, 32},
                                      {32, 96}, {1024, 32}, {32, 1024}, {32, 1024}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0] * 2; i++) {
        const dot_case shape = {1, sizes[i / 2][1], sizes[i / 2][0], false, i % 2, 0};
        dot_setup setup = dot_setup_new(dot, dtype, POD_F32, &shape);
        for (size_t c = 0; dot->family && c < sizeof cuts / sizeof cuts[0] && setup.packed.bytes; c++) {
            guarded parts = guarded_new(setup.packed.bytes);
            for (int64_t k = (shape.k - 1) / cuts[c][0] * cuts[c][0]; k >= 0; k -= cuts[c][0])
                for (int64_t n = 0; n < shape.n; n += cuts[c][1]) {
                    const pod_dot_part part = {shape.k,
                                               shape.n,
                                               setup.b.row_stride,
                                               setup.b.column_stride,
                                               k,
                                               k + cuts[c][0] < shape.k ? k + cuts[c][0] : shape.k,
                                               n,
                                               n + cuts[c][1] < shape.n ? n + cuts[c][1] : shape.n,
                                               c % 2 == 0};
                    const float *first =
                        (const float *)setup.b.memory.data + k * setup.b.row_stride + n * setup.b.column_stride;
                    pod_kernel_dot_pack_part(dot, parts.data, POD_F32, first, &part);
                }
            DOT_CHECK(memcmp(parts.data, setup.packed.data, parts.bytes) == 0, "%s b %lldx%lld%s cut in %lld x %lld",
                      what, (long long)shape.k, (long long)shape.n, i % 2 ? " transposed" : "", (long long)cuts[c][0],
                      (long long)cuts[c][1]);
            guarded_free(&parts, "packed parts of b");
        }
        dot_setup_free(&setup);
    }
}

/* NaN and infinities reach their own row and column, and nothing else. */
static void dot_check_special(const pod_dot_kernels *dot, pod_dtype dtype, const char *what)
{
    const dot_case shapes[] = {{37, 61, 45, false, false, 0}, {9, 10, 33, false, false, 0}};
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        const dot_case shape = shapes[s];
        dot_setup setup = dot_setup_new(dot, dtype, dtype, &shape);
        operand_set(&setup.a, 5, 44 < shape.k ? 44 : 32, NAN);
        operand_set(&setup.a, 7, 3, INFINITY);
        operand_set(&setup.b, 2, 8, -INFINITY);
        for (int64_t j = 0; j < shape.n; j++) /* no infinity times 0 */
            operand_set(&setup.b, 3, j, 1);
        for (int64_t i = 0; i < shape.m; i++)
            operand_set(&setup.a, i, 2, 1);
        guarded_free(&setup.packed, "packed b");
        dot_setup_pack(&setup, dtype);
        dot_setup_run(&setup, 0, 0);
        const float *result = setup.result.data;
        for (int64_t i = 0; i < shape.m; i++)
            for (int64_t j = 0; j < shape.n; j++) {
                float got = result[i * shape.n + j];
                bool fits = i == 5 || (i == 7 && j == 8) ? isnan(got)
                            : i == 7                     ? got == INFINITY
                            : j == 8                     ? got == -INFINITY
                                                         : isfinite(got) != 0;
                DOT_CHECK(fits, "%s [%lld, %lld] is %g", what, (long long)i, (long long)j, got);
            }
        dot_setup_free(&setup);
    }
}

/* b of the other type is converted when it is packed. */
static void dot_check_conversion(const pod_dot_kernels *dot, const char *what)
{
    for (int transposed = 0; transposed < 2; transposed++) {
        const dot_case shape = {40, 101, 77, false, transposed, 1};
        dot_setup setup = dot_setup_new(dot, POD_BF16, POD_F32, &shape);
        dot_setup_run(&setup, 0, 0);
        dot_setup_compare(&setup, &shape, what, 1);
        dot_setup_free(&setup);
    }
}

/* All checks of one kind of product. */
/* Scratch for so many rows holds for calls of fewer. */
static inline void dot_check_scratch(const pod_dot_kernels *dot, const char *what)
{
    static const int64_t sizes[] = {1, 31, 33, 160, 577};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (size_t j = 0; j < sizeof sizes / sizeof sizes[0]; j++) {
            pod_dot_call call = {.n = sizes[i], .k = sizes[j], .a_row_stride = sizes[j], .a_k_stride = 1};
            size_t most = 0;
            for (call.m = 1; call.m <= 1100; call.m++) {
                const size_t bytes = dot->scratch_bytes(dot, &call);
                DOT_CHECK(bytes >= most, "%s: %zu bytes for [%lld, %lld] x [%lld, %lld], %zu for fewer rows", what,
                          bytes, (long long)call.m, (long long)call.k, (long long)call.k, (long long)call.n, most);
                most = bytes > most ? bytes : most;
            }
        }
}

static inline void dot_check_all(const pod_dot_kernels *dot, pod_dtype dtype, const char *what)
{
    DOT_CHECK(dot->row_granularity > 0 && dot->panel_columns > 0, "%s", what);
    dot_check_sizes(dot, dtype, what);
    dot_check_cuts(dot, dtype, what);
    dot_check_epilogue(dot, dtype, what);
    if (dtype == POD_F32 && pod_kernel_dot_finishes(dot))
        dot_check_finish(dot, what);
    dot_check_parts(dot, dtype, what);
    dot_check_special(dot, dtype, what);
    dot_check_scratch(dot, what);
    if (dtype == POD_BF16)
        dot_check_conversion(dot, what);
}

#endif
