/*
 * lower_loop - makes the straight-line code of a loop from its nodes: loads where their values are
 * first needed, one or two steps a node, stores of what is read elsewhere, folds. Registers are virtual
 * first (one a value) and then packed into few.
 *
 * A 16-bit value that is not wide (ir.h) is rounded where the first step reads it: stores round anyway, and what keeps
 * values, as a maximum does, gives the same of values that are rounded afterwards.
 */

#include "base/sizes.h"
#include "compile/loop_builder.h"
#include "compile/node_kinds.h"

#include <string.h>

/* ---- loads ---------------------------------------------------------------------------------------- */

static bool same_view(const pod_view *x, const pod_view *y)
{
    return x->base == y->base && x->counts == y->counts && x->offset == y->offset &&
           pod_shape_equal(&x->shape, &y->shape) &&
           memcmp(x->strides, y->strides, (size_t)x->shape.rank * sizeof x->strides[0]) == 0;
}

/* Remembers that a value from outside has a register. */
static void see(pod_loop_builder *b, pod_ref value)
{
    b->seen = pod_compile_builder_more(b, b->seen, b->seen_count, &b->seen_room, sizeof *b->seen);
    if (!b->failed)
        b->seen[b->seen_count++] = value;
}

/* Repeats one element a row over the columns. */
static uint32_t spread(pod_loop_builder *b, pod_ref base)
{
    pod_class class_ = pod_kernel_class_of(b->fusion->ir->values[base].dtype);
    const uint32_t from = pod_compile_builder_rounded(b, base, true);
    uint32_t made = pod_compile_builder_step(b, NULL, class_, from, POD_NO_REGISTER, POD_NO_REGISTER);
    if (b->failed)
        return 0;
    pod_loop_step *step = &b->loop->steps[b->loop->step_count - 1];
    step->kind = POD_STEP_SPREAD;
    step->class_ = class_;
    return made;
}

static void add_node(pod_loop_builder *b, uint32_t index);

/* Gives a value from elsewhere a register: computed again, spread, of an earlier load, or of a new one. Returns the
 * value whose register it is. */
static pod_ref from_outside(pod_loop_builder *b, pod_ref value, const pod_view *view, bool spreads)
{
    const pod_ir *ir = b->fusion->ir;
    pod_ref base = view->base;
    if (b->fusion->recomputed[base] && pod_ir_view_is_dense(view)) {
        if (b->register_of[base] == POD_NO_REGISTER) {
            add_node(b, ir->values[base].node);
            see(b, base);
        }
        return base;
    }
    for (uint32_t i = 0; b->register_of[value] == POD_NO_REGISTER && i < b->seen_count; i++)
        if (same_view(&b->fusion->views[b->seen[i]], view))
            return b->seen[i];
    if (b->register_of[value] == POD_NO_REGISTER) {
        b->register_of[value] = spreads ? spread(b, base) : pod_compile_builder_view(b, view);
        see(b, value);
    }
    return value;
}

/* Gives an operand a register: of the node that makes it here, or from_outside(). Returns the value whose it is. */
static pod_ref find_operand(pod_loop_builder *b, pod_ref value)
{
    const pod_view *view = &b->fusion->views[value];
    uint32_t maker = b->fusion->ir->values[view->base].node;
    bool own = pod_compile_loop_of_node(b->fusion, maker) == b->number;
    bool rows = own && pod_compile_is_row_value(b->fusion, view->base);
    bool inside = own && maker != b->product && !rows && b->fusion->roles[maker] != POD_ROLE_REDUCTION;
    if (maker == b->product && pod_ir_view_is_dense(view) && b->register_of[view->base] == POD_NO_REGISTER) {
        pod_loop_load tile = {.access = POD_ACCESS_TILE, .slot = POD_SLOT_END, .dtype = POD_F32};
        b->register_of[view->base] = pod_compile_builder_load(b, &tile);
        pod_compile_builder_computed(b, view->base);
    }
    if ((inside || maker == b->product) && pod_ir_view_is_dense(view) && b->register_of[view->base] != POD_NO_REGISTER)
        return view->base;
    return from_outside(b, value, view, rows && b->register_of[view->base] != POD_NO_REGISTER);
}

