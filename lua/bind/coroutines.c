/*
 * coroutines - coroutines of Moonpod's own, which belong to no host: trainings in slices run in them.
 *
 * A host may have functions of its own in the table `coroutine`, and keep in each coroutine which of its requests it
 * works for (nginx does both). A coroutine of that kind ends with its request, and is resumed by the host alone. So
 * these are made, resumed and left by C, and know no request: what they call finds none either, and an error says so.
 */

#include "bind.h"

#include <stdbool.h>

/* Whose resume this is where the host looks on: the executable does, for Ctrl-C. */
#define RESUME "moonpod.resume"

#if LUA_VERSION_NUM < 502
/* Of OpenResty's LuaJIT alone: which request a coroutine works for. */
extern void lua_setexdata(lua_State *L, void *data) __attribute__((weak));
extern void lua_setexdata2(lua_State *L, void *data) __attribute__((weak));

/* A new coroutine has the globals and the request of the one that made it. */
static void disown(lua_State *co)
{
    if (lua_setexdata)
        lua_setexdata(co, NULL);
    if (lua_setexdata2)
        lua_setexdata2(co, NULL);
    lua_getfield(co, LUA_REGISTRYINDEX, "_LOADED");
    lua_getfield(co, -1, "_G");
    if (lua_istable(co, -1))
        lua_replace(co, LUA_GLOBALSINDEX);
    lua_settop(co, 0);
}

static int resume_with(lua_State *L, lua_State *co, int count, int *results)
{
    (void)L;
    const int status = lua_resume(co, count);
    *results = lua_gettop(co);
    return status;
}
#else
static void disown(lua_State *co)
{
    (void)co;
}

static int resume_with(lua_State *L, lua_State *co, int count, int *results)
{
#if LUA_VERSION_NUM >= 504
    return lua_resume(co, L, count, results);
#else
    const int status = lua_resume(co, L, count);
    *results = lua_gettop(co);
    return status;
#endif
}
#endif

static lua_State *check_coroutine(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTHREAD);
    return lua_tothread(L, 1);
}

/* new(function) */
static int coroutine_new(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TFUNCTION);
    lua_State *co = lua_newthread(L);
    disown(co);
    lua_pushvalue(L, 1);
    lua_xmove(L, co, 1);
    return 1;
}

static const char *status_of(lua_State *L, lua_State *co)
{
    lua_Debug record;
    if (L == co)
        return "running";
    if (lua_status(co) == LUA_YIELD)
        return "suspended";
    if (lua_status(co) != LUA_OK)
        return "dead";
    if (lua_getstack(co, 0, &record))
        return "normal";
    return lua_gettop(co) == 0 ? "dead" : "suspended";
}

/* status(coroutine), as Lua's own */
static int coroutine_status(lua_State *L)
{
    lua_pushstring(L, status_of(L, check_coroutine(L)));
    return 1;
}

/* resume(coroutine) -> true and what it yields or returns, or false and the error */
static int coroutine_resume(lua_State *L)
{
    lua_State *co = check_coroutine(L);
    int results;
    lua_settop(L, 1);
    lua_pushboolean(L, 0);
    if (status_of(L, co)[0] != 's') {
        lua_pushfstring(L, "cannot resume a coroutine that is %s", status_of(L, co));
        return 2;
    }
    const int status = resume_with(L, co, lua_status(co) == LUA_YIELD ? 0 : lua_gettop(co) - 1, &results);
    const bool failed = status != LUA_OK && status != LUA_YIELD;
    if (!lua_checkstack(L, results + 1)) {
        lua_pop(co, results);
        return luaL_error(L, "too many results of a coroutine");
    }
    lua_xmove(co, L, failed ? 1 : results);
    lua_pushboolean(L, !failed);
    lua_replace(L, 2);
    return failed ? 2 : results + 1;
}

/* yield(...) */
static int coroutine_yield(lua_State *L)
{
    return lua_yield(L, lua_gettop(L));
}

/* Not functions that the guard counts: what is closed in a coroutine need not wait until it pauses. */
static const luaL_Reg functions[] = {
    {"new", coroutine_new}, {"status", coroutine_status}, {"resume", coroutine_resume}, {"yield", coroutine_yield}};

void pod_lua_open_coroutines(lua_State *L)
{
    lua_createtable(L, 0, 4);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        lua_pushcfunction(L, functions[i].func);
        lua_setfield(L, -2, functions[i].name);
    }
    lua_getfield(L, LUA_REGISTRYINDEX, RESUME);
    if (lua_isfunction(L, -1))
        lua_setfield(L, -2, "resume");
    else
        lua_pop(L, 1);
    lua_setfield(L, -2, "coroutine");
}
