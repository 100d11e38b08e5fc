/*
 * worker - functions of elements in Lua states of their own, one a thread of an input pipeline: plain Lua that runs
 * in parallel.
 *
 * A state gets the standard libraries and a chunk of Lua (the prelude, of moonpod.data.interpreted), which
 * returns the function that is called for each element. Elements go in and come out as Lua values: numbers,
 * booleans, nested tables, strings.
 */

#include "dataset_access.h"
#include "sandbox.h"

#include <lualib.h>
#include <stdlib.h>
#include <string.h>

/* What all threads of a stage share. */
typedef struct worker_function {
    pod_context *context; /* shared */
    char *chunk;          /* Lua source or bytecode */
    size_t chunk_size;
    size_t input_count, output_count;
    bool *input_is_text;
    pod_component *outputs;
    bool looks; /* a hook sees what runs: not of LuaJIT, whose compiled code has none */
} worker_function;

static void function_free(void *context)
{
    worker_function *function = context;
    pod_context_release(function->context);
    free(function->input_is_text);
    free(function->outputs);
    free(function->chunk);
    free(function);
}

/* ---- one element ---------------------------------------------------------------------------------------------- */

/* A call of the function: what the protected part works on. */
typedef struct call {
    const worker_function *function;
    pod_buffer *const *inputs;
    pod_buffer **outputs;
    pod_error *error;
    bool refused; /* the error is filled in already */
} call;

static void push_input(lua_State *L, const pod_buffer *buffer, bool text)
{
    if (text)
        lua_pushlstring(L, pod_buffer_data(buffer), pod_buffer_bytes(buffer));
    else
        pod_lua_push_nested(L, buffer);
}

/* Makes a buffer of the result on top of the stack. */
static void take_output(lua_State *L, call *now, size_t index)
{
    const pod_component *component = &now->function->outputs[index];
    pod_shape shape;
    size_t size = 0;
    const char *text = NULL;
    if (component->text) {
        text = lua_tolstring(L, -1, &size);
        if (lua_type(L, -1) != LUA_TSTRING)
            luaL_error(L, "result %d is a %s, not a string", (int)index + 1, luaL_typename(L, -1));
        shape = (pod_shape){1, {(int64_t)size}};
    } else {
        (void)pod_lua_infer_shape(L, -1, &shape);
    }
    if (pod_buffer_new(now->function->context, component->dtype, &shape, &now->outputs[index], now->error) != POD_OK) {
        now->refused = true;
        luaL_error(L, "no buffer");
    }
    if (text && size > 0)
        memcpy(pod_buffer_data(now->outputs[index]), text, size);
    else if (!text)
        pod_lua_store_nested(L, &shape, component->dtype, pod_buffer_data(now->outputs[index]));
}

/* The protected part: function, call -> nothing. The buffers that were made are the caller's. */
static int call_function(lua_State *L)
{
    call *now = lua_touserdata(L, 2);
    const worker_function *function = now->function;
    lua_settop(L, 1);
    luaL_checkstack(L, (int)(function->input_count + function->output_count) + 8, "an element");
    for (size_t i = 0; i < function->input_count; i++)
        push_input(L, now->inputs[i], function->input_is_text[i]);
    lua_call(L, (int)function->input_count, (int)function->output_count);
    for (size_t i = function->output_count; i-- > 0;) {
        take_output(L, now, i);
        lua_pop(L, 1);
    }
    return 0;
}

/* Instructions after which it is asked whether anybody still waits for the element. */
#define LOOK_AFTER 10000

/* Ends a function of an element that nobody waits for; from then on at each instruction, so that no pcall goes on. */
static void look(lua_State *L, lua_Debug *at)
{
    (void)at;
    if (!pod_dataset_is_to_stop())
        return;
    lua_sethook(L, look, LUA_MASKCOUNT, 1);
    luaL_error(L, "interrupted");
}

static pod_status worker_apply(void *context, void *cursor, pod_buffer *const *inputs, pod_buffer **outputs,
                               pod_error *error)
{
    const worker_function *function = context;
    lua_State *L = cursor;
    call now = {function, inputs, outputs, error, false};
    for (size_t i = 0; i < function->output_count; i++)
        outputs[i] = NULL;
    if (function->looks)
        lua_sethook(L, look, LUA_MASKCOUNT, LOOK_AFTER);
    lua_pushcfunction(L, call_function);
    lua_pushvalue(L, 1); /* the function, which stays at the bottom of the stack */
    lua_pushlightuserdata(L, &now);
    if (lua_pcall(L, 2, 0, 0) == LUA_OK)
        return POD_OK;
    for (size_t i = 0; i < function->output_count; i++)
        pod_buffer_release(outputs[i]);
    if (!now.refused) {
        const char *message = lua_tostring(L, -1);
        pod_lua_refuse(error, POD_ERROR_CALLBACK, message ? message : "the function raised an error that is no text");
    }
    lua_pop(L, 1);
    return error->status;
}

