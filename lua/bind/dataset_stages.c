/* dataset_stages - the stages beyond the plain ones. */

#include "dataset_access.h"
#include "small.h"

#include <string.h>

/* Reads an array of datasets at `index` into a block that stays on the stack. */
static pod_dataset **check_datasets(lua_State *L, int index, size_t *count)
{
    luaL_checktype(L, index, LUA_TTABLE);
    *count = pod_lua_length(L, index);
    pod_dataset **datasets = pod_lua_new_array(L, *count + 1, sizeof *datasets);
    for (size_t i = 0; i < *count; i++) {
        pod_lua_geti(L, index, i + 1);
        if (!pod_lua_testudata(L, -1, POD_LUA_DATASET))
            luaL_error(L, "entry %d is no dataset but %s", (int)i + 1, luaL_typename(L, -1));
        datasets[i] = pod_lua_check_dataset(L, -1);
        lua_pop(L, 1);
    }
    return datasets;
}

/* dataset_zip({dataset...}) */
static int zip(lua_State *L)
{
    size_t count;
    pod_dataset **inputs = check_datasets(L, 1, &count);
    pod_dataset **box = pod_lua_new_dataset_box(L);
    pod_error error;
    pod_lua_check(L, pod_dataset_zip(inputs, count, box, &error), &error);
    return 1;
}

/* dataset_concatenate({dataset...}) */
static int concatenate(lua_State *L)
{
    size_t count;
    pod_dataset **inputs = check_datasets(L, 1, &count);
    pod_dataset **box = pod_lua_new_dataset_box(L);
    pod_error error;
    pod_lua_check(L, pod_dataset_concatenate(inputs, count, box, &error), &error);
    return 1;
}

/* dataset_hosts({dataset...}, pieces, pieces_a_step, "OFF", "FILE" or "HINT") */
static int hosts(lua_State *L)
{
    static const char *const divisions[] = {"OFF", "FILE", "HINT", NULL};
    size_t count;
    const pod_hosts_options options = {.pieces = pod_lua_check_any(L, 2, "the pieces"),
                                       .pieces_a_step = pod_lua_check_any(L, 3, "the pieces a step"),
                                       .division = (pod_hosts_division)luaL_checkoption(L, 4, NULL, divisions)};
    pod_dataset **inputs = check_datasets(L, 1, &count);
    pod_dataset **box = pod_lua_new_dataset_box(L);
    pod_error error;
    pod_lua_check(L, pod_dataset_hosts(inputs, count, &options, box, &error), &error);
    return 1;
}

/* dataset:file_count() -> number of files that it reads, nil when it reads none, -2 when that is not known */
static int file_count(lua_State *L)
{
    int64_t files = pod_dataset_file_count(pod_lua_check_dataset(L, 1));
    if (files == -1)
        lua_pushnil(L);
    else
        pod_lua_push_int64(L, files);
    return 1;
}

/* Reads an array of numbers at `index`, or nil, into a block that stays on the stack. */
static double *check_numbers(lua_State *L, int index, size_t wanted, const char *what)
{
    if (lua_isnoneornil(L, index)) {
        lua_pushnil(L);
        return NULL;
    }
    luaL_checktype(L, index, LUA_TTABLE);
    size_t count = pod_lua_length(L, index);
    if (count != wanted)
        luaL_error(L, "%d %s are given, but %d are needed", (int)count, what, (int)wanted);
    double *numbers = pod_lua_new_array(L, count + 1, sizeof *numbers);
    for (size_t i = 0; i < count; i++) {
        pod_lua_geti(L, index, i + 1);
        pod_lua_check_top(L, LUA_TNUMBER, what);
        numbers[i] = pod_lua_to_number(L, -1);
        lua_pop(L, 1);
    }
    return numbers;
}

/* dataset_sample({dataset...}, weights?, seed, stop_on_empty) */
static int sample(lua_State *L)
{
    size_t count;
    lua_settop(L, 4);
    pod_dataset **inputs = check_datasets(L, 1, &count);
    const pod_sample_options options = {
        .weights = check_numbers(L, 2, count, "weights"),
        .seed = (uint64_t)pod_lua_check_any(L, 3, "seed"),
        .stop_on_empty = lua_toboolean(L, 4),
    };
    pod_dataset **box = pod_lua_new_dataset_box(L);
    pod_error error;
    pod_lua_check(L, pod_dataset_sample(inputs, count, &options, box, &error), &error);
    return 1;
}

/* dataset_choose({dataset...}, choices, stop_on_empty) */
static int choose(lua_State *L)
{
    size_t count;
    lua_settop(L, 3);
    pod_dataset *choices = pod_lua_check_dataset(L, 2);
    pod_dataset **inputs = check_datasets(L, 1, &count);
    pod_dataset **box = pod_lua_new_dataset_box(L);
    pod_error error;
    pod_lua_check(L, pod_dataset_choose(inputs, count, choices, lua_toboolean(L, 3), box, &error), &error);
    return 1;
}

