/* lower_stages - the loops and single nodes of a function, in the order of stages. */

#include "compile/lower.h"
#include "compile/fuse.h"

#include <stdlib.h>

/* ---- order ---------------------------------------------------------------------------------------- */

/* Holds what becomes instructions together: a loop, or one node. */
typedef struct item {
    uint32_t stage;
    uint32_t first;        /* node: decides among items of a stage */
    uint32_t loop;         /* POD_NO_LOOP for a single node */
    uint32_t begin, count; /* members */
    bool alias;            /* no instruction: comes before those of its stage, which may read it */
    bool last;             /* only outputs use it, so that it may overwrite parameters that others read */
} item;

typedef struct items {
    item *list;
    uint32_t count;
    uint32_t *members; /* nodes, loop by loop */
} items;

static int compare_items(const void *a, const void *b)
{
    const item *x = a, *y = b;
    if (x->last != y->last)
        return x->last ? 1 : -1;
    if (x->stage != y->stage)
        return x->stage < y->stage ? -1 : 1;
    if (x->alias != y->alias)
        return x->alias ? -1 : 1;
    return x->first < y->first ? -1 : x->first > y->first;
}

/* Sorts the nodes of loops by loop: counts, then places. */
static bool collect_members(pod_lowered *function, const pod_fusion *fusion, items *all)
{
    pod_arena *scratch = function->owner->scratch;
    uint32_t *begin = pod_arena_array(scratch, (size_t)fusion->loop_count + 2, sizeof *begin);
    uint32_t nodes = function->ir->node_count;
    all->members = pod_arena_array(scratch, nodes, sizeof *all->members);
    all->list = pod_arena_array(scratch, (size_t)nodes + fusion->loop_count, sizeof *all->list);
    if (!begin || !all->members || !all->list)
        return pod_lower_no_memory(function->owner);
    for (uint32_t i = 0; i < nodes; i++) {
        uint32_t number = pod_compile_loop_of_node(fusion, i);
        if (number != POD_NO_LOOP)
            begin[number + 2]++;
    }
    for (uint32_t i = 2; i < fusion->loop_count + 2; i++)
        begin[i] += begin[i - 1];
    for (uint32_t i = 0; i < nodes; i++) {
        uint32_t number = pod_compile_loop_of_node(fusion, i);
        if (number != POD_NO_LOOP)
            all->members[begin[number + 1]++] = i;
    }
    for (uint32_t i = 0; i < fusion->loop_count; i++) {
        uint32_t count = begin[i + 1] - begin[i];
        if (count)
            all->list[all->count++] = (item){.stage = fusion->loops[i].stage,
                                             .first = all->members[begin[i]],
                                             .loop = i,
                                             .begin = begin[i],
                                             .count = count,
                                             .last = true};
    }
    return true;
}

/* Items whose values other items read cannot come last. */
static void find_last(const pod_fusion *fusion, items *all, uint32_t *item_of)
{
    const pod_ir *ir = fusion->ir;
    for (uint32_t i = 0; i < all->count; i++)
        for (uint32_t j = 0; j < all->list[i].count; j++)
            item_of[all->members[all->list[i].begin + j]] = i;
    for (uint32_t i = 0; i < ir->node_count; i++) {
        if (fusion->roles[i] == POD_ROLE_VIEW || fusion->roles[i] == POD_ROLE_NONE)
            continue;
        for (uint32_t j = 0; j < ir->nodes[i].input_count; j++) {
            pod_ref input = pod_ir_inputs(ir, &ir->nodes[i])[j];
            uint32_t makers[2] = {ir->values[input].node, ir->values[fusion->views[input].base].node};
            for (int k = 0; k < 2; k++)
                if (item_of[makers[k]] != POD_NO_NODE &&
                    pod_compile_loop_of_node(fusion, i) != pod_compile_loop_of_node(fusion, makers[k]))
                    all->list[item_of[makers[k]]].last = false;
        }
    }
}

