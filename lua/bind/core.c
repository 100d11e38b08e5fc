/* core - errors of the module moonpod.core, and its smallest functions. */

#include "sandbox.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/host/host_system.h"

int pod_lua_raise(lua_State *L, const pod_error *error)
{
    lua_pushstring(L, error->message);
    return lua_error(L);
}

void pod_lua_check(lua_State *L, pod_status status, const pod_error *error)
{
    if (status < 0)
        pod_lua_raise(L, error);
}

pod_status pod_lua_refuse(pod_error *error, pod_status status, const char *message)
{
    error->status = status;
    snprintf(error->message, sizeof error->message, "%s", message);
    return status;
}

/* What a context held at least since all garbage was collected. */
typedef struct least_held {
    const pod_context *context;
    uint64_t bytes;
} least_held;

static least_held *find_least_held(lua_State *L)
{
    static const char key;
    luaL_checkstack(L, 3, "memory of a context");
    lua_pushlightuserdata(L, (void *)&key);
    lua_rawget(L, LUA_REGISTRYINDEX);
    least_held *least = lua_touserdata(L, -1);
    if (!least) {
        lua_pushlightuserdata(L, (void *)&key);
        least = pod_lua_newuserdata(L, sizeof *least);
        *least = (least_held){0};
        lua_rawset(L, LUA_REGISTRYINDEX);
    }
    lua_pop(L, 1);
    return least;
}

#define LEAST_GROWTH ((uint64_t)64 << 20)

/* Generations make old what lives through two young collections, and the next whole one waits until the state's own
 * memory has doubled: so results, whose memory is not the state's, would pile up. */
static void collect_what_is_old(lua_State *L, const pod_context *context)
{
    least_held *least = find_least_held(L);
    const uint64_t held = pod_context_memory(context).current_bytes;
    if (least->context != context || held < least->bytes)
        *least = (least_held){context, held};
    const uint64_t eighth = least->bytes / 8, growth = held - least->bytes;
    if (growth < (eighth > LEAST_GROWTH ? eighth : LEAST_GROWTH))
        return;
    lua_gc(L, LUA_GCCOLLECT, 0);
    least->bytes = pod_context_memory(context).current_bytes;
}

void pod_lua_charge(lua_State *L, const pod_context *context, size_t bytes)
{
    const size_t kilobytes = bytes / 1024;
    if (kilobytes == 0)
        return;
    lua_gc(L, LUA_GCSTEP, kilobytes > 1 << 20 ? 1 << 20 : (int)kilobytes);
    if (context)
        collect_what_is_old(L, context);
}

/* ---- the module -------------------------------------------------------------------------------------- */

/* dtypes() -> array of {name = , xla = , size = , float = , integer = } */
static int module_dtypes(lua_State *L)
{
    lua_newtable(L);
    for (int i = POD_DTYPE_NONE + 1; i < POD_DTYPE_END; i++) {
        pod_dtype dtype = (pod_dtype)i;
        lua_newtable(L);
        pod_lua_set_text(L, "name", pod_dtype_name(dtype));
        pod_lua_set_text(L, "xla", pod_dtype_xla_name(dtype));
        pod_lua_set_integer(L, "size", (int64_t)pod_dtype_size(dtype));
        pod_lua_set_boolean(L, "float", pod_dtype_is_float(dtype));
        pod_lua_set_boolean(L, "integer", pod_dtype_is_integer(dtype));
        lua_rawseti(L, -2, i);
    }
    return 1;
}

static void set_takes(lua_State *L, const char *kind, pod_op op, pod_dtype dtype)
{
    lua_pushboolean(L, pod_op_takes(op, dtype));
    lua_setfield(L, -2, kind);
}

/* ops() -> array of the primitive ops, {name = , operands = , float = , integer = , bool = }; the last four are of ops
 * by element: how many operands of one type they have, else 0, and of which types */
