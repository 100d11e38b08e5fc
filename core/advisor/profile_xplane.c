/* profile_xplane - a profile as XProf's trace: see moonpod/profile.h.
 *
 * The machine is told as a device: so XProf sums up its steps and instructions, which it does for accelerators alone.
 * Its lines have what the thread that runs programs did; the host's lines have all threads. */

#include "advisor/profile_output.h"
#include "advisor/xplane.h"
#include "trace/recorder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEVICE_PLANE = 1, HOST_PLANE = 2, PROGRAMS_PLANE = 3 };
enum { STEPS_LINE = 1, MODULES_LINE = 2, OPS_LINE = 3 };
enum { TEXT = 512, BLOCK = 128 };

typedef struct xplane_writer {
    pod_advise_output *output;
    pod_text *text;
    pod_profile_event *events; /* of the main lane, in the order in which they began */
    size_t event_count;
    size_t *first_op; /* of each program, and behind the last one how many there are */
    uint64_t *runs;   /* of each op: its events on the main lane */
    uint64_t *steps;  /* of each program: those that the events are of */
    pod_xplane_op *ops;
    char (*names)[TEXT], (*texts)[TEXT];
} xplane_writer;

static uint64_t op_number(const xplane_writer *w, const pod_profile_event *event)
{
    return event->program && pod_advise_output_instruction(w->output, event)
               ? w->first_op[event->program - 1] + event->index + 1
               : 0;
}

/* What events are of besides ops, behind them: programs, then steps. */
static uint64_t program_number(const xplane_writer *w, size_t program)
{
    return w->first_op[w->output->facts.programs] + program + 1;
}

static uint64_t step_number(const xplane_writer *w, size_t step)
{
    return program_number(w, w->output->facts.programs) + step;
}

static uint64_t picoseconds_since(const xplane_writer *w, uint64_t nanoseconds)
{
    return nanoseconds > w->output->facts.began ? (nanoseconds - w->output->facts.began) * 1000 : 0;
}

/* What began first; of those that began together what lasts longest. */
static int compare_events(const void *a, const void *b)
{
    const pod_profile_event *x = a, *y = b;
    if (x->began != y->began)
        return x->began < y->began ? -1 : 1;
    return x->ended == y->ended ? 0 : x->ended > y->ended ? -1 : 1;
}

static size_t take_events(const pod_profile *profile, size_t lane, pod_profile_event *events)
{
    size_t count = 0, got;
    while ((got = pod_profile_get_events(profile, lane, count, events + count, BLOCK)) > 0)
        count += got;
    qsort(events, count, sizeof *events, compare_events);
    return count;
}

/* The number of the step of the main thread that a moment is in, from 0; SIZE_MAX where it is in none. */
static size_t step_of(const xplane_writer *w, uint64_t moment)
{
    const pod_profile *profile = w->output->profile;
    size_t low = 0, high = w->output->facts.steps;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (pod_profile_get_step(profile, middle).ended <= moment)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < w->output->facts.steps; low++) {
        const pod_profile_step step = pod_profile_get_step(profile, low);
        if (step.lane == w->output->facts.main_lane)
            return step.began <= moment ? low : SIZE_MAX;
    }
    return SIZE_MAX;
}

/* Counts what the main thread ran, and takes what each op is: of one event its part of what steps do. */
static void take_ops(xplane_writer *w)
{
    const pod_advise_output *output = w->output;
    for (size_t i = 0; i < w->event_count; i++)
        if (op_number(w, &w->events[i]) && step_of(w, w->events[i].began) != SIZE_MAX)
            w->runs[op_number(w, &w->events[i]) - 1]++;
    for (size_t i = 0; i < output->facts.steps; i++) {
        const pod_profile_step step = pod_profile_get_step(output->profile, i);
        w->steps[step.program] += step.lane == output->facts.main_lane;
    }
    for (size_t program = 0; program < output->facts.programs; program++)
        for (size_t i = w->first_op[program]; i < w->first_op[program + 1]; i++) {
            const pod_instruction_time *time = &output->times[program][i - w->first_op[program]];
            const double share = w->runs[i] > 0 ? (double)w->steps[program] / (double)w->runs[i] : 0;
            char what[TEXT];
            pod_advise_output_name(time, what, sizeof what);
            snprintf(w->names[i], TEXT, "%.100s.%zu", time->kind, i - w->first_op[program] + 1);
            snprintf(w->texts[i], TEXT, "%%%.100s = %.300s", w->names[i], what);
            w->ops[i] = (pod_xplane_op){.name = w->names[i],
                                        .text = w->texts[i],
                                        .kind = time->kind,
                                        .category = time->kind,
                                        .layer = time->layer,
                                        .location = time->location && *time->location ? time->location : NULL,
                                        .program = program + 1,
                                        .flops = time->flops * share,
                                        .bytes = (double)time->bytes * share,
                                        .hbm_bytes = (double)time->bytes * share};
        }
}

