/* profile - copies of what a recorder has: see moonpod/profile.h. */

#include "base/arena.h"
#include "base/system/system.h"
#include "trace/counters.h"
#include "trace/recorder_parts.h"

#include <assert.h>
#include <string.h>

typedef struct profile_lane {
    pod_profile_lane facts;
    size_t place; /* in the recorder */
    uint64_t *words;
    struct profile_sums {
        uint64_t calls, total, self, amount, rows, bytes;
    } * sums; /* of each name */
} profile_lane;

typedef struct profile_program {
    pod_profile_program facts;
    pod_instruction_time *times;
    pod_profile_value *values;
    size_t value_count;
} profile_program;

struct pod_profile {
    pod_context *context; /* shared */
    pod_arena memory;
    pod_profile_facts facts;
    profile_lane *lanes;
    pod_profile_name *names; /* the first has no name */
    uint32_t *number_of;     /* of each of the recorder's things: among the names */
    pod_profile_step *steps;
    profile_program *programs;
};

const char *pod_profile_part_name(pod_profile_part part)
{
    static const char *const names[POD_PARTS] = {
        [POD_PART_OTHER] = "other",           [POD_PART_HOST] = "host",
        [POD_PART_CALLBACK] = "callback",     [POD_PART_TRACE] = "trace",
        [POD_PART_COMPILE] = "compile",       [POD_PART_LAUNCH] = "launch",
        [POD_PART_INPUT_WAIT] = "input_wait", [POD_PART_INPUT_READ] = "input_read",
        [POD_PART_INPUT_WORK] = "input_work", [POD_PART_INPUT_FEED] = "input_feed",
        [POD_PART_COMPUTE] = "compute",       [POD_PART_BARRIER] = "barrier",
        [POD_PART_OUTPUT] = "output",         [POD_PART_GARBAGE] = "garbage",
    };
    return (unsigned)part < POD_PARTS ? names[part] : "";
}

static uint64_t read_word(const _Atomic uint64_t *word)
{
    return atomic_load_explicit(word, memory_order_relaxed);
}

/* ---- copying -------------------------------------------------------------------------------------------- */

static bool copy_names(pod_profile *p, const pod_recorder *recorder)
{
    p->names = pod_arena_array(&p->memory, POD_THINGS, sizeof *p->names);
    p->number_of = pod_arena_array(&p->memory, POD_THINGS, sizeof *p->number_of);
    if (!p->names || !p->number_of)
        return false;
    p->names[p->facts.names++].text = "";
    for (uint32_t i = 1; i < POD_THINGS; i++) {
        const pod_thing *thing = &recorder->things[i];
        if (atomic_load_explicit(&thing->state, memory_order_acquire) < 2)
            continue;
        assert(p->facts.names < POD_THINGS);
        p->names[p->facts.names] =
            (pod_profile_name){.text = pod_arena_string(&p->memory, thing->text), .part = thing->part};
        p->number_of[i] = (uint32_t)p->facts.names;
        if (!p->names[p->facts.names++].text)
            return false;
    }
    return true;
}

/* Leaves out events that began behind the recording's end, and cuts those that went on: other threads may write while
 * they are copied. Returns how many stay. */
static uint64_t cut_at_end(uint64_t *words, uint64_t count, uint64_t end)
{
    uint64_t kept = 0;
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t *from = words + i * POD_EVENT_WORDS;
        uint64_t *to = words + kept * POD_EVENT_WORDS;
        if (from[0] >= end)
            continue;
        memmove(to, from, POD_EVENT_WORDS * sizeof *to);
        if (to[1] > end)
            to[1] = end;
        kept++;
    }
    return kept;
}

/* Copies the newest events of a lane whose thread may go on writing: what it may have written over meanwhile is left
 * out. */
