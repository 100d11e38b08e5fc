/* The ops of StableHLO that are read, by name: rows of this file, and those of the op table that compute each element
 * of the result from those of one or two operands at its place. */

#include "exchange/translate.h"

#include <stdlib.h>
#include <string.h>

/* Arities: how many operands and results there are, and why an op that has others is not known. */
#define FREE                                  0, UINT32_MAX, UINT32_MAX, NULL
#define EXACTLY(operands, results, otherwise) operands, operands, results, otherwise

#define SOME(fewest, most) fewest, most, 1, "it has another number of operands or results than is known"

#define NOT_ONE        "it has not one operand and one result"
#define NOT_TWO        "it has not two operands and one result"
#define ONE            EXACTLY(1, 1, NOT_ONE)
#define ONE_OF_FLOATS  EXACTLY(1, 1, "it has not one operand of floats and one result")
#define TWO            EXACTLY(2, 1, NOT_TWO)
#define OTHER_OPERANDS "it has another number of operands than is known"
#define OTHER_REGIONS  "it has another number of operands or regions than is known"
#define SEVERAL_ARRAYS "it reduces several arrays at once"
#define NOT_LARGEST    "it does not give the largest numbers and their places"

enum { POD_OP_NONE = -1 };

static const pod_reader_row rows[] = {
#define X(name, reader, code, elements, ...)                                                                           \
    {{name, sizeof name - 1}, pod_exchange_read_##reader, POD_OP_##code, POD_READER_##elements, {__VA_ARGS__}},
#include "exchange/op_readers.def"
#undef X
};

#define READER_FUSED(operands)                                                                                         \
    ((operands) == 1 ? pod_exchange_read_plain : (operands) == 2 ? pod_exchange_read_binary : NULL)
#define READER_KERNEL(operands) READER_FUSED(operands)
#define READER_WHOLE(operands)  NULL

/* Of ops that have no row above. */
static const pod_reader_row rows_by_op[POD_OP_COUNT] = {
#define POD_OP_ROW(op, name, operands, results, shape, each, reads, gradient, flops, tpu, stablehlo, bound)            \
    [POD_OP_##op] = {{stablehlo, sizeof stablehlo - 1},                                                                \
                     READER_##each(operands),                                                                          \
                     POD_OP_##op,                                                                                      \
                     POD_READER_EACH,                                                                                  \
                     {EXACTLY((uint32_t)(operands), 1, (operands) == 1 ? NOT_ONE : NOT_TWO)}},
#include "graph/ops.def"
#undef POD_OP_ROW
};

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

static int compare_name(const void *name, const void *row)
{
    const pod_span *a = name, *b = &((const pod_reader_row *)row)->name;
    const int order = memcmp(a->text, b->text, a->length < b->length ? a->length : b->length);
    return order != 0 ? order : (a->length > b->length) - (a->length < b->length);
}

const pod_reader_row *pod_exchange_find_op_reader(pod_span name)
{
    if (!take_dialect(&name))
        return NULL;
    const pod_reader_row *row = bsearch(&name, rows, sizeof rows / sizeof *rows, sizeof *rows, compare_name);
    for (pod_op op = 0; !row && op < POD_OP_COUNT; op++)
        if (rows_by_op[op].name.length == name.length && rows_by_op[op].read &&
            compare_name(&name, &rows_by_op[op]) == 0)
            row = &rows_by_op[op];
    return row;
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

pod_outcome pod_exchange_read_op(pod_call *call)
{
    pod_translator *t = call->translator;
    pod_outcome outcome = POD_NOT_KNOWN;
    const pod_reader_row *row = pod_exchange_find_op_reader(call->op->name);
    if (pod_exchange_is_marked(call))
        return pod_exchange_read_marked(call);
    t->reason = "no op of ours means it";
    if (row && row->elements != POD_READER_ANY && is_foreign(call)) {
        t->reason = "its element type is not computed with";
        outcome = row->elements == POD_READER_EACH ? POD_BY_ELEMENT : POD_NOT_KNOWN;
    } else if (row) {
        outcome = pod_exchange_read_by_row(call, row);
    }
    if (outcome != POD_READ && outcome != POD_READ_FAILED && !t->syntax->lexer.failed)
        outcome = pod_exchange_read_opaque(call, outcome);
    return outcome;
}
