/* kernel_order - see passes.def: the order that keeps the fewest bytes (R10). */

#include "tpu/passes.h"

#include <assert.h>
#include <math.h>

/* A kernel while it is ready. */
typedef struct ready_kernel {
    double score;   /* bytes freed less those taken */
    uint32_t turn;  /* when it became ready */
    uint32_t place; /* in the heap, from 1; 0: it is not ready */
} ready_kernel;

typedef struct kernel_scheduler {
    pod_tpu_lowering *lowering;
    uint32_t *waiting;   /* of kernels: values that they read and that are not there yet */
    uint32_t *readers;   /* of values: kernels that read them and are not done yet */
    pod_tpu_readers all; /* the writers of parameters while they must wait */
    uint32_t *others;    /* of parameters: kernels other than that one that read it and are not done */
    bool *done;          /* of kernels */
    uint32_t broken;     /* parameters whose writers wait no more */
    uint32_t *ready;     /* a heap: no kernel comes before the one at half its place */
    uint32_t ready_count, released_count;
    ready_kernel *kernels;
} kernel_scheduler;

/* Scores below those of kernels that are not late, and of those that begin a layer which is computed again. */
#define LATE        (-1e300)
#define BEGINS_ANEW (-INFINITY)

static int64_t bytes_of(const pod_tpu_lowering *lowering, pod_ref value)
{
    const pod_tpu_value *v = &lowering->values[value];
    return v->stored && !v->free ? v->bytes.padded : 0;
}

/* Tells whether a kernel makes single elements alone: those come at once. */
static bool is_scalar(const pod_tpu_lowering *lowering, const pod_tpu_kernel *kernel)
{
    bool scalar = true;
    for (uint32_t i = 0; i < kernel->result_count; i++)
        scalar = scalar && lowering->values[lowering->results[kernel->result_first + i]].elements == 1;
    return scalar;
}

/* Tells whether a kernel leaves each device a part of a sum over all: others that are ready come before it, but for
 * those that begin a layer which is computed again. */
static bool is_late(const pod_tpu_lowering *lowering, const pod_tpu_kernel *kernel)
{
    return pod_tpu_has(lowering, POD_TPU_LATE_SUMS) && lowering->devices > 0 &&
           lowering->ir->nodes[kernel->node].op == POD_OP_REDUCE_SCATTER;
}

static double score_of(const kernel_scheduler *s, uint32_t index)
{
    const pod_tpu_lowering *lowering = s->lowering;
    const pod_tpu_kernel *kernel = &lowering->kernels[index];
    double score = 0;
    if (is_late(lowering, kernel))
        return LATE;
    if (is_scalar(lowering, kernel))
        return INFINITY;
    for (uint32_t i = 0; i < kernel->result_count; i++)
        score -= (double)lowering->values[lowering->results[kernel->result_first + i]].bytes.padded;
    for (uint32_t i = 0; i < kernel->read_count; i++) {
        const pod_ref read = lowering->reads[kernel->read_first + i];
        if (s->readers[read] == 1)
            score += (double)bytes_of(lowering, read);
    }
    return score;
}

/* ---- the kernels that are ready ---- */

/* The one that leaves the fewest bytes comes first, of those the one that became ready last. */
static bool comes_before(const kernel_scheduler *s, uint32_t a, uint32_t b)
{
    const ready_kernel *one = &s->kernels[a], *other = &s->kernels[b];
    return one->score > other->score || (one->score == other->score && one->turn > other->turn);
}

static void put(kernel_scheduler *s, uint32_t place, uint32_t kernel)
{
    s->ready[place - 1] = kernel;
    s->kernels[kernel].place = place;
}

static void move_up(kernel_scheduler *s, uint32_t kernel)
{
    uint32_t place = s->kernels[kernel].place;
    for (; place > 1 && comes_before(s, kernel, s->ready[place / 2 - 1]); place /= 2)
        put(s, place, s->ready[place / 2 - 1]);
    put(s, place, kernel);
}

