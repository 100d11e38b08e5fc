/* sandbox_host - functions of the host that scripts of a sandbox call: on copies of their arguments, in the host's own
 * state, and what comes back is copied, too. No error of one state passes a frame of the other. */

#include "copied_values.h"
#include "sandbox.h"

#define A_CALL 200 /* what a call counts for, in instructions: the clock is looked at */

typedef struct host_call {
    lua_State *from; /* the sandbox: 1: which function, then its arguments */
    const pod_lua_sandbox_host *host;
    int count; /* of arguments */
    uint64_t work;
} host_call;

/* In the host, protected, with a host_call and the host's functions. */
static int in_host(lua_State *H)
{
    host_call *c = lua_touserdata(H, 1);
    pod_lua_copier copier = {.from = c->from, .to = H, .context = c->host->context, .most_bytes = c->host->most_bytes};
    lua_rawgeti(H, 2, (int)pod_lua_to_own(c->from, 1));
    for (int i = 0; i < c->count; i++) {
        luaL_checkstack(H, 4, "arguments");
        pod_lua_copy_value(&copier, i + 2);
    }
    c->work = 2 * copier.entries + copier.bytes / 64;
    lua_call(H, c->count, 1);
    luaL_checkstack(H, POD_LUA_COPY_STACK, "results"); /* copying those must not raise here */
    return 1;
}

/* Pushes the text of what a function of the host raised. */
static void push_raised(lua_State *L, lua_State *host)
{
    size_t length;
    const char *text = lua_type(host, -1) == LUA_TSTRING ? lua_tolstring(host, -1, &length) : NULL;
    if (text)
        lua_pushlstring(L, text, length);
    else
        lua_pushfstring(L, "a function of the host raised a %s", lua_typename(host, lua_type(host, -1)));
}

int pod_lua_sandbox_call_host(lua_State *L)
{
    const pod_lua_sandbox_host *host = pod_lua_sandbox_host_of(L);
    if (!host)
        return luaL_error(L, "functions of the host are called in a run alone");
    (void)pod_lua_check_within(L, 1, "a function of the host", 1, host->count);
    luaL_checkstack(L, POD_LUA_COPY_STACK, "arguments"); /* copying those must not raise here */
    pod_lua_sandbox_spend(L, A_CALL);
    host_call c = {L, host, lua_gettop(L) - 1, 0};
    lua_State *H = host->state;
    lua_settop(H, host->top); /* without what an error left there */
    if (!lua_checkstack(H, 8))
        return luaL_error(L, "the host has no room for a call");
    lua_rawgeti(H, host->functions, 0);
    lua_pushlightuserdata(H, &c);
    lua_pushvalue(H, host->functions);
    if (lua_pcall(H, 2, 1, 0) != LUA_OK) {
        push_raised(L, H);
        lua_settop(H, host->top);
        return lua_error(L);
    }
    pod_lua_copier copier = {.from = H, .to = L, .context = pod_lua_sandbox_context(L), .most_bytes = SIZE_MAX};
    pod_lua_copy_value(&copier, lua_gettop(H));
    lua_settop(H, host->top);
    pod_lua_sandbox_spend(L, c.work + 2 * copier.entries);
    return 1;
}

int pod_lua_sandbox_keep_functions(lua_State *L, int index)
{
    lua_pushcfunction(L, in_host);
    lua_rawseti(L, index, 0);
    return (int)pod_lua_length(L, index);
}
