/* formats - files of arrays and records, and tf.train.Example. */

#include "bind.h"

#include <moonpod/formats.h>
#include <moonpod/image.h>

#include <errno.h>
#include <string.h>

#include "base/system/host/host_system.h"

/* ---- arrays ---------------------------------------------------------------------------------------- */

typedef pod_status (*read_array)(pod_context *context, const char *path, pod_buffer **buffer, pod_error *error);
typedef pod_status (*write_array)(pod_context *context, const char *path, const pod_buffer *buffer, pod_error *error);

static int read_with(lua_State *L, read_array read, pod_error *error)
{
    pod_context *context = pod_lua_check_context(L, 1);
    const char *path = pod_lua_check_text(L, 2);
    pod_buffer **box = pod_lua_new_buffer_box(L);
    pod_lua_check(L, read(context, path, box, error), error);
    pod_lua_charge(L, context, pod_buffer_bytes(*box));
    return 1;
}

static int write_with(lua_State *L, write_array write, pod_error *error)
{
    pod_context *context = pod_lua_check_context(L, 1);
    const char *path = pod_lua_check_text(L, 2);
    return write(context, path, pod_lua_check_buffer(L, 3), error);
}

/* idx_read(context, path) -> buffer */
static int idx_read(lua_State *L, pod_error *error)
{
    return read_with(L, pod_idx_read, error);
}

/* idx_write(context, path, buffer) */
static int idx_write(lua_State *L, pod_error *error)
{
    return write_with(L, pod_idx_write, error);
}

/* npy_read(context, path) -> buffer */
static int npy_read(lua_State *L, pod_error *error)
{
    return read_with(L, pod_npy_read, error);
}

/* npy_write(context, path, buffer) */
static int npy_write(lua_State *L, pod_error *error)
{
    return write_with(L, pod_npy_write, error);
}

/* ---- records --------------------------------------------------------------------------------------------- */

/* file_read(context, path, member?) -> all bytes of a file, or of a member of a zip archive */
static int file_read(lua_State *L, pod_error *error)
{
    pod_context *context = pod_lua_check_context(L, 1);
    const char *path = pod_lua_check_text(L, 2), *member = pod_lua_optional_text(L, 3, NULL);
    pod_lua_text *content = pod_lua_new_text(L, context);
    return pod_lua_push_text(L, content,
                             member ? pod_zip_read(context, path, member, &content->bytes, error)
                                    : pod_file_read(context, path, &content->bytes, error));
}

/* file_write(context, path, bytes): whole or not at all */
static int file_write(lua_State *L, pod_error *error)
{
    size_t size;
    pod_context *context = pod_lua_check_context(L, 1);
    const char *path = pod_lua_check_text(L, 2), *bytes = luaL_checklstring(L, 3, &size);
    return pod_file_write(context, path, bytes, size, error);
}

/* sha256(bytes) -> 64 digits */
static int sha256(lua_State *L)
{
    size_t size;
    char text[65];
    const char *bytes = luaL_checklstring(L, 1, &size);
    pod_sha256_text(bytes, size, text);
    lua_pushstring(L, text);
    return 1;
}

