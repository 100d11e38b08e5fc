#ifndef POD_KERNELS_ATTENTION_H
#define POD_KERNELS_ATTENTION_H

/*
 * Attention whole: the composites "attention" and "attention_gradient" (core/graph/composites.def),
 * as kernels that never hold the matrix of scores. For each batch and head they take a block of
 * queries at a time: its scores and shares lie in scratch that fits the cache. Keys behind a causal
 * block are left out. The backward pass computes the shares again, as in Dao et al.,
 * "FlashAttention" (2022).
 *
 * Units are pairs of a batch and a head of keys; queries, keys and heads are gone through in a
 * fixed order, so bits do not depend on how units are shared out.
 */

#include "kernels/special.h"

/* Rows of a table of composites that kernels take whole. `fits` looks at everything that run()
 * relies on: types and shapes of operands and results, and attributes. Products are those of
 * call->kernels, which must be set for all functions but `fits`. */
extern const pod_named_kernel pod_attention_kernels[];

/* Holds what is between the products, for a block of queries: each row has the scores of its query. */
typedef struct pod_attention_block {
    pod_dtype dtype;            /* of shares and gradient: f32 or bf16 */
    int64_t rows, keys;         /* keys: how many have scores here; all, where a row may look nowhere */
    int64_t stride;             /* elements between rows of all arrays: a multiple of 16 */
    int64_t seen;               /* keys that row 0 may look at; each row after it one more */
    float scale;                /* positive */
    float *scores;              /* q k^T, unscaled; room up to the stride. Changed */
    float *back;                /* gradient: g v^T in the same way. Changed */
    const uint8_t *mask;        /* of row 0 and key 0; NULL: all may be looked at */
    int64_t mask_row, mask_key; /* strides: mask_key is 0 or 1 */
    bool zero_hidden;           /* a row that may look nowhere gives 0 instead of the mean of all */
    /* Dropout: shares whose random bits are below `dropped` become 0, others are multiplied with
     * `kept` (0: there is no dropout). */
    uint32_t dropped;
    float kept;
    uint64_t seed, op_seed, step;
    int64_t first, row_elements; /* number of the share of row 0 and key 0; see base/random.h */
    int64_t all_keys;            /* shares from one row to the next */
    void (*random_bits)(uint32_t *block, uint64_t seed, uint64_t op_seed, uint64_t step, int64_t first,
                        int64_t row_elements, int64_t first_row, size_t count);
    void *shares;   /* result; may be `scores` where the type is f32 */
    void *gradient; /* gradient: of the unscaled scores; may be `back` */
    float *inverse; /* [rows]; shares: what they are to be multiplied with */
} pod_attention_block;

/* The functions of a CPU family, in core/kernels/multi/attention_rows.c and attention_avx512bf16.c. */
typedef struct pod_attention_rows {
    /* Makes shares of scores, up to a factor for each row. Keys that may not be seen get 0. */
    void (*shares)(const pod_attention_block *block);
    /* Makes shares, factors applied, and the gradient of the scores. */
    void (*gradient)(const pod_attention_block *block);
    /* tile += sums */
    void (*add)(float *tile, int64_t stride, const float *sums, int64_t sums_stride, int64_t rows, int64_t columns);
    /* to = from * factors, a factor a row (NULL: 1), in the type `dtype`. */
    void (*finish)(pod_dtype dtype, void *to, int64_t to_stride, const float *from, int64_t from_stride, int64_t rows,
                   int64_t columns, const float *factors);
} pod_attention_rows;

extern const pod_attention_rows pod_attention_rows_portable;
extern const pod_attention_rows pod_attention_rows_neon;
extern const pod_attention_rows pod_attention_rows_avx2, pod_attention_rows_avx512, pod_attention_rows_avx512bf16;

#endif
