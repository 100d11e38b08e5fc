/*
 * lower_loop - makes the straight-line code of a loop from its nodes: loads where their values are
 * first needed, one or two steps a node, stores of what is read elsewhere, folds. Registers are virtual
 * first (one a value) and then packed into few.
 */

#include "compile/lower_group.h"

#include "compile/rewrite.h"

#include <string.h>

#define NO_REGISTER UINT32_MAX

/* Code under construction. Virtual registers are numbered in the order of their making. */
typedef struct builder {
    pod_lowered *function;
    const pod_fusion *fusion;
    uint32_t group;
    pod_loop *loop;
    uint32_t loads, steps, stores, folds; /* room */
    const uint32_t *members; /* nodes of the group, in order */
    uint32_t member_count;
    uint32_t *register_of;   /* of each value of the ir: NO_REGISTER at first */
    pod_ref *seen;           /* values that were loaded */
    uint32_t seen_count;
    uint32_t registers;
    uint32_t product;      /* node whose tile is loaded, or POD_NO_GROUP */
    bool wide;             /* some register has 8-byte elements */
    bool failed;
} builder;

static uint32_t new_register(builder *b, pod_class class_)
{
    b->wide = b->wide || pod_class_size(class_) == 8;
    return b->registers++;
}

/* Makes room in one of the lists of the loop. */
static void *more(builder *b, void *list, uint32_t count, uint32_t *room, size_t size)
{
    if (count < *room)
        return list;
    uint32_t wanted = *room ? *room * 2 : 8;
    void *larger = pod_arena_array(b->function->owner->memory, wanted, size);
    if (!larger) {
        b->failed = true;
        return NULL;
    }
    if (count)
        memcpy(larger, list, count * size);
    *room = wanted;
    return larger;
}

/* ---- loads ---------------------------------------------------------------------------------------- */

static uint32_t add_load(builder *b, const pod_loop_load *load)
{
    pod_loop *loop = b->loop;
    loop->loads = more(b, loop->loads, loop->load_count, &b->loads, sizeof *loop->loads);
    if (b->failed)
        return 0;
    pod_loop_load *made = &loop->loads[loop->load_count++];
    *made = *load;
    made->at = loop->step_count;
    made->result = new_register(b, pod_class_of(load->dtype));
    return made->result;
}

static uint32_t load_scalar(builder *b, pod_dtype dtype, double value)
{
    pod_loop_load load = {.access = POD_ACCESS_SCALAR, .slot = POD_SLOT_END, .dtype = dtype};
    pod_convert(POD_F64, &value, dtype, &load.element, 1);
    return add_load(b, &load);
}

/* How the elements of a view lie over rows x columns. */
static void classify(const pod_loop *loop, const pod_view *view, pod_loop_load *load)
{
    pod_view flat = pod_view_collapse(view);
    int32_t rank = flat.shape.rank;
    load->offset = flat.offset;
    load->shape = flat.shape;
    if (rank == 0) /* one element: the walk wants an axis */
        load->shape = (pod_shape){1, {1}};
    memcpy(load->strides, flat.strides, sizeof load->strides);
    bool all_still = true;
    for (int32_t i = 0; i < rank; i++)
        all_still = all_still && flat.strides[i] == 0;
    load->access = POD_ACCESS_STRIDED;
    if (loop->rows * loop->columns == 1 && flat.offset == 0)
        load->access = POD_ACCESS_DENSE;
    else if (all_still)
        load->access = POD_ACCESS_SCALAR;
    else if (rank == 1 && flat.strides[0] == 1)
        load->access = POD_ACCESS_DENSE;
    else if (rank == 2 && flat.strides[0] == 0 && flat.strides[1] == 1 &&
             flat.shape.dims[1] == loop->columns)
        load->access = POD_ACCESS_COLUMN;
    else if (rank == 2 && flat.strides[0] == 1 && flat.strides[1] == 0 &&
             flat.shape.dims[0] == loop->rows)
        load->access = POD_ACCESS_ROW;
}

