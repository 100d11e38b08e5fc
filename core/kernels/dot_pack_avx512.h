#ifndef POD_KERNELS_DOT_PACK_AVX512_H
#define POD_KERNELS_DOT_PACK_AVX512_H

/*
 * dot_pack_avx512 - packs operands of bf16 products as words of two bf16 (see dot.h), 16 words at a time. Like
 * dot_pack.h it is written in the compiler's own vector types and all static inline, here for families whose
 * vectors have 64 bytes: include it after <immintrin.h>, whose masked loads it uses where they are. Nothing outside an
 * operand is read, and what is missing becomes 0.
 *
 * f32 operands are rounded as pod_bf16_from_f32() does it, to the same bits.
 */

#include "moonpod/tensor.h"
#include "kernels/unroll.h"

#include <string.h>

#define POD_WIDE_INLINE static inline __attribute__((always_inline, unused))

typedef uint32_t pod_words16 __attribute__((vector_size(64)));
typedef int32_t pod_ints16 __attribute__((vector_size(64)));
typedef uint64_t pod_longs8 __attribute__((vector_size(64)));
typedef uint16_t pod_halves32 __attribute__((vector_size(64)));
typedef uint16_t pod_halves16 __attribute__((vector_size(32)));
typedef uint32_t pod_half_words __attribute__((vector_size(32)));
typedef uint32_t pod_quarter __attribute__((vector_size(16)));

/* Loads up to 16 neighbouring bf16, none when count is negative. */
POD_WIDE_INLINE pod_halves16 pod_kernel_wide_load_halves(const char *source, int64_t count)
{
    pod_halves16 halves = {0};
    if (count >= 16) {
        memcpy(&halves, source, 32);
    } else if (count > 0) {
#if defined(__AVX512BW__) && defined(__AVX512VL__)
        __mmask16 there = (__mmask16)((1u << count) - 1);
        halves = (pod_halves16)_mm256_maskz_loadu_epi16(there, source);
#else
        memcpy(&halves, source, (size_t)count * 2);
#endif
    }
    return halves;
}

/* The same for 16 words. */
POD_WIDE_INLINE pod_words16 pod_kernel_wide_load_words(const char *source, int64_t count)
{
    pod_words16 words = {0};
    if (count >= 16) {
        memcpy(&words, source, 64);
    } else if (count > 0) {
#if defined(__AVX512BW__) && defined(__AVX512VL__)
        __mmask16 there = (__mmask16)((1u << count) - 1);
        words = (pod_words16)_mm512_maskz_loadu_epi32(there, source);
#else
        memcpy(&words, source, (size_t)count * 4);
#endif
    }
    return words;
}

/* Puts two vectors of 16 halves behind each other. */
POD_WIDE_INLINE pod_words16 pod_kernel_wide_join(pod_halves16 first, pod_halves16 second)
{
    return (pod_words16)__builtin_shufflevector(first, second, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
                                                17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31);
}

/* Rounds 16 f32 to bf16, nearest even, NaN stays NaN, in the low halves of words. */
POD_WIDE_INLINE pod_words16 pod_kernel_wide_round(pod_words16 f32)
{
    pod_words16 rounded = (f32 + 0x7fffu + ((f32 >> 16) & 1u)) >> 16;
    pod_words16 quiet = (f32 >> 16) | 0x40u;
    pod_words16 is_nan = (pod_words16)((pod_ints16)(f32 & 0x7fffffffu) > 0x7f800000);
    return (is_nan & quiet) | (~is_nan & rounded);
}

/* Returns the words of up to 16 neighbouring lanes for one pair of k, whose rows in memory are `first` and
 * `second`; second NULL: there is none. */
