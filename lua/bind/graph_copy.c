/* graph_copy - copies nodes between graphs through the public interface: putting one graph into another,
 * and taking the part of a graph that some nodes need. */

#include "graph_access.h"

#include <string.h>

/* One copying of nodes of `source` into `target`. map[id] is the copy of node id, or NULL. */
typedef struct copying {
    lua_State *L;
    pod_context *context;
    pod_graph *source, *target;
    pod_node **map;
    pod_op parameter, result;
} copying;

static pod_status copy_graph(lua_State *L, pod_context *context, pod_graph *source, pod_graph **copy, pod_error *error);

/* Copies one node whose operands have been copied. */
static pod_status copy_node(copying *c, pod_node *node, pod_error *error)
{
    pod_node_description d = pod_node_describe(node);
    pod_graph_set_location(c->target, d.location);
    pod_graph_set_scope(c->target, d.scope);
    pod_status status = pod_graph_check(c->target, error); /* before Lua raises anything else */
    if (status != POD_OK)
        return status;
    if (d.op == c->result) {
        pod_node *whole = c->map[pod_node_describe(d.inputs[0]).id];
        c->map[d.id] = pod_graph_result(c->target, whole, (size_t)d.attributes->axis);
        return pod_graph_check(c->target, error);
    }
    int top = lua_gettop(c->L);
    luaL_checkstack(c->L, (int)d.region_count + 8, "regions");
    pod_node **inputs = pod_lua_new_array(c->L, d.input_count + 1, sizeof *inputs);
    pod_graph **regions = pod_lua_new_array(c->L, d.region_count + 1, sizeof *regions);
    pod_graph ***boxes = pod_lua_new_array(c->L, d.region_count + 1, sizeof *boxes);
    for (uint32_t i = 0; i < d.input_count; i++)
        inputs[i] = c->map[pod_node_describe(d.inputs[i]).id];
    for (uint32_t i = 0; i < d.region_count && status == POD_OK; i++) {
        boxes[i] = pod_lua_new_graph_box(c->L); /* frees it where copying raises */
        status = copy_graph(c->L, c->context, d.regions[i], boxes[i], error);
    }
    if (status == POD_OK) {
        for (uint32_t i = 0; i < d.region_count; i++) { /* taken */
            regions[i] = *boxes[i];
            *boxes[i] = NULL;
        }
        c->map[d.id] = pod_graph_apply(c->target, d.op, inputs, d.input_count, d.attributes, regions, d.region_count);
        status = pod_graph_check(c->target, error);
    }
    lua_settop(c->L, top);
    return status;
}

static void begin(copying *c, lua_State *L, pod_context *context, pod_graph *source, pod_graph *target)
{
    size_t bytes = (pod_graph_node_count(source) + 1) * sizeof *c->map;
    *c = (copying){L, context, source, target, NULL, pod_op_from_name("parameter"), pod_op_from_name("result")};
    luaL_checkstack(L, 8, "nested graphs");
    c->map = pod_lua_newuserdata(L, bytes);
    memset(c->map, 0, bytes);
}

/* Copies a whole graph with its parameters and outputs; the maps stay on the Lua stack. */
static pod_status copy_graph(lua_State *L, pod_context *context, pod_graph *source, pod_graph **copy, pod_error *error)
{
    pod_status status = pod_graph_new(context, "region", copy, error);
    if (status != POD_OK)
        return status;
    copying c;
    begin(&c, L, context, source, *copy);
    for (size_t i = 0; i < pod_graph_parameter_count(source); i++) {
        pod_node *node = pod_graph_get_parameter(source, i);
        pod_node_description d = pod_node_describe(node);
        c.map[d.id] = pod_graph_parameter(*copy, pod_node_dtype(node, 0), pod_node_shape(node, 0), d.attributes->name);
    }
    size_t count = pod_graph_node_count(source);
    for (uint32_t id = 0; id < count && status == POD_OK; id++)
        if (!c.map[id])
            status = copy_node(&c, pod_graph_get_node(source, id), error);
    for (size_t i = 0; i < pod_graph_output_count(source) && status == POD_OK; i++)
        pod_graph_add_output(*copy, c.map[pod_node_describe(pod_graph_get_output(source, i)).id]);
    if (status == POD_OK)
        status = pod_graph_check(*copy, error);
    if (status != POD_OK) {
        pod_graph_free(*copy);
        *copy = NULL;
    }
    return status;
}

/* graph:inline(context, source, inputs) -> array of ids: adds the nodes of `source` to this graph, with the
 * nodes `inputs` in the place of its parameters, and returns what its outputs became */
