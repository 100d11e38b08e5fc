/* What devices do together, and modules that are divided among them by hand. */

#include "exchange/folds.h"
#include "exchange/shardings.h"
#include "exchange/translate.h"

#include <stdio.h>

/* Operands are read from memory and results written there, whatever is computed in between. */
pod_outcome pod_exchange_read_placed(pod_call *call)
{
    (void)call;
    return POD_PLACED;
}

/* Over all replicas in one group. */
pod_outcome pod_exchange_read_all_reduce(pod_call *call)
{
    const pod_syntax_op *op = call->op;
    const pod_syntax_value *groups = pod_exchange_call_attribute(call, "replica_groups", NULL);
    if (op->operand_count != 1 || op->result_count != 1 || op->region_count != 1)
        return POD_PLACED; /* several arrays at once */
    if (groups && groups->kind == POD_VALUE_DENSE && groups->type.shape.dims[0] > 1)
        return POD_PLACED; /* in groups of replicas */
    const pod_exchange_fold *fold = pod_exchange_find_fold(pod_exchange_region_fold(call->translator, &op->regions[0]));
    if (!fold || fold->reduction == POD_REDUCE_ASSIGN)
        return POD_PLACED;
    const pod_attributes attributes = {.reduction = fold->reduction};
    return pod_exchange_call_give(call, POD_OP_ALL_REDUCE, call->inputs, 1, &attributes);
}

/* replica_id and partition_id: the number of this device. */
pod_outcome pod_exchange_read_replica_id(pod_call *call)
{
    pod_node *id = pod_exchange_call_apply(call, POD_OP_REPLICA_ID, NULL, 0, NULL);
    return pod_exchange_call_result(call,
                                    pod_graph_convert(call->graph, id, pod_exchange_call_result_type(call, 0)->dtype));
}

/* Returns what comes of a whole array for one device, or of its part for all: the same array where both are of one
 * size. */
static pod_node *pass(pod_call *call, pod_node *from, const pod_syntax_type *to, pod_span name)
{
    pod_translator *t = call->translator;
    if (pod_shape_equal(pod_node_shape(from, 0), &to->shape))
        return from;
    const pod_value_type type = {to->dtype, (int32_t)to->element, to->shape};
    char text[64];
    snprintf(text, sizeof text, "%.*s", (int)(name.length < sizeof text ? name.length : sizeof text), name.text);
    pod_attributes attributes = {.name = pod_graph_intern(t->module->graph, text), .count = 1, .data = &type};
    pod_node *made = pod_graph_apply(call->graph, POD_OP_OPAQUE, &from, 1, &attributes, NULL, 0);
    return pod_graph_result(call->graph, made, 0);
}

/* The same of all operands, or all results. */
static void pass_all(pod_call *call, pod_node **values, uint32_t first_type, uint32_t count, bool out)
{
    const pod_syntax_type *types = &call->translator->syntax->values[first_type];
    if (call->translator->module->about.divided) {
        pod_exchange_pass_by_hand(call, values, types, count, out);
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        values[i] = pass(call, values[i], &types[i], call->op->name);
}

/* The body is what one device computes. */
pod_outcome pod_exchange_read_manual_computation(pod_call *call)
{
    pod_translator *t = call->translator;
    const pod_syntax_op *op = call->op;
    if (pod_exchange_passage_of(op) != POD_PASSAGE_BODY)
        return pod_exchange_not_known(call, "its body takes or gives another number of values");
    const pod_syntax_region *body = &op->regions[0];
    for (uint32_t i = 0; i < op->operand_count; i++)
        if (t->syntax->values[body->first_value + i].dtype != pod_exchange_call_operand_type(call, i)->dtype)
            return pod_exchange_read_fail(call, POD_ERROR_DTYPE, "argument %u of its body has another type", i);
    pass_all(call, call->inputs, body->first_value, op->operand_count, false);
    for (uint32_t i = 0; i < op->operand_count; i++)
        pod_exchange_translator_set(t, body->first_value + i, call->inputs[i]);
    if (!pod_exchange_translate_region(t, body, call->results, op->result_count))
        return POD_READ_FAILED;
    pass_all(call, call->results, op->first_result, op->result_count, true);
    return POD_READ;
}
