/* lower_group - see lower_group.h. Here: the order of groups, and the instructions of loops. */

#include "compile/lower_group.h"
#include "base/sizes.h"
#include "compile/compile_costs.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- slots of values ------------------------------------------------------------------------------ */

uint32_t pod_group_result(pod_lowered *function, pod_ref value)
{
    const pod_ir_value *type = &function->ir->values[value];
    function->slots[value] = pod_lower_slot(function->owner, type->dtype, type->shape);
    return function->slots[value];
}

uint32_t pod_value_slot(pod_lowered *function, const pod_fusion *fusion, pod_ref value)
{
    assert(value < function->ir->value_count);
    const pod_ir_value *type = &function->ir->values[value];
    const pod_ir_node *node = &function->ir->nodes[type->node];
    if (function->slots[value] != POD_SLOT_END)
        return function->slots[value];
    if (node->op == POD_OP_CONSTANT)
        return pod_lower_constant(function, node) ? function->slots[value] : POD_SLOT_END;
    uint32_t base = function->slots[fusion->views[value].base];
    assert(base != POD_SLOT_END); /* what is seen is stored by now */
    function->slots[value] = pod_lower_view(function->owner, base, type->dtype, type->shape);
    return function->slots[value];
}

/* ---- instructions of loops ------------------------------------------------------------------------ */

static bool reads_memory(const pod_loop_load *load)
{
    return load->slot != POD_SLOT_END;
}

uint32_t pod_loop_operand_count(const pod_loop *loop)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < loop->load_count; i++)
        count += reads_memory(&loop->loads[i]);
    return count;
}

uint32_t pod_loop_result_count(const pod_loop *loop)
{
    return loop->store_count + loop->fold_count;
}

/* Into how many parts an operand falls. Of a strided one the outermost axis counts, where what lies
 * below it, some columns of each row say, keeps within its stride. */
static int64_t parts_of(const pod_loop *loop, const pod_loop_load *load, const pod_slot *slot)
{
    int64_t elements = pod_shape_elements(slot->shape);
    if (load->offset == 0 && load->access == POD_ACCESS_DENSE)
        return elements == loop->rows * loop->columns ? loop->rows : 1;
    if (load->offset == 0 && (load->access == POD_ACCESS_ROW || load->access == POD_ACCESS_ROWS))
        return elements == loop->rows ? loop->rows : 1;
    if (load->access != POD_ACCESS_STRIDED || load->offset < 0 || load->shape.rank < 2)
        return 1;
    int64_t outer = load->shape.dims[0], reach = load->offset;
    for (int32_t i = 1; i < load->shape.rank; i++) {
        if (load->strides[i] < 0)
            return 1;
        reach += load->strides[i] * (load->shape.dims[i] - 1);
    }
    bool whole = outer * load->strides[0] == elements;
    return whole && reach < load->strides[0] && loop->rows % outer == 0 ? outer : 1;
}

void pod_loop_slots(const pod_loop *loop, pod_instruction *instruction, uint32_t first_operand, uint32_t first_result,
                    const pod_lowering *lowering)
{
    uint32_t at = first_operand;
    for (uint32_t i = 0; i < loop->load_count; i++) {
        const pod_loop_load *load = &loop->loads[i];
        if (!reads_memory(load))
            continue;
        instruction->slots[at] = load->slot;
        instruction->parts[at++] = parts_of(loop, load, &lowering->slots[load->slot]);
    }
    assert(at == first_operand + pod_loop_operand_count(loop));
    at = first_result;
    for (uint32_t i = 0; i < loop->store_count; i++) {
        instruction->slots[at] = loop->stores[i].slot;
        instruction->parts[at++] = loop->rows;
    }
    for (uint32_t i = 0; i < loop->fold_count; i++) {
        instruction->slots[at] = loop->folds[i].slot;
        instruction->parts[at++] = loop->folds[i].by_rows ? loop->rows : 1;
    }
    assert(at == first_result + pod_loop_result_count(loop));
}

