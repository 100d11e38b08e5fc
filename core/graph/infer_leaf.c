#include "graph/op_rules.h"

static bool check_iota(pod_infer *call)
{
    pod_dtype dtype = call->attributes->dtype;
    if (dtype == POD_BOOL)
        return pod_infer_fail(call, POD_ERROR_DTYPE, "bool cannot count; use an integer type");
    return pod_infer_axis(call, "axis", call->attributes->axis, &call->attributes->shape);
}

/* parameter, constant, iota and replica_id: the attributes say what they are. */
bool pod_infer_leaf(pod_infer *call)
{
    static const pod_shape scalar = {0};
    if (call->op == POD_OP_REPLICA_ID)
        return pod_infer_set(call, 0, POD_S32, &scalar);
    return pod_infer_set(call, 0, call->attributes->dtype, &call->attributes->shape) &&
           (call->op != POD_OP_IOTA || check_iota(call));
}

bool pod_infer_result(pod_infer *call)
{
    const pod_node *node = call->inputs[0];
    int32_t index = call->attributes->axis;
    if (index < 0 || (uint32_t)index >= node->result_count)
        return pod_infer_fail(call, POD_ERROR_ARGUMENT, "%s has results 0 to %u, not %d", pod_op_name(node->op),
                              node->result_count - 1, index);
    return pod_infer_set(call, 0, node->results[index].dtype, &node->results[index].shape);
}

bool pod_infer_random_bits(pod_infer *call)
{
    if (call->input_count < 1 || call->input_count > 2)
        return pod_infer_fail(call, POD_ERROR_ARGUMENT,
                              "operands are the state and, if wanted, a node that gives the shape");
    char text[POD_TYPE_TEXT_SIZE];
    const pod_type *state = pod_infer_operand(call, 0);
    if (state->dtype != POD_U64 || state->shape.rank != 1 || state->shape.dims[0] != 2)
        return pod_infer_fail(call, POD_ERROR_SHAPE, "the state must be uint64 (2): seed and step; it is %s",
                              pod_graph_type_format(state, text));
    pod_attributes *attributes = call->attributes;
    if (attributes->dtype == POD_DTYPE_NONE)
        attributes->dtype = POD_U32;
    if (attributes->dtype != POD_U32 && attributes->dtype != POD_U64)
        return pod_infer_fail(call, POD_ERROR_DTYPE, "bits are uint32 or uint64");
    if (call->input_count == 2)
        attributes->shape = pod_infer_operand(call, 1)->shape;
    return pod_infer_set(call, 0, attributes->dtype, &attributes->shape);
}

bool pod_infer_opaque_count(pod_infer *call)
{
    int64_t count = call->attributes->count;
    if (count < 1 || count > POD_MAX_OPERANDS || !call->attributes->data)
        return pod_infer_fail(call, POD_ERROR_ARGUMENT, "types of 1 to %d results must be given, not %lld",
                              POD_MAX_OPERANDS, (long long)count);
    call->result_count = (size_t)count;
    return true;
}

bool pod_infer_opaque(pod_infer *call)
{
    const pod_value_type *types = call->attributes->data;
    bool fits = true;
    for (size_t i = 0; fits && i < call->result_count; i++)
        fits = pod_infer_set(call, i, types[i].dtype, &types[i].shape);
    return fits;
}
