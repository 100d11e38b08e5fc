/* kernel_nodes - calls and convolutions that kernels take whole: see node_kinds.h. */

#include "compile/node_kinds.h"

#include "compile/compile_costs.h"
#include "graph/ops.h"
#include "kernels/special.h"

#include <string.h>

#define ADAM "adam"

bool pod_compile_is_call_of(const pod_ir_node *node, const char *name)
{
    return node->op == POD_OP_CALL && node->attributes->name && strcmp(node->attributes->name, name) == 0;
}

bool pod_compile_is_adam(const pod_ir_node *node)
{
    return pod_compile_is_call_of(node, ADAM);
}

/* Weight, m, v and gradient of one shape in f32. */
static bool keep_adam(const pod_node *node)
{
    const pod_shape *shape = pod_node_shape(node->inputs[0], 0);
    for (uint32_t i = 0; i < 5; i++)
        if (pod_node_dtype(node->inputs[i], 0) != POD_F32 ||
            (i < 4 && !pod_shape_equal(pod_node_shape(node->inputs[i], 0), shape)))
            return false;
    return pod_shape_elements(shape) > 0 && pod_shape_elements(pod_node_shape(node->inputs[4], 0)) == 1;
}

/* Returns whether a call is a function of blocks of one 32-bit or narrower float type. */
static bool is_element(const pod_node *node)
{
    pod_block_op element;
    pod_dtype dtype = pod_node_dtype(node, 0);
    if (!pod_compile_element_of_call(node->attributes, node->input_count, dtype, &element) ||
        !pod_dtype_is_float(dtype) || pod_kernel_class_of(dtype) != POD_CLASS_F32 ||
        pod_shape_elements(pod_node_shape(node, 0)) == 0)
        return false;
    for (uint32_t i = 0; i < node->input_count; i++)
        if (pod_node_dtype(node->inputs[i], 0) != dtype ||
            !pod_shape_equal(pod_node_shape(node->inputs[i], 0), pod_node_shape(node, 0)))
            return false;
    return true;
}

/* Returns whether a body makes products of rounded operands: kernels of composites round none. */
static bool rounds(const pod_graph *body, pod_precision unasked)
{
    const size_t count = pod_graph_node_count(body);
    for (uint32_t i = 0; i < count; i++) {
        const pod_node *node = pod_graph_get_node(body, i);
        const pod_precision asked = node->attributes->precision;
        if (pod_op_get(node->op)->reads & POD_FIELD_PRECISION &&
            (asked == POD_PRECISION_DEFAULT ? unasked : asked) == POD_PRECISION_ROUNDED)
            return true;
        for (uint32_t r = 0; r < node->region_count; r++)
            if (rounds(node->regions[r], unasked))
                return true;
    }
    return false;
}

/* Returns whether the kernels of composites take a call with these operands. */
static bool has_kernel(const pod_node *node, pod_precision precision)
{
    pod_array arrays[16];
    uint32_t count = node->input_count + node->result_count;
    if (!node->attributes->name || count > 16)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        bool result = i >= node->input_count;
        const pod_node *of = result ? node : node->inputs[i];
        uint32_t at = result ? i - node->input_count : 0;
        arrays[i] = (pod_array){.dtype = pod_node_dtype(of, at), .shape = *pod_node_shape(of, at)};
    }
    if (count > 0 && arrays[0].dtype == POD_F32 && rounds(node->regions[0], precision))
        return false;
    pod_kernel_call made = {.attributes = node->attributes,
                            .inputs = arrays,
                            .input_count = node->input_count,
                            .outputs = arrays + node->input_count,
                            .output_count = node->result_count};
    return pod_kernel_of_composite(node->attributes->name, &made) != NULL;
}

bool pod_compile_keep_call(const pod_node *node, pod_precision precision)
{
    const char *name = node->attributes->name;
    if (is_element(node))
        return true;
    if (name && strcmp(name, ADAM) == 0 && node->input_count == 5 && node->result_count == 3)
        return keep_adam(node);
    bool loss = name && strcmp(name, POD_CALL_LOSS) == 0 && node->input_count == 2;
    bool gradient = name && strcmp(name, POD_CALL_GRADIENT) == 0 && node->input_count == 3;
    if (!loss && !gradient)
        return has_kernel(node, precision);
    pod_dtype logits = pod_node_dtype(node->inputs[0], 0);
    return pod_ir_is_product_type(logits) && pod_shape_elements(pod_node_shape(node->inputs[0], 0)) > 0 &&
           pod_node_dtype(node->inputs[1], 0) == POD_S32 && pod_node_dtype(node, 0) == (loss ? POD_F32 : logits) &&
           (loss || pod_node_dtype(node->inputs[2], 0) == POD_F32);
}

/* ---- convolutions --------------------------------------------------------------------------------- */

/* A depthwise convolution, or a gradient of one, has a kernel of its own. */
static bool has_special(const pod_ir *ir, const pod_ir_node *node, const pod_kernels *kernels)
{
    pod_array arrays[3];
    const pod_ref *inputs = pod_ir_inputs(ir, node);
    pod_ref values[3] = {inputs[0], inputs[1], node->value_first};
    for (int i = 0; i < 3; i++)
        arrays[i] = pod_ir_array(ir, values[i]);
    pod_kernel_call call = {node->attributes, arrays, 2, arrays + 2, 1, NULL, .kernels = NULL};
    const char *name = pod_op_name(node->op);
    return pod_kernel_find(kernels, name, &call) != pod_kernel_reference_kernel(name);
}

bool pod_compile_is_convolution(const pod_ir *ir, const pod_ir_node *node, const pod_kernels *kernels, bool predicts)
{
    if (node->op != POD_OP_CONVOLUTION && node->op != POD_OP_CONVOLUTION_INPUT_GRADIENT &&
        node->op != POD_OP_CONVOLUTION_KERNEL_GRADIENT)
        return false;
    const pod_ref *inputs = pod_ir_inputs(ir, node);
    pod_dtype left = ir->values[inputs[0]].dtype, right = ir->values[inputs[1]].dtype;
    return left == right && pod_ir_is_product_type(left) &&
           pod_ir_is_product_type(ir->values[node->value_first].dtype) &&
           ((predicts && node->op == POD_OP_CONVOLUTION) || !has_special(ir, node, kernels));
}

/* Tiles of an input gradient with strides do not come in the order of rows, and where images are few those of a band or
 * of some columns do not. */
bool pod_compile_convolution_in_order(const pod_ir_node *node, const pod_shape *result)
{
    const pod_window *window = &node->attributes->window;
    if (node->op != POD_OP_CONVOLUTION_KERNEL_GRADIENT && result->dims[0] < POD_FEWEST_IMAGES)
        return false;
    for (int32_t i = 0; i < window->rank; i++)
        if (node->op == POD_OP_CONVOLUTION_INPUT_GRADIENT && window->stride[i] > 1)
            return false;
    return true;
}
