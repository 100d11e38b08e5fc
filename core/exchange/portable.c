/* portable - see portable.h. */

#include "exchange/portable.h"

#include "base/context.h"
#include "base/error.h"
#include "base/growth.h"
#include "base/random.h"
#include "moonpod/builders.h"

#include <stdio.h>
#include <string.h>

enum { MESSAGE_SIZE = 512, ROUNDS = 10, WORDS = 4 };

/* What a call with several results has become. */
typedef struct inlined_call {
    const pod_node *call;
    pod_node **results;
} inlined_call;

typedef struct portable_maker {
    pod_arena *arena; /* of messages and of what is needed while it is made */
    pod_node **held;  /* predicates of checks: scalars */
    const char **messages;
    uint32_t held_room, message_room;
    uint32_t count;
    pod_node *const *arguments; /* of the body that is copied; NULL: the graph itself */
    inlined_call *calls;
    uint32_t call_room;
    uint32_t call_count;
} portable_maker;

/* ---- random bits: base/random.h in ops ----------------------------------------------------------------------- */

static pod_node *number(pod_graph *graph, pod_dtype dtype, uint64_t value)
{
    const uint32_t low = (uint32_t)value;
    const pod_shape scalar = {0};
    return pod_graph_constant(graph, dtype, &scalar, dtype == POD_U64 ? (const void *)&value : &low);
}

/* An op of two operands, of which a scalar fits any. */
static pod_node *two(pod_graph *graph, pod_op op, pod_node *a, pod_node *b)
{
    pod_node *const inputs[] = {a, b};
    return pod_graph_elementwise(graph, op, inputs, 2);
}

static pod_node *high_word(pod_graph *graph, pod_node *x)
{
    return pod_graph_convert(graph, two(graph, POD_OP_SHIFT_RIGHT, x, number(graph, POD_U64, 32)), POD_U32);
}

static pod_node *low_word(pod_graph *graph, pod_node *x)
{
    return pod_graph_convert(graph, two(graph, POD_OP_AND, x, number(graph, POD_U64, UINT32_MAX)), POD_U32);
}

static pod_node *splitmix64(pod_graph *graph, pod_node *x)
{
    static const struct {
        int shift;
        uint64_t factor;
    } steps[] = {{30, UINT64_C(0xBF58476D1CE4E5B9)}, {27, UINT64_C(0x94D049BB133111EB)}, {31, 1}};
    x = two(graph, POD_OP_ADD, x, number(graph, POD_U64, POD_RANDOM_GOLDEN));
    for (int i = 0; i < 3; i++) {
        pod_node *shifted = two(graph, POD_OP_SHIFT_RIGHT, x, number(graph, POD_U64, (uint64_t)steps[i].shift));
        x = two(graph, POD_OP_XOR, x, shifted);
        if (steps[i].factor != 1)
            x = two(graph, POD_OP_MULTIPLY, x, number(graph, POD_U64, steps[i].factor));
    }
    return x;
}

/* Element `index` of the state. */
static pod_node *state_word(pod_graph *graph, pod_node *state, int64_t index)
{
    const pod_attributes slice = {.low = {index}, .high = {index + 1}, .step = {1}};
    const pod_shape scalar = {0};
    return pod_graph_reshape(graph, pod_graph_apply(graph, POD_OP_SLICE, &state, 1, &slice, NULL, 0), &scalar);
}

/* Counts along an axis of a shape. */
static pod_node *count_along(pod_graph *graph, const pod_shape *shape, int32_t axis)
{
    const pod_attributes iota = {.dtype = POD_U32, .shape = *shape, .axis = axis};
    return pod_graph_apply(graph, POD_OP_IOTA, NULL, 0, &iota, NULL, 0);
}

/* One round on the words of all counters. */
static void philox_round(pod_graph *graph, pod_node *c[WORDS], pod_node *key_0, pod_node *key_1)
{
    static const uint32_t factors[] = {0xD2511F53u, 0xCD9E8D57u};
    pod_node *products[2];
    for (int i = 0; i < 2; i++)
        products[i] = two(graph, POD_OP_MULTIPLY, pod_graph_convert(graph, c[2 * i], POD_U64),
                          number(graph, POD_U64, factors[i]));
    pod_node *first = two(graph, POD_OP_XOR, two(graph, POD_OP_XOR, high_word(graph, products[1]), c[1]), key_0);
    pod_node *third = two(graph, POD_OP_XOR, two(graph, POD_OP_XOR, high_word(graph, products[0]), c[3]), key_1);
    c[1] = low_word(graph, products[1]);
    c[3] = low_word(graph, products[0]);
    c[0] = first;
    c[2] = third;
}

