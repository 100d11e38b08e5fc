/* events - event files, which TensorBoard shows. */

#include "bind.h"

#include <moonpod/events.h>

#include <string.h>

#define WRITER "moonpod.event_writer"
#define READER "moonpod.event_reader"

/* ---- writing --------------------------------------------------------------------------------------------- */

static pod_event_writer *check_writer(lua_State *L)
{
    pod_event_writer **box = luaL_checkudata(L, 1, WRITER);
    luaL_argcheck(L, *box, 1, "the event writer is closed");
    return *box;
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

/* The same for the string on top of the stack, which is in a table; it stays there. */
static const char *take_text(lua_State *L, const char *what)
{
    pod_lua_check_top(L, LUA_TSTRING, what);
    const char *text = check_text(L, -1, what);
    lua_pop(L, 1);
    return text;
}

static int64_t check_step(lua_State *L)
{
    return pod_lua_check_any(L, 2, "the step");
}

/* event_writer(context, folder, max_queue?, flush_millis?, suffix?) */
static int writer_new(lua_State *L)
{
    pod_context *context = pod_lua_check_context(L, 1);
    const char *folder = check_text(L, 2, "the folder of an event file");
    const pod_event_writer_options options = {
        .max_queue = lua_isnoneornil(L, 3) ? 0 : pod_lua_check_any(L, 3, "max_queue"),
        .flush_millis = lua_isnoneornil(L, 4) ? 0 : pod_lua_check_any(L, 4, "flush_millis"),
        .suffix = lua_isnoneornil(L, 5) ? NULL : check_text(L, 5, "the suffix"),
    };
    pod_event_writer **box = pod_lua_newuserdata(L, sizeof *box);
    *box = NULL;
    pod_lua_setmetatable(L, WRITER);
    pod_error error;
    pod_lua_check(L, pod_event_writer_open(context, folder, &options, box, &error), &error);
    return 1;
}

/* writer:path() */
static int writer_path(lua_State *L)
{
    lua_pushstring(L, pod_event_writer_path(check_writer(L)));
    return 1;
}

/* writer:scalar(step, tag, value) */
static int writer_scalar(lua_State *L)
{
    const int64_t step = check_step(L);
    const char *tag = check_text(L, 3, "the tag");
    const double value = pod_lua_check_number(L, 4, "the value");
    pod_error error;
    pod_lua_check(L, pod_event_scalar(check_writer(L), step, tag, value, &error), &error);
    return 0;
}

/* writer:histogram(step, tag, buffer, buckets) */
static int writer_histogram(lua_State *L)
{
    const int64_t step = check_step(L), buckets = pod_lua_check_any(L, 5, "the number of buckets");
    const char *tag = check_text(L, 3, "the tag");
    pod_error error;
    pod_lua_check(L, pod_event_histogram(check_writer(L), step, tag, pod_lua_check_buffer(L, 4), buckets, &error),
                  &error);
    return 0;
}

/* writer:image(step, tag, buffer, most) */
static int writer_image(lua_State *L)
{
    const int64_t step = check_step(L), most = pod_lua_check_within(L, 5, "the number of pictures", 0, INT32_MAX);
    const char *tag = check_text(L, 3, "the tag");
    pod_error error;
    pod_lua_check(L, pod_event_image(check_writer(L), step, tag, pod_lua_check_buffer(L, 4), most, &error), &error);
    return 0;
}

/* writer:text(step, tag, shape, {text...}) */
static int writer_text(lua_State *L)
{
    const int64_t step = check_step(L);
    const char *tag = check_text(L, 3, "the tag");
    pod_shape shape;
    pod_lua_check_shape(L, 4, &shape);
    luaL_checktype(L, 5, LUA_TTABLE);
    lua_settop(L, 5);
    const size_t count = pod_lua_length(L, 5);
    luaL_argcheck(L, pod_shape_elements(&shape) == (int64_t)count, 5, "there are not as many texts as the shape says");
    pod_bytes *texts = pod_lua_new_array(L, count + 1, sizeof *texts);
    for (size_t i = 0; i < count; i++) {
        pod_lua_geti(L, 5, i + 1);
        if (lua_type(L, -1) != LUA_TSTRING) /* a number would become a string that nobody keeps */
            return luaL_error(L, "a text must be a string, not a %s", luaL_typename(L, -1));
        texts[i].data = lua_tolstring(L, -1, &texts[i].size);
        lua_pop(L, 1);
    }
    pod_error error;
    pod_lua_check(L, pod_event_text(check_writer(L), step, tag, &shape, texts, &error), &error);
    return 0;
}

/* writer:keras_model(step, tag, json) */
static int writer_keras_model(lua_State *L)
{
    const int64_t step = check_step(L);
    const char *tag = check_text(L, 3, "the tag");
    pod_bytes json;
    json.data = luaL_checklstring(L, 4, &json.size);
    pod_error error;
    pod_lua_check(L, pod_event_keras_model(check_writer(L), step, tag, &json, &error), &error);
    return 0;
}

/* Reads the node {name, op, {input...}, shape?} on top of the stack, and pops it. Leaves blocks of memory below. */
static void check_node(lua_State *L, pod_event_node *node)
{
    pod_lua_check_top(L, LUA_TTABLE, "a node");
    const int at = lua_gettop(L);
    lua_rawgeti(L, at, 1);
    node->name = take_text(L, "the name of a node");
    lua_rawgeti(L, at, 2);
    node->op = take_text(L, "the op of a node");
    lua_rawgeti(L, at, 3);
    pod_lua_check_top(L, LUA_TTABLE, "the inputs of a node");
    node->input_count = pod_lua_length(L, -1);
    const char **inputs = pod_lua_new_array(L, node->input_count + 1, sizeof *inputs);
    for (size_t i = 0; i < node->input_count; i++) {
        pod_lua_geti(L, at + 1, i + 1);
        inputs[i] = take_text(L, "the input of a node");
    }
    node->inputs = inputs;
    lua_rawgeti(L, at, 4);
    if (!lua_isnil(L, -1)) {
        pod_shape *shape = pod_lua_newuserdata(L, sizeof *shape);
        const int sizes = at + 3;
        luaL_checktype(L, sizes, LUA_TTABLE);
        *shape = (pod_shape){.rank = (int32_t)pod_lua_length(L, sizes)};
        if (pod_lua_length(L, sizes) > POD_MAX_RANK)
            luaL_error(L, "a node has a shape of more than %d axes", POD_MAX_RANK);
        for (int i = 0; i < shape->rank; i++) {
            lua_rawgeti(L, sizes, i + 1);
            shape->dims[i] = pod_lua_check_any(L, -1, "a size of a node's shape");
            lua_pop(L, 1);
        }
        node->shape = shape;
    }
}

/* writer:graph({{name, op, {input...}, shape?}...}) */
static int writer_graph(lua_State *L)
{
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_settop(L, 2);
    const size_t count = pod_lua_length(L, 2);
    pod_event_node *nodes = pod_lua_new_array(L, count + 1, sizeof *nodes);
    memset(nodes, 0, (count + 1) * sizeof *nodes);
    lua_createtable(L, (int)count, 0); /* keeps the nodes' memory */
    for (size_t i = 0; i < count; i++) {
        const int top = lua_gettop(L);
        pod_lua_geti(L, 2, i + 1);
        check_node(L, &nodes[i]);
        lua_createtable(L, 2, 0);
        lua_pushvalue(L, top + 3); /* the inputs */
        lua_rawseti(L, -2, 1);
        lua_pushvalue(L, top + 5); /* the shape, or nothing */
        lua_rawseti(L, -2, 2);
        lua_rawseti(L, top, (int)i + 1);
        lua_settop(L, top);
    }
    pod_error error;
    pod_lua_check(L, pod_event_graph(check_writer(L), count, nodes, &error), &error);
    return 0;
}

/* Reads {name, value} on top of the stack, and pops it. */
static void check_hparam(lua_State *L, pod_hparam *value)
{
    pod_lua_check_top(L, LUA_TTABLE, "a hyperparameter");
    lua_rawgeti(L, -1, 1);
    value->name = take_text(L, "the name of a hyperparameter");
    lua_rawgeti(L, -1, 2);
    value->kind = lua_type(L, -1) == LUA_TSTRING    ? POD_HPARAM_TEXT
                  : lua_type(L, -1) == LUA_TBOOLEAN ? POD_HPARAM_BOOL
                                                    : POD_HPARAM_NUMBER;
    if (value->kind == POD_HPARAM_TEXT)
        value->text = check_text(L, -1, "a hyperparameter");
    else
        value->number = value->kind == POD_HPARAM_BOOL ? lua_toboolean(L, -1)
                                                       : pod_lua_check_number(L, -1, "the value of a hyperparameter");
    lua_pop(L, 2);
}

/* writer:hparams({{name, value}...}, {metric...}, group?) */
static int writer_hparams(lua_State *L)
{
    luaL_checktype(L, 2, LUA_TTABLE);
    luaL_checktype(L, 3, LUA_TTABLE);
    const char *group = lua_isnoneornil(L, 4) ? NULL : check_text(L, 4, "the group");
    const size_t count = pod_lua_length(L, 2), metric_count = pod_lua_length(L, 3);
    pod_hparam *values = pod_lua_new_array(L, count + 1, sizeof *values);
    const char **metrics = pod_lua_new_array(L, metric_count + 1, sizeof *metrics);
    memset(values, 0, (count + 1) * sizeof *values);
    for (size_t i = 0; i < count; i++) {
        pod_lua_geti(L, 2, i + 1);
        check_hparam(L, &values[i]);
    }
    for (size_t i = 0; i < metric_count; i++) {
        pod_lua_geti(L, 3, i + 1);
        metrics[i] = take_text(L, "the tag of a metric");
    }
    pod_error error;
    pod_lua_check(L, pod_event_hparams(check_writer(L), count, values, metric_count, metrics, group, &error), &error);
    return 0;
}

/* writer:hparams_end(succeeded) */
static int writer_hparams_end(lua_State *L)
{
    pod_error error;
    pod_lua_check(L, pod_event_hparams_end(check_writer(L), lua_toboolean(L, 2), &error), &error);
    return 0;
}

/* writer:flush() */
static int writer_flush(lua_State *L)
{
    pod_error error;
    pod_lua_check(L, pod_event_writer_flush(check_writer(L), &error), &error);
    return 0;
}

/* Takes the writer out of its box; whoever uses it at this moment is told by check_writer() from then on. */
static pod_event_writer *take_writer(lua_State *L)
{
    pod_event_writer **box = luaL_checkudata(L, 1, WRITER);
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

/* What the collector does: what waits is written, as far as that goes. */
static int writer_collect(lua_State *L)
{
    (void)pod_event_writer_close(take_writer(L), NULL);
    return 0;
}

static int writer_tostring(lua_State *L)
{
    pod_event_writer **box = luaL_checkudata(L, 1, WRITER);
    lua_pushstring(L, *box ? "moonpod.event_writer" : "moonpod.event_writer (closed)");
    return 1;
}

/* ---- reading --------------------------------------------------------------------------------------------- */

/* event_reader(context, path) */
static int reader_new(lua_State *L)
{
    pod_context *context = pod_lua_check_context(L, 1);
    const char *path = check_text(L, 2, "the path");
    pod_event_reader **box = pod_lua_newuserdata(L, sizeof *box);
    *box = NULL;
    pod_lua_setmetatable(L, READER);
    pod_error error;
    pod_lua_check(L, pod_event_reader_open(context, path, box, &error), &error);
    return 1;
}

/* reader:next() -> tag, step, scalar or false, wall_time, plugin; nil at the end */
static int reader_next(lua_State *L)
{
    pod_event_reader **box = luaL_checkudata(L, 1, READER);
    luaL_argcheck(L, *box, 1, "the event reader is closed");
    pod_event_value value;
    pod_error error;
    const pod_status status = pod_event_reader_next(*box, &value, &error);
    pod_lua_check(L, status, &error);
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
    lua_pushlstring(L, value.plugin.data, value.plugin.size);
    return 5;
}

static void end_reader(void *content)
{
    pod_event_reader_close(content);
}

static int reader_close(lua_State *L)
{
    pod_event_reader **box = luaL_checkudata(L, 1, READER);
    pod_event_reader *content = *box;
    *box = NULL;
    pod_lua_end(L, end_reader, content);
    return 0;
}

static int reader_tostring(lua_State *L)
{
    pod_event_reader **box = luaL_checkudata(L, 1, READER);
    lua_pushstring(L, *box ? "moonpod.event_reader" : "moonpod.event_reader (closed)");
    return 1;
}

/* ---- the module ------------------------------------------------------------------------------------------ */

static const luaL_Reg writer_methods[] = {{"path", writer_path},
                                          {"scalar", writer_scalar},
                                          {"histogram", writer_histogram},
                                          {"image", writer_image},
                                          {"text", writer_text},
                                          {"keras_model", writer_keras_model},
                                          {"graph", writer_graph},
                                          {"hparams", writer_hparams},
                                          {"hparams_end", writer_hparams_end},
                                          {"flush", writer_flush},
                                          {NULL, NULL}};
static const luaL_Reg reader_methods[] = {{"next", reader_next}, {NULL, NULL}};

static const luaL_Reg functions[] = {{"event_writer", writer_new}, {"event_reader", reader_new}, {NULL, NULL}};

void pod_lua_open_events(lua_State *L)
{
    pod_lua_new_metatable(L, READER, reader_methods, reader_close, reader_tostring);
    pod_lua_new_metatable(L, WRITER, writer_methods, writer_close, writer_tostring);
    luaL_getmetatable(L, WRITER);
    lua_pushcfunction(L, writer_collect); /* a collector is no place for errors */
    lua_setfield(L, -2, "__gc");
    lua_pop(L, 1);
    pod_lua_set_functions(L, functions);
}
