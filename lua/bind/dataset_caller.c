/* dataset_caller - the one of a state, which its registry keeps, that callbacks of datasets ask for its coroutine. */

#include "dataset_access.h"

#include <stdlib.h>
#include <string.h>

#define CALLER "moonpod.source.caller"

pod_status pod_lua_refuse(pod_error *error, pod_status status, const char *message)
{
    error->status = status;
    strncpy(error->message, message, sizeof error->message - 1);
    error->message[sizeof error->message - 1] = '\0';
    return status;
}

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

void pod_lua_open_dataset_caller(lua_State *L)
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
