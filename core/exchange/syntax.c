/* Modules and functions. */

#include "exchange/syntax.h"

#include <string.h>

/* ---- functions ------------------------------------------------------------------------------- */

static pod_syntax_function *new_function(pod_syntax_module *module)
{
    pod_syntax_function *made = pod_arena_allocate(&module->arena, sizeof *made);
    if (!made) {
        pod_exchange_syntax_no_memory(module);
        return NULL;
    }
    made->is_public = true;
    made->at = module->lexer.at;
    return made;
}

static bool add_function(pod_syntax_module *module, pod_syntax_function *function)
{
    pod_syntax_names *names = &module->function_names;
    if (!pod_exchange_names_find(names, function->name) &&
        !pod_exchange_names_add(names, (pod_syntax_name){.name = function->name, .what = function}))
        return pod_exchange_syntax_no_memory(module);
    if (module->last_function)
        module->last_function->next = function;
    else
        module->functions = function;
    module->last_function = function;
    return true;
}

pod_syntax_function *pod_exchange_syntax_find_function(const pod_syntax_module *module, pod_span name)
{
    const pod_syntax_name *found = pod_exchange_names_find(&module->function_names, name);
    return found ? found->what : NULL;
}

static void take_results(pod_syntax_function *function, const pod_type_list *results)
{
    function->result_count = results->count;
    function->results = results->types;
    function->result_attributes = results->attributes;
}

/* After "func.func". A function without a body is a declaration. */
static bool parse_function(pod_syntax_module *module)
{
    pod_lexer *lexer = &module->lexer;
    pod_argument_list arguments = {0};
    pod_type_list results = {0};
    pod_syntax_value attributes = {0};
    pod_span location = {0};
    pod_syntax_function *function = new_function(module);
    if (!function)
        return false;
    if (pod_exchange_lexer_accept_word(lexer, "private"))
        function->is_public = false;
    else
        pod_exchange_lexer_accept_word(lexer, "public");
    if (!pod_exchange_lexer_expect(lexer, "@") || !pod_exchange_lexer_name(lexer, &function->name) ||
        !pod_exchange_parse_arguments(module, &arguments) ||
        (pod_exchange_lexer_accept(lexer, "->") && !pod_exchange_parse_type_or_types(module, &results)) ||
        (pod_exchange_lexer_accept_word(lexer, "attributes") &&
         !pod_exchange_parse_dictionary(module, &attributes, "{", "}")))
        return false;
    function->argument_attributes = arguments.types.attributes;
    function->argument_names = arguments.names;
    function->argument_locations = arguments.locations;
    take_results(function, &results);
    if (!pod_exchange_lexer_accept(lexer, "{"))
        return pod_exchange_lexer_fail(lexer, function->at, POD_ERROR_UNSUPPORTED, "function @%.*s has no body",
                                       (int)function->name.length, function->name.text);
    if (!pod_exchange_parse_region(module, &arguments, &function->body) ||
        !pod_exchange_parse_location(module, &location))
        return false;
    return add_function(module, function);
}

/* Takes a list of dictionaries, one an argument or result, from the generic form. */
static pod_syntax_value **take_dictionaries(pod_syntax_module *module, const pod_syntax_value *list, uint32_t count)
{
    pod_syntax_value **dictionaries = pod_arena_array(&module->arena, count + 1, sizeof *dictionaries);
    uint32_t i = 0;
    if (!dictionaries)
        pod_exchange_syntax_no_memory(module);
    for (pod_syntax_value *at = list ? list->first : NULL; at && i < count && dictionaries; at = at->next)
        dictionaries[i++] = at;
    return dictionaries;
}

/* Reads the results of "(A, ..) -> R" from the attribute function_type. */
static bool parse_function_type(pod_syntax_module *module, const pod_syntax_value *type, pod_type_list *results)
{
    pod_span operands;
    const pod_lexer outer = pod_exchange_lexer_enter(&module->lexer, type->text);
    bool read = pod_exchange_lexer_balanced(&module->lexer, &operands) &&
                pod_exchange_lexer_expect(&module->lexer, "->") && pod_exchange_parse_type_or_types(module, results);
    pod_exchange_lexer_leave(&module->lexer, outer);
    return read;
}

/* Between the name of a generic op that has no operands and its region: "() <{..}> ({" */
static bool parse_generic_head(pod_syntax_module *module, pod_syntax_value *attributes)
{
    pod_lexer *lexer = &module->lexer;
    return pod_exchange_lexer_expect(lexer, "(") && pod_exchange_lexer_expect(lexer, ")") &&
           pod_exchange_parse_properties(module, attributes) && pod_exchange_lexer_expect(lexer, "(") &&
           pod_exchange_lexer_expect(lexer, "{");
}