/* The same of an operand of a step on rows. */
static pod_ref find_row_operand(pod_loop_builder *b, pod_ref value)
{
    const pod_view *view = &b->fusion->views[value];
    uint32_t maker = b->fusion->ir->values[view->base].node;
    if (pod_compile_loop_of_node(b->fusion, maker) == b->number && pod_compile_is_row_value(b->fusion, view->base))
        return view->base;
    if (b->register_of[value] != POD_NO_REGISTER)
        return value;
    uint32_t made = pod_compile_builder_view(b, view);
    if (b->failed)
        return value;
    pod_loop_load *load = &b->loop->loads[b->loop->load_count - 1];
    if (load->access != POD_ACCESS_SCALAR)
        load->access = POD_ACCESS_ROWS;
    b->register_of[value] = made;
    see(b, value);
    return value;
}

static uint32_t operand(pod_loop_builder *b, pod_ref value)
{
    return pod_compile_builder_rounded(b, find_operand(b, value), false);
}

/* The register of an operand of a node. What keeps values takes them unrounded, and is itself rounded for readers. */
static uint32_t operand_of(pod_loop_builder *b, uint32_t index, const pod_ir_node *node, pod_ref value)
{
    const bool rows = b->fusion->roles[index] == POD_ROLE_ROW;
    const pod_ref found = rows ? find_row_operand(b, value) : find_operand(b, value);
    const bool narrow = pod_ir_is_narrow(b->fusion->ir->values[node->value_first].dtype);
    if (b->failed || node->wide || !narrow || !pod_ir_keeps_values(node->op))
        return pod_compile_builder_rounded(b, found, rows);
    if (pod_compile_builder_is_unrounded(b, found))
        b->rounded_of[node->value_first] = POD_UNROUNDED;
    return b->register_of[found];
}

/* ---- steps ---------------------------------------------------------------------------------------- */

static bool may_leave_range(pod_op op)
{
    static const bool leaves[POD_OP_COUNT] = {
        [POD_OP_NEGATE] = true,   [POD_OP_ABS] = true,        [POD_OP_NOT] = true,           [POD_OP_ADD] = true,
        [POD_OP_SUBTRACT] = true, [POD_OP_MULTIPLY] = true,   [POD_OP_DIVIDE] = true,        [POD_OP_REMAINDER] = true,
        [POD_OP_POWER] = true,    [POD_OP_REDUCE_SUM] = true, [POD_OP_REDUCE_PRODUCT] = true};
    return leaves[op];
}

/* Narrow integers may have left their type's range. */
static uint32_t wrap(pod_loop_builder *b, pod_op op, pod_dtype dtype, uint32_t at)
{
    bool narrow = pod_dtype_is_integer(dtype) && pod_dtype_size(dtype) < 4;
    if (!narrow || !may_leave_range(op))
        return at;
    return pod_compile_builder_element(b, pod_dtype_size(dtype) == 1 ? POD_BLOCK_OP_WRAP_8 : POD_BLOCK_OP_WRAP_16,
                                       pod_kernel_class_of(dtype), at, POD_NO_REGISTER, POD_NO_REGISTER);
}

static uint32_t convert(pod_loop_builder *b, uint32_t index, const pod_ir_node *node)
{
    const pod_ir *ir = b->fusion->ir;
    const pod_kernels *kernels = b->fusion->kernels;
    pod_ref input = pod_ir_inputs(ir, node)[0];
    pod_dtype from = ir->values[input].dtype, to = ir->values[node->value_first].dtype;
    pod_class from_class = pod_kernel_class_of(from), to_class = pod_kernel_class_of(to);
    uint32_t at = operand_of(b, index, node, input);
    if (to == POD_BOOL)
        return pod_compile_builder_element(b, POD_BLOCK_OP_NE, from_class, at, pod_compile_builder_scalar(b, from, 0),
                                           POD_NO_REGISTER);
    if (from_class != to_class)
        at = pod_compile_builder_step(b, kernels->convert[from_class][to_class], to_class, at, POD_NO_REGISTER,
                                      POD_NO_REGISTER);
    return at;
}

