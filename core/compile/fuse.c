/* fuse - see fuse.h. Here: roles, stages and groups, in one walk; sink.c then moves single nodes. */

#include "compile/fuse.h"
#include "base/growth.h"
#include "base/sets.h"
#include "ir/rewrite.h"

#include <assert.h>
#include <string.h>

/* Bounds of a loop: past them another one begins. */
#define LOOP_NODES  96
#define LOOP_LEAVES 48
#define LOOP_FOLDS  8

/* Larger repeated constants are stored by a loop, not as literals. */
#define LITERAL_BYTES 4096

static int64_t elements_of(const pod_fusion *f, pod_ref value)
{
    return pod_shape_elements(f->ir->values[value].shape);
}

/* ---- groups --------------------------------------------------------------------------------------- */

uint32_t pod_fusion_group(const pod_fusion *fusion, uint32_t node)
{
    assert(node < fusion->ir->node_count);
    uint32_t group = fusion->groups[node];
    return group == POD_NO_GROUP ? POD_NO_GROUP : pod_set_of(fusion->parents, group);
}

static uint32_t new_group(pod_fusion *f, uint32_t stage, int64_t elements, uint32_t node)
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
        (pod_loop_group){.stage = stage, .elements = elements, .product = POD_NO_GROUP, .first_node = node};
    return f->loop_count++;
}

/* Whether two loops can be one. */
static bool can_unite(const pod_loop_group *a, const pod_loop_group *b)
{
    return a->elements == b->elements && (!a->rows || !b->rows || a->rows == b->rows) &&
           (a->product == POD_NO_GROUP || b->product == POD_NO_GROUP) && !(a->refuses_folds && b->folds) &&
           !(b->refuses_folds && a->folds) && !(a->product != POD_NO_GROUP && b->needs_rows) &&
           !(b->product != POD_NO_GROUP && a->needs_rows) && a->nodes + b->nodes < LOOP_NODES &&
           a->leaves + b->leaves < LOOP_LEAVES && a->folds + b->folds < LOOP_FOLDS;
}

static uint32_t unite(pod_fusion *f, uint32_t first, uint32_t second)
{
    if (first == second)
        return first;
    pod_loop_group *a = &f->loops[first], *b = &f->loops[second];
    assert(f->parents[first] == first && f->parents[second] == second && a->elements == b->elements);
    pod_set_join(f->parents, first, second);
    a->rows = a->rows ? a->rows : b->rows;
    a->product = a->product != POD_NO_GROUP ? a->product : b->product;
    a->first_node = a->first_node < b->first_node ? a->first_node : b->first_node;
    a->nodes += b->nodes;
    a->leaves += b->leaves;
    a->folds += b->folds;
    a->needs_rows = a->needs_rows || b->needs_rows;
    a->refuses_folds = a->refuses_folds || b->refuses_folds;
    return first;
}

/* ---- operands ------------------------------------------------------------------------------------- */

bool pod_is_generated(const pod_fusion *fusion, const pod_view *view)
{
    return view->counts || fusion->roles[fusion->ir->values[view->base].node] == POD_ROLE_VIEW;
}

/* The stage from which on what a view sees can be read. */
static uint32_t ready(const pod_fusion *f, const pod_view *view)
{
    uint32_t node = f->ir->values[view->base].node;
    pod_role role = f->roles[node];
    if (role == POD_ROLE_LEAF || pod_is_generated(f, view))
        return 0;
    return f->stages[node] + (role != POD_ROLE_ALIAS);
}

/* Whether a loop over `elements` can have this value in a register. */
static bool can_join(const pod_fusion *f, const pod_view *view, int64_t elements)
{
    pod_role role = f->roles[f->ir->values[view->base].node];
    return (role == POD_ROLE_ELEMENT || role == POD_ROLE_PRODUCT || role == POD_ROLE_COPY) && !view->counts &&
           elements_of(f, view->base) == elements && pod_view_is_dense(view);
}

