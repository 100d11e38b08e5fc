/*
 * page - Lua and the library in a page of a browser, in a worker beside it, which has one thread: what goes on there
 * pauses after each slice of time, so that the worker hears of an interrupt. engine.js calls the functions below.
 */

#include <emscripten.h>
#include <lauxlib.h>
#include <lualib.h>
#include <stdbool.h>

#include "one_file/embedded.h"

/* Nobody asks for the time more often than after so many instructions of Lua. */
#define INSTRUCTIONS 1000

/* Milliseconds after which a script that has caught the error of an interrupt is stopped for good: it is raised again
 * and again, until nothing that would catch it is left. */
#define CAUGHT 500.0

EMSCRIPTEN_KEEPALIVE int page_open(void);
EMSCRIPTEN_KEEPALIVE void page_begin(const char *request, size_t size);
EMSCRIPTEN_KEEPALIVE int page_go_on(double milliseconds);
EMSCRIPTEN_KEEPALIVE void page_interrupt(void);

static lua_State *state;
static lua_State *running; /* the coroutine of the request, NULL: there is none */
static double slice_ends;  /* milliseconds, as emscripten_get_now() has them */
static double asked_at;    /* for an interrupt; 0: nobody has */
static bool told;          /* the error was raised once */
static bool may_raise;     /* what runs is what was asked for */

EM_JS(void, tell, (const char *text, size_t size), { Module.tell(UTF8ToString(text, size)); });

/* tell(text): what the page hears of. */
static int tell_page(lua_State *L)
{
    size_t size;
    const char *text = luaL_checklstring(L, 1, &size);
    tell(text, size);
    return 0;
}

/* Raises with the line of the script, which the module knows from its own, where it is loaded. */
static void raise_interrupted(lua_State *L)
{
    lua_getfield(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    if (lua_getfield(L, -1, "moonpod.base.errors") == LUA_TTABLE && lua_getfield(L, -1, "raise") == LUA_TFUNCTION) {
        lua_pushliteral(L, "interrupted!");
        lua_call(L, 1, 0);
    }
    luaL_error(L, "interrupted!");
}

/* A coroutine of the script's own does not pause: it would pause for whoever resumed it. */
static void look(lua_State *L, lua_Debug *at)
{
    (void)at;
    const double now = emscripten_get_now();
    const bool insists = told && now - asked_at > CAUGHT;
    if (may_raise && asked_at > 0 && (!told || insists)) {
        if (insists) /* from now on at each instruction, so that no pcall goes on */
            lua_sethook(L, look, LUA_MASKCOUNT, 1);
        told = true;
        raise_interrupted(L);
    }
    if (now >= slice_ends && L == running && lua_isyieldable(L))
        (void)lua_yield(L, 0);
}

static int end_protected(lua_State *L, int status, lua_KContext first)
{
    may_raise = false;
    lua_sethook(L, look, LUA_MASKCOUNT, INSTRUCTIONS);
    if (status == LUA_OK || status == LUA_YIELD)
        return lua_gettop(L) - (int)first;
    lua_pushboolean(L, 0);
    lua_pushvalue(L, -2);
    return 2;
}

/* protect(fn, handler): as xpcall, of what may be interrupted; nothing else is. */
static int protect(lua_State *L)
{
    lua_settop(L, 2);
    lua_pushboolean(L, 1);
    lua_pushvalue(L, 1);
    may_raise = true;
    return end_protected(L, lua_pcallk(L, 0, LUA_MULTRET, 2, 2, end_protected), 2);
}

static int open_all(lua_State *L)
{
    luaL_openlibs(L);
    embedded_add(L);
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    lua_createtable(L, 0, 2);
    lua_pushcfunction(L, embedded_text);
    lua_setfield(L, -2, "text");
    lua_pushliteral(L, "threads, child processes, OpenBLAS, plugins of PJRT, MPI, modules in C, the data service, "
                       "files of the machine: this is a page of a browser, whose files are in memory");
    lua_setfield(L, -2, "limits");
    lua_setfield(L, -2, "moonpod.host");
    lua_gc(L, LUA_GCGEN, 0, 0);
    lua_getglobal(L, "require");
    lua_pushliteral(L, "moonpod.notebook.page");
    lua_call(L, 1, 1);
    lua_pushcfunction(L, tell_page);
    lua_pushcfunction(L, protect);
    lua_call(L, 2, 1);
    lua_setfield(L, LUA_REGISTRYINDEX, "moonpod.page");
    return 0;
}

/* Begins: makes the state. Returns 0, or 1 where that failed, which is told as a request's end is. */
int page_open(void)
{
    state = luaL_newstate();
    if (state == NULL)
        return 1;
    lua_pushcfunction(state, open_all);
    if (lua_pcall(state, 0, 0, 0) == LUA_OK)
        return 0;
    lua_writestringerror("moonpod: %s\n", lua_tostring(state, -1));
    return 1;
}

/* Begins a request, a text that moonpod.notebook.page reads. page_go_on() does the work. */
void page_begin(const char *request, size_t size)
{
    running = lua_newthread(state);
    asked_at = 0;
    told = may_raise = false;
    lua_getfield(running, LUA_REGISTRYINDEX, "moonpod.page");
    lua_pushlstring(running, request, size);
    lua_sethook(running, look, LUA_MASKCOUNT, INSTRUCTIONS);
}

/* Works for so many milliseconds, or somewhat longer: a call of the library is not divided. Returns 1 where the request
 * is to be gone on with; 0: it is over, -1: it failed, which the standard error stream has a line on. */
int page_go_on(double milliseconds)
{
    int results;
    slice_ends = emscripten_get_now() + milliseconds;
    const int status = lua_resume(running, NULL, lua_status(running) == LUA_YIELD ? 0 : 1, &results);
    if (status == LUA_YIELD)
        return 1;
    if (status != LUA_OK) {
        const char *message = lua_tostring(running, -1);
        lua_writestringerror("moonpod: %s\n", message != NULL ? message : "an error that is no text");
    }
    running = NULL;
    lua_settop(state, 0); /* where the coroutine was */
    return status == LUA_OK ? 0 : -1;
}

/* The request ends with an error as soon as Lua runs. */
void page_interrupt(void)
{
    if (running != NULL && asked_at <= 0)
        asked_at = emscripten_get_now();
}
