/* Functions, regions and calls: the walk over the ops. */

#include "exchange/translate.h"

#include "exchange/shardings.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/growth.h"

/* A module whose functions call each other so often that more ops would come of it is refused. */
#define MOST_OPS        1000000
#define MOST_CALL_DEPTH 200

pod_span pod_exchange_bare_name(pod_span name)
{
    for (size_t i = 0; i + 1 < name.length; i++) {
        if (name.text[i] == '.')
            return (pod_span){name.text + i + 1, name.length - i - 1};
    }
    return name;
}

/* ---- values ---------------------------------------------------------------------------------- */

void pod_exchange_translator_set(pod_translator *t, uint32_t value, pod_node *node)
{
    assert(value >= t->first_value && value < t->syntax->value_count);
    t->nodes[value - t->first_value] = node;
}

pod_node *pod_exchange_translator_get(const pod_translator *t, uint32_t value)
{
    assert(value >= t->first_value && value < t->syntax->value_count);
    return t->nodes[value - t->first_value];
}

const pod_syntax_type *pod_exchange_call_operand_type(const pod_call *call, uint32_t index)
{
    assert(index < call->op->operand_count);
    return &call->translator->syntax->values[call->op->operands[index]];
}

const pod_syntax_type *pod_exchange_call_result_type(const pod_call *call, uint32_t index)
{
    assert(index < call->op->result_count);
    return &call->translator->syntax->values[call->op->first_result + index];
}

pod_value_type *pod_exchange_call_result_types(const pod_call *call)
{
    const uint32_t count = call->op->result_count;
    pod_value_type *types = pod_allocate_zeroed(call->translator->context, (size_t)count + 1, sizeof *types);
    if (!types)
        return pod_exchange_syntax_no_memory(call->translator->syntax), NULL;
    for (uint32_t i = 0; i < count; i++) {
        const pod_syntax_type *type = pod_exchange_call_result_type(call, i);
        types[i] = (pod_value_type){type->dtype, (int32_t)type->element, type->shape};
    }
    return types;
}

/* ---- what readers say ------------------------------------------------------------------------ */

pod_outcome pod_exchange_not_known(pod_call *call, const char *reason)
{
    call->translator->reason = reason;
    return POD_NOT_KNOWN;
}

