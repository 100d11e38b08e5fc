#ifndef POD_KERNELS_DOT_PACK_H
#define POD_KERNELS_DOT_PACK_H

/*
 * dot_pack - packs operands of products into panels (see dot.h). Written over vectors of eight
 * words in the compiler's own vector types, so that the same source is good code under every
 * family's flags. Include it in a family's file only; all of it is static inline, so that no calling
 * convention for vectors matters (which the compiler would warn of where they are emulated).
 */

#include "moonpod/tensor.h"

#include <string.h>

#define POD_PACK_INLINE static inline __attribute__((always_inline, unused))

typedef uint32_t pod_words8 __attribute__((vector_size(32)));
typedef int32_t pod_ints8 __attribute__((vector_size(32)));
typedef uint16_t pod_halves8 __attribute__((vector_size(16)));
typedef uint64_t pod_longs4 __attribute__((vector_size(32)));
typedef uint64_t pod_longs2 __attribute__((vector_size(16)));

/* What lies in memory and what a packed word holds. */
typedef enum pod_pack_kind {
    POD_PACK_F32_TO_F32,
    POD_PACK_BF16_TO_F32,
    POD_PACK_ROUND_TO_F32 /* f32 rounded to bf16, as f32 */
} pod_pack_kind;

/* Loads up to 32 bytes, never touching those after `bytes`; the rest is 0. */
POD_PACK_INLINE pod_words8 pod_kernel_pack_load(const void *source, int64_t bytes)
{
    pod_words8 words = {0};
    if (bytes >= 32) {
        memcpy(&words, source, 32);
    } else if (bytes == 16) { /* by registers: a store of parts and a load of all would stall */
        uint64_t parts[2];
        memcpy(parts, source, 16);
        words = (pod_words8)(pod_longs4){parts[0], parts[1]};
    } else if (bytes > 0) {
        memcpy(&words, source, (size_t)bytes);
    }
    return words;
}

/* Loads up to 8 bf16 and widens them to words. */
POD_PACK_INLINE pod_words8 pod_kernel_pack_widen(const uint16_t *source, int64_t count)
{
    pod_halves8 halves = {0};
    if (count >= 8) {
        memcpy(&halves, source, 16);
    } else if (count == 4) {
        uint64_t part;
        memcpy(&part, source, 8);
        halves = (pod_halves8)(pod_longs2){part};
    } else if (count > 0) {
        memcpy(&halves, source, (size_t)count * 2);
    }
    return __builtin_convertvector(halves, pod_words8) << 16;
}

/* Loads up to 8 f32 and rounds them to bf16, nearest even, NaN stays NaN: the same bits as
 * pod_bf16_from_f32(), in the low half of each word. */
POD_PACK_INLINE pod_words8 pod_kernel_pack_round(const void *source, int64_t bytes)
{
    pod_words8 f32 = pod_kernel_pack_load(source, bytes);
    pod_words8 rounded = (f32 + 0x7fffu + ((f32 >> 16) & 1u)) >> 16;
    pod_words8 quiet = (f32 >> 16) | 0x40u;
    pod_words8 is_nan = (pod_words8)((pod_ints8)(f32 & 0x7fffffffu) > 0x7f800000);
    return (is_nan & quiet) | (~is_nan & rounded);
}

/* Bytes of an element in memory. */
POD_PACK_INLINE int64_t pod_kernel_pack_bytes(pod_pack_kind kind)
{
    return kind == POD_PACK_BF16_TO_F32 ? 2 : 4;
}

/* Returns 8 words of elements that are neighbours in memory, of which `left` may be read. */
POD_PACK_INLINE pod_words8 pod_kernel_pack_words(pod_pack_kind kind, const char *source, int64_t left)
{
    if (kind == POD_PACK_F32_TO_F32)
        return pod_kernel_pack_load(source, left * 4);
    if (kind == POD_PACK_BF16_TO_F32)
        return pod_kernel_pack_widen((const uint16_t *)source, left);
    return pod_kernel_pack_round(source, left * 4) << 16;
}