/* Loads a value from where its base lies. */
static uint32_t load_view(builder *b, const pod_view *view)
{
    const pod_ir *ir = b->fusion->ir;
    const pod_ir_node *maker = pod_ir_maker(ir, view->base);
    pod_loop_load load = {.dtype = ir->values[view->base].dtype, .slot = POD_SLOT_END};
    classify(b->loop, view, &load);
    double element;
    bool splat = pod_ir_splat(ir, view->base, &element);
    if (splat) {
        load.access = POD_ACCESS_SCALAR;
        memcpy(&load.element, maker->constant, pod_dtype_size(load.dtype));
    } else if (maker->op == POD_OP_IOTA) {
        load.access = POD_ACCESS_COUNT;
    } else {
        load.slot = b->function->slots[view->base];
    }
    return add_load(b, &load);
}

static bool same_view(const pod_view *x, const pod_view *y)
{
    return x->base == y->base && x->offset == y->offset && pod_shape_equal(&x->shape, &y->shape) &&
           memcmp(x->strides, y->strides, (size_t)x->shape.rank * sizeof x->strides[0]) == 0;
}

/* The register of an operand: of the node that makes it here, of an earlier load, or of a new one. */
static uint32_t operand(builder *b, pod_ref value)
{
    const pod_view *view = &b->fusion->views[value];
    uint32_t maker = b->fusion->ir->values[view->base].node;
    bool inside = pod_fusion_group(b->fusion, maker) == b->group && maker != b->product &&
                  b->fusion->roles[maker] != POD_ROLE_REDUCTION;
    if (maker == b->product && pod_view_is_dense(view) &&
        b->register_of[view->base] == NO_REGISTER) {
        pod_loop_load tile = {.access = POD_ACCESS_TILE, .slot = POD_SLOT_END, .dtype = POD_F32};
        b->register_of[view->base] = add_load(b, &tile);
    }
    if ((inside || maker == b->product) && pod_view_is_dense(view) &&
        b->register_of[view->base] != NO_REGISTER)
        return b->register_of[view->base];
    if (b->register_of[value] == NO_REGISTER) {
        for (uint32_t i = 0; i < b->seen_count; i++)
            if (same_view(&b->fusion->views[b->seen[i]], view))
                return b->register_of[b->seen[i]];
        b->register_of[value] = load_view(b, view);
        b->seen[b->seen_count++] = value;
    }
    return b->register_of[value];
}

/* ---- steps ---------------------------------------------------------------------------------------- */

static uint32_t add_step(builder *b, pod_block_function function, pod_class result, uint32_t x,
                         uint32_t y, uint32_t z)
{
    pod_loop *loop = b->loop;
    loop->steps = more(b, loop->steps, loop->step_count, &b->steps, sizeof *loop->steps);
    if (b->failed)
        return 0;
    uint32_t made = new_register(b, result);
    loop->steps[loop->step_count++] = (pod_loop_step){function, made, x, y, z, NULL};
    return made;
}

static uint32_t add_element(builder *b, pod_block_op element, pod_class class_, uint32_t x,
                            uint32_t y, uint32_t z)
{
    bool truth = (element >= POD_BLOCK_OP_EQ && element <= POD_BLOCK_OP_GE) ||
                 element == POD_BLOCK_OP_IS_FINITE;
    return add_step(b, b->fusion->kernels->element[element][class_],
                    truth ? POD_CLASS_S32 : class_, x, y, z);
}

/* Narrow integers may have left their type's range. */
static uint32_t wrap(builder *b, pod_op op, pod_dtype dtype, uint32_t at)
{
    bool narrow = pod_dtype_is_integer(dtype) && pod_dtype_size(dtype) < 4;
    bool may_leave = op == POD_OP_NEGATE || op == POD_OP_ABS || op == POD_OP_NOT ||
                     (op >= POD_OP_ADD && op <= POD_OP_POWER);
    if (!narrow || !may_leave)
        return at;
    return add_element(b, pod_dtype_size(dtype) == 1 ? POD_BLOCK_OP_WRAP_8 : POD_BLOCK_OP_WRAP_16,
                       pod_class_of(dtype), at, NO_REGISTER, NO_REGISTER);
}

