/* named_arrays - files of several arrays, and those that a thread of their own writes. */

#include "bind.h"

#include <string.h>

static int list_close(lua_State *L)
{
    pod_buffer_list_clear(luaL_checkudata(L, 1, "moonpod.buffer_list"));
    return 0;
}

/* A list that the collector clears when something raises. */
static const pod_lua_kind list_kind = {"moonpod.buffer_list", "list", .size = sizeof(pod_buffer_list),
                                       .place = offsetof(pod_buffer_list, entries), .close = list_close};

/* Pushes {{name, buffer}...} and {key = text}, and clears the list, which is of the context. */
static int push_list(lua_State *L, const pod_context *context, pod_buffer_list *list)
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
    pod_lua_charge(L, context, bytes);
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

/* Reads {name, buffer}, which are borrowed. */
static void read_entry(lua_State *L, const pod_lua_entry *entry)
{
    pod_named_buffer *named = entry->into;
    pod_lua_check_top(L, LUA_TTABLE, "a named array");
    lua_rawgeti(L, -1, 1);
    pod_lua_check_top(L, LUA_TSTRING, "the name of an array");
    named->name = check_text(L, "the name of an array");
    lua_rawgeti(L, -2, 2);
    named->buffer = pod_lua_check_buffer(L, -1);
}

static void read_text(lua_State *L, const pod_lua_entry *entry)
{
    pod_lua_check_top(L, LUA_TSTRING, "a text of the metadata");
    *(char **)entry->into = check_text(L, "a text of the metadata");
}

/* Reads {{name, buffer}...} at `index`, and {key, text, key, text...} or nil at `texts` (0: none), into a list that
 * borrows them; blocks on the stack. */
static pod_buffer_list check_list(lua_State *L, int index, int texts)
{
    pod_buffer_list list = {0};
    list.entries = pod_lua_check_array(L, index, sizeof *list.entries, &list.count, read_entry, NULL);
    if (texts > 0 && !lua_isnil(L, texts))
        list.texts = pod_lua_check_array(L, texts, sizeof *list.texts, &list.text_count, read_text, NULL);
    list.text_count /= 2;
    return list;
}

/* npz_read(context, path) -> {{name, buffer}...} */
static int npz_read(lua_State *L, pod_error *error)
{
    pod_context *context = pod_lua_check_context(L, 1);
    pod_buffer_list *list = pod_lua_new_box(L, &list_kind);
    pod_lua_check(L, pod_npz_read(context, pod_lua_check_text(L, 2), list, error), error);
    return push_list(L, context, list);
}

static void read_member_name(lua_State *L, const pod_lua_entry *entry)
{
    pod_lua_check_top(L, LUA_TSTRING, "the name of a member");
    *(const char **)entry->into = check_text(L, "the name of a member");
}

/* tar_read_pickles(context, path, {member...}) -> {{name, buffer}...} */
static int tar_read_pickles(lua_State *L, pod_error *error)
{
    pod_context *context = pod_lua_check_context(L, 1);
    const char *path = pod_lua_check_text(L, 2);
    pod_tar_wanted wanted = {0};
    wanted.members = pod_lua_check_array(L, 3, sizeof *wanted.members, &wanted.count, read_member_name, NULL);
    wanted.list = pod_lua_new_box(L, &list_kind);
    pod_lua_check(L, pod_tar_read_pickles(context, path, &wanted, error), error);
    return push_list(L, context, wanted.list);
}

/* numpy_orders(context, seed, count, count) -> a buffer of both orders, one behind the other */
static int numpy_orders(lua_State *L, pod_error *error)
{
    pod_context *context = pod_lua_check_context(L, 1);
    const int64_t seed = pod_lua_check_within(L, 2, "the seed", 0, UINT32_MAX);
    const int64_t counts[] = {pod_lua_check_within(L, 3, "a count", 0, INT32_MAX),
                              pod_lua_check_within(L, 4, "a count", 0, INT32_MAX)};
    pod_buffer **box = pod_lua_new_buffer_box(L);
    pod_lua_check(L, pod_buffer_new(context, POD_S64, &(pod_shape){1, {counts[0] + counts[1]}}, box, error), error);
    pod_numpy_orders((uint32_t)seed, counts, 2, pod_buffer_data(*box));
    pod_lua_charge(L, context, pod_buffer_bytes(*box));
    return 1;
}

/* npz_write(context, path, {{name, buffer}...}, compress) */
static int npz_write(lua_State *L, pod_error *error)
{
    pod_context *context = pod_lua_check_context(L, 1);
    const char *path = pod_lua_check_text(L, 2);
    pod_buffer_list list = check_list(L, 3, 0);
    return pod_npz_write(context, path, &list, lua_toboolean(L, 4), error);
}

/* safetensors_read(context, path) -> {{name, buffer}...}, {key = text} */
static int safetensors_read(lua_State *L, pod_error *error)
{
    pod_context *context = pod_lua_check_context(L, 1);
    pod_buffer_list *list = pod_lua_new_box(L, &list_kind);
    pod_lua_check(L, pod_safetensors_read(context, pod_lua_check_text(L, 2), list, error), error);
    return push_list(L, context, list);
}

