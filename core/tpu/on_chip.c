/*
 * on_chip - see passes.h: what has a place near the cores and costs no HBM (R12).
 *
 * Values compete for a pool, those whose place saves most first. What counts is also what costs no HBM: arguments are
 * brought for the kernels that read them, and outputs lie there until they are copied. A value has a place
 * from one kernel that touches it to the next, if there is room all that time and it is not idle for long. Where the
 * chain of places breaks it is copied to HBM, for good.
 */

#include "tpu/passes.h"

#include <math.h>
#include <stdlib.h>

#define LONGEST_IDLE 7   /* how often all of the pool could be copied while a value waits there */
#define UPDATE_TILE  512 /* rows and columns of what is computed at a time where the kernel's arrays are larger: */
#define UPDATE_BYTES 24e6
#define FEWEST_ROWS  1024    /* that sparse cores look up are more */
#define SLICED       1048576 /* bytes of what is brought in slices: */
#define SLICES       4       /* each a copy, whose result is a table of tables */

/* ---- what the compiler thinks a place is worth ---------------------------------------------------------- */

/* How often the operands of a kernel's product are read; by their elements. */
typedef struct reloads {
    int64_t left, right;
    double left_times, right_times;
} reloads;

/* Seconds of a kernel that reads and writes so many bytes of HBM: of its products, and of the bytes. */
typedef struct kernel_time {
    double compute, memory;
    bool sparse; /* sparse cores compute it meanwhile */
    reloads reloads;
} kernel_time;

/* A value that competes for places: a temporary, an argument or an output; or the scratch of a step. */
typedef struct candidate {
    pod_ref value; /* POD_REF_NONE: scratch */
    double worth;  /* over the root of the bytes */
    int64_t bytes;
    uint32_t event_first, event_count; /* the steps that touch it, ascending; of scratch the first is its step */
    uint32_t steps;                    /* from the first to the last */
    bool temporary;                    /* its place saves HBM */
    bool leaves;                       /* an output, or an argument in whose place one is made: is copied to HBM */
} candidate;

typedef struct placement {
    pod_tpu_lowering *lowering;
    const pod_tpu_pool *pool;
    kernel_time *times;             /* of steps */
    double *begins;                 /* seconds before each step, all in HBM */
    int64_t *used;                  /* of the pool, in each step */
    uint32_t *events, *event_first; /* steps by value */
    float *shares;                  /* of events: how much of the value's elements the step makes or reads */
    bool *updated;                  /* of arguments: an output is made in its place */
    candidate *list;
    uint32_t count;
} placement;

static double hbm_rate(const placement *p)
{
    return p->lowering->target->chip->hbm_bytes_per_second / p->lowering->target->chip->devices * p->pool->hbm_share;
}

static pod_ref touched(const pod_tpu_lowering *lowering, const pod_tpu_kernel *kernel, uint32_t i)
{
    const pod_ref value = i < kernel->result_count ? lowering->results[kernel->result_first + i]
                                                   : lowering->reads[kernel->read_first + i - kernel->result_count];
    return lowering->values[value].storage;
}

static double ratio_up(double a, double b)
{
    return a > b ? ceil(a / b) : 1;
}

/* How often a kernel reads each operand of its product: one that adds a dot over many rows to weights once for each
 * tile of the other operand, where what it updates does not fit beside it; a convolution its input, which it makes a
 * row of pixels from at a time, once for each row of the window. */
