/* lua_buffer - elements of a type and a shape, in and out of Lua tables and strings. */

#include "small.h"

#include <math.h>
#include <string.h>

#include "base/checked.h"

pod_buffer *pod_lua_check_held(lua_State *L, int index)
{
    pod_error error;
    (void)pod_lua_check_box(L, index);
    pod_buffer *buffer = pod_lua_open_box(L, index, &error);
    pod_lua_check(L, error.status, &error);
    if (!buffer)
        pod_lua_closed(L, index, "buffer");
    return buffer;
}

pod_buffer *pod_lua_check_buffer(lua_State *L, int index)
{
    pod_error error;
    pod_buffer *buffer = pod_lua_check_held(L, index);
    pod_lua_check(L, pod_buffer_settle(buffer, &error), &error);
    return buffer;
}

static void end(void *content)
{
    pod_buffer_release(content);
}

static int buffer_close(lua_State *L)
{
    pod_buffer **box = pod_lua_check_box(L, 1);
    pod_lua_small_box *small = pod_lua_to_small(L, 1);
    pod_buffer *content = *box;
    *box = NULL;
    if (small)
        small->type = NULL;
    pod_lua_end(L, end, content);
    return 0;
}

static const pod_lua_kind buffer_kind = {POD_LUA_BUFFER, "buffer", .close = buffer_close};

pod_buffer **pod_lua_new_buffer_box(lua_State *L)
{
    return pod_lua_new_box(L, &buffer_kind);
}

/* Pushes a new buffer of zeros. */
static pod_buffer *push_new(lua_State *L, pod_context *context, pod_dtype dtype, const pod_shape *shape)
{
    pod_buffer **box = pod_lua_new_buffer_box(L);
    pod_error error;
    pod_lua_check(L, pod_buffer_new(context, dtype, shape, box, &error), &error);
    pod_lua_charge(L, context, pod_buffer_bytes(*box));
    return *box;
}

/* ---- elements ------------------------------------------------------------------------------------- */

void pod_lua_store_element(lua_State *L, int index, pod_dtype dtype, void *data, size_t place)
{
    void *element = (char *)data + place * pod_dtype_size(dtype);
    pod_error error;
    pod_status status = POD_OK;
    if (lua_isinteger(L, index))
        status = pod_element_from_integer(dtype, pod_lua_check_any(L, index, "an element"), element, &error);
    else if (lua_type(L, index) == LUA_TNUMBER)
        status = pod_element_from_real(dtype, pod_lua_to_number(L, index), element, &error);
    else if (lua_type(L, index) == LUA_TBOOLEAN)
        status = pod_element_from_integer(dtype, lua_toboolean(L, index), element, &error);
    else
        luaL_error(L, "an element must be a number or a boolean, not %s", luaL_typename(L, index));
    pod_lua_check(L, status, &error);
}

/* ---- from Lua --------------------------------------------------------------------------------------- */

int pod_lua_infer_shape(lua_State *L, int index, pod_shape *shape)
{
    *shape = (pod_shape){0};
    lua_pushvalue(L, index);
    while (lua_type(L, -1) == LUA_TTABLE) {
        if (shape->rank == POD_MAX_RANK)
            return luaL_error(L, "tables are nested deeper than the %d axes a tensor can have", POD_MAX_RANK);
        size_t count = pod_lua_length(L, -1);
        shape->dims[shape->rank++] = (int64_t)count;
        if (count == 0) {
            lua_pop(L, 1);
            return LUA_TNUMBER;
        }
        pod_lua_geti(L, lua_absindex(L, -1), 1);
        lua_remove(L, -2);
    }
    int type = lua_type(L, -1);
    lua_pop(L, 1);
    return type;
}

typedef struct filling {
    const pod_shape *shape;
    pod_dtype dtype;
    void *data;
    size_t place;
} filling;

