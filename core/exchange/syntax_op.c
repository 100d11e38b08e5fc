/* Regions and their ops, in the pretty (see syntax_pretty.c) and the generic form. */

#include "exchange/syntax_op.h"

#include "exchange/syntax_names.h"

/* ---- regions --------------------------------------------------------------------------------- */

/* "({..}, {..})" */
static bool parse_regions(pod_syntax_module *module, pod_syntax_op *op)
{
    do {
        if (!pod_exchange_lexer_expect(&module->lexer, "{") || !pod_exchange_parse_region_of(module, op, NULL))
            return false;
    } while (pod_exchange_lexer_accept(&module->lexer, ","));
    return pod_exchange_lexer_expect(&module->lexer, ")");
}

/* "(%acc0, %x0) (%acc1, %x1) {..}": the region's arguments are all first ones, then all second
 * ones. */
static bool parse_reducer(pod_syntax_module *module, pod_pending_op *p)
{
    pod_argument_list pairs = {0}, sorted = {0};
    while (pod_exchange_lexer_peek(&module->lexer) == '(') {
        if (!pod_exchange_parse_arguments(module, &pairs))
            return false;
    }
    uint32_t count = pairs.types.count;
    sorted.names = pod_arena_array(&module->arena, count + 1, sizeof *sorted.names);
    sorted.types.types = pod_arena_array(&module->arena, count + 1, sizeof *sorted.types.types);
    if (!sorted.names || !sorted.types.types)
        return pod_exchange_syntax_no_memory(module);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t to = i % 2 == 0 ? i / 2 : (count + 1) / 2 + i / 2;
        sorted.names[to] = pairs.names[i];
        sorted.types.types[to] = pairs.types.types[i];
    }
    sorted.types.count = count;
    return pod_exchange_lexer_expect(&module->lexer, "{") && pod_exchange_parse_region_of(module, &p->op, &sorted);
}

/* ---- the generic form ------------------------------------------------------------------------ */

static bool parse_generic(pod_syntax_module *module, pod_pending_op *p)
{
    pod_lexer *lexer = &module->lexer;
    if (!pod_exchange_lexer_expect(lexer, "("))
        return false;
    if (!pod_exchange_lexer_accept(lexer, ")")) {
        do {
            if (!pod_exchange_add_operand(module, p))
                return false;
        } while (pod_exchange_lexer_accept(lexer, ","));
        if (!pod_exchange_lexer_expect(lexer, ")"))
            return false;
    }
    if (!pod_exchange_parse_properties(module, &p->op.attributes) ||
        (pod_exchange_lexer_accept(lexer, "(") && !parse_regions(module, &p->op)))
        return false;
    if (pod_exchange_lexer_peek(lexer) == '{')
        return pod_exchange_parse_dictionary(module, &p->op.attributes, "{", "}");
    return !lexer->failed;
}

/* ---- types and what follows ------------------------------------------------------------------ */

/* After ':': "(T, ..) -> R", "T -> R" or "T, ..". */
static bool parse_op_types(pod_syntax_module *module, pod_pending_op *p)
{
    pod_lexer *lexer = &module->lexer;
    bool function = pod_exchange_lexer_peek(lexer) == '(';
    if (function ? !pod_exchange_parse_type_or_types(module, &p->operand_types)
                 : !pod_exchange_parse_types(module, &p->operand_types))
        return false;
    if (pod_exchange_lexer_accept(lexer, "->")) {
        p->typed = true;
        return pod_exchange_parse_type_or_types(module, &p->result_types);
    }
    p->result_types = p->operand_types;
    return !function || pod_exchange_lexer_expected(lexer, "'->'");
}

