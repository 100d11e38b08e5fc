/* What functions, ops and regions are made of: names, arguments, places, types, operands. */

#include "exchange/syntax_op.h"
#include "exchange/syntax.h"
#include <string.h>
#include "base/growth.h"
#include "exchange/syntax_names.h"

void *pod_exchange_syntax_grow(pod_syntax_module *module, void *items, uint32_t count, uint32_t *capacity, size_t size)
{
    if (pod_arena_grow(&module->arena, &items, capacity, (size_t)count + 1, (pod_growth){size, .first = 4}))
        return items;
    pod_exchange_syntax_no_memory(module);
    return NULL;
}

bool pod_exchange_syntax_define(pod_syntax_module *module, pod_span name, const pod_syntax_type *types, uint32_t count)
{
    if (pod_exchange_names_find(module->names, name))
        return pod_exchange_lexer_fail(&module->lexer, name.text, POD_ERROR_FORMAT, "%%%.*s is defined a second time",
                                       (int)(name.length < 80 ? name.length : 80), name.text);
    if (!pod_exchange_names_add(module->names,
                                (pod_syntax_name){.name = name, .first = module->value_count, .count = count}))
        return pod_exchange_syntax_no_memory(module);
    for (uint32_t i = 0; i < count; i++) {
        module->values = pod_exchange_syntax_grow(module, module->values, module->value_count, &module->value_capacity,
                                                  sizeof *module->values);
        if (!module->values)
            return false;
        module->values[module->value_count++] = types[i];
    }
    return true;
}

/* ---- types ----------------------------------------------------------------------------------- */

/* Reads a type; a dictionary behind it where one may stand there. */
static bool add_type(pod_syntax_module *module, pod_type_list *list, bool with_table)
{
    uint32_t capacity = list->capacity;
    list->types = pod_exchange_syntax_grow(module, list->types, list->count, &capacity, sizeof *list->types);
    list->attributes =
        pod_exchange_syntax_grow(module, list->attributes, list->count, &list->capacity, sizeof *list->attributes);
    if (!list->types || !list->attributes || !pod_exchange_parse_type(module, &list->types[list->count]))
        return false;
    list->attributes[list->count] = NULL;
    if (with_table && pod_exchange_lexer_peek(&module->lexer) == '{') {
        pod_syntax_value *dictionary = pod_exchange_syntax_new_value(module);
        list->attributes[list->count] = dictionary;
        if (!dictionary || !pod_exchange_parse_dictionary(module, dictionary, "{", "}"))
            return false;
    }
    list->count++;
    return true;
}

static bool add_types(pod_syntax_module *module, pod_type_list *list, bool with_tables)
{
    do {
        if (!add_type(module, list, with_tables))
            return false;
    } while (pod_exchange_lexer_accept(&module->lexer, ","));
    return true;
}

bool pod_exchange_parse_types(pod_syntax_module *module, pod_type_list *list)
{
    return add_types(module, list, false);
}

bool pod_exchange_parse_type_or_types(pod_syntax_module *module, pod_type_list *list)
{
    if (!pod_exchange_lexer_accept(&module->lexer, "("))
        return add_type(module, list, false);
    return pod_exchange_lexer_accept(&module->lexer, ")") ||
           (add_types(module, list, true) && pod_exchange_lexer_expect(&module->lexer, ")"));
}

/* ---- arguments and places -------------------------------------------------------------------- */

bool pod_exchange_parse_arguments(pod_syntax_module *module, pod_argument_list *list)
{
    pod_lexer *lexer = &module->lexer;
    if (!pod_exchange_lexer_expect(lexer, "("))
        return false;
    if (pod_exchange_lexer_accept(lexer, ")"))
        return true;
    do {
        uint32_t count = list->types.count, capacity = list->capacity;
        list->names = pod_exchange_syntax_grow(module, list->names, count, &capacity, sizeof *list->names);
        list->locations =
            pod_exchange_syntax_grow(module, list->locations, count, &list->capacity, sizeof *list->locations);
        if (!list->names || !list->locations || !pod_exchange_lexer_expect(lexer, "%") ||
            !pod_exchange_lexer_name(lexer, &list->names[count]) || !pod_exchange_lexer_expect(lexer, ":"))
            return false;
        list->locations[count] = (pod_span){0};
        if (!add_type(module, &list->types, true) || !pod_exchange_parse_location(module, &list->locations[count]))
            return false;
    } while (pod_exchange_lexer_accept(lexer, ","));
    return pod_exchange_lexer_expect(lexer, ")");
}

