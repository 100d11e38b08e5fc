/*
 * Ops in the pretty form.
 *
 * The pretty forms of StableHLO are read by one rule for all: operands, words, `key = value`, lists
 * and tables in any order up to the ':' before the types. So ops that are not known, or that come
 * new, are read as well. */

#include "exchange/syntax_op.h"

#include <string.h>

/* Adds a copy of a value behind those of a table, or with no key of a list. */
static bool add_copy(pod_syntax_module *module, pod_syntax_value *table, const char *key, pod_syntax_value value)
{
    pod_syntax_value *child = pod_exchange_syntax_new_value(module);
    if (!child)
        return false;
    *child = value;
    pod_exchange_syntax_add(table, (pod_span){key, strlen(key)}, child);
    return true;
}

static bool add_value(pod_syntax_module *module, pod_pending_op *p, pod_span key)
{
    pod_syntax_value *child = pod_exchange_syntax_new_value(module);
    if (!child || !pod_exchange_parse_value(module, child))
        return false;
    pod_exchange_syntax_add(&p->op.attributes, key, child);
    return true;
}

/* What a constant is: its type is that of the op. */
static bool add_constant(pod_syntax_module *module, pod_pending_op *p)
{
    uint32_t capacity = 0;
    if (!add_value(module, p, (pod_span){"value", 5}))
        return false;
    p->result_types.types = pod_exchange_syntax_grow(module, NULL, 0, &capacity, sizeof(pod_syntax_type));
    if (!p->result_types.types)
        return false;
    p->result_types.types[0] = p->op.attributes.last->type;
    p->result_types.count = 1;
    return true;
}

/* "[0:1, 2:8:2]" of slice: a list of three numbers an axis; "[0]" of get_tuple_element: an index. */
static bool parse_ranges(pod_syntax_module *module, pod_pending_op *p)
{
    static const char *const keys[3] = {"start_indices", "limit_indices", "strides"};
    pod_lexer *lexer = &module->lexer;
    pod_syntax_value lists[3] = {{.kind = POD_VALUE_LIST}, {.kind = POD_VALUE_LIST}, {.kind = POD_VALUE_LIST}};
    if (!pod_exchange_lexer_accept(lexer, "]")) {
        do {
            for (int i = 0; i < 3; i++) {
                pod_syntax_value *child = pod_exchange_syntax_new_value(module);
                if (!child)
                    return false;
                child->kind = POD_VALUE_INTEGER;
                child->integer = 1;
                if (i == 1 && lists[0].count == 1 && pod_exchange_lexer_accept(lexer, "]"))
                    return add_copy(module, &p->op.attributes, "index", *lists[0].first);
                bool given = i == 0 || pod_exchange_lexer_accept(lexer, ":");
                if ((i == 1 && !given && !pod_exchange_lexer_expect(lexer, ":")) ||
                    (given && !pod_exchange_lexer_integer(lexer, &child->integer)))
                    return false;
                pod_exchange_syntax_append(&lists[i], child);
            }
        } while (pod_exchange_lexer_accept(lexer, ","));
        if (!pod_exchange_lexer_expect(lexer, "]"))
            return false;
    }
    for (int i = 0; i < 3; i++)
        if (!add_copy(module, &p->op.attributes, keys[i], lists[i]))
            return false;
    return true;
}

