#ifndef POD_KERNELS_BLOCKS_H
#define POD_KERNELS_BLOCKS_H

/*
 * The block kernels of each CPU family: elementwise functions, converts, folds, loads, stores,
 * random bits and the fused composites. They are plain C loops (core/kernels/multi/blocks.c) that
 * the compiler vectorises once a family; every entry that exists in one family exists in all.
 * pod_kernel_choose_family() adds to these tables what other files have for a family.
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

extern const pod_kernels pod_blocks_portable, pod_blocks_neon, pod_blocks_avx2, pod_blocks_avx512;

#endif
