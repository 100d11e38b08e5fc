/* memory_report - the report of today: bytes by kind, the verdict, the largest buffers. */

#include <string.h>

#include "advisor/advisor.h"

/* A line of the table, whose end is `more`; with what the plan says, where that is another's answer. */
static void line(pod_text *text, const char *name, int64_t bytes, const int64_t *planned, const char *more)
{
    char size[POD_BYTES_TEXT_SIZE];
    pod_text_format(text, "  %-12s %9s", name, pod_bytes_format(bytes, size));
    if (planned)
        pod_text_format(text, "  planned %s", pod_bytes_format(*planned, size));
    pod_text_append(text, more);
}

static void print_table(pod_text *text, const pod_memory_facts *facts)
{
    const pod_tpu_memory *memory = &facts->memory;
    const bool by_kind = facts->compiled && facts->compiled->fits;
    const pod_tpu_memory *plan = facts->compiled ? &facts->planned : memory;
    char ratio[POD_BYTES_TEXT_SIZE];
    line(text, "arguments", memory->argument_bytes, by_kind ? &plan->argument_bytes : NULL, "\n");
    line(text, "outputs", memory->output_bytes, by_kind ? &plan->output_bytes : NULL, "\n");
    line(text, "aliased", -memory->alias_bytes, NULL,
         memory->alias_bytes > 0 ? "  outputs in the place of arguments\n" : "\n");
    line(text, "temporaries", memory->temp_bytes, by_kind ? &plan->temp_bytes : NULL, "");
    if (memory->peak.padded > 0) {
        pod_advise_text_filled(text, "  unpadded $, padded $", (int64_t[]){memory->peak.unpadded, memory->peak.padded});
        pod_text_format(text, " (%s)", pod_expansion_format(&memory->peak, ratio));
        pod_advise_text_filled(text, ", fragmentation $ (", &memory->fragmentation_bytes);
        pod_advise_text_percent(text, memory->fragmentation_bytes, plan->temp_bytes);
        pod_text_append(text, ")");
    }
    pod_text_append(text, "\n");
    if (memory->on_chip_bytes > 0)
        pod_advise_text_filled(text, "  and $ on the chip itself, which cost no HBM\n", &memory->on_chip_bytes);
    line(text, "need", memory->need_bytes, facts->compiled ? &plan->need_bytes : NULL, "\n");
    line(text, "limit", memory->limit_bytes, NULL, "\n");
}

pod_status pod_memory_verdict(pod_context *context, const pod_memory_facts *facts, char **result, pod_error *error)
{
    pod_text text;
    pod_text_init(&text, context);
    pod_advise_text_verdict(&text, facts);
    return pod_advise_text_finish(&text, result, error);
}

const char *pod_memory_reason(const pod_memory_facts *facts, const pod_tpu_buffer *buffer,
                              char text[POD_LAYOUT_REASON_SIZE])
{
    const pod_array_type *type = &buffer->type;
    pod_layout usual;
    pod_error error;
    bool own =
        pod_layout_choose(facts->chip, type->element, &type->shape, POD_LAYOUT_COMPACT, &usual, &error) == POD_OK &&
        type->layout.rank == usual.rank &&
        memcmp(usual.minor_to_major, type->layout.minor_to_major, (size_t)usual.rank * sizeof *usual.minor_to_major) ==
            0;
    return pod_layout_reason(facts->chip, type->element, &type->shape, POD_LAYOUT_COMPACT,
                             own ? NULL : "as its op asks for", &type->layout, text);
}

static void print_buffer(pod_text *text, const pod_memory_facts *facts, size_t number, const pod_tpu_buffer *buffer)
{
    char type[POD_ARRAY_TYPE_TEXT_SIZE], size[POD_BYTES_TEXT_SIZE], reason[POD_LAYOUT_REASON_SIZE];
    pod_text_format(text, "  %2zu. %8s  %s  %s\n", number, pod_bytes_format(buffer->bytes.padded, size),
                    pod_array_type_format(&buffer->type, type), buffer->name);
    if (buffer->bytes.padded > buffer->bytes.unpadded) {
        pod_advise_text_filled(text, "      unpadded $, padding $",
                               (int64_t[]){buffer->bytes.unpadded, buffer->bytes.padded - buffer->bytes.unpadded});
        pod_text_format(text, " (%s)\n", pod_expansion_format(&buffer->bytes, type));
    }
    const char *argument = pod_memory_argument_name(facts, buffer);
    if (buffer->use == POD_TPU_ARGUMENT)
        pod_text_format(text, "      argument %s", argument ? argument : "without a name");
    else
        pod_text_format(text, "      %s of %s", pod_advise_use_name(buffer->use), buffer->op);
    if (buffer->scope && buffer->use != POD_TPU_ARGUMENT)
        pod_text_format(text, " in %s", buffer->scope);
    if (buffer->location && buffer->use != POD_TPU_ARGUMENT)
        pod_text_format(text, " at %s", buffer->location);
    if (buffer->use == POD_TPU_TEMPORARY) {
        pod_text_format(text, ", steps %d to %d", (int)buffer->first_step + 1, (int)buffer->last_step + 1);
        if (pod_memory_lives(facts, buffer, facts->memory.peak_step))
            pod_text_append(text, ", lives at the peak");
    }
    pod_text_format(text, "\n      layout: %s\n", pod_memory_reason(facts, buffer, reason));
}

static pod_status report_today(pod_context *context, const pod_memory_facts *facts, const pod_memory_options *options,
                               char **result, pod_error *error)
{
    pod_text text;
    size_t count;
    pod_memory_entry *entries = pod_memory_entries(context, facts, -1, POD_MEMORY_BY_SIZE, &count);
    if (!entries)
        return pod_error_memory(error, "a report", facts->buffer_count * sizeof *entries);
    pod_text_init(&text, context);
    const char *what = facts->chip->devices < facts->chip->cores ? "device (all cores of a chip)" : "core";
    if (facts->certainty.devices > 0)
        pod_text_format(&text, "memory of %s on each of %d devices of %s\n  ", facts->name,
                        (int)facts->certainty.devices, facts->chip->product);
    else
        pod_text_format(&text, "memory of %s on a %s of %s\n  ", facts->name, what, facts->chip->product);
    pod_advise_text_verdict(&text, facts);
    pod_text_append(&text, "\n");
    print_table(&text, facts);
    const size_t shown = count < options->largest ? count : options->largest;
    if (shown > 0)
        pod_text_format(&text, "\nlargest buffers (%zu of %zu)\n", shown, count);
    for (size_t i = 0; i < shown; i++)
        print_buffer(&text, facts, i + 1, entries[i].buffer);
    pod_free(context, entries);
    return pod_advise_text_finish(&text, result, error);
}

pod_status pod_memory_report(pod_context *context, const pod_memory_facts *facts, pod_memory_form form,
                             const pod_memory_options *options, char **text, pod_error *error)
{
    *text = NULL;
    const pod_memory_options given = pod_memory_defaults(options);
    switch (form) {
    case POD_MEMORY_TODAY:
        return report_today(context, facts, &given, text, error);
    case POD_MEMORY_ERROR:
        return pod_advise_out_of_memory(context, facts, &given, text, error);
    }
    return pod_error_set(error, POD_ERROR_ARGUMENT, "there is no form %d of a memory report", (int)form);
}