/* Behind the types of `while` and `reduce`: attributes and regions. */
static bool parse_rest(pod_syntax_module *module, pod_pending_op *p)
{
    pod_lexer *lexer = &module->lexer;
    p->arguments.types.types = p->operand_types.types;
    for (;;) {
        if (pod_exchange_lexer_accept_word(lexer, "attributes")) {
            if (!pod_exchange_parse_dictionary(module, &p->op.attributes, "{", "}"))
                return false;
        } else if (pod_exchange_lexer_accept_word(lexer, "cond") || pod_exchange_lexer_accept_word(lexer, "do")) {
            if (p->arguments.types.count > p->operand_types.count)
                return pod_exchange_lexer_expected(lexer, "a type for each operand");
            if (!pod_exchange_lexer_expect(lexer, "{") || !pod_exchange_parse_region_of(module, &p->op, &p->arguments))
                return false;
        } else if (pod_exchange_lexer_accept_word(lexer, "reducer")) {
            if (!parse_reducer(module, p))
                return false;
        } else {
            return !lexer->failed;
        }
    }
}

/* ---- results --------------------------------------------------------------------------------- */

/* Where several results are named one by one ("%values, %indices = "), each is a value of one. */
typedef struct result_names {
    pod_span names[8];
    uint32_t counts[8], count, total;
} result_names;

static bool parse_result_names(pod_syntax_module *module, result_names *results)
{
    pod_lexer *lexer = &module->lexer;
    *results = (result_names){0};
    if (pod_exchange_lexer_peek(lexer) != '%')
        return !lexer->failed;
    do {
        int64_t count = 1;
        if (results->count == sizeof results->names / sizeof *results->names)
            return pod_exchange_lexer_expected(lexer, "'='");
        if (!pod_exchange_lexer_expect(lexer, "%") || !pod_exchange_lexer_name(lexer, &results->names[results->count]))
            return false;
        if (pod_exchange_lexer_accept(lexer, ":") && !pod_exchange_lexer_integer(lexer, &count))
            return false;
        if (count < 1 || count > 65536)
            return pod_exchange_lexer_fail(lexer, lexer->at, POD_ERROR_FORMAT, "an op has 1 to 65536 results, not %lld",
                                           (long long)count);
        results->counts[results->count++] = (uint32_t)count;
        results->total += (uint32_t)count;
    } while (pod_exchange_lexer_accept(lexer, ","));
    return pod_exchange_lexer_expect(lexer, "=");
}

/* The types that are given for the operands must be theirs. */
static bool check_operand_types(pod_syntax_module *module, const pod_pending_op *p)
{
    const pod_syntax_op *op = &p->op;
    char first[POD_SHAPE_TEXT_SIZE], second[POD_SHAPE_TEXT_SIZE];
    if (!p->typed)
        return true;
    if (p->operand_types.count != op->operand_count)
        return pod_exchange_lexer_fail(&module->lexer, op->at, POD_ERROR_FORMAT,
                                       "%.*s has %u operands, but the types of %u", (int)op->name.length, op->name.text,
                                       op->operand_count, p->operand_types.count);
    for (uint32_t i = 0; i < op->operand_count; i++) {
        const pod_syntax_type *have = &module->values[op->operands[i]];
        const pod_syntax_type *want = &p->operand_types.types[i];
        if (!pod_exchange_same_type(have, want))
            return pod_exchange_lexer_fail(&module->lexer, op->at, POD_ERROR_DTYPE,
                                           "operand %u of %.*s is %s %s, but %s %s is written for it", i,
                                           (int)op->name.length, op->name.text, pod_element_name(have->element),
                                           pod_shape_format(&have->shape, first), pod_element_name(want->element),
                                           pod_shape_format(&want->shape, second));
    }
    return true;
}

/* The results' types: as many of the last ones as there are results ("select : tensor<i1>, T"), or
 * one for all. */
static bool define_results(pod_syntax_module *module, const pod_pending_op *p, const result_names *results)
{
    const pod_type_list *list = &p->result_types;
    const pod_syntax_op *op = &p->op;
    bool exact = p->typed && list->count != results->total && results->total > 0;
    if (exact || list->count < results->total)
        return pod_exchange_lexer_fail(&module->lexer, op->at, POD_ERROR_FORMAT,
                                       "%.*s has %u results, but the types of %u", (int)op->name.length, op->name.text,
                                       results->total, list->count);
    uint32_t next = list->count - results->total;
    for (uint32_t i = 0; i < results->count; i++) {
        if (!pod_exchange_syntax_define(module, results->names[i], list->types + next, results->counts[i]))
            return false;
        next += results->counts[i];
    }
    return true;
}

/* ---- an op ----------------------------------------------------------------------------------- */

