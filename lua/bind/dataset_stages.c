/* dataset_stages - the stages beyond the plain ones. */

#include "dataset_access.h"

#include <string.h>

static void read_dataset(lua_State *L, const pod_lua_entry *entry)
{
    if (!pod_lua_testudata(L, -1, pod_lua_dataset_kind.name))
        luaL_error(L, "entry %d is no dataset but %s", (int)entry->index + 1, luaL_typename(L, -1));
    *(pod_dataset **)entry->into = pod_lua_check_dataset(L, -1);
}

/* Reads an array of datasets at `index` into a block that stays on the stack. */
static pod_dataset **check_datasets(lua_State *L, int index, size_t *count)
{
    return pod_lua_check_array(L, index, sizeof(pod_dataset *), count, read_dataset, NULL);
}

/* dataset_zip({dataset...}) */
static int zip(lua_State *L, pod_error *error)
{
    size_t count;
    pod_dataset **inputs = check_datasets(L, 1, &count);
    return pod_lua_results(pod_dataset_zip(inputs, count, pod_lua_new_dataset_box(L), error), 1);
}

/* dataset_concatenate({dataset...}) */
static int concatenate(lua_State *L, pod_error *error)
{
    size_t count;
    pod_dataset **inputs = check_datasets(L, 1, &count);
    return pod_lua_results(pod_dataset_concatenate(inputs, count, pod_lua_new_dataset_box(L), error), 1);
}

