/*
 * verify_ir - whether an ir is what ir.h says: numbers in range, operands before their users, types that the ops give.
 * Builds that check themselves (assert) ask it after every pass, others do not have it.
 */

#include "ir/ir.h"

#ifndef NDEBUG

#include "base/error.h"
#include "graph/infer.h"

/* Nodes and graphs as the rules of shapes want them: types of operands, of regions' parameters and of their outputs. */
typedef struct rule_view {
    pod_node *nodes;
    pod_node **list;
    uint32_t count;
} rule_view;

typedef struct verifier {
    const pod_ir *ir;
    pod_error *error;
    const char *pass;
    bool no_memory;
} verifier;

static pod_status fail(const verifier *v, uint32_t index, const char *what)
{
    const pod_op op = index < v->ir->node_count ? v->ir->nodes[index].op : -1;
    return pod_error_set(v->error, POD_ERROR_STATE, "the ir is broken after %s: node %u (%s) %s", v->pass, index,
                         op >= 0 && op < POD_OP_COUNT ? pod_op_name(op) : "no op", what);
}

/* ---- numbers -------------------------------------------------------------------------------------------- */

static bool is_value(const pod_ir *ir, pod_ref value)
{
    return value < ir->value_count && ir->values[value].node < ir->node_count;
}

static bool is_type(const pod_ir_value *value)
{
    if (value->dtype <= POD_DTYPE_NONE || value->dtype >= POD_DTYPE_END || !value->shape || value->shape->rank < 0 ||
        value->shape->rank > POD_MAX_RANK)
        return false;
    for (int32_t i = 0; i < value->shape->rank; i++)
        if (value->shape->dims[i] < 0)
            return false;
    return true;
}

/* Inputs and values of nodes lie one behind the other, in the order of nodes. */
static pod_status check_places(const verifier *v, uint32_t index, uint32_t first_input, uint32_t first_value)
{
    const pod_ir *ir = v->ir;
    const pod_ir_node *node = &ir->nodes[index];
    if (node->op < 0 || node->op >= POD_OP_COUNT || !node->attributes)
        return fail(v, index, "is no node");
    if (node->input_first != first_input || node->input_count > ir->input_count - first_input)
        return fail(v, index, "has its operands elsewhere");
    if (node->value_first != first_value || node->value_count > ir->value_count - first_value)
        return fail(v, index, "has its results elsewhere");
    for (uint32_t i = 0; i < node->input_count; i++)
        if (pod_ir_inputs(ir, node)[i] >= first_value)
            return fail(v, index, "has an operand that does not come before it");
    for (uint32_t i = 0; i < node->value_count; i++) {
        const pod_ir_value *value = &ir->values[first_value + i];
        if (value->node != index || value->result != i)
            return fail(v, index, "has a result that is another's");
        if (!is_type(value))
            return fail(v, index, "has a result without a type");
    }
    if (node->op == POD_OP_CONSTANT && !node->constant && pod_shape_elements(ir->values[first_value].shape) > 0)
        return fail(v, index, "has no elements");
    return POD_OK;
}

static pod_status check_ends(const verifier *v)
{
    const pod_ir *ir = v->ir;
    for (uint32_t i = 0; i < ir->parameter_count; i++)
        if (!is_value(ir, ir->parameters[i]) || pod_ir_maker(ir, ir->parameters[i])->op != POD_OP_PARAMETER)
            return fail(v, ir->node_count, "is asked for as a parameter");
    for (uint32_t i = 0; i < ir->output_count; i++) {
        const int64_t alias = ir->aliases[i];
        if (!is_value(ir, ir->outputs[i]))
            return fail(v, ir->node_count, "is asked for as an output");
        if (alias < -1 || alias >= ir->parameter_count)
            return fail(v, ir->values[ir->outputs[i]].node, "updates what is no parameter");
        const pod_ir_value *output = &ir->values[ir->outputs[i]];
        const pod_ir_value *updated = alias < 0 ? output : &ir->values[ir->parameters[alias]];
        if (output->dtype != updated->dtype || !pod_shape_equal(output->shape, updated->shape))
            return fail(v, output->node, "updates a parameter of another type");
    }
    return POD_OK;
}

/* ---- types ---------------------------------------------------------------------------------------------- */