/* The words of a shape, [rows, words of a row]: four of a counter each. */
static pod_node *draw_words(pod_graph *graph, pod_node *state, uint64_t op_seed, int64_t rows, int64_t words)
{
    const pod_shape counters = {2, {rows, (words + WORDS - 1) / WORDS}};
    pod_node *step = state_word(graph, state, 1);
    pod_node *seed = two(graph, POD_OP_ADD, state_word(graph, state, 0),
                         number(graph, POD_U64, POD_RANDOM_GOLDEN * pod_splitmix64(op_seed)));
    pod_node *key = splitmix64(graph, seed);
    pod_node *key_0 = low_word(graph, key), *key_1 = high_word(graph, key);
    pod_node *c[WORDS] = {count_along(graph, &counters, 1), count_along(graph, &counters, 0),
                          pod_graph_broadcast_to(graph, low_word(graph, step), &counters),
                          pod_graph_broadcast_to(graph, high_word(graph, step), &counters)};
    for (uint32_t i = 0; i < ROUNDS; i++)
        philox_round(graph, c, two(graph, POD_OP_ADD, key_0, number(graph, POD_U32, i * 0x9E3779B9u)),
                     two(graph, POD_OP_ADD, key_1, number(graph, POD_U32, i * 0xBB67AE85u)));
    const pod_shape apart = {3, {counters.dims[0], counters.dims[1], 1}};
    const pod_shape joined = {2, {rows, counters.dims[1] * WORDS}};
    for (int i = 0; i < WORDS; i++)
        c[i] = pod_graph_reshape(graph, c[i], &apart);
    const pod_attributes concatenate = {.axis = 2};
    pod_node *all = pod_graph_apply(graph, POD_OP_CONCATENATE, c, WORDS, &concatenate, NULL, 0);
    all = pod_graph_reshape(graph, all, &joined);
    const pod_attributes cut = {.high = {rows, words}, .step = {1, 1}};
    return pod_graph_apply(graph, POD_OP_SLICE, &all, 1, &cut, NULL, 0);
}

/* Rows and blocks whose numbers need more than a word are not drawn so: they stay, and are refused. */
static pod_node *draw(pod_graph *graph, const pod_node *node, pod_node **inputs)
{
    const pod_type *type = pod_node_type(node);
    const int64_t rows = type->shape.rank > 0 ? type->shape.dims[0] : 1, all = pod_shape_elements(&type->shape);
    const int64_t words = rows > 0 ? all / rows * (type->dtype == POD_U64 ? 2 : 1) : 0;
    if (all == 0 || rows > INT32_MAX || words > INT32_MAX)
        return pod_graph_copy_node(graph, node, inputs);
    pod_node *drawn = draw_words(graph, inputs[0], node->attributes->seed, rows, words);
    if (type->dtype == POD_U64) { /* the low word first */
        const pod_shape pairs = {2, {all, 2}}, one = {1, {all}};
        drawn = pod_graph_convert(graph, pod_graph_reshape(graph, drawn, &pairs), POD_U64);
        pod_node *halves[2];
        for (int64_t i = 0; i < 2; i++) {
            const pod_attributes half = {.low = {0, i}, .high = {all, i + 1}, .step = {1, 1}};
            halves[i] = pod_graph_reshape(graph, pod_graph_apply(graph, POD_OP_SLICE, &drawn, 1, &half, NULL, 0), &one);
        }
        drawn = two(graph, POD_OP_OR, halves[0], two(graph, POD_OP_SHIFT_LEFT, halves[1], number(graph, POD_U64, 32)));
    }
    return pod_graph_reshape(graph, drawn, &type->shape);
}

/* ---- checks --------------------------------------------------------------------------------------------------- */

