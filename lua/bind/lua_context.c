/* lua_context - memory, threads and log of everything made from it. */

#include "sandbox.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOG_LINES     64
#define LOG_LINE_SIZE 256

/* What the library logged and Lua has not read yet: the log callback may come from any thread, Lua
 * may not. The newest lines are kept. Lives as long as the pod_context does. */
typedef struct log_ring {
    atomic_bool announces; /* whether warnings are printed, too, at once: a script may be waiting for what they tell */
    atomic_flag busy;      /* guards the rest */
    unsigned first, count;
    pod_log_level levels[LOG_LINES];
    char lines[LOG_LINES][LOG_LINE_SIZE];
} log_ring;

/* The pod_context comes first: hosts may read it from the userdata. */
typedef struct context_box {
    pod_context *context;
    log_ring *log;
    struct context_box *older; /* the state's last before it: boxes live until the state ends */
} context_box;

static void ring_lock(log_ring *ring)
{
    while (atomic_flag_test_and_set_explicit(&ring->busy, memory_order_acquire)) {
    }
}

static void ring_unlock(log_ring *ring)
{
    atomic_flag_clear_explicit(&ring->busy, memory_order_release);
}

static void ring_add(void *log_context, pod_log_level level, const char *message)
{
    log_ring *ring = log_context;
    if (level == POD_LOG_WARNING && atomic_load(&ring->announces))
        (void)fprintf(stderr, "moonpod: warning: %s\n", message);
    ring_lock(ring);
    unsigned place = (ring->first + ring->count) % LOG_LINES;
    if (ring->count < LOG_LINES)
        ring->count++;
    else
        ring->first = (ring->first + 1) % LOG_LINES;
    ring->levels[place] = level;
    size_t length = strlen(message);
    if (length >= LOG_LINE_SIZE)
        length = LOG_LINE_SIZE - 1;
    memcpy(ring->lines[place], message, length);
    ring->lines[place][length] = '\0';
    ring_unlock(ring);
}

static bool ring_take(log_ring *ring, pod_log_level *level, char line[LOG_LINE_SIZE])
{
    ring_lock(ring);
    bool any = ring->count > 0;
    if (any) {
        *level = ring->levels[ring->first];
        memcpy(line, ring->lines[ring->first], LOG_LINE_SIZE);
        ring->first = (ring->first + 1) % LOG_LINES;
        ring->count--;
    }
    ring_unlock(ring);
    return any;
}

#define NEWEST "moonpod.context_newest"
#define SLOT   "moonpod.context_slot"

/* A host that wants to interrupt what runs (from a signal handler, say) puts the address of a pod_context pointer into
 * the registry as "moonpod.context_slot"; it receives the newest context that is open, borrowed while it is there; NULL
 * where none is. */
static void tell_host(lua_State *L)
{
    lua_getfield(L, LUA_REGISTRYINDEX, NEWEST);
    const context_box *newest = lua_touserdata(L, -1);
    while (newest && !newest->context)
        newest = newest->older;
    lua_getfield(L, LUA_REGISTRYINDEX, SLOT);
    pod_context **slot = lua_touserdata(L, -1);
    if (slot)
        *slot = newest ? newest->context : NULL;
    lua_pop(L, 2);
}

/* Keeps the box on top of the stack until the state ends, as the newest. */
static void keep(lua_State *L, context_box *box)
{
    lua_pushvalue(L, -1);
    luaL_ref(L, LUA_REGISTRYINDEX);
    lua_getfield(L, LUA_REGISTRYINDEX, NEWEST);
    box->older = lua_touserdata(L, -1);
    lua_pop(L, 1);
    lua_pushlightuserdata(L, box);
    lua_setfield(L, LUA_REGISTRYINDEX, NEWEST);
    tell_host(L);
}

static void end(void *context)
{
    pod_context_release(context);
}

/* Objects made from the context may still hold it and log: the ring stays until the state ends. */
static int context_close(lua_State *L)
{
    context_box *box = luaL_checkudata(L, 1, POD_LUA_CONTEXT);
    pod_context *context = box->context;
    if (!context)
        return 0;
    box->context = NULL;
    tell_host(L);
    pod_lua_end(L, end, context);
    return 0;
}

/* Runs when the state ends, after the finalisers of all that was made later: the registry holds
 * contexts until then. */
static int context_collect(lua_State *L)
{
    context_box *box = luaL_checkudata(L, 1, POD_LUA_CONTEXT);
    context_close(L);
    free(box->log);
    box->log = NULL;
    return 0;
}

static void describe(lua_State *L, void *context)
{
    lua_pushfstring(L, "%d threads, %s", pod_context_threads(context), pod_context_isa(context));
}

static const pod_lua_kind context_kind = {
    POD_LUA_CONTEXT,     "context", .size = sizeof(context_box), .close = context_close, .collect = context_collect,
    .describe = describe};

pod_context *pod_lua_check_context(lua_State *L, int index)
{
    return pod_lua_check_open(L, index, &context_kind);
}

