#include "base/error.h"
#include "base/sizes.h"
#include "kernels/reference/families.h"
#include "kernels/reference/walk.h"
#include "kernels/reference/wide.h"
#include "kernels/scalar_math.h"

#include <string.h>

/* gather and scatter see x as [batch, middle, size, inner], the indices as [batch, places] and the
 * result or the updates as [batch, middle, places, inner]. */
typedef struct index_sizes {
    int64_t batch, middle, size, inner, places;
} index_sizes;

static index_sizes find_sizes(const pod_kernel_call *call)
{
    const pod_shape *x = &call->inputs[0].shape, *indices = &call->inputs[1].shape;
    int axis = call->attributes->axis, count = (int)call->attributes->count;
    return (index_sizes){
        .batch = pod_kernel_dims_product(x, 0, count),
        .middle = pod_kernel_dims_product(x, count, axis),
        .size = x->dims[axis],
        .inner = pod_kernel_dims_product(x, axis + 1, x->rank),
        .places = pod_kernel_dims_product(indices, count, indices->rank),
    };
}

/* Reads index number `place`, which must be in 0 .. size - 1 unless the flag is set. */
static pod_status read_index(const pod_kernel_call *call, int64_t place, int64_t size, int64_t *index)
{
    const pod_array *indices = &call->inputs[1];
    if (indices->dtype == POD_S32)
        *index = ((const int32_t *)indices->data)[place];
    else if (indices->dtype == POD_S64)
        *index = ((const int64_t *)indices->data)[place];
    else
        *index = (int64_t)pod_kernel_wide_load(indices->dtype, pod_kernel_array_at(indices, place)).u;
    if ((*index >= 0 && *index < size) || call->attributes->flag)
        return POD_OK;
    return pod_error_set(call->error, POD_ERROR_VALUE, "index %lld (element %lld of the indices) is outside 0 .. %lld",
                         (long long)*index, (long long)place, (long long)size - 1);
}

/* A unit of a gather is one row of the result: its inner elements. */
static int64_t gather_units(const pod_kernel_call *call)
{
    index_sizes sizes = find_sizes(call);
    return sizes.batch * sizes.middle * sizes.places;
}

static pod_status gather_run(const pod_kernel_call *call, int64_t begin, int64_t end)
{
    index_sizes sizes = find_sizes(call);
    if (begin >= end)
        return POD_OK;
    const pod_array *x = &call->inputs[0], *result = &call->outputs[0];
    size_t bytes = (size_t)sizes.inner * pod_dtype_size(x->dtype);
    int64_t place = begin % sizes.places, outer = begin / sizes.places;
    for (int64_t row = begin; row < end; row++) {
        int64_t index;
        int64_t batch = outer / sizes.middle;
        pod_status status = read_index(call, batch * sizes.places + place, sizes.size, &index);
        if (status != POD_OK)
            return status;
        index = index < 0 ? 0 : index < sizes.size ? index : sizes.size - 1;
        memcpy(pod_kernel_array_at(result, row * sizes.inner),
               pod_kernel_array_at(x, (outer * sizes.size + index) * sizes.inner), bytes);
        if (++place == sizes.places) {
            place = 0;
            outer++;
        }
    }
    return POD_OK;
}

/* A unit of a scatter is a part of the rows of one [size, inner] block of x: it copies them into
 * scratch in the wide type, goes through all indices in order and folds in the updates that fall
 * into the part. */
#define PART_ELEMENTS 32768

static int64_t part_rows(const index_sizes *sizes)
{
    int64_t rows = sizes->inner > 0 ? PART_ELEMENTS / sizes->inner : sizes->size;
    rows = rows < sizes->size ? rows : sizes->size;
    return rows > 0 ? rows : 1;
}

static int64_t part_count(const index_sizes *sizes)
{
    int64_t rows = part_rows(sizes);
    return pod_part_count(sizes->size, rows);
}

static int64_t scatter_units(const pod_kernel_call *call)
{
    index_sizes sizes = find_sizes(call);
    return sizes.batch * sizes.middle * part_count(&sizes);
}

