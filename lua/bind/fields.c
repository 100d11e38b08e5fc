/* fields - see fields.h. */

#include "fields.h"
#include "bind.h"

#include <math.h>
#include <string.h>

void pod_lua_set_integer(lua_State *L, const char *name, int64_t value)
{
    pod_lua_push_int64(L, value);
    lua_setfield(L, -2, name);
}

void pod_lua_set_number(lua_State *L, const char *name, double value)
{
    lua_pushnumber(L, value);
    lua_setfield(L, -2, name);
}

void pod_lua_set_boolean(lua_State *L, const char *name, bool value)
{
    lua_pushboolean(L, value);
    lua_setfield(L, -2, name);
}

void pod_lua_set_text(lua_State *L, const char *name, const char *text)
{
    lua_pushstring(L, text); /* nil for NULL */
    lua_setfield(L, -2, name);
}

void pod_lua_set_shape(lua_State *L, const char *name, const pod_shape *shape)
{
    pod_lua_push_shape(L, shape);
    lua_setfield(L, -2, name);
}

void pod_lua_set_sizes(lua_State *L, const char *name, const int32_t *sizes, int32_t count)
{
    pod_lua_push_sizes(L, sizes, count);
    lua_setfield(L, -2, name);
}

void pod_lua_set_array(lua_State *L, const char *name, size_t count, pod_lua_push *push, const void *from)
{
    pod_lua_push_array(L, count, push, from);
    lua_setfield(L, -2, name);
}

void pod_lua_push_array(lua_State *L, size_t count, pod_lua_push *push, const void *from)
{
    lua_createtable(L, (int)count, 0);
    for (size_t i = 0; i < count; i++) {
        push(L, from, i);
        lua_rawseti(L, -2, (int)i + 1);
    }
}

static void push_int32(lua_State *L, const void *values, size_t index)
{
    pod_lua_push_int64(L, ((const int32_t *)values)[index]);
}

void pod_lua_push_integers(lua_State *L, const int64_t *values, size_t count)
{
    lua_createtable(L, (int)count, 0);
    for (size_t i = 0; i < count; i++) {
        pod_lua_push_int64(L, values[i]);
        lua_rawseti(L, -2, (int)i + 1);
    }
}

void pod_lua_push_shape(lua_State *L, const pod_shape *shape)
{
    pod_lua_push_integers(L, shape->dims, (size_t)shape->rank);
}

void pod_lua_push_sizes(lua_State *L, const int32_t *sizes, int32_t count)
{
    pod_lua_push_array(L, (size_t)count, push_int32, sizes);
}

/* ---- structs ---- */

/* A value of any type of field. */
typedef union value {
    bool boolean;
    int32_t small;
    uint32_t small_unsigned;
    int64_t whole;
    double real;
    const char *text;
} value;

static const size_t sizes[] = {
    [POD_LUA_BOOL] = sizeof(bool),     [POD_LUA_INT32] = sizeof(int32_t), [POD_LUA_UINT32] = sizeof(uint32_t),
    [POD_LUA_INT64] = sizeof(int64_t), [POD_LUA_REAL] = sizeof(double),   [POD_LUA_TEXT] = sizeof(const char *),
};

static value load(const void *from, const pod_lua_field *field)
{
    value loaded = {.whole = 0};
    memcpy(&loaded, (const char *)from + field->offset, sizes[field->type]);
    return loaded;
}

static void set_field(lua_State *L, const pod_lua_field *field, value loaded)
{
    switch (field->type) {
    case POD_LUA_BOOL:
        pod_lua_set_boolean(L, field->name, loaded.boolean);
        break;
    case POD_LUA_INT32:
        pod_lua_set_integer(L, field->name, loaded.small);
        break;
    case POD_LUA_UINT32:
        pod_lua_set_integer(L, field->name, loaded.small_unsigned);
        break;
    case POD_LUA_INT64:
        pod_lua_set_integer(L, field->name, loaded.whole);
        break;
    case POD_LUA_REAL:
        pod_lua_set_number(L, field->name, loaded.real);
        break;
    case POD_LUA_TEXT:
        pod_lua_set_text(L, field->name, loaded.text);
        break;
    }
}

