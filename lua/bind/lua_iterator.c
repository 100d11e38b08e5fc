/* lua_iterator - iterators of chains of input stages. */

#include "dataset_access.h"

#include <string.h>

#define ITERATOR "moonpod.iterator"

/* The infeed comes first: that is how programs take it (see bind.h). */
typedef struct iterator_box {
    pod_infeed infeed;
    pod_dataset_iterator *iterator;
    size_t width;
    pod_lua_caller *caller; /* shared: which coroutine callbacks run in */
} iterator_box;

static pod_status closed_next(void *context, pod_buffer **slots, size_t count, pod_error *error)
{
    (void)context;
    (void)slots;
    (void)count;
    return pod_lua_refuse(error, POD_ERROR_STATE, "the iterator is closed");
}

/* Lets callbacks run in this coroutine until leave(), whatever becomes of the iterator meanwhile. */
typedef struct stay {
    pod_lua_caller *caller; /* shared */
    lua_State *outer;
} stay;

static stay enter(pod_lua_caller *caller, lua_State *L)
{
    atomic_fetch_add(&caller->shares, 1);
    const stay here = {caller, caller->L};
    caller->L = L;
    return here;
}

static void leave(stay here)
{
    here.caller->L = here.outer;
    pod_lua_release_caller(here.caller);
}

static iterator_box *check_iterator(lua_State *L, int index)
{
    iterator_box *box = luaL_checkudata(L, index, ITERATOR);
    luaL_argcheck(L, box->iterator, index, "the iterator is closed");
    return box;
}

static bool option_is_set(lua_State *L, int index, const char *name)
{
    lua_getfield(L, index, name);
    bool set = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return set;
}

/* Reads {epoch =, repetition =, skip =, file_shards =, file_shard =, at_marks =, no_threads =, unordered =, no_autotune
 * =, cpu_budget =, ram_budget =} or nil. */
static pod_iterator_options check_options(lua_State *L, int index)
{
    pod_iterator_options options = {0};
    if (lua_isnoneornil(L, index))
        return options;
    luaL_checktype(L, index, LUA_TTABLE);
    options.epoch = pod_lua_check_any_field(L, index, "epoch");
    options.repetition = pod_lua_check_any_field(L, index, "repetition");
    options.skip = pod_lua_check_any_field(L, index, "skip");
    options.file_shards = pod_lua_check_any_field(L, index, "file_shards");
    options.file_shard = pod_lua_check_any_field(L, index, "file_shard");
    luaL_argcheck(L, options.epoch >= 0, index, "epochs count from 1");
    luaL_argcheck(L, options.skip >= 0, index, "the elements to skip are at least 0");
    options.cpu_budget = pod_lua_check_any_field(L, index, "cpu_budget");
    options.ram_budget = pod_lua_check_any_field(L, index, "ram_budget");
    options.at_marks = option_is_set(L, index, "at_marks");
    options.no_threads = option_is_set(L, index, "no_threads");
    options.unordered = option_is_set(L, index, "unordered");
    options.no_autotune = option_is_set(L, index, "no_autotune");
    return options;
}

/* dataset:iterator(options?): see check_options(). The caller keeps the sources of all generators in the chain */
static int dataset_iterator(lua_State *L)
{
    pod_dataset *dataset = pod_lua_check_dataset(L, 1);
    const pod_iterator_options options = check_options(L, 2);
    iterator_box *box = pod_lua_newuserdata(L, sizeof *box);
    memset(box, 0, sizeof *box);
    box->infeed = (pod_infeed){.next = closed_next};
    pod_lua_setmetatable(L, ITERATOR);
    box->caller = pod_lua_get_caller(L);
    pod_error error;
    const stay here = enter(box->caller, L);
    pod_status status = pod_dataset_iterator_open(dataset, &options, &box->iterator, &error);
    leave(here);
    pod_lua_check(L, status, &error);
    box->infeed = pod_dataset_iterator_infeed(box->iterator);
    box->width = pod_dataset_component_count(dataset);
    int64_t bytes = pod_dataset_host_bytes(dataset);
    pod_lua_charge(L, bytes > 0 ? (size_t)bytes : 0);
    return 1;
}

static void end_caller(void *caller)
{
    pod_lua_release_caller(caller);
}

static void end_iterator(void *iterator)
{
    pod_dataset_iterator_close(iterator);
}

/* Generators that are in a pass learn of its end only while Lua runs; those of a collected iterator do
 * not. */
static int iterator_close(lua_State *L)
{
    iterator_box *box = luaL_checkudata(L, 1, ITERATOR);
    pod_lua_caller *caller = box->caller;
    pod_dataset_iterator *iterator = box->iterator;
    box->caller = NULL;
    box->iterator = NULL;
    box->infeed = (pod_infeed){.next = closed_next};
    if (!caller)
        return 0;
    const stay here = enter(caller, NULL);
    pod_lua_end(L, end_iterator, iterator);
    leave(here);
    pod_lua_end(L, end_caller, caller);
    return 0;
}