static size_t scatter_scratch(const pod_kernel_call *call)
{
    index_sizes sizes = find_sizes(call);
    return (size_t)(part_rows(&sizes) * sizes.inner) * sizeof(pod_wide);
}

static pod_wide fold(pod_reduction reduction, pod_wide_kind kind, pod_wide a, pod_wide b)
{
    switch (reduction) {
    case POD_REDUCE_SUM:
        return kind == POD_WIDE_FLOAT ? (pod_wide){.f = a.f + b.f} : (pod_wide){.u = a.u + b.u};
    case POD_REDUCE_PRODUCT:
        return kind == POD_WIDE_FLOAT ? (pod_wide){.f = a.f * b.f} : (pod_wide){.u = a.u * b.u};
    case POD_REDUCE_MAX:
        if (kind == POD_WIDE_FLOAT)
            return (pod_wide){.f = pod_kernel_maximum(a.f, b.f)};
        return (kind == POD_WIDE_SIGNED ? a.s > b.s : a.u > b.u) ? a : b;
    case POD_REDUCE_MIN:
        if (kind == POD_WIDE_FLOAT)
            return (pod_wide){.f = pod_kernel_minimum(a.f, b.f)};
        return (kind == POD_WIDE_SIGNED ? a.s < b.s : a.u < b.u) ? a : b;
    default:
        return b;
    }
}

/* Folds a row of updates into a row of wide elements. */
static void fold_row(const pod_kernel_call *call, pod_wide *row, const void *update, int64_t count)
{
    pod_dtype dtype = call->inputs[2].dtype;
    pod_wide_kind kind = pod_kernel_wide_kind_of(dtype);
    pod_lanes lanes;
    for (int64_t first = 0; first < count; first += POD_WIDE_LANES) {
        int64_t chunk = count - first < POD_WIDE_LANES ? count - first : POD_WIDE_LANES;
        pod_kernel_lanes_load(dtype, (const char *)update + (size_t)first * pod_dtype_size(dtype), 1, &lanes, chunk);
        for (int64_t i = 0; i < chunk; i++)
            row[first + i] = fold(call->attributes->reduction, kind, row[first + i], (pod_wide){.u = lanes.u[i]});
    }
}

static pod_status scatter_part(const pod_kernel_call *call, const index_sizes *sizes, int64_t outer, int64_t row,
                               pod_wide *part)
{
    int64_t rows = part_rows(sizes), batch = outer / sizes->middle;
    if (rows > sizes->size - row)
        rows = sizes->size - row;
    int64_t first = (outer * sizes->size + row) * sizes->inner;
    const pod_dtype dtype = call->inputs[0].dtype, wide = pod_kernel_wide_type(dtype);
    const size_t count = (size_t)(rows * sizes->inner);
    pod_convert(dtype, pod_kernel_array_at(&call->inputs[0], first), wide, part, count);
    for (int64_t place = 0; place < sizes->places; place++) {
        int64_t index;
        pod_status status = read_index(call, batch * sizes->places + place, sizes->size, &index);
        if (status != POD_OK)
            return status;
        if (index < row || index >= row + rows)
            continue;
        int64_t update = (outer * sizes->places + place) * sizes->inner;
        fold_row(call, part + (index - row) * sizes->inner, pod_kernel_array_at(&call->inputs[2], update),
                 sizes->inner);
    }
    pod_convert(wide, part, dtype, pod_kernel_array_at(&call->outputs[0], first), count);
    return POD_OK;
}

static pod_status scatter_run(const pod_kernel_call *call, int64_t begin, int64_t end)
{
    index_sizes sizes = find_sizes(call);
    int64_t parts = part_count(&sizes);
    for (int64_t unit = begin; unit < end; unit++) {
        pod_status status = scatter_part(call, &sizes, unit / parts, unit % parts * part_rows(&sizes), call->scratch);
        if (status != POD_OK)
            return status;
    }
    return POD_OK;
}

const pod_named_kernel pod_reference_index[] = {
    {"gather", NULL, {gather_units, gather_run, NULL, 0}},
    {"scatter", NULL, {scatter_units, scatter_run, scatter_scratch, 0}},
    {.op = NULL},
};
