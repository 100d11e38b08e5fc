/* Values of attributes. */

#include "exchange/syntax.h"

bool pod_exchange_syntax_no_memory(pod_syntax_module *module)
{
    return pod_exchange_lexer_fail(&module->lexer, module->lexer.at, POD_ERROR_MEMORY, "there is no memory to read on");
}

pod_syntax_value *pod_exchange_syntax_new_value(pod_syntax_module *module)
{
    pod_syntax_value *made = pod_arena_allocate(&module->arena, sizeof *made);
    if (!made)
        pod_exchange_syntax_no_memory(module);
    return made;
}

void pod_exchange_syntax_append(pod_syntax_value *list, pod_syntax_value *child)
{
    if (list->last)
        list->last->next = child;
    else
        list->first = child;
    list->last = child;
    list->count++;
}

void pod_exchange_syntax_add(pod_syntax_value *dictionary, pod_span key, pod_syntax_value *child)
{
    child->key = key;
    dictionary->kind = POD_VALUE_DICTIONARY;
    pod_exchange_syntax_append(dictionary, child);
}

const pod_syntax_value *pod_exchange_syntax_find(const pod_syntax_value *dictionary, const char *key)
{
    for (const pod_syntax_value *child = dictionary->first; child; child = child->next) {
        if (pod_exchange_span_is(child->key, key))
            return child;
    }
    return NULL;
}

static bool parse_list(pod_syntax_module *module, pod_syntax_value *list, const char *close)
{
    list->kind = POD_VALUE_LIST;
    if (pod_exchange_lexer_accept(&module->lexer, close))
        return true;
    do {
        pod_syntax_value *child = pod_exchange_syntax_new_value(module);
        if (!child || !pod_exchange_parse_value(module, child))
            return false;
        pod_exchange_syntax_append(list, child);
    } while (pod_exchange_lexer_accept(&module->lexer, ","));
    return pod_exchange_lexer_expect(&module->lexer, close);
}

/* Puts what was read into a list of its own, to which more is added: `[0] x [1]`. */
static bool parse_product(pod_syntax_module *module, pod_syntax_value *value)
{
    pod_lexer *lexer = &module->lexer;
    while (pod_exchange_lexer_peek(lexer) == 'x' || pod_exchange_lexer_peek(lexer) == '-') {
        const char *before = lexer->at;
        bool joined = pod_exchange_lexer_accept_word(lexer, "x") || pod_exchange_lexer_accept(lexer, "->");
        if (!joined || pod_exchange_lexer_peek(lexer) != '[') {
            lexer->at = lexer->failed ? lexer->at : before;
            break;
        }
        pod_syntax_value *child = pod_exchange_syntax_new_value(module);
        pod_syntax_value *first = pod_exchange_syntax_new_value(module);
        if (!child || !first || !pod_exchange_lexer_expect(lexer, "[") || !parse_list(module, child, "]"))
            return false;
        if (value->kind == POD_VALUE_LIST && !value->integer) {
            *first = *value;
            first->next = NULL;
            first->key = (pod_span){0};
            value->first = value->last = first;
            value->count = 1;
            value->integer = 1; /* it is a product */
        }
        pod_exchange_syntax_append(value, child);
    }
    return !lexer->failed;
}

static bool parse_entries(pod_syntax_module *module, pod_syntax_value *dictionary, const char *open, const char *close)
{
    pod_lexer *lexer = &module->lexer;
    dictionary->kind = POD_VALUE_DICTIONARY;
    if (!pod_exchange_lexer_expect(lexer, open))
        return false;
    if (pod_exchange_lexer_accept(lexer, close))
        return true;
    do {
        pod_syntax_value *child = pod_exchange_syntax_new_value(module);
        pod_span key;
        bool named = child && (pod_exchange_lexer_peek(lexer) == '"' ? pod_exchange_lexer_text(lexer, &key)
                                                                     : pod_exchange_lexer_word(lexer, &key));
        if (!named)
            return child ? pod_exchange_lexer_expected(lexer, "the name of an attribute") : false;
        child->kind = POD_VALUE_WORD; /* an attribute without a value */
        if (pod_exchange_lexer_accept(lexer, "=") && !pod_exchange_parse_value(module, child))
            return false;
        child->key = key;
        pod_exchange_syntax_append(dictionary, child);
    } while (pod_exchange_lexer_accept(lexer, ","));
    return pod_exchange_lexer_expect(lexer, close);
}

bool pod_exchange_parse_dictionary(pod_syntax_module *module, pod_syntax_value *dictionary, const char *open,
                                   const char *close)
{
    module->dictionaries++;
    bool read = parse_entries(module, dictionary, open, close);
    module->dictionaries--;
    return read;
}

bool pod_exchange_parse_properties(pod_syntax_module *module, pod_syntax_value *dictionary)
{
    return !pod_exchange_lexer_accept(&module->lexer, "<") ||
           (pod_exchange_parse_dictionary(module, dictionary, "{", "}") &&
            pod_exchange_lexer_expect(&module->lexer, ">"));
}

/* dense<..> : type and dense_resource<..> : type */
static bool parse_dense(pod_syntax_module *module, pod_syntax_value *value, pod_value_kind kind)
{
    pod_lexer *lexer = &module->lexer;
    value->kind = kind;
    if (!pod_exchange_lexer_balanced(lexer, &value->text))
        return false;
    value->text.text++;
    value->text.length -= 2;
    return pod_exchange_lexer_expect(lexer, ":") && pod_exchange_parse_type(module, &value->type);
}