static int iterator_tostring(lua_State *L)
{
    iterator_box *box = luaL_checkudata(L, 1, ITERATOR);
    lua_pushstring(L, box->iterator ? "moonpod.iterator" : "moonpod.iterator (closed)");
    return 1;
}

/* iterator:next() -> a buffer a component, or nil at the end */
static int iterator_next(lua_State *L)
{
    iterator_box *box = check_iterator(L, 1);
    pod_buffer *components[POD_MAX_COMPONENTS];
    pod_buffer **boxes[POD_MAX_COMPONENTS];
    pod_error error;
    luaL_checkstack(L, (int)box->width + 8, "components of an element");
    for (size_t i = 0; i < box->width; i++) /* may raise: so before there is an element to lose */
        boxes[i] = pod_lua_new_buffer_box(L);
    box = check_iterator(L, 1); /* a finaliser may have closed it */
    const stay here = enter(box->caller, L);
    pod_status status = pod_dataset_iterator_next(box->iterator, components, &error);
    leave(here);
    pod_lua_check(L, status, &error);
    if (status == POD_END) {
        lua_pushnil(L);
        return 1;
    }
    size_t bytes = 0;
    for (size_t i = 0; i < box->width; i++) {
        *boxes[i] = components[i];
        bytes += pod_buffer_bytes(components[i]);
    }
    pod_lua_charge(L, bytes);
    return (int)box->width;
}

/* iterator:peek() -> {{dtype =, shape =}...} of the next element, or nil at the end */
static int iterator_peek(lua_State *L)
{
    iterator_box *box = check_iterator(L, 1);
    pod_component components[POD_MAX_COMPONENTS];
    pod_error error;
    const stay here = enter(box->caller, L);
    pod_status status = pod_dataset_iterator_peek(box->iterator, components, &error);
    leave(here);
    pod_lua_check(L, status, &error);
    if (status == POD_END)
        lua_pushnil(L);
    else
        pod_lua_push_components(L, components, box->width);
    return 1;
}

/* iterator:prepare(count, nanoseconds?) -> how many elements are ready, whether the data has ended and there are none
 */
static int iterator_prepare(lua_State *L)
{
    iterator_box *box = check_iterator(L, 1);
    const int64_t count = pod_lua_check_within(L, 2, "the count", 0, 1 << 20);
    const int64_t time = lua_isnoneornil(L, 3) ? 0 : pod_lua_check_within(L, 3, "the time", 0, INT64_MAX);
    size_t ready;
    pod_error error;
    const stay here = enter(box->caller, L);
    pod_status status =
        time > 0 ? pod_dataset_iterator_prepare_for(box->iterator, (size_t)count, (uint64_t)time, &ready, &error)
                 : pod_dataset_iterator_prepare(box->iterator, (size_t)count, &ready, &error);
    leave(here);
    pod_lua_check(L, status, &error);
    lua_pushinteger(L, (lua_Integer)ready);
    lua_pushboolean(L, ready == 0 && (time == 0 || status == POD_END));
    return 2;
}

/* iterator:rewind() */
static int iterator_rewind(lua_State *L)
{
    iterator_box *box = check_iterator(L, 1);
    pod_error error;
    const stay here = enter(box->caller, L);
    pod_status status = pod_dataset_iterator_rewind(box->iterator, &error);
    leave(here);
    pod_lua_check(L, status, &error);
    return 0;
}

/* iterator:cancel() */
static int iterator_cancel(lua_State *L)
{
    pod_dataset_iterator_cancel(check_iterator(L, 1)->iterator);
    return 0;
}

/* iterator:state(context) -> bytes that tell where it is */
static int iterator_state(lua_State *L)
{
    iterator_box *box = check_iterator(L, 1);
    pod_context *context = pod_lua_check_context(L, 2);
    pod_lua_text *state = pod_lua_new_text(L, context);
    pod_error error;
    pod_lua_check(L, pod_dataset_iterator_get_state(box->iterator, &state->bytes, &error), &error);
    return pod_lua_push_text(L, state);
}

/* iterator:restore(bytes): goes to where another was */
static int iterator_restore(lua_State *L)
{
    size_t size;
    const char *bytes = luaL_checklstring(L, 2, &size);
    iterator_box *box = check_iterator(L, 1);
    pod_error error;
    const stay here = enter(box->caller, L);
    pod_status status = pod_dataset_iterator_set_state(box->iterator, bytes, size, &error);
    leave(here);
    pod_lua_check(L, status, &error);
    return 0;
}

