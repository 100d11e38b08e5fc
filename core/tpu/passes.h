#ifndef POD_TPU_PASSES_H
#define POD_TPU_PASSES_H

/* passes - what makes a plan of a graph: passes.def says what each of them reads and decides. */

#include "tpu/lowering.h"

#define PASS(name) bool pod_tpu_pass_##name(pod_tpu_lowering *lowering);
#include "tpu/passes.def"
#undef PASS

/* Tells whether a node makes random bits as rows of four, which are copied to be what it makes (Philox). */
bool pod_tpu_makes_rows_of_bits(const pod_tpu_lowering *lowering, const pod_ir_node *node);

/* Returns the bytes of such rows, each in lanes of its own, and of what they are copied to, the last axis in them. */
int64_t pod_tpu_rows_of_bits(const pod_tpu_lowering *lowering, pod_ref value);

#endif
