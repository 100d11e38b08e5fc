/*
 * The kernel of finish.h: one to two vectors of 16 columns at a time, row after row.
 */

#include "kernels/finish.h"

#include "kernels/block_gelu.h"
#include "kernels/sizes.h"

#include <stdint.h>
#include <string.h>

#define LANES         POD_FINISH_LANES
#define FINISH_INLINE static inline __attribute__((always_inline))

typedef float floats __attribute__((vector_size(LANES * 4)));
typedef uint32_t words __attribute__((vector_size(LANES * 4)));
typedef int32_t integers __attribute__((vector_size(LANES * 4)));
typedef uint16_t halves __attribute__((vector_size(LANES * 2)));
typedef uint16_t wide_halves __attribute__((vector_size(LANES * 4)));

FINISH_INLINE floats load(const float *from)
{
    floats x;
    memcpy(&x, from, sizeof x);
    return x;
}

/* Element `at` on of an array of f32 or bf16. */
FINISH_INLINE floats load_as(pod_dtype dtype, const void *from, int64_t at)
{
    if (dtype == POD_F32)
        return load((const float *)from + at);
    halves x;
    memcpy(&x, (const uint16_t *)from + at, sizeof x);
    return (floats)(__builtin_convertvector(x, words) << 16);
}

/* max(x, 0), as block loops make it: NaN stays, no zero is negative. */
FINISH_INLINE floats positive(floats x)
{
    return (floats)((integers)x & ~(integers)(x <= 0.0f));
}

/* Element by element, which the compiler makes one loop over vectors of. */
FINISH_INLINE floats gelu_of(floats x)
{
    float from[LANES], to[LANES];
    memcpy(from, &x, sizeof from);
#pragma GCC unroll 1
    for (int i = 0; i < LANES; i++)
        to[i] = gelu_rough(from[i]);
    return load(to);
}

FINISH_INLINE floats gelu_gradient_at(floats x, floats g)
{
    float from[LANES], to[LANES];
    memcpy(from, &x, sizeof from);
    memcpy(to, &g, sizeof to);
#pragma GCC unroll 1
    for (int i = 0; i < LANES; i++)
        to[i] = gelu_gradient_rough(from[i], to[i]);
    return load(to);
}

/* Nearest even; the bf16 is in the upper half of each word. */
FINISH_INLINE words round_to_bf16(floats x)
{
    const words bits = (words)x, is_nan = (words)(x != x);
    const words rounded = bits + 0x7FFF + (bits >> 16 & 1), nan = bits | 0x400000;
    return (rounded & ~is_nan) | (nan & is_nan);
}

/* What a column block of a call needs all the time. */
typedef struct column_block {
    floats bias[2], sums[2];
    char *packed[2];
    int64_t pair_bytes[2];
} column_block;

static void find_packed(const pod_finish_pack *pack, int64_t column, int vectors, column_block *block)
{
    if (!pack->packed)
        return;
    const int64_t column_bytes = pod_round_up(pack->k, pack->k_unit) * 2;
    for (int i = 0; i < vectors; i++) {
        const int64_t at = pack->column + column + i * LANES;
        const int64_t panel = at / pack->panel_columns * pack->panel_columns;
        const int64_t width = pod_smaller(pack->panel_columns, pod_round_up(pack->n - panel, LANES));
        block->packed[i] = pack->packed + panel * column_bytes + pack->k_begin * width * 2 +
                           (at - panel) * pack->k_unit * 2;
        block->pair_bytes[i] = pack->k_unit == 2 ? width * 4 : LANES * 4;
    }
}

FINISH_INLINE void store_bf16(uint16_t *to, int vectors, const words rounded[2])
{
    if (vectors == 2) {
        const wide_halves both = __builtin_shuffle(
            (wide_halves)rounded[0], (wide_halves)rounded[1],
            (wide_halves){1,  3,  5,  7,  9,  11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31,
                          33, 35, 37, 39, 41, 43, 45, 47, 49, 51, 53, 55, 57, 59, 61, 63});
        memcpy(to, &both, sizeof both);
    } else {
        const halves one = __builtin_convertvector(rounded[0] >> 16, halves);
        memcpy(to, &one, sizeof one);
    }
}

/* What is done to sums at last: a constant wherever this is inlined. */
typedef enum ending { PLAIN, MASKED, GELU, SLOPE } ending;

