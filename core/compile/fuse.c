/* fuse - see fuse.h. Here: roles, stages and loops, in one walk; sink.c then moves single nodes. */

#include "compile/fuse.h"
#include "compile/node_kinds.h"
#include "compile/operands.h"
#include "base/growth.h"
#include "base/sets.h"
#include "ir/rewrite.h"

#include <assert.h>
#include <string.h>

/* Bounds of a loop: past them another one begins. */
#define LOOP_NODES  96
#define LOOP_LEAVES 48
#define LOOP_FOLDS  8

/* ---- loops ---------------------------------------------------------------------------------------- */

static uint32_t new_loop(pod_fusion *f, uint32_t stage, int64_t elements, uint32_t node)
{
    const size_t needed = (size_t)f->loop_count + 1;
    if (!pod_arena_grow(f->arena, &f->loops, &f->loop_room, needed, (pod_growth){sizeof *f->loops, .first = 64}) ||
        !pod_arena_grow(f->arena, &f->parents, &f->parent_room, needed,
                        (pod_growth){sizeof *f->parents, .first = 64})) {
        f->failed = true;
        return 0;
    }
    f->parents[f->loop_count] = f->loop_count;
    f->loops[f->loop_count] =
        (pod_fused_loop){.stage = stage, .elements = elements, .product = POD_NO_NODE, .first_node = node, .nodes = 1};
    return f->loop_count++;
}

/* Returns whether two loops can be one. */
static bool can_unite(const pod_fused_loop *a, const pod_fused_loop *b)
{
    return a->elements == b->elements && (!a->rows || !b->rows || a->rows == b->rows) &&
           (a->product == POD_NO_NODE || b->product == POD_NO_NODE) && !(a->refuses_folds && b->folds) &&
           !(b->refuses_folds && a->folds) && !(a->product != POD_NO_NODE && b->needs_rows) &&
           !(b->product != POD_NO_NODE && a->needs_rows) && a->nodes + b->nodes < LOOP_NODES &&
           a->leaves + b->leaves < LOOP_LEAVES && a->folds + b->folds < LOOP_FOLDS;
}

static uint32_t unite(pod_fusion *f, uint32_t first, uint32_t second)
{
    if (first == second)
        return first;
    pod_fused_loop *a = &f->loops[first], *b = &f->loops[second];
    assert(f->parents[first] == first && f->parents[second] == second && a->elements == b->elements);
    pod_set_join(f->parents, first, second);
    a->rows = a->rows ? a->rows : b->rows;
    a->product = a->product != POD_NO_NODE ? a->product : b->product;
    a->first_node = a->first_node < b->first_node ? a->first_node : b->first_node;
    a->nodes += b->nodes;
    a->leaves += b->leaves;
    a->folds += b->folds;
    a->needs_rows = a->needs_rows || b->needs_rows;
    a->refuses_folds = a->refuses_folds || b->refuses_folds;
    return first;
}

/* ---- operands ------------------------------------------------------------------------------------- */

/* The stage from which on what a view sees can be read. */
static uint32_t ready(const pod_fusion *f, const pod_view *view)
{
    uint32_t node = f->ir->values[view->base].node;
    pod_role role = f->roles[node];
    if (role == POD_ROLE_LEAF || pod_compile_is_generated(f, view))
        return 0;
    return f->stages[node] + (role != POD_ROLE_ALIAS);
}

/* Returns whether a value lies dense in the memory of its base, in its own type. */
static bool is_plain(const pod_fusion *f, pod_ref value)
{
    const pod_view *view = &f->views[value];
    return pod_ir_view_is_dense(view) && pod_ir_elements(f->ir, view->base) == pod_ir_elements(f->ir, value) &&
           f->ir->values[view->base].dtype == f->ir->values[value].dtype;
}

