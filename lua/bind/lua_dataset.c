/* lua_dataset - chains of input stages. */

#include "dataset_access.h"

#include <string.h>

pod_dataset *pod_lua_check_dataset(lua_State *L, int index)
{
    pod_dataset **box = luaL_checkudata(L, index, POD_LUA_DATASET);
    luaL_argcheck(L, *box, index, "the dataset is closed");
    return *box;
}

pod_dataset **pod_lua_new_dataset_box(lua_State *L)
{
    pod_dataset **box = pod_lua_newuserdata(L, sizeof *box);
    *box = NULL;
    pod_lua_setmetatable(L, POD_LUA_DATASET);
    return box;
}

static void end(void *content)
{
    pod_dataset_release(content);
}

static int dataset_close(lua_State *L)
{
    pod_dataset **box = luaL_checkudata(L, 1, POD_LUA_DATASET);
    pod_dataset *content = *box;
    *box = NULL;
    pod_lua_end(L, end, content);
    return 0;
}

static int dataset_tostring(lua_State *L)
{
    pod_dataset **box = luaL_checkudata(L, 1, POD_LUA_DATASET);
    if (*box)
        lua_pushfstring(L, "moonpod.dataset (%s)", pod_dataset_stage_name(*box));
    else
        lua_pushliteral(L, "moonpod.dataset (closed)");
    return 1;
}

/* ---- sources --------------------------------------------------------------------------------------- */

/* Reads an array of buffers at `index` into a block that stays on the stack. */
static pod_buffer **check_buffers(lua_State *L, int index, size_t *count)
{
    luaL_checktype(L, index, LUA_TTABLE);
    *count = pod_lua_length(L, index);
    pod_buffer **buffers = pod_lua_new_array(L, *count + 1, sizeof *buffers);
    for (size_t i = 0; i < *count; i++) {
        pod_lua_geti(L, index, i + 1);
        buffers[i] = pod_lua_check_buffer(L, -1);
        lua_pop(L, 1);
    }
    return buffers;
}

/* dataset_from_slices(context, {buffer...}) */
static int from_slices(lua_State *L)
{
    pod_context *context = pod_lua_check_context(L, 1);
    size_t count;
    pod_buffer **buffers = check_buffers(L, 2, &count);
    pod_dataset **box = pod_lua_new_dataset_box(L);
    pod_error error;
    pod_lua_check(L, pod_dataset_from_slices(context, buffers, count, box, &error), &error);
    return 1;
}

/* dataset_from_buffers(context, {buffer...}) */
static int from_buffers(lua_State *L)
{
    pod_context *context = pod_lua_check_context(L, 1);
    size_t count;
    pod_buffer **buffers = check_buffers(L, 2, &count);
    pod_dataset **box = pod_lua_new_dataset_box(L);
    pod_error error;
    pod_lua_check(L, pod_dataset_from_buffers(context, buffers, count, box, &error), &error);
    return 1;
}

/* dataset_range(context, start, stop, step) */
static int range(lua_State *L)
{
    pod_context *context = pod_lua_check_context(L, 1);
    int64_t start = pod_lua_check_any(L, 2, "start");
    int64_t stop = pod_lua_check_any(L, 3, "stop");
    int64_t step = pod_lua_check_any(L, 4, "step");
    pod_dataset **box = pod_lua_new_dataset_box(L);
    pod_error error;
    pod_lua_check(L, pod_dataset_range(context, start, stop, step, box, &error), &error);
    return 1;
}

/* Reads {{dtype =, shape =, text =}...} at `index` into a block that stays on the stack. */
pod_component *pod_lua_check_components(lua_State *L, int index, size_t *count)
{
    luaL_checktype(L, index, LUA_TTABLE);
    *count = pod_lua_length(L, index);
    pod_component *components = pod_lua_new_array(L, *count + 1, sizeof *components);
    memset(components, 0, (*count + 1) * sizeof *components);
    for (size_t i = 0; i < *count; i++) {
        pod_lua_geti(L, index, i + 1);
        pod_lua_check_top(L, LUA_TTABLE, "a component");
        lua_getfield(L, -1, "dtype");
        components[i].dtype = pod_lua_check_dtype(L, -1);
        lua_getfield(L, -2, "shape");
        pod_lua_check_shape(L, -1, &components[i].shape);
        lua_getfield(L, -3, "text");
        components[i].text = lua_toboolean(L, -1);
        lua_pop(L, 4);
    }
    return components;
}

/* ---- stages -------------------------------------------------------------------------------------------- */

/* dataset:batch(size, drop_remainder) */
static int dataset_batch(lua_State *L)
{
    pod_dataset *input = pod_lua_check_dataset(L, 1);
    const pod_batch_options options = {.size = pod_lua_check_any(L, 2, "the batch size"),
                                       .drop_remainder = lua_toboolean(L, 3)};
    pod_dataset **box = pod_lua_new_dataset_box(L);
    pod_error error;
    pod_lua_check(L, pod_dataset_batch(input, &options, box, &error), &error);
    return 1;
}