double pod_loop_row_cost(const pod_loop *loop)
{
    double each = POD_COST_LOOP_ELEMENT *
                  (double)(loop->step_count * 2 + loop->load_count + loop->store_count + loop->fold_count);
    return each * (double)loop->columns + POD_COST_LOOP_ROW;
}

static bool folds_rows(const pod_loop *loop)
{
    for (uint32_t i = 0; i < loop->fold_count; i++)
        if (!loop->folds[i].by_rows)
            return true;
    return false;
}

bool pod_lower_loop(pod_lowered *function, pod_loop *loop)
{
    uint32_t operands = pod_loop_operand_count(loop), results = pod_loop_result_count(loop);
    pod_instruction *made = pod_lower_add(function, POD_DO_LOOP, operands, results);
    if (!made)
        return false;
    made->name = "";
    made->loop = loop;
    made->rows = loop->rows;
    for (uint32_t i = 0; i < loop->fold_count; i++)
        if (!loop->folds[i].by_rows)
            made->grain = loop->folds[i].chunk;
    made->row_cost = pod_loop_row_cost(loop);
    made->scratch_bytes = loop->scratch_bytes;
    pod_loop_slots(loop, made, 0, operands, function->owner);
    return true;
}

static bool lower_combine(pod_lowered *function, const pod_loop *loop, const pod_loop_fold *fold, pod_ref value)
{
    pod_instruction *made = pod_lower_add(function, POD_DO_COMBINE, 1, 1);
    uint32_t result = pod_group_result(function, value);
    if (!made || result == POD_SLOT_END)
        return false;
    made->name = "partials";
    made->slots[0] = fold->slot;
    made->slots[1] = result;
    made->combine = (pod_combine_detail){
        .fold = fold->fold,
        .class_ = fold->class_,
        .chunks = pod_part_count(loop->rows, fold->chunk),
        .columns = fold->inner,
        .dtype = fold->dtype,
    };
    made->rows = made->parts[1] = fold->inner;
    made->row_cost = POD_COST_PARTIAL_SUM * (double)made->combine.chunks + POD_COST_PARTIAL_ROW;
    made->scratch_bytes = POD_BLOCK * 8 + 64;
    return true;
}

/* Folds over rows stand first, in the order of their nodes. */
bool pod_lower_combines(pod_lowered *function, const pod_fusion *fusion, const pod_loop *loop, const uint32_t *members,
                        uint32_t count)
{
    uint32_t fold = 0;
    for (uint32_t i = 0; i < count && folds_rows(loop); i++) {
        const pod_ir_node *node = &fusion->ir->nodes[members[i]];
        int64_t rows, columns, inner;
        if (fusion->roles[members[i]] != POD_ROLE_REDUCTION || !fusion->stored[node->value_first] ||
            !pod_reduction_split(fusion->ir, node, &rows, &columns, &inner) || rows > 1)
            continue;
        if (!lower_combine(function, loop, &loop->folds[fold++], node->value_first))
            return false;
    }
    return true;
}

/* ---- order ---------------------------------------------------------------------------------------- */

/* What becomes instructions together: a group, or one node. */
typedef struct unit {
    uint32_t stage;
    uint32_t first;        /* node: decides among units of a stage */
    uint32_t group;        /* POD_NO_GROUP for a single node */
    uint32_t begin, count; /* members */
    bool alias;            /* no instruction: comes before those of its stage, which may read it */
    bool last;             /* only outputs use it, so that it may overwrite parameters that others read */
} unit;

typedef struct units {
    unit *list;
    uint32_t count;
    uint32_t *members; /* nodes, group by group */
} units;

