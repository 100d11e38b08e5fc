/* Control flow: regions read what is defined outside; ours get it as operands. */

#include <string.h>

#include "base/growth.h"
#include "exchange/shardings.h"
#include "exchange/translate.h"

/* Holds what the regions of an op read from outside. Constants are not handed in: each region has its
 * own. */
typedef struct closure {
    pod_call *call;
    uint32_t *captures;
    uint32_t captured;
} closure;

static bool begin(pod_call *call, closure *c)
{
    c->call = call;
    c->captures = pod_exchange_find_captures(call->translator, call->op, &c->captured);
    return c->captures != NULL;
}

static void end(closure *c)
{
    pod_free(c->call->translator->context, c->captures);
}

static pod_graph *region(closure *c, uint32_t index, uint32_t count, bool pass)
{
    return pod_exchange_translate_closure(c->call->translator, &c->call->op->regions[index], c->captures, c->captured,
                                          count, pass);
}

/* Applies an op with regions to `first`, then the call's operands from `from` on, then what is
 * captured. Takes the regions. */
static pod_node *apply(closure *c, pod_op op, const pod_attributes *attributes, pod_node *first, uint32_t from,
                       pod_graph **regions)
{
    pod_call *call = c->call;
    pod_translator *t = call->translator;
    uint32_t own = call->op->operand_count - from, count = 0;
    pod_node **inputs = pod_allocate_zeroed(t->context, (size_t)own + c->captured + 1, sizeof *inputs);
    pod_node *node = NULL;
    if (!inputs)
        pod_exchange_syntax_no_memory(t->syntax);
    if (inputs && regions[0] && regions[1]) {
        if (first)
            inputs[count++] = first;
        for (uint32_t i = 0; i < own; i++)
            inputs[count++] = call->inputs[from + i];
        for (uint32_t i = 0; i < c->captured; i++)
            inputs[count++] = pod_exchange_translator_get(t, c->captures[i]);
        node = pod_graph_apply(call->graph, op, inputs, count, attributes, regions, 2);
    } else {
        pod_graph_free(regions[0]);
        pod_graph_free(regions[1]);
    }
    pod_free(t->context, inputs);
    return node;
}

/* Applies an op to `first`, if there is any, the operands, and two regions that give so many values. */
static pod_outcome read_regions(pod_call *call, pod_op op, const pod_attributes *attributes, pod_node *first,
                                uint32_t one, uint32_t other)
{
    pod_graph *regions[2];
    closure c;
    if (!begin(call, &c))
        return POD_READ_FAILED;
    regions[0] = region(&c, 0, one, false);
    regions[1] = regions[0] ? region(&c, 1, other, op == POD_OP_WHILE) : NULL;
    pod_node *node = apply(&c, op, attributes, first, first != NULL, regions);
    end(&c);
    return node ? pod_exchange_call_results(call, node) : POD_READ_FAILED;
}

pod_outcome pod_exchange_read_while(pod_call *call)
{
    const pod_syntax_op *op = call->op;
    if (op->region_count != 2 || op->operand_count == 0 || op->operand_count != op->result_count ||
        op->regions[0].argument_count != op->operand_count || op->regions[1].argument_count != op->operand_count)
        return pod_exchange_read_fail(call, POD_ERROR_FORMAT,
                                      "a loop needs a condition and a body of as many arguments as it has "
                                      "operands");
    pod_attributes attributes = {0};
    if (!pod_exchange_value_integer(pod_exchange_call_attribute(call, "moonpod.count", NULL), &attributes.count))
        attributes.count = 0;
    return read_regions(call, POD_OP_WHILE, &attributes, NULL, 1, op->operand_count);
}

static bool has_plain_regions(const pod_call *call)
{
    for (uint32_t i = 0; i < call->op->region_count; i++) {
        if (call->op->regions[i].argument_count > 0)
            return false;
    }
    return call->op->operand_count == 1 && call->op->result_count > 0;
}

pod_outcome pod_exchange_read_if(pod_call *call)
{
    if (call->op->region_count != 2 || !has_plain_regions(call))
        return pod_exchange_not_known(call, "it has another number of branches or operands than is known");
    return read_regions(call, POD_OP_COND, NULL, call->inputs[0], call->op->result_count, call->op->result_count);
}

