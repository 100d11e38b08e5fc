/* What is finished in registers has the bits of block functions one by one, and packs as pod_kernel_dot_pack_part()
 * does. */

#include "base/random.h"
#include "kernels/dot.h"
#include "test.h"

#include <float.h>
#include <math.h>

#define ROWS    32
#define COLUMNS 128
#define STRIDE  144 /* of tile and result */

static const pod_kernels *kernels; /* of the family in use */

static const float edges[] = {0.0f,    -0.0f,   NAN,         INFINITY,    -INFINITY,    1e-40f,
                              -1e-40f, 3.4e38f, 1.00390625f, 1.01171875f, -1.00390625f, 1e-38f};

static void fill(pod_random_stream *random, float *to, int64_t count, bool with_edges)
{
    for (int64_t i = 0; i < count; i++) {
        to[i] = (float)pod_random_unit(random) * 4 - 2;
        if (with_edges && pod_random_below(random, 6) == 0)
            to[i] = edges[pod_random_below(random, sizeof edges / sizeof *edges)];
    }
}

/* One mixture of what a call may do. */
typedef struct trial {
    bool bias, scale, relu, gelu, before, sums, first;
    float most;
    pod_finish_rounding rounds;
    int add, mask, slope; /* 0: none, 1: f32, 2: bf16; slope: gelu's gradient at the mask */
    pod_dtype dtype;
    int64_t rows, columns;
} trial;

/* Operands of a trial; 16-bit copies have the f32's places. */
typedef struct operands {
    float tile[ROWS * STRIDE], add[ROWS * STRIDE], mask[ROWS * STRIDE];
    float bias[COLUMNS], scale[COLUMNS], shift[COLUMNS], sums[COLUMNS];
    uint16_t add_16[ROWS * STRIDE], mask_16[ROWS * STRIDE];
} operands;

static void apply(pod_block_op op, float *to, const void *a, const void *b, const void *c, int64_t count)
{
    kernels->element[op][POD_CLASS_F32](to, a, b, c, (size_t)count);
}

/* A CPU that rounds to bf16 makes 0 of subnormal numbers. */
static void drop_subnormals(pod_dtype dtype, float *x, int64_t count)
{
    const bool rounds = strcmp(kernels->isa, "avx512bf16") == 0 || strcmp(kernels->isa, "amx") == 0;
    for (int64_t i = 0; i < count && dtype == POD_BF16 && rounds; i++)
        if (fabsf(x[i]) < FLT_MIN)
            x[i] = copysignf(0, x[i]);
}

static void round_row(bool rounds, float *y, int64_t count)
{
    if (!rounds)
        return;
    drop_subnormals(POD_BF16, y, count);
    apply(POD_BLOCK_OP_ROUND_BF16, y, y, NULL, NULL, count);
}

static const float *widened(int kind, const float *wide, const uint16_t *narrow, float *room, int64_t count)
{
    if (kind == 1)
        return wide;
    kernels->load[POD_BF16](room, narrow, (size_t)count);
    return room;
}

/* Gelu or its gradient; what gelu is taken of is stored. */
static void expect_gelu(const trial *t, const operands *from, int64_t at, float *y, uint16_t *before)
{
    float room[COLUMNS];
    if (t->before)
        kernels->store[POD_BF16](before + at, y, (size_t)t->columns);
    if (t->gelu)
        apply(POD_BLOCK_OP_GELU_ROUGH, y, y, NULL, NULL, t->columns);
    if (t->slope)
        apply(POD_BLOCK_OP_GELU_GRADIENT_ROUGH, y,
              widened(t->slope, from->mask + at, from->mask_16 + at, room, t->columns), y, NULL, t->columns);
}

/* What is not positive becomes 0, and what is too much the bound. */
static void expect_bound(float most, float *y, int64_t count)
{
    float bounds[COLUMNS], positive[COLUMNS];
    static const float zeros[COLUMNS];
    int32_t above[COLUMNS];
    for (int64_t i = 0; i < count; i++)
        bounds[i] = most;
    kernels->element[POD_BLOCK_OP_GE][POD_CLASS_F32](above, y, bounds, NULL, (size_t)count);
    apply(POD_BLOCK_OP_MAXIMUM, positive, y, zeros, NULL, count);
    apply(POD_BLOCK_OP_SELECT, y, above, bounds, positive, count);
}

