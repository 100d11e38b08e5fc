/* test_float16 - every value of bf16 and f16, and rounding into them. */

#include "test.h"

#include "base/float16.h"
#include "base/random.h"

TEST(bf16_gives_the_golden_values)
{
    static const struct {
        double value;
        uint16_t bits;
    } rows[] = {
        {1.0, 0x3f80},
        {1 + 0x1p-8, 0x3f80}, /* a tie goes to even */
        {1 + 3 * 0x1p-8, 0x3f82},
        {1 + 0x1p-7, 0x3f81},
        {3.14159265358979, 0x4049},
        {0.1, 0x3dcd},
        {65504, 0x4780},
        {-2.5, 0xc020},
        {3.3895313892515355e38, 0x7f7f},
        {3.40282346638528859812e38, 0x7f80}, /* the largest f32 */
        {0x1p-149, 0x0000},
        {0.0, 0x0000},
        {-0.0, 0x8000},
        {INFINITY, 0x7f80},
        {-INFINITY, 0xff80},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ASSERT_EQ(rows[i].bits, pod_bf16_from_f32((float)rows[i].value));
    ASSERT_NUMBER(3.140625, pod_bf16_to_f32(0x4049));
    ASSERT_NUMBER(0.10009765625, pod_bf16_to_f32(0x3dcd));
    ASSERT_NUMBER(1.015625, pod_bf16_to_f32(0x3f82));
    ASSERT_NUMBER(3.3895313892515355e38, pod_bf16_to_f32(0x7f7f));
}

TEST(f16_gives_the_golden_values)
{
    static const struct {
        double value;
        uint16_t bits;
    } rows[] = {
        {1.0, 0x3c00},         {65504, 0x7bff},           {65519.996, 0x7bff},
        {65520, 0x7c00}, /* halfway to 2^16 */
        {1e30, 0x7c00},        {-1e30, 0xfc00},           {0x1p-24, 0x0001},
        {0x1p-25, 0x0000}, /* a tie goes to even */
        {0x1.8p-24, 0x0002},   {0x1.000002p-25, 0x0001},  {0x1p-14, 0x0400},
        {0x1.ff8p-15, 0x03ff}, {0x1.ffcp-15, 0x0400},     {-0.0, 0x8000},
        {1 + 0x1p-11, 0x3c00}, {1 + 3 * 0x1p-11, 0x3c02}, {INFINITY, 0x7c00},
        {-2.5, 0xc100},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ASSERT_EQ(rows[i].bits, pod_f16_from_f32((float)rows[i].value));
    ASSERT_NUMBER(0x1p-24, pod_f16_to_f32(1));
    ASSERT_NUMBER(65504, pod_f16_to_f32(0x7bff));
}

TEST(every_16_bit_value_comes_back)
{
    for (uint32_t i = 0; i < 0x10000; i++) {
        const uint16_t bits = (uint16_t)i;
        const bool bf16_nan = (bits & 0x7fff) > 0x7f80, f16_nan = (bits & 0x7fff) > 0x7c00;
        if (bf16_nan)
            ASSERT(isnan(pod_bf16_to_f32(bits)) && pod_bf16_from_f32(pod_bf16_to_f32(bits)) == (bits | 0x40));
        else
            ASSERT_EQ(bits, pod_bf16_from_f32(pod_bf16_to_f32(bits)));
        if (f16_nan)
            ASSERT(isnan(pod_f16_to_f32(bits)) && pod_f16_from_f32(pod_f16_to_f32(bits)) == (bits | 0x200));
        else
            ASSERT_EQ(bits, pod_f16_from_f32(pod_f16_to_f32(bits)));
    }
}

/* Rounds by definition: finds the neighbours, compares distances in double, takes the even one. */
static uint16_t nearest(float value, float (*widen)(uint16_t), uint16_t infinite)
{
    const uint16_t sign = signbit(value) ? 0x8000 : 0;
    const double magnitude = fabs((double)value);
    uint16_t low = 0, high = infinite;
    while (high - low > 1) { /* positive floats are ordered like their bits */
        const uint16_t middle = (uint16_t)((low + high) / 2);
        if ((double)widen(middle) <= magnitude)
            low = middle;
        else
            high = middle;
    }
    /* Beyond the largest finite value, "infinite" stands for the next power of two. */
    const double below = widen(low);
    const double above = high == infinite ? 2 * below - (double)widen((uint16_t)(low - 1)) : (double)widen(high);
    const double to_low = magnitude - below, to_high = above - magnitude;
    const bool up = to_high < to_low || (to_high == to_low && (low & 1));
    return (uint16_t)(sign | (up ? high : low));
}

TEST(rounding_takes_the_nearest_and_even_on_ties)
{
    pod_random_stream stream;
    pod_random_stream_init(&stream, 1, 0);
    for (int i = 0; i < 400000; i++) {
        uint32_t bits = pod_random_next(&stream);
        if (i % 2) /* near the borders of f16, with ties */
            bits = (bits & 0x8000f000) | (0x33000000 + bits % 0x15000000) >> 12 << 12;
        const float value = pod_f32_from_bits(bits);
        if (!isfinite(value))
            continue;
        ASSERT_EQ(nearest(value, pod_bf16_to_f32, 0x7f80), pod_bf16_from_f32(value));
        ASSERT_EQ(nearest(value, pod_f16_to_f32, 0x7c00), pod_f16_from_f32(value));
    }
}

TEST_MAIN(RUN(bf16_gives_the_golden_values); RUN(f16_gives_the_golden_values); RUN(every_16_bit_value_comes_back);
          RUN(rounding_takes_the_nearest_and_even_on_ties))
