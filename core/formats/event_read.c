/* event_read - the values of event files. */

#include "moonpod/events.h"

#include <string.h>

#include "base/bytes.h"
#include "base/context.h"
#include "formats/event_file.h"
#include "formats/record.h"

struct pod_event_reader {
    pod_context *context; /* shared */
    pod_record_reader *records;
    double wall_time; /* of the event that is read */
    int64_t step;
    pod_wire summary; /* what is left of it; in the record */
};

pod_status pod_event_reader_open(pod_context *context, const char *path, pod_event_reader **reader, pod_error *error)
{
    *reader = NULL;
    pod_event_reader *made = pod_allocate_zeroed(context, 1, sizeof *made);
    if (made == NULL)
        return pod_error_memory(error, "an event reader", sizeof *made);
    const pod_status status = pod_record_reader_open(context, path, "none", &made->records, error);
    if (status != POD_OK) {
        pod_free(context, made);
        return status;
    }
    pod_format_record_reader_set_grows(made->records);
    made->context = pod_context_retain(context);
    *reader = made;
    return POD_OK;
}

static double double_of(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static double float_of(uint64_t bits)
{
    const uint32_t low = (uint32_t)bits;
    float value;
    memcpy(&value, &low, sizeof value);
    return (double)value;
}

/* Reads an event's time, step and where its summary lies. */
static pod_status read_event(pod_event_reader *reader, pod_wire from, pod_error *error)
{
    pod_wire_field field;
    pod_status status;
    reader->wall_time = 0;
    reader->step = 0;
    reader->summary = (pod_wire){from.begin, from.end, from.end, from.what};
    while ((status = pod_format_wire_next(&from, &field, error)) == POD_OK) {
        if (field.number == 1 && field.type == POD_WIRE_FIXED64)
            reader->wall_time = double_of(field.value);
        else if (field.number == 2 && field.type == POD_WIRE_VARINT)
            reader->step = (int64_t)field.value;
        else if (field.number == 5 && field.type == POD_WIRE_LENGTH)
            reader->summary = field.content;
    }
    return status == POD_END ? POD_OK : status;
}

/* Holds what is known of a tensor. */
typedef struct tensor {
    int64_t dtype;
    double elements; /* a product of sizes, whatever they claim */
    pod_wire content;
    bool has_number; /* the first of a list of numbers */
    double number;
} tensor;

static pod_status read_shape(pod_wire from, tensor *into, pod_error *error)
{
    pod_wire_field dim, size;
    pod_status status;
    while ((status = pod_format_wire_next(&from, &dim, error)) == POD_OK) {
        uint64_t elements = 0;
        if (dim.number != 2 || dim.type != POD_WIRE_LENGTH)
            continue;
        while ((status = pod_format_wire_next(&dim.content, &size, error)) == POD_OK)
            if (size.number == 1 && size.type == POD_WIRE_VARINT)
                elements = size.value;
        if (status != POD_END)
            return status;
        into->elements *= (double)elements;
    }
    return status == POD_END ? POD_OK : status;
}

/* Takes the first number of a list, packed or not: floats, doubles, integers of either size or bools. */
static pod_status read_number(const pod_wire_field *field, tensor *into, pod_error *error)
{
    const size_t size = field->number == 5 ? 4 : field->number == 6 ? 8 : 0;
    uint64_t bits = field->value;
    pod_wire packed = field->content;
    if (field->type == POD_WIRE_LENGTH) {
        if (packed.at == packed.end)
            return POD_OK;
        const pod_status status = size > 0 ? pod_format_wire_fixed(&packed, size, &bits, error)
                                           : pod_format_wire_varint(&packed, &bits, error);
        if (status != POD_OK)
            return status;
    }
    if (!into->has_number)
        into->number = size == 4 ? float_of(bits) : size == 8 ? double_of(bits) : (double)(int64_t)bits;
    into->has_number = true;
    return POD_OK;
}

static pod_status read_tensor(pod_wire from, tensor *into, pod_error *error)
{
    pod_wire_field field;
    pod_status status;
    *into = (tensor){.elements = 1, .content = {from.begin, from.end, from.end, from.what}};
    while ((status = pod_format_wire_next(&from, &field, error)) == POD_OK) {
        if (field.number == 1 && field.type == POD_WIRE_VARINT)
            into->dtype = (int64_t)field.value;
        else if (field.number == 2 && field.type == POD_WIRE_LENGTH)
            status = read_shape(field.content, into, error);
        else if (field.number == 4 && field.type == POD_WIRE_LENGTH)
            into->content = field.content;
        else if ((field.number >= 5 && field.number <= 7) || field.number == 10 || field.number == 11)
            status = read_number(&field, into, error);
        if (status != POD_OK)
            return status;
    }
    return status == POD_END ? POD_OK : status;
}

/* The type of the core that a DataType is. */
static pod_dtype dtype_of(int64_t type)
{
    static const pod_dtype dtypes[] = {[1] = POD_F32, [2] = POD_F64,   [3] = POD_S32,   [4] = POD_U8,
                                       [9] = POD_S64, [10] = POD_BOOL, [14] = POD_BF16, [19] = POD_F16};
    return type > 0 && type < (int64_t)(sizeof dtypes / sizeof dtypes[0]) ? dtypes[type] : POD_DTYPE_NONE;
}

/* Returns whether a tensor is one number, and which. */
static bool number_of(const tensor *from, double *number)
{
    const pod_dtype dtype = dtype_of(from->dtype);
    const size_t size = (size_t)(from->content.end - from->content.at);
    if (dtype == POD_DTYPE_NONE || from->elements != 1)
        return false;
    *number = from->number;
    if (size != pod_dtype_size(dtype))
        return size == 0; /* where there is neither, the number is 0 */
    uint64_t aligned = 0;
    memcpy(&aligned, from->content.at, size);
    pod_convert(dtype, &aligned, POD_F64, number, 1);
    return true;
}

/* Finds field 1 of field 1: the plugin's name. */
static pod_status read_plugin(pod_wire from, pod_bytes *plugin, pod_error *error)
{
    pod_wire_field data, name;
    pod_status status;
    while ((status = pod_format_wire_next(&from, &data, error)) == POD_OK) {
        if (data.number != 1 || data.type != POD_WIRE_LENGTH)
            continue;
        while ((status = pod_format_wire_next(&data.content, &name, error)) == POD_OK)
            if (name.number == 1 && name.type == POD_WIRE_LENGTH)
                *plugin = (pod_bytes){name.content.at, (size_t)(name.content.end - name.content.at)};
        if (status != POD_END)
            return status;
    }
    return status == POD_END ? POD_OK : status;
}

/* A value is a scalar if it is a plain number, or a tensor of one number that no other plugin shows. */
static pod_status read_value(pod_wire from, pod_event_value *value, pod_error *error)
{
    pod_wire_field field;
    pod_status status;
    tensor found = {0};
    bool is_number = false;
    value->tag = value->plugin = (pod_bytes){"", 0};
    while ((status = pod_format_wire_next(&from, &field, error)) == POD_OK) {
        if (field.number == 1 && field.type == POD_WIRE_LENGTH) {
            value->tag = (pod_bytes){field.content.at, (size_t)(field.content.end - field.content.at)};
        } else if (field.number == 2 && field.type == POD_WIRE_FIXED32) {
            is_number = true;
            value->scalar = float_of(field.value);
        } else if (field.number == 8 && field.type == POD_WIRE_LENGTH) {
            status = read_tensor(field.content, &found, error);
        } else if (field.number == 9 && field.type == POD_WIRE_LENGTH) {
            status = read_plugin(field.content, &value->plugin, error);
        }
        if (status != POD_OK)
            return status;
    }
    if (status != POD_END)
        return status;
    const bool is_shown =
        value->plugin.size == 0 || (value->plugin.size == 7 && memcmp(value->plugin.data, "scalars", 7) == 0);
    value->is_scalar = is_number || (is_shown && number_of(&found, &value->scalar));
    return POD_OK;
}

pod_status pod_event_reader_next(pod_event_reader *reader, pod_event_value *value, pod_error *error)
{
    pod_wire_field field;
    const void *bytes;
    size_t size;
    *value = (pod_event_value){0};
    for (;;) {
        pod_status status = pod_format_wire_next(&reader->summary, &field, error);
        if (status == POD_OK && (field.number != 1 || field.type != POD_WIRE_LENGTH))
            continue;
        if (status == POD_OK) {
            value->wall_time = reader->wall_time;
            value->step = reader->step;
            return read_value(field.content, value, error);
        }
        if (status == POD_END)
            status = pod_record_reader_next(reader->records, &bytes, &size, error);
        if (status != POD_OK)
            return status;
        const unsigned char *begin = bytes;
        status = read_event(reader, (pod_wire){begin, begin, begin + size, "event"}, error);
        if (status != POD_OK)
            return status;
    }
}

void pod_event_reader_close(pod_event_reader *reader)
{
    if (reader == NULL)
        return;
    pod_context *context = reader->context;
    pod_record_reader_close(reader->records);
    pod_free(context, reader);
    pod_context_release(context);
}