/* Whether a value is read in its own loop, not only stored. */
static bool is_read_inside(const builder *b, uint32_t node, pod_ref value)
{
    const pod_ir *ir = b->fusion->ir;
    for (uint32_t i = 0; i < b->member_count; i++) {
        const pod_ir_node *user = &ir->nodes[b->members[i]];
        for (uint32_t j = 0; b->members[i] > node && j < user->input_count; j++)
            if (b->fusion->views[pod_ir_inputs(ir, user)[j]].base == value)
                return true;
    }
    return false;
}

static uint32_t convert(builder *b, uint32_t index, const pod_ir_node *node)
{
    const pod_ir *ir = b->fusion->ir;
    const pod_kernels *kernels = b->fusion->kernels;
    pod_ref input = pod_ir_inputs(ir, node)[0];
    pod_dtype from = ir->values[input].dtype, to = ir->values[node->value_first].dtype;
    pod_class from_class = pod_class_of(from), to_class = pod_class_of(to);
    uint32_t at = operand(b, input);
    if (to == POD_BOOL)
        return add_element(b, POD_BLOCK_OP_NE, from_class, at, load_scalar(b, from, 0),
                           NO_REGISTER);
    if (from_class != to_class)
        at = add_step(b, kernels->convert[from_class][to_class], to_class, at, NO_REGISTER,
                      NO_REGISTER);
    bool rounds = (to == POD_BF16 || to == POD_F16) && is_read_inside(b, index, node->value_first);
    if (!rounds) /* storing rounds, too */
        return at;
    const pod_block_op rounding = to == POD_BF16 ? POD_BLOCK_OP_ROUND_BF16 : POD_BLOCK_OP_ROUND_F16;
    return add_element(b, rounding, to_class,
                       at, NO_REGISTER, NO_REGISTER);
}

static uint32_t random_bits(builder *b, const pod_ir_node *node)
{
    const pod_shape *shape = b->fusion->ir->values[node->value_first].shape;
    pod_loop_load load = {.access = POD_ACCESS_RANDOM, .dtype = POD_U32};
    load.slot = pod_value_slot(b->function, b->fusion, pod_ir_inputs(b->fusion->ir, node)[0]);
    b->failed = b->failed || load.slot == POD_SLOT_END;
    load.seed = node->attributes->seed;
    int64_t rows = shape->rank > 0 ? shape->dims[0] : 1;
    load.row_elements = pod_shape_elements(shape) / rows;
    return add_load(b, &load);
}

static void add_adam(builder *b, const pod_ir_node *node)
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
    loop->steps = more(b, loop->steps, loop->step_count, &b->steps, sizeof *loop->steps);
    if (b->failed)
        return;
    loop->steps[loop->step_count++] =
        (pod_loop_step){NULL, NO_REGISTER, NO_REGISTER, NO_REGISTER, NO_REGISTER, adam};
    for (uint32_t i = 0; i < 3; i++) {
        adam->slots[i] = POD_SLOT_END;
        adam->results[i] = new_register(b, POD_CLASS_F32);
        b->register_of[node->value_first + i] = adam->results[i];
    }
}

static void add_node(builder *b, uint32_t index)
{
    const pod_ir *ir = b->fusion->ir;
    const pod_ir_node *node = &ir->nodes[index];
    const pod_ref *inputs = pod_ir_inputs(ir, node);
    uint32_t *to = &b->register_of[node->value_first];
    pod_block_op element;
    pod_class class_;
    if (b->fusion->roles[index] == POD_ROLE_COPY) {
        *to = load_view(b, &b->fusion->views[node->value_first]);
    } else if (node->op == POD_OP_RANDOM_BITS) {
        *to = random_bits(b, node);
    } else if (pod_is_adam(node)) {
        add_adam(b, node);
    } else if (node->op == POD_OP_CONVERT) {
        *to = convert(b, index, node);
    } else if (pod_element_of(ir, node, b->fusion->kernels, &element, &class_)) {
        uint32_t at[3] = {NO_REGISTER, NO_REGISTER, NO_REGISTER};
        for (uint32_t i = 0; i < node->input_count; i++)
            at[i] = operand(b, inputs[i]);
        *to = add_element(b, element, class_, at[0], at[1], at[2]);
        *to = wrap(b, node->op, ir->values[node->value_first].dtype, *to);
    }
}

