/*
 * recompute - values that loops compute again where they need them instead of reading them: those that
 * take a few cheap steps from what is stored anyway, from one element a row, or from something narrower.
 * What the backward pass asks of a normalisation is then made of its input, the mean and the deviation.
 */

#include "compile/fuse.h"
#include "compile/node_kinds.h"

/* Steps that computing a value again may take. */
#define MOST_STEPS 8
#define MOST_TRIES 64

/* Values are this many times smaller when storing them costs next to nothing. */
#define SMALL 8

/* Holds what computing one value again would take. */
typedef struct recompute_search {
    const pod_fusion *f;
    pod_ref target;
    uint32_t steps;
    uint32_t tries;               /* never taken back: a bound on the search */
    int64_t read, stored;         /* bytes of full size: to be read, and to be stored for that */
    pod_ref seen[MOST_STEPS * 4]; /* counted already */
    uint32_t seen_count;
} recompute_search;

static bool is_cheap(pod_op op)
{
    static const bool cheap[POD_OP_COUNT] = {
        [POD_OP_NEGATE] = true,  [POD_OP_ABS] = true,      [POD_OP_NOT] = true,      [POD_OP_CONVERT] = true,
        [POD_OP_ADD] = true,     [POD_OP_SUBTRACT] = true, [POD_OP_MULTIPLY] = true, [POD_OP_MAXIMUM] = true,
        [POD_OP_MINIMUM] = true, [POD_OP_AND] = true,      [POD_OP_OR] = true,       [POD_OP_COMPARE] = true,
        [POD_OP_SELECT] = true};
    return cheap[op];
}

/* Returns whether a value is seen for the first time; once there is no room it always is. */
static bool is_new(recompute_search *s, pod_ref value)
{
    for (uint32_t i = 0; i < s->seen_count; i++)
        if (s->seen[i] == value)
            return false;
    if (s->seen_count < sizeof s->seen / sizeof *s->seen)
        s->seen[s->seen_count++] = value;
    return true;
}

/* What reads a wide value is computed once: elsewhere that may be rounded, as it is stored. */
static bool can_step(const pod_fusion *f, pod_ref value)
{
    const pod_ir_value *type = &f->ir->values[value];
    const pod_ir_node *maker = &f->ir->nodes[type->node];
    for (uint32_t i = 0; i < maker->input_count; i++)
        if (pod_ir_is_wide(f->ir, f->views[pod_ir_inputs(f->ir, maker)[i]].base))
            return false;
    return f->roles[type->node] == POD_ROLE_ELEMENT && is_cheap(maker->op) && maker->value_count == 1;
}

static bool reach(recompute_search *s, pod_ref value);

/* Returns whether an operand that is not stored is better computed again, too: not where that would store
 * something in the place of something narrow. */
static bool goes_on(recompute_search *s, const pod_view *view)
{
    const pod_fusion *f = s->f;
    pod_ref base = view->base;
    recompute_search before = *s;
    if (!pod_ir_view_is_dense(view) || pod_ir_elements(f->ir, base) != pod_ir_elements(f->ir, s->target) ||
        !can_step(f, base))
        return false;
    bool narrow = pod_ir_bytes(f->ir, base) < pod_ir_bytes(f->ir, s->target) && !f->recomputed[base];
    if (reach(s, base) && !(narrow && s->stored > before.stored))
        return true;
    before.tries = s->tries;
    *s = before;
    return false;
}

