/* chip - slices and tiled layouts as plain tables. */

#include "bind.h"

#include <moonpod/project.h>

/* ---- slices
 * --------------------------------------------------------------------------------------- */

static void push_wraps(lua_State *L, const void *wraps, size_t index)
{
    lua_pushboolean(L, ((const bool *)wraps)[index]);
}

/* Pushes one of an array of slices. */
static void push_slice(lua_State *L, const void *slices, size_t index)
{
    const pod_slice *slice = (const pod_slice *)slices + index;
    lua_createtable(L, 0, 14);
    pod_lua_set_text(L, "name", slice->name);
    pod_lua_set_text(L, "generation", slice->chip->name);
    pod_lua_set_text(L, "topology", slice->topology);
    pod_lua_set_integer(L, "number", slice->number);
    pod_lua_set_sizes(L, "shape", slice->sizes, slice->rank);
    pod_lua_set_array(L, "wraps", (size_t)slice->rank, push_wraps, slice->wraps);
    pod_lua_set_integer(L, "num_chips", slice->chips);
    pod_lua_set_integer(L, "num_cores", slice->cores);
    pod_lua_set_integer(L, "num_devices", slice->devices);
    pod_lua_set_integer(L, "num_hosts", slice->hosts);
    pod_lua_set_integer(L, "diameter", pod_slice_diameter(slice));
    pod_lua_set_integer(L, "bisection_links", pod_slice_bisection_links(slice));
    pod_lua_set_boolean(L, "can_twist", slice->can_twist);
}

/* Reads a name and whether all axes wrap (nil: by the generation's rule), or whether each does, in an array. */
static pod_slice check_slice(lua_State *L)
{
    pod_slice slice;
    pod_error error;
    pod_lua_check(L, pod_lua_find_slice(L, pod_lua_check_text(L, 1), &slice, &error), &error);
    for (int i = 0; i < 3 && !lua_isnoneornil(L, 2); i++) {
        const bool each = lua_istable(L, 2);
        if (each)
            pod_lua_geti(L, 2, (size_t)i + 1);
        slice.wraps[i] = lua_toboolean(L, each ? -1 : 2) && slice.sizes[i] > 1;
        lua_pop(L, each);
    }
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
    push_slice(L, &slice, 0);
    return 1;
}

/* slices(generation) -> {slice...}, smallest first */
static int slice_list(lua_State *L)
{
    const pod_chip *chip = pod_lua_check_chip(L, 1);
    const size_t count = pod_slice_list(chip, NULL, 0);
    pod_slice *list = pod_lua_new_array(L, count + 1, sizeof *list);
    pod_slice_list(chip, list, count);
    pod_lua_push_array(L, count, push_slice, list);
    return 1;
}

