/* out_of_memory - the error of 2021. The format is XLA's, line by line. */

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "advisor/out_of_memory.h"

#include "graph/ops.h"

static void row(pod_text *text, const char *name, int64_t bytes)
{
    char size[POD_BYTES_TEXT_SIZE];
    pod_text_format(text, "    %-13s%10s", name, pod_bytes_format(bytes, size));
}

static void used_line(pod_text *text, int64_t used, int64_t limit)
{
    pod_text_append(text, "Used ");
    pod_advise_text_bytes(text, used);
    pod_text_append(text, " of ");
    pod_advise_text_bytes(text, limit);
    pod_text_append(text, " hbm.");
    if (used > limit) {
        pod_text_append(text, " Exceeded hbm capacity by ");
        pod_advise_text_bytes(text, used - limit);
        pod_text_append(text, ".");
    }
}

static void print_allocation(pod_text *text, size_t number, const pod_oom_allocation *entry)
{
    pod_text_format(text, "  %zu. Size: ", number);
    pod_advise_text_bytes(text, entry->bytes.padded);
    pod_text_append(text, "\n");
    if (entry->op_name && entry->op_type)
        pod_text_format(text, "     Operator: op_type=\"%s\" op_name=\"%s\"\n", entry->op_type, entry->op_name);
    if (entry->shape)
        pod_text_format(text, "     Shape: %s\n", entry->shape);
    pod_text_append(text, "     Unpadded size: ");
    pod_advise_text_bytes(text, entry->bytes.unpadded);
    pod_text_append(text, "\n");
    if (entry->bytes.padded > entry->bytes.unpadded) {
        char ratio[POD_BYTES_TEXT_SIZE];
        pod_text_append(text, "     Extra memory due to padding: ");
        pod_advise_text_bytes(text, entry->bytes.padded - entry->bytes.unpadded);
        pod_text_format(text, " (%s expansion)\n", pod_expansion_format(&entry->bytes, ratio));
    }
    if (entry->label)
        pod_text_format(text, "     XLA label: %s\n", entry->label);
    if (entry->type)
        pod_text_format(text, "     Allocation type: %s\n", entry->type);
    pod_text_append(text, "     ==========================\n\n");
}

pod_status pod_advise_oom_2021(pod_context *context, const pod_oom_2021 *numbers, char **result, pod_error *error)
{
    pod_text text;
    const int64_t program = numbers->global_bytes + numbers->scoped_bytes + numbers->temp_bytes;
    const int64_t used = program + numbers->argument_bytes + numbers->output_bytes - numbers->shared_bytes;
    pod_text_init(&text, context);
    if (used > numbers->limit_bytes)
        pod_text_append(&text, "Ran out of memory in memory space hbm. ");
    used_line(&text, used, numbers->limit_bytes);
    pod_text_append(&text, "\n\nTotal hbm usage >= ");
    pod_advise_text_bytes(&text, used + numbers->reserved_bytes);
    pod_text_append(&text, ":\n");
    row(&text, "reserved", numbers->reserved_bytes);
    pod_text_append(&text, "\n");
    row(&text, "program", program);
    pod_text_append(&text, "\n");
    row(&text, "arguments", numbers->argument_bytes);
    pod_text_append(&text, "\n\nOutput size ");
    pod_advise_text_bytes(&text, numbers->output_bytes);
    pod_text_append(&text, "; shares ");
    pod_advise_text_bytes(&text, numbers->shared_bytes);
    pod_text_append(&text, " with arguments.\n\nProgram hbm requirement ");
    pod_advise_text_bytes(&text, program);
    pod_text_append(&text, ":\n");
    row(&text, "global", numbers->global_bytes);
    pod_text_append(&text, "\n");
    row(&text, "scoped", numbers->scoped_bytes);
    pod_text_append(&text, "\n");
    row(&text, "HLO temp", numbers->temp_bytes);
    pod_text_append(&text, " (");
    pod_advise_text_percent(&text, numbers->peak.unpadded, numbers->peak.padded);
    pod_text_append(&text, " utilization: Unpadded (");
    pod_advise_text_bytes(&text, numbers->peak.unpadded);
    pod_text_append(&text, ") Padded (");
    pod_advise_text_bytes(&text, numbers->peak.padded);
    pod_text_append(&text, "), ");
    pod_advise_text_percent(&text, numbers->temp_bytes - numbers->peak.padded, numbers->temp_bytes);
    pod_text_append(&text, " fragmentation (");
    pod_advise_text_bytes(&text, numbers->temp_bytes - numbers->peak.padded);
    pod_text_append(&text, "))\n\n  Largest program allocations in hbm:\n\n");
    for (size_t i = 0; i < numbers->allocation_count; i++)
        print_allocation(&text, i + 1, &numbers->allocations[i]);
    return pod_advise_text_finish(&text, result, error);
}

/* ---- from facts ------------------------------------------------------------------------------------ */

/* Texts of an entry, in one block. */
typedef struct texts {
    char op_type[64], op_name[256], shape[POD_ARRAY_TYPE_TEXT_SIZE];
    char label[POD_ARRAY_TYPE_TEXT_SIZE + 768];
} texts;

