/* profile_output - see profile_output.h. */

#include "advisor/profile_output.h"
#include "formats/protobuf.h"
#include "trace/recorder.h"

#include <stdio.h>
#include <string.h>

#define FLUSH_BYTES ((size_t)1 << 16)

void pod_advise_output_flush(pod_advise_output *output, bool all)
{
    if (output->text.length < FLUSH_BYTES && !all)
        return;
    if (output->text.failed && output->status == POD_OK)
        output->status = pod_error_memory(output->error, "a profile's file", 0);
    if (output->status == POD_OK && output->text.length > 0)
        output->status = pod_format_writer_write(output->file, output->text.data, output->text.length, output->error);
    output->text.length = 0;
}

/* Takes what the instructions of each program are. */
static bool take_times(pod_advise_output *output)
{
    output->times = pod_allocate_zeroed(output->context, output->facts.programs + 1, sizeof *output->times);
    for (size_t i = 0; output->times && i < output->facts.programs; i++) {
        const size_t count = pod_profile_get_times(output->profile, i, NULL, 0);
        output->times[i] = pod_allocate_zeroed(output->context, count + 1, sizeof **output->times);
        if (!output->times[i])
            return false;
        (void)pod_profile_get_times(output->profile, i, output->times[i], count);
    }
    return output->times != NULL;
}

pod_status pod_advise_output_file(const pod_profile *profile, const char *path, pod_compression compression,
                                  void (*write)(pod_advise_output *output, void *own), void *own, pod_error *error)
{
    pod_advise_output output = {.context = pod_trace_context_of(profile),
                                .profile = profile,
                                .facts = pod_profile_get_facts(profile),
                                .error = error};
    pod_text_init(&output.text, output.context);
    output.status = take_times(&output) ? POD_OK : pod_error_memory(error, "a profile's file", 0);
    if (output.status == POD_OK)
        output.status = pod_format_writer_open(output.context, path, compression, &output.file, error);
    if (output.status == POD_OK) {
        write(&output, own);
        pod_advise_output_flush(&output, true);
        if (output.status == POD_OK)
            output.status = pod_format_writer_commit(output.file, error);
        else
            pod_format_writer_abandon(output.file);
    }
    pod_text_clear(&output.text);
    for (size_t i = 0; output.times && i < output.facts.programs; i++)
        pod_free(output.context, output.times[i]);
    pod_free(output.context, output.times);
    return output.status;
}

const pod_instruction_time *pod_advise_output_instruction(const pod_advise_output *output,
                                                          const pod_profile_event *event)
{
    if (event->kind != POD_EVENT_INSTRUCTION || event->program == 0 || event->program > output->facts.programs ||
        event->index >= pod_profile_get_program(output->profile, event->program - 1).instructions)
        return NULL;
    return &output->times[event->program - 1][event->index];
}

void pod_advise_output_name(const pod_instruction_time *time, char *name, size_t size)
{
    snprintf(name, size, "%s%s%s%s%s", time->layer ? time->layer : "", time->layer ? ": " : "", time->kind,
             *time->name ? " " : "", time->name);
}

void pod_advise_output_lane(const pod_advise_output *output, size_t lane, char *name, size_t size)
{
    const pod_profile_lane one = pod_profile_get_lane(output->profile, lane);
    if (one.number || lane != output->facts.main_lane)
        snprintf(name, size, "%s %u", one.name, one.number);
    else
        snprintf(name, size, "%s", one.name);
}

bool pod_advise_output_event(const pod_advise_output *output, const pod_profile_event *event, char *name, size_t size)
{
    static const char *const names[POD_EVENT_KINDS] = {
        [POD_EVENT_SPAN] = "span",       [POD_EVENT_STAGE] = "stage", [POD_EVENT_INSTRUCTION] = "instruction",
        [POD_EVENT_BARRIER] = "barrier", [POD_EVENT_FEED] = "feed",   [POD_EVENT_RUN] = "run",
        [POD_EVENT_STEP] = "step",
    };
    const pod_instruction_time *time = pod_advise_output_instruction(output, event);
    if ((unsigned)event->kind >= POD_EVENT_KINDS || event->began < output->facts.began || event->ended < event->began)
        return false;
    if (time)
        pod_advise_output_name(time, name, size);
    else if (event->kind == POD_EVENT_STEP)
        snprintf(name, size, "step %llu", (unsigned long long)event->index);
    else
        snprintf(name, size, "%s",
                 event->name ? pod_profile_get_name(output->profile, event->name).text : names[event->kind]);
    return true;
}

void pod_advise_output_clean(const char *text, char *clean, size_t size)
{
    size_t used = 0, left = strlen(text);
    for (const unsigned char *at = (const unsigned char *)text; left > 0 && used + 5 < size;) {
        const size_t length = pod_text_utf8_length(at, left), taken = length ? length : 1;
        memcpy(clean + used, length ? (const char *)at : "\xEF\xBF\xBD", length ? length : 3);
        used += length ? length : 3;
        at += taken;
        left -= taken;
    }
    clean[used] = '\0';
}

void pod_advise_output_put_clean(pod_text *to, unsigned field, const char *text)
{
    char clean[512];
    pod_advise_output_clean(text, clean, sizeof clean);
    pod_format_put_text(to, field, clean);
}
