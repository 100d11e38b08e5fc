#include "hooks.h"

#include <dirent.h>
#include <fcntl.h>
#include <lauxlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct completion {
    const line_question *asked;
    line_candidates *to;
} completion;

static void set_flag(lua_State *L, const char *name, bool value)
{
    lua_pushboolean(L, value);
    lua_setfield(L, -2, name);
}

int hooks_list_folder(lua_State *L)
{
    enum { MOST_NAMES = 5000 };
    DIR *folder = opendir(luaL_checkstring(L, 1));
    lua_newtable(L);
    struct dirent *entry;
    for (lua_Integer i = 1; i <= MOST_NAMES && folder != NULL && (entry = readdir(folder)) != NULL;) {
        struct stat about;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        const bool is_folder = fstatat(dirfd(folder), entry->d_name, &about, 0) == 0 && S_ISDIR(about.st_mode);
        lua_pushfstring(L, "%s%s", entry->d_name, is_folder ? "/" : "");
        lua_rawseti(L, -2, i++);
    }
    if (folder != NULL)
        closedir(folder);
    return 1;
}

/* Leaves a module: what is loaded already, whatever the global require has become. */
static void push_module(lua_State *L, const char *name)
{
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    if (lua_getfield(L, -1, name) == LUA_TNIL) {
        lua_pop(L, 1);
        lua_getglobal(L, "require");
        lua_pushstring(L, name);
        lua_call(L, 1, 1);
    }
    lua_remove(L, -2);
}

typedef struct whole_call {
    const char *text;
    size_t size;
    bool whole;
} whole_call;

static int find_whole(lua_State *L)
{
    whole_call *call = lua_touserdata(L, 1);
    push_module(L, "moonpod.session.entry");
    lua_getfield(L, -1, "is_whole");
    lua_pushlstring(L, call->text, call->size);
    lua_call(L, 1, 1);
    call->whole = lua_toboolean(L, -1);
    return 0;
}

static bool is_whole(void *user, const char *text, size_t size)
{
    lua_State *L = user;
    whole_call call = {text, size, true};
    lua_pushcfunction(L, find_whole);
    lua_pushlightuserdata(L, &call);
    if (lua_pcall(L, 1, 0, 0) != LUA_OK)
        lua_pop(L, 1);
    return call.whole;
}

static int load_pod(lua_State *L)
{
    push_module(L, "moonpod");
    return 1;
}

static int load_help(lua_State *L)
{
    push_module(L, "moonpod");
    lua_getfield(L, -1, "help");
    return 1;
}

/* candidates(text before the cursor, { string = where it begins, comment =, list = }) of moonpod.session.complete gives
 * a place in the text, and an array of { text =, help = }. */
static int find_candidates(lua_State *L)
{
    completion *call = lua_touserdata(L, 1);
    const line_question *asked = call->asked;
    push_module(L, "moonpod.session.complete");
    lua_getfield(L, -1, "candidates");
    lua_pushlstring(L, asked->text, asked->cursor);
    lua_createtable(L, 0, 4);
    set_flag(L, "comment", asked->in_comment);
    lua_pushcfunction(L, hooks_list_folder);
    lua_setfield(L, -2, "list");
    lua_createtable(L, 0, 2);
    lua_pushcfunction(L, load_pod);
    lua_setfield(L, -2, "pod");
    lua_pushcfunction(L, load_help);
    lua_setfield(L, -2, "help");
    lua_setfield(L, -2, "late");
    if (asked->in_string) {
        lua_pushinteger(L, (lua_Integer)asked->string_start + 1);
        lua_setfield(L, -2, "string");
    }
    lua_call(L, 2, 2);
    const lua_Integer start = lua_tointeger(L, -2);
    const lua_Integer count = lua_istable(L, -1) ? luaL_len(L, -1) : 0;
    for (lua_Integer i = 1; i <= count && start >= 1; i++) {
        size_t size;
        lua_rawgeti(L, -1, i);
        lua_getfield(L, -1, "text");
        lua_getfield(L, -2, "help");
        const char *text = lua_tolstring(L, -2, &size);
        if (text != NULL)
            line_candidates_add(call->to, (size_t)start - 1, text, size, lua_tostring(L, -1));
        lua_pop(L, 3);
    }
    return 0;
}

static void complete(void *user, const line_question *question, line_candidates *to)
{
    lua_State *L = user;
    completion call = {question, to};
    lua_pushcfunction(L, find_candidates);
    lua_pushlightuserdata(L, &call);
    if (lua_pcall(L, 1, 0, 0) != LUA_OK)
        lua_pop(L, 1);
}

void hooks_set(lua_State *L, line_settings *settings)
{
    settings->user = L;
    settings->is_whole = is_whole;
    settings->complete = complete;
}
