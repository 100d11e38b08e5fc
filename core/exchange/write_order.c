/* Reductions; sort, argmax and argmin, with the regions that say their order. */

#include "exchange/folds.h"
#include "exchange/write_parts.h"

#include <stdio.h>

#include "moonpod/exchange.h"

/* NaN comes last: it is before nothing, and every number is before it. $0 is the type of an element, $1 the direction.
 */
static const char order[] =
    "%o = \"stablehlo.compare\"(%x0, %x1) <{comparison_direction = #stablehlo<comparison_direction $1>}>"
    " : ($0, $0) -> tensor<i1>\n"
    "\"stablehlo.return\"(%o) : (tensor<i1>) -> ()\n})";
static const char order_of_floats[] =
    "%o = \"stablehlo.compare\"(%x0, %x1) <{comparison_direction = #stablehlo<comparison_direction $1>}>"
    " : ($0, $0) -> tensor<i1>\n"
    "%p = \"stablehlo.compare\"(%x0, %x0) <{comparison_direction = #stablehlo<comparison_direction EQ>}>"
    " : ($0, $0) -> tensor<i1>\n"
    "%q = \"stablehlo.compare\"(%x1, %x1) <{comparison_direction = #stablehlo<comparison_direction NE>}>"
    " : ($0, $0) -> tensor<i1>\n"
    "%r = \"stablehlo.and\"(%p, %q) : (tensor<i1>, tensor<i1>) -> tensor<i1>\n"
    "%s = \"stablehlo.or\"(%o, %r) : (tensor<i1>, tensor<i1>) -> tensor<i1>\n"
    "\"stablehlo.return\"(%s) : (tensor<i1>) -> ()\n})";

void pod_exchange_write_sort(pod_module_writer *w, const pod_frame *frame, const pod_node *node)
{
    char type[POD_EXCHANGE_TYPE_SIZE];
    pod_dtype dtype = node->results[0].dtype;
    pod_exchange_write_head(w, frame, node, "stablehlo.sort");
    pod_text_format(&w->text, " <{dimension = %d : i64, is_stable = true}> ({\n^bb0(", node->attributes->axis);
    for (uint32_t i = 0; i < 2 * node->input_count; i++)
        pod_text_format(&w->text, "%s%%x%u: %s", i > 0 ? ", " : "", i,
                        pod_exchange_scalar_text(node->results[i / 2].dtype, type));
    pod_text_append(&w->text, "):\n");
    const char *const words[] = {pod_exchange_scalar_text(dtype, type), node->attributes->flag ? "GT" : "LT"};
    pod_exchange_write_filled(w, pod_dtype_is_float(dtype) ? order_of_floats : order, words);
    pod_exchange_write_end(w, node);
}

/* A reduction of values and their places along the axis: a pair (value, place) is kept when it is NaN, larger, or as
 * large and before the other. $0 and $1 are the types of a value and a place, $2 and $3 those of all of them, $4 the
 * number of the node, $5 the axis, $6 the direction, $7 the operand, $8 and $9 the types of the results. */
static const char choice[] =
    "%d$4 = \"stablehlo.constant\"() <{value = dense<0> : $1}> : () -> $1\n"
    "%i$4 = \"stablehlo.iota\"() <{iota_dimension = $5 : i64}> : () -> $3\n"
    "%t$4, %v$4 = \"stablehlo.reduce\"($7, %i$4, %c$4, %d$4) <{dimensions = array<i64: $5>}>"
    " ({\n^bb0(%a: $0, %i: $1, %b: $0, %j: $1):\n"
    "%g = \"stablehlo.compare\"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction $6>}>"
    " : ($0, $0) -> tensor<i1>\n"
    "%n = \"stablehlo.compare\"(%a, %a) <{comparison_direction = #stablehlo<comparison_direction NE>}>"
    " : ($0, $0) -> tensor<i1>\n"
    "%k = \"stablehlo.or\"(%g, %n) : (tensor<i1>, tensor<i1>) -> tensor<i1>\n"
    "%e = \"stablehlo.compare\"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction EQ>}>"
    " : ($0, $0) -> tensor<i1>\n"
    "%l = \"stablehlo.compare\"(%i, %j) <{comparison_direction = #stablehlo<comparison_direction LT>}>"
    " : ($1, $1) -> tensor<i1>\n"
    "%m = \"stablehlo.and\"(%e, %l) : (tensor<i1>, tensor<i1>) -> tensor<i1>\n"
    "%o = \"stablehlo.or\"(%k, %m) : (tensor<i1>, tensor<i1>) -> tensor<i1>\n"
    "%v = \"stablehlo.select\"(%o, %a, %b) : (tensor<i1>, $0, $0) -> $0\n"
    "%p = \"stablehlo.select\"(%o, %i, %j) : (tensor<i1>, $1, $1) -> $1\n"
    "\"stablehlo.return\"(%v, %p) : ($0, $1) -> ()\n})"
    " : ($2, $3, $0, $1) -> ($8, $9)";