/* ---- stores and folds ----------------------------------------------------------------------------- */

static void add_store(builder *b, pod_ref value)
{
    pod_loop *loop = b->loop;
    const pod_ir_value *type = &b->fusion->ir->values[value];
    uint32_t slot = pod_group_result(b->function, value);
    loop->stores = more(b, loop->stores, loop->store_count, &b->stores, sizeof *loop->stores);
    if (slot == POD_SLOT_END)
        b->failed = true;
    if (b->failed)
        return;
    loop->stores[loop->store_count++] = (pod_loop_store){slot, b->register_of[value], type->dtype};
}

static const pod_dtype class_types[POD_CLASS_COUNT] = {POD_F32, POD_F64, POD_S32,
                                                       POD_U32, POD_S64, POD_U64};

/* Where a fold begins: the element that changes nothing. */
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
 * rows of a dot are cut otherwise. All folds of a loop have the same chunk. */
static int64_t chunk_of(const builder *b, const pod_shape *shape)
{
    const pod_loop *loop = b->loop;
    bool dot = b->product != POD_NO_GROUP && b->fusion->ir->nodes[b->product].op == POD_OP_DOT;
    if (loop->fold_count)
        return loop->folds[0].chunk;
    int64_t images = shape->rank > 2 && shape->dims[0] > 1 && !dot ? shape->dims[0] : loop->rows;
    bool whole = loop->rows % images == 0 && loop->rows > images;
    int64_t chunk = whole ? loop->rows / images : POD_ROW_GRAIN;
    while (chunk * 32 < loop->rows)
        chunk *= 2;
    return chunk;
}

/* A fold over rows leaves partials, which another instruction combines. */
static void add_fold(builder *b, uint32_t index)
{
    const pod_ir *ir = b->fusion->ir;
    const pod_ir_node *node = &ir->nodes[index];
    const pod_ir_value *type = &ir->values[node->value_first];
    int64_t rows = 1, columns = 1, inner = 1;
    pod_loop_fold fold = {.dtype = type->dtype, .class_ = pod_class_of(type->dtype)};
    pod_reduction_split(ir, node, &rows, &columns, &inner);
    pod_fold_of(ir, node, b->fusion->kernels, &fold.fold);
    fold.source = operand(b, pod_ir_inputs(ir, node)[0]);
    fold.by_rows = rows > 1;
    fold.inner = inner;
    fold.chunk = chunk_of(b, ir->values[pod_ir_inputs(ir, node)[0]].shape);
    fold.first = neutral(fold.fold, fold.class_);
    if (fold.by_rows) {
        fold.slot = pod_group_result(b->function, node->value_first);
    } else {
        pod_shape shape = {2, {(b->loop->rows + fold.chunk - 1) / fold.chunk, inner}};
        fold.slot = pod_lower_slot(b->function->owner, class_types[fold.class_], &shape);
    }
    pod_loop *loop = b->loop;
    loop->folds = more(b, loop->folds, loop->fold_count, &b->folds, sizeof *loop->folds);
    if (fold.slot == POD_SLOT_END)
        b->failed = true;
    if (!b->failed)
        loop->folds[loop->fold_count++] = fold;
}

/* ---- what Adam leaves in memory ------------------------------------------------------------------- */

/* How often a register is read by steps, stores and folds. */
static uint32_t count_uses(const pod_loop *loop, uint32_t at)
{
    uint32_t uses = 0;
    for (uint32_t i = 0; i < loop->step_count; i++) {
        const pod_loop_step *step = &loop->steps[i];
        uses += (step->a == at) + (step->b == at) + (step->c == at);
        for (int j = 0; step->adam && j < 5; j++)
            uses += step->adam->operands[j] == at;
    }
    for (uint32_t i = 0; i < loop->store_count; i++)
        uses += loop->stores[i].source == at;
    for (uint32_t i = 0; i < loop->fold_count; i++)
        uses += loop->folds[i].source == at;
    return uses;
}

