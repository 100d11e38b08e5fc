/* events - event files, which TensorBoard shows. */

#include "bind.h"

#include <moonpod/events.h>

#include <string.h>

/* ---- writing --------------------------------------------------------------------------------------------- */

/* Takes the writer out of its box; whoever uses it at this moment is told by check_writer() from then on. */
static pod_event_writer *take_writer(lua_State *L)
{
    pod_event_writer **box = luaL_checkudata(L, 1, "moonpod.event_writer");
    pod_event_writer *writer = *box;
    *box = NULL;
    return writer;
}

/* writer:close(); does nothing on one that is closed */
static int writer_close(lua_State *L)
{
    pod_error error;
    pod_lua_check(L, pod_event_writer_close(take_writer(L), &error), &error);
    return 0;
}

/* What the collector does, which is no place for errors: what waits is written, as far as that goes. */
static int writer_collect(lua_State *L)
{
    (void)pod_event_writer_close(take_writer(L), NULL);
    return 0;
}

static const pod_lua_kind writer_kind = {"moonpod.event_writer", "event writer", .close = writer_close,
                                         .collect = writer_collect};

static pod_event_writer *check_writer(lua_State *L)
{
    return pod_lua_check_open(L, 1, &writer_kind);
}

/* Returns the string at `index`, without a NUL in it. */
static const char *check_text(lua_State *L, int index, const char *what)
{
    size_t size;
    const char *text = luaL_checklstring(L, index, &size);
    if (strlen(text) != size)
        luaL_error(L, "%s has a zero byte in it", what);
    return text;
}

/* The same for the string on top of the stack. */
static const char *top_text(lua_State *L, const char *what)
{
    pod_lua_check_top(L, LUA_TSTRING, what);
    return check_text(L, -1, what);
}

static int64_t check_step(lua_State *L)
{
    return pod_lua_check_any(L, 2, "the step");
}

/* event_writer(context, folder, max_queue?, flush_millis?, suffix?) */
static int writer_new(lua_State *L, pod_error *error)
{
    pod_context *context = pod_lua_check_context(L, 1);
    const char *folder = check_text(L, 2, "the folder of an event file");
    const pod_event_writer_options options = {
        .max_queue = lua_isnoneornil(L, 3) ? 0 : pod_lua_check_any(L, 3, "max_queue"),
        .flush_millis = lua_isnoneornil(L, 4) ? 0 : pod_lua_check_any(L, 4, "flush_millis"),
        .suffix = lua_isnoneornil(L, 5) ? NULL : check_text(L, 5, "the suffix"),
    };
    return pod_lua_results(pod_event_writer_open(context, folder, &options, pod_lua_new_box(L, &writer_kind), error),
                           1);
}

/* writer:path() */
static int writer_path(lua_State *L)
{
    lua_pushstring(L, pod_event_writer_path(check_writer(L)));
    return 1;
}

/* writer:scalar(step, tag, value) */
static int writer_scalar(lua_State *L, pod_error *error)
{
    const int64_t step = check_step(L);
    const char *tag = check_text(L, 3, "the tag");
    const double value = pod_lua_check_number(L, 4, "the value");
    return pod_event_scalar(check_writer(L), step, tag, value, error);
}

/* writer:histogram(step, tag, buffer, buckets) */
static int writer_histogram(lua_State *L, pod_error *error)
{
    const int64_t step = check_step(L), buckets = pod_lua_check_any(L, 5, "the number of buckets");
    const char *tag = check_text(L, 3, "the tag");
    return pod_event_histogram(check_writer(L), step, tag, pod_lua_check_buffer(L, 4), buckets, error);
}

/* writer:image(step, tag, buffer, most) */
static int writer_image(lua_State *L, pod_error *error)
{
    const int64_t step = check_step(L), most = pod_lua_check_within(L, 5, "the number of pictures", 0, INT32_MAX);
    const char *tag = check_text(L, 3, "the tag");
    return pod_event_image(check_writer(L), step, tag, pod_lua_check_buffer(L, 4), most, error);
}