static uint32_t random_bits(pod_loop_builder *b, const pod_ir_node *node)
{
    const pod_shape *shape = b->fusion->ir->values[node->value_first].shape;
    pod_loop_load load = {.access = POD_ACCESS_RANDOM, .dtype = POD_U32};
    load.slot = pod_compile_value_slot(b->function, b->fusion, pod_ir_inputs(b->fusion->ir, node)[0]);
    b->failed = b->failed || load.slot == POD_SLOT_END;
    load.seed = node->attributes->seed;
    int64_t rows = shape->rank > 0 ? shape->dims[0] : 1;
    load.row_elements = pod_shape_elements(shape) / rows;
    return pod_compile_builder_load(b, &load);
}

static void add_adam(pod_loop_builder *b, const pod_ir_node *node)
{
    const double *values = node->attributes->values;
    pod_loop *loop = b->loop;
    pod_loop_adam *adam = pod_arena_array(b->function->owner->memory, 1, sizeof *adam);
    if (!adam) {
        b->failed = true;
        return;
    }
    adam->rest_1 = (float)(1 - values[0]);
    adam->rest_2 = (float)(1 - values[1]);
    adam->epsilon = (float)values[2];
    for (uint32_t i = 0; i < 5; i++)
        adam->operands[i] = operand(b, pod_ir_inputs(b->fusion->ir, node)[i]);
    loop->steps = pod_compile_builder_more(b, loop->steps, loop->step_count, &b->steps, sizeof *loop->steps);
    if (b->failed)
        return;
    loop->steps[loop->step_count++] = (pod_loop_step){.kind = POD_STEP_ADAM,
                                                      .result = POD_NO_REGISTER,
                                                      .a = POD_NO_REGISTER,
                                                      .b = POD_NO_REGISTER,
                                                      .c = POD_NO_REGISTER,
                                                      .adam = adam};
    for (uint32_t i = 0; i < 3; i++) {
        adam->slots[i] = POD_SLOT_END;
        adam->results[i] = pod_compile_builder_register(b, POD_CLASS_F32);
        b->register_of[node->value_first + i] = adam->results[i];
    }
}

static void add_node(pod_loop_builder *b, uint32_t index)
{
    const pod_ir *ir = b->fusion->ir;
    const pod_ir_node *node = &ir->nodes[index];
    const pod_ref *inputs = pod_ir_inputs(ir, node);
    uint32_t *to = &b->register_of[node->value_first];
    uint32_t first = b->loop->step_count;
    pod_block_op element;
    pod_class class_;
    if (b->fusion->roles[index] != POD_ROLE_COPY && !pod_ir_keeps_values(node->op))
        for (uint32_t i = 0; i < node->value_count; i++)
            pod_compile_builder_computed(b, node->value_first + i);
    if (b->fusion->roles[index] == POD_ROLE_COPY) {
        *to = pod_compile_builder_view(b, &b->fusion->views[node->value_first]);
    } else if (node->op == POD_OP_RANDOM_BITS) {
        *to = random_bits(b, node);
    } else if (pod_compile_is_adam(node)) {
        add_adam(b, node);
    } else if (node->op == POD_OP_CONVERT) {
        *to = convert(b, index, node);
    } else if (pod_compile_element_of(ir, node, b->fusion->kernels, &element, &class_)) {
        uint32_t at[3] = {POD_NO_REGISTER, POD_NO_REGISTER, POD_NO_REGISTER};
        for (uint32_t i = 0; i < node->input_count; i++)
            at[i] = operand_of(b, index, node, inputs[i]);
        *to = pod_compile_builder_element(b, element, class_, at[0], at[1], at[2]);
        *to = wrap(b, node->op, ir->values[node->value_first].dtype, *to);
    }
    for (uint32_t i = first; b->fusion->roles[index] == POD_ROLE_ROW && i < b->loop->step_count; i++)
        b->loop->steps[i].kind = POD_STEP_ROWS;
}

