/*
 * join_meetings - ranks that meet pay for each meeting, however little they exchange. So gradients, losses and counts
 * of a step go in as few as there can be: nodes of one level, which is how many meetings come before them, meet at
 * once. Levels are found before any other pass, since the ranks' programs are alike there and later may not be: who
 * has no rows computes less. All meet in the same order, of the same parts. Where there is much, as of the gradients of
 * a large model, it falls into buckets: what the backward pass makes first crosses while it goes on.
 */

#include "ir/ir.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define BUCKET_BYTES ((int64_t)4 << 20) /* from which on a bucket is full */

bool pod_ir_meets(const pod_ir_node *node)
{
    return (node->op == POD_OP_ALL_REDUCE || node->op == POD_OP_ALL_GATHER) && node->attributes->flag;
}

typedef struct joiner {
    pod_arena *arena;
    const pod_ir *from;
    pod_ir *to;
    uint32_t *levels; /* of each node: meetings before it */
    pod_ref *map;     /* of each value: that of `to` */
} joiner;

/* Fills in the levels; returns the highest of a meeting + 1, or 0 where there is none. */
static uint32_t find_levels(joiner *j)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < j->from->node_count; i++) {
        const pod_ir_node *node = &j->from->nodes[i];
        uint32_t level = 0;
        for (uint32_t k = 0; k < node->input_count; k++) {
            const uint32_t maker = j->from->values[pod_ir_inputs(j->from, node)[k]].node;
            const uint32_t after = j->levels[maker] + pod_ir_meets(&j->from->nodes[maker]);
            level = after > level ? after : level;
        }
        j->levels[i] = level;
        count = pod_ir_meets(node) && level >= count ? level + 1 : count;
    }
    return count;
}

static void copy_values(joiner *j, const pod_ir_node *node, uint32_t made, uint32_t first)
{
    for (uint32_t k = 0; k < node->value_count; k++) {
        const pod_ir_value *value = &j->from->values[node->value_first + k];
        pod_ir_set_type(j->to, made, first + k, value->dtype, value->shape);
        j->map[node->value_first + k] = j->to->nodes[made].value_first + first + k;
    }
}

static bool copy_node(joiner *j, const pod_ir_node *node)
{
    const uint32_t made = pod_ir_add(j->to, node->op, node->input_count, node->value_count, node->attributes);
    if (made == POD_REF_NONE)
        return false;
    pod_ir_node copy = *node;
    copy.input_first = j->to->nodes[made].input_first;
    copy.value_first = j->to->nodes[made].value_first;
    j->to->nodes[made] = copy;
    for (uint32_t k = 0; k < node->input_count; k++)
        pod_ir_inputs(j->to, &j->to->nodes[made])[k] = j->map[pod_ir_inputs(j->from, node)[k]];
    copy_values(j, node, made, 0);
    return true;
}

/* Makes one node of `count` meetings, which ends them or begins them alone. */
static bool join(joiner *j, const uint32_t *nodes, uint32_t count, bool begins)
{
    const pod_ir_node *first = &j->from->nodes[nodes[0]];
    pod_attributes *attributes = pod_arena_copy(j->arena, first->attributes, sizeof *attributes);
    int32_t *ways = pod_arena_array(j->arena, count, sizeof *ways);
    const uint32_t made = pod_ir_add(j->to, POD_OP_ALL_REDUCE, count, count, attributes);
    if (!attributes || !ways || made == POD_REF_NONE)
        return false;
    attributes->data = ways;
    attributes->axis = begins ? POD_IR_BEGINS : 0;
    pod_ir_node *joined = &j->to->nodes[made];
    joined->attributes = attributes;
    joined->source = first->source;
    joined->outer = first->outer;
    joined->location = first->location;
    joined->scope = first->scope;
    for (uint32_t i = 0; i < count; i++) {
        const pod_ir_node *node = &j->from->nodes[nodes[i]];
        assert(node->attributes->count == attributes->count && node->input_count == 1 && node->value_count == 1);
        attributes->seed = (attributes->seed ^ node->attributes->seed) * 0x9e3779b97f4a7c15u;
        ways[i] = node->op == POD_OP_ALL_GATHER ? POD_IR_GATHERS : (int32_t)node->attributes->reduction;
        pod_ir_inputs(j->to, joined)[i] = j->map[pod_ir_inputs(j->from, node)[0]];
        copy_values(j, node, made, i);
    }
    return true;
}

/* Ends what was begun: see ir.h. */
static bool end_meetings(joiner *j, const uint32_t *nodes, uint32_t count)
{
    const pod_ir_node *last = &j->from->nodes[nodes[count - 1]];
    pod_attributes *attributes = pod_arena_copy(j->arena, last->attributes, sizeof *attributes);
    const uint32_t made = pod_ir_add(j->to, POD_OP_ALL_REDUCE, 2 * count, count, attributes);
    if (!attributes || made == POD_REF_NONE)
        return false;
    attributes->data = NULL;
    attributes->axis = 0;
    pod_ir_node *end = &j->to->nodes[made];
    end->attributes = attributes;
    end->source = last->source;
    end->outer = last->outer;
    end->location = last->location;
    end->scope = last->scope;
    for (uint32_t i = 0; i < count; i++) {
        const pod_ir_node *node = &j->from->nodes[nodes[i]];
        pod_ir_inputs(j->to, end)[i] = j->map[node->value_first];
        pod_ir_inputs(j->to, end)[count + i] = j->map[pod_ir_inputs(j->from, node)[0]];
        copy_values(j, node, made, i);
    }
    return true;
}