/* Stores the elements of the value on top of the stack, which is at depth `axis`. */
static void fill(lua_State *L, filling *to, int32_t axis)
{
    if (axis == to->shape->rank) {
        pod_lua_store_element(L, -1, to->dtype, to->data, to->place++);
        return;
    }
    size_t count = lua_type(L, -1) == LUA_TTABLE ? pod_lua_length(L, -1) : 0;
    if (lua_type(L, -1) != LUA_TTABLE || (int64_t)count != to->shape->dims[axis]) {
        char text[POD_SHAPE_TEXT_SIZE], length[32];
        snprintf(length, sizeof length, "a row of %lld", (long long)count);
        luaL_error(
            L,
            "all rows of a tensor have one length: on axis %d there is %s where the first is a row of %d (the shape "
            "would be %s)",
            (int)axis, lua_type(L, -1) == LUA_TTABLE ? length : luaL_typename(L, -1), (int)to->shape->dims[axis],
            pod_shape_format(to->shape, text));
    }
    luaL_checkstack(L, 2, "nested tables");
    int table = lua_absindex(L, -1);
    for (size_t i = 1; i <= count; i++) {
        pod_lua_geti(L, table, i);
        fill(L, to, axis + 1);
        lua_pop(L, 1);
    }
}

void pod_lua_store_nested(lua_State *L, const pod_shape *shape, pod_dtype dtype, void *data)
{
    filling to = {shape, dtype, data, 0};
    fill(L, &to, 0);
}

/* Fills the buffer at the top of the stack from raw bytes at `index`. */
static void fill_bytes(lua_State *L, int index, pod_buffer *buffer)
{
    size_t length;
    const char *bytes = lua_tolstring(L, index, &length);
    if (length != pod_buffer_bytes(buffer)) {
        char text[POD_SHAPE_TEXT_SIZE];
        luaL_error(L, "%d bytes given, but %s of shape %s has %d", (int)length,
                   pod_dtype_name(pod_buffer_dtype(buffer)), pod_shape_format(pod_buffer_shape(buffer), text),
                   (int)pod_buffer_bytes(buffer));
    }
    memcpy(pod_buffer_data(buffer), bytes, length);
}

/* Fills with one value. */
static void fill_value(lua_State *L, int index, pod_buffer *buffer)
{
    const size_t size = pod_dtype_size(pod_buffer_dtype(buffer)), bytes = pod_buffer_bytes(buffer);
    char *data = pod_buffer_data(buffer);
    if (bytes == 0)
        return;
    pod_lua_store_element(L, index, pod_buffer_dtype(buffer), data, 0);
    for (size_t done = size; done < bytes; done *= 2)
        memcpy(data + done, data, done < bytes - done ? done : bytes - done);
}

/* buffer(context, value, dtype?, shape?): value is nested tables, a number or boolean (fills the shape), a string of
 * raw bytes (dtype and shape needed) or nil (zeros). dtype defaults to float32, for booleans to bool. */
static int buffer_new(lua_State *L)
{
    pod_context *context = pod_lua_check_context(L, 1);
    lua_settop(L, 4);
    pod_shape shape = {0};
    int type = lua_type(L, 2);
    if (type == LUA_TTABLE)
        type = pod_lua_infer_shape(L, 2, &shape);
    bool nested = lua_type(L, 2) == LUA_TTABLE;
    pod_dtype dtype = type == LUA_TBOOLEAN ? POD_BOOL : POD_F32;
    if (!lua_isnil(L, 3))
        dtype = pod_lua_check_dtype(L, 3);
    pod_shape given = shape;
    if (!lua_isnil(L, 4))
        pod_lua_check_shape(L, 4, &given);
    if (nested && pod_shape_elements(&given) != pod_shape_elements(&shape)) {
        char a[POD_SHAPE_TEXT_SIZE], b[POD_SHAPE_TEXT_SIZE];
        return luaL_error(L, "the values have shape %s, which does not fit shape %s", pod_shape_format(&shape, a),
                          pod_shape_format(&given, b));
    }
    pod_buffer *buffer = push_new(L, context, dtype, &given);
    if (nested) {
        lua_pushvalue(L, 2);
        pod_lua_store_nested(L, &shape, dtype, pod_buffer_data(buffer));
        lua_pop(L, 1);
    } else if (type == LUA_TSTRING) {
        fill_bytes(L, 2, buffer);
    } else if (type != LUA_TNIL) {
        fill_value(L, 2, buffer);
    }
    return 1;
}

