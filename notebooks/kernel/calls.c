#include "calls.h"

#include <errno.h>
#include <lauxlib.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "editor/lua_lexer.h"
#include "hooks.h"
#include "interrupt.h"
#include "streams.h"

static kernel_state *kernel_of(lua_State *L)
{
    return lua_touserdata(L, lua_upvalueindex(1));
}

static channel *channel_of(lua_State *L)
{
    return lua_touserdata(L, lua_upvalueindex(2));
}

static wire_frame check_frame(lua_State *L, int place)
{
    wire_frame frame;
    frame.bytes = luaL_checklstring(L, place, &frame.size);
    return frame;
}

static int call_reply(lua_State *L)
{
    channel *own = channel_of(L);
    if (!channel_reply(own, own->socket, luaL_checkstring(L, 1), check_frame(L, 2)))
        channel_log("a reply could not be sent: %s", zmq_strerror(errno));
    return 0;
}

static int call_publish(lua_State *L)
{
    channel *own = channel_of(L);
    const wire_frame parent = lua_isnoneornil(L, 3) ? own->request.part[WIRE_HEADER] : check_frame(L, 3);
    if (!channel_publish(own->shared, luaL_checkstring(L, 1), parent, check_frame(L, 2)))
        channel_log("a message could not be published: %s", zmq_strerror(errno));
    return 0;
}

static int call_log(lua_State *L)
{
    channel_log("%s", luaL_checkstring(L, 1));
    return 0;
}

void calls_leave(kernel_state *kernel)
{
    const unsigned long long one = 1;
    atomic_store(&kernel->is_ending, true);
    while (write(kernel->wake, &one, sizeof one) < 0 && errno == EINTR)
        continue;
}

static int call_leave(lua_State *L)
{
    calls_leave(kernel_of(L));
    return 0;
}

void calls_interrupt(kernel_state *kernel)
{
    if (getpgrp() == getpid()) /* a session of its own, as front ends begin it: processes of a cell are meant, too */
        kill(0, SIGINT);
    else
        pthread_kill(kernel->lua_thread, SIGINT);
}

static int call_interrupt(lua_State *L)
{
    calls_interrupt(kernel_of(L));
    return 0;
}

void calls_push(lua_State *L, kernel_state *kernel, channel *answered)
{
    static const luaL_Reg functions[] = {
        {"reply", call_reply}, {"publish", call_publish},     {"log", call_log},
        {"leave", call_leave}, {"interrupt", call_interrupt}, {NULL, NULL},
    };
    luaL_newlibtable(L, functions);
    lua_pushlightuserdata(L, kernel);
    lua_pushlightuserdata(L, answered);
    luaL_setfuncs(L, functions, 2);
}

void calls_answer(lua_State *L, const channel *asked)
{
    lua_pushvalue(L, -1);
    for (int i = 0; i < WIRE_PARTS; i++)
        lua_pushlstring(L, asked->request.part[i].bytes, asked->request.part[i].size);
    lua_pushboolean(L, asked->holds);
    if (lua_pcall(L, WIRE_PARTS + 1, 0, 0) != LUA_OK) {
        channel_log_error("an answer failed", L);
        lua_pop(L, 1);
    }
}

/* ---- of the thread of Lua ---- */

static int call_begin_output(lua_State *L)
{
    streams_set_parent(kernel_of(L)->shell.request.part[WIRE_HEADER]);
    return 0;
}

static int call_flush(lua_State *L)
{
    (void)L;
    streams_flush();
    return 0;
}

static int call_hold(lua_State *L)
{
    channel_hold(&kernel_of(L)->shell);
    return 0;
}

static int call_protect(lua_State *L)
{
    luaL_checkany(L, 2);
    lua_settop(L, 2);
    lua_insert(L, 1);
    interrupt_begin(L);
    if (interrupt_take_press()) /* the front end has sent the cell, and does not know that it had not begun yet */
        (void)raise(SIGINT);
    const int status = lua_pcall(L, 0, 1, 1);
    interrupt_end();
    lua_pushboolean(L, status == LUA_OK);
    lua_insert(L, -2);
    return 2;
}

/* Waits for an answer; an interrupt comes back with nothing, and ends what called this. */
static int call_ask(lua_State *L)
{
    kernel_state *kernel = kernel_of(L);
    channel *from = &kernel->ask;
    zmq_pollitem_t items[] = {{from->socket, 0, ZMQ_POLLIN, 0}, {NULL, kernel->wake, ZMQ_POLLIN, 0}};
    while (channel_receive(from)) /* answers that nobody waits for any more */
        continue;
    if (!channel_reply(&kernel->shell, from->socket, "input_request", check_frame(L, 1)))
        return 0;
    do {
        if (zmq_poll(items, 2, -1) < 0 || atomic_load(&kernel->is_ending))
            return 0;
    } while (!channel_receive(from));
    lua_pushlstring(L, from->request.part[WIRE_HEADER].bytes, from->request.part[WIRE_HEADER].size);
    lua_pushlstring(L, from->request.part[WIRE_CONTENT].bytes, from->request.part[WIRE_CONTENT].size);
    return 2;
}

static int call_place(lua_State *L)
{
    const wire_frame text = check_frame(L, 1);
    const lua_word word = lua_last_word(text.bytes, text.size);
    if (word.open && word.kind == LUA_WORD_STRING)
        lua_pushinteger(L, (lua_Integer)word.inner + 1);
    else
        lua_pushnil(L);
    lua_pushboolean(L, word.open && word.kind == LUA_WORD_COMMENT);
    return 2;
}

static int call_depth(lua_State *L)
{
    const wire_frame text = check_frame(L, 1);
    lua_pushinteger(L, lua_depth(text.bytes, text.size, 0, text.size));
    return 1;
}

void calls_add_session(lua_State *L, kernel_state *kernel)
{
    static const luaL_Reg functions[] = {
        {"begin_output", call_begin_output},
        {"flush", call_flush},
        {"hold", call_hold},
        {"protect", call_protect},
        {"ask", call_ask},
        {"place", call_place},
        {"depth", call_depth},
        {NULL, NULL},
    };
    lua_pushlightuserdata(L, kernel);
    luaL_setfuncs(L, functions, 1);
    lua_pushcfunction(L, hooks_list_folder);
    lua_setfield(L, -2, "list");
    lua_getglobal(L, "require");
    lua_setfield(L, -2, "load");
}
