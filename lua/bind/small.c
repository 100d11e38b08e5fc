/* small - see small.h. */

#include "small.h"

#include <string.h>

#define TYPE "moonpod.small_type"

/* Chosen: what a game asks a network for, a line or some of the cache. */
#define MOST_BYTES 256

static int collect_type(lua_State *L)
{
    pod_lua_small_type *type = lua_touserdata(L, 1);
    pod_context_release(type->context);
    type->context = NULL;
    return 0;
}

pod_lua_small_type *pod_lua_new_small_type(lua_State *L, int index, pod_context *context, const pod_buffer *like)
{
    if (pod_buffer_bytes(like) > MOST_BYTES)
        return NULL;
    index = lua_absindex(L, index);
    pod_lua_small_type *made = pod_lua_newuserdata(L, sizeof *made);
    *made = (pod_lua_small_type){NULL, pod_buffer_dtype(like), *pod_buffer_shape(like), pod_buffer_bytes(like)};
    if (luaL_newmetatable(L, TYPE)) {
        lua_pushcfunction(L, collect_type);
        lua_setfield(L, -2, "__gc");
    }
    lua_setmetatable(L, -2);
    lua_rawseti(L, index, 1);
    made->context = pod_context_retain(context);
    return made;
}

pod_lua_small_box *pod_lua_push_small(lua_State *L, int index, pod_lua_small_type *type)
{
    lua_pushvalue(L, index);
    pod_lua_small_box *box = pod_lua_newuserdata_with_table(L, sizeof *box + type->bytes);
    box->buffer = NULL;
    box->type = type;
    return box;
}

pod_lua_small_box *pod_lua_to_small(lua_State *L, int index)
{
    return lua_rawlen(L, index) >= sizeof(pod_lua_small_box) ? lua_touserdata(L, index) : NULL;
}

bool pod_lua_is_box(lua_State *L, int index)
{
    if (lua_type(L, index) != LUA_TUSERDATA || !lua_getmetatable(L, index))
        return false;
    luaL_getmetatable(L, POD_LUA_BUFFER);
    bool is = lua_rawequal(L, -1, -2);
    if (!is) {
        lua_pop(L, 1);
        luaL_getmetatable(L, POD_LUA_SMALL_BUFFER);
        is = lua_rawequal(L, -1, -2);
    }
    lua_pop(L, 2);
    return is;
}

pod_buffer **pod_lua_check_box(lua_State *L, int index)
{
    return pod_lua_is_box(L, index) ? lua_touserdata(L, index) : luaL_checkudata(L, index, POD_LUA_BUFFER);
}

pod_buffer *pod_lua_open_box(lua_State *L, int index, pod_error *error)
{
    pod_buffer **box = lua_touserdata(L, index);
    if (error)
        error->status = POD_OK;
    if (*box)
        return *box;
    pod_lua_small_box *small = pod_lua_to_small(L, index);
    const pod_lua_small_type *type = small ? small->type : NULL;
    if (!type || !type->context)
        return NULL;
    index = lua_absindex(L, index);
    luaL_getmetatable(L, POD_LUA_BUFFER);
    lua_setmetatable(L, index);
    if (pod_buffer_new(type->context, type->dtype, &type->shape, &small->buffer, error) != POD_OK)
        return NULL;
    memcpy(pod_buffer_data(small->buffer), small->elements, type->bytes);
    small->type = NULL;
    return small->buffer;
}

pod_buffer *pod_lua_to_buffer(lua_State *L, int index)
{
    pod_buffer *buffer = pod_lua_is_box(L, index) ? pod_lua_open_box(L, index, NULL) : NULL;
    return buffer && pod_buffer_settle(buffer, NULL) == POD_OK ? buffer : NULL;
}

bool pod_lua_take_buffers(lua_State *L, size_t count, pod_buffer **buffers)
{
    size_t taken = 0;
    for (; taken < count && lua_type(L, -1) == LUA_TTABLE; taken++) {
        pod_lua_geti(L, -1, taken + 1);
        pod_buffer *buffer = pod_lua_to_buffer(L, -1);
        lua_pop(L, 1);
        if (!buffer)
            break;
        buffers[taken] = pod_buffer_retain(buffer);
    }
    lua_pop(L, 1);
    if (taken == count)
        return true;
    while (taken-- > 0)
        pod_buffer_release(buffers[taken]);
    return false;
}

void pod_lua_new_small_metatable(lua_State *L)
{
    luaL_newmetatable(L, POD_LUA_SMALL_BUFFER);
    lua_pushnil(L);
    while (lua_next(L, -3)) {
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, -4);
    }
    lua_pushnil(L);
    lua_setfield(L, -2, "__gc");
    lua_pop(L, 1);
}