/* The same by block functions, a row at a time. */
static void expect(const trial *t, const operands *from, float *sums, char *result, uint16_t *before)
{
    static const float zeros[COLUMNS];
    const size_t size = pod_dtype_size(t->dtype);
    for (int64_t row = 0; row < t->rows; row++) {
        const int64_t at = row * STRIDE, n = t->columns;
        float y[COLUMNS], room[COLUMNS];
        int32_t chosen[COLUMNS];
        memcpy(y, from->tile + at, (size_t)n * sizeof *y);
        round_row(t->rounds.tile, y, n);
        if (t->bias)
            apply(POD_BLOCK_OP_ADD, y, y, from->bias, NULL, n);
        round_row(t->rounds.bias, y, n);
        if (t->scale) {
            apply(POD_BLOCK_OP_MULTIPLY, y, y, from->scale, NULL, n);
            apply(POD_BLOCK_OP_ADD, y, y, from->shift, NULL, n);
        }
        round_row(t->rounds.shift, y, n);
        if (t->add)
            apply(POD_BLOCK_OP_ADD, y, y, widened(t->add, from->add + at, from->add_16 + at, room, n), NULL, n);
        round_row(t->rounds.add, y, n);
        if (t->most > 0)
            expect_bound(t->most, y, n);
        else if (t->relu)
            apply(POD_BLOCK_OP_MAXIMUM, y, y, zeros, NULL, n);
        if (t->mask) {
            kernels->element[POD_BLOCK_OP_GT][POD_CLASS_F32](
                chosen, widened(t->mask, from->mask + at, from->mask_16 + at, room, n), zeros, NULL, (size_t)n);
            apply(POD_BLOCK_OP_SELECT, y, chosen, y, zeros, n);
        }
        expect_gelu(t, from, at, y, before);
        round_row(t->rounds.result, y, n);
        if (row == 0 && t->first)
            memcpy(sums, y, (size_t)n * sizeof *y);
        else
            apply(POD_BLOCK_OP_ADD, sums, sums, y, NULL, n);
        kernels->store[t->dtype](result + (size_t)at * size, y, (size_t)n);
    }
}

/* Equal but for which NaN it is. */
static bool same_floats(const float *a, const float *b, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (memcmp(&a[i], &b[i], sizeof *a) != 0 && !(isnan(a[i]) && isnan(b[i])))
            return false;
    return true;
}

static bool same_results(pod_dtype dtype, const char *a, const char *b, int64_t count)
{
    float left[COLUMNS], right[COLUMNS];
    kernels->load[dtype](left, a, (size_t)count);
    kernels->load[dtype](right, b, (size_t)count);
    drop_subnormals(dtype, left, count);
    return same_floats(left, right, count);
}

static pod_finish call_of(const trial *t, const operands *from, float *sums, void *result, uint16_t *before)
{
    const void *slope_at = t->slope == 1 ? from->mask : t->slope == 2 ? (const void *)from->mask_16 : NULL;
    return (pod_finish){
        .tile = from->tile,
        .tile_stride = STRIDE,
        .rounds = t->rounds,
        .rows = t->rows,
        .columns = t->columns,
        .bias = t->bias ? from->bias : NULL,
        .scale = t->scale ? from->scale : NULL,
        .shift = t->scale ? from->shift : NULL,
        .most = t->most,
        .add = t->add == 1   ? from->add
               : t->add == 2 ? (const void *)from->add_16
                             : NULL,
        .add_dtype = t->add == 2 ? POD_BF16 : POD_F32,
        .mask = t->mask == 1   ? from->mask
                : t->mask == 2 ? (const void *)from->mask_16
                               : NULL,
        .mask_dtype = t->mask == 2 || t->slope == 2 ? POD_BF16 : POD_F32,
        .slope_at = slope_at,
        .gelu = t->gelu,
        .before = t->before ? before : NULL,
        .dtype = t->dtype,
        .relu = t->relu,
        .sums = t->sums ? sums : NULL,
        .first = t->first,
        .result = result,
        .stride = STRIDE,
    };
}

static trial trial_of(pod_random_stream *random)
{
    static const int64_t columns[] = {16, 32, 48, 112, COLUMNS};
    trial t = {.bias = pod_random_below(random, 2) != 0,
               .scale = pod_random_below(random, 2) != 0,
               .relu = pod_random_below(random, 2) != 0,
               .sums = pod_random_below(random, 2) != 0,
               .first = pod_random_below(random, 2) != 0,
               .add = (int)pod_random_below(random, 3),
               .rounds = {pod_random_below(random, 2) != 0, pod_random_below(random, 2) != 0,
                          pod_random_below(random, 2) != 0, pod_random_below(random, 2) != 0,
                          pod_random_below(random, 2) != 0},
               .dtype = pod_random_below(random, 2) != 0 ? POD_F32 : POD_BF16,
               .rows = 1 + (int64_t)pod_random_below(random, ROWS),
               .columns = columns[pod_random_below(random, 5)]};
    t.most = t.relu && pod_random_below(random, 2) != 0 ? 1.25f : 0;
    t.mask = t.relu ? 0 : (int)pod_random_below(random, 3);
    if (t.relu || t.mask)
        return t;
    t.gelu = pod_random_below(random, 2) != 0;
    t.before = t.gelu && pod_random_below(random, 2) != 0;
    t.slope = t.gelu ? 0 : (int)pod_random_below(random, 3);
    return t;
}

