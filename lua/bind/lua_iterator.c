/* lua_iterator - iterators of chains of input stages. */

#include "dataset_access.h"

#include <string.h>

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
    iterator_box *box = luaL_checkudata(L, 1, "moonpod.iterator");
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

static const pod_lua_kind iterator_kind = {"moonpod.iterator", "iterator", .size = sizeof(iterator_box),
                                           .place = offsetof(iterator_box, iterator), .close = iterator_close};

static iterator_box *check_iterator(lua_State *L)
{
    (void)pod_lua_check_open(L, 1, &iterator_kind);
    return lua_touserdata(L, 1);
}

/* Reads the fields of pod_iterator_options, or nil. */
static pod_iterator_options check_options(lua_State *L, int index)
{
#define OPTION(member) POD_LUA_FIELD(pod_iterator_options, member)
    static const pod_lua_field fields[] = {
        OPTION(epoch),      OPTION(repetition), OPTION(skip),        OPTION(file_shards),
        OPTION(file_shard), OPTION(cpu_budget), OPTION(ram_budget),  OPTION(at_marks),
        OPTION(no_threads), OPTION(unordered),  OPTION(no_autotune), {0},
    };
    pod_iterator_options options = {0};
    if (lua_isnoneornil(L, index))
        return options;
    luaL_checktype(L, index, LUA_TTABLE);
    pod_lua_read_fields(L, index, &options, fields);
    luaL_argcheck(L, options.epoch >= 0, index, "epochs count from 1");
    luaL_argcheck(L, options.skip >= 0, index, "the elements to skip are at least 0");
    return options;
}

/* dataset:iterator(options?): see check_options(). The caller keeps the sources of all generators in the chain */
static int dataset_iterator(lua_State *L, pod_error *error)
{
    pod_dataset *dataset = pod_lua_check_dataset(L, 1);
    const pod_iterator_options options = check_options(L, 2);
    iterator_box *box = pod_lua_new_box(L, &iterator_kind);
    box->infeed = (pod_infeed){.next = closed_next};
    box->caller = pod_lua_get_caller(L);
    const stay here = enter(box->caller, L);
    pod_status status = pod_dataset_iterator_open(dataset, &options, &box->iterator, error);
    leave(here);
    pod_lua_check(L, status, error);
    box->infeed = pod_dataset_iterator_infeed(box->iterator);
    box->width = pod_dataset_component_count(dataset);
    int64_t bytes = pod_dataset_host_bytes(dataset);
    pod_lua_charge(L, NULL, bytes > 0 ? (size_t)bytes : 0);
    return 1;
}

/* iterator:next() -> a buffer a component, or nil at the end */
static int iterator_next(lua_State *L, pod_error *error)
{
    iterator_box *box = check_iterator(L);
    pod_buffer *components[POD_MAX_COMPONENTS];
    pod_buffer **boxes[POD_MAX_COMPONENTS];
    luaL_checkstack(L, (int)box->width + 8, "components of an element");
    for (size_t i = 0; i < box->width; i++) /* may raise: so before there is an element to lose */
        boxes[i] = pod_lua_new_buffer_box(L);
    box = check_iterator(L); /* a finaliser may have closed it */
    const stay here = enter(box->caller, L);
    pod_status status = pod_dataset_iterator_next(box->iterator, components, error);
    leave(here);
    pod_lua_check(L, status, error);
    if (status == POD_END) {
        lua_pushnil(L);
        return 1;
    }
    size_t bytes = 0;
    for (size_t i = 0; i < box->width; i++) {
        *boxes[i] = components[i];
        bytes += pod_buffer_bytes(components[i]);
    }
    pod_lua_charge(L, NULL, bytes);
    return (int)box->width;
}

/* iterator:peek() -> {{dtype =, shape =}...} of the next element, or nil at the end */
static int iterator_peek(lua_State *L, pod_error *error)
{
    iterator_box *box = check_iterator(L);
    pod_component components[POD_MAX_COMPONENTS];
    const stay here = enter(box->caller, L);
    pod_status status = pod_dataset_iterator_peek(box->iterator, components, error);
    leave(here);
    pod_lua_check(L, status, error);
    if (status == POD_END)
        lua_pushnil(L);
    else
        pod_lua_push_components(L, components, box->width);
    return 1;
}

/* iterator:prepare(count, nanoseconds?) -> how many elements are ready, whether the data has ended and there are none
 */
static int iterator_prepare(lua_State *L, pod_error *error)
{
    iterator_box *box = check_iterator(L);
    const int64_t count = pod_lua_check_within(L, 2, "the count", 0, 1 << 20);
    const int64_t time = lua_isnoneornil(L, 3) ? 0 : pod_lua_check_within(L, 3, "the time", 0, INT64_MAX);
    size_t ready;
    const stay here = enter(box->caller, L);
    pod_status status =
        time > 0 ? pod_dataset_iterator_prepare_for(box->iterator, (size_t)count, (uint64_t)time, &ready, error)
                 : pod_dataset_iterator_prepare(box->iterator, (size_t)count, &ready, error);
    leave(here);
    pod_lua_check(L, status, error);
    lua_pushinteger(L, (lua_Integer)ready);
    lua_pushboolean(L, ready == 0 && (time == 0 || status == POD_END));
    return 2;
}

