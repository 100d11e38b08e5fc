/* exchange - StableHLO modules read into graphs. */

#include "bind.h"

#include <moonpod/exchange.h>

#include <string.h>

#define MODULE "moonpod.exchange_module"

static void end(void *content)
{
    pod_exchange_free(content);
}

static int module_close(lua_State *L)
{
    pod_exchange_module **box = luaL_checkudata(L, 1, MODULE);
    pod_exchange_module *content = *box;
    *box = NULL;
    pod_lua_end(L, end, content);
    return 0;
}

static int module_tostring(lua_State *L)
{
    lua_pushliteral(L, "moonpod.exchange_module");
    return 1;
}

static void set_text(lua_State *L, const char *key, const char *text)
{
    if (!text)
        return;
    lua_pushstring(L, text);
    lua_setfield(L, -2, key);
}

static void set_int64(lua_State *L, const char *key, int64_t value)
{
    pod_lua_push_int64(L, value);
    lua_setfield(L, -2, key);
}

static void set_type(lua_State *L, pod_element element, const pod_shape *shape)
{
    set_text(L, "dtype", pod_element_name(element));
    pod_lua_push_shape(L, shape);
    lua_setfield(L, -2, "shape");
}

/* Pushes {{name =, dtype =, shape =, alias = number of an output from 1 or nil, donated =, sharding
 * =}...}. */
static void push_parameters(lua_State *L, const pod_exchange_module *module, size_t count)
{
    lua_createtable(L, (int)count, 0);
    for (size_t i = 0; i < count; i++) {
        const pod_exchange_parameter parameter = pod_exchange_get_parameter(module, i);
        lua_createtable(L, 0, 6);
        set_text(L, "name", parameter.name);
        set_type(L, parameter.element, &parameter.shape);
        if (parameter.alias >= 0)
            set_int64(L, "alias", parameter.alias + 1);
        lua_pushboolean(L, parameter.donated);
        lua_setfield(L, -2, "donated");
        set_text(L, "sharding", parameter.sharding);
        lua_rawseti(L, -2, (int)i + 1);
    }
}

/* Pushes {{name = text or nil, dtype =, shape =, sharding =}...}. */
static void push_outputs(lua_State *L, const pod_exchange_module *module, size_t count)
{
    lua_createtable(L, (int)count, 0);
    for (size_t i = 0; i < count; i++) {
        const pod_exchange_output output = pod_exchange_get_output(module, i);
        lua_createtable(L, 0, 4);
        set_text(L, "name", output.name);
        set_type(L, output.element, &output.shape);
        set_text(L, "sharding", output.sharding);
        lua_rawseti(L, -2, (int)i + 1);
    }
}

/* Pushes {{name =, reason =, line =, column =, count =}...}. */
static void push_unknowns(lua_State *L, const pod_exchange_module *module, size_t count)
{
    lua_createtable(L, (int)count, 0);
    for (size_t i = 0; i < count; i++) {
        const pod_exchange_unknown unknown = pod_exchange_unknown_op(module, i);
        lua_createtable(L, 0, 5);
        set_text(L, "name", unknown.name);
        set_text(L, "reason", unknown.reason);
        set_int64(L, "line", unknown.line);
        set_int64(L, "column", unknown.column);
        set_int64(L, "count", unknown.count);
        lua_rawseti(L, -2, (int)i + 1);
    }
}

static void push_description(lua_State *L, const pod_exchange_module *module)
{
    const pod_exchange_description about = pod_exchange_describe(module);
    lua_createtable(L, 0, 7);
    set_text(L, "name", about.name);
    set_text(L, "function_name", about.function);
    set_int64(L, "partitions", about.partitions);
    lua_pushboolean(L, about.local);
    lua_setfield(L, -2, "is_local");
    set_int64(L, "replicas", about.replicas);
    push_parameters(L, module, about.parameter_count);
    lua_setfield(L, -2, "parameters");
    push_outputs(L, module, about.output_count);
    lua_setfield(L, -2, "outputs");
    push_unknowns(L, module, about.unknown_count);
    lua_setfield(L, -2, "unknown");
}

/* stablehlo_read(context, text, file_name?) -> graph, {name =, function_name =, partitions =, is_local =,
 * replicas =, parameters =, outputs =, unknown =} */
static int stablehlo_read(lua_State *L)
{
    size_t length;
    pod_error error;
    pod_context *context = pod_lua_check_context(L, 1);
    const char *text = luaL_checklstring(L, 2, &length);
    const char *file_name = pod_lua_optional_text(L, 3, NULL);
    pod_exchange_module **box = pod_lua_newuserdata(L, sizeof *box);
    *box = NULL;
    pod_lua_setmetatable(L, MODULE);
    pod_lua_check(L, pod_exchange_read(context, text, length, file_name, box, &error), &error);
    pod_graph **graph = pod_lua_new_graph_box(L);
    push_description(L, *box);
    *graph = pod_exchange_take_graph(*box);
    pod_exchange_free(*box);
    *box = NULL;
    return 2;
}

/* stablehlo_write(context, graph) -> text */
static int stablehlo_write(lua_State *L)
{
    pod_error error;
    pod_context *context = pod_lua_check_context(L, 1);
    pod_graph *graph = pod_lua_check_graph(L, 2);
    pod_lua_text *box = pod_lua_new_text(L, context);
    pod_lua_check(L, pod_exchange_write(graph, &box->text, &error), &error);
    return pod_lua_push_text(L, box);
}

static const luaL_Reg functions[] = {
    {"stablehlo_read", stablehlo_read}, {"stablehlo_write", stablehlo_write}, {NULL, NULL}};
static const luaL_Reg methods[] = {{NULL, NULL}};

void pod_lua_open_exchange(lua_State *L)
{
    pod_lua_new_metatable(L, MODULE, methods, module_close, module_tostring);
    pod_lua_set_functions(L, functions);
}