static pod_loop_load *load_of(const pod_loop *loop, uint32_t at)
{
    for (uint32_t i = 0; i < loop->load_count; i++)
        if (loop->loads[i].result == at)
            return &loop->loads[i];
    return NULL;
}

static void read_in_place(pod_loop *loop, pod_loop_adam *adam)
{
    for (int i = 0; i < 4; i++) {
        pod_loop_load *load = load_of(loop, adam->operands[i]);
        bool tile = load && load->access == POD_ACCESS_TILE;
        if (!load || load->dtype != POD_F32 || (!tile && load->access != POD_ACCESS_DENSE) ||
            count_uses(loop, adam->operands[i]) != 1)
            continue;
        load->apart = true;
        adam->rows[i] = tile ? POD_ROWS_OF_TILE : POD_ROWS_OF_LOOP;
    }
}

/* Whether the last step may store its results: nothing reads memory after it, which may be what it writes. */
static bool can_store_last(const pod_loop *loop)
{
    for (uint32_t i = 0; i < loop->load_count; i++)
        if (loop->loads[i].at >= loop->step_count)
            return false;
    for (uint32_t i = 0; i < loop->store_count; i++)
        if (load_of(loop, loop->stores[i].source))
            return false;
    for (uint32_t i = 0; i < loop->fold_count; i++)
        if (load_of(loop, loop->folds[i].source))
            return false;
    return true;
}

static void store_in_place(pod_loop *loop, pod_loop_adam *adam)
{
    for (int i = 0; i < 3; i++)
        for (uint32_t j = 0; j < loop->store_count; j++) {
            pod_loop_store *store = &loop->stores[j];
            if (store->source != adam->results[i] || store->dtype != POD_F32 ||
                count_uses(loop, adam->results[i]) != 1)
                continue;
            adam->slots[i] = store->slot;
            adam->results[i] = store->source = NO_REGISTER;
            break;
        }
}

/* What only Adam reads, and what is only stored, is not copied through registers. */
static void stay_in_memory(pod_loop *loop)
{
    for (uint32_t i = 0; i < loop->step_count; i++)
        if (loop->steps[i].adam)
            read_in_place(loop, loop->steps[i].adam);
    if (loop->step_count && loop->steps[loop->step_count - 1].adam && can_store_last(loop))
        store_in_place(loop, loop->steps[loop->step_count - 1].adam);
}

/* ---- registers ------------------------------------------------------------------------------------ */

static void use(uint32_t *last, uint32_t at, uint32_t when)
{
    if (at != NO_REGISTER)
        last[at] = when;
}

/* Registers that keep for all blocks, or point into memory, are found at run time by the same rule: see
 * run_loop.c. */
static bool keeps(const pod_loop *loop, const pod_loop_load *load)
{
    return load->access == POD_ACCESS_SCALAR ||
           (load->access == POD_ACCESS_COLUMN && loop->columns <= POD_BLOCK / 4);
}

/* What packing keeps: where each virtual register went, when it is last used, and what is free. */
typedef struct packing {
    pod_loop *loop;
    uint32_t *last, *real, *spare;
    uint32_t spares, end;
    bool wide;
} packing;

static void find_last_uses(packing *p)
{
    pod_loop *loop = p->loop;
    p->end = loop->step_count + 1;
    for (uint32_t i = 0; i < loop->step_count; i++) {
        use(p->last, loop->steps[i].a, i);
        use(p->last, loop->steps[i].b, i);
        use(p->last, loop->steps[i].c, i);
        for (int j = 0; loop->steps[i].adam && j < 5; j++)
            use(p->last, loop->steps[i].adam->operands[j], i);
    }
    for (uint32_t i = 0; i < loop->store_count; i++)
        use(p->last, loop->stores[i].source, p->end);
    for (uint32_t i = 0; i < loop->fold_count; i++)
        use(p->last, loop->folds[i].source, p->end);
    for (uint32_t i = 0; i < loop->load_count; i++)
        if ((loop->loads[i].once = keeps(loop, &loop->loads[i])))
            p->last[loop->loads[i].result] = p->end;
}

