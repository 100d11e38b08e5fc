#ifndef POD_TESTS_EVALUATE_H
#define POD_TESTS_EVALUATE_H

/*
 * evaluate - runs a graph node by node with the reference kernels: the oracle of everything that
 * changes or compiles graphs.
 *
 *     double x[3] = {1, 2, 3};
 *     pod_array parameters[] = {{POD_F64, {1, {3}}, x}}, outputs[1];
 *     ASSERT_OK(evaluate_graph(graph, parameters, outputs, &error));
 *     ...
 *     evaluate_free(outputs, 1);
 *
 * Prints are dropped. Collectives and replica_id are refused with POD_ERROR_UNSUPPORTED: there is
 * one core.
 */

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "graph/node.h"
#include "kernels/reference.h"

/* How many values have been printed. */
static long evaluate_prints;

/* Computes nodes in the place of evaluate_node(); NULL: none. */
__attribute__((unused)) static pod_status (*evaluate_instead)(const pod_node *node, const pod_array *inputs,
                                                              pod_array *results, pod_error *error);

/* Runs a graph. parameters[i] is what parameter i is, borrowed; outputs[i] gets type, shape and
 * data, which is the caller's to end with evaluate_free(). After a failure outputs hold nothing. A
 * check that is false gives POD_ERROR_VALUE with its message. */
static pod_status evaluate_graph(const pod_graph *graph, const pod_array *parameters, pod_array *outputs,
                                 pod_error *error);

__attribute__((unused)) static void evaluate_free(pod_array *arrays, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(arrays[i].data);
        arrays[i].data = NULL;
    }
}

static pod_array evaluate_allocate(pod_dtype dtype, const pod_shape *shape)
{
    size_t bytes = (size_t)pod_shape_elements(shape) * pod_dtype_size(dtype);
    return (pod_array){.dtype = dtype, .shape = *shape, .data = calloc(1, bytes + 64)};
}

static pod_array evaluate_copy(const pod_array *array)
{
    pod_array copy = evaluate_allocate(array->dtype, &array->shape);
    memcpy(copy.data, array->data, (size_t)pod_shape_elements(&array->shape) * pod_dtype_size(array->dtype));
    return copy;
}

static pod_status evaluate_kernel(const pod_node *node, const pod_array *inputs, pod_array *results, pod_error *error)
{
    static const pod_kernel *found[POD_OP_COUNT]; /* looking for it takes longer than small kernels */
    if (!found[node->op])
        found[node->op] = pod_kernel_reference_kernel(pod_op_name(node->op));
    const pod_kernel *kernel = found[node->op];
    if (!kernel)
        return pod_error_set(error, POD_ERROR_UNSUPPORTED, "there is no reference kernel of %s", pod_op_name(node->op));
    const pod_kernel_call call = {
        .attributes = node->attributes,
        .inputs = inputs,
        .input_count = node->input_count,
        .outputs = results,
        .output_count = node->result_count,
        .error = error,
    };
    void *scratch = malloc(pod_kernel_scratch_bytes(kernel, &call) + 1);
    const int64_t units = pod_kernel_units(kernel, &call);
    const pod_status status = pod_kernel_run(kernel, &call, 0, units, scratch);
    free(scratch);
    return status;
}

/* Replaces the allocated results by the outputs of a region. */
static pod_status evaluate_region(const pod_node *node, uint32_t region, const pod_array *inputs, pod_array *results,
                                  pod_error *error)
{
    evaluate_free(results, node->result_count);
    return evaluate_graph(node->regions[region], inputs, results, error);
}

static pod_status evaluate_while(const pod_node *node, const pod_array *inputs, pod_array *results, pod_error *error)
{
    const uint32_t count = node->input_count;
    pod_array next[64], go_on;
    evaluate_free(results, count);
    for (uint32_t i = 0; i < count; i++)
        results[i] = evaluate_copy(&inputs[i]);
    for (;;) {
        pod_status status = evaluate_graph(node->regions[0], results, &go_on, error);
        if (status != POD_OK)
            return status;
        const bool again = *(const bool *)go_on.data;
        evaluate_free(&go_on, 1);
        if (!again)
            return POD_OK;
        status = evaluate_graph(node->regions[1], results, next, error);
        if (status != POD_OK)
            return status;
        evaluate_free(results, count);
        memcpy(results, next, count * sizeof *next);
    }
}

/* The place in the reduced result of element `index` of an array of `shape`. */
static int64_t evaluate_reduced_place(const pod_shape *shape, const pod_axes *axes, int64_t index)
{
    int64_t place = 0, stride = 1;
    for (int32_t axis = shape->rank - 1; axis >= 0; axis--) {
        bool reduced = false;
        for (int32_t i = 0; i < axes->count; i++)
            reduced |= axes->axes[i] == axis;
        if (!reduced) {
            place += index % shape->dims[axis] * stride;
            stride *= shape->dims[axis];
        }
        index /= shape->dims[axis];
    }
    return place;
}

