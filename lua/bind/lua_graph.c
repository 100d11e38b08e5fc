/* lua_graph - a computation under construction. Nodes are their ids; every call raises its own failure. */

#include "graph_access.h"

#include <string.h>

#include <moonpod/replicate.h>

/* ---- objects and nodes ------------------------------------------------------------------------------ */

pod_graph *pod_lua_check_graph(lua_State *L, int index)
{
    pod_graph **box = luaL_checkudata(L, index, POD_LUA_GRAPH);
    luaL_argcheck(L, *box, index, "the graph is closed");
    return *box;
}

pod_graph *pod_lua_take_graph(lua_State *L, int index)
{
    pod_graph *graph = pod_lua_check_graph(L, index);
    *(pod_graph **)lua_touserdata(L, index) = NULL;
    return graph;
}

pod_graph **pod_lua_new_graph_box(lua_State *L)
{
    pod_graph **box = pod_lua_newuserdata(L, sizeof *box);
    *box = NULL;
    pod_lua_setmetatable(L, POD_LUA_GRAPH);
    return box;
}

pod_node *pod_lua_check_node(lua_State *L, pod_graph *graph, int index)
{
    const int64_t id = pod_lua_check_within(L, index, "node", 0, UINT32_MAX);
    pod_node *node = pod_graph_get_node(graph, (uint32_t)id);
    if (!node)
        luaL_error(L, "the graph has no node %d", (int)id);
    return node;
}

