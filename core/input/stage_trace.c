/* stage_trace - see stage_trace.h. */

#include "input/stage_trace.h"
#include "input/consumer.h"

#include <stdio.h>
#include <string.h>

/* Stages of a name; those between the consumer and the last ones are left out. */
#define MOST_NAMED 24

static bool is_one_of(const char *name, const char *const *names)
{
    for (; *names; names++)
        if (strcmp(name, *names) == 0)
            return true;
    return false;
}

static pod_profile_part part_of(const pod_dataset *dataset)
{
    static const char *const waiting[] = {"prefetch", "parallel", "distribute", NULL};
    static const char *const reading[] = {"cache", "cache_file", "load", NULL};
    const char *name = dataset->kind->name;
    if (is_one_of(name, waiting))
        return POD_PART_INPUT_WAIT;
    return dataset->input_count == 0 || is_one_of(name, reading) ? POD_PART_INPUT_READ : POD_PART_INPUT_WORK;
}

/* Appends a name as classes are written: "padded_batch" gives "PaddedBatch". */
static size_t append(char *text, size_t at, size_t size, const char *between, const char *name)
{
    bool raised = true;
    for (; *between && at + 1 < size; between++)
        text[at++] = *between;
    for (; *name && at + 1 < size; name++) {
        if (*name == '_') {
            raised = true;
            continue;
        }
        text[at++] = raised && *name >= 'a' && *name <= 'z' ? (char)(*name - 'a' + 'A') : *name;
        raised = false;
    }
    text[at] = '\0';
    return at;
}

/* Appends which of its consumer's inputs a stage is: each host, and its replicas, has a feed of its own. */
static size_t append_index(char *text, size_t at, size_t size, const pod_stage *consumer, const pod_stage *stage)
{
    char index[24];
    size_t place = 0;
    while (place < consumer->dataset->input_count && consumer->inputs[place] != stage)
        place++;
    snprintf(index, sizeof index, "[%zu]", place);
    return append(text, at, size, "", index);
}

/* Appends what a stage of a dataset is called. */
static size_t append_stage(char *text, size_t at, size_t size, const pod_dataset *dataset)
{
    at = append(text, at, size, "::", dataset->kind->name);
    if (strcmp(dataset->kind->name, "parallel") == 0) /* "ParallelMap", as tf.data says */
        at = append(text, at, size, "", dataset->inputs[0]->kind->name);
    return at;
}

/* Writes the way from the consumer to a stage; returns its length. */
static size_t write_way(char *text, size_t size, const pod_stage *stage)
{
    const pod_stage *way[MOST_NAMED];
    int count = 0;
    for (const pod_stage *at = stage; at != NULL && count < MOST_NAMED; at = at->consumer)
        way[count++] = at;
    size_t length = append(text, 0, size, "", "Iterator");
    if (way[count - 1]->consumer != NULL)
        length = append(text, length, size, "::", "...");
    while (count > 0) {
        const pod_dataset *dataset = way[--count]->dataset;
        length = append_stage(text, length, size, dataset);
        if (count > 0 && strcmp(dataset->kind->name, "hosts") == 0)
            length = append_index(text, length, size, way[count], way[count - 1]);
    }
    return length;
}

/* Appends the way from a dataset to one that it is made of; at the same place where it is not. */
static size_t append_path(char *text, size_t at, size_t size, const pod_dataset *from, const pod_dataset *to)
{
    const size_t here = append_stage(text, at, size, from);
    if (from == to)
        return here;
    for (size_t i = 0; i < from->input_count; i++) {
        const size_t there = append_path(text, here, size, from->inputs[i], to);
        if (there > here)
            return there;
    }
    text[at] = '\0';
    return at;
}

uint32_t pod_input_remote_thing(pod_stage *stage, int worker, const pod_dataset *remote)
{
    char text[POD_THING_TEXT], index[24];
    snprintf(index, sizeof index, "[%d]", worker);
    size_t length = write_way(text, sizeof text, stage);
    length = append(text, length, sizeof text, "", index);
    if (remote != NULL)
        (void)append_path(text, length, sizeof text, stage->dataset->inputs[0], remote);
    return pod_trace_thing(stage->pass->context, text, remote != NULL ? part_of(remote) : POD_PART_INPUT_WAIT);
}

uint32_t pod_input_stage_thing(pod_stage *stage, pod_profile_part *part)
{
    uint32_t known = atomic_load_explicit(&stage->traced, memory_order_relaxed);
    *part = known ? (pod_profile_part)(known >> 16) : part_of(stage->dataset);
    if (known)
        return (known & 0xFFFF) - 1;
    char text[POD_THING_TEXT];
    (void)write_way(text, sizeof text, stage);
    known = pod_trace_thing(stage->pass->context, text, *part);
    if (known)
        atomic_store_explicit(&stage->traced, (known + 1) | (uint32_t)*part << 16, memory_order_relaxed);
    return known;
}

void pod_input_feed_begin(pod_dataset_iterator *iterator)
{
    iterator->lane = pod_trace_lane(iterator->context, "main", 0);
    if (iterator->lane != NULL)
        iterator->outer = pod_trace_enter(iterator->lane, POD_PART_INPUT_FEED, 0);
}

void pod_input_feed_end(pod_dataset_iterator *iterator)
{
    if (iterator->lane != NULL)
        (void)pod_trace_leave(iterator->lane, iterator->outer, (pod_profile_event){.kind = POD_EVENT_FEED});
    iterator->lane = NULL;
}