/* dataset_hosts({dataset...}, pieces, pieces_a_step, "OFF", "FILE" or "HINT", of_ranks) */
static int hosts(lua_State *L, pod_error *error)
{
    static const char *const divisions[] = {"OFF", "FILE", "HINT", NULL};
    size_t count;
    const pod_hosts_options options = {.pieces = pod_lua_check_any(L, 2, "the pieces"),
                                       .pieces_a_step = pod_lua_check_any(L, 3, "the pieces a step"),
                                       .division = (pod_hosts_division)luaL_checkoption(L, 4, NULL, divisions),
                                       .of_ranks = lua_toboolean(L, 5)};
    pod_dataset **inputs = check_datasets(L, 1, &count);
    return pod_lua_results(pod_dataset_hosts(inputs, count, &options, pod_lua_new_dataset_box(L), error), 1);
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

static void read_number(lua_State *L, const pod_lua_entry *entry)
{
    pod_lua_check_top(L, LUA_TNUMBER, entry->context);
    *(double *)entry->into = pod_lua_to_number(L, -1);
}

/* Reads an array of so many numbers at `index`, or nil, into a block that stays on the stack. */
static const double *check_numbers(lua_State *L, int index, size_t wanted, const char *what)
{
    size_t count = wanted;
    const double *numbers =
        lua_isnoneornil(L, index) ? NULL : pod_lua_check_array(L, index, sizeof *numbers, &count, read_number, what);
    if (count != wanted)
        luaL_error(L, "%d %s are given, but %d are needed", (int)count, what, (int)wanted);
    return numbers;
}

/* dataset_sample({dataset...}, weights?, seed, stop_on_empty) */
static int sample(lua_State *L, pod_error *error)
{
    size_t count;
    lua_settop(L, 4);
    pod_dataset **inputs = check_datasets(L, 1, &count);
    const pod_sample_options options = {
        .weights = check_numbers(L, 2, count, "weights"),
        .seed = (uint64_t)pod_lua_check_any(L, 3, "seed"),
        .stop_on_empty = lua_toboolean(L, 4),
    };
    return pod_lua_results(pod_dataset_sample(inputs, count, &options, pod_lua_new_dataset_box(L), error), 1);
}

/* dataset_choose({dataset...}, choices, stop_on_empty) */
static int choose(lua_State *L, pod_error *error)
{
    size_t count;
    lua_settop(L, 3);
    pod_dataset *choices = pod_lua_check_dataset(L, 2);
    pod_dataset **inputs = check_datasets(L, 1, &count);
    return pod_lua_results(
        pod_dataset_choose(inputs, count, choices, lua_toboolean(L, 3), pod_lua_new_dataset_box(L), error), 1);
}

/* Reads a string, whose size goes into the array that is its context; without one it has no zero bytes. */
static void read_string(lua_State *L, const pod_lua_entry *entry)
{
    if (lua_type(L, -1) != LUA_TSTRING)
        luaL_error(L, "entry %d is no string but %s", (int)entry->index + 1, luaL_typename(L, -1));
    *(const char **)entry->into =
        entry->context ? lua_tolstring(L, -1, (size_t *)entry->context + entry->index) : pod_lua_check_text(L, -1);
}

/* Reads an array of paths or patterns of names at `index`, without zero bytes, into a block that stays on the stack; it
 * points into the array's values. */
static const char **check_strings(lua_State *L, int index, size_t *count)
{
    return pod_lua_check_array(L, index, sizeof(const char *), count, read_string, NULL);
}

/* dataset_from_texts(context, {string...}) */
static int from_texts(lua_State *L, pod_error *error)
{
    pod_context *context = pod_lua_check_context(L, 1);
    luaL_checktype(L, 2, LUA_TTABLE);
    const size_t count = pod_lua_length(L, 2);
    size_t *sizes = pod_lua_new_array(L, count + 1, sizeof *sizes);
    const char **texts = pod_lua_check_entries(L, 2, sizeof *texts, count, read_string, sizes);
    return pod_lua_results(pod_dataset_from_texts(context, texts, sizes, count, pod_lua_new_dataset_box(L), error), 1);
}

/* dataset_list_files(context, {pattern...}) */
static int list_files(lua_State *L, pod_error *error)
{
    pod_context *context = pod_lua_check_context(L, 1);
    size_t count;
    const char **patterns = check_strings(L, 2, &count);
    return pod_lua_results(pod_dataset_list_files(context, patterns, count, pod_lua_new_dataset_box(L), error), 1);
}

static const char *const file_kinds[] = {"records", "lines", "pieces", NULL};

/* dataset_files(context, {path...}, {kind =, compression =, record_bytes =, header_bytes =, footer_bytes =,
 * parallel_reads =}) */
static int files(lua_State *L, pod_error *error)
{
#define FILES(member) POD_LUA_FIELD(pod_files_options, member)
    static const pod_lua_field fields[] = {
        FILES(record_bytes), FILES(header_bytes), FILES(footer_bytes), FILES(parallel_reads), {0},
    };
    pod_context *context = pod_lua_check_context(L, 1);
    size_t count;
    luaL_checktype(L, 3, LUA_TTABLE);
    lua_settop(L, 3);
    lua_getfield(L, 3, "kind");
    pod_files_options options = {.kind = (pod_file_kind)pod_lua_check_name(L, 4, "kind", file_kinds)};
    lua_getfield(L, 3, "compression");
    options.compression = pod_lua_optional_text(L, 5, NULL);
    pod_lua_read_fields(L, 3, &options, fields);
    const char **paths = check_strings(L, 2, &count);
    return pod_lua_results(pod_dataset_files(context, paths, count, &options, pod_lua_new_dataset_box(L), error), 1);
}

/* Reads {index =, dtype =, text =, default =}. */
static void read_column(lua_State *L, const pod_lua_entry *entry)
{
    pod_csv_column *column = entry->into;
    pod_lua_check_top(L, LUA_TTABLE, "a column");
    const int table = lua_gettop(L);
    column->index = pod_lua_check_any_field(L, table, "index");
    lua_getfield(L, table, "text");
    column->text = lua_toboolean(L, -1);
    lua_getfield(L, table, "dtype");
    if (!column->text)
        column->dtype = pod_lua_check_dtype(L, -1);
    lua_getfield(L, table, "default");
    column->has_default = !lua_isnil(L, -1);
    if (column->has_default)
        column->default_value = pod_lua_check_number(L, -1, "the default of a column");
    lua_settop(L, table);
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
static int csv(lua_State *L, pod_error *error)
{
    pod_context *context = pod_lua_check_context(L, 1);
    size_t count;
    lua_settop(L, 4);
    pod_csv_options options = check_csv_options(L, 4);
    options.columns = pod_lua_check_array(L, 3, sizeof(pod_csv_column), &options.column_count, read_column, NULL);
    const char **paths = check_strings(L, 2, &count);
    return pod_lua_results(pod_dataset_csv(context, paths, count, &options, pod_lua_new_dataset_box(L), error), 1);
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
static int csv_names(lua_State *L, pod_error *error)
{
    pod_context *context = pod_lua_check_context(L, 1);
    const char *path = pod_lua_check_text(L, 2);
    const pod_csv_options options = check_csv_options(L, 3);
    name_list list;
    pod_lua_check(L, pod_csv_names(context, path, &options, &list.names, &list.count, error), error);
    const bool pushed = pod_lua_push_protected(L, push_names, &list);
    pod_csv_names_free(context, list.names);
    return pushed ? 1 : lua_error(L);
}

/* dataset:shard(count, index) */
static int shard(lua_State *L, pod_error *error)
{
    pod_dataset *input = pod_lua_check_dataset(L, 1);
    int64_t count = pod_lua_check_any(L, 2, "the number of shards");
    int64_t index = pod_lua_check_any(L, 3, "the index of the shard");
    return pod_lua_results(pod_dataset_shard(input, count, index, pod_lua_new_dataset_box(L), error), 1);
}

/* dataset:unbatch() */
static int unbatch(lua_State *L, pod_error *error)
{
    pod_dataset *input = pod_lua_check_dataset(L, 1);
    return pod_lua_results(pod_dataset_unbatch(input, pod_lua_new_dataset_box(L), error), 1);
}

/* dataset:number(seed) */
static int number(lua_State *L, pod_error *error)
{
    pod_dataset *input = pod_lua_check_dataset(L, 1);
    const uint64_t seed = (uint64_t)pod_lua_check_any(L, 2, "seed");
    return pod_lua_results(pod_dataset_number(input, seed, pod_lua_new_dataset_box(L), error), 1);
}

static void read_shape(lua_State *L, const pod_lua_entry *entry)
{
    pod_lua_check_shape(L, -1, entry->into);
}

/* Reads an array of so many shapes at `index`, or nil, into a block that stays on the stack. */
static const pod_shape *check_shapes(lua_State *L, int index, size_t wanted)
{
    size_t count = wanted;
    const pod_shape *shapes =
        lua_isnoneornil(L, index) ? NULL : pod_lua_check_array(L, index, sizeof *shapes, &count, read_shape, NULL);
    if (count != wanted)
        luaL_error(L, "%d shapes are given for %d components", (int)count, (int)wanted);
    return shapes;
}

/* dataset:padded_batch(size, drop_remainder, shapes?, values?) */
static int padded_batch(lua_State *L, pod_error *error)
{
    pod_dataset *input = pod_lua_check_dataset(L, 1);
    size_t width = pod_dataset_component_count(input);
    lua_settop(L, 5);
    pod_padded_batch_options options = {.size = pod_lua_check_any(L, 2, "the batch size"),
                                        .drop_remainder = lua_toboolean(L, 3),
                                        .values = check_numbers(L, 5, width, "values")};
    options.shapes = check_shapes(L, 4, width);
    return pod_lua_results(pod_dataset_padded_batch(input, &options, pod_lua_new_dataset_box(L), error), 1);
}

static void read_count(lua_State *L, const pod_lua_entry *entry)
{
    *(int64_t *)entry->into = pod_lua_check_any(L, -1, entry->context);
}

static bool has_flag(lua_State *L, int index, const char *name)
{
    lua_getfield(L, index, name);
    const bool is = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return is;
}

/* dataset:bucket_by_sequence_length(graph?, {boundary...}, {size...}, {in_step =, pad_to_boundary =, drop_remainder =,
 * no_padding =}, shapes?, values?): the graph is taken; without one the last component is the length */
static int bucket_by_sequence_length(lua_State *L, pod_error *error)
{
    pod_dataset *input = pod_lua_check_dataset(L, 1);
    const bool has_graph = !lua_isnil(L, 2);
    const size_t width = pod_dataset_component_count(input) - !has_graph;
    lua_settop(L, 7);
    luaL_checktype(L, 5, LUA_TTABLE);
    pod_bucket_options options = {.in_step = pod_lua_check_any_field(L, 5, "in_step"),
                                  .pad_to_boundary = has_flag(L, 5, "pad_to_boundary"),
                                  .drop_remainder = has_flag(L, 5, "drop_remainder"),
                                  .no_padding = has_flag(L, 5, "no_padding")};
    size_t sizes;
    options.boundaries = pod_lua_check_array(L, 3, sizeof(int64_t), &options.boundary_count, read_count, "a boundary");
    options.sizes = pod_lua_check_array(L, 4, sizeof(int64_t), &sizes, read_count, "a batch size");
    options.shapes = check_shapes(L, 6, width);
    options.values = check_numbers(L, 7, width, "values");
    luaL_argcheck(L, sizes == options.boundary_count + 1, 4, "there is one size more than boundaries");
    pod_dataset **box = pod_lua_new_dataset_box(L);
    pod_graph *graph = has_graph ? pod_lua_take_graph(L, 2, error) : NULL;
    if (has_graph && graph == NULL)
        return error->status;
    return pod_lua_results(pod_dataset_bucket_by_sequence_length(input, graph, &options, box, error), 1);
}

/* dataset:window(size, shift, stride, drop_remainder): 0 for defaults */
static int window(lua_State *L, pod_error *error)
{
    pod_dataset *input = pod_lua_check_dataset(L, 1);
    const pod_window_options options = {.size = pod_lua_check_any(L, 2, "the size"),
                                        .shift = pod_lua_check_any(L, 3, "the shift"),
                                        .stride = pod_lua_check_any(L, 4, "the stride"),
                                        .drop_remainder = lua_toboolean(L, 5)};
    return pod_lua_results(pod_dataset_window(input, &options, pod_lua_new_dataset_box(L), error), 1);
}

/* dataset:filter(graph): the graph is taken */
static int filter(lua_State *L, pod_error *error)
{
    pod_dataset *input = pod_lua_check_dataset(L, 1);
    pod_dataset **box = pod_lua_new_dataset_box(L);
    pod_graph *graph = pod_lua_take_graph(L, 2, error);
    return graph ? pod_lua_results(pod_dataset_filter(input, graph, box, error), 1) : error->status;
}

/* dataset:scan(graph, {buffer...}): the graph is taken */
static int scan(lua_State *L, pod_error *error)
{
    pod_dataset *input = pod_lua_check_dataset(L, 1);
    size_t count;
    pod_buffer **states = pod_lua_check_buffers(L, 3, &count);
    pod_dataset **box = pod_lua_new_dataset_box(L);
    pod_graph *graph = pod_lua_take_graph(L, 2, error);
    return graph ? pod_lua_results(pod_dataset_scan(input, graph, states, count, box, error), 1) : error->status;
}

/* How a stage is to keep order: nil (as the iterator says), or whether it is kept. */
pod_order pod_lua_check_order(lua_State *L, int index)
{
    if (lua_isnoneornil(L, index))
        return POD_ORDER_DEFAULT;
    return lua_toboolean(L, index) ? POD_ORDER_KEPT : POD_ORDER_ANY;
}

/* dataset:label(text) sets what messages call the last stage; dataset:label() -> what they call it */
static int label(lua_State *L, pod_error *error)
{
    pod_dataset *dataset = pod_lua_check_dataset(L, 1);
    if (lua_gettop(L) == 1) {
        lua_pushstring(L, pod_dataset_label(dataset));
        return 1;
    }
    const char *text = pod_lua_check_text(L, 2);
    pod_lua_check(L, pod_dataset_set_label(dataset, text, error), error);
    lua_settop(L, 1);
    return 1;
}

/* dataset:parallel(threads, deterministic?) */
static int parallel(lua_State *L, pod_error *error)
{
    pod_dataset *input = pod_lua_check_dataset(L, 1);
    const pod_parallel_options options = {.threads = pod_lua_check_any(L, 2, "the number of parallel calls"),
                                          .order = pod_lua_check_order(L, 3)};
    return pod_lua_results(pod_dataset_parallel(input, &options, pod_lua_new_dataset_box(L), error), 1);
}

static const pod_lua_function methods[] = {
    {"shard", .failing = shard},
    {"unbatch", .failing = unbatch},
    {"number", .failing = number},
    {"padded_batch", .failing = padded_batch},
    {"bucket_by_sequence_length", .failing = bucket_by_sequence_length},
    {"window", .failing = window},
    {"filter", .failing = filter},
    {"scan", .failing = scan},
    {"parallel", .failing = parallel},
    {"label", .failing = label},
    {"file_count", .plain = file_count},
    {0},
};

static const pod_lua_function functions[] = {{"dataset_zip", .failing = zip},
                                             {"dataset_hosts", .failing = hosts},
                                             {"dataset_concatenate", .failing = concatenate},
                                             {"dataset_sample", .failing = sample},
                                             {"dataset_choose", .failing = choose},
                                             {"dataset_from_texts", .failing = from_texts},
                                             {"dataset_list_files", .failing = list_files},
                                             {"dataset_files", .failing = files},
                                             {"dataset_csv", .failing = csv},
                                             {"csv_names", .failing = csv_names},
                                             {0}};

const pod_lua_part pod_lua_dataset_stages_part = {.functions = functions, .of = &pod_lua_dataset_kind, .more = methods};