/* Makes sure that a value has memory: a view that is not plain gets a copy. Returns its stage. */
static uint32_t need_stored(pod_fusion *f, pod_ref value)
{
    value = pod_compile_passed_on(f->ir, value);
    uint32_t node = f->ir->values[value].node;
    if (f->roles[node] == POD_ROLE_COPY)
        return f->stages[node] + 1;
    if (f->roles[node] == POD_ROLE_LEAF || (is_plain(f, value) && !pod_compile_is_generated(f, &f->views[value])))
        return ready(f, &f->views[value]);
    const pod_ir_value *type = &f->ir->values[value];
    bool literal = f->ir->nodes[node].op == POD_OP_CONSTANT &&
                   pod_ir_elements(f->ir, value) * (int64_t)pod_dtype_size(type->dtype) <= POD_LITERAL_BYTES;
    if (literal)
        return 0;
    f->stages[node] = ready(f, &f->views[value]);
    f->roles[node] = POD_ROLE_COPY;
    f->loop_of[node] = new_loop(f, f->stages[node], pod_ir_elements(f->ir, value), node);
    return f->stages[node] + 1;
}

/* ---- roles ---------------------------------------------------------------------------------------- */

/* Puts a node into the loops of its operands, or into a new one. `rows` is what it needs, or 0. */
static void place_in_loop(pod_fusion *f, uint32_t node, uint32_t inputs, int64_t elements, int64_t rows, bool fold,
                          bool needs_rows)
{
    const pod_ref *operands = pod_ir_inputs(f->ir, &f->ir->nodes[node]);
    uint32_t stage = 0, leaves = 0;
    for (uint32_t i = 0; i < inputs; i++) {
        const pod_view *view = &f->views[operands[i]];
        bool joins = pod_compile_can_join(f, view, elements) || pod_compile_can_spread(f, view, elements);
        uint32_t at = joins ? f->stages[f->ir->values[view->base].node] : ready(f, view);
        stage = at > stage ? at : stage;
        leaves += !joins;
    }
    pod_fused_loop merged = {.elements = elements,
                             .rows = rows,
                             .product = POD_NO_NODE,
                             .first_node = node,
                             .nodes = 1,
                             .leaves = leaves,
                             .folds = fold,
                             .needs_rows = needs_rows};
    uint32_t target = POD_NO_LOOP;
    bool fits = true;
    for (uint32_t i = 0; fits && i < inputs; i++) {
        const pod_view *view = &f->views[operands[i]];
        uint32_t maker = f->ir->values[view->base].node;
        bool joins = pod_compile_can_join(f, view, elements) || pod_compile_can_spread(f, view, elements);
        if (!joins || f->stages[maker] != stage)
            continue;
        uint32_t number = pod_set_of(f->parents, f->loop_of[maker]);
        if (number == target)
            continue;
        fits = can_unite(&merged, &f->loops[number]) &&
               (target == POD_NO_LOOP || can_unite(&f->loops[target], &f->loops[number]));
        if (!fits)
            break;
        target = target == POD_NO_LOOP ? number : unite(f, target, number);
    }
    const bool is_new = !fits || target == POD_NO_LOOP;
    stage += !fits;
    target = is_new ? new_loop(f, stage, elements, node) : target;
    if (f->failed)
        return;
    pod_fused_loop *loop = &f->loops[target];
    loop->nodes += !is_new;
    loop->leaves += leaves;
    loop->folds += fold;
    loop->needs_rows = loop->needs_rows || needs_rows;
    loop->rows = loop->rows ? loop->rows : rows;
    f->stages[node] = stage;
    f->loop_of[node] = target;
}

/* Returns whether a loop can read a view as one element a row where it lies. */
static bool is_row_load(const pod_fusion *f, const pod_view *view)
{
    pod_view flat = pod_ir_view_collapse(view);
    bool still = flat.shape.rank == 0 || (flat.shape.rank == 1 && flat.strides[0] == 0);
    bool dense = pod_ir_view_is_dense(view) && !pod_compile_is_generated(f, view);
    return !view->counts && (still || dense); /* what counts does not lie anywhere */
}

/* Puts a node into the last loop that has operands of it as one element a row; false when there is none,
 * or it lacks another operand. */
