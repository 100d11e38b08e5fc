/* lookup - see lookup.h: a table is eight registers, of which each pair answers for 64 bytes. */

#include "kernels/lookup.h"

#include <immintrin.h>

void pod_look_up_16_avx512(uint16_t *to, const uint16_t *table, const uint8_t *from, size_t count)
{
    __m512i parts[8];
    for (int i = 0; i < 8; i++)
        parts[i] = _mm512_loadu_si512(table + 32 * i);
    for (size_t i = 0; i < count; i += 32) {
        const size_t left = count - i;
        const __mmask32 some = left < 32 ? ((__mmask32)1 << left) - 1 : ~(__mmask32)0;
        /* The lowest six bits choose within a pair, the other two the pair. */
        const __m512i at = _mm512_cvtepu8_epi16(_mm256_maskz_loadu_epi8(some, from + i));
        const __mmask32 odd = _mm512_test_epi16_mask(at, _mm512_set1_epi16(64));
        const __mmask32 high = _mm512_test_epi16_mask(at, _mm512_set1_epi16(128));
        const __m512i low = _mm512_mask_mov_epi16(
            _mm512_permutex2var_epi16(parts[0], at, parts[1]), odd,
            _mm512_permutex2var_epi16(parts[2], at, parts[3]));
        const __m512i rest = _mm512_mask_mov_epi16(
            _mm512_permutex2var_epi16(parts[4], at, parts[5]), odd,
            _mm512_permutex2var_epi16(parts[6], at, parts[7]));
        _mm512_mask_storeu_epi16(to + i, some, _mm512_mask_mov_epi16(low, high, rest));
    }
}