/* Keeps a scalar that has to hold, with what is said where it does not, of the arena. */
static void keep(portable_maker *maker, pod_graph *graph, pod_node *predicate, const char *message)
{
    const pod_growth pointers = {sizeof(void *), .first = 16, .what = "checks"};
    if (!message || !pod_arena_grow(maker->arena, &maker->held, &maker->held_room, maker->count + 1, pointers) ||
        !pod_arena_grow(maker->arena, &maker->messages, &maker->message_room, maker->count + 1, pointers)) {
        (void)pod_graph_fail_memory(graph);
        return;
    }
    maker->held[maker->count] = predicate;
    maker->messages[maker->count++] = message;
}

/* The same of any shape, with the node's place before what is said. */
static void hold(portable_maker *maker, pod_graph *graph, const pod_node *node, pod_node *predicate,
                 const char *message)
{
    char text[MESSAGE_SIZE];
    pod_axes axes = {.count = pod_node_type(predicate)->shape.rank};
    for (int32_t i = 0; i < axes.count; i++)
        axes.axes[i] = i;
    if (axes.count > 0)
        predicate = pod_graph_reduce(graph, "reduce_and", predicate, &axes, false);
    snprintf(text, sizeof text, "%s%s%s%s%s", node->location ? node->location : "", node->location ? ": " : "",
             node->scope ? node->scope : "", node->scope ? ": " : "", message);
    keep(maker, graph, predicate, pod_arena_string(maker->arena, text));
}

/* Indices of a gather or scatter that does not say what becomes of those outside. */
static void hold_indices(portable_maker *maker, pod_graph *graph, const pod_node *node, pod_node **inputs)
{
    char message[128];
    const int64_t size = pod_node_type(node->inputs[0])->shape.dims[node->attributes->axis];
    const pod_dtype dtype = pod_node_type(inputs[1])->dtype;
    pod_node *low = pod_graph_scalar(graph, dtype, 0, NULL);
    pod_node *high = pod_graph_scalar(graph, dtype, (double)size, NULL);
    pod_node *predicate = pod_graph_and(graph, pod_graph_compare(graph, POD_COMPARE_GE, inputs[1], low),
                                        pod_graph_compare(graph, POD_COMPARE_LT, inputs[1], high));
    snprintf(message, sizeof message, "an index of %s is outside 0 .. %lld", pod_op_name(node->op),
             (long long)size - 1);
    hold(maker, graph, node, predicate, message);
}

/* ---- copying ---------------------------------------------------------------------------------------------------- */

static pod_node *copy_portable(void *context, pod_graph *graph, const pod_node *node, pod_node **inputs,
                               pod_node *const *mapped);

static pod_graph *copy_region(const pod_node *node, uint32_t index, pod_error *error);

/* A node that is looked at alone: the same in a region as outside. */
static pod_node *copy_plain(pod_graph *graph, const pod_node *node, pod_node **inputs)
{
    if (node->op == POD_OP_WITH_ROWS)
        return inputs[0];
    if (node->op == POD_OP_RANDOM_BITS)
        return draw(graph, node, inputs);
    pod_node *otherwise = pod_exchange_say_otherwise(graph, node, inputs);
    return otherwise ? otherwise : pod_graph_copy_node_by(graph, node, inputs, node->attributes, copy_region);
}

static pod_node *copy_within(void *context, pod_graph *graph, const pod_node *node, pod_node **inputs,
                             pod_node *const *mapped)
{
    (void)context, (void)mapped;
    return copy_plain(graph, node, inputs);
}

static pod_graph *copy_region(const pod_node *node, uint32_t index, pod_error *error)
{
    return pod_graph_copy_by(node->regions[index], copy_within, NULL, error);
}

/* ---- checks in branches and loops -------------------------------------------------------------------------------- */

/* Whether the checks of a region hold where its parameters are `arguments`: nodes of another graph, in `looked`. */
static void look_ahead(portable_maker *looked, pod_graph *graph, const pod_graph *region, pod_node *const *arguments)
{
    looked->arguments = arguments;
    pod_free(graph->context, pod_graph_copy_nodes(graph, region, copy_portable, looked));
}

