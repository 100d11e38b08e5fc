#ifndef POD_KERNELS_DIRECT_AVX512_H
#define POD_KERNELS_DIRECT_AVX512_H

/*
 * direct_avx512 - what multi/direct.c does with sums before it stores them, for AVX-512: see there. By masks, and by a
 * maximum that gives its second operand where the two are equal or one is NaN. And widening by one instruction.
 */

#include <immintrin.h>
#include <stdint.h>

typedef float floats_16 __attribute__((vector_size(64)));
typedef uint32_t words_16 __attribute__((vector_size(64)));
typedef int32_t integers_16 __attribute__((vector_size(64)));

typedef char bytes_16 __attribute__((vector_size(16)));
typedef short halves_16 __attribute__((vector_size(32)));

#define ALL_LANES         ((uint16_t)-1)
#define CURRENT_ROUNDING  4
#define COMPARE_UNORDERED 3

static inline __attribute__((always_inline)) floats_16 positive_16(floats_16 x)
{
    const floats_16 zero = {0};
    /* This builtin takes its mask as a signed number. */
    return __builtin_ia32_maxps512_mask(zero, x, zero, (int16_t)ALL_LANES, CURRENT_ROUNDING) + zero; /* -0 + 0 is 0 */
}

/* The lanes of a vector at places of 0 to 15. */
static inline __attribute__((always_inline)) floats_16 pick_16(floats_16 from, integers_16 places)
{
    return (floats_16)_mm512_permutexvar_ps((__m512i)places, (__m512)from);
}

static inline __attribute__((always_inline)) integers_16 pick_integers_16(integers_16 from, integers_16 places)
{
    return (integers_16)_mm512_permutexvar_epi32((__m512i)places, (__m512i)from);
}

static inline __attribute__((always_inline)) integers_16 widen_16_bytes(bytes_16 x)
{
    return __builtin_ia32_pmovzxbd512_mask(x, (integers_16){0}, ALL_LANES);
}

static inline __attribute__((always_inline)) integers_16 widen_16_halves(halves_16 x)
{
    return __builtin_ia32_pmovzxwd512_mask(x, (integers_16){0}, ALL_LANES);
}

static inline __attribute__((always_inline)) words_16 round_16_to_bf16(floats_16 x)
{
    words_16 bits = (words_16)x, rounded = bits + 0x7FFF + (bits >> 16 & 1);
    uint16_t is_nan = (uint16_t)__builtin_ia32_cmpps512_mask(x, x, COMPARE_UNORDERED, ALL_LANES, CURRENT_ROUNDING);
    return (words_16)__builtin_ia32_blendmd_512_mask((integers_16)rounded, (integers_16)(bits | 0x400000), is_nan);
}

#endif
