/* write_values - what all writers of ops are made of: values, types, texts, regions: see write.h. */

#include "base/growth.h"
#include "exchange/write.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/context.h"
#include "base/error.h"
#include "moonpod/exchange.h"

/* ---- values and types ------------------------------------------------------------------------ */

/* Returns whether a node and the one before it are one barrier. */
static bool goes_on(const pod_node *node)
{
    const pod_node *before = node->id > 0 ? node->graph->nodes[node->id - 1] : NULL;
    return node->op == POD_OP_BARRIER && before && before->op == POD_OP_BARRIER && node->attributes->count != 0 &&
           before->attributes->count == node->attributes->count;
}

const pod_node *pod_exchange_first_of_barrier(const pod_node *node)
{
    while (goes_on(node))
        node = node->graph->nodes[node->id - 1];
    return node;
}

/* The number of a value among the results of what is written, -1 where it is the only one. */
static int32_t number_of_barrier(const pod_node *node)
{
    const bool is_last = node->id + 1 == node->graph->node_count || !goes_on(node->graph->nodes[node->id + 1]);
    return is_last && !goes_on(node) ? -1 : (int32_t)(node->id - pod_exchange_first_of_barrier(node)->id);
}

const char *pod_exchange_value_text(const pod_frame *frame, const pod_node *node, char text[POD_EXCHANGE_VALUE_SIZE])
{
    int32_t result = -1;
    for (;;) {
        if (node->op == POD_OP_PARAMETER && frame->outer) {
            node = frame->operands[node->attributes->axis];
            frame = frame->outer;
            continue;
        }
        if (node->op != POD_OP_RESULT)
            break;
        result = node->attributes->axis;
        node = node->inputs[0];
    }
    if (node->op == POD_OP_BARRIER) {
        result = number_of_barrier(node);
        node = pod_exchange_first_of_barrier(node);
    }
    int length = node->op == POD_OP_PARAMETER
                     ? snprintf(text, POD_EXCHANGE_VALUE_SIZE, "%%a%u_%d", frame->number, node->attributes->axis)
                     : snprintf(text, POD_EXCHANGE_VALUE_SIZE, "%%v%u_%u", frame->number, node->id);
    if (result >= 0)
        snprintf(text + length, POD_EXCHANGE_VALUE_SIZE - (size_t)length, "#%d", result);
    return text;
}

void pod_exchange_write_value(pod_module_writer *w, const pod_frame *frame, const pod_node *node)
{
    char text[POD_EXCHANGE_VALUE_SIZE];
    pod_text_append(&w->text, pod_exchange_value_text(frame, node, text));
}

/* A result of an op with regions is what the region gives, and a barrier what it holds back. */
pod_element pod_node_element(const pod_node *node, size_t index)
{
    for (;;) {
        switch (node->op) {
        case POD_OP_PARAMETER:
            if (node->attributes->element)
                return (pod_element)node->attributes->element;
            return pod_element_from_dtype(node->results[0].dtype);
        case POD_OP_OPAQUE:
            return (pod_element)((const pod_value_type *)node->attributes->data)[index].element;
        case POD_OP_RESULT:
            index = (size_t)node->attributes->axis;
            node = node->inputs[0];
            break;
        case POD_OP_BARRIER:
            node = node->inputs[0];
            break;
        case POD_OP_WHILE:
            node = node->inputs[index];
            index = 0;
            break;
        case POD_OP_COND:
        case POD_OP_CALL:
            node = node->regions[0]->outputs[index];
            index = 0;
            break;
        default:
            return pod_element_from_dtype(pod_node_dtype(node, index));
        }
    }
}

/* MLIR's name of an element: integers without a sign are signed, and small floats are in capitals. */
static const char *element_text(pod_element element, char text[32])
{
    const char *xla = pod_element_xla_name(element);
    if (element == POD_ELEMENT_PRED)
        return "i1";
    if (element == POD_ELEMENT_C64 || element == POD_ELEMENT_C128)
        return element == POD_ELEMENT_C64 ? "complex<f32>" : "complex<f64>";
    snprintf(text, 32, "%s%s", xla[0] == 's' ? "i" : xla[0] == 'u' ? "ui" : "", xla + (xla[0] == 's' || xla[0] == 'u'));
    for (char *at = text + 1; xla[0] == 'f' && *at; at++)
        *at = *at >= 'a' && *at <= 'z' ? (char)(*at - 'a' + 'A') : *at;
    return text;
}

