/* The error bounds that block_math.h states, on a grid over all floats: normal, subnormal, huge,
 * infinite and NaN. */

#include "kernels/kernels.h"
#include "kernels/scalar_math.h"
#include "test.h"

#include <float.h>

static const pod_kernels *kernels; /* of the family in use */

/* Floats between neighbours of the grid; no power of two, so that all mantissas come up. */
#define GRID_STEP 2053

typedef struct bound {
    pod_block_op element;
    const char *name;
    double (*exact)(double x);
    double units; /* in the last place */
} bound;

static double exact_rsqrt(double x)
{
    return 1 / sqrt(x);
}

static double exact_logistic(double x)
{
    return x < -300 ? exp(x) : pod_kernel_logistic(x);
}

static const bound bounds[] = {
    {POD_BLOCK_OP_EXP, "exp", exp, 1.1},
    {POD_BLOCK_OP_EXPM1, "expm1", expm1, 1.6},
    {POD_BLOCK_OP_LOG, "log", log, 0.9},
    {POD_BLOCK_OP_LOG1P, "log1p", log1p, 1},
    {POD_BLOCK_OP_SQRT, "sqrt", sqrt, 0.5},
    {POD_BLOCK_OP_RSQRT, "rsqrt", exact_rsqrt, 1.5},
    {POD_BLOCK_OP_SIN, "sin", sin, 1.6},
    {POD_BLOCK_OP_COS, "cos", cos, 1.6},
    {POD_BLOCK_OP_TAN, "tan", tan, 3.7},
    {POD_BLOCK_OP_TANH, "tanh", tanh, 2.5},
    {POD_BLOCK_OP_LOGISTIC, "logistic", exact_logistic, 2.5},
    {POD_BLOCK_OP_ERF, "erf", erf, 1.2},
    {POD_BLOCK_OP_ERF_INV, "erf_inv", pod_kernel_erf_inv, 0.51},
};

/* Returns how far a float is from the exact result, in units in the last place of that. A zero of
 * the other sign, and a NaN or infinity in the wrong place, are infinitely far. */
static double distance(float got, double exact)
{
    float nearest = (float)exact;
    if (isnan(got) || isnan(exact))
        return isnan(got) && isnan(exact) ? 0 : INFINITY;
    if (got == nearest)
        return got == 0 && signbit(got) != signbit(nearest) ? INFINITY : isinf(got) ? 0 : 0.5 * (got != exact);
    int exponent;
    frexp(exact, &exponent);
    exponent = exponent < -125 ? -125 : exponent > 128 ? 128 : exponent;
    double value = isinf(got) ? copysign(0x1p128, got) : got;
    return fabs(value - exact) / ldexp(1, exponent - 24);
}

static void check_block(const bound *row, const float *x, size_t count)
{
    float y[POD_BLOCK];
    kernels->element[row->element][POD_CLASS_F32](y, x, NULL, NULL, count);
    for (size_t i = 0; i < count; i++) {
        double exact = row->exact((double)x[i]);
        if (!(distance(y[i], exact) <= row->units))
            FAIL("%s(%.9g) is %.9g, exactly %.17g: %.3g units off", row->name, (double)x[i], (double)y[i], exact,
                 distance(y[i], exact));
    }
}

static void check_bits(const bound *row, uint64_t first, uint64_t last, uint64_t step)
{
    float x[POD_BLOCK];
    size_t count = 0;
    for (uint64_t bits = first; bits <= last; bits += step) {
        uint32_t word = (uint32_t)bits;
        memcpy(&x[count++], &word, sizeof word);
        if (count == POD_BLOCK) {
            check_block(row, x, count);
            count = 0;
        }
    }
    check_block(row, x, count);
}

TEST(functions_of_one_operand_keep_their_bounds_over_all_floats)
{
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++)
        check_bits(&bounds[i], 0, UINT32_MAX, GRID_STEP);
}

