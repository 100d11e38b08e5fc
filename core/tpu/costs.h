#ifndef POD_TPU_COSTS_H
#define POD_TPU_COSTS_H

/* costs - what the kernels of a plan compute and move. */

#include "tpu/lowering.h"

/* ---- counted.c ---- */

/* What XLA counts of a lookup or a scattered sum, by its node and what is made; false: that is what it moves. */
bool pod_tpu_counted_bytes(const pod_tpu_lowering *lowering, const pod_ir_node *node, pod_ref made, double *bytes);

/* Counts how often a kernel with products reads each value in memory: once for each operand of a product that is
 * computed from it, and once for all else. `reads` has room for all values. */
void pod_tpu_count_reads(pod_tpu_lowering *lowering, const pod_tpu_kernel *kernel, uint8_t *reads);

/* ---- costs.c ---- */

/* Lists the costs of all kernels, those of loops' turns in the place of their loops, in `arena`. */
bool pod_tpu_list_costs(pod_tpu_lowering *lowering, pod_arena *arena, pod_tpu_costs *costs);

#endif