static int graph_inline(lua_State *L, pod_error *error)
{
    pod_graph *graph = pod_lua_check_graph(L, 1);
    pod_context *context = pod_lua_check_context(L, 2);
    pod_graph *source = pod_lua_check_graph(L, 3);
    luaL_argcheck(L, source != graph, 3, "a graph does not go into itself");
    size_t count;
    pod_node **inputs = pod_lua_check_nodes(L, graph, 4, &count);
    if (count != pod_graph_parameter_count(source))
        return luaL_error(L, "%d inputs given for a graph of %d parameters", (int)count,
                          (int)pod_graph_parameter_count(source));
    copying c;
    begin(&c, L, context, source, graph);
    for (size_t i = 0; i < count; i++)
        c.map[pod_node_describe(pod_graph_get_parameter(source, i)).id] = inputs[i];
    size_t nodes = pod_graph_node_count(source);
    for (uint32_t id = 0; id < nodes; id++) {
        pod_status status = c.map[id] ? POD_OK : copy_node(&c, pod_graph_get_node(source, id), error);
        if (status < 0)
            pod_graph_clear_error(graph);
        pod_lua_check(L, status, error);
    }
    size_t outputs = pod_graph_output_count(source);
    lua_createtable(L, (int)outputs, 0);
    for (size_t i = 0; i < outputs; i++) {
        const pod_node *output = pod_graph_get_output(source, i);
        pod_lua_push_int64(L, pod_node_describe(c.map[pod_node_describe(output).id]).id);
        lua_rawseti(L, -2, (int)i + 1);
    }
    return 1;
}

/* Marks what the targets need, going up from the last id: operands come before their users. Nodes that
 * the table at `known` has, and parameters, are where it stops. */
static void mark_needed(copying *c, int known, unsigned char *needed)
{
    for (size_t id = pod_graph_node_count(c->source); id-- > 0;) {
        if (!needed[id])
            continue;
        lua_rawgeti(c->L, known, (int)id);
        bool stop = !lua_isnil(c->L, -1);
        lua_pop(c->L, 1);
        pod_node_description d = pod_node_describe(pod_graph_get_node(c->source, (uint32_t)id));
        needed[id] = stop || d.op == c->parameter ? 2 : 1;
        for (uint32_t i = 0; i < d.input_count && needed[id] == 1; i++)
            needed[pod_node_describe(d.inputs[i]).id] = 1;
    }
}

/* A parameter keeps its name; a known value has none. */
static const char *parameter_name(const copying *c, const pod_node *node)
{
    pod_node_description d = pod_node_describe(node);
    return d.op == c->parameter ? d.attributes->name : NULL;
}

/* graph:extract(context, targets, known) -> graph, ids: a new graph that computes the nodes `targets` (its
 * outputs, in their order). Nodes that are keys of the table `known`, and parameters, become its
 * parameters: ids tells which, in order */
static int graph_extract(lua_State *L, pod_error *error)
{
    pod_graph *graph = pod_lua_check_graph(L, 1);
    pod_context *context = pod_lua_check_context(L, 2);
    luaL_checktype(L, 4, LUA_TTABLE);
    size_t count;
    pod_node **targets = pod_lua_check_nodes(L, graph, 3, &count);
    pod_graph **box = pod_lua_new_graph_box(L);
    pod_lua_check(L, pod_graph_new(context, "eager", box, error), error);
    lua_newtable(L);
    int ids = lua_gettop(L), given = 0;
    copying c;
    begin(&c, L, context, graph, *box);
    size_t nodes = pod_graph_node_count(graph);
    unsigned char *needed = pod_lua_new_array(L, nodes + 1, 1);
    memset(needed, 0, nodes + 1);
    for (size_t i = 0; i < count; i++)
        needed[pod_node_describe(targets[i]).id] = 1;
    mark_needed(&c, 4, needed);
    for (uint32_t id = 0; id < nodes; id++) {
        pod_node *node = pod_graph_get_node(graph, id);
        if (needed[id] == 2) {
            c.map[id] =
                pod_graph_parameter(*box, pod_node_dtype(node, 0), pod_node_shape(node, 0), parameter_name(&c, node));
            pod_lua_push_int64(L, id);
            lua_rawseti(L, ids, ++given);
        } else if (needed[id] == 1) {
            pod_lua_check(L, copy_node(&c, node, error), error);
        }
    }
    for (size_t i = 0; i < count; i++)
        pod_graph_add_output(*box, c.map[pod_node_describe(targets[i]).id]);
    pod_lua_check_built(L, *box);
    lua_pushvalue(L, ids - 1);
    lua_pushvalue(L, ids);
    return 2;
}

static const pod_lua_function methods[] = {
    {"inline", .failing = graph_inline}, {"extract", .failing = graph_extract}, {0}};

void pod_lua_open_graph_copy(lua_State *L)
{
    pod_lua_add_methods(L, &pod_lua_graph_kind, methods);
}
