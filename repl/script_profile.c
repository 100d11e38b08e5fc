#include "script_profile.h"

#include <lauxlib.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "interrupt.h"
#include "paths.h"
#include "session.h"

/* Seconds that are recorded after a signal where nothing is yet. */
#define SECONDS 3

static const char module[] = "moonpod.session.profiling";

static void tell_text(lua_State *L)
{
    const char *text = lua_tostring(L, -1);
    if (text != NULL && *text != '\0')
        fprintf(stderr, "moonpod: %s\n", text);
    lua_pop(L, 1);
}

/* ---- SIGUSR1 -------------------------------------------------------------------------------------------- */

/* What the script did last is written; where nothing is recorded, that begins now, and an alarm asks again. */
static void dump(lua_State *L)
{
    luaL_checkstack(L, 8, "a profile");
    if (paths_push_function(L, module, "dump")) {
        lua_pushinteger(L, (lua_Integer)getpid());
        if (lua_pcall(L, 1, 2, 0) == LUA_OK) {
            if (lua_toboolean(L, -1))
                alarm(SECONDS);
            lua_pop(L, 1);
        }
    }
    tell_text(L);
}

static void on_signal(int number)
{
    (void)number;
    interrupt_ask(dump);
}

void profile_catch_signal(void)
{
    interrupt_handle(SIGUSR1, on_signal, SA_RESTART, NULL);
    interrupt_handle(SIGALRM, on_signal, SA_RESTART, NULL);
}

/* ---- --profile ------------------------------------------------------------------------------------------ */

/* Called by the module when it has made its context. */
static int begin(lua_State *L)
{
    if (!paths_push_function(L, module, "begin"))
        return lua_error(L);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_call(L, 1, 0);
    return 0;
}

void profile_begin(lua_State *L, const char *directory)
{
    paths_push_host(L);
    lua_pushstring(L, directory);
    lua_pushvalue(L, -1);
    lua_setfield(L, LUA_REGISTRYINDEX, "moonpod.profile_folder");
    lua_pushcclosure(L, begin, 1);
    lua_setfield(L, -2, "ready");
    lua_pop(L, 1);
}

bool profile_end(lua_State *L)
{
    if (lua_getfield(L, LUA_REGISTRYINDEX, "moonpod.profile_folder") != LUA_TSTRING) {
        lua_pop(L, 1);
        return true;
    }
    if (!paths_push_function(L, module, "finish")) {
        tell_text(L);
        lua_pop(L, 1);
        return false;
    }
    lua_insert(L, -2);
    if (session_report(L, session_call(L, 1, 1)) != LUA_OK)
        return false;
    tell_text(L);
    return true;
}
