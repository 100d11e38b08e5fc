/* formats - files of arrays and records, and tf.train.Example. */

#include "bind.h"

#include <moonpod/formats.h>
#include <moonpod/image.h>

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define WRITER "moonpod.record_writer"
#define READER "moonpod.record_reader"

/* ---- arrays ---------------------------------------------------------------------------------------- */

typedef pod_status (*read_array)(pod_context *context, const char *path, pod_buffer **buffer, pod_error *error);
typedef pod_status (*write_array)(pod_context *context, const char *path, const pod_buffer *buffer, pod_error *error);

static int read_with(lua_State *L, read_array read)
{
    pod_context *context = pod_lua_check_context(L, 1);
    const char *path = pod_lua_check_text(L, 2);
    pod_buffer **box = pod_lua_new_buffer_box(L);
    pod_error error;
    pod_lua_check(L, read(context, path, box, &error), &error);
    pod_lua_charge(L, pod_buffer_bytes(*box));
    return 1;
}

static int write_with(lua_State *L, write_array write)
{
    pod_context *context = pod_lua_check_context(L, 1);
    const char *path = pod_lua_check_text(L, 2);
    pod_error error;
    pod_lua_check(L, write(context, path, pod_lua_check_buffer(L, 3), &error), &error);
    return 0;
}

/* idx_read(context, path) -> buffer */
static int idx_read(lua_State *L)
{
    return read_with(L, pod_idx_read);
}

/* idx_write(context, path, buffer) */
static int idx_write(lua_State *L)
{
    return write_with(L, pod_idx_write);
}

/* npy_read(context, path) -> buffer */
static int npy_read(lua_State *L)
{
    return read_with(L, pod_npy_read);
}

/* npy_write(context, path, buffer) */
static int npy_write(lua_State *L)
{
    return write_with(L, pod_npy_write);
}

/* ---- records --------------------------------------------------------------------------------------------- */

static pod_record_writer *check_writer(lua_State *L)
{
    pod_record_writer **box = luaL_checkudata(L, 1, WRITER);
    luaL_argcheck(L, *box, 1, "the record writer is closed");
    return *box;
}

/* file_read(context, path, member?) -> all bytes of a file, or of a member of a zip archive */
static int file_read(lua_State *L)
{
    pod_context *context = pod_lua_check_context(L, 1);
    const char *path = pod_lua_check_text(L, 2), *member = pod_lua_optional_text(L, 3, NULL);
    pod_lua_text *content = pod_lua_new_text(L, context);
    pod_error error;
    pod_lua_check(L,
                  member ? pod_zip_read(context, path, member, &content->bytes, &error)
                         : pod_file_read(context, path, &content->bytes, &error),
                  &error);
    return pod_lua_push_text(L, content);
}

/* file_write(context, path, bytes): whole or not at all */
static int file_write(lua_State *L)
{
    size_t size;
    pod_context *context = pod_lua_check_context(L, 1);
    const char *path = pod_lua_check_text(L, 2), *bytes = luaL_checklstring(L, 3, &size);
    pod_error error;
    pod_lua_check(L, pod_file_write(context, path, bytes, size, &error), &error);
    return 0;
}

/* rename_file(context, from, to): as far as the disk */
static int rename_file(lua_State *L)
{
    pod_error error;
    pod_lua_check(
        L, pod_move_file(pod_lua_check_context(L, 1), pod_lua_check_text(L, 2), pod_lua_check_text(L, 3), &error),
        &error);
    return 0;
}

/* Returns true, or what io.open() and os.remove() return where they fail: nil, the message, the system's number for a
 * file that is not there, or 0. What is refused raises. */
static int push_outcome(lua_State *L, pod_status status, const pod_error *error)
{
    if (status != POD_OK && status != POD_ERROR_NOT_FOUND && status != POD_ERROR_IO)
        return pod_lua_raise(L, error);
    if (status == POD_OK) {
        lua_pushboolean(L, 1);
        return 1;
    }
    lua_pushnil(L);
    lua_pushstring(L, error->message);
    lua_pushinteger(L, status == POD_ERROR_NOT_FOUND ? ENOENT : 0);
    return 3;
}

/* remove_file(context, path) -> true, or nil, message, number */
static int remove_file(lua_State *L)
{
    pod_error error;
    return push_outcome(L, pod_remove_file(pod_lua_check_context(L, 1), pod_lua_check_text(L, 2), &error), &error);
}

#define OPENED "moonpod.opened_file"

static int close_opened(lua_State *L)
{
    int *file = luaL_checkudata(L, 1, OPENED);
    if (*file >= 0)
        (void)close(*file);
    *file = -1;
    return 0;
}

static int opened_path(lua_State *L)
{
    const int *file = luaL_checkudata(L, 1, OPENED);
    lua_pushfstring(L, "/proc/self/fd/%d", *file);
    return 1;
}

