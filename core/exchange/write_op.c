/* The rows of the writer: how each op of the table is said in StableHLO. */

#include "exchange/write_parts.h"

#include <stdio.h>
#include <string.h>

#include "moonpod/exchange.h"

typedef struct write_row {
    /* Writes " <{..}>"; NULL: those of properties.c. */
    void (*properties)(pod_module_writer *writer, const pod_node *node);
    /* Writes the node in another way than one op of StableHLO's name; the rest is not used. */
    void (*write)(pod_module_writer *writer, const pod_frame *frame, const pod_node *node);
    bool chlo;   /* in the dialect of JAX's own ops */
    bool marked; /* with attributes that tell the node */
} write_row;

/* ---- properties ------------------------------------------------------------------------------ */

static void compare_properties(pod_module_writer *w, const pod_node *node)
{
    const char *name = pod_comparison_names()[node->attributes->comparison];
    pod_text_format(&w->text, " <{comparison_direction = #stablehlo<comparison_direction %c%c>}>", name[0] - 'a' + 'A',
                    name[1] - 'a' + 'A');
}

static void dot_properties(pod_module_writer *w, const pod_node *node)
{
    const pod_attributes *a = node->attributes;
    pod_text_append(&w->text, " <{dot_dimension_numbers = #stablehlo.dot<");
    pod_exchange_write_list(w, "", "lhs_batching_dimensions", &a->lhs_batch);
    pod_exchange_write_list(w, ", ", "rhs_batching_dimensions", &a->rhs_batch);
    pod_exchange_write_list(w, ", ", "lhs_contracting_dimensions", &a->lhs_contract);
    pod_exchange_write_list(w, ", ", "rhs_contracting_dimensions", &a->rhs_contract);
    pod_text_append(&w->text, ">");
    pod_exchange_write_precision(w, node);
}

/* ---- constants ------------------------------------------------------------------------------- */

/* "[[true, false], [false, true]]": booleans have no hexadecimal form that all readers agree on. */
static void write_booleans(pod_module_writer *w, const pod_shape *shape, const char *elements, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        int64_t block = 1;
        for (int32_t axis = shape->rank; axis-- > 0;) {
            block *= shape->dims[axis];
            if (i % block == 0)
                pod_text_append(&w->text, "[");
        }
        pod_text_append(&w->text, elements[i] ? "true" : "false");
        block = 1;
        for (int32_t axis = shape->rank; axis-- > 0;) {
            block *= shape->dims[axis];
            if ((i + 1) % block == 0)
                pod_text_append(&w->text, "]");
        }
        pod_text_append(&w->text, i + 1 < count ? ", " : "");
    }
}

static void write_constant(pod_module_writer *w, const pod_frame *frame, const pod_node *node)
{
    static const char digits[] = "0123456789ABCDEF";
    const pod_type *type = &node->results[0];
    const char *elements = pod_node_constant_data(node);
    int64_t count = pod_shape_elements(&type->shape);
    size_t bytes = (size_t)count * pod_dtype_size(type->dtype);
    pod_exchange_write_head(w, frame, node, "stablehlo.constant");
    pod_text_append(&w->text, " <{value = dense<");
    if (count > 0 && (node->attributes->flag || count == 1)) {
        pod_exchange_write_number(w, type->dtype, elements);
    } else if (type->dtype == POD_BOOL) {
        write_booleans(w, &type->shape, elements, count);
    } else if (count > 0) {
        pod_text_append(&w->text, "\"0x");
        for (size_t i = 0; i < bytes; i++) {
            unsigned char byte = (unsigned char)elements[i];
            char pair[2] = {digits[byte >> 4], digits[byte & 15]};
            pod_text_append_bytes(&w->text, pair, 2);
        }
        pod_text_append(&w->text, "\"");
    }
    pod_text_append(&w->text, "> : ");
    pod_exchange_write_type(w, node, 0);
    pod_text_append(&w->text, "}>");
    pod_exchange_write_end(w, node);
}

/* ---- what StableHLO has no op for ------------------------------------------------------------ */

static void write_opaque(pod_module_writer *w, const pod_frame *frame, const pod_node *node)
{
    const char *name = node->attributes->name ? node->attributes->name : "opaque";
    if (w->refused == NULL)
        w->refused = node;
    const char *target = strncmp(name, "custom_call @", 13) == 0 ? name + 13 : name;
    pod_exchange_write_head(w, frame, node, "stablehlo.custom_call");
    pod_text_append(&w->text, " <{call_target_name = ");
    pod_exchange_write_quoted(w, target);
    pod_text_append(&w->text, "}>");
    pod_exchange_write_mark(w, node);
    pod_exchange_write_end(w, node);
}

/* ---- control --------------------------------------------------------------------------------- */

