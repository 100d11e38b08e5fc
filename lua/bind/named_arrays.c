/* named_arrays - files of several arrays, and those that a thread of their own writes. */

#include "bind.h"

#include <string.h>

#define LIST    "moonpod.buffer_list"
#define PENDING "moonpod.pending_file"

static int list_close(lua_State *L)
{
    pod_buffer_list_clear(luaL_checkudata(L, 1, LIST));
    return 0;
}

static int list_tostring(lua_State *L)
{
    lua_pushliteral(L, "moonpod.buffer_list");
    return 1;
}

/* Pushes a list that the collector clears when something raises. */
static pod_buffer_list *new_list(lua_State *L)
{
    pod_buffer_list *list = pod_lua_newuserdata(L, sizeof *list);
    memset(list, 0, sizeof *list);
    pod_lua_setmetatable(L, LIST);
    return list;
}

/* Pushes {{name, buffer}...} and {key = text}, and clears the list. */
static int push_list(lua_State *L, pod_buffer_list *list)
{
    size_t bytes = 0;
    lua_createtable(L, (int)list->count, 0);
    for (size_t i = 0; i < list->count; i++) {
        lua_createtable(L, 2, 0);
        lua_pushstring(L, list->entries[i].name);
        lua_rawseti(L, -2, 1);
        *pod_lua_new_buffer_box(L) = pod_buffer_retain(list->entries[i].buffer);
        bytes += pod_buffer_bytes(list->entries[i].buffer);
        lua_rawseti(L, -2, 2);
        lua_rawseti(L, -2, (int)i + 1);
    }
    lua_newtable(L);
    for (size_t i = 0; i < list->text_count; i++) {
        lua_pushstring(L, list->texts[2 * i + 1]);
        lua_setfield(L, -2, list->texts[2 * i]);
    }
    pod_buffer_list_clear(list);
    pod_lua_charge(L, bytes);
    return 2;
}

/* The string on top of the stack, which stays there; raises where it would end early as a text of C. */
static char *check_text(lua_State *L, const char *what)
{
    size_t size;
    const char *text = lua_tolstring(L, -1, &size);
    if (strlen(text) != size)
        luaL_error(L, "%s has a zero byte at offset %d", what, (int)strlen(text));
    return (char *)(uintptr_t)text;
}

/* Reads {{name, buffer}...} at `index` into a list that borrows names and buffers; a block on the stack. */
static pod_buffer_list check_list(lua_State *L, int index)
{
    luaL_checktype(L, index, LUA_TTABLE);
    size_t count = pod_lua_length(L, index);
    pod_named_buffer *entries = pod_lua_new_array(L, count + 1, sizeof *entries);
    for (size_t i = 0; i < count; i++) {
        pod_lua_geti(L, index, i + 1);
        pod_lua_check_top(L, LUA_TTABLE, "a named array");
        lua_rawgeti(L, -1, 1);
        pod_lua_check_top(L, LUA_TSTRING, "the name of an array");
        entries[i].name = check_text(L, "the name of an array");
        lua_rawgeti(L, -2, 2);
        entries[i].buffer = pod_lua_check_buffer(L, -1);
        lua_pop(L, 3);
    }
    return (pod_buffer_list){.count = count, .entries = entries};
}

/* npz_read(context, path) -> {{name, buffer}...} */
static int npz_read(lua_State *L)
{
    pod_context *context = pod_lua_check_context(L, 1);
    pod_buffer_list *list = new_list(L);
    pod_error error;
    pod_lua_check(L, pod_npz_read(context, pod_lua_check_text(L, 2), list, &error), &error);
    return push_list(L, list);
}

/* npz_write(context, path, {{name, buffer}...}, compress) */
static int npz_write(lua_State *L)
{
    pod_context *context = pod_lua_check_context(L, 1);
    const char *path = pod_lua_check_text(L, 2);
    pod_buffer_list list = check_list(L, 3);
    pod_error error;
    pod_lua_check(L, pod_npz_write(context, path, &list, lua_toboolean(L, 4), &error), &error);
    return 0;
}

/* safetensors_read(context, path) -> {{name, buffer}...}, {key = text} */
static int safetensors_read(lua_State *L)
{
    pod_context *context = pod_lua_check_context(L, 1);
    pod_buffer_list *list = new_list(L);
    pod_error error;
    pod_lua_check(L, pod_safetensors_read(context, pod_lua_check_text(L, 2), list, &error), &error);
    return push_list(L, list);
}

/* safetensors_from_text(context, name, bytes) -> as safetensors_read() */
static int safetensors_from_text(lua_State *L)
{
    pod_context *context = pod_lua_check_context(L, 1);
    size_t size;
    const char *name = pod_lua_check_text(L, 2), *text = luaL_checklstring(L, 3, &size);
    pod_buffer_list *list = new_list(L);
    pod_error error;
    pod_lua_check(L, pod_safetensors_from_bytes(context, name, &(pod_bytes){text, size}, list, &error), &error);
    return push_list(L, list);
}

/* Reads {key, text, key, text...} at `index`, or nothing, into a list; a block on the stack. */
static void check_texts(lua_State *L, int index, pod_buffer_list *list)
{
    if (lua_isnoneornil(L, index))
        return;
    luaL_checktype(L, index, LUA_TTABLE);
    size_t count = pod_lua_length(L, index) / 2 * 2;
    list->texts = pod_lua_new_array(L, count + 1, sizeof *list->texts);
    list->text_count = count / 2;
    for (size_t i = 0; i < count; i++) {
        pod_lua_geti(L, index, i + 1);
        pod_lua_check_top(L, LUA_TSTRING, "a text of the metadata");
        list->texts[i] = check_text(L, "a text of the metadata");
        lua_pop(L, 1);
    }
}

