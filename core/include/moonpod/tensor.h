#ifndef MOONPOD_TENSOR_H
#define MOONPOD_TENSOR_H

/*
 * tensor - element types, shapes and host buffers.
 *
 * A pod_buffer is a dense row-major block of elements with a type and a shape, shared by reference
 * count. Programs take and give buffers; datasets give them.
 *
 *     pod_buffer *weights;
 *     pod_shape shape = {2, {784, 128}};
 *     status = pod_buffer_new(context, POD_F32, &shape, &weights, &error);
 *     float *values = pod_buffer_data(weights); // zero at first
 *     // ...
 *     pod_buffer_release(weights);
 */

#include "moonpod/status.h"

POD_BEGIN_C

/* X(enumerator, long name, XLA's name, bytes an element). Long names are NumPy's and Keras'. */
#define POD_DTYPE_LIST(X)                                                                                              \
    X(POD_BOOL, "bool", "pred", 1)                                                                                     \
    X(POD_S8, "int8", "s8", 1)                                                                                         \
    X(POD_S16, "int16", "s16", 2)                                                                                      \
    X(POD_S32, "int32", "s32", 4)                                                                                      \
    X(POD_S64, "int64", "s64", 8)                                                                                      \
    X(POD_U8, "uint8", "u8", 1)                                                                                        \
    X(POD_U16, "uint16", "u16", 2)                                                                                     \
    X(POD_U32, "uint32", "u32", 4)                                                                                     \
    X(POD_U64, "uint64", "u64", 8)                                                                                     \
    X(POD_F16, "float16", "f16", 2)                                                                                    \
    X(POD_BF16, "bfloat16", "bf16", 2)                                                                                 \
    X(POD_F32, "float32", "f32", 4)                                                                                    \
    X(POD_F64, "float64", "f64", 8)

typedef enum pod_dtype {
    POD_DTYPE_NONE, /* zero: not given */
#define X(enumerator, long_name, xla_name, bytes) enumerator,
    POD_DTYPE_LIST(X)
#undef X
        POD_DTYPE_END
} pod_dtype;

/* Returns the bytes of one element; 0 for POD_DTYPE_NONE. */
POD_API size_t pod_dtype_size(pod_dtype dtype);

/* Returns the long name ("float32"); "none" for POD_DTYPE_NONE. */
POD_API const char *pod_dtype_name(pod_dtype dtype);

/* Returns XLA's name ("f32"). */
POD_API const char *pod_dtype_xla_name(pod_dtype dtype);

/* Finds a type by its long or XLA's name; POD_DTYPE_NONE when there is none such. */
POD_API pod_dtype pod_dtype_from_name(const char *name);

/* True for f16, bf16, f32, f64. */
POD_API bool pod_dtype_is_float(pod_dtype dtype);

/* True for signed and unsigned integers, false for bool. */
POD_API bool pod_dtype_is_integer(pod_dtype dtype);

#define POD_MAX_RANK 8

/* The sizes of the axes, outermost first. Rank 0 is a scalar of one element; sizes may be 0. */
typedef struct pod_shape {
    int32_t rank;
    int64_t dims[POD_MAX_RANK];
} pod_shape;

/* Returns the number of elements, or -1 when a size is negative or the product of those that are not 0 does not fit 63
 * bits: also an array without elements has strides. */
POD_API int64_t pod_shape_elements(const pod_shape *shape);

/* True when rank and sizes are equal. */
POD_API bool pod_shape_equal(const pod_shape *a, const pod_shape *b);

#define POD_SHAPE_TEXT_SIZE 192

/* Writes "(1024, 784)" into `text`, NUL-terminated, and returns it. */
POD_API const char *pod_shape_format(const pod_shape *shape, char text[POD_SHAPE_TEXT_SIZE]);

typedef struct pod_buffer pod_buffer;

