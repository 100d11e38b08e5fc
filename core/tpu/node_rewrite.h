#ifndef POD_TPU_NODE_REWRITE_H
#define POD_TPU_NODE_REWRITE_H

/* node_rewrite - what the compiler makes of single nodes before it plans. False: no memory. */

#include "tpu/lowering.h"

/* ---- node_rewrite.c ---- */

/* Puts copies in the place of those operands of a node of `from` that the compiler copies. */
bool pod_tpu_copy_operands(const pod_tpu_lowering *lowering, pod_rewriter *rewriter, const pod_ir *from,
                           const pod_ir_node *node, pod_ref *inputs);

/* Gives what the compiler makes of a node instead, of the values of `from`: *made, or POD_REF_NONE where it keeps the
 * node. Convolutions' gradients without the edges that are cropped. */
bool pod_tpu_rewrite_node(const pod_tpu_lowering *lowering, pod_rewriter *rewriter, const pod_ir *from,
                          const pod_ir_node *node, const pod_ref *inputs, pod_ref *made);

/* Tells whether an output of an ir is a copy of what a dot makes, or elementwise ops of that: dots make matrices of the
 * last two axes, and the least padded order has other axes there. */
bool pod_tpu_copies_output(const pod_tpu_lowering *lowering, const pod_ir *ir, pod_ref output);

/* ---- vector_dots.c ---- */

/* Gives sums of products in the place of a dot with a vector, as pod_tpu_rewrite_node() does. A dot of a vector and a
 * matrix, and one of two vectors that makes a matrix, is elementwise, and sums; so is a batch of them where what is
 * summed, or what it makes, is short. */
bool pod_tpu_rewrite_vector_dot(pod_rewriter *rewriter, const pod_ir *from, const pod_ir_node *node,
                                const pod_ref *inputs, pod_ref *made);

/* ---- reshapes.c ---- */

/* Tells whether a node of an ir reshapes what a broadcast spreads so that no order of axes makes that a view: it joins
 * axes that are spread to others. Both are in memory then. */
bool pod_tpu_reshapes_spread(const pod_tpu_lowering *lowering, const pod_ir *ir, const pod_ir_node *node);

/* Gives, in the place of a reshape to the type of `result` of what elementwise ops make of a value that was reshaped
 * from there and of broadcasts, those ops in the shape that the value had, of broadcasts that are reshaped. */
bool pod_tpu_move_reshape(const pod_tpu_lowering *lowering, pod_rewriter *rewriter, const pod_ir_value *result,
                          pod_ref input, pod_ref *made);

#endif
