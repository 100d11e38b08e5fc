/* core - what the files of the module moonpod.core share: errors and metatables; its smallest functions. */

#include "sandbox.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <sys/ioctl.h>
#include <unistd.h>

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

void pod_lua_charge(lua_State *L, size_t bytes)
{
    size_t kilobytes = bytes / 1024;
    if (kilobytes > 0)
        lua_gc(L, LUA_GCSTEP, kilobytes > 1 << 20 ? 1 << 20 : (int)kilobytes);
}

#define METHODS "__methods"

/* handle.name in a sandbox: for Moonpod's modules alone, or a script has a method called by whatever calls its
 * functions. */
static int method_of(lua_State *L)
{
    pod_lua_sandbox_check_caller(L);
    lua_settop(L, 2);
    lua_rawget(L, lua_upvalueindex(1));
    return 1;
}

void pod_lua_new_metatable(lua_State *L, const char *name, const luaL_Reg *methods, lua_CFunction close,
                           lua_CFunction to_string)
{
    luaL_newmetatable(L, name);
    lua_newtable(L);
    pod_lua_set_functions(L, methods);
    pod_lua_push_function(L, close);
    lua_setfield(L, -2, "close");
    lua_pushvalue(L, -1);
    lua_setfield(L, -3, METHODS);
    if (pod_lua_sandbox_of(L))
        lua_pushcclosure(L, method_of, 1);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, close);
    lua_setfield(L, -2, "__gc");
    pod_lua_push_function(L, close);
    lua_setfield(L, -2, "__close");
    pod_lua_push_function(L, to_string);
    lua_setfield(L, -2, "__tostring");
    lua_pushstring(L, name);
    lua_setfield(L, -2, "__name");
    lua_pushstring(L, name);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
}

void pod_lua_add_methods(lua_State *L, const char *name, const luaL_Reg *methods)
{
    luaL_getmetatable(L, name);
    lua_getfield(L, -1, METHODS);
    pod_lua_set_functions(L, methods);
    lua_pop(L, 2);
}

/* ---- the module -------------------------------------------------------------------------------------- */

/* dtypes() -> array of {name = , xla = , size = , float = , integer = } */
static int module_dtypes(lua_State *L)
{
    lua_newtable(L);
    for (int i = POD_DTYPE_NONE + 1; i < POD_DTYPE_END; i++) {
        pod_dtype dtype = (pod_dtype)i;
        lua_newtable(L);
        lua_pushstring(L, pod_dtype_name(dtype));
        lua_setfield(L, -2, "name");
        lua_pushstring(L, pod_dtype_xla_name(dtype));
        lua_setfield(L, -2, "xla");
        lua_pushinteger(L, (lua_Integer)pod_dtype_size(dtype));
        lua_setfield(L, -2, "size");
        lua_pushboolean(L, pod_dtype_is_float(dtype));
        lua_setfield(L, -2, "float");
        lua_pushboolean(L, pod_dtype_is_integer(dtype));
        lua_setfield(L, -2, "integer");
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
        lua_pushstring(L, pod_op_name(op));
        lua_setfield(L, -2, "name");
        lua_pushinteger(L, pod_op_elementwise_operands(op));
        lua_setfield(L, -2, "operands");
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
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    lua_pushnumber(L, (lua_Number)now.tv_sec + (lua_Number)now.tv_nsec * 1e-9);
    return 1;
}

/* is_terminal(descriptor) -> whether a person looks at it */
static int module_is_terminal(lua_State *L)
{
    if (pod_lua_sandbox_of(L)) /* what its scripts print goes to no terminal */
        return 0;
    lua_pushboolean(L, isatty((int)pod_lua_check_within(L, 1, "descriptor", 0, INT_MAX)));
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
    struct winsize size;
    if (columns <= 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
        columns = size.ws_col;
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

static const luaL_Reg module_functions[] = {
    {"dtypes", module_dtypes},           {"ops", module_ops},
    {"version", module_version},         {"clock", module_clock},
    {"is_terminal", module_is_terminal}, {"terminal_columns", module_terminal_columns},
    {"user_line", module_user_line},     {NULL, NULL}};

void pod_lua_open_module(lua_State *L)
{
    pod_lua_set_functions(L, module_functions);
}
