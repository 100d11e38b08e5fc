/* lua_dataset - chains of input stages. */

#include "dataset_access.h"
#include "small.h"

#include <stdlib.h>

static void end(void *content)
{
    pod_dataset_release(content);
}

static void describe(lua_State *L, void *dataset)
{
    lua_pushstring(L, pod_dataset_stage_name(dataset));
}

const pod_lua_kind pod_lua_dataset_kind = {"moonpod.dataset", "dataset", .end = end, .describe = describe};

pod_dataset *pod_lua_check_dataset(lua_State *L, int index)
{
    return pod_lua_check_open(L, index, &pod_lua_dataset_kind);
}

pod_dataset **pod_lua_new_dataset_box(lua_State *L)
{
    return pod_lua_new_box(L, &pod_lua_dataset_kind);
}

/* ---- the one of a state, which its registry keeps, that callbacks ask for their coroutine ---- */

#define CALLER "moonpod.source.caller"

static int caller_collect(lua_State *L)
{
    pod_lua_caller **box = lua_touserdata(L, 1);
    pod_lua_release_caller(*box);
    *box = NULL;
    return 0;
}

pod_lua_caller *pod_lua_get_caller(lua_State *L)
{
    lua_getfield(L, LUA_REGISTRYINDEX, CALLER);
    pod_lua_caller **box = lua_touserdata(L, -1);
    lua_pop(L, 1);
    if (!box || !*box)
        luaL_error(L, "the state is closing");
    atomic_fetch_add(&(*box)->shares, 1);
    return *box;
}

void pod_lua_release_caller(pod_lua_caller *caller)
{
    if (caller && atomic_fetch_sub(&caller->shares, 1) == 1)
        free(caller);
}

static void make_caller(lua_State *L)
{
    pod_lua_caller **box = pod_lua_newuserdata(L, sizeof *box);
    *box = NULL;
    lua_createtable(L, 0, 1);
    lua_pushcfunction(L, caller_collect);
    lua_setfield(L, -2, "__gc");
    lua_setmetatable(L, -2);
    *box = calloc(1, sizeof **box);
    if (!*box)
        luaL_error(L, "no memory for the module moonpod.core");
    atomic_init(&(*box)->shares, 1);
    lua_setfield(L, LUA_REGISTRYINDEX, CALLER);
}

/* ---- sources --------------------------------------------------------------------------------------- */

static void read_buffer(lua_State *L, const pod_lua_entry *entry)
{
    if (!pod_lua_is_box(L, -1))
        luaL_error(L, "entry %d is no buffer but %s", (int)entry->index + 1, luaL_typename(L, -1));
    *(pod_buffer **)entry->into = pod_lua_check_buffer(L, -1);
}

pod_buffer **pod_lua_check_buffers(lua_State *L, int index, size_t *count)
{
    return pod_lua_check_array(L, index, sizeof(pod_buffer *), count, read_buffer, NULL);
}

/* dataset_from_slices(context, {buffer...}) */
static int from_slices(lua_State *L, pod_error *error)
{
    pod_context *context = pod_lua_check_context(L, 1);
    size_t count;
    pod_buffer **buffers = pod_lua_check_buffers(L, 2, &count);
    return pod_lua_results(pod_dataset_from_slices(context, buffers, count, pod_lua_new_dataset_box(L), error), 1);
}

/* dataset_from_buffers(context, {buffer...}) */
static int from_buffers(lua_State *L, pod_error *error)
{
    pod_context *context = pod_lua_check_context(L, 1);
    size_t count;
    pod_buffer **buffers = pod_lua_check_buffers(L, 2, &count);
    return pod_lua_results(pod_dataset_from_buffers(context, buffers, count, pod_lua_new_dataset_box(L), error), 1);
}

/* dataset_range(context, start, stop, step) */
static int range(lua_State *L, pod_error *error)
{
    pod_context *context = pod_lua_check_context(L, 1);
    int64_t start = pod_lua_check_any(L, 2, "start");
    int64_t stop = pod_lua_check_any(L, 3, "stop");
    int64_t step = pod_lua_check_any(L, 4, "step");
    return pod_lua_results(pod_dataset_range(context, start, stop, step, pod_lua_new_dataset_box(L), error), 1);
}