static int opened_tostring(lua_State *L)
{
    lua_pushliteral(L, OPENED);
    return 1;
}

/* open_file(context, path, mode) -> a file that is open, or nil, message, number. Its path() is that under which
 * io.open() opens the same file, as long as it is not closed, whatever has the name by then */
static int open_file(lua_State *L)
{
    pod_context *context = pod_lua_check_context(L, 1);
    const char *path = pod_lua_check_text(L, 2), *mode = pod_lua_check_text(L, 3);
    pod_error error;
    int *file = pod_lua_newuserdata(L, sizeof *file);
    *file = -1;
    pod_lua_setmetatable(L, OPENED);
    const pod_status status = pod_open_file(context, path, mode, file, &error);
    if (status != POD_OK)
        return push_outcome(L, status, &error);
    return 1;
}

/* sync_file(context, path): sees what was written to a file onto the disk, and its name; one that is not there is none
 */
static int sync_file(lua_State *L)
{
    pod_error error;
    pod_lua_check(L, pod_sync_file(pod_lua_check_context(L, 1), pod_lua_check_text(L, 2), &error), &error);
    return 0;
}

/* make_folder(context, path): and those above it */
static int make_folder(lua_State *L)
{
    pod_error error;
    pod_lua_check(L, pod_make_folder(pod_lua_check_context(L, 1), pod_lua_check_text(L, 2), &error), &error);
    return 0;
}

/* remove_unfinished(context, path): what killed processes left of the file while they wrote it */
static int remove_unfinished(lua_State *L)
{
    pod_error error;
    pod_lua_check(L, pod_remove_unfinished(pod_lua_check_context(L, 1), pod_lua_check_text(L, 2), &error), &error);
    return 0;
}

/* record_writer(context, path, compression?) */
static int writer_new(lua_State *L)
{
    pod_context *context = pod_lua_check_context(L, 1);
    const char *path = pod_lua_check_text(L, 2), *compression = pod_lua_optional_text(L, 3, NULL);
    pod_record_writer **box = pod_lua_newuserdata(L, sizeof *box);
    *box = NULL;
    pod_lua_setmetatable(L, WRITER);
    pod_error error;
    pod_lua_check(L, pod_record_writer_open(context, path, compression, box, &error), &error);
    return 1;
}

/* writer:write(bytes) */
static int writer_write(lua_State *L)
{
    size_t size;
    const char *bytes = luaL_checklstring(L, 2, &size);
    pod_record_writer *writer = check_writer(L); /* which cannot be closed from here on */
    pod_error error;
    pod_lua_check(L, pod_record_writer_write(writer, bytes, size, &error), &error);
    return 0;
}

/* writer:close(): the file is there from now on; does nothing on one that is closed */
static int writer_close(lua_State *L)
{
    pod_record_writer **box = luaL_checkudata(L, 1, WRITER);
    pod_record_writer *writer = *box;
    pod_error error;
    *box = NULL;
    if (writer)
        pod_lua_check(L, pod_record_writer_close(writer, &error), &error);
    return 0;
}

/* writer:abandon(), and what the collector does: there is no file */
static int writer_abandon(lua_State *L)
{
    pod_record_writer **box = luaL_checkudata(L, 1, WRITER);
    pod_record_writer *writer = *box;
    *box = NULL;
    pod_record_writer_abandon(writer);
    return 0;
}

/* A block that is left by an error leaves no file. */
static int writer_leave(lua_State *L)
{
    return lua_isnoneornil(L, 2) ? writer_close(L) : writer_abandon(L);
}

static int writer_tostring(lua_State *L)
{
    pod_record_writer **box = luaL_checkudata(L, 1, WRITER);
    lua_pushstring(L, *box ? "moonpod.record_writer" : "moonpod.record_writer (closed)");
    return 1;
}

/* record_reader(context, path, compression?) */
static int reader_new(lua_State *L)
{
    pod_context *context = pod_lua_check_context(L, 1);
    const char *path = pod_lua_check_text(L, 2), *compression = pod_lua_optional_text(L, 3, NULL);
    pod_record_reader **box = pod_lua_newuserdata(L, sizeof *box);
    *box = NULL;
    pod_lua_setmetatable(L, READER);
    pod_error error;
    pod_lua_check(L, pod_record_reader_open(context, path, compression, box, &error), &error);
    return 1;
}

/* reader:next() -> bytes, or nil at the end */
static int reader_next(lua_State *L)
{
    pod_record_reader **box = luaL_checkudata(L, 1, READER);
    luaL_argcheck(L, *box, 1, "the record reader is closed");
    const void *bytes;
    size_t size;
    pod_error error;
    pod_status status = pod_record_reader_next(*box, &bytes, &size, &error);
    pod_lua_check(L, status, &error);
    if (status == POD_END)
        lua_pushnil(L);
    else
        lua_pushlstring(L, bytes, size);
    return 1;
}

