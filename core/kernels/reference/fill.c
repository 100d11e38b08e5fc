#include "base/random.h"
#include "base/sizes.h"
#include "kernels/reference/families.h"
#include "kernels/reference/walk.h"
#include "kernels/reference/wide.h"

#include <string.h>

/* A unit of work, in elements. */
#define UNIT 16384

static int64_t fill_units(const pod_kernel_call *call)
{
    return pod_part_count(pod_shape_elements(&call->outputs[0].shape), UNIT);
}

/* Returns where the elements of units up to `end` end. */
static int64_t unit_end(const pod_kernel_call *call, int64_t end)
{
    int64_t elements = pod_shape_elements(&call->outputs[0].shape);
    return end * UNIT < elements ? end * UNIT : elements;
}

static pod_status constant_run(const pod_kernel_call *call, int64_t begin, int64_t end)
{
    const pod_array *result = &call->outputs[0];
    size_t element = pod_dtype_size(result->dtype);
    int64_t first = begin * UNIT, step = call->attributes->flag ? 0 : 1;
    const char *data = call->attributes->data;
    pod_kernel_line_copy(element, pod_kernel_array_at(result, first), 1, data + (size_t)(first * step) * element, step,
                         unit_end(call, end) - first);
    return POD_OK;
}

/* Counts along `axis`; floats count in f64 and are rounded. */
static pod_status iota_run(const pod_kernel_call *call, int64_t begin, int64_t end)
{
    const pod_array *result = &call->outputs[0];
    int axis = call->attributes->axis;
    bool is_float = pod_kernel_wide_kind_of(result->dtype) == POD_WIDE_FLOAT;
    int64_t inner = pod_kernel_dims_product(&result->shape, axis + 1, result->shape.rank);
    int64_t size = result->shape.dims[axis], last = unit_end(call, end);
    pod_lanes lanes;
    for (int64_t first = begin * UNIT; first < last; first += POD_WIDE_LANES) {
        int64_t count = last - first < POD_WIDE_LANES ? last - first : POD_WIDE_LANES;
        int64_t value = first / inner % size, repeat = first % inner;
        for (int64_t i = 0; i < count; i++) {
            if (is_float)
                lanes.f[i] = (double)value;
            else
                lanes.s[i] = value;
            if (++repeat == inner) {
                repeat = 0;
                value = value + 1 == size ? 0 : value + 1;
            }
        }
        pod_kernel_lanes_store(result->dtype, pod_kernel_array_at(result, first), &lanes, count);
    }
    return POD_OK;
}

/* The size that the shape gives: where shards are uneven, the replicate pass puts the true number
 * of rows in this op's place. */
static pod_status dimension_size_run(const pod_kernel_call *call, int64_t begin, int64_t end)
{
    (void)end;
    if (begin == 0)
        *(int32_t *)call->outputs[0].data = (int32_t)call->inputs[0].shape.dims[call->attributes->axis];
    return POD_OK;
}

/* A unit of random_bits is one row. */
static int64_t random_units(const pod_kernel_call *call)
{
    const pod_shape *shape = &call->outputs[0].shape;
    return shape->rank > 0 ? shape->dims[0] : 1;
}

/* Fills a row with u32 words. A u64 element takes two words of the row, the low one first. */
static pod_status random_run(const pod_kernel_call *call, int64_t begin, int64_t end)
{
    const uint64_t *state = call->inputs[0].data; /* seed, step */
    const pod_array *result = &call->outputs[0];
    const pod_shape *shape = &result->shape;
    int64_t words = pod_kernel_dims_product(shape, shape->rank > 0 ? 1 : 0, shape->rank);
    words *= (int64_t)pod_dtype_size(result->dtype) / 4;
    for (int64_t row = begin; row < end; row++) {
        char *to = (char *)result->data + (size_t)(row * words) * 4;
        for (int64_t first = 0; first < words; first += 4) {
            uint32_t bits[4];
            size_t count = words - first < 4 ? (size_t)(words - first) : 4;
            pod_random_block(state[0], call->attributes->seed, state[1], (uint64_t)row, (uint64_t)first / 4, bits);
            memcpy(to + first * 4, bits, count * 4);
        }
    }
    return POD_OK;
}

const pod_named_kernel pod_reference_fill[] = {
    {"constant", NULL, {fill_units, constant_run, NULL, 0}},
    {"iota", NULL, {fill_units, iota_run, NULL, 0}},
    {"dimension_size", NULL, {NULL, dimension_size_run, NULL, 0}},
    {"random_bits", NULL, {random_units, random_run, NULL, 0}},
    {.op = NULL},
};
