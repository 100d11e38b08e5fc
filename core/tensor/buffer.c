#include "base/sizes.h"
#include "moonpod/tensor.h"

#include <assert.h>
#include <stdatomic.h>
#include <string.h>

#include "base/context.h"
#include "base/float16.h"
#include "tensor/remote.h"
#include "tensor/shares.h"
#include "tensor/unset.h"
#include "tensor/version.h"

#define ALIGNMENT 64

struct pod_buffer {
    pod_context *context; /* shared */
    pod_buffer *parent;   /* shared; NULL: the data follows this struct */
    char *data;
    size_t bytes;
    pod_shape shape;
    pod_dtype dtype;
    atomic_uint shares;
    _Atomic uint64_t version; /* of the elements; of a view: unused */
    pod_remote *remote;       /* or NULL */
    uint64_t remote_version;  /* of the elements that it has */
    bool only_remote;         /* what `data` has is old */
};

/* Where data starts in a block that begins with the struct. */
#define DATA_OFFSET pod_round_up_bytes(sizeof(pod_buffer), ALIGNMENT)

/* Finds the bytes of the elements. */
static pod_status measure(pod_dtype dtype, const pod_shape *shape, size_t *bytes, pod_error *error)
{
    char text[POD_SHAPE_TEXT_SIZE];
    const size_t element = pod_dtype_size(dtype);
    if (element == 0)
        return pod_error_set(error, POD_ERROR_DTYPE, "a buffer needs an element type, and %d is none", (int)dtype);
    if (shape->rank < 0 || shape->rank > POD_MAX_RANK)
        return pod_error_set(error, POD_ERROR_SHAPE, "a shape has rank %d; it must be 0 to %d", (int)shape->rank,
                             POD_MAX_RANK);
    const int64_t elements = pod_shape_elements(shape);
    /* Keeps room for header, padding and alignment in size_t and ptrdiff_t. */
    if (elements < 0 || (uint64_t)elements > (uint64_t)(PTRDIFF_MAX / 2) / element)
        return pod_error_set(error, POD_ERROR_SHAPE,
                             "a buffer %s %s is not possible: sizes must not be negative and their "
                             "product must fit in memory",
                             pod_dtype_name(dtype), pod_shape_format(shape, text));
    *bytes = (size_t)elements * element;
    return POD_OK;
}

static size_t padded_size(size_t bytes)
{
    return pod_round_up_bytes(bytes, ALIGNMENT);
}

size_t pod_buffer_held_bytes(const pod_buffer *buffer)
{
    size_t bytes = 0;
    for (; buffer; buffer = buffer->parent)
        bytes += pod_block_bytes(buffer);
    return bytes;
}

size_t pod_buffer_planned_bytes(pod_dtype dtype, const pod_shape *shape)
{
    size_t bytes = 0;
    return measure(dtype, shape, &bytes, NULL) == POD_OK ? pod_block_bytes_for(DATA_OFFSET + padded_size(bytes)) : 0;
}

static void fill_in(pod_buffer *buffer, pod_context *context, pod_dtype dtype, const pod_shape *shape, size_t bytes)
{
    memset(buffer, 0, sizeof *buffer);
    buffer->context = pod_context_retain(context);
    buffer->dtype = dtype;
    buffer->shape = *shape;
    buffer->bytes = bytes;
    atomic_init(&buffer->shares, 1);
    atomic_init(&buffer->version, pod_context_next_number(context));
}

pod_status pod_buffer_new_unset(pod_context *context, pod_dtype dtype, const pod_shape *shape, pod_buffer **buffer_out,
                                pod_error *error)
{
    char text[POD_SHAPE_TEXT_SIZE];
    size_t bytes = 0;

    *buffer_out = NULL;
    const pod_status status = measure(dtype, shape, &bytes, error);
    if (status != POD_OK)
        return status;
    const size_t padded = padded_size(bytes);
    pod_buffer *buffer = pod_allocate(context, DATA_OFFSET + padded);
    if (!buffer)
        return pod_error_set(error, POD_ERROR_MEMORY, "a buffer %s %s needs %zu bytes, and there is no memory",
                             pod_dtype_name(dtype), pod_shape_format(shape, text), bytes);
    fill_in(buffer, context, dtype, shape, bytes);
    buffer->data = (char *)buffer + DATA_OFFSET;
    assert((uintptr_t)buffer->data % ALIGNMENT == 0 && bytes <= padded);
#if !defined(NDEBUG)
    memset(buffer->data, 0xA5, bytes); /* tests are to see what is not set */
#endif
    memset(buffer->data + bytes, 0, padded - bytes);
    *buffer_out = buffer;
    return POD_OK;
}

pod_status pod_buffer_new(pod_context *context, pod_dtype dtype, const pod_shape *shape, pod_buffer **buffer_out,
                          pod_error *error)
{
    const pod_status status = pod_buffer_new_unset(context, dtype, shape, buffer_out, error);
    if (status == POD_OK)
        memset((*buffer_out)->data, 0, (*buffer_out)->bytes);
    return status;
}