static void end(void *content)
{
    pod_record_reader_close(content);
}

static int reader_close(lua_State *L)
{
    pod_record_reader **box = luaL_checkudata(L, 1, READER);
    pod_record_reader *content = *box;
    *box = NULL;
    pod_lua_end(L, end, content);
    return 0;
}

static int reader_tostring(lua_State *L)
{
    pod_record_reader **box = luaL_checkudata(L, 1, READER);
    lua_pushstring(L, *box ? "moonpod.record_reader" : "moonpod.record_reader (closed)");
    return 1;
}

/* ---- examples -------------------------------------------------------------------------------------------- */

static const char *const kind_names[] = {"none", "bytes", "float", "int64", NULL};

/* Reads the values of a feature from the array at the top of the stack into blocks below it. */
static void check_values(lua_State *L, pod_feature *feature)
{
    size_t count = pod_lua_length(L, -1);
    size_t entry = feature->kind == POD_FEATURE_BYTES ? sizeof(pod_bytes) : sizeof(int64_t);
    void *values = pod_lua_new_array(L, count + 1, entry);
    lua_insert(L, -2);
    for (size_t i = 0; i < count; i++) {
        pod_lua_geti(L, -1, i + 1);
        if (feature->kind == POD_FEATURE_BYTES) {
            pod_bytes *text = (pod_bytes *)values + i;
            pod_lua_check_top(L, LUA_TSTRING, "a value of a bytes feature");
            text->data = lua_tolstring(L, -1, &text->size);
        } else if (feature->kind == POD_FEATURE_FLOAT) {
            pod_lua_check_top(L, LUA_TNUMBER, "a value of a float feature");
            pod_lua_store_element(L, lua_gettop(L), POD_F32, values, i);
        } else {
            ((int64_t *)values)[i] = pod_lua_check_any(L, -1, "a value of an int64 feature");
        }
        lua_pop(L, 1);
    }
    feature->count = count;
    feature->bytes = values;
    feature->floats = values;
    feature->integers = values;
}

/* example_encode(context, {{name, kind, values}...}) -> bytes; kind is "bytes", "float" or "int64" */
static int example_encode(lua_State *L)
{
    pod_context *context = pod_lua_check_context(L, 1);
    luaL_checktype(L, 2, LUA_TTABLE);
    size_t count = pod_lua_length(L, 2);
    luaL_checkstack(L, (int)count + 8, "features");
    pod_feature *features = pod_lua_new_array(L, count + 1, sizeof *features);
    for (size_t i = 0; i < count; i++) {
        pod_lua_geti(L, 2, i + 1);
        pod_lua_check_top(L, LUA_TTABLE, "a feature");
        lua_rawgeti(L, -1, 1);
        pod_lua_check_top(L, LUA_TSTRING, "the name of a feature");
        features[i].name.data = lua_tolstring(L, -1, &features[i].name.size);
        lua_rawgeti(L, -2, 2);
        features[i].kind = (pod_feature_kind)pod_lua_check_name(L, -1, "kind of feature", kind_names);
        lua_rawgeti(L, -3, 3);
        pod_lua_check_top(L, LUA_TTABLE, "the values of a feature");
        lua_replace(L, -4);
        lua_pop(L, 2);
        check_values(L, &features[i]);
        lua_pop(L, 1); /* the array; the block of values stays */
    }
    pod_lua_text *encoded = pod_lua_new_text(L, context);
    pod_error error;
    const pod_example example = {count, features, NULL};
    pod_lua_check(L, pod_example_encode(context, &example, &encoded->bytes, &error), &error);
    return pod_lua_push_text(L, encoded);
}

static void push_feature(lua_State *L, const pod_feature *feature)
{
    lua_createtable(L, (int)feature->count, 1);
    lua_pushstring(L, kind_names[feature->kind]);
    lua_setfield(L, -2, "kind");
    for (size_t i = 0; i < feature->count; i++) {
        if (feature->kind == POD_FEATURE_BYTES)
            lua_pushlstring(L, feature->bytes[i].data, feature->bytes[i].size);
        else if (feature->kind == POD_FEATURE_FLOAT)
            lua_pushnumber(L, feature->floats[i]);
        else
            pod_lua_push_int64(L, feature->integers[i]);
        lua_rawseti(L, -2, (int)i + 1);
    }
}

/* Pushes what a decoded example holds; called protected, as it may run out of memory. */
static int push_example(lua_State *L)
{
    const pod_example *example = lua_touserdata(L, 1);
    lua_createtable(L, 0, (int)example->count);
    for (size_t i = 0; i < example->count; i++) {
        const pod_feature *feature = &example->features[i];
        lua_pushlstring(L, feature->name.data, feature->name.size);
        push_feature(L, feature);
        lua_rawset(L, -3);
    }
    return 1;
}

