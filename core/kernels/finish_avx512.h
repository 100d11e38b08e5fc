#ifndef POD_KERNELS_FINISH_AVX512_H
#define POD_KERNELS_FINISH_AVX512_H

/*
 * finish_avx512 - vectors of finish.h's kernel, 16 lanes in one register. What finish_lanes.h says of its functions
 * holds here.
 */

#include <immintrin.h>

#include "kernels/block_gelu.h"
#include "moonpod/tensor.h"
#include "kernels/unroll.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define LANES         16
#define FINISH_INLINE static inline __attribute__((always_inline))

typedef __m512 floats;
typedef __m512i words, row_halves;

FINISH_INLINE floats load(const float *from)
{
    return _mm512_loadu_ps(from);
}

FINISH_INLINE floats widened(const uint16_t *from)
{
    const __m256i halves = _mm256_loadu_si256((const __m256i *)(const void *)from);
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(halves), 16));
}

FINISH_INLINE floats positive(floats x)
{
    return _mm512_maskz_mov_ps(_mm512_cmp_ps_mask(x, _mm512_setzero_ps(), _CMP_NLE_UQ), x);
}

FINISH_INLINE floats at_most(floats x, float most)
{
    return _mm512_min_ps(_mm512_set1_ps(most), x); /* which gives the second where one is NaN */
}

FINISH_INLINE floats where_positive(floats mask, floats x)
{
    return _mm512_maskz_mov_ps(_mm512_cmp_ps_mask(mask, _mm512_setzero_ps(), _CMP_GT_OQ), x);
}

/* A polynomial; the factor of the highest power is the first. */
FINISH_INLINE floats polynomial(const float *factors, int count, floats t)
{
    floats p = _mm512_set1_ps(factors[0]);
    POD_UNROLL (8, int i = 1; i < count; i++)
        p = _mm512_fmadd_ps(p, t, _mm512_set1_ps(factors[i]));
    return p;
}

FINISH_INLINE floats rough_end_of(floats x)
{
    return _mm512_min_ps(_mm512_set1_ps(ROUGH_END), _mm512_abs_ps(x));
}

/* rough_tail() */
FINISH_INLINE floats tail_of(floats t)
{
    const floats x = polynomial(rough_tail_factors, ROUGH_TAIL_FACTORS, t);
    const floats shift = _mm512_set1_ps(EXP2_SHIFT), shifted = _mm512_add_ps(x, shift);
    const floats power = _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_castps_si512(shifted), 23));
    const floats f = _mm512_sub_ps(x, _mm512_sub_ps(shifted, shift));
    return _mm512_mul_ps(polynomial(exp2_rough_factors, EXP2_ROUGH_FACTORS, f), power);
}

/* x < 0 ? p : 1 - p */
FINISH_INLINE floats turned(floats x, floats p)
{
    const __mmask16 turns = _mm512_cmp_ps_mask(x, _mm512_setzero_ps(), _CMP_NLT_UQ);
    return _mm512_mask_sub_ps(p, turns, _mm512_set1_ps(1.0f), p);
}

FINISH_INLINE floats gelu_of(floats x)
{
    return _mm512_mul_ps(x, turned(x, tail_of(rough_end_of(x))));
}

FINISH_INLINE floats gelu_gradient_at(floats x, floats g)
{
    const floats t = rough_end_of(x);
    const floats p = polynomial(rough_slope_factors, ROUGH_SLOPE_FACTORS, t);
    return _mm512_mul_ps(g, turned(x, _mm512_mul_ps(p, tail_of(t))));
}

#if !defined(__AVX512BF16__)
FINISH_INLINE words round_to_bf16(floats x)
{
    const words bits = _mm512_castps_si512(x), one = _mm512_set1_epi32(1);
    const words even = _mm512_and_si512(_mm512_srli_epi32(bits, 16), one);
    const words rounded = _mm512_add_epi32(_mm512_add_epi32(bits, _mm512_set1_epi32(0x7FFF)), even);
    return _mm512_mask_or_epi32(rounded, _mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q), bits, _mm512_set1_epi32(0x400000));
}
#endif

FINISH_INLINE floats rounded(floats x)
{
#if defined(__AVX512BF16__)
    const __m256i halves = (__m256i)_mm512_cvtneps_pbh(x);
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(halves), 16));
#else
    return _mm512_castsi512_ps(_mm512_and_si512(round_to_bf16(x), _mm512_set1_epi32(-0x10000)));
#endif
}

FINISH_INLINE row_halves narrowed(int vectors, const floats y[2])
{
#if defined(__AVX512BF16__)
    if (vectors == 1)
        return _mm512_castsi256_si512((__m256i)_mm512_cvtneps_pbh(y[0]));
    return (__m512i)_mm512_cvtne2ps_pbh(y[1], y[0]);
#else
    const __m256i first = _mm512_cvtepi32_epi16(_mm512_srli_epi32(round_to_bf16(y[0]), 16));
    if (vectors == 1)
        return _mm512_castsi256_si512(first);
    const __m256i second = _mm512_cvtepi32_epi16(_mm512_srli_epi32(round_to_bf16(y[1]), 16));
    return _mm512_inserti64x4(_mm512_castsi256_si512(first), second, 1);
#endif
}

FINISH_INLINE void store_halves(uint16_t *to, int vectors, row_halves halves)
{
    if (vectors == 1)
        _mm256_storeu_si256((__m256i *)(void *)to, _mm512_castsi512_si256(halves));
    else
        _mm512_storeu_si512(to, halves);
}

FINISH_INLINE void join_rows(int vectors, row_halves upper, row_halves lower, words pairs[2])
{
    const __m512i low = _mm512_unpacklo_epi16(upper, lower), high = _mm512_unpackhi_epi16(upper, lower);
    pairs[0] = _mm512_permutex2var_epi64(low, _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11), high);
    if (vectors == 2)
        pairs[1] = _mm512_permutex2var_epi64(low, _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15), high);
}

FINISH_INLINE void store_pairs(char *to, words pairs, bool streams)
{
    if (streams && ((uintptr_t)to & 63) == 0)
        _mm512_stream_si512((__m512i *)(void *)to, pairs);
    else
        memcpy(to, &pairs, sizeof pairs);
}

#endif