static void read_bytes(lua_State *L, const pod_lua_entry *entry)
{
    pod_bytes *text = entry->into;
    pod_lua_check_top(L, LUA_TSTRING, "a text");
    text->data = lua_tolstring(L, -1, &text->size);
}

/* writer:text(step, tag, shape, {text...}) */
static int writer_text(lua_State *L, pod_error *error)
{
    const int64_t step = check_step(L);
    const char *tag = check_text(L, 3, "the tag");
    pod_shape shape;
    pod_lua_check_shape(L, 4, &shape);
    size_t count;
    const pod_bytes *texts = pod_lua_check_array(L, 5, sizeof *texts, &count, read_bytes, NULL);
    luaL_argcheck(L, pod_shape_elements(&shape) == (int64_t)count, 5, "there are not as many texts as the shape says");
    return pod_event_text(check_writer(L), step, tag, &shape, texts, error);
}

/* writer:keras_model(step, tag, json) */
static int writer_keras_model(lua_State *L, pod_error *error)
{
    const int64_t step = check_step(L);
    const char *tag = check_text(L, 3, "the tag");
    pod_bytes json;
    json.data = luaL_checklstring(L, 4, &json.size);
    return pod_event_keras_model(check_writer(L), step, tag, &json, error);
}

/* Reads a name; the context tells what it is of. */
static void read_name(lua_State *L, const pod_lua_entry *entry)
{
    *(const char **)entry->into = top_text(L, entry->context);
}

/* Reads {name, op, {input...}, shape?}. */
static void read_node(lua_State *L, const pod_lua_entry *entry)
{
    pod_event_node *node = entry->into;
    pod_lua_check_top(L, LUA_TTABLE, "a node");
    const int at = lua_gettop(L);
    lua_rawgeti(L, at, 1);
    node->name = top_text(L, "the name of a node");
    lua_rawgeti(L, at, 2);
    node->op = top_text(L, "the op of a node");
    lua_rawgeti(L, at, 3);
    pod_lua_check_top(L, LUA_TTABLE, "the inputs of a node");
    node->inputs =
        pod_lua_check_array(L, -1, sizeof(const char *), &node->input_count, read_name, "the input of a node");
    lua_rawgeti(L, at, 4);
    if (!lua_isnil(L, -1)) {
        pod_shape *shape = pod_lua_newuserdata(L, sizeof *shape);
        pod_lua_check_shape(L, -2, shape);
        node->shape = shape;
    }
}

/* writer:graph({{name, op, {input...}, shape?}...}) */
static int writer_graph(lua_State *L, pod_error *error)
{
    size_t count;
    const pod_event_node *nodes = pod_lua_check_array(L, 2, sizeof *nodes, &count, read_node, NULL);
    return pod_event_graph(check_writer(L), count, nodes, error);
}

/* Reads {name, value}. */
static void read_hparam(lua_State *L, const pod_lua_entry *entry)
{
    pod_hparam *value = entry->into;
    pod_lua_check_top(L, LUA_TTABLE, "a hyperparameter");
    lua_rawgeti(L, -1, 1);
    value->name = top_text(L, "the name of a hyperparameter");
    lua_rawgeti(L, -2, 2);
    value->kind = lua_type(L, -1) == LUA_TSTRING    ? POD_HPARAM_TEXT
                  : lua_type(L, -1) == LUA_TBOOLEAN ? POD_HPARAM_BOOL
                                                    : POD_HPARAM_NUMBER;
    if (value->kind == POD_HPARAM_TEXT)
        value->text = check_text(L, -1, "a hyperparameter");
    else
        value->number = value->kind == POD_HPARAM_BOOL ? lua_toboolean(L, -1)
                                                       : pod_lua_check_number(L, -1, "the value of a hyperparameter");
}

