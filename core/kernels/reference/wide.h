#ifndef POD_KERNELS_REFERENCE_WIDE_H
#define POD_KERNELS_REFERENCE_WIDE_H

/*
 * The reference kernels compute in three wide types whatever type is stored: f64 for all floats,
 * s64 for signed integers, u64 for bool and unsigned integers. A result is narrowed once, when it
 * is stored: through f32 for the 16-bit floats, to the low bits for integers, to "not zero" for
 * bool. For +, -, *, / and the square root of f32 that is the same as computing in f32.
 */

#include "kernels/reference.h"

/* Elements that a kernel widens at a time. */
#define POD_WIDE_LANES 256

typedef enum pod_wide_kind { POD_WIDE_FLOAT, POD_WIDE_SIGNED, POD_WIDE_UNSIGNED } pod_wide_kind;

typedef union pod_lanes {
    double f[POD_WIDE_LANES];
    int64_t s[POD_WIDE_LANES];
    uint64_t u[POD_WIDE_LANES];
} pod_lanes;

/* One element of either kind. */
typedef union pod_wide {
    double f;
    int64_t s;
    uint64_t u;
} pod_wide;

pod_wide_kind pod_kernel_wide_kind_of(pod_dtype dtype);

/* Returns the type of the elements that a type is widened to. */
static inline pod_dtype pod_kernel_wide_type(pod_dtype dtype)
{
    const pod_wide_kind kind = pod_kernel_wide_kind_of(dtype);
    return kind == POD_WIDE_FLOAT ? POD_F64 : kind == POD_WIDE_SIGNED ? POD_S64 : POD_U64;
}

/* Widens `count` (at most POD_WIDE_LANES) elements of `source`, `step` elements apart. */
void pod_kernel_lanes_load(pod_dtype dtype, const void *source, int64_t step, pod_lanes *lanes, int64_t count);

/* Narrows `count` elements into `destination`, one after the other. */
void pod_kernel_lanes_store(pod_dtype dtype, void *destination, const pod_lanes *lanes, int64_t count);

/* Stores lanes that are sums of `from` elements from element `first` of an array on: of integers also as floats. */
void pod_kernel_lanes_store_sum(pod_dtype from, const pod_array *result, int64_t first, pod_lanes *sum, int64_t count);

/* Fills `count` lanes with one value. */
void pod_kernel_lanes_fill(pod_lanes *lanes, pod_wide value, int64_t count);

/* Widens one element. */
pod_wide pod_kernel_wide_load(pod_dtype dtype, const void *source);

/* Narrows one element. */
void pod_kernel_wide_store(pod_dtype dtype, void *destination, pod_wide value);

/* Returns whether x takes the place of the best so far: greater (or less), or the first NaN. */
static inline bool pod_kernel_wide_wins(pod_wide_kind kind, bool least, uint64_t x_bits, uint64_t best_bits)
{
    const pod_wide x = {.u = x_bits}, best = {.u = best_bits};
    if (kind == POD_WIDE_FLOAT)
        return best.f == best.f && (x.f != x.f || (least ? x.f < best.f : x.f > best.f));
    if (kind == POD_WIDE_SIGNED)
        return least ? x.s < best.s : x.s > best.s;
    return least ? x.u < best.u : x.u > best.u;
}

/* Returns the address of element `index` of an array. */
static inline void *pod_kernel_array_at(const pod_array *array, int64_t index)
{
    return (char *)array->data + (size_t)index * pod_dtype_size(array->dtype);
}

#endif