static uint32_t take_first(kernel_scheduler *s)
{
    assert(s->ready_count > 0);
    const uint32_t first = s->ready[0], last = s->ready[--s->ready_count];
    uint32_t place = 1;
    for (uint32_t next = 2; next <= s->ready_count; place = next, next *= 2) {
        next += next < s->ready_count && comes_before(s, s->ready[next], s->ready[next - 1]);
        if (!comes_before(s, s->ready[next - 1], last))
            break;
        put(s, place, s->ready[next - 1]);
    }
    put(s, place, last);
    s->kernels[first].place = 0;
    return first;
}

/* Adds a kernel that has become ready as `last` is there now. */
static void add_ready(kernel_scheduler *s, uint32_t kernel, pod_ref last)
{
    const bool begins = last != POD_REF_NONE && s->lowering->kernels[kernel].work.awaited == last + 1;
    s->kernels[kernel] =
        (ready_kernel){begins ? BEGINS_ANEW : score_of(s, kernel), s->released_count++, ++s->ready_count};
    move_up(s, kernel);
}

/* One reader of a value is left, which will free it. */
static void raise_reader(kernel_scheduler *s, pod_ref value)
{
    for (uint32_t j = s->all.first[value]; j < s->all.first[value + 1]; j++) {
        const uint32_t reader = s->all.list[j];
        if (s->kernels[reader].place > 0) {
            s->kernels[reader].score += (double)bytes_of(s->lowering, value);
            move_up(s, reader);
        }
    }
}

/* ---- what waits ---- */

static void release(kernel_scheduler *s, uint32_t kernel, pod_ref last)
{
    assert(s->done[kernel] || s->waiting[kernel] > 0);
    if (!s->done[kernel] && --s->waiting[kernel] == 0)
        add_ready(s, kernel, last);
}

/* Once a parameter has one reader left, that one may write the parameter's buffer. */
static void release_writer(kernel_scheduler *s, pod_ref parameter)
{
    const uint32_t writer = s->all.writer[parameter];
    if (writer && !s->done[writer - 1] && s->others[parameter] == 0) {
        s->all.writer[parameter] = 0;
        release(s, writer - 1, POD_REF_NONE);
    }
}

/* Of writers that wait for each other the first goes on: the parameter it writes is copied before. */
static void break_wait(kernel_scheduler *s)
{
    const pod_ir *ir = s->lowering->ir;
    while (s->ready_count == 0 && s->broken < ir->parameter_count) {
        const pod_ref parameter = ir->parameters[s->broken++];
        const uint32_t writer = s->all.writer[parameter];
        s->all.writer[parameter] = 0;
        if (writer)
            release(s, writer - 1, POD_REF_NONE);
    }
    /* kernels that were joined so that each waits for the other: the first goes on */
    for (uint32_t k = 0; s->ready_count == 0 && k < s->lowering->kernel_count; k++)
        if (!s->done[k]) {
            s->waiting[k] = 1;
            release(s, k, POD_REF_NONE);
        }
}

static void finish(kernel_scheduler *s, uint32_t index)
{
    const pod_tpu_lowering *lowering = s->lowering;
    const pod_tpu_kernel *kernel = &lowering->kernels[index];
    s->done[index] = true;
    for (uint32_t i = 0; i < kernel->read_count; i++) {
        const pod_ref read = lowering->reads[kernel->read_first + i];
        if (--s->readers[read] == 1)
            raise_reader(s, read);
        if (s->all.writer[read] && s->all.writer[read] != index + 1) {
            s->others[read]--;
            release_writer(s, read);
        }
    }
    for (uint32_t i = 0; i < kernel->result_count; i++) {
        const pod_ref value = lowering->results[kernel->result_first + i];
        for (uint32_t j = s->all.first[value]; j < s->all.first[value + 1]; j++)
            release(s, s->all.list[j], value);
    }
}

/* Kernels that are looked at: each once for one parameter. */
typedef struct kernel_walk {
    uint32_t *stack, count;
    pod_ref *seen; /* of kernels: the parameter + 1 */
} kernel_walk;