/* dataset:shuffle(buffer_size, seed, same_each_iteration) */
static int dataset_shuffle(lua_State *L)
{
    pod_dataset *input = pod_lua_check_dataset(L, 1);
    const pod_shuffle_options options = {
        .buffer_size = pod_lua_check_any(L, 2, "the buffer size"),
        .seed = (uint64_t)pod_lua_check_any(L, 3, "seed"),
        .same_each_iteration = lua_toboolean(L, 4),
    };
    pod_dataset **box = pod_lua_new_dataset_box(L);
    pod_error error;
    pod_lua_check(L, pod_dataset_shuffle(input, &options, box, &error), &error);
    return 1;
}

typedef pod_status (*counting_stage)(pod_dataset *input, int64_t count, pod_dataset **dataset, pod_error *error);

static int counting(lua_State *L, counting_stage stage)
{
    pod_dataset *input = pod_lua_check_dataset(L, 1);
    int64_t count = pod_lua_check_any(L, 2, "the count");
    pod_dataset **box = pod_lua_new_dataset_box(L);
    pod_error error;
    pod_lua_check(L, stage(input, count, box, &error), &error);
    return 1;
}

/* dataset:repeat_(count) */
static int dataset_repeat(lua_State *L)
{
    return counting(L, pod_dataset_repeat);
}

/* dataset:take(count) */
static int dataset_take(lua_State *L)
{
    return counting(L, pod_dataset_take);
}

/* dataset:skip(count) */
static int dataset_skip(lua_State *L)
{
    return counting(L, pod_dataset_skip);
}

/* dataset:prefetch(count) */
static int dataset_prefetch(lua_State *L)
{
    return counting(L, pod_dataset_prefetch);
}

/* dataset:cache(path?, compression?): in a file when there is a path */
static int dataset_cache(lua_State *L)
{
    pod_dataset *input = pod_lua_check_dataset(L, 1);
    const char *path = pod_lua_optional_text(L, 2, NULL);
    const char *compression = pod_lua_optional_text(L, 3, NULL);
    pod_dataset **box = pod_lua_new_dataset_box(L);
    pod_error error;
    pod_lua_check(
        L, path ? pod_dataset_cache_file(input, path, compression, box, &error) : pod_dataset_cache(input, box, &error),
        &error);
    return 1;
}

/* dataset:snapshot(directory, compression?) */
static int dataset_snapshot(lua_State *L)
{
    pod_dataset *input = pod_lua_check_dataset(L, 1);
    const char *directory = pod_lua_check_text(L, 2);
    const char *compression = pod_lua_optional_text(L, 3, NULL);
    pod_dataset **box = pod_lua_new_dataset_box(L);
    pod_error error;
    pod_lua_check(L, pod_dataset_snapshot(input, directory, compression, box, &error), &error);
    return 1;
}

typedef pod_status (*mapping_stage)(pod_dataset *input, pod_graph *graph, pod_dataset **dataset, pod_error *error);

/* Takes the graph out of its userdata. */
static int mapping(lua_State *L, mapping_stage stage)
{
    pod_dataset *input = pod_lua_check_dataset(L, 1);
    pod_dataset **box = pod_lua_new_dataset_box(L);
    pod_error error;
    pod_lua_check(L, stage(input, pod_lua_take_graph(L, 2), box, &error), &error);
    return 1;
}

/* dataset:map(graph): the graph is taken */
static int dataset_map(lua_State *L)
{
    return mapping(L, pod_dataset_map);
}

/* dataset:map_rows(graph): the graph is taken */
static int dataset_map_rows(lua_State *L)
{
    return mapping(L, pod_dataset_map_rows);
}

void pod_lua_push_components(lua_State *L, const pod_component *components, size_t count)
{
    lua_createtable(L, (int)count, 0);
    for (size_t i = 0; i < count; i++) {
        lua_createtable(L, 0, 3);
        lua_pushstring(L, pod_dtype_name(components[i].dtype));
        lua_setfield(L, -2, "dtype");
        pod_lua_push_shape(L, &components[i].shape);
        lua_setfield(L, -2, "shape");
        if (components[i].text) {
            lua_pushboolean(L, 1);
            lua_setfield(L, -2, "text");
        }
        lua_rawseti(L, -2, (int)i + 1);
    }
}

/* dataset:components() -> {{dtype =, shape =, text =}...}; sizes of -1 differ from element to element */
static int dataset_components(lua_State *L)
{
    pod_dataset *dataset = pod_lua_check_dataset(L, 1);
    pod_component components[POD_MAX_COMPONENTS];
    size_t count = pod_dataset_component_count(dataset);
    for (size_t i = 0; i < count; i++)
        components[i] = pod_dataset_get_component(dataset, i);
    pod_lua_push_components(L, components, count);
    return 1;
}

