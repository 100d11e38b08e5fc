/* chrome_trace - the events of a profile as JSON of Chrome's trace format: see moonpod/profile.h. */

#include "advisor/profile_output.h"

#include <stdio.h>

#define PROCESS    1
#define STEPS_LINE 0 /* steps overlap what is done in them: a line of their own, above the threads */
#define BLOCK      256

typedef struct trace_writer {
    pod_advise_output *output;
    pod_text *text;
    bool first;
} trace_writer;

static void write_string(pod_text *text, const char *value)
{
    char clean[1024];
    pod_advise_output_clean(value, clean, sizeof clean);
    pod_text_json(text, clean);
}

/* Begins an entry: what stands between it and the one before. */
static void begin(trace_writer *w, const char *type, const char *name, size_t line)
{
    pod_advise_output_flush(w->output, false);
    pod_text_append(w->text, w->first ? "\n" : ",\n");
    w->first = false;
    pod_text_format(w->text, "{\"ph\":\"%s\",\"pid\":%d,\"tid\":%zu,\"name\":", type, PROCESS, line);
    write_string(w->text, name);
}

/* A time as microseconds. */
static void write_time(pod_text *text, const char *key, uint64_t nanoseconds)
{
    pod_text_format(text, ",\"%s\":%llu.%03llu", key, (unsigned long long)(nanoseconds / 1000),
                    (unsigned long long)(nanoseconds % 1000));
}

static void write_text_argument(pod_text *text, const char *key, const char *value)
{
    if (!value || !*value)
        return;
    pod_text_format(text, ",\"%s\":", key);
    write_string(text, value);
}

static void write_line(trace_writer *w, size_t line, const char *name, size_t order)
{
    begin(w, "M", "thread_name", line);
    pod_text_append(w->text, ",\"args\":{\"name\":");
    write_string(w->text, name);
    pod_text_append(w->text, "}}");
    begin(w, "M", "thread_sort_index", line);
    pod_text_format(w->text, ",\"args\":{\"sort_index\":%zu}}", order);
}

static void write_event(trace_writer *w, size_t lane, const pod_profile_event *event)
{
    char name[256];
    const pod_instruction_time *time = pod_advise_output_instruction(w->output, event);
    const bool is_step = event->kind == POD_EVENT_STEP;
    if (!pod_advise_output_event(w->output, event, name, sizeof name))
        return; /* of what was under way when the recording began */
    begin(w, "X", name, is_step ? STEPS_LINE : lane + 1);
    pod_text_append(w->text, ",\"cat\":");
    write_string(w->text, is_step ? "step" : pod_profile_part_name(event->part));
    write_time(w->text, "ts", event->began - w->output->facts.began);
    write_time(w->text, "dur", event->ended - event->began);
    pod_text_format(w->text, ",\"args\":{\"amount\":%llu", (unsigned long long)event->amount);
    if (event->program)
        pod_text_format(w->text, ",\"program\":%u", event->program);
    if (time) {
        write_text_argument(w->text, "layer", time->layer);
        write_text_argument(w->text, "source", time->location);
        pod_text_append(w->text, ",\"flops\":");
        pod_text_number(w->text, time->flops);
        pod_text_format(w->text, ",\"bytes\":%llu", (unsigned long long)time->bytes);
    }
    pod_text_append(w->text, "}}");
}

static void write_lane(trace_writer *w, size_t lane)
{
    pod_profile_event events[BLOCK];
    size_t first = 0, got;
    while (w->output->status == POD_OK &&
           (got = pod_profile_get_events(w->output->profile, lane, first, events, BLOCK)) > 0) {
        for (size_t i = 0; i < got; i++)
            write_event(w, lane, &events[i]);
        first += got;
    }
}

/* What the context held as each step ended: a curve. */
static void write_memory(trace_writer *w)
{
    for (size_t i = 0; i < w->output->facts.steps; i++) {
        const pod_profile_step step = pod_profile_get_step(w->output->profile, i);
        begin(w, "C", "memory", STEPS_LINE);
        write_time(w->text, "ts", step.ended - w->output->facts.began);
        pod_text_format(w->text, ",\"args\":{\"bytes\":%llu}}", (unsigned long long)step.memory);
    }
}

static void write_all(pod_advise_output *output, void *own)
{
    trace_writer *w = own;
    const pod_profile_facts *facts = &output->facts;
    *w = (trace_writer){.output = output, .text = &output->text, .first = true};
    pod_text_format(
        w->text, "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"events\":%llu,\"events_lost\":%llu},\"traceEvents\":[",
        (unsigned long long)facts->events, (unsigned long long)facts->events_lost);
    begin(w, "M", "process_name", STEPS_LINE);
    pod_text_append(w->text, ",\"args\":{\"name\":\"moonpod\"}}");
    write_line(w, STEPS_LINE, "steps", 0);
    for (size_t i = 0; i < facts->lanes; i++) {
        char name[64];
        pod_advise_output_lane(output, i, name, sizeof name);
        write_line(w, i + 1, name, i + 1);
    }
    for (size_t i = 0; i < facts->lanes; i++)
        write_lane(w, i);
    write_memory(w);
    pod_text_append(w->text, "\n]}\n");
}

pod_status pod_profile_write_chrome(const pod_profile *profile, const char *path, pod_error *error)
{
    trace_writer w;
    return pod_advise_output_file(profile, path, POD_COMPRESSION_NONE, write_all, &w, error);
}