/* An option of a table that counts bytes, from `least`; 0 where there is none. */
static uint64_t read_bytes(lua_State *L, int table, const char *name, int64_t least)
{
    const char *what = lua_pushfstring(L, "option '%s'", name);
    lua_getfield(L, table, name);
    const int64_t bytes = lua_isnil(L, -1) ? 0 : pod_lua_check_within(L, -1, what, least, INT64_MAX);
    lua_pop(L, 2);
    return (uint64_t)bytes;
}

/* Applies the option 'files' of a table: a folder, or false. */
static pod_status set_files(lua_State *L, int table, pod_context *context, pod_error *error)
{
    const char *files = NULL;
    lua_getfield(L, table, "files");
    if (lua_isboolean(L, -1) && !lua_toboolean(L, -1)) {
        files = "";
    } else if (!lua_isnil(L, -1)) {
        pod_lua_check_top(L, LUA_TSTRING, "option 'files'");
        files = pod_lua_check_text(L, -1);
        if (*files == '\0')
            luaL_error(L, "option 'files' must name a folder, or be false for no files");
    }
    const pod_status status = files ? pod_context_set_files(context, files, error) : POD_OK;
    lua_pop(L, 1);
    return status;
}

/* context{threads = , isa = , unpacked_bytes = , short_run_nanoseconds = , memory_limit = , files = } */
static int context_new(lua_State *L, pod_error *error)
{
    pod_context_options options = {0};
    if (!lua_isnoneornil(L, 1)) {
        luaL_checktype(L, 1, LUA_TTABLE);
        lua_getfield(L, 1, "threads");
        if (!lua_isnil(L, -1))
            options.threads = (int)pod_lua_check_within(L, -1, "option 'threads'", INT_MIN, INT_MAX);
        lua_getfield(L, 1, "isa");
        if (!lua_isnil(L, -1)) {
            pod_lua_check_top(L, LUA_TSTRING, "option 'isa'");
            options.isa = pod_lua_check_text(L, -1);
        }
        options.unpacked_bytes = read_bytes(L, 1, "unpacked_bytes", 1);
        options.memory_limit = read_bytes(L, 1, "memory_limit", 0);
        lua_getfield(L, 1, "short_run_nanoseconds");
        if (!lua_isnil(L, -1))
            options.short_run_nanoseconds = pod_lua_check_any(L, -1, "option 'short_run_nanoseconds'");
    }
    context_box *box = pod_lua_new_box(L, &context_kind);
    box->log = calloc(1, sizeof *box->log);
    if (!box->log)
        return luaL_error(L, "no memory for a context");
    atomic_flag_clear(&box->log->busy);
    options.log = ring_add;
    options.log_context = box->log;
    pod_lua_sandbox_limit_options(L, &options);
    pod_lua_check(L, pod_context_new(&options, &box->context, error), error);
    keep(L, box);
    pod_lua_check(L, pod_lua_sandbox_limit_context(L, box->context, error), error);
    return pod_lua_results(lua_istable(L, 1) ? set_files(L, 1, box->context, error) : POD_OK, 1);
}

void pod_lua_push_context(lua_State *L, pod_context *context)
{
    context_box *box = pod_lua_new_box(L, &context_kind);
    box->context = pod_context_retain(context);
}

static int context_threads(lua_State *L)
{
    lua_pushinteger(L, pod_context_threads(pod_lua_check_context(L, 1)));
    return 1;
}

static int context_set_threads(lua_State *L, pod_error *error)
{
    pod_context *context = pod_lua_check_context(L, 1);
    int threads = (int)pod_lua_check_within(L, 2, "threads", INT_MIN, INT_MAX);
    pod_lua_sandbox_check_threads(L, threads);
    return pod_context_set_threads(context, threads, error);
}

/* context:set_flush_subnormals(flush) */
static int context_set_flush_subnormals(lua_State *L, pod_error *error)
{
    pod_context *context = pod_lua_check_context(L, 1);
    luaL_checktype(L, 2, LUA_TBOOLEAN);
    return pod_context_set_flush_subnormals(context, lua_toboolean(L, 2), error);
}

/* context:set_nice(nice) */
static int context_set_nice(lua_State *L, pod_error *error)
{
    pod_context *context = pod_lua_check_context(L, 1);
    const int nice = (int)pod_lua_check_within(L, 2, "nice", INT_MIN, INT_MAX);
    return pod_context_set_nice(context, nice, error);
}

/* context:set_unpacked_bytes{unpacked_bytes = } */
static int context_set_unpacked_bytes(lua_State *L)
{
    pod_context *context = pod_lua_check_context(L, 1);
    luaL_checktype(L, 2, LUA_TTABLE);
    pod_context_set_unpacked_bytes(context, read_bytes(L, 2, "unpacked_bytes", 1));
    return 0;
}

/* context:unpacked_bytes() -> bytes */
static int context_unpacked_bytes(lua_State *L)
{
    pod_lua_push_int64(L, (int64_t)pod_context_unpacked_bytes(pod_lua_check_context(L, 1)));
    return 1;
}

