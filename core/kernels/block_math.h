#ifndef POD_KERNELS_BLOCK_MATH_H
#define POD_KERNELS_BLOCK_MATH_H

/*
 * Functions of one f32 element, written without branches so that loops over them are vectorised; a
 * loop's tail runs the same operations and gives the same bits. Errors against the exact result, in
 * units in the last place over all floats (tests/core/test_kernels_blocks_math.c):
 *
 *     exp 1.1, expm1 1.6, log 0.9, log1p 1, rsqrt 1.5, tanh 2.5, logistic 2.5, erf 1.2,
 *     sin and cos 1.6, tan 3.7
 *
 * Infinities, zeros' signs and NaN are as in C's math library. Where double precision is used it is
 * to carry an error term that would need several floats. Multiplications and additions are fused
 * where the family has the instruction, so families differ within these bounds.
 */

#include "kernels/unroll.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static inline uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline float float_of(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline uint64_t bits_of_double(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double double_of(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* a * b + c, rounded once where that is one instruction. */
static inline float mul_add(float a, float b, float c)
{
#if defined(__FMA__)
    return __builtin_fmaf(a, b, c);
#else
    return a * b + c;
#endif
}

static inline double mul_add_double(double a, double b, double c)
{
#if defined(__FMA__)
    return __builtin_fma(a, b, c);
#else
    return a * b + c;
#endif
}

#define COUNT_OF(factors) ((int)(sizeof(factors) / sizeof *(factors)))

/* A polynomial; the factor of the highest power is the first. */
static inline float polynomial_of(const float *factors, int count, float x)
{
    float p = factors[0];
    POD_UNROLL (16, int i = 1; i < count; i++)
        p = mul_add(p, x, factors[i]);
    return p;
}

static inline double polynomial_of_double(const double *factors, int count, double x)
{
    double p = factors[0];
    POD_UNROLL (16, int i = 1; i < count; i++)
        p = mul_add_double(p, x, factors[i]);
    return p;
}

static inline float absolute(float x)
{
    return float_of(bits_of(x) & 0x7FFFFFFFu);
}

/* The magnitude of x with the sign of y. */
static inline float with_sign(float x, float y)
{
    return float_of((bits_of(x) & 0x7FFFFFFFu) | (bits_of(y) & 0x80000000u));
}

/* The larger and the smaller one; NaN when either is. In two steps, which the compiler vectorises.
 */
static inline float maximum_f32(float a, float b)
{
    float larger = a > b ? a : b;
    return a != a ? a : larger;
}

static inline float minimum_f32(float a, float b)
{
    float smaller = a < b ? a : b;
    return a != a ? a : smaller;
}

/* Adding these leaves a float rounded to an integer, ties to even, in the low bits of its mantissa.
 */
#define ROUNDING_F32 0x1.8p23f
#define ROUNDING_F64 0x1.8p52

/* x * 2^n for n in -252 .. 252, in two steps, so that a subnormal result is rounded once. */
static inline float scale(float x, int32_t n)
{
    int32_t half = n >> 1;
    return x * float_of((uint32_t)(half + 127) << 23) * float_of((uint32_t)(n - half + 127) << 23);
}

#if defined(__x86_64__) && !defined(__SSE4_1__)
/* Without the instruction: adding 2^23 rounds; what is at least that is whole already. */
static inline float round_f32(float x)
{
    float magnitude = absolute(x);
    float rounded = (magnitude + 0x1p23f) - 0x1p23f;
    return with_sign(magnitude < 0x1p23f ? rounded : x, x);
}

static inline float floor_f32(float x)
{
    float rounded = round_f32(x);
    return with_sign(rounded > x ? rounded - 1.0f : rounded, x);
}

static inline float ceil_f32(float x)
{
    float rounded = round_f32(x);
    return with_sign(rounded < x ? rounded + 1.0f : rounded, x);
}
#else
static inline float round_f32(float x)
{
    return rintf(x);
}

static inline float floor_f32(float x)
{
    return floorf(x);
}

static inline float ceil_f32(float x)
{
    return ceilf(x);
}
#endif

/* Splits x into n * log(2) + the result, the result within log(2) / 2 of 0; |x| below 150. */
static inline float reduce_exp(float x, int32_t *n)
{
    float shifted = mul_add(x, 1.44269504f, ROUNDING_F32);
    float whole = shifted - ROUNDING_F32;
    *n = (int32_t)(bits_of(shifted) - bits_of(ROUNDING_F32));
    float r = mul_add(whole, -0.693359375f, x); /* exact: the constant has 10 bits */
    return mul_add(whole, 2.12194440e-4f, r);
}

