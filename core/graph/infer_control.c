#include "graph/op_rules.h"

/* call, cond and while: regions take and give what the op does. */

/* Fails unless parameters `first` and up of region `index` are the given types, one each. */
static bool check_parameter(pod_infer *call, size_t index, size_t parameter, const pod_type *want)
{
    char first[POD_TYPE_TEXT_SIZE], second[POD_TYPE_TEXT_SIZE];
    const pod_type *have = &call->regions[index]->parameters[parameter]->results[0];
    if (pod_graph_type_equal(have, want))
        return true;
    return pod_infer_fail(call, POD_ERROR_SHAPE, "parameter %zu of region %zu is %s, but gets %s", parameter, index,
                          pod_graph_type_format(have, first), pod_graph_type_format(want, second));
}

static bool check_parameter_count(pod_infer *call, size_t index, size_t want)
{
    if (call->regions[index]->parameter_count == want)
        return true;
    return pod_infer_fail(call, POD_ERROR_ARGUMENT, "region %zu has %u parameters, but gets %zu", index,
                          call->regions[index]->parameter_count, want);
}

/* Region `index` takes operands `first` and up. */
static bool check_takes_operands(pod_infer *call, size_t index, size_t first)
{
    bool fits = check_parameter_count(call, index, call->input_count - first);
    for (size_t i = first; fits && i < call->input_count; i++)
        fits = check_parameter(call, index, i - first, pod_infer_operand(call, i));
    return fits;
}

static bool check_output(pod_infer *call, size_t index, size_t output, const pod_type *want)
{
    char first[POD_TYPE_TEXT_SIZE], second[POD_TYPE_TEXT_SIZE];
    const pod_type *have = &call->regions[index]->outputs[output]->results[0];
    if (pod_graph_type_equal(have, want))
        return true;
    return pod_infer_fail(call, POD_ERROR_SHAPE, "output %zu of region %zu is %s, but must be %s", output, index,
                          pod_graph_type_format(have, first), pod_graph_type_format(want, second));
}

static bool check_output_count(pod_infer *call, size_t index, size_t want)
{
    if (call->regions[index]->output_count == want)
        return true;
    return pod_infer_fail(call, POD_ERROR_ARGUMENT, "region %zu has %u outputs, but needs %zu", index,
                          call->regions[index]->output_count, want);
}

/* The results are the outputs of region `index`. */
static bool set_outputs(pod_infer *call, size_t index)
{
    bool fits = true;
    for (size_t i = 0; fits && i < call->result_count; i++) {
        const pod_type *type = &call->regions[index]->outputs[i]->results[0];
        fits = pod_infer_set(call, i, type->dtype, &type->shape);
    }
    return fits;
}

/* Region 1 of a call: (operands, cotangents of results) -> cotangents of operands. */
static bool check_custom_gradient(pod_infer *call)
{
    size_t operands = call->input_count;
    bool fits = check_parameter_count(call, 1, operands + call->result_count) && check_output_count(call, 1, operands);
    for (size_t i = 0; fits && i < operands; i++)
        fits = check_parameter(call, 1, i, pod_infer_operand(call, i)) &&
               check_output(call, 1, i, pod_infer_operand(call, i));
    for (size_t i = 0; fits && i < call->result_count; i++)
        fits = check_parameter(call, 1, operands + i, &call->results[i]);
    return fits;
}

bool pod_infer_call(pod_infer *call)
{
    return check_takes_operands(call, 0, 0) && set_outputs(call, 0) &&
           (call->region_count < 2 || check_custom_gradient(call));
}

bool pod_infer_cond(pod_infer *call)
{
    char text[POD_TYPE_TEXT_SIZE];
    if (call->input_count == 0)
        return pod_infer_fail(call, POD_ERROR_ARGUMENT, "operand 0 must be the predicate");
    const pod_type *predicate = pod_infer_operand(call, 0);
    if (predicate->dtype != POD_BOOL || predicate->shape.rank != 0)
        return pod_infer_fail(call, POD_ERROR_DTYPE,
                              "the predicate is %s, but must be a bool scalar; use select for a "
                              "choice by element",
                              pod_graph_type_format(predicate, text));
    bool fits = check_takes_operands(call, 0, 1) && check_takes_operands(call, 1, 1) &&
                check_output_count(call, 1, call->result_count);
    for (size_t i = 0; fits && i < call->result_count; i++)
        fits = check_output(call, 1, i, &call->regions[0]->outputs[i]->results[0]);
    return fits && set_outputs(call, 0);
}

bool pod_infer_while(pod_infer *call)
{
    static const pod_type truth = {.dtype = POD_BOOL};
    if (call->attributes->count < 0)
        return pod_infer_fail(call, POD_ERROR_ARGUMENT, "count is negative; 0 means unknown");
    bool fits = check_takes_operands(call, 0, 0) && check_takes_operands(call, 1, 0) &&
                check_output_count(call, 0, 1) && check_output(call, 0, 0, &truth) &&
                check_output_count(call, 1, call->input_count);
    for (size_t i = 0; fits && i < call->input_count; i++)
        fits = check_output(call, 1, i, pod_infer_operand(call, i));
    return fits && set_outputs(call, 1);
}