/* iterator:rewind() */
static int iterator_rewind(lua_State *L, pod_error *error)
{
    iterator_box *box = check_iterator(L);
    const stay here = enter(box->caller, L);
    pod_status status = pod_dataset_iterator_rewind(box->iterator, error);
    leave(here);
    return status;
}

/* iterator:cancel() */
static int iterator_cancel(lua_State *L)
{
    pod_dataset_iterator_cancel(check_iterator(L)->iterator);
    return 0;
}

/* iterator:state(context) -> bytes that tell where it is */
static int iterator_state(lua_State *L, pod_error *error)
{
    pod_dataset_iterator *iterator = check_iterator(L)->iterator;
    pod_context *context = pod_lua_check_context(L, 2);
    pod_lua_text *state = pod_lua_new_text(L, context);
    return pod_lua_push_text(L, state, pod_dataset_iterator_get_state(iterator, &state->bytes, error));
}

/* iterator:restore(bytes): goes to where another was */
static int iterator_restore(lua_State *L, pod_error *error)
{
    size_t size;
    const char *bytes = luaL_checklstring(L, 2, &size);
    iterator_box *box = check_iterator(L);
    const stay here = enter(box->caller, L);
    pod_status status = pod_dataset_iterator_set_state(box->iterator, bytes, size, error);
    leave(here);
    return status;
}

/* iterator:save(path) */
static int iterator_save(lua_State *L, pod_error *error)
{
    const char *path = pod_lua_check_text(L, 2);
    return pod_dataset_iterator_save(check_iterator(L)->iterator, path, error);
}

/* iterator:load(path) */
static int iterator_load(lua_State *L, pod_error *error)
{
    const char *path = pod_lua_check_text(L, 2);
    iterator_box *box = check_iterator(L);
    const stay here = enter(box->caller, L);
    pod_status status = pod_dataset_iterator_load(box->iterator, path, error);
    leave(here);
    return status;
}

/* iterator:stats() -> {elements =, epoch =, position =, waited =, seconds_waited =, prefetch_buffer =} */
static int iterator_stats(lua_State *L)
{
#define STAT(member) POD_LUA_FIELD(pod_iterator_stats, member)
    static const pod_lua_field fields[] = {
        STAT(elements), STAT(epoch), STAT(position), STAT(waited), STAT(seconds_waited), STAT(prefetch_buffer), {0},
    };
    const pod_iterator_stats stats = pod_dataset_iterator_get_stats(check_iterator(L)->iterator);
    lua_createtable(L, 0, 6);
    pod_lua_set_fields(L, &stats, fields);
    return 1;
}

static void push_stage(lua_State *L, const void *stages, size_t index)
{
#define STAGE(member) POD_LUA_FIELD(pod_stage_stats, member)
    static const pod_lua_field fields[] = {
        STAGE(elements),       STAGE(seconds_busy),
        STAGE(seconds_waited), STAGE(threads),
        STAGE(queue_count),    STAGE(queue_size),
        STAGE(queue_bytes),    STAGE(tunes_threads),
        STAGE(tunes_queue),    STAGE(received_bytes),
        STAGE(workers),        STAGE(seconds_held),
        STAGE(seconds_idle),   {0},
    };
    const pod_stage_stats *stats = (const pod_stage_stats *)stages + index;
    lua_createtable(L, 0, 15);
    pod_lua_set_text(L, "stage", pod_dataset_stage_name(stats->dataset));
    pod_lua_set_fields(L, stats, fields);
    if (stats->cut[0] != '\0')
        pod_lua_set_text(L, "cut", stats->cut);
}

#define MOST_STAGES 256

/* iterator:stage_stats() -> array of the stages, first to last (see pod_stage_stats), seconds */
static int iterator_stage_stats(lua_State *L)
{
    double seconds;
    pod_stage_stats *stats = pod_lua_new_array(L, MOST_STAGES, sizeof *stats);
    iterator_box *box = check_iterator(L);
    size_t count = pod_dataset_iterator_get_stage_stats(box->iterator, stats, MOST_STAGES, &seconds);
    count = count < MOST_STAGES ? count : MOST_STAGES;
    pod_lua_push_array(L, count, push_stage, stats);
    lua_pushnumber(L, seconds);
    return 2;
}

static const pod_lua_function iterator_methods[] = {{"next", .failing = iterator_next},
                                                    {"peek", .failing = iterator_peek},
                                                    {"prepare", .failing = iterator_prepare},
                                                    {"rewind", .failing = iterator_rewind},
                                                    {"cancel", .plain = iterator_cancel},
                                                    {"stats", .plain = iterator_stats},
                                                    {"stage_stats", .plain = iterator_stage_stats},
                                                    {"state", .failing = iterator_state},
                                                    {"restore", .failing = iterator_restore},
                                                    {"save", .failing = iterator_save},
                                                    {"load", .failing = iterator_load},
                                                    {0}};

static const pod_lua_function of_datasets[] = {{"iterator", .failing = dataset_iterator}, {0}};

static void mark_infeed(lua_State *L)
{
    luaL_getmetatable(L, iterator_kind.name);
    pod_lua_set_boolean(L, "__infeed", true);
    lua_pop(L, 1);
}

const pod_lua_part pod_lua_iterator_part = {.kind = &iterator_kind,
                                            .methods = iterator_methods,
                                            .of = &pod_lua_dataset_kind,
                                            .more = of_datasets,
                                            .open = mark_infeed};