/* A word, which may go on as dense<..>, array<..>, a type or any other `word<..>` or `word(..)`. */
static bool parse_word(pod_syntax_module *module, pod_syntax_value *value)
{
    pod_lexer *lexer = &module->lexer;
    pod_span rest;
    if (!pod_exchange_lexer_word(lexer, &value->text))
        return pod_exchange_lexer_expected(lexer, "a value");
    char next = lexer->at < lexer->end ? *lexer->at : '\0';
    if (next == '<' && pod_exchange_span_is(value->text, "dense"))
        return parse_dense(module, value, POD_VALUE_DENSE);
    if (next == '<' && pod_exchange_span_is(value->text, "dense_resource"))
        return parse_dense(module, value, POD_VALUE_RESOURCE);
    if (next == '<' && pod_exchange_span_is(value->text, "array")) {
        lexer->at++;
        if (!pod_exchange_lexer_word(lexer, &rest))
            return pod_exchange_lexer_expected(lexer, "an element type");
        value->kind = POD_VALUE_LIST;
        return pod_exchange_lexer_accept(lexer, ">") ||
               (pod_exchange_lexer_expect(lexer, ":") && parse_list(module, value, ">"));
    }
    value->kind = POD_VALUE_WORD;
    if (next == '<' || next == '(') {
        value->kind = POD_VALUE_RAW;
        if (!pod_exchange_lexer_balanced(lexer, &rest))
            return false;
        value->text.length = (size_t)(lexer->at - value->text.text);
    }
    return true;
}

/* #dialect.name<..>, #dialect<..>, #alias, !type<..>, <..> and function types (..) -> .. */
static bool parse_raw(pod_syntax_module *module, pod_syntax_value *value)
{
    pod_lexer *lexer = &module->lexer;
    pod_span part;
    value->kind = POD_VALUE_RAW;
    value->text.text = lexer->at;
    if ((*lexer->at == '#' || *lexer->at == '!') && (lexer->at++, !pod_exchange_lexer_name(lexer, &part)))
        return false;
    if (lexer->at < lexer->end && (*lexer->at == '<' || *lexer->at == '(')) {
        bool function = *lexer->at == '(';
        if (!pod_exchange_lexer_balanced(lexer, &part))
            return false;
        if (function && pod_exchange_lexer_accept(lexer, "->")) {
            pod_syntax_value result = {0};
            if (!pod_exchange_parse_value(module, &result))
                return false;
        }
    }
    value->text.length = (size_t)(lexer->at - value->text.text);
    return true;
}

/* Numbers, with ": type" behind; those that do not fit 64 bits stay text. */
static bool parse_number(pod_syntax_module *module, pod_syntax_value *value)
{
    if (!pod_exchange_lexer_number(&module->lexer, &value->text))
        return false;
    value->kind = pod_exchange_span_integer(value->text, &value->integer) ? POD_VALUE_INTEGER : POD_VALUE_NUMBER;
    return true;
}

static bool parse_any(pod_syntax_module *module, pod_syntax_value *value)
{
    pod_lexer *lexer = &module->lexer;
    char c = pod_exchange_lexer_peek(lexer);
    value->at = lexer->at;
    if (c == '"') {
        value->kind = POD_VALUE_TEXT;
        return pod_exchange_lexer_text(lexer, &value->text);
    }
    if (c == '[') {
        lexer->at++;
        return parse_list(module, value, "]") && parse_product(module, value);
    }
    if (c == '{')
        return pod_exchange_parse_dictionary(module, value, "{", "}");
    if (c == '#' || c == '!' || c == '<' || c == '(')
        return parse_raw(module, value);
    if (c == '@') {
        value->kind = POD_VALUE_SYMBOL;
        lexer->at++;
        if (!pod_exchange_lexer_name(lexer, &value->text))
            return false;
        while (pod_exchange_lexer_accept(lexer, "::@")) {
            if (!pod_exchange_lexer_name(lexer, &value->text))
                return false;
        }
        return true;
    }
    if (c == '-' || c == '+' || (c >= '0' && c <= '9'))
        return parse_number(module, value);
    return parse_word(module, value);
}

bool pod_exchange_parse_value(pod_syntax_module *module, pod_syntax_value *value)
{
    pod_lexer *lexer = &module->lexer;
    pod_syntax_value type = {0};
    bool read = false;
    if (module->depth >= POD_SYNTAX_MOST_DEPTH)
        return pod_exchange_lexer_fail(lexer, lexer->at, POD_ERROR_FORMAT, "this is nested more than %d deep",
                                       POD_SYNTAX_MOST_DEPTH);
    module->depth++;
    read = parse_any(module, value);
    bool typed = value->kind == POD_VALUE_INTEGER || value->kind == POD_VALUE_NUMBER || value->kind == POD_VALUE_TEXT;
    if (read && typed && module->dictionaries > 0) {
        const char *before = lexer->at;
        if (pod_exchange_lexer_accept(lexer, ":"))
            read = pod_exchange_lexer_peek(lexer) == '!' || pod_exchange_lexer_at_word(lexer)
                       ? parse_any(module, &type)
                       : (lexer->at = before, true);
    }
    module->depth--;
    return read && !lexer->failed;
}

bool pod_exchange_parse_span(pod_syntax_module *module, pod_span span, pod_syntax_value *value)
{
    const pod_lexer outer = pod_exchange_lexer_enter(&module->lexer, span);
    *value = (pod_syntax_value){0};
    bool read = pod_exchange_parse_value(module, value);
    pod_exchange_lexer_leave(&module->lexer, outer);
    return read;
}