/* The loop in which a value is a register of one element a row; POD_NO_GROUP for other values. */
static uint32_t row_group(const pod_fusion *f, pod_ref value)
{
    uint32_t maker = f->ir->values[value].node;
    if (f->roles[maker] != POD_ROLE_REDUCTION && f->roles[maker] != POD_ROLE_ROW)
        return POD_NO_GROUP;
    uint32_t group = pod_set_of(f->parents, f->groups[maker]);
    const pod_loop_group *loop = &f->loops[group];
    int64_t rows, columns, inner;
    if (f->roles[maker] == POD_ROLE_REDUCTION &&
        (!pod_reduction_split(f->ir, &f->ir->nodes[maker], &rows, &columns, &inner) || rows < 2 || inner != 1))
        return POD_NO_GROUP;
    bool fits =
        loop->rows == elements_of(f, value) && loop->elements > loop->rows && loop->elements / loop->rows <= POD_BLOCK;
    return fits ? group : POD_NO_GROUP;
}

bool pod_is_row_value(const pod_fusion *fusion, pod_ref value)
{
    return row_group(fusion, value) != POD_NO_GROUP;
}

/* Whether a loop over `elements` can spread a value of its rows over their columns to see this view. */
static bool can_spread(const pod_fusion *f, const pod_view *view, int64_t elements)
{
    uint32_t group = row_group(f, view->base);
    if (group == POD_NO_GROUP || f->loops[group].elements != elements || pod_shape_elements(&view->shape) != elements)
        return false;
    pod_view flat = pod_view_collapse(view);
    return flat.offset == 0 && flat.shape.rank == 2 && flat.strides[0] == 1 && flat.strides[1] == 0 &&
           flat.shape.dims[0] == f->loops[group].rows;
}

bool pod_reads_register(const pod_fusion *fusion, uint32_t node, const pod_view *view)
{
    uint32_t group = pod_fusion_group(fusion, node);
    uint32_t maker = fusion->ir->values[view->base].node;
    if (group == POD_NO_GROUP || pod_fusion_group(fusion, maker) != group)
        return false;
    if (fusion->roles[node] == POD_ROLE_ROW)
        return row_group(fusion, view->base) == group && pod_view_is_dense(view);
    int64_t elements = fusion->loops[group].elements;
    return can_join(fusion, view, elements) || can_spread(fusion, view, elements);
}

/* Whether a value lies dense in the memory of its base, in its own type. */
static bool is_plain(const pod_fusion *f, pod_ref value)
{
    const pod_view *view = &f->views[value];
    return pod_view_is_dense(view) && elements_of(f, view->base) == elements_of(f, value) &&
           f->ir->values[view->base].dtype == f->ir->values[value].dtype;
}

/* Makes sure that a value has memory: a view that is not plain gets a copy. Returns its stage. */
static uint32_t need_stored(pod_fusion *f, pod_ref value)
{
    uint32_t node = f->ir->values[value].node;
    if (f->roles[node] == POD_ROLE_COPY)
        return f->stages[node] + 1;
    if (f->roles[node] == POD_ROLE_LEAF || (is_plain(f, value) && !pod_is_generated(f, &f->views[value])))
        return ready(f, &f->views[value]);
    const pod_ir_value *type = &f->ir->values[value];
    bool literal = f->ir->nodes[node].op == POD_OP_CONSTANT &&
                   elements_of(f, value) * (int64_t)pod_dtype_size(type->dtype) <= LITERAL_BYTES;
    if (literal)
        return 0;
    f->stages[node] = ready(f, &f->views[value]);
    f->roles[node] = POD_ROLE_COPY;
    f->groups[node] = new_group(f, f->stages[node], elements_of(f, value), node);
    if (!f->failed)
        f->loops[f->groups[node]].nodes = 1;
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
        bool joins = can_join(f, view, elements) || can_spread(f, view, elements);
        uint32_t at = joins ? f->stages[f->ir->values[view->base].node] : ready(f, view);
        stage = at > stage ? at : stage;
        leaves += !joins;
    }
    pod_loop_group merged = {.elements = elements,
                             .rows = rows,
                             .product = POD_NO_GROUP,
                             .first_node = node,
                             .nodes = 1,
                             .leaves = leaves,
                             .folds = fold,
                             .needs_rows = needs_rows};
    uint32_t target = POD_NO_GROUP;
    bool fits = true;
    for (uint32_t i = 0; fits && i < inputs; i++) {
        const pod_view *view = &f->views[operands[i]];
        uint32_t maker = f->ir->values[view->base].node;
        bool joins = can_join(f, view, elements) || can_spread(f, view, elements);
        if (!joins || f->stages[maker] != stage)
            continue;
        uint32_t group = pod_set_of(f->parents, f->groups[maker]);
        if (group == target)
            continue;
        fits = can_unite(&merged, &f->loops[group]) &&
               (target == POD_NO_GROUP || can_unite(&f->loops[target], &f->loops[group]));
        if (!fits)
            break;
        target = target == POD_NO_GROUP ? group : unite(f, target, group);
    }
    if (!fits || target == POD_NO_GROUP) {
        stage += !fits;
        target = new_group(f, stage, elements, node);
    }
    if (f->failed)
        return;
    pod_loop_group *group = &f->loops[target];
    group->nodes++;
    group->leaves += leaves;
    group->folds += fold;
    group->needs_rows = group->needs_rows || needs_rows;
    group->rows = group->rows ? group->rows : rows;
    f->stages[node] = stage;
    f->groups[node] = target;
}

