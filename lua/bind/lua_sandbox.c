/*
 * lua_sandbox - runs scripts that nobody trusts: each sandbox is a Lua state of its own, beside the host's.
 *
 * Memory: one account holds what the state and all contexts made in it take; what would be more is refused, as is all
 * that is larger than a page once time is up. Time and instructions: a hook looks every few instructions, and once a
 * limit is reached raises at each of them, so that whoever catches it does not get far. C functions that may run long
 * (patterns, runs of programs, moves in tables) count what they do, or ask first. Files: contexts made in the state
 * take the sandbox's folder, which they cannot leave. Threads and time: all of these contexts have one account. Between
 * runs its time is over, so no thread works on.
 */

#include "copied_values.h"
#ifdef MOONPOD_ONE_FILE
#include "one_file/embedded.h"
#endif
#include "sandbox_state.h"

#include <lualib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SANDBOX "moonpod.sandbox"

/* spend(work) counts what no instruction of Lua is counted for */
static int spend(lua_State *L)
{
    const double work = pod_lua_check_number(L, 1, "work");
    pod_lua_sandbox_spend(L, work >= 0 && work < 1e18 ? (uint64_t)work : UINT64_MAX);
    return 0;
}

/* ---- a run ---- */

typedef struct sandbox_call {
    pod_sandbox *box;
    int first, count; /* the values of the host that go in */
} sandbox_call;

/* In the sandbox, protected: calls its function of that name (run) with copies, and leaves what that returns. */
static int inside(lua_State *L)
{
    sandbox_call *r = lua_touserdata(L, -1);
    pod_lua_copier copier = {
        .from = r->box->host.state, .to = L, .context = pod_lua_sandbox_context(L), .most_bytes = SIZE_MAX};
    lua_settop(L, 0);
    lua_getfield(L, LUA_REGISTRYINDEX, SANDBOX);
    for (int i = 0; i < r->count; i++) {
        luaL_checkstack(L, 4, "arguments");
        pod_lua_copy_value(&copier, r->first + i);
    }
    lua_call(L, r->count, LUA_MULTRET);
    const int results = lua_gettop(L);
    lua_createtable(L, results, 1);
    for (int i = 1; i <= results; i++) {
        lua_pushvalue(L, i);
        lua_rawseti(L, -2, i);
    }
    pod_lua_set_integer(L, "n", results);
    lua_setfield(L, LUA_REGISTRYINDEX, SANDBOX "_results");
    luaL_checkstack(L, POD_LUA_COPY_STACK, "results"); /* copying those must not raise here */
    return 0;
}

static int call_inside(lua_State *L, sandbox_call *r)
{
#if LUA_VERSION_NUM >= 502
    lua_pushcfunction(L, inside);
    lua_pushlightuserdata(L, r);
    return lua_pcall(L, 1, 0, 0);
#else
    return lua_cpcall(L, inside, r);
#endif
}

/* From so many seconds on all work of the sandbox is late: at once, between runs. */
static void set_time(pod_sandbox *box, double seconds)
{
    box->deadline = pod_lua_sandbox_now() + (uint64_t)(seconds * 1e9);
    pod_context_set_deadline(box->policy, (uint64_t)(seconds * 1e9) + 1);
}

static void end(void *content)
{
    pod_sandbox *box = content;
    if (box->state)
        lua_close(box->state);
    pod_context_release(box->policy);
    free(box);
}

static int sandbox_close(lua_State *L)
{
    pod_sandbox **at = luaL_checkudata(L, 1, SANDBOX), *box = *at;
    if (box && box->running)
        return luaL_error(L, "the sandbox is running");
    *at = NULL;
    pod_lua_end(L, end, box);
    return 0;
}

static const pod_lua_kind sandbox_kind = {SANDBOX, "sandbox", .close = sandbox_close};

