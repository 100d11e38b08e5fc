/* chrome_trace - the events of a profile as JSON of Chrome's trace format: see moonpod/profile.h. */

#include "base/text.h"
#include "formats/writer.h"
#include "trace/recorder.h"

#include <stdio.h>

#define PROCESS     1
#define STEPS_LINE  0 /* steps overlap what is done in them: a line of their own, above the threads */
#define BLOCK       256
#define FLUSH_BYTES ((size_t)1 << 16)

typedef struct trace_writer {
    pod_context *context;
    const pod_profile *profile;
    pod_profile_facts facts;
    pod_instruction_time **times; /* of each program */
    pod_writer *file;
    pod_text text;
    bool first;
    pod_status status;
    pod_error *error;
} trace_writer;

/* The length of the UTF-8 sequence at `at`; 0 when it is none: texts were cut to fit. */
static size_t sequence(const unsigned char *at)
{
    const size_t length = at[0] < 0x80   ? 1
                          : at[0] < 0xC2 ? 0
                          : at[0] < 0xE0 ? 2
                          : at[0] < 0xF0 ? 3
                          : at[0] < 0xF5 ? 4
                                         : 0;
    for (size_t i = 1; i < length; i++)
        if ((at[i] & 0xC0) != 0x80)
            return 0;
    return length;
}

static void write_string(pod_text *text, const char *value)
{
    pod_text_append(text, "\"");
    for (const unsigned char *at = (const unsigned char *)value; *at;) {
        const size_t length = sequence(at);
        if (*at < 0x20)
            pod_text_format(text, "\\u%04x", *at);
        else if (*at == '"' || *at == '\\')
            pod_text_format(text, "\\%c", *at);
        else if (length == 0)
            pod_text_append(text, "\xEF\xBF\xBD");
        else
            pod_text_append_bytes(text, at, length);
        at += length ? length : 1;
    }
    pod_text_append(text, "\"");
}

static void flush(trace_writer *w)
{
    if (w->text.failed && w->status == POD_OK)
        w->status = pod_error_memory(w->error, "a trace", 0);
    if (w->status == POD_OK && w->text.length > 0)
        w->status = pod_format_writer_write(w->file, w->text.data, w->text.length, w->error);
    w->text.length = 0;
}

/* Begins an entry: what stands between it and the one before. */
static void begin(trace_writer *w, const char *type, const char *name, size_t line)
{
    if (w->text.length > FLUSH_BYTES)
        flush(w);
    pod_text_append(&w->text, w->first ? "\n" : ",\n");
    w->first = false;
    pod_text_format(&w->text, "{\"ph\":\"%s\",\"pid\":%d,\"tid\":%zu,\"name\":", type, PROCESS, line);
    write_string(&w->text, name);
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
    pod_text_append(&w->text, ",\"args\":{\"name\":");
    write_string(&w->text, name);
    pod_text_append(&w->text, "}}");
    begin(w, "M", "thread_sort_index", line);
    pod_text_format(&w->text, ",\"args\":{\"sort_index\":%zu}}", order);
}

/* What an instruction is of, and what it is: "dense_1: product". */
static void name_instruction(const pod_instruction_time *time, char *name, size_t size)
{
    snprintf(name, size, "%s%s%s%s%s", time->layer ? time->layer : "", time->layer ? ": " : "", time->kind,
             *time->name ? " " : "", time->name);
}

static const pod_instruction_time *instruction_of(const trace_writer *w, const pod_profile_event *event)
{
    if (event->kind != POD_EVENT_INSTRUCTION || event->program == 0 || event->program > w->facts.programs ||
        event->index >= pod_profile_get_program(w->profile, event->program - 1).instructions)
        return NULL;
    return &w->times[event->program - 1][event->index];
}

