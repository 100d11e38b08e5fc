/* sandbox_libraries - those of Lua that the state of a sandbox begins with; its prelude takes away what leaves it. */

#include "sandbox.h"

#include <lualib.h>

static void open_library(lua_State *L, const char *name, lua_CFunction open)
{
    const int top = lua_gettop(L);
    lua_pushcfunction(L, open);
    lua_pushstring(L, name);
    lua_call(L, 1, 1);
    if (lua_istable(L, -1) && *name)
        lua_setglobal(L, name);
    lua_settop(L, top);
}

void pod_lua_sandbox_open_libraries(lua_State *L)
{
    open_library(L, "", luaopen_base);
    open_library(L, "table", luaopen_table);
    open_library(L, "string", luaopen_string);
    open_library(L, "math", luaopen_math);
    open_library(L, "io", luaopen_io);
    open_library(L, "os", luaopen_os);
    open_library(L, "debug", luaopen_debug);
#if LUA_VERSION_NUM >= 502
    open_library(L, "coroutine", luaopen_coroutine);
#endif
#if LUA_VERSION_NUM >= 503
    open_library(L, "utf8", luaopen_utf8);
#endif
    lua_getglobal(L, "string");
    pod_lua_open_counted_patterns(L);
    lua_pop(L, 1);
}
