#include "graph/node.h"

/* Floating point operations by the classes of the op table. */

static double elements(const pod_type *type)
{
    return (double)pod_shape_elements(&type->shape);
}

static double free_flops(const pod_node *node)
{
    (void)node;
    return 0;
}

static double each_flops(const pod_node *node)
{
    return elements(&node->results[0]);
}

static double each_input_flops(const pod_node *node)
{
    return elements(&node->inputs[0]->results[0]);
}

static double dot_flops(const pod_node *node)
{
    const pod_axes *contract = &node->attributes->lhs_contract;
    double flops = 2 * elements(&node->results[0]);
    for (int32_t i = 0; i < contract->count; i++)
        flops *= (double)node->inputs[0]->results[0].shape.dims[contract->axes[i]];
    return flops;
}

/* A convolution and its two gradients do the same multiplications: each element of the result of
 * the forward direction takes one for each element of a filter. Padding counts, as a chip does it
 * too. */
static double convolution_flops(const pod_node *node)
{
    const pod_type *result = &node->results[0];
    const pod_shape *kernel = &node->inputs[1]->results[0].shape;
    if (node->op == POD_OP_CONVOLUTION_INPUT_GRADIENT)
        result = &node->inputs[0]->results[0];
    if (node->op == POD_OP_CONVOLUTION_KERNEL_GRADIENT) {
        result = &node->inputs[1]->results[0];
        kernel = &node->results[0].shape;
    }
    double flops = 2 * elements(result);
    for (int32_t i = 0; i + 1 < kernel->rank; i++)
        flops *= (double)kernel->dims[i];
    return flops;
}

static double window_flops(const pod_node *node)
{
    const pod_window *window = &node->attributes->window;
    const pod_type *smaller = &node->results[0];
    if (node->op == POD_OP_POOL_MAX_GRADIENT || node->op == POD_OP_POOL_SUM_GRADIENT)
        smaller = &node->inputs[node->input_count - 1]->results[0];
    double flops = elements(smaller);
    for (int32_t i = 0; i < window->rank; i++)
        flops *= (double)window->size[i];
    return flops;
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

double pod_node_flops(const pod_node *node)
{
    static double (*const counts[])(const pod_node *) = {
        [POD_FLOPS_FREE] = free_flops,     [POD_FLOPS_EACH] = each_flops,     [POD_FLOPS_EACH_IN] = each_input_flops,
        [POD_FLOPS_TRANS] = each_flops,    [POD_FLOPS_DOT] = dot_flops,       [POD_FLOPS_CONV] = convolution_flops,
        [POD_FLOPS_WINDOW] = window_flops, [POD_FLOPS_REGION] = region_flops,
    };
    return counts[pod_op_get(node->op)->flops](node);
}