static uint32_t take_register(packing *p, bool reuse)
{
    return reuse && p->spares > 0 ? p->spare[--p->spares] : p->loop->register_count++;
}

static void pack_adam(packing *p, uint32_t index)
{
    pod_loop_adam *adam = p->loop->steps[index].adam;
    for (int i = 0; i < 3; i++)
        if (adam->results[i] != NO_REGISTER)
            adam->results[i] = p->real[adam->results[i]] = take_register(p, true);
    for (int i = 0; i < 5; i++) {
        uint32_t from = adam->operands[i];
        adam->operands[i] = p->real[from];
        if (p->last[from] == index) {
            p->last[from] = p->end;
            p->spare[p->spares++] = p->real[from];
        }
    }
}

/* The result may take the place of an operand, unless elements differ in size. */
static void pack_step(packing *p, uint32_t index)
{
    pod_loop_step *step = &p->loop->steps[index];
    uint32_t *operands[3] = {&step->a, &step->b, &step->c};
    uint32_t freed[3], count = 0;
    if (step->adam) {
        pack_adam(p, index);
        return;
    }
    for (int i = 0; i < 3; i++) {
        uint32_t from = *operands[i];
        if (from == NO_REGISTER)
            continue;
        *operands[i] = p->real[from];
        if (p->last[from] == index) {
            p->last[from] = p->end; /* freed once, also when it is read twice */
            freed[count++] = p->real[from];
        }
    }
    uint32_t made = step->result;
    if (p->wide)
        step->result = p->real[made] = take_register(p, true);
    for (uint32_t i = 0; i < count; i++)
        p->spare[p->spares++] = freed[i];
    if (!p->wide)
        step->result = p->real[made] = take_register(p, true);
}

/* Gives each virtual register a real one; those that are not needed any more are taken again. */
static bool pack_registers(builder *b)
{
    pod_loop *loop = b->loop;
    pod_arena *scratch = b->function->owner->scratch;
    packing p = {.loop = loop, .wide = b->wide};
    p.last = pod_arena_array(scratch, b->registers, sizeof *p.last);
    p.real = pod_arena_array(scratch, b->registers, sizeof *p.real);
    p.spare = pod_arena_array(scratch, (size_t)b->registers * 2 + 4, sizeof *p.spare);
    if (!p.last || !p.real || !p.spare)
        return false;
    find_last_uses(&p);
    uint32_t load = 0;
    for (uint32_t i = 0; i <= loop->step_count; i++) {
        for (; load < loop->load_count && loop->loads[load].at <= i; load++) {
            uint32_t *result = &loop->loads[load].result;
            *result = p.real[*result] = take_register(&p, !loop->loads[load].once);
        }
        if (i < loop->step_count)
            pack_step(&p, i);
    }
    for (uint32_t i = 0; i < loop->store_count; i++)
        if (loop->stores[i].source != NO_REGISTER)
            loop->stores[i].source = p.real[loop->stores[i].source];
    for (uint32_t i = 0; i < loop->fold_count; i++)
        loop->folds[i].source = p.real[loop->folds[i].source];
    return true;
}

/* Blocks are as long as registers fit well into an L1 cache of 32 KiB. */
static void size_blocks(builder *b)
{
    pod_loop *loop = b->loop;
    int64_t size = b->wide ? 8 : 4;
    loop->block = POD_BLOCK;
    while (loop->block > POD_BLOCK / 4 &&
           (int64_t)loop->register_count * loop->block * size > 24 * 1024)
        loop->block /= 2;
    loop->register_bytes = (uint32_t)(loop->block * size);
    uint64_t pointers = ((uint64_t)loop->register_count * sizeof(char *) + 63) & ~(uint64_t)63;
    loop->scratch_bytes = (uint64_t)loop->register_count * loop->register_bytes +
                          POD_LOOP_STAGING + pointers;
    for (uint32_t i = 0; i < loop->fold_count; i++) {
        loop->folds[i].scratch = loop->scratch_bytes;
        if (loop->folds[i].by_rows)
            loop->scratch_bytes += ((uint64_t)loop->folds[i].inner * 8 + 63) & ~(uint64_t)63;
    }
}