/* safetensors_from_text(context, name, bytes) -> as safetensors_read() */
static int safetensors_from_text(lua_State *L, pod_error *error)
{
    pod_context *context = pod_lua_check_context(L, 1);
    size_t size;
    const char *name = pod_lua_check_text(L, 2), *text = luaL_checklstring(L, 3, &size);
    pod_buffer_list *list = pod_lua_new_box(L, &list_kind);
    pod_lua_check(L, pod_safetensors_from_bytes(context, name, &(pod_bytes){text, size}, list, error), error);
    return push_list(L, context, list);
}

typedef pod_status (*write_list)(pod_context *context, const char *path, const pod_buffer_list *list, pod_error *error);

/* (context, path, {{name, buffer}...}, {key, text, key, text...}?) */
static int write_with_texts(lua_State *L, write_list write, pod_error *error)
{
    pod_context *context = pod_lua_check_context(L, 1);
    const char *path = pod_lua_check_text(L, 2);
    lua_settop(L, 4);
    pod_buffer_list list = check_list(L, 3, 4);
    return write(context, path, &list, error);
}

/* safetensors_write(context, path, {{name, buffer}...}, {key, text, key, text...}?) */
static int safetensors_write(lua_State *L, pod_error *error)
{
    return write_with_texts(L, pod_safetensors_write, error);
}

/* safetensors_to_text(context, {{name, buffer}...}, {key, text, key, text...}?) -> the bytes of such a file */
static int safetensors_to_text(lua_State *L, pod_error *error)
{
    pod_context *context = pod_lua_check_context(L, 1);
    lua_settop(L, 3);
    pod_buffer_list list = check_list(L, 2, 3);
    pod_lua_text *content = pod_lua_new_text(L, context);
    return pod_lua_push_text(L, content, pod_safetensors_to_bytes(context, &list, &content->bytes, error));
}

/* hdf5_read(context, path, member?) -> {{name, buffer}...}, {["path@name"] = text} */
static int hdf5_read(lua_State *L, pod_error *error)
{
    pod_context *context = pod_lua_check_context(L, 1);
    const char *path = pod_lua_check_text(L, 2), *member = pod_lua_optional_text(L, 3, NULL);
    pod_buffer_list *list = pod_lua_new_box(L, &list_kind);
    pod_lua_check(L, pod_hdf5_read(context, path, member, list, error), error);
    return push_list(L, context, list);
}

/* hdf5_write(context, path, {{name, buffer}...}, {key, text, key, text...}?) */
static int hdf5_write(lua_State *L, pod_error *error)
{
    return write_with_texts(L, pod_hdf5_write, error);
}

/* ---- written by a thread ----------------------------------------------------------------------------- */

/* Releasing it waits until the file is written. */
static void end_pending(void *file)
{
    pod_pending_file_release(file);
}

static void describe_pending(lua_State *L, void *file)
{
    lua_pushstring(L, pod_pending_file_is_done(file) ? "done" : "writing");
}

static const pod_lua_kind pending_kind = {"moonpod.pending_file", "pending file", .end = end_pending,
                                          .describe = describe_pending};

/* safetensors_begin(context, path, {{name, buffer}...}, {key, text...}?, after?) -> pending file */
static int safetensors_begin(lua_State *L, pod_error *error)
{
    pod_context *context = pod_lua_check_context(L, 1);
    const char *path = pod_lua_check_text(L, 2);
    lua_settop(L, 5);
    pod_pending_file *after = lua_isnil(L, 5) ? NULL : pod_lua_check_open(L, 5, &pending_kind);
    pod_buffer_list list = check_list(L, 3, 4);
    return pod_lua_results(pod_safetensors_begin(context, path, &list, after, pod_lua_new_box(L, &pending_kind), error),
                           1);
}

/* pending:wait(): the file is there from now on; raises what failed */
static int pending_wait(lua_State *L, pod_error *error)
{
    return pod_pending_file_wait(pod_lua_check_open(L, 1, &pending_kind), error);
}

/* pending:is_done() -> boolean */
static int pending_is_done(lua_State *L)
{
    lua_pushboolean(L, pod_pending_file_is_done(pod_lua_check_open(L, 1, &pending_kind)));
    return 1;
}

/* ---- the module ---------------------------------------------------------------------------------------- */

static const pod_lua_function pending_methods[] = {
    {"wait", .failing = pending_wait}, {"is_done", .plain = pending_is_done}, {0}};

static const pod_lua_function functions[] = {{"npz_read", .failing = npz_read},
                                             {"tar_read_pickles", .failing = tar_read_pickles},
                                             {"numpy_orders", .failing = numpy_orders},
                                             {"npz_write", .failing = npz_write},
                                             {"hdf5_read", .failing = hdf5_read},
                                             {"hdf5_write", .failing = hdf5_write},
                                             {"safetensors_read", .failing = safetensors_read},
                                             {"safetensors_write", .failing = safetensors_write},
                                             {"safetensors_from_text", .failing = safetensors_from_text},
                                             {"safetensors_to_text", .failing = safetensors_to_text},
                                             {"safetensors_begin", .failing = safetensors_begin},
                                             {0}};

static void open_list(lua_State *L)
{
    pod_lua_open_kind(L, &list_kind, NULL);
}

const pod_lua_part pod_lua_named_arrays_part = {
    .functions = functions, .kind = &pending_kind, .methods = pending_methods, .open = open_list};
