/* costs - see costs.h: what each kernel of a plan computes and moves. */

#include "tpu/costs.h"

#include "base/growth.h"
#include "tpu/certainty.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define DEEPEST 8 /* loops in loops */

/* The costs being listed. */
typedef struct cost_list {
    pod_arena *arena;
    pod_tpu_cost *costs;
    uint32_t count, room;
    double copied_bytes, counted_copies;
    char text[POD_TPU_DOUBT_SIZE]; /* what they leave out; empty: nothing */
} cost_list;

/* A lowering whose kernels are listed: the program's, or a turn's. */
typedef struct listed {
    pod_tpu_lowering *lowering;
    const bool *on_chip; /* of its values */
    uint8_t *reads;      /* of its values: room for how often a kernel reads them */
    int32_t step;        /* of the loop; -1: its own */
    double times;
} listed;

/* ---- how often a loop turns ------------------------------------------------------------------------------------- */

static bool is_whole_number(const pod_ir *ir, pod_ref value, double *number)
{
    return pod_ir_splat(ir, value, number) && fabs(*number) < 1e15 && *number == floor(*number);
}

/* The place of a parameter among those of a region; -1: it is none. */
static int64_t place_of(const pod_ir *region, pod_ref value)
{
    for (uint32_t k = 0; k < region->parameter_count; k++)
        if (region->parameters[k] == value)
            return k;
    return -1;
}

/* The number that a value of a loop's condition is before the first turn. */
static bool read_start(const pod_ir *ir, const pod_ir_node *loop, const pod_ir *condition, pod_ref value,
                       double *number)
{
    const int64_t place = place_of(condition, value);
    return place < 0 ? is_whole_number(condition, value, number)
                     : is_whole_number(ir, pod_ir_inputs(ir, loop)[place], number);
}

/* What a turn adds to what it carries at a place. */
static bool read_stride(const pod_ir *body, int64_t place, double *number)
{
    const pod_ir_node *sum = pod_ir_maker(body, body->outputs[place]);
    const pod_ref *terms = pod_ir_inputs(body, sum);
    if (sum->op != POD_OP_ADD)
        return false;
    const int other = terms[0] == body->parameters[place];
    return terms[!other] == body->parameters[place] && is_whole_number(body, terms[other], number) && *number > 0;
}

/* How often a loop turns that counts to a number, as loops over steps and layers do; 0: that is not known. */
static double turns_of(const pod_ir *ir, const pod_ir_node *loop)
{
    if (loop->attributes->count > 0)
        return (double)loop->attributes->count;
    const pod_ir *condition = loop->regions[0], *body = loop->regions[1];
    const pod_ir_node *test = pod_ir_maker(condition, condition->outputs[0]);
    if (test->op != POD_OP_COMPARE || body->output_count != loop->input_count ||
        condition->parameter_count != loop->input_count)
        return 0;
    const pod_ref *sides = pod_ir_inputs(condition, test);
    const int64_t counter = place_of(condition, sides[0]), limit = place_of(condition, sides[1]);
    double start, end, stride;
    if (counter < 0 || (limit >= 0 && body->outputs[limit] != body->parameters[limit]) ||
        !read_start(ir, loop, condition, sides[0], &start) || !read_start(ir, loop, condition, sides[1], &end) ||
        !read_stride(body, counter, &stride))
        return 0;
    if (test->attributes->comparison == POD_COMPARE_LE)
        end += 1;
    else if (test->attributes->comparison != POD_COMPARE_LT)
        return 0;
    return end > start ? ceil((end - start) / stride) : 0;
}

/* ---- what is left out ------------------------------------------------------------------------------------------- */

/* Of a kernel that is no loop: why its time is not known; NULL where it is. */
static const char *left_out(const pod_ir_node *node)
{
    if (node->op == POD_OP_COND)
        return "which branch runs is not known of %.60s%s";
    if (node->op == POD_OP_WHILE)
        return "the loop %.60s%s is not planned";
    if (node->op == POD_OP_SORT)
        return "how long %.60s%s takes is not known";
    if (pod_tpu_is_exchange(node) && node->op == POD_OP_OPAQUE)
        return "among which devices %.60s%s exchanges is not known";
    return node->op == POD_OP_OPAQUE && node->attributes->axis ? "how long %.60s%s takes is not known" : NULL;
}

