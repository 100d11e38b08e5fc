#ifndef POD_KERNELS_BLOCK_GELU_H
#define POD_KERNELS_BLOCK_GELU_H

/*
 * gelu(x) = x * P(X <= x) for a normal X, its derivative, and both of the approximation by tanh. One
 * exponential serves value and derivative. Included by multi/blocks.c, once a family.
 *
 * The rough ones are for bf16, of which half a unit in the last place is 2^-9: with |x| up to 5 their relative error is
 * below 2^-11.5, that of slopes below 2^-11 of the larger of the slope and exp(-x^2 / 2) / 10. Their polynomials are
 * of least relative error from 0 to 5; behind that all but nothing is left of what they make.
 */

#include "kernels/block_math.h"

/* exp(t^2 / 2) * P(X > t) for t >= 0, as u * p(u) with u = 1 / (1 + 0.21 t): a polynomial of least
 * relative error, 2e-8. */
static inline float scaled_tail(float t)
{
    float u = 1.0f / mul_add(t, 0.21f, 1.0f);
    static const float p_factors[] = {-0.0713005307f, 0.281831759f,  -0.326548056f, 0.345047773f, -0.0908138039f,
                                      0.123489286f,   0.0695654264f, 0.0850130399f, 0.0837151159f};
    float p = polynomial_of(p_factors, COUNT_OF(p_factors), u);
    return p * u;
}

/* P(X <= x), given *density = exp(-x^2 / 2), which it sets */
static inline float normal_probability(float x, float *density)
{
    *density = exp_f32(-0.5f * x * x);
    float tail = *density * scaled_tail(absolute(x));
    return x < 0.0f ? tail : 1.0f - tail;
}

static inline float gelu_f32(float x)
{
    float density;
    return x * normal_probability(x, &density);
}

static inline float gelu_gradient_f32(float x, float g)
{
    float density, probability = normal_probability(x, &density);
    return g * mul_add(x * 0.39894228f, density, probability);
}

/* p = (1 + tanh(z / 2)) / 2 of z = 2 sqrt(2 / pi) (x + 0.044715 x^3); *density = p (1 - p) */
static inline float tanh_probability(float x, float *density)
{
    float z = x * mul_add(x * x, 0.0713548163f, 1.59576912f);
    float e = exp_f32(-absolute(z)), r = 1.0f / (1.0f + e);
    *density = e * r * r;
    return z < 0.0f ? e * r : r;
}

static inline float gelu_tanh_f32(float x)
{
    float density;
    return x * tanh_probability(x, &density);
}

/* g * d(x p)/dx, with dp/dx = density * dz/dx */
static inline float gelu_tanh_slope(float x, float g, float probability, float density)
{
    x = x > 16.0f ? 16.0f : x; /* density is 0 there: the slope must not be infinite */
    x = x < -16.0f ? -16.0f : x;
    float slope = x * mul_add(x * x, 0.214064449f, 1.59576912f);
    return g * mul_add(slope, density, probability);
}

static inline float gelu_tanh_gradient_f32(float x, float g)
{
    float density, probability = tanh_probability(x, &density);
    return gelu_tanh_slope(x, g, probability, density);
}

/* P(X > t) for t >= 0; 0 from 12.31 on, where t has to end */
#define ROUGH_END 12.31f

#define ROUGH_TAIL_FACTORS 6
static const float rough_tail_factors[ROUGH_TAIL_FACTORS] = {-2.69918644e-4f, 5.29735908e-3f, -4.63193841e-2f,
                                                             -4.66907382e-1f, -1.14778888f,   -1.00022829f};

static inline float rough_tail(float t)
{
    return exp2_rough(polynomial_of(rough_tail_factors, ROUGH_TAIL_FACTORS, t));
}

static inline float gelu_rough(float x)
{
    float t = absolute(x);
    float tail = rough_tail(t > ROUGH_END ? ROUGH_END : t);
    return x * (x < 0.0f ? tail : 1.0f - tail);
}

#define ROUGH_SLOPE_FACTORS 6
static const float rough_slope_factors[ROUGH_SLOPE_FACTORS] = {-9.46457614e-4f, 1.47967683e-2f,  -9.64184180e-2f,
                                                               -6.48215413e-1f, -7.94120133e-1f, 9.99771476e-1f};

/* The slope at -t is that at t taken from 1, and P(X > t) times a polynomial. */
static inline float gelu_gradient_rough(float x, float g)
{
    float t = absolute(x);
    t = t > ROUGH_END ? ROUGH_END : t;
    float slope = polynomial_of(rough_slope_factors, ROUGH_SLOPE_FACTORS, t) * rough_tail(t);
    return g * (x < 0.0f ? slope : 1.0f - slope);
}

/* tanh_probability() by a rough exponential */
static inline float rough_tanh_probability(float x, float *density)
{
    float z = x * mul_add(x * x, 0.102943239f, 2.30220820f); /* times log2(e) */
    float magnitude = absolute(z);
    float e = exp2_rough(-(magnitude > 127.0f ? 127.0f : magnitude)), r = 1.0f / (1.0f + e);
    *density = e * r * r;
    return z < 0.0f ? e * r : r;
}

static inline float gelu_tanh_rough(float x)
{
    float density;
    return x * rough_tanh_probability(x, &density);
}

static inline float gelu_tanh_gradient_rough(float x, float g)
{
    float density, probability = rough_tanh_probability(x, &density);
    return gelu_tanh_slope(x, g, probability, density);
}

#endif
