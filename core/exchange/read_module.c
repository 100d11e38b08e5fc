/* Reading a module: from text to pod_exchange_module. */

#include <stdio.h>
#include <string.h>

#include "base/context.h"
#include "exchange/module.h"
#include "exchange/shardings.h"
#include "exchange/translate.h"

/* ---- life ------------------------------------------------------------------------------------ */

static pod_exchange_module *new_module(pod_context *context)
{
    pod_exchange_module *made = pod_allocate_zeroed(context, 1, sizeof *made);
    if (!made)
        return NULL;
    made->context = pod_context_retain(context);
    pod_arena_init(&made->arena, context);
    made->about.partitions = made->about.replicas = 1;
    return made;
}

void pod_exchange_free(pod_exchange_module *module)
{
    if (!module)
        return;
    pod_context *context = module->context;
    pod_graph_free(module->graph);
    pod_arena_clear(&module->arena);
    pod_free(context, module);
    pod_context_release(context);
}

/* ---- what is said of parameters and outputs -------------------------------------------------- */

/* Keeps a span as text; NULL for an empty one, and when there is no memory, which *failed tells. */
static const char *keep(pod_exchange_module *module, pod_span span, bool *failed)
{
    if (span.length == 0)
        return NULL;
    char *text = pod_arena_allocate(&module->arena, span.length + 1);
    *failed |= text == NULL;
    if (text)
        memcpy(text, span.text, span.length);
    return text;
}

static pod_span text_of(const pod_syntax_value *table, const char *key)
{
    const pod_syntax_value *found = table ? pod_exchange_syntax_find(table, key) : NULL;
    return found ? found->text : (pod_span){0};
}

/* The name that loc() gives, else that of the value. */
static pod_span parameter_name(const pod_syntax_module *syntax, const pod_syntax_function *function, uint32_t index)
{
    pod_span name = {0};
    if (function->argument_locations && pod_exchange_location_name(syntax, function->argument_locations[index], &name))
        return name;
    return function->argument_names ? function->argument_names[index] : name;
}

static pod_exchange_parameter describe_parameter(pod_exchange_module *module, const pod_syntax_module *syntax,
                                                 const pod_syntax_function *function, uint32_t index, bool *failed)
{
    const pod_syntax_type *type = &syntax->values[function->body.first_value + index];
    const pod_syntax_value *said = function->argument_attributes ? function->argument_attributes[index] : NULL;
    const pod_syntax_value *alias = said ? pod_exchange_syntax_find(said, "tf.aliasing_output") : NULL;
    const pod_syntax_value *donor = said ? pod_exchange_syntax_find(said, "jax.buffer_donor") : NULL;
    pod_exchange_parameter parameter = {.element = type->element, .shape = type->shape};
    char number[24];
    parameter.name = keep(module, parameter_name(syntax, function, index), failed);
    if (!parameter.name) {
        snprintf(number, sizeof number, "arg%u", index);
        parameter.name = pod_arena_string(&module->arena, number);
        *failed |= parameter.name == NULL;
    }
    parameter.alias = alias && alias->kind == POD_VALUE_INTEGER ? alias->integer : -1;
    parameter.donated = alias || (donor && !pod_exchange_span_is(donor->text, "false"));
    parameter.sharding = keep(module, pod_exchange_sharding_of(said), failed);
    return parameter;
}

static pod_exchange_output describe_output(pod_exchange_module *module, const pod_syntax_function *function,
                                           uint32_t index, bool *failed)
{
    const pod_syntax_value *said = function->result_attributes ? function->result_attributes[index] : NULL;
    return (pod_exchange_output){
        .name = keep(module, text_of(said, "jax.result_info"), failed),
        .element = function->results[index].element,
        .shape = function->results[index].shape,
        .sharding = keep(module, pod_exchange_sharding_of(said), failed),
    };
}

static int64_t module_integer(const pod_syntax_module *syntax, const char *key)
{
    const pod_syntax_value *value = pod_exchange_syntax_find(&syntax->attributes, key);
    return value && value->kind == POD_VALUE_INTEGER && value->integer > 0 ? value->integer : 1;
}

/* The integer that a table has under a key: itself, or the one that is in a list; -1 where there is
 * none. */
static int64_t integer_of(const pod_syntax_value *table, const char *key)
{
    const pod_syntax_value *value = table->kind == POD_VALUE_DICTIONARY ? pod_exchange_syntax_find(table, key) : NULL;
    if (value && value->kind == POD_VALUE_LIST)
        value = value->first;
    while (value && value->kind != POD_VALUE_INTEGER)
        value = value->next;
    return value ? value->integer : -1;
}

/* The aliases as TensorFlow writes them, with the module: a list of
 * {alias = {kind = "may_alias", parameter_number = 2}, output_index = array<i64: 1>}. */
static void describe_aliases(pod_exchange_module *module, const pod_syntax_module *syntax)
{
    const pod_syntax_value *list = pod_exchange_syntax_find(&syntax->attributes, "mhlo.input_output_alias");
    for (const pod_syntax_value *one = list ? list->first : NULL; one; one = one->next) {
        if (one->kind != POD_VALUE_DICTIONARY)
            continue;
        const pod_syntax_value *alias = pod_exchange_syntax_find(one, "alias");
        const int64_t parameter = alias ? integer_of(alias, "parameter_number") : -1;
        int64_t output = integer_of(one, "output_index");
        if (output < 0 && module->about.output_count == 1)
            output = 0; /* a single result has no index */
        if (parameter < 0 || (uint64_t)parameter >= module->about.parameter_count || output < 0)
            continue;
        module->parameters[parameter].alias = output;
        module->parameters[parameter].donated = true;
    }
}