/* Pushes the text of what a run raised. */
static void push_failure(lua_State *L, lua_State *from)
{
    if (lua_type(from, -1) == LUA_TSTRING)
        lua_pushstring(L, lua_tostring(from, -1));
    else
        lua_pushfstring(L, "the script raised a %s", lua_typename(from, lua_type(from, -1)));
}

/* What a run has returned, on its way to the host. */
typedef struct sandbox_results {
    lua_State *from;
    pod_context *context;
    size_t most_bytes;
} sandbox_results;

static int push_results(lua_State *L)
{
    const sandbox_results *r = lua_touserdata(L, 1);
    pod_lua_copier copier = {.from = r->from, .to = L, .context = r->context, .most_bytes = r->most_bytes};
    pod_lua_copy_value(&copier, 1);
    return 1;
}

/* sandbox:run(context, instructions, seconds, values...) -> true, results (an array with n), or false, message, which
 * limit was reached or nil: calls the function that the prelude returned with copies of the values */
static int sandbox_run(lua_State *L)
{
    pod_sandbox *box = pod_lua_check_open(L, 1, &sandbox_kind);
    pod_context *context = pod_lua_check_context(L, 2);
    const double instructions = pod_lua_check_real(L, 3, "instructions", 0, 1e18);
    const double seconds = pod_lua_check_real(L, 4, "seconds", 0, 1e9);
    if (box->running)
        return luaL_error(L, "the sandbox is running: what it calls cannot run it as well");
    sandbox_call r = {box, 5, lua_gettop(L) - 4};
    luaL_checkstack(L, POD_LUA_COPY_STACK, "arguments");
    pod_lua_push_kept_table(L, 1);
    const int top = lua_gettop(L);
    box->host = (pod_lua_sandbox_host){L, top, box->host.count, top, context, 2 * (size_t)box->most_held};
    box->left = (uint64_t)instructions;
    box->stopped = NULL;
    box->running = true;
    set_time(box, seconds);
    lua_State *state = box->state;
    lua_settop(state, 0);
    pod_lua_sandbox_watch(state);
    const int status = call_inside(state, &r);
    lua_sethook(state, NULL, 0, 0);
    if (status != LUA_OK && !box->stopped && pod_lua_sandbox_is_late(box))
        box->stopped = "seconds"; /* what it was told may be that there is no memory: then all is refused */
    set_time(box, 0);
    lua_settop(L, 4);
    lua_pushboolean(L, status == LUA_OK && !box->stopped);
    if (status != LUA_OK || box->stopped) {
        box->running = false;
        if (status != LUA_OK && lua_gettop(state) > 0)
            push_failure(L, state);
        else
            lua_pushliteral(L, "the script was stopped");
        lua_pushstring(L, box->stopped);
        lua_settop(state, 0);
        lua_gc(state, LUA_GCCOLLECT, 0); /* what was too much: Lua 5.1 does not when memory is short */
        return 3;
    }
    sandbox_results results = {state, context, 2 * (size_t)box->most_held};
    lua_getfield(state, LUA_REGISTRYINDEX, SANDBOX "_results"); /* the name is there: this takes no memory */
    const bool copied = pod_lua_push_protected(L, push_results, &results);
    lua_settop(state, 0);
    box->running = false; /* not before: a finaliser of the host may run it again */
    return copied ? 2 : lua_error(L);
}

/* sandbox:memory() -> bytes held, most ever held */
static int sandbox_memory(lua_State *L)
{
    const pod_sandbox *box = pod_lua_check_open(L, 1, &sandbox_kind);
    pod_lua_push_int64(L, (int64_t)box->held);
    pod_lua_push_int64(L, (int64_t)box->peak);
    return 2;
}

/* ---- making ---- */

#define OPEN SANDBOX "_open" /* of the registry: what opens the core in a state */

/* What the host gives to a state that is made. */
typedef struct sandbox_start {
    pod_sandbox *box;
    lua_State *host;
    int prelude; /* the place of an array of dumped functions on the host's stack */
    lua_CFunction open;
    const char *path;
} sandbox_start;

