/* The ops of StableHLO that are read, by name: rows of this file, and those of the op table that compute each element
 * of the result from those of one or two operands at its place. */

#include "exchange/marked.h"
#include "exchange/translate.h"

#include <string.h>

#define ROW(name, reader)                                                                                              \
    {                                                                                                                  \
        name, reader, 0, false                                                                                         \
    }
#define ANY(name, reader)                                                                                              \
    {                                                                                                                  \
        name, reader, 0, true                                                                                          \
    }

static const pod_reader_row rows[] = {
    ROW("acos", pod_exchange_read_special),
    ROW("acosh", pod_exchange_read_special),
    ANY("all_gather", pod_exchange_read_placed),
    ROW("all_reduce", pod_exchange_read_all_reduce),
    ANY("all_to_all", pod_exchange_read_placed),
    ROW("asin", pod_exchange_read_special),
    ROW("asinh", pod_exchange_read_special),
    ROW("atan", pod_exchange_read_atan),
    ROW("atanh", pod_exchange_read_special),
    ROW("batch_norm_grad", pod_exchange_read_batch_norm_grad),
    ROW("batch_norm_inference", pod_exchange_read_batch_norm_inference),
    ROW("batch_norm_training", pod_exchange_read_batch_norm_training),
    ROW("bessel_i1e", pod_exchange_read_by_element),
    ROW("bitcast_convert", pod_exchange_read_bitcast),
    ROW("broadcast_in_dim", pod_exchange_read_broadcast),
    ANY("case", pod_exchange_read_case),
    ROW("cbrt", pod_exchange_read_special),
    ANY("cholesky", pod_exchange_read_with_scratch),
    ROW("clamp", pod_exchange_read_clamp),
    ANY("collective_broadcast", pod_exchange_read_placed),
    ANY("collective_permute", pod_exchange_read_placed),
    ROW("compare", pod_exchange_read_compare),
    ANY("complex", pod_exchange_read_by_element),
    ANY("composite", pod_exchange_read_composite),
    ROW("concatenate", pod_exchange_read_concatenate),
    ANY("conj", pod_exchange_read_by_element),
    ROW("constant", pod_exchange_read_constant),
    ROW("convert", pod_exchange_read_convert),
    ROW("convolution", pod_exchange_read_convolution),
    ROW("copy", pod_exchange_read_convert), /* of mhlo: to the same type */
    ROW("cosh", pod_exchange_read_special),
    ROW("count_leading_zeros", pod_exchange_read_by_element),
    ANY("custom_call", pod_exchange_read_custom_call),
    ROW("digamma", pod_exchange_read_by_element),
    ROW("dot", pod_exchange_read_dot),
    ROW("dot_general", pod_exchange_read_dot_general),
    ROW("dynamic_slice", pod_exchange_read_dynamic_slice),
    ROW("dynamic_update_slice", pod_exchange_read_dynamic_update_slice),
    ROW("erfc", pod_exchange_read_erfc),
    ANY("fft", pod_exchange_read_with_scratch),
    ROW("gather", pod_exchange_read_gather),
    ROW("get_dimension_size", pod_exchange_read_dimension_size),
    ANY("get_tuple_element", pod_exchange_read_tuple_element),
    ANY("if", pod_exchange_read_if),
    ANY("imag", pod_exchange_read_by_element),
    ROW("iota", pod_exchange_read_iota),
    ROW("is_inf", pod_exchange_read_is_infinite),
    ROW("is_neg_inf", pod_exchange_read_is_infinite),
    ROW("is_pos_inf", pod_exchange_read_is_infinite),
    ROW("lgamma", pod_exchange_read_by_element),
    ANY("manual_computation", pod_exchange_read_manual_computation),
    ROW("next_after", pod_exchange_read_by_element),
    ANY("optimization_barrier", pod_exchange_read_barrier),
    ROW("pad", pod_exchange_read_pad),
    ROW("partition_id", pod_exchange_read_replica_id),
    ROW("polygamma", pod_exchange_read_by_element),
    ROW("popcnt", pod_exchange_read_by_element),
    ANY("ragged_all_to_all", pod_exchange_read_placed),
    ANY("real", pod_exchange_read_by_element),
    ROW("reduce", pod_exchange_read_reduce),
    ROW("reduce_precision", pod_exchange_read_by_element),
    ANY("reduce_scatter", pod_exchange_read_placed),
    ROW("reduce_window", pod_exchange_read_reduce_window),
    ROW("replica_id", pod_exchange_read_replica_id),
    ROW("reshape", pod_exchange_read_reshape),
    ROW("reverse", pod_exchange_read_reverse),
    ANY("rng", pod_exchange_read_placed),
    ANY("rng_bit_generator", pod_exchange_read_placed),
    ROW("round_nearest_afz", pod_exchange_read_special),
    ROW("scatter", pod_exchange_read_scatter),
    ROW("select", pod_exchange_read_select),
    ROW("select_and_scatter", pod_exchange_read_select_and_scatter),
    ANY("set_dimension_size", pod_exchange_read_set_dimension_size),
    ANY("sharding_constraint", pod_exchange_read_sharding_constraint),
    ROW("sinh", pod_exchange_read_special),
    ROW("slice", pod_exchange_read_slice),
    ROW("sort", pod_exchange_read_sort),
    ROW("square", pod_exchange_read_square),
    ROW("top_k", pod_exchange_read_top_k),
    ROW("topk", pod_exchange_read_top_k),
    ROW("transpose", pod_exchange_read_transpose),
    ANY("triangular_solve", pod_exchange_read_with_scratch),
    ANY("tuple", pod_exchange_read_placed),
    ANY("while", pod_exchange_read_while),
    ROW("zeta", pod_exchange_read_by_element),
};

