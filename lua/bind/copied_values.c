/* copied_values - see copied_values.h. */

#include "copied_values.h"
#include "small.h"

#include <string.h>

#include "base/checked.h"

#define MOST_ENTRIES 1000000
#define A_TABLE      56 /* bytes that Lua takes for one, and for each entry, about */
#define AN_ENTRY     40

static void copy(pod_lua_copier *c, int index, int depth);

/* Counts what the next copy takes: many references to one value become as many copies. */
static void count(pod_lua_copier *c, size_t bytes)
{
    if (pod_add_overflows(c->bytes, bytes, &c->bytes) || c->bytes > c->most_bytes)
        luaL_error(c->to, "values of more than %f bytes cannot be copied", (double)c->most_bytes);
}

static void copy_text(pod_lua_copier *c, int index)
{
    size_t length;
    const char *text = lua_tolstring(c->from, index, &length);
    count(c, length);
    lua_pushlstring(c->to, text, length);
}

#define PLAIN "moonpod.plain"

void pod_lua_open_copied_values(lua_State *L)
{
    lua_pushliteral(L, "__plain");
    lua_setfield(L, LUA_REGISTRYINDEX, PLAIN);
}

/* Whether a table has a metatable that is more than its way to be printed (lua/moonpod/base/readable.lua). Makes no
 * string: to look up a name that the state has takes no memory. */
static bool has_own_metatable(lua_State *L, int index)
{
    if (!lua_getmetatable(L, index))
        return false;
    lua_getfield(L, LUA_REGISTRYINDEX, PLAIN);
    lua_rawget(L, -2);
    const bool plain = lua_toboolean(L, -1);
    lua_pop(L, 2);
    return !plain;
}

static void copy_table(pod_lua_copier *c, int index, int depth)
{
    if (depth == POD_LUA_COPY_DEPTH || !lua_checkstack(c->from, 4))
        luaL_error(c->to, "tables are nested deeper than %d", POD_LUA_COPY_DEPTH);
    luaL_checkstack(c->to, 4, "nested tables");
    if (has_own_metatable(c->from, index))
        luaL_error(c->to, "tables with metatables cannot be copied; give plain tables, numbers, strings and tensors");
    count(c, A_TABLE);
    lua_newtable(c->to);
    lua_pushnil(c->from);
    while (lua_next(c->from, index)) {
        count(c, AN_ENTRY);
        copy(c, lua_gettop(c->from) - 1, depth + 1);
        copy(c, lua_gettop(c->from), depth + 1);
        lua_rawset(c->to, -3);
        lua_pop(c->from, 1);
    }
}

static void copy_buffer(pod_lua_copier *c, int index)
{
    const pod_buffer *buffer = pod_lua_to_buffer(c->from, index);
    pod_error error;
    if (!buffer || !c->context)
        luaL_error(c->to, "a userdata cannot be copied; give plain tables, numbers, strings and tensors");
    count(c, pod_buffer_bytes(buffer));
    pod_buffer **box = pod_lua_new_buffer_box(c->to);
    pod_lua_check(c->to, pod_buffer_new(c->context, pod_buffer_dtype(buffer), pod_buffer_shape(buffer), box, &error),
                  &error);
    memcpy(pod_buffer_data(*box), pod_buffer_data((pod_buffer *)buffer), pod_buffer_bytes(buffer));
}

/* Pushes a copy of a value. Raises in the state that it goes to. */
static void copy(pod_lua_copier *c, int index, int depth)
{
    if (++c->entries > MOST_ENTRIES)
        luaL_error(c->to, "more than %d values cannot be copied", MOST_ENTRIES);
    switch (lua_type(c->from, index)) {
    case LUA_TNIL:
        lua_pushnil(c->to);
        break;
    case LUA_TBOOLEAN:
        lua_pushboolean(c->to, lua_toboolean(c->from, index));
        break;
    case LUA_TNUMBER:
        if (lua_isinteger(c->from, index))
            lua_pushinteger(c->to, (lua_Integer)pod_lua_check_any(c->from, index, "an integer"));
        else
            lua_pushnumber(c->to, pod_lua_to_number(c->from, index));
        break;
    case LUA_TSTRING:
        copy_text(c, index);
        break;
    case LUA_TTABLE:
        copy_table(c, index, depth);
        break;
    case LUA_TUSERDATA:
        copy_buffer(c, index);
        break;
    default:
        luaL_error(c->to, "a %s cannot be copied; give plain tables, numbers, strings and tensors",
                   lua_typename(c->to, lua_type(c->from, index)));
    }
}

void pod_lua_copy_value(pod_lua_copier *copier, int index)
{
    copy(copier, index, 0);
}
