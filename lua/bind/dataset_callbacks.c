/* dataset_callbacks - stages whose work a Lua function does: generators, expansions, functions. */

#include "dataset_access.h"

#include <stdlib.h>
#include <string.h>

/* Registry: pointer -> its userdata (weak values), which keeps { function }. */
#define SOURCES "moonpod.source.pointers"

/* ---- calling ------------------------------------------------------------------------------------------- */

/* What a stage calls back. Shared by its userdata, which has the function, and the stage. */
typedef struct lua_source {
    pod_lua_caller *caller; /* shared */
    atomic_int shares;
} lua_source;

static void source_release(void *context)
{
    lua_source *source = context;
    if (!source || atomic_fetch_sub(&source->shares, 1) != 1)
        return;
    pod_lua_release_caller(source->caller);
    free(source);
}

static const pod_lua_kind source_kind = {"moonpod.source", "source", .end = source_release};

/* Pushes the Lua function of a source; false when its userdata is gone. */
static bool push_function(lua_State *L, lua_source *source)
{
    lua_getfield(L, LUA_REGISTRYINDEX, SOURCES);
    lua_pushlightuserdata(L, source);
    lua_rawget(L, -2);
    if (lua_isuserdata(L, -1)) {
        pod_lua_push_kept_table(L, -1);
        lua_rawgeti(L, -1, 1);
        lua_replace(L, -3);
        lua_pop(L, 1);
    }
    lua_remove(L, -2);
    return lua_isfunction(L, -1);
}

/* Pushes the function and `what`, for the caller to add an argument and call run(). */
static pod_status begin_call(lua_source *source, const char *what, pod_error *error)
{
    lua_State *L = source->caller->L;
    if (!L || !lua_checkstack(L, 16))
        return pod_lua_refuse(error, POD_ERROR_STATE, "a Lua function makes elements only while Lua asks for some");
    if (!push_function(L, source)) {
        lua_pop(L, 1);
        return pod_lua_refuse(error, POD_ERROR_STATE, "the Lua function was collected");
    }
    lua_pushstring(L, what);
    return POD_OK;
}

/* Calls the function with `count` arguments, which leaves one value; a failure fills in the error. */
static pod_status run(lua_State *L, int count, pod_error *error)
{
    if (lua_pcall(L, count, 1, 0) == LUA_OK)
        return POD_OK;
    const char *message = lua_tostring(L, -1);
    pod_lua_refuse(error, POD_ERROR_CALLBACK, message ? message : "the function raised an error that is no text");
    lua_pop(L, 1);
    return POD_ERROR_CALLBACK;
}

/* Calls function(what, number). */
static pod_status call_with_number(lua_source *source, const char *what, void *number, pod_error *error)
{
    pod_status status = begin_call(source, what, error);
    if (status != POD_OK)
        return status;
    pod_lua_push_int64(source->caller->L, (int64_t)(intptr_t)number);
    return run(source->caller->L, 2, error);
}

/* Calls function("open", epoch, repetition). */
static pod_status call_open(lua_source *source, pod_pass_number pass, pod_error *error)
{
    pod_status status = begin_call(source, "open", error);
    if (status != POD_OK)
        return status;
    pod_lua_push_int64(source->caller->L, pass.epoch);
    pod_lua_push_int64(source->caller->L, pass.repetition);
    return run(source->caller->L, 3, error);
}

/* An element on its way into Lua. */
typedef struct element {
    pod_buffer *const *buffers;
    size_t count;
} element;

/* Pushes an array of buffers; called protected, as it may run out of memory. */
static int push_element(lua_State *L)
{
    const element *given = lua_touserdata(L, 1);
    lua_createtable(L, (int)given->count, 0);
    for (size_t i = 0; i < given->count; i++) {
        *pod_lua_new_buffer_box(L) = pod_buffer_retain(given->buffers[i]);
        lua_rawseti(L, -2, (int)i + 1);
    }
    return 1;
}

/* Calls function(what, array of buffers). */
static pod_status call_with_element(lua_source *source, const char *what, element given, pod_error *error)
{
    pod_status status = begin_call(source, what, error);
    if (status != POD_OK)
        return status;
    lua_State *L = source->caller->L;
    lua_pushcfunction(L, push_element);
    lua_pushlightuserdata(L, &given);
    if (lua_pcall(L, 1, 1, 0) != LUA_OK) {
        lua_pop(L, 3);
        return pod_lua_refuse(error, POD_ERROR_MEMORY, "Lua has no memory for an element");
    }
    return run(L, 2, error);
}