static bool describe(pod_exchange_module *module, pod_syntax_module *syntax, const pod_syntax_function *function)
{
    pod_exchange_description *about = &module->about;
    bool failed = false;
    about->parameter_count = function->body.argument_count;
    about->output_count = function->result_count;
    about->partitions = module_integer(syntax, "mhlo.num_partitions");
    about->replicas = module_integer(syntax, "mhlo.num_replicas");
    about->name = keep(module, syntax->name, &failed);
    about->function = keep(module, function->name, &failed);
    module->parameters = pod_arena_array(&module->arena, about->parameter_count + 1, sizeof *module->parameters);
    module->outputs = pod_arena_array(&module->arena, about->output_count + 1, sizeof *module->outputs);
    if (!module->parameters || !module->outputs)
        return pod_exchange_syntax_no_memory(syntax);
    for (uint32_t i = 0; i < about->parameter_count; i++)
        module->parameters[i] = describe_parameter(module, syntax, function, i, &failed);
    for (uint32_t i = 0; i < about->output_count; i++)
        module->outputs[i] = describe_output(module, function, i, &failed);
    describe_aliases(module, syntax);
    about->name = about->name ? about->name : "";
    return !failed || pod_exchange_syntax_no_memory(syntax);
}

/* ---- reading --------------------------------------------------------------------------------- */

/* main, or the only public function, or the only one. */
static pod_syntax_function *choose_function(pod_syntax_module *syntax)
{
    pod_syntax_function *only = NULL;
    int count = 0;
    for (pod_syntax_function *at = syntax->functions; at; at = at->next) {
        if (pod_exchange_span_is(at->name, "main"))
            return at;
        if (at->is_public && ++count)
            only = at;
    }
    if (count == 1)
        return only;
    if (!syntax->functions->next)
        return syntax->functions;
    pod_exchange_lexer_fail(&syntax->lexer, syntax->functions->at, POD_ERROR_FORMAT,
                            "the module has no function @main, and %d are public", count);
    return NULL;
}

/* Two outputs cannot take one parameter's buffer over, nor one two. */
static bool set_aliases(pod_exchange_module *module, pod_syntax_module *syntax, const pod_syntax_function *function)
{
    for (size_t i = 0; i < module->about.parameter_count; i++) {
        int64_t output = module->parameters[i].alias;
        if (output == -1)
            continue;
        if (output < 0 || (uint64_t)output >= module->about.output_count)
            return pod_exchange_lexer_fail(&syntax->lexer, function->at, POD_ERROR_FORMAT,
                                           "parameter %zu is an alias of output %lld, of which there is none", i,
                                           (long long)output);
        pod_graph_set_alias(module->graph, (size_t)output, i);
    }
    pod_error error;
    if (pod_graph_check(module->graph, &error) != POD_OK)
        return pod_exchange_lexer_fail(&syntax->lexer, function->at, error.status, "%s", error.message);
    return true;
}

static bool build(pod_exchange_module *module, pod_syntax_module *syntax, pod_error *error)
{
    pod_syntax_function *function = choose_function(syntax);
    if (!function || !pod_exchange_localize(syntax, function, &module->about.local) ||
        !describe(module, syntax, function) || !pod_exchange_find_mesh(module, syntax, function))
        return false;
    const char *name = module->about.name[0] ? module->about.name : module->about.function;
    if (pod_graph_new(module->context, name, &module->graph, error) != POD_OK)
        return pod_exchange_syntax_no_memory(syntax);
    pod_translator translator = {.context = module->context,
                                 .module = module,
                                 .syntax = syntax,
                                 .graph = module->graph,
                                 .read_op = pod_exchange_read_op,
                                 .find_reader = pod_exchange_find_op_reader};
    return pod_exchange_translate(&translator, function) && set_aliases(module, syntax, function);
}

pod_status pod_exchange_read(pod_context *context, const char *text, size_t length, const char *file_name,
                             pod_exchange_module **module, pod_error *error)
{
    pod_error own;
    pod_syntax_module syntax;
    error = error ? error : &own;
    *error = (pod_error){0};
    *module = NULL;
    pod_exchange_module *made = new_module(context);
    if (!made)
        return pod_error_memory(error, "a module", sizeof *made);
    bool read = pod_exchange_syntax_read(&syntax, context, file_name ? file_name : "module", text, length, error) &&
                build(made, &syntax, error);
    pod_exchange_syntax_clear(&syntax);
    if (read) {
        *module = made;
        return POD_OK;
    }
    pod_exchange_free(made);
    return pod_error_or_memory(error, "a module");
}

/* ---- reading it out -------------------------------------------------------------------------- */

const pod_graph *pod_exchange_graph(const pod_exchange_module *module)
{
    return module->graph;
}

pod_graph *pod_exchange_take_graph(pod_exchange_module *module)
{
    pod_graph *graph = module->graph;
    module->graph = NULL;
    return graph;
}

pod_exchange_description pod_exchange_describe(const pod_exchange_module *module)
{
    return module->about;
}

pod_exchange_parameter pod_exchange_get_parameter(const pod_exchange_module *module, size_t index)
{
    return module->parameters[index];
}

pod_exchange_output pod_exchange_get_output(const pod_exchange_module *module, size_t index)
{
    return module->outputs[index];
}

pod_exchange_unknown pod_exchange_unknown_op(const pod_exchange_module *module, size_t index)
{
    return module->unknowns[index];
}
