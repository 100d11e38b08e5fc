#ifndef POD_TESTS_REPLICA_EVALUATE_H
#define POD_TESTS_REPLICA_EVALUATE_H

/*
 * Computes a graph node by node with the reference kernels. Collectives are not computed: a graph
 * of all replicas has none.
 */

#include "base/error.h"
#include "graph/graph.h"
#include "kernels/reference.h"
#include "test.h"

/* The values of one graph: an array of results for each node. */
typedef struct test_values {
    const pod_graph *graph;
    pod_buffer ***results;
} test_values;

static pod_status pod_test_evaluate(const pod_graph *graph, pod_buffer *const *arguments,
                                    pod_buffer **outputs, pod_error *error);

static inline pod_buffer *test_value(const test_values *values, const pod_node *node)
{
    if (node->op == POD_OP_RESULT)
        return values->results[node->inputs[0]->id][node->attributes->axis];
    return values->results[node->id][0];
}

static inline bool test_truth(const pod_buffer *buffer)
{
    const bool *truth = pod_buffer_data(buffer);
    for (int64_t i = 0; i < pod_shape_elements(pod_buffer_shape(buffer)); i++)
        if (!truth[i])
            return false;
    return true;
}

static inline pod_array test_array(const pod_buffer *buffer)
{
    return (pod_array){pod_buffer_dtype(buffer), *pod_buffer_shape(buffer),
                       pod_buffer_data(buffer)};
}

static inline pod_status test_run_kernel(const pod_node *node, pod_buffer *const *inputs,
                                         pod_buffer **results, pod_error *error)
{
    const pod_kernel *kernel = pod_reference_kernel(pod_op_name(node->op));
    pod_array in[64], out[8];
    if (kernel == NULL || node->input_count > 64)
        return pod_error_set(error, POD_ERROR_UNSUPPORTED, "no kernel of '%s' with %u operands",
                             pod_op_name(node->op), node->input_count);
    pod_attributes attributes = *node->attributes;
    if (node->op == POD_OP_CONSTANT)
        attributes.data = pod_node_constant_data(node);
    for (uint32_t i = 0; i < node->input_count; i++)
        in[i] = test_array(inputs[i]);
    for (uint32_t i = 0; i < node->result_count; i++)
        out[i] = test_array(results[i]);
    pod_kernel_call call = {&attributes, in, node->input_count, out, node->result_count, error};
    int64_t units = kernel->units ? kernel->units(&call) : 1;
    size_t bytes = kernel->scratch_bytes ? kernel->scratch_bytes(&call) : 0;
    void *scratch = aligned_alloc(64, (bytes + 64) / 64 * 64);
    pod_status status = kernel->run(&call, 0, units, scratch);
    free(scratch);
    return status;
}

/* A concatenation of any number of operands. */
static inline void test_concatenate(const pod_node *node, pod_buffer *const *inputs,
                                    pod_buffer *result)
{
    const pod_shape *shape = pod_buffer_shape(result);
    size_t outer = 1, inner = pod_dtype_size(pod_buffer_dtype(result));
    char *to = pod_buffer_data(result);
    for (int32_t k = 0; k < shape->rank; k++)
        *(k < node->attributes->axis ? &outer : &inner) *=
            k == node->attributes->axis ? 1 : (size_t)shape->dims[k];
    for (size_t o = 0; o < outer; o++) {
        for (uint32_t i = 0; i < node->input_count; i++) {
            const pod_shape *part = pod_buffer_shape(inputs[i]);
            size_t bytes = (size_t)part->dims[node->attributes->axis] * inner;
            memcpy(to, (char *)pod_buffer_data(inputs[i]) + o * bytes, bytes);
            to += bytes;
        }
    }
}

/* Folds element by element, in the order of their place. */
static inline pod_status test_reduce(pod_context *context, const pod_node *node,
                                     pod_buffer *const *inputs, pod_buffer *result,
                                     pod_error *error)
{
    const pod_shape *from = pod_buffer_shape(inputs[0]);
    size_t size = pod_dtype_size(pod_buffer_dtype(inputs[0]));
    char *out = pod_buffer_data(result);
    for (int64_t i = 0; i < pod_shape_elements(pod_buffer_shape(result)); i++)
        memcpy(out + (size_t)i * size, pod_buffer_data(inputs[1]), size);
    for (int64_t i = 0; i < pod_shape_elements(from); i++) {
        int64_t place = 0, stride = 1, index = i;
        for (int32_t k = from->rank - 1; k >= 0; k--) {
            bool gone = false;
            for (int32_t a = 0; a < node->attributes->axes.count; a++)
                gone |= node->attributes->axes.axes[a] == k;
            place += gone ? 0 : index % from->dims[k] * stride;
            stride *= gone ? 1 : from->dims[k];
            index /= from->dims[k];
        }
        pod_buffer *pair[2], *next = NULL;
        static const pod_shape scalar = {0};
        for (int j = 0; j < 2; j++) {
            pod_status status =
                pod_buffer_new(context, pod_buffer_dtype(result), &scalar, &pair[j], error);
            if (status != POD_OK)
                return status;
        }
        memcpy(pod_buffer_data(pair[0]), out + (size_t)place * size, size);
        memcpy(pod_buffer_data(pair[1]), (char *)pod_buffer_data(inputs[0]) + (size_t)i * size,
               size);
        pod_status status = pod_test_evaluate(node->regions[0], pair, &next, error);
        if (status != POD_OK)
            return status;
        memcpy(out + (size_t)place * size, pod_buffer_data(next), size);
        pod_buffer_release(pair[0]);
        pod_buffer_release(pair[1]);
        pod_buffer_release(next);
    }
    return POD_OK;
}

