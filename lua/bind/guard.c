/* guard - what is closed while a call of the module is under way lives until that call is over: see bind.h. */

#include "sandbox.h"

#include <stdlib.h>
#include <string.h>

#define GUARD "moonpod.guard"

/* Only LuaJIT has it. There a module that ends with a call of the module is gone from the stack, and only who looks up
 * methods is asked (core.c). */
extern int luaJIT_setmode(lua_State *L, int index, int mode) __attribute__((weak));

/* Something that was closed, and how it ends. */
typedef struct closed {
    void (*end)(void *content);
    void *content;
} closed;

/*
 * One a state. The outermost call that is under way is known by the address of its frame: the stack of C grows towards
 * lower addresses, and a call that an error has left needs no word of it. A frame that is not above the one that asks
 * is gone.
 */
typedef struct guard {
    uintptr_t frame;    /* 0: none */
    const void *thread; /* whose stack it is on */
    bool nested;        /* the call that runs was made within another */
    bool sandboxed;     /* see pod_lua_sandbox_check_caller() */
    closed *closed;
    size_t count, room;
} guard;

static _Thread_local char this_thread;

static void end_closed(guard *g)
{
    for (size_t i = 0; i < g->count; i++)
        g->closed[i].end(g->closed[i].content);
    g->count = 0;
}

/* A call of a function on its way. */
typedef struct under_way {
    guard *g;
    bool nested, outer; /* of this call, and of that within which it is made */
} under_way;

static inline under_way enter(lua_State *L, uintptr_t here)
{
    guard *g = lua_touserdata(L, lua_upvalueindex(1));
    const under_way entered = {g, g->frame > here && g->thread == &this_thread, g->nested};
    if (g->sandboxed)
        pod_lua_sandbox_check_caller(L);
    if (!entered.nested) {
        g->frame = here;
        g->thread = &this_thread;
        end_closed(g);
    }
    g->nested = entered.nested;
    return entered;
}

static inline void leave(under_way left)
{
    left.g->nested = left.outer;
    if (!left.nested) {
        left.g->frame = 0;
        end_closed(left.g);
    }
}

/* Calls the function that is its second upvalue. */
static int call(lua_State *L)
{
    const under_way entered = enter(L, (uintptr_t)__builtin_frame_address(0));
    const int results = lua_tocfunction(L, lua_upvalueindex(2))(L);
    leave(entered);
    return results;
}

/* The same of one that may fail, to whose entry in a table that upvalue points: it is no function that Lua may call. */
static int call_failing(lua_State *L)
{
    pod_error error;
    const under_way entered = enter(L, (uintptr_t)__builtin_frame_address(0));
    const pod_lua_function *function = lua_touserdata(L, lua_upvalueindex(2));
    const int results = function->failing(L, &error);
    leave(entered);
    if (results >= 0)
        return results;
    lua_pushstring(L, error.message);
    return lua_error(L);
}

static int guard_collect(lua_State *L)
{
    guard *g = lua_touserdata(L, 1);
    end_closed(g);
    free(g->closed);
    g->closed = NULL;
    g->room = 0;
    return 0;
}

/* Pushes the state's guard, which is older than all that it guards and so is collected behind it. */
static void push_guard(lua_State *L)
{
    lua_getfield(L, LUA_REGISTRYINDEX, GUARD);
    if (!lua_isnil(L, -1))
        return;
    lua_pop(L, 1);
    *(guard *)pod_lua_newuserdata(L, sizeof(guard)) =
        (guard){.sandboxed = pod_lua_sandbox_of(L) != NULL && !luaJIT_setmode};
    lua_createtable(L, 0, 1);
    lua_pushcfunction(L, guard_collect);
    lua_setfield(L, -2, "__gc");
    lua_setmetatable(L, -2);
    lua_pushvalue(L, -1);
    lua_setfield(L, LUA_REGISTRYINDEX, GUARD);
}

void pod_lua_push_function(lua_State *L, lua_CFunction function)
{
    pod_lua_push_closure(L, function, 0);
}

void pod_lua_push_closure(lua_State *L, lua_CFunction function, int count)
{
    push_guard(L);
    lua_insert(L, -1 - count);
    lua_pushcfunction(L, function);
    lua_insert(L, -1 - count);
    lua_pushcclosure(L, call, POD_LUA_FIRST_UPVALUE - 1 + count);
}

static void push_failing(lua_State *L, const pod_lua_function *function)
{
    push_guard(L);
    lua_pushlightuserdata(L, (void *)(uintptr_t)function);
    lua_pushcclosure(L, call_failing, POD_LUA_FIRST_UPVALUE - 1);
}

void pod_lua_set_functions(lua_State *L, const pod_lua_function *functions)
{
    for (; functions->name; functions++) {
        if (functions->plain)
            pod_lua_push_function(L, functions->plain);
        else
            push_failing(L, functions);
        lua_setfield(L, -2, functions->name);
    }
}

/* Makes room for one more; without memory for that the content is never freed. */
static bool reserve(guard *g)
{
    if (g->count < g->room)
        return true;
    const size_t room = g->room == 0 ? 16 : 2 * g->room;
    closed *more = realloc(g->closed, room * sizeof *more);
    if (!more)
        return false;
    g->closed = more;
    g->room = room;
    return true;
}

bool pod_lua_is_nested(lua_State *L)
{
    const guard *g = lua_touserdata(L, lua_upvalueindex(1));
    return g->nested;
}

void pod_lua_end(lua_State *L, void (*end)(void *content), void *content)
{
    guard *g = lua_touserdata(L, lua_upvalueindex(1)); /* NULL: the collector closes what nothing uses */
    if (content && (!g || !g->nested))
        end(content);
    else if (content && reserve(g))
        g->closed[g->count++] = (closed){end, content};
}
