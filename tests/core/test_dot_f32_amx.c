/*
 * f32 products by bf16 parts on any machine: the source, compiled here against an emulator of the tile
 * instructions, has to give the bits of a plain model, to pass all checks of a product, and to be as exact
 * as it says, also where values are huge, tiny or not finite.
 */

#include "tile_emulator.h"
#define pod_dot_f32_six_amx   emulated_six
#define pod_dot_f32_three_amx emulated_three
#include "kernels/dot_f32_amx.c"
#undef pod_dot_f32_six_amx
#undef pod_dot_f32_three_amx

#include "dot_cases.h"

#include <float.h>

/* ---- parts ---- */

static void split_one(float value, int parts, float out[3])
{
    pod_words16 words[3], values;
    uint32_t bits;
    memcpy(&bits, &value, 4);
    values = (pod_words16){0} + bits;
    pod_kernel_split(&values, parts, words);
    for (int i = 0; i < parts; i++) {
        bits = words[i][0] & 0xffff0000u;
        memcpy(&out[i], &bits, 4);
    }
}

TEST(three_parts_are_the_value)
{
    uint32_t state = 1;
    for (int i = 0; i < 300000; i++) {
        float value, part[3];
        state = state * 1664525u + 1013904223u;
        uint32_t bits = state ^ state >> 15;
        memcpy(&value, &bits, 4);
        if (!isfinite(value))
            continue;
        split_one(value, 3, part);
        const float sum = (part[0] + part[1]) + part[2];
        /* What is left of a tiny value may have no place among bf16 numbers, which end at 2^-133. */
        DOT_CHECK(fabsf(sum - value) <= (fabsf(value) < 0x1p-102f ? 0x1p-133f : 0), "%a: %a %a %a", value, part[0],
                  part[1], part[2]);
        DOT_CHECK(isfinite(part[0]) && fabsf(part[1]) <= 0x1p-7f * fabsf(value) + 0x1p-133f &&
                      fabsf(part[2]) <= 0x1p-14f * fabsf(value),
                  "%a: %a %a %a", value, part[0], part[1], part[2]);
        split_one(value, 2, part);
        DOT_CHECK(isfinite(part[0]) && isfinite(part[1]) &&
                      fabs((double)part[0] + part[1] - value) <= 0x1p-16 * fabs(value) + 0x1p-133,
                  "%a: %a %a", value, part[0], part[1]);
    }
}

TEST(joined_parts_are_the_value_also_where_it_is_not_finite)
{
    const float values[] = {INFINITY, -INFINITY, FLT_MAX, -FLT_MAX, 0, -1.5f, FLT_MIN, 0x1.ffp127f};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        for (int parts = 2; parts <= 3; parts++) {
            float part[3];
            uint16_t halves[3];
            split_one(values[i], parts, part);
            for (int j = 0; j < parts; j++)
                halves[j] = pod_bf16_from_f32(part[j]);
            ASSERT_NUMBER(values[i], pod_kernel_split_join(parts, halves, 1));
        }
    const uint32_t nans[] = {0x7fc00000, 0xffffffff, 0x7fffffff, 0x7f800001};
    for (size_t i = 0; i < sizeof nans / sizeof *nans; i++)
        for (int parts = 2; parts <= 3; parts++) {
            float value, part[3];
            uint16_t halves[3];
            memcpy(&value, &nans[i], 4);
            split_one(value, parts, part);
            for (int j = 0; j < parts; j++) {
                uint32_t bits;
                memcpy(&bits, &part[j], 4);
                halves[j] = (uint16_t)(bits >> 16);
            }
            ASSERT(isnan(pod_kernel_split_join(parts, halves, 1)));
        }
}

/* ---- bits ---- */

/* Element (i, j) as the instructions sum it: blocks of 32 k, in each the passes in their order, each an even and
 * an odd chain. */
