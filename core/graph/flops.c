#include "graph/node.h"

/* Floating point operations by the classes of the op table. */

static double elements(const pod_shape *shape)
{
    return (double)pod_shape_elements(shape);
}

static double free_flops(const pod_op_sizes *sizes)
{
    (void)sizes;
    return 0;
}

static double each_flops(const pod_op_sizes *sizes)
{
    return elements(sizes->result);
}

static double each_input_flops(const pod_op_sizes *sizes)
{
    return elements(sizes->first);
}

static double dot_flops(const pod_op_sizes *sizes)
{
    const pod_axes *contract = &sizes->attributes->lhs_contract;
    double flops = 2 * elements(sizes->result);
    for (int32_t i = 0; i < contract->count; i++)
        flops *= (double)sizes->first->dims[contract->axes[i]];
    return flops;
}

/* A convolution and its two gradients do the same multiplications: each element of the result of
 * the forward direction takes one for each element of a filter. Padding counts, as a chip does it
 * too. */
static double convolution_flops(const pod_op_sizes *sizes)
{
    const pod_shape *result = sizes->result, *kernel = sizes->second;
    if (sizes->op == POD_OP_CONVOLUTION_INPUT_GRADIENT)
        result = sizes->first;
    if (sizes->op == POD_OP_CONVOLUTION_KERNEL_GRADIENT) {
        result = sizes->second;
        kernel = sizes->result;
    }
    double flops = 2 * elements(result);
    for (int32_t i = 0; i + 1 < kernel->rank; i++)
        flops *= (double)kernel->dims[i];
    return flops;
}

static double window_flops(const pod_op_sizes *sizes)
{
    const pod_window *window = &sizes->attributes->window;
    const pod_shape *smaller = sizes->result;
    if (sizes->op == POD_OP_POOL_MAX_GRADIENT || sizes->op == POD_OP_POOL_SUM_GRADIENT)
        smaller = sizes->last;
    double flops = elements(smaller);
    for (int32_t i = 0; i < window->rank; i++)
        flops *= (double)window->size[i];
    return flops;
}

double pod_op_flops(const pod_op_sizes *sizes)
{
    static double (*const counts[])(const pod_op_sizes *) = {
        [POD_FLOPS_FREE] = free_flops,     [POD_FLOPS_EACH] = each_flops,   [POD_FLOPS_EACH_IN] = each_input_flops,
        [POD_FLOPS_TRANS] = each_flops,    [POD_FLOPS_DOT] = dot_flops,     [POD_FLOPS_CONV] = convolution_flops,
        [POD_FLOPS_WINDOW] = window_flops, [POD_FLOPS_REGION] = free_flops,
    };
    return counts[pod_op_get(sizes->op)->flops](sizes);
}

static double graph_flops(const pod_graph *graph)
{
    double flops = 0;
    for (uint32_t i = 0; i < graph->node_count; i++)
        flops += pod_node_flops(graph->nodes[i]);
    return flops;
}

/* A call costs its body, a cond the dearer branch, a loop its condition and body each time. */
static double region_flops(const pod_node *node)
{
    double first = graph_flops(node->regions[0]);
    if (node->op == POD_OP_CALL)
        return first;
    double second = graph_flops(node->regions[1]);
    if (node->op == POD_OP_COND)
        return first > second ? first : second;
    double times = node->attributes->count > 0 ? (double)node->attributes->count : 1;
    return times * (first + second);
}

pod_op_sizes pod_node_sizes(const pod_node *node)
{
    const uint32_t count = node->input_count;
    return (pod_op_sizes){
        .op = node->op,
        .attributes = node->attributes,
        .result = &node->results[0].shape,
        .first = count > 0 ? &node->inputs[0]->results[0].shape : NULL,
        .second = count > 1 ? &node->inputs[1]->results[0].shape : NULL,
        .last = count > 0 ? &node->inputs[count - 1]->results[0].shape : NULL,
        .input_count = count,
    };
}

double pod_node_flops(const pod_node *node)
{
    if (pod_op_get(node->op)->flops == POD_FLOPS_REGION)
        return region_flops(node);
    const pod_op_sizes sizes = pod_node_sizes(node);
    return pod_op_flops(&sizes);
}
