/* hdf5_object - the header of an object of an HDF5 file: its messages, of both versions. */

#include "base/bytes.h"
#include "base/context.h"
#include "base/growth.h"
#include "formats/hdf5.h"

#include <string.h>

/* How a header's messages lie. */
typedef struct layout {
    bool newer;   /* version 2 */
    bool ordered; /* messages have a number of their creation */
} layout;

static pod_status add_message(pod_hdf5 *self, pod_hdf5_object *object, pod_hdf5_message message, pod_error *error)
{
    const pod_status status = pod_grow(self->context, &object->messages, &object->room, object->count + 1,
                                       (pod_growth){sizeof *object->messages, .first = 8, .what = "an object"}, error);
    if (status == POD_OK)
        object->messages[object->count++] = message;
    return status;
}

/* Reads a block of messages, which the object keeps. */
static pod_status read_block(pod_hdf5 *self, pod_hdf5_object *object, uint64_t address, uint64_t size,
                             unsigned char **bytes, pod_error *error)
{
    pod_status status = pod_grow(self->context, &object->blocks, &object->block_room, object->block_count + 1,
                                 (pod_growth){sizeof *object->blocks, .first = 2, .what = "an object"}, error);
    if (status == POD_OK)
        status = pod_format_hdf5_read_structure(self, address, size, bytes, error);
    if (status == POD_OK)
        object->blocks[object->block_count++] = *bytes;
    return status;
}

static pod_status add_messages(pod_hdf5 *self, pod_hdf5_object *object, layout how, const unsigned char *bytes,
                               size_t size, uint64_t address, pod_error *error)
{
    const size_t head = how.newer ? how.ordered ? 6 : 4 : 8;
    pod_status status = POD_OK;
    size_t at = 0;
    while (status == POD_OK && size - at >= head) {
        const unsigned char *start = bytes + at;
        const pod_hdf5_message message = {
            .type = how.newer ? start[0] : pod_little_u16(start),
            .flags = how.newer ? start[3] : start[4],
            .data = start + head,
            .size = how.newer ? pod_little_u16(start + 1) : pod_little_u16(start + 2),
        };
        if (message.size > size - at - head)
            return pod_format_hdf5_malformed(self, address + at, "a message is longer than its object's header", error);
        status = add_message(self, object, message, error);
        at += head + message.size;
    }
    return status;
}

/* Reads the blocks that continuation messages name; those may name more. */
static pod_status add_continuations(pod_hdf5 *self, pod_hdf5_object *object, layout how, pod_error *error)
{
    pod_status status = POD_OK;
    for (size_t i = 0; status == POD_OK && i < object->count; i++) {
        const pod_hdf5_message message = object->messages[i];
        unsigned char *bytes;
        if (message.type != POD_HDF5_CONTINUATION)
            continue;
        if (message.size < 16)
            return pod_format_hdf5_malformed(self, 0, "a continuation is too short", error);
        const uint64_t address = pod_little_u64(message.data), size = pod_little_u64(message.data + 8);
        status = read_block(self, object, address, size, &bytes, error);
        if (status != POD_OK)
            return status;
        if (!how.newer)
            status = add_messages(self, object, how, bytes, (size_t)size, address, error);
        else if (size < 8 || memcmp(bytes, "OCHK", 4) != 0)
            status = pod_format_hdf5_malformed(self, address, "an object's header does not go on here", error);
        else
            status = add_messages(self, object, how, bytes + 4, (size_t)size - 8, address + 4, error);
    }
    return status;
}

static pod_status read_older(pod_hdf5 *self, uint64_t address, pod_hdf5_object *object, pod_error *error)
{
    unsigned char head[16], *bytes;
    pod_status status = pod_format_hdf5_read_fixed(self, address, head, sizeof head, error);
    if (status != POD_OK)
        return status;
    if (head[0] != 1)
        return pod_format_hdf5_malformed(self, address, "there is no object where one should be", error);
    const uint32_t size = pod_little_u32(head + 8);
    status = read_block(self, object, address + sizeof head, size, &bytes, error);
    if (status == POD_OK)
        status = add_messages(self, object, (layout){0}, bytes, size, address + sizeof head, error);
    return status == POD_OK ? add_continuations(self, object, (layout){0}, error) : status;
}

static pod_status read_newer(pod_hdf5 *self, uint64_t address, pod_hdf5_object *object, pod_error *error)
{
    unsigned char head[6 + 16 + 4 + 8] = {0}, *bytes;
    pod_status status = pod_format_hdf5_read_fixed(self, address, head, 6, error);
    if (status != POD_OK)
        return status;
    const unsigned flags = head[5];
    const size_t times = flags & 0x20 ? 16 : 0, bounds = flags & 0x10 ? 4 : 0, width = (size_t)1 << (flags & 3);
    const size_t whole = 6 + times + bounds + width;
    if (head[4] != 2)
        return pod_format_hdf5_unsupported(self, "its header is of a version that is not known", error);
    status = pod_format_hdf5_read_fixed(self, address + 6, head + 6, whole - 6, error);
    if (status != POD_OK)
        return status;
    uint64_t size = 0;
    memcpy(&size, head + whole - width, width); /* the low byte first, as the host has it */
    const layout how = {.newer = true, .ordered = (flags & 4) != 0};
    status = read_block(self, object, address + whole, size, &bytes, error);
    if (status == POD_OK)
        status = add_messages(self, object, how, bytes, (size_t)size, address + whole, error);
    return status == POD_OK ? add_continuations(self, object, how, error) : status;
}

pod_status pod_format_hdf5_object_read(pod_hdf5 *self, uint64_t address, pod_hdf5_object *object, pod_error *error)
{
    unsigned char start[4];
    const pod_status status = pod_format_hdf5_read_fixed(self, address, start, sizeof start, error);
    if (status != POD_OK)
        return status;
    return memcmp(start, "OHDR", 4) == 0 ? read_newer(self, address, object, error)
                                         : read_older(self, address, object, error);
}

void pod_format_hdf5_object_clear(pod_hdf5 *self, pod_hdf5_object *object)
{
    for (size_t i = 0; i < object->block_count; i++)
        pod_free(self->context, object->blocks[i]);
    pod_free(self->context, object->blocks);
    pod_free(self->context, object->messages);
    *object = (pod_hdf5_object){0};
}

const pod_hdf5_message *pod_format_hdf5_find(const pod_hdf5_object *object, uint16_t type)
{
    for (size_t i = 0; i < object->count; i++)
        if (object->messages[i].type == type)
            return &object->messages[i];
    return NULL;
}