static void tell(cost_list *list, const char *pattern, const pod_ir_node *node)
{
    char where[POD_TPU_PLACE_SIZE];
    const char *name = node->op == POD_OP_OPAQUE ? node->attributes->name : pod_op_stablehlo_name(node->op);
    if (list->text[0] == '\0')
        snprintf(list->text, sizeof list->text, pattern, name ? name : "an op", pod_tpu_place(node, where));
}

/* ---- bytes ------------------------------------------------------------------------------------------------------ */

/* Elements of what a node writes into, or picks out of, its first operand; else -1. */
static int64_t touched_elements(const pod_tpu_lowering *lowering, const pod_ir_node *node)
{
    const pod_ref *inputs = pod_tpu_inputs(lowering, node);
    if (node->op == POD_OP_DYNAMIC_UPDATE_SLICE)
        return lowering->values[inputs[1]].elements;
    if (node->op == POD_OP_SCATTER)
        return lowering->values[inputs[node->input_count - 1]].elements;
    return node->op == POD_OP_GATHER ? lowering->values[node->value_first].elements : -1;
}

/* The share of a value's bytes that a kernel writes: where it writes into a buffer that is there, the rows alone. */
static double written_share(const pod_tpu_lowering *lowering, pod_ref value)
{
    const pod_tpu_value *v = &lowering->values[value];
    const pod_ir_node *maker = pod_tpu_maker(lowering, value);
    const int64_t rows = maker->op == POD_OP_GATHER ? -1 : touched_elements(lowering, maker);
    const bool in_place = v->storage != value || v->free;
    return in_place && rows >= 0 && rows < v->elements ? (double)rows / (double)v->elements : 1;
}

/* The same of what it reads: rows that are looked up, or scattered into, are not all of a table. */
static double read_share(const pod_tpu_lowering *lowering, const pod_tpu_kernel *kernel, uint32_t at)
{
    const pod_ir_node *node = &lowering->ir->nodes[kernel->node];
    const pod_tpu_value *v = &lowering->values[lowering->reads[at]];
    const int64_t rows = touched_elements(lowering, node);
    double share = lowering->shares[at];
    if (rows >= 0 && rows < v->elements && node->input_count > 0 &&
        pod_tpu_root(lowering, pod_tpu_inputs(lowering, node)[0]) == pod_tpu_root(lowering, lowering->reads[at])) {
        const double picked = (double)rows / (double)v->elements;
        share = picked < share ? picked : share;
    }
    return share;
}

/* Adds what a kernel moves of a value; returns how much of that is in HBM. */
static double add_bytes(pod_tpu_cost *cost, const listed *l, pod_ref value, double share, bool placed, double *largest)
{
    const pod_tpu_value *v = &l->lowering->values[value];
    const double bytes = (double)v->bytes.padded * share, hbm = placed || l->on_chip[v->storage] ? 0 : bytes;
    cost->bytes += bytes;
    cost->hbm_bytes += hbm;
    if (v->bytes.unpadded > 0 && (double)v->bytes.padded > *largest) {
        *largest = (double)v->bytes.padded;
        cost->padding = *largest / (double)v->bytes.unpadded;
    }
    return hbm;
}

#define NARROW 16 /* bits */
#define FULL   32

/* Tells whether a kernel does nothing but lay an array out in another way. */
static bool copies(const pod_tpu_work *work, const pod_ir_node *node)
{
    return work->flops + work->others + work->transcendentals <= 0 &&
           (node->op == POD_OP_TRANSPOSE || node->op == POD_OP_RESHAPE ||
            (node->op == POD_OP_OPAQUE && strcmp(pod_tpu_op_text(node), POD_TPU_COPY) == 0));
}