/* Turns rows[i] word j into rows[j] word i. */
POD_PACK_INLINE void pod_kernel_pack_transpose(pod_words8 rows[8])
{
    pod_words8 pairs[8], fours[8];
    for (int i = 0; i < 8; i += 2) {
        pairs[i] = __builtin_shufflevector(rows[i], rows[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
        pairs[i + 1] = __builtin_shufflevector(rows[i], rows[i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
    }
    for (int i = 0; i < 8; i += 4)
        for (int j = 0; j < 2; j++) {
            pod_words8 x = pairs[i + j], y = pairs[i + j + 2];
            fours[i + 2 * j] = __builtin_shufflevector(x, y, 0, 1, 8, 9, 4, 5, 12, 13);
            fours[i + 2 * j + 1] = __builtin_shufflevector(x, y, 2, 3, 10, 11, 6, 7, 14, 15);
        }
    for (int i = 0; i < 4; i++) {
        rows[i] = __builtin_shufflevector(fours[i], fours[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        rows[i + 4] = __builtin_shufflevector(fours[i], fours[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
}

/* Stores the first `lanes` of 8 words. */
POD_PACK_INLINE void pod_kernel_pack_store(uint32_t *destination, const pod_words8 *words, int64_t lanes)
{
    if (lanes >= 8)
        memcpy(destination, words, 32);
    else
        memcpy(destination, words, (size_t)lanes * 4);
}

/* Lines of 64 bytes that are asked for before they are needed: rows and parts of them lie on pages of their own, where
 * no prefetcher of the machine goes. */
#define POD_PACK_ROW_AHEAD    2
#define POD_PACK_COLUMN_AHEAD 4

/* Packs lanes that are rows in memory (k_stride 1): 8 lanes x 8 words at a time, transposed; all lanes of some k, so
 * that what is written fills lines. */
POD_PACK_INLINE void pod_kernel_pack_rows(pod_pack_kind kind, uint32_t *packed, int64_t width, const char *source,
                                          int64_t lanes, int64_t k, int64_t lane_stride)
{
    const int64_t bytes = pod_kernel_pack_bytes(kind);
    for (int64_t at = 0; at < k; at += 8) {
        for (int64_t lane = 0; lane < width; lane += 8) {
            int64_t present = lanes - lane < 8 ? lanes - lane : 8;
            pod_words8 rows[8];
            const char *from = source + (lane * lane_stride + at) * bytes;
            if (present == 8 && k - at >= 8) {
                for (int i = 0; i < 8; i++) {
                    __builtin_prefetch(from + i * lane_stride * bytes + 64 * POD_PACK_ROW_AHEAD);
                    rows[i] = pod_kernel_pack_words(kind, from + i * lane_stride * bytes, 8);
                }
            } else {
                for (int i = 0; i < 8; i++) {
                    rows[i] = (pod_words8){0};
                    if (i < present)
                        rows[i] = pod_kernel_pack_words(kind, from + i * lane_stride * bytes, k - at);
                }
            }
            pod_kernel_pack_transpose(rows);
            uint32_t *to = packed + at * width + lane;
            if (width - lane >= 8 && k - at >= 8)
                for (int i = 0; i < 8; i++)
                    memcpy(to + i * width, &rows[i], 32);
            else
                for (int i = 0; i < 8 && i < k - at; i++)
                    pod_kernel_pack_store(to + i * width, &rows[i], width - lane);
        }
    }
}

/* The same of whole vectors of f32 that are neighbours in memory, which stay as they are. */
POD_PACK_INLINE void pod_kernel_pack_lines(uint32_t *packed, int64_t width, const char *source, int64_t k,
                                           int64_t k_stride)
{
    for (int64_t at = 0; at < k; at++, packed += width, source += k_stride * 4)
        for (int64_t lane = 0; lane < width; lane += 16) {
            __builtin_prefetch(source + lane * 4 + POD_PACK_COLUMN_AHEAD * 64);
            memcpy(packed + lane, source + lane * 4, 64);
        }
}

/* Packs lanes that are neighbours in memory (lane_stride 1). */
POD_PACK_INLINE void pod_kernel_pack_columns(pod_pack_kind kind, uint32_t *packed, int64_t width, const char *source,
                                             int64_t lanes, int64_t k, int64_t k_stride)
{
    const int64_t bytes = pod_kernel_pack_bytes(kind);
    if (kind == POD_PACK_F32_TO_F32 && lanes >= width && width % 16 == 0) {
        pod_kernel_pack_lines(packed, width, source, k, k_stride);
        return;
    }
    for (int64_t at = 0; at < k; at++, packed += width, source += k_stride * bytes) {
        for (int64_t line = 0; line < width * bytes; line += 64)
            __builtin_prefetch(source + line + POD_PACK_COLUMN_AHEAD * 64);
        for (int64_t lane = 0; lane < width; lane += 8) {
            const char *from = source + lane * bytes;
            pod_words8 out = {0};
            if (lanes - lane >= 8) /* constants make for straight code */
                out = pod_kernel_pack_words(kind, from, 8);
            else if (lanes - lane == 4)
                out = pod_kernel_pack_words(kind, from, 4);
            else if (lanes > lane)
                out = pod_kernel_pack_words(kind, from, lanes - lane);
            pod_kernel_pack_store(packed + lane, &out, width - lane);
        }
    }
}

/* Packs a panel: `lanes` lanes of k elements into [k][width], zeros elsewhere. */
POD_PACK_INLINE void pod_kernel_pack_panel(pod_pack_kind kind, void *packed, int64_t width, const void *source,
                                           int64_t lanes, int64_t k, int64_t lane_stride, int64_t k_stride)
{
    if (k_stride == 1)
        pod_kernel_pack_rows(kind, packed, width, source, lanes, k, lane_stride);
    else
        pod_kernel_pack_columns(kind, packed, width, source, lanes, k, k_stride);
}

#endif
