#ifndef POD_KERNELS_SCALAR_MATH_H
#define POD_KERNELS_SCALAR_MATH_H

/*
 * Functions of one element that the C library lacks, with the meaning that the op table gives them.
 */

#include <math.h>
#include <stdint.h>

/* The inverse of erf in single precision: M. Giles, "Approximating the erfinv function" (2012). */
static inline double pod_kernel_erf_inv_estimate(double x)
{
    double w = -log((1 - x) * (1 + x));
    static const double central[] = {2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087,
                                     -0.00125372503, -0.00417768164, 0.246640727,    1.50140941};
    static const double tail[] = {-0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773,
                                  -0.0076224613,   0.00943887047,  1.00167406,    2.83297682};
    const double *coefficients = w < 5 ? central : tail;
    w = w < 5 ? w - 2.5 : sqrt(w) - 3;
    double p = coefficients[0];
    for (int i = 1; i < 9; i++)
        p = coefficients[i] + p * w;
    return p * x;
}

/* The inverse of erf: infinite at -1 and 1, NaN outside. */
static inline double pod_kernel_erf_inv(double x)
{
    double magnitude = fabs(x);
    if (!(magnitude < 1))
        return magnitude == 1 ? copysign(INFINITY, x) : NAN;
    double y = pod_kernel_erf_inv_estimate(magnitude);
    /* Two steps of Halley's method; near 1 the difference is taken of erfc, which does not cancel.
     */
    for (int step = 0; step < 2; step++) {
        double error = magnitude < 0.5 ? erf(y) - magnitude : (1 - magnitude) - erfc(y);
        double ratio = error / (1.12837916709551257390 * exp(-y * y));
        y -= ratio / (1 + y * ratio);
    }
    return copysign(y, x);
}

/* 1 / (1 + exp(-x)) */
static inline double pod_kernel_logistic(double x)
{
    return 1 / (1 + exp(-x));
}

/* -1, 0, 1; zeros and NaN as they are. */
static inline double pod_kernel_sign(double x)
{
    return x > 0 ? 1 : x < 0 ? -1 : x;
}

/* The larger one; NaN when either is. */
static inline double pod_kernel_maximum(double a, double b)
{
    return a > b || a != a ? a : b;
}

/* The smaller one; NaN when either is. */
static inline double pod_kernel_minimum(double a, double b)
{
    return a < b || a != a ? a : b;
}

/* Truncates; by zero all bits set; the most negative by -1 is itself. */
static inline int64_t pod_kernel_divide_signed(int64_t a, int64_t b)
{
    return b == 0 ? -1 : b == -1 ? (int64_t)(0 - (uint64_t)a) : a / b;
}

/* With the sign of a; by zero a. */
static inline int64_t pod_kernel_remainder_signed(int64_t a, int64_t b)
{
    return b == 0 ? a : b == -1 ? 0 : a % b;
}

/* a to the power of b, modulo 2^64. */
static inline uint64_t pod_kernel_power_unsigned(uint64_t a, uint64_t b)
{
    uint64_t result = 1;
    for (; b != 0; b >>= 1, a *= a) {
        if (b & 1)
            result *= a;
    }
    return result;
}

/* The same; a negative power is 0 but for bases 1 and -1. */
static inline int64_t pod_kernel_power_signed(int64_t a, int64_t b)
{
    if (b >= 0)
        return (int64_t)pod_kernel_power_unsigned((uint64_t)a, (uint64_t)b);
    if (a == -1)
        return b & 1 ? -1 : 1;
    return a == 1;
}

/* Truncates and saturates between low and high, which differ by whole floats from what overflows;
 * NaN gives 0. */
static inline int64_t pod_kernel_saturate_signed(double x, int64_t low, int64_t high)
{
    if (x != x)
        return 0;
    return x <= (double)low ? low : x >= (double)high ? high : (int64_t)x;
}

/* The same for unsigned integers 0 .. high. */
static inline uint64_t pod_kernel_saturate_unsigned(double x, uint64_t high)
{
    if (!(x > 0))
        return 0;
    return x >= (double)high ? high : (uint64_t)x;
}

#endif
