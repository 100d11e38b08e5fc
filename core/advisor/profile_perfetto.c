/* profile_perfetto - the events of a profile as Perfetto's TrackEvents: see moonpod/profile.h.
 *
 * A file is packets, field 1. Names, categories and lines of sources are written once, in the first packet, and then
 * told by their numbers. A slice is two packets, where it begins and where it ends, in the order of time: so events,
 * which are recorded when they end, are put into the order in which they began. */

#include "advisor/profile_output.h"
#include "formats/protobuf.h"
#include "trace/recorder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of fields. */
enum { PACKET = 1 };
enum { TIMESTAMP = 8, SEQUENCE = 10, TRACK_EVENT = 11, INTERNED = 12, SEQUENCE_FLAGS = 13, TRACK_DESCRIPTOR = 60 };
enum { CATEGORIES = 1, NAMES = 2, ANNOTATIONS = 3, SOURCES = 4 }; /* of what is told by number */
enum { CATEGORY_NUMBER = 3, ANNOTATION = 4, TYPE = 9, NAME_NUMBER = 10, TRACK = 11, NAME = 23, SOURCE_NUMBER = 34 };
enum { CLEARED = 1, NEEDED = 2 }; /* flags of a sequence */
enum { SLICE_BEGINS = 1, SLICE_ENDS = 2, COUNTER = 4, COUNTER_VALUE = 30 };
enum {
    PROCESS_TRACK = 1,
    STEPS_TRACK = 2,
    MEMORY_TRACK = 3,
    FIRST_TRACK = 4,
    STEP_CATEGORY = POD_PARTS + 1,
    AMOUNT = 1
};
enum { TEXT = 512, OPEN = 128, BLOCK = 128 };

typedef struct ordered_event {
    pod_profile_event event;
    size_t order; /* in which they were recorded */
} ordered_event;

typedef struct perfetto_writer {
    pod_advise_output *output;
    pod_text *text;
    size_t *first_name;    /* of each program's instructions */
    ordered_event *events; /* of a lane */
    uint64_t ends[OPEN];   /* of the slices that are open */
    int open;
} perfetto_writer;

static void put_interned(pod_text *text, unsigned field, size_t number, const char *value)
{
    const size_t message = pod_format_open_message(text, field);
    pod_format_put_integer(text, 1, (int64_t)number);
    pod_advise_output_put_clean(text, 2, value);
    pod_format_close_message(text, message);
}

static void put_source(pod_text *text, size_t number, const char *location)
{
    const char *colon = strrchr(location, ':');
    char file[TEXT];
    snprintf(file, sizeof file, "%.*s", colon ? (int)(colon - location) : (int)strlen(location), location);
    const size_t message = pod_format_open_message(text, SOURCES);
    pod_format_put_integer(text, 1, (int64_t)number);
    pod_advise_output_put_clean(text, 2, file);
    pod_format_put_integer(text, 4, colon ? strtoll(colon + 1, NULL, 10) : 0);
    pod_format_close_message(text, message);
}

/* The names of events by kind come first, those of stages and spans behind them, then those of instructions, whose
 * numbers are also those of their sources. */
static size_t number_of_kind(pod_event_kind kind)
{
    return (size_t)kind + 1;
}

static size_t number_of_name(uint32_t name)
{
    return POD_EVENT_KINDS + 1 + name;
}

static void write_interned(perfetto_writer *w)
{
    size_t next = number_of_name((uint32_t)w->output->facts.names);
    const size_t packet = pod_format_open_message(w->text, PACKET);
    pod_format_put_integer(w->text, SEQUENCE, 1);
    pod_format_put_integer(w->text, SEQUENCE_FLAGS, CLEARED);
    const size_t interned = pod_format_open_message(w->text, INTERNED);
    for (int i = 0; i < POD_PARTS; i++)
        put_interned(w->text, CATEGORIES, (size_t)i + 1, pod_profile_part_name((pod_profile_part)i));
    put_interned(w->text, CATEGORIES, STEP_CATEGORY, "step");
    put_interned(w->text, ANNOTATIONS, AMOUNT, "amount");
    for (int i = 0; i < POD_EVENT_KINDS; i++) {
        char name[TEXT];
        const pod_profile_event one = {.kind = (pod_event_kind)i, .began = UINT64_MAX, .ended = UINT64_MAX};
        if (i != POD_EVENT_STEP && pod_advise_output_event(w->output, &one, name, sizeof name))
            put_interned(w->text, NAMES, number_of_kind(one.kind), name);
    }
    for (uint32_t i = 1; i < w->output->facts.names; i++)
        put_interned(w->text, NAMES, number_of_name(i), pod_profile_get_name(w->output->profile, i).text);
    for (size_t i = 0; i < w->output->facts.programs; i++) {
        w->first_name[i] = next;
        for (size_t j = 0; j < pod_profile_get_program(w->output->profile, i).instructions; j++, next++) {
            char name[TEXT];
            const pod_instruction_time *one = &w->output->times[i][j];
            pod_advise_output_name(one, name, sizeof name);
            put_interned(w->text, NAMES, next, name);
            if (one->location && *one->location)
                put_source(w->text, next, one->location);
        }
    }
    pod_format_close_message(w->text, interned);
    pod_format_close_message(w->text, packet);
}