/* Reads an array of strings at `index` into blocks that stay on the stack; they point into its values. Paths and
 * patterns of names have no `sizes`, and no zero bytes. */
static const char **check_strings(lua_State *L, int index, size_t *count, size_t **sizes)
{
    luaL_checktype(L, index, LUA_TTABLE);
    *count = pod_lua_length(L, index);
    const char **strings = pod_lua_new_array(L, *count + 1, sizeof *strings);
    size_t *lengths = pod_lua_new_array(L, *count + 1, sizeof *lengths);
    for (size_t i = 0; i < *count; i++) {
        pod_lua_geti(L, index, i + 1);
        if (lua_type(L, -1) != LUA_TSTRING)
            luaL_error(L, "entry %d is no string but %s", (int)i + 1, luaL_typename(L, -1));
        strings[i] = sizes ? lua_tolstring(L, -1, &lengths[i]) : pod_lua_check_text(L, -1);
        lua_pop(L, 1);
    }
    if (sizes)
        *sizes = lengths;
    return strings;
}

/* dataset_from_texts(context, {string...}) */
static int from_texts(lua_State *L)
{
    pod_context *context = pod_lua_check_context(L, 1);
    size_t count, *sizes;
    const char **texts = check_strings(L, 2, &count, &sizes);
    pod_dataset **box = pod_lua_new_dataset_box(L);
    pod_error error;
    pod_lua_check(L, pod_dataset_from_texts(context, texts, sizes, count, box, &error), &error);
    return 1;
}

/* dataset_list_files(context, {pattern...}) */
static int list_files(lua_State *L)
{
    pod_context *context = pod_lua_check_context(L, 1);
    size_t count;
    const char **patterns = check_strings(L, 2, &count, NULL);
    pod_dataset **box = pod_lua_new_dataset_box(L);
    pod_error error;
    pod_lua_check(L, pod_dataset_list_files(context, patterns, count, box, &error), &error);
    return 1;
}

static const char *const file_kinds[] = {"records", "lines", "pieces", NULL};

/* dataset_files(context, {path...}, {kind =, compression =, record_bytes =, header_bytes =, footer_bytes =,
 * parallel_reads =}) */
static int files(lua_State *L)
{
    pod_context *context = pod_lua_check_context(L, 1);
    size_t count;
    luaL_checktype(L, 3, LUA_TTABLE);
    lua_settop(L, 3);
    lua_getfield(L, 3, "kind");
    pod_files_options options = {.kind = (pod_file_kind)pod_lua_check_name(L, 4, "kind", file_kinds)};
    lua_getfield(L, 3, "compression");
    options.compression = pod_lua_optional_text(L, 5, NULL);
    options.record_bytes = pod_lua_check_any_field(L, 3, "record_bytes");
    options.header_bytes = pod_lua_check_any_field(L, 3, "header_bytes");
    options.footer_bytes = pod_lua_check_any_field(L, 3, "footer_bytes");
    options.parallel_reads = pod_lua_check_any_field(L, 3, "parallel_reads");
    const char **paths = check_strings(L, 2, &count, NULL);
    pod_dataset **box = pod_lua_new_dataset_box(L);
    pod_error error;
    pod_lua_check(L, pod_dataset_files(context, paths, count, &options, box, &error), &error);
    return 1;
}

/* Reads {index =, dtype =, text =, default =} on top of the stack. */
static pod_csv_column check_column(lua_State *L)
{
    pod_csv_column column = {0};
    pod_lua_check_top(L, LUA_TTABLE, "a column");
    int table = lua_absindex(L, -1);
    column.index = pod_lua_check_any_field(L, table, "index");
    lua_getfield(L, table, "text");
    column.text = lua_toboolean(L, -1);
    lua_getfield(L, table, "dtype");
    if (!column.text)
        column.dtype = pod_lua_check_dtype(L, -1);
    lua_getfield(L, table, "default");
    column.has_default = !lua_isnil(L, -1);
    if (column.has_default) {
        pod_lua_check_top(L, LUA_TNUMBER, "the default of a column");
        column.default_value = pod_lua_to_number(L, -1);
    }
    lua_settop(L, table);
    return column;
}

/* Reads the options at `index`: {separator =, header =, fields =, compression =}; the last stays on the
 * stack. */
