/* lua_graph - a computation under construction. Nodes are their ids; every call raises its own failure. */

#include "graph_access.h"

#include <string.h>

#include <moonpod/divide.h>
#include <moonpod/replicate.h>

/* ---- objects and nodes ------------------------------------------------------------------------------ */

static void end(void *graph)
{
    pod_graph_free(graph);
}

static void describe(lua_State *L, void *graph)
{
    lua_pushfstring(L, "%d nodes", (int)pod_graph_node_count(graph));
}

const pod_lua_kind pod_lua_graph_kind = {POD_LUA_GRAPH, "graph", .end = end, .describe = describe};

pod_graph *pod_lua_check_graph(lua_State *L, int index)
{
    return pod_lua_check_open(L, index, &pod_lua_graph_kind);
}

pod_graph *pod_lua_take_graph(lua_State *L, int index, pod_error *error)
{
    pod_graph *graph = pod_lua_check_graph(L, index), *taken = graph;
    if (pod_lua_is_nested(L)) {
        taken = pod_graph_copy(graph, error);
        if (!taken)
            return NULL;
        pod_lua_end(L, end, graph);
    }
    *(pod_graph **)lua_touserdata(L, index) = NULL;
    return taken;
}

pod_graph **pod_lua_new_graph_box(lua_State *L)
{
    return pod_lua_new_box(L, &pod_lua_graph_kind);
}

pod_node *pod_lua_check_node(lua_State *L, pod_graph *graph, int index)
{
    const int64_t id = pod_lua_check_within(L, index, "node", 0, UINT32_MAX);
    pod_node *node = pod_graph_get_node(graph, (uint32_t)id);
    if (!node)
        luaL_error(L, "the graph has no node %d", (int)id);
    return node;
}

static void read_node(lua_State *L, const pod_lua_entry *entry)
{
    *(pod_node **)entry->into = pod_lua_check_node(L, (pod_graph *)(uintptr_t)entry->context, -1);
}

pod_node **pod_lua_check_nodes(lua_State *L, pod_graph *graph, int index, size_t *count)
{
    return pod_lua_check_array(L, index, sizeof(pod_node *), count, read_node, graph);
}

void pod_lua_check_counts(lua_State *L, const pod_graph *graph, size_t parameters, size_t outputs)
{
    if (pod_graph_parameter_count(graph) != parameters || pod_graph_output_count(graph) != outputs)
        luaL_error(L, "the graph got parameters or outputs while it was in use");
}

static void push_id(lua_State *L, const void *nodes, size_t index)
{
    const pod_node *node = ((pod_node *const *)nodes)[index];
    if (node)
        pod_lua_push_int64(L, pod_node_describe(node).id);
    else
        lua_pushboolean(L, 0);
}

void pod_lua_push_ids(lua_State *L, pod_node *const *nodes, size_t count)
{
    pod_lua_push_array(L, count, push_id, nodes);
}

void pod_lua_check_built(lua_State *L, pod_graph *graph)
{
    pod_error error;
    if (pod_graph_check(graph, &error) == POD_OK)
        return;
    pod_graph_clear_error(graph);
    pod_lua_raise(L, &error);
}

int pod_lua_push_node(lua_State *L, pod_graph *graph, pod_node *node)
{
    pod_lua_check_built(L, graph);
    pod_node_description description = pod_node_describe(node);
    pod_lua_push_int64(L, description.id);
    if (description.result_count == 0)
        return 1;
    lua_pushstring(L, pod_dtype_name(pod_node_dtype(node, 0)));
    pod_lua_push_shape(L, pod_node_shape(node, 0));
    if (description.result_count == 1)
        return 3;
    lua_pushinteger(L, (lua_Integer)description.result_count);
    return 4;
}

/* graph(context, name?) */
static int graph_new(lua_State *L, pod_error *error)
{
    pod_context *context = pod_lua_check_context(L, 1);
    const char *name = pod_lua_optional_text(L, 2, "graph");
    return pod_lua_results(pod_graph_new(context, name, pod_lua_new_graph_box(L), error), 1);
}

