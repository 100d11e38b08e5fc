#ifndef POD_KERNELS_FINISH_H
#define POD_KERNELS_FINISH_H

/*
 * finish - what most products end with, done on their sums in registers: a bias is added, columns are scaled and
 * shifted (as a normalisation by known statistics does), a residual is added, what is not positive becomes 0 (or what
 * is not where a mask is) and what is too much its bound, or gelu or its gradient is taken, columns are summed, the
 * result is rounded and stored, and packed for the product that reads it next. What is of 16 bits in between is
 * rounded, too.
 * The bits are those of block functions one by one (blocks.h), but that families whose CPU rounds to bf16 by an
 * instruction round subnormal numbers to 0, as their products read them.
 */

#include "moonpod/tensor.h"

#include <stdbool.h>
#include <stddef.h>

/* Columns that are taken together: columns of a call are a multiple. */
#define POD_FINISH_LANES 16

/* Where pairs of rows go as words of two bf16, for dot.h's packing of right operands with k_unit 2 or 32 whose k are
 * these rows: the first of them is k_begin, a multiple of 32, and there are 32. */
typedef struct pod_finish_pack {
    char *packed;            /* NULL: nowhere */
    bool streams;            /* past the caches; see pod_dot_part */
    int64_t k, n;            /* of the operand */
    int64_t k_begin, column; /* of the first row and column of a call */
    int64_t k_unit, panel_columns;
} pod_finish_pack;

/* Holds what is rounded to bf16 before it is read further: sums of the tile, those with the bias, what was shifted,
 * that with `add`, and the result, of which columns are summed. */
typedef struct pod_finish_rounding {
    bool tile, bias, shift, add, result;
} pod_finish_rounding;

/* Rows of a tile of sums. Elements of add, mask, slope_at, before and result have rows `stride` elements apart. */
typedef struct pod_finish {
    const float *tile;
    int64_t tile_stride, rows, columns;
    pod_finish_rounding rounds;
    const float *bias;                      /* of each column; NULL: none */
    const float *scale, *shift;             /* of each column: both, or NULL and neither */
    const void *add, *mask;                 /* NULL: none */
    pod_dtype add_dtype, mask_dtype, dtype; /* f32 or bf16 */
    bool relu, gelu;                        /* gelu: as roughly as bf16 needs it (block_gelu.h) */
    float most;                             /* with relu: the most that stays, above 0; 0: no bound */
    uint16_t *before;                       /* with gelu: where what it is taken of is stored as bf16; NULL: nowhere */
    const void *slope_at;                   /* of mask_dtype: gelu's gradient there, as roughly; NULL: none */
    float *sums;                            /* of each column, to which rows are added one by one; NULL: none */
    bool first;                             /* sums begin with the first row */
    void *result;
    int64_t stride;
    int64_t ahead; /* rows that come next, with the same columns: memory is asked for them meanwhile */
    pod_finish_pack pack;
} pod_finish;

/* The same of sums that are still in registers, as far as kernels of products and convolutions do it before they store
 * them: sum + bias[j], that times scale[j] plus shift[j], the residual, max(y, 0), at most `most`. Each is rounded for
 * itself, nothing is fused, so that bits are those of a pod_finish. Columns are a multiple of POD_FINISH_LANES. */
typedef struct pod_sums_finish {
    bool rounds;                /* sums to bf16, before anything else */
    const float *bias;          /* of each column; NULL: none */
    const float *scale, *shift; /* of each column: both, or NULL and neither */
    const float *add;           /* lies as the result does; NULL: none */
    bool relu;
    float most;      /* with relu: the most that stays, above 0; 0: no bound */
    pod_dtype dtype; /* f32, or bf16 where a kernel says so */
    void *to;        /* row 0, column 0 of the result */
    int64_t stride;  /* elements between rows of the result and of `add` */
} pod_sums_finish;

typedef void (*pod_finish_function)(const pod_finish *finish);

extern const pod_finish_function pod_finish_portable, pod_finish_neon;
extern const pod_finish_function pod_finish_avx2, pod_finish_avx512, pod_finish_avx512bf16;

#endif