static pod_csv_options check_csv_options(lua_State *L, int index)
{
    pod_csv_options options = {0};
    luaL_checktype(L, index, LUA_TTABLE);
    lua_getfield(L, index, "separator");
    const char *separator = pod_lua_optional_text(L, -1, ",");
    luaL_argcheck(L, strlen(separator) == 1, index, "the separator is one character");
    options.separator = separator[0];
    lua_getfield(L, index, "header");
    options.has_header = lua_toboolean(L, -1);
    lua_pop(L, 2);
    options.field_count = pod_lua_check_any_field(L, index, "fields");
    lua_getfield(L, index, "compression");
    options.compression = pod_lua_optional_text(L, -1, NULL);
    return options;
}

/* dataset_csv(context, {path...}, {column...}, {separator =, header =, fields =, compression =}) */
static int csv(lua_State *L)
{
    pod_context *context = pod_lua_check_context(L, 1);
    size_t count;
    lua_settop(L, 4);
    luaL_checktype(L, 3, LUA_TTABLE);
    pod_csv_options options = check_csv_options(L, 4);
    options.column_count = pod_lua_length(L, 3);
    pod_csv_column *columns = pod_lua_new_array(L, options.column_count + 1, sizeof *columns);
    for (size_t i = 0; i < options.column_count; i++) {
        pod_lua_geti(L, 3, i + 1);
        columns[i] = check_column(L);
        lua_pop(L, 1);
    }
    options.columns = columns;
    const char **paths = check_strings(L, 2, &count, NULL);
    pod_dataset **box = pod_lua_new_dataset_box(L);
    pod_error error;
    pod_lua_check(L, pod_dataset_csv(context, paths, count, &options, box, &error), &error);
    return 1;
}

/* What csv_names() found, for a protected call that makes a table of it. */
typedef struct name_list {
    char **names;
    size_t count;
} name_list;

static int push_names(lua_State *L)
{
    const name_list *list = lua_touserdata(L, 1);
    lua_createtable(L, (int)list->count, 0);
    for (size_t i = 0; i < list->count; i++) {
        lua_pushstring(L, list->names[i]);
        lua_rawseti(L, -2, (int)i + 1);
    }
    return 1;
}

/* csv_names(context, path, {separator =, compression =}) -> array of the fields of the first row */
static int csv_names(lua_State *L)
{
    pod_context *context = pod_lua_check_context(L, 1);
    const char *path = pod_lua_check_text(L, 2);
    const pod_csv_options options = check_csv_options(L, 3);
    name_list list;
    pod_error error;
    pod_lua_check(L, pod_csv_names(context, path, &options, &list.names, &list.count, &error), &error);
    lua_pushcfunction(L, push_names);
    lua_pushlightuserdata(L, &list);
    int failure = lua_pcall(L, 1, 1, 0);
    pod_csv_names_free(context, list.names);
    return failure ? lua_error(L) : 1;
}

/* dataset:shard(count, index) */
static int shard(lua_State *L)
{
    pod_dataset *input = pod_lua_check_dataset(L, 1);
    int64_t count = pod_lua_check_any(L, 2, "the number of shards");
    int64_t index = pod_lua_check_any(L, 3, "the index of the shard");
    pod_dataset **box = pod_lua_new_dataset_box(L);
    pod_error error;
    pod_lua_check(L, pod_dataset_shard(input, count, index, box, &error), &error);
    return 1;
}

/* dataset:unbatch() */
static int unbatch(lua_State *L)
{
    pod_dataset *input = pod_lua_check_dataset(L, 1);
    pod_dataset **box = pod_lua_new_dataset_box(L);
    pod_error error;
    pod_lua_check(L, pod_dataset_unbatch(input, box, &error), &error);
    return 1;
}

/* dataset:number(seed) */
static int number(lua_State *L)
{
    pod_dataset *input = pod_lua_check_dataset(L, 1);
    const uint64_t seed = (uint64_t)pod_lua_check_any(L, 2, "seed");
    pod_dataset **box = pod_lua_new_dataset_box(L);
    pod_error error;
    pod_lua_check(L, pod_dataset_number(input, seed, box, &error), &error);
    return 1;
}

/* dataset:padded_batch(size, drop_remainder, shapes?, values?) */
static int padded_batch(lua_State *L)
{
    pod_dataset *input = pod_lua_check_dataset(L, 1);
    size_t width = pod_dataset_component_count(input);
    lua_settop(L, 5);
    pod_padded_batch_options options = {.size = pod_lua_check_any(L, 2, "the batch size"),
                                        .drop_remainder = lua_toboolean(L, 3),
                                        .values = check_numbers(L, 5, width, "values")};
    if (!lua_isnil(L, 4)) {
        luaL_checktype(L, 4, LUA_TTABLE);
        if (pod_lua_length(L, 4) != width)
            return luaL_error(L, "%d shapes are given for %d components", (int)pod_lua_length(L, 4), (int)width);
        pod_shape *shapes = pod_lua_new_array(L, width, sizeof *shapes);
        for (size_t i = 0; i < width; i++) {
            pod_lua_geti(L, 4, i + 1);
            pod_lua_check_shape(L, -1, &shapes[i]);
            lua_pop(L, 1);
        }
        options.shapes = shapes;
    }
    pod_dataset **box = pod_lua_new_dataset_box(L);
    pod_error error;
    pod_lua_check(L, pod_dataset_padded_batch(input, &options, box, &error), &error);
    return 1;
}

