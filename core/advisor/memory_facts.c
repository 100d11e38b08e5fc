/* memory_facts - a plan as reports see it: who takes HBM when. */

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "advisor/advisor.h"
#include "tpu/certainty.h"

pod_status pod_memory_facts_new(pod_context *context, const pod_tpu_plan *plan, const pod_graph *graph,
                                const char *name, pod_memory_facts **facts, pod_error *error)
{
    *facts = NULL;
    if (!name)
        name = "program";
    const size_t buffers = pod_tpu_plan_buffer_count(plan), steps = pod_tpu_plan_step_count(plan);
    /* one block: the struct, the two arrays of pointers, the name */
    const size_t size = sizeof(pod_memory_facts) + (buffers + steps) * sizeof(void *) + strlen(name) + 1;
    pod_memory_facts *made = pod_allocate(context, size);
    if (!made)
        return pod_error_memory(error, "a memory report", size);
    const pod_tpu_buffer **buffer_list = (const pod_tpu_buffer **)(made + 1);
    const pod_tpu_step **step_list = (const pod_tpu_step **)(buffer_list + buffers);
    char *copy = (char *)(step_list + steps);
    for (size_t i = 0; i < buffers; i++)
        buffer_list[i] = pod_tpu_plan_buffer(plan, i);
    for (size_t i = 0; i < steps; i++)
        step_list[i] = pod_tpu_plan_step(plan, i);
    assert(copy + strlen(name) + 1 == (char *)made + size);
    strcpy(copy, name);
    *made = (pod_memory_facts){.name = copy,
                               .chip = pod_tpu_plan_chip(plan),
                               .memory = *pod_tpu_plan_memory(plan),
                               .certainty = *pod_tpu_plan_certainty(plan),
                               .verdict = pod_tpu_plan_verdict(plan),
                               .buffers = buffer_list,
                               .buffer_count = buffers,
                               .steps = step_list,
                               .step_count = steps,
                               .graph = graph};
    *facts = made;
    return POD_OK;
}

void pod_memory_facts_free(pod_context *context, pod_memory_facts *facts)
{
    pod_free(context, facts);
}

void pod_memory_facts_use_compiled(pod_memory_facts *facts, const pod_compiled_memory *compiled)
{
    pod_tpu_memory *memory = &facts->memory;
    facts->planned = *memory;
    facts->compiled = compiled;
    facts->verdict = compiled->fits ? POD_TPU_FITS : POD_TPU_DOES_NOT_FIT;
    memory->need_bytes = compiled->need;
    if (!compiled->fits)
        return; /* it tells no kinds then */
    memory->argument_bytes = compiled->arguments;
    memory->output_bytes = compiled->outputs;
    memory->alias_bytes = compiled->aliases;
    memory->temp_bytes = compiled->temporaries;
}

const char *pod_memory_argument_name(const pod_memory_facts *facts, const pod_tpu_buffer *buffer)
{
    if (!facts->graph || buffer->use != POD_TPU_ARGUMENT)
        return NULL;
    const pod_node *node = pod_graph_get_node(facts->graph, buffer->node);
    return node ? pod_node_describe(node).attributes->name : NULL;
}

/* Returns whether a buffer has HBM of its own. */
static bool takes_memory(const pod_tpu_buffer *buffer)
{
    return !buffer->on_chip && buffer->alias < 0 && buffer->bytes.padded > 0;
}

pod_layout_bytes pod_memory_held(const pod_memory_facts *facts)
{
    const pod_tpu_memory *memory = &facts->memory;
    pod_layout_bytes sum = {0, memory->argument_bytes + memory->output_bytes - memory->alias_bytes};
    for (size_t i = 0; i < facts->buffer_count; i++) {
        const pod_tpu_buffer *buffer = facts->buffers[i];
        if (takes_memory(buffer) && (buffer->use == POD_TPU_ARGUMENT || buffer->use == POD_TPU_OUTPUT))
            sum.unpadded += buffer->bytes.unpadded;
    }
    return sum;
}

