#include <string.h>

#include "graph/node.h"
#include "moonpod/program.h"

/* The fields of nodes that ops read: copied, compared and hashed. What nodes are called counts nowhere. */

/* A field of pod_attributes as bytes. */
typedef struct pod_field_bytes {
    uint32_t field;
    size_t offset, size;
} pod_field_bytes;

#define FIELD_BYTES(bit, member)                                                                                       \
    {                                                                                                                  \
        bit, offsetof(pod_attributes, member), sizeof(((pod_attributes *)0)->member)                                   \
    }

/* Every member but the pointers, none of which has padding inside that could differ. */
static const pod_field_bytes field_bytes[] = {
    FIELD_BYTES(POD_FIELD_DTYPE, dtype),
    FIELD_BYTES(POD_FIELD_AXES, axes),
    FIELD_BYTES(POD_FIELD_AXIS, axis),
    FIELD_BYTES(POD_FIELD_COUNT, count),
    FIELD_BYTES(POD_FIELD_SHAPE, shape.rank),
    FIELD_BYTES(POD_FIELD_SHAPE, shape.dims),
    FIELD_BYTES(POD_FIELD_DOT, lhs_batch),
    FIELD_BYTES(POD_FIELD_DOT, rhs_batch),
    FIELD_BYTES(POD_FIELD_DOT, lhs_contract),
    FIELD_BYTES(POD_FIELD_DOT, rhs_contract),
    FIELD_BYTES(POD_FIELD_RANGE, low),
    FIELD_BYTES(POD_FIELD_RANGE, high),
    FIELD_BYTES(POD_FIELD_RANGE, step),
    FIELD_BYTES(POD_FIELD_WINDOW, window.rank),
    FIELD_BYTES(POD_FIELD_WINDOW, window.size),
    FIELD_BYTES(POD_FIELD_WINDOW, window.stride),
    FIELD_BYTES(POD_FIELD_WINDOW, window.pad_low),
    FIELD_BYTES(POD_FIELD_WINDOW, window.pad_high),
    FIELD_BYTES(POD_FIELD_WINDOW, window.dilation),
    FIELD_BYTES(POD_FIELD_WINDOW, window.groups),
    FIELD_BYTES(POD_FIELD_COMPARISON, comparison),
    FIELD_BYTES(POD_FIELD_REDUCTION, reduction),
    FIELD_BYTES(POD_FIELD_FLAG, flag),
    FIELD_BYTES(POD_FIELD_SEED, seed),
    FIELD_BYTES(POD_FIELD_VALUES, values),
    FIELD_BYTES(POD_FIELD_PRECISION, precision),
    FIELD_BYTES(POD_FIELD_ELEMENT, element),
};

#define FIELD_BYTES_COUNT (sizeof(field_bytes) / sizeof(field_bytes[0]))

/* Sizes past the rank and axes past the count become zero, so that equal lists are equal bytes. */
static void clear_sizes(pod_shape *shape)
{
    for (int32_t i = shape->rank < 0 ? 0 : shape->rank; i < POD_MAX_RANK; i++)
        shape->dims[i] = 0;
}

static void clear_axes(pod_axes *axes)
{
    for (int32_t i = axes->count < 0 ? 0 : axes->count; i < POD_MAX_RANK; i++)
        axes->axes[i] = 0;
}

void pod_graph_take_attributes(pod_attributes *to, const pod_attributes *from, uint32_t fields)
{
    memset(to, 0, sizeof(*to));
    if (!fields) /* so do most ops */
        return;
    for (size_t i = 0; i < FIELD_BYTES_COUNT; i++) {
        const pod_field_bytes *field = &field_bytes[i];
        if (fields & field->field)
            memcpy((char *)to + field->offset, (const char *)from + field->offset, field->size);
    }
    to->name = fields & POD_FIELD_NAME ? from->name : NULL;
    to->data = fields & POD_FIELD_DATA ? from->data : NULL;
    if (fields & POD_FIELD_SHAPE)
        clear_sizes(&to->shape);
    if (fields & POD_FIELD_AXES)
        clear_axes(&to->axes);
    if (fields & POD_FIELD_DOT) {
        clear_axes(&to->lhs_batch);
        clear_axes(&to->rhs_batch);
        clear_axes(&to->lhs_contract);
        clear_axes(&to->rhs_contract);
    }
}

/* ---- equality and hashes --------------------------------------------------------------------- */

/* Returns whether the name of an op's node says what it does. */
static bool name_counts(pod_op op)
{
    return op == POD_OP_CALL || op == POD_OP_CHECK || op == POD_OP_PRINT || op == POD_OP_OPAQUE;
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash ^= value + UINT64_C(0x9E3779B97F4A7C15) + (hash << 6) + (hash >> 2);
    hash ^= hash >> 32;
    hash *= UINT64_C(0xD6E8FEB86659FD93);
    return hash ^ hash >> 32;
}