static void find_reloads(const placement *p, const pod_tpu_kernel *kernel, reloads *r)
{
    const pod_tpu_lowering *lowering = p->lowering;
    *r = (reloads){.left_times = 1, .right_times = 1};
    if (!pod_tpu_has(lowering, POD_TPU_TILED_READS) || kernel->work.product == 0)
        return;
    const pod_ir_node *product = &lowering->ir->nodes[kernel->work.product - 1];
    const pod_ref *inputs = pod_tpu_inputs(lowering, product);
    const int64_t out = lowering->values[product->value_first].elements;
    r->left = lowering->values[inputs[0]].elements;
    if (product->op == POD_OP_CONVOLUTION || product->op == POD_OP_CONVOLUTION_INPUT_GRADIENT)
        r->left_times = product->attributes->window.stride[0] <= 1 ? (double)product->attributes->window.size[0] : 1;
    if (product->op != POD_OP_DOT || out <= 0)
        return;
    r->right = lowering->values[inputs[1]].elements;
    const double inner = kernel->work.flops / 2 / (double)out;
    const double rows = (double)r->left / inner, columns = (double)r->right / inner;
    double bytes = 0;
    for (uint32_t i = 0; i < kernel->result_count + kernel->read_count; i++) {
        const pod_tpu_value *v = &lowering->values[touched(lowering, kernel, i)];
        bytes += v->elements == out ? (double)v->bytes.padded : 0;
    }
    if (bytes <= UPDATE_BYTES || inner <= rows || inner <= columns || rows * columns > 1.01 * (double)out)
        return;
    r->left_times = ratio_up(columns, UPDATE_TILE);
    r->right_times = ratio_up(rows, UPDATE_TILE);
}

static double times_read(const reloads *r, int64_t elements)
{
    return elements == r->left ? r->left_times : elements == r->right ? r->right_times : 1;
}

/* Whether products alone read a value, through views and concatenations: it is in 16 bits then. */
static bool is_narrowed(const pod_tpu_lowering *lowering, pod_ref value, int depth)
{
    const pod_tpu_value *v = &lowering->values[value];
    bool narrowed = v->user_count > 0 && depth < 4;
    for (uint32_t i = 0; i < v->user_count && narrowed; i++) {
        const pod_ir_node *user = &lowering->ir->nodes[lowering->users[v->user_first + i]];
        narrowed = pod_tpu_is_product(user->op) ||
                   ((user->op == POD_OP_RESHAPE || user->op == POD_OP_TRANSPOSE || user->op == POD_OP_CONCATENATE) &&
                    is_narrowed(lowering, user->value_first, depth + 1));
    }
    return narrowed;
}

/* Whether a sparse core makes what a kernel makes: rows of 32-bit elements, or single ones, from a table; more than
 * some, and not so many that they come faster from a table which is on the chip. */
static bool is_offloaded(const placement *p, const pod_tpu_kernel *kernel)
{
    const pod_tpu_lowering *lowering = p->lowering;
    const pod_ir_node *node = &lowering->ir->nodes[kernel->node];
    if (!pod_tpu_has(lowering, POD_TPU_SPARSE_CORES) || node->op != POD_OP_GATHER || kernel->result_count != 1)
        return false;
    const pod_ref table = pod_tpu_inputs(lowering, node)[0];
    const pod_ir_value *made = &lowering->ir->values[node->value_first], *from = &lowering->ir->values[table];
    const int32_t last = made->shape->rank - 1, columns = from->shape->rank - 1;
    int64_t rows = lowering->values[node->value_first].elements, all = lowering->values[table].elements;
    if (last > 0 && columns > 0 && made->shape->dims[last] == from->shape->dims[columns] && rows > 0) {
        rows /= made->shape->dims[last];
        all /= made->shape->dims[last];
    }
    const bool often = rows / 2 >= all && lowering->values[table].bytes.padded <= p->pool->bytes / 2;
    return rows > FEWEST_ROWS && !often && pod_element_bits(pod_element_from_dtype(made->dtype)) == 32 &&
           !is_narrowed(lowering, node->value_first, 0);
}

/* How much of a value's elements a kernel reads, counting those twice that it reads twice. */
static float read_share(const pod_tpu_lowering *lowering, const pod_tpu_kernel *kernel, uint32_t i, const reloads *r)
{
    const uint32_t at = kernel->read_first + i;
    return (pod_tpu_has(lowering, POD_TPU_SLICED_WORTH) ? lowering->shares[at] : 1) *
           (float)times_read(r, lowering->values[lowering->reads[at]].elements);
}

