/* arguments - numbers, names, shapes and attributes as they come from Lua. Nothing else makes a number of C of one of
 * Lua: see bind.h. */

#include "bind.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/checked.h"

const char *pod_lua_check_text(lua_State *L, int index)
{
    size_t length;
    const char *text = luaL_checklstring(L, index, &length);
    if (strlen(text) != length)
        luaL_error(L, "'%s' goes on behind a zero byte, at which a path or a name ends", text);
    return text;
}

const char *pod_lua_optional_text(lua_State *L, int index, const char *absent)
{
    return lua_isnoneornil(L, index) ? absent : pod_lua_check_text(L, index);
}

int64_t pod_lua_check_any(lua_State *L, int index, const char *what)
{
    if (lua_isinteger(L, index))
        return (int64_t)lua_tointeger(L, index);
    lua_Number number = lua_tonumber(L, index);
    if (lua_type(L, index) != LUA_TNUMBER || number != floor(number) || fabs(number) > 9223372036854774784.0)
        luaL_error(L, "%s must be an integer, not %s", what,
                   lua_type(L, index) == LUA_TNUMBER ? lua_tostring(L, index) : luaL_typename(L, index));
    return (int64_t)number;
}

int64_t pod_lua_check_within(lua_State *L, int index, const char *what, int64_t least, int64_t most)
{
    const int64_t value = pod_lua_check_any(L, index, what);
    char text[96];
    if (value >= least && value <= most)
        return value;
    snprintf(text, sizeof text, "is %lld; it must be from %lld to %lld", (long long)value, (long long)least,
             (long long)most);
    return luaL_error(L, "%s %s", what, text);
}

int64_t pod_lua_check_size(lua_State *L, int index, const char *what)
{
    return pod_lua_check_within(L, index, what, 0, POD_LUA_MOST_SIZE);
}

int64_t pod_lua_check_any_field(lua_State *L, int table, const char *name)
{
    lua_getfield(L, table, name);
    const int64_t value = lua_isnil(L, -1) ? 0 : pod_lua_check_any(L, -1, name);
    lua_pop(L, 1);
    return value;
}

size_t pod_lua_length(lua_State *L, int index)
{
    const size_t length = lua_rawlen(L, index);
    if (length > INT_MAX - 1) /* which a table of few entries can have: its length is any at whose end there is none */
        luaL_error(L, "an array has more than %d entries", INT_MAX - 1);
    return length;
}

void *pod_lua_new_array(lua_State *L, size_t count, size_t size)
{
    size_t bytes;
    if (pod_multiply_overflows(count, size, &bytes))
        luaL_error(L, "there is no memory for %f things of %d bytes", (double)count, (int)size);
    return pod_lua_newuserdata_for_table(L, bytes);
}

/* Takes values off the stack down to `table`, and into that, which is made for the first, what C may point into. */
static void keep(lua_State *L, int table, int *kept)
{
    while (lua_gettop(L) > table) {
        const int type = lua_type(L, -1);
        if (type != LUA_TSTRING && type != LUA_TUSERDATA) {
            lua_pop(L, 1);
            continue;
        }
        if (*kept == 0) {
            lua_newtable(L);
            lua_replace(L, table);
        }
        lua_rawseti(L, table, ++*kept);
    }
}

void *pod_lua_check_entries(lua_State *L, int index, size_t size, size_t count, pod_lua_read *read, const void *context)
{
    index = lua_absindex(L, index);
    luaL_checkstack(L, LUA_MINSTACK, "an array");
    char *block = pod_lua_new_array(L, count + 1, size);
    lua_pushnil(L); /* in the place of what the block keeps */
    const int table = lua_gettop(L);
    int kept = 0;
    for (size_t i = 0; i < count; i++) { /* clears each when it is there: see pod_lua_length() */
        char *into = memset(block + i * size, 0, size);
        pod_lua_geti(L, index, i + 1);
        read(L, &(pod_lua_entry){into, i, context});
        keep(L, table, &kept);
    }
    if (kept > 0)
        pod_lua_set_kept_table(L, table - 1);
    else
        lua_pop(L, 1);
    return block;
}