static bool place_as_row(pod_fusion *f, uint32_t node)
{
    const pod_ir_node *it = &f->ir->nodes[node];
    const pod_ref *operands = pod_ir_inputs(f->ir, it);
    uint32_t target = POD_NO_LOOP, leaves = 0;
    int64_t elements = pod_ir_elements(f->ir, it->value_first);
    for (uint32_t i = 0; i < it->input_count; i++) {
        const pod_view *view = &f->views[operands[i]];
        uint32_t number = pod_compile_row_loop(f, view->base);
        if (number == POD_NO_LOOP || !pod_ir_view_is_dense(view) || f->loops[number].rows != elements)
            continue;
        bool later = target == POD_NO_LOOP || f->loops[number].stage > f->loops[target].stage;
        bool earlier = !later && f->loops[number].stage < f->loops[target].stage;
        if (!later && !earlier && number != target && !can_unite(&f->loops[target], &f->loops[number]))
            return false;
        if (later)
            target = number;
        else if (!earlier)
            target = unite(f, target, number);
    }
    if (target == POD_NO_LOOP)
        return false;
    pod_fused_loop *loop = &f->loops[target];
    for (uint32_t i = 0; i < it->input_count; i++) {
        const pod_view *view = &f->views[operands[i]];
        bool inside = pod_compile_row_loop(f, view->base) == target;
        if (inside && pod_ir_view_is_dense(view))
            continue;
        if (inside || !is_row_load(f, view) || ready(f, view) > loop->stage)
            return false;
        leaves++;
    }
    if (loop->nodes + 1 >= LOOP_NODES || loop->leaves + leaves >= LOOP_LEAVES)
        return false;
    loop->nodes++;
    loop->leaves += leaves;
    f->stages[node] = loop->stage;
    f->loop_of[node] = target;
    return true;
}

static bool has_elements(const pod_fusion *f, const pod_ir_node *node)
{
    for (uint32_t i = 0; i < node->value_count; i++)
        if (pod_ir_elements(f->ir, node->value_first + i) == 0)
            return false;
    for (uint32_t i = 0; i < node->input_count; i++)
        if (pod_ir_elements(f->ir, pod_ir_inputs(f->ir, node)[i]) == 0)
            return false;
    return true;
}

static bool try_element(pod_fusion *f, uint32_t index, const pod_ir_node *node)
{
    pod_block_op element;
    pod_class class_;
    bool random = node->op == POD_OP_RANDOM_BITS && f->ir->values[node->value_first].dtype == POD_U32;
    bool adam = pod_compile_is_adam(node); /* one step, which makes three values */
    if (!random && !adam && !pod_compile_element_of(f->ir, node, f->kernels, &element, &class_))
        return false;
    f->roles[index] = POD_ROLE_ELEMENT;
    int64_t elements = pod_ir_elements(f->ir, node->value_first);
    if (random) {
        f->stages[index] = need_stored(f, pod_ir_inputs(f->ir, node)[0]);
        f->loop_of[index] = new_loop(f, f->stages[index], elements, index);
    } else if (!adam && place_as_row(f, index)) {
        f->roles[index] = POD_ROLE_ROW;
    } else {
        place_in_loop(f, index, node->input_count, elements, 0, false, false);
    }
    return true;
}

static bool try_reduction(pod_fusion *f, uint32_t index, const pod_ir_node *node)
{
    pod_fold fold;
    if (!pod_compile_fold_of(f->ir, node, f->kernels, &fold))
        return false;
    const pod_reduction_split split = pod_compile_reduction_split(f->ir, node);
    if (!split.rows)
        return false;
    f->roles[index] = POD_ROLE_REDUCTION;
    int64_t wanted = split.rows > 1 ? split.rows : split.inner > 1 ? split.columns : 0;
    bool by_columns = split.rows == 1 && split.inner > 1;
    place_in_loop(f, index, 1, pod_ir_elements(f->ir, pod_ir_inputs(f->ir, node)[0]), wanted, true, !by_columns);
    return true;
}