/* Tells whether a kernel has one op that computes: the compiler joins one with its constants, as any two. */
static bool is_alone(const pod_tpu_lowering *lowering, const pod_tpu_kernel *kernel, const pod_ir_node *node)
{
    return kernel->work.ops == 1 && kernel->read_count == node->input_count &&
           (pod_tpu_is_reduction(node->op) || lowering->kinds[node - lowering->ir->nodes] == POD_TPU_KIND_ELEMENTWISE);
}

/* ---- exchanges between devices ---------------------------------------------------------------------------------- */

const char *pod_tpu_exchange_name(pod_tpu_exchange exchange)
{
    static const char *const names[POD_TPU_EXCHANGES] = {
        [POD_TPU_ALL_REDUCE] = "all_reduce",         [POD_TPU_ALL_GATHER] = "all_gather",
        [POD_TPU_REDUCE_SCATTER] = "reduce_scatter", [POD_TPU_ALL_TO_ALL] = "all_to_all",
        [POD_TPU_PERMUTE] = "collective_permute",
    };
    return (unsigned)exchange < POD_TPU_EXCHANGES ? names[exchange] : NULL;
}

static pod_tpu_exchange exchange_of(const pod_ir_node *node)
{
    return node->op == POD_OP_ALL_REDUCE           ? POD_TPU_ALL_REDUCE
           : node->op == POD_OP_ALL_GATHER         ? POD_TPU_ALL_GATHER
           : node->op == POD_OP_REDUCE_SCATTER     ? POD_TPU_REDUCE_SCATTER
           : node->op == POD_OP_ALL_TO_ALL         ? POD_TPU_ALL_TO_ALL
           : node->op == POD_OP_COLLECTIVE_PERMUTE ? POD_TPU_PERMUTE
                                                   : POD_TPU_EXCHANGE_NONE;
}

/* What is scattered is as large as what is read, all else as what is made. Sums of several arrays are exchanged at
 * once. */
static void count_exchange(pod_tpu_cost *cost, const pod_tpu_lowering *lowering, const pod_tpu_kernel *kernel)
{
    for (uint32_t i = 0; i < kernel->result_count; i++) {
        const pod_ref value = lowering->results[kernel->result_first + i];
        const pod_ir_node *node = pod_tpu_maker(lowering, value);
        const pod_tpu_exchange exchange = exchange_of(node);
        const double parts = exchange == POD_TPU_REDUCE_SCATTER ? (double)node->attributes->count : 1;
        if (exchange == POD_TPU_EXCHANGE_NONE)
            continue;
        cost->exchange = exchange;
        cost->exchanged_bytes += (double)lowering->values[value].bytes.padded * parts;
        cost->exchanging = exchange == POD_TPU_PERMUTE ? 0 : node->attributes->count;
    }
}

/* ---- the list --------------------------------------------------------------------------------------------------- */

/* The value by whose name a kernel goes: the largest that it makes. */
static pod_ref main_result(const pod_tpu_lowering *lowering, const pod_tpu_kernel *kernel)
{
    pod_ref best = lowering->results[kernel->result_first];
    for (uint32_t i = 1; i < kernel->result_count; i++) {
        const pod_ref value = lowering->results[kernel->result_first + i];
        if (lowering->values[value].bytes.padded > lowering->values[best].bytes.padded)
            best = value;
    }
    return best;
}

/* Adds a cost with nothing but its names, that of `value`; NULL: no memory. */
static pod_tpu_cost *add_named(cost_list *list, const listed *l, uint32_t step, pod_ref value, const pod_ir_node *node)
{
    const char *name = pod_tpu_value_name(l->lowering, list->arena, value);
    if (!name || !pod_arena_grow(list->arena, &list->costs, &list->room, (size_t)list->count + 1,
                                 (pod_growth){sizeof *list->costs, .first = 64}))
        return NULL;
    pod_tpu_cost *cost = &list->costs[list->count++];
    *cost = (pod_tpu_cost){.name = name,
                           .node = node->outer,
                           .op = pod_tpu_op_text(node),
                           .location = node->location,
                           .scope = node->scope,
                           .step = l->step < 0 ? (int32_t)step : l->step,
                           .times = l->times,
                           .padding = 1};
    return cost;
}

