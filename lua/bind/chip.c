/* chip - slices and tiled layouts as plain tables. */

#include "bind.h"

#include <moonpod/chip.h>

static void set_text(lua_State *L, const char *name, const char *text)
{
    lua_pushstring(L, text);
    lua_setfield(L, -2, name);
}

static void set_integer(lua_State *L, const char *name, int64_t value)
{
    pod_lua_push_int64(L, value);
    lua_setfield(L, -2, name);
}

static void set_boolean(lua_State *L, const char *name, bool value)
{
    lua_pushboolean(L, value);
    lua_setfield(L, -2, name);
}

static void push_sizes(lua_State *L, const int32_t *sizes, int32_t count)
{
    lua_createtable(L, count, 0);
    for (int32_t i = 0; i < count; i++) {
        pod_lua_push_int64(L, sizes[i]);
        lua_rawseti(L, -2, i + 1);
    }
}

static void set_sizes(lua_State *L, const char *name, const int32_t *sizes, int32_t count)
{
    push_sizes(L, sizes, count);
    lua_setfield(L, -2, name);
}

/* ---- slices
 * --------------------------------------------------------------------------------------- */

static void push_slice(lua_State *L, const pod_slice *slice)
{
    lua_createtable(L, 0, 20);
    set_text(L, "name", slice->name);
    set_text(L, "generation", slice->chip->name);
    set_text(L, "topology", slice->topology);
    set_integer(L, "number", slice->number);
    set_sizes(L, "shape", slice->sizes, slice->rank);
    lua_createtable(L, slice->rank, 0);
    for (int32_t i = 0; i < slice->rank; i++) {
        lua_pushboolean(L, slice->wraps[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, "wraps");
    set_integer(L, "num_chips", slice->chips);
    set_integer(L, "num_cores", slice->cores);
    set_integer(L, "num_devices", slice->devices);
    set_integer(L, "num_hosts", slice->hosts);
    set_integer(L, "diameter", pod_slice_diameter(slice));
    set_integer(L, "bisection_links", pod_slice_bisection_links(slice));
    set_boolean(L, "can_twist", slice->can_twist);
}

/* Reads a name and whether all axes wrap (nil: by the generation's rule). */
static pod_slice check_slice(lua_State *L)
{
    pod_slice slice;
    pod_error error;
    pod_lua_check(L, pod_lua_find_slice(L, pod_lua_check_text(L, 1), &slice, &error), &error);
    for (int i = 0; i < 3 && !lua_isnoneornil(L, 2); i++)
        slice.wraps[i] = lua_toboolean(L, 2) && slice.sizes[i] > 1;
    return slice;
}

static int64_t check_place(lua_State *L, int index, const pod_slice *slice)
{
    return pod_lua_check_within(L, index, lua_pushfstring(L, "a chip of %s", slice->name), 0, slice->chips - 1);
}

/* slice(name, wrap?) -> slice */
static int slice_find(lua_State *L)
{
    const pod_slice slice = check_slice(L);
    push_slice(L, &slice);
    return 1;
}

/* slices(generation) -> {slice...}, smallest first */
static int slice_list(lua_State *L)
{
    const pod_chip *chip = pod_lua_check_chip(L, 1);
    const size_t count = pod_slice_list(chip, NULL, 0);
    pod_slice *list = pod_lua_new_array(L, count + 1, sizeof *list);
    pod_slice_list(chip, list, count);
    lua_createtable(L, (int)count, 0);
    for (size_t i = 0; i < count; i++) {
        push_slice(L, &list[i]);
        lua_rawseti(L, -2, (int)i + 1);
    }
    return 1;
}

/* slice_neighbours(name, wrap?, chip) -> {chip...} */
static int slice_neighbours(lua_State *L)
{
    int64_t neighbours[6];
    const pod_slice slice = check_slice(L);
    const int32_t count = pod_slice_neighbours(&slice, check_place(L, 3, &slice), neighbours);
    lua_createtable(L, count, 0);
    for (int32_t i = 0; i < count; i++) {
        pod_lua_push_int64(L, neighbours[i]);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

/* slice_hops(name, wrap?, from, to) -> links */
static int slice_hops(lua_State *L)
{
    const pod_slice slice = check_slice(L);
    const int64_t from = check_place(L, 3, &slice), to = check_place(L, 4, &slice);
    pod_lua_push_int64(L, pod_slice_hops(&slice, from, to));
    return 1;
}

/* slice_place(name, wrap?, chip) -> {place along each axis...} */
static int slice_place(lua_State *L)
{
    int32_t place[3];
    const pod_slice slice = check_slice(L);
    pod_slice_place(&slice, check_place(L, 3, &slice), place);
    push_sizes(L, place, slice.rank);
    return 1;
}

/* slice_chip(name, wrap?, {place along each axis...}) -> chip */
static int slice_chip(lua_State *L)
{
    int32_t place[3] = {0};
    const pod_slice slice = check_slice(L);
    luaL_checktype(L, 3, LUA_TTABLE);
    for (int axis = 0; axis < slice.rank; axis++) {
        pod_lua_geti(L, 3, (size_t)axis + 1);
        place[axis] = (int32_t)pod_lua_check_within(L, -1, "the place", 0, slice.sizes[axis] - 1);
        lua_pop(L, 1);
    }
    pod_lua_push_int64(L, pod_slice_index(&slice, place));
    return 1;
}

/* ---- layouts
 * -------------------------------------------------------------------------------------- */

static pod_element check_element(lua_State *L, int index)
{
    const char *name = lua_type(L, index) == LUA_TSTRING ? lua_tostring(L, index) : NULL;
    const pod_element element = pod_element_from_name(name);
    if (element != POD_ELEMENT_NONE)
        return element;
    luaL_Buffer text;
    luaL_buffinit(L, &text);
    for (int i = POD_ELEMENT_NONE + 1; i < POD_ELEMENT_END; i++) {
        if (i > POD_ELEMENT_NONE + 1)
            luaL_addstring(&text, ", ");
        luaL_addstring(&text, pod_element_xla_name((pod_element)i));
    }
    luaL_pushresult(&text);
    luaL_error(L, "unknown dtype '%s'; dtypes are %s", name ? name : luaL_typename(L, index), lua_tostring(L, -1));
    return POD_ELEMENT_NONE;
}

static void set_bytes(lua_State *L, const char *name, const char *text_name, int64_t bytes)
{
    char text[POD_BYTES_TEXT_SIZE];
    set_integer(L, name, bytes);
    set_text(L, text_name, pod_bytes_format(bytes, text));
}

/* Completes the layout of an array type: what is missing is chosen. Returns whether a part was
 * given. */
static bool complete(lua_State *L, const pod_chip *chip, pod_array_type *type)
{
    pod_error error;
    const bool forced = type->has_layout;
    const pod_layout given = type->layout;
    if (!forced)
        pod_lua_check(
            L, pod_layout_choose(chip, type->element, &type->shape, POD_LAYOUT_COMPACT, &type->layout, &error), &error);
    else if (given.tile_count == 0) {
        pod_lua_check(
            L, pod_layout_tile(chip, type->element, &type->shape, given.minor_to_major, &type->layout, &error), &error);
        type->layout.memory_space = given.memory_space;
        if (given.element_bits > 0)
            type->layout.element_bits = given.element_bits;
    }
    type->has_layout = true;
    return forced;
}

static void push_padding(lua_State *L, const pod_chip *chip, bool forced, const pod_array_type *type)
{
    char text[POD_ARRAY_TYPE_TEXT_SIZE], reason[POD_LAYOUT_REASON_SIZE];
    pod_layout_bytes bytes;
    pod_error error;
    const pod_layout *layout = &type->layout;
    pod_lua_check(L, pod_layout_measure(type->element, &type->shape, layout, &bytes, &error), &error);
    lua_createtable(L, 0, 20);
    set_text(L, "dtype", pod_element_name(type->element));
    set_text(L, "xla_dtype", pod_element_xla_name(type->element));
    pod_lua_push_shape(L, &type->shape);
    lua_setfield(L, -2, "shape");
    set_text(L, "chip", chip->name);
    set_text(L, "policy", forced ? "forced" : "compact");
    set_text(L, "layout", pod_layout_format(layout, text));
    set_text(L, "text", pod_array_type_format(type, text));
    set_sizes(L, "minor_to_major", layout->minor_to_major, layout->rank);
    set_integer(L, "memory_space", layout->memory_space);
    set_bytes(L, "unpadded_bytes", "unpadded", bytes.unpadded);
    set_bytes(L, "padded_bytes", "padded", bytes.padded);
    set_bytes(L, "extra_bytes", "extra", bytes.padded - bytes.unpadded);
    lua_pushnumber(L, bytes.unpadded > 0 ? (double)bytes.padded / (double)bytes.unpadded : 1.0);
    lua_setfield(L, -2, "expansion");
    set_text(L, "expansion_text", pod_expansion_format(&bytes, text));
    set_text(L, "reason",
             pod_layout_reason(chip, type->element, &type->shape, POD_LAYOUT_COMPACT, forced ? "as given" : NULL,
                               layout, reason));
}

/* Reads a shape, and raises for sizes below 0. */
static void check_sizes(lua_State *L, int index, pod_shape *shape)
{
    pod_lua_check_shape(L, index, shape);
    for (int32_t i = 0; i < shape->rank; i++)
        if (shape->dims[i] < 0)
            luaL_error(L, "size %d of the shape is negative; sizes are 0 or more", (int)i + 1);
}

/* padding(chip, text) -> table, for an array in XLA's notation
 * padding(chip, dtype, shape, layout text?) -> table */
static int padding(lua_State *L)
{
    pod_error error;
    pod_array_type type = {0};
    size_t length;
    const pod_chip *chip = pod_lua_check_chip(L, 1);
    lua_settop(L, 4);
    if (lua_isnil(L, 3)) {
        const char *text = luaL_checklstring(L, 2, &length);
        pod_lua_check(L, pod_array_type_parse(text, length, &type, &error), &error);
    } else {
        type.element = check_element(L, 2);
        check_sizes(L, 3, &type.shape);
        if (!lua_isnil(L, 4)) {
            const char *text = luaL_checklstring(L, 4, &length);
            pod_lua_check(L, pod_layout_parse(text, length, &type.layout, &error), &error);
            type.has_layout = true;
            if (type.layout.rank != type.shape.rank)
                luaL_error(L, "the layout %s orders %d axes and the shape has %d", text, (int)type.layout.rank,
                           (int)type.shape.rank);
        }
    }
    const bool forced = complete(L, chip, &type);
    push_padding(L, chip, forced, &type);
    return 1;
}

/* array_type(text) -> {dtype =, xla_dtype =, shape =, layout = text or nil, text =} */
static int array_type(lua_State *L)
{
    size_t length;
    const char *given = luaL_checklstring(L, 1, &length);
    char text[POD_ARRAY_TYPE_TEXT_SIZE];
    pod_array_type type;
    pod_error error;
    pod_lua_check(L, pod_array_type_parse(given, length, &type, &error), &error);
    lua_createtable(L, 0, 6);
    set_text(L, "dtype", pod_element_name(type.element));
    set_text(L, "xla_dtype", pod_element_xla_name(type.element));
    pod_lua_push_shape(L, &type.shape);
    lua_setfield(L, -2, "shape");
    if (type.has_layout)
        set_text(L, "layout", pod_layout_format(&type.layout, text));
    set_text(L, "text", pod_array_type_format(&type, text));
    return 1;
}

/* bytes_text(bytes) -> "14.00G" */
static int bytes_text(lua_State *L)
{
    char text[POD_BYTES_TEXT_SIZE];
    lua_pushstring(L, pod_bytes_format(pod_lua_check_any(L, 1, "bytes"), text));
    return 1;
}

static const luaL_Reg functions[] = {{"slice", slice_find},
                                     {"slices", slice_list},
                                     {"slice_neighbours", slice_neighbours},
                                     {"slice_hops", slice_hops},
                                     {"slice_place", slice_place},
                                     {"slice_chip", slice_chip},
                                     {"padding", padding},
                                     {"array_type", array_type},
                                     {"bytes_text", bytes_text},
                                     {NULL, NULL}};

void pod_lua_open_chip(lua_State *L)
{
    pod_lua_set_functions(L, functions);
}
