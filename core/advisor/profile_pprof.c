/* profile_pprof - a profile as pprof's profile.proto: see moonpod/profile.h.
 *
 * Each frame of a stack is a function with a location of the same number. Strings are written when they are first met,
 * each as a field of its own, so that nothing but the table of frames is kept. */

#include "advisor/profile_output.h"
#include "base/arena.h"
#include "formats/protobuf.h"
#include "trace/recorder.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of fields. */
enum { SAMPLE_TYPE = 1, SAMPLE = 2, LOCATION = 4, FUNCTION = 5, STRING = 6, DURATION = 10, DEFAULT_TYPE = 14 };

enum { TYPES = 4, DEEP = 24, TEXT = 512 };

typedef struct frame {
    const char *name, *file; /* of the arena */
    int64_t line;
    uint32_t number;
} frame;

typedef struct pprof_writer {
    pod_arena arena; /* of the frames' texts */
    pod_advise_output *output;
    pod_text *text;
    int64_t strings; /* written; the first is "" */
    frame *frames;   /* a hash table; `capacity` is a power of 2 */
    size_t capacity, used;
    uint64_t stack[DEEP]; /* of the sample that is being made, the leaf first */
    int depth;
} pprof_writer;

static int64_t put_string(pprof_writer *w, const char *value)
{
    char clean[TEXT];
    if (w->strings > 0 && !*value)
        return 0;
    pod_advise_output_clean(value, clean, sizeof clean);
    pod_format_put_text(w->text, STRING, clean);
    return w->strings++;
}

static uint64_t hash_of(const char *text, uint64_t hash)
{
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 1099511628211u;
    return hash;
}

/* Writes a message whose fields 1, 2, .. are numbers. */
static void put_numbers(pprof_writer *w, unsigned field, const int64_t *numbers, unsigned count)
{
    const size_t message = pod_format_open_message(w->text, field);
    for (unsigned i = 0; i < count; i++)
        pod_format_put_integer(w->text, i + 1, numbers[i]);
    pod_format_close_message(w->text, message);
}

static void write_frame(pprof_writer *w, const frame *one)
{
    const int64_t name = put_string(w, one->name), file = put_string(w, one->file);
    put_numbers(w, FUNCTION, (int64_t[]){one->number, name, name, file, one->line}, 5);
    const size_t location = pod_format_open_message(w->text, LOCATION);
    pod_format_put_integer(w->text, 1, one->number);
    put_numbers(w, 4, (int64_t[]){one->number, one->line}, 2);
    pod_format_close_message(w->text, location);
}

/* Adds a frame to the stack. */
static void push(pprof_writer *w, const char *name, const char *file, int64_t line)
{
    size_t at = (size_t)hash_of(file, hash_of(name, 14695981039346656037u ^ (uint64_t)line)) & (w->capacity - 1);
    while (w->frames[at].name && (strcmp(w->frames[at].name, name) != 0 || strcmp(w->frames[at].file, file) != 0 ||
                                  w->frames[at].line != line))
        at = (at + 1) & (w->capacity - 1);
    if (!w->frames[at].name) {
        const frame added = {pod_arena_string(&w->arena, name), pod_arena_string(&w->arena, file), line,
                             (uint32_t)w->used + 1};
        if (!added.name || !added.file || w->used == w->capacity / 2) {
            w->text->failed = true;
            return;
        }
        w->frames[at] = added;
        w->used++;
        write_frame(w, &added);
    }
    assert(w->frames[at].number > 0 && w->frames[at].number <= w->used && 2 * w->used <= w->capacity);
    if (w->depth < DEEP)
        w->stack[w->depth++] = w->frames[at].number;
}

/* Adds the line of a source, "train.lua:12", as a frame. */
static void push_line(pprof_writer *w, const char *location)
{
    const char *colon = location ? strrchr(location, ':') : NULL;
    char file[TEXT];
    if (!location || !*location)
        return;
    snprintf(file, sizeof file, "%.*s", colon ? (int)(colon - location) : (int)strlen(location), location);
    push(w, location, file, colon ? strtoll(colon + 1, NULL, 10) : 0);
}