/* ---- the graph as a whole ------------------------------------------------------------------------------ */

/* graph:output(node) -> the output's number, counted from 0 */
static int graph_output(lua_State *L)
{
    pod_graph *graph = pod_lua_check_graph(L, 1);
    pod_graph_add_output(graph, pod_lua_check_node(L, graph, 2));
    pod_lua_check_built(L, graph);
    lua_pushinteger(L, (lua_Integer)pod_graph_output_count(graph) - 1);
    return 1;
}

/* graph:alias(output, parameter), both counted from 0 */
static int graph_alias(lua_State *L)
{
    pod_graph *graph = pod_lua_check_graph(L, 1);
    pod_graph_set_alias(graph, (size_t)pod_lua_check_within(L, 2, "output", 0, INT32_MAX),
                        (size_t)pod_lua_check_within(L, 3, "parameter", 0, INT32_MAX));
    pod_lua_check_built(L, graph);
    return 0;
}

/* graph:gradient(target, seed or nil, sources, since?) -> array of ids, false where there is no path. Nodes that the
 * graph had when it had `since` are constants, but for sources. */
static int graph_gradient(lua_State *L, pod_error *error)
{
    pod_graph *graph = pod_lua_check_graph(L, 1);
    pod_node *target = pod_lua_check_node(L, graph, 2);
    pod_node *seed = lua_isnoneornil(L, 3) ? NULL : pod_lua_check_node(L, graph, 3);
    int64_t since = lua_isnoneornil(L, 5) ? 0 : pod_lua_check_within(L, 5, "since", 0, INT32_MAX);
    size_t count;
    pod_node **sources = pod_lua_check_nodes(L, graph, 4, &count);
    pod_node **gradients = pod_lua_new_array(L, count + 1, sizeof *gradients);
    memset(gradients, 0, (count + 1) * sizeof *gradients);
    pod_status status = pod_graph_gradient_since(graph, (size_t)since, target, seed, sources, count, gradients, error);
    if (status < 0)
        pod_graph_clear_error(graph);
    pod_lua_check(L, status, error);
    pod_lua_check_built(L, graph);
    pod_lua_push_ids(L, gradients, count);
    return 1;
}

/* graph:type(node, result?) -> dtype, shape; result counts from 0 */
static int graph_type(lua_State *L)
{
    pod_graph *graph = pod_lua_check_graph(L, 1);
    pod_node *node = pod_lua_check_node(L, graph, 2);
    const int64_t index =
        lua_isnoneornil(L, 3)
            ? 0
            : pod_lua_check_within(L, 3, "result", 0, (int64_t)pod_node_describe(node).result_count - 1);
    lua_pushstring(L, pod_dtype_name(pod_node_dtype(node, (size_t)index)));
    pod_lua_push_shape(L, pod_node_shape(node, (size_t)index));
    return 2;
}

static void push_result_type(lua_State *L, const void *node, size_t index)
{
    lua_createtable(L, 0, 2);
    pod_lua_set_text(L, "dtype", pod_dtype_name(pod_node_dtype(node, index)));
    pod_lua_set_shape(L, "shape", pod_node_shape(node, index));
}

/* graph:describe(node) -> {op, id, name, inputs, results = {{dtype, shape}}, regions, location, scope,
 * value = the number of a constant without axes} */