bool pod_memory_lives(const pod_memory_facts *facts, const pod_tpu_buffer *buffer, int32_t step)
{
    (void)facts;
    if (!takes_memory(buffer))
        return false;
    if (step < 0 || buffer->use != POD_TPU_TEMPORARY)
        return true;
    return buffer->first_step <= step && step <= buffer->last_step;
}

static int compare_entries(const void *a, const void *b)
{
    const pod_memory_entry *one = a, *other = b;
    if (one->bytes != other->bytes)
        return one->bytes > other->bytes ? -1 : 1;
    return one->index < other->index ? -1 : one->index > other->index;
}

pod_memory_entry *pod_memory_entries(pod_context *context, const pod_memory_facts *facts, int32_t step,
                                     pod_memory_order order, size_t *count)
{
    pod_memory_entry *entries = pod_allocate(context, (facts->buffer_count + 1) * sizeof *entries);
    *count = 0;
    for (size_t i = 0; entries && i < facts->buffer_count; i++) {
        const pod_tpu_buffer *buffer = facts->buffers[i];
        const int64_t less = order == POD_MEMORY_BY_PADDING ? buffer->bytes.unpadded : 0;
        if (pod_memory_lives(facts, buffer, step))
            entries[(*count)++] = (pod_memory_entry){buffer, buffer->bytes.padded - less, i};
    }
    if (entries)
        qsort(entries, *count, sizeof *entries, compare_entries);
    return entries;
}

/* ---- words that all reports share ---------------------------------------------------------------- */

const char *pod_advise_use_name(pod_tpu_use use)
{
    static const char *const names[] = {"argument", "output", "temporary", "constant"};
    return names[use];
}

const char *pod_advise_verdict_text(pod_tpu_verdict verdict)
{
    static const char *const texts[] = {"fits", "does not fit", "cannot say"};
    return texts[verdict];
}

pod_memory_options pod_memory_defaults(const pod_memory_options *options)
{
    pod_memory_options given = options ? *options : (pod_memory_options){0};
    if (given.largest == 0)
        given.largest = 10;
    if (given.width <= 0)
        given.width = 100;
    if (given.height <= 0)
        given.height = 16;
    return given;
}

void pod_advise_text_percent(pod_text *text, int64_t part, int64_t whole)
{
    /* in tenths, rounded to nearest */
    const int64_t share = whole > 0 ? (int64_t)((double)part / (double)whole * 1000.0 + 0.5) : 0;
    pod_text_format(text, "%lld.%lld%%", (long long)(share / 10), (long long)(share % 10));
}

void pod_advise_text_filled(pod_text *text, const char *pattern, const int64_t *numbers)
{
    char size[POD_BYTES_TEXT_SIZE];
    for (; *pattern; pattern++) {
        if (*pattern == '$')
            pod_text_append(text, pod_bytes_format(*numbers++, size));
        else
            pod_text_append_bytes(text, pattern, 1);
    }
}

/* "44.1% less to 56.5% more is allowed for, as nine of ten programs that were new to their plans needed (attention,
 * loops: 12 kept, off by 18.0% at most), and 128.00M that may lie near the cores". */
static void append_margin(pod_text *text, const pod_tpu_certainty *certainty)
{
    pod_advise_text_percent(text, (int64_t)(certainty->margin_below * 1e6), 1000000);
    pod_text_append(text, " less to ");
    pod_advise_text_percent(text, (int64_t)(certainty->margin * 1e6), 1000000);
    pod_text_append(text, " more is allowed for, as nine of ten programs that were new to their plans needed (");
    for (uint32_t kind = 0, first = 1; kind < POD_TPU_PROGRAM_KINDS; kind++)
        if (certainty->kinds & 1u << kind) {
            pod_text_format(text, "%s%s", first ? "" : ", ", pod_tpu_program_kind_name((pod_tpu_program_kind)kind));
            first = 0;
        }
    pod_text_format(text, ": %d kept, off by ", (int)certainty->kept);
    pod_advise_text_percent(text, (int64_t)(certainty->miss * 1e6), 1000000);
    pod_text_append(text, " at most)");
    pod_advise_text_filled(text, ", and $ that may lie near the cores", &certainty->margin_bytes);
    if (!certainty->met)
        pod_text_append(text, "; none was of all these kinds");
}