/* ---- to Lua ------------------------------------------------------------------------------------------ */

static size_t push_nested(lua_State *L, const pod_buffer *buffer, int32_t axis, size_t place)
{
    const pod_shape *shape = pod_buffer_shape(buffer);
    if (axis == shape->rank) {
        pod_lua_push_element(L, pod_buffer_dtype(buffer), pod_buffer_data(buffer), place);
        return place + 1;
    }
    luaL_checkstack(L, 3, "nested tables");
    lua_createtable(L, (int)shape->dims[axis], 0);
    for (int64_t i = 0; i < shape->dims[axis]; i++) {
        place = push_nested(L, buffer, axis + 1, place);
        lua_rawseti(L, -2, (int)i + 1);
    }
    return place;
}

void pod_lua_push_nested(lua_State *L, const pod_buffer *buffer)
{
    (void)push_nested(L, buffer, 0, 0);
}

/* buffer:totable() -> nested arrays, or one value for rank 0 */
static int buffer_totable(lua_State *L)
{
    pod_lua_push_nested(L, pod_lua_check_buffer(L, 1));
    return 1;
}

static size_t element_count(const pod_buffer *buffer)
{
    return pod_buffer_bytes(buffer) / pod_dtype_size(pod_buffer_dtype(buffer));
}

static int64_t check_place(lua_State *L, size_t count)
{
    if (count == 0)
        luaL_error(L, "there is no place: the buffer has no elements");
    return pod_lua_check_within(L, 2, "place", 0, (int64_t)count - 1);
}

/* buffer:item(place?) -> the element at a place counted from 0 in row-major order; without a place the only one */
static int buffer_item(lua_State *L)
{
    pod_buffer *buffer = pod_lua_check_buffer(L, 1);
    size_t count = element_count(buffer);
    if (lua_isnoneornil(L, 2) && count != 1)
        return luaL_error(L, "item() needs a tensor of one element; this one has %d", (int)count);
    const int64_t place = lua_isnoneornil(L, 2) ? 0 : check_place(L, count);
    pod_lua_push_element(L, pod_buffer_dtype(buffer), pod_buffer_data(buffer), (size_t)place);
    return 1;
}

/* buffer:set(place, value): for buffers that nobody else reads */
static int buffer_set(lua_State *L)
{
    pod_buffer *buffer = pod_lua_check_buffer(L, 1);
    const int64_t place = check_place(L, element_count(buffer));
    pod_lua_store_element(L, 3, pod_buffer_dtype(buffer), pod_buffer_data(buffer), (size_t)place);
    pod_buffer_note_write(buffer);
    return 0;
}

static int buffer_shape(lua_State *L)
{
    pod_lua_push_shape(L, pod_buffer_shape(pod_lua_check_held(L, 1)));
    return 1;
}

static int buffer_dtype(lua_State *L)
{
    lua_pushstring(L, pod_dtype_name(pod_buffer_dtype(pod_lua_check_held(L, 1))));
    return 1;
}

static int buffer_bytes(lua_State *L)
{
    pod_lua_push_int64(L, (int64_t)pod_buffer_bytes(pod_lua_check_held(L, 1)));
    return 1;
}

/* buffer:held_bytes() -> what was taken from the host for it */
static int buffer_held_bytes(lua_State *L)
{
    pod_lua_push_int64(L, (int64_t)pod_buffer_held_bytes(pod_lua_check_held(L, 1)));
    return 1;
}

