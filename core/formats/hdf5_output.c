/* hdf5_output - the structures of an HDF5 file while they are made. */

#include "formats/hdf5_output.h"

#include <assert.h>
#include <string.h>

#include "base/bytes.h"

enum { COLLECTION = 4096 }; /* the least size of a collection of texts */

void pod_format_hdf5_put(pod_hdf5_output *self, const void *bytes, size_t size)
{
    pod_text_append_bytes(&self->bytes, bytes, size);
}

void pod_format_hdf5_put_number(pod_hdf5_output *self, uint64_t value, size_t size)
{
    unsigned char bytes[8];
    pod_put_little_u64(bytes, value);
    pod_format_hdf5_put(self, bytes, size);
}

void pod_format_hdf5_put_zeros(pod_hdf5_output *self, size_t count)
{
    static const char zeros[64];
    for (; count > 0; count -= count < sizeof zeros ? count : sizeof zeros)
        pod_format_hdf5_put(self, zeros, count < sizeof zeros ? count : sizeof zeros);
}

size_t pod_format_hdf5_padding(size_t size)
{
    return (8 - size % 8) % 8;
}

/* ---- texts ---- */

static void end_collection(pod_hdf5_output *self, uint64_t begin)
{
    assert(begin <= self->bytes.length);
    const size_t used = self->bytes.length - begin;
    size_t size = used < COLLECTION ? COLLECTION : used;
    if (size - used >= 16) { /* what is free is an object, of index 0 */
        pod_format_hdf5_put_number(self, 0, 8);
        pod_format_hdf5_put_number(self, size - used, 8);
    }
    assert(self->bytes.failed || begin + size >= self->bytes.length);
    pod_format_hdf5_put_zeros(self, begin + size - self->bytes.length);
    unsigned char bytes[8];
    pod_put_little_u64(bytes, size);
    if (!self->bytes.failed)
        memcpy(self->bytes.data + begin + 8, bytes, sizeof bytes);
}

/* Puts all texts into collections. */
void pod_format_hdf5_put_texts(pod_hdf5_output *self)
{
    uint64_t begin = 0;
    uint32_t index = 0;
    for (size_t i = 0; i < self->count; i++) {
        pod_hdf5_item *one = &self->items[i];
        if (one->text == NULL)
            continue;
        const size_t size = strlen(one->text), room = 16 + size + pod_format_hdf5_padding(size);
        if (index > 0 && self->bytes.length - begin + room > COLLECTION) {
            end_collection(self, begin);
            index = 0;
        }
        if (index == 0) {
            begin = self->bytes.length;
            pod_format_hdf5_put(self, "GCOL\1\0\0\0", 8);
            pod_format_hdf5_put_zeros(self, 8);
        }
        one->collection = begin;
        one->index = ++index;
        pod_format_hdf5_put_number(self, one->index, 2);
        pod_format_hdf5_put_number(self, 0, 6);
        pod_format_hdf5_put_number(self, size, 8);
        pod_format_hdf5_put(self, one->text, size);
        pod_format_hdf5_put_zeros(self, pod_format_hdf5_padding(size));
    }
    if (index > 0)
        end_collection(self, begin);
}

/* ---- objects ---- */

static void put_integer_type(pod_hdf5_output *self, size_t size, bool is_signed)
{
    const unsigned char head[4] = {0x10, is_signed ? 8 : 0, 0, 0};
    pod_format_hdf5_put(self, head, 4);
    pod_format_hdf5_put_number(self, size, 4);
    pod_format_hdf5_put_number(self, 0, 2);
    pod_format_hdf5_put_number(self, size * 8, 2);
}

static void put_float_type(pod_hdf5_output *self, size_t size, unsigned exponent, unsigned mantissa)
{
    const unsigned char head[4] = {0x11, 0x20, (unsigned char)(size * 8 - 1), 0};
    const unsigned char fields[4] = {(unsigned char)mantissa, (unsigned char)exponent, 0, (unsigned char)mantissa};
    pod_format_hdf5_put(self, head, 4);
    pod_format_hdf5_put_number(self, size, 4);
    pod_format_hdf5_put_number(self, 0, 2);
    pod_format_hdf5_put_number(self, size * 8, 2);
    pod_format_hdf5_put(self, fields, 4);
    pod_format_hdf5_put_number(self, (1u << (exponent - 1)) - 1, 4);
}

/* Writes the type of elements, of a length that is a multiple of 4. */
static void put_type(pod_hdf5_output *self, pod_dtype dtype)
{
    const size_t size = pod_dtype_size(dtype);
    switch (dtype) {
    case POD_F64:
        put_float_type(self, size, 11, 52);
        return;
    case POD_F32:
        put_float_type(self, size, 8, 23);
        return;
    case POD_F16:
        put_float_type(self, size, 5, 10);
        return;
    case POD_BF16: /* opaque, without a tag, as Keras has it */
        pod_format_hdf5_put(self, "\x15\0\0\0\2\0\0\0", 8);
        return;
    case POD_BOOL: /* an enumeration, as h5py has it */
        pod_format_hdf5_put(self, "\x18\2\0\0\1\0\0\0", 8);
        put_integer_type(self, 1, true);
        pod_format_hdf5_put(self, "FALSE\0\0\0TRUE\0\0\0\0\0\1\0\0", 20);
        return;
    default:
        put_integer_type(self, size, dtype == POD_S8 || dtype == POD_S16 || dtype == POD_S32 || dtype == POD_S64);
    }
}

