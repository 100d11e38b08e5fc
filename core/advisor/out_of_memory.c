/* out_of_memory - the error of a TPU's compiler where a program does not fit: one line with its number, and a table of
 * what lies where. */

#include <stdlib.h>
#include <string.h>

#include "advisor/advisor.h"

/* Values that begin at one offset of a heap share a line. */
typedef struct heap_slot {
    int64_t size, offset;
    size_t first, count; /* indices into the list of buffers */
    bool temporary;
} heap_slot;

/* XLA's second way of writing sizes: "64.00GiB", "4.0KiB", "512B". */
static void binary_size(int64_t bytes, char text[POD_BYTES_TEXT_SIZE + 2])
{
    pod_bytes_format(bytes, text);
    const size_t length = strlen(text);
    if (text[length - 1] != 'B')
        strcpy(text + length, "iB");
}

static int compare_places(const void *a, const void *b)
{
    const pod_tpu_buffer *one = *(const pod_tpu_buffer *const *)a;
    const pod_tpu_buffer *other = *(const pod_tpu_buffer *const *)b;
    if (one->use != other->use)
        return one->use < other->use ? -1 : 1;
    if (one->offset != other->offset)
        return one->offset < other->offset ? -1 : 1;
    if (one->bytes.padded != other->bytes.padded)
        return one->bytes.padded > other->bytes.padded ? -1 : 1;
    return one->node < other->node ? -1 : one->node > other->node;
}

static int compare_slots(const void *a, const void *b)
{
    const heap_slot *one = a, *other = b;
    if (one->size != other->size)
        return one->size > other->size ? -1 : 1;
    return one->first < other->first ? -1 : one->first > other->first;
}

/* "s32[29360128,10]", with how often it comes: "2×f32[4]". */
static void print_shapes(pod_text *text, const pod_tpu_buffer **list, const heap_slot *place)
{
    char shape[POD_ARRAY_TYPE_TEXT_SIZE], before[POD_ARRAY_TYPE_TEXT_SIZE] = "";
    size_t times = 0, written = 0;
    for (size_t i = 0; i <= place->count && written < 8; i++) {
        shape[0] = '\0';
        if (i < place->count) {
            pod_array_type bare = list[place->first + i]->type;
            bare.has_layout = false;
            pod_array_type_format(&bare, shape);
        }
        if (times > 0 && strcmp(shape, before) != 0) {
            pod_text_append(text, written++ > 0 ? ", " : "");
            if (times > 1)
                pod_text_format(text, "%zu\xc3\x97", times);
            pod_text_append(text, before);
            times = 0;
        }
        strcpy(before, shape);
        times++;
    }
}

static void print_table(pod_text *text, const pod_tpu_buffer **list, heap_slot *slots, size_t count, int64_t total,
                        size_t largest)
{
    char cumulative[POD_BYTES_TEXT_SIZE + 2], size[POD_BYTES_TEXT_SIZE + 2];
    int64_t sum = 0;
    pod_text_append(text, "  cumulative_size;       size;       offset; used_by_n_values; "
                          "shapes_list\n"
                          "  ------------------------------------------------------------\n");
    for (size_t i = 0; i < count && i < largest; i++) {
        sum += slots[i].size;
        binary_size(sum, cumulative);
        binary_size(slots[i].size, size);
        const double share = total > 0 ? (double)sum / (double)total * 100.0 : 100.0;
        pod_text_format(text, "  %9s(%3d%%); %10s; %12lld; %16zu; ", cumulative, (int)(share + 0.5), size,
                        (long long)slots[i].offset, slots[i].count);
        print_shapes(text, list, &slots[i]);
        pod_text_append(text, "\n");
    }
}

/* Lists the buffers by place, and the slots by size. Returns the number of slots. */
static size_t find_slots(const pod_memory_facts *facts, const pod_tpu_buffer **list, heap_slot *slots)
{
    size_t count = 0, found = 0;
    for (size_t i = 0; i < facts->buffer_count; i++)
        if (pod_memory_lives(facts, facts->buffers[i], -1))
            list[count++] = facts->buffers[i];
    qsort(list, count, sizeof(const pod_tpu_buffer *), compare_places);
    for (size_t i = 0; i < count; i++) {
        const bool temporary = list[i]->use == POD_TPU_TEMPORARY && list[i]->offset >= 0;
        heap_slot *last = found > 0 ? &slots[found - 1] : NULL;
        if (last && temporary && last->temporary && last->offset == list[i]->offset) {
            last->count++;
            continue;
        }
        slots[found++] = (heap_slot){.size = list[i]->bytes.padded,
                                     .offset = temporary ? list[i]->offset : 0,
                                     .first = i,
                                     .count = 1,
                                     .temporary = temporary};
    }
    qsort(slots, found, sizeof *slots, compare_slots);
    return found;
}

pod_status pod_advise_out_of_memory(pod_context *context, const pod_memory_facts *facts,
                                    const pod_memory_options *options, char **result, pod_error *error)
{
    const pod_tpu_memory *memory = &facts->memory;
    const size_t most = facts->buffer_count + 1;
    const pod_tpu_buffer **list = pod_allocate(context, most * sizeof(const pod_tpu_buffer *));
    heap_slot *slots = pod_allocate(context, most * sizeof *slots);
    pod_text text;
    pod_text_init(&text, context);
    if (list && slots) {
        char need[POD_BYTES_TEXT_SIZE], limit[POD_BYTES_TEXT_SIZE], total[POD_BYTES_TEXT_SIZE + 2];
        const size_t count = find_slots(facts, list, slots);
        pod_bytes_format(memory->need_bytes, need);
        pod_bytes_format(memory->limit_bytes, limit);
        const bool exceeds = memory->need_bytes > memory->limit_bytes;
        if (exceeds)
            pod_text_format(&text,
                            "RESOURCE_EXHAUSTED: E1000: CompileTimeHbmOom: Ran out of memory on HBM, "
                            "the total memory required for HLO temporaries (%s) exceeds available HBM "
                            "(%s). ",
                            need, limit);
        pod_text_format(&text, "HLO module: %s.\n\nUsed %s of %s hbm.", facts->name, need, limit);
        if (exceeds)
            pod_advise_text_filled(&text, " Exceeded hbm capacity by $.",
                                   (int64_t[]){memory->need_bytes - memory->limit_bytes});
        binary_size(memory->need_bytes, total);
        pod_text_format(&text, "\n\nMemory Space: hbm\nTotal bytes: %lld (%s)\n", (long long)memory->need_bytes, total);
        print_table(&text, list, slots, count, memory->need_bytes, options->largest);
    }
    const bool fine = list && slots;
    pod_free(context, list);
    pod_free(context, slots);
    if (!fine) {
        pod_text_clear(&text);
        return pod_error_memory(error, "a report", most * sizeof *slots);
    }
    return pod_advise_text_finish(&text, result, error);
}
