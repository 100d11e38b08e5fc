#include "graph/composites.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/context.h"
#include "graph/build.h"

static const pod_composite composites[] = {
#define POD_COMPOSITE_ROW(name, fewest, most, body, gradient, bound) {name, fewest, most, body, gradient, bound},
#include "composites.def"
#undef POD_COMPOSITE_ROW
};

#define COMPOSITE_COUNT (sizeof(composites) / sizeof(composites[0]))

const pod_composite *pod_graph_composite_get(size_t index)
{
    return index < COMPOSITE_COUNT ? &composites[index] : NULL;
}

const pod_composite *pod_graph_composite_find(const char *name)
{
    for (size_t i = 0; name && i < COMPOSITE_COUNT; i++) {
        if (strcmp(composites[i].name, name) == 0)
            return &composites[i];
    }
    return NULL;
}

/* ---- making calls ---------------------------------------------------------------------------- */

/* Writes the body of a composite for operands of these types. NULL after an error, which the
 * caller's graph keeps. */
static pod_graph *write_body(pod_graph *graph, const pod_composite *composite, pod_node *const *inputs, pod_body *body)
{
    pod_error error = {0};
    if (pod_graph_new(graph->context, composite->name, &body->graph, &error) != POD_OK) {
        pod_graph_fail_with(graph, &error);
        return NULL;
    }
    pod_graph_set_place(body->graph, graph->location, graph->scope);
    pod_graph_set_precision(body->graph, graph->precision);
    for (size_t i = 0; i < body->operand_count; i++) {
        const pod_type *type = pod_node_type(inputs[i]);
        body->operands[i] = pod_graph_parameter(body->graph, type->dtype, &type->shape, NULL);
    }
    if (pod_graph_check(body->graph, NULL) == POD_OK)
        composite->body(body);
    if (pod_graph_check(body->graph, &error) == POD_OK)
        return body->graph;
    pod_graph_free(body->graph);
    if (strncmp(error.message, composite->name, strlen(composite->name)) != 0)
        pod_error_prepend(&error, "%s: ", composite->name);
    pod_graph_fail_with(graph, &error);
    return NULL;
}

/* Returns whether all operands are values of the graph; keeps an error when one is not. */
static bool check_operands(pod_graph *graph, const pod_composite *composite, pod_node *const *inputs, size_t count)
{
    if (count < composite->fewest || count > composite->most) {
        pod_graph_fail(graph, POD_ERROR_ARGUMENT, "%s: it has %d to %d operands, but %zu are given", composite->name,
                       composite->fewest, composite->most, count);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        const pod_node *node = inputs[i];
        if (node && node->graph == graph && node->result_count == 1)
            continue;
        pod_graph_fail(graph, POD_ERROR_ARGUMENT, "%s: operand %zu is not one value of graph '%s'", composite->name, i,
                       graph->name);
        return false;
    }
    return true;
}

pod_node *pod_graph_composite(pod_graph *graph, const char *name, pod_node *const *inputs, size_t input_count,
                              const pod_attributes *attributes)
{
    const pod_composite *composite = pod_graph_composite_find(name);
    if (!composite)
        return pod_graph_fail(graph, POD_ERROR_NOT_FOUND, "there is no composite '%s'", name ? name : "(null)");
    if (!check_operands(graph, composite, inputs, input_count))
        return &graph->invalid;
    pod_body body = {.operand_count = input_count};
    if (attributes)
        body.attributes = *attributes;
    body.attributes.name = composite->name;
    pod_graph *region = write_body(graph, composite, inputs, &body);
    if (!region)
        return &graph->invalid;
    return pod_graph_apply(graph, POD_OP_CALL, inputs, input_count, &body.attributes, &region, 1);
}

/* ---- for the bodies -------------------------------------------------------------------------- */

bool pod_graph_body_fail(pod_body *body, pod_status status, const char *format, ...)
{
    char text[POD_ERROR_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    (void)pod_graph_fail(body->graph, status, "%s: %s", body->attributes.name, text);
    return false;
}

pod_dtype pod_graph_wide_dtype(pod_dtype dtype)
{
    return dtype == POD_F16 || dtype == POD_BF16 ? POD_F32 : dtype;
}

pod_node *pod_graph_widen(pod_graph *graph, pod_node *x)
{
    return pod_graph_convert(graph, x, pod_graph_wide_dtype(pod_node_dtype(x, 0)));
}

bool pod_graph_body_expect_float(pod_body *body, size_t index)
{
    pod_dtype dtype = pod_node_dtype(body->operands[index], 0);
    if (pod_dtype_is_float(dtype))
        return true;
    return pod_graph_body_fail(body, POD_ERROR_DTYPE, "operand %zu is %s, but must be a float; convert it", index,
                               pod_dtype_name(dtype));
}

bool pod_graph_body_expect_shape(pod_body *body, size_t index, const pod_shape *shape)
{
    char have[POD_SHAPE_TEXT_SIZE], want[POD_SHAPE_TEXT_SIZE];
    const pod_shape *given = pod_node_shape(body->operands[index], 0);
    if (pod_shape_equal(given, shape))
        return true;
    return pod_graph_body_fail(body, POD_ERROR_SHAPE, "operand %zu is %s, but must be %s; reshape it", index,
                               pod_shape_format(given, have), pod_shape_format(shape, want));
}

bool pod_graph_body_expect_same_dtype(pod_body *body, size_t a, size_t b)
{
    pod_dtype first = pod_node_dtype(body->operands[a], 0);
    pod_dtype second = pod_node_dtype(body->operands[b], 0);
    if (first == second)
        return true;
    return pod_graph_body_fail(body, POD_ERROR_DTYPE,
                               "operands %zu and %zu have different types, %s and %s; convert one", a, b,
                               pod_dtype_name(first), pod_dtype_name(second));
}

bool pod_graph_body_normalize_axis(pod_body *body, const pod_node *x)
{
    char text[POD_SHAPE_TEXT_SIZE];
    const pod_shape *shape = pod_node_shape(x, 0);
    int32_t axis = body->attributes.axis;
    if (axis >= -shape->rank && axis < shape->rank) {
        body->attributes.axis = axis < 0 ? axis + shape->rank : axis;
        return true;
    }
    return pod_graph_body_fail(body, POD_ERROR_SHAPE, "axis is %d, but the operand %s has %d axes", axis,
                               pod_shape_format(shape, text), shape->rank);
}

pod_node *pod_graph_reduce_axis(pod_graph *graph, const char *op, pod_node *x, int32_t axis)
{
    return pod_graph_reduce(graph, op, x, &(pod_axes){.count = 1, .axes = {axis}}, false);
}

pod_node *pod_graph_over_axis(pod_graph *graph, pod_node *x, const pod_node *like, int32_t axis)
{
    return pod_graph_unreduce(graph, x, pod_node_shape(like, 0), &(pod_axes){.count = 1, .axes = {axis}});
}

pod_exponentials pod_graph_exponentials(pod_graph *graph, pod_node *x, int32_t axis)
{
    pod_exponentials e;
    /* The result does not depend on what is subtracted, so neither does the gradient. */
    pod_node *most = pod_graph_unary(graph, POD_OP_STOP_GRADIENT, pod_graph_reduce_axis(graph, "reduce_max", x, axis));
    e.shifted = pod_graph_subtract(graph, x, pod_graph_over_axis(graph, most, x, axis));
    e.exp = pod_graph_exp(graph, e.shifted);
    e.sum = pod_graph_reduce_axis(graph, "reduce_sum", e.exp, axis);
    return e;
}
