#include "graph/ops.h"

#include <string.h>

static const pod_op_row op_rows[POD_OP_COUNT] = {
#define EXACT   0
#define ULPS(n) n
#define SUMS    POD_BOUND_SUMS
#define POD_OP_ROW(enumerator, name, operands, results, gradient, flops, tpu, stablehlo, bound)    \
    [POD_OP_##enumerator] = {                                                                      \
        name,         stablehlo, operands, results, POD_GRADIENT_##gradient, POD_FLOPS_##flops,    \
        POD_TPU_##tpu, bound},
#include "ops.def"
#undef POD_OP_ROW
};

/* Ops that are not listed read no attributes. */
static const uint32_t op_fields[POD_OP_COUNT] = {
    [POD_OP_PARAMETER] = POD_FIELD_DTYPE | POD_FIELD_SHAPE | POD_FIELD_AXIS | POD_FIELD_NAME |
                         POD_FIELD_ELEMENT,
    [POD_OP_CONSTANT] = POD_FIELD_DTYPE | POD_FIELD_SHAPE | POD_FIELD_FLAG | POD_FIELD_DATA,
    [POD_OP_IOTA] = POD_FIELD_DTYPE | POD_FIELD_SHAPE | POD_FIELD_AXIS,
    [POD_OP_RESULT] = POD_FIELD_AXIS,
    [POD_OP_CONVERT] = POD_FIELD_DTYPE,
    [POD_OP_BITCAST] = POD_FIELD_DTYPE,
    [POD_OP_BARRIER] = POD_FIELD_COUNT,
    [POD_OP_CHECK] = POD_FIELD_NAME,
    [POD_OP_PRINT] = POD_FIELD_NAME,
    [POD_OP_COMPARE] = POD_FIELD_COMPARISON,
    [POD_OP_RANDOM_BITS] = POD_FIELD_DTYPE | POD_FIELD_SHAPE | POD_FIELD_SEED,
    [POD_OP_RESHAPE] = POD_FIELD_SHAPE,
    [POD_OP_TRANSPOSE] = POD_FIELD_AXES,
    [POD_OP_BROADCAST] = POD_FIELD_SHAPE | POD_FIELD_AXES,
    [POD_OP_SLICE] = POD_FIELD_RANGE,
    [POD_OP_DYNAMIC_SLICE] = POD_FIELD_SHAPE,
    [POD_OP_PAD] = POD_FIELD_RANGE,
    [POD_OP_CONCATENATE] = POD_FIELD_AXIS,
    [POD_OP_REVERSE] = POD_FIELD_AXES,
    [POD_OP_GATHER] = POD_FIELD_AXIS | POD_FIELD_COUNT | POD_FIELD_FLAG,
    [POD_OP_SCATTER] = POD_FIELD_AXIS | POD_FIELD_COUNT | POD_FIELD_REDUCTION | POD_FIELD_FLAG,
    [POD_OP_SORT] = POD_FIELD_AXIS | POD_FIELD_FLAG,
    [POD_OP_TOP_K] = POD_FIELD_COUNT,
    [POD_OP_DIMENSION_SIZE] = POD_FIELD_AXIS,
    [POD_OP_REDUCE_SUM] = POD_FIELD_AXES | POD_FIELD_DTYPE,
    [POD_OP_REDUCE_PRODUCT] = POD_FIELD_AXES | POD_FIELD_DTYPE,
    [POD_OP_REDUCE_MAX] = POD_FIELD_AXES,
    [POD_OP_REDUCE_MIN] = POD_FIELD_AXES,
    [POD_OP_REDUCE_AND] = POD_FIELD_AXES,
    [POD_OP_REDUCE_OR] = POD_FIELD_AXES,
    [POD_OP_ARGMAX] = POD_FIELD_AXIS | POD_FIELD_DTYPE,
    [POD_OP_ARGMIN] = POD_FIELD_AXIS | POD_FIELD_DTYPE,
    [POD_OP_REDUCE] = POD_FIELD_AXES,
    [POD_OP_CUMULATIVE_SUM] = POD_FIELD_AXIS | POD_FIELD_FLAG | POD_FIELD_COUNT,
    [POD_OP_DOT] = POD_FIELD_DOT | POD_FIELD_DTYPE | POD_FIELD_PRECISION,
    [POD_OP_CONVOLUTION] = POD_FIELD_WINDOW | POD_FIELD_DTYPE | POD_FIELD_PRECISION,
    [POD_OP_CONVOLUTION_INPUT_GRADIENT] =
        POD_FIELD_WINDOW | POD_FIELD_SHAPE | POD_FIELD_DTYPE | POD_FIELD_PRECISION,
    [POD_OP_CONVOLUTION_KERNEL_GRADIENT] =
        POD_FIELD_WINDOW | POD_FIELD_SHAPE | POD_FIELD_DTYPE | POD_FIELD_PRECISION,
    [POD_OP_POOL_MAX] = POD_FIELD_WINDOW,
    [POD_OP_POOL_MAX_GRADIENT] = POD_FIELD_WINDOW,
    [POD_OP_POOL_MAX_SELECT] = POD_FIELD_WINDOW,
    [POD_OP_POOL_SUM] = POD_FIELD_WINDOW,
    [POD_OP_POOL_SUM_GRADIENT] = POD_FIELD_WINDOW | POD_FIELD_SHAPE,
    [POD_OP_CALL] = POD_FIELD_NAME | POD_FIELD_VALUES | POD_FIELD_AXIS | POD_FIELD_COUNT |
                    POD_FIELD_FLAG | POD_FIELD_SEED | POD_FIELD_SHAPE | POD_FIELD_DTYPE,
    [POD_OP_WHILE] = POD_FIELD_COUNT,
    [POD_OP_ALL_REDUCE] = POD_FIELD_REDUCTION,
    [POD_OP_REDUCE_SCATTER] = POD_FIELD_AXIS | POD_FIELD_COUNT,
    [POD_OP_ALL_GATHER] = POD_FIELD_AXIS | POD_FIELD_COUNT,
    [POD_OP_ALL_TO_ALL] = POD_FIELD_AXIS | POD_FIELD_AXES | POD_FIELD_COUNT,
    [POD_OP_COLLECTIVE_PERMUTE] = POD_FIELD_DATA | POD_FIELD_COUNT,
    [POD_OP_OPAQUE] =
        POD_FIELD_NAME | POD_FIELD_COUNT | POD_FIELD_DATA | POD_FIELD_SEED | POD_FIELD_FLAG | POD_FIELD_AXIS,
};

const pod_op_row *pod_op_get(pod_op op)
{
    return &op_rows[op];
}

uint32_t pod_op_fields(pod_op op)
{
    return op_fields[op];
}

bool pod_op_is_elementwise(pod_op op)
{
    if (op == POD_OP_BARRIER || op == POD_OP_CHECK || op == POD_OP_PRINT)
        return false;
    return op >= POD_OP_NEGATE && op <= POD_OP_CLAMP;
}

const char *pod_op_name(pod_op op)
{
    return op >= 0 && op < POD_OP_COUNT ? op_rows[op].name : NULL;
}

const char *pod_op_stablehlo_name(pod_op op)
{
    return op >= 0 && op < POD_OP_COUNT ? op_rows[op].stablehlo : NULL;
}

pod_op pod_op_from_name(const char *name)
{
    for (pod_op op = 0; name && op < POD_OP_COUNT; op++) {
        if (strcmp(op_rows[op].name, name) == 0)
            return op;
    }
    return -1;
}

pod_op pod_op_count(void)
{
    return POD_OP_COUNT;
}