static int compare_units(const void *a, const void *b)
{
    const unit *x = a, *y = b;
    if (x->last != y->last)
        return x->last ? 1 : -1;
    if (x->stage != y->stage)
        return x->stage < y->stage ? -1 : 1;
    if (x->alias != y->alias)
        return x->alias ? -1 : 1;
    return x->first < y->first ? -1 : x->first > y->first;
}

/* Sorts the nodes of loops by group: counts, then places. */
static bool collect_members(pod_lowered *function, const pod_fusion *fusion, units *all)
{
    pod_arena *scratch = function->owner->scratch;
    uint32_t *begin = pod_arena_array(scratch, (size_t)fusion->loop_count + 2, sizeof *begin);
    uint32_t nodes = function->ir->node_count;
    all->members = pod_arena_array(scratch, nodes, sizeof *all->members);
    all->list = pod_arena_array(scratch, (size_t)nodes + fusion->loop_count, sizeof *all->list);
    if (!begin || !all->members || !all->list)
        return pod_lower_no_memory(function->owner);
    for (uint32_t i = 0; i < nodes; i++) {
        uint32_t group = pod_fusion_group(fusion, i);
        if (group != POD_NO_GROUP)
            begin[group + 2]++;
    }
    for (uint32_t i = 2; i < fusion->loop_count + 2; i++)
        begin[i] += begin[i - 1];
    for (uint32_t i = 0; i < nodes; i++) {
        uint32_t group = pod_fusion_group(fusion, i);
        if (group != POD_NO_GROUP)
            all->members[begin[group + 1]++] = i;
    }
    for (uint32_t i = 0; i < fusion->loop_count; i++) {
        uint32_t count = begin[i + 1] - begin[i];
        if (count)
            all->list[all->count++] = (unit){.stage = fusion->loops[i].stage,
                                             .first = all->members[begin[i]],
                                             .group = i,
                                             .begin = begin[i],
                                             .count = count,
                                             .last = true};
    }
    return true;
}

/* Units whose values other units read cannot come last. */
static void find_last(const pod_fusion *fusion, units *all, uint32_t *unit_of)
{
    const pod_ir *ir = fusion->ir;
    for (uint32_t i = 0; i < all->count; i++)
        for (uint32_t j = 0; j < all->list[i].count; j++)
            unit_of[all->members[all->list[i].begin + j]] = i;
    for (uint32_t i = 0; i < ir->node_count; i++) {
        if (fusion->roles[i] == POD_ROLE_VIEW || fusion->roles[i] == POD_ROLE_NONE)
            continue;
        for (uint32_t j = 0; j < ir->nodes[i].input_count; j++) {
            pod_ref input = pod_ir_inputs(ir, &ir->nodes[i])[j];
            uint32_t makers[2] = {ir->values[input].node, ir->values[fusion->views[input].base].node};
            for (int k = 0; k < 2; k++)
                if (unit_of[makers[k]] != POD_NO_GROUP &&
                    pod_fusion_group(fusion, i) != pod_fusion_group(fusion, makers[k]))
                    all->list[unit_of[makers[k]]].last = false;
        }
    }
}

static bool collect_units(pod_lowered *function, const pod_fusion *fusion, units *all)
{
    uint32_t nodes = function->ir->node_count;
    uint32_t *unit_of = pod_arena_array(function->owner->scratch, nodes, sizeof *unit_of);
    if (!unit_of)
        return pod_lower_no_memory(function->owner);
    for (uint32_t i = 0; i < nodes; i++)
        unit_of[i] = POD_NO_GROUP;
    if (!collect_members(function, fusion, all))
        return false;
    find_last(fusion, all, unit_of);
    for (uint32_t i = 0; i < nodes; i++)
        if (fusion->roles[i] == POD_ROLE_SINGLE || fusion->roles[i] == POD_ROLE_ALIAS)
            all->list[all->count++] = (unit){.stage = fusion->stages[i],
                                             .first = i,
                                             .group = POD_NO_GROUP,
                                             .alias = fusion->roles[i] == POD_ROLE_ALIAS};
    qsort(all->list, all->count, sizeof *all->list, compare_units);
    return true;
}