static kernel_time measure_kernel(const placement *p, const pod_tpu_kernel *kernel)
{
    const pod_tpu_lowering *lowering = p->lowering;
    const pod_tpu_work *work = &kernel->work;
    double bytes = (double)kernel->scratch;
    reloads r;
    find_reloads(p, kernel, &r);
    for (uint32_t i = 0; i < kernel->result_count; i++)
        bytes += (double)lowering->values[lowering->results[kernel->result_first + i]].bytes.padded;
    for (uint32_t i = 0; i < kernel->read_count; i++) {
        const pod_tpu_value *v = &lowering->values[lowering->reads[kernel->read_first + i]];
        bytes += (double)v->bytes.padded * (double)read_share(lowering, kernel, i, &r);
    }
    if (is_offloaded(p, kernel))
        return (kernel_time){.sparse = true, .reloads = r};
    const double products =
        work->flops / (lowering->target->chip->bf16_flops / lowering->target->chip->devices * p->pool->mxu_share);
    return (kernel_time){.compute = products, .memory = bytes / hbm_rate(p), .reloads = r};
}

/* What a kernel gains when a value that it touches is on the chip; of one that computes longer than it
 * moves bytes, how far it is from that, as a negative number. */
static double gain(const placement *p, const kernel_time *time, const pod_tpu_value *v, double share)
{
    if (time->memory <= time->compute && !time->sparse)
        return time->memory - time->compute;
    return share * (double)v->bytes.padded / hbm_rate(p);
}

static double add_gain(double sum, double more)
{
    return sum > 0 && more > 0 ? sum + more : sum > more ? sum : more;
}

/* How much of a value that it carries a loop reads, in all turns: it is thought to make one. */
static float share_carried(const pod_tpu_kernel *kernel, uint32_t place)
{
    return kernel->turns[place];
}

/* How much of a value a loop's kernel reads; `i` counts its results, then what it reads: where both are one buffer the
 * result says it all, an argument that stays in its place is read by the turns, and all else is copied once. */
static float loop_share(const pod_tpu_lowering *lowering, const pod_tpu_kernel *kernel, uint32_t i)
{
    const pod_ir_node *loop = &lowering->ir->nodes[kernel->node];
    const pod_ref value = touched(lowering, kernel, i);
    if (i < kernel->result_count) {
        const pod_ref result = lowering->results[kernel->result_first + i];
        const bool carried = result >= loop->value_first && result - loop->value_first < loop->value_count;
        return carried ? share_carried(kernel, result - loop->value_first) : 1;
    }
    float share = 1;
    for (uint32_t k = 0; k < loop->value_count; k++) {
        const pod_tpu_value *result = &lowering->values[loop->value_first + k];
        if (result->stored && !result->free && result->storage == value)
            return 0;
        if (result->free && pod_tpu_root(lowering, pod_tpu_inputs(lowering, loop)[k]) == value)
            share = share_carried(kernel, k);
    }
    return share;
}

/* How much of a value a kernel of sparse cores makes or reads from the point of view of a place on the chip: all of the
 * table; of what is looked up only the copy that is made of it as a matrix. */
static float sparse_share(const pod_tpu_lowering *lowering, const pod_tpu_kernel *kernel, uint32_t i)
{
    const pod_ref table = lowering->values[pod_tpu_inputs(lowering, &lowering->ir->nodes[kernel->node])[0]].storage;
    if (i < kernel->result_count)
        return (float)lowering->tables[lowering->results[kernel->result_first + i]].split;
    return (float)(touched(lowering, kernel, i) == table);
}

/* How much of a value's elements a kernel reads or makes; `i` counts its results, then what it reads. Rows that are
 * scattered are read one by one, wherever they are. */
static float share_of(const placement *p, const pod_tpu_kernel *kernel, uint32_t i, const kernel_time *time)
{
    const pod_tpu_lowering *lowering = p->lowering;
    const pod_ir_node *node = &lowering->ir->nodes[kernel->node];
    if (kernel->turns)
        return loop_share(lowering, kernel, i);
    if (time->sparse)
        return sparse_share(lowering, kernel, i);
    if (i < kernel->result_count)
        return 1;
    if (pod_tpu_has(lowering, POD_TPU_SPARSE_CORES) && node->op == POD_OP_SCATTER &&
        touched(lowering, kernel, i) ==
            lowering->values[pod_tpu_root(lowering, pod_tpu_inputs(lowering, node)[2])].storage)
        return 0;
    return read_share(lowering, kernel, i - kernel->result_count, &time->reloads);
}

