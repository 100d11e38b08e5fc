#include "paths.h"

#include <lauxlib.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <uv.h>

#include "base/system/host/host_system.h"
#ifdef MOONPOD_ONE_FILE
#include "one_file/embedded.h"
#endif

enum { PATH_SIZE = 4096 };

/* The folder above; false for that of the root. */
static bool go_up(char *path)
{
    char *slash = strrchr(path, '/');
    if (slash == NULL)
        return false;
    *slash = '\0';
    return true;
}

#ifndef MOONPOD_ONE_FILE

static bool exists(const char *folder, const char *name)
{
    char path[PATH_SIZE];
    const int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    return length > 0 && (size_t)length < sizeof path && access(path, R_OK) == 0;
}

/* Adds the templates on top to package.path or package.cpath; package lies below them. Pops them. */
static void add(lua_State *L, const char *name)
{
    lua_getfield(L, -2, name);
    lua_pushfstring(L, "%s;%s", lua_tostring(L, -1), lua_tostring(L, -2));
    lua_setfield(L, -4, name);
    lua_pop(L, 2);
}

/* The checkout that a folder of CMake is of: the one that lies around it, else the one that CMake was given, whose path
 * is kept in lua/checkout there. What was unpacked from one file is its own. */
static bool find_checkout(const char *folder, char root[PATH_SIZE])
{
    enum { MOST_ABOVE = 4 };
    snprintf(root, PATH_SIZE, "%s", folder);
    for (int i = 0; i <= MOST_ABOVE; i++) {
        if (exists(root, "lua/moonpod/init.lua"))
            return true;
        if (!go_up(root))
            break;
    }
    if (snprintf(root, PATH_SIZE, "%s/lua/checkout", folder) >= PATH_SIZE)
        return false;
    FILE *file = fopen(root, "r");
    const bool read = file != NULL && fgets(root, PATH_SIZE, file) != NULL;
    if (file != NULL)
        fclose(file);
    return read && exists(root, "lua/moonpod/init.lua");
}

/* A folder of CMake has the module in lua/moonpod beside the executable. */
static bool add_checkout(lua_State *L, const char *folder)
{
    char root[PATH_SIZE];
    if (!exists(folder, "lua/moonpod/core" POD_HOST_ENDING) || !find_checkout(folder, root))
        return false;
    lua_pushfstring(L, "%s/lua/?.lua;%s/lua/?/init.lua", root, root);
    add(L, "path");
    lua_pushfstring(L, "%s/lua/" POD_HOST_MODULE, folder);
    add(L, "cpath");
    return true;
}

#endif

bool paths_push_function(lua_State *L, const char *module, const char *name)
{
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    if (lua_getfield(L, -1, module) != LUA_TTABLE) {
        lua_pop(L, 2);
        lua_getglobal(L, "require");
        lua_pushstring(L, module);
        if (lua_pcall(L, 1, 1, 0) != LUA_OK)
            return false;
        lua_pushvalue(L, -1);
    }
    lua_remove(L, -2);
    if (lua_istable(L, -1))
        lua_getfield(L, -1, name);
    else
        lua_pushnil(L);
    lua_remove(L, -2);
    return lua_isfunction(L, -1);
}

void paths_push_host(lua_State *L)
{
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    luaL_getsubtable(L, -1, "moonpod.host");
    lua_remove(L, -2);
}

static bool find_program(char path[PATH_SIZE])
{
    size_t size = PATH_SIZE;
    if (uv_exepath(path, &size) != 0)
        return false;
    pod_host_use_slashes(path);
    return true;
}

/* The folder of the executable. */
static bool find_folder(char path[PATH_SIZE])
{
    return find_program(path) && go_up(path);
}

static bool push_found(lua_State *L, bool (*find)(char path[PATH_SIZE]))
{
    char path[PATH_SIZE];
    if (!find(path))
        return false;
    lua_pushstring(L, path);
    return true;
}

bool paths_push_program(lua_State *L)
{
    return push_found(L, find_program);
}

bool paths_push_folder(lua_State *L)
{
    return push_found(L, find_folder);
}

#ifdef MOONPOD_ONE_FILE

void paths_add(lua_State *L)
{
    embedded_add(L);
}

#else

void paths_add(lua_State *L)
{
    char path[PATH_SIZE];
    const int top = lua_gettop(L);
    if (!find_folder(path))
        return;
    lua_getglobal(L, "package");
    if (lua_istable(L, -1) && !add_checkout(L, path) && go_up(path)) { /* <prefix>/bin/moonpod */
        lua_pushfstring(L, "%s/share/lua/5.4/?.lua;%s/share/lua/5.4/?/init.lua", path, path);
        add(L, "path");
        lua_pushfstring(L, "%s/" MOONPOD_LUA_LIBDIR "/5.4/" POD_HOST_MODULE, path);
        add(L, "cpath");
    }
    lua_settop(L, top);
}

#endif