void *pod_lua_check_array(lua_State *L, int index, size_t size, size_t *count, pod_lua_read *read, const void *context)
{
    luaL_checktype(L, index, LUA_TTABLE);
    *count = pod_lua_length(L, index);
    return pod_lua_check_entries(L, index, size, *count, read, context);
}

static void read_flag(lua_State *L, const pod_lua_entry *entry)
{
    *(bool *)entry->into = lua_toboolean(L, -1);
}

const bool *pod_lua_check_flags(lua_State *L, int index, size_t count)
{
    if (lua_isnoneornil(L, index))
        return NULL;
    luaL_checktype(L, index, LUA_TTABLE);
    return pod_lua_check_entries(L, index, sizeof(bool), count, read_flag, NULL);
}

bool pod_lua_push_protected(lua_State *L, lua_CFunction push, void *content)
{
    lua_pushcfunction(L, push);
    lua_pushlightuserdata(L, content);
    return lua_pcall(L, 1, 1, 0) == LUA_OK;
}

double pod_lua_check_number(lua_State *L, int index, const char *what)
{
    if (lua_type(L, index) != LUA_TNUMBER)
        luaL_error(L, "%s must be a number, not %s", what, luaL_typename(L, index));
    return lua_tonumber(L, index);
}

double pod_lua_check_real(lua_State *L, int index, const char *what, double least, double most)
{
    const double value = pod_lua_check_number(L, index, what);
    if (!(value >= least && value <= most))
        luaL_error(L, "%s must be from %f to %f, not %f", what, least, most, value);
    return value;
}

int64_t pod_lua_to_own(lua_State *L, int index)
{
    return (int64_t)lua_tointeger(L, index);
}

double pod_lua_to_number(lua_State *L, int index)
{
    return lua_tonumber(L, index);
}

pod_dtype pod_lua_check_dtype(lua_State *L, int index)
{
    const char *name = lua_type(L, index) == LUA_TSTRING ? lua_tostring(L, index) : NULL;
    pod_dtype dtype = name ? pod_dtype_from_name(name) : POD_DTYPE_NONE;
    if (dtype != POD_DTYPE_NONE)
        return dtype;
    const char *names[POD_DTYPE_END] = {NULL};
    for (int i = POD_DTYPE_NONE + 1; i < POD_DTYPE_END; i++)
        names[i - POD_DTYPE_NONE - 1] = pod_dtype_name((pod_dtype)i);
    pod_lua_raise_unknown(L, index, "dtype", "dtypes are", names);
    return POD_DTYPE_NONE;
}

void pod_lua_raise_unknown(lua_State *L, int index, const char *what, const char *are, const char *const *names)
{
    const char *name = lua_type(L, index) == LUA_TSTRING ? lua_tostring(L, index) : luaL_typename(L, index);
    luaL_Buffer text;
    luaL_buffinit(L, &text);
    for (int i = 0; names[i]; i++) {
        if (i > 0)
            luaL_addstring(&text, ", ");
        luaL_addstring(&text, names[i]);
    }
    luaL_pushresult(&text);
    luaL_error(L, "unknown %s '%s'; %s %s", what, name, are, lua_tostring(L, -1));
}