/* example_decode(context, bytes) -> {name = {kind =, values...}} */
static int example_decode(lua_State *L)
{
    pod_context *context = pod_lua_check_context(L, 1);
    size_t size;
    const char *bytes = luaL_checklstring(L, 2, &size);
    pod_example example;
    pod_error error;
    pod_lua_check(L, pod_example_decode(context, bytes, size, &example, &error), &error);
    lua_pushcfunction(L, push_example);
    lua_pushlightuserdata(L, &example);
    int failure = lua_pcall(L, 1, 1, 0);
    pod_example_clear(&example);
    return failure ? lua_error(L) : 1;
}

/* encode_png(context, buffer) -> bytes of a PNG of a buffer u8 (height, width, channels) */
static int encode_png(lua_State *L)
{
    pod_context *context = pod_lua_check_context(L, 1);
    const pod_buffer *image = pod_lua_check_buffer(L, 2);
    pod_lua_text *encoded = pod_lua_new_text(L, context);
    pod_error error;
    pod_lua_check(L, pod_image_encode_png(context, image, &encoded->bytes, &error), &error);
    return pod_lua_push_text(L, encoded);
}

/* encode_jpeg(context, buffer, quality, full_colours) -> bytes of a JPEG of a buffer u8 (height, width, 1 or 3) */
static int encode_jpeg(lua_State *L)
{
    pod_context *context = pod_lua_check_context(L, 1);
    const pod_buffer *image = pod_lua_check_buffer(L, 2);
    const pod_jpeg_options options = {(int)pod_lua_check_within(L, 3, "quality", 1, 100), lua_toboolean(L, 4)};
    pod_lua_text *encoded = pod_lua_new_text(L, context);
    pod_error error;
    pod_lua_check(L, pod_image_encode_jpeg(context, image, &options, &encoded->bytes, &error), &error);
    return pod_lua_push_text(L, encoded);
}

int pod_lua_text_bucket(lua_State *L)
{
    size_t size;
    const char *text = luaL_checklstring(L, 1, &size);
    const uint64_t count = (uint64_t)pod_lua_check_within(L, 2, "count", 0, INT64_MAX);
    uint64_t key[2] = {0, 0};
    const bool has_key = !lua_isnoneornil(L, 3);
    for (int i = 0; has_key && i < 2; i++)
        key[i] = (uint64_t)pod_lua_check_within(L, 3 + i, "a key", 0, INT64_MAX);
    const uint64_t found = pod_text_bucket(text, size, has_key ? key : NULL, count);
    pod_lua_push_int64(L, (int64_t)(count > 0 ? found : found >> 32));
    pod_lua_push_int64(L, (int64_t)(found & UINT32_MAX));
    return count > 0 ? 1 : 2;
}

/* ---- the module -------------------------------------------------------------------------------------------- */

static const luaL_Reg writer_methods[] = {{"write", writer_write}, {"abandon", writer_abandon}, {NULL, NULL}};
static const luaL_Reg reader_methods[] = {{"next", reader_next}, {NULL, NULL}};

static const luaL_Reg functions[] = {{"idx_read", idx_read},
                                     {"idx_write", idx_write},
                                     {"npy_read", npy_read},
                                     {"npy_write", npy_write},
                                     {"file_read", file_read},
                                     {"file_write", file_write},
                                     {"rename_file", rename_file},
                                     {"remove_file", remove_file},
                                     {"open_file", open_file},
                                     {"make_folder", make_folder},
                                     {"remove_unfinished", remove_unfinished},
                                     {"sync_file", sync_file},
                                     {"record_writer", writer_new},
                                     {"record_reader", reader_new},
                                     {"example_encode", example_encode},
                                     {"example_decode", example_decode},
                                     {"encode_png", encode_png},
                                     {"encode_jpeg", encode_jpeg},
                                     {"text_bucket", pod_lua_text_bucket},
                                     {NULL, NULL}};

void pod_lua_open_formats(lua_State *L)
{
    static const luaL_Reg opened_methods[] = {{"path", opened_path}, {NULL, NULL}};
    pod_lua_new_metatable(L, OPENED, opened_methods, close_opened, opened_tostring);
    pod_lua_new_metatable(L, READER, reader_methods, reader_close, reader_tostring);
    pod_lua_new_metatable(L, WRITER, writer_methods, writer_close, writer_tostring);
    /* only close() and a block that ends well complete a file */
    luaL_getmetatable(L, WRITER);
    lua_pushcfunction(L, writer_abandon);
    lua_setfield(L, -2, "__gc");
    pod_lua_push_function(L, writer_leave);
    lua_setfield(L, -2, "__close");
    lua_pop(L, 1);
    pod_lua_set_functions(L, functions);
}