/* Takes the buffers out of the array on top of the stack, and pops it. */
static pod_status take_buffers(lua_State *L, pod_buffer **components, pod_error *error)
{
    const size_t count = lua_istable(L, -1) ? pod_lua_length(L, -1) : POD_MAX_COMPONENTS + 1;
    if (count > 0 && count <= POD_MAX_COMPONENTS) {
        if (pod_lua_take_buffers(L, count, components))
            return POD_OK;
    } else {
        lua_pop(L, 1);
    }
    return pod_lua_refuse(error, POD_ERROR_CALLBACK, "the function gave no buffers");
}

/* ---- what the stages call -------------------------------------------------------------------------------- */

static pod_status generator_open(void *context, pod_pass_number pass, void **cursor, pod_error *error)
{
    lua_source *source = context;
    pod_status status = call_open(source, pass, error);
    if (status != POD_OK)
        return status;
    *cursor = (void *)(intptr_t)pod_lua_to_own(source->caller->L, -1);
    lua_pop(source->caller->L, 1);
    return POD_OK;
}

/* The function returns an array of buffers, or nil at the end. */
static pod_status generator_next(void *context, void *cursor, pod_buffer **components, pod_error *error)
{
    lua_source *source = context;
    pod_status status = call_with_number(source, "next", cursor, error);
    lua_State *L = source->caller->L;
    if (status != POD_OK)
        return status;
    if (!lua_isnil(L, -1))
        return take_buffers(L, components, error);
    lua_pop(L, 1);
    return POD_END;
}

static void generator_close(void *context, void *cursor)
{
    pod_error error;
    lua_source *source = context;
    if (source->caller->L && call_with_number(source, "close", cursor, &error) == POD_OK)
        lua_pop(source->caller->L, 1);
}

/* A stage over elements of `count` components. */
typedef struct lua_function {
    lua_source *source; /* shared */
    size_t count;
    size_t output_count; /* components of what it computes */
} lua_function;

static void function_release(void *context)
{
    lua_function *function = context;
    source_release(function->source);
    free(function);
}

/* The function returns a dataset of the core. */
static pod_status function_expand(void *context, pod_buffer *const *components, pod_dataset **dataset, pod_error *error)
{
    const lua_function *function = context;
    pod_status status = call_with_element(function->source, "expand", (element){components, function->count}, error);
    if (status != POD_OK)
        return status;
    lua_State *L = function->source->caller->L;
    pod_dataset **box = pod_lua_testudata(L, -1, pod_lua_dataset_kind.name);
    if (box && *box)
        *dataset = pod_dataset_retain(*box);
    else
        status = pod_lua_refuse(error, POD_ERROR_CALLBACK, "the function gave no dataset");
    lua_pop(L, 1);
    return status;
}

/* The function returns an array of buffers. What it gives is as many as were announced, or is refused by the stage. */
static pod_status function_apply(void *context, void *cursor, pod_buffer *const *inputs, pod_buffer **outputs,
                                 pod_error *error)
{
    lua_function *function = context;
    pod_buffer *given[POD_MAX_COMPONENTS] = {0};
    (void)cursor;
    pod_status status = call_with_element(function->source, "apply", (element){inputs, function->count}, error);
    if (status == POD_OK)
        status = take_buffers(function->source->caller->L, given, error);
    for (size_t i = 0; i < POD_MAX_COMPONENTS; i++) {
        if (i < function->output_count)
            outputs[i] = given[i];
        else
            pod_buffer_release(given[i]);
    }
    return status;
}

/* ---- Lua -------------------------------------------------------------------------------------------------- */

/* source(function): what the stages below need. function(what, argument) is called with
 *   "open", epoch, repetition   returns the number of a new pass; see pod_pass_number
 *   "next", number      returns an array of buffers, exactly as announced, or nil
 *   "close", number     ends a pass
 *   "expand", buffers   returns a dataset
 *   "apply", buffers    returns an array of buffers, as announced */