static bool copy_events(pod_profile *p, const pod_lane *lane, profile_lane *copy)
{
    const uint64_t end = atomic_load_explicit(&lane->head, memory_order_acquire);
    uint64_t first = end > POD_LANE_EVENTS ? end - POD_LANE_EVENTS : 0;
    const size_t size = POD_EVENT_WORDS * sizeof *copy->words;
    copy->words = pod_arena_array(&p->memory, (size_t)(end - first) + 1, size);
    if (!copy->words)
        return false;
    for (uint64_t i = first; i < end; i++)
        for (size_t j = 0; j < POD_EVENT_WORDS; j++)
            copy->words[(i - first) * POD_EVENT_WORDS + j] =
                read_word(&lane->events[(i & (POD_LANE_EVENTS - 1)) * POD_EVENT_WORDS + j]);
    atomic_thread_fence(memory_order_acquire);
    const uint64_t now = read_word(&lane->head);
    const uint64_t safe = now != end && now + 1 > POD_LANE_EVENTS ? now + 1 - POD_LANE_EVENTS : first;
    if (safe > first) {
        const uint64_t gone = safe < end ? safe - first : end - first;
        copy->words += gone * POD_EVENT_WORDS;
        first += gone;
    }
    assert(first <= end && end - first <= POD_LANE_EVENTS);
    copy->facts.events = cut_at_end(copy->words, end - first, p->facts.ended);
    copy->facts.lost = first;
    p->facts.events += copy->facts.events;
    p->facts.events_lost += first;
    return true;
}

static bool copy_sums(pod_profile *p, const pod_lane *lane, profile_lane *copy)
{
    copy->sums = pod_arena_array(&p->memory, p->facts.names, sizeof *copy->sums);
    if (!copy->sums)
        return false;
    for (uint32_t i = 1; i < POD_THINGS; i++) {
        const uint32_t number = p->number_of[i];
        if (!number)
            continue;
        const pod_thing_sums *from = &lane->things[i];
        copy->sums[number] =
            (struct profile_sums){read_word(&from->calls),  read_word(&from->total), read_word(&from->self),
                                  read_word(&from->amount), read_word(&from->rows),  read_word(&from->bytes)};
        p->names[number].calls += copy->sums[number].calls;
        p->names[number].total += copy->sums[number].total;
        p->names[number].self += copy->sums[number].self;
        p->names[number].amount += copy->sums[number].amount;
        p->names[number].rows += copy->sums[number].rows;
        p->names[number].bytes += copy->sums[number].bytes;
    }
    return true;
}

static bool copy_lanes(pod_profile *p, const pod_recorder *recorder)
{
    p->lanes = pod_arena_array(&p->memory, POD_LANES, sizeof *p->lanes);
    for (size_t i = 0; p->lanes && i < POD_LANES; i++) {
        const pod_lane *lane = &recorder->lanes[i];
        if (atomic_load_explicit(&lane->generation, memory_order_acquire) != atomic_load(&recorder->generation))
            continue;
        profile_lane *copy = &p->lanes[p->facts.lanes];
        if (atomic_load(&lane->owner) == atomic_load(&recorder->main_thread))
            p->facts.main_lane = p->facts.lanes;
        p->facts.lanes++;
        copy->place = i;
        copy->facts = (pod_profile_lane){.name = atomic_load_explicit(&lane->name, memory_order_relaxed),
                                         .number = atomic_load_explicit(&lane->number, memory_order_relaxed),
                                         .began = read_word(&lane->began)};
        for (int j = 0; j < POD_PARTS; j++)
            copy->facts.parts[j] = read_word(&lane->parts[j]);
        uint64_t counts[POD_COUNTERS];
        pod_trace_count_lane(lane, counts);
        copy->facts.cycles = counts[0];
        copy->facts.cpu_instructions = counts[1];
        copy->facts.cache_misses = counts[2];
        if (!copy_events(p, lane, copy) || !copy_sums(p, lane, copy))
            return false;
    }
    return p->lanes != NULL;
}

static size_t lane_at(const pod_profile *p, size_t place)
{
    for (size_t i = 0; i < p->facts.lanes; i++)
        if (p->lanes[i].place == place)
            return i;
    return 0;
}

/* Leaves out steps that a program which went on may have written over while they were copied. They were
 * numbers first .. done-1. */
static void drop_overwritten(pod_profile *p, const pod_recorder *recorder, uint64_t first, uint64_t done)
{
    atomic_thread_fence(memory_order_acquire);
    const uint64_t now = atomic_load_explicit(&recorder->steps_done, memory_order_relaxed);
    const uint64_t safe = now + 1 > POD_STEPS_KEPT ? now + 1 - POD_STEPS_KEPT : 0;
    if (now == done || safe <= first)
        return;
    const size_t gone = safe - first < p->facts.steps ? (size_t)(safe - first) : p->facts.steps;
    p->steps += gone;
    p->facts.steps -= gone;
}