/* "dot_general" -> "DotGeneral", as TensorFlow names its ops. */
static void camel_case(const char *name, size_t length, char *to, size_t size)
{
    size_t count = 0;
    bool upper = true;
    for (size_t i = 0; i < length && count + 1 < size; i++) {
        if (name[i] == '_' || name[i] == '.') {
            upper = true;
            continue;
        }
        to[count++] = upper ? (char)toupper((unsigned char)name[i]) : name[i];
        upper = false;
    }
    to[count] = '\0';
}

/* Functions of the API that are known by the names of TensorFlow's ops: their nodes' scope ends so. */
static bool names_an_op(const char *scope)
{
    const char *last = strrchr(scope, '/');
    return strcmp(last ? last + 1 : scope, "one_hot") == 0;
}

static void describe_operator(const pod_tpu_buffer *buffer, texts *to)
{
    if (buffer->scope && names_an_op(buffer->scope)) {
        const char *last = strrchr(buffer->scope, '/');
        last = last ? last + 1 : buffer->scope;
        camel_case(last, strlen(last), to->op_type, sizeof to->op_type);
        snprintf(to->op_name, sizeof to->op_name, "%s", buffer->scope);
        return;
    }
    camel_case(buffer->op, strlen(buffer->op), to->op_type, sizeof to->op_type);
    snprintf(to->op_name, sizeof to->op_name, "%s%s%s", buffer->scope ? buffer->scope : "", buffer->scope ? "/" : "",
             buffer->op);
}

/* What XLA writes behind an op's operands: the axis that an iota counts along. */
static void describe_attributes(const pod_memory_facts *facts, const pod_tpu_buffer *buffer, char text[40])
{
    const pod_node *node = facts->graph ? pod_graph_get_node(facts->graph, buffer->node) : NULL;
    text[0] = '\0';
    if (node && strcmp(buffer->op, "iota") == 0 &&
        strcmp(pod_op_stablehlo_name(pod_node_describe(node).op), "iota") == 0)
        snprintf(text, 40, ", iota_dimension=%d", (int)pod_node_describe(node).attributes->axis);
}

static pod_oom_allocation describe(const pod_memory_facts *facts, const pod_tpu_buffer *buffer, texts *to)
{
    char attributes[40];

    describe_operator(buffer, to);
    pod_array_type_format(&buffer->type, to->shape);
    describe_attributes(facts, buffer, attributes);
    snprintf(to->label, sizeof to->label, "%%%s = %s %s()%s, metadata={op_type=\"%s\" op_name=\"%s\"}", buffer->name,
             to->shape, buffer->op, attributes, to->op_type, to->op_name);
    return (pod_oom_allocation){.bytes = buffer->bytes,
                                .op_type = to->op_type,
                                .op_name = to->op_name,
                                .shape = to->shape,
                                .label = to->label,
                                .type = buffer->use == POD_TPU_CONSTANT ? "Constant" : "HLO temp"};
}

/* Leaves arguments and outputs out: they are no allocations of the program. */
static size_t keep_program(const pod_memory_facts *facts, size_t *indices, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        const pod_tpu_use use = facts->buffers[indices[i]]->use;
        if (use == POD_TPU_TEMPORARY || use == POD_TPU_CONSTANT)
            indices[kept++] = indices[i];
    }
    return kept;
}

pod_status pod_advise_out_of_memory_2021(pod_context *context, const pod_memory_facts *facts,
                                         const pod_memory_options *options, char **text, pod_error *error)
{
    const pod_tpu_memory *memory = &facts->memory;
    size_t count;
    size_t *indices = pod_memory_indices(context, facts, memory->peak_step, POD_MEMORY_BY_SIZE, &count);
    count = indices ? keep_program(facts, indices, count) : 0;
    const size_t shown = count < options->largest ? count : options->largest;
    pod_oom_allocation *entries = pod_allocate(context, (shown + 1) * sizeof *entries);
    texts *lines = pod_allocate(context, (shown + 1) * sizeof *lines);
    pod_status status = POD_OK;
    if (indices && entries && lines) {
        for (size_t i = 0; i < shown; i++)
            entries[i] = describe(facts, facts->buffers[indices[i]], &lines[i]);
        const pod_oom_2021 numbers = {.limit_bytes = memory->limit_bytes,
                                      .reserved_bytes = memory->reserved_bytes,
                                      .argument_bytes = memory->argument_bytes,
                                      .output_bytes = memory->output_bytes,
                                      .shared_bytes = memory->alias_bytes,
                                      .temp_bytes = memory->temp_bytes,
                                      .peak = memory->peak,
                                      .allocations = entries,
                                      .allocation_count = shown};
        status = pod_advise_oom_2021(context, &numbers, text, error);
    } else {
        status = pod_error_memory(error, "a report", shown * sizeof *lines);
    }
    pod_free(context, indices);
    pod_free(context, entries);
    pod_free(context, lines);
    return status;
}
