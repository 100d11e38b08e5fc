#ifndef POD_KERNELS_BLOCK_FORMATS_H
#define POD_KERNELS_BLOCK_FORMATS_H

/*
 * The 16-bit floats without branches, so that loops are vectorised. The same bits as
 * base/float16.h.
 */

#include "kernels/block_math.h"
#include "moonpod/tensor.h"

static inline float widen_bf16(uint16_t stored)
{
    return float_of((uint32_t)stored << 16);
}

/* Returns the bits of x rounded to bf16 in the upper half; the lower half is of no account. */
static inline uint32_t round_bf16_bits(float x)
{
    uint32_t bits = bits_of(x);
    return x == x ? bits + 0x7FFFu + (bits >> 16 & 1u) : bits | 0x400000u;
}

static inline uint16_t narrow_bf16(float x)
{
    return (uint16_t)(round_bf16_bits(x) >> 16);
}

static inline float round_bf16(float x)
{
    return float_of(round_bf16_bits(x) & 0xFFFF0000u);
}

#ifdef __F16C__

#include "kernels/block_f16_avx2.h"

#else

static inline float widen_f16(uint16_t stored)
{
    uint32_t magnitude = stored & 0x7FFFu;
    /* The exponents differ by 112: scaling moves them, and makes subnormals normal. */
    uint32_t bits = bits_of(float_of(magnitude << 13) * 0x1p112f);
    bits |= magnitude >= 0x7C00u ? 0x7F800000u : 0u;
    bits |= magnitude > 0x7C00u ? 0x400000u : 0u;
    return float_of(bits | (uint32_t)(stored & 0x8000u) << 16);
}

static inline uint16_t narrow_f16(float x)
{
    uint32_t bits = bits_of(x), magnitude = bits & 0x7FFFFFFFu;
    /* Adding 0.5 leaves a subnormal in units of 2^-24 in the low bits, rounded by the addition. */
    uint32_t subnormal = bits_of(float_of(magnitude) + 0.5f) - 0x3F000000u;
    uint32_t normal = (magnitude - 0x38000000u + 0xFFFu + (magnitude >> 13 & 1u)) >> 13;
    uint32_t half = magnitude < 0x38800000u ? subnormal : normal;
    half = magnitude >= 0x477FF000u ? 0x7C00u : half;
    half = magnitude > 0x7F800000u ? 0x7E00u | (magnitude >> 13 & 0x3FFu) : half;
    return (uint16_t)(half | (bits >> 16 & 0x8000u));
}

/* The same over `count` elements. */
static inline void widen_all_f16(float *to, const uint16_t *from, size_t count)
{
#pragma GCC ivdep
    for (size_t i = 0; i < count; i++)
        to[i] = widen_f16(from[i]);
}

static inline void narrow_all_f16(uint16_t *to, const float *from, size_t count)
{
#pragma GCC ivdep
    for (size_t i = 0; i < count; i++)
        to[i] = narrow_f16(from[i]);
}

static inline void round_all_f16(float *to, const float *from, size_t count)
{
#pragma GCC ivdep
    for (size_t i = 0; i < count; i++)
        to[i] = widen_f16(narrow_f16(from[i]));
}

#endif

/* Widens `count` elements of an array of f16, bf16 or f32, from element `first` on. */
static inline void read_floats(pod_dtype dtype, const void *source, int64_t first, float *x, int64_t count)
{
    const uint16_t *from = (const uint16_t *)source + first;
    if (dtype == POD_F32) {
        memcpy(x, (const float *)source + first, (size_t)count * sizeof *x);
    } else if (dtype == POD_BF16) {
        for (int64_t i = 0; i < count; i++)
            x[i] = widen_bf16(from[i]);
    } else {
        widen_all_f16(x, from, (size_t)count);
    }
}

/* Narrows `count` elements to an array of f16, bf16 or f32, from element `first` on. */
static inline void write_floats(pod_dtype dtype, void *destination, int64_t first, const float *x, int64_t count)
{
    uint16_t *to = (uint16_t *)destination + first;
    if (dtype == POD_F32) {
        memcpy((float *)destination + first, x, (size_t)count * sizeof *x);
    } else if (dtype == POD_BF16) {
        for (int64_t i = 0; i < count; i++)
            to[i] = narrow_bf16(x[i]);
    } else {
        narrow_all_f16(to, x, (size_t)count);
    }
}

#endif
