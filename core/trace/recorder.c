/* recorder - see recorder.h. Here: lanes and names, and switching on and off. */

#include "trace/recorder_parts.h"

#include <assert.h>
#include <string.h>

/* Owners of lanes besides threads: a thread's number is an address. */
#define NOBODY    0u /* nor was it ever anybody's */
#define HAS_ENDED 1u

static uint64_t this_thread(void)
{
    return (uint64_t)(uintptr_t)uv_thread_self();
}

/* ---- counters of the CPU -------------------------------------------------------------------------------- */

void pod_trace_count_lane(const pod_lane *lane, uint64_t counts[POD_COUNTERS])
{
    uint64_t now[POD_COUNTERS];
    const bool counts_now = pod_counters_read(lane->counters, now);
    for (int i = 0; i < POD_COUNTERS; i++)
        counts[i] = lane->counted[i] + (counts_now ? now[i] : 0);
}

void pod_trace_end_counters(pod_recorder *recorder)
{
    for (int i = 0; i < POD_LANES; i++)
        pod_counters_close(recorder->lanes[i].counters);
}

/* Has a lane count the calling thread; goes on from what was counted of others unless a recording begins, whose clock
 * it takes then. */
static void follow_thread(pod_recorder *recorder, pod_lane *lane, bool begins)
{
    uv_mutex_lock(&recorder->mutex);
    uint64_t counted[POD_COUNTERS] = {0};
    if (!begins)
        pod_trace_count_lane(lane, counted);
    memcpy(lane->counted, counted, sizeof counted);
    pod_counters_close(lane->counters);
    if (begins)
        lane->clock = recorder->clock;
    if (recorder->on && !recorder->no_counters)
        recorder->no_counters = pod_counters_open(pod_counter_kinds, lane->counters);
    uv_mutex_unlock(&recorder->mutex);
}

/* ---- lanes ---------------------------------------------------------------------------------------------- */

/* Empties a lane for a recording; by its own thread. */
static void begin_lane(pod_recorder *recorder, pod_lane *lane, const char *name, uint32_t number)
{
    const bool is_main = this_thread() == atomic_load(&recorder->main_thread);
    assert(atomic_load(&lane->owner) == this_thread());
    follow_thread(recorder, lane, true);
    lane->since = is_main ? atomic_load(&recorder->began) : uv_hrtime();
    lane->part = POD_PART_OTHER;
    lane->thing = 0;
    lane->depth = 0;
    lane->step_began = lane->since;
    memset(lane->step_parts, 0, sizeof lane->step_parts);
    for (int i = 0; i < POD_PARTS; i++)
        atomic_store_explicit(&lane->parts[i], 0, memory_order_relaxed);
    for (int i = 0; i < POD_THINGS; i++) {
        atomic_store_explicit(&lane->things[i].calls, 0, memory_order_relaxed);
        atomic_store_explicit(&lane->things[i].total, 0, memory_order_relaxed);
        atomic_store_explicit(&lane->things[i].self, 0, memory_order_relaxed);
        atomic_store_explicit(&lane->things[i].amount, 0, memory_order_relaxed);
        atomic_store_explicit(&lane->things[i].rows, 0, memory_order_relaxed);
        atomic_store_explicit(&lane->things[i].bytes, 0, memory_order_relaxed);
    }
    atomic_store_explicit(&lane->head, 0, memory_order_relaxed);
    atomic_store_explicit(&lane->began, lane->since, memory_order_relaxed);
    atomic_store_explicit(&lane->name, name, memory_order_relaxed);
    atomic_store_explicit(&lane->number, number, memory_order_relaxed);
    atomic_store_explicit(&lane->generation, atomic_load(&recorder->generation), memory_order_release);
}

/* Takes a lane for a thread: one that a thread of that name left, a new one, or one that any left. */
static pod_lane *claim(pod_recorder *recorder, const char *name)
{
    const uint64_t me = this_thread();
    for (int round = 0; round < 3; round++)
        for (int i = 0; i < POD_LANES; i++) {
            pod_lane *lane = &recorder->lanes[i];
            uint64_t owner = round == 1 ? NOBODY : HAS_ENDED;
            if (round == 0 && atomic_load_explicit(&lane->name, memory_order_relaxed) != name)
                continue;
            if (atomic_load_explicit(&lane->owner, memory_order_relaxed) == owner &&
                atomic_compare_exchange_strong(&lane->owner, &owner, me))
                return lane;
        }
    atomic_fetch_add_explicit(&recorder->threads_lost, 1, memory_order_relaxed);
    return NULL;
}