/* Pushes what the functions of the prelude share. */
static void push_shared(lua_State *L, const sandbox_start *m)
{
    lua_createtable(L, 0, 5);
    lua_pushcfunction(L, m->open);
    lua_call(L, 0, 1);
    lua_setfield(L, -2, "core");
    pod_lua_push_context(L, pod_lua_sandbox_of(L)->policy);
    lua_setfield(L, -2, "policy");
    lua_pushcfunction(L, spend);
    lua_setfield(L, -2, "spend");
    lua_pushcfunction(L, pod_lua_sandbox_call_host);
    lua_setfield(L, -2, "call_host");
    pod_lua_set_text(L, "path", m->path);
#ifdef MOONPOD_ONE_FILE
    lua_pushcfunction(L, embedded_text);
    lua_setfield(L, -2, "module_text");
#endif
}

static void open_library(lua_State *L, const char *name, lua_CFunction open)
{
    const int top = lua_gettop(L);
    lua_pushcfunction(L, open);
    lua_pushstring(L, name);
    lua_call(L, 1, 1);
    if (lua_istable(L, -1) && *name)
        lua_setglobal(L, name);
    lua_settop(L, top);
}

/* Opens libraries of Lua; the prelude takes away what leaves the sandbox. */
static void open_libraries(lua_State *L)
{
    open_library(L, "", luaopen_base);
    open_library(L, "table", luaopen_table);
    open_library(L, "string", luaopen_string);
    open_library(L, "math", luaopen_math);
    open_library(L, "io", luaopen_io);
    open_library(L, "os", luaopen_os);
    open_library(L, "debug", luaopen_debug);
#if LUA_VERSION_NUM >= 502
    open_library(L, "coroutine", luaopen_coroutine);
#endif
#if LUA_VERSION_NUM >= 503
    open_library(L, "utf8", luaopen_utf8);
#endif
    lua_getglobal(L, "string");
    pod_lua_open_counted_patterns(L);
    lua_pop(L, 1);
}

/* In the new state, protected: opens the libraries, and keeps the function that the last of the prelude returns. */
static int prepare(lua_State *L)
{
    const sandbox_start *m = lua_touserdata(L, -1);
    lua_settop(L, 0);
    open_libraries(L);
    lua_pushlightuserdata(L, &m->box->current);
    lua_setfield(L, LUA_REGISTRYINDEX, "moonpod.context_slot");
    lua_newtable(L);
    lua_setfield(L, LUA_REGISTRYINDEX, SANDBOX "_results");
    push_shared(L, m);
    const int shared = lua_gettop(L);
    char source[LONGEST_SOURCE] = "";
    for (int i = 1; i <= (int)pod_lua_length(m->host, m->prelude); i++) {
        size_t size;
        lua_rawgeti(m->host, m->prelude, i);
        const char *chunk = lua_type(m->host, -1) == LUA_TSTRING ? lua_tolstring(m->host, -1, &size) : NULL;
        lua_pop(m->host, 1); /* the array has it */
        if (!chunk)
            return luaL_error(L, "option 'prelude' has what is no text");
        lua_settop(L, shared);
        if (luaL_loadbuffer(L, chunk, size, "=sandbox") != 0)
            return lua_error(L);
        lua_Debug at;
        lua_pushvalue(L, -1);
        lua_getinfo(L, ">S", &at);
        snprintf(source, sizeof source, "%s", at.source);
        lua_pushvalue(L, shared);
        lua_call(L, 1, 1);
    }
    memcpy(m->box->prelude, source, sizeof source);
    lua_setfield(L, LUA_REGISTRYINDEX, SANDBOX);
    return 0;
}

static int call_prepare(lua_State *L, sandbox_start *m)
{
#if LUA_VERSION_NUM >= 502
    lua_pushcfunction(L, prepare);
    lua_pushlightuserdata(L, m);
    return lua_pcall(L, 1, 0, 0);
#else
    return lua_cpcall(L, prepare, m);
#endif
}