void pod_lua_set_fields(lua_State *L, const void *from, const pod_lua_field *fields)
{
    for (; fields->name; fields++)
        set_field(L, fields, load(from, fields));
}

void pod_lua_set_known_fields(lua_State *L, const void *from, const pod_lua_field *fields)
{
    static const value nothing;
    for (; fields->name; fields++) {
        const value loaded = load(from, fields);
        if (memcmp(&loaded, &nothing, sizes[fields->type]) != 0)
            set_field(L, fields, loaded);
    }
}

bool pod_lua_fields_equal(const void *a, const void *b, const pod_lua_field *fields)
{
    for (; fields->name; fields++)
        if (memcmp((const char *)a + fields->offset, (const char *)b + fields->offset, sizes[fields->type]) != 0)
            return false;
    return true;
}

void pod_lua_read_fields(lua_State *L, int index, void *into, const pod_lua_field *fields)
{
    for (; fields->name; fields++) {
        value given = {.whole = 0};
        if (fields->type == POD_LUA_TEXT)
            continue;
        lua_getfield(L, index, fields->name);
        if (fields->type == POD_LUA_BOOL)
            given.boolean = lua_toboolean(L, -1);
        else if (fields->type == POD_LUA_REAL && !lua_isnil(L, -1))
            given.real = pod_lua_check_number(L, -1, fields->name);
        else if (fields->type == POD_LUA_INT64 && !lua_isnil(L, -1))
            given.whole = pod_lua_check_any(L, -1, fields->name);
        else if (!lua_isnil(L, -1))
            given.small = (int32_t)pod_lua_check_within(L, -1, fields->name, 0, INT32_MAX);
        if (!lua_isnil(L, -1))
            memcpy((char *)into + fields->offset, &given, sizes[fields->type]);
        lua_pop(L, 1);
    }
}

/* ---- elements ---- */

/* What is no number has no sign for those who read it: "nan" on every machine, never "-nan". */
static void push_float(lua_State *L, double number)
{
    lua_pushnumber(L, number == number ? (lua_Number)number : (lua_Number)NAN);
}

void pod_lua_push_element(lua_State *L, pod_dtype dtype, const void *data, size_t index)
{
    switch (dtype) {
    case POD_BOOL:
        lua_pushboolean(L, ((const uint8_t *)data)[index] != 0);
        break;
    case POD_S8:
        lua_pushinteger(L, ((const int8_t *)data)[index]);
        break;
    case POD_S16:
        lua_pushinteger(L, ((const int16_t *)data)[index]);
        break;
    case POD_S32:
        lua_pushinteger(L, ((const int32_t *)data)[index]);
        break;
    case POD_S64:
        pod_lua_push_int64(L, ((const int64_t *)data)[index]);
        break;
    case POD_U8:
        lua_pushinteger(L, ((const uint8_t *)data)[index]);
        break;
    case POD_U16:
        lua_pushinteger(L, ((const uint16_t *)data)[index]);
        break;
    case POD_U32:
        pod_lua_push_int64(L, ((const uint32_t *)data)[index]);
        break;
    case POD_U64: {
        uint64_t number = ((const uint64_t *)data)[index];
        if (number <= INT64_MAX)
            pod_lua_push_int64(L, (int64_t)number);
        else
            lua_pushnumber(L, (lua_Number)number);
        break;
    }
    case POD_F16:
        push_float(L, pod_f16_to_f32(((const uint16_t *)data)[index]));
        break;
    case POD_BF16:
        push_float(L, pod_bf16_to_f32(((const uint16_t *)data)[index]));
        break;
    case POD_F32:
        push_float(L, ((const float *)data)[index]);
        break;
    case POD_F64:
        push_float(L, ((const double *)data)[index]);
        break;
    case POD_DTYPE_NONE:
    case POD_DTYPE_END:
        lua_pushnil(L);
        break;
    }
}