/* Lists the steps that touch each value's buffer, and the seconds of steps. */
static bool list_events(placement *p)
{
    pod_tpu_lowering *lowering = p->lowering;
    const uint32_t values = lowering->ir->value_count, steps = lowering->kernel_count;
    p->event_first = pod_arena_array(lowering->arena, (size_t)values + 2, sizeof *p->event_first);
    p->events =
        pod_arena_array(lowering->arena, (size_t)lowering->result_count + lowering->read_count, sizeof *p->events);
    p->shares =
        pod_arena_array(lowering->arena, (size_t)lowering->result_count + lowering->read_count, sizeof *p->shares);
    p->times = pod_arena_array(lowering->arena, steps, sizeof *p->times);
    p->begins = pod_arena_array(lowering->arena, (size_t)steps + 1, sizeof *p->begins);
    if (!p->event_first || !p->events || !p->shares || !p->times || !p->begins)
        return pod_tpu_no_memory(lowering);
    for (uint32_t step = 0; step < steps; step++) {
        p->times[step] = measure_kernel(p, &lowering->kernels[lowering->order[step]]);
        const double longer =
            p->times[step].compute > p->times[step].memory ? p->times[step].compute : p->times[step].memory;
        p->begins[step + 1] = p->begins[step] + longer;
    }
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t step = 0; step < steps; step++) {
            const pod_tpu_kernel *kernel = &lowering->kernels[lowering->order[step]];
            for (uint32_t i = 0; i < kernel->result_count + kernel->read_count; i++) {
                const pod_ref value = touched(lowering, kernel, i);
                if (pass == 0) {
                    p->event_first[value + 2]++;
                    continue;
                }
                const uint32_t at = p->event_first[value + 1]++;
                p->events[at] = step;
                p->shares[at] = share_of(p, kernel, i, &p->times[step]);
            }
        }
        for (uint32_t v = 0; v < values && pass == 0; v++)
            p->event_first[v + 2] += p->event_first[v + 1];
    }
    return true;
}

static int compare_candidates(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    if (x->worth != y->worth)
        return x->worth < y->worth ? 1 : -1;
    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? 1 : -1;
    if (x->steps != y->steps)
        return x->steps < y->steps ? 1 : -1;
    return (x->value < y->value) - (x->value > y->value);
}

static void list_candidates(placement *p)
{
    pod_tpu_lowering *lowering = p->lowering;
    for (pod_ref value = 0; value < lowering->ir->value_count; value++)
        if (lowering->values[value].is_output && lowering->values[value].alias)
            p->updated[lowering->ir->parameters[lowering->values[value].alias - 1]] = true;
    for (pod_ref value = 0; value < lowering->ir->value_count; value++) {
        const pod_tpu_value *v = &lowering->values[value];
        const bool is_argument = pod_tpu_kind_of(lowering, value) == POD_TPU_KIND_LEAF;
        candidate c = {.value = value,
                       .bytes = v->bytes.padded,
                       .event_first = p->event_first[value],
                       .event_count = p->event_first[value + 1] - p->event_first[value],
                       .worth = is_argument ? 0 : -INFINITY,
                       .temporary = v->stored && !v->free && v->storage == value && !is_argument,
                       .leaves = v->is_output || p->updated[value]};
        const bool scalar = lowering->ir->values[value].shape->rank == 0; /* is in HBM or near the scalar unit */
        if (c.event_count == 0 || c.bytes <= 0 || scalar || (v->is_output && v->alias))
            continue;
        c.steps = p->events[c.event_first + c.event_count - 1] - (is_argument ? 0 : p->events[c.event_first]);
        for (uint32_t i = 0; i < c.event_count; i++)
            c.worth = add_gain(
                c.worth, gain(p, &p->times[p->events[c.event_first + i]], v, (double)p->shares[c.event_first + i]));
        c.worth /= sqrt((double)c.bytes);
        p->list[p->count++] = c;
    }
    for (uint32_t step = 0; step < lowering->kernel_count; step++) {
        const int64_t bytes = lowering->kernels[lowering->order[step]].scratch;
        if (bytes > 0) /* is written and read */
            p->list[p->count++] = (candidate){.value = POD_REF_NONE,
                                              .bytes = bytes,
                                              .event_first = step,
                                              .worth = 2 * sqrt((double)bytes) / hbm_rate(p)};
    }
    if (p->count)
        qsort(p->list, p->count, sizeof *p->list, compare_candidates);
}