/* Adds the kernels that read a value, other than the one that writes it. */
static void walk_to_readers(const kernel_scheduler *s, kernel_walk *w, pod_ref value, pod_ref stamp)
{
    for (uint32_t j = s->all.first[value]; j < s->all.first[value + 1]; j++) {
        const uint32_t reader = s->all.list[j];
        if (reader + 1 != s->all.writer[value] && w->seen[reader] != stamp) {
            w->seen[reader] = stamp;
            w->stack[w->count++] = reader;
        }
    }
}

/* Tells whether what a parameter's writer waits for waits for that writer, itself or through others: nothing reads what
 * writers make, so these wait for nothing but what reads parameters. */
static bool waits_for_itself(const kernel_scheduler *s, kernel_walk *w, pod_ref parameter)
{
    const pod_tpu_lowering *lowering = s->lowering;
    w->count = 0;
    walk_to_readers(s, w, parameter, parameter + 1);
    while (w->count > 0) {
        const uint32_t index = w->stack[--w->count];
        const pod_tpu_kernel *kernel = &lowering->kernels[index];
        for (uint32_t i = 0; i < kernel->result_count; i++) {
            const pod_tpu_value *value = &lowering->values[lowering->results[kernel->result_first + i]];
            const uint32_t alias = value->is_output ? value->alias : 0;
            if (alias > 0 && s->all.writer[lowering->ir->parameters[alias - 1]] == index + 1)
                walk_to_readers(s, w, lowering->ir->parameters[alias - 1], parameter + 1);
        }
        if (w->seen[s->all.writer[parameter] - 1] == parameter + 1)
            return true;
    }
    return false;
}

/* A kernel that makes an output in a parameter's buffer waits for what else reads that parameter. Of writers that would
 * wait for each other, as where results take over arguments of their type in any order, the first does not: the
 * parameter that it writes is copied before. */
static bool find_writers(kernel_scheduler *s)
{
    const pod_tpu_lowering *lowering = s->lowering;
    const pod_ir *ir = lowering->ir;
    kernel_walk walk = {.stack = pod_tpu_array(s->lowering, lowering->kernel_count, sizeof *walk.stack),
                        .seen = pod_tpu_array(s->lowering, lowering->kernel_count, sizeof *walk.seen)};
    if (!pod_tpu_has_memory(lowering))
        return false;
    for (uint32_t p = 0; p < ir->parameter_count; p++) {
        const pod_ref parameter = ir->parameters[p];
        const uint32_t writer = s->all.writer[parameter];
        uint32_t others = 0;
        for (uint32_t j = s->all.first[parameter]; j < s->all.first[parameter + 1]; j++)
            others += s->all.list[j] + 1 != writer;
        s->others[parameter] = others;
        if (pod_tpu_has(lowering, POD_TPU_WRITERS_WAIT) && writer && others > 0 &&
            !pod_tpu_is_kernel_read(lowering, &s->all, &lowering->kernels[writer - 1]))
            s->waiting[writer - 1]++;
        else
            s->all.writer[parameter] = 0;
    }
    for (uint32_t p = 0; p < ir->parameter_count; p++) {
        const pod_ref parameter = ir->parameters[p];
        if (s->all.writer[parameter] && waits_for_itself(s, &walk, parameter)) {
            s->waiting[s->all.writer[parameter] - 1]--;
            s->all.writer[parameter] = 0;
        }
    }
    return true;
}

static bool prepare(kernel_scheduler *s)
{
    pod_tpu_lowering *lowering = s->lowering;
    const uint32_t values = lowering->ir->value_count, kernels = lowering->kernel_count;
    s->waiting = pod_tpu_array(lowering, kernels, sizeof *s->waiting);
    s->ready = pod_tpu_array(lowering, kernels, sizeof *s->ready);
    s->kernels = pod_tpu_array(lowering, kernels, sizeof *s->kernels);
    s->readers = pod_tpu_array(lowering, values, sizeof *s->readers);
    s->others = pod_tpu_array(lowering, values, sizeof *s->others);
    s->done = pod_tpu_array(lowering, kernels, sizeof *s->done);
    if (!pod_tpu_list_readers(lowering, &s->all))
        return false;
    for (uint32_t v = 0; v < values; v++)
        s->readers[v] = pod_tpu_reader_count(&s->all, v);
    for (uint32_t k = 0; k < kernels; k++)
        for (uint32_t i = 0; i < lowering->kernels[k].read_count; i++) {
            const pod_ref read = lowering->reads[lowering->kernels[k].read_first + i];
            s->waiting[k] += pod_tpu_kind_of(lowering, read) != POD_TPU_KIND_LEAF;
        }
    return find_writers(s);
}

