#include "kernels/reference/families.h"
#include "kernels/reference/walk.h"
#include "kernels/reference/wide.h"

#include <string.h>

/* One element on its way through a sort. */
typedef struct entry {
    uint64_t key; /* ascending keys are the order asked for */
    int64_t place;
} entry;

/* Makes keys whose unsigned order is that of the elements; NaN comes last either way, and -0 equals
 * 0. */
static uint64_t make_key(pod_wide_kind kind, pod_wide value, bool descending)
{
    uint64_t key = value.u, sign = UINT64_C(1) << 63;
    if (kind == POD_WIDE_FLOAT) {
        if (value.f != value.f)
            return UINT64_MAX;
        key = value.f == 0 ? sign : key & sign ? ~key : key | sign;
    } else if (kind == POD_WIDE_SIGNED) {
        key ^= sign;
    }
    return descending ? ~key : key;
}

/* Reads a line of `count` elements, `step` apart, as entries. */
static void read_line(pod_dtype dtype, const char *source, int64_t step, int64_t count, bool descending, entry *entries)
{
    pod_wide_kind kind = pod_kernel_wide_kind_of(dtype);
    pod_lanes lanes;
    for (int64_t first = 0; first < count; first += POD_WIDE_LANES) {
        int64_t chunk = count - first < POD_WIDE_LANES ? count - first : POD_WIDE_LANES;
        pod_kernel_lanes_load(dtype, source + first * step * (int64_t)pod_dtype_size(dtype), step, &lanes, chunk);
        for (int64_t i = 0; i < chunk; i++) {
            uint64_t key = make_key(kind, (pod_wide){.u = lanes.u[i]}, descending);
            entries[first + i] = (entry){key, first + i};
        }
    }
}

/* Merges two sorted runs that follow each other; of equals the first run's come first. */
static void merge(const entry *left, int64_t left_count, const entry *right, int64_t right_count, entry *result)
{
    while (left_count > 0 && right_count > 0) {
        if (right->key < left->key) {
            *result++ = *right++;
            right_count--;
        } else {
            *result++ = *left++;
            left_count--;
        }
    }
    memcpy(result, left, (size_t)left_count * sizeof *left);
    memcpy(result + left_count, right, (size_t)right_count * sizeof *right);
}

/* Sorts `count` entries, stable; returns where they are: in entries or in spare. */
static entry *sort_entries(entry *entries, entry *spare, int64_t count)
{
    for (int64_t width = 1; width < count; width *= 2) {
        for (int64_t first = 0; first < count; first += 2 * width) {
            int64_t left = count - first < width ? count - first : width;
            int64_t right = count - first - left < width ? count - first - left : width;
            merge(entries + first, left, entries + first + left, right, spare + first);
        }
        entry *swapped = entries;
        entries = spare;
        spare = swapped;
    }
    return entries;
}

enum { SORT, TOP_K };

/* The axis of what is ordered: of top_k the last. */
static int axis_of(const pod_kernel_call *call)
{
    return call->form == TOP_K ? call->inputs[0].shape.rank - 1 : call->attributes->axis;
}

/* A unit is one line along the axis. */
static int64_t line_units(const pod_kernel_call *call)
{
    const pod_shape *shape = &call->inputs[0].shape;
    int axis = axis_of(call);
    return pod_kernel_dims_product(shape, 0, axis) * pod_kernel_dims_product(shape, axis + 1, shape->rank);
}

static size_t line_scratch(const pod_kernel_call *call)
{
    return (size_t)call->inputs[0].shape.dims[axis_of(call)] * 2 * sizeof(entry);
}

static pod_status sort_run(const pod_kernel_call *call, int64_t begin, int64_t end)
{
    const pod_array *key = &call->inputs[0];
    int axis = call->attributes->axis;
    int64_t size = key->shape.dims[axis];
    int64_t inner = pod_kernel_dims_product(&key->shape, axis + 1, key->shape.rank);
    entry *entries = call->scratch;
    for (int64_t unit = begin; unit < end; unit++) {
        int64_t first = unit / inner * size * inner + unit % inner;
        read_line(key->dtype, pod_kernel_array_at(key, first), inner, size, call->attributes->flag, entries);
        const entry *sorted = sort_entries(entries, entries + size, size);
        for (size_t operand = 0; operand < call->input_count; operand++) {
            size_t element = pod_dtype_size(call->inputs[operand].dtype);
            const char *from = pod_kernel_array_at(&call->inputs[operand], first);
            char *to = pod_kernel_array_at(&call->outputs[operand], first);
            for (int64_t i = 0; i < size; i++)
                pod_kernel_line_copy(element, to + i * inner * (int64_t)element, 1,
                                     from + sorted[i].place * inner * (int64_t)element, 1, 1);
        }
    }
    return POD_OK;
}

/* Moves the k least entries to the front, in order, by insertion: cheap while k is small, because
 * few entries are among the first k. */
static void select_entries(entry *entries, int64_t count, int64_t k)
{
    for (int64_t i = 1; i < count; i++) {
        entry candidate = entries[i];
        int64_t place = i < k ? i : k;
        if (place == k && entries[k - 1].key <= candidate.key)
            continue;
        if (place == k)
            place = k - 1;
        while (place > 0 && entries[place - 1].key > candidate.key) {
            entries[place] = entries[place - 1];
            place--;
        }
        entries[place] = candidate;
    }
}

/* NaN comes last, as in a sort. */
static pod_status top_k_run(const pod_kernel_call *call, int64_t begin, int64_t end)
{
    const pod_array *x = &call->inputs[0];
    int64_t size = x->shape.dims[x->shape.rank - 1], k = call->attributes->count;
    size_t element = pod_dtype_size(x->dtype);
    entry *entries = call->scratch;
    if (k <= 0)
        return POD_OK;
    for (int64_t line = begin; line < end; line++) {
        const char *from = pod_kernel_array_at(x, line * size);
        char *values = pod_kernel_array_at(&call->outputs[0], line * k);
        read_line(x->dtype, from, 1, size, true, entries);
        const entry *sorted = entries;
        if (k <= 64)
            select_entries(entries, size, k);
        else
            sorted = sort_entries(entries, entries + size, size);
        for (int64_t i = 0; i < k; i++) {
            pod_kernel_line_copy(element, values + i * (int64_t)element, 1, from + sorted[i].place * (int64_t)element,
                                 1, 1);
            pod_kernel_wide_store(call->outputs[1].dtype, pod_kernel_array_at(&call->outputs[1], line * k + i),
                                  (pod_wide){.s = sorted[i].place});
        }
    }
    return POD_OK;
}

const pod_named_kernel pod_reference_order[] = {
    {"sort", NULL, {line_units, sort_run, line_scratch, SORT}},
    {"top_k", NULL, {line_units, top_k_run, line_scratch, TOP_K}},
    {.op = NULL},
};
