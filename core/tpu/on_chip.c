/*
 * on_chip - see passes.def: what has a place near the cores and costs no HBM (R12).
 *
 * Values compete for the memory near the cores, those whose place saves most first. Values that cost no
 * HBM compete as well: arguments are brought for the kernels that read them, and outputs lie there until they are
 * copied. A value has a place from one kernel that touches it to the next, if there is room all that time and it is not
 * idle for long. At the end of an unbroken row of places it is copied to HBM, for good. */

#include "tpu/candidates.h"
#include "tpu/passes.h"

#include <assert.h>

#define LONGEST_IDLE 7       /* how often all of that memory could be copied while a value waits there */
#define SLICED       1048576 /* bytes of what is brought in slices: */
#define SLICES       4       /* each a copy, whose result is a table of tables */

/* How often XLA counts the bytes of a copy beside kernels: what it reads and writes, in a pair with the source, when it
 * starts, and what it wrote again when it is done; slices have no such pairs. */
#define COUNTED        4
#define COUNTED_SLICES 3

/* Tells whether the kernels behind a step take as long as a copy. */
static bool has_time_after(const pod_tpu_placement *p, uint32_t step, double copy)
{
    return p->begins[p->lowering->kernel_count] - p->begins[step + 1] >= copy;
}

/* Notes of a step's kernel that a value has a place near the cores then. */
static void mark_placed(pod_tpu_placement *p, uint32_t step, pod_ref value)
{
    pod_tpu_lowering *lowering = p->lowering;
    const pod_tpu_kernel *kernel = &lowering->kernels[lowering->order[step]];
    for (uint32_t i = kernel->result_first; i < kernel->result_first + kernel->result_count; i++)
        lowering->placed_results[i] =
            lowering->placed_results[i] || lowering->values[lowering->results[i]].storage == value;
    for (uint32_t i = kernel->read_first; i < kernel->read_first + kernel->read_count; i++)
        lowering->placed_reads[i] = lowering->placed_reads[i] || lowering->values[lowering->reads[i]].storage == value;
}

/* Takes a place over some steps, if there is one. */
static bool take_place(pod_tpu_placement *p, uint32_t first, uint32_t last, int64_t bytes)
{
    if (bytes > p->nearby->bytes)
        return false;
    for (uint32_t step = first; step <= last; step++)
        if (p->used[step] > p->nearby->bytes - bytes)
            return false;
    assert(first <= last && last < p->lowering->kernel_count);
    for (uint32_t step = first; step <= last; step++)
        p->used[step] += bytes;
    return true;
}

static void count_copy(pod_tpu_lowering *lowering, int64_t bytes, int counted)
{
    lowering->copied_bytes += (double)bytes;
    lowering->counted_copies += counted * (double)bytes;
}

/* Brings a value from HBM for a step, if the copy is done by then and there is a place all that time. */
static bool bring(pod_tpu_placement *p, uint32_t step, uint32_t earliest, int64_t bytes, double copy)
{
    uint32_t first = step;
    while (first > earliest && p->begins[step] - p->begins[first] < copy)
        first--;
    const bool brought = p->begins[step] - p->begins[first] >= copy && take_place(p, first, step, bytes);
    if (brought) {
        p->lowering->result_tables += bytes >= SLICED ? 2 * SLICES : 1;
        count_copy(p->lowering, bytes, bytes >= SLICED ? COUNTED_SLICES : COUNTED);
    }
    return brought;
}

/* Keeps the place of an output after its last step, until it is copied to HBM. */
static void copy_out(pod_tpu_placement *p, uint32_t step, int64_t bytes, double copy)
{
    const uint32_t end = p->lowering->kernel_count - 1;
    uint32_t last = step + 1;
    while (last < end && p->begins[last] - p->begins[step + 1] < copy)
        last++;
    p->lowering->result_tables++;
    if (step < end && pod_tpu_has(p->lowering, POD_TPU_COPIED_OUT))
        (void)take_place(p, step + 1, last, bytes);
}

