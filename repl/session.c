#include "session.h"

#include "background.h"
#include "hooks.h"
#include "host.h"
#include "interrupt.h"
#include "paths.h"
#include "patterns.h"
#include "trouble.h"

#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int session_report(lua_State *L, int status)
{
    if (status == LUA_ERRSYNTAX)
        trouble_add_hint(L);
    if (status != LUA_OK) {
        const char *message = lua_tostring(L, -1);
        fflush(stdout);
        fprintf(stderr, "moonpod: %s\n", message != NULL ? message : "(error without a message)");
        fflush(stderr);
        lua_pop(L, 1);
    }
    return status;
}

int session_call(lua_State *L, int arguments, int results)
{
    const int base = lua_gettop(L) - arguments;
    lua_pushcfunction(L, trouble_tell);
    lua_insert(L, base);
    interrupt_begin(L);
    const int status = lua_pcall(L, arguments, results, base);
    interrupt_end();
    lua_remove(L, base);
    return status;
}

/* The place of the host's table on the stack of a session. */
enum { HOST = 1 };

/* The prompt: _PROMPT or _PROMPT2 when set (a string, or what tostring makes of it, or of what a function returns),
 * else the usual, behind what a command has put before it. */
static int find_prompt(lua_State *L)
{
    if (lua_getglobal(L, lua_tostring(L, 1)) == LUA_TNIL) {
        if (lua_getfield(L, 2, "prompt") == LUA_TSTRING && strcmp(lua_tostring(L, 1), "_PROMPT") == 0)
            lua_pushfstring(L, "%s> ", lua_tostring(L, -1));
        else
            lua_pushnil(L);
        return 1;
    }
    if (lua_isfunction(L, -1))
        lua_call(L, 0, 1);
    luaL_tolstring(L, -1, NULL);
    return 1;
}

static void push_prompt(lua_State *L, bool first)
{
    lua_pushcfunction(L, find_prompt);
    lua_pushstring(L, first ? "_PROMPT" : "_PROMPT2");
    lua_pushvalue(L, HOST);
    if (lua_pcall(L, 2, 1, 0) == LUA_OK && lua_isstring(L, -1))
        return;
    lua_pop(L, 1);
    lua_pushstring(L, first ? "> " : ">> ");
}

/* Reads a line or an entry; pushes it. Returns false at the end of input; an interrupted line is pushed as nil. */
static bool push_line(lua_State *L, editor *from, bool first)
{
    const char *line;
    size_t length = 0;
    push_prompt(L, first);
    push_prompt(L, false);
    interrupt_catch_at_prompt();
    const editor_outcome outcome = editor_read(from, lua_tostring(L, -2), lua_tostring(L, -1), &line, &length);
    interrupt_end();
    lua_pop(L, 2);
    if (outcome == EDITOR_END)
        return false;
    if (outcome == EDITOR_INTERRUPTED && length == 0 && first)
        background_interrupt(L);
    if (outcome == EDITOR_INTERRUPTED)
        lua_pushnil(L);
    else if (first && length > 0 && line[0] == '=')
        lua_pushfstring(L, "return %s", line + 1);
    else
        lua_pushlstring(L, line, length);
    return true;
}

/* What is done with entries; it is loaded with the first. */
static const char module[] = "moonpod.session.entry";

/* Prints the values from `first` on. */
static void print_values(lua_State *L, int first)
{
    const int count = lua_gettop(L) - first + 1;
    if (count <= 0)
        return;
    luaL_checkstack(L, 8, "too many results to print");
    (void)paths_push_function(L, module, "print");
    lua_insert(L, first);
    session_report(L, session_call(L, count, 0));
}

/* `pod` and `help` without require: a module is loaded when it is first asked for. */
static int lookup_global(lua_State *L)
{
    const char *name = lua_tostring(L, 2);
    if (name != NULL && strcmp(name, "help") == 0) {
        lua_getglobal(L, "pod");
        lua_getfield(L, -1, "help");
        return 1;
    }
    if (name == NULL || strcmp(name, "pod") != 0)
        return 0;
    lua_getglobal(L, "require");
    lua_pushliteral(L, "moonpod");
    lua_call(L, 1, 1);
    lua_pushvalue(L, -1);
    lua_setglobal(L, "pod");
    return 1;
}