static pod_lane *own_lane(pod_recorder *recorder)
{
    const uint64_t me = this_thread();
    for (int i = 0; i < POD_LANES; i++) {
        const uint64_t owner = atomic_load_explicit(&recorder->lanes[i].owner, memory_order_acquire);
        if (owner == me)
            return &recorder->lanes[i];
        if (owner == NOBODY)
            break; /* they are taken in order */
    }
    return NULL;
}

pod_lane *(pod_trace_lane)(pod_context *context, const char *name, uint32_t number)
{
    pod_recorder *recorder = pod_context_recorder(context);
    if (!recorder)
        return NULL;
    pod_lane *lane = own_lane(recorder);
    const bool is_new = lane == NULL;
    if (is_new)
        lane = claim(recorder, name);
    if (!lane)
        return NULL;
    if (atomic_load_explicit(&lane->generation, memory_order_relaxed) != atomic_load(&recorder->generation))
        begin_lane(recorder, lane, name, number);
    else if (is_new) { /* goes on with what another thread left */
        follow_thread(recorder, lane, false);
        lane->since = pod_trace_now(lane);
        lane->part = POD_PART_OTHER;
        lane->thing = lane->depth = 0;
    }
    return lane;
}

void pod_trace_end_thread(pod_context *context)
{
    pod_recorder *recorder = pod_context_kept_recorder(context);
    pod_lane *lane = recorder ? own_lane(recorder) : NULL;
    if (lane)
        atomic_store_explicit(&lane->owner, HAS_ENDED, memory_order_release);
}

/* ---- names ---------------------------------------------------------------------------------------------- */

enum { FREE, WRITING, THERE };

static uint32_t find_thing(pod_recorder *recorder, const char *text, pod_profile_part part)
{
    uint64_t hash = 14695981039346656037u;
    for (const char *at = text; *at && at - text < POD_THING_TEXT - 1; at++)
        hash = (hash ^ (unsigned char)*at) * 1099511628211u;
    for (uint32_t i = 0; i < POD_THINGS; i++) {
        const uint32_t index = (uint32_t)((hash >> 20) + i) % POD_THINGS;
        pod_thing *thing = &recorder->things[index];
        uint32_t state = atomic_load_explicit(&thing->state, memory_order_acquire);
        if (index == 0)
            continue;
        if (state == FREE && atomic_compare_exchange_strong(&thing->state, &state, WRITING)) {
            memcpy(thing->text, text, strnlen(text, POD_THING_TEXT - 1));
            thing->part = part;
            atomic_store_explicit(&thing->state, THERE, memory_order_release);
            return index;
        }
        while (state == WRITING)
            state = atomic_load_explicit(&thing->state, memory_order_acquire);
        if (strncmp(thing->text, text, POD_THING_TEXT - 1) == 0 && thing->part == part)
            return index;
    }
    return 0;
}

uint32_t pod_trace_thing(pod_context *context, const char *text, pod_profile_part part)
{
    pod_recorder *recorder = pod_context_recorder(context);
    return recorder ? find_thing(recorder, text, part) : 0;
}

/* ---- events --------------------------------------------------------------------------------------------- */

uint64_t pod_trace_leave_since(pod_lane *lane, pod_lane_state outer, pod_profile_event event)
{
    const uint64_t now = lane->since, first = atomic_load_explicit(&lane->began, memory_order_relaxed);
    if (outer.began < first) /* in an earlier recording */
        outer.began = first;
    assert(outer.began <= now && outer.part < POD_PARTS && outer.thing < POD_THINGS);
    event.part = (pod_profile_part)lane->part;
    event.name = lane->thing != outer.thing || event.kind == POD_EVENT_SPAN ? lane->thing : 0;
    event.began = outer.began;
    event.ended = now;
    if (event.name) {
        pod_thing_sums *sums = &lane->things[event.name];
        pod_trace_add(&sums->calls, 1);
        pod_trace_add(&sums->total, now - outer.began);
        pod_trace_add(&sums->amount, event.amount);
    }
    lane->part = outer.part;
    lane->thing = outer.thing;
    pod_trace_write(lane, &event);
    return now - outer.began;
}