/* The first and last step of each value that is stored. */
static void find_lives(pod_tpu_lowering *lowering)
{
    for (uint32_t step = 0; step < lowering->kernel_count; step++) {
        const pod_tpu_kernel *kernel = &lowering->kernels[lowering->order[step]];
        for (uint32_t i = 0; i < kernel->result_count; i++) {
            const pod_ref value = lowering->results[kernel->result_first + i];
            lowering->first_step[value] = lowering->last_step[value] = (int32_t)step;
        }
        for (uint32_t i = 0; i < kernel->read_count; i++)
            lowering->last_step[lowering->reads[kernel->read_first + i]] = (int32_t)step;
    }
}

/* The most bytes that are alive at a step, without regard to where they lie. */
static double measure_peak(const pod_tpu_lowering *lowering)
{
    double live = 0, most = 0;
    for (uint32_t step = 0; step < lowering->kernel_count; step++) {
        const pod_tpu_kernel *kernel = &lowering->kernels[lowering->order[step]];
        for (uint32_t i = 0; i < kernel->result_count; i++)
            live += (double)bytes_of(lowering, lowering->results[kernel->result_first + i]);
        if (live + (double)kernel->scratch > most)
            most = live + (double)kernel->scratch;
        for (uint32_t i = 0; i < kernel->result_count; i++) {
            const pod_ref value = lowering->results[kernel->result_first + i];
            if (lowering->last_step[value] == (int32_t)step && !lowering->values[value].is_output)
                live -= (double)bytes_of(lowering, value);
        }
        for (uint32_t i = 0; i < kernel->read_count; i++) {
            const pod_ref value = lowering->reads[kernel->read_first + i];
            if (lowering->last_step[value] == (int32_t)step && !lowering->values[value].is_output &&
                lowering->kinds[lowering->ir->values[value].node] != POD_TPU_KIND_LEAF)
                live -= (double)bytes_of(lowering, value);
        }
    }
    return most;
}

/* Of the peak: what small kernels that are not modelled may add. */
#define LEAST_GAIN (1.0 / 32)

/* Takes the depth-first order where its peak is clearly lower. */
static bool try_depth_first(pod_tpu_lowering *lowering)
{
    uint32_t *other, *greedy = lowering->order;
    if (!pod_tpu_order_depth_first(lowering, &other))
        return false;
    if (!other)
        return true;
    const double peak = measure_peak(lowering);
    lowering->order = other;
    find_lives(lowering);
    if (measure_peak(lowering) < peak * (1 - LEAST_GAIN))
        return true;
    lowering->order = greedy;
    find_lives(lowering);
    return true;
}

bool pod_tpu_pass_kernel_order(pod_tpu_lowering *lowering)
{
    kernel_scheduler s = {.lowering = lowering};
    const uint32_t values = lowering->ir->value_count;
    lowering->order = pod_tpu_array(lowering, lowering->kernel_count, sizeof *lowering->order);
    lowering->first_step = pod_tpu_array(lowering, values, sizeof *lowering->first_step);
    lowering->last_step = pod_tpu_array(lowering, values, sizeof *lowering->last_step);
    if (!pod_tpu_has_memory(lowering))
        return false;
    if (!prepare(&s))
        return false;
    for (uint32_t k = 0; k < lowering->kernel_count; k++)
        if (s.waiting[k] == 0)
            add_ready(&s, k, POD_REF_NONE);
    for (uint32_t step = 0; step < lowering->kernel_count; step++) {
        break_wait(&s);
        const uint32_t kernel = take_first(&s);
        assert(!s.done[kernel]);
        lowering->order[step] = kernel;
        finish(&s, kernel);
    }
    find_lives(lowering);
    return !pod_tpu_has(lowering, POD_TPU_DEPTH_FIRST) || try_depth_first(lowering);
}