typedef pod_status (*write_list)(pod_context *context, const char *path, const pod_buffer_list *list, pod_error *error);

/* (context, path, {{name, buffer}...}, {key, text, key, text...}?) */
static int write_with_texts(lua_State *L, write_list write)
{
    pod_context *context = pod_lua_check_context(L, 1);
    const char *path = pod_lua_check_text(L, 2);
    lua_settop(L, 4);
    pod_buffer_list list = check_list(L, 3);
    check_texts(L, 4, &list);
    pod_error error;
    pod_lua_check(L, write(context, path, &list, &error), &error);
    return 0;
}

/* safetensors_write(context, path, {{name, buffer}...}, {key, text, key, text...}?) */
static int safetensors_write(lua_State *L)
{
    return write_with_texts(L, pod_safetensors_write);
}

/* safetensors_to_text(context, {{name, buffer}...}, {key, text, key, text...}?) -> the bytes of such a file */
static int safetensors_to_text(lua_State *L)
{
    pod_context *context = pod_lua_check_context(L, 1);
    lua_settop(L, 3);
    pod_buffer_list list = check_list(L, 2);
    check_texts(L, 3, &list);
    pod_lua_text *content = pod_lua_new_text(L, context);
    pod_error error;
    pod_lua_check(L, pod_safetensors_to_bytes(context, &list, &content->bytes, &error), &error);
    return pod_lua_push_text(L, content);
}

/* hdf5_read(context, path, member?) -> {{name, buffer}...}, {["path@name"] = text} */
static int hdf5_read(lua_State *L)
{
    pod_context *context = pod_lua_check_context(L, 1);
    const char *path = pod_lua_check_text(L, 2), *member = pod_lua_optional_text(L, 3, NULL);
    pod_buffer_list *list = new_list(L);
    pod_error error;
    pod_lua_check(L, pod_hdf5_read(context, path, member, list, &error), &error);
    return push_list(L, list);
}

/* hdf5_write(context, path, {{name, buffer}...}, {key, text, key, text...}?) */
static int hdf5_write(lua_State *L)
{
    return write_with_texts(L, pod_hdf5_write);
}

/* ---- written by a thread ----------------------------------------------------------------------------- */

static pod_pending_file *check_pending(lua_State *L, int index)
{
    pod_pending_file **box = luaL_checkudata(L, index, PENDING);
    luaL_argcheck(L, *box, index, "the pending file is closed");
    return *box;
}

/* safetensors_begin(context, path, {{name, buffer}...}, {key, text...}?, after?) -> pending file */
static int safetensors_begin(lua_State *L)
{
    pod_context *context = pod_lua_check_context(L, 1);
    const char *path = pod_lua_check_text(L, 2);
    lua_settop(L, 5);
    pod_pending_file *after = lua_isnil(L, 5) ? NULL : check_pending(L, 5);
    pod_buffer_list list = check_list(L, 3);
    check_texts(L, 4, &list);
    pod_pending_file **box = pod_lua_newuserdata(L, sizeof *box);
    *box = NULL;
    pod_lua_setmetatable(L, PENDING);
    pod_error error;
    pod_lua_check(L, pod_safetensors_begin(context, path, &list, after, box, &error), &error);
    return 1;
}

/* pending:wait(): the file is there from now on; raises what failed */
static int pending_wait(lua_State *L)
{
    pod_error error;
    pod_lua_check(L, pod_pending_file_wait(check_pending(L, 1), &error), &error);
    return 0;
}

/* pending:is_done() -> boolean */
static int pending_is_done(lua_State *L)
{
    lua_pushboolean(L, pod_pending_file_is_done(check_pending(L, 1)));
    return 1;
}

static void end_pending(void *content)
{
    pod_pending_file_release(content);
}

/* pending:close(), and what the collector does: waits until the file is written */
static int pending_close(lua_State *L)
{
    pod_pending_file **box = luaL_checkudata(L, 1, PENDING);
    pod_pending_file *file = *box;
    *box = NULL;
    (void)pod_lua_end(L, end_pending, file);
    return 0;
}

static int pending_tostring(lua_State *L)
{
    pod_pending_file **box = luaL_checkudata(L, 1, PENDING);
    lua_pushstring(L, !*box                            ? "moonpod.pending_file (closed)"
                      : pod_pending_file_is_done(*box) ? "moonpod.pending_file (done)"
                                                       : "moonpod.pending_file");
    return 1;
}

/* ---- the module ---------------------------------------------------------------------------------------- */

static const luaL_Reg list_methods[] = {{NULL, NULL}};
static const luaL_Reg pending_methods[] = {{"wait", pending_wait}, {"is_done", pending_is_done}, {NULL, NULL}};

static const luaL_Reg functions[] = {{"npz_read", npz_read},
                                     {"npz_write", npz_write},
                                     {"hdf5_read", hdf5_read},
                                     {"hdf5_write", hdf5_write},
                                     {"safetensors_read", safetensors_read},
                                     {"safetensors_write", safetensors_write},
                                     {"safetensors_from_text", safetensors_from_text},
                                     {"safetensors_to_text", safetensors_to_text},
                                     {"safetensors_begin", safetensors_begin},
                                     {NULL, NULL}};

void pod_lua_open_named_arrays(lua_State *L)
{
    pod_lua_new_metatable(L, LIST, list_methods, list_close, list_tostring);
    pod_lua_new_metatable(L, PENDING, pending_methods, pending_close, pending_tostring);
    pod_lua_set_functions(L, functions);
}