uint64_t pod_trace_leave(pod_lane *lane, pod_lane_state outer, pod_profile_event event)
{
    pod_trace_settle(lane, pod_trace_now(lane));
    return pod_trace_leave_since(lane, outer, event);
}

void pod_trace_step(pod_lane *lane, uint32_t program, uint64_t rows)
{
    pod_recorder *recorder = lane->recorder;
    const uint64_t now = lane->since;
    const uint64_t number = atomic_load_explicit(&recorder->steps_done, memory_order_relaxed);
    _Atomic uint64_t *words = recorder->steps + (number & (POD_STEPS_KEPT - 1)) * POD_STEP_WORDS;
    const uint64_t memory = pod_context_memory(recorder->context).current_bytes;
    const uint64_t head[] = {lane->step_began, now, program, (uint64_t)(lane - recorder->lanes), rows, memory};
    for (int i = 0; i < 6; i++)
        atomic_store_explicit(&words[i], head[i], memory_order_relaxed);
    for (int i = 0; i < POD_PARTS; i++) {
        const uint64_t sum = atomic_load_explicit(&lane->parts[i], memory_order_relaxed);
        assert(sum >= lane->step_parts[i]); /* parts only grow within a recording */
        atomic_store_explicit(&words[6 + i], sum - lane->step_parts[i], memory_order_relaxed);
        lane->step_parts[i] = sum;
    }
    pod_trace_write(lane, &(pod_profile_event){.began = lane->step_began,
                                               .ended = now,
                                               .kind = POD_EVENT_STEP,
                                               .program = program,
                                               .index = number,
                                               .amount = rows});
    lane->step_began = now;
    atomic_store_explicit(&recorder->steps_done, number + 1, memory_order_release);
}

/* ---- spans of hosts ------------------------------------------------------------------------------------- */

uint32_t pod_profile_enter(pod_context *context, pod_profile_part part, const char *name)
{
    pod_lane *lane = pod_trace_lane(context, "main", 0);
    if (!lane || lane->depth == POD_SPANS_DEEP)
        return 0;
    const uint32_t thing = find_thing(lane->recorder, name, part);
    const pod_lane_state outer = pod_trace_enter(lane, part, thing);
    lane->stack[lane->depth++] =
        (struct pod_lane_open){outer.began, part, thing ? thing : outer.thing, outer.part, outer.thing};
    return lane->depth;
}

void pod_profile_leave(pod_context *context, uint32_t span)
{
    pod_lane *lane = span ? pod_trace_lane(context, "main", 0) : NULL;
    while (lane && lane->depth >= span) {
        assert(lane->depth <= POD_SPANS_DEEP);
        const struct pod_lane_open *open = &lane->stack[--lane->depth];
        const pod_lane_state outer = {open->began, open->outer_part, open->outer_thing};
        pod_trace_settle(lane, pod_trace_now(lane));
        lane->part = open->part;
        lane->thing = open->thing;
        (void)pod_trace_leave(lane, outer, (pod_profile_event){.kind = POD_EVENT_SPAN});
    }
}

/* ---- works ---------------------------------------------------------------------------------------------- */

static void drop_works(pod_recorder *recorder)
{
    for (uint32_t i = 0; i < recorder->work_count; i++) {
        pod_free(recorder->context, recorder->works[i].before.counts);
        pod_trace_work_release(recorder->works[i].work);
    }
    recorder->work_count = 0;
}

uint32_t pod_trace_register(pod_context *context, pod_work_record *work)
{
    pod_recorder *recorder = pod_context_recorder(context);
    if (!recorder)
        return 0;
    const uint32_t generation = atomic_load(&recorder->generation);
    if (work->generation == generation)
        return work->number;
    uv_mutex_lock(&recorder->mutex);
    assert(recorder->work_count <= POD_WORKS);
    work->generation = generation;
    work->number = 0;
    if (recorder->on && recorder->work_count < POD_WORKS) {
        pod_recorded_work *kept = &recorder->works[recorder->work_count];
        if (pod_trace_work_sum(work, &kept->before)) {
            kept->work = pod_trace_work_retain(work);
            work->number = ++recorder->work_count;
        }
    }
    uv_mutex_unlock(&recorder->mutex);
    return work->number;
}

