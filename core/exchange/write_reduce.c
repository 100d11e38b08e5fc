/* Reductions along axes, by name and by a region. */

#include "exchange/write_op.h"

#include <math.h>

#include "moonpod/exchange.h"

double pod_exchange_write_identity(pod_op op, pod_dtype dtype)
{
    double least = -INFINITY, most = INFINITY;
    int bits = 8 * (int)pod_dtype_size(dtype);
    if (!pod_dtype_is_float(dtype)) {
        bool is_signed = dtype >= POD_S8 && dtype <= POD_S64;
        least = is_signed ? -ldexp(1, bits - 1) : 0;
        most = ldexp(1, is_signed ? bits - 1 : bits) - 1;
    }
    switch (op) {
    case POD_OP_REDUCE_PRODUCT:
        return 1;
    case POD_OP_REDUCE_MAX:
    case POD_OP_POOL_MAX:
        return least;
    case POD_OP_REDUCE_MIN:
        return most;
    case POD_OP_REDUCE_AND:
        return dtype == POD_BOOL ? 1 : dtype < POD_U8 ? -1 : most;
    default:
        return 0;
    }
}

static const char *fold_name(pod_op op)
{
    switch (op) {
    case POD_OP_REDUCE_PRODUCT:
        return "multiply";
    case POD_OP_REDUCE_MAX:
    case POD_OP_POOL_MAX:
        return "maximum";
    case POD_OP_REDUCE_MIN:
        return "minimum";
    case POD_OP_REDUCE_AND:
        return "and";
    case POD_OP_REDUCE_OR:
        return "or";
    default:
        return "add";
    }
}

/* ", %c0_5) <{..}> ({fold}) : (T, scalar) -> .." after the first operand */
static bool with_start(pod_module_writer *w, const pod_node *node)
{
    static const pod_shape scalar;
    pod_text_append(&w->text, " : (");
    pod_exchange_write_type(w, node->inputs[0], 0);
    pod_text_append(&w->text, ", ");
    pod_exchange_write_array_type(w, (int32_t)pod_element_from_dtype(node->results[0].dtype), &scalar);
    pod_text_append(&w->text, ")");
    return pod_exchange_write_results(w, node);
}

static void begin_with_start(pod_module_writer *w, const pod_frame *frame, const pod_node *node, const char *name)
{
    pod_dtype dtype = node->results[0].dtype;
    pod_exchange_write_scalar(w, frame, node, dtype, pod_exchange_write_identity(node->op, dtype));
    pod_exchange_write_begin(w, frame, node, name);
    pod_exchange_write_value(w, frame, node->inputs[0]);
    pod_text_format(&w->text, ", %%c%u_%u)", frame->number, node->id);
}

bool pod_exchange_write_reduction(pod_module_writer *w, const pod_frame *frame, const pod_node *node)
{
    pod_dtype dtype = node->results[0].dtype;
    begin_with_start(w, frame, node, "stablehlo.reduce");
    pod_exchange_write_axes_property(w, "dimensions", &node->attributes->axes);
    pod_exchange_write_fold(w, fold_name(node->op), dtype);
    if (dtype != node->inputs[0]->results[0].dtype || dtype == POD_S64 || dtype == POD_U64 ||
        !pod_dtype_is_float(dtype))
        pod_exchange_write_mark(w, node);
    return with_start(w, node);
}

bool pod_exchange_write_reduce(pod_module_writer *w, const pod_frame *frame, const pod_node *node)
{
    pod_frame fold = {.graph = node->regions[0], .number = w->frames++};
    pod_exchange_write_begin(w, frame, node, "stablehlo.reduce");
    pod_exchange_write_operands(w, frame, node, 0);
    pod_text_append(&w->text, ")");
    pod_exchange_write_axes_property(w, "dimensions", &node->attributes->axes);
    pod_text_format(&w->text, " ({\n^bb0(");
    for (uint32_t i = 0; i < 2; i++) {
        pod_text_format(&w->text, "%s%%a%u_%u: ", i > 0 ? ", " : "", fold.number, i);
        pod_exchange_write_type(w, fold.graph->parameters[i], 0);
    }
    pod_text_append(&w->text, "):\n");
    if (!pod_exchange_write_region(w, &fold, "stablehlo.return"))
        return false;
    pod_text_append(&w->text, "}) {moonpod.general}"); /* not one of the reductions by name */
    return pod_exchange_write_end(w, node);
}
