/* protobuf - the wire format of protocol buffers. */

#include "formats/protobuf.h"

#include <assert.h>
#include <string.h>

#include "base/bytes.h"

/* ---- reading ---- */

pod_status pod_format_wire_refuse(const pod_wire *from, const char *what, pod_error *error)
{
    return pod_error_set(error, POD_ERROR_FORMAT, "malformed %s: %s at offset %zu", from->what, what,
                         (size_t)(from->at - from->begin));
}

pod_status pod_format_wire_varint(pod_wire *from, uint64_t *value, pod_error *error)
{
    *value = 0;
    for (unsigned shift = 0; shift < 70; shift += 7) {
        if (from->at == from->end)
            return pod_format_wire_refuse(from, "a number is cut short", error);
        assert(from->begin <= from->at && from->at < from->end);
        const unsigned char byte = *from->at++;
        *value |= shift < 64 ? (uint64_t)(byte & 0x7f) << shift : 0;
        if (byte < 0x80)
            return POD_OK;
    }
    return pod_format_wire_refuse(from, "a number has more than ten bytes", error);
}

pod_status pod_format_wire_fixed(pod_wire *from, size_t size, uint64_t *value, pod_error *error)
{
    if ((size_t)(from->end - from->at) < size)
        return pod_format_wire_refuse(from, "a number is cut short", error);
    *value = size == 4 ? pod_little_u32(from->at) : pod_little_u64(from->at);
    from->at += size;
    return POD_OK;
}

static pod_status read_content(pod_wire *from, pod_wire *content, pod_error *error)
{
    uint64_t size;
    const pod_status status = pod_format_wire_varint(from, &size, error);
    if (status != POD_OK)
        return status;
    if (size > (uint64_t)(from->end - from->at))
        return pod_format_wire_refuse(from, "a field is longer than what it is in", error);
    assert(from->begin <= from->at && from->at <= from->end);
    *content = (pod_wire){from->begin, from->at, from->at + size, from->what};
    from->at += size;
    return POD_OK;
}

pod_status pod_format_wire_next(pod_wire *from, pod_wire_field *next, pod_error *error)
{
    uint64_t key;
    if (from->at == from->end)
        return POD_END;
    const pod_status status = pod_format_wire_varint(from, &key, error);
    if (status != POD_OK)
        return status;
    next->number = (uint32_t)(key >> 3);
    next->type = (unsigned)(key & 7);
    switch (next->type) {
    case POD_WIRE_VARINT:
        return pod_format_wire_varint(from, &next->value, error);
    case POD_WIRE_FIXED64:
        return pod_format_wire_fixed(from, 8, &next->value, error);
    case POD_WIRE_LENGTH:
        return read_content(from, &next->content, error);
    case POD_WIRE_FIXED32:
        return pod_format_wire_fixed(from, 4, &next->value, error);
    default:
        return pod_format_wire_refuse(from, "a field has an unknown type", error);
    }
}

/* ---- writing ---- */

size_t pod_format_varint_size(uint64_t value)
{
    size_t size = 1;
    for (; value >= 0x80; value >>= 7)
        size++;
    return size;
}

size_t pod_format_field_size(size_t size)
{
    return 1 + pod_format_varint_size(size) + size;
}

static size_t encode_varint(unsigned char bytes[10], uint64_t value)
{
    size_t size = 0;
    for (; value >= 0x80; value >>= 7)
        bytes[size++] = (unsigned char)(value | 0x80);
    bytes[size++] = (unsigned char)value;
    return size;
}

void pod_format_put_varint(pod_text *to, uint64_t value)
{
    unsigned char bytes[10];
    const size_t size = encode_varint(bytes, value);
    assert(size == pod_format_varint_size(value) && size <= sizeof bytes);
    pod_text_append_bytes(to, bytes, size);
}

static void put_key(pod_text *to, unsigned number, unsigned type)
{
    pod_format_put_varint(to, number << 3 | type);
}

void pod_format_put_header(pod_text *to, unsigned number, size_t size)
{
    put_key(to, number, POD_WIRE_LENGTH);
    pod_format_put_varint(to, size);
}

void pod_format_put_bytes(pod_text *to, unsigned number, const void *bytes, size_t size)
{
    pod_format_put_header(to, number, size);
    pod_text_append_bytes(to, bytes, size);
}

void pod_format_put_text(pod_text *to, unsigned number, const char *text)
{
    pod_format_put_bytes(to, number, text, strlen(text));
}

void pod_format_put_integer(pod_text *to, unsigned number, int64_t value)
{
    put_key(to, number, POD_WIRE_VARINT);
    pod_format_put_varint(to, (uint64_t)value);
}

void pod_format_append_double(pod_text *to, double value)
{
    uint64_t bits;
    unsigned char bytes[8];
    memcpy(&bits, &value, sizeof bits);
    pod_put_little_u64(bytes, bits);
    pod_text_append_bytes(to, bytes, sizeof bytes);
}

void pod_format_put_double(pod_text *to, unsigned number, double value)
{
    put_key(to, number, POD_WIRE_FIXED64);
    pod_format_append_double(to, value);
}

/* A byte is kept free for the size, which most messages need no more for; close_message moves what needs more. */
size_t pod_format_open_message(pod_text *to, unsigned number)
{
    put_key(to, number, POD_WIRE_LENGTH);
    pod_text_append_bytes(to, "", 1);
    return to->length;
}

void pod_format_close_message(pod_text *to, size_t opened)
{
    unsigned char size[10];
    if (to->failed)
        return;
    const size_t content = to->length - opened, more = encode_varint(size, content) - 1;
    pod_text_append_bytes(to, size, more); /* makes room */
    if (to->failed)
        return;
    memmove(to->data + opened + more, to->data + opened, content);
    memcpy(to->data + opened - 1, size, more + 1);
}