static uint64_t feed_number(const xplane_writer *w)
{
    return step_number(w, w->output->facts.steps);
}

static void write_device_names(xplane_writer *w)
{
    const pod_profile_facts *facts = &w->output->facts;
    const pod_xplane_op feed = {.name = "infeed",
                                .text = "infeed: the dataset gives a batch",
                                .kind = "infeed",
                                .category = "infeed",
                                .program = 1};
    char name[TEXT];
    for (size_t i = 0; i < w->first_op[facts->programs]; i++)
        pod_advise_xplane_put_op(w->text, i + 1, &w->ops[i]);
    for (size_t i = 0; i < facts->programs; i++) {
        snprintf(name, sizeof name, "program_%zu(%zu)", i + 1, i + 1);
        pod_advise_xplane_put_name(w->text, program_number(w, i), name);
    }
    for (size_t i = 0; i < facts->steps; i++) {
        snprintf(name, sizeof name, "%zu", i);
        pod_advise_xplane_put_name(w->text, step_number(w, i), name);
    }
    pod_advise_xplane_put_op(w->text, feed_number(w), &feed);
}

static void put_main_event(xplane_writer *w, const pod_profile_event *event, uint64_t number)
{
    const size_t step = step_of(w, event->began);
    if (step != SIZE_MAX && event->began >= w->output->facts.began && event->ended >= event->began)
        pod_advise_xplane_put_event(w->text, number, picoseconds_since(w, event->began),
                                    (event->ended - event->began) * 1000, step);
}

static void write_ops(xplane_writer *w)
{
    for (size_t i = 0; i < w->event_count; i++) {
        const pod_profile_event *event = &w->events[i];
        if (event->kind == POD_EVENT_FEED)
            put_main_event(w, event, feed_number(w));
        else if (op_number(w, event))
            put_main_event(w, event, op_number(w, event));
    }
}

static void write_device(xplane_writer *w, const pod_profile_roofs *roofs)
{
    const pod_profile_facts *facts = &w->output->facts;
    char type[TEXT];
    snprintf(type, sizeof type, "CPU, %d threads, %s (Moonpod)", facts->threads, facts->isa);
    const size_t plane = pod_advise_xplane_open(w->text, DEVICE_PLANE, "/device:TPU:0");
    const pod_xplane_device device = {type, roofs ? roofs->flops : 0, roofs ? roofs->bytes : 0, 0};
    pod_advise_xplane_put_device(w->text, &device);
    write_device_names(w);
    size_t line = pod_advise_xplane_open_line(w->text, STEPS_LINE, "Steps");
    for (size_t i = 0; i < facts->steps; i++) {
        const pod_profile_step step = pod_profile_get_step(w->output->profile, i);
        if (step.lane == facts->main_lane)
            pod_advise_xplane_put_event(w->text, step_number(w, i), picoseconds_since(w, step.began),
                                        (step.ended - step.began) * 1000, i);
    }
    pod_format_close_message(w->text, line);
    line = pod_advise_xplane_open_line(w->text, MODULES_LINE, "XLA Modules");
    for (size_t i = 0; i < w->event_count; i++)
        if (w->events[i].kind == POD_EVENT_RUN && w->events[i].program)
            put_main_event(w, &w->events[i], program_number(w, w->events[i].program - 1));
    pod_format_close_message(w->text, line);
    line = pod_advise_xplane_open_line(w->text, OPS_LINE, "XLA Ops");
    write_ops(w);
    pod_format_close_message(w->text, line);
    pod_format_close_message(w->text, plane);
}

/* ---- the host ------------------------------------------------------------------------------------------- */

/* Names of the host's events: kinds come first, then what has a name, then instructions; 0 is no number. */
static uint64_t host_number(const xplane_writer *w, const pod_profile_event *event)
{
    const uint64_t op = op_number(w, event);
    if (op)
        return POD_EVENT_KINDS + w->output->facts.names + op;
    return event->name ? POD_EVENT_KINDS + event->name : (uint64_t)event->kind + 1;
}