const char *pod_exchange_type_text(int32_t element, const pod_shape *shape, char text[POD_EXCHANGE_TYPE_SIZE])
{
    char name[32];
    int length = snprintf(text, POD_EXCHANGE_TYPE_SIZE, "tensor<");
    if (element == POD_ELEMENT_NONE)
        return "!stablehlo.token";
    for (int32_t i = 0; shape && i < shape->rank; i++)
        length += snprintf(text + length, POD_EXCHANGE_TYPE_SIZE - (size_t)length, "%lldx", (long long)shape->dims[i]);
    snprintf(text + length, POD_EXCHANGE_TYPE_SIZE - (size_t)length, "%s>", element_text((pod_element)element, name));
    return text;
}

const char *pod_exchange_scalar_text(pod_dtype dtype, char text[POD_EXCHANGE_TYPE_SIZE])
{
    return pod_exchange_type_text((int32_t)pod_element_from_dtype(dtype), NULL, text);
}

void pod_exchange_write_type(pod_module_writer *w, const pod_node *node, size_t index)
{
    char text[POD_EXCHANGE_TYPE_SIZE];
    assert(index < node->result_count);
    pod_text_append(&w->text,
                    pod_exchange_type_text((int32_t)pod_node_element(node, index), &node->results[index].shape, text));
}

void pod_exchange_write_values(pod_module_writer *w, const pod_frame *frame, pod_node *const *nodes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        pod_text_append(&w->text, i > 0 ? ", " : "");
        pod_exchange_write_value(w, frame, nodes[i]);
    }
}

void pod_exchange_write_types(pod_module_writer *w, pod_node *const *nodes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        pod_text_append(&w->text, i > 0 ? ", " : "");
        pod_exchange_write_type(w, nodes[i], 0);
    }
}

void pod_exchange_write_filled(pod_module_writer *w, const char *pattern, const char *const *words)
{
    while (*pattern) {
        const size_t length = strcspn(pattern, "$");
        pod_text_append_bytes(&w->text, pattern, length);
        pattern += length;
        if (*pattern) {
            pod_text_append(&w->text, words[pattern[1] - '0']);
            pattern += 2;
        }
    }
}

/* A text as it stands between quotes. */
static void write_escaped(pod_module_writer *w, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        const unsigned char c = (unsigned char)text[i];
        if (c == '"' || c == '\\' || c < ' ' || c == 127)
            pod_text_format(&w->text, "\\%02X", c);
        else
            pod_text_append_bytes(&w->text, &text[i], 1);
    }
}

void pod_exchange_write_quoted(pod_module_writer *w, const char *text)
{
    pod_text_append(&w->text, "\"");
    write_escaped(w, text, strlen(text));
    pod_text_append(&w->text, "\"");
}

void pod_exchange_write_integers(pod_module_writer *w, const int64_t *values, int32_t count)
{
    pod_text_append(&w->text, count > 0 ? "array<i64: " : "array<i64");
    for (int32_t i = 0; i < count; i++)
        pod_text_format(&w->text, "%s%lld", i > 0 ? ", " : "", (long long)values[i]);
    pod_text_append(&w->text, ">");
}

void pod_exchange_write_axes(pod_module_writer *w, const pod_axes *axes)
{
    int64_t values[POD_MAX_RANK];
    for (int32_t i = 0; i < axes->count; i++)
        values[i] = axes->axes[i];
    pod_exchange_write_integers(w, values, axes->count);
}

/* What is written of a scope and of a file. */
#define LONGEST_SCOPE 500
#define LONGEST_FILE  599

void pod_exchange_write_location(pod_module_writer *w, const pod_node *node)
{
    const char *colon = node->location ? strrchr(node->location, ':') : NULL;
    bool placed = colon && colon[1] >= '0' && colon[1] <= '9' && strspn(colon + 1, "0123456789") == strlen(colon + 1) &&
                  strlen(colon) < 10;
    if (!placed && !node->scope)
        return;
    pod_text_append(&w->text, " loc(");
    if (node->scope) {
        const size_t length = strlen(node->scope);
        pod_text_append(&w->text, "\"");
        write_escaped(w, node->scope, length < LONGEST_SCOPE ? length : LONGEST_SCOPE);
        pod_text_format(&w->text, "/%s\"", pod_op_name(node->op));
    }
    if (placed) {
        const size_t length = (size_t)(colon - node->location);
        pod_text_append(&w->text, node->scope ? "(\"" : "\"");
        write_escaped(w, node->location, length < LONGEST_FILE ? length : LONGEST_FILE);
        pod_text_format(&w->text, "\"%s:0%s", colon, node->scope ? ")" : "");
    }
    pod_text_append(&w->text, ")");
}

/* ---- marks ----------------------------------------------------------------------------------- */

static void mark_integer(pod_module_writer *w, const char *key, int64_t value)
{
    if (value != 0)
        pod_text_format(&w->text, ", moonpod.%s = %lld : i64", key, (long long)value);
}

