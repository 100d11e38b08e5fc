/* candidates - how much a place near the cores is worth to each value (see candidates.h). */

#include "tpu/candidates.h"

#include <math.h>
#include <stdlib.h>

#define UPDATE_TILE  512 /* rows and columns of what is computed at a time where the kernel's arrays are larger: */
#define UPDATE_BYTES 24e6
#define FEWEST_ROWS  1024 /* that sparse cores look up are more */

double pod_tpu_hbm_rate(const pod_tpu_placement *p)
{
    return p->lowering->target->chip->hbm_bytes_per_second / p->lowering->target->chip->devices * p->nearby->hbm_share;
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
static void find_reloads(const pod_tpu_placement *p, const pod_tpu_kernel *kernel, pod_tpu_reloads *r)
{
    const pod_tpu_lowering *lowering = p->lowering;
    *r = (pod_tpu_reloads){.left_times = 1, .right_times = 1};
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

static double times_read(const pod_tpu_reloads *r, int64_t elements)
{
    return elements == r->left ? r->left_times : elements == r->right ? r->right_times : 1;
}

/* Tells whether products alone read a value, through views and concatenations: it is in 16 bits then. */
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

bool pod_tpu_is_offloaded(const pod_tpu_lowering *lowering, const pod_tpu_kernel *kernel)
{
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
    const bool often = rows / 2 >= all && lowering->values[table].bytes.padded <= lowering->target->nearby.bytes / 2;
    return rows > FEWEST_ROWS && !often && pod_element_bits(pod_element_from_dtype(made->dtype)) == 32 &&
           !is_narrowed(lowering, node->value_first, 0);
}

/* How much of a value's elements a kernel reads, counting those twice that it reads twice. */
static float read_share(const pod_tpu_lowering *lowering, const pod_tpu_kernel *kernel, uint32_t i,
                        const pod_tpu_reloads *r)
{
    const uint32_t at = kernel->read_first + i;
    return (pod_tpu_has(lowering, POD_TPU_SLICED_WORTH) ? lowering->shares[at] : 1) *
           (float)times_read(r, lowering->values[lowering->reads[at]].elements);
}

static pod_tpu_kernel_time measure_kernel(const pod_tpu_placement *p, const pod_tpu_kernel *kernel)
{
    const pod_tpu_lowering *lowering = p->lowering;
    const pod_tpu_work *work = &kernel->work;
    double bytes = (double)kernel->scratch;
    pod_tpu_reloads r;
    find_reloads(p, kernel, &r);
    for (uint32_t i = 0; i < kernel->result_count; i++)
        bytes += (double)lowering->values[lowering->results[kernel->result_first + i]].bytes.padded;
    for (uint32_t i = 0; i < kernel->read_count; i++) {
        const pod_tpu_value *v = &lowering->values[lowering->reads[kernel->read_first + i]];
        bytes += (double)v->bytes.padded * (double)read_share(lowering, kernel, i, &r);
    }
    if (pod_tpu_is_offloaded(lowering, kernel))
        return (pod_tpu_kernel_time){.sparse = true, .reloads = r};
    const double products =
        work->flops / (lowering->target->chip->bf16_flops / lowering->target->chip->devices * p->nearby->mxu_share);
    return (pod_tpu_kernel_time){.compute = products, .memory = bytes / pod_tpu_hbm_rate(p), .reloads = r};
}

/* Returns what a kernel gains when a value that it touches is on the chip; of one that computes longer than it
 * moves bytes, how far it is from that, as a negative number. */
static double gain(const pod_tpu_placement *p, const pod_tpu_kernel_time *time, const pod_tpu_value *v, double share)
{
    if (time->memory <= time->compute && !time->sparse)
        return time->memory - time->compute;
    return share * (double)v->bytes.padded / pod_tpu_hbm_rate(p);
}

static double add_gain(double sum, double more)
{
    return sum > 0 && more > 0 ? sum + more : sum > more ? sum : more;
}

/* How much of a value a loop's kernel reads, which is thought to make one turn; `i` counts its results, then what it
 * reads: where both are one buffer the result says it all, an argument that stays in its place is read by the turns,
 * and all else is copied once. */
static float loop_share(const pod_tpu_lowering *lowering, const pod_tpu_kernel *kernel, uint32_t i)
{
    const pod_ir_node *loop = &lowering->ir->nodes[kernel->node];
    const pod_ref value = touched(lowering, kernel, i);
    if (i < kernel->result_count) {
        const pod_ref result = lowering->results[kernel->result_first + i];
        const bool carried = result >= loop->value_first && result - loop->value_first < loop->value_count;
        return carried ? kernel->turns[result - loop->value_first] : 1;
    }
    float share = 1;
    for (uint32_t k = 0; k < loop->value_count; k++) {
        const pod_tpu_value *result = &lowering->values[loop->value_first + k];
        if (result->stored && !result->free && result->storage == value)
            return 0;
        if (result->free && pod_tpu_root(lowering, pod_tpu_inputs(lowering, loop)[k]) == value)
            share = kernel->turns[k];
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
static float share_of(const pod_tpu_placement *p, const pod_tpu_kernel *kernel, uint32_t i,
                      const pod_tpu_kernel_time *time)
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

bool pod_tpu_list_events(pod_tpu_placement *p)
{
    pod_tpu_lowering *lowering = p->lowering;
    const uint32_t values = lowering->ir->value_count, steps = lowering->kernel_count;
    p->event_first = pod_tpu_array(lowering, (size_t)values + 2, sizeof *p->event_first);
    p->events = pod_tpu_array(lowering, (size_t)lowering->result_count + lowering->read_count, sizeof *p->events);
    p->shares = pod_tpu_array(lowering, (size_t)lowering->result_count + lowering->read_count, sizeof *p->shares);
    p->times = pod_tpu_array(lowering, steps, sizeof *p->times);
    p->begins = pod_tpu_array(lowering, (size_t)steps + 1, sizeof *p->begins);
    if (!pod_tpu_has_memory(lowering))
        return false;
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
    const pod_tpu_candidate *x = a, *y = b;
    if (x->worth != y->worth)
        return x->worth < y->worth ? 1 : -1;
    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? 1 : -1;
    if (x->steps != y->steps)
        return x->steps < y->steps ? 1 : -1;
    return (x->value < y->value) - (x->value > y->value);
}

void pod_tpu_list_candidates(pod_tpu_placement *p)
{
    pod_tpu_lowering *lowering = p->lowering;
    for (pod_ref value = 0; value < lowering->ir->value_count; value++)
        if (lowering->values[value].is_output && lowering->values[value].alias)
            p->updated[lowering->ir->parameters[lowering->values[value].alias - 1]] = true;
    for (pod_ref value = 0; value < lowering->ir->value_count; value++) {
        const pod_tpu_value *v = &lowering->values[value];
        const bool is_argument = pod_tpu_kind_of(lowering, value) == POD_TPU_KIND_LEAF;
        pod_tpu_candidate c = {.value = value,
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
            p->list[p->count++] = (pod_tpu_candidate){.value = POD_REF_NONE,
                                                      .bytes = bytes,
                                                      .event_first = step,
                                                      .worth = 2 * sqrt((double)bytes) / pod_tpu_hbm_rate(p)};
    }
    if (p->count)
        qsort(p->list, p->count, sizeof *p->list, compare_candidates);
}