/* ---- life ----------------------------------------------------------------------------------------------- */

/* Called with the context's last share. */
static void end_recorder(pod_context *context, pod_recorder *recorder)
{
    drop_works(recorder);
    pod_trace_end_counters(recorder);
    uv_mutex_destroy(&recorder->mutex);
    pod_free(context, recorder->steps);
    pod_free(context, recorder->events);
    pod_free(context, recorder->sums);
    pod_free(context, recorder);
}

static pod_status make_recorder(pod_context *context, pod_recorder **recorder_out, pod_error *error)
{
    const size_t events = (size_t)POD_LANES * POD_LANE_EVENTS * POD_EVENT_WORDS * sizeof(uint64_t);
    const size_t steps = (size_t)POD_STEPS_KEPT * POD_STEP_WORDS * sizeof(uint64_t);
    const size_t sums = (size_t)POD_LANES * POD_THINGS * sizeof(pod_thing_sums);
    pod_recorder *made = pod_allocate_zeroed(context, 1, sizeof *made);
    *recorder_out = NULL;
    if (!made)
        return pod_error_memory(error, "a recorder", sizeof *made);
    made->context = context;
    /* not cleared: pages that no thread writes to take no memory */
    made->events = pod_allocate(context, events);
    made->steps = pod_allocate(context, steps);
    made->sums = pod_allocate(context, sums);
    pod_status status = POD_OK;
    if (!made->events || !made->steps || !made->sums)
        status = pod_error_memory(error, "what threads record", events + steps + sums);
    else if (uv_mutex_init(&made->mutex) != 0)
        status = pod_error_set(error, POD_ERROR_SYSTEM, "cannot make a recorder's lock");
    if (status != POD_OK) {
        pod_free(context, made->steps);
        pod_free(context, made->events);
        pod_free(context, made->sums);
        pod_free(context, made);
        return status;
    }
    for (int i = 0; i < POD_LANES; i++) {
        made->lanes[i].recorder = made;
        made->lanes[i].counters[0] = made->lanes[i].counters[1] = made->lanes[i].counters[2] = -1;
        made->lanes[i].events = made->events + (size_t)i * POD_LANE_EVENTS * POD_EVENT_WORDS;
        made->lanes[i].things = made->sums + (size_t)i * POD_THINGS;
    }
    assert(made->lanes[POD_LANES - 1].events + (size_t)POD_LANE_EVENTS * POD_EVENT_WORDS ==
           made->events + events / sizeof(uint64_t));
    *recorder_out = made;
    return POD_OK;
}

pod_system_counts pod_trace_system_counts(void)
{
    uv_rusage_t usage;
    if (uv_getrusage(&usage) != 0)
        return (pod_system_counts){0};
    return (pod_system_counts){usage.ru_minflt, usage.ru_majflt, usage.ru_nivcsw};
}

pod_status pod_profile_start(pod_context *context, pod_error *error)
{
    pod_recorder *recorder = pod_context_kept_recorder(context);
    if (pod_context_recorder(context))
        return pod_error_set(error, POD_ERROR_STATE, "the context records a profile already: end that one first");
    if (!recorder) {
        pod_status status = make_recorder(context, &recorder, error);
        if (status != POD_OK)
            return status;
        pod_context_keep_recorder(context, recorder, end_recorder);
    }
    uv_mutex_lock(&recorder->mutex);
    drop_works(recorder);
    atomic_fetch_add(&recorder->generation, 1);
    atomic_store(&recorder->threads_lost, 0);
    atomic_store(&recorder->steps_done, 0);
    atomic_store(&recorder->main_thread, this_thread());
    recorder->on = true;
    recorder->no_counters = 0;
    recorder->before = pod_trace_system_counts();
    pod_trace_clock_start(&recorder->clock);
    atomic_store(&recorder->began, uv_hrtime());
    uv_mutex_unlock(&recorder->mutex);
    pod_context_switch_recorder(context, true);
    (void)pod_trace_lane(context, "main", 0);
    return POD_OK;
}

bool pod_profile_is_on(const pod_context *context, uint64_t *steps)
{
    pod_recorder *recorder = pod_context_recorder(context);
    if (steps)
        *steps = recorder ? atomic_load(&recorder->steps_done) : 0;
    return recorder != NULL;
}
