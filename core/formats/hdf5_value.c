/* hdf5_value - what an object of an HDF5 file holds: its array and the attributes that are texts. */

#include "base/bytes.h"
#include "base/checked.h"
#include "base/context.h"
#include "formats/hdf5.h"

#include <stdio.h>
#include <string.h>

enum { INTEGER = 0, FLOATING = 1, TEXT = 3, OPAQUE = 5, ENUMERATION = 8, VARIABLE = 9 };

/* The type of elements as a file describes it. */
typedef struct element_type {
    int kind;
    uint32_t bits; /* flags of the kind */
    uint32_t size;
    pod_dtype dtype; /* NONE: nothing that a buffer has */
    bool swapped;    /* the high byte comes first */
} element_type;

static pod_dtype integer_dtype(const element_type *type)
{
    static const pod_dtype dtypes[2][9] = {{[1] = POD_U8, [2] = POD_U16, [4] = POD_U32, [8] = POD_U64},
                                           {[1] = POD_S8, [2] = POD_S16, [4] = POD_S32, [8] = POD_S64}};
    return type->size <= 8 ? dtypes[(type->bits & 8) != 0][type->size] : POD_DTYPE_NONE;
}

/* By the places of exponent and mantissa. */
static pod_dtype float_dtype(const element_type *type, const unsigned char *fields)
{
    static const struct {
        pod_dtype dtype;
        unsigned char size, exponent_at, exponent, mantissa;
    } known[] = {{POD_F16, 2, 10, 5, 10}, {POD_BF16, 2, 7, 8, 7}, {POD_F32, 4, 23, 8, 23}, {POD_F64, 8, 52, 11, 52}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (type->size == known[i].size && fields[4] == known[i].exponent_at && fields[5] == known[i].exponent &&
            fields[6] == 0 && fields[7] == known[i].mantissa)
            return known[i].dtype;
    return POD_DTYPE_NONE;
}

static pod_status read_type(const pod_hdf5 *self, const pod_hdf5_message *message, element_type *type, pod_error *error)
{
    const unsigned char *data = message->data;
    if (message->flags & 2)
        return pod_format_hdf5_unsupported(self, "its type is shared with others, which is not read", error);
    if (message->size < 8)
        return pod_format_hdf5_malformed(self, 0, "a type is too short", error);
    *type = (element_type){.kind = data[0] & 15,
                           .bits = data[1] | (uint32_t)data[2] << 8 | (uint32_t)data[3] << 16,
                           .size = pod_little_u32(data + 4)};
    type->swapped = (type->kind == INTEGER || type->kind == FLOATING) && (type->bits & 1);
    if (type->kind == INTEGER && message->size >= 12 && pod_little_u16(data + 10) == type->size * 8)
        type->dtype = integer_dtype(type);
    if (type->kind == FLOATING && message->size >= 16)
        type->dtype = float_dtype(type, data + 8);
    if (type->kind == OPAQUE && type->size == 2)
        type->dtype = POD_BF16;
    if (type->kind == ENUMERATION && type->size == 1 && (type->bits & 0xffff) == 2)
        type->dtype = POD_BOOL; /* as h5py writes them */
    return POD_OK;
}

static pod_status read_shape(const pod_hdf5 *self, const pod_hdf5_message *message, pod_shape *shape, pod_error *error)
{
    const unsigned char *data = message->data;
    if (message->size < 4)
        return pod_format_hdf5_malformed(self, 0, "a shape is too short", error);
    const size_t rank = data[1], begin = data[0] == 1 ? 8 : 4;
    if (data[0] < 1 || data[0] > 2 || (data[0] == 2 && data[3] > 1))
        return pod_format_hdf5_unsupported(self,
                                           "it has no array: an empty one, or a shape of a version that is not "
                                           "known",
                                           error);
    if (rank > POD_MAX_RANK)
        return pod_format_hdf5_unsupported(self, "its array has too many axes", error);
    if (message->size < begin + rank * 8)
        return pod_format_hdf5_malformed(self, 0, "a shape is too short", error);
    *shape = (pod_shape){.rank = (int32_t)rank};
    for (size_t i = 0; i < rank; i++) {
        const uint64_t size = pod_little_u64(data + begin + i * 8);
        if (size > INT64_MAX)
            return pod_format_hdf5_malformed(self, 0, "an axis is too long", error);
        shape->dims[i] = (int64_t)size;
    }
    return POD_OK;
}

/* Where an array's elements lie: in the file, or in the message itself. */
typedef struct data_place {
    uint64_t address, size;
    const unsigned char *inside;
} data_place;

static pod_status read_place(const pod_hdf5 *self, const pod_hdf5_object *object, data_place *found, pod_error *error)
{
    const pod_hdf5_message *message = pod_format_hdf5_find(object, POD_HDF5_LAYOUT);
    const unsigned char *data = message->data;
    if (message->size < 4 || data[0] < 3 || data[0] > 4)
        return pod_format_hdf5_unsupported(self, "its array's place is of a version that is not known", error);
    if (data[1] > 1 || pod_format_hdf5_find(object, POD_HDF5_FILTERS) != NULL ||
        pod_format_hdf5_find(object, POD_HDF5_EXTERNAL) != NULL)
        return pod_format_hdf5_unsupported(self,
                                           "its array lies in chunks, is compressed, or is in another file; those that "
                                           "lie in one piece are read, as Keras writes them",
                                           error);
    if (data[1] == 0) {
        *found = (data_place){.size = pod_little_u16(data + 2), .inside = data + 4};
        if (found->size > message->size - 4)
            return pod_format_hdf5_malformed(self, 0, "an array is longer than its object's header", error);
        return POD_OK;
    }
    if (message->size < 18)
        return pod_format_hdf5_malformed(self, 0, "an array's place is too short", error);
    *found = (data_place){.address = pod_little_u64(data + 2), .size = pod_little_u64(data + 10)};
    return POD_OK;
}

/* Reads the elements into a buffer of their shape; what the file claims is in it, before memory is taken. */
static pod_status read_elements(pod_hdf5 *self, const element_type *type, const pod_shape *shape,
                                const data_place *from, pod_buffer **buffer, pod_error *error)
{
    const int64_t elements = pod_shape_elements(shape);
    uint64_t bytes;
    if (elements < 0 || pod_multiply_overflows((uint64_t)elements, pod_dtype_size(type->dtype), &bytes))
        return pod_format_hdf5_malformed(self, from->address, "its array is too large", error);
    if (bytes > 0 && from->address == UINT64_MAX)
        return pod_format_hdf5_unsupported(self, "its array was never written", error);
    if (bytes > 0 && from->size != bytes)
        return pod_format_hdf5_malformed(self, from->address, "its array has another size than its shape and type say",
                                         error);
    if (from->inside == NULL && bytes > 0 && (from->address > self->size || bytes > self->size - from->address))
        return pod_format_hdf5_malformed(
            self, from->address, "its array goes on behind the file's end: the file is truncated or damaged", error);
    pod_status status = pod_buffer_new(self->context, type->dtype, shape, buffer, error);
    if (status != POD_OK || bytes == 0)
        return status;
    if (from->inside != NULL)
        memcpy(pod_buffer_data(*buffer), from->inside, (size_t)bytes);
    else
        status = pod_format_hdf5_read_data(self, from->address, pod_buffer_data(*buffer), bytes, error);
    if (status == POD_OK && type->swapped)
        pod_format_swap_elements(*buffer);
    unsigned char *truths = pod_buffer_data(*buffer);
    for (size_t i = 0; status == POD_OK && type->dtype == POD_BOOL && i < bytes; i++)
        truths[i] = truths[i] != 0;
    return status;
}

pod_status pod_format_hdf5_add_array(pod_hdf5 *self, const pod_hdf5_object *object, pod_error *error)
{
    const pod_hdf5_message *type_message = pod_format_hdf5_find(object, POD_HDF5_DATATYPE);
    const pod_hdf5_message *shape_message = pod_format_hdf5_find(object, POD_HDF5_DATASPACE);
    element_type type;
    pod_shape shape;
    data_place from = {0};
    pod_buffer *buffer = NULL;
    if (type_message == NULL || shape_message == NULL)
        return pod_format_hdf5_malformed(self, 0, "an array has no type or no shape", error);
    pod_status status = read_type(self, type_message, &type, error);
    if (status == POD_OK && type.dtype == POD_DTYPE_NONE)
        status = pod_format_hdf5_unsupported(self, "its elements are no numbers or truth values that are known", error);
    if (status == POD_OK)
        status = read_shape(self, shape_message, &shape, error);
    if (status == POD_OK)
        status = pod_format_hdf5_charge(self, 0, self->path_size, error);
    if (status == POD_OK)
        status = read_place(self, object, &from, error);
    if (status == POD_OK)
        status = read_elements(self, &type, &shape, &from, &buffer, error);
    if (status == POD_OK)
        status = pod_format_list_add(self->list, self->path, self->path_size, buffer, error);
    pod_buffer_release(buffer);
    return status;
}

/* ---- texts ---- */

/* Brings the global heap collection at `address` to memory. */
static pod_status load_collection(pod_hdf5 *self, uint64_t address, pod_error *error)
{
    unsigned char head[16];
    if (self->collection_bytes != NULL && self->collection == address)
        return POD_OK;
    pod_free(self->context, self->collection_bytes);
    self->collection = UINT64_MAX;
    self->collection_bytes = NULL;
    pod_status status = pod_format_hdf5_read_fixed(self, address, head, sizeof head, error);
    if (status != POD_OK)
        return status;
    const uint64_t size = pod_little_u64(head + 8);
    if (memcmp(head, "GCOL", 4) != 0 || size < 16)
        return pod_format_hdf5_malformed(self, address, "there are no texts where they should be", error);
    status = pod_format_hdf5_read_structure(self, address, size, &self->collection_bytes, error);
    if (status != POD_OK)
        return status;
    self->collection = address;
    self->collection_size = (size_t)size;
    return POD_OK;
}

/* Finds the bytes of a text in the global heap. A search is work, too. */
static pod_status find_text(pod_hdf5 *self, const unsigned char *reference, const char **text, size_t *size,
                            pod_error *error)
{
    const uint64_t address = pod_little_u64(reference + 4);
    const uint32_t wanted = pod_little_u32(reference + 12), length = pod_little_u32(reference);
    *text = "";
    *size = 0;
    if (length == 0)
        return POD_OK;
    pod_status status = load_collection(self, address, error);
    size_t at = 16;
    while (status == POD_OK && self->collection_size - at >= 16) {
        const unsigned char *object = self->collection_bytes + at;
        const uint64_t bytes = pod_little_u64(object + 8), left = self->collection_size - at - 16;
        if (pod_little_u16(object) == 0 || bytes > left)
            break;
        if (pod_little_u16(object) == wanted && length <= bytes) {
            *text = (const char *)object + 16;
            *size = length;
            return POD_OK;
        }
        const uint64_t padded = (bytes + 7) & ~(uint64_t)7;
        at += 16 + (size_t)(padded < left ? padded : left);
        status = pod_format_hdf5_charge(self, address, 16, error);
    }
    return status != POD_OK ? status
                            : pod_format_hdf5_malformed(self, address, "a text is not where it should be", error);
}

static pod_status add_text(pod_hdf5 *self, const char *name, size_t name_size, const char *text, size_t size,
                           pod_error *error)
{
    const size_t key_size = self->path_size + 1 + name_size + 1;
    pod_status status = pod_format_hdf5_charge(self, 0, key_size + size, error);
    if (status != POD_OK)
        return status;
    char *key = pod_allocate(self->context, key_size), *copy = pod_allocate(self->context, size + 1);
    if (key == NULL || copy == NULL) {
        status = pod_error_memory(error, "a text", key_size + size + 1);
    } else {
        snprintf(key, key_size, "%s@%.*s", self->path, (int)name_size, name);
        memcpy(copy, text, size);
        copy[size] = '\0';
        status = pod_format_list_add_text(self->list, key, copy, error);
    }
    pod_free(self->context, key);
    pod_free(self->context, copy);
    return status;
}

/* The parts of an attribute; their sizes are padded to 8 bytes in version 1. */
static bool split_attribute(const pod_hdf5_message *message, const unsigned char *parts[4], size_t sizes[4])
{
    const unsigned char *data = message->data;
    if (message->size < 9 || data[0] < 1 || data[0] > 3)
        return false;
    size_t at = data[0] == 3 ? 9 : 8;
    for (int i = 0; i < 3; i++) {
        sizes[i] = pod_little_u16(data + 2 + 2 * i);
        const size_t step = data[0] == 1 ? (sizes[i] + 7) & ~(size_t)7 : sizes[i];
        if (step > message->size - at)
            return false;
        parts[i] = data + at;
        at += step;
    }
    parts[3] = data + at;
    sizes[3] = message->size - at;
    return true;
}

static pod_status add_attribute(pod_hdf5 *self, const pod_hdf5_message *message, pod_error *error)
{
    const unsigned char *parts[4];
    size_t sizes[4], size;
    element_type type;
    pod_shape shape;
    const char *text;
    if (!split_attribute(message, parts, sizes) || (message->data[0] > 1 && message->data[1] != 0))
        return POD_OK; /* none of those that are needed */
    pod_status status = read_type(self, &(pod_hdf5_message){.data = parts[1], .size = sizes[1]}, &type, error);
    const bool is_variable = status == POD_OK && type.kind == VARIABLE && (type.bits & 15) == 1 && sizes[3] >= 16;
    const bool is_fixed = status == POD_OK && type.kind == TEXT && sizes[3] >= type.size;
    if (status != POD_OK || !(is_variable || is_fixed))
        return status;
    status = read_shape(self, &(pod_hdf5_message){.data = parts[2], .size = sizes[2]}, &shape, NULL);
    if (status != POD_OK || shape.rank != 0)
        return POD_OK;
    text = (const char *)parts[3];
    size = strnlen(text, is_fixed ? type.size : 0);
    if (is_variable)
        status = find_text(self, parts[3], &text, &size, error);
    const size_t name_size = strnlen((const char *)parts[0], sizes[0]);
    return status == POD_OK ? add_text(self, (const char *)parts[0], name_size, text, size, error) : status;
}

pod_status pod_format_hdf5_add_texts(pod_hdf5 *self, const pod_hdf5_object *object, pod_error *error)
{
    pod_status status = POD_OK;
    for (size_t i = 0; status == POD_OK && i < object->count; i++)
        if (object->messages[i].type == POD_HDF5_ATTRIBUTE && !(object->messages[i].flags & 2))
            status = add_attribute(self, &object->messages[i], error);
    return status;
}