static void write_cond(pod_module_writer *w, const pod_frame *frame, const pod_node *node)
{
    pod_exchange_write_begin(w, frame, node, "stablehlo.if");
    pod_exchange_write_value(w, frame, node->inputs[0]);
    pod_text_append(&w->text, ") (");
    for (uint32_t i = 0; i < 2; i++) {
        pod_frame branch = {
            .graph = node->regions[i], .number = w->frames++, .outer = frame, .operands = node->inputs + 1};
        pod_text_append(&w->text, i > 0 ? ", {\n" : "{\n");
        pod_exchange_write_region(w, &branch, "stablehlo.return");
        pod_text_append(&w->text, "}");
    }
    pod_text_append(&w->text, ") : (");
    pod_exchange_write_type(w, node->inputs[0], 0);
    pod_text_append(&w->text, ")");
    pod_exchange_write_results(w, node);
}

static void write_while(pod_module_writer *w, const pod_frame *frame, const pod_node *node)
{
    pod_exchange_write_head(w, frame, node, "stablehlo.while");
    pod_text_append(&w->text, " (");
    for (uint32_t i = 0; i < 2; i++) {
        pod_text_append(&w->text, i > 0 ? ", " : "");
        pod_exchange_write_block(w, node->regions[i]);
    }
    pod_text_append(&w->text, ")");
    if (node->attributes->count > 0 && !w->target)
        pod_text_format(&w->text, " {moonpod.count = %lld : i64}", (long long)node->attributes->count);
    pod_exchange_write_end(w, node);
}

/* A call is a composite, whose body any reader may take instead. A gradient of its own is not
 * written. So is with_rows, which others take for its first operand. */
static void write_composite(pod_module_writer *w, const pod_frame *frame, const pod_node *node)
{
    const uint32_t function = pod_exchange_write_function(w, node);
    const char *name = node->attributes->name ? node->attributes->name : pod_op_name(node->op);
    if (w->target) {
        pod_exchange_write_head(w, frame, node, "func.call");
        pod_text_format(&w->text, " <{callee = @f%u}>", function);
        pod_exchange_write_end(w, node);
        return;
    }
    pod_exchange_write_head(w, frame, node, "stablehlo.composite");
    pod_text_format(&w->text,
                    " <{name = \"moonpod.%s\", composite_attributes = {}, decomposition = "
                    "@f%u, version = 0 : i32}>",
                    name, function);
    pod_exchange_write_mark(w, node);
    pod_exchange_write_end(w, node);
}

/* ---- the table ------------------------------------------------------------------------------- */

static void write_nothing(pod_module_writer *w, const pod_frame *frame, const pod_node *node)
{
    (void)w, (void)frame, (void)node;
}

/* StableHLO's abs and sign take no unsigned numbers: the one changes nothing then, the other is a custom call. */
static void write_signed(pod_module_writer *w, const pod_frame *frame, const pod_node *node)
{
    const pod_dtype dtype = node->results[0].dtype;
    const bool is_unsigned = dtype >= POD_U8 && dtype <= POD_U64, is_sign = node->op == POD_OP_SIGN;
    if (is_unsigned && is_sign) {
        pod_exchange_write_custom(w, frame, node);
        return;
    }
    pod_exchange_write_head(w, frame, node,
                            is_unsigned ? "stablehlo.convert"
                            : is_sign   ? "stablehlo.sign"
                                        : "stablehlo.abs");
    if (is_unsigned)
        pod_exchange_write_mark(w, node);
    pod_exchange_write_end(w, node);
}

/* Barriers of one number are one op, which the first of them writes. */
static void write_barrier(pod_module_writer *w, const pod_frame *frame, const pod_node *node)
{
    pod_node *const *all = node->graph->nodes + node->id;
    uint32_t count = 1;
    if (pod_exchange_first_of_barrier(node) != node)
        return;
    while (node->id + count < node->graph->node_count && pod_exchange_first_of_barrier(all[count]) == node)
        count++;
    pod_text_format(&w->text, count > 1 ? "%%v%u_%u:%u" : "%%v%u_%u", frame->number, node->id, count);
    pod_text_append(&w->text, " = \"stablehlo.optimization_barrier\"(");
    for (uint32_t i = 0; i < count; i++) {
        pod_text_append(&w->text, i > 0 ? ", " : "");
        pod_exchange_write_value(w, frame, all[i]->inputs[0]);
    }
    pod_text_append(&w->text, ") : (");
    pod_exchange_write_types(w, all, count);
    pod_text_append(&w->text, ") -> (");
    pod_exchange_write_types(w, all, count);
    pod_text_append(&w->text, ")");
    pod_exchange_write_location(w, node);
    pod_text_append(&w->text, "\n");
}

/* An op of which a row says nothing is StableHLO's op of its name, or a custom call where it has none; so are those
 * that compute each element from those at its place alone, which need no row. */