static int module_ops(lua_State *L)
{
    lua_newtable(L);
    for (pod_op op = 0; op < pod_op_count(); op++) {
        lua_createtable(L, 0, 5);
        pod_lua_set_text(L, "name", pod_op_name(op));
        pod_lua_set_integer(L, "operands", pod_op_elementwise_operands(op));
        set_takes(L, "float", op, POD_F32);
        set_takes(L, "integer", op, POD_S32);
        set_takes(L, "bool", op, POD_BOOL);
        lua_rawseti(L, -2, op + 1);
    }
    return 1;
}

/* version() -> "0.1.0", of the library that runs */
static int module_version(lua_State *L)
{
    int version = pod_version();
    lua_pushfstring(L, "%d.%d.%d", version / 10000, version / 100 % 100, version % 100);
    return 1;
}

/* clock() -> seconds that have passed since some moment, never going back */
static int module_clock(lua_State *L)
{
    lua_pushnumber(L, (lua_Number)pod_host_nanoseconds() * 1e-9);
    return 1;
}

/* is_terminal(descriptor) -> whether a person looks at it */
static int module_is_terminal(lua_State *L)
{
    if (pod_lua_sandbox_of(L)) /* what its scripts print goes to no terminal */
        return 0;
    lua_pushboolean(L, pod_host_is_terminal((int)pod_lua_check_within(L, 1, "descriptor", 0, INT_MAX)));
    return 1;
}

/* terminal_columns() -> width of the terminal: COLUMNS of the environment, else what the system says of standard
 * output, else 80 */
static int module_terminal_columns(lua_State *L)
{
    if (pod_lua_sandbox_of(L))
        return 0;
    const char *text = getenv("COLUMNS");
    int columns = text ? atoi(text) : 0;
    if (columns <= 0)
        columns = pod_host_columns();
    lua_pushinteger(L, columns > 0 ? columns : 80);
    return 1;
}

/* Frames of a stack that are looked at: models within models call each other some ten frames deep for each. */
#define MOST_FRAMES 500

/* user_line(prefix, calling, level) -> "file:line" of the innermost function of Lua whose source does not begin with
 * `prefix`, from `level` on as debug.getinfo() counts where this is called; the level of a call of `calling` that
 * comes before; nothing where there is neither. Each op that is recorded asks. */
static int module_user_line(lua_State *L)
{
    size_t length;
    const char *prefix = luaL_checklstring(L, 1, &length);
    lua_Debug frame;
    for (int level = (int)pod_lua_check_within(L, 3, "level", 0, INT_MAX); level < MOST_FRAMES; level++) {
        if (!lua_getstack(L, level, &frame) || !lua_getinfo(L, "Slf", &frame))
            return 0;
        const bool calls = lua_rawequal(L, -1, 2);
        lua_pop(L, 1);
        if (calls) {
            lua_pushinteger(L, level);
            return 1;
        }
        const bool own = length > 1 && strncmp(frame.source, prefix, length) == 0;
        if (!own && frame.currentline > 0) {
            lua_pushfstring(L, "%s:%d", frame.source[0] == '@' ? frame.source + 1 : frame.short_src, frame.currentline);
            return 1;
        }
    }
    return 0;
}

/* asking_patterns() -> {find = , match = , gmatch = , gsub = }, as Lua's, which ask as they go whether Ctrl-C was
 * pressed */
static int module_asking_patterns(lua_State *L)
{
    lua_createtable(L, 0, 4);
    pod_lua_open_counted_patterns(L);
    return 1;
}

static const pod_lua_function module_functions[] = {{"dtypes", .plain = module_dtypes},
                                                    {"ops", .plain = module_ops},
                                                    {"version", .plain = module_version},
                                                    {"clock", .plain = module_clock},
                                                    {"is_terminal", .plain = module_is_terminal},
                                                    {"terminal_columns", .plain = module_terminal_columns},
                                                    {"user_line", .plain = module_user_line},
                                                    {"asking_patterns", .plain = module_asking_patterns},
                                                    {0}};

const pod_lua_part pod_lua_module_part = {.functions = module_functions};