static float model(const dot_setup *setup, int parts, int64_t i, int64_t j)
{
    static const int six[6][2] = {{0, 2}, {0, 1}, {1, 1}, {1, 0}, {2, 0}, {0, 0}};
    static const int three[3][2] = {{0, 1}, {0, 0}, {1, 0}};
    float sum = 0;
    for (int64_t block = 0; block < setup->call.k; block += 32)
        for (int pass = 0; pass < (parts == 3 ? 6 : 3); pass++) {
            const int *which = parts == 3 ? six[pass] : three[pass];
            float chains[2] = {0, 0};
            for (int64_t k = block; k < block + 32 && k < setup->call.k; k++) {
                float a[3], b[3];
                split_one(operand_get(&setup->a, i, k), parts, a);
                split_one(operand_get(&setup->b, k, j), parts, b);
                chains[k & 1] = emulated_step(chains[k & 1], a[which[0]], b[which[1]]);
            }
            sum = emulated_total(sum, chains[0], chains[1]);
        }
    return sum;
}

TEST(passes_give_the_bits_of_the_model)
{
    const dot_case shapes[] = {{1, 1, 1, false, false, 0},     {33, 17, 31, false, true, 0},
                               {32, 32, 32, true, false, 0},   {70, 60, 65, true, true, 2},
                               {140, 49, 40, false, false, 1}, {40, 10, 1100, true, false, 0}};
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++)
        for (int parts = 2; parts <= 3; parts++) {
            dot_setup setup = dot_setup_new(parts == 3 ? &emulated_six : &emulated_three, POD_F32, POD_F32, &shapes[s]);
            dot_setup_run(&setup, 0, 0);
            int64_t wrong = 0;
            for (int64_t i = 0; i < shapes[s].m; i++)
                for (int64_t j = 0; j < shapes[s].n; j++) {
                    float expected = model(&setup, parts, i, j);
                    float got = setup.call.result[i * setup.call.result_stride + j];
                    wrong += memcmp(&expected, &got, 4) != 0;
                }
            DOT_CHECK(wrong == 0, "shape %zu, %d parts: %lld elements differ in bits", s, parts, (long long)wrong);
            dot_setup_free(&setup);
        }
}

TEST(six_passes_are_right_in_every_shape_and_cut)
{
    dot_check_all(&emulated_six, POD_F32, "six passes");
    ASSERT_EQ(0, emulated_tiles_open);
}

TEST(three_passes_are_right_in_every_shape_and_cut)
{
    dot_operand_loss = 0x1p-15;
    dot_check_all(&emulated_three, POD_F32, "three passes");
    dot_operand_loss = 0;
}

TEST(b_may_be_bf16)
{
    for (int parts = 2; parts <= 3; parts++)
        for (int transposed = 0; transposed < 2; transposed++) {
            const dot_case shape = {20, 37, 77, false, transposed, 1};
            dot_operand_loss = parts == 3 ? 0 : 0x1p-15;
            dot_setup setup = dot_setup_new(parts == 3 ? &emulated_six : &emulated_three, POD_F32, POD_BF16, &shape);
            dot_setup_run(&setup, 0, 0);
            dot_setup_compare(&setup, &shape, "b in bf16", 1);
            dot_setup_free(&setup);
        }
    dot_operand_loss = 0;
}

/* ---- errors ---- */

static float normal(void)
{
    return dot_random() + dot_random() + dot_random() + dot_random();
}

/* The root mean square of the error against double precision, relative to that of the result. `positive`: no
 * products cancel. */