/* iterator:save(path) */
static int iterator_save(lua_State *L)
{
    const char *path = pod_lua_check_text(L, 2);
    pod_error error;
    pod_lua_check(L, pod_dataset_iterator_save(check_iterator(L, 1)->iterator, path, &error), &error);
    return 0;
}

/* iterator:load(path) */
static int iterator_load(lua_State *L)
{
    const char *path = pod_lua_check_text(L, 2);
    iterator_box *box = check_iterator(L, 1);
    pod_error error;
    const stay here = enter(box->caller, L);
    pod_status status = pod_dataset_iterator_load(box->iterator, path, &error);
    leave(here);
    pod_lua_check(L, status, &error);
    return 0;
}

/* iterator:stats() -> {elements =, epoch =, position =, waited =, seconds_waited =, prefetch_buffer =} */
static int iterator_stats(lua_State *L)
{
    const pod_iterator_stats stats = pod_dataset_iterator_get_stats(check_iterator(L, 1)->iterator);
    lua_createtable(L, 0, 5);
    pod_lua_push_int64(L, (int64_t)stats.elements);
    lua_setfield(L, -2, "elements");
    pod_lua_push_int64(L, stats.epoch);
    lua_setfield(L, -2, "epoch");
    pod_lua_push_int64(L, stats.position);
    lua_setfield(L, -2, "position");
    pod_lua_push_int64(L, (int64_t)stats.waited);
    lua_setfield(L, -2, "waited");
    lua_pushnumber(L, stats.seconds_waited);
    lua_setfield(L, -2, "seconds_waited");
    pod_lua_push_int64(L, stats.prefetch_buffer);
    lua_setfield(L, -2, "prefetch_buffer");
    return 1;
}

static void push_stage(lua_State *L, const pod_stage_stats *stats)
{
    lua_createtable(L, 0, 11);
    lua_pushstring(L, pod_dataset_stage_name(stats->dataset));
    lua_setfield(L, -2, "stage");
    pod_lua_push_int64(L, (int64_t)stats->elements);
    lua_setfield(L, -2, "elements");
    lua_pushnumber(L, stats->seconds_busy);
    lua_setfield(L, -2, "seconds_busy");
    lua_pushnumber(L, stats->seconds_waited);
    lua_setfield(L, -2, "seconds_waited");
    pod_lua_push_int64(L, stats->threads);
    lua_setfield(L, -2, "threads");
    pod_lua_push_int64(L, stats->queue_count);
    lua_setfield(L, -2, "queue_count");
    pod_lua_push_int64(L, stats->queue_size);
    lua_setfield(L, -2, "queue_size");
    pod_lua_push_int64(L, stats->queue_bytes);
    lua_setfield(L, -2, "queue_bytes");
    lua_pushboolean(L, stats->tunes_threads);
    lua_setfield(L, -2, "tunes_threads");
    lua_pushboolean(L, stats->tunes_queue);
    lua_setfield(L, -2, "tunes_queue");
}

#define MOST_STAGES 256

/* iterator:stage_stats() -> array of the stages, first to last (see pod_stage_stats), seconds */
static int iterator_stage_stats(lua_State *L)
{
    double seconds;
    pod_stage_stats *stats = pod_lua_new_array(L, MOST_STAGES, sizeof *stats);
    iterator_box *box = check_iterator(L, 1);
    size_t count = pod_dataset_iterator_get_stage_stats(box->iterator, stats, MOST_STAGES, &seconds);
    count = count < MOST_STAGES ? count : MOST_STAGES;
    lua_createtable(L, (int)count, 0);
    for (size_t i = 0; i < count; i++) {
        push_stage(L, &stats[i]);
        lua_rawseti(L, -2, (int)i + 1);
    }
    lua_pushnumber(L, seconds);
    return 2;
}

static const luaL_Reg iterator_methods[] = {{"next", iterator_next},
                                            {"peek", iterator_peek},
                                            {"prepare", iterator_prepare},
                                            {"rewind", iterator_rewind},
                                            {"cancel", iterator_cancel},
                                            {"stats", iterator_stats},
                                            {"stage_stats", iterator_stage_stats},
                                            {"state", iterator_state},
                                            {"restore", iterator_restore},
                                            {"save", iterator_save},
                                            {"load", iterator_load},
                                            {NULL, NULL}};

static const luaL_Reg of_datasets[] = {{"iterator", dataset_iterator}, {NULL, NULL}};

void pod_lua_open_iterator(lua_State *L)
{
    pod_lua_add_methods(L, POD_LUA_DATASET, of_datasets);
    pod_lua_new_metatable(L, ITERATOR, iterator_methods, iterator_close, iterator_tostring);
    luaL_getmetatable(L, ITERATOR);
    lua_pushboolean(L, 1);
    lua_setfield(L, -2, "__infeed");
    lua_pop(L, 1);
}
