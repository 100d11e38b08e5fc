/* lua_graph - a computation under construction. Nodes are their ids; every call raises its own failure. */

#include "graph_access.h"

#include <string.h>

#include <moonpod/builders.h>
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
    int64_t id = pod_lua_check_int64(L, index, "node");
    pod_node *node = id >= 0 && id <= UINT32_MAX ? pod_graph_get_node(graph, (uint32_t)id) : NULL;
    if (!node)
        luaL_error(L, "the graph has no node %d", (int)id);
    return node;
}

pod_node **pod_lua_check_nodes(lua_State *L, pod_graph *graph, int index, size_t *count)
{
    luaL_checktype(L, index, LUA_TTABLE);
    index = lua_absindex(L, index);
    *count = lua_rawlen(L, index);
    pod_node **nodes = pod_lua_newuserdata(L, (*count + 1) * sizeof *nodes);
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
    const char *name = luaL_optstring(L, 2, "graph");
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

/* ---- building: all return id, dtype, shape, and the number of results where there are several
 * --------------------------------------------------------- */

/* Takes the graphs of the array at `index`, which are to be part of `graph`, into a block that stays on the stack. */
static pod_graph **take_regions(lua_State *L, const pod_graph *graph, int index, size_t *count)
{
    if (!lua_isnoneornil(L, index))
        luaL_checktype(L, index, LUA_TTABLE);
    *count = lua_isnoneornil(L, index) ? 0 : lua_rawlen(L, index);
    pod_graph **regions = pod_lua_newuserdata(L, (*count + 1) * sizeof *regions);
    for (size_t i = 0; i < *count; i++) {
        pod_lua_geti(L, index, i + 1);
        regions[i] = pod_lua_check_graph(L, lua_gettop(L));
        luaL_argcheck(L, regions[i] != graph, index, "a graph is no region of its own");
        for (size_t j = 0; j < i; j++)
            luaL_argcheck(L, regions[j] != regions[i], index, "a graph is one region alone; give a copy of it");
        lua_pop(L, 1);
    }
    for (size_t i = 0; i < *count; i++) {
        pod_lua_geti(L, index, i + 1);
        *(pod_graph **)lua_touserdata(L, -1) = NULL;
        lua_pop(L, 1);
    }
    return regions;
}

/* graph:apply(op, inputs, attributes?, regions?): regions are taken */
static int graph_apply(lua_State *L)
{
    pod_graph *graph = pod_lua_check_graph(L, 1);
    const char *name = luaL_checkstring(L, 2);
    lua_settop(L, 5);
    pod_op op = pod_op_from_name(name);
    if (op < 0)
        return luaL_error(L, "there is no primitive op '%s'", name);
    pod_attributes attributes;
    pod_lua_check_attributes(L, 4, &attributes);
    size_t input_count, region_count;
    pod_node **inputs = pod_lua_check_nodes(L, graph, 3, &input_count);
    pod_graph **regions = take_regions(L, graph, 5, &region_count);
    pod_node *node = pod_graph_apply(graph, op, inputs, input_count, &attributes, regions, region_count);
    return pod_lua_push_node(L, graph, node);
}

/* graph:composite(name, inputs, attributes?) */
static int graph_composite(lua_State *L)
{
    pod_graph *graph = pod_lua_check_graph(L, 1);
    const char *name = luaL_checkstring(L, 2);
    lua_settop(L, 4);
    pod_attributes attributes;
    pod_lua_check_attributes(L, 4, &attributes);
    size_t count;
    pod_node **inputs = pod_lua_check_nodes(L, graph, 3, &count);
    return pod_lua_push_node(L, graph, pod_graph_composite(graph, name, inputs, count, &attributes));
}

/* graph:parameter(dtype, shape, name?) */
static int graph_parameter(lua_State *L)
{
    pod_graph *graph = pod_lua_check_graph(L, 1);
    pod_dtype dtype = pod_lua_check_dtype(L, 2);
    pod_shape shape;
    pod_lua_check_shape(L, 3, &shape);
    const char *name = luaL_optstring(L, 4, NULL);
    return pod_lua_push_node(L, graph, pod_graph_parameter(graph, dtype, &shape, name));
}

/* graph:constant(buffer) */
static int graph_constant(lua_State *L)
{
    pod_graph *graph = pod_lua_check_graph(L, 1);
    pod_buffer *buffer = pod_lua_check_buffer(L, 2);
    return pod_lua_push_node(
        L, graph,
        pod_graph_constant(graph, pod_buffer_dtype(buffer), pod_buffer_shape(buffer), pod_buffer_data(buffer)));
}

/* graph:scalar(dtype, value, shape?) */
static int graph_scalar(lua_State *L)
{
    pod_graph *graph = pod_lua_check_graph(L, 1);
    pod_dtype dtype = pod_lua_check_dtype(L, 2);
    double value = lua_type(L, 3) == LUA_TBOOLEAN ? lua_toboolean(L, 3) : luaL_checknumber(L, 3);
    pod_shape shape = {0};
    if (!lua_isnoneornil(L, 4))
        pod_lua_check_shape(L, 4, &shape);
    return pod_lua_push_node(L, graph, pod_graph_scalar(graph, dtype, value, &shape));
}

/* graph:result(node, index counted from 0) */
static int graph_result(lua_State *L)
{
    pod_graph *graph = pod_lua_check_graph(L, 1);
    pod_node *node = pod_lua_check_node(L, graph, 2);
    size_t index = (size_t)pod_lua_check_within(L, 3, "index", 0, INT32_MAX);
    return pod_lua_push_node(L, graph, pod_graph_result(graph, node, index));
}

/* Finds an op by element of so many operands; -1 when there is none of that name. */
static pod_op find_elementwise(const char *name, int32_t operands)
{
    pod_op op = pod_op_from_name(name);
    return pod_op_elementwise_operands(op) == operands ? op : -1;
}

/* graph:unary(name, x) */
static int graph_unary(lua_State *L)
{
    pod_graph *graph = pod_lua_check_graph(L, 1);
    const char *name = luaL_checkstring(L, 2);
    pod_node *x = pod_lua_check_node(L, graph, 3);
    pod_op op = find_elementwise(name, 1);
    if (op < 0)
        return luaL_error(L, "there is no function of one operand '%s'", name);
    return pod_lua_push_node(L, graph, pod_graph_elementwise(graph, op, &x, 1));
}

/* graph:binary(name, a, b): the operands broadcast */
static int graph_binary(lua_State *L)
{
    pod_graph *graph = pod_lua_check_graph(L, 1);
    const char *name = luaL_checkstring(L, 2);
    pod_node *inputs[2] = {pod_lua_check_node(L, graph, 3), pod_lua_check_node(L, graph, 4)};
    pod_op op = find_elementwise(name, 2);
    if (op < 0)
        return luaL_error(L, "there is no function of two operands '%s'", name);
    return pod_lua_push_node(L, graph, pod_graph_elementwise(graph, op, inputs, 2));
}

/* graph:compare("lt", a, b) */
static int graph_compare(lua_State *L)
{
    static const char *const names[] = {"eq", "ne", "lt", "le", "gt", "ge", NULL};
    pod_graph *graph = pod_lua_check_graph(L, 1);
    pod_comparison comparison = (pod_comparison)pod_lua_check_name(L, 2, "comparison", names);
    pod_node *a = pod_lua_check_node(L, graph, 3);
    pod_node *b = pod_lua_check_node(L, graph, 4);
    return pod_lua_push_node(L, graph, pod_graph_compare(graph, comparison, a, b));
}

/* graph:select(predicate, a, b) */
static int graph_select(lua_State *L)
{
    pod_graph *graph = pod_lua_check_graph(L, 1);
    pod_node *predicate = pod_lua_check_node(L, graph, 2);
    pod_node *a = pod_lua_check_node(L, graph, 3);
    pod_node *b = pod_lua_check_node(L, graph, 4);
    return pod_lua_push_node(L, graph, pod_graph_select(graph, predicate, a, b));
}

/* graph:convert(x, dtype) */
static int graph_convert(lua_State *L)
{
    pod_graph *graph = pod_lua_check_graph(L, 1);
    pod_node *x = pod_lua_check_node(L, graph, 2);
    return pod_lua_push_node(L, graph, pod_graph_convert(graph, x, pod_lua_check_dtype(L, 3)));
}

/* graph:reshape(x, shape) */
static int graph_reshape(lua_State *L)
{
    pod_graph *graph = pod_lua_check_graph(L, 1);
    pod_node *x = pod_lua_check_node(L, graph, 2);
    pod_shape shape;
    pod_lua_check_shape(L, 3, &shape);
    return pod_lua_push_node(L, graph, pod_graph_reshape(graph, x, &shape));
}

/* graph:broadcast_to(x, shape) */
static int graph_broadcast_to(lua_State *L)
{
    pod_graph *graph = pod_lua_check_graph(L, 1);
    pod_node *x = pod_lua_check_node(L, graph, 2);
    pod_shape shape;
    pod_lua_check_shape(L, 3, &shape);
    return pod_lua_push_node(L, graph, pod_graph_broadcast_to(graph, x, &shape));
}

/* graph:transpose(x, axes?) */
static int graph_transpose(lua_State *L)
{
    pod_graph *graph = pod_lua_check_graph(L, 1);
    pod_node *x = pod_lua_check_node(L, graph, 2);
    pod_axes axes;
    bool given = !lua_isnoneornil(L, 3);
    if (given)
        pod_lua_check_axes(L, 3, &axes);
    return pod_lua_push_node(L, graph, pod_graph_transpose(graph, x, given ? &axes : NULL));
}

/* graph:matmul(a, b) */
static int graph_matmul(lua_State *L)
{
    pod_graph *graph = pod_lua_check_graph(L, 1);
    pod_node *a = pod_lua_check_node(L, graph, 2);
    pod_node *b = pod_lua_check_node(L, graph, 3);
    return pod_lua_push_node(L, graph, pod_graph_matmul(graph, a, b));
}

/* graph:reduce(op, x, axes?, keep?) */
static int graph_reduce(lua_State *L)
{
    pod_graph *graph = pod_lua_check_graph(L, 1);
    const char *op = luaL_checkstring(L, 2);
    pod_node *x = pod_lua_check_node(L, graph, 3);
    pod_axes axes;
    bool given = !lua_isnoneornil(L, 4);
    if (given)
        pod_lua_check_axes(L, 4, &axes);
    return pod_lua_push_node(L, graph, pod_graph_reduce(graph, op, x, given ? &axes : NULL, lua_toboolean(L, 5)));
}

/* graph:mean(x, axes?, keep?) */
static int graph_mean(lua_State *L)
{
    pod_graph *graph = pod_lua_check_graph(L, 1);
    pod_node *x = pod_lua_check_node(L, graph, 2);
    pod_axes axes;
    bool given = !lua_isnoneornil(L, 3);
    if (given)
        pod_lua_check_axes(L, 3, &axes);
    return pod_lua_push_node(L, graph, pod_graph_mean(graph, x, given ? &axes : NULL, lua_toboolean(L, 4)));
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

/* graph:gradient(target, seed or nil, sources) -> array of ids, false where there is no path */
static int graph_gradient(lua_State *L)
{
    pod_graph *graph = pod_lua_check_graph(L, 1);
    pod_node *target = pod_lua_check_node(L, graph, 2);
    pod_node *seed = lua_isnoneornil(L, 3) ? NULL : pod_lua_check_node(L, graph, 3);
    size_t count;
    pod_node **sources = pod_lua_check_nodes(L, graph, 4, &count);
    pod_node **gradients = pod_lua_newuserdata(L, (count + 1) * sizeof *gradients);
    memset(gradients, 0, (count + 1) * sizeof *gradients);
    pod_error error;
    pod_status status = pod_graph_gradient(graph, target, seed, sources, count, gradients, &error);
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
    int64_t index = lua_isnoneornil(L, 3) ? 0 : pod_lua_check_int64(L, 3, "result");
    luaL_argcheck(L, index >= 0 && index < pod_node_describe(node).result_count, 3, "the node has fewer results");
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
    pod_graph_set_location(pod_lua_check_graph(L, 1), luaL_optstring(L, 2, NULL));
    return 0;
}

static int graph_set_scope(lua_State *L)
{
    pod_graph_set_scope(pod_lua_check_graph(L, 1), luaL_optstring(L, 2, NULL));
    return 0;
}

/* ---- one core to many ---------------------------------------------------------------------------------- */

/* Reads an array of placements into a block that stays on the stack. */
static pod_placement *check_placements(lua_State *L, int index, const char *field, size_t count)
{
    static const char *const names[] = {"mirrored", "split", "per_replica", NULL};
    lua_getfield(L, index, field);
    pod_lua_check_top(L, LUA_TTABLE, field);
    if (lua_rawlen(L, -1) != count)
        luaL_error(L, "%s has %d entries; the graph has %d", field, (int)lua_rawlen(L, -1), (int)count);
    pod_placement *placements = pod_lua_newuserdata(L, (count + 1) * sizeof *placements);
    for (size_t i = 0; i < count; i++) {
        pod_lua_geti(L, lua_gettop(L) - 1, i + 1);
        placements[i] = (pod_placement)pod_lua_check_name(L, lua_gettop(L), "placement", names);
        lua_pop(L, 1);
    }
    return placements;
}

/* graph:replicate{replicas = , parameters = {placement...}, outputs = {placement...}, rows = } -> graph, array of
 * the entries a row along axis 0 of each output, 0 where it does not run over rows */
static int graph_replicate(lua_State *L)
{
    pod_graph *graph = pod_lua_check_graph(L, 1);
    luaL_checktype(L, 2, LUA_TTABLE);
    pod_replicate_options options = {0};
    lua_getfield(L, 2, "replicas");
    options.replicas = pod_lua_check_int64(L, -1, "replicas");
    lua_getfield(L, 2, "rows");
    options.global_rows = lua_isnil(L, -1) ? 0 : pod_lua_check_int64(L, -1, "rows");
    options.parameter_placements = check_placements(L, 2, "parameters", pod_graph_parameter_count(graph));
    size_t count = pod_graph_output_count(graph);
    options.output_placements = check_placements(L, 2, "outputs", count);
    int64_t *rows = pod_lua_newuserdata(L, (count + 1) * sizeof *rows);
    pod_graph **box = pod_lua_new_graph_box(L);
    pod_error error;
    pod_lua_check(L, pod_graph_replicate_rows(graph, &options, rows, box, &error), &error);
    lua_createtable(L, (int)count, 0);
    for (size_t i = 0; i < count; i++) {
        lua_pushinteger(L, (lua_Integer)rows[i]);
        lua_rawseti(L, -2, (int)i + 1);
    }
    return 2;
}

/* graph:map(rows, mapped?) -> graph; mapped is an array of booleans, one a parameter */
static int graph_map(lua_State *L)
{
    pod_graph *graph = pod_lua_check_graph(L, 1);
    int64_t rows = pod_lua_check_int64(L, 2, "rows");
    bool *mapped = NULL;
    if (!lua_isnoneornil(L, 3)) {
        luaL_checktype(L, 3, LUA_TTABLE);
        size_t count = pod_graph_parameter_count(graph);
        mapped = pod_lua_newuserdata(L, (count + 1) * sizeof *mapped);
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

static const luaL_Reg graph_methods[] = {{"apply", graph_apply},
                                         {"composite", graph_composite},
                                         {"parameter", graph_parameter},
                                         {"constant", graph_constant},
                                         {"scalar", graph_scalar},
                                         {"result", graph_result},
                                         {"unary", graph_unary},
                                         {"binary", graph_binary},
                                         {"compare", graph_compare},
                                         {"select", graph_select},
                                         {"convert", graph_convert},
                                         {"reshape", graph_reshape},
                                         {"broadcast_to", graph_broadcast_to},
                                         {"transpose", graph_transpose},
                                         {"matmul", graph_matmul},
                                         {"reduce", graph_reduce},
                                         {"mean", graph_mean},
                                         {"output", graph_output},
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
                                         {"replicate", graph_replicate},
                                         {"map", graph_map},
                                         {"check_numbers", graph_check_numbers},
                                         {"inline", pod_lua_graph_inline},
                                         {"extract", pod_lua_graph_extract},
                                         {NULL, NULL}};

void pod_lua_open_graph(lua_State *L)
{
    pod_lua_new_metatable(L, POD_LUA_GRAPH, graph_methods, graph_close, graph_tostring);
    pod_lua_push_function(L, graph_new);
    lua_setfield(L, -2, "graph");
}
