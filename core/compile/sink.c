/*
 * sink - moves elementwise nodes from the loop where they could first run to the only loop that uses
 * them, where that does not store more bytes: what the backward pass alone needs of an activation is
 * then computed there, from what is stored anyway.
 */

#include "compile/fuse.h"

#define LOOP_NODES 96

/* Users of each value, seen through views. */
typedef struct users {
    uint32_t *first; /* of value i: list[first[i] .. first[i + 1] - 1] */
    uint32_t *list;  /* nodes */
    bool *is_output;
} users;

static bool sees_through(const pod_fusion *f, uint32_t node)
{
    return f->roles[node] == POD_ROLE_VIEW || f->roles[node] == POD_ROLE_NONE;
}

static bool find_users(const pod_fusion *f, users *u)
{
    const pod_ir *ir = f->ir;
    u->first = pod_arena_array(f->arena, (size_t)ir->value_count + 2, sizeof *u->first);
    u->list = pod_arena_array(f->arena, ir->input_count, sizeof *u->list);
    u->is_output = pod_arena_array(f->arena, ir->value_count, sizeof *u->is_output);
    if (!u->first || !u->list || !u->is_output)
        return false;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < ir->node_count; i++) {
            const pod_ir_node *node = &ir->nodes[i];
            for (uint32_t j = 0; j < node->input_count && !sees_through(f, i); j++) {
                pod_ref base = f->views[pod_ir_inputs(ir, node)[j]].base;
                if (pass == 0)
                    u->first[base + 2]++;
                else
                    u->list[u->first[base + 1]++] = i;
            }
        }
        for (uint32_t i = 2; pass == 0 && i < ir->value_count + 2; i++)
            u->first[i] += u->first[i - 1];
    }
    for (uint32_t i = 0; i < ir->output_count; i++)
        u->is_output[f->views[ir->outputs[i]].base] = true;
    return true;
}

/* The one loop, other than the node's own, that has all users of a value, reading it as a register;
 * else POD_NO_LOOP. */
static uint32_t only_user(const pod_fusion *f, const users *u, uint32_t node, pod_ref value)
{
    uint32_t own = pod_compile_loop_of_node(f, node), found = POD_NO_LOOP;
    if (u->is_output[value])
        return POD_NO_LOOP;
    for (uint32_t i = u->first[value]; i < u->first[value + 1]; i++) {
        uint32_t user = u->list[i], number = pod_compile_loop_of_node(f, user);
        const pod_ir_node *to = &f->ir->nodes[user];
        bool reads = f->roles[user] == POD_ROLE_ELEMENT || f->roles[user] == POD_ROLE_REDUCTION;
        if (!reads || number == own || (found != POD_NO_LOOP && number != found) || to->op == POD_OP_RANDOM_BITS ||
            f->loops[number].elements != pod_shape_elements(f->ir->values[value].shape))
            return POD_NO_LOOP;
        for (uint32_t j = 0; j < to->input_count; j++) {
            const pod_view *view = &f->views[pod_ir_inputs(f->ir, to)[j]];
            if (view->base == value && !pod_ir_view_is_dense(view))
                return POD_NO_LOOP;
        }
        found = number;
    }
    return found;
}

/* Returns whether a value of a loop is stored whatever becomes of `node`. */
static bool is_stored_anyway(const pod_fusion *f, const users *u, pod_ref value, uint32_t node)
{
    uint32_t number = pod_compile_loop_of_node(f, f->ir->values[value].node);
    if (u->is_output[value])
        return true;
    for (uint32_t i = u->first[value]; i < u->first[value + 1]; i++)
        if (u->list[i] != node && pod_compile_loop_of_node(f, u->list[i]) != number)
            return true;
    return false;
}

static void try_sink(pod_fusion *f, const users *u, uint32_t node)
{
    const pod_ir_node *it = &f->ir->nodes[node];
    uint32_t own = pod_compile_loop_of_node(f, node);
    uint32_t target = only_user(f, u, node, it->value_first);
    if (target == POD_NO_LOOP || f->loops[target].nodes + 1 >= LOOP_NODES)
        return;
    int64_t more = 0;
    for (uint32_t i = 0; i < it->input_count; i++) {
        pod_ref base = f->views[pod_ir_inputs(f->ir, it)[i]].base;
        bool inside = pod_compile_loop_of_node(f, f->ir->values[base].node) == own;
        if (inside && !is_stored_anyway(f, u, base, node))
            more += pod_ir_bytes(f->ir, base);
    }
    /* What a product's tile is good for costs nothing there. */
    bool tile = f->loops[own].product != POD_NO_NODE;
    if (more > pod_ir_bytes(f->ir, it->value_first) || (tile && more == pod_ir_bytes(f->ir, it->value_first)))
        return;
    f->loops[own].nodes--;
    f->loops[target].nodes++;
    f->loop_of[node] = target;
    f->stages[node] = f->loops[target].stage;
}

bool pod_compile_sink_nodes(pod_fusion *fusion)
{
    users u;
    if (!find_users(fusion, &u))
        return false;
    for (uint32_t i = fusion->ir->node_count; i-- > 0;)
        if (fusion->roles[i] == POD_ROLE_ELEMENT && fusion->ir->nodes[i].op != POD_OP_RANDOM_BITS &&
            fusion->ir->nodes[i].value_count == 1)
            try_sink(fusion, &u, i);
    return true;
}
