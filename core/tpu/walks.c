/* walks - see walks.h: from a node back to what it is computed from, and from a value on. They change nothing. */

#include "tpu/walks.h"

/* Tells whether a node reads what is stored beside an operand: updates the parameter of which lookups read a copy; max
 * pooling what an activation is computed from; all but lookups and views what a product's wider value is converted
 * from. */
static bool reads_before(const pod_tpu_lowering *lowering, const pod_ir_node *node, pod_ref operand)
{
    if (lowering->tables[operand].table_copy && !lowering->tables[operand].held)
        return pod_tpu_is_elementwise(node);
    if (!lowering->values[operand].before)
        return false;
    if (lowering->parts[operand].for_lookups)
        return node->op != POD_OP_GATHER;
    if (pod_tpu_converts(pod_tpu_maker(lowering, operand)))
        return node->op != POD_OP_GATHER && node->op != POD_OP_RESHAPE && node->op != POD_OP_TRANSPOSE;
    return node->op == POD_OP_POOL_MAX;
}

/* Tells whether a node computes an operand anew though that is stored: but for concatenations that are normalised what
 * is stored for them, and those what they join in one another; sums what is stored for dots. `root` computes the node.
 */
static bool reads_through(const pod_tpu_lowering *lowering, const pod_ir_node *root, const pod_ir_node *node,
                          pod_ref operand)
{
    const pod_tpu_part *part = &lowering->parts[operand];
    if (node->op == POD_OP_CONCATENATE && lowering->parts[node->value_first].normalised)
        return part->normalised && pod_tpu_maker(lowering, operand)->op == POD_OP_CONCATENATE;
    return part->for_join || (part->for_dots && pod_tpu_is_reduction(root->op));
}

bool pod_tpu_walk_next_maker(pod_tpu_walk *walk, const pod_ir_node **node)
{
    pod_ref value;
    if (!pod_tpu_walk_next(walk, &value))
        return false;
    *node = pod_tpu_maker(walk->lowering, value);
    return true;
}

pod_tpu_sources pod_tpu_sources_of(pod_tpu_lowering *lowering, const pod_ir_node *node)
{
    return (pod_tpu_sources){.walk = pod_tpu_walk_begin(lowering), .root = node, .node = node};
}

bool pod_tpu_next_source(pod_tpu_sources *s, pod_ref *value)
{
    pod_tpu_lowering *lowering = s->walk.lowering;
    for (;;) {
        while (s->input < s->node->input_count) {
            const pod_ref input = pod_tpu_inputs(lowering, s->node)[s->input++];
            *value = reads_before(lowering, s->node, input) ? lowering->values[input].before - 1 : input;
            if (!pod_tpu_walk_sees(&s->walk, *value))
                continue;
            const pod_tpu_kind kind = pod_tpu_kind_of(lowering, *value);
            if ((lowering->values[*value].stored && !reads_through(lowering, s->root, s->node, *value)) ||
                kind == POD_TPU_KIND_LEAF || kind == POD_TPU_KIND_CONSTANT)
                return true;
            pod_tpu_walk_push(&s->walk, *value);
        }
        if (!pod_tpu_walk_next_maker(&s->walk, &s->node))
            return false;
        s->input = 0;
        if (s->tally)
            pod_tpu_tally_node(s->tally, lowering, s->node);
    }
}

bool pod_tpu_next_use(pod_tpu_uses *uses, uint32_t *node)
{
    const pod_tpu_lowering *lowering = uses->walk.lowering;
    for (; uses->user == lowering->values[uses->value].user_count; uses->user = 0)
        if (!pod_tpu_walk_next(&uses->walk, &uses->value))
            return false;
    *node = lowering->users[lowering->values[uses->value].user_first + uses->user++];
    return true;
}

#define FARTHEST 4096 /* values looked at when asking what a value leads to */

bool pod_tpu_leads_to(pod_tpu_lowering *lowering, pod_ref value, uint32_t node)
{
    uint32_t seen = 0, user;
    pod_tpu_uses uses = pod_tpu_uses_of(lowering, value);
    while (pod_tpu_next_use(&uses, &user)) {
        const pod_ir_node *n = &lowering->ir->nodes[user];
        if (user == node || seen == FARTHEST)
            return true;
        for (uint32_t j = 0; user < node && j < n->value_count; j++)
            if (pod_tpu_walk_sees(&uses.walk, n->value_first + j)) {
                pod_tpu_walk_push(&uses.walk, n->value_first + j);
                seen++;
            }
    }
    return false;
}

bool pod_tpu_is_number(const pod_tpu_lowering *lowering, pod_ref value)
{
    const pod_ir_node *node = pod_tpu_maker(lowering, value);
    return pod_tpu_kind_of(lowering, value) == POD_TPU_KIND_CONSTANT ||
           (node->op == POD_OP_BROADCAST && lowering->values[pod_tpu_inputs(lowering, node)[0]].elements == 1);
}