static void mark_window(pod_module_writer *w, const pod_window *window)
{
    int64_t values[2 + 5 * POD_MAX_SPATIAL] = {window->rank, window->groups};
    for (int i = 0; i < POD_MAX_SPATIAL; i++) {
        int64_t *at = values + 2 + 5 * i;
        at[0] = window->size[i];
        at[1] = window->stride[i];
        at[2] = window->pad_low[i];
        at[3] = window->pad_high[i];
        at[4] = window->dilation[i];
    }
    pod_text_append(&w->text, ", moonpod.window = ");
    pod_exchange_write_integers(w, values, 2 + 5 * POD_MAX_SPATIAL);
}

static void mark_data(pod_module_writer *w, const pod_node *node)
{
    const int32_t *pairs = node->attributes->data;
    pod_text_append(&w->text, ", moonpod.data = array<i64");
    for (int64_t i = 0; i < 2 * node->attributes->count; i++)
        pod_text_format(&w->text, "%s%d", i > 0 ? ", " : ": ", pairs[i]);
    pod_text_append(&w->text, ">");
}

void pod_exchange_write_mark(pod_module_writer *w, const pod_node *node)
{
    const pod_attributes *a = node->attributes;
    uint32_t fields = pod_op_get(node->op)->reads;
    if (w->target)
        return;
    pod_text_append(&w->text, " {moonpod.op = ");
    pod_exchange_write_quoted(w, pod_op_name(node->op));
    if (fields & POD_FIELD_NAME && a->name) {
        pod_text_append(&w->text, ", moonpod.name = ");
        pod_exchange_write_quoted(w, a->name);
    }
    mark_integer(w, "axis", a->axis);
    mark_integer(w, "count", a->count);
    mark_integer(w, "flag", a->flag);
    mark_integer(w, "reduction", a->reduction);
    mark_integer(w, "precision", a->precision);
    mark_integer(w, "seed", (int64_t)a->seed);
    if (a->dtype != POD_DTYPE_NONE)
        pod_text_format(&w->text, ", moonpod.dtype = \"%s\"", pod_dtype_name(a->dtype));
    if (fields & POD_FIELD_SHAPE) {
        pod_text_append(&w->text, ", moonpod.shape = ");
        pod_exchange_write_integers(w, a->shape.dims, a->shape.rank);
    }
    if (fields & POD_FIELD_AXES) {
        pod_text_append(&w->text, ", moonpod.axes = ");
        pod_exchange_write_axes(w, &a->axes);
    }
    if (fields & POD_FIELD_WINDOW)
        mark_window(w, &a->window);
    if (fields & POD_FIELD_VALUES) {
        int64_t bits[4];
        memcpy(bits, a->values, sizeof bits);
        pod_text_append(&w->text, ", moonpod.values = ");
        pod_exchange_write_integers(w, bits, 4);
    }
    if (node->op == POD_OP_COLLECTIVE_PERMUTE)
        mark_data(w, node);
    pod_text_append(&w->text, "}");
}

/* ---- functions ------------------------------------------------------------------------------- */

uint32_t pod_exchange_write_function(pod_module_writer *w, const pod_node *node)
{
    if (pod_grow(w->context, &w->functions, &w->function_room, (size_t)w->function_count + 1,
                 (pod_growth){sizeof *w->functions, .first = 8}, NULL) != POD_OK) {
        w->text.failed = true;
        return 0;
    }
    w->functions[w->function_count] = node;
    return w->function_count++;
}

void pod_exchange_write_region(pod_module_writer *w, const pod_frame *frame, const char *terminator)
{
    const pod_graph *graph = frame->graph;
    for (uint32_t i = 0; i < graph->node_count; i++) {
        w->write_node(w, frame, graph->nodes[i]);
    }
    pod_text_format(&w->text, "\"%s\"(", terminator);
    pod_exchange_write_values(w, frame, graph->outputs, graph->output_count);
    pod_text_append(&w->text, ") : (");
    pod_exchange_write_types(w, graph->outputs, graph->output_count);
    pod_text_append(&w->text, ") -> ()\n");
}

void pod_exchange_write_block(pod_module_writer *w, const pod_graph *graph)
{
    const pod_frame frame = {.graph = graph, .number = w->frames++};
    pod_text_append(&w->text, "{\n^bb0(");
    for (uint32_t i = 0; i < graph->parameter_count; i++) {
        pod_text_format(&w->text, "%s%%a%u_%u: ", i > 0 ? ", " : "", frame.number, i);
        pod_exchange_write_type(w, graph->parameters[i], 0);
    }
    pod_text_append(&w->text, "):\n");
    pod_exchange_write_region(w, &frame, "stablehlo.return");
    pod_text_append(&w->text, "}");
}
