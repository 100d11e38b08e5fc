/* dataset_decode - examples and pictures become arrays: moonpod.core's stages, and pictures one by one. */

#include "dataset_access.h"

#include <moonpod/image.h>

/* Reads {format =, channels =, dtype =, height =, width =, resize =, max_pixels =} at `index`. */
static pod_image_options check_image(lua_State *L, int index)
{
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
    options.height = pod_lua_check_any_field(L, table, "height");
    options.width = pod_lua_check_any_field(L, table, "width");
    options.max_pixels = pod_lua_check_any_field(L, table, "max_pixels");
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
static int image_decode(lua_State *L)
{
    pod_context *context = pod_lua_check_context(L, 1);
    size_t size;
    const char *bytes = luaL_checklstring(L, 2, &size);
    const pod_image_options options = check_image(L, 3);
    pod_buffer **box = pod_lua_new_buffer_box(L);
    pod_error error;
    pod_lua_check(L, decode_image(context, bytes, size, &options, box, &error), &error);
    pod_lua_charge(L, pod_buffer_bytes(*box));
    return 1;
}

/* Reads an output {component =, path =, image =, shape =} on top of the stack; components count from 1. */
static pod_decode_output check_output(lua_State *L, pod_image_options *image)
{
    pod_decode_output output = {0};
    pod_lua_check_top(L, LUA_TTABLE, "an output of decode");
    int table = lua_absindex(L, -1);
    lua_getfield(L, table, "component");
    const int64_t component = pod_lua_check_within(L, -1, "a component", 1, POD_MAX_COMPONENTS);
    lua_pop(L, 1);
    output.component = (size_t)component - 1;
    lua_getfield(L, table, "path");
    output.is_path = lua_toboolean(L, -1);
    lua_getfield(L, table, "image");
    if (!lua_isnil(L, -1)) {
        *image = check_image(L, -1);
        output.image = image;
        lua_getfield(L, table, "shape");
        pod_lua_check_shape(L, -1, &output.shape);
    }
    lua_settop(L, table);
    return output;
}

/* dataset:decode({{component =, path =, image =, shape =}...}) */
static int decode(lua_State *L)
{
    pod_dataset *input = pod_lua_check_dataset(L, 1);
    luaL_checktype(L, 2, LUA_TTABLE);
    size_t count = pod_lua_length(L, 2);
    pod_decode_output *outputs = pod_lua_new_array(L, count + 1, sizeof *outputs);
    pod_image_options *images = pod_lua_new_array(L, count + 1, sizeof *images);
    for (size_t i = 0; i < count; i++) {
        pod_lua_geti(L, 2, i + 1);
        outputs[i] = check_output(L, &images[i]);
        lua_pop(L, 1);
    }
    pod_dataset **box = pod_lua_new_dataset_box(L);
    pod_error error;
    pod_lua_check(L, pod_dataset_decode(input, outputs, count, box, &error), &error);
    return 1;
}

/* Reads a feature spec {name =, dtype =, shape =, text =, default =, image =} on top of the stack; `image` has
 * room for the options of a picture. */
static pod_feature_spec check_feature(lua_State *L, pod_image_options *image)
{
    pod_feature_spec spec = {0};
    pod_lua_check_top(L, LUA_TTABLE, "a feature");
    int table = lua_absindex(L, -1);
    lua_getfield(L, table, "name");
    pod_lua_check_top(L, LUA_TSTRING, "the name of a feature");
    spec.name = lua_tostring(L, -1); /* the table keeps it */
    lua_getfield(L, table, "dtype");
    if (!lua_isnil(L, -1))
        spec.dtype = pod_lua_check_dtype(L, -1);
    lua_getfield(L, table, "shape");
    pod_lua_check_shape(L, -1, &spec.shape);
    lua_getfield(L, table, "text");
    spec.text = lua_toboolean(L, -1);
    lua_getfield(L, table, "default");
    if (!lua_isnil(L, -1))
        spec.default_value = pod_lua_check_buffer(L, -1);
    lua_getfield(L, table, "image");
    if (!lua_isnil(L, -1)) {
        *image = check_image(L, -1);
        spec.image = image;
        spec.dtype = pod_image_dtype(image);
    }
    lua_settop(L, table);
    return spec;
}

/* dataset:parse_examples({{name =, dtype =, shape =, text =, default = buffer, image = {...}}...}) */
static int parse_examples(lua_State *L)
{
    pod_dataset *input = pod_lua_check_dataset(L, 1);
    luaL_checktype(L, 2, LUA_TTABLE);
    size_t count = pod_lua_length(L, 2);
    pod_feature_spec *specs = pod_lua_new_array(L, count + 1, sizeof *specs);
    pod_image_options *images = pod_lua_new_array(L, count + 1, sizeof *images);
    for (size_t i = 0; i < count; i++) {
        pod_lua_geti(L, 2, i + 1);
        specs[i] = check_feature(L, &images[i]);
        lua_pop(L, 1);
    }
    pod_dataset **box = pod_lua_new_dataset_box(L);
    pod_error error;
    pod_lua_check(L, pod_dataset_parse_examples(input, specs, count, box, &error), &error);
    return 1;
}

static const luaL_Reg methods[] = {{"parse_examples", parse_examples}, {"decode", decode}, {NULL, NULL}};

static const luaL_Reg functions[] = {{"image_decode", image_decode}, {NULL, NULL}};

void pod_lua_open_dataset_decode(lua_State *L)
{
    pod_lua_add_methods(L, POD_LUA_DATASET, methods);
    pod_lua_set_functions(L, functions);
}
