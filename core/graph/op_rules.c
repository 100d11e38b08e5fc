/* op_rules - infers what an op gives, by the rule that its row in ops.def names. */

#include "graph/op_rules.h"

static const pod_infer_rule rules[POD_OP_COUNT] = {
#define POD_OP_ROW(NAME, name, operands, results, shape, ...) [POD_OP_##NAME] = POD_RULE_##shape,
#include "graph/ops.def"
#undef POD_OP_ROW
};

pod_infer_rule pod_op_infer_rule(pod_op op)
{
    return rules[op];
}

static bool check_operand(pod_infer *call, size_t index)
{
    const pod_node *node = call->inputs[index];
    if (!node)
        return pod_infer_fail(call, POD_ERROR_ARGUMENT, "operand %zu is NULL", index);
    if (node->graph != call->graph)
        return pod_infer_fail(call, POD_ERROR_ARGUMENT,
                              "operand %zu is a node of another graph ('%s'); pass it in as a "
                              "parameter",
                              index, node->graph->name);
    if (node->result_count != 1 && call->op != POD_OP_RESULT)
        return pod_infer_fail(call, POD_ERROR_ARGUMENT,
                              "operand %zu is a %s with %u results; take one of them "
                              "(pod_graph_result)",
                              index, pod_op_name(node->op), node->result_count);
    return true;
}

static bool check_operands(pod_infer *call)
{
    int32_t operands = pod_op_get(call->op)->operands;
    if (operands >= 0 && call->input_count != (size_t)operands)
        return pod_infer_fail(call, POD_ERROR_ARGUMENT, "it has %d operand%s, but %zu are given", operands,
                              operands == 1 ? "" : "s", call->input_count);
    if (call->input_count > POD_MAX_OPERANDS)
        return pod_infer_fail(call, POD_ERROR_ARGUMENT, "%zu operands are given; %d are allowed", call->input_count,
                              POD_MAX_OPERANDS);
    for (size_t i = 0; i < call->input_count; i++) {
        if (!check_operand(call, i))
            return false;
    }
    return true;
}

static bool check_region(pod_infer *call, size_t index)
{
    const pod_graph *region = call->regions[index];
    if (!region)
        return pod_infer_fail(call, POD_ERROR_ARGUMENT, "region %zu is NULL", index);
    if (region == call->graph)
        return pod_infer_fail(call, POD_ERROR_ARGUMENT, "region %zu is the graph that it would be put into", index);
    for (size_t i = 0; i < index; i++)
        if (call->regions[i] == region)
            return pod_infer_fail(call, POD_ERROR_ARGUMENT, "regions %zu and %zu are one graph; give a copy of it", i,
                                  index);
    if (region->error.status != POD_OK) { /* its message names the place already */
        pod_error_set(call->error, region->error.status, "in a region of %s: %s", pod_op_name(call->op),
                      region->error.message);
        return false;
    }
    if (region->depth + 1 >= POD_MAX_REGION_DEPTH)
        return pod_infer_fail(call, POD_ERROR_UNSUPPORTED,
                              "regions are nested more than %d deep; flatten the loops or conds", POD_MAX_REGION_DEPTH);
    if (region->output_count == 0)
        return pod_infer_fail(call, POD_ERROR_ARGUMENT, "region %zu has no output", index);
    return true;
}

static bool check_regions(pod_infer *call)
{
    const pod_op_row *row = pod_op_get(call->op);
    if (call->region_count < row->fewest_regions || call->region_count > row->most_regions)
        return pod_infer_fail(call, POD_ERROR_ARGUMENT, "it has %d to %d regions, but %zu are given",
                              row->fewest_regions, row->most_regions, call->region_count);
    for (size_t i = 0; i < call->region_count; i++) {
        if (!check_region(call, i))
            return false;
    }
    return true;
}

bool pod_infer_count(pod_infer *call)
{
    if (!check_operands(call) || !check_regions(call))
        return false;
    int32_t results = pod_op_get(call->op)->results;
    if (results >= 0)
        call->result_count = (size_t)results;
    else if (call->op == POD_OP_SORT || call->op == POD_OP_WHILE)
        call->result_count = call->input_count;
    else if (call->op == POD_OP_OPAQUE)
        return pod_infer_opaque_count(call);
    else
        call->result_count = call->regions[0]->output_count;
    if (call->result_count == 0)
        return pod_infer_fail(call, POD_ERROR_ARGUMENT, "it needs at least one operand");
    return true;
}

bool pod_infer_run(pod_infer *call)
{
    return rules[call->op](call);
}