static void read_component(lua_State *L, const pod_lua_entry *entry)
{
    pod_component *component = entry->into;
    pod_lua_check_top(L, LUA_TTABLE, "a component");
    lua_getfield(L, -1, "dtype");
    component->dtype = pod_lua_check_dtype(L, -1);
    lua_getfield(L, -2, "shape");
    pod_lua_check_shape(L, -1, &component->shape);
    lua_getfield(L, -3, "text");
    component->text = lua_toboolean(L, -1);
    lua_pop(L, 3);
}

pod_component *pod_lua_check_components(lua_State *L, int index, size_t *count)
{
    return pod_lua_check_array(L, index, sizeof(pod_component), count, read_component, NULL);
}

/* ---- stages -------------------------------------------------------------------------------------------- */

/* dataset:batch(size, drop_remainder) */
static int dataset_batch(lua_State *L, pod_error *error)
{
    pod_dataset *input = pod_lua_check_dataset(L, 1);
    const pod_batch_options options = {.size = pod_lua_check_any(L, 2, "the batch size"),
                                       .drop_remainder = lua_toboolean(L, 3)};
    return pod_lua_results(pod_dataset_batch(input, &options, pod_lua_new_dataset_box(L), error), 1);
}

/* dataset:shuffle(buffer_size, seed, same_each_iteration) */
static int dataset_shuffle(lua_State *L, pod_error *error)
{
    pod_dataset *input = pod_lua_check_dataset(L, 1);
    const pod_shuffle_options options = {
        .buffer_size = pod_lua_check_any(L, 2, "the buffer size"),
        .seed = (uint64_t)pod_lua_check_any(L, 3, "seed"),
        .same_each_iteration = lua_toboolean(L, 4),
    };
    return pod_lua_results(pod_dataset_shuffle(input, &options, pod_lua_new_dataset_box(L), error), 1);
}

typedef pod_status (*counting_stage)(pod_dataset *input, int64_t count, pod_dataset **dataset, pod_error *error);

static int counting(lua_State *L, counting_stage stage, pod_error *error)
{
    pod_dataset *input = pod_lua_check_dataset(L, 1);
    const int64_t count = pod_lua_check_any(L, 2, "the count");
    return pod_lua_results(stage(input, count, pod_lua_new_dataset_box(L), error), 1);
}

/* dataset:repeat_(count) */
static int dataset_repeat(lua_State *L, pod_error *error)
{
    return counting(L, pod_dataset_repeat, error);
}

/* dataset:take(count) */
static int dataset_take(lua_State *L, pod_error *error)
{
    return counting(L, pod_dataset_take, error);
}

/* dataset:skip(count) */
static int dataset_skip(lua_State *L, pod_error *error)
{
    return counting(L, pod_dataset_skip, error);
}

/* dataset:prefetch(count) */
static int dataset_prefetch(lua_State *L, pod_error *error)
{
    return counting(L, pod_dataset_prefetch, error);
}

/* dataset:cache(path?, compression?): in a file when there is a path */
static int dataset_cache(lua_State *L, pod_error *error)
{
    pod_dataset *input = pod_lua_check_dataset(L, 1);
    const char *path = pod_lua_optional_text(L, 2, NULL);
    const char *compression = pod_lua_optional_text(L, 3, NULL);
    pod_dataset **box = pod_lua_new_dataset_box(L);
    return pod_lua_results(
        path ? pod_dataset_cache_file(input, path, compression, box, error) : pod_dataset_cache(input, box, error), 1);
}

/* dataset:snapshot(directory, compression?) */
static int dataset_snapshot(lua_State *L, pod_error *error)
{
    pod_dataset *input = pod_lua_check_dataset(L, 1);
    const char *directory = pod_lua_check_text(L, 2);
    const char *compression = pod_lua_optional_text(L, 3, NULL);
    return pod_lua_results(pod_dataset_snapshot(input, directory, compression, pod_lua_new_dataset_box(L), error), 1);
}

typedef pod_status (*mapping_stage)(pod_dataset *input, pod_graph *graph, pod_dataset **dataset, pod_error *error);