bool pod_exchange_define_arguments(pod_syntax_module *module, const pod_argument_list *list)
{
    for (uint32_t i = 0; i < list->types.count; i++) {
        if (!pod_exchange_syntax_define(module, list->names[i], &list->types.types[i], 1))
            return false;
    }
    return true;
}

bool pod_exchange_parse_location(pod_syntax_module *module, pod_span *location)
{
    pod_lexer *lexer = &module->lexer;
    pod_span word, body;
    pod_exchange_lexer_peek(lexer);
    const char *before = lexer->at;
    if (!pod_exchange_lexer_word(lexer, &word))
        return !lexer->failed;
    if (!pod_exchange_span_is(word, "loc") || lexer->at >= lexer->end || *lexer->at != '(') {
        lexer->at = before;
        return true;
    }
    if (!pod_exchange_lexer_balanced(lexer, &body))
        return false;
    *location = (pod_span){body.text + 1, body.length - 2};
    return true;
}

/* ---- operands and regions of ops ------------------------------------------------------------- */

static bool parse_operand(pod_syntax_module *module, uint32_t *number)
{
    pod_lexer *lexer = &module->lexer;
    pod_span name;
    int64_t index = 0;
    if (!pod_exchange_lexer_expect(lexer, "%"))
        return false;
    const char *at = lexer->at - 1;
    if (!pod_exchange_lexer_name(lexer, &name))
        return false;
    if (lexer->at < lexer->end && *lexer->at == '#') {
        lexer->at++;
        if (!pod_exchange_lexer_integer(lexer, &index))
            return false;
    }
    const pod_syntax_name *found = pod_exchange_names_find(module->names, name);
    if (!found)
        return pod_exchange_lexer_fail(lexer, at, POD_ERROR_FORMAT, "%%%.*s is not defined here",
                                       (int)(name.length < 80 ? name.length : 80), name.text);
    if (index < 0 || index >= found->count)
        return pod_exchange_lexer_fail(lexer, at, POD_ERROR_FORMAT, "%%%.*s has %u values, but #%lld is asked for",
                                       (int)(name.length < 80 ? name.length : 80), name.text, found->count,
                                       (long long)index);
    *number = found->first + (uint32_t)index;
    return true;
}

static bool add_number(pod_syntax_module *module, uint32_t **numbers, uint32_t *count, uint32_t *capacity)
{
    uint32_t number = 0;
    *numbers = pod_exchange_syntax_grow(module, *numbers, *count, capacity, sizeof **numbers);
    if (!*numbers || !parse_operand(module, &number))
        return false;
    (*numbers)[(*count)++] = number;
    return true;
}

bool pod_exchange_add_operand(pod_syntax_module *module, pod_pending_op *p)
{
    return add_number(module, &p->op.operands, &p->op.operand_count, &p->operand_capacity);
}

bool pod_exchange_add_second_operand(pod_syntax_module *module, pod_pending_op *p)
{
    return add_number(module, &p->seconds, &p->second_count, &p->second_capacity);
}

static pod_syntax_region *add_region(pod_syntax_module *module, pod_syntax_op *op)
{
    pod_syntax_region *grown =
        pod_exchange_syntax_grow(module, op->regions, op->region_count, &op->region_capacity, sizeof *grown);
    if (!grown)
        return NULL;
    op->regions = grown;
    grown[op->region_count] = (pod_syntax_region){0};
    return &grown[op->region_count++];
}

/* Nested regions move the array of regions of none but their own op. */
bool pod_exchange_parse_region_of(pod_syntax_module *module, pod_syntax_op *op, const pod_argument_list *arguments)
{
    pod_syntax_region *region = add_region(module, op);
    return region && module->parse_region(module, arguments, region);
}
