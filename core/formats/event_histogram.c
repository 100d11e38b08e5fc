/* event_histogram - histograms in event files: the buckets of TensorBoard's histogram/summary_v2.py. */

#include "formats/event_file.h"

#include <math.h>

#include "base/context.h"

#define BLOCK 1024

/* Reads elements of a buffer block by block, as doubles. */
typedef struct elements {
    const pod_buffer *buffer;
    size_t at, count;
    double block[BLOCK];
} elements;

static size_t next_block(elements *from)
{
    const pod_dtype dtype = pod_buffer_dtype(from->buffer);
    const size_t left = from->count - from->at, count = left < BLOCK ? left : BLOCK;
    if (count > 0)
        pod_convert(dtype, (const char *)pod_buffer_data(from->buffer) + from->at * pod_dtype_size(dtype), POD_F64,
                    from->block, count);
    from->at += count;
    return count;
}

/* The least and the greatest of the finite elements. */
typedef struct range {
    double least, greatest;
    double count;
} range;

static range find_range(elements *from)
{
    range found = {INFINITY, -INFINITY, 0};
    size_t count;
    from->at = 0;
    while ((count = next_block(from)) > 0)
        for (size_t i = 0; i < count; i++) {
            const double value = from->block[i];
            if (!isfinite(value))
                continue;
            found.least = value < found.least ? value : found.least;
            found.greatest = value > found.greatest ? value : found.greatest;
            found.count++;
        }
    return found;
}

/* Counts into buckets. What spans more than a double can have is halved first. */
static void count_elements(elements *from, range over, double *counts, int64_t buckets)
{
    const double scale = isfinite(over.greatest - over.least) ? 1 : 0.5;
    const double width = (scale * over.greatest - scale * over.least) / (double)buckets;
    size_t count;
    from->at = 0;
    while ((count = next_block(from)) > 0)
        for (size_t i = 0; i < count; i++) {
            if (!isfinite(from->block[i]))
                continue;
            const double place = (scale * from->block[i] - scale * over.least) / width;
            counts[place < (double)buckets ? (int64_t)place : buckets - 1]++;
        }
}

/* The edge below bucket i. */
static double edge(range over, int64_t i, int64_t buckets)
{
    const double width = over.greatest / (double)buckets - over.least / (double)buckets;
    const double direct = (over.greatest - over.least) / (double)buckets;
    return i == buckets ? over.greatest : (double)i * (isfinite(direct) ? direct : width) + over.least;
}

static void put_buckets(pod_text *text, range over, const double *counts, int64_t buckets)
{
    const bool is_single = over.least == over.greatest;
    for (int64_t i = 0; i < buckets; i++) {
        pod_format_append_double(text, over.count == 0 ? 0 : is_single ? over.least : edge(over, i, buckets));
        pod_format_append_double(text, over.count == 0 ? 0 : is_single ? over.least : edge(over, i + 1, buckets));
        pod_format_append_double(text, counts[i]);
    }
}

pod_status pod_event_histogram(pod_event_writer *writer, int64_t step, const char *tag, const pod_buffer *values,
                               int64_t buckets, pod_error *error)
{
    pod_event_draft draft;
    const pod_bytes no_content = {0};
    pod_context *context = pod_format_event_context(writer);
    elements from = {.buffer = values, .count = (size_t)pod_shape_elements(pod_buffer_shape(values))};
    const pod_shape shape = {2, {buckets, 3}};
    if (buckets < 0 || buckets > POD_EVENT_MOST_BUCKETS)
        return pod_error_set(error, POD_ERROR_ARGUMENT, "a histogram of %lld buckets: 0 to %lld can be had",
                             (long long)buckets, (long long)POD_EVENT_MOST_BUCKETS);
    const range over = find_range(&from);
    double *counts = pod_allocate_zeroed(context, (size_t)buckets, sizeof *counts);
    if (counts == NULL)
        return pod_error_memory(error, "a histogram", (size_t)buckets * sizeof *counts);
    if (over.least == over.greatest && buckets > 0)
        counts[buckets - 1] = over.count;
    else if (over.count > 0 && buckets > 0)
        count_elements(&from, over, counts, buckets);
    pod_status status = pod_format_event_begin(writer, step, tag, "histograms", no_content, &draft, error);
    if (status == POD_OK) {
        pod_format_event_tensor_type(draft.text, POD_TF_DOUBLE, &shape);
        pod_format_put_header(draft.text, 4, (size_t)buckets * 3 * sizeof(double));
        put_buckets(draft.text, over, counts, buckets);
        status = pod_format_event_end(&draft, error);
    }
    pod_free(context, counts);
    return status;
}