/* The node is the second result. */
void pod_exchange_write_argument(pod_module_writer *w, const pod_frame *frame, const pod_node *node)
{
    const pod_type *x = &node->inputs[0]->results[0];
    const bool largest = node->op == POD_OP_ARGMAX;
    const int32_t places = (int32_t)pod_element_from_dtype(node->results[0].dtype);
    const int32_t values = (int32_t)pod_element_from_dtype(x->dtype);
    char types[6][POD_EXCHANGE_TYPE_SIZE], number[32], axis[16], operand[POD_EXCHANGE_VALUE_SIZE];
    snprintf(number, sizeof number, "%u_%u", frame->number, node->id);
    snprintf(axis, sizeof axis, "%d", node->attributes->axis);
    const char *const words[] = {
        pod_exchange_type_text(values, NULL, types[0]),
        pod_exchange_type_text(places, NULL, types[1]),
        pod_exchange_type_text((int32_t)pod_node_element(node->inputs[0], 0), &x->shape, types[2]),
        pod_exchange_type_text(places, &x->shape, types[3]),
        number,
        axis,
        largest ? "GT" : "LT",
        pod_exchange_value_text(frame, node->inputs[0], operand),
        pod_exchange_type_text(values, &node->results[0].shape, types[4]),
        pod_exchange_type_text(places, &node->results[0].shape, types[5]),
    };
    pod_exchange_write_scalar(w, frame, node, x->dtype,
                              pod_exchange_fold_identity(largest ? POD_OP_MAXIMUM : POD_OP_MINIMUM, x->dtype));
    pod_exchange_write_filled(w, choice, words);
    pod_exchange_write_location(w, node);
    pod_text_append(&w->text, "\n");
}

/* ---- reductions by name and by a region --------------------------------------------------------- */

/* Whether several devices cannot fold their parts together: XLA's CPU backend exchanges no `and` and `or` of whole
 * numbers. */
static bool needs_all(const pod_module_writer *w, const pod_node *node)
{
    return w->target && w->target->devices > 1 && node->results[0].dtype != POD_BOOL &&
           (node->op == POD_OP_REDUCE_AND || node->op == POD_OP_REDUCE_OR);
}

/* Each device has all of the operand, which has the name `whole`. */
static void write_whole_operand(pod_module_writer *w, const pod_frame *frame, const pod_node *node, const char *whole)
{
    pod_text_format(&w->text, "%s = \"stablehlo.custom_call\"(", whole);
    pod_exchange_write_value(w, frame, node->inputs[0]);
    pod_text_append(&w->text, ") <{call_target_name = \"Sharding\"}> {mhlo.sharding = \"{replicated}\"} : (");
    pod_exchange_write_type(w, node->inputs[0], 0);
    pod_text_append(&w->text, ") -> ");
    pod_exchange_write_type(w, node->inputs[0], 0);
    pod_text_append(&w->text, "\n");
}

void pod_exchange_write_reduction(pod_module_writer *w, const pod_frame *frame, const pod_node *node)
{
    char operand[POD_EXCHANGE_VALUE_SIZE];
    if (needs_all(w, node)) {
        snprintf(operand, sizeof operand, "%%w%u_%u", frame->number, node->id);
        write_whole_operand(w, frame, node, operand);
    } else {
        pod_exchange_value_text(frame, node->inputs[0], operand);
    }
    pod_exchange_write_scalar_of_fold(w, frame, node);
    pod_exchange_write_begin(w, frame, node, "stablehlo.reduce");
    pod_text_format(&w->text, "%s, %%c%u_%u)", operand, frame->number, node->id);
    pod_exchange_write_axes_property(w, "dimensions", &node->attributes->axes);
    pod_exchange_write_fold(w, pod_exchange_fold_of_node(node), node->results[0].dtype);
    if (!pod_dtype_is_float(node->results[0].dtype) || node->results[0].dtype != node->inputs[0]->results[0].dtype)
        pod_exchange_write_mark(w, node);
    pod_exchange_write_end_of_fold(w, node);
}

void pod_exchange_write_reduce(pod_module_writer *w, const pod_frame *frame, const pod_node *node)
{
    pod_exchange_write_head(w, frame, node, "stablehlo.reduce");
    pod_exchange_write_axes_property(w, "dimensions", &node->attributes->axes);
    pod_text_append(&w->text, " (");
    pod_exchange_write_block(w, node->regions[0]);
    pod_text_append(&w->text, w->target ? ")" : ") {moonpod.general}"); /* not one of the reductions by name */
    pod_exchange_write_end(w, node);
}
