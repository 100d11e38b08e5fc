/* exchange - StableHLO modules read into graphs. */

#include "bind.h"

#include <moonpod/divide.h>
#include <moonpod/exchange.h>

static void end(void *module)
{
    pod_exchange_free(module);
}

static const pod_lua_kind module_kind = {"moonpod.exchange_module", "module", .end = end};

static void set_type(lua_State *L, pod_element element, const pod_shape *shape)
{
    pod_lua_set_text(L, "dtype", pod_element_name(element));
    pod_lua_set_shape(L, "shape", shape);
}

/* Pushes {name =, dtype =, shape =, alias = number of an output from 1 or nil, donated =, sharding =}. */
static void push_parameter(lua_State *L, const void *module, size_t index)
{
    const pod_exchange_parameter parameter = pod_exchange_get_parameter(module, index);
    lua_createtable(L, 0, 6);
    pod_lua_set_text(L, "name", parameter.name);
    set_type(L, parameter.element, &parameter.shape);
    if (parameter.alias >= 0)
        pod_lua_set_integer(L, "alias", parameter.alias + 1);
    pod_lua_set_boolean(L, "donated", parameter.donated);
    pod_lua_set_text(L, "sharding", parameter.sharding);
}

/* Pushes {name = text or nil, dtype =, shape =, sharding =}. */
static void push_output(lua_State *L, const void *module, size_t index)
{
    const pod_exchange_output output = pod_exchange_get_output(module, index);
    lua_createtable(L, 0, 4);
    pod_lua_set_text(L, "name", output.name);
    set_type(L, output.element, &output.shape);
    pod_lua_set_text(L, "sharding", output.sharding);
}

static void push_unknown(lua_State *L, const void *module, size_t index)
{
#define UNKNOWN(member) POD_LUA_FIELD(pod_exchange_unknown, member)
    static const pod_lua_field fields[] = {
        UNKNOWN(name), UNKNOWN(reason), UNKNOWN(line), UNKNOWN(column), UNKNOWN(count), {0},
    };
    const pod_exchange_unknown unknown = pod_exchange_unknown_op(module, index);
    lua_createtable(L, 0, 5);
    pod_lua_set_fields(L, &unknown, fields);
}

static void push_description(lua_State *L, const pod_exchange_module *module)
{
    const pod_exchange_description about = pod_exchange_describe(module);
    lua_createtable(L, 0, 9);
    pod_lua_set_text(L, "name", about.name);
    pod_lua_set_text(L, "function_name", about.function);
    pod_lua_set_integer(L, "partitions", about.partitions);
    pod_lua_set_boolean(L, "is_local", about.local);
    pod_lua_set_boolean(L, "divided", about.divided);
    pod_lua_set_text(L, "undivided", about.undivided);
    pod_lua_set_integer(L, "replicas", about.replicas);
    pod_lua_set_array(L, "parameters", about.parameter_count, push_parameter, module);
    pod_lua_set_array(L, "outputs", about.output_count, push_output, module);
    pod_lua_set_array(L, "unknown", about.unknown_count, push_unknown, module);
}

/* Where the compiler divides a module's arrays: what one device runs comes in the place of the whole, or the reason why
 * it cannot be told. */
static void divide(lua_State *L, pod_exchange_module *module, pod_error *error)
{
    const pod_division *division = pod_exchange_division(module);
    pod_graph *part;
    if (!division)
        return;
    const pod_status status = pod_graph_of_device(pod_exchange_graph(module), division, &part, error);
    if (status == POD_ERROR_MEMORY)
        pod_lua_check(L, status, error);
    pod_exchange_set_part(module, part, error->message);
}

/* stablehlo_read(context, text, file_name?) -> graph (of one device), {name =, function_name =, partitions =,
 * is_local =, divided =, undivided = why it cannot be divided here or nil, replicas =, parameters =, outputs =,
 * unknown =} */
static int stablehlo_read(lua_State *L, pod_error *error)
{
    size_t length;
    pod_context *context = pod_lua_check_context(L, 1);
    const char *text = luaL_checklstring(L, 2, &length);
    const char *file_name = pod_lua_optional_text(L, 3, NULL);
    pod_exchange_module **box = pod_lua_new_box(L, &module_kind);
    pod_lua_check(L, pod_exchange_read(context, text, length, file_name, box, error), error);
    divide(L, *box, error);
    pod_graph **graph = pod_lua_new_graph_box(L);
    push_description(L, *box);
    *graph = pod_exchange_take_graph(*box);
    pod_exchange_free(*box);
    *box = NULL;
    return 2;
}

/* stablehlo_write(context, graph) -> text */
static int stablehlo_write(lua_State *L, pod_error *error)
{
    pod_context *context = pod_lua_check_context(L, 1);
    pod_graph *graph = pod_lua_check_graph(L, 2);
    pod_lua_text *box = pod_lua_new_text(L, context);
    return pod_lua_push_text(L, box, pod_exchange_write(graph, &box->text, error));
}

static const pod_lua_function functions[] = {
    {"stablehlo_read", .failing = stablehlo_read}, {"stablehlo_write", .failing = stablehlo_write}, {0}};

const pod_lua_part pod_lua_exchange_part = {.functions = functions, .kind = &module_kind};