/* Branches give whether each check of both has held: those of the other one do. */
static void give_held(pod_graph **regions, const portable_maker *makers)
{
    for (uint32_t i = 0; i < 4; i++)
        for (uint32_t j = 0; j < makers[i % 2].count; j++)
            pod_graph_add_output(regions[i / 2], i / 2 == i % 2 ? makers[i % 2].held[j]
                                                                : pod_graph_scalar(regions[i / 2], POD_BOOL, 1, NULL));
}

/* A loop carries it, for the condition's, which are looked at before that is, and the body's; it ends where one does
 * not hold. What is carried into it stands behind the loop's operands. */
static void carry_held(pod_graph **regions, const portable_maker *makers, pod_graph *graph, const pod_node *node,
                       pod_node **operands)
{
    const uint32_t ahead = makers[0].count, count = ahead + makers[1].count;
    const pod_shape scalar = {0};
    portable_maker before = {.arena = makers[0].arena}, after = {.arena = makers[0].arena};
    if (ahead > 0) {
        look_ahead(&before, graph, node->regions[0], operands);
        look_ahead(&after, regions[1], node->regions[0], regions[1]->outputs);
    }
    for (uint32_t i = 0; i < count; i++) {
        pod_node *held = pod_graph_parameter(regions[0], POD_BOOL, &scalar, NULL);
        regions[0]->outputs[0] = pod_graph_and(regions[0], regions[0]->outputs[0], held);
        held = i >= ahead ? makers[1].held[i - ahead] : i < after.count ? after.held[i] : &regions[1]->invalid;
        held = pod_graph_and(regions[1], pod_graph_parameter(regions[1], POD_BOOL, &scalar, NULL), held);
        pod_graph_add_output(regions[1], held);
        operands[node->input_count + i] = i >= ahead         ? pod_graph_scalar(graph, POD_BOOL, 1, NULL)
                                          : i < before.count ? before.held[i]
                                                             : &graph->invalid; /* no memory, as the graph has it */
    }
}

/* Gives the copied regions of a cond or a while what becomes of their checks; false, with the error, where there is no
 * memory or a region was not copied. */
static bool give_checks(portable_maker *makers, pod_graph *graph, const pod_node *node, pod_graph **regions,
                        pod_node **operands, pod_error *error)
{
    if (!operands || !regions[0] || !regions[1])
        return false;
    if (node->op == POD_OP_WHILE)
        carry_held(regions, makers, graph, node, operands);
    else
        give_held(regions, makers);
    return pod_graph_check(regions[0], error) == POD_OK && pod_graph_check(regions[1], error) == POD_OK;
}

/* A cond or a while, with one result more for each check in its regions. */
static pod_node *copy_control(portable_maker *maker, pod_graph *graph, const pod_node *node, pod_node **inputs)
{
    portable_maker makers[2] = {{.arena = maker->arena}, {.arena = maker->arena}};
    pod_graph *regions[2];
    pod_error error;
    (void)pod_error_memory(&error, "checks", 0);
    for (uint32_t i = 0; i < 2; i++)
        regions[i] = pod_graph_copy_by(node->regions[i], copy_portable, &makers[i], &error);
    const uint32_t count = makers[0].count + makers[1].count, carried = node->op == POD_OP_WHILE ? count : 0;
    pod_node **operands = pod_arena_array(maker->arena, (size_t)node->input_count + count + 1, sizeof *operands);
    if (operands)
        memcpy(operands, inputs, node->input_count * sizeof *operands);
    if (!give_checks(makers, graph, node, regions, operands, &error)) {
        pod_graph_free(regions[0]);
        pod_graph_free(regions[1]);
        return pod_graph_fail_with(graph, &error);
    }
    const char *location = graph->location, *scope = graph->scope;
    pod_graph_set_place(graph, node->location ? node->location : location, node->scope ? node->scope : scope);
    pod_node *made =
        pod_graph_apply(graph, node->op, operands, (size_t)node->input_count + carried, node->attributes, regions, 2);
    pod_graph_set_place(graph, location, scope);
    for (uint32_t i = 0; i < count; i++)
        keep(maker, graph, pod_graph_result(graph, made, (size_t)node->result_count + i),
             i < makers[0].count ? makers[0].messages[i] : makers[1].messages[i - makers[0].count]);
    return count > 0 && node->result_count == 1 ? pod_graph_result(graph, made, 0) : made;
}

