#ifndef POD_KERNELS_BLOCKS_H
#define POD_KERNELS_BLOCKS_H

/*
 * The block kernels of each CPU family: elementwise functions, converts, folds, loads, stores,
 * random bits and the fused composites. They are plain C loops (core/kernels/multi/blocks.c) that
 * the compiler vectorises once a family; every entry that exists in one family exists in all.
 * pod_kernel_choose_family() copies these tables into a pod_kernels, whose fields of the same names have
 * the same meaning.
 *
 * Bits: an element function gives an element the same bits wherever it stands in a block and
 * whatever its neighbours are, but for which NaN it is; a fold's order depends on `count` alone.
 * Families may differ from each other within the bounds that block_math.h states, in functions of
 * floats only.
 *
 * Overlap: `result` of an element function may be the same block as an operand whose elements have
 * the same size, and must not overlap operands otherwise.
 *
 * Narrow integers in a wide class hold values of their type; a function may leave the type's range
 * (NOT of u8), and the caller then narrows with WRAP_8 or WRAP_16. SHIFT_RIGHT in S32 is that of
 * 32-bit integers: operands of type s8 and s16 must first be masked to their own bits with AND.
 *
 * Converts saturate to the class and truncate towards zero, NaN gives 0; to a narrower integer the
 * caller clamps first, in the class of the float, and to bool it compares with 0 (NE).
 */

#include "kernels/kernels.h"

typedef struct pod_block_kernels {
    pod_block_function element[POD_BLOCK_OP_COUNT][POD_CLASS_COUNT];
    pod_block_function convert[POD_CLASS_COUNT][POD_CLASS_COUNT];
    pod_fold_function fold[POD_FOLD_COUNT][POD_CLASS_COUNT];
    pod_by_row_function by_row[POD_BY_ROW_COUNT];
    void (*fold_products)(void *sum, const float *a, const float *b, size_t count);
    void (*load[POD_DTYPE_END])(void *block, const void *source, size_t count);
    void (*store[POD_DTYPE_END])(void *destination, const void *block, size_t count);
    void (*random_bits)(uint32_t *block, uint64_t seed, uint64_t op_seed, uint64_t step, int64_t first,
                        int64_t row_elements, int64_t first_row, size_t count);
    int64_t (*sparse_softmax_cross_entropy)(pod_dtype dtype, const void *logits, const int32_t *labels, float *loss,
                                            void *gradient, const float *scale, int64_t rows, int64_t classes);
    /* Of weight, m, v and gradient makes new weight, m and v: m' = m + (gradient - m) * rest_1;
     * v' = v + (gradient * gradient - v) * rest_2; weight' = weight - m' * alpha / (sqrt(v') + epsilon), each
     * operation rounded, division and root exact. rest_1 and rest_2 are 1 - beta_1 and 1 - beta_2; alpha is the
     * learning rate times sqrt(1 - beta_2 ^ step) / (1 - beta_1 ^ step). A result may be any of the operands. */
    void (*adam)(float *const results[3], const float *const operands[4], float alpha, float rest_1, float rest_2,
                 float epsilon, size_t count);
} pod_block_kernels;

extern const pod_block_kernels pod_blocks_portable;
#if defined(__x86_64__)
extern const pod_block_kernels pod_blocks_avx2;
extern const pod_block_kernels pod_blocks_avx512;
#endif

#endif
