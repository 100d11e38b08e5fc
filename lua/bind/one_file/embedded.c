#include "one_file/embedded.h"

#include "bind.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

int luaopen_moonpod_core(lua_State *L);

static int compare(const void *name, const void *module)
{
    return strcmp(name, ((const embedded_module *)module)->name);
}

static const embedded_module *find(const char *name)
{
    return bsearch(name, embedded_modules, embedded_count, sizeof(embedded_module), compare);
}

/* A searcher of package.searchers. */
static int search(lua_State *L)
{
    const char *name = pod_lua_check_text(L, 1);
    if (strcmp(name, "moonpod.core") == 0) {
        lua_pushcfunction(L, luaopen_moonpod_core);
        return 1;
    }
    const embedded_module *found = find(name);
    if (found == NULL) {
        lua_pushfstring(L, "no module '%s' within the executable", name);
        return 1;
    }
    lua_pushfstring(L, "@%s", found->path);
    if (luaL_loadbufferx(L, found->text, found->size, lua_tostring(L, -1), "t") != LUA_OK)
        return lua_error(L);
    lua_pushstring(L, found->path);
    return 2;
}

int embedded_text(lua_State *L)
{
    const char *name = pod_lua_check_text(L, 1);
    const embedded_module *found = find(name);
    for (size_t i = 0; found == NULL && i < embedded_count; i++)
        if (strcmp(name, embedded_modules[i].path) == 0)
            found = &embedded_modules[i];
    if (found != NULL)
        lua_pushlstring(L, found->text, found->size);
    else
        lua_pushnil(L);
    return 1;
}

void embedded_add(lua_State *L)
{
    const int top = lua_gettop(L);
    lua_getglobal(L, "package");
    if (lua_istable(L, -1) && lua_getfield(L, -1, "searchers") == LUA_TTABLE) {
        lua_Integer at = (lua_Integer)pod_lua_length(L, -1) + 1;
        for (; at > 2; at--) { /* behind that of package.preload */
            lua_rawgeti(L, -1, at - 1);
            lua_rawseti(L, -2, at);
        }
        lua_pushcfunction(L, search);
        lua_rawseti(L, -2, at);
    }
    lua_settop(L, top);
}