static uint64_t memory_number(const xplane_writer *w)
{
    return POD_EVENT_KINDS + w->output->facts.names + w->first_op[w->output->facts.programs] + 1;
}

static void write_host_names(xplane_writer *w)
{
    const pod_profile_facts *facts = &w->output->facts;
    for (int i = 0; i < POD_EVENT_KINDS; i++) {
        char name[TEXT];
        const pod_profile_event one = {.kind = (pod_event_kind)i, .began = UINT64_MAX, .ended = UINT64_MAX};
        if (pod_advise_output_event(w->output, &one, name, sizeof name))
            pod_advise_xplane_put_name(w->text, host_number(w, &one), name);
    }
    for (uint32_t i = 1; i < facts->names; i++)
        pod_advise_xplane_put_name(w->text, POD_EVENT_KINDS + i, pod_profile_get_name(w->output->profile, i).text);
    for (size_t i = 0; i < w->first_op[facts->programs]; i++)
        pod_advise_xplane_put_name(w->text, POD_EVENT_KINDS + facts->names + i + 1, w->texts[i]);
    pod_advise_xplane_put_name(w->text, memory_number(w), "MemoryAllocation"); /* as XProf knows it */
}

static void write_lane(xplane_writer *w, size_t lane)
{
    char name[64];
    pod_advise_output_lane(w->output, lane, name, sizeof name);
    const size_t line = pod_advise_xplane_open_line(w->text, lane + 1, name);
    w->event_count = take_events(w->output->profile, lane, w->events);
    for (size_t i = 0; i < w->event_count; i++) {
        const pod_profile_event *event = &w->events[i];
        if (event->kind != POD_EVENT_STEP && event->began >= w->output->facts.began && event->ended >= event->began)
            pod_format_close_message(w->text, pod_advise_xplane_open_event(w->text, host_number(w, event),
                                                                           picoseconds_since(w, event->began),
                                                                           (event->ended - event->began) * 1000));
    }
    pod_format_close_message(w->text, line);
}

/* What the context held as each step ended, as if it had been taken then. */
static void write_memory(xplane_writer *w)
{
    const pod_profile_facts *facts = &w->output->facts;
    uint64_t peak = 0;
    const size_t line = pod_advise_xplane_open_line(w->text, facts->lanes + 1, "memory");
    for (size_t i = 0; i < facts->steps; i++) {
        const pod_profile_step step = pod_profile_get_step(w->output->profile, i);
        peak = step.memory > peak ? step.memory : peak;
        const size_t event =
            pod_advise_xplane_open_event(w->text, memory_number(w), picoseconds_since(w, step.ended), 0);
        pod_advise_xplane_put_text(w->text, POD_XPLANE_OF_EVENT, POD_XPLANE_ALLOCATOR, "moonpod");
        pod_advise_xplane_put_number(w->text, POD_XPLANE_OF_EVENT, POD_XPLANE_BYTES_ALLOCATED, step.memory);
        pod_advise_xplane_put_number(w->text, POD_XPLANE_OF_EVENT, POD_XPLANE_BYTES_RESERVED, 0);
        pod_advise_xplane_put_number(w->text, POD_XPLANE_OF_EVENT, POD_XPLANE_BYTES_AVAILABLE, facts->free_memory);
        pod_advise_xplane_put_number(w->text, POD_XPLANE_OF_EVENT, POD_XPLANE_PEAK_BYTES, peak);
        pod_advise_xplane_put_number(w->text, POD_XPLANE_OF_EVENT, POD_XPLANE_GROUP, i);
        pod_format_close_message(w->text, event);
    }
    pod_format_close_message(w->text, line);
}

static void write_host(xplane_writer *w)
{
    const size_t plane = pod_advise_xplane_open(w->text, HOST_PLANE, "/host:CPU");
    write_host_names(w);
    for (size_t lane = 0; lane < w->output->facts.lanes; lane++)
        write_lane(w, lane);
    write_memory(w);
    pod_format_close_message(w->text, plane);
}

/* ---- programs ------------------------------------------------------------------------------------------- */