/* What stands in parentheses: operands, "%x init: %y", "%arg = %x" of while, "k = 3". */
static bool parse_group(pod_syntax_module *module, pod_pending_op *p)
{
    pod_lexer *lexer = &module->lexer;
    pod_span word;
    if (pod_exchange_lexer_accept(lexer, ")"))
        return true;
    do {
        if (pod_exchange_lexer_peek(lexer) != '%') {
            if (!pod_exchange_lexer_word(lexer, &word) || !pod_exchange_lexer_expect(lexer, "="))
                return pod_exchange_lexer_expected(lexer, "an operand");
            if (!add_value(module, p, word))
                return false;
            continue;
        }
        const char *before = lexer->at;
        pod_argument_list *names = &p->arguments;
        lexer->at++;
        if (!pod_exchange_lexer_name(lexer, &word))
            return false;
        if (pod_exchange_lexer_accept(lexer, "=")) {
            names->names = pod_exchange_syntax_grow(module, names->names, names->types.count, &names->capacity,
                                                    sizeof *names->names);
            if (!names->names)
                return false;
            names->names[names->types.count++] = word;
        } else {
            lexer->at = before;
        }
        if (!pod_exchange_add_operand(module, p))
            return false;
        if (pod_exchange_lexer_accept_word(lexer, "init") &&
            (!pod_exchange_lexer_expect(lexer, ":") || !pod_exchange_add_second_operand(module, p)))
            return false;
    } while (pod_exchange_lexer_accept(lexer, ","));
    return pod_exchange_lexer_expect(lexer, ")");
}

/* "(%a: T, ..) {..}" behind the attributes of sdy.manual_computation */
static bool parse_manual_body(pod_syntax_module *module, pod_pending_op *p)
{
    pod_argument_list arguments = {0};
    return pod_exchange_parse_arguments(module, &arguments) && pod_exchange_lexer_expect(&module->lexer, "{") &&
           pod_exchange_parse_region_of(module, &p->op, &arguments);
}

/* A word: the key of a value, or one of its own. */
static bool parse_item_word(pod_syntax_module *module, pod_pending_op *p)
{
    pod_span word;
    if (!pod_exchange_lexer_word(&module->lexer, &word))
        return pod_exchange_lexer_expected(&module->lexer, "an attribute");
    if (pod_exchange_lexer_peek(&module->lexer) == '=')
        return pod_exchange_lexer_expect(&module->lexer, "=") && add_value(module, p, word);
    return add_copy(module, &p->op.words, "", (pod_syntax_value){.kind = POD_VALUE_WORD, .text = word});
}

/* Reads one part of the pretty form; *more is false when none comes. */
static bool parse_item(pod_syntax_module *module, pod_pending_op *p, bool operand, bool *more)
{
    pod_lexer *lexer = &module->lexer;
    char c = pod_exchange_lexer_peek(lexer);
    *more = true;
    if (c == '%' && operand)
        return pod_exchange_add_operand(module, p);
    if (c == '(' && pod_exchange_syntax_find(&p->op.attributes, "manual_axes"))
        return parse_manual_body(module, p);
    if (c == '(') {
        lexer->at++;
        return parse_group(module, p);
    }
    if (c == '[') {
        lexer->at++;
        return parse_ranges(module, p);
    }
    if (c == '{')
        return pod_exchange_parse_dictionary(module, &p->op.attributes, "{", "}");
    if (c == '@') {
        lexer->at++;
        return pod_exchange_lexer_name(lexer, &p->op.symbol);
    }
    if (c == '"')
        return pod_exchange_lexer_text(lexer, &p->op.label);
    if (c == '#' || c == '<' || (c >= '0' && c <= '9') || c == '-')
        return add_value(module, p, (pod_span){0});
    if (pod_exchange_lexer_at_word(lexer)) {
        if (lexer->end - lexer->at > 5 && memcmp(lexer->at, "dense", 5) == 0) {
            *more = false;
            return add_constant(module, p);
        }
        if (lexer->end - lexer->at > 4 && memcmp(lexer->at, "loc(", 4) == 0) {
            *more = false;
            return true;
        }
        return parse_item_word(module, p);
    }
    *more = false;
    return !lexer->failed;
}

bool pod_exchange_parse_pretty(pod_syntax_module *module, pod_pending_op *p)
{
    pod_lexer *lexer = &module->lexer;
    bool more = true, operand = true;
    while (more) {
        char c = pod_exchange_lexer_peek(lexer);
        if (!parse_item(module, p, operand, &more))
            return false;
        bool comma = more && pod_exchange_lexer_accept(lexer, ",");
        operand = comma || c == '"';
    }
    return true;
}
