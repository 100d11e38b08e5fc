/* dataset_decode - examples and pictures become arrays: moonpod.core's stages, and pictures one by one. */

#include "dataset_access.h"

#include <moonpod/image.h>

/* Reads {format =, channels =, dtype =, height =, width =, resize =, max_pixels =} at `index`. */
static pod_image_options check_image(lua_State *L, int index)
{
#define IMAGE(member) POD_LUA_FIELD(pod_image_options, member)
    static const pod_lua_field fields[] = {IMAGE(height), IMAGE(width), IMAGE(max_pixels), {0}};
    static const char *const formats[] = {"any", "png", "jpeg", NULL};
    static const char *const resizes[] = {"bilinear", "nearest", NULL};
    pod_image_options options = {0};
    luaL_checktype(L, index, LUA_TTABLE);
    int table = lua_absindex(L, index);
    lua_getfield(L, table, "format");
    if (!lua_isnil(L, -1))
        options.format = (pod_image_format)pod_lua_check_name(L, -1, "format", formats);
    lua_getfield(L, table, "resize");
    if (!lua_isnil(L, -1))
        options.resize = (pod_image_resize)pod_lua_check_name(L, -1, "resize", resizes);
    lua_getfield(L, table, "dtype");
    if (!lua_isnil(L, -1))
        options.dtype = pod_lua_check_dtype(L, -1);
    lua_pop(L, 3);
    int64_t channels = pod_lua_check_any_field(L, table, "channels");
    options.channels = channels >= 0 && channels <= 4 ? (int32_t)channels : -1;
    pod_lua_read_fields(L, table, &options, fields);
    return options;
}

static pod_status decode_image(pod_context *context, const char *bytes, size_t size, const pod_image_options *options,
                               pod_buffer **buffer, pod_error *error)
{
    pod_image_decoder *decoder;
    pod_image_type type;
    pod_status status = pod_image_decoder_new(context, &decoder, error);
    if (status != POD_OK)
        return status;
    status = pod_image_describe(decoder, bytes, size, options, &type, error);
    if (status == POD_OK)
        status = pod_buffer_new(context, type.dtype, &type.shape, buffer, error);
    if (status == POD_OK)
        status = pod_image_decode(decoder, bytes, size, options, &type, pod_buffer_data(*buffer), error);
    pod_image_decoder_free(decoder);
    return status;
}

/* image_decode(context, bytes, options) -> buffer (height, width, channels) */
static int image_decode(lua_State *L, pod_error *error)
{
    pod_context *context = pod_lua_check_context(L, 1);
    size_t size;
    const char *bytes = luaL_checklstring(L, 2, &size);
    const pod_image_options options = check_image(L, 3);
    pod_buffer **box = pod_lua_new_buffer_box(L);
    pod_lua_check(L, decode_image(context, bytes, size, &options, box, error), error);
    pod_lua_charge(L, context, pod_buffer_bytes(*box));
    return 1;
}

/* Reads the options of an entry's picture on top of the stack into the array that is its context; NULL where there are
 * none. */
static const pod_image_options *check_optional_image(lua_State *L, const pod_lua_entry *entry)
{
    pod_image_options *image = (pod_image_options *)(uintptr_t)entry->context + entry->index;
    if (lua_isnil(L, -1))
        return NULL;
    *image = check_image(L, -1);
    return image;
}

/* Reads the array at 2 into a block that stays on the stack, above room for the options of pictures, one an entry. */
static void *check_with_images(lua_State *L, size_t size, size_t *count, pod_lua_read *read)
{
    luaL_checktype(L, 2, LUA_TTABLE);
    *count = pod_lua_length(L, 2);
    const pod_image_options *images = pod_lua_new_array(L, *count + 1, sizeof *images);
    return pod_lua_check_entries(L, 2, size, *count, read, images);
}

/* Reads {component =, path =, image =, shape =}; components count from 1. */
static void read_output(lua_State *L, const pod_lua_entry *entry)
{
    pod_decode_output *output = entry->into;
    pod_lua_check_top(L, LUA_TTABLE, "an output of decode");
    const int table = lua_gettop(L);
    lua_getfield(L, table, "component");
    const int64_t component = pod_lua_check_within(L, -1, "a component", 1, POD_MAX_COMPONENTS);
    output->component = (size_t)component - 1;
    lua_getfield(L, table, "path");
    output->is_path = lua_toboolean(L, -1);
    lua_getfield(L, table, "image");
    output->image = check_optional_image(L, entry);
    if (output->image) {
        lua_getfield(L, table, "shape");
        pod_lua_check_shape(L, -1, &output->shape);
    }
    lua_settop(L, table);
}

/* dataset:decode({{component =, path =, image =, shape =}...}) */
static int decode(lua_State *L, pod_error *error)
{
    pod_dataset *input = pod_lua_check_dataset(L, 1);
    size_t count;
    pod_decode_output *outputs = check_with_images(L, sizeof *outputs, &count, read_output);
    return pod_lua_results(pod_dataset_decode(input, outputs, count, pod_lua_new_dataset_box(L), error), 1);
}

/* Reads {name =, dtype =, shape =, text =, default =, image =}. */
static void read_feature(lua_State *L, const pod_lua_entry *entry)
{
    pod_feature_spec *spec = entry->into;
    pod_lua_check_top(L, LUA_TTABLE, "a feature");
    const int table = lua_gettop(L);
    lua_getfield(L, table, "name");
    pod_lua_check_top(L, LUA_TSTRING, "the name of a feature");
    spec->name = lua_tostring(L, -1);
    lua_getfield(L, table, "dtype");
    if (!lua_isnil(L, -1))
        spec->dtype = pod_lua_check_dtype(L, -1);
    lua_getfield(L, table, "shape");
    pod_lua_check_shape(L, -1, &spec->shape);
    lua_getfield(L, table, "text");
    spec->text = lua_toboolean(L, -1);
    lua_getfield(L, table, "default");
    if (!lua_isnil(L, -1))
        spec->default_value = pod_lua_check_buffer(L, -1);
    lua_getfield(L, table, "image");
    spec->image = check_optional_image(L, entry);
    if (spec->image)
        spec->dtype = pod_image_dtype(spec->image);
}

/* dataset:parse_examples({{name =, dtype =, shape =, text =, default = buffer, image = {...}}...}) */
static int parse_examples(lua_State *L, pod_error *error)
{
    pod_dataset *input = pod_lua_check_dataset(L, 1);
    size_t count;
    pod_feature_spec *specs = check_with_images(L, sizeof *specs, &count, read_feature);
    return pod_lua_results(pod_dataset_parse_examples(input, specs, count, pod_lua_new_dataset_box(L), error), 1);
}

static const pod_lua_function methods[] = {
    {"parse_examples", .failing = parse_examples}, {"decode", .failing = decode}, {0}};

static const pod_lua_function functions[] = {{"image_decode", .failing = image_decode}, {0}};

const pod_lua_part pod_lua_dataset_decode_part = {.functions = functions, .of = &pod_lua_dataset_kind, .more = methods};