static inline pod_status test_loop(const pod_node *node, pod_buffer *const *inputs,
                                   pod_buffer **results, pod_error *error)
{
    uint32_t count = node->input_count;
    pod_buffer *next[64], *test;
    for (uint32_t i = 0; i < count; i++)
        results[i] = pod_buffer_retain(inputs[i]);
    for (int turn = 0; turn < 1000; turn++) {
        pod_status status = pod_test_evaluate(node->regions[0], results, &test, error);
        if (status != POD_OK)
            return status;
        bool go_on = test_truth(test);
        pod_buffer_release(test);
        if (!go_on)
            return POD_OK;
        status = pod_test_evaluate(node->regions[1], results, next, error);
        if (status != POD_OK)
            return status;
        for (uint32_t i = 0; i < count; i++) {
            pod_buffer_release(results[i]);
            results[i] = next[i];
        }
    }
    return pod_error_set(error, POD_ERROR_STATE, "a loop does not end");
}

static inline pod_status test_compute(pod_context *context, const pod_node *node,
                                      pod_buffer *const *inputs, pod_buffer **results,
                                      pod_error *error)
{
    switch (node->op) {
    case POD_OP_CALL:
        return pod_test_evaluate(node->regions[0], inputs, results, error);
    case POD_OP_COND:
        return pod_test_evaluate(node->regions[test_truth(inputs[0]) ? 0 : 1], inputs + 1, results,
                                 error);
    case POD_OP_WHILE:
        return test_loop(node, inputs, results, error);
    case POD_OP_CHECK:
        if (!test_truth(inputs[1]))
            return pod_error_set(error, POD_ERROR_VALUE, "check: %s", node->attributes->name);
        results[0] = pod_buffer_retain(inputs[0]);
        return POD_OK;
    case POD_OP_PRINT:
        results[0] = pod_buffer_retain(inputs[0]);
        return POD_OK;
    default:
        break;
    }
    for (uint32_t r = 0; r < node->result_count; r++) {
        pod_status status = pod_buffer_new(context, node->results[r].dtype, &node->results[r].shape,
                                           &results[r], error);
        if (status != POD_OK)
            return status;
    }
    if (node->op == POD_OP_REDUCE)
        return test_reduce(context, node, inputs, results[0], error);
    if (node->op == POD_OP_CONCATENATE) {
        test_concatenate(node, inputs, results[0]);
        return POD_OK;
    }
    return test_run_kernel(node, inputs, results, error);
}

static inline pod_status test_compute_all(test_values *values, pod_buffer *const *arguments,
                                          pod_error *error)
{
    const pod_graph *graph = values->graph;
    for (uint32_t i = 0; i < graph->node_count; i++) {
        const pod_node *node = graph->nodes[i];
        pod_buffer **inputs = calloc(node->input_count + 1, sizeof *inputs);
        values->results[i] = calloc(node->result_count + 1, sizeof **values->results);
        for (uint32_t j = 0; j < node->input_count; j++)
            inputs[j] = node->op == POD_OP_RESULT ? NULL : test_value(values, node->inputs[j]);
        pod_status status = POD_OK;
        if (node->op == POD_OP_PARAMETER)
            values->results[i][0] = pod_buffer_retain(arguments[node->attributes->axis]);
        else if (node->op != POD_OP_RESULT)
            status = test_compute(graph->context, node, inputs, values->results[i], error);
        free(inputs);
        if (status != POD_OK)
            return status;
    }
    return POD_OK;
}

/* Computes all outputs, which are the caller's to release. */
static pod_status pod_test_evaluate(const pod_graph *graph, pod_buffer *const *arguments,
                                    pod_buffer **outputs, pod_error *error)
{
    test_values values = {graph, calloc(graph->node_count + 1, sizeof *values.results)};
    pod_status status = test_compute_all(&values, arguments, error);
    for (uint32_t i = 0; status == POD_OK && i < graph->output_count; i++)
        outputs[i] = pod_buffer_retain(test_value(&values, graph->outputs[i]));
    for (uint32_t i = 0; i < graph->node_count; i++) {
        for (uint32_t r = 0; values.results[i] && r < graph->nodes[i]->result_count; r++)
            pod_buffer_release(values.results[i][r]);
        free(values.results[i]);
    }
    free(values.results);
    return status;
}

#endif