/* (exp(r) - 1 - r) / r^2 (Cephes) */
static inline float exp_tail(float r)
{
    static const float p_factors[] = {1.9875691500e-4f, 1.3981999507e-3f, 8.3334519073e-3f, 4.1665795894e-2f,
                                      1.6666665459e-1f};
    float p = polynomial_of(p_factors, COUNT_OF(p_factors), r);
    return mul_add(p, r, 5.0000001201e-1f);
}

static inline float exp_f32(float x)
{
    int32_t n;
    x = x < -105.0f ? -105.0f : x;
    x = x > 90.0f ? 90.0f : x;
    float r = reduce_exp(x, &n);
    float p = mul_add(exp_tail(r), r * r, r) + 1.0f;
    return scale(p, x != x ? 0 : n);
}

/* Takes x from -127.5 to 127 apart: returns the fraction, from -1/2 to 1/2, and *power is 2 to the whole rest, 0 for
 * -127. */
#define EXP2_SHIFT (ROUNDING_F32 + 127.0f) /* leaves the exponent of the result in the low bits */

static inline float exp2_fraction(float x, float *power)
{
    float shifted = x + EXP2_SHIFT;
    *power = float_of(bits_of(shifted) << 23);
    return x - (shifted - EXP2_SHIFT);
}

#define EXP2_ROUGH_FACTORS 4
static const float exp2_rough_factors[EXP2_ROUGH_FACTORS] = {0.0551716685f, 0.242611125f, 0.693260968f, 0.999928057f};

/* 2^x for x from -127.5 to 127: relative error 2^-13.7. */
static inline float exp2_rough(float x)
{
    float power, f = exp2_fraction(x, &power);
    return polynomial_of(exp2_rough_factors, EXP2_ROUGH_FACTORS, f) * power;
}

#define EXP2_NEAR_FACTORS 7
static const float exp2_near_factors[EXP2_NEAR_FACTORS] = {
    1.53458124e-4f, 1.33999309e-3f, 9.61848907e-3f, 5.55032864e-2f, 2.40226462e-1f, 6.93147182e-1f, 1.0f};

/* The same within 1.1 units in the last place. */
static inline float exp2_near(float x)
{
    float power, f = exp2_fraction(x, &power);
    return polynomial_of(exp2_near_factors, EXP2_NEAR_FACTORS, f) * power;
}

static inline float expm1_f32(float x)
{
    int32_t n;
    float y = x < -20.0f ? -20.0f : x;
    y = y > 90.0f ? 90.0f : y;
    float r = reduce_exp(y, &n);
    n = y != y ? 0 : n;
    float p = mul_add(exp_tail(r), r * r, r);
    /* 2^n * (p + 1) - 1 as 2^n * (p + (1 - 2^-n)) */
    float rest = n > 100 ? 1.0f : 1.0f - float_of((uint32_t)(127 - (n > 100 ? 100 : n)) << 23);
    float result = scale(p + rest, n);
    return x == 0.0f ? x : result;
}

/* Splits a positive x into m * 2^e with m from sqrt(1/2) to sqrt(2); returns m - 1. */
static inline float split_log(float x, float *e)
{
    int is_subnormal = x < 0x1p-126f;
    uint32_t bits = bits_of(is_subnormal ? x * 0x1p23f : x);
    int32_t exponent = (int32_t)(bits - 0x3F3504F3u) >> 23;
    *e = (float)(exponent - (is_subnormal ? 23 : 0));
    return float_of(bits - ((uint32_t)exponent << 23)) - 1.0f;
}

/* log(1 + f) + e * log(2) + c (Cephes) */
static inline float join_log(float f, float e, float c)
{
    float square = f * f;
    static const float p_factors[] = {7.0376836292e-2f,  -1.1514610310e-1f, 1.1676998740e-1f,
                                      -1.2420140846e-1f, 1.4249322787e-1f,  -1.6668057665e-1f,
                                      2.0000714765e-1f,  -2.4999993993e-1f, 3.3333331174e-1f};
    float p = polynomial_of(p_factors, COUNT_OF(p_factors), f);
    float y = mul_add(p * f, square, c);
    y = mul_add(e, -2.12194440e-4f, y);
    y = mul_add(square, -0.5f, y);
    return mul_add(e, 0.693359375f, f + y);
}

