#ifndef POD_FORMATS_PROTOBUF_H
#define POD_FORMATS_PROTOBUF_H

/*
 * protobuf - the wire format of protocol buffers: messages are fields, each with a number and a type.
 *
 *     pod_wire from = {bytes, bytes, bytes + size, "event"};
 *     while ((status = pod_format_wire_next(&from, &field, &error)) == POD_OK) ...     -- ends with POD_END
 *
 * and the other way, into a text that grows; of a message within a message the size is put in when it is closed:
 *
 *     const size_t summary = pod_format_open_message(&text, 5);
 *     pod_format_put_bytes(&text, 1, tag, strlen(tag));
 *     pod_format_close_message(&text, summary);
 */

#include "base/text.h"

enum { POD_WIRE_VARINT = 0, POD_WIRE_FIXED64 = 1, POD_WIRE_LENGTH = 2, POD_WIRE_FIXED32 = 5 };

/* Holds what is left of a message. Offsets are told from the outermost message's beginning. */
typedef struct pod_wire {
    const unsigned char *begin, *at, *end;
    const char *what; /* the outermost message, for errors: "example" */
} pod_wire;

/* One field of a message. */
typedef struct pod_wire_field {
    uint32_t number;
    unsigned type;
    uint64_t value;   /* varint and fixed types */
    pod_wire content; /* POD_WIRE_LENGTH */
} pod_wire_field;

/* Refuses a message: "malformed example: <what> at offset 3". */
pod_status pod_format_wire_refuse(const pod_wire *from, const char *what, pod_error *error);

/* Reads the next field; POD_END at the message's end. */
POD_CHECKED pod_status pod_format_wire_next(pod_wire *from, pod_wire_field *next, pod_error *error);

/* Reads a number of a packed list: of varying size, or of 4 or 8 bytes. */
POD_CHECKED pod_status pod_format_wire_varint(pod_wire *from, uint64_t *value, pod_error *error);
POD_CHECKED pod_status pod_format_wire_fixed(pod_wire *from, size_t size, uint64_t *value, pod_error *error);

/* The bytes of a number, and those of a field whose content has `size` bytes; its number is below 16. */
size_t pod_format_varint_size(uint64_t value);
size_t pod_format_field_size(size_t size);

/* Append a number; what stands before a field of `size` bytes; whole fields. */
void pod_format_put_varint(pod_text *to, uint64_t value);
void pod_format_append_double(pod_text *to, double value);
void pod_format_put_header(pod_text *to, unsigned number, size_t size);
void pod_format_put_bytes(pod_text *to, unsigned number, const void *bytes, size_t size);
void pod_format_put_text(pod_text *to, unsigned number, const char *text);
void pod_format_put_integer(pod_text *to, unsigned number, int64_t value);
void pod_format_put_double(pod_text *to, unsigned number, double value);

/* Begins a message within a message; pod_format_close_message() takes what this returns. */
size_t pod_format_open_message(pod_text *to, unsigned number);
void pod_format_close_message(pod_text *to, size_t opened);

#endif