/* ---- stores and folds ----------------------------------------------------------------------------- */

static void add_store(pod_loop_builder *b, pod_ref value)
{
    pod_loop *loop = b->loop;
    const pod_ir_value *type = &b->fusion->ir->values[value];
    uint32_t slot = pod_lower_result(b->function, value);
    const bool is_rounded = b->rounded_of[value] < POD_UNROUNDED;
    const uint32_t stored = is_rounded ? b->rounded_of[value] : b->register_of[value];
    loop->stores = pod_compile_builder_more(b, loop->stores, loop->store_count, &b->stores, sizeof *loop->stores);
    if (slot == POD_SLOT_END)
        b->failed = true;
    if (b->failed)
        return;
    loop->stores[loop->store_count++] =
        (pod_loop_store){slot, stored, type->dtype, pod_compile_is_row_value(b->fusion, value)};
}

static const pod_dtype class_types[POD_CLASS_COUNT] = {POD_F32, POD_F64, POD_S32, POD_U32, POD_S64, POD_U64};

/* Returns where a fold begins: the element that changes nothing. */
static uint64_t neutral(pod_fold fold, pod_class class_)
{
    double value = 0;
    if (fold == POD_FOLD_PRODUCT || fold == POD_FOLD_AND)
        value = 1;
    else if (fold == POD_FOLD_MAX)
        value = -1.0 / 0.0;
    else if (fold == POD_FOLD_MIN)
        value = 1.0 / 0.0;
    uint64_t element = 0;
    pod_convert(POD_F64, &value, class_types[class_], &element, 1); /* integers saturate */
    return element;
}

/* Rows of a partial result: at most 32 of them, unless rows are few. Where several rows belong to an
 * element of the first axis (an image), a partial is of whole ones, as other instructions are cut; but
 * rows of a dot are cut otherwise. All folds of a loop have the same. */
static int64_t partial_rows_of(const pod_loop_builder *b, const pod_shape *shape)
{
    const pod_loop *loop = b->loop;
    bool dot = b->product != POD_NO_NODE && b->fusion->ir->nodes[b->product].op == POD_OP_DOT;
    if (loop->fold_count)
        return loop->folds[0].partial_rows;
    int64_t images = shape->rank > 2 && shape->dims[0] > 1 && !dot ? shape->dims[0] : loop->rows;
    bool whole = loop->rows % images == 0 && loop->rows > images;
    int64_t rows = whole ? loop->rows / images : POD_PARTIAL_ROWS;
    while (rows * 32 < loop->rows)
        rows *= 2;
    return rows;
}

/* Folds rows into a register that later steps read. */
static void add_row_fold(pod_loop_builder *b, uint32_t index)
{
    const pod_ir *ir = b->fusion->ir;
    const pod_ir_node *node = &ir->nodes[index];
    pod_class class_ = pod_kernel_class_of(ir->values[node->value_first].dtype);
    uint32_t from = operand(b, pod_ir_inputs(ir, node)[0]);
    uint32_t made = pod_compile_builder_step(b, NULL, class_, from, POD_NO_REGISTER, POD_NO_REGISTER);
    if (b->failed)
        return;
    pod_loop_step *step = &b->loop->steps[b->loop->step_count - 1];
    step->kind = POD_STEP_FOLD;
    step->class_ = class_;
    pod_compile_fold_of(ir, node, b->fusion->kernels, &step->fold);
    step->first = neutral(step->fold, class_);
    uint32_t wrapped = wrap(b, node->op, ir->values[node->value_first].dtype, made);
    if (wrapped != made && !b->failed)
        b->loop->steps[b->loop->step_count - 1].kind = POD_STEP_ROWS;
    b->register_of[node->value_first] = wrapped;
    pod_compile_builder_computed(b, node->value_first);
}