int pod_lua_check_name(lua_State *L, int index, const char *what, const char *const *names)
{
    const char *name = lua_type(L, index) == LUA_TSTRING ? lua_tostring(L, index) : NULL;
    for (int i = 0; name && names[i]; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    pod_lua_raise_unknown(L, index, what, "it is one of", names);
    return -1;
}

/* Reads an array of at most `limit` integers and returns how many there are. */
static int32_t check_integers(lua_State *L, int index, const char *what, int32_t limit, int64_t *values)
{
    if (lua_type(L, index) != LUA_TTABLE)
        luaL_error(L, "%s must be an array of integers, not %s", what, luaL_typename(L, index));
    index = lua_absindex(L, index);
    size_t count = pod_lua_length(L, index);
    if (count > (size_t)limit)
        luaL_error(L, "%s has %d entries; at most %d are possible", what, (int)count, (int)limit);
    for (size_t i = 0; i < count; i++) {
        pod_lua_geti(L, index, i + 1);
        values[i] = pod_lua_check_any(L, -1, what);
        lua_pop(L, 1);
    }
    return (int32_t)count;
}

/* Returns a number that int32 counts: an axis beyond is none, and must not become another. */
static int32_t check_axis(lua_State *L, int64_t axis)
{
    if (axis < INT32_MIN || axis > INT32_MAX)
        luaL_error(L, "there is no such axis: it is beyond 2^31");
    return (int32_t)axis;
}

void pod_lua_check_top(lua_State *L, int type, const char *what)
{
    if (lua_type(L, -1) != type)
        luaL_error(L, "%s must be a %s, not %s", what, lua_typename(L, type), luaL_typename(L, -1));
}

void pod_lua_check_shape(lua_State *L, int index, pod_shape *shape)
{
    *shape = (pod_shape){0};
    shape->rank = check_integers(L, index, "shape", POD_MAX_RANK, shape->dims);
}

void pod_lua_check_axes(lua_State *L, int index, pod_axes *axes)
{
    int64_t values[POD_MAX_RANK];
    *axes = (pod_axes){0};
    axes->count = check_integers(L, index, "axes", POD_MAX_RANK, values);
    for (int32_t i = 0; i < axes->count; i++)
        axes->axes[i] = check_axis(L, values[i]);
}

static void check_window(lua_State *L, int index, pod_window *window)
{
    if (lua_type(L, index) != LUA_TTABLE)
        luaL_error(L, "window must be a table, not %s", luaL_typename(L, index));
    index = lua_absindex(L, index);
    struct {
        const char *name;
        int64_t *values;
    } fields[] = {{"size", window->size},         {"stride", window->stride},     {"pad_low", window->pad_low},
                  {"pad_high", window->pad_high}, {"dilation", window->dilation}, {NULL, NULL}};
    for (int i = 0; fields[i].name; i++) {
        lua_getfield(L, index, fields[i].name);
        if (!lua_isnil(L, -1)) {
            int32_t count = check_integers(L, -1, fields[i].name, POD_MAX_SPATIAL, fields[i].values);
            if (i == 0)
                window->rank = count;
            else if (count != window->rank)
                luaL_error(L, "window.%s has %d entries but window.size has %d", fields[i].name, (int)count,
                           (int)window->rank);
        }
        lua_pop(L, 1);
    }
    lua_getfield(L, index, "groups");
    if (!lua_isnil(L, -1))
        window->groups = pod_lua_check_any(L, -1, "window.groups");
    lua_pop(L, 1);
}

static void check_values(lua_State *L, double values[4])
{
    pod_lua_check_top(L, LUA_TTABLE, "values");
    for (int i = 0; i < 4; i++) {
        pod_lua_geti(L, lua_absindex(L, -1), (size_t)i + 1);
        values[i] = pod_lua_to_number(L, -1);
        lua_pop(L, 1);
    }
}

/* Reads the elements of a constant: a buffer, or a string of bytes. */
static const void *check_data(lua_State *L, size_t *bytes)
{
    const pod_buffer *buffer = pod_lua_to_buffer(L, -1);
    if (!buffer) {
        pod_lua_check_top(L, LUA_TSTRING, "data");
        return lua_tolstring(L, -1, bytes);
    }
    *bytes = pod_buffer_bytes(buffer);
    return pod_buffer_data(buffer);
}

/* Reads the attribute `key` from the value on top of the stack. */
static void check_attribute(lua_State *L, const char *key, pod_attributes *attributes, size_t *data_bytes)
{
    if (strcmp(key, "dtype") == 0)
        attributes->dtype = pod_lua_check_dtype(L, -1);
    else if (strcmp(key, "shape") == 0)
        pod_lua_check_shape(L, -1, &attributes->shape);
    else if (strcmp(key, "axes") == 0)
        pod_lua_check_axes(L, -1, &attributes->axes);
    else if (strcmp(key, "axis") == 0)
        attributes->axis = check_axis(L, pod_lua_check_any(L, -1, key));
    else if (strcmp(key, "count") == 0)
        attributes->count = pod_lua_check_any(L, -1, key);
    else if (strcmp(key, "lhs_batch") == 0)
        pod_lua_check_axes(L, -1, &attributes->lhs_batch);
    else if (strcmp(key, "rhs_batch") == 0)
        pod_lua_check_axes(L, -1, &attributes->rhs_batch);
    else if (strcmp(key, "lhs_contract") == 0)
        pod_lua_check_axes(L, -1, &attributes->lhs_contract);
    else if (strcmp(key, "rhs_contract") == 0)
        pod_lua_check_axes(L, -1, &attributes->rhs_contract);
    else if (strcmp(key, "low") == 0)
        check_integers(L, -1, key, POD_MAX_RANK, attributes->low);
    else if (strcmp(key, "high") == 0)
        check_integers(L, -1, key, POD_MAX_RANK, attributes->high);
    else if (strcmp(key, "step") == 0)
        check_integers(L, -1, key, POD_MAX_RANK, attributes->step);
    else if (strcmp(key, "window") == 0)
        check_window(L, -1, &attributes->window);
    else if (strcmp(key, "comparison") == 0)
        attributes->comparison = (pod_comparison)pod_lua_check_name(L, -1, key, pod_comparison_names());
    else if (strcmp(key, "reduction") == 0)
        attributes->reduction = (pod_reduction)pod_lua_check_name(L, -1, key, pod_reduction_names());
    else if (strcmp(key, "flag") == 0)
        attributes->flag = lua_toboolean(L, -1);
    else if (strcmp(key, "seed") == 0)
        attributes->seed = (uint64_t)pod_lua_check_any(L, -1, key);
    else if (strcmp(key, "values") == 0)
        check_values(L, attributes->values);
    else if (strcmp(key, "name") == 0) {
        pod_lua_check_top(L, LUA_TSTRING, key);
        attributes->name = lua_tostring(L, -1);
    } else if (strcmp(key, "data") == 0)
        attributes->data = check_data(L, data_bytes);
    else
        luaL_error(L, "unknown attribute '%s'", key);
}

void pod_lua_check_attributes(lua_State *L, int index, pod_attributes *attributes)
{
    size_t data_bytes = 0;
    *attributes = (pod_attributes){0};
    if (lua_isnoneornil(L, index))
        return;
    luaL_checktype(L, index, LUA_TTABLE);
    index = lua_absindex(L, index);
    lua_settop(L, lua_gettop(L) + 2);
    const int kept = lua_gettop(L);
    lua_pushnil(L);
    while (lua_next(L, index)) {
        if (lua_type(L, -2) != LUA_TSTRING)
            luaL_error(L, "attributes have names, not %s", luaL_typename(L, -2));
        const char *key = lua_tostring(L, -2);
        check_attribute(L, key, attributes, &data_bytes);
        if (strcmp(key, "name") == 0)
            lua_replace(L, kept);
        else if (strcmp(key, "data") == 0)
            lua_replace(L, kept - 1);
        else
            lua_pop(L, 1);
    }
    const int64_t elements = pod_shape_elements(&attributes->shape);
    if (attributes->data && elements >= 0 &&
        (uint64_t)elements > data_bytes / (pod_dtype_size(attributes->dtype) ? pod_dtype_size(attributes->dtype) : 1))
        luaL_error(L, "attribute 'data' has %d bytes, which are fewer than the elements of its shape take",
                   (int)data_bytes);
}
