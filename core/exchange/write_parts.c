/* Parts of ops: beginnings and ends, scalars, regions that fold, properties of common kinds. */

#include "exchange/write_parts.h"

#include "exchange/folds.h"

#include <string.h>

#include "moonpod/exchange.h"

void pod_exchange_write_begin(pod_module_writer *w, const pod_frame *frame, const pod_node *node, const char *name)
{
    pod_text_format(&w->text, "%%v%u_%u", frame->number, node->id);
    if (node->result_count > 1)
        pod_text_format(&w->text, ":%u", node->result_count);
    pod_text_format(&w->text, " = \"%s\"(", name);
}

void pod_exchange_write_head(pod_module_writer *w, const pod_frame *frame, const pod_node *node, const char *name)
{
    pod_exchange_write_begin(w, frame, node, name);
    pod_exchange_write_values(w, frame, node->inputs, node->input_count);
    pod_text_append(&w->text, ")");
}

/* "-> (types) loc(..)" and the end of the line */
void pod_exchange_write_results(pod_module_writer *w, const pod_node *node)
{
    pod_text_append(&w->text, " -> (");
    for (uint32_t i = 0; i < node->result_count; i++) {
        pod_text_append(&w->text, i > 0 ? ", " : "");
        pod_exchange_write_type(w, node, i);
    }
    pod_text_append(&w->text, ")");
    pod_exchange_write_location(w, node);
    pod_text_append(&w->text, "\n");
}

void pod_exchange_write_end(pod_module_writer *w, const pod_node *node)
{
    pod_text_append(&w->text, " : (");
    pod_exchange_write_types(w, node->inputs, node->input_count);
    pod_text_append(&w->text, ")");
    pod_exchange_write_results(w, node);
}

pod_op pod_exchange_fold_of_node(const pod_node *node)
{
    const pod_exchange_fold *fold = pod_exchange_find_fold(node->op);
    return fold ? fold->op : node->op == POD_OP_POOL_MAX ? POD_OP_MAXIMUM : POD_OP_ADD;
}

void pod_exchange_write_scalar_of_fold(pod_module_writer *w, const pod_frame *frame, const pod_node *node)
{
    const pod_dtype dtype = node->results[0].dtype;
    pod_exchange_write_scalar(w, frame, node, dtype,
                              pod_exchange_fold_identity(pod_exchange_fold_of_node(node), dtype));
}

void pod_exchange_write_head_of_fold(pod_module_writer *w, const pod_frame *frame, const pod_node *node,
                                     const char *name)
{
    pod_exchange_write_scalar_of_fold(w, frame, node);
    pod_exchange_write_begin(w, frame, node, name);
    pod_exchange_write_values(w, frame, node->inputs, node->input_count);
    pod_text_format(&w->text, ", %%c%u_%u)", frame->number, node->id);
}

void pod_exchange_write_end_of_fold(pod_module_writer *w, const pod_node *node)
{
    char scalar[POD_EXCHANGE_TYPE_SIZE];
    pod_text_append(&w->text, " : (");
    pod_exchange_write_types(w, node->inputs, node->input_count);
    pod_text_format(&w->text, ", %s)", pod_exchange_scalar_text(node->results[0].dtype, scalar));
    pod_exchange_write_results(w, node);
}

void pod_exchange_write_number(pod_module_writer *w, pod_dtype dtype, const void *element)
{
    uint64_t bits = 0;
    int64_t value = 0;
    memcpy(&bits, element, pod_dtype_size(dtype));
    if (dtype == POD_BOOL) {
        pod_text_append(&w->text, bits ? "true" : "false");
    } else if (pod_dtype_is_float(dtype)) {
        pod_text_format(&w->text, "0x%0*llX", (int)pod_dtype_size(dtype) * 2, (unsigned long long)bits);
    } else if (dtype == POD_U64) {
        pod_text_format(&w->text, "%llu", (unsigned long long)bits);
    } else {
        pod_convert(dtype, element, POD_S64, &value, 1);
        pod_text_format(&w->text, "%lld", (long long)value);
    }
}

/* Integers saturate. */
void pod_exchange_write_scalar(pod_module_writer *w, const pod_frame *frame, const pod_node *node, pod_dtype dtype,
                               double value)
{
    uint64_t bits = 0;
    char type[POD_EXCHANGE_TYPE_SIZE];
    pod_convert(POD_F64, &value, dtype, &bits, 1);
    pod_text_format(&w->text, "%%c%u_%u = \"stablehlo.constant\"() <{value = dense<", frame->number, node->id);
    pod_exchange_write_number(w, dtype, &bits);
    pod_exchange_scalar_text(dtype, type);
    pod_text_format(&w->text, "> : %s}> : () -> %s\n", type, type);
}

void pod_exchange_write_fold(pod_module_writer *w, pod_op op, pod_dtype dtype)
{
    char type[POD_EXCHANGE_TYPE_SIZE];
    const char *const words[] = {pod_exchange_scalar_text(dtype, type), pod_op_stablehlo_name(op)};
    pod_exchange_write_filled(w,
                              op < 0 ? " ({\n^bb0(%l: $0, %r: $0):\n\"stablehlo.return\"(%r) : ($0) -> ()\n})"
                                     : " ({\n^bb0(%l: $0, %r: $0):\n%o = \"stablehlo.$1\"(%l, %r) : ($0, $0) -> $0\n"
                                       "\"stablehlo.return\"(%o) : ($0) -> ()\n})",
                              words);
}

void pod_exchange_write_sizes(pod_module_writer *w, const char *open, const char *key, const int64_t *values,
                              int32_t count)
{
    pod_text_format(&w->text, "%s%s = ", open, key);
    pod_exchange_write_integers(w, values, count);
}

void pod_exchange_write_axes_property(pod_module_writer *w, const char *key, const pod_axes *list)
{
    pod_text_format(&w->text, " <{%s = ", key);
    pod_exchange_write_axes(w, list);
    pod_text_append(&w->text, "}>");
}

void pod_exchange_write_list(pod_module_writer *w, const char *open, const char *key, const pod_axes *list)
{
    pod_text_format(&w->text, "%s%s = [", open, key);
    for (int32_t i = 0; i < list->count; i++)
        pod_text_format(&w->text, "%s%d", i > 0 ? ", " : "", list->axes[i]);
    pod_text_append(&w->text, "]");
}

void pod_exchange_write_precision(pod_module_writer *w, const pod_node *node)
{
    static const char *const names[] = {"DEFAULT", "HIGH", "HIGHEST", "DEFAULT"}; /* as in pod_precision */
    const char *name = names[node->attributes->precision];
    pod_text_format(&w->text, ", precision_config = [#stablehlo<precision %s>, #stablehlo<precision %s>]}>", name,
                    name);
}

void pod_exchange_write_custom(pod_module_writer *w, const pod_frame *frame, const pod_node *node)
{
    if (w->refused == NULL)
        w->refused = node;
    pod_exchange_write_head(w, frame, node, "stablehlo.custom_call");
    pod_text_format(&w->text, " <{call_target_name = \"moonpod.%s\"}>", pod_op_name(node->op));
    pod_exchange_write_mark(w, node);
    pod_exchange_write_end(w, node);
}