static bool make_view(verifier *v, const pod_ir *ir, const pod_ref *values, uint32_t count, rule_view *made)
{
    pod_type *types = pod_arena_array(v->ir->arena, count, sizeof *types);
    made->nodes = pod_arena_array(v->ir->arena, count, sizeof *made->nodes);
    made->list = pod_arena_array(v->ir->arena, count, sizeof *made->list);
    made->count = count;
    v->no_memory = v->no_memory || !types || !made->nodes || !made->list;
    for (uint32_t i = 0; i < count && !v->no_memory; i++) {
        types[i] = (pod_type){ir->values[values[i]].dtype, *ir->values[values[i]].shape};
        made->nodes[i] = (pod_node){.op = POD_OP_PARAMETER, .result_count = 1, .results = &types[i]};
        made->list[i] = &made->nodes[i];
    }
    return !v->no_memory;
}

/* The regions of a node as graphs without nodes. */
static pod_graph **view_regions(verifier *v, const pod_ir_node *node)
{
    pod_graph *graphs = pod_arena_array(v->ir->arena, node->region_count, sizeof *graphs);
    pod_graph **list = pod_arena_array(v->ir->arena, node->region_count, sizeof *list);
    v->no_memory = v->no_memory || !graphs || !list;
    for (uint32_t i = 0; i < node->region_count && !v->no_memory; i++) {
        const pod_ir *region = node->regions[i];
        rule_view parameters, outputs;
        if (!make_view(v, region, region->parameters, region->parameter_count, &parameters) ||
            !make_view(v, region, region->outputs, region->output_count, &outputs))
            return NULL;
        graphs[i].parameters = parameters.list;
        graphs[i].parameter_count = parameters.count;
        graphs[i].outputs = outputs.list;
        graphs[i].output_count = outputs.count;
        list[i] = &graphs[i];
    }
    return v->no_memory ? NULL : list;
}

/* The rule of shapes of the op gives the types that the node's results have. A call that a kernel takes has no body
 * any more that would tell. */
static pod_status check_types(verifier *v, uint32_t index)
{
    const pod_ir *ir = v->ir;
    const pod_ir_node *node = &ir->nodes[index];
    pod_attributes attributes = *node->attributes;
    rule_view operands;
    pod_error why;
    if (node->op == POD_OP_CALL)
        return attributes.name ? POD_OK : fail(v, index, "calls nothing");
    if (pod_ir_meets(node)) /* of several at once no op tells */
        return node->input_count == (attributes.data ? 1 : 2) * node->value_count
                   ? POD_OK
                   : fail(v, index, "meets without a result an operand");
    if (!make_view(v, ir, pod_ir_inputs(ir, node), node->input_count, &operands))
        return POD_OK;
    pod_type *results = pod_arena_array(ir->arena, node->value_count, sizeof *results);
    pod_infer call = {.op = node->op,
                      .inputs = operands.list,
                      .input_count = node->input_count,
                      .attributes = &attributes,
                      .regions = view_regions(v, node),
                      .region_count = node->region_count,
                      .results = results,
                      .error = &why};
    if (!results || v->no_memory)
        return POD_OK;
    if (!pod_infer_count(&call) || call.result_count != node->value_count || !pod_infer_run(&call))
        return fail(v, index, "has operands or results that its op does not take");
    for (uint32_t i = 0; i < node->value_count; i++) {
        const pod_ir_value *value = &ir->values[node->value_first + i];
        if (results[i].dtype != value->dtype || !pod_shape_equal(&results[i].shape, value->shape))
            return fail(v, index, "has another type than its op gives");
    }
    return POD_OK;
}

/* ---- the whole ------------------------------------------------------------------------------------------ */

pod_status pod_ir_verify(const pod_ir *ir, bool types, const char *pass, pod_error *error)
{
    verifier v = {.ir = ir, .error = error, .pass = pass};
    uint32_t inputs = 0, values = 0;
    pod_status status = POD_OK;
    for (uint32_t i = 0; i < ir->node_count && status == POD_OK; i++) {
        const pod_ir_node *node = &ir->nodes[i];
        status = check_places(&v, i, inputs, values);
        for (uint32_t j = 0; j < node->region_count && status == POD_OK; j++)
            status =
                node->regions[j] ? pod_ir_verify(node->regions[j], types, pass, error) : fail(&v, i, "lacks a region");
        if (status == POD_OK && types)
            status = check_types(&v, i);
        inputs += node->input_count;
        values += node->value_count;
    }
    if (status == POD_OK && (inputs != ir->input_count || values != ir->value_count))
        status = fail(&v, ir->node_count, "has operands or results");
    return status == POD_OK ? check_ends(&v) : status;
}

#endif