/* Around these something changes: ranges end, results overflow or vanish, constants switch. */
TEST(functions_of_one_operand_keep_their_bounds_near_special_places)
{
    const float places[] = {
        1e-45f, 0x1p-126f, 0.5f,       0.70710678f, 0.927734375f, 1,          1.41421356f, 2,           4,
        9,      10,        16.635532f, 18,          20,           87.3365f,   88.722839f,  90,          103.972084f,
        105,    0x1p20f,   0x1p23f,    0x1p24f,     3.1415927f,   1.5707964f, 0.78539816f, 0.41421356f, 3.4028235e38f};
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
        check_bits(&bounds[i], 0, 3000, 1);
        check_bits(&bounds[i], 0x80000000u, 0x80000000u + 3000, 1);
        for (size_t place = 0; place < sizeof places / sizeof *places; place++) {
            uint32_t bits;
            memcpy(&bits, &places[place], sizeof bits);
            uint64_t first = bits < 1500 ? 0 : bits - 1500;
            check_bits(&bounds[i], first, (uint64_t)bits + 1500, 1);
            check_bits(&bounds[i], first | 0x80000000u, ((uint64_t)bits + 1500) | 0x80000000u, 1);
        }
    }
}

/* ---- functions of two operands
 * --------------------------------------------------------------------------- */

static const float operands[] = {
    0.0f,        -0.0f,      1,           -1,        2,        -2,      3,        -3,       0.5f,      -0.5f,
    1.5f,        -2.5f,      1e-45f,      -1e-45f,   1e-40f,   1e-30f,  1e30f,    -1e30f,   8388607,   8388608.5f,
    8388609,     -8388609,   16777215,    -16777215, 16777216, 3.4e38f, -3.4e38f, INFINITY, -INFINITY, NAN,
    0.99999994f, 1.0000001f, -1.0000001f, 100,       -149,     127,     128,      0.3333f,  1e-7f};

#define OPERANDS (sizeof operands / sizeof *operands)

static void check_pairs(pod_block_op element, const char *name, double (*exact)(double, double), const float *x,
                        const float *y, size_t count)
{
    float result[POD_BLOCK];
    kernels->element[element][POD_CLASS_F32](result, x, y, NULL, count);
    for (size_t i = 0; i < count; i++) {
        double wanted = exact((double)x[i], (double)y[i]);
        if (!(distance(result[i], wanted) <= 0.51))
            FAIL("%s(%.9g, %.9g) is %.9g, exactly %.17g", name, (double)x[i], (double)y[i], (double)result[i], wanted);
    }
}

static void check_two(pod_block_op element, const char *name, double (*exact)(double, double))
{
    float x[POD_BLOCK], y[POD_BLOCK];
    for (size_t i = 0; i < OPERANDS; i++) {
        for (size_t j = 0; j < OPERANDS; j++) {
            x[j] = operands[i];
            y[j] = operands[j];
        }
        check_pairs(element, name, exact, x, y, OPERANDS);
    }
    uint64_t state = 1;
    for (int round = 0; round < 1000; round++) {
        for (size_t i = 0; i < POD_BLOCK; i++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            uint32_t high = (uint32_t)(state >> 32), low = (uint32_t)(state >> 13);
            double share_x = high / 4294967296.0, share_y = low / 4294967296.0;
            memcpy(&x[i], &high, sizeof high); /* all floats */
            memcpy(&y[i], &low, sizeof low);
            if (round % 3 == 1) { /* results of any size */
                x[i] = (float)exp(share_x * 20 - 10);
                y[i] = (float)(share_y * 30 - 15);
            } else if (round % 3 == 2) { /* near 1, where powers need the most digits of the logarithm */
                x[i] = (float)(share_x * 0.2 + 0.9);
                y[i] = (float)(share_y * 2000 - 1000);
            }
        }
        check_pairs(element, name, exact, x, y, POD_BLOCK);
    }
}

/* ---- gelu --------------------------------------------------------------------------------------------- */

static double exact_gelu(double x)
{
    return 0.5 * x * erfc(-x / sqrt(2));
}

static double exact_gelu_slope(double x)
{
    return 0.5 * erfc(-x / sqrt(2)) + x * exp(-0.5 * x * x) / sqrt(2 * M_PI);
}

static double gelu_tanh_argument(double x)
{
    return sqrt(2 / M_PI) * (x + 0.044715 * x * x * x);
}

static double exact_gelu_tanh(double x)
{
    return 0.5 * x * (1 + tanh(gelu_tanh_argument(x)));
}

static double exact_gelu_tanh_slope(double x)
{
    double t = tanh(gelu_tanh_argument(x));
    double slope = sqrt(2 / M_PI) * (1 + 3 * 0.044715 * x * x);
    return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * slope;
}

