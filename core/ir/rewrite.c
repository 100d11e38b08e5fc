/* rewrite - see rewrite.h. */

#include "ir/rewrite.h"

#include <assert.h>
#include <string.h>

/* Every rule that knows a value for the node, then the node itself. */
static pod_ref find_or_add(const pod_subject *s)
{
    pod_ref found = pod_ir_fold_constants(s);
    if (found == POD_REF_NONE && !s->r->failed)
        found = pod_ir_simplify(s);
    if (found == POD_REF_NONE && !s->r->failed)
        found = pod_ir_lower_precision(s);
    return found != POD_REF_NONE || s->r->failed ? found : pod_ir_rewrite_add(s);
}

/* A value that equals the node's, rounded where the node's is. */
static pod_ref rewrite_one(const pod_subject *s)
{
    pod_ref found = find_or_add(s);
    if (found == POD_REF_NONE || s->node->wide || !pod_ir_is_wide(s->r->to, found))
        return found;
    return pod_ir_rewrite_convert(s->r, found, s->dtype);
}

/* A node with regions or several results: copied, with its regions rewritten. */
static bool copy_node(pod_rewriter *r, const pod_ir *from, const pod_ir_node *node, const pod_ref *inputs, pod_ref *map)
{
    uint32_t made = pod_ir_add(r->to, node->op, node->input_count, node->value_count, node->attributes);
    if (made == POD_REF_NONE)
        return false;
    pod_ir_node *to = &r->to->nodes[made];
    to->location = node->location;
    to->scope = node->scope;
    to->source = node->source;
    to->wide = node->wide;
    to->regions = node->regions;
    to->region_count = node->region_count;
    if (node->input_count)
        memcpy(pod_ir_inputs(r->to, to), inputs, node->input_count * sizeof *inputs);
    for (uint32_t i = 0; i < node->value_count; i++) {
        const pod_ir_value *value = &from->values[node->value_first + i];
        pod_ir_set_type(r->to, made, i, value->dtype, value->shape);
        map[node->value_first + i] = to->value_first + i;
    }
    for (uint32_t i = 0; i < node->region_count; i++)
        if (!pod_ir_rewrite(r->arena, &to->regions[i], r->precision))
            return false;
    return true;
}

/* How often nodes that are live, and outputs, read each value. */
static void count_uses(const pod_ir *ir, const bool *live, uint32_t *uses)
{
    for (uint32_t i = 0; i < ir->output_count; i++)
        uses[ir->outputs[i]]++;
    for (uint32_t i = 0; i < ir->node_count; i++)
        for (uint32_t j = 0; live[i] && j < ir->nodes[i].input_count; j++)
            uses[pod_ir_inputs(ir, &ir->nodes[i])[j]]++;
}

static bool rewrite_node(pod_rewriter *r, const pod_ir *from, const pod_ir_node *node, const uint32_t *uses,
                         pod_ref *inputs, pod_ref *map)
{
    for (uint32_t i = 0; i < node->input_count; i++)
        inputs[i] = map[pod_ir_inputs(from, node)[i]];
    for (uint32_t i = 0; i < node->input_count; i++)
        assert(inputs[i] < r->to->value_count); /* what a live node reads is live, and came before it */
    r->location = node->location;
    r->scope = node->scope;
    r->wide = node->wide;
    r->unshared = POD_REF_NONE;
    if (node->op == POD_OP_TRANSPOSE && uses[pod_ir_inputs(from, node)[0]] == 1)
        r->unshared = inputs[0];
    bool simple = node->region_count == 0 && node->value_count == 1 && node->op != POD_OP_CALL;
    if (node->op == POD_OP_PARAMETER || (!simple && node->op != POD_OP_REDUCE))
        return copy_node(r, from, node, inputs, map);
    const pod_ir_value *value = &from->values[node->value_first];
    const pod_subject s = {r, node, inputs, value->dtype, value->shape};
    if (node->op == POD_OP_REDUCE) {
        pod_ref found = pod_ir_simplify(&s);
        map[node->value_first] = found;
        return r->failed ? false : found != POD_REF_NONE || copy_node(r, from, node, inputs, map);
    }
    map[node->value_first] = rewrite_one(&s);
    return !r->failed && map[node->value_first] != POD_REF_NONE;
}

static uint32_t most_inputs(const pod_ir *ir)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < ir->node_count; i++)
        if (ir->nodes[i].input_count > most)
            most = ir->nodes[i].input_count;
    return most;
}

/* Region nesting is bounded, so rewriting regions may recurse. */
bool pod_ir_rewrite(pod_arena *arena, pod_ir **ir, pod_precision precision)
{
    const pod_ir *from = *ir;
    pod_rewriter r = {.arena = arena, .rewrite = rewrite_one, .table_mask = 63, .precision = precision};
    while (r.table_mask < from->node_count)
        r.table_mask = r.table_mask * 2 + 1;
    r.table_mask = r.table_mask * 2 + 1;
    r.to = pod_ir_new(arena, from->node_count, from->parameter_count, from->output_count);
    r.table = pod_arena_array(arena, (size_t)r.table_mask + 1, sizeof *r.table);
    bool *live = pod_arena_array(arena, from->node_count, sizeof *live);
    pod_ref *map = pod_arena_array(arena, from->value_count, sizeof *map);
    pod_ref *inputs = pod_arena_array(arena, most_inputs(from), sizeof *inputs);
    uint32_t *uses = pod_arena_array(arena, from->value_count, sizeof *uses);
    if (!r.to || !r.table || !live || !map || !inputs || !uses)
        return false;
    pod_ir_mark_live(from, live);
    count_uses(from, live, uses);
    for (uint32_t i = 0; i < from->node_count; i++)
        if (live[i] && !rewrite_node(&r, from, &from->nodes[i], uses, inputs, map))
            return false;
    for (uint32_t i = 0; i < from->parameter_count; i++)
        r.to->parameters[i] = map[from->parameters[i]];
    for (uint32_t i = 0; i < from->output_count; i++) {
        r.to->outputs[i] = map[from->outputs[i]];
        assert(live[from->values[from->outputs[i]].node]);
        r.to->aliases[i] = from->aliases[i];
    }
    *ir = r.to;
    return true;
}