POD_WIDE_INLINE pod_words16 pod_kernel_wide_pairs(pod_dtype dtype, const char *first, const char *second, int64_t lanes)
{
    int64_t second_lanes = second != NULL ? lanes : 0;
    if (dtype == POD_BF16) {
        pod_halves32 rows = (pod_halves32)pod_kernel_wide_join(pod_kernel_wide_load_halves(first, lanes),
                                                               pod_kernel_wide_load_halves(second, second_lanes));
        return (pod_words16)__builtin_shufflevector(rows, rows, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23,
                                                    8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    }
    return pod_kernel_wide_round(pod_kernel_wide_load_words(first, lanes)) |
           pod_kernel_wide_round(pod_kernel_wide_load_words(second, second_lanes)) << 16;
}

/* Returns one half of 16 words: 0 or 1. */
POD_WIDE_INLINE pod_half_words pod_kernel_wide_half(pod_words16 words, int half)
{
    return half == 0 ? __builtin_shufflevector(words, words, 0, 1, 2, 3, 4, 5, 6, 7)
                     : __builtin_shufflevector(words, words, 8, 9, 10, 11, 12, 13, 14, 15);
}

/* Rows of memory that are this far on are fetched while columns are packed: they lie on other pages, where no
 * prefetcher of the machine goes. */
#define POD_WIDE_AHEAD 16

/* Fetches the line of `row` that is wanted POD_WIDE_AHEAD rows on. */
POD_WIDE_INLINE void pod_kernel_wide_fetch(const char *row, int64_t row_bytes)
{
    __builtin_prefetch(row + POD_WIDE_AHEAD * row_bytes);
}

/* Returns 16 words that follow each other along k in one lane; `left` elements may be read. */
POD_WIDE_INLINE pod_words16 pod_kernel_wide_along(pod_dtype dtype, const char *source, int64_t left)
{
    if (dtype == POD_BF16)
        return pod_kernel_wide_join(pod_kernel_wide_load_halves(source, left),
                                    pod_kernel_wide_load_halves(source + 32, left - 16));
    pod_words16 low = pod_kernel_wide_round(pod_kernel_wide_load_words(source, left));
    pod_words16 high = pod_kernel_wide_round(pod_kernel_wide_load_words(source + 64, left - 16));
    return pod_kernel_wide_join(__builtin_convertvector(low, pod_halves16),
                                __builtin_convertvector(high, pod_halves16));
}

/* ---- transpositions: rows that come together in a quarter of a vector are gathered by the loads, which spares
 * half of the usual shuffles ---- */

/* Loads 16 bytes of four rows into the four quarters of a vector. */
POD_WIDE_INLINE pod_words16 pod_kernel_wide_quarters(const char *source, int64_t step)
{
    pod_quarter rows[4];
    POD_UNROLL (4, int i = 0; i < 4; i++)
        memcpy(&rows[i], source + i * step, 16);
#if defined(__AVX512BW__) && defined(__AVX512VL__) /* insertions from memory need no shuffle */
    __m512i words = _mm512_castsi128_si512((__m128i)rows[0]);
    words = _mm512_inserti32x4(words, (__m128i)rows[1], 1);
    words = _mm512_inserti32x4(words, (__m128i)rows[2], 2);
    return (pod_words16)_mm512_inserti32x4(words, (__m128i)rows[3], 3);
#else
    pod_half_words low = __builtin_shufflevector(rows[0], rows[1], 0, 1, 2, 3, 4, 5, 6, 7);
    pod_half_words high = __builtin_shufflevector(rows[2], rows[3], 0, 1, 2, 3, 4, 5, 6, 7);
    return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
#endif
}

/* Interleave the lower or upper elements of each quarter. */
POD_WIDE_INLINE pod_words16 pod_kernel_wide_low_longs(pod_words16 a, pod_words16 b)
{
    return (pod_words16)__builtin_shufflevector((pod_longs8)a, (pod_longs8)b, 0, 8, 2, 10, 4, 12, 6, 14);
}

POD_WIDE_INLINE pod_words16 pod_kernel_wide_high_longs(pod_words16 a, pod_words16 b)
{
    return (pod_words16)__builtin_shufflevector((pod_longs8)a, (pod_longs8)b, 1, 9, 3, 11, 5, 13, 7, 15);
}

POD_WIDE_INLINE pod_words16 pod_kernel_wide_low_words(pod_words16 a, pod_words16 b)
{
    return __builtin_shufflevector(a, b, 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29);
}

POD_WIDE_INLINE pod_words16 pod_kernel_wide_high_words(pod_words16 a, pod_words16 b)
{
    return __builtin_shufflevector(a, b, 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31);
}

POD_WIDE_INLINE pod_words16 pod_kernel_wide_low_halves(pod_words16 a, pod_words16 b)
{
    return (pod_words16)__builtin_shufflevector((pod_halves32)a, (pod_halves32)b, 0, 32, 1, 33, 2, 34, 3, 35, 8, 40, 9,
                                                41, 10, 42, 11, 43, 16, 48, 17, 49, 18, 50, 19, 51, 24, 56, 25, 57, 26,
                                                58, 27, 59);
}

POD_WIDE_INLINE pod_words16 pod_kernel_wide_high_halves(pod_words16 a, pod_words16 b)
{
    return (pod_words16)__builtin_shufflevector((pod_halves32)a, (pod_halves32)b, 4, 36, 5, 37, 6, 38, 7, 39, 12, 44,
                                                13, 45, 14, 46, 15, 47, 20, 52, 21, 53, 22, 54, 23, 55, 28, 60, 29, 61,
                                                30, 62, 31, 63);
}

/* Transposes 16 rows of 16 words; strides in bytes. */
POD_WIDE_INLINE void pod_kernel_wide_transpose_words(const char *source, int64_t stride, char *to, int64_t to_stride)
{
    POD_UNROLL (4, int i = 0; i < 4; i++) {
        pod_words16 rows[4], pairs[4];
        POD_UNROLL (4, int j = 0; j < 4; j++)
            rows[j] = pod_kernel_wide_quarters(source + 16 * i + j * stride, 4 * stride);
        pairs[0] = pod_kernel_wide_low_words(rows[0], rows[1]);
        pairs[1] = pod_kernel_wide_high_words(rows[0], rows[1]);
        pairs[2] = pod_kernel_wide_low_words(rows[2], rows[3]);
        pairs[3] = pod_kernel_wide_high_words(rows[2], rows[3]);
        POD_UNROLL (2, int j = 0; j < 2; j++) {
            pod_words16 low = pod_kernel_wide_low_longs(pairs[j], pairs[j + 2]);
            pod_words16 high = pod_kernel_wide_high_longs(pairs[j], pairs[j + 2]);
            memcpy(to + (4 * i + 2 * j) * to_stride, &low, 64);
            memcpy(to + (4 * i + 2 * j + 1) * to_stride, &high, 64);
        }
    }
}

/* Transposes 32 rows of 32 bf16; strides in bytes. */
POD_WIDE_INLINE void pod_kernel_wide_transpose_halves(const char *source, int64_t stride, char *to, int64_t to_stride)
{
    for (int i = 0; i < 4; i++, source += 16) {
        pod_words16 rows[8], pairs[8], fours[8];
        const char *row = source;
        POD_UNROLL (8, int j = 0; j < 8; j++, row += stride) {
            __asm__("" : "+r"(row)); /* else the addresses of all rows are kept, in memory */
            rows[j] = pod_kernel_wide_quarters(row, 8 * stride);
        }
        POD_UNROLL (4, int j = 0; j < 8; j += 2) {
            pairs[j] = pod_kernel_wide_low_halves(rows[j], rows[j + 1]);
            pairs[j + 1] = pod_kernel_wide_high_halves(rows[j], rows[j + 1]);
        }
        POD_UNROLL (4, int j = 0; j < 4; j++) { /* fours[2 * j ..]: of rows 0 to 3 for j < 2, 4 to 7 else */
            int k = j / 2 * 4 + j % 2;
            fours[2 * j] = pod_kernel_wide_low_words(pairs[k], pairs[k + 2]);
            fours[2 * j + 1] = pod_kernel_wide_high_words(pairs[k], pairs[k + 2]);
        }
        POD_UNROLL (4, int j = 0; j < 4; j++) {
            pod_words16 low = pod_kernel_wide_low_longs(fours[j], fours[j + 4]);
            pod_words16 high = pod_kernel_wide_high_longs(fours[j], fours[j + 4]);
            memcpy(to + (8 * i + 2 * j) * to_stride, &low, 64);
            memcpy(to + (8 * i + 2 * j + 1) * to_stride, &high, 64);
        }
    }
}

/* Stores the words of 32 neighbouring lanes of bf16 for one pair of k, whose rows in memory are `first` and `second`:
 * 16 at `to`, 16 more `apart` bytes on. */
POD_WIDE_INLINE void pod_kernel_wide_store_pairs(char *to, int64_t apart, const char *first, const char *second)
{
    pod_words16 upper, lower;
    memcpy(&upper, first, 64);
    memcpy(&lower, second, 64);
    const pod_longs8 low = (pod_longs8)pod_kernel_wide_low_halves(upper, lower);
    const pod_longs8 high = (pod_longs8)pod_kernel_wide_high_halves(upper, lower);
    const pod_longs8 left = __builtin_shufflevector(low, high, 0, 1, 8, 9, 2, 3, 10, 11);
    const pod_longs8 right = __builtin_shufflevector(low, high, 4, 5, 12, 13, 6, 7, 14, 15);
    memcpy(to, &left, 64);
    memcpy(to + apart, &right, 64);
}

/* pod_dot_family.stream */
__attribute__((unused)) static void pod_kernel_wide_stream(void *to, const void *from, size_t bytes)
{
#if defined(__AVX512F__)
    for (size_t at = 0; at < bytes; at += 64)
        _mm512_stream_si512((__m512i *)(void *)((char *)to + at), _mm512_loadu_si512((const char *)from + at));
#else
    memcpy(to, from, bytes);
#endif
}

/* Packs up to 16 lanes that are rows in memory (k_stride 1) and up to 32 k into 16 rows of 16 words. */
POD_WIDE_INLINE void pod_kernel_wide_pack_rows(pod_dtype dtype, char *to, int64_t to_stride, const char *source,
                                               int64_t lanes, int64_t k, int64_t lane_bytes)
{
    pod_words16 rows[16];
    if (dtype == POD_BF16 && lanes >= 16 && k >= 32) {
        pod_kernel_wide_transpose_words(source, lane_bytes, to, to_stride);
        return;
    }
    for (int64_t i = 0; i < 16; i++) {
        rows[i] = (pod_words16){0};
        if (i < lanes)
            rows[i] = pod_kernel_wide_along(dtype, source + i * lane_bytes, k);
    }
    pod_kernel_wide_transpose_words((const char *)rows, 64, to, to_stride);
}

#endif
