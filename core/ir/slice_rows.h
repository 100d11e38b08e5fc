#ifndef POD_IR_SLICE_ROWS_H
#define POD_IR_SLICE_ROWS_H

/*
 * slice_rows - ops whose rows (axis 0) can be computed from the same rows of operands. A kernel for all
 * rows is then called for some of them, and the instruction can share a group with loops and products
 * over the same rows.
 */

#include "graph/axis_ways.h"

/* Returns whether an op can be computed for some of its rows. */
bool pod_ir_can_slice(const pod_op_sizes *sizes);

/* Returns whether it then needs only those rows of an operand; else it needs all of it. */
bool pod_ir_is_sliced(const pod_op_sizes *sizes, uint32_t operand);

#endif