/* Puts the body of a call in its place. */
static pod_node *inline_call(portable_maker *maker, pod_graph *graph, const pod_node *node, pod_node **inputs)
{
    const pod_graph *body = node->regions[0];
    pod_node *const *outer = maker->arguments;
    pod_node **results = pod_arena_array(maker->arena, body->output_count + 1, sizeof *results);
    pod_node **arguments = pod_arena_array(maker->arena, node->input_count + 1, sizeof *arguments);
    if (!results || !arguments ||
        !pod_arena_grow(maker->arena, &maker->calls, &maker->call_room, maker->call_count + 1,
                        (pod_growth){sizeof *maker->calls, .first = 16, .what = "calls"}))
        return pod_graph_fail_memory(graph);
    memcpy(arguments, inputs, node->input_count * sizeof *arguments);
    const char *location = graph->location, *scope = graph->scope;
    pod_graph_set_place(graph, node->location ? node->location : location, node->scope ? node->scope : scope);
    maker->arguments = arguments;
    pod_node **copies = pod_graph_copy_nodes(graph, body, copy_portable, maker);
    maker->arguments = outer;
    pod_graph_set_place(graph, location, scope);
    if (!copies)
        return &graph->invalid;
    for (uint32_t i = 0; i < body->output_count; i++)
        results[i] = copies[body->outputs[i]->id];
    pod_free(graph->context, copies);
    maker->calls[maker->call_count++] = (inlined_call){node, results};
    return body->output_count > 0 ? results[0] : &graph->invalid;
}

static pod_node *result_of_call(const portable_maker *maker, const pod_node *node)
{
    for (uint32_t i = maker->call_count; i-- > 0;)
        if (maker->calls[i].call == node->inputs[0])
            return maker->calls[i].results[node->attributes->axis];
    return NULL;
}

static pod_node *copy_portable(void *context, pod_graph *graph, const pod_node *node, pod_node **inputs,
                               pod_node *const *mapped)
{
    portable_maker *maker = context;
    (void)mapped;
    switch ((int)node->op) {
    case POD_OP_PARAMETER:
        if (maker->arguments)
            return maker->arguments[node->attributes->axis];
        break;
    case POD_OP_RESULT: {
        pod_node *result = result_of_call(maker, node);
        if (result)
            return result;
        break;
    }
    case POD_OP_CALL:
        return inline_call(maker, graph, node, inputs);
    case POD_OP_COND:
    case POD_OP_WHILE:
        return copy_control(maker, graph, node, inputs);
    case POD_OP_CHECK:
        hold(maker, graph, node, inputs[1], node->attributes->name ? node->attributes->name : "a check failed");
        return inputs[0];
    case POD_OP_GATHER:
    case POD_OP_SCATTER:
        if (!node->attributes->flag)
            hold_indices(maker, graph, node, inputs);
        break;
    default:
        break;
    }
    return copy_plain(graph, node, inputs);
}

static void add_checks(portable_maker *maker, pod_graph *graph)
{
    const pod_shape one = {1, {1}};
    const pod_attributes concatenate = {.axis = 0};
    for (uint32_t i = 0; i < maker->count; i++)
        maker->held[i] = pod_graph_reshape(graph, maker->held[i], &one);
    if (maker->count > 0)
        pod_graph_add_output(
            graph, pod_graph_apply(graph, POD_OP_CONCATENATE, maker->held, maker->count, &concatenate, NULL, 0));
}

pod_status pod_exchange_make_portable(const pod_graph *graph, pod_arena *arena, pod_graph **portable,
                                      pod_exchange_checks *checks, pod_error *error)
{
    portable_maker maker = {.arena = arena};
    pod_error found = {0};
    *checks = (pod_exchange_checks){0};
    *portable = pod_graph_copy_by(graph, copy_portable, &maker, &found);
    if (!*portable && error)
        *error = found;
    if (!*portable)
        return found.status < 0 ? found.status : POD_ERROR_MEMORY;
    add_checks(&maker, *portable);
    *checks = (pod_exchange_checks){maker.count, maker.messages};
    const pod_status status = pod_graph_check(*portable, error);
    if (status != POD_OK) {
        pod_graph_free(*portable);
        *portable = NULL;
    }
    return status;
}