/* "5.88G to spare on each of 8 devices" */
static void append_room(pod_text *text, const pod_memory_facts *facts)
{
    const int64_t over = facts->memory.need_bytes - facts->memory.limit_bytes, spare = -over;
    pod_advise_text_filled(text, over > 0 ? "$ too much" : "$ to spare", over > 0 ? &over : &spare);
    if (facts->certainty.devices > 0)
        pod_text_format(text, " on each of %d devices", (int)facts->certainty.devices);
}

/* The compiler's own word, and by how much the plan's need is off. */
static void append_compiled(pod_text *text, const pod_memory_facts *facts)
{
    const pod_compiled_memory *compiled = facts->compiled;
    const int64_t off = facts->planned.need_bytes - compiled->need;
    append_room(text, facts);
    if (compiled->fits)
        pod_text_format(text, "; so its compiler says (%s, PJRT %d.%d)", compiled->version, compiled->major,
                        compiled->minor);
    else
        pod_text_format(text, "; its compiler says: %s", compiled->refusal);
    pod_text_append(text, "; the plan needs ");
    pod_advise_text_percent(text, off < 0 ? -off : off, compiled->need);
    pod_text_append(text, off < 0 ? " less" : " more");
}

/* What the compiler makes of a program that needs more than there is. */
static void append_relief(pod_text *text, const pod_tpu_memory *memory)
{
    pod_advise_text_filled(text, "the plan needs $ of $; ", (int64_t[]){memory->need_bytes, memory->limit_bytes});
    if (memory->relieved_bytes == 0) {
        pod_advise_text_filled(text, "the compiler may make it fit by computing values again; at the least it needs $",
                               &memory->least_bytes);
        return;
    }
    pod_text_append(text, memory->relieved_bytes > memory->limit_bytes ? "still " : "");
    pod_advise_text_filled(text, "$ once the compiler has computed ", &memory->relieved_bytes);
    pod_text_format(text, "%u kernel%s again", memory->computed_again, memory->computed_again == 1 ? "" : "s");
    if (memory->relieved_bytes <= memory->limit_bytes)
        pod_text_append(text, ", if it can");
}

void pod_advise_text_verdict(pod_text *text, const pod_memory_facts *facts)
{
    const pod_tpu_certainty *certainty = &facts->certainty;
    const pod_tpu_memory *memory = &facts->memory;
    pod_text_format(text, "%s: ", pod_advise_verdict_text(facts->verdict));
    if (facts->compiled) {
        append_compiled(text, facts);
    } else if (memory->least_bytes > memory->limit_bytes) {
        pod_advise_text_filled(text, "at the least it needs $ of $",
                               (int64_t[]){memory->least_bytes, memory->limit_bytes});
    } else if (certainty->doubt) {
        if (facts->verdict == POD_TPU_FITS)
            pod_text_append(text, "many times what is planned would, though ");
        pod_text_append(text, certainty->doubt);
    } else if (memory->need_bytes > memory->limit_bytes) {
        append_relief(text, memory);
    } else {
        append_room(text, facts);
        pod_text_append(text, "; ");
        append_margin(text, certainty);
        if (facts->verdict == POD_TPU_FITS && memory->need_bytes > pod_tpu_room(memory, certainty))
            pod_text_append(text, "; past the limit the compiler computes values again");
    }
}

pod_status pod_advise_text_finish(pod_text *text, char **result, pod_error *error)
{
    const size_t size = text->length;
    *result = pod_text_take(text);
    if (*result)
        return POD_OK;
    return pod_error_memory(error, "a report", size);
}
