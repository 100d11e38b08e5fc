#include "graph/infer.h"

#include <string.h>

/* What the column `reads` says, as in pod_field. */
enum {
    NOTHING = 0,
    DTYPE = POD_FIELD_DTYPE,
    SHAPE = POD_FIELD_SHAPE,
    AXES = POD_FIELD_AXES,
    AXIS = POD_FIELD_AXIS,
    COUNT = POD_FIELD_COUNT,
    DOT = POD_FIELD_DOT,
    RANGE = POD_FIELD_RANGE,
    WINDOW = POD_FIELD_WINDOW,
    COMPARISON = POD_FIELD_COMPARISON,
    REDUCTION = POD_FIELD_REDUCTION,
    FLAG = POD_FIELD_FLAG,
    SEED = POD_FIELD_SEED,
    VALUES = POD_FIELD_VALUES,
    NAME = POD_FIELD_NAME,
    DATA = POD_FIELD_DATA,
    PRECISION = POD_FIELD_PRECISION,
    ELEMENT = POD_FIELD_ELEMENT
};

/* The other columns that are not a value as they stand. */
#define SHAPE_SAME(kind)                  .kinds = POD_KIND_##kind
#define SHAPE_RULE(rule)                  .kinds = 0
#define SHAPE_REGIONS(fewest, most, rule) .fewest_regions = fewest, .most_regions = most
#define GRADIENT_DIFF(rule)               POD_GRADIENT_DIFF
#define GRADIENT_WALKED                   POD_GRADIENT_DIFF
#define GRADIENT_ZERO                     POD_GRADIENT_ZERO
#define GRADIENT_NONE                     POD_GRADIENT_NONE
#define EXACT                             0
#define ULPS(n)                           n
#define SUMS                              POD_BOUND_SUMS

static const pod_op_row op_rows[POD_OP_COUNT] = {
#define POD_OP_ROW(NAME_, name_, operands_, results_, shape_, each_, reads_, gradient_, flops_, tpu_, stablehlo_,      \
                   bound_)                                                                                             \
    [POD_OP_##NAME_] = {.name = name_,                                                                                 \
                        .stablehlo = stablehlo_,                                                                       \
                        .operands = operands_,                                                                         \
                        .results = results_,                                                                           \
                        SHAPE_##shape_,                                                                                \
                        .each = POD_EACH_##each_,                                                                      \
                        .reads = reads_,                                                                               \
                        .gradient = GRADIENT_##gradient_,                                                              \
                        .flops = POD_FLOPS_##flops_,                                                                   \
                        .tpu = POD_TPU_##tpu_,                                                                         \
                        .bound = bound_},
#include "ops.def"
#undef POD_OP_ROW
};

const pod_op_row *pod_op_get(pod_op op)
{
    return &op_rows[op];
}

bool pod_op_is_elementwise(pod_op op)
{
    return op_rows[op].each != POD_EACH_WHOLE;
}

const char *const *pod_comparison_names(void)
{
    static const char *const names[] = {
        [POD_COMPARE_EQ] = "eq",
        [POD_COMPARE_NE] = "ne",
        [POD_COMPARE_LT] = "lt",
        [POD_COMPARE_LE] = "le",
        [POD_COMPARE_GT] = "gt",
        [POD_COMPARE_GE] = "ge",
        NULL,
    };
    return names;
}

const char *const *pod_reduction_names(void)
{
    static const char *const names[] = {
        [POD_REDUCE_SUM] = "sum",
        [POD_REDUCE_PRODUCT] = "product",
        [POD_REDUCE_MAX] = "max",
        [POD_REDUCE_MIN] = "min",
        [POD_REDUCE_MEAN] = "mean",
        [POD_REDUCE_ASSIGN] = "assign",
        NULL,
    };
    return names;
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

int32_t pod_op_elementwise_operands(pod_op op)
{
    const bool listed = op >= 0 && op < POD_OP_COUNT && op_rows[op].kinds != 0 && pod_op_is_elementwise(op);
    return listed ? op_rows[op].operands : 0;
}

pod_kinds pod_graph_kind_of(pod_dtype dtype)
{
    if (pod_dtype_is_float(dtype))
        return POD_KIND_FLOAT;
    return dtype == POD_BOOL ? POD_KIND_BOOL : POD_KIND_INTEGER;
}

bool pod_op_takes(pod_op op, pod_dtype dtype)
{
    return pod_op_elementwise_operands(op) > 0 && (op_rows[op].kinds & pod_graph_kind_of(dtype)) != 0;
}

pod_op pod_op_count(void)
{
    return POD_OP_COUNT;
}