static const write_row rows[POD_OP_COUNT] = {
    [POD_OP_PARAMETER] = {.write = write_nothing},
    [POD_OP_RESULT] = {.write = write_nothing},
    [POD_OP_CONSTANT] = {.write = write_constant},
    [POD_OP_IOTA] = {0},
    [POD_OP_ABS] = {.write = write_signed},
    [POD_OP_SIGN] = {.write = write_signed},
    [POD_OP_ERF] = {.chlo = true},
    [POD_OP_ERF_INV] = {.chlo = true},
    [POD_OP_STOP_GRADIENT] = {.marked = true},
    [POD_OP_BARRIER] = {.write = write_barrier},
    [POD_OP_WITH_ROWS] = {.write = write_composite},
    [POD_OP_CHECK] = {0},
    [POD_OP_PRINT] = {0},
    [POD_OP_COMPARE] = {.properties = compare_properties},
    [POD_OP_RANDOM_BITS] = {.write = pod_exchange_write_custom},
    [POD_OP_RESHAPE] = {0},
    [POD_OP_TRANSPOSE] = {0},
    [POD_OP_BROADCAST] = {0},
    [POD_OP_SLICE] = {0},
    [POD_OP_DYNAMIC_SLICE] = {0},
    [POD_OP_DYNAMIC_UPDATE_SLICE] = {0},
    [POD_OP_PAD] = {0},
    [POD_OP_CONCATENATE] = {0},
    [POD_OP_REVERSE] = {0},
    [POD_OP_GATHER] = {.write = pod_exchange_write_gather},
    [POD_OP_SCATTER] = {.write = pod_exchange_write_scatter},
    [POD_OP_SORT] = {.write = pod_exchange_write_sort},
    [POD_OP_TOP_K] = {.chlo = true},
    [POD_OP_DIMENSION_SIZE] = {0},
    [POD_OP_REDUCE_SUM] = {.write = pod_exchange_write_reduction},
    [POD_OP_REDUCE_PRODUCT] = {.write = pod_exchange_write_reduction},
    [POD_OP_REDUCE_MAX] = {.write = pod_exchange_write_reduction},
    [POD_OP_REDUCE_MIN] = {.write = pod_exchange_write_reduction},
    [POD_OP_REDUCE_AND] = {.write = pod_exchange_write_reduction},
    [POD_OP_REDUCE_OR] = {.write = pod_exchange_write_reduction},
    [POD_OP_ARGMAX] = {.write = pod_exchange_write_argument},
    [POD_OP_ARGMIN] = {.write = pod_exchange_write_argument},
    [POD_OP_REDUCE] = {.write = pod_exchange_write_reduce},
    [POD_OP_CUMULATIVE_SUM] = {.write = pod_exchange_write_cumulative_sum},
    [POD_OP_DOT] = {.properties = dot_properties},
    [POD_OP_CONVOLUTION] = {.write = pod_exchange_write_convolution},
    [POD_OP_CONVOLUTION_INPUT_GRADIENT] = {.write = pod_exchange_write_input_gradient},
    [POD_OP_CONVOLUTION_KERNEL_GRADIENT] = {.write = pod_exchange_write_kernel_gradient},
    [POD_OP_POOL_MAX] = {.write = pod_exchange_write_pool},
    [POD_OP_POOL_MAX_GRADIENT] = {.write = pod_exchange_write_pool},
    [POD_OP_POOL_MAX_SELECT] = {.write = pod_exchange_write_custom},
    [POD_OP_POOL_SUM] = {.write = pod_exchange_write_pool},
    [POD_OP_POOL_SUM_GRADIENT] = {.write = pod_exchange_write_pool_sum_gradient},
    [POD_OP_CALL] = {.write = write_composite},
    [POD_OP_COND] = {.write = write_cond},
    [POD_OP_WHILE] = {.write = write_while},
    [POD_OP_ALL_REDUCE] = {.write = pod_exchange_write_custom},
    [POD_OP_REDUCE_SCATTER] = {.write = pod_exchange_write_custom},
    [POD_OP_ALL_GATHER] = {.write = pod_exchange_write_custom},
    [POD_OP_ALL_TO_ALL] = {.write = pod_exchange_write_custom},
    [POD_OP_COLLECTIVE_PERMUTE] = {.write = pod_exchange_write_custom},
    [POD_OP_REPLICA_ID] = {.write = pod_exchange_write_custom},
    [POD_OP_OPAQUE] = {.write = write_opaque},
};

void pod_exchange_write_node(pod_module_writer *w, const pod_frame *frame, const pod_node *node)
{
    char name[64];
    const write_row *row = &rows[node->op];
    const char *stablehlo = pod_op_stablehlo_name(node->op);
    if (row->write || strcmp(stablehlo, "custom_call") == 0) {
        (row->write ? row->write : pod_exchange_write_custom)(w, frame, node);
        return;
    }
    snprintf(name, sizeof name, "%s.%s", row->chlo ? "chlo" : "stablehlo", stablehlo);
    pod_exchange_write_head(w, frame, node, name);
    if (row->properties)
        row->properties(w, node);
    else
        pod_exchange_write_properties(w, node);
    if (row->marked)
        pod_exchange_write_mark(w, node);
    pod_exchange_write_end(w, node);
}
