#include "startup.h"

#include <lauxlib.h>
#include <lualib.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/system/host/host_system.h"

#ifdef MOONPOD_ONE_FILE
#include "one_file/embedded.h"
#endif
#include "paths.h"
#include "session.h"

int startup_run_text(lua_State *L, const char *text, const char *name)
{
    int status = luaL_loadbuffer(L, text, strlen(text), name);
    if (status == LUA_OK)
        status = session_call(L, 0, 0);
    return session_report(L, status);
}

int startup_run_file(lua_State *L, const char *path)
{
    int status = luaL_loadfile(L, path);
    if (status == LUA_OK)
        status = session_call(L, 0, 0);
    return session_report(L, status);
}

int startup_run_init(lua_State *L)
{
    const char *name = "=LUA_INIT" LUA_VERSUFFIX;
    const char *text = getenv(name + 1);
    if (text == NULL) {
        name = "=LUA_INIT";
        text = getenv(name + 1);
    }
    if (text == NULL)
        return LUA_OK;
    return text[0] == '@' ? startup_run_file(L, text + 1) : startup_run_text(L, text, name);
}

void startup_set_host(lua_State *L, bool colours, bool prompt)
{
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    lua_createtable(L, 0, 3);
    lua_pushboolean(L, colours);
    lua_setfield(L, -2, "colours");
    lua_pushboolean(L, prompt);
    lua_setfield(L, -2, "prompt");
    if (paths_push_folder(L))
        lua_setfield(L, -2, "folder");
#ifdef MOONPOD_ONE_FILE
    lua_pushcfunction(L, embedded_text);
    lua_setfield(L, -2, "text");
    lua_pushliteral(L, "OpenBLAS, plugins of PJRT, MPI, modules in C, the data service: this executable is one file, "
                       "which opens no libraries");
    lua_setfield(L, -2, "limits");
#ifdef MOONPOD_KERNEL_WITHIN
    if (paths_push_program(L))
        lua_setfield(L, -2, "kernel");
#endif
#elif defined(POD_WITHOUT_BACKENDS)
    lua_pushliteral(L, "plugins of PJRT, MPI, the data service: this build was made for a system without them");
    lua_setfield(L, -2, "limits");
#endif
    lua_setfield(L, -2, "moonpod.host");
    lua_pop(L, 1);
}

void startup_run_own_file(lua_State *L)
{
    const char *config = getenv("XDG_CONFIG_HOME"), *home = pod_host_home();
    if (pod_host_is_absolute(config))
        lua_pushfstring(L, "%s/moonpod/init.lua", config);
    else if (pod_host_is_absolute(home))
        lua_pushfstring(L, "%s/.config/moonpod/init.lua", home);
    else
        return;
    if (access(lua_tostring(L, -1), F_OK) == 0)
        (void)startup_run_file(L, lua_tostring(L, -1));
    lua_pop(L, 1);
}