static bool copy_steps(pod_profile *p, const pod_recorder *recorder)
{
    const uint64_t done = atomic_load_explicit(&recorder->steps_done, memory_order_acquire);
    const uint64_t first = done > POD_STEPS_KEPT ? done - POD_STEPS_KEPT : 0;
    p->steps = pod_arena_array(&p->memory, (size_t)(done - first) + 1, sizeof *p->steps);
    if (!p->steps)
        return false;
    for (uint64_t i = first; i < done; i++) {
        const _Atomic uint64_t *words = recorder->steps + (i & (POD_STEPS_KEPT - 1)) * POD_STEP_WORDS;
        pod_profile_step *step = &p->steps[p->facts.steps];
        const uint64_t program = read_word(&words[2]);
        if (program == 0 || program > p->facts.programs)
            continue; /* of a program that there was no room to note */
        *step = (pod_profile_step){.began = read_word(&words[0]),
                                   .ended = read_word(&words[1]),
                                   .program = program - 1,
                                   .lane = lane_at(p, read_word(&words[3])),
                                   .rows = read_word(&words[4]),
                                   .memory = read_word(&words[5])};
        for (int j = 0; j < POD_PARTS; j++)
            step->parts[j] = read_word(&words[6 + j]);
        p->facts.steps++;
    }
    drop_overwritten(p, recorder, first, done);
    p->facts.steps_lost = (size_t)(done - p->facts.steps);
    return true;
}

static bool copy_programs(pod_profile *p, const pod_recorder *recorder)
{
    p->programs = pod_arena_array(&p->memory, recorder->work_count + 1, sizeof *p->programs);
    for (uint32_t i = 0; p->programs && i < recorder->work_count; i++) {
        const pod_recorded_work *one = &recorder->works[i];
        profile_program *copy = &p->programs[p->facts.programs++];
        copy->times = pod_arena_array(&p->memory, one->work->count + 1, sizeof *copy->times);
        copy->values = pod_arena_array(&p->memory, one->work->value_count + 1, sizeof *copy->values);
        if (!copy->times || !copy->values)
            return false;
        copy->value_count = one->work->value_count;
        memcpy(copy->values, one->work->values, copy->value_count * sizeof *copy->values);
        const pod_program_times sum = pod_trace_work_read(one->work, &one->before, copy->times, one->work->count);
        copy->facts = (pod_profile_program){
            .instructions = one->work->count, .steps = sum.steps, .runs = sum.runs, .waiting = sum.waiting_nanoseconds};
        for (size_t j = 0; j < one->work->count; j++) {
            copy->facts.nanoseconds += copy->times[j].nanoseconds;
            if (!pod_trace_keep_texts(&p->memory, &copy->times[j]))
                return false;
        }
    }
    return p->programs != NULL;
}

/* Copies what there is, with the recorder's lock held; NULL when there is no memory. */
static pod_profile *copy_all(pod_context *context, const pod_recorder *recorder, uint64_t ended)
{
    pod_profile *made = pod_allocate_zeroed(context, 1, sizeof *made);
    if (!made)
        return NULL;
    made->context = pod_context_retain(context);
    pod_arena_init(&made->memory, context);
    const pod_system_counts system = pod_trace_system_counts();
    made->facts = (pod_profile_facts){.began = atomic_load(&recorder->began),
                                      .ended = ended,
                                      .threads_lost = atomic_load(&recorder->threads_lost),
                                      .threads = pod_context_threads(context),
                                      .cpus = pod_cpu_count(),
                                      .isa = pod_context_isa(context),
                                      .free_memory = uv_get_free_memory(),
                                      .no_counters = pod_trace_counters_why(recorder->no_counters),
                                      .page_faults = system.page_faults - recorder->before.page_faults,
                                      .disk_faults = system.disk_faults - recorder->before.disk_faults,
                                      .preemptions = system.preemptions - recorder->before.preemptions};
    if (copy_names(made, recorder) && copy_lanes(made, recorder) && copy_programs(made, recorder) &&
        copy_steps(made, recorder))
        return made;
    pod_profile_free(made);
    return NULL;
}

/* Gives what was recorded; `ends`: and records no more. */
static pod_status give(pod_context *context, bool ends, pod_profile **profile, pod_error *error)
{
    *profile = NULL;
    pod_recorder *recorder = pod_context_recorder(context);
    if (!recorder)
        return pod_error_set(error, POD_ERROR_STATE, "the context records no profile: begin one first");
    pod_lane *main = pod_trace_lane(context, "main", 0);
    if (main)
        pod_trace_settle(main, pod_trace_now(main));
    uv_mutex_lock(&recorder->mutex);
    uint64_t now = uv_hrtime();
    if (main && main->since > now) /* by less than a microsecond */
        now = main->since;
    if (ends) {
        recorder->on = false;
        pod_context_switch_recorder(context, false);
    }
    *profile = copy_all(context, recorder, now);
    if (ends)
        pod_trace_end_counters(recorder);
    uv_mutex_unlock(&recorder->mutex);
    return *profile ? POD_OK : pod_error_memory(error, "a profile", 0);
}