/* The results of a row. */
FINISH_INLINE void finish_row(const pod_finish *f, int vectors, ending how, const column_block *block,
                              int64_t row, int64_t column, floats y[2])
{
    const float *tile = f->tile + row * f->tile_stride + column;
    const int64_t at = row * f->stride + column;
#pragma GCC unroll 2
    for (int i = 0; i < vectors; i++)
        y[i] = load(tile + i * LANES);
    if (f->bias)
#pragma GCC unroll 2
        for (int i = 0; i < vectors; i++)
            y[i] += block->bias[i];
    if (f->add)
#pragma GCC unroll 2
        for (int i = 0; i < vectors; i++)
            y[i] += load_as(f->add_dtype, f->add, at + i * LANES);
    if (f->relu)
#pragma GCC unroll 2
        for (int i = 0; i < vectors; i++)
            y[i] = positive(y[i]);
    if (how == MASKED)
#pragma GCC unroll 2
        for (int i = 0; i < vectors; i++)
            y[i] = (floats)((integers)y[i] &
                            (integers)(load_as(f->mask_dtype, f->mask, at + i * LANES) > 0.0f));
    if (how == SLOPE)
#pragma GCC unroll 2
        for (int i = 0; i < vectors; i++)
            y[i] = gelu_gradient_at(load_as(f->mask_dtype, f->slope_at, at + i * LANES), y[i]);
    if (how != GELU)
        return;
    if (f->before) {
        words rounded[2] = {0};
#pragma GCC unroll 2
        for (int i = 0; i < vectors; i++)
            rounded[i] = round_to_bf16(y[i]);
        store_bf16(f->before + at, vectors, rounded);
    }
#pragma GCC unroll 2
    for (int i = 0; i < vectors; i++)
        y[i] = gelu_of(y[i]);
}

FINISH_INLINE void store_row(const pod_finish *f, int vectors, int64_t at, const floats y[2],
                             const words rounded[2])
{
    if (f->dtype == POD_F32) {
#pragma GCC unroll 2
        for (int i = 0; i < vectors; i++)
            memcpy((float *)f->result + at + i * LANES, &y[i], sizeof y[i]);
    } else {
        store_bf16((uint16_t *)f->result + at, vectors, rounded);
    }
}

/* All rows of some columns. */
FINISH_INLINE void finish_columns(const pod_finish *f, int vectors, ending how, int64_t column)
{
    column_block block = {0};
    find_packed(&f->pack, column, vectors, &block);
#pragma GCC unroll 2
    for (int i = 0; i < vectors; i++) {
        if (f->bias)
            block.bias[i] = load(f->bias + column + i * LANES);
        if (f->sums && !f->first)
            block.sums[i] = load(f->sums + column + i * LANES);
    }
    words before[2] = {0};
    for (int64_t row = 0; row < f->rows; row++) {
        floats y[2];
        words rounded[2] = {0};
        finish_row(f, vectors, how, &block, row, column, y);
#pragma GCC unroll 2
        for (int i = 0; i < vectors; i++) {
            if (f->sums)
                block.sums[i] = row == 0 && f->first ? y[i] : block.sums[i] + y[i];
            if (f->dtype == POD_BF16)
                rounded[i] = round_to_bf16(y[i]);
        }
        store_row(f, vectors, row * f->stride + column, y, rounded);
        if (!block.packed[0])
            continue;
#pragma GCC unroll 2
        for (int i = 0; i < vectors; i++) {
            const words pair = before[i] >> 16 | (rounded[i] & 0xFFFF0000u);
            if (row % 2 == 1)
                memcpy(block.packed[i] + row / 2 * block.pair_bytes[i], &pair, sizeof pair);
            before[i] = rounded[i];
        }
    }
    if (f->sums)
#pragma GCC unroll 2
        for (int i = 0; i < vectors; i++)
            memcpy(f->sums + column + i * LANES, &block.sums[i], sizeof block.sums[i]);
}

FINISH_INLINE void finish_all(const pod_finish *f, ending how)
{
    int64_t column = 0;
    for (; column + 2 * LANES <= f->columns; column += 2 * LANES)
        finish_columns(f, 2, how, column);
    if (column < f->columns)
        finish_columns(f, 1, how, column);
}

static void finish(const pod_finish *f)
{
    if (f->mask)
        finish_all(f, MASKED);
    else if (f->gelu)
        finish_all(f, GELU);
    else if (f->slope_at)
        finish_all(f, SLOPE);
    else
        finish_all(f, PLAIN);
}

extern const pod_finish_function POD_FAMILY_TABLE;
const pod_finish_function POD_FAMILY_TABLE = finish;
