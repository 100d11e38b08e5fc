#include "script_profile.h"

#include <lauxlib.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "interrupt.h"
#include "session.h"

/* Seconds that are recorded after a signal where nothing is yet. */
#define SECONDS 3

/* Pushes a function of moonpod.session.profiling, or an error's message; returns whether it is there. */
static bool push_function(lua_State *L, const char *name)
{
    lua_getglobal(L, "require");
    lua_pushliteral(L, "moonpod.session.profiling");
    if (lua_pcall(L, 1, 1, 0) != LUA_OK)
        return false;
    lua_getfield(L, -1, name);
    lua_remove(L, -2);
    return true;
}

static void tell(lua_State *L)
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
    if (push_function(L, "dump")) {
        lua_pushinteger(L, (lua_Integer)getpid());
        if (lua_pcall(L, 1, 2, 0) == LUA_OK) {
            if (lua_toboolean(L, -1))
                alarm(SECONDS);
            lua_pop(L, 1);
        }
    }
    tell(L);
}

static void on_signal(int number)
{
    (void)number;
    interrupt_ask(dump);
}

void profile_catch_signal(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(SIGUSR1, &action, NULL);
    sigaction(SIGALRM, &action, NULL);
}

/* ---- --profile ------------------------------------------------------------------------------------------ */

/* Called by the module when it has made its context. */
static int begin(lua_State *L)
{
    if (!push_function(L, "begin"))
        return lua_error(L);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_call(L, 1, 0);
    return 0;
}

void profile_begin(lua_State *L, const char *directory)
{
    lua_getfield(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    lua_getfield(L, -1, "moonpod.host");
    lua_pushstring(L, directory);
    lua_pushvalue(L, -1);
    lua_setfield(L, LUA_REGISTRYINDEX, "moonpod.profile_folder");
    lua_pushcclosure(L, begin, 1);
    lua_setfield(L, -2, "ready");
    lua_pop(L, 2);
}

bool profile_end(lua_State *L)
{
    if (lua_getfield(L, LUA_REGISTRYINDEX, "moonpod.profile_folder") != LUA_TSTRING) {
        lua_pop(L, 1);
        return true;
    }
    if (!push_function(L, "finish")) {
        tell(L);
        lua_pop(L, 1);
        return false;
    }
    lua_insert(L, -2);
    if (session_report(L, session_call(L, 1, 1)) != LUA_OK)
        return false;
    tell(L);
    return true;
}