static int64_t bytes_of(const joiner *j, uint32_t index)
{
    const pod_ir_value *value = &j->from->values[pod_ir_inputs(j->from, &j->from->nodes[index])[0]];
    return pod_shape_elements(value->shape) * (int64_t)pod_dtype_size(value->dtype);
}

/* A meeting, and the node that makes what it is of: the earlier one comes first. */
typedef struct ordered {
    uint32_t maker, node;
} ordered;

static int compare_ordered(const void *a, const void *b)
{
    const ordered *x = a, *y = b;
    return x->maker != y->maker ? (x->maker < y->maker ? -1 : 1) : (x->node > y->node) - (x->node < y->node);
}

static bool join_in_buckets(joiner *j, uint32_t *nodes, uint32_t count)
{
    ordered *order = pod_arena_array(j->arena, count, sizeof *order);
    int64_t bytes = 0;
    uint32_t begun = 0;
    if (!order)
        return false;
    for (uint32_t i = 0; i < count; i++)
        order[i] = (ordered){j->from->values[pod_ir_inputs(j->from, &j->from->nodes[nodes[i]])[0]].node, nodes[i]};
    qsort(order, count, sizeof *order, compare_ordered);
    for (uint32_t i = 0; i < count; i++)
        nodes[i] = order[i].node;
    for (uint32_t i = 0; i < count; i++) {
        bytes += bytes_of(j, nodes[i]);
        if (bytes < BUCKET_BYTES && i + 1 < count)
            continue;
        const bool all = begun == 0 && i + 1 == count;
        if (!join(j, nodes + begun, i + 1 - begun, !all))
            return false;
        if (all)
            return true;
        begun = i + 1;
        bytes = 0;
    }
    return end_meetings(j, nodes, count);
}

/* The nodes of one level in their order, and then where they meet. */
static bool copy_level(joiner *j, const uint32_t *nodes, uint32_t count, uint32_t *meeting)
{
    uint32_t meetings = 0;
    for (uint32_t i = 0; i < count; i++) {
        const pod_ir_node *node = &j->from->nodes[nodes[i]];
        if (pod_ir_meets(node))
            meeting[meetings++] = nodes[i];
        else if (!copy_node(j, node))
            return false;
    }
    return meetings == 0 || join_in_buckets(j, meeting, meetings);
}

/* Nodes sorted by level, in their order: counts, then places. */
static bool copy_all(joiner *j, uint32_t levels)
{
    const uint32_t nodes = j->from->node_count;
    uint32_t *begin = pod_arena_array(j->arena, (size_t)levels + 2, sizeof *begin);
    uint32_t *sorted = pod_arena_array(j->arena, nodes, sizeof *sorted);
    uint32_t *meeting = pod_arena_array(j->arena, nodes, sizeof *meeting);
    if (!begin || !sorted || !meeting)
        return false;
    for (uint32_t i = 0; i < nodes; i++)
        begin[j->levels[i] + 1]++;
    for (uint32_t i = 1; i < levels + 2; i++)
        begin[i] += begin[i - 1];
    for (uint32_t i = 0; i < nodes; i++)
        sorted[begin[j->levels[i]]++] = i; /* begin[l] becomes where level l ends */
    for (uint32_t i = 0; i <= levels; i++) {
        const uint32_t first = i > 0 ? begin[i - 1] : 0;
        if (!copy_level(j, sorted + first, begin[i] - first, meeting))
            return false;
    }
    return true;
}

bool pod_ir_join_meetings(pod_arena *arena, pod_ir **ir)
{
    const pod_ir *from = *ir;
    joiner j = {.arena = arena, .from = from};
    j.levels = pod_arena_array(arena, from->node_count, sizeof *j.levels);
    if (!j.levels)
        return false;
    const uint32_t levels = find_levels(&j);
    if (levels == 0)
        return true;
    j.map = pod_arena_array(arena, from->value_count, sizeof *j.map);
    j.to = pod_ir_new(arena, from->node_count, from->parameter_count, from->output_count);
    if (!j.map || !j.to || !copy_all(&j, levels))
        return false;
    for (uint32_t i = 0; i < from->parameter_count; i++)
        j.to->parameters[i] = j.map[from->parameters[i]];
    for (uint32_t i = 0; i < from->output_count; i++) {
        j.to->outputs[i] = j.map[from->outputs[i]];
        j.to->aliases[i] = from->aliases[i];
    }
    *ir = j.to;
    return true;
}
