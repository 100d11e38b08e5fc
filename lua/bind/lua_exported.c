/* lua_exported - programs with their weights, loaded from a file. */

#include "bind.h"

#include <moonpod/exported.h>

#include <string.h>

#include "base/checked.h"

#define EXPORTED "moonpod.exported"

static pod_exported *check_exported(lua_State *L, int index)
{
    pod_exported **box = luaL_checkudata(L, index, EXPORTED);
    luaL_argcheck(L, *box, index, "the exported program is closed");
    return *box;
}

static void end(void *content)
{
    pod_exported_close(content);
}

static int exported_close(lua_State *L)
{
    pod_exported **box = luaL_checkudata(L, 1, EXPORTED);
    pod_exported *content = *box;
    *box = NULL;
    pod_lua_end(L, end, content);
    return 0;
}

static int exported_tostring(lua_State *L)
{
    lua_pushliteral(L, EXPORTED);
    return 1;
}

/* exported_open(context, path) or (context, nil, bytes) -> exported */
static int exported_open(lua_State *L)
{
    pod_context *context = pod_lua_check_context(L, 1);
    size_t size = 0;
    const char *path = pod_lua_optional_text(L, 2, NULL);
    const char *bytes = path == NULL ? luaL_checklstring(L, 3, &size) : NULL;
    pod_exported **box = pod_lua_newuserdata(L, sizeof *box);
    *box = NULL;
    pod_lua_setmetatable(L, EXPORTED);
    pod_error error;
    pod_lua_check(L,
                  path != NULL ? pod_exported_open(context, path, box, &error)
                               : pod_exported_open_memory(context, bytes, size, box, &error),
                  &error);
    size_t charge = 0;
    for (size_t i = 0; i < pod_exported_describe(*box).weight_count; i++)
        charge += pod_buffer_bytes(pod_exported_weight(*box, i, NULL));
    pod_lua_charge(L, charge);
    return 1;
}

/* Pushes {{name =, dtype =, shape =}...}. */
static void push_values(lua_State *L, const pod_exported *exported, size_t count,
                        pod_exported_value (*get)(const pod_exported *exported, size_t index))
{
    lua_createtable(L, (int)count, 0);
    for (size_t i = 0; i < count; i++) {
        const pod_exported_value value = get(exported, i);
        lua_createtable(L, 0, 3);
        lua_pushstring(L, value.name);
        lua_setfield(L, -2, "name");
        lua_pushstring(L, pod_dtype_name(value.dtype));
        lua_setfield(L, -2, "dtype");
        pod_lua_push_shape(L, &value.shape);
        lua_setfield(L, -2, "shape");
        lua_rawseti(L, -2, (int)i + 1);
    }
}

/* exported:describe() -> {name =, structure = text or nil, keeps_state =, sizes =, inputs =, outputs =, weights =
 * names}
 */
static int exported_describe(lua_State *L)
{
    const pod_exported *exported = check_exported(L, 1);
    const pod_exported_description about = pod_exported_describe(exported);
    lua_createtable(L, 0, 7);
    lua_pushstring(L, about.name);
    lua_setfield(L, -2, "name");
    lua_pushstring(L, about.structure);
    lua_setfield(L, -2, "structure");
    lua_pushboolean(L, about.keeps_state);
    lua_setfield(L, -2, "keeps_state");
    lua_createtable(L, (int)about.size_count, 0);
    for (size_t i = 0; i < about.size_count; i++) {
        pod_lua_push_int64(L, about.sizes[i]);
        lua_rawseti(L, -2, (int)i + 1);
    }
    lua_setfield(L, -2, "sizes");
    push_values(L, exported, about.input_count, pod_exported_input);
    lua_setfield(L, -2, "inputs");
    push_values(L, exported, about.output_count, pod_exported_output);
    lua_setfield(L, -2, "outputs");
    lua_createtable(L, (int)about.weight_count, 0);
    for (size_t i = 0; i < about.weight_count; i++) {
        const char *name;
        (void)pod_exported_weight(exported, i, &name);
        lua_pushstring(L, name);
        lua_rawseti(L, -2, (int)i + 1);
    }
    lua_setfield(L, -2, "weights");
    return 1;
}

/* exported:weight(number from 1) -> buffer, which runs may change */
static int exported_weight(lua_State *L)
{
    const pod_exported *exported = check_exported(L, 1);
    const size_t count = pod_exported_describe(exported).weight_count;
    const int64_t index = pod_lua_check_within(L, 2, "a weight's number", 1, (int64_t)count);
    pod_buffer **box = pod_lua_new_buffer_box(L);
    *box = pod_buffer_retain(pod_exported_weight(exported, (size_t)index - 1, NULL));
    return 1;
}

/* Reads an array of buffers, which must have the bytes of `rows` rows of each input; a block on the stack. */
static const void **check_inputs(lua_State *L, int index, const pod_exported *exported, int64_t rows)
{
    const size_t count = pod_exported_describe(exported).input_count;
    luaL_checktype(L, index, LUA_TTABLE);
    const void **inputs = pod_lua_new_array(L, count + 1, sizeof *inputs);
    for (size_t i = 0; i < count; i++) {
        const pod_exported_value input = pod_exported_input(exported, i);
        size_t bytes;
        pod_lua_geti(L, index, i + 1);
        const pod_buffer *buffer = pod_lua_check_buffer(L, lua_gettop(L));
        if (pod_multiply_overflows((size_t)rows, input.bytes, &bytes) || pod_buffer_bytes(buffer) != bytes ||
            pod_buffer_dtype(buffer) != input.dtype)
            luaL_error(L, "input %d does not have the elements of input '%s'", (int)i + 1, input.name);
        inputs[i] = pod_buffer_data(buffer);
        lua_pop(L, 1);
    }
    return inputs;
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
static int exported_run(lua_State *L)
{
    pod_exported *exported = check_exported(L, 1);
    const pod_exported_description about = pod_exported_describe(exported);
    pod_context *context = pod_lua_check_context(L, 2);
    const int64_t rows = pod_lua_check_within(L, 3, "the number of rows", 0, INT32_MAX);
    const void **inputs = check_inputs(L, 4, exported, rows);
    void **outputs = pod_lua_new_array(L, about.output_count + 1, sizeof *outputs);
    pod_error error;
    size_t bytes = 0;
    lua_createtable(L, (int)about.output_count, 0);
    for (size_t i = 0; i < about.output_count; i++) {
        const pod_exported_value output = pod_exported_output(exported, i);
        const pod_shape shape = result_shape(L, &output, about.size_count > 0, rows);
        pod_buffer **box = pod_lua_new_buffer_box(L);
        pod_lua_check(L, pod_buffer_new(context, output.dtype, &shape, box, &error), &error);
        outputs[i] = pod_buffer_data(*box);
        bytes += pod_buffer_bytes(*box);
        lua_rawseti(L, -2, (int)i + 1);
    }
    pod_lua_check(L, pod_exported_run(exported, rows, inputs, outputs, &error), &error);
    pod_lua_charge(L, bytes);
    return 1;
}

static const luaL_Reg functions[] = {{"exported_open", exported_open}, {NULL, NULL}};
static const luaL_Reg methods[] = {
    {"describe", exported_describe}, {"weight", exported_weight}, {"run", exported_run}, {NULL, NULL}};

void pod_lua_open_exported(lua_State *L)
{
    pod_lua_new_metatable(L, EXPORTED, methods, exported_close, exported_tostring);
    pod_lua_set_functions(L, functions);
}