/* Behind the region: ") {..} : () -> () loc(..)" */
static bool parse_generic_tail(pod_syntax_module *module, pod_syntax_value *attributes)
{
    pod_lexer *lexer = &module->lexer;
    pod_type_list none = {0};
    pod_span location;
    return pod_exchange_lexer_expect(lexer, ")") &&
           (pod_exchange_lexer_peek(lexer) != '{' || pod_exchange_parse_dictionary(module, attributes, "{", "}")) &&
           pod_exchange_lexer_expect(lexer, ":") && pod_exchange_parse_type_or_types(module, &none) &&
           pod_exchange_lexer_expect(lexer, "->") && pod_exchange_parse_type_or_types(module, &none) &&
           pod_exchange_parse_location(module, &location);
}

/* After "\"func.func\"": "() <{..}> ({..}) : () -> ()" */
static bool parse_generic_function(pod_syntax_module *module)
{
    pod_syntax_value attributes = {.kind = POD_VALUE_DICTIONARY};
    pod_type_list results = {0};
    pod_syntax_function *function = new_function(module);
    if (!function || !parse_generic_head(module, &attributes) ||
        !pod_exchange_parse_region(module, NULL, &function->body) || !parse_generic_tail(module, &attributes))
        return false;
    const pod_syntax_value *name = pod_exchange_syntax_find(&attributes, "sym_name");
    const pod_syntax_value *type = pod_exchange_syntax_find(&attributes, "function_type");
    const pod_syntax_value *visible = pod_exchange_syntax_find(&attributes, "sym_visibility");
    if (!name || !type || type->kind != POD_VALUE_RAW)
        return pod_exchange_lexer_fail(&module->lexer, function->at, POD_ERROR_FORMAT,
                                       "this function has no sym_name or no function_type");
    function->name = name->text;
    function->is_public = !visible || !pod_exchange_span_is(visible->text, "private");
    if (!parse_function_type(module, type, &results))
        return false;
    take_results(function, &results);
    function->argument_attributes =
        take_dictionaries(module, pod_exchange_syntax_find(&attributes, "arg_attrs"), function->body.argument_count);
    function->result_attributes =
        take_dictionaries(module, pod_exchange_syntax_find(&attributes, "res_attrs"), results.count);
    if (!function->argument_attributes || !function->result_attributes)
        return false;
    return add_function(module, function);
}

/* ---- modules --------------------------------------------------------------------------------- */

static bool add_alias(pod_syntax_module *module, pod_span name, pod_span text)
{
    pod_span *kept = pod_arena_copy(&module->arena, &text, sizeof text);
    return (kept && pod_exchange_names_add(&module->alias_names, (pod_syntax_name){.name = name, .what = kept})) ||
           pod_exchange_syntax_no_memory(module);
}

bool pod_exchange_syntax_find_alias(const pod_syntax_module *module, pod_span name, pod_span *text)
{
    const pod_syntax_name *found = pod_exchange_names_find(&module->alias_names, name);
    if (found)
        *text = *(const pod_span *)found->what;
    return found != NULL;
}

/* "#loc3 = loc(..)", "!t = tensor<..>" */
static bool parse_alias(pod_syntax_module *module)
{
    pod_syntax_value value = {0};
    pod_span name, text;
    module->lexer.at++;
    if (!pod_exchange_lexer_name(&module->lexer, &name) || !pod_exchange_lexer_expect(&module->lexer, "="))
        return false;
    pod_exchange_lexer_peek(&module->lexer);
    const char *start = module->lexer.at;
    if (!pod_exchange_parse_value(module, &value))
        return false;
    text = (pod_span){start, (size_t)(module->lexer.at - start)};
    return add_alias(module, name, text);
}

/* "{-# dialect_resources: { builtin: { name: "0x..", .. } } #-}": every `name: "0x.."` is kept. */
static bool parse_resources(pod_syntax_module *module)
{
    pod_lexer *lexer = &module->lexer;
    pod_span name, text;
    const char *start = lexer->at;
    lexer->at += 3;
    while (!pod_exchange_lexer_accept(lexer, "#-}")) {
        if (lexer->failed || pod_exchange_lexer_peek(lexer) == '\0')
            return pod_exchange_lexer_fail(lexer, start, POD_ERROR_FORMAT, "these resources are not closed by '#-}'");
        if (!pod_exchange_lexer_word(lexer, &name)) {
            if (*lexer->at == '"' ? !pod_exchange_lexer_text(lexer, &text) : (lexer->at++, false))
                return false;
        } else if (pod_exchange_lexer_accept(lexer, ":") && pod_exchange_lexer_peek(lexer) == '"') {
            if (!pod_exchange_lexer_text(lexer, &text) || !add_alias(module, name, text))
                return false;
        }
    }
    return true;
}

/* What stands between the functions that is none: sdy.mesh, which is kept, and the like. Its text ends where the
 * line does, or at a bracket that is open there. */