/* Whether a loop can read a view as one element a row where it lies. */
static bool is_row_load(const pod_fusion *f, const pod_view *view)
{
    pod_view flat = pod_view_collapse(view);
    bool still = flat.shape.rank == 0 || (flat.shape.rank == 1 && flat.strides[0] == 0);
    bool dense = pod_view_is_dense(view) && !pod_is_generated(f, view);
    return !view->counts && (still || dense); /* what counts does not lie anywhere */
}

/* Puts a node into the last loop that has operands of it as one element a row; false when there is none,
 * or it lacks another operand. */
static bool place_as_row(pod_fusion *f, uint32_t node)
{
    const pod_ir_node *it = &f->ir->nodes[node];
    const pod_ref *operands = pod_ir_inputs(f->ir, it);
    uint32_t target = POD_NO_GROUP, leaves = 0;
    int64_t elements = elements_of(f, it->value_first);
    for (uint32_t i = 0; i < it->input_count; i++) {
        const pod_view *view = &f->views[operands[i]];
        uint32_t group = row_group(f, view->base);
        if (group == POD_NO_GROUP || !pod_view_is_dense(view) || f->loops[group].rows != elements)
            continue;
        bool later = target == POD_NO_GROUP || f->loops[group].stage > f->loops[target].stage;
        bool earlier = !later && f->loops[group].stage < f->loops[target].stage;
        if (!later && !earlier && group != target && !can_unite(&f->loops[target], &f->loops[group]))
            return false;
        if (later)
            target = group;
        else if (!earlier)
            target = unite(f, target, group);
    }
    if (target == POD_NO_GROUP)
        return false;
    pod_loop_group *loop = &f->loops[target];
    for (uint32_t i = 0; i < it->input_count; i++) {
        const pod_view *view = &f->views[operands[i]];
        bool inside = row_group(f, view->base) == target;
        if (inside && pod_view_is_dense(view))
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
    f->groups[node] = target;
    return true;
}

static bool has_elements(const pod_fusion *f, const pod_ir_node *node)
{
    for (uint32_t i = 0; i < node->value_count; i++)
        if (elements_of(f, node->value_first + i) == 0)
            return false;
    for (uint32_t i = 0; i < node->input_count; i++)
        if (elements_of(f, pod_ir_inputs(f->ir, node)[i]) == 0)
            return false;
    return true;
}

static bool try_element(pod_fusion *f, uint32_t index, const pod_ir_node *node)
{
    pod_block_op element;
    pod_class class_;
    bool random = node->op == POD_OP_RANDOM_BITS && f->ir->values[node->value_first].dtype == POD_U32;
    if (!random && !pod_element_of(f->ir, node, f->kernels, &element, &class_))
        return false;
    f->roles[index] = POD_ROLE_ELEMENT;
    int64_t elements = elements_of(f, node->value_first);
    if (!random && place_as_row(f, index)) {
        f->roles[index] = POD_ROLE_ROW;
        return true;
    }
    if (!random) {
        place_in_loop(f, index, node->input_count, elements, 0, false, false);
        return true;
    }
    f->stages[index] = need_stored(f, pod_ir_inputs(f->ir, node)[0]);
    f->groups[index] = new_group(f, f->stages[index], elements, index);
    if (!f->failed)
        f->loops[f->groups[index]].nodes = 1;
    return true;
}

/* Adam is one step, which makes three values. */
static bool try_adam(pod_fusion *f, uint32_t index, const pod_ir_node *node)
{
    if (!pod_is_adam(node))
        return false;
    f->roles[index] = POD_ROLE_ELEMENT;
    place_in_loop(f, index, node->input_count, elements_of(f, node->value_first), 0, false, false);
    return true;
}

static bool try_reduction(pod_fusion *f, uint32_t index, const pod_ir_node *node)
{
    int64_t rows, columns, inner;
    pod_fold fold;
    if (!pod_fold_of(f->ir, node, f->kernels, &fold) || !pod_reduction_split(f->ir, node, &rows, &columns, &inner))
        return false;
    f->roles[index] = POD_ROLE_REDUCTION;
    int64_t wanted = rows > 1 ? rows : inner > 1 ? columns : 0;
    bool by_columns = rows == 1 && inner > 1;
    place_in_loop(f, index, 1, elements_of(f, pod_ir_inputs(f->ir, node)[0]), wanted, true, !by_columns);
    return true;
}

static bool try_product(pod_fusion *f, uint32_t index, const pod_ir_node *node)
{
    bool dot = node->op == POD_OP_DOT && pod_is_product(f->ir, node);
    if (!dot && !pod_is_convolution(f->ir, node, f->kernels))
        return false;
    const pod_ref *inputs = pod_ir_inputs(f->ir, node);
    uint32_t stage = 0;
    for (uint32_t i = 0; i < 2; i++) {
        pod_view view;
        bool strided = dot && pod_product_operand(f, node, i, &view);
        uint32_t at = strided ? ready(f, &view) : need_stored(f, inputs[i]);
        stage = at > stage ? at : stage;
    }
    const pod_shape *shape = f->ir->values[node->value_first].shape;
    int64_t elements = pod_shape_elements(shape);
    f->roles[index] = POD_ROLE_PRODUCT;
    f->stages[index] = stage;
    f->groups[index] = new_group(f, stage, elements, index);
    if (f->failed)
        return true;
    pod_loop_group *group = &f->loops[f->groups[index]];
    group->product = index;
    group->nodes = 1;
    group->rows = elements / shape->dims[shape->rank - 1];
    group->refuses_folds = dot ? shape->rank > 2 : !pod_convolution_in_order(node);
    return true;
}

static bool try_view(pod_fusion *f, uint32_t index, const pod_ir_node *node)
{
    pod_view view;
    if (node->input_count != 1 || node->value_count != 1)
        return false;
    const pod_view *operand = &f->views[pod_ir_inputs(f->ir, node)[0]];
    if (!pod_view_apply(f->ir, node, operand, &view)) {
        if (node->op != POD_OP_RESHAPE)
            return false;
        pod_ref stored = pod_ir_inputs(f->ir, node)[0]; /* the copy, reshaped */
        need_stored(f, stored);
        view = pod_view_dense(stored, f->ir->values[node->value_first].shape);
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

/* An instruction of its own: all it reads is stored. */
static void be_single(pod_fusion *f, uint32_t index, const pod_ir_node *node)
{
    const pod_ref *inputs = pod_ir_inputs(f->ir, node);
    uint32_t stage = 0;
    uint32_t pooling = f->poolings[index] = pod_find_pooling(f, node);
    for (uint32_t i = 0; i < node->input_count; i++) {
        if (node->op == POD_OP_CHECK && i == 0)
            continue;
        uint32_t at = pooling != POD_NO_GROUP && i == 0 ? f->stages[pooling] + 1 : need_stored(f, inputs[i]);
        stage = at > stage ? at : stage;
    }
    if (pooling != POD_NO_GROUP)
        f->positions[pooling] = true;
    if (node->op == POD_OP_POOL_MAX)
        f->pooled[inputs[0]] = index;
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
            pod_view_dense(node->value_first + i, f->ir->values[node->value_first + i].shape);
    if (node->op == POD_OP_PARAMETER || (node->op == POD_OP_CONSTANT && f->no_fusion)) {
        f->roles[index] = POD_ROLE_LEAF;
        return;
    }
    if (try_alias(f, index, node))
        return;
    if (!f->no_fusion && node->region_count == 0 && has_elements(f, node) &&
        (try_generator(f, index, node) || try_view(f, index, node) || try_element(f, index, node) ||
         try_adam(f, index, node) || try_reduction(f, index, node) || try_product(f, index, node)))
        return;
    if (node->op == POD_OP_CONSTANT)
        f->roles[index] = POD_ROLE_LEAF;
    else
        be_single(f, index, node);
}

/* ---- what is stored ------------------------------------------------------------------------------- */

/* Keeps what a view sees in memory, or what it is computed from again. */
static void keep(pod_fusion *f, const pod_view *view)
{
    pod_ref base = view->base;
    if (pod_is_generated(f, view))
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
            if (!pod_reads_register(f, index, seen))
                keep(f, seen);
            break;
        case POD_ROLE_PRODUCT:
            if (node->op == POD_OP_DOT && pod_product_operand(f, node, i, &strided))
                f->stored[strided.base] = true;
            else
                store(f, inputs[i]);
            break;
        case POD_ROLE_SINGLE:
        case POD_ROLE_ALIAS:
            if (i > 0 || (node->op != POD_OP_CHECK && f->poolings[index] == POD_NO_GROUP))
                store(f, inputs[i]);
            break;
        case POD_ROLE_NONE:
        case POD_ROLE_LEAF:
        case POD_ROLE_VIEW:
            break;
        }
    }
}

static void find_stored(pod_fusion *f)
{
    memset(f->stored, 0, f->ir->value_count * sizeof *f->stored);
    for (uint32_t i = 0; i < f->ir->node_count; i++)
        store_operands(f, i);
    for (uint32_t i = 0; i < f->ir->output_count; i++)
        store(f, f->ir->outputs[i]);
}

bool pod_fuse(pod_fusion *fusion, pod_arena *arena, const pod_ir *ir, const pod_kernels *kernels)
{
    pod_fusion *f = fusion;
    f->ir = ir;
    f->arena = arena;
    f->kernels = kernels;
    f->roles = pod_arena_array(arena, ir->node_count, sizeof *f->roles);
    f->stages = pod_arena_array(arena, ir->node_count, sizeof *f->stages);
    f->groups = pod_arena_array(arena, ir->node_count, sizeof *f->groups);
    f->views = pod_arena_array(arena, ir->value_count, sizeof *f->views);
    f->stored = pod_arena_array(arena, ir->value_count, sizeof *f->stored);
    f->recomputed = pod_arena_array(arena, ir->value_count, sizeof *f->recomputed);
    f->pooled = pod_arena_array(arena, ir->value_count, sizeof *f->pooled);
    f->poolings = pod_arena_array(arena, ir->node_count, sizeof *f->poolings);
    f->positions = pod_arena_array(arena, ir->node_count, sizeof *f->positions);
    bool *live = pod_arena_array(arena, ir->node_count, sizeof *live);
    if (!f->roles || !f->stages || !f->groups || !f->views || !f->stored || !f->pooled || !f->poolings ||
        !f->positions || !live || !f->recomputed)
        return false;
    pod_ir_mark_live(ir, live);
    for (uint32_t i = 0; i < ir->node_count; i++)
        f->groups[i] = f->poolings[i] = POD_NO_GROUP;
    for (uint32_t i = 0; i < ir->value_count; i++)
        f->pooled[i] = POD_NO_GROUP;
    for (uint32_t i = 0; i < ir->node_count && !f->failed; i++)
        if (live[i])
            decide(f, i);
    for (uint32_t i = 0; i < ir->output_count && !f->failed; i++)
        need_stored(f, ir->outputs[i]);
    if (f->failed || !pod_sink_nodes(f))
        return false;
    find_stored(f);
    if (!f->no_fusion && !pod_find_recomputed(f))
        return false;
    find_stored(f);
    return true;
}
