/* stored_values - which values have memory of their own: see fuse.h. */

#include "compile/fuse.h"
#include "compile/operands.h"

#include <string.h>

/* Keeps what a view sees in memory, or what it is computed from again. */
static void keep(pod_fusion *f, const pod_view *view)
{
    pod_ref base = view->base;
    if (pod_compile_is_generated(f, view))
        return;
    if (!f->recomputed[base]) {
        f->stored[base] = true;
        return;
    }
    const pod_ir_node *maker = pod_ir_maker(f->ir, base);
    for (uint32_t i = 0; i < maker->input_count; i++)
        keep(f, &f->views[pod_ir_inputs(f->ir, maker)[i]]);
}

static void store(pod_fusion *f, pod_ref value)
{
    value = pod_compile_passed_on(f->ir, value);
    uint32_t node = f->ir->values[value].node;
    if (f->roles[node] == POD_ROLE_COPY)
        f->stored[value] = true;
    else
        f->stored[f->views[value].base] = true;
}

static void store_operands(pod_fusion *f, uint32_t index)
{
    const pod_ir_node *node = &f->ir->nodes[index];
    const pod_ref *inputs = pod_ir_inputs(f->ir, node);
    for (uint32_t i = 0; i < node->input_count; i++) {
        const pod_view *seen = &f->views[inputs[i]];
        pod_view strided;
        switch (f->roles[index]) {
        case POD_ROLE_COPY:
        case POD_ROLE_ELEMENT:
        case POD_ROLE_ROW:
        case POD_ROLE_REDUCTION:
            if (node->op == POD_OP_RANDOM_BITS) {
                if (i == 0)
                    store(f, inputs[i]);
                break;
            }
            if (!pod_compile_reads_register(f, index, seen))
                keep(f, seen);
            break;
        case POD_ROLE_PRODUCT:
            if (node->op == POD_OP_DOT && pod_compile_product_operand(f, node, i, &strided))
                f->stored[strided.base] = true;
            else
                store(f, inputs[i]);
            break;
        case POD_ROLE_SINGLE:
        case POD_ROLE_ALIAS:
            if (i > 0 || (node->op != POD_OP_CHECK && f->poolings[index] == POD_NO_NODE))
                store(f, inputs[i]);
            break;
        case POD_ROLE_NONE:
        case POD_ROLE_LEAF:
        case POD_ROLE_VIEW:
            break;
        }
    }
}

void pod_compile_find_stored(pod_fusion *fusion)
{
    memset(fusion->stored, 0, fusion->ir->value_count * sizeof *fusion->stored);
    for (uint32_t i = 0; i < fusion->ir->node_count; i++)
        store_operands(fusion, i);
    for (uint32_t i = 0; i < fusion->ir->output_count; i++)
        store(fusion, fusion->ir->outputs[i]);
}