static void fill_operands(pod_random_stream *random, operands *from)
{
    fill(random, from->tile, ROWS * STRIDE, true);
    fill(random, from->add, ROWS * STRIDE, false);
    fill(random, from->mask, ROWS * STRIDE, true);
    fill(random, from->bias, COLUMNS, false);
    fill(random, from->scale, COLUMNS, false);
    fill(random, from->shift, COLUMNS, false);
    fill(random, from->sums, COLUMNS, false);
    kernels->store[POD_BF16](from->add_16, from->add, ROWS * STRIDE);
    kernels->store[POD_BF16](from->mask_16, from->mask, ROWS * STRIDE);
}

TEST(results_are_those_of_block_functions)
{
    pod_random_stream random;
    pod_random_stream_init(&random, 3, 0);
    static operands from;
    static char result[ROWS * STRIDE * 4], wanted[ROWS * STRIDE * 4];
    static uint16_t before[ROWS * STRIDE], wanted_before[ROWS * STRIDE];
    for (int i = 0; i < 800; i++) {
        const trial t = trial_of(&random);
        fill_operands(&random, &from);
        float sums[COLUMNS], wanted_sums[COLUMNS];
        memcpy(sums, from.sums, sizeof sums);
        memcpy(wanted_sums, from.sums, sizeof sums);
        memset(result, 0x5a, sizeof result);
        memset(wanted, 0x5a, sizeof wanted);
        memset(before, 0x5a, sizeof before);
        memset(wanted_before, 0x5a, sizeof before);
        expect(&t, &from, wanted_sums, wanted, wanted_before);
        const pod_finish call = call_of(&t, &from, sums, result, before);
        kernels->finish(&call);
        for (int64_t row = 0; row < ROWS; row++)
            ASSERT(same_results(POD_BF16, (char *)(wanted_before + row * STRIDE), (char *)(before + row * STRIDE),
                                COLUMNS));
        if (t.sums)
            ASSERT(same_floats(wanted_sums, sums, t.columns));
        ASSERT_EQ(0, memcmp(from.sums + t.columns, sums + t.columns, (size_t)(COLUMNS - t.columns) * sizeof *sums));
        const size_t size = pod_dtype_size(t.dtype);
        for (int64_t row = 0; row < ROWS; row++) {
            const size_t at = (size_t)(row * STRIDE) * size, end = (size_t)t.columns * size;
            if (row < t.rows)
                ASSERT(same_results(t.dtype, wanted + at, result + at, t.columns));
            ASSERT_EQ(0, memcmp(wanted + at + end, result + at + end, STRIDE * size - end));
        }
    }
}

/* Both widths of k that families have, with panels that are cut. */
TEST(pairs_of_rows_lie_as_families_pack_them)
{
    static const struct {
        int64_t k_unit, panel;
    } layouts[] = {{2, 48}, {2, 64}, {32, 32}};
    static operands from;
    static uint16_t result[ROWS * STRIDE];
    static _Alignas(64) uint16_t packed[96 * COLUMNS];
    pod_random_stream random;
    pod_random_stream_init(&random, 4, 0);
    for (int i = 0; i < 60; i++) {
        trial t = trial_of(&random);
        t.rows = ROWS;
        t.dtype = POD_BF16;
        fill_operands(&random, &from);
        const int64_t unit = layouts[i % 3].k_unit, panel = layouts[i % 3].panel, k = 96;
        float sums[COLUMNS] = {0};
        pod_finish call = call_of(&t, &from, sums, result, NULL);
        call.before = NULL;
        call.pack = (pod_finish_pack){(char *)packed, i / 3 % 2 == 1, k, t.columns, 32, 0, unit, panel};
        memset(packed, 0x5a, sizeof packed);
        kernels->finish(&call);
        int64_t seen = 0;
        for (int64_t column = 0; column < t.columns; column++) {
            const int64_t first = column / panel * panel;
            const int64_t width = t.columns - first < panel ? t.columns - first : panel;
            for (int64_t row = 0; row < ROWS; row++) {
                /* [k / unit][lanes by 16][unit / 2][16][2] of a panel */
                const int64_t at = 32 + row, lane = column - first;
                const int64_t place = first * k + at / unit * unit * width + lane / 16 * 16 * unit +
                                      at % unit / 2 * 32 + lane % 16 * 2 + at % 2;
                ASSERT_EQ(result[row * STRIDE + column], packed[place]);
                seen++;
            }
        }
        int64_t written = 0;
        for (size_t j = 0; j < sizeof packed / sizeof *packed; j++)
            written += packed[j] != 0x5a5a;
        ASSERT(written <= seen);
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

TEST_MAIN(choose(); RUN(results_are_those_of_block_functions); RUN(pairs_of_rows_lie_as_families_pack_them))