static uint64_t mix_bytes(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    uint64_t word;
    hash = mix(hash, size);
    for (; size >= sizeof(word); size -= sizeof(word), at += sizeof(word)) {
        memcpy(&word, at, sizeof(word));
        hash = mix(hash, word);
    }
    word = 0;
    if (size > 0)
        memcpy(&word, at, size);
    return mix(hash, word);
}

static void put(uint64_t *hash, uint64_t value)
{
    *hash = mix(*hash, value);
}

static void put_bytes(uint64_t *hash, const void *bytes, size_t size)
{
    *hash = mix_bytes(*hash, bytes, size);
}

static void put_shape(uint64_t *hash, const pod_shape *shape)
{
    put(hash, (uint64_t)shape->rank);
    put_bytes(hash, shape->dims, (size_t)shape->rank * sizeof shape->dims[0]);
}

/* Returns the bytes behind attributes.data. */
static size_t data_bytes(const pod_node *node)
{
    const pod_attributes *attributes = node->attributes;
    if (node->op == POD_OP_COLLECTIVE_PERMUTE)
        return (size_t)attributes->count * 2 * sizeof(int32_t);
    if (node->op == POD_OP_OPAQUE)
        return (size_t)attributes->count * sizeof(pod_value_type);
    if (node->op != POD_OP_CONSTANT)
        return 0;
    return attributes->flag ? pod_dtype_size(attributes->dtype) : pod_buffer_bytes(node->constant);
}

static void put_attributes(uint64_t *hash, const pod_node *node)
{
    uint32_t fields = pod_op_get(node->op)->reads;
    const char *bytes = (const char *)node->attributes;
    for (size_t i = 0; i < FIELD_BYTES_COUNT; i++) {
        if (fields & field_bytes[i].field)
            put_bytes(hash, bytes + field_bytes[i].offset, field_bytes[i].size);
    }
    const char *name = name_counts(node->op) ? node->attributes->name : NULL;
    put_bytes(hash, name ? name : "", name ? strlen(name) : 0);
    if (data_bytes(node) > 0)
        put_bytes(hash, node->attributes->data, data_bytes(node));
}

static bool same_data(const pod_node *a, const pod_node *b)
{
    size_t bytes = data_bytes(a);
    if (bytes != data_bytes(b))
        return false;
    return bytes == 0 || a->attributes->data == b->attributes->data ||
           memcmp(a->attributes->data, b->attributes->data, bytes) == 0;
}

static bool same_name(const pod_node *a, const pod_node *b)
{
    const char *first = a->attributes->name, *second = b->attributes->name;
    if (!name_counts(a->op) || first == second)
        return true;
    return first && second && strcmp(first, second) == 0;
}

bool pod_node_same_attributes(const pod_node *a, const pod_node *b)
{
    if (a->op != b->op)
        return false;
    uint32_t fields = pod_op_get(a->op)->reads;
    const char *first = (const char *)a->attributes, *second = (const char *)b->attributes;
    for (size_t i = 0; i < FIELD_BYTES_COUNT; i++) {
        const pod_field_bytes *field = &field_bytes[i];
        if (fields & field->field && memcmp(first + field->offset, second + field->offset, field->size) != 0)
            return false;
    }
    return same_name(a, b) && same_data(a, b);
}

static void put_graph(uint64_t *hash, const pod_graph *graph);

static void put_node(uint64_t *hash, const pod_node *node)
{
    put(hash, (uint64_t)node->op);
    put(hash, node->input_count);
    for (uint32_t i = 0; i < node->input_count; i++)
        put(hash, node->inputs[i]->id);
    put(hash, node->result_count);
    for (uint32_t i = 0; i < node->result_count; i++) {
        put(hash, (uint64_t)node->results[i].dtype);
        put_shape(hash, &node->results[i].shape);
    }
    put(hash, node->region_count);
    for (uint32_t i = 0; i < node->region_count; i++)
        put_graph(hash, node->regions[i]);
    put_attributes(hash, node);
}

static void put_graph(uint64_t *hash, const pod_graph *graph)
{
    put(hash, graph->node_count);
    put(hash, graph->output_count);
    for (uint32_t i = 0; i < graph->node_count; i++)
        put_node(hash, graph->nodes[i]);
    for (uint32_t i = 0; i < graph->output_count; i++) {
        put(hash, graph->outputs[i]->id);
        put(hash, (uint64_t)graph->aliases[i]);
    }
}

uint64_t pod_graph_hash(const pod_graph *graph)
{
    uint64_t hash = graph->node_count;
    put_graph(&hash, graph);
    return hash;
}
