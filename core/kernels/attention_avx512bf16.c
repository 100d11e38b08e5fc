/*
 * The rows of attention.h without masks and dropout, for CPUs that round to bf16 by an instruction. Rows may be as
 * short as a few vectors, so that folding vectors to one number would take longer than all else: 16 rows are folded at
 * once. And a row's largest score is looked for only where exponentials might leave the range without it.
 */

#include "kernels/attention.h"

#include <immintrin.h>
#include <math.h>
#include <string.h>

#include "kernels/block_math.h"
#include "base/sizes.h"
#include "kernels/unroll.h"

#define LANES      16
#define ROW_INLINE static inline __attribute__((always_inline))

/* Powers of two that exponentials may be without being set off from the largest. */
#define NEAR_POWER 16.0f
#define FAR_END    0x1p24f /* a power of this size is off by one at most */

typedef __m512 floats16;

/* The lanes in front of the end of a row of which `left` elements are left. */
ROW_INLINE __mmask16 lanes_of(int64_t left)
{
    return left >= LANES ? 0xFFFF : left <= 0 ? 0 : (__mmask16)((1u << left) - 1);
}

/* Elements that are not seen are -infinity. */
ROW_INLINE floats16 load_seen(const float *from, int64_t left)
{
    return _mm512_mask_loadu_ps(_mm512_set1_ps(-INFINITY), lanes_of(left), from);
}

/* 2^(x * scale + end); 0 for -infinity. `rough` is a constant wherever this is inlined. */
ROW_INLINE floats16 power_of(floats16 x, floats16 scale, floats16 end, bool rough)
{
    const float *factors = rough ? exp2_rough_factors : exp2_near_factors;
    const int count = rough ? EXP2_ROUGH_FACTORS : EXP2_NEAR_FACTORS;
    const floats16 shift = _mm512_set1_ps(EXP2_SHIFT);
    const floats16 least = _mm512_set1_ps(-127.0f); /* a NaN stays one */
    const floats16 y = _mm512_max_ps(least, _mm512_fmadd_ps(x, scale, end));
    const floats16 shifted = _mm512_add_ps(y, shift);
    const floats16 power = _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_castps_si512(shifted), 23));
    const floats16 f = _mm512_sub_ps(y, _mm512_sub_ps(shifted, shift));
    floats16 p = _mm512_set1_ps(factors[0]);
    POD_UNROLL (8, int i = 1; i < count; i++)
        p = _mm512_fmadd_ps(p, f, _mm512_set1_ps(factors[i]));
    return _mm512_mul_ps(p, power);
}

/* What is added to the powers of a row: 0, or what makes the largest of them 0. Where that is so large that it is off
 * by whole powers, the scores themselves are set off from the largest. */
ROW_INLINE float end_of(float *x, int64_t seen, float scale)
{
    floats16 most = load_seen(x, seen);
    for (int64_t i = LANES; i < seen; i += LANES)
        most = _mm512_max_ps(most, load_seen(x + i, seen - i));
    const floats16 powers = _mm512_mul_ps(most, _mm512_set1_ps(scale));
    const __mmask16 distant = _mm512_cmp_ps_mask(powers, _mm512_set1_ps(NEAR_POWER), _CMP_NLE_UQ);
    const __mmask16 nearby = _mm512_cmp_ps_mask(powers, _mm512_set1_ps(-NEAR_POWER), _CMP_GE_OQ);
    if (distant == 0 && nearby != 0)
        return 0;
    const float largest = _mm512_reduce_max_ps(most), end = -largest * scale;
    if (!(fabsf(end) > FAR_END))
        return end;
    for (int64_t i = 0; i < seen; i++)
        x[i] -= largest;
    return 0;
}

/* The sums of 16 vectors. */
ROW_INLINE floats16 fold_rows(const floats16 *of)
{
    floats16 a[8], b[4];
    POD_UNROLL (8, int i = 0; i < 8; i++)
        a[i] =
            _mm512_add_ps(_mm512_unpacklo_ps(of[2 * i], of[2 * i + 1]), _mm512_unpackhi_ps(of[2 * i], of[2 * i + 1]));
    POD_UNROLL (4, int i = 0; i < 4; i++) { /* each quarter has sums of its own 4 lanes of rows 4 * i .. */
        const __m512d low = _mm512_castps_pd(a[2 * i]), high = _mm512_castps_pd(a[2 * i + 1]);
        b[i] = _mm512_add_ps(_mm512_castpd_ps(_mm512_unpacklo_pd(low, high)),
                             _mm512_castpd_ps(_mm512_unpackhi_pd(low, high)));
    }
    POD_UNROLL (2, int i = 0; i < 2; i++)
        b[i] = _mm512_add_ps(_mm512_shuffle_f32x4(b[2 * i], b[2 * i + 1], 0x88),
                             _mm512_shuffle_f32x4(b[2 * i], b[2 * i + 1], 0xDD));
    return _mm512_add_ps(_mm512_shuffle_f32x4(b[0], b[1], 0x88), _mm512_shuffle_f32x4(b[0], b[1], 0xDD));
}