static void write_program(xplane_writer *w, size_t index)
{
    static const int uses[] = {[POD_VALUE_ARGUMENT] = POD_XPLANE_ARGUMENT,
                               [POD_VALUE_RESULT] = POD_XPLANE_OUTPUT,
                               [POD_VALUE_CONSTANT] = POD_XPLANE_OUTPUT,
                               [POD_VALUE_TEMPORARY] = POD_XPLANE_TEMPORARY};
    pod_context *context = w->output->context;
    const size_t count = pod_profile_get_values(w->output->profile, index, NULL, 0);
    pod_profile_value *values = pod_allocate_zeroed(context, count + 1, sizeof *values);
    pod_xplane_buffer *buffers = pod_allocate_zeroed(context, count + 1, sizeof *buffers);
    w->text->failed = w->text->failed || !values || !buffers;
    if (values && buffers) {
        char name[64];
        (void)pod_profile_get_values(w->output->profile, index, values, count);
        for (size_t i = 0; i < count; i++)
            buffers[i] = (pod_xplane_buffer){.use = uses[values[i].place],
                                             .bytes = values[i].bytes,
                                             .unpadded = values[i].bytes,
                                             .offset = values[i].offset,
                                             .op = values[i].first,
                                             .last = values[i].last};
        snprintf(name, sizeof name, "program_%zu", index + 1);
        const pod_xplane_program program = {.name = name,
                                            .number = index + 1,
                                            .ops = w->ops + w->first_op[index],
                                            .op_count = w->first_op[index + 1] - w->first_op[index],
                                            .buffers = buffers,
                                            .buffer_count = count};
        pod_advise_xplane_put_programs(w->text, PROGRAMS_PLANE + index, &program, 1);
    }
    pod_free(context, values);
    pod_free(context, buffers);
}

/* ---- all ------------------------------------------------------------------------------------------------ */

static bool take_room(xplane_writer *w)
{
    const pod_advise_output *output = w->output;
    pod_context *context = output->context;
    size_t most = 0, ops = 0;
    w->first_op = pod_allocate_zeroed(context, output->facts.programs + 1, sizeof *w->first_op);
    w->steps = pod_allocate_zeroed(context, output->facts.programs + 1, sizeof *w->steps);
    if (!w->first_op || !w->steps)
        return false;
    for (size_t i = 0; i < output->facts.programs; i++) {
        w->first_op[i] = ops;
        ops += pod_profile_get_program(output->profile, i).instructions;
    }
    w->first_op[output->facts.programs] = ops;
    for (size_t i = 0; i < output->facts.lanes; i++) {
        const size_t events = (size_t)pod_profile_get_lane(output->profile, i).events;
        most = events > most ? events : most;
    }
    w->events = pod_allocate_zeroed(context, most + BLOCK, sizeof *w->events);
    w->runs = pod_allocate_zeroed(context, ops + 1, sizeof *w->runs);
    w->ops = pod_allocate_zeroed(context, ops + 1, sizeof *w->ops);
    w->names = pod_allocate_zeroed(context, ops + 1, sizeof *w->names);
    w->texts = pod_allocate_zeroed(context, ops + 1, sizeof *w->texts);
    return w->events && w->runs && w->ops && w->names && w->texts;
}

/* What is written, and how fast the machine is. */
typedef struct asked {
    xplane_writer writer;
    const pod_profile_roofs *roofs;
} asked;

static void write_all(pod_advise_output *output, void *own)
{
    asked *a = own;
    xplane_writer *w = &a->writer;
    w->output = output;
    w->text = &output->text;
    if (!take_room(w)) {
        output->text.failed = true;
        return;
    }
    w->event_count = take_events(output->profile, output->facts.main_lane, w->events);
    take_ops(w);
    write_device(w, a->roofs);
    pod_advise_output_flush(output, false);
    write_host(w);
    for (size_t i = 0; i < output->facts.programs; i++) {
        pod_advise_output_flush(output, false);
        write_program(w, i);
    }
}

pod_status pod_profile_write_xplane(const pod_profile *profile, const pod_profile_roofs *roofs, const char *path,
                                    pod_error *error)
{
    asked a = {.roofs = roofs};
    const pod_status status = pod_advise_output_file(profile, path, POD_COMPRESSION_NONE, write_all, &a, error);
    pod_context *context = pod_trace_context_of(profile);
    pod_free(context, a.writer.first_op);
    pod_free(context, a.writer.steps);
    pod_free(context, a.writer.events);
    pod_free(context, a.writer.runs);
    pod_free(context, a.writer.ops);
    pod_free(context, a.writer.names);
    pod_free(context, a.writer.texts);
    return status;
}