/* dataset:window(size, shift, stride, drop_remainder): 0 for defaults */
static int window(lua_State *L)
{
    pod_dataset *input = pod_lua_check_dataset(L, 1);
    const pod_window_options options = {.size = pod_lua_check_any(L, 2, "the size"),
                                        .shift = pod_lua_check_any(L, 3, "the shift"),
                                        .stride = pod_lua_check_any(L, 4, "the stride"),
                                        .drop_remainder = lua_toboolean(L, 5)};
    pod_dataset **box = pod_lua_new_dataset_box(L);
    pod_error error;
    pod_lua_check(L, pod_dataset_window(input, &options, box, &error), &error);
    return 1;
}

/* dataset:filter(graph): the graph is taken */
static int filter(lua_State *L)
{
    pod_dataset *input = pod_lua_check_dataset(L, 1);
    pod_dataset **box = pod_lua_new_dataset_box(L);
    pod_error error;
    pod_lua_check(L, pod_dataset_filter(input, pod_lua_take_graph(L, 2), box, &error), &error);
    return 1;
}

/* dataset:scan(graph, {buffer...}): the graph is taken */
static int scan(lua_State *L)
{
    pod_dataset *input = pod_lua_check_dataset(L, 1);
    luaL_checktype(L, 3, LUA_TTABLE);
    size_t count = pod_lua_length(L, 3);
    pod_buffer **states = pod_lua_new_array(L, count + 1, sizeof *states);
    for (size_t i = 0; i < count; i++) {
        pod_lua_geti(L, 3, i + 1);
        if (!pod_lua_is_box(L, -1))
            luaL_error(L, "entry %d is no buffer but %s", (int)i + 1, luaL_typename(L, -1));
        states[i] = pod_lua_check_buffer(L, -1);
        lua_pop(L, 1);
    }
    pod_dataset **box = pod_lua_new_dataset_box(L);
    pod_error error;
    pod_lua_check(L, pod_dataset_scan(input, pod_lua_take_graph(L, 2), states, count, box, &error), &error);
    return 1;
}

/* How a stage is to keep order: nil (as the iterator says), or whether it is kept. */
pod_order pod_lua_check_order(lua_State *L, int index)
{
    if (lua_isnoneornil(L, index))
        return POD_ORDER_DEFAULT;
    return lua_toboolean(L, index) ? POD_ORDER_KEPT : POD_ORDER_ANY;
}

/* dataset:label(text) sets what messages call the last stage; dataset:label() -> what they call it */
static int label(lua_State *L)
{
    pod_dataset *dataset = pod_lua_check_dataset(L, 1);
    if (lua_gettop(L) == 1) {
        lua_pushstring(L, pod_dataset_label(dataset));
        return 1;
    }
    const char *text = pod_lua_check_text(L, 2);
    pod_error error;
    pod_lua_check(L, pod_dataset_set_label(dataset, text, &error), &error);
    lua_settop(L, 1);
    return 1;
}

/* dataset:parallel(threads, deterministic?) */
static int parallel(lua_State *L)
{
    pod_dataset *input = pod_lua_check_dataset(L, 1);
    const pod_parallel_options options = {.threads = pod_lua_check_any(L, 2, "the number of parallel calls"),
                                          .order = pod_lua_check_order(L, 3)};
    pod_dataset **box = pod_lua_new_dataset_box(L);
    pod_error error;
    pod_lua_check(L, pod_dataset_parallel(input, &options, box, &error), &error);
    return 1;
}

static const luaL_Reg methods[] = {
    {"shard", shard},   {"unbatch", unbatch},       {"number", number}, {"padded_batch", padded_batch},
    {"window", window}, {"filter", filter},         {"scan", scan},     {"parallel", parallel},
    {"label", label},   {"file_count", file_count}, {NULL, NULL},
};

static const luaL_Reg functions[] = {{"dataset_zip", zip},
                                     {"dataset_hosts", hosts},
                                     {"dataset_concatenate", concatenate},
                                     {"dataset_sample", sample},
                                     {"dataset_choose", choose},
                                     {"dataset_from_texts", from_texts},
                                     {"dataset_list_files", list_files},
                                     {"dataset_files", files},
                                     {"dataset_csv", csv},
                                     {"csv_names", csv_names},
                                     {NULL, NULL}};

void pod_lua_open_dataset_stages(lua_State *L)
{
    pod_lua_add_methods(L, POD_LUA_DATASET, methods);
    pod_lua_set_functions(L, functions);
}