/* Notes that a value is made near the cores; what leaves them is so if its copy is done before the program ends. */
static void mark_made(pod_tpu_placement *p, const pod_tpu_candidate *c, double copy)
{
    const uint32_t *events = &p->events[c->event_first];
    if (c->leaves && !has_time_after(p, events[c->event_count - 1], copy))
        return;
    mark_placed(p, events[0], c->value);
    count_copy(p->lowering, c->leaves ? c->bytes : 0, COUNTED);
}

/* Gives a value places from one step that touches it to the next, as long as there are any and it does not wait for
 * too long; at a break it is copied to HBM, and brought again for later steps. A value that began on the chip is in HBM
 * from the step on that follows the one that made it; one that ends there, until it was brought last. */
static void place_one(pod_tpu_placement *p, const pod_tpu_candidate *c)
{
    pod_tpu_lowering *lowering = p->lowering;
    const uint32_t *events = &p->events[c->event_first];
    const double copy = (double)c->bytes / pod_tpu_hbm_rate(p);
    const double longest = LONGEST_IDLE * (double)p->nearby->bytes / pod_tpu_hbm_rate(p);
    const bool argument = pod_tpu_kind_of(lowering, c->value) == POD_TPU_KIND_LEAF;
    bool there = !argument && (lowering->tables[c->value].split ||
                               !pod_tpu_is_offloaded(lowering, &lowering->kernels[lowering->order[events[0]]]));
    const bool of_loop = !argument && lowering->kernels[lowering->order[events[0]]].turns;
    bool broken = !there, began = false;
    uint32_t brought = 0;
    if (there && c->event_count == 1)
        broken = !take_place(p, events[0], events[0], c->bytes);
    for (uint32_t i = !argument; i < c->event_count; i++) {
        const uint32_t to = events[i], from = i == 0 ? 0 : events[i - 1] + (i > 1 || argument);
        if (pod_tpu_is_offloaded(lowering, &lowering->kernels[lowering->order[to]])) {
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
        if (there)
            mark_placed(p, to, c->value);
    }
    if (!argument && (began || (c->event_count == 1 && !broken)))
        mark_made(p, c, copy);
    if (there && c->leaves)
        copy_out(p, events[c->event_count - 1], c->bytes, copy);
    lowering->on_chip[c->value] = !broken && c->temporary;
    if (!broken || !c->temporary)
        return;
    int32_t *first = &lowering->first_step[c->value], *last = &lowering->last_step[c->value];
    lowering->result_tables += began;
    count_copy(lowering, began ? c->bytes : 0, COUNTED);
    if (began && *first < *last)
        ++*first;
    if (there && brought > 0 && !c->leaves && (int32_t)brought - 1 < *last)
        *last = (int32_t)brought > *first ? (int32_t)brought - 1 : *first;
}

/* Tells whether a convolution reads an activation as it lies. */
static bool lies_for_convolution(const pod_tpu_value *v)
{
    const pod_layout *layout = &v->type.layout;
    const int32_t rank = layout->rank;
    return rank < 3 || (layout->minor_to_major[0] == 0 && layout->minor_to_major[1] == rank - 1) ||
           (layout->minor_to_major[0] == rank - 1 && layout->minor_to_major[1] == 0);
}

/* Tells whether products and lookups alone read an argument, each as it lies. */
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
static void bring_ahead(pod_tpu_placement *p)
{
    const pod_ir *ir = p->lowering->ir;
    pod_ref best = POD_REF_NONE;
    for (uint32_t k = 0; k < ir->parameter_count; k++) {
        const pod_ref value = ir->parameters[k];
        const int64_t bytes = p->lowering->values[value].bytes.padded;
        if (!p->lowering->donated[k] && bytes <= p->nearby->bytes &&
            (best == POD_REF_NONE || bytes > p->lowering->values[best].bytes.padded) &&
            is_read_plainly(p->lowering, value))
            best = value;
    }
    for (uint32_t i = 0; i < p->count && best != POD_REF_NONE; i++) {
        pod_tpu_candidate *c = &p->list[i];
        if (c->value == best && take_place(p, 0, p->events[c->event_first + c->event_count - 1], c->bytes)) {
            p->lowering->result_tables += 2; /* for the next run it is brought at the end */
            const uint32_t *events = &p->events[c->event_first];
            const bool in_time = has_time_after(p, events[c->event_count - 1], (double)c->bytes / pod_tpu_hbm_rate(p));
            count_copy(p->lowering, in_time ? c->bytes : 0, COUNTED);
            for (uint32_t j = 0; in_time && j < c->event_count; j++)
                mark_placed(p, events[j], c->value);
            c->event_count = 0;
        }
    }
}

/* Tells whether a turn has no loops within. */
static bool is_innermost(const pod_tpu_lowering *turn)
{
    for (uint32_t k = 0; k < turn->kernel_count; k++)
        if (turn->kernels[k].turn)
            return false;
    return pod_tpu_has(turn, POD_TPU_PLACED_TURNS);
}

/* Tells whether what a turn needs was given places one by one. */
static bool has_own_places(const pod_tpu_kernel *kernel)
{
    return kernel->turn && is_innermost(kernel->turn);
}

/* The most bytes that what a turn makes has near the cores at a time. */
static int64_t most_placed(const pod_tpu_lowering *turn)
{
    int64_t most = 0;
    for (uint32_t step = 0; step < turn->kernel_count; step++) {
        int64_t live = 0;
        for (uint32_t i = 0; i < turn->result_count; i++) {
            const pod_ref value = turn->results[i];
            if (turn->on_chip[value] && turn->first_step[value] <= (int32_t)step &&
                (int32_t)step <= turn->last_step[value])
                live += turn->values[value].bytes.padded;
        }
        most = live > most ? live : most;
    }
    return most;
}

/* Tells whether a value is in HBM whatever a place were worth: what a turn brings to where it writes rows, and what
 * loops make whose rows turns write or look up. */
static bool stays_in_hbm(const pod_tpu_lowering *lowering, pod_ref value)
{
    const pod_tpu_carried *carried = &lowering->carried[value];
    return carried->brought ||
           (carried->rows && !carried->invariant && pod_tpu_maker(lowering, value)->op == POD_OP_WHILE);
}

bool pod_tpu_pass_on_chip(pod_tpu_lowering *lowering)
{
    pod_tpu_placement p = {.lowering = lowering, .nearby = &lowering->target->nearby};
    const uint32_t steps = lowering->kernel_count;
    lowering->on_chip = pod_tpu_array(lowering, lowering->ir->value_count, sizeof *lowering->on_chip);
    p.updated = pod_tpu_array(lowering, lowering->ir->value_count, sizeof *p.updated);
    p.used = pod_tpu_array(lowering, (size_t)steps + 1, sizeof *p.used);
    p.list = pod_tpu_array(lowering, (size_t)lowering->ir->value_count + steps, sizeof *p.list);
    lowering->placed_results =
        pod_tpu_array(lowering, (size_t)lowering->result_count + 1, sizeof *lowering->placed_results);
    lowering->placed_reads = pod_tpu_array(lowering, (size_t)lowering->read_count + 1, sizeof *lowering->placed_reads);
    if (!pod_tpu_has_memory(lowering))
        return false;
    if (!pod_tpu_has(lowering, POD_TPU_ON_CHIP) || steps == 0 ||
        (lowering->depth > 0 && !is_innermost(lowering))) /* the loop's scratch is placed as one */
        return true;
    if (!pod_tpu_list_events(&p))
        return false;
    pod_tpu_list_candidates(&p);
    for (uint32_t step = 0; step < steps; step++)
        if (has_own_places(&lowering->kernels[lowering->order[step]]))
            (void)take_place(&p, step, step, most_placed(lowering->kernels[lowering->order[step]].turn));
    if (pod_tpu_has(lowering, POD_TPU_BROUGHT_AHEAD))
        bring_ahead(&p);
    for (uint32_t i = 0; i < p.count; i++) {
        const pod_tpu_candidate *c = &p.list[i];
        if (c->value != POD_REF_NONE && !stays_in_hbm(lowering, c->value))
            place_one(&p, c);
        else if (c->value == POD_REF_NONE && !has_own_places(&lowering->kernels[lowering->order[c->event_first]]) &&
                 !p.times[c->event_first].sparse && take_place(&p, c->event_first, c->event_first, c->bytes))
            lowering->kernels[lowering->order[c->event_first]].scratch = 0;
    }
    return true;
}