#define ROW_COUNT (sizeof rows / sizeof *rows)

#define BY_ELEMENT(operands)                                                                                           \
    ((operands) == 1 ? pod_exchange_read_unary : (operands) == 2 ? pod_exchange_read_binary : NULL)
#define READER_FUSED(operands)  BY_ELEMENT(operands)
#define READER_KERNEL(operands) BY_ELEMENT(operands)
#define READER_WHOLE(operands)  NULL

/* Of ops that have no row above. */
static const struct {
    size_t length;
    pod_reader_row row;
} rows_by_op[POD_OP_COUNT] = {
#define POD_OP_ROW(NAME, name, operands, results, shape, each, reads, gradient, flops, tpu, stablehlo, bound)          \
    [POD_OP_##NAME] = {sizeof stablehlo - 1, {stablehlo, READER_##each(operands), POD_OP_##NAME, false}},
#include "graph/ops.def"
#undef POD_OP_ROW
};

static int compare_name(pod_span name, const char *row)
{
    size_t length = strlen(row);
    int order = memcmp(name.text, row, name.length < length ? name.length : length);
    return order != 0 ? order : (name.length > length) - (name.length < length);
}

/* Takes the dialect off; false when it is none of those that are read. */
static bool take_dialect(pod_span *name)
{
    static const char *const dialects[] = {"stablehlo.", "mhlo.", "chlo.", "sdy."};
    for (size_t i = 0; i < sizeof dialects / sizeof *dialects; i++) {
        size_t length = strlen(dialects[i]);
        if (name->length > length && memcmp(name->text, dialects[i], length) == 0) {
            *name = (pod_span){name->text + length, name->length - length};
            return true;
        }
    }
    return false;
}

static const pod_reader_row *find_row(pod_span name)
{
    size_t low = 0, high = ROW_COUNT;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = compare_name(name, rows[middle].name);
        if (order == 0)
            return &rows[middle];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

static const pod_reader_row *find_row_by_op(pod_span name)
{
    for (pod_op op = 0; op < POD_OP_COUNT; op++)
        if (rows_by_op[op].length == name.length && rows_by_op[op].row.read &&
            memcmp(rows_by_op[op].row.name, name.text, name.length) == 0)
            return &rows_by_op[op].row;
    return NULL;
}

const pod_reader_row *pod_exchange_find_op_reader(pod_span name)
{
    if (!take_dialect(&name))
        return NULL;
    const pod_reader_row *row = find_row(name);
    return row ? row : find_row_by_op(name);
}

const pod_reader_row *pod_exchange_reader_at(size_t index)
{
    return index < ROW_COUNT ? &rows[index] : NULL;
}

/* ---- any op --------------------------------------------------------------------------------- */

static bool is_foreign(const pod_call *call)
{
    bool foreign = false;
    for (uint32_t i = 0; i < call->op->operand_count; i++)
        foreign |= pod_exchange_call_operand_type(call, i)->foreign;
    for (uint32_t i = 0; i < call->op->result_count; i++)
        foreign |= pod_exchange_call_result_type(call, i)->foreign;
    return foreign;
}

/* Readers of ops by element say nothing of elements that nothing computes with. */
static pod_outcome read_foreign(const pod_reader_row *row)
{
    return pod_exchange_is_by_element(row) ? POD_BY_ELEMENT : POD_NOT_KNOWN;
}

pod_outcome pod_exchange_read_op(pod_call *call)
{
    pod_translator *t = call->translator;
    pod_outcome outcome = POD_NOT_KNOWN;
    const pod_reader_row *row = pod_exchange_find_op_reader(call->op->name);
    if (pod_exchange_is_marked(call))
        return pod_exchange_read_marked(call);
    t->reason = "no op of ours means it";
    call->code = row ? row->code : -1;
    if (row && !row->any_element && is_foreign(call)) {
        t->reason = "its element type is not computed with";
        outcome = read_foreign(row);
    } else if (row) {
        outcome = row->read(call);
    }
    if (outcome != POD_READ && outcome != POD_READ_FAILED && !t->syntax->lexer.failed)
        outcome = pod_exchange_read_opaque(call, outcome);
    return outcome;
}