/* Stores two vectors, or the first, as rows of the call's type have them. */
ROW_INLINE void put(pod_dtype dtype, void *to, int64_t at, floats16 first, floats16 second, bool both)
{
    if (dtype == POD_F32) {
        _mm512_storeu_ps((float *)to + at, first);
        if (both)
            _mm512_storeu_ps((float *)to + at + LANES, second);
    } else if (both) {
        _mm512_storeu_si512((uint16_t *)to + at, (__m512i)_mm512_cvtne2ps_pbh(second, first));
    } else {
        const __m256i halves = (__m256i)_mm512_cvtneps_pbh(first);
        _mm256_storeu_si256((__m256i *)(void *)((uint16_t *)to + at), halves);
    }
}

/* Scores that row r sees. */
ROW_INLINE int64_t seen_of(const pod_attention_block *block, int64_t r)
{
    return pod_smaller(block->seen + r, block->keys);
}

ROW_INLINE floats16 shares_of_row(const pod_attention_block *block, pod_dtype dtype, int64_t r)
{
    float *x = block->scores + r * block->stride;
    const float factor = block->scale * 1.44269504f;
    const int64_t seen = seen_of(block, r), stride = block->stride;
    const floats16 scale = _mm512_set1_ps(factor), end = _mm512_set1_ps(end_of(x, seen, factor));
    floats16 sum = _mm512_setzero_ps();
    for (int64_t i = 0; i < stride; i += 2 * LANES) {
        floats16 e[2] = {_mm512_setzero_ps(), _mm512_setzero_ps()};
        if (i < seen) {
            POD_UNROLL (2, int j = 0; j < 2; j++) {
                e[j] = power_of(load_seen(x + i + j * LANES, seen - i - j * LANES), scale, end, dtype == POD_BF16);
                sum = _mm512_add_ps(sum, e[j]);
            }
        }
        put(dtype, block->shares, r * stride + i, e[0], e[1], i + LANES < stride);
    }
    return sum;
}

ROW_INLINE void all_shares(const pod_attention_block *block, pod_dtype dtype)
{
    for (int64_t first = 0; first < block->rows; first += LANES) {
        floats16 sums[LANES];
        const int64_t rows = pod_smaller(LANES, block->rows - first);
        for (int64_t r = 0; r < LANES; r++)
            sums[r] = r < rows ? shares_of_row(block, dtype, first + r) : _mm512_set1_ps(1.0f);
        _mm512_mask_storeu_ps(block->inverse + first, lanes_of(rows),
                              _mm512_div_ps(_mm512_set1_ps(1.0f), fold_rows(sums)));
    }
}

/* Sums over a row of exponentials, and of them times what arrived: exponentials take the place of scores. */
ROW_INLINE void weigh_row(const pod_attention_block *block, bool rough, int64_t r, floats16 *sum, floats16 *weight)
{
    float *x = block->scores + r * block->stride;
    const float *back = block->back + r * block->stride, factor = block->scale * 1.44269504f;
    const int64_t seen = seen_of(block, r);
    const floats16 scale = _mm512_set1_ps(factor), end = _mm512_set1_ps(end_of(x, seen, factor));
    floats16 all = _mm512_setzero_ps(), weighed = _mm512_setzero_ps();
    for (int64_t i = 0; i < seen; i += LANES) {
        const floats16 e = power_of(load_seen(x + i, seen - i), scale, end, rough);
        all = _mm512_add_ps(all, e);
        weighed = _mm512_fmadd_ps(e, _mm512_maskz_loadu_ps(lanes_of(seen - i), back + i), weighed);
        _mm512_storeu_ps(x + i, e);
    }
    *sum = all;
    *weight = weighed;
}