/* Takes the graph out of its userdata. */
static int mapping(lua_State *L, mapping_stage stage, pod_error *error)
{
    pod_dataset *input = pod_lua_check_dataset(L, 1);
    pod_dataset **box = pod_lua_new_dataset_box(L);
    pod_graph *graph = pod_lua_take_graph(L, 2, error);
    return graph ? pod_lua_results(stage(input, graph, box, error), 1) : error->status;
}

/* dataset:map(graph): the graph is taken */
static int dataset_map(lua_State *L, pod_error *error)
{
    return mapping(L, pod_dataset_map, error);
}

/* dataset:map_rows(graph): the graph is taken */
static int dataset_map_rows(lua_State *L, pod_error *error)
{
    return mapping(L, pod_dataset_map_rows, error);
}

static void push_component(lua_State *L, const void *components, size_t index)
{
    const pod_component *component = (const pod_component *)components + index;
    lua_createtable(L, 0, 3);
    pod_lua_set_text(L, "dtype", pod_dtype_name(component->dtype));
    pod_lua_set_shape(L, "shape", &component->shape);
    if (component->text)
        pod_lua_set_boolean(L, "text", true);
}

void pod_lua_push_components(lua_State *L, const pod_component *components, size_t count)
{
    pod_lua_push_array(L, count, push_component, components);
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
static int dataset_save(lua_State *L, pod_error *error)
{
    pod_dataset *dataset = pod_lua_check_dataset(L, 1);
    const char *path = pod_lua_check_text(L, 2), *note = pod_lua_check_text(L, 3);
    const char *compression = pod_lua_optional_text(L, 4, NULL);
    pod_lua_caller *caller = pod_lua_get_caller(L);
    lua_State *outer = caller->L;
    caller->L = L; /* generators of the dataset run in this coroutine */
    pod_status status = pod_dataset_save(dataset, path, compression, note, error);
    caller->L = outer;
    pod_lua_release_caller(caller);
    return status;
}

/* ---- the module ------------------------------------------------------------------------------------------ */

static const pod_lua_function dataset_methods[] = {{"batch", .failing = dataset_batch},
                                                   {"shuffle", .failing = dataset_shuffle},
                                                   {"repeat_", .failing = dataset_repeat},
                                                   {"take", .failing = dataset_take},
                                                   {"skip", .failing = dataset_skip},
                                                   {"prefetch", .failing = dataset_prefetch},
                                                   {"cache", .failing = dataset_cache},
                                                   {"snapshot", .failing = dataset_snapshot},
                                                   {"save", .failing = dataset_save},
                                                   {"map", .failing = dataset_map},
                                                   {"map_rows", .failing = dataset_map_rows},
                                                   {"components", .plain = dataset_components},
                                                   {"cardinality", .plain = dataset_cardinality},
                                                   {"stage", .plain = dataset_stage},
                                                   {"stages", .plain = dataset_stages},
                                                   {"input", .plain = dataset_input},
                                                   {"host_bytes", .plain = dataset_host_bytes},
                                                   {"needs_own_thread", .plain = dataset_needs_own_thread},
                                                   {0}};

/* dataset_load(context, path) -> dataset, note */
static int load(lua_State *L, pod_error *error)
{
    pod_context *context = pod_lua_check_context(L, 1);
    const char *path = pod_lua_check_text(L, 2);
    pod_lua_text *note = pod_lua_new_text(L, context);
    pod_dataset **box = pod_lua_new_dataset_box(L);
    pod_lua_check(L, pod_dataset_load(context, path, box, &note->text, error), error);
    (void)pod_lua_push_text(L, note, POD_OK);
    return 2;
}

static const pod_lua_function functions[] = {{"dataset_load", .failing = load},
                                             {"dataset_from_slices", .failing = from_slices},
                                             {"dataset_from_buffers", .failing = from_buffers},
                                             {"dataset_range", .failing = range},
                                             {0}};

const pod_lua_part pod_lua_dataset_part = {
    .functions = functions, .kind = &pod_lua_dataset_kind, .methods = dataset_methods, .open = make_caller};
