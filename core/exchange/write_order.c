/* sort, argmax and argmin, with the regions that say their order. */

#include "exchange/write_op.h"

#include "moonpod/exchange.h"

static void scalar_type(pod_module_writer *w, pod_dtype dtype)
{
    static const pod_shape scalar;
    pod_exchange_write_array_type(w, (int32_t)pod_element_from_dtype(dtype), &scalar);
}

/* `%name = compare direction of %a and %b` */
static void write_compare(pod_module_writer *w, const char *name, const char *direction, const char *a, const char *b,
                          pod_dtype dtype)
{
    pod_text_format(&w->text,
                    "%s = \"stablehlo.compare\"(%s, %s) <{comparison_direction = "
                    "#stablehlo<comparison_direction %s>}> : (",
                    name, a, b, direction);
    scalar_type(w, dtype);
    pod_text_append(&w->text, ", ");
    scalar_type(w, dtype);
    pod_text_append(&w->text, ") -> tensor<i1>\n");
}

static void write_logic(pod_module_writer *w, const char *name, const char *op, const char *a, const char *b)
{
    pod_text_format(&w->text, "%s = \"stablehlo.%s\"(%s, %s) : (tensor<i1>, tensor<i1>) -> tensor<i1>\n", name, op, a,
                    b);
}

/* NaN comes last: it is before nothing, and every number is before it. */
bool pod_exchange_write_sort(pod_module_writer *w, const pod_frame *frame, const pod_node *node)
{
    pod_dtype dtype = node->results[0].dtype;
    const char *direction = node->attributes->flag ? "GT" : "LT";
    pod_exchange_write_begin(w, frame, node, "stablehlo.sort");
    pod_exchange_write_operands(w, frame, node, 0);
    pod_text_format(&w->text, ") <{dimension = %d : i64, is_stable = true}> ({\n^bb0(", node->attributes->axis);
    for (uint32_t i = 0; i < 2 * node->input_count; i++) {
        pod_text_format(&w->text, "%s%%x%u: ", i > 0 ? ", " : "", i);
        scalar_type(w, node->results[i / 2].dtype);
    }
    pod_text_append(&w->text, "):\n");
    write_compare(w, "%o", direction, "%x0", "%x1", dtype);
    if (pod_dtype_is_float(dtype)) {
        write_compare(w, "%p", "EQ", "%x0", "%x0", dtype);
        write_compare(w, "%q", "NE", "%x1", "%x1", dtype);
        write_logic(w, "%r", "and", "%p", "%q");
        write_logic(w, "%s", "or", "%o", "%r");
    }
    pod_text_format(&w->text, "\"stablehlo.return\"(%s) : (tensor<i1>) -> ()\n})",
                    pod_dtype_is_float(dtype) ? "%s" : "%o");
    return pod_exchange_write_end(w, node);
}

/* A pair (value, place) is kept when it is NaN, larger, or as large and before the other. */
static void write_choice(pod_module_writer *w, const char *direction, pod_dtype dtype, pod_dtype places)
{
    pod_text_append(&w->text, " ({\n^bb0(%a: ");
    scalar_type(w, dtype);
    pod_text_append(&w->text, ", %i: ");
    scalar_type(w, places);
    pod_text_append(&w->text, ", %b: ");
    scalar_type(w, dtype);
    pod_text_append(&w->text, ", %j: ");
    scalar_type(w, places);
    pod_text_append(&w->text, "):\n");
    write_compare(w, "%g", direction, "%a", "%b", dtype);
    write_compare(w, "%n", "NE", "%a", "%a", dtype);
    write_logic(w, "%k", "or", "%g", "%n");
    write_compare(w, "%e", "EQ", "%a", "%b", dtype);
    write_compare(w, "%l", "LT", "%i", "%j", places);
    write_logic(w, "%m", "and", "%e", "%l");
    write_logic(w, "%o", "or", "%k", "%m");
    const char *choices[2][3] = {{"%v", "%a", "%b"}, {"%p", "%i", "%j"}};
    for (int i = 0; i < 2; i++) {
        pod_dtype type = i == 0 ? dtype : places;
        pod_text_format(&w->text, "%s = \"stablehlo.select\"(%%o, %s, %s) : (tensor<i1>, ", choices[i][0],
                        choices[i][1], choices[i][2]);
        scalar_type(w, type);
        pod_text_append(&w->text, ", ");
        scalar_type(w, type);
        pod_text_append(&w->text, ") -> ");
        scalar_type(w, type);
        pod_text_append(&w->text, "\n");
    }
    pod_text_append(&w->text, "\"stablehlo.return\"(%v, %p) : (");
    scalar_type(w, dtype);
    pod_text_append(&w->text, ", ");
    scalar_type(w, places);
    pod_text_append(&w->text, ") -> ()\n})");
}

/* A reduction of values and their places along the axis; the node is its second result. */
bool pod_exchange_write_argument(pod_module_writer *w, const pod_frame *frame, const pod_node *node)
{
    const pod_type *x = &node->inputs[0]->results[0];
    bool largest = node->op == POD_OP_ARGMAX;
    pod_dtype places = node->results[0].dtype;
    int32_t element = (int32_t)pod_element_from_dtype(places);
    unsigned f = frame->number, id = node->id;
    pod_exchange_write_scalar(w, frame, node, x->dtype,
                              pod_exchange_write_identity(largest ? POD_OP_REDUCE_MAX : POD_OP_REDUCE_MIN, x->dtype));
    pod_text_format(&w->text, "%%d%u_%u = \"stablehlo.constant\"() <{value = dense<0> : ", f, id);
    scalar_type(w, places);
    pod_text_append(&w->text, "}> : () -> ");
    scalar_type(w, places);
    pod_text_format(&w->text, "\n%%i%u_%u = \"stablehlo.iota\"() <{iota_dimension = %d : i64}> : () -> ", f, id,
                    node->attributes->axis);
    pod_exchange_write_array_type(w, element, &x->shape);
    pod_text_format(&w->text, "\n%%t%u_%u, %%v%u_%u = \"stablehlo.reduce\"(", f, id, f, id);
    pod_exchange_write_value(w, frame, node->inputs[0]);
    pod_text_format(&w->text, ", %%i%u_%u, %%c%u_%u, %%d%u_%u) <{dimensions = array<i64: %d>}>", f, id, f, id, f, id,
                    node->attributes->axis);
    write_choice(w, largest ? "GT" : "LT", x->dtype, places);
    pod_text_append(&w->text, " : (");
    pod_exchange_write_type(w, node->inputs[0], 0);
    pod_text_append(&w->text, ", ");
    pod_exchange_write_array_type(w, element, &x->shape);
    pod_text_append(&w->text, ", ");
    scalar_type(w, x->dtype);
    pod_text_append(&w->text, ", ");
    scalar_type(w, places);
    pod_text_append(&w->text, ") -> (");
    pod_exchange_write_array_type(w, (int32_t)pod_element_from_dtype(x->dtype), &node->results[0].shape);
    pod_text_append(&w->text, ", ");
    pod_exchange_write_type(w, node, 0);
    pod_text_append(&w->text, ")");
    pod_exchange_write_location(w, node);
    pod_text_append(&w->text, "\n");
    return true;
}