/* Writes what a line of the view is; `thread` 0: the process, or the line of the steps. */
static void write_track(perfetto_writer *w, size_t track, const char *name, size_t thread)
{
    const size_t packet = pod_format_open_message(w->text, PACKET);
    pod_format_put_integer(w->text, SEQUENCE, 1);
    const size_t descriptor = pod_format_open_message(w->text, TRACK_DESCRIPTOR);
    pod_format_put_integer(w->text, 1, (int64_t)track);
    if (track == PROCESS_TRACK) {
        const size_t process = pod_format_open_message(w->text, 3);
        pod_format_put_integer(w->text, 1, 1);
        pod_format_put_text(w->text, 6, name);
        pod_format_close_message(w->text, process);
    } else {
        pod_format_put_integer(w->text, 5, PROCESS_TRACK);
        pod_format_put_text(w->text, 2, name);
    }
    if (track == MEMORY_TRACK) {
        const size_t counter = pod_format_open_message(w->text, 8);
        pod_format_put_integer(w->text, 3, 3); /* its unit: bytes */
        pod_format_close_message(w->text, counter);
    }
    if (thread) {
        const size_t message = pod_format_open_message(w->text, 4);
        pod_format_put_integer(w->text, 1, 1);
        pod_format_put_integer(w->text, 2, (int64_t)thread);
        pod_format_put_text(w->text, 5, name);
        pod_format_close_message(w->text, message);
    }
    pod_format_close_message(w->text, descriptor);
    pod_format_close_message(w->text, packet);
}

static size_t begin_packet(perfetto_writer *w, uint64_t time, size_t *packet)
{
    *packet = pod_format_open_message(w->text, PACKET);
    pod_format_put_integer(w->text, TIMESTAMP, (int64_t)(time - w->output->facts.began));
    pod_format_put_integer(w->text, SEQUENCE, 1);
    pod_format_put_integer(w->text, SEQUENCE_FLAGS, NEEDED);
    return pod_format_open_message(w->text, TRACK_EVENT);
}

static void end_packet(perfetto_writer *w, size_t event, size_t packet)
{
    pod_format_close_message(w->text, event);
    pod_format_close_message(w->text, packet);
    pod_advise_output_flush(w->output, false);
}

static void write_end(perfetto_writer *w, size_t track)
{
    size_t packet;
    const size_t event = begin_packet(w, w->ends[--w->open], &packet);
    pod_format_put_integer(w->text, TYPE, SLICE_ENDS);
    pod_format_put_integer(w->text, TRACK, (int64_t)track);
    end_packet(w, event, packet);
}

static void write_begin(perfetto_writer *w, size_t track, const pod_profile_event *one)
{
    const pod_instruction_time *time = pod_advise_output_instruction(w->output, one);
    const bool is_step = one->kind == POD_EVENT_STEP;
    const size_t number = time ? w->first_name[one->program - 1] + (size_t)one->index
                               : (one->name ? number_of_name(one->name) : number_of_kind(one->kind));
    char name[TEXT];
    size_t packet;
    if (w->open == OPEN || !pod_advise_output_event(w->output, one, name, sizeof name))
        return;
    const size_t event = begin_packet(w, one->began, &packet);
    pod_format_put_integer(w->text, TYPE, SLICE_BEGINS);
    pod_format_put_integer(w->text, TRACK, (int64_t)track);
    pod_format_put_integer(w->text, CATEGORY_NUMBER, is_step ? STEP_CATEGORY : (int64_t)one->part + 1);
    if (is_step)
        pod_format_put_text(w->text, NAME, name);
    else
        pod_format_put_integer(w->text, NAME_NUMBER, (int64_t)number);
    if (time && time->location && *time->location)
        pod_format_put_integer(w->text, SOURCE_NUMBER, (int64_t)number);
    if (one->amount) {
        const size_t annotation = pod_format_open_message(w->text, ANNOTATION);
        pod_format_put_integer(w->text, 1, AMOUNT);
        pod_format_put_integer(w->text, 3, (int64_t)one->amount);
        pod_format_close_message(w->text, annotation);
    }
    end_packet(w, event, packet);
    /* What reaches beyond what it is within (a clock was read twice) ends with it. */
    const uint64_t outer = w->open > 0 ? w->ends[w->open - 1] : UINT64_MAX;
    w->ends[w->open++] = one->ended < outer ? one->ended : outer;
}

