#include "trouble.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#include "paths.h"

static bool of_session, in_colours;

void trouble_set(bool in_session, bool colours)
{
    of_session = in_session;
    in_colours = colours;
}

/* The entry that runs, as moonpod.session.entry has noted it. */
static void push_entry(lua_State *L)
{
    paths_push_host(L);
    lua_getfield(L, -1, "entry");
    lua_remove(L, -2);
}

/* Errors that only say what was typed wrong, as those of commands, are objects with a text. */
static bool is_object_with_text(lua_State *L)
{
    if (lua_isstring(L, 1) || luaL_getmetafield(L, 1, "__tostring") == LUA_TNIL)
        return false;
    lua_pop(L, 1);
    return true;
}

/* Whether a script uses the module; one that does not is lua(1)'s. */
static bool has_module(lua_State *L)
{
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    lua_getfield(L, -1, "moonpod");
    const bool found = !lua_isnil(L, -1);
    lua_pop(L, 2);
    return found;
}

/* of(message, level, options) of moonpod.session.traceback; the error was raised three levels above it. */
enum { LEVEL = 3 };

void trouble_add_hint(lua_State *L)
{
    const int top = lua_gettop(L);
    if (!lua_isstring(L, top) || !lua_checkstack(L, 6))
        return;
    if (paths_push_function(L, "moonpod.session.habits", "of_syntax")) {
        lua_pushvalue(L, top);
        if (of_session)
            push_entry(L);
        else
            lua_pushnil(L);
        if (lua_pcall(L, 2, 1, 0) == LUA_OK && lua_isstring(L, -1)) {
            lua_pushvalue(L, top);
            lua_insert(L, -2);
            lua_concat(L, 2);
            lua_replace(L, top);
        }
    }
    lua_settop(L, top);
}

/* (nil, ...): the error that Lua raises, and what was meant by the name. */
static int call_nil(lua_State *L)
{
    lua_Debug called = {0};
    lua_settop(L, 2);
    luaL_where(L, 1);
    if (!lua_getstack(L, 0, &called) || !lua_getinfo(L, "n", &called) || called.name == NULL)
        return luaL_error(L, "%sattempt to call a nil value", lua_tostring(L, -1));
    lua_pushfstring(L, "attempt to call a nil value (%s '%s')", called.namewhat, called.name);
    if (has_module(L) && paths_push_function(L, "moonpod.session.traceback", "meant")) {
        lua_pushstring(L, called.namewhat);
        lua_pushstring(L, called.name);
        lua_pushvalue(L, 2);
        if (lua_pcall(L, 3, 1, 0) != LUA_OK || !lua_isstring(L, -1))
            lua_pushliteral(L, "");
        lua_pushvalue(L, 3);
        lua_pushvalue(L, 4);
        lua_pushvalue(L, -3);
        lua_concat(L, 3);
        return lua_error(L);
    }
    lua_settop(L, 4);
    lua_concat(L, 2);
    return lua_error(L);
}

void trouble_prepare(lua_State *L)
{
    lua_pushnil(L);
    lua_createtable(L, 0, 1);
    lua_pushcfunction(L, call_nil);
    lua_setfield(L, -2, "__call");
    lua_setmetatable(L, -2);
    lua_pop(L, 1);
}

/* What lua(1) tells. */
static int tell_plainly(lua_State *L)
{
    const char *message = lua_tostring(L, 1);
    if (message == NULL) {
        if (luaL_callmeta(L, 1, "__tostring") && lua_type(L, -1) == LUA_TSTRING)
            return 1;
        message = lua_pushfstring(L, "(error object is a %s value)", luaL_typename(L, 1));
    }
    lua_Debug raised;
    const bool of_nil =
        lua_getstack(L, 1, &raised) && lua_getinfo(L, "f", &raised) && lua_tocfunction(L, -1) == call_nil;
    luaL_traceback(L, L, message, of_nil ? 2 : 1);
    return 1;
}

int trouble_tell(lua_State *L)
{
    const char *all = getenv("MOONPOD_TRACEBACK");
    if ((!of_session && !has_module(L)) || is_object_with_text(L) || !lua_checkstack(L, 8) ||
        !paths_push_function(L, "moonpod.session.traceback", "of")) {
        lua_settop(L, 1);
        return tell_plainly(L);
    }
    lua_pushvalue(L, 1);
    lua_pushinteger(L, LEVEL);
    lua_createtable(L, 0, 4);
    push_entry(L);
    lua_setfield(L, -2, "entry");
    lua_pushboolean(L, in_colours);
    lua_setfield(L, -2, "colours");
    lua_pushboolean(L, all != NULL && strcmp(all, "all") == 0);
    lua_setfield(L, -2, "all");
    lua_pushstring(L, of_session ? "%tb" : "MOONPOD_TRACEBACK=all");
    lua_setfield(L, -2, "more");
    if (lua_pcall(L, 3, 1, 0) != LUA_OK || !lua_isstring(L, -1)) {
        lua_settop(L, 1);
        return tell_plainly(L);
    }
    return 1;
}