/* ---- a choice of many: conds within each other ----------------------------------------------- */

#define MOST_BRANCHES 32

/* A cond that is being made of the branches from `first` on. */
typedef struct branches {
    closure c;
    uint32_t first;
} branches;

/* Adds to the graph a cond whose first branch is number `first` and whose second are all behind it;
 * others than the known numbers mean the last. Writes its results. */
static bool choose(pod_translator *t, void *context, pod_node **results)
{
    branches *b = context, rest = *b;
    const pod_syntax_op *op = b->c.call->op;
    pod_node *number = pod_exchange_translator_get(t, op->operands[0]);
    pod_graph *graph = t->graph, *regions[2];
    pod_call inner = *b->c.call;
    rest.first = b->first + 1;
    inner.graph = graph;
    rest.c.call = &inner;
    regions[0] = region(&b->c, b->first, op->result_count, false);
    if (!regions[0])
        return false;
    regions[1] = rest.first + 1 == op->region_count
                     ? region(&b->c, rest.first, op->result_count, false)
                     : pod_exchange_make_closure(t, b->c.captures, b->c.captured, choose, &rest, op->result_count);
    pod_node *is_first =
        pod_graph_compare(graph, POD_COMPARE_EQ, number, pod_graph_number_like(graph, number, b->first));
    rest.c.call = &inner;
    pod_node *node = apply(&rest.c, POD_OP_COND, NULL, is_first, 1, regions);
    for (uint32_t i = 0; i < op->result_count && node; i++)
        results[i] = pod_graph_result(graph, node, i);
    return node != NULL;
}

/* Adds the number to what is captured, as every branch but the last needs it. */
static bool capture_number(closure *c)
{
    pod_translator *t = c->call->translator;
    uint32_t number = c->call->op->operands[0];
    for (uint32_t i = 0; i < c->captured; i++) {
        if (c->captures[i] == number)
            return true;
    }
    size_t room = c->captured;
    if (pod_grow(t->context, &c->captures, &room, room + 1, (pod_growth){.item = sizeof *c->captures}, NULL) != POD_OK)
        return pod_exchange_syntax_no_memory(t->syntax);
    c->captures[c->captured++] = number;
    return true;
}

pod_outcome pod_exchange_read_case(pod_call *call)
{
    const pod_syntax_op *op = call->op;
    branches all = {0};
    if (!has_plain_regions(call) || op->region_count == 0 || op->region_count > MOST_BRANCHES)
        return pod_exchange_not_known(call, "it has another number of branches or operands than is known");
    if (op->region_count == 1)
        return pod_exchange_translate_region(call->translator, &op->regions[0], call->results, op->result_count)
                   ? POD_READ
                   : POD_READ_FAILED;
    if (!begin(call, &all.c))
        return POD_READ_FAILED;
    bool read = capture_number(&all.c) && choose(call->translator, &all, call->results);
    end(&all.c);
    return read ? POD_READ : POD_READ_FAILED;
}

/* ---- calls of other kinds -------------------------------------------------------------------- */

/* A composite is what it is decomposed into. */
pod_outcome pod_exchange_read_composite(pod_call *call)
{
    const pod_syntax_value *function = pod_exchange_call_attribute(call, "decomposition", NULL);
    if (!function || function->kind != POD_VALUE_SYMBOL)
        return pod_exchange_not_known(call, "it has no decomposition");
    return pod_exchange_translate_function(call, function->text) ? POD_READ : POD_READ_FAILED;
}

/* Its results are its operands, divided among devices as it says. */
static pod_outcome pass_through(pod_call *call)
{
    const bool note = pod_exchange_passage_of(call->op) == POD_PASSAGE_NOTE;
    const pod_span sharding = note ? pod_exchange_constraint_of(call->op) : (pod_span){0};
    for (uint32_t i = 0; i < call->op->result_count; i++)
        call->results[i] = pod_exchange_give_sharding(call->translator, call->graph, call->inputs[i], sharding);
    return POD_READ;
}

