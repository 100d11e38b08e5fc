#ifndef POD_IR_VIEWS_H
#define POD_IR_VIEWS_H

/*
 * views - values that are other values seen differently: reshaped, transposed, broadcast, sliced,
 * reversed or widened. A loop reads them where their base lies, so they need no memory of their own.
 */

#include "ir/ir.h"

/* Element (i0, i1, ...) of a value is element offset + i0 * strides[0] + ... of its base; or, where it counts,
 * that number itself. What counts has no memory, though its base, an iota, may have got some for others. */
typedef struct pod_view {
    pod_ref base;
    bool counts;
    int64_t offset;
    pod_shape shape;
    int64_t strides[POD_MAX_RANK];
} pod_view;

/* The view of a value that lies dense in memory. */
pod_view pod_ir_view_dense(pod_ref base, const pod_shape *shape);

/* Returns whether element i of the view, counted row-major, is element i of its base (or i, where it counts). */
bool pod_ir_view_is_dense(const pod_view *view);

/* Merges axes that lie one inside the other and drops those of size 1. */
pod_view pod_ir_view_collapse(const pod_view *view);

/* Gives the view another shape of as many elements; false when that needs a copy. */
bool pod_ir_view_reshape(pod_view *view, const pod_shape *shape);

/* Returns whether a node is seen through, given the view of its operand, and its own view. */
bool pod_ir_view_apply(const pod_ir *ir, const pod_ir_node *node, const pod_view *operand, pod_view *view);

/* Returns whether converting between two types leaves a block register as it is: a wider type of the
 * same class. */
bool pod_ir_view_widens(pod_dtype from, pod_dtype to);

#endif
