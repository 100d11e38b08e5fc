#ifndef POD_KERNELS_BLOCK_MATH_WIDE_H
#define POD_KERNELS_BLOCK_MATH_WIDE_H

/*
 * Functions of f32 elements that compute in double precision and round once: power, erf_inv, atan2,
 * within 0.51 units in the last place. As in block_math.h there are no branches.
 */

#include "kernels/block_math.h"

/* log2 of a positive double that is no subnormal: relative error below 2^-38. */
static inline double log2_double(double x)
{
    uint64_t bits = bits_of_double(x);
    /* Kept in 64 bits: adding 2^52 + 2^51 makes a double of a small integer. */
    uint64_t exponent = ((bits - 0x3FE6A09E667F3BCDu + (UINT64_C(2048) << 52)) >> 52) - 2048;
    double e = double_of(bits_of_double(ROUNDING_F64) + exponent) - ROUNDING_F64;
    double m = double_of(bits - (exponent << 52));
    double s = (m - 1.0) / (m + 1.0), z = s * s;
    /* The series of the inverse hyperbolic tangent, times 2 / log(2) */
    static const double p_factors[] = {1.0 / 15, 1.0 / 13, 1.0 / 11, 1.0 / 9, 1.0 / 7, 1.0 / 5, 1.0 / 3, 1.0};
    double p = polynomial_of_double(p_factors, COUNT_OF(p_factors), z);
    return mul_add_double(p * s, 2.8853900817779268, e);
}

/* 2^x for x in -1000 .. 1000: relative error below 2^-40. */
static inline double exp2_double(double x)
{
    double shifted = x + ROUNDING_F64;
    double r = (x - (shifted - ROUNDING_F64)) * 0.69314718055994531;
    static const double p_factors[] = {1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040, 1.0 / 720, 1.0 / 120,
                                       1.0 / 24,      1.0 / 6,      0.5,         1.0,        1.0};
    double p = polynomial_of_double(p_factors, COUNT_OF(p_factors), r);
    return p * double_of((bits_of_double(shifted) + 1023) << 52);
}

static inline float power_f32(float x, float y)
{
    double magnitude = (double)absolute(x);
    double l = log2_double(magnitude);
    l = magnitude == 0.0 ? -(double)INFINITY : l;
    l = magnitude == (double)INFINITY ? (double)INFINITY : l;
    double exponent = (double)y * l;
    exponent = l == 0.0 && y == y ? 0.0 : exponent;
    exponent = exponent < -200.0 ? -200.0 : exponent;
    exponent = exponent > 200.0 ? 200.0 : exponent;
    exponent = magnitude != magnitude || y != y ? 0.0 : exponent;
    float result = (float)exp2_double(exponent);
    /* Floats from 2^24 on are even; below, adding 2^23 rounds halves away and shows the last bit.
     */
    float whole = absolute(y);
    float capped = whole < 0x1p24f ? whole : 0.0f;
    float rounded = capped < 0x1p23f ? (capped + 0x1p23f) - 0x1p23f : capped;
    uint32_t odd = capped < 0x1p23f ? bits_of(capped + 0x1p23f) : bits_of(capped);
    int is_whole = rounded == capped;
    int is_odd = is_whole && (odd & 1u) && capped != 0.0f;
    uint32_t sign = is_odd ? bits_of(x) & 0x80000000u : 0u;
    result = float_of(bits_of(result) | sign);
    result = x < 0.0f && x != -INFINITY && !is_whole ? NAN : result;
    result = x != x ? x : result;
    result = y != y ? y : result;
    return x == 1.0f || y == 0.0f ? 1.0f : result;
}

static inline float erf_inv_f32(float x)
{
    double a = (double)x;
    double w = -0.69314718055994531 * log2_double((1.0 - a) * (1.0 + a));
    int is_tail = w > 5.0;
    double c = w - 2.5, t = sqrt(is_tail ? w : 1.0) - 3.0;
    static const double p_factors[] = {-2.7960410484332194e-13, -2.0518409614330562e-11, 1.2861572678730156e-10,
                                       8.1983504245882797e-10,  -1.0897168657016767e-8,  1.3782110981667457e-8,
                                       4.788011625385882e-7,    -3.4174095296903751e-6,  -4.9961570757147127e-6,
                                       0.00021825108169578577,  -0.0012527078778638291,  -0.004177318042578073,
                                       0.24664027674226104,     1.5014093511310714};
    double p = polynomial_of_double(p_factors, COUNT_OF(p_factors), c);
    static const double q_factors[] = {-3.8341006050574303e-6,  1.7896241691038121e-5,  -2.2718461225443395e-5,
                                       -4.3492376035460212e-5,  0.00020445602616853742, -0.00028408707873181089,
                                       -0.00014837420628061186, 0.0014838710785803933,  -0.0035588968641508938,
                                       0.005685177665082003,    -0.0076437975361805,    0.0094455217741372274,
                                       1.0016752765208037,      2.8329767987331459};
    double q = polynomial_of_double(q_factors, COUNT_OF(q_factors), t);
    float result = (float)((is_tail ? q : p) * a);
    float magnitude = absolute(x);
    result = magnitude == 1.0f ? with_sign(INFINITY, x) : result;
    return magnitude > 1.0f ? NAN : x != x ? x : result;
}

/* atan of q from 0 to 1 */
static inline double atan_near(double q)
{
    int is_upper = q > 0.41421356237309503; /* tan(pi/8): beyond it, turn by pi/4 */
    double t = is_upper ? (q - 1.0) / (q + 1.0) : q;
    double z = t * t;
    static const double p_factors[] = {-0.037634788705325432, 0.069730611149618372, -0.089923044865173359,
                                       0.11103430155972467,   -0.14285385085870383, 0.19999993015547343,
                                       -0.33333333276557453,  0.99999999999923912};
    double p = polynomial_of_double(p_factors, COUNT_OF(p_factors), z);
    return mul_add_double(p, t, is_upper ? 0.78539816339744828 : 0.0);
}

static inline float atan2_f32(float y, float x)
{
    double ay = (double)absolute(y), ax = (double)absolute(x);
    double large = ay > ax ? ay : ax, small = ay > ax ? ax : ay;
    double q = small / large;
    q = large == 0.0 ? 0.0 : q;
    q = small == (double)INFINITY ? 1.0 : q;
    double angle = atan_near(q);
    angle = ay > ax ? 1.5707963267948966 - angle : angle;
    angle = bits_of(x) >> 31 ? 3.1415926535897931 - angle : angle;
    float result = with_sign((float)angle, y);
    result = x != x ? x : result;
    return y != y ? y : result;
}

#endif