static double error_of(const pod_dot_kernels *dot, int64_t k, bool positive)
{
    const dot_case shape = {32, 32, k, false, false, 0};
    dot_setup setup = dot_setup_new(dot, POD_F32, POD_F32, &shape);
    dot_random_state = (uint32_t)k;
    for (int64_t i = 0; i < 32; i++)
        for (int64_t at = 0; at < k; at++) {
            operand_set(&setup.a, i, at, positive ? fabsf(normal()) : normal());
            operand_set(&setup.b, at, i, positive ? fabsf(normal()) : normal());
        }
    guarded_free(&setup.packed, "packed b");
    dot_setup_pack(&setup, POD_F32);
    dot_setup_run(&setup, 0, 0);
    double error = 0, size = 0;
    for (int64_t i = 0; i < 32; i++)
        for (int64_t j = 0; j < 32; j++) {
            double sum = 0;
            for (int64_t at = 0; at < k; at++)
                sum += (double)operand_get(&setup.a, i, at) * operand_get(&setup.b, at, j);
            const double miss = setup.call.result[i * 32 + j] - sum;
            error += miss * miss;
            size += sum * sum;
        }
    dot_setup_free(&setup);
    return sqrt(error / size);
}

/* The best family up to AVX-512: its f32 products are ours, whatever MOONPOD_ISA says. */
static const char *plain_f32(void)
{
    const pod_cpu_family best = pod_cpu_best_family();
    return pod_cpu_family_name(best < POD_CPU_AVX512 ? best : POD_CPU_AVX512);
}

TEST(six_passes_are_more_exact_than_f32_and_three_as_exact_as_they_say)
{
    const int64_t sizes[] = {32, 128, 784, 2000};
    const pod_kernels *kernels;
    pod_error error;
    ASSERT_OK(pod_kernel_choose_family(plain_f32(), &kernels, &error));
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int positive = 0; positive < 2; positive++) {
            const double f32 = error_of(&kernels->dot_f32, sizes[i], positive);
            const double six = error_of(&emulated_six, sizes[i], positive);
            const double three = error_of(&emulated_three, sizes[i], positive);
            printf("# k %lld%s: f32 %.2g, six passes %.2g, three %.2g\n", (long long)sizes[i],
                   positive ? ", positive" : "", f32, six, three);
            DOT_CHECK(six <= f32, "k %lld: %g, f32 %g", (long long)sizes[i], six, f32);
            DOT_CHECK(three < 5e-6, "k %lld: %g", (long long)sizes[i], three);
        }
}

/* ---- values that are not ordinary ---- */

/* Compares with f32: the same infinities and NaN, and finite values within `loss` of the sum of |a||b|. */
static void check_against_f32(const pod_dot_kernels *dot, const pod_dot_kernels *f32, int64_t k, double loss)
{
    static const float odd[] = {INFINITY, -INFINITY,   NAN,           FLT_MAX,      -FLT_MAX,
                                0,        0x1.ffp127f, -0x1.ff8p127f, 0x1.fffp100f, -0.0f};
    const dot_case shape = {70, 45, k, false, true, 0};
    dot_setup setup = dot_setup_new(dot, POD_F32, POD_F32, &shape);
    for (int64_t i = 0; i < 30; i++) { /* few: rows and columns without any remain */
        operand_set(&setup.a, i % 11 * 3, i * 37 % k, odd[i % 10]);
        operand_set(&setup.b, i * 53 % k, i % 7 * 5, i % 3 == 0 ? odd[i % 10] : 1.0f / FLT_MAX);
    }
    for (int64_t at = 0; at < k; at++) { /* results beyond the largest, and hardly below it */
        operand_set(&setup.a, 40, at, at == 5 ? 0x1.fffep127f : 0);
        operand_set(&setup.a, 41, at, at == 5 ? 0x1.fffep126f : at == 6 ? 0x1.fffcp126f : 0);
        operand_set(&setup.b, at, 13, at == 5 || at == 6 ? 1 : 0);
        operand_set(&setup.b, at, 14, at == 5 ? 0x1.fffcp0f : 0);
    }
    guarded_free(&setup.packed, "packed b");
    dot_setup_pack(&setup, POD_F32);
    dot_setup_run(&setup, 0, 0);
    float *got = malloc(setup.result.bytes);
    memcpy(got, setup.result.data, setup.result.bytes);
    setup.dot = f32;
    guarded_free(&setup.packed, "packed b");
    dot_setup_pack(&setup, POD_F32);
    dot_setup_run(&setup, 0, 0);
    const float *expected = setup.result.data;
    int64_t odd_ones = 0, finite = 0;
    for (int64_t i = 0; i < shape.m; i++)
        for (int64_t j = 0; j < shape.n; j++) {
            const float is = got[i * shape.n + j], should = expected[i * shape.n + j];
            double size = 0;
            for (int64_t at = 0; at < k; at++)
                size += fabs((double)operand_get(&setup.a, i, at) * operand_get(&setup.b, at, j));
            if (isfinite(size) && size > FLT_MAX) /* which order of the sum overflows is open */
                continue;
            const bool same = isnan(should)   ? isnan(is)
                              : isinf(should) ? is == should
                                              : fabs((double)is - should) <= loss * size;
            DOT_CHECK(same, "k %lld [%lld, %lld]: %g, f32 gives %g", (long long)k, (long long)i, (long long)j, is,
                      should);
            odd_ones += !isfinite(should);
            finite += isfinite(should);
        }
    ASSERT(odd_ones > 300 && finite > 300);
    free(got);
    dot_setup_free(&setup);
}

