/* lua_text - texts and bytes of the core on their way into strings of Lua. */

#include "bind.h"

#include <string.h>

#define TEXT "moonpod.text"

static int text_collect(lua_State *L)
{
    pod_lua_text *box = luaL_checkudata(L, 1, TEXT);
    pod_text_free(box->context, box->text);
    pod_bytes_free(box->context, &box->bytes);
    pod_context_release(box->context);
    *box = (pod_lua_text){0};
    return 0;
}

pod_lua_text *pod_lua_new_text(lua_State *L, pod_context *context)
{
    pod_lua_text *box = pod_lua_newuserdata(L, sizeof *box);
    *box = (pod_lua_text){0};
    pod_lua_setmetatable(L, TEXT);
    box->context = pod_context_retain(context);
    return box;
}

int pod_lua_push_text(lua_State *L, pod_lua_text *box)
{
    if (box->text != NULL)
        lua_pushstring(L, box->text);
    else
        lua_pushlstring(L, box->bytes.data, box->bytes.size);
    pod_text_free(box->context, box->text);
    pod_bytes_free(box->context, &box->bytes);
    box->text = NULL;
    return 1;
}

void pod_lua_open_text(lua_State *L)
{
    luaL_newmetatable(L, TEXT);
    lua_pushcfunction(L, text_collect);
    lua_setfield(L, -2, "__gc");
    lua_pop(L, 1);
}