/* A fold over rows leaves partials, which another instruction combines. */
static void add_fold(pod_loop_builder *b, uint32_t index)
{
    const pod_ir *ir = b->fusion->ir;
    const pod_ir_node *node = &ir->nodes[index];
    const pod_ir_value *type = &ir->values[node->value_first];
    const pod_reduction_split split = pod_compile_reduction_split(ir, node);
    pod_loop_fold fold = {.dtype = type->dtype, .class_ = pod_kernel_class_of(type->dtype)};
    pod_compile_fold_of(ir, node, b->fusion->kernels, &fold.fold);
    fold.source = operand(b, pod_ir_inputs(ir, node)[0]);
    fold.by_rows = split.rows > 1;
    fold.inner = split.inner;
    fold.partial_rows = partial_rows_of(b, ir->values[pod_ir_inputs(ir, node)[0]].shape);
    fold.first = neutral(fold.fold, fold.class_);
    if (fold.by_rows) {
        fold.slot = pod_lower_result(b->function, node->value_first);
    } else {
        pod_shape shape = {2, {pod_part_count(b->loop->rows, fold.partial_rows), split.inner}};
        fold.slot = pod_lower_slot(b->function->owner, class_types[fold.class_], &shape);
    }
    pod_loop *loop = b->loop;
    loop->folds = pod_compile_builder_more(b, loop->folds, loop->fold_count, &b->folds, sizeof *loop->folds);
    if (fold.slot == POD_SLOT_END)
        b->failed = true;
    if (!b->failed)
        loop->folds[loop->fold_count++] = fold;
}

/* ---- the whole ------------------------------------------------------------------------------------ */

/* Rows by the folds or the product, else by the shape of the first value: long enough to be shared among
 * threads, if it can be. */
static void settle_rows(const pod_fusion *fusion, const pod_fused_loop *fused, pod_loop *loop)
{
    loop->rows = fused->rows;
    if (!loop->rows) {
        const pod_ir_node *first = &fusion->ir->nodes[fused->first_node];
        const pod_ir_value *value = &fusion->ir->values[first->value_first];
        if (fusion->roles[fused->first_node] == POD_ROLE_REDUCTION)
            value = &fusion->ir->values[pod_ir_inputs(fusion->ir, first)[0]];
        const pod_shape *shape = value->shape;
        int64_t last = shape->rank > 1 ? shape->dims[shape->rank - 1] : 1;
        loop->rows = fused->elements / last;
        if (loop->rows < 16 && fused->elements >= 16384)
            loop->rows = fused->elements;
    }
    loop->columns = fused->elements / loop->rows;
}

/* Walks backwards from what is stored and folded. */
static void find_live(pod_loop_builder *b)
{
    const pod_fusion *f = b->fusion;
    const pod_ir *ir = f->ir;
    for (uint32_t i = b->member_count; i-- > 0;) {
        const pod_ir_node *node = &ir->nodes[b->members[i]];
        b->live[i] = b->read[i] || b->members[i] == b->product;
        for (uint32_t j = 0; j < node->value_count; j++)
            b->live[i] = b->live[i] || f->stored[node->value_first + j];
        for (uint32_t j = 0; b->live[i] && j < node->input_count; j++) {
            pod_ref base = f->views[pod_ir_inputs(ir, node)[j]].base;
            for (uint32_t k = 0; k < i; k++)
                b->read[k] = b->read[k] || b->members[k] == ir->values[base].node;
        }
    }
}

/* Returns whether a reduction is a step, as others of the loop read what it gives. */
static bool is_row_fold(const pod_loop_builder *b, uint32_t member)
{
    uint32_t node = b->members[member];
    return b->read[member] && b->fusion->roles[node] == POD_ROLE_REDUCTION &&
           pod_compile_is_row_value(b->fusion, b->fusion->ir->nodes[node].value_first);
}

