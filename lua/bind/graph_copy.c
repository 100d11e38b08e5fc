/* graph_copy - putting one graph into another, and taking the part of a graph that some nodes need. */

#include "graph_access.h"

#include <string.h>

/* graph:inline(source, inputs) -> array of ids: adds the nodes of `source` to this graph, with the nodes `inputs` in
 * the place of its parameters, and returns what its outputs became */
static int graph_inline(lua_State *L)
{
    pod_graph *graph = pod_lua_check_graph(L, 1);
    const pod_graph *source = pod_lua_check_graph(L, 2);
    luaL_argcheck(L, source != graph, 2, "a graph does not go into itself");
    size_t count;
    pod_node **inputs = pod_lua_check_nodes(L, graph, 3, &count);
    const size_t parameters = pod_graph_parameter_count(source), outputs = pod_graph_output_count(source);
    pod_node **results = pod_lua_new_array(L, outputs + 1, sizeof *results);
    if (count != parameters)
        return luaL_error(L, "%d inputs given for a graph of %d parameters", (int)count, (int)parameters);
    pod_lua_check_counts(L, source, parameters, outputs);
    pod_graph_inline(graph, source, inputs, results);
    pod_lua_check_built(L, graph);
    pod_lua_push_ids(L, results, outputs);
    return 1;
}

/* Marks what the targets and, where they are wanted, effects need among the first `nodes`, going up from the last id:
 * operands come before their users. Nodes that the table at `known` has, and parameters, are where it stops. */
static void mark_needed(lua_State *L, const pod_graph *graph, size_t nodes, int known, bool effects,
                        unsigned char *needed)
{
    const pod_op parameter = pod_op_from_name("parameter");
    for (size_t id = nodes; id-- > 0;) {
        if (!needed[id] && !(effects && pod_node_has_effect(pod_graph_get_node(graph, (uint32_t)id))))
            continue;
        lua_rawgeti(L, known, (int)id);
        bool stop = !lua_isnil(L, -1);
        lua_pop(L, 1);
        pod_node_description d = pod_node_describe(pod_graph_get_node(graph, (uint32_t)id));
        needed[id] = stop || d.op == parameter ? 2 : 1;
        for (uint32_t i = 0; i < d.input_count && needed[id] == 1; i++)
            needed[pod_node_describe(d.inputs[i]).id] = 1;
    }
}

/* Adds a parameter in the place of a node: a parameter keeps its name, a known value has none. */
static pod_node *add_parameter(pod_graph *graph, const pod_node *node)
{
    const pod_node_description d = pod_node_describe(node);
    const char *name = d.op == pod_op_from_name("parameter") ? d.attributes->name : NULL;
    return pod_graph_parameter(graph, pod_node_dtype(node, 0), pod_node_shape(node, 0), name);
}

/* graph:extract(context, targets, known, effects) -> graph, ids: a new graph that computes the nodes `targets` (its
 * outputs, in their order), and checks and prints where `effects` is true. Nodes that are keys of the table `known`,
 * and parameters, become its parameters: ids tells which, in order */
static int graph_extract(lua_State *L, pod_error *error)
{
    pod_graph *graph = pod_lua_check_graph(L, 1);
    pod_context *context = pod_lua_check_context(L, 2);
    luaL_checktype(L, 4, LUA_TTABLE);
    const bool effects = lua_toboolean(L, 5);
    size_t count;
    pod_node **targets = pod_lua_check_nodes(L, graph, 3, &count);
    pod_graph **box = pod_lua_new_graph_box(L);
    pod_lua_check(L, pod_graph_new(context, "eager", box, error), error);
    lua_newtable(L);
    int ids = lua_gettop(L), given = 0;
    const size_t nodes = pod_graph_node_count(graph);
    pod_node **map = pod_lua_new_array(L, nodes + 1, sizeof *map);
    unsigned char *needed = pod_lua_new_array(L, nodes + 1, 1);
    memset(needed, 0, nodes + 1);
    for (size_t i = 0; i < count; i++)
        needed[pod_node_describe(targets[i]).id] = 1;
    mark_needed(L, graph, nodes, 4, effects, needed);
    for (uint32_t id = 0; id < nodes; id++) {
        const pod_node *node = pod_graph_get_node(graph, id);
        const pod_node_description d = pod_node_describe(node);
        if (needed[id] == 2) {
            map[id] = add_parameter(*box, node);
            pod_lua_push_int64(L, id);
            lua_rawseti(L, ids, ++given);
        } else if (needed[id] == 1) {
            pod_node **inputs = pod_lua_new_array(L, d.input_count + 1, sizeof *inputs);
            for (uint32_t i = 0; i < d.input_count; i++)
                inputs[i] = map[pod_node_describe(d.inputs[i]).id];
            map[id] = pod_graph_copy_node(*box, node, inputs);
            lua_pop(L, 1);
        }
    }
    for (size_t i = 0; i < count; i++)
        pod_graph_add_output(*box, map[pod_node_describe(targets[i]).id]);
    pod_lua_check_built(L, *box);
    lua_pushvalue(L, ids - 1);
    lua_pushvalue(L, ids);
    return 2;
}

static const pod_lua_function methods[] = {
    {"inline", .plain = graph_inline}, {"extract", .failing = graph_extract}, {0}};

const pod_lua_part pod_lua_graph_copy_part = {.of = &pod_lua_graph_kind, .more = methods};