/* Makes a buffer of zeros. On success *buffer is shared: end with pod_buffer_release(). Fails with
 * POD_ERROR_MEMORY (the message gives shape and bytes) or POD_ERROR_SHAPE (overflow). Data is
 * aligned to 64 bytes and padded at its end to a multiple of 64 readable bytes. */
POD_API POD_CHECKED pod_status pod_buffer_new(pod_context *context, pod_dtype dtype, const pod_shape *shape,
                                              pod_buffer **buffer, pod_error *error);

/* Makes a buffer over a part of another's data, starting at `offset` bytes: no copy is made and the
 * parent is shared until the view is released. The part must lie within the parent. */
POD_API POD_CHECKED pod_status pod_buffer_view(pod_buffer *parent, size_t offset, pod_dtype dtype,
                                               const pod_shape *shape, pod_buffer **view, pod_error *error);

/* Shares a buffer once more and returns it. May be called from any thread. */
POD_API pod_buffer *pod_buffer_retain(pod_buffer *buffer);

/* Ends one share. May be called from any thread. NULL is allowed. */
POD_API void pod_buffer_release(pod_buffer *buffer);

/* Fetches the elements of a buffer that a program on a device has made or updated: before the host reads or writes
 * them. Else there is nothing to do. */
POD_API POD_CHECKED pod_status pod_buffer_settle(pod_buffer *buffer, pod_error *error);

/* Returns the elements, row-major; borrowed until the buffer is released. */
POD_API void *pod_buffer_data(const pod_buffer *buffer);

/* Notes that elements were written, for programs that are run with `tells_writes` (see pod_run_options). Programs note
 * what they write. */
POD_API void pod_buffer_note_write(pod_buffer *buffer);

POD_API pod_dtype pod_buffer_dtype(const pod_buffer *buffer);

/* Returns the shape; borrowed until the buffer is released. */
POD_API const pod_shape *pod_buffer_shape(const pod_buffer *buffer);

/* Returns the bytes of the elements (without padding). */
POD_API size_t pod_buffer_bytes(const pod_buffer *buffer);

/* Returns the bytes that were taken from the host's allocator for a buffer, with what stands around its elements;
 * for a view, with those of what it looks at. */
POD_API size_t pod_buffer_held_bytes(const pod_buffer *buffer);

/* Returns the same for a buffer that is not there; 0 where there can be none. */
POD_API size_t pod_buffer_planned_bytes(pod_dtype dtype, const pod_shape *shape);

/* Returns whether this is the only share, so that it may be written in place or recycled. */
POD_API bool pod_buffer_is_unique(const pod_buffer *buffer);

/* Converts elements between any two types, each as the primitive op `convert` does: floats to
 * integers truncate and saturate, NaN becomes 0, anything not zero is true. `source` and
 * `destination` must not overlap. */
POD_API void pod_convert(pod_dtype source_dtype, const void *source, pod_dtype destination_dtype, void *destination,
                         size_t count);

/* Stores a number of a script, a file or an option as an element: the one way in for such numbers, which refuses with
 * POD_ERROR_VALUE what the type does not hold. That is an integer out of range, a fraction or what is not finite for an
 * integer, anything but 0 and 1 for a bool, and a finite number that would become infinite. Floats are rounded. A cast
 * that somebody asks for is pod_convert(), which refuses nothing. */
POD_API POD_CHECKED pod_status pod_element_from_integer(pod_dtype dtype, int64_t value, void *element,
                                                        pod_error *error);
POD_API POD_CHECKED pod_status pod_element_from_real(pod_dtype dtype, double value, void *element, pod_error *error);

/* Rounds to the nearest bf16, ties to even; NaN stays NaN. */
POD_API uint16_t pod_bf16_from_f32(float value);
POD_API float pod_bf16_to_f32(uint16_t bits);

/* Rounds to the nearest f16, ties to even; NaN stays NaN, too large becomes infinite. */
POD_API uint16_t pod_f16_from_f32(float value);
POD_API float pod_f16_to_f32(uint16_t bits);

POD_END_C

#endif