pod_node **pod_lua_check_nodes(lua_State *L, pod_graph *graph, int index, size_t *count)
{
    luaL_checktype(L, index, LUA_TTABLE);
    index = lua_absindex(L, index);
    *count = pod_lua_length(L, index);
    pod_node **nodes = pod_lua_new_array(L, *count + 1, sizeof *nodes);
    for (size_t i = 0; i < *count; i++) {
        pod_lua_geti(L, index, i + 1);
        nodes[i] = pod_lua_check_node(L, graph, lua_gettop(L));
        lua_pop(L, 1);
    }
    return nodes;
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
static int graph_new(lua_State *L)
{
    pod_context *context = pod_lua_check_context(L, 1);
    const char *name = pod_lua_optional_text(L, 2, "graph");
    pod_graph **box = pod_lua_new_graph_box(L);
    pod_error error;
    pod_lua_check(L, pod_graph_new(context, name, box, &error), &error);
    return 1;
}

static void end(void *content)
{
    pod_graph_free(content);
}

static int graph_close(lua_State *L)
{
    pod_graph **box = luaL_checkudata(L, 1, POD_LUA_GRAPH);
    pod_graph *content = *box;
    *box = NULL;
    pod_lua_end(L, end, content);
    return 0;
}

static int graph_tostring(lua_State *L)
{
    pod_graph **box = luaL_checkudata(L, 1, POD_LUA_GRAPH);
    if (*box)
        lua_pushfstring(L, "moonpod.graph (%d nodes)", (int)pod_graph_node_count(*box));
    else
        lua_pushliteral(L, "moonpod.graph (closed)");
    return 1;
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
static int graph_gradient(lua_State *L)
{
    pod_graph *graph = pod_lua_check_graph(L, 1);
    pod_node *target = pod_lua_check_node(L, graph, 2);
    pod_node *seed = lua_isnoneornil(L, 3) ? NULL : pod_lua_check_node(L, graph, 3);
    int64_t since = lua_isnoneornil(L, 5) ? 0 : pod_lua_check_within(L, 5, "since", 0, INT32_MAX);
    size_t count;
    pod_node **sources = pod_lua_check_nodes(L, graph, 4, &count);
    pod_node **gradients = pod_lua_new_array(L, count + 1, sizeof *gradients);
    memset(gradients, 0, (count + 1) * sizeof *gradients);
    pod_error error;
    pod_status status = pod_graph_gradient_since(graph, (size_t)since, target, seed, sources, count, gradients, &error);
    if (status < 0)
        pod_graph_clear_error(graph);
    pod_lua_check(L, status, &error);
    pod_lua_check_built(L, graph);
    lua_createtable(L, (int)count, 0);
    for (size_t i = 0; i < count; i++) {
        if (gradients[i])
            pod_lua_push_int64(L, pod_node_describe(gradients[i]).id);
        else
            lua_pushboolean(L, 0);
        lua_rawseti(L, -2, (int)i + 1);
    }
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

static void set_optional_string(lua_State *L, const char *field, const char *value)
{
    if (!value)
        return;
    lua_pushstring(L, value);
    lua_setfield(L, -2, field);
}

/* graph:describe(node) -> {op, id, name, inputs, results = {{dtype, shape}}, regions, location, scope,
 * value = the number of a constant without axes} */
static int graph_describe(lua_State *L)
{
    pod_graph *graph = pod_lua_check_graph(L, 1);
    pod_node *node = pod_lua_check_node(L, graph, 2);
    pod_node_description description = pod_node_describe(node);
    lua_newtable(L);
    set_optional_string(L, "op", pod_op_name(description.op));
    set_optional_string(L, "name", description.attributes->name);
    set_optional_string(L, "location", description.location);
    set_optional_string(L, "scope", description.scope);
    lua_pushinteger(L, (lua_Integer)description.id);
    lua_setfield(L, -2, "id");
    lua_pushinteger(L, (lua_Integer)description.region_count);
    lua_setfield(L, -2, "regions");
    lua_newtable(L);
    for (uint32_t i = 0; i < description.input_count; i++) {
        lua_pushinteger(L, (lua_Integer)pod_node_describe(description.inputs[i]).id);
        lua_rawseti(L, -2, (int)i + 1);
    }
    lua_setfield(L, -2, "inputs");
    lua_newtable(L);
    for (uint32_t i = 0; i < description.result_count; i++) {
        lua_newtable(L);
        set_optional_string(L, "dtype", pod_dtype_name(pod_node_dtype(node, i)));
        pod_lua_push_shape(L, pod_node_shape(node, i));
        lua_setfield(L, -2, "shape");
        lua_rawseti(L, -2, (int)i + 1);
    }
    lua_setfield(L, -2, "results");
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

/* graph:outputs() -> array of ids */
static int graph_outputs(lua_State *L)
{
    pod_graph *graph = pod_lua_check_graph(L, 1);
    lua_newtable(L);
    for (size_t i = 0; i < pod_graph_output_count(graph); i++) {
        lua_pushinteger(L, (lua_Integer)pod_node_describe(pod_graph_get_output(graph, i)).id);
        lua_rawseti(L, -2, (int)i + 1);
    }
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
    return pod_lua_push_text(L, box);
}

static int graph_verify(lua_State *L)
{
    pod_error error;
    pod_lua_check(L, pod_graph_verify(pod_lua_check_graph(L, 1), &error), &error);
    return 0;
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

/* Reads an array of placements into a block that stays on the stack. */
static pod_placement *check_placements(lua_State *L, int index, const char *field, size_t count)
{
    static const char *const names[] = {"mirrored", "split", "per_replica", NULL};
    lua_getfield(L, index, field);
    pod_lua_check_top(L, LUA_TTABLE, field);
    if (pod_lua_length(L, -1) != count)
        luaL_error(L, "%s has %d entries; the graph has %d", field, (int)pod_lua_length(L, -1), (int)count);
    pod_placement *placements = pod_lua_new_array(L, count + 1, sizeof *placements);
    for (size_t i = 0; i < count; i++) {
        pod_lua_geti(L, lua_gettop(L) - 1, i + 1);
        placements[i] = (pod_placement)pod_lua_check_name(L, lua_gettop(L), "placement", names);
        lua_pop(L, 1);
    }
    return placements;
}

static void push_output_rows(lua_State *L, const pod_output_rows *rows, int32_t rank)
{
    static const char *const totals[] = {
        [POD_TOTAL_OTHER] = "other", [POD_TOTAL_SAME] = "same", [POD_TOTAL_SUM] = "sum",
        [POD_TOTAL_MEAN] = "mean",   [POD_TOTAL_MAX] = "max",   [POD_TOTAL_MIN] = "min",
    };
    lua_createtable(L, rank, 1);
    for (int32_t k = 0; k < rank; k++) {
        lua_pushinteger(L, (lua_Integer)rows->entries[k]);
        lua_rawseti(L, -2, k + 1);
    }
    lua_pushstring(L, totals[rows->total]);
    lua_setfield(L, -2, "total");
}

/* graph:replicate{replicas = , parameters = {placement...}, outputs = {placement...}, rows = } -> graph, array of
 * what is known of each output: the entries a row along each axis, 0 where it does not run over rows, and `total` */
static int graph_replicate(lua_State *L)
{
    pod_graph *graph = pod_lua_check_graph(L, 1);
    luaL_checktype(L, 2, LUA_TTABLE);
    pod_replicate_options options = {0};
    lua_getfield(L, 2, "replicas");
    options.replicas = pod_lua_check_any(L, -1, "replicas");
    lua_getfield(L, 2, "rows");
    options.global_rows = lua_isnil(L, -1) ? 0 : pod_lua_check_any(L, -1, "rows");
    options.parameter_placements = check_placements(L, 2, "parameters", pod_graph_parameter_count(graph));
    size_t count = pod_graph_output_count(graph);
    options.output_placements = check_placements(L, 2, "outputs", count);
    pod_output_rows *rows = pod_lua_new_array(L, count + 1, sizeof *rows);
    pod_graph **box = pod_lua_new_graph_box(L);
    pod_error error;
    pod_lua_check(L, pod_graph_replicate_rows(graph, &options, rows, box, &error), &error);
    lua_createtable(L, (int)count, 0);
    for (size_t i = 0; i < count; i++) {
        push_output_rows(L, &rows[i], pod_node_shape(pod_graph_get_output(graph, i), 0)->rank);
        lua_rawseti(L, -2, (int)i + 1);
    }
    return 2;
}

/* graph:map(rows, mapped?) -> graph; mapped is an array of booleans, one a parameter */
static int graph_map(lua_State *L)
{
    pod_graph *graph = pod_lua_check_graph(L, 1);
    int64_t rows = pod_lua_check_any(L, 2, "rows");
    bool *mapped = NULL;
    if (!lua_isnoneornil(L, 3)) {
        luaL_checktype(L, 3, LUA_TTABLE);
        size_t count = pod_graph_parameter_count(graph);
        mapped = pod_lua_new_array(L, count + 1, sizeof *mapped);
        for (size_t i = 0; i < count; i++) {
            pod_lua_geti(L, 3, i + 1);
            mapped[i] = lua_toboolean(L, -1);
            lua_pop(L, 1);
        }
    }
    pod_graph **box = pod_lua_new_graph_box(L);
    pod_error error;
    pod_lua_check(L, pod_graph_map(graph, rows, mapped, box, &error), &error);
    return 1;
}

/* graph:check_row_padding(rows, many, many_rows) -> array of the axis that runs over rows of each output, -1: none;
 * raises where the program of the graph `many`, the same function traced for more rows, is no other for these */
static int graph_check_row_padding(lua_State *L)
{
    pod_graph *few = pod_lua_check_graph(L, 1);
    int64_t few_rows = pod_lua_check_any(L, 2, "rows");
    pod_graph *many = pod_lua_check_graph(L, 3);
    int64_t many_rows = pod_lua_check_any(L, 4, "many_rows");
    size_t count = pod_graph_output_count(many);
    int32_t *axes = pod_lua_new_array(L, count + 1, sizeof *axes);
    pod_error error;
    pod_lua_check(L, pod_graph_check_row_padding(few, few_rows, many, many_rows, axes, &error), &error);
    lua_createtable(L, (int)count, 0);
    for (size_t i = 0; i < count; i++) {
        lua_pushinteger(L, axes[i]);
        lua_rawseti(L, -2, (int)i + 1);
    }
    return 1;
}

/* graph:check_numbers(parameters?) -> graph that fails where Inf or NaN begin */
static int graph_check_numbers(lua_State *L)
{
    pod_graph *graph = pod_lua_check_graph(L, 1);
    bool parameters = lua_toboolean(L, 2);
    pod_graph **box = pod_lua_new_graph_box(L);
    pod_error error;
    pod_lua_check(L, pod_graph_check_numbers(graph, parameters, box, &error), &error);
    return 1;
}

static const luaL_Reg graph_methods[] = {{"output", graph_output},
                                         {"alias", graph_alias},
                                         {"gradient", graph_gradient},
                                         {"type", graph_type},
                                         {"describe", graph_describe},
                                         {"counts", graph_counts},
                                         {"outputs", graph_outputs},
                                         {"hash", graph_hash},
                                         {"print", graph_print},
                                         {"verify", graph_verify},
                                         {"set_location", graph_set_location},
                                         {"set_scope", graph_set_scope},
                                         {"set_precision", graph_set_precision},
                                         {"replicate", graph_replicate},
                                         {"map", graph_map},
                                         {"check_row_padding", graph_check_row_padding},
                                         {"check_numbers", graph_check_numbers},
                                         {NULL, NULL}};

void pod_lua_open_graph(lua_State *L)
{
    pod_lua_new_metatable(L, POD_LUA_GRAPH, graph_methods, graph_close, graph_tostring);
    pod_lua_push_function(L, graph_new);
    lua_setfield(L, -2, "graph");
}