/* Rows by the folds or the product, else by the shape of the first value: long enough to be shared among
 * threads, if it can be. */
static void settle_rows(const pod_fusion *fusion, const pod_loop_group *group, pod_loop *loop)
{
    loop->rows = group->rows;
    if (!loop->rows) {
        const pod_ir_node *first = &fusion->ir->nodes[group->first_node];
        const pod_ir_value *value = &fusion->ir->values[first->value_first];
        if (fusion->roles[group->first_node] == POD_ROLE_REDUCTION)
            value = &fusion->ir->values[pod_ir_inputs(fusion->ir, first)[0]];
        const pod_shape *shape = value->shape;
        int64_t last = shape->rank > 1 ? shape->dims[shape->rank - 1] : 1;
        loop->rows = group->elements / last;
        if (loop->rows < 16 && group->elements >= 16384)
            loop->rows = group->elements;
    }
    loop->columns = group->elements / loop->rows;
}

static void add_members(builder *b)
{
    const pod_fusion *fusion = b->fusion;
    for (uint32_t i = 0; i < b->member_count && !b->failed; i++)
        if (fusion->roles[b->members[i]] == POD_ROLE_ELEMENT ||
            fusion->roles[b->members[i]] == POD_ROLE_COPY)
            add_node(b, b->members[i]);
    for (uint32_t i = 0; i < b->member_count && !b->failed; i++)
        if (fusion->roles[b->members[i]] == POD_ROLE_REDUCTION)
            add_fold(b, b->members[i]);
    for (uint32_t i = 0; i < b->member_count && !b->failed; i++) {
        const pod_ir_node *node = &fusion->ir->nodes[b->members[i]];
        for (uint32_t j = 0; j < node->value_count && !b->failed; j++) {
            pod_ref value = node->value_first + j;
            if (!fusion->stored[value] || fusion->roles[b->members[i]] == POD_ROLE_REDUCTION)
                continue;
            if (b->members[i] == b->product)
                (void)operand(b, value);
            add_store(b, value);
        }
    }
}

/* Leaves register_of as it was: no value has a register. */
static void forget(builder *b)
{
    for (uint32_t i = 0; i < b->member_count; i++) {
        const pod_ir_node *node = &b->fusion->ir->nodes[b->members[i]];
        for (uint32_t j = 0; j < node->value_count; j++)
            b->register_of[node->value_first + j] = NO_REGISTER;
    }
    for (uint32_t i = 0; i < b->seen_count; i++)
        b->register_of[b->seen[i]] = NO_REGISTER;
}

pod_loop *pod_group_code(pod_lowered *function, const pod_fusion *fusion, uint32_t group,
                         const uint32_t *members, uint32_t count)
{
    builder b = {.function = function,
                 .fusion = fusion,
                 .group = group,
                 .members = members,
                 .member_count = count,
                 .register_of = function->registers,
                 .product = fusion->loops[group].product};
    uint32_t inputs = 1;
    for (uint32_t i = 0; i < count; i++)
        inputs += fusion->ir->nodes[members[i]].input_count;
    b.loop = pod_arena_array(function->owner->memory, 1, sizeof *b.loop);
    b.seen = pod_arena_array(function->owner->scratch, inputs, sizeof *b.seen);
    if (!b.loop || !b.seen) {
        pod_lower_no_memory(function->owner);
        return NULL;
    }
    settle_rows(fusion, &fusion->loops[group], b.loop);
    add_members(&b);
    forget(&b);
    if (!b.failed)
        stay_in_memory(b.loop);
    if (b.failed || !pack_registers(&b)) {
        pod_lower_no_memory(function->owner);
        return NULL;
    }
    size_blocks(&b);
    return b.loop;
}
