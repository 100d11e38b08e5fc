/* sandbox_limits - what a state is asked of its sandbox: which it is, its memory, time, work and callers. */

#include "sandbox_state.h"

#include <stdlib.h>
#include <string.h>

#include "base/system/host/host_system.h"

#define AT_ONCE 200 /* instructions between two looks of the hook */
#define LARGE   4096

uint64_t pod_lua_sandbox_now(void)
{
    return pod_host_nanoseconds();
}

bool pod_lua_sandbox_is_late(const pod_sandbox *box)
{
    const uint64_t deadline = atomic_load_explicit(&box->deadline, memory_order_relaxed);
    return deadline && pod_lua_sandbox_now() >= deadline;
}

/* ---- memory: of the state, and of its contexts from any thread ---- */

void *pod_lua_sandbox_resize(void *context, void *pointer, size_t old_size, size_t new_size)
{
    pod_sandbox *box = context;
    const size_t old = pointer ? old_size : 0;
    if (new_size > old) {
        const uint64_t more = new_size - old, held = atomic_fetch_add(&box->held, more) + more;
        if (held > box->most_held || (more > LARGE && box->running && pod_lua_sandbox_is_late(box))) {
            atomic_fetch_sub(&box->held, more);
            return NULL;
        }
        if (held > box->peak)
            box->peak = held;
    }
    void *block = NULL;
    if (new_size == 0)
        free(pointer);
    else
        block = realloc(pointer, new_size);
    if (new_size > old && !block)
        atomic_fetch_sub(&box->held, new_size - old);
    else if (new_size < old && (block || new_size == 0))
        atomic_fetch_sub(&box->held, old - new_size);
    return block;
}

pod_sandbox *pod_lua_sandbox_of(lua_State *L)
{
    void *context;
    return lua_getallocf(L, &context) == pod_lua_sandbox_resize ? context : NULL;
}

/* ---- time ---- */

static void hook(lua_State *L, lua_Debug *at)
{
    (void)at;
    pod_sandbox *box = pod_lua_sandbox_of(L);
    if (!box->stopped && box->left > AT_ONCE && !pod_lua_sandbox_is_late(box)) {
        box->left -= AT_ONCE;
        lua_sethook(L, hook, LUA_MASKCOUNT, AT_ONCE);
        return;
    }
    if (!box->stopped)
        box->stopped = box->left > AT_ONCE ? "seconds" : "instructions";
    lua_sethook(L, hook, LUA_MASKCOUNT, 1);
    luaL_error(L, "the sandbox has no %s left", box->stopped);
}

void pod_lua_sandbox_watch(lua_State *state)
{
    lua_sethook(state, hook, LUA_MASKCOUNT, AT_ONCE);
}

/* Calls what the executable looks for Ctrl-C by, which raises where it was pressed; elsewhere nothing does. */
static void look_for_interrupt(lua_State *L)
{
    lua_getfield(L, LUA_REGISTRYINDEX, "moonpod.look");
    if (lua_isfunction(L, -1))
        lua_call(L, 0, 0);
    else
        lua_pop(L, 1);
}

void pod_lua_sandbox_spend(lua_State *L, uint64_t work)
{
    pod_sandbox *box = pod_lua_sandbox_of(L);
    if (!box)
        look_for_interrupt(L);
    if (!box || !box->running)
        return;
    if (!box->stopped && work >= box->left)
        box->stopped = "instructions";
    else if (!box->stopped && work >= AT_ONCE && pod_lua_sandbox_is_late(box))
        box->stopped = "seconds";
    if (box->stopped)
        luaL_error(L, "the sandbox has no %s left", box->stopped);
    box->left -= work;
}

/* ---- what is made in the state ---- */

void pod_lua_sandbox_limit_options(lua_State *L, pod_context_options *options)
{
    pod_sandbox *box = pod_lua_sandbox_of(L);
    if (!box)
        return;
    options->allocator = (pod_allocator){pod_lua_sandbox_resize, box};
    options->account = box->policy;
    if (options->threads == 0 || options->threads > box->threads)
        options->threads = box->threads;
}

pod_status pod_lua_sandbox_limit_context(lua_State *L, pod_context *context, pod_error *error)
{
    const pod_sandbox *box = pod_lua_sandbox_of(L);
    const char *files = box ? pod_context_files(box->policy) : NULL;
    return files ? pod_context_set_files(context, files, error) : POD_OK;
}

void pod_lua_sandbox_check_threads(lua_State *L, int threads)
{
    const pod_sandbox *box = pod_lua_sandbox_of(L);
    if (box && threads > box->threads)
        luaL_error(L, "this sandbox may have %d threads, not %d", box->threads, threads);
}

/*
 * Functions of C, pcall mostly, and those of the file that the last of the prelude is from are neither: who called them
 * counts. A script is not lost from the stack by a tail call: what it may call of that file is behind a fence, which is
 * as a function of its own (inside.lua).
 */
void pod_lua_sandbox_check_caller(lua_State *L)
{
    const pod_sandbox *box = pod_lua_sandbox_of(L);
    lua_Debug at;
    if (!box->prelude[0])
        return;
    for (int level = 1; lua_getstack(L, level, &at); level++) {
        lua_getinfo(L, "S", &at);
        if (*at.what == 'C' || strcmp(at.source, box->prelude) == 0)
            continue;
        if (*at.source == '@') /* no chunk of a script has such a name */
            return;
        break;
    }
    luaL_error(L, "a script in a sandbox calls nothing of the core: what it needs is a function of pod");
}

/* ---- its host ---- */

const pod_lua_sandbox_host *pod_lua_sandbox_host_of(lua_State *L)
{
    const pod_sandbox *box = pod_lua_sandbox_of(L);
    return box && box->running ? &box->host : NULL;
}

pod_context *pod_lua_sandbox_context(lua_State *L)
{
    const pod_sandbox *box = pod_lua_sandbox_of(L);
    return box->current ? box->current : box->policy;
}
