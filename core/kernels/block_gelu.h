#ifndef POD_KERNELS_BLOCK_GELU_H
#define POD_KERNELS_BLOCK_GELU_H

/*
 * gelu(x) = x * P(X <= x) for a normal X, its derivative, and both of the approximation by tanh. One
 * exponential serves value and derivative. Included by multi/blocks.c, once a family.
 */

#include "kernels/block_math.h"

/* exp(t^2 / 2) * P(X > t) for t >= 0, as u * p(u) with u = 1 / (1 + 0.21 t): a polynomial of least
 * relative error, 2e-8. */
static inline float scaled_tail(float t)
{
    float u = 1.0f / mul_add(t, 0.21f, 1.0f);
    float p = mul_add(-0.0713005307f, u, 0.281831759f);
    p = mul_add(p, u, -0.326548056f);
    p = mul_add(p, u, 0.345047773f);
    p = mul_add(p, u, -0.0908138039f);
    p = mul_add(p, u, 0.123489286f);
    p = mul_add(p, u, 0.0695654264f);
    p = mul_add(p, u, 0.0850130399f);
    p = mul_add(p, u, 0.0837151159f);
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

static inline float gelu_tanh_gradient_f32(float x, float g)
{
    float density, probability = tanh_probability(x, &density);
    x = x > 16.0f ? 16.0f : x; /* density is 0 there: the slope must not be infinite */
    x = x < -16.0f ? -16.0f : x;
    float slope = x * mul_add(x * x, 0.214064449f, 1.59576912f);
    return g * mul_add(slope, density, probability);
}

#endif