/* ---- places ------------------------------------------------------------------------------------------------ */

/* Takes a place over some steps, if there is one. */
static bool take_place(placement *p, uint32_t first, uint32_t last, int64_t bytes)
{
    if (bytes > p->pool->bytes)
        return false;
    for (uint32_t step = first; step <= last; step++)
        if (p->used[step] > p->pool->bytes - bytes)
            return false;
    for (uint32_t step = first; step <= last; step++)
        p->used[step] += bytes;
    return true;
}

/* Brings a value from HBM for a step, if the copy is done by then and there is a place all that time. */
static bool bring(placement *p, uint32_t step, uint32_t earliest, int64_t bytes, double copy)
{
    uint32_t first = step;
    while (first > earliest && p->begins[step] - p->begins[first] < copy)
        first--;
    const bool brought = p->begins[step] - p->begins[first] >= copy && take_place(p, first, step, bytes);
    if (brought)
        p->lowering->result_tables += bytes >= SLICED ? 2 * SLICES : 1;
    return brought;
}

/* Keeps the place of an output after its last step, until it is copied to HBM. */
static void copy_out(placement *p, uint32_t step, int64_t bytes, double copy)
{
    const uint32_t end = p->lowering->kernel_count - 1;
    uint32_t last = step + 1;
    while (last < end && p->begins[last] - p->begins[step + 1] < copy)
        last++;
    p->lowering->result_tables++;
    if (step < end && pod_tpu_has(p->lowering, POD_TPU_COPIED_OUT))
        (void)take_place(p, step + 1, last, bytes);
}

/* Gives a value places from one step that touches it to the next, as long as there are any and it does not wait for
 * too long; where the chain of places breaks it is copied to HBM, and brought again for later steps. What began on the
 * chip is in HBM from the step on that follows the one that made it; what ends there, until it was brought last. */
static void place_one(placement *p, const candidate *c)
{
    pod_tpu_lowering *lowering = p->lowering;
    const uint32_t *events = &p->events[c->event_first];
    const double copy = (double)c->bytes / hbm_rate(p);
    const double longest = LONGEST_IDLE * (double)p->pool->bytes / hbm_rate(p);
    const bool argument = pod_tpu_kind_of(lowering, c->value) == POD_TPU_KIND_LEAF;
    bool there = !argument &&
                 (lowering->tables[c->value].split || !is_offloaded(p, &lowering->kernels[lowering->order[events[0]]]));
    const bool of_loop = !argument && lowering->kernels[lowering->order[events[0]]].turns;
    bool broken = !there, began = false;
    uint32_t brought = 0;
    if (there && c->event_count == 1)
        broken = !take_place(p, events[0], events[0], c->bytes);
    for (uint32_t i = !argument; i < c->event_count; i++) {
        const uint32_t to = events[i], from = i == 0 ? 0 : events[i - 1] + (i > 1 || argument);
        if (is_offloaded(p, &lowering->kernels[lowering->order[to]])) {
            there = false;
            broken = true;
            continue;
        }
        there = there && (to < from || ((!pod_tpu_has(lowering, POD_TPU_IDLE) ||
                                         p->begins[to] - p->begins[events[i - 1] + 1] < longest) &&
                                        take_place(p, from, to, c->bytes)));
        began = began || (there && i == 1);
        if (!there) {
            broken = true;
            there = pod_tpu_has(lowering, POD_TPU_BROUGHT) &&
                    !(pod_tpu_has(lowering, POD_TPU_LOOPS_APART) && of_loop &&
                      lowering->kernels[lowering->order[to]].turns) &&
                    bring(p, to, i == 0 ? 0 : events[i - 1] + 1, c->bytes, copy);
            brought = to;
        }
    }
    if (there && c->leaves)
        copy_out(p, events[c->event_count - 1], c->bytes, copy);
    lowering->on_chip[c->value] = !broken && c->temporary;
    if (!broken || !c->temporary)
        return;
    int32_t *first = &lowering->first_step[c->value], *last = &lowering->last_step[c->value];
    lowering->result_tables += began;
    if (began && *first < *last)
        ++*first;
    if (there && brought > 0 && !c->leaves && (int32_t)brought - 1 < *last)
        *last = (int32_t)brought > *first ? (int32_t)brought - 1 : *first;
}