static bool parse_op_name(pod_syntax_module *module, pod_syntax_op *op, bool *generic)
{
    pod_lexer *lexer = &module->lexer;
    *generic = pod_exchange_lexer_peek(lexer) == '"';
    op->at = lexer->at;
    op->line = pod_exchange_lexer_line(lexer, op->at);
    if (*generic)
        return pod_exchange_lexer_text(lexer, &op->name);
    return pod_exchange_lexer_word(lexer, &op->name) || pod_exchange_lexer_expected(lexer, "an op");
}

/* `init:` operands come behind the others. */
static bool join_operands(pod_syntax_module *module, pod_pending_op *p)
{
    for (uint32_t i = 0; i < p->second_count; i++) {
        p->op.operands = pod_exchange_syntax_grow(module, p->op.operands, p->op.operand_count, &p->operand_capacity,
                                                  sizeof *p->op.operands);
        if (!p->op.operands)
            return false;
        p->op.operands[p->op.operand_count++] = p->seconds[i];
    }
    return true;
}

static bool parse_op(pod_syntax_module *module, pod_syntax_op **kept)
{
    pod_lexer *lexer = &module->lexer;
    pod_pending_op p = {.op.attributes.kind = POD_VALUE_DICTIONARY, .op.words.kind = POD_VALUE_LIST};
    result_names results;
    bool generic;
    if (!pod_exchange_lexer_goes_on(lexer, lexer->at, module->arena.context))
        return false;
    if (!parse_result_names(module, &results) || !parse_op_name(module, &p.op, &generic))
        return false;
    const char *start = lexer->at;
    if (generic ? !parse_generic(module, &p) : !pod_exchange_parse_pretty(module, &p))
        return false;
    p.op.extra = (pod_span){start, (size_t)(lexer->at - start)};
    if (!join_operands(module, &p) ||
        (p.result_types.count == 0 && pod_exchange_lexer_accept(lexer, ":") && !parse_op_types(module, &p)) ||
        (!generic && !parse_rest(module, &p)) || !pod_exchange_parse_location(module, &p.op.location))
        return false;
    p.op.first_result = module->value_count;
    p.op.result_count = results.total;
    if (!check_operand_types(module, &p) || !define_results(module, &p, &results))
        return false;
    *kept = pod_arena_copy(&module->arena, &p.op, sizeof p.op);
    return *kept || pod_exchange_syntax_no_memory(module);
}

bool pod_exchange_parse_region(pod_syntax_module *module, const pod_argument_list *arguments, pod_syntax_region *region)
{
    pod_lexer *lexer = &module->lexer;
    pod_argument_list label = {0};
    pod_span name;
    const uint32_t mark = module->names->count;
    if (module->depth >= POD_SYNTAX_MOST_DEPTH)
        return pod_exchange_lexer_fail(lexer, lexer->at, POD_ERROR_UNSUPPORTED, "regions are nested more than %d deep",
                                       POD_SYNTAX_MOST_DEPTH);
    module->depth++;
    region->first_value = module->value_count;
    if (!arguments && pod_exchange_lexer_accept(lexer, "^")) {
        if (!pod_exchange_lexer_name(lexer, &name) ||
            (pod_exchange_lexer_peek(lexer) == '(' && !pod_exchange_parse_arguments(module, &label)) ||
            !pod_exchange_lexer_expect(lexer, ":"))
            return false;
    }
    arguments = arguments ? arguments : &label;
    region->argument_count = arguments->types.count;
    if (!pod_exchange_define_arguments(module, arguments))
        return false;
    while (!pod_exchange_lexer_accept(lexer, "}")) {
        pod_syntax_op *op;
        if (pod_exchange_lexer_peek(lexer) == '^')
            return pod_exchange_lexer_fail(lexer, lexer->at, POD_ERROR_UNSUPPORTED,
                                           "a second block: only structured control flow can be read");
        if (!parse_op(module, &op))
            return false;
        if (region->last)
            region->last->next = op;
        else
            region->first = op;
        region->last = op;
    }
    region->end_value = module->value_count;
    module->depth--;
    pod_exchange_names_release(module->names, mark);
    return true;
}