/* Errors against the size of the operand, as neither is computed by differences of its own. */
static void check_gelu(pod_block_op element, const char *name, double (*exact)(double), bool slope)
{
    float x[POD_BLOCK], g[POD_BLOCK], y[POD_BLOCK];
    for (int part = 0; part < 40; part++) {
        for (size_t i = 0; i < POD_BLOCK; i++) {
            x[i] = (float)((part - 20) + (double)i / POD_BLOCK);
            g[i] = slope ? 2 : NAN;
        }
        kernels->element[element][POD_CLASS_F32](y, x, slope ? g : NULL, NULL, POD_BLOCK);
        for (size_t i = 0; i < POD_BLOCK; i++) {
            double factor = slope ? 2 : 1, wanted = exact((double)x[i]) * factor;
            if (!(fabs((double)y[i] - wanted) <= factor * 3e-7 * (1 + fabs((double)x[i]))))
                FAIL("%s(%.9g) is %.9g, exactly %.17g", name, (double)x[i], (double)y[i], wanted);
        }
    }
    const float special[] = {0.0f, -0.0f, NAN, 1e30f, -1e30f};
    const float ones[] = {1, 1, 1, 1, 1};
    kernels->element[element][POD_CLASS_F32](y, special, slope ? ones : NULL, NULL, 5);
    float far = slope ? 1.0f : 1e30f;
    if (y[0] != (slope ? 0.5f : 0.0f) || y[1] != y[0] || !isnan(y[2]) || y[3] != far || y[4] != 0)
        FAIL("%s of 0, -0, NaN, 1e30, -1e30 is %g, %g, %g, %g, %g", name, (double)y[0], (double)y[1], (double)y[2],
             (double)y[3], (double)y[4]);
}

TEST(gelu_and_its_slope_are_near_the_exact_ones)
{
    check_gelu(POD_BLOCK_OP_GELU, "gelu", exact_gelu, false);
    check_gelu(POD_BLOCK_OP_GELU_GRADIENT, "gelu_gradient", exact_gelu_slope, true);
    check_gelu(POD_BLOCK_OP_GELU_TANH, "gelu_tanh", exact_gelu_tanh, false);
    check_gelu(POD_BLOCK_OP_GELU_TANH_GRADIENT, "gelu_tanh_gradient", exact_gelu_tanh_slope, true);
}

/* The bounds that block_gelu.h states for bf16; behind 5 little is left. */
static double rough_bound(double x, double wanted, bool slope)
{
    double size = fabs(wanted);
    if (fabs(x) > 5)
        return 0x1p-11 * size + 1e-5;
    return slope ? 0x1p-11 * fmax(size, 0.1 * exp(-0.5 * x * x)) : 0x1.6ap-12 * size;
}

static void check_rough(pod_block_op element, const char *name, double (*exact)(double), bool slope)
{
    float x[POD_BLOCK], g[POD_BLOCK], y[POD_BLOCK];
    for (int part = 0; part < 48; part++) {
        for (size_t i = 0; i < POD_BLOCK; i++) {
            x[i] = (float)((part - 24) + (double)i / POD_BLOCK);
            g[i] = slope ? 2 : NAN;
        }
        kernels->element[element][POD_CLASS_F32](y, x, slope ? g : NULL, NULL, POD_BLOCK);
        for (size_t i = 0; i < POD_BLOCK; i++) {
            double factor = slope ? 2 : 1, wanted = exact((double)x[i]);
            if (!(fabs((double)y[i] / factor - wanted) <= rough_bound((double)x[i], wanted, slope)))
                FAIL("%s(%.9g) is %.9g, exactly %.17g", name, (double)x[i], (double)y[i] / factor, wanted);
        }
    }
    const float special[] = {1e-30f, NAN, 1e30f, -1e30f, FLT_MAX, -FLT_MAX};
    const float ones[] = {1, 1, 1, 1, 1, 1};
    kernels->element[element][POD_CLASS_F32](y, special, slope ? ones : NULL, NULL, 6);
    if (fabsf(y[0] - (slope ? 0.5f : 0.5e-30f)) > 0x1p-11f * y[0] || !isnan(y[1]) || y[2] != (slope ? 1.0f : 1e30f) ||
        y[3] != 0 || y[4] != (slope ? 1.0f : FLT_MAX) || y[5] != 0)
        FAIL("%s of 1e-30, NaN, +-1e30, +-FLT_MAX is %g, %g, %g, %g, %g, %g", name, (double)y[0], (double)y[1],
             (double)y[2], (double)y[3], (double)y[4], (double)y[5]);
}