pod_status pod_buffer_view(pod_buffer *parent, size_t offset, pod_dtype dtype, const pod_shape *shape,
                           pod_buffer **view_out, pod_error *error)
{
    char text[POD_SHAPE_TEXT_SIZE], parent_text[POD_SHAPE_TEXT_SIZE];
    size_t bytes = 0;

    *view_out = NULL;
    const pod_status status = measure(dtype, shape, &bytes, error);
    if (status != POD_OK)
        return status;
    if (offset > parent->bytes || bytes > parent->bytes - offset)
        return pod_error_set(error, POD_ERROR_SHAPE,
                             "a view %s %s from byte %zu does not lie within the buffer %s %s of "
                             "%zu bytes",
                             pod_dtype_name(dtype), pod_shape_format(shape, text), offset,
                             pod_dtype_name(parent->dtype), pod_shape_format(&parent->shape, parent_text),
                             parent->bytes);
    if (offset % pod_dtype_size(dtype) != 0)
        return pod_error_set(error, POD_ERROR_ARGUMENT,
                             "a view of %s starts at byte %zu; it must start at a multiple of %zu",
                             pod_dtype_name(dtype), offset, pod_dtype_size(dtype));
    pod_buffer *view = pod_allocate(parent->context, sizeof *view);
    if (!view)
        return pod_error_memory(error, "a view of a buffer", sizeof *view);
    fill_in(view, parent->context, dtype, shape, bytes);
    view->parent = pod_buffer_retain(parent);
    view->data = parent->data + offset;
    assert(view->data >= parent->data && view->data + bytes <= parent->data + parent->bytes);
    *view_out = view;
    return POD_OK;
}

pod_buffer *pod_buffer_retain(pod_buffer *buffer)
{
    const unsigned before = atomic_fetch_add_explicit(&buffer->shares, 1, memory_order_relaxed);
    assert(before > 0); /* whoever retains has a share */
    (void)before;
    return buffer;
}

void pod_buffer_retain_many(pod_buffer *buffer, unsigned count)
{
    if (buffer && count > 0)
        atomic_fetch_add_explicit(&buffer->shares, count, memory_order_relaxed);
}

void pod_buffer_release_many(pod_buffer *buffer, unsigned count)
{
    while (buffer && count > 0 && atomic_fetch_sub_explicit(&buffer->shares, count, memory_order_acq_rel) == count) {
        pod_buffer *parent = buffer->parent;
        pod_context *context = buffer->context;
        assert(!parent || parent->context == context);
        if (buffer->remote)
            buffer->remote->kind->end(buffer->remote);
        pod_free(context, buffer);
        pod_context_release(context);
        buffer = parent;
        count = 1; /* a view has one share of what it looks at */
    }
}

void pod_buffer_release(pod_buffer *buffer)
{
    pod_buffer_release_many(buffer, 1);
}

void *pod_buffer_data(const pod_buffer *buffer)
{
    return buffer->data;
}

pod_dtype pod_buffer_dtype(const pod_buffer *buffer)
{
    return buffer->dtype;
}

const pod_shape *pod_buffer_shape(const pod_buffer *buffer)
{
    return &buffer->shape;
}

size_t pod_buffer_bytes(const pod_buffer *buffer)
{
    return buffer->bytes;
}

void pod_buffer_note_write(pod_buffer *buffer)
{
    while (buffer->parent)
        buffer = buffer->parent;
    const uint64_t number = pod_context_next_number(buffer->context);
    assert(number > atomic_load_explicit(&buffer->version, memory_order_relaxed));
    atomic_store_explicit(&buffer->version, number, memory_order_relaxed);
}

uint64_t pod_buffer_version(const pod_buffer *buffer)
{
    while (buffer->parent)
        buffer = buffer->parent;
    return atomic_load_explicit(&buffer->version, memory_order_relaxed);
}

/* ---- on a device ---------------------------------------------------------------------------------------- */

/* What has a buffer's copy on a device: of a view of all elements, as they are, the buffer that it looks at. */
static pod_buffer *whole_of(const pod_buffer *buffer)
{
    while (buffer->parent && buffer->dtype == buffer->parent->dtype &&
           pod_shape_equal(&buffer->shape, &buffer->parent->shape))
        buffer = buffer->parent;
    return (pod_buffer *)buffer;
}

void pod_buffer_set_remote(pod_buffer *buffer, pod_remote *remote)
{
    buffer = whole_of(buffer);
    if (buffer->remote)
        buffer->remote->kind->end(buffer->remote);
    buffer->remote = remote;
    buffer->remote_version = pod_buffer_version(buffer);
    buffer->only_remote = false;
}

void pod_buffer_move_to_remote(pod_buffer *buffer, pod_remote *remote)
{
    buffer = whole_of(buffer);
    assert(!buffer->parent);
    pod_buffer_note_write(buffer);
    pod_buffer_set_remote(buffer, remote);
    buffer->only_remote = true;
}

pod_remote *pod_buffer_remote(const pod_buffer *buffer, const void *owner)
{
    buffer = whole_of(buffer);
    pod_remote *remote = buffer->remote;
    return remote && remote->owner == owner && buffer->remote_version == pod_buffer_version(buffer) ? remote : NULL;
}

bool pod_buffer_is_only_remote(const pod_buffer *buffer)
{
    return whole_of(buffer)->only_remote;
}

pod_status pod_buffer_settle(pod_buffer *buffer, pod_error *error)
{
    while (buffer->parent)
        buffer = buffer->parent;
    if (!buffer->only_remote)
        return POD_OK;
    const pod_status status = buffer->remote->kind->read(buffer->remote, buffer->data, buffer->bytes, error);
    buffer->only_remote = status != POD_OK;
    return status;
}

bool pod_buffer_is_unique(const pod_buffer *buffer)
{
    /* A view is alone with its elements only when nobody else holds what it looks at. */
    for (; buffer; buffer = buffer->parent)
        if (atomic_load_explicit(&buffer->shares, memory_order_acquire) != 1)
            return false;
    return true;
}

uint16_t pod_bf16_from_f32(float value)
{
    return pod_round_bf16(value);
}

float pod_bf16_to_f32(uint16_t bits)
{
    return pod_widen_bf16(bits);
}

uint16_t pod_f16_from_f32(float value)
{
    return pod_round_f16(value);
}

float pod_f16_to_f32(uint16_t bits)
{
    return pod_widen_f16(bits);
}
