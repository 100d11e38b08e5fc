#ifndef POD_KERNELS_DIRECT_AVX512_H
#define POD_KERNELS_DIRECT_AVX512_H

/* direct_avx512 - tables of 16 lanes for multi/direct.c, and widening by one instruction. */

#include <immintrin.h>

#include "kernels/lanes.h"

typedef char bytes_16 __attribute__((vector_size(16)));
typedef short halves_16 __attribute__((vector_size(32)));

/* The lanes of a vector at places of 0 to 15. */
LANES_INLINE floats pick_16(floats from, integers places)
{
    return (floats)_mm512_permutexvar_ps((__m512i)places, (__m512)from);
}

LANES_INLINE integers pick_integers_16(integers from, integers places)
{
    return (integers)_mm512_permutexvar_epi32((__m512i)places, (__m512i)from);
}

LANES_INLINE integers widen_16_bytes(bytes_16 x)
{
    return (integers)_mm512_cvtepu8_epi32((__m128i)x);
}

LANES_INLINE integers widen_16_halves(halves_16 x)
{
    return (integers)_mm512_cvtepu16_epi32((__m256i)x);
}

#endif
