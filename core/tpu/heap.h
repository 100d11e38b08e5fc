#ifndef POD_TPU_HEAP_H
#define POD_TPU_HEAP_H

/* heap - where blocks lie that are there for some steps, in the two ways in which the compiler lays them (R11). */

#include "tpu/lowering.h"

/* A value or the scratch of a kernel, in the steps in which it is there. */
typedef struct pod_tpu_block {
    int64_t bytes, offset;
    int64_t *place; /* where the offset is wanted */
    int32_t first, last;
} pod_tpu_block;

/* Gives each block, in the order of their first steps, the smallest hole that fits, else the end, from the offset
 * `begin` on; `top` is the end of all. */
bool pod_tpu_fill(pod_tpu_lowering *lowering, pod_tpu_block *blocks, uint32_t count, int64_t begin, int64_t *top);

#define POD_TPU_MOST_BLOCKS 8192 /* that are packed: that takes as long as the square of their number */

/* The same, the largest block first, in gaps between those which are there at the same time. Sorts the blocks. */
bool pod_tpu_pack(pod_tpu_lowering *lowering, pod_tpu_block *blocks, uint32_t count, int64_t begin, int64_t *top);

#endif