/* Puts the values of log at 0, infinity, below 0 and at NaN in the place of `y`. */
static inline float limit_log(float x, float y)
{
    y = x == 0.0f ? -INFINITY : y;
    y = x < 0.0f ? NAN : y;
    return x == INFINITY || x != x ? x : y;
}

static inline float log_f32(float x)
{
    float e, f = split_log(x, &e);
    return limit_log(x, join_log(f, e, 0.0f));
}

static inline float log1p_f32(float x)
{
    /* What rounding 1 + x lost comes back as a correction of first order. */
    float u = 1.0f + x;
    float lost = x > 1.0f ? 1.0f - (u - x) : x - (u - 1.0f);
    float e, f = split_log(u, &e);
    float y = limit_log(u, join_log(f, e, lost / u));
    return x == 0.0f ? x : y;
}

static inline float rsqrt_f32(float x)
{
    return 1.0f / sqrtf(x);
}

static inline float tanh_f32(float x)
{
    float magnitude = absolute(x);
    float e = expm1_f32(2.0f * (magnitude > 10.0f ? 10.0f : magnitude));
    return with_sign(e / (e + 2.0f), x);
}

static inline float logistic_f32(float x)
{
    float e = exp_f32(-absolute(x));
    return (x < 0.0f ? e : 1.0f) / (1.0f + e);
}

/* erf, by N. Juffa's polynomials */
static inline float erf_f32(float x)
{
    float t = absolute(x);
    t = t > 4.0f ? 4.0f : t;
    float s = t * t;
    float r = mul_add(-1.72853470e-5f, t, 3.83197126e-4f);
    float u = mul_add(-3.88396438e-3f, t, 2.42546219e-2f);
    r = mul_add(r, s, u);
    r = mul_add(r, t, -1.06777877e-1f);
    r = mul_add(r, t, -6.34846687e-1f);
    r = mul_add(r, t, -1.28717512e-1f);
    float outer = 1.0f - exp_f32(mul_add(r, t, -t));
    static const float r_factors[] = {-5.96761703e-4f, 4.99119423e-3f,  -2.67681349e-2f,
                                      1.12819925e-1f,  -3.76125336e-1f, 1.28379166e-1f};
    r = polynomial_of(r_factors, COUNT_OF(r_factors), s);
    float inner = mul_add(r, t, t);
    return with_sign(t > 0.927734375f ? outer : inner, x);
}

/* Above this the trigonometric functions take the C library's in double precision. */
#define TRIGONOMETRIC_LIMIT 0x1p20f

/* Brings x within pi/4 of 0; *quadrant counts the quarter turns taken off. */
static inline float reduce_turns(float x, uint32_t *quadrant)
{
    double shifted = mul_add_double((double)x, 0x1.45F306DC9C883p-1, ROUNDING_F64);
    double whole = shifted - ROUNDING_F64;
    *quadrant = (uint32_t)bits_of_double(shifted);
    double r = (double)x - whole * 0x1.921FB544p+0; /* exact: the constant has 33 bits */
    return (float)(r - whole * 0x1.0B4611A626331p-34);
}

/* sin and cos within pi/4 of 0 (Cephes) */
static inline float sin_near(float r)
{
    float s = r * r;
    float p = mul_add(-1.9515295891e-4f, s, 8.3321608736e-3f);
    p = mul_add(p, s, -1.6666654611e-1f);
    return mul_add(p * s, r, r);
}

static inline float cos_near(float r)
{
    float s = r * r;
    float p = mul_add(2.443315711809948e-5f, s, -1.388731625493765e-3f);
    p = mul_add(p, s, 4.166664568298827e-2f);
    return mul_add(p, s * s, mul_add(s, -0.5f, 1.0f));
}

static inline float sin_f32(float x)
{
    uint32_t quadrant;
    float r = reduce_turns(x, &quadrant);
    float y = quadrant & 1u ? cos_near(r) : sin_near(r);
    y = float_of(bits_of(y) ^ (quadrant & 2u) << 30);
    return x == 0.0f ? x : y;
}

static inline float cos_f32(float x)
{
    uint32_t quadrant;
    float r = reduce_turns(x, &quadrant);
    float y = quadrant & 1u ? sin_near(r) : cos_near(r);
    return float_of(bits_of(y) ^ ((quadrant + 1u) & 2u) << 30);
}

static inline float tan_f32(float x)
{
    uint32_t quadrant;
    float r = reduce_turns(x, &quadrant);
    float s = sin_near(r), c = cos_near(r);
    float y = (quadrant & 1u ? -c : s) / (quadrant & 1u ? s : c);
    return x == 0.0f ? x : y;
}

#endif