static double number_field(lua_State *L, const char *name, double least, double most)
{
    lua_getfield(L, 2, name);
    const double value = pod_lua_check_real(L, -1, name, least, most);
    lua_pop(L, 1);
    return value;
}

/* The context whose files the sandbox has: those of the host's, or fewer. */
static void make_policy(lua_State *L, const pod_context *host, pod_sandbox *box)
{
    pod_error error;
    const pod_context_options options = {
        .allocator = {pod_lua_sandbox_resize, box}, .threads = 1, .all_threads = box->threads};
    const char *files = pod_context_files(host);
    pod_lua_check(L, pod_context_new(&options, &box->policy, &error), &error);
    if (files)
        pod_lua_check(L, pod_context_set_files(box->policy, files, &error), &error);
    lua_getfield(L, 2, "files");
    files = lua_type(L, -1) == LUA_TSTRING ? pod_lua_check_text(L, -1) : "";
    pod_lua_check(L, pod_context_set_files(box->policy, files, &error), &error);
    lua_pop(L, 1);
}

/* sandbox(context, {memory =, threads =, files = folder or false, prelude = dumped functions, path = where modules
 * lie, functions = an array of the host's}): those of the prelude are called in the new state with a table {core =,
 * policy = a context that has the sandbox's files, spend =, call_host =, path =}; the last returns what sandbox:run()
 * calls */
static int sandbox_new(lua_State *L)
{
    const pod_context *host = pod_lua_check_context(L, 1);
    sandbox_start m = {0};
    if (pod_lua_sandbox_of(L))
        return luaL_error(L, "a sandbox makes no sandboxes");
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_settop(L, 2);
    const double memory = number_field(L, "memory", 1, 1e15), threads = number_field(L, "threads", 1, 1024);
    lua_getfield(L, 2, "prelude");
    luaL_checktype(L, -1, LUA_TTABLE);
    m.host = L;
    lua_getfield(L, LUA_REGISTRYINDEX, OPEN);
    m.open = lua_tocfunction(L, -1);
    lua_pop(L, 1);
    m.prelude = lua_gettop(L);
    lua_getfield(L, 2, "path");
    m.path = pod_lua_check_text(L, -1);
    lua_getfield(L, 2, "functions");
    luaL_checktype(L, -1, LUA_TTABLE);
    const int functions = pod_lua_sandbox_keep_functions(L, lua_gettop(L));
    pod_sandbox **at = pod_lua_newuserdata_with_table(L, sizeof *at);
    *at = NULL;
    pod_lua_setmetatable(L, SANDBOX);
    m.box = *at = calloc(1, sizeof **at);
    if (!m.box)
        return luaL_error(L, "no memory for a sandbox");
    m.box->most_held = (uint64_t)memory;
    m.box->threads = (int)threads;
    m.box->host.count = functions;
    make_policy(L, host, m.box);
    m.box->state = lua_newstate(pod_lua_sandbox_resize, m.box);
    if (!m.box->state)
        return luaL_error(L, "there is no memory for a sandbox below its limit of %f bytes", memory);
    if (call_prepare(m.box->state, &m) != LUA_OK) {
        push_failure(L, m.box->state);
        return luaL_error(L, "a sandbox cannot be made: %s", lua_tostring(L, -1));
    }
    return 1;
}

static const pod_lua_function functions[] = {{"sandbox", .plain = sandbox_new}, {0}};
static const pod_lua_function methods[] = {{"run", .plain = sandbox_run}, {"memory", .plain = sandbox_memory}, {0}};

void pod_lua_open_sandbox(lua_State *L, lua_CFunction open)
{
    lua_pushcfunction(L, open);
    lua_setfield(L, LUA_REGISTRYINDEX, OPEN);
    pod_lua_open_copied_values(L);
    pod_lua_open_kind(L, &sandbox_kind, methods);
    pod_lua_set_functions(L, functions);
}