pod_outcome pod_exchange_read_fail(pod_call *call, pod_status status, const char *format, ...)
{
    char message[POD_ERROR_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    pod_exchange_lexer_fail(&call->translator->syntax->lexer, call->op->at, status, "%s", message);
    return POD_READ_FAILED;
}

pod_outcome pod_exchange_call_result(pod_call *call, pod_node *node)
{
    call->results[0] = node;
    return POD_READ;
}

pod_outcome pod_exchange_call_results(pod_call *call, pod_node *node)
{
    for (uint32_t i = 0; i < call->op->result_count; i++)
        call->results[i] = pod_graph_result(call->graph, node, i);
    return POD_READ;
}

pod_outcome pod_exchange_call_give(pod_call *call, pod_op op, pod_node *const *inputs, size_t count,
                                   const pod_attributes *attributes)
{
    return pod_exchange_call_result(call, pod_exchange_call_apply(call, op, inputs, count, attributes));
}

pod_outcome pod_exchange_read_by_row(pod_call *call, const pod_reader_row *row)
{
    const uint32_t operands = call->op->operand_count, results = row->arity.results;
    if (operands < row->arity.fewest || operands > row->arity.most ||
        (results != UINT32_MAX && call->op->result_count != results))
        return pod_exchange_not_known(call, row->arity.otherwise);
    call->code = row->code;
    return row->read(call);
}

pod_node *pod_exchange_call_apply(pod_call *call, pod_op op, pod_node *const *inputs, size_t count,
                                  const pod_attributes *attributes)
{
    return pod_graph_apply(call->graph, op, inputs, count, attributes, NULL, 0);
}

/* ---- ops ------------------------------------------------------------------------------------- */

/* The nodes must be what the text says of them. */
static bool check_results(pod_call *call)
{
    char first[POD_SHAPE_TEXT_SIZE], second[POD_SHAPE_TEXT_SIZE];
    pod_translator *t = call->translator;
    pod_error error;
    if (pod_graph_check(t->graph, &error) != POD_OK)
        return pod_exchange_lexer_fail(&t->syntax->lexer, call->op->at, error.status, "%s", error.message);
    for (uint32_t i = 0; i < call->op->result_count; i++) {
        const pod_syntax_type *want = pod_exchange_call_result_type(call, i);
        assert(call->results[i] && call->results[i]->graph == t->graph);
        const pod_type *have = pod_node_type(call->results[i]);
        if (have->dtype != want->dtype || !pod_shape_equal(&have->shape, &want->shape))
            return pod_exchange_lexer_fail(&t->syntax->lexer, call->op->at, POD_ERROR_SHAPE,
                                           "%.*s gives %s %s here, but %s %s is written", (int)call->op->name.length,
                                           call->op->name.text, pod_dtype_name(have->dtype),
                                           pod_shape_format(&have->shape, first), pod_dtype_name(want->dtype),
                                           pod_shape_format(&want->shape, second));
        pod_exchange_translator_set(t, call->op->first_result + i, call->results[i]);
    }
    return true;
}

static bool translate_call(pod_call *call);

static bool translate_with(pod_call *call)
{
    if (pod_exchange_span_is(call->op->name, "call") || pod_exchange_span_is(call->op->name, "func.call"))
        return translate_call(call) && check_results(call);
    return call->translator->read_op(call) == POD_READ && !call->translator->syntax->lexer.failed &&
           check_results(call);
}

static bool translate_op(pod_translator *t, const pod_syntax_op *op)
{
    pod_node *few[8];
    pod_call call = {.translator = t, .graph = t->graph, .op = op, .inputs = few};
    size_t count = (size_t)op->operand_count + op->result_count;
    if (!pod_exchange_lexer_goes_on(&t->syntax->lexer, op->at, t->context))
        return false;
    if (++t->ops > MOST_OPS)
        return pod_exchange_lexer_fail(&t->syntax->lexer, op->at, POD_ERROR_UNSUPPORTED,
                                       "with all calls in place the module has more than %d ops", MOST_OPS);
    if (count > sizeof few / sizeof *few)
        call.inputs = pod_allocate_zeroed(t->context, count, sizeof *call.inputs);
    if (!call.inputs)
        return pod_exchange_syntax_no_memory(t->syntax);
    call.results = call.inputs + op->operand_count;
    for (uint32_t i = 0; i < op->operand_count; i++)
        call.inputs[i] = pod_exchange_translator_get(t, op->operands[i]);
    pod_exchange_translate_location(t, op);
    const bool read = translate_with(&call);
    if (call.inputs != few)
        pod_free(t->context, call.inputs);
    return read;
}

static bool is_return(const pod_syntax_op *op)
{
    return pod_exchange_span_is(pod_exchange_bare_name(op->name), "return");
}

bool pod_exchange_translate_region(pod_translator *t, const pod_syntax_region *region, pod_node **results,
                                   uint32_t count)
{
    const pod_syntax_op *op = region->first;
    for (; op && op != region->last; op = op->next) {
        if (is_return(op))
            return pod_exchange_lexer_fail(&t->syntax->lexer, op->at, POD_ERROR_FORMAT, "ops follow this return");
        if (!translate_op(t, op))
            return false;
    }
    if (!op || !is_return(op))
        return pod_exchange_lexer_fail(&t->syntax->lexer, op ? op->at : t->syntax->lexer.begin, POD_ERROR_FORMAT,
                                       "a body must end with a return");
    if (op->operand_count != count)
        return pod_exchange_lexer_fail(&t->syntax->lexer, op->at, POD_ERROR_FORMAT,
                                       "%u values are returned, but %u are wanted", op->operand_count, count);
    for (uint32_t i = 0; i < count; i++)
        results[i] = pod_exchange_translator_get(t, op->operands[i]);
    return true;
}

/* ---- what regions read from outside ---------------------------------------------------------- */

typedef struct capture_list {
    uint32_t *values;
    uint32_t count;
    size_t room;
} capture_list;

static bool make_room(pod_translator *t, capture_list *list)
{
    return pod_grow(t->context, &list->values, &list->room, (size_t)list->count + 1,
                    (pod_growth){sizeof *list->values, .first = 8}, NULL) == POD_OK ||
           pod_exchange_syntax_no_memory(t->syntax);
}

static bool add_capture(pod_translator *t, capture_list *list, uint32_t value)
{
    uint32_t *stamp = &t->stamps[value - t->first_value];
    if (*stamp == t->stamp)
        return true;
    *stamp = t->stamp;
    if (!make_room(t, list))
        return false;
    list->values[list->count++] = value;
    return true;
}

/* Adds what the ops of a region read of the values below `first`. */
static bool scan_region(pod_translator *t, const pod_syntax_region *region, uint32_t first, capture_list *list)
{
    for (const pod_syntax_op *op = region->first; op; op = op->next) {
        for (uint32_t i = 0; i < op->operand_count; i++) {
            if (op->operands[i] < first && !add_capture(t, list, op->operands[i]))
                return false;
        }
        for (uint32_t i = 0; i < op->region_count; i++) {
            if (!scan_region(t, &op->regions[i], first, list))
                return false;
        }
    }
    return true;
}

uint32_t *pod_exchange_find_captures(pod_translator *t, const pod_syntax_op *op, uint32_t *count)
{
    capture_list list = {0};
    bool found = make_room(t, &list);
    t->stamp++;
    for (uint32_t i = 0; i < op->region_count && found; i++)
        found = scan_region(t, &op->regions[i], op->regions[0].first_value, &list);
    *count = list.count;
    if (found)
        return list.values;
    pod_free(t->context, list.values);
    return NULL;
}

/* ---- regions as graphs ----------------------------------------------------------------------- */

/* Adds a parameter that stands for a value of the graph around. */
static pod_node *add_parameter(pod_translator *t, const pod_syntax_type *type, const char *name)
{
    pod_attributes attributes = {.dtype = type->dtype,
                                 .shape = type->shape,
                                 .name = name,
                                 .element = type->foreign ? (int32_t)type->element : 0};
    return pod_graph_apply(t->graph, POD_OP_PARAMETER, NULL, 0, &attributes, NULL, 0);
}

/* Holds what a graph is made of: a region of the text, or what a function makes. */
typedef struct closure_body {
    const pod_syntax_region *region;
    pod_body_maker make;
    void *context;
    uint32_t count;
    bool pass;
} closure_body;

static bool fill_closure(pod_translator *t, const closure_body *body, const uint32_t *captures, uint32_t captured,
                         pod_node **outputs)
{
    const pod_syntax_region *region = body->region;
    for (uint32_t i = 0; region && i < region->argument_count; i++)
        pod_exchange_translator_set(t, region->first_value + i,
                                    add_parameter(t, &t->syntax->values[region->first_value + i], NULL));
    for (uint32_t i = 0; i < captured; i++) {
        outputs[body->count + i] = add_parameter(t, &t->syntax->values[captures[i]], NULL);
        pod_exchange_translator_set(t, captures[i], outputs[body->count + i]);
    }
    if (region ? !pod_exchange_translate_region(t, region, outputs, body->count)
               : !body->make(t, body->context, outputs))
        return false;
    for (uint32_t i = 0; i < body->count + (body->pass ? captured : 0); i++)
        pod_graph_add_output(t->graph, outputs[i]);
    return true;
}

static pod_graph *make_closure(pod_translator *t, const closure_body *body, const uint32_t *captures, uint32_t captured)
{
    pod_error error;
    pod_graph *outer = t->graph, *made;
    size_t room = (size_t)captured + body->count + 1;
    pod_node **saved = pod_allocate_zeroed(t->context, (size_t)captured + 1, sizeof *saved);
    pod_node **outputs = pod_allocate_zeroed(t->context, room, sizeof *outputs);
    if (pod_graph_new(t->context, "region", &made, &error) != POD_OK)
        made = NULL;
    bool read = (saved && outputs && made) || pod_exchange_syntax_no_memory(t->syntax);
    for (uint32_t i = 0; i < captured && read; i++)
        saved[i] = pod_exchange_translator_get(t, captures[i]);
    t->graph = made;
    read = read && fill_closure(t, body, captures, captured, outputs);
    t->graph = outer;
    for (uint32_t i = 0; i < captured && saved && saved[i]; i++)
        pod_exchange_translator_set(t, captures[i], saved[i]);
    pod_free(t->context, saved);
    pod_free(t->context, outputs);
    if (read)
        return made;
    pod_graph_free(made);
    return NULL;
}

pod_graph *pod_exchange_translate_closure(pod_translator *t, const pod_syntax_region *region, const uint32_t *captures,
                                          uint32_t captured, uint32_t count, bool pass)
{
    return make_closure(t, &(closure_body){.region = region, .count = count, .pass = pass}, captures, captured);
}

pod_graph *pod_exchange_make_closure(pod_translator *t, const uint32_t *captures, uint32_t captured,
                                     pod_body_maker make, void *context, uint32_t count)
{
    return make_closure(t, &(closure_body){.make = make, .context = context, .count = count}, captures, captured);
}

/* ---- functions ------------------------------------------------------------------------------- */

/* Translates a body whose arguments are given; what it keeps by value is its own. */
static bool translate_body(pod_translator *t, pod_syntax_function *function, pod_node *const *arguments,
                           pod_node **results)
{
    pod_translator outer = *t;
    const pod_syntax_region *body = &function->body;
    size_t count = (size_t)(body->end_value - body->first_value) + 1;
    t->first_value = body->first_value;
    t->end_value = body->end_value;
    t->nodes = pod_allocate_zeroed(t->context, count, sizeof *t->nodes);
    t->stamps = pod_allocate_zeroed(t->context, count, sizeof *t->stamps);
    t->stamp = 0;
    t->depth++;
    function->depth++;
    bool read = (t->nodes && t->stamps) || pod_exchange_syntax_no_memory(t->syntax);
    for (uint32_t i = 0; i < body->argument_count && read; i++)
        pod_exchange_translator_set(t, body->first_value + i, arguments[i]);
    read = read && pod_exchange_translate_region(t, body, results, function->result_count);
    function->depth--;
    pod_free(t->context, t->nodes);
    pod_free(t->context, t->stamps);
    outer.ops = t->ops;
    outer.barriers = t->barriers;
    *t = outer;
    return read;
}

static bool check_call(pod_call *call, const pod_syntax_function *function, pod_span name)
{
    pod_translator *t = call->translator;
    const pod_syntax_op *op = call->op;
    int length = (int)(name.length < 100 ? name.length : 100);
    if (!function)
        return pod_exchange_lexer_fail(&t->syntax->lexer, op->at, POD_ERROR_FORMAT, "there is no function @%.*s",
                                       length, name.text);
    if (function->depth > 0)
        return pod_exchange_lexer_fail(&t->syntax->lexer, op->at, POD_ERROR_UNSUPPORTED, "function @%.*s calls itself",
                                       length, name.text);
    if (t->depth >= MOST_CALL_DEPTH)
        return pod_exchange_lexer_fail(&t->syntax->lexer, op->at, POD_ERROR_UNSUPPORTED,
                                       "calls are nested more than %d deep", MOST_CALL_DEPTH);
    if (function->body.argument_count != op->operand_count || function->result_count != op->result_count)
        return pod_exchange_lexer_fail(&t->syntax->lexer, op->at, POD_ERROR_FORMAT,
                                       "@%.*s takes %u values and gives %u, but %u are given and %u taken here", length,
                                       name.text, function->body.argument_count, function->result_count,
                                       op->operand_count, op->result_count);
    for (uint32_t i = 0; i < op->operand_count; i++) {
        const pod_syntax_type *have = pod_exchange_call_operand_type(call, i);
        const pod_syntax_type *want = &t->syntax->values[function->body.first_value + i];
        if (!pod_exchange_same_type(have, want))
            return pod_exchange_lexer_fail(&t->syntax->lexer, op->at, POD_ERROR_DTYPE,
                                           "argument %u of @%.*s has another type", i, length, name.text);
    }
    return true;
}

bool pod_exchange_translate_function(pod_call *call, pod_span name)
{
    pod_translator *t = call->translator;
    pod_syntax_function *function = pod_exchange_syntax_find_function(t->syntax, name);
    if (!check_call(call, function, name))
        return false;
    const char *scope = t->scope;
    t->scope = pod_exchange_call_scope(t, call->op, name);
    bool read = translate_body(t, function, call->inputs, call->results);
    t->scope = scope;
    return read;
}

/* Translates a function whose arguments come behind the results. */
static bool make_function(pod_translator *t, void *function, pod_node **results)
{
    return translate_body(t, function, results + ((pod_syntax_function *)function)->result_count, results);
}

pod_graph *pod_exchange_translate_function_graph(pod_call *call, pod_span name)
{
    pod_translator *t = call->translator;
    pod_syntax_function *function = pod_exchange_syntax_find_function(t->syntax, name);
    if (!check_call(call, function, name))
        return NULL;
    return pod_exchange_make_closure(t, call->op->operands, call->op->operand_count, make_function, function,
                                     function->result_count);
}

static bool translate_call(pod_call *call)
{
    const pod_syntax_value *callee = pod_exchange_syntax_find(&call->op->attributes, "callee");
    return pod_exchange_translate_function(call, callee ? callee->text : call->op->symbol);
}

/* The types that the function promises are those of what it returns. */
static bool add_outputs(pod_translator *t, const pod_syntax_function *function, pod_node *const *results)
{
    for (uint32_t i = 0; i < function->result_count; i++) {
        const pod_type *have = pod_node_type(results[i]);
        const pod_syntax_type *want = &function->results[i];
        if (have->dtype != want->dtype || !pod_shape_equal(&have->shape, &want->shape))
            return pod_exchange_lexer_fail(&t->syntax->lexer, function->at, POD_ERROR_SHAPE,
                                           "result %u of @%.*s is not of the type that is written", i,
                                           (int)function->name.length, function->name.text);
        const pod_syntax_value *said = function->result_attributes ? function->result_attributes[i] : NULL;
        pod_graph_add_output(t->graph,
                             pod_exchange_give_sharding(t, t->graph, results[i], pod_exchange_sharding_of(said)));
    }
    return true;
}

bool pod_exchange_translate(pod_translator *t, pod_syntax_function *function)
{
    const pod_syntax_region *body = &function->body;
    size_t count = (size_t)body->argument_count + function->result_count;
    pod_node **nodes = pod_allocate_zeroed(t->context, count + 1, sizeof *nodes);
    bool read = nodes != NULL || pod_exchange_syntax_no_memory(t->syntax);
    for (uint32_t i = 0; i < body->argument_count && read; i++) {
        const pod_syntax_type *type = &t->syntax->values[body->first_value + i];
        nodes[i] = add_parameter(t, type, t->module->parameters[i].name);
    }
    pod_error error;
    if (read && pod_graph_check(t->graph, &error) != POD_OK)
        read = pod_exchange_lexer_fail(&t->syntax->lexer, function->at, error.status, "%s", error.message);
    read = read && translate_body(t, function, nodes, nodes + body->argument_count) &&
           add_outputs(t, function, nodes + body->argument_count);
    pod_free(t->context, nodes);
    return read;
}
