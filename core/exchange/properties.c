/* properties - how StableHLO calls what ops of the table take besides their operands: for reading and for writing. */

#include "exchange/translate.h"
#include "exchange/write.h"

#include <stddef.h>

/* The kinds of properties, by the fields of pod_attributes that they are in. */
typedef enum property_kind {
    KIND_AXIS,  /* int32_t: an axis */
    KIND_COUNT, /* int64_t */
    KIND_AXES,  /* pod_axes */
    KIND_SIZES  /* int64_t[rank of the first operand] */
} property_kind;

typedef struct property {
    pod_op op;
    property_kind kind;
    size_t offset;                /* in pod_attributes */
    const char *pretty, *generic; /* names in both forms; NULL: the pretty one has none of its own */
    int64_t otherwise;            /* of sizes: each of them where none are given */
    const char *missing;          /* what is wrong where it is not there or no such */
} property;

#define OF(field) offsetof(pod_attributes, field)

static const property properties[] = {
    {POD_OP_IOTA, KIND_AXIS, OF(axis), "dim", "iota_dimension", 0, "the axis it counts along is not given"},
    {POD_OP_CONCATENATE, KIND_AXIS, OF(axis), "dim", "dimension", 0, "the axis to concatenate along is not given"},
    {POD_OP_DIMENSION_SIZE, KIND_AXIS, OF(axis), "dim", "dimension", 0, "the axis is not given"},
    {POD_OP_TOP_K, KIND_COUNT, OF(count), NULL, "k", 0, "k is not given"},
    {POD_OP_TRANSPOSE, KIND_AXES, OF(axes), "dims", "permutation", 0, "dims must be a list of axes"},
    {POD_OP_REVERSE, KIND_AXES, OF(axes), "dims", "dimensions", 0, "dims must be a list of axes"},
    {POD_OP_BROADCAST, KIND_AXES, OF(axes), "dims", "broadcast_dimensions", 0,
     "dims must list an axis for each of the operand"},
    {POD_OP_SLICE, KIND_SIZES, OF(low), NULL, "start_indices", 0, "a slice needs a range for each axis"},
    {POD_OP_SLICE, KIND_SIZES, OF(high), NULL, "limit_indices", -1, "a slice needs a range for each axis"},
    {POD_OP_SLICE, KIND_SIZES, OF(step), NULL, "strides", 1, "a slice needs a range for each axis"},
    {POD_OP_PAD, KIND_SIZES, OF(low), "low", "edge_padding_low", 0, "padding needs numbers for each axis"},
    {POD_OP_PAD, KIND_SIZES, OF(high), "high", "edge_padding_high", 0, "padding needs numbers for each axis"},
    {POD_OP_PAD, KIND_SIZES, OF(step), "interior", "interior_padding", 0, "padding needs numbers for each axis"},
    {POD_OP_DYNAMIC_SLICE, KIND_SIZES, OF(shape.dims), "sizes", "slice_sizes", -1, "sizes must give one for each axis"},
};

#define PROPERTY_COUNT (sizeof properties / sizeof *properties)

static bool read_property(pod_call *call, const property *p, void *field)
{
    const pod_syntax_value *value = pod_exchange_call_attribute(call, p->pretty, p->generic);
    int64_t number;
    switch (p->kind) {
    case KIND_AXIS:
        if (!pod_exchange_value_integer(value, &number) || number < 0 || number >= POD_MAX_RANK)
            return false;
        *(int32_t *)field = (int32_t)number;
        return true;
    case KIND_COUNT:
        return pod_exchange_value_integer(value, field);
    case KIND_AXES:
        return pod_exchange_value_axes(call->translator, value, field);
    default:
        return pod_exchange_value_sizes(call->translator, value, pod_node_shape(call->inputs[0], 0)->rank, p->otherwise,
                                        field);
    }
}

pod_outcome pod_exchange_read_properties(pod_call *call, pod_op op, pod_attributes *attributes)
{
    for (size_t i = 0; i < PROPERTY_COUNT; i++)
        if (properties[i].op == op && !read_property(call, &properties[i], (char *)attributes + properties[i].offset))
            return pod_exchange_read_fail(call, POD_ERROR_FORMAT, "%s", properties[i].missing);
    return POD_READ;
}

pod_outcome pod_exchange_read_plain(pod_call *call)
{
    pod_attributes attributes = {0};
    const pod_outcome outcome = pod_exchange_read_properties(call, call->code, &attributes);
    if (outcome != POD_READ)
        return outcome;
    return pod_exchange_call_give(call, call->code, call->inputs, call->op->operand_count, &attributes);
}

void pod_exchange_write_properties(pod_module_writer *w, const pod_node *node)
{
    const char *open = " <{";
    for (size_t i = 0; i < PROPERTY_COUNT; i++) {
        const property *p = &properties[i];
        const void *field = (const char *)node->attributes + p->offset;
        if (p->op != node->op)
            continue;
        pod_text_format(&w->text, "%s%s = ", open, p->generic);
        if (p->kind == KIND_AXES)
            pod_exchange_write_axes(w, field);
        else if (p->kind == KIND_SIZES)
            pod_exchange_write_integers(w, field, node->results[0].shape.rank);
        else
            pod_text_format(&w->text, "%lld : i64",
                            p->kind == KIND_AXIS ? (long long)*(const int32_t *)field
                                                 : (long long)*(const int64_t *)field);
        open = ", ";
    }
    if (open[0] == ',')
        pod_text_append(&w->text, "}>");
}
