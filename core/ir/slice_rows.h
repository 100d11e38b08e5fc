#ifndef POD_IR_SLICE_ROWS_H
#define POD_IR_SLICE_ROWS_H

/* slice_rows - ops of which some rows can be computed by themselves: see slice_rows.c. */

#include "ir/ir.h"

/* The operands, as bits, of which an op needs only the rows that it makes of its results; 0: it needs
 * others, too. */
uint32_t pod_ir_slice_rows(const pod_ir *ir, const pod_ir_node *node);

/* Returns whether an operand is among them. */
bool pod_ir_is_sliced(uint32_t mask, uint32_t operand);

#endif
