/* dead_code - finds the nodes whose values matter. */

#include "ir/rewrite.h"

/* Nodes that are there for what they do. */
static bool has_effect(const pod_ir_node *node)
{
    if (node->op == POD_OP_CHECK || node->op == POD_OP_PRINT || node->op == POD_OP_PARAMETER || pod_ir_meets(node))
        return true;
    for (uint32_t i = 0; i < node->region_count; i++)
        for (uint32_t j = 0; j < node->regions[i]->node_count; j++) {
            const pod_ir_node *inner = &node->regions[i]->nodes[j];
            if (inner->op != POD_OP_PARAMETER && has_effect(inner))
                return true;
        }
    return false;
}

/* Operands stand before their users, so one walk backwards sees all. */
void pod_ir_mark_live(const pod_ir *ir, bool *live)
{
    for (uint32_t i = 0; i < ir->output_count; i++)
        live[ir->values[ir->outputs[i]].node] = true;
    for (uint32_t i = ir->node_count; i-- > 0;) {
        const pod_ir_node *node = &ir->nodes[i];
        live[i] = live[i] || has_effect(node);
        for (uint32_t j = 0; live[i] && j < node->input_count; j++)
            live[ir->values[pod_ir_inputs(ir, node)[j]].node] = true;
    }
}
