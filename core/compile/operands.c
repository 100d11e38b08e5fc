/* operands - what products read by strides, and what gradients of poolings read in the place of x: see operands.h. */

#include "compile/operands.h"

#include "kernels/special.h"

#include <string.h>

bool pod_compile_matrix_strides(const pod_view *view, int64_t *outer, int64_t *inner)
{
    int32_t rank = view->shape.rank;
    *outer = view->shape.dims[rank - 2] == 1 ? 1 : view->strides[rank - 2];
    *inner = view->shape.dims[rank - 1] == 1 ? 1 : view->strides[rank - 1];
    for (int32_t i = 0; i < rank; i++)
        if (view->strides[i] < 0)
            return false;
    return *outer > 0 && *inner > 0 && (*outer == 1 || *inner == 1);
}

bool pod_compile_batch_strides(const pod_view *view, int64_t *outer, int64_t *inner)
{
    int32_t batches = view->shape.rank - 2;
    *outer = batches > 0 ? view->strides[0] : 0;
    *inner = batches > 1 ? view->strides[batches - 1] : 0;
    for (int32_t i = 1; i + 1 < batches; i++)
        if (view->strides[i] != view->strides[i + 1] * view->shape.dims[i + 1])
            return false;
    return true;
}

static bool can_read(const pod_view *view)
{
    int64_t outer, inner;
    return pod_compile_matrix_strides(view, &outer, &inner) && pod_compile_batch_strides(view, &outer, &inner);
}

/* A bf16 copy of f32 parameters need not be stored for b of a product of bf16: packing converts. */
static bool see_through_convert(const pod_fusion *f, pod_view *view)
{
    const pod_ir *ir = f->ir;
    const pod_ir_node *maker = pod_ir_maker(ir, view->base);
    if (maker->op != POD_OP_CONVERT || ir->values[view->base].dtype != POD_BF16)
        return false;
    const pod_view *inner = &f->views[pod_ir_inputs(ir, maker)[0]];
    const pod_ir_value *base = &ir->values[inner->base];
    if (f->roles[base->node] != POD_ROLE_LEAF || base->dtype != POD_F32 || !pod_ir_view_is_dense(inner) ||
        pod_shape_elements(base->shape) != pod_shape_elements(ir->values[view->base].shape))
        return false;
    view->base = inner->base;
    return true;
}

bool pod_compile_product_operand(const pod_fusion *fusion, const pod_ir_node *node, uint32_t operand, pod_view *view)
{
    const pod_fusion *f = fusion;
    const pod_ir *ir = f->ir;
    const pod_ref value = pod_compile_passed_on(ir, pod_ir_inputs(ir, node)[operand]);
    pod_dtype dtype = ir->values[value].dtype;
    *view = f->views[value];
    bool generated = pod_compile_is_generated(f, view);
    bool converted = operand == 1 && dtype == POD_BF16 && see_through_convert(f, view);
    if (!generated && can_read(view) && (converted || ir->values[view->base].dtype == dtype))
        return true;
    *view = pod_ir_view_dense(value, ir->values[value].shape);
    return false;
}

bool pod_compile_outer_parts(const pod_view *view, const pod_slot *slot)
{
    int64_t reach = 0;
    for (int32_t i = 1; i < view->shape.rank; i++)
        reach += view->strides[i] * (view->shape.dims[i] - 1);
    return view->offset == 0 && reach < view->strides[0] &&
           view->strides[0] * view->shape.dims[0] == pod_shape_elements(slot->shape);
}

/* ---- poolings -------------------------------------------------------------------------------------- */

/* Returns whether the family in use has both kernels. */
static bool has_kernels(const pod_fusion *f, const pod_ir_node *pooling, const pod_ir_node *gradient)
{
    const pod_ref *inputs = pod_ir_inputs(f->ir, gradient);
    pod_array x = pod_ir_array(f->ir, inputs[0]), g = pod_ir_array(f->ir, inputs[1]);
    pod_array given = pod_ir_array(f->ir, gradient->value_first), positions = g;
    positions.dtype = POD_U8;
    pod_array results[2] = {pod_ir_array(f->ir, pooling->value_first), positions};
    pod_array operands[2] = {positions, g};
    const char *forward = pod_op_name(POD_OP_POOL_MAX), *back = pod_op_name(gradient->op);
    pod_kernel_call there = {pooling->attributes, &x, 1, results, 2, NULL, .kernels = NULL};
    pod_kernel_call here = {gradient->attributes, operands, 2, &given, 1, NULL, .kernels = NULL};
    return pod_kernel_find(f->kernels, forward, &there) != pod_kernel_reference_kernel(forward) &&
           pod_kernel_find(f->kernels, back, &here) != pod_kernel_reference_kernel(back);
}

uint32_t pod_compile_find_pooling(const pod_fusion *fusion, const pod_ir_node *gradient)
{
    if (gradient->op != POD_OP_POOL_MAX_GRADIENT || fusion->no_fusion)
        return POD_NO_NODE;
    uint32_t found = fusion->pooled[pod_ir_inputs(fusion->ir, gradient)[0]];
    if (found == POD_NO_NODE)
        return POD_NO_NODE;
    const pod_ir_node *pooling = &fusion->ir->nodes[found];
    bool same =
        memcmp(&pooling->attributes->window, &gradient->attributes->window, sizeof gradient->attributes->window) == 0;
    return same && has_kernels(fusion, pooling, gradient) ? found : POD_NO_NODE;
}