/* What so many bytes of a value would be more in 32 bits an element. */
static double widening(const pod_tpu_lowering *lowering, pod_ref value, double bytes)
{
    const double bits = (double)pod_element_bits(lowering->values[value].type.element);
    return bits <= NARROW ? bytes * (FULL - bits) / bits : 0;
}

/* Adds what a kernel writes. */
static void add_results(pod_tpu_cost *cost, const listed *l, const pod_tpu_kernel *kernel, double *largest)
{
    const pod_tpu_lowering *lowering = l->lowering;
    for (uint32_t i = 0; i < kernel->result_count; i++) {
        const uint32_t at = kernel->result_first + i;
        const pod_ref value = lowering->results[at];
        const double rows = (double)pod_tpu_rows_of_update(lowering, kernel, value), before = cost->bytes;
        const double share = rows > 0 ? rows / (double)lowering->values[value].bytes.padded : 1;
        const double hbm = add_bytes(cost, l, value, written_share(lowering, value) * share,
                                     lowering->placed_results[at] && rows <= 0, largest);
        if (cost->copies)
            cost->narrow_bytes += widening(lowering, value, hbm);
        else if (pod_element_bits(lowering->values[value].type.element) <= NARROW)
            cost->narrow_bytes += kernel->work.product ? cost->bytes - before : hbm;
    }
}

/* Adds what a kernel reads; returns what operands of its products read again, wherever that is. */
static double add_reads(pod_tpu_cost *cost, const listed *l, const pod_tpu_kernel *kernel, double *largest)
{
    const pod_tpu_lowering *lowering = l->lowering;
    double again = 0;
    if (kernel->work.product)
        pod_tpu_count_reads(l->lowering, kernel, l->reads);
    for (uint32_t i = kernel->read_first; i < kernel->read_first + kernel->read_count; i++) {
        const pod_ref value = lowering->reads[i];
        const double share = read_share(lowering, kernel, i), before = cost->bytes;
        const double hbm = add_bytes(cost, l, value, share, lowering->placed_reads[i], largest);
        const int times = kernel->work.product && share >= 1 && l->reads[value] > 1 ? l->reads[value] - 1 : 0;
        again += times * (cost->bytes - before);
        cost->again_bytes += times * hbm;
        cost->narrow_bytes += cost->copies ? widening(lowering, value, hbm) : 0;
    }
    return again;
}

/* Adds the copies of updated tables to where those are to be. */
static bool add_copies_back(cost_list *list, const listed *l, const pod_tpu_kernel *kernel, uint32_t step)
{
    const pod_tpu_lowering *lowering = l->lowering;
    for (uint32_t i = 0; i < kernel->result_count; i++) {
        const pod_ref value = lowering->results[kernel->result_first + i];
        const double rows = (double)pod_tpu_rows_of_update(lowering, kernel, value);
        pod_tpu_cost *cost =
            rows > 0 ? add_named(list, l, step, value, pod_tpu_maker(lowering, value)) : &(pod_tpu_cost){.step = 0};
        if (!cost)
            return false;
        cost->op = POD_TPU_COPY;
        cost->copies = true;
        cost->bytes = cost->hbm_bytes = cost->counted_bytes = rows + (double)lowering->values[value].bytes.padded;
        cost->narrow_bytes = widening(lowering, value, cost->bytes);
    }
    return true;
}

