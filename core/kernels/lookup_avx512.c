/* lookup - see lookup.h: a table is eight registers, of which each pair answers for 64 bytes. */

#include "kernels/lookup.h"

#include <immintrin.h>

/* The entries of 32 bytes: their lowest six bits choose within a pair, the other two the pair. */
static inline __m512i look_up(const __m512i parts[8], __m256i bytes)
{
    const __m512i at = _mm512_cvtepu8_epi16(bytes);
    const __mmask32 odd = _mm512_test_epi16_mask(at, _mm512_set1_epi16(64));
    const __mmask32 high = _mm512_test_epi16_mask(at, _mm512_set1_epi16(128));
    const __m512i low = _mm512_mask_mov_epi16(_mm512_permutex2var_epi16(parts[0], at, parts[1]), odd,
                                              _mm512_permutex2var_epi16(parts[2], at, parts[3]));
    const __m512i rest = _mm512_mask_mov_epi16(_mm512_permutex2var_epi16(parts[4], at, parts[5]), odd,
                                               _mm512_permutex2var_epi16(parts[6], at, parts[7]));
    return _mm512_mask_mov_epi16(low, high, rest);
}

void pod_kernel_look_up_16_avx512(uint16_t *to, const uint16_t *table, const uint8_t *from, size_t count)
{
    __m512i parts[8];
    size_t i = 0;
    for (int j = 0; j < 8; j++)
        parts[j] = _mm512_loadu_si512(table + 32 * j);
    for (; i + 32 <= count; i += 32)
        _mm512_storeu_si512(to + i, look_up(parts, _mm256_loadu_si256((const __m256i *)(const void *)(from + i))));
    if (i == count)
        return;
    const __mmask32 some = ((__mmask32)1 << (count - i)) - 1;
    _mm512_mask_storeu_epi16(to + i, some, look_up(parts, _mm256_maskz_loadu_epi8(some, from + i)));
}
