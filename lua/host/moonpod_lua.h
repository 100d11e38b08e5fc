#ifndef MOONPOD_LUA_H
#define MOONPOD_LUA_H

/*
 * moonpod_lua - the module in the Lua states of a host, as many as it likes. Header-only, for Lua 5.1,
 * LuaJIT, 5.2, 5.3, 5.4: the host brings its own Lua, and its functions must be seen by modules (a shared liblua, or
 * -rdynamic).
 *
 *     lua_State *L = luaL_newstate();
 *     luaL_openlibs(L);
 *     if (pod_open(L) != 0)
 *         fprintf(stderr, "%s\n", lua_tostring(L, -1));
 *     lua_setglobal(L, "pod");
 *
 * States are independent: each has its own context, threads, seeds and memory, which lua_close() gives back. A state is
 * for one thread at a time; several states may be used at once. No state is told of the others, and none may be closed
 * from within a call of its own. In C++ include this within extern "C".
 */

#include <lauxlib.h>
#include <lua.h>

#ifdef LUA_VERSION_MAJOR
#define POD_LUA_FOLDER LUA_VERSION_MAJOR "." LUA_VERSION_MINOR
#else
#define POD_LUA_FOLDER "5.1"
#endif

static int pod_open_protected(lua_State *L)
{
    lua_getglobal(L, "require");
    if (!lua_isfunction(L, -1))
        return luaL_error(L, "pod_open: the state has no require; open the library 'package' first: luaL_openlibs()");
    lua_pushliteral(L, "moonpod");
    lua_call(L, 1, 1);
    return 1;
}

/* Sets a state up: finds the module where package.path and package.cpath say, and loads it. Returns 0 with the table of
 * the module on top of the stack, else Lua's status with a message there. Raises nothing but what lua_checkstack() of
 * three slots does; a second call gives the same table. */
static inline int pod_open(lua_State *L)
{
    lua_pushcfunction(L, pod_open_protected);
    return lua_pcall(L, 0, 1, 0);
}

static int pod_add_prefix_protected(lua_State *L)
{
    const char *prefix = lua_tostring(L, 1);
    lua_getglobal(L, "package");
    lua_getfield(L, -1, "path");
    lua_pushfstring(L, "%s/share/lua/" POD_LUA_FOLDER "/?.lua;%s/share/lua/" POD_LUA_FOLDER "/?/init.lua;%s", prefix,
                    prefix, lua_tostring(L, -1));
    lua_setfield(L, -3, "path");
    lua_getfield(L, -2, "cpath");
    lua_pushfstring(L, "%s/lib/lua/" POD_LUA_FOLDER "/?.so;%s", prefix, lua_tostring(L, -1));
    lua_setfield(L, 2, "cpath");
    return 0;
}

/* Before pod_open(): where Moonpod was installed, if not where Lua looks: a host that brings it along. Returns 0, else
 * Lua's status with a message on top of the stack. */
static inline int pod_add_prefix(lua_State *L, const char *prefix)
{
    lua_pushcfunction(L, pod_add_prefix_protected);
    lua_pushstring(L, prefix);
    return lua_pcall(L, 1, 0, 0);
}

#endif
