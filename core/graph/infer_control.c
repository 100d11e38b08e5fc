#include "graph/op_rules.h"

/* call, cond and while: regions take and give what the op does. */

/* What a region takes, and what it gives. */
typedef enum pod_region_side { PARAMETER, OUTPUT } pod_region_side;

/* Fails unless a parameter or output of region `index` is of the given type. */
static bool check_type(pod_infer *call, size_t index, pod_region_side side, size_t number, const pod_type *want)
{
    char first[POD_TYPE_TEXT_SIZE], second[POD_TYPE_TEXT_SIZE];
    const pod_graph *region = call->regions[index];
    const pod_type *have = &(side == OUTPUT ? region->outputs : region->parameters)[number]->results[0];
    if (pod_graph_type_equal(have, want))
        return true;
    return pod_infer_fail(call, POD_ERROR_SHAPE, "%s %zu of region %zu is %s, but %s %s",
                          side == OUTPUT ? "output" : "parameter", number, index, pod_graph_type_format(have, first),
                          side == OUTPUT ? "must be" : "gets", pod_graph_type_format(want, second));
}

static bool check_count(pod_infer *call, size_t index, pod_region_side side, size_t want)
{
    const pod_graph *region = call->regions[index];
    const uint32_t have = side == OUTPUT ? region->output_count : region->parameter_count;
    if (have == want)
        return true;
    return pod_infer_fail(call, POD_ERROR_ARGUMENT, "region %zu has %u %s, but %s %zu", index, have,
                          side == OUTPUT ? "outputs" : "parameters", side == OUTPUT ? "needs" : "gets", want);
}

/* Region `index` takes operands `first` and up. */
static bool check_takes_operands(pod_infer *call, size_t index, size_t first)
{
    bool fits = check_count(call, index, PARAMETER, call->input_count - first);
    for (size_t i = first; fits && i < call->input_count; i++)
        fits = check_type(call, index, PARAMETER, i - first, pod_infer_operand(call, i));
    return fits;
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
    bool fits =
        check_count(call, 1, PARAMETER, operands + call->result_count) && check_count(call, 1, OUTPUT, operands);
    for (size_t i = 0; fits && i < operands; i++)
        fits = check_type(call, 1, PARAMETER, i, pod_infer_operand(call, i)) &&
               check_type(call, 1, OUTPUT, i, pod_infer_operand(call, i));
    for (size_t i = 0; fits && i < call->result_count; i++)
        fits = check_type(call, 1, PARAMETER, operands + i, &call->results[i]);
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
                check_count(call, 1, OUTPUT, call->result_count);
    for (size_t i = 0; fits && i < call->result_count; i++)
        fits = check_type(call, 1, OUTPUT, i, &call->regions[0]->outputs[i]->results[0]);
    return fits && set_outputs(call, 0);
}

bool pod_infer_while(pod_infer *call)
{
    static const pod_type truth = {.dtype = POD_BOOL};
    if (call->attributes->count < 0)
        return pod_infer_fail(call, POD_ERROR_ARGUMENT, "count is negative; 0 means unknown");
    bool fits = check_takes_operands(call, 0, 0) && check_takes_operands(call, 1, 0) &&
                check_count(call, 0, OUTPUT, 1) && check_type(call, 0, OUTPUT, 0, &truth) &&
                check_count(call, 1, OUTPUT, call->input_count);
    for (size_t i = 0; fits && i < call->input_count; i++)
        fits = check_type(call, 1, OUTPUT, i, pod_infer_operand(call, i));
    return fits && set_outputs(call, 1);
}