static bool skip_declaration(pod_syntax_module *module)
{
    pod_lexer *lexer = &module->lexer;
    pod_span body, name;
    const bool mesh = pod_exchange_lexer_accept_word(lexer, "sdy.mesh");
    if (mesh && pod_exchange_lexer_accept(lexer, "@")) {
        if (!pod_exchange_lexer_name(lexer, &name) || !pod_exchange_lexer_expect(lexer, "="))
            return false;
        pod_exchange_lexer_peek(lexer);
        if (!pod_exchange_lexer_balanced(lexer, &body) || !add_alias(module, name, body))
            return false;
    }
    while (lexer->at < lexer->end && *lexer->at != '\n') {
        if (strchr("([{<\"", *lexer->at)) {
            if (*lexer->at == '"' ? !pod_exchange_lexer_text(lexer, &body) : !pod_exchange_lexer_balanced(lexer, &body))
                return false;
        } else {
            lexer->at++;
        }
    }
    return true;
}

static bool parse_module(pod_syntax_module *module, bool generic);

/* What the text itself may have besides modules: nothing else than what a module has. */
static bool parse_outermost(pod_syntax_module *module)
{
    pod_lexer *lexer = &module->lexer;
    if (pod_exchange_lexer_accept_word(lexer, "module") || pod_exchange_lexer_accept_word(lexer, "builtin.module"))
        return parse_module(module, false);
    if (pod_exchange_lexer_accept(lexer, "\"builtin.module\""))
        return parse_module(module, true);
    if (lexer->end - lexer->at >= 3 && memcmp(lexer->at, "{-#", 3) == 0)
        return parse_resources(module);
    if (pod_exchange_lexer_accept_word(lexer, "HloModule"))
        return pod_exchange_lexer_fail(lexer, lexer->begin, POD_ERROR_UNSUPPORTED,
                                       "this is HLO text of a compiler; export the module as StableHLO "
                                       "(in JAX lower(..).as_text(), in TensorFlow stage=\"stablehlo\")");
    return pod_exchange_lexer_expected(lexer, "'module'");
}

/* Reads what stands in a module up to its '}', or in the text. */
static bool parse_items(pod_syntax_module *module, bool outermost)
{
    pod_lexer *lexer = &module->lexer;
    for (;;) {
        bool read;
        const char c = pod_exchange_lexer_peek(lexer);
        if (c == '\0' || (!outermost && c == '}'))
            return !lexer->failed && (outermost || pod_exchange_lexer_expect(lexer, "}"));
        if (pod_exchange_lexer_accept_word(lexer, "func.func") ||
            (!outermost && pod_exchange_lexer_accept_word(lexer, "func")))
            read = parse_function(module);
        else if (!outermost && pod_exchange_lexer_accept(lexer, "\"func.func\""))
            read = parse_generic_function(module);
        else if (c == '#' || c == '!')
            read = parse_alias(module);
        else if (outermost)
            read = parse_outermost(module);
        else if (pod_exchange_lexer_at_word(lexer) || c == '"')
            read = skip_declaration(module);
        else
            read = pod_exchange_lexer_expected(lexer, "a function");
        if (!read)
            return false;
    }
}

/* After "module": "@name attributes {..} { .. }"; generic: after "\"builtin.module\"", head, items and tail. */
static bool parse_module(pod_syntax_module *module, bool generic)
{
    pod_lexer *lexer = &module->lexer;
    pod_span location;
    if (!generic)
        return (!pod_exchange_lexer_accept(lexer, "@") || pod_exchange_lexer_name(lexer, &module->name)) &&
               (!pod_exchange_lexer_accept_word(lexer, "attributes") ||
                pod_exchange_parse_dictionary(module, &module->attributes, "{", "}")) &&
               pod_exchange_lexer_expect(lexer, "{") && parse_items(module, false) &&
               pod_exchange_parse_location(module, &location);
    if (!parse_generic_head(module, &module->attributes) || !parse_items(module, false) ||
        !parse_generic_tail(module, &module->attributes))
        return false;
    const pod_syntax_value *name = pod_exchange_syntax_find(&module->attributes, "sym_name");
    if (name)
        module->name = name->text;
    return true;
}

bool pod_exchange_syntax_read(pod_syntax_module *module, pod_context *context, const char *file, const char *text,
                              size_t length, pod_error *error)
{
    pod_syntax_names names = {.context = context};
    *module = (pod_syntax_module){.parse_region = pod_exchange_parse_region,
                                  .attributes.kind = POD_VALUE_DICTIONARY,
                                  .names = &names,
                                  .function_names.context = context,
                                  .alias_names.context = context};
    pod_arena_init(&module->arena, context);
    pod_exchange_lexer_begin(&module->lexer, file, text, length, error);
    const bool read = parse_items(module, true);
    if (read && !module->functions)
        pod_exchange_lexer_fail(&module->lexer, module->lexer.at, POD_ERROR_FORMAT, "this text has no function");
    pod_exchange_names_clear(&names);
    module->names = NULL;
    return read && !module->lexer.failed;
}

void pod_exchange_syntax_clear(pod_syntax_module *module)
{
    pod_exchange_names_clear(&module->function_names);
    pod_exchange_names_clear(&module->alias_names);
    pod_arena_clear(&module->arena);
}