/* rename_file(context, from, to): as far as the disk */
static int rename_file(lua_State *L, pod_error *error)
{
    return pod_move_file(pod_lua_check_context(L, 1), pod_lua_check_text(L, 2), pod_lua_check_text(L, 3), error);
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
static int remove_file(lua_State *L, pod_error *error)
{
    return push_outcome(L, pod_remove_file(pod_lua_check_context(L, 1), pod_lua_check_text(L, 2), error), error);
}

static int close_opened(lua_State *L)
{
    int *file = luaL_checkudata(L, 1, "moonpod.opened_file");
    if (*file >= 0)
        pod_host_close(*file);
    *file = -1;
    return 0;
}

static int opened_path(lua_State *L)
{
    const int *file = luaL_checkudata(L, 1, "moonpod.opened_file");
    char path[4096];
    if (!pod_host_path_of(*file, path, sizeof path))
        return luaL_error(L, "an open file has no path");
    lua_pushstring(L, path);
    return 1;
}

/* Holds no pointer, but the number of the file; -1: closed. */
static const pod_lua_kind opened_kind = {"moonpod.opened_file", "file", .size = sizeof(void *), .close = close_opened};

/* open_file(context, path, mode) -> a file that is open, or nil, message, number. Its path() is that under which
 * io.open() opens the same file, as long as it is not closed, whatever has the name by then */
static int open_file(lua_State *L, pod_error *error)
{
    pod_context *context = pod_lua_check_context(L, 1);
    const char *path = pod_lua_check_text(L, 2), *mode = pod_lua_check_text(L, 3);
    int *file = pod_lua_new_box(L, &opened_kind);
    *file = -1;
    const pod_status status = pod_open_file(context, path, mode, file, error);
    if (status != POD_OK)
        return push_outcome(L, status, error);
    return 1;
}

/* sync_file(context, path): sees what was written to a file onto the disk, and its name; one that is not there is none
 */
static int sync_file(lua_State *L, pod_error *error)
{
    return pod_sync_file(pod_lua_check_context(L, 1), pod_lua_check_text(L, 2), error);
}

/* make_folder(context, path): and those above it */
static int make_folder(lua_State *L, pod_error *error)
{
    return pod_make_folder(pod_lua_check_context(L, 1), pod_lua_check_text(L, 2), error);
}

/* remove_unfinished(context, path): what killed processes left of the file while they wrote it */
static int remove_unfinished(lua_State *L, pod_error *error)
{
    return pod_remove_unfinished(pod_lua_check_context(L, 1), pod_lua_check_text(L, 2), error);
}

static pod_record_writer *take_writer(lua_State *L)
{
    pod_record_writer **box = luaL_checkudata(L, 1, "moonpod.record_writer");
    pod_record_writer *writer = *box;
    *box = NULL;
    return writer;
}

/* writer:close(): the file is there from now on; does nothing on one that is closed */
static int writer_close(lua_State *L)
{
    pod_record_writer *writer = take_writer(L);
    pod_error error;
    if (writer)
        pod_lua_check(L, pod_record_writer_close(writer, &error), &error);
    return 0;
}

/* writer:abandon(), and what the collector does: there is no file */
static int writer_abandon(lua_State *L)
{
    pod_record_writer_abandon(take_writer(L));
    return 0;
}

/* A block that is left by an error leaves no file. */
static int writer_leave(lua_State *L)
{
    return lua_isnoneornil(L, 2) ? writer_close(L) : writer_abandon(L);
}

/* Only close() and a block that ends well complete a file. */
static const pod_lua_kind writer_kind = {"moonpod.record_writer", "record writer", .close = writer_close,
                                         .collect = writer_abandon};

/* record_writer(context, path, compression?) */
static int writer_new(lua_State *L, pod_error *error)
{
    pod_context *context = pod_lua_check_context(L, 1);
    const char *path = pod_lua_check_text(L, 2), *compression = pod_lua_optional_text(L, 3, NULL);
    return pod_lua_results(pod_record_writer_open(context, path, compression, pod_lua_new_box(L, &writer_kind), error),
                           1);
}

/* writer:write(bytes) */
static int writer_write(lua_State *L, pod_error *error)
{
    size_t size;
    const char *bytes = luaL_checklstring(L, 2, &size);
    /* which cannot be closed from here on */
    return pod_record_writer_write(pod_lua_check_open(L, 1, &writer_kind), bytes, size, error);
}

static void end(void *reader)
{
    pod_record_reader_close(reader);
}

static const pod_lua_kind reader_kind = {"moonpod.record_reader", "record reader", .end = end};

/* record_reader(context, path, compression?) */
static int reader_new(lua_State *L, pod_error *error)
{
    pod_context *context = pod_lua_check_context(L, 1);
    const char *path = pod_lua_check_text(L, 2), *compression = pod_lua_optional_text(L, 3, NULL);
    return pod_lua_results(pod_record_reader_open(context, path, compression, pod_lua_new_box(L, &reader_kind), error),
                           1);
}

/* reader:next() -> bytes, or nil at the end */
static int reader_next(lua_State *L, pod_error *error)
{
    const void *bytes;
    size_t size;
    const pod_status status = pod_record_reader_next(pod_lua_check_open(L, 1, &reader_kind), &bytes, &size, error);
    if (status == POD_OK)
        lua_pushlstring(L, bytes, size);
    else
        lua_pushnil(L);
    return pod_lua_results(status, 1);
}

/* ---- examples -------------------------------------------------------------------------------------------- */

static const char *const kind_names[] = {"none", "bytes", "float", "int64", NULL};

static void read_value(lua_State *L, const pod_lua_entry *entry)
{
    const pod_feature *feature = entry->context;
    if (feature->kind == POD_FEATURE_BYTES) {
        pod_bytes *text = entry->into;
        pod_lua_check_top(L, LUA_TSTRING, "a value of a bytes feature");
        text->data = lua_tolstring(L, -1, &text->size);
    } else if (feature->kind == POD_FEATURE_FLOAT) {
        pod_lua_check_top(L, LUA_TNUMBER, "a value of a float feature");
        pod_lua_store_element(L, -1, POD_F32, entry->into, 0);
    } else {
        *(int64_t *)entry->into = pod_lua_check_any(L, -1, "a value of an int64 feature");
    }
}

/* Reads {name, kind, values}. */
static void read_feature(lua_State *L, const pod_lua_entry *entry)
{
    static const size_t sizes[] = {sizeof(int64_t), [POD_FEATURE_BYTES] = sizeof(pod_bytes),
                                   [POD_FEATURE_FLOAT] = sizeof(float), [POD_FEATURE_INT64] = sizeof(int64_t)};
    pod_feature *feature = entry->into;
    pod_lua_check_top(L, LUA_TTABLE, "a feature");
    lua_rawgeti(L, -1, 1);
    pod_lua_check_top(L, LUA_TSTRING, "the name of a feature");
    feature->name.data = lua_tolstring(L, -1, &feature->name.size);
    lua_rawgeti(L, -2, 2);
    feature->kind = (pod_feature_kind)pod_lua_check_name(L, -1, "kind of feature", kind_names);
    lua_rawgeti(L, -3, 3);
    pod_lua_check_top(L, LUA_TTABLE, "the values of a feature");
    const void *values = pod_lua_check_array(L, -1, sizes[feature->kind], &feature->count, read_value, feature);
    feature->bytes = values;
    feature->floats = values;
    feature->integers = values;
}

/* example_encode(context, {{name, kind, values}...}) -> bytes; kind is "bytes", "float" or "int64" */
static int example_encode(lua_State *L, pod_error *error)
{
    pod_context *context = pod_lua_check_context(L, 1);
    pod_example example = {0};
    example.features = pod_lua_check_array(L, 2, sizeof(pod_feature), &example.count, read_feature, NULL);
    pod_lua_text *encoded = pod_lua_new_text(L, context);
    return pod_lua_push_text(L, encoded, pod_example_encode(context, &example, &encoded->bytes, error));
}

static void push_feature(lua_State *L, const pod_feature *feature)
{
    lua_createtable(L, (int)feature->count, 1);
    pod_lua_set_text(L, "kind", kind_names[feature->kind]);
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
static int example_decode(lua_State *L, pod_error *error)
{
    pod_context *context = pod_lua_check_context(L, 1);
    size_t size;
    const char *bytes = luaL_checklstring(L, 2, &size);
    pod_example example;
    pod_lua_check(L, pod_example_decode(context, bytes, size, &example, error), error);
    const bool pushed = pod_lua_push_protected(L, push_example, &example);
    pod_example_clear(&example);
    return pushed ? 1 : lua_error(L);
}

/* encode_png(context, buffer) -> bytes of a PNG of a buffer u8 (height, width, channels) */
static int encode_png(lua_State *L, pod_error *error)
{
    pod_context *context = pod_lua_check_context(L, 1);
    const pod_buffer *image = pod_lua_check_buffer(L, 2);
    pod_lua_text *encoded = pod_lua_new_text(L, context);
    return pod_lua_push_text(L, encoded, pod_image_encode_png(context, image, &encoded->bytes, error));
}

/* encode_jpeg(context, buffer, quality, full_colours) -> bytes of a JPEG of a buffer u8 (height, width, 1 or 3) */
static int encode_jpeg(lua_State *L, pod_error *error)
{
    pod_context *context = pod_lua_check_context(L, 1);
    const pod_buffer *image = pod_lua_check_buffer(L, 2);
    const pod_jpeg_options options = {(int)pod_lua_check_within(L, 3, "quality", 1, 100), lua_toboolean(L, 4)};
    pod_lua_text *encoded = pod_lua_new_text(L, context);
    return pod_lua_push_text(L, encoded, pod_image_encode_jpeg(context, image, &options, &encoded->bytes, error));
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

static const pod_lua_function writer_methods[] = {
    {"write", .failing = writer_write}, {"abandon", .plain = writer_abandon}, {0}};
static const pod_lua_function opened_methods[] = {{"path", .plain = opened_path}, {0}};
static const pod_lua_function reader_methods[] = {{"next", .failing = reader_next}, {0}};

static const pod_lua_function functions[] = {{"idx_read", .failing = idx_read},
                                             {"idx_write", .failing = idx_write},
                                             {"npy_read", .failing = npy_read},
                                             {"npy_write", .failing = npy_write},
                                             {"file_read", .failing = file_read},
                                             {"file_write", .failing = file_write},
                                             {"sha256", .plain = sha256},
                                             {"rename_file", .failing = rename_file},
                                             {"remove_file", .failing = remove_file},
                                             {"open_file", .failing = open_file},
                                             {"make_folder", .failing = make_folder},
                                             {"remove_unfinished", .failing = remove_unfinished},
                                             {"sync_file", .failing = sync_file},
                                             {"record_writer", .failing = writer_new},
                                             {"record_reader", .failing = reader_new},
                                             {"example_encode", .failing = example_encode},
                                             {"example_decode", .failing = example_decode},
                                             {"encode_png", .failing = encode_png},
                                             {"encode_jpeg", .failing = encode_jpeg},
                                             {"text_bucket", .plain = pod_lua_text_bucket},
                                             {0}};

static void open_records(lua_State *L)
{
    pod_lua_open_kind(L, &reader_kind, reader_methods);
    pod_lua_open_kind(L, &writer_kind, writer_methods);
    luaL_getmetatable(L, writer_kind.name);
    pod_lua_push_function(L, writer_leave);
    lua_setfield(L, -2, "__close");
    lua_pop(L, 1);
}

const pod_lua_part pod_lua_formats_part = {
    .functions = functions, .kind = &opened_kind, .methods = opened_methods, .open = open_records};