static int source_new(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TFUNCTION);
    lua_createtable(L, 1, 0);
    lua_pushvalue(L, 1);
    lua_rawseti(L, -2, 1);
    lua_source **box = pod_lua_newuserdata_with_table(L, sizeof *box);
    *box = NULL;
    pod_lua_setmetatable(L, source_kind.name);
    *box = calloc(1, sizeof **box);
    if (!*box)
        return luaL_error(L, "no memory for a source");
    atomic_init(&(*box)->shares, 1);
    (*box)->caller = pod_lua_get_caller(L);
    lua_getfield(L, LUA_REGISTRYINDEX, SOURCES);
    lua_pushlightuserdata(L, *box);
    lua_pushvalue(L, -3);
    lua_rawset(L, -3);
    lua_pop(L, 1);
    return 1;
}

/* dataset_from_source(context, source, components, cardinality): keep `source` as long as the dataset */
static int from_source(lua_State *L, pod_error *error)
{
    pod_context *context = pod_lua_check_context(L, 1);
    lua_source *source = pod_lua_check_open(L, 2, &source_kind);
    size_t count;
    pod_component *components = pod_lua_check_components(L, 3, &count);
    int64_t cardinality = pod_lua_check_any(L, 4, "cardinality");
    pod_dataset **made = pod_lua_new_dataset_box(L);
    atomic_fetch_add(&source->shares, 1);
    const pod_source generator = {.open = generator_open,
                                  .next = generator_next,
                                  .close = generator_close,
                                  .release = source_release,
                                  .context = source};
    return pod_lua_results(pod_dataset_from_source(context, &generator, components, count, cardinality, made, error),
                           1);
}

/* Makes what a stage over `input` calls back. */
static lua_function *new_function(lua_State *L, lua_source *source, const pod_dataset *input)
{
    lua_function *function = calloc(1, sizeof *function);
    if (!function)
        luaL_error(L, "no memory for a function of elements");
    *function = (lua_function){.source = source, .count = pod_dataset_component_count(input)};
    atomic_fetch_add(&source->shares, 1);
    return function;
}

/* dataset_interleave(dataset, source, components, cycle_length, block_length, threads?, deterministic?,
 * of_files) */
static int interleave(lua_State *L, pod_error *error)
{
    lua_settop(L, 8);
    pod_dataset *input = pod_lua_check_dataset(L, 1);
    lua_source *source = pod_lua_check_open(L, 2, &source_kind);
    size_t count;
    pod_component *components = pod_lua_check_components(L, 3, &count);
    const pod_interleave_options options = {
        .cycle_length = pod_lua_check_any(L, 4, "the cycle length"),
        .block_length = pod_lua_check_any(L, 5, "the block length"),
        .threads = lua_isnoneornil(L, 6) ? 0 : pod_lua_check_any(L, 6, "num_parallel_calls"),
        .order = pod_lua_check_order(L, 7),
        .of_files = lua_toboolean(L, 8)};
    pod_dataset **made = pod_lua_new_dataset_box(L);
    const pod_expansion expansion = {
        .expand = function_expand, .release = function_release, .context = new_function(L, source, input)};
    return pod_lua_results(pod_dataset_interleave(input, &expansion, components, count, &options, made, error), 1);
}

/* dataset_compute(dataset, source, components): each element is what the source makes of one */
static int compute(lua_State *L, pod_error *error)
{
    pod_dataset *input = pod_lua_check_dataset(L, 1);
    lua_source *source = pod_lua_check_open(L, 2, &source_kind);
    size_t count;
    pod_component *components = pod_lua_check_components(L, 3, &count);
    pod_dataset **made = pod_lua_new_dataset_box(L);
    lua_function *function = new_function(L, source, input);
    function->output_count = count;
    const pod_transform transform = {.apply = function_apply, .release = function_release, .context = function};
    return pod_lua_results(pod_dataset_transform(input, &transform, components, count, made, error), 1);
}

static const pod_lua_function functions[] = {{"source", .plain = source_new},
                                             {"dataset_from_source", .failing = from_source},
                                             {"dataset_interleave", .failing = interleave},
                                             {"dataset_compute", .failing = compute},
                                             {0}};

static void make_sources(lua_State *L)
{
    lua_newtable(L);
    lua_createtable(L, 0, 1);
    pod_lua_set_text(L, "__mode", "v");
    lua_setmetatable(L, -2);
    lua_setfield(L, LUA_REGISTRYINDEX, SOURCES);
}

const pod_lua_part pod_lua_dataset_callbacks_part = {
    .functions = functions, .kind = &source_kind, .open = make_sources};