/* Returns whether one operand is to be had: from memory, again, or by storing it. */
static bool reach_operand(recompute_search *s, const pod_view *view)
{
    const pod_fusion *f = s->f;
    pod_ref base = view->base;
    uint32_t maker = f->ir->values[base].node;
    if (pod_compile_is_generated(f, view))
        return true;
    bool small = pod_ir_elements(f->ir, base) * SMALL <= pod_ir_elements(f->ir, s->target);
    bool plain = pod_ir_view_is_dense(view) && pod_ir_elements(f->ir, base) == pod_ir_elements(f->ir, s->target);
    if (f->roles[maker] == POD_ROLE_LEAF || f->stored[base]) {
        if (plain && is_new(s, base))
            s->read += pod_ir_bytes(f->ir, base);
        return plain || small;
    }
    if (goes_on(s, view))
        return true;
    if (f->recomputed[base])
        return false;
    if (small)
        return f->roles[maker] == POD_ROLE_ROW || f->roles[maker] == POD_ROLE_REDUCTION;
    bool narrow = plain && pod_ir_bytes(f->ir, base) < pod_ir_bytes(f->ir, s->target);
    if (narrow && is_new(s, base)) {
        s->read += pod_ir_bytes(f->ir, base);
        s->stored += pod_ir_bytes(f->ir, base);
    }
    return narrow;
}

/* Returns whether a value can be computed again, with all it is made of. */
static bool reach(recompute_search *s, pod_ref value)
{
    if (!is_new(s, value))
        return true;
    if (++s->steps > MOST_STEPS || ++s->tries > MOST_TRIES)
        return false;
    const pod_ir_node *maker = pod_ir_maker(s->f->ir, value);
    for (uint32_t i = 0; i < maker->input_count; i++)
        if (!reach_operand(s, &s->f->views[pod_ir_inputs(s->f->ir, maker)[i]]))
            return false;
    return true;
}

/* Marks the steps to a value on the way to the target, and what has to be stored for them. */
static void take(pod_fusion *f, pod_ref value, pod_ref target)
{
    f->recomputed[value] = true;
    const pod_ir_node *maker = pod_ir_maker(f->ir, value);
    for (uint32_t i = 0; i < maker->input_count; i++) {
        const pod_view *view = &f->views[pod_ir_inputs(f->ir, maker)[i]];
        recompute_search s = {.f = f, .target = target};
        if (f->recomputed[view->base] || f->stored[view->base] || pod_compile_is_generated(f, view))
            continue;
        if (goes_on(&s, view))
            take(f, view->base, target);
        else
            f->stored[view->base] = true;
    }
}

/* Sets needed[] for values that something other than a loop's register reads. */
static void find_needed(const pod_fusion *f, bool *needed)
{
    const pod_ir *ir = f->ir;
    for (uint32_t i = 0; i < ir->node_count; i++) {
        const pod_ir_node *node = &ir->nodes[i];
        bool in_loop = f->roles[i] == POD_ROLE_ELEMENT || f->roles[i] == POD_ROLE_REDUCTION;
        in_loop = in_loop && node->op != POD_OP_RANDOM_BITS;
        if (f->roles[i] == POD_ROLE_VIEW || f->roles[i] == POD_ROLE_NONE)
            continue;
        for (uint32_t j = 0; j < node->input_count; j++) {
            const pod_view *view = &f->views[pod_ir_inputs(ir, node)[j]];
            bool plain = in_loop && pod_ir_view_is_dense(view) &&
                         pod_ir_elements(f->ir, view->base) == f->loops[pod_compile_loop_of_node(f, i)].elements;
            if (!plain)
                needed[view->base] = true;
        }
    }
    for (uint32_t i = 0; i < ir->output_count; i++)
        needed[f->views[ir->outputs[i]].base] = true;
}

bool pod_compile_find_recomputed(pod_fusion *fusion)
{
    const pod_ir *ir = fusion->ir;
    bool *needed = pod_arena_array(fusion->arena, ir->value_count, sizeof *needed);
    if (!needed)
        return false;
    find_needed(fusion, needed);
    for (pod_ref i = 0; i < ir->value_count; i++) {
        if (!fusion->stored[i] || needed[i] || !can_step(fusion, i))
            continue;
        recompute_search s = {.f = fusion, .target = i};
        if (reach(&s, i) && s.read <= pod_ir_bytes(fusion->ir, i) && s.stored < pod_ir_bytes(fusion->ir, i)) {
            fusion->stored[i] = false;
            take(fusion, i, i);
        }
    }
    return true;
}