/* dataset:cardinality() -> number of elements, -1: infinite, -2: unknown */
static int dataset_cardinality(lua_State *L)
{
    pod_lua_push_int64(L, pod_dataset_cardinality(pod_lua_check_dataset(L, 1)));
    return 1;
}

/* dataset:stage() -> name of the last stage */
static int dataset_stage(lua_State *L)
{
    lua_pushstring(L, pod_dataset_stage_name(pod_lua_check_dataset(L, 1)));
    return 1;
}

/* dataset:stages() -> array of the names of its stages, first to last, along the first inputs */
static int dataset_stages(lua_State *L)
{
    pod_dataset *dataset = pod_lua_check_dataset(L, 1);
    int count = 0;
    for (const pod_dataset *at = dataset; at; at = pod_dataset_input(at, 0))
        count++;
    lua_createtable(L, count, 0);
    for (const pod_dataset *at = dataset; at; at = pod_dataset_input(at, 0)) {
        lua_pushstring(L, pod_dataset_stage_name(at));
        lua_rawseti(L, -2, count--);
    }
    return 1;
}

/* dataset:input(i = 1) -> the dataset of the last stage's i-th input, or nil */
static int dataset_input(lua_State *L)
{
    const int64_t index = lua_isnoneornil(L, 2) ? 1 : pod_lua_check_size(L, 2, "the input");
    pod_dataset *input = index < 1 ? NULL : pod_dataset_input(pod_lua_check_dataset(L, 1), (size_t)index - 1);
    if (input)
        *pod_lua_new_dataset_box(L) = pod_dataset_retain(input);
    else
        lua_pushnil(L);
    return 1;
}

/* dataset:host_bytes() -> estimate, or nil when sizes are unknown */
static int dataset_host_bytes(lua_State *L)
{
    int64_t bytes = pod_dataset_host_bytes(pod_lua_check_dataset(L, 1));
    if (bytes < 0)
        lua_pushnil(L);
    else
        pod_lua_push_int64(L, bytes);
    return 1;
}

/* dataset:needs_own_thread() */
static int dataset_needs_own_thread(lua_State *L)
{
    lua_pushboolean(L, pod_dataset_needs_own_thread(pod_lua_check_dataset(L, 1)));
    return 1;
}

/* dataset:save(path, note, compression?) */
static int dataset_save(lua_State *L)
{
    pod_dataset *dataset = pod_lua_check_dataset(L, 1);
    const char *path = pod_lua_check_text(L, 2), *note = pod_lua_check_text(L, 3);
    const char *compression = pod_lua_optional_text(L, 4, NULL);
    pod_lua_caller *caller = pod_lua_get_caller(L);
    lua_State *outer = caller->L;
    pod_error error;
    caller->L = L; /* generators of the dataset run in this coroutine */
    pod_status status = pod_dataset_save(dataset, path, compression, note, &error);
    caller->L = outer;
    pod_lua_release_caller(caller);
    pod_lua_check(L, status, &error);
    return 0;
}
/* ---- the module ------------------------------------------------------------------------------------------ */

static const luaL_Reg dataset_methods[] = {{"batch", dataset_batch},
                                           {"shuffle", dataset_shuffle},
                                           {"repeat_", dataset_repeat},
                                           {"take", dataset_take},
                                           {"skip", dataset_skip},
                                           {"prefetch", dataset_prefetch},
                                           {"cache", dataset_cache},
                                           {"snapshot", dataset_snapshot},
                                           {"save", dataset_save},
                                           {"map", dataset_map},
                                           {"map_rows", dataset_map_rows},
                                           {"components", dataset_components},
                                           {"cardinality", dataset_cardinality},
                                           {"stage", dataset_stage},
                                           {"stages", dataset_stages},
                                           {"input", dataset_input},
                                           {"host_bytes", dataset_host_bytes},
                                           {"needs_own_thread", dataset_needs_own_thread},
                                           {NULL, NULL}};

/* dataset_load(context, path) -> dataset, note */
static int load(lua_State *L)
{
    pod_context *context = pod_lua_check_context(L, 1);
    const char *path = pod_lua_check_text(L, 2);
    pod_lua_text *note = pod_lua_new_text(L, context);
    pod_dataset **box = pod_lua_new_dataset_box(L);
    pod_error error;
    pod_lua_check(L, pod_dataset_load(context, path, box, &note->text, &error), &error);
    (void)pod_lua_push_text(L, note);
    return 2;
}

static const luaL_Reg functions[] = {{"dataset_load", load},
                                     {"dataset_from_slices", from_slices},
                                     {"dataset_from_buffers", from_buffers},
                                     {"dataset_range", range},
                                     {NULL, NULL}};

void pod_lua_open_dataset(lua_State *L)
{
    pod_lua_new_metatable(L, POD_LUA_DATASET, dataset_methods, dataset_close, dataset_tostring);
    pod_lua_set_functions(L, functions);
}