static bool try_product(pod_fusion *f, uint32_t index, const pod_ir_node *node)
{
    bool dot = node->op == POD_OP_DOT && pod_compile_is_product(f->ir, node);
    if (!dot && !pod_compile_is_convolution(f->ir, node, f->kernels, f->predicts))
        return false;
    const pod_ref *inputs = pod_ir_inputs(f->ir, node);
    uint32_t stage = f->predicts; /* loops of the first stage make scales of held arguments, which its loop may read */
    for (uint32_t i = 0; i < 2; i++) {
        pod_view view;
        bool strided = dot && pod_compile_product_operand(f, node, i, &view);
        uint32_t at = strided ? ready(f, &view) : need_stored(f, inputs[i]);
        stage = at > stage ? at : stage;
    }
    const pod_shape *shape = f->ir->values[node->value_first].shape;
    int64_t elements = pod_shape_elements(shape);
    f->roles[index] = POD_ROLE_PRODUCT;
    f->stages[index] = stage;
    f->loop_of[index] = new_loop(f, stage, elements, index);
    if (f->failed)
        return true;
    pod_fused_loop *loop = &f->loops[f->loop_of[index]];
    loop->product = index;
    loop->rows = elements / shape->dims[shape->rank - 1];
    loop->refuses_folds = dot ? shape->rank > 2 : !pod_compile_convolution_in_order(node, shape);
    return true;
}

static bool try_view(pod_fusion *f, uint32_t index, const pod_ir_node *node)
{
    pod_view view;
    if (node->input_count != 1 || node->value_count != 1)
        return false;
    const pod_view *operand = &f->views[pod_ir_inputs(f->ir, node)[0]];
    if (!pod_ir_view_apply(f->ir, node, operand, &view)) {
        if (node->op != POD_OP_RESHAPE)
            return false;
        const pod_ref stored = pod_compile_passed_on(f->ir, pod_ir_inputs(f->ir, node)[0]); /* the copy, reshaped */
        need_stored(f, stored);
        view = pod_ir_view_dense(stored, f->ir->values[node->value_first].shape);
    }
    f->roles[index] = POD_ROLE_VIEW;
    f->views[node->value_first] = view;
    return true;
}

/* Constants of one repeated element and iota are made where they are used. */
static bool try_generator(pod_fusion *f, uint32_t index, const pod_ir_node *node)
{
    const pod_shape *shape = f->ir->values[node->value_first].shape;
    bool splat = node->op == POD_OP_CONSTANT && (node->attributes->flag || pod_shape_elements(shape) == 1);
    if (!splat && node->op != POD_OP_IOTA)
        return false;
    pod_view *view = &f->views[node->value_first];
    memset(view->strides, 0, sizeof view->strides);
    view->counts = !splat;
    if (!splat)
        view->strides[node->attributes->axis] = 1;
    f->roles[index] = POD_ROLE_VIEW;
    return true;
}

/* Whether ranks meet in a node, or in its regions. */
static bool meets_anywhere(const pod_ir_node *node)
{
    for (uint32_t i = 0; i < node->region_count; i++)
        for (uint32_t j = 0; j < node->regions[i]->node_count; j++)
            if (meets_anywhere(&node->regions[i]->nodes[j]))
                return true;
    return pod_ir_meets(node);
}

/* An instruction of its own: all it reads is stored. */
static void be_single(pod_fusion *f, uint32_t index, const pod_ir_node *node)
{
    const pod_ref *inputs = pod_ir_inputs(f->ir, node);
    uint32_t stage = 0;
    uint32_t pooling = f->poolings[index] = pod_compile_find_pooling(f, node);
    for (uint32_t i = 0; i < node->input_count; i++) {
        if (node->op == POD_OP_CHECK && i == 0)
            continue;
        uint32_t at = pooling != POD_NO_NODE && i == 0 ? f->stages[pooling] + 1 : need_stored(f, inputs[i]);
        stage = at > stage ? at : stage;
    }
    if (pooling != POD_NO_NODE)
        f->positions[pooling] = true;
    if (node->op == POD_OP_POOL_MAX)
        f->pooled[inputs[0]] = index;
    if (meets_anywhere(node))
        f->meeting = stage = stage > f->meeting ? stage : f->meeting;
    f->roles[index] = POD_ROLE_SINGLE;
    f->stages[index] = stage;
    if (node->op == POD_OP_CHECK || node->op == POD_OP_PRINT)
        f->views[node->value_first] = f->views[inputs[0]];
}