static int graph_describe(lua_State *L)
{
    pod_graph *graph = pod_lua_check_graph(L, 1);
    pod_node *node = pod_lua_check_node(L, graph, 2);
    pod_node_description description = pod_node_describe(node);
    lua_newtable(L);
    pod_lua_set_text(L, "op", pod_op_name(description.op));
    pod_lua_set_text(L, "name", description.attributes->name);
    pod_lua_set_text(L, "location", description.location);
    pod_lua_set_text(L, "scope", description.scope);
    pod_lua_set_integer(L, "id", description.id);
    pod_lua_set_integer(L, "regions", description.region_count);
    pod_lua_set_array(L, "inputs", description.input_count, push_id, description.inputs);
    pod_lua_set_array(L, "results", description.result_count, push_result_type, node);
    const char *op = pod_op_name(description.op);
    const pod_shape *shape = pod_node_shape(node, 0);
    if (op != NULL && strcmp(op, "constant") == 0 && shape != NULL && shape->rank == 0) {
        pod_lua_push_element(L, pod_node_dtype(node, 0), description.attributes->data, 0);
        lua_setfield(L, -2, "value");
    }
    return 1;
}

/* graph:counts() -> nodes, parameters, outputs */
static int graph_counts(lua_State *L)
{
    pod_graph *graph = pod_lua_check_graph(L, 1);
    lua_pushinteger(L, (lua_Integer)pod_graph_node_count(graph));
    lua_pushinteger(L, (lua_Integer)pod_graph_parameter_count(graph));
    lua_pushinteger(L, (lua_Integer)pod_graph_output_count(graph));
    return 3;
}

static void push_output_id(lua_State *L, const void *graph, size_t index)
{
    pod_lua_push_int64(L, pod_node_describe(pod_graph_get_output(graph, index)).id);
}

/* graph:outputs() -> array of ids */
static int graph_outputs(lua_State *L)
{
    const pod_graph *graph = pod_lua_check_graph(L, 1);
    pod_lua_push_array(L, pod_graph_output_count(graph), push_output_id, graph);
    return 1;
}

static void push_parameter_id(lua_State *L, const void *graph, size_t index)
{
    pod_lua_push_int64(L, pod_node_describe(pod_graph_get_parameter(graph, index)).id);
}

/* graph:parameters() -> array of ids */
static int graph_parameters(lua_State *L)
{
    const pod_graph *graph = pod_lua_check_graph(L, 1);
    pod_lua_push_array(L, pod_graph_parameter_count(graph), push_parameter_id, graph);
    return 1;
}

/* graph:hash() -> 16 hexadecimal digits */
static int graph_hash(lua_State *L)
{
    static const char digits[] = "0123456789abcdef";
    uint64_t hash = pod_graph_hash(pod_lua_check_graph(L, 1));
    char text[16];
    for (int i = 15; i >= 0; i--, hash >>= 4)
        text[i] = digits[hash & 15];
    lua_pushlstring(L, text, sizeof text);
    return 1;
}

/* graph:print() -> the graph as text */
static int graph_print(lua_State *L)
{
    pod_graph *graph = pod_lua_check_graph(L, 1);
    pod_context *context = pod_lua_check_context(L, 2);
    pod_lua_text *box = pod_lua_new_text(L, context);
    box->text = pod_graph_print(graph);
    if (!box->text)
        return luaL_error(L, "no memory to print a graph");
    return pod_lua_push_text(L, box, POD_OK);
}

static int graph_verify(lua_State *L, pod_error *error)
{
    return pod_graph_verify(pod_lua_check_graph(L, 1), error);
}

static int graph_set_location(lua_State *L)
{
    pod_graph *graph = pod_lua_check_graph(L, 1);
    pod_graph_set_location(graph, pod_lua_optional_text(L, 2, NULL));
    pod_lua_check_built(L, graph); /* else the next node would fail for it, whoever makes that */
    return 0;
}

static int graph_set_scope(lua_State *L)
{
    pod_graph *graph = pod_lua_check_graph(L, 1);
    pod_graph_set_scope(graph, pod_lua_optional_text(L, 2, NULL));
    pod_lua_check_built(L, graph);
    return 0;
}

/* graph:set_precision("highest" | "high" | "default") of products that are made from now on */
static int graph_set_precision(lua_State *L)
{
    static const char *const names[] = {"high", "highest", "default", NULL}; /* as in pod_precision, from the second */
    pod_graph *graph = pod_lua_check_graph(L, 1);
    pod_graph_set_precision(graph, (pod_precision)(luaL_checkoption(L, 2, NULL, names) + 1));
    return 0;
}

