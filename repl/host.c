#include "host.h"

#include <lauxlib.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "external.h"
#include "paths.h"

static editor *editor_of(lua_State *L)
{
    return lua_touserdata(L, lua_upvalueindex(1));
}

static int host_now(lua_State *L)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    lua_pushnumber(L, (lua_Number)now.tv_sec + (lua_Number)now.tv_nsec * 1e-9);
    return 1;
}

static int host_history(lua_State *L)
{
    const line_editor *lines = editor_lines(editor_of(L));
    size_t size;
    const char *text;
    if (lines == NULL)
        return 0;
    lua_newtable(L);
    for (size_t i = 0; (text = line_editor_history(lines, i, &size)) != NULL; i++) {
        lua_pushlstring(L, text, size);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

static int host_edit(lua_State *L)
{
    size_t size;
    const char *text = luaL_checklstring(L, 1, &size);
    byte_string edited = {0};
    const bool done = editor_lines(editor_of(L)) != NULL && external_edit(text, size, &edited);
    char *copy = lua_newuserdatauv(L, edited.size + 1, 0); /* the text goes where Lua frees it, before more may fail */
    size = edited.size;
    if (size > 0)
        memcpy(copy, edited.data, size);
    byte_string_free(&edited);
    lua_pushlstring(L, copy, size);
    return done;
}

static int host_offer(lua_State *L)
{
    size_t size;
    const char *text = luaL_checklstring(L, 1, &size);
    editor_offer(editor_of(L), text, size);
    return 0;
}

static int host_clear(lua_State *L)
{
    if (editor_lines(editor_of(L)) != NULL) {
        fputs("\033[H\033[2J\033[3J", stdout);
        fflush(stdout);
    }
    return 0;
}

static int host_colours(lua_State *L)
{
    line_editor *lines = editor_lines(editor_of(L));
    if (lines != NULL)
        line_editor_set_colours(lines, lua_toboolean(L, 1));
    lua_pushboolean(L, lines != NULL);
    return 1;
}

static int host_keys(lua_State *L)
{
    const char *name, *does;
    lua_newtable(L);
    for (size_t i = 0; (name = line_editor_key(i, &does)) != NULL; i++) {
        lua_createtable(L, 2, 0);
        lua_pushstring(L, name);
        lua_rawseti(L, -2, 1);
        lua_pushstring(L, does);
        lua_rawseti(L, -2, 2);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

/* What is on top is the session that pod.session finds. Pops it. */
static void set_session(lua_State *L)
{
    paths_push_host(L);
    lua_insert(L, -2);
    lua_setfield(L, -2, "session");
    lua_pop(L, 1);
}

void host_push(lua_State *L, editor *of)
{
    static const luaL_Reg functions[] = {
        {"now", host_now},         {"history", host_history}, {"edit", host_edit}, {"offer", host_offer},
        {"colours", host_colours}, {"clear", host_clear},     {"keys", host_keys}, {NULL, NULL},
    };
    luaL_newlibtable(L, functions);
    lua_pushlightuserdata(L, of);
    luaL_setfuncs(L, functions, 1);
    lua_getglobal(L, "require");
    lua_setfield(L, -2, "load");
    lua_newtable(L);
    lua_setfield(L, -2, "entries");
    lua_pushvalue(L, -1);
    set_session(L);
}

void host_drop(lua_State *L)
{
    lua_pushnil(L);
    set_session(L);
}
