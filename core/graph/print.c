#include "base/decimal.h"
#include "base/text.h"
#include "graph/node.h"

/* Graphs as text: one line a node, regions indented below theirs. */

#define MOST_PRINTED_ELEMENTS 8

static void print_indent(pod_text *text, int depth)
{
    for (int i = 0; i < depth; i++)
        pod_text_append(text, "  ");
}

/* "f32[32,784]" */
static void print_type(pod_text *text, const pod_type *type)
{
    pod_text_format(text, "%s[", pod_dtype_xla_name(type->dtype));
    for (int32_t i = 0; i < type->shape.rank; i++)
        pod_text_format(text, "%s%lld", i > 0 ? "," : "", (long long)type->shape.dims[i]);
    pod_text_append(text, "]");
}

static void print_types(pod_text *text, const pod_node *node)
{
    if (node->result_count != 1)
        pod_text_append(text, "(");
    for (uint32_t i = 0; i < node->result_count; i++) {
        pod_text_append(text, i > 0 ? ", " : "");
        print_type(text, &node->results[i]);
    }
    if (node->result_count != 1)
        pod_text_append(text, ")");
}

static void print_axes(pod_text *text, const char *name, const pod_axes *axes)
{
    if (axes->count == 0)
        return;
    pod_text_format(text, " %s={", name);
    for (int32_t i = 0; i < axes->count; i++)
        pod_text_format(text, "%s%d", i > 0 ? "," : "", axes->axes[i]);
    pod_text_append(text, "}");
}

static void print_sizes(pod_text *text, const char *name, const int64_t *sizes, int32_t count)
{
    pod_text_format(text, " %s={", name);
    for (int32_t i = 0; i < count; i++)
        pod_text_format(text, "%s%lld", i > 0 ? "," : "", (long long)sizes[i]);
    pod_text_append(text, "}");
}

/* Prints a list of a window unless every number of it is the usual one. */
static void print_unusual(pod_text *text, const char *name, const int64_t *sizes, int32_t count, int64_t usual)
{
    for (int32_t i = 0; i < count; i++) {
        if (sizes[i] != usual) {
            print_sizes(text, name, sizes, count);
            return;
        }
    }
}

static void print_window(pod_text *text, const pod_window *window)
{
    print_sizes(text, "size", window->size, window->rank);
    print_unusual(text, "stride", window->stride, window->rank, 1);
    print_unusual(text, "pad_low", window->pad_low, window->rank, 0);
    print_unusual(text, "pad_high", window->pad_high, window->rank, 0);
    print_unusual(text, "dilation", window->dilation, window->rank, 1);
    if (window->groups != 1)
        pod_text_format(text, " groups=%lld", (long long)window->groups);
}

static void print_quoted(pod_text *text, const char *name, const char *value)
{
    pod_text_format(text, " %s=\"", name);
    for (; *value; value++) {
        unsigned char c = (unsigned char)*value;
        if (c == '"' || c == '\\')
            pod_text_format(text, "\\%c", c);
        else if (c < 32)
            pod_text_format(text, "\\x%02x", c);
        else
            pod_text_append_bytes(text, value, 1);
    }
    pod_text_append(text, "\"");
}

static void print_values(pod_text *text, const double values[4])
{
    int count = 4;
    while (count > 0 && values[count - 1] == 0)
        count--;
    if (count == 0)
        return;
    pod_text_append(text, " values={");
    for (int i = 0; i < count; i++) {
        pod_text_append(text, i > 0 ? "," : "");
        pod_text_number(text, values[i]);
    }
    pod_text_append(text, "}");
}

/* Integers up to 2^53 print exactly through a double; larger 64-bit ones print rounded. */
static void print_element(pod_text *text, pod_dtype dtype, const char *element)
{
    double value;
    char digits[POD_NUMBER_TEXT_SIZE];
    pod_convert(dtype, element, POD_F64, &value, 1);
    if (dtype == POD_BOOL)
        pod_text_append(text, value != 0 ? "true" : "false");
    else if (value > -1e15 && value < 1e15 && value == (double)(int64_t)value)
        pod_text_format(text, "%lld", (long long)value);
    else
        pod_text_append(text,
                        dtype == POD_F64 ? pod_number_text(value, digits) : pod_number_text_f32((float)value, digits));
}

static void print_constant(pod_text *text, const pod_node *node)
{
    const pod_type *type = &node->results[0];
    const char *elements = pod_node_constant_data(node);
    if (node->attributes->flag) {
        print_element(text, type->dtype, elements);
        return;
    }
    int64_t count = pod_shape_elements(&type->shape);
    int64_t printed = count <= MOST_PRINTED_ELEMENTS ? count : MOST_PRINTED_ELEMENTS;
    pod_text_append(text, "{");
    for (int64_t i = 0; i < printed; i++) {
        pod_text_append(text, i > 0 ? ", " : "");
        print_element(text, type->dtype, elements + (size_t)i * pod_dtype_size(type->dtype));
    }
    pod_text_append(text, printed < count ? ", ...}" : "}");
}

static void print_pairs(pod_text *text, const pod_node *node)
{
    const int32_t *pairs = node->attributes->data;
    pod_text_append(text, " pairs={");
    for (int64_t i = 0; i < node->attributes->count; i++)
        pod_text_format(text, "%s%d->%d", i > 0 ? "," : "", pairs[2 * i], pairs[2 * i + 1]);
    pod_text_append(text, "}");
}