/* ---- lowering ------------------------------------------------------------------------------------- */

/* A product whose sums are stored as they are needs no loop. */
static bool is_bare_product(const pod_fusion *fusion, const uint32_t *members, uint32_t count)
{
    const pod_ir *ir = fusion->ir;
    return count == 1 && fusion->roles[members[0]] == POD_ROLE_PRODUCT &&
           ir->values[ir->nodes[members[0]].value_first].dtype == POD_F32;
}

static bool lower_group(pod_lowered *function, const pod_fusion *fusion, const unit *one, const uint32_t *members)
{
    uint32_t product = fusion->loops[one->group].product;
    pod_loop *loop = NULL;
    if (!is_bare_product(fusion, members, one->count)) {
        loop = pod_group_code(function, fusion, one->group, members, one->count);
        if (!loop)
            return false;
        if (product == POD_NO_GROUP && !loop->store_count && !loop->fold_count)
            return true; /* products read through all that is here */
        function->owner->fused += one->count - 1;
    }
    bool done;
    if (product == POD_NO_GROUP)
        done = pod_lower_loop(function, loop);
    else if (function->ir->nodes[product].op == POD_OP_DOT)
        done = pod_lower_product(function, fusion, product, loop);
    else
        done = pod_lower_convolution(function, fusion, product, loop);
    return done && (!loop || pod_lower_combines(function, fusion, loop, members, one->count));
}

static bool lower_single(pod_lowered *function, const pod_fusion *fusion, uint32_t index)
{
    const pod_ir_node *node = &function->ir->nodes[index];
    for (uint32_t i = 0; i < node->input_count; i++) {
        if (i == 0 && (node->op == POD_OP_CHECK || fusion->poolings[index] != POD_NO_GROUP))
            continue;
        if (pod_value_slot(function, fusion, pod_ir_inputs(function->ir, node)[i]) == POD_SLOT_END)
            return false;
    }
    if (node->op == POD_OP_CALL)
        return pod_lower_call(function, fusion, index);
    return pod_lower_pooling(function, fusion, index);
}

static bool lower_leaves(pod_lowered *function, const pod_fusion *fusion)
{
    for (uint32_t i = 0; i < function->ir->node_count; i++) {
        const pod_ir_node *node = &function->ir->nodes[i];
        if (fusion->roles[i] == POD_ROLE_LEAF && node->op == POD_OP_CONSTANT && !pod_lower_constant(function, node))
            return false;
    }
    return true;
}

bool pod_lower_groups(pod_lowered *function)
{
    pod_lowering *owner = function->owner;
    pod_fusion fusion = {.no_fusion = owner->options->no_fusion};
    units all = {0};
    function->registers = pod_arena_array(owner->scratch, function->ir->value_count, sizeof *function->registers);
    function->positions = pod_arena_array(owner->scratch, function->ir->node_count, sizeof *function->positions);
    if (!function->registers || !function->positions ||
        !pod_fuse(&fusion, owner->scratch, function->ir, owner->kernels))
        return pod_lower_no_memory(owner);
    for (uint32_t i = 0; i < function->ir->value_count; i++)
        function->registers[i] = UINT32_MAX;
    if (!collect_units(function, &fusion, &all) || !lower_leaves(function, &fusion))
        return false;
    for (uint32_t i = 0; i < all.count; i++) {
        const unit *one = &all.list[i];
        bool done = one->group == POD_NO_GROUP ? lower_single(function, &fusion, one->first)
                                               : lower_group(function, &fusion, one, all.members + one->begin);
        if (!done)
            return false;
    }
    for (uint32_t i = 0; i < function->ir->output_count; i++)
        if (pod_value_slot(function, &fusion, function->ir->outputs[i]) == POD_SLOT_END)
            return false;
    return true;
}