/* Writes what was done on the stack, which is empty again. */
static void put_sample(pprof_writer *w, const int64_t values[TYPES])
{
    const size_t sample = pod_format_open_message(w->text, SAMPLE);
    for (int i = 0; i < w->depth; i++)
        pod_format_put_integer(w->text, 1, (int64_t)w->stack[i]);
    for (int i = 0; i < TYPES; i++)
        pod_format_put_integer(w->text, 2, values[i]);
    pod_format_close_message(w->text, sample);
    w->depth = 0;
    pod_advise_output_flush(w->output, false);
}

static void write_program(pprof_writer *w, size_t number)
{
    const pod_profile_program program = pod_profile_get_program(w->output->profile, number);
    const pod_instruction_time *times = w->output->times[number];
    const double steps = (double)program.steps;
    for (size_t i = 0; i < program.instructions; i++) {
        const pod_instruction_time *one = &times[i];
        char name[TEXT];
        if (one->nanoseconds == 0 && one->runs == 0)
            continue;
        snprintf(name, sizeof name, "%s%s%s", one->kind, *one->name ? " " : "", one->name);
        push(w, name, "", 0);
        snprintf(name, sizeof name, "layer %s", one->layer ? one->layer : "");
        if (one->layer)
            push(w, name, "", 0);
        push_line(w, one->location);
        put_sample(w, (int64_t[TYPES]){(int64_t)one->runs, (int64_t)one->nanoseconds, (int64_t)(one->flops * steps),
                                       (int64_t)((double)one->bytes * steps)});
    }
    if (program.waiting == 0)
        return;
    push(w, "waiting for other threads", "", 0);
    put_sample(w, (int64_t[TYPES]){(int64_t)program.steps, (int64_t)program.waiting});
}

/* A stage is called by those that it feeds: Iterator::Prefetch::Batch by Iterator::Prefetch. */
static void write_name(pprof_writer *w, size_t number)
{
    const pod_profile_name one = pod_profile_get_name(w->output->profile, number);
    char text[TEXT];
    if (one.calls == 0 && one.self == 0)
        return;
    snprintf(text, sizeof text, "%s", one.text);
    push(w, text, "", 0);
    for (char *end; w->depth < DEEP && (end = strrchr(text, ':')) && end > text && end[-1] == ':';) {
        end[-1] = '\0';
        if (strchr(text, ':'))
            push(w, text, "", 0);
    }
    put_sample(w, (int64_t[TYPES]){(int64_t)one.calls, (int64_t)one.self});
}

static void put_type(pprof_writer *w, const char *type, const char *unit, bool is_default)
{
    const int64_t type_text = put_string(w, type), unit_text = put_string(w, unit);
    put_numbers(w, SAMPLE_TYPE, (int64_t[]){type_text, unit_text}, 2);
    if (is_default)
        pod_format_put_integer(w->text, DEFAULT_TYPE, type_text);
}

static void write_all(pod_advise_output *output, void *own)
{
    pprof_writer *w = own;
    size_t most = DEEP * output->facts.names;
    w->output = output;
    w->text = &output->text;
    for (size_t i = 0; i < output->facts.programs; i++)
        most += 3 * pod_profile_get_program(output->profile, i).instructions + 1;
    for (w->capacity = 64; w->capacity < 2 * most + DEEP; w->capacity *= 2) {
    }
    assert((w->capacity & (w->capacity - 1)) == 0);
    w->frames = pod_allocate_zeroed(output->context, w->capacity, sizeof *w->frames);
    if (!w->frames) {
        output->text.failed = true;
        return;
    }
    (void)put_string(w, "");
    put_type(w, "count", "count", false);
    put_type(w, "time", "nanoseconds", true);
    put_type(w, "flops", "count", false);
    put_type(w, "traffic", "bytes", false);
    pod_format_put_integer(w->text, DURATION, (int64_t)(output->facts.ended - output->facts.began));
    for (size_t i = 0; i < output->facts.programs; i++)
        write_program(w, i);
    for (size_t i = 1; i < output->facts.names; i++)
        write_name(w, i);
}

pod_status pod_profile_write_pprof(const pod_profile *profile, const char *path, pod_error *error)
{
    pprof_writer w = {0};
    pod_context *context = pod_trace_context_of(profile);
    pod_arena_init(&w.arena, context);
    const pod_status status = pod_advise_output_file(profile, path, POD_COMPRESSION_GZIP, write_all, &w, error);
    pod_arena_clear(&w.arena);
    pod_free(context, w.frames);
    return status;
}