TEST(infinities_nan_and_huge_values_give_what_f32_gives)
{
    const pod_kernels *kernels;
    pod_error error;
    ASSERT_OK(pod_kernel_choose_family(plain_f32(), &kernels, &error));
    const int64_t sizes[] = {45, 200, 1500};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        check_against_f32(&emulated_six, &kernels->dot_f32, sizes[i], 1e-4);
        check_against_f32(&emulated_three, &kernels->dot_f32, sizes[i], 1e-4);
    }
}

/* Parts below 2^-126 are read as 0, and so are sums: what is lost is absolute. */
TEST(tiny_values_lose_what_is_below_the_least_normal_number)
{
    const dot_case shape = {40, 33, 96, false, false, 0};
    dot_setup setup = dot_setup_new(&emulated_six, POD_F32, POD_F32, &shape);
    for (int64_t at = 0; at < shape.k; at++) {
        for (int64_t i = 0; i < shape.m; i++)
            operand_set(&setup.a, i, at, ldexpf(dot_random(), (int)(-149 + at % 60)));
        for (int64_t j = 0; j < shape.n; j++)
            operand_set(&setup.b, at, j, ldexpf(dot_random(), (int)(j % 40)));
    }
    guarded_free(&setup.packed, "packed b");
    dot_setup_pack(&setup, POD_F32);
    dot_setup_run(&setup, 0, 0);
    for (int64_t i = 0; i < shape.m; i++)
        for (int64_t j = 0; j < shape.n; j++) {
            double sum = 0, size = 0, lost = (double)(6 * shape.k) * 0x1p-126;
            for (int64_t at = 0; at < shape.k; at++) {
                const double a = operand_get(&setup.a, i, at), b = operand_get(&setup.b, at, j);
                sum += a * b;
                size += fabs(a * b);
                lost += 0x1p-125 * (fabs(a) + fabs(b));
            }
            const double miss = fabs(setup.call.result[i * shape.n + j] - sum);
            DOT_CHECK(miss <= size * 0x1p-17 + lost, "[%lld, %lld] misses %g", (long long)i, (long long)j, miss);
        }
    dot_setup_free(&setup);
}

TEST_MAIN(RUN(three_parts_are_the_value); RUN(joined_parts_are_the_value_also_where_it_is_not_finite);
          RUN(passes_give_the_bits_of_the_model); RUN(six_passes_are_right_in_every_shape_and_cut);
          RUN(three_passes_are_right_in_every_shape_and_cut); RUN(b_may_be_bf16);
          RUN(six_passes_are_more_exact_than_f32_and_three_as_exact_as_they_say);
          RUN(infinities_nan_and_huge_values_give_what_f32_gives);
          RUN(tiny_values_lose_what_is_below_the_least_normal_number))