/* Ops of other dialects are printed as calls of their name, "mhlo.erf", with their attributes in a table. */
static pod_outcome read_named_op(pod_call *call, pod_span name, const pod_reader_row *row)
{
    const pod_syntax_op *whole = call->op;
    const pod_syntax_value *table = pod_exchange_call_attribute(call, "mhlo.attributes", NULL);
    pod_syntax_op op = *whole;
    op.name = name;
    op.attributes =
        table && table->kind == POD_VALUE_DICTIONARY ? *table : (pod_syntax_value){.kind = POD_VALUE_DICTIONARY};
    call->op = &op;
    pod_outcome outcome = pod_exchange_read_by_row(call, row);
    call->op = whole;
    return outcome;
}

pod_outcome pod_exchange_read_with_scratch(pod_call *call)
{
    return pod_exchange_not_known(call, "chips have it, but how much memory they compute it in is not known");
}

/* Returns whether the results have the shapes of the operands. */
static bool keeps_shapes(const pod_call *call)
{
    bool same = call->op->operand_count == call->op->result_count;
    for (uint32_t i = 0; same && i < call->op->operand_count; i++)
        same = pod_shape_equal(&pod_exchange_call_operand_type(call, i)->shape,
                               &pod_exchange_call_result_type(call, i)->shape);
    return same;
}

/* Notes for the partitioner compute nothing; what divides a whole array that is one device's already does
 * nothing either. */
pod_outcome pod_exchange_read_custom_call(pod_call *call)
{
    static const char *const notes[] = {"annotate_device_placement", "MoveToHost", "MoveToDevice", NULL};
    /* linear algebra that chips have under names of their own */
    static const char *const known[] = {
        "Qr", "Eigh", "LuDecomposition", "ProductOfElementaryHouseholderReflectors", "TopK", "ApproxTopK", NULL};
    const pod_syntax_value *name = pod_exchange_call_attribute(call, "call_target_name", NULL);
    pod_span target = name ? name->text : call->op->symbol;
    const pod_passage passage = pod_exchange_passage_of(call->op);
    if ((passage != POD_PASSAGE_NONE || pod_exchange_span_among(target, notes)) && keeps_shapes(call))
        return pass_through(call);
    if (passage != POD_PASSAGE_NONE)
        return POD_PLACED;
    const pod_reader_row *row = call->translator->find_reader(target);
    bool foreign = false;
    for (uint32_t i = 0; i < call->op->operand_count; i++)
        foreign |= pod_exchange_call_operand_type(call, i)->foreign;
    if (row && row->elements != POD_READER_ANY && !foreign)
        return read_named_op(call, target, row);
    if (pod_exchange_span_among(target, known))
        return pod_exchange_read_with_scratch(call);
    return pod_exchange_not_known(call, "it calls foreign code");
}

pod_outcome pod_exchange_read_sharding_constraint(pod_call *call)
{
    if (call->op->operand_count != call->op->result_count)
        return pod_exchange_not_known(call, "it has not as many results as operands");
    return pass_through(call);
}

/* One of what a tuple was made of; one of an op's results where that gives them as a tuple. */
pod_outcome pod_exchange_read_tuple_element(pod_call *call)
{
    int64_t index;
    if (call->op->operand_count != 1 || call->op->result_count != 1 ||
        !pod_exchange_value_integer(pod_exchange_call_attribute(call, "index", NULL), &index) || index < 0)
        return pod_exchange_read_fail(call, POD_ERROR_FORMAT, "it needs a tuple and an index");
    const pod_node *tuple = call->inputs[0];
    if (tuple->op == POD_OP_RESULT)
        tuple = tuple->inputs[0];
    const bool made =
        tuple->op == POD_OP_OPAQUE && tuple->attributes->name &&
        pod_exchange_span_is((pod_span){tuple->attributes->name, strlen(tuple->attributes->name)}, "stablehlo.tuple");
    if (!made)
        return POD_PLACED;
    if (index >= tuple->input_count)
        return pod_exchange_read_fail(call, POD_ERROR_FORMAT, "the tuple has %u elements", tuple->input_count);
    return pod_exchange_call_result(call, tuple->inputs[index]);
}