static bool collect_items(pod_lowered *function, const pod_fusion *fusion, items *all)
{
    uint32_t nodes = function->ir->node_count;
    uint32_t *item_of = pod_arena_array(function->owner->scratch, nodes, sizeof *item_of);
    if (!item_of)
        return pod_lower_no_memory(function->owner);
    for (uint32_t i = 0; i < nodes; i++)
        item_of[i] = POD_NO_NODE;
    if (!collect_members(function, fusion, all))
        return false;
    find_last(fusion, all, item_of);
    for (uint32_t i = 0; i < nodes; i++)
        if (fusion->roles[i] == POD_ROLE_SINGLE || fusion->roles[i] == POD_ROLE_ALIAS)
            all->list[all->count++] = (item){.stage = fusion->stages[i],
                                             .first = i,
                                             .loop = POD_NO_LOOP,
                                             .alias = fusion->roles[i] == POD_ROLE_ALIAS};
    qsort(all->list, all->count, sizeof *all->list, compare_items);
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

static bool lower_loop(pod_lowered *function, const pod_fusion *fusion, const item *one, const uint32_t *members)
{
    uint32_t product = fusion->loops[one->loop].product;
    pod_loop *loop = NULL;
    if (!is_bare_product(fusion, members, one->count)) {
        loop = pod_compile_make_loop(function, fusion, one->loop, members, one->count);
        if (!loop)
            return false;
        if (product == POD_NO_NODE && !loop->store_count && !loop->fold_count)
            return true; /* products read through all that is here */
        function->owner->fused += one->count - 1;
    }
    bool done;
    if (product == POD_NO_NODE)
        done = pod_lower_loop(function, loop);
    else if (function->ir->nodes[product].op == POD_OP_DOT)
        done = pod_lower_product(function, fusion, product, loop);
    else
        done = pod_lower_convolution(function, fusion, product, loop);
    return done && (!loop || pod_lower_combines(function, fusion, loop, members, one->count));
}

static double flops_of(const pod_ir *ir, const pod_ir_node *node)
{
    if (node->region_count || node->op == POD_OP_CALL)
        return node->source ? pod_node_flops(node->source) : 0;
    const pod_op_sizes sizes = pod_ir_sizes(ir, node);
    return pod_op_flops(&sizes);
}

/* Returns whether an instruction does the operations of the item that it is of: it neither prepares operands nor adds
 * up. */
static bool computes(const pod_instruction *made)
{
    if (made->kind != POD_DO_CONVOLUTION)
        return made->kind != POD_DO_PACK && made->kind != POD_DO_COPY;
    int64_t products, rows, columns, depth;
    pod_kernel_convolution_products(&made->convolution.call, made->convolution.phase, &products, &rows, &columns,
                                    &depth);
    return products > 0;
}

/* Says of the instructions from `first` on, which an item became, where they are from; the operations are those of the
 * first that computes. Of a loop with a product that is the product, of others the last node. */
static bool describe(pod_lowered *function, const item *one, const uint32_t *members, uint32_t first)
{
    const pod_ir *ir = function->ir;
    pod_arena *memory = function->owner->memory;
    double flops = one->loop == POD_NO_LOOP ? flops_of(ir, &ir->nodes[one->first]) : 0;
    const pod_ir_node *node = &ir->nodes[one->loop == POD_NO_LOOP ? one->first : members[one->count - 1]];
    for (uint32_t i = 0; one->loop != POD_NO_LOOP && i < one->count; i++) {
        const pod_ir_node *member = &ir->nodes[members[i]];
        flops += flops_of(ir, member);
        if (pod_op_get(member->op)->flops == POD_FLOPS_DOT || pod_op_get(member->op)->flops == POD_FLOPS_CONV)
            node = member;
    }
    for (uint32_t i = first; i < function->count; i++) {
        pod_instruction *made = function->instructions[i];
        if (computes(made)) {
            made->flops = flops;
            flops = 0;
        }
        made->layer = pod_arena_string(memory, node->scope);
        if (!made->location)
            made->location = pod_arena_string(memory, node->location);
        if ((node->scope && !made->layer) || (node->location && !made->location))
            return pod_lower_no_memory(function->owner);
    }
    return true;
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

bool pod_lower_stages(pod_lowered *function)
{
    pod_lowering *owner = function->owner;
    pod_fusion fusion = {.no_fusion = owner->options->no_fusion, .predicts = owner->predicts};
    items all = {0};
    function->registers = pod_arena_array(owner->scratch, function->ir->value_count, sizeof *function->registers);
    function->rounded = pod_arena_array(owner->scratch, function->ir->value_count, sizeof *function->rounded);
    function->positions = pod_arena_array(owner->scratch, function->ir->node_count, sizeof *function->positions);
    if (!function->registers || !function->rounded || !function->positions ||
        !pod_compile_fuse(&fusion, owner->scratch, function->ir, owner->kernels))
        return pod_lower_no_memory(owner);
    for (uint32_t i = 0; i < function->ir->value_count; i++)
        function->registers[i] = function->rounded[i] = UINT32_MAX;
    if (!collect_items(function, &fusion, &all) || !lower_leaves(function, &fusion))
        return false;
    for (uint32_t i = 0; i < all.count; i++) {
        const item *one = &all.list[i];
        const uint32_t first = function->count;
        if (!pod_lower_goes_on(owner))
            return false;
        bool done = one->loop == POD_NO_LOOP ? pod_lower_single(function, &fusion, one->first)
                                             : lower_loop(function, &fusion, one, all.members + one->begin);
        if (!done || !describe(function, one, all.members + one->begin, first))
            return false;
    }
    for (uint32_t i = 0; i < function->ir->output_count; i++)
        if (pod_compile_value_slot(function, &fusion, function->ir->outputs[i]) == POD_SLOT_END)
            return false;
    return true;
}
