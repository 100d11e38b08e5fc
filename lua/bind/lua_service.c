/* lua_service - the data service: dispatchers, workers and the datasets that they make. */

#include "dataset_access.h"

#include <moonpod/service.h>

static void end_dispatcher(void *dispatcher)
{
    pod_service_dispatcher_close(dispatcher);
}

static void end_worker(void *worker)
{
    pod_service_worker_close(worker);
}

static const pod_lua_kind dispatcher_kind = {"moonpod.dispatcher", "dispatcher", .end = end_dispatcher};
static const pod_lua_kind worker_kind = {"moonpod.service_worker", "worker of the data service", .end = end_worker};

/* Returns the text in a field of the table at `table`, NULL where there is none; it stays on the stack. */
static const char *text_field(lua_State *L, int table, const char *name)
{
    lua_getfield(L, table, name);
    return pod_lua_optional_text(L, lua_gettop(L), NULL);
}

/* service_dispatcher(context, {address =, state =, keys =}) -> dispatcher */
static int open_dispatcher(lua_State *L, pod_error *error)
{
    pod_context *context = pod_lua_check_context(L, 1);
    luaL_checktype(L, 2, LUA_TTABLE);
    const pod_dispatcher_options options = {
        .address = text_field(L, 2, "address"), .state = text_field(L, 2, "state"), .keys = text_field(L, 2, "keys")};
    return pod_lua_results(pod_service_dispatcher_open(context, &options, pod_lua_new_box(L, &dispatcher_kind), error),
                           1);
}

/* service_worker(context, {dispatcher =, address =, keys =, files =}) -> worker */
static int open_worker(lua_State *L, pod_error *error)
{
    pod_context *context = pod_lua_check_context(L, 1);
    luaL_checktype(L, 2, LUA_TTABLE);
    const pod_worker_options options = {.dispatcher = text_field(L, 2, "dispatcher"),
                                        .address = text_field(L, 2, "address"),
                                        .keys = text_field(L, 2, "keys"),
                                        .files = text_field(L, 2, "files")};
    return pod_lua_results(pod_service_worker_open(context, &options, pod_lua_new_box(L, &worker_kind), error), 1);
}

/* dispatcher:listens_at() -> its address */
static int dispatcher_address(lua_State *L)
{
    lua_pushstring(L, pod_service_dispatcher_address(pod_lua_check_open(L, 1, &dispatcher_kind)));
    return 1;
}

/* worker:listens_at() -> its address */
static int worker_address(lua_State *L)
{
    lua_pushstring(L, pod_service_worker_address(pod_lua_check_open(L, 1, &worker_kind)));
    return 1;
}

/* service_keys(context, folder) */
static int new_keys(lua_State *L, pod_error *error)
{
    return pod_lua_results(pod_service_keys_new(pod_lua_check_context(L, 1), pod_lua_check_text(L, 2), error), 0);
}

/* service_wait(until the standard input ends) */
static int wait_for_end(lua_State *L)
{
    pod_service_wait(lua_toboolean(L, 1));
    return 0;
}

static const char *const modes[] = {"distributed_epoch", "parallel_epochs", NULL};
static const char *const shardings[] = {"element", "file", "block", NULL};
static const char *const assignments[] = {"dynamic", "static", NULL};

/* dataset:distribute({service =, mode =, ...}): see pod_distribute_options */
static int distribute(lua_State *L, pod_error *error)
{
#define FIELD(member) POD_LUA_FIELD(pod_distribute_options, member)
    static const pod_lua_field fields[] = {FIELD(split_size),    FIELD(in_order),       FIELD(consumer_index),
                                           FIELD(num_consumers), FIELD(target_workers), FIELD(workers),
                                           FIELD(stages_here),   FIELD(no_autotune),    {0}};
    pod_dataset *input = pod_lua_check_dataset(L, 1);
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_settop(L, 2);
    pod_distribute_options options = {.service = text_field(L, 2, "service"),
                                      .job_name = text_field(L, 2, "job_name"),
                                      .keys = text_field(L, 2, "keys"),
                                      .compression = text_field(L, 2, "compression"),
                                      .program = text_field(L, 2, "program"),
                                      .files = text_field(L, 2, "files")};
    lua_getfield(L, 2, "mode");
    options.mode = (pod_service_mode)pod_lua_check_name(L, lua_gettop(L), "mode", modes);
    lua_getfield(L, 2, "sharding");
    options.sharding = (pod_service_sharding)pod_lua_check_name(L, lua_gettop(L), "sharding", shardings);
    lua_getfield(L, 2, "assignment");
    options.assignment = (pod_service_assignment)pod_lua_check_name(L, lua_gettop(L), "assignment", assignments);
    pod_lua_read_fields(L, 2, &options, fields);
    return pod_lua_results(pod_dataset_distribute(input, &options, pod_lua_new_dataset_box(L), error), 1);
}

static const pod_lua_function functions[] = {{"service_dispatcher", .failing = open_dispatcher},
                                             {"service_worker", .failing = open_worker},
                                             {"service_keys", .failing = new_keys},
                                             {"service_wait", .plain = wait_for_end},
                                             {0}};
static const pod_lua_function dispatcher_methods[] = {{"listens_at", .plain = dispatcher_address}, {0}};
static const pod_lua_function worker_methods[] = {{"listens_at", .plain = worker_address}, {0}};
static const pod_lua_function dataset_methods[] = {{"distribute", .failing = distribute}, {0}};

const pod_lua_part pod_lua_service_part = {.functions = functions,
                                           .kind = &dispatcher_kind,
                                           .methods = dispatcher_methods,
                                           .of = &pod_lua_dataset_kind,
                                           .more = dataset_methods};
const pod_lua_part pod_lua_service_worker_part = {.kind = &worker_kind, .methods = worker_methods};