/* ---- one core to many ---------------------------------------------------------------------------------- */

static void read_placement(lua_State *L, const pod_lua_entry *entry)
{
    static const char *const names[] = {"mirrored", "split", "per_replica", NULL};
    *(pod_placement *)entry->into = (pod_placement)pod_lua_check_name(L, -1, "placement", names);
}

/* Reads an array of placements into a block that stays on the stack. */
static pod_placement *check_placements(lua_State *L, int index, const char *field, size_t wanted)
{
    size_t count;
    lua_getfield(L, index, field);
    pod_lua_check_top(L, LUA_TTABLE, field);
    pod_placement *placements = pod_lua_check_array(L, -1, sizeof *placements, &count, read_placement, NULL);
    if (count != wanted)
        luaL_error(L, "%s has %d entries; the graph has %d", field, (int)count, (int)wanted);
    return placements;
}

static void push_output_rows(lua_State *L, const pod_output_rows *rows, int32_t rank)
{
    static const char *const totals[] = {
        [POD_TOTAL_OTHER] = "other", [POD_TOTAL_SAME] = "same", [POD_TOTAL_SUM] = "sum",
        [POD_TOTAL_MEAN] = "mean",   [POD_TOTAL_MAX] = "max",   [POD_TOTAL_MIN] = "min",
    };
    pod_lua_push_integers(L, rows->entries, (size_t)rank);
    pod_lua_set_text(L, "total", totals[rows->total]);
}

static int64_t field(lua_State *L, const char *name, int64_t otherwise)
{
    lua_getfield(L, 2, name);
    return lua_isnil(L, -1) ? otherwise : pod_lua_check_any(L, -1, name);
}

/* graph:replicate{replicas, parameters = {placement...}, outputs = {placement...}, rows, ranks, rank, own} -> graph,
 * array of what is known of each output: the entries a row along each axis (0: it has no rows), and `total` */
static int graph_replicate(lua_State *L, pod_error *error)
{
    pod_graph *graph = pod_lua_check_graph(L, 1);
    luaL_checktype(L, 2, LUA_TTABLE);
    pod_replicate_options options = {.replicas = field(L, "replicas", 0), .global_rows = field(L, "rows", 0)};
    pod_rank_share share = {.count = field(L, "ranks", 1), .rank = field(L, "rank", 0)};
    lua_getfield(L, 2, "own");
    share.own = lua_toboolean(L, -1);
    const size_t parameters = pod_graph_parameter_count(graph), count = pod_graph_output_count(graph);
    options.parameter_placements = check_placements(L, 2, "parameters", parameters);
    options.output_placements = check_placements(L, 2, "outputs", count);
    pod_output_rows *rows = pod_lua_new_array(L, count + 1, sizeof *rows);
    pod_graph **box = pod_lua_new_graph_box(L);
    pod_lua_check_counts(L, graph, parameters, count);
    pod_lua_check(L, pod_graph_replicate_on_rank(graph, &options, &share, rows, box, error), error);
    lua_createtable(L, (int)count, 0);
    for (size_t i = 0; i < count; i++) {
        push_output_rows(L, &rows[i], pod_node_shape(pod_graph_get_output(graph, i), 0)->rank);
        lua_rawseti(L, -2, (int)i + 1);
    }
    return 2;
}

/* Reads how a value is divided: for each axis of the mesh the axis of the value, from 0, or -1; `stored`. */
static void read_sharding(lua_State *L, const pod_lua_entry *entry)
{
    pod_sharding *sharding = entry->into;
    const pod_mesh *mesh = entry->context;
    sharding->given = true;
    pod_lua_check_top(L, LUA_TTABLE, "sharding");
    for (int32_t m = 0; m < mesh->rank; m++) {
        lua_rawgeti(L, -1, m + 1);
        sharding->axes[m] = (int8_t)pod_lua_check_within(L, -1, "axis", -1, POD_MAX_RANK - 1);
        lua_pop(L, 1);
    }
    lua_getfield(L, -1, "stored");
    sharding->stored = lua_toboolean(L, -1);
    lua_pop(L, 1);
}