/* Fields that are plain numbers, and those that show in the type of the result anyway. */
static void print_numbers(pod_text *text, const pod_node *node, uint32_t fields)
{
    const pod_attributes *a = node->attributes;
    bool is_call = node->op == POD_OP_CALL; /* reads few of its many fields */
    if (fields & POD_FIELD_AXIS && (!is_call || a->axis != 0))
        pod_text_format(text, " %s=%d", node->op == POD_OP_PARAMETER ? "number" : "axis", a->axis);
    if (fields & POD_FIELD_COUNT && a->count != 0)
        pod_text_format(text, " count=%lld", (long long)a->count);
    if (fields & POD_FIELD_COMPARISON)
        pod_text_format(text, " %s", pod_comparison_names()[a->comparison]);
    if (fields & POD_FIELD_REDUCTION)
        pod_text_format(text, " %s", pod_reduction_names()[a->reduction]);
    if (fields & POD_FIELD_FLAG && a->flag && node->op != POD_OP_CONSTANT)
        pod_text_append(text, " flag");
    const bool seldom = is_call || fields & POD_FIELD_REDUCTION || node->op == POD_OP_ALL_GATHER;
    if (fields & POD_FIELD_SEED && (!seldom || a->seed != 0))
        pod_text_format(text, " seed=%llu", (unsigned long long)a->seed);
}

static void print_attributes(pod_text *text, const pod_node *node)
{
    const pod_attributes *a = node->attributes;
    uint32_t fields = pod_op_get(node->op)->reads;
    if (fields & POD_FIELD_NAME && a->name)
        print_quoted(text, "name", a->name);
    print_numbers(text, node, fields);
    if (fields & POD_FIELD_AXES)
        print_axes(text, "axes", &a->axes);
    if (fields & POD_FIELD_DOT) {
        print_axes(text, "lhs_batch", &a->lhs_batch);
        print_axes(text, "rhs_batch", &a->rhs_batch);
        print_axes(text, "lhs_contract", &a->lhs_contract);
        print_axes(text, "rhs_contract", &a->rhs_contract);
    }
    if (fields & POD_FIELD_RANGE) {
        int32_t rank = node->results[0].shape.rank;
        print_sizes(text, "low", a->low, rank);
        print_sizes(text, "high", a->high, rank);
        print_unusual(text, "step", a->step, rank, node->op == POD_OP_SLICE ? 1 : 0);
    }
    static const char *const precisions[] = {"", "high", "highest", "rounded"}; /* as in pod_precision */
    if (a->precision != POD_PRECISION_DEFAULT)
        pod_text_format(text, " precision=%s", precisions[a->precision]);
    if (fields & POD_FIELD_WINDOW)
        print_window(text, &a->window);
    if (fields & POD_FIELD_VALUES)
        print_values(text, a->values);
    if (node->op == POD_OP_COLLECTIVE_PERMUTE)
        print_pairs(text, node);
}

static void print_operands(pod_text *text, const pod_node *node)
{
    pod_text_append(text, "(");
    if (node->op == POD_OP_CONSTANT)
        print_constant(text, node);
    for (uint32_t i = 0; i < node->input_count; i++)
        pod_text_format(text, "%s%%%u", i > 0 ? ", " : "", node->inputs[i]->id);
    pod_text_append(text, ")");
}

/* "  # dense_1 model.lua:12" */
static void print_place(pod_text *text, const pod_node *node)
{
    if (!node->scope && !node->location)
        return;
    pod_text_append(text, "  #");
    if (node->scope)
        pod_text_format(text, " %s", node->scope);
    if (node->location)
        pod_text_format(text, " %s", node->location);
}

static void print_nodes(pod_text *text, const pod_graph *graph, int depth);

static void print_node(pod_text *text, const pod_node *node, int depth)
{
    print_indent(text, depth);
    pod_text_format(text, "%%%u = ", node->id);
    print_types(text, node);
    pod_text_format(text, " %s", pod_op_name(node->op));
    print_operands(text, node);
    print_attributes(text, node);
    print_place(text, node);
    pod_text_append(text, "\n");
    for (uint32_t i = 0; i < node->region_count; i++) {
        print_indent(text, depth + 1);
        pod_text_format(text, "region %u {\n", i);
        print_nodes(text, node->regions[i], depth + 2);
        print_indent(text, depth + 1);
        pod_text_append(text, "}\n");
    }
}

static void print_nodes(pod_text *text, const pod_graph *graph, int depth)
{
    for (uint32_t i = 0; i < graph->node_count; i++)
        print_node(text, graph->nodes[i], depth);
    for (uint32_t i = 0; i < graph->output_count; i++) {
        print_indent(text, depth);
        pod_text_format(text, "output %%%u", graph->outputs[i]->id);
        if (graph->aliases[i] >= 0)
            pod_text_format(text, " -> parameter %lld", (long long)graph->aliases[i]);
        pod_text_append(text, "\n");
    }
}

char *pod_graph_print(const pod_graph *graph)
{
    pod_text text;
    pod_text_init(&text, graph->context);
    pod_text_format(&text, "graph %s {\n", graph->name);
    print_nodes(&text, graph, 1);
    pod_text_append(&text, "}\n");
    return pod_text_take(&text);
}

void pod_text_free(pod_context *context, char *text)
{
    pod_free(context, text);
}