/* planned_bytes(dtype, shape) -> what a buffer will take */
static int planned_bytes(lua_State *L)
{
    pod_shape shape;
    pod_lua_check_shape(L, 2, &shape);
    pod_lua_push_int64(L, (int64_t)pod_buffer_planned_bytes(pod_lua_check_dtype(L, 1), &shape));
    return 1;
}

/* buffer:data() -> the elements as a string of raw bytes */
static int buffer_data(lua_State *L)
{
    pod_buffer *buffer = pod_lua_check_buffer(L, 1);
    lua_pushlstring(L, pod_buffer_data(buffer), pod_buffer_bytes(buffer));
    return 1;
}

/* buffer:copy(context, dtype?) -> a new buffer of the same elements, converted where dtype is given */
static int buffer_copy(lua_State *L)
{
    pod_buffer *buffer = pod_lua_check_buffer(L, 1);
    pod_context *context = pod_lua_check_context(L, 2);
    pod_dtype from = pod_buffer_dtype(buffer);
    pod_dtype to = lua_isnoneornil(L, 3) ? from : pod_lua_check_dtype(L, 3);
    pod_buffer *copy = push_new(L, context, to, pod_buffer_shape(buffer));
    if (from == to)
        memcpy(pod_buffer_data(copy), pod_buffer_data(buffer), pod_buffer_bytes(buffer));
    else
        pod_convert(from, pod_buffer_data(buffer), to, pod_buffer_data(copy), element_count(buffer));
    return 1;
}

/* buffer:view(first, shape, dtype?) -> a buffer over the same memory from element `first` (counted from 0) on */
static int buffer_view(lua_State *L, pod_error *error)
{
    pod_buffer *buffer = pod_lua_check_buffer(L, 1);
    const int64_t first = pod_lua_check_size(L, 2, "first");
    pod_shape shape;
    pod_lua_check_shape(L, 3, &shape);
    pod_dtype dtype = lua_isnoneornil(L, 4) ? pod_buffer_dtype(buffer) : pod_lua_check_dtype(L, 4);
    pod_buffer **box = pod_lua_new_buffer_box(L);
    size_t offset;
    if (pod_multiply_overflows((size_t)first, pod_dtype_size(pod_buffer_dtype(buffer)), &offset))
        return luaL_argerror(L, 2, "there are no so many elements");
    return pod_lua_results(pod_buffer_view(buffer, offset, dtype, &shape, box, error), 1);
}

/* buffer:write(source, first?): copies the elements of another buffer of the same type into this one, from
 * element `first` (counted from 0) on */
static int buffer_write(lua_State *L)
{
    pod_buffer *buffer = pod_lua_check_buffer(L, 1);
    pod_buffer *source = pod_lua_check_buffer(L, 2);
    const int64_t first = lua_isnoneornil(L, 3) ? 0 : pod_lua_check_size(L, 3, "first");
    size_t offset;
    luaL_argcheck(L, pod_buffer_dtype(source) == pod_buffer_dtype(buffer), 2, "it has another dtype");
    if (pod_multiply_overflows((size_t)first, pod_dtype_size(pod_buffer_dtype(buffer)), &offset) ||
        !pod_lies_within(offset, pod_buffer_bytes(source), pod_buffer_bytes(buffer)))
        return luaL_argerror(L, 3, "the elements do not fit");
    memmove((char *)pod_buffer_data(buffer) + offset, pod_buffer_data(source), pod_buffer_bytes(source));
    pod_buffer_note_write(buffer);
    return 0;
}

/* buffer:equal(other) -> whether type, shape and bits are the same */
static int buffer_equal(lua_State *L)
{
    pod_buffer *a = pod_lua_check_buffer(L, 1);
    pod_buffer *b = pod_lua_check_buffer(L, 2);
    lua_pushboolean(L, pod_buffer_dtype(a) == pod_buffer_dtype(b) &&
                           pod_shape_equal(pod_buffer_shape(a), pod_buffer_shape(b)) &&
                           memcmp(pod_buffer_data(a), pod_buffer_data(b), pod_buffer_bytes(a)) == 0);
    return 1;
}