void session_offer_module(lua_State *L)
{
    lua_pushglobaltable(L);
    if (!lua_getmetatable(L, -1)) {
        lua_createtable(L, 0, 1);
        lua_pushcfunction(L, lookup_global);
        lua_setfield(L, -2, "__index");
        lua_setmetatable(L, -2);
        lua_pop(L, 1);
    } else {
        lua_pop(L, 2); /* the user's rc file set strict globals or the like */
    }
}

/* The line on top, with more lines while it is incomplete: runs it and leaves what it gives. Returns -1 when it was
 * interrupted. */
static int run_line(lua_State *L, editor *from, bool *muted)
{
    enum { TEXT = HOST + 1, PREPARED, ARGUMENT };
    for (;;) {
        if (!paths_push_function(L, module, "prepare"))
            return LUA_ERRRUN;
        lua_pushvalue(L, TEXT);
        lua_pushvalue(L, HOST);
        const int status = lua_pcall(L, 2, 3, 0);
        if (status != LUA_OK)
            return status;
        const bool flag = lua_toboolean(L, -1);
        lua_settop(L, ARGUMENT);
        if (lua_isfunction(L, PREPARED)) {
            const int arguments = !lua_isnil(L, ARGUMENT);
            *muted = flag;
            lua_remove(L, TEXT);
            lua_settop(L, TEXT + arguments);
            return session_call(L, arguments, LUA_MULTRET);
        }
        if (!flag || !push_line(L, from, false)) /* at the end of input the message stands */
            return LUA_ERRSYNTAX;
        if (lua_isnil(L, -1))
            return -1;
        lua_pushliteral(L, "\n");
        lua_replace(L, PREPARED);
        lua_replace(L, ARGUMENT);
        lua_concat(L, 3);
    }
}

static bool has_ended(lua_State *L)
{
    lua_getfield(L, HOST, "ended");
    const bool ended = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return ended;
}

/* Whether a session with runs in the background is to end: they end with it. */
static bool is_left(lua_State *L, editor *from)
{
    const char *line;
    size_t length;
    const int count = background_count(L);
    if (count > 0 && editor_lines(from) == NULL)
        fprintf(stderr, "moonpod: %d %s in the background, which %s with the session; run:wait() waits\n", count,
                count == 1 ? "run goes on" : "runs go on", count == 1 ? "ends" : "end");
    if (count == 0 || editor_lines(from) == NULL)
        return true;
    lua_pushfstring(L, "%d %s in the background. Leave, and stop %s? [y/N] ", count,
                    count == 1 ? "run goes on" : "runs go on", count == 1 ? "it" : "them");
    interrupt_catch_at_prompt();
    const editor_outcome outcome = editor_read(from, lua_tostring(L, -1), "", &line, &length);
    interrupt_end();
    lua_pop(L, 1);
    return outcome == EDITOR_END || (outcome == EDITOR_LINE && length > 0 && (line[0] == 'y' || line[0] == 'Y'));
}

/* Reads the next line, which is left on top; false: the session ends. */
static bool goes_on(lua_State *L, editor *from)
{
    while (has_ended(L) || !push_line(L, from, true)) {
        if (is_left(L, from))
            return false;
        lua_pushboolean(L, false);
        lua_setfield(L, HOST, "ended");
    }
    return true;
}

void session_talk(lua_State *L, const editor_options *options)
{
    editor_options own = *options;
    hooks_set(L, &own.lines);
    background_set(L, &own);
    editor *from = editor_open(&own);
    if (from == NULL) {
        fputs("moonpod: not enough memory\n", stderr);
        return;
    }
    lua_settop(L, 0);
    host_push(L, from);
    const bool colours = !own.plain && editor_lines(from) != NULL && terminal_has_colours(own.colours);
    lua_pushboolean(L, colours);
    lua_setfield(L, HOST, "has_colours");
    trouble_set(true, colours && isatty(STDERR_FILENO));
    patterns_guard(L);
    interrupt_keep_session(true);
    while (goes_on(L, from)) {
        bool muted = false;
        const int status = lua_isnil(L, -1) ? -1 : run_line(L, from, &muted);
        if (status == LUA_OK && !muted)
            print_values(L, HOST + 1);
        else if (status > LUA_OK)
            session_report(L, status);
        lua_settop(L, HOST);
    }
    interrupt_keep_session(false);
    host_drop(L);
    editor_close(from);
}