/* context:limit{memory_limit = , files = , seconds = }: what is given; seconds from now on, 0 for no end */
static int context_limit(lua_State *L, pod_error *error)
{
    pod_context *context = pod_lua_check_context(L, 1);
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_settop(L, 2);
    lua_getfield(L, 2, "memory_limit");
    if (!lua_isnil(L, -1))
        pod_context_set_memory_limit(context, read_bytes(L, 2, "memory_limit", 0));
    lua_getfield(L, 2, "seconds");
    if (!lua_isnil(L, -1)) {
        const double seconds = pod_lua_check_real(L, -1, "option 'seconds'", 0, 1e9);
        if (pod_lua_sandbox_of(L))
            return luaL_error(L, "the time of a sandbox is its host's");
        pod_context_set_deadline(context, (uint64_t)(seconds * 1e9));
    }
    return set_files(L, 2, context, error);
}

/* context:locate(path) -> where it leads, see pod_locate_file() */
static int context_locate(lua_State *L, pod_error *error)
{
    pod_context *context = pod_lua_check_context(L, 1);
    const char *path = pod_lua_check_text(L, 2);
    pod_lua_text *text = pod_lua_new_text(L, context);
    return pod_lua_push_text(L, text, pod_locate_file(context, path, &text->text, error));
}

static int context_isa(lua_State *L)
{
    lua_pushstring(L, pod_context_isa(pod_lua_check_context(L, 1)));
    return 1;
}

static int context_interrupt(lua_State *L)
{
    pod_context_interrupt(pod_lua_check_context(L, 1));
    return 0;
}

static int context_clear_interrupt(lua_State *L)
{
    lua_pushboolean(L, pod_context_clear_interrupt(pod_lua_check_context(L, 1)));
    return 1;
}

static int context_yields(lua_State *L)
{
    lua_pushboolean(L, pod_context_yields(pod_lua_check_context(L, 1)));
    return 1;
}

/* context:memory() -> {current_bytes = , peak_bytes = , allocations = , limit_bytes = } */
static int context_memory(lua_State *L)
{
    pod_memory_stats stats = pod_context_memory(pod_lua_check_context(L, 1));
    lua_newtable(L);
    pod_lua_set_integer(L, "current_bytes", (int64_t)stats.current_bytes);
    pod_lua_set_integer(L, "peak_bytes", (int64_t)stats.peak_bytes);
    pod_lua_set_integer(L, "allocations", (int64_t)stats.allocations);
    pod_lua_set_integer(L, "limit_bytes", (int64_t)pod_context_memory_limit(pod_lua_check_context(L, 1)));
    return 1;
}

/* context:messages() -> array of {level = "debug" | "info" | "warning", text = }, which are forgotten */
static int context_messages(lua_State *L)
{
    static const char *const levels[] = {"debug", "info", "warning"};
    (void)pod_lua_check_context(L, 1);
    context_box *box = lua_touserdata(L, 1);
    pod_log_level level;
    char line[LOG_LINE_SIZE];
    lua_newtable(L);
    for (int i = 1; ring_take(box->log, &level, line); i++) {
        lua_newtable(L);
        pod_lua_set_text(L, "level", levels[level]);
        pod_lua_set_text(L, "text", line);
        lua_rawseti(L, -2, i);
    }
    return 1;
}

/* context:announce(whether): whether warnings are printed, too, at once; those of a sandbox are not */
static int context_announce(lua_State *L)
{
    (void)pod_lua_check_context(L, 1);
    const context_box *box = lua_touserdata(L, 1);
    luaL_checktype(L, 2, LUA_TBOOLEAN);
    atomic_store(&box->log->announces, lua_toboolean(L, 2) && pod_lua_sandbox_of(L) == NULL);
    return 0;
}

static const pod_lua_function context_methods[] = {{"threads", .plain = context_threads},
                                                   {"set_threads", .failing = context_set_threads},
                                                   {"set_flush_subnormals", .failing = context_set_flush_subnormals},
                                                   {"set_nice", .failing = context_set_nice},
                                                   {"isa", .plain = context_isa},
                                                   {"limit", .failing = context_limit},
                                                   {"locate", .failing = context_locate},
                                                   {"unpacked_bytes", .plain = context_unpacked_bytes},
                                                   {"set_unpacked_bytes", .plain = context_set_unpacked_bytes},
                                                   {"interrupt", .plain = context_interrupt},
                                                   {"yields", .plain = context_yields},
                                                   {"clear_interrupt", .plain = context_clear_interrupt},
                                                   {"memory", .plain = context_memory},
                                                   {"messages", .plain = context_messages},
                                                   {"announce", .plain = context_announce},
                                                   {0}};

static const pod_lua_function functions[] = {{"context", .failing = context_new}, {0}};

/* Finalisers look the host's slot up, maybe without memory for a string: so there is one from here on. */
static void keep_name(lua_State *L)
{
    lua_pushliteral(L, SLOT);
    lua_setfield(L, LUA_REGISTRYINDEX, SLOT "_name");
}

const pod_lua_part pod_lua_context_part = {
    .functions = functions, .kind = &context_kind, .methods = context_methods, .open = keep_name};
