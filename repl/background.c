#include "background.h"

#include <lauxlib.h>
#include <stdio.h>
#include <string.h>

#include "interrupt.h"
#include "paths.h"

/* Seconds that are given at a time, unless a key comes. */
#define SLICE 0.02

/* Leaves a function of moonpod.session.runs; false, with nothing, where no run was ever begun. */
static bool push_runs(lua_State *L, const char *name)
{
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    const bool begun = lua_getfield(L, -1, "moonpod.models.run") == LUA_TTABLE;
    lua_pop(L, 2);
    if (!begun)
        return false;
    if (paths_push_function(L, "moonpod.session.runs", name))
        return true;
    lua_pop(L, 1);
    return false;
}

/* Whether what is on top is that a press has come between two phases of a run, which then goes on until it is ended. */
static bool is_interrupt(lua_State *L)
{
    const char *message = lua_tostring(L, -1);
    return message != NULL && strstr(message, "interrupted!") != NULL;
}

/* Prints what went wrong in what is on top, and takes it away. */
static void print_failure(lua_State *L)
{
    const char *message = lua_tostring(L, -1);
    fprintf(stdout, "moonpod: %s\n", message != NULL ? message : "(error without a message)");
    lua_pop(L, 1);
}

static bool work(void *user, char *status, size_t room, bool *pressed)
{
    lua_State *L = user;
    size_t columns, rows;
    *pressed = false;
    status[0] = '\0';
    if (!push_runs(L, "work"))
        return false;
    lua_pushnumber(L, SLICE);
    terminal_size(&columns, &rows);
    lua_pushinteger(L, (lua_Integer)columns);
    interrupt_begin_work(L);
    const int result = lua_pcall(L, 2, 2, 0);
    *pressed = interrupt_end_work();
    if (result != LUA_OK && *pressed && is_interrupt(L)) { /* background_interrupt() says what it has ended */
        lua_pop(L, 1);
        return true;
    }
    if (result != LUA_OK) {
        print_failure(L);
        return true;
    }
    const bool goes_on = lua_toboolean(L, -2);
    const char *text = lua_tostring(L, -1);
    (void)snprintf(status, room, "%s", text != NULL ? text : "");
    lua_pop(L, 2);
    return goes_on;
}

void background_set(lua_State *L, editor_options *options)
{
    options->user = L;
    options->work = work;
    options->yield = interrupt_yield;
}

int background_count(lua_State *L)
{
    if (!push_runs(L, "count"))
        return 0;
    const int result = lua_pcall(L, 0, 1, 0);
    const int count = result == LUA_OK ? (int)lua_tointeger(L, -1) : 0;
    lua_pop(L, 1);
    return count;
}

void background_interrupt(lua_State *L)
{
    if (!push_runs(L, "interrupt"))
        return;
    interrupt_begin(L);
    const int result = lua_pcall(L, 0, 0, 0);
    interrupt_end();
    if (result != LUA_OK)
        print_failure(L);
    fflush(stdout);
}
