/* fusion - see fusion.h. */

#include "compile/fusion.h"
#include "base/sets.h"
#include "compile/node_kinds.h"

#include <assert.h>

uint32_t pod_compile_loop_of_node(const pod_fusion *fusion, uint32_t node)
{
    assert(node < fusion->ir->node_count);
    uint32_t number = fusion->loop_of[node];
    return number == POD_NO_LOOP ? POD_NO_LOOP : pod_set_of(fusion->parents, number);
}

pod_ref pod_compile_passed_on(const pod_ir *ir, pod_ref value)
{
    const pod_ir_node *maker = pod_ir_maker(ir, value);
    while (maker->op == POD_OP_CHECK || maker->op == POD_OP_PRINT) {
        value = pod_ir_inputs(ir, maker)[0];
        maker = pod_ir_maker(ir, value);
    }
    return value;
}

bool pod_compile_is_generated(const pod_fusion *fusion, const pod_view *view)
{
    return view->counts || fusion->roles[fusion->ir->values[view->base].node] == POD_ROLE_VIEW;
}

bool pod_compile_can_join(const pod_fusion *fusion, const pod_view *view, int64_t elements)
{
    pod_role role = fusion->roles[fusion->ir->values[view->base].node];
    return (role == POD_ROLE_ELEMENT || role == POD_ROLE_PRODUCT || role == POD_ROLE_COPY) && !view->counts &&
           pod_ir_elements(fusion->ir, view->base) == elements && pod_ir_view_is_dense(view);
}

uint32_t pod_compile_row_loop(const pod_fusion *fusion, pod_ref value)
{
    uint32_t maker = fusion->ir->values[value].node;
    if (fusion->roles[maker] != POD_ROLE_REDUCTION && fusion->roles[maker] != POD_ROLE_ROW)
        return POD_NO_LOOP;
    uint32_t number = pod_set_of(fusion->parents, fusion->loop_of[maker]);
    const pod_fused_loop *loop = &fusion->loops[number];
    if (fusion->roles[maker] == POD_ROLE_REDUCTION) {
        const pod_reduction_split split = pod_compile_reduction_split(fusion->ir, &fusion->ir->nodes[maker]);
        if (split.rows < 2 || split.inner != 1)
            return POD_NO_LOOP;
    }
    bool fits = loop->rows == pod_ir_elements(fusion->ir, value) && loop->elements > loop->rows &&
                loop->elements / loop->rows <= POD_BLOCK;
    return fits ? number : POD_NO_LOOP;
}

bool pod_compile_is_row_value(const pod_fusion *fusion, pod_ref value)
{
    return pod_compile_row_loop(fusion, value) != POD_NO_LOOP;
}

bool pod_compile_can_spread(const pod_fusion *fusion, const pod_view *view, int64_t elements)
{
    uint32_t number = pod_compile_row_loop(fusion, view->base);
    if (number == POD_NO_LOOP || fusion->loops[number].elements != elements ||
        pod_shape_elements(&view->shape) != elements)
        return false;
    pod_view flat = pod_ir_view_collapse(view);
    return flat.offset == 0 && flat.shape.rank == 2 && flat.strides[0] == 1 && flat.strides[1] == 0 &&
           flat.shape.dims[0] == fusion->loops[number].rows;
}

bool pod_compile_reads_register(const pod_fusion *fusion, uint32_t node, const pod_view *view)
{
    uint32_t number = pod_compile_loop_of_node(fusion, node);
    uint32_t maker = fusion->ir->values[view->base].node;
    if (number == POD_NO_LOOP || pod_compile_loop_of_node(fusion, maker) != number)
        return false;
    if (fusion->roles[node] == POD_ROLE_ROW)
        return pod_compile_row_loop(fusion, view->base) == number && pod_ir_view_is_dense(view);
    int64_t elements = fusion->loops[number].elements;
    return pod_compile_can_join(fusion, view, elements) || pod_compile_can_spread(fusion, view, elements);
}