static void write_event(trace_writer *w, size_t lane, const pod_profile_event *event)
{
    static const char *const names[POD_EVENT_KINDS] = {
        [POD_EVENT_SPAN] = "span",       [POD_EVENT_STAGE] = "stage", [POD_EVENT_INSTRUCTION] = "instruction",
        [POD_EVENT_MEETING] = "meeting", [POD_EVENT_FEED] = "feed",   [POD_EVENT_RUN] = "run",
        [POD_EVENT_STEP] = "step",
    };
    char name[256];
    const pod_instruction_time *time = instruction_of(w, event);
    const bool is_step = event->kind == POD_EVENT_STEP;
    if ((unsigned)event->kind >= POD_EVENT_KINDS || event->began < w->facts.began || event->ended < event->began)
        return; /* of what was under way when the recording began */
    if (time)
        name_instruction(time, name, sizeof name);
    else if (is_step)
        snprintf(name, sizeof name, "step %llu", (unsigned long long)event->index);
    else
        snprintf(name, sizeof name, "%s",
                 event->name ? pod_profile_get_name(w->profile, event->name).text : names[event->kind]);
    begin(w, "X", name, is_step ? STEPS_LINE : lane + 1);
    pod_text_append(&w->text, ",\"cat\":");
    write_string(&w->text, is_step ? "step" : pod_profile_part_name(event->part));
    write_time(&w->text, "ts", event->began - w->facts.began);
    write_time(&w->text, "dur", event->ended - event->began);
    pod_text_format(&w->text, ",\"args\":{\"amount\":%llu", (unsigned long long)event->amount);
    if (event->program)
        pod_text_format(&w->text, ",\"program\":%u", event->program);
    if (time) {
        write_text_argument(&w->text, "layer", time->layer);
        write_text_argument(&w->text, "source", time->location);
        pod_text_append(&w->text, ",\"flops\":");
        pod_text_number(&w->text, time->flops);
        pod_text_format(&w->text, ",\"bytes\":%llu", (unsigned long long)time->bytes);
    }
    pod_text_append(&w->text, "}}");
}

static void write_lane(trace_writer *w, size_t lane)
{
    pod_profile_event events[BLOCK];
    size_t first = 0, got;
    while (w->status == POD_OK && (got = pod_profile_get_events(w->profile, lane, first, events, BLOCK)) > 0) {
        for (size_t i = 0; i < got; i++)
            write_event(w, lane, &events[i]);
        first += got;
    }
}

static void write_all(trace_writer *w)
{
    pod_text_format(
        &w->text, "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"events\":%llu,\"events_lost\":%llu},\"traceEvents\":[",
        (unsigned long long)w->facts.events, (unsigned long long)w->facts.events_lost);
    begin(w, "M", "process_name", STEPS_LINE);
    pod_text_append(&w->text, ",\"args\":{\"name\":\"moonpod\"}}");
    write_line(w, STEPS_LINE, "steps", 0);
    for (size_t i = 0; i < w->facts.lanes; i++) {
        const pod_profile_lane lane = pod_profile_get_lane(w->profile, i);
        char name[64];
        snprintf(name, sizeof name, "%s %u", lane.name, lane.number);
        write_line(w, i + 1, lane.number || i != w->facts.main_lane ? name : lane.name, i + 1);
    }
    for (size_t i = 0; i < w->facts.lanes; i++)
        write_lane(w, i);
    pod_text_append(&w->text, "\n]}\n");
    flush(w);
}

/* Takes what the instructions of each program are. */
static bool take_times(trace_writer *w)
{
    w->times = pod_allocate_zeroed(w->context, w->facts.programs + 1, sizeof *w->times);
    for (size_t i = 0; w->times && i < w->facts.programs; i++) {
        const size_t count = pod_profile_get_times(w->profile, i, NULL, 0);
        w->times[i] = pod_allocate_zeroed(w->context, count + 1, sizeof **w->times);
        if (!w->times[i])
            return false;
        (void)pod_profile_get_times(w->profile, i, w->times[i], count);
    }
    return w->times != NULL;
}

pod_status pod_profile_write_chrome(const pod_profile *profile, const char *path, pod_error *error)
{
    trace_writer w = {.context = pod_trace_context_of(profile),
                      .profile = profile,
                      .facts = pod_profile_get_facts(profile),
                      .first = true,
                      .error = error};
    pod_text_init(&w.text, w.context);
    w.status = take_times(&w) ? POD_OK : pod_error_memory(error, "a trace", 0);
    if (w.status == POD_OK)
        w.status = pod_format_writer_open(w.context, path, POD_COMPRESSION_NONE, &w.file, error);
    if (w.status == POD_OK) {
        write_all(&w);
        if (w.status == POD_OK)
            w.status = pod_format_writer_commit(w.file, error);
        else
            pod_format_writer_abandon(w.file);
    }
    pod_text_clear(&w.text);
    for (size_t i = 0; w.times && i < w.facts.programs; i++)
        pod_free(w.context, w.times[i]);
    pod_free(w.context, w.times);
    return w.status;
}