/* Whether a convolution reads an activation as it lies. */
static bool lies_for_convolution(const pod_tpu_value *v)
{
    const pod_layout *layout = &v->type.layout;
    const int32_t rank = layout->rank;
    return rank < 3 || (layout->minor_to_major[0] == 0 && layout->minor_to_major[1] == rank - 1) ||
           (layout->minor_to_major[0] == rank - 1 && layout->minor_to_major[1] == 0);
}

/* Whether products and lookups alone read an argument, each as it lies. */
static bool is_read_plainly(const pod_tpu_lowering *lowering, pod_ref value)
{
    const pod_tpu_value *v = &lowering->values[value];
    if (v->user_count == 0 || v->is_output || lowering->tables[value].copied)
        return false;
    for (uint32_t i = 0; i < v->user_count; i++) {
        const pod_ir_node *user = &lowering->ir->nodes[lowering->users[v->user_first + i]];
        const bool first = pod_tpu_inputs(lowering, user)[0] == value;
        if (!pod_tpu_is_product(user->op) && !(user->op == POD_OP_GATHER && first))
            return false;
        if (first && pod_tpu_is_convolution(user->op) && !lies_for_convolution(v))
            return false;
    }
    return true;
}

/* The largest argument that fits and stays as it is comes before the program begins, and stays until it was read
 * last. */
static void bring_ahead(placement *p)
{
    const pod_ir *ir = p->lowering->ir;
    pod_ref best = POD_REF_NONE;
    for (uint32_t k = 0; k < ir->parameter_count; k++) {
        const pod_ref value = ir->parameters[k];
        const int64_t bytes = p->lowering->values[value].bytes.padded;
        if (!p->lowering->donated[k] && bytes <= p->pool->bytes &&
            (best == POD_REF_NONE || bytes > p->lowering->values[best].bytes.padded) &&
            is_read_plainly(p->lowering, value))
            best = value;
    }
    for (uint32_t i = 0; i < p->count && best != POD_REF_NONE; i++) {
        candidate *c = &p->list[i];
        if (c->value == best && take_place(p, 0, p->events[c->event_first + c->event_count - 1], c->bytes)) {
            p->lowering->result_tables += 2; /* for the next run it is brought at the end */
            c->event_count = 0;
        }
    }
}

bool pod_tpu_pass_on_chip(pod_tpu_lowering *lowering)
{
    placement p = {.lowering = lowering, .pool = &lowering->target->pool};
    const uint32_t steps = lowering->kernel_count;
    lowering->on_chip = pod_arena_array(lowering->arena, lowering->ir->value_count, sizeof *lowering->on_chip);
    p.updated = pod_arena_array(lowering->arena, lowering->ir->value_count, sizeof *p.updated);
    p.used = pod_arena_array(lowering->arena, (size_t)steps + 1, sizeof *p.used);
    p.list = pod_arena_array(lowering->arena, (size_t)lowering->ir->value_count + steps, sizeof *p.list);
    if (!lowering->on_chip || !p.updated || !p.used || !p.list)
        return pod_tpu_no_memory(lowering);
    if (!pod_tpu_has(lowering, POD_TPU_ON_CHIP) || steps == 0 ||
        lowering->depth > 0) /* the loop's scratch is placed as one */
        return true;
    if (!list_events(&p))
        return false;
    list_candidates(&p);
    if (pod_tpu_has(lowering, POD_TPU_BROUGHT_AHEAD))
        bring_ahead(&p);
    for (uint32_t i = 0; i < p.count; i++) {
        const candidate *c = &p.list[i];
        if (c->value != POD_REF_NONE)
            place_one(&p, c);
        else if (!p.times[c->event_first].sparse && take_place(&p, c->event_first, c->event_first, c->bytes))
            lowering->kernels[lowering->order[c->event_first]].scratch = 0;
    }
    return true;
}
