#ifndef DATA_CASES_H
#define DATA_CASES_H

/* data_cases - what the tests of datasets share. */

#include "test.h"

#include <stdatomic.h>
#include <uv.h>

#include "moonpod/data.h"

__attribute__((unused)) static pod_dataset *range_of(pod_context *context, int64_t stop)
{
    pod_dataset *dataset = NULL;
    pod_error error;
    ASSERT_OK(pod_dataset_range(context, 0, stop, 1, &dataset, &error));
    return dataset;
}

/* Each ends the share of its input. */
__attribute__((unused)) static pod_dataset *batch(pod_dataset *input, int64_t size, bool drop)
{
    pod_dataset *dataset = NULL;
    pod_error error;
    const pod_batch_options options = {size, drop};
    ASSERT_OK(pod_dataset_batch(input, &options, &dataset, &error));
    pod_dataset_release(input);
    return dataset;
}

__attribute__((unused)) static pod_dataset *shuffle(pod_dataset *input, int64_t size, uint64_t seed)
{
    pod_dataset *dataset = NULL;
    pod_error error;
    const pod_shuffle_options options = {.buffer_size = size, .seed = seed};
    ASSERT_OK(pod_dataset_shuffle(input, &options, &dataset, &error));
    pod_dataset_release(input);
    return dataset;
}

#define COUNTING_STAGE(name, make)                                                                                     \
    __attribute__((unused)) static pod_dataset *name(pod_dataset *input, int64_t count)                                \
    {                                                                                                                  \
        pod_dataset *dataset = NULL;                                                                                   \
        pod_error error;                                                                                               \
        ASSERT_OK(make(input, count, &dataset, &error));                                                               \
        pod_dataset_release(input);                                                                                    \
        return dataset;                                                                                                \
    }

COUNTING_STAGE(repeat, pod_dataset_repeat)
COUNTING_STAGE(take, pod_dataset_take)
COUNTING_STAGE(skip, pod_dataset_skip)
COUNTING_STAGE(prefetch, pod_dataset_prefetch)

__attribute__((unused)) static pod_dataset *cache(pod_dataset *input)
{
    pod_dataset *dataset = NULL;
    pod_error error;
    ASSERT_OK(pod_dataset_cache(input, &dataset, &error));
    pod_dataset_release(input);
    return dataset;
}

__attribute__((unused)) static pod_dataset_iterator *open_iterator(pod_dataset *dataset)
{
    pod_dataset_iterator *iterator = NULL;
    pod_error error;
    ASSERT_OK(pod_dataset_iterator_open(dataset, NULL, &iterator, &error));
    return iterator;
}

/* Writes "[0 1 2] [3 4]" or "0 1 2": the s64 elements that are left, of component 0. */
__attribute__((unused)) static const char *spell(pod_dataset_iterator *iterator, size_t width, char text[4096])
{
    pod_buffer *components[POD_MAX_COMPONENTS];
    pod_error error;
    pod_status status;
    size_t length = 0;
    text[0] = '\0';
    while ((status = pod_dataset_iterator_next(iterator, components, &error)) == POD_OK) {
        const int64_t *numbers = pod_buffer_data(components[0]);
        const pod_shape *shape = pod_buffer_shape(components[0]);
        length +=
            (size_t)snprintf(text + length, 4096 - length, "%s%s", length > 0 ? " " : "", shape->rank > 0 ? "[" : "");
        for (int64_t i = 0; i < pod_shape_elements(shape); i++)
            length += (size_t)snprintf(text + length, 4096 - length, "%s%lld", i > 0 ? " " : "", (long long)numbers[i]);
        length += (size_t)snprintf(text + length, 4096 - length, "%s", shape->rank > 0 ? "]" : "");
        for (size_t i = 0; i < width; i++)
            pod_buffer_release(components[i]);
    }
    if (status != POD_END)
        FAIL("the iteration ended with %s: %s", pod_status_name(status), error.message);
    return text;
}

/* Checks all elements of a dataset, whose share it ends. */
__attribute__((unused)) static void expect_elements(const char *expected, pod_dataset *dataset)
{
    char text[4096];
    pod_dataset_iterator *iterator = open_iterator(dataset);
    const size_t width = pod_dataset_component_count(dataset);
    pod_dataset_release(dataset);
    ASSERT_TEXT(expected, spell(iterator, width, text));
    pod_dataset_iterator_close(iterator);
}

/* A source of the numbers 1, 2, 3 ..., that counts what happens to it. */
typedef struct counter {
    pod_context *context;
    int64_t last;         /* a pass ends after this number */
    int64_t fails_at;     /* 0, or the number that it cannot make */
    int64_t milliseconds; /* that one number takes */
    atomic_int passes, made, open, released;
} counter;

typedef struct counter_cursor {
    int64_t number;
} counter_cursor;

__attribute__((unused)) static pod_status counter_open(void *context, pod_pass_number pass, void **cursor,
                                                       pod_error *error)
{
    counter *numbers = context;
    (void)pass;
    (void)error;
    *cursor = calloc(1, sizeof(counter_cursor));
    numbers->passes++;
    numbers->open++;
    return POD_OK;
}

__attribute__((unused)) static pod_status counter_next(void *context, void *cursor, pod_buffer **components,
                                                       pod_error *error)
{
    counter *numbers = context;
    counter_cursor *place = cursor;
    const pod_shape scalar = {0};
    if (place->number + 1 == numbers->fails_at)
        return pod_error_set(error, POD_ERROR_FORMAT, "record %lld is cut short", (long long)numbers->fails_at);
    if (place->number == numbers->last)
        return POD_END;
    if (numbers->milliseconds > 0)
        uv_sleep((unsigned)numbers->milliseconds);
    const pod_status status = pod_buffer_new(numbers->context, POD_S64, &scalar, &components[0], error);
    if (status != POD_OK)
        return status;
    *(int64_t *)pod_buffer_data(components[0]) = ++place->number;
    numbers->made++;
    return POD_OK;
}

__attribute__((unused)) static void counter_close(void *context, void *cursor)
{
    ((counter *)context)->open--;
    free(cursor);
}

__attribute__((unused)) static void counter_release(void *context)
{
    ((counter *)context)->released++;
}

__attribute__((unused)) static pod_dataset *count_with(counter *numbers, bool any_thread)
{
    const pod_source source = {counter_open, counter_next, counter_close, counter_release, numbers, any_thread};
    const pod_component number = {.dtype = POD_S64};
    pod_dataset *dataset = NULL;
    pod_error error;
    ASSERT_OK(
        pod_dataset_from_source(numbers->context, &source, &number, 1, POD_CARDINALITY_UNKNOWN, &dataset, &error));
    return dataset;
}

#endif