static pod_status evaluate_reduce(const pod_node *node, const pod_array *inputs, pod_array *results, pod_error *error)
{
    static const pod_shape scalar;
    const size_t size = pod_dtype_size(inputs[0].dtype);
    char *to = results[0].data, *from = inputs[0].data;
    for (int64_t i = 0; i < pod_shape_elements(&results[0].shape); i++)
        memcpy(to + (size_t)i * size, inputs[1].data, size);
    for (int64_t i = 0; i < pod_shape_elements(&inputs[0].shape); i++) {
        char *place = to + (size_t)evaluate_reduced_place(&inputs[0].shape, &node->attributes->axes, i) * size;
        const pod_array operands[] = {{inputs[0].dtype, scalar, place},
                                      {inputs[0].dtype, scalar, from + (size_t)i * size}};
        pod_array folded;
        const pod_status status = evaluate_graph(node->regions[0], operands, &folded, error);
        if (status != POD_OK)
            return status;
        pod_convert(folded.dtype, folded.data, inputs[0].dtype, place, 1);
        evaluate_free(&folded, 1);
    }
    return POD_OK;
}

static pod_status evaluate_check(const pod_node *node, const pod_array *inputs, pod_array *results, pod_error *error)
{
    const bool *holds = inputs[1].data;
    for (int64_t i = 0; i < pod_shape_elements(&inputs[1].shape); i++) {
        if (!holds[i])
            return pod_error_set(error, POD_ERROR_VALUE, "%s", node->attributes->name);
    }
    evaluate_free(results, 1);
    results[0] = evaluate_copy(&inputs[0]);
    return POD_OK;
}

static pod_status evaluate_node(const pod_node *node, const pod_array *inputs, pod_array *results, pod_error *error)
{
    if (node->op == POD_OP_CALL)
        return evaluate_region(node, 0, inputs, results, error);
    if (node->op == POD_OP_COND)
        return evaluate_region(node, !*(const bool *)inputs[0].data, inputs + 1, results, error);
    if (node->op == POD_OP_WHILE)
        return evaluate_while(node, inputs, results, error);
    if (node->op == POD_OP_REDUCE)
        return evaluate_reduce(node, inputs, results, error);
    if (node->op == POD_OP_CHECK)
        return evaluate_check(node, inputs, results, error);
    if (node->op == POD_OP_PRINT) {
        evaluate_prints++;
        evaluate_free(results, 1);
        results[0] = evaluate_copy(&inputs[0]);
        return POD_OK;
    }
    return evaluate_kernel(node, inputs, results, error);
}

/* Computes the results of one node into `values`, which has the results of all nodes before it;
 * firsts[id] is where a node's results start. */
static pod_status evaluate_into(const pod_node *node, const pod_array *parameters, const uint32_t *firsts,
                                pod_array *values, pod_error *error)
{
    pod_array *results = values + firsts[node->id];
    if (node->op == POD_OP_PARAMETER) {
        results[0] = evaluate_copy(&parameters[node->attributes->axis]);
        return POD_OK;
    }
    if (node->op == POD_OP_RESULT) {
        const uint32_t index = (uint32_t)node->attributes->axis;
        results[0] = evaluate_copy(&values[firsts[node->inputs[0]->id] + index]);
        return POD_OK;
    }
    pod_array *inputs = calloc(node->input_count + 1, sizeof *inputs);
    for (uint32_t i = 0; i < node->input_count; i++)
        inputs[i] = values[firsts[node->inputs[i]->id]];
    for (uint32_t i = 0; i < node->result_count; i++)
        results[i] = evaluate_allocate(node->results[i].dtype, &node->results[i].shape);
    const pod_status status = (evaluate_instead ? evaluate_instead : evaluate_node)(node, inputs, results, error);
    free(inputs);
    return status;
}

__attribute__((unused)) static pod_status evaluate_graph(const pod_graph *graph, const pod_array *parameters,
                                                         pod_array *outputs, pod_error *error)
{
    uint32_t total = 0;
    uint32_t *firsts = calloc(graph->node_count + 1, sizeof *firsts);
    for (uint32_t i = 0; i < graph->node_count; i++) {
        firsts[i] = total;
        total += graph->nodes[i]->result_count;
    }
    pod_array *values = calloc(total + 1, sizeof *values);
    pod_status status = POD_OK;
    for (uint32_t i = 0; i < graph->node_count && status == POD_OK; i++)
        status = evaluate_into(graph->nodes[i], parameters, firsts, values, error);
    for (uint32_t i = 0; i < graph->output_count && status == POD_OK; i++)
        outputs[i] = evaluate_copy(&values[firsts[graph->outputs[i]->id]]);
    evaluate_free(values, total);
    free(values);
    free(firsts);
    return status;
}

#endif
