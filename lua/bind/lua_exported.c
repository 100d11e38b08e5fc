/* lua_exported - programs with their weights, loaded from a file. */

#include "bind.h"

#include <moonpod/exported.h>

#include <string.h>

#include "base/checked.h"

static void end(void *exported)
{
    pod_exported_close(exported);
}

static const pod_lua_kind exported_kind = {"moonpod.exported", "exported program", .end = end};

/* exported_open(context, path) or (context, nil, bytes) -> exported */
static int exported_open(lua_State *L, pod_error *error)
{
    pod_context *context = pod_lua_check_context(L, 1);
    size_t size = 0;
    const char *path = pod_lua_optional_text(L, 2, NULL);
    const char *bytes = path == NULL ? luaL_checklstring(L, 3, &size) : NULL;
    pod_exported **box = pod_lua_new_box(L, &exported_kind);
    pod_lua_check(L,
                  path != NULL ? pod_exported_open(context, path, box, error)
                               : pod_exported_open_memory(context, bytes, size, box, error),
                  error);
    size_t charge = 0;
    for (size_t i = 0; i < pod_exported_describe(*box).weight_count; i++)
        charge += pod_buffer_bytes(pod_exported_weight(*box, i, NULL));
    pod_lua_charge(L, context, charge);
    return 1;
}

/* Pushes {name =, dtype =, shape =}. */
static void push_value(lua_State *L, const pod_exported_value *value)
{
    lua_createtable(L, 0, 3);
    pod_lua_set_text(L, "name", value->name);
    pod_lua_set_text(L, "dtype", pod_dtype_name(value->dtype));
    pod_lua_set_shape(L, "shape", &value->shape);
}

static void push_input(lua_State *L, const void *exported, size_t index)
{
    const pod_exported_value value = pod_exported_input(exported, index);
    push_value(L, &value);
}

static void push_output(lua_State *L, const void *exported, size_t index)
{
    const pod_exported_value value = pod_exported_output(exported, index);
    push_value(L, &value);
}

static void push_weight(lua_State *L, const void *exported, size_t index)
{
    const char *name;
    (void)pod_exported_weight(exported, index, &name);
    lua_pushstring(L, name);
}

/* exported:describe() -> {name =, structure = text or nil, keeps_state =, sizes =, inputs =, outputs =, weights =
 * names}
 */
static int exported_describe(lua_State *L)
{
    const pod_exported *exported = pod_lua_check_open(L, 1, &exported_kind);
    const pod_exported_description about = pod_exported_describe(exported);
    lua_createtable(L, 0, 7);
    pod_lua_set_text(L, "name", about.name);
    pod_lua_set_text(L, "structure", about.structure);
    pod_lua_set_boolean(L, "keeps_state", about.keeps_state);
    pod_lua_push_integers(L, about.sizes, about.size_count);
    lua_setfield(L, -2, "sizes");
    pod_lua_set_array(L, "inputs", about.input_count, push_input, exported);
    pod_lua_set_array(L, "outputs", about.output_count, push_output, exported);
    pod_lua_set_array(L, "weights", about.weight_count, push_weight, exported);
    return 1;
}

/* exported:weight(number from 1) -> buffer, which runs may change */
static int exported_weight(lua_State *L)
{
    const pod_exported *exported = pod_lua_check_open(L, 1, &exported_kind);
    const size_t count = pod_exported_describe(exported).weight_count;
    const int64_t index = pod_lua_check_within(L, 2, "a weight's number", 1, (int64_t)count);
    pod_buffer **box = pod_lua_new_buffer_box(L);
    *box = pod_buffer_retain(pod_exported_weight(exported, (size_t)index - 1, NULL));
    return 1;
}

/* What inputs are held to. */
typedef struct wanted_inputs {
    const pod_exported *of;
    int64_t rows;
} wanted_inputs;

/* Reads a buffer, which must have the bytes of the rows of the input. */
static void read_input(lua_State *L, const pod_lua_entry *entry)
{
    const wanted_inputs *wanted = entry->context;
    const pod_exported_value input = pod_exported_input(wanted->of, entry->index);
    size_t bytes;
    const pod_buffer *buffer = pod_lua_check_buffer(L, lua_gettop(L));
    if (pod_multiply_overflows((size_t)wanted->rows, input.bytes, &bytes) || pod_buffer_bytes(buffer) != bytes ||
        pod_buffer_dtype(buffer) != input.dtype)
        luaL_error(L, "input %d does not have the elements of input '%s'", (int)entry->index + 1, input.name);
    *(const void **)entry->into = pod_buffer_data((pod_buffer *)buffer);
}

/* The shape of an output of so many rows. */
static pod_shape result_shape(lua_State *L, const pod_exported_value *output, bool has_rows, int64_t rows)
{
    pod_shape shape = output->shape;
    if (!has_rows)
        return shape;
    if (shape.rank == POD_MAX_RANK)
        luaL_error(L, "output '%s' has too many axes", output->name);
    memmove(shape.dims + 1, shape.dims, (size_t)shape.rank * sizeof shape.dims[0]);
    shape.dims[0] = rows;
    shape.rank++;
    return shape;
}

/* exported:run(context, rows, {buffer of each input}) -> {buffer of each output} */
static int exported_run(lua_State *L, pod_error *error)
{
    pod_exported *exported = pod_lua_check_open(L, 1, &exported_kind);
    const pod_exported_description about = pod_exported_describe(exported);
    pod_context *context = pod_lua_check_context(L, 2);
    const int64_t rows = pod_lua_check_within(L, 3, "the number of rows", 0, INT32_MAX);
    const wanted_inputs wanted = {exported, rows};
    luaL_checktype(L, 4, LUA_TTABLE);
    const void **inputs = pod_lua_check_entries(L, 4, sizeof *inputs, about.input_count, read_input, &wanted);
    void **outputs = pod_lua_new_array(L, about.output_count + 1, sizeof *outputs);
    size_t bytes = 0;
    lua_createtable(L, (int)about.output_count, 0);
    for (size_t i = 0; i < about.output_count; i++) {
        const pod_exported_value output = pod_exported_output(exported, i);
        const pod_shape shape = result_shape(L, &output, about.size_count > 0, rows);
        pod_buffer **box = pod_lua_new_buffer_box(L);
        pod_lua_check(L, pod_buffer_new(context, output.dtype, &shape, box, error), error);
        outputs[i] = pod_buffer_data(*box);
        bytes += pod_buffer_bytes(*box);
        lua_rawseti(L, -2, (int)i + 1);
    }
    pod_lua_check(L, pod_exported_run(exported, rows, inputs, outputs, error), error);
    pod_lua_charge(L, context, bytes);
    return 1;
}

static const pod_lua_function functions[] = {{"exported_open", .failing = exported_open}, {0}};
static const pod_lua_function methods[] = {{"describe", .plain = exported_describe},
                                           {"weight", .plain = exported_weight},
                                           {"run", .failing = exported_run},
                                           {0}};

const pod_lua_part pod_lua_exported_part = {.functions = functions, .kind = &exported_kind, .methods = methods};