static void add_steps(pod_loop_builder *b)
{
    for (uint32_t i = 0; i < b->member_count && !b->failed; i++) {
        pod_role role = b->fusion->roles[b->members[i]];
        if (!b->live[i])
            continue;
        if (role == POD_ROLE_ELEMENT || role == POD_ROLE_COPY || role == POD_ROLE_ROW)
            add_node(b, b->members[i]);
        else if (is_row_fold(b, i))
            add_row_fold(b, b->members[i]);
    }
}

/* Those over rows come first, as pod_lower_combines() wants them. */
static void add_folds(pod_loop_builder *b)
{
    for (int by_rows = 0; by_rows < 2; by_rows++) {
        for (uint32_t i = 0; i < b->member_count && !b->failed; i++) {
            const pod_ir_node *node = &b->fusion->ir->nodes[b->members[i]];
            if (b->live[i] && b->fusion->roles[b->members[i]] == POD_ROLE_REDUCTION && !is_row_fold(b, i) &&
                (pod_compile_reduction_split(b->fusion->ir, node).rows > 1) == by_rows)
                add_fold(b, b->members[i]);
        }
    }
}

static void add_members(pod_loop_builder *b)
{
    const pod_fusion *fusion = b->fusion;
    find_live(b);
    add_steps(b);
    add_folds(b);
    for (uint32_t i = 0; i < b->member_count && !b->failed; i++) {
        const pod_ir_node *node = &fusion->ir->nodes[b->members[i]];
        bool folded = fusion->roles[b->members[i]] == POD_ROLE_REDUCTION && !is_row_fold(b, i);
        for (uint32_t j = 0; j < node->value_count && !b->failed; j++) {
            pod_ref value = node->value_first + j;
            if (!fusion->stored[value] || folded)
                continue;
            if (b->members[i] == b->product)
                (void)find_operand(b, value);
            add_store(b, value);
        }
    }
}

/* Leaves register_of as it was: no value has a register. */
static void forget(pod_loop_builder *b)
{
    for (uint32_t i = 0; i < b->member_count; i++) {
        const pod_ir_node *node = &b->fusion->ir->nodes[b->members[i]];
        for (uint32_t j = 0; j < node->value_count; j++)
            b->register_of[node->value_first + j] = b->rounded_of[node->value_first + j] = POD_NO_REGISTER;
    }
    for (uint32_t i = 0; i < b->seen_count; i++)
        b->register_of[b->seen[i]] = b->rounded_of[b->seen[i]] = POD_NO_REGISTER;
}

pod_loop *pod_compile_make_loop(pod_lowered *function, const pod_fusion *fusion, uint32_t number,
                                const uint32_t *members, uint32_t count)
{
    pod_loop_builder b = {.function = function,
                          .fusion = fusion,
                          .number = number,
                          .members = members,
                          .member_count = count,
                          .register_of = function->registers,
                          .rounded_of = function->rounded,
                          .product = fusion->loops[number].product};
    b.loop = pod_arena_array(function->owner->memory, 1, sizeof *b.loop);
    b.live = pod_arena_array(function->owner->scratch, count, sizeof *b.live);
    b.read = pod_arena_array(function->owner->scratch, count, sizeof *b.read);
    if (!b.loop || !b.live || !b.read) {
        pod_lower_no_memory(function->owner);
        return NULL;
    }
    settle_rows(fusion, &fusion->loops[number], b.loop);
    add_members(&b);
    forget(&b);
    if (!b.failed && !pod_compile_loop_join_rows(b.loop, fusion->kernels, function->owner->scratch, b.registers))
        pod_lower_no_memory(function->owner);
    if (!b.failed)
        pod_compile_loop_keep_adam(b.loop);
    if (b.failed || !pod_compile_loop_pack_registers(b.loop, function->owner->scratch, b.registers, b.wide)) {
        pod_lower_no_memory(function->owner);
        return NULL;
    }
    pod_compile_loop_size_blocks(b.loop, b.wide);
    return b.loop;
}