/* writer:hparams({{name, value}...}, {metric...}, group?) */
static int writer_hparams(lua_State *L, pod_error *error)
{
    const char *group = lua_isnoneornil(L, 4) ? NULL : check_text(L, 4, "the group");
    size_t count, metric_count;
    const pod_hparam *values = pod_lua_check_array(L, 2, sizeof *values, &count, read_hparam, NULL);
    const char *const *metrics =
        pod_lua_check_array(L, 3, sizeof *metrics, &metric_count, read_name, "the tag of a metric");
    return pod_event_hparams(check_writer(L), count, values, metric_count, metrics, group, error);
}

/* writer:hparams_end(succeeded) */
static int writer_hparams_end(lua_State *L, pod_error *error)
{
    return pod_event_hparams_end(check_writer(L), lua_toboolean(L, 2), error);
}

/* writer:flush() */
static int writer_flush(lua_State *L, pod_error *error)
{
    return pod_event_writer_flush(check_writer(L), error);
}

/* ---- reading --------------------------------------------------------------------------------------------- */

static void end_reader(void *reader)
{
    pod_event_reader_close(reader);
}

typedef struct reader_box {
    pod_event_reader *reader;
    uint64_t asked; /* how often: what it told is there until the next time */
} reader_box;

static const pod_lua_kind reader_kind = {"moonpod.event_reader", "event reader", .size = sizeof(reader_box),
                                         .end = end_reader};

/* event_reader(context, path) */
static int reader_new(lua_State *L, pod_error *error)
{
    pod_context *context = pod_lua_check_context(L, 1);
    const char *path = check_text(L, 2, "the path");
    reader_box *box = pod_lua_new_box(L, &reader_kind);
    return pod_lua_results(pod_event_reader_open(context, path, &box->reader, error), 1);
}

/* reader:next() -> tag, step, scalar or false, wall_time, plugin; nil at the end */
static int reader_next(lua_State *L, pod_error *error)
{
    pod_event_value value;
    pod_event_reader *reader = pod_lua_check_open(L, 1, &reader_kind);
    reader_box *box = lua_touserdata(L, 1);
    const uint64_t asked = ++box->asked;
    const pod_status status = pod_event_reader_next(reader, &value, error);
    pod_lua_check(L, status, error);
    if (status == POD_END) {
        lua_pushnil(L);
        return 1;
    }
    lua_pushlstring(L, value.tag.data, value.tag.size);
    pod_lua_push_int64(L, value.step);
    if (value.is_scalar)
        lua_pushnumber(L, value.scalar);
    else
        lua_pushboolean(L, 0);
    lua_pushnumber(L, value.wall_time);
    if (box->asked != asked)
        return luaL_error(L, "a finaliser has read the event file meanwhile");
    lua_pushlstring(L, value.plugin.data, value.plugin.size);
    return 5;
}

/* ---- the module ------------------------------------------------------------------------------------------ */

static const pod_lua_function writer_methods[] = {{"path", .plain = writer_path},
                                                  {"scalar", .failing = writer_scalar},
                                                  {"histogram", .failing = writer_histogram},
                                                  {"image", .failing = writer_image},
                                                  {"text", .failing = writer_text},
                                                  {"keras_model", .failing = writer_keras_model},
                                                  {"graph", .failing = writer_graph},
                                                  {"hparams", .failing = writer_hparams},
                                                  {"hparams_end", .failing = writer_hparams_end},
                                                  {"flush", .failing = writer_flush},
                                                  {0}};
static const pod_lua_function reader_methods[] = {{"next", .failing = reader_next}, {0}};

static const pod_lua_function functions[] = {
    {"event_writer", .failing = writer_new}, {"event_reader", .failing = reader_new}, {0}};

/* Makes the other kind. */
static void open_reader(lua_State *L)
{
    pod_lua_open_kind(L, &reader_kind, reader_methods);
}

const pod_lua_part pod_lua_events_part = {
    .functions = functions, .kind = &writer_kind, .methods = writer_methods, .open = open_reader};