static bool try_alias(pod_fusion *f, uint32_t index, const pod_ir_node *node)
{
    bool reshape = node->op == POD_OP_RESHAPE && (f->no_fusion || !has_elements(f, node));
    if (!reshape && node->op != POD_OP_BITCAST && node->op != POD_OP_BARRIER && node->op != POD_OP_STOP_GRADIENT)
        return false;
    f->stages[index] = need_stored(f, pod_ir_inputs(f->ir, node)[0]);
    f->roles[index] = POD_ROLE_ALIAS;
    return true;
}

static void decide(pod_fusion *f, uint32_t index)
{
    const pod_ir_node *node = &f->ir->nodes[index];
    for (uint32_t i = 0; i < node->value_count; i++)
        f->views[node->value_first + i] =
            pod_ir_view_dense(node->value_first + i, f->ir->values[node->value_first + i].shape);
    if (node->op == POD_OP_PARAMETER || (node->op == POD_OP_CONSTANT && f->no_fusion)) {
        f->roles[index] = POD_ROLE_LEAF;
        return;
    }
    if (try_alias(f, index, node))
        return;
    if (!f->no_fusion && node->region_count == 0 && has_elements(f, node) &&
        (try_generator(f, index, node) || try_view(f, index, node) || try_element(f, index, node) ||
         try_reduction(f, index, node) || try_product(f, index, node)))
        return;
    if (node->op == POD_OP_CONSTANT)
        f->roles[index] = POD_ROLE_LEAF;
    else
        be_single(f, index, node);
}

bool pod_compile_fuse(pod_fusion *fusion, pod_arena *arena, const pod_ir *ir, const pod_kernels *kernels)
{
    pod_fusion *f = fusion;
    f->ir = ir;
    f->arena = arena;
    f->kernels = kernels;
    f->roles = pod_arena_array(arena, ir->node_count, sizeof *f->roles);
    f->stages = pod_arena_array(arena, ir->node_count, sizeof *f->stages);
    f->loop_of = pod_arena_array(arena, ir->node_count, sizeof *f->loop_of);
    f->views = pod_arena_array(arena, ir->value_count, sizeof *f->views);
    f->stored = pod_arena_array(arena, ir->value_count, sizeof *f->stored);
    f->recomputed = pod_arena_array(arena, ir->value_count, sizeof *f->recomputed);
    f->pooled = pod_arena_array(arena, ir->value_count, sizeof *f->pooled);
    f->poolings = pod_arena_array(arena, ir->node_count, sizeof *f->poolings);
    f->positions = pod_arena_array(arena, ir->node_count, sizeof *f->positions);
    bool *live = pod_arena_array(arena, ir->node_count, sizeof *live);
    if (!f->roles || !f->stages || !f->loop_of || !f->views || !f->stored || !f->pooled || !f->poolings ||
        !f->positions || !live || !f->recomputed)
        return false;
    pod_ir_mark_live(ir, live);
    for (uint32_t i = 0; i < ir->node_count; i++)
        f->loop_of[i] = POD_NO_LOOP, f->poolings[i] = POD_NO_NODE;
    for (uint32_t i = 0; i < ir->value_count; i++)
        f->pooled[i] = POD_NO_NODE;
    for (uint32_t i = 0; i < ir->node_count && !f->failed; i++)
        if (live[i])
            decide(f, i);
    for (uint32_t i = 0; i < ir->output_count && !f->failed; i++)
        need_stored(f, ir->outputs[i]);
    if (f->failed || !pod_compile_sink_nodes(f))
        return false;
    pod_compile_find_stored(f);
    if (!f->no_fusion && !pod_compile_find_recomputed(f))
        return false;
    pod_compile_find_stored(f);
    return true;
}
