/* The ops of StableHLO that are read, by name. */

#include "exchange/translate.h"

#include <string.h>

typedef struct reader_row {
    const char *name; /* without its dialect; in ascending order */
    pod_op_reader reader;
    pod_op code; /* for readers of many ops */
} reader_row;

#define UNARY(name, op)  {name, pod_read_unary, POD_OP_##op}
#define BINARY(name, op) {name, pod_read_binary, POD_OP_##op}

static const reader_row rows[] = {
    UNARY("abs", ABS),
    BINARY("add", ADD),
    BINARY("and", AND),
    BINARY("atan2", ATAN2),
    {"bitcast_convert", pod_read_bitcast, 0},
    {"broadcast_in_dim", pod_read_broadcast, 0},
    UNARY("ceil", CEIL),
    {"clamp", pod_read_clamp, 0},
    {"compare", pod_read_compare, 0},
    {"concatenate", pod_read_concatenate, 0},
    {"constant", pod_read_constant, 0},
    {"convert", pod_read_convert, 0},
    {"convolution", pod_read_convolution, 0},
    UNARY("cosine", COS),
    BINARY("divide", DIVIDE),
    {"dot", pod_read_dot, 0},
    {"dot_general", pod_read_dot_general, 0},
    {"dynamic_slice", pod_read_dynamic_slice, 0},
    {"dynamic_update_slice", pod_read_dynamic_update_slice, 0},
    UNARY("erf", ERF),
    UNARY("erf_inv", ERF_INV),
    UNARY("exponential", EXP),
    UNARY("exponential_minus_one", EXPM1),
    UNARY("floor", FLOOR),
    {"gather", pod_read_gather, 0},
    {"iota", pod_read_iota, 0},
    UNARY("is_finite", IS_FINITE),
    UNARY("log", LOG),
    UNARY("log_plus_one", LOG1P),
    UNARY("logistic", LOGISTIC),
    BINARY("maximum", MAXIMUM),
    BINARY("minimum", MINIMUM),
    BINARY("multiply", MULTIPLY),
    UNARY("negate", NEGATE),
    UNARY("not", NOT),
    {"optimization_barrier", pod_read_barrier, 0},
    BINARY("or", OR),
    {"pad", pod_read_pad, 0},
    BINARY("power", POWER),
    {"reduce", pod_read_reduce, 0},
    BINARY("remainder", REMAINDER),
    {"reshape", pod_read_reshape, 0},
    {"reverse", pod_read_reverse, 0},
    UNARY("round_nearest_even", ROUND),
    UNARY("rsqrt", RSQRT),
    {"scatter", pod_read_scatter, 0},
    {"select", pod_read_select, 0},
    BINARY("shift_left", SHIFT_LEFT),
    BINARY("shift_right_arithmetic", SHIFT_RIGHT_ARITHMETIC),
    BINARY("shift_right_logical", SHIFT_RIGHT),
    UNARY("sign", SIGN),
    UNARY("sine", SIN),
    {"slice", pod_read_slice, 0},
    UNARY("sqrt", SQRT),
    BINARY("subtract", SUBTRACT),
    UNARY("tan", TAN),
    UNARY("tanh", TANH),
    {"transpose", pod_read_transpose, 0},
    BINARY("xor", XOR),
};

#define ROW_COUNT (sizeof rows / sizeof *rows)

static int compare_name(pod_span name, const char *row)
{
    size_t length = strlen(row);
    int order = memcmp(name.text, row, name.length < length ? name.length : length);
    return order != 0 ? order : (name.length > length) - (name.length < length);
}

/* Takes the dialect off; false when it is none of those that are read. */
static bool take_dialect(pod_span *name)
{
    static const char *const dialects[] = {"stablehlo.", "mhlo.", "chlo."};
    for (size_t i = 0; i < sizeof dialects / sizeof *dialects; i++) {
        size_t length = strlen(dialects[i]);
        if (name->length > length && memcmp(name->text, dialects[i], length) == 0) {
            *name = (pod_span){name->text + length, name->length - length};
            return true;
        }
    }
    return false;
}

pod_op_reader pod_find_op_reader(pod_span name, pod_op *code)
{
    size_t low = 0, high = ROW_COUNT;
    if (!take_dialect(&name))
        return NULL;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = compare_name(name, rows[middle].name);
        if (order == 0) {
            *code = rows[middle].code;
            return rows[middle].reader;
        }
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}
