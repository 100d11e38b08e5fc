#ifndef POD_KERNELS_SPLIT_BF16_H
#define POD_KERNELS_SPLIT_BF16_H

/*
 * split_bf16 - f32 values as sums of bf16 parts, for products of f32 by products of bf16.
 *
 * Three parts are the value: each takes 8 of its 24 bits. Two parts miss at most 2^-17 of it. A part
 * below 2^-126 is kept as a subnormal number, which AMX reads as 0.
 *
 * No part of a finite value is infinite: the first is cut off at the largest bf16, and the rest is
 * in the second. An infinity comes out as that largest bf16 and an infinity, a NaN as that and a NaN,
 * so that products with them are not finite, and pod_kernel_split_join() finds which it was.
 */

#include "kernels/dot_pack_avx512.h"

#include <float.h>
#include <math.h>

#define POD_SPLIT_MOST_PARTS 3
#define MOST_BF16            0x7f7f0000 /* as f32 */

typedef float pod_floats16 __attribute__((vector_size(64)));

/* Splits 16 values; a part is the upper half of its words, and the lower half is noise. */
POD_WIDE_INLINE void pod_kernel_split(const pod_words16 *values, int parts, pod_words16 out[])
{
    const pod_words16 words = *values;
    /* Halves are rounded away from 0, which is exact all the same. */
#if defined(__AVX512F__)
    const __m512i nearby = _mm512_add_epi32((__m512i)(words & 0x7fffffffu), _mm512_set1_epi32(0x8000));
    const pod_words16 finite = (pod_words16)_mm512_min_epu32(nearby, _mm512_set1_epi32(MOST_BF16));
    out[0] = (finite & 0x7fff0000u) | (words & 0x80000000u);
#else
    const pod_words16 nearby = (words + 0x8000u) & 0xffff0000u;
    const pod_words16 most = (words & 0x80000000u) | MOST_BF16;
    const pod_words16 is_huge = (pod_words16)((pod_ints16)(words & 0x7fffffffu) > MOST_BF16);
    out[0] = (is_huge & most) | (~is_huge & nearby);
#endif
    const pod_floats16 rest = (pod_floats16)words - (pod_floats16)out[0];
    if (parts == 2) {
        out[1] = (pod_words16)rest + ((pod_words16)(rest == rest) & 0x8000u); /* NaN stays NaN */
        return;
    }
    out[1] = (pod_words16)rest & 0xffff0000u;
    out[2] = (pod_words16)(rest - (pod_floats16)out[1]);
}

/* Loads up to 16 values of type `dtype` (f32 or bf16) as words of f32; none when count is negative. */
POD_WIDE_INLINE pod_words16 pod_kernel_split_load(pod_dtype dtype, const char *source, int64_t count)
{
    if (dtype == POD_BF16)
        return __builtin_convertvector(pod_kernel_wide_load_halves(source, count), pod_words16) << 16;
    return pod_kernel_wide_load_words(source, count);
}

/* Splits up to 32 values that follow each other along k (`left` may be read, the others are 0) into 16
 * pairs a part. */
POD_WIDE_INLINE void pod_kernel_split_along(pod_dtype dtype, int parts, const char *source, int64_t left,
                                            pod_words16 out[])
{
    pod_words16 low[POD_SPLIT_MOST_PARTS], high[POD_SPLIT_MOST_PARTS];
    const pod_words16 first = pod_kernel_split_load(dtype, source, left);
    const pod_words16 second = pod_kernel_split_load(dtype, source + (dtype == POD_BF16 ? 32 : 64), left - 16);
    pod_kernel_split(&first, parts, low);
    pod_kernel_split(&second, parts, high);
    for (int i = 0; i < parts; i++)
        out[i] = (pod_words16)__builtin_shufflevector((pod_halves32)low[i], (pod_halves32)high[i], 1, 3, 5, 7, 9, 11,
                                                      13, 15, 17, 19, 21, 23, 25, 27, 29, 31, 33, 35, 37, 39, 41, 43,
                                                      45, 47, 49, 51, 53, 55, 57, 59, 61, 63);
}

/* Splits values of 16 neighbouring lanes, of which `lanes` may be read, at one k and the next (NULL:
 * none) into a pair a lane and part. */
POD_WIDE_INLINE void pod_kernel_split_across(pod_dtype dtype, int parts, const char *source, const char *next,
                                             int64_t lanes, pod_words16 out[])
{
    pod_words16 even[POD_SPLIT_MOST_PARTS], odd[POD_SPLIT_MOST_PARTS], second = {0};
    const pod_words16 first = pod_kernel_split_load(dtype, source, lanes);
    pod_kernel_split(&first, parts, even);
    if (next != NULL)
        second = pod_kernel_split_load(dtype, next, lanes);
    pod_kernel_split(&second, parts, odd);
    for (int i = 0; i < parts; i++)
        out[i] = even[i] >> 16 | (odd[i] & 0xffff0000u);
}

static inline float pod_kernel_split_widen(uint16_t part)
{
    const uint32_t word = (uint32_t)part << 16;
    float value;
    memcpy(&value, &word, 4);
    return value;
}

/* Returns the value whose parts these are, `stride` bf16 from each other. */
static inline float pod_kernel_split_join(int parts, const uint16_t *part, int64_t stride)
{
    const float second = pod_kernel_split_widen(part[stride]);
    float sum = pod_kernel_split_widen(part[0]) + second;
    if (!isfinite(sum)) /* two parts may round the largest values up */
        return isfinite(second) ? copysignf(FLT_MAX, second) : second;
    return parts == 3 ? sum + pod_kernel_split_widen(part[2 * stride]) : sum;
}

#endif
