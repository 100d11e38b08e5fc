/* slice_rows - see slice_rows.h. */

#include "ir/slice_rows.h"

/* Fewer rows are left to the kernel's own units. */
#define FEWEST_ROWS 8

/* Kernels of these number rows, or ask their attributes for sizes of the whole. Views and products are cut elsewhere.
 */
static bool is_of_the_whole(pod_op op)
{
    return op == POD_OP_RANDOM_BITS || op == POD_OP_RESHAPE || op == POD_OP_TRANSPOSE || op == POD_OP_BROADCAST ||
           op == POD_OP_SLICE || op == POD_OP_REVERSE || op == POD_OP_DOT;
}

bool pod_ir_is_sliced(const pod_op_sizes *sizes, uint32_t operand)
{
    if (operand < 2 && (operand == 0 ? sizes->first : sizes->second)->rank == 0)
        return false;
    pod_axis_way way = pod_op_axis_way(sizes, operand, 0, 1);
    return way.fate == POD_AXIS_KEPT && way.axis == 0;
}

bool pod_ir_can_slice(const pod_op_sizes *sizes)
{
    if (sizes->result->rank == 0 || sizes->result->dims[0] < FEWEST_ROWS || is_of_the_whole(sizes->op))
        return false;
    for (uint32_t i = 0; i < sizes->input_count; i++)
        if (pod_ir_is_sliced(sizes, i))
            return true;
    return false;
}