static bool add_cost(cost_list *list, const listed *l, uint32_t step)
{
    const pod_tpu_lowering *lowering = l->lowering;
    const pod_tpu_kernel *kernel = &lowering->kernels[lowering->order[step]];
    const pod_ref made = main_result(lowering, kernel);
    const pod_ir_node *node =
        kernel->work.product ? &lowering->ir->nodes[kernel->work.product - 1] : pod_tpu_maker(lowering, made);
    if (left_out(node))
        tell(list, left_out(node), node);
    pod_tpu_cost *cost = add_named(list, l, step, made, node);
    if (!cost)
        return false;
    cost->product_flops = kernel->work.flops;
    cost->mxu_flops = kernel->work.mxu_flops;
    cost->other_flops = kernel->work.others;
    cost->transcendentals = kernel->work.transcendentals;
    cost->elements = kernel->work.elements;
    cost->copies = copies(&kernel->work, node);
    cost->alone = is_alone(lowering, kernel, node);
    cost->reduces = pod_tpu_is_reduction(node->op) && !kernel->work.product;
    double largest = 0;
    add_results(cost, l, kernel, &largest);
    const double again = add_reads(cost, l, kernel, &largest);
    count_exchange(cost, lowering, kernel);
    cost->bytes += 2 * (double)kernel->scratch; /* is written and read */
    cost->hbm_bytes += 2 * (double)kernel->scratch;
    if (!pod_tpu_counted_bytes(lowering, node, made, &cost->counted_bytes))
        cost->counted_bytes = cost->bytes + again;
    return add_copies_back(list, l, kernel, step);
}

static bool list_kernels(cost_list *list, const listed *l, int depth);

/* What a turn takes lies where the loop's results do. */
static bool list_turn(cost_list *list, const listed *l, uint32_t step, int depth)
{
    const pod_tpu_lowering *lowering = l->lowering;
    const pod_tpu_kernel *kernel = &lowering->kernels[lowering->order[step]];
    const pod_ir_node *loop = &lowering->ir->nodes[kernel->node];
    pod_tpu_lowering *turn = kernel->turn;
    const double turns = turns_of(lowering->ir, loop);
    if (turns <= 0)
        tell(list, "how often the loop %.60s%s turns is not known", loop);
    bool *on_chip = pod_tpu_array(turn, turn->ir->value_count, sizeof *on_chip);
    if (!on_chip)
        return false;
    memcpy(on_chip, turn->on_chip, turn->ir->value_count * sizeof *on_chip);
    for (uint32_t k = 0; k < turn->ir->parameter_count; k++)
        on_chip[turn->ir->parameters[k]] = l->on_chip[lowering->values[loop->value_first + k].storage];
    uint8_t *reads = pod_tpu_array(turn, turn->ir->value_count, sizeof *reads);
    if (!reads)
        return false;
    const listed inner = {turn, on_chip, reads, l->step < 0 ? (int32_t)step : l->step,
                          l->times * (turns > 0 ? turns : 1)};
    return list_kernels(list, &inner, depth + 1);
}

static bool list_kernels(cost_list *list, const listed *l, int depth)
{
    list->copied_bytes += l->lowering->copied_bytes * l->times;
    list->counted_copies += l->lowering->counted_copies;
    for (uint32_t step = 0; step < l->lowering->kernel_count; step++) {
        const pod_tpu_kernel *kernel = &l->lowering->kernels[l->lowering->order[step]];
        const bool loops = kernel->turn && depth < DEEPEST;
        if (!(loops ? list_turn(list, l, step, depth) : add_cost(list, l, step)))
            return false;
    }
    return true;
}

bool pod_tpu_list_costs(pod_tpu_lowering *lowering, pod_arena *arena, pod_tpu_costs *costs)
{
    cost_list list = {.arena = arena};
    uint8_t *reads = pod_tpu_array(lowering, lowering->ir->value_count, sizeof *reads);
    const listed all = {lowering, lowering->on_chip, reads, -1, 1};
    if (!reads || !list_kernels(&list, &all, 0))
        return false;
    *costs = (pod_tpu_costs){.list = list.costs,
                             .count = list.count,
                             .copied_bytes = list.copied_bytes,
                             .counted_copies = list.counted_copies};
    costs->uncounted = list.text[0] ? pod_arena_string(arena, list.text) : NULL;
    return !list.text[0] || costs->uncounted;
}