pod_status pod_profile_stop(pod_context *context, pod_profile **profile, pod_error *error)
{
    return give(context, true, profile, error);
}

pod_status pod_profile_take(pod_context *context, pod_profile **profile, pod_error *error)
{
    return give(context, false, profile, error);
}

void pod_profile_free(pod_profile *profile)
{
    if (!profile)
        return;
    pod_context *context = profile->context;
    pod_arena_clear(&profile->memory);
    pod_free(context, profile);
    pod_context_release(context);
}

/* ---- reading -------------------------------------------------------------------------------------------- */

pod_context *pod_trace_context_of(const pod_profile *profile)
{
    return profile->context;
}

pod_profile_facts pod_profile_get_facts(const pod_profile *profile)
{
    return profile->facts;
}

pod_profile_step pod_profile_get_step(const pod_profile *profile, size_t index)
{
    return index < profile->facts.steps ? profile->steps[index] : (pod_profile_step){0};
}

pod_profile_lane pod_profile_get_lane(const pod_profile *profile, size_t lane)
{
    return lane < profile->facts.lanes ? profile->lanes[lane].facts : (pod_profile_lane){.name = ""};
}

pod_profile_name pod_profile_get_name(const pod_profile *profile, size_t name)
{
    return name < profile->facts.names ? profile->names[name] : (pod_profile_name){.text = ""};
}

pod_profile_name pod_profile_get_name_on(const pod_profile *profile, size_t name, size_t lane)
{
    pod_profile_name one = pod_profile_get_name(profile, name);
    struct profile_sums sums = {0};
    if (name < profile->facts.names && lane < profile->facts.lanes)
        sums = profile->lanes[lane].sums[name];
    one.calls = sums.calls;
    one.total = sums.total;
    one.self = sums.self;
    one.amount = sums.amount;
    one.rows = sums.rows;
    one.bytes = sums.bytes;
    return one;
}

size_t pod_profile_get_events(const pod_profile *profile, size_t lane, size_t first, pod_profile_event *events,
                              size_t most)
{
    const size_t count = lane < profile->facts.lanes ? (size_t)profile->lanes[lane].facts.events : 0;
    size_t given = 0;
    for (; given < most && first + given < count; given++) {
        const uint64_t *words = profile->lanes[lane].words + (first + given) * POD_EVENT_WORDS;
        events[given] = (pod_profile_event){.began = words[0],
                                            .ended = words[1],
                                            .kind = (pod_event_kind)(words[2] & 0xFF),
                                            .part = (pod_profile_part)(words[2] >> 8 & 0xFF),
                                            .name = profile->number_of[(words[2] >> 16 & 0xFFFF) % POD_THINGS],
                                            .program = (uint32_t)(words[2] >> 32),
                                            .index = words[3],
                                            .amount = words[4]};
    }
    return given;
}

pod_profile_program pod_profile_get_program(const pod_profile *profile, size_t program)
{
    return program < profile->facts.programs ? profile->programs[program].facts : (pod_profile_program){0};
}

size_t pod_profile_get_times(const pod_profile *profile, size_t program, pod_instruction_time *times, size_t most)
{
    if (program >= profile->facts.programs)
        return 0;
    const size_t count = profile->programs[program].facts.instructions;
    for (size_t i = 0; i < most && i < count; i++)
        times[i] = profile->programs[program].times[i];
    return count;
}

size_t pod_profile_get_values(const pod_profile *profile, size_t program, pod_profile_value *values, size_t most)
{
    if (program >= profile->facts.programs)
        return 0;
    const profile_program *one = &profile->programs[program];
    for (size_t i = 0; i < most && i < one->value_count; i++)
        values[i] = one->values[i];
    return one->value_count;
}

const char *pod_profile_place_name(pod_value_place place)
{
    static const char *const names[POD_VALUE_PLACES] = {
        [POD_VALUE_ARGUMENT] = "argument",
        [POD_VALUE_RESULT] = "result",
        [POD_VALUE_CONSTANT] = "constant",
        [POD_VALUE_TEMPORARY] = "temporary",
    };
    return (unsigned)place < POD_VALUE_PLACES ? names[place] : "";
}