static void read_size(lua_State *L, const pod_lua_entry *entry)
{
    *(int64_t *)entry->into = pod_lua_check_within(L, -1, "size", 1, POD_MESH_DEVICES);
}

/* graph:divide(sizes of the mesh, shardings of parameters, shardings of outputs, alone?) -> graph of one core, to be
 * replicated; or, `alone`, compiled for the memory that it takes */
static int graph_divide(lua_State *L, pod_error *error)
{
    pod_graph *graph = pod_lua_check_graph(L, 1);
    pod_division division = {.alone = lua_toboolean(L, 5)};
    division.runs = !division.alone;
    size_t rank, parameters, outputs;
    const int64_t *sizes = pod_lua_check_array(L, 2, sizeof *sizes, &rank, read_size, NULL);
    luaL_argcheck(L, rank <= POD_MESH_AXES, 2, "a mesh has too many axes");
    division.mesh.rank = (int32_t)rank;
    memcpy(division.mesh.sizes, sizes, rank * sizeof *sizes);
    division.parameters = pod_lua_check_array(L, 3, sizeof(pod_sharding), &parameters, read_sharding, &division.mesh);
    division.outputs = pod_lua_check_array(L, 4, sizeof(pod_sharding), &outputs, read_sharding, &division.mesh);
    pod_graph **box = pod_lua_new_graph_box(L);
    pod_lua_check_counts(L, graph, parameters, outputs);
    return pod_lua_results(pod_graph_of_device(graph, &division, box, error), 1);
}

/* graph:map(rows, mapped?) -> graph; mapped is an array of booleans, one a parameter */
static int graph_map(lua_State *L, pod_error *error)
{
    pod_graph *graph = pod_lua_check_graph(L, 1);
    int64_t rows = pod_lua_check_any(L, 2, "rows");
    lua_settop(L, 3);
    const size_t parameters = pod_graph_parameter_count(graph), outputs = pod_graph_output_count(graph);
    const bool *mapped = pod_lua_check_flags(L, 3, parameters);
    pod_graph **box = pod_lua_new_graph_box(L);
    pod_lua_check_counts(L, graph, parameters, outputs);
    return pod_lua_results(pod_graph_map(graph, rows, mapped, box, error), 1);
}

/* graph:check_row_padding(rows, many, many_rows) -> array of the axis that runs over rows of each output, -1: none;
 * raises where the program of the graph `many`, the same function traced for more rows, is no other for these */
static int graph_check_row_padding(lua_State *L, pod_error *error)
{
    pod_graph *few = pod_lua_check_graph(L, 1);
    int64_t few_rows = pod_lua_check_any(L, 2, "rows");
    pod_graph *many = pod_lua_check_graph(L, 3);
    int64_t many_rows = pod_lua_check_any(L, 4, "many_rows");
    const size_t parameters = pod_graph_parameter_count(many), count = pod_graph_output_count(many);
    int32_t *axes = pod_lua_new_array(L, count + 1, sizeof *axes);
    pod_lua_check_counts(L, many, parameters, count);
    pod_lua_check(L, pod_graph_check_row_padding(few, few_rows, many, many_rows, axes, error), error);
    pod_lua_push_sizes(L, axes, (int32_t)count);
    return 1;
}

/* graph:find_batch(size?) -> {parameter = number from 1, axis =, size =, parts =, arguments = how many have it, updated
 * = of these} */