/* ---- a thread ---------------------------------------------------------------------------------------------------- */

/* The protected part of opening: the chunk's function -> what it returns. */
static int prepare(lua_State *L)
{
    const worker_function *function = lua_touserdata(L, 1);
    luaL_openlibs(L);
    lua_getfield(L, LUA_REGISTRYINDEX, "_LOADED"); /* what layers of texts ask for */
    lua_pushcfunction(L, pod_lua_text_bucket);
    lua_setfield(L, -2, "moonpod.text_bucket");
    lua_pop(L, 1);
    if (luaL_loadbuffer(L, function->chunk, function->chunk_size, "=map") != 0)
        return lua_error(L);
    lua_call(L, 0, 1);
    if (!lua_isfunction(L, -1))
        return luaL_error(L, "the chunk of a worker returned no function");
    return 1;
}

static pod_status worker_open(void *context, void **cursor, pod_error *error)
{
    lua_State *L = luaL_newstate();
    if (!L)
        return pod_lua_refuse(error, POD_ERROR_MEMORY, "there is no memory for a Lua state");
    lua_pushcfunction(L, prepare);
    lua_pushlightuserdata(L, context);
    if (lua_pcall(L, 1, 1, 0) != LUA_OK) {
        const char *message = lua_tostring(L, -1);
        pod_lua_refuse(error, POD_ERROR_CALLBACK, message ? message : "a Lua state failed");
        lua_close(L);
        return POD_ERROR_CALLBACK;
    }
    *cursor = L;
    return POD_OK;
}

static void worker_close(void *context, void *cursor)
{
    (void)context;
    if (cursor)
        lua_close(cursor);
}

/* ---- Lua --------------------------------------------------------------------------------------------------------- */

static bool has_jit(lua_State *L)
{
    lua_getglobal(L, "jit");
    const bool has = lua_istable(L, -1);
    lua_pop(L, 1);
    return has;
}

static worker_function *new_function(lua_State *L, pod_context *context, const pod_dataset *input, const char *chunk,
                                     size_t size, const pod_component *components, size_t count)
{
    const size_t inputs = pod_dataset_component_count(input);
    worker_function *function = calloc(1, sizeof *function);
    if (!function)
        luaL_error(L, "no memory for a function of elements");
    *function = (worker_function){.context = pod_context_retain(context),
                                  .chunk = malloc(size + 1),
                                  .chunk_size = size,
                                  .input_count = inputs,
                                  .output_count = count,
                                  .input_is_text = calloc(inputs + 1, sizeof(bool)),
                                  .outputs = calloc(count + 1, sizeof *components),
                                  .looks = !has_jit(L)};
    if (!function->chunk || !function->input_is_text || !function->outputs) {
        function_free(function);
        luaL_error(L, "no memory for a function of elements");
    }
    memcpy(function->chunk, chunk, size);
    memcpy(function->outputs, components, count * sizeof *components);
    for (size_t i = 0; i < inputs; i++)
        function->input_is_text[i] = pod_dataset_get_component(input, i).text;
    return function;
}

/* dataset_interpret(context, dataset, chunk, components): `chunk` is Lua that returns a function of the components
 * as Lua values, which returns the components of the result */
static int interpret(lua_State *L, pod_error *error)
{
    pod_context *context = pod_lua_check_context(L, 1);
    if (pod_lua_sandbox_of(L))
        return luaL_error(L, "functions of elements run on no threads of their own in a sandbox");
    pod_dataset *input = pod_lua_check_dataset(L, 2);
    size_t size, count;
    const char *chunk = luaL_checklstring(L, 3, &size);
    pod_component *components = pod_lua_check_components(L, 4, &count);
    pod_dataset **made = pod_lua_new_dataset_box(L);
    const pod_transform transform = {
        .open = worker_open,
        .apply = worker_apply,
        .close = worker_close,
        .release = function_free,
        .context = new_function(L, context, input, chunk, size, components, count),
        .any_thread = true,
    };
    return pod_lua_results(pod_dataset_transform(input, &transform, components, count, made, error), 1);
}

static const pod_lua_function functions[] = {{"dataset_interpret", .failing = interpret}, {0}};

const pod_lua_part pod_lua_worker_part = {.functions = functions};
