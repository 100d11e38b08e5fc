#ifndef POD_BIND_LCOMPAT_H
#define POD_BIND_LCOMPAT_H

/*
 * One source for Lua 5.1, LuaJIT and Lua 5.2 to 5.4: what the bindings use of the newer C API, written for
 * the older ones. Names of our own are mapped over the official ones, so that a Lua that has some of
 * them (LuaJIT) does not clash.
 */

#include <lauxlib.h>
#include <lua.h>

#include <stdint.h>

#if LUA_VERSION_NUM < 502

#define lua_absindex(L, index) ((index) > 0 || (index) <= LUA_REGISTRYINDEX ? (index) : lua_gettop(L) + (index) + 1)
#define lua_rawlen(L, index)   lua_objlen(L, index)
#define LUA_OK                 0

static inline void *pod_compat_testudata(lua_State *L, int index, const char *name)
{
    void *box = lua_touserdata(L, index);
    if (!box || !lua_getmetatable(L, index))
        return NULL;
    lua_getfield(L, LUA_REGISTRYINDEX, name);
    int same = lua_rawequal(L, -1, -2);
    lua_pop(L, 2);
    return same ? box : NULL;
}
#define pod_lua_testudata(L, index, name) pod_compat_testudata(L, index, name)

static inline void pod_compat_setmetatable(lua_State *L, const char *name)
{
    luaL_getmetatable(L, name);
    lua_setmetatable(L, -2);
}
#define pod_lua_setmetatable(L, name) pod_compat_setmetatable(L, name)

#else

#define pod_lua_testudata(L, index, name) luaL_testudata(L, index, name)
#define pod_lua_setmetatable(L, name)     luaL_setmetatable(L, name)

#endif

#if LUA_VERSION_NUM < 503
#define lua_isinteger(L, index) 0
#endif

#if LUA_VERSION_NUM >= 504
#define pod_lua_newuserdata(L, size) lua_newuserdatauv(L, size, 0)
#else
#define pod_lua_newuserdata(L, size) lua_newuserdata(L, size)
#endif

/* Pushes a userdata that can keep a table. */
static inline void *pod_lua_newuserdata_for_table(lua_State *L, size_t size)
{
#if LUA_VERSION_NUM >= 504
    return lua_newuserdatauv(L, size, 1);
#else
    return lua_newuserdata(L, size);
#endif
}

/* Pops a table, which such a userdata keeps from now on. */
static inline void pod_lua_set_kept_table(lua_State *L, int index)
{
#if LUA_VERSION_NUM >= 504
    lua_setiuservalue(L, index, 1);
#elif LUA_VERSION_NUM >= 502
    lua_setuservalue(L, index);
#else
    lua_setfenv(L, index);
#endif
}

/* Pushes a userdata that keeps a table: the one on top of the stack, which it replaces. */
static inline void *pod_lua_newuserdata_with_table(lua_State *L, size_t size)
{
    void *box = pod_lua_newuserdata_for_table(L, size);
    lua_insert(L, -2);
    pod_lua_set_kept_table(L, -2);
    return box;
}

/* Pushes the table that a userdata keeps. */
static inline void pod_lua_push_kept_table(lua_State *L, int index)
{
#if LUA_VERSION_NUM >= 504
    lua_getiuservalue(L, index, 1);
#elif LUA_VERSION_NUM >= 502
    lua_getuservalue(L, index);
#else
    lua_getfenv(L, index);
#endif
}

/* Pushes an integer: exact in Lua 5.3 and later, a double (exact to 2^53) before. */
static inline void pod_lua_push_int64(lua_State *L, int64_t value)
{
#if LUA_VERSION_NUM >= 503
    lua_pushinteger(L, (lua_Integer)value);
#else
    lua_pushnumber(L, (lua_Number)value);
#endif
}

/* Pushes t[i] of the table at `index`, without metamethods. */
static inline void pod_lua_geti(lua_State *L, int index, size_t i)
{
    lua_rawgeti(L, index, (int)i);
}

#endif