TEST(rough_gelu_and_its_slope_are_near_enough_for_bf16)
{
    check_rough(POD_BLOCK_OP_GELU_ROUGH, "gelu", exact_gelu, false);
    check_rough(POD_BLOCK_OP_GELU_GRADIENT_ROUGH, "gelu_gradient", exact_gelu_slope, true);
    check_rough(POD_BLOCK_OP_GELU_TANH_ROUGH, "gelu_tanh", exact_gelu_tanh, false);
    check_rough(POD_BLOCK_OP_GELU_TANH_GRADIENT_ROUGH, "gelu_tanh_gradient", exact_gelu_tanh_slope, true);
}

TEST(powers_are_rounded_once)
{
    check_two(POD_BLOCK_OP_POWER, "power", pow);
}

TEST(angles_are_rounded_once)
{
    check_two(POD_BLOCK_OP_ATAN2, "atan2", atan2);
}

/* Every sign and exponent with mantissas about all that decides how they are rounded. */
TEST(sixteen_bit_floats_of_every_exponent_are_those_of_the_reference)
{
    static const uint32_t tails[] = {0, 1, 0xFFF, 0x1000, 0x1001, 0x1FFF, 0x7FFF, 0x8000, 0x8001, 0xFFFF};
    enum { TAILS = sizeof tails / sizeof *tails, HEADS = 128, COUNT = TAILS * HEADS };
    static float x[COUNT], rounded[COUNT];
    static uint16_t narrow[COUNT];
    const pod_block_function round_bf16 = kernels->element[POD_BLOCK_OP_ROUND_BF16][POD_CLASS_F32];
    const pod_block_function round_f16 = kernels->element[POD_BLOCK_OP_ROUND_F16][POD_CLASS_F32];
    for (uint32_t exponent = 0; exponent < 512; exponent++) {
        for (uint32_t i = 0; i < COUNT; i++) {
            uint32_t bits = exponent << 23 | (i / TAILS) << 16 | tails[i % TAILS];
            memcpy(&x[i], &bits, sizeof bits);
        }
        kernels->store[POD_BF16](narrow, x, COUNT);
        round_bf16(rounded, x, NULL, NULL, COUNT);
        for (uint32_t i = 0; i < COUNT; i++) {
            const float wanted = pod_bf16_to_f32(pod_bf16_from_f32(x[i]));
            ASSERT_EQ(pod_bf16_from_f32(x[i]), narrow[i]);
            ASSERT_EQ(0, memcmp(&wanted, &rounded[i], sizeof wanted));
        }
        kernels->store[POD_F16](narrow, x, COUNT);
        round_f16(rounded, x, NULL, NULL, COUNT);
        for (uint32_t i = 0; i < COUNT; i++) {
            const float wanted = pod_f16_to_f32(pod_f16_from_f32(x[i]));
            ASSERT_EQ(pod_f16_from_f32(x[i]), narrow[i]);
            ASSERT_EQ(0, memcmp(&wanted, &rounded[i], sizeof wanted));
        }
    }
    for (uint32_t first = 0; first < 65536; first += 1024) {
        for (uint32_t i = 0; i < 1024; i++)
            narrow[i] = (uint16_t)(first + i);
        kernels->load[POD_BF16](x, narrow, 1024);
        kernels->load[POD_F16](rounded, narrow, 1024);
        for (uint32_t i = 0; i < 1024; i++) {
            const float bf16 = pod_bf16_to_f32(narrow[i]), f16 = pod_f16_to_f32(narrow[i]);
            ASSERT_EQ(0, memcmp(&bf16, &x[i], sizeof bf16));
            ASSERT_EQ(0, memcmp(&f16, &rounded[i], sizeof f16));
        }
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

TEST_MAIN(choose(); RUN(functions_of_one_operand_keep_their_bounds_over_all_floats);
          RUN(functions_of_one_operand_keep_their_bounds_near_special_places);
          RUN(gelu_and_its_slope_are_near_the_exact_ones); RUN(rough_gelu_and_its_slope_are_near_enough_for_bf16);
          RUN(powers_are_rounded_once); RUN(angles_are_rounded_once);
          RUN(sixteen_bit_floats_of_every_exponent_are_those_of_the_reference))