/* Makes shares and the gradient of the scores of exponentials. */
ROW_INLINE void slope_row(const pod_attention_block *block, pod_dtype dtype, int64_t r, float inverse, float mean)
{
    const float *x = block->scores + r * block->stride, *back = block->back + r * block->stride;
    const int64_t seen = seen_of(block, r), stride = block->stride;
    const floats16 all = _mm512_set1_ps(inverse), middle = _mm512_set1_ps(mean);
    const floats16 factor = _mm512_set1_ps(inverse * block->scale);
    for (int64_t i = 0; i < stride; i += 2 * LANES) {
        floats16 shares[2] = {_mm512_setzero_ps(), _mm512_setzero_ps()}, slopes[2] = {shares[0], shares[0]};
        if (i < seen) {
            POD_UNROLL (2, int j = 0; j < 2; j++) {
                const __mmask16 lanes = lanes_of(seen - i - j * LANES);
                const floats16 e = _mm512_maskz_loadu_ps(lanes, x + i + j * LANES);
                const floats16 g = _mm512_maskz_loadu_ps(lanes, back + i + j * LANES);
                shares[j] = _mm512_mul_ps(e, all);
                slopes[j] = _mm512_mul_ps(_mm512_mul_ps(e, factor), _mm512_sub_ps(g, middle));
            }
        }
        const bool both = i + LANES < stride;
        put(dtype, block->shares, r * stride + i, shares[0], shares[1], both);
        put(dtype, block->gradient, r * stride + i, slopes[0], slopes[1], both);
    }
}

ROW_INLINE void all_gradients(const pod_attention_block *block, pod_dtype dtype)
{
    for (int64_t first = 0; first < block->rows; first += LANES) {
        floats16 sums[LANES], weights[LANES];
        float inverses[LANES], means[LANES];
        const int64_t rows = pod_smaller(LANES, block->rows - first);
        for (int64_t r = 0; r < LANES; r++) {
            sums[r] = weights[r] = _mm512_set1_ps(1.0f);
            if (r < rows)
                weigh_row(block, dtype == POD_BF16, first + r, &sums[r], &weights[r]);
        }
        const floats16 inverse = _mm512_div_ps(_mm512_set1_ps(1.0f), fold_rows(sums));
        _mm512_storeu_ps(inverses, inverse);
        _mm512_storeu_ps(means, _mm512_mul_ps(fold_rows(weights), inverse));
        for (int64_t r = 0; r < rows; r++)
            slope_row(block, dtype, first + r, inverses[r], means[r]);
    }
}

static bool is_plain(const pod_attention_block *block)
{
    return !block->mask && block->kept <= 0;
}

static void shares(const pod_attention_block *block)
{
    if (!is_plain(block))
        pod_attention_rows_avx512.shares(block);
    else if (block->dtype == POD_BF16)
        all_shares(block, POD_BF16);
    else
        all_shares(block, POD_F32);
}

static void gradient(const pod_attention_block *block)
{
    if (!is_plain(block))
        pod_attention_rows_avx512.gradient(block);
    else if (block->dtype == POD_BF16)
        all_gradients(block, POD_BF16);
    else
        all_gradients(block, POD_F32);
}

static void add(float *tile, int64_t stride, const float *sums, int64_t sums_stride, int64_t rows, int64_t columns)
{
    pod_attention_rows_avx512.add(tile, stride, sums, sums_stride, rows, columns);
}

static void finish(pod_dtype dtype, void *to, int64_t to_stride, const float *from, int64_t from_stride, int64_t rows,
                   int64_t columns, const float *factors)
{
    if (dtype == POD_F32 || columns % (2 * LANES) != 0) {
        pod_attention_rows_avx512.finish(dtype, to, to_stride, from, from_stride, rows, columns, factors);
        return;
    }
    for (int64_t r = 0; r < rows; r++) {
        const floats16 factor = _mm512_set1_ps(factors ? factors[r] : 1.0f);
        const float *line = from + r * from_stride;
        for (int64_t i = 0; i < columns; i += 2 * LANES)
            put(POD_BF16, to, r * to_stride + i, _mm512_mul_ps(_mm512_loadu_ps(line + i), factor),
                _mm512_mul_ps(_mm512_loadu_ps(line + i + LANES), factor), true);
    }
}

const pod_attention_rows pod_attention_rows_avx512bf16 = {
    .shares = shares,
    .gradient = gradient,
    .add = add,
    .finish = finish,
};