static int graph_find_batch(lua_State *L, pod_error *error)
{
    pod_batch_axis found;
    const pod_graph *graph = pod_lua_check_graph(L, 1);
    const int64_t size = lua_isnoneornil(L, 2) ? 0 : pod_lua_check_any(L, 2, "size");
    pod_lua_check(L, pod_graph_find_batch(graph, size, &found, error), error);
    lua_createtable(L, 0, 6);
    pod_lua_set_integer(L, "parameter", (int64_t)found.parameter + 1);
    pod_lua_set_integer(L, "axis", found.axis);
    pod_lua_set_integer(L, "size", found.size);
    pod_lua_set_integer(L, "parts", found.parts);
    pod_lua_set_integer(L, "arguments", found.arguments);
    pod_lua_set_integer(L, "updated", found.updated);
    return 1;
}

/* graph:rescale(parameter, axis, size, parts?, counts?) -> graph for another size of that axis, with equal parts */
static int graph_rescale(lua_State *L, pod_error *error)
{
    const pod_graph *graph = pod_lua_check_graph(L, 1);
    const pod_batch_axis axis = {.parameter = (uint32_t)pod_lua_check_within(L, 2, "parameter", 1, UINT32_MAX) - 1,
                                 .axis = (int32_t)pod_lua_check_within(L, 3, "axis", 0, POD_MAX_RANK),
                                 .parts = lua_isnoneornil(L, 5) ? 1 : pod_lua_check_any(L, 5, "parts"),
                                 .counts = lua_toboolean(L, 6)};
    const int64_t size = pod_lua_check_any(L, 4, "size");
    return pod_lua_results(pod_graph_rescale(graph, &axis, size, pod_lua_new_graph_box(L), error), 1);
}

/* graph:rematerialize(groups) -> graph that computes values of its forward pass again */
static int graph_rematerialize(lua_State *L, pod_error *error)
{
    const pod_graph *graph = pod_lua_check_graph(L, 1);
    const uint32_t groups = (uint32_t)pod_lua_check_within(L, 2, "groups", 2, UINT32_MAX);
    return pod_lua_results(pod_graph_rematerialize(graph, groups, pod_lua_new_graph_box(L), error), 1);
}

/* graph:check_numbers(parameters?) -> graph that fails where Inf or NaN begin */
static int graph_check_numbers(lua_State *L, pod_error *error)
{
    pod_graph *graph = pod_lua_check_graph(L, 1);
    bool parameters = lua_toboolean(L, 2);
    return pod_lua_results(pod_graph_check_numbers(graph, parameters, pod_lua_new_graph_box(L), error), 1);
}

static const pod_lua_function graph_methods[] = {{"output", .plain = graph_output},
                                                 {"alias", .plain = graph_alias},
                                                 {"gradient", .failing = graph_gradient},
                                                 {"type", .plain = graph_type},
                                                 {"describe", .plain = graph_describe},
                                                 {"counts", .plain = graph_counts},
                                                 {"outputs", .plain = graph_outputs},
                                                 {"parameters", .plain = graph_parameters},
                                                 {"hash", .plain = graph_hash},
                                                 {"print", .plain = graph_print},
                                                 {"verify", .failing = graph_verify},
                                                 {"set_location", .plain = graph_set_location},
                                                 {"set_scope", .plain = graph_set_scope},
                                                 {"set_precision", .plain = graph_set_precision},
                                                 {"replicate", .failing = graph_replicate},
                                                 {"divide", .failing = graph_divide},
                                                 {"map", .failing = graph_map},
                                                 {"check_row_padding", .failing = graph_check_row_padding},
                                                 {"find_batch", .failing = graph_find_batch},
                                                 {"rescale", .failing = graph_rescale},
                                                 {"rematerialize", .failing = graph_rematerialize},
                                                 {"check_numbers", .failing = graph_check_numbers},
                                                 {0}};

static const pod_lua_function functions[] = {{"graph", .failing = graph_new}, {0}};

const pod_lua_part pod_lua_graph_part = {.functions = functions, .kind = &pod_lua_graph_kind, .methods = graph_methods};