/* What began first; of those that began together what lasts longest, and of those what was recorded last. */
static int compare_events(const void *a, const void *b)
{
    const ordered_event *x = a, *y = b;
    if (x->event.began != y->event.began)
        return x->event.began < y->event.began ? -1 : 1;
    if (x->event.ended != y->event.ended)
        return x->event.ended > y->event.ended ? -1 : 1;
    return x->order < y->order ? 1 : -1;
}

static void write_track_events(perfetto_writer *w, size_t track, size_t count, bool steps)
{
    for (size_t i = 0; i < count && w->output->status == POD_OK; i++) {
        const pod_profile_event *one = &w->events[i].event;
        if ((one->kind == POD_EVENT_STEP) != steps)
            continue;
        while (w->open > 0 && w->ends[w->open - 1] <= one->began)
            write_end(w, track);
        write_begin(w, track, one);
    }
    while (w->open > 0)
        write_end(w, track);
}

/* What the context held as each step ended: a curve. */
static void write_memory(perfetto_writer *w)
{
    for (size_t i = 0; i < w->output->facts.steps; i++) {
        const pod_profile_step step = pod_profile_get_step(w->output->profile, i);
        size_t packet;
        const size_t event = begin_packet(w, step.ended, &packet);
        pod_format_put_integer(w->text, TYPE, COUNTER);
        pod_format_put_integer(w->text, TRACK, MEMORY_TRACK);
        pod_format_put_integer(w->text, COUNTER_VALUE, (int64_t)step.memory);
        end_packet(w, event, packet);
    }
}

static size_t take_events(perfetto_writer *w, size_t lane)
{
    pod_profile_event block[BLOCK];
    size_t count = 0, got;
    while ((got = pod_profile_get_events(w->output->profile, lane, count, block, BLOCK)) > 0)
        for (size_t i = 0; i < got; i++, count++)
            w->events[count] = (ordered_event){block[i], count};
    return count;
}

static void write_all(pod_advise_output *output, void *own)
{
    perfetto_writer *w = own;
    size_t most = 0;
    w->output = output;
    w->text = &output->text;
    for (size_t i = 0; i < output->facts.lanes; i++) {
        const size_t events = (size_t)pod_profile_get_lane(output->profile, i).events;
        most = events > most ? events : most;
    }
    w->events = pod_allocate_zeroed(output->context, most + 1, sizeof *w->events);
    w->first_name = pod_allocate_zeroed(output->context, output->facts.programs + 1, sizeof *w->first_name);
    if (!w->events || !w->first_name) {
        output->text.failed = true;
        return;
    }
    write_interned(w);
    write_track(w, PROCESS_TRACK, "moonpod", 0);
    write_track(w, STEPS_TRACK, "steps", 0);
    write_track(w, MEMORY_TRACK, "memory", 0);
    write_memory(w);
    for (size_t lane = 0; lane < output->facts.lanes; lane++) {
        char name[64];
        pod_advise_output_lane(output, lane, name, sizeof name);
        write_track(w, FIRST_TRACK + lane, name, lane + 1);
        const size_t count = take_events(w, lane);
        qsort(w->events, count, sizeof *w->events, compare_events);
        write_track_events(w, STEPS_TRACK, count, true);
        write_track_events(w, FIRST_TRACK + lane, count, false);
    }
}

pod_status pod_profile_write_perfetto(const pod_profile *profile, const char *path, pod_error *error)
{
    perfetto_writer w = {0};
    const pod_status status = pod_advise_output_file(profile, path, POD_COMPRESSION_NONE, write_all, &w, error);
    pod_free(pod_trace_context_of(profile), w.events);
    pod_free(pod_trace_context_of(profile), w.first_name);
    return status;
}
