#ifndef POD_COMPILE_OPERANDS_H
#define POD_COMPILE_OPERANDS_H

/* operands - operands that are not read as arrays of their own: by strides, or by something else in their place. */

#include "compile/fusion.h"
#include "program/instructions.h"

/* Strides of the last two axes of an operand; false when neither is 1 or one is not positive. */
bool pod_compile_matrix_strides(const pod_view *view, int64_t *outer, int64_t *inner);

/* Those of the batch axes: all but the first must lie like one. */
bool pod_compile_batch_strides(const pod_view *view, int64_t *outer, int64_t *inner);

/* Returns whether a product can read operand `operand` by the strides of a view, whose base then has to be stored.
 * Else the operand itself has to be stored, and the view is dense. */
bool pod_compile_product_operand(const pod_fusion *fusion, const pod_ir_node *node, uint32_t operand, pod_view *view);

/* Returns whether batch axis 0 of a product's operand cuts its memory into equal parts. */
bool pod_compile_outer_parts(const pod_view *view, const pod_slot *slot);

/* The max pooling (of those in fusion->pooled) that can tell the gradient of one where the maxima are, so
 * that x need not be kept; the node's number, or POD_NO_NODE. */
uint32_t pod_compile_find_pooling(const pod_fusion *fusion, const pod_ir_node *gradient);

#endif
