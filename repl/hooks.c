#include "hooks.h"

#include <dirent.h>
#include <lauxlib.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "paths.h"

typedef struct completion {
    const line_question *asked;
    line_candidates *to;
} completion;

int hooks_list_folder(lua_State *L)
{
    enum { MOST_NAMES = 5000 };
    const char *folder = luaL_checkstring(L, 1);
    DIR *opened = opendir(folder);
    lua_newtable(L);
    struct dirent *entry;
    for (lua_Integer i = 1; i <= MOST_NAMES && opened != NULL && (entry = readdir(opened)) != NULL;) {
        struct stat about;
        char path[4096];
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        const bool is_folder = snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) < (int)sizeof path &&
                               stat(path, &about) == 0 && S_ISDIR(about.st_mode);
        lua_pushfstring(L, "%s%s", entry->d_name, is_folder ? "/" : "");
        lua_rawseti(L, -2, i++);
    }
    if (opened != NULL)
        closedir(opened);
    return 1;
}

/* Calls a function with a pointer; where it raises that is all that comes of it. */
static void call_protected(lua_State *L, lua_CFunction function, void *call)
{
    lua_pushcfunction(L, function);
    lua_pushlightuserdata(L, call);
    if (lua_pcall(L, 1, 0, 0) != LUA_OK)
        lua_pop(L, 1);
}

/* Leaves a function of a module, or raises. */
static void push_function(lua_State *L, const char *module, const char *name)
{
    if (!paths_push_function(L, module, name))
        (void)lua_error(L);
}

typedef struct whole_call {
    const char *text;
    size_t size;
    bool whole;
} whole_call;

static int find_whole(lua_State *L)
{
    whole_call *call = lua_touserdata(L, 1);
    push_function(L, "moonpod.session.entry", "is_whole");
    lua_pushlstring(L, call->text, call->size);
    lua_call(L, 1, 1);
    call->whole = lua_toboolean(L, -1);
    return 0;
}

static bool is_whole(void *user, const char *text, size_t size)
{
    lua_State *L = user;
    whole_call call = {text, size, true};
    call_protected(L, find_whole, &call);
    return call.whole;
}

/* candidates(text before the cursor, { string = where it begins, comment =, load =, list = }) of
 * moonpod.session.complete gives a place in the text, and an array of { text =, help = }. */
static int find_candidates(lua_State *L)
{
    completion *call = lua_touserdata(L, 1);
    const line_question *asked = call->asked;
    push_function(L, "moonpod.session.complete", "candidates");
    lua_pushlstring(L, asked->text, asked->cursor);
    lua_createtable(L, 0, 4);
    lua_pushboolean(L, asked->in_comment);
    lua_setfield(L, -2, "comment");
    lua_getglobal(L, "require");
    lua_setfield(L, -2, "load");
    lua_pushcfunction(L, hooks_list_folder);
    lua_setfield(L, -2, "list");
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
    call_protected(L, find_candidates, &call);
}

void hooks_set(lua_State *L, line_settings *settings)
{
    settings->user = L;
    settings->is_whole = is_whole;
    settings->complete = complete;
}
