#ifndef POD_KERNELS_FINISH_LANES_H
#define POD_KERNELS_FINISH_LANES_H

/* finish_lanes - vectors of finish.h's kernel in the compiler's own types: one or two of them are taken side by
 * side. */

#include "kernels/block_gelu.h"
#include "kernels/lanes.h"
#include "moonpod/tensor.h"
#include "kernels/unroll.h"

#define FINISH_INLINE static inline __attribute__((always_inline))

typedef double_halves row_halves; /* 16-bit floats of one row: two vectors side by side */

FINISH_INLINE floats widened(const uint16_t *from)
{
    halves x;
    memcpy(&x, from, sizeof x);
    return (floats)(__builtin_convertvector(x, words) << 16);
}

FINISH_INLINE floats where_positive(floats mask, floats x)
{
    return (floats)((integers)x & (integers)(mask > 0.0f));
}

/* Element by element, which the compiler makes one loop over vectors of. */
FINISH_INLINE floats gelu_of(floats x)
{
    float from[LANES], to[LANES];
    memcpy(from, &x, sizeof from);
    POD_UNROLL (1, int i = 0; i < LANES; i++)
        to[i] = gelu_rough(from[i]);
    return load(to);
}

FINISH_INLINE floats gelu_gradient_at(floats x, floats g)
{
    float from[LANES], to[LANES];
    memcpy(from, &x, sizeof from);
    memcpy(to, &g, sizeof to);
    POD_UNROLL (1, int i = 0; i < LANES; i++)
        to[i] = gelu_gradient_rough(from[i], to[i]);
    return load(to);
}

FINISH_INLINE floats rounded(floats x)
{
    return (floats)(round_to_bf16(x) & 0xFFFF0000u);
}

/* Numbers of lanes of both vectors of a row in turn. */
#if LANES == 8
#define PAIRED_FROM(lane)                                                                                              \
    PAIR(lane), PAIR(lane + 1), PAIR(lane + 2), PAIR(lane + 3), PAIR(lane + 4), PAIR(lane + 5), PAIR(lane + 6),        \
        PAIR(lane + 7)
#else
#define PAIRED_FROM(lane) PAIR(lane), PAIR(lane + 1), PAIR(lane + 2), PAIR(lane + 3)
#endif
#define PAIR(lane) (lane), (lane) + 2 * LANES

/* Rounds a row to bf16. */
FINISH_INLINE row_halves narrowed(int vectors, const floats y[2])
{
    return narrow_two(y[0], vectors == 2 ? y[1] : y[0]);
}

FINISH_INLINE void store_halves(uint16_t *to, int vectors, row_halves row)
{
    memcpy(to, &row, (size_t)vectors * LANES * sizeof *to);
}

/* Words of the same columns of two rows, the upper row's halves first: for each vector one. */
FINISH_INLINE void join_rows(int vectors, row_halves upper, row_halves lower, words pairs[2])
{
    pairs[0] = (words)__builtin_shufflevector(upper, lower, PAIRED_FROM(0));
    if (vectors == 2)
        pairs[1] = (words)__builtin_shufflevector(upper, lower, PAIRED_FROM(LANES));
}

/* Those that are streamed are stored like others. */
FINISH_INLINE void store_pairs(char *to, words pairs, bool streams)
{
    (void)streams;
    memcpy(to, &pairs, sizeof pairs);
}

#endif