/* slice_neighbours(name, wrap?, chip) -> {chip...} */
static int slice_neighbours(lua_State *L)
{
    int64_t neighbours[6];
    const pod_slice slice = check_slice(L);
    const int32_t count = pod_slice_neighbours(&slice, check_place(L, 3, &slice), neighbours);
    pod_lua_push_integers(L, neighbours, (size_t)count);
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
    pod_lua_push_sizes(L, place, slice.rank);
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

/* slice_exchange_seconds(name, wrap?, exchange, bytes, devices?) -> seconds */
static int slice_exchange_seconds(lua_State *L)
{
    const char *names[POD_TPU_EXCHANGES] = {NULL};
    for (int i = POD_TPU_ALL_REDUCE; i < POD_TPU_EXCHANGES; i++)
        names[i - POD_TPU_ALL_REDUCE] = pod_tpu_exchange_name((pod_tpu_exchange)i);
    const pod_slice slice = check_slice(L);
    const pod_tpu_exchange exchange =
        (pod_tpu_exchange)(POD_TPU_ALL_REDUCE + pod_lua_check_name(L, 3, "exchange", names));
    const double bytes = pod_lua_check_number(L, 4, "bytes");
    const int64_t devices =
        lua_isnoneornil(L, 5) ? 0 : pod_lua_check_within(L, 5, "the devices that exchange", 1, slice.devices);
    lua_pushnumber(L, pod_project_exchange(&slice, exchange, bytes, devices));
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
    const char *names[POD_ELEMENT_END] = {NULL};
    for (int i = POD_ELEMENT_NONE + 1; i < POD_ELEMENT_END; i++)
        names[i - POD_ELEMENT_NONE - 1] = pod_element_xla_name((pod_element)i);
    pod_lua_raise_unknown(L, index, "dtype", "dtypes are", names);
    return POD_ELEMENT_NONE;
}

static void set_bytes(lua_State *L, const char *name, const char *text_name, int64_t bytes)
{
    char text[POD_BYTES_TEXT_SIZE];
    pod_lua_set_integer(L, name, bytes);
    pod_lua_set_text(L, text_name, pod_bytes_format(bytes, text));
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
    pod_lua_set_text(L, "dtype", pod_element_name(type->element));
    pod_lua_set_text(L, "xla_dtype", pod_element_xla_name(type->element));
    pod_lua_set_shape(L, "shape", &type->shape);
    pod_lua_set_text(L, "chip", chip->name);
    pod_lua_set_text(L, "policy", forced ? "forced" : "compact");
    pod_lua_set_text(L, "layout", pod_layout_format(layout, text));
    pod_lua_set_text(L, "text", pod_array_type_format(type, text));
    pod_lua_set_sizes(L, "minor_to_major", layout->minor_to_major, layout->rank);
    pod_lua_set_integer(L, "memory_space", layout->memory_space);
    set_bytes(L, "unpadded_bytes", "unpadded", bytes.unpadded);
    set_bytes(L, "padded_bytes", "padded", bytes.padded);
    set_bytes(L, "extra_bytes", "extra", bytes.padded - bytes.unpadded);
    pod_lua_set_number(L, "expansion", bytes.unpadded > 0 ? (double)bytes.padded / (double)bytes.unpadded : 1.0);
    pod_lua_set_text(L, "expansion_text", pod_expansion_format(&bytes, text));
    pod_lua_set_text(L, "reason",
                     pod_layout_reason(chip, type->element, &type->shape, POD_LAYOUT_COMPACT,
                                       forced ? "as given" : NULL, layout, reason));
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
static int padding(lua_State *L, pod_error *error)
{
    pod_array_type type = {0};
    size_t length;
    const pod_chip *chip = pod_lua_check_chip(L, 1);
    lua_settop(L, 4);
    if (lua_isnil(L, 3)) {
        const char *text = luaL_checklstring(L, 2, &length);
        pod_lua_check(L, pod_array_type_parse(text, length, &type, error), error);
    } else {
        type.element = check_element(L, 2);
        check_sizes(L, 3, &type.shape);
        if (!lua_isnil(L, 4)) {
            const char *text = luaL_checklstring(L, 4, &length);
            pod_lua_check(L, pod_layout_parse(text, length, &type.layout, error), error);
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
static int array_type(lua_State *L, pod_error *error)
{
    size_t length;
    const char *given = luaL_checklstring(L, 1, &length);
    char text[POD_ARRAY_TYPE_TEXT_SIZE];
    pod_array_type type;
    pod_lua_check(L, pod_array_type_parse(given, length, &type, error), error);
    lua_createtable(L, 0, 6);
    pod_lua_set_text(L, "dtype", pod_element_name(type.element));
    pod_lua_set_text(L, "xla_dtype", pod_element_xla_name(type.element));
    pod_lua_set_shape(L, "shape", &type.shape);
    if (type.has_layout)
        pod_lua_set_text(L, "layout", pod_layout_format(&type.layout, text));
    pod_lua_set_text(L, "text", pod_array_type_format(&type, text));
    return 1;
}

/* bytes_text(bytes) -> "14.00G" */
static int bytes_text(lua_State *L)
{
    char text[POD_BYTES_TEXT_SIZE];
    lua_pushstring(L, pod_bytes_format(pod_lua_check_any(L, 1, "bytes"), text));
    return 1;
}

static const pod_lua_function functions[] = {{"slice", .plain = slice_find},
                                             {"slices", .plain = slice_list},
                                             {"slice_neighbours", .plain = slice_neighbours},
                                             {"slice_hops", .plain = slice_hops},
                                             {"slice_place", .plain = slice_place},
                                             {"slice_chip", .plain = slice_chip},
                                             {"slice_exchange_seconds", .plain = slice_exchange_seconds},
                                             {"padding", .failing = padding},
                                             {"array_type", .failing = array_type},
                                             {"bytes_text", .plain = bytes_text},
                                             {0}};

const pod_lua_part pod_lua_chip_part = {.functions = functions};