/* buffer:places(context) -> a buffer of the places, counted from 0, at which a mask is true */
static int buffer_places(lua_State *L)
{
    const pod_buffer *mask = pod_lua_check_buffer(L, 1);
    const size_t count = element_count(mask);
    luaL_argcheck(L, pod_buffer_dtype(mask) == POD_BOOL && count <= INT32_MAX, 1, "a mask is of bool");
    const uint8_t *is_true = pod_buffer_data(mask);
    pod_shape shape = {.rank = 1};
    for (size_t i = 0; i < count; i++)
        shape.dims[0] += is_true[i] != 0;
    int32_t *places = pod_buffer_data(push_new(L, pod_lua_check_context(L, 2), POD_S32, &shape));
    for (size_t i = 0; i < count; i++)
        if (is_true[i])
            *places++ = (int32_t)i;
    return 1;
}

static int buffer_is_unique(lua_State *L)
{
    lua_pushboolean(L, pod_buffer_is_unique(pod_lua_check_held(L, 1)));
    return 1;
}

/* What the collector calls: of each buffer, so it is short. Its upvalue is the metatable. */
static int buffer_collect(lua_State *L)
{
    pod_buffer **box = lua_touserdata(L, 1);
    if (!box || !lua_getmetatable(L, 1) || !lua_rawequal(L, -1, lua_upvalueindex(1)))
        return 0;
    pod_buffer *content = *box;
    *box = NULL;
    pod_buffer_release(content);
    return 0;
}

static int buffer_tostring(lua_State *L)
{
    (void)pod_lua_check_box(L, 1);
    const pod_buffer *buffer = pod_lua_open_box(L, 1, NULL);
    char text[POD_SHAPE_TEXT_SIZE];
    if (buffer)
        lua_pushfstring(L, "moonpod.buffer %s %s", pod_dtype_name(pod_buffer_dtype(buffer)),
                        pod_shape_format(pod_buffer_shape(buffer), text));
    else
        lua_pushliteral(L, "moonpod.buffer (closed)");
    return 1;
}

static const pod_lua_function buffer_methods[] = {{"totable", .plain = buffer_totable},
                                                  {"item", .plain = buffer_item},
                                                  {"set", .plain = buffer_set},
                                                  {"shape", .plain = buffer_shape},
                                                  {"dtype", .plain = buffer_dtype},
                                                  {"bytes", .plain = buffer_bytes},
                                                  {"held_bytes", .plain = buffer_held_bytes},
                                                  {"data", .plain = buffer_data},
                                                  {"copy", .plain = buffer_copy},
                                                  {"view", .failing = buffer_view},
                                                  {"write", .plain = buffer_write},
                                                  {"equal", .plain = buffer_equal},
                                                  {"places", .plain = buffer_places},
                                                  {"is_unique", .plain = buffer_is_unique},
                                                  {0}};

static const pod_lua_function functions[] = {
    {"buffer", .plain = buffer_new}, {"planned_bytes", .plain = planned_bytes}, {0}};

static void complete_metatables(lua_State *L)
{
    luaL_getmetatable(L, POD_LUA_BUFFER);
    lua_pushvalue(L, -1);
    lua_pushcclosure(L, buffer_collect, 1);
    lua_setfield(L, -2, "__gc");
    pod_lua_push_function(L, buffer_tostring);
    lua_setfield(L, -2, "__tostring");
    pod_lua_new_small_metatable(L);
    lua_pop(L, 1);
}

const pod_lua_part pod_lua_buffer_part = {
    .functions = functions, .kind = &buffer_kind, .methods = buffer_methods, .open = complete_metatables};