/* Begins a message; its size is put where it ends. */
size_t pod_format_hdf5_begin_message(pod_hdf5_output *self, unsigned type, unsigned flags)
{
    pod_format_hdf5_put_number(self, type, 2);
    pod_format_hdf5_put_number(self, 0, 2);
    pod_format_hdf5_put_number(self, flags, 4);
    return self->bytes.length;
}

void pod_format_hdf5_end_message(pod_hdf5_output *self, size_t begin)
{
    pod_format_hdf5_put_zeros(self, pod_format_hdf5_padding(self->bytes.length - begin));
    assert(self->bytes.failed || (begin >= 6 && self->bytes.length - begin <= UINT16_MAX));
    if (!self->bytes.failed)
        (void)pod_put_little_u16((unsigned char *)self->bytes.data + begin - 6, self->bytes.length - begin);
}

static void put_shape(pod_hdf5_output *self, const pod_shape *shape)
{
    pod_format_hdf5_put_number(self, 1, 1);
    pod_format_hdf5_put_number(self, (uint64_t)shape->rank, 7);
    for (int32_t i = 0; i < shape->rank; i++)
        pod_format_hdf5_put_number(self, (uint64_t)shape->dims[i], 8);
}

void pod_format_hdf5_put_array(pod_hdf5_output *self, const pod_buffer *buffer)
{
    const uint64_t bytes = pod_buffer_bytes(buffer);
    size_t message = pod_format_hdf5_begin_message(self, 1, 0);
    put_shape(self, pod_buffer_shape(buffer));
    pod_format_hdf5_end_message(self, message);
    message = pod_format_hdf5_begin_message(self, 3, 1);
    put_type(self, pod_buffer_dtype(buffer));
    pod_format_hdf5_end_message(self, message);
    message = pod_format_hdf5_begin_message(self, 5, 1); /* no fill value */
    pod_format_hdf5_put(self, "\2\2\2\1\0\0\0\0", 8);
    pod_format_hdf5_end_message(self, message);
    message = pod_format_hdf5_begin_message(self, 8, 0);
    pod_format_hdf5_put(self, "\3\1", 2);
    pod_format_hdf5_put_number(self, bytes > 0 ? self->data : UINT64_MAX, 8);
    pod_format_hdf5_put_number(self, bytes, 8);
    pod_format_hdf5_end_message(self, message);
    self->data += bytes + pod_format_hdf5_padding((size_t)bytes);
}

/* A single text of variable length, in UTF-8. */
void pod_format_hdf5_put_attribute(pod_hdf5_output *self, const pod_hdf5_item *one)
{
    const size_t name = strlen(one->attribute) + 1;
    const size_t message = pod_format_hdf5_begin_message(self, 12, 0);
    pod_format_hdf5_put_number(self, 1, 2);
    pod_format_hdf5_put_number(self, name, 2);
    pod_format_hdf5_put_number(self, 20, 2); /* the type's bytes */
    pod_format_hdf5_put_number(self, 8, 2);  /* the shape's */
    pod_format_hdf5_put(self, one->attribute, name);
    pod_format_hdf5_put_zeros(self, pod_format_hdf5_padding(name));
    pod_format_hdf5_put(self, "\x19\1\1\0\x10\0\0\0", 8);                  /* a text of variable length, of ... */
    pod_format_hdf5_put(self, "\x10\0\0\0\1\0\0\0\0\0\x08\0\0\0\0\0", 16); /* ... bytes */
    pod_format_hdf5_put(self, "\1\0\0\0\0\0\0\0", 8);
    pod_format_hdf5_put_number(self, strlen(one->text), 4);
    pod_format_hdf5_put_number(self, one->collection, 8);
    pod_format_hdf5_put_number(self, one->index, 4);
    pod_format_hdf5_end_message(self, message);
}

/* Begins an object's header, which ends with pod_format_hdf5_end_object(). */
size_t pod_format_hdf5_begin_object(pod_hdf5_output *self, size_t messages)
{
    pod_format_hdf5_put_number(self, 1, 2);
    pod_format_hdf5_put_number(self, messages, 2);
    pod_format_hdf5_put_number(self, 1, 4); /* links to it */
    pod_format_hdf5_put_zeros(self, 8);
    return self->bytes.length;
}

void pod_format_hdf5_end_object(pod_hdf5_output *self, size_t begin)
{
    if (!self->bytes.failed)
        (void)pod_put_little_u32((unsigned char *)self->bytes.data + begin - 8, self->bytes.length - begin);
}
